//! Graphs that microc has no statements for, and sizes that nobody writes by hand.

use super::{lower, parse};
use crate::graph::{Detail, dot, json, text};
use expect_test::{Expect, expect};
use loupe_ir::program::Program;
use loupe_ir::source::Sources;
use std::fmt::Write as _;

/// A program in the flowgraph language, with the text of its source.
fn with_source(source: &str, graph: &str) -> Program {
    let mut program = parse(graph);
    program.sources = Sources::new();
    program.sources.add("test.c", source);
    program
}

fn check(program: &Program, expected: Expect) {
    expected.assert_eq(&text(program, Detail::Statements));
}

/// Each block shows the part of the statement that it evaluates.
#[test]
fn a_statement_over_several_blocks() {
    let program = with_source(
        "x = a && f(b); return;",
        "
entry @main
fn @main() @1:1-1:23 {
  let x%0: bool @1:1-1:2
  let a%1: bool @1:5-1:6
  let b%2: bool @1:12-1:13
  stmt #0 @1:1-1:15
  stmt #1 @1:16-1:23
b0:
  a%1 = undefined bool @1:5-1:6 #0
  branch a%1, b1, b2 @1:5-1:6 #0
b1:
  b%2 = undefined bool @1:12-1:13 #0
  x%0 = b%2 @1:10-1:14 #0
  goto b3 @1:10-1:14 #0
b2:
  x%0 = false @1:1-1:14 #0
  goto b3 @1:5-1:14 #0
b3:
  return @1:16-1:23 #1
}
",
    );
    check(
        &program,
        expect![[r#"
            main() at test.c:1:
            b0: entry
              1  a ?
                 true -> b1; false -> b2
            b1:
              1  f(b)
                 -> b3
            b2:
              1  x = a && f(b);
                 -> b3
            b3:
              1  return;
        "#]],
    );
}

/// Loops without a condition keep their header, although it only leads on.
#[test]
fn empty_loops() {
    let program = parse(
        "
entry @main
fn @main() @1:1-1:9 {
  stmt #0 @1:1-1:9
b0:
  goto b1 @1:1-1:9 #0
b1:
  goto b2 @1:1-1:9 #0
b2:
  goto b1 @1:1-1:9 #0
}
",
    );
    check(
        &program,
        expect![[r#"
        main() at line 1:
        b1: entry; loop 0, depth 1, line 1
             -> b1 (back)
    "#]],
    );
}

const IRREDUCIBLE: &str = "
entry @main
fn @main() @1:1-1:9 {
  let c%0: bool @1:1-1:9
  stmt #0 @1:1-1:9
b0:
  c%0 = undefined bool @1:1-1:9 #0
  branch c%0, b1, b2 @1:1-1:9 #0
b1:
  goto b2 @1:1-1:9 #0
b2:
  branch c%0, b1, b3 @1:1-1:9 #0
b3:
  return @1:1-1:9 #0
}
";

#[test]
fn irreducible_regions() {
    check(
        &parse(IRREDUCIBLE),
        expect![[r#"
            main() at line 1:
            irreducible region of b2, b1, entered at b2, b1
            b0: entry
              1  c%0 = undefined bool
              1  c%0 ?
                 true -> b1; false -> b2
            b2:
              1  c%0 ?
                 true -> b1; false -> b3
            b1:
                 -> b2 (back)
            b3:
              1  return
        "#]],
    );
    let value = json(&parse(IRREDUCIBLE), Detail::Statements);
    let expected = expect![[r#"[{"entries":[2,1],"blocks":[2,1],"within":null}]"#]];
    expected.assert_eq(&value["functions"][0]["irreducible"].to_string());
}

/// Quotes, backslashes and what Graphviz takes for entities are shown as they are.
#[test]
fn labels_are_escaped() {
    let program = with_source(
        "s = \"a\\n\" + &lt;\u{7}\t  {x|y}",
        "
entry @\"a\\\"b\"
fn @\"a\\\"b\"() @1:1-1:26 {
  let x%0: bool @1:1-1:2
  stmt #0 @1:1-1:26
  stmt #1 @2:5-2:6
b0:
  x%0 = undefined bool @1:5-1:6 #0
  goto b1 @1:5-1:6 #0
b1:
  return @2:5-2:6 #1
}
",
    );
    expect![[r#"
        digraph flowgraph {
          node [shape=box, fontname="monospace", fontsize=10];
          edge [fontname="monospace", fontsize=9, arrowsize=0.7];
          subgraph cluster_f0 {
            label="a\"b()";
            labeljust=l;
            color=gray;
            fontname="monospace";
            f0_entry [shape=circle, style=filled, fillcolor=black, label="", width=0.15];
            f0_entry -> f0_b0;
            f0_b0 [label="b0\l1  s = \"a\\n\" + &amp;lt;� {x|y}\l"];
            f0_b1 [label="b1\l2  return\l"];
            f0_b0 -> f0_b1;
          }
        }
    "#]]
    .assert_eq(&dot(&program, Detail::Statements));
}

/// What is normalised can be read back, comments and all.
#[test]
fn normalised_text_is_the_program() {
    let source =
        "f(p) { while (*p) { while (input) { output 1; } } return 0; } main() { return f(null); }";
    let program = lower(source);
    let printed = text(&program, Detail::Normalised);
    assert!(printed.contains("b4: // loop 1, depth 2, line 1, in loop 0\n"), "{printed}");
    let again = loupe_ir::text::parse(&printed).expect("it can be read back");
    assert_eq!(loupe_ir::text::print(&again), loupe_ir::text::print(&program));
}

/// The cost of a statement does not depend on the size of the program: this would take minutes
/// otherwise. All statements stand on one line, which has characters of several bytes.
#[test]
fn long_functions() {
    let count = 100_000;
    let mut source = String::from("é");
    let mut graph =
        format!("entry @main\nfn @main() @1:1-1:{} {{\n  let x%0: int @1:2-1:3\n", 8 * count);
    let mut body = String::new();
    for i in 0..count {
        source.push_str("x = 1;  ");
        let span = format!("@1:{}-1:{}", 2 + 8 * i, 8 + 8 * i);
        let _ = writeln!(graph, "  stmt #{i} {span}");
        let _ = writeln!(body, "b{i}:\n  x%0 = 1 {span} #{i}");
        let end = if i + 1 < count { format!("goto b{}", i + 1) } else { "return".to_owned() };
        let _ = writeln!(body, "  {end} {span} #{i}");
    }
    let program = with_source(&source, &format!("{graph}{body}}}\n"));
    assert_eq!(text(&program, Detail::Statements).matches("  1  x = 1;\n").count(), count);
    for detail in [Detail::Statements, Detail::Normalised] {
        assert!(dot(&program, detail).ends_with("}\n"));
        assert!(json(&program, detail).is_object());
    }
}
