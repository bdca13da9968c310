//! Two states at the same place as one (section 4.3 of the thesis, and its algorithms 1 and 2 on structures that
//! share what they have in common).
//!
//! What both have is kept once. Where values differ, the merged state has a choice between them, by a *selector*:
//! a formula that holds on the one path and not on the other. So an execution of the merged state is one of either,
//! and one of each is an execution of it: neither errors nor proofs are lost.
//!
//! *Why that is exact.* The paths have conditions C∧A and C∧B, where C is what they have in common, and the selector
//! s follows from A, and ¬s from B; the merged one has C ∧ (s ⇒ A) ∧ (¬s ⇒ B), which is C ∧ (A ∨ B). Under s all
//! values are those of the first state, under ¬s those of the second. Mostly s is the condition of A of which B has the
//! opposite, and else all of A: where everything was executed, states exclude each other, because the sides of every
//! decision do. Behind loops that were passed by summaries that is not said, so s is a new symbol, of which nothing is
//! known: then an execution of both states is described twice, which does no harm.
//!
//! Ranges of symbols by their types are no decisions: they hold wherever the symbol stands for something, so they
//! are kept for both sides. Symbols are named by what has been read before them, so the two sides may have the same
//! symbol for things that are read in different places: no execution comes to both.
//!
//! *Objects* are the same if they have the same number and were made in the same way; which of two allocations it
//! was does not matter. An object that only one of the states has made is there in both: nothing in the other one
//! points to it. Pointers to different objects are a choice of their own (`memory/choices.rs`).
//!
//! What cannot be one stays two ([`Apart`]).

mod numbers;
mod resolve;
mod values;

use crate::domain::{Outcome, Symbolic};
use crate::path::{Parted, Path};
use loupe_ir::types::Types;
use loupe_term::{Node, Origin, Sort, Term, Value as TermValue};
pub(crate) use resolve::{Resolved, Resolver};
use rustc_hash::FxHashSet;
use std::rc::Rc;
pub(crate) use values::Merger;

/// Why two states at the same place stay two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Apart {
    /// Values of different kinds, or that no choice can be made between.
    Kinds,
    /// Objects that were made in different ways, or that only one of the states has ended.
    Objects,
    /// Memory that is accessed in pieces of different sizes.
    Pieces,
    /// Addresses that were looked at as numbers.
    Addresses,
    /// Standard input or command line of which one state has looked at more.
    Streams,
    /// Loops that are passed in different ways.
    Loops,
    /// It would be too much work.
    Large,
}

impl Apart {
    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Apart::Kinds => "values of different kinds",
            Apart::Objects => "different objects",
            Apart::Pieces => "memory accessed in pieces of different sizes",
            Apart::Addresses => "addresses that were looked at as numbers",
            Apart::Streams => "standard input or command line",
            Apart::Loops => "loops that are tried again",
            Apart::Large => "too many differences",
        }
    }
}

/// So many conditions of each of two paths are compared with each other.
const MAX_COMPARED: usize = 6;

/// More conditions of a path become one when it is merged: what is said of them, also by the next merges, is said once.
const MAX_APART: usize = 3;

/// What comes of an attempt to merge something.
pub(crate) type Merged<T> = Outcome<Result<T, Apart>>;

/// Gives up where parts stay apart.
macro_rules! merged {
    ($attempt:expr) => {
        match $attempt? {
            Ok(merged) => merged,
            Err(apart) => return Ok(Err(apart)),
        }
    };
}
pub(crate) use merged;

