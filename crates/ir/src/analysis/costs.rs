//! How many queries will be asked about a variable from some point on.
//!
//! The estimates that decide whether it pays to merge two symbolic states (Kuznetsov et al., *Efficient State Merging in
//! Symbolic Execution*, 2012), in the two forms of the thesis (`003`, sections 4.3.1 and 5.4.3.2):
//!
//! - [`Method::Recursive`]: the sum over all successors, with at most κ iterations of every loop (`costs/unroll.rs`);
//! - [`Method::Lattice`]: backward data flow, where the larger number counts where paths meet, up to a limit
//!   (`costs/solve.rs`).
//!
//! **What is a query.** A branch, a switch (one for each way but the last), an assumption, and a check on values: zero, null,
//! an index, a range of memory, a result that does not fit. Types of values, fields of records and whether something was
//! written are known on every path, and in `a[i]` it is `i` that the check of the index asks about. A condition
//! involves the variables that its values were computed from, through temporaries, each once.
//!
//! **Assignments.** Behind `x = e(y)`, queries about `x` count for `y` before it, and no longer for the old `x`. What is
//! stored into a part of a variable, or through a pointer, counts for that variable or for memory, of which the rest stays.
//! Where a value gets on along several ways, queries that depend on it twice are counted twice, except within a block;
//! but no estimate is larger than the number of all queries.
//!
//! **Calls** (`costs/calls.rs`). What a function asks about a parameter counts for the argument, what it asks about global
//! variables and memory for these, and what is asked about its result for whatever gets into that.
//!
//! **Memory** that pointers lead to is one variable, [`Variable::Memory`]. Variables whose address is taken are part of it.
//!
//! The thesis analyses single functions. Its published numbers (listing 4.8) come out as they are there, except for two
//! that contradict the others.
//!
//! What this does not do: say whether a query is easy, or whether the solver will really be asked (where a condition is
//! constant on a path, it is not). Available expressions are not looked at: the same condition asked twice counts twice.

mod calls;
mod solve;
mod step;
#[cfg(test)]
mod tests;
mod unroll;
mod walk;
mod weights;

use super::graph::FlowGraph;
use super::slice::exposed_globals;
use crate::program::{BlockId, Function, FunctionId, GlobalId, LocalId, Program};
use calls::{CallGraph, Calls, any_asks, inputs, value};
use solve::Task;
use std::borrow::Cow;
use step::{Effect, Numbering, Steps, asked};
use thiserror::Error;
use walk::{Fact, Scratch, Walk, Wanted};
use weights::{Capped, Sum, Weights};

/// How queries are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All queries on all paths with at most so many iterations of each loop, and so many calls of a function below
    /// itself. At least one.
    Recursive {
        /// How many.
        kappa: u32,
    },
    /// The queries on the path with most of them, up to a limit. The time grows with the limit.
    Lattice {
        /// The limit.
        cap: u64,
    },
}

impl Method {
    /// The κ of the thesis.
    pub const KAPPA: u32 = 1;
    /// The limit of the thesis.
    pub const CAP: u64 = 10;
}

/// What a query may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A local, in a register or in memory.
    Local(LocalId),
    /// A global variable.
    Global(GlobalId),
    /// All that pointers lead to.
    Memory,
}

/// Somebody wanted the analysis to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the end")]
pub struct Stopped;

/// So many blocks are looked at between two questions whether to go on.
const BLOCKS_BETWEEN: u32 = 64;

/// Asks every now and then whether to go on.
struct Stop<'a> {
    goes_on: &'a mut dyn FnMut() -> bool,
    left: u32,
}

impl Stop<'_> {
    fn check(&mut self) -> Result<(), Stopped> {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return Ok(());
        }
        self.left = BLOCKS_BETWEEN;
        if (self.goes_on)() { Ok(()) } else { Err(Stopped) }
    }
}

/// A function, prepared.
#[derive(Clone, Debug)]
struct Prepared {
    numbering: Numbering,
    graph: FlowGraph,
    steps: Vec<Steps>,
}

impl Prepared {
    fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.steps.iter().flat_map(|steps| steps.effects.iter().map(|(_, effect)| effect))
    }
}

/// What is known at points of a block: at the starts of its segments, and at its end.
#[derive(Clone, Debug, Default)]
struct Points(Vec<Fact<u64>>);

impl Points {
    /// Of a block, from what the scratch says of its end.
    fn of<W: Weights<Value = u64>>(
        walk: &mut Walk<'_, W>,
        steps: &Steps,
        scratch: &mut Scratch<u64>,
    ) -> Self {
        let mut points = Vec::with_capacity(steps.segments.len() + 1);
        let start = walk.block(steps, scratch, |fact| points.push(fact), Wanted::Points);
        points.push(start);
        points.reverse();
        Points(points)
    }

