//! What the iterated memory and the looping condition are for certain counts.

use super::{MAX_DEPTH, Memory, Stretch, Value};
use crate::logic::Logic;
use crate::parts::Parts;
use crate::problem::Path;
use loupe_term::{Node, Origin, Quantifier, Sort, Substitution, Term};
use std::collections::BTreeSet;

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
                Value::History { all, grows, falls } => {
                    let total = logic.terms.sum(counts.to_vec());
                    let value = logic.terms.select(*all, total);
                    let value = value.unwrap_or_else(|_| logic.terms.star(sort));
                    if *grows && depth == 0 {
                        parts.conditions.push(logic.terms.le(symbol, value));
                    }
                    if *falls && depth == 0 {
                        parts.conditions.push(logic.terms.le(value, symbol));
                    }
                    value
                }
                Value::Unknown | Value::Written if depth == 0 => parts.fresh(logic, name, sort),
                Value::Last | Value::Unknown | Value::Written => logic.terms.star(sort),
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

    pub(super) fn store(&self, values: &[Term]) -> Substitution {
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
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let mut somewhere = Vec::with_capacity(stretches.len());
        for stretch in stretches {
            somewhere.push(self.within(logic, stretch, (place, counts)));
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

    /// The looping condition: Algorithm 2, lines 11 to 17, and what every single iteration says, the first and the last among them.
    pub(super) fn looping(&self, logic: &mut Logic<'_>, parts: &mut Parts, counts: &[Term]) {
        if self.every_traced_iteration(logic, parts, counts).is_none() {
            self.every_iteration(logic, parts, counts);
        }
        if !self.counts_apart {
            return;
        }
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
            let rising = inside.symbols.clone();
            let state = self.after(logic, &mut inside, &then, MAX_DEPTH);
            self.take(logic, &mut inside, &state, path);
            self.at_all_times(logic, parts, inside, ((time, counts[number]), &rising));
        }
        self.first_and_last(logic, parts, counts);
    }

    /// Whatever path is taken in the p-th of all iterations, it can be taken there: with p iterations before it, some number of each path.
    fn every_iteration(&self, logic: &mut Logic<'_>, parts: &mut Parts, counts: &[Term]) {
        let zero = logic.terms.int(0);
        let time = logic.terms.fresh("t", Sort::Int, Origin::default());
        let mut inside = Parts::default();
        let mut then = vec![time];
        for count in &counts[1.min(counts.len())..] {
            if !self.counts_apart {
                then.push(zero);
                continue;
            }
            let earlier = inside.earlier(logic, *count);
            then[0] = logic.terms.sub(then[0], earlier);
            then.push(earlier);
        }
        let earlier: BTreeSet<_> =
            inside.symbols.iter().filter_map(|symbol| logic.symbol_of(*symbol)).collect();
        let before = std::mem::take(&mut inside);
        let state = self.after(logic, &mut inside, &then, MAX_DEPTH);
        let one = logic.terms.int(1);
        let next = logic.terms.add(time, one);
        let mut ways = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            let mut way = Parts::default();
            let after = self.take(logic, &mut way, &state, path);
            for (variable, all) in self.histories() {
                if let Ok(then) = logic.terms.select(all, next) {
                    let becomes = logic.terms.eq(then, after[variable]);
                    way.conditions.push(logic.terms.weaken(becomes));
                }
            }
            let condition = logic.terms.and(way.conditions);
            ways.push(logic.conjuncts(condition));
            inside.symbols.extend(way.symbols);
        }
        let facts = self.facts_of_histories(logic, &state);
        let mut rising = Vec::new();
        // Where nothing depends on how many iterations of which path there were, nothing is said of that.
        if ways.iter().flatten().chain(&facts).any(|part| logic.mentions(*part, &earlier)) {
            inside.conditions.extend(before.conditions);
            inside.conditions.push(logic.terms.le(zero, then[0]));
            rising.clone_from(&before.symbols);
            inside.symbols.extend(before.symbols);
            for (way, (earlier, count)) in ways.iter_mut().zip(then.iter().zip(counts)) {
                way.push(logic.terms.lt(*earlier, *count));
            }
        }
        inside.conditions.extend(facts);
        one_of(logic, &mut inside, None, ways);
        self.histories_begin(logic, parts);
        let total = logic.terms.sum(counts.to_vec());
        self.at_all_times(logic, parts, inside, ((time, total), &rising));
    }

    /// What is known of values of every iteration that have no other form.
    pub(super) fn facts_of_histories(&self, logic: &mut Logic<'_>, state: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        let changing: BTreeSet<_> =
            self.histories().map(|(variable, _)| self.variables[variable]).collect();
        let store = self.store(state);
        for fact in &self.problem.facts {
            if !logic.mentions(*fact, &changing) {
                continue;
            }
            let now = logic.put(*fact, &store);
            facts.push(logic.terms.weaken(now));
        }
        facts
    }

    /// The first of all values are those at entry.
    pub(super) fn histories_begin(&self, logic: &mut Logic<'_>, parts: &mut Parts) {
        let zero = logic.terms.int(0);
        for (variable, all) in self.histories() {
            if let Ok(first) = logic.terms.select(all, zero) {
                parts.conditions.push(logic.terms.eq(first, self.symbol(variable)));
            }
        }
    }

    /// That something holds for all numbers below a count. Some of the symbols in it never fall from one number to the next: counts of iterations before.
    pub(super) fn at_all_times(
        &self,
        logic: &mut Logic<'_>,
        parts: &mut Parts,
        inside: Parts,
        ((time, count), rising): ((Term, Term), &[Term]),
    ) {
        let zero = logic.terms.int(0);
        let condition = logic.terms.and(inside.conditions);
        let condition = logic.terms.weaken(condition);
        let (ends, left) = at_ends(logic, condition, (time, count), &inside.symbols);
        let mut left = logic.conjuncts(left);
        let mut given = self.problem.facts.clone();
        given.extend(&ends);
        given.push(logic.terms.le(zero, time));
        given.push(logic.terms.lt(time, count));
        without_wraps(logic, &given, &mut left, &mut []);
        parts.conditions.extend(ends);
        let condition = logic.terms.and(left);
        if logic.terms.as_bool(condition) == Some(true) {
            return;
        }
        let Some((body, arrays)) = witnessed(logic, parts, (condition, &inside.symbols), time)
        else {
            return;
        };
        let mut all = vec![body];
        let one = logic.terms.int(1);
        let next = logic.terms.add(time, one);
        let is_last = logic.terms.le(count, next);
        for (_, array) in arrays.into_iter().filter(|(symbol, _)| rising.contains(symbol)) {
            let (Ok(now), Ok(then)) =
                (logic.terms.select(array, time), logic.terms.select(array, next))
            else {
                continue;
            };
            let rises = logic.terms.le(now, then);
            all.push(logic.terms.or([is_last, rises]));
        }
        let body = logic.terms.and(all);
        let all = logic.terms.quantify(Quantifier::Forall, time, [zero, count], body);
        parts.conditions.extend(all.ok());
    }

    /// If there is an iteration, one is the first, with the values at entry, and one the last, with all counts final but its own.
    fn first_and_last(&self, logic: &mut Logic<'_>, parts: &mut Parts, counts: &[Term]) {
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let total = logic.terms.sum(counts.to_vec());
        let none = logic.terms.le(total, zero);
        let entry: Vec<Term> = self.problem.variables.iter().map(|v| v.symbol).collect();
        let (mut firsts, mut lasts) = (Vec::new(), Vec::new());
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
                let condition = logic.terms.weaken(condition);
                ends.push(logic.conjuncts(condition));
                parts.symbols.extend(inside.symbols);
            }
        }
        for ways in [firsts, lasts] {
            one_of(logic, parts, Some(none), ways);
        }
    }
}

