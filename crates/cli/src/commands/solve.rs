//! `loupe solve`

use crate::args::{Format, Solve};
use crate::console::{Console, write_result};
use crate::load;
use crate::status::{Failed, Status};
use crate::supervise;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_report::message::Message;
use loupe_report::query as report;
use loupe_solver::{Answer, Chain, ChainOptions, Error, Interrupt, Limits, SecondOpinion};
use loupe_term::smtlib::{self, Command, Note, ReadError, Script, Vocabulary};
use loupe_term::{Term, Terms};
use serde_json::{Value as Json, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

pub(crate) fn execute(solve: &Solve, console: &Console) -> Result<ExitCode, Failed> {
    let mut sources = Sources::new();
    sources.add(solve.file.display().to_string(), load::read_text(&solve.file)?);
    let text = sources.get(FileId(0)).map_or("", |file| &file.text);
    let mut session = Session {
        chain: Chain::new(options(solve)?),
        limits: limits(solve)?,
        terms: Terms::new(),
        vocabulary: Vocabulary::default(),
        answers: Vec::new(),
    };
    for (lines_before, part) in scripts(text) {
        let script = session.read(lines_before, &part);
        let script = script.map_err(|error| refuse(console, &sources, &error))?;
        for Note::DivisionFixed(place) in &script.notes {
            let (name, line) = (solve.file.display(), place.line + lines_before);
            console.note(&format!(
                "note: {name}:{line}:{}: a divisor may be 0 here; SMT-LIB leaves that quotient open, \
                 Loupe takes 0 for it",
                place.column
            ));
        }
        session.run(&script).map_err(|error| match error {
            Error::Surroundings(text) => Failed::bad_input(text),
            bug => Failed::Message(Status::Internal, bug.to_string()),
        })?;
    }
    session.report(solve)
}

/// The scripts of a file, each with the number of lines before it. In a log they are separated by lines
/// `(reset)`.
fn scripts(text: &str) -> Vec<(u32, String)> {
    let mut scripts = vec![(0, String::new())];
    for (number, line) in (1..).zip(text.lines()) {
        match scripts.last_mut() {
            Some((_, script)) if line.trim() != "(reset)" => {
                script.push_str(line);
                script.push('\n');
            }
            _ => scripts.push((number, String::new())),
        }
    }
    scripts
}

fn options(solve: &Solve) -> Result<ChainOptions, Failed> {
    let log: Option<Box<dyn Write>> = match &solve.log {
        None => None,
        Some(path) => match File::create(path) {
            Ok(file) => Some(Box::new(BufWriter::new(file))),
            Err(error) => {
                let name = path.display();
                return Err(Failed::bad_input(format!("cannot write `{name}`: {error}")));
            }
        },
    };
    let when = if solve.cross_check { SecondOpinion::Always } else { SecondOpinion::IfUnknown };
    let second = solve.solver_cmd.clone().map(|command| (command, when));
    Ok(ChainOptions { without: solve.without.iter().copied().collect(), log, second })
}

fn limits(solve: &Solve) -> Result<Limits, Failed> {
    let interrupt = Interrupt::default();
    let handle = interrupt.clone();
    supervise::on_stop(move || handle.request(), || {})?;
    Ok(Limits {
        work: solve.work,
        time: Duration::try_from_secs_f64(solve.timeout).unwrap_or(Duration::MAX),
        memory: solve.max_memory << 20,
        interrupt,
        ..Limits::default()
    })
}

/// A script that is being run.
struct Session {
    chain: Chain,
    limits: Limits,
    terms: Terms,
    /// The symbols of all scripts so far: the same name means the same symbol.
    vocabulary: Vocabulary,
    /// The answers, each with the assertions that were asked for.
    answers: Vec<(Vec<Term>, Answer)>,
}

impl Session {
    fn read(&mut self, lines_before: u32, text: &str) -> Result<Script, ReadError> {
        let script = smtlib::read(&mut self.terms, text, &self.vocabulary);
        let script = script.map_err(|mut error| {
            error.position.line += lines_before;
            error
        })?;
        self.vocabulary.symbols.extend(script.symbols.clone());
        self.vocabulary.functions.extend(script.functions.clone());
        Ok(script)
    }

    fn run(&mut self, script: &Script) -> Result<(), Error> {
        let mut assertions: Vec<Term> = Vec::new();
        let mut scopes: Vec<usize> = Vec::new();
        for command in &script.commands {
            match command {
                Command::Assert(term) => assertions.push(*term),
                Command::Push(count) => scopes.extend((0..*count).map(|_| assertions.len())),
                Command::Pop(count) => {
                    for _ in 0..*count {
                        assertions.truncate(scopes.pop().unwrap_or(0));
                    }
                }
                Command::CheckSat => {
                    let answer = self.chain.check(&mut self.terms, &assertions, &self.limits)?;
                    self.answers.push((assertions.clone(), answer));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn report(&self, solve: &Solve) -> Result<ExitCode, Failed> {
        let names = &self.vocabulary.symbols;
        match solve.format {
            Format::Text => {
                let mut text = String::new();
                for (assertions, answer) in &self.answers {
                    text.push_str(&report::answer_text(&self.terms, names, assertions, answer));
                }
                if solve.stats {
                    text.push_str(&report::statistics_text(&self.chain.statistics()));
                }
                write_result(&text, None)?;
            }
            Format::Json => {
                let answers: Vec<Json> = self
                    .answers
                    .iter()
                    .map(|(assertions, answer)| {
                        report::answer_json(&self.terms, names, assertions, answer)
                    })
                    .collect();
                let links = report::statistics_json(&self.chain.statistics());
                let whole = json!({
                    "file": solve.file.display().to_string(),
                    "answers": answers,
                    "links": links,
                    "version": env!("CARGO_PKG_VERSION"),
                });
                write_result(&format!("{whole:#}"), None)?;
            }
        }
        let unknown = |(_, answer): &(_, Answer)| matches!(answer, Answer::Unknown(_));
        let open = self.answers.iter().any(unknown);
        Ok(if open { Status::Unknown } else { Status::Done }.into())
    }
}

fn refuse(console: &Console, sources: &Sources, error: &ReadError) -> Failed {
    let (line, column) = (error.position.line, error.position.column);
    let (start, end) = (Position::new(line, column), Position::new(line, column + 1));
    let span = Span::new(FileId(0), start, end);
    let message = Message::from(&Diagnostic::error(span, error.kind.to_string()));
    console.message(&message, sources);
    Failed::Reported(Status::BadInput)
}
