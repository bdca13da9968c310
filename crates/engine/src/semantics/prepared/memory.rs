//! Prepared accesses to memory.
//!
//! They do what the domain can do at once, and leave the rest to those who do everything.

use super::{Slot, Slots, Spot, Stopped, put_int};
use crate::domain::Domain;
use crate::value::Value;
use loupe_ir::program::CompareOp;

impl Spot {
    /// The pointer to this place.
    #[inline(always)]
    pub(super) fn pointer<D: Domain>(&self, locals: &[Value<D>]) -> Result<D::Pointer, Stopped<D>> {
        let Value::Pointer(base) = &locals[self.base as usize] else {
            return Err(Stopped::General);
        };
        let index = match self.index {
            None => None,
            Some((slot, size)) => match &locals[slot as usize] {
                Value::Int(index) => Some((index, size)),
                _ => return Err(Stopped::General),
            },
        };
        D::quick_advance(base, index, self.offset).ok_or(Stopped::General)
    }

    #[inline(always)]
    pub(super) fn load<D: Domain>(
        &self,
        memory: &D::Memory,
        locals: &mut [Value<D>],
        target: Slot,
    ) -> Result<(), Stopped<D>> {
        let pointer = self.pointer::<D>(locals)?;
        match D::quick_load(memory, &pointer, self.ty) {
            Some(Value::Int(number)) => put_int(&mut locals[target as usize], number),
            Some(value) => locals[target as usize] = value,
            None => return Err(Stopped::General),
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store<D: Domain>(
        &self,
        memory: &mut D::Memory,
        locals: &[Value<D>],
        a: Slot,
    ) -> Result<(), Stopped<D>> {
        let pointer = self.pointer::<D>(locals)?;
        let stored = D::quick_store(memory, &pointer, self.ty, &locals[a as usize]);
        stored.ok_or(Stopped::General)
    }
}

impl Slots {
    /// `target = a op b`
    #[inline(always)]
    pub(super) fn compare_pointers<D: Domain>(
        &self,
        domain: &mut D,
        memory: &mut D::Memory,
        locals: &mut [Value<D>],
        op: CompareOp,
    ) -> Result<(), Stopped<D>> {
        let (Value::Pointer(a), Value::Pointer(b)) =
            (&locals[self.a as usize], &locals[self.b as usize])
        else {
            return Err(Stopped::General);
        };
        let truth = domain.compare_pointers(memory, op, a, b).map_err(Stopped::Halt)?;
        self.put_bool(locals, truth);
        Ok(())
    }
}
