//! Splits a query into parts that have no symbol in common.
//!
//! Such parts are satisfiable together iff each is, because values for one say nothing about the
//! others. What a path has asked before is mostly a part by itself, and then the cache knows it.

use super::{Inner, Layer};
use crate::answer::{Answer, Error, Evidence, Model, Query};
use loupe_term::{Assignment, Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Instant;

/// A symbol or a function: what makes two assertions depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shared {
    Symbol(u32),
    Function(u32),
}

/// The layer.
#[derive(Default)]
pub struct Split {
    /// What occurs in the assertions seen so far.
    known: FxHashMap<Term, Rc<[Shared]>>,
}

/// More assertions are not remembered.
const MAX_KNOWN: usize = 200_000;

impl Split {
    fn shared(&mut self, terms: &Terms, assertion: Term) -> Rc<[Shared]> {
        if let Some(known) = self.known.get(&assertion) {
            return Rc::clone(known);
        }
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![assertion];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::Symbol(symbol) => found.push(Shared::Symbol(symbol.number())),
                Node::Apply(function, _) => found.push(Shared::Function(function.number())),
                _ => {}
            }
            terms.node(term).for_each_child(|part| open.push(part));
        }
        let found: Rc<[Shared]> = found.into();
        self.known.insert(assertion, Rc::clone(&found));
        found
    }

    /// The positions of the assertions of each part, in order of the parts' first assertions.
    fn parts(&mut self, terms: &Terms, assertions: &[Term]) -> Vec<Vec<usize>> {
        let mut groups = Groups::new(assertions.len());
        let mut first: FxHashMap<Shared, usize> = FxHashMap::default();
        for (position, assertion) in assertions.iter().enumerate() {
            for shared in self.shared(terms, *assertion).iter() {
                let earlier = *first.entry(*shared).or_insert(position);
                groups.join(earlier, position);
            }
        }
        groups.members()
    }
}

/// Disjoint sets of positions; the representative is the smallest.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(size: usize) -> Self {
        Groups { parent: (0..size).collect() }
    }

    fn find(&mut self, mut position: usize) -> usize {
        while self.parent[position] != position {
            let above = self.parent[self.parent[position]];
            self.parent[position] = above;
            position = above;
        }
        position
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }

    fn members(&mut self) -> Vec<Vec<usize>> {
        let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for position in 0..self.parent.len() {
            let representative = self.find(position);
            let at = *group_of.entry(representative).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.push(position),
                None => groups.push(vec![position]),
            }
        }
        groups
    }
}

impl Layer for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        let parts = self.parts(terms, query.assertions);
        match parts.len() {
            0 | 1 => inner.check(terms, query),
            _ => self.check_parts(inner, terms, query, &parts),
        }
    }
}

impl Split {
    fn check_parts(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
        parts: &[Vec<usize>],
    ) -> Result<Answer, Error> {
        let start = Instant::now();
        let mut model = Model { values: Assignment::default(), evidence: Evidence::Evaluated };
        let mut unknown = None;
        // The newest part first: the one that has not been asked before.
        for part in parts.iter().rev() {
            let assertions: Vec<Term> = part.iter().map(|at| query.assertions[*at]).collect();
            let limits = query.limits.after(start.elapsed());
            match inner.check(terms, &Query { assertions: &assertions, limits: &limits })? {
                Answer::Sat(found) => {
                    if found.evidence == Evidence::Claimed {
                        model.evidence = Evidence::Claimed;
                    }
                    self.take(terms, &assertions, found.values, &mut model.values);
                }
                Answer::Unsat(core) => {
                    return Ok(Answer::Unsat(core.into_iter().map(|at| part[at]).collect()));
                }
                // Another part may still be unsatisfiable.
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        Ok(unknown.map_or(Answer::Sat(model), Answer::Unknown))
    }

    /// Takes over the values of what occurs in a part. The model of a part may have others too, which
    /// must not get into the way of the other parts.
    fn take(&mut self, terms: &Terms, part: &[Term], from: Assignment, into: &mut Assignment) {
        let mut wanted = FxHashSet::default();
        for assertion in part {
            wanted.extend(self.shared(terms, *assertion).iter().copied());
        }
        let Assignment { symbols, functions } = from;
        let symbol = |id: u32| wanted.contains(&Shared::Symbol(id));
        into.symbols.extend(symbols.into_iter().filter(|(id, _)| symbol(id.number())));
        let function = |id: u32| wanted.contains(&Shared::Function(id));
        into.functions.extend(functions.into_iter().filter(|((id, _), _)| function(id.number())));
    }
}
