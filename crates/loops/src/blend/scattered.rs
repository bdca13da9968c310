//! Arrays that iterations write here and there: at indices that elements, inputs or histories decide, so that no step says where the next write is, or that come round again.
//!
//! What stays in an element is what the *last* iteration that writes it has left there. Which one that is is an array W that nobody knows: with c(n), i(n) and v(n) for whether iteration n
//! writes, where, and what, the array after k iterations is
//!
//! ```text
//! λχ. ite(0 ≤ W[χ] < k ∧ c(W[χ]) ∧ i(W[χ]) = χ, v(W[χ]), A[χ])
//! ∀n < k. c(n) ⇒ n ≤ W[i(n)] < k ∧ c(W[i(n)]) ∧ i(W[i(n)]) = i(n)
//! ```
//!
//! The second line is a condition of the case. Every execution has such a W, its last writers. And whatever W satisfies the condition, the first line is right: where χ was never written its condition
//! fails for every W, and where it was, W[χ] is an iteration below k that writes χ and not before any other that does. So nothing is missing and nothing is too much.
//! A loop inside that fills a range writes all of it in one iteration: then the condition is about all elements of the range. Of several writes in an iteration each has its W, and the one
//! that comes last wins.
//!
//! The values of the variables in iteration n are a sequence as well, X[n], which iterations compare with the variables. Where this gives X a closed form, it takes the place of X.

