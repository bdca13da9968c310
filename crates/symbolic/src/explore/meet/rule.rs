//! Which states are merged that could be.

use super::{Different, Meeting, location};
use crate::explore::{Branch, Explorer};
use crate::search::Location;
use loupe_engine::domain::Origin;
use loupe_ir::analysis::costs::{Costs, Method, Variable};
use loupe_ir::program::Program;
use loupe_solver::Interrupt;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Which ones.
    pub strategy: MergeStrategy,
    /// So many questions about what differs are too many.
    pub limit_cost: u64,
    /// How many iterations of each loop the estimate by recursion counts.
    pub kappa: u32,
    /// So much more than it has saved may merging cost before it is cut off, in the solver's units of work.
    pub credit: u64,
}

impl Merge {
    /// The limit where nobody says.
    pub const LIMIT_COST: u64 = 10;
    /// What merging may cost at first.
    pub const CREDIT: u64 = 40_000;
}

impl Default for Merge {
    fn default() -> Self {
        Merge {
            strategy: MergeStrategy::None,
            limit_cost: Merge::LIMIT_COST,
            kappa: 1,
            credit: Merge::CREDIT,
        }
    }
}

/// Which states are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MergeStrategy {
    /// None.
    #[default]
    None,
    /// All that can be.
    Aggressive,
    /// Those with few questions to come about what differs, by data flow.
    Lattice,
    /// The same, by recursion.
    Recursive,
    /// As `Lattice`, and states wait for others to come to them.
    Dynamic,
    /// None to begin with, and then what the program is worth.
    Auto,
}

impl MergeStrategy {
    /// All of them.
    pub const ALL: [MergeStrategy; 6] = [
        MergeStrategy::None,
        MergeStrategy::Aggressive,
        MergeStrategy::Lattice,
        MergeStrategy::Recursive,
        MergeStrategy::Dynamic,
        MergeStrategy::Auto,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            MergeStrategy::None => "none",
            MergeStrategy::Aggressive => "aggressive",
            MergeStrategy::Lattice => "lattice",
            MergeStrategy::Recursive => "recursive",
            MergeStrategy::Dynamic => "dynamic",
            MergeStrategy::Auto => "auto",
        }
    }

    /// Whether states wait for others.
    pub(super) fn waits(self) -> bool {
        self == MergeStrategy::Dynamic
    }
}

impl fmt::Display for MergeStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is none of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no merge strategy `{0}`; there are {names}", names = names())]
pub struct UnknownMergeStrategy(pub String);

fn names() -> String {
    MergeStrategy::ALL.map(MergeStrategy::name).join(", ")
}

impl FromStr for MergeStrategy {
    type Err = UnknownMergeStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownMergeStrategy> {
        let known = MergeStrategy::ALL.into_iter().find(|strategy| strategy.name() == name);
        known.ok_or_else(|| UnknownMergeStrategy(name.to_owned()))
    }
}

/// Whether it is worth merging two states.
pub(super) enum Rule {
    /// It always is.
    Always,
    /// It is if there will be fewer questions about what differs.
    Below(u64, Costs),
}

impl Rule {
    pub(super) fn new(program: &Program, merge: &Merge, interrupt: &Interrupt) -> Option<Rule> {
        // More than the limit is more than the limit.
        let cap = merge.limit_cost.max(Method::CAP);
        let method = match merge.strategy {
            MergeStrategy::None | MergeStrategy::Auto => return None,
            MergeStrategy::Aggressive => return Some(Rule::Always),
            MergeStrategy::Recursive => Method::Recursive { kappa: merge.kappa },
            MergeStrategy::Lattice | MergeStrategy::Dynamic => Method::Lattice { cap },
        };
        let costs = Costs::compute(program, method, &mut || !interrupt.is_requested());
        Some(Rule::Below(merge.limit_cost, costs.ok()?))
    }
}

impl Explorer<'_> {
    /// Whether there will be few enough questions about what differs between two states.
    pub(super) fn is_worth_it(&self, state: &Branch, different: &Different) -> bool {
        let Some(Meeting { rule, .. }) = &self.meeting else { return false };
        let (limit, costs) = match rule {
            Rule::Always => return true,
            Rule::Below(limit, costs) => (*limit, costs),
        };
        let calls: Vec<Location> = state.state.calls().map(location).collect();
        let mut sum: u64 = 0;
        for (level, register) in &different.registers {
            let Some(call) = calls.get(*level) else { continue };
            sum = sum.saturating_add(cost(costs, call, Variable::Local(*register)));
        }
        for object in &different.objects {
            let Some((origin, _)) = state.state.memory.origin(*object) else { continue };
            if sum >= limit {
                break;
            }
            sum = sum.saturating_add(cost_of_object(costs, &calls, origin));
        }
        sum < limit
    }
}

fn cost(costs: &Costs, call: &Location, variable: Variable) -> u64 {
    costs.at_point(call.function, call.block, call.next, variable)
}

/// How many questions there will be about an object, in all active calls.
fn cost_of_object(costs: &Costs, calls: &[Location], origin: Origin) -> u64 {
    let in_call = |call: &Location| {
        let variable = match origin {
            Origin::Local(function, local) if function == call.function => Variable::Local(local),
            Origin::Global(global) => Variable::Global(global),
            Origin::Local(..) | Origin::Heap | Origin::Stack => Variable::Memory,
        };
        cost(costs, call, variable)
    };
    calls.iter().fold(0, |sum: u64, call| sum.saturating_add(in_call(call)))
}
