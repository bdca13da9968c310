//! A story for people: one line for each step, what happens inside of loops and calls further to the right.

use super::words::{choice, edges, forest, grouped, line_of, loop_span, path_label, times};
use super::{Ending, Telling};
use crate::run::count;
use loupe_engine::concrete::story::{
    Called, LoopKey, PathNumber, Pattern, Skipped, Step, Steps, Stretch, Tally, Visit,
};
use loupe_ir::analysis::graph::Edge;
use std::collections::BTreeMap;

/// So many lines are written.
const LINES: usize = 40;
/// A call that comes back is told in full if that takes so many lines.
const CALL: usize = 6;
/// So many runs of a visit are listed; of more, only how often each path was taken.
const RUNS: usize = 6;

/// A story in lines.
pub fn text(telling: &Telling<'_>) -> Vec<String> {
    let mut teller = Teller { telling, lines: Vec::new(), labels: BTreeMap::new() };
    teller.steps(&telling.story.steps, 0);
    let mut lines = repeated(teller.lines);
    let more = lines.len().saturating_sub(LINES);
    if more > 1 {
        // How it ends matters more than how it begins.
        let first = LINES / 2;
        lines.splice(first..first + more, [format!("… {more} more steps")]);
    }
    lines
}

/// Equal lines in a row are written once.
fn repeated(lines: Vec<String>) -> Vec<String> {
    let mut all: Vec<(String, u64)> = Vec::with_capacity(lines.len());
    for line in lines {
        match all.last_mut() {
            Some((last, times)) if *last == line => *times += 1,
            _ => all.push((line, 1)),
        }
    }
    let one = |(line, times): (String, u64)| match times {
        1 => line,
        _ => format!("{line} (× {})", grouped(&times.to_string())),
    };
    all.into_iter().map(one).collect()
}

/// Rounds of runs: `(then-branch, else-branch) × 50`.
fn rounds(parts: &[String], times: &str) -> String {
    let once = |part: &String| part.strip_prefix("1 × ").unwrap_or(part).to_owned();
    format!("({}) × {times}", parts.iter().map(once).collect::<Vec<_>>().join(", "))
}

/// Whether inputs are read on the way, outside of iterations that are only counted.
fn reads(steps: &Steps) -> bool {
    let mut open: Vec<&Step> = steps.iter().collect();
    while let Some(step) = open.pop() {
        match step {
            Step::Input { .. } => return true,
            Step::Decision { .. } => {}
            Step::Call(called) => open.extend(called.steps.iter()),
            Step::Loop(visit) if visit.inputs.1 > 0 => return true,
            Step::Loop(visit) => open.extend(visit.rest.iter()),
        }
    }
    false
}

struct Teller<'t> {
    telling: &'t Telling<'t>,
    lines: Vec<String>,
    labels: BTreeMap<(LoopKey, PathNumber), Option<String>>,
}

