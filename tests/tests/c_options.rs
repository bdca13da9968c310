//! The options about C programs: each does what the help says, seen through the binary.

use loupe_tests::process::{Finished, Loupe};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that only the test `name` uses, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("c-options").join(name);
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a new folder");
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Finished {
    Loupe::new(["run"]).args(arguments).directory(folder).run()
}

/// The call puts out `output`, with this status, and says nothing else than its result.
fn check(folder: &Path, arguments: &[&str], output: &str, status: i32) -> Finished {
    let run = run(folder, arguments);
    let said = run.stderr.lines().count();
    assert!(run.stdout == output && run.status == status, "{arguments:?}: {output}\n{run}");
    assert!(said <= 1, "{arguments:?} says too much\n{run}");
    run
}

/// Standard error has these lines, in this order.
fn says(run: &Finished, lines: &[&str]) {
    let mut rest = run.stderr.as_str();
    for line in lines {
        let Some(at) = rest.find(line) else { panic!("`{line}` expected in\n{run}") };
        rest = &rest[at + line.len()..];
    }
}

#[test]
fn macros_and_folders() {
    let program = "#include <stdio.h>\n#include \"n.h\"\n#ifndef M\n#define M 0\n#endif\n\
                   int main(void) { printf(\"%d %d\\n\", N, M); return 0; }\n";
    let files = [("a.c", program), ("one/n.h", "#define N 1\n"), ("two/n.h", "#define N 2\n")];
    let folder = folder("macros", &files);
    check(&folder, &["a.c", "-Ione"], "1 0\n", 0);
    check(&folder, &["a.c", "-I", "two", "-I", "one", "-DM"], "2 1\n", 0);
    check(&folder, &["a.c", "-Inone", "-Ione", "-D", "M=7"], "1 7\n", 0);
    check(&folder, &["a.c", "-Ione", "-DM=7", "-UM"], "1 0\n", 0);
    check(&folder, &["a.c", "-Ione", "-DM=N+1"], "1 2\n", 0);
}

#[test]
fn editions_and_data_models() {
    let program = "#include <stdio.h>\n\
                   int main(void) { printf(\"%ld %d %d %d\\n\", __STDC_VERSION__ + 0L, \
                   (int)sizeof(long), (int)sizeof(void *), (int)sizeof(long long)); return 0; }\n";
    let folder = folder("sizes", &[("a.c", program)]);
    check(&folder, &["a.c"], "201112 8 8 8\n", 0);
    check(&folder, &["a.c", "--data-model", "LP64", "--std", "c17"], "201710 8 8 8\n", 0);
    check(&folder, &["a.c", "--data-model", "ilp32", "--std", "gnu99"], "199901 4 4 8\n", 0);
    let old = "#ifdef __STDC_VERSION__\n#error new\n#endif\nint main() { return 0; }\n";
    fs::write(folder.join("old.c"), old).expect("a file");
    check(&folder, &["old.c", "--std", "gnu89"], "", 0);
}

#[test]
fn several_files() {
    let files = [
        (
            "a.c",
            "int f(int); extern int g; static int s = 1;\nint main(void) { return f(g) + s; }\n",
        ),
        ("b.c", "int g = 5; static int s = 10;\nint f(int x) { return x + s; }\n"),
        ("c.c", "\nint f(int x) { return x; }\n"),
        ("d.c", "int g = 6;\n"),
    ];
    let folder = folder("several", &files);
    check(&folder, &["a.c", "b.c", "--pass-status"], "", 16);
    check(&folder, &["b.c", "a.c", "--pass-status"], "", 16);
    let twice = run(&folder, &["a.c", "b.c", "c.c"]);
    assert_eq!(twice.status, 3, "{twice}");
    says(&twice, &["error: `f` is defined twice", "c.c:2:5", "again here", "b.c:2:5", "first"]);
    let object = run(&folder, &["a.c", "b.c", "d.c"]);
    says(&object, &["error: `g` is defined twice", "d.c:1:5", "b.c:1:5"]);
}

