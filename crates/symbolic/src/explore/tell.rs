//! Errors told as stories: the replay once more, watched by somebody who remembers.
//!
//! The replay jumps where the one did that confirmed the error; what a jump goes over is told by the trace of its case. Before that, uninitialised values that do not
//! matter are left out: a value matters unless the error is the same with 0 in its place. What is left is a replay too, so nothing is claimed that was not run.

use super::endless::Repeating;
use super::jump::Jumper;
use super::leaf::Model;
use super::outcome::{Endless, Violation};
use super::stay::Stay;
use crate::loops::Loops;
use loupe_engine::concrete::story::{Recorder, Skipped, Story};
use loupe_engine::concrete::{
    self, Concrete, ConcreteState, Halt, InputSource, Interpreter, Limit, Observer, Run, RunLength,
};
use loupe_engine::semantics::Machine;
use loupe_integer::Integer;
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_solver::Interrupt;

/// So many steps are told.
const MAX_TOLD: u64 = 100_000_000;
/// Values that do not matter are looked for where a replay takes no more steps than this.
const MAX_TRIED: u64 = 1_000_000;
/// So many replays are made for that.
const MAX_TRIES: usize = 200;
/// So many steps of an execution that never ends are told, or as many as it takes to come to its loop.
const MAX_ENDLESS: u64 = 2_000_000;

/// Tells how programs fail.
pub struct Teller<'t> {
    /// The program.
    pub program: &'t Program,
    /// What is read behind the end of the input.
    pub end_of_input: Integer,
    /// Stops it.
    pub interrupt: Interrupt,
}

/// An error as a story.
#[derive(Clone, Debug)]
pub struct Told {
    /// The inputs, without uninitialised values that do not matter.
    pub model: Model,
    /// What happens with them; `None` if that takes too long to tell.
    pub story: Option<Story>,
}

impl Teller<'_> {
    /// Tells how an error comes about.
    pub fn violation(&self, violation: &Violation) -> Told {
        let loops = Loops::new(self.program);
        let model = self.without_needless(violation, &loops);
        let mut watcher = Watcher {
            jumper: Jumper::new(&loops, violation.plan.clone()),
            recorder: Recorder::new(self.program),
        };
        let run = self.run(&model, Box::new(stream(&model.inputs)), MAX_TOLD, &mut watcher);
        let story = fails_like(&run, violation).then(|| watcher.recorder.finish());
        Told { model, story }
    }

    /// Tells how a program gets into a loop that never ends: up to where the replay is in that loop that has shown it. Before, it is in loops that end, and
    /// what it does there is no story of one that does not.
    pub fn endless(&self, found: &Endless) -> Told {
        let loops = Loops::new(self.program);
        let input = Repeating { first: found.model.inputs.clone(), then: found.forever.clone() };
        let mut watcher = Visitor {
            watcher: Watcher {
                jumper: Jumper::new(&loops, found.plan.clone()),
                recorder: Recorder::new(self.program),
            },
            stay: Stay::new(&loops, found.key),
        };
        let steps = found.replayed.clamp(MAX_ENDLESS, MAX_TOLD);
        let run = self.run(&found.model, Box::new(input), steps, &mut watcher);
        let is_stopped = matches!(run.end, concrete::End::Halted(Halt::Limit(Limit::Steps { .. })));
        let inside = watcher.stay.inside().get();
        let is_there =
            inside.depth.is_some() && found.visit.is_none_or(|visit| visit == inside.visits);
        let story = (is_stopped && is_there).then(|| watcher.watcher.recorder.finish());
        Told { model: found.model.clone(), story }
    }

    fn run(
        &self,
        model: &Model,
        input: Box<dyn InputSource>,
        max_steps: u64,
        observer: &mut impl Observer,
    ) -> Run {
        let interrupt = self.interrupt.clone();
        let options = concrete::Options {
            input,
            undefined: Box::new(stream(&model.undefined)),
            end_of_input: self.end_of_input.clone(),
            standard_input: Box::new(model.standard_input.clone()),
            command_line: model.command_line.clone(),
            max_steps: Some(max_steps),
            supervisor: Some(Box::new(move || {
                interrupt.is_requested().then_some(Limit::Interrupted)
            })),
            ..concrete::Options::default()
        };
        Interpreter::new(self.program, options).run(&mut Vec::new(), observer)
    }

    /// The inputs of an error, with 0 for uninitialised values where that makes no difference.
    fn without_needless(&self, violation: &Violation, loops: &Loops) -> Model {
        let mut model = violation.model.clone();
        let mut tries = 0;
        let mut still_fails = |model: &Model| {
            tries += 1;
            let mut jumper = Jumper::new(loops, violation.plan.clone());
            let run = self.run(model, Box::new(stream(&model.inputs)), MAX_TRIED, &mut jumper);
            tries <= MAX_TRIES && fails_like(&run, violation)
        };
        let positions = |model: &Model| -> Vec<usize> {
            let all = model.undefined.iter().enumerate();
            all.filter(|(_, value)| !value.is_zero()).map(|(at, _)| at).collect()
        };
        let mut length = positions(&model).len();
        if length == 0 || !still_fails(&model) {
            return model;
        }
        // All at once, then ever smaller parts, then one by one.
        while length > 0 {
            for part in positions(&model).chunks(length) {
                let mut without = model.clone();
                part.iter().for_each(|at| without.undefined[*at] = Integer::ZERO);
                if still_fails(&without) {
                    model = without;
                }
            }
            length = if length == 1 { 0 } else { length.div_ceil(4) };
        }
        while model.undefined.last().is_some_and(Integer::is_zero) {
            model.undefined.pop();
        }
        model
    }
}

