//! What a program puts out.

use crate::value::{Int, SymbolicValue};

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
        /// The arguments that the format asks for.
        arguments: Vec<SymbolicValue>,
    },
}
