//! Whether a place is reached, and what is necessary for that.

use crate::explore::Verdict;
use serde_json::{Value as Json, json};

/// One way to the target, with every loop on it passed by a condition on counters.
#[derive(Clone, Debug)]
pub struct Backbone {
    /// The line that it leads to.
    pub line: u32,
    /// What every execution satisfies that goes this way, for some values of counters.
    pub conditions: Vec<String>,
    /// Whether it is not known that nobody goes it.
    pub is_possible: bool,
}

/// What is known of a target.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The target, in words.
    pub what: &'a str,
    /// Whether it is never reached, or was reached.
    pub verdict: Verdict,
    /// The ways to it that are not known to be impossible.
    pub backbones: &'a [Backbone],
    /// Whether there are no others.
    pub is_whole: bool,
}

impl Answer<'_> {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self.verdict {
            Verdict::Safe => "unreachable",
            Verdict::Unsafe => "reached",
            Verdict::Unknown => "unknown",
        }
    }

    /// For people.
    pub fn text(&self, reasons: &[String]) -> String {
        let mut lines = vec![format!("{}: {}", self.what, self.name())];
        lines.extend(reasons.iter().map(|reason| format!("  {reason}")));
        match (self.backbones, self.is_whole) {
            ([], true) if self.verdict == Verdict::Safe => {
                lines.push("  necessary condition: false".into());
            }
            ([], _) => {}
            (backbones, is_whole) => {
                let ways = if is_whole { "one of these" } else { "so far, one of these" };
                lines.push(format!("  necessary condition, {ways}:"));
                for (number, backbone) in backbones.iter().enumerate() {
                    let fate = if backbone.is_possible { "" } else { ", which cannot be" };
                    lines.push(format!("  way {} to line {}{fate}:", number + 1, backbone.line));
                    lines.extend(backbone.conditions.iter().map(|text| format!("    {text}")));
                }
            }
        }
        lines.join("\n")
    }

    /// For programs.
    pub fn json(&self) -> Json {
        let ways = self.backbones.iter().map(|backbone| {
            json!({
                "line": backbone.line,
                "conditions": backbone.conditions,
                "possible": backbone.is_possible,
            })
        });
        json!({
            "target": self.what,
            "answer": self.name(),
            "necessary": { "complete": self.is_whole, "ways": ways.collect::<Vec<Json>>() },
        })
    }
}
