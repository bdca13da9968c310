//! Inputs and uninitialised values: which symbols they are, and what a model says of them.

mod merge;

use super::{Outcome, Symbolic};
use crate::halt::{Halt, internal};
use crate::summary::Passage;
use crate::trail::Trail;
use crate::value::Int;
use loupe_integer::Integer;
use loupe_ir::program::CompareOp;
use loupe_ir::source::Span;
use loupe_ir::types::IntType;
use loupe_term::{Origin, Sort, Term};
use rpds::{List, RedBlackTreeMap};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An input that was read.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its symbol.
    pub symbol: Term,
    /// Its type.
    pub ty: IntType,
    /// Where the program reads it.
    pub place: Option<Span>,
}

/// An uninitialised value that somebody has looked at.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its position in the stream of uninitialised values, which may depend on the sizes of objects.
    pub position: Int,
    /// Its symbol: a number, or an array of numbers from the position on.
    pub symbol: Term,
    /// What it stands for, if it is an array.
    pub count: Option<Elements>,
    /// On which of the ways that were merged it was looked at, if not on all.
    pub when: Option<Term>,
}

/// Uninitialised values as an array.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The size of the object in bytes.
    pub size: Int,
    /// How many bytes an element of the array has.
    pub stride: u64,
    /// How many bytes each value of the stream has.
    pub scalar: u64,
    /// The type of the elements of the array.
    pub int: IntType,
}

/// The command line as far as it was looked at. The name of the program is known.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// How many arguments there are, with the name; `None` if nobody has asked.
    pub count: Option<usize>,
    /// The symbol of that number, which does not count the name.
    pub count_symbol: Option<Term>,
    /// The symbols of bytes, by argument and position; 0 ends an argument.
    pub bytes: RedBlackTreeMap<(usize, usize), Term>,
}

/// The name of the program.
pub const PROGRAM_NAME: &[u8] = b"program";
/// So many arguments are looked at behind the name.
const MAX_ARGUMENTS: usize = 2;
/// Of each so many bytes.
const MAX_LENGTH: usize = 4;

/// What was read at once.
#[derive(Clone, Debug)]
pub enum Reading {
    /// One input.
    Input(Input),
    /// Whatever a loop has read that was passed by its summary.
    Loop(Rc<Passage>),
}

/// What has been read from the streams on a path.
#[derive(Clone, Debug)]
pub struct Streams {
    /// What was read. Symbols are numbered by how much has been read before: where ways were merged, on the longest of
    /// them, so that a symbol stands for one reading on each of the ways.
    readings: Trail<Reading>,
    /// Where the numbers of readings and occasions start: executions that shall have symbols of their own have
    /// their own numbers.
    start: u64,
    /// The position in the stream of uninitialised values.
    pub(crate) undefined: Int,
    /// Uninitialised values that have symbols.
    unknowns: Trail<Unknown>,
    /// The symbols of the bytes of the standard input that were looked at, the newest first; −1 is its end.
    bytes: List<Term>,
    /// How many of these were taken.
    taken: usize,
    /// What was looked at of the command line.
    command_line: CommandLine,
    /// How many objects and variables without values there have been on the path.
    pub(crate) occasions: u64,
}

impl Default for Streams {
    fn default() -> Self {
        Streams {
            readings: Trail::default(),
            start: 0,
            undefined: Int::ZERO,
            unknowns: Trail::default(),
            bytes: List::new(),
            taken: 0,
            command_line: CommandLine::default(),
            occasions: 0,
        }
    }
}

impl Streams {
    /// What was read, in order; where ways were merged, on all of them.
    pub fn readings(&self) -> Vec<Reading> {
        self.readings.oldest_first().cloned().collect()
    }

    /// What was read, as a trail.
    pub fn readings_trail(&self) -> &Trail<Reading> {
        &self.readings
    }

    /// The inputs in the order in which they were read, but for those that loops have read that were passed by their
    /// summaries.
    pub fn inputs(&self) -> Vec<Input> {
        let single = |reading| match reading {
            Reading::Input(input) => Some(input),
            Reading::Loop(_) => None,
        };
        self.readings().into_iter().filter_map(single).collect()
    }

