//! Loops that write arrays here and there, against runs of them: whatever a case says of some last writers is what happened, and what happened is in a case.

use loupe_loops::{Effort, End, Loop, Path, Precision, Tag, Variable, Ways, summarise};
use loupe_solver::{Answer, Chain, ChainOptions, Limits};
use loupe_term::{Origin, Sort, Term, Terms};
use std::time::Duration;

/// How many loops.
const LOOPS: u64 = 40;
/// The places of arrays that are looked at.
const PLACES: i64 = 6;

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn number(&mut self) -> i64 {
        self.below(PLACES as u64) as i64
    }
}

struct Symbols {
    i: Term,
    count: Term,
    array: Term,
    n: Term,
    b: Term,
}

/// A write: when, where, what.
type Write = (Term, Term, Term);

fn write(terms: &mut Terms, symbols: &Symbols, dice: &mut Dice) -> Write {
    let Symbols { i, b, count, n, .. } = *symbols;
    let small = terms.int(dice.below(4) as i64);
    let element = terms.select(b, i).expect("an array");
    let six = terms.int(PLACES);
    let three = terms.int(3);
    let last = terms.sub(n, i);
    let index = match dice.below(6) {
        0 => small,
        1 => {
            let square = terms.mul(i, i);
            terms.remainder(loupe_term::Rounding::Euclidean, square, six)
        }
        2 => terms.remainder(loupe_term::Rounding::Euclidean, i, three),
        3 => count,
        _ => element,
    };
    let value = match dice.below(4) {
        0 => small,
        1 => i,
        2 => element,
        _ => last,
    };
    let condition = match dice.below(3) {
        0 => terms.le(small, element),
        _ => terms.bool(true),
    };
    (condition, index, value)
}

/// `for (; i < n; i++) { if (…) { array[…] = …; } … }`, where elements above a number are counted.
fn problem(terms: &mut Terms, symbols: &Symbols, dice: &mut Dice) -> Loop {
    let Symbols { i, count, array, n, b } = *symbols;
    let one = terms.int(1);
    let goes_on = terms.lt(i, n);
    let element = terms.select(b, i).expect("an array");
    let limit = terms.int(2 + dice.below(2) as i64);
    let counts = terms.lt(limit, element);
    let next = terms.add(i, one);
    let writes: Vec<Write> = (0..=dice.below(2)).map(|_| write(terms, symbols, dice)).collect();
    let mut states: Vec<(Vec<Term>, Term)> = vec![(vec![goes_on], array)];
    for (condition, index, value) in writes {
        for (guard, now) in std::mem::take(&mut states) {
            let then = terms.store(now, index, value).expect("an array");
            let unless = terms.not(condition);
            states.push((guard.iter().copied().chain([condition]).collect(), then));
            if terms.as_bool(unless) != Some(false) {
                states.push((guard.into_iter().chain([unless]).collect(), now));
            }
        }
    }
    let path = |guard: Term, updates: Vec<Term>, end: End| Path {
        guard,
        updates,
        fresh: Vec::new(),
        end,
        precision: Precision::Exact,
        label: String::new(),
    };
    let mut paths = Vec::new();
    for (guard, now) in states {
        for side in [true, false] {
            let test = if side { counts } else { terms.not(counts) };
            let more = if side { terms.add(count, one) } else { count };
            let guard = terms.and(guard.iter().copied().chain([test]));
            if terms.as_bool(guard) != Some(false) {
                paths.push(path(guard, vec![next, more, now], End::Again));
            }
        }
    }
    let ends = terms.not(goes_on);
    paths.push(path(ends, vec![i, count, array], End::Exit(0)));
    let variable = |symbol: Term, name: &str| Variable { symbol, name: name.into() };
    let variables = vec![variable(i, "i"), variable(count, "c"), variable(array, "a")];
    Loop { variables, paths, exits: 1, ways: Ways::One, ..Loop::default() }
}

/// The values after a run, by putting them in: numbers fold, and so do arrays that are lists of writes.
fn run(terms: &mut Terms, problem: &Loop, entry: &[(Term, Term)]) -> Vec<Term> {
    let constants: Vec<(Term, Term)> = entry.to_vec();
    let mut values: Vec<Term> =
        problem.variables.iter().map(|variable| put(terms, variable.symbol, &constants)).collect();
    loop {
        let mut store = constants.clone();
        for (variable, value) in problem.variables.iter().zip(&values) {
            store.retain(|(symbol, _)| *symbol != variable.symbol);
            store.push((variable.symbol, *value));
        }
        let taken = problem.paths.iter().find(|path| {
            let guard = put(terms, path.guard, &store);
            terms.as_bool(guard).expect("a known value")
        });
        let path = taken.expect("some path is taken");
        values = path.updates.iter().map(|update| put(terms, *update, &store)).collect();
        if path.end != End::Again {
            return values;
        }
    }
}