use crate::accelerate::linear;
use crate::logic::Logic;
use crate::problem::{Loop, Path};
use loupe_integer::Integer;
use loupe_term::{Node, Origin, Quantifier, Sort, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// So many writes of one array may be in one iteration: each is compared with each.
const MOST_WRITES: usize = 3;

/// The arrays of a loop that are written here and there.
#[derive(Default)]
pub(super) struct Scattered {
    writes: Vec<Write>,
    /// Variables that the writes depend on, and their values in each iteration.
    sequences: Vec<(Term, Term)>,
}

/// A write in every iteration, over the variables at its start.
struct Write {
    /// When it happens.
    condition: Term,
    what: What,
    value: Term,
    /// The last iteration that writes an element.
    last: Term,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// One element.
    At(Term),
    /// The elements of a range, without its end, for which a condition holds: over this symbol of the index, as the value.
    Range { place: Term, ends: [Term; 2], condition: Term },
}

/// Something that is written, while it is looked for.
struct Found {
    condition: Term,
    what: What,
    value: Term,
}

/// Takes arrays that are written here and there out of a loop with one path; `None` if that does not help.
pub(super) fn scattered(logic: &mut Logic<'_>, one: &mut Loop, time: Term) -> Option<Scattered> {
    let mut result = Scattered::default();
    let mut forms = Substitution::default();
    let place = logic.terms.fresh("x", Sort::Int, Origin::default());
    let changing: Vec<(Term, Term)> = one
        .variables
        .iter()
        .zip(&one.paths[0].updates)
        .filter(|(variable, update)| variable.symbol != **update)
        .map(|(variable, update)| (variable.symbol, *update))
        .collect();
    let arrays = changing.iter().filter(|(symbol, _)| logic.terms.sort(*symbol) == Sort::Array(1));
    let arrays: Vec<(Term, Term)> = arrays.copied().collect();
    let changing_numbers: BTreeSet<Term> = changing
        .iter()
        .filter(|(symbol, _)| logic.terms.sort(*symbol) == Sort::Int && *symbol != time)
        .map(|(symbol, _)| *symbol)
        .collect();
    for (symbol, update) in &arrays {
        // What is no list of writes may still have a closed form, which is found elsewhere.
        let Some(found) = collect(logic, (*symbol, *update), place) else { continue };
        if found.iter().all(|write| moves_steadily(logic, one, &one.paths[0], write)) {
            continue;
        }
        if found.len() > MOST_WRITES {
            return None;
        }
        let begin = result.writes.len();
        for Found { condition, what, value } in found {
            // Arrays that are written together have the same last writers.
            let is_same = |other: &&Write| (other.condition, other.what) == (condition, what);
            let last = match result.writes[..begin].iter().find(is_same) {
                Some(other) => other.last,
                None => logic.terms.fresh("W", Sort::Array(1), Origin::default()),
            };
            result.writes.push(Write { condition, what, value, last });
        }
        result.follow(logic, begin, &changing_numbers);
        let form = result.form(logic, begin, (*symbol, place), time)?;
        forms.insert(logic.symbol_of(*symbol)?, form);
    }
    if result.is_empty() {
        return Some(result);
    }
    // An iteration that reads what was written before would ask for the last writer before it.
    let written: BTreeSet<_> = arrays.iter().filter_map(|(own, _)| logic.symbol_of(*own)).collect();
    let gone: BTreeSet<_> = forms.keys().copied().collect();
    for write in &result.writes {
        if write.terms().iter().any(|term| logic.mentions(*term, &written)) {
            return None;
        }
    }
    for (position, path) in one.paths.iter_mut().enumerate() {
        if position > 0 {
            path.guard = logic.put(path.guard, &forms);
            path.updates = logic.put_all(&path.updates, &forms);
            continue;
        }
        for (variable, update) in one.variables.iter().zip(&mut path.updates) {
            if logic.symbol_of(variable.symbol).is_some_and(|id| gone.contains(&id)) {
                *update = variable.symbol;
            } else if logic.mentions(*update, &gone) {
                return None;
            }
        }
        if logic.mentions(path.guard, &gone) {
            return None;
        }
        let mut guard = vec![path.guard];
        for (variable, sequence) in &result.sequences {
            let now = logic.terms.select(*sequence, time).ok()?;
            guard.push(logic.terms.eq(now, *variable));
        }
        path.guard = logic.terms.and(guard);
    }
    Some(result)
}

impl Write {
    fn terms(&self) -> Vec<Term> {
        let mut all = vec![self.condition, self.value];
        match self.what {
            What::At(index) => all.push(index),
            What::Range { ends, condition, .. } => all.extend([ends[0], ends[1], condition]),
        }
        all
    }
}

impl Scattered {
    pub(super) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Sequences for the variables that writes depend on.
    fn follow(&mut self, logic: &mut Logic<'_>, begin: usize, changing: &BTreeSet<Term>) {
        let terms: Vec<Term> = self.writes[begin..].iter().flat_map(Write::terms).collect();
        for variable in changing {
            let Some(id) = logic.symbol_of(*variable) else { continue };
            let own = BTreeSet::from([id]);
            let is_new = self.sequences.iter().all(|(known, _)| known != variable);
            if is_new && terms.iter().any(|term| logic.mentions(*term, &own)) {
                let sequence = logic.terms.fresh("X", Sort::Array(1), Origin::default());
                self.sequences.push((*variable, sequence));
            }
        }
    }

    /// A term of an iteration, as it is in the iteration of that number.
    fn at(&self, logic: &mut Logic<'_>, term: Term, iteration: Term, time: Term) -> Option<Term> {
        let mut store = Substitution::default();
        store.insert(logic.symbol_of(time)?, iteration);
        for (variable, sequence) in &self.sequences {
            let value = logic.terms.select(*sequence, iteration).ok()?;
            store.insert(logic.symbol_of(*variable)?, value);
        }
        Some(logic.put(term, &store))
    }

    /// Whether iteration `iteration` is one below `end` that writes an element.
    fn writes(
        &self,
        logic: &mut Logic<'_>,
        write: &Write,
        (place, iteration): (Term, Term),
        (end, time): (Term, Term),
    ) -> Option<Term> {
        let zero = logic.terms.int(0);
        let here = match write.what {
            What::At(index) => {
                let index = self.at(logic, index, iteration, time)?;
                logic.terms.eq(index, place)
            }
            What::Range { place: own, condition, .. } => {
                let condition = self.at(logic, condition, iteration, time)?;
                put_place(logic, condition, own, place)?
            }
        };
        let condition = self.at(logic, write.condition, iteration, time)?;
        let begin = logic.terms.le(zero, iteration);
        let below = logic.terms.lt(iteration, end);
        Some(logic.terms.and([begin, below, condition, here]))
    }

    /// The array after so many iterations as the time says.
    fn form(
        &self,
        logic: &mut Logic<'_>,
        begin: usize,
        (array, place): (Term, Term),
        time: Term,
    ) -> Option<Term> {
        let writes = &self.writes[begin..];
        let mut result = logic.terms.select(array, place).ok()?;
        let mut written: Vec<(Term, Term)> = Vec::new();
        for write in writes {
            let last = logic.terms.select(write.last, place).ok()?;
            let happens = self.writes(logic, write, (place, last), (time, time))?;
            written.push((last, happens));
        }
        for (number, write) in writes.iter().enumerate() {
            let (last, happens) = written[number];
            let mut wins = vec![happens];
            for (other, (theirs, happens)) in written.iter().enumerate() {
                let earlier = match other.cmp(&number) {
                    std::cmp::Ordering::Less => logic.terms.le(*theirs, last),
                    std::cmp::Ordering::Equal => continue,
                    std::cmp::Ordering::Greater => logic.terms.lt(*theirs, last),
                };
                let absent = logic.terms.not(*happens);
                wins.push(logic.terms.or([absent, earlier]));
            }
            let mut value = self.at(logic, write.value, last, time)?;
            if let What::Range { place: own, .. } = write.what {
                value = put_place(logic, value, own, place)?;
            }
            let wins = logic.terms.and(wins);
            result = logic.terms.ite(wins, value, result);
        }
        logic.terms.lambda(place, result).ok()
    }

    /// That the last writers are what they are called, when the loop has ended: and which symbols that leaves.
    pub(super) fn conditions(
        &self,
        logic: &mut Logic<'_>,
        end: Term,
        time: Term,
    ) -> Option<Vec<Term>> {
        let mut all = Vec::new();
        let zero = logic.terms.int(0);
        let mut told = BTreeSet::new();
        for write in self.writes.iter().filter(|write| told.insert(write.last)) {
            let iteration = logic.terms.fresh("n", Sort::Int, Origin::default());
            let condition = self.at(logic, write.condition, iteration, time)?;
            let claim = |logic: &mut Logic<'_>, place: Term| {
                let last = logic.terms.select(write.last, place).ok()?;
                let happens = self.writes(logic, write, (place, last), (end, time))?;
                let not_before = logic.terms.le(iteration, last);
                Some(logic.terms.and([happens, not_before]))
            };
            let claim = match write.what {
                What::At(index) => {
                    let index = self.at(logic, index, iteration, time)?;
                    claim(logic, index)?
                }
                What::Range { place: own, ends, condition } => {
                    let place = logic.terms.fresh("x", Sort::Int, Origin::default());
                    let claim = claim(logic, place)?;
                    let within = self.at(logic, condition, iteration, time)?;
                    let within = put_place(logic, within, own, place)?;
                    let outside = logic.terms.not(within);
                    let claim = logic.terms.or([outside, claim]);
                    let low = self.at(logic, ends[0], iteration, time)?;
                    let high = self.at(logic, ends[1], iteration, time)?;
                    logic.terms.quantify(Quantifier::Forall, place, [low, high], claim).ok()?
                }
            };
            let absent = logic.terms.not(condition);
            let claim = logic.terms.or([absent, claim]);
            let all_iterations =
                logic.terms.quantify(Quantifier::Forall, iteration, [zero, end], claim);
            all.push(all_iterations.ok()?);
        }
        Some(all)
    }

    /// The arrays that a case with iterations has: last writers, and the sequences.
    pub(super) fn symbols(&self) -> BTreeSet<Term> {
        let last = self.writes.iter().map(|write| write.last);
        last.chain(self.sequences.iter().map(|(_, sequence)| *sequence)).collect()
    }

    /// Without an iteration nothing is written.
    pub(super) fn nothing(&self, logic: &mut Logic<'_>) -> Option<Substitution> {
        let mut store = Substitution::default();
        let never = logic.terms.int(-1);
        let place = logic.terms.fresh("x", Sort::Int, Origin::default());
        let nowhere = logic.terms.lambda(place, never).ok()?;
        for symbol in self.symbols() {
            store.insert(logic.symbol_of(symbol)?, nowhere);
        }
        Some(store)
    }

    /// Closed forms of the sequences, as far as a condition says what they are in all iterations below the end. What they are in others is not asked anywhere: of last
    /// writers they are asked only where these are below the end.
    pub(super) fn closed(&self, logic: &mut Logic<'_>, condition: Term) -> Vec<(Term, Term)> {
        let parts = logic.conjuncts(condition);
        let sequences = self.sequences.iter().map(|(_, sequence)| *sequence);
        let open: BTreeSet<SymbolId> = sequences.filter_map(|own| logic.symbol_of(own)).collect();
        let mut found = Vec::new();
        for (_, sequence) in &self.sequences {
            let form = sequence_of(logic, &parts, *sequence, &open);
            found.extend(form.map(|form| (*sequence, form)));
        }
        found
    }
}

