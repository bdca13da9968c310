//! Formulas as disjoint conjunctions of literals.
//!
//! The guard argument works literal by literal (GUIDE 4.2), so what is no literal is split: `A ∨ B` into `A` and `¬A ∧ B`, `e ≠ 0` into
//! `e < 0` and `e > 0`, a choice by its condition, and a wrapped sum by how often it wraps: wrap-around becomes a path of its own.

use crate::logic::Logic;
use loupe_integer::{Integer, Signedness};
use loupe_solver::Error;
use loupe_term::{Context, Node, SymbolId, Term, Width};
use std::collections::BTreeSet;

/// Which wrapped sums are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wraps {
    /// Those in guards, and in what guards depend on.
    Guards,
    /// All.
    All,
}

/// What becomes of `e ≠ 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unequal {
    /// `e < 0` and `e > 0` are two parts.
    Divided,
    /// It is a literal: enough where nothing is repeated.
    Kept,
}

/// What is split.
#[derive(Clone, Debug)]
pub(crate) struct How {
    pub(crate) unequal: Unequal,
    pub(crate) elements: Elements,
}

/// A conjunction of literals and what is carried along with it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) literals: Vec<Term>,
    pub(crate) carried: Vec<Term>,
}

/// What is known of elements that are not the same in every iteration: nothing. Parts of a path by what they are would take turns without a pattern, so what speaks of them
/// is not split.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    /// The variables that iterations change.
    pub(crate) changing: BTreeSet<SymbolId>,
}

impl Elements {
    /// Whether such elements are read in a term.
    fn are_in(&self, logic: &Logic<'_>, term: Term) -> bool {
        let parts = logic.terms.post_order(term);
        parts.iter().any(|part| {
            matches!(logic.terms.node(*part), Node::Select(..))
                && logic.mentions(*part, &self.changing)
        })
    }
}

/// Why a formula is not split.
#[derive(Debug)]
pub(crate) struct TooMany;

/// So many times a sum may wrap.
const MAX_WINDOWS: i64 = 3;

/// Splits `formula` where the facts hold. `carried` are terms that are simplified along; of them, those for which `split` says so
/// have their choices and wraps split as well.
pub(crate) fn split(
    logic: &mut Logic<'_>,
    facts: &[Term],
    formula: Term,
    carried: &[(Term, bool)],
    how: &How,
    limit: usize,
) -> Result<Result<Vec<Part>, TooMany>, Error> {
    struct Open {
        literals: Vec<Term>,
        formulas: Vec<Term>,
        carried: Vec<Term>,
    }
    let splits: Vec<bool> = carried.iter().map(|(_, split)| *split).collect();
    let mut open = vec![Open {
        literals: Vec::new(),
        formulas: vec![formula],
        carried: carried.iter().map(|(term, _)| *term).collect(),
    }];
    let mut done = Vec::new();
    while let Some(mut part) = open.pop() {
        if done.len() + open.len() > limit || logic.is_exhausted() {
            return Ok(Err(TooMany));
        }
        if let Some(formula) = part.formulas.pop() {
            match logic.terms.node(formula).clone() {
                Node::Bool(true) => open.push(part),
                Node::Bool(false) => {}
                Node::And(parts) => {
                    part.formulas.extend(parts.iter().rev());
                    open.push(part);
                }
                Node::Or(_) | Node::Not(_) if how.elements.are_in(logic, formula) => {
                    part.literals.push(formula);
                    open.push(part);
                }
                Node::Or(parts) => {
                    let mut before = Vec::new();
                    let mut news = Vec::new();
                    for alternative in parts.iter() {
                        let mut formulas = part.formulas.clone();
                        formulas.push(*alternative);
                        formulas.extend(before.iter().rev());
                        news.push(Open {
                            formulas,
                            literals: part.literals.clone(),
                            carried: part.carried.clone(),
                        });
                        before.push(logic.terms.not(*alternative));
                    }
                    open.extend(news.into_iter().rev());
                }
                Node::Not(inner)
                    if how.unequal == Unequal::Divided
                        && matches!(logic.terms.node(inner), Node::Zero(_)) =>
                {
                    let Node::Zero(value) = *logic.terms.node(inner) else { continue };
                    for side in gaps(logic, value, &mut part.formulas) {
                        let mut formulas = part.formulas.clone();
                        formulas.extend(side);
                        open.push(Open {
                            formulas,
                            literals: part.literals.clone(),
                            carried: part.carried.clone(),
                        });
                    }
                }
                _ => {
                    part.literals.push(formula);
                    open.push(part);
                }
            }
            continue;
        }
        // Literals only. Is it possible at all, and is there something left to split?
        let known: Vec<Term> = facts.iter().chain(&part.literals).copied().collect();
        let mut context = Context::new();
        for fact in &known {
            context.assume(logic.terms, *fact);
        }
        if context.is_contradictory() || logic.refuted(&known)? {
            continue;
        }
        part.carried =
            part.carried.iter().map(|term| context.simplify(logic.terms, *term)).collect();
        let inside = part.literals.iter().chain(
            part.carried.iter().zip(&splits).filter(|(_, split)| **split).map(|(term, _)| term),
        );
        let found =
            inside.copied().find_map(|term| divided(logic, &mut context, &how.elements, term));
        let Some((old, alternatives)) = found else {
            done.push(Part { literals: part.literals, carried: part.carried });
            continue;
        };
        for (condition, new) in alternatives.into_iter().rev() {
            let mut formulas: Vec<Term> = part.literals.clone();
            formulas.reverse();
            for formula in &mut formulas {
                *formula = replace(logic, *formula, old, new);
            }
            formulas.insert(0, condition);
            let carried = part.carried.iter().map(|term| replace(logic, *term, old, new)).collect();
            open.push(Open { literals: Vec::new(), formulas, carried });
        }
    }
    Ok(Ok(done))
}

