//! Loops with summaries made by hand, and their executions step by step: what everything else is measured with.

use crate::problem::{End, Fresh, FreshKind, Loop, Path, Precision, Variable};
use crate::summary::{Case, Repeated, Segment, Summary, Tag};
use loupe_integer::Integer;
use loupe_solver::{Chain, ChainOptions, Limits};
use loupe_term::{Assignment, Node, Rounding, SymbolId, Term, Terms, Value};
use std::collections::BTreeSet;

/// A loop, its summary, and the symbols of its program in the order of declaration.
pub(crate) struct Example {
    pub(crate) terms: Terms,
    pub(crate) problem: Loop,
    pub(crate) summary: Summary,
    pub(crate) declared: Vec<(String, Term)>,
}

/// What an execution did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) exit: usize,
    /// The values of what was declared.
    pub(crate) values: Vec<i64>,
    /// How often each path was taken.
    pub(crate) taken: Vec<u64>,
}

impl Ended {
    /// How many iterations there were.
    pub(crate) fn iterations(&self, problem: &Loop) -> u64 {
        problem.iterations().map(|(path, _)| self.taken[path]).sum()
    }
}

pub(crate) fn chain() -> (Chain, Limits) {
    (Chain::new(ChainOptions::default()), crate::Effort::default().limits)
}

fn id(terms: &Terms, term: Term) -> SymbolId {
    let Node::Symbol(id) = terms.node(term) else { panic!("a symbol is needed") };
    *id
}

pub(crate) fn value(terms: &Terms, term: Term, at: &Assignment) -> i64 {
    match terms.evaluate(term, at) {
        Ok(Value::Int(value)) => value.to_i64().expect("a small number"),
        other => panic!("no integer: {other:?}"),
    }
}

impl Example {
    pub(crate) fn assignment(&self, values: &[i64]) -> Assignment {
        let pairs = self.declared.iter().zip(values);
        let pairs = pairs.map(|((_, symbol), value)| {
            (id(&self.terms, *symbol), Value::Int(Integer::from(*value)))
        });
        Assignment { symbols: pairs.collect(), ..Assignment::default() }
    }

    /// Executes the loop; inputs are taken from a list in turn. None if it takes too long.
    pub(crate) fn run(
        &self,
        entry: &[i64],
        mut inputs: impl Iterator<Item = i64>,
    ) -> Option<Ended> {
        let mut at = self.assignment(entry);
        let mut taken = vec![0; self.problem.paths.len()];
        for _ in 0..1_000 {
            let fresh = self.problem.paths.iter().flat_map(|path| &path.fresh);
            let fresh: BTreeSet<SymbolId> = fresh.map(|f| id(&self.terms, f.symbol)).collect();
            for symbol in fresh {
                let input = inputs.next().unwrap_or(0);
                at.symbols.insert(symbol, Value::Int(Integer::from(input)));
            }
            let enabled = |path: &&(usize, &Path)| self.terms.holds(path.1.guard, &at) == Ok(true);
            let paths: Vec<_> = self.problem.paths.iter().enumerate().collect();
            let (number, path) = paths.iter().find(enabled).expect("some path is enabled");
            assert_eq!(paths.iter().filter(enabled).count(), 1, "paths exclude each other");
            taken[*number] += 1;
            let after: Vec<Value> = (path.updates.iter())
                .map(|update| self.terms.evaluate(*update, &at).expect("a value"))
                .collect();
            for (variable, value) in self.problem.variables.iter().zip(after) {
                at.symbols.insert(id(&self.terms, variable.symbol), value);
            }
            if let End::Exit(exit) = path.end {
                let values =
                    self.declared.iter().map(|(_, symbol)| value(&self.terms, *symbol, &at));
                return Some(Ended { exit, values: values.collect(), taken });
            }
        }
        None
    }
}

pub(crate) fn path(guard: Term, updates: Vec<Term>, end: End, label: &str) -> Path {
    let label = label.to_owned();
    Path { guard, updates, fresh: Vec::new(), end, precision: Precision::Exact, label }
}

fn case(condition: Term, values: Vec<Term>, trace: Vec<Segment>, last: usize, exit: usize) -> Case {
    Case {
        condition,
        counters: Vec::new(),
        inputs: Vec::new(),
        values,
        before: Vec::new(),
        exit,
        trace,
        last,
        draws: Vec::new(),
        streams: Vec::new(),
        taken: Vec::new(),
    }
}

fn times(path: usize, count: Term) -> Segment {
    Segment::new(Repeated::Path(path), count)
}

fn exact(cases: Vec<Case>) -> Summary {
    Summary {
        tag: Tag::Exact,
        cases,
        diverging: Vec::new(),
        covers: crate::Covers::All,
        under: None,
        reasons: Vec::new(),
        obligations: Vec::new(),
        witnesses: Vec::new(),
    }
}

