//! Directives: what a program file says about itself.
//!
//! They stand in comments at the top of the file, each on a line of its own:
//!
//! ```text
//! // loupe: run --input "1 2" => result 3
//! // loupe: run --input "1 0" => error division-by-zero 9:12
//! // loupe: cfg --norm => ok
//! ```
//!
//! The first word says what the directive is about and how the rest of it is read. So far these are
//! commands of `loupe`: the name of the file comes right behind the command, then the arguments, in
//! which a word may be quoted; behind `=>` stands the outcome.
//!
//! | outcome | exit status | and |
//! |---|---|---|
//! | `ok` | 0 | |
//! | `result N` | 0 | `main` returned this number |
//! | `status N` | N | that is the program's own (`--pass-status`) |
//! | `error KIND LINE:COLUMN` | 1 | this error is reported there |
//! | `limit` | 2 | a limit was reached |
//! | `unsupported` | 2 | the program does what has no model |
//! | `rejected` | 3 | |
//! | `rejected LINE:COLUMN` | 3 | the first message is about this place |

use crate::process::Finished;
use crate::verdict::{self, Place};
use loupe_ir::check::CheckKind;
use std::fmt;

/// What every directive starts with.
const MARK: &str = "// loupe:";

/// A call of `loupe` with the program, and what should come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The line where it stands.
    pub line: usize,
    /// The command.
    pub command: String,
    /// What comes behind the name of the file.
    pub arguments: Vec<String>,
    /// How it ends.
    pub outcome: Outcome,
}

/// How a call of `loupe` ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Well.
    Ok,
    /// The program returns this number.
    Result(String),
    /// `loupe` exits with this status, which is the program's.
    Status(i32),
    /// With a run-time error.
    Error {
        /// The name of its kind.
        kind: String,
        /// Where it is.
        place: Place,
    },
    /// A limit is reached.
    Limit,
    /// The program does what has no model.
    Unsupported,
    /// The program, or the call, is refused, with a first message about this place.
    Rejected(Option<Place>),
}

/// A directive that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misunderstood {
    /// The line where it stands.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Misunderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// The directives of a program; there must be some.
pub fn parse(program: &str) -> Result<Vec<Directive>, Misunderstood> {
    let mut directives = Vec::new();
    let mut at_top = true;
    for (number, text) in (1..).zip(program.lines()) {
        let wrong = |reason: String| Misunderstood { line: number, reason };
        at_top &= text.trim().is_empty() || text.starts_with("//");
        if let Some(directive) = text.strip_prefix(MARK) {
            if !at_top {
                return Err(wrong("a directive stands at the top of the file".to_owned()));
            }
            directives.push(parse_line(number, directive).map_err(wrong)?);
        } else if looks_like_a_directive(text) {
            return Err(wrong(format!("a directive starts with `{MARK}`")));
        }
    }
    if directives.is_empty() {
        let reason = format!("the program has no directive `{MARK} …`");
        return Err(Misunderstood { line: 1, reason });
    }
    Ok(directives)
}

/// A slip would otherwise be a comment that nobody reads.
fn looks_like_a_directive(text: &str) -> bool {
    let letters: String = text.chars().filter(|c| !c.is_whitespace()).take(9).collect();
    letters.to_lowercase().starts_with("//loupe:")
}

fn parse_line(line: usize, text: &str) -> Result<Directive, String> {
    let mut words = words(text)?.into_iter();
    let command = words.next().ok_or("the directive is empty")?;
    match command.as_str() {
        "run" | "cfg" | "ast" => {}
        other => return Err(format!("unknown directive `{other}`")),
    }
    let words: Vec<String> = words.collect();
    let arrow = words.iter().rposition(|word| word == "=>").ok_or("there is no `=>`")?;
    let outcome = parse_outcome(&words[arrow + 1..])?;
    Ok(Directive { line, command, arguments: words[..arrow].to_vec(), outcome })
}

fn parse_outcome(words: &[String]) -> Result<Outcome, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let place = |text: &str| Place::parse(text).ok_or(format!("`{text}` is no LINE:COLUMN"));
    Ok(match words[..] {
        ["ok"] => Outcome::Ok,
        ["result", number] => Outcome::Result(number.to_owned()),
        ["status", number] => {
            Outcome::Status(number.parse().map_err(|_| format!("`{number}` is no exit status"))?)
        }
        ["error", kind, at] => {
            if CheckKind::ALL.iter().all(|known| known.name() != kind) {
                return Err(format!("there is no error `{kind}`"));
            }
            Outcome::Error { kind: kind.to_owned(), place: place(at)? }
        }
        ["limit"] => Outcome::Limit,
        ["unsupported"] => Outcome::Unsupported,
        ["rejected"] => Outcome::Rejected(None),
        ["rejected", at] => Outcome::Rejected(Some(place(at)?)),
        _ => return Err(format!("unknown outcome `{}`", words.join(" "))),
    })
}

/// Words between spaces; one with spaces, or without anything, stands in quotes.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("a quote is not closed")?,
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        if !behind.is_empty() && !behind.starts_with(char::is_whitespace) {
            return Err(format!("there is no space behind \"{word}\""));
        }
        words.push(word.to_owned());
        rest = behind.trim_start();
    }
    Ok(words)
}

