//! How many paths a merged state stands for.
//!
//! Where two states become one, it stands for the paths of both. Where such a state is forked, each side stands for those of its paths that can go that way. If the
//! condition has nothing to do with what tells these paths apart, that is all of them, on both sides; otherwise it is not known how many, and all of them are
//! an upper bound.

use crate::domain::Symbolic;
use loupe_term::{Node, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many conditions of a path are looked at for what they have to do with each other,
const MAX_CONDITIONS: usize = 128;
/// and so many parts of conditions in all: where merged conditions have become large, a bound must do.
pub(crate) const MAX_PARTS: usize = 20_000;

/// How many paths a state stands for.
#[derive(Clone, Debug)]
pub(in crate::explore) struct Represented {
    most: u64,
    /// The symbols in the conditions that tell these paths apart; `None` where the number is only an upper bound.
    apart: Option<Rc<BTreeSet<SymbolId>>>,
}

impl Represented {
    /// A state that was never merged.
    pub(in crate::explore) fn one() -> Self {
        Represented { most: 1, apart: Some(Rc::default()) }
    }

    /// How many they are at most.
    pub(in crate::explore) fn most(&self) -> u64 {
        self.most
    }

    /// Whether there are so many, and not fewer.
    pub(in crate::explore) fn is_exact(&self) -> bool {
        self.most == 1 || self.apart.is_some()
    }

    /// The paths of two states, which these conditions tell apart.
    pub(super) fn merged(&self, other: &Self, domain: &mut Symbolic, conditions: &[Term]) -> Self {
        let most = self.most.saturating_add(other.most);
        let (Some(a), Some(b)) = (&self.apart, &other.apart) else {
            return Represented { most, apart: None };
        };
        let mut apart = BTreeSet::clone(a);
        apart.extend(b.iter());
        for condition in conditions {
            apart.extend(domain.symbols_of(*condition).iter());
        }
        let is_known = most < u64::MAX && domain.symbols_left > 0;
        let apart = is_known.then(|| Rc::new(apart));
        Represented { most, apart }
    }

    /// Of all paths, only those go on for which a condition holds that is not part of the domain's path yet.
    pub(in crate::explore) fn go_on_where(&mut self, domain: &mut Symbolic, condition: Term) {
        if self.most > 1
            && let Some(apart) = &self.apart
            && !domain.is_independent(condition, apart)
        {
            self.apart = None;
        }
    }

    /// Nobody knows how many of them go on.
    pub(in crate::explore) fn perhaps_fewer(&mut self) {
        if self.most > 1 {
            self.apart = None;
        }
    }
}

impl Symbolic {
    /// The symbols in a condition.
    fn symbols_of(&mut self, condition: Term) -> Rc<BTreeSet<SymbolId>> {
        if let Some(known) = self.symbols_in.get(&condition) {
            return Rc::clone(known);
        }
        let parts = self.terms.post_order(condition);
        self.symbols_left = self.symbols_left.saturating_sub(parts.len());
        let symbol = |term: &Term| match self.terms.node(*term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        let symbols: Rc<BTreeSet<SymbolId>> = Rc::new(parts.iter().filter_map(symbol).collect());
        self.symbols_in.insert(condition, Rc::clone(&symbols));
        symbols
    }

    /// Whether a condition has nothing to do with these symbols, also not by way of conditions of the path.
    fn is_independent(&mut self, condition: Term, of: &BTreeSet<SymbolId>) -> bool {
        if self.symbols_left == 0 || self.path.len() > MAX_CONDITIONS {
            return false;
        }
        let mut reached: FxHashSet<SymbolId> = self.symbols_of(condition).iter().copied().collect();
        let conditions = self.path.conditions();
        let mut left: Vec<_> = conditions.into_iter().map(|part| self.symbols_of(part)).collect();
        loop {
            if reached.iter().any(|symbol| of.contains(symbol)) {
                return false;
            }
            let before = left.len();
            left.retain(|symbols| {
                let touches = symbols.iter().any(|symbol| reached.contains(symbol));
                if touches {
                    reached.extend(symbols.iter());
                }
                !touches
            });
            if left.len() == before {
                return true;
            }
        }
    }
}
