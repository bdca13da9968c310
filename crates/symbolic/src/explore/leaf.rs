//! How paths end, and the inputs that lead there.

use super::jump::{Jump, Jumper, Passed, Plan, Planner};
use super::{Branch, Explorer, Step, Way};
use crate::domain::{CommandLine, Elements, PROGRAM_NAME, Reading, Streams, Symbolic, Unknown};
use crate::halt::internal;
use crate::memory::Memory;
use crate::output::Output;
use crate::path::Path;
use crate::property::Judgement;
use crate::summary::Unwound;
use crate::trail::Trail;
use crate::value::{Int, SymbolicValue};
use loupe_engine::concrete::{self, Interpreter, Limit, RunLength, Unobserved};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::source::Span;
use loupe_ir::types::IntType;
use loupe_solver::Reason;
use loupe_term::{Assignment, Value};
use std::collections::BTreeMap;

/// Inputs that lead to the end of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The inputs, in the order in which they are read.
    pub inputs: Vec<Integer>,
    /// Where each of them is read.
    pub places: Vec<Option<Span>>,
    /// The uninitialised values, in the order in which objects and variables take them.
    pub undefined: Vec<Integer>,
    /// The standard input.
    pub standard_input: Vec<u8>,
    /// The command line, the name of the program first.
    pub command_line: Vec<Vec<u8>>,
}

/// How a path ended.
#[derive(Clone, Debug)]
pub enum End {
    /// The entry function returned.
    Returned(Option<SymbolicValue>),
    /// The program ended itself with a status.
    Exited(Int),
    /// The program ended itself abnormally.
    Aborted,
    /// A check failed.
    Failed {
        /// Of this kind.
        kind: CheckKind,
        /// Which means this.
        judgement: Judgement,
    },
    /// What comes then has no model.
    Unsupported(String),
    /// The solver does not know whether a check can fail.
    MayFail(CheckKind, Reason),
    /// The solver does not know what would be needed to go on.
    Solver(Reason),
    /// A limit was reached.
    Limit(String),
}

/// The end of a path.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// How it ended.
    pub end: End,
    /// Where.
    pub span: Span,
    /// What must hold for an execution to come here.
    pub path: Path,
    /// What was read.
    pub streams: Streams,
    /// What was put out.
    pub outputs: Trail<Output>,
    /// All objects.
    pub memory: Memory,
    /// What was decided on the way.
    pub decisions: Vec<Step>,
    /// Whether a loop on the way was approximated: perhaps no execution comes here.
    pub is_approximated: bool,
    /// The loops that were passed by their summaries.
    pub(crate) passed: Trail<Passed>,
}

/// A replay that fails as its path does.
pub(super) struct Confirmed {
    pub(super) run: concrete::Run,
    /// Iterations that it has gone over.
    pub(super) jumps: Vec<Jump>,
    /// Those that it could have gone over.
    pub(super) plan: Plan,
}

/// Replays of paths through summaries take at most so many steps.
const MAX_REPLAYED: u64 = 100_000_000;

/// More uninitialised values are not listed: an object of that size is hardly meant.
const MAX_UNDEFINED: usize = 1 << 22;

impl Symbolic {
    /// Whether a selector of merged ways holds for these values; a symbol that they lack does not matter.
    pub(crate) fn chosen(&self, selector: loupe_term::Term, model: &Assignment) -> bool {
        self.terms.holds(selector, model) == Ok(true)
    }

    fn number_in(&self, int: &Int, model: &Assignment) -> Option<Integer> {
        match int {
            Int::Known(number) => Some(number.clone()),
            Int::Term(term) => match self.terms.evaluate(*term, model) {
                Ok(Value::Int(number)) => Some(number),
                _ => None,
            },
        }
    }

    /// The inputs that a model stands for, if they can be told.
    ///
    /// # Errors
    ///
    /// If Loupe is broken.
    pub fn inputs_of(
        &mut self,
        streams: &Streams,
        memory: &Memory,
        model: &Assignment,
    ) -> Result<Option<Model>, Box<crate::halt::Halt>> {
        let mut unwound = Unwound::default();
        let mut all = None;
        // A selector was decided before what it selects was read.
        let readings = streams.readings_trail().along(|selector| self.chosen(selector, model));
        for reading in readings {
            match reading {
                Reading::Input(input) => {
                    let values = all.as_ref().unwrap_or(model);
                    let Some(number) = self.number_in(&Int::Term(input.symbol), values) else {
                        return Ok(None);
                    };
                    unwound.inputs.push((number, input.place));
                }
                Reading::Loop(passage) => {
                    let values = all.get_or_insert_with(|| model.clone());
                    if self.unwind(&passage, values, &mut unwound)?.is_none() {
                        return Ok(None);
                    }
                }
            }
        }
        let model = all.as_ref().unwrap_or(model);
        Ok(self.inputs_with(streams, memory, model, unwound))
    }

