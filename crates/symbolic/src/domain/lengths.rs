//! What formatted text is for some inputs, and how long it is for all.

use super::text::MAX_TEXT;
use super::{Outcome, Symbolic};
use crate::halt::{internal, unsupported};
use crate::output::{Argument, Output};
use crate::value::{Int, SymbolicValue};
use loupe_engine::domain::Domain;
use loupe_engine::text::{self, Arguments, DataModel, Size};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::types::{FloatType, IntType};
use loupe_term::{Assignment, Value as TermValue};
use std::collections::BTreeSet;

/// The arguments of a text, in the order in which its format asks for them.
#[derive(Clone)]
enum Fixed {
    Number(u128),
    Pointer { address: u64, text: Vec<u32> },
}

struct Replayed<'a> {
    arguments: &'a [Fixed],
    next: usize,
}

/// The format asks for something else than before.
#[derive(Debug)]
struct Other;

impl Replayed<'_> {
    fn number(&mut self) -> Result<u128, Other> {
        let argument = self.arguments.get(self.next);
        self.next += 1;
        match argument {
            Some(Fixed::Number(bits)) => Ok(*bits),
            _ => Err(Other),
        }
    }

    fn text(&self, argument: usize) -> Result<&[u32], Other> {
        match self.arguments.get(argument) {
            Some(Fixed::Pointer { text, .. }) => Ok(text),
            _ => Err(Other),
        }
    }
}

impl Arguments for Replayed<'_> {
    type Pointer = usize;
    type Error = Other;

    fn integer(&mut self, _size: Size) -> Result<u64, Other> {
        Ok(self.number()? as u64)
    }

    fn double(&mut self) -> Result<u64, Other> {
        Ok(self.number()? as u64)
    }

    fn long_double(&mut self) -> Result<u128, Other> {
        self.number()
    }

    fn pointer(&mut self) -> Result<usize, Other> {
        self.next += 1;
        Ok(self.next - 1)
    }

    fn address(&mut self, argument: &usize) -> Result<u64, Other> {
        match self.arguments.get(*argument) {
            Some(Fixed::Pointer { address, .. }) => Ok(*address),
            _ => Err(Other),
        }
    }

    fn string(&mut self, argument: &usize, _limit: Option<usize>) -> Result<Vec<u8>, Other> {
        Ok(self.text(*argument)?.iter().map(|byte| *byte as u8).collect())
    }

    fn wide_string(&mut self, argument: &usize, _limit: Option<usize>) -> Result<Vec<u32>, Other> {
        Ok(self.text(*argument)?.to_vec())
    }

    fn store(&mut self, _argument: &usize, _size: Size, _value: u64) -> Result<(), Other> {
        Ok(())
    }
}

/// The text for some arguments. What cannot be printed further ends it, as it does for `printf`.
fn text_of(format: &[u8], arguments: &[Fixed], model: DataModel) -> Vec<u8> {
    let mut replayed = Replayed { arguments, next: 0 };
    let mut out = Vec::new();
    let options = text::Options { model, limit: MAX_TEXT };
    // An error was met when the arguments were recorded, too.
    let _ = text::format(format, &mut replayed, options, &mut out);
    out
}

/// The low 64 bits of a number.
pub(super) fn bits(number: &Integer) -> u64 {
    IntType::signed(64).wrap(number.clone()).to_i64().map_or(0, |bits| bits as u64)
}

/// An argument for known numbers.
fn fix(argument: &Argument, number: impl Fn(&Int) -> Option<Integer>) -> Option<Fixed> {
    Some(match argument {
        Argument::Integer(_, value) => Fixed::Number(u128::from(bits(&number(value)?))),
        Argument::Float(value) => Fixed::Number(float_bits(value)?),
        Argument::Pointer { address, text } => {
            let text: Option<Vec<u32>> =
                text.iter().map(|byte| Some(bits(&number(byte)?) as u32)).collect();
            Fixed::Pointer { address: bits(&number(address)?), text: text? }
        }
    })
}

