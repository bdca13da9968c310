use super::parse;
use crate::ast::{ExprKind, MAX_NESTING, Program};
use crate::testing::render;
use expect_test::{Expect, expect};
use loupe_ir::source::FileId;

/// The errors of `source`.
fn check(source: &str, expect: Expect) {
    let errors = parse(FileId(0), source).err().unwrap_or_default();
    expect.assert_eq(&render(&errors));
}

/// The errors of a function with this body.
fn check_body(body: &str, expect: Expect) {
    check(&format!("main() {{\n{body}\nreturn 0;\n}}"), expect);
}

fn parsed(source: &str) -> Program {
    parse(FileId(0), source).unwrap_or_else(|errors| panic!("{}", render(&errors)))
}

/// The expressions of `source` with their spans and anchors, in the order of the arena.
fn check_spans(expr: &str, expect: Expect) {
    let program = parsed(&format!("main() {{ return {expr}; }}"));
    let mut out = String::new();
    for node in program.exprs.iter() {
        let kind = format!("{:?}", node.kind);
        let kind = kind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let columns = |span: loupe_ir::source::Span| {
            // As if the expression started the line.
            format!("{}-{}", span.start.column - 16, span.end.column - 16)
        };
        out += &format!(
            "{} {kind} anchor {} first {}\n",
            columns(node.span),
            columns(node.anchor),
            node.first.0
        );
    }
    expect.assert_eq(&out);
}

#[test]
fn nothing_is_a_program_without_functions() {
    assert!(parsed("").functions.is_empty());
    assert!(parsed(" // nothing\n/* at all */").functions.is_empty());
}