    /// The same, when it is known what loops have read.
    fn inputs_with(
        &self,
        streams: &Streams,
        memory: &Memory,
        model: &Assignment,
        unwound: Unwound,
    ) -> Option<Model> {
        let (inputs, places) = unwound.inputs.into_iter().unzip();
        let mut known: BTreeMap<usize, Integer> = unwound.undefined;
        let mut unknowns: Vec<Unknown> =
            streams.unknowns_trail().along(|selector| self.chosen(selector, model));
        unknowns.reverse();
        let is_seen = |unknown: &&Unknown| unknown.when.is_none_or(|when| self.chosen(when, model));
        unknowns.extend(memory.unknowns().filter(is_seen).cloned());
        let start = |unknown: &Unknown| self.number_in(&unknown.position, model)?.to_usize();
        for unknown in &unknowns {
            if let Some(elements) = &unknown.count {
                self.elements_in(unknown, elements, start(unknown)?, model, &mut known)?;
            }
        }
        // What was looked at by itself is what was seen, whatever an array around it says.
        for unknown in unknowns.iter().filter(|unknown| unknown.count.is_none()) {
            let value = self.number_in(&Int::Term(unknown.symbol), model)?;
            known.insert(start(unknown)?, value);
        }
        let length = known.keys().next_back().map_or(0, |last| last + 1);
        if length > MAX_UNDEFINED {
            return None;
        }
        let mut undefined = vec![Integer::ZERO; length];
        for (position, value) in known {
            undefined[position] = value;
        }
        let standard_input = self.standard_input_in(streams, model)?;
        let command_line = self.command_line_in(streams, model)?;
        Some(Model { inputs, places, undefined, standard_input, command_line })
    }

    /// The bytes of the standard input, up to its end.
    fn standard_input_in(&self, streams: &Streams, model: &Assignment) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for symbol in streams.standard_input() {
            let byte = self.number_in(&Int::Term(symbol), model)?;
            match byte.to_usize() {
                Some(byte) => bytes.push(u8::try_from(byte).ok()?),
                None => break,
            }
        }
        Some(bytes)
    }

    fn command_line_in(&self, streams: &Streams, model: &Assignment) -> Option<Vec<Vec<u8>>> {
        let CommandLine { count, bytes, .. } = streams.command_line();
        let mut line = vec![Vec::new(); count.unwrap_or(1)];
        line.first_mut()?.extend_from_slice(PROGRAM_NAME);
        for ((argument, _), symbol) in bytes.iter() {
            let byte = self.number_in(&Int::Term(*symbol), model)?.to_usize()?;
            // Only the last one that was looked at can be the end.
            match byte {
                0 => {}
                byte => line.get_mut(*argument)?.push(u8::try_from(byte).ok()?),
            }
        }
        Some(line)
    }

    /// The values of the stream that the elements of an array are.
    fn elements_in(
        &self,
        unknown: &Unknown,
        elements: &Elements,
        start: usize,
        model: &Assignment,
        known: &mut BTreeMap<usize, Integer>,
    ) -> Option<()> {
        let Elements { size, stride, scalar, int } = elements;
        let size = self.number_in(size, model)?.to_usize()? as u64;
        // The last element may be cut off by the end of the object.
        let count = size.div_ceil(*stride);
        let Ok(Value::Array(array)) = self.terms.evaluate(unknown.symbol, model) else {
            return Some(());
        };
        let listed: Vec<u64> = match array.default {
            Value::Int(ref default) if default.is_zero() => {
                let listed = array.elements.keys().filter_map(|at| at.to_usize());
                listed.map(|at| at as u64).filter(|at| *at < count).collect()
            }
            _ if count < MAX_UNDEFINED as u64 => (0..count).collect(),
            _ => return None,
        };
        for number in listed {
            let Value::Int(value) = array.get(&Integer::from(number)) else { return None };
            let value = int.wrap(value.clone());
            let bits = IntType::unsigned((stride * 8) as u32).wrap(value);
            // An element may be several values of the stream; the other way round it is a part of one.
            for piece in 0..(stride / scalar).max(1) {
                // What lies behind the end are the values of the next object.
                if number * stride + piece * scalar >= size {
                    break;
                }
                let position = start + ((number * stride + piece * scalar) / scalar) as usize;
                let piece = bits.shift_right((piece * scalar * 8) as u32);
                let piece = IntType::unsigned((scalar * 8) as u32).wrap(piece);
                let shift = (number * stride) % scalar;
                let piece = piece.shift_left((shift * 8) as u32);
                let whole = known.entry(position).or_insert(Integer::ZERO);
                *whole = whole.bit_or(&piece);
            }
        }
        Some(())
    }
}

