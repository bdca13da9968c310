//! Bounds that hold at the header in every iteration, for a loop that is solved for one entry.
//!
//! An index that starts at 0 and only grows is never negative; so `4*i` does not wrap, and an access at it moves by a constant. That cannot
//! be said for arbitrary values at entry. The bounds that the values at entry have are guessed for all iterations, and those are kept that
//! every path preserves, given all of them (Flanagan and Leino, *Houdini*, 2001). They become facts, and the paths are simplified by them.

use crate::certificate::{Obligation, prove};
use crate::logic::Logic;
use crate::problem::{Loop, Path};
use loupe_solver::Error;
use loupe_term::{Context, Node, Sort, Substitution, Term};

/// A loop with more facts.
pub(crate) struct Tightened {
    pub(crate) problem: Loop,
    /// Why the facts hold.
    pub(crate) obligations: Vec<Obligation>,
}

/// So many paths are looked at: the rest of the argument is for small loops.
const MAX_PATHS: usize = 24;

/// The loop with the bounds that it keeps from its entry on, where they matter; none if there are none.
pub(crate) fn tightened(logic: &mut Logic<'_>, problem: &Loop) -> Result<Option<Tightened>, Error> {
    if problem.entry.is_empty() || problem.paths.len() > MAX_PATHS || !wraps(logic, problem) {
        return Ok(None);
    }
    let mut kept = bounds_at_entry(logic, problem);
    while !kept.is_empty() {
        match first_lost(logic, problem, &kept)? {
            Some(lost) => {
                kept.remove(lost);
            }
            None => break,
        }
    }
    if kept.is_empty() {
        return Ok(None);
    }
    let mut obligations = Vec::new();
    let given: Vec<Term> = problem.facts.iter().chain(&problem.entry).copied().collect();
    for bound in &kept {
        let name = "a bound of all iterations holds at entry";
        if prove(logic, &mut obligations, name, &given, *bound)?.is_err() {
            return Ok(None);
        }
    }
    for (number, path) in problem.iterations() {
        let given: Vec<Term> =
            problem.facts.iter().chain(&kept).copied().chain([path.guard]).collect();
        for bound in &kept {
            let name = format!("path {} keeps a bound of all iterations", number + 1);
            let after = after(logic, problem, path, *bound);
            if prove(logic, &mut obligations, &name, &given, after)?.is_err() {
                return Ok(None);
            }
        }
    }
    let mut tight = problem.clone();
    tight.facts.extend(kept);
    let known = simplify_facts(logic, &mut tight.facts);
    for path in &mut tight.paths {
        simplify(logic, &known, path);
    }
    Ok(Some(Tightened { problem: tight, obligations }))
}

/// Whether an iteration computes with numbers that may wrap.
fn wraps(logic: &Logic<'_>, problem: &Loop) -> bool {
    let mut terms = problem.paths.iter().flat_map(|path| path.updates.iter().chain([&path.guard]));
    terms.any(|term| {
        let mut parts = logic.terms.post_order(*term).into_iter();
        parts.any(|part| matches!(logic.terms.node(part), Node::Wrap(..)))
    })
}

/// The bounds of variables at entry that do not hold anyway.
fn bounds_at_entry(logic: &mut Logic<'_>, problem: &Loop) -> Vec<Term> {
    let (mut always, mut at_entry) = (Context::new(), Context::new());
    for fact in &problem.facts {
        always.assume(logic.terms, *fact);
        at_entry.assume(logic.terms, *fact);
    }
    for fact in &problem.entry {
        at_entry.assume(logic.terms, *fact);
    }
    let mut bounds = Vec::new();
    for variable in &problem.variables {
        if logic.terms.sort(variable.symbol) != Sort::Int {
            continue;
        }
        let usual = always.range(logic.terms, variable.symbol);
        let entry = at_entry.range(logic.terms, variable.symbol);
        if let Some(low) = entry.low().filter(|low| !usual.is_at_least(low)) {
            let low = logic.terms.int(low.clone());
            bounds.push(logic.terms.le(low, variable.symbol));
        }
        if let Some(high) = entry.high().filter(|high| usual.high() != Some(*high)) {
            let high = logic.terms.int(high.clone());
            bounds.push(logic.terms.le(variable.symbol, high));
        }
    }
    bounds
}

/// The first bound that some path does not keep.
fn first_lost(
    logic: &mut Logic<'_>,
    problem: &Loop,
    kept: &[Term],
) -> Result<Option<usize>, Error> {
    for (_, path) in problem.iterations() {
        let given: Vec<Term> =
            problem.facts.iter().chain(kept).copied().chain([path.guard]).collect();
        for (number, bound) in kept.iter().enumerate() {
            let after = after(logic, problem, path, *bound);
            if after != *bound && !logic.proves(&given, after)? {
                return Ok(Some(number));
            }
        }
    }
    Ok(None)
}

/// A formula over values at the header, behind an iteration.
fn after(logic: &mut Logic<'_>, problem: &Loop, path: &Path, formula: Term) -> Term {
    let mut store = Substitution::default();
    for (variable, update) in problem.variables.iter().zip(&path.updates) {
        if let Some(symbol) = logic.symbol_of(variable.symbol) {
            store.insert(symbol, *update);
        }
    }
    logic.put(formula, &store)
}

/// Each fact by those before it, so that what is known of a number is not hidden by a wrap around it.
fn simplify_facts(logic: &mut Logic<'_>, facts: &mut [Term]) -> Context {
    let mut known = Context::new();
    // What concerns the header only comes last, but bounds come before what they simplify.
    for _ in 0..2 {
        known = Context::new();
        for fact in facts.iter_mut() {
            let simpler = known.simplify(logic.terms, *fact);
            // What is known already says no more, but is kept: others may not see that it follows.
            if logic.terms.as_bool(simpler).is_none() {
                *fact = simpler;
            }
            known.assume(logic.terms, *fact);
        }
    }
    known
}

/// A path by what is known of the header, and by what its guard says itself.
fn simplify(logic: &mut Logic<'_>, known: &Context, path: &mut Path) {
    let mut known = known.clone();
    let mut parts = logic.conjuncts(path.guard);
    // What is said first may be simpler for what is said behind it.
    for _ in 0..2 {
        let mut context = known.clone();
        for part in &mut parts {
            *part = context.simplify(logic.terms, *part);
            context.assume(logic.terms, *part);
        }
    }
    path.guard = logic.terms.and(parts.iter().copied());
    for part in parts {
        known.assume(logic.terms, part);
    }
    for update in &mut path.updates {
        *update = known.simplify(logic.terms, *update);
    }
}
