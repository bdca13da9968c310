//! Branches that a search has left open are asked for: each way out of them is a target, as for `loupe reach`.
//!
//! First all of them together, as long as that gives inputs: an execution that takes any of them is an input to try, and a proof that none is taken is a proof for each. (A target ends the executions that come to it; but where none comes to any, nothing is
//! ended.) Then one by one, in shares of the time that is left. A proof is one of an exploration that is complete, so undefined behaviour that is possible on the way speaks against it, unless it is assumed to be absent.

use super::super::explore::{How, Work, draft};
use crate::args;
use crate::status::Failed;
use loupe_symbolic::explore::{AllErrors, DraftFor, Exploration, Merge, Stop, Subsumed};
use loupe_symbolic::target::with_targets_on;
use loupe_symbolic::testgen::{Generator, Way};
use std::time::Instant;

/// All together have this part of the time that is left.
const TOGETHER_SHARE: f64 = 0.25;
/// Less time is not worth the trouble.
const LEAST_SECONDS: f64 = 0.02;
/// No way has more time than this.
const MOST_SECONDS: f64 = 10.0;

/// Asks for the ways that are open, for so many seconds; how many it took.
pub(super) fn ask(
    work: &Work<'_>,
    generator: &mut Generator<'_>,
    seconds: f64,
) -> Result<f64, Failed> {
    let start = Instant::now();
    let left = || seconds - start.elapsed().as_secs_f64();
    loop {
        let open = generator.open_ways();
        let time = (left() * TOGETHER_SHARE).min(MOST_SECONDS);
        if open.is_empty() || time < LEAST_SECONDS {
            break;
        }
        let ways: Vec<Way> = open.iter().map(|(_, way)| way.clone()).collect();
        let found = reach(work, &ways, time)?;
        if found.stop == Stop::Interrupted {
            return Ok(start.elapsed().as_secs_f64());
        }
        if found.is_safe() {
            open.iter().for_each(|(number, _)| generator.prove_unreachable(*number));
        }
        for violation in found.violations.values() {
            generator.try_input(&violation.model);
        }
        if generator.open_ways().len() == open.len() {
            break;
        }
    }
    let all = generator.open_ways();
    for (done, (number, way)) in all.iter().enumerate() {
        let time = (left() / (all.len() - done) as f64).min(MOST_SECONDS);
        if time < LEAST_SECONDS {
            break;
        }
        // An input for another one may have taken it.
        if !generator.open_ways().iter().any(|(open, _)| open == number) {
            continue;
        }
        let found = reach(work, std::slice::from_ref(way), time)?;
        if found.stop == Stop::Interrupted {
            break;
        }
        if found.is_safe() {
            generator.prove_unreachable(*number);
        }
        for violation in found.violations.values() {
            generator.try_input(&violation.model);
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Whether some of these ways are taken.
fn reach(work: &Work<'_>, ways: &[Way], timeout: f64) -> Result<Exploration, Failed> {
    let edges: Vec<_> = ways.iter().map(|way| (way.function, way.edge)).collect();
    let work = work.for_targets(with_targets_on(&work.loaded.program, &edges));
    let how = How {
        all: AllErrors::StopAtFirst,
        timeout,
        keep_tree: false,
        loops: args::Loops::Auto,
        live: false,
        instances: args::INSTANCES,
        draft: Some(draft(timeout, DraftFor::Guidance)),
        limit_cost: Merge::LIMIT_COST,
        subsumed: Subsumed::All,
    };
    Ok(work.run(how, Some(&mut ()))?.0)
}
