//! Arrays, and the binders of variables.

use super::Rule;
use crate::arena::Terms;
use crate::node::{Binder, Node, Quantifier, Sort, Term};
use loupe_integer::Integer;

/// For elements of arrays.
pub(super) const SELECT: &[Rule] = &[
    Rule {
        name: "select-store",
        argument: "what was just written, or not there",
        apply: select_store,
    },
    Rule { name: "select-constant", argument: "the same everywhere", apply: select_constant },
    Rule { name: "select-lambda", argument: "the definition", apply: select_lambda },
    Rule {
        name: "select-ite",
        argument: "the element of each array, where both are plain",
        apply: select_ite,
    },
];

/// For written arrays.
pub(super) const STORE: &[Rule] = &[
    Rule { name: "store-store", argument: "the later write hides the earlier", apply: store_store },
    Rule { name: "store-same", argument: "a[i] := a[i] changes nothing", apply: store_same },
];

/// For arrays that are defined by a formula.
pub(super) const LAMBDA: &[Rule] = &[
    Rule { name: "lambda-constant", argument: "the same everywhere", apply: lambda_constant },
    Rule {
        name: "lambda-select",
        argument: "λχ. a[χ] has the elements of a",
        apply: lambda_select,
    },
];

/// For equality of arrays.
pub(super) const SAME_ARRAY: &[Rule] = &[Rule {
    name: "same-store",
    argument: "arrays that can differ at one place only, or are the same everywhere",
    apply: same_store,
}];

/// For quantifiers.
pub(super) const QUANTIFIED: &[Rule] = &[
    Rule {
        name: "quantify-constant",
        argument: "a body without its variable matters unless the range is empty",
        apply: quantify_constant,
    },
    Rule { name: "quantify-few", argument: "no value, or just one", apply: quantify_few },
    Rule {
        name: "quantify-point",
        argument: "an equation leaves one value, which is in the range or not",
        apply: quantify_point,
    },
];

/// Whether two indices are equal, if that is plain.
fn same_index(terms: &mut Terms, a: Term, b: Term) -> Option<bool> {
    let equal = terms.eq(a, b);
    terms.as_bool(equal)
}

fn select_store(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, index) = *node else {
        return None;
    };
    // As far down as the indices are plainly different.
    let mut current = array;
    while let Node::Store(below, at, value) = *terms.node(current) {
        match same_index(terms, index, at) {
            Some(true) => return Some(value),
            Some(false) => current = below,
            None => break,
        }
    }
    if current == array {
        return None;
    }
    terms.select(current, index).ok()
}

fn select_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, _) = *node else {
        return None;
    };
    match *terms.node(array) {
        Node::ConstantArray(1, value) => Some(value),
        Node::ConstantArray(dimensions, value) => terms.constant_array(dimensions - 1, value).ok(),
        _ => None,
    }
}

fn select_lambda(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, index) = *node else {
        return None;
    };
    match *terms.node(array) {
        Node::Lambda(binder, body) => Some(terms.instantiate(binder, body, index)),
        _ => None,
    }
}

fn store_store(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Store(array, index, value) = *node else {
        return None;
    };
    let Node::Store(below, at, _) = *terms.node(array) else {
        return None;
    };
    if !same_index(terms, index, at)? {
        return None;
    }
    terms.store(below, index, value).ok()
}

fn store_same(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Store(array, index, value) = *node else {
        return None;
    };
    // The two times that an unknown array is named, it may be another.
    (*terms.node(value) == Node::Select(array, index) && !terms.is_starred(array)).then_some(array)
}

/// The element of an array at an index, if it has plainly been written there.
fn written(terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
    let mut current = array;
    loop {
        match *terms.node(current) {
            Node::Store(below, at, value) => {
                if same_index(terms, index, at)? {
                    return Some(value);
                }
                current = below;
            }
            Node::ConstantArray(1, value) => return Some(value),
            _ => return None,
        }
    }
}

fn select_ite(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Select(array, index) = *node else {
        return None;
    };
    let Node::Ite(condition, then, otherwise) = *terms.node(array) else {
        return None;
    };
    let (then, otherwise) = (written(terms, then, index)?, written(terms, otherwise, index)?);
    Some(terms.ite(condition, then, otherwise))
}

