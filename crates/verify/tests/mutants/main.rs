//! Programs that are safe, broken on purpose: where running a mutant on some input shows an error, no verdict may be *safe*, and where the verifier finds an error, every run that it replays does.
//!
//! `LOUPE_MUTANTS=N` tries N mutants, all programs in turn; a hundred are part of the usual tests.

mod programs;

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_engine::concrete::{self, Interpreter, RunLength, Stream, Unobserved};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::Program;
use loupe_symbolic::explore::{Options, Stop};
use loupe_symbolic::property::Property;
use loupe_verify::{Request, verify};
use std::time::{Duration, Instant};

const HEAD: &str = "int __VERIFIER_nondet_int(void); void reach_error(void); void abort(void);\n";

/// How long the verifier may take for one mutant; most take milliseconds.
const LIMIT: Duration = Duration::from_millis(1500);

fn program(body: &str) -> Program {
    compile_text(&format!("{HEAD}{body}"), DataModel::Lp64, Checks::default()).program
}

struct Nowhere;

impl concrete::Output for Nowhere {
    fn number(&mut self, _: &Integer) -> bool {
        true
    }

    fn bytes(&mut self, _: Stream, _: &[u8]) -> bool {
        true
    }
}

/// Whether a run on some inputs calls the error function.
fn fails(program: &Program, inputs: &[i64]) -> bool {
    let inputs = inputs.iter().map(|number| Integer::from(*number));
    let options = concrete::Options {
        input: Box::new(inputs.collect::<RunLength>()),
        max_steps: Some(20_000),
        max_depth: 200,
        ..concrete::Options::default()
    };
    let end = Interpreter::new(program, options).run(&mut Nowhere, &mut Unobserved).end;
    matches!(end, concrete::End::Failed(failure) if failure.kind == CheckKind::ErrorReached)
}

/// Inputs that are tried: three that matter, and the same for whatever is read then.
fn failing_inputs(program: &Program) -> Option<Vec<i64>> {
    const TRIED: [i64; 9] = [0, 1, 2, 3, 5, 8, -1, 17, -4];
    for a in TRIED {
        for b in TRIED {
            for c in TRIED {
                let inputs: Vec<i64> = [a, b].into_iter().chain([c, b, a].repeat(8)).collect();
                if fails(program, &inputs) {
                    return Some(inputs);
                }
            }
        }
    }
    None
}

/// What one word of a program may become.
fn mutations(word: &str) -> Vec<String> {
    let others: &[&str] = match word {
        "<" => &["<=", ">", "!="],
        "<=" => &["<", ">=", "=="],
        ">" => &[">=", "<"],
        ">=" => &[">", "<="],
        "==" => &["!=", "<=", ">="],
        "!=" => &["==", "<"],
        "+" => &["-"],
        "-" => &["+"],
        "*" => &["+"],
        "/" => &["*"],
        "%" => &["/"],
        "+=" => &["-=", "="],
        "-=" => &["+="],
        "++" => &["--"],
        "--" => &["++"],
        "&&" => &["||"],
        "||" => &["&&"],
        _ => &[],
    };
    if let Ok(number) = word.parse::<i64>() {
        return [number + 1, number - 1, 2 * number].map(|n| format!("({n})")).to_vec();
    }
    others.iter().map(|other| (*other).to_owned()).collect()
}

/// The words of a program, and what is between them.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        '<' | '>' | '=' | '!' | '+' | '-' | '*' | '/' | '%' | '&' | '|' => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let own = kind(c);
        if last.is_some_and(|last| last != own || own == 2) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(own);
    }
    words.push(&text[start..]);
    words
}

/// All mutants of a program: one word is another, or an assignment is gone.
fn mutants(text: &str) -> Vec<String> {
    let words = words(text);
    let mut all = Vec::new();
    for (place, word) in words.iter().enumerate() {
        for other in mutations(word) {
            let mut mutant: Vec<&str> = words.clone();
            mutant[place] = &other;
            all.push(mutant.concat());
        }
    }
    for statement in text.split_inclusive(';') {
        let is_assignment = statement.trim_start().starts_with(|c: char| c.is_alphabetic())
            && statement.contains(" = ")
            && !statement.trim_start().starts_with("int ")
            && !statement.contains('{')
            && !statement.contains(['(', ')']);
        if is_assignment {
            all.push(text.replacen(statement, ";", 1));
        }
    }
    all
}

fn wanted() -> usize {
    std::env::var("LOUPE_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

/// What the verifier says in a short time.
fn verdict(program: &Program) -> loupe_verify::Report {
    let options = Options { property: Property::UnreachCall, ..Options::default() };
    let interrupt = options.solver.interrupt.clone();
    let request = Request { options, jobs: 2, ..Request::new(program) };
    let deadline = Instant::now() + LIMIT;
    let supervisor = |_: &_, _| (Instant::now() > deadline).then_some(Stop::Time);
    std::thread::scope(|scope| {
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            if is_done
                .recv_timeout(LIMIT)
                .is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                interrupt.request();
            }
        });
        let report = verify(&request, &supervisor);
        drop(done);
        report.unwrap_or_else(|error| panic!("{error}"))
    })
}

#[test]
fn what_is_safe_is_called_safe_or_unknown() {
    let mut proved = 0;
    for text in programs::SAFE {
        let program = program(text);
        assert_eq!(failing_inputs(&program), None, "{text}");
        let report = verdict(&program);
        assert!(!report.exploration.is_violated(), "{text}");
        proved += usize::from(report.exploration.is_safe());
    }
    assert!(2 * proved > programs::SAFE.len(), "only {proved} are proved");
}

#[test]
fn what_is_broken_is_never_called_safe() {
    let mut turns: Vec<_> = programs::SAFE.iter().map(|text| mutants(text).into_iter()).collect();
    // Some of each program in turn, with gaps between them, so that few mutants are unlike each other.
    let (mut tried, mut broken, mut found) = (0, 0, 0);
    'all: for turn in 0.. {
        let mut any = false;
        for mutants in &mut turns {
            let Some(text) = mutants.nth(turn % 5) else { continue };
            any = true;
            let program = program(&text);
            let inputs = failing_inputs(&program);
            let report = verdict(&program);
            if let Some(inputs) = &inputs {
                broken += 1;
                let is_safe = report.exploration.is_safe();
                assert!(!is_safe, "{:?} says safe, but {inputs:?} fails:\n{text}", report.winner);
            }
            for violation in report.exploration.violations.values() {
                found += 1;
                assert_eq!(violation.kind, CheckKind::ErrorReached, "{text}");
            }
            tried += 1;
            if tried >= wanted() {
                break 'all;
            }
        }
        if !any {
            break;
        }
    }
    println!("{tried} mutants, {broken} fail on inputs that were tried, {found} errors were found");
    assert!(8 * broken > tried, "only {broken} of {tried} mutants are broken");
    assert!(2 * found > broken, "only {found} errors were found, of {broken}");
}
