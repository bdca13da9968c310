//! Why a loop ends, whatever it reads: something that cannot fall for ever, and falls.
//!
//! A *ranking* is a list of measures over the values at the header, each for a group of iteration paths. Let `R₁` be all paths. No path of `Rᵢ` makes
//! the measure `fᵢ` larger; those of a group `Sᵢ ⊆ Rᵢ` make it smaller by at least 1 and are taken only where it is not negative; `Rᵢ₊₁` is `Rᵢ`
//! without `Sᵢ`; at the end nothing is left. Then no execution goes round for ever: the paths of `S₁` are taken finitely often, because `f₁`
//! never grows and is not negative where they are taken; from some iteration on only `R₂` is left, and so on. (This is the lexicographic
//! argument of Alias, Darte, Feautrier and Gonnord, SAS 2010, with measures that are guessed instead of found by linear programming.)
//!
//! Nothing is asked of the paths but that they are *all* ways back to the header. So inputs may have any value, and a path that stands for too
//! much does no harm. That each path itself comes to an end, inner loops included, is for the caller to know.
//!
//! Where the guards alone are not enough, *invariants* are: of many guesses, those that hold at entry and that every path preserves, given all of them.

use crate::certificate::{Claim, Obligation};
use crate::logic::Logic;
use crate::modular::Modular;
use crate::problem::{Loop, Path};
use crate::split::{Elements, How, Unequal, Wraps, split};
use crate::step::relevant;
use crate::{Effort, MAX_PARTS};
use loupe_solver::{Chain, Error};
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term, Terms};
use std::collections::BTreeSet;

/// So many measures are tried.
const MOST_MEASURES: usize = 40;

/// So many invariants are guessed.
const MOST_GUESSES: usize = 64;

/// Why a loop ends.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// What falls, in the order of the argument.
    pub measures: Vec<Term>,
    /// What holds at the header besides the facts of the loop.
    pub invariants: Vec<Term>,
    /// What was proved for it.
    pub obligations: Vec<Obligation>,
}

/// A ranking of a loop, if one is found. What is known at entry ([`Loop::entry`]) is made use of.
///
/// # Errors
///
/// If a query makes no sense or a bug was found.
pub fn rank(
    terms: &mut Terms,
    chain: &mut Chain,
    problem: &Loop,
    effort: &Effort,
) -> Result<Option<Ranking>, Error> {
    if problem.is_partial.is_some() {
        return Ok(None);
    }
    let mut logic = Logic::new(terms, chain, &effort.limits, effort.questions);
    let moves = moves(&mut logic, problem)?;
    if let Some(ranking) = descend(&mut logic, problem, &moves, Vec::new())? {
        return Ok(Some(ranking));
    }
    let invariants = invariants(&mut logic, problem, &moves)?;
    match invariants.is_empty() {
        true => Ok(None),
        false => descend(&mut logic, problem, &moves, invariants),
    }
}

/// One way from the header to the header.
#[derive(Debug)]
pub(crate) struct Move {
    /// The path of the loop that it is a part of.
    origin: usize,
    /// The literals of its guard.
    guard: Vec<Term>,
    /// The values afterwards for those before.
    after: Substitution,
    /// All that holds where it is made: facts at its start and at its end, and the guard.
    given: Vec<Term>,
}

/// All ways from the header to the header, with guards that are conjunctions where that is possible.
pub(crate) fn moves(logic: &mut Logic<'_>, problem: &Loop) -> Result<Vec<Move>, Error> {
    let symbols = problem.variables.iter().map(|variable| variable.symbol);
    let variables: Vec<SymbolId> = symbols.filter_map(|symbol| logic.symbol_of(symbol)).collect();
    let relevant = relevant(logic, problem, &variables, Wraps::Guards, &Modular::default());
    let how = How { unequal: Unequal::Divided, elements: Elements::default() };
    let mut moves = Vec::new();
    for (origin, path) in problem.iterations() {
        let values = known_values(logic, problem, path);
        // A literal that nobody knows may hold.
        let guard = logic.terms.weaken(path.guard);
        let carried: Vec<(Term, bool)> = values
            .iter()
            .zip(&variables)
            .map(|(value, variable)| (*value, relevant.contains(variable)))
            .collect();
        let parts = match split(logic, &problem.facts, guard, &carried, &how, MAX_PARTS)? {
            Ok(parts) => parts.into_iter().map(|part| (part.literals, part.carried)).collect(),
            Err(_) => vec![(logic.conjuncts(guard), values)],
        };
        for (guard, values) in parts {
            let after: Substitution = variables.iter().copied().zip(values).collect();
            // What holds at the header whenever an iteration begins holds where this one has ended.
            let ends = logic.put_all(&problem.facts, &after);
            let given: Vec<Term> =
                problem.facts.iter().chain(&guard).chain(&ends).copied().collect();
            if !logic.refuted(&given)? {
                moves.push(Move { origin, guard, after, given });
            }
        }
    }
    Ok(moves)
}

