//! Templates of random cycles (Slaby, Strejček and Trtík 2013, theorem 1): a loop with one path, left by the edges beside it. (L1) Every execution that leaves is described by a case for some
//! value of its parameter; (L2) whatever a case describes for some value happens. Both by running the cycle.

use loupe_integer::Integer;
use loupe_loops::{Case, Effort, End, Loop, Path, Precision, Tag, Variable, Ways, summarise};
use loupe_solver::{Chain, ChainOptions};
use loupe_term::{ArrayValue, Assignment, Node, Sort, SymbolId, Term, Terms, Value};
use std::sync::Arc;

/// How many cycles.
const CYCLES: u64 = 70;
/// No execution that is looked at makes more iterations.
const MOST: i64 = 24;

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn pick(&mut self, of: &[Term]) -> Term {
        of[self.below(of.len() as u64) as usize]
    }
}

/// The symbols of all cycles: two numbers and an array that change, a number and an array that do not.
struct Symbols {
    x: Term,
    y: Term,
    array: Term,
    n: Term,
    other: Term,
}

fn element(terms: &mut Terms, symbols: &Symbols, dice: &mut Dice) -> Term {
    let array = dice.pick(&[symbols.array, symbols.other, symbols.other]);
    let shift = terms.int(dice.below(2) as i64);
    let index = terms.add(dice.pick(&[symbols.x, symbols.x, symbols.y]), shift);
    terms.select(array, index).expect("an array")
}

fn literal(terms: &mut Terms, symbols: &Symbols, dice: &mut Dice) -> Term {
    let small = terms.int(dice.below(4) as i64);
    match dice.below(6) {
        0 | 1 => terms.lt(symbols.x, symbols.n),
        2 => terms.ne(symbols.y, small),
        3 => {
            let element = element(terms, symbols, dice);
            terms.ne(element, small)
        }
        4 => {
            let element = element(terms, symbols, dice);
            terms.le(element, small)
        }
        _ => {
            let (one, two) = (element(terms, symbols, dice), element(terms, symbols, dice));
            terms.eq(one, two)
        }
    }
}

/// One path with several tests on it, each of which may be failed, after what comes before it.
fn cycle(terms: &mut Terms, symbols: &Symbols, dice: &mut Dice) -> Loop {
    let (one, two) = (terms.int(1), terms.int(2));
    let mut store = vec![symbols.x, symbols.y, symbols.array];
    let mut passed: Vec<Term> = Vec::new();
    let mut paths: Vec<Path> = Vec::new();
    let path = |terms: &mut Terms, guard: Vec<Term>, updates: &[Term], end: End| Path {
        guard: terms.and(guard),
        updates: updates.to_vec(),
        fresh: Vec::new(),
        end,
        precision: Precision::Exact,
        label: String::new(),
    };
    for exit in 0..=dice.below(2) as usize {
        let test = literal(terms, symbols, dice);
        let mut left = passed.clone();
        left.push(terms.not(test));
        paths.push(path(terms, left, &store, End::Exit(exit)));
        passed.push(test);
        match dice.below(5) {
            0 => store[1] = terms.add(symbols.y, two),
            1 => store[1] = terms.sub(symbols.y, one),
            2 => store[1] = element(terms, symbols, dice),
            3 => {
                let value = dice.pick(&[one, symbols.n, symbols.x]);
                store[2] = terms.store(symbols.array, symbols.x, value).expect("an array");
            }
            _ => {}
        }
    }
    store[0] = terms.add(symbols.x, if dice.below(4) == 0 { two } else { one });
    paths.insert(0, path(terms, passed, &store, End::Again));
    let variable = |symbol: Term, name: &str| Variable { symbol, name: name.into() };
    let variables =
        vec![variable(symbols.x, "x"), variable(symbols.y, "y"), variable(symbols.array, "a")];
    Loop { variables, paths, exits: 2, ways: Ways::One, ..Loop::default() }
}

fn id(terms: &Terms, symbol: Term) -> SymbolId {
    match terms.node(symbol) {
        Node::Symbol(id) => *id,
        _ => panic!("a symbol"),
    }
}

fn some_array(dice: &mut Dice) -> Value {
    let mut array =
        ArrayValue { elements: Default::default(), default: Value::Int(Integer::from(1)) };
    for index in -1..8_i64 {
        array.put(Integer::from(index), Value::Int(Integer::from(dice.below(4) as i64)));
    }
    Value::Array(Arc::new(array))
}

