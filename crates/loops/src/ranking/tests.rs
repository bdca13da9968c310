//! Rankings and recurrent sets of random loops, against running them.

use crate::problem::{End, Fresh, FreshKind, Loop, Path, Precision, Variable};
use crate::testing::chain;
use crate::{Effort, rank, recurrent};
use loupe_integer::Integer;
use loupe_term::{Assignment, Node, SymbolId, Term, Terms, Value};

/// A generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick(&mut self, all: &[Term]) -> Term {
        all[self.below(all.len() as u64) as usize]
    }
}

struct Sample {
    terms: Terms,
    problem: Loop,
    variables: Vec<SymbolId>,
    input: SymbolId,
}

fn id(terms: &Terms, term: Term) -> SymbolId {
    let Node::Symbol(id) = terms.node(term) else { panic!("a symbol is needed") };
    *id
}

/// `while (A && B) { if (C) … else … }` over x and y, with an input in conditions and updates.
fn sample(random: &mut Random) -> Sample {
    let mut terms = Terms::default();
    let symbols: Vec<Term> = ["x", "y"].iter().map(|name| terms.int_symbol(name)).collect();
    let input = terms.int_symbol("in");
    let numbers: Vec<Term> = [-3, -1, 0, 1, 2, 5].iter().map(|n| terms.int(*n)).collect();
    let condition = |terms: &mut Terms, random: &mut Random, with_input: u64| {
        let left = match random.below(6) < with_input {
            true => input,
            false => random.pick(&symbols),
        };
        let all: Vec<Term> = numbers.iter().chain(&symbols).copied().collect();
        let right = random.pick(&all);
        match random.below(3) {
            0 => terms.lt(left, right),
            1 => terms.le(right, left),
            _ => terms.ne(left, right),
        }
    };
    let update = |terms: &mut Terms, random: &mut Random, variable: Term| match random.below(8) {
        0 => input,
        1 => random.pick(&symbols),
        2 => random.pick(&numbers),
        3 => variable,
        _ => {
            let step = random.pick(&numbers);
            terms.add(variable, step)
        }
    };
    let first = condition(&mut terms, random, 0);
    let second = condition(&mut terms, random, 1);
    let stays = terms.and([first, second]);
    let inner = condition(&mut terms, random, 2);
    let (outer, other) = (terms.not(stays), terms.not(inner));
    let mut paths = Vec::new();
    for (side, end) in [(inner, End::Again), (other, End::Again), (outer, End::Exit(0))] {
        let guard = match end {
            End::Again => terms.and([stays, side]),
            End::Exit(_) => side,
        };
        let updates = symbols.iter().map(|v| update(&mut terms, random, *v)).collect();
        let fresh = vec![Fresh { symbol: input, kind: FreshKind::Input }];
        let (precision, label) = (Precision::Exact, String::new());
        paths.push(Path { guard, updates, fresh, end, precision, label });
    }
    let variable = |symbol: &Term| Variable { symbol: *symbol, name: String::new() };
    let problem = Loop {
        variables: symbols.iter().map(variable).collect(),
        paths,
        exits: 1,
        ..Loop::default()
    };
    let variables = symbols.iter().map(|symbol| id(&terms, *symbol)).collect();
    let input = id(&terms, input);
    Sample { terms, problem, variables, input }
}

impl Sample {
    fn entry(&self, values: [i64; 2]) -> Assignment {
        let values = values.map(|value| Value::Int(Integer::from(value)));
        Assignment {
            symbols: self.variables.iter().copied().zip(values).collect(),
            ..Assignment::default()
        }
    }

    /// Whether the loop is left within so many iterations.
    fn ends(&self, entry: &Assignment, limit: u64, mut inputs: impl FnMut() -> Integer) -> bool {
        let mut at = entry.clone();
        for _ in 0..limit {
            at.symbols.insert(self.input, Value::Int(inputs()));
            let enabled = |path: &&Path| self.terms.holds(path.guard, &at) == Ok(true);
            let path = self.problem.paths.iter().find(enabled).expect("some path is enabled");
            if path.end != End::Again {
                return true;
            }
            let after: Vec<Value> = (path.updates.iter())
                .map(|update| self.terms.evaluate(*update, &at).expect("a value"))
                .collect();
            at.symbols.extend(self.variables.iter().copied().zip(after));
        }
        false
    }