    /// The same streams before anything is read by an execution that has symbols of its own; `undefined` is where it
    /// is in the stream of uninitialised values.
    pub(crate) fn apart(&self, start: u64, undefined: Term) -> Streams {
        Streams {
            readings: Trail::default(),
            start,
            undefined: Int::Term(undefined),
            unknowns: Trail::default(),
            occasions: start,
            ..self.clone()
        }
    }

    /// Whether an execution that started from other streams has looked at more of the standard input or of the command
    /// line.
    pub(crate) fn has_looked_beyond(&self, before: &Streams) -> bool {
        self.bytes.len() != before.bytes.len()
            || self.taken != before.taken
            || self.command_line.count != before.command_line.count
            || self.command_line.bytes.size() != before.command_line.bytes.size()
    }

    /// Notes that a loop was passed.
    pub(crate) fn pass(&mut self, passage: Rc<Passage>) {
        self.readings.push(Reading::Loop(passage));
    }

    /// The bytes of the standard input in order, as far as they were looked at; −1 is its end.
    pub fn standard_input(&self) -> Vec<Term> {
        let mut bytes: Vec<Term> = self.bytes.iter().copied().collect();
        bytes.reverse();
        bytes
    }

    /// What was looked at of the command line.
    pub fn command_line(&self) -> &CommandLine {
        &self.command_line
    }

    /// The uninitialised values that were looked at; where ways were merged, on all of them.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.unknowns.newest_first()
    }

    /// The same, as a trail.
    pub fn unknowns_trail(&self) -> &Trail<Unknown> {
        &self.unknowns
    }

    /// Of the newest bytes that were taken, only so many are.
    pub(super) fn take(&mut self, taken: usize, looked_at: usize) {
        self.taken = self.taken + taken - looked_at.min(self.taken + taken);
    }

    pub(crate) fn note(&mut self, unknown: Unknown) {
        self.unknowns.push(unknown);
    }
}

/// The symbols that there are. Those of the same meaning on different paths are the same, so that the
/// solver sees the same questions again.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    inputs: FxHashMap<(u64, IntType), Term>,
    unknowns: FxHashMap<(u64, u64, IntType), Term>,
    arrays: FxHashMap<(u64, u64), Term>,
    /// What uninitialised values are called, by occasion.
    names: FxHashMap<u64, String>,
    /// The types of symbols that have one.
    types: FxHashMap<Term, IntType>,
    /// How many executions have numbers of their own.
    apart: u64,
    /// Bytes of the standard input.
    bytes: Vec<Term>,
    /// Bytes of the command line, by argument and position.
    arguments: FxHashMap<(usize, usize), Term>,
    argument_count: Option<Term>,
}

impl Symbolic {
    /// A symbol for a number of type `ty`, of which nothing else is known.
    pub fn arbitrary(&mut self, name: &str, ty: IntType) -> Int {
        Int::Term(self.typed_symbol(name, ty))
    }

    /// A symbol for a number of type `ty`.
    pub(crate) fn typed_symbol(&mut self, name: &str, ty: IntType) -> Term {
        let symbol = self.terms.fresh(name, Sort::Int, Origin::default());
        for condition in self.range_conditions(ty, symbol) {
            self.everywhere.assume(&mut self.terms, condition);
        }
        self.symbols.types.insert(symbol, ty);
        symbol
    }

    /// The type of a symbol that stands for a number of a type.
    pub(crate) fn type_of_symbol(&self, symbol: Term) -> Option<IntType> {
        self.symbols.types.get(&symbol).copied()
    }

    /// All symbols that stand for numbers of a type, in no order.
    pub(crate) fn typed_symbols(&self) -> impl Iterator<Item = (Term, IntType)> {
        self.symbols.types.iter().map(|(symbol, ty)| (*symbol, *ty))
    }

    /// Where the numbers of another execution start that shall have symbols of its own.
    pub(crate) fn start_apart(&mut self) -> u64 {
        self.symbols.apart += 1;
        self.symbols.apart << 32
    }

    /// Everything that has a range is in it, on this path; 0 always is, so a model stays one.
    fn assume_range(&mut self, ty: IntType, symbol: Term) {
        for condition in self.range_conditions(ty, symbol) {
            self.assume_harmless(condition);
        }
    }

