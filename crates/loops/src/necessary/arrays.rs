//! Arrays that iterations write: Table 2 of the long version of *Abstracting Path Conditions*, without its quantifiers.
//!
//! What stays in an element is what the last iteration left there that wrote it. For each *write* (a place in the body where the array is written) let n(χ) be the last iteration, of those before the time in question, whose write hits the element χ:
//!
//! - Where the place moves by the same step in every iteration, at most one iteration hits χ, and n(χ) is found by a division: `χ - s`, or `(χ - s) / d`. A write of a whole range is such a one if ranges of different iterations do not meet (rows of a matrix).
//! - Otherwise n(χ) is an element of an array W of last writers that nobody knows, one for each time.
//!
//! The write *happened* if n(χ) is a number of an iteration before that time, which takes the path of the write, and hits χ there. Of all writes that happened the latest wins, and its value is what the trace says it is in iteration n(χ);
//! if none did, the element is the old one. This is true of every execution if W are its last writers, with -1 where there is none: then a write has happened exactly if the formula says so. So nothing depends
//! on the report's ψ, which says only what is necessary for having written last.
//!
//! What is read in such arrays is in `reads`.
//!
//! That every iteration that writes an element comes not after the last writer of it at the end is said for all iterations (as in `blend::scattered`, where it makes the summary exact).

