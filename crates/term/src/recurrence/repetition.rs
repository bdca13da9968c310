//! Updates whose state comes back: fixpoints after a few iterations, toggles, small cycles.
//!
//! The states after 1, 2, … iterations are built by substitution. If the one after a + p iterations is the
//! one after a, for all entry values, then so it is for ever.

use super::obligations::{Argument, Lemma, Means, under};
use super::sequence::{Sequence, Shape};
use super::systems::{Solved, Solver};
use crate::arena::Terms;
use crate::eval::{Assignment, Value};
use crate::node::{Node, Sort, SymbolId, Term};
use crate::traverse::Substitution;
use loupe_integer::Integer;
use std::collections::BTreeMap;

/// Iterations that are looked at, beyond those of the variables that the component depends on.
const MAX_ITERATIONS: usize = 7;
/// Larger states are not built.
const MAX_STATE: usize = 3_000;
/// Conditions that are split on.
const MAX_SPLITS: usize = 6;
/// Assignments on which a repetition is tried before anybody is asked for a proof.
const SAMPLES: i64 = 12;

type State = Vec<Term>;

impl Solver<'_> {
    /// Solves a component whose state repeats.
    pub(super) fn repeats(&mut self, updates: &BTreeMap<SymbolId, Term>) -> bool {
        let Some((shape, states)) = self.states(updates) else { return false };
        let mut found = None;
        let mut doubtful = Vec::new();
        for later in 0..states.len() {
            for earlier in shape.first..later {
                let repetition = Shape { first: earlier, period: later - earlier };
                let (Some(a), Some(b)) = (states.get(earlier), states.get(later)) else { continue };
                if !repetition.period.is_multiple_of(shape.period) || found.is_some() {
                    continue;
                } else if a == b {
                    found = Some((repetition, None));
                } else {
                    doubtful.push((repetition, a, b));
                }
            }
        }
        for (repetition, a, b) in doubtful {
            found = found.or_else(|| Some((repetition, Some(self.prove_same(a, b)?))));
        }
        let Some((repetition, lemma)) = found else { return false };
        let needed: Vec<Term> = updates.values().copied().collect();
        let open = self.open_claims(&needed);
        for (variable, symbol) in updates.keys().enumerate() {
            let values = states.iter().take(repetition.positions());
            let values = values.filter_map(|state| state.get(variable).copied()).collect();
            let Some(value) = Sequence::new(repetition, values) else { continue };
            let solved = Solved {
                value: value.compact(self.terms, self.counter),
                exact: None,
                shadow: None,
                argument: Argument::Repetition,
                lemmas: lemma.into_iter().collect(),
                open: open.clone(),
            };
            self.solved.insert(*symbol, solved);
        }
        true
    }

    /// The states after 0, 1, … iterations, and the shape of what the component depends on, which must not
    /// contain the counter.
    fn states(&mut self, updates: &BTreeMap<SymbolId, Term>) -> Option<(Shape, Vec<State>)> {
        let mut outside = BTreeMap::new();
        let mut shape = Shape::PLAIN;
        for symbol in updates.values().flat_map(|update| self.changing(*update)) {
            if updates.contains_key(&symbol) {
                continue;
            }
            let value = &self.solved.get(&symbol)?.value;
            if value.classes().iter().any(|c| self.terms.post_order(*c).contains(&self.counter)) {
                return None;
            }
            shape = shape.join(value.shape())?;
            outside.insert(symbol, value.clone());
        }
        let mut inputs = BTreeMap::new();
        for (symbol, value) in outside {
            inputs.insert(symbol, value.reshaped(self.terms, self.counter, shape));
        }
        let entries = updates.keys().map(|symbol| self.terms.intern(Node::Symbol(*symbol)));
        let mut states: Vec<State> = vec![entries.collect()];
        for iteration in 0..shape.positions() + MAX_ITERATIONS {
            let (position, _) = shape.position(iteration);
            let state = states.last()?;
            let mut substitution: Substitution =
                updates.keys().copied().zip(state.iter().copied()).collect();
            for (symbol, values) in &inputs {
                substitution.insert(*symbol, *values.get(position)?);
            }
            let next = updates.values().map(|update| self.put(*update, &substitution));
            let Some(next) = next.collect::<Option<State>>() else { break };
            if next.iter().any(|term| self.terms.size(*term) > MAX_STATE) {
                break;
            }
            states.push(next);
        }
        Some((shape, states))
    }

    /// Whether two states are the same for all entry values that obey the facts.
    fn prove_same(&mut self, a: &State, b: &State) -> Option<Lemma> {
        let mut equal = Vec::new();
        for (a, b) in a.iter().zip(b) {
            equal.push(self.terms.eq(*a, *b));
        }
        let equal = self.terms.and(equal);
        let claim = under(self.terms, self.facts, equal);
        if self.is_refuted(claim) {
            return None;
        }
        if same_by_cases(self.terms, a, b) {
            return Some(Lemma { claim, means: Means::Cases });
        }
        let proved = self.prover.proves(self.terms, claim);
        proved.then_some(Lemma { claim, means: Means::Prover })
    }

    /// Whether a claim is false for one of a few values.
    fn is_refuted(&self, claim: Term) -> bool {
        let symbols = self.terms.free_symbols(claim);
        (0..SAMPLES).any(|sample| {
            let mut assignment = Assignment::default();
            for (place, symbol) in (0..).zip(&symbols) {
                // All small at first, then spread out differently for each symbol.
                let spread: i64 = sample * (1 + place) * 7 % 23 - 11;
                let value = if sample < 4 { (sample + place) % 3 - 1 } else { spread };
                let value = match self.terms.symbol(*symbol).sort {
                    Sort::Int => Value::Int(Integer::from(value)),
                    Sort::Bool => Value::Bool(value > 0),
                    Sort::Array(_) => continue,
                };
                assignment.symbols.insert(*symbol, value);
            }
            self.terms.holds(claim, &assignment) == Ok(false)
        })
    }
}

