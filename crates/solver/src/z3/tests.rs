use super::*;
use crate::{Interrupt, Limits};
use loupe_integer::{Integer, Signedness};
use loupe_term::Node;
use loupe_term::{BitOp, Origin, Quantifier, Sort, Width};
use std::time::Duration;

fn check(terms: &mut Terms, assertions: &[Term]) -> Answer {
    let limits = Limits::default();
    Z3::new().check(terms, &Query { assertions, limits: &limits }).expect("a sensible query")
}

fn is_sat(answer: &Answer) -> bool {
    matches!(answer, Answer::Sat(model) if model.evidence == Evidence::Evaluated)
}

fn is_unsat(answer: &Answer) -> bool {
    matches!(answer, Answer::Unsat(_))
}

/// Fermat's equation with exponent 3: no solution, and no solver finds that out.
fn hard(terms: &mut Terms) -> Vec<Term> {
    let cubes = ["x", "y", "z"].map(|name| {
        let symbol = terms.int_symbol(name);
        (symbol, terms.pow(symbol, 3))
    });
    let one = terms.int(1);
    let mut assertions: Vec<Term> = cubes.iter().map(|(x, _)| terms.le(one, *x)).collect();
    let sum = terms.add(cubes[0].1, cubes[1].1);
    assertions.push(terms.eq(sum, cubes[2].1));
    assertions
}

#[test]
fn a_path_grows_and_is_taken_back() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let (ten, zero) = (terms.int(10), terms.int(0));
    let (a, b) = (terms.lt(x, y), terms.lt(y, ten));
    let (c, d) = (terms.lt(ten, x), terms.le(zero, x));
    let mut z3 = Z3::new();
    let limits = Limits::default();
    let mut ask = |terms: &mut Terms, assertions: &[Term]| {
        z3.check(terms, &Query { assertions, limits: &limits }).expect("a sensible query")
    };
    assert!(is_sat(&ask(&mut terms, &[])));
    assert!(is_sat(&ask(&mut terms, &[a, b])));
    let Answer::Unsat(core) = ask(&mut terms, &[a, b, d, c]) else { panic!("10 < x < y < 10") };
    assert_eq!(core, [0, 1, 3]);
    assert!(is_sat(&ask(&mut terms, &[a, b, d])));
    assert!(is_sat(&ask(&mut terms, &[c, d])));
    // Once more with what was asked before, in another order.
    assert!(is_unsat(&ask(&mut terms, &[c, b, a])));
}

#[test]
fn division_by_zero_is_zero() {
    use loupe_term::Rounding::{Euclidean, Truncated};
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let zero = terms.int(0);
    let y_is_zero = terms.eq(y, zero);
    for rounding in [Euclidean, Truncated] {
        let (quotient, rest) = (terms.quotient(rounding, x, y), terms.remainder(rounding, x, y));
        let (other_quotient, other_rest) = (terms.ne(quotient, zero), terms.ne(rest, x));
        assert!(is_unsat(&check(&mut terms, &[y_is_zero, other_quotient])));
        assert!(is_unsat(&check(&mut terms, &[y_is_zero, other_rest])));
        assert!(is_sat(&check(&mut terms, &[other_rest])));
    }
}

