//! Necessary conditions (Strejček and Trtík 2012): whatever an execution comes to, the condition that was computed for coming there holds for its inputs. Random programs in microc and C, with nested loops,
//! inputs in loops and arrays; every input of a small range is run, and the end of the run must be possible behind loops that were passed by conditions on counters.

use super::c::compile;
use super::{Dice, SeenEnd, arrays, microc, run, theorems, vectors, written};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_solver::{Answer, Gradual};
use loupe_symbolic::domain::{Feasible, Reading, Symbolic};
use loupe_symbolic::explore::{
    AllErrors, Draft, DraftFor, DraftUntil, DraftedWay, End, Explorer, Leaf, Limits, LoopMode,
    Model, Observer, Options, Stop,
};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::target::{beginning, with_targets};
use loupe_symbolic::value::{Int, SymbolicValue};
use loupe_term::Term;
use std::time::Duration;

/// How many programs of each kind; `LOUPE_NECESSARY` wants others.
const PROGRAMS: u64 = 25;

/// How many instances of what holds in all iterations are looked at.
const INSTANCES: u32 = 5;

/// Finds for each end of a run a leaf at which it is possible.
struct Covered {
    runs: Vec<(Vec<Integer>, SeenEnd)>,
    is_covered: Vec<bool>,
    /// Whether something was not followed, so that nothing can be said.
    is_open: bool,
    is_approximated: bool,
}

impl Observer for Covered {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        self.is_approximated |= leaf.is_approximated;
        let (end, value) = match &leaf.end {
            End::Returned(Some(SymbolicValue::Int(int))) | End::Exited(int) => {
                let value = match int {
                    Int::Known(number) => domain.terms.int(number.clone()),
                    Int::Term(term) => *term,
                };
                (SeenEnd::Returned(None), Some(value))
            }
            End::Returned(_) => (SeenEnd::Returned(None), None),
            End::Failed { kind, .. } | End::MayFail(kind, _) => {
                (SeenEnd::Failed(*kind, leaf.span), None)
            }
            _ => {
                self.is_open = true;
                return;
            }
        };
        let mut inputs: Vec<Term> = Vec::new();
        for reading in leaf.streams.readings() {
            // What is read behind a loop that reads has no known position.
            let Reading::Input(input) = reading else { break };
            inputs.push(input.symbol);
        }
        for at in 0..self.runs.len() {
            let (vector, ran) = &self.runs[at];
            let is_same = match (ran, &end) {
                (SeenEnd::Returned(_), SeenEnd::Returned(_)) => true,
                (ran, end) => ran == end,
            };
            if self.is_covered[at] || !is_same {
                continue;
            }
            let mut conditions = Vec::new();
            for (symbol, number) in inputs.iter().zip(vector) {
                let number = domain.terms.int(number.clone());
                conditions.push(domain.terms.eq(*symbol, number));
            }
            if let (SeenEnd::Returned(Some(number)), Some(value)) = (ran, value) {
                let number = domain.terms.int(number.clone());
                conditions.push(domain.terms.eq(value, number));
            }
            conditions.splice(0..0, leaf.path.conditions());
            // The condition as it is and its weakening by first instances: a `no` of either would be wrong.
            let whole = domain.ask(&conditions).expect("no bug");
            let first = domain.ask_instances(&conditions, INSTANCES).expect("no bug");
            self.is_covered[at] = !matches!(whole, Feasible::No)
                && !matches!(first, Gradual::Answer(Answer::Unsat(_)));
        }
    }
}