/// That one of these conjunctions holds, unless something does. What they have in common stands by itself, where it is easy to use.
pub(super) fn one_of(
    logic: &mut Logic<'_>,
    parts: &mut Parts,
    unless: Option<Term>,
    mut ways: Vec<Vec<Term>>,
) {
    let Some(first) = ways.first().cloned() else { return };
    let common: Vec<Term> =
        first.into_iter().filter(|part| ways.iter().all(|way| way.contains(part))).collect();
    for part in &common {
        let sides: Vec<Term> = unless.into_iter().chain([*part]).collect();
        parts.conditions.push(logic.terms.or(sides));
    }
    let mut sides: Vec<Term> = unless.into_iter().collect();
    for way in &mut ways {
        way.retain(|part| !common.contains(part));
        sides.push(logic.terms.and(std::mem::take(way)));
    }
    parts.conditions.push(logic.terms.or(sides));
}

/// Wraps in so many places are looked at.
const MAX_WRAPS: usize = 24;

/// Replaces what wraps by what is wrapped where that cannot leave its range, in a conjunction and in values that belong to it.
///
/// Let `G` be the conjunction, `w(e)` the wrapped term and `C` the conjuncts without `w(e)`. If `given ∧ C` implies that `e` is in range, `w(e) = e` wherever `given ∧ G` holds, and `G` with `e` in the place of
/// `w(e)` is equivalent to `G` there. Each step goes from one conjunction to an equivalent one.
pub(crate) fn without_wraps(
    logic: &mut Logic<'_>,
    given: &[Term],
    conditions: &mut [Term],
    values: &mut [Term],
) {
    let mut found: Vec<Term> = Vec::new();
    for root in conditions.iter().chain(&*values) {
        for part in logic.terms.post_order(*root) {
            if let Node::Wrap(_, inner) = *logic.terms.node(part)
                && logic.terms.is_closed(part)
                && !logic.terms.is_starred(inner)
                // What can be said of ranges then costs more than it is worth.
                && !logic.terms.has_product(inner)
                && !found.contains(&part)
            {
                found.push(part);
            }
        }
    }
    found.truncate(MAX_WRAPS);
    let mut at = 0;
    while let Some(wrap) = found.get(at).copied() {
        at += 1;
        let Node::Wrap(width, inner) = *logic.terms.node(wrap) else { continue };
        let (least, greatest) = width.bounds();
        let (least, greatest) = (logic.terms.int(least), logic.terms.int(greatest));
        let fits = [logic.terms.le(least, inner), logic.terms.le(inner, greatest)];
        let fits = logic.terms.and(fits);
        let mut known: Vec<Term> = given.to_vec();
        known.extend(conditions.iter().filter(|part| {
            super::is_easy(logic, **part) && !logic.terms.post_order(**part).contains(&wrap)
        }));
        if !matches!(logic.proves(&known, fits), Ok(true)) {
            continue;
        }
        let replaced = conditions.iter_mut().chain(&mut *values).chain(&mut found[at..]);
        for root in replaced {
            *root = logic.terms.replace_part(*root, wrap, inner);
        }
    }
}

