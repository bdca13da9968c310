//! Runs a program on concrete inputs.

use super::domain::{Concrete, Positions};
use super::explain;
use super::halt::{Halt, Limit};
use super::input::{ByteSource, InputSource, RunLength};
use super::memory::Memory;
use super::{ConcreteState, ConcreteValue};
use crate::semantics::{Control, Event, Machine};
use loupe_integer::Integer;
use loupe_ir::check::{Check, CheckKind};
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_ir::source::Span;

/// Somebody who may end a run: gives the reason when it is time.
pub type Supervisor = Box<dyn FnMut() -> Option<Limit>>;

/// Inputs and limits of a run.
pub struct Options {
    /// The arguments of the entry function.
    pub arguments: Vec<Integer>,
    /// The inputs.
    pub input: Box<dyn InputSource>,
    /// The values of uninitialised variables; 0 behind its end.
    pub undefined: Box<dyn InputSource>,
    /// The bytes of the standard input, for programs that read these.
    pub standard_input: Box<dyn ByteSource>,
    /// The command line of the program, its name first.
    pub command_line: Vec<Vec<u8>>,
    /// What is read behind the end of the input.
    pub end_of_input: Integer,
    /// How many instructions may be executed.
    pub max_steps: Option<u64>,
    /// How deep calls may nest.
    pub max_depth: usize,
    /// How many cells of memory may be in use; 16 bytes take as much room as a cell.
    pub max_cells: u64,
    /// How many bits a number may have.
    pub max_bits: u64,
    /// Asked now and then whether the run must end for reasons outside of the program.
    pub supervisor: Option<Supervisor>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            arguments: Vec::new(),
            input: Box::new(RunLength::default()),
            undefined: Box::new(RunLength::default()),
            standard_input: Box::new(Vec::new()),
            command_line: Vec::new(),
            end_of_input: Integer::from(-1),
            max_steps: None,
            max_depth: 250_000,
            max_cells: 20_000_000,
            max_bits: 1 << 20,
            supervisor: None,
        }
    }
}

/// Where a program writes bytes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The standard output.
    Output,
    /// The standard error.
    Error,
}

/// Where the program's output goes.
pub trait Output {
    /// Takes a number; `false` if nobody wants more.
    fn number(&mut self, value: &Integer) -> bool;
    /// Takes bytes; `false` if nobody wants more.
    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> bool;
}

/// Bytes are as good as numbers.
impl Output for Vec<Integer> {
    fn number(&mut self, value: &Integer) -> bool {
        self.push(value.clone());
        true
    }

    fn bytes(&mut self, _stream: Stream, bytes: &[u8]) -> bool {
        self.extend(bytes.iter().map(|byte| Integer::from(*byte)));
        true
    }
}

/// Somebody who watches an execution.
pub trait Observer {
    /// A function was entered at its first block.
    fn called(&mut self, _function: FunctionId) {}
    /// The innermost function goes from one block to another.
    fn edge(&mut self, _function: FunctionId, _from: BlockId, _to: BlockId) {}
    /// The innermost function returned.
    fn returned(&mut self) {}
    /// Whether it wants to change the state where a function goes from one block to another: to go over iterations of a loop whose outcome
    /// it knows.
    #[inline]
    fn jumps(&mut self, _function: FunctionId, _from: BlockId, _to: BlockId) -> bool {
        false
    }
    /// The state is there, at the start of the other block, and may be changed.
    fn jump(&mut self, _machine: &mut Machine<'_, Concrete>, _state: &mut ConcreteState) {}
    /// The run has ended; nobody needs its state any more.
    fn ended(&mut self, _machine: &mut Machine<'_, Concrete>, _state: &mut ConcreteState) {}
}

/// Nobody watches.
pub struct Unobserved;

impl Observer for Unobserved {}

/// A call on the stack: the function, and where it stood when the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: FunctionId,
    /// Where it stood: at the call of the next one, or at the end of the run.
    pub span: Span,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub kind: CheckKind,
    /// What exactly, with the values.
    pub detail: String,
    /// Where.
    pub span: Span,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum End {
    /// The entry function returned.
    Returned(Option<ConcreteValue>),
    /// The program ended itself with a status.
    Exited(Integer),
    /// The program ended itself abnormally.
    Aborted,
    /// An assumption did not hold.
    AssumptionFailed,
    /// A check failed.
    Failed(Failure),
    /// It could not go on.
    Halted(Halt),
}

/// A run that has ended.
#[derive(Debug)]
pub struct Run {
    /// How.
    pub end: End,
    /// The calls that were active then, the innermost last.
    pub stack: Vec<Call>,
    /// How many instructions were executed.
    pub steps: u64,
    /// How many inputs and uninitialised values were read.
    pub positions: Positions,
}

/// All conditions are known, and somebody watches.
struct Watched<'o, O>(&'o mut O);

impl<O: Observer> Control<Concrete> for Watched<'_, O> {
    #[inline]
    fn decide(&mut self, condition: &bool) -> Option<bool> {
        Some(*condition)
    }

