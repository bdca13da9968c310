//! Every constructor, with terms that it cannot use.

use crate::*;
use loupe_integer::{Integer, Signedness};

const BYTE: Width = Width { bits: 8, signedness: Signedness::Unsigned };

struct Given {
    int: Term,
    flag: Term,
    array: Term,
    /// A term of a larger arena.
    foreign: Term,
}

fn arena() -> (Terms, Given) {
    let mut other = Terms::new();
    for i in 0..100 {
        other.int(i);
    }
    let foreign = other.int_symbol("far");
    let mut terms = Terms::new();
    let int = terms.int_symbol("x");
    let flag = terms.fresh("b", Sort::Bool, Origin::default());
    let array = terms.fresh("a", Sort::Array(1), Origin::default());
    (terms, Given { int, flag, array, foreign })
}

type Build = fn(&mut Terms, Term, Term) -> Term;

/// Constructors that need integers and give integers.
const ARITHMETIC: &[Build] = &[
    |t, a, b| t.add(a, b),
    |t, a, b| t.sub(a, b),
    |t, a, b| t.mul(a, b),
    |t, a, b| t.sum([a, b]),
    |t, a, b| t.add_scaled(a, b, &Integer::ZERO),
    |t, _, b| t.scale(b, &Integer::from(3)),
    |t, _, b| t.scale(b, &Integer::ZERO),
    |t, _, b| t.neg(b),
    |t, _, b| t.pow(b, 0),
    |t, _, b| t.pow(b, 3),
    |t, a, b| t.quotient(Rounding::Truncated, a, b),
    |t, a, b| t.remainder(Rounding::Euclidean, a, b),
    |t, _, b| t.power(2, b),
    |t, _, b| t.wrap(BYTE, b),
    |t, a, b| t.bits(BitOp::Xor, BYTE, a, b),
    |t, a, b| t.max(a, b),
    |t, _, b| {
        t.from_polynomial(Polynomial { constant: Integer::ONE, summands: vec![(b, Integer::ONE)] })
    },
];

/// Constructors that need integers and give truth values.
const COMPARISONS: &[Build] = &[
    |t, _, b| t.non_positive(b),
    |t, _, b| t.zero(b),
    |t, a, b| t.le(a, b),
    |t, a, b| t.lt(a, b),
    |t, a, b| t.eq(a, b),
    |t, a, b| t.eq(b, a),
    |t, a, b| t.ne(a, b),
    |t, _, b| t.divides(&Integer::from(3), b),
    |t, _, b| t.divides(&Integer::ZERO, b),
];

/// Constructors that need truth values and give truth values.
const LOGIC: &[Build] = &[
    |t, _, b| t.not(b),
    |t, a, b| t.and([a, b]),
    |t, a, b| t.or([a, b]),
    |t, a, b| t.iff(a, b),
    |t, a, b| t.implies(b, a),
    |t, a, b| t.ite(b, a, a),
    |t, a, b| t.ite(a, a, b),
];

fn check(build: Build, [good, bad]: [fn(&Given) -> Term; 2], sort: Sort, misuse: Misuse) {
    let (mut terms, given) = arena();
    let result = build(&mut terms, good(&given), bad(&given));
    assert_eq!((terms.sort(result), terms.is_starred(result)), (sort, true), "{misuse:?}");
    assert_eq!(terms.misuse(), Some(&misuse));
    let (mut terms, given) = arena();
    build(&mut terms, good(&given), good(&given));
    assert_eq!(terms.misuse(), None);
}

