//! Functions for tests, and answers by brute force.

use super::location::Location;
use super::use_def::Definition;
use crate::check::{Check, CheckKind, Predicate};
use crate::program::{
    Block, BlockId, Const, Function, Instruction, InstructionKind, Local, LocalId, Operand, Place,
    Program, Projection, Rvalue, StatementId, Storage, Symbol, Terminator, TerminatorKind,
};
use crate::source::{FileId, Position, Span};
use crate::text;
use crate::types::TypeId;
use crate::validate::validate;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The span of one line.
pub(super) fn line(number: u32) -> Span {
    Span::new(FileId(0), Position::new(number, 1), Position::new(number, 9))
}

/// Blocks without instructions from the lists of their successors.
pub(super) fn function(successors: &[Vec<u32>]) -> Function {
    let blocks = successors.iter().map(|next| block(Vec::new(), None, next)).collect();
    with_blocks(blocks)
}

/// The same for lists that are written down.
pub(super) fn shape(successors: &[&[u32]]) -> Function {
    function(&successors.iter().map(|next| next.to_vec()).collect::<Vec<_>>())
}

/// A loop with so many branches one after the other: block 1 is its header.
pub(super) fn diamonds(count: u32) -> Vec<Vec<u32>> {
    let mut successors: Vec<Vec<u32>> = vec![vec![1], vec![2, 3 * count + 2]];
    for first in (0..count).map(|number| 2 + 3 * number) {
        let end = if first + 3 == 3 * count + 2 { 1 } else { first + 3 };
        successors.extend([vec![first + 1, first + 2], vec![end], vec![end]]);
    }
    successors.push(vec![]);
    successors
}

/// The numbers as blocks.
pub(super) fn blocks(numbers: &[u32]) -> Vec<BlockId> {
    numbers.iter().copied().map(BlockId).collect()
}

fn with_blocks(blocks: Vec<Block>) -> Function {
    let local = |storage| Local { name: None, ty: TypeId::ANY, storage, span: line(1) };
    let mut locals = vec![local(Storage::Register); REGISTERS as usize];
    locals.push(local(Storage::Memory));
    Function {
        name: "f".to_owned(),
        params: 1,
        result: None,
        locals,
        statements: vec![line(1)],
        blocks,
        span: line(1),
    }
}

fn block(instructions: Vec<InstructionKind>, condition: Option<LocalId>, next: &[u32]) -> Block {
    let condition = condition.map_or(Operand::Const(Const::Bool(true)), Operand::Local);
    let kind = match next {
        [] => TerminatorKind::Return(None),
        [only] => TerminatorKind::Goto(BlockId(*only)),
        [then, otherwise] => TerminatorKind::Branch {
            condition,
            then: BlockId(*then),
            otherwise: BlockId(*otherwise),
        },
        [cases @ .., default] => TerminatorKind::Switch {
            value: condition,
            cases: cases.iter().zip(0..).map(|(to, n)| (i64::into(n), BlockId(*to))).collect(),
            default: BlockId(*default),
        },
    };
    let instruction = |kind| Instruction { kind, span: line(1), statement: StatementId(0) };
    Block {
        instructions: instructions.into_iter().map(instruction).collect(),
        terminator: Terminator { kind, span: line(1), statement: StatementId(0) },
    }
}

/// Graphs of up to `most` blocks; some have unreachable blocks, infinite loops, no exit.
pub(super) fn graphs(most: u32) -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1..=most).prop_flat_map(|count| {
        let next = prop::collection::vec(0..count, 0..4);
        prop::collection::vec(next, count as usize)
    })
}

/// What can be reached from `from` without going through `without`.
pub(super) fn reach(successors: &[Vec<u32>], from: u32, without: Option<u32>) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if Some(block) != without && seen.insert(block) {
            open.extend(&successors[block as usize]);
        }
    }
    seen
}

/// The graph with all edges turned.
pub(super) fn reversed(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new(); successors.len()];
    for (from, next) in successors.iter().enumerate() {
        for to in next {
            all[*to as usize].push(from as u32);
        }
    }
    all
}

/// How many registers a [`Sample`] has, the first of them a parameter; the local behind them is in
/// memory.
pub(super) const REGISTERS: u32 = 3;

