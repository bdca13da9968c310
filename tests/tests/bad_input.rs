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
    check(&["run", program, program], "unexpected argument");
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
