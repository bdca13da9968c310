//! Going through terms without recursion.

use crate::arena::Terms;
use crate::node::{Binder, Node, Sum, SymbolId, Term};
use crate::polynomial::Polynomial;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Terms for symbols, all put in at once.
pub type Substitution = FxHashMap<SymbolId, Term>;

/// Names for the variables of the binders of a term, while the term is rebuilt.
pub(crate) struct Scope {
    base: u32,
    /// How high the binders are.
    height: u32,
}

impl Scope {
    /// The name of the variable of a binder.
    pub(crate) fn name(&self, height: u32) -> u32 {
        self.base.saturating_add(height)
    }
}

impl Terms {
    /// All terms that occur in `root`, each once, parts before wholes.
    pub fn post_order(&self, root: Term) -> Vec<Term> {
        let mut order = Vec::new();
        self.post_order_into(root, &mut FxHashSet::default(), &mut order);
        order
    }

    /// Appends all terms that occur in `root` and have not been seen.
    pub(crate) fn post_order_into(
        &self,
        root: Term,
        seen: &mut FxHashSet<Term>,
        order: &mut Vec<Term>,
    ) {
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
    }

    /// How many different terms occur in `root`.
    pub fn size(&self, root: Term) -> usize {
        self.post_order(root).len()
    }

    /// Whether unknowns are multiplied with each other in a term.
    pub fn has_product(&self, root: Term) -> bool {
        self.post_order(root).into_iter().any(|part| matches!(self.node(part), Node::Product(_)))
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
        self.replace(root, |terms, term| match terms.node(term) {
            Node::Symbol(symbol) => substitution.get(symbol).copied(),
            _ => None,
        })
    }

    /// The substitution that has the effect of `then` after `first`: as stores of variables, the values
    /// of `then` are about the state that `first` leaves.
    pub fn compose(&mut self, first: &Substitution, then: &Substitution) -> Substitution {
        let mut composed = first.clone();
        // In order, so that the numbers of new terms do not depend on how the map was made.
        let mut values: Vec<(SymbolId, Term)> = then.iter().map(|(s, v)| (*s, *v)).collect();
        values.sort_unstable();
        for (symbol, value) in values {
            let value = self.substitute(value, first);
            composed.insert(symbol, value);
        }
        composed
    }

    /// The body of a binder with `value` for its variable. Both stand for themselves but for that.
    pub fn instantiate(&mut self, binder: Binder, body: Term, value: Term) -> Term {
        self.replace(body, |terms, term| match terms.node(term) {
            Node::Bound(height) if *height == binder.0 => Some(value),
            _ => None,
        })
    }

    /// The term with `new` wherever `old` is a part of it. Neither may have variables of binders outside of itself.
    pub fn replace_part(&mut self, root: Term, old: Term, new: Term) -> Term {
        self.replace(root, |_, term| (term == old).then_some(new))
    }

    /// The same for several parts at once: what is put in is left as it is.
    pub fn replace_parts(&mut self, root: Term, new: &FxHashMap<Term, Term>) -> Term {
        self.replace(root, |_, term| new.get(&term).copied())
    }

    /// The term with `true` in the place of these formulas. They may have variables of binders in the term.
    pub fn without_literals(&mut self, root: Term, literals: &FxHashSet<Term>) -> Term {
        if literals.is_empty() {
            return root;
        }
        let always = self.bool(true);
        self.replace(root, |_, term| literals.contains(&term).then_some(always))
    }

    /// The term with parts replaced, from the bottom up: where `choose` gives a term for a part of
    /// the original, that stands in its place.
    pub(crate) fn replace(
        &mut self,
        root: Term,
        choose: impl Fn(&Terms, Term) -> Option<Term>,
    ) -> Term {
        let order = self.post_order(root);
        let touched = self.touched(&order, &choose);
        if !touched.contains(&root) {
            return root;
        }
        let scope = self.enter(self.binders(root));
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in order {
            if !touched.contains(&term) && self.is_closed(term) {
                continue;
            }
            let replaced = choose(self, term).unwrap_or_else(|| self.rebuild(term, &scope, &new));
            new.insert(term, replaced);
        }
        self.leave(scope);
        new.get(&root).copied().unwrap_or(root)
    }

    /// Those of the terms in post-order in which `choose` would replace something.
    fn touched(
        &self,
        order: &[Term],
        choose: &impl Fn(&Terms, Term) -> Option<Term>,
    ) -> FxHashSet<Term> {
        let mut touched = FxHashSet::default();
        for term in order {
            let mut touches = choose(self, *term).is_some();
            self.node(*term).for_each_child(|part| touches |= touched.contains(&part));
            if touches {
                touched.insert(*term);
            }
        }
        touched
    }

    /// Makes names for the variables of binders up to a height, to be used while what is below the
    /// binders is rebuilt. A name is a height that no binder has; so whatever binders a rebuilt body
    /// gets, also by rules that put terms into other terms, none of them can catch the variable of a
    /// binder outside. Rebuildings are nested like calls, and so are their names.
    pub(crate) fn enter(&mut self, height: u32) -> Scope {
        let scope = Scope { base: self.next_name, height };
        self.next_name = self.next_name.saturating_add(height).saturating_add(1);
        scope
    }

