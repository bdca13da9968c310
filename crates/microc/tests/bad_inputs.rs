//! Inputs that nobody writes by hand: nothing crashes, and everything ends soon.

use loupe_ir::source::FileId;
use loupe_microc::{parse, print, print_expr, resolve, to_json};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const MANY: usize = 100_000;

/// Parses `source`, which must have exactly these many errors, and have them soon.
fn rejects(source: &str, count: usize) -> Vec<loupe_ir::diagnostic::Diagnostic> {
    let start = Instant::now();
    let errors = parse(FileId(0), source).expect_err("no program");
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(10), "took {elapsed:?}");
    assert_eq!(errors.len(), count, "{:#?}", &errors[..errors.len().min(3)]);
    errors
}

#[test]
fn deep_nesting_is_one_error() {
    for open in ["(", "!", "*", "- ", "[", "{f: ", "f(", "a[", "alloc ", "1 + ("] {
        let expected = if open == "- " { 2 } else { 1 };
        rejects(&format!("main() {{ return {}", open.repeat(MANY)), expected);
    }
    for open in ["{", "if (1) ", "while (1) ", "if (1) {} else ", "{ while (1) { if (1) "] {
        rejects(&format!("main() {{ {}", open.repeat(MANY)), 1);
    }
}

#[test]
fn garbage_is_read_once() {
    let size = 10_000_000;
    rejects(&"@".repeat(size), 1);
    rejects(&"ž".repeat(size / 2), 1);
    rejects(&"\"".repeat(size), 21);
    rejects(&"@ ".repeat(size / 2), 21);
    rejects(&"a".repeat(size), 1);
    rejects(&"7".repeat(size), 1);
    rejects(&"/* ".repeat(size / 3), 1);
    rejects(&"}".repeat(size), 1);
    rejects(&";".repeat(size), 1);
    rejects(&"f(".repeat(size / 2), 1);
    rejects(&format!("f({}", "a,".repeat(size / 2)), 1);
    rejects(&format!("f() {{ x = {}", "{a:".repeat(size / 3)), 1);
    rejects(&format!("f() {{ {}", "else ".repeat(size / 5)), 21);
}

#[test]
fn a_long_literal_is_one_error() {
    let source = format!("main() {{ return {}; }}", "7".repeat(10_000));
    let errors = rejects(&source, 1);
    let expected = "number literal has 10000 digits; at most 1000 are supported";
    assert_eq!(errors[0].message, expected);
}

#[test]
fn long_programs_are_programs() {
    let sum = format!("main() {{ return {}1; }}", "1 + ".repeat(MANY));
    let statements = format!("main() {{ var x; {} return x; }}", "x = x + 1;".repeat(MANY));
    let block = format!("main() {{ var x; {{ {} }} return x; }}", "x = 1;".repeat(MANY));
    let postfix = format!("main() {{ var x; return x{}; }}", "(1)[2].f".repeat(MANY));
    let array = format!("main() {{ return [{}0]; }}", "0, ".repeat(MANY));
    let fields: String = (0..MANY).map(|i| format!("f{i}: 0, ")).collect();
    let record = format!("main() {{ return {{{fields}last: 0}}; }}");
    let functions: String = (0..MANY).map(|i| format!("f{i}() {{ return 0; }}\n")).collect();
    let functions = format!("{functions} main() {{ return 0; }}");
    for source in [sum, statements, block, postfix, array, record, functions] {
        let program = parse(FileId(0), &source).expect("a program");
        assert!(resolve(&program).is_ok());
        let printed = print(&program);
        let again = parse(FileId(0), &printed).expect("the same program");
        assert_eq!(print(&again), printed);
        assert!(!print_expr(&program.exprs, program.functions[0].result).is_empty());
        assert!(to_json(&program, None).len() > source.len());
    }
}

/// A sum nests as deep as it is long, and every level of it is a line with its indentation.
#[test]
fn indentation_is_not_quadratic() {
    let source = format!("main() {{ return {}1; }}", "1 + ".repeat(MANY));
    let program = parse(FileId(0), &source).expect("a program");
    assert!(to_json(&program, Some(2)).len() < 300 * source.len());
}

#[test]
fn many_undeclared_names_are_quick() {
    let vars: String = (0..MANY).map(|i| format!("var variable{i};")).collect();
    let uses: String = (0..MANY).map(|i| format!("varaible{i} = {};", "a".repeat(30))).collect();
    let program =
        parse(FileId(0), &format!("main() {{ {vars} {uses} return 0; }}")).expect("it parses");
    assert_eq!(resolve(&program).expect_err("undeclared").len(), 21);
}

/// Texts made of pieces of programs.
fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "main",
        "f",
        "x",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        ":",
        ".",
        "=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "&&",
        "||",
        "&",
        "!",
        "var",
        "return",
        "output",
        "while",
        "if",
        "else",
        "input",
        "alloc",
        "null",
        "0",
        "42",
        "\n",
        "for",
        "int",
        "@",
        "\"",
        "/*",
        "*/",
        "//",
        "ž",
        "main() {",
        "if (x) {",
        "} else {",
        "x = ",
        "return 0;\n}\n",
        "{f: ",
        "f(x);",
    ];
    let piece = prop::sample::select(pieces.to_vec());
    let glue = prop::sample::select(vec!["", " "]);
    prop::collection::vec((piece, glue), 0..60)
        .prop_map(|parts| parts.into_iter().flat_map(|(piece, glue)| [piece, glue]).collect())
}

/// Whatever it is: it is a program or has errors, which lie inside of it.
fn survives(text: &str) {
    match parse(FileId(0), text) {
        Ok(program) => {
            let _ = resolve(&program);
            let printed = print(&program);
            assert_eq!(print(&parse(FileId(0), &printed).expect("a program")), printed);
            to_json(&program, Some(1));
        }
        Err(errors) => {
            assert!(!errors.is_empty() && errors.len() <= 21);
            let lines = text.matches('\n').count() as u32 + 1;
            for error in errors {
                let span = error.span.expect("errors of a parser have a place");
                assert!(span.start <= span.end && span.end.line <= lines, "{error:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn tokens(text in soup()) {
        survives(&text);
        survives(&format!("main() {{ {text} return 0; }}"));
        survives(&format!("main() {{ return {text}; }}"));
    }
}
