//! Machines whose state at entry is not known.
//!
//! There is one driver, and a finite set of numbers that it does not leave again: the constants that it is compared with and set to, or the numbers around them where it
//! moves by steps. From each of them a walk is known; the numbers in one walk share its tables: after k iterations from the state at position p a follower has changed by
//! f(p + k) - f(p), unless it was set on the way. From other numbers one way is taken until the driver is in the set, which is a number of iterations t, or for ever.

use super::sequence::{Sequence, table};
use super::{Change, Follower, Machine, Walk, along};
use crate::certificate::{Obligation, prove};
use crate::logic::Logic;
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Rounding, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A machine whose state is not known at entry may have so many states.
const MOST_ENTRIES: usize = 64;

/// And so many orders in which they come.
const MOST_WALKS: usize = 8;

/// Some of the states.
struct Known {
    walk: Walk,
    /// Those that are entered here, and their positions.
    members: BTreeMap<Integer, usize>,
}

/// Other states.
struct Outside {
    condition: Term,
    /// The way that is taken from all of them.
    way: usize,
    /// What it adds to the driver.
    step: Integer,
    /// After how many iterations the driver is which of the known states.
    arrives: Option<(Term, Term)>,
}

/// A value after a number of iterations.
struct At {
    iterations: Term,
    /// From this state.
    state: Term,
}