/// Whether two states are the same, whatever the conditions in them are: with every combination of truth
/// values put in for some of the conditions, both sides build the same terms.
fn same_by_cases(terms: &mut Terms, a: &[Term], b: &[Term]) -> bool {
    let mut open = vec![(a.to_vec(), b.to_vec(), 0)];
    while let Some((a, b, splits)) = open.pop() {
        if a == b {
            continue;
        }
        let Some(condition) = some_condition(terms, a.iter().chain(&b)) else { return false };
        if splits == MAX_SPLITS {
            return false;
        }
        for truth in [false, true] {
            let mut assume = |state: &[Term]| -> Vec<Term> {
                state.iter().map(|term| assume(terms, *term, condition, truth)).collect()
            };
            open.push((assume(&a), assume(&b), splits + 1));
        }
    }
    true
}

/// A comparison in the condition of an `ite`. Terms with binders are left alone: a comparison in them may
/// speak of a bound variable, and is not one truth value then.
fn some_condition<'a>(terms: &Terms, mut states: impl Iterator<Item = &'a Term>) -> Option<Term> {
    states.find_map(|state| {
        let parts = terms.post_order(*state);
        if parts.iter().any(|part| matches!(terms.node(*part), Node::Bound(_))) {
            return None;
        }
        let condition = parts.iter().find_map(|part| match terms.node(*part) {
            Node::Ite(condition, ..) => Some(*condition),
            _ => None,
        })?;
        let literal = |part: &Term| {
            matches!(
                terms.node(*part),
                Node::NonPositive(_) | Node::Zero(_) | Node::Divides(..) | Node::SameArray(..)
            ) || (terms.sort(*part) == Sort::Bool && matches!(terms.node(*part), Node::Symbol(_)))
        };
        terms.post_order(condition).into_iter().find(literal)
    })
}

/// The term where a condition is known to be true or false, and with it the comparisons that it decides.
fn assume(terms: &mut Terms, term: Term, condition: Term, truth: bool) -> Term {
    let opposite = terms.not(condition);
    let holds = if truth { condition } else { opposite };
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let mut current = term;
    // What is put together anew may be the condition itself.
    for _ in 0..MAX_SPLITS {
        let next = terms.replace(current, |terms, part| {
            if part == condition || part == opposite {
                return Some(if part == holds { yes } else { no });
            }
            Some(if decides(terms, holds, part)? { yes } else { no })
        });
        if next == current {
            break;
        }
        current = next;
    }
    current
}

/// Whether a true comparison makes another one true or false: `p ≤ 0` or `p = 0` decide some of
/// `p + d ≤ 0`, `-p + d ≤ 0`, `p + d = 0` and `-p + d = 0`.
fn decides(terms: &Terms, known: Term, other: Term) -> Option<bool> {
    let comparison = |term: Term| match terms.node(term) {
        Node::NonPositive(p) => Some((terms.polynomial(*p), false)),
        Node::Zero(p) => Some((terms.polynomial(*p), true)),
        _ => None,
    };
    let ((p, p_is_zero), (q, q_is_zero)) = (comparison(known)?, comparison(other)?);
    let [difference, sum] = [-1, 1].map(|factor| q.add_scaled(&p, &Integer::from(factor)));
    // The bounds of q that follow: q = d + p is at most d, q = d - p at least d; and both if p is 0.
    let [mut low, mut high] = [None, None];
    if difference.summands.is_empty() {
        high = Some(difference.constant.clone());
        low = low.or(p_is_zero.then_some(difference.constant));
    }
    if sum.summands.is_empty() {
        low = Some(sum.constant.clone());
        high = high.or(p_is_zero.then_some(sum.constant));
    }
    let (low, high) = (low.as_ref(), high.as_ref());
    let below = |bound: &Integer| *bound <= Integer::ZERO;
    if low.is_some_and(|low| !below(low)) {
        return Some(false);
    }
    match q_is_zero {
        false => high.is_some_and(below).then_some(true),
        true if high.is_some_and(Integer::is_negative) => Some(false),
        true => (high.is_some_and(Integer::is_zero) && low == high).then_some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_decide_each_other() {
        let mut terms = Terms::new();
        let x = terms.int_symbol("x");
        let Node::Symbol(symbol) = *terms.node(x) else { unreachable!() };
        let mut comparisons = Vec::new();
        for factor in [-1, 1] {
            for constant in -3..=3 {
                let constant = terms.int(constant);
                let p = terms.add_scaled(constant, x, &Integer::from(factor));
                comparisons.extend([terms.non_positive(p), terms.zero(p)]);
            }
        }
        let holds = |comparison: Term, value: i64| {
            let value = Value::Int(Integer::from(value));
            let assignment = Assignment {
                symbols: [(symbol, value)].into_iter().collect(),
                ..Default::default()
            };
            terms.holds(comparison, &assignment).expect("a truth value")
        };
        for known in &comparisons {
            for other in &comparisons {
                let values = (-9..=9).filter(|value| holds(*known, *value));
                let truths: Vec<bool> = values.map(|value| holds(*other, value)).collect();
                let expected = match (truths.contains(&true), truths.contains(&false)) {
                    (true, false) => Some(true),
                    (false, true) => Some(false),
                    _ => None,
                };
                assert_eq!(decides(&terms, *known, *other), expected, "{known:?}, {other:?}");
            }
        }
    }
}
