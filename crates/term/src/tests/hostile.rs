//! Terms that nobody writes by hand, made so that plain ways of dealing with them take memory or time
//! that nobody has. A test here that fails does not end.

use crate::testing::symbol_of;
use crate::*;
use loupe_integer::{Integer, Signedness};

const BYTE: Width = Width { bits: 8, signedness: Signedness::Unsigned };

fn symbols(terms: &mut Terms, count: usize) -> Vec<Term> {
    (0..count).map(|i| terms.int_symbol(&format!("x{i}"))).collect()
}

/// A term with so many operations, one below the other, of which no rule gets hold.
fn deep(terms: &mut Terms, x: Term, depth: usize) -> Term {
    let one = terms.int(1);
    (0..depth).fold(x, |term, _| {
        let next = terms.add(term, one);
        terms.bits(BitOp::Xor, BYTE, next, x)
    })
}

fn int(value: i64) -> Value {
    Value::Int(Integer::from(value))
}

#[test]
fn powers_of_sums_are_not_multiplied_out() {
    // (x0 + … + x19)^20 has 10¹⁰ summands.
    let mut terms = Terms::new();
    let all = symbols(&mut terms, 20);
    let sum = terms.sum(all.iter().copied());
    let power = terms.pow(sum, 20);
    let mut assignment = Assignment::default();
    for (place, symbol) in (-9i64..).zip(&all) {
        assignment.symbols.insert(symbol_of(&terms, *symbol), int(place));
    }
    // -9 + … + 10 is 10.
    let expected = rules::power(&Integer::from(10), &Integer::from(20)).map(Value::Int);
    assert_eq!(terms.evaluate(power, &assignment).ok(), expected);
    // As something that is put in for a symbol, too.
    let x = terms.int_symbol("x");
    let raised = terms.pow(x, 20);
    let put = terms.substitute(raised, &Substitution::from_iter([(symbol_of(&terms, x), sum)]));
    assert_eq!(terms.evaluate(put, &assignment).ok(), expected);
    // Small ones are.
    let (cube, square) = (terms.pow(sum, 3), terms.pow(sum, 2));
    assert_eq!(cube, terms.mul(square, sum));
    assert!(matches!(terms.node(cube), Node::Sum(_)));
}

#[test]
fn numbers_beyond_all_bounds_are_unknown() {
    let mut terms = Terms::new();
    let (three, x) = (terms.int(3), terms.int_symbol("x"));
    let power = terms.pow(three, u32::MAX);
    assert_eq!(*terms.node(power), Node::Star(Sort::Int));
    let raised = terms.pow(x, u32::MAX);
    let three_for_x = Substitution::from_iter([(symbol_of(&terms, x), three)]);
    assert_eq!(terms.substitute(raised, &three_for_x), power);
    // 3^(2^60), by squares; and as a coefficient.
    let tripled = terms.scale(x, &Integer::from(3));
    for start in [three, tripled] {
        let square = (0..60).fold(start, |number, _| terms.mul(number, number));
        assert!(terms.is_starred(square));
    }
    // x := 3·x, composed with itself.
    let mut step = Substitution::from_iter([(symbol_of(&terms, x), tripled)]);
    for _ in 0..60 {
        step = terms.compose(&step.clone(), &step);
    }
    assert!(step.values().all(|value| terms.is_starred(*value)));
    assert!(terms.misuse().is_none());
}

#[test]
fn long_conjunctions_are_built_part_by_part() {
    let mut terms = Terms::new();
    let all = symbols(&mut terms, 20_000);
    let zero = terms.int(0);
    let (mut conjunction, mut disjunction) = (terms.bool(true), terms.bool(false));
    for symbol in &all {
        let (equal, different) = (terms.eq(*symbol, zero), terms.ne(*symbol, zero));
        conjunction = terms.and([conjunction, equal]);
        disjunction = terms.or([disjunction, different]);
    }
    assert_eq!(terms.not(conjunction), disjunction);
    let mut assignment = Assignment::default();
    assert_eq!(terms.holds(conjunction, &assignment), Ok(true));
    for place in [0, 300, 19_999] {
        assignment.symbols.insert(symbol_of(&terms, all[place]), int(1));
        assert_eq!(terms.holds(conjunction, &assignment), Ok(false));
        assignment.symbols.remove(&symbol_of(&terms, all[place]));
    }
    // All parts are seen, wherever they stand.
    let solved = terms.solve_equalities(&[conjunction], 10_000_000);
    assert_eq!((solved.remaining.len(), solved.eliminated.len()), (0, all.len()));
    let mut context = Context::new();
    context.assume(&mut terms, conjunction);
    assert!(all.iter().all(|symbol| context.range(&terms, *symbol).value().is_some()));
}

