//! The symbolic executor: explores the tree of executions of a program.
//!
//! A state that is picked runs until it must be split, or ends. At a condition that can be both true and
//! false, each side becomes a state with what holds there added to its path condition; a side that the
//! solver refutes is dropped (King's symbolic execution with path pruning). What the solver cannot decide
//! is followed: a path that nobody can take does no harm to a proof, and an error on it counts only after
//! a replay.

mod again;
mod choose;
mod compact;
mod decide;
mod draft;
mod endless;
mod goals;
mod guidance;
mod guide;
mod headers;
mod jump;
mod leaf;
mod meet;
mod options;
mod outcome;
mod parallel;
mod readable;
mod run;
mod simple;
mod skip;
mod stay;
mod subsume;
mod tell;
mod tree;

pub use choose::{Choice, Technique};
pub use draft::{DraftFigures, DraftLimit, DraftedWay, Fate};
pub(crate) use guide::Guide;
pub use guide::{Decision, Step};
pub use jump::Jump;
pub(crate) use jump::{Passed, Plan, Planner};
pub use leaf::{End, Leaf, Model};
pub(crate) use meet::MAX_PARTS;
pub use meet::{Merge, MergeFigures, MergeStrategy, UnknownMergeStrategy};
pub use options::{
    AllErrors, Draft, DraftFor, DraftUntil, Limits, LoopMode, Options, Subsume, Subsumed,
    Subsuming, Templates, Undefined,
};
pub use outcome::{
    Coverage, Endless, Exploration, ForkReason, LoopFigures, Proof, Stop, TemplateFigures, Unsure,
    Violation,
};
pub use parallel::explore;
pub use readable::{Counter, Readable};
pub use run::Supervisor;
pub(crate) use skip::Skipper;
pub use subsume::{Annotation, SubsumptionFigures};
pub use tell::{Teller, Told};
pub use tree::{Node, Tree};

use crate::domain::{DomainOptions, Outcome, Streams, Symbolic};
use crate::halt::Halt;
use crate::loops::{Counters, LoopKey, Loops};
use crate::memory::Memory;
use crate::output::Output;
use crate::path::Path;
use crate::property::Property;
use crate::search::generator::Generator;
use crate::search::{Location, Search, StateKey, Waiting};
use crate::summary::{Question, Solutions};
use crate::trail::Trail;
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_ir::program::{FunctionId, Program};
use parallel::Pool;
use rpds::List;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A state of the exploration.
#[derive(Clone)]
struct Branch {
    key: StateKey,
    state: State<Symbolic>,
    path: Path,
    /// What was put out.
    outputs: Trail<Output>,
    counters: Counters,
    /// What was decided on the way, the newest first.
    decisions: List<Step>,
    steps: u64,
    way: Way,
    /// The loops that were passed by their summaries.
    passed: Trail<Passed>,
    /// Whether it has just come to the header of a loop.
    is_at_header: bool,
    /// Whether it was put off there because others are less work.
    is_postponed: bool,
    /// Loops that are tried again at their next iteration, with the depth of their calls.
    again: Vec<(u32, LoopKey)>,
    /// Whether it has just come to where others may come too, which it can be merged with.
    is_at_join: bool,
    /// Whether it was made of several, on the way here: its decisions are those of one of them.
    is_merged: bool,
    /// What made it of several.
    merges: meet::Merges,
    /// How many paths it stands for.
    stands_for: meet::Represented,
    /// How often it was put off since it waits, so that others could come.
    put_off: u32,
    /// Whether it has just come to a place where it may be stopped because it is like others.
    is_at_cut: bool,
    /// The last such place that it has passed.
    visit: Option<Rc<subsume::Visit>>,
}

/// How a state came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Everything was executed.
    Executed,
    /// Loops were passed by exact summaries.
    Passed,
    /// Loops were passed by summaries that may say too much.
    Approximated,
}

/// A state that has not ended. What must hold for an execution to come there is the path condition that the
/// domain has meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Prefix<'s> {
    /// What was read.
    pub streams: &'s Streams,
    /// All objects.
    pub memory: &'s Memory,
    /// The loops that were passed by their summaries.
    pub(crate) passed: &'s Trail<Passed>,
}

