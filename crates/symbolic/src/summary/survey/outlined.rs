//! What is known of a loop by its outline alone: a type and a bound.

use super::super::outline::{Ground, Outline, Outliner, Trust, size};
use super::{Found, Reduced, Survey, broken};
use crate::halt::Halt;
use loupe_engine::domain::InternalError;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::liveness::Liveness;
use loupe_ir::analysis::location::Location;
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::analysis::slice::{Count, Criterion};
use loupe_ir::check::CheckKind;
use loupe_ir::program::{BlockId, Function, Instruction, InstructionKind};
use loupe_loops::Summary;
use loupe_loops::bounds::{Growth, bounds};
use loupe_loops::classify::{LoopType, classify};
use loupe_loops::pda::{Interleaving, Pda};
use loupe_loops::show::Words;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// With more paths than that, nobody asks in which order they come.
const MOST_ORDERED: usize = 8;

/// What a bound assumes of a loop that may come to something that has no model.
const UNKNOWN: &str = "what is not modelled does not lead back into the loop";

/// What an outline says.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// The bound, as one would write it.
    pub bound: Option<(String, Growth)>,
    /// What it assumes.
    pub assumptions: Vec<String>,
    /// The type of what is left of the loop.
    pub kind: Option<LoopType>,
}

impl<'p> Survey<'p> {
    /// What the outline of a loop says; nothing if there is none.
    pub(super) fn outlined(&mut self, found: &Found) -> Result<Option<Outlined>, InternalError> {
        let ground = self.ground(found);
        let is_lost = self.leads_to_the_unknown(found);
        let lost = is_lost.then(|| UNKNOWN.to_owned());
        let mut kind = None;
        let mut last = None;
        for trust in [Trust::Nothing, Trust::Memory, Trust::Numbers, Trust::Apart] {
            let outliner =
                Outliner::new(&mut self.machine, &self.loops, &self.writes, &ground, trust);
            let outline = match outliner.outline() {
                Ok(outline) => outline,
                Err(halt) if matches!(*halt, Halt::Internal(_)) => return Err(broken(&halt)),
                Err(_) => None,
            };
            let Some(outline) = outline else { continue };
            if kind.is_none() {
                kind = Some(self.kind_of(&outline)?);
            }
            if let Some(bound) = self.ranked(&outline)? {
                let assumptions = trust.assumptions().into_iter().chain(lost).collect();
                return Ok(Some(Outlined { bound: Some(bound), assumptions, kind }));
            }
            last = Some(outline);
        }
        let Some(outline) = last else { return Ok(None) };
        let size = match size(&mut self.machine.domain, &outline) {
            Ok(size) => size,
            Err(halt) if matches!(*halt, Halt::Internal(_)) => return Err(broken(&halt)),
            Err(_) => None,
        };
        let mut assumptions = size.as_ref().map_or_else(Vec::new, |size| size.assumptions.clone());
        if !assumptions.is_empty() {
            assumptions.extend(lost);
        }
        let bound = size.map(|size| (size.text, Growth::Polynomial(1)));
        Ok(Some(Outlined { bound, assumptions, kind }))
    }

