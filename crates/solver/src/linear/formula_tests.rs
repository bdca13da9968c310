//! Decisions about formulas against evaluation.

use super::tests::Random;
use super::*;
use crate::limits::Interrupt;
use loupe_integer::{Integer, Signedness};
use loupe_term::{
    ArrayValue, Assignment, BitOp, FunctionId, Node, Origin, Quantifier, Rounding, Sort, SymbolId,
    Term, Terms, Value, Width,
};

/// Which operations random formulas have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Those with a linear meaning.
    Linear,
    /// And arrays, read after writes, and functions.
    Reads,
    /// And products, bits and quantifiers.
    All,
}

struct Generator {
    terms: Terms,
    random: Random,
    ints: Vec<Term>,
    truths: Vec<Term>,
    array: Term,
    function: FunctionId,
    language: Language,
}

const BOX: i64 = 3;

impl Generator {
    fn new(mut terms: Terms, seed: u64, language: Language) -> Self {
        let ints = ["x", "y", "z"].map(|name| terms.int_symbol(name)).to_vec();
        let truths = vec![terms.fresh("p", Sort::Bool, Origin::default())];
        let array = terms.fresh("a", Sort::Array(1), Origin::default());
        let function = terms.function("f", 1);
        Generator { terms, random: Random(seed), ints, truths, array, function, language }
    }

    fn width(&mut self) -> Width {
        let signed = self.random.chance(50);
        let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
        Width { bits: 1 + self.random.below(4) as u32, signedness }
    }