fn put_place(logic: &mut Logic<'_>, term: Term, own: Term, place: Term) -> Option<Term> {
    let store = Substitution::from_iter([(logic.symbol_of(own)?, place)]);
    Some(logic.put(term, &store))
}

/// Whether a path writes where no constant step leads.
pub(super) fn is_scattering(logic: &mut Logic<'_>, problem: &Loop, path: &Path) -> bool {
    let place = logic.terms.fresh("x", Sort::Int, Origin::default());
    let pairs = problem.variables.iter().zip(&path.updates);
    let changed = pairs.filter(|(variable, update)| {
        variable.symbol != **update && logic.terms.sort(variable.symbol) == Sort::Array(1)
    });
    let changed: Vec<(Term, Term)> =
        changed.map(|(variable, update)| (variable.symbol, *update)).collect();
    changed.into_iter().any(|pair| {
        let found = collect(logic, pair, place).unwrap_or_default();
        !found.iter().all(|write| moves_steadily(logic, problem, path, write))
    })
}

/// Whether a write goes on by the same step in every iteration where nothing wraps: then its array has a closed form without all this.
fn moves_steadily(logic: &mut Logic<'_>, problem: &Loop, path: &Path, write: &Found) -> bool {
    let index = match write.what {
        What::At(index) => index,
        What::Range { ends, .. } => ends[0],
    };
    let pairs = problem.variables.iter().zip(&path.updates);
    let store: Substitution = pairs
        .filter_map(|(variable, update)| Some((logic.symbol_of(variable.symbol)?, *update)))
        .collect();
    let after = logic.put(index, &store);
    let step = logic.terms.sub(after, index);
    let step = unwrapped(logic, step);
    logic.terms.as_int(step).is_some_and(|step| *step != Integer::ZERO)
}

