//! Why an operation could not be carried out.

use loupe_engine::domain::InternalError;
use loupe_ir::check::CheckKind;
use loupe_solver::Reason;
use loupe_term::{Assignment, Misuse, Term};
use std::rc::Rc;

/// Why an operation could not be carried out. Nothing has been changed by it then.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Halt {
    /// It must be known which one of these holds; the operation is then to be carried out again. They
    /// exclude each other, and one of them holds wherever the path condition does.
    #[error("several cases")]
    Split(Vec<Case>),
    /// What must be known is known now, and the operation is to be carried out again.
    #[error("again")]
    Again,
    /// The path cannot be followed further: what it does has no model.
    #[error("not modelled: {0}")]
    Unsupported(String),
    /// The solver does not know what would be needed to go on.
    #[error("the solver has no answer: {0}")]
    Solver(Reason),
    /// A question about merged values is more work than it may be: the operation is to be carried out again by the states that were merged.
    #[error("a question about merged values that is too much work")]
    Costly,
    /// What is not made of instructions finds what a check would.
    #[error("{detail}")]
    Failed {
        /// What went wrong.
        kind: CheckKind,
        /// What exactly.
        detail: String,
    },
    /// The program wants more than there is, on this path.
    #[error("{0}")]
    Limit(String),
    /// Loupe is broken.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

/// One of several cases.
#[derive(Clone, Debug)]
pub struct Case {
    /// What holds in it.
    pub condition: Term,
    /// A term, and the value that it has in it.
    pub known: Option<(Term, loupe_integer::Integer)>,
    /// Values for which it holds, if some are known.
    pub model: Option<Rc<Assignment>>,
    /// Which of the cases that were asked for it is.
    pub choice: u32,
}

impl From<InternalError> for Box<Halt> {
    fn from(error: InternalError) -> Self {
        Box::new(Halt::Internal(error))
    }
}

impl From<Misuse> for Box<Halt> {
    fn from(misuse: Misuse) -> Self {
        internal(misuse.to_string())
    }
}

impl From<loupe_solver::Error> for Box<Halt> {
    fn from(error: loupe_solver::Error) -> Self {
        internal(error.to_string())
    }
}

pub(crate) fn internal(what: impl Into<String>) -> Box<Halt> {
    InternalError(what.into()).into()
}

pub(crate) fn unsupported(what: impl Into<String>) -> Box<Halt> {
    Box::new(Halt::Unsupported(what.into()))
}
