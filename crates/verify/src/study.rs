//! What else is known of the loops of a program that was verified: their types and bounds.
//!
//! A verdict does not need these, so they are looked for afterwards, with little effort: each loop alone, as by `loupe loops`.

use loupe_engine::domain::InternalError;
use loupe_ir::program::Program;
use loupe_solver::Interrupt;
use loupe_symbolic::loops::LoopKey;
use loupe_symbolic::summary::survey::{Options, Questions, Study, Survey};

/// A question to the solver may be so much work.
const WORK: u64 = 100_000;
/// So many questions are asked about a loop.
const QUESTIONS: usize = 400;
/// No other loop is looked at after so much work: what is known of loops does not depend on the clock, unless the machine is very busy.
const WORK_IN_ALL: u64 = 400_000;

/// What is known of a loop by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Studied {
    /// Its type after Proteus, 1 to 4.
    pub kind: Option<u8>,
    /// How many iterations there are at most, over the values at entry, whatever these are.
    pub bound: Option<String>,
    /// Why something is missing.
    pub why: Option<String>,
}

/// Looks at loops of a program, one after the other, and tells of each, until it is interrupted.
///
/// # Errors
///
/// If Loupe is broken.
pub fn study(
    program: &Program,
    wanted: &[LoopKey],
    interrupt: &Interrupt,
    mut tell: impl FnMut(LoopKey, Studied),
) -> Result<(), InternalError> {
    let mut options = Options::default();
    options.effort.limits.interrupt = interrupt.clone();
    options.effort.limits.work = options.effort.limits.work.min(WORK);
    options.effort.questions = options.effort.questions.min(QUESTIONS);
    let mut survey = Survey::new(program, options)?;
    for found in survey.loops() {
        if interrupt.is_requested() {
            break;
        }
        if !wanted.contains(&found.key) {
            continue;
        }
        if survey.work() > WORK_IN_ALL {
            break;
        }
        let known = survey.study(&found, &Questions::default())?;
        // What was cut short says nothing of the loop.
        if interrupt.is_requested() {
            break;
        }
        tell(found.key, studied(&known));
    }
    Ok(())
}

/// What is true of a loop wherever the program comes to it. A loop is looked at by itself, from a state that is made up, and what was assumed of that
/// need not hold in the program: what rests on it is left out.
fn studied(known: &Study) -> Studied {
    let limit = known.bound();
    let free = limit.as_ref().filter(|limit| limit.assumptions.is_empty());
    let bound = free.map(|limit| limit.text.clone());
    let mut assumed: Vec<&str> = known.assumptions.iter().map(String::as_str).collect();
    // The loop and its slice rest on much the same.
    assumed.sort_unstable();
    assumed.dedup();
    if !assumed.is_empty() {
        let what = if bound.is_some() { "a type is" } else { "type and bound are" };
        let why = format!("{what} known only where {}", assumed.join("; "));
        return Studied { kind: None, bound, why: Some(why) };
    }
    let kind = known.kind().map(|kind| kind.number);
    if let (None, Some(limit)) = (&bound, &limit) {
        let why = format!("a bound is known only where {}", limit.assumptions.join("; "));
        return Studied { kind, bound: None, why: Some(why) };
    }
    let why = match &known.outcome {
        Err(why) => Some(why.what.clone()),
        Ok(known) => known.unbounded.clone(),
    };
    let why = why.filter(|_| bound.is_none());
    Studied { kind, bound, why }
}
