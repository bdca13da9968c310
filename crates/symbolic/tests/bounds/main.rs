//! Bounds of loops, as users read them, against the counters of the interpreter.
//!
//! A program reads the values of its variables as inputs, in the order in which they are listed, and then comes to its loop. So the
//! text of the bound can be evaluated for the very values with which the loop was entered.

mod outlines;
mod text;

use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{Interpreter, Options as RunOptions, RunLength};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::{FileId, Sources};
use loupe_microc::{Dialect, lower, parse, resolve};
use loupe_symbolic::summary::survey::{Options, Questions, Study, Survey};
use std::collections::BTreeMap;

fn program(text: &str) -> Program {
    let tree = parse(FileId(0), text).expect("a program");
    let resolution = resolve(&tree).expect("names");
    let mut sources = Sources::new();
    sources.add("test.uc", text);
    lower(&tree, &resolution, sources, Dialect::default())
}

fn study(program: &Program, number: usize) -> Study {
    let mut survey = Survey::new(program, Options::default()).expect("a survey");
    let found = survey.loops();
    survey.study(&found[number], &Questions::default()).expect("a study")
}

/// How the counted iterations compare with the bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quality {
    /// They are the bound.
    Exact,
    /// They are at most the bound.
    AtMost,
}

/// The first loop of the program has this bound, and runs so often for all values in a small range.
fn check(variables: &[&str], body: &str, expected: &str, quality: Quality) {
    let names = variables.join(", ");
    let inputs: String = variables.iter().map(|name| format!("{name} = input; ")).collect();
    let text = format!("main() {{ var {names};\n {inputs}\n {body}\n return 0; }}");
    let program = program(&text);
    let study = study(&program, 0);
    let bound = study.bound().map(|limit| limit.text);
    assert_eq!(bound.as_deref(), Some(expected), "{text}\n{:?}", study.outcome);
    let mut entries = vec![vec![]];
    for _ in variables {
        let longer = |e: &Vec<i64>| (-3..=5).map(|v| [&e[..], &[v]].concat()).collect::<Vec<_>>();
        entries = entries.iter().flat_map(longer).collect();
    }
    let mut reached = 0;
    for entry in entries {
        let input: RunLength = entry.iter().map(|value| Integer::from(*value)).collect();
        let options =
            RunOptions { input: Box::new(input), max_steps: Some(20_000), ..RunOptions::default() };
        let mut profile = Profile::new(&program);
        let run = Interpreter::new(&program, options).run(&mut Vec::new(), &mut profile);
        profile.finish(&run);
        let (_, counted) = profile.loops(program.entry).next().expect("a loop");
        let Some(completed) = counted.completed else { continue };
        let values: BTreeMap<&str, i64> = variables.iter().copied().zip(entry.clone()).collect();
        let limit = text::value(expected, &values);
        let most = completed.most as i64;
        let fits = if quality == Quality::Exact { most == limit } else { most <= limit };
        assert!(fits, "{entry:?}: {most} iterations, the bound is {limit}\n{text}");
        reached += usize::from(most == limit);
    }
    assert!(reached > 0, "no execution reaches the bound");
}

#[test]
fn counted_loops() {
    use Quality::Exact;
    check(&["i", "n"], "while (i < n) i = i + 1;", "max(0, n - i)", Exact);
    check(&["i", "n"], "while (i < n) i = i + 2;", "max(0, ⌈(n - i)/2⌉)", Exact);
    check(&["i"], "while (i > 0) i = i - 3;", "max(0, ⌈i/3⌉)", Exact);
    check(&["i", "n"], "while (i <= n) { output i; i = i + 1; }", "max(0, n - i + 1)", Exact);
    check(&["i"], "while (i < 10) i = i + 3;", "max(0, ⌈(10 - i)/3⌉)", Exact);
}

#[test]
fn two_conditions() {
    let body = "while ((i < n) && (i < m)) i = i + 1;";
    check(&["i", "n", "m"], body, "max(0, min(m - i, n - i))", Quality::Exact);
}

#[test]
fn interleaved_paths() {
    let body = "while (x < n) { if (z > x) { x = x + 1; } else { z = z + 1; } }";
    check(&["n", "x", "z"], body, "max(0, n - x, 2*n - x - z)", Quality::AtMost);
}

#[test]
fn endless_entries_are_said() {
    let program = program(
        "main() { var i, n;\n i = input; n = input;\n while (i != n) i = i + 1;\n return 0; }",
    );
    let study = study(&program, 0);
    let known = study.outcome.expect("it is solved");
    assert!(!known.endless.is_empty(), "{known:?}");
}
