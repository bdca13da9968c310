//! Random terms and values for their symbols.

use crate::*;
use loupe_integer::{Integer, Signedness};
use proptest::collection::vec;
use proptest::prelude::*;

/// An integer, before it is a term of some arena.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
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
    /// An element of an array.
    Element(Array, Box<Plan>),
    /// An element of `λχ. body` where χ is symbol 0.
    Lambda(Box<Plan>, Box<Plan>),
    /// A function of one argument.
    Apply(Box<Plan>),
}

/// The array after writes; or another, if the truth value is false.
#[derive(Clone, Debug)]
pub(crate) enum Array {
    Writes(Vec<(Plan, Plan)>),
    Constant(Box<Plan>, Vec<(Plan, Plan)>),
    Ite(Box<Truth>, Vec<(Plan, Plan)>, Vec<(Plan, Plan)>),
}

/// A formula, before it is a term of some arena.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    Flag(usize),
    Star,
    Le(Plan, Plan),
    Eq(Plan, Plan),
    Divides(i64, Plan),
    Same(Array, Array),
    Not(Box<Truth>),
    And(Vec<Truth>),
    Or(Vec<Truth>),
    Ite(Box<Truth>, Box<Truth>, Box<Truth>),
    /// Symbol 0 is bound.
    Quantified(Quantifier, Plan, Plan, Box<Truth>),
}

const SYMBOLS: usize = 4;
const FLAGS: usize = 2;

/// Values for everything that is free in a plan.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) ints: Vec<i64>,
    flags: Vec<bool>,
    elements: Vec<i64>,
    /// Of the function, for arguments from -4 on.
    results: Vec<i64>,
    /// Of the symbols that stand for ★, one after the other.
    stars: Vec<i64>,
}

/// What stands for ★.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stars {
    Unknown,
    /// Another symbol each time.
    Symbols,
}

pub(crate) struct Builder {
    pub(crate) terms: Terms,
    pub(crate) symbols: Vec<Term>,
    pub(crate) flags: Vec<Term>,
    pub(crate) array: Term,
    function: FunctionId,
    stars: Stars,
    star_symbols: Vec<Term>,
}

pub(crate) fn symbol_of(terms: &Terms, term: Term) -> SymbolId {
    match terms.node(term) {
        Node::Symbol(id) => *id,
        node => panic!("{node:?} is no symbol"),
    }
}

impl Builder {
    pub(crate) fn new(terms: Terms) -> Self {
        Self::with_stars(terms, Stars::Unknown)
    }

    pub(crate) fn with_stars(mut terms: Terms, stars: Stars) -> Self {
        let symbols = (0..SYMBOLS).map(|i| terms.int_symbol(&format!("x{i}"))).collect();
        let flag = |i| terms.fresh(&format!("b{i}"), Sort::Bool, Origin::default());
        let flags = (0..FLAGS).map(flag).collect();
        let array = terms.fresh("a", Sort::Array(1), Origin::default());
        let function = terms.function("f", 1);
        Builder { terms, symbols, flags, array, function, stars, star_symbols: Vec::new() }
    }

    fn star(&mut self, sort: Sort) -> Term {
        if self.stars == Stars::Unknown {
            return self.terms.star(sort);
        }
        let symbol = self.terms.fresh("star", sort, Origin::default());
        self.star_symbols.push(symbol);
        symbol
    }