/// An instruction whose effect on registers is plain to see.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant(LocalId),
    Copy(LocalId, LocalId),
    Undefined(LocalId),
    Declare(LocalId),
    Check(LocalId),
    Output(LocalId),
    /// A field of a record in a register is replaced.
    Update(LocalId),
    /// A write through the first, of the second.
    StoreThrough(LocalId, LocalId),
    /// The memory local is written.
    StoreMemory(LocalId),
}

impl Op {
    fn kind(self) -> InstructionKind {
        let null = Operand::Const(Const::Null);
        match self {
            Op::Constant(target) => InstructionKind::Assign { target, value: Rvalue::Use(null) },
            Op::Copy(target, source) => {
                InstructionKind::Assign { target, value: Rvalue::Use(Operand::Local(source)) }
            }
            Op::Undefined(target) => {
                InstructionKind::Assign { target, value: Rvalue::Undefined(TypeId::ANY) }
            }
            Op::Declare(local) => InstructionKind::Live(local),
            Op::Check(local) => InstructionKind::Check(Check {
                kind: CheckKind::Uninitialised,
                predicate: Predicate::Initialised(Place::local(local)),
            }),
            Op::Output(local) => InstructionKind::Output(Operand::Local(local)),
            Op::Update(local) => InstructionKind::Store {
                place: Place::local(local).project(Projection::Named(Symbol(0))),
                value: null,
            },
            Op::StoreThrough(pointer, value) => InstructionKind::Store {
                place: Place::local(pointer).project(Projection::Deref),
                value: Operand::Local(value),
            },
            Op::StoreMemory(value) => InstructionKind::Store {
                place: Place::local(LocalId(REGISTERS)),
                value: Operand::Local(value),
            },
        }
    }

    fn reads(self, register: LocalId) -> bool {
        match self {
            Op::Constant(_) | Op::Undefined(_) | Op::Declare(_) => false,
            Op::Copy(_, local)
            | Op::Check(local)
            | Op::Output(local)
            | Op::Update(local)
            | Op::StoreMemory(local) => local == register,
            Op::StoreThrough(pointer, value) => pointer == register || value == register,
        }
    }

    fn defines(self, register: LocalId) -> bool {
        match self {
            Op::Constant(local)
            | Op::Copy(local, _)
            | Op::Undefined(local)
            | Op::Declare(local)
            | Op::Update(local) => local == register,
            Op::Check(_) | Op::Output(_) | Op::StoreThrough(..) | Op::StoreMemory(_) => false,
        }
    }

    /// Whether the register is initialised behind the instruction, if it was so before or not.
    fn initialised(self, register: LocalId, before: bool) -> bool {
        match self {
            Op::Constant(local) | Op::Copy(local, _) | Op::Check(local) if local == register => {
                true
            }
            Op::Undefined(local) | Op::Declare(local) if local == register => false,
            _ => before,
        }
    }
}

/// A block of a [`Sample`].
#[derive(Clone, Debug)]
pub(super) struct SampleBlock {
    pub(super) ops: Vec<Op>,
    pub(super) condition: LocalId,
    pub(super) next: Vec<u32>,
}

/// A random function.
#[derive(Clone, Debug)]
pub(super) struct Sample(pub(super) Vec<SampleBlock>);

/// Random functions of up to `most` blocks.
pub(super) fn samples(most: u32) -> impl Strategy<Value = Sample> {
    graphs(most).prop_flat_map(|graph| {
        let blocks = graph.into_iter().map(|next| {
            let ops = prop::collection::vec(op(), 0..4);
            (ops, register(), Just(next)).prop_map(|(ops, condition, next)| SampleBlock {
                ops,
                condition,
                next,
            })
        });
        blocks.collect::<Vec<_>>().prop_map(Sample)
    })
}

fn register() -> impl Strategy<Value = LocalId> {
    (0..REGISTERS).prop_map(LocalId)
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        register().prop_map(Op::Constant),
        (register(), register()).prop_map(|(target, source)| Op::Copy(target, source)),
        register().prop_map(Op::Undefined),
        register().prop_map(Op::Declare),
        register().prop_map(Op::Check),
        register().prop_map(Op::Output),
        register().prop_map(Op::Update),
        (register(), register()).prop_map(|(pointer, value)| Op::StoreThrough(pointer, value)),
        register().prop_map(Op::StoreMemory),
    ]
}

/// What a path to a place has done to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct History {
    /// The last definition.
    pub(super) definition: Definition,
    /// Whether it is initialised.
    pub(super) initialised: bool,
}

