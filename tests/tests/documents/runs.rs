//! The interpreter on many inputs: what programs really do.

use loupe_c::front::{self, DataModel, Files};
use loupe_c::{Source, lower};
use loupe_engine::concrete::{End, Interpreter, Options, Output, RunLength, Stream, Unobserved};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::Sources;
use loupe_microc::Dialect;
use std::path::Path;
use std::{fs, io};

/// So many instructions are executed; a program that wants more counts as endless.
const MAX_STEPS: u64 = 20_000;

#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ended {
    /// It came to its end.
    Properly,
    /// An assumption did not hold, or it aborted itself.
    Early,
    /// An error: its kind and line.
    Failed(String, u64),
    /// It took more than [`MAX_STEPS`] instructions.
    Never,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// The numbers that it put out.
    pub(crate) output: Vec<i64>,
    pub(crate) ended: Ended,
}

/// The numbers in what a program writes.
#[derive(Default)]
struct Written(String);

impl Output for Written {
    fn number(&mut self, value: &Integer) -> bool {
        self.0 += &format!("{value} ");
        true
    }

    fn bytes(&mut self, _stream: Stream, bytes: &[u8]) -> bool {
        self.0 += &String::from_utf8_lossy(bytes);
        true
    }
}

/// Reads a program by the ending of its name.
pub(crate) fn read(file: &Path) -> Result<Program, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let name = file.display().to_string();
    if file.extension().is_some_and(|ending| ending == "c") {
        let model = DataModel::Lp64;
        let (text, options) = (text.into_bytes(), front::Options::new(model));
        let options_of_lowering = lower::Options {
            data_model: model,
            checks: lower::Checks::default(),
            volatile: lower::Volatile::Memory,
            entry: lower::Entry::Main,
            needs: lower::Needs::default(),
        };
        let sources = vec![Source { name, text, options }];
        let lowered = loupe_c::compile(sources, None, &Disk, &options_of_lowering);
        return match lowered {
            Ok(lowered) => Ok(lowered.program),
            Err(rejected) => Err(format!("{:?}", rejected.errors)),
        };
    }
    let mut sources = Sources::new();
    let id = sources.add(name, text.clone());
    let tree = loupe_microc::parse(id, &text).map_err(|errors| format!("{errors:?}"))?;
    let resolution = loupe_microc::resolve(&tree).map_err(|errors| format!("{errors:?}"))?;
    Ok(loupe_microc::lower(&tree, &resolution, sources, Dialect::default()))
}

/// Runs a program.
pub(crate) fn run(program: &Program, inputs: &[i64]) -> Ran {
    let options = Options {
        input: Box::new(inputs.iter().map(|input| Integer::from(*input)).collect::<RunLength>()),
        max_steps: Some(MAX_STEPS),
        ..Options::default()
    };
    let mut written = Written::default();
    let run = Interpreter::new(program, options).run(&mut written, &mut Unobserved);
    let ended = match run.end {
        End::Returned(_) | End::Exited(_) => Ended::Properly,
        End::Aborted | End::AssumptionFailed => Ended::Early,
        End::Failed(failure) => {
            // An error of the library is the user's, where he called it.
            let own = run.stack.iter().rev().map(|call| call.span);
            let mut own = own.filter(|span| program.sources.is_users(*span));
            let span = own.next().unwrap_or(failure.span);
            Ended::Failed(failure.kind.name().to_owned(), u64::from(span.start.line))
        }
        End::Halted(_) => Ended::Never,
    };
    let numbers = written.0.split_whitespace().map(|word| word.parse().expect("a number"));
    Ran { output: numbers.collect(), ended }
}

/// All vectors of a length over some numbers.
pub(crate) fn vectors(length: usize, numbers: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = all.iter().flat_map(|shorter: &Vec<i64>| {
            numbers.iter().map(move |number| [&shorter[..], &[*number]].concat())
        });
        all = longer.collect();
    }
    all
}
