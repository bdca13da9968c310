//! What functions may write, and which registers decide about the exits of a loop.

use super::leaves;
use crate::loops::{LoopKey, Loops};
use loupe_ir::analysis::location::{Step, steps};
use loupe_ir::analysis::uses::{Access, visit_accesses};
use loupe_ir::check::CheckKind;
use loupe_ir::program::{
    Base, Const, Function, FunctionId, GlobalAccess, GlobalId, InstructionKind, LocalId, Operand,
    Place, Program, Projection, Rvalue, Storage, TerminatorKind,
};
use loupe_ir::types::TypeId;
use loupe_ir::validate::place_type;
use std::collections::{BTreeMap, BTreeSet};

/// What a store looks like from afar: the type of what is stored, and the record and field that it goes to.
pub(crate) type Kind = (TypeId, Option<(TypeId, u32)>);

/// What functions of a program may write.
#[derive(Debug)]
pub(crate) struct Writes {
    /// For each function, whether it may write anything that others see.
    any: Vec<bool>,
    /// The kinds of what it stores.
    kinds: Vec<BTreeSet<Kind>>,
    /// The globals that it stores to by name.
    globals: Vec<BTreeSet<GlobalId>>,
    /// Globals whose address somebody takes.
    exposed: BTreeSet<GlobalId>,
}

/// The kind of a store to a place.
pub(super) fn kind_of(program: &Program, function: &Function, place: &Place) -> Option<Kind> {
    let ty = place_type(program, function, place).ok()?;
    let field = match place.projections.split_last() {
        Some((Projection::Field(field), before)) => {
            let record = Place { base: place.base, projections: before.to_vec() };
            Some((place_type(program, function, &record).ok()?, *field))
        }
        _ => None,
    };
    Some((ty, field))
}

impl Writes {
    pub(crate) fn new(program: &Program) -> Self {
        let mut any = Vec::new();
        let mut kinds = Vec::new();
        let mut globals = Vec::new();
        let mut exposed = BTreeSet::new();
        let mut callees: Vec<Vec<Option<FunctionId>>> = Vec::new();
        for (_, function) in program.functions() {
            let mut own = is_external(function);
            let mut kind = BTreeSet::new();
            let mut named = BTreeSet::new();
            let mut called = Vec::new();
            for (block, _) in function.blocks() {
                for (_, step) in steps(function, block) {
                    visit_accesses(step, &mut |access| match access {
                        Access::Store(place) => {
                            own |= is_seen_by_others(function, place);
                            kind.extend(kind_of(program, function, place));
                            if let (Base::Global(global), false) =
                                (place.base, place.projections.contains(&Projection::Deref))
                            {
                                named.insert(global);
                            }
                        }
                        Access::Address(Place { base: Base::Global(global), projections })
                            if !projections.contains(&Projection::Deref) =>
                        {
                            exposed.insert(*global);
                        }
                        Access::Read(Operand::Const(Const::Address(global, _))) => {
                            exposed.insert(*global);
                        }
                        Access::StoreRange | Access::Free => own = true,
                        _ => {}
                    });
                    if let Step::Instruction(instruction) = step {
                        if let InstructionKind::Call { callee, .. } = &instruction.kind {
                            called.push(callee_of(callee));
                        }
                        // What has no model may do anything.
                        if let InstructionKind::Check(check) = &instruction.kind {
                            own |= check.kind == CheckKind::Unsupported;
                        }
                    }
                }
            }
            any.push(own);
            kinds.push(kind);
            globals.push(named);
            callees.push(called);
        }
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for number in 0..any.len() {
                let mut own = any[number];
                let mut kind = kinds[number].clone();
                let mut named = globals[number].clone();
                for callee in &callees[number] {
                    match callee {
                        Some(callee) => {
                            own |= any[callee.index()];
                            kind.extend(&kinds[callee.index()]);
                            named.extend(&globals[callee.index()]);
                        }
                        None => own = true,
                    }
                }
                let is_more =
                    kind.len() != kinds[number].len() || named.len() != globals[number].len();
                if own != any[number] || is_more {
                    (any[number], kinds[number], globals[number]) = (own, kind, named);
                    is_stable = false;
                }
            }
        }
        for global in &program.globals {
            for (_, initial) in &global.initial {
                if let Const::Address(pointed, _) = initial {
                    exposed.insert(*pointed);
                }
            }
        }
        Writes { any, kinds, globals, exposed }
    }

    /// Whether a call may write what others see.
    pub(super) fn may_write(&self, callee: &Operand) -> bool {
        callee_of(callee).is_none_or(|callee| self.any[callee.index()])
    }

    /// Whether a call stores to a global as far as its function is known, by name or, if somebody has its address, by its kind.
    pub(super) fn writes_global(
        &self,
        callee: &Operand,
        global: GlobalId,
        kind: Option<Kind>,
    ) -> bool {
        let Some(callee) = callee_of(callee) else { return false };
        let kinds = &self.kinds[callee.index()];
        self.globals[callee.index()].contains(&global)
            || (self.exposed.contains(&global) && kind.is_some_and(|kind| kinds.contains(&kind)))
    }

    /// The kinds of what a call stores, as far as its function is known.
    pub(super) fn kinds(&self, callee: &Operand) -> Option<&BTreeSet<Kind>> {
        callee_of(callee).map(|callee| &self.kinds[callee.index()])
    }
}

/// Whether a function is a mere declaration: nobody knows what it does.
fn is_external(function: &Function) -> bool {
    function.blocks.len() == 1
        && function.blocks[0].instructions.iter().all(|instruction| {
            matches!(
                instruction.kind,
                InstructionKind::Live(_)
                    | InstructionKind::Assign {
                        value: Rvalue::Undefined(_) | Rvalue::Input(_),
                        ..
                    }
            )
        })
}

