//! Which type a loop has: Proteus, section 2.2 and Table 1.
//!
//! A condition is `E ~ 0`. It is an *induction condition* if every path changes `E` by an amount that is the same in all
//! iterations of that path: a constant, or something that the loop does not change. Types 1 and 2 have no others; types 1
//! and 3 take their paths in phases or periods. Wrap-around counts as if it did not happen, and
//! conditions that belong to failing checks alone do not count.

use crate::pda::Interleaving;
use crate::problem::{End, Loop};
use crate::show::Words;
use loupe_term::{Node, Substitution, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The type of a loop.
#[derive(Clone, Debug)]
pub struct LoopType {
    /// 1 to 4.
    pub number: u8,
    /// How the paths follow each other.
    pub interleaving: Interleaving,
    /// Why it has this type.
    pub reason: String,
}

/// The type of a loop. `checks` are the numbers of the exits that are failing checks.
pub fn classify(
    terms: &mut Terms,
    problem: &Loop,
    interleaving: Interleaving,
    checks: &[usize],
    words: &Words<'_>,
) -> LoopType {
    let others = not_induction(terms, problem, checks);
    let irregular = interleaving == Interleaving::Irregular;
    let number = match (others.first(), irregular) {
        (None, false) => 1,
        (None, true) => 2,
        (Some(_), false) => 3,
        (Some(_), true) => 4,
    };
    let order = match interleaving {
        Interleaving::Sequential => "paths follow each other in phases",
        Interleaving::Periodic => "paths follow each other in periods",
        Interleaving::Irregular => "the order of the paths is irregular",
    };
    let conditions = match others.first() {
        None => "all conditions are induction conditions".to_owned(),
        Some(condition) => {
            format!("`{}` is no induction condition", words.formula(terms, *condition))
        }
    };
    LoopType { number, interleaving, reason: format!("{conditions}; {order}") }
}

/// The conditions of a loop that are no induction conditions, in order.
fn not_induction(terms: &mut Terms, problem: &Loop, checks: &[usize]) -> Vec<Term> {
    let mut changing: BTreeSet<SymbolId> = BTreeSet::new();
    for (_, path) in problem.iterations() {
        let changed = problem.variables.iter().zip(&path.updates);
        let changed = changed.filter(|(variable, update)| variable.symbol != **update);
        changing.extend(changed.filter_map(|(variable, _)| symbol_of(terms, variable.symbol)));
    }
    for fresh in problem.paths.iter().flat_map(|path| &path.fresh) {
        changing.extend(symbol_of(terms, fresh.symbol));
    }
    let steps: Vec<Substitution> = (problem.iterations())
        .map(|(_, path)| {
            let updates: Vec<Term> =
                path.updates.iter().map(|update| without_wraps(terms, *update)).collect();
            let pairs = problem.variables.iter().zip(updates);
            pairs.filter_map(|(v, update)| Some((symbol_of(terms, v.symbol)?, update))).collect()
        })
        .collect();
    let mut others = Vec::new();
    for literal in conditions(terms, problem, checks) {
        if !is_induction(terms, literal, &steps, &changing) {
            others.push(literal);
        }
    }
    others
}

/// Whether every step changes what a literal compares by an amount that does not change.
fn is_induction(
    terms: &mut Terms,
    literal: Term,
    steps: &[Substitution],
    changing: &BTreeSet<SymbolId>,
) -> bool {
    let atom = match terms.node(literal) {
        Node::Not(inner) => *inner,
        _ => literal,
    };
    let (Node::NonPositive(compared) | Node::Zero(compared)) = *terms.node(atom) else {
        // A divisibility, or an equality of arrays: fine if nothing of it changes.
        return terms.free_symbols(literal).is_disjoint(changing) && !terms.is_starred(literal);
    };
    let compared = without_wraps(terms, compared);
    steps.iter().all(|step| {
        let after = terms.substitute(compared, step);
        let amount = terms.sub(after, compared);
        !terms.is_starred(amount) && terms.free_symbols(amount).is_disjoint(changing)
    }) && (!steps.is_empty() || terms.free_symbols(compared).is_disjoint(changing))
        && !is_input(terms, compared, steps, changing)
}

/// Whether it depends on inputs, which differ in every iteration although no update says so.
fn is_input(
    terms: &Terms,
    compared: Term,
    steps: &[Substitution],
    changing: &BTreeSet<SymbolId>,
) -> bool {
    let is_variable = |symbol: &SymbolId| steps.iter().any(|step| step.contains_key(symbol));
    let free = terms.free_symbols(compared);
    free.iter().any(|symbol| changing.contains(symbol) && !is_variable(symbol))
}

/// The literals of all guards but those of failing checks, each once. A literal whose opposite stands nowhere but
/// in the guards of failing checks is what those check.
fn conditions(terms: &mut Terms, problem: &Loop, checks: &[usize]) -> Vec<Term> {
    let is_check = |end| matches!(end, End::Exit(exit) if checks.contains(&exit));
    let (mut usual, mut failing) = (Vec::new(), BTreeSet::new());
    for path in &problem.paths {
        let found = literals(terms, path.guard);
        if is_check(path.end) {
            failing.extend(found);
        } else {
            for literal in found {
                if !usual.contains(&literal) {
                    usual.push(literal);
                }
            }
        }
    }
    let all = usual.clone();
    usual.retain(|literal| {
        let opposite = terms.not(*literal);
        all.contains(&opposite) || !failing.contains(&opposite)
    });
    usual
}

/// The atomic formulas of a guard with their signs, in order; `≠` as one literal.
fn literals(terms: &Terms, guard: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![guard];
    while let Some(part) = open.pop() {
        match terms.node(part) {
            Node::And(parts) | Node::Or(parts) => open.extend(parts.iter().rev()),
            Node::Bool(_) => {}
            _ => found.push(part),
        }
    }
    found
}

/// A term in which nothing wraps around.
pub(crate) fn without_wraps(terms: &mut Terms, root: Term) -> Term {
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for part in terms.post_order(root) {
        let of = |term: &Term| new.get(term).copied().unwrap_or(*term);
        let mapped = match terms.node(part).clone() {
            Node::Wrap(_, inner) => of(&inner),
            Node::Sum(sum) => {
                let mut result = terms.int(sum.constant);
                for (monomial, coefficient) in &sum.summands {
                    result = terms.add_scaled(result, of(monomial), coefficient);
                }
                result
            }
            Node::Product(factors) => {
                let mut result = terms.int(1);
                for (atom, exponent) in factors {
                    let power = terms.pow(of(&atom), exponent);
                    result = terms.mul(result, power);
                }
                result
            }
            Node::Quotient(rounding, a, b) => terms.quotient(rounding, of(&a), of(&b)),
            Node::Remainder(rounding, a, b) => terms.remainder(rounding, of(&a), of(&b)),
            _ => part,
        };
        new.insert(part, mapped);
    }
    new.get(&root).copied().unwrap_or(root)
}

fn symbol_of(terms: &Terms, term: Term) -> Option<SymbolId> {
    match terms.node(term) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
