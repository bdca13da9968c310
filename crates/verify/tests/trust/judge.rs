//! What the verifier says of a program, and whether runs of the tree contradict it.

use crate::print::{Style, c, microc};
use crate::run::{FEW_STEPS, MANY_STEPS, Outcome, World, run};
use crate::tree::{HIGH, LOW, Program, Topic};
use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_ir::source::Sources;
use loupe_symbolic::explore::{Exploration, Options, Stop, Undefined};
use loupe_symbolic::property::Property;
use loupe_verify::{Member, Request, verify};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long the verifier may take; most programs take milliseconds.
pub(crate) const LIMIT: Duration = Duration::from_millis(500);

/// A verdict, with the inputs of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Safe,
    Unsafe { inputs: Vec<i128>, forever: Vec<i128> },
    Unknown,
}

impl Verdict {
    pub(crate) fn of(exploration: &Exploration) -> Verdict {
        let numbers = |numbers: &mut dyn Iterator<Item = &loupe_integer::Integer>| {
            numbers.map(|number| number.to_string().parse().unwrap_or(i128::MAX)).collect()
        };
        if exploration.is_safe() {
            return Verdict::Safe;
        }
        if let Some(violation) = exploration.violations.values().next() {
            let inputs = numbers(&mut violation.model.inputs.iter());
            return Verdict::Unsafe { inputs, forever: Vec::new() };
        }
        if let Some(endless) = exploration.endless.values().next() {
            let inputs = numbers(&mut endless.model.inputs.iter());
            return Verdict::Unsafe { inputs, forever: numbers(&mut endless.forever.iter()) };
        }
        Verdict::Unknown
    }

    pub(crate) fn contradicts(&self, other: &Verdict) -> bool {
        let is_safe = |verdict: &Verdict| *verdict == Verdict::Safe;
        let is_unsafe = |verdict: &Verdict| matches!(verdict, Verdict::Unsafe { .. });
        is_safe(self) && is_unsafe(other) || is_unsafe(self) && is_safe(other)
    }

    pub(crate) fn is_known(&self) -> bool {
        *self != Verdict::Unknown
    }
}

/// What is asked about programs of a topic.
pub(crate) fn property(topic: Topic) -> Property {
    match topic {
        Topic::Claims => Property::UnreachCall,
        Topic::Overflow => Property::NoOverflow,
        Topic::Memory => Property::ValidMemsafety,
        Topic::Termination => Property::Termination,
        Topic::Microc => Property::NoErrors,
    }
}

/// The program in its language.
pub(crate) fn text(program: &Program, topic: Topic, style: &Style) -> String {
    match topic {
        Topic::Microc => microc(program, style),
        _ => c(program, style),
    }
}

/// The flowgraph of a text.
pub(crate) fn lowered(text: &str, topic: Topic, model: DataModel) -> loupe_ir::program::Program {
    if topic == Topic::Microc {
        let mut sources = Sources::new();
        let file = sources.add("test.uc", text);
        let tree = loupe_microc::parse(file, text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let names = loupe_microc::resolve(&tree).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        return loupe_microc::lower(&tree, &names, sources, loupe_microc::Dialect::default());
    }
    let checks = Checks { signed_overflow: topic == Topic::Overflow, ..Checks::default() };
    compile_text(text, model, checks).program
}

/// What some members say, in a short time.
pub(crate) fn verdict(
    program: &loupe_ir::program::Program,
    topic: Topic,
    members: &[Member],
    jobs: usize,
) -> Verdict {
    let end_of_input = if topic == Topic::Microc { (-1).into() } else { 0.into() };
    let options = Options {
        property: property(topic),
        undefined: Undefined::Unknown,
        end_of_input,
        ..Options::default()
    };
    let report = within(LIMIT, options, |options, deadline| {
        let members = members.to_vec();
        let request = Request { options, members, jobs, ..Request::new(program) };
        verify(&request, &|_: &_, _| (Instant::now() > deadline).then_some(Stop::Time))
    });
    Verdict::of(&report.unwrap_or_else(|error| panic!("{error}")).exploration)
}

/// Does something that a solver may hold up, for a limited time.
pub(crate) fn within<T>(
    limit: Duration,
    options: Options,
    work: impl FnOnce(Options, Instant) -> T,
) -> T {
    let interrupt = options.solver.interrupt.clone();
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(limit).is_err_and(|e| e == RecvTimeoutError::Timeout) {
                interrupt.request();
            }
        });
        let result = work(options, Instant::now() + limit);
        drop(done);
        result
    })
}

fn world(topic: Topic, model: DataModel, inputs: &[i128]) -> World<'_> {
    World {
        model,
        overflow_counts: topic == Topic::Overflow,
        inputs,
        forever: &[],
        end_of_input: if topic == Topic::Microc { -1 } else { 0 },
        steps: MANY_STEPS,
    }
}

/// Whether an outcome violates the property of a topic.
fn violates(topic: Topic, outcome: Outcome) -> bool {
    match topic {
        Topic::Claims => outcome == Outcome::Refuted,
        Topic::Overflow => outcome == Outcome::Overflows,
        Topic::Memory => outcome == Outcome::BadAccess,
        Topic::Termination => outcome == Outcome::Endless,
        Topic::Microc => matches!(outcome, Outcome::Refuted | Outcome::BadAccess),
    }
}

/// Inputs on which the tree violates the property: all of three that matter, and the last of them for whatever is read then.
pub(crate) fn failing_inputs(
    program: &Program,
    topic: Topic,
    model: DataModel,
) -> Option<Vec<i128>> {
    for a in LOW..=HIGH {
        for b in LOW..=HIGH {
            for last in LOW..=HIGH {
                let inputs = [a, b, last];
                let steps = FEW_STEPS;
                let world = World { forever: &[last], steps, ..world(topic, model, &inputs) };
                if violates(topic, run(program, world)) {
                    return Some(inputs.to_vec());
                }
            }
        }
    }
    None
}

/// Why a verdict is wrong, if runs of the tree show that.
pub(crate) fn refuted(
    program: &Program,
    topic: Topic,
    model: DataModel,
    verdict: &Verdict,
) -> Option<String> {
    match verdict {
        Verdict::Unknown => None,
        Verdict::Safe => {
            let inputs = failing_inputs(program, topic, model)?;
            Some(format!("safe, but the inputs {inputs:?} violate it"))
        }
        Verdict::Unsafe { inputs, forever } => {
            let world = World { forever, ..world(topic, model, inputs) };
            let outcome = run(program, world);
            let is_right = violates(topic, outcome) || outcome == Outcome::Unjudged;
            (!is_right).then(|| format!("unsafe with {inputs:?} {forever:?}, which is {outcome:?}"))
        }
    }
}