impl Outcome {
    /// Why the call did not end like this; `None` if it did.
    pub fn missed_by(&self, run: &Finished) -> Option<String> {
        let status = match self {
            Outcome::Ok | Outcome::Result(_) => 0,
            Outcome::Status(status) => *status,
            Outcome::Error { .. } => 1,
            Outcome::Limit | Outcome::Unsupported => 2,
            Outcome::Rejected(_) => 3,
        };
        if run.status != status {
            return Some(format!("the exit status is {}, not {status}", run.status));
        }
        let first = verdict::errors(run).into_iter().next();
        let title = first.as_ref().map_or("", |error| &error.title);
        match self {
            Outcome::Ok | Outcome::Status(_) | Outcome::Rejected(None) => None,
            Outcome::Result(expected) => {
                let result = verdict::result(run);
                (result != Some(expected)).then(|| format!("the result is {result:?}"))
            }
            Outcome::Error { kind, place } => {
                let found = first.as_ref().and_then(|error| Some((error.kind()?, error.place?)));
                (found != Some((kind, *place))).then(|| format!("the error is {first:?}"))
            }
            Outcome::Limit => {
                (!title.starts_with("stopped: ")).then(|| format!("it says `{title}`"))
            }
            Outcome::Unsupported => {
                (!title.starts_with("not modelled: ")).then(|| format!("it says `{title}`"))
            }
            Outcome::Rejected(place) => {
                let found = first.and_then(|error| error.place);
                (found != *place).then(|| format!("the first error is at {found:?}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn check(directive: &str, command: &str, arguments: &[&str], outcome: Outcome) {
        let found = parse(&format!("// about it\n\n{MARK} {directive}\nmain() {{ }}\n"));
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        let expected = Directive { line: 3, command: command.to_owned(), arguments, outcome };
        assert_eq!(found, Ok(vec![expected]));
    }

    fn check_wrong(program: &str, line: usize, reason: &str) {
        let reason = reason.to_owned();
        assert_eq!(parse(program), Err(Misunderstood { line, reason }));
    }

    #[test]
    fn outcomes_are_read() {
        let place = Place { line: 9, column: 12 };
        check("run => ok", "run", &[], Outcome::Ok);
        check("run => result -3", "run", &[], Outcome::Result("-3".to_owned()));
        check("run => status 7", "run", &[], Outcome::Status(7));
        let kind = "division-by-zero".to_owned();
        check("run => error division-by-zero 9:12", "run", &[], Outcome::Error { kind, place });
        check("run => limit", "run", &[], Outcome::Limit);
        check("run => unsupported", "run", &[], Outcome::Unsupported);
        check("ast => rejected", "ast", &[], Outcome::Rejected(None));
        check("cfg => rejected 9:12", "cfg", &[], Outcome::Rejected(Some(place)));
    }

    #[test]
    fn arguments_are_words_and_may_be_quoted() {
        let arguments = ["--input", "1 2", "--max-steps", "10", "--input", ""];
        check(
            r#"run --input "1 2" --max-steps 10 --input "" => ok"#,
            "run",
            &arguments,
            Outcome::Ok,
        );
    }

    #[test]
    fn a_program_has_directives() {
        check_wrong("main() { }", 1, "the program has no directive `// loupe: …`");
        check_wrong("", 1, "the program has no directive `// loupe: …`");
        let two = "// loupe: run => ok\n// loupe: ast => ok\n";
        assert_eq!(parse(two).map(|directives| directives.len()), Ok(2));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        check_wrong("// loupe: fly => ok", 1, "unknown directive `fly`");
        check_wrong("// loupe:", 1, "the directive is empty");
        check_wrong("// loupe: run", 1, "there is no `=>`");
        check_wrong("// loupe: run =>", 1, "unknown outcome ``");
        check_wrong("// loupe: run => fine", 1, "unknown outcome `fine`");
        check_wrong("// loupe: run => error bad-luck 1:1", 1, "there is no error `bad-luck`");
        check_wrong("// loupe: run => rejected 3", 1, "`3` is no LINE:COLUMN");
        check_wrong("// loupe: run => status x", 1, "`x` is no exit status");
        check_wrong("// loupe: run --input \"1 => ok", 1, "a quote is not closed");
        check_wrong("// loupe: run --input \"1\"2 => ok", 1, "there is no space behind \"1\"");
    }

    #[test]
    fn directives_stand_at_the_top_and_are_not_mistaken_for_comments() {
        let below = "// loupe: run => ok\nmain() { }\n// loupe: run => ok\n";
        check_wrong(below, 3, "a directive stands at the top of the file");
        check_wrong("//loupe: run => ok", 1, "a directive starts with `// loupe:`");
        check_wrong("  // Loupe: run => ok", 1, "a directive starts with `// loupe:`");
    }

    #[test]
    fn a_run_is_held_against_its_outcome() {
        let run = |status, stderr: &str| Finished {
            status,
            stdout: String::new(),
            stderr: stderr.to_owned(),
            time: Duration::ZERO,
        };
        let missed = |outcome: &str, status, stderr| {
            let words = words(outcome).expect("words");
            parse_outcome(&words).expect("an outcome").missed_by(&run(status, stderr)).is_some()
        };
        assert!(!missed("ok", 0, ""));
        assert!(missed("ok", 1, ""));
        assert!(!missed("result 3", 0, "result: 3\n"));
        assert!(missed("result 3", 0, "result: 33\n"));
        assert!(!missed("status 9", 9, ""));
        let failed = "error: no [type-error]\n --> f:1:2\n";
        assert!(!missed("error type-error 1:2", 1, failed));
        assert!(missed("error type-error 1:3", 1, failed));
        assert!(missed("error assertion 1:2", 1, failed));
        assert!(!missed("limit", 2, "error: stopped: enough\n"));
        assert!(missed("limit", 2, "error: not modelled: this\n"));
        assert!(!missed("unsupported", 2, "error: not modelled: this\n"));
        assert!(!missed("rejected", 3, "error: no\n"));
        assert!(!missed("rejected 1:2", 3, "error: no\n --> f:1:2\n"));
        assert!(missed("rejected 1:2", 3, "error: no\n"));
    }
}
