//! States that stop because they are like others: the errors are the same with them and without, in whatever order and manner the program is explored.

use loupe_gen::{Parameters, Termination, generate};
use loupe_ir::program::Program;
use loupe_symbolic::explore::{
    Exploration, Limits, LoopMode, Options, Stop, Subsume, Templates, explore,
};
use loupe_symbolic::search::{Strategy, strategy};

/// How many programs are compared, unless `LOUPE_SUBSUME` says otherwise.
const PROGRAMS: u64 = 12;

/// In which manners loops are dealt with.
const MANNERS: [(LoopMode, Templates); 5] = [
    (LoopMode::Unroll, Templates::InTurns),
    (LoopMode::Unroll, Templates::InTurns),
    (LoopMode::Auto, Templates::InTurns),
    (LoopMode::Summary, Templates::InTurns),
    (LoopMode::Compact, Templates::AtRandom),
];

fn explored(
    program: &Program,
    (kind, seed): (Strategy, u64),
    jobs: usize,
    options: &Options,
) -> Exploration {
    let search = || strategy(kind, program, seed, &[]);
    explore(program, options, &search, jobs, &|_, _| None).expect("an exploration")
}

fn count() -> u64 {
    std::env::var("LOUPE_SUBSUME").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS)
}

/// Whether all that was not explored was like what was.
fn is_complete(found: &Exploration) -> bool {
    found.stop == Stop::Complete && found.cut_off == 0
}

/// Explores a program with and without, and compares the errors.
fn compare(text: &str, program: &Program, seed: u64, limits: Limits) -> (bool, u64) {
    let kind = Strategy::ALL[seed as usize % Strategy::ALL.len()];
    let (loops, templates) = MANNERS[(seed / 7) as usize % MANNERS.len()];
    // The same without: what approximations leave open is the same then.
    let plain = Options { limits, loops, templates, ..Options::default() };
    let plain = explored(program, (Strategy::Bfs, seed), 1, &plain);
    let errors: Vec<_> = plain.violations.keys().copied().collect();
    let unsure: Vec<_> = plain.unsure.keys().cloned().collect();
    let jobs = if seed % 5 == 3 { 3 } else { 1 };
    let depth = 1 + seed % 3;
    let subsume = Some(Subsume { depth, ..Subsume::default() });
    let options = Options { limits, loops, templates, subsume, ..Options::default() };
    let found = explored(program, (kind, seed), jobs, &options);
    let own: Vec<_> = found.violations.keys().copied().collect();
    let at = format!("{text}\n{kind}, {loops:?}, {jobs} threads, depth {depth}");
    if is_complete(&plain) && is_complete(&found) {
        assert_eq!(errors, own, "{at}");
        if loops == LoopMode::Unroll {
            let unsure_too: Vec<_> = found.unsure.keys().cloned().collect();
            assert_eq!(unsure, unsure_too, "{at}");
        }
    } else if is_complete(&found) && found.unsure.is_empty() {
        // It has proved more; then it has found all that the other has.
        assert!(errors.iter().all(|error| own.contains(error)), "{at}: {errors:?} {own:?}");
    }
    if !found.is_violated() && found.unsure.is_empty() && is_complete(&found) {
        assert!(errors.is_empty(), "{at}: {errors:?}");
    }
    (is_complete(&found), found.subsumption.subsumed)
}

#[test]
fn errors_are_the_same_with_subsumption() {
    let (mut complete, mut subsumed) = (0, 0);
    for seed in 0..count() {
        let parameters = Parameters { seed, max_inputs: 2, ..Parameters::default() };
        let text = generate(&parameters).expect("parameters that make sense");
        let limits =
            Limits { depth: Some(30), paths: Some(400), iterations: Some(40), steps: None };
        let (is_complete, stopped) = compare(&text, &super::microc(&text), seed, limits);
        complete += u64::from(is_complete);
        subsumed += u64::from(stopped > 0);
    }
    println!("{complete} complete, {subsumed} with states that stopped");
    assert!(complete > count() / 2 && subsumed > count() / 10);
}

#[test]
fn errors_of_endless_programs_are_found_with_subsumption() {
    let (mut complete, mut subsumed) = (0, 0);
    for seed in 0..count() {
        let mut parameters = Parameters {
            seed,
            max_inputs: 3,
            termination: Termination::Perhaps,
            ..Parameters::default()
        };
        parameters.input_range = None;
        parameters.max_statements = 12;
        let text = generate(&parameters).expect("parameters that make sense");
        let limits =
            Limits { depth: Some(20), paths: Some(300), iterations: Some(8), steps: Some(20_000) };
        let (is_complete, stopped) = compare(&text, &super::microc(&text), seed, limits);
        complete += u64::from(is_complete);
        subsumed += u64::from(stopped > 0);
    }
    println!("{complete} complete, {subsumed} with states that stopped");
    assert!(subsumed > count() / 10);
}

