//! Elementary paths: guards that are conjunctions of literals, updates without choices.

use crate::logic::Logic;
use crate::modular::Modular;
use crate::problem::{End, FreshKind, Loop, Ways};
use crate::split::{Elements, How, TooMany, Unequal, Wraps, split};
use loupe_solver::Error;
use loupe_term::{Node, Sort, Substitution, SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// So many elementary paths are looked at.
pub(crate) const MAX_STEPS: usize = 96;

/// An elementary path.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The literals of its guard, without what speaks of inputs.
    pub(crate) guard: Vec<Term>,
    /// What the guard says of inputs. For an iteration it can always be satisfied.
    pub(crate) choice: Vec<Term>,
    /// The values afterwards, one for each variable.
    pub(crate) updates: Vec<Term>,
    pub(crate) end: End,
    /// The path of the loop that it is a part of.
    pub(crate) origin: usize,
    /// The symbols that are new in every iteration.
    pub(crate) fresh: Vec<Term>,
}

/// A loop made of elementary paths.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) steps: Vec<Step>,
    /// Inputs with which each path of the loop is taken, where they are free.
    pub(crate) witnesses: Vec<Vec<(Term, Term)>>,
    pub(crate) variables: Vec<SymbolId>,
    pub(crate) symbols: Vec<Term>,
    pub(crate) facts: Vec<Term>,
    ways: Ways,
    /// Paths that do what another one does, from the same values, only with other inputs. They need no steps: what the other one can do with some inputs, it can
    /// do whenever they could.
    pub(crate) alike: BTreeSet<usize>,
}

impl Steps {
    /// Whether it is not the values alone that determine the path.
    pub(crate) fn is_chosen(&self) -> bool {
        self.ways == Ways::Several || self.steps.iter().any(|step| !step.choice.is_empty())
    }

    /// Values of the variables as a substitution.
    pub(crate) fn store(&self, values: &[Term]) -> Substitution {
        self.variables.iter().copied().zip(values.iter().copied()).collect()
    }
}

/// Why a loop has no elementary paths that could be solved.
pub(crate) type WhyNot = String;

/// The elementary paths of a loop.
pub(crate) fn steps(
    logic: &mut Logic<'_>,
    problem: &Loop,
    wraps: Wraps,
) -> Result<Result<Steps, WhyNot>, Error> {
    let symbols: Vec<Term> = problem.variables.iter().map(|variable| variable.symbol).collect();
    let variables: Vec<SymbolId> = symbols.iter().filter_map(|s| logic.symbol_of(*s)).collect();
    let modular = match wraps {
        Wraps::Guards => Modular::of(logic, problem, &variables)?,
        Wraps::All => Modular::default(),
    };
    let relevant = relevant(logic, problem, &variables, wraps, &modular);
    let mut result = Steps {
        steps: Vec::new(),
        witnesses: Vec::new(),
        variables,
        symbols,
        facts: problem.facts.clone(),
        ways: problem.ways,
        alike: BTreeSet::new(),
    };
    let mut known: BTreeSet<(Vec<Term>, Vec<Term>)> = BTreeSet::new();
    let changes = |at: usize| {
        let mut iterations = problem.iterations();
        iterations.any(|(_, path)| path.updates[at] != result.symbols[at])
    };
    let changing = (0..result.symbols.len()).filter(|at| changes(*at));
    let elements = Elements { changing: changing.map(|at| result.variables[at]).collect() };
    for (origin, path) in problem.paths.iter().enumerate() {
        let carried: Vec<(Term, bool)> = path
            .updates
            .iter()
            .zip(&result.variables)
            .map(|(update, variable)| {
                (*update, path.end == End::Again && relevant.contains(variable))
            })
            .collect();
        let fresh: BTreeSet<SymbolId> =
            path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)).collect();
        // What holds at every header asks nothing; simplified by the rest of a guard, it would not be recognised any more.
        let asked = logic.conjuncts(path.guard).into_iter();
        let asked: Vec<Term> = asked.filter(|part| !problem.facts.contains(part)).collect();
        let guard = logic.terms.and(asked);
        let guard = modular.rewritten(logic, guard);
        let (choice, guard): (Vec<Term>, Vec<Term>) =
            logic.conjuncts(guard).into_iter().partition(|part| logic.mentions(*part, &fresh));
        let mut witness = Vec::new();
        if path.end == End::Again {
            match witnesses(logic, path, &choice, &fresh)? {
                Ok(found) => witness = found,
                Err(reason) => return Ok(Err(reason)),
            }
            let (mut same, updates) = (guard.clone(), path.updates.clone());
            same.sort();
            if !known.insert((same, updates)) {
                result.alike.insert(origin);
                result.witnesses.push(witness);
                continue;
            }
        }
        let guard = logic.terms.and(guard);
        let unequal = match path.end {
            End::Again => Unequal::Divided,
            End::Exit(_) => Unequal::Kept,
        };
        let how = How { unequal, elements: elements.clone() };
        let parts = match split(logic, &problem.facts, guard, &carried, &how, MAX_STEPS)? {
            Ok(parts) => parts,
            Err(TooMany) => return Ok(Err("the body has too many paths".into())),
        };
        for part in parts {
            result.steps.push(Step {
                guard: part.literals,
                choice: choice.clone(),
                updates: part.carried,
                end: path.end,
                origin,
                fresh: path.fresh.iter().map(|fresh| fresh.symbol).collect(),
            });
            if result.steps.len() > MAX_STEPS {
                return Ok(Err("the body has too many paths".into()));
            }
        }
        result.witnesses.push(witness);
    }
    Ok(Ok(result))
}

