//! Going through terms without recursion.

use crate::arena::Terms;
use crate::node::{Binder, Node, SymbolId, Term};
use crate::polynomial::Polynomial;
use loupe_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Terms for symbols, all put in at once.
pub type Substitution = FxHashMap<SymbolId, Term>;

impl Terms {
    /// All terms that occur in `root`, each once, parts before wholes.
    pub fn post_order(&self, root: Term) -> Vec<Term> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![(root, false)];
        while let Some((term, parts_done)) = open.pop() {
            if parts_done {
                order.push(term);
            } else if seen.insert(term) {
                open.push((term, true));
                let first = open.len();
                self.node(term).for_each_child(|part| open.push((part, false)));
                open[first..].reverse();
            }
        }
        order
    }

    /// How many different terms occur in `root`.
    pub fn size(&self, root: Term) -> usize {
        self.post_order(root).len()
    }

    /// The free symbols of a term.
    pub fn free_symbols(&self, root: Term) -> BTreeSet<SymbolId> {
        let symbol = |term: Term| match self.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        self.post_order(root).into_iter().filter_map(symbol).collect()
    }

    /// The term with all symbols of the substitution replaced at once.
    pub fn substitute(&mut self, root: Term, substitution: &Substitution) -> Term {
        let height = substitution.values().map(|term| self.binders(*term)).max().unwrap_or(0);
        let root = self.make_room(root, height);
        self.replace(root, |terms, term| match terms.node(term) {
            Node::Symbol(symbol) => substitution.get(symbol).copied(),
            _ => None,
        })
    }

    /// The body of a binder with `value` for its variable.
    pub fn instantiate(&mut self, binder: Binder, body: Term, value: Term) -> Term {
        let height = self.binders(value);
        let body = self.make_room(body, height);
        self.put_for_bound(binder.0 + height, body, value)
    }

    pub(crate) fn put_for_bound(&mut self, bound: u32, body: Term, value: Term) -> Term {
        let bound = self.intern(Node::Bound(bound));
        self.replace(body, |_, term| (term == bound).then_some(value))
    }

    /// The term with parts replaced, from the bottom up: where `choose` gives a term for a part of
    /// the original, that stands in its place. What is put in must not contain binders as high as
    /// those around it: see [`Terms::make_room`].
    pub(crate) fn replace(
        &mut self,
        root: Term,
        choose: impl Fn(&Terms, Term) -> Option<Term>,
    ) -> Term {
        let order = self.post_order(root);
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in order {
            let replaced = choose(self, term).unwrap_or_else(|| self.rebuild(term, &new));
            new.insert(term, replaced);
        }
        new.get(&root).copied().unwrap_or(root)
    }

    /// The same term with all binders, and the variables of binders around it, `height` higher. Terms
    /// with binders up to that height can then be put in without a variable being caught by a binder
    /// that it does not belong to.
    fn make_room(&mut self, root: Term, height: u32) -> Term {
        if height == 0 {
            return root;
        }
        let order = self.post_order(root);
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in order {
            let part = |old: &Term| new.get(old).copied().unwrap_or(*old);
            let raised = match self.node(term) {
                Node::Bound(bound) => Node::Bound(bound + height),
                Node::Lambda(binder, body) => Node::Lambda(Binder(binder.0 + height), part(body)),
                Node::Quantified(quantifier, binder, parts) => Node::Quantified(
                    *quantifier,
                    Binder(binder.0 + height),
                    parts.map(|p| part(&p)),
                ),
                _ => {
                    let rebuilt = self.rebuild(term, &new);
                    new.insert(term, rebuilt);
                    continue;
                }
            };
            // As it is: a rule could look into a body whose variables are half-way up.
            let raised = self.intern(raised);
            new.insert(term, raised);
        }
        new.get(&root).copied().unwrap_or(root)
    }

    /// The term with new parts.
    fn rebuild(&mut self, term: Term, new: &FxHashMap<Term, Term>) -> Term {
        let part = |old: Term| new.get(&old).copied().unwrap_or(old);
        let mut changed = false;
        self.node(term).for_each_child(|old| changed |= part(old) != old);
        if !changed {
            return term;
        }
        match self.node(term).clone() {
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) | Node::Bound(_) | Node::Star(_) => term,
            Node::Sum(sum) => {
                let constant = self.int(sum.constant);
                let scaled = sum.summands.iter().map(|(m, c)| (part(*m), c.clone()));
                let scaled: Vec<(Term, Integer)> = scaled.collect();
                let mut parts = vec![constant];
                for (monomial, coefficient) in scaled {
                    parts.push(self.scale(monomial, &coefficient));
                }
                self.sum(parts)
            }
            Node::Product(factors) => {
                let one = Polynomial::constant(Integer::ONE);
                let mut product = self.from_polynomial(one);
                for (atom, exponent) in factors.iter() {
                    let power = self.pow(part(*atom), *exponent);
                    product = self.mul(product, power);
                }
                product
            }
            Node::Quotient(rounding, a, b) => self.quotient(rounding, part(a), part(b)),
            Node::Remainder(rounding, a, b) => self.remainder(rounding, part(a), part(b)),
            Node::Power(base, a) => self.power(base, part(a)),
            Node::Wrap(width, a) => self.wrap(width, part(a)),
            Node::Bits(op, width, a, b) => self.bits(op, width, part(a), part(b)),
            Node::Ite(a, b, c) => self.ite(part(a), part(b), part(c)),
            Node::Select(a, b) => self.make(Node::Select(part(a), part(b))),
            Node::Store(a, b, c) => self.make(Node::Store(part(a), part(b), part(c))),
            Node::ConstantArray(dimensions, a) => {
                self.make(Node::ConstantArray(dimensions, part(a)))
            }
            Node::Apply(function, parts) => {
                let parts = parts.iter().map(|old| part(*old)).collect();
                self.make(Node::Apply(function, parts))
            }
            Node::Not(a) => self.not(part(a)),
            Node::And(parts) => self.and(parts.iter().map(|old| part(*old)).collect::<Vec<_>>()),
            Node::Or(parts) => self.or(parts.iter().map(|old| part(*old)).collect::<Vec<_>>()),
            Node::NonPositive(a) => self.non_positive(part(a)),
            Node::Zero(a) => self.zero(part(a)),
            Node::Divides(divisor, a) => self.divides(&divisor, part(a)),
            Node::SameArray(a, b) => self.eq(part(a), part(b)),
            Node::Lambda(binder, body) => {
                let (binder, body) = self.settle(binder, part(body));
                self.make(Node::Lambda(binder, body))
            }
            Node::Quantified(quantifier, binder, [low, high, body]) => {
                let (binder, body) = self.settle(binder, part(body));
                self.make(Node::Quantified(quantifier, binder, [part(low), part(high), body]))
            }
        }
    }

    /// Gives a binder the height that it should have: just above all binders in its body. It never has
    /// to go up, and on the way down its variable meets no other of the same height: those inside are
    /// lower, those of binders outside have not moved yet and are higher.
    pub(crate) fn settle(&mut self, binder: Binder, body: Term) -> (Binder, Term) {
        let height = self.binders(body) + 1;
        if height >= binder.0 {
            return (binder, body);
        }
        let lower = self.intern(Node::Bound(height));
        (Binder(height), self.put_for_bound(binder.0, body, lower))
    }
}