/// Where an execution leaves, and with which values; `None` if it does not soon.
fn run(terms: &Terms, problem: &Loop, entry: &Assignment) -> Option<(usize, Assignment)> {
    let mut store = entry.clone();
    for _ in 0..=MOST {
        let taken =
            problem.paths.iter().find(|path| terms.holds(path.guard, &store) == Ok(true))?;
        let values: Vec<Value> = taken
            .updates
            .iter()
            .map(|update| terms.evaluate(*update, &store).expect("a value"))
            .collect();
        for (variable, value) in problem.variables.iter().zip(values) {
            store.symbols.insert(id(terms, variable.symbol), value);
        }
        if let End::Exit(exit) = taken.end {
            return Some((exit, store));
        }
    }
    None
}

/// Whether a case for these values of its parameters gives this store; arrays where they are looked at.
fn gives(
    terms: &mut Terms,
    problem: &Loop,
    case: &Case,
    at: &Assignment,
    store: &Assignment,
) -> bool {
    problem.variables.iter().zip(&case.values).all(|(variable, value)| {
        match store.symbols.get(&id(terms, variable.symbol)) {
            Some(Value::Array(there)) => (-3..40_i64).all(|index| {
                let place = terms.int(index);
                let here = terms.select(*value, place).expect("an array");
                terms.evaluate(here, at).as_ref() == Ok(there.get(&Integer::from(index)))
            }),
            Some(there) => terms.evaluate(*value, at).as_ref() == Ok(there),
            None => false,
        }
    })
}

#[test]
fn what_templates_say_happens_and_what_happens_they_say() {
    let (mut templates, mut exact, mut described) = (0, 0, 0);
    for seed in 0..CYCLES {
        let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9) + 11);
        let mut terms = Terms::new();
        let mut chain = Chain::new(ChainOptions::default());
        let fresh = |terms: &mut Terms, name: &str, sort: Sort| {
            terms.fresh(name, sort, loupe_term::Origin::default())
        };
        let symbols = Symbols {
            x: fresh(&mut terms, "x", Sort::Int),
            y: fresh(&mut terms, "y", Sort::Int),
            array: fresh(&mut terms, "a", Sort::Array(1)),
            n: fresh(&mut terms, "n", Sort::Int),
            other: fresh(&mut terms, "b", Sort::Array(1)),
        };
        let problem = cycle(&mut terms, &symbols, dice);
        let summary =
            summarise(&mut terms, &mut chain, &problem, &Effort::default()).expect("no bug");
        match summary.tag {
            Tag::Template => templates += 1,
            Tag::Exact => exact += 1,
            Tag::Over | Tag::Under => continue,
        }
        for _ in 0..40 {
            let mut entry = Assignment::default();
            for (symbol, low) in [(symbols.x, -1), (symbols.y, -2), (symbols.n, 0)] {
                let value = Value::Int(Integer::from(low + dice.below(7) as i64));
                entry.symbols.insert(id(&terms, symbol), value);
            }
            for symbol in [symbols.array, symbols.other] {
                entry.symbols.insert(id(&terms, symbol), some_array(dice));
            }
            let left = run(&terms, &problem, &entry);
            let mut is_described = false;
            for case in &summary.cases {
                // Parameters are numbers of iterations here; a sequence of values would need a witness.
                if case.counters.iter().any(|counter| terms.sort(*counter) != Sort::Int) {
                    is_described = true;
                    continue;
                }
                assert!(case.counters.len() <= 1, "a cycle has one parameter");
                for parameter in 0..=if case.counters.is_empty() { 0 } else { MOST } {
                    let mut at = entry.clone();
                    for counter in &case.counters {
                        let value = Value::Int(Integer::from(parameter));
                        at.symbols.insert(id(&terms, *counter), value);
                    }
                    if terms.holds(case.condition, &at) != Ok(true) {
                        continue;
                    }
                    let End::Exit(exit) = problem.paths[case.last].end else { panic!("an exit") };
                    let Some((real, store)) = &left else {
                        // It may make more iterations than were executed.
                        continue;
                    };
                    assert_eq!(*real, exit, "seed {seed}, parameter {parameter}");
                    let same = gives(&mut terms, &problem, case, &at, store);
                    let text = || {
                        let mut text = String::new();
                        for path in &problem.paths {
                            text += &format!("{} -> {:?}", terms.text(path.guard), path.end);
                            for update in &path.updates {
                                text += &format!(", {}", terms.text(*update));
                            }
                            text += "\n";
                        }
                        text += &format!("case {}:", terms.text(case.condition));
                        for value in &case.values {
                            text += &format!(" {},", terms.text(*value));
                        }
                        text + &format!("\nat {at:?}\nis {store:?}")
                    };
                    assert!(same, "seed {seed}, parameter {parameter}: other values\n{}", text());
                    is_described = true;
                    described += 1;
                }
            }
            assert!(is_described || left.is_none(), "seed {seed}: an execution is missing");
        }
    }
    println!("{templates} templates, {exact} exact summaries, {described} executions described");
    assert!(templates > 20 && exact > 15 && described > 1_200, "{templates} {exact} {described}");
}
