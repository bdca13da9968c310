//! What is in the programs of a folder: how each is made again, its errors, and what running it has shown.

use super::trial::Trial;
use loupe_gen::{Generated, Language, Parameters};
use serde_json::{Map, Value as Json, json};

/// The manifest of a folder.
pub(crate) fn whole(first: &Parameters, count: u64, programs: Vec<Json>) -> Json {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": format!("{} --count {count} -o DIR", first.command_line()),
        "language": first.language.to_string(),
        "parameters": parameters(first),
        "programs": programs,
    })
}

/// All parameters by their options, seed and language excepted.
fn parameters(all: &Parameters) -> Json {
    // Numbers and truth values are that in JSON too.
    let value = |(name, text): (&str, String)| match text.as_str() {
        "none" if name == "error-rate" => Json::Null,
        text => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
    };
    let named = all.options().into_iter().map(|option| (option.0.to_owned(), value(option)));
    Json::Object(named.collect::<Map<_, _>>())
}

/// A program in it.
pub(crate) fn entry(
    file: &str,
    parameters: &Parameters,
    program: &Generated,
    trial: &Trial,
) -> Json {
    let planted = program.planted.iter().zip(&trial.inputs);
    let planted: Vec<Json> = planted
        .map(|(planted, input)| {
            json!({
                "kind": planted.kind.name(),
                "line": planted.line,
                "column": planted.column,
                "input": input,
            })
        })
        .collect();
    let others = trial.others.iter().map(|other| {
        json!({
            "check": other.check,
            "line": other.place.line,
            "column": other.place.column,
            "input": other.inputs,
        })
    });
    json!({
        "file": file,
        "seed": parameters.seed,
        "command": parameters.command_line(),
        "run": replay(file, parameters),
        "places": program.places,
        "planted": planted,
        "not_planted": others.collect::<Vec<_>>(),
        "runs": {
            "ended": trial.counts.ended,
            "failed": trial.counts.failed,
            "refused": trial.counts.refused,
            "cut_short": trial.counts.cut_short,
        },
    })
}

/// How it is run so that every error shows.
fn replay(file: &str, parameters: &Parameters) -> String {
    let checks = match parameters.language {
        Language::C => " --check all",
        Language::Microc => "",
    };
    format!("loupe run {file}{checks}")
}