impl Sample {
    /// As a function.
    pub(super) fn function(&self) -> Function {
        let blocks = self.0.iter().map(|content| {
            let kinds = content.ops.iter().map(|op| op.kind()).collect();
            block(kinds, Some(content.condition), &content.next)
        });
        with_blocks(blocks.collect())
    }

    /// All places.
    pub(super) fn locations(&self) -> Vec<Location> {
        let blocks = self.0.iter().zip(0..);
        let places = |(content, block): (&SampleBlock, u32)| {
            (0..=content.ops.len() as u32).map(move |index| Location::new(BlockId(block), index))
        };
        blocks.flat_map(places).collect()
    }

    /// The instruction at a place; `None` for a terminator.
    pub(super) fn op(&self, location: Location) -> Option<Op> {
        self.0[location.block.index()].ops.get(location.index as usize).copied()
    }

    /// Whether the step at a place reads `register`.
    pub(super) fn reads(&self, location: Location, register: LocalId) -> bool {
        let content = &self.0[location.block.index()];
        match self.op(location) {
            Some(op) => op.reads(register),
            None => content.next.len() > 1 && content.condition == register,
        }
    }

    /// The places that may come next.
    fn next(&self, location: Location) -> Vec<Location> {
        if self.op(location).is_some() {
            return vec![Location::new(location.block, location.index + 1)];
        }
        let next = &self.0[location.block.index()].next;
        next.iter().map(|to| Location::new(BlockId(*to), 0)).collect()
    }

    /// What the paths from the entry may have done to `register` before each place.
    pub(super) fn histories(&self, register: LocalId) -> BTreeSet<(Location, History)> {
        let start = History { definition: Definition::Entry, initialised: register == LocalId(0) };
        let mut open = vec![(Location::new(BlockId(0), 0), start)];
        let mut seen = BTreeSet::new();
        while let Some((location, history)) = open.pop() {
            if !seen.insert((location, history)) {
                continue;
            }
            let mut after = history;
            if let Some(op) = self.op(location) {
                after.initialised = op.initialised(register, history.initialised);
                if op.defines(register) {
                    after.definition = Definition::At(location);
                }
            }
            open.extend(self.next(location).into_iter().map(|next| (next, after)));
        }
        seen
    }

    /// Whether a path from before `location` reads `register` before it defines it.
    pub(super) fn is_live(&self, location: Location, register: LocalId) -> bool {
        let mut open = vec![location];
        let mut seen = BTreeSet::new();
        while let Some(location) = open.pop() {
            if self.reads(location, register) {
                return true;
            }
            let defines = self.op(location).is_some_and(|op| op.defines(register));
            if !defines && seen.insert(location) {
                open.extend(self.next(location));
            }
        }
        false
    }
}

/// A program from a text without places: every declaration and step gets a line of its own.
pub(super) fn program(text: &str) -> Program {
    let mut all = String::new();
    for (written, number) in text.lines().zip(1..) {
        let place = format!("@{number}:1-{number}:9");
        let written = written.trim();
        if written.starts_with("fn ") {
            let (head, result) = written.rsplit_once(')').expect("parameters");
            let (name, parameters) = head.split_once('(').expect("parameters");
            let parameters: Vec<String> = parameters
                .split(", ")
                .filter(|p| !p.is_empty())
                .map(|p| format!("{p} {place}"))
                .collect();
            let result = result.trim_end_matches('{').trim_end();
            all += &format!(
                "{name}({}){result} {place} {{\n  stmt #0 {place}\n",
                parameters.join(", ")
            );
        } else if written.starts_with("let ") {
            let at = all.rfind("  stmt").expect("a function");
            all.insert_str(at, &format!("  {written} {place}\n"));
        } else if written.starts_with("global ") {
            all += &format!("{written} {place}\n");
        } else if written.is_empty()
            || written == "}"
            || written.ends_with(':')
            || ["entry ", "record ", "pointer-size "].iter().any(|word| written.starts_with(word))
        {
            all += &format!("{written}\n");
        } else {
            all += &format!("  {written} {place} #0\n");
        }
    }
    let program = text::parse(&all).unwrap_or_else(|error| panic!("{error}\n{all}"));
    validate(&program).unwrap_or_else(|violation| panic!("{violation}\n{all}"));
    program
}
