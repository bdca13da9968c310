//! What races for a verdict.

use loupe_symbolic::explore::{AllErrors, LoopMode, Merge, Options};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::Strategy;
use std::fmt;
use std::str::FromStr;

/// How long a necessary condition that somebody wants to see is looked for before others begin.
const HEAD_START: u64 = 800_000;

/// How much later others begin behind it that are seldom quick.
const LATE: u64 = 500_000;

/// A technique that may have a verdict. In the order of preference: where two have one at the same time, the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// Necessary conditions for errors, and then symbolic execution that they guide.
    Guided,
    /// Symbolic execution that passes loops by exact summaries and templates.
    Execution,
    /// Sets of values for each place, without a look at single paths.
    Values,
    /// Necessary conditions for errors: proofs that there is none, and candidates for inputs.
    Necessary,
    /// Invariants of loops, by Horn clauses.
    Invariants,
    /// Plain symbolic execution, in all directions.
    Unrolling,
    /// Plain symbolic execution, toward the places where sets of values do not exclude that something goes wrong.
    Targeted,
    /// Compact symbolic execution.
    Compact,
    /// Symbolic execution that passes loops by approximations too.
    Approximation,
}

impl Member {
    /// All of them.
    pub const ALL: [Member; 9] = [
        Member::Guided,
        Member::Execution,
        Member::Values,
        Member::Necessary,
        Member::Invariants,
        Member::Unrolling,
        Member::Targeted,
        Member::Compact,
        Member::Approximation,
    ];

    /// Those who race for a verdict on a program.
    pub fn for_verdicts() -> Vec<Member> {
        Member::all_but(Member::Guided)
    }

    /// Those who race to a place of a program, where what is necessary for coming there is of interest by itself.
    pub fn for_places() -> Vec<Member> {
        Member::all_but(Member::Necessary)
    }

    fn all_but(left_out: Member) -> Vec<Member> {
        Member::ALL.into_iter().filter(|member| *member != left_out).collect()
    }

    /// As it is written on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Member::Guided => "guided",
            Member::Execution => "execution",
            Member::Values => "values",
            Member::Necessary => "necessary",
            Member::Invariants => "invariants",
            Member::Unrolling => "unrolling",
            Member::Targeted => "targeted",
            Member::Compact => "compact",
            Member::Approximation => "approximation",
        }
    }

    /// When it begins in a race of these, by the time of those before it: in units of work, about a million of which are a second. Most programs are decided by then.
    pub(crate) fn begins(self, members: &[Member]) -> u64 {
        let begins = match self {
            Member::Guided | Member::Execution => 0,
            // It is soon over; what is decided sooner is decided with paths to show.
            Member::Values => 30_000,
            Member::Necessary => 150_000,
            Member::Invariants => 250_000,
            Member::Targeted => 100_000,
            Member::Unrolling => 300_000,
            Member::Approximation => 400_000,
            Member::Compact => 500_000,
        };
        // Members that run share the processors, so behind one that leads only those are early that are often quick.
        match self {
            _ if !members.contains(&Member::Guided) => begins,
            Member::Guided => 0,
            Member::Execution | Member::Unrolling => HEAD_START,
            _ => HEAD_START + LATE + begins,
        }
    }

    /// Whether it heads for the places where sets of values do not exclude that something goes wrong, and leaves alone what comes to none. The first ones show the whole program.
    pub(crate) fn has_goals(self) -> bool {
        !matches!(self, Member::Guided | Member::Execution | Member::Values | Member::Invariants)
    }

    /// Whether it can say anything about a property.
    pub fn is_for(self, property: Property) -> bool {
        match self {
            Member::Execution => true,
            // What says nothing of executions that never end cannot prove that there are none.
            _ => property != Property::Termination,
        }
    }

    /// How it explores, and in which order.
    pub(crate) fn plan(self, usual: &Options) -> (Options, Strategy) {
        let (loops, search) = match self {
            Member::Guided => (LoopMode::Auto, Strategy::Dfs),
            Member::Execution => (LoopMode::Auto, Strategy::Bfs),
            Member::Necessary => (LoopMode::Necessary, Strategy::Dfs),
            // These explore nothing.
            Member::Values | Member::Invariants => (LoopMode::Auto, Strategy::Bfs),
            Member::Unrolling => (LoopMode::Unroll, Strategy::Klee),
            Member::Targeted => (LoopMode::Unroll, Strategy::Target),
            Member::Compact => (LoopMode::Compact, Strategy::Bfs),
            Member::Approximation => (LoopMode::Summary, Strategy::Dfs),
        };
        let options = Options {
            loops,
            all_errors: AllErrors::StopAtFirst,
            draft: usual.draft.filter(|_| self == Member::Guided),
            // The others are as they are, so that there is something to compare with.
            subsume: usual.subsume.filter(|_| self == Member::Execution),
            merge: match self {
                Member::Execution | Member::Unrolling => usual.merge,
                _ => Merge::default(),
            },
            keep_tree: false,
            ..usual.clone()
        };
        (options, search)
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchMember(String);

impl fmt::Display for NoSuchMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Member::ALL.map(Member::name).join(", ");
        write!(f, "there is no member `{}`; the members are {names}", self.0)
    }
}

impl std::error::Error for NoSuchMember {}

impl FromStr for Member {
    type Err = NoSuchMember;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Member::ALL.into_iter().find(|member| member.name() == text);
        named.ok_or_else(|| NoSuchMember(text.to_owned()))
    }
}
