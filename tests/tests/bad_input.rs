//! Bad input: whatever users and machines feed to Loupe, it says what is wrong with it, exits with 3,
//! and does so at once.

use loupe_tests::process::{Finished, Loupe};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A second, and more for a loaded machine or a binary that was built for debugging.
const AT_ONCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 3 });

/// A file that only the test `name` uses.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("a name of plain characters")
}

/// The call is refused at once, with a message that contains `message`.
fn check(arguments: &[&str], message: &str) {
    let call = Loupe::new(arguments);
    check_refused(&call.to_string(), &call.run(), message);
}

fn check_refused(call: &str, run: &Finished, message: &str) {
    let complaint = run.stderr.starts_with("error: ") && run.stderr.contains(message);
    assert!(run.status == 3 && complaint, "`{message}` expected of {call}, but\n{run}");
    assert!(run.stdout.is_empty(), "{call}\n{run}");
    assert!(run.stderr.len() < 20_000, "{call} says too much:\n{run}");
    assert!(run.time < AT_ONCE, "{call} took {:?}", run.time);
}

/// None of these commands can use this program.
fn check_commands(commands: &[&str], name: &str, content: impl AsRef<[u8]>, message: &str) {
    let path = file(name, content);
    for command in commands {
        check(&[command, text(&path)], message);
    }
    fs::remove_file(&path).expect("a file that was written can be removed");
}

/// No command can use this program.
fn check_program(name: &str, content: impl AsRef<[u8]>, message: &str) {
    check_commands(&["run", "cfg", "ast"], name, content, message);
}

/// This flowgraph cannot be used.
fn check_graph(name: &str, content: impl AsRef<[u8]>, message: &str) {
    check_commands(&["run", "cfg"], name, content, message);
}

const PROGRAM: &str = "main(n) { return n; }";

#[test]
fn command_lines() {
    let program = file("command-lines.uc", PROGRAM);
    let program = text(&program);
    check(&["fly"], "unrecognized subcommand 'fly'");
    check(&["run"], "<FILE>");
    check(&["run", program, "--fly"], "unexpected argument '--fly'");
    check(&["run", program, "--format", "xml"], "invalid value 'xml'");
    check(&["run", program, "--int-width", "1"], "1 is not in 2..=64");
    check(&["run", program, "--int-width", "65"], "65 is not in 2..=64");
    check(&["run", program, "--arrays", "copy"], "invalid value 'copy'");
    check(&["run", program, "--max-steps", "-1"], "-1");
    check(&["run", program, "--input", "1", "--input-file", "f"], "cannot be used with");
    check(&["run", program, "--args", "x"], "invalid value 'x'");
    check(&["run", program], "`main` takes 1 argument");
    check(&["run", program, "--args", "1", "2"], "`main` takes 1 argument");
    check(&["run", program, program], "only C programs may consist of several files");
}

#[test]
fn no_arguments() {
    let run = Loupe::new::<&str>([]).run();
    assert_eq!(run.status, 3, "{run}");
    assert!(run.stderr.contains("Usage: loupe"), "{run}");
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--help"][..], &["--version"], &["run", "--help"], &["help", "cfg"]] {
        let run = Loupe::new(arguments).run();
        assert!(run.status == 0 && run.stderr.is_empty() && !run.stdout.is_empty(), "{run}");
    }
}

#[test]
fn inputs() {
    let program = file("inputs.uc", "main() { output 7; return input; }");
    let program = text(&program);
    check(&["run", program, "--input", "abc"], "input 1: `abc` is not a number");
    check(&["run", program, "--input", "1 2.5"], "input 2: `2.5` is not a number");
    check(&["run", program, "--input", "x5"], "input 1: `x5` is not a repetition");
    check(&["run", program, "--input", "5 x-1"], "input 2: `x-1` is not a repetition");
    let digits = "9".repeat(10_000);
    check(&["run", program, "--input", &digits], "is not a number");
    check(&["run", program, "--input-file", "no/such/file"], "there is no such file");
    check(&["run", program, "--input-file", "programs"], "it is a directory");
    let words = file("inputs-words", "1 2\nthree\n");
    check(&["run", program, "--input-file", text(&words)], "`three` is not a number");
    let bytes = file("inputs-bytes", b"1 2\n3 \xff");
    check(&["run", program, "--input-file", text(&bytes)], ":2:3: this is not UTF-8 text");
}

