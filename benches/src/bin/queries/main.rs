//! Replays logs of queries through the chain in several configurations, and prints the ratios.
//!
//! Without arguments the logs are recorded first, by exploring small programs; with arguments they are
//! files that `--log` of any command wrote. The baseline of each log is bare Z3, incremental, in the same
//! run. `cold` is a new chain; `warm` the same chain asked the whole log again. `cvc5` is another solver
//! in a process of its own, for the first queries of a log. Answers must agree, or the measurement is
//! void. Nothing fails because it is slow.

mod workloads;

use loupe_solver::links::{Entry, External, entries};
use loupe_solver::{Answer, Chain, ChainOptions, Error, Limits, LinkName, Query, Solver};
use loupe_solver::{SolverCommand, Z3};
use loupe_term::Terms;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// An external process answers at most so many queries of each log.
const EXTERNAL_QUERIES: usize = 100;

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{path}: {error}")]
    Io { path: String, error: io::Error },
    #[error("{path}: {error:?}")]
    Log { path: String, error: Box<loupe_term::smtlib::ReadError> },
    #[error(transparent)]
    Solver(#[from] Error),
    #[error("{log}: {configuration} says {found} to query {number}, and Z3 says {expected}")]
    Different {
        log: String,
        configuration: String,
        number: usize,
        found: &'static str,
        expected: &'static str,
    },
}

fn main() -> ExitCode {
    match measure_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all() -> Result<(), Failure> {
    let mut logs = Vec::new();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::Io { path: path.clone(), error })?;
        logs.push((path, text));
    }
    if logs.is_empty() {
        logs = workloads::WORKLOADS.iter().map(|w| (w.name.to_owned(), record(w))).collect();
    }
    println!(
        "{:<10} {:<20} {:>8} {:>10} {:>8} {:>9} {:>8}",
        "log", "configuration", "queries", "µs/query", "ratio", "to Z3", "fewer"
    );
    for (name, text) in &logs {
        measure(name, text)?;
    }
    println!("ratio: time, relative to bare Z3; fewer: queries for each that reached Z3");
    Ok(())
}

/// A writer into memory.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log of an exploration.
fn record(workload: &workloads::Workload) -> String {
    let memory = Memory::default();
    let options = ChainOptions { log: Some(Box::new(memory.clone())), ..Default::default() };
    let mut chain = Chain::new(options);
    workloads::explore(&mut Terms::new(), &mut chain, workload);
    String::from_utf8_lossy(&memory.0.borrow()).into_owned()
}

fn limits() -> Limits {
    Limits { work: 2_000_000, ..Limits::default() }
}

/// The time for some queries, the answers, and how many of them reached Z3.
struct Replay {
    time: Duration,
    answers: Vec<&'static str>,
    backend: u64,
}

fn replay(
    terms: &mut Terms,
    queries: &[Entry],
    mut check: impl FnMut(&mut Terms, &Query<'_>) -> Result<Answer, Error>,
) -> Result<Replay, Failure> {
    let limits = limits();
    let mut answers = Vec::with_capacity(queries.len());
    let start = Instant::now();
    for entry in queries {
        let query = Query { assertions: &entry.assertions, limits: &limits };
        answers.push(match check(terms, &query)? {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        });
    }
    Ok(Replay { time: start.elapsed(), answers, backend: 0 })
}

fn replay_chain(
    terms: &mut Terms,
    queries: &[Entry],
    chain: &mut Chain,
) -> Result<Replay, Failure> {
    let asked = |chain: &Chain| {
        let statistics = chain.statistics();
        statistics.iter().find(|link| link.link == "z3").map_or(0, |link| link.queries)
    };
    let before = asked(chain);
    let result =
        replay(terms, queries, |terms, query| chain.check(terms, query.assertions, query.limits))?;
    Ok(Replay { backend: asked(chain) - before, ..result })
}

fn measure(log: &str, text: &str) -> Result<(), Failure> {
    let read = |terms: &mut Terms| {
        entries(terms, text)
            .map_err(|error| Failure::Log { path: log.to_owned(), error: Box::new(error) })
    };
    let mut terms = Terms::new();
    let queries = read(&mut terms)?;
    let mut z3 = Z3::new();
    // The first query pays for loading; that is measured elsewhere.
    let nothing = Query { assertions: &[], limits: &limits() };
    z3.check(&mut terms, &nothing)?;
    let mut baseline = replay(&mut terms, &queries, |terms, query| z3.check(terms, query))?;
    baseline.backend = queries.len() as u64;
    let table = Table { log, baseline };
    table.row("bare Z3", &table.baseline)?;

    let mut terms = Terms::new();
    let queries = read(&mut terms)?;
    let mut chain = Chain::new(ChainOptions::default());
    table.row("chain, cold", &replay_chain(&mut terms, &queries, &mut chain)?)?;
    table.row("chain, warm", &replay_chain(&mut terms, &queries, &mut chain)?)?;
    for link in LinkName::ALL {
        let mut terms = Terms::new();
        let queries = read(&mut terms)?;
        let without = [link].into_iter().collect();
        let mut chain = Chain::new(ChainOptions { without, ..Default::default() });
        let result = replay_chain(&mut terms, &queries, &mut chain)?;
        table.row(&format!("without {link}"), &result)?;
    }
    // Nothing but handing queries on.
    let mut terms = Terms::new();
    let queries = read(&mut terms)?;
    let without = LinkName::ALL.into_iter().collect();
    let mut chain = Chain::new(ChainOptions { without, ..Default::default() });
    table.row("no links", &replay_chain(&mut terms, &queries, &mut chain)?)?;
    if let Some(mut cvc5) = cvc5() {
        let first = &queries[..queries.len().min(EXTERNAL_QUERIES)];
        let result = replay(&mut terms, first, |terms, query| cvc5.check(terms, query))?;
        table.row("cvc5, a process", &result)?;
    }
    Ok(())
}

/// cvc5 as an external process, if it has been set up.
fn cvc5() -> Option<External> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let script = home.join("scripts/cvc5-stdin.py");
    let command = format!("python3 '{}' 5000", script.display());
    let command = SolverCommand::parse(&command).ok()?;
    home.join(".deps/cvc5").exists().then(|| External::new(command))
}

/// The rows of one log.
struct Table<'l> {
    log: &'l str,
    baseline: Replay,
}

impl Table<'_> {
    fn row(&self, configuration: &str, result: &Replay) -> Result<(), Failure> {
        for (number, (found, expected)) in
            result.answers.iter().zip(&self.baseline.answers).enumerate()
        {
            if found != expected && *found != "unknown" && *expected != "unknown" {
                let (log, configuration) = (self.log.to_owned(), configuration.to_owned());
                return Err(Failure::Different { log, configuration, number, found, expected });
            }
        }
        let each =
            |replay: &Replay| replay.time.as_secs_f64() * 1e6 / replay.answers.len().max(1) as f64;
        let ratio = each(result) / each(&self.baseline);
        let fewer = match result.backend {
            0 => "-".to_owned(),
            backend => format!("{:.1}", result.answers.len() as f64 / backend as f64),
        };
        println!(
            "{:<10} {configuration:<20} {:>8} {:>10.1} {ratio:>8.3} {:>9} {fewer:>8}",
            self.log,
            result.answers.len(),
            each(result),
            result.backend,
        );
        Ok(())
    }
}
