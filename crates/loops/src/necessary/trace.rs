//! What single iterations do, by their number: the path that is taken, how often each path was taken before, what is read anew. Arrays that nobody knows, of which it is said that every iteration is one of some path.
//!
//! A value that was written in iteration n is a term over these at n, so an element of an array is known by the iteration that wrote it.
//!
//! Why every execution satisfies what is said: it has such arrays, its own. What it leaves open (fresh values of paths that an iteration does not take) may be anything, and nothing is said of it.

use super::formula::one_of;
use super::{MAX_DEPTH, Memory, Value};
use crate::logic::Logic;
use crate::parts::Parts;
use crate::problem::{Path, Precision, Ways};
use loupe_term::{Origin, Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// Guards that are larger are not repeated in every element.
const MAX_GUARD: usize = 40;

/// Arrays over the numbers of iterations.
pub(super) struct Trace {
    /// Which path an iteration takes, as a number; `None` where there is one only, or nobody asks.
    pub(super) which: Option<Term>,
    /// How often each path but the first was taken before an iteration, where that matters.
    pub(super) before: Vec<Term>,
    /// For each path, what is new in an iteration of it: the symbol in guard and updates, and its values.
    pub(super) fresh: Vec<Vec<(SymbolId, Term)>>,
    /// For each path, what says that an iteration takes it rather than another, where its values alone do.
    pub(super) chosen: Vec<Option<Term>>,
    /// All arrays.
    pub(super) symbols: Vec<Term>,
}

impl Trace {
    /// An array more.
    pub(super) fn array(&mut self, logic: &mut Logic<'_>, name: &str, dimensions: u8) -> Term {
        let array = logic.terms.fresh(name, Sort::Array(dimensions), Origin::default());
        self.symbols.push(array);
        array
    }
}

impl Memory<'_> {
    /// The arrays for a loop; `None` if something in it has no array.
    pub(super) fn trace(&self, logic: &mut Logic<'_>) -> Option<Trace> {
        let mut trace = Trace {
            which: None,
            before: Vec::new(),
            fresh: Vec::new(),
            chosen: Vec::new(),
            symbols: Vec::new(),
        };
        trace.chosen = self.paths.iter().map(|path| self.chosen(logic, path)).collect();
        let are_told = trace.chosen.iter().all(Option::is_some);
        if self.paths.len() > 1 && (self.counts_apart || !are_told) {
            trace.which = Some(trace.array(logic, "p", 1));
        }
        if self.counts_apart {
            for path in 1..self.paths.len() {
                let before = trace.array(logic, &format!("k{}", path + 1), 1);
                trace.before.push(before);
            }
        }
        for path in &self.paths {
            let mut all = Vec::with_capacity(path.fresh.len());
            for fresh in &path.fresh {
                let Some(id) = logic.symbol_of(fresh.symbol) else { continue };
                let dimensions = match logic.terms.sort(fresh.symbol) {
                    Sort::Int => 1,
                    Sort::Array(dimensions) => dimensions.checked_add(1)?,
                    Sort::Bool => return None,
                };
                let name = logic.terms.symbol(id).name.clone();
                all.push((id, trace.array(logic, &name, dimensions)));
            }
            trace.fresh.push(all);
        }
        Some(trace)
    }

    /// What holds before iterations of a path and not before others, if it is short and a matter of values that are known there.
    ///
    /// The guards of two paths exclude each other, so an iteration takes a path if and only if its guard holds, provided that the guard is precise. What the guards of all
    /// paths have in common holds before every iteration, and says nothing here.
    fn chosen(&self, logic: &mut Logic<'_>, path: &Path) -> Option<Term> {
        let mut parts = logic.conjuncts(path.guard);
        parts.retain(|part| {
            !self.paths.iter().all(|other| logic.conjuncts(other.guard).contains(part))
        });
        let guard = logic.terms.and(parts);
        let unknown = |(_, value): &(&SymbolId, &Value)| {
            matches!(value, Value::Last | Value::Unknown | Value::Written | Value::Elements(_))
        };
        let pairs = self.variables.iter().zip(&self.values);
        let mut bad: BTreeSet<SymbolId> = pairs.filter(unknown).map(|(id, _)| *id).collect();
        bad.extend(path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)));
        let is_plain = self.problem.ways == Ways::One
            && path.precision == Precision::Exact
            && !logic.terms.is_starred(guard)
            && !logic.terms.has_quantifier(guard)
            && logic.terms.size(guard) <= MAX_GUARD
            && !logic.mentions(guard, &bad);
        is_plain.then_some(guard)
    }

    /// How often each path was taken before the iteration of a number.
    pub(super) fn counts_at(
        &self,
        logic: &mut Logic<'_>,
        trace: &Trace,
        number: Term,
    ) -> Option<Vec<Term>> {
        let mut counts = vec![number];
        for before in &trace.before {
            let before = logic.terms.select(*before, number).ok()?;
            counts[0] = logic.terms.sub(counts[0], before);
            counts.push(before);
        }
        counts.resize(self.paths.len(), logic.terms.int(0));
        Some(counts)
    }

    /// What variables, and what is new on a path, are in the iteration of a number. Arrays that the loop writes are left as they are.
    pub(super) fn state_at(
        &self,
        logic: &mut Logic<'_>,
        trace: &Trace,
        (path, number): (usize, Term),
    ) -> Option<Substitution> {
        let counts = self.counts_at(logic, trace, number)?;
        let ids = self.counters.iter().filter_map(|counter| logic.symbol_of(*counter));
        let at: Substitution = ids.zip(counts).collect();
        let mut store = Substitution::default();
        for (variable, id) in self.variables.iter().enumerate() {
            let sort = logic.terms.sort(self.symbol(variable));
            let value = match &self.values[variable] {
                Value::Closed(value) => logic.put(*value, &at),
                Value::History { all, .. } => logic.terms.select(*all, number).ok()?,
                Value::Written => continue,
                Value::Last | Value::Unknown | Value::Elements(_) => logic.terms.star(sort),
            };
            store.insert(*id, value);
        }
        for (id, values) in &trace.fresh[path] {
            store.insert(*id, logic.terms.select(*values, number).ok()?);
        }
        Some(store)
    }

    /// That the iteration of a number takes a path.
    pub(super) fn takes(
        &self,
        logic: &mut Logic<'_>,
        trace: &Trace,
        (path, number): (usize, Term),
    ) -> Option<Term> {
        if let Some(chosen) = trace.chosen[path] {
            let store = self.state_at(logic, trace, (path, number))?;
            return Some(logic.put(chosen, &store));
        }
        match trace.which {
            Some(which) => self.is_number(logic, which, (path, number)),
            None => Some(logic.terms.bool(true)),
        }
    }

    /// That the path of an iteration has this number.
    fn is_number(
        &self,
        logic: &mut Logic<'_>,
        which: Term,
        (path, number): (usize, Term),
    ) -> Option<Term> {
        let taken = logic.terms.select(which, number).ok()?;
        let path = logic.terms.int(path);
        Some(logic.terms.eq(taken, path))
    }

    /// Every iteration is one of some path, in the words of the trace; `None` if that cannot be said.
    pub(super) fn every_traced_iteration(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        counts: &[Term],
    ) -> Option<()> {
        let trace = self.trace.as_ref()?;
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let time = logic.terms.fresh("t", Sort::Int, Origin::default());
        let next = logic.terms.add(time, one);
        let total = logic.terms.sum(counts.to_vec());
        let then = self.counts_at(logic, trace, time)?;
        let mut inside = Parts::default();
        let state = self.after(logic, &mut inside, &then, MAX_DEPTH);
        let mut ways = Vec::with_capacity(self.paths.len());
        for (number, path) in self.paths.iter().enumerate() {
            let mut store = self.store(&state);
            for (id, values) in &trace.fresh[number] {
                store.insert(*id, logic.terms.select(*values, time).ok()?);
            }
            let mut way = vec![logic.put(path.guard, &store)];
            for (variable, all) in self.histories() {
                let then = logic.terms.select(all, next).ok()?;
                let after = logic.put(path.updates[variable], &store);
                way.push(logic.terms.eq(then, after));
            }
            if let Some(which) = trace.which {
                way.push(self.is_number(logic, which, (number, time))?);
            }
            for (other, before) in trace.before.iter().enumerate() {
                let now = logic.terms.select(*before, time).ok()?;
                let then = logic.terms.select(*before, next).ok()?;
                let more = if other + 1 == number { one } else { zero };
                let more = logic.terms.add(now, more);
                way.push(logic.terms.eq(then, more));
            }
            if !trace.before.is_empty() {
                way.push(logic.terms.lt(then[number], counts[number]));
            }
            let way = logic.terms.and(way);
            let way = logic.terms.weaken(way);
            ways.push(logic.conjuncts(way));
        }
        for (other, before) in trace.before.iter().enumerate() {
            let first = logic.terms.select(*before, zero).ok()?;
            parts.conditions.push(logic.terms.eq(first, zero));
            let last = logic.terms.select(*before, total).ok()?;
            parts.conditions.push(logic.terms.eq(last, counts[other + 1]));
        }
        if !trace.before.is_empty() {
            for (then, count) in then.iter().zip(counts) {
                inside.conditions.push(logic.terms.le(zero, *then));
                inside.conditions.push(logic.terms.le(*then, *count));
            }
        }
        inside.conditions.extend(self.facts_of_histories(logic, &state));
        inside.conditions.extend(self.reads_at(logic, time));
        inside.conditions.extend(self.last_writers_at(logic, time, counts));
        one_of(logic, &mut inside, None, ways);
        self.histories_begin(logic, parts);
        self.at_all_times(logic, parts, inside, ((time, total), &[]));
        Some(())
    }
}
