//! What a program puts out.

use crate::summary::Passage;
use crate::value::{Int, SymbolicValue};
use loupe_engine::text::Size;
use std::rc::Rc;

/// Something that was put out on a path.
#[derive(Clone, Debug)]
pub enum Output {
    /// A number (microc).
    Number(Int),
    /// A byte to a stream.
    Byte {
        /// 1 for the standard output, 2 for the standard error.
        stream: Int,
        /// The byte.
        byte: Int,
    },
    /// Formatted text (C).
    Text {
        /// 1 for the standard output, 2 for the standard error.
        stream: Int,
        /// The format.
        format: Vec<u8>,
        /// The arguments that the format asks for, in the order in which it does.
        arguments: Vec<Argument>,
    },
    /// Whatever a loop has put out that was passed by its summary.
    Loop(Rc<Passage>),
}

/// An argument of formatted text.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An integer of this size, with a sign.
    Integer(Size, Int),
    /// A floating point number of 64 or 80 bits.
    Float(SymbolicValue),
    /// A pointer: its address, if that was asked, and what stands there, if it is a text.
    Pointer {
        /// The address.
        address: Int,
        /// The characters of the text, without the zero behind them.
        text: Vec<Int>,
    },
}
