//! Which techniques a program is worth, where that is left open: `--merge auto`, `--subsume auto`.
//!
//! An exploration that is over soon needs none, and most are; so it begins without them, and what it is worth is
//! estimated when it has turned out to be more work. States that exist by then take part from where they are: merging and
//! subsumption ask nothing of how a state came to be.
//!
//! *Merging* pays where states meet that differ in what few questions will be asked about. So for each branch of
//! the user's functions, the estimates are asked about what is written before its sides meet
//! ([`meetings`]). If there are places with few enough questions, states are merged there, and wait for each other (`dynamic`).
//!
//! *Subsumption* pays where paths differ in what does not matter for whether something goes wrong: in how often a loop was
//! repeated, and where merging would cost too much.
//!
//! When and what is chosen depends on the program and on how much work was done, and not on the clock.

use super::meet::{Meeting, Merge, MergeStrategy};
use super::{Explorer, LoopMode, Subsuming};
use crate::domain::Outcome;
use loupe_ir::analysis::costs::{Costs, Method, Stopped};
use loupe_ir::analysis::meetings::meetings;
use loupe_ir::program::{FunctionId, Program};

/// With so many states, or so much work, an exploration is no longer small.
const MANY_STATES: u64 = 48;
const MUCH_WORK: u64 = 300_000;
/// The estimates may look at so many times 64 blocks.
const MOST_LOOKS: u32 = 2_000;

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Between what.
    pub technique: Technique,
    /// What.
    pub taken: &'static str,
    /// Why.
    pub why: String,
}

/// What is chosen between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Technique {
    /// Whether states are merged.
    Merging,
    /// Whether states stop that are like others.
    Subsumption,
}

impl Technique {
    /// As the option is called.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Merging => "merge",
            Technique::Subsumption => "subsume",
        }
    }
}

/// What is left open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    merging: bool,
    subsumption: bool,
}

/// Places where the sides of branches meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Places {
    all: usize,
    /// With fewer questions than the limit about what is written before.
    cheap: usize,
}

/// Counts the places in these functions.
fn places(program: &Program, functions: &[FunctionId], merge: &Merge) -> Result<Places, Stopped> {
    let mut looks = 0;
    let mut goes_on = || {
        looks += 1;
        looks < MOST_LOOKS
    };
    let cap = merge.limit_cost.max(Method::CAP);
    let costs = Costs::compute(program, Method::Lattice { cap }, &mut goes_on)?;
    let mut places = Places::default();
    for id in functions {
        for meeting in meetings(program, program.function(*id)) {
            let about = meeting.written.iter();
            let questions = about
                .map(|variable| costs.at(*id, meeting.at, *variable))
                .fold(0, u64::saturating_add);
            places.all += 1;
            places.cheap += usize::from(questions < merge.limit_cost);
        }
    }
    Ok(places)
}

impl Open {
    /// What options leave open, if they do.
    pub(super) fn of(options: &super::Options) -> Option<Open> {
        let merging = options.merge.strategy == MergeStrategy::Auto;
        let subsumption = options.subsume.is_some_and(|wanted| wanted.when == Subsuming::Auto);
        (merging || subsumption).then_some(Open { merging, subsumption })
    }
}

impl Explorer<'_> {
    /// Whether subsumption is wanted, and not left open.
    pub(super) fn subsumes(&self) -> bool {
        self.options.subsume.is_some() && self.open.is_none_or(|open| !open.subsumption)
    }

    /// Chooses what was left open, if it is time.
    pub(super) fn choose(&mut self) -> Outcome<()> {
        let is_small = self.result.states < MANY_STATES && self.result.effort < MUCH_WORK;
        // Several threads choose at once, so that all of them choose the same.
        if is_small && self.pool.is_none() || self.options.loops == LoopMode::Necessary {
            return Ok(());
        }
        let Some(open) = self.open.take() else { return Ok(()) };
        let program = self.machine.program;
        let users = program.functions();
        let users = users.filter(|(_, function)| program.sources.is_users(function.span));
        let functions: Vec<FunctionId> = users.map(|(id, _)| id).collect();
        let places = places(program, &functions, &self.options.merge);
        if open.merging {
            self.choose_merging(places);
        }
        if open.subsumption {
            self.choose_subsumption(&functions, places.ok())?;
        }
        Ok(())
    }

    fn choose_merging(&mut self, places: Result<Places, Stopped>) {
        let limit = self.options.merge.limit_cost;
        let (strategy, why) = match places {
            Err(Stopped) => {
                (MergeStrategy::None, "the program is too large for the estimates".to_owned())
            }
            Ok(Places { all: 0, .. }) => {
                (MergeStrategy::None, "sides of branches meet nowhere".to_owned())
            }
            Ok(Places { all, cheap: 0 }) => (
                MergeStrategy::None,
                format!(
                    "at none of {all} places where sides of branches meet, fewer than {limit} questions depend on what differs"
                ),
            ),
            Ok(Places { all, cheap }) => (
                MergeStrategy::Dynamic,
                format!(
                    "at {cheap} of {all} places where sides of branches meet, fewer than {limit} questions depend on what differs"
                ),
            ),
        };
        let merge = Merge { strategy, ..self.options.merge };
        let interrupt = &self.machine.domain.limits.interrupt;
        self.meeting = Meeting::new(self.machine.program, &merge, interrupt);
        self.chosen(Technique::Merging, strategy.name(), why);
    }

    fn choose_subsumption(
        &mut self,
        functions: &[FunctionId],
        places: Option<Places>,
    ) -> Outcome<()> {
        let repeated = match self.options.loops {
            _ if self.pool.is_some() || self.options.loops == LoopMode::Unroll => {
                functions.iter().map(|id| self.loops.of(*id).iter().count()).sum()
            }
            _ => self.result.loops.values().filter(|figures| figures.executed > 0).count(),
        };
        let costly = places.map_or(0, |places| places.all - places.cheap);
        let merges = self.meeting.is_some();
        let (taken, why) = match (repeated, costly) {
            (0, 0) if merges => ("never", "no loop is repeated, and states that meet are merged"),
            (0, 0) => ("never", "no loop is repeated, and sides of branches meet nowhere"),
            (0, _) => ("always", "merging would cost too much at some places"),
            _ => ("always", "loops are executed iteration by iteration"),
        };
        self.chosen(Technique::Subsumption, taken, why.to_owned());
        match taken {
            "always" => self.prepare_subsumption(),
            _ => {
                self.options.subsume = None;
                Ok(())
            }
        }
    }

    fn chosen(&mut self, technique: Technique, taken: &'static str, why: String) {
        let choice = Choice { technique, taken, why };
        if !self.result.choices.contains(&choice) {
            self.result.choices.push(choice);
        }
    }

    /// Says what was not chosen because there was no need.
    pub(super) fn note_open(&mut self) {
        let Some(open) = self.open else { return };
        let why = || match self.options.loops {
            LoopMode::Necessary => "ways are drafted, and not executed".to_owned(),
            _ => "the exploration is small".to_owned(),
        };
        let (merging, subsumption) = (why(), why());
        if open.merging {
            self.chosen(Technique::Merging, MergeStrategy::None.name(), merging);
        }
        if open.subsumption {
            self.chosen(Technique::Subsumption, "never", subsumption);
        }
    }
}
