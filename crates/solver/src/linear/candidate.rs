//! From values of variables to an assignment of symbols, arrays and functions.

use super::atoms::Meaning;
use super::constraint::{Model, Variable};
use loupe_integer::Integer;
use loupe_term::{Assignment, FunctionId, Node, Sort, SymbolId, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Two reads at equal indices with different values.
#[derive(Clone, Debug)]
pub(super) struct Incongruence {
    /// The variables of the reads.
    pub(super) reads: [Variable; 2],
    /// The indices or arguments of both.
    pub(super) indices: Vec<[Term; 2]>,
}

/// An assignment that may satisfy some formulas.
pub(super) struct Candidate {
    pub(super) assignment: Assignment,
    pub(super) incongruence: Option<Incongruence>,
}

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Array(SymbolId),
    Function(FunctionId),
}

/// A read of an array symbol or a function.
struct Read {
    source: Source,
    indices: Vec<Term>,
}

/// The read that a term is.
fn read(terms: &Terms, term: Term) -> Option<Read> {
    if let Node::Apply(function, arguments) = terms.node(term) {
        return Some(Read { source: Source::Function(*function), indices: arguments.to_vec() });
    }
    let (mut indices, mut array) = (Vec::new(), term);
    while let Node::Select(below, index) = *terms.node(array) {
        indices.push(index);
        array = below;
    }
    match *terms.node(array) {
        Node::Symbol(symbol) if !indices.is_empty() => {
            indices.reverse();
            Some(Read { source: Source::Array(symbol), indices })
        }
        _ => None,
    }
}

/// The assignment that a model stands for: symbols have the values of their variables, and so have
/// the elements of arrays and the results of functions that are read at known places.
pub(super) fn candidate(terms: &Terms, meanings: &[Meaning], model: &Model) -> Candidate {
    let mut assignment = Assignment::default();
    let mut reads: Vec<(Term, Variable)> = Vec::new();
    for (index, meaning) in meanings.iter().enumerate() {
        let (Meaning::Value(term), variable) = (*meaning, Variable(index as u32)) else {
            continue;
        };
        match terms.node(term) {
            Node::Symbol(symbol) => {
                let value = model.value(variable);
                let value = match terms.sort(term) {
                    Sort::Bool => Value::Bool(!value.is_zero()),
                    _ => Value::Int(value),
                };
                assignment.symbols.insert(*symbol, value);
            }
            Node::Select(..) | Node::Apply(..) => reads.push((term, variable)),
            _ => {}
        }
    }
    // Parts are older than wholes, so an index that is a read itself comes before.
    reads.sort_unstable();
    let mut known: FxHashMap<(Source, Vec<Integer>), (Term, Variable)> = FxHashMap::default();
    let mut incongruence = None;
    for (term, variable) in reads {
        let Some(Read { source, indices }) = read(terms, term) else {
            continue;
        };
        let place: Option<Vec<Integer>> = indices
            .iter()
            .map(|index| match terms.evaluate(*index, &assignment) {
                Ok(Value::Int(value)) => Some(value),
                _ => None,
            })
            .collect();
        let Some(place) = place else {
            continue;
        };
        let value = model.value(variable);
        match known.get(&(source, place.clone())) {
            None => {
                put(terms, &mut assignment, term, source, &place, value);
                known.insert((source, place), (term, variable));
            }
            Some((_, other)) if model.value(*other) == value => {}
            Some((first, other)) if incongruence.is_none() => {
                let firsts = read(terms, *first).map(|read| read.indices).unwrap_or_default();
                let pairs = firsts.into_iter().zip(indices).map(|(a, b)| [a, b]).collect();
                incongruence = Some(Incongruence { reads: [*other, variable], indices: pairs });
            }
            Some(_) => {}
        }
    }
    Candidate { assignment, incongruence }
}

/// Makes a read give a value.
fn put(
    terms: &Terms,
    assignment: &mut Assignment,
    read: Term,
    source: Source,
    place: &[Integer],
    value: Integer,
) {
    let symbol = match source {
        Source::Function(function) => {
            assignment.functions.insert((function, place.to_vec()), value);
            return;
        }
        Source::Array(symbol) => symbol,
    };
    let mut array = read;
    while let Node::Select(below, _) = *terms.node(array) {
        array = below;
    }
    // An array that has no value yet gets the one that evaluation would give it.
    let Ok(before) = terms.evaluate(array, assignment) else {
        return;
    };
    let mut whole = before;
    let mut slot = &mut whole;
    for (depth, index) in place.iter().enumerate() {
        let Value::Array(elements) = slot else {
            return;
        };
        let elements = Rc::make_mut(elements);
        if depth + 1 == place.len() {
            elements.put(index.clone(), Value::Int(value));
            break;
        }
        let default = elements.default.clone();
        slot = elements.elements.entry(index.clone()).or_insert(default);
    }
    assignment.symbols.insert(symbol, whole);
}