    pub(crate) fn int(&mut self, plan: &Plan) -> Term {
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
            Plan::Element(array, index) => {
                let (array, index) = (self.array(array), self.int(index));
                self.terms.select(array, index).expect("sorts fit")
            }
            Plan::Lambda(body, index) => {
                let (body, index) = (self.int(body), self.int(index));
                let array = self.terms.lambda(self.symbols[0], body).expect("sorts fit");
                self.terms.select(array, index).expect("sorts fit")
            }
            Plan::Apply(a) => {
                let a = self.int(a);
                self.terms.apply(self.function, &[a]).expect("sorts fit")
            }
        }
    }

    fn writes(&mut self, array: Term, writes: &[(Plan, Plan)]) -> Term {
        writes.iter().fold(array, |array, (at, value)| {
            let (at, value) = (self.int(at), self.int(value));
            self.terms.store(array, at, value).expect("sorts fit")
        })
    }

    fn array(&mut self, array: &Array) -> Term {
        match array {
            Array::Writes(writes) => self.writes(self.array, writes),
            Array::Constant(value, writes) => {
                let value = self.int(value);
                let constant = self.terms.constant_array(1, value).expect("sorts fit");
                self.writes(constant, writes)
            }
            Array::Ite(condition, first, second) => {
                let condition = self.truth(condition);
                let (first, second) =
                    (self.writes(self.array, first), self.writes(self.array, second));
                self.terms.ite(condition, first, second)
            }
        }
    }

    pub(crate) fn truth(&mut self, truth: &Truth) -> Term {
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
            Truth::Same(a, b) => {
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

    pub(crate) fn assignment(&self, world: &World) -> Assignment {
        let mut assignment = Assignment::default();
        let id = |term: &Term| symbol_of(&self.terms, *term);
        for (symbol, value) in self.symbols.iter().zip(&world.ints) {
            assignment.symbols.insert(id(symbol), Value::Int(Integer::from(*value)));
        }
        for (symbol, value) in self.flags.iter().zip(&world.flags) {
            assignment.symbols.insert(id(symbol), Value::Bool(*value));
        }
        for (symbol, value) in self.star_symbols.iter().zip(world.stars.iter().cycle()) {
            let value = match self.terms.sort(*symbol) {
                Sort::Bool => Value::Bool(value % 2 == 0),
                _ => Value::Int(Integer::from(*value)),
            };
            assignment.symbols.insert(id(symbol), value);
        }
        let default = Value::Int(Integer::ZERO);
        let mut array = ArrayValue { elements: Default::default(), default };
        for (index, value) in world.elements.iter().enumerate() {
            array.put(Integer::from(index), Value::Int(Integer::from(*value)));
        }
        assignment.symbols.insert(id(&self.array), Value::Array(array.into()));
        for (argument, value) in (-4i64..).zip(&world.results) {
            let key = (self.function, vec![Integer::from(argument)]);
            assignment.functions.insert(key, Integer::from(*value));
        }
        assignment
    }
}

pub(crate) fn widths() -> impl Strategy<Value = Width> {
    let signedness = prop_oneof![Just(Signedness::Signed), Just(Signedness::Unsigned)];
    (1u32..9, signedness).prop_map(|(bits, signedness)| Width { bits, signedness })
}

fn roundings() -> impl Strategy<Value = Rounding> {
    prop_oneof![Just(Rounding::Euclidean), Just(Rounding::Truncated)]
}

fn bit_ops() -> impl Strategy<Value = BitOp> {
    use BitOp::{And, Or, Shl, Shr, Xor};
    prop_oneof![Just(And), Just(Or), Just(Xor), Just(Shl), Just(Shr)]
}

fn leaves() -> BoxedStrategy<Plan> {
    prop_oneof![(-6i64..7).prop_map(Plan::Int), (0..SYMBOLS).prop_map(Plan::Symbol)].boxed()
}

pub(crate) fn plans() -> BoxedStrategy<Plan> {
    plans_of(leaves())
}

/// With ★ among the leaves.
pub(crate) fn starred_plans() -> BoxedStrategy<Plan> {
    plans_of(prop_oneof![3 => leaves(), 1 => Just(Plan::Star)].boxed())
}

fn writes(part: BoxedStrategy<Plan>) -> impl Strategy<Value = Vec<(Plan, Plan)>> {
    vec((part.clone(), part), 0..3)
}

fn arrays(part: BoxedStrategy<Plan>) -> impl Strategy<Value = Array> {
    let condition = (part.clone(), part.clone()).prop_map(|(a, b)| Box::new(Truth::Le(a, b)));
    prop_oneof![
        2 => writes(part.clone()).prop_map(Array::Writes),
        1 => (part.clone(), writes(part.clone()))
            .prop_map(|(value, writes)| Array::Constant(Box::new(value), writes)),
        1 => (condition, writes(part.clone()), writes(part))
            .prop_map(|(c, a, b)| Array::Ite(c, a, b)),
    ]
}

fn plans_of(leaf: BoxedStrategy<Plan>) -> BoxedStrategy<Plan> {
    let small = (-3i64..9).prop_map(|value| Box::new(Plan::Int(value)));
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let part = || inner.clone().prop_map(Box::new);
        let divisor = prop_oneof![small.clone(), part()];
        let condition = prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Truth::Le(a, b)),
            (0..FLAGS).prop_map(Truth::Flag),
            (0..FLAGS).prop_map(|flag| Truth::Not(Box::new(Truth::Flag(flag)))),
            (inner.clone(), inner.clone(), 1..4i64).prop_map(|(a, b, count)| {
                let body = Box::new(Truth::Eq(a, b));
                Truth::Quantified(Quantifier::Exists, Plan::Int(-1), Plan::Int(count), body)
            }),
        ];
        prop_oneof![
            3 => (part(), part()).prop_map(|(a, b)| Plan::Add(a, b)),
            1 => (part(), part()).prop_map(|(a, b)| Plan::Sub(a, b)),
            2 => (part(), part()).prop_map(|(a, b)| Plan::Mul(a, b)),
            1 => (roundings(), part(), divisor.clone())
                .prop_map(|(r, a, b)| Plan::Quotient(r, a, b)),
            1 => (roundings(), part(), divisor.clone())
                .prop_map(|(r, a, b)| Plan::Remainder(r, a, b)),
            1 => (-3i64..4, part()).prop_map(|(base, a)| Plan::Power(base, a)),
            2 => (widths(), part()).prop_map(|(w, a)| Plan::Wrap(w, a)),
            1 => (bit_ops(), widths(), part(), divisor)
                .prop_map(|(o, w, a, b)| Plan::Bits(o, w, a, b)),
            2 => (condition, part(), part())
                .prop_map(|(c, a, b)| Plan::Ite(Box::new(c), a, b)),
            2 => (arrays(inner.clone().boxed()), part())
                .prop_map(|(array, index)| Plan::Element(array, index)),
            1 => (part(), part()).prop_map(|(body, index)| Plan::Lambda(body, index)),
            1 => part().prop_map(Plan::Apply),
        ]
    })
    .boxed()
}

