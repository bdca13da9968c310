//! The path to an error as a story: for people, and as data.

mod json;
mod text;
mod words;

pub use json::json;
pub use text::text;
pub(crate) use words::{grouped, line_of};

use loupe_engine::concrete::story::{Story, Visit};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::Span;

/// A story, and what it needs to be told.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'t> {
    /// The program.
    pub program: &'t Program,
    /// What happened.
    pub story: &'t Story,
    /// The inputs of the run.
    pub inputs: &'t [Integer],
    /// What the run came to, where it ended within a loop.
    pub ending: Ending,
}

impl Telling<'_> {
    /// Whether this is the loop that is never left.
    pub(crate) fn is_endless(&self, visit: &Visit) -> bool {
        let span = words::loop_span(self.program, visit.key);
        visit.left.is_none() && self.ending == Ending::Never(span)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// In an error.
    Error,
    /// Not at all: it stays in this loop. How many iterations it has made there when nobody looked on any longer says nothing.
    Never(Span),
}