#[test]
fn what_is_not_defined_is_assumed_about() {
    let program = "int f(int);\nextern int g;\nint main(void) { return f(3) * 10 + g; }\n";
    let folder = folder("undefined", &[("a.c", program)]);
    let run = run(&folder, &["a.c", "--input", "4 5"]);
    says(
        &run,
        &["note: `f` is not defined; it is assumed to return any value and do nothing else"],
    );
    says(&run, &["note: `g` is not defined; it is assumed to hold any value at the start"]);
    // The object comes first.
    says(&run, &["result: 54"]);
    assert!(run.stdout.is_empty() && run.status == 0, "{run}");
}

#[test]
fn control_that_goes_on_elsewhere_is_not_modelled() {
    let jump = "#include <setjmp.h>\nstatic jmp_buf b;\nint main(void) {\n    if (setjmp(b)) return 1;\n    \
                longjmp(b, 1);\n}\n";
    let thread = "#include <pthread.h>\nstatic void *f(void *p) { return p; }\nint main(void) {\n    \
                  pthread_t t;\n    return pthread_create(&t, 0, f, 0);\n}\n";
    let set = "#include <setjmp.h>\nstatic jmp_buf b;\nint main(void) { return setjmp(b); }\n";
    let dies = "_Noreturn void die(void);\nint main(void) { die(); }\n";
    let files = [("jump.c", jump), ("thread.c", thread), ("set.c", set), ("dies.c", dies)];
    let folder = folder("elsewhere", &files);
    for file in ["jump.c", "thread.c"] {
        let run = run(&folder, &[file]);
        assert_eq!(run.status, 2, "{run}");
        says(&run, &["error: not modelled: ", &format!("--> {file}:5:")]);
    }
    check(&folder, &["set.c"], "", 0);
    let run = run(&folder, &["dies.c"]);
    says(&run, &["note: `die` is not defined; it is assumed to end the program", "aborted"]);
}