    fn grid(&self) -> Vec<Assignment> {
        let range = -5..=6_i64;
        range
            .clone()
            .flat_map(|x| range.clone().map(move |y| [x, y]))
            .map(|v| self.entry(v))
            .collect()
    }
}

#[test]
fn random_loops() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut ranked, mut endless) = (0, 0);
    for number in 0..150 {
        let mut sample = sample(&mut random);
        let (mut chain, _) = chain();
        let effort = Effort::default();
        let ranking = rank(&mut sample.terms, &mut chain, &sample.problem, &effort);
        if let Some(ranking) = ranking.expect("queries make sense") {
            ranked += 1;
            for entry in sample.grid() {
                for _ in 0..3 {
                    let inputs = || Integer::from(random.below(16) as i64 - 6);
                    let ends = sample.ends(&entry, 5_000, inputs);
                    assert!(ends, "{number}: {ranking:?} from {entry:?}");
                }
            }
        }
        let sets = recurrent(&mut sample.terms, &mut chain, &sample.problem, &effort);
        for found in sets.expect("queries make sense") {
            let mut members = 0;
            for entry in sample.grid() {
                if sample.terms.holds(found.set, &entry) != Ok(true) {
                    continue;
                }
                members += 1;
                let all: Vec<Integer> = found
                    .round
                    .iter()
                    .flat_map(|turn| turn.inputs.iter().map(|i| i.1.clone()))
                    .collect();
                let mut next = all.iter().cycle();
                let inputs = || next.next().expect("an input for each turn").clone();
                assert!(!sample.ends(&entry, 500, inputs), "{number}: {found:?} from {entry:?}");
            }
            endless += usize::from(members > 0);
        }
    }
    assert!(ranked >= 10, "only {ranked} loops were ranked");
    assert!(endless >= 40, "only {endless} recurrent sets had members");
}

/// The loop over unbounded numbers with this many paths, all of which go on where `guard` holds.
fn counting(step: i64) -> (Terms, Loop) {
    let mut terms = Terms::default();
    let x = terms.int_symbol("x");
    let zero = terms.int(0);
    let guard = terms.lt(zero, x);
    let step = terms.int(step);
    let next = terms.add(x, step);
    let path = |guard, update, end| Path {
        guard,
        updates: vec![update],
        fresh: Vec::new(),
        end,
        precision: Precision::Exact,
        label: String::new(),
    };
    let over = terms.not(guard);
    let paths = vec![path(guard, next, End::Again), path(over, x, End::Exit(0))];
    let variables = vec![Variable { symbol: x, name: "x".into() }];
    (terms, Loop { variables, paths, exits: 1, ..Loop::default() })
}

#[test]
fn what_falls_ends_and_what_does_not_goes_on() {
    for (step, falls) in [(-1, true), (-7, true), (0, false), (3, false)] {
        let (mut terms, problem) = counting(step);
        let (mut chain, _) = chain();
        let effort = Effort::default();
        let ranking = rank(&mut terms, &mut chain, &problem, &effort).expect("queries make sense");
        assert_eq!(ranking.is_some(), falls, "step {step}");
        let sets =
            recurrent(&mut terms, &mut chain, &problem, &effort).expect("queries make sense");
        assert_eq!(sets.is_empty(), falls, "step {step}");
    }
}

#[test]
fn what_is_unknown_may_be_anything() {
    let (mut terms, mut problem) = counting(-1);
    problem.paths[0].updates[0] = terms.star(loupe_term::Sort::Int);
    problem.paths[0].precision = Precision::Over;
    let (mut chain, _) = chain();
    let effort = Effort::default();
    let ranking = rank(&mut terms, &mut chain, &problem, &effort).expect("queries make sense");
    assert!(ranking.is_none());
    // What may be too much is no execution.
    problem.paths[0].updates[0] = problem.variables[0].symbol;
    let sets = recurrent(&mut terms, &mut chain, &problem, &effort).expect("queries make sense");
    assert!(sets.is_empty());
}

#[test]
fn a_part_of_the_paths_proves_nothing() {
    let (mut terms, mut problem) = counting(-1);
    problem.is_partial = Some("too many".into());
    let (mut chain, _) = chain();
    let ranking = rank(&mut terms, &mut chain, &problem, &Effort::default());
    assert!(ranking.expect("queries make sense").is_none());
}
