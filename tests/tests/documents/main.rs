//! The loops of two documents: their types, tags and summaries, as these documents state them, checked by their meaning.
//!
//! - Proteus (Xie et al., FSE 2016), Fig. 1 and 6, as C;
//! - the thesis on symbolic execution of microc, all listings of its section 4.4;
//! - the programs in the tests of that thesis' loop summarisation, which lie in the corpus (`summarization.rs`).
//!
//! The programs are in `tests/documents`. What a document says of a loop is a formula over the values at entry (`v`) and at exit (`v!`),
//! corrected where the document is known to be wrong. Three things must agree: the formula, the relation that `loupe loops --emit smt2`
//! prints, and the interpreter. The formula and the relation are compared by solvers for all values; runs are put into the formula,
//! and where all exits from an entry have been seen, the formula allows no other.
//!
//! What Loupe does not reach yet is in `OPEN`. An entry that has become true fails the test, so that it gets removed.

mod proteus;
mod relation;
mod runs;
mod summarization;
mod thesis;

use loupe_tests::corpus::check_all;
use loupe_tests::process::Loupe;
use relation::{Answer, Question, Relation, Values, marked};
use runs::{Ended, Ran};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a document says of a loop.
pub(crate) struct Document {
    /// The program, in `tests/documents`.
    pub(crate) file: &'static str,
    /// The line of the loop.
    pub(crate) line: u64,
    /// Its type, where the document gives one.
    pub(crate) kind: Option<u64>,
    /// `exact`, `template` or `over`.
    pub(crate) tag: &'static str,
    /// The bound, where the document gives one or it is plain from what it says.
    pub(crate) bound: Option<Bound>,
    /// The variables that the loop reads or writes, in order of declaration.
    pub(crate) variables: &'static [&'static str],
    /// What holds at entry of the program's loop, where the summary is about that only.
    pub(crate) given: &'static str,
    /// The summary, if the document has one.
    pub(crate) summary: Option<&'static str>,
    /// What is run.
    pub(crate) runs: Option<Runs>,
}

/// A bound, and what is assumed at entry.
pub(crate) struct Bound {
    pub(crate) assume: &'static str,
    pub(crate) text: &'static str,
}

/// Runs that show what a loop does.
pub(crate) struct Runs {
    /// The inputs.
    pub(crate) streams: fn() -> Vec<Vec<i64>>,
    /// The values at the entry of the loop.
    pub(crate) entry: fn(&[i64]) -> Vec<(&'static str, i64)>,
    /// The variables that the program puts out behind the loop; what the loop only reads is left out.
    pub(crate) prints: &'static [&'static str],
    /// Where the streams reach everything that can be reached.
    pub(crate) complete: &'static str,
}

/// What can be open of a loop or program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aspect {
    Type,
    Tag,
    Bound,
    /// The parameters of the relation.
    Variables,
    Verdict,
}

/// What Loupe does not reach yet, with the reason.
const OPEN: &[(&str, u64, Aspect, &str)] = &[];

/// Loops whose summary and relation no solver compares for all values, because of products or many counters: runs alone decide.
const BY_RUNS: &[(&str, u64)] = &[("thesis_4_4_1.uc", 8), ("proteus_1c.c", 9), ("proteus_1f.c", 7)];

/// What `loupe verify --loops summary` says of programs that end in an assertion or a division: a verdict and the line of the error.
const VERDICTS: &[(&str, &str, Option<u64>)] = &[
    ("proteus_1a.c", "unsafe", Some(16)),
    ("proteus_1d.c", "safe", None),
    ("proteus_1f.c", "safe", None),
    ("proteus_6b.c", "safe", None),
    ("thesis_4_9.uc", "safe", None),
    ("thesis_4_10.uc", "unsafe", Some(16)),
    ("thesis_4_11.uc", "unsafe", Some(23)),
    ("thesis_4_13.uc", "safe", None),
];

pub(crate) fn path(file: &str) -> PathBuf {
    loupe_tests::root().join("documents").join(file)
}

