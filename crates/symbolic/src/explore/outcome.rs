//! What came out of an exploration.

use super::jump::{Jump, Plan};
use super::leaf::Model;
use super::meet::MergeFigures;
use super::tree::Tree;
use crate::invariants::{Outcome, Proof as Invariants, Why};
use crate::loops::{LoopKey, Profile, Region};
use fixedbitset::FixedBitSet;
use loupe_engine::concrete::{self, Call, Failure, Positions, Run};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{Block, BlockId, FunctionId, Program, TerminatorKind};
use loupe_ir::source::Span;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Why an exploration stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// No state was left.
    #[error("all paths were explored")]
    Complete,
    /// An error was found, and one was enough.
    #[error("an error was found")]
    FirstError,
    /// So many paths as allowed have ended.
    #[error("the limit of {0} paths was reached")]
    Paths(u64),
    /// There were more ways than a necessary condition may have.
    #[error("there are more than {0} ways")]
    Ways(u64),
    /// The time was over.
    #[error("the time is over")]
    Time,
    /// Too much memory was in use.
    #[error("the limit of {0} MB of memory was reached")]
    Memory(u64),
    /// The user stopped it.
    #[error("it was interrupted")]
    Interrupted,
    /// The objects that exist before the first instruction are more than Loupe can hold.
    #[error("the program's variables need more memory than Loupe can give them")]
    TooLarge,
}

/// Why a state became several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForkReason {
    /// A branch.
    Branch,
    /// A branch with many ways.
    Switch,
    /// A check that may fail.
    Check,
    /// A number that must be known: an index, a size, a function.
    Number,
    /// The cases of a loop's summary.
    Loop,
}

impl ForkReason {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ForkReason::Branch => "branch",
            ForkReason::Switch => "switch",
            ForkReason::Check => "check",
            ForkReason::Number => "number",
            ForkReason::Loop => "loop",
        }
    }
}

/// An error that was found and replayed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What went wrong.
    pub kind: CheckKind,
    /// How the replay failed.
    pub failure: Failure,
    /// The calls that were active then, the innermost last.
    pub stack: Vec<Call>,
    /// Where, for users: errors in a model of a library function are where they call it.
    pub span: Span,
    /// The inputs that lead there.
    pub model: Model,
    /// Iterations that the replay has gone over, by the closed forms of summaries.
    pub jumps: Vec<Jump>,
    /// The jumps that were possible.
    pub(crate) plan: Plan,
    /// How many paths end there.
    pub paths: u64,
}

impl Violation {
    /// The replay, as far as it is kept.
    pub fn replay(&self) -> Run {
        Run {
            end: concrete::End::Failed(self.failure.clone()),
            stack: self.stack.clone(),
            steps: 0,
            positions: Positions::default(),
        }
    }
}

/// An execution that never ends.
#[derive(Clone, Debug)]
pub struct Endless {
    /// The loop that it stays in.
    pub span: Span,
    /// The function of that loop.
    pub function: FunctionId,
    /// The inputs that lead there.
    pub model: Model,
    /// What is read then, over and over.
    pub forever: Vec<Integer>,
    /// Where each of them is read.
    pub forever_places: Vec<Option<Span>>,
    /// Why it never ends.
    pub proof: Proof,
    /// How many iterations a replay has made there, or after how many its state comes again.
    pub iterations: u64,
    /// After so many steps an execution is there, with all of them executed; `None` if they are not known, because iterations of other loops were gone over.
    pub steps: Option<u64>,
    /// The loop, however it is told.
    pub(crate) key: LoopKey,
    /// Which time the replay had come to the loop when it stayed; `None` if that follows from the number of its steps.
    pub(crate) visit: Option<u64>,
    /// The jumps that were possible on the way.
    pub(crate) plan: Plan,
    /// So many steps the replay has made, beside those.
    pub(crate) replayed: u64,
}

/// Why an execution never ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Its values at the header are in a set that iterations do not leave.
    Recurrent,
    /// Its state comes again.
    Repeated,
}

/// What became of a loop that states have come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopFigures {
    /// What its summaries were worth, the best of them.
    pub tag: Option<loupe_loops::Tag>,
    /// How often it was passed by a summary.
    pub passed: u64,
    /// How often it was executed.
    pub executed: u64,
    /// Entries from which it never ends.
    pub diverging: u64,
    /// Why it was executed, or why its summary is not better.
    pub reasons: BTreeSet<String>,
    /// How many cases its summaries have, the one with the most.
    pub cases: usize,
    /// What was proved for that summary, in words.
    pub proved: Vec<String>,
}