impl Teller<'_> {
    fn line(&mut self, depth: usize, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(depth), text.as_ref()));
    }

    /// Calls and loops nest no deeper than the recorder lets them.
    fn steps(&mut self, steps: &Steps, depth: usize) {
        for step in steps.first() {
            self.step(step, depth);
        }
        if steps.left_out > 0 {
            let more = grouped(&steps.left_out.to_string());
            self.line(depth, format!("… {more} more steps"));
        }
        for step in steps.last() {
            self.step(step, depth);
        }
    }

    fn step(&mut self, step: &Step, depth: usize) {
        let program = self.telling.program;
        match step {
            Step::Input { index, span, name } => {
                let value = self.telling.inputs.get(*index as usize);
                let value = value.map_or("the end of the input".to_owned(), ToString::to_string);
                let place = span.map_or(String::new(), |span| line_of(program, span) + ": ");
                let what = match name {
                    Some(name) => format!("{name} = {value}"),
                    None => format!("reads {value}"),
                };
                self.line(depth, format!("{place}{what} (input {index})"));
            }
            Step::Decision { function, edge } => {
                let Some(choice) = choice(program, *function, *edge) else { return };
                let place = line_of(program, choice.span);
                let what = choice.condition.as_deref().unwrap_or("the condition");
                self.line(
                    depth,
                    match choice.truth {
                        Some(truth) => format!("{place}: {what} is {truth}"),
                        None => {
                            let target = line_of(program, choice.target);
                            format!("{place}: the switch on {what} goes to {target}")
                        }
                    },
                );
            }
            Step::Call(called) => self.call(called, depth),
            Step::Loop(visit) => self.visit(visit, depth),
        }
    }

    fn call(&mut self, called: &Called, depth: usize) {
        // A call that comes back and has decided nothing does not matter.
        if called.returned && called.steps.is_empty() {
            return;
        }
        let program = self.telling.program;
        let name = &program.function(called.function).name;
        let place = called.span.map_or(String::new(), |span| line_of(program, span) + ": ");
        let before = self.lines.len();
        self.line(depth, format!("{place}{name} is called"));
        self.steps(&called.steps, depth + 1);
        if !called.returned {
            return;
        }
        let steps = self.lines.len() - before - 1;
        if steps > CALL && !reads(&called.steps) {
            // What it decided on the way is less interesting than that it came back.
            self.lines.truncate(before);
            self.line(depth, format!("{place}{name} is called and returns"));
        } else {
            self.line(depth, format!("{name} returns"));
        }
    }

    /// The loop that is never left: no numbers, since they only say when nobody looked on any longer.
    fn endless(&mut self, visit: &Visit, depth: usize) {
        let place = line_of(self.telling.program, loop_span(self.telling.program, visit.key));
        let paths: Vec<PathNumber> = visit.runs.totals().into_keys().collect();
        let mut labels: Vec<String> = Vec::new();
        for path in paths.iter().take(RUNS) {
            labels.extend(self.label(visit.key, *path));
        }
        let ways = match &labels[..] {
            [] => String::new(),
            [only] if paths.len() == 1 => format!(", always {only}"),
            several => format!(", by {}", several.join(" and ")),
        };
        self.line(depth, format!("loop at {place}: runs for ever{ways}"));
    }

    fn visit(&mut self, visit: &Visit, depth: usize) {
        if self.telling.is_endless(visit) {
            return self.endless(visit, depth);
        }
        let program = self.telling.program;
        let skipped = visit.skipped.iter().map(|skipped| &skipped.iterations);
        let all = skipped
            .fold(visit.iterations.into(), |sum: loupe_integer::Integer, more| sum.add(more));
        let place = line_of(program, loop_span(program, visit.key));
        let mut text = format!("loop at {place}: ");
        match all.to_usize() {
            Some(0) => text += "no iteration",
            Some(1) => text += "1 iteration",
            _ => text += &format!("{} iterations", times(&all)),
        }
        if let Some(paths) = self.paths(visit) {
            text += &format!(": {paths}");
        }
        match visit.inputs {
            (_, 0) => {}
            (first, 1) => text += &format!("; reads input {first}"),
            (first, count) => {
                text += &format!("; reads inputs {first} to {}", first + count - 1);
            }
        }
        if !visit.skipped.is_empty() {
            text += " (by its closed form)";
        }
        let next = times(&all.add(&1u64.into()));
        let is_told = !visit.rest.is_empty();
        if visit.left.is_none() && !is_told {
            text += &match self.telling.ending {
                Ending::Error => format!("; the error is in iteration {next}"),
                Ending::Never(_) => " and more, for ever".to_owned(),
            };
        }
        self.line(depth, text);
        for (key, tally) in &visit.within.loops {
            self.tally(*key, tally, depth + 1);
        }
        self.rest(visit, &next, depth);
    }

    /// The iteration that did not come back.
    fn rest(&mut self, visit: &Visit, next: &str, depth: usize) {
        let program = self.telling.program;
        let forest = forest(program.function(visit.key.0));
        let own = forest.get(visit.key.1);
        match visit.left {
            None if visit.rest.is_empty() => {}
            None => {
                let ends = match self.telling.ending {
                    Ending::Error => "",
                    Ending::Never(_) => ", which goes on for ever",
                };
                self.line(depth + 1, format!("in iteration {next}{ends}:"));
                self.steps(&visit.rest, depth + 2);
            }
            // Its own condition has ended it.
            Some(edge) if edge.from == own.header && visit.rest.is_empty() => {}
            Some(edge) => {
                self.steps(&visit.rest, depth + 1);
                let is_condition = edge.from == own.header || own.latches.contains(&edge.from);
                if !is_condition && visit.skipped.is_empty() {
                    self.left(visit.key, edge, depth + 1);
                }
            }
        }
    }

    fn left(&mut self, key: LoopKey, edge: Edge, depth: usize) {
        let program = self.telling.program;
        let Some(choice) = choice(program, key.0, edge) else { return };
        let place = line_of(program, choice.span);
        let what = choice.condition.as_deref().unwrap_or("the condition");
        let truth = choice.truth.map_or(String::new(), |truth| format!(", {what} is {truth}"));
        self.line(depth, format!("{place}: the loop is left{truth}"));
    }

    fn tally(&mut self, key: LoopKey, tally: &Tally, depth: usize) {
        let program = self.telling.program;
        let place = line_of(program, loop_span(program, key));
        let number = |number: u64| grouped(&number.to_string());
        let visits = match tally.visits {
            1 => "once".to_owned(),
            visits => format!("{} times", number(visits)),
        };
        let each = match (tally.fewest, tally.most) {
            (fewest, most) if fewest == most && tally.visits > 1 => {
                format!(", {} each time", number(most))
            }
            (fewest, most) if tally.visits > 1 => {
                format!(", {} to {} each time", number(fewest), number(most))
            }
            _ => String::new(),
        };
        let iterations = match tally.iterations {
            1 => "1 iteration".to_owned(),
            iterations => format!("{} iterations", number(iterations)),
        };
        self.line(depth, format!("loop at {place} therein: entered {visits}, {iterations}{each}"));
    }

    /// Along which paths the iterations of a visit went, if there is a choice.
    fn paths(&mut self, visit: &Visit) -> Option<String> {
        let mut parts = Vec::new();
        for skipped in &visit.skipped {
            parts.extend(self.skipped(visit.key, skipped)?);
        }
        let totals = visit.runs.totals();
        if parts.is_empty() && totals.len() == 1 && visit.runs.patterns().len() == 1 {
            let path = *totals.keys().next()?;
            return Some(format!("all {}", self.label(visit.key, path)?));
        }
        if visit.runs.patterns().len() > RUNS || !visit.runs.others.is_empty() {
            let mut most: Vec<(PathNumber, u64)> = totals.into_iter().collect();
            most.sort_by_key(|(path, times)| (std::cmp::Reverse(*times), *path));
            let left_out = most.len().saturating_sub(RUNS);
            for (path, times) in most.iter().take(RUNS) {
                parts.push(self.run(visit.key, (*path, *times)));
            }
            if left_out > 0 {
                parts.push(format!("… {}", count(left_out as u64, "more path")));
            }
            return Some(parts.join(", ") + ", taking turns");
        }
        for Pattern { round, times } in visit.runs.patterns() {
            let one: Vec<String> = round.iter().map(|run| self.run(visit.key, *run)).collect();
            parts.push(match times {
                1 => one.join(", "),
                _ => rounds(&one, &grouped(&times.to_string())),
            });
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn run(&mut self, key: LoopKey, (path, times): (PathNumber, u64)) -> String {
        let label = self.label(key, path).unwrap_or_else(|| "straight through".to_owned());
        format!("{} × {label}", grouped(&times.to_string()))
    }

    /// What a closed form says of the iterations that it stands for.
    fn skipped(&mut self, key: LoopKey, skipped: &Skipped) -> Option<Vec<String>> {
        let program = self.telling.program;
        let path = |edges: &[Edge]| {
            let label = path_label(program, key, edges.iter().copied());
            label.unwrap_or_else(|| "straight through".to_owned())
        };
        let parts = self.joined(key, &skipped.parts);
        if let [Stretch::Path { edges, .. }] = &parts[..] {
            let label = path_label(program, key, edges.iter().copied())?;
            return Some(vec![format!("all {label}")]);
        }
        let part = |stretch: &Stretch| match stretch {
            Stretch::Path { edges, times: often } => format!("{} × {}", times(often), path(edges)),
            Stretch::Round { parts, times: often } => {
                let one = |stretch: &Stretch| match stretch {
                    Stretch::Path { edges, times: often } => {
                        format!("{} × {}", times(often), path(edges))
                    }
                    Stretch::Round { .. } => "…".to_owned(),
                };
                let parts: Vec<String> = self.joined(key, parts).iter().map(one).collect();
                rounds(&parts, &times(often))
            }
        };
        Some(parts.iter().map(part).collect())
    }

    /// Stretches without those that go the same way as the one before: paths of a summary may differ in what wraps around alone, which is no way of the program.
    fn joined(&self, key: LoopKey, parts: &[Stretch]) -> Vec<Stretch> {
        let program = self.telling.program;
        let label = |edges: &[Edge]| path_label(program, key, edges.iter().copied());
        let mut joined: Vec<Stretch> = Vec::with_capacity(parts.len());
        for part in parts {
            if let Stretch::Path { edges, times } = part
                && let Some(Stretch::Path { edges: before, times: sum }) = joined.last_mut()
                && label(before) == label(edges)
            {
                *sum = sum.add(times);
            } else {
                joined.push(part.clone());
            }
        }
        joined
    }

    fn label(&mut self, key: LoopKey, path: PathNumber) -> Option<String> {
        let Telling { program, story, .. } = *self.telling;
        let known = self.labels.entry((key, path)).or_insert_with(|| {
            let Some(blocks) = story.paths.get(&key).and_then(|all| all.get(path as usize)) else {
                return Some("other paths".to_owned());
            };
            path_label(program, key, edges(blocks))
        });
        known.clone()
    }
}