/// `while (i < n) i += step;`
pub(crate) fn counting(step: i64) -> Example {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (i, n, step_term) = (t.int_symbol("i"), t.int_symbol("n"), t.int(step));
    let (inside, outside, next) = (t.lt(i, n), t.le(n, i), t.add(i, step_term));
    let round = t.int(step - 1);
    let left = t.sub(n, i);
    let left = t.add(left, round);
    let count = t.quotient(Rounding::Euclidean, left, step_term);
    let way = t.mul(count, step_term);
    let end = t.add(i, way);
    let problem = Loop {
        variables: vec![Variable { symbol: i, name: "i".into() }],
        paths: vec![
            path(inside, vec![next], End::Again, "3"),
            path(outside, vec![i], End::Exit(0), "2"),
        ],
        exits: 1,
        ..Loop::default()
    };
    let summary = exact(vec![
        case(outside, vec![i], vec![], 1, 0),
        case(inside, vec![end], vec![times(0, count)], 1, 0),
    ]);
    let declared = vec![("i".into(), i), ("n".into(), n)];
    Example { terms, problem, summary, declared }
}

/// Proteus, figure 1(a): `while (x < n) if (z > x) x++; else z++;`
pub(crate) fn interleaved() -> Example {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (n, x, z, one) = (t.int_symbol("n"), t.int_symbol("x"), t.int_symbol("z"), t.int(1));
    let (inside, outside) = (t.lt(x, n), t.le(n, x));
    let (above, below) = (t.lt(x, z), t.le(z, x));
    let (x_next, z_next) = (t.add(x, one), t.add(z, one));
    let (up, side) = (t.and([inside, above]), t.and([inside, below]));
    let problem = Loop {
        variables: vec![
            Variable { symbol: x, name: "x".into() },
            Variable { symbol: z, name: "z".into() },
        ],
        paths: vec![
            path(up, vec![x_next, z], End::Again, "4"),
            path(side, vec![x, z_next], End::Again, "5"),
            path(outside, vec![x, z], End::Exit(0), "3"),
        ],
        exits: 1,
        ..Loop::default()
    };
    let (n_to_z, z_above) = (t.le(n, z), t.lt(z, n));
    let only = t.and([inside, n_to_z]);
    let long = t.sub(n, x);
    // x < z < n: up to z, then rounds of both; z <= x < n: z up to x, then one more and rounds.
    let first = t.and([above, z_above]);
    let (first_up, rounds) = (t.sub(z, x), t.sub(n, z));
    let second = t.and([below, inside]);
    let catch_up = t.sub(x, z);
    let round = |count| Segment::new(Repeated::Round(vec![times(1, one), times(0, one)]), count);
    let summary = exact(vec![
        case(outside, vec![x, z], vec![], 2, 0),
        case(only, vec![n, z], vec![times(0, long)], 2, 0),
        case(first, vec![n, n], vec![times(0, first_up), round(rounds)], 2, 0),
        case(second, vec![n, n], vec![times(1, catch_up), round(long)], 2, 0),
    ]);
    let declared = vec![("n".into(), n), ("x".into(), x), ("z".into(), z)];
    Example { terms, problem, summary, declared }
}

/// `while (i < n && nondet()) i++;` with the two exits apart.
pub(crate) fn with_input() -> Example {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (i, n, input, one) =
        (t.int_symbol("i"), t.int_symbol("n"), t.int_symbol("nondet"), t.int(1));
    let (zero, k) = (t.int(0), t.int_symbol("k"));
    let (inside, outside) = (t.lt(i, n), t.le(n, i));
    let (yes, no, next) = (t.ne(input, zero), t.eq(input, zero), t.add(i, one));
    let (go, stop) = (t.and([inside, yes]), t.and([inside, no]));
    let fresh = vec![Fresh { symbol: input, kind: FreshKind::Input }];
    let with = |path| Path { fresh: fresh.clone(), ..path };
    let problem = Loop {
        variables: vec![Variable { symbol: i, name: "i".into() }],
        paths: vec![
            with(path(go, vec![next], End::Again, "3")),
            path(outside, vec![i], End::Exit(0), "2"),
            with(path(stop, vec![i], End::Exit(1), "2")),
        ],
        exits: 2,
        ..Loop::default()
    };
    let (long, behind) = (t.sub(n, i), t.add(i, k));
    let (before, at_least) = (t.lt(behind, n), t.le(zero, k));
    let early = t.and([at_least, before, no]);
    let mut early = case(early, vec![behind], vec![times(0, k)], 2, 1);
    (early.counters, early.inputs) = (vec![k], vec![input]);
    let summary = exact(vec![
        case(outside, vec![i], vec![], 1, 0),
        case(inside, vec![n], vec![times(0, long)], 1, 0),
        early,
    ]);
    let declared = vec![("i".into(), i), ("n".into(), n)];
    Example { terms, problem, summary, declared }
}