fn float_bits(value: &SymbolicValue) -> Option<u128> {
    let ty = match value {
        Value::LongFloat(_) => FloatType::F80,
        _ => FloatType::F64,
    };
    Some(Symbolic::number(value, ty).ok()??.bits())
}

impl Symbolic {
    /// The bytes that something put out is for values of inputs, and the stream; what loops have put out that were
    /// passed by their summaries must have been spelled out by [`Symbolic::outputs_of`].
    pub fn bytes_of(&self, output: &Output, values: &Assignment) -> Option<(Integer, Vec<u8>)> {
        let number = |int: &Int| match int {
            Int::Known(number) => Some(number.clone()),
            Int::Term(term) => match self.terms.evaluate(*term, values) {
                Ok(TermValue::Int(number)) => Some(number),
                _ => None,
            },
        };
        match output {
            Output::Number(value) => {
                Some((Integer::ONE, format!("{}\n", number(value)?).into_bytes()))
            }
            Output::Byte { stream, byte } => {
                Some((number(stream)?, vec![bits(&number(byte)?) as u8]))
            }
            Output::Text { stream, format, arguments } => {
                let fixed: Option<Vec<Fixed>> =
                    arguments.iter().map(|argument| fix(argument, number)).collect();
                Some((number(stream)?, text_of(format, &fixed?, self.data_model())))
            }
            Output::Loop(_) => None,
        }
    }

    /// The arguments, with stand-ins for what depends on inputs.
    fn with_stand_ins(&self, arguments: &[Argument]) -> Outcome<Vec<Fixed>> {
        let fixed: Option<Vec<Fixed>> = arguments
            .iter()
            .map(|argument| {
                let stand_in = match argument {
                    Argument::Pointer { .. } => Integer::from(b'A'),
                    _ => Integer::ZERO,
                };
                fix(argument, |int| Some(int.known().unwrap_or(&stand_in).clone()))
            })
            .collect();
        fixed.ok_or_else(|| internal("an argument without a value"))
    }

    /// How long a text is whose length is `result` with stand-ins. Every number has a part of it of its own,
    /// so the differences that the numbers make add up.
    pub(super) fn length_of(
        &mut self,
        format: &[u8],
        arguments: &[Argument],
        result: Int,
    ) -> Outcome<Int> {
        let mut length = result;
        let mut fixed: Option<Vec<Fixed>> = None;
        for (number, argument) in arguments.iter().enumerate() {
            let Argument::Integer(size, value @ Int::Term(_)) = argument else { continue };
            if let Some(value) = self.settled(value) {
                let mut stand_ins = self.with_stand_ins(arguments)?;
                let before = text_of(format, &stand_ins, self.data_model()).len() as i64;
                stand_ins[number] = Fixed::Number(u128::from(bits(&value)));
                let after = text_of(format, &stand_ins, self.data_model()).len() as i64;
                length = self.sum(&length, &Int::Known(Integer::from(after - before)));
                continue;
            }
            let stand_ins = match fixed.take() {
                Some(fixed) => fixed,
                None => self.with_stand_ins(arguments)?,
            };
            let difference = self.difference_of(format, &stand_ins, (number, *size, value))?;
            length = self.sum(&length, &difference);
            fixed = Some(stand_ins);
        }
        Ok(length)
    }

