//! Runs on generated inputs.

use super::{Options, Uninitialised};
use crate::explore::{Jump, Model, Plan, Skipper};
use crate::loops::Loops;
use loupe_engine::concrete::{
    self, BadInput, End, InputSource, Interpreter, Observer, Output, Run, RunLength, Stream,
    Unobserved,
};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::Program;

/// More output of a test is not kept.
const MAX_OUTPUT: usize = 1 << 20;

/// A run that is compared with another one may take so many steps more.
const STEPS_MORE: u64 = 1 << 20;

/// What a program has put out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Numbers.
    pub numbers: Vec<Integer>,
    /// Bytes on the standard output.
    pub bytes: Vec<u8>,
    /// Whether there was more than is kept.
    pub is_cut: bool,
}

impl Printed {
    fn has_room(&mut self, more: usize) -> bool {
        let fits = self.numbers.len() + self.bytes.len() + more <= MAX_OUTPUT;
        self.is_cut |= !fits;
        fits && !self.is_cut
    }
}

impl Output for Printed {
    fn number(&mut self, value: &Integer) -> bool {
        if self.has_room(1) {
            self.numbers.push(value.clone());
        }
        true
    }

    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> bool {
        if stream == Stream::Output && self.has_room(bytes.len()) {
            self.bytes.extend_from_slice(bytes);
        }
        true
    }
}

/// How inputs are run.
#[derive(Clone, Debug)]
pub struct Replay<'o> {
    end_of_input: &'o Integer,
    max_steps: Option<u64>,
}

impl<'o> Replay<'o> {
    /// Up to the limit of steps.
    pub fn limited(options: &'o Options) -> Self {
        Replay { end_of_input: &options.end_of_input, max_steps: Some(options.max_steps) }
    }

    /// To the end.
    pub fn unlimited(options: &'o Options) -> Self {
        Replay { end_of_input: &options.end_of_input, max_steps: None }
    }

    /// Runs the program, and goes over iterations as planned; `None` if that led astray, and the watcher has seen what is not so.
    pub(super) fn run_planned<O: Observer>(
        &self,
        (program, loops): (&Program, &Loops),
        (model, plan): (&Model, &Plan),
        observer: &mut O,
    ) -> Option<(Run, Printed, Vec<Jump>)> {
        let mut skipper = Skipper::new(program, loops, plan.clone(), observer);
        let (run, printed) = self.run(program, model, &mut skipper);
        (!skipper.is_astray()).then(|| (run, printed, skipper.made()))
    }

    /// Runs the program.
    pub fn run<O: Observer>(
        &self,
        program: &Program,
        model: &Model,
        observer: &mut O,
    ) -> (Run, Printed) {
        let undefined: RunLength = model.undefined.iter().cloned().collect();
        self.run_with(program, model, Box::new(undefined), observer)
    }

    fn run_with<O: Observer>(
        &self,
        program: &Program,
        model: &Model,
        undefined: Box<dyn InputSource>,
        observer: &mut O,
    ) -> (Run, Printed) {
        let options = concrete::Options {
            input: Box::new(model.inputs.iter().cloned().collect::<RunLength>()),
            undefined,
            end_of_input: self.end_of_input.clone(),
            standard_input: Box::new(model.standard_input.clone()),
            command_line: model.command_line.clone(),
            max_steps: self.max_steps,
            ..concrete::Options::default()
        };
        let mut printed = Printed::default();
        let run = Interpreter::new(program, options).run(&mut printed, observer);
        (run, printed)
    }

    /// Whether a run shows something else with other uninitialised values. One other choice is tried, so
    /// this finds most of what depends on them and not all.
    pub(super) fn uninitialised(
        &self,
        program: &Program,
        model: &Model,
        (run, printed): (&Run, &Printed),
    ) -> Uninitialised {
        if run.positions.undefined == 0 {
            return Uninitialised::NoMatter;
        }
        // A run to its end is known to have one; with other values there may be none.
        let max_steps = self.max_steps.unwrap_or_else(|| run.steps.saturating_add(STEPS_MORE));
        let limited = Replay { max_steps: Some(max_steps), ..self.clone() };
        let (other, also) = limited.run_with(program, model, Box::new(Ones), &mut Unobserved);
        match same_end(&run.end, &other.end) && *printed == also {
            true => Uninitialised::NoMatter,
            false => Uninitialised::Matter,
        }
    }
}

fn same_end(a: &End, b: &End) -> bool {
    match (a, b) {
        (End::Returned(Some(Value::Int(a))), End::Returned(Some(Value::Int(b)))) => a == b,
        (End::Returned(_), End::Returned(_)) => true,
        (End::Exited(a), End::Exited(b)) => a == b,
        (End::Aborted, End::Aborted) | (End::AssumptionFailed, End::AssumptionFailed) => true,
        (End::Failed(a), End::Failed(b)) => a.kind == b.kind && a.span == b.span,
        // Both are cut off: what is known of them is what they have put out.
        (End::Halted(a), End::Halted(b)) => a == b,
        _ => false,
    }
}

/// A stream of ones, which all types have.
struct Ones;

impl InputSource for Ones {
    fn get(&mut self, _position: u64) -> Result<Option<Integer>, BadInput> {
        Ok(Some(Integer::ONE))
    }
}