impl LoopFigures {
    /// The loop is passed by a summary.
    pub(super) fn pass(&mut self, summary: &loupe_loops::Summary) {
        self.passed += 1;
        self.tag = self.tag.into_iter().chain([summary.tag]).min();
        self.reasons.extend(summary.reasons.iter().cloned());
        if self.passed == 1 || summary.cases.len() > self.cases {
            self.cases = summary.cases.len();
            self.proved = summary.obligations.iter().map(|proved| proved.name.clone()).collect();
        }
    }

    /// Adds what another part of the exploration has found.
    fn add(&mut self, other: LoopFigures) {
        self.tag = self.tag.into_iter().chain(other.tag).min();
        if self.passed == 0 || other.cases > self.cases {
            (self.cases, self.proved) = (other.cases, other.proved);
        }
        self.passed += other.passed;
        self.executed += other.executed;
        self.diverging += other.diverging;
        self.reasons.extend(other.reasons);
    }
}

/// What became of the cycles of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateFigures {
    /// How many cycles there are; none were counted where nobody looks for templates.
    pub cycles: usize,
    /// The cycles that have templates.
    pub found: BTreeSet<Region>,
    /// How often one was applied.
    pub applied: u64,
    /// How long it took to find them.
    pub time: Duration,
}

/// Something that keeps a path from being judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unsure {
    /// Where.
    pub span: Span,
    /// What.
    pub what: String,
}

/// Which instructions and branches were executed.
#[derive(Clone, Debug)]
pub struct Coverage {
    blocks: Vec<FixedBitSet>,
    /// The blocks with several ways out.
    branching: Vec<FixedBitSet>,
    /// The ways that were taken out of these.
    ways: BTreeSet<(FunctionId, BlockId, BlockId)>,
}

impl Coverage {
    fn new(program: &Program) -> Self {
        let blocks = program.functions.iter().map(|f| FixedBitSet::with_capacity(f.blocks.len()));
        let branching = program.functions.iter().map(|function| {
            let ways = |block: &Block| ways_out(&block.terminator.kind) > 1;
            let all = function.blocks.iter().enumerate();
            all.filter(|(_, block)| ways(block)).map(|(number, _)| number).collect()
        });
        let (blocks, branching) = (blocks.collect(), branching.collect());
        Coverage { blocks, branching, ways: BTreeSet::new() }
    }

    /// A block was entered; whether that is news.
    pub(super) fn enter(&mut self, function: FunctionId, block: BlockId) -> bool {
        !self.blocks[function.index()].put(block.index())
    }

    /// A way out of a block was taken; whether that is news, in a block with several.
    pub(super) fn take(&mut self, function: FunctionId, from: BlockId, to: BlockId) -> bool {
        self.branching[function.index()].contains(from.index())
            && self.ways.insert((function, from, to))
    }

    /// The blocks that were executed.
    pub fn blocks(&self) -> impl Iterator<Item = (FunctionId, BlockId)> + '_ {
        (0..).zip(&self.blocks).flat_map(|(function, blocks)| {
            blocks.ones().map(move |block| (FunctionId(function), BlockId(block as u32)))
        })
    }

    /// Whether a block was executed.
    pub fn has(&self, function: FunctionId, block: BlockId) -> bool {
        self.blocks[function.index()].contains(block.index())
    }

    /// The ways out of blocks with several that were taken.
    pub fn ways(&self) -> &BTreeSet<(FunctionId, BlockId, BlockId)> {
        &self.ways
    }

    /// How many instructions of the functions that were entered have been executed, of how many.
    pub fn instructions(&self, program: &Program) -> (usize, usize) {
        self.count(program, |block| block.instructions.len() + 1)
    }

    /// How many ways out of branches of these functions have been taken, of how many.
    pub fn branches(&self, program: &Program) -> (usize, usize) {
        let taken =
            self.ways.iter().filter(|(f, ..)| program.sources.is_users(program.function(*f).span));
        let (_, all) = self.count(program, |block| match ways_out(&block.terminator.kind) {
            0 | 1 => 0,
            several => several,
        });
        (taken.count(), all)
    }

    fn count(&self, program: &Program, weight: impl Fn(&Block) -> usize) -> (usize, usize) {
        let (mut done, mut all) = (0, 0);
        for (function, covered) in program.functions.iter().zip(&self.blocks) {
            if covered.is_clear() || !program.sources.is_users(function.span) {
                continue;
            }
            for (number, block) in function.blocks.iter().enumerate() {
                let weight = weight(block);
                all += weight;
                if covered.contains(number) {
                    done += weight;
                }
            }
        }
        (done, all)
    }
}

