//! Summaries of loops that read inputs, against executions.

use crate::oracle::{Checked, assignment, number};
use crate::random::Random;
use loupe_integer::Integer;
use loupe_loops::{Effort, End, Repeated, Segment};
use loupe_solver::{Answer, Chain, ChainOptions};
use loupe_term::{Assignment, Term};

type Store = Vec<(Term, Integer)>;

/// Executions with random inputs end in some case; and every case has an execution that goes the way of its trace.
pub(crate) fn compare(checked: &mut Checked, symbols: &[Term], seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..25 {
        let entry: Store = symbols
            .iter()
            .map(|symbol| (*symbol, Integer::from(random.below(9) as i64 - 2)))
            .collect();
        if let Some(Executed { exit, values, .. }) = execute(checked, &entry, &mut random, 40) {
            assert!(
                is_described(checked, &entry, exit, &values),
                "{entry:?} leads to {exit} with {values:?} in {}\n{}",
                checked.text,
                checked.shown()
            );
        }
    }
    for case in 0..checked.summary.cases.len() {
        follow(checked, case, symbols);
    }
}

/// An execution that has ended.
pub(crate) struct Executed {
    pub(crate) exit: usize,
    pub(crate) values: Vec<Integer>,
    /// How often each path was taken.
    pub(crate) taken: Vec<u64>,
}

/// One execution with random inputs, if it ends soon.
pub(crate) fn execute(
    checked: &Checked,
    entry: &Store,
    random: &mut Random,
    longest: usize,
) -> Option<Executed> {
    let (terms, problem) = (&checked.terms, &checked.problem);
    let mut store = entry.clone();
    if !terms.all_hold(&problem.facts, &assignment(terms, &store)) {
        return None;
    }
    let mut taken = vec![0; problem.paths.len()];
    for _ in 0..longest {
        // Inputs until some path is taken: each path has symbols of its own.
        let (chosen, at) = (0..200).find_map(|_| {
            // What is read does not depend on the path: the first input is the first, whoever reads it.
            let inputs: Vec<Integer> =
                (0..4).map(|_| Integer::from(random.below(6) as i64 - 1)).collect();
            problem.paths.iter().enumerate().find_map(|(number, path)| {
                let mut all = store.clone();
                let fresh = path.fresh.iter().map(|fresh| fresh.symbol);
                all.extend(fresh.zip(inputs.iter().cloned().cycle()));
                let at = assignment(terms, &all);
                (terms.holds(path.guard, &at) == Ok(true)).then_some((number, at))
            })
        })?;
        let path = &problem.paths[chosen];
        taken[chosen] += 1;
        let after: Vec<Integer> =
            path.updates.iter().map(|update| number(terms, *update, &at)).collect::<Option<_>>()?;
        if let End::Exit(exit) = path.end {
            return Some(Executed { exit, values: after, taken });
        }
        update(checked, &mut store, after);
    }
    None
}

fn update(checked: &Checked, store: &mut Store, values: Vec<Integer>) {
    for (variable, value) in checked.problem.variables.iter().zip(values) {
        if let Some(slot) = store.iter_mut().find(|(symbol, _)| *symbol == variable.symbol) {
            slot.1 = value;
        }
    }
}

fn is_described(checked: &mut Checked, entry: &Store, exit: usize, values: &[Integer]) -> bool {
    let mut chain = Chain::new(ChainOptions::default());
    let limits = Effort::default().limits;
    let terms = &mut checked.terms;
    checked.summary.cases.iter().filter(|case| case.exit == exit).any(|case| {
        let mut query = vec![case.condition];
        let pairs =
            entry.iter().map(|(s, v)| (*s, v)).chain(case.values.iter().copied().zip(values));
        for (term, value) in pairs {
            let value = terms.int(value.clone());
            query.push(terms.eq(term, value));
        }
        matches!(chain.check(terms, &query, &limits), Ok(Answer::Sat(_)))
    })
}