impl Symbolic {
    /// The path of a state that two others are merged to.
    pub(crate) fn joined(&mut self, a: &Path, b: &Path, overlap: Overlap) -> Joined {
        let Parted { common, then, otherwise } = a.parted(b);
        let model = a.model().map(|model| (true, model)).or(b.model().map(|model| (false, model)));
        let mut model = model.map(|(is_first, model)| (is_first, Rc::clone(model)));
        let outer = std::mem::replace(&mut self.path, common);
        self.path.set_model_of(model.as_ref().map(|(_, model)| Rc::clone(model)));
        for condition in then.iter().chain(&otherwise) {
            if self.hoistable.contains(condition) {
                self.assume_once(*condition);
            }
        }
        let decides = |domain: &Symbolic, condition: &&Term| {
            domain.path.truth(**condition).is_none() && !domain.hoistable.contains(*condition)
        };
        let then: Vec<Term> = then.iter().filter(|c| decides(self, c)).copied().collect();
        let otherwise: Vec<Term> = otherwise.iter().filter(|c| decides(self, c)).copied().collect();
        let theirs: FxHashSet<Term> = otherwise.iter().copied().collect();
        let selector = match self.told_apart(&then, &otherwise, &theirs) {
            Some(condition) => condition,
            None if overlap == Overlap::Possible || then.is_empty() || otherwise.is_empty() => {
                self.fresh_selector(&mut model)
            }
            None if then.len() <= otherwise.len() => self.terms.and(then.iter().copied()),
            None => {
                let second = self.terms.and(otherwise.iter().copied());
                self.terms.not(second)
            }
        };
        let apart = then.iter().chain(&otherwise).copied().collect();
        let negation = self.terms.not(selector);
        self.path.set_model_of(model.map(|(_, model)| model));
        let ours: FxHashSet<Term> = then.iter().copied().collect();
        let (both, then): (Vec<Term>, Vec<Term>) = then.iter().partition(|c| theirs.contains(c));
        for condition in both {
            self.assume_known(condition);
        }
        let otherwise: Vec<Term> = otherwise.into_iter().filter(|c| !ours.contains(c)).collect();
        for (side, opposite) in [(then, negation), (otherwise, selector)] {
            let side = if side.len() > MAX_APART { vec![self.terms.and(side)] } else { side };
            for condition in side {
                let implied = self.terms.or([opposite, condition]);
                self.assume_known(implied);
            }
        }
        let path = std::mem::replace(&mut self.path, outer);
        Joined { selector, path, apart }
    }

    /// A condition of one path that is impossible on the other.
    fn told_apart(
        &mut self,
        then: &[Term],
        otherwise: &[Term],
        theirs: &FxHashSet<Term>,
    ) -> Option<Term> {
        for condition in then {
            if theirs.contains(&self.terms.not(*condition)) {
                return Some(*condition);
            }
        }
        for condition in then.iter().take(MAX_COMPARED) {
            for other in otherwise.iter().take(MAX_COMPARED) {
                let both = self.terms.and([*condition, *other]);
                if self.terms.as_bool(both) == Some(false) {
                    return Some(*condition);
                }
            }
        }
        None
    }

    /// A selector of which nothing is known; the values at hand are those of the first state or of the second.
    fn fresh_selector(&mut self, model: &mut Option<(bool, Rc<loupe_term::Assignment>)>) -> Term {
        let selector = self.terms.fresh("first", Sort::Bool, Origin::default());
        if let (Some((is_first, values)), Node::Symbol(id)) = (model, self.terms.node(selector)) {
            Rc::make_mut(values).symbols.insert(*id, TermValue::Bool(*is_first));
        }
        selector
    }

    /// Adds a condition to the path that the values at hand satisfy if they satisfied one of two paths; they are kept only if they do.
    fn assume_once(&mut self, condition: Term) {
        if self.terms.as_bool(condition) == Some(true) || self.path.truth(condition) == Some(true) {
            return;
        }
        let model = self.path.model().cloned();
        let model = model.filter(|model| self.terms.holds(condition, model) == Ok(true));
        self.assume(condition, model);
    }

    /// Adds a condition of the merged path. The values at hand satisfy all conditions of the path that they come from, and the selector is true of them
    /// if that is the first one and false otherwise; so they satisfy this one, which need not be evaluated.
    fn assume_known(&mut self, condition: Term) {
        if self.terms.as_bool(condition) == Some(true) || self.path.truth(condition) == Some(true) {
            return;
        }
        let model = self.path.model().cloned();
        debug_assert!(
            model.as_ref().is_none_or(|model| self.terms.holds(condition, model) != Ok(false)),
            "values at hand that are none of a merged path"
        );
        self.assume(condition, model);
    }

    /// One formula where the selector holds, and the other one elsewhere.
    pub(crate) fn chosen_truth(&mut self, selector: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        let negation = self.terms.not(selector);
        let (then, otherwise) = (self.terms.or([negation, a]), self.terms.or([selector, b]));
        self.terms.and([then, otherwise])
    }
}

/// What two paths become.
pub(crate) struct Joined {
    /// Holds on the first one, and not on the second one.
    pub(crate) selector: Term,
    pub(crate) path: Path,
    /// The conditions of either that tell them apart.
    pub(crate) apart: Vec<Term>,
}

/// Whether an execution may be one of two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// Everything was executed: each decision has parted them.
    Impossible,
    /// Cases of summaries need not exclude each other.
    Possible,
}

/// What surrounds the parts of states that are merged.
#[derive(Clone, Copy)]
pub(crate) struct Merging<'t> {
    /// Holds where an execution is one of the first state.
    pub(crate) selector: Term,
    pub(crate) types: &'t Types,
}