fn stream(numbers: &[Integer]) -> RunLength {
    numbers.iter().cloned().collect()
}

fn fails_like(run: &Run, violation: &Violation) -> bool {
    matches!(&run.end, concrete::End::Failed(failure)
        if failure.kind == violation.failure.kind && failure.span == violation.failure.span)
}

/// Jumps, and remembers.
struct Watcher<'w, 'p> {
    jumper: Jumper<'w>,
    recorder: Recorder<'p>,
}

impl Observer for Watcher<'_, '_> {
    fn called(&mut self, function: FunctionId) {
        self.recorder.called(function);
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.recorder.edge(function, from, to);
    }

    fn returned(&mut self) {
        self.recorder.returned();
    }

    fn jumps(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        self.jumper.jumps(function, from, to)
    }

    fn jump(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        let before = self.jumper.made.len();
        self.jumper.jump(machine, state);
        for jump in &self.jumper.made[before..] {
            let (iterations, parts) = (jump.iterations.clone(), jump.parts.clone());
            let lost = jump.lost.clone();
            self.recorder.skip(jump.to, Skipped { iterations, parts, lost });
        }
    }

    fn ended(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        self.recorder.ended(machine, state);
    }
}

/// The same, and knows whether it is in a loop.
struct Visitor<'w, 'p> {
    watcher: Watcher<'w, 'p>,
    stay: Stay<'w>,
}

impl Observer for Visitor<'_, '_> {
    fn called(&mut self, function: FunctionId) {
        self.stay.called();
        self.watcher.called(function);
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.stay.edge(function, from, to);
        self.watcher.edge(function, from, to);
    }

    fn returned(&mut self) {
        self.stay.returned();
        self.watcher.returned();
    }

    fn jumps(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        self.watcher.jumps(function, from, to)
    }

    fn jump(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        let was_here = self.stay.is_at_header(state);
        self.watcher.jump(machine, state);
        if was_here && !self.stay.is_at_header(state) {
            self.stay.leave();
        }
    }

    fn ended(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        self.watcher.ended(machine, state);
    }
}