#[test]
fn powers_grow() {
    let mut terms = Terms::new();
    let (k, x) = (terms.int_symbol("k"), terms.int_symbol("x"));
    let power = terms.power(2, k);
    let (zero, one, thousand) = (terms.int(0), terms.int(1), terms.int(1_000));
    let (large, small) = (terms.le(thousand, power), terms.le(k, zero));
    assert!(is_unsat(&check(&mut terms, &[large, small])));
    assert!(is_sat(&check(&mut terms, &[large])));
    // 2ᵏ⁺¹ = 2·2ᵏ for k ≥ 0.
    let next = terms.add(k, one);
    let next = terms.power(2, next);
    let double = terms.scale(power, &Integer::from(2));
    let (natural, differ) = (terms.le(zero, k), terms.ne(next, double));
    assert!(is_unsat(&check(&mut terms, &[natural, differ])));
    assert!(is_sat(&check(&mut terms, &[differ])));
    // 3ᵏ = 243 has one solution, and 3ᵏ = 100 none (which would take induction: not `sat` at least).
    let power = terms.power(3, k);
    let (target, wrong) = (terms.int(243), terms.int(100));
    let (hit, miss, is_k) = (terms.eq(power, target), terms.eq(power, wrong), terms.eq(k, x));
    let Answer::Sat(model) = check(&mut terms, &[hit, is_k]) else { panic!("3⁵ = 243") };
    assert_eq!(terms.evaluate(x, &model.values), Ok(loupe_term::Value::Int(Integer::from(5))));
    assert!(!is_sat(&check(&mut terms, &[miss])));
}

#[test]
fn arrays_and_functions_have_models() {
    let mut terms = Terms::new();
    let a = terms.fresh("a", Sort::Array(2), Origin::default());
    let (i, j) = (terms.int_symbol("i"), terms.int_symbol("j"));
    let f = terms.function("f", 2);
    let row = terms.select(a, i).expect("an array");
    let element = terms.select(row, j).expect("an array");
    let image = terms.apply(f, &[i, element]).expect("two arguments");
    let (five, seven) = (terms.int(5), terms.int(7));
    let assertions = [terms.eq(element, five), terms.eq(image, seven), terms.lt(i, j)];
    assert!(is_sat(&check(&mut terms, &assertions)));
}

#[test]
fn definitions_of_arrays_are_understood() {
    // (λχ. ite(χ < n, χ, a[χ]))[i] ≠ i needs i ≥ n.
    let mut terms = Terms::new();
    let a = terms.fresh("a", Sort::Array(1), Origin::default());
    let b = terms.fresh("b", Sort::Array(1), Origin::default());
    let [chi, n, i] = ["c", "n", "i"].map(|name| terms.int_symbol(name));
    let (below, old) = (terms.lt(chi, n), terms.select(a, chi).expect("an array"));
    let body = terms.ite(below, chi, old);
    let definition = terms.lambda(chi, body).expect("a symbol");
    let same = terms.eq(b, definition);
    let element = terms.select(b, i).expect("an array");
    let (differs, inside) = (terms.ne(element, i), terms.lt(i, n));
    assert!(is_unsat(&check(&mut terms, &[same, differs, inside])));
}

#[test]
fn quantifiers_are_understood() {
    // A[t] = 0 for all t in 0..n, and A[i] ≠ 0 for some i in the range.
    let mut terms = Terms::new();
    let a = terms.fresh("a", Sort::Array(1), Origin::default());
    let [t, n, i] = ["t", "n", "i"].map(|name| terms.int_symbol(name));
    let zero = terms.int(0);
    let at = terms.select(a, t).expect("an array");
    let is_zero = terms.eq(at, zero);
    let all = terms.quantify(Quantifier::Forall, t, [zero, n], is_zero).expect("sorts fit");
    let here = terms.select(a, i).expect("an array");
    let (other, low, high) = (terms.ne(here, zero), terms.le(zero, i), terms.lt(i, n));
    assert!(is_unsat(&check(&mut terms, &[all, other, low, high])));
}

#[test]
fn work_is_limited() {
    let mut terms = Terms::new();
    let assertions = hard(&mut terms);
    let limits = Limits { work: 20_000, ..Limits::default() };
    let mut z3 = Z3::new();
    let answer = z3.check(&mut terms, &Query { assertions: &assertions, limits: &limits });
    assert!(matches!(answer, Ok(Answer::Unknown(Reason::Work))), "{answer:?}");
    // And the backend is as good as new.
    let answer = z3.check(&mut terms, &Query { assertions: &assertions[..3], limits: &limits });
    assert!(matches!(answer, Ok(Answer::Sat(_))), "{answer:?}");
}