    /// The names are free again.
    pub(crate) fn leave(&mut self, scope: Scope) {
        self.next_name = scope.base;
    }

    /// A binder for a variable that is free in `body`, as high as it should be: just above all
    /// binders in its body, so that none of these catches its variable.
    pub(crate) fn close(&mut self, variable: &Node, body: Term) -> (Binder, Term) {
        let height = self.binders(body) + 1;
        let renamed = self.rename(body, variable, height);
        self.settle(Binder(height), renamed)
    }

    /// Gives a binder whose body has fewer binders than it had the height that it should have.
    pub(crate) fn settle(&mut self, binder: Binder, body: Term) -> (Binder, Term) {
        let height = self.binders(body) + 1;
        if height >= binder.0 {
            return (binder, body);
        }
        (Binder(height), self.rename(body, &Node::Bound(binder.0), height))
    }

    /// A variable of a height above all binders of the term, for a free symbol or variable. Binders
    /// stay as they are: terms that are different stay different, so that no rule has something to
    /// do. Where one could put a term below a binder, and a variable with it, it is not even tried.
    fn rename(&mut self, root: Term, old: &Node, height: u32) -> Term {
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in self.post_order(root) {
            let node = self.node(term);
            let is_old = node == old;
            let mut changed = is_old;
            node.for_each_child(|part| changed |= new.contains_key(&part));
            if !changed {
                continue;
            }
            let node = node.clone();
            let part = |old: Term| new.get(&old).copied().unwrap_or(old);
            let renamed = match node {
                _ if is_old => self.intern(Node::Bound(height)),
                Node::Lambda(binder, body) => self.intern(Node::Lambda(binder, part(body))),
                Node::Quantified(quantifier, binder, parts) => {
                    self.intern(Node::Quantified(quantifier, binder, parts.map(part)))
                }
                Node::Select(array, index) => self.intern(Node::Select(part(array), part(index))),
                node => self.build(term, node, part),
            };
            new.insert(term, renamed);
        }
        new.get(&root).copied().unwrap_or(root)
    }

    /// The term with new parts, in which the variables of its binders have names.
    pub(crate) fn rebuild(
        &mut self,
        term: Term,
        scope: &Scope,
        new: &FxHashMap<Term, Term>,
    ) -> Term {
        let part = |old: Term| new.get(&old).copied().unwrap_or(old);
        match self.node(term) {
            Node::Bound(_) | Node::Lambda(..) | Node::Quantified(..) => {
                self.rebuild_node(term, self.node(term).clone(), scope, part)
            }
            node => {
                let mut changed = false;
                node.for_each_child(|old| changed |= part(old) != old);
                if changed { self.build(term, node.clone(), part) } else { term }
            }
        }
    }

    /// The term of a node with new parts, in which the variables of its binders have names.
    pub(crate) fn rebuild_node(
        &mut self,
        term: Term,
        node: Node,
        scope: &Scope,
        part: impl Fn(Term) -> Term,
    ) -> Term {
        match node {
            // A higher one belongs to a binder outside of what is being rebuilt.
            Node::Bound(height) if height <= scope.height => {
                self.intern(Node::Bound(scope.name(height)))
            }
            Node::Lambda(binder, body) => {
                let (binder, body) = self.close(&Node::Bound(scope.name(binder.0)), part(body));
                self.make(Node::Lambda(binder, body))
            }
            Node::Quantified(quantifier, binder, [low, high, body]) => {
                let (binder, body) = self.close(&Node::Bound(scope.name(binder.0)), part(body));
                self.make(Node::Quantified(quantifier, binder, [part(low), part(high), body]))
            }
            node => self.build(term, node, part),
        }
    }

    /// The term of a node that is no binder, with new parts. Leaves are `term` as they are.
    fn build(&mut self, term: Term, node: Node, part: impl Fn(Term) -> Term) -> Term {
        match node {
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) | Node::Bound(_) | Node::Star(_) => term,
            // Binders need names: see `rebuild_node`.
            Node::Lambda(..) | Node::Quantified(..) => term,
            Node::Sum(Sum { constant, summands }) => {
                let summands = summands.into_iter().map(|(m, c)| (part(m), c)).collect();
                self.from_polynomial(Polynomial { constant, summands })
            }
            Node::Product(factors) => {
                let mut product = self.int(1);
                for (atom, exponent) in factors {
                    let power = self.pow(part(atom), exponent);
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
                let parts = parts.into_iter().map(part).collect();
                self.make(Node::Apply(function, parts))
            }
            Node::Not(a) => self.not(part(a)),
            Node::And(parts) => self.and(parts.into_iter().map(part).collect::<Vec<_>>()),
            Node::Or(parts) => self.or(parts.into_iter().map(part).collect::<Vec<_>>()),
            Node::NonPositive(a) => self.non_positive(part(a)),
            Node::Zero(a) => self.zero(part(a)),
            Node::Divides(divisor, a) => self.divides(&divisor, part(a)),
            Node::SameArray(a, b) => self.eq(part(a), part(b)),
        }
    }
}
