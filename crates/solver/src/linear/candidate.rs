//! From values of variables to an assignment of symbols, arrays and functions.

use super::atoms::Meaning;
use super::constraint::{Model, Variable};
use loupe_integer::Integer;
use loupe_term::{Assignment, FunctionId, Node, Sort, SymbolId, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
    /// Reads that the values of the variables do not allow.
    pub(super) incongruence: Option<Incongruence>,
    /// The reads that have not been looked at.
    reads: Vec<Read>,
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
    /// The symbol or the application.
    term: Term,
    indices: Vec<Term>,
    variable: Variable,
}

/// The read that a variable is the value of.
fn read(terms: &Terms, meaning: Meaning, variable: Variable) -> Option<Read> {
    let (mut array, mut indices) = match meaning {
        Meaning::Element(array, index) => (array, vec![index]),
        Meaning::Value(term) => {
            let Node::Apply(function, arguments) = terms.node(term) else {
                return None;
            };
            let (source, indices) = (Source::Function(*function), arguments.to_vec());
            return Some(Read { source, term, indices, variable });
        }
        _ => return None,
    };
    while let Node::Select(below, index) = *terms.node(array) {
        indices.push(index);
        array = below;
    }
    indices.reverse();
    match *terms.node(array) {
        Node::Symbol(symbol) => {
            Some(Read { source: Source::Array(symbol), term: array, indices, variable })
        }
        _ => None,
    }
}

impl Candidate {
    /// Gives symbols the values of their variables.
    pub(super) fn of_symbols(terms: &Terms, meanings: &[Meaning], model: &Model) -> Self {
        let mut assignment = Assignment::default();
        let mut reads = Vec::new();
        for (index, meaning) in meanings.iter().enumerate() {
            let variable = Variable(index as u32);
            reads.extend(read(terms, *meaning, variable));
            if let Meaning::Value(term) = *meaning
                && let Node::Symbol(symbol) = *terms.node(term)
            {
                let value = model.value(variable);
                let value = match terms.sort(term) {
                    Sort::Bool => Value::Bool(!value.is_zero()),
                    _ => Value::Int(value),
                };
                assignment.symbols.insert(symbol, value);
            }
        }
        // Parts are older than wholes, so the indices of a read within an index are older than that.
        reads.sort_by_key(|read: &Read| (read.indices.iter().max().copied(), read.variable));
        Candidate { assignment, incongruence: None, reads }
    }

    /// Whether arrays or functions are read.
    pub(super) fn has_reads(&self) -> bool {
        !self.reads.is_empty()
    }

    /// Gives the elements of arrays and the results of functions, where they are read, the values of
    /// their variables.
    pub(super) fn put_reads(&mut self, terms: &Terms, model: &Model) {
        let reads = std::mem::take(&mut self.reads);
        self.incongruence = put_all(terms, &mut self.assignment, &reads, model);
    }
}

/// Makes all reads give the values of their variables, and finds the first that cannot.
fn put_all(
    terms: &Terms,
    assignment: &mut Assignment,
    reads: &[Read],
    model: &Model,
) -> Option<Incongruence> {
    let mut known: FxHashMap<(Source, Vec<Integer>), &Read> = FxHashMap::default();
    let mut incongruence = None;
    for read in reads {
        let index = |index: &Term| match terms.evaluate(*index, assignment) {
            Ok(Value::Int(value)) => Some(value),
            _ => None,
        };
        let Some(place) = read.indices.iter().map(index).collect::<Option<Vec<Integer>>>() else {
            continue;
        };
        let value = model.value(read.variable);
        match known.get(&(read.source, place.clone())) {
            None => {
                put(terms, assignment, read, &place, value);
                known.insert((read.source, place), read);
            }
            Some(first) if incongruence.is_none() && model.value(first.variable) != value => {
                let pairs = first.indices.iter().zip(&read.indices).map(|(a, b)| [*a, *b]);
                let (reads, indices) = ([first.variable, read.variable], pairs.collect());
                incongruence = Some(Incongruence { reads, indices });
            }
            Some(_) => {}
        }
    }
    incongruence
}

/// Makes a read give a value.
fn put(terms: &Terms, assignment: &mut Assignment, read: &Read, place: &[Integer], value: Integer) {
    let symbol = match read.source {
        Source::Function(function) => {
            assignment.functions.insert((function, place.to_vec()), value);
            return;
        }
        Source::Array(symbol) => symbol,
    };
    // An array that has no value yet gets the one that evaluation would give it.
    let Ok(array) = terms.evaluate(read.term, assignment) else {
        return;
    };
    let mut layers = Vec::new();
    let mut element = array;
    for index in place {
        let Value::Array(layer) = element else {
            return;
        };
        element = layer.elements.get(index).unwrap_or(&layer.default).clone();
        layers.push((layer, index));
    }
    // From the inside out, and by `put`: values must stay in the form in which equal ones are equal.
    let mut element = Value::Int(value);
    for (mut layer, index) in layers.into_iter().rev() {
        Arc::make_mut(&mut layer).put(index.clone(), element);
        element = Value::Array(layer);
    }
    assignment.symbols.insert(symbol, element);
}