#[test]
fn the_clock_stops_a_query() {
    let mut terms = Terms::new();
    let assertions = hard(&mut terms);
    let time = Duration::from_millis(100);
    let limits = Limits { work: u64::MAX, time, ..Limits::default() };
    let start = Instant::now();
    let answer = Z3::new().check(&mut terms, &Query { assertions: &assertions, limits: &limits });
    assert!(matches!(answer, Ok(Answer::Unknown(Reason::Time))), "{answer:?}");
    assert!(start.elapsed() < time + Duration::from_millis(600), "{:?}", start.elapsed());
}

#[test]
fn an_interrupt_takes_effect_within_300_ms() {
    let mut terms = Terms::new();
    let assertions = hard(&mut terms);
    let interrupt = Interrupt::default();
    let limits = Limits { work: u64::MAX, interrupt: interrupt.clone(), ..Limits::default() };
    let mut z3 = Z3::new();
    let asked = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        interrupt.request();
        Instant::now()
    });
    let answer = z3.check(&mut terms, &Query { assertions: &assertions, limits: &limits });
    let end = Instant::now();
    let asked = asked.join().expect("the thread only sleeps");
    assert!(matches!(answer, Ok(Answer::Unknown(Reason::Interrupted))), "{answer:?}");
    // Twice the promise, because other tests share the machine.
    assert!(end.duration_since(asked) < Duration::from_millis(600), "{:?}", end - asked);
    limits.interrupt.clear();
    let answer = z3.check(&mut terms, &Query { assertions: &assertions[..2], limits: &limits });
    assert!(matches!(answer, Ok(Answer::Sat(_))), "{answer:?}");
}

#[test]
fn memory_is_limited() {
    let mut terms = Terms::new();
    let assertions = hard(&mut terms);
    let limits = Limits { work: u64::MAX, memory: 1, ..Limits::default() };
    let mut z3 = Z3::new();
    let easy = &assertions[..2];
    let answer = z3.check(&mut terms, &Query { assertions: easy, limits: &Limits::default() });
    assert!(matches!(answer, Ok(Answer::Sat(_))) && !z3.stacks.is_empty(), "{answer:?}");
    let answer = z3.check(&mut terms, &Query { assertions: &assertions, limits: &limits });
    assert!(matches!(answer, Ok(Answer::Unknown(Reason::Memory))), "{answer:?}");
    // Nothing is held for later that may be what fills the memory.
    assert!(z3.stacks.is_empty());
}

