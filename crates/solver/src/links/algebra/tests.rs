use super::*;
use loupe_integer::Signedness;
use loupe_term::{Assignment, SymbolId, Value, Width};

const SMALL: Width = Width { bits: 3, signedness: Signedness::Signed };

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn symbols(terms: &mut Terms) -> [Term; 3] {
    ["x", "y", "z"].map(|name| terms.int_symbol(name))
}

/// A polynomial of degree up to 2.
fn polynomial(terms: &mut Terms, dice: &mut Dice, over: &[Term]) -> Term {
    let mut sum = terms.int(dice.roll(5) as i64 - 2);
    for _ in 0..1 + dice.roll(3) {
        let mut product = terms.int(dice.roll(7) as i64 - 3);
        for _ in 0..1 + dice.roll(2) {
            let factor = over[dice.roll(over.len() as u64) as usize];
            product = terms.mul(product, factor);
        }
        sum = terms.add(sum, product);
    }
    sum
}

#[test]
fn combinations_vanish() {
    let mut terms = Terms::new();
    let [x, y, z] = symbols(&mut terms);
    let width = Width { bits: 64, signedness: Signedness::Signed };
    // x·z - x - y + 1 = 0 is kept by x := x·z + 1, y := y·z, also where numbers wrap around.
    let invariant = |terms: &mut Terms, x: Term, y: Term| {
        let (product, one) = (terms.mul(x, z), terms.int(1));
        let sum = terms.sub(product, x);
        let sum = terms.sub(sum, y);
        let sum = terms.add(sum, one);
        let wrapped = terms.wrap(width, sum);
        let zero = terms.int(0);
        terms.eq(wrapped, zero)
    };
    let before = invariant(&mut terms, x, y);
    let (product, one) = (terms.mul(x, z), terms.int(1));
    let next = terms.add(product, one);
    let (x, y) = (terms.wrap(width, next), terms.mul(y, z));
    let y = terms.wrap(width, y);
    let after = invariant(&mut terms, x, y);
    let not_after = terms.not(after);
    assert!(is_contradictory(&mut terms, &[before, not_after]));
    let not_before = terms.not(before);
    assert!(!is_contradictory(&mut terms, &[after, not_before]));
}

#[test]
fn odd_numbers_have_inverses() {
    for odd in [1, 3, -5, 77, -1, 255] {
        let odd = Integer::from(odd);
        for bits in [1, 3, 8, 32, 64] {
            let found = inverse(&odd, bits).expect("an inverse");
            let product = odd.mul(&found).rem_euclidean(&Integer::power_of_two(bits));
            assert_eq!(product, Some(Integer::ONE));
        }
    }
    assert_eq!(inverse(&Integer::from(6), 8), None);
}

/// Whatever is called a contradiction has no model among small numbers. Goals are combinations of the equations more often than not.
#[test]
fn contradictions_have_no_models() {
    let mut dice = Dice(7);
    let mut found = 0;
    for round in 0..600 {
        let mut terms = Terms::new();
        let all = symbols(&mut terms);
        let ids: Vec<SymbolId> = all
            .iter()
            .map(|symbol| match terms.node(*symbol) {
                Node::Symbol(id) => *id,
                _ => unreachable!("symbols are symbols"),
            })
            .collect();
        let zero = terms.int(0);
        let mut atoms = all.to_vec();
        // Something wrapped inside, and a quotient.
        let inner = polynomial(&mut terms, &mut dice, &all);
        atoms.push(terms.wrap(SMALL, inner));
        let two = terms.int(2);
        atoms.push(terms.quotient(Rounding::Truncated, all[0], two));
        let (mut assertions, mut equations) = (Vec::new(), Vec::new());
        for symbol in all {
            let (low, high) = (terms.int(-4), terms.int(3));
            assertions.push(terms.le(low, symbol));
            assertions.push(terms.le(symbol, high));
        }
        for _ in 0..1 + dice.roll(2) {
            let mut equation = polynomial(&mut terms, &mut dice, &atoms);
            if dice.roll(2) == 0 {
                equation = terms.wrap(SMALL, equation);
            }
            equations.push(equation);
            assertions.push(terms.eq(equation, zero));
        }
        let mut goal = zero;
        for equation in equations {
            let factor = polynomial(&mut terms, &mut dice, &atoms);
            let product = terms.mul(equation, factor);
            goal = terms.add(goal, product);
        }
        if dice.roll(3) == 0 {
            goal = terms.add(goal, all[1]);
        }
        if dice.roll(2) == 0 {
            goal = terms.wrap(SMALL, goal);
        }
        let equal = terms.eq(goal, zero);
        assertions.push(terms.not(equal));
        if !is_contradictory(&mut terms, &assertions) {
            continue;
        }
        found += 1;
        for point in 0..512_i64 {
            let mut values = Assignment::default();
            for (place, id) in ids.iter().enumerate() {
                let number = (point >> (3 * place) & 7) - 4;
                values.symbols.insert(*id, Value::Int(Integer::from(number)));
            }
            let holds = |part: &Term| terms.holds(*part, &values) == Ok(true);
            assert!(!assertions.iter().all(holds), "round {round} has a model: {values:?}");
        }
    }
    assert!(found > 200, "only {found} contradictions");
}
