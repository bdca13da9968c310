//! One iteration, along the flowgraph: ways that agree in what is followed are one.

use super::{MOST_AGREEING, MOST_RUNS, Outliner, Source};
use crate::domain::Outcome;
use crate::value::{Bool, Int};
use loupe_engine::domain::Domain;
use loupe_integer::{Integer, Signedness};
use loupe_ir::analysis::location::steps;
use loupe_ir::analysis::loops::LoopId;
use loupe_ir::analysis::uses::{Access, visit_accesses};
use loupe_ir::program::{
    BinaryOp, BlockId, CompareOp, Const, Function, InstructionKind, LocalId, Operand, Place,
    Rvalue, TerminatorKind, UnaryOp,
};
use loupe_ir::types::{IntType, Type, TypeId};
use loupe_term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// A value that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Int(Term),
    Bool(Term),
    /// A pointer, as a number.
    Address(Term),
    /// Nobody follows it.
    Nothing,
}

impl Value {
    pub(super) fn term(self) -> Option<Term> {
        match self {
            Value::Int(term) | Value::Bool(term) | Value::Address(term) => Some(term),
            Value::Nothing => None,
        }
    }
}

/// An iteration that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(super) registers: BTreeMap<LocalId, Value>,
    pub(super) cells: BTreeMap<super::Cell, Value>,
    /// What holds on the way, each once.
    pub(super) guard: BTreeSet<Term>,
    /// Loads before and after something was stored have nothing to do with each other.
    pub(super) version: u32,
    /// The same for things of a type, where stores of others are believed to leave these alone.
    pub(super) typed: BTreeMap<TypeId, u32>,
}

impl Run {
    pub(super) fn version_of(&self, ty: TypeId) -> u32 {
        self.typed.get(&ty).copied().unwrap_or(self.version)
    }
}

pub(super) struct Walk<'w, 'o, 'p> {
    own: &'w mut Outliner<'o, 'p>,
    waiting: BTreeMap<BlockId, Vec<Run>>,
    ends: Vec<Run>,
}

impl<'w, 'o, 'p> Walk<'w, 'o, 'p> {
    pub(super) fn new(own: &'w mut Outliner<'o, 'p>) -> Self {
        Walk { own, waiting: BTreeMap::new(), ends: Vec::new() }
    }

    /// All ways back to the header; none if they are too many.
    pub(super) fn run(mut self) -> Outcome<Option<Vec<Run>>> {
        let (function, id) = self.own.key;
        let loops = self.own.loops;
        let forest = loops.of(function);
        let header = forest.get(id).header;
        let start = Run {
            registers: BTreeMap::new(),
            cells: BTreeMap::new(),
            guard: BTreeSet::new(),
            version: 0,
            typed: BTreeMap::new(),
        };
        let mut inside: Option<LoopId> = None;
        for block in forest.blocks(id) {
            // A loop inside is one piece.
            if inside.is_some_and(|inner| forest.contains(inner, *block)) {
                continue;
            }
            let runs = match *block == header {
                true => vec![start.clone()],
                false => self.waiting.remove(block).unwrap_or_default(),
            };
            inside = forest.headed_by(*block).filter(|inner| *inner != id);
            for run in merged(runs, &mut self.own.versions) {
                match inside {
                    Some(inner) => self.around(run, inner)?,
                    None => self.through(run, *block)?,
                }
            }
            let open: usize = self.waiting.values().map(Vec::len).sum();
            if open + self.ends.len() > 8 * MOST_AGREEING * MOST_RUNS {
                return Ok(None);
            }
        }
        let ends = merged(self.ends, &mut self.own.versions);
        Ok((ends.len() <= MOST_RUNS).then_some(ends))
    }

    /// Goes to a block, or ends. What nobody reads any more does not keep ways apart.
    fn enter(&mut self, mut run: Run, block: BlockId) {
        let liveness = &self.own.ground.liveness;
        run.registers.retain(|local, _| liveness.is_live_in(block, *local));
        let (function, id) = self.own.key;
        let forest = self.own.loops.of(function);
        if block == forest.get(id).header {
            add(&mut self.ends, run, MOST_AGREEING);
        } else if forest.contains(id, block) {
            add(self.waiting.entry(block).or_default(), run, MOST_AGREEING);
        }
    }