/// A term as if nothing in it wrapped.
fn unwrapped(logic: &mut Logic<'_>, mut term: Term) -> Term {
    loop {
        let parts = logic.terms.post_order(term);
        let wrapped = parts.into_iter().find_map(|part| match *logic.terms.node(part) {
            Node::Wrap(_, inner) => Some((part, inner)),
            _ => None,
        });
        let Some((part, inner)) = wrapped else { return term };
        term = logic.terms.replace_part(term, part, inner);
    }
}

/// What becomes of an array, as writes in their order. Of a choice one side happens, so the order of its sides does not matter.
fn collect(
    logic: &mut Logic<'_>,
    (symbol, update): (Term, Term),
    place: Term,
) -> Option<Vec<Found>> {
    let mut found = Vec::new();
    let always = logic.terms.bool(true);
    // The latest write is found first.
    let mut open = vec![(update, always)];
    while let Some((array, condition)) = open.pop() {
        if array == symbol {
            continue;
        }
        if found.len() > MOST_WRITES {
            return None;
        }
        match *logic.terms.node(array) {
            Node::Store(base, index, value) => {
                let old = logic.terms.select(base, index).ok()?;
                let (happens, value) = match *logic.terms.node(value) {
                    Node::Ite(when, then, otherwise) if otherwise == old => {
                        (logic.terms.and([condition, when]), then)
                    }
                    Node::Ite(unless, then, otherwise) if then == old => {
                        let when = logic.terms.not(unless);
                        (logic.terms.and([condition, when]), otherwise)
                    }
                    _ => (condition, value),
                };
                found.push(Found { condition: happens, what: What::At(index), value });
                open.push((base, condition));
            }
            Node::Ite(when, then, otherwise) => {
                let unless = logic.terms.not(when);
                let (with, without) =
                    (logic.terms.and([condition, when]), logic.terms.and([condition, unless]));
                open.extend([(then, with), (otherwise, without)]);
            }
            Node::Lambda(binder, written) => {
                let written = logic.terms.instantiate(binder, written, place);
                let Node::Ite(within, value, otherwise) = *logic.terms.node(written) else {
                    return None;
                };
                if logic.terms.select(symbol, place).ok()? != otherwise {
                    return None;
                }
                let ends = ends(logic, within, place)?;
                let what = What::Range { place, ends, condition: within };
                found.push(Found { condition, what, value });
            }
            _ => return None,
        }
    }
    found.reverse();
    Some(found)
}