    pub(super) fn next_input(
        &mut self,
        streams: &mut Streams,
        ty: IntType,
        place: Option<Span>,
    ) -> Int {
        let position = streams.start + streams.readings.len();
        let symbol = match self.symbols.inputs.get(&(position, ty)) {
            Some(symbol) => *symbol,
            None => {
                let symbol = self.typed_symbol(&self.name_of_input(position, place), ty);
                self.symbols.inputs.insert((position, ty), symbol);
                symbol
            }
        };
        self.assume_range(ty, symbol);
        streams.readings.push(Reading::Input(Input { symbol, ty, place }));
        Int::Term(symbol)
    }

    /// How people call an input: by its position, or by its line where drafts show what every iteration of a loop reads.
    fn name_of_input(&self, position: u64, place: Option<Span>) -> String {
        let is_apart = position >> 32 != 0;
        match place.filter(|_| self.drafts && is_apart) {
            Some(place) => format!("in@{}", place.start.line),
            None => format!("in{}", position & 0xffff_ffff),
        }
    }

    /// A symbol for a number in a range that 0 is in, or that is not asked by any model yet.
    fn ranged_symbol(&mut self, name: &str, low: i64, high: i64) -> Term {
        let symbol = self.terms.fresh(name, Sort::Int, Origin::default());
        for condition in self.between(symbol, low, high) {
            self.everywhere.assume(&mut self.terms, condition);
        }
        symbol
    }

    fn between(&mut self, symbol: Term, low: i64, high: i64) -> [Term; 2] {
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        [self.terms.le(low, symbol), self.terms.le(symbol, high)]
    }

    /// The next byte of the standard input, which stays there; −1 at its end. What comes behind the end
    /// is the end again, because nothing of it is ever taken.
    pub(super) fn peek_byte(&mut self, streams: &mut Streams) -> Int {
        if streams.taken < streams.bytes.len() {
            return streams.bytes.first().map_or(Int::ZERO, |symbol| self.int_of(*symbol));
        }
        let position = streams.bytes.len();
        let symbol = match self.symbols.bytes.get(position) {
            Some(symbol) => *symbol,
            None => {
                let symbol = self.ranged_symbol(&format!("stdin{position}"), -1, 255);
                self.symbols.bytes.push(symbol);
                symbol
            }
        };
        for condition in self.between(symbol, -1, 255) {
            self.assume_harmless(condition);
        }
        streams.bytes.push_front_mut(symbol);
        Int::Term(symbol)
    }

    /// Takes the next byte of the standard input, if it has not ended: that must be known.
    pub(super) fn next_byte(&mut self, streams: &mut Streams) -> Outcome<Int> {
        let byte = self.peek_byte(streams);
        let is_end = self.compared(CompareOp::Lt, &byte, &Int::ZERO);
        if self.one_truth(is_end)? {
            return Ok(Int::Known(Integer::from(-1)));
        }
        streams.taken += 1;
        Ok(byte)
    }

    /// How many arguments the program has. Longer command lines are not looked at.
    pub(super) fn argument_count(&mut self, streams: &mut Streams) -> Outcome<Int> {
        if let Some(count) = streams.command_line.count {
            return Ok(Int::Known(Integer::from(count)));
        }
        let symbol = match self.symbols.argument_count {
            Some(symbol) => symbol,
            None => {
                let most = MAX_ARGUMENTS as i64 + 1;
                let symbol = self.ranged_symbol("arguments", 0, most);
                *self.symbols.argument_count.insert(symbol)
            }
        };
        for condition in self.between(symbol, 0, MAX_ARGUMENTS as i64 + 1) {
            self.assume_harmless(condition);
        }
        let count = self.one_number(&Int::Term(symbol))?;
        let count = count.to_usize().ok_or_else(|| internal("a number of arguments"))?;
        if count > MAX_ARGUMENTS {
            let what = format!("a command line of more than {MAX_ARGUMENTS} arguments");
            return Err(Box::new(Halt::Limit(what)));
        }
        streams.command_line.count = Some(count + 1);
        streams.command_line.count_symbol = Some(symbol);
        Ok(Int::Known(Integer::from(count + 1)))
    }

