//! What the iterated memory and the looping condition are for certain counts.

use super::{MAX_DEPTH, Memory, Stretch, Value};
use crate::logic::Logic;
use crate::parts::Parts;
use crate::problem::Path;
use loupe_term::{Origin, Quantifier, Sort, Substitution, Term};

impl Memory<'_> {
    /// The values after so many iterations of each path. What has no closed form has a symbol, or is ★ where it would say nothing: `depth` says how far below the state behind the loop this one is.
    pub(super) fn after(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        counts: &[Term],
        depth: usize,
    ) -> Vec<Term> {
        let ids = self.counters.iter().filter_map(|counter| logic.symbol_of(*counter));
        let at: Substitution = ids.zip(counts.iter().copied()).collect();
        let mut values = Vec::with_capacity(self.values.len());
        for (variable, value) in self.values.iter().enumerate() {
            let symbol = self.symbol(variable);
            let sort = logic.terms.sort(symbol);
            let name = &self.problem.variables[variable].name;
            values.push(match value {
                Value::Closed(value) => logic.put(*value, &at),
                Value::Elements(stretches) => {
                    let any = parts.fresh(logic, name, sort);
                    self.changed_between(logic, (symbol, any), stretches, counts).unwrap_or(any)
                }
                Value::Last if depth < MAX_DEPTH => parts.fresh(logic, name, sort),
                Value::Unknown { grows, falls } if depth == 0 => {
                    let any = parts.fresh(logic, name, sort);
                    if *grows {
                        parts.conditions.push(logic.terms.le(symbol, any));
                    }
                    if *falls {
                        parts.conditions.push(logic.terms.le(any, symbol));
                    }
                    any
                }
                Value::Last | Value::Unknown { .. } => logic.terms.star(sort),
            });
        }
        if depth < MAX_DEPTH {
            self.last_writers(logic, parts, (counts, &values), depth);
        }
        if depth == 0 {
            let store = self.store(&values);
            parts.conditions.extend(logic.put_all(&self.problem.facts, &store));
        }
        values
    }

    fn store(&self, values: &[Term]) -> Substitution {
        self.variables.iter().copied().zip(values.iter().copied()).collect()
    }

    /// An array that may differ only where something was written.
    fn changed_between(
        &self,
        logic: &mut Logic<'_>,
        (symbol, any): (Term, Term),
        stretches: &[Stretch],
        counts: &[Term],
    ) -> Option<Term> {
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let mut somewhere = Vec::new();
        for Stretch { path, start, steps } in stretches {
            let (mut low, mut high) = (*start, *start);
            for (other, (count, step)) in counts.iter().zip(steps).enumerate() {
                // Before an iteration of this path there was one less of it.
                let most = if other == *path { logic.terms.sub(*count, one) } else { *count };
                match step.is_negative() {
                    true => low = logic.terms.add_scaled(low, most, step),
                    false => high = logic.terms.add_scaled(high, most, step),
                }
            }
            let taken = logic.terms.lt(zero, counts[*path]);
            let between = [taken, logic.terms.le(low, place), logic.terms.le(place, high)];
            somewhere.push(logic.terms.and(between));
        }
        let somewhere = logic.terms.or(somewhere);
        let (new, old) =
            (logic.terms.select(any, place).ok()?, logic.terms.select(symbol, place).ok()?);
        let element = logic.terms.ite(somewhere, new, old);
        logic.terms.lambda(place, element).ok()
    }

    /// The iterations that have written last: for each path with something to write, a witness for its last iteration.
    fn last_writers(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        (counts, values): (&[Term], &[Term]),
        depth: usize,
    ) {
        let written: Vec<usize> = (0..self.values.len())
            .filter(|variable| matches!(self.values[*variable], Value::Last))
            .collect();
        if written.is_empty() {
            return;
        }
        let zero = logic.terms.int(0);
        let mut ways: Vec<Vec<Term>> = vec![Vec::new(); written.len()];
        for (number, path) in self.paths.iter().enumerate() {
            if written.iter().all(|at| path.updates[*at] == self.symbol(*at)) {
                continue;
            }
            let mut before = Parts::default();
            let then = self.before_last(logic, &mut before, counts, number);
            let state = self.after(logic, &mut before, &then, depth + 1);
            let after = self.take(logic, &mut before, &state, path);
            let taken = logic.terms.lt(zero, counts[number]);
            let held = logic.terms.and(before.conditions);
            let held = logic.terms.weaken(held);
            parts.symbols.extend(before.symbols);
            parts.conditions.push(logic.terms.implies(taken, held));
            for (at, ways) in written.iter().zip(&mut ways) {
                if path.updates[*at] != self.symbol(*at) {
                    let same = logic.terms.eq(values[*at], after[*at]);
                    let way = logic.terms.and([taken, same]);
                    ways.push(logic.terms.weaken(way));
                }
            }
        }
        for (at, mut ways) in written.into_iter().zip(ways) {
            let mut none = vec![logic.terms.eq(values[at], self.symbol(at))];
            for (path, count) in self.paths.iter().zip(counts) {
                if path.updates[at] != self.symbol(at) {
                    none.push(logic.terms.eq(*count, zero));
                }
            }
            ways.push(logic.terms.and(none));
            parts.conditions.push(logic.terms.or(ways));
        }
    }

    /// Counts before the last iteration of a path: one less of it, and no more of others.
    fn before_last(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        counts: &[Term],
        path: usize,
    ) -> Vec<Term> {
        let one = logic.terms.int(1);
        let mut then = Vec::with_capacity(counts.len());
        for (other, count) in counts.iter().enumerate() {
            if other == path {
                then.push(logic.terms.sub(*count, one));
                continue;
            }
            then.push(parts.earlier(logic, *count));
        }
        then
    }

    /// One path from some values: its guard is a condition.
    pub(super) fn take(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        before: &[Term],
        path: &Path,
    ) -> Vec<Term> {
        let mut store = self.store(before);
        parts.anew(logic, path, &mut store);
        let guard = logic.put(path.guard, &store);
        parts.conditions.push(logic.terms.weaken(guard));
        path.updates.iter().map(|update| logic.put(*update, &store)).collect()
    }

    /// The looping condition: Algorithm 2, lines 11 to 17, and what the first and the last of all iterations say.
    pub(super) fn looping(&self, logic: &mut Logic<'_>, parts: &mut Parts, counts: &[Term]) {
        let zero = logic.terms.int(0);
        for (number, path) in self.paths.iter().enumerate() {
            let time = logic.terms.fresh("t", Sort::Int, Origin::default());
            let mut inside = Parts::default();
            let mut then = Vec::with_capacity(counts.len());
            for (other, count) in counts.iter().enumerate() {
                if other == number {
                    then.push(time);
                    continue;
                }
                then.push(inside.earlier(logic, *count));
            }
            let state = self.after(logic, &mut inside, &then, MAX_DEPTH);
            self.take(logic, &mut inside, &state, path);
            let condition = logic.terms.and(inside.conditions);
            let condition = logic.terms.weaken(condition);
            let body = witnessed(logic, parts, (condition, &inside.symbols), time);
            let range = [zero, counts[number]];
            let all = body
                .and_then(|body| logic.terms.quantify(Quantifier::Forall, time, range, body).ok());
            parts.conditions.extend(all);
        }
        if self.paths.len() > 1 {
            self.first_and_last(logic, parts, counts);
        }
    }

    /// If there is an iteration, one is the first, with the values at entry, and one the last, with all counts final but its own.
    fn first_and_last(&self, logic: &mut Logic<'_>, parts: &mut Parts, counts: &[Term]) {
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let none: Vec<Term> = counts.iter().map(|count| logic.terms.eq(*count, zero)).collect();
        let none = logic.terms.and(none);
        let entry: Vec<Term> = self.problem.variables.iter().map(|v| v.symbol).collect();
        let (mut firsts, mut lasts) = (vec![none], vec![none]);
        for (number, path) in self.paths.iter().enumerate() {
            let taken = logic.terms.lt(zero, counts[number]);
            let mut first = Parts::default();
            self.take(logic, &mut first, &entry, path);
            first.conditions.push(taken);
            let mut last = Parts::default();
            let mut then = counts.to_vec();
            then[number] = logic.terms.sub(counts[number], one);
            let state = self.after(logic, &mut last, &then, MAX_DEPTH);
            self.take(logic, &mut last, &state, path);
            last.conditions.push(taken);
            for (ends, inside) in [(&mut firsts, first), (&mut lasts, last)] {
                let condition = logic.terms.and(inside.conditions);
                ends.push(logic.terms.weaken(condition));
                parts.symbols.extend(inside.symbols);
            }
        }
        parts.conditions.push(logic.terms.or(firsts));
        parts.conditions.push(logic.terms.or(lasts));
    }
}

/// A condition in which symbols that exist for each value of a variable are elements of arrays of witnesses. `None` if one of them cannot be.
fn witnessed(
    logic: &mut Logic<'_>,
    parts: &mut Parts,
    (condition, symbols): (Term, &[Term]),
    time: Term,
) -> Option<Term> {
    let free = logic.terms.free_symbols(condition);
    let mut store = Substitution::default();
    for symbol in symbols {
        let Some(id) = logic.symbol_of(*symbol).filter(|id| free.contains(id)) else { continue };
        let sort = match logic.terms.sort(*symbol) {
            Sort::Int => Sort::Array(1),
            Sort::Array(dimensions) => Sort::Array(dimensions.checked_add(1)?),
            Sort::Bool => return None,
        };
        let name = logic.terms.symbol(id).name.clone();
        let all = parts.fresh(logic, &name, sort);
        store.extend([(id, logic.terms.select(all, time).ok()?)]);
    }
    Some(logic.put(condition, &store))
}
