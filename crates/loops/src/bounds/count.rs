//! How often each path is taken in a trace, over the values at entry.
//!
//! The count of a part of a round speaks of the values at the start of the round. Those are followed along the trace as far as updates are
//! simple: a variable that a path changes by something that it leaves alone, or sets to such a thing. What is not followed is ★, and so is
//! a count that depends on it.
//!
//! Rounds need not be alike. If c(v) is the count of a part in a round that starts at v, then U = c after one round and W = c after two are followed for *any* v. Where
//! D = W - U is something that rounds do not change, the counts are c(v), U(v), U(v) + D, U(v) + 2·D, … and their sum is known.

use super::Work;
use crate::summary::{Case, Repeated, Segment};
use loupe_solver::Error;
use loupe_term::{Node, Rounding, Sort, Substitution, SymbolId, Term, Terms};
use std::collections::BTreeSet;

/// Where values come from that are followed.
#[derive(Clone, Copy)]
enum Since<'c> {
    /// The entry, in this case.
    Entry(&'c Case),
    /// The start of any round.
    Round,
}

/// Rounds, and the values at the start of the first.
#[derive(Clone, Copy)]
struct Rounds<'r> {
    parts: &'r [Segment],
    number: Term,
    start: &'r Substitution,
}

/// How many iterations a case has.
pub(super) struct Counts {
    /// In all.
    pub(super) total: Term,
    /// At most, along each path.
    pub(super) paths: Vec<Term>,
}

