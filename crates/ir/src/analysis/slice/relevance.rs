//! Which steps of a loop matter: the fixed point of data and control dependence.
//!
//! Weiser's equations (*Program Slicing*, 1984, section III) on sets of resources. Backward over a block: a
//! step that may change something relevant is kept, what it replaces is not relevant before it, and what it
//! uses is. The block of a kept step brings the branches that it depends on, and what those use. All of this
//! only grows, so the order does not matter.
//!
//! Beyond that:
//!
//! - an inner loop of which anything is kept keeps what decides about its iterations, so an inner loop
//!   either is gone as a whole or iterates as before; in irreducible cycles that is all branches;
//! - a local in memory that a kept step names keeps its declarations and ends;
//! - checks and assumptions that speak of nothing but relevant values are kept, with the temporaries that
//!   they are computed in: they make no further variable relevant, without them less is known of those
//!   that are, and no kept instruction loses the check that it relies on.

use super::super::location::{Location, Step, steps};
use super::super::loops::{LoopForest, LoopId};
use super::control::Control;
use super::effects::{Resource, Resources, StepEffects};
use crate::check::CheckKind;
use crate::program::{BlockId, Function, InstructionKind, LocalId, Rvalue};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};

/// A step of the loop.
struct Known<'f> {
    step: Step<'f>,
    effects: StepEffects,
    kept: bool,
}

/// The kept steps of a loop, while they grow and afterwards.
pub(super) struct Relevance<'a> {
    control: &'a Control,
    /// By block of the loop and position.
    steps: Vec<Vec<Known<'a>>>,
    /// By block of the loop: what is relevant at its start.
    starts: Vec<FixedBitSet>,
    /// What is relevant behind the exits.
    wanted: FixedBitSet,
    /// By block of the loop: where it leads to within the loop, and whether out of it.
    next: Vec<(Vec<usize>, bool)>,
    predecessors: Vec<Vec<usize>>,
    /// By block of the loop: the cycles inside the loop that it is in.
    cycles_of: Vec<Vec<usize>>,
    /// By cycle: the branches that decide about its iterations, as numbers of blocks.
    cycles: Vec<Vec<usize>>,
    /// Where the objects of memory locals begin and end.
    lifetimes: BTreeMap<LocalId, Vec<(usize, usize)>>,
    /// Blocks with kept steps.
    visited: FixedBitSet,
    cycles_kept: FixedBitSet,
    open: Vec<usize>,
    is_open: FixedBitSet,
}

/// What the relevance of steps is computed from.
pub(super) struct Question<'a> {
    pub(super) function: &'a Function,
    pub(super) forest: &'a LoopForest,
    pub(super) id: LoopId,
    pub(super) control: &'a Control,
    pub(super) resources: &'a Resources<'a>,
    /// What must be right behind the exits, and the memory locals among it.
    pub(super) wanted: FixedBitSet,
    pub(super) wanted_objects: Vec<LocalId>,
}

impl<'a> Relevance<'a> {
    /// The steps that decide when and where the loop is left, and about the wanted values.
    pub(super) fn new(question: Question<'a>) -> Self {
        let Question { function, forest, id, control, resources, wanted, wanted_objects } =
            question;
        let mut this = Relevance::empty(function, control, resources, wanted);
        this.find_cycles(function, forest, id);
        for branch in control.of_ends() {
            this.keep_branch(branch);
        }
        for local in wanted_objects {
            this.keep_lifetime(local);
        }
        for place in 0..this.steps.len() {
            this.reopen(place);
        }
        loop {
            this.solve();
            if !this.keep_conditions() {
                return this;
            }
        }
    }

    fn empty(
        function: &'a Function,
        control: &'a Control,
        resources: &Resources<'_>,
        wanted: FixedBitSet,
    ) -> Self {
        let count = control.blocks().len();
        let mut lifetimes: BTreeMap<LocalId, Vec<(usize, usize)>> = BTreeMap::new();
        let mut all = Vec::with_capacity(count);
        let mut next = Vec::with_capacity(count);
        let mut predecessors = vec![Vec::new(); count];
        for (place, block) in control.blocks().iter().enumerate() {
            let mut known = Vec::new();
            for (location, step) in steps(function, *block) {
                if let Some(local) = begins_or_ends(step) {
                    lifetimes.entry(local).or_default().push((place, location.index as usize));
                }
                known.push(Known { step, effects: resources.effects(step), kept: false });
            }
            all.push(known);
            let successors = function.block(*block).terminator.kind.successors();
            let places: Vec<Option<usize>> = successors.map(|to| control.place(to)).collect();
            let inside: BTreeSet<usize> = places.iter().copied().flatten().collect();
            for to in &inside {
                predecessors[*to].push(place);
            }
            next.push((inside.into_iter().collect(), places.contains(&None)));
        }
        Relevance {
            control,
            steps: all,
            starts: vec![FixedBitSet::with_capacity(resources.len()); count],
            wanted,
            next,
            predecessors,
            cycles_of: vec![Vec::new(); count],
            cycles: Vec::new(),
            lifetimes,
            visited: FixedBitSet::with_capacity(count),
            cycles_kept: FixedBitSet::new(),
            open: Vec::new(),
            is_open: FixedBitSet::with_capacity(count),
        }
    }