/// The values after an iteration; a new symbol stands for each that nobody knows.
fn known_values(logic: &mut Logic<'_>, problem: &Loop, path: &Path) -> Vec<Term> {
    let mut values = Vec::with_capacity(path.updates.len());
    for (variable, update) in problem.variables.iter().zip(&path.updates) {
        values.push(match logic.terms.is_starred(*update) {
            true => {
                let sort = logic.terms.sort(variable.symbol);
                logic.terms.fresh(&variable.name, sort, Origin::default())
            }
            false => *update,
        });
    }
    values
}

/// What a move does to a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// It is smaller afterwards, and was not negative.
    Falls,
    /// It is not larger afterwards.
    Stays,
    /// It may grow.
    Grows,
}

/// Finds measures one after the other, until every move has one.
fn descend(
    logic: &mut Logic<'_>,
    problem: &Loop,
    moves: &[Move],
    invariants: Vec<Term>,
) -> Result<Option<Ranking>, Error> {
    let measures = candidates(logic, problem, moves, &invariants);
    let mut ranking = Ranking { measures: Vec::new(), invariants, obligations: Vec::new() };
    let mut left: Vec<&Move> = moves.iter().collect();
    while !left.is_empty() {
        let mut best: Option<(Term, Vec<Effect>)> = None;
        for measure in &measures {
            let Some(effects) = effects(logic, &left, &ranking.invariants, *measure)? else {
                continue;
            };
            let falls =
                |effects: &[Effect]| effects.iter().filter(|e| **e == Effect::Falls).count();
            if falls(&effects) > best.as_ref().map_or(0, |(_, best)| falls(best)) {
                let is_all = falls(&effects) == left.len();
                best = Some((*measure, effects));
                if is_all {
                    break;
                }
            }
        }
        let Some((measure, effects)) = best else { return Ok(None) };
        for (step, effect) in left.iter().zip(&effects) {
            let obligation = obligation(logic, &ranking.invariants, step, measure, *effect);
            ranking.obligations.push(obligation);
        }
        ranking.measures.push(measure);
        let mut effects = effects.into_iter();
        left.retain(|_| effects.next() == Some(Effect::Stays));
    }
    Ok(Some(ranking))
}

/// What the moves do to a measure; `None` if some of them may make it larger.
fn effects(
    logic: &mut Logic<'_>,
    moves: &[&Move],
    invariants: &[Term],
    measure: Term,
) -> Result<Option<Vec<Effect>>, Error> {
    let mut effects = Vec::with_capacity(moves.len());
    for step in moves {
        match effect(logic, step, invariants, measure)? {
            Effect::Grows => return Ok(None),
            effect => effects.push(effect),
        }
    }
    Ok(Some(effects))
}

fn effect(
    logic: &mut Logic<'_>,
    step: &Move,
    invariants: &[Term],
    measure: Term,
) -> Result<Effect, Error> {
    let given: Vec<Term> = step.given.iter().chain(invariants).copied().collect();
    let (falls, stays) = claims(logic, step, measure);
    if logic.terms.is_starred(falls) || logic.terms.is_starred(stays) {
        return Ok(Effect::Grows);
    }
    if logic.terms.as_bool(stays) != Some(true) && !logic.proves(&given, stays)? {
        return Ok(Effect::Grows);
    }
    Ok(match logic.proves(&given, falls)? {
        true => Effect::Falls,
        false => Effect::Stays,
    })
}

/// That a move makes a measure smaller where it is not negative, and that it does not make it larger.
fn claims(logic: &mut Logic<'_>, step: &Move, measure: Term) -> (Term, Term) {
    let after = logic.put(measure, &step.after);
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let fall = logic.terms.sub(measure, after);
    let smaller = logic.terms.le(one, fall);
    let bounded = logic.terms.le(zero, measure);
    (logic.terms.and([smaller, bounded]), logic.terms.le(zero, fall))
}

fn obligation(
    logic: &mut Logic<'_>,
    invariants: &[Term],
    step: &Move,
    measure: Term,
    effect: Effect,
) -> Obligation {
    let (falls, stays) = claims(logic, step, measure);
    let (claim, what) = match effect {
        Effect::Falls => (falls, "falls and is not negative"),
        Effect::Stays | Effect::Grows => (stays, "does not grow"),
    };
    let opposite = logic.terms.not(claim);
    let never = step.given.iter().chain(invariants).copied().chain([opposite]);
    let never: Vec<Term> = never.collect();
    let never = logic.terms.and(never);
    let text = logic.terms.text(measure);
    let name = format!("{text} {what} on path {}", step.origin + 1);
    Obligation { name, claim: Claim::Unsat(never) }
}

