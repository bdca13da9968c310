//! What users see.

use super::{lower, parse};
use crate::graph::{Detail, dot, json, text};
use expect_test::{Expect, ExpectFile, expect, expect_file};
use loupe_ir::program::Program;

fn check_text(program: &Program, detail: Detail, expected: Expect) {
    expected.assert_eq(&text(program, detail));
}

fn check_dot(program: &Program, detail: Detail, expected: Expect) {
    expected.assert_eq(&dot(program, detail));
}

fn check_json(program: &Program, detail: Detail, expected: ExpectFile) {
    let printed = serde_json::to_string_pretty(&json(program, detail)).expect("JSON");
    expected.assert_eq(&(printed + "\n"));
}

/// Listing 3.1 of the thesis.
const BRANCH: &str = "\
main() {
  var y,z;
  z = input;
  y = 1;
  if (z == 0) {
    y = 2;
  }
  else {
    y = 3 / z;
  }
  return y;
}
";

const NESTED: &str = "\
sum(n, m) {
  var i, j, s;
  s = 0; i = 0;
  while (i < n) {
    j = 0;
    while (j < m) {
      if (i == j) {
        s = s + 1;
      }
      j = j + 1;
    }
    i = i + 1;
  }
  return s;
}
main() {
  var a, f;
  a = [1, 2, 3];
  f = sum;
  while (input) {
    a[input]
      = f(a[0],
          a[1]);
    output a[2];
  }
  return sum(1, 2);
}
";