    /// A byte of an argument; 0 behind its end, which longer ones are cut off before.
    pub(super) fn argument_byte(
        &mut self,
        streams: &mut Streams,
        argument: &Int,
        position: &Int,
    ) -> Outcome<Int> {
        let (argument, position) = (self.one_number(argument)?, self.one_number(position)?);
        let count = self.argument_count(streams)?;
        let place = argument.to_usize().zip(position.to_usize());
        let Some((argument, position)) = place.filter(|(argument, _)| {
            count.known().is_some_and(|count| Integer::from(*argument) < *count)
        }) else {
            return Ok(Int::ZERO);
        };
        if argument == 0 {
            let byte = PROGRAM_NAME.get(position).copied().unwrap_or(0);
            return Ok(Int::Known(Integer::from(byte)));
        }
        // Behind a byte that ends the argument there is nothing.
        for before in 0..position {
            let byte = match streams.command_line.bytes.get(&(argument, before)) {
                Some(symbol) => Int::Term(*symbol),
                None => self.argument_byte_symbol(streams, argument, before)?,
            };
            let is_end = self.compared(CompareOp::Eq, &byte, &Int::ZERO);
            if self.one_truth(is_end)? {
                return Ok(Int::ZERO);
            }
        }
        self.argument_byte_symbol(streams, argument, position)
    }

    fn argument_byte_symbol(
        &mut self,
        streams: &mut Streams,
        argument: usize,
        position: usize,
    ) -> Outcome<Int> {
        if position >= MAX_LENGTH {
            let what = format!("an argument of {MAX_LENGTH} or more bytes");
            return Err(Box::new(Halt::Limit(what)));
        }
        let symbol = match self.symbols.arguments.get(&(argument, position)) {
            Some(symbol) => *symbol,
            None => {
                let name = format!("argument{argument}_{position}");
                let symbol = self.ranged_symbol(&name, 0, 255);
                self.symbols.arguments.insert((argument, position), symbol);
                symbol
            }
        };
        for condition in self.between(symbol, 0, 255) {
            self.assume_harmless(condition);
        }
        streams.command_line.bytes.insert_mut((argument, position), symbol);
        Ok(Int::Term(symbol))
    }

    /// The uninitialised value of a register.
    pub(super) fn next_undefined(&mut self, streams: &mut Streams, ty: IntType) -> Outcome<Int> {
        let occasion = streams.occasions;
        streams.occasions += 1;
        let position = streams.undefined.clone();
        streams.undefined = self.sum(&position, &Int::Known(Integer::ONE));
        let symbol = self.unknown_symbol((occasion, 0), ty);
        streams.note(Unknown { position, symbol, count: None, when: None });
        Ok(Int::Term(symbol))
    }

    /// The symbol of an uninitialised value: the one with this number of an occasion, which is an object
    /// or variable without values.
    pub(crate) fn unknown_symbol(&mut self, (occasion, number): (u64, u64), ty: IntType) -> Term {
        let key = (occasion, number, ty);
        let symbol = match self.symbols.unknowns.get(&key) {
            Some(symbol) => *symbol,
            None => {
                let name = match self.symbols.names.get(&occasion) {
                    Some(name) => format!("{name}[{number}]"),
                    None => format!("undef{}_{number}", occasion & 0xffff_ffff),
                };
                let symbol = self.typed_symbol(&name, ty);
                self.symbols.unknowns.insert(key, symbol);
                symbol
            }
        };
        self.assume_range(ty, symbol);
        symbol
    }

    /// Gives the uninitialised values of an occasion the name of a variable.
    pub(crate) fn name_unknowns(&mut self, occasion: u64, name: &str) {
        self.symbols.names.insert(occasion, name.to_owned());
    }

    /// The same for all elements of an object, as an array.
    pub(crate) fn unknown_array(&mut self, occasion: u64, stride: u64) -> Term {
        if let Some(symbol) = self.symbols.arrays.get(&(occasion, stride)) {
            return *symbol;
        }
        let name = match self.symbols.names.get(&occasion) {
            Some(name) => name.clone(),
            None => format!("undef{}", occasion & 0xffff_ffff),
        };
        let symbol = self.terms.fresh(&name, Sort::Array(1), Origin::default());
        self.symbols.arrays.insert((occasion, stride), symbol);
        symbol
    }
}