/// An execution of a case, along its trace.
pub(crate) fn follow(checked: &mut Checked, case: usize, symbols: &[Term]) {
    let mut chain = Chain::new(ChainOptions::default());
    let case = checked.summary.cases[case].clone();
    let mut query = checked.problem.facts.clone();
    query.push(case.condition);
    let limits = Effort::default().limits;
    // Few iterations, so that they can be executed.
    for counter in &case.counters {
        let few = checked.terms.int(12);
        query.push(checked.terms.le(*counter, few));
    }
    let Ok(Answer::Sat(model)) = chain.check(&mut checked.terms, &query, &limits) else { return };
    let terms = &checked.terms;
    let value = |term: Term, at: &Assignment| number(terms, term, at).expect("a number");
    let mut store: Store = symbols.iter().map(|s| (*s, value(*s, &model.values))).collect();
    let mut draws: Vec<Drawn> = Vec::new();
    for draw in &case.draws {
        let (count, total) = (value(draw.count, &model.values), value(draw.total, &model.values));
        let (left, total) = (count.to_i64().expect("a count"), total.to_i64().expect("a sum"));
        draws.push(Drawn { path: draw.path, input: draw.input, left, total });
    }
    for segment in &case.trace {
        let given: Store = segment
            .inputs
            .iter()
            .map(|(input, term)| (*input, value(*term, &model.values)))
            .collect();
        let times = value(segment.count, &model.values).to_i64().expect("a small count");
        if times > 2_000 {
            return;
        }
        for _ in 0..times {
            for path in flat(checked, segment, &store) {
                match given.is_empty() {
                    true => step(checked, &mut store, path, &drawn_for(&mut draws, path)),
                    false => step(checked, &mut store, path, &given),
                }
            }
        }
    }
    assert!(draws.iter().all(|draw| (draw.left, draw.total) == (0, 0)), "in {}", checked.text);
    let mut all = store.clone();
    all.extend(case.inputs.iter().map(|input| (*input, value(*input, &model.values))));
    let at = assignment(terms, &all);
    let last = &checked.problem.paths[case.last];
    assert_eq!(
        terms.holds(last.guard, &at),
        Ok(true),
        "{} at the end of a trace in {}",
        last.label,
        checked.text
    );
    for (update, expected) in last.updates.iter().zip(&case.values) {
        assert_eq!(value(*update, &at), value(*expected, &model.values), "in {}", checked.text);
    }
}

/// The paths of one execution of a segment.
fn flat(checked: &Checked, segment: &Segment, store: &Store) -> Vec<usize> {
    match &segment.what {
        Repeated::Path(path) => vec![*path],
        Repeated::OneOf(paths) => {
            let at = assignment(&checked.terms, store);
            let guard = |path: &usize| checked.problem.paths[*path].guard;
            let is_next = |path: &usize| checked.terms.holds(guard(path), &at) == Ok(true);
            vec![paths.iter().copied().find(is_next).expect("one of the paths")]
        }
        Repeated::Round(parts) => {
            let at = assignment(&checked.terms, store);
            let mut all = Vec::new();
            for part in parts {
                let times = number(&checked.terms, part.count, &at)
                    .and_then(|n| n.to_usize())
                    .expect("a count");
                let Repeated::Path(path) = part.what else { panic!("a round in a round") };
                all.extend(std::iter::repeat_n(path, times));
            }
            all
        }
    }
}

/// A sum of inputs that is still to be read.
struct Drawn {
    path: usize,
    input: Term,
    left: i64,
    total: i64,
}

/// The next inputs of a path: as even a share of each sum as there is.
fn drawn_for(draws: &mut [Drawn], path: usize) -> Store {
    let mut inputs: Store = Vec::new();
    for draw in draws.iter_mut().filter(|draw| draw.path == path && draw.left > 0) {
        if inputs.iter().all(|(input, _)| *input != draw.input) {
            let share = draw.total.div_euclid(draw.left);
            (draw.left, draw.total) = (draw.left - 1, draw.total - share);
            inputs.push((draw.input, Integer::from(share)));
        }
    }
    inputs
}

/// One iteration, with these inputs and those that the summary gives for its path.
fn step(checked: &Checked, store: &mut Store, path: usize, given: &Store) {
    let terms = &checked.terms;
    let mut all = store.clone();
    let empty = Assignment::default();
    for (input, value) in &checked.summary.witnesses[path] {
        all.push((*input, number(terms, *value, &empty).expect("a number")));
    }
    all.extend(given.iter().cloned());
    let at = assignment(terms, &all);
    let path = &checked.problem.paths[path];
    assert_eq!(
        terms.holds(path.guard, &at),
        Ok(true),
        "{} in a trace of {}",
        path.label,
        checked.text
    );
    let after: Vec<Integer> =
        path.updates.iter().map(|update| number(terms, *update, &at).expect("a number")).collect();
    update(checked, store, after);
}