/// Between the numbers that a value is not, what it can be. What `formulas` say of the same value is taken out of them: `s ≠ 0 ∧ … ∧ s ≠ 9` leaves two
/// gaps, not a thousand combinations.
fn gaps(logic: &mut Logic<'_>, value: Term, formulas: &mut Vec<Term>) -> Vec<Vec<Term>> {
    let mut plain = logic.terms.polynomial(value);
    let mut excluded = BTreeSet::from([plain.constant.neg()]);
    plain.constant = Integer::ZERO;
    let plain = logic.terms.from_polynomial(plain);
    formulas.retain(|formula| {
        let Node::Not(inner) = *logic.terms.node(*formula) else { return true };
        let Node::Zero(other) = *logic.terms.node(inner) else { return true };
        // plain + distance ≠ 0, with either sign.
        for other in [other, logic.terms.neg(other)] {
            let distance = logic.terms.sub(other, plain);
            if let Some(distance) = logic.terms.as_int(distance) {
                excluded.insert(distance.neg());
                return false;
            }
        }
        true
    });
    let mut gaps = Vec::new();
    let mut before: Option<Integer> = None;
    for number in &excluded {
        let last = number.sub(&Integer::ONE);
        if before.as_ref().is_none_or(|before| *before < last) {
            let low = before.as_ref().map(|before| before.add(&Integer::ONE));
            let low = low.map(|low| at_least(logic, plain, low));
            let last = logic.terms.int(last);
            gaps.push(low.into_iter().chain([logic.terms.le(plain, last)]).collect());
        }
        before = Some(number.clone());
    }
    if let Some(before) = before {
        gaps.push(vec![at_least(logic, plain, before.add(&Integer::ONE))]);
    }
    gaps
}

fn at_least(logic: &mut Logic<'_>, value: Term, low: Integer) -> Term {
    let low = logic.terms.int(low);
    logic.terms.le(low, value)
}

/// The first choice or wrapped sum in a term, and what it can be: conditions, which exclude each other, and values.
fn divided(
    logic: &mut Logic<'_>,
    context: &mut Context,
    elements: &Elements,
    term: Term,
) -> Option<(Term, Vec<(Term, Term)>)> {
    for part in logic.terms.post_order(term) {
        if !logic.terms.is_closed(part) || elements.are_in(logic, part) {
            continue;
        }
        match *logic.terms.node(part) {
            Node::Ite(condition, then, otherwise) => {
                let opposite = logic.terms.not(condition);
                return Some((part, vec![(condition, then), (opposite, otherwise)]));
            }
            Node::Wrap(width, sum) => {
                if let Some(windows) = windows(logic, context, width, sum) {
                    return Some((part, windows));
                }
            }
            _ => {}
        }
    }
    None
}

/// How a sum can wrap: when, and what it is then. `None` if it can wrap too often.
fn windows(
    logic: &mut Logic<'_>,
    context: &mut Context,
    width: Width,
    sum: Term,
) -> Option<Vec<(Term, Term)>> {
    let range = context.range(logic.terms, sum);
    let modulus = Integer::power_of_two(width.bits);
    let least = match width.signedness {
        Signedness::Signed => Integer::power_of_two(width.bits - 1).neg(),
        Signedness::Unsigned => Integer::ZERO,
    };
    let window = |value: &Integer| value.sub(&least).div_floor(&modulus)?.to_i64();
    let (from, to) = (window(range.low()?)?, window(range.high()?)?);
    if to.checked_sub(from)? >= MAX_WINDOWS {
        return None;
    }
    let mut alternatives = Vec::new();
    for number in from..=to {
        let shift = modulus.mul(&Integer::from(number));
        let first = least.add(&shift);
        let last = first.add(&modulus).sub(&Integer::ONE);
        let (first, last) = (logic.terms.int(first), logic.terms.int(last));
        let (above, below) = (logic.terms.le(first, sum), logic.terms.le(sum, last));
        let condition = logic.terms.and([above, below]);
        let shift = logic.terms.int(shift);
        alternatives.push((condition, logic.terms.sub(sum, shift)));
    }
    Some(alternatives)
}

/// `term` with another term in the place of a part.
pub(crate) fn replace(logic: &mut Logic<'_>, term: Term, old: Term, new: Term) -> Term {
    logic.terms.replace_part(term, old, new)
}
