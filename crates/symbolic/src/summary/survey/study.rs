//! What is known of a loop, in the words of the program.

use super::super::WhyNot;
use super::Found;
pub use super::outlined::Outlined;
use loupe_loops::Tag;
use loupe_loops::bounds::{Bound, Growth};
use loupe_loops::classify::LoopType;

/// What was found out about a loop.
#[derive(Clone, Debug)]
pub struct Study {
    /// The loop.
    pub found: Found,
    /// What is known of it, or why nothing.
    pub outcome: Result<Box<Known>, WhyNot>,
    /// What is known of its slice to what decides when it is left, if that is simpler and more is known of it.
    pub slice: Option<Box<Known>>,
    /// What bounds it if it walks along a data structure.
    pub measure: Option<Measure>,
    /// What its outline says: a bound, whatever else the loop does.
    pub outlined: Option<Outlined>,
    /// How much of the loop decides when it is left.
    pub reduced: Option<Reduced>,
    /// What was assumed.
    pub assumptions: Vec<String>,
}

/// A bound for a loop.
#[derive(Clone, Debug)]
pub struct Limit {
    /// As one would write it.
    pub text: String,
    /// How it grows.
    pub growth: Growth,
    /// What it rests on.
    pub assumptions: Vec<String>,
}

/// How much of a loop decides when it is left.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// How many instructions it has.
    pub all: usize,
    /// How many of them do.
    pub kept: usize,
    /// The part of its paths that differ in nothing that decides, between 0 and 1.
    pub paths_removed: f64,
}

impl Study {
    /// The loop's own type, its outline's if not all of it has a model, or its slice's.
    pub fn kind(&self) -> Option<&LoopType> {
        let own = self.outcome.as_ref().ok();
        let whole = own.filter(|known| known.is_modelled).map(|known| &known.kind);
        let outlined = || self.outlined.as_ref()?.kind.as_ref();
        let other = || own.or(self.slice.as_ref()).map(|known| &known.kind);
        whole.or_else(outlined).or_else(other)
    }

    /// The best bound: of the loop, of its slice, of its outline, or the size of what it walks along. One that assumes nothing comes before the others.
    pub fn bound(&self) -> Option<Limit> {
        let mut all = self.bounds();
        let free = all.iter().position(|limit| limit.assumptions.is_empty());
        let best = free.unwrap_or(0);
        (best < all.len()).then(|| all.swap_remove(best))
    }

    fn bounds(&self) -> Vec<Limit> {
        let mut all = Vec::new();
        let own = self.outcome.as_ref().ok().and_then(|known| known.bound.as_ref());
        if let Some(bound) = own.or_else(|| self.slice.as_ref()?.bound.as_ref()) {
            all.push(Limit {
                text: bound.text.clone(),
                growth: bound.growth,
                assumptions: self.assumptions.clone(),
            });
        }
        if let Some(Outlined { bound: Some((text, growth)), assumptions, .. }) = &self.outlined {
            let assumptions = assumptions.clone();
            all.push(Limit { text: text.clone(), growth: *growth, assumptions });
        }
        if let Some(measure) = &self.measure {
            let growth = Growth::Polynomial(1);
            let assumptions = measure.assumptions.clone();
            all.push(Limit { text: measure.text.clone(), growth, assumptions });
        }
        all
    }
}

/// What is known of a loop.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its type.
    pub kind: LoopType,
    /// What its summary is worth.
    pub tag: Tag,
    /// Why it is not better.
    pub reasons: Vec<String>,
    /// The ways through it.
    pub paths: Vec<PathText>,
    /// The ways out of it.
    pub exits: Vec<ExitText>,
    /// The cases of the summary.
    pub cases: Vec<CaseText>,
    /// If that approximates: cases that are certified, though not all.
    pub part: Vec<CaseText>,
    /// Entries from which it never ends.
    pub endless: Vec<EndlessText>,
    /// How many edges its automaton has.
    pub edges: usize,
    /// How many iterations there are.
    pub bound: Option<Bound>,
    /// Why that is not known.
    pub unbounded: Option<String>,
    /// Its automaton as DOT.
    pub dot: String,
    /// Whether this is the loop, or only its slice.
    pub sliced: Option<Sliced>,
    /// Whether everything on its paths has a model: otherwise some of them stop there.
    pub is_modelled: bool,
}

/// What a slice has left out.
#[derive(Clone, Debug)]
pub struct Sliced {
    /// How many instructions there were.
    pub all: usize,
    /// How many are left.
    pub kept: usize,
    /// Whether what is gone might have ended the loop, or never have ended.
    pub is_harmless: bool,
}

/// A bound that is no formula over numbers: the size of a data structure.
#[derive(Clone, Debug)]
pub struct Measure {
    /// `size(list)`, `strlen(s)`.
    pub text: String,
    /// What must hold for it.
    pub assumptions: Vec<String>,
}

/// A way through a loop.
#[derive(Clone, Debug)]
pub struct PathText {
    /// Where it goes.
    pub label: String,
    /// When it is taken.
    pub guard: String,
    /// What it changes.
    pub changes: Vec<String>,
    /// The exit that it leads to.
    pub exit: Option<usize>,
    /// How often it is taken.
    pub bound: Option<Bound>,
}

/// A way out of a loop.
#[derive(Clone, Debug)]
pub struct ExitText {
    /// Place and kind.
    pub text: String,
    /// The line.
    pub line: u32,
    /// How many iterations there are before.
    pub bound: Option<Bound>,
}

/// A case of a summary.
#[derive(Clone, Debug)]
pub struct CaseText {
    /// When it happens.
    pub condition: String,
    /// What has other values afterwards.
    pub changes: Vec<String>,
    /// By which exit.
    pub exit: usize,
    /// What is executed.
    pub trace: String,
    /// How many iterations there are at most.
    pub bound: Option<Bound>,
    /// Whether there are so many.
    pub is_counted: bool,
}

/// Entries from which a loop never ends.
#[derive(Clone, Debug)]
pub struct EndlessText {
    /// Which.
    pub condition: String,
    /// What is executed.
    pub trace: String,
}
