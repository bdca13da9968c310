//! Loops, solved.
//!
//! A [`Loop`] is variables and the paths of one iteration; [`summarise`] turns it into a [`Summary`]: cases that say, without the loop, when it is left by
//! which exit with which values.

#[cfg(test)]
extern crate self as loupe_loops;

mod accelerate;
mod apart;
pub mod assumption;
mod automaton;
mod blend;
pub mod bounds;
mod carousel;
pub mod certificate;
mod certify;
pub mod classify;
mod commuting;
mod drawn;
pub mod emit;
mod indexed;
mod induction;
mod logic;
pub mod memory;
mod merge;
mod modular;
mod necessary;
mod over;
mod parts;
pub mod pda;
pub mod problem;
pub mod ranking;
pub mod recurrent;
pub mod show;
mod split;
mod step;
mod stride;
pub mod summary;
#[cfg(test)]
mod testing;
#[cfg(test)]
#[path = "../tests/shapes/text.rs"]
mod text;
mod tighten;
mod traces;

pub use problem::{End, Fresh, FreshKind, Loop, Path, Precision, Variable, Ways};
pub use ranking::{Ranking, rank};
pub use recurrent::{Recurrence, Turn, recurrent};
pub use summary::{Case, Covers, Divergence, Draw, Repeated, Segment, Stream, Summary, Tag};

use automaton::Automaton;
use logic::Logic;
use loupe_solver::{Chain, Error, Limits};
use loupe_term::{Node, Term, Terms};
use split::Wraps;
use std::time::Duration;
use tighten::Guesses;

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
    /// How much work it may be to look for an exact summary.
    pub work: u64,
    /// What is looked for.
    pub aim: Aim,
    /// What becomes of cases where others are missing.
    pub rest: Rest,
}

/// What becomes of cases where others are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rest {
    /// They are dropped.
    #[default]
    Dropped,
    /// They are certified and kept beside the approximation.
    Kept,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Aim {
    /// The best summary.
    #[default]
    Best,
    /// An exact summary or a template: where there is none, nothing but the reasons is of use, and the summary has no cases.
    Exact,
    /// An approximation, at once: for loops of which it is known that there is nothing better.
    Approximation,
    /// What every execution satisfies, with a counter for each path; an exact summary only where there is one path.
    Necessary,
}

impl Default for Effort {
    fn default() -> Self {
        // Far behind the limit on work, which is the one that counts.
        let time = Duration::from_secs(3);
        let limits = Limits { work: 50_000, time, ..Limits::default() };
        let (aim, rest) = (Aim::default(), Rest::default());
        Effort { limits, questions: 2_000, cases: 64, nodes: 400, work: 3_000_000, aim, rest }
    }
}

/// So many questions are asked for an exact summary where a necessary condition is wanted.
const NECESSARY_QUESTIONS: usize = 60;

/// So many questions are left for the over-approximation, whatever was asked before.
const OVER_QUESTIONS: usize = 300;

/// And so much work.
const OVER_WORK: u64 = 1_000_000;

/// So much work it may be to certify cases where others are missing.
const PART_WORK: u64 = 300_000;

/// For the proof that nothing is missing, this part of the questions is left, whatever was asked before.
const CERTIFICATE_SHARE: usize = 2;

/// A path is split into so many parts, where an argument speaks of parts.
const MAX_PARTS: usize = 48;

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
    logic.stop_after(effort.work);
    let guesses = match effort.aim {
        Aim::Best | Aim::Exact => Guesses::Few,
        Aim::Approximation | Aim::Necessary => Guesses::Many,
    };
    let tightened = tighten::tightened(&mut logic, problem, guesses)?;
    let original = problem;
    let problem = tightened.as_ref().map_or(problem, |tightened| &tightened.problem);
    if effort.aim == Aim::Necessary {
        return necessarily(&mut logic, problem, effort);
    }
    let failure = match &problem.is_partial {
        Some(reason) => Failure::because(reason.clone()),
        None if effort.aim == Aim::Approximation => {
            Failure::because("no exact summary was found before".to_owned())
        }
        None => match exactly(&mut logic, problem, effort, 0)? {
            Ok(mut summary) => {
                let before = tightened.into_iter().flat_map(|tightened| tightened.obligations);
                summary.obligations.splice(0..0, before);
                return Ok(labelled(logic.terms, summary));
            }
            Err(failure) => failure,
        },
    };
    let Failure { reasons, under } = failure;
    if effort.aim == Aim::Exact {
        return Ok(Summary::without_cases(reasons));
    }
    logic.questions = logic.questions.max(OVER_QUESTIONS);
    logic.stop_after(OVER_WORK);
    let related = match effort.aim {
        Aim::Best => tighten::tightened(&mut logic, original, Guesses::Many)?,
        _ => None,
    };
    let problem = related.as_ref().map_or(problem, |related| &related.problem);
    let mut summary = over::over(&mut logic, problem, reasons)?;
    summary.under = under;
    Ok(summary)
}