/// The annotations of a program, by line.
fn annotations(text: &str) -> (Exploration, Vec<(u32, String)>) {
    let options = Options { subsume: Some(Subsume::default()), ..Options::default() };
    let program = super::microc(text);
    let found = explored(&program, (Strategy::Dfs, 0), 1, &options);
    let annotations = found.subsumption.annotations.iter();
    let annotations = annotations.map(|known| (known.span.start.line, known.text.clone()));
    let annotations = annotations.collect();
    (found, annotations)
}

fn has(annotations: &[(u32, String)], line: u32, text: &str) {
    let is_there = annotations.iter().any(|known| *known == (line, text.to_owned()));
    assert!(is_there, "{line}: {text} is not among {annotations:#?}");
}

/// Listing 4.2 of the thesis.
#[test]
fn a_path_stops_where_another_was() {
    let (found, known) = annotations(
        "main() {\n  var x, y;\n  x = 0;\n  if (input) {\n\n  }\n  else {\n    y = input;\n    if (y < 0) {\n\n      y = 0 - y;\n    }\n    x = x + y;\n  }\n  if (x >= 0) {\n\n  }\n  else {\n    x = 1 / 0;\n  }\n  return 0;\n}\n",
    );
    assert!(found.is_safe());
    has(&known, 15, "x >= 0");
    has(&known, 21, "true");
    assert!(found.subsumption.subsumed >= 2);
}

/// Listing 4.3: the condition that the text gives for the whole loop.
#[test]
fn a_loop_keeps_its_annotation() {
    let (found, known) = annotations(
        "main() {\n  var x, y, i, n;\n  x = input;\n  i = input;\n  n = input;\n  y = x;\n  while (i < n) {\n    x = x + 1;\n    i = i + 1;\n  }\n  if (x < y) {\n    x = 1 / 0;\n  }\n  return 0;\n}\n",
    );
    assert!(found.is_safe());
    has(&known, 7, "y <= x");
}

/// Listing 4.5, and one loop more.
#[test]
fn nested_loops_keep_their_annotations() {
    let two = "main() {\n  var x, y, i, j, n;\n  x = input;\n  i = input;\n  j = input;\n  n = input;\n  y = x;\n  while (i < n) {\n    i = i + 1;\n    while (j < n) {\n      x = x + 1;\n      j = j + 1;\n    }\n  }\n  if (x < y) {\n    x = 1 / 0;\n  }\n  return 0;\n}\n";
    let (found, known) = annotations(two);
    assert!(found.is_safe());
    has(&known, 8, "y <= x");
    has(&known, 10, "y <= x");
    let three =
        two.replace("x = x + 1;\n      j", "k = input; while (k < n) { x = x + 1; k = k + 1; } j");
    let three = three.replace("var x,", "var k, x,");
    let (found, _) = annotations(&three);
    assert!(found.is_safe());
}

/// Listing 5.5, where only line 14 fails.
#[test]
fn only_what_is_reached_is_reported() {
    let (found, _) = annotations(
        "\nmain() {\n  var a,b,c,i,n;\n  n = input;\n  a = input;\n  b = 0;\n  c = [1, 2, 3];\n  i = 0;\n  if (a != 0) {\n    a = 1;\n  }\n\n  while (i < n) {\n    b = b / a;\n    if (i == -1) {\n      b = c[3];\n    }\n    i = i + 1;\n  }\n  return b;\n}\n",
    );
    let lines: Vec<u32> = found.violations.keys().map(|(span, _)| span.start.line).collect();
    assert_eq!(lines, [14]);
    assert_eq!(found.stop, Stop::Complete);
}

/// Listings 5.6 and 5.7: a statement that may fail keeps what is known behind it.
#[test]
fn checks_keep_annotations() {
    let (found, known) = annotations(
        "main() {\n  var x, y, i;\n  x = input;\n  i = input;\n  y = x;\n  if (i == 0) {\n    i = 1;\n  }\n  i = 1 / i;\n  if (x < y) {\n    x = 1 / 0;\n  }\n  return 0;\n}\n",
    );
    assert!(found.is_safe());
    has(&known, 9, "i != 0 && (i == 0 || y <= x)");
    has(&known, 13, "true");
    assert!(found.subsumption.subsumed > 0);
}
