//! Another solver, as a process that speaks SMT-LIB on its standard input and output.
//!
//! The process stays and answers query after query, with `(reset)` in between. When it takes too long or
//! breaks, it is killed, and the next query starts a new one: a crash in there costs one answer.
//!
//! Threads of their own write and read, so that a process that does not listen, or talks all the time,
//! holds nobody up longer than the limits allow, and what it says is read only up to a size. (If it has
//! started processes itself, these are not killed with it.)

use crate::answer::{self, Solver};
use crate::answer::{Answer, Error, Evaluated, Evidence, LinkStatistics, Model, Query, Reason};
use crate::script;
use loupe_integer::Integer;
use loupe_term::{Assignment, Sort, SymbolId, Terms, Value};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// The process says this when it is done with a query.
const DONE: &str = "loupe-done";
/// How often interrupts are looked for.
const PERIOD: Duration = Duration::from_millis(20);
/// No answer is longer, in bytes.
const MAX_ANSWER: usize = 16 << 20;
/// So many lines may wait to be looked at.
const WAITING: usize = 64;

/// The command of a solver, such as `cvc5 --incremental`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    program: String,
    arguments: Vec<String>,
}

impl SolverCommand {
    /// A command as it is typed: words separated by spaces, with `"…"` or `'…'` around words that have
    /// spaces themselves.
    ///
    /// # Errors
    ///
    /// If there is no word, or a quote is not closed.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut words = words(text)?.into_iter();
        let program = words.next().ok_or_else(|| surroundings("the solver command is empty"))?;
        Ok(SolverCommand { program, arguments: words.collect() })
    }
}

fn surroundings(text: impl Into<String>) -> Error {
    Error::Surroundings(text.into())
}

fn words(text: &str) -> Result<Vec<String>, Error> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(surroundings(format!("a quote is not closed in the solver command: {text}")));
    }
    words.extend(word);
    Ok(words)
}

/// A solver in a process of its own.
pub struct External {
    command: SolverCommand,
    process: Option<Process>,
    statistics: LinkStatistics,
}