#[test]
fn headers_of_the_machine() {
    if !Path::new("/usr/include/stdio.h").exists() {
        loupe_tests::tell("SKIPPED: no headers in /usr/include");
        return;
    }
    let program = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <limits.h>\n\
                   int main(void) { char *p = malloc(6); strcpy(p, \"hello\"); puts(p); \
                   printf(\"%d %zu\\n\", INT_MAX, strlen(p)); free(p); return 0; }\n";
    let folder = folder("system", &[("a.c", program)]);
    check(&folder, &["a.c", "--system-headers"], "hello\n2147483647 5\n", 0);
}

const ENTRY: &str = "#include <stdio.h>\nint limit = 10;\n\
    int f(int x, unsigned char c, long long y, int *p, int *q) {\n    \
    printf(\"%d %d %lld %d %d\\n\", x, c, y, p != 0, q != 0);\n    \
    if (p) { p[2] = x; x += p[2]; }\n    return x;\n}\n";

#[test]
fn another_entry() {
    let folder = folder("entry", &[("a.c", ENTRY)]);
    let call = |inputs| run(&folder, &["a.c", "--entry", "f", "--input", inputs]);
    let found = call("-7 200 5000000000 1 3 0");
    assert_eq!((found.stdout.as_str(), found.status), ("-7 200 5000000000 1 0\n", 0), "{found}");
    says(&found, &["note: each pointer that `f` is called with is null or points", "result: -14"]);
    assert_eq!(call("1 2 3 0 1 1").stdout, "1 2 3 0 1\n");
    let short = call("1 2 3 1 2 0");
    assert_eq!(short.status, 1, "{short}");
    says(
        &short,
        &["[invalid-access]", "a.c:5:14", "right behind the end of the object of 8 bytes"],
    );
    let wide = call("1 256 3 0 0");
    assert_eq!(wide.status, 3, "{wide}");
    says(&wide, &["input 2: 256 does not fit", "a.c:3:28", "before the program starts"]);
}

#[test]
fn assumptions() {
    let folder =
        folder("assume", &[("a.c", ENTRY), ("m.c", "int g = 3;\nint main(void) { return g; }\n")]);
    let call = |condition, inputs| {
        run(&folder, &["a.c", "--entry", "f", "--assume", condition, "--input", inputs])
    };
    assert_eq!(call("x < limit && !p", "9 0 0 0 0").stdout, "9 0 0 0 0\n");
    let excluded = call("x < limit && !p", "10 0 0 0 0");
    assert_eq!((excluded.stdout.as_str(), excluded.status), ("", 0), "{excluded}");
    says(&excluded, &["an assumption does not hold"]);
    assert_eq!(call("x == 1 // nothing else", "1 0 0 0 0").stdout, "1 0 0 0 0\n");
    let wrong = call("x <", "");
    assert_eq!(wrong.status, 3, "{wrong}");
    says(&wrong, &["expected an expression", "--> --assume:1:4", "1 | x <\n", "^"]);
    assert!(!wrong.stderr.contains("x <)"), "{wrong}");
    let unknown = call("x == zz", "");
    says(&unknown, &["`zz` undeclared", "--> --assume:1:6"]);
    assert!(!unknown.stderr.contains("__loupe"), "{unknown}");
    check(&folder, &["m.c", "--assume", "g == 3", "--pass-status"], "", 3);
}

#[test]
fn compilation_databases() {
    let files = [
        (
            "src/a.c",
            "#include \"n.h\"\nint f(void);\nint main(void) { return f() * 10 + N + M; }\n",
        ),
        ("src/b.c", "#ifndef M\n#define M 3\n#endif\nint f(void) { return M; }\n"),
        ("src/inc/n.h", "#define N 2\n"),
        (
            "compile_commands.json",
            r#"[{"directory": "src", "file": "a.c", "command": "cc -Iinc '-DM=4' -O2 -c a.c"},
                {"directory": "src", "file": "b.c", "arguments": ["cc", "-std=c99", "b.c"]}]"#,
        ),
        (
            "narrow.json",
            r#"[{"file": "size.c", "command": "cc -m32 size.c"},
                {"file": "src/b.c", "command": "cc b.c"}]"#,
        ),
        ("size.c", "int main(void) { return sizeof(long); }\n"),
    ];
    let folder = folder("database", &files);
    let database = ["--compile-commands", "compile_commands.json", "--pass-status"];
    check(&folder, &database, "", 36);
    check(&folder, &["src/b.c", "src/a.c", database[0], database[1], database[2]], "", 36);
    let inner = folder.join("src");
    let up = ["a.c", "b.c", "--compile-commands", "../compile_commands.json", "--pass-status"];
    check(&inner, &up, "", 36);
    // What is said on the command line comes on top.
    check(&folder, &["-DM=1", database[0], database[1], database[2]], "", 13);
    let narrow = ["--compile-commands", "narrow.json", "--pass-status"];
    check(&folder, &["size.c", narrow[0], narrow[1], narrow[2]], "", 4);
    let wide = ["size.c", "--data-model", "LP64", narrow[0], narrow[1], narrow[2]];
    check(&folder, &wide, "", 8);
    let mixed = run(&folder, &narrow);
    assert_eq!(mixed.status, 3, "{mixed}");
    says(&mixed, &["some files with `-m32` and some without; choose with `--data-model`"]);
}

#[test]
fn checks_on_request() {
    let program = "#include <limits.h>\nint main(int c, char **v) {\n    int x = INT_MAX, y;\n    \
                   x += c;\n    int *p = &x + 5;\n    return (x < 0) + (p == 0) + (y & 0);\n}\n";
    let folder = folder("checks", &[("a.c", program)]);
    check(&folder, &["a.c", "--pass-status"], "", 1);
    let kinds = [
        ("signed-overflow", "a.c:4:"),
        ("uninitialised-value", "a.c:6:"),
        ("pointer-arithmetic", "a.c:5:"),
    ];
    for (kind, place) in kinds {
        let run = run(&folder, &["a.c", "--check", kind]);
        assert_eq!(run.status, 1, "{run}");
        says(&run, &[&format!("[{kind}]"), place]);
    }
    says(&run(&folder, &["a.c", "--check", "all"]), &["[signed-overflow]"]);
    let two = run(&folder, &["a.c", "--check", "uninitialised-value,pointer-arithmetic"]);
    says(&two, &["[pointer-arithmetic]"]);
}

#[test]
fn volatile_objects() {
    let program = "#include <stdio.h>\nvolatile int v;\nint main(void) { v = 3; int a = v, b = v; \
                   printf(\"%d %d\\n\", a, b); return 0; }\n";
    let folder = folder("volatile", &[("a.c", program)]);
    check(&folder, &["a.c"], "3 3\n", 0);
    check(&folder, &["a.c", "--volatile", "input", "--input", "8 9"], "8 9\n", 0);
}

