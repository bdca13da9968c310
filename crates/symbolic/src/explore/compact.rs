//! Compact symbolic execution: where a state comes to the entry of a cycle, it passes all iterations of the cycle at once by a template
//! (Slaby, Strejček and Trtík, *Compact Symbolic Execution*, ATVA 2013, Algorithm 2).
//!
//! A template is the summary of a loop that has no other path than the core of the cycle, and is left by its exit edges. All ways out of it
//! are states, so whichever template is taken, nothing is lost but executions that never leave the cycle; and it makes no difference to what is found whether one is taken
//! at all. How large the tree becomes is another matter. The paper chooses at random. Here
//!
//! - a path is entered at the header of its loop only: an execution comes there first, and at the other entries the same path would be followed once more, turned round;
//! - a template must be able to make an iteration from here, for otherwise it is no more than a step;
//! - of several, the one is taken that this path has not taken for longest. What ends the iterations of one cycle is mostly the first step of another, so
//!   cycles that take turns are passed in turns.

use super::run::Ran;
use super::{Branch, Explorer, Observer, Templates};
use crate::domain::Outcome;
use crate::loops::{Entries, Region};
use crate::summary::{Applied, Solution, Wanted};
use loupe_ir::program::{BlockId, FunctionId};
use loupe_loops::Tag;
use std::rc::Rc;
use std::time::Instant;

impl Templates {
    /// The entries of cycles where templates are applied.
    pub(super) fn entries(self) -> Entries {
        match self {
            Templates::InTurns => Entries::Header,
            Templates::AtRandom => Entries::All,
        }
    }
}

impl Explorer<'_> {
    /// How many cycles the functions have that were executed.
    pub(super) fn count_cycles(&mut self) {
        let program = self.machine.program;
        let entered = |id: &FunctionId| self.result.coverage.has(*id, BlockId(0));
        let functions = (0..program.functions.len() as u32).map(FunctionId).filter(entered);
        let cycles = functions.map(|function| self.loops.cycles(function).cycles.len());
        self.result.templates.cycles = cycles.sum();
    }

    /// A state has come to a block where cycles are entered.
    pub(super) fn at_cycles(
        &mut self,
        branch: Box<Branch>,
        observer: &mut dyn Observer,
    ) -> Outcome<Ran> {
        let Some(frame) = branch.state.frames.last() else { return Ok(Ran::On(branch)) };
        let entries = self.options.templates.entries();
        let candidates = self.loops.cycles_at(frame.function, frame.block, entries).to_vec();
        for region in self.in_order(&branch, candidates) {
            let Some(solution) = self.template(&branch, region)? else { continue };
            let ways = self.ways_behind(&branch, &solution)?;
            if ways.iter().any(|(_, applied, _)| applied.lost().is_some()) {
                continue;
            }
            let repeats = |(case, ..): &(usize, Applied, _)| {
                solution.summary.cases.get(*case).is_some_and(|case| !case.trace.is_empty())
            };
            let is_of_use = match self.options.templates {
                Templates::InTurns => ways.iter().any(repeats),
                Templates::AtRandom => true,
            };
            if is_of_use {
                self.result.templates.applied += 1;
                return self.pass(branch, &solution, ways, observer);
            }
        }
        Ok(Ran::On(branch))
    }

    /// Cycles in the order in which their templates are tried.
    fn in_order(&mut self, branch: &Branch, mut candidates: Vec<Region>) -> Vec<Region> {
        candidates.retain(|region| self.solutions.given_up(*region).is_none());
        match self.options.templates {
            Templates::InTurns => {
                let age = |region: &Region| {
                    let mut passed = branch.passed.newest_first();
                    passed.position(|p| p.solution.extraction.region == *region)
                };
                // Those that were never taken first; the sort keeps the order of others.
                let unused = |region: &Region| age(region).unwrap_or(usize::MAX);
                candidates.sort_by_key(|region| std::cmp::Reverse(unused(region)));
            }
            Templates::AtRandom => {
                for last in (1..candidates.len()).rev() {
                    candidates.swap(last, self.dice.index(last + 1));
                }
            }
        }
        candidates
    }

    /// The template of a cycle for a state at its entry.
    fn template(&mut self, branch: &Branch, region: Region) -> Outcome<Option<Rc<Solution>>> {
        let start = Instant::now();
        let conditions = self.machine.domain.path.conditions();
        let wanted =
            Wanted { state: &branch.state, region, conditions: &conditions, worst: Tag::Template };
        let limits = &self.options.loop_limits;
        let solved = self.solutions.solve(&mut self.machine, &self.loops, limits, &wanted)?;
        let figures = &mut self.result.templates;
        figures.time += start.elapsed();
        match solved {
            // The core cannot be executed from anywhere.
            Ok(solution) if solution.extraction.problem.iterations().next().is_none() => Ok(None),
            Ok(solution) => {
                figures.found.insert(region);
                Ok(Some(solution))
            }
            Err(why) => {
                let (function, id) = region.key();
                let figures = self.result.loops.entry((function, id.0)).or_default();
                figures.executed += 1;
                figures.reasons.insert(why.what);
                Ok(None)
            }
        }
    }
}
