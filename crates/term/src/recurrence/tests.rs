//! Iteration is the oracle: what a form says after k iterations is compared with the values after k
//! iterations, for systems of every family and for mixtures of them.

mod families;
mod particular;

use super::*;
use crate::{ArrayValue, Assignment, Origin, Rounding, Value, Width};
use loupe_integer::{Integer, Signedness};

/// Random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    /// A number from `low` to `high`.
    fn roll(&mut self, low: i64, high: i64) -> i64 {
        // Steele, Lea, Flood: splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + ((z ^ (z >> 31)) % (high - low + 1) as u64) as i64
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.roll(0, choices.len() as i64 - 1) as usize]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.roll(0, i as i64) as usize);
        }
    }
}

/// Symbols to make systems of.
struct World {
    terms: Terms,
    counter: Term,
    variables: [Term; 4],
    /// Two integers and an array that do not change.
    n: Term,
    m: Term,
    array: Term,
    updates: Vec<(Term, Term)>,
    facts: Vec<Term>,
}

impl World {
    fn new() -> Self {
        let mut terms = Terms::new();
        let [x, y, z, u, n, m, counter] =
            ["x", "y", "z", "u", "n", "m", "k"].map(|name| terms.int_symbol(name));
        let array = terms.fresh("a", Sort::Array(1), Origin::default());
        let variables = [x, y, z, u];
        World { terms, counter, variables, n, m, array, updates: vec![], facts: vec![] }
    }

    fn int(&mut self, value: i64) -> Term {
        self.terms.int(value)
    }

    /// `Σ coefficient · term + constant`.
    fn linear(&mut self, parts: &[(i64, Term)], constant: i64) -> Term {
        let mut sum = self.terms.int(constant);
        for (coefficient, term) in parts {
            sum = self.terms.add_scaled(sum, *term, &Integer::from(*coefficient));
        }
        sum
    }

    fn euclidean(&mut self, a: Term, b: Term) -> Term {
        self.terms.remainder(Rounding::Euclidean, a, b)
    }

    fn solve(&mut self, prover: &mut dyn Prover) -> Solutions {
        let system = System { counter: self.counter, updates: &self.updates, facts: &self.facts };
        solve(&mut self.terms, &system, prover).expect("a good system")
    }

    fn symbol(&self, term: Term) -> SymbolId {
        match self.terms.node(term) {
            Node::Symbol(symbol) => *symbol,
            _ => unreachable!("not a symbol"),
        }
    }

    /// Random entry values that obey the facts.
    fn entry(&self, dice: &mut Dice) -> Assignment {
        loop {
            let mut entry = Assignment::default();
            for term in self.variables.iter().chain([&self.n, &self.m]) {
                let value = dice.roll(-9, 9);
                entry.symbols.insert(self.symbol(*term), Value::Int(Integer::from(value)));
            }
            let mut array = ArrayValue {
                elements: Default::default(),
                default: Value::Int(Integer::from(dice.roll(-2, 2))),
            };
            for index in -4..12 {
                let value = dice.roll(-5, 5);
                array.put(Integer::from(index), Value::Int(Integer::from(value)));
            }
            entry.symbols.insert(self.symbol(self.array), Value::Array(array.into()));
            if self.facts.iter().all(|fact| self.terms.holds(*fact, &entry) == Ok(true)) {
                return entry;
            }
        }
    }

    /// The values after one iteration.
    fn iterate(&self, state: &Assignment) -> Assignment {
        let mut next = state.clone();
        for (variable, update) in &self.updates {
            let value = self.terms.evaluate(*update, state).expect("a value");
            next.symbols.insert(self.symbol(*variable), value);
        }
        next
    }

    /// Compares forms with iteration: all values up to 8 iterations, and some later.
    fn compare(&mut self, solutions: &Solutions, dice: &mut Dice, entries: usize) {
        let counter = self.symbol(self.counter);
        for _ in 0..entries {
            let entry = self.entry(dice);
            let mut state = entry.clone();
            for k in 0..=25_i64 {
                if k <= 8 || k == 15 || k == 25 {
                    let mut at = entry.clone();
                    at.symbols.insert(counter, Value::Int(Integer::from(k)));
                    for (symbol, solution) in solutions.iter() {
                        let Some(form) = solution.proved() else { continue };
                        let found = self.terms.evaluate(form.value(), &at);
                        let variable = self.terms.intern(Node::Symbol(symbol));
                        let expected = self.terms.evaluate(variable, &state);
                        assert_eq!(found, expected, "k = {k}, {:?}", self.describe(symbol));
                        self.compare_phases(form, &entry, k, expected.expect("a value"));
                    }
                }
                state = self.iterate(&state);
                let huge = |value: &Value| matches!(value, Value::Int(i) if i.bits() > 3_000);
                if state.symbols.values().any(huge) {
                    break;
                }
            }
        }
    }

    /// The same for the classes of a form.
    fn compare_phases(&self, form: &Form, entry: &Assignment, k: i64, expected: Value) {
        let later = k - form.first().len() as i64;
        let period = form.classes().len() as i64;
        let (term, n) = match usize::try_from(later) {
            Err(_) => (form.first()[k as usize], 0),
            Ok(_) => (form.classes()[(later % period) as usize], later / period),
        };
        let mut at = entry.clone();
        at.symbols.insert(self.symbol(self.counter), Value::Int(Integer::from(n)));
        assert_eq!(self.terms.evaluate(term, &at), Ok(expected), "class, k = {k}");
    }

    fn describe(&self, symbol: SymbolId) -> String {
        let nodes = |term: Term| {
            let parts = self.terms.post_order(term);
            parts.into_iter().map(|t| format!("{t:?}={:?}", self.terms.node(t))).collect::<Vec<_>>()
        };
        let updates: Vec<_> = self.updates.iter().map(|(v, u)| (*v, nodes(*u))).collect();
        format!("{symbol:?} of {updates:#?}")
    }

    /// Whether base and step hold for some values; `None` if they cannot be computed.
    fn claims_hold(&self, claims: &Claims, dice: &mut Dice, tries: usize) -> bool {
        (0..tries).all(|_| {
            let mut at = self.entry(dice);
            let k = Value::Int(Integer::from(dice.roll(0, 9)));
            at.symbols.insert(self.symbol(self.counter), k);
            [claims.base, claims.step].iter().all(|claim| self.terms.holds(*claim, &at) == Ok(true))
        })
    }
}
