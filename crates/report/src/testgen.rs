//! Generated tests, for people and as files.

pub mod harness;

use crate::explore::{jumps, stream};
use crate::run::{self, count, integer};
use loupe_engine::concrete::End;
use loupe_engine::concrete::profile::Tally;
use loupe_engine::value::Value;
use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::Exploration;
use loupe_symbolic::testgen::{Purpose, Suite, Test, Uninitialised, Way};
use serde_json::{Value as Json, json};

/// So many branches that are not covered are listed for people.
const SHOWN: usize = 10;

/// The name of the files of a test; the first has number 1.
pub fn name(number: usize) -> String {
    format!("{number:03}")
}

fn place(program: &Program, span: Span) -> String {
    format!("{}:{}", program.sources.name(span.file), span.start)
}

/// The figures for people.
pub fn text(program: &Program, suite: &Suite, exploration: &Exploration) -> String {
    let errors = suite.tests.iter().filter(|test| test.purpose != Purpose::Coverage).count();
    let Suite { branches, coverage, .. } = suite;
    let lines = suite.lines();
    let proved = match suite.unreachable.len() {
        0 => String::new(),
        number => format!(", {number} proved unreachable"),
    };
    let mut text = vec![
        format!(
            "tests: {} ({} for coverage, {} for errors), chosen from {}",
            suite.tests.len(),
            suite.tests.len() - errors,
            errors,
            count(suite.tried, "input")
        ),
        format!(
            "covered: {} of {} branches{proved}, {} of {} instructions, {} of {} lines",
            branches.covered,
            branches.total,
            coverage.instructions.covered,
            coverage.instructions.total,
            lines.covered,
            lines.total
        ),
    ];
    for way in suite.uncovered.iter().take(SHOWN) {
        let function = &program.function(way.function).name;
        let at = place(program, way.span);
        text.push(format!("not covered: {at}: {} (in `{function}`)", way.kind));
    }
    if suite.uncovered.len() > SHOWN {
        text.push(format!("not covered: {} more", suite.uncovered.len() - SHOWN));
    }
    for way in suite.unreachable.iter().take(SHOWN) {
        let function = &program.function(way.function).name;
        let at = place(program, way.span);
        text.push(format!("unreachable: {at}: {} (in `{function}`)", way.kind));
    }
    if suite.unreachable.len() > SHOWN {
        text.push(format!("unreachable: {} more", suite.unreachable.len() - SHOWN));
    }
    text.push(format!("errors: {errors}"));
    text.push(format!("stopped: {}", exploration.stop));
    text.join("\n")
}

/// The same with all tests, as JSON.
pub fn json(program: &Program, suite: &Suite, exploration: &Exploration) -> Json {
    let tally = |Tally { covered, total }: Tally| json!({ "covered": covered, "total": total });
    let tests = (1..).zip(&suite.tests).map(|(number, test)| test_json(program, number, test));
    let uncovered = suite.uncovered.iter().map(|way| way_json(program, way));
    let unreachable = suite.unreachable.iter().map(|way| way_json(program, way));
    let mut branches = tally(suite.branches);
    branches["unreachable"] = json!(suite.unreachable.len());
    json!({
        "coverage": {
            "branches": branches,
            "instructions": tally(suite.coverage.instructions),
            "lines": tally(suite.lines()),
            "functions": tally(suite.coverage.functions),
        },
        "uncovered": uncovered.collect::<Vec<Json>>(),
        "unreachable": unreachable.collect::<Vec<Json>>(),
        "tests": tests.collect::<Vec<Json>>(),
        "errors": exploration.violations.len(),
        "inputs_tried": suite.tried,
        "paths": exploration.paths(),
        "stopped": exploration.stop.to_string(),
    })
}

fn way_json(program: &Program, way: &Way) -> Json {
    json!({
        "function": program.function(way.function).name,
        "file": program.sources.name(way.span.file),
        "line": way.span.start.line,
        "column": way.span.start.column,
        "way": way.kind.to_string(),
    })
}