/// What was put out before the bad input was met is not lost.
#[test]
fn standard_input() {
    let program = file("standard-input.uc", "main() { output 7; output input; return 0; }");
    let run = Loupe::new(["run", text(&program)]).input("seven\n").run();
    assert_eq!((run.status, run.stdout.as_str()), (3, "7\n"), "{run}");
    assert!(run.stderr.contains("input 1: `seven` is not a number"), "{run}");
    let run = Loupe::new(["run", text(&program)]).input(b"\xff\xfe\n".as_slice()).run();
    assert_eq!(run.status, 3, "{run}");
}

#[test]
fn files_that_are_no_programs() {
    check(&["run", "no/such/file.uc"], "cannot read `no/such/file.uc`: there is no such file");
    check(&["run", "programs"], "`programs` is a directory, not a program");
    check(&["run", "programs", "--lang", "microc"], "it is a directory");
    let plain = file("no-language", PROGRAM);
    check(&["run", text(&plain)], "cannot tell the language");
    let other = file("other-language.py", "print(1)");
    check(&["run", text(&other)], "cannot tell the language");
    check_program(
        "not-utf8.uc",
        b"main() {\n  return \xc3\x28; }",
        ":2:10: this is not UTF-8 text",
    );
    check_graph("not-utf8.lir", b"\xff\xfe", ":1:1: this is not UTF-8 text");
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"no-\xff-such.uc");
    let call = Loupe::new([std::ffi::OsStr::new("run"), name]);
    check_refused(&call.to_string(), &call.run(), "there is no such file");
}

#[test]
fn empty_programs() {
    for content in ["", " ", "\n\n", "// nothing\n", "/* nothing */"] {
        let path = file("empty.uc", content);
        check(&["run", text(&path)], "");
        check(&["cfg", text(&path)], "");
    }
    check_graph("empty.lir", "", "");
}

#[test]
fn deep_nesting() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    check_program("parentheses.uc", format!("main() {{ return {open}1{close}; }}"), "deep");
    check_program("open-parentheses.uc", format!("main() {{ return {open}"), "deep");
    let (open, close) = ("{".repeat(100_000), "}".repeat(100_000));
    check_program("blocks.uc", format!("main() {{ {open} {close} return 0; }}"), "deep");
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    check_program("arrays.uc", format!("main() {{ return {open}{close}; }}"), "deep");
    let records = "{a:".repeat(100_000);
    check_program("records.uc", format!("main() {{ return {records}"), "deep");
    let ifs = "if (1) ".repeat(100_000);
    check_program("ifs.uc", format!("main() {{ {ifs} output 1; return 0; }}"), "deep");
    let elses = "if (1) output 1; else ".repeat(100_000);
    check_program("elses.uc", format!("main() {{ {elses} output 1; return 0; }}"), "deep");
    let pointers = "ptr ".repeat(100_000);
    let global = format!("global g%0: {pointers} int @1:1-1:2\n");
    check_graph("pointers.lir", global, "nested deeper");
}

/// Long but not deep is fine, or refused; either way at once.
#[test]
fn long_chains() {
    let chains = [
        format!("main() {{ return 1{}; }}", " + 1".repeat(100_000)),
        format!("main() {{ return {}1; }}", "!".repeat(100_000)),
        format!("main() {{ var p; p = 0; return {}p; }}", "*".repeat(100_000)),
        format!("main() {{ var r; r = 0; return r{}; }}", ".a".repeat(100_000)),
        format!("main() {{ var r; r = 0; return r{}; }}", "[0]".repeat(100_000)),
        format!("main() {{ var r; r = 0; return r{}; }}", "()".repeat(100_000)),
        format!("main() {{ {} return 0; }}", "output 1; ".repeat(20_000)),
    ];
    for (number, chain) in chains.iter().enumerate() {
        let path = file(&format!("chain-{number}.uc"), chain);
        let run = Loupe::new(["run", text(&path)]).run();
        assert!((0..=3).contains(&run.status), "chain {number}:\n{run}");
        assert!(run.time < AT_ONCE, "chain {number} took {:?}", run.time);
    }
}

/// Ten million bytes of `pattern` in a file with this name are refused.
fn check_garbage(name: &str, pattern: &str, message: &str) {
    check_commands(&["run"], name, pattern.repeat(10_000_000 / pattern.len()), message);
}

