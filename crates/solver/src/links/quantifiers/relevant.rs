//! The instances of `∀` that matter, and models that are completed between them.
//!
//! What a bounded `∀` says of arrays is mostly decided where the rest of the query looks at them: at the indices that occur, moved so that the
//! body reads there, and at both ends of the range. (For the array property fragment of Bradley, Manna and Sipma, *What's decidable
//! about arrays?*, 2006, these are all that is needed; here nothing rests on it that a query is in the fragment.) So
//!
//! - a query with these instances in place of each `∀` is weaker: if it is unsatisfiable, so is the query;
//! - a model of it says what elements are at these indices. Between them each element becomes what it is at the next smaller instance. Whether the
//!   query holds then is *evaluated*. Where it does not, the first value for which a body fails is an instance more.
//!
//! Short ranges come first: `∀` over a few values is soon a conjunction, and a model with few iterations is what people want to see.

use super::{Inner, number_of};
use crate::answer::{self, Answer, Error, Evaluated, Evidence, Model, Query};
use crate::limits::Limits;
use loupe_integer::Integer;
use loupe_term::{
    ArrayValue, Assignment, Binder, Node, Origin, Quantifier, Sort, SymbolId, Term, Terms, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// Of each `∀` there are no more instances than these.
const MAX_INSTANCES: usize = 40;
/// Of all of them together.
const MAX_IN_ALL: usize = 400;
/// A range that counts as short.
const SHORT: i64 = 24;
/// Longer ranges are not completed.
const MAX_COMPLETED: i64 = 4_096;
/// In so many values the one is looked for that a body does not hold for.
const MAX_SOUGHT: i64 = 300;
/// So many arrays below others are looked at.
const MAX_LAYERS: usize = 16;
/// Quantifiers nested deeper are left as they are.
const MAX_DEPTH: usize = 64;

/// A `∀` that was met.
#[derive(Clone)]
struct Universal {
    binder: Binder,
    low: Term,
    high: Term,
    body: Term,
    /// The assertion that it is in.
    assertion: usize,
    /// Values of its variable.
    instances: Vec<Term>,
    /// What its body reads.
    reads: Vec<Read>,
}

/// An element that a body reads: of this array, at `start + step·τ`.
#[derive(Clone, Copy)]
struct Read {
    array: Term,
    start: Term,
    step: i64,
}

/// The search for an answer.
#[derive(Default)]
struct Search {
    witnesses: FxHashMap<Term, Term>,
    universals: Vec<Universal>,
    known: FxHashMap<Term, usize>,
    count: usize,
}

/// How long ranges may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ranges {
    All,
    Short,
}

/// The answer, if relevant instances tell.
pub(super) fn decide(
    inner: &mut Inner<'_>,
    terms: &mut Terms,
    query: &Query<'_>,
    limits: &Limits,
) -> Result<Option<Answer>, Error> {
    let start = Instant::now();
    let mut search = Search::default();
    for (ranges, rounds) in [(Ranges::All, 2), (Ranges::Short, 12), (Ranges::All, 4)] {
        match search.attempt(
            inner,
            terms,
            query,
            &limits.after(start.elapsed()),
            (ranges, rounds),
        )? {
            Tried::Answer(answer) => return Ok(Some(answer)),
            Tried::NoAnswer => return Ok(None),
            Tried::Open => {}
        }
    }
    Ok(None)
}

/// What came of an attempt.
enum Tried {
    Answer(Answer),
    /// The solver knows nothing of conjunctions of instances.
    NoAnswer,
    Open,
}

impl Search {
    fn attempt(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
        limits: &Limits,
        (ranges, rounds): (Ranges, usize),
    ) -> Result<Tried, Error> {
        for _ in 0..rounds {
            let mut asked = self.instantiated(terms, query.assertions);
            if self.add_where_others_read(terms, &asked) {
                asked = self.instantiated(terms, query.assertions);
            }
            if ranges == Ranges::Short {
                for universal in &self.universals {
                    let (length, most) =
                        (terms.sub(universal.high, universal.low), terms.int(SHORT));
                    if terms.is_closed(length) {
                        asked.push(terms.le(length, most));
                    }
                }
            }
            let model = match inner.check(terms, &Query { assertions: &asked, limits })? {
                // Each assertion is weakened by itself, so positions are positions.
                Answer::Unsat(core) if ranges == Ranges::All => {
                    return Ok(Tried::Answer(Answer::Unsat(core)));
                }
                Answer::Unsat(_) => return Ok(Tried::Open),
                Answer::Unknown(_) => return Ok(Tried::NoAnswer),
                Answer::Sat(model) => model,
            };
            let mut values = model.values;
            self.complete(terms, &asked, &mut values);
            if let Evaluated::True = answer::evaluate(terms, query.assertions, &values) {
                let evidence = Evidence::Evaluated;
                return Ok(Tried::Answer(Answer::Sat(Model { values, evidence })));
            }
            if !self.add_where_it_fails(terms, query.assertions, &values) {
                return Ok(Tried::Open);
            }
        }
        Ok(Tried::Open)
    }