use super::reads::Read;
use super::trace::Trace;
use super::{Memory, Stretch, Value};
use crate::accelerate::linear;
use crate::logic::Logic;
use crate::problem::Path;
use loupe_integer::Integer;
use loupe_term::{Node, Origin, Quantifier, Rounding, Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// So many writes of an array are compared with each other; of more it is said only where they are.
const MAX_WRITES: usize = 6;

/// Choices between an old and a new element are followed so far.
const MAX_CHOICES: usize = 16;

/// What is written in an iteration of a path, over the values at its start.
struct Write {
    path: usize,
    /// The elements that are hit: over [`Arrays::place`].
    hits: Term,
    value: Term,
    /// The place, where it is one; the first place otherwise, where there is one.
    start: Option<Term>,
    /// Behind the last place, where there is one.
    end: Option<Term>,
    is_range: bool,
    /// Both, with symbols for what is read in arrays that the loop writes: as they are in single iterations.
    there: [Option<Term>; 2],
    /// n(χ), if it is a matter of arithmetic.
    steady: Option<Term>,
    /// Last writers otherwise: by time, then by element.
    last: Option<Term>,
    /// Where the place can be at all: over the counters.
    between: Option<Term>,
}

/// The arrays that a loop writes.
pub(super) struct Arrays {
    /// The index of an element.
    pub(super) place: Term,
    writes: Vec<Write>,
    pub(super) reads: Vec<Read>,
    /// What becomes of them, over the counters.
    pub(super) forms: Vec<(usize, Term)>,
}

impl Memory<'_> {
    /// Forms for all arrays that are written: they become closed values, over the counters and the trace.
    pub(super) fn solve_arrays(&mut self, logic: &mut Logic<'_>) {
        let written: Vec<usize> = (0..self.values.len())
            .filter(|variable| matches!(self.values[*variable], Value::Written))
            .collect();
        if written.is_empty() {
            return;
        }
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let found = self.trace(logic).and_then(|mut trace| {
            let arrays = self.arrays(logic, &mut trace, (&written, place))?;
            Some((trace, arrays))
        });
        let Some((trace, arrays)) = found else {
            for variable in written {
                self.values[variable] =
                    self.elements(logic, variable).map_or(Value::Unknown, Value::Elements);
            }
            return;
        };
        for (variable, form) in &arrays.forms {
            self.values[*variable] = Value::Closed(*form);
        }
        self.trace = Some(trace);
        self.arrays = Some(arrays);
    }

    /// Whether an array is written place by place, in few places.
    pub(super) fn is_written(&self, logic: &mut Logic<'_>, variable: usize) -> bool {
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let mut number = 0;
        logic.terms.sort(self.symbol(variable)) == Sort::Array(1)
            && self.paths.iter().enumerate().all(|path| {
                let writes = self.writes(logic, path, (variable, place));
                number += writes.as_ref().map_or(0, Vec::len);
                writes.is_some() && number <= MAX_WRITES
            })
    }

    /// What a path writes in an array, in order.
    fn writes(
        &self,
        logic: &mut Logic<'_>,
        (number, path): (usize, &&Path),
        (variable, place): (usize, Term),
    ) -> Option<Vec<Write>> {
        let symbol = self.symbol(variable);
        let mut array = path.updates[variable];
        let mut found = Vec::new();
        let write = |hits, value, [start, end]: [Option<Term>; 2], is_range| Write {
            path: number,
            hits,
            value,
            start,
            end,
            is_range,
            there: [None, None],
            steady: None,
            last: None,
            between: None,
        };
        while let Node::Store(below, index, value) = *logic.terms.node(array) {
            if logic.terms.is_starred(index) {
                return None;
            }
            let hits = logic.terms.eq(index, place);
            found.push(write(hits, value, [Some(index), None], false));
            array = below;
        }
        if array != symbol {
            let (old, new) =
                (logic.terms.select(symbol, place).ok()?, logic.terms.select(array, place).ok()?);
            let (hits, value) = changes(logic, new, old)?;
            if logic.terms.is_starred(hits) {
                return None;
            }
            let ends = ends(logic, hits, place);
            found.push(write(hits, value, ends, true));
        }
        found.reverse();
        Some(found)
    }

    fn arrays(
        &self,
        logic: &mut Logic<'_>,
        trace: &mut Trace,
        (written, place): (&[usize], Term),
    ) -> Option<Arrays> {
        let ids: BTreeSet<SymbolId> = written.iter().map(|at| self.variables[*at]).collect();
        let mut arrays = Arrays { place, writes: Vec::new(), reads: Vec::new(), forms: Vec::new() };
        for variable in written {
            let begin = arrays.writes.len();
            for path in self.paths.iter().enumerate() {
                let writes = self.writes(logic, path, (*variable, place))?;
                arrays.writes.extend(writes);
            }
            for at in begin..arrays.writes.len() {
                let Write { hits, value, .. } = arrays.writes[at];
                let path = arrays.writes[at].path;
                let hits = self.without_reads(logic, (trace, &mut arrays), (path, hits), &ids);
                let value = self.without_reads(logic, (trace, &mut arrays), (path, value), &ids);
                if logic.mentions(hits, &ids) {
                    return None;
                }
                let mut there = [arrays.writes[at].start, arrays.writes[at].end];
                for end in there.iter_mut().flatten() {
                    *end = self.without_reads(logic, (trace, &mut arrays), (path, *end), &ids);
                }
                let is_known = |end: &Term| !logic.mentions(*end, &ids);
                let there = there.map(|end| end.filter(is_known));
                let write = &mut arrays.writes[at];
                (write.hits, write.value, write.there) = (hits, value, there);
                write.steady = self.steady(logic, write, place);
                write.between = self.between(logic, write, place);
                if write.steady.is_none() {
                    write.last = Some(trace.array(logic, "W", 2));
                }
            }
            let form = self.form(logic, trace, (&arrays.writes[begin..], *variable), (place, &ids));
            arrays.forms.push((*variable, form?));
        }
        self.say_reads(logic, trace, &mut arrays);
        Some(arrays)
    }

    /// n(χ), where at most one iteration hits χ: with a step d of the place in every iteration, whatever the path, the place in iteration n is s + d·n.
    fn steady(&self, logic: &mut Logic<'_>, write: &Write, place: Term) -> Option<Term> {
        let steps = self.steps(logic, write)?;
        let (start, step) = (write.start?, steps.first()?.clone());
        if step == Integer::ZERO || steps.iter().any(|other| *other != step) {
            return None;
        }
        if write.is_range {
            // All that an iteration hits is below where the next begins.
            let step = logic.terms.int(step.clone());
            let end = logic.terms.add(start, step);
            let is_below = logic.terms.lt(place, end);
            let mut given = self.problem.facts.clone();
            let guard = logic.terms.weaken(self.paths[write.path].guard);
            given.extend(logic.conjuncts(guard));
            given.retain(|part| !logic.terms.has_quantifier(*part));
            given.push(write.hits);
            if !matches!(logic.proves(&given, is_below), Ok(true)) {
                return None;
            }
        }
        let (far, size) = match step.is_negative() {
            false => (logic.terms.sub(place, start), step),
            true => (logic.terms.sub(start, place), step.neg()),
        };
        let size = logic.terms.int(size);
        Some(logic.terms.quotient(Rounding::Euclidean, far, size))
    }

    /// How far an iteration of each path moves the place of a write, if these are constants.
    fn steps(&self, logic: &mut Logic<'_>, write: &Write) -> Option<Vec<Integer>> {
        let start = write.start?;
        let free = logic.terms.free_symbols(start);
        let fresh = &self.paths[write.path].fresh;
        let is_new = |symbol: Term| logic.symbol_of(symbol).is_some_and(|id| free.contains(&id));
        if fresh.iter().any(|fresh| is_new(fresh.symbol)) {
            return None;
        }
        let mut steps = Vec::with_capacity(self.paths.len());
        for other in &self.paths {
            let store: Substitution =
                self.variables.iter().copied().zip(other.updates.iter().copied()).collect();
            let after = logic.put(start, &store);
            let step = logic.terms.sub(after, start);
            steps.push(logic.terms.as_int(step)?.clone());
        }
        Some(steps)
    }

    /// Where a write can be at all, whatever the order of iterations.
    fn between(&self, logic: &mut Logic<'_>, write: &Write, place: Term) -> Option<Term> {
        if write.steady.is_some() || write.is_range {
            return None;
        }
        let steps = self.steps(logic, write)?;
        let stretch = Stretch { path: write.path, start: write.start?, steps };
        let counters = self.counters.clone();
        Some(self.within(logic, &stretch, (place, &counters)))
    }

    /// The array after so many iterations as the counters say.
    fn form(
        &self,
        logic: &mut Logic<'_>,
        trace: &mut Trace,
        (writes, variable): (&[Write], usize),
        (place, written): (Term, &BTreeSet<SymbolId>),
    ) -> Option<Term> {
        let total = logic.terms.sum(self.counters.clone());
        let mut candidates = Vec::with_capacity(writes.len());
        for write in writes {
            let number = self.number(logic, write, (place, total))?;
            let happens = self.happens(logic, trace, write, number, total)?;
            let store = self.state_at(logic, trace, (write.path, number))?;
            let mut value = logic.put(write.value, &store);
            if logic.terms.is_starred(value) || logic.mentions(value, written) {
                // Nobody knows what was written.
                let any = trace.array(logic, "v", 2);
                let any = logic.terms.select(any, number).ok()?;
                value = logic.terms.select(any, place).ok()?;
            }
            candidates.push((number, happens, value));
        }
        let mut element = logic.terms.select(self.symbol(variable), place).ok()?;
        for (at, (number, happens, value)) in candidates.iter().enumerate() {
            let mut wins = vec![*happens];
            for (other, (theirs, happened, _)) in candidates.iter().enumerate() {
                // In one iteration there is one path, and what it writes later comes later here.
                if other == at || theirs == number {
                    continue;
                }
                let earlier = match other < at {
                    true => logic.terms.le(*theirs, *number),
                    false => logic.terms.lt(*theirs, *number),
                };
                let absent = logic.terms.not(*happened);
                wins.push(logic.terms.or([absent, earlier]));
            }
            let wins = logic.terms.and(wins);
            element = logic.terms.ite(wins, *value, element);
        }
        logic.terms.lambda(place, element).ok()
    }

    /// The last iteration before a time that may have hit an element.
    fn number(
        &self,
        logic: &mut Logic<'_>,
        write: &Write,
        (place, time): (Term, Term),
    ) -> Option<Term> {
        match (write.steady, write.last) {
            (Some(number), _) => Some(number),
            (None, Some(last)) => {
                let then = logic.terms.select(last, time).ok()?;
                logic.terms.select(then, place).ok()
            }
            (None, None) => None,
        }
    }

    /// That an iteration is one before a time that hits an element.
    fn happens(
        &self,
        logic: &mut Logic<'_>,
        trace: &Trace,
        write: &Write,
        number: Term,
        time: Term,
    ) -> Option<Term> {
        let zero = logic.terms.int(0);
        let store = self.state_at(logic, trace, (write.path, number))?;
        let hits = logic.put(write.hits, &store);
        if logic.terms.is_starred(hits) {
            return None;
        }
        let takes = self.takes(logic, trace, (write.path, number))?;
        let mut all = vec![logic.terms.le(zero, number), logic.terms.lt(number, time), takes, hits];
        all.extend(write.between);
        Some(logic.terms.and(all))
    }

    /// That an iteration that hits an element comes not after the last that does.
    pub(super) fn last_writers_at(
        &self,
        logic: &mut Logic<'_>,
        time: Term,
        counts: &[Term],
    ) -> Vec<Term> {
        let (Some(trace), Some(arrays)) = (&self.trace, &self.arrays) else { return Vec::new() };
        let mut all = Vec::new();
        for write in &arrays.writes {
            all.extend(self.last_writer_at(logic, (trace, arrays), write, (time, counts)));
        }
        all
    }

    fn last_writer_at(
        &self,
        logic: &mut Logic<'_>,
        (trace, arrays): (&Trace, &Arrays),
        write: &Write,
        (time, counts): (Term, &[Term]),
    ) -> Option<Term> {
        let last = write.last?;
        let end = logic.terms.sum(counts.to_vec());
        let store = self.state_at(logic, trace, (write.path, time))?;
        let takes = self.takes(logic, trace, (write.path, time))?;
        let place = match write.is_range {
            true => logic.terms.fresh("x", Sort::Int, Origin::default()),
            false => logic.put(write.there[0]?, &store),
        };
        let then = logic.terms.select(last, end).ok()?;
        let number = logic.terms.select(then, place).ok()?;
        let happens = self.happens(logic, trace, write, number, end)?;
        // Over the place and the counters, which are what they are here.
        let own = logic.symbol_of(arrays.place)?;
        let ids = self.counters.iter().filter_map(|counter| logic.symbol_of(*counter));
        let mut here: Substitution = ids.zip(counts.iter().copied()).collect();
        here.insert(own, place);
        let happens = logic.put(happens, &here);
        let is_later = logic.terms.le(time, number);
        let mut claim = logic.terms.and([is_later, happens]);
        if write.is_range {
            let hits = logic.put(write.hits, &store);
            let hits = logic.put(hits, &Substitution::from_iter([(own, place)]));
            let [low, high] = write.there;
            let (low, high) = (logic.put(low?, &store), logic.put(high?, &store));
            claim = logic.terms.implies(hits, claim);
            claim = logic.terms.quantify(Quantifier::Forall, place, [low, high], claim).ok()?;
        }
        Some(logic.terms.implies(takes, claim))
    }

    /// Where an array is written, if the places move by constants, and nothing else is known of it.
    pub(super) fn elements(&self, logic: &mut Logic<'_>, variable: usize) -> Option<Vec<Stretch>> {
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let mut stretches = Vec::new();
        for path in self.paths.iter().enumerate() {
            for write in self.writes(logic, path, (variable, place))? {
                if write.is_range {
                    return None;
                }
                let (start, steps) = (write.start?, self.steps(logic, &write)?);
                stretches.push(Stretch { path: write.path, start, steps });
            }
        }
        Some(stretches)
    }

    /// That a place is one where a path may have written.
    pub(super) fn within(
        &self,
        logic: &mut Logic<'_>,
        Stretch { path, start, steps }: &Stretch,
        (place, counts): (Term, &[Term]),
    ) -> Term {
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let (mut low, mut high) = (*start, *start);
        if self.counts_apart {
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
            return logic.terms.and(between);
        }
        // All iterations count as those of one path, and each may have gone the farthest.
        let total = logic.terms.sum(counts.to_vec());
        let most = logic.terms.sub(total, one);
        let least = steps.iter().filter(|step| step.is_negative()).min();
        let greatest = steps.iter().filter(|step| !step.is_negative()).max();
        if let Some(step) = least {
            low = logic.terms.add_scaled(low, most, step);
        }
        if let Some(step) = greatest {
            high = logic.terms.add_scaled(high, most, step);
        }
        let taken = logic.terms.lt(zero, total);
        let between = [taken, logic.terms.le(low, place), logic.terms.le(place, high)];
        logic.terms.and(between)
    }
}

