//! Z3's models as assignments.

use super::translate::{self, Expression, Translation, WrongSort};
use crate::answer::Evidence;
use loupe_integer::Integer;
use loupe_term::{ArrayValue, Assignment, Node, Sort, SymbolId, Term, Terms, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use z3::DeclKind;
use z3::ast::{Array, Ast as _, Dynamic, Int};

/// What could be read of a model.
pub(super) struct Reading {
    pub(super) values: Assignment,
    /// Whether that is all of it: [`Evidence::Evaluated`] then says that Z3 must be right, and
    /// [`Evidence::Claimed`] that what was left out may be why the values are wrong.
    pub(super) evidence: Evidence,
}

/// The values that a model gives to the symbols and functions of the assertions.
pub(super) fn values(
    terms: &Terms,
    model: &z3::Model,
    assertions: &[Term],
) -> Result<Reading, WrongSort> {
    let found = Leaves::of(terms, assertions);
    let mut values = Assignment::default();
    let mut evidence = Evidence::Evaluated;
    for symbol in &found.symbols {
        let value = match translate::symbol(terms, *symbol) {
            Expression::Int(int) => {
                model.eval(&int, true).as_ref().and_then(integer).map(Value::Int)
            }
            Expression::Bool(bool) => {
                model.eval(&bool, true).and_then(|value| value.as_bool()).map(Value::Bool)
            }
            Expression::Array(constant) => {
                let value = model.eval(&constant, true);
                value.and_then(|value| array(model, &value, terms.symbol(*symbol).sort))
            }
        };
        // What cannot be read, such as an array that is a formula, is left out.
        match value {
            Some(value) => drop(values.symbols.insert(*symbol, value)),
            None => evidence = Evidence::Claimed,
        }
    }
    // Parts come before wholes, so applications inside of others are numbers when these are evaluated:
    // otherwise nested ones would be evaluated again and again.
    let mut translation = Translation::default();
    for application in &found.applications {
        let Node::Apply(function, arguments) = terms.node(*application) else { continue };
        let mut at = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let argument = translation.integer(terms, *argument)?;
            at.extend(model.eval(&argument, true).as_ref().and_then(integer));
        }
        let expression = translation.integer(terms, *application)?;
        if let Some(value) = model.eval(&expression, true).as_ref().and_then(integer)
            && at.len() == arguments.len()
        {
            translation.fix(*application, &value);
            values.functions.insert((*function, at), value);
        } else {
            evidence = Evidence::Claimed;
        }
        // Below a binder it stands for many arguments, and one of them was read.
        if !terms.is_closed(*application) {
            evidence = Evidence::Claimed;
        }
    }
    Ok(Reading { values, evidence })
}

/// The symbols and the applications of functions in formulas.
#[derive(Default)]
struct Leaves {
    symbols: BTreeSet<SymbolId>,
    applications: BTreeSet<Term>,
}

impl Leaves {
    fn of(terms: &Terms, assertions: &[Term]) -> Self {
        let mut leaves = Leaves::default();
        let mut seen = FxHashSet::default();
        let mut open = assertions.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::Symbol(symbol) => {
                    leaves.symbols.insert(*symbol);
                }
                Node::Apply(..) => {
                    leaves.applications.insert(term);
                }
                _ => {}
            }
            terms.node(term).for_each_child(|part| open.push(part));
        }
        leaves
    }
}

/// The value of a numeral.
pub(super) fn integer(numeral: &Int) -> Option<Integer> {
    if let Some(small) = numeral.as_i64() {
        return Some(Integer::from(small));
    }
    let text = numeral.to_string();
    match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(magnitude) => magnitude.parse::<Integer>().ok().map(|value| value.neg()),
        None => text.parse().ok(),
    }
}

/// The value of an array: stores into a constant array, or a function's table.
fn array(model: &z3::Model, value: &Array, sort: Sort) -> Option<Value> {
    let element = sort.element()?;
    let mut writes = Vec::new();
    let mut below = Dynamic::from_ast(value);
    let default = loop {
        let declaration = below.safe_decl().ok()?;
        match declaration.kind() {
            DeclKind::Store => {
                let (index, written) = (below.nth_child(1)?, below.nth_child(2)?);
                writes.push((integer(&index.as_int()?)?, self::value(model, &written, element)?));
                below = below.nth_child(0)?;
            }
            DeclKind::ConstArray => break self::value(model, &below.nth_child(0)?, element)?,
            DeclKind::AsArray => {
                let table = model.get_func_interp(&below.as_array()?.as_array_func_decl()?)?;
                for entry in table.get_entries() {
                    let index = integer(&entry.get_args().first()?.as_int()?)?;
                    writes.push((index, self::value(model, &entry.get_value(), element)?));
                }
                break self::value(model, &table.get_else()?, element)?;
            }
            _ => return None,
        }
    };
    let mut array = ArrayValue { elements: Default::default(), default };
    // The outermost write comes first and hides those below.
    for (index, written) in writes.into_iter().rev() {
        array.put(index, written);
    }
    Some(Value::Array(array.into()))
}

/// The value of an element, which may be an array again; arrays have at most 255 dimensions.
fn value(model: &z3::Model, element: &Dynamic, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Int => integer(&element.as_int()?).map(Value::Int),
        Sort::Bool => element.as_bool()?.as_bool().map(Value::Bool),
        Sort::Array(_) => array(model, &element.as_array()?, sort),
    }
}
