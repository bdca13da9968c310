//! Runs a generated program on sample inputs: which of them lead to the errors that were planted?
//!
//! What limits the runs is counted in steps, so a manifest does not depend on the machine.

use crate::status::Failed;
use loupe_c::front::{self, DataModel, Files};
use loupe_c::lower;
use loupe_engine::concrete::{
    End, Halt, Interpreter, Options, Output, Run, RunLength, Stream, Unobserved,
};
use loupe_gen::{Generated, Language, Parameters, Planted, Style, Termination, sample_inputs};
use loupe_integer::Integer;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::program::Program;
use loupe_ir::source::{Position, Sources};
use loupe_microc::Dialect;
use std::path::Path;

/// How many input sequences are tried.
const MAX_RUNS: usize = 256;

/// How many steps all runs of a program may have together, and how many more for each statement that it may have.
const MAX_STEPS: u64 = 4_000_000;
const STEPS_PER_STATEMENT: u64 = 500;

/// How many steps a run may have that may not end.
const STEPS_BEFORE_GIVING_UP: u64 = 50_000;

/// What was found out by running a program.
pub(crate) struct Trial {
    /// For each planted error, inputs that lead to it, if any were found.
    pub(crate) inputs: Vec<Option<Vec<i64>>>,
    /// Errors at other places, each with the first inputs that led to it.
    pub(crate) others: Vec<Other>,
    pub(crate) counts: Counts,
}

/// An error that nobody planted.
pub(crate) struct Other {
    pub(crate) check: &'static str,
    pub(crate) place: Position,
    pub(crate) inputs: Vec<i64>,
}

/// How many runs ended how.
#[derive(Default)]
pub(crate) struct Counts {
    /// At the end of the program.
    pub(crate) ended: u64,
    /// With an error.
    pub(crate) failed: u64,
    /// Because inputs were refused.
    pub(crate) refused: u64,
    /// At a limit: perhaps they would never have ended.
    pub(crate) cut_short: u64,
}

/// Runs a program.
pub(crate) fn run(
    parameters: &Parameters,
    generated: &Generated,
    file: &str,
) -> Result<Trial, Failed> {
    let program = compile(parameters.language, &generated.text, file).map_err(|error| {
        let place = error.span.map_or(String::new(), |span| format!(":{}", span.start.line));
        let message = error.message;
        Failed::internal(format!("{file}{place}: a generated program is refused: {message}"))
    })?;
    let mut trial = Trial {
        inputs: vec![None; generated.planted.len()],
        others: Vec::new(),
        counts: Counts::default(),
    };
    let always_ends =
        parameters.style == Style::Usual && parameters.termination == Termination::Always;
    let mut left = MAX_STEPS + STEPS_PER_STATEMENT * u64::from(parameters.max_statements);
    for inputs in sample_inputs(parameters, MAX_RUNS) {
        let limit = if always_ends { left } else { left.min(STEPS_BEFORE_GIVING_UP) };
        let run = execute(&program, parameters.language, &inputs, limit);
        left = left.saturating_sub(run.steps);
        // Such a run says nothing about the program.
        if left == 0 {
            break;
        }
        trial.add(&program, &generated.planted, &run, inputs);
    }
    Ok(trial)
}

impl Trial {
    fn add(&mut self, program: &Program, planted: &[Planted], run: &Run, mut inputs: Vec<i64>) {
        let counted = match &run.end {
            End::Returned(_) => &mut self.counts.ended,
            End::Failed(_) => &mut self.counts.failed,
            End::Halted(Halt::Limit(_)) => &mut self.counts.cut_short,
            End::Exited(_) | End::Aborted | End::AssumptionFailed | End::Halted(_) => {
                &mut self.counts.refused
            }
        };
        *counted += 1;
        let End::Failed(failure) = &run.end else { return };
        // What was not read does not matter.
        inputs.truncate(usize::try_from(run.positions.input).unwrap_or(usize::MAX));
        let places = places(program, run);
        let check = failure.kind.name();
        let is_met = |planted: &Planted| {
            let place = Position::new(planted.line, planted.column);
            planted.kind.checks().contains(&check) && places.contains(&place)
        };
        match planted.iter().position(is_met) {
            Some(which) => {
                self.inputs[which].get_or_insert(inputs);
            }
            None => {
                let Some(place) = places.last().copied() else { return };
                if !self.others.iter().any(|o| o.place == place && o.check == check) {
                    self.others.push(Other { check, place, inputs });
                }
            }
        }
    }
}

/// Where a run has failed: where it stood in each function that the program has, the innermost last.
fn places(program: &Program, run: &Run) -> Vec<Position> {
    let spans = run.stack.iter().map(|call| call.span);
    let own = match &run.end {
        End::Failed(failure) => Some(failure.span),
        _ => None,
    };
    let spans = spans.chain(own).filter(|span| program.sources.is_users(*span));
    spans.map(|span| span.start).collect()
}

fn execute(program: &Program, language: Language, inputs: &[i64], max_steps: u64) -> Run {
    let input: RunLength = inputs.iter().map(|input| Integer::from(*input)).collect();
    let options = Options {
        input: Box::new(input),
        end_of_input: Integer::from(if language == Language::C { 0 } else { -1 }),
        max_steps: Some(max_steps),
        max_depth: 10_000,
        max_bits: 10_000,
        ..Options::default()
    };
    Interpreter::new(program, options).run(&mut Ignored, &mut Unobserved)
}

/// Nobody reads what the program writes.
struct Ignored;

impl Output for Ignored {
    fn number(&mut self, _value: &Integer) -> bool {
        true
    }

    fn bytes(&mut self, _stream: Stream, _bytes: &[u8]) -> bool {
        true
    }
}

/// The flowgraph of a program, with all checks.
fn compile(language: Language, text: &str, file: &str) -> Result<Program, Diagnostic> {
    match language {
        Language::Microc => compile_microc(text, file),
        Language::C => compile_c(text, file),
    }
}

/// The first of several messages.
fn first(errors: Vec<Diagnostic>) -> Diagnostic {
    let nothing = || Diagnostic {
        message: "for no reason".to_owned(),
        span: None,
        label: String::new(),
        related: Vec::new(),
        help: None,
    };
    errors.into_iter().next().unwrap_or_else(nothing)
}

fn compile_microc(text: &str, file: &str) -> Result<Program, Diagnostic> {
    let mut sources = Sources::new();
    let id = sources.add(file, text);
    let tree = loupe_microc::parse(id, text).map_err(first)?;
    let resolution = loupe_microc::resolve(&tree).map_err(first)?;
    Ok(loupe_microc::lower(&tree, &resolution, sources, Dialect::default()))
}

fn compile_c(text: &str, file: &str) -> Result<Program, Diagnostic> {
    let data_model = DataModel::Lp64;
    let source = loupe_c::Source {
        name: file.to_owned(),
        text: text.as_bytes().to_vec(),
        options: front::Options::new(data_model),
    };
    let options = lower::Options {
        data_model,
        checks: lower::Checks {
            signed_overflow: true,
            uninitialised: true,
            pointer_arithmetic: true,
        },
        volatile: lower::Volatile::Memory,
        entry: lower::Entry::Main,
        needs: lower::Needs::default(),
    };
    let lowered = loupe_c::compile(vec![source], None, &NoFiles, &options);
    lowered.map(|lowered| lowered.program).map_err(|rejected| first(rejected.errors))
}

/// Generated programs include nothing but standard headers.
#[derive(Debug)]
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, _path: &Path) -> bool {
        false
    }
}