impl Machine<'_> {
    /// The values of everything, for any state at entry.
    pub(super) fn anywhere(
        &self,
        logic: &mut Logic<'_>,
        obligations: &mut Vec<Obligation>,
    ) -> Result<Option<Vec<Option<Term>>>, Error> {
        let [driver] = self.drivers[..] else { return Ok(None) };
        let Some((constants, steps)) = self.constants(logic, driver) else { return Ok(None) };
        let before = obligations.len();
        for set in [Some(constants.clone()), around(&constants, &steps)].into_iter().flatten() {
            obligations.truncate(before);
            if set.len() > MOST_ENTRIES {
                continue;
            }
            let Some(known) = self.known(logic, &set) else { continue };
            let set: BTreeSet<Integer> =
                known.iter().flat_map(|known| known.members.keys().cloned()).collect();
            let Some(outside) = self.outside(logic, driver, &set, obligations)? else { continue };
            obligations.extend(known.iter().map(|known| self.order(&known.walk)));
            let mut values = self.unknown(logic);
            let symbol = self.problem.variables[driver].symbol;
            let start = At { iterations: self.count, state: symbol };
            let inside = state_after(logic, &known, &start);
            values[driver] = Some(outside.iter().fold(inside, |otherwise, region| {
                let value = self.state_from(logic, &known, region, symbol);
                logic.terms.ite(region.condition, value, otherwise)
            }));
            for follower in &self.followers {
                let Some(inside) = self.follow(logic, follower, &known, &start, follower.symbol)
                else {
                    continue;
                };
                let mut value = Some(inside);
                for region in &outside {
                    let own = self.follow_from(logic, follower, &known, region, symbol);
                    let pair = value.zip(own);
                    value = pair.map(|(value, own)| logic.terms.ite(region.condition, own, value));
                }
                values[follower.variable] = value.map(|value| follower.wrapped(logic, value));
            }
            return Ok(Some(values));
        }
        Ok(None)
    }

    /// The numbers that the driver is compared with or set to, and those that are added to it; `None` if it changes in other ways.
    fn constants(
        &self,
        logic: &mut Logic<'_>,
        driver: usize,
    ) -> Option<(BTreeSet<Integer>, Vec<Integer>)> {
        let symbol = self.problem.variables[driver].symbol;
        let (mut constants, mut steps) = (BTreeSet::new(), Vec::new());
        for (path, guard) in &self.ways {
            let update = path.updates[driver];
            match logic.terms.as_int(update).cloned() {
                Some(number) => {
                    constants.insert(number);
                }
                None => steps.push(step(logic, update, symbol)?),
            }
            for part in logic.terms.post_order(*guard) {
                let (Node::NonPositive(value) | Node::Zero(value)) = *logic.terms.node(part) else {
                    continue;
                };
                let polynomial = logic.terms.polynomial(value);
                let [(_, factor)] = &polynomial.summands[..] else { return None };
                constants.insert(polynomial.constant.neg().div_floor(factor)?);
            }
        }
        Some((constants, steps))
    }

    /// Walks from these states, as far as they end.
    fn known(&self, logic: &mut Logic<'_>, set: &BTreeSet<Integer>) -> Option<Vec<Known>> {
        let mut targets: BTreeSet<Integer> = BTreeSet::new();
        for state in set {
            let (_, next) = self.next(logic, &vec![state.clone()])?;
            if next[0] != *state {
                targets.extend(next);
            }
        }
        // Those that nothing leads to come first: others are met on the way.
        let (inner, first): (Vec<&Integer>, Vec<&Integer>) =
            set.iter().partition(|state| targets.contains(state));
        let mut all: Vec<Known> = Vec::new();
        let mut met: BTreeSet<Integer> = BTreeSet::new();
        for start in first.into_iter().chain(inner) {
            if met.contains(start) {
                continue;
            }
            if all.len() == MOST_WALKS {
                return None;
            }
            // Some never come again: they are outside.
            let Some(walk) = self.walk(logic, vec![start.clone()]) else { continue };
            let mut members = BTreeMap::new();
            for (position, state) in walk.states.iter().enumerate() {
                if met.insert(state[0].clone()) {
                    members.insert(state[0].clone(), position);
                }
            }
            all.push(Known { walk, members });
        }
        Some(all)
    }

    /// What becomes of other states: of all together, or of those below and those above. `None` if that is not one thing each.
    fn outside(
        &self,
        logic: &mut Logic<'_>,
        driver: usize,
        set: &BTreeSet<Integer>,
        obligations: &mut Vec<Obligation>,
    ) -> Result<Option<Vec<Outside>>, Error> {
        let symbol = self.problem.variables[driver].symbol;
        let (Some(low), Some(high)) = (set.first().cloned(), set.last().cloned()) else {
            return Ok(None);
        };
        let is_dense = high.sub(&low).to_usize() == Some(set.len() - 1);
        let member = member(logic, symbol, set.iter());
        let other = logic.terms.not(member);
        let before = obligations.len();
        if let Some(found) = self.region(logic, driver, other, None, set, obligations)? {
            return Ok(Some(found.into_iter().collect()));
        }
        obligations.truncate(before);
        if !is_dense {
            return Ok(None);
        }
        let mut regions = Vec::new();
        for (edge, is_below) in [(low, true), (high, false)] {
            let edge = logic.terms.int(edge);
            let condition = match is_below {
                true => logic.terms.lt(symbol, edge),
                false => logic.terms.lt(edge, symbol),
            };
            let edge = Some((edge, is_below));
            match self.region(logic, driver, condition, edge, set, obligations)? {
                Some(region) => regions.extend(region),
                None => return Ok(None),
            }
        }
        Ok(Some(regions))
    }

    /// One kind of other states, if there are some; `None` if that is not known. They are left only over an edge of the set, if there is one.
    fn region(
        &self,
        logic: &mut Logic<'_>,
        driver: usize,
        condition: Term,
        edge: Option<(Term, bool)>,
        set: &BTreeSet<Integer>,
        obligations: &mut Vec<Obligation>,
    ) -> Result<Option<Option<Outside>>, Error> {
        let symbol = self.problem.variables[driver].symbol;
        let given: Vec<Term> = self.problem.facts.iter().copied().chain([condition]).collect();
        let mut ways = Vec::new();
        for (way, (_, guard)) in self.ways.iter().enumerate() {
            let never = logic.terms.not(*guard);
            let name = "a way is not taken from other states";
            if prove(logic, obligations, name, &given, never)?.is_err() {
                ways.push(way);
            }
            if ways.len() > 1 {
                return Ok(None);
            }
        }
        let Some(way) = ways.pop() else { return Ok(Some(None)) };
        let (path, guard) = self.ways[way];
        let name = "this way is taken from all other states";
        if prove(logic, obligations, name, &given, guard)?.is_err() {
            return Ok(None);
        }
        let update = path.updates[driver];
        if let Some(constant) = logic.terms.as_int(update).cloned() {
            // Where it leads to others of these states, a walk from there is not known.
            let arrives = Some((logic.terms.int(1), update)).filter(|_| set.contains(&constant));
            let region = Outside { condition, way, step: Integer::ZERO, arrives };
            return Ok(arrives.is_some().then_some(Some(region)));
        }
        let Some(step) = step(logic, update, symbol) else { return Ok(None) };
        if step.is_zero() {
            return Ok(Some(Some(Outside { condition, way, step, arrives: None })));
        }
        // Nobody steps over the set.
        let length = if step.is_negative() { step.neg() } else { step.clone() };
        let Some((edge, is_below)) = edge else { return Ok(None) };
        if length > Integer::from(set.len()) {
            return Ok(None);
        }
        let amount = logic.terms.int(step.clone());
        let plain = logic.terms.add(symbol, amount);
        let same = logic.terms.eq(plain, update);
        let name = "other states change by a step";
        if prove(logic, obligations, name, &given, same)?.is_err() {
            return Ok(None);
        }
        let towards = is_below != step.is_negative();
        let arrives = towards.then(|| {
            // The least t with s + t·step on the other side of the edge.
            let away = match is_below {
                true => logic.terms.sub(edge, symbol),
                false => logic.terms.sub(symbol, edge),
            };
            let more = logic.terms.int(length.sub(&Integer::ONE));
            let (away, length) = (logic.terms.add(away, more), logic.terms.int(length.clone()));
            let times = logic.terms.quotient(Rounding::Euclidean, away, length);
            let state = logic.terms.add_scaled(symbol, times, &step);
            (times, state)
        });
        Ok(Some(Some(Outside { condition, way, step, arrives })))
    }

    /// The state after all iterations, from other states.
    fn state_from(
        &self,
        logic: &mut Logic<'_>,
        known: &[Known],
        region: &Outside,
        symbol: Term,
    ) -> Term {
        let before = logic.terms.add_scaled(symbol, self.count, &region.step);
        let Some((times, state)) = region.arrives else { return before };
        let iterations = logic.terms.sub(self.count, times);
        let after = state_after(logic, known, &At { iterations, state });
        let has_arrived = logic.terms.le(times, self.count);
        logic.terms.ite(has_arrived, after, before)
    }

    /// The value of a follower after some iterations, from one of the known states; before it is wrapped.
    fn follow(
        &self,
        logic: &mut Logic<'_>,
        follower: &Follower,
        known: &[Known],
        at: &At,
        value: Term,
    ) -> Option<Term> {
        by_walk(logic, known, at.state, |logic, known| {
            let changes = self.changes(logic, follower, &known.walk)?;
            let (position, after) = positions(logic, known, at);
            let zero = logic.terms.int(0);
            let added: Vec<Change> = changes
                .iter()
                .map(|change| match change {
                    Change::Add(step) => Change::Add(*step),
                    Change::Set(_) => Change::Add(zero),
                })
                .collect();
            let sums = along(logic, &known.walk, &added, zero);
            let (since, now) = (sums.at(logic, position), sums.at(logic, after));
            let change = logic.terms.sub(now, since);
            let plain = logic.terms.add(value, change);
            // Whoever is set on the way is what the walk has made of it since.
            let next: Vec<Option<usize>> = known
                .members
                .values()
                .map(|position| next_set(&known.walk, &changes, *position))
                .collect();
            if next.iter().all(Option::is_none) {
                return Some(plain);
            }
            let set = along(logic, &known.walk, &changes, zero).at(logic, after);
            let entries = known.members.keys().zip(next);
            let entries: Vec<(Integer, Term)> = entries
                .map(|(state, next)| {
                    let next = next.map_or(Integer::from(-1), Integer::from);
                    (state.clone(), logic.terms.int(next))
                })
                .collect();
            let next = table(logic.terms, at.state, &entries);
            let (is_ahead, is_done) =
                (logic.terms.le(zero, next), logic.terms.le(next, at.iterations));
            let is_set = logic.terms.and([is_ahead, is_done]);
            Some(logic.terms.ite(is_set, set, plain))
        })
    }

    /// The same from other states.
    fn follow_from(
        &self,
        logic: &mut Logic<'_>,
        follower: &Follower,
        known: &[Known],
        region: &Outside,
        driver: Term,
    ) -> Option<Term> {
        // A state that stays may be what is added.
        let (stays, id) = (region.step.is_zero(), logic.symbol_of(driver)?);
        let stand_in = match stays {
            true => {
                let sort = logic.terms.sort(driver);
                let stand_in = logic.terms.fresh("s", sort, loupe_term::Origin::default());
                Substitution::from_iter([(id, stand_in)])
            }
            false => Substitution::default(),
        };
        let change = self.change(logic, follower, region.way, &stand_in)?;
        let back: Substitution = match stand_in.get(&id) {
            Some(stand_in) => [(logic.symbol_of(*stand_in)?, driver)].into_iter().collect(),
            None => Substitution::default(),
        };
        let after = |logic: &mut Logic<'_>, times: Term| match change {
            Change::Add(step) => {
                let step = logic.put(step, &back);
                let sum = logic.terms.mul(step, times);
                logic.terms.add(follower.symbol, sum)
            }
            Change::Set(value) => {
                let value = logic.put(value, &back);
                let one = logic.terms.int(1);
                let begun = logic.terms.le(one, times);
                logic.terms.ite(begun, value, follower.symbol)
            }
        };
        let before = after(logic, self.count);
        let Some((times, state)) = region.arrives else { return Some(before) };
        let arrived = after(logic, times);
        let iterations = logic.terms.sub(self.count, times);
        let later = self.follow(logic, follower, known, &At { iterations, state }, arrived)?;
        let has_arrived = logic.terms.le(times, self.count);
        Some(logic.terms.ite(has_arrived, later, before))
    }
}

