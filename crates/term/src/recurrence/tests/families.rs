//! Random systems of every family that must be solved, and of some that may be refused.

use super::*;
use crate::BitOp;

/// How many variables of random systems were solved.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    systems: usize,
    proved: usize,
    conditional: usize,
    refused: usize,
}

/// Makes random systems, solves them with identities alone and compares with iteration.
fn check(systems: usize, mut make: impl FnMut(&mut World, &mut Dice)) -> Tally {
    let mut dice = Dice(systems as u64);
    let mut tally = Tally { systems, ..Tally::default() };
    for number in 0..systems {
        let mut world = World::new();
        make(&mut world, &mut dice);
        dice.shuffle(&mut world.updates);
        let solutions = world.solve(&mut IdentitiesOnly);
        for (symbol, solution) in solutions.iter() {
            match solution {
                Solution::Proved(_) => tally.proved += 1,
                Solution::Conditional(_) => tally.conditional += 1,
                Solution::Refused(Obstacle::Unverified) => {
                    panic!("a wrong form for {}", world.describe(symbol))
                }
                Solution::Refused(_) => tally.refused += 1,
            }
        }
        world.compare(&solutions, &mut dice, 1);
        if number % 8 == 0 {
            for (symbol, _) in solutions.iter().filter(|(_, s)| s.proved().is_some()) {
                let claims = solutions.claims(&mut world.terms, symbol);
                let hold = claims.is_none_or(|claims| world.claims_hold(&claims, &mut dice, 3));
                assert!(hold, "{}", world.describe(symbol));
            }
        }
    }
    tally
}

/// The same for families of which everything must be solved.
fn check_all(systems: usize, make: impl FnMut(&mut World, &mut Dice)) {
    let tally = check(systems, make);
    assert_eq!((tally.conditional, tally.refused), (0, 0), "{tally:?}");
    assert!(tally.proved >= systems, "{tally:?}");
}

/// A term that does not change.
fn invariant(world: &mut World, dice: &mut Dice) -> Term {
    let (n, m) = (world.n, world.m);
    match dice.roll(0, 5) {
        0 => n,
        1 => world.terms.mul(n, m),
        2 => {
            let two = world.int(2);
            world.terms.quotient(Rounding::Truncated, n, two)
        }
        3 => world.terms.select(world.array, m).expect("sorts fit"),
        _ => {
            let value = dice.roll(-5, 5);
            world.int(value)
        }
    }
}

/// A random polynomial over terms, of a degree up to 3.
fn polynomial(world: &mut World, dice: &mut Dice, over: &[Term]) -> Term {
    let mut sum = invariant(world, dice);
    for _ in 0..dice.roll(1, 3) {
        let coefficient = dice.roll(-3, 3);
        let mut product = world.int(coefficient);
        for _ in 0..dice.roll(1, 3) {
            let factor = dice.pick(over);
            product = world.terms.mul(product, factor);
        }
        sum = world.terms.add(sum, product);
    }
    sum
}

fn step(world: &mut World, dice: &mut Dice, variable: Term) {
    let by = invariant(world, dice);
    let update = world.terms.add(variable, by);
    world.updates.push((variable, update));
}

#[test]
fn steps_resets_and_identities() {
    check_all(2_000, |world, dice| {
        for variable in world.variables {
            match dice.roll(0, 2) {
                0 => step(world, dice, variable),
                1 => {
                    let value = invariant(world, dice);
                    world.updates.push((variable, value));
                }
                _ => world.updates.push((variable, variable)),
            }
        }
    });
}

#[test]
fn geometric() {
    check_all(2_000, |world, dice| {
        let [x, y, ..] = world.variables;
        for variable in [x, y] {
            let added = invariant(world, dice);
            let scaled = world.linear(&[(dice.roll(-4, 5), variable)], 0);
            let update = world.terms.add(scaled, added);
            world.updates.push((variable, update));
        }
    });
}

#[test]
fn sums_of_polynomials() {
    check_all(2_000, |world, dice| {
        let [x, y, z, _] = world.variables;
        step(world, dice, x);
        let over_x = polynomial(world, dice, &[x, world.n]);
        let update = world.terms.add(y, over_x);
        world.updates.push((y, update));
        let over_both = world.linear(&[(dice.roll(-2, 2), y), (dice.roll(-2, 2), x)], 1);
        let update = world.terms.add(z, over_both);
        world.updates.push((z, update));
    });
}