    /// The assertions with instances in place of quantifiers.
    fn instantiated(&mut self, terms: &mut Terms, assertions: &[Term]) -> Vec<Term> {
        let assertions = assertions.iter().enumerate();
        assertions.map(|(at, assertion)| self.replaced(terms, *assertion, (at, 0))).collect()
    }

    fn replaced(&mut self, terms: &mut Terms, formula: Term, at: (usize, usize)) -> Term {
        let (assertion, depth) = at;
        if !terms.has_quantifier(formula) || depth > MAX_DEPTH {
            return formula;
        }
        match terms.node(formula).clone() {
            Node::And(parts) => {
                let below = (assertion, depth + 1);
                let parts: Vec<Term> =
                    parts.iter().map(|part| self.replaced(terms, *part, below)).collect();
                terms.and(parts)
            }
            Node::Or(parts) => {
                let below = (assertion, depth + 1);
                let parts: Vec<Term> =
                    parts.iter().map(|part| self.replaced(terms, *part, below)).collect();
                terms.or(parts)
            }
            Node::Quantified(Quantifier::Exists, binder, [low, high, body]) => {
                let witness = *self.witnesses.entry(formula).or_insert_with(|| {
                    let origin =
                        Origin { description: "some value in a range".into(), counted: None };
                    terms.fresh("some", Sort::Int, origin)
                });
                let (above, below) = (terms.le(low, witness), terms.lt(witness, high));
                let body = terms.instantiate(binder, body, witness);
                let body = self.replaced(terms, body, (assertion, depth + 1));
                terms.and([above, below, body])
            }
            Node::Quantified(Quantifier::Forall, binder, [low, high, body]) => {
                let number = match self.known.get(&formula) {
                    Some(number) => *number,
                    None => {
                        let one = terms.int(1);
                        let last = terms.sub(high, one);
                        let reads = reads(terms, binder, body);
                        let instances = if low == last { vec![low] } else { vec![low, last] };
                        self.count += instances.len();
                        let number = self.universals.len();
                        let what =
                            Universal { binder, low, high, body, assertion, instances, reads };
                        self.universals.push(what);
                        self.known.insert(formula, number);
                        number
                    }
                };
                let mut parts = Vec::new();
                for value in self.universals[number].instances.clone() {
                    let (before, behind) = (terms.lt(value, low), terms.le(high, value));
                    let body = terms.instantiate(binder, body, value);
                    let body = self.replaced(terms, body, (assertion, depth + 1));
                    parts.push(terms.or([before, behind, body]));
                }
                terms.and(parts)
            }
            _ => formula,
        }
    }

    /// Adds an instance, to all that have the same range: what is said of the same elements must be completed alike.
    fn add(&mut self, number: usize, value: Term) -> bool {
        let (low, high) = (self.universals[number].low, self.universals[number].high);
        let mut any = false;
        for universal in &mut self.universals {
            let is_alike = (universal.low, universal.high) == (low, high);
            if is_alike
                && self.count < MAX_IN_ALL
                && universal.instances.len() < MAX_INSTANCES
                && !universal.instances.contains(&value)
            {
                universal.instances.push(value);
                self.count += 1;
                any = true;
            }
        }
        any
    }

    /// Adds instances for which a body reads what is read elsewhere.
    fn add_where_others_read(&mut self, terms: &mut Terms, asked: &[Term]) -> bool {
        let places = places(terms, asked);
        let mut any = false;
        for number in 0..self.universals.len() {
            for read in self.universals[number].reads.clone() {
                for (_, index) in places.iter().filter(|(array, _)| *array == read.array) {
                    let value = match read.step {
                        1 => terms.sub(*index, read.start),
                        -1 => terms.sub(read.start, *index),
                        _ => continue,
                    };
                    if terms.is_closed(value) {
                        any |= self.add(number, value);
                    }
                }
            }
        }
        any
    }

    /// Adds the first instance of each `∀` that does not hold; whether there is one.
    fn add_where_it_fails(
        &mut self,
        terms: &mut Terms,
        assertions: &[Term],
        values: &Assignment,
    ) -> bool {
        // Each by itself: where one is false, nobody computes the others.
        let truths: Vec<bool> =
            assertions.iter().map(|part| terms.holds(*part, values) == Ok(true)).collect();
        let mut any = false;
        for number in 0..self.universals.len() {
            let Universal { binder, low, high, body, assertion, .. } = self.universals[number];
            if truths[assertion] {
                continue;
            }
            let (Some(first), Some(end)) =
                (number_of(terms, low, values), number_of(terms, high, values))
            else {
                continue;
            };
            let Some(length) = end.sub(&first).to_i64() else { continue };
            for offset in 0..length.min(MAX_SOUGHT) {
                let value = terms.int(first.add(&Integer::from(offset)));
                let instance = terms.instantiate(binder, body, value);
                if terms.holds(instance, values) != Ok(false) {
                    continue;
                }
                // The same place in ranges that begin or end elsewhere.
                let from_low = terms.int(offset);
                let from_low = terms.add(low, from_low);
                let from_high = terms.int(length - offset);
                let from_high = terms.sub(high, from_high);
                let near = if offset <= length / 2 { from_low } else { from_high };
                any |= self.add(number, near);
                break;
            }
        }
        any
    }