/// Inputs with which an iteration path is taken wherever the rest of its guard holds; else why there are none. Executions then may go this way whenever they
/// could, whatever they have read before, since every iteration reads inputs of its own.
pub(crate) fn witnesses(
    logic: &mut Logic<'_>,
    path: &crate::problem::Path,
    choice: &[Term],
    fresh: &BTreeSet<SymbolId>,
) -> Result<Result<Vec<(Term, Term)>, WhyNot>, Error> {
    let has_counters = path.fresh.iter().any(|fresh| fresh.kind == FreshKind::Counter);
    if path.updates.iter().any(|update| logic.mentions(*update, fresh)) {
        return Ok(Err(match has_counters {
            true => "an inner loop's counter is no function of the values at the header".into(),
            false => "the body uses the values of inputs".into(),
        }));
    }
    if has_counters && !choice.is_empty() {
        return Ok(Err("an inner loop's counter decides".into()));
    }
    if choice.iter().any(|part| !logic.terms.free_symbols(*part).is_subset(fresh)) {
        return Ok(Err("an input is compared with what the loop knows".into()));
    }
    let values = match choice.is_empty() {
        true => loupe_term::Assignment::default(),
        false => match logic.model(choice)? {
            Some(model) => model.values,
            None => return Ok(Err("no input was found with which a path is taken".into())),
        },
    };
    let mut found = Vec::new();
    for input in &path.fresh {
        let value = match logic.terms.evaluate(input.symbol, &values) {
            Ok(loupe_term::Value::Int(number)) => logic.terms.int(number),
            _ => logic.terms.int(0),
        };
        found.push((input.symbol, value));
    }
    // What the model claims is looked at.
    let store: Substitution = found
        .iter()
        .filter_map(|(symbol, value)| Some((logic.symbol_of(*symbol)?, *value)))
        .collect();
    let holds = logic.put_all(choice, &store);
    Ok(match holds.iter().all(|part| logic.terms.as_bool(*part) == Some(true)) {
        true => Ok(found),
        false => Err("no input was found with which a path is taken".into()),
    })
}

/// Divides a path by whether the value of a literal `e ≤ 0` falls or grows in an iteration. Where it falls, the iteration preserves the literal; where it
/// grows, the literal is inherited backwards; and if the value is a polynomial of the number of iterations, its growth is one of smaller degree. `false`
/// if that does not help.
pub(crate) fn refine(
    logic: &mut Logic<'_>,
    steps: &mut Steps,
    step: usize,
    literal: Term,
) -> Result<bool, Error> {
    let Node::NonPositive(value) = *logic.terms.node(literal) else { return Ok(false) };
    let old = steps.steps[step].clone();
    let after = logic.put(value, &steps.store(&old.updates));
    let growth = logic.terms.sub(after, value);
    let falls = logic.terms.non_positive(growth);
    if logic.terms.as_bool(falls).is_some()
        || old.guard.contains(&falls)
        || !logic.terms.post_order(growth).iter().all(|part| {
            matches!(
                logic.terms.node(*part),
                Node::Int(_) | Node::Symbol(_) | Node::Sum(_) | Node::Product(_)
            )
        })
    {
        return Ok(false);
    }
    let grows = logic.terms.not(falls);
    if old.guard.contains(&grows) {
        return Ok(false);
    }
    let mut parts = Vec::new();
    for side in [falls, grows] {
        let mut part = old.clone();
        part.guard.push(side);
        let all: Vec<Term> = steps.facts.iter().chain(&part.guard).copied().collect();
        if !logic.refuted(&all)? {
            parts.push(part);
        }
    }
    if steps.steps.len() >= MAX_STEPS {
        return Ok(false);
    }
    steps.steps.splice(step..=step, parts);
    Ok(true)
}

/// The variables that guards depend on, directly or through others.
pub(crate) fn relevant(
    logic: &mut Logic<'_>,
    problem: &Loop,
    variables: &[SymbolId],
    wraps: Wraps,
    modular: &Modular,
) -> BTreeSet<SymbolId> {
    if wraps == Wraps::All {
        return variables.iter().copied().collect();
    }
    let mut reads: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
    let mut relevant = BTreeSet::new();
    for path in &problem.paths {
        // What is always so decides nothing.
        let guard = logic.conjuncts(path.guard).into_iter();
        for part in guard.filter(|part| !problem.facts.contains(part)) {
            relevant.extend(logic.terms.free_symbols(part));
        }
        relevant.retain(|symbol| !modular.bits.contains_key(symbol));
        for (variable, update) in variables.iter().zip(&path.updates) {
            reads.entry(*variable).or_default().extend(logic.terms.free_symbols(*update));
        }
    }
    // What is put into arrays is looked at nowhere by itself.
    let is_number = |symbol: &SymbolId| logic.terms.symbol(*symbol).sort == Sort::Int;
    relevant.retain(is_number);
    let mut open: Vec<SymbolId> = relevant.iter().copied().collect();
    while let Some(symbol) = open.pop() {
        for read in reads.get(&symbol).into_iter().flatten() {
            if relevant.insert(*read) {
                open.push(*read);
            }
        }
    }
    relevant
}