    #[inline]
    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.0.edge(function, from, to);
    }

    #[inline]
    fn stops(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        self.0.jumps(function, from, to)
    }
}

/// The interpreter.
pub struct Interpreter<'p> {
    machine: Machine<'p, Concrete>,
    arguments: Vec<Integer>,
    max_steps: u64,
    max_depth: usize,
}

/// So many steps pass between two questions to the supervisor.
const STEPS_BETWEEN_QUESTIONS: u64 = 1 << 16;

impl<'p> Interpreter<'p> {
    /// An interpreter for a valid program.
    pub fn new(program: &'p Program, options: Options) -> Self {
        let max_steps = options.max_steps.unwrap_or(u64::MAX);
        let max_depth = options.max_depth;
        let arguments = options.arguments.clone();
        let domain = Concrete::new(&program.types, options);
        Interpreter { machine: Machine::new(program, domain), arguments, max_steps, max_depth }
    }

    /// Runs the program to its end.
    pub fn run<O: Observer>(self, output: &mut dyn Output, observer: &mut O) -> Run {
        self.run_in_pieces(STEPS_BETWEEN_QUESTIONS, output, observer)
    }

    fn run_in_pieces<O: Observer>(
        mut self,
        piece: u64,
        output: &mut dyn Output,
        observer: &mut O,
    ) -> Run {
        let arguments = std::mem::take(&mut self.arguments);
        let arguments = arguments.into_iter().map(ConcreteValue::Int).collect();
        let memory = Memory::new(self.machine.program);
        let started = self.machine.start(memory, Positions::default(), arguments);
        let mut state = match started {
            Ok(state) => state,
            Err(halt) => {
                let end = End::Halted(*halt);
                let positions = Positions::default();
                return Run { end, stack: Vec::new(), steps: 0, positions };
            }
        };
        observer.called(self.machine.program.entry);
        let mut steps = 0;
        let mut paused = false;
        let end = loop {
            let allowed = piece.min(self.max_steps - steps);
            let mut budget = allowed;
            let end = self.run_piece(&mut state, &mut budget, output, observer);
            steps += allowed - budget;
            match end {
                Ok(None) => {}
                Ok(Some(end)) => break end,
                Err(halt) => break self.end_of(&state, *halt),
            }
            paused = true;
            if state.memory.is_cluttered() {
                state.memory.collect(&state.frames);
            }
            if let Err(halt) = self.machine.domain.ask_supervisor() {
                break End::Halted(*halt);
            }
            if steps >= self.max_steps {
                break End::Halted(Halt::Limit(Limit::Steps { steps: self.max_steps }));
            }
            paused = false;
        };
        let stack = self.stack(&state, paused);
        let mut run = Run { end, stack, steps, positions: state.streams };
        if let (End::Failed(failure), Some(innermost)) = (&run.end, run.stack.last_mut()) {
            innermost.span = failure.span;
        }
        observer.ended(&mut self.machine, &mut state);
        run
    }

