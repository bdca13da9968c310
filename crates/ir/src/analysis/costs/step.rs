//! What the steps of a function ask and move, prepared for being walked over many times.
//!
//! Variables are numbered for each function: its locals, the globals, then what has no name. A local or global
//! whose address is taken has no number of its own: it is part of the memory that pointers lead to.

use super::Variable;
use super::walk::{Scratch, move_back};
use super::weights::Single;
use crate::analysis::location::{Location, Step, steps};
use crate::analysis::slice::known_callee;
use crate::analysis::uses::{Access, Hops, visit_accesses};
use crate::check::Predicate;
use crate::program::{
    Base, BlockId, Function, GlobalAccess, GlobalId, Initial, InstructionKind, LocalId, Operand,
    Place, Program, Projection, Rvalue, TerminatorKind,
};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// A variable of a function, by its number.
pub(super) type Var = u32;

/// So many queries are told apart at once.
const TOGETHER: usize = 64;

/// The variables of a function, numbered.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    locals: u32,
    globals: u32,
    /// The locals in memory that pointers may lead to.
    exposed: FixedBitSet,
    /// The same for globals, and those that never change.
    exposed_globals: FixedBitSet,
    constant_globals: FixedBitSet,
}

impl Numbering {
    pub(super) fn new(
        program: &Program,
        function: &Function,
        exposed_globals: &BTreeSet<GlobalId>,
    ) -> Self {
        let mut exposed = FixedBitSet::with_capacity(function.locals.len());
        for local in crate::analysis::slice::exposed_locals(function) {
            exposed.insert(local.index());
        }
        let count = program.globals.len();
        let mut all = Numbering {
            locals: function.locals.len() as u32,
            globals: count as u32,
            exposed,
            exposed_globals: FixedBitSet::with_capacity(count),
            constant_globals: FixedBitSet::with_capacity(count),
        };
        all.exposed_globals.extend(exposed_globals.iter().map(|global| global.index()));
        let constant = |(_, global): &(usize, &crate::program::Global)| {
            global.access == GlobalAccess::ReadOnly
        };
        let globals = program.globals.iter().enumerate();
        all.constant_globals.extend(globals.filter(constant).map(|(index, _)| index));
        all
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        (self.total() + 1) as usize
    }

    /// The memory that pointers lead to.
    pub(super) fn memory(&self) -> Var {
        self.locals + self.globals
    }

    /// What the function returns.
    pub(super) fn result(&self) -> Var {
        self.memory() + 1
    }

    /// All queries, whatever they are about.
    pub(super) fn total(&self) -> Var {
        self.memory() + 2
    }

    /// The number of a local.
    pub(super) fn local(&self, local: LocalId) -> Var {
        if self.exposed.contains(local.index()) { self.memory() } else { local.0 }
    }

    /// The number of a global, unless it never changes.
    pub(super) fn global(&self, global: GlobalId) -> Option<Var> {
        if self.constant_globals.contains(global.index()) {
            None
        } else if self.exposed_globals.contains(global.index()) {
            Some(self.memory())
        } else {
            Some(self.locals + global.0)
        }
    }

    /// The number of a variable.
    pub(super) fn number(&self, variable: Variable) -> Option<Var> {
        match variable {
            Variable::Local(local) => (local.0 < self.locals).then(|| self.local(local)),
            Variable::Global(global) => {
                if global.0 < self.globals {
                    self.global(global)
                } else {
                    None
                }
            }
            Variable::Memory => Some(self.memory()),
        }
    }

    /// The variable with a number.
    pub(super) fn variable(&self, var: Var) -> Option<Variable> {
        if var < self.locals {
            Some(Variable::Local(LocalId(var)))
        } else if var < self.memory() {
            Some(Variable::Global(GlobalId(var - self.locals)))
        } else {
            (var == self.memory()).then_some(Variable::Memory)
        }
    }

    fn base(&self, base: Base) -> Option<Var> {
        match base {
            Base::Local(local) => Some(self.local(local)),
            Base::Global(global) => self.global(global),
        }
    }
}

/// What a step does that matters here.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// The solver is asked `times` times about something that these are involved in.
    Query { involved: Box<[Var]>, times: u64 },
    /// What `from` held gets into `into`; one of them forgets what it was.
    Move { into: Box<[Var]>, overwritten: Option<Var>, from: Box<[Var]> },
    /// A function is called, or with `None` any whose address is taken.
    Call { callee: Option<u32>, arguments: Box<[Option<Var>]>, target: Option<Var> },
}

/// A piece of a block without calls, except at its end.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The first instruction; the terminator comes behind all instructions.
    pub(super) start: u32,
    /// Its part of [`Steps::effects`].
    pub(super) effects: std::ops::Range<usize>,
    /// What its own queries are about, in terms of the values at its start.
    pub(super) own: Box<[(Var, u64)]>,
}

/// A block, prepared.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// What happens, with the instruction where.
    pub(super) effects: Vec<(u32, Effect)>,
    /// Its pieces, in order. There is at least one.
    pub(super) segments: Vec<Segment>,
}

