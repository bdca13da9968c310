//! Random formulas, for property tests here and (with the feature `testing`) elsewhere.
//!
//! A formula is first drawn as a *plan*, a tree without an arena, and then built: by [`Builder`] in any
//! arena, with or without rules. A plan is small, so building recurses over it.
//!
//! Elements of arrays are built in two ways. [`Elements::Read`] reads them from the array as it is.
//! [`Elements::PushedDown`] takes the array apart while reading it, so that no array that is defined by
//! a formula is left, which [`Terms::evaluate`] would not evaluate: the oracle for the first way.

mod strategies;

use crate::{
    ArrayValue, Assignment, BitOp, FunctionId, Node, Origin, Quantifier, Rounding, Sort, SymbolId,
    Term, Terms, Value, Width,
};
use loupe_integer::Integer;
pub use strategies::{
    Values, array_truths, plans, rich_plans, rich_truths, roundings, starred_plans, starred_truths,
    truths, values, varied_plans, varied_truths, widths,
};

/// An integer, before it is a term of some arena.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "named like the operations of terms")]
pub enum Plan {
    Int(i64),
    Symbol(usize),
    Star,
    Add(Box<Plan>, Box<Plan>),
    Sub(Box<Plan>, Box<Plan>),
    Mul(Box<Plan>, Box<Plan>),
    Quotient(Rounding, Box<Plan>, Box<Plan>),
    Remainder(Rounding, Box<Plan>, Box<Plan>),
    Power(i64, Box<Plan>),
    Wrap(Width, Box<Plan>),
    Bits(BitOp, Width, Box<Plan>, Box<Plan>),
    Ite(Box<Truth>, Box<Plan>, Box<Plan>),
    /// The function of two arguments.
    Apply(Box<Plan>, Box<Plan>),
    /// An element of an array after writes, read at an index.
    Element(Box<ArrayPlan>, Box<Plan>),
}

/// An array with one dimension.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "named like the operations of terms")]
pub enum ArrayPlan {
    Symbol,
    /// A row of the array with two dimensions, after writes of whole rows.
    Row(Vec<(Plan, ArrayPlan)>, Box<Plan>),
    Store(Box<ArrayPlan>, Box<Plan>, Box<Plan>),
    Constant(Box<Plan>),
    /// `λχ. body` where χ is symbol 0.
    Lambda(Box<Plan>),
    Ite(Box<Truth>, Box<ArrayPlan>, Box<ArrayPlan>),
}

/// A formula.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "named like the operations of terms")]
pub enum Truth {
    Flag(usize),
    Star,
    Le(Plan, Plan),
    Eq(Plan, Plan),
    Divides(i64, Plan),
    SameArray(ArrayPlan, ArrayPlan),
    Not(Box<Truth>),
    And(Vec<Truth>),
    Or(Vec<Truth>),
    Ite(Box<Truth>, Box<Truth>, Box<Truth>),
    /// Symbol 0 is bound.
    Quantified(Quantifier, Plan, Plan, Box<Truth>),
}

/// How many integer symbols there are.
pub const SYMBOLS: usize = 4;

/// How many symbols for truth values there are.
pub const FLAGS: usize = 2;

/// What stands for ★.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stars {
    /// ★.
    Unknown,
    /// Another symbol each time: the oracle for ★.
    Symbols,
}

/// How elements of arrays are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// As reads of the array.
    Read,
    /// As choices between what was written.
    PushedDown,
}

/// Builds plans in an arena.
pub struct Builder {
    /// The arena.
    pub terms: Terms,
    /// The integer symbols `x0`, `x1`, ….
    pub symbols: Vec<Term>,
    /// The truth values `p` and `q`.
    pub flags: Vec<Term>,
    /// The array `a`.
    pub array: Term,
    /// The array `m` with two dimensions.
    pub matrix: Term,
    /// The function `f` of two arguments.
    pub function: FunctionId,
    elements: Elements,
    stars: Stars,
    star_symbols: Vec<Term>,
}