    fn int(&mut self, depth: u32) -> Term {
        let kinds = match self.language {
            _ if depth == 0 => 3,
            Language::Linear => 12,
            Language::Reads => 15,
            Language::All => 17,
        };
        let below = depth.saturating_sub(1);
        match self.random.below(kinds) {
            0 => {
                let value = self.random.between(-5, 5);
                self.terms.int(value)
            }
            1 | 2 => self.ints[self.random.below(3) as usize],
            3..=5 => {
                let (a, b) = (self.int(below), self.int(below));
                let factor = Integer::from(self.random.between(-3, 3));
                self.terms.add_scaled(a, b, &factor)
            }
            6..=8 => {
                let a = self.int(below);
                let divisor = self.random.between(-5, 5);
                let divisor = self.terms.int(divisor);
                let euclidean = self.random.chance(50);
                let rounding = if euclidean { Rounding::Euclidean } else { Rounding::Truncated };
                if self.random.chance(50) {
                    self.terms.quotient(rounding, a, divisor)
                } else {
                    self.terms.remainder(rounding, a, divisor)
                }
            }
            9 | 10 => {
                let (a, width) = (self.int(below), self.width());
                self.terms.wrap(width, a)
            }
            11 => {
                let (c, a, b) = (self.truth(below), self.int(below), self.int(below));
                self.terms.ite(c, a, b)
            }
            12 => {
                let index = self.int(below);
                self.terms.select(self.array, index).expect("sorts fit")
            }
            13 => {
                let argument = self.int(below);
                self.terms.apply(self.function, &[argument]).expect("sorts fit")
            }
            14 => {
                let [at, value, index] = [(); 3].map(|()| self.int(below));
                let written = self.terms.store(self.array, at, value).expect("sorts fit");
                self.terms.select(written, index).expect("sorts fit")
            }
            15 => {
                let (a, b) = (self.int(below), self.int(below));
                self.terms.mul(a, b)
            }
            _ => {
                let (a, b, width) = (self.int(below), self.int(below), self.width());
                let op = [BitOp::And, BitOp::Xor, BitOp::Shl][self.random.below(3) as usize];
                self.terms.bits(op, width, a, b)
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        let kinds = match self.language {
            _ if depth == 0 => 5,
            Language::All => 11,
            _ => 10,
        };
        let below = depth.saturating_sub(1);
        match self.random.below(kinds) {
            0 | 1 => {
                let (a, b) = (self.int(depth), self.int(depth));
                self.terms.le(a, b)
            }
            2 => {
                let (a, b) = (self.int(depth), self.int(depth));
                self.terms.eq(a, b)
            }
            3 => {
                let (a, divisor) = (self.int(depth), self.random.between(2, 5));
                self.terms.divides(&Integer::from(divisor), a)
            }
            4 => self.truths[0],
            5 | 6 => {
                let parts = [self.truth(below), self.truth(below)];
                self.terms.and(parts)
            }
            7 | 8 => {
                let parts = [self.truth(below), self.truth(below), self.truth(below)];
                self.terms.or(parts)
            }
            9 => {
                let a = self.truth(below);
                self.terms.not(a)
            }
            _ => {
                let body = self.truth(below);
                let (low, high) = (self.terms.int(-1), self.terms.int(2));
                let bound = self.ints[0];
                let quantified = self.terms.quantify(Quantifier::Forall, bound, [low, high], body);
                quantified.expect("sorts fit")
            }
        }
    }

    /// Some formulas, and that all symbols are in the box.
    fn assertions(&mut self) -> Vec<Term> {
        let mut assertions = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let depth = 1 + self.random.below(2) as u32;
            assertions.push(self.truth(depth));
        }
        let (low, high) = (self.terms.int(-BOX), self.terms.int(BOX));
        for symbol in self.ints.clone() {
            assertions.push(self.terms.le(low, symbol));
            assertions.push(self.terms.le(symbol, high));
        }
        assertions
    }

    fn id(&self, symbol: Term) -> SymbolId {
        match self.terms.node(symbol) {
            Node::Symbol(id) => *id,
            _ => unreachable!("symbols are built as such"),
        }
    }

    /// Whether no assignment of the box, with some arrays and functions, satisfies the assertions.
    fn has_no_model_in_the_box(&mut self, assertions: &[Term]) -> bool {
        let span = (2 * BOX + 1) as u64;
        (0..2 * span.pow(3)).all(|number| {
            let mut assignment = Assignment::default();
            for (position, symbol) in self.ints.iter().enumerate() {
                let value = (number / 2 / span.pow(position as u32)) % span;
                let value = Value::Int(Integer::from(value as i64 - BOX));
                assignment.symbols.insert(self.id(*symbol), value);
            }
            assignment.symbols.insert(self.id(self.truths[0]), Value::Bool(number % 2 == 1));
            if self.language != Language::Linear {
                let zero = Value::Int(Integer::ZERO);
                let mut array = ArrayValue { elements: Default::default(), default: zero };
                for index in -6..7 {
                    let index = Integer::from(index);
                    let element = Integer::from(self.random.between(-4, 4));
                    array.put(index.clone(), Value::Int(element));
                    let result = Integer::from(self.random.between(-4, 4));
                    assignment.functions.insert((self.function, vec![index]), result);
                }
                assignment.symbols.insert(self.id(self.array), Value::Array(array.into()));
            }
            let holds = |term: &Term| self.terms.holds(*term, &assignment) == Ok(true);
            !assertions.iter().all(holds)
        })
    }
}

/// Decides random formulas and checks every answer. Gives how many were satisfiable, unsatisfiable
/// and unknown.
fn check_random(language: Language, seed: u64, count: u64) -> [u32; 3] {
    let mut answers = [0; 3];
    for number in 0..count {
        let terms = if number % 4 == 0 { Terms::without_rules() } else { Terms::new() };
        let mut generator = Generator::new(terms, seed + number, language);
        let assertions = generator.assertions();
        match decide(&generator.terms, &assertions, Budget::default(), &Interrupt::default()) {
            Decision::Sat(assignment) => {
                answers[0] += 1;
                let holds = |term: &Term| generator.terms.holds(*term, &assignment) == Ok(true);
                assert!(assertions.iter().all(holds), "case {number}");
            }
            Decision::Unsat(core) => {
                answers[1] += 1;
                let core: Vec<Term> = core.iter().map(|index| assertions[*index]).collect();
                assert!(generator.has_no_model_in_the_box(&assertions), "case {number}");
                let again = decide(
                    &generator.terms,
                    &core,
                    Budget { steps: 400_000 },
                    &Interrupt::default(),
                );
                assert!(matches!(again, Decision::Unsat(_)), "case {number}: {again:?}");
            }
            Decision::Unknown => answers[2] += 1,
        }
    }
    answers
}

#[test]
fn linear_formulas_are_decided() {
    let [sat, unsat, unknown] = check_random(Language::Linear, 0, 6_000);
    assert!(sat > 1_000 && unsat > 1_000 && unknown < 60, "{sat} {unsat} {unknown}");
}

#[test]
fn formulas_with_reads_are_decided() {
    let [sat, unsat, unknown] = check_random(Language::Reads, 1 << 20, 4_000);
    assert!(sat > 1_000 && unsat > 500 && unknown < 60, "{sat} {unsat} {unknown}");
}

#[test]
fn answers_about_all_formulas_are_right() {
    let [sat, unsat, unknown] = check_random(Language::All, 1 << 21, 4_000);
    assert!(sat > 1_000 && unsat > 500, "{sat} {unsat} {unknown}");
}

/// What is decided of formulas over x, y and z.
fn decision(build: impl Fn(&mut Terms, [Term; 3]) -> Vec<Term>) -> (Terms, [Term; 3], Decision) {
    let mut terms = Terms::new();
    let symbols = ["x", "y", "z"].map(|name| terms.int_symbol(name));
    let assertions = build(&mut terms, symbols);
    let decision = decide(&terms, &assertions, Budget::default(), &Interrupt::default());
    (terms, symbols, decision)
}

fn unsat_core(build: impl Fn(&mut Terms, [Term; 3]) -> Vec<Term>) -> Option<Vec<usize>> {
    match decision(build).2 {
        Decision::Unsat(core) => Some(core),
        _ => None,
    }
}

#[test]
fn cores_are_about_assertions() {
    let core = unsat_core(|terms, [x, y, z]| {
        let [zero, two, ten] = [0, 2, 10].map(|value| terms.int(value));
        let (low, high) = (terms.le(x, zero), terms.le(ten, x));
        let half = terms.quotient(Rounding::Truncated, y, two);
        let between = [terms.le(two, x), terms.lt(x, ten), terms.le(zero, half)];
        let irrelevant = [terms.le(z, y), terms.or([low, high]), terms.le(y, ten)];
        [irrelevant.as_slice(), &between].concat()
    });
    assert_eq!(core, Some(vec![1, 3, 4]));
}

#[test]
fn opaque_atoms_contradict_only_themselves() {
    let core = unsat_core(|terms, [x, y, z]| {
        let product = terms.mul(x, y);
        vec![terms.lt(product, z), terms.le(z, product)]
    });
    assert_eq!(core, Some(vec![0, 1]));
    // A square is not negative, and bits have a range.
    let core = unsat_core(|terms, [x, y, _]| {
        let width = Width { bits: 8, signedness: Signedness::Unsigned };
        let (square, bits) = (terms.mul(x, x), terms.bits(BitOp::Xor, width, x, y));
        let limit = terms.int(256);
        let sum = terms.add(square, limit);
        vec![terms.le(sum, bits)]
    });
    assert_eq!(core, Some(vec![0]));
    // x·y = 6 ∧ x = 2 has a solution that is not looked for.
    let (.., unknown) = decision(|terms, [x, y, _]| {
        let (product, six, two) = (terms.mul(x, y), terms.int(6), terms.int(2));
        vec![terms.eq(product, six), terms.eq(x, two)]
    });
    assert!(matches!(unknown, Decision::Unknown), "{unknown:?}");
}

#[test]
fn what_cannot_be_used_is_left_out() {
    let build = |terms: &mut Terms, [x, y, _]: [Term; 3], contradiction: bool| {
        let unknown = terms.star(Sort::Bool);
        let element = terms.fresh("a", Sort::Array(1), Origin::default());
        let other = terms.fresh("b", Sort::Array(1), Origin::default());
        let same = terms.eq(element, other);
        let below = if contradiction { terms.lt(y, x) } else { terms.le(y, x) };
        vec![unknown, x, same, terms.le(x, y), below]
    };
    assert_eq!(unsat_core(|terms, symbols| build(terms, symbols, true)), Some(vec![3, 4]));
    let (.., decision) = decision(|terms, symbols| build(terms, symbols, false));
    assert!(matches!(decision, Decision::Unknown), "{decision:?}");
}

#[test]
fn equal_indices_have_equal_elements() {
    let core = unsat_core(|terms, [x, y, z]| {
        let array = terms.fresh("a", Sort::Array(2), Origin::default());
        let element = |terms: &mut Terms, i, j| {
            let row = terms.select(array, i).expect("sorts fit");
            terms.select(row, j).expect("sorts fit")
        };
        let (first, second) = (element(terms, x, z), element(terms, y, z));
        vec![terms.le(x, y), terms.lt(first, second), terms.le(y, x)]
    });
    assert_eq!(core, Some(vec![0, 1, 2]));
}

#[test]
fn arrays_that_differ_in_nothing_are_the_same() {
    // a[x][y] = 0 ∧ a ≠ b: the model makes both arrays 0 everywhere, so it must not count.
    let (.., decision) = decision(|terms, [x, y, _]| {
        let [a, b] = ["a", "b"].map(|name| terms.fresh(name, Sort::Array(2), Origin::default()));
        let row = terms.select(a, x).expect("sorts fit");
        let element = terms.select(row, y).expect("sorts fit");
        let zero = terms.int(0);
        vec![terms.eq(element, zero), terms.ne(a, b)]
    });
    assert!(matches!(decision, Decision::Unknown), "{decision:?}");
}

#[test]
fn large_formulas_are_no_problem() {
    let mut terms = Terms::new();
    let (x, one) = (terms.int_symbol("x"), terms.int(1));
    let widths = [8, 16].map(|bits| Width { bits, signedness: Signedness::Unsigned });
    let (mut deep, mut nested, mut wide) = (x, terms.le(x, one), Vec::new());
    for i in 0..50_000 {
        let next = terms.add_scaled(one, deep, &Integer::from(3));
        deep = terms.wrap(widths[i % 2], next);
        let bound = terms.int(i);
        let literal = terms.eq(x, bound);
        wide.push(literal);
        nested =
            if i % 2 == 0 { terms.and([nested, literal]) } else { terms.or([nested, literal]) };
    }
    let deep = terms.le(deep, one);
    let wide = terms.or(wide);
    for assertion in [deep, nested, wide] {
        let minus_one = terms.int(-1);
        let negative = terms.le(x, minus_one);
        let decided =
            decide(&terms, &[assertion, negative], Budget::default(), &Interrupt::default());
        let holds = |term, assignment: &Assignment| terms.holds(term, assignment) == Ok(true);
        match decided {
            Decision::Sat(assignment) => {
                assert!(holds(assertion, &assignment) && holds(negative, &assignment));
            }
            Decision::Unsat(_) => assert_ne!(assertion, deep, "it has solutions"),
            Decision::Unknown => {}
        }
    }
}

#[test]
fn long_evaluations_are_not_started() {
    // ∀i, j, k in 0..9999. x ≤ i + j + k
    let (_, _, decision) = decision(|terms, [x, _, _]| {
        let (zero, many) = (terms.int(0), terms.int(9_999));
        let bound = ["i", "j", "k"].map(|name| terms.int_symbol(name));
        let sum = terms.sum(bound);
        let mut formula = terms.le(x, sum);
        for variable in bound {
            let all = terms.quantify(Quantifier::Forall, variable, [zero, many], formula);
            formula = all.expect("sorts fit");
        }
        vec![formula]
    });
    assert!(matches!(decision, Decision::Unknown), "{decision:?}");
}