impl Work<'_> {
    /// How often each path is taken at most in a case, and all together, if that can be said over the values at entry.
    pub(super) fn counts(&mut self, case: &Case) -> Result<Option<Counts>, Error> {
        let zero = self.terms.int(0);
        let mut counts = vec![zero; self.problem.paths.len()];
        // Iterations of which it is not said which path they take.
        let mut unassigned = zero;
        let mut now = Substitution::default();
        for segment in &case.trace {
            match &segment.what {
                Repeated::Path(path) => {
                    self.count(&mut counts, *path, segment.count);
                    self.follow(Since::Entry(case), &mut now, *path, segment.count)?;
                }
                Repeated::Round(parts) => {
                    let rounds = Rounds { parts, number: segment.count, start: &now };
                    if self.count_rounds(case, rounds, &mut counts)?.is_none() {
                        return Ok(None);
                    }
                    self.follow_rounds(case, &mut now, parts, segment.count)?;
                }
                Repeated::OneOf(_) => {
                    unassigned = self.terms.add(unassigned, segment.count);
                    self.forget(&mut now, std::slice::from_ref(segment));
                }
            }
        }
        let known = counts.iter().all(|count| !self.terms.is_starred(*count));
        let total = self.terms.sum(counts.iter().copied().chain([unassigned]));
        for segment in &case.trace {
            if let Repeated::OneOf(paths) = &segment.what {
                paths.iter().for_each(|path| self.count(&mut counts, *path, segment.count));
            }
        }
        Ok(known.then_some(Counts { total, paths: counts }))
    }

    fn count(&mut self, counts: &mut [Term], path: usize, times: Term) {
        if let Some(total) = counts.get_mut(path) {
            *total = self.terms.add(*total, times);
        }
    }

    /// How often paths are taken in rounds; none if that is not known.
    fn count_rounds(
        &mut self,
        case: &Case,
        rounds: Rounds<'_>,
        counts: &mut [Term],
    ) -> Result<Option<()>, Error> {
        let changed = self.changed(rounds.parts);
        for part in rounds.parts {
            if let Repeated::Path(path) = part.what {
                let Some(sum) = self.over_rounds(case, rounds, part.count)? else {
                    return Ok(None);
                };
                self.count(counts, path, sum);
                continue;
            }
            // Rounds in rounds: only where nothing changes that is counted.
            let mut open = vec![(part, rounds.number)];
            while let Some((segment, times)) = open.pop() {
                if !self.terms.free_symbols(segment.count).is_disjoint(&changed) {
                    return Ok(None);
                }
                let count = self.terms.substitute(segment.count, rounds.start);
                let often = self.terms.mul(times, count);
                match &segment.what {
                    Repeated::Path(path) => self.count(counts, *path, often),
                    Repeated::Round(inner) => open.extend(inner.iter().map(|part| (part, often))),
                    Repeated::OneOf(_) => return Ok(None),
                }
            }
        }
        Ok(Some(()))
    }

    /// The sum of a count over all rounds; none if it is not known.
    fn over_rounds(
        &mut self,
        case: &Case,
        rounds: Rounds<'_>,
        count: Term,
    ) -> Result<Option<Term>, Error> {
        let Rounds { parts, number, start } = rounds;
        let changed = self.changed(parts);
        let first = self.terms.substitute(count, start);
        if self.terms.free_symbols(count).is_disjoint(&changed) {
            return Ok(Some(self.terms.mul(number, first)));
        }
        let one = self.terms.int(1);
        if number == one {
            return Ok(Some(first));
        }
        let once = self.after_round(&Substitution::default(), parts)?;
        let twice = self.after_round(&once, parts)?;
        let second = self.terms.substitute(count, &once);
        let third = self.terms.substitute(count, &twice);
        let more = self.terms.sub(third, second);
        if self.terms.is_starred(more) || !self.terms.free_symbols(more).is_disjoint(&changed) {
            return Ok(None);
        }
        let second = self.terms.substitute(second, start);
        let more = self.terms.substitute(more, start);
        let zero = self.terms.int(0);
        if first == second && more == zero {
            return Ok(Some(self.terms.mul(number, first)));
        }
        let happens = self.terms.le(one, number);
        if !self.follows(&[case.condition], happens)? {
            return Ok(None);
        }
        // c + (n-1)·U + (n-1)·(n-2)/2·D, a quotient that is exact.
        let others = self.terms.sub(number, one);
        let last = self.terms.sub(others, one);
        let (pairs, two) = (self.terms.mul(others, last), self.terms.int(2));
        let pairs = self.terms.quotient(Rounding::Euclidean, pairs, two);
        let (plain, grown) = (self.terms.mul(others, second), self.terms.mul(pairs, more));
        Ok(Some(self.terms.sum([first, plain, grown])))
    }

    /// The variables that some of these parts change.
    fn changed(&self, segments: &[Segment]) -> BTreeSet<SymbolId> {
        let mut changed = BTreeSet::new();
        let mut open: Vec<&Segment> = segments.iter().collect();
        while let Some(segment) = open.pop() {
            match &segment.what {
                Repeated::Path(path) => changed.extend(self.changed_by(*path)),
                Repeated::Round(parts) => open.extend(parts),
                Repeated::OneOf(paths) => {
                    changed.extend(paths.iter().flat_map(|path| self.changed_by(*path)));
                }
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
        since: Since<'_>,
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
        let happens = !self.terms.is_starred(count)
            && match since {
                Since::Entry(case) => self.follows(&[case.condition], happens)?,
                Since::Round => self.follows_always(&[], happens)?,
            };
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
    fn follow_rounds(
        &mut self,
        case: &Case,
        now: &mut Substitution,
        parts: &[Segment],
        number: Term,
    ) -> Result<(), Error> {
        self.forget(now, parts);
        let one = self.terms.int(1);
        let happens = self.terms.le(one, number);
        if !self.terms.is_starred(number) && self.follows(&[case.condition], happens)? {
            *now = self.after_round(now, parts)?;
        }
        Ok(())
    }

    /// The values after one round from any values.
    fn after_round(
        &mut self,
        start: &Substitution,
        parts: &[Segment],
    ) -> Result<Substitution, Error> {
        let mut now = start.clone();
        for part in parts {
            match &part.what {
                Repeated::Path(path) => {
                    let count = self.terms.substitute(part.count, start);
                    self.follow(Since::Round, &mut now, *path, count)?;
                }
                Repeated::Round(_) | Repeated::OneOf(_) => {
                    self.forget(&mut now, std::slice::from_ref(part));
                }
            }
        }
        Ok(now)
    }

    /// What these parts change is not known any more.
    fn forget(&mut self, now: &mut Substitution, parts: &[Segment]) {
        for symbol in self.changed(parts) {
            let star = self.terms.star(self.terms.symbol(symbol).sort);
            now.insert(symbol, star);
        }
    }
}
