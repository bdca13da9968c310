//! How often each path is taken in a trace, over the values at entry.
//!
//! The count of a part of a round speaks of the values at the start of the round. Those are followed along the trace as far as updates are
//! simple: a variable that a path changes by something that it leaves alone, or sets to such a thing. What is not followed is ★, and so is
//! a count that depends on it. The counts of a round are the same in all rounds, so the first one tells.

use super::Work;
use crate::summary::{Case, Repeated, Segment};
use loupe_solver::Error;
use loupe_term::{Node, Sort, Substitution, SymbolId, Term, Terms};
use std::collections::BTreeSet;

/// Rounds in rounds are followed no deeper.
const DEEPEST: usize = 4;

/// A trace, or a part of one, that is being counted.
struct Frame<'t> {
    segments: &'t [Segment],
    /// How often all of it happens.
    times: Term,
    /// The values at its start: what counts in it speak of.
    start: Substitution,
    depth: usize,
}

impl Work<'_> {
    /// How often each path is taken in a case, if that can be said over the values at entry.
    pub(super) fn counts(&mut self, case: &Case) -> Result<Option<Vec<Term>>, Error> {
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let mut counts = vec![zero; self.problem.paths.len()];
        let start = Substitution::default();
        let mut open = vec![Frame { segments: &case.trace, times: one, start, depth: 0 }];
        while let Some(Frame { segments, times, start, depth }) = open.pop() {
            let mut now = start.clone();
            for segment in segments {
                let count = self.terms.substitute(segment.count, &start);
                let often = self.terms.mul(times, count);
                match &segment.what {
                    Repeated::Path(path) => {
                        let Some(total) = counts.get_mut(*path) else { return Ok(None) };
                        *total = self.terms.add(*total, often);
                        self.follow(case, &mut now, *path, count)?;
                    }
                    Repeated::Round(parts) => {
                        if depth >= DEEPEST {
                            return Ok(None);
                        }
                        let start = now.clone();
                        open.push(Frame { segments: parts, times: often, start, depth: depth + 1 });
                        self.follow_round(case, &mut now, parts)?;
                    }
                }
            }
        }
        let known = counts.iter().all(|count| !self.terms.is_starred(*count));
        Ok(known.then_some(counts))
    }

    /// The variables that some of these parts change.
    fn changed(&self, segments: &[Segment]) -> BTreeSet<SymbolId> {
        let mut changed = BTreeSet::new();
        let mut open: Vec<&Segment> = segments.iter().collect();
        while let Some(segment) = open.pop() {
            match &segment.what {
                Repeated::Path(path) => changed.extend(self.changed_by(*path)),
                Repeated::Round(parts) => open.extend(parts),
            }
        }
        changed
    }

    fn changed_by(&self, path: usize) -> BTreeSet<SymbolId> {
        let Some(path) = self.problem.paths.get(path) else { return BTreeSet::new() };
        let updates = self.problem.variables.iter().zip(&path.updates);
        let changed = updates.filter(|(variable, update)| variable.symbol != **update);
        let symbol = |term: Term| match self.terms.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        changed.filter_map(|(variable, _)| symbol(variable.symbol)).collect()
    }

    /// The values after some iterations of one path, at least one if that is proved.
    fn follow(
        &mut self,
        case: &Case,
        now: &mut Substitution,
        path: usize,
        count: Term,
    ) -> Result<(), Error> {
        let Some(way) = self.problem.paths.get(path) else { return Ok(()) };
        let changed = self.changed_by(path);
        let fresh: BTreeSet<SymbolId> =
            way.fresh.iter().flat_map(|fresh| self.terms.free_symbols(fresh.symbol)).collect();
        let one = self.terms.int(1);
        let happens = self.terms.le(one, count);
        let happens = !self.terms.is_starred(count) && self.follows(&[case.condition], happens)?;
        let before = now.clone();
        for (variable, update) in self.problem.variables.iter().zip(&way.updates) {
            let Node::Symbol(symbol) = *self.terms.node(variable.symbol) else { continue };
            if !changed.contains(&symbol) {
                continue;
            }
            let is_number = self.terms.sort(variable.symbol) == Sort::Int;
            let step = is_number.then(|| self.terms.sub(*update, variable.symbol));
            let is_steady = |terms: &Terms, term: Term| {
                let free = terms.free_symbols(term);
                free.is_disjoint(&changed) && free.is_disjoint(&fresh) && !terms.is_starred(term)
            };
            let value = if happens && is_steady(self.terms, *update) {
                self.terms.substitute(*update, &before)
            } else if let Some(step) = step.filter(|step| is_steady(self.terms, *step)) {
                let step = self.terms.substitute(step, &before);
                let way = self.terms.mul(step, count);
                let old = before.get(&symbol).copied().unwrap_or(variable.symbol);
                self.terms.add(old, way)
            } else {
                self.terms.star(self.terms.sort(variable.symbol))
            };
            now.insert(symbol, value);
        }
        Ok(())
    }

    /// The values after some rounds: what a round changes is unknown at the start of the last one.
    fn follow_round(
        &mut self,
        case: &Case,
        now: &mut Substitution,
        parts: &[Segment],
    ) -> Result<(), Error> {
        for symbol in self.changed(parts) {
            let star = self.terms.star(self.terms.symbol(symbol).sort);
            now.insert(symbol, star);
        }
        let start = now.clone();
        for part in parts {
            match &part.what {
                Repeated::Path(path) => {
                    let count = self.terms.substitute(part.count, &start);
                    self.follow(case, now, *path, count)?;
                }
                Repeated::Round(inner) => {
                    for symbol in self.changed(inner) {
                        let star = self.terms.star(self.terms.symbol(symbol).sort);
                        now.insert(symbol, star);
                    }
                }
            }
        }
        Ok(())
    }
}