/// What came out of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Why it stopped.
    pub stop: Stop,
    /// Paths that ended where the program ends.
    pub finished: u64,
    /// Paths that ended because an assumption cannot hold on them.
    pub assumed_away: u64,
    /// Sides of branches that nobody can take.
    pub pruned: u64,
    /// Paths that ended in an error, in something undefined, or in something without a model.
    pub failed: u64,
    /// Paths that were cut off by a limit.
    pub cut_off: u64,
    /// Errors, each place once, in the order of their places.
    pub violations: BTreeMap<(Span, CheckKind), Violation>,
    /// Executions that never end, one for each loop, in the order of their places.
    pub endless: BTreeMap<Span, Endless>,
    /// What keeps paths from being judged.
    pub unsure: BTreeMap<Unsure, u64>,
    /// What was assumed on some path.
    pub assumptions: BTreeSet<String>,
    /// States that were made.
    pub states: u64,
    /// How often a state was picked and executed: states that have not ended when the exploration stops were made, but not explored.
    pub explored: u64,
    /// The most states that waited at once.
    pub most_waiting: usize,
    /// How often states became several, by reason.
    pub forks: BTreeMap<ForkReason, u64>,
    /// Instructions that were executed.
    pub steps: u64,
    /// How much work it has been, in the units of the solver; about a million is a second. It does not depend on the clock.
    pub effort: u64,
    /// Questions to the solver, and how long they took.
    pub queries: crate::domain::QueryStatistics,
    /// What was executed.
    pub coverage: Coverage,
    /// Paths on which a loop runs for ever.
    pub diverging: u64,
    /// What became of loops that were not simply executed.
    pub loops: BTreeMap<(FunctionId, u32), LoopFigures>,
    /// What became of cycles.
    pub templates: TemplateFigures,
    /// What became of states that met.
    pub merging: MergeFigures,
    /// What was left open, and what was chosen.
    pub choices: Vec<super::Choice>,
    /// What became of ways to errors, where loops were passed by necessary conditions.
    pub drafts: super::DraftFigures,
    /// What became of states that are like others.
    pub subsumption: super::SubsumptionFigures,
    /// What loops have cost.
    pub profile: Profile,
    /// The tree of executions, if it was kept.
    pub tree: Option<Tree>,
    /// What holds whenever a loop is come to, where that is the proof.
    pub invariants: Vec<crate::invariants::Invariant>,
}

impl Exploration {
    /// Nothing was done yet.
    pub(crate) fn new(program: &Program) -> Self {
        Exploration {
            stop: Stop::Complete,
            finished: 0,
            assumed_away: 0,
            pruned: 0,
            failed: 0,
            cut_off: 0,
            violations: BTreeMap::new(),
            endless: BTreeMap::new(),
            unsure: BTreeMap::new(),
            assumptions: BTreeSet::new(),
            states: 0,
            explored: 0,
            most_waiting: 0,
            forks: BTreeMap::new(),
            steps: 0,
            effort: 0,
            queries: crate::domain::QueryStatistics::default(),
            coverage: Coverage::new(program),
            diverging: 0,
            loops: BTreeMap::new(),
            templates: TemplateFigures::default(),
            merging: MergeFigures::default(),
            choices: Vec::new(),
            drafts: super::DraftFigures::default(),
            subsumption: super::SubsumptionFigures::default(),
            profile: Profile::new(),
            tree: None,
            invariants: Vec::new(),
        }
    }