/// None of this needs time that grows with the square of the size.
#[test]
fn many_powers_applications_and_wide_integers_are_no_obstacle() {
    let mut terms = Terms::new();
    let (x, zero) = (terms.int_symbol("x"), terms.int(0));
    let f = terms.function("f", 1);
    let nested = (0..1_000).fold(x, |below, _| terms.apply(f, &[below]).expect("one argument"));
    let start = Instant::now();
    let reached = terms.eq(nested, zero);
    assert!(is_sat(&check(&mut terms, &[reached])));
    let mut powers = Vec::new();
    for i in 0..300 {
        let k = terms.int_symbol(&format!("k{i}"));
        powers.push(terms.power(2, k));
    }
    let sum = terms.sum(powers);
    let negative = terms.lt(sum, zero);
    assert!(is_unsat(&check(&mut terms, &[negative])));
    let width = Width { bits: Width::MAX_BITS, signedness: Signedness::Unsigned };
    let (wide, one) = (terms.bits(BitOp::And, width, x, x), terms.int(1));
    let assertions = [terms.le(zero, x), terms.le(x, one), terms.lt(one, wide)];
    let limits = Limits { time: Duration::from_millis(500), ..Limits::default() };
    let query = Query { assertions: &assertions, limits: &limits };
    assert!(Z3::new().check(&mut terms, &query).is_ok());
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[test]
fn no_work_is_not_unlimited_work() {
    let mut terms = Terms::new();
    let assertions = hard(&mut terms);
    let limits = Limits { work: 0, ..Limits::default() };
    let query = Query { assertions: &assertions, limits: &limits };
    let answer = Z3::new().check(&mut terms, &query);
    assert!(matches!(answer, Ok(Answer::Unknown(Reason::Work))), "{answer:?}");
    let x = terms.int_symbol("x");
    let optimum = Z3::new().optimise(&mut terms, &query, x, Goalpost::Largest);
    assert_eq!(optimum, Ok(Optimum::Unknown(Reason::Work)));
}

#[test]
fn nothing_is_begun_after_an_interrupt_or_without_time() {
    let mut terms = Terms::new();
    let (x, zero) = (terms.int_symbol("x"), terms.int(0));
    let easy = [terms.le(x, zero)];
    let interrupt = Interrupt::default();
    interrupt.request();
    let interrupted = Limits { interrupt, ..Limits::default() };
    let late = Limits { time: Duration::ZERO, ..Limits::default() };
    for (limits, wanted) in [(interrupted, Reason::Interrupted), (late, Reason::Time)] {
        let query = Query { assertions: &easy, limits: &limits };
        let answer = Z3::new().check(&mut terms, &query);
        assert!(matches!(answer, Ok(Answer::Unknown(reason)) if reason == wanted));
    }
}

#[test]
fn nonsense_is_an_error() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let star = terms.star(Sort::Bool);
    let limits = Limits::default();
    for (assertion, wanted) in [(x, "not well-formed"), (star, "unknown value")] {
        let answer =
            Z3::new().check(&mut terms, &Query { assertions: &[assertion], limits: &limits });
        let message = answer.map(|_| ()).map_err(|error| error.to_string());
        assert!(message.as_ref().is_err_and(|text| text.contains(wanted)), "{message:?}");
    }
}

#[test]
fn bits_are_those_of_machines() {
    let mut terms = Terms::new();
    let width = Width { bits: 16, signedness: Signedness::Unsigned };
    let x = terms.int_symbol("x");
    let (one, zero) = (terms.int(1), terms.int(0));
    let below = terms.sub(x, one);
    let both = terms.bits(BitOp::And, width, x, below);
    // A power of two above 300, in 16 bits.
    let (low, high) = (terms.int(300), terms.int(65_535));
    let assertions = [terms.le(low, x), terms.le(x, high), terms.eq(both, zero)];
    let Answer::Sat(model) = check(&mut terms, &assertions) else { panic!("512 is one") };
    let Ok(loupe_term::Value::Int(value)) = terms.evaluate(x, &model.values) else { panic!() };
    assert!(u64::try_from(value.to_i64().unwrap_or(0)).is_ok_and(u64::is_power_of_two), "{value}");
    let odd = terms.bits(BitOp::And, width, x, one);
    let is_odd = terms.eq(odd, one);
    let mut assertions = assertions.to_vec();
    assertions.push(is_odd);
    assert!(is_unsat(&check(&mut terms, &assertions)));
}

