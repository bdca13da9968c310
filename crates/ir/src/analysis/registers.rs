//! What a step does to registers, and which registers outlive a block.
//!
//! The analyses of registers leave memory locals out: a pointer may read and write those behind
//! their name. What a step does to a register is one of four things, and to a register that a place
//! starts at, it depends on the way: through a pointer the register is only read; a write to a part
//! of it is an update of the whole, which reads the old value.

use super::location::{Step, steps};
use super::uses::{Access, visit_accesses};
use crate::program::{Base, Function, LocalId, Operand, Place, Projection, Storage};

/// What a step does to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegisterAccess {
    /// It is read.
    Read(LocalId),
    /// A part of it is replaced. Where that part turns out to lie in an array that the register
    /// refers to, the new value is the old one.
    Update(LocalId),
    /// It gets a value.
    Write(LocalId),
    /// It holds no value afterwards.
    Clear(LocalId),
}

/// Calls `visit` for everything that `step` does to registers, reads before writes.
pub(super) fn visit_registers(
    function: &Function,
    step: Step<'_>,
    visit: &mut impl FnMut(RegisterAccess),
) {
    let is_register = |local: LocalId| function.local(local).storage == Storage::Register;
    visit_accesses(step, &mut |access| {
        let found = match access {
            Access::Read(Operand::Local(local)) => Some(RegisterAccess::Read(*local)),
            Access::Load(place) | Access::Probe(place) => base(place).map(RegisterAccess::Read),
            Access::Address(place) => {
                base(place).filter(|_| follows_pointer(place)).map(RegisterAccess::Read)
            }
            Access::Store(place) => base(place).map(|local| {
                if follows_pointer(place) {
                    RegisterAccess::Read(local)
                } else if place.projections.is_empty() {
                    RegisterAccess::Write(local)
                } else {
                    RegisterAccess::Update(local)
                }
            }),
            Access::Assign(local) => Some(RegisterAccess::Write(local)),
            Access::Live(local) | Access::Dead(local) => Some(RegisterAccess::Clear(local)),
            Access::Read(Operand::Const(_))
            | Access::Examine
            | Access::LoadRange
            | Access::StoreRange
            | Access::Allocate
            | Access::Free
            | Access::Call
            | Access::Input
            | Access::Output
            | Access::Undefined => None,
        };
        if let Some(found) = found.filter(|found| is_register(found.register())) {
            visit(found);
        }
    });
}

impl RegisterAccess {
    /// The register.
    pub(super) fn register(self) -> LocalId {
        match self {
            RegisterAccess::Read(local)
            | RegisterAccess::Update(local)
            | RegisterAccess::Write(local)
            | RegisterAccess::Clear(local) => local,
        }
    }

    /// Whether it gets another value, or none.
    pub(super) fn writes(self) -> bool {
        !matches!(self, RegisterAccess::Read(_))
    }

    /// Whether the old value matters.
    pub(super) fn reads(self) -> bool {
        matches!(self, RegisterAccess::Read(_) | RegisterAccess::Update(_))
    }
}

fn base(place: &Place) -> Option<LocalId> {
    match place.base {
        Base::Local(local) => Some(local),
        Base::Global(_) => None,
    }
}

fn follows_pointer(place: &Place) -> bool {
    place.projections.contains(&Projection::Deref)
}

/// The registers that some block reads before it writes them, numbered from 0.
///
/// Only of these can anything be known or wanted at the border of a block; most temporaries are not
/// among them, and sets of registers per block stay small (Briggs, Cooper, Harvey and Simpson,
/// *Practical Improvements to the Construction and Destruction of Static Single Assignment Form*,
/// 1998, call them global names).
#[derive(Clone, Debug)]
pub(super) struct Exposed {
    registers: Vec<LocalId>,
    numbers: Vec<Option<u32>>,
}

impl Exposed {
    /// The exposed registers of `function`.
    pub(super) fn new(function: &Function) -> Self {
        let mut exposed = vec![false; function.locals.len()];
        let mut written_in = vec![None; function.locals.len()];
        for (block, _) in function.blocks() {
            for (_, step) in steps(function, block) {
                visit_registers(function, step, &mut |access| {
                    let index = access.register().index();
                    if access.reads() {
                        exposed[index] |= written_in[index] != Some(block);
                    } else {
                        written_in[index] = Some(block);
                    }
                });
            }
        }
        let mut numbers = vec![None; exposed.len()];
        let mut registers = Vec::new();
        for (local, _) in function.locals().filter(|(local, _)| exposed[local.index()]) {
            numbers[local.index()] = Some(registers.len() as u32);
            registers.push(local);
        }
        Exposed { registers, numbers }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.registers.len()
    }

    /// The number of `register`, if it is one of them.
    pub(super) fn number(&self, register: LocalId) -> Option<usize> {
        self.numbers.get(register.index()).copied().flatten().map(|number| number as usize)
    }

    /// The register with this number.
    pub(super) fn register(&self, number: usize) -> LocalId {
        self.registers[number]
    }
}
