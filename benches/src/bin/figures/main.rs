//! The figures for loops in one run: what `loupe` makes of loops, each time beside `--loops unroll`, which executes them.
//!
//! `cargo run --release -p loupe-benches --bin figures [PART…]` with the parts below, all of them if none is named:
//!
//! - `documents`: the programs of Proteus and of the thesis, which lie in `tests/documents`;
//! - `deep`: the six programs of Proteus' Table 6, whole processes;
//! - `corpus`: how many loops of SV-COMP are solved and bounded, how fast, and why not;
//! - `compact`: programs of *Compact Symbolic Execution*, classic and compact trees side by side;
//! - `necessary`: programs of *Abstracting Path Conditions*, and error locations of the corpus with and without guidance;
//! - `techniques`: state merging and subsumption beside plain exploration;
//! - `fuzz`: how many random loops are solved;
//! - `verdicts`: how many tasks of SV-COMP 2016 are decided, at the same time limit.
//!
//! Nothing fails because it is slow. What needs the corpus says so where it is missing; what needs a limit takes
//! `LOUPE_SECONDS` (for each task, 5 by default) and `LOUPE_FUZZ` (random loops of each kind, 1000 by default).

mod compact;
mod corpus;
mod deep;
mod documents;
mod fuzz;
mod necessary;
mod techniques;
mod tool;
mod verdicts;

use std::process::ExitCode;

/// A part of the figures.
struct Part {
    name: &'static str,
    title: &'static str,
    print: fn() -> Result<(), String>,
}

const PARTS: [Part; 8] = [
    Part { name: "documents", title: "Programs of the documents", print: documents::print },
    Part { name: "deep", title: "Deep loops (Proteus, Table 6)", print: deep::print },
    Part { name: "compact", title: "Compact symbolic execution (Table 1)", print: compact::print },
    Part {
        name: "necessary",
        title: "Necessary conditions (APC, Table 2)",
        print: necessary::print,
    },
    Part { name: "techniques", title: "State merging and subsumption", print: techniques::print },
    Part { name: "corpus", title: "Loops of SV-COMP", print: corpus::print },
    Part { name: "fuzz", title: "Random loops", print: fuzz::print },
    Part { name: "verdicts", title: "Tasks of SV-COMP 2016", print: verdicts::print },
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| PARTS.iter().all(|part| part.name != **name)) {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        eprintln!("error: there is no part `{unknown}`, only {}", names.join(", "));
        return ExitCode::from(3);
    }
    let mut code = ExitCode::SUCCESS;
    for part in
        PARTS.iter().filter(|part| wanted.is_empty() || wanted.iter().any(|n| n == part.name))
    {
        println!("{}\n", part.title);
        // A part that cannot be measured does not take the others with it.
        if let Err(error) = (part.print)() {
            println!("  not measured: {error}");
            code = ExitCode::FAILURE;
        }
        println!();
    }
    code
}
