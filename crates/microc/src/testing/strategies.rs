//! How programs are drawn.

use super::tree::{COUNTERS, ETree, FTree, PTree, STree, build};
use crate::ast::{BinaryOp, Program};
use loupe_integer::Integer;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Programs in which everything that the grammar allows stands anywhere: they parse and resolve,
/// and most of them go wrong when they run, or do not end.
pub fn programs() -> impl Strategy<Value = Program> {
    let function = (0u8..3, vec(1usize..4, 0..3), vec(any_stmt(), 0..4), any_expr()).prop_map(
        |(params, counts, body, result)| {
            let mut next = 0;
            let mut names = |count: usize| -> Vec<String> {
                next += count;
                (next - count..next).map(|i| format!("v{i}")).collect()
            };
            let vars = counts.into_iter().map(&mut names).collect();
            FTree { params, vars, body, result }
        },
    );
    vec(function, 1..4).prop_map(|functions| build(&functions))
}

/// Programs that are well typed and end: numbers, an array of three, a record, a pointer, counted
/// loops, calls of earlier functions. They may divide by zero or miss the array, and they read the
/// input.
pub fn terminating_programs() -> impl Strategy<Value = Program> {
    let function =
        (0u8..3, vec(typed_stmt(), 0..6), number()).prop_map(|(params, stmts, result)| {
            let vars: [&[&str]; 3] = [&NUMBERS, &["a", "r", "p"], &COUNTERS];
            let vars =
                vars.iter().map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            let mut body = initialisation();
            body.extend(stmts);
            FTree { params, vars: vars.collect(), body, result }
        });
    vec(function, 1..4).prop_map(|functions| build(&functions))
}

fn any_op() -> impl Strategy<Value = BinaryOp> {
    prop::sample::select(vec![
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
    ])
}

fn any_number() -> impl Strategy<Value = ETree> {
    let small = (-3i64..10).prop_map(Integer::from);
    let large = (any::<i64>(), 0u32..100).prop_map(|(a, shift)| Integer::from(a).shift_left(shift));
    prop_oneof![4 => small, 1 => large].prop_map(ETree::Number)
}

fn any_expr() -> impl Strategy<Value = ETree> + Clone {
    let leaf = prop_oneof![
        3 => any_number(),
        1 => Just(ETree::Null),
        1 => Just(ETree::Input),
        4 => any::<u8>().prop_map(ETree::Name),
        1 => any::<u8>().prop_map(ETree::AddressOf),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let one = inner.clone().prop_map(Box::new);
        let many = vec(inner.clone(), 0..3);
        prop_oneof![
            2 => one.clone().prop_map(ETree::Deref),
            2 => one.clone().prop_map(ETree::Alloc),
            2 => one.clone().prop_map(ETree::Not),
            8 => (any_op(), one.clone(), one.clone()).prop_map(|(op, a, b)| ETree::Binary(op, a, b)),
            2 => (one.clone(), many.clone()).prop_map(|(f, args)| ETree::Call(f, args)),
            1 => many.prop_map(ETree::Array),
            1 => vec((any::<u8>(), inner), 0..3).prop_map(ETree::Record),
            2 => (one.clone(), any::<u8>()).prop_map(|(record, field)| ETree::Field(record, field)),
            2 => (one.clone(), one).prop_map(|(array, index)| ETree::Index(array, index)),
        ]
    })
    .boxed()
}

fn any_place() -> impl Strategy<Value = PTree> {
    let place = prop_oneof![
        3 => any::<u8>().prop_map(PTree::AnyLocal),
        1 => any_expr().prop_map(PTree::Deref),
        1 => (any_expr(), any_expr()).prop_map(|(array, index)| PTree::Index(array, index)),
    ];
    place.prop_recursive(2, 3, 1, |inner| {
        (inner, any::<u8>()).prop_map(|(record, field)| PTree::Field(Box::new(record), field))
    })
}