fn same_store(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::SameArray(a, b) = *node else {
        return None;
    };
    match (terms.node(a).clone(), terms.node(b).clone()) {
        (Node::ConstantArray(_, x), Node::ConstantArray(_, y)) => Some(terms.eq(x, y)),
        (Node::Store(below, i, x), Node::Store(other, j, y)) if below == other && i == j => {
            Some(terms.eq(x, y))
        }
        (Node::Store(array, i, x), _) if array == b => {
            let element = terms.select(b, i).ok()?;
            Some(terms.eq(element, x))
        }
        (_, Node::Store(array, i, x)) if array == a => {
            let element = terms.select(a, i).ok()?;
            Some(terms.eq(element, x))
        }
        _ => None,
    }
}

/// Whether the variable of a binder is free in a term.
fn is_free(terms: &Terms, binder: Binder, term: Term) -> bool {
    match terms.facts(term).open.cmp(&binder.0) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => true,
        // There are others; is it among them?
        std::cmp::Ordering::Greater => {
            let order = terms.post_order(term);
            order.into_iter().any(|part| *terms.node(part) == Node::Bound(binder.0))
        }
    }
}

fn lambda_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Lambda(binder, body) = *node else {
        return None;
    };
    if is_free(terms, binder, body) {
        return None;
    }
    match *terms.node(body) {
        Node::ConstantArray(dimensions, value) => {
            terms.constant_array(dimensions.checked_add(1)?, value).ok()
        }
        _ if terms.sort(body) == Sort::Int => terms.constant_array(1, body).ok(),
        _ => None,
    }
}

fn lambda_select(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Lambda(binder, body) = *node else {
        return None;
    };
    let Node::Select(array, index) = *terms.node(body) else {
        return None;
    };
    let is_variable = *terms.node(index) == Node::Bound(binder.0);
    (is_variable && !is_free(terms, binder, array)).then_some(array)
}

fn quantify_constant(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Quantified(quantifier, binder, [low, high, body]) = *node else {
        return None;
    };
    if is_free(terms, binder, body) {
        return None;
    }
    Some(match quantifier {
        Quantifier::Forall => {
            let empty = terms.le(high, low);
            terms.or([empty, body])
        }
        Quantifier::Exists => {
            let some = terms.lt(low, high);
            terms.and([some, body])
        }
    })
}

fn quantify_few(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Quantified(quantifier, binder, [low, high, body]) = *node else {
        return None;
    };
    let count = terms.sub(high, low);
    let count = terms.as_int(count)?.clone();
    if count <= Integer::ZERO {
        return Some(terms.bool(quantifier == Quantifier::Forall));
    }
    (count == Integer::ONE).then(|| terms.instantiate(binder, body, low))
}

/// `∃τ. τ = e ∧ …`, and `∀τ. τ ≠ e ∨ …`.
fn quantify_point(terms: &mut Terms, node: &Node) -> Option<Term> {
    let Node::Quantified(quantifier, binder, [low, high, body]) = *node else {
        return None;
    };
    let parts = match (quantifier, terms.node(body)) {
        (Quantifier::Exists, Node::And(parts)) | (Quantifier::Forall, Node::Or(parts)) => {
            parts.to_vec()
        }
        _ => vec![body],
    };
    let value = parts.into_iter().find_map(|part| {
        let sum = match (quantifier, terms.node(part)) {
            (Quantifier::Exists, Node::Zero(sum)) => *sum,
            (Quantifier::Forall, Node::Not(equation)) => match terms.node(*equation) {
                Node::Zero(sum) => *sum,
                _ => return None,
            },
            _ => return None,
        };
        root(terms, binder, sum)
    })?;
    let rest = terms.instantiate(binder, body, value);
    let (begin, end) = (terms.le(low, value), terms.lt(value, high));
    let within = terms.and([begin, end]);
    Some(match quantifier {
        Quantifier::Exists => terms.and([within, rest]),
        Quantifier::Forall => {
            let outside = terms.not(within);
            terms.or([outside, rest])
        }
    })
}

/// The value of a variable for which a sum is zero, if it is in it once, by itself.
fn root(terms: &mut Terms, binder: Binder, sum: Term) -> Option<Term> {
    let polynomial = terms.polynomial(sum);
    let own = polynomial.summands.iter().find_map(|(monomial, coefficient)| {
        let is_variable = *terms.node(*monomial) == Node::Bound(binder.0);
        let sign = coefficient.to_i64().filter(|sign| sign.unsigned_abs() == 1)?;
        is_variable.then_some((*monomial, sign))
    });
    let (variable, sign) = own?;
    // sign · τ + rest = 0.
    let rest = match sign {
        1 => terms.sub(sum, variable),
        _ => terms.add(sum, variable),
    };
    if is_free(terms, binder, rest) {
        return None;
    }
    Some(if sign == 1 { terms.neg(rest) } else { rest })
}
