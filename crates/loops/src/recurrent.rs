//! Sets of values at the header from which a loop need never end.
//!
//! A *recurrent set* D (GUIDE 4.7, after Gupta, Henzinger, Majumdar, Rybalchenko and Xu, POPL 2008) is one from which, with certain inputs, certain paths
//! are taken one after the other and lead into D again. So whoever comes to the header with values in D, and then reads these inputs over and
//! over, stays in the loop for ever. Two claims make it so, both proved by the solver: in D the guards hold along the round with these inputs,
//! and a round leads from D into D. Nothing is needed of other paths, since guards exclude each other: where one holds, its path *is* taken.
//!
//! Only paths that are exact count, and only rounds of one or two of them. What a variable is matters only if a guard depends on it.
//! A set that is not recurrent is made smaller by what one more round demands, a few times.
//! The certified diverging entries of a summary are another source, for loops whose iterations have a closed form.

use crate::Effort;
use crate::logic::Logic;
use crate::problem::{FreshKind, Loop, Precision};
use loupe_integer::Integer;
use loupe_solver::{Chain, Error, Model};
use loupe_term::{Origin, Substitution, SymbolId, Term, Terms, Value};
use std::collections::BTreeSet;

/// So many sets are looked for.
const MOST_SETS: usize = 4;

/// Rounds of two paths are tried if there are not more than so many.
const MOST_PATHS: usize = 6;

/// So often a set is made smaller.
const MOST_ROUNDS: usize = 3;

/// A recurrent set.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// Which values at the header.
    pub set: Term,
    /// What is done over and over.
    pub round: Vec<Turn>,
}

/// One iteration of a round.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The path, by number.
    pub path: usize,
    /// What is read: the symbols of its [`Path::fresh`](crate::Path::fresh), and their values.
    pub inputs: Vec<(Term, Integer)>,
}

/// Recurrent sets of a loop that values at entry may be in.
///
/// # Errors
///
/// If a query makes no sense or a bug was found.
pub fn recurrent(
    terms: &mut Terms,
    chain: &mut Chain,
    problem: &Loop,
    effort: &Effort,
) -> Result<Vec<Recurrence>, Error> {
    let mut logic = Logic::new(terms, chain, &effort.limits, effort.questions);
    let mut found = Vec::new();
    for paths in rounds(problem) {
        if found.len() >= MOST_SETS {
            break;
        }
        let Some(round) = Round::compose(&mut logic, problem, &paths) else { continue };
        found.extend(round.recurrent(&mut logic, problem)?);
    }
    Ok(found)
}

/// The rounds that are tried.
fn rounds(problem: &Loop) -> Vec<Vec<usize>> {
    let exact = problem.iterations().filter(|(_, path)| path.precision == Precision::Exact);
    let paths: Vec<usize> = exact.map(|(number, _)| number).collect();
    let mut rounds: Vec<Vec<usize>> = paths.iter().map(|path| vec![*path]).collect();
    if paths.len() <= MOST_PATHS {
        for (at, first) in paths.iter().enumerate() {
            rounds.extend(paths[at + 1..].iter().map(|second| vec![*first, *second]));
        }
    }
    rounds
}

/// The fresh symbols of a path, and those that stand for them in one turn.
type Own = Vec<(Term, Term)>;

/// Paths one after the other.
struct Round {
    guard: Vec<Term>,
    values: Vec<Term>,
    turns: Vec<(usize, Own)>,
    /// Which variables the guards depend on.
    relevant: Vec<usize>,
}

impl Round {
    /// `None` if something that matters is not known.
    fn compose(logic: &mut Logic<'_>, problem: &Loop, paths: &[usize]) -> Option<Self> {
        let symbols: Vec<Term> = problem.variables.iter().map(|v| v.symbol).collect();
        let variables: Vec<SymbolId> =
            symbols.iter().map(|symbol| logic.symbol_of(*symbol)).collect::<Option<_>>()?;
        let (mut guard, mut values, mut turns) = (Vec::new(), symbols, Vec::new());
        let mut counters = BTreeSet::new();
        for number in paths {
            let path = problem.paths.get(*number)?;
            let mut store: Substitution =
                variables.iter().copied().zip(values.iter().copied()).collect();
            let mut own: Own = Vec::new();
            for fresh in &path.fresh {
                let sort = logic.terms.sort(fresh.symbol);
                let symbol = logic.terms.fresh("in", sort, Origin::default());
                store.insert(logic.symbol_of(fresh.symbol)?, symbol);
                if fresh.kind == FreshKind::Counter {
                    counters.insert(logic.symbol_of(symbol)?);
                }
                own.push((fresh.symbol, symbol));
            }
            let holds = logic.put(path.guard, &store);
            guard.extend(logic.conjuncts(holds));
            values = logic.put_all(&path.updates, &store);
            turns.push((*number, own));
        }
        let relevant = relevant(logic, &variables, &guard, &values);
        let matters = relevant.iter().map(|at| values[*at]).chain(guard.iter().copied());
        for term in matters {
            // A counter of an inner loop is no input: nobody can choose it.
            if logic.terms.is_starred(term) || logic.mentions(term, &counters) {
                return None;
            }
        }
        Some(Round { guard, values, turns, relevant })
    }

