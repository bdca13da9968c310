//! Where the values are that a node leaves open: in a register of one of the active calls, or in memory.
//!
//! These are the variables of [summaries](crate::summary) with one thing more: at the header of a loop, calls below that of the loop may hold
//! different values too, depending on how the loop was come to.

use super::nodes::LeftOpen;
use crate::domain::{Outcome, Symbolic};
use crate::halt::internal;
use crate::memory::ObjectId;
use crate::summary::{Kind, Part, Root, Spot, name_of_spot};
use crate::value::{Bool, Int, Pointer, SymbolicValue};
use loupe_engine::state::State;
use loupe_engine::value::Value;
use loupe_ir::program::{LocalId, Program};
use loupe_ir::types::IntType;
use loupe_term::{Node, Term, Terms};

/// Deeper records are no variables.
const MAX_DEPTH: usize = 16;

/// A value that a node leaves open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    /// The call whose register it is, the outermost being 0; 0 for what is in memory.
    pub(crate) level: usize,
    /// Where it is.
    pub(crate) spot: Spot,
}

impl Slot {
    pub(crate) fn register(level: usize, local: LocalId, part: Part) -> Self {
        Slot { level, spot: Spot { root: Root::Register(local), part } }
    }

    pub(crate) fn memory(root: Root, part: Part) -> Self {
        Slot { level: 0, spot: Spot { root, part } }
    }

    /// Whether nothing is known of what it holds, not even a symbol.
    pub(crate) fn is_forgotten(&self) -> bool {
        self.spot.is_forgotten()
    }

    pub(crate) fn read(&self, domain: &mut Symbolic, state: &State<Symbolic>) -> Option<Term> {
        match self.spot.root {
            Root::Register(local) => {
                let value = state.frames.get(self.level)?.locals.get(local.index())?;
                domain.part_of(value, &self.spot.part)
            }
            _ => self.spot.read(domain, state),
        }
    }

    pub(crate) fn write(
        &self,
        domain: &mut Symbolic,
        state: &mut State<Symbolic>,
        term: Term,
    ) -> Outcome<()> {
        match self.spot.root {
            Root::Register(local) => {
                let lost = || internal("a register that is not there");
                let frame = state.frames.get_mut(self.level).ok_or_else(lost)?;
                let value = frame.locals.get_mut(local.index()).ok_or_else(lost)?;
                *value = domain.with_part(value, &self.spot.part, term)?;
                Ok(())
            }
            _ => self.spot.write(domain, state, term),
        }
    }

    /// The type of its numbers by declaration.
    pub(crate) fn declared(&self, program: &Program, state: &State<Symbolic>) -> Option<IntType> {
        self.spot.declared(program, &self.as_seen(state))
    }

    /// What a user would write for it.
    pub(crate) fn name(&self, program: &Program, state: &State<Symbolic>) -> String {
        name_of_spot(program, &self.as_seen(state), &self.spot)
    }

    /// The state as its call sees it.
    fn as_seen(&self, state: &State<Symbolic>) -> State<Symbolic> {
        let mut copy = state.clone();
        if let Root::Register(_) = self.spot.root {
            copy.frames.truncate(self.level + 1);
        }
        copy
    }
}

/// Scalars in a value whose terms are more than sums of symbols. They are said once, where a node is come to, instead of everywhere behind it.
pub(crate) fn hard_parts(terms: &Terms, value: &SymbolicValue, left_open: LeftOpen) -> Vec<Part> {
    let is_plain = |term: Term| left_open == LeftOpen::Hard && is_plain(terms, term);
    let mut parts = Vec::new();
    let mut open = vec![(value, Vec::new())];
    while let Some((value, path)) = open.pop() {
        if path.len() > MAX_DEPTH {
            continue;
        }
        let kind = match value {
            Value::Int(Int::Term(term)) if !is_plain(*term) => Kind::Int,
            Value::Bool(Bool::Term(_)) => Kind::Bool,
            Value::Pointer(Pointer { object: Some(object), offset: Int::Term(term) })
                if !is_plain(*term) =>
            {
                Kind::Offset(*object)
            }
            Value::Record(record) => {
                for (number, field) in (0..).zip(&record.fields) {
                    open.push((&field.1, [&path[..], &[number]].concat()));
                }
                continue;
            }
            Value::Sequence(sequence) => {
                for (number, value) in (0..).zip(&sequence.values) {
                    open.push((value, [&path[..], &[number]].concat()));
                }
                continue;
            }
            _ => continue,
        };
        parts.push(Part { path, kind });
    }
    parts.sort();
    parts
}

/// Whether a number is a sum of symbols.
fn is_plain(terms: &Terms, term: Term) -> bool {
    let is_symbol = |term: Term| matches!(terms.node(term), Node::Symbol(_));
    match terms.node(term) {
        Node::Symbol(_) | Node::Int(_) => true,
        Node::Sum(sum) => sum.summands.iter().all(|(part, _)| is_symbol(*part)),
        _ => false,
    }
}

/// The elements of an array, if they are more than a symbol.
pub(crate) fn hard_arrays(
    terms: &Terms,
    state: &State<Symbolic>,
    object: ObjectId,
    left_open: LeftOpen,
) -> Vec<Root> {
    let Some(held) = state.memory.elements(object) else { return Vec::new() };
    let is_hard = |term: Term| match terms.node(term) {
        Node::Symbol(_) => left_open == LeftOpen::Terms,
        Node::ConstantArray(..) => false,
        _ => true,
    };
    let mut roots = Vec::new();
    if is_hard(held.elements) {
        roots.push(Root::Elements(object));
    }
    if held.written.is_some_and(is_hard) {
        roots.push(Root::Flags(object));
    }
    roots
}