/// Whether a guard looks at elements of arrays: then it has no form without quantifiers, and a condition for all iterations says as much as any summary.
fn reads_elements(logic: &Logic<'_>, path: &Path) -> bool {
    let parts = logic.terms.post_order(path.guard);
    parts.into_iter().any(|part| matches!(logic.terms.node(part), Node::Select(..)))
}

/// The same conditions, with what is wrapped in the place of what wraps, where the others keep that in its range.
pub fn without_wraps(
    terms: &mut Terms,
    chain: &mut Chain,
    limits: &Limits,
    conditions: &[Term],
) -> Vec<Term> {
    let mut logic = Logic::new(terms, chain, limits, OVER_QUESTIONS);
    logic.stop_after(OVER_WORK);
    let mut parts: Vec<Term> = conditions.to_vec();
    necessary::without_wraps(&mut logic, &[], &mut parts, &mut []);
    parts
}

/// What every execution of a loop satisfies.
fn necessarily(logic: &mut Logic<'_>, problem: &Loop, effort: &Effort) -> Result<Summary, Error> {
    let mut reasons = Vec::new();
    let mut paths = problem.iterations();
    if let (Some((_, path)), None) = (paths.next(), paths.next())
        && path.fresh.is_empty()
        && problem.is_partial.is_none()
        && !reads_elements(logic, path)
    {
        logic.questions = logic.questions.min(NECESSARY_QUESTIONS);
        match solve(logic, problem, effort, Wraps::Guards)? {
            Ok(summary) => return Ok(labelled(logic.terms, summary)),
            Err(failure) => reasons = failure.reasons,
        }
    }
    logic.questions = logic.questions.max(OVER_QUESTIONS);
    logic.stop_after(OVER_WORK);
    match necessary::necessary(logic, problem, reasons.clone())? {
        Some(summary) => Ok(summary),
        None => over::over(logic, problem, reasons),
    }
}

/// A summary with a quantifier is a template, whoever has made it, and is silent about executions that do not end.
fn labelled(terms: &Terms, mut summary: Summary) -> Summary {
    if summary.cases.iter().any(|case| terms.has_quantifier(case.condition)) {
        summary.tag = Tag::Template;
        summary.covers = Covers::Ending;
        summary.diverging.clear();
    }
    summary
}

/// Why there is no exact summary, and what there is instead.
#[derive(Debug, Default)]
struct Failure {
    reasons: Vec<String>,
    under: Option<Box<Summary>>,
}

impl Failure {
    fn because(reason: String) -> Self {
        Failure { reasons: vec![reason], under: None }
    }

