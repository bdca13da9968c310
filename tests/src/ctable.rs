//! What the C programs of the tests are about, as tables for `docs/c.md`.

use crate::cprogram::{self, CProgram};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// The tables: features by topic, failures by kind, gaps.
///
/// # Panics
///
/// If a program cannot be read, or one that needs it does not say what it is about.
pub fn tables() -> String {
    let mut text = String::new();
    features(&mut text);
    failures(&mut text);
    gaps(&mut text);
    text
}

fn features(out: &mut String) {
    let mut topics: BTreeMap<String, Vec<CProgram>> = BTreeMap::new();
    for program in cprogram::features() {
        let topic = program.name.split('/').next().unwrap_or_default().replace('_', " ");
        topics.entry(topic).or_default().push(program);
    }
    let count: usize = topics.values().map(Vec::len).sum();
    let _ = writeln!(
        out,
        "## What works\n\n{count} programs, in `tests/c`, do with Loupe what they do with gcc, for both data models.\n\n\
         | topic | programs | what they are about |\n|---|--:|---|"
    );
    for (topic, programs) in topics {
        let about: Vec<String> = programs.iter().map(about).collect();
        let _ = writeln!(out, "| {topic} | {} | {} |", programs.len(), about.join(" "));
    }
}

fn failures(out: &mut String) {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for program in cprogram::failures() {
        let kind = program.header.fails.map(|failure| failure.kind).unwrap_or_default();
        let name = program.name.trim_start_matches("failures/");
        let what = name.strip_prefix(&kind).unwrap_or(name).trim_start_matches('-');
        let requested = if program.header.check.is_some() { " (on request)" } else { "" };
        kinds.entry(format!("`{kind}`{requested}")).or_default().push(what.replace('_', " "));
    }
    let count: usize = kinds.values().map(Vec::len).sum();
    let _ = writeln!(
        out,
        "\n## What is found\n\n{count} programs fail; Loupe says how and in which line.\n\n\
         | kind | programs | in |\n|---|--:|---|"
    );
    for (kind, programs) in kinds {
        let _ = writeln!(out, "| {kind} | {} | {} |", programs.len(), programs.join(", "));
    }
}

fn gaps(out: &mut String) {
    out.push_str(
        "\n## What is refused although gcc accepts it\n\n| program | what it is about |\n|---|---|\n",
    );
    for program in cprogram::gaps() {
        let _ = writeln!(out, "| `tests/c/{}` | {} |", program.name, about(&program));
    }
}

/// The first comment of a program, as a sentence.
fn about(program: &CProgram) -> String {
    let main = program.files.iter().find(|file| file.ends_with("main.c"));
    let main = main.or(program.files.first()).unwrap_or_else(|| panic!("{}", program.name));
    let text = fs::read_to_string(main).unwrap_or_else(|e| panic!("{}: {e}", main.display()));
    let is_header = |line: &str| {
        let key = line.split_once(": ").map(|(key, _)| key);
        key.is_some_and(|key| ["model", "std", "fails", "check", "gcc"].contains(&key))
    };
    let mut comments = text.lines().map_while(|line| line.strip_prefix("// "));
    let about = comments.find(|line| !is_header(line));
    let about = about.unwrap_or_else(|| panic!("{} does not say what it is about", program.name));
    let stop = if about.ends_with(['.', '!', '?']) { "" } else { "." };
    // A bar would end the cell; what looks like a tag would disappear.
    format!("{}{stop}", about.replace('|', "\\|").replace('<', "&lt;"))
}
