//! C programs without inputs have one path: exploring them ends as running them does, with the same output.
//!
//! A program that ends as unknown must say why, with one of the few reasons that are known here.

use loupe_c::front::{self, DataModel, Files, Standard};
use loupe_c::{Source, lower};
use loupe_engine::concrete::{self, Interpreter, Stream, Unobserved};
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_symbolic::domain::Symbolic;
use loupe_symbolic::explore::{End, Explorer, Leaf, Limits, Observer, Options};
use loupe_symbolic::search::{Strategy, strategy};
use loupe_symbolic::value::Int;
use loupe_term::Assignment;
use loupe_tests::cprogram::{self, CProgram};
use loupe_tests::gcc;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why a program may end as unknown, and nothing else.
const REASONS: [&str; 2] = [
    // Uninitialised values are any values, so these numbers depend on something.
    "a floating point number that depends on inputs",
    "the bits of a floating point number that depends on inputs",
];

/// So many instructions of a program are executed.
const MAX_STEPS: u64 = 2_000_000;

#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

fn compile(program: &CProgram, model: gcc::DataModel) -> Option<Program> {
    let data_model = match model {
        gcc::DataModel::Ilp32 => DataModel::Ilp32,
        gcc::DataModel::Lp64 => DataModel::Lp64,
    };
    let files = program.files.iter().filter(|file| file.extension().is_some_and(|end| end == "c"));
    let files = files.map(|file| {
        let mut options = front::Options::new(data_model);
        options.standard = match program.header.standard() {
            "gnu89" => Standard::Gnu89,
            "gnu99" => Standard::Gnu99,
            "gnu17" => Standard::Gnu17,
            "gnu23" => Standard::Gnu23,
            _ => Standard::Gnu11,
        };
        let text = fs::read(file).expect("a file");
        Source { text, name: file.display().to_string(), options }
    });
    let asks = |kind: &str| program.header.check.as_deref() == Some(kind);
    let lowering = lower::Options {
        data_model,
        checks: lower::Checks {
            signed_overflow: asks("signed-overflow"),
            uninitialised: asks("uninitialised-value"),
            pointer_arithmetic: asks("pointer-arithmetic"),
        },
        volatile: lower::Volatile::Memory,
        entry: lower::Entry::Main,
        needs: lower::Needs::default(),
    };
    let lowered = loupe_c::compile(files.collect(), None, &Disk, &lowering);
    lowered.ok().map(|lowered| lowered.program)
}

/// What can be seen of an execution.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    end: String,
    output: String,
    errors: String,
}

