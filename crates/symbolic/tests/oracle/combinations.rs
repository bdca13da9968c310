//! All techniques in whatever combination, against running the program on all of its inputs: the same errors, the same results and final stores.
//!
//! A generated program reads its inputs first and puts out its variables last. Here it becomes a function that returns a number in which all of these
//! are, and what calls it knows from runs which number that is for each input. So a result that is wrong on some path is an error that no run has, and an
//! error that is expected shows that the path was not lost.

use super::{Seen, SeenEnd, microc, run, vectors};
use loupe_gen::{Parameters, generate};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::{
    Draft, DraftFor, DraftUntil, Exploration, Limits, LoopMode, Merge, MergeStrategy, Options,
    Stop, Subsume, Subsuming, explore,
};
use loupe_symbolic::search::{Strategy, strategy};
use std::collections::BTreeSet;
use std::time::Duration;

/// How many programs are explored, unless `LOUPE_COMBINE` says otherwise.
const PROGRAMS: u64 = 30;
/// In how many combinations each.
const COMBINATIONS: u64 = 3;
/// How many inputs a program reads.
const INPUTS: usize = 2;

/// What is combined.
#[derive(Clone, Copy, Debug)]
struct Combination {
    loops: LoopMode,
    merge: MergeStrategy,
    credit: u64,
    subsume: Option<Subsume>,
    is_guided: bool,
    search: Strategy,
    jobs: usize,
}

impl Combination {
    /// One for each number; neighbours have little in common.
    fn nth(number: u64) -> Combination {
        let pick = |step: u64, count: usize| (number / step + number) as usize % count;
        let loops = [LoopMode::Unroll, LoopMode::Auto, LoopMode::Summary, LoopMode::Compact];
        let subsume = |depth, when| Some(Subsume { depth, when, ..Subsume::default() });
        let subsume = [
            None,
            subsume(1, Subsuming::Always),
            subsume(2, Subsuming::Always),
            subsume(1, Subsuming::Auto),
        ];
        Combination {
            loops: loops[pick(5, 4)],
            merge: MergeStrategy::ALL[pick(1, MergeStrategy::ALL.len())],
            credit: [Merge::CREDIT, 0, 2_000][pick(13, 3)],
            subsume: subsume[pick(3, 4)],
            is_guided: pick(7, 5) == 4,
            search: Strategy::ALL[pick(2, Strategy::ALL.len())],
            jobs: if pick(11, 6) == 5 { 2 } else { 1 },
        }
    }

    fn options(self) -> Options {
        let limits =
            Limits { depth: Some(30), iterations: Some(40), paths: Some(2_000), steps: None };
        let draft = Draft {
            time: Duration::from_secs(20),
            purpose: DraftFor::Guidance,
            ways: Draft::WAYS,
            until: DraftUntil::Gone,
        };
        let mut options = Options {
            limits,
            loops: self.loops,
            merge: Merge { strategy: self.merge, credit: self.credit, ..Merge::default() },
            subsume: self.subsume,
            draft: self.is_guided.then_some(draft),
            ..Options::default()
        };
        // What was merged whatever it costs may be hard: what is not known then is not compared.
        options.solver.work /= 20;
        options
    }
}

/// The program as a function of its inputs, whose result has all of its variables.
fn as_function(text: &str) -> Option<String> {
    // The first line is a comment.
    let (_, text) = text.split_once('\n')?;
    let (before, body) = text.split_once("main() {\n")?;
    let (head, rest) = body.split_once('\n')?;
    let mut lines: Vec<String> = rest.lines().map(str::to_owned).collect();
    for (number, name) in ["n0", "n1"].into_iter().enumerate() {
        let reads = format!("    {name} = input;");
        // It may read fewer.
        if let Some(line) = lines.iter_mut().find(|line| **line == reads) {
            *line = format!("    {name} = in{number};");
        }
    }
    // A program that reads more than that is another kind.
    if lines.iter().any(|line| line.contains("input")) || before.contains("input") {
        return None;
    }
    let end = lines.iter().rposition(|line| line == "    return 0;")?;
    lines[end] = "    return seen;".to_owned();
    for line in lines[..end].iter_mut().rev() {
        let inner = line.trim_start();
        match inner.strip_prefix("output ").and_then(|rest| rest.strip_suffix(';')) {
            Some(value) => *line = format!("    seen = seen * 7 + ({value});"),
            None if inner == "}" || inner.starts_with("if (p") && inner.ends_with("!= null) {") => {
            }
            None => break,
        }
    }
    let head = head.replacen("var ", "var seen, ", 1);
    Some(format!("{before}original(in0, in1) {{\n{head}\n    seen = 0;\n{}\n", lines.join("\n")))
}