fn put(terms: &mut Terms, term: Term, store: &[(Term, Term)]) -> Term {
    let store = store.iter().map(|(symbol, value)| match terms.node(*symbol) {
        loupe_term::Node::Symbol(id) => (*id, *value),
        _ => panic!("a symbol"),
    });
    let store = store.collect();
    terms.substitute(term, &store)
}

/// An array with known elements.
fn some_array(terms: &mut Terms, dice: &mut Dice) -> Term {
    let place = terms.fresh("p", Sort::Int, Origin::default());
    let nine = terms.int(9);
    let mut array = terms.lambda(place, nine).expect("an array");
    for index in 0..PLACES {
        let (at, value) = (terms.int(index), terms.int(dice.number()));
        array = terms.store(array, at, value).expect("an array");
    }
    array
}

#[test]
fn last_writers_are_those_of_runs() {
    let (mut solved, mut with_writers, mut runs) = (0, 0, 0);
    for seed in 0..LOOPS {
        let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9) + 3);
        let mut terms = Terms::new();
        let mut chain = Chain::new(ChainOptions::default());
        let mut fresh = |name: &str, sort: Sort| terms.fresh(name, sort, Origin::default());
        let symbols = Symbols {
            i: fresh("i", Sort::Int),
            count: fresh("c", Sort::Int),
            array: fresh("a", Sort::Array(1)),
            n: fresh("n", Sort::Int),
            b: fresh("b", Sort::Array(1)),
        };
        let problem = problem(&mut terms, &symbols, dice);
        let summary =
            summarise(&mut terms, &mut chain, &problem, &Effort::default()).expect("no bug");
        if !matches!(summary.tag, Tag::Exact | Tag::Template) {
            continue;
        }
        solved += 1;
        let limits = Limits { time: Duration::from_secs(5), ..Limits::default() };
        let is_sequence = |counter: &&Term| terms.sort(**counter) != Sort::Int;
        let counters = summary.cases.iter().flat_map(|case| &case.counters);
        with_writers += u64::from(counters.filter(is_sequence).count() > 0);
        for _ in 0..6 {
            let entry = vec![
                (symbols.i, terms.int(dice.below(3) as i64)),
                (symbols.count, terms.int(dice.below(2) as i64)),
                (symbols.n, terms.int(dice.number())),
                (symbols.array, some_array(&mut terms, dice)),
                (symbols.b, some_array(&mut terms, dice)),
            ];
            let after = run(&mut terms, &problem, &entry);
            let (mut is_described, mut is_open) = (false, false);
            for case in &summary.cases {
                let condition = put(&mut terms, case.condition, &entry);
                let mut same = Vec::new();
                for (said, value) in case.values.iter().zip(&after) {
                    let said = put(&mut terms, *said, &entry);
                    if terms.sort(said) == Sort::Int {
                        same.push(terms.eq(said, *value));
                        continue;
                    }
                    for index in 0..PLACES + 2 {
                        let at = terms.int(index);
                        let here = terms.select(said, at).expect("an array");
                        let there = terms.select(*value, at).expect("an array");
                        same.push(terms.eq(here, there));
                    }
                }
                let same = terms.and(same);
                let other = terms.not(same);
                let mut ask = |terms: &mut Terms, assertions: &[Term]| {
                    chain.check(terms, assertions, &limits).expect("no bug")
                };
                match ask(&mut terms, &[condition, other]) {
                    Answer::Sat(_) => {
                        let text = terms.text(case.condition);
                        panic!("seed {seed}: a case says what does not happen: {text}")
                    }
                    Answer::Unsat(_) => {}
                    Answer::Unknown(_) => is_open = true,
                }
                match ask(&mut terms, &[condition, same]) {
                    Answer::Sat(_) => is_described = true,
                    Answer::Unsat(_) => {}
                    Answer::Unknown(_) => is_open = true,
                }
            }
            assert!(is_described || is_open, "seed {seed}: an execution is missing");
            runs += u64::from(is_described);
        }
    }
    println!("{solved} of {LOOPS} loops, {with_writers} with sequences, {runs} runs described");
    assert!(solved > 20 && with_writers > 15 && runs > 100, "{solved} {with_writers} {runs}");
}