#[test]
fn geometric_sums() {
    check_all(1_000, |world, dice| {
        let [x, y, z, u] = world.variables;
        step(world, dice, x);
        let inhomogeneous = polynomial(world, dice, &[x]);
        let scaled = world.linear(&[(dice.roll(-3, 3), y)], 0);
        let update = world.terms.add(scaled, inhomogeneous);
        world.updates.push((y, update));
        let update = world.linear(&[(dice.roll(-3, 3), z), (dice.roll(-2, 2), y)], 1);
        world.updates.push((z, update));
        let product = world.terms.mul(x, y);
        let update = world.linear(&[(1, u), (1, product), (dice.roll(-1, 1), z)], 0);
        world.updates.push((u, update));
    });
}

#[test]
fn signed_permutations_with_steps() {
    check_all(2_000, |world, dice| {
        let mut targets = world.variables;
        dice.shuffle(&mut targets);
        for (variable, target) in world.variables.into_iter().zip(targets) {
            let sign = dice.pick(&[1, 1, -1]);
            let added = invariant(world, dice);
            let update = world.linear(&[(sign, target), (1, added)], 0);
            world.updates.push((variable, update));
        }
    });
}

#[test]
fn rotations() {
    // By 60, 90, 120 degrees; and what sums up a rotation.
    check_all(1_000, |world, dice| {
        let [x, y, z, u] = world.variables;
        let rows = dice.pick(&[
            [[0, -1], [1, 1]],
            [[0, -1], [1, 0]],
            [[0, -1], [1, -1]],
            [[1, 1], [-1, 0]],
        ]);
        for (variable, [a, b]) in [x, y].into_iter().zip(rows) {
            let update = world.linear(&[(a, x), (b, y), (dice.roll(-1, 1), world.n)], 1);
            world.updates.push((variable, update));
        }
        let square = world.terms.mul(x, y);
        let update = world.linear(&[(dice.roll(-2, 2), z), (1, x), (1, square)], 0);
        world.updates.push((z, update));
        let update = world.linear(&[(1, u), (1, z)], 0);
        world.updates.push((u, update));
    });
}

#[test]
fn what_forgets_its_start() {
    // Strictly triangular parts, and matrices with the eigenvalue 0.
    check_all(1_500, |world, dice| {
        let [x, y, z, u] = world.variables;
        let update = world.linear(&[(dice.roll(-2, 2), y), (dice.roll(-2, 2), z)], 1);
        world.updates.push((x, update));
        let update = world.linear(&[(dice.roll(-2, 2), z)], dice.roll(-2, 2));
        world.updates.push((y, update));
        let factor = dice.roll(-2, 2);
        let update = world.linear(&[(factor, z), (factor, u)], dice.roll(-2, 2));
        world.updates.push((z, update));
        let factor = dice.roll(0, 1);
        let update = world.linear(&[(-factor, z), (-factor, u), (1, world.n)], 0);
        world.updates.push((u, update));
    });
}

#[test]
fn wrapped() {
    check_all(1_200, |world, dice| {
        let [x, y, z, u] = world.variables;
        let signedness = [Signedness::Signed, Signedness::Unsigned];
        let bits = dice.roll(1, 8) as u32;
        let mut width = || Width { bits, signedness: dice.pick(&signedness) };
        let (wx, wy, wz) = (width(), width(), width());
        let added = invariant(world, dice);
        let update = world.linear(&[(dice.roll(-3, 3), x), (1, added)], 0);
        let update = world.terms.wrap(wx, update);
        world.updates.push((x, update));
        let over = polynomial(world, dice, &[x]);
        let sum = world.terms.add(y, over);
        let update = world.terms.wrap(wy, sum);
        world.updates.push((y, update));
        // A cast inside of a sum, to a width that is larger or the same.
        let wide = Width { bits: bits + dice.roll(0, 2) as u32, ..wz };
        let product = world.terms.mul(x, y);
        let inner = world.terms.wrap(wide, product);
        let sum = world.linear(&[(1, z), (3, inner)], 5);
        let update = world.terms.wrap(wz, sum);
        world.updates.push((z, update));
        // What reads the wrapped value.
        let update = world.linear(&[(1, z), (1, x)], 0);
        world.updates.push((u, update));
    });
}

