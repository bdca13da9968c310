//! What the report of `loupe loops` counts: types and bounds of loops, as in Tables 3 and 4 of Proteus.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::ops::AddAssign;

/// Loops of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// How many there are.
    pub loops: u64,
    /// How many have a bound that assumes nothing.
    pub bounded: u64,
    /// How many have one that assumes something, which is said with it.
    pub assumed: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.loops += other.loops;
        self.bounded += other.bounded;
        self.assumed += other.assumed;
    }
}

/// The loops of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopFigures {
    /// How many have loops in them.
    pub nested: u64,
    /// By type; the first is for those without one.
    pub types: [Counts; 5],
    /// How many have an exact summary or a template.
    pub exact: u64,
    /// How many a slice to what decides when they are left makes simpler.
    pub simplified: u64,
    /// The part of their paths that the slice leaves out, added up over all loops.
    pub removed: f64,
}

impl AddAssign<&LoopFigures> for LoopFigures {
    fn add_assign(&mut self, other: &LoopFigures) {
        self.nested += other.nested;
        for (own, more) in self.types.iter_mut().zip(other.types) {
            *own += more;
        }
        self.exact += other.exact;
        self.simplified += other.simplified;
        self.removed += other.removed;
    }
}

impl LoopFigures {
    /// All loops together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.types.iter().for_each(|counts| total += *counts);
        total
    }

    /// From a report.
    pub(crate) fn read(report: &Json) -> Self {
        let mut figures = LoopFigures::default();
        for own in report["loops"].as_array().into_iter().flatten() {
            figures.add(own);
        }
        // What the report had no time for has no type and no bound.
        figures.types[0].loops += report["unseen"].as_u64().unwrap_or_default();
        figures
    }

    fn add(&mut self, own: &Json) {
        self.nested += u64::from(own["nested"] == true);
        let kind = own["type"].as_u64().and_then(|kind| usize::try_from(kind).ok());
        let is_bounded = !own["bound"].is_null();
        let assumes = own["bound_assumes"].as_array().is_some_and(|all| !all.is_empty());
        if let Some(counts) = self.types.get_mut(kind.unwrap_or_default()) {
            *counts += Counts {
                loops: 1,
                bounded: u64::from(is_bounded && !assumes),
                assumed: u64::from(is_bounded && assumes),
            };
        }
        let is_exact = ["exact", "template"].iter().any(|tag| own["summary"] == *tag);
        self.exact += u64::from(is_exact);
        let reduced = &own["reduced"];
        self.simplified += u64::from(reduced["is_simpler"] == true);
        self.removed += reduced["paths_removed"].as_f64().unwrap_or_default();
    }
}
