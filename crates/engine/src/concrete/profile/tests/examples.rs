//! Worked examples.

use super::*;
use expect_test::{Expect, expect};
use std::fmt::Write;

fn list(blocks: &[BlockId]) -> String {
    blocks.iter().map(|block| format!("b{} ", block.0)).collect()
}

fn range(range: Option<IterationRange>) -> String {
    range.map_or("never".to_owned(), |r| format!("{} to {}", r.fewest, r.most))
}

fn render(program: &Program, profile: &Profile<'_>) -> String {
    let mut out = String::new();
    for (id, function) in program.functions() {
        for (loop_id, counted) in profile.loops(id) {
            let line = profile.forest(id).get(loop_id).line(function);
            let _ = writeln!(
                out,
                "{} line {line}: {} entries, {} iterations, completed {}, most {}, stopped {}",
                function.name,
                counted.entries,
                counted.iterations,
                range(counted.completed),
                counted.most,
                counted.stopped,
            );
            for path in &counted.paths {
                let blocks = list(&path.blocks);
                let _ = writeln!(out, "  path {blocks}x{}, most {}", path.count, path.most);
            }
            for path in &counted.exit_paths {
                let exit = path.exit.map_or("stop".to_owned(), |edge| format!("b{}", edge.to.0));
                let _ = writeln!(out, "  exit {}-> {exit} x{}", list(&path.blocks), path.count);
            }
        }
    }
    let coverage = profile.coverage();
    for (what, tally) in [("blocks", coverage.blocks), ("branches", coverage.branches)] {
        let _ = writeln!(out, "{what} {}/{}", tally.covered, tally.total);
    }
    let lines = coverage.lines.values().flatten();
    let missed: Vec<_> = lines.filter(|(_, covered)| !**covered).map(|(line, _)| *line).collect();
    let lines = coverage.file(FileId(0));
    let _ = writeln!(out, "lines {}/{} without {missed:?}", lines.covered, lines.total);
    out
}

/// Counts by definition and as expected.
fn expected(text: &str, inputs: &[i64], max_steps: u64, expect: Expect) {
    let program = compile(text);
    check(&program, inputs, max_steps);
    let (profile, _) = profiled(&program, inputs, max_steps);
    expect.assert_eq(&render(&program, &profile));
}

#[test]
fn three_nested_loops() {
    expected(
        "main() {
           var i, j, k, s;
           s = 0;
           i = 0;
           while (i < 3) {
             j = 0;
             while (j < i) {
               k = 0;
               while (k < j) {
                 s = s + 1;
                 k = k + 1;
               }
               j = j + 1;
             }
             i = i + 1;
           }
           return s;
         }",
        &[],
        10_000,
        expect![[r#"
            main line 5: 1 entries, 3 iterations, completed 3 to 3, most 3, stopped 0
              path b1 b2 b4 b6 x3, most 3
              exit b1 -> b3 x1
            main line 7: 3 entries, 3 iterations, completed 0 to 2, most 2, stopped 0
              path b4 b5 b7 b9 x3, most 2
              exit b4 -> b6 x3
            main line 9: 3 entries, 1 iterations, completed 0 to 1, most 1, stopped 0
              path b7 b8 x1, most 1
              exit b7 -> b9 x3
            blocks 10/10
            branches 6/6
            lines 12/12 without []
        "#]],
    );
}

#[test]
fn paths_alternate() {
    expected(
        "main() {
           var i, a, b;
           i = 0; a = 0; b = 0;
           while (i < 7) {
             if (a == b) {
               a = a + 1;
             } else {
               b = b + 1;
             }
             i = i + 1;
           }
           if (i > 100) {
             output i;
           }
           return a;
         }",
        &[],
        10_000,
        expect![[r#"
            main line 4: 1 entries, 7 iterations, completed 7 to 7, most 7, stopped 0
              path b1 b2 b4 b6 x4, most 4
              path b1 b2 b5 b6 x3, most 3
              exit b1 -> b3 x1
            blocks 8/9
            branches 5/6
            lines 9/10 without [13]
        "#]],
    );
}

#[test]
fn recursion_inside_a_loop() {
    expected(
        "tree(n) {
           var i, s;
           i = 0;
           s = 1;
           while (i < n) {
             if (i == 1) {
               s = s + 1;
             }
             s = s + tree(n - 1 - i);
             i = i + 1;
           }
           return s;
         }
         main() {
           return tree(4);
         }",
        &[],
        10_000,
        expect![[r#"
            tree line 5: 16 entries, 15 iterations, completed 0 to 4, most 4, stopped 0
              path b1 b2 b5 x11, most 3
              path b1 b2 b4 b5 x4, most 1
              exit b1 -> b3 x16
            blocks 7/7
            branches 4/4
            lines 9/9 without []
        "#]],
    );
}

#[test]
fn an_error_in_the_middle() {
    expected(
        "div(a, b) {
           var q;
           q = a / b;
           q = q + 1;
           return q;
         }
         main() {
           var i, s;
           s = 0;
           i = 2;
           while (i > -5) {
             s = s + 1;
             s = s + div(10, i);
             i = i - 1;
           }
           return s;
         }",
        &[],
        10_000,
        expect![[r#"
            main line 11: 1 entries, 2 iterations, completed never, most 2, stopped 1
              path b1 b2 x2, most 2
              exit b1 b2 -> stop x1
            blocks 4/5
            branches 1/2
            lines 9/10 without [16]
        "#]],
    );
}

#[test]
fn a_loop_without_end() {
    expected(
        "main() {
           var i;
           i = 0;
           while (1) {
             i = i + 1;
           }
           return i;
         }",
        &[],
        1_000,
        expect![[r#"
            main line 4: 1 entries, 249 iterations, completed never, most 249, stopped 1
              path b1 b2 x249, most 249
              exit b1 b2 -> stop x1
            blocks 3/4
            branches 1/2
            lines 3/4 without [7]
        "#]],
    );
}

#[test]
fn straight_line_code_is_covered_up_to_the_error() {
    expected(
        "main() {
           var x;
           x = 1;
           output x / 0;
           x = 2;
           output x;
           return x;
         }",
        &[],
        1_000,
        expect![[r#"
            blocks 1/1
            branches 0/0
            lines 2/5 without [5, 6, 7]
        "#]],
    );
}

/// A caller stands at the call that it made last in its block, wherever it called before.
#[test]
fn callers_are_covered_up_to_their_call() {
    expected(
        "inverse(x) {
           return 10 / x;
         }
         main() {
           var x;
           x = inverse(1);
           x = inverse(2);
           if (x) {
             x = inverse(3);
             x = inverse(0);
             x = inverse(4);
             x = 5;
           }
           return x;
         }",
        &[],
        1_000,
        expect![[r#"
            blocks 3/4
            branches 1/2
            lines 6/9 without [11, 12, 14]
        "#]],
    );
}

#[test]
fn runs_add_up() {
    let program = compile(
        "main() {
           var n;
           n = input;
           while (n > 0) {
             n = n - 1;
           }
           return n;
         }",
    );
    let mut profile = Profile::new(&program);
    for inputs in [[3], [0], [5]] {
        let run = run(&program, &inputs, 1_000, &mut profile);
        profile.finish(&run);
    }
    expect![[r#"
        main line 4: 3 entries, 8 iterations, completed 0 to 5, most 5, stopped 0
          path b1 b2 x8, most 5
          exit b1 -> b3 x3
        blocks 4/4
        branches 2/2
        lines 4/4 without []
    "#]]
    .assert_eq(&render(&program, &profile));
}