#[test]
fn sums_over_quotients() {
    // Sums of sums, which are exact fractions, and of what is rounded.
    check_all(1_000, |world, dice| {
        let [x, y, z, u] = world.variables;
        let update = world.linear(&[(1, x)], dice.roll(-3, 3));
        world.updates.push((x, update));
        let product = world.linear(&[(1, x)], dice.pick(&[1, -1, 3]));
        let product = world.terms.mul(x, product);
        let two = world.terms.int(2);
        let triangle = world.terms.quotient(Rounding::Euclidean, product, two);
        let update = world.linear(&[(1, y), (dice.roll(-2, 2), triangle)], dice.roll(-1, 1));
        world.updates.push((y, update));
        let update = world.linear(&[(1, z), (1, y)], 0);
        world.updates.push((z, update));
        let divisor = world.terms.int(dice.roll(2, 4));
        let dividend = world.linear(&[(dice.roll(-3, 3), x), (1, world.n)], dice.roll(-3, 3));
        let rounded = match dice.roll(0, 1) {
            0 => world.terms.quotient(Rounding::Euclidean, dividend, divisor),
            _ => world.terms.remainder(Rounding::Euclidean, dividend, divisor),
        };
        let update = world.linear(&[(1, u), (dice.pick(&[1, -2]), rounded)], 0);
        world.updates.push((u, update));
    });
}

#[test]
fn cycles_of_several_widths() {
    // The narrow one is known modulo its own width, the wide one reads it as it is.
    check_all(1_000, |world, dice| {
        let [x, y, z, _] = world.variables;
        let [narrow, wide] = [3, 6].map(|bits| Width { bits, signedness: Signedness::Signed });
        let sum = world.linear(&[(dice.pick(&[1, -1, 3]), y), (1, world.n)], dice.roll(-3, 3));
        let update = world.terms.wrap(narrow, sum);
        world.updates.push((x, update));
        let sum = world.linear(&[(dice.pick(&[1, -1, 5]), x), (1, world.m)], 30);
        let update = world.terms.wrap(wide, sum);
        world.updates.push((y, update));
        let sum = world.linear(&[(1, z), (1, y)], 0);
        let update = world.terms.wrap(narrow, sum);
        world.updates.push((z, update));
    });
}

#[test]
fn remainders() {
    check_all(1_200, |world, dice| {
        let [x, y, z, u] = world.variables;
        let modulus = match dice.roll(0, 3) {
            0 => world.n,
            _ => {
                let value = dice.roll(1, 9);
                world.int(value)
            }
        };
        let added = invariant(world, dice);
        let sum = world.linear(&[(dice.pick(&[1, 1, -1, 2]), x), (1, added)], 0);
        let update = world.euclidean(sum, modulus);
        world.updates.push((x, update));
        let over = polynomial(world, dice, &[x]);
        let sum = world.terms.add(y, over);
        let update = world.euclidean(sum, modulus);
        world.updates.push((y, update));
        // A cycle that is reduced in one place.
        let sum = world.linear(&[(1, u), (1, y)], 1);
        let update = world.euclidean(sum, modulus);
        world.updates.push((z, update));
        let update = world.linear(&[(dice.roll(-2, 2), z)], 2);
        world.updates.push((u, update));
    });
}

#[test]
fn values_of_the_last_writer() {
    check_all(2_000, |world, dice| {
        let [x, y, z, u] = world.variables;
        step(world, dice, x);
        let update = world.linear(&[(-1, y), (1, world.n)], 0);
        world.updates.push((y, update));
        let width = Width { bits: 6, signedness: Signedness::Signed };
        let three = world.int(3);
        let mixed = world.linear(&[(1, x), (2, y)], 0);
        let update = match dice.roll(0, 4) {
            0 => world.terms.select(world.array, mixed).expect("sorts fit"),
            1 => world.terms.quotient(Rounding::Truncated, mixed, three),
            2 => world.terms.bits(BitOp::Xor, width, x, y),
            3 => world.terms.max(x, y),
            _ => world.terms.wrap(width, mixed),
        };
        world.updates.push((z, update));
        let update = world.terms.quotient(Rounding::Euclidean, z, x);
        world.updates.push((u, update));
    });
}