    /// Past a loop inside, which may have done whatever it does.
    fn around(&mut self, mut run: Run, inner: LoopId) -> Outcome<()> {
        let (function, _) = self.own.key;
        let forest = self.own.loops.of(function);
        let code = self.own.machine.program.function(function);
        let blocks = forest.blocks(inner);
        let mut assigned = BTreeSet::new();
        for block in blocks {
            for (_, step) in steps(code, *block) {
                visit_accesses(step, &mut |access| {
                    if let Access::Assign(local) = access {
                        assigned.insert(local);
                    }
                });
            }
        }
        for local in assigned {
            if !self.own.ground.followed.contains(&local) {
                continue;
            }
            let own = code.local(local);
            let name = own.name.clone().unwrap_or_else(|| "any".to_owned());
            let before = self.own.local(&mut run, local);
            let value = self.own.fresh(own.ty, &name, None);
            self.note_direction(&mut run, (local, blocks), before, value);
            run.registers.insert(local, value);
        }
        self.own.stored_inside(&mut run, blocks);
        let exits: BTreeSet<BlockId> = forest.get(inner).exits.iter().map(|edge| edge.to).collect();
        for exit in exits {
            self.enter(run.clone(), exit);
        }
        Ok(())
    }

    /// Notes that a loop inside moves something in one direction only. A number is believed not to wrap around; a pointer does not.
    fn note_direction(
        &mut self,
        run: &mut Run,
        (local, blocks): (LocalId, &[BlockId]),
        before: Value,
        after: Value,
    ) {
        let pair = match (before, after) {
            (Value::Address(before), Value::Address(after)) => Some((before, after)),
            (Value::Int(before), Value::Int(after)) if self.own.trust.believes_numbers() => {
                Some((before, after))
            }
            _ => None,
        };
        let code = self.own.machine.program.function(self.own.key.0);
        let (Some((before, after)), Some(direction)) = (pair, direction(code, local, blocks))
        else {
            return;
        };
        let terms = &mut self.own.machine.domain.terms;
        run.guard.insert(match direction {
            Direction::Up => terms.le(before, after),
            Direction::Down => terms.le(after, before),
        });
    }

    /// Through a block.
    fn through(&mut self, mut run: Run, block: BlockId) -> Outcome<()> {
        let code = self.own.machine.program.function(self.own.key.0);
        let block = code.block(block);
        for instruction in &block.instructions {
            self.own.step(&mut run, &instruction.kind)?;
        }
        match &block.terminator.kind {
            TerminatorKind::Branch { condition, then, otherwise } => {
                match self.own.truth(&mut run, condition) {
                    Some(Bool::Known(truth)) => {
                        self.enter(run, if truth { *then } else { *otherwise });
                    }
                    Some(Bool::Term(term)) => {
                        let sides = self.own.sides(term);
                        for (side, next) in sides.into_iter().zip([*then, *otherwise]) {
                            self.assume(run.clone(), side, next);
                        }
                    }
                    None => {
                        self.enter(run.clone(), *then);
                        self.enter(run, *otherwise);
                    }
                }
            }
            TerminatorKind::Switch { value, cases, default } => {
                let value = match self.own.operand(&mut run, value) {
                    Value::Int(value) => Some(value),
                    _ => None,
                };
                let mut rest = run.clone();
                let mut targets: BTreeMap<BlockId, Vec<Term>> = BTreeMap::new();
                for (number, next) in cases {
                    let Some(value) = value else {
                        targets.entry(*next).or_default();
                        continue;
                    };
                    let terms = &mut self.own.machine.domain.terms;
                    let number = terms.int(number.clone());
                    let same = terms.eq(value, number);
                    targets.entry(*next).or_default().push(same);
                    rest.guard.insert(terms.not(same));
                }
                for (next, conditions) in targets {
                    let any = match conditions.is_empty() {
                        true => Bool::Known(true),
                        false => {
                            let any = self.own.machine.domain.terms.or(conditions);
                            self.own.machine.domain.truth_of(any)
                        }
                    };
                    self.assume(run.clone(), any, next);
                }
                self.enter(rest, *default);
            }
            end => {
                for next in end.successors() {
                    self.enter(run.clone(), next);
                }
            }
        }
        Ok(())
    }