    /// What a search for invariants has come to, after so much work.
    pub fn of_invariants(program: &Program, outcome: Outcome, effort: u64) -> Self {
        let mut own = Exploration { effort, ..Exploration::new(program) };
        match outcome {
            Outcome::Proved(Invariants { invariants }) => own.invariants = invariants,
            Outcome::Unknown(whys) => {
                // Without a reason it is no proof either.
                let span = program.function(program.entry).span;
                let what = "no invariants were found".to_owned();
                let whys = if whys.is_empty() { vec![Why { span, what }] } else { whys };
                let whys = whys.into_iter();
                own.unsure = whys.map(|Why { span, what }| (Unsure { span, what }, 1)).collect();
            }
        }
        own
    }

    /// Adds what another part of the same exploration has found.
    pub(super) fn add(&mut self, other: Exploration) {
        self.subsumption.add(other.subsumption);
        self.finished += other.finished;
        self.assumed_away += other.assumed_away;
        self.pruned += other.pruned;
        self.failed += other.failed;
        self.cut_off += other.cut_off;
        self.states += other.states;
        self.explored += other.explored;
        // How many wait in several parts at once is a matter of time.
        self.most_waiting = self.most_waiting.max(other.most_waiting);
        self.steps += other.steps;
        self.effort += other.effort;
        self.templates.cycles = self.templates.cycles.max(other.templates.cycles);
        self.templates.found.extend(other.templates.found);
        self.templates.applied += other.templates.applied;
        self.templates.time += other.templates.time;
        self.merging.add(other.merging);
        for choice in other.choices {
            if !self.choices.iter().any(|known| known.technique == choice.technique) {
                self.choices.push(choice);
            }
        }
        self.drafts.ways += other.drafts.ways;
        self.drafts.refuted += other.drafts.refuted;
        self.drafts.candidates += other.drafts.candidates;
        self.drafts.instances_time += other.drafts.instances_time;
        self.drafts.whole_time += other.drafts.whole_time;
        for (place, found) in other.violations {
            match self.violations.entry(place) {
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    let paths = known.paths + found.paths;
                    // The least inputs, whoever found them.
                    if found.model.inputs < known.model.inputs {
                        *known = found;
                    }
                    known.paths = paths;
                }
                Entry::Vacant(free) => {
                    free.insert(found);
                }
            }
        }
        for (span, found) in other.endless {
            match self.endless.entry(span) {
                Entry::Occupied(mut known) if found.model.inputs < known.get().model.inputs => {
                    known.insert(found);
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    free.insert(found);
                }
            }
        }
        self.diverging += other.diverging;
        for (key, figures) in other.loops {
            self.loops.entry(key).or_default().add(figures);
        }
        self.assumptions.extend(other.assumptions);
        for (unsure, paths) in other.unsure {
            *self.unsure.entry(unsure).or_default() += paths;
        }
        for (reason, count) in other.forks {
            *self.forks.entry(reason).or_default() += count;
        }
        for (key, cost) in other.profile {
            let whole = self.profile.entry(key).or_default();
            whole.states += cost.states;
            whole.queries += cost.queries;
            whole.seconds += cost.seconds;
        }
        self.queries.queries += other.queries.queries;
        self.queries.by_model += other.queries.by_model;
        self.queries.unknown += other.queries.unknown;
        self.queries.time += other.queries.time;
        for (blocks, more) in self.coverage.blocks.iter_mut().zip(&other.coverage.blocks) {
            blocks.union_with(more);
        }
        self.coverage.ways.extend(other.coverage.ways);
    }

    /// Whether every execution of the program has been judged, and none violates the property.
    pub fn is_safe(&self) -> bool {
        self.stop == Stop::Complete
            && !self.is_violated()
            && self.unsure.is_empty()
            && self.cut_off == 0
    }

    /// Whether an execution was found that violates the property.
    pub fn is_violated(&self) -> bool {
        !self.violations.is_empty() || !self.endless.is_empty()
    }

    /// All paths that have ended.
    pub fn paths(&self) -> u64 {
        self.finished + self.assumed_away + self.failed + self.cut_off
    }
}

/// To how many different blocks it can go.
fn ways_out(kind: &TerminatorKind) -> usize {
    match kind {
        TerminatorKind::Branch { then, otherwise, .. } => 1 + usize::from(then != otherwise),
        TerminatorKind::Switch { cases, default, .. } => {
            let targets = cases.iter().map(|(_, block)| *block).chain([*default]);
            targets.collect::<BTreeSet<BlockId>>().len()
        }
        _ => 0,
    }
}
