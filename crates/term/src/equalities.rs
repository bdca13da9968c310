//! Symbols that assertions define, put in everywhere and gone.
//!
//! An assertion `±x + p = 0` in which the integer symbol `x` occurs nowhere else says what `x` is:
//! `x = ∓p`. It can be put in for `x` in all other assertions, which then have the same solutions for
//! the other symbols: every solution of the rest gives one of all assertions by the value of the
//! definition, and every solution of all assertions is one of the rest. The same for an assertion that
//! is a truth symbol or its negation.
//!
//! Only equalities that are linear in the symbol with coefficient 1 or -1 count; others would need
//! divisibility. Arrays are left alone.

use crate::arena::Terms;
use crate::node::{Node, SymbolId, Term};
use crate::traverse::Substitution;
use loupe_integer::Integer;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A formula that follows from some assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The formula.
    pub formula: Term,
    /// The numbers of the assertions that it follows from, ascending.
    pub because: Vec<usize>,
}

/// A symbol that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elimination {
    /// The symbol.
    pub symbol: SymbolId,
    /// What it is; symbols that were eliminated later may occur.
    pub definition: Term,
    /// The numbers of the assertions that say so, ascending.
    pub because: Vec<usize>,
}

/// Assertions after their equalities have been solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// What is left to be satisfied, in the order of the assertions, without *true*; if one is *false*, the assertions are
    /// contradictory.
    pub remaining: Vec<Derived>,
    /// The symbols that are gone, in the order in which they went. A solution of the rest is extended
    /// by the values of their definitions in reverse order.
    pub eliminated: Vec<Elimination>,
}

/// One conjunct of the assertions.
struct Item {
    /// The number of the assertion that it is what is left of.
    origin: usize,
    derived: Derived,
    symbols: BTreeSet<SymbolId>,
}

struct Solving<'t> {
    terms: &'t mut Terms,
    /// `None` where an equality was used or nothing is left to say.
    items: Vec<Option<Item>>,
    /// The items in which a symbol occurs, or has occurred.
    uses: BTreeMap<SymbolId, BTreeSet<usize>>,
    /// Items that have not been looked at in their present form.
    open: VecDeque<usize>,
    eliminated: Vec<Elimination>,
    work: usize,
}

impl Terms {
    /// Eliminates symbols that the assertions define, until none is left or more than `work` terms
    /// have been looked at or rebuilt. Where it stops, what it gives is right.
    pub fn solve_equalities(&mut self, assertions: &[Term], work: usize) -> Solved {
        let (items, uses, open) = Default::default();
        let mut solving = Solving { terms: self, items, uses, open, eliminated: Vec::new(), work };
        for (number, assertion) in assertions.iter().enumerate() {
            solving.add(number, Derived { formula: *assertion, because: vec![number] });
        }
        while let Some(at) = solving.open.pop_front() {
            solving.eliminate_by(at);
        }
        let mut remaining: Vec<Item> = solving.items.into_iter().flatten().collect();
        remaining.sort_by_key(|item| item.origin);
        let remaining = remaining.into_iter().map(|item| item.derived).collect();
        Solved { remaining, eliminated: solving.eliminated }
    }
}