#[test]
fn garbage() {
    check_garbage("letters.uc", "x", "expected `(`");
    check_garbage("nuls.uc", "\0", "unknown characters");
    check_garbage("lines.uc", "?\n", "unknown character `?`");
    check_garbage("quotes.uc", "'\"`", "microc has no strings or characters");
    check_garbage("tokens.uc", "while ( x + 1 ) { } return , & * ", "expected a function");
    check_garbage("names.uc", "a b ", "expected a function");
    check_garbage("digits.uc", "1234567890", "10000000 digits");
    check_garbage("numbers.uc", "123 ", "expected a function");
    check_garbage("comment.uc", "/* ", "this comment is never closed");
    check_garbage("wide.uc", "λ", "unknown characters");
    check_garbage("functions.uc", "f() { return 0; }\n", "`f` is already declared");
}

#[test]
fn garbage_as_flowgraph() {
    check_garbage("letters.lir", "x", "expected an item");
    check_garbage("nuls.lir", "\0", "expected");
    check_garbage("signs.lir", "@%#", "expected");
    check_garbage("lines.lir", "entry @main\n", "expected");
    check_garbage("digits.lir", "1234567890", "expected an item");
}

#[test]
fn long_literals() {
    let digits = "7".repeat(10_000);
    check_program("literal.uc", format!("main() {{ return {digits}; }}"), "digits");
    check_program("negative.uc", format!("main() {{ return -{digits}; }}"), "digits");
}

#[test]
fn outputs_that_cannot_be_written() {
    let program = file("outputs.uc", "main() { return 0; }");
    for command in ["cfg", "ast"] {
        check(&[command, text(&program), "-o", "no/such/folder/x"], "cannot write");
        check(&[command, text(&program), "-o", "programs"], "cannot write `programs`");
    }
}

/// The call does not use more than 6 GB of address space, and ends soon like this, with a message that
/// contains `message`.
fn check_c(name: &str, content: impl AsRef<[u8]>, options: &[&str], expected: (i32, &str)) {
    let path = file(name, content);
    let call = Loupe::new(["run", text(&path)]).args(options);
    let inner = call.command();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 6000000 && exec \"$0\" \"$@\""]).arg(inner.get_program());
    command.args(inner.get_args()).stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let start = std::time::Instant::now();
    let child = command.spawn().expect("there is a shell");
    let run = loupe_tests::process::finish(child, start);
    let run = run.unwrap_or_else(|| panic!("{call} hangs"));
    let (status, message) = expected;
    let says = run.stderr.contains(message);
    assert!(run.status == status && says, "{status}, `{message}` expected of {call}, but\n{run}");
    let has_place = run.stderr.contains(&format!("--> {}:", text(&path)));
    assert!(status == 0 || has_place || message.contains(text(&path)), "{call}: no place\n{run}");
    assert!(!run.stderr.contains("panicked"), "{call}\n{run}");
    assert!(run.stderr.len() < 20_000, "{call} says too much:\n{run}");
    assert!(run.time < AT_ONCE, "{call} took {:?}", run.time);
    fs::remove_file(&path).expect("a file that was written can be removed");
}

/// This C program is refused.
fn refused_c(name: &str, content: impl AsRef<[u8]>, message: &str) {
    check_c(name, content, &[], (3, message));
}

fn main_with(body: &str) -> String {
    format!("int main(void) {{ {body} }}\n")
}

#[test]
fn c_files_that_are_no_c() {
    refused_c("cpp.c", "#include <iostream>\nclass A { };\n", "this looks like C++; Loupe reads C");
    refused_c("template.c", "template<class T> T f(T x);\n", "this looks like C++");
    refused_c("nul.c", [0; 100_000], "it contains a byte that is zero");
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i * 7919 % 255 + 1) as u8).collect();
    refused_c("binary.c", bytes, "source is not valid UTF-8 here");
    refused_c("words.c", "hello world\n", "error: ");
    refused_c("comment.c", "/* ".repeat(100_000), "unterminated comment");
    refused_c("string.c", main_with("char *s = \"abc;"), "missing terminating \" character");
    refused_c("if.c", "#if 1\nint main(void) { return 0; }\n", "unterminated `#if`");
    check(&["run", "--lang", "c", "programs"], "cannot read `programs`: it is a directory");
    check(&["run", "no/such.c"], "cannot read `no/such.c`: there is no such file");
}

#[test]
fn c_without_a_start() {
    for content in ["", "\n", "int f(int x) { return x; }\n"] {
        let path = file("no-main.c", content);
        check(&["run", text(&path)], "there is no function `main`");
        check(&["run", text(&path)], "--entry");
        check(&["run", text(&path), "--entry", "g"], "there is no function `g` to start at");
    }
    let twice = "int main(void) { return 0; }\nint main(void) { return 1; }\n";
    refused_c("two-mains.c", twice, "redefinition of `main`");
}

