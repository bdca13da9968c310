//! What the report of `loupe loops` counts: types and bounds of loops, as in Tables 3 and 4 of Proteus.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Assumptions that what calls give has an end begin so.
const GIVEN: [&str; 2] = ["what is given by", "what is read"];

/// Loops of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// How many there are.
    pub loops: u64,
    /// How many have a bound that assumes nothing.
    pub bounded: u64,
    /// How many have one that assumes something of memory, numbers or data structures, which is said with it.
    pub assumed: u64,
    /// How many have one that says as often as a call gives something.
    pub given: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.loops += other.loops;
        self.bounded += other.bounded;
        self.assumed += other.assumed;
        self.given += other.given;
    }
}

impl Counts {
    /// How many have a bound.
    pub fn all_bounded(&self) -> u64 {
        self.bounded + self.assumed + self.given
    }
}

/// Some loops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopCounts {
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

impl AddAssign<&LoopCounts> for LoopCounts {
    fn add_assign(&mut self, other: &LoopCounts) {
        self.nested += other.nested;
        for (own, more) in self.types.iter_mut().zip(other.types) {
            *own += more;
        }
        self.exact += other.exact;
        self.simplified += other.simplified;
        self.removed += other.removed;
    }
}

impl LoopCounts {
    /// All loops together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.types.iter().for_each(|counts| total += *counts);
        total
    }

    fn add(&mut self, own: &Json) {
        self.nested += u64::from(own["nested"] == true);
        let kind = own["type"].as_u64().and_then(|kind| usize::try_from(kind).ok());
        let is_bounded = !own["bound"].is_null();
        let assumptions = own["bound_assumes"].as_array().map_or(&[][..], Vec::as_slice);
        let is_given = assumptions
            .iter()
            .filter_map(Json::as_str)
            .any(|assumption| GIVEN.iter().any(|given| assumption.starts_with(given)));
        let is_assumed = !assumptions.is_empty() && !is_given;
        if let Some(counts) = self.types.get_mut(kind.unwrap_or_default()) {
            *counts += Counts {
                loops: 1,
                bounded: u64::from(is_bounded && assumptions.is_empty()),
                assumed: u64::from(is_bounded && is_assumed),
                given: u64::from(is_bounded && is_given),
            };
        }
        let is_exact = ["exact", "template"].iter().any(|tag| own["summary"] == *tag);
        self.exact += u64::from(is_exact && own["modelled"] != false);
        let reduced = &own["reduced"];
        self.simplified += u64::from(reduced["is_simpler"] == true);
        self.removed += reduced["paths_removed"].as_f64().unwrap_or_default();
    }
}

/// The loops of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopFigures {
    /// Those of the file itself.
    pub own: LoopCounts,
    /// Those of files that it includes, by their places: several programs have them in common.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub included: BTreeMap<String, LoopCounts>,
}

impl LoopFigures {
    /// Adds the loops of another file: what both include counts once.
    pub fn add(&mut self, other: &LoopFigures) {
        self.own += &other.own;
        for (place, counts) in &other.included {
            self.included.entry(place.clone()).or_insert_with(|| counts.clone());
        }
    }

    /// All loops, each place once.
    pub fn counts(&self) -> LoopCounts {
        let mut all = self.own.clone();
        self.included.values().for_each(|counts| all += counts);
        all
    }

    /// From a report.
    pub(crate) fn read(report: &Json) -> Self {
        let mut figures = LoopFigures::default();
        for own in report["loops"].as_array().into_iter().flatten() {
            let counts = match own["included"].as_str() {
                None => &mut figures.own,
                Some(file) => {
                    let place = format!("{file}:{}:{}", own["line"], own["column"]);
                    figures.included.entry(place).or_default()
                }
            };
            counts.add(own);
        }
        // What the report had no time for has no type and no bound.
        figures.own.types[0].loops += report["unseen"].as_u64().unwrap_or_default();
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn loops_of_headers_count_once() {
        let report = json!({
            "loops": [
                { "line": 3, "column": 1, "type": 1, "bound": "n", "bound_assumes": [], "summary": "exact", "nested": true },
                { "line": 5, "column": 1, "type": 4, "bound": "size(p)", "bound_assumes": ["the list has no cycle"], "summary": "over" },
                { "line": 7, "column": 1, "type": 3, "bound": "size(f)", "bound_assumes": ["what is given by `f` has an end"], "summary": "none" },
                { "line": 2, "column": 1, "type": 3, "bound": null, "included": "a.h", "reduced": { "is_simpler": true, "paths_removed": 0.5 } },
            ],
            "unseen": 2,
        });
        let read = LoopFigures::read(&report);
        let mut both = read.clone();
        both.add(&read);
        let (one, two) = (read.counts(), both.counts());
        assert_eq!((one.total().loops, two.total().loops), (6, 11));
        assert_eq!((one.types[0].loops, one.nested, one.exact, one.simplified), (2, 1, 1, 1));
        let Counts { bounded, assumed, given, .. } = one.total();
        assert_eq!((bounded, assumed, given), (1, 1, 1));
        let text = serde_json::to_string(&both).expect("JSON");
        assert_eq!(serde_json::from_str::<LoopFigures>(&text).expect("figures"), both);
    }
}
