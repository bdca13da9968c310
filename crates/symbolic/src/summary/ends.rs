//! Whether all executions leave a loop that a state has come to, or some never do.
//!
//! An exact summary describes what *terminating* executions do. It says that all of them terminate only where nothing that the loop reads decides:
//! then every entry is in a case or in a diverging set, and it is enough that no diverging set is possible here. Where inputs decide, or where the
//! summary says too much, there must be a ranking. Loops inside must end as well, each for all that it is entered with.

use super::apply::{prepare, symbol_of};
use super::solve::Solution;
use crate::domain::{Feasible, Outcome, Symbolic};
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_loops::{Covers, Effort, Recurrence, Tag};
use loupe_term::{Node, Substitution, Term};

/// What is known of the end of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// All executions leave it.
    Ends,
    /// Nobody knows, and why.
    Open(String),
}

/// What becomes of the executions that come to a loop in a state, on the path that the domain has.
pub(crate) fn fate(
    machine: &mut Machine<'_, Symbolic>,
    solution: &Solution,
    state: &State<Symbolic>,
) -> Outcome<Fate> {
    if solution.extraction.inner.iter().any(|inner| !inner.ends) {
        let what = "it is not known whether a loop inside always ends";
        return Ok(Fate::Open(what.to_owned()));
    }
    let is_exact = matches!(solution.summary.tag, Tag::Exact | Tag::Template);
    if is_exact && solution.summary.covers == Covers::All {
        let entry = entry_values(machine, solution, state)?;
        if possible_divergence(&mut machine.domain, solution, &entry)?.is_empty() {
            return Ok(Fate::Ends);
        }
        return Ok(Fate::Open("it may run for ever".to_owned()));
    }
    let problem = at_entry(machine, solution, state)?;
    let effort = effort(&machine.domain);
    let (terms, chain) = machine.domain.solver();
    Ok(match loupe_loops::rank(terms, chain, &problem, &effort)? {
        Some(_) => Fate::Ends,
        None => Fate::Open("it was not proved that it always ends".to_owned()),
    })
}

/// How much work an argument may be.
fn effort(domain: &Symbolic) -> Effort {
    let mut effort = Effort { questions: 600, ..Effort::default() };
    effort.limits.interrupt = domain.limits.interrupt.clone();
    effort
}

/// The values of the state for header symbols.
pub(crate) fn entry_values(
    machine: &mut Machine<'_, Symbolic>,
    solution: &Solution,
    state: &State<Symbolic>,
) -> Outcome<Substitution> {
    let mut state = state.clone();
    prepare(machine, &solution.extraction, &mut state)?;
    let domain = &mut machine.domain;
    let mut entry = Substitution::default();
    for cell in &solution.extraction.cells {
        let value = cell.spot.as_ref().and_then(|spot| spot.read(domain, &state));
        if let (Some(value), Some(id)) = (value, symbol_of(domain, cell.symbol)) {
            entry.insert(id, value);
        }
    }
    Ok(entry)
}

/// The diverging sets of a summary that are possible at this entry.
pub(crate) fn possible_divergence(
    domain: &mut Symbolic,
    solution: &Solution,
    entry: &Substitution,
) -> Outcome<Vec<Term>> {
    let mut possible = Vec::new();
    for set in &solution.summary.diverging {
        let condition = domain.terms.substitute(set.condition, entry);
        if !matches!(domain.feasible(condition)?, Feasible::No) {
            possible.push(condition);
        }
    }
    Ok(possible)
}

/// The problem with all that is known at this entry.
fn at_entry(
    machine: &mut Machine<'_, Symbolic>,
    solution: &Solution,
    state: &State<Symbolic>,
) -> Outcome<loupe_loops::Loop> {
    let entry = entry_values(machine, solution, state)?;
    let domain = &mut machine.domain;
    let mut problem = solution.extraction.problem.clone();
    // Conditions of the path speak of symbols that no iteration changes.
    for condition in domain.path.conditions() {
        if !problem.facts.contains(&condition) {
            problem.facts.push(condition);
        }
    }
    problem.entry.clear();
    for variable in &problem.variables {
        let Node::Symbol(id) = *domain.terms.node(variable.symbol) else { continue };
        if let Some(value) = entry.get(&id) {
            problem.entry.push(domain.terms.eq(variable.symbol, *value));
        }
    }
    Ok(problem)
}

/// Recurrent sets of the loop that this entry may be in.
pub(crate) fn recurrences(
    machine: &mut Machine<'_, Symbolic>,
    solution: &Solution,
    state: &State<Symbolic>,
) -> Outcome<Vec<Recurrence>> {
    let problem = at_entry(machine, solution, state)?;
    let effort = effort(&machine.domain);
    let (terms, chain) = machine.domain.solver();
    Ok(loupe_loops::recurrent(terms, chain, &problem, &effort)?)
}