pub(crate) fn truths() -> BoxedStrategy<Truth> {
    truths_of(plans(), (0..FLAGS).prop_map(Truth::Flag).boxed())
}

/// With ★ among the leaves.
pub(crate) fn starred_truths() -> BoxedStrategy<Truth> {
    let flag = prop_oneof![(0..FLAGS).prop_map(Truth::Flag), Just(Truth::Star)];
    truths_of(starred_plans(), flag.boxed())
}

fn truths_of(plan: BoxedStrategy<Plan>, flag: BoxedStrategy<Truth>) -> BoxedStrategy<Truth> {
    // Comparisons of the same few things, so that they have to do with each other.
    let simple = || (0..2usize, 0..2usize, -4i64..5, 0..3u8);
    let simple = simple().prop_map(|(a, b, bound, kind)| {
        let a = Plan::Symbol(a + 1);
        let b = Plan::Add(Box::new(Plan::Symbol(b + 2)), Box::new(Plan::Int(bound)));
        let bound = Plan::Int(bound);
        match kind {
            0 => Truth::Le(a, bound),
            1 => Truth::Eq(a, bound),
            _ => Truth::Le(a, b),
        }
    });
    let leaf = prop_oneof![
        3 => simple,
        1 => flag,
        1 => (plan.clone(), plan.clone()).prop_map(|(a, b)| Truth::Le(a, b)),
        1 => (plan.clone(), plan.clone()).prop_map(|(a, b)| Truth::Eq(a, b)),
        1 => (-4i64..8, plan.clone()).prop_map(|(n, a)| Truth::Divides(n, a)),
        1 => (arrays(plan.clone()), arrays(plan.clone())).prop_map(|(a, b)| Truth::Same(a, b)),
    ];
    let bound = prop_oneof![3 => (-2i64..2).prop_map(Plan::Int), 1 => plan];
    leaf.prop_recursive(3, 14, 4, move |inner| {
        let part = || inner.clone().prop_map(Box::new);
        let quantifier = prop_oneof![Just(Quantifier::Forall), Just(Quantifier::Exists)];
        prop_oneof![
            1 => part().prop_map(Truth::Not),
            2 => vec(inner.clone(), 0..5).prop_map(Truth::And),
            2 => vec(inner.clone(), 0..5).prop_map(Truth::Or),
            1 => (part(), part(), part()).prop_map(|(c, a, b)| Truth::Ite(c, a, b)),
            1 => (quantifier, bound.clone(), 0i64..4, part()).prop_map(|(q, low, more, body)| {
                let high = Plan::Add(Box::new(low.clone()), Box::new(Plan::Int(more)));
                Truth::Quantified(q, low, high, body)
            }),
        ]
    })
    .boxed()
}

pub(crate) fn worlds() -> impl Strategy<Value = World> {
    let ints = vec(-9i64..10, SYMBOLS);
    let (flags, elements) = (vec(any::<bool>(), FLAGS), vec(-4i64..5, 4));
    let (results, stars) = (vec(-4i64..5, 9), vec(-9i64..10, 7));
    (ints, flags, elements, results, stars).prop_map(|(ints, flags, elements, results, stars)| {
        World { ints, flags, elements, results, stars }
    })
}