#[test]
fn toggles_and_fixpoints() {
    check_all(2_000, |world, dice| {
        let [x, y, z, u] = world.variables;
        let (zero, one) = (world.int(0), world.int(1));
        let update = match dice.roll(0, 4) {
            0 => world.linear(&[(-1, x)], 1),
            1 => {
                let value = dice.roll(-2, 2);
                let value = world.int(value);
                let equal = world.terms.eq(x, value);
                world.terms.ite(equal, one, zero)
            }
            2 => world.terms.max(x, world.n),
            3 => {
                let negative = world.terms.lt(x, zero);
                let opposite = world.terms.neg(x);
                world.terms.ite(negative, opposite, x)
            }
            _ => {
                let negative = world.terms.lt(x, world.n);
                let other = dice.roll(-3, 3);
                let other = world.int(other);
                world.terms.ite(negative, x, other)
            }
        };
        world.updates.push((x, update));
        // A sum of what repeats is a polynomial in each class.
        let square = world.terms.mul(x, x);
        let update = world.linear(&[(1, y), (1, square), (dice.roll(-2, 2), x)], 0);
        world.updates.push((y, update));
        let positive = world.terms.lt(zero, x);
        let update = world.terms.ite(positive, y, world.m);
        world.updates.push((z, update));
        let chosen = world.terms.ite(positive, one, world.n);
        let update = world.linear(&[(1, u), (1, chosen)], 0);
        world.updates.push((u, update));
    });
}

#[test]
fn truncated_remainders_of_what_is_not_negative() {
    check_all(1_000, |world, dice| {
        let [x, y, ..] = world.variables;
        let zero = world.int(0);
        let fact = world.terms.le(zero, x);
        world.facts.push(fact);
        let sum = world.linear(&[(dice.roll(1, 2), x)], dice.roll(0, 7));
        let modulus = dice.roll(1, 9);
        let modulus = world.int(modulus);
        let update = world.terms.remainder(Rounding::Truncated, sum, modulus);
        world.updates.push((x, update));
        let update = world.linear(&[(2, x)], 1);
        world.updates.push((y, update));
    });
}

#[test]
fn random_affine_systems() {
    // Many of these have rates that are not integers.
    let tally = check(3_000, |world, dice| {
        let count = dice.roll(2, 4) as usize;
        let variables = world.variables;
        for variable in variables.iter().take(count) {
            let parts: Vec<(i64, Term)> =
                variables.iter().take(count).map(|other| (dice.roll(-1, 1), *other)).collect();
            let update = world.linear(&parts, dice.roll(-2, 2));
            world.updates.push((*variable, update));
        }
    });
    assert_eq!(tally.conditional, 0);
    assert!(tally.proved > 4_000 && tally.refused > 3_000, "{tally:?}");
}

#[test]
fn mixtures() {
    let tally = check(3_000, |world, dice| {
        let variables = world.variables;
        for (place, variable) in variables.into_iter().enumerate() {
            let others = &variables[..=place];
            let other = dice.pick(others);
            let any = dice.pick(&variables);
            let update = match dice.roll(0, 9) {
                0 => polynomial(world, dice, others),
                1 | 2 => {
                    let over = polynomial(world, dice, &[other, world.m]);
                    let coefficient = dice.roll(-2, 2);
                    world.linear(&[(coefficient, variable), (1, over)], 0)
                }
                3 => world.linear(&[(1, any), (1, other)], dice.roll(-2, 2)),
                4 => {
                    let width = Width { bits: 5, signedness: Signedness::Unsigned };
                    let over = polynomial(world, dice, &[other]);
                    let sum = world.terms.add(variable, over);
                    world.terms.wrap(width, sum)
                }
                5 => {
                    let modulus = world.int(6);
                    let sum = world.linear(&[(1, variable), (1, other)], 2);
                    world.euclidean(sum, modulus)
                }
                6 => world.terms.max(any, other),
                7 => {
                    let product = world.terms.mul(any, other);
                    let two = world.int(2);
                    world.terms.quotient(Rounding::Truncated, product, two)
                }
                8 => world.terms.select(world.array, any).expect("sorts fit"),
                _ => world.linear(&[(-1, any)], 3),
            };
            // Powers of powers have no values that can be computed.
            let small =
                world.terms.polynomial(update).summands.len() <= 6 && world.terms.is_linear(update);
            world.updates.push((variable, if small { update } else { other }));
        }
    });
    assert!(tally.proved > 6_000, "{tally:?}");
}