#[test]
fn text_of_a_branch() {
    check_text(
        &lower(BRANCH),
        Detail::Statements,
        expect![[r#"
            main() at test.uc:1:
            b0: entry
               2  var y,z;
               3  z = input;
               4  y = 1;
               5  z == 0 ?
                  true -> b1; false -> b2
            b1:
               6  y = 2;
                  -> b3
            b2:
               9  y = 3 / z;
                  -> b3
            b3:
              11  return y;
        "#]],
    );
}

#[test]
fn dot_of_a_branch() {
    check_dot(
        &lower(BRANCH),
        Detail::Statements,
        expect![[r#"
            digraph flowgraph {
              node [shape=box, fontname="monospace", fontsize=10];
              edge [fontname="monospace", fontsize=9, arrowsize=0.7];
              subgraph cluster_f0 {
                label="main()";
                labeljust=l;
                color=gray;
                fontname="monospace";
                f0_entry [shape=circle, style=filled, fillcolor=black, label="", width=0.15];
                f0_entry -> f0_b0;
                f0_b0 [label="b0\l 2  var y,z;\l 3  z = input;\l 4  y = 1;\l 5  z == 0 ?\l"];
                f0_b1 [label="b1\l 6  y = 2;\l"];
                f0_b2 [label="b2\l 9  y = 3 / z;\l"];
                f0_b3 [label="b3\l11  return y;\l"];
                f0_b0 -> f0_b1 [label="true"];
                f0_b0 -> f0_b2 [label="false"];
                f0_b1 -> f0_b3;
                f0_b2 -> f0_b3;
              }
            }
        "#]],
    );
}

#[test]
fn json_of_a_branch() {
    check_json(&lower(BRANCH), Detail::Statements, expect_file!["snapshots/branch.json"]);
}

#[test]
fn normalised_text_of_a_branch() {
    check_text(
        &lower(BRANCH),
        Detail::Normalised,
        expect![[r#"
        source 0 "test.uc"
        entry @main

        fn @main() -> int @1:1-12:2 {
          let y%0: int @2:7-2:8
          let z%1: int @2:9-2:10
          let %2: bool @5:7-5:13
          stmt #0 @2:3-2:11
          stmt #1 @3:3-3:13
          stmt #2 @4:3-4:9
          stmt #3 @5:7-5:13
          stmt #4 @6:5-6:11
          stmt #5 @9:5-9:15
          stmt #6 @11:3-11:12
        b0:
          z%1 = input int @3:7-3:12 #1
          y%0 = 1 @4:3-4:9 #2
          %2 = eq z%1, 0 @5:7-5:13 #3
          branch %2, b1, b2 @5:7-5:13 #3
        b1:
          y%0 = 2 @6:5-6:11 #4
          goto b3 @5:15-7:4 #4
        b2:
          check division-by-zero nonzero z%1 @9:11-9:12 #5
          y%0 = div 3, z%1 @9:9-9:14 #5
          goto b3 @8:8-10:4 #5
        b3:
          return y%0 @11:3-11:12 #6
        }
    "#]],
    );
}

#[test]
fn normalised_dot_of_a_branch() {
    check_dot(
        &lower(BRANCH),
        Detail::Normalised,
        expect![[r#"
        digraph flowgraph {
          node [shape=box, fontname="monospace", fontsize=10];
          edge [fontname="monospace", fontsize=9, arrowsize=0.7];
          subgraph cluster_f0 {
            label="main()";
            labeljust=l;
            color=gray;
            fontname="monospace";
            f0_entry [shape=circle, style=filled, fillcolor=black, label="", width=0.15];
            f0_entry -> f0_b0;
            f0_b0 [label="b0\lz%1 = input int\ly%0 = 1\l%2 = eq z%1, 0\lbranch %2, b1, b2\l"];
            f0_b1 [label="b1\ly%0 = 2\lgoto b3\l"];
            f0_b2 [label="b2\lcheck division-by-zero nonzero z%1\ly%0 = div 3, z%1\lgoto b3\l"];
            f0_b3 [label="b3\lreturn y%0\l"];
            f0_b0 -> f0_b1 [label="true"];
            f0_b0 -> f0_b2 [label="false"];
            f0_b1 -> f0_b3;
            f0_b2 -> f0_b3;
          }
        }
    "#]],
    );
}

#[test]
fn text_of_nested_loops() {
    check_text(
        &lower(NESTED),
        Detail::Statements,
        expect![[r#"
            sum(n, m) at test.uc:1:
            b0: entry
               2  var i, j, s;
               3  s = 0;
               3  i = 0;
                  -> b1
            b1: loop 0, depth 1, line 4
               4  i < n ?
                  true -> b2; false -> b3
            b2:
               5  j = 0;
                  -> b4
            b4: loop 1, depth 2, line 6, in loop 0
               6  j < m ?
                  true -> b5; false -> b6
            b5:
               7  i == j ?
                  true -> b7; false -> b8
            b7:
               8  s = s + 1;
                  -> b8
            b8:
              10  j = j + 1;
                  -> b4 (back)
            b6:
              12  i = i + 1;
                  -> b1 (back)
            b3:
              14  return s;

            main() at test.uc:16:
            b0: entry
              17  var a, f;
              18  a = [1, 2, 3];
              19  f = sum;
                  -> b1
            b1: loop 0, depth 1, line 20
              20  input ?
                  true -> b2; false -> b3
            b2:
              21  a[input] = f(a[0], a[1]);
              24  output a[2];
                  -> b1 (back)
            b3:
              26  return sum(1, 2);
        "#]],
    );
}

#[test]
fn dot_of_nested_loops() {
    check_dot(
        &lower(NESTED),
        Detail::Statements,
        expect![[r##"
            digraph flowgraph {
              node [shape=box, fontname="monospace", fontsize=10];
              edge [fontname="monospace", fontsize=9, arrowsize=0.7];
              subgraph cluster_f0 {
                label="sum(n, m)";
                labeljust=l;
                color=gray;
                fontname="monospace";
                f0_entry [shape=circle, style=filled, fillcolor=black, label="", width=0.15];
                f0_entry -> f0_b0;
                f0_b0 [label="b0\l 2  var i, j, s;\l 3  s = 0;\l 3  i = 0;\l"];
                f0_b1 [label="b1: loop 0, depth 1, line 4\l 4  i < n ?\l", style=filled, fillcolor="#dde8f8"];
                f0_b2 [label="b2\l 5  j = 0;\l"];
                f0_b4 [label="b4: loop 1, depth 2, line 6, in loop 0\l 6  j < m ?\l", style=filled, fillcolor="#dde8f8"];
                f0_b5 [label="b5\l 7  i == j ?\l"];
                f0_b7 [label="b7\l 8  s = s + 1;\l"];
                f0_b8 [label="b8\l10  j = j + 1;\l"];
                f0_b6 [label="b6\l12  i = i + 1;\l"];
                f0_b3 [label="b3\l14  return s;\l"];
                f0_b0 -> f0_b1;
                f0_b1 -> f0_b2 [label="true"];
                f0_b1 -> f0_b3 [label="false"];
                f0_b2 -> f0_b4;
                f0_b4 -> f0_b5 [label="true"];
                f0_b4 -> f0_b6 [label="false"];
                f0_b5 -> f0_b7 [label="true"];
                f0_b5 -> f0_b8 [label="false"];
                f0_b7 -> f0_b8;
                f0_b8 -> f0_b4 [style=dashed];
                f0_b6 -> f0_b1 [style=dashed];
              }
              subgraph cluster_f1 {
                label="main()";
                labeljust=l;
                color=gray;
                fontname="monospace";
                f1_entry [shape=circle, style=filled, fillcolor=black, label="", width=0.15];
                f1_entry -> f1_b0;
                f1_b0 [label="b0\l17  var a, f;\l18  a = [1, 2, 3];\l19  f = sum;\l"];
                f1_b1 [label="b1: loop 0, depth 1, line 20\l20  input ?\l", style=filled, fillcolor="#dde8f8"];
                f1_b2 [label="b2\l21  a[input] = f(a[0], a[1]);\l24  output a[2];\l"];
                f1_b3 [label="b3\l26  return sum(1, 2);\l"];
                f1_b0 -> f1_b1;
                f1_b1 -> f1_b2 [label="true"];
                f1_b1 -> f1_b3 [label="false"];
                f1_b2 -> f1_b1 [style=dashed];
              }
            }
        "##]],
    );
}

#[test]
fn json_of_loops() {
    let program = lower(NESTED);
    let value = json(&program, Detail::Statements);
    let expected = expect![[
        r#"[{"id":0,"header":1,"line":4,"depth":1,"parent":null,"blocks":[1,2,4,5,7,8,6],"latches":[6],"exits":[{"from":1,"to":3}]},{"id":1,"header":4,"line":6,"depth":2,"parent":0,"blocks":[4,5,7,8],"latches":[8],"exits":[{"from":4,"to":6}]}]"#
    ]];
    expected.assert_eq(&serde_json::to_string(&value["functions"][0]["loops"]).expect("JSON"));
}

#[test]
fn normalised_json_of_a_check() {
    let program = lower("main() { return 1 / input; }");
    check_json(&program, Detail::Normalised, expect_file!["snapshots/check.json"]);
}

/// Declarations with and without an object, an empty branch, a loop at the start of a function.
#[test]
fn text_of_what_has_no_instructions() {
    let source = "\
main() {
  var a;
  var b;
  var c;
  b = &b;
  if (*b) { } else { c = 1; }
  return g();
}
g() {
  while (input) { if (input) { } }
  return 0;
}
";
    check_text(
        &lower(source),
        Detail::Statements,
        expect![[r#"
            main() at test.uc:1:
            b0: entry
              2  var a;
              3  var b;
              4  var c;
              5  b = &b;
              6  *b ?
                 true -> b3; false -> b2
            b2:
              6  c = 1;
                 -> b3
            b3:
              7  return g();

            g() at test.uc:9:
            b1: entry; loop 0, depth 1, line 10
              10  input ?
                  true -> b2; false -> b3
            b2:
              10  input ?
                  true, false -> b1 (back)
            b3:
              11  return 0;
        "#]],
    );
}

#[test]
fn text_of_a_long_statement() {
    let sum = vec!["n"; 40].join("\n  + ");
    let source = format!("main() {{ var n; n = 1; n = {sum}; return n; }}");
    check_text(
        &lower(&source),
        Detail::Statements,
        expect![[r#"
        main() at test.uc:1:
        b0: entry
           1  var n;
           1  n = 1;
           1  n = n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n +…
          40  return n;
    "#]],
    );
}

const WITHOUT_SOURCE: &str = "
entry @main
fn @main() -> int @1:1-9:2 {
  let n%0: int @1:5-1:6
  let %1: bool @3:5-3:10
  stmt #0 @2:1-2:10
  stmt #1 @3:1-3:10
  stmt #2 @4:1-4:10
  stmt #3 @5:1-5:10
b0:
  n%0 = input int @2:5-2:10 #0
  check division-by-zero nonzero n%0 @2:5-2:10 #0
  n%0 = div 8, n%0 @2:5-2:10 #0
  goto b1 @2:5-2:10 #0
b1:
  %1 = lt n%0, 5 @3:5-3:10 #1
  branch %1, b2, b3 @3:5-3:10 #1
b2:
  goto b4 @3:5-3:10 #1
b3:
  check assertion holds %1 @4:1-4:10 #2
  unreachable @4:1-4:10 #2
b4:
  switch n%0 [1: b1, 2: b1, 3: b2, -4: b3, 5: b1] b5 @5:1-5:10 #3
b5:
  return n%0 @5:1-5:10 #3
}
";

#[test]
fn text_without_source() {
    check_text(
        &parse(WITHOUT_SOURCE),
        Detail::Statements,
        expect![[r#"
            main() at line 1:
            b0: entry
              2  n%0 = input int
              2  n%0 = div 8, n%0
                 -> b1
            b1: loop 0, depth 1, line 3
              3  %1 = lt n%0, 5
              3  %1 ?
                 true -> b2; false -> b3
            b2: loop 1, depth 2, line 3, in loop 0
                 -> b4
            b4:
              5  n%0 ?
                 1, 2 -> b1 (back); 3 -> b2 (back); -4 -> b3; 5 -> b1 (back); default -> b5
            b5:
              5  return n%0
            b3:
              4  check assertion holds %1
                 (does not go on)
        "#]],
    );
}

#[test]
fn dot_without_source() {
    check_dot(
        &parse(WITHOUT_SOURCE),
        Detail::Statements,
        expect![[r##"
            digraph flowgraph {
              node [shape=box, fontname="monospace", fontsize=10];
              edge [fontname="monospace", fontsize=9, arrowsize=0.7];
              subgraph cluster_f0 {
                label="main()";
                labeljust=l;
                color=gray;
                fontname="monospace";
                f0_entry [shape=circle, style=filled, fillcolor=black, label="", width=0.15];
                f0_entry -> f0_b0;
                f0_b0 [label="b0\l2  n%0 = input int\l2  n%0 = div 8, n%0\l"];
                f0_b1 [label="b1: loop 0, depth 1, line 3\l3  %1 = lt n%0, 5\l3  %1 ?\l", style=filled, fillcolor="#dde8f8"];
                f0_b2 [label="b2: loop 1, depth 2, line 3, in loop 0\l", style=filled, fillcolor="#dde8f8"];
                f0_b4 [label="b4\l5  n%0 ?\l"];
                f0_b5 [label="b5\l5  return n%0\l"];
                f0_b3 [label="b3\l4  check assertion holds %1\l"];
                f0_b0 -> f0_b1;
                f0_b1 -> f0_b2 [label="true"];
                f0_b1 -> f0_b3 [label="false"];
                f0_b2 -> f0_b4;
                f0_b4 -> f0_b1 [label="1, 2", style=dashed];
                f0_b4 -> f0_b2 [label="3", style=dashed];
                f0_b4 -> f0_b3 [label="-4"];
                f0_b4 -> f0_b1 [label="5", style=dashed];
                f0_b4 -> f0_b5 [label="default"];
              }
            }
        "##]],
    );
}

/// Cases of a switch that lead to one block are one edge of a loop.
#[test]
fn json_of_loops_with_a_switch() {
    let value = json(&parse(WITHOUT_SOURCE), Detail::Statements);
    let expected = expect![[
        r#"[{"id":0,"header":1,"line":3,"depth":1,"parent":null,"blocks":[1,2,4],"latches":[4],"exits":[{"from":1,"to":3},{"from":4,"to":3},{"from":4,"to":5}]},{"id":1,"header":2,"line":3,"depth":2,"parent":0,"blocks":[2,4],"latches":[4],"exits":[{"from":4,"to":1},{"from":4,"to":3},{"from":4,"to":5}]}]"#
    ]];
    expected.assert_eq(&value["functions"][0]["loops"].to_string());
}
