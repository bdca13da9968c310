//! Loops of programs as problems for [`loupe_loops`], and what their solutions make of states.
//!
//! *Extraction* ([`extract`]) starts from a state that stands at the header of a loop. What the loop may change becomes a header symbol, and
//! the body is executed once, along all of its paths, with the semantics of the executor itself: so calls are inlined, and fields, cells
//! behind pointers and array elements at fixed places are variables like others; every check is an exit. What the loop may change is
//! found by iteration: what differs at a back edge is havocked too, until nothing else does.
//!
//! *Application* puts the values of a state in for the header symbols of a case, which gives the state behind the loop (composition, as
//! in compact symbolic execution and Proteus, section 5).
//!
//! What is deliberately not here: how loops are solved, which is a matter of formulas, and when the executor asks for it.

mod apply;
pub mod arbitrary;
mod arrival;
mod body;
mod cells;
mod counted;
mod ends;
mod exits;
mod extract;
mod forget;
mod outline;
mod passage;
mod quick;
mod reads;
mod recursion;
mod solve;
pub mod survey;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use apply::{Applied, Continuation, apply, symbol_of};
pub(crate) use body::{enters_loop, place as place_of, unsupported_at};
pub(crate) use cells::{Root, Spot, name as name_of_spot};
pub(crate) use ends::{Fate, entry_values, fate, possible_divergence, recurrences};
pub(crate) use exits::Write;
pub(crate) use forget::{failures, pass_by};
pub use passage::Passage;
pub(crate) use passage::Unwound;
pub(crate) use quick::runs_through;
pub(crate) use recursion::{any_result, returns};
pub use solve::Solution;
pub(crate) use solve::{Question, Solutions, Wanted};
pub(crate) use values::{Kind, Part, Rewrite, differences, is_same};

use crate::domain::Symbolic;
use crate::loops::{LoopKey, Loops, Region};
use loupe_engine::semantics::Machine;
use loupe_engine::state::{Frame, State};
use loupe_ir::check::CheckKind;
use loupe_ir::program::{BlockId, LocalId, Program};
use loupe_ir::source::Span;
use loupe_ir::types::IntType;
use loupe_term::Term;
use reads::Reads;

/// What is known where a loop is entered.
#[derive(Clone, Debug)]
pub enum Context {
    /// Nothing but the ranges of types: the problem holds for all entries with the same constants.
    General,
    /// Everything: these conditions hold at entry (they speak of symbols that do not change), and the variables have the values of the
    /// state.
    Specialised(Vec<Term>),
}

/// What accesses to small arrays become, at places that change from iteration to iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tables {
    /// Choices between values: where there are few, each may be a path.
    #[default]
    Choices,
    /// Elements of arrays: conditions on all elements up to some index can be said of nothing else.
    Arrays,
}

/// How much work an extraction may be.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many paths a body may have.
    pub paths: usize,
    /// How many instructions all of them may take, in each round.
    pub steps: u64,
    /// How often what the loop changes is looked for.
    pub rounds: usize,
    /// How deep loops may nest.
    pub nesting: usize,
    /// How deep calls may nest in the body.
    pub calls: usize,
    /// How much work it may be for the solver and in terms, with all loops inside.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let work = 2_000_000;
        Limits { paths: 64, steps: 100_000, rounds: 12, nesting: 4, calls: 16, work }
    }
}

/// What is to be extracted.
pub struct Request<'r> {
    /// A state that has just come to the entry of the region: its innermost call stands before the first instruction of it.
    pub state: &'r State<Symbolic>,
    /// What is repeated.
    pub region: Region,
    /// What is known there.
    pub context: Context,
    /// What accesses at places that change from iteration to iteration become.
    pub tables: Tables,
    /// How much work it may be.
    pub limits: &'r Limits,
}

/// A loop of a program as a problem.
#[derive(Clone)]
pub struct Extraction {
    /// Which loop.
    pub key: LoopKey,
    /// The whole loop, or a cycle in it.
    pub region: Region,
    /// The problem.
    pub problem: loupe_loops::Loop,
    /// What the variables of the problem are, in their order.
    pub cells: Vec<Cell>,
    /// What the exits of the problem are, in their order.
    pub exits: Vec<ExitPlace>,
    /// The loops inside that were replaced by their summaries.
    pub inner: Vec<InnerLoop>,
    /// What else happens on each path of the problem.
    pub(crate) ways: Vec<extract::Way>,
    /// What states are like at each exit.
    pub(crate) states: Vec<exits::ExitState>,
    /// The state that was given, with everything spelled out that the loop changes.
    pub(crate) plain: State<Symbolic>,
    /// Where the numbers of occasions start that were the body's.
    pub(crate) apart: u64,
    /// The position in the stream of uninitialised values at the header.
    pub(crate) undefined: Term,
    /// The registers that matter at the header.
    pub(crate) live: Vec<LocalId>,
    /// What iterations read besides the variables; none if that is not known.
    pub(crate) reads: Option<Reads>,
}