    /// Whether the loop may be left towards something that has no model: it need not be left there, as nobody knows how it goes on.
    fn leads_to_the_unknown(&self, found: &Found) -> bool {
        let (function, id) = found.key;
        let code = self.machine.program.function(function);
        let forest = self.loops.of(function);
        let mut open: Vec<BlockId> = forest.get(id).exits.iter().map(|edge| edge.to).collect();
        open.extend(forest.blocks(id));
        let mut seen: BTreeSet<BlockId> = BTreeSet::new();
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            let block = code.block(block);
            let is_unknown = |instruction: &Instruction| match &instruction.kind {
                InstructionKind::Check(check) => check.kind == CheckKind::Unsupported,
                _ => false,
            };
            if block.instructions.iter().any(is_unknown) {
                return true;
            }
            open.extend(block.terminator.kind.successors());
        }
        false
    }

    fn ground(&mut self, found: &Found) -> Ground<'p> {
        let program = self.machine.program;
        let function = found.key.0;
        let liveness = match &self.liveness {
            Some((known, liveness)) if *known == function => liveness.clone(),
            _ => {
                let code = program.function(function);
                Rc::new(Liveness::new(code, &FlowGraph::new(code)))
            }
        };
        self.liveness = Some((function, liveness.clone()));
        Ground::new(program, &self.loops, found.key, liveness)
    }

    fn ranked(&mut self, outline: &Outline) -> Result<Option<(String, Growth)>, InternalError> {
        let failed = |error: loupe_solver::Error| InternalError(error.to_string());
        let limits = self.options.effort.limits.clone();
        let (terms, chain) = self.machine.domain.solver();
        let summary = Summary::without_cases(Vec::new());
        let words = Words::new(terms, &outline.problem, None, &outline.names);
        let found = bounds(terms, chain, (&outline.problem, &summary), &words, &limits);
        Ok(found.map_err(failed)?.total.map(|bound| (bound.text, bound.growth)))
    }

    fn kind_of(&mut self, outline: &Outline) -> Result<LoopType, InternalError> {
        let failed = |error: loupe_solver::Error| InternalError(error.to_string());
        let limits = self.options.effort.limits.clone();
        let (terms, chain) = self.machine.domain.solver();
        let problem = &outline.problem;
        let summary = Summary::without_cases(Vec::new());
        let words = Words::new(terms, problem, None, &outline.names);
        let order = if problem.paths.len() > MOST_ORDERED {
            Interleaving::Irregular
        } else {
            let pda = Pda::new(terms, chain, problem, &limits).map_err(failed)?;
            pda.interleaving(terms, chain, problem, &summary, &limits).map_err(failed)?
        };
        Ok(classify(terms, problem, order, &[], &words))
    }
}

impl Survey<'_> {
    /// How much of a loop decides when it is left: the slice to the conditions of its exits.
    pub(super) fn reduced(&self, found: &Found) -> Result<Option<Reduced>, InternalError> {
        let (function, id) = found.key;
        let slice = self.slicer.slice(function, id, &Criterion::exits());
        let slice = slice.map_err(|error| InternalError(error.to_string()))?;
        let code = self.machine.program.function(function);
        let forest = self.loops.of(function);
        let all = paths(code, forest, id, |_| true);
        let kept = paths(code, forest, id, |block| slice.keeps(Location::terminator(code, block)));
        let paths_removed = if all > 0.0 { (1.0 - kept / all).clamp(0.0, 1.0) } else { 0.0 };
        let Count { all, kept } = slice.instructions;
        let branches = slice.branches;
        Ok(Some(Reduced { all: all + branches.all, kept: kept + branches.kept, paths_removed }))
    }
}

/// How many ways there are through a loop once, where only some branches decide; loops inside are passed in one way. A branch that does not
/// decide goes one way, the one with most.
fn paths(
    code: &Function,
    forest: &LoopForest,
    id: LoopId,
    decides: impl Fn(BlockId) -> bool,
) -> f64 {
    let header = forest.get(id).header;
    let mut ways: BTreeMap<BlockId, f64> = BTreeMap::new();
    for block in forest.blocks(id).iter().rev() {
        let after = |next: BlockId| match next {
            next if next == header || !forest.contains(id, next) => 1.0,
            next => ways.get(&next).copied().unwrap_or(1.0),
        };
        let mut next: Vec<BlockId> = code.block(*block).terminator.kind.successors().collect();
        next.sort();
        next.dedup();
        let all = next.into_iter().map(after);
        let count = match decides(*block) {
            true => all.sum::<f64>().max(1.0),
            false => all.fold(1.0, f64::max),
        };
        ways.insert(*block, count);
    }
    ways.get(&header).copied().unwrap_or(1.0)
}