impl Explorer<'_> {
    /// Runs the program on inputs, up to its end or so many steps.
    fn replay(
        &self,
        model: &Model,
        max_steps: Option<u64>,
        observer: &mut impl concrete::Observer,
    ) -> concrete::Run {
        let stream = |numbers: &[Integer]| Box::new(numbers.iter().cloned().collect::<RunLength>());
        let interrupt = self.machine.domain.limits.interrupt.clone();
        let supervisor = move || interrupt.is_requested().then_some(Limit::Interrupted);
        let options = concrete::Options {
            input: stream(&model.inputs),
            undefined: stream(&model.undefined),
            end_of_input: self.options.end_of_input.clone(),
            standard_input: Box::new(model.standard_input.clone()),
            command_line: model.command_line.clone(),
            max_steps,
            supervisor: Some(Box::new(supervisor)),
            ..concrete::Options::default()
        };
        let interpreter = Interpreter::new(self.machine.program, options);
        interpreter.run(&mut Vec::new(), observer)
    }

    /// The replay, which must fail in this way; `None` if the interpreter's limits do not allow it.
    pub(super) fn confirmed(
        &self,
        model: &Model,
        (kind, span): (CheckKind, Span),
        (branch, values): (&Branch, &Assignment),
    ) -> Result<Option<Confirmed>, Box<crate::halt::Halt>> {
        // What goes through summaries may take any number of steps.
        let way = branch.way;
        let max_steps = (way != Way::Executed).then_some(MAX_REPLAYED);
        let (program, domain) = (self.machine.program, &self.machine.domain);
        let plan = Planner { program, loops: &self.loops, domain }.plan(&branch.passed, values);
        let fails = |run: &concrete::Run| {
            matches!(&run.end, concrete::End::Failed(failure)
                if failure.kind == kind && failure.span == span)
        };
        let mut jumper = Jumper::new(&self.loops, plan.clone());
        let run = self.replay(model, max_steps, &mut jumper);
        let jumps = jumper.made;
        if fails(&run) {
            return Ok(Some(Confirmed { run, jumps, plan }));
        }
        // A jump is our claim, every single step is the program's: what is claimed in vain is executed instead. Behind an approximation the inputs themselves
        // are only a guess, and such a replay would most often be in vain.
        let run = match jumps.is_empty() || way == Way::Approximated {
            true => run,
            false => self.replay(model, Some(MAX_REPLAYED), &mut Unobserved),
        };
        match &run.end {
            _ if fails(&run) => {
                let (jumps, plan) = (Vec::new(), Plan::default());
                Ok(Some(Confirmed { run, jumps, plan }))
            }
            concrete::End::Halted(concrete::Halt::Limit(_)) => Ok(None),
            // That is what an approximation is.
            _ if way == Way::Approximated => Ok(None),
            other => Err(internal(format!(
                "a replay does not fail with `{}` at line {} but ends otherwise: {other:?}",
                kind.name(),
                span.start.line
            ))),
        }
    }

    pub(super) fn leaf(&self, branch: &Branch, end: End, span: Span) -> Leaf {
        let mut decisions: Vec<Step> = branch.decisions.iter().cloned().collect();
        decisions.reverse();
        Leaf {
            end,
            span,
            path: branch.path.clone(),
            streams: branch.state.streams.clone(),
            outputs: branch.outputs.clone(),
            memory: branch.state.memory.clone(),
            decisions,
            is_approximated: branch.way == Way::Approximated,
            passed: branch.passed.clone(),
        }
    }
}
