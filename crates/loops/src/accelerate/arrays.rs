//! Arrays that iterations write.
//!
//! An iteration writes at indices that move by the same constant step c ≠ 0 in each of them. So the element χ is written by a write that starts at w in iteration
//! τ = (χ - w)/c, if that is a whole number from 0 to k - 1, and by no other of its iterations; among several writes the latest iteration wins, and in one iteration the later
//! write. The array after k iterations is a λ of χ with the value that was written then, in closed form, or the old element.
//!
//! A loop inside writes a *window*: all elements of a range whose start moves by c > 0, if windows do not meet. Then χ is in the window of iteration τ = ⌊(χ - w)/c⌋ or in none.
//!
//! What is written may depend on elements. An element that no earlier iteration has written is the old one; one that the iteration before has written is a number that is carried from
//! iteration to iteration, and gets a variable of its own. This is how forms are guessed. That one is right is proved as an induction: one iteration after k, whose guard holds, leads to the
//! form for k + 1, at every χ, and where it did not show whether an element that is read was written before, it was not. So a form says what the array is after k iterations *that are possible*, and nobody asks for others: conditions of cases say that the guard holds in all of
//! them, and of an element that a guard reads they say so with the form for the iterations before it.

use super::Body;
use crate::logic::Logic;
use crate::step::Steps;
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::recurrence::{Solution, Solutions};
use loupe_term::{Node, Origin, Rounding, Sort, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// So many writes of one array may be in one iteration.
const MOST_WRITES: usize = 8;

/// Why an array has no closed form.
type WhyNot = String;

/// The arrays that a body changes.
pub(super) struct Arrays {
    /// The writes of each, in their order.
    writes: BTreeMap<Term, Vec<Write>>,
    /// Elements that the iteration before has written, as numbers of their own.
    carried: Vec<Carried>,
    /// Elements that iterations read and that no earlier one seems to have written.
    presumed: BTreeSet<Term>,
}

/// Something that is written in every iteration.
#[derive(Clone)]
struct Write {
    index: Term,
    step: Integer,
    value: Term,
    /// Where more than one element is written: the start of the range is the index.
    window: Option<Window>,
}

/// Elements that are written together: those for which a condition holds, with a value, both over this symbol of the index.
#[derive(Clone, Copy)]
struct Window {
    place: Term,
    condition: Term,
}

/// An element that an iteration reads and the one before has written.
struct Carried {
    /// The element, over the values at the header.
    read: Term,
    symbol: Term,
    /// What is written for the next iteration.
    next: Term,
}

impl Arrays {
    pub(super) fn of(logic: &mut Logic<'_>, steps: &Steps, body: &Body) -> Result<Self, WhyNot> {
        let mut arrays =
            Arrays { writes: BTreeMap::new(), carried: Vec::new(), presumed: BTreeSet::new() };
        let pairs = steps.symbols.iter().zip(&body.updates);
        for (symbol, update) in pairs.filter(|(symbol, update)| symbol != update) {
            if logic.terms.sort(*symbol) != Sort::Int {
                let writes = writes(logic, steps, body, *symbol, *update)?;
                arrays.writes.insert(*symbol, writes);
            }
        }
        if arrays.writes.is_empty() {
            return Ok(arrays);
        }
        // What is read of them, where it becomes a number.
        let mut reads: BTreeSet<Term> = BTreeSet::new();
        let values = arrays.writes.values().flatten();
        let values = values.flat_map(|write| {
            [Some(write.value), write.window.map(|window| window.condition)].into_iter().flatten()
        });
        let numbers = steps.symbols.iter().zip(&body.updates);
        let numbers = numbers.filter(|(symbol, _)| !arrays.contains(**symbol));
        for term in values.chain(numbers.map(|(_, update)| *update)) {
            for part in logic.terms.post_order(term) {
                match *logic.terms.node(part) {
                    Node::Select(array, _) if arrays.contains(array) => {
                        reads.insert(part);
                    }
                    Node::Select(array, _) if arrays.is_changed(logic, array) => {
                        return Err("an element is read in the iteration that writes it".into());
                    }
                    _ => {}
                }
            }
        }
        for read in reads {
            arrays.carry(logic, steps, body, read)?;
        }
        Ok(arrays)
    }

    pub(super) fn contains(&self, symbol: Term) -> bool {
        self.writes.contains_key(&symbol)
    }

    fn is_changed(&self, logic: &Logic<'_>, array: Term) -> bool {
        let free = logic.terms.free_symbols(array);
        self.writes.keys().any(|own| logic.symbol_of(*own).is_some_and(|own| free.contains(&own)))
    }

    /// Looks at an element that an iteration reads: it is an old one, or carried.
    fn carry(
        &mut self,
        logic: &mut Logic<'_>,
        steps: &Steps,
        body: &Body,
        read: Term,
    ) -> Result<(), WhyNot> {
        let Node::Select(array, index) = *logic.terms.node(read) else { return Ok(()) };
        let Some(step) = step_of(logic, steps, body, index) else {
            return Err("an element is read at an index that does not move by a constant".into());
        };
        let mut last: Option<Term> = None;
        if self.writes[&array].iter().any(|write| write.window.is_some()) {
            return Err("an array is read of which a loop inside writes a part".into());
        }
        for write in &self.writes[&array] {
            // It was written so many iterations ago: ago · c = w - r.
            let distance = logic.terms.sub(write.index, index);
            let distance = logic.terms.as_int(distance).cloned();
            let Some(distance) = distance.filter(|_| step == write.step) else {
                self.presumed.insert(read);
                continue;
            };
            let whole = distance.rem_euclidean(&step).is_some_and(|rest| rest.is_zero());
            let ago = match step.is_negative() {
                true => distance.neg().div_floor(&step.neg()),
                false => distance.div_floor(&step),
            };
            match ago {
                Some(ago) if whole && ago == Integer::ONE => last = Some(write.value),
                Some(ago) if whole && ago > Integer::ONE => {
                    return Err("an element is read that was written long before".into());
                }
                _ => {}
            }
        }
        let Some(next) = last else { return Ok(()) };
        let symbol = logic.terms.fresh("carried", Sort::Int, Origin::default());
        self.carried.push(Carried { read, symbol, next });
        Ok(())
    }

    /// A term in which carried elements are numbers.
    fn rewritten(&self, logic: &mut Logic<'_>, term: Term) -> Term {
        self.carried
            .iter()
            .fold(term, |term, own| logic.terms.replace_part(term, own.read, own.symbol))
    }

    /// The updates of all numbers.
    pub(super) fn numbers(
        &self,
        logic: &mut Logic<'_>,
        steps: &Steps,
        body: &Body,
    ) -> Vec<(Term, Term)> {
        let pairs = steps.symbols.iter().zip(&body.updates);
        let mut updates: Vec<(Term, Term)> = pairs
            .filter(|(symbol, _)| !self.contains(**symbol))
            .map(|(symbol, update)| (*symbol, self.rewritten(logic, *update)))
            .collect();
        for own in &self.carried {
            updates.push((own.symbol, self.rewritten(logic, own.next)));
        }
        updates
    }

    /// An array after so many iterations, if that is proved.
    pub(super) fn closed(
        &self,
        logic: &mut Logic<'_>,
        steps: &Steps,
        body: &Body,
        (count, symbol): (Term, Term),
        solutions: &Solutions,
    ) -> Result<Result<Term, WhyNot>, Error> {
        let form = match self.guess(logic, (count, symbol), solutions) {
            Ok(form) => form,
            Err(why) => return Ok(Err(why)),
        };
        // One iteration more, from what it says for all arrays and numbers after k.
        let mut at = Substitution::default();
        for other in &steps.symbols {
            let value = match self.contains(*other) {
                true => match self.guess(logic, (count, *other), solutions) {
                    Ok(form) => form,
                    Err(why) => return Ok(Err(why)),
                },
                false => match solutions.get(logic.terms, *other).map(Solution::proved) {
                    Some(Some(form)) => form.value(),
                    // What is assumed of the guard must be true of the iteration.
                    Some(None) => return Ok(Err("a number has no closed form".into())),
                    None => *other,
                },
            };
            at.extend(logic.symbol_of(*other).map(|id| (id, value)));
        }
        let position = steps.symbols.iter().position(|own| *own == symbol);
        let Some(update) = position.map(|at| body.updates[at]) else {
            return Ok(Err("it is no variable".into()));
        };
        let then = logic.put(update, &at);
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let more = logic.terms.add(count, one);
        let id = logic.symbol_of(count);
        let next: Substitution = id.into_iter().map(|id| (id, more)).collect();
        let next = logic.put(form, &next);
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let (Ok(left), Ok(right)) =
            (logic.terms.select(then, place), logic.terms.select(next, place))
        else {
            return Ok(Err("it has several dimensions".into()));
        };
        let mut given = vec![logic.terms.le(zero, count)];
        given.extend(&steps.facts);
        for literal in &body.guard {
            if !self.is_changed(logic, *literal) {
                given.push(logic.put(*literal, &at));
            }
        }
        let start: Substitution = id.into_iter().map(|id| (id, zero)).collect();
        let start = logic.put(form, &start);
        let (Ok(first), Ok(old)) =
            (logic.terms.select(start, place), logic.terms.select(symbol, place))
        else {
            return Ok(Err("it has several dimensions".into()));
        };
        let mut pairs = vec![(first, old), (left, right)];
        for read in self.presumed.iter().copied() {
            let Node::Select(array, index) = *logic.terms.node(read) else { continue };
            if array == symbol {
                let (now, index) = (logic.put(read, &at), logic.put(index, &at));
                let Ok(old) = logic.terms.select(array, index) else {
                    return Ok(Err("it has several dimensions".into()));
                };
                pairs.push((now, old));
            }
        }
        for (one, other) in pairs {
            let same = logic.terms.eq(one, other);
            if !logic.proves(&given, same)? {
                return Ok(Err("what iterations leave in it was not proved".into()));
            }
        }
        Ok(Ok(form))
    }

    fn guess(
        &self,
        logic: &mut Logic<'_>,
        (count, symbol): (Term, Term),
        solutions: &Solutions,
    ) -> Result<Term, WhyNot> {
        let misuse = |_| WhyNot::from("it has several dimensions");
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let mut result = logic.terms.select(symbol, place).map_err(misuse)?;
        let writes = &self.writes[&symbol];
        let Some(first) = writes.first() else { return Ok(symbol) };
        // The write that comes last to an element wins: it is the one that starts behind the others, and in one iteration the last. Where it does not show which
        // one starts behind, they may never meet.
        let mut order: Vec<(Integer, usize)> = Vec::new();
        for (number, write) in writes.iter().enumerate() {
            let behind = logic.terms.sub(write.index, first.index);
            let behind = logic.terms.as_int(behind).cloned();
            let behind = behind.filter(|_| write.step == first.step).unwrap_or(Integer::ZERO);
            order.push((if write.step.is_negative() { behind } else { behind.neg() }, number));
        }
        order.sort();
        for (_, number) in order {
            let write = &writes[number];
            let (condition, iteration) = meeting(logic, write, place, count);
            let mut value = self.rewritten(logic, write.value);
            let mut within = logic.terms.bool(true);
            if let Some(window) = write.window {
                let here: Substitution =
                    logic.symbol_of(window.place).into_iter().map(|id| (id, place)).collect();
                value = logic.put(value, &here);
                within = logic.put(window.condition, &here);
            }
            let mut at = Substitution::default();
            let mut free = logic.terms.free_symbols(value);
            free.extend(logic.terms.free_symbols(within));
            for id in free {
                let own = logic.terms.symbol_term(id);
                if let Some(solution) = solutions.get(logic.terms, own) {
                    let Some(form) = solution.proved() else {
                        return Err(format!("{} has none", logic.terms.symbol(id).name));
                    };
                    let value = form.after(logic.terms, iteration);
                    at.insert(id, self.entered(logic, value));
                }
            }
            let value = logic.put(value, &at);
            let within = logic.put(within, &at);
            let condition = logic.terms.and([condition, within]);
            result = logic.terms.ite(condition, value, result);
        }
        logic.terms.lambda(place, result).map_err(misuse)
    }

    /// Carried elements were there at entry.
    pub(super) fn entered(&self, logic: &mut Logic<'_>, value: Term) -> Term {
        let ids =
            self.carried.iter().filter_map(|own| Some((logic.symbol_of(own.symbol)?, own.read)));
        let back: Substitution = ids.collect();
        logic.put(value, &back)
    }
}

/// When a write meets a place within so many iterations, and in which.
fn meeting(logic: &mut Logic<'_>, write: &Write, place: Term, count: Term) -> (Term, Term) {
    let terms = &mut *logic.terms;
    if write.window.is_some() {
        let way = terms.sub(place, write.index);
        let size = terms.int(write.step.clone());
        let end = terms.add_scaled(write.index, count, &write.step);
        let (from, to) = (terms.le(write.index, place), terms.lt(place, end));
        let iteration = terms.quotient(Rounding::Euclidean, way, size);
        return (terms.and([from, to]), iteration);
    }
    let one = terms.int(1);
    let last = terms.sub(count, one);
    let last = terms.add_scaled(write.index, last, &write.step);
    let (low, high) = match write.step.is_negative() {
        true => (last, write.index),
        false => (write.index, last),
    };
    let length = if write.step.is_negative() { write.step.neg() } else { write.step.clone() };
    let way = match write.step.is_negative() {
        true => terms.sub(write.index, place),
        false => terms.sub(place, write.index),
    };
    let (from, to) = (terms.le(low, place), terms.le(place, high));
    if length == Integer::ONE {
        return (terms.and([from, to]), way);
    }
    let whole = terms.divides(&length, way);
    let size = terms.int(length);
    let iteration = terms.quotient(Rounding::Euclidean, way, size);
    (terms.and([from, to, whole]), iteration)
}

/// What an update writes to an array, from the first write to the last.
fn writes(
    logic: &mut Logic<'_>,
    steps: &Steps,
    body: &Body,
    symbol: Term,
    update: Term,
) -> Result<Vec<Write>, WhyNot> {
    let mut found = Vec::new();
    let mut array = update;
    while let Node::Store(inner, index, value) = *logic.terms.node(array) {
        let Some(step) = step_of(logic, steps, body, index).filter(|step| !step.is_zero()) else {
            return Err("an array is written at an index that does not move by a constant".into());
        };
        found.push(Write { index, step, value, window: None });
        array = inner;
        if found.len() > MOST_WRITES {
            return Err("an array is written too often".into());
        }
    }
    if array != symbol {
        let window =
            if found.is_empty() { window(logic, steps, body, symbol, array) } else { None };
        found.push(window.ok_or("an array becomes another one")?);
    }
    found.reverse();
    Ok(found)
}

/// What a loop inside writes, if that is a range that moves.
fn window(
    logic: &mut Logic<'_>,
    steps: &Steps,
    body: &Body,
    symbol: Term,
    array: Term,
) -> Option<Write> {
    let Node::Lambda(binder, written) = *logic.terms.node(array) else { return None };
    let place = logic.terms.fresh("x", Sort::Int, Origin::default());
    let written = logic.terms.instantiate(binder, written, place);
    let Node::Ite(condition, value, otherwise) = *logic.terms.node(written) else { return None };
    if logic.terms.select(symbol, place).ok()? != otherwise {
        return None;
    }
    for part in logic.conjuncts(condition) {
        // The start of the range: start - x ≤ 0.
        let Node::NonPositive(below) = *logic.terms.node(part) else { continue };
        let start = logic.terms.add(below, place);
        let is_start = !logic.terms.free_symbols(start).contains(&logic.symbol_of(place)?);
        if let Some(step) = step_of(logic, steps, body, start)
            && is_start
            && step > Integer::ZERO
        {
            let window = Some(Window { place, condition });
            return Some(Write { index: start, step, value, window });
        }
    }
    None
}

/// By how much an index moves in an iteration, if that is always the same.
fn step_of(logic: &mut Logic<'_>, steps: &Steps, body: &Body, index: Term) -> Option<Integer> {
    let after = logic.put(index, &steps.store(&body.updates));
    let step = logic.terms.sub(after, index);
    logic.terms.as_int(step).cloned()
}