    fn assume(&mut self, mut run: Run, condition: Bool, next: BlockId) {
        match condition {
            Bool::Known(false) => {}
            Bool::Known(true) => self.enter(run, next),
            Bool::Term(term) => {
                let terms = &mut self.own.machine.domain.terms;
                let opposite = terms.not(term);
                if !run.guard.contains(&opposite) {
                    run.guard.insert(term);
                    self.enter(run, next);
                }
            }
        }
    }
}

/// Where something moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// The direction in which all steps of some blocks move a register; none if there are others, or both. A copy was made in the same block, when the register was somewhere between where it was at
/// first and where the direction leads, so a step from there does not lead behind the start either.
fn direction(code: &Function, local: LocalId, blocks: &[BlockId]) -> Option<Direction> {
    let amount = |operand: &Operand| match operand {
        Operand::Const(Const::Int(number, _)) => Some(number.clone()),
        _ => None,
    };
    if is_target_of_others(code, local, blocks) {
        return None;
    }
    let mut found = None;
    for block in blocks {
        // Registers that the register was copied to in this block, as `p++` does it.
        let mut copies = BTreeSet::from([local]);
        for instruction in &code.block(*block).instructions {
            let InstructionKind::Assign { target, value } = &instruction.kind else { continue };
            let is_own = |operand: &Operand| match operand {
                Operand::Local(other) => copies.contains(other),
                Operand::Const(_) => false,
            };
            if *target != local {
                let is_copy = matches!(value, Rvalue::Use(operand) if is_own(operand));
                if is_copy {
                    copies.insert(*target);
                } else {
                    copies.remove(target);
                }
                continue;
            }
            let step = match value {
                Rvalue::Offset { pointer, index, .. } if is_own(pointer) => amount(index)?,
                Rvalue::Binary(BinaryOp::Add, left, right) if is_own(left) => amount(right)?,
                Rvalue::Binary(BinaryOp::Add, left, right) if is_own(right) => amount(left)?,
                Rvalue::Binary(BinaryOp::Sub, left, right) if is_own(left) => amount(right)?.neg(),
                _ => return None,
            };
            let own = if step.is_negative() { Direction::Down } else { Direction::Up };
            if found.is_some_and(|found| found != own) {
                return None;
            }
            found = Some(own);
        }
    }
    found
}

/// Whether some blocks write a register in another way than by an assignment.
fn is_target_of_others(code: &Function, local: LocalId, blocks: &[BlockId]) -> bool {
    let mut instructions = blocks.iter().flat_map(|block| &code.block(*block).instructions);
    instructions.any(|instruction| match &instruction.kind {
        InstructionKind::Call { target, .. } | InstructionKind::Intrinsic { target, .. } => {
            *target == Some(local)
        }
        _ => false,
    })
}

/// Adds a run to others. Of those that agree in all values, some are kept apart by what holds on them; the rest become one, of which only what all know is known.
fn add(runs: &mut Vec<Run>, run: Run, most: usize) {
    let agrees = |other: &Run| {
        other.registers == run.registers
            && other.cells == run.cells
            && other.version == run.version
            && other.typed == run.typed
    };
    if runs.iter().any(|other| agrees(other) && other.guard.is_subset(&run.guard)) {
        return;
    }
    let count = runs.iter().filter(|other| agrees(other)).count();
    match runs.iter_mut().rev().find(|other| agrees(other)) {
        Some(other) if count >= most => {
            other.guard.retain(|condition| run.guard.contains(condition));
        }
        _ => runs.push(run),
    }
}

/// Runs that agree are one; where they are still too many, they agree in nothing that differs.
fn merged(runs: Vec<Run>, versions: &mut u32) -> Vec<Run> {
    if runs.len() <= MOST_RUNS {
        return runs;
    }
    let mut fewer = Vec::new();
    for run in runs {
        add(&mut fewer, run, 1);
    }
    if fewer.len() <= MOST_RUNS {
        return fewer;
    }
    let mut runs = fewer.into_iter();
    let Some(mut all) = runs.next() else { return Vec::new() };
    for run in runs {
        // What only one of them has changed differs.
        let here: Vec<LocalId> = all.registers.keys().copied().collect();
        for local in here.into_iter().filter(|local| !run.registers.contains_key(local)) {
            all.registers.insert(local, Value::Nothing);
        }
        let here: Vec<super::Cell> = all.cells.keys().copied().collect();
        for cell in here.into_iter().filter(|cell| !run.cells.contains_key(cell)) {
            all.cells.insert(cell, Value::Nothing);
        }
        all.guard.retain(|condition| run.guard.contains(condition));
        // What is loaded after this has nothing to do with what was loaded on either way.
        if (all.version, &all.typed) != (run.version, &run.typed) {
            *versions += 1;
            all.version = *versions;
            all.typed.clear();
        }
        for (local, value) in run.registers {
            if all.registers.get(&local) != Some(&value) {
                all.registers.insert(local, Value::Nothing);
            }
        }
        for (cell, value) in run.cells {
            if all.cells.get(&cell) != Some(&value) {
                all.cells.insert(cell, Value::Nothing);
            }
        }
    }
    vec![all]
}

