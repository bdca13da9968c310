//! Single systems: what forms look like, what is refused and why, what provers are asked, what is rejected.

use super::*;

/// A world in which the prover tries values: good enough to tell true claims from false ones here.
struct Sampling {
    asked: usize,
}

impl Prover for Sampling {
    fn proves(&mut self, terms: &mut Terms, claim: Term) -> bool {
        self.asked += 1;
        let symbols: Vec<SymbolId> = terms.free_symbols(claim).into_iter().collect();
        let mut dice = Dice(1);
        (0..400).all(|_| {
            let mut at = Assignment::default();
            for symbol in &symbols {
                at.symbols.insert(*symbol, Value::Int(Integer::from(dice.roll(-12, 12))));
            }
            terms.holds(claim, &at) == Ok(true)
        })
    }
}

fn refused(world: &mut World, variable: Term) -> Obstacle {
    let solutions = world.solve(&mut IdentitiesOnly);
    match solutions.get(&world.terms, variable) {
        Some(Solution::Refused(obstacle)) => *obstacle,
        other => panic!("{other:?}"),
    }
}

fn proved(world: &World, solutions: &Solutions, variable: Term) -> Form {
    match solutions.get(&world.terms, variable) {
        Some(Solution::Proved(proved)) => proved.form().clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_swap_with_a_step_has_two_classes() {
    // x, y := y, x - 1
    let mut world = World::new();
    let [x, y, ..] = world.variables;
    let less = world.linear(&[(1, x)], -1);
    world.updates = vec![(x, y), (y, less)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let form = proved(&world, &solutions, x);
    let k = world.counter;
    let classes = [world.linear(&[(1, x), (-1, k)], 0), world.linear(&[(1, y), (-1, k)], 0)];
    assert_eq!((form.first(), form.classes()), (&[][..], &classes[..]));
    let two = world.int(2);
    let rounds = world.terms.quotient(Rounding::Euclidean, k, two);
    let rest = world.euclidean(k, two);
    let even = world.terms.zero(rest);
    let (a, b) =
        (world.linear(&[(1, x), (-1, rounds)], 0), world.linear(&[(1, y), (-1, rounds)], 0));
    assert_eq!(form.value(), world.terms.ite(even, a, b));
    let six = world.int(6);
    assert_eq!(form.after(&mut world.terms, six), world.linear(&[(1, x)], -3));
}

#[test]
fn geometric_sums_are_powers() {
    // x := 3x + n is 3ᵏ·x + n·(3ᵏ - 1)/2.
    let mut world = World::new();
    let [x, ..] = world.variables;
    let update = world.linear(&[(3, x), (1, world.n)], 0);
    world.updates = vec![(x, update)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let power = world.terms.power(3, world.counter);
    let less = world.linear(&[(1, power)], -1);
    let numerator = world.terms.mul(world.n, less);
    let two = world.int(2);
    let half = world.terms.quotient(Rounding::Euclidean, numerator, two);
    let scaled = world.terms.mul(power, x);
    assert_eq!(proved(&world, &solutions, x).value(), world.terms.add(scaled, half));
}

#[test]
fn forms_start_late() {
    // u := a[x], x := x + 1 is ite(k > 0, a[x + k - 1], u).
    let mut world = World::new();
    let [x, _, _, u] = world.variables;
    let element = world.terms.select(world.array, x).expect("sorts fit");
    let next = world.linear(&[(1, x)], 1);
    world.updates = vec![(u, element), (x, next)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let index = world.linear(&[(1, x), (1, world.counter)], -1);
    let last = world.terms.select(world.array, index).expect("sorts fit");
    let zero = world.int(0);
    let started = world.terms.lt(zero, world.counter);
    let form = proved(&world, &solutions, u);
    assert_eq!(form.value(), world.terms.ite(started, last, u));
}

#[test]
fn wrapping_happens_once() {
    // x := wrap(x + 200) is ite(k > 0, wrap(x + 200·k), x).
    let mut world = World::new();
    let [x, ..] = world.variables;
    let width = Width { bits: 8, signedness: Signedness::Unsigned };
    let sum = world.linear(&[(1, x)], 200);
    let update = world.terms.wrap(width, sum);
    world.updates = vec![(x, update)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let total = world.linear(&[(1, x), (200, world.counter)], 0);
    let wrapped = world.terms.wrap(width, total);
    let zero = world.int(0);
    let started = world.terms.lt(zero, world.counter);
    assert_eq!(proved(&world, &solutions, x).value(), world.terms.ite(started, wrapped, x));
}

#[test]
fn a_wider_type_reads_the_wrapped_value() {
    // unsigned char c; unsigned s; c += 200; s += c;
    let mut world = World::new();
    let [c, s, ..] = world.variables;
    let [narrow, wide] = [8, 32].map(|bits| Width { bits, signedness: Signedness::Unsigned });
    let sum = world.linear(&[(1, c)], 200);
    let update = world.terms.wrap(narrow, sum);
    world.updates.push((c, update));
    let sum = world.terms.add(s, c);
    let update = world.terms.wrap(wide, sum);
    world.updates.push((s, update));
    assert_eq!(refused(&mut world, s), Obstacle::NoPolynomial(c));
    // In the other direction nothing is lost.
    let mut world = World::new();
    let [s, c, ..] = world.variables;
    let sum = world.linear(&[(1, c)], 200);
    let update = world.terms.wrap(wide, sum);
    world.updates.push((c, update));
    let sum = world.terms.add(s, c);
    let update = world.terms.wrap(narrow, sum);
    world.updates.push((s, update));
    let solutions = world.solve(&mut IdentitiesOnly);
    assert!(solutions.iter().all(|(_, solution)| solution.proved().is_some()));
    world.compare(&solutions, &mut Dice(3), 20);
}

#[test]
fn what_cannot_be_solved_says_why() {
    let mut world = World::new();
    let [x, y, z, u] = world.variables;
    let square = world.terms.mul(x, x);
    let dependent = world.linear(&[(1, z), (1, x)], 0);
    let fine = world.linear(&[(1, y)], 1);
    let independent = world.terms.add(u, y);
    world.updates = vec![(x, square), (z, dependent), (y, fine), (u, independent)];
    assert_eq!(refused(&mut world, x), Obstacle::Product(square));
    assert_eq!(refused(&mut world, z), Obstacle::DependsOn(world.symbol(x)));
    let solutions = world.solve(&mut IdentitiesOnly);
    proved(&world, &solutions, u);

    // Both change, in a cycle: x, y := x·y, x.
    let product = world.terms.mul(x, y);
    world.updates = vec![(x, product), (y, x)];
    assert_eq!(refused(&mut world, x), Obstacle::Product(product));
    // The factor changes by itself: a factorial.
    world.updates = vec![(x, product), (y, fine)];
    let factor = world.linear(&[(1, y), (1, world.counter)], 0);
    assert_eq!(refused(&mut world, x), Obstacle::Factor(factor));
    // A power of an unknown base.
    let update = world.terms.mul(x, world.n);
    world.updates = vec![(x, update)];
    assert_eq!(refused(&mut world, x), Obstacle::Factor(world.n));
    // The logistic map.
    let update = world.linear(&[(3, x), (-3, square)], 0);
    world.updates = vec![(x, update)];
    assert_eq!(refused(&mut world, x), Obstacle::Product(square));
    // Fibonacci.
    let sum = world.terms.add(x, y);
    world.updates = vec![(x, y), (y, sum)];
    assert_eq!(refused(&mut world, y), Obstacle::Rates);
    // A sum over an array, a halved value.
    let element = world.terms.select(world.array, y).expect("sorts fit");
    let update = world.terms.add(x, element);
    world.updates = vec![(x, update), (y, fine)];
    assert_eq!(refused(&mut world, x), Obstacle::NoPolynomial(element));
    let two = world.int(2);
    let half = world.terms.quotient(Rounding::Truncated, x, two);
    world.updates = vec![(x, half)];
    assert_eq!(refused(&mut world, x), Obstacle::NoPolynomial(half));
    // An array, and what reads it.
    let array = world.array;
    let store = world.terms.store(array, x, x).expect("sorts fit");
    world.updates = vec![(array, store), (x, element)];
    assert_eq!(refused(&mut world, array), Obstacle::Array);
    world.updates = vec![(array, store), (u, element)];
    assert_eq!(refused(&mut world, u), Obstacle::DependsOn(world.symbol(array)));
    // The unknown.
    let star = world.terms.star(Sort::Int);
    world.updates = vec![(x, star)];
    assert_eq!(refused(&mut world, x), Obstacle::Unknown(star));
}

#[test]
fn truth_values_are_solved() {
    let mut world = World::new();
    let [x, ..] = world.variables;
    let [flag, toggle] =
        ["f", "t"].map(|name| world.terms.fresh(name, Sort::Bool, Origin::default()));
    let below = world.terms.lt(x, world.n);
    let seen = world.terms.or([flag, toggle]);
    let opposite = world.terms.not(toggle);
    let next = world.linear(&[(1, x)], 1);
    let late = world.terms.fresh("l", Sort::Bool, Origin::default());
    world.updates = vec![(flag, seen), (toggle, opposite), (late, below), (x, next)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let form = proved(&world, &solutions, toggle);
    assert_eq!(form.classes(), [toggle, opposite]);
    let form = proved(&world, &solutions, flag);
    let always = world.terms.bool(true);
    assert_eq!((form.first(), form.classes()), (&[flag, seen][..], &[always][..]));
    proved(&world, &solutions, late);
    world.compare(&solutions, &mut Dice(5), 20);
}

#[test]
fn what_is_not_proved_is_conditional() {
    // x := (x + 3) % 7, truncated: right where the dividend is not negative.
    let mut world = World::new();
    let [x, y, ..] = world.variables;
    let sum = world.linear(&[(1, x)], 3);
    let seven = world.int(7);
    let update = world.terms.remainder(Rounding::Truncated, sum, seven);
    let copy = world.linear(&[(1, x)], 1);
    world.updates = vec![(x, update), (y, copy)];
    let solutions = world.solve(&mut IdentitiesOnly);
    for variable in [x, y] {
        let Some(Solution::Conditional(form)) = solutions.get(&world.terms, variable) else {
            panic!("nothing says that x + 3 is not negative");
        };
        assert!(!form.open().is_empty());
        let open = form.clone();
        assert!(open.discharge(&mut world.terms, &mut Sampling { asked: 0 }).is_err());
    }
    // With a fact that is not literally the one needed, the prover is asked.
    let least = world.int(-2);
    let fact = world.terms.le(least, x);
    world.facts = vec![fact];
    let mut prover = Sampling { asked: 0 };
    let solutions = world.solve(&mut prover);
    assert!(prover.asked > 0);
    proved(&world, &solutions, x);
    proved(&world, &solutions, y);
    world.compare(&solutions, &mut Dice(7), 20);
    let solutions = world.solve(&mut IdentitiesOnly);
    let Some(Solution::Conditional(form)) = solutions.get(&world.terms, y) else { panic!() };
    let form = form.clone().discharge(&mut world.terms, &mut prover).expect("it is proved");
    assert_eq!(form.proof().lemmas.last().map(|lemma| lemma.means), Some(Means::Prover));
}

#[test]
fn unsigned_remainders_need_that_nothing_wraps() {
    // unsigned x, x = (x + 1) % 10
    let mut world = World::new();
    let [x, ..] = world.variables;
    let width = Width { bits: 32, signedness: Signedness::Unsigned };
    let sum = world.linear(&[(1, x)], 1);
    let (wrapped, ten) = (world.terms.wrap(width, sum), world.int(10));
    let update = world.terms.remainder(Rounding::Truncated, wrapped, ten);
    world.updates = vec![(x, update)];
    let zero = world.int(0);
    let fact = world.terms.le(zero, x);
    world.facts = vec![fact];
    let solutions = world.solve(&mut Sampling { asked: 0 });
    proved(&world, &solutions, x);
    world.compare(&solutions, &mut Dice(8), 20);
}

#[test]
fn facts_decide_toggles() {
    // d := d·d·d is d where d is -1, 0 or 1.
    let mut world = World::new();
    let [d, ..] = world.variables;
    let cube = world.terms.pow(d, 3);
    world.updates = vec![(d, cube)];
    assert_eq!(refused(&mut world, d), Obstacle::Product(cube));
    let (one, minus_one) = (world.int(1), world.int(-1));
    let facts = [world.terms.le(d, one), world.terms.le(minus_one, d)];
    world.facts = facts.to_vec();
    let solutions = world.solve(&mut Sampling { asked: 0 });
    assert_eq!(proved(&world, &solutions, d).value(), d);
}

#[test]
fn wrong_forms_are_rejected() {
    // Every form with something added in one iteration, or off by one, breaks base or step.
    let mut world = World::new();
    let [x, y, z, u] = world.variables;
    let next = world.linear(&[(1, x)], 1);
    let sum = world.terms.add(y, x);
    let doubled = world.linear(&[(2, z), (1, x)], 0);
    let width = Width { bits: 8, signedness: Signedness::Signed };
    let more = world.linear(&[(1, u), (1, y)], 1);
    let wrapped = world.terms.wrap(width, more);
    world.updates = vec![(x, next), (y, sum), (z, doubled), (u, wrapped)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let mut dice = Dice(11);
    for variable in [x, y, z, u] {
        let form = proved(&world, &solutions, variable);
        let symbol = world.symbol(variable);
        let claims = solutions.claims(&mut world.terms, symbol).expect("there is a form");
        assert!(world.claims_hold(&claims, &mut dice, 200));
        let four = world.int(4);
        let (later, fourth) =
            (world.linear(&[(1, world.counter)], 1), world.terms.eq(world.counter, four));
        let plus_one = world.linear(&[(1, form.value())], 1);
        let wrong = [
            form.after(&mut world.terms, later),
            plus_one,
            world.terms.add(form.value(), world.counter),
            world.terms.ite(fourth, variable, form.value()),
        ];
        for form in wrong {
            let claims =
                solutions.claims_of(&mut world.terms, symbol, form).expect("there is a form");
            assert!(!world.claims_hold(&claims, &mut dice, 400), "{}", world.describe(symbol));
        }
    }
}

#[test]
fn proofs_have_names() {
    let mut world = World::new();
    let [x, y, z, u] = world.variables;
    let six = world.int(6);
    let next = world.linear(&[(1, x)], 1);
    let rest = world.linear(&[(1, y)], 1);
    let (rest, last) =
        (world.euclidean(rest, six), world.terms.quotient(Rounding::Truncated, x, six));
    let repeated = world.terms.max(u, world.n);
    world.updates = vec![(x, next), (y, rest), (z, last), (u, repeated)];
    let solutions = world.solve(&mut IdentitiesOnly);
    let expected =
        [Argument::Identity, Argument::Congruence, Argument::LastWriter, Argument::Repetition];
    for (variable, argument) in [x, y, z, u].into_iter().zip(expected) {
        let Some(Solution::Proved(proved)) = solutions.get(&world.terms, variable) else {
            panic!()
        };
        assert_eq!(proved.proof().argument, argument);
        let means: Vec<Means> = proved.proof().lemmas.iter().map(|lemma| lemma.means).collect();
        let cases = (argument == Argument::Repetition).then_some(Means::Cases);
        assert_eq!(means, Vec::from_iter(cases));
    }
}

#[test]
fn bad_systems_are_errors() {
    let mut world = World::new();
    let [x, ..] = world.variables;
    let (counter, one) = (world.counter, world.int(1));
    let sum = world.terms.add(x, one);
    let flag = world.terms.bool(true);
    let mut attempt = |counter, updates: &[(Term, Term)], facts: &[Term]| {
        let system = System { counter, updates, facts };
        solve(&mut world.terms, &system, &mut IdentitiesOnly).expect_err("a bad system")
    };
    assert_eq!(attempt(one, &[], &[]), BadSystem::Counter);
    assert_eq!(attempt(counter, &[(x, counter)], &[]), BadSystem::CounterInUse);
    assert_eq!(attempt(counter, &[(counter, x)], &[]), BadSystem::CounterInUse);
    assert_eq!(attempt(counter, &[(sum, x)], &[]), BadSystem::NoSymbol(sum));
    assert!(matches!(attempt(counter, &[(x, sum), (x, x)], &[]), BadSystem::Twice(_)));
    assert!(matches!(attempt(counter, &[(x, flag)], &[]), BadSystem::Sort(_)));
    assert!(matches!(attempt(counter, &[(x, sum)], &[x]), BadSystem::Sort(_)));
}

#[test]
fn size_is_no_problem() {
    // A hundred thousand operations in an update, a thousand variables in a chain, and powers that explode.
    let mut world = World::new();
    let [x, y, z, u] = world.variables;
    let width = Width { bits: 8, signedness: Signedness::Unsigned };
    let mut deep = x;
    for _ in 0..100_000 {
        let next = world.linear(&[(1, deep)], 1);
        deep = world.terms.bits(crate::BitOp::Xor, width, next, world.n);
    }
    let next = world.linear(&[(1, x)], 1);
    let mut power = world.terms.add(y, z);
    power = world.terms.pow(power, 12);
    world.updates = vec![(x, next), (u, deep), (y, power), (z, y)];
    let mut last = x;
    let mut chain = Vec::new();
    for i in 0..1_000 {
        let variable = world.terms.int_symbol(&format!("v{i}"));
        let update = world.terms.add(variable, last);
        chain.push(variable);
        world.updates.push((variable, update));
        last = variable;
    }
    let solutions = world.solve(&mut IdentitiesOnly);
    proved(&world, &solutions, u);
    proved(&world, &solutions, chain[5]);
    assert!(matches!(
        solutions.get(&world.terms, y),
        Some(Solution::Refused(Obstacle::Product(_)))
    ));
    let refused = solutions.iter().filter(|(_, s)| matches!(s, Solution::Refused(_))).count();
    assert!(refused > 900, "sums of sums of sums become too large");
}

#[test]
fn powers_beyond_all_bounds_are_not_the_same() {
    // v0, w0 := x^60, y^60; v1, w1 := v0^60, w0^60; …; z := v5 - w5, of exponent 60^6.
    let mut world = World::new();
    let [x, y, z, _] = world.variables;
    let mut lasts = Vec::new();
    for start in [x, y] {
        let mut last = start;
        for _ in 0..6 {
            let next = world.terms.int_symbol("v");
            let power = world.terms.pow(last, 60);
            world.updates.push((next, power));
            last = next;
        }
        lasts.push(last);
    }
    let difference = world.linear(&[(1, lasts[0]), (-1, lasts[1])], 0);
    world.updates.push((z, difference));
    let solutions = world.solve(&mut IdentitiesOnly);
    let obstacle = match solutions.get(&world.terms, z) {
        Some(Solution::Refused(obstacle)) => obstacle,
        other => panic!("{other:?}"),
    };
    assert!(matches!(obstacle, Obstacle::DependsOn(_)), "{obstacle:?}");
}