#[test]
fn arguments_of_the_program() {
    let program = "#include <stdio.h>\nint main(int c, char **v) { \
                   for (int i = 1; i < c; i++) printf(\"[%s]\", v[i]); return c + (v[c] != 0); }\n";
    let folder = folder("arguments", &[("a.c", program)]);
    check(&folder, &["a.c", "--pass-status"], "", 1);
    check(
        &folder,
        &["a.c", "--pass-status", "--", "x", "y z", "--input", ""],
        "[x][y z][--input][]",
        5,
    );
}

#[test]
fn standard_input_and_inputs() {
    let read = "#include <stdio.h>\nint main(void) { int c = getchar(), n = 0; char w[9] = \"\"; \
                int k = scanf(\"%d %8s\", &n, w); printf(\"%d %d %d %s\\n\", c, k, n, w); return 0; }\n";
    let nondet = "#include <stdio.h>\nint __VERIFIER_nondet_int(void);\n\
                  unsigned char __VERIFIER_nondet_uchar(void);\n_Bool __VERIFIER_nondet_bool(void);\n\
                  int main(void) { int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_uchar(); \
                  int c = __VERIFIER_nondet_bool(); printf(\"%d %d %d\\n\", a, b, c); return 0; }\n";
    let folder =
        folder("inputs", &[("read.c", read), ("nondet.c", nondet), ("in", "-5 x1\n255, 1")]);
    let typed = Loupe::new(["run", "read.c"]).directory(&folder).input("q 42 word").run();
    assert_eq!((typed.stdout.as_str(), typed.status), ("113 2 42 word\n", 0), "{typed}");
    check(&folder, &["read.c"], "-1 -1 0 \n", 0);
    check(&folder, &["nondet.c", "--input", "-5 255 1"], "-5 255 1\n", 0);
    check(&folder, &["nondet.c", "--input-file", "in"], "-5 255 1\n", 0);
    check(&folder, &["nondet.c", "--input", "7"], "7 0 0\n", 0);
    let wide = run(&folder, &["nondet.c", "--input", "1 256"]);
    assert_eq!(wide.status, 3, "{wide}");
    says(&wide, &["input 2: 256 does not fit", "nondet.c:5:", "called by `main`"]);
}

#[test]
fn how_programs_end() {
    let files = [
        ("exit.c", "#include <stdlib.h>\nint main(void) { exit(3); }\n"),
        ("abort.c", "#include <stdlib.h>\nint main(void) { abort(); }\n"),
        ("large.c", "int main(void) { return 300; }\n"),
        ("negative.c", "int main(void) { return -1; }\n"),
        ("nothing.c", "int main(void) { }\n"),
        ("fails.c", "#include <assert.h>\nint main(void) { assert(0); }\n"),
    ];
    let folder = folder("ends", &files);
    for (file, own) in [("exit.c", 3), ("large.c", 44), ("negative.c", 255), ("nothing.c", 0)] {
        check(&folder, &[file], "", 0);
        check(&folder, &[file, "--pass-status"], "", own);
    }
    says(&check(&folder, &["exit.c"], "", 0), &["exit: 3"]);
    says(&check(&folder, &["large.c"], "", 0), &["result: 300"]);
    says(&check(&folder, &["abort.c"], "", 0), &["aborted"]);
    check(&folder, &["abort.c", "--pass-status"], "", 134);
    assert_eq!(run(&folder, &["fails.c", "--pass-status"]).status, 1);
}

#[test]
fn warnings_are_no_output() {
    let program = "int main(void) { return f(); }\nint f(void) { return 4; }\n";
    let folder = folder("warnings", &[("a.c", program)]);
    for command in ["run", "cfg", "ast"] {
        let run = Loupe::new([command, "a.c"]).directory(&folder).run();
        assert_eq!(run.status, 0, "{run}");
        says(&run, &["warning: implicit declaration of function `f`", "--> a.c:1:25"]);
        assert!(!run.stdout.contains("warning"), "{run}");
    }
}