    fn find_cycles(&mut self, function: &Function, forest: &LoopForest, id: LoopId) {
        for (inner, _) in forest.iter().filter(|(inner, _)| *inner != id) {
            if forest.contains(id, forest.get(inner).header) {
                let branches = self.control.of_iterations(inner).into_iter().collect();
                self.add_cycle(forest.blocks(inner), branches);
            }
        }
        for region in forest.irreducible_in(id) {
            let places = region.blocks.iter().filter_map(|block| self.control.place(*block));
            let is_branch = |place: &usize| {
                let block = self.control.blocks()[*place];
                function.block(block).terminator.kind.successors().count() > 1
            };
            let branches = places.filter(is_branch).collect();
            self.add_cycle(&region.blocks, branches);
        }
        self.cycles_kept = FixedBitSet::with_capacity(self.cycles.len());
    }

    fn add_cycle(&mut self, blocks: &[BlockId], branches: Vec<usize>) {
        for place in blocks.iter().filter_map(|block| self.control.place(*block)) {
            self.cycles_of[place].push(self.cycles.len());
        }
        self.cycles.push(branches);
    }

    /// Whether a step of the loop is kept.
    pub(super) fn keeps(&self, location: Location) -> bool {
        let place = self.control.place(location.block);
        let block = place.and_then(|place| self.steps.get(place));
        block.and_then(|steps| steps.get(location.index as usize)).is_some_and(|step| step.kept)
    }

    /// Whether anything in a block is kept.
    pub(super) fn visits(&self, block: BlockId) -> bool {
        self.control.place(block).is_some_and(|place| self.visited.contains(place))
    }

    /// The kept steps, in order.
    pub(super) fn kept(&self) -> BTreeSet<Location> {
        let mut kept = BTreeSet::new();
        for (block, steps) in self.control.blocks().iter().zip(&self.steps) {
            let indices = (0..).zip(steps).filter(|(_, step)| step.kept);
            kept.extend(indices.map(|(index, _)| Location::new(*block, index)));
        }
        kept
    }

    /// What is relevant at the header.
    pub(super) fn at_header(&self) -> Option<&FixedBitSet> {
        self.starts.first()
    }

    fn reopen(&mut self, place: usize) {
        if !self.is_open.put(place) {
            self.open.push(place);
        }
    }

    fn keep_branch(&mut self, place: usize) {
        if let Some(last) = self.steps[place].len().checked_sub(1) {
            self.keep(place, last);
        }
    }

    fn keep_lifetime(&mut self, local: LocalId) {
        for (place, index) in self.lifetimes.get(&local).cloned().unwrap_or_default() {
            self.keep(place, index);
        }
    }

    /// Keeps a step and all that comes with it by control.
    fn keep(&mut self, place: usize, index: usize) {
        let mut open = vec![(place, index)];
        while let Some((place, index)) = open.pop() {
            let known = &mut self.steps[place][index];
            if std::mem::replace(&mut known.kept, true) {
                continue;
            }
            if let Some(lifetimes) =
                known.effects.names.and_then(|local| self.lifetimes.get(&local))
            {
                open.extend(lifetimes);
            }
            self.reopen(place);
            if self.visited.put(place) {
                continue;
            }
            let last = |branch: usize| self.steps[branch].len().checked_sub(1).map(|i| (branch, i));
            open.extend(self.control.of_block(place).iter().filter_map(|branch| last(*branch)));
            for cycle in &self.cycles_of[place] {
                if !self.cycles_kept.put(*cycle) {
                    open.extend(self.cycles[*cycle].iter().filter_map(|branch| last(*branch)));
                }
            }
        }
    }

