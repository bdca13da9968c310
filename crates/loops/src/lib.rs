//! Loops, solved.
//!
//! A [`Loop`] is variables and the paths of one iteration; [`summarise`] turns it into a [`Summary`]: cases that say, without the loop, when it is left by
//! which exit with which values.

#[cfg(test)]
extern crate self as loupe_loops;

mod accelerate;
pub mod assumption;
mod automaton;
pub mod bounds;
pub mod certificate;
mod certify;
pub mod classify;
mod commuting;
pub mod emit;
mod induction;
mod logic;
mod merge;
mod modular;
mod over;
pub mod pda;
pub mod problem;
pub mod show;
mod split;
mod step;
pub mod summary;
#[cfg(test)]
mod testing;
#[cfg(test)]
#[path = "../tests/shapes/text.rs"]
mod text;
mod traces;

pub use problem::{End, Fresh, FreshKind, Loop, Path, Precision, Variable};
pub use summary::{Case, Divergence, Repeated, Segment, Summary, Tag};

use automaton::Automaton;
use logic::Logic;
use loupe_solver::{Chain, Error, Limits};
use loupe_term::Terms;
use split::Wraps;
use std::time::Duration;

/// How much work a summary may be.
#[derive(Clone, Debug)]
pub struct Effort {
    /// What each query may cost.
    pub limits: Limits,
    /// How many questions may be asked.
    pub questions: usize,
    /// How many cases there may be.
    pub cases: usize,
    /// How many parts of traces are looked at.
    pub nodes: usize,
}

impl Default for Effort {
    fn default() -> Self {
        let time = Duration::from_millis(500);
        let limits = Limits { work: 50_000, time, ..Limits::default() };
        Effort { limits, questions: 2_000, cases: 64, nodes: 400 }
    }
}

/// So many questions are left for the over-approximation, whatever was asked before.
const OVER_QUESTIONS: usize = 300;

/// For the proof that nothing is missing, this part of the questions is left, whatever was asked before.
const CERTIFICATE_SHARE: usize = 2;

/// So often a path is divided by the direction in which a literal of its guard moves.
const MAX_REFINEMENTS: usize = 6;

/// The best summary of a loop.
///
/// # Errors
///
/// If a query makes no sense or a bug was found; a loop that cannot be solved has a summary that says so.
pub fn summarise(
    terms: &mut Terms,
    chain: &mut Chain,
    problem: &Loop,
    effort: &Effort,
) -> Result<Summary, Error> {
    let mut logic = Logic::new(terms, chain, &effort.limits, effort.questions);
    let mut reasons = Vec::new();
    if let Some(reason) = &problem.is_partial {
        reasons.push(reason.clone());
    } else {
        if let Some(summary) = commuting::commuting(&mut logic, problem)? {
            return Ok(summary);
        }
        for wraps in [Wraps::Guards, Wraps::All] {
            match solve(&mut logic, problem, effort, wraps)? {
                Ok(summary) => return Ok(summary),
                Err(why) => {
                    if !reasons.contains(&why) {
                        reasons.push(why);
                    }
                }
            }
        }
    }
    logic.questions = logic.questions.max(OVER_QUESTIONS);
    over::over(&mut logic, problem, reasons)
}

fn solve(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
    wraps: Wraps,
) -> Result<Result<Summary, String>, Error> {
    if problem.paths.iter().any(|path| path.precision == Precision::Over) {
        return Ok(Err("a part of the body is only approximated".into()));
    }
    let mut steps = match step::steps(logic, problem, wraps)? {
        Ok(steps) => steps,
        Err(reason) => return Ok(Err(reason)),
    };
    let limits = automaton::Limits { cases: effort.cases, nodes: effort.nodes };
    let mut refinements = 0;
    let traces = loop {
        let mut automaton = Automaton::new(&steps, problem.entry.clone(), limits);
        let traces = automaton.explore(logic)?;
        let Some(reason) = traces.missing.first() else { break traces };
        let refined = match traces.literal {
            Some((step, literal)) if refinements < MAX_REFINEMENTS => {
                step::refine(logic, &mut steps, step, literal)?
            }
            _ => false,
        };
        if !refined {
            return Ok(Err(reason.clone()));
        }
        refinements += 1;
    };
    let is_chosen = steps.steps.iter().any(|step| !step.choice.is_empty());
    if let Some(reason) = traces.open_ends.first().filter(|_| !is_chosen) {
        return Ok(Err(reason.clone()));
    }
    let mut certifier = certify::Certifier::new(problem, &steps);
    if let Err(failure) = certifier.certify(logic, &traces)? {
        return Ok(Err(failure));
    }
    let cases = traces.cases.into_iter().map(|(_, case)| case).collect();
    let cases = merge::merged(logic, &problem.facts, cases);
    logic.questions = logic.questions.max(effort.questions / CERTIFICATE_SHARE);
    if let Err(failure) = certifier.complete(logic, &cases)? {
        return Ok(Err(failure));
    }
    let diverging = if is_chosen { Vec::new() } else { traces.diverging };
    Ok(Ok(Summary {
        tag: Tag::Exact,
        cases,
        diverging: diverging.into_iter().map(|(_, set)| set).collect(),
        reasons: Vec::new(),
        obligations: certifier.obligations,
        witnesses: steps.witnesses,
    }))
}