#[test]
fn json() {
    let program = "#include <stdio.h>\n#include <string.h>\nint main(void) {\n    char b[4];\n    \
                   printf(\"a \\\"%s\\\"\\n\", \"\\xc3\\xa9\");\n    strcpy(b, \"hello\");\n    return 0;\n}\n";
    let folder = folder("json", &[("a.c", program), ("ok.c", "int main(void) { return 7; }\n")]);
    let json = |file| -> serde_json::Value {
        let run = run(&folder, &[file, "--format", "json"]);
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"))
    };
    let failed = json("a.c");
    assert_eq!(failed["end"], "error");
    assert_eq!(failed["output"], "a \"é\"\n", "{failed:#}");
    let place = serde_json::json!({"file": "a.c", "line": 6, "column": 5});
    assert_eq!(failed["error"]["at"], place, "{failed:#}");
    assert_eq!(failed["error"]["kind"], "invalid-access");
    assert_eq!(failed["error"]["detail"], "of 6 bytes only 4 are in `b` (4 bytes)");
    let stack = failed["stack"].as_array().expect("a list");
    assert_eq!(stack.last().map(|call| &call["function"]), Some(&"main".into()), "{failed:#}");
    let ended = json("ok.c");
    let keys: Vec<&String> = ended.as_object().expect("an object").keys().collect();
    let expected =
        ["end", "result", "error", "stack", "steps", "inputs_read", "uninitialised_read", "output"];
    let same = keys.len() == expected.len() && expected.iter().all(|key| ended.get(key).is_some());
    assert!(same, "{keys:?}");
    assert_eq!((&ended["end"], &ended["result"]), (&"returned".into(), &7.into()));
}

#[test]
fn graphs_show_what_the_user_wrote() {
    let program = "#include <stdio.h>\nint main(int c, char **v) {\n    int n = 2;\n    \
                   while (n > 0)\n        n--;\n    puts(\"x\");\n    return n;\n}\n";
    let folder = folder("graphs", &[("a.c", program)]);
    let cfg = |more: &[&str]| {
        let run = Loupe::new(["cfg", "a.c"]).args(more.iter().copied()).directory(&folder).run();
        assert_eq!(run.status, 0, "{run}");
        run.stdout
    };
    let expected = "main(c, v) at a.c:2:\nb0: entry\n  3  int n = 2;\n     -> b1\n\
                    b1: loop 0, depth 1, line 4\n  4  n > 0 ?\n     true -> b2; false -> b3\n\
                    b2:\n  5  n--;\n     -> b1 (back)\nb3:\n  6  puts(\"x\");\n  7  return n;\n";
    assert_eq!(cfg(&[]), expected);
    assert_eq!(cfg(&["--format", "dot"]).matches("subgraph").count(), 1);
    let json: serde_json::Value = serde_json::from_str(&cfg(&["--format", "json"])).expect("JSON");
    assert_eq!(json["functions"].as_array().map(Vec::len), Some(1));
    // What can be read back is complete.
    let graph = cfg(&["--norm"]);
    assert!(graph.contains("fn @puts"), "{graph}");
    fs::write(folder.join("a.lir"), graph).expect("a file");
    let run = run(&folder, &["a.lir"]);
    assert!(run.status == 0 && run.stderr.contains("exit: 0"), "{run}");
}

#[test]
fn trees() {
    let folder = folder(
        "trees",
        &[("a.c", "int x = 3;\nint main(void) { return x; }\n"), ("b.c", "int y;\n")],
    );
    let tree = |arguments: &[&str]| -> serde_json::Value {
        let run = Loupe::new(["ast"]).args(arguments.iter().copied()).directory(&folder).run();
        assert_eq!(run.status, 0, "{run}");
        serde_json::from_str(&run.stdout).expect("JSON")
    };
    let one = tree(&["a.c"]);
    assert_eq!((&one["kind"], &one["name"]), (&"unit".into(), &"a.c".into()));
    assert_eq!(one["declarations"][1]["name"], "main");
    assert_eq!(tree(&["a.c", "b.c"]).as_array().map(Vec::len), Some(2));
    let text = Loupe::new(["ast", "a.c", "--format", "text"]).directory(&folder).run();
    assert_eq!(text.status, 3, "{text}");
}