    fn start(&self) -> &[(u32, u64)] {
        self.0.first().map_or(&[], |fact| fact)
    }
}

/// The estimates for a program.
#[derive(Clone, Debug)]
pub struct Costs {
    method: Method,
    prepared: Vec<Prepared>,
    calls: Calls,
    points: Vec<Vec<Points>>,
}

impl Costs {
    /// The estimates for all points of `program`.
    pub fn new(program: &Program, method: Method) -> Self {
        match Self::compute(program, method, &mut || true) {
            Ok(costs) => costs,
            // Nobody stops it.
            Err(Stopped) => {
                Costs { method, prepared: Vec::new(), calls: Calls::default(), points: Vec::new() }
            }
        }
    }

    /// The same, which stops as soon as `goes_on` says no.
    pub fn compute(
        program: &Program,
        method: Method,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Stopped> {
        let mut stop = Stop { goes_on, left: 1 };
        let prepared = prepare(program, &mut stop)?;
        let graph = CallGraph::new(program, &prepared);
        let calls = calls::flows(program, &prepared, &graph, &mut stop)?;
        let points = vec![Vec::new(); prepared.len()];
        let mut costs = Costs { method, prepared, calls, points };
        for component in &graph.components {
            match method {
                Method::Recursive { kappa } => {
                    let rounds = if component.is_recursive { kappa.saturating_add(1) } else { 1 };
                    for _ in 0..rounds.max(1) {
                        let members = &component.members;
                        if !costs.round(program, &graph, members, &mut stop)? {
                            break;
                        }
                    }
                }
                Method::Lattice { .. } => {
                    while costs.round(program, &graph, &component.members, &mut stop)?
                        && component.is_recursive
                    {}
                }
            }
        }
        Ok(costs)
    }

    /// Evaluates functions by what is known of their calls; says whether there is more to know now.
    fn round(
        &mut self,
        program: &Program,
        graph: &CallGraph,
        members: &[usize],
        stop: &mut Stop<'_>,
    ) -> Result<bool, Stopped> {
        let mut scratch = Scratch::new();
        let mut asks = Vec::new();
        for member in members {
            let Some(function) = program.functions.get(*member) else {
                asks.push(match self.method {
                    Method::Recursive { .. } => any_asks(&self.calls, &graph.taken, &mut Sum),
                    Method::Lattice { cap } => {
                        any_asks(&self.calls, &graph.taken, &mut Capped(cap))
                    }
                });
                continue;
            };
            let points = self.evaluate(*member, &mut scratch, stop)?;
            let entry = points.first().map_or(&[][..], Points::start);
            let numbering = &self.prepared[*member].numbering;
            let total = value(entry, numbering.total());
            asks.push((inputs(function, numbering, entry), total));
            self.points[*member] = points;
        }
        let mut changed = false;
        for (member, (asks, total)) in members.iter().zip(asks) {
            changed |= self.calls.set_asks(*member, asks, total);
        }
        Ok(changed)
    }

    fn evaluate(
        &self,
        index: usize,
        scratch: &mut Scratch<u64>,
        stop: &mut Stop<'_>,
    ) -> Result<Vec<Points>, Stopped> {
        let prepared = &self.prepared[index];
        let (numbering, calls) = (&prepared.numbering, &self.calls);
        match self.method {
            Method::Recursive { kappa } => {
                let mut walk = Walk { weights: Sum, numbering, calls };
                unroll::points(prepared, kappa, &mut walk, scratch, stop)
            }
            Method::Lattice { cap } => {
                let mut walk = Walk { weights: Capped(cap), numbering, calls };
                let task = Task { prepared, at_end: &|_| &[] };
                let starts = solve::fixed_point(&task, &mut walk, scratch, stop)?;
                Ok(solve::points(&task, &mut walk, scratch, &starts))
            }
        }
    }

    /// How they were counted.
    pub fn method(&self) -> Method {
        self.method
    }

    /// How many queries about `variable` come from the start of a block on.
    pub fn at(&self, function: FunctionId, block: BlockId, variable: Variable) -> u64 {
        self.at_point(function, block, 0, variable)
    }

    /// How many queries come from the start of a block on.
    pub fn total_at(&self, function: FunctionId, block: BlockId) -> u64 {
        self.total_at_point(function, block, 0)
    }

    /// How many queries about `variable` come in this function from some instruction of a block on; the number of instructions
    /// stands for the terminator. At the start of a block and behind calls this is a search in a table; elsewhere it
    /// is computed.
    pub fn at_point(
        &self,
        function: FunctionId,
        block: BlockId,
        next_instruction: usize,
        variable: Variable,
    ) -> u64 {
        let Some(prepared) = self.prepared.get(function.index()) else { return 0 };
        let Some(var) = prepared.numbering.number(variable) else { return 0 };
        self.value_at(function, block, next_instruction, var)
    }

    /// How many queries come in this function from some instruction of a block on.
    pub fn total_at_point(
        &self,
        function: FunctionId,
        block: BlockId,
        next_instruction: usize,
    ) -> u64 {
        let Some(prepared) = self.prepared.get(function.index()) else { return 0 };
        self.value_at(function, block, next_instruction, prepared.numbering.total())
    }

    fn value_at(&self, function: FunctionId, block: BlockId, next: usize, var: u32) -> u64 {
        match self.reader(function) {
            Some(mut reader) => value(&reader.fact(block, next), var),
            None => 0,
        }
    }

    /// Whether queries about a variable are counted as queries about memory: its address is taken.
    pub fn is_in_memory(&self, function: FunctionId, variable: Variable) -> bool {
        self.prepared.get(function.index()).is_some_and(|prepared| {
            prepared.numbering.number(variable) == Some(prepared.numbering.memory())
        })
    }

    /// All estimates in a function, point by point.
    pub fn reader(&self, function: FunctionId) -> Option<Reader<'_>> {
        let prepared = self.prepared.get(function.index())?;
        let points = self.points.get(function.index())?;
        Some(Reader { costs: self, prepared, points, scratch: Scratch::new() })
    }
}