    fn recurrent(
        &self,
        logic: &mut Logic<'_>,
        problem: &Loop,
    ) -> Result<Option<Recurrence>, Error> {
        let mut entry: Vec<Term> = problem.facts.iter().chain(&problem.entry).copied().collect();
        entry.extend(&self.guard);
        let store = self.store(logic, problem);
        // The same values again; or else the same way once more, with the same inputs.
        let mut fixed = Vec::new();
        for at in &self.relevant {
            fixed.push(logic.terms.eq(self.values[*at], problem.variables[*at].symbol));
        }
        let again = logic.put_all(&self.guard, &store);
        for (demand, kept) in [(&again, &[][..]), (&fixed, &fixed[..])] {
            let asked: Vec<Term> = entry.iter().chain(demand).copied().collect();
            let Some(model) = logic.model(&asked)? else { continue };
            let (inputs, round) = self.inputs(logic, &model);
            let set: Vec<Term> = self.guard.iter().chain(kept).copied().collect();
            let set = logic.put_all(&set, &inputs);
            let values = logic.put_all(&self.values, &inputs);
            let step = Step { problem, values };
            if let Some(set) = step.close(logic, set)? {
                return Ok(Some(Recurrence { set: logic.terms.and(set), round }));
            }
        }
        Ok(None)
    }

    fn store(&self, logic: &Logic<'_>, problem: &Loop) -> Substitution {
        let symbols = problem.variables.iter().map(|v| logic.symbol_of(v.symbol));
        symbols.zip(&self.values).filter_map(|(id, value)| Some((id?, *value))).collect()
    }

    /// What is read in a round, as a model has it.
    fn inputs(&self, logic: &mut Logic<'_>, model: &Model) -> (Substitution, Vec<Turn>) {
        let mut store = Substitution::default();
        let mut turns = Vec::new();
        for (path, own) in &self.turns {
            let mut inputs = Vec::new();
            for (fresh, symbol) in own {
                let number = match logic.terms.evaluate(*symbol, &model.values) {
                    Ok(Value::Int(number)) => number,
                    _ => Integer::ZERO,
                };
                let constant = logic.terms.int(number.clone());
                if let Some(id) = logic.symbol_of(*symbol) {
                    store.insert(id, constant);
                }
                inputs.push((*fresh, number));
            }
            turns.push(Turn { path: *path, inputs });
        }
        (store, turns)
    }
}

/// The variables that guards depend on, directly or through others.
fn relevant(
    logic: &Logic<'_>,
    variables: &[SymbolId],
    guard: &[Term],
    values: &[Term],
) -> Vec<usize> {
    let mut symbols: BTreeSet<SymbolId> = BTreeSet::new();
    for part in guard {
        symbols.extend(logic.terms.free_symbols(*part));
    }
    let mut relevant: BTreeSet<usize> = BTreeSet::new();
    loop {
        let news = (0..variables.len())
            .find(|at| !relevant.contains(at) && symbols.contains(&variables[*at]));
        let Some(at) = news else { return relevant.into_iter().collect() };
        relevant.insert(at);
        symbols.extend(logic.terms.free_symbols(values[at]));
    }
}

/// One round with known inputs.
struct Step<'s> {
    problem: &'s Loop,
    values: Vec<Term>,
}

impl Step<'_> {
    /// A part of a set from which a round leads into it again. All that it consists of holds along the round, guards included.
    fn close(&self, logic: &mut Logic<'_>, mut set: Vec<Term>) -> Result<Option<Vec<Term>>, Error> {
        let symbols = self.problem.variables.iter().map(|v| logic.symbol_of(v.symbol));
        let store: Substitution = symbols
            .zip(&self.values)
            .filter_map(|(symbol, value)| Some((symbol?, *value)))
            .collect();
        for _ in 0..MOST_ROUNDS {
            let given: Vec<Term> = self.problem.facts.iter().chain(&set).copied().collect();
            let mut missing = Vec::new();
            for claim in logic.put_all(&set, &store) {
                if logic.terms.is_starred(claim) {
                    return Ok(None);
                }
                if !logic.proves(&given, claim)? {
                    missing.push(claim);
                }
            }
            if missing.is_empty() {
                return Ok(Some(set));
            }
            set.extend(missing);
            let reached: Vec<Term> =
                self.problem.facts.iter().chain(&self.problem.entry).chain(&set).copied().collect();
            if logic.possible(&reached)? != Some(true) {
                return Ok(None);
            }
        }
        Ok(None)
    }
}
