//! The value of a term under an assignment: the definition of every operation, and the oracle for
//! everything that is done to terms.

use crate::arena::Terms;
use crate::node::{BitOp, FunctionId, Node, Quantifier, Sort, SymbolId, Term, Width};
use crate::rules;
use loupe_integer::Integer;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// An array.
    Array(Arc<ArrayValue>),
}

/// An array: all elements are the default but for some. Those that are listed may be the default as
/// well, which makes no difference.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// The elements that are listed.
    pub elements: BTreeMap<Integer, Value>,
    /// All others.
    pub default: Value,
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        let listed = self.elements.keys().chain(other.elements.keys());
        self.default == other.default && listed.into_iter().all(|at| self.get(at) == other.get(at))
    }
}

impl Eq for ArrayValue {}

/// Values for symbols and functions. What is missing is 0, false, or an array of such.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// Symbols.
    pub symbols: FxHashMap<SymbolId, Value>,
    /// Functions, by their arguments.
    pub functions: FxHashMap<(FunctionId, Vec<Integer>), Integer>,
}

/// Why a term has no value that can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoValue {
    /// It depends on ★.
    #[error("the value is unknown")]
    Unknown,
    /// A power is too large.
    #[error("a power is too large")]
    TooLarge,
    /// Quantifiers range over too many values.
    #[error("quantifiers range over too many values")]
    TooMany,
    /// An array is defined by a formula and used as a whole.
    #[error("an array that is defined by a formula has no listed elements")]
    Infinite,
    /// Binders are nested too deeply.
    #[error("binders are nested too deeply")]
    TooDeep,
}

/// Quantifiers over more values are not evaluated.
const MAX_RANGE: i64 = 10_000;
/// So many terms are evaluated below binders, each once for each value of the variables around it.
const MAX_STEPS: usize = 3_000_000;
/// Products with more bits are not evaluated.
const MAX_PRODUCT_BITS: u64 = 1 << 22;
/// Binders nested deeper are not evaluated, because evaluation recurses over them (and nothing else).
const MAX_BINDERS: u32 = 200;

/// The result of an operation on bits.
pub(crate) fn bits(op: BitOp, width: Width, a: &Integer, b: &Integer) -> Integer {
    let wrap = |value: &Integer| value.wrap(width.bits, width.signedness);
    let x = wrap(a);
    let count = b.to_i64().and_then(|count| u32::try_from(count).ok());
    let count = count.filter(|count| *count < width.bits);
    let result = match (op, count) {
        (BitOp::And, _) => x.bit_and(&wrap(b)),
        (BitOp::Or, _) => x.bit_or(&wrap(b)),
        (BitOp::Xor, _) => x.bit_xor(&wrap(b)),
        (BitOp::Shl, Some(count)) => x.shift_left(count),
        (BitOp::Shr, Some(count)) => x.shift_right(count),
        (BitOp::Shl | BitOp::Shr, None) => Integer::ZERO,
    };
    wrap(&result)
}

/// `base ^ exponent`, by squaring.
pub(crate) fn integer_power(base: &Integer, exponent: u32) -> Integer {
    let (mut result, mut square, mut rest) = (Integer::ONE, base.clone(), exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            result = result.mul(&square);
        }
        rest /= 2;
        if rest > 0 {
            square = square.mul(&square);
        }
    }
    result
}

/// The value that stands for one of this sort.
fn default_value(sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(Integer::ZERO),
        Sort::Array(dimensions) => {
            let element = Sort::Array(dimensions).element().unwrap_or(Sort::Int);
            let default = default_value(element);
            Value::Array(Arc::new(ArrayValue { elements: BTreeMap::new(), default }))
        }
    }
}

impl Terms {
    /// The value of a term.
    ///
    /// # Errors
    ///
    /// If it cannot be computed.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Result<Value, NoValue> {
        if self.binders(term) > MAX_BINDERS {
            return Err(NoValue::TooDeep);
        }
        self.evaluation(assignment).value(term, &mut FxHashMap::default())
    }

    fn evaluation<'t>(&'t self, assignment: &'t Assignment) -> Evaluation<'t> {
        let (bound, steps) = (FxHashMap::default(), MAX_STEPS);
        Evaluation { terms: self, assignment, bound, steps }
    }

    /// For each of some formulas, whether it is true, up to the first that is not. What they have in common
    /// is evaluated once.
    pub fn truths(&self, formulas: &[Term], assignment: &Assignment) -> Vec<Result<bool, NoValue>> {
        let mut evaluation = self.evaluation(assignment);
        let mut known = FxHashMap::default();
        let mut truths = Vec::with_capacity(formulas.len());
        for formula in formulas {
            let value = match self.binders(*formula) > MAX_BINDERS {
                true => Err(NoValue::TooDeep),
                false => evaluation.value(*formula, &mut known),
            };
            let truth = value.map(|value| value == Value::Bool(true));
            truths.push(truth);
            if truth == Ok(false) {
                break;
            }
        }
        truths
    }

    /// Whether all of these formulas are true, as far as that can be computed.
    pub fn all_hold(&self, formulas: &[Term], assignment: &Assignment) -> bool {
        self.truths(formulas, assignment).iter().all(|truth| *truth == Ok(true))
    }

    /// Whether a formula is true.
    ///
    /// # Errors
    ///
    /// If that cannot be computed.
    pub fn holds(&self, term: Term, assignment: &Assignment) -> Result<bool, NoValue> {
        Ok(self.evaluate(term, assignment)? == Value::Bool(true))
    }
}