/// Whether something is open; what is open and holds all the same is a failure.
fn expect(file: &str, line: u64, aspect: Aspect, found: Result<(), String>) -> Result<(), String> {
    let open = OPEN.iter().find(|open| (open.0, open.1, open.2) == (file, line, aspect));
    match (found, open) {
        (Ok(()), Some(_)) => {
            Err(format!("{file}:{line}: {aspect:?} is reached; remove it from OPEN"))
        }
        (Err(why), None) => Err(format!("{file}:{line}: {aspect:?}: {why}")),
        _ => Ok(()),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T, shown: &Json) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let why = ["why", "type_reason", "reasons"].map(|key| &shown[key]);
    let why: Vec<String> =
        why.iter().filter(|why| !why.is_null()).map(ToString::to_string).collect();
    Err(format!("{found:?} instead of {expected:?}: {}", why.join(" ")))
}

/// What `loupe loops` says of the loop.
fn found(document: &Document, options: &[&str]) -> Result<Json, String> {
    let file = path(document.file);
    let call = Loupe::new(["loops".as_ref(), file.as_os_str()]).args(["--format", "json"]);
    let run = call.args(options.iter().copied()).run();
    let report: Json =
        serde_json::from_str(&run.stdout).map_err(|error| format!("{error}\n{run}"))?;
    let mut loops = report["loops"].as_array().into_iter().flatten();
    let own = loops.find(|own| own["line"] == document.line).cloned();
    own.ok_or_else(|| format!("{}: no loop in line {}", document.file, document.line))
}

fn check(document: &Document) -> Result<(), String> {
    let (file, line) = (document.file, document.line);
    let own = found(document, &[])?;
    if let Some(kind) = document.kind {
        expect(file, line, Aspect::Type, same(own["type"].as_u64(), Some(kind), &own))?;
    }
    let tag = own["summary"].as_str().unwrap_or_default();
    expect(file, line, Aspect::Tag, same(tag, document.tag, &own))?;
    if let Some(bound) = &document.bound {
        let assume = ["--assume", bound.assume];
        let options = if bound.assume == "true" { &[][..] } else { &assume[..] };
        let own = found(document, options)?;
        expect(file, line, Aspect::Bound, same(own["bound"].as_str(), Some(bound.text), &own))?;
    }
    let mut relation = Relation::of(&path(file), line)?;
    let names: Vec<&str> = relation.variables.iter().map(|(name, _)| name.as_str()).collect();
    expect(file, line, Aspect::Variables, same(&names[..], document.variables, &own))?;
    relation.add(document.variables);
    if !BY_RUNS.contains(&(file, line)) {
        compare(document, &relation, tag)?;
    }
    match &document.runs {
        Some(runs) => compare_runs(document, runs, &relation, tag),
        None => Ok(()),
    }
}

/// The relation of an exact summary is the formula, that of another one contains it.
fn compare(document: &Document, relation: &Relation, tag: &str) -> Result<(), String> {
    let (given, Some(summary)) = (document.given, document.summary) else { return Ok(()) };
    let mut questions = vec![Question {
        formula: format!("(and (pre!) {given} (document!) (not (loop!)))"),
        values: Values::new(),
    }];
    if tag == "exact" || tag == "template" {
        questions.push(Question {
            formula: format!("(and (pre!) {given} (loop!) (not (document!)))"),
            values: Values::new(),
        });
    }
    let Some(answers) = relation.ask(summary, &questions) else { return Ok(()) };
    if answers.iter().all(|answer| *answer == Answer::Unsat) {
        return Ok(());
    }
    Err(format!("{}:{}: {tag}, and the summary differs: {answers:?}", document.file, document.line))
}

/// Entries with what was seen at exit.
type Seen = BTreeMap<Values, Vec<Values>>;

