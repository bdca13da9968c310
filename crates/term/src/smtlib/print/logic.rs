//! Which logic a script needs.

use super::Statement;
use super::sharing::{Local, Sharing};
use crate::arena::Terms;
use crate::node::{Node, Sort};
use crate::smtlib::operation::{Dialect, Operation};

/// What a logic has to allow.
#[derive(Default)]
struct Needs {
    quantifiers: bool,
    arrays: bool,
    functions: bool,
    /// Products of variables, or division: by the letter, linear logics have no `div` and `mod`.
    nonlinear: bool,
    /// What only `ALL` allows.
    more: bool,
}

/// The name of the smallest logic that allows everything in a script.
pub(super) fn choose(
    terms: &Terms,
    sharing: &Sharing,
    statements: &[Statement],
    dialect: Dialect,
) -> String {
    let mut needs = find(terms, sharing, dialect);
    needs.quantifiers |= statements.iter().any(|statement| match statement {
        Statement::Relation { cases, .. } => cases.iter().any(|case| !case.symbols.is_empty()),
        Statement::AssertExists(exists) => !exists.symbols.is_empty(),
        _ => false,
    });
    if needs.more {
        return "ALL".to_owned();
    }
    [
        if needs.quantifiers { "" } else { "QF_" },
        if needs.arrays { "A" } else { "" },
        if needs.functions { "UF" } else { "" },
        if needs.nonlinear { "NIA" } else { "LIA" },
    ]
    .concat()
}

fn find(terms: &Terms, sharing: &Sharing, dialect: Dialect) -> Needs {
    let mut needs = Needs { functions: !sharing.functions.is_empty(), ..Needs::default() };
    for operation in &sharing.operations {
        match operation {
            // A recursive function, and conversions, are in no other logic.
            Operation::Power(_) => needs.more = true,
            Operation::Bits(..) if dialect == Dialect::Conversions => needs.more = true,
            // A function with an axiom.
            Operation::Constant(_) => (needs.quantifiers, needs.functions) = (true, true),
            _ => needs.nonlinear = true,
        }
    }
    let sorts = sharing.written.iter().map(|term| terms.sort(*term));
    let parameters = sharing.symbols.iter().map(|symbol| terms.symbol(*symbol).sort);
    for sort in sorts.chain(parameters) {
        match sort {
            Sort::Array(1) => needs.arrays = true,
            Sort::Array(_) => needs.more = true,
            Sort::Int | Sort::Bool => {}
        }
    }
    for term in &sharing.written {
        match terms.node(*term) {
            Node::Quantified(..) => needs.quantifiers = true,
            Node::Lambda(..) => {
                needs.quantifiers = true;
                let locals = sharing.locals(*term);
                // A function to arrays: the logics with names for less are those to integers.
                let array = |local: &Local| match local {
                    Local::Parameter(symbol) => terms.symbol(*symbol).sort != Sort::Int,
                    Local::Bound(_) => false,
                };
                needs.functions |= !locals.is_empty();
                needs.more |= locals.iter().any(array);
            }
            Node::Product(_) | Node::Quotient(..) | Node::Remainder(..) => needs.nonlinear = true,
            Node::ConstantArray(..) if dialect == Dialect::Conversions => needs.more = true,
            _ => {}
        }
    }
    needs
}