impl std::fmt::Debug for Extraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Extraction { key, problem, cells, exits, .. } = self;
        f.debug_struct("Extraction")
            .field("key", key)
            .field("problem", problem)
            .field("cells", cells)
            .field("exits", exits)
            .finish_non_exhaustive()
    }
}

/// A variable of a loop.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its value at the header.
    pub symbol: Term,
    /// What a user would write for it.
    pub name: String,
    /// Its type, if it is a machine integer.
    pub ty: Option<IntType>,
    /// Where it is.
    pub place: CellPlace,
    /// Its value at the entry of the state that was given; `None` for what matters behind an exit only.
    pub entry: Option<Term>,
    pub(crate) spot: Option<cells::Spot>,
}

impl Cell {
    /// The register that it is all of, if it is one.
    pub(crate) fn register(&self) -> Option<LocalId> {
        let spot = self.spot.as_ref()?;
        match spot.root {
            cells::Root::Register(local) if spot.part.is_number() => Some(local),
            _ => None,
        }
    }
}

/// Where a variable of a loop is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellPlace {
    /// A register of the loop's function.
    Register(LocalId),
    /// In memory.
    Memory,
    /// The elements of an array.
    Elements,
    /// What is returned or put out where the loop is left.
    Result,
}

/// An exit of a loop.
#[derive(Clone, Debug)]
pub struct ExitPlace {
    /// How it leaves.
    pub kind: ExitKind,
    /// Where.
    pub span: Span,
}

/// Where an execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// What is written there: code of the user, or a model of a library function.
    pub(crate) span: Span,
    /// The innermost place of the user's code, where that is known: what a model does happens where users call it. What leaves a loop of
    /// a model does not know it, because the model may be called from anywhere.
    pub(crate) users: Option<Span>,
}

impl Site {
    /// One of which only that is known.
    pub(crate) fn at(program: &Program, span: Span) -> Self {
        Site { span, users: program.sources.is_users(span).then_some(span) }
    }

    /// The same, reached through these calls, of which the innermost comes first.
    pub(crate) fn through<'s>(
        self,
        machine: &Machine<'_, Symbolic>,
        calls: impl Iterator<Item = &'s Frame<Symbolic>>,
    ) -> Self {
        Site { users: self.users.or_else(|| machine.users_place_among(calls)), ..self }
    }

    /// The place that messages name.
    pub(crate) fn shown(&self) -> Span {
        self.users.unwrap_or(self.span)
    }
}

/// How a loop is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// To a block of the same function.
    Block(BlockId),
    /// Back to the caller.
    Returned,
    /// The entry function returned.
    Finished,
    /// The program ended itself with a status.
    Exited,
    /// The program ended itself abnormally.
    Aborted,
    /// A check failed.
    Failed(CheckKind),
    /// An assumption failed.
    AssumptionFailed,
    /// What comes then has no model, and why.
    Lost(String),
}

/// A loop inside another one.
#[derive(Clone, Debug)]
pub struct InnerLoop {
    /// Which loop.
    pub key: LoopKey,
    /// What its summary is worth.
    pub tag: loupe_loops::Tag,
    /// Whether it may run for ever: then the loop around it need not end either, though no path of it says so.
    pub may_diverge: bool,
    /// Whether all executions that come to it here are known to leave it; only looked for where the end of loops is the question.
    pub ends: bool,
    /// Why its summary is not better.
    pub reasons: Vec<String>,
}

/// Why a loop is no problem that can be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct WhyNot {
    /// What stands in the way.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// The problem of the loop that a state has come to.
///
/// # Errors
///
/// If the loop does what variables of numbers cannot describe.
pub fn extract(
    machine: &mut Machine<'_, Symbolic>,
    loops: &Loops,
    request: &Request<'_>,
) -> Result<Extraction, WhyNot> {
    let solutions = &mut Solutions::default();
    solutions.start(&machine.domain, request.limits);
    extract::Extractor { machine, loops, solutions }.extract(request)
}