#[test]
fn wrong_sorts_give_unknown_values() {
    let wrong = |needed, found| Misuse::Sort { needed, found };
    for build in ARITHMETIC {
        check(*build, [|g| g.int, |g| g.flag], Sort::Int, wrong(Sort::Int, Sort::Bool));
        check(*build, [|g| g.int, |g| g.array], Sort::Int, wrong(Sort::Int, Sort::Array(1)));
        check(*build, [|g| g.int, |g| g.foreign], Sort::Int, Misuse::Foreign);
        // The other way round, where both are used.
        let (mut terms, given) = arena();
        let result = build(&mut terms, given.flag, given.int);
        assert_eq!(terms.sort(result), Sort::Int);
        assert!(terms.misuse().is_none() || terms.is_starred(result));
    }
    for build in LOGIC {
        check(*build, [|g| g.flag, |g| g.int], Sort::Bool, wrong(Sort::Bool, Sort::Int));
        check(*build, [|g| g.flag, |g| g.foreign], Sort::Bool, Misuse::Foreign);
    }
    for build in COMPARISONS {
        check(*build, [|g| g.int, |g| g.foreign], Sort::Bool, Misuse::Foreign);
        let (mut terms, given) = arena();
        let result = build(&mut terms, given.int, given.flag);
        assert_eq!(terms.sort(result), Sort::Bool);
        assert!(terms.is_starred(result) && terms.misuse().is_some());
    }
}

#[test]
fn the_first_misuse_is_kept() {
    let (mut terms, given) = arena();
    terms.add(given.int, given.flag);
    terms.not(given.foreign);
    assert_eq!(terms.misuse(), Some(&Misuse::Sort { needed: Sort::Int, found: Sort::Bool }));
}

#[test]
fn widths_without_sense() {
    for bits in [0, Width::MAX_BITS + 1, u32::MAX] {
        let (mut terms, given) = arena();
        let wrapped = terms.wrap(Width { bits, ..BYTE }, given.int);
        assert!(terms.is_starred(wrapped));
        assert_eq!(terms.misuse(), Some(&Misuse::Width(bits)));
    }
}

#[test]
fn fallible_constructors_say_so_themselves() {
    let (mut terms, given) = arena();
    let Given { int, flag, array, foreign } = given;
    assert_eq!(terms.select(int, int), Err(Misuse::NoArray(Sort::Int)));
    assert_eq!(terms.select(foreign, int), Err(Misuse::Foreign));
    assert_eq!(terms.select(array, foreign), Err(Misuse::Foreign));
    assert_eq!(terms.store(array, int, foreign), Err(Misuse::Foreign));
    let empty = terms.fresh("empty", Sort::Array(0), Origin::default());
    assert_eq!(terms.select(empty, int), Err(Misuse::NoArray(Sort::Array(0))));
    let large = terms.fresh("large", Sort::Array(255), Origin::default());
    assert_eq!(terms.lambda(int, large), Err(Misuse::Dimensions));
    assert_eq!(terms.lambda(int, flag), Err(Misuse::Sort { needed: Sort::Int, found: Sort::Bool }));
    let mut other = Terms::new();
    other.function("f", 1);
    let function = other.function("g", 1);
    assert_eq!(terms.apply(function, &[int]), Err(Misuse::Foreign));
    assert_eq!(terms.misuse(), None);
}

#[test]
fn looking_at_foreign_terms_is_no_misuse() {
    let (terms, given) = arena();
    assert_eq!(terms.node(given.foreign), &Node::Star(Sort::Bool));
    assert_eq!(terms.sort(given.foreign), Sort::Bool);
    let value = terms.evaluate(given.foreign, &Assignment::default());
    assert_eq!(value, Err(NoValue::Unknown));
    assert_eq!(terms.size(given.foreign), 1);
    let mut other = Terms::new();
    let symbols = ["p", "q", "r", "s"].map(|name| other.int_symbol(name));
    let Node::Symbol(id) = *other.node(symbols[3]) else { panic!("it is a symbol") };
    assert_eq!(terms.symbol(id).name, "");
    assert_eq!(terms.misuse(), None);
}

#[test]
fn arenas_know_themselves() {
    let (here, there) = (Terms::new(), Terms::new());
    assert_eq!(here.identity(), here.identity());
    assert_ne!(here.identity(), there.identity());
    const fn is_send<T: Send>() {}
    const { is_send::<(Terms, Portable, Mapping, Value, Assignment)>() };
}