fn is_seen_by_others(function: &Function, place: &Place) -> bool {
    match place.base {
        Base::Global(_) => true,
        Base::Local(local) => {
            place.projections.contains(&Projection::Deref)
                || function.local(local).storage == Storage::Register
        }
    }
}

/// The function that is called, if it is known.
pub(super) fn callee_of(callee: &Operand) -> Option<FunctionId> {
    match callee {
        Operand::Const(Const::Function(function)) => Some(*function),
        _ => None,
    }
}

/// Whether nobody ever writes a global.
pub(super) fn is_constant(program: &Program, global: GlobalId) -> bool {
    program.globals[global.index()].access == GlobalAccess::ReadOnly
}

/// The locals in memory of a function whose address somebody takes.
pub(super) fn exposed_locals(function: &Function) -> BTreeSet<LocalId> {
    let mut exposed = BTreeSet::new();
    for (block, _) in function.blocks() {
        for (_, step) in steps(function, block) {
            visit_accesses(step, &mut |access| {
                if let Access::Address(Place { base: Base::Local(local), projections }) = access
                    && !projections.contains(&Projection::Deref)
                {
                    exposed.insert(*local);
                }
            });
        }
    }
    exposed
}

/// The locals in memory that each register may lead to, as far as their addresses go from register to register.
pub(super) fn handed(function: &Function) -> BTreeMap<LocalId, BTreeSet<LocalId>> {
    let mut handed: BTreeMap<LocalId, BTreeSet<LocalId>> = BTreeMap::new();
    let mut copies: Vec<(LocalId, LocalId)> = Vec::new();
    for (block, _) in function.blocks() {
        for (_, step) in steps(function, block) {
            let Step::Instruction(instruction) = step else { continue };
            let InstructionKind::Assign { target, value } = &instruction.kind else { continue };
            match value {
                Rvalue::AddressOf(Place { base: Base::Local(local), projections }) => {
                    if projections.first() != Some(&Projection::Deref) {
                        handed.entry(*target).or_default().insert(*local);
                    } else {
                        copies.push((*target, *local));
                    }
                }
                Rvalue::Use(Operand::Local(from))
                | Rvalue::Convert(Operand::Local(from), _)
                | Rvalue::Downcast(Operand::Local(from), _)
                | Rvalue::Offset { pointer: Operand::Local(from), .. } => {
                    copies.push((*target, *from));
                }
                _ => {}
            }
        }
    }
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for (target, from) in &copies {
            let Some(more) = handed.get(from).cloned() else { continue };
            let own = handed.entry(*target).or_default();
            let before = own.len();
            own.extend(more);
            is_stable &= own.len() == before;
        }
    }
    handed
}

/// The registers that conditions of exits are computed from, and those that the loop writes.
pub(super) fn followed(
    program: &Program,
    loops: &Loops,
    (function, id): LoopKey,
) -> (BTreeSet<LocalId>, BTreeSet<LocalId>) {
    let code = program.function(function);
    let forest = loops.of(function);
    let blocks = forest.blocks(id);
    let mut written = BTreeSet::new();
    let mut feeds: BTreeMap<LocalId, BTreeSet<LocalId>> = BTreeMap::new();
    let mut loads: BTreeMap<LocalId, BTreeSet<Kind>> = BTreeMap::new();
    let mut stores: Vec<(Kind, BTreeSet<LocalId>)> = Vec::new();
    let mut open: Vec<LocalId> = Vec::new();
    for block in blocks {
        for (_, step) in steps(code, *block) {
            let mut reads = BTreeSet::new();
            let mut kinds = BTreeSet::new();
            let mut target = None;
            let mut stored = None;
            visit_accesses(step, &mut |access| match access {
                Access::Read(Operand::Local(local)) => {
                    reads.insert(*local);
                }
                Access::Load(place) | Access::Store(place) | Access::Address(place) => {
                    if let Base::Local(local) = place.base {
                        reads.insert(local);
                    }
                    match access {
                        Access::Load(_) => kinds.extend(kind_of(program, code, place)),
                        Access::Store(_) => stored = kind_of(program, code, place),
                        _ => {}
                    }
                }
                Access::Assign(local) => target = Some(local),
                _ => {}
            });
            // Of what is given to a function, little is known afterwards: see `probe.rs`.
            let is_call = match step {
                Step::Instruction(instruction) => match &instruction.kind {
                    InstructionKind::Call { arguments, .. } => arguments.len() != 1,
                    _ => false,
                },
                Step::Terminator(_) => false,
            };
            if let Some(target) = target {
                written.insert(target);
                if !is_call {
                    feeds.entry(target).or_default().extend(reads.iter().copied());
                    loads.entry(target).or_default().extend(kinds);
                }
            }
            if let Some(kind) = stored {
                stores.push((kind, reads));
            } else if let Step::Terminator(end) = step {
                let decides = leaves(&end.kind, |next| forest.contains(id, next));
                if decides && !matches!(end.kind, TerminatorKind::Goto(_)) {
                    open.extend(reads);
                }
            }
        }
    }
    let mut followed = BTreeSet::new();
    while let Some(local) = open.pop() {
        if followed.insert(local) {
            open.extend(feeds.get(&local).into_iter().flatten());
            // What is stored may be what a condition loads.
            for kind in loads.get(&local).into_iter().flatten() {
                let same = stores.iter().filter(|(stored, _)| stored == kind);
                open.extend(same.flat_map(|(_, reads)| reads));
            }
        }
    }
    (followed, written)
}
