//! Whether a place is reached, and what is necessary for that.

use crate::explore::Verdict;
use loupe_symbolic::explore::{Counter, DraftLimit, Readable};
use loupe_term::{Branch, Which};
use serde_json::{Value as Json, json};

/// One way to the target, with every loop on it passed by a condition on counters.
#[derive(Clone, Debug)]
pub struct Backbone {
    /// The line that it leads to.
    pub line: u32,
    /// What every execution satisfies that goes this way, for some values of counters.
    pub says: Readable,
    /// Whether it is not known that nobody goes it.
    pub is_possible: bool,
}

impl Backbone {
    /// For people: what its counters count, then what must hold.
    fn text(&self, number: usize) -> Vec<String> {
        let fate = if self.is_possible { "" } else { ", which cannot be" };
        let Readable { conditions, counters } = &self.says;
        let mut lines = vec![format!("  way {number} to line {}{fate}:", self.line)];
        if conditions.is_empty() {
            lines.push("    nothing is necessary but that the program is run".to_owned());
        }
        lines.extend(conditions.iter().map(|text| format!("    {text}")));
        let width = counters.iter().map(|counter| shown(counter).chars().count()).max();
        let width = width.unwrap_or(0);
        for (number, counter) in counters.iter().enumerate() {
            let begin = if number == 0 { "where " } else { "      " };
            let (name, what) = (shown(counter), meaning(counter));
            lines.push(format!("    {begin}{name:width$}  {what}"));
        }
        lines
    }
}

/// A counter as it stands in conditions.
fn shown(counter: &Counter) -> String {
    let index = if counter.is_array { "[i]" } else { "" };
    format!("{}{index}", counter.name)
}

/// What a counter counts, in words.
fn meaning(counter: &Counter) -> String {
    let counted = &counter.counted;
    let which = match (counted.which, counter.is_array) {
        (Which::All, false) => "counts the iterations",
        (Which::All, true) => "counts, each time i, the iterations",
        (Which::Earlier, false) => "counts earlier iterations",
        (Which::Earlier, true) => "counts, before the iteration i of another path, the iterations",
    };
    let way = match counted.path {
        Some(_) => format!(" through {}", in_lines(&counted.lines)),
        None => String::new(),
    };
    let branch = match counted.branch {
        Some(Branch::Through(line, column)) => format!(" (with {line}:{column})"),
        Some(Branch::Around(line, column)) => format!(" (without {line}:{column})"),
        None => String::new(),
    };
    format!("{which} of {}{way}{branch}", counted.whose)
}

/// Lines in words: `lines 3, 5-7`.
fn in_lines(lines: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*line) => *last = *line,
            _ => runs.push((*line, *line)),
        }
    }
    let text = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let all: Vec<String> = runs.iter().map(text).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}", all.join(", "))
}

fn counter_json(counter: &Counter) -> Json {
    let counted = &counter.counted;
    json!({
        "name": counter.name,
        "array": counter.is_array,
        "counts": match counted.which {
            Which::All => "all",
            Which::Earlier => "earlier",
        },
        "loop": { "line": counted.line, "column": counted.column, "name": counted.whose },
        "path": counted.path,
        "lines": counted.lines,
        "branch": counted.branch.map(branch_json),
    })
}

fn branch_json(branch: Branch) -> Json {
    let (is_through, line, column) = match branch {
        Branch::Through(line, column) => (true, line, column),
        Branch::Around(line, column) => (false, line, column),
    };
    json!({ "through": is_through, "line": line, "column": column })
}

/// How a reason begins that speaks of undefined behaviour.
const UNDEFINED: &str = "undefined behaviour is possible";

fn counted(ways: u64) -> String {
    let word = if ways == 1 { "way" } else { "ways" };
    format!("{ways} {word}")
}

fn limit_json((limit, seconds): (DraftLimit, f64)) -> Json {
    match limit {
        DraftLimit::Ways(most) => json!({ "kind": "ways", "most": most }),
        DraftLimit::Time { ways } => json!({ "kind": "time", "ways": ways, "seconds": seconds }),
    }
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
    /// Why the necessary condition was given up, if it was, and after how many seconds.
    pub limit: Option<(DraftLimit, f64)>,
    /// The technique that has found the answer, if it was another one.
    pub by: Option<&'a str>,
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

    /// Why the necessary condition was given up.
    pub fn given_up(&self) -> Option<String> {
        Some(match self.limit? {
            (DraftLimit::Ways(most), _) => format!(
                "more than {most} ways to the target; the necessary condition is not complete"
            ),
            (DraftLimit::Time { ways }, seconds) => format!(
                "the necessary condition was given up after {} and {seconds:.1} s, its share of the time",
                counted(ways)
            ),
        })
    }

    /// For people.
    pub fn text(&self, reasons: &[String]) -> String {
        let mut lines = vec![format!("{}: {}", self.what, self.name())];
        lines.extend(reasons.iter().map(|reason| format!("  {reason}")));
        if reasons.iter().any(|reason| reason.contains(UNDEFINED)) {
            lines.push("    help: --assume-defined drops such executions".to_owned());
        }
        if let Some(by) = self.by {
            lines.push(format!("  by {by}, before the necessary condition had decided it"));
        }
        lines.extend(self.given_up().map(|why| format!("  {why}, searching instead")));
        match (self.backbones, self.is_whole) {
            ([], true) if self.verdict == Verdict::Safe => {
                lines.push("  necessary condition: false".into());
            }
            ([], _) => {}
            (backbones, is_whole) => {
                let ways = if is_whole { "one of these" } else { "so far, one of these" };
                lines.push(format!("  necessary condition, {ways}:"));
                for (number, backbone) in backbones.iter().enumerate() {
                    lines.extend(backbone.text(number + 1));
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
                "conditions": backbone.says.conditions,
                "counters": backbone.says.counters.iter().map(counter_json).collect::<Vec<Json>>(),
                "possible": backbone.is_possible,
            })
        });
        json!({
            "target": self.what,
            "answer": self.name(),
            "necessary": {
                "complete": self.is_whole,
                "limit": self.limit.map(limit_json),
                "ways": ways.collect::<Vec<Json>>(),
            },
        })
    }
}