/// `∃ y. φ(x, y)` by elimination against trying all values of `y` that can matter.
#[test]
fn elimination_agrees_with_brute_force() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let Node::Symbol(eliminated) = *terms.node(y) else { panic!("a symbol") };
    let [low, high] = [-20, 20].map(|bound| terms.int(bound));
    let bounds = [terms.le(low, y), terms.le(y, high)];
    let limits = Limits::default();
    let mut z3 = Z3::new();
    let mut solved = 0;
    for a in [-3i64, 1, 2] {
        for b in [-2, 1, 3] {
            for c in [-1, 0, 4] {
                let (scaled_x, scaled_y) =
                    (terms.scale(x, &Integer::from(a)), terms.scale(y, &Integer::from(b)));
                let sum = terms.add(scaled_x, scaled_y);
                let constant = terms.int(c);
                let literals = [
                    terms.le(sum, constant),
                    terms.eq(sum, constant),
                    terms.divides(&Integer::from(3), sum),
                ];
                let relation = literals[(a + b + c).rem_euclid(3) as usize];
                let order = terms.le(x, y);
                let formula = terms.and([bounds[0], bounds[1], relation, order]);
                let result = z3.eliminate(&mut terms, &[eliminated], formula, &limits);
                let Ok(Elimination::Formula(result)) = result else { panic!("{result:?}") };
                solved += 1;
                for value in -8..8 {
                    let mut values = loupe_term::Assignment::default();
                    let Node::Symbol(kept) = *terms.node(x) else { panic!("a symbol") };
                    let put = |id, value: i64, values: &mut loupe_term::Assignment| {
                        values.symbols.insert(id, loupe_term::Value::Int(Integer::from(value)));
                    };
                    put(kept, value, &mut values);
                    let found = terms.holds(result, &values);
                    let expected = (-20..=20).any(|other| {
                        put(eliminated, other, &mut values);
                        terms.holds(formula, &values) == Ok(true)
                    });
                    assert_eq!(found, Ok(expected), "x = {value}, {a} {b} {c}");
                }
            }
        }
    }
    assert_eq!(solved, 27);
}

#[test]
fn an_elimination_that_was_stopped_stops_no_other() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.int_symbol(name));
    let Node::Symbol(eliminated) = *terms.node(y) else { panic!("a symbol") };
    let width = Width { bits: 4, signedness: Signedness::Signed };
    let mut parts = Vec::new();
    for i in 0..6 {
        for (other, bound, factor) in [(x, z, 3 + i), (z, x, 1)] {
            let sum = terms.scale(other, &Integer::from(7 - i));
            let sum = terms.add_scaled(sum, y, &Integer::from(factor));
            let wrapped = terms.wrap(width, sum);
            parts.push(terms.lt(wrapped, bound));
        }
    }
    let long = terms.and(parts);
    let between = [terms.le(x, y), terms.le(y, z)];
    let short = terms.and(between);
    let (limits, mut z3) = (Limits::default(), Z3::new());
    let hurried = Limits { time: Duration::from_millis(20), ..Limits::default() };
    let result = z3.eliminate(&mut terms, &[eliminated], long, &hurried);
    assert_eq!(result, Ok(Elimination::Unknown(Reason::Time)));
    let result = z3.eliminate(&mut terms, &[eliminated], short, &limits);
    assert!(matches!(result, Ok(Elimination::Formula(_))), "{result:?}");
}

/// `∃a. a[x] < a[y]` is `x ≠ y`, but Z3 says *true*; and other theories are not for elimination either.
#[test]
fn elimination_is_refused_beyond_linear_arithmetic() {
    let mut terms = Terms::new();
    let a = terms.fresh("a", Sort::Array(1), Origin::default());
    let [x, y] = ["x", "y"].map(|name| terms.int_symbol(name));
    let [first, second] = [x, y].map(|index| terms.select(a, index).expect("an array"));
    let (product, power) = (terms.mul(x, y), terms.power(2, x));
    let below = [terms.lt(first, second), terms.lt(product, y), terms.lt(power, y)];
    for formula in below {
        for variable in terms.free_symbols(formula) {
            let result = Z3::new().eliminate(&mut terms, &[variable], formula, &Limits::default());
            let refused = matches!(result, Ok(Elimination::Unknown(Reason::Incomplete(_))));
            assert!(refused, "{result:?}");
        }
    }
}

#[test]
fn powers_are_not_unbounded() {
    let mut terms = Terms::new();
    let (k, three) = (terms.int_symbol("k"), terms.int(3));
    let (power, assertions) = (terms.power(2, k), [terms.le(k, three)]);
    let query = Query { assertions: &assertions, limits: &Limits::default() };
    for goalpost in [Goalpost::Largest, Goalpost::Smallest] {
        let optimum = Z3::new().optimise(&mut terms, &query, power, goalpost);
        assert!(matches!(optimum, Ok(Optimum::Unknown(Reason::Incomplete(_)))), "{optimum:?}");
    }
}