    /// How a run ends that cannot go on.
    fn end_of(&self, state: &ConcreteState, halt: Halt) -> End {
        match (halt, self.stack(state, false).last()) {
            (Halt::Failed { kind, detail }, Some(Call { span, .. })) => {
                End::Failed(Failure { kind, detail, span: *span })
            }
            (halt, _) => End::Halted(halt),
        }
    }

    /// Executes as many instructions as the budget allows; the end if it was reached.
    fn run_piece<O: Observer>(
        &mut self,
        state: &mut ConcreteState,
        budget: &mut u64,
        output: &mut dyn Output,
        observer: &mut O,
    ) -> Result<Option<End>, Box<Halt>> {
        loop {
            match self.machine.advance(state, &mut Watched(observer), budget)? {
                Event::Paused => return Ok(None),
                Event::Entered => observer.jump(&mut self.machine, state),
                Event::Branch { condition, then, otherwise } => {
                    self.follow(state, if condition { then } else { otherwise }, observer);
                }
                Event::Switch { value, cases, default } => {
                    let case = cases.iter().find(|(case, _)| *case == value);
                    self.follow(state, case.map_or(default, |(_, block)| *block), observer);
                }
                Event::Output(value) => {
                    if !output.number(&value) {
                        return Err(Box::new(Halt::Limit(Limit::OutputClosed)));
                    }
                }
                Event::Written => {
                    for (stream, bytes) in self.machine.domain.written.drain(..) {
                        if !output.bytes(stream, &bytes) {
                            return Err(Box::new(Halt::Limit(Limit::OutputClosed)));
                        }
                    }
                }
                Event::Called => {
                    if state.frames.len() > self.max_depth {
                        let depth = self.max_depth;
                        return Err(Box::new(Halt::Limit(Limit::Depth { depth })));
                    }
                    if let Some(frame) = state.frames.last() {
                        observer.called(frame.function);
                    }
                }
                Event::Returned => observer.returned(),
                Event::Checked { check, instruction, .. } => {
                    let failure = self.failure(state, check, instruction.span);
                    return Ok(Some(End::Failed(failure)));
                }
                Event::Assumed(_) => return Ok(Some(End::AssumptionFailed)),
                Event::Finished(value) => return Ok(Some(End::Returned(value))),
                Event::Exited(status) => return Ok(Some(End::Exited(status))),
                Event::Aborted => return Ok(Some(End::Aborted)),
            }
        }
    }

    fn follow(&mut self, state: &mut ConcreteState, next: BlockId, observer: &mut impl Observer) {
        let Some(frame) = state.frames.last() else { return };
        let (function, from) = (frame.function, frame.block);
        observer.edge(function, from, next);
        Machine::enter(state, next);
        if observer.jumps(function, from, next) {
            observer.jump(&mut self.machine, state);
        }
    }

    fn failure(&mut self, state: &mut ConcreteState, check: &Check, span: Span) -> Failure {
        let detail = explain::failure(&mut self.machine, state, check);
        Failure { kind: check.kind, detail, span }
    }

    /// The active calls. A frame has already gone past the instruction that it is executing, unless
    /// it is the innermost one and the run was paused between two instructions.
    fn stack(&self, state: &ConcreteState, paused: bool) -> Vec<Call> {
        let innermost = state.frames.len().saturating_sub(1);
        let call = |(depth, frame): (usize, &crate::state::Frame<Concrete>)| {
            let function = self.machine.program.function(frame.function);
            let block = function.block(frame.block);
            let passed = usize::from(depth < innermost || !paused);
            let at = frame.next.saturating_sub(passed);
            let current = block.instructions.get(at);
            let span = current.map_or(block.terminator.span, |instruction| instruction.span);
            Call { function: frame.function, span }
        };
        state.frames.iter().enumerate().map(call).collect()
    }
}

#[cfg(test)]
mod tests;