fn any_stmt() -> impl Strategy<Value = STree> {
    let leaf = prop_oneof![
        3 => (any_place(), any_expr()).prop_map(|(place, value)| STree::Assign(place, value)),
        1 => any_expr().prop_map(STree::Output),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let one = inner.clone().prop_map(Box::new);
        prop_oneof![
            (any_expr(), one.clone(), option::of(one.clone()))
                .prop_map(|(guard, then, otherwise)| STree::If(guard, then, otherwise)),
            (any_expr(), one).prop_map(|(guard, body)| STree::While(guard, body)),
            vec(inner, 0..3).prop_map(STree::Block),
        ]
    })
}

/// The variables of [`terminating_programs`] that hold numbers.
const NUMBERS: [&str; 3] = ["x", "y", "z"];

/// Gives every variable a value.
fn initialisation() -> Vec<STree> {
    let zero = || ETree::Number(Integer::ZERO);
    let assign = |name, value| STree::Assign(PTree::Local(name), value);
    let mut stmts: Vec<STree> = NUMBERS.map(|name| assign(name, zero())).into();
    stmts.push(assign("a", ETree::Array(vec![zero(), zero(), zero()])));
    stmts.push(assign("r", ETree::Record(vec![(0, zero()), (1, zero())])));
    stmts.push(assign("p", ETree::AddressOfLocal(NUMBERS[0])));
    stmts
}

fn number_variable() -> impl Strategy<Value = &'static str> {
    prop::sample::select(NUMBERS.to_vec())
}

fn index() -> impl Strategy<Value = ETree> {
    let inside = (0u8..3).prop_map(|i| ETree::Number(Integer::from(i)));
    prop_oneof![6 => inside, 1 => number_variable().prop_map(ETree::Local)]
}

fn number() -> impl Strategy<Value = ETree> + Clone {
    let local = |name| Box::new(ETree::Local(name));
    let leaf = prop_oneof![
        4 => (-3i64..10).prop_map(|value| ETree::Number(Integer::from(value))),
        4 => number_variable().prop_map(ETree::Local),
        1 => Just(ETree::Input),
        1 => Just(ETree::Deref(local("p"))),
        1 => (0u8..2).prop_map(move |field| ETree::Field(local("r"), field)),
        1 => index().prop_map(move |index| ETree::Index(local("a"), Box::new(index))),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let one = inner.clone().prop_map(Box::new);
        prop_oneof![
            8 => (any_op(), one.clone(), one.clone()).prop_map(|(op, a, b)| ETree::Binary(op, a, b)),
            1 => one.prop_map(ETree::Not),
            1 => (any::<u8>(), vec(inner, 0..3)).prop_map(|(f, args)| ETree::CallEarlier(f, args)),
        ]
    })
    .boxed()
}

fn typed_assignment() -> impl Strategy<Value = STree> {
    let local = ETree::Local;
    let pointer = prop_oneof![
        number_variable().prop_map(ETree::AddressOfLocal),
        number().prop_map(|value| ETree::Alloc(Box::new(value))),
    ];
    prop_oneof![
        6 => (number_variable().prop_map(PTree::Local), number()),
        1 => (Just(PTree::Deref(local("p"))), number()),
        1 => (index().prop_map(move |index| PTree::Index(local("a"), index)), number()),
        1 => ((0u8..2).prop_map(|f| PTree::Field(Box::new(PTree::Local("r")), f)), number()),
        1 => (Just(PTree::Local("p")), pointer),
        1 => (Just(PTree::Local("a")), vec(number(), 3).prop_map(ETree::Array)),
    ]
    .prop_map(|(place, value)| STree::Assign(place, value))
}

fn typed_stmt() -> impl Strategy<Value = STree> {
    let leaf = prop_oneof![
        4 => typed_assignment(),
        1 => number().prop_map(STree::Output),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let one = inner.clone().prop_map(Box::new);
        prop_oneof![
            2 => (number(), one.clone(), option::of(one.clone()))
                .prop_map(|(guard, then, otherwise)| STree::If(guard, then, otherwise)),
            1 => (0u8..4, one).prop_map(|(times, body)| STree::Repeat(times, body)),
            2 => vec(inner, 0..3).prop_map(STree::Block),
        ]
    })
}