impl Builder {
    /// A builder in this arena, to which symbols are added. ★ is ★.
    pub fn new(mut terms: Terms, elements: Elements) -> Self {
        let symbols = (0..SYMBOLS).map(|i| terms.int_symbol(&format!("x{i}"))).collect();
        let array = terms.fresh("a", Sort::Array(1), Origin::default());
        let matrix = terms.fresh("m", Sort::Array(2), Origin::default());
        let flags = ["p", "q"].map(|name| terms.fresh(name, Sort::Bool, Origin::default())).into();
        let function = terms.function("f", 2);
        let (stars, star_symbols) = (Stars::Unknown, Vec::new());
        Builder { terms, symbols, flags, array, matrix, function, elements, stars, star_symbols }
    }

    /// The same symbols, with something else for ★.
    pub fn with_stars(self, stars: Stars) -> Self {
        Builder { stars, ..self }
    }

    fn star(&mut self, sort: Sort) -> Term {
        if self.stars == Stars::Unknown {
            return self.terms.star(sort);
        }
        let symbol = self.terms.fresh("star", sort, Origin::default());
        self.star_symbols.push(symbol);
        symbol
    }

    /// The same symbols, with elements built in another way.
    pub fn with_elements(self, elements: Elements) -> Self {
        Builder { elements, ..self }
    }

    /// The integer of a plan.
    pub fn int(&mut self, plan: &Plan) -> Term {
        match plan {
            Plan::Int(value) => self.terms.int(*value),
            Plan::Symbol(i) => self.symbols[*i],
            Plan::Star => self.star(Sort::Int),
            Plan::Add(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.add(a, b)
            }
            Plan::Sub(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.sub(a, b)
            }
            Plan::Mul(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.mul(a, b)
            }
            Plan::Quotient(rounding, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.quotient(*rounding, a, b)
            }
            Plan::Remainder(rounding, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.remainder(*rounding, a, b)
            }
            Plan::Power(base, a) => {
                let a = self.int(a);
                self.terms.power(*base, a)
            }
            Plan::Wrap(width, a) => {
                let a = self.int(a);
                self.terms.wrap(*width, a)
            }
            Plan::Bits(op, width, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.bits(*op, *width, a, b)
            }
            Plan::Ite(c, a, b) => {
                let (c, a, b) = (self.truth(c), self.int(a), self.int(b));
                self.terms.ite(c, a, b)
            }
            Plan::Apply(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.apply(self.function, &[a, b]).expect("sorts fit")
            }
            Plan::Element(array, index) => {
                let index = self.int(index);
                self.element(array, index)
            }
        }
    }

    /// The array of a plan.
    pub fn array(&mut self, plan: &ArrayPlan) -> Term {
        match plan {
            ArrayPlan::Symbol => self.array,
            ArrayPlan::Row(writes, index) => {
                let mut matrix = self.matrix;
                for (at, row) in writes {
                    let (at, row) = (self.int(at), self.array(row));
                    matrix = self.terms.store(matrix, at, row).expect("sorts fit");
                }
                let index = self.int(index);
                self.terms.select(matrix, index).expect("sorts fit")
            }
            ArrayPlan::Store(array, at, value) => {
                let (array, at, value) = (self.array(array), self.int(at), self.int(value));
                self.terms.store(array, at, value).expect("sorts fit")
            }
            ArrayPlan::Constant(value) => {
                let value = self.int(value);
                self.terms.constant_array(1, value).expect("sorts fit")
            }
            ArrayPlan::Lambda(body) => {
                let body = self.int(body);
                self.terms.lambda(self.symbols[0], body).expect("sorts fit")
            }
            ArrayPlan::Ite(c, a, b) => {
                let (c, a, b) = (self.truth(c), self.array(a), self.array(b));
                self.terms.ite(c, a, b)
            }
        }
    }

