//! What holds at the header in every iteration, for a loop that is solved for one entry.
//!
//! An index that starts at 0 and only grows is never negative; so `4*i` does not wrap, and an access at it moves by a constant. That cannot
//! be said for arbitrary values at entry. The bounds that the values at entry have are guessed for all iterations, and so are the conditions that paths of the body ask for, as far as they
//! hold at entry: what a program asserts in every iteration is often what it keeps. Those are kept that every path preserves, given all of them (Flanagan and Leino, *Houdini*, 2001). They become
//! facts, and the paths are simplified by them.

use crate::certificate::{Obligation, prove};
use crate::logic::Logic;
use crate::problem::{Loop, Path};
use loupe_solver::Error;
use loupe_term::{Context, Node, Sort, Substitution, SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A loop with more facts.
pub(crate) struct Tightened {
    pub(crate) problem: Loop,
    /// Why the facts hold.
    pub(crate) obligations: Vec<Obligation>,
}

/// Which conditions are guessed to hold in every iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guesses {
    /// Bounds, where numbers may wrap, and equations, where some have products: nothing else is likely to decide these.
    Few,
    /// Every condition of a path too.
    Many,
}

/// So many paths are looked at: the rest of the argument is for small loops.
const MAX_PATHS: usize = 24;
/// So many conditions are guessed.
const MAX_GUESSES: usize = 32;
/// Larger ones are not.
const MAX_SIZE: usize = 200;
/// What a question about a guess may cost: there are many, and most are wrong.
const WORK: u64 = 300_000;
/// How many questions there may be about guesses that are no bounds.
const QUESTIONS: usize = 160;

/// The loop with what it keeps from its entry on, where that matters; none if there is nothing.
pub(crate) fn tightened(
    logic: &mut Logic<'_>,
    problem: &Loop,
    guesses: Guesses,
) -> Result<Option<Tightened>, Error> {
    if problem.entry.is_empty() || problem.paths.len() > MAX_PATHS {
        return Ok(None);
    }
    let mut kept = Vec::new();
    if wraps(logic, problem) {
        kept = bounds_at_entry(logic, problem);
        retain_kept(logic, problem, &mut kept)?;
    }
    let relations = relations_at_entry(logic, problem, guesses);
    if !relations.is_empty() {
        let limits = logic.limits_of(WORK);
        let questions = logic.questions.min(QUESTIONS);
        let mut cheap = logic.cheaper(&limits, questions);
        let given: Vec<Term> = problem.facts.iter().chain(&problem.entry).copied().collect();
        let bounds = kept.len();
        for relation in relations {
            if cheap.proves(&given, relation)? {
                kept.push(relation);
            }
        }
        retain_kept(&mut cheap, problem, &mut kept)?;
        let (asked, is_exhausted) = (questions - cheap.questions, cheap.is_exhausted());
        // Who runs out of questions has found nothing but the bounds.
        if is_exhausted {
            kept.truncate(bounds);
            retain_kept(logic, problem, &mut kept)?;
        }
        logic.questions = logic.questions.saturating_sub(asked);
    }
    if kept.is_empty() {
        return Ok(None);
    }
    let mut obligations = Vec::new();
    let given: Vec<Term> = problem.facts.iter().chain(&problem.entry).copied().collect();
    for known in &kept {
        let name = "what holds in all iterations holds at entry";
        if prove(logic, &mut obligations, name, &given, *known)?.is_err() {
            return Ok(None);
        }
    }
    for (number, path) in problem.iterations() {
        let given: Vec<Term> =
            problem.facts.iter().chain(&kept).copied().chain([path.guard]).collect();
        for known in &kept {
            let name = format!("path {} keeps what holds in all iterations", number + 1);
            let after = after(logic, problem, path, *known);
            if prove(logic, &mut obligations, &name, &given, after)?.is_err() {
                return Ok(None);
            }
        }
    }
    let mut tight = problem.clone();
    tight.facts.extend(kept);
    let mut known = Known::at_header(simplify_facts(logic, &mut tight.facts));
    for path in &mut tight.paths {
        known.simplify(logic, path);
    }
    Ok(Some(Tightened { problem: tight, obligations }))
}

/// Takes away what some path does not keep, given the rest, until all is kept.
fn retain_kept(logic: &mut Logic<'_>, problem: &Loop, kept: &mut Vec<Term>) -> Result<(), Error> {
    loop {
        // What is lost given all of them is lost given fewer.
        let lost = lost(logic, problem, kept)?;
        if lost.is_empty() {
            return Ok(());
        }
        let mut number = 0;
        kept.retain(|_| {
            number += 1;
            !lost.contains(&(number - 1))
        });
    }
}