/// Whether all runs were found, and loops were approximated on the way.
fn check(text: &str, program: &Program, vectors: &[Vec<Integer>]) -> bool {
    let runs: Vec<(Vec<Integer>, SeenEnd)> = vectors
        .iter()
        .map(|inputs| {
            let model = Model { inputs: inputs.clone(), ..Model::default() };
            (inputs.clone(), run(program, &model).end)
        })
        .filter(|(_, end)| *end != SeenEnd::GaveUp)
        .collect();
    let limits = Limits { depth: Some(30), iterations: Some(12), paths: Some(100), steps: None };
    let mut options = Options { limits, loops: LoopMode::Necessary, ..Options::default() };
    (options.solver.work, options.solver.time) = (100_000, Duration::from_millis(500));
    let is_covered = vec![false; runs.len()];
    let mut covered = Covered { runs, is_covered, is_open: false, is_approximated: false };
    let explorer = Explorer::new(program, options, strategy(Strategy::Dfs, program, 7, &[]));
    let exploration = explorer.run(&mut covered, &|_, _| None).expect("no bug");
    if covered.is_open || exploration.stop != Stop::Complete || exploration.cut_off > 0 {
        return false;
    }
    for ((inputs, end), is_covered) in covered.runs.iter().zip(&covered.is_covered) {
        assert!(is_covered, "{text}\n{inputs:?} ends with {end:?}, which is said to be impossible");
    }
    covered.is_approximated
}

#[test]
fn no_run_contradicts_a_necessary_condition() {
    let programs = std::env::var("LOUPE_NECESSARY").ok().and_then(|text| text.parse().ok());
    let mut approximated = 0;
    let small = vectors(4, -1..=3);
    for seed in 0..programs.unwrap_or(PROGRAMS) {
        let text = theorems::program(seed);
        let reading = text.replace("c = c - 2;", "c = input;").replace("d = d - 2;", "d = input;");
        for text in [&text, &reading] {
            let few: Vec<_> = small.iter().skip(seed as usize % 7).step_by(7).cloned().collect();
            approximated += usize::from(check(text, &microc(text), &few));
        }
        let text = arrays::program(seed);
        approximated += usize::from(check(&text, &compile(&text), &vectors(2, -1..=5)));
    }
    println!("{approximated} programs with approximated loops");
    assert!(approximated > 40, "{approximated}");
}

#[test]
fn no_run_contradicts_what_is_said_of_written_arrays() {
    let programs = std::env::var("LOUPE_NECESSARY").ok().and_then(|text| text.parse().ok());
    let mut approximated = 0;
    let small = vectors(4, -1..=5);
    for seed in 0..programs.unwrap_or(PROGRAMS) {
        let text = written::program(seed);
        let few: Vec<_> = small.iter().skip(seed as usize % 199).step_by(199).cloned().collect();
        approximated += usize::from(check(&text, &compile(&text), &few));
    }
    println!("{approximated} programs with approximated loops");
    assert!(approximated > 10, "{approximated}");
}

fn drafted_for(time: Duration) -> Draft {
    let (purpose, until) = (DraftFor::Guidance, DraftUntil::Gone);
    Draft { time, purpose, ways: Draft::WAYS, until }
}

/// Whether an exploration that is guided by a necessary condition was a proof; no run may contradict it.
fn guided(text: &str, program: &Program, vectors: &[Vec<Integer>]) -> (bool, u64) {
    let limits = Limits { depth: Some(30), iterations: Some(12), paths: Some(100), steps: None };
    let time = Duration::from_millis(300);
    let draft = Some(drafted_for(time));
    let loops = LoopMode::Auto;
    let mut options = Options { limits, loops, draft, ..Options::default() };
    (options.solver.work, options.solver.time) = (100_000, Duration::from_millis(200));
    let explorer = Explorer::new(program, options, strategy(Strategy::Dfs, program, 7, &[]));
    let exploration = explorer.run(&mut (), &|_, _| None).expect("no bug");
    for inputs in vectors.iter().filter(|_| exploration.is_safe()) {
        let model = Model { inputs: inputs.clone(), ..Model::default() };
        let end = run(program, &model).end;
        let fails = matches!(end, SeenEnd::Failed(..));
        assert!(!fails, "{text}\n{inputs:?} ends with {end:?}, and the program was called safe");
    }
    (exploration.is_safe(), exploration.drafts.dropped)
}