/// What a conjunction for all τ below a count says at the first and the last of them, and what is left of it. A literal `p(τ) ≤ 0` with `p(τ+1) - p(τ)` the same for all τ is greatest at
/// one of the ends; and what does not depend on τ holds if it holds once.
fn at_ends(
    logic: &mut Logic<'_>,
    condition: Term,
    (time, count): (Term, Term),
    witnesses: &[Term],
) -> (Vec<Term>, Term) {
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let (last, next) = (logic.terms.sub(count, one), logic.terms.add(time, one));
    let never = logic.terms.le(count, zero);
    let witnesses = witnesses.iter().filter_map(|witness| logic.symbol_of(*witness)).collect();
    let Some(own) = logic.symbol_of(time) else { return (Vec::new(), condition) };
    let (mut ends, mut left) = (Vec::new(), Vec::new());
    for part in logic.conjuncts(condition) {
        if logic.mentions(part, &witnesses) {
            left.push(part);
            continue;
        }
        if !logic.mentions(part, &[own].into()) {
            ends.push(logic.terms.or([never, part]));
            continue;
        }
        let at = |logic: &mut Logic<'_>, term, value| {
            logic.put(term, &Substitution::from_iter([(own, value)]))
        };
        let is_straight = match *logic.terms.node(part) {
            Node::NonPositive(sum) => {
                let after = at(logic, sum, next);
                let slope = logic.terms.sub(after, sum);
                !logic.mentions(slope, &[own].into())
            }
            _ => false,
        };
        if !is_straight {
            left.push(part);
            continue;
        }
        for end in [zero, last] {
            let there = at(logic, part, end);
            ends.push(logic.terms.or([never, there]));
        }
    }
    (ends, logic.terms.and(left))
}

/// A condition in which symbols that exist for each value of a variable are elements of arrays of witnesses, and these arrays. `None` if one of them cannot be.
fn witnessed(
    logic: &mut Logic<'_>,
    parts: &mut Parts,
    (condition, symbols): (Term, &[Term]),
    time: Term,
) -> Option<(Term, Vec<(Term, Term)>)> {
    let mut arrays = Vec::new();
    let free = logic.terms.free_symbols(condition);
    let mut store = Substitution::default();
    for symbol in symbols {
        let Some(id) = logic.symbol_of(*symbol).filter(|id| free.contains(id)) else { continue };
        let sort = match logic.terms.sort(*symbol) {
            Sort::Int => Sort::Array(1),
            Sort::Array(dimensions) => Sort::Array(dimensions.checked_add(1)?),
            Sort::Bool => return None,
        };
        let all = parts.fresh_like(logic, id, sort);
        store.extend([(id, logic.terms.select(all, time).ok()?)]);
        arrays.push((*symbol, all));
    }
    Some((logic.put(condition, &store), arrays))
}
