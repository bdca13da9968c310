//! The table of simplification rules.
//!
//! A rule looks at a node whose parts are already simplified and gives an equal term that is not
//! worse: a part of the node, a constant, or something with fewer operations of the same kind. Each
//! has a one-line argument and an example among the tests; on random terms, the tests compare what is
//! built with and without the table by evaluation.
//!
//! Left out because they are not always right, given that all operations are total: `x / x = 1`,
//! `cᵃ · cᵇ = cᵃ⁺ᵇ`, `c^(x+1) = c · c^x`. Left out because they can make a term larger:
//! `ite(c, x, ite(d, x, y)) = ite(c ∨ d, x, y)`, elements of `ite` in general.

mod array;
mod branch;
mod division;
mod exact;
mod machine;

pub use division::power;
pub(crate) use division::{quotient, remainder};

use crate::arena::Terms;
use crate::node::{Node, Sort, Term};

/// A rule.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Why both sides are equal.
    pub argument: &'static str,
    apply: fn(&mut Terms, &Node) -> Option<Term>,
}

/// For everything that may depend on ★.
const UNKNOWN: &[Rule] =
    &[Rule { name: "unknown", argument: "what depends on ★ is unknown", apply: unknown }];

/// All rules.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let groups = [
        UNKNOWN,
        division::DIVISION,
        exact::EXACT,
        division::POWER,
        machine::WRAP,
        exact::WRAPPED,
        machine::BITS,
        branch::ITE,
        branch::COMPARISON,
        exact::COMPARED,
        array::SELECT,
        array::STORE,
        array::LAMBDA,
        array::SAME_ARRAY,
        array::QUANTIFIED,
    ];
    groups.into_iter().flatten()
}

/// The first rule's result for a node.
pub(crate) fn apply(terms: &mut Terms, node: &Node) -> Option<Term> {
    let more = match node {
        Node::Quotient(..) | Node::Remainder(..) => exact::EXACT,
        Node::NonPositive(_) | Node::Zero(_) => exact::COMPARED,
        Node::Wrap(..) => exact::WRAPPED,
        _ => &[],
    };
    let group = match node {
        Node::Quotient(..) | Node::Remainder(..) => division::DIVISION,
        Node::Power(..) => division::POWER,
        Node::Wrap(..) => machine::WRAP,
        Node::Bits(..) => machine::BITS,
        Node::Ite(..) => branch::ITE,
        Node::NonPositive(_) | Node::Zero(_) | Node::Divides(..) => branch::COMPARISON,
        Node::Select(..) => array::SELECT,
        Node::Store(..) => array::STORE,
        Node::Lambda(..) => array::LAMBDA,
        Node::SameArray(..) => array::SAME_ARRAY,
        Node::Quantified(..) => array::QUANTIFIED,
        _ => &[],
    };
    UNKNOWN.iter().chain(group).chain(more).find_map(|rule| (rule.apply)(terms, node))
}

fn unknown(terms: &mut Terms, node: &Node) -> Option<Term> {
    let star = |terms: &Terms, term: Term| matches!(terms.node(term), Node::Star(_));
    let (unknown, sort) = match node {
        Node::Quotient(_, a, b) | Node::Remainder(_, a, b) | Node::Bits(_, _, a, b) => {
            (star(terms, *a) || star(terms, *b), Sort::Int)
        }
        Node::Power(_, a) | Node::Wrap(_, a) => (star(terms, *a), Sort::Int),
        Node::Apply(_, parts) => (parts.iter().any(|part| star(terms, *part)), Sort::Int),
        Node::Ite(condition, then, _) => (terms.is_starred(*condition), terms.sort(*then)),
        Node::Select(array, index) => {
            let sort = terms.sort(*array).element()?;
            (star(terms, *array) || terms.is_starred(*index), sort)
        }
        Node::Store(array, index, _) => {
            (star(terms, *array) || terms.is_starred(*index), terms.sort(*array))
        }
        _ => return None,
    };
    unknown.then(|| terms.star(sort))
}

#[cfg(test)]
mod tests;