impl Steps {
    pub(super) fn new(
        program: &Program,
        function: &Function,
        numbering: &Numbering,
        block: BlockId,
        scratch: &mut Scratch<u64>,
    ) -> Self {
        let mut reader = Reader { program, function, numbering, effects: Vec::new() };
        for (location, step) in steps(function, block) {
            reader.step(location, step);
        }
        let mut all = Steps { effects: reader.effects, segments: Vec::new() };
        all.divide();
        for segment in &mut all.segments {
            let effects = &all.effects[segment.effects.clone()];
            segment.own = asked(effects, numbering.total(), scratch).into();
        }
        all
    }

    /// Cuts behind calls, and where there are too many queries to tell apart.
    fn divide(&mut self) {
        let mut open = (0, 0);
        let mut queries = 0;
        for (index, (at, effect)) in self.effects.iter().enumerate() {
            let (ends, next) = match effect {
                Effect::Call { .. } => (true, at + 1),
                Effect::Query { .. } => {
                    queries += 1;
                    // Whatever else belongs to the same instruction stays with it.
                    let last = self.effects.get(index + 1).is_none_or(|(next, _)| next != at);
                    (queries >= TOGETHER - 1 && last, at + 1)
                }
                Effect::Move { .. } => (false, 0),
            };
            if ends {
                let (start, first) = std::mem::replace(&mut open, (next, index + 1));
                self.segments.push(Segment { start, effects: first..index + 1, own: [].into() });
                queries = 0;
            }
        }
        let (start, first) = open;
        let effects = first..self.effects.len();
        self.segments.push(Segment { start, effects, own: [].into() });
    }

    /// The piece that an instruction is in.
    pub(super) fn segment_of(&self, instruction: u32) -> usize {
        self.segments.partition_point(|segment| segment.start <= instruction).saturating_sub(1)
    }
}

/// What the queries among `effects` are about, in terms of the values before them, each counted once; and how
/// many there are in all. A call stands at the end, so nothing that is counted here comes behind it.
pub(super) fn asked(
    effects: &[(u32, Effect)],
    total: Var,
    scratch: &mut Scratch<u64>,
) -> Vec<(Var, u64)> {
    let mut times = Vec::new();
    for (_, effect) in effects.iter().rev() {
        match effect {
            Effect::Query { involved, times: count } => {
                let bit = 1u64.checked_shl(times.len() as u32).unwrap_or(0);
                times.push(*count);
                for var in involved {
                    scratch.add(&mut Single, *var, bit);
                }
            }
            Effect::Move { into, overwritten, from } => {
                move_back(&mut Single, scratch, into, *overwritten, from);
            }
            Effect::Call { .. } => {}
        }
    }
    let sum = |bits: u64| -> u64 {
        let counts = times.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        counts.map(|(_, count)| count).sum()
    };
    let mut all: Vec<(Var, u64)> =
        scratch.take_all(&Single, total).iter().map(|(var, bits)| (*var, sum(*bits))).collect();
    let queries: u64 = times.iter().sum();
    if queries > 0 {
        all.push((total, queries));
    }
    all
}

/// Collects the effects of steps.
struct Reader<'a> {
    program: &'a Program,
    function: &'a Function,
    numbering: &'a Numbering,
    effects: Vec<(u32, Effect)>,
}