/// What an update adds to a driver.
fn step(logic: &mut Logic<'_>, update: Term, symbol: Term) -> Option<Integer> {
    let update = match *logic.terms.node(update) {
        Node::Wrap(_, inner) => inner,
        _ => update,
    };
    let step = logic.terms.sub(update, symbol);
    logic.terms.as_int(step).cloned()
}

/// The numbers around some constants that steps lead to.
fn around(constants: &BTreeSet<Integer>, steps: &[Integer]) -> Option<BTreeSet<Integer>> {
    let (mut low, mut high) = (constants.first()?.clone(), constants.last()?.clone());
    let down = steps.iter().min().filter(|step| step.is_negative());
    let up = steps.iter().max().filter(|step| !step.is_negative());
    low = low.add(down.unwrap_or(&Integer::ZERO));
    high = high.add(up.unwrap_or(&Integer::ZERO));
    let size = high.sub(&low).to_usize().filter(|size| *size < MOST_ENTRIES)?;
    Some((0..=size).map(|at| low.add(&Integer::from(at))).collect())
}

/// That a number is one of these.
fn member<'s>(
    logic: &mut Logic<'_>,
    symbol: Term,
    states: impl Iterator<Item = &'s Integer>,
) -> Term {
    // Runs of states are ranges.
    let mut runs: Vec<(Integer, Integer)> = Vec::new();
    for state in states {
        match runs.last_mut() {
            Some((_, last)) if last.add(&Integer::ONE) == *state => *last = state.clone(),
            _ => runs.push((state.clone(), state.clone())),
        }
    }
    let mut parts = Vec::new();
    for (first, last) in runs {
        let (first, last) = (logic.terms.int(first), logic.terms.int(last));
        let (from, to) = (logic.terms.le(first, symbol), logic.terms.le(symbol, last));
        parts.push(logic.terms.and([from, to]));
    }
    logic.terms.or(parts)
}

