//! A story as data.

use super::Telling;
use super::words::{choice, edges, loop_span, path_label};
use crate::run::integer;
use loupe_engine::concrete::story::{
    LoopKey, PathNumber, Pattern, Skipped, Step, Steps, Stretch, Tally, Visit,
};
use loupe_ir::analysis::graph::Edge;
use loupe_ir::source::Span;
use serde_json::{Value as Json, json};

/// The steps of a story, in order. Those of loops and calls are inside of theirs.
pub fn json(telling: &Telling<'_>) -> Json {
    steps(telling, &telling.story.steps)
}

/// Calls and loops nest no deeper than the recorder lets them.
fn steps(telling: &Telling<'_>, steps: &Steps) -> Json {
    let mut all: Vec<Json> = steps.first().iter().map(|one| step(telling, one)).collect();
    if steps.left_out > 0 {
        all.push(json!({ "step": "more", "steps": steps.left_out }));
    }
    all.extend(steps.last().map(|one| step(telling, one)));
    Json::Array(all)
}

fn step(telling: &Telling<'_>, step: &Step) -> Json {
    let program = telling.program;
    match step {
        Step::Input { index, span, name } => json!({
            "step": "input",
            "line": span.map(line),
            "index": index,
            "name": name,
            "value": telling.inputs.get(*index as usize).map(|value| integer(&value.to_string())),
        }),
        Step::Decision { function, edge } => match choice(program, *function, *edge) {
            None => json!({ "step": "decision" }),
            Some(choice) => json!({
                "step": "decision",
                "line": line(choice.span),
                "condition": choice.condition,
                "value": choice.truth,
                "to_line": line(choice.target),
            }),
        },
        Step::Call(called) => json!({
            "step": "call",
            "line": called.span.map(line),
            "function": program.function(called.function).name,
            "steps": steps(telling, &called.steps),
            "returned": called.returned,
        }),
        Step::Loop(visit) => self::visit(telling, visit),
    }
}

fn line(span: Span) -> u32 {
    span.start.line
}

fn visit(telling: &Telling<'_>, visit: &Visit) -> Json {
    let program = telling.program;
    let run = |(path, times): &(PathNumber, u64)| json!({ "path": label(telling, visit.key, *path), "times": times });
    let pattern = |pattern: &Pattern| json!({ "round": pattern.round.iter().map(run).collect::<Vec<_>>(), "times": pattern.times });
    let mut runs: Vec<Json> = visit.runs.patterns().iter().map(pattern).collect();
    let others = visit.runs.others.iter();
    runs.extend(
        others.map(|(path, times)| json!({ "round": [run(&(*path, *times))], "times": 1 })),
    );
    if telling.is_endless(visit) {
        let paths = visit.runs.totals().into_keys().map(|path| label(telling, visit.key, path));
        return json!({
            "step": "loop",
            "function": program.function(visit.key.0).name,
            "line": line(loop_span(program, visit.key)),
            "iterations": null,
            "paths": paths.collect::<Vec<_>>(),
            "left": false,
        });
    }
    let within = visit.within.loops.iter();
    let within: Vec<Json> = within.map(|(key, tally)| self::tally(telling, *key, tally)).collect();
    let skipped: Vec<Json> =
        visit.skipped.iter().map(|skipped| self::skipped(telling, visit.key, skipped)).collect();
    json!({
        "step": "loop",
        "function": program.function(visit.key.0).name,
        "line": line(loop_span(program, visit.key)),
        "iterations": visit.iterations,
        "runs": runs,
        "inputs": { "first": visit.inputs.0, "count": visit.inputs.1 },
        "loops": within,
        "by_closed_form": skipped,
        "steps": steps(telling, &visit.rest),
        "left": visit.left.is_some(),
    })
}

fn tally(telling: &Telling<'_>, key: LoopKey, tally: &Tally) -> Json {
    json!({
        "function": telling.program.function(key.0).name,
        "line": line(loop_span(telling.program, key)),
        "visits": tally.visits,
        "iterations": tally.iterations,
        "fewest": tally.fewest,
        "most": tally.most,
    })
}

fn skipped(telling: &Telling<'_>, key: LoopKey, skipped: &Skipped) -> Json {
    let path = |edges: &[Edge]| path_label(telling.program, key, edges.iter().copied());
    let part = |stretch: &Stretch| match stretch {
        Stretch::Path { edges, times } => {
            json!([{ "path": path(edges), "times": integer(&times.to_string()) }])
        }
        Stretch::Round { parts, .. } => parts
            .iter()
            .map(|part| match part {
                Stretch::Path { edges, times } => {
                    json!({ "path": path(edges), "times": integer(&times.to_string()) })
                }
                Stretch::Round { .. } => Json::Null,
            })
            .collect(),
    };
    let often = |stretch: &Stretch| match stretch {
        Stretch::Path { .. } => integer("1"),
        Stretch::Round { times, .. } => integer(&times.to_string()),
    };
    let runs: Vec<Json> = (skipped.parts.iter())
        .map(|stretch| json!({ "round": part(stretch), "times": often(stretch) }))
        .collect();
    json!({ "iterations": integer(&skipped.iterations.to_string()), "runs": runs })
}

fn label(telling: &Telling<'_>, key: LoopKey, path: PathNumber) -> Option<String> {
    let blocks = telling.story.paths.get(&key)?.get(path as usize)?;
    path_label(telling.program, key, edges(blocks))
}