    fn element(&mut self, plan: &ArrayPlan, index: Term) -> Term {
        match (plan, self.elements) {
            (ArrayPlan::Store(array, at, value), Elements::PushedDown) => {
                let (at, value) = (self.int(at), self.int(value));
                let (here, below) = (self.terms.eq(at, index), self.element(array, index));
                self.terms.ite(here, value, below)
            }
            (ArrayPlan::Row(writes, row), Elements::PushedDown) => {
                let row = self.int(row);
                let whole = self.terms.select(self.matrix, row).expect("sorts fit");
                let mut result = self.terms.select(whole, index).expect("sorts fit");
                for (at, written) in writes {
                    let (at, value) = (self.int(at), self.element(written, index));
                    let here = self.terms.eq(at, row);
                    result = self.terms.ite(here, value, result);
                }
                result
            }
            (ArrayPlan::Ite(c, a, b), Elements::PushedDown) => {
                let (c, a, b) = (self.truth(c), self.element(a, index), self.element(b, index));
                self.terms.ite(c, a, b)
            }
            _ => {
                let array = self.array(plan);
                self.terms.select(array, index).expect("sorts fit")
            }
        }
    }

    /// The formula of a plan.
    pub fn truth(&mut self, truth: &Truth) -> Term {
        match truth {
            Truth::Flag(i) => self.flags[*i],
            Truth::Star => self.star(Sort::Bool),
            Truth::Le(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.le(a, b)
            }
            Truth::Eq(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.eq(a, b)
            }
            Truth::Divides(n, a) => {
                let a = self.int(a);
                self.terms.divides(&Integer::from(*n), a)
            }
            Truth::SameArray(a, b) => {
                let (a, b) = (self.array(a), self.array(b));
                self.terms.eq(a, b)
            }
            Truth::Not(a) => {
                let a = self.truth(a);
                self.terms.not(a)
            }
            Truth::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.truth(part)).collect();
                self.terms.and(parts)
            }
            Truth::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.truth(part)).collect();
                self.terms.or(parts)
            }
            Truth::Ite(c, a, b) => {
                let (c, a, b) = (self.truth(c), self.truth(a), self.truth(b));
                self.terms.ite(c, a, b)
            }
            Truth::Quantified(quantifier, low, high, body) => {
                let bounds = [self.int(low), self.int(high)];
                let body = self.truth(body);
                self.terms.quantify(*quantifier, self.symbols[0], bounds, body).expect("sorts fit")
            }
        }
    }

    /// The assignment with these values: elements of the array from index 0, the rows of the matrix
    /// from index 0, and the function on small arguments.
    pub fn assignment(&self, values: &Values) -> Assignment {
        let mut assignment = Assignment::default();
        for (symbol, value) in self.symbols.iter().zip(&values.symbols) {
            assignment.symbols.insert(self.id(*symbol), Value::Int(Integer::from(*value)));
        }
        for (symbol, value) in self.flags.iter().zip(&values.flags) {
            assignment.symbols.insert(self.id(*symbol), Value::Bool(*value));
        }
        for (symbol, value) in self.star_symbols.iter().zip(values.stars.iter().cycle()) {
            let value = match self.terms.sort(*symbol) {
                Sort::Bool => Value::Bool(value % 2 == 0),
                _ => Value::Int(Integer::from(*value)),
            };
            assignment.symbols.insert(self.id(*symbol), value);
        }
        let row = |elements: &[i64]| {
            let default = Value::Int(Integer::ZERO);
            let mut array = ArrayValue { elements: Default::default(), default };
            for (index, value) in elements.iter().enumerate() {
                array.put(Integer::from(index), Value::Int(Integer::from(*value)));
            }
            Value::Array(array.into())
        };
        assignment.symbols.insert(self.id(self.array), row(&values.elements));
        let mut matrix = ArrayValue { elements: Default::default(), default: row(&[]) };
        matrix.put(Integer::ONE, row(&values.elements));
        assignment.symbols.insert(self.id(self.matrix), Value::Array(matrix.into()));
        for (index, value) in values.elements.iter().enumerate() {
            let arguments = vec![Integer::from(index), Integer::ONE];
            assignment.functions.insert((self.function, arguments), Integer::from(*value));
        }
        assignment
    }

    fn id(&self, symbol: Term) -> SymbolId {
        symbol_of(&self.terms, symbol)
    }
}

/// The symbol that a term is.
///
/// # Panics
///
/// If it is none.
pub fn symbol_of(terms: &Terms, term: Term) -> SymbolId {
    match terms.node(term) {
        Node::Symbol(id) => *id,
        node => panic!("a symbol, not {node:?}"),
    }
}