#[test]
fn optima_are_found_and_proved() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let (zero, ten, three) = (terms.int(0), terms.int(10), terms.int(3));
    let (twice, thrice) = (terms.scale(x, &Integer::from(2)), terms.mul(three, y));
    let sum = terms.add(twice, thrice);
    let limits = Limits::default();
    let inside = [terms.le(zero, x), terms.le(zero, y), terms.le(sum, ten)];
    let query = Query { assertions: &inside, limits: &limits };
    let objective = terms.add(x, y);
    let mut z3 = Z3::new();
    let mut optimum = |terms: &mut Terms, query: &Query<'_>, goalpost| {
        z3.optimise(terms, query, objective, goalpost).expect("a sensible query")
    };
    let largest = optimum(&mut terms, &query, Goalpost::Largest);
    assert_eq!(largest, Optimum::Value(Integer::from(5)));
    assert_eq!(optimum(&mut terms, &query, Goalpost::Smallest), Optimum::Value(Integer::ZERO));
    let open = Query { assertions: &inside[..2], limits: &limits };
    assert_eq!(optimum(&mut terms, &open, Goalpost::Largest), Optimum::Unbounded);
    let never = [terms.bool(false)];
    let none = Query { assertions: &never, limits: &limits };
    assert_eq!(optimum(&mut terms, &none, Goalpost::Largest), Optimum::Infeasible);
}

#[test]
fn relations_of_other_systems_are_refused() {
    let mut terms = Terms::new();
    let relation = HornSystem::default().relation("elsewhere", &[]);
    let constraint = terms.bool(true);
    let clause =
        Clause { body: vec![Atom { relation, arguments: vec![] }], constraint, head: None };
    assert_eq!(HornSystem::default().add(&terms, clause), Err(loupe_term::Misuse::Foreign));
}