    /// Gives elements between instances the values that they have at the next smaller one.
    fn complete(&self, terms: &Terms, asked: &[Term], values: &mut Assignment) {
        let mut settled: FxHashSet<(SymbolId, Integer)> = FxHashSet::default();
        for (array, index) in places(terms, asked) {
            if let (Node::Symbol(array), Some(index)) =
                (terms.node(array), number_of(terms, index, values))
            {
                settled.insert((*array, index));
            }
        }
        for universal in &self.universals {
            let (Some(first), Some(end)) =
                (number_of(terms, universal.low, values), number_of(terms, universal.high, values))
            else {
                continue;
            };
            if end.sub(&first) > Integer::from(MAX_COMPLETED) {
                continue;
            }
            let instances = universal.instances.iter();
            let instances: BTreeSet<Integer> = instances
                .filter_map(|value| number_of(terms, *value, values))
                .filter(|value| first <= *value && *value < end)
                .collect();
            let mut open: VecDeque<Integer> = VecDeque::new();
            let mut at = first;
            while at < end {
                open.push_back(at.clone());
                at = at.add(&Integer::ONE);
            }
            for at in open.into_iter().filter(|at| !instances.contains(at)) {
                let smaller = instances.range(..&at).next_back();
                let Some(like) = smaller.or_else(|| instances.iter().next()) else { continue };
                for read in &universal.reads {
                    let (Node::Symbol(array), Some(start)) =
                        (terms.node(read.array), number_of(terms, read.start, values))
                    else {
                        continue;
                    };
                    let step = Integer::from(read.step);
                    let (to, from) = (start.add(&step.mul(&at)), start.add(&step.mul(like)));
                    if settled.insert((*array, to.clone())) {
                        copy(values, *array, from, to);
                    }
                }
            }
        }
    }
}

/// An element becomes what another one is.
fn copy(values: &mut Assignment, array: SymbolId, from: Integer, to: Integer) {
    let zeros = || {
        let (elements, default) = (Default::default(), Value::Int(Integer::ZERO));
        Value::Array(Arc::new(ArrayValue { elements, default }))
    };
    if let Value::Array(array) = values.symbols.entry(array).or_insert_with(zeros) {
        let array = Arc::make_mut(array);
        let value = array.get(&from).clone();
        array.put(to, value);
    }
}

/// What a body reads at places that move by a constant step.
fn reads(terms: &mut Terms, binder: Binder, body: Term) -> Vec<Read> {
    let mut found: Vec<Read> = Vec::new();
    let [zero, one, two] = [0, 1, 2].map(|number| terms.int(number));
    for part in terms.post_order(body) {
        let Node::Select(array, index) = *terms.node(part) else { continue };
        if !terms.is_closed(array) || terms.is_closed(index) {
            continue;
        }
        let [start, next, second] =
            [zero, one, two].map(|value| terms.instantiate(binder, index, value));
        let (step, again) = (terms.sub(next, start), terms.sub(second, next));
        let Some(step) = terms.as_int(step).filter(|_| step == again).and_then(Integer::to_i64)
        else {
            continue;
        };
        if !terms.is_closed(start) || step == 0 {
            continue;
        }
        for (array, _) in layers(terms, array) {
            if !found.iter().any(|read| (read.array, read.start) == (array, start)) {
                found.push(Read { array, start, step });
            }
        }
    }
    found
}

/// The arrays that are below the writes and choices of an array, and where it is written before they come to light.
fn layers(terms: &Terms, array: Term) -> Vec<(Term, Vec<Term>)> {
    let mut found: Vec<(Term, Vec<Term>)> = Vec::new();
    let mut open = vec![(array, Vec::new())];
    while let Some((array, mut written)) = open.pop() {
        match *terms.node(array) {
            Node::Store(below, index, _) => {
                written.push(index);
                open.push((below, written));
            }
            Node::Ite(_, then, otherwise) => {
                open.push((otherwise, written.clone()));
                open.push((then, written));
            }
            _ if found.iter().any(|(known, _)| *known == array) => {}
            _ => found.push((array, written)),
        }
        if found.len() + open.len() > MAX_LAYERS {
            break;
        }
    }
    found
}

/// The elements that formulas read, as far as their indices do not depend on bound variables.
fn places(terms: &Terms, formulas: &[Term]) -> Vec<(Term, Term)> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for formula in formulas {
        for part in terms.post_order(*formula) {
            if seen.insert(part)
                && let Node::Select(array, index) = *terms.node(part)
                && terms.is_closed(array)
                && terms.is_closed(index)
            {
                for (base, written) in layers(terms, array) {
                    found.push((base, index));
                    found.extend(written.into_iter().map(|written| (base, written)));
                }
            }
        }
    }
    found
}