struct Process {
    child: Child,
    scripts: Sender<String>,
    lines: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start(command: &SolverCommand) -> Result<Self, Error> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| surroundings(format!("cannot start `{}`: {e}", command.program)))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(surroundings(format!("`{}` has no pipes", command.program)));
        };
        let (scripts, to_write) = channel();
        let (send, lines) = sync_channel(WAITING);
        std::thread::spawn(move || write(input, &to_write));
        std::thread::spawn(move || read(output, &send));
        Ok(Process { child, scripts, lines })
    }

    /// Sends a script and waits for the answer up to `DONE`.
    fn ask(&mut self, script: &str, query: &Query<'_>) -> Result<Vec<String>, Reason> {
        let broken = |words: &str, answer: &[String]| {
            let start: String = answer.join(" ").chars().take(200).collect();
            Reason::Failure(format!("the solver process {words}: {start}"))
        };
        let deadline = Instant::now().checked_add(query.limits.time);
        // If the thread that writes has ended, so has the process, and then there are no lines.
        let _ = self.scripts.send(format!("{script}\n(echo \"{DONE}\")\n(reset)\n"));
        let (mut answer, mut size) = (Vec::new(), 0);
        loop {
            match self.lines.recv_timeout(PERIOD) {
                Ok(line) if line.trim().trim_matches('"') == DONE => return Ok(answer),
                Ok(line) => {
                    size += line.len() + size_of::<String>();
                    answer.push(line);
                    if size > MAX_ANSWER {
                        return Err(broken("does not come to an end", &answer));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(broken("ended", &answer)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if query.limits.interrupt.is_requested() {
                return Err(Reason::Interrupted);
            }
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return Err(Reason::Time);
            }
        }
    }
}

/// Writes scripts until there are no more or the process is gone.
fn write(mut input: ChildStdin, scripts: &Receiver<String>) {
    for script in scripts {
        if input.write_all(script.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines, newlines included, until the process closes its output, nobody listens any more, or a
/// line is too long to be part of an answer.
fn read(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output).take(MAX_ANSWER as u64).read_until(b'\n', &mut line);
        let ended = !matches!(read, Ok(1..MAX_ANSWER));
        if ended || lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}

impl External {
    /// The solver with this command, started when the first query comes.
    pub fn new(command: SolverCommand) -> Self {
        External { command, process: None, statistics: LinkStatistics::new("external") }
    }

    fn ask(&mut self, terms: &Terms, query: &Query<'_>) -> Result<Answer, Error> {
        let printed = match script::of_query(terms, query.assertions) {
            Ok(printed) => printed,
            Err(reason) => return Ok(Answer::Unknown(Reason::Incomplete(reason.to_string()))),
        };
        let symbols = readable(terms, &printed.symbols);
        let mut text = format!("(set-option :produce-models true)\n{}", printed.text);
        if !symbols.is_empty() {
            let names: Vec<String> = symbols.iter().map(|(name, _)| quoted(name)).collect();
            text.push_str(&format!("(get-value ({}))\n", names.join(" ")));
        }
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(Process::start(&self.command)?),
        };
        let lines = match process.ask(&text, query) {
            Ok(lines) => lines,
            Err(reason) => {
                self.process = None;
                return Ok(Answer::Unknown(reason));
            }
        };
        // Some solvers answer options with `success`.
        let mut lines = lines.iter().map(|line| line.trim()).filter(|line| *line != "success");
        Ok(match lines.next() {
            Some("unsat") => Answer::Unsat((0..query.assertions.len()).collect()),
            Some("sat") => {
                let rest: Vec<&str> = lines.collect();
                Answer::Sat(candidate(terms, query, &symbols, &rest.join(" ")))
            }
            Some("unknown") => Answer::Unknown(Reason::Incomplete("unknown".into())),
            Some(other) => Answer::Unknown(Reason::Failure(other.to_owned())),
            None => Answer::Unknown(Reason::Failure("no answer".into())),
        })
    }
}

/// The symbols whose values are easy to read.
fn readable(terms: &Terms, symbols: &BTreeMap<String, SymbolId>) -> Vec<(String, SymbolId)> {
    let plain = |id: &SymbolId| !matches!(terms.symbol(*id).sort, Sort::Array(_));
    symbols.iter().filter(|(_, id)| plain(id)).map(|(name, id)| (name.clone(), *id)).collect()
}

/// A name, quoted where it may have to be: quotes around plain symbols change nothing.
fn quoted(name: &str) -> String {
    format!("|{name}|")
}

/// The model that was printed. Arrays and functions are not read, so it is trusted only if evaluation
/// shows that they do not matter.
fn candidate(
    terms: &Terms,
    query: &Query<'_>,
    symbols: &[(String, SymbolId)],
    printed: &str,
) -> Model {
    let mut values = Assignment::default();
    // `((|x| 5) (y (- 3)) (p true))`, in the order that was asked for.
    let mut tokens = printed
        .split(|letter: char| letter.is_whitespace() || letter == '(' || letter == ')')
        .filter(|token| !token.is_empty());
    for (name, id) in symbols {
        let Some(found) = tokens.next() else { break };
        if found.trim_matches('|') != name {
            break;
        }
        let mut token = tokens.next();
        let negative = token == Some("-");
        if negative {
            token = tokens.next();
        }
        let value = match token {
            Some("true") => Some(Value::Bool(true)),
            Some("false") => Some(Value::Bool(false)),
            Some(digits) => digits
                .parse::<Integer>()
                .ok()
                .map(|value| Value::Int(if negative { value.neg() } else { value })),
            None => None,
        };
        values.symbols.extend(value.map(|value| (*id, value)));
    }
    let evidence = match answer::evaluate(terms, query.assertions, &values) {
        Evaluated::True => Evidence::Evaluated,
        Evaluated::False(_) | Evaluated::Open => Evidence::Claimed,
    };
    Model { values, evidence }
}

impl Solver for External {
    fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        let start = Instant::now();
        let answer = match query.limits.exhausted() {
            Some(reason) => Ok(Answer::Unknown(reason)),
            None => self.ask(terms, query),
        };
        self.statistics.queries += 1;
        self.statistics.answered += 1;
        self.statistics.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        vec![self.statistics.clone()]
    }
}

#[cfg(test)]
mod tests;
