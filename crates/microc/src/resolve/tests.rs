use super::{
    Binding, FunctionIndex, LocalIndex, Resolution, check_literals, check_value_arrays, resolve,
};
use crate::ast::{ExprKind, MAX_NESTING, Program};
use crate::parser::parse;
use crate::testing::render;
use expect_test::{Expect, expect};
use loupe_ir::source::FileId;

fn parsed(source: &str) -> Program {
    parse(FileId(0), source).unwrap_or_else(|errors| panic!("{}", render(&errors)))
}

fn resolved(source: &str) -> (Program, Resolution) {
    let program = parsed(source);
    let resolution = resolve(&program).unwrap_or_else(|errors| panic!("{}", render(&errors)));
    (program, resolution)
}

/// The errors of `source`.
fn check(source: &str, expect: Expect) {
    let errors = resolve(&parsed(source)).err().unwrap_or_default();
    expect.assert_eq(&render(&errors));
}

#[test]
fn names_get_their_meanings() {
    let (program, resolution) =
        resolved("f(a, b) { var c; c = &b; return f; } main() { var f; return f; }");
    let names: Vec<Binding> = (0..program.exprs.len() as u32)
        .map(crate::ast::ExprId)
        .filter(|id| {
            matches!(program.exprs.get(*id).kind, ExprKind::Name(_) | ExprKind::AddressOf(_))
        })
        .map(|id| resolution.binding(id))
        .collect();
    let local = |index| Binding::Local(LocalIndex(index));
    let function = Binding::Function(FunctionIndex(0));
    assert_eq!(names, [local(2), local(1), function, local(0)]);
    assert_eq!(resolution.main(), FunctionIndex(1));
    assert_eq!(resolution.function("f"), Some(FunctionIndex(0)));
    assert_eq!(resolution.function("g"), None);
    let locals = resolution.locals(FunctionIndex(0)).iter().map(|ident| ident.name.as_str());
    assert_eq!(locals.collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn main_is_needed() {
    check(
        "",
        expect![[r#"
        the program has no function `main` | execution starts there: add `main() { return 0; }`
    "#]],
    );
    check(
        "f() { return x; }",
        expect![[r#"
        1:14 `x` is not declared
        the program has no function `main` | execution starts there: add `main() { return 0; }`
    "#]],
    );
}

#[test]
fn undeclared_names() {
    check(
        "main() { var counter, y; countre = Counter; x = &yy; y = NULL + true; return mian(); }",
        expect![[r#"
            1:26 `countre` is not declared | did you mean `counter`?
            1:36 `Counter` is not declared | did you mean `counter`?
            1:45 `x` is not declared
            1:49 `yy` is not declared
            1:58 `NULL` is not declared | the null pointer is `null`
            1:65 `true` is not declared | truth values are numbers: 1 and 0
            1:78 `mian` is not declared | did you mean `main`?
        "#]],
    );
}

#[test]
fn names_are_declared_once() {
    check(
        "main(a, b, a) { var c, b; var c; return 0; } main() { return 0; }",
        expect![[r#"
            1:12 `a` is already declared
                1:6 as a parameter here
            1:24 `b` is already declared
                1:9 as a parameter here
            1:31 `c` is already declared
                1:21 as a variable here
            1:46 `main` is already declared
                1:1 as a function here
        "#]],
    );
}

#[test]
fn direct_calls_have_the_right_number_of_arguments() {
    check(
        "f(a) { return a; } g(a, b) { return f(); }
         main(x) { x = f(1, 2); x = (g)(1); x = f(1)(2, 3); x = x(1, 2, 3); return main(1); }",
        expect![[r#"
            1:38 `f` takes 1 argument, 0 given
                1:1 `f` is declared here
            2:25 `f` takes 1 argument, 2 given
                1:1 `f` is declared here
            2:40 `g` takes 2 arguments, 1 given
                1:20 `g` is declared here
        "#]],
    );
}

#[test]
fn assignments_need_a_place() {
    check(
        "f() { return 0; }
         main() { var x, p, a; x = 1; *p = 1; *f() = 2; a[1] = 2; f()[0] = 1; x.f.g = 1; (*p).f = 1;
         a[1].f = 2; [1][0] = 2; return 0; }",
        expect![[""]],
    );
    check(
        "f() { return 0; }
         main() { var x; 1 = 2; f() = 1; f().g = 1; (x + 1).f.g = 2; !x = 1; &x = 1; null = 1;
         input.f = 1; {f: 1}.f = 2; [1] = 2; alloc 1 = 2; return 0; }",
        expect![[r#"
            2:26 cannot assign to a number | the left side is a variable, `*pointer`, `array[index]` or a field of these
            2:33 cannot assign to the result of a call | the left side is a variable, `*pointer`, `array[index]` or a field of these
            2:42 cannot assign to a field of the result of a call | the left side is a variable, `*pointer`, `array[index]` or a field of these
            2:54 cannot assign to a field of the result of an operation | the left side is a variable, `*pointer`, `array[index]` or a field of these
            2:70 cannot assign to the result of an operation | the left side is a variable, `*pointer`, `array[index]` or a field of these
            2:78 cannot assign to an address | the left side is a variable, `*pointer`, `array[index]` or a field of these
            2:86 cannot assign to `null` | the left side is a variable, `*pointer`, `array[index]` or a field of these
            3:10 cannot assign to a field of `input` | the left side is a variable, `*pointer`, `array[index]` or a field of these
            3:23 cannot assign to a field of a record literal | the left side is a variable, `*pointer`, `array[index]` or a field of these
            3:37 cannot assign to an array literal | the left side is a variable, `*pointer`, `array[index]` or a field of these
            3:46 cannot assign to an allocation | the left side is a variable, `*pointer`, `array[index]` or a field of these
        "#]],
    );
}

#[test]
fn functions_are_no_variables() {
    check(
        "f() { return 0; } main() { var x; f = 1; f.g = 2; x = &f; *f = 3; return 0; }",
        expect![[r#"
        1:35 cannot assign to a function
            1:1 `f` is declared here
        1:42 cannot assign to a field of a function
            1:1 `f` is declared here
        1:55 cannot take the address of a function | a function is a value: write `f`
            1:1 `f` is declared here
    "#]],
    );
}

#[test]
fn the_number_of_errors_is_bounded() {
    let source = format!("main() {{ {} return 0; }}", "x = 1; ".repeat(30));
    let errors = resolve(&parsed(&source)).unwrap_err();
    assert_eq!(errors.len(), 21);
    assert_eq!(errors[20].message, "too many errors: only the first 20 are shown");
}

#[test]
fn literals_of_a_width() {
    let source =
        "main() { output 2147483647; output -2147483648; output 2147483648; return -2147483649; }";
    let errors = check_literals(&parsed(source), 32).unwrap_err();
    expect![[r#"
        1:56 `2147483648` does not fit in 32 bits | the numbers go from -2147483648 to 2147483647
        1:75 `-2147483649` does not fit in 32 bits | the numbers go from -2147483648 to 2147483647
    "#]]
    .assert_eq(&render(&errors));
    assert!(check_literals(&parsed(source), 64).is_ok());
}

#[test]
fn similar_names() {
    let similar = |name, known: &[&'static str]| super::most_similar(name, known.iter().copied());
    assert_eq!(similar("lenght", &["length", "len"]), Some("length"));
    assert_eq!(similar("X", &["x", "y"]), Some("x"));
    assert_eq!(similar("i", &["j"]), None);
    assert_eq!(similar("node", &["mode", "nodes"]), Some("mode"));
    assert_eq!(similar("abc", &["xyz"]), None);
}

#[test]
fn a_left_side_goes_only_so_deep() {
    let program =
        |depth: usize| format!("main() {{ var x; x{} = 1; return 0; }}", ".f".repeat(depth));
    let tree = |depth| parsed(&program(depth));
    assert!(resolve(&tree(MAX_NESTING)).is_ok());
    let errors = resolve(&tree(100_000)).expect_err("it is too deep");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "the left side goes 100000 fields and elements deep");
}

#[test]
fn parts_of_values_that_nobody_holds_are_no_places() {
    let check = |place: &str| {
        let text = format!("main() {{ var x; {place} = 1; return 0; }}");
        let tree = parsed(&text);
        check_value_arrays(&tree).is_ok()
    };
    for place in ["x", "*x", "x[0]", "x.f[0].g", "(*x)[0]", "(**x.f)[1]"] {
        assert!(check(place), "{place}");
    }
    for place in ["main()[0]", "[1][0]", "main()[0].f", "(x + x)[0]"] {
        assert!(!check(place), "{place}");
    }
}