    /// All reasons, and the larger part.
    fn add(&mut self, other: Failure) {
        for reason in other.reasons {
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
        let cases = |under: &Option<Box<Summary>>| under.as_ref().map_or(0, |u| u.cases.len());
        if cases(&other.under) > cases(&self.under) {
            self.under = other.under;
        }
    }
}

/// An exact summary, by the first of the summarisers that finds one, or why there is none. A loop that is taken apart is `depth` times a part.
fn exactly(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
    depth: usize,
) -> Result<Result<Summary, Failure>, Error> {
    if let Some(summary) = commuting::commuting(logic, problem)? {
        return Ok(Ok(summary));
    }
    // A part is no further taken apart.
    let apart = if depth == 0 { apart::Apart::of(logic, problem) } else { None };
    let (wide, narrow) = match apart {
        Some(apart) if apart.is_wide() => (Some(apart), None),
        other => (None, other),
    };
    if let Some(wide) = wide
        && let Some(summary) = wide.solve(logic, problem, effort)?
    {
        return Ok(Ok(summary));
    }
    // Where elements of arrays choose among the paths, no order of these has a pattern.
    let is_wild = blend::is_wild(logic, problem);
    if is_wild && let Some(summary) = blend::blended(logic, problem, effort)? {
        return Ok(Ok(summary));
    }
    let mut failure = Failure::default();
    for wraps in [Wraps::Guards, Wraps::All] {
        match solve(logic, problem, effort, wraps)? {
            Ok(summary) => return Ok(Ok(summary)),
            Err(other) => failure.add(other),
        }
    }
    if let Some(summary) = drawn::drawn(logic, problem, effort, depth)? {
        return Ok(Ok(summary));
    }
    if let Some(summary) = stride::strided(logic, problem, effort, depth)? {
        return Ok(Ok(summary));
    }
    if let Some(summary) = indexed::indexed(logic, problem, effort, depth)? {
        return Ok(Ok(summary));
    }
    if let Some(narrow) = narrow
        && let Some(summary) = narrow.solve(logic, problem, effort)?
    {
        return Ok(Ok(summary));
    }
    let blended = if is_wild { None } else { blend::blended(logic, problem, effort)? };
    Ok(blended.ok_or(failure))
}

/// The cases that were found, as far as they are certified one by one: each of them happens, whatever is missing.
fn part(
    logic: &mut Logic<'_>,
    problem: &Loop,
    steps: &step::Steps,
    limits: automaton::Limits,
    reason: &str,
) -> Result<Option<Box<Summary>>, Error> {
    let before = (logic.questions, logic.deadline);
    logic.questions = logic.questions.max(OVER_QUESTIONS);
    logic.stop_after(PART_WORK);
    let mut automaton = Automaton::new(steps, problem.entry.clone(), limits);
    let cases = automaton.explore(logic, Rest::Kept)?.cases;
    let mut certifier = certify::Certifier::new(problem, steps);
    let cases = certifier.certified(logic, cases)?;
    // Whoever tries another way has as much as before.
    (logic.questions, logic.deadline) = before;
    let cases = merge::merged(logic, &problem.facts, cases);
    let obligations = certifier.obligations;
    Ok((!cases.is_empty()).then(|| {
        Box::new(Summary {
            tag: Tag::Under,
            cases,
            diverging: Vec::new(),
            covers: Covers::Ending,
            reasons: vec![reason.to_owned()],
            obligations,
            under: None,
            witnesses: steps.witnesses.clone(),
        })
    }))
}

fn solve(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
    wraps: Wraps,
) -> Result<Result<Summary, Failure>, Error> {
    let why = |reason: String| Ok(Err(Failure::because(reason)));
    if problem.paths.iter().any(|path| path.precision == Precision::Over) {
        return why("a part of the body is only approximated".into());
    }
    let mut steps = match step::steps(logic, problem, wraps)? {
        Ok(steps) => steps,
        Err(reason) => return why(reason),
    };
    let limits = automaton::Limits { cases: effort.cases, nodes: effort.nodes };
    let mut refinements = 0;
    let traces = loop {
        let mut automaton = Automaton::new(&steps, problem.entry.clone(), limits);
        let traces = automaton.explore(logic, Rest::Dropped)?;
        let Some(reason) = traces.missing.first() else { break traces };
        let refined = match traces.literal {
            Some((step, literal)) if refinements < MAX_REFINEMENTS => {
                step::refine(logic, &mut steps, step, literal)?
            }
            _ => false,
        };
        if !refined {
            let reason = reason.clone();
            let under = match effort.rest {
                Rest::Kept => part(logic, problem, &steps, limits, &reason)?,
                Rest::Dropped => None,
            };
            return Ok(Err(Failure { reasons: vec![reason], under }));
        }
        refinements += 1;
    };
    let is_chosen = steps.is_chosen();
    let mut traces = traces;
    let is_template =
        traces.cases.iter().any(|(_, case)| logic.terms.has_quantifier(case.condition));
    if is_template {
        // What it says is said of executions that end.
        traces.diverging.clear();
    } else if let Some(reason) = traces.open_ends.first().filter(|_| !is_chosen) {
        return why(reason.clone());
    }
    let mut certifier = certify::Certifier::new(problem, &steps);
    if let Err(failure) = certifier.certify(logic, &traces)? {
        return why(failure);
    }
    let cases = traces.cases.into_iter().map(|(_, case)| case).collect();
    let cases = merge::merged(logic, &problem.facts, cases);
    logic.questions = logic.questions.max(effort.questions / CERTIFICATE_SHARE);
    if let Err(failure) = certifier.complete(logic, &cases, &traces.diverging)? {
        return why(failure);
    }
    let diverging = if is_chosen { Vec::new() } else { traces.diverging };
    // That every entry is in a case or diverges was proved as a formula only where there are no counters.
    let has_counters = cases.iter().any(|case| !case.counters.is_empty())
        || diverging.iter().any(|(_, set)| !set.counters.is_empty());
    let covers = match is_chosen || has_counters || is_template {
        true => Covers::Ending,
        false => Covers::All,
    };
    Ok(Ok(Summary {
        tag: Tag::Exact,
        cases,
        diverging: diverging.into_iter().map(|(_, set)| set).collect(),
        covers,
        under: None,
        reasons: Vec::new(),
        obligations: certifier.obligations,
        witnesses: steps.witnesses,
    }))
}