impl Outliner<'_, '_> {
    /// The value of a register.
    pub(super) fn local(&mut self, run: &mut Run, local: LocalId) -> Value {
        match run.registers.get(&local) {
            Some(value) => *value,
            None if self.ground.followed.contains(&local)
                || !self.ground.written.contains(&local) =>
            {
                self.at_header(local)
            }
            None => Value::Nothing,
        }
    }

    pub(super) fn operand(&mut self, run: &mut Run, operand: &Operand) -> Value {
        let terms = &mut self.machine.domain.terms;
        match operand {
            Operand::Local(local) => self.local(run, *local),
            Operand::Const(Const::Int(number, _)) => Value::Int(terms.int(number.clone())),
            Operand::Const(Const::Bool(truth)) => Value::Bool(terms.bool(*truth)),
            Operand::Const(Const::Null) => Value::Address(terms.int(0)),
            Operand::Const(Const::Address(global, offset)) => {
                let object = self.object(super::memory::Object::Global(*global));
                let terms = &mut self.machine.domain.terms;
                let offset = terms.int(*offset);
                Value::Address(terms.add(object, offset))
            }
            Operand::Const(Const::Float(..) | Const::Function(_)) => Value::Nothing,
        }
    }

    pub(super) fn truth(&mut self, run: &mut Run, operand: &Operand) -> Option<Bool> {
        match self.operand(run, operand) {
            Value::Bool(term) => Some(self.machine.domain.truth_of(term)),
            _ => None,
        }
    }

    /// Executes an instruction.
    fn step(&mut self, run: &mut Run, kind: &InstructionKind) -> Outcome<()> {
        match kind {
            InstructionKind::Assign { target, value } => {
                if self.ground.followed.contains(target) {
                    let value = self.value(run, *target, value)?;
                    run.registers.insert(*target, value);
                }
            }
            InstructionKind::Store { place, value } => {
                let value = self.operand(run, value);
                self.store(run, place, value)?;
            }
            InstructionKind::Call { target, callee, arguments } => {
                let pointers = self.pointers(run, arguments);
                let given = self.given(arguments);
                self.called(run, Some(callee), (&pointers, &given));
                if let Some(target) = target
                    && self.ground.followed.contains(target)
                {
                    let name = super::effects::callee_of(callee)
                        .map(|callee| self.program().function(callee).name.clone());
                    let ty = self.program().function(self.key.0).local(*target).ty;
                    let source = name.clone().map(Source::Call);
                    let value = self.fresh(ty, name.as_deref().unwrap_or("call"), source);
                    self.probe(run, (callee, arguments), value);
                    run.registers.insert(*target, value);
                }
            }
            InstructionKind::Assume(operand) => {
                if let Some(Bool::Term(term)) = self.truth(run, operand) {
                    run.guard.insert(term);
                }
            }
            InstructionKind::Copy { to, .. } | InstructionKind::Fill { to, .. } => {
                let pointers = self.pointers(run, std::slice::from_ref(to));
                let given = self.given([to]);
                self.called(run, None, (&pointers, &given));
            }
            InstructionKind::Free(_) => self.called(run, None, (&[], &BTreeSet::new())),
            InstructionKind::Intrinsic { target, arguments, .. } => {
                let pointers = self.pointers(run, arguments);
                let given = self.given(arguments);
                self.called(run, None, (&pointers, &given));
                if let Some(target) = target {
                    let ty = self.program().function(self.key.0).local(*target).ty;
                    let value = self.fresh(ty, "any", None);
                    run.registers.insert(*target, value);
                }
            }
            InstructionKind::Live(local) | InstructionKind::Dead(local) => {
                let object = super::memory::Object::Local(*local);
                let cells: Vec<super::Cell> = self.cells.keys().copied().collect();
                for cell in cells {
                    if self.mentions(cell.0, object) {
                        self.forget(run, cell);
                    }
                }
                if self.ground.followed.contains(local) && self.ground.written.contains(local) {
                    run.registers.insert(*local, Value::Nothing);
                }
            }
            InstructionKind::Check(_) | InstructionKind::Output(_) => {}
        }
        Ok(())
    }