/// When an element is another one than before, and which: a choice between the old one and others says so.
fn changes(logic: &mut Logic<'_>, new: Term, old: Term) -> Option<(Term, Term)> {
    let mut ways: Vec<(Vec<Term>, Term)> = Vec::new();
    let mut open = vec![(new, Vec::new())];
    let mut number = 0;
    while let Some((element, conditions)) = open.pop() {
        number += 1;
        if number > MAX_CHOICES {
            return None;
        }
        if element == old {
            continue;
        }
        match *logic.terms.node(element) {
            Node::Ite(when, then, otherwise) => {
                let unless = logic.terms.not(when);
                for (side, condition) in [(then, when), (otherwise, unless)] {
                    let mut conditions: Vec<Term> = conditions.clone();
                    conditions.extend(logic.conjuncts(condition));
                    open.push((side, conditions));
                }
            }
            _ => ways.push((conditions, element)),
        }
    }
    // What all ways have in common stands by itself: mostly that is where the elements are.
    let (first, _) = ways.first()?;
    let is_common = |part: &Term| ways.iter().all(|(conditions, _)| conditions.contains(part));
    let common: Vec<Term> = first.iter().copied().filter(is_common).collect();
    let mut value: Option<Term> = None;
    let mut sides = Vec::with_capacity(ways.len());
    for (mut conditions, element) in ways {
        conditions.retain(|part| !common.contains(part));
        let side = logic.terms.and(conditions);
        // One of the ways it is, so the first of them needs no condition.
        value = Some(value.map_or(element, |others| logic.terms.ite(side, element, others)));
        sides.push(side);
    }
    let mut hits = common;
    hits.push(logic.terms.or(sides));
    Some((logic.terms.and(hits), value?))
}

/// The first place for which a condition can hold, and the one behind the last.
fn ends(logic: &mut Logic<'_>, condition: Term, place: Term) -> [Option<Term>; 2] {
    let mut found = [None, None];
    let Some(id) = logic.symbol_of(place) else { return found };
    let one = logic.terms.int(1);
    for part in logic.conjuncts(condition) {
        let Node::NonPositive(below) = *logic.terms.node(part) else { continue };
        let Some((rest, slope)) = linear(logic, below, id) else { continue };
        match logic.terms.as_int(slope).and_then(Integer::to_i64) {
            Some(-1) if found[0].is_none() => found[0] = Some(rest),
            Some(1) if found[1].is_none() => found[1] = Some(logic.terms.sub(one, rest)),
            _ => {}
        }
    }
    found
}