#[derive(Default)]
struct Written {
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl concrete::Output for Written {
    fn number(&mut self, value: &Integer) -> bool {
        self.output.extend(format!("{value}\n").bytes());
        true
    }

    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> bool {
        match stream {
            Stream::Output => self.output.extend(bytes),
            Stream::Error => self.errors.extend(bytes),
        }
        true
    }
}

fn seen(end: String, written: Written) -> Seen {
    let text = |bytes: Vec<u8>| bytes.escape_ascii().to_string();
    Seen { end, output: text(written.output), errors: text(written.errors) }
}

fn run(program: &Program) -> Option<Seen> {
    let options = concrete::Options {
        command_line: vec![b"program".to_vec()],
        max_steps: Some(MAX_STEPS),
        ..concrete::Options::default()
    };
    let mut written = Written::default();
    let end = match Interpreter::new(program, options).run(&mut written, &mut Unobserved).end {
        concrete::End::Returned(Some(Value::Int(number))) => format!("returned {number}"),
        concrete::End::Returned(_) => "returned".to_owned(),
        concrete::End::Exited(status) => format!("exited {status}"),
        concrete::End::Aborted => "aborted".to_owned(),
        concrete::End::Failed(failure) => {
            format!("{} in line {}", failure.kind.name(), failure.span.start.line)
        }
        _ => return None,
    };
    Some(seen(end, written))
}

/// The paths without arguments, and why others end as unknown.
#[derive(Default)]
struct Paths {
    seen: Vec<Result<Seen, String>>,
}

impl Observer for Paths {
    fn leaf(&mut self, domain: &mut Symbolic, leaf: &Leaf) {
        if leaf.streams.command_line().count.is_some_and(|count| count != 1)
            || matches!(&leaf.end, End::Limit(what) if what.contains("a command line"))
        {
            return;
        }
        let number = |int: &Int| match int {
            Int::Known(number) => number.to_string(),
            Int::Term(_) => "a term".to_owned(),
        };
        let end = match &leaf.end {
            End::Returned(Some(Value::Int(int))) => format!("returned {}", number(int)),
            End::Returned(_) => "returned".to_owned(),
            End::Exited(status) => format!("exited {}", number(status)),
            End::Aborted => "aborted".to_owned(),
            End::Failed { kind, .. } => {
                format!("{} in line {}", kind.name(), leaf.span.start.line)
            }
            End::Unsupported(what) | End::Limit(what) => {
                return self.seen.push(Err(format!("line {}: {what}", leaf.span.start.line)));
            }
            End::MayFail(_, reason) | End::Solver(reason) => {
                return self.seen.push(Err(format!("the solver: {reason}")));
            }
        };
        let mut written = Written::default();
        let nothing = Assignment::default();
        for output in leaf.outputs.oldest_first() {
            match domain.bytes_of(output, &nothing) {
                Some((stream, bytes)) if stream == Integer::ONE => written.output.extend(bytes),
                Some((_, bytes)) => written.errors.extend(bytes),
                None => written.errors.extend(b"(unknown)"),
            }
        }
        self.seen.push(Ok(seen(end, written)));
    }
}

fn explore(program: &Program) -> Result<Vec<Result<Seen, String>>, String> {
    let limits = Limits { steps: Some(MAX_STEPS), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let search = strategy(Strategy::Dfs, program, 1, &[]);
    let mut paths = Paths::default();
    let explored = Explorer::new(program, options, search).run(&mut paths, &|_, _| None);
    explored.map_err(|error| error.to_string())?;
    Ok(paths.seen)
}

/// What became of a program.
enum Verdict {
    Equal,
    Unknown(String),
    Different(String),
    /// The interpreter gives up as well.
    Nothing,
}

fn compare(program: &CProgram, model: gcc::DataModel) -> Verdict {
    let Some(code) = compile(program, model) else { return Verdict::Nothing };
    let Some(ran) = run(&code) else { return Verdict::Nothing };
    let paths = match explore(&code) {
        Ok(paths) => paths,
        Err(error) => return Verdict::Different(error),
    };
    if let Some(Err(reason)) = paths.iter().find(|path| path.is_err()) {
        return Verdict::Unknown(reason.clone());
    }
    match &paths[..] {
        [Ok(path)] if *path == ran => Verdict::Equal,
        paths => Verdict::Different(format!("ran: {ran:?}\n  paths: {paths:?}")),
    }
}

#[test]
fn programs_without_inputs_are_explored_as_they_run() {
    let programs: Vec<CProgram> = cprogram::features()
        .into_iter()
        .chain(cprogram::failures())
        .filter(|program| program.input.is_none())
        .collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for model in program.header.models() {
                        let verdict = compare(program, *model);
                        let name = format!("{} ({})", program.name, model.name());
                        found.lock().expect("no panic").push((name, verdict));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no panic");
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut equal, mut all, mut wrong) = (0, 0, 0);
    for (name, verdict) in &found {
        all += usize::from(!matches!(verdict, Verdict::Nothing));
        match verdict {
            Verdict::Equal => equal += 1,
            Verdict::Nothing => {}
            Verdict::Unknown(reason) => {
                println!("{name}: unknown: {reason}");
                wrong += usize::from(!REASONS.iter().any(|known| reason.contains(known)));
            }
            Verdict::Different(how) => {
                println!("{name}: {how}");
                wrong += 1;
            }
        }
    }
    println!("{equal} of {all} equal");
    assert_eq!(wrong, 0, "programs end otherwise, or as unknown for a reason that is not listed");
    assert!(all > 900, "only {all} programs were compared");
    assert!(equal * 100 >= all * 95, "only {equal} of {all} are equal");
}
