//! Terms built with and without the rules have the same values; substitution is evaluation.

use crate::*;
use loupe_integer::{Integer, Signedness};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

/// A formula or integer, before it is a term of some arena.
#[derive(Clone, Debug)]
enum Plan {
    Int(i64),
    Symbol(usize),
    Add(Box<Plan>, Box<Plan>),
    Mul(Box<Plan>, Box<Plan>),
    Quotient(Rounding, Box<Plan>, Box<Plan>),
    Remainder(Rounding, Box<Plan>, Box<Plan>),
    Power(i64, Box<Plan>),
    Wrap(Width, Box<Plan>),
    Bits(BitOp, Width, Box<Plan>, Box<Plan>),
    Ite(Box<Truth>, Box<Plan>, Box<Plan>),
    /// An element of an array after writes, read at an index.
    Element(Vec<(Plan, Plan)>, Box<Plan>),
    /// An element of `λχ. body` where χ is symbol 0.
    Lambda(Box<Plan>, Box<Plan>),
}

#[derive(Clone, Debug)]
enum Truth {
    Le(Plan, Plan),
    Eq(Plan, Plan),
    Divides(i64, Plan),
    Not(Box<Truth>),
    And(Vec<Truth>),
    Or(Vec<Truth>),
    Ite(Box<Truth>, Box<Truth>, Box<Truth>),
    /// Symbol 0 is bound.
    Quantified(Quantifier, Plan, Plan, Box<Truth>),
}

const SYMBOLS: usize = 4;

struct Builder {
    terms: Terms,
    symbols: Vec<Term>,
    array: Term,
}

impl Builder {
    fn new(mut terms: Terms) -> Self {
        let symbols = (0..SYMBOLS).map(|i| terms.int_symbol(&format!("x{i}"))).collect();
        let array = terms.fresh("a", Sort::Array(1), Origin::default());
        Builder { terms, symbols, array }
    }

    fn int(&mut self, plan: &Plan) -> Term {
        match plan {
            Plan::Int(value) => self.terms.int(*value),
            Plan::Symbol(i) => self.symbols[*i],
            Plan::Add(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.terms.add(a, b)
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
            Plan::Element(writes, index) => {
                let mut array = self.array;
                for (at, value) in writes {
                    let (at, value) = (self.int(at), self.int(value));
                    array = self.terms.store(array, at, value).expect("sorts fit");
                }
                let index = self.int(index);
                self.terms.select(array, index).expect("sorts fit")
            }
            Plan::Lambda(body, index) => {
                let (body, index) = (self.int(body), self.int(index));
                let array = self.terms.lambda(self.symbols[0], body).expect("sorts fit");
                self.terms.select(array, index).expect("sorts fit")
            }
        }
    }

    fn truth(&mut self, truth: &Truth) -> Term {
        match truth {
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

    fn assignment(&self, values: &[i64], elements: &[i64]) -> Assignment {
        let mut assignment = Assignment::default();
        for (symbol, value) in self.symbols.iter().zip(values) {
            let Node::Symbol(id) = *self.terms.node(*symbol) else { continue };
            assignment.symbols.insert(id, Value::Int(Integer::from(*value)));
        }
        if let Node::Symbol(id) = *self.terms.node(self.array) {
            let default = Value::Int(Integer::ZERO);
            let mut array = ArrayValue { elements: Default::default(), default };
            for (index, value) in elements.iter().enumerate() {
                array.put(Integer::from(index), Value::Int(Integer::from(*value)));
            }
            assignment.symbols.insert(id, Value::Array(array.into()));
        }
        assignment
    }
}

fn widths() -> impl Strategy<Value = Width> {
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

fn plans() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![(-6i64..7).prop_map(Plan::Int), (0..SYMBOLS).prop_map(Plan::Symbol)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let part = || inner.clone().prop_map(Box::new);
        prop_oneof![
            3 => (part(), part()).prop_map(|(a, b)| Plan::Add(a, b)),
            2 => (part(), part()).prop_map(|(a, b)| Plan::Mul(a, b)),
            1 => (roundings(), part(), part()).prop_map(|(r, a, b)| Plan::Quotient(r, a, b)),
            1 => (roundings(), part(), part()).prop_map(|(r, a, b)| Plan::Remainder(r, a, b)),
            1 => (-3i64..4, part()).prop_map(|(base, a)| Plan::Power(base, a)),
            2 => (widths(), part()).prop_map(|(w, a)| Plan::Wrap(w, a)),
            1 => (bit_ops(), widths(), part(), part()).prop_map(|(o, w, a, b)| Plan::Bits(o, w, a, b)),
            1 => (inner.clone(), inner.clone(), part(), part())
                .prop_map(|(x, y, a, b)| Plan::Ite(Box::new(Truth::Le(x, y)), a, b)),
            2 => (proptest::collection::vec((inner.clone(), inner.clone()), 0..3), part())
                .prop_map(|(writes, index)| Plan::Element(writes, index)),
            1 => (part(), part()).prop_map(|(body, index)| Plan::Lambda(body, index)),
        ]
    })
}

fn truths() -> impl Strategy<Value = Truth> {
    let leaf = prop_oneof![
        (plans(), plans()).prop_map(|(a, b)| Truth::Le(a, b)),
        (plans(), plans()).prop_map(|(a, b)| Truth::Eq(a, b)),
        (-4i64..8, plans()).prop_map(|(n, a)| Truth::Divides(n, a)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let part = || inner.clone().prop_map(Box::new);
        let quantifier = prop_oneof![Just(Quantifier::Forall), Just(Quantifier::Exists)];
        prop_oneof![
            part().prop_map(Truth::Not),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Truth::And),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Truth::Or),
            (part(), part(), part()).prop_map(|(c, a, b)| Truth::Ite(c, a, b)),
            (quantifier, -2i64..2, 0i64..4, part()).prop_map(|(q, low, more, body)| {
                Truth::Quantified(q, Plan::Int(low), Plan::Int(low + more), body)
            }),
        ]
    })
}