#[test]
fn no_run_contradicts_a_guided_proof() {
    let (mut proofs, mut dropped) = (0, 0);
    let small = vectors(4, -1..=3);
    for seed in 0..PROGRAMS {
        let few: Vec<_> = small.iter().skip(seed as usize % 7).step_by(7).cloned().collect();
        // Errors that depend on what loops compute, far behind them.
        let text = theorems::program(seed);
        let asserted = text.replace("return c", "if (c > 2) { i = i / (c - 5 + d); } return c");
        assert_ne!(text, asserted);
        for text in [&text, &asserted] {
            let (is_safe, states) = guided(text, &microc(text), &few);
            proofs += usize::from(is_safe);
            dropped += states;
        }
        let text = arrays::program(seed);
        let (is_safe, states) = guided(&text, &compile(&text), &vectors(2, -1..=5));
        proofs += usize::from(is_safe);
        dropped += states;
    }
    println!("{proofs} proofs, {dropped} states dropped");
    assert!(proofs > 5, "{proofs}");
}

/// A program with a loop in which a target stands between inputs, branches, and what ends executions in the middle of an iteration.
fn with_target(seed: u64) -> String {
    let mut dice = Dice(seed * 7919 + 5);
    let condition = |dice: &mut Dice| {
        let left = dice.pick(&["n", "n", "k", "s", "m"]);
        let right = dice.pick(&["0", "1", "2", "k", "n"]);
        format!("{left} {} {right}", dice.pick(&["==", "<", ">", "!="]))
    };
    let ending = |dice: &mut Dice| {
        let when = condition(dice);
        match dice.below(8) {
            0 => format!("if ({when}) exit(0);"),
            1 => format!("__VERIFIER_assume({when});"),
            2 => "if (k == 1) exit(0);".to_owned(),
            3 => "a[k + 3] = 1;".to_owned(),
            4 => "s = 3 / (k - 1);".to_owned(),
            5 => format!("if ({when}) break;"),
            6 => format!("if ({when}) continue;"),
            _ => format!("if ({when}) return s;"),
        }
    };
    let (bound, step) = (dice.pick(&["k > 0", "k < 3", "n != 2", "k > s"]), dice.pick(&["-", "+"]));
    let start = dice.pick(&["1", "1", "m", "2"]);
    let first = ending(&mut dice);
    let first = if dice.below(3) == 0 { first } else { String::new() };
    let (when, last) = (condition(&mut dice), ending(&mut dice));
    format!(
        "extern int __VERIFIER_nondet_int(void); extern void exit(int); extern void __VERIFIER_assume(int);
int a[4];
void target(void) {{ a[0] = 1; }}
int main(void) {{
  int m = __VERIFIER_nondet_int(), n = 0, s = 0, k = {start};
  while ({bound}) {{
    n = __VERIFIER_nondet_int();
    {first}
    if ({when}) {{ s = s + 1; target(); }}
    {last}
    k = k {step} 1;
  }}
  return s;
}}
"
    )
}

/// The conditions of all ways, each with what a run has read before any loop.
#[derive(Default)]
struct Ways {
    runs: Vec<Vec<Integer>>,
    is_possible: Vec<bool>,
    shown: usize,
}

impl Observer for Ways {
    fn leaf(&mut self, _: &mut Symbolic, _: &Leaf) {}

    fn drafted(&mut self, domain: &mut Symbolic, way: &DraftedWay<'_>) {
        self.shown += 1;
        let all = self.runs.iter().zip(&mut self.is_possible);
        for (run, is_possible) in all.filter(|(_, is_possible)| !**is_possible) {
            let mut conditions = way.conditions.to_vec();
            for (reading, number) in way.leaf.streams.readings().iter().zip(run) {
                // What is read behind a loop that reads has no known position.
                let Reading::Input(input) = reading else { break };
                let number = domain.terms.int(number.clone());
                conditions.push(domain.terms.eq(input.symbol, number));
            }
            let whole = domain.ask(&conditions).expect("no bug");
            let first = domain.ask_instances(&conditions, INSTANCES).expect("no bug");
            *is_possible |= !matches!(whole, Feasible::No)
                && !matches!(first, Gradual::Answer(Answer::Unsat(_)));
        }
    }
}

