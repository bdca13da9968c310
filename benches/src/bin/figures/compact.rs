//! Programs of Table 1 of *Compact Symbolic Execution* (Slaby, Strejček, Trtík 2013): classic and compact trees side by side, both breadth first, with
//! templates in turns and at random, and `auto` beside them.

use crate::tool::{home, limit, loupe};
use std::path::PathBuf;

/// The name, the file in the corpus, and the figures of the paper: templates, cycles, seconds and states of the compact tree, seconds and states of the classic one.
struct Program {
    name: &'static str,
    file: &'static str,
    templates: (u32, u32),
    compact: (Option<f64>, u32),
    classic: (Option<f64>, u32),
}

const fn program(
    name: &'static str,
    file: &'static str,
    templates: (u32, u32),
    compact: (Option<f64>, u32),
    classic: (Option<f64>, u32),
) -> Program {
    Program { name, file, templates, compact, classic }
}

const PROGRAMS: [Program; 8] = [
    program("Hello", "hello/hello.c", (2, 126), (Some(2.3), 187), (Some(4.5), 2_262)),
    program("HW", "HW/HW.c", (4, 252), (Some(45.4), 1_048), (None, 223_823)),
    program("HWM", "HWM/HWM.c", (5, 336), (None, 5_125), (None, 162_535)),
    program("matrIR", "matrIR/matrIR.c", (4, 28), (Some(82.9), 1_234), (None, 270_737)),
    program(
        "matrIR_dyn",
        "matrIR_dyn/matrIR_dyn.c",
        (5, 30),
        (Some(240.5), 2_472),
        (None, 267_636),
    ),
    program(
        "decode_packets",
        "decode_packets/decode_packets.c",
        (5, 26),
        (Some(39.9), 1_276),
        (Some(16.3), 8_992),
    ),
    program("WinDriver", "", (5, 26), (Some(59.2), 1_370), (None, 206_903)),
    program("TwoLoops", "TwoLoops/TwoLoops.c", (2, 4), (Some(0.1), 25), (None, 917_343)),
];

/// How loops are treated.
const COLUMNS: [(&str, &[&str]); 4] = [
    ("unroll", &["--loops", "unroll"]),
    ("compact", &["--loops", "compact"]),
    ("at random", &["--loops", "compact", "--templates", "random"]),
    ("auto", &["--loops", "auto"]),
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
        "{:<15} {:<10} {:>8} {:>7} {:>8} {:>7} {:>7} {:>7} {:>9}",
        "program", "loops", "verdict", "s", "states", "cycles", "found", "s", "unknown"
    );
    for program in &PROGRAMS {
        let Program { name, file, templates, compact, classic } = program;
        println!(
            "{name:<15} {:<10} {:>8} {:>7} {:>8}",
            "paper",
            "classic",
            seconds(classic.0),
            classic.1
        );
        println!(
            "{:<15} {:<10} {:>8} {:>7} {:>8} {:>7} {:>7}",
            "",
            "",
            "compact",
            seconds(compact.0),
            compact.1,
            templates.1,
            templates.0
        );
        let path: PathBuf = match file.is_empty() {
            true => home().join("benches/programs/windriver.c"),
            false => corpus.join(file),
        };
        // There is nothing to find in it but whether it ends.
        let property = if *name == "TwoLoops" { "termination" } else { "unreach-call" };
        let path = path.display().to_string();
        for (column, options) in COLUMNS {
            let usual = ["verify", &path, "--format", "json", "--search", "bfs"];
            let more = ["--timeout", &timeout, "--property", property];
            let ran = loupe(usual.iter().chain(&more).chain(options))?;
            let report = ran.json()?;
            let (stats, found) = (&report["stats"], &report["templates"]);
            let number = |value: &serde_json::Value| match value.as_f64() {
                Some(number) if value.is_f64() => format!("{number:.2}"),
                Some(number) => format!("{number}"),
                None => String::new(),
            };
            println!(
                "{:<15} {column:<10} {:>8} {:>7.2} {:>8} {:>7} {:>7} {:>7} {:>9}",
                "",
                report["verdict"].as_str().unwrap_or("-"),
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