/// `x = 0; while (x < n) x = x + 2; assert(x is even)`, and with `assert(x != 4)`.
#[test]
fn invariants_of_clauses_are_found_and_checked() {
    let mut terms = Terms::new();
    let (x, n) = (terms.int_symbol("x"), terms.int_symbol("n"));
    let (zero, two, four) = (terms.int(0), terms.int(2), terms.int(4));
    let mut system = HornSystem::default();
    let head = system.relation("head", &[Sort::Int, Sort::Int]);
    let at = |x: Term| Atom { relation: head, arguments: vec![x, n] };
    let anything = terms.bool(true);
    let (enter, leave, next) = (terms.lt(x, n), terms.le(n, x), terms.add(x, two));
    let entry = Clause { body: vec![], constraint: anything, head: Some(at(zero)) };
    let round = Clause { body: vec![at(x)], constraint: enter, head: Some(at(next)) };
    for clause in [entry, round] {
        system.add(&terms, clause).expect("sorts fit");
    }
    let even = terms.divides(&Integer::from(2), x);
    let odd = terms.not(even);
    let is_four = terms.eq(x, four);
    let limits = Limits::default();
    for (bad, safe) in [(odd, true), (is_four, false)] {
        let mut system = system.clone();
        let constraint = terms.and([leave, bad]);
        let query = Clause { body: vec![at(x)], constraint, head: None };
        system.add(&terms, query).expect("sorts fit");
        for guidance in [Guidance::Local, Guidance::Global] {
            match Z3::new().solve_horn(&mut terms, &system, guidance, &limits) {
                Ok(HornAnswer::Satisfied(invariants)) if safe => {
                    assert_eq!(invariants.len(), 1);
                    assert_ne!(terms.as_bool(invariants[0].formula), Some(true));
                }
                Ok(HornAnswer::Refuted) if !safe => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Every operation as a vector, on all small values: the only model is the right one.
#[test]
fn vectors_are_integers() {
    use loupe_term::Rounding::{Euclidean, Truncated};
    let mut terms = Terms::new();
    let (x, y, z) = (terms.int_symbol("x"), terms.int_symbol("y"), terms.int_symbol("z"));
    let mut operations = Vec::new();
    for rounding in [Euclidean, Truncated] {
        operations.push(terms.quotient(rounding, x, y));
        operations.push(terms.remainder(rounding, x, y));
        for divisor in [1, 2, 4, -2, 3, 64] {
            let divisor = terms.int(divisor);
            operations.push(terms.quotient(rounding, x, divisor));
            operations.push(terms.remainder(rounding, x, divisor));
        }
    }
    operations.push(terms.mul(x, y));
    for (bits, signedness) in
        [(1, Signedness::Signed), (2, Signedness::Unsigned), (3, Signedness::Signed)]
    {
        let width = Width { bits, signedness };
        operations.push(terms.wrap(width, x));
        for op in [BitOp::And, BitOp::Or, BitOp::Xor, BitOp::Shl, BitOp::Shr] {
            operations.push(terms.bits(op, width, x, y));
        }
    }
    let mut z3 = Z3::new();
    let limits = Limits::default();
    for (number, operation) in operations.into_iter().enumerate() {
        for (a, b) in (-5i64..6).flat_map(|a| [-3i64, -1, 0, 2, 4].map(|b| (a, b))) {
            // Not each value for each operation: a different fifth of them.
            if (a + b + number as i64).rem_euclid(5) != 0 {
                continue;
            }
            let mut values = loupe_term::Assignment::default();
            for (symbol, value) in [(x, a), (y, b)] {
                let Node::Symbol(id) = *terms.node(symbol) else { panic!("a symbol") };
                values.symbols.insert(id, loupe_term::Value::Int(Integer::from(value)));
            }
            let Ok(loupe_term::Value::Int(expected)) = terms.evaluate(operation, &values) else {
                panic!("an integer")
            };
            let [a, b, expected] =
                [Integer::from(a), Integer::from(b), expected].map(|value| terms.int(value));
            let [low, high] = [-200, 200].map(|bound| terms.int(bound));
            let mut assertions =
                vec![terms.eq(x, a), terms.eq(y, b), terms.le(low, z), terms.le(z, high)];
            assertions.push(terms.eq(z, operation));
            let query = Query { assertions: &assertions, limits: &limits };
            let Ok(Some(answer)) = z3.solve_as_vectors(&mut terms, &query) else {
                panic!("{} has no vectors", terms.text(operation))
            };
            assert!(is_sat(&answer), "{}", terms.text(operation));
            assertions.push(terms.ne(z, expected));
            let query = Query { assertions: &assertions, limits: &limits };
            let Ok(Some(answer)) = z3.solve_as_vectors(&mut terms, &query) else { panic!() };
            assert!(is_unsat(&answer), "{}", terms.text(operation));
        }
    }
}

/// A function below a quantifier has many values, of which a model is read in part: that is no bug.
#[test]
fn a_model_that_is_read_in_part_is_a_claim() {
    let mut terms = Terms::new();
    let f = terms.function("f", 1);
    let (t, one) = (terms.int_symbol("t"), terms.int(1));
    let (image, next) = (terms.apply(f, &[t]).expect("one argument"), terms.add(t, one));
    let is_next = terms.eq(image, next);
    let bounds = [terms.int(0), terms.int(30)];
    let all = terms.quantify(Quantifier::Forall, t, bounds, is_next).expect("sorts fit");
    let limits = Limits::default();
    let answer = Z3::new().check(&mut terms, &Query { assertions: &[all], limits: &limits });
    let answer = answer.expect("no internal error");
    assert!(!is_unsat(&answer), "{answer:?}");
    assert!(!is_sat(&answer), "all values would have been read: {answer:?}");
}
