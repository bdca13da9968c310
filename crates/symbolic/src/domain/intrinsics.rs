//! What is no matter of values and memory alone.
//!
//! What depends on inputs is modelled where there is a term for it; the rest ends the path.

use super::floats::UNKNOWN;
use super::{Outcome, Symbolic};
use crate::halt::{internal, unsupported};
use crate::output::Output;
use crate::value::{Int, Pointer, SymbolicValue};
use loupe_engine::concrete::float::{self, Number};
use loupe_engine::domain::{Domain, World};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::{CompareOp, Intrinsic};
use loupe_ir::types::{FloatType, IntType};

impl Symbolic {
    /// Executes an intrinsic. Memory and streams stay as they are if that does not succeed: it may be
    /// repeated when more is known.
    pub(super) fn execute_intrinsic(
        &mut self,
        world: World<'_, Symbolic>,
        intrinsic: Intrinsic,
        arguments: &[SymbolicValue],
    ) -> Outcome<Option<SymbolicValue>> {
        let World { types, memory, streams } = world;
        let (mut new_memory, mut new_streams) = (memory.clone(), streams.clone());
        let world = World { types, memory: &mut new_memory, streams: &mut new_streams };
        let result = self.intrinsic_in(world, intrinsic, arguments)?;
        (*memory, *streams) = (new_memory, new_streams);
        Ok(result)
    }

    fn intrinsic_in(
        &mut self,
        world: World<'_, Symbolic>,
        intrinsic: Intrinsic,
        arguments: &[SymbolicValue],
    ) -> Outcome<Option<SymbolicValue>> {
        let number = |number| Ok(Some(Value::Int(number)));
        match (intrinsic, arguments) {
            (Intrinsic::PutByte, [Value::Int(stream), Value::Int(byte)]) => {
                let byte = self.wrap(IntType::unsigned(8), byte);
                self.written.push(Output::Byte { stream: stream.clone(), byte });
                Ok(None)
            }
            (Intrinsic::GetByte, []) => number(self.next_byte(world.streams)?),
            (Intrinsic::AtEnd, []) => {
                let byte = self.peek_byte(world.streams);
                let is_end = self.compared(CompareOp::Lt, &byte, &Int::ZERO);
                number(self.int_of_bool(&is_end))
            }
            (Intrinsic::ArgumentCount, []) => number(self.argument_count(world.streams)?),
            (Intrinsic::ArgumentByte, [Value::Int(argument), Value::Int(position)]) => {
                number(self.argument_byte(world.streams, argument, position)?)
            }
            (Intrinsic::Math, [Value::Int(which), x]) => {
                let which = self.one_number(which)?.to_i64();
                let x = double(x)?;
                answer(which.and_then(|which| float::function(which, x)))
            }
            (Intrinsic::Math2, [Value::Int(which), x, y]) => {
                let which = self.one_number(which)?.to_i64();
                let (x, y) = (double(x)?, double(y)?);
                answer(which.and_then(|which| float::function_of_two(which, x, y)))
            }
            (Intrinsic::Print, [Value::Int(stream), format, arguments]) => {
                let (format, arguments) = (pointer(format)?, pointer(arguments)?);
                number(self.print(world, stream, &format, &arguments)?)
            }
            (Intrinsic::Format, [to, Value::Int(size), format, arguments]) => {
                let to = (pointer(to)?, size.clone());
                number(self.print_to(world, to, &pointer(format)?, &pointer(arguments)?)?)
            }
            (Intrinsic::Scan, [format, arguments]) => {
                number(self.scan(world, None, &pointer(format)?, &pointer(arguments)?)?)
            }
            (Intrinsic::ScanText, [text, format, arguments]) => {
                let (text, format) = (pointer(text)?, pointer(format)?);
                number(self.scan(world, Some(&text), &format, &pointer(arguments)?)?)
            }
            (Intrinsic::ParseFloat, [text, end]) => {
                Ok(Some(self.parse_float(world, &pointer(text)?, &pointer(end)?)?))
            }
            _ => Err(internal("an intrinsic with other arguments than it takes")),
        }
    }
}

/// The pointer that a value is.
fn pointer(value: &SymbolicValue) -> Outcome<Pointer> {
    match value {
        Value::Pointer(pointer) => Ok(pointer.clone()),
        Value::Function(function) => {
            let address = loupe_engine::space::of_function(*function);
            Ok(Pointer { object: None, offset: Int::Known(Integer::from(address)) })
        }
        _ => Err(internal("a pointer was expected")),
    }
}

fn double(value: &SymbolicValue) -> Outcome<f64> {
    let number = Symbolic::number(value, FloatType::F64)?;
    match number.map(Number::bits) {
        Some(bits) => Ok(f64::from_bits(bits as u64)),
        None => Err(unsupported(UNKNOWN)),
    }
}

fn answer(number: Option<f64>) -> Outcome<Option<SymbolicValue>> {
    match number {
        Some(number) => {
            Ok(Some(Symbolic::float_value(Some(Number::Double(number)), FloatType::F64)))
        }
        None => Err(unsupported("a function of the mathematical library")),
    }
}
