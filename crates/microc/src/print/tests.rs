use super::{print, print_expr};
use crate::ast::{Program, StmtKind};
use crate::parser::parse;
use crate::resolve::resolve;
use crate::testing::{programs, terminating_programs, without_spans};
use expect_test::{Expect, expect};
use loupe_ir::source::FileId;
use proptest::prelude::*;

fn parsed(source: &str) -> Program {
    parse(FileId(0), source).unwrap_or_else(|errors| panic!("{source}\n{errors:#?}"))
}

/// What `source` is printed as, which must be the same program.
fn check(source: &str, expect: Expect) {
    let program = parsed(source);
    let printed = print(&program);
    expect.assert_eq(&printed);
    assert_same(&program, &parsed(&printed));
}

fn assert_same(left: &Program, right: &Program) {
    let show = |program: &Program| format!("{:#?}", without_spans(program));
    assert_eq!(show(left), show(right));
}

/// What an expression is printed as.
fn check_expr(source: &str, expected: &str) {
    let program = parsed(&format!("main() {{ return {source}; }}"));
    let printed = print_expr(&program.exprs, program.functions[0].result);
    assert_eq!(printed, expected);
    assert_same(&program, &parsed(&format!("main() {{ return {printed}; }}")));
}

#[test]
fn keeps_only_the_parentheses_that_matter() {
    check_expr("((1))", "1");
    check_expr("(a + b) + c", "a + b + c");
    check_expr("a + (b + c)", "a + (b + c)");
    check_expr("(a * b) + c", "a * b + c");
    check_expr("a * (b + c)", "a * (b + c)");
    check_expr("(a && b) || c", "a && b || c");
    check_expr("a && (b || c)", "a && (b || c)");
    check_expr("!(a == b)", "!(a == b)");
    check_expr("(!a) == b", "!a == b");
    check_expr("(*p).f", "(*p).f");
    check_expr("*(p.f)", "*p.f");
    check_expr("(&x)[0]", "(&x)[0]");
    check_expr("(f)(x)(y)", "f(x)(y)");
    check_expr("((a[0]).f)(1, (2))", "a[0].f(1, 2)");
}

#[test]
fn keeps_the_reach_of_alloc() {
    check_expr("alloc a + b", "alloc a + b");
    check_expr("(alloc a) + b", "(alloc a) + b");
    check_expr("a * alloc b + c", "a * alloc b + c");
    check_expr("(a * alloc b) + c", "(a * alloc b) + c");
    check_expr("(a * *!alloc b) + c", "(a * *!alloc b) + c");
    check_expr("a * (b + alloc c) + d", "a * (b + alloc c) + d");
    check_expr("(alloc a).f", "(alloc a).f");
    check_expr("[alloc a, {f: alloc b}]", "[alloc a, {f: alloc b}]");
}

#[test]
fn keeps_signs() {
    check_expr("a - -5", "a - -5");
    check_expr("a - 5", "a - 5");
    check_expr("- 5", "-5");
    check_expr("(-5)[0]", "-5[0]");
    check_expr("-5 - -5", "-5 - -5");
}

#[test]
fn prints_every_statement() {
    check(
        "g(a,b){return a;} main(){var x,y;var z; x=1; {} {output x;} if(x)y=1; if(x){y=1;}else y=2;
         if (x) y = 1; else if (y) { z = 3; } else {} while(x)x=x-1; while (y) {}
         ({}).f = 1; {f: 1}.g = 2; return g(x, y);}",
        expect![[r#"
            g(a, b) {
                return a;
            }

            main() {
                var x, y;
                var z;
                x = 1;
                {}
                {
                    output x;
                }
                if (x)
                    y = 1;
                if (x) {
                    y = 1;
                } else
                    y = 2;
                if (x)
                    y = 1;
                else if (y) {
                    z = 3;
                } else {}
                while (x)
                    x = x - 1;
                while (y) {}
                ({}).f = 1;
                {f: 1}.g = 2;
                return g(x, y);
            }
        "#]],
    );
}

#[test]
fn an_else_belongs_to_the_last_if() {
    check(
        "main() { if (1) if (2) output 3; else output 4; return 0; }",
        expect![[r#"
            main() {
                if (1)
                    if (2)
                        output 3;
                    else
                        output 4;
                return 0;
            }
        "#]],
    );
}

#[test]
fn a_tree_that_no_parser_makes_gets_a_block() {
    let mut program = parsed("main() { if (1) if (2) output 3; return 0; }");
    let StmtKind::If { otherwise, then, .. } = &mut program.functions[0].body[0].kind else {
        panic!("an if");
    };
    *otherwise = Some(then.clone());
    expect![[r#"
        main() {
            if (1){
                if (2)
                    output 3;
            } else if (2)
                output 3;
            return 0;
        }
    "#]]
    .assert_eq(&print(&program));
}

fn roundtrip(program: &Program) -> Result<(), TestCaseError> {
    let printed = print(program);
    let again = parse(FileId(0), &printed);
    let again = again.map_err(|errors| TestCaseError::fail(format!("{printed}\n{errors:#?}")))?;
    let show = |program: &Program| format!("{:?}", without_spans(program));
    prop_assert_eq!(show(program), show(&again), "{}", printed);
    prop_assert!(resolve(&again).is_ok(), "{printed}\n{:#?}", resolve(&again));
    Ok(())
}

proptest! {
    #[test]
    fn what_is_printed_parses_back(program in programs()) {
        roundtrip(&program)?;
    }

    #[test]
    fn typed_programs_parse_back(program in terminating_programs()) {
        roundtrip(&program)?;
    }
}
