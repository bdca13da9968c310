//! What a run said, read from what users see.

use crate::process::Finished;
use serde_json::Value as Json;
use std::fmt;

/// A place in a program: line and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

impl Place {
    /// Reads `LINE:COLUMN`.
    pub fn parse(text: &str) -> Option<Self> {
        let (line, column) = text.split_once(':')?;
        Some(Place { line: line.parse().ok()?, column: column.parse().ok()? })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// An error that was reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The message after `error: `.
    pub title: String,
    /// Where, if it is about a place.
    pub place: Option<Place>,
}

impl Reported {
    /// The kind of a run-time error, which stands in brackets behind the message.
    pub fn kind(&self) -> Option<&str> {
        let (_, kind) = self.title.strip_suffix(']')?.rsplit_once(" [")?;
        Some(kind)
    }
}

/// The errors on standard error.
pub fn errors(run: &Finished) -> Vec<Reported> {
    let mut errors: Vec<Reported> = Vec::new();
    for line in run.stderr.lines() {
        if let Some(title) = line.strip_prefix("error: ") {
            errors.push(Reported { title: title.to_owned(), place: None });
        } else if let Some(error) = errors.last_mut()
            && let Some(place) = line.trim_start().strip_prefix("--> ")
            && error.place.is_none()
        {
            error.place = place_at_end(place);
        }
    }
    errors
}

/// The place in `FILE:LINE:COLUMN`.
fn place_at_end(text: &str) -> Option<Place> {
    let (rest, _) = text.rsplit_once(':')?;
    let (file, _) = rest.rsplit_once(':')?;
    Place::parse(&text[file.len() + 1..])
}

/// The result of the program, which stands on standard error.
pub fn result(run: &Finished) -> Option<&str> {
    run.stderr.lines().find_map(|line| line.strip_prefix("result: "))
}

/// What `run` says, in text or as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The exit status.
    pub status: i32,
    /// The output of the program.
    pub output: String,
    /// Its result, if it has one.
    pub result: Option<String>,
    /// Kind and place of its error, if it has one.
    pub error: Option<(String, Place)>,
}

impl Verdict {
    /// From a run with `--format text`.
    pub fn of_text(run: &Finished) -> Self {
        let error = errors(run).into_iter().next();
        Verdict {
            status: run.status,
            output: run.stdout.clone(),
            result: result(run).filter(|result| *result != "none").map(str::to_owned),
            error: error.and_then(|error| Some((error.kind()?.to_owned(), error.place?))),
        }
    }

    /// From a run with `--format json`; `None` if its standard output is not what it should be.
    pub fn of_json(run: &Finished) -> Option<Self> {
        let json: Json = serde_json::from_str(&run.stdout).ok()?;
        let output = match &json["output"] {
            Json::String(characters) => characters.clone(),
            Json::Array(numbers) => numbers.iter().map(|number| scalar(number) + "\n").collect(),
            _ => return None,
        };
        let returned = json["end"] == "returned";
        let result = (returned && !json["result"].is_null()).then(|| scalar(&json["result"]));
        let error = &json["error"];
        let place =
            |at: &Json| Some(Place { line: at["line"].as_u64()?, column: at["column"].as_u64()? });
        let error = error["kind"].as_str().map(str::to_owned).zip(place(&error["at"]));
        Some(Verdict { status: run.status, output, result, error })
    }
}

/// A number or text without quotes.
fn scalar(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn finished(stdout: &str, stderr: &str) -> Finished {
        let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
        Finished { status: 1, stdout, stderr, time: Duration::ZERO }
    }

    const STDERR: &str = "\
error: division by zero [division-by-zero]
 --> a:b.uc:3:14
  |
3 |     return 1 / x;
  |              ^ the divisor is 0

error: b.uc: the program has no function `main`
";

    #[test]
    fn errors_are_found_with_kind_and_place() {
        let errors = errors(&finished("", STDERR));
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0].kind(), Some("division-by-zero"));
        assert_eq!(errors[0].place, Some(Place { line: 3, column: 14 }));
        assert_eq!(errors[1].title, "b.uc: the program has no function `main`");
        assert_eq!((errors[1].kind(), errors[1].place), (None, None));
    }

    #[test]
    fn text_and_json_give_the_same_verdict() {
        let json = r#"{ "end": "error", "result": null, "output": [1, "99999999999999999999"],
            "error": { "kind": "division-by-zero", "at": { "file": "", "line": 3, "column": 14 } } }"#;
        let text = Verdict::of_text(&finished("1\n99999999999999999999\n", STDERR));
        assert_eq!(Verdict::of_json(&finished(json, "")), Some(text));

        let json = r#"{ "end": "returned", "result": -1, "output": "A", "error": null }"#;
        let text = Verdict::of_text(&finished("A", "result: -1\n"));
        assert_eq!(Verdict::of_json(&finished(json, "")), Some(text));
    }

    #[test]
    fn what_is_no_report_has_no_verdict() {
        assert_eq!(Verdict::of_json(&finished("", "")), None);
        assert_eq!(Verdict::of_json(&finished("{}", "")), None);
    }
}
