//! Answers of the solver.

use loupe_solver::{Answer, Evidence, LinkStatistics};
use loupe_term::{ArrayValue, SymbolId, Term, Terms, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The symbols that are shown, by their names.
type Names = BTreeMap<String, SymbolId>;

/// The answer to one question, for people.
pub fn answer_text(terms: &Terms, names: &Names, assertions: &[Term], answer: &Answer) -> String {
    let mut text = String::new();
    match answer {
        Answer::Sat(model) => {
            text.push_str(match model.evidence {
                Evidence::Evaluated => "sat\n",
                Evidence::Claimed => "sat (the values below were not checked)\n",
            });
            for (name, id) in names {
                if let Some(value) = model.values.symbols.get(id) {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "  {name} = {}", value_text(value));
                }
            }
        }
        Answer::Unsat(core) => {
            text.push_str("unsat\n");
            for assertion in core.iter().filter_map(|at| assertions.get(*at)) {
                let _ = writeln!(text, "  {}", terms.text(*assertion));
            }
        }
        Answer::Unknown(reason) => {
            let _ = writeln!(text, "unknown: {reason}");
        }
    }
    text
}

/// The answer to one question, for programs.
pub fn answer_json(terms: &Terms, names: &Names, assertions: &[Term], answer: &Answer) -> Json {
    match answer {
        Answer::Sat(model) => {
            let values = names.iter().filter_map(|(name, id)| {
                let value = model.values.symbols.get(id)?;
                Some((name.clone(), Json::String(value_text(value))))
            });
            let values: serde_json::Map<String, Json> = values.collect();
            let checked = model.evidence == Evidence::Evaluated;
            json!({ "answer": "sat", "model": values, "checked": checked })
        }
        Answer::Unsat(core) => {
            let core: Vec<String> = core
                .iter()
                .filter_map(|at| assertions.get(*at))
                .map(|assertion| terms.text(*assertion))
                .collect();
            json!({ "answer": "unsat", "core": core })
        }
        Answer::Unknown(reason) => json!({ "answer": "unknown", "reason": reason.to_string() }),
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Array(array) => array_text(array),
    }
}

/// `[0: 5, 3: 7, else 0]`. Arrays are nested as deeply as they have dimensions.
fn array_text(array: &ArrayValue) -> String {
    let mut text = String::from("[");
    for (index, value) in &array.elements {
        let _ = write!(text, "{index}: {}, ", value_text(value));
    }
    let _ = write!(text, "else {}]", value_text(&array.default));
    text
}

/// What the links have done, as a table.
pub fn statistics_text(links: &[LinkStatistics]) -> String {
    let mut text = format!("{:<12} {:>9} {:>9} {:>11}\n", "link", "queries", "answered", "seconds");
    for link in links {
        let seconds = link.time.as_secs_f64();
        let _ = writeln!(
            text,
            "{:<12} {:>9} {:>9} {seconds:>11.6}",
            link.link, link.queries, link.answered
        );
    }
    text
}

/// What the links have done.
pub fn statistics_json(links: &[LinkStatistics]) -> Json {
    let link = |link: &LinkStatistics| {
        json!({
            "link": link.link,
            "queries": link.queries,
            "answered": link.answered,
            "seconds": link.time.as_secs_f64(),
        })
    };
    links.iter().map(link).collect()
}