/// Somebody who looks at paths.
pub trait Observer {
    /// A path has ended.
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf);
    /// A state is the first one that has taken a way out of a branch, or that has called a function.
    fn reached(&mut self, _domain: &mut Symbolic, _prefix: Prefix<'_>) {}
    /// A state still waits where the exploration stops.
    fn abandoned(&mut self, _domain: &mut Symbolic, _prefix: Prefix<'_>) {}
    /// There is a way to an error on which loops were passed by necessary conditions.
    fn drafted(&mut self, _domain: &mut Symbolic, _way: &DraftedWay<'_>) {}
    /// It was found out what becomes of such a way.
    fn settled(&mut self, _domain: &mut Symbolic, _way: &DraftedWay<'_>, _fate: &Fate) {}
}

/// Nobody looks.
impl Observer for () {
    fn leaf(&mut self, _domain: &mut Symbolic, _leaf: &Leaf) {}
}

/// The exploration of a program.
pub struct Explorer<'p> {
    machine: Machine<'p, Symbolic>,
    options: Options,
    loops: Loops,
    solutions: Solutions,
    search: Box<dyn Search>,
    /// How often it was tried in vain to find out whether a loop ends.
    attempts: BTreeMap<LoopKey, u32>,
    /// Functions whose recursion is not known to end.
    recursions: BTreeSet<FunctionId>,
    waiting: FxHashMap<StateKey, Branch>,
    /// Where states meet that are merged.
    meeting: Option<meet::Meeting>,
    /// What is left open until the program is better known.
    open: Option<choose::Open>,
    next_key: u64,
    result: Exploration,
    /// How many open questions were asked again.
    asked_again: u32,
    /// Ways to errors that were not looked into yet.
    drafted: Vec<draft::Drafted>,
    /// Undefined behaviour that may be possible, as far as the drafts tell.
    undefined: BTreeSet<outcome::Unsure>,
    /// What the ways say that are not refuted.
    leads: Vec<draft::Lead>,
    /// What guides the exploration.
    guidance: Option<guidance::Guidance>,
    /// The only places where something can go wrong, if somebody knows.
    goals: Option<goals::Goals>,
    /// How many of these have been looked into as far as that is quick.
    looked_into: usize,
    /// How many ways to errors there have been; they are looked into in this order.
    ways_drafted: usize,
    /// Ways to something undefined of which nobody knows whether they can be gone.
    doubtful: Vec<draft::Doubtful>,
    /// What is known of places from which nothing goes wrong.
    subsumption: Option<Box<subsume::Subsumption>>,
    /// For random choices.
    dice: Generator,
    /// Those who share the work, if there are others.
    pool: Option<&'p Pool>,
    /// Which part of the work this is.
    part: parallel::Part,
}

impl Branch {
    /// Where each of its calls goes on, the innermost last.
    fn stack(&self) -> Rc<[Location]> {
        let mut stack: Vec<Location> = self.state.calls().map(location).collect();
        stack.reverse();
        stack.into()
    }

    fn prefix(&self) -> Prefix<'_> {
        let State { streams, memory, .. } = &self.state;
        Prefix { streams, memory, passed: &self.passed }
    }
}

impl<'p> Explorer<'p> {
    /// An exploration of a valid program.
    pub fn new(program: &'p Program, options: Options, search: Box<dyn Search>) -> Self {
        let domain = DomainOptions {
            chain: options.chain(),
            limits: options.solver.clone(),
            symbolic_index: options.symbolic_index,
        };
        let mut machine = Machine::new(program, Symbolic::new(program, domain));
        // Leaks are looked for along pointers that are known.
        machine.domain.chooses_pointers = !options.property.asks_for_leaks();
        // What is drafted is gone through way by way.
        let merges = options.loops != LoopMode::Necessary;
        let meeting =
            merges.then(|| meet::Meeting::new(program, &options.merge, &options.solver.interrupt));
        let meeting = meeting.flatten();
        if options.loops == LoopMode::Necessary {
            machine.domain.drafts = true;
            machine.domain.limits.work = options.solver.work.min(draft::WORK);
        }
        Explorer {
            machine,
            loops: Loops::new(program),
            solutions: Solutions::for_question(
                match (options.property, options.loops) {
                    (Property::Termination, _) => Question::Termination,
                    (_, LoopMode::Necessary) => Question::Necessary,
                    _ => Question::Reach,
                },
                options.property,
            ),
            attempts: BTreeMap::new(),
            recursions: BTreeSet::new(),
            search,
            waiting: FxHashMap::default(),
            meeting,
            open: choose::Open::of(&options),
            next_key: 0,
            result: Exploration {
                tree: options.keep_tree.then(Tree::default),
                ..Exploration::new(program)
            },
            pool: None,
            part: parallel::Part::default(),
            asked_again: 0,
            drafted: Vec::new(),
            undefined: BTreeSet::new(),
            leads: Vec::new(),
            guidance: None,
            goals: options.goals.as_ref().map(|places| goals::Goals::new(program, places)),
            looked_into: 0,
            ways_drafted: 0,
            doubtful: Vec::new(),
            subsumption: None,
            dice: Generator::new(options.seed),
            options,
        }
    }

    fn fresh_key(&mut self) -> StateKey {
        let key = StateKey(self.next_key);
        self.next_key += 1;
        key
    }

    /// The state before the first instruction.
    fn root(&mut self) -> Result<Branch, Box<Halt>> {
        let state = self.machine.start(Memory::default(), Streams::default(), Vec::new())?;
        let mut path = Path::default();
        path.set_model(Rc::default());
        if let Some(tree) = &mut self.result.tree {
            tree.add(None, String::new());
        }
        Ok(Branch {
            key: self.fresh_key(),
            state,
            path,
            outputs: Trail::default(),
            counters: Counters::default(),
            decisions: List::new(),
            steps: 0,
            way: Way::Executed,
            passed: Trail::default(),
            is_at_header: false,
            is_postponed: false,
            again: Vec::new(),
            is_at_join: false,
            is_merged: false,
            merges: meet::Merges::none(),
            stands_for: meet::Represented::one(),
            put_off: 0,
            is_at_cut: false,
            visit: None,
        })
    }

    fn add(&mut self, mut branch: Branch) -> Outcome<()> {
        if self.favours(&branch) {
            self.favour(branch);
            return Ok(());
        }
        // What other states have as well is kept once.
        branch.state.share();
        branch.put_off = 0;
        let branch = self.meet(branch)?;
        let (key, stack) = (branch.key, branch.stack());
        self.waiting.insert(key, branch);
        self.search.add(Waiting { key, stack });
        self.result.most_waiting = self.result.most_waiting.max(self.waiting.len());
        Ok(())
    }
}

fn location(frame: &loupe_engine::state::Frame<Symbolic>) -> Location {
    Location { function: frame.function, block: frame.block, next: frame.next }
}
