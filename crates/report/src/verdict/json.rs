//! A verification as JSON.

use super::{Detail, Verified, explain, loops, named_values, obstacles, replay};
use crate::explore::{
    Verdict, choices_json, endless_json, merging_json, subsumption_json, templates_json,
    violation_json,
};
use crate::run::integer;
use crate::story::{self, Ending, Telling};
use loupe_ir::program::Program;
use loupe_symbolic::explore::{Exploration, Told};
use loupe_symbolic::invariants::Invariant;
use loupe_verify::{Member, Report};
use serde_json::{Value as Json, json};

/// Everything as one object.
pub fn json(verified: &Verified<'_>, detail: Detail, version: &str) -> Json {
    let Verified { program, report, .. } = verified;
    let exploration = &report.exploration;
    let violations = violations(verified);
    let mut reasons: Vec<String> =
        obstacles(verified).iter().map(|obstacle| obstacles::reason(program, obstacle)).collect();
    reasons.dedup();
    let mut object = json!({
        "file": verified.file,
        "property": verified.property.name(),
        "verdict": verified.verdict().name(),
        "reasons": reasons,
        "obstacles": obstacles::json(verified),
        "violation": violations.first(),
        "violations": violations.iter().map(brief).collect::<Vec<_>>(),
        "assumptions": verified.assumptions,
        "loops": loops::json(verified),
        "invariants": invariants(program, exploration),
        "templates": templates_json(exploration),
        "chosen": choices_json(exploration),
        "merging": merging_json(exploration),
        "subsumption": subsumption_json(program, exploration),
        "stats": stats(exploration, verified.seconds, verified.peak_memory),
        "member": report.winner.map(Member::name),
        "members": members(report),
        "version": version,
    });
    if detail == Detail::Explained {
        object["explanation"] = explain::json(verified);
    }
    object
}

/// What an exploration cost.
pub fn stats(exploration: &Exploration, seconds: f64, peak_memory: Option<u64>) -> Json {
    json!({
        "seconds": seconds,
        "paths": exploration.paths(),
        "states": exploration.states,
        "explored": exploration.explored,
        "queries": exploration.queries.queries,
        "unknown_queries": exploration.queries.unknown,
        "solver_seconds": exploration.queries.time.as_secs_f64(),
        "peak_memory_bytes": peak_memory,
    })
}

/// The errors with their stories.
fn violations(verified: &Verified<'_>) -> Vec<Json> {
    let exploration = &verified.report.exploration;
    let mut told = verified.told.iter();
    let mut all = Vec::new();
    for violation in exploration.violations.values() {
        let mut told = told.next();
        // What matters of the inputs is what was told.
        let mut violation = violation.clone();
        if let Some(Told { model, .. }) = &mut told {
            violation.model = model.clone();
        }
        let mut object = violation_json(verified.program, &violation);
        object["replay"] = json!(replay::of_violation(verified, &violation.model));
        add_story(verified, &mut object, told, Ending::Error);
        all.push(object);
    }
    for found in exploration.endless.values() {
        let mut object = endless_json(verified.program, found);
        object["replay"] = json!(replay::of_endless(verified, found));
        add_story(verified, &mut object, told.next(), Ending::Never(found.span));
        all.push(object);
    }
    all
}

fn add_story(verified: &Verified<'_>, object: &mut Json, told: Option<&Told>, ending: Ending) {
    let Some(Told { model, story }) = told else { return };
    let named = named_values(model, story.as_ref());
    let named = named.iter().map(|value| {
        json!({
            "name": value.name,
            "line": value.span.map(|span| span.start.line),
            "occurrence": value.occurrence,
            "position": value.position,
            "value": integer(&value.value.to_string()),
        })
    });
    object["uninitialised_values"] = named.collect();
    let Some(story) = story else {
        object["path"] = Json::Null;
        return;
    };
    let telling = Telling { program: verified.program, story, inputs: &model.inputs, ending };
    object["path"] = story::json(&telling);
    object["story"] = json!(story::text(&telling));
    let values = story.values.iter();
    object["values"] =
        values.map(|value| json!({ "name": value.name, "value": integer(&value.value) })).collect();
}

/// What an error is, without what is said of the first one in full.
fn brief(violation: &Json) -> Json {
    let mut object = json!({});
    for key in ["kind", "function", "file", "line", "column", "input", "paths"] {
        if let Some(value) = violation.get(key) {
            object[key] = value.clone();
        }
    }
    object
}

/// What holds whenever a loop is come to.
fn invariants(program: &Program, exploration: &Exploration) -> Vec<Json> {
    let row = |invariant: &Invariant| {
        json!({
            "function": program.function(invariant.function).name,
            "line": invariant.span.start.line,
            "invariant": invariant.text,
        })
    };
    exploration.invariants.iter().map(row).collect()
}

/// What the members have done that were begun, the one with the verdict first.
pub fn members(report: &Report) -> Vec<Json> {
    let row = |member: Member, exploration: &Exploration| {
        json!({
            "member": member.name(),
            "verdict": Verdict::of(exploration).name(),
            "effort": exploration.effort,
            "states": exploration.states,
            "explored": exploration.explored,
            "queries": exploration.queries.queries,
        })
    };
    let winner = report.winner.map(|member| row(member, &report.exploration));
    let others = report.others.iter().map(|run| row(run.member, &run.exploration));
    winner.into_iter().chain(others).collect()
}
