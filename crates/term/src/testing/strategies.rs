//! What is drawn.

use super::{ArrayPlan, FLAGS, Plan, SYMBOLS, Truth};
use crate::{BitOp, Quantifier, Rounding, Width};
use loupe_integer::Signedness;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

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
        let writes = vec((part(), part()), 0..3);
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
            1 => (vec((inner.clone(), array), 1..3), boxed.clone())
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
            vec(inner.clone(), 0..4).prop_map(Truth::And),
            vec(inner.clone(), 0..4).prop_map(Truth::Or),
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
    connect(prop_oneof![5 => comparisons(rich_plans().boxed()), 1 => flags()])
}

/// Formulas as [`rich_truths`], also with equalities of arrays, which cannot always be evaluated.
pub fn array_truths() -> impl Strategy<Value = Truth> {
    let arrays = || arrays(plans().boxed());
    connect(prop_oneof![
        5 => comparisons(rich_plans().boxed()),
        1 => flags(),
        1 => (arrays(), arrays()).prop_map(|(a, b)| Truth::SameArray(a, b)),
    ])
}

/// Widths that programs have, and others.
fn all_widths() -> impl Strategy<Value = Width> {
    let large = (select(&[1u32, 31, 32, 63, 64, 65, 128, 300]), widths());
    prop_oneof![6 => widths(), 1 => large.prop_map(|(bits, width)| Width { bits, ..width })]
}

fn varied_leaves() -> BoxedStrategy<Plan> {
    let border = vec![i64::MIN, i64::MIN + 1, i64::MAX, 1 << 62, 1 << 32, -(1 << 31), 255, 256];
    prop_oneof![12 => leaves(), 1 => select(border).prop_map(Plan::Int)].boxed()
}

/// Integers that can be evaluated, with everything but arrays of arrays: an array that is defined by a
/// formula is read at once.
pub fn varied_plans() -> BoxedStrategy<Plan> {
    varied(varied_leaves())
}

/// The same with ★ among the leaves.
pub fn starred_plans() -> BoxedStrategy<Plan> {
    varied(prop_oneof![3 => varied_leaves(), 1 => Just(Plan::Star)].boxed())
}

/// An array after writes.
fn written(start: ArrayPlan, writes: Vec<(Plan, Plan)>) -> ArrayPlan {
    writes.into_iter().fold(start, |array, (at, value)| {
        ArrayPlan::Store(Box::new(array), Box::new(at), Box::new(value))
    })
}

/// Arrays that can be evaluated as a whole.
fn varied_arrays(part: BoxedStrategy<Plan>) -> impl Strategy<Value = ArrayPlan> {
    let condition = (part.clone(), part.clone()).prop_map(|(a, b)| Box::new(Truth::Le(a, b)));
    let writes = vec((part.clone(), part.clone()), 0..3);
    let changed = writes.clone().prop_map(|writes| written(ArrayPlan::Symbol, writes));
    prop_oneof![
        2 => changed.clone(),
        1 => (part, writes)
            .prop_map(|(value, writes)| written(ArrayPlan::Constant(Box::new(value)), writes)),
        1 => (condition, changed.clone(), changed)
            .prop_map(|(c, a, b)| ArrayPlan::Ite(c, Box::new(a), Box::new(b))),
    ]
}

fn varied(leaf: BoxedStrategy<Plan>) -> BoxedStrategy<Plan> {
    let small = (-3i64..9).prop_map(|value| Box::new(Plan::Int(value)));
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let part = || inner.clone().prop_map(Box::new);
        let divisor = prop_oneof![small.clone(), part()];
        let condition = prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Truth::Le(a, b)),
            flags(),
            flags().prop_map(|flag| Truth::Not(Box::new(flag))),
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
            2 => (all_widths(), part()).prop_map(|(w, a)| Plan::Wrap(w, a)),
            1 => (bit_ops(), all_widths(), part(), divisor)
                .prop_map(|(o, w, a, b)| Plan::Bits(o, w, a, b)),
            2 => (condition, part(), part()).prop_map(|(c, a, b)| Plan::Ite(Box::new(c), a, b)),
            2 => (varied_arrays(inner.clone().boxed()), part())
                .prop_map(|(array, index)| Plan::Element(Box::new(array), index)),
            1 => (part(), part())
                .prop_map(|(body, index)| Plan::Element(Box::new(ArrayPlan::Lambda(body)), index)),
            // The function is interesting only where the second argument is 1.
            1 => (part(), prop_oneof![Just(Box::new(Plan::Int(1))), part()])
                .prop_map(|(a, b)| Plan::Apply(a, b)),
        ]
    })
    .boxed()
}

/// Formulas over [`varied_plans`], with comparisons that have to do with each other.
pub fn varied_truths() -> BoxedStrategy<Truth> {
    varied_formulas(varied_plans(), flags().boxed())
}

/// The same with ★ among the leaves.
pub fn starred_truths() -> BoxedStrategy<Truth> {
    varied_formulas(starred_plans(), prop_oneof![flags(), Just(Truth::Star)].boxed())
}

fn varied_formulas(plan: BoxedStrategy<Plan>, flag: BoxedStrategy<Truth>) -> BoxedStrategy<Truth> {
    // Comparisons of the same few things.
    let simple = (0..2usize, 0..2usize, -4i64..5, 0..3u8).prop_map(|(a, b, bound, kind)| {
        let a = Plan::Symbol(a + 1);
        let b = Plan::Add(Box::new(Plan::Symbol(b + 2)), Box::new(Plan::Int(bound)));
        let bound = Plan::Int(bound);
        match kind {
            0 => Truth::Le(a, bound),
            1 => Truth::Eq(a, bound),
            _ => Truth::Le(a, b),
        }
    });
    let arrays = || varied_arrays(plan.clone());
    let leaf = prop_oneof![
        3 => simple,
        1 => flag,
        3 => comparisons(plan.clone()),
        1 => (arrays(), arrays()).prop_map(|(a, b)| Truth::SameArray(a, b)),
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

fn flags() -> impl Strategy<Value = Truth> {
    (0..FLAGS).prop_map(Truth::Flag)
}

/// Values of symbols.
#[derive(Clone, Debug)]
pub struct Values {
    /// Of the integer symbols.
    pub symbols: Vec<i64>,
    /// Of the first elements of the array.
    pub elements: Vec<i64>,
    /// Of the truth values.
    pub flags: Vec<bool>,
    /// Of the symbols that stand for ★, one after the other and then again.
    pub stars: Vec<i64>,
}

/// Small values.
pub fn values() -> impl Strategy<Value = Values> {
    let symbols = vec(-9i64..10, SYMBOLS);
    let (elements, flags) = (vec(-4i64..5, 4), vec(any::<bool>(), FLAGS));
    (symbols, elements, flags, vec(-9i64..10, 7))
        .prop_map(|(symbols, elements, flags, stars)| Values { symbols, elements, flags, stars })
}