/// Measures that are worth a try: what guards, invariants and facts say is not negative.
fn candidates(
    logic: &mut Logic<'_>,
    problem: &Loop,
    moves: &[Move],
    invariants: &[Term],
) -> Vec<Term> {
    let guards = moves.iter().flat_map(|step| &step.guard);
    let literals: Vec<Term> = guards.chain(invariants).chain(&problem.facts).copied().collect();
    let changing = changing(logic, problem);
    let mut measures: Vec<Term> = Vec::new();
    for literal in literals {
        let Node::NonPositive(value) = *logic.terms.node(literal) else { continue };
        let measure = logic.terms.neg(value);
        // What does not change does not fall, and what is read anew in every iteration is no value at the header.
        let symbols = logic.terms.free_symbols(measure);
        let is_own = |symbol: &SymbolId| !changing.fresh.contains(symbol);
        if symbols.iter().any(|symbol| changing.variables.contains(symbol))
            && symbols.iter().all(is_own)
            && !measures.contains(&measure)
            && measures.len() < MOST_MEASURES
        {
            measures.push(measure);
        }
    }
    measures
}

/// The symbols of a loop.
struct Changing {
    variables: BTreeSet<SymbolId>,
    fresh: BTreeSet<SymbolId>,
}

fn changing(logic: &Logic<'_>, problem: &Loop) -> Changing {
    let variables = problem.variables.iter();
    let fresh = problem.paths.iter().flat_map(|path| &path.fresh);
    Changing {
        variables: variables.filter_map(|variable| logic.symbol_of(variable.symbol)).collect(),
        fresh: fresh.filter_map(|fresh| logic.symbol_of(fresh.symbol)).collect(),
    }
}

/// Formulas that hold at entry and that every move preserves: the largest such part of many guesses (Houdini).
pub(crate) fn invariants(
    logic: &mut Logic<'_>,
    problem: &Loop,
    moves: &[Move],
) -> Result<Vec<Term>, Error> {
    if problem.entry.is_empty() {
        return Ok(Vec::new());
    }
    let mut kept = guesses(logic, problem, moves);
    let entry: Vec<Term> = problem.facts.iter().chain(&problem.entry).copied().collect();
    if !sift(logic, &entry, &Substitution::default(), &mut kept)? {
        return Ok(Vec::new());
    }
    loop {
        let before = kept.len();
        for step in moves {
            let given: Vec<Term> = step.given.iter().chain(&kept).copied().collect();
            if !sift(logic, &given, &step.after, &mut kept)? {
                return Ok(Vec::new());
            }
        }
        if kept.len() == before {
            return Ok(kept);
        }
    }
}

/// Keeps of the guesses those that follow from what is given, with values put in. Models show which do not. `false` if nobody knows.
fn sift(
    logic: &mut Logic<'_>,
    given: &[Term],
    values: &Substitution,
    guesses: &mut Vec<Term>,
) -> Result<bool, Error> {
    loop {
        let claims = logic.put_all(guesses, values);
        let all = logic.terms.and(claims.iter().copied());
        if logic.proves(given, all)? {
            return Ok(true);
        }
        let opposite = logic.terms.not(all);
        let asked: Vec<Term> = given.iter().copied().chain([opposite]).collect();
        let Some(model) = logic.model(&asked)? else { return Ok(false) };
        let before = guesses.len();
        let mut claims = claims.into_iter();
        guesses.retain(|_| {
            claims.next().is_some_and(|claim| logic.terms.holds(claim, &model.values) == Ok(true))
        });
        if guesses.len() == before {
            return Ok(false);
        }
    }
}

/// Guesses of invariants: what guards say, signs, and comparisons with the values at entry and with each other.
fn guesses(logic: &mut Logic<'_>, problem: &Loop, moves: &[Move]) -> Vec<Term> {
    let Changing { variables, fresh } = changing(logic, problem);
    let mut all: Vec<Term> = Vec::new();
    let mut compared: Vec<Term> = Vec::new();
    for part in problem.entry.clone() {
        for part in logic.conjuncts(part) {
            all.push(part);
        }
    }
    // What is known of the symbols that values at entry are made of holds of the values as well, sometimes.
    for variable in &problem.variables {
        if logic.terms.sort(variable.symbol) == Sort::Int {
            compared.push(variable.symbol);
        }
    }
    let guards: Vec<Term> = moves.iter().flat_map(|step| step.guard.iter().copied()).collect();
    for literal in guards {
        let opposite = logic.terms.not(literal);
        all.extend([literal, opposite]);
    }
    for value in compared.clone() {
        for least in [0, 1] {
            let bound = logic.terms.int(least);
            all.push(logic.terms.le(bound, value));
            let bound = logic.terms.int(-least);
            all.push(logic.terms.le(value, bound));
        }
    }
    for equation in problem.entry.clone() {
        let Node::Zero(difference) = *logic.terms.node(equation) else { continue };
        let negated = logic.terms.neg(difference);
        all.push(logic.terms.non_positive(difference));
        all.push(logic.terms.non_positive(negated));
    }
    for (at, one) in compared.iter().enumerate() {
        for other in &compared[at + 1..] {
            all.push(logic.terms.le(*one, *other));
            all.push(logic.terms.le(*other, *one));
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|guess| {
        let symbols = logic.terms.free_symbols(*guess);
        symbols.iter().any(|symbol| variables.contains(symbol))
            && symbols.is_disjoint(&fresh)
            && logic.terms.as_bool(*guess).is_none()
            && seen.insert(*guess)
    });
    all.truncate(MOST_GUESSES);
    all
}

#[cfg(test)]
mod tests;