#[test]
fn c_includes() {
    refused_c("missing.c", "#include \"missing.h\"\n", "there is no file `missing.h` to include");
    refused_c("itself.c", "#include \"itself.c\"\n", "`#include` nested too deeply");
    refused_c("error.c", "#error no way\nint main(void) { return 0; }\n", "no way");
    file("inner.h", "int f(void) {\n  return 1 +;\n}\n");
    file("outer.h", "#include \"inner.h\"\n");
    let path = file("includes.c", "#include \"outer.h\"\nint main(void) { return 0; }\n");
    let run = Loupe::new(["run", text(&path)]).run();
    check_refused("includes.c", &run, "expected an expression, found `;`");
    for place in ["inner.h:2:13", "outer.h:1:1", "includes.c:1:1"] {
        assert!(run.stderr.contains(place), "{place}\n{run}");
    }
    let folder = path.with_file_name("no-such-folder");
    check(&["run", text(&path), "-I", text(&folder)], "expected an expression");
}

#[test]
fn c_options() {
    let program = file("options.c", main_with("return 0;"));
    let program = text(&program);
    check(&["run", program, "--data-model", "LLP64"], "invalid value 'LLP64'");
    check(&["run", program, "--std", "c++11"], "invalid value 'c++11'");
    check(&["run", program, "--check", "everything"], "invalid value 'everything'");
    check(&["run", program, "--volatile", "x"], "invalid value 'x'");
    check(&["run", program, "--assume", "x <"], "--assume:1:4");
    check(&["run", program, "--assume", "zz"], "`zz` undeclared");
    check(&["run", program, "-D", "1x"], "1x");
    let database = |name: &str, text: &str| file(name, text);
    let run = |path: &PathBuf, message| {
        check(&["run", program, "--compile-commands", text(path)], message);
    };
    run(&database("broken.json", "[{"), "this is no compilation database");
    run(&database("object.json", "{}"), "a list of commands was expected");
    run(&database("entry.json", "[{\"file\": \"a.c\"}]"), "entry 1 has no `file`");
    run(&database("empty.json", "[]"), "is not in the compilation database");
    check(&["run", "--compile-commands", "no/such.json"], "there is no such file");
    let empty = database("none.json", "[]");
    check(&["run", "--compile-commands", text(&empty)], "names no C file");
}

#[test]
fn c_that_nests_deeply() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    refused_c("c-parentheses.c", main_with(&format!("return {open}1{close};")), "nested");
    let (open, close) = ("{".repeat(1_000), "}".repeat(1_000));
    refused_c("c-blocks.c", main_with(&format!("{open} {close} return 0;")), "nested more than");
    refused_c("c-braces.c", "int x = {".to_owned() + &"{".repeat(100_000), "nested more than");
    let structs = "struct { ".repeat(10_000) + "int x;" + &"} a;".repeat(10_000);
    refused_c("c-structs.c", structs, "nested more than");
    let stars = "*".repeat(20_000);
    refused_c("c-pointers.c", main_with(&format!("int {stars}p = 0; return !p;")), "nested more");
    let brackets = "[1]".repeat(1_000);
    refused_c("c-arrays.c", main_with(&format!("int x{brackets}; return 0;")), "nested more than");
    let calls = "f(".repeat(5_000) + "1" + &")".repeat(5_000);
    refused_c("c-calls.c", format!("int f(int); int x = {calls};"), "nested more than");
}

#[test]
fn c_that_is_long() {
    let sum = format!("int main(int c, char **v) {{ return c{}; }}\n", " + c".repeat(150_000));
    check_c("c-sum.c", sum, &["--max-steps", "9000000"], (0, "exit: 150001"));
    let nots = main_with(&format!("return {}1;", "!".repeat(100_000)));
    check_c("c-nots.c", nots, &[], (0, "result: 1"));
    let elses: String = (1..5_000).map(|i| format!("if (x == {i}) x = 7; else ")).collect();
    let elses = format!("int x = 1; int main(void) {{ {elses} x = 3; return x; }}\n");
    check_c("c-elses.c", elses, &[], (0, "result: 7"));
    let numbers: Vec<String> = (0..100_000).map(|i: u32| i.to_string()).collect();
    let list = format!("int a[] = {{{}}};\n{}", numbers.join(","), main_with("return a[99999];"));
    check_c("c-list.c", list, &[], (0, "result: 99999"));
    let text = format!("return sizeof \"{}\";", "x".repeat(1_000_000));
    check_c("c-string.c", main_with(&text), &[], (0, "result: 1000001"));
    let cases = "switch (v) { case 0 ... 2000000000: return 1; } return 0;";
    check_c("c-range.c", format!("int v = 5; {}", main_with(cases)), &[], (0, "result: 1"));
}