impl Solving<'_> {
    /// Adds a formula, its conjuncts one by one.
    fn add(&mut self, origin: usize, derived: Derived) {
        let mut open = vec![derived.formula];
        while let Some(formula) = open.pop() {
            match self.terms.node(formula) {
                Node::And(parts) => {
                    open.extend(parts.iter().rev());
                    continue;
                }
                Node::Bool(true) => continue,
                _ => {}
            }
            let symbols = self.symbols(formula);
            let at = self.items.len();
            for symbol in &symbols {
                self.uses.entry(*symbol).or_default().insert(at);
            }
            let derived = Derived { formula, because: derived.because.clone() };
            self.items.push(Some(Item { origin, derived, symbols }));
            self.open.push_back(at);
        }
    }

    /// The symbols in a formula; none, and nothing is eliminated any more, if finding them is too much
    /// work: an item of which they are not known may have any.
    fn symbols(&mut self, formula: Term) -> BTreeSet<SymbolId> {
        if self.work == 0 {
            return BTreeSet::new();
        }
        let parts = self.terms.post_order(formula);
        self.work = self.work.saturating_sub(parts.len());
        let symbol = |part: Term| match self.terms.node(part) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        parts.into_iter().filter_map(symbol).collect()
    }

    /// If an item defines a symbol, puts the definition in everywhere else.
    fn eliminate_by(&mut self, at: usize) {
        let Some(Some(item)) = self.items.get(at) else { return };
        let formula = item.derived.formula;
        let Some((symbol, definition)) = self.definition(formula) else { return };
        let users = self.users(symbol, at);
        let Some(work) = self.work_without(&users) else {
            // It has been work to find that out.
            self.work /= 2;
            return;
        };
        self.work = work;
        let Some(item) = self.items.get_mut(at).and_then(Option::take) else { return };
        let because = item.derived.because;
        let substitution: Substitution = FxHashMap::from_iter([(symbol, definition)]);
        for user in users {
            let Some(old) = self.items.get_mut(user).and_then(Option::take) else { continue };
            let formula = self.terms.substitute(old.derived.formula, &substitution);
            let because = union(&old.derived.because, &because);
            self.add(old.origin, Derived { formula, because });
        }
        self.eliminated.push(Elimination { symbol, definition, because });
    }

    /// The work that is left after items have been rebuilt, if it is enough for that.
    fn work_without(&self, users: &[usize]) -> Option<usize> {
        // With no work left, some users may not be known.
        let work = Some(self.work).filter(|work| *work > 0)?;
        users.iter().try_fold(work, |work, user| match self.items.get(*user) {
            Some(Some(item)) => work.checked_sub(self.terms.size(item.derived.formula)),
            _ => Some(work),
        })
    }

    /// The items other than `except` in which a symbol occurs.
    fn users(&self, symbol: SymbolId, except: usize) -> Vec<usize> {
        let uses = |at: &usize| {
            let item = self.items.get(*at).and_then(Option::as_ref);
            *at != except && item.is_some_and(|item| item.symbols.contains(&symbol))
        };
        self.uses.get(&symbol).into_iter().flatten().copied().filter(uses).collect()
    }

    /// A symbol and what it is, if a formula says that.
    fn definition(&mut self, formula: Term) -> Option<(SymbolId, Term)> {
        if self.terms.is_starred(formula) {
            return None;
        }
        let (symbol, truth) = match *self.terms.node(formula) {
            Node::Zero(sum) => return self.integer_definition(sum),
            Node::Symbol(symbol) => (symbol, true),
            Node::Not(inner) => match *self.terms.node(inner) {
                Node::Symbol(symbol) => (symbol, false),
                _ => return None,
            },
            _ => return None,
        };
        Some((symbol, self.terms.bool(truth)))
    }

    /// A symbol and what it is if a polynomial is 0. Of several, the one that is used least, and of
    /// these the youngest: older ones are more likely to mean something to somebody.
    fn integer_definition(&mut self, sum: Term) -> Option<(SymbolId, Term)> {
        let mut candidates = Vec::new();
        for (monomial, coefficient) in self.terms.polynomial(sum).summands {
            let Node::Symbol(symbol) = *self.terms.node(monomial) else { continue };
            if coefficient == Integer::ONE || coefficient == Integer::from(-1) {
                let uses = self.uses.get(&symbol).map_or(0, BTreeSet::len);
                candidates.push((uses, Reverse(symbol), monomial, coefficient));
            }
        }
        candidates.sort();
        for (_, Reverse(symbol), monomial, coefficient) in candidates {
            // c·x + p = 0 with c = ±1: x = -c·p = x - c·(c·x + p).
            let definition = self.terms.add_scaled(monomial, sum, &coefficient.neg());
            if self.work == 0 {
                return None;
            }
            if !self.symbols(definition).contains(&symbol) {
                return Some((symbol, definition));
            }
        }
        None
    }
}

fn union(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests;