/// Targets in the bodies of loops that are left in the middle: an input that comes there satisfies φ̂, and who is guided by it comes there too.
#[test]
fn targets_in_loops_are_not_lost() {
    let programs = std::env::var("LOUPE_NECESSARY").ok().and_then(|text| text.parse().ok());
    let (mut reached, mut found, mut unreachable) = (0, 0, 0);
    let inputs = vectors(3, -1..=3);
    for seed in 0..programs.unwrap_or(PROGRAMS) {
        let text = with_target(seed);
        let program = compile(&text);
        let place = beginning(&program, "target").expect("a function");
        let program = with_targets(&program, &[place]);
        let comes = |inputs: &&Vec<Integer>| {
            let model = Model { inputs: (*inputs).clone(), ..Model::default() };
            let end = run(&program, &model).end;
            matches!(end, SeenEnd::Failed(CheckKind::TargetReached, _))
        };
        // Every third of them says enough.
        let runs = inputs.iter().filter(comes).step_by(3).cloned();
        let runs: Vec<Vec<Integer>> = runs.collect();
        let limits =
            Limits { depth: Some(30), iterations: Some(12), paths: Some(100), steps: None };
        let options = |all_errors, loops| {
            let property = Property::Target;
            let mut options = Options { limits, property, all_errors, loops, ..Options::default() };
            (options.solver.work, options.solver.time) = (100_000, Duration::from_millis(500));
            options
        };
        let explore = |options: Options, observer: &mut dyn Observer| {
            let search = strategy(Strategy::Dfs, &program, 7, &[]);
            let explorer = Explorer::new(&program, options, search);
            explorer.run(observer, &|_, _| None).expect("no bug")
        };
        let is_possible = vec![false; runs.len()];
        let mut ways = Ways { runs, is_possible, shown: 0 };
        let drafted = explore(options(AllErrors::GoOn, LoopMode::Necessary), &mut ways);
        if drafted.drafts.is_whole {
            for (inputs, is_possible) in ways.runs.iter().zip(&ways.is_possible) {
                assert!(
                    is_possible,
                    "{text}\n{inputs:?} comes there, which is said to be impossible"
                );
            }
        }
        let time = Duration::from_secs(2);
        let draft = Some(drafted_for(time));
        let usual = options(AllErrors::StopAtFirst, LoopMode::Auto);
        let guided = explore(Options { draft, ..usual.clone() }, &mut ());
        let plain = explore(usual, &mut ());
        assert!(!guided.is_safe() || ways.runs.is_empty(), "{text}\n{:?}", ways.runs.first());
        let is_lost = plain.is_violated() && !guided.is_violated();
        assert!(!is_lost, "{text}\nguidance has lost the target: {:?}", guided.unsure);
        reached += usize::from(!ways.runs.is_empty());
        found += usize::from(guided.is_violated());
        unreachable += usize::from(guided.is_safe());
    }
    println!("{reached} reached by runs, {found} by the guided search, {unreachable} unreachable");
    assert!(found >= reached.min(10) && reached > 10, "{reached} {found}");
}

/// Two calls of the same model of a library function, in a loop that is passed as a whole.
const TWO_CALLS: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void reach_error(void);
    struct cell { struct cell *next; };
    int main(void) {
        struct cell last = { 0 }, first = { &last }, *at = &first;
        int n = __VERIFIER_nondet_int();
        for (int i = 0; i < n; i++) at = &last;
        for (;;) {
            if (at->next) reach_error();
            if (n != 7) reach_error();
        }
    }";

/// Errors in models of library functions are told apart by their calls, however loops are passed.
#[test]
fn each_call_of_a_model_has_its_own_errors() {
    let program = compile(TWO_CALLS);
    for loops in [LoopMode::Auto, LoopMode::Summary, LoopMode::Necessary] {
        for draft in [None, Some(drafted_for(Duration::from_secs(20)))] {
            let options = Options { loops, draft, ..Options::default() };
            let search = strategy(Strategy::Dfs, &program, 7, &[]);
            let explorer = Explorer::new(&program, options, search);
            let found = explorer.run(&mut (), &|_, _| None).expect("no bug");
            let lines =
                found.violations.keys().map(|(span, _)| span.start.line).collect::<Vec<_>>();
            assert_eq!(lines, [10, 11], "with {loops:?}");
        }
    }
}
