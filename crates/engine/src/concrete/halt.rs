//! Why an execution could not go on.

use super::input::BadInput;
use crate::domain::InternalError;
use loupe_ir::check::CheckKind;

/// A limit that ended an execution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// Too many instructions.
    #[error("the limit of {steps} steps was reached")]
    Steps {
        /// The limit.
        steps: u64,
    },
    /// Calls nested too deeply.
    #[error("the limit of {depth} nested calls was reached")]
    Depth {
        /// The limit.
        depth: usize,
    },
    /// Too much memory.
    #[error("the limit of {cells} memory cells was reached")]
    Memory {
        /// The limit.
        cells: u64,
    },
    /// A number too large.
    #[error("a number with more than {bits} bits was computed")]
    Bits {
        /// The limit.
        bits: u64,
    },
    /// The process as a whole has become too large.
    #[error("the limit of {megabytes} MB of memory was reached")]
    Process {
        /// The limit.
        megabytes: u64,
    },
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// Nobody reads the output any more.
    #[error("the output was closed")]
    OutputClosed,
}

/// Why an operation could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// A limit was reached.
    #[error(transparent)]
    Limit(#[from] Limit),
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] BadInput),
    /// The program does something that has no model.
    #[error("not modelled: {0}")]
    Unsupported(&'static str),
    /// A function that is not made of instructions finds what a check would: the end of the run as if
    /// one had failed.
    #[error("{detail}")]
    Failed {
        /// What went wrong.
        kind: CheckKind,
        /// What exactly.
        detail: String,
    },
    /// Loupe is broken.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

impl From<InternalError> for Box<Halt> {
    fn from(error: InternalError) -> Self {
        Box::new(Halt::Internal(error))
    }
}

pub(super) fn internal(what: &str) -> Box<Halt> {
    InternalError(what.to_owned()).into()
}

pub(super) fn unsupported(what: &'static str) -> Box<Halt> {
    Box::new(Halt::Unsupported(what))
}