fn seen(document: &Document, runs: &Runs) -> Result<Seen, String> {
    let program = runs::read(&path(document.file))?;
    let mut seen = Seen::new();
    for stream in (runs.streams)() {
        let Ran { output, ended } = runs::run(&program, &stream);
        let entry: Values = (runs.entry)(&stream)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let exits = seen.entry(entry.clone()).or_default();
        if ended == Ended::Never || ended == Ended::Early {
            continue;
        }
        if output.len() != runs.prints.len() {
            return Err(format!("{}: {stream:?} prints {output:?}", document.file));
        }
        // What is not printed is only read.
        let mut exit: Values =
            entry.iter().map(|(name, value)| (marked(name, "!"), *value)).collect();
        exit.extend(runs.prints.iter().zip(output).map(|(name, value)| (marked(name, "!"), value)));
        if !exits.contains(&exit) {
            exits.push(exit);
        }
    }
    Ok(seen)
}

/// Every run is in the formula and in the relation; where they are complete, nothing else is in the formula, nor in a relation that is
/// exact.
fn compare_runs(
    document: &Document,
    runs: &Runs,
    relation: &Relation,
    tag: &str,
) -> Result<(), String> {
    let all = if tag == "exact" { "(or (document!) (loop!))" } else { "(document!)" };
    let seen = seen(document, runs)?;
    let (mut questions, mut texts) = (Vec::new(), Vec::new());
    for (entry, exits) in &seen {
        for exit in exits {
            let values: Values = entry.iter().chain(exit).map(|(k, v)| (k.clone(), *v)).collect();
            texts.push(format!("{entry:?} ends in {exit:?}"));
            questions.push((
                Question { formula: "(and (document!) (loop!))".into(), values },
                Answer::Sat,
            ));
        }
        let others = exits.iter().map(|exit| {
            let equal = exit
                .iter()
                .map(|(name, value)| format!("(= {name} {})", relation::literal(*value)));
            format!("(not (and true {}))", equal.collect::<Vec<_>>().join(" "))
        });
        let others = others.collect::<Vec<_>>().join(" ");
        if document.summary.is_none() {
            continue;
        }
        let formula = format!("(and {all} {} {others})", runs.complete);
        texts.push(format!("{entry:?} ends in nothing but {exits:?}"));
        questions.push((Question { formula, values: entry.clone() }, Answer::Unsat));
    }
    if seen.values().all(Vec::is_empty) {
        return Err(format!("{}: no run has got behind the loop", document.file));
    }
    let (asked, expected): (Vec<_>, Vec<_>) = questions.into_iter().unzip();
    let summary = document.summary.unwrap_or("true");
    let Some(answers) = relation.ask(summary, &asked) else { return Ok(()) };
    let wrong =
        answers.iter().zip(&expected).zip(&texts).filter(|((found, wanted), _)| found != wanted);
    let wrong: Vec<String> = wrong.map(|((found, _), text)| format!("{text}: {found:?}")).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}:{}: {} of {} questions, {}",
        document.file,
        document.line,
        wrong.len(),
        texts.len(),
        wrong.join("\n")
    ))
}

#[test]
fn summaries_of_proteus() {
    check_all("loops of Proteus", &proteus::documents(), check);
}

#[test]
fn summaries_of_the_thesis() {
    check_all("loops of the thesis", &thesis::documents(), check);
}

/// Errors are found, or are proved not to be there, without executing the loops.
#[test]
fn verdicts_behind_the_loops() {
    check_all("programs of the documents", VERDICTS, |(file, verdict, line)| {
        let call = Loupe::new(["verify".into(), path(file).into_os_string()]);
        let run = call.args(["--format", "json", "--timeout", "20", "--loops", "summary"]).run();
        let report: Json =
            serde_json::from_str(&run.stdout).map_err(|error| format!("{file}: {error}\n{run}"))?;
        let found = (report["verdict"].as_str(), report["violation"]["line"].as_u64());
        expect(file, 0, Aspect::Verdict, same(found, (Some(*verdict), *line), &report))
    });
}

/// Nothing is open that no test looks at.
#[test]
fn what_is_open_is_there() {
    let documents: Vec<Document> =
        proteus::documents().into_iter().chain(thesis::documents()).collect();
    for (file, line, aspect, why) in OPEN {
        let is_known = match aspect {
            Aspect::Verdict => VERDICTS.iter().any(|(name, ..)| name == file),
            _ => documents.iter().any(|own| (own.file, own.line) == (*file, *line)),
        };
        assert!(is_known && !why.is_empty(), "{file}:{line}");
    }
}