/// The position of a state in its walk, and that after some iterations.
fn positions(logic: &mut Logic<'_>, known: &Known, at: &At) -> (Term, Term) {
    let entries: Vec<(Integer, Term)> = known
        .members
        .iter()
        .map(|(state, position)| (state.clone(), logic.terms.int(*position)))
        .collect();
    let position = table(logic.terms, at.state, &entries);
    (position, logic.terms.add(position, at.iterations))
}

/// Something that is said for each walk, chosen by the one that a state is in.
fn by_walk(
    logic: &mut Logic<'_>,
    known: &[Known],
    state: Term,
    mut value: impl FnMut(&mut Logic<'_>, &Known) -> Option<Term>,
) -> Option<Term> {
    let (last, others) = known.split_last()?;
    let mut result = value(logic, last)?;
    for known in others.iter().rev() {
        let own = value(logic, known)?;
        let is_here = member(logic, state, known.members.keys());
        result = logic.terms.ite(is_here, own, result);
    }
    Some(result)
}

/// The state after some iterations from one of the known states.
fn state_after(logic: &mut Logic<'_>, known: &[Known], at: &At) -> Term {
    let after = by_walk(logic, known, at.state, |logic, known| {
        let (_, after) = positions(logic, known, at);
        let states: Sequence = known.walk.driver(logic, 0);
        Some(states.at(logic, after))
    });
    after.unwrap_or(at.state)
}

/// After how many iterations from a position something has been set.
fn next_set(walk: &Walk, changes: &[Change], position: usize) -> Option<usize> {
    let ahead = (0..walk.states.len())
        .find(|ahead| matches!(changes[walk.position(position + ahead)], Change::Set(_)));
    ahead.map(|ahead| ahead + 1)
}