/// Calls the function, and fails where its result is another one than expected.
fn checked(function: &str, expected: &[(Vec<Integer>, Integer)]) -> String {
    let wrong = expected.iter().map(|(inputs, result)| {
        format!("(a == {} && b == {} && r != {result})", inputs[0], inputs[1])
    });
    let wrong: Vec<String> = wrong.collect();
    let wrong = if wrong.is_empty() { "0".to_owned() } else { wrong.join(" + ") };
    format!(
        "{function}\nmain() {{\n    var a, b, r;\n    a = input;\n    b = input;\n    r = original(a, b);\n    if ({wrong}) {{\n        r = 1 / 0;\n    }}\n    return r;\n}}\n"
    )
}

type Errors = BTreeSet<(Span, CheckKind)>;

/// The result for each input for which there is one.
type Results = Vec<(Vec<Integer>, Integer)>;

/// What runs show: the results, and the errors; nothing if some run takes too long.
fn shown(program: &Program, vectors: &[Vec<Integer>]) -> Option<(Results, Errors)> {
    let (mut results, mut errors) = (Vec::new(), Errors::new());
    for vector in vectors {
        let Seen { end, .. } = run(program, vector);
        match end {
            SeenEnd::Returned(Some(result)) => results.push((vector.clone(), result)),
            SeenEnd::Returned(None) => {}
            SeenEnd::Failed(kind, span) => drop(errors.insert((span, kind))),
            SeenEnd::GaveUp => return None,
        }
    }
    Some((results, errors))
}

fn explored(program: &Program, combination: Combination) -> Exploration {
    let search = || strategy(combination.search, program, 7, &[]);
    explore(program, &combination.options(), &search, combination.jobs, &|_, _| None)
        .expect("an exploration")
}

/// Whether nothing was left open.
fn is_whole(found: &Exploration) -> bool {
    found.stop == Stop::Complete && found.cut_off == 0 && found.unsure.is_empty()
}

fn count() -> u64 {
    std::env::var("LOUPE_COMBINE").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS)
}

#[test]
fn whatever_is_combined_finds_what_runs_show() {
    let (mut whole, mut all, mut merged, mut subsumed, mut passed, mut split) = (0, 0, 0, 0, 0, 0);
    let range = Parameters::default().input_range.expect("small inputs");
    let vectors = vectors(INPUTS, i64::from(range.low)..=i64::from(range.high));
    for seed in 0..count() {
        let parameters =
            Parameters { seed: seed + 5_000, max_inputs: INPUTS as u32, ..Parameters::default() };
        let text = generate(&parameters).expect("parameters that make sense");
        let Some(function) = as_function(&text) else { continue };
        let plain = checked(&function, &[]);
        let Some((results, _)) = shown(&microc(&plain), &vectors) else { continue };
        let text = checked(&function, &results);
        let program = microc(&text);
        let (_, errors) = shown(&program, &vectors).expect("the same runs");
        // One result that is expected wrongly is one more error.
        let mut spoiled = results.clone();
        if let Some((_, result)) = spoiled.get_mut(seed as usize % results.len().max(1)) {
            *result = result.add(&Integer::from(1));
        }
        let spoiled = microc(&checked(&function, &spoiled));
        let (_, more) = shown(&spoiled, &vectors).expect("the same runs");
        for number in 0..COMBINATIONS {
            let combination = Combination::nth(seed * COMBINATIONS + number);
            for (program, errors) in [(&program, &errors), (&spoiled, &more)] {
                let found = explored(program, combination);
                let own: Errors = found.violations.keys().copied().collect();
                let at = format!("{text}\n{combination:?}");
                assert!(own.is_subset(errors), "{at}\nfound {own:?}\nrun   {errors:?}");
                if is_whole(&found) {
                    assert_eq!(&own, errors, "{at}\nfound on the left, runs on the right");
                    whole += 1;
                }
                all += 1;
                merged += u64::from(found.merging.merged > 0);
                split += u64::from(found.merging.split > 0);
                subsumed += u64::from(found.subsumption.subsumed > 0);
                passed += u64::from(found.loops.values().any(|figures| figures.passed > 0));
            }
        }
    }
    println!(
        "{whole} of {all} whole; {merged} merged, {split} split, {subsumed} subsumed, {passed} passed loops"
    );
    assert!(
        whole > all / 2
            && merged > all / 10
            && split > 0
            && subsumed > all / 20
            && passed > all / 20
    );
}
