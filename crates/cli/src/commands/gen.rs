//! `loupe gen`

mod manifest;
mod trial;

use crate::args::{Gen, GenLanguage, Like};
use crate::console::write_result;
use crate::status::{Failed, Status};
use loupe_gen::{Generated, Language, Parameters, Style, Termination, generate};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// What the manifest is called.
const MANIFEST: &str = "manifest.json";

pub(crate) fn execute(command: &Gen) -> Result<ExitCode, Failed> {
    let first = parameters(command);
    match (command.count, &command.output) {
        (Some(count), Some(folder)) => write_many(&first, count, folder)?,
        _ => {
            let text = generate(&first).map_err(|error| Failed::bad_input(error.to_string()))?;
            write_result(&text, command.output.as_deref())?;
        }
    }
    Ok(Status::Done.into())
}

/// Writes programs with seeds from the first on, each to a file that is named after its seed, and what is in them.
fn write_many(first: &Parameters, count: u64, folder: &Path) -> Result<(), Failed> {
    fs::create_dir_all(folder).map_err(|error| {
        Failed::bad_input(format!("cannot make the folder `{}`: {error}", folder.display()))
    })?;
    let mut entries: Vec<Json> = Vec::new();
    for number in 0..count {
        let seed = first.seed.checked_add(number);
        let seed = seed.ok_or_else(|| Failed::bad_input("there are no more seeds"))?;
        let parameters = Parameters { seed, ..first.clone() };
        let program = program(&parameters)?;
        let file = format!("{seed}.{}", parameters.language.extension());
        write_result(&program.text, Some(&folder.join(&file)))?;
        let trial = trial::run(&parameters, &program, &file)?;
        entries.push(manifest::entry(&file, &parameters, &program, &trial));
    }
    let manifest = manifest::whole(first, count, entries);
    write_result(&format!("{manifest:#}"), Some(&folder.join(MANIFEST)))
}

fn program(parameters: &Parameters) -> Result<Generated, Failed> {
    loupe_gen::program(parameters).map_err(|error| Failed::bad_input(error.to_string()))
}

fn parameters(command: &Gen) -> Parameters {
    Parameters {
        language: match command.language {
            GenLanguage::Microc => Language::Microc,
            GenLanguage::C => Language::C,
        },
        seed: command.seed,
        style: match command.like {
            Like::Usual => Style::Usual,
            Like::Thesis => Style::Thesis,
        },
        for_loop_probability: command.for_loop_probability,
        while_loop_probability: command.while_loop_probability,
        max_block_depth: command.max_block_depth,
        max_top_level_statements: command.max_top_level_statements,
        max_block_statements: command.max_block_statements,
        guaranteed_error: command.guaranteed_error,
        divisions: !command.no_divisions,
        max_inputs: command.max_inputs,
        input_range: command.input_range.0,
        termination: if command.may_diverge { Termination::Perhaps } else { Termination::Always },
        max_iterations: command.max_iterations,
        max_loop_depth: command.max_loop_depth,
        loops: command.loops.clone(),
        max_statements: command.max_statements,
        max_variables: command.max_variables,
        max_arrays: command.max_arrays,
        max_records: command.max_records,
        max_pointers: command.max_pointers,
        max_lists: command.max_lists,
        max_functions: command.max_functions,
        max_expression_depth: command.max_expression_depth,
        errors: command.errors.clone(),
        error_probability: command.error_probability,
        error_rate: command.error_rate,
    }
}
