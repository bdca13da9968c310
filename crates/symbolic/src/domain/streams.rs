//! Inputs and uninitialised values: which symbols they are, and what a model says of them.

use super::{Outcome, Symbolic};
use crate::value::Int;
use loupe_integer::Integer;
use loupe_ir::source::Span;
use loupe_ir::types::IntType;
use loupe_term::{Origin, Sort, Term};
use rpds::List;
use rustc_hash::FxHashMap;

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

/// What has been read from the streams on a path.
#[derive(Clone, Debug)]
pub struct Streams {
    /// The inputs, the newest first.
    inputs: List<Input>,
    /// The position in the stream of uninitialised values.
    pub(crate) undefined: Int,
    /// Uninitialised values that have symbols, the newest first.
    unknowns: List<Unknown>,
    /// How many objects and variables without values there have been on the path.
    pub(crate) occasions: u32,
}

impl Default for Streams {
    fn default() -> Self {
        let (inputs, unknowns) = (List::new(), List::new());
        Streams { inputs, undefined: Int::ZERO, unknowns, occasions: 0 }
    }
}

impl Streams {
    /// The inputs in the order in which they were read.
    pub fn inputs(&self) -> Vec<Input> {
        let mut inputs: Vec<Input> = self.inputs.iter().cloned().collect();
        inputs.reverse();
        inputs
    }

    /// The uninitialised values that were looked at.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.unknowns.iter()
    }

    pub(crate) fn note(&mut self, unknown: Unknown) {
        self.unknowns.push_front_mut(unknown);
    }
}

/// The symbols that there are. Those of the same meaning on different paths are the same, so that the
/// solver sees the same questions again.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    inputs: FxHashMap<(usize, IntType), Term>,
    unknowns: FxHashMap<(u32, u64, IntType), Term>,
    arrays: FxHashMap<(u32, u64), Term>,
}

impl Symbolic {
    /// A symbol for a number of type `ty`.
    fn typed_symbol(&mut self, name: &str, ty: IntType) -> Term {
        let symbol = self.terms.fresh(name, Sort::Int, Origin::default());
        for condition in self.range_conditions(ty, symbol) {
            self.everywhere.assume(&mut self.terms, condition);
        }
        symbol
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
        let position = streams.inputs.len();
        let symbol = match self.symbols.inputs.get(&(position, ty)) {
            Some(symbol) => *symbol,
            None => {
                let symbol = self.typed_symbol(&format!("in{position}"), ty);
                self.symbols.inputs.insert((position, ty), symbol);
                symbol
            }
        };
        self.assume_range(ty, symbol);
        streams.inputs.push_front_mut(Input { symbol, ty, place });
        Int::Term(symbol)
    }

    /// The uninitialised value of a register.
    pub(super) fn next_undefined(&mut self, streams: &mut Streams, ty: IntType) -> Outcome<Int> {
        let occasion = streams.occasions;
        streams.occasions += 1;
        let position = streams.undefined.clone();
        streams.undefined = self.sum(&position, &Int::Known(Integer::ONE));
        let symbol = self.unknown_symbol((occasion, 0), ty);
        streams.note(Unknown { position, symbol, count: None });
        Ok(Int::Term(symbol))
    }

    /// The symbol of an uninitialised value: the one with this number of an occasion, which is an object
    /// or variable without values.
    pub(crate) fn unknown_symbol(&mut self, (occasion, number): (u32, u64), ty: IntType) -> Term {
        let key = (occasion, number, ty);
        let symbol = match self.symbols.unknowns.get(&key) {
            Some(symbol) => *symbol,
            None => {
                let symbol = self.typed_symbol(&format!("undef{occasion}_{number}"), ty);
                self.symbols.unknowns.insert(key, symbol);
                symbol
            }
        };
        self.assume_range(ty, symbol);
        symbol
    }

    /// The same for all elements of an object, as an array.
    pub(crate) fn unknown_array(&mut self, occasion: u32, stride: u64) -> Term {
        if let Some(symbol) = self.symbols.arrays.get(&(occasion, stride)) {
            return *symbol;
        }
        let name = format!("undef{occasion}");
        let symbol = self.terms.fresh(&name, Sort::Array(1), Origin::default());
        self.symbols.arrays.insert((occasion, stride), symbol);
        symbol
    }
}