fn prepare(program: &Program, stop: &mut Stop<'_>) -> Result<Vec<Prepared>, Stopped> {
    let exposed = exposed_globals(program);
    let mut scratch = Scratch::new();
    let mut prepare = |function: &Function| -> Result<Prepared, Stopped> {
        let numbering = Numbering::new(program, function, &exposed);
        scratch.fit(numbering.len());
        let mut steps = Vec::with_capacity(function.blocks.len());
        for (block, _) in function.blocks() {
            stop.check()?;
            steps.push(Steps::new(program, function, &numbering, block, &mut scratch));
        }
        Ok(Prepared { numbering, graph: FlowGraph::new(function), steps })
    };
    program.functions.iter().map(&mut prepare).collect()
}

/// Reads the estimates of one function.
pub struct Reader<'c> {
    costs: &'c Costs,
    prepared: &'c Prepared,
    points: &'c [Points],
    scratch: Scratch<u64>,
}

impl Reader<'_> {
    /// How many queries come from some instruction of a block on, about each variable about which there are some.
    pub fn at(&mut self, block: BlockId, next_instruction: usize) -> Vec<(Variable, u64)> {
        let numbering = &self.prepared.numbering;
        let fact = self.fact(block, next_instruction);
        let known =
            |(var, count): &(u32, u64)| numbering.variable(*var).map(|variable| (variable, *count));
        fact.iter().filter_map(known).collect()
    }

    /// How many come in all.
    pub fn total_at(&mut self, block: BlockId, next_instruction: usize) -> u64 {
        let total = self.prepared.numbering.total();
        value(&self.fact(block, next_instruction), total)
    }

    fn fact(&mut self, block: BlockId, next: usize) -> Cow<'_, [(u32, u64)]> {
        let Some((points, steps)) =
            self.points.get(block.index()).zip(self.prepared.steps.get(block.index()))
        else {
            return Cow::Borrowed(&[]);
        };
        let next = u32::try_from(next).unwrap_or(u32::MAX);
        let number = steps.segment_of(next);
        let Some(segment) = steps.segments.get(number) else { return Cow::Borrowed(&[]) };
        if segment.start == next {
            return points.0.get(number).map_or(Cow::Borrowed(&[]), |fact| Cow::Borrowed(fact));
        }
        let Some(behind) = points.0.get(number + 1) else { return Cow::Borrowed(&[]) };
        let effects = &steps.effects[segment.effects.clone()];
        let effects = &effects[effects.partition_point(|(index, _)| *index < next)..];
        Cow::Owned(match self.costs.method {
            Method::Recursive { .. } => self.between(Sum, behind, effects),
            Method::Lattice { cap } => self.between(Capped(cap), behind, effects),
        })
    }

    /// What is known before a part of a segment, from what is known behind it.
    fn between<W: Weights<Value = u64>>(
        &mut self,
        weights: W,
        behind: &[(u32, u64)],
        effects: &[(u32, Effect)],
    ) -> Vec<(u32, u64)> {
        let numbering = &self.prepared.numbering;
        let own = asked(effects, numbering.total(), &mut self.scratch);
        let mut walk = Walk { weights, numbering, calls: &self.costs.calls };
        self.scratch.branch(&mut walk.weights, behind);
        walk.effects(effects, &mut self.scratch);
        for (var, count) in own {
            let value = walk.weights.queries(count);
            self.scratch.add(&mut walk.weights, var, value);
        }
        self.scratch.take_all(&walk.weights, numbering.total()).into()
    }
}