    /// Carries relevance backward until nothing changes.
    fn solve(&mut self) {
        while let Some(place) = self.open.pop() {
            self.is_open.remove(place);
            let mut relevant = self.at_end(place);
            for index in (0..self.steps[place].len()).rev() {
                let known = &self.steps[place][index];
                if !known.kept
                    && known.effects.changes.iter().any(|changed| relevant.contains(*changed))
                {
                    self.keep(place, index);
                }
                let known = &self.steps[place][index];
                if known.kept {
                    if let Some(replaced) = known.effects.replaces {
                        relevant.remove(replaced);
                    }
                    relevant.extend(known.effects.uses.iter().copied());
                }
            }
            if !relevant.is_subset(&self.starts[place]) {
                self.starts[place].union_with(&relevant);
                for before in self.predecessors[place].clone() {
                    self.reopen(before);
                }
            }
        }
    }

    fn at_end(&self, place: usize) -> FixedBitSet {
        let (inside, leaves) = &self.next[place];
        let mut relevant = FixedBitSet::with_capacity(self.wanted.len());
        if *leaves {
            relevant.union_with(&self.wanted);
        }
        for next in inside {
            relevant.union_with(&self.starts[*next]);
        }
        relevant
    }

    /// Keeps the checks and assumptions that make nothing else relevant; says whether there were any.
    fn keep_conditions(&mut self) -> bool {
        let mut found = Vec::new();
        for (place, steps) in self.steps.iter().enumerate() {
            // A condition in a block whose branches are gone would bring these back.
            let branches = self.control.of_block(place);
            let is_kept = |branch: &usize| self.steps[*branch].last().is_some_and(|step| step.kept);
            if !branches.iter().all(is_kept) {
                continue;
            }
            for (index, known) in steps.iter().enumerate() {
                if is_condition(known.step) && !known.kept {
                    found.extend(self.support(place, index).into_iter().flatten());
                }
            }
        }
        for (place, index) in &found {
            self.keep(*place, *index);
        }
        !found.is_empty()
    }

    /// A condition with the assignments that its operands come from, if all of it rests on what is
    /// relevant at the start of the block.
    fn support(&self, place: usize, index: usize) -> Option<Vec<(usize, usize)>> {
        // A block of an inner loop that is gone would bring the loop back.
        if self.cycles_of[place].iter().any(|cycle| !self.cycles_kept.contains(*cycle)) {
            return None;
        }
        let steps = &self.steps[place];
        if steps[index].effects.names.is_some_and(|local| !self.is_declared(local)) {
            return None;
        }
        let mut needed: BTreeSet<Resource> = steps[index].effects.uses.iter().copied().collect();
        let mut support = vec![(place, index)];
        for (before, known) in steps[..index].iter().enumerate().rev() {
            let effects = &known.effects;
            if !effects.changes.iter().any(|changed| needed.contains(changed)) {
                continue;
            }
            if let Some(replaced) = effects.replaces {
                needed.remove(&replaced);
            }
            if known.kept {
                continue;
            }
            if !is_pure(known.step) || effects.names.is_some_and(|local| !self.is_declared(local)) {
                return None;
            }
            support.push((place, before));
            needed.extend(&effects.uses);
        }
        let start = &self.starts[place];
        needed.iter().all(|resource| start.contains(*resource)).then_some(support)
    }

    /// Whether the lifetime of a memory local is kept.
    fn is_declared(&self, local: LocalId) -> bool {
        let lifetimes = self.lifetimes.get(&local).map_or(&[][..], Vec::as_slice);
        lifetimes.iter().all(|(place, index)| self.steps[*place][*index].kept)
    }
}

fn begins_or_ends(step: Step<'_>) -> Option<LocalId> {
    match step {
        Step::Instruction(instruction) => match instruction.kind {
            InstructionKind::Live(local) | InstructionKind::Dead(local) => Some(local),
            _ => None,
        },
        Step::Terminator(_) => None,
    }
}

/// Whether a step is a check or an assumption. What has no model is none: it says nothing of values, and
/// with it a slice would end where the program only did something that does not matter.
fn is_condition(step: Step<'_>) -> bool {
    let Step::Instruction(instruction) = step else { return false };
    match &instruction.kind {
        InstructionKind::Check(check) => check.kind != CheckKind::Unsupported,
        InstructionKind::Assume(_) => true,
        _ => false,
    }
}

/// Whether a step does nothing but compute a value from others.
fn is_pure(step: Step<'_>) -> bool {
    let Step::Instruction(instruction) = step else { return false };
    let InstructionKind::Assign { value, .. } = &instruction.kind else { return false };
    !matches!(
        value,
        Rvalue::Input(_) | Rvalue::Undefined(_) | Rvalue::Allocate { .. } | Rvalue::Array(..)
    )
}