    /// How much longer a text is for a number than for 0. Between the points where the number of digits can
    /// change, in any base and as any type, the length is the same: so it is at both ends of each part.
    fn difference_of(
        &mut self,
        format: &[u8],
        stand_ins: &[Fixed],
        (number, size, value): (usize, Size, &Int),
    ) -> Outcome<Int> {
        let model = self.data_model();
        let mut arguments = stand_ins.to_vec();
        let mut text = |at: &Integer| {
            arguments[number] = Fixed::Number(u128::from(bits(at)));
            text_of(format, &arguments, model)
        };
        // A conversion may look at the low bits only: then numbers that differ in others look the same.
        let sample = Integer::from(100);
        let all = size.bytes() as u32 * 8;
        let seen = [8, 16]
            .into_iter()
            .find(|width| text(&sample) == text(&sample.add(&Integer::power_of_two(*width))));
        let (width, value) = match seen {
            Some(width) => (width, self.wrap(IntType::unsigned(width), value)),
            None => (all, value.clone()),
        };
        let mut length = |at: &Integer| text(at).len() as i64;
        let term = self.term(&value);
        let range = self.range_everywhere(term);
        let (least, most) = match seen {
            Some(_) => (Integer::ZERO, Integer::power_of_two(width)),
            None => (Integer::power_of_two(width - 1).neg(), Integer::power_of_two(width - 1)),
        };
        let most = most.sub(&Integer::ONE);
        let low = range.low.map_or(least.clone(), |low| low.max(least));
        let high = range.high.map_or(most.clone(), |high| high.min(most));
        let zero = length(&Integer::ZERO);
        let mut parts: Vec<(Integer, i64)> = Vec::new();
        let starts: Vec<Integer> =
            points(width).into_iter().filter(|point| *point > low && *point <= high).collect();
        let starts: Vec<Integer> = std::iter::once(low).chain(starts).collect();
        for (at, start) in starts.iter().enumerate() {
            let last = starts.get(at + 1).map_or(high.clone(), |next| next.sub(&Integer::ONE));
            let (first, second) = (length(start), length(&last));
            if first != second {
                return Err(unsupported("the length of a text that depends on inputs"));
            }
            if parts.last().is_none_or(|(_, before)| *before != first - zero) {
                parts.push((start.clone(), first - zero));
            }
        }
        let Some((_, first)) = parts.first() else { return Ok(Int::ZERO) };
        let mut result = Int::Known(Integer::from(*first));
        for (start, difference) in parts.iter().skip(1) {
            let start = self.terms.int(start.clone());
            let from_here = self.terms.le(start, term);
            result = self.choice(from_here, &Int::Known(Integer::from(*difference)), &result);
        }
        Ok(result)
    }

    /// The bytes of a text whose numbers are known, with those that depend on inputs in their places. A byte
    /// is where the text changes when another stand-in is taken for it.
    pub(super) fn places_of(
        &mut self,
        format: &[u8],
        arguments: &[Argument],
        text: &[u8],
    ) -> Outcome<Vec<Int>> {
        let mut bytes: Vec<Int> =
            text.iter().map(|byte| Int::Known(Integer::from(*byte))).collect();
        let stand_ins = self.with_stand_ins(arguments)?;
        for (number, argument) in arguments.iter().enumerate() {
            let Argument::Pointer { text: characters, .. } = argument else { continue };
            for (position, character) in characters.iter().enumerate() {
                let Int::Term(_) = character else { continue };
                let mut other = stand_ins.clone();
                if let Fixed::Pointer { text, .. } = &mut other[number] {
                    text[position] = u32::from(b'B');
                }
                let changed = text_of(format, &other, self.data_model());
                for (at, byte) in bytes.iter_mut().enumerate() {
                    if changed.get(at) != text.get(at) {
                        *byte = character.clone();
                    }
                }
            }
        }
        Ok(bytes)
    }
}

/// Where the number of digits of a number of so many bits can change, whichever way it is printed.
fn points(width: u32) -> BTreeSet<Integer> {
    let mut points = BTreeSet::from([Integer::ZERO, Integer::ONE]);
    let all = Integer::power_of_two(width);
    for base in [2, 8, 10, 16] {
        let base = Integer::from(base);
        let mut power = Integer::ONE;
        while power <= all {
            points.insert(power.clone());
            points.insert(power.neg());
            points.insert(power.neg().add(&Integer::ONE));
            for bits in [8, 16, 32, 64] {
                let modulus = Integer::power_of_two(bits);
                // As a number without a sign, and as a negative one of a smaller type.
                points.insert(power.sub(&modulus));
                points.insert(modulus.sub(&power));
                points.insert(modulus.sub(&power).add(&Integer::ONE));
            }
            power = power.mul(&base);
        }
    }
    points
}
