//! What is drawn.

use super::{ArrayPlan, Plan, SYMBOLS, Truth};
use crate::{BitOp, Quantifier, Rounding, Width};
use loupe_integer::Signedness;
use proptest::prelude::*;

/// Widths of a few bits.
pub fn widths() -> impl Strategy<Value = Width> {
    let signedness = prop_oneof![Just(Signedness::Signed), Just(Signedness::Unsigned)];
    (1u32..9, signedness).prop_map(|(bits, signedness)| Width { bits, signedness })
}

/// All roundings.
pub fn roundings() -> impl Strategy<Value = Rounding> {
    prop_oneof![Just(Rounding::Euclidean), Just(Rounding::Truncated)]
}

fn bit_ops() -> impl Strategy<Value = BitOp> {
    use BitOp::{And, Or, Shl, Shr, Xor};
    prop_oneof![Just(And), Just(Or), Just(Xor), Just(Shl), Just(Shr)]
}

fn arithmetic(inner: BoxedStrategy<Plan>) -> impl Strategy<Value = Plan> {
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
    ]
}

fn leaves() -> impl Strategy<Value = Plan> {
    prop_oneof![(-6i64..7).prop_map(Plan::Int), (0..SYMBOLS).prop_map(Plan::Symbol)]
}

/// Integers that can be evaluated: arrays have writes, or are defined by a formula and read at once.
pub fn plans() -> impl Strategy<Value = Plan> {
    leaves().prop_recursive(4, 24, 3, |inner| {
        let part = || inner.clone().prop_map(Box::new);
        let writes = proptest::collection::vec((part(), part()), 0..3);
        prop_oneof![
            12 => arithmetic(inner.clone()),
            2 => (writes, part()).prop_map(|(writes, index)| {
                let array = writes.into_iter().fold(ArrayPlan::Symbol, |array, (at, value)| {
                    ArrayPlan::Store(Box::new(array), at, value)
                });
                Plan::Element(Box::new(array), index)
            }),
            1 => (part(), part())
                .prop_map(|(body, index)| Plan::Element(Box::new(ArrayPlan::Lambda(body)), index)),
        ]
    })
}

fn arrays(inner: BoxedStrategy<Plan>) -> impl Strategy<Value = ArrayPlan> {
    let boxed = inner.clone().prop_map(Box::new).boxed();
    let leaf = prop_oneof![
        2 => Just(ArrayPlan::Symbol),
        1 => boxed.clone().prop_map(ArrayPlan::Constant),
        1 => boxed.clone().prop_map(ArrayPlan::Lambda),
        1 => boxed.clone().prop_map(|index| ArrayPlan::Row(Vec::new(), index)),
    ];
    leaf.prop_recursive(2, 4, 2, move |array| {
        let below = array.clone().prop_map(Box::new).boxed();
        let condition = (inner.clone(), inner.clone()).prop_map(|(a, b)| Truth::Le(a, b));
        prop_oneof![
            2 => (below.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(array, at, value)| ArrayPlan::Store(array, at, value)),
            1 => (condition.prop_map(Box::new), below.clone(), below)
                .prop_map(|(c, a, b)| ArrayPlan::Ite(c, a, b)),
            1 => (proptest::collection::vec((inner.clone(), array), 1..3), boxed.clone())
                .prop_map(|(writes, index)| ArrayPlan::Row(writes, index)),
        ]
    })
}

/// Integers with everything that there is.
pub fn rich_plans() -> impl Strategy<Value = Plan> {
    leaves().prop_recursive(3, 12, 3, |inner| {
        let part = || inner.clone().prop_map(Box::new);
        prop_oneof![
            6 => arithmetic(inner.clone()),
            1 => (part(), part()).prop_map(|(a, b)| Plan::Apply(a, b)),
            3 => (arrays(inner.clone()).prop_map(Box::new), part())
                .prop_map(|(array, index)| Plan::Element(array, index)),
        ]
    })
}

fn connect(leaf: impl Strategy<Value = Truth> + 'static) -> impl Strategy<Value = Truth> {
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

fn comparisons(plans: BoxedStrategy<Plan>) -> impl Strategy<Value = Truth> {
    prop_oneof![
        (plans.clone(), plans.clone()).prop_map(|(a, b)| Truth::Le(a, b)),
        (plans.clone(), plans.clone()).prop_map(|(a, b)| Truth::Eq(a, b)),
        (-4i64..8, plans).prop_map(|(n, a)| Truth::Divides(n, a)),
    ]
}

/// Formulas over [`plans`].
pub fn truths() -> impl Strategy<Value = Truth> {
    connect(comparisons(plans().boxed()))
}

/// Formulas over [`rich_plans`], with symbols that are truth values.
pub fn rich_truths() -> impl Strategy<Value = Truth> {
    connect(prop_oneof![5 => comparisons(rich_plans().boxed()), 1 => Just(Truth::Symbol)])
}

/// Formulas as [`rich_truths`], also with equalities of arrays, which cannot always be evaluated.
pub fn array_truths() -> impl Strategy<Value = Truth> {
    let arrays = || arrays(plans().boxed());
    connect(prop_oneof![
        5 => comparisons(rich_plans().boxed()),
        1 => Just(Truth::Symbol),
        1 => (arrays(), arrays()).prop_map(|(a, b)| Truth::SameArray(a, b)),
    ])
}

/// Values of symbols.
#[derive(Clone, Debug)]
pub struct Values {
    /// Of the integer symbols.
    pub symbols: Vec<i64>,
    /// Of the first elements of the array.
    pub elements: Vec<i64>,
    /// Of the truth value.
    pub flag: bool,
}

/// Small values.
pub fn values() -> impl Strategy<Value = Values> {
    let symbols = proptest::collection::vec(-9i64..10, SYMBOLS);
    let elements = proptest::collection::vec(-4i64..5, 4);
    (symbols, elements, any::<bool>()).prop_map(|(symbols, elements, flag)| Values {
        symbols,
        elements,
        flag,
    })
}