/// Conditions of paths, and their opposites, that say something of variables and nothing of what is new in an iteration.
fn relations_at_entry(logic: &mut Logic<'_>, problem: &Loop, guesses: Guesses) -> Vec<Term> {
    let symbols = |logic: &Logic<'_>, terms: &mut dyn Iterator<Item = Term>| {
        terms.filter_map(|term| logic.symbol_of(term)).collect::<BTreeSet<SymbolId>>()
    };
    let variables = symbols(logic, &mut problem.variables.iter().map(|variable| variable.symbol));
    let fresh = problem.paths.iter().flat_map(|path| &path.fresh);
    let fresh = symbols(logic, &mut fresh.map(|fresh| fresh.symbol));
    let mut literals = Vec::new();
    for path in &problem.paths {
        for literal in logic.conjuncts(path.guard) {
            let opposite = logic.terms.not(literal);
            for guess in [literal, opposite] {
                let is_new = !literals.contains(&guess) && !problem.facts.contains(&guess);
                if is_new
                    && !logic.terms.is_starred(guess)
                    && !logic.terms.has_quantifier(guess)
                    && logic.terms.size(guess) <= MAX_SIZE
                    && logic.mentions(guess, &variables)
                    && !logic.mentions(guess, &fresh)
                {
                    literals.push(guess);
                }
            }
        }
    }
    let is_equation = |term: &Term| matches!(logic.terms.node(*term), Node::Zero(_));
    if guesses == Guesses::Few {
        if !literals.iter().any(|literal| logic.terms.has_product(*literal)) {
            return Vec::new();
        }
        literals.retain(is_equation);
    }
    if literals.len() > MAX_GUESSES {
        literals.clear();
    }
    literals
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

/// Those that some path does not keep.
fn lost(logic: &mut Logic<'_>, problem: &Loop, kept: &[Term]) -> Result<BTreeSet<usize>, Error> {
    let mut lost = BTreeSet::new();
    for (_, path) in problem.iterations() {
        let given: Vec<Term> =
            problem.facts.iter().chain(kept).copied().chain([path.guard]).collect();
        for (number, known) in kept.iter().enumerate() {
            let after = after(logic, problem, path, *known);
            if !lost.contains(&number) && after != *known && !logic.proves(&given, after)? {
                lost.insert(number);
            }
        }
    }
    Ok(lost)
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

/// What is known of the header, and then of paths as far as their guards have been looked at. Paths begin alike, so what they share is looked at once.
struct Known {
    header: Context,
    /// What is known behind these parts of a guard.
    behind: BTreeMap<Vec<Term>, Context>,
    /// What the next part becomes there.
    simpler: BTreeMap<(Vec<Term>, Term), Term>,
}

impl Known {
    fn at_header(header: Context) -> Self {
        Known { header, behind: BTreeMap::new(), simpler: BTreeMap::new() }
    }

    /// A path by what is known of the header, and by what its guard says itself.
    fn simplify(&mut self, logic: &mut Logic<'_>, path: &mut Path) {
        let mut parts = logic.conjuncts(path.guard);
        // What is said first may be simpler for what is said behind it.
        for _ in 0..2 {
            let mut before = Vec::with_capacity(parts.len());
            for part in &mut parts {
                *part = self.simpler(logic, &before, *part);
                before.push(*part);
            }
        }
        path.guard = logic.terms.and(parts.iter().copied());
        let known = self.behind(logic, &parts);
        for update in &mut path.updates {
            *update = known.simplify(logic.terms, *update);
        }
    }

    /// A part of a guard behind others.
    fn simpler(&mut self, logic: &mut Logic<'_>, before: &[Term], part: Term) -> Term {
        let key = (before.to_vec(), part);
        if let Some(simpler) = self.simpler.get(&key) {
            return *simpler;
        }
        let simpler = self.behind(logic, before).simplify(logic.terms, part);
        self.simpler.insert(key, simpler);
        simpler
    }

    fn behind(&mut self, logic: &mut Logic<'_>, parts: &[Term]) -> &mut Context {
        let known = |length: &usize| self.behind.contains_key(&parts[..*length]);
        let length = (1..=parts.len()).rev().find(known).unwrap_or(0);
        for length in length..parts.len() {
            let before = match length {
                0 => &self.header,
                _ => self.behind.get(&parts[..length]).unwrap_or(&self.header),
            };
            let mut context = before.clone();
            context.assume(logic.terms, parts[length]);
            self.behind.insert(parts[..=length].to_vec(), context);
        }
        self.behind.get_mut(parts).unwrap_or(&mut self.header)
    }
}