/// What reading an element gives.
enum Read {
    Value(Value),
    /// This has no value yet.
    Needs(Term),
}

struct Evaluation<'t> {
    terms: &'t Terms,
    assignment: &'t Assignment,
    /// The values of the variables of the binders around.
    bound: FxHashMap<u32, Integer>,
    /// How many terms may still be evaluated below binders.
    steps: usize,
}

impl Evaluation<'_> {
    fn value(&mut self, root: Term, known: &mut FxHashMap<Term, Value>) -> Result<Value, NoValue> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if known.contains_key(&term) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            // Bodies of binders are evaluated by themselves, once for each value.
            match self.terms.node(term) {
                Node::Lambda(..) => {}
                Node::Quantified(_, _, [low, high, _]) => open.extend([*low, *high]),
                Node::Select(array, index) => match self.read(*array, *index, known)? {
                    Read::Value(value) => {
                        known.insert(term, value);
                        open.pop();
                        continue;
                    }
                    Read::Needs(part) => open.push(part),
                },
                node => node.for_each_child(|part| open.push(part)),
            }
            let mut kept = waiting;
            for position in waiting..open.len() {
                if !known.contains_key(&open[position]) {
                    open.swap(kept, position);
                    kept += 1;
                }
            }
            open.truncate(kept);
            if kept == waiting {
                if !self.bound.is_empty() {
                    self.steps = self.steps.checked_sub(1).ok_or(NoValue::TooMany)?;
                }
                let value = self.node(term, known)?;
                known.insert(term, value);
                open.pop();
            }
        }
        known.get(&root).cloned().ok_or(NoValue::Unknown)
    }

    /// The element of an array, or what must be known first. Of a chain of stores no more is looked at
    /// than needed: making arrays of all of them would take time quadratic in its length, and an array that is defined by a formula has elements, but no list of them.
    fn read(
        &mut self,
        mut array: Term,
        index: Term,
        known: &FxHashMap<Term, Value>,
    ) -> Result<Read, NoValue> {
        let Some(Value::Int(at)) = known.get(&index) else { return Ok(Read::Needs(index)) };
        let terms = self.terms;
        loop {
            if let Some(Value::Array(value)) = known.get(&array) {
                return Ok(Read::Value(value.get(at).clone()));
            }
            match terms.node(array) {
                Node::Store(inner, written, value) => match known.get(written) {
                    None => return Ok(Read::Needs(*written)),
                    Some(Value::Int(written)) if written == at => {
                        let value = *value;
                        let found = known.get(&value).cloned();
                        return Ok(found.map_or(Read::Needs(value), Read::Value));
                    }
                    Some(_) => array = *inner,
                },
                Node::Ite(condition, then, otherwise) => match known.get(condition) {
                    None => return Ok(Read::Needs(*condition)),
                    Some(Value::Bool(true)) => array = *then,
                    Some(_) => array = *otherwise,
                },
                Node::Lambda(binder, body) => {
                    return self.with(binder.0, at.clone(), *body).map(Read::Value);
                }
                _ => return Ok(Read::Needs(array)),
            }
        }
    }

    /// The value of a term whose parts have values.
    fn node(&mut self, term: Term, known: &FxHashMap<Term, Value>) -> Result<Value, NoValue> {
        let get = |part: &Term| known.get(part).cloned().ok_or(NoValue::Unknown);
        let int = |part: &Term| match known.get(part) {
            Some(Value::Int(value)) => Ok(value.clone()),
            _ => Err(NoValue::Unknown),
        };
        let truth = |part: &Term| match known.get(part) {
            Some(Value::Bool(value)) => Ok(*value),
            _ => Err(NoValue::Unknown),
        };
        let terms = self.terms;
        Ok(match terms.node(term) {
            Node::Bool(value) => Value::Bool(*value),
            Node::Int(value) => Value::Int(value.clone()),
            Node::Symbol(symbol) => {
                let value = self.assignment.symbols.get(symbol).cloned();
                value.unwrap_or_else(|| default_value(terms.sort(term)))
            }
            Node::Bound(bound) => {
                Value::Int(self.bound.get(bound).cloned().ok_or(NoValue::Unknown)?)
            }
            Node::Star(_) => return Err(NoValue::Unknown),
            Node::Sum(sum) => {
                let mut total = sum.constant.clone();
                for (monomial, coefficient) in &sum.summands {
                    total = total.add(&coefficient.mul(&int(monomial)?));
                }
                Value::Int(total)
            }
            Node::Product(factors) => {
                let mut product = Integer::ONE;
                for (atom, exponent) in factors {
                    let atom = int(atom)?;
                    // The absolute value has at most that many bits; 0, 1 and -1 stay small.
                    let bits = u64::from(*exponent).saturating_mul(atom.bits());
                    if atom.bits() > 1 && bits.saturating_add(product.bits()) > MAX_PRODUCT_BITS {
                        return Err(NoValue::TooLarge);
                    }
                    product = product.mul(&integer_power(&atom, *exponent));
                }
                Value::Int(product)
            }
            Node::Quotient(rounding, a, b) => {
                Value::Int(rules::quotient(*rounding, &int(a)?, &int(b)?))
            }
            Node::Remainder(rounding, a, b) => {
                Value::Int(rules::remainder(*rounding, &int(a)?, &int(b)?))
            }
            Node::Power(base, exponent) => {
                Value::Int(rules::power(base, &int(exponent)?).ok_or(NoValue::TooLarge)?)
            }
            Node::Wrap(width, a) => Value::Int(int(a)?.wrap(width.bits, width.signedness)),
            Node::Bits(op, width, a, b) => Value::Int(bits(*op, *width, &int(a)?, &int(b)?)),
            Node::Ite(condition, then, otherwise) => {
                if truth(condition)? {
                    get(then)?
                } else {
                    get(otherwise)?
                }
            }
            Node::Select(array, index) => match get(array)? {
                Value::Array(array) => array.get(&int(index)?).clone(),
                _ => return Err(NoValue::Unknown),
            },
            Node::Store(array, index, value) => match get(array)? {
                Value::Array(array) => {
                    let mut array = ArrayValue::clone(&array);
                    array.put(int(index)?, get(value)?);
                    Value::Array(Arc::new(array))
                }
                _ => return Err(NoValue::Unknown),
            },
            Node::ConstantArray(dimensions, value) => {
                let mut array = get(value)?;
                for _ in 0..*dimensions {
                    let elements = BTreeMap::new();
                    array = Value::Array(Arc::new(ArrayValue { elements, default: array }));
                }
                array
            }
            Node::Lambda(..) => return Err(NoValue::Infinite),
            Node::Apply(function, arguments) => {
                let arguments: Result<Vec<Integer>, NoValue> = arguments.iter().map(int).collect();
                let value = self.assignment.functions.get(&(*function, arguments?));
                Value::Int(value.cloned().unwrap_or(Integer::ZERO))
            }
            Node::Not(a) => Value::Bool(!truth(a)?),
            Node::And(parts) => {
                let values: Result<Vec<bool>, NoValue> = parts.iter().map(truth).collect();
                Value::Bool(values?.into_iter().all(|value| value))
            }
            Node::Or(parts) => {
                let values: Result<Vec<bool>, NoValue> = parts.iter().map(truth).collect();
                Value::Bool(values?.into_iter().any(|value| value))
            }
            Node::NonPositive(a) => Value::Bool(int(a)? <= Integer::ZERO),
            Node::Zero(a) => Value::Bool(int(a)?.is_zero()),
            Node::Divides(divisor, a) => {
                let rest = int(a)?.rem_euclidean(divisor);
                Value::Bool(rest.is_some_and(|rest| rest.is_zero()))
            }
            Node::SameArray(a, b) => Value::Bool(get(a)? == get(b)?),
            Node::Quantified(quantifier, binder, [low, high, body]) => Value::Bool(
                self.quantified(*quantifier, binder.0, [int(low)?, int(high)?], *body)?,
            ),
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        bound: u32,
        [low, high]: [Integer; 2],
        body: Term,
    ) -> Result<bool, NoValue> {
        let decisive = quantifier == Quantifier::Exists;
        if high <= low {
            return Ok(!decisive);
        }
        if high.sub(&low) > Integer::from(MAX_RANGE) {
            return Err(NoValue::TooMany);
        }
        let mut value = low;
        while value < high {
            if self.with(bound, value.clone(), body)? == Value::Bool(decisive) {
                return Ok(decisive);
            }
            value = value.add(&Integer::ONE);
        }
        Ok(!decisive)
    }

    /// The value of a body for one value of its variable.
    fn with(&mut self, bound: u32, value: Integer, body: Term) -> Result<Value, NoValue> {
        let outer = self.bound.insert(bound, value);
        let result = self.value(body, &mut FxHashMap::default());
        match outer {
            Some(outer) => self.bound.insert(bound, outer),
            None => self.bound.remove(&bound),
        };
        result
    }
}

impl ArrayValue {
    /// An element.
    pub fn get(&self, index: &Integer) -> &Value {
        self.elements.get(index).unwrap_or(&self.default)
    }

    /// Writes an element. What equals the default is not listed.
    pub fn put(&mut self, index: Integer, value: Value) {
        if value == self.default {
            self.elements.remove(&index);
        } else {
            self.elements.insert(index, value);
        }
    }
}