impl Reader<'_> {
    fn step(&mut self, location: Location, step: Step<'_>) {
        let index = location.index;
        match step {
            Step::Instruction(instruction) => match &instruction.kind {
                InstructionKind::Check(check) => {
                    let involved = self.demanded(&check.predicate);
                    self.query(index, involved, 1);
                }
                InstructionKind::Assume(condition) => {
                    let involved = self.operands([condition]);
                    self.query(index, involved, 1);
                }
                InstructionKind::Call { target, callee, arguments } => {
                    self.call(index, *target, callee, arguments);
                }
                _ => self.moved(index, step),
            },
            Step::Terminator(terminator) => match &terminator.kind {
                TerminatorKind::Branch { condition: asked, .. }
                | TerminatorKind::Switch { value: asked, .. } => {
                    // Which of n ways is taken is found out by n - 1 questions.
                    let ways: BTreeSet<BlockId> = terminator.kind.successors().collect();
                    let involved = self.operands([asked]);
                    self.query(index, involved, ways.len().saturating_sub(1) as u64);
                }
                TerminatorKind::Return(Some(operand)) => {
                    let result = self.numbering.result();
                    let from = self.operands([operand]).into();
                    let effect =
                        Effect::Move { into: [result].into(), overwritten: Some(result), from };
                    self.effects.push((index, effect));
                }
                TerminatorKind::Goto(_)
                | TerminatorKind::Return(None)
                | TerminatorKind::Exit(_)
                | TerminatorKind::Abort
                | TerminatorKind::Unreachable => {}
            },
        }
    }

    fn operand(&self, operand: &Operand) -> Option<Var> {
        match operand {
            Operand::Local(local) => Some(self.numbering.local(*local)),
            Operand::Const(_) => None,
        }
    }

    fn operands<'o>(&self, operands: impl IntoIterator<Item = &'o Operand>) -> Vec<Var> {
        operands.into_iter().filter_map(|operand| self.operand(operand)).collect()
    }

    /// Nothing is asked about constants.
    fn query(&mut self, index: u32, involved: Vec<Var>, times: u64) {
        if times > 0 && !involved.is_empty() {
            self.effects.push((index, Effect::Query { involved: unique(involved), times }));
        }
    }

    fn call(
        &mut self,
        index: u32,
        target: Option<LocalId>,
        callee: &Operand,
        arguments: &[Operand],
    ) {
        let function = self.operand(callee);
        self.query(index, function.into_iter().collect(), 1);
        let effect = Effect::Call {
            callee: known_callee(callee).map(|id| id.0),
            arguments: arguments.iter().map(|argument| self.operand(argument)).collect(),
            target: target.map(|target| self.numbering.local(target)),
        };
        self.effects.push((index, effect));
    }

    /// The variables that it takes the solver to decide a check about.
    ///
    /// Which type a value has, which fields, and whether it was written, is known on every path. So is, mostly,
    /// which array a reference leads to, and how long that is: only the index decides.
    fn demanded(&self, predicate: &Predicate) -> Vec<Var> {
        match predicate {
            Predicate::Never(_)
            | Predicate::Is(..)
            | Predicate::IsNot(..)
            | Predicate::HasField(..)
            | Predicate::Takes(..)
            | Predicate::Comparable(..)
            | Predicate::Accepts { .. }
            | Predicate::Tracked(_)
            | Predicate::AllFreed => Vec::new(),
            Predicate::InBounds { index: operand, .. }
            | Predicate::Holds(operand)
            | Predicate::NonZero(operand)
            | Predicate::NonNull(operand)
            | Predicate::Representable(operand, _)
            | Predicate::Accessible(operand, _)
            | Predicate::Writable(operand, _)
            | Predicate::Freeable(operand) => self.operands([operand]),
            Predicate::Initialised(place) => {
                self.operands(place.projections.iter().filter_map(|step| match step {
                    Projection::Index(index) => Some(index),
                    _ => None,
                }))
            }
            Predicate::InRange { index: left, length: right }
            | Predicate::Fits(_, left, right)
            | Predicate::SameObject(left, right)
            | Predicate::AccessibleRange { pointer: left, count: right }
            | Predicate::WritableRange { pointer: left, count: right }
            | Predicate::InObject { pointer: left, index: right, .. } => {
                self.operands([left, right])
            }
            Predicate::Disjoint { left, right, count } => self.operands([left, right, count]),
        }
    }

    /// What an instruction reads and writes.
    fn moved(&mut self, index: u32, step: Step<'_>) {
        let memory = self.numbering.memory();
        let (mut into, mut from) = (Vec::new(), Vec::new());
        let mut overwritten = None;
        visit_accesses(step, &mut |access| match access {
            Access::Read(operand) => from.extend(self.operand(operand)),
            Access::Load(place) => {
                from.extend(self.numbering.base(place.base));
                from.extend((self.hops(place).most >= 1).then_some(memory));
            }
            Access::Address(place) => {
                let hops = self.hops(place);
                from.extend(self.numbering.base(place.base).filter(|_| hops.most >= 1));
                from.extend((hops.most >= 2).then_some(memory));
            }
            Access::Store(place) => {
                let hops = self.hops(place);
                let base = self.numbering.base(place.base);
                into.extend(base.filter(|_| hops.fewest == 0));
                into.extend((hops.most >= 1).then_some(memory));
                // Where it is written to decides what memory holds.
                from.extend(base.filter(|_| hops.fewest >= 1));
                if place.projections.is_empty() {
                    overwritten = base;
                }
            }
            Access::Assign(local) | Access::Live(local) | Access::Dead(local) => {
                into.push(self.numbering.local(local));
                overwritten = into.last().copied();
            }
            Access::LoadRange => from.push(memory),
            Access::StoreRange => into.push(memory),
            _ => {}
        });
        if fills_memory(step) {
            into.push(memory);
        }
        // Memory is more than what was written.
        let overwritten = overwritten.filter(|var| *var != memory);
        let (into, from) = (unique(into), unique(from));
        let stays = into.iter().all(|var| from.first() == Some(var)) && from.len() == 1;
        if !into.is_empty() && !stays && (overwritten.is_some() || !from.is_empty()) {
            self.effects.push((index, Effect::Move { into, overwritten, from }));
        }
    }

    fn hops(&self, place: &Place) -> Hops {
        Hops::of(self.program, self.function, place)
    }
}

/// Whether the parts of a new value lie in memory.
fn fills_memory(step: Step<'_>) -> bool {
    let Step::Instruction(instruction) = step else { return false };
    let InstructionKind::Assign { value, .. } = &instruction.kind else { return false };
    matches!(value, Rvalue::Array(..) | Rvalue::Allocate { initial: Initial::Value(_), .. })
}

fn unique(mut vars: Vec<Var>) -> Box<[Var]> {
    vars.sort_unstable();
    vars.dedup();
    vars.into()
}