fn values() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    (proptest::collection::vec(-9i64..10, SYMBOLS), proptest::collection::vec(-4i64..5, 4))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn rules_keep_values(plan in plans(), (values, elements) in values()) {
        let (mut with, mut without) = (Builder::new(Terms::new()), Builder::new(Terms::without_rules()));
        let (simple, raw) = (with.int(&plan), without.int(&plan));
        let found = with.terms.evaluate(simple, &with.assignment(&values, &elements));
        let expected = without.terms.evaluate(raw, &without.assignment(&values, &elements));
        if let Ok(expected) = expected {
            prop_assert_eq!(found, Ok(expected));
        }
    }

    #[test]
    fn rules_keep_truth(truth in truths(), (values, elements) in values()) {
        let (mut with, mut without) = (Builder::new(Terms::new()), Builder::new(Terms::without_rules()));
        let (simple, raw) = (with.truth(&truth), without.truth(&truth));
        let assignment = with.assignment(&values, &elements);
        let expected = without.terms.evaluate(raw, &without.assignment(&values, &elements));
        if let Ok(expected) = expected {
            prop_assert_eq!(with.terms.evaluate(simple, &assignment), Ok(expected.clone()));
            // Negation turns it around, and twice is nothing.
            let negated = with.terms.not(simple);
            prop_assert_ne!(with.terms.evaluate(negated, &assignment), Ok(expected));
            prop_assert_eq!(with.terms.not(negated), simple);
        }
    }

    #[test]
    fn substitution_is_evaluation(truth in truths(), plan in plans(), (values, elements) in values()) {
        let mut builder = Builder::new(Terms::new());
        let (formula, term) = (builder.truth(&truth), builder.int(&plan));
        let Node::Symbol(symbol) = *builder.terms.node(builder.symbols[1]) else { unreachable!() };
        let substitution: Substitution = FxHashMap::from_iter([(symbol, term)]);
        let substituted = builder.terms.substitute(formula, &substitution);
        let mut assignment = builder.assignment(&values, &elements);
        let found = builder.terms.evaluate(substituted, &assignment);
        if let Ok(value) = builder.terms.evaluate(term, &assignment) {
            assignment.symbols.insert(symbol, value);
            if let (Ok(expected), Ok(found)) = (builder.terms.evaluate(formula, &assignment), found) {
                prop_assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn equal_terms_are_the_same() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let sum = terms.add(x, y);
    let square = terms.mul(sum, sum);
    let (xx, yy, xy) = (terms.mul(x, x), terms.mul(y, y), terms.mul(x, y));
    let two_xy = terms.scale(xy, &Integer::from(2));
    let expanded = terms.sum([yy, two_xy, xx]);
    assert_eq!(square, expanded);
    let (a, b) = (terms.lt(x, y), terms.le(y, x));
    assert_eq!(terms.not(a), b);
}

#[test]
fn polynomials_come_in_any_order() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let one = Integer::ONE;
    let summands = vec![(y, one.clone()), (x, one.clone()), (y, one.neg()), (x, Integer::ZERO)];
    let messy = Polynomial { constant: Integer::ZERO, summands };
    assert_eq!(terms.from_polynomial(messy), x);
}

#[test]
fn bound_names_do_not_matter() {
    let mut terms = Terms::new();
    let (i, j, n) = (terms.int_symbol("i"), terms.int_symbol("j"), terms.int_symbol("n"));
    let zero = terms.int(0);
    let (below_i, below_j) = (terms.lt(i, n), terms.lt(j, n));
    let all_i = terms.quantify(Quantifier::Forall, i, [zero, n], below_i).expect("sorts fit");
    let all_j = terms.quantify(Quantifier::Forall, j, [zero, n], below_j).expect("sorts fit");
    assert_eq!(all_i, all_j);
}

#[test]
fn nothing_is_caught_by_a_binder() {
    // ∀i<n. x ≤ i, with x := ite(∃i<n. i = y, 1, 0), under a binder of the same height.
    let mut terms = Terms::new();
    let names = ["i", "j", "n", "x", "y"];
    let [i, j, n, x, y] = names.map(|name| terms.int_symbol(name));
    let (zero, one) = (terms.int(0), terms.int(1));
    let at_most = terms.le(x, i);
    let all = terms.quantify(Quantifier::Forall, i, [zero, n], at_most).expect("sorts fit");
    let equal = terms.eq(j, y);
    let some = terms.quantify(Quantifier::Exists, j, [zero, n], equal).expect("sorts fit");
    let value = terms.ite(some, one, zero);
    let Node::Symbol(symbol) = *terms.node(x) else { unreachable!() };
    let put = terms.substitute(all, &FxHashMap::from_iter([(symbol, value)]));
    let id = |terms: &Terms, term| match terms.node(term) {
        Node::Symbol(symbol) => *symbol,
        _ => unreachable!(),
    };
    for (y_value, expected) in [(1, false), (5, true)] {
        let mut assignment = Assignment::default();
        for (symbol, value) in [(id(&terms, n), 3), (id(&terms, y), y_value)] {
            assignment.symbols.insert(symbol, Value::Int(Integer::from(value)));
        }
        assert_eq!(terms.holds(put, &assignment), Ok(expected));
        // The same for i = 0 alone.
        let Node::Quantified(_, binder, [_, _, body]) = *terms.node(put) else { unreachable!() };
        let first = terms.instantiate(binder, body, zero);
        assert_eq!(terms.holds(first, &assignment), Ok(expected));
    }
}

#[test]
fn depth_is_no_problem() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let width = Width { bits: 8, signedness: Signedness::Unsigned };
    let (mut term, one) = (x, terms.int(1));
    for _ in 0..1_000_000 {
        let next = terms.add(term, one);
        // Alternating widths, so that no rule applies.
        term = terms.bits(BitOp::Xor, width, next, x);
    }
    assert!(terms.size(term) > 1_000_000);
    assert!(terms.evaluate(term, &Assignment::default()).is_ok());
    let Node::Symbol(symbol) = *terms.node(x) else { unreachable!() };
    let two = terms.int(2);
    let put = terms.substitute(term, &FxHashMap::from_iter([(symbol, two)]));
    assert!(terms.as_int(put).is_some(), "constants are folded all the way up");
    let mut formula = terms.le(x, one);
    for i in 0..100_000 {
        let bound = terms.int(i);
        let literal = terms.le(x, bound);
        formula =
            if i % 2 == 0 { terms.and([formula, literal]) } else { terms.or([formula, literal]) };
    }
    assert_ne!(terms.not(formula), formula);
}
