//! Programs of Table 1 of *Compact Symbolic Execution* (Slaby, Strejček, Trtík 2013): classic and compact trees side by side, both breadth first, with
//! templates in turns and at random, and `auto` and the race of all techniques beside them.

use crate::tool::{home, limit, loupe};
use std::path::PathBuf;

/// The name, the file in the corpus, what is asked of it, and the figures of the paper: templates, cycles, seconds, states and failed queries of the compact tree, seconds and states of the classic one.
struct Program {
    name: &'static str,
    file: &'static str,
    question: &'static [&'static str],
    templates: (u32, u32),
    compact: (Option<f64>, u32, u32),
    classic: (Option<f64>, u32),
}

const fn program(
    (name, file): (&'static str, &'static str),
    question: &'static [&'static str],
    templates: (u32, u32),
    compact: (Option<f64>, u32, u32),
    classic: (Option<f64>, u32),
) -> Program {
    Program { name, file, question, templates, compact, classic }
}

/// Whether an assertion fails.
const ASSERTION: &[&str] = &["verify"];

const PROGRAMS: [Program; 11] = [
    program(
        ("Hello", "hello/hello.c"),
        ASSERTION,
        (2, 126),
        (Some(2.3), 187, 0),
        (Some(4.5), 2_262),
    ),
    program(("HW", "HW/HW.c"), ASSERTION, (4, 252), (Some(45.4), 1_048, 4), (None, 223_823)),
    program(("HWM", "HWM/HWM.c"), ASSERTION, (5, 336), (None, 5_125, 24), (None, 162_535)),
    program(
        ("matrIR", "matrIR/matrIR.c"),
        ASSERTION,
        (4, 28),
        (Some(82.9), 1_234, 6),
        (None, 270_737),
    ),
    program(
        ("matrIR_dyn", "matrIR_dyn/matrIR_dyn.c"),
        ASSERTION,
        (5, 30),
        (Some(240.5), 2_472, 13),
        (None, 267_636),
    ),
    program(
        ("decode_packets", "decode_packets/decode_packets.c"),
        ASSERTION,
        (5, 26),
        (Some(39.9), 1_276, 0),
        (Some(16.3), 8_992),
    ),
    program(("WinDriver", ""), ASSERTION, (5, 26), (Some(59.2), 1_370, 1), (None, 206_903)),
    // The others have no assertion; the drivers of three of them read a command line, and the functions are what the paper is about.
    program(
        ("EQCNT", "EQCNT/EQCNT.c"),
        &["reach", "--entry", "EQCNT", "--returns", "1"],
        (3, 12),
        (Some(10.6), 345, 0),
        (None, 179_803),
    ),
    // Its arguments are texts that are long enough.
    program(
        ("EQCNTex", "EQCNTex/EQCNTex.c"),
        &["reach", "--entry", "EQCNTex", "--returns", "1", "--assume-defined"],
        (4, 24),
        (None, 10_581, 0),
        (None, 251_061),
    ),
    program(
        ("OneLoop", "OneLoop/OneLoop.c"),
        &["reach", "--entry", "OneLoop", "--returns", "1"],
        (1, 2),
        (Some(0.1), 41, 0),
        (None, 38_230),
    ),
    program(
        ("TwoLoops", "TwoLoops/TwoLoops.c"),
        &["reach", "--line", "5"],
        (2, 4),
        (Some(0.1), 25, 0),
        (None, 917_343),
    ),
];

/// How loops are treated; nothing is said in the last row, which is what users get.
const COLUMNS: [(&str, &[&str]); 5] = [
    ("unroll", &["--loops", "unroll", "--search", "bfs"]),
    ("compact", &["--loops", "compact", "--search", "bfs"]),
    ("at random", &["--loops", "compact", "--templates", "random", "--search", "bfs"]),
    ("auto", &["--loops", "auto", "--search", "bfs"]),
    ("as it is", &[]),
];

fn seconds(of: Option<f64>) -> String {
    of.map_or("-".to_owned(), |seconds| format!("{seconds:.1}"))
}

pub(crate) fn print() -> Result<(), String> {
    let corpus = home().join("../shared/corpus/rudla");
    if !corpus.is_dir() {
        println!("  not measured: there is no corpus in {}", corpus.display());
        return Ok(());
    }
    let timeout = limit().to_string();
    println!(
        "{:<15} {:<10} {:>11} {:>7} {:>8} {:>7} {:>7} {:>7} {:>9}",
        "program", "loops", "answer", "s", "states", "cycles", "found", "s", "unknown"
    );
    for program in &PROGRAMS {
        let Program { name, file, question, templates, compact, classic } = program;
        println!(
            "{name:<15} {:<10} {:>11} {:>7} {:>8}",
            "paper",
            "classic",
            seconds(classic.0),
            classic.1
        );
        println!(
            "{:<15} {:<10} {:>11} {:>7} {:>8} {:>7} {:>7} {:>7} {:>9}",
            "",
            "",
            "compact",
            seconds(compact.0),
            compact.1,
            templates.1,
            templates.0,
            "",
            compact.2,
        );
        let path: PathBuf = match file.is_empty() {
            true => home().join("benches/programs/windriver.c"),
            false => corpus.join(file),
        };
        let path = path.display().to_string();
        for (column, options) in COLUMNS {
            let usual = [&path, "--format", "json", "--timeout", &timeout];
            let ran = loupe(question.iter().chain(&usual).chain(options))?;
            let report = ran.json()?;
            let (stats, found) = (&report["stats"], &report["templates"]);
            let number = |value: &serde_json::Value| match value.as_f64() {
                Some(number) if value.is_f64() => format!("{number:.2}"),
                Some(number) => format!("{number}"),
                None => String::new(),
            };
            let answer = report["verdict"].as_str().or(report["answer"].as_str());
            println!(
                "{:<15} {column:<10} {:>11} {:>7.2} {:>8} {:>7} {:>7} {:>7} {:>9}",
                "",
                answer.unwrap_or("-"),
                ran.time.as_secs_f64(),
                number(&stats["states"]),
                number(&found["cycles"]),
                number(&found["found"]),
                number(&found["seconds"]),
                number(&stats["unknown_queries"]),
            );
        }
    }
    println!(
        "  {timeout} s each; seconds behind `found` are those for templates; unknown are queries without an answer"
    );
    Ok(())
}