    /// Notes what a call returns for zero, if that can be computed.
    fn probe(&mut self, run: &mut Run, (callee, arguments): (&Operand, &[Operand]), value: Value) {
        let Some(callee) = super::effects::callee_of(callee) else { return };
        let program = self.program();
        let result = super::probe::result(program, program.function(callee), Integer::ZERO);
        let (Some(result), [argument]) = (result, arguments) else { return };
        let Value::Int(argument) = self.operand(run, argument) else { return };
        let terms = &mut self.machine.domain.terms;
        let zero = terms.int(0);
        let other = terms.ne(argument, zero);
        let same = match value {
            Value::Int(value) => {
                let result = terms.int(result);
                terms.eq(value, result)
            }
            Value::Bool(value) if result.is_zero() => terms.not(value),
            Value::Bool(value) => value,
            Value::Address(_) | Value::Nothing => return,
        };
        let known = terms.or([other, same]);
        if terms.as_bool(known).is_none() {
            run.guard.insert(known);
        }
    }

    fn pointers(&mut self, run: &mut Run, operands: &[Operand]) -> Vec<Term> {
        let mut all = Vec::new();
        for operand in operands {
            // What only calls are given is not followed: its address may be looked for here.
            if let Value::Address(term) = self.operand(run, operand) {
                all.push(term);
            }
        }
        all
    }