/// A file of five megabytes takes a while in a binary that was built for debugging.
#[test]
fn c_that_is_large() {
    let function =
        |i| format!("int f{i}(int x) {{ int y = x * {i}; if (y > 3) y -= x; return y; }}\n");
    let mut program: String = (0..75_000).map(function).collect();
    assert!(program.len() > 5_000_000 * 9 / 10, "{}", program.len());
    program.push_str(&main_with("return f7(2);"));
    let path = file("c-large.c", program);
    let run = Loupe::new(["run", text(&path)]).run();
    assert!(run.status == 0 && run.stderr.contains("result: 12"), "{run}");
    fs::remove_file(&path).expect("a file that was written can be removed");
}

#[test]
fn c_macros_without_end() {
    let bomb = |doubled: &str| -> String {
        let lines = (1..60)
            .map(|i| format!("#define M{i} {}\n", doubled.replace('#', &(i - 1).to_string())));
        lines.collect::<String>() + &main_with("return M59;")
    };
    refused_c("bomb.c", bomb("M# + M#"), "macro expansion is too large");
    let calls: String =
        (1..60).map(|i| format!("#define F{i}(x) F{0}(x) + F{0}(x)\n", i - 1)).collect();
    let calls = calls + &main_with("return F59(1);");
    refused_c("calls.c", calls, "macro expansion is too large");
    let chain: String = (1..100_000).map(|i| format!("#define M{i} (M{})\n", i - 1)).collect();
    refused_c("chain.c", chain + &main_with("return M99999;"), "is made of more than 2000 others");
    let (open, close) = ("G(".repeat(50_000), ")".repeat(50_000));
    let nested = format!("#define G(x) x\n{}", main_with(&format!("return {open}1{close};")));
    refused_c("nested.c", nested, "brackets are nested more than 1000 deep");
}

#[test]
fn c_objects_of_absurd_size() {
    let limit = (2, "stopped: the limit of");
    check_c("global.c", format!("char a[1ull << 40];\n{}", main_with("return a[5];")), &[], limit);
    check_c("local.c", main_with("char a[1ull << 40]; return a[5];"), &[], limit);
    let list = format!("char a[] = {{[1ull << 40] = 1}};\n{}", main_with("return a[7];"));
    check_c("designated.c", list, &[], limit);
    let heap = format!("void *malloc(unsigned long);\n{}", main_with("return !malloc(1ul << 40);"));
    check_c("heap.c", heap, &[], limit);
    refused_c("overflow.c", "char a[1ull << 62][1ull << 62];\n", "exceeds maximum object size");
    refused_c("negative.c", "char a[-1];\n", "size of array `a` is negative");
    refused_c("itself-inside.c", "struct s { struct s inner; } x;\n", "incomplete type");
    let function =
        |n| format!("int f(long n) {{ int a[n]; return sizeof a > 1; }}\n{}", main_with(n));
    check_c("vla.c", function("return f(-1);"), &[], (1, "the length of the array is -1"));
    check_c("large-vla.c", function("return f(1l << 45);"), &[], limit);
}

#[test]
fn c_that_does_not_end() {
    let endless = "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n";
    check_c("recursion.c", endless, &[], (2, "stopped: the limit of 250000 nested calls"));
    let steps = ["--max-steps", "100000"];
    check_c("loop.c", main_with("for (;;);"), &steps, (2, "stopped: the limit of 100000 steps"));
    let print = |what: &str| format!("int printf(const char *, ...);\n{}", main_with(what));
    let wide = print("return printf(\"%2000000000d\", 1);");
    check_c("wide.c", wide, &[], (2, "stopped: the limit of"));
    let precise = print("return printf(\"%.2000000000f\", 1.0);");
    check_c("precise.c", precise, &[], (2, "stopped: the limit of"));
    let assembly = main_with("int x = 1; __asm__(\"nop\" : \"=r\"(x)); return x;");
    check_c("assembly.c", assembly, &[], (2, "not modelled: inline assembly"));
}
