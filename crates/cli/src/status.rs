//! How `loupe` exits.

use std::process::ExitCode;

/// What to do about a bug.
pub(crate) const HOW_TO_REPORT: &str = "please report this with the program, the command line and \
                                        the output of `loupe --version`";

/// The exit status, as the README documents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Done, or safe.
    Done = 0,
    /// A violation was found; for `run`, a run-time error.
    Violation = 1,
    /// Unknown: a limit cut it short.
    Unknown = 2,
    /// Bad usage, or input that cannot be read.
    BadInput = 3,
    /// A bug in Loupe.
    Internal = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// A command that could not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The user has already been told why.
    Reported(Status),
    /// Why.
    Message(Status, String),
}

impl Failed {
    /// The user asked for something that cannot be had.
    pub(crate) fn bad_input(text: impl Into<String>) -> Self {
        Failed::Message(Status::BadInput, text.into())
    }

    /// Loupe is broken.
    pub(crate) fn internal(text: impl Into<String>) -> Self {
        Failed::Message(Status::Internal, format!("internal error: {}", text.into()))
    }
}
