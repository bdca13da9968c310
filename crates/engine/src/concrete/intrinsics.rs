//! What a program asks of the world around it, and the functions of the mathematical library.

use super::domain::Concrete;
use super::float::{Number, function, function_of_two};
use super::halt::{Halt, internal, unsupported};
use super::interpreter::Stream;
use super::{Address, ConcreteValue, Memory, Positions};
use crate::domain::World;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::Intrinsic;
use loupe_ir::types::FloatType;

/// What an intrinsic gives.
type Answer = Result<Option<ConcreteValue>, Box<Halt>>;

impl Concrete {
    pub(super) fn execute_intrinsic(
        &mut self,
        world: World<'_, Concrete>,
        intrinsic: Intrinsic,
        arguments: &[ConcreteValue],
    ) -> Answer {
        match (intrinsic, arguments) {
            (Intrinsic::PutByte, [Value::Int(stream), Value::Int(byte)]) => {
                let byte = byte.bit_and(&Integer::from(0xff)).to_i64().unwrap_or(0) as u8;
                self.written.push((stream_of(stream)?, vec![byte]));
                Ok(None)
            }
            (Intrinsic::GetByte, []) => {
                let byte = self.next_byte(world.streams)?;
                Ok(Some(Value::Int(byte.map_or(Integer::from(-1), Integer::from))))
            }
            (Intrinsic::AtEnd, []) => {
                let byte = self.standard_input.byte(world.streams.bytes).map_err(Halt::Input)?;
                Ok(Some(Value::Int(Integer::from(byte.is_none()))))
            }
            (Intrinsic::ArgumentCount, []) => {
                Ok(Some(Value::Int(Integer::from(self.command_line.len()))))
            }
            (Intrinsic::ArgumentByte, [Value::Int(argument), Value::Int(position)]) => {
                let argument = argument.to_usize().and_then(|a| self.command_line.get(a));
                let byte = argument.zip(position.to_usize()).and_then(|(a, at)| a.get(at));
                Ok(Some(Value::Int(Integer::from(byte.copied().unwrap_or(0)))))
            }
            (Intrinsic::Math, [Value::Int(number), x]) => {
                answer(number.to_i64().and_then(|number| function(number, double(x).ok()?)))
            }
            (Intrinsic::Math2, [Value::Int(number), x, y]) => {
                let (x, y) = (double(x)?, double(y)?);
                answer(number.to_i64().and_then(|number| function_of_two(number, x, y)))
            }
            (_, arguments) => self.execute_formatted(world, intrinsic, arguments),
        }
    }

    fn execute_formatted(
        &mut self,
        world: World<'_, Concrete>,
        intrinsic: Intrinsic,
        arguments: &[ConcreteValue],
    ) -> Answer {
        let number = |number| Ok(Some(Value::Int(number)));
        match (intrinsic, arguments) {
            (Intrinsic::Print, [Value::Int(stream), format, arguments]) => {
                let (format, arguments) = (pointer(format)?, pointer(arguments)?);
                number(self.print(world, stream_of(stream)?, format, arguments)?)
            }
            (Intrinsic::Format, [to, Value::Int(size), format, arguments]) => {
                let to = (pointer(to)?, size);
                number(self.format(world, to, pointer(format)?, pointer(arguments)?)?)
            }
            (Intrinsic::Scan, [format, arguments]) => {
                number(self.scan(world, pointer(format)?, pointer(arguments)?)?)
            }
            (Intrinsic::ScanText, [text, format, arguments]) => {
                let (format, arguments) = (pointer(format)?, pointer(arguments)?);
                number(self.scan_text(world, pointer(text)?, format, arguments)?)
            }
            (Intrinsic::ParseFloat, [text, end]) => {
                Ok(Some(self.parse_float(world, pointer(text)?, pointer(end)?)?))
            }
            _ => Err(internal("an intrinsic with other arguments than it takes")),
        }
    }

    /// The next byte of the standard input.
    fn next_byte(&mut self, positions: &mut Positions) -> Result<Option<u8>, Box<Halt>> {
        let byte = self.standard_input.byte(positions.bytes).map_err(Halt::Input)?;
        positions.bytes += u64::from(byte.is_some());
        Ok(byte)
    }
}

fn stream_of(number: &Integer) -> Result<Stream, Box<Halt>> {
    match number.to_i64() {
        Some(1) => Ok(Stream::Output),
        Some(2) => Ok(Stream::Error),
        _ => Err(internal("a stream that there is none of")),
    }
}

fn pointer(value: &ConcreteValue) -> Result<Address, Box<Halt>> {
    match value {
        Value::Pointer(pointer) => Ok(*pointer),
        Value::Function(function) => Ok(Memory::function(*function)),
        _ => Err(internal("a pointer was expected")),
    }
}

fn double(value: &ConcreteValue) -> Result<f64, Box<Halt>> {
    Ok(Number::of(value, FloatType::F64)?.to_f64())
}

fn answer(number: Option<f64>) -> Answer {
    match number {
        Some(number) => Ok(Some(Number::Double(number).value())),
        None => Err(unsupported("a function of the mathematical library")),
    }
}

#[cfg(test)]
mod tests;
