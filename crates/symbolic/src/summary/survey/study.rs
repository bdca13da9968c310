//! What is known of a loop, in the words of the program.

use super::super::WhyNot;
use super::Found;
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
    /// What was assumed.
    pub assumptions: Vec<String>,
}

impl Study {
    /// The loop's own type, or its slice's.
    pub fn kind(&self) -> Option<&LoopType> {
        let own = self.outcome.as_ref().ok().or(self.slice.as_ref());
        own.map(|known| &known.kind)
    }

    /// The best bound: of the loop, of its slice, or the size of what it walks along.
    pub fn bound(&self) -> Option<(String, Growth)> {
        let own = self.outcome.as_ref().ok().and_then(|known| known.bound.as_ref());
        let own = own.or_else(|| self.slice.as_ref()?.bound.as_ref());
        let own = own.map(|bound| (bound.text.clone(), bound.growth));
        own.or_else(|| Some((self.measure.as_ref()?.text.clone(), Growth::Polynomial(1))))
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