/// The first place for which a condition can hold, and the one behind the last.
fn ends(logic: &mut Logic<'_>, condition: Term, place: Term) -> Option<[Term; 2]> {
    let id = logic.symbol_of(place)?;
    let one = logic.terms.int(1);
    let (mut low, mut high) = (None, None);
    for part in logic.conjuncts(condition) {
        let Node::NonPositive(below) = *logic.terms.node(part) else { continue };
        let Some((rest, slope)) = linear(logic, below, id) else { continue };
        match logic.terms.as_int(slope).and_then(Integer::to_i64) {
            Some(-1) => low = low.or(Some(rest)),
            Some(1) if high.is_none() => high = Some(logic.terms.sub(one, rest)),
            _ => {}
        }
    }
    Some([low?, high?])
}

/// What a sequence is in all iterations, as a λ, if conditions say so: `∀n. X[n + s] = …`, and the same of the first s.
fn sequence_of(
    logic: &mut Logic<'_>,
    parts: &[Term],
    sequence: Term,
    open: &BTreeSet<SymbolId>,
) -> Option<Term> {
    let n = logic.terms.fresh("n", Sort::Int, Origin::default());
    let (form, first) = parts.iter().find_map(|part| {
        let Node::Quantified(Quantifier::Forall, binder, [_, _, body]) = *logic.terms.node(*part)
        else {
            return None;
        };
        let body = logic.terms.instantiate(binder, body, n);
        let parts = logic.conjuncts(body);
        let (index, value) = parts.iter().find_map(|part| solved(logic, *part, sequence, open))?;
        let first = logic.terms.sub(index, n);
        let first = logic.terms.as_int(first).and_then(Integer::to_usize)?;
        let ahead = logic.terms.int(first);
        let before = logic.terms.sub(n, ahead);
        let value = put_place(logic, value, n, before)?;
        Some((logic.terms.lambda(n, value).ok()?, first))
    })?;
    for number in 0..first {
        let index = logic.terms.int(number);
        let says = parts.iter().any(|part| {
            solved(logic, *part, sequence, open).is_some_and(|(at, value)| {
                at == index && logic.terms.select(form, index).is_ok_and(|other| other == value)
            })
        });
        if !says {
            return None;
        }
    }
    Some(form)
}

/// Index and value, if an equation is about an element of a sequence, and its value does not depend on sequences.
fn solved(
    logic: &mut Logic<'_>,
    equation: Term,
    sequence: Term,
    open: &BTreeSet<SymbolId>,
) -> Option<(Term, Term)> {
    let Node::Zero(sum) = *logic.terms.node(equation) else { return None };
    let polynomial = logic.terms.polynomial(sum);
    for (monomial, coefficient) in polynomial.summands.clone() {
        let factors = logic.terms.factors(monomial);
        let [(atom, 1)] = factors[..] else { continue };
        let Node::Select(array, index) = *logic.terms.node(atom) else { continue };
        let sign = coefficient.to_i64().filter(|sign| sign.unsigned_abs() == 1);
        if array == sequence
            && let Some(sign) = sign
        {
            let rest = logic.terms.add_scaled(sum, atom, &coefficient.neg());
            let zero = logic.terms.int(0);
            let value = logic.terms.add_scaled(zero, rest, &Integer::from(-sign));
            let is_free = !logic.mentions(value, open) && !logic.mentions(index, open);
            return is_free.then_some((index, value));
        }
    }
    None
}