#[test]
fn spans_and_anchors() {
    check_spans(
        "(a + b) * c",
        expect![[r#"
        2-3 Name anchor 2-3 first 0
        6-7 Name anchor 6-7 first 1
        2-7 Binary anchor 4-5 first 0
        11-12 Name anchor 11-12 first 3
        1-12 Binary anchor 9-10 first 0
    "#]],
    );
    check_spans(
        "(*(*n).c).c",
        expect![[r#"
        5-6 Name anchor 5-6 first 0
        4-6 Deref anchor 4-6 first 0
        3-9 Field anchor 7-9 first 0
        2-9 Deref anchor 2-9 first 0
        1-12 Field anchor 10-12 first 0
    "#]],
    );
    check_spans(
        "a[1](2, 3).f",
        expect![[r#"
        1-2 Name anchor 1-2 first 0
        3-4 Number anchor 3-4 first 1
        1-5 Index anchor 2-5 first 0
        6-7 Number anchor 6-7 first 3
        9-10 Number anchor 9-10 first 4
        1-11 Call anchor 5-11 first 0
        1-13 Field anchor 11-13 first 0
    "#]],
    );
    check_spans(
        "[1, {f: &x, g: !y}]",
        expect![[r#"
        2-3 Number anchor 2-3 first 0
        9-11 AddressOf anchor 9-11 first 1
        17-18 Name anchor 17-18 first 2
        16-18 Not anchor 16-18 first 2
        5-19 Record anchor 5-19 first 1
        1-20 Array anchor 1-20 first 0
    "#]],
    );
    check_spans(
        "1 - -5",
        expect![[r#"
        1-2 Number anchor 1-2 first 0
        5-7 Number anchor 5-7 first 1
        1-7 Binary anchor 3-4 first 0
    "#]],
    );
    check_spans(
        "1 * alloc 2 + 3",
        expect![[r#"
        1-2 Number anchor 1-2 first 0
        11-12 Number anchor 11-12 first 1
        15-16 Number anchor 15-16 first 2
        11-16 Binary anchor 13-14 first 1
        5-16 Alloc anchor 5-16 first 1
        1-16 Binary anchor 3-4 first 0
    "#]],
    );
}

#[test]
fn spans_of_statements() {
    let program = parsed("f(a) {\n var x;\n if (a) x = 1;\n else { }\n return x;\n}");
    let function = &program.functions[0];
    assert_eq!(function.span.to_string(), "1:1-6:2");
    assert_eq!(function.vars[0].span.to_string(), "2:2-2:8");
    assert_eq!(function.body[0].span.to_string(), "3:2-4:10");
    assert_eq!(function.return_span.to_string(), "5:2-5:11");
}

#[test]
fn not_binds_tighter_than_operators() {
    let program = parsed("main() { return !a == b; }");
    let result = &program.exprs.get(program.functions[0].result).kind;
    assert!(matches!(result, ExprKind::Binary { .. }), "{result:?}");
}

#[test]
fn a_brace_starts_a_block_unless_a_field_follows() {
    check_body("{} {output 1;} {f: 1}.f = 2;", expect![]);
}

#[test]
fn missing_semicolon() {
    check_body(
        "x = 1\ny = 2;",
        expect![[r#"
        2:6 expected `;`, found `y`
    "#]],
    );
    check_body(
        "x = 1 y = 2;\nz = 3 output 4;",
        expect![[r#"
            2:6 expected `;`, found `y`
            3:6 expected `;`, found `output`
        "#]],
    );
    check(
        "main() { return 1 }",
        expect![[r#"
        1:18 expected `;`, found `}`
    "#]],
    );
    check_body(
        "var x",
        expect![[r#"
        2:6 expected `;`, found `return`
    "#]],
    );
}

#[test]
fn calls_and_expressions_are_no_statements() {
    check_body(
        "f(x, 1);",
        expect![[r#"
        2:1 a call is not a statement | a call's result must be assigned: `t = f(x, 1);`
    "#]],
    );
    check_body(
        "x == 1; x; x + 1; a.f(\n2);",
        expect![[r#"
        2:1 a comparison is not a statement | assign with `=`
        2:9 an expression is not a statement | assign its value: `t = …;`, or write it: `output …;`
        2:12 an expression is not a statement | assign its value: `t = …;`, or write it: `output …;`
        2:19 a call is not a statement | a call's result must be assigned: `t = …;`
    "#]],
    );
}

#[test]
fn operators_of_c() {
    check_body(
        "x++; --y; i += 1; a[0] -= 2; x--; ++z;",
        expect![[r#"
            2:2 microc has no `++` | write `x = x + 1;`
            2:6 microc has no `--` | write `y = y - 1;`
            2:13 microc has no `+=` | write `i = i + …;`
            2:24 microc has no `-=` | write `x = x - …;`
            2:31 microc has no `--` | write `x = x - 1;`
            2:35 microc has no `++` | write `z = z + 1;`
        "#]],
    );
    check_body(
        "x = y % 2 + z % 3;",
        expect![[r#"
        2:7 microc has no `%` | the remainder of `a` by `b` is `a - a / b * b`
        2:15 microc has no `%` | the remainder of `a` by `b` is `a - a / b * b`
    "#]],
    );
    check_body(
        "x = -y; x = -(1); x = --5; x = 3 - -y; x = a | b; x = a & b; x = c ? 1 : 2;",
        expect![[r#"
        2:5 `-` is only a sign of number literals | write `0 - y`
        2:13 `-` is only a sign of number literals | write `0 - x`
        2:23 `-` is only a sign of number literals | write `0 - x`
        2:36 `-` is only a sign of number literals | write `0 - y`
        2:46 unknown character `|` | the logical or is `||`
        2:57 expected `;`, found `&` | `&` stands before a variable; the logical and is `&&`
        2:68 unknown character `?` | microc has no conditional expression: use `if`
    "#]],
    );
}

#[test]
fn declarations_of_c() {
    check(
        "int main(int a, b) { int x; int y = 5; return x; }",
        expect![[r#"
        1:1 expected a function, found `int` | microc has no types: a function starts with its name
        1:14 expected `,` or `)`, found `a` | microc has no types: write the names of the parameters only
        1:22 `int` starts no statement | microc has no types: declare `var x;` at the start of the function
        1:29 `int` starts no statement | microc has no types: declare `var y;` at the start of the function
    "#]],
    );
    check_body(
        "var x = 5, y;",
        expect![[r#"
        2:7 expected `,` or `;`, found `=` | declarations take no value: assign it in a statement of its own
    "#]],
    );
    check(
        "var x; main() { return 0; }",
        expect![[r#"
        1:1 expected a function, found `var` | variables are declared at the start of a function
    "#]],
    );
    check(
        "#include <stdio.h>\nmain() { return 0; }",
        expect![[r#"
        1:1 unknown character `#` | microc has no preprocessor
    "#]],
    );
}

#[test]
fn control_flow_of_c() {
    check_body(
        "for (i = 0; i < n; i++) { x = ; }\nbreak; continue; ;",
        expect![[r#"
        2:1 microc has no `for` | use `while`
        2:31 expected an expression, found `;`
        3:1 microc has no `break` | keep in a variable whether to go on, and test it in the guard
        3:8 microc has no `continue` | keep in a variable whether to go on, and test it in the guard
        3:18 expected a statement, found `;` | a statement that does nothing is `{}`
    "#]],
    );
    check_body(
        "if (x = 1) y = 2; while (x == 1 = 2) {}",
        expect![[r#"
        2:7 `=` is not a comparison | compare with `==`
        2:33 `=` is not a comparison | compare with `==`
    "#]],
    );
    check_body(
        "if x > 1 { y = ; } while () {} else {}",
        expect![[r#"
        2:4 expected `(`, found `x`
        2:16 expected an expression, found `;`
        2:27 expected an expression, found `)`
        2:32 expected a statement, found `else` | `else` follows the statement of its `if`
    "#]],
    );
    check_body(
        "if (f(x y)) { y = 1; } while ((x) { y = 2; }",
        expect![[r#"
        2:9 expected `,` or `)`, found `y`
        2:35 expected `)`, found `{`
    "#]],
    );
    check_body(
        "if (x) else y = 1;",
        expect![[r#"
        2:8 expected a statement, found `else` | `else` follows the statement of its `if`
    "#]],
    );
    check_body(
        "a = b = c;",
        expect![[r#"
        2:7 expected `;`, found `=` | `=` only stands in assignments; compare with `==`
    "#]],
    );
}

#[test]
fn return_comes_last() {
    check_body(
        "if (1) return 2; { return 3; } return 4; x = 1;",
        expect![[r#"
        2:8 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
        2:20 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
        2:32 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
    "#]],
    );
    check(
        "main() { return; }",
        expect![[r#"
        1:16 expected an expression, found `;` | every function returns a value, for example `return 0;`
    "#]],
    );
    check(
        "main() { output 1; }",
        expect![[r#"
        1:20 function `main` does not end with `return` | expected `return` before this | every function returns a value, for example `return 0;`
    "#]],
    );
    check(
        "f() { if (1) { return 2; } else { return 3; } }",
        expect![[r#"
        1:16 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
        1:35 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
    "#]],
    );
}

#[test]
fn declarations_come_first() {
    check_body(
        "var x; x = 1; var y; { var z; }",
        expect![[r#"
        2:15 declarations come first | this `var` follows a statement | move it to the start of the function
        2:24 declarations come first | this `var` follows a statement | move it to the start of the function
    "#]],
    );
}

#[test]
fn braces() {
    check(
        "main() {\n if (1) {\n return 0;\n}\n",
        expect![[r#"
        3:2 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
        5:1 expected `}`, found the end of the file
            1:8 to close this `{`
    "#]],
    );
    check(
        "f() {\n while (1) {\n x = 1;\n return x;\n}\nmain() {\n return 0;\n}",
        expect![[r#"
        4:2 `return` is only allowed as the last statement of a function | keep the result in a variable and return that at the end
        6:1 expected `}`, found `main`
            1:5 to close this `{`
    "#]],
    );
    check(
        "main() { return 0; }\n}\nf() { return 0; }",
        expect![[r#"
        2:1 expected a function, found `}`
    "#]],
    );
    check(
        "main() { x = {a: 1 b: {c: 2}}; y = ; z = {a: 1; return 0; }",
        expect![[r#"
        1:20 expected `,` or `}`, found `b`
        1:36 expected an expression, found `;`
        1:47 expected `,` or `}`, found `;`
    "#]],
    );
}

#[test]
fn expressions() {
    check_body(
        "x = ; x = 1 +; x = (1; x = [1, ]; x = f(1 2); x = a[1; y = );",
        expect![[r#"
        2:5 expected an expression, found `;`
        2:14 expected an expression, found `;`
        2:22 expected `)`, found `;`
        2:32 expected an expression, found `]`
        2:43 expected `,` or `)`, found `2`
        2:54 expected `]`, found `;`
        2:60 expected an expression, found `)`
    "#]],
    );
    check_body(
        "x = {a 1}; x = {1: 2}; x = {a: 1, a: 2, b: 3, a: 4};",
        expect![[r#"
            2:8 expected `:`, found `1`
            2:17 expected a field name, found `1`
            2:35 field `a` is given twice
                2:29 first given here
            2:47 field `a` is given twice
                2:29 first given here
        "#]],
    );
    check_body(
        "x = &1; x = &y.f; x = &&y; x = a.1; x = 1.5;",
        expect![[r#"
        2:6 expected a variable name, found `1`
        2:15 `.` cannot follow `&y` | `&` takes the address of a variable, not of a part of it
        2:23 expected an expression, found `&&` | microc has no address of an address: use a variable for the inner one
        2:34 expected a field name, found `1` | microc has only whole numbers
        2:43 expected a field name, found `5` | microc has only whole numbers
    "#]],
    );
    check_body(
        "x = (1 +\n 2;",
        expect![[r#"
        3:3 expected `)`, found `;`
            2:5 opened here
    "#]],
    );
}

#[test]
fn headers() {
    check(
        "main { return 0; }\n f() { return ; }",
        expect![[r#"
        1:6 expected `(`, found `{`
        2:15 expected an expression, found `;` | every function returns a value, for example `return 0;`
    "#]],
    );
    check(
        "main( { return ; }",
        expect![[r#"
        1:7 expected a parameter name, found `{`
        1:16 expected an expression, found `;` | every function returns a value, for example `return 0;`
    "#]],
    );
    check(
        "main(a b) { return 0; }",
        expect![[r#"
        1:8 expected `,` or `)`, found `b` | microc has no types: write the names of the parameters only
    "#]],
    );
    check(
        "main() return 0;\nf() { return ; }",
        expect![[r#"
        1:8 expected `{`, found `return`
        2:14 expected an expression, found `;` | every function returns a value, for example `return 0;`
    "#]],
    );
    check(
        "42\nwhile (1) {}\nmain() { return 0; }",
        expect![[r#"
        1:1 expected a function, found `42`
    "#]],
    );
}

#[test]
fn what_the_lexer_reported_is_not_said_again() {
    check_body(
        "x = @; y = 1 $ 2; # z = 5 @\n w = \"a\"; v = 0x1 + 1;",
        expect![[r#"
        2:5 unknown character `@`
        2:14 unknown character `$`
        2:19 unknown character `#` | microc has no preprocessor
        2:27 unknown character `@`
        3:6 microc has no strings or characters | use numbers: the codes of the characters
        3:15 `0x1` is not a number | numbers are decimal digits; names start with a letter or `_`
    "#]],
    );
}

#[test]
fn the_number_of_errors_is_bounded() {
    check(
        &"x ".repeat(3),
        expect![[r#"
        1:1 expected a function, found `x` | microc has no types: a function starts with its name
        1:5 expected `(`, found `x`
    "#]],
    );
    let errors = parse(FileId(0), &format!("main() {{ {} }}", "x = ;".repeat(100))).unwrap_err();
    assert_eq!(errors.len(), 21);
    expect![[r#"
        1:114 too many errors: only the first 20 are shown
    "#]]
    .assert_eq(&render(&errors[20..]));
}

#[test]
fn nesting_is_bounded_by_one_error() {
    for (open, close) in [
        ("(", ")"),
        ("!", ""),
        ("*", ""),
        ("alloc ", ""),
        ("[", "]"),
        ("{f: ", "}"),
        ("f(", ")"),
        ("a[", "]"),
    ] {
        let source = |depth: usize| {
            format!("main() {{ return {}x{}; }}", open.repeat(depth), close.repeat(depth))
        };
        parsed(&source(MAX_NESTING));
        let errors = parse(FileId(0), &source(MAX_NESTING + 1)).unwrap_err();
        assert_eq!(errors.len(), 1, "{open}");
        assert_eq!(errors[0].message, "nesting is deeper than 1000 levels");
    }
    for open in ["{", "if (1) ", "while (1) ", "if (1) {} else "] {
        let source = |depth: usize| {
            let close = if open == "{" { "}".repeat(depth) } else { "x = 1;".to_owned() };
            format!("main() {{ {}{close} return 0; }}", open.repeat(depth))
        };
        parsed(&source(MAX_NESTING));
        let errors = parse(FileId(0), &source(MAX_NESTING + 1)).unwrap_err();
        assert_eq!(errors.len(), 1, "{open}");
        assert_eq!(errors[0].message, "nesting is deeper than 1000 levels");
    }
}
