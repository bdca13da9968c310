//! The steps that are not part of every loop.
//!
//! Apart from the others, which need the machine's registers for themselves.

use super::{Control, Prepared, Slots, Step, Stopped, demand, put_int};
use crate::domain::Domain;
use crate::value::Value;
use loupe_ir::program::CompareOp;

/// Executes steps from `at` up to one of another kind. A check that is not known to hold is left to those who
/// report it.
#[inline(never)]
pub(super) fn run_steps<D: Domain>(
    domain: &mut D,
    control: &mut impl Control<D>,
    memory: &mut D::Memory,
    locals: &mut [Value<D>],
    code: &Prepared<D>,
    at: &mut usize,
) -> Result<(), Stopped<D>> {
    let steps = &code.steps[..];
    loop {
        match &steps[*at] {
            Step::Convert { to, target, a } => match &locals[*a as usize] {
                Value::Int(number) => {
                    let number = domain.wrap(*to, number);
                    put_int(&mut locals[*target as usize], number);
                }
                _ => return Err(Stopped::General),
            },
            Step::ConvertBool { to, target, a } => match &locals[*a as usize] {
                Value::Bool(truth) => {
                    let number = domain.int_of_bool(truth);
                    let number = domain.wrap(*to, &number);
                    put_int(&mut locals[*target as usize], number);
                }
                _ => return Err(Stopped::General),
            },
            Step::Not { target, a } => match &locals[*a as usize] {
                Value::Bool(truth) => {
                    let truth = domain.not(truth);
                    locals[*target as usize] = Value::Bool(truth);
                }
                _ => return Err(Stopped::General),
            },
            Step::FloatArithmetic(op, ty, slots) => {
                let (a, b) = (&locals[slots.a as usize], &locals[slots.b as usize]);
                let result = domain.float_binary(*op, *ty, a, b).map_err(Stopped::Halt)?;
                locals[slots.target as usize] = result;
            }
            Step::FloatCompare(op, ty, slots) => {
                let (a, b) = (&locals[slots.a as usize], &locals[slots.b as usize]);
                let truth = domain.float_compare(*op, *ty, a, b).map_err(Stopped::Halt)?;
                slots.put_bool(locals, truth);
            }
            Step::ComparePointers(op, slots) => {
                slots.compare_pointers(domain, memory, locals, *op)?
            }
            Step::Load { target, place } => {
                code.places[*place as usize].load::<D>(memory, locals, *target)?;
            }
            Step::Store { place, a } => {
                code.places[*place as usize].store::<D>(memory, locals, *a)?;
            }
            Step::AddressOf { target, place } => {
                let pointer = code.places[*place as usize].pointer::<D>(locals)?;
                match &mut locals[*target as usize] {
                    Value::Pointer(old) => *old = pointer,
                    other => *other = Value::Pointer(pointer),
                }
            }
            Step::Holds(a) => {
                let Value::Bool(holds) = &locals[*a as usize] else {
                    return Err(Stopped::General);
                };
                demand(control, holds)?;
            }
            Step::NonNull(a) => {
                let Value::Pointer(pointer) = &locals[*a as usize] else {
                    return Err(Stopped::General);
                };
                let null = domain.is_null(memory, pointer);
                demand(control, &domain.not(&null))?;
            }
            Step::InitialisedAt(place) => {
                let place = &code.places[*place as usize];
                let written = D::quick_initialised(memory, &place.pointer::<D>(locals)?, place.ty);
                demand(control, &written.ok_or(Stopped::General)?)?;
            }
            Step::Accessible { right, pointer, size } => {
                let (Value::Pointer(pointer), Value::Int(size)) =
                    (&locals[*pointer as usize], &locals[*size as usize])
                else {
                    return Err(Stopped::General);
                };
                demand(control, &domain.accessible(memory, pointer, size, *right))?;
            }
            Step::InRange { index, length, zero } => {
                let low = Slots { target: *index, a: *index, b: *zero };
                let (index, zero) = low.numbers(locals)?;
                demand(control, &domain.compare(CompareOp::Ge, index, zero))?;
                let Value::Int(length) = &locals[*length as usize] else {
                    return Err(Stopped::General);
                };
                demand(control, &domain.compare(CompareOp::Lt, index, length))?;
            }
            Step::Fits(op, ty, slots) => {
                let (a, b) = slots.numbers(locals)?;
                demand(control, &domain.fits(*op, *ty, a, b))?;
            }
            _ => return Ok(()),
        }
        *at += 1;
    }
}