#[test]
fn bounds_do_not_grow_for_ever() {
    let mut terms = Terms::new();
    let mut context = Context::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.int_symbol(name));
    let (zero, large) = (terms.int(0), terms.int(i64::MAX));
    for symbol in [x, y, z] {
        for bound in [terms.le(zero, symbol), terms.le(symbol, large)] {
            context.assume(&mut terms, bound);
        }
    }
    // Each bound is the square of the one before.
    let squared = (0..50).fold(x, |term, _| {
        let a = terms.quotient(Rounding::Euclidean, term, y);
        let b = terms.quotient(Rounding::Euclidean, term, z);
        terms.mul(a, b)
    });
    assert!(context.range(&terms, squared).contains(&Integer::ZERO));
    // Each has 63 bits more than the one before.
    let scaled = (0..20_000).fold(x, |term, _| {
        let quotient = terms.quotient(Rounding::Euclidean, term, y);
        terms.scale(quotient, &Integer::from(i64::MAX))
    });
    assert!(context.range(&terms, scaled).contains(&Integer::ZERO));
}

#[test]
fn reasons_do_not_grow_for_ever() {
    // 0 ≤ x0 ≤ x1 ≤ …: each bound follows from all assumptions so far.
    let mut terms = Terms::new();
    let mut context = Context::new();
    let all = symbols(&mut terms, 20_000);
    let mut last = terms.int(0);
    for symbol in &all {
        let above = terms.le(last, *symbol);
        context.assume(&mut terms, above);
        last = *symbol;
    }
    assert!(context.range(&terms, all[50]).is_at_least(&Integer::ZERO));
    // Terms over all of them, wide and deep.
    let sum = terms.sum(all.iter().copied());
    let wrapped = all.iter().fold(sum, |term, symbol| {
        let tripled = terms.scale(term, &Integer::from(3));
        terms.bits(BitOp::Xor, BYTE, tripled, *symbol)
    });
    assert!(context.range(&terms, wrapped).is_within(&Integer::ZERO, &Integer::from(255)));
    // What contradicts them names few of them.
    let minus_one = terms.int(-1);
    let negative = terms.le(all[50], minus_one);
    context.assume(&mut terms, negative);
    assert_eq!(context.contradiction().map(<[usize]>::len), Some(52));
}

#[test]
fn what_many_share_is_looked_at_a_few_times() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let shared = deep(&mut terms, x, 20_000);
    let all = symbols(&mut terms, 20_000);
    let mut context = Context::new();
    for symbol in &all[..5_000] {
        let below = terms.le(*symbol, shared);
        context.assume(&mut terms, below);
    }
    assert_eq!(context.range(&terms, all[0]).high, Some(Integer::from(255)));
    let comparisons: Vec<Term> = all.iter().map(|symbol| terms.le(*symbol, shared)).collect();
    let conjunction = terms.and(comparisons);
    let simpler = Context::new().simplify(&mut terms, conjunction);
    assert_eq!(terms.holds(simpler, &Assignment::default()), Ok(true));
    let equalities: Vec<Term> = all.iter().map(|symbol| terms.eq(*symbol, shared)).collect();
    let solved = terms.solve_equalities(&equalities, 1_000_000);
    assert_eq!(solved.remaining.len() + solved.eliminated.len(), all.len());
}

#[test]
fn nested_quantifiers_are_evaluated_for_a_bounded_time() {
    let mut terms = Terms::new();
    let (zero, many) = (terms.int(0), terms.int(1_000));
    let all = symbols(&mut terms, 4);
    let sum = terms.sum(all.iter().copied());
    let mut formula = terms.le(zero, sum);
    for variable in &all {
        let bounds = [zero, many];
        formula =
            terms.quantify(Quantifier::Forall, *variable, bounds, formula).expect("sorts fit");
    }
    assert_eq!(terms.evaluate(formula, &Assignment::default()), Err(NoValue::TooMany));
}

#[test]
fn everything_goes_deep() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let term = deep(&mut terms, x, 100_000);
    let one = terms.int(1);
    let formula = terms.le(term, one);
    let star = terms.star(Sort::Bool);
    let starred = (0..100_000).fold(star, |formula, i| {
        let bound = terms.int(i);
        let literal = terms.le(x, bound);
        if i % 2 == 0 { terms.and([formula, literal]) } else { terms.or([formula, literal]) }
    });
    let mut context = Context::new();
    context.assume(&mut terms, formula);
    assert!(context.range(&terms, term).is_within(&Integer::ZERO, &Integer::from(255)));
    assert_eq!(context.decide(&terms, formula), Some(true));
    let simpler = Context::new().simplify(&mut terms, formula);
    assert_eq!(terms.sort(simpler), Sort::Bool);
    assert!(terms.text(formula).ends_with('…'));
    let [weaker, stronger] = [terms.weaken(starred), terms.strengthen(starred)];
    assert!(!terms.is_starred(weaker) && !terms.is_starred(stronger));
    let mut other = Terms::new();
    let mut mapping = Mapping::into_arena(&other);
    let moved = other.import(&terms.export(&[formula, starred]), &mut mapping);
    assert_eq!(moved.map(|moved| moved.len()), Ok(2));
    let solved = terms.solve_equalities(&[formula], usize::MAX);
    assert_eq!(solved.remaining.len(), 1);
}