fn test_json(program: &Program, number: usize, test: &Test) -> Json {
    let inputs = test.model.inputs.iter().zip(&test.model.places);
    let inputs = inputs.map(|(value, place)| {
        let line = place.map(|place| place.start.line);
        json!({ "value": integer(&value.to_string()), "line": line })
    });
    let undefined = test.model.undefined.iter().map(|value| integer(&value.to_string()));
    let purpose = match &test.purpose {
        Purpose::Coverage => "coverage",
        Purpose::Error(_) => "error",
    };
    let mut object = json!({
        "name": name(number),
        "purpose": purpose,
        "inputs": inputs.collect::<Vec<Json>>(),
        "input": stream(&test.model.inputs),
        "uninitialised": undefined.collect::<Vec<Json>>(),
        "standard_input": test.model.standard_input,
        "arguments": test.model.command_line.get(1..).unwrap_or_default(),
        "depends_on_uninitialised": test.uninitialised == Uninitialised::Matter,
        "expected": expected_json(program, test),
    });
    if !test.jumps.is_empty() {
        object["jumps"] = jumps(&test.jumps);
    }
    object
}

/// What must happen.
fn expected_json(program: &Program, test: &Test) -> Json {
    let (end, status) = match &test.run.end {
        End::Returned(Some(Value::Int(number))) => ("returned", Some(number)),
        End::Returned(_) => ("returned", None),
        End::Exited(number) => ("exited", Some(number)),
        End::Aborted => ("aborted", None),
        End::AssumptionFailed => ("assumption-failed", None),
        End::Failed(_) => ("failed", None),
        End::Halted(_) => ("stopped", None),
    };
    let error = match &test.run.end {
        End::Failed(failure) => {
            let span = run::failure_place(program, &test.run, failure);
            let called = test.run.stack.iter().rev().map(|call| call.function);
            let mut users = called.map(|id| program.function(id));
            let function = users.find(|function| program.sources.is_users(function.span));
            json!({
                "kind": failure.kind.name(),
                "function": function.map(|function| function.name.clone()),
                "file": program.sources.name(span.file),
                "line": span.start.line,
                "column": span.start.column,
            })
        }
        End::Halted(halt) => json!({ "message": halt.to_string() }),
        _ => Json::Null,
    };
    let printed = &test.printed;
    let output = match printed.bytes.is_empty() {
        true => printed.numbers.iter().map(|n| integer(&n.to_string())).collect(),
        // JSON has no bytes: what is not UTF-8 is replaced.
        false => Json::from(String::from_utf8_lossy(&printed.bytes)),
    };
    json!({
        "end": end,
        "status": status.map(|number| integer(&number.to_string())),
        "error": error,
        "output": output,
        "output_is_cut": printed.is_cut,
    })
}

/// The command line arguments as a line that a shell takes; `None` if there are none.
pub fn arguments_file(test: &Test) -> Option<Vec<u8>> {
    let arguments = test.model.command_line.get(1..).filter(|arguments| !arguments.is_empty())?;
    let mut text = b"set --".to_vec();
    for argument in arguments {
        text.extend_from_slice(b" '");
        for byte in argument {
            match byte {
                b'\'' => text.extend_from_slice(b"'\\''"),
                byte => text.push(*byte),
            }
        }
        text.push(b'\'');
    }
    text.push(b'\n');
    Some(text)
}

/// The input as a file that `loupe run --input-file` takes.
pub fn input_file(number: usize, test: &Test) -> String {
    let what = match &test.purpose {
        Purpose::Coverage => "for coverage".to_owned(),
        Purpose::Error(kind) => format!("shows {}", kind.name()),
    };
    let mut text = format!("# test {}, {what}\ninputs:\n", name(number));
    if !test.model.inputs.is_empty() {
        text = format!("{text}{}\n", stream(&test.model.inputs));
    }
    if test.model.undefined.iter().any(|number| !number.is_zero()) {
        text = format!("{text}uninitialised:\n{}\n", stream(&test.model.undefined));
    }
    text
}