    /// The value of an expression.
    fn value(&mut self, run: &mut Run, target: LocalId, value: &Rvalue) -> Outcome<Value> {
        let ty = self.program().function(self.key.0).local(target).ty;
        let known = match value {
            Rvalue::Use(operand) | Rvalue::Downcast(operand, _) => Some(self.operand(run, operand)),
            Rvalue::Load(place) => Some(self.load(run, place, ty)?),
            Rvalue::Unary(op, operand) => self.unary(run, *op, operand, ty)?,
            Rvalue::Binary(op, left, right) => self.binary(run, *op, (left, right), ty)?,
            Rvalue::Compare(op, left, right) => self.compare(run, *op, left, right),
            Rvalue::Convert(operand, to) => self.convert(run, operand, *to),
            Rvalue::AddressOf(place) => self.address_of(run, place)?,
            Rvalue::Offset { pointer, index, element } => {
                let (pointer, index) = (self.operand(run, pointer), self.operand(run, index));
                match (pointer, index) {
                    (Value::Address(pointer), Value::Int(index)) => {
                        let size = Integer::from(self.program().types.size_of(*element));
                        let terms = &mut self.machine.domain.terms;
                        Some(Value::Address(terms.add_scaled(pointer, index, &size)))
                    }
                    _ => None,
                }
            }
            Rvalue::Difference { left, right, element, .. } => {
                let size = self.program().types.size_of(*element);
                match (self.operand(run, left), self.operand(run, right)) {
                    (Value::Address(left), Value::Address(right)) if size > 0 => {
                        let terms = &mut self.machine.domain.terms;
                        let units = terms.sub(left, right);
                        let size = terms.int(Integer::from(size));
                        let rounding = loupe_term::Rounding::Truncated;
                        Some(Value::Int(terms.quotient(rounding, units, size)))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        Ok(match known {
            Some(value) if value != Value::Nothing => value,
            _ => self.fresh(ty, "any", None),
        })
    }

    fn address_of(&mut self, run: &mut Run, place: &Place) -> Outcome<Option<Value>> {
        Ok(self.address(run, place)?.map(|(address, _)| Value::Address(address)))
    }

    fn int_type(&self, ty: TypeId) -> Option<IntType> {
        self.program().types.as_int(ty)
    }

    fn unary(
        &mut self,
        run: &mut Run,
        op: UnaryOp,
        operand: &Operand,
        ty: TypeId,
    ) -> Outcome<Option<Value>> {
        Ok(match (op, self.operand(run, operand)) {
            (UnaryOp::Not, Value::Bool(term)) => {
                Some(Value::Bool(self.machine.domain.terms.not(term)))
            }
            (op, Value::Int(term)) if op != UnaryOp::Not => {
                let Some(int) = self.int_type(ty) else { return Ok(None) };
                let value = self.machine.domain.int_of(term);
                let value = self.machine.domain.unary(op, int, &value)?;
                Some(Value::Int(self.machine.domain.term(&value)))
            }
            _ => None,
        })
    }

    fn binary(
        &mut self,
        run: &mut Run,
        op: BinaryOp,
        (left, right): (&Operand, &Operand),
        ty: TypeId,
    ) -> Outcome<Option<Value>> {
        let (a, b) = (self.operand(run, left), self.operand(run, right));
        let (a, b) = match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => {
                let terms = &mut self.machine.domain.terms;
                return Ok(match op {
                    BinaryOp::And => Some(Value::Bool(terms.and([a, b]))),
                    BinaryOp::Or => Some(Value::Bool(terms.or([a, b]))),
                    _ => None,
                });
            }
            (Value::Int(a), Value::Int(b)) => (a, b),
            _ => return Ok(None),
        };
        let Some(int) = self.int_type(ty) else { return Ok(None) };
        let trusted = self.is_exact(op, int, (a, b));
        let domain = &mut self.machine.domain;
        let (a, b) = (domain.int_of(a), domain.int_of(b));
        let int = if trusted { IntType::Unbounded } else { int };
        // An operation that is not modelled gives any value.
        Ok(match domain.binary(op, int, &a, &b) {
            Ok(value) => Some(Value::Int(domain.term(&value))),
            Err(_) => None,
        })
    }

    /// Whether an operation is believed not to overflow.
    fn is_exact(&self, op: BinaryOp, int: IntType, (a, b): (Term, Term)) -> bool {
        let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        if !self.trust.believes_numbers() || !is_sum {
            return false;
        }
        let terms = &self.machine.domain.terms;
        let grows = |term: Term| terms.as_int(term).is_some_and(|number| !number.is_negative());
        match int {
            IntType::Unbounded => false,
            IntType::Machine { signedness: Signedness::Signed, .. } => true,
            // Down below zero is where programs may want to go.
            IntType::Machine { .. } => op != BinaryOp::Sub && (grows(a) || grows(b)),
        }
    }

    fn compare(
        &mut self,
        run: &mut Run,
        op: CompareOp,
        left: &Operand,
        right: &Operand,
    ) -> Option<Value> {
        let (a, b) = (self.operand(run, left), self.operand(run, right));
        match (a, b) {
            (Value::Int(a), Value::Int(b)) | (Value::Address(a), Value::Address(b)) => {
                let domain = &mut self.machine.domain;
                let (a, b): (Int, Int) = (domain.int_of(a), domain.int_of(b));
                let truth = domain.compare(op, &a, &b);
                Some(Value::Bool(domain.condition(truth)))
            }
            (Value::Bool(a), Value::Bool(b)) => {
                let terms = &mut self.machine.domain.terms;
                let same = terms.iff(a, b);
                match op {
                    CompareOp::Eq => Some(Value::Bool(same)),
                    CompareOp::Ne => Some(Value::Bool(terms.not(same))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn convert(&mut self, run: &mut Run, operand: &Operand, to: TypeId) -> Option<Value> {
        let value = self.operand(run, operand);
        let target = self.program().types.get(to).clone();
        let domain = &mut self.machine.domain;
        match (value, target) {
            (Value::Int(term), Type::Int(int)) => {
                let value = domain.int_of(term);
                let value = domain.wrap(int, &value);
                Some(Value::Int(domain.term(&value)))
            }
            (Value::Bool(term), Type::Int(_)) => {
                let truth = domain.truth_of(term);
                let value = domain.int_of_bool(&truth);
                Some(Value::Int(domain.term(&value)))
            }
            (Value::Int(term) | Value::Address(term), Type::Bool) => {
                let (value, zero) = (domain.int_of(term), Int::ZERO);
                let truth = domain.compare(CompareOp::Ne, &value, &zero);
                Some(Value::Bool(domain.condition(truth)))
            }
            (Value::Bool(_), Type::Bool) => Some(value),
            (Value::Address(_), Type::Pointer(_) | Type::Function) => Some(value),
            _ => None,
        }
    }
}
