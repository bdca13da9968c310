//! `loupe test`

mod guided;

use super::explore::{self, How, Work};
use crate::args::Loops;
use crate::args::{Format, Test};
use crate::console::{Console, write_result, write_whole};
use crate::load;
use crate::status::Failed;
use loupe_c::front::{DataModel, Standard};
use loupe_report::explore::violation;
use loupe_report::testgen::{self as report, harness};
use loupe_symbolic::explore::{AllErrors, Exploration, Merge, Stop, Subsumed};
use loupe_symbolic::search::Strategy;
use loupe_symbolic::testgen::{Generator, Options, Suite};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// The folder of the harness in that of the tests.
const HARNESS: &str = "harness";

/// The part of the time in which the program is searched before single branches are asked for.
const SEARCH_SHARE: f64 = 0.5;

pub(crate) fn execute(test: &Test, console: &Console) -> Result<ExitCode, Failed> {
    let harness = if test.harness { Some(Harness::of(test)?) } else { None };
    let work = Work::new(&test.source, &test.exploring, Strategy::Klee, console)?;
    if test.harness
        && let Some(missing) = work.loaded.assumptions.first()
    {
        return Err(Failed::bad_input(format!("--harness: {missing}; gcc needs a definition")));
    }
    prepare(test)?;
    let program = &work.loaded.program;
    let options = Options { end_of_input: work.end_of_input(), max_steps: test.max_steps };
    let mut generator = Generator::new(program, options);
    let live = test.format == Format::Text;
    // What stays open is asked for in the rest of the time.
    let share = if test.exploring.guide { SEARCH_SHARE } else { 1.0 };
    let (timeout, loops) = (test.exploring.timeout * share, Loops::Unroll);
    let (all, instances) = (AllErrors::GoOn, crate::args::INSTANCES);
    let how = How {
        all,
        timeout,
        keep_tree: false,
        loops,
        live,
        instances,
        draft: None,
        limit_cost: Merge::LIMIT_COST,
        subsumed: Subsumed::Covered,
    };
    let (exploration, mut seconds) = work.run(how, Some(&mut generator))?;
    if test.exploring.guide && exploration.stop != Stop::Interrupted {
        let left = test.exploring.timeout - seconds;
        seconds += guided::ask(&work, &mut generator, left)?;
    }
    let suite = generator.finish(&exploration);
    let mut object = report::json(program, &suite, &exploration);
    describe(&mut object, test, &work, &exploration);
    write_tests(&test.output, &suite, &object)?;
    if let Some(harness) = &harness {
        harness.write(&test.output.join(HARNESS), &suite)?;
    }
    match test.format {
        Format::Text => {
            for found in exploration.violations.values() {
                if let Some(message) = violation(program, found) {
                    console.message(&message, &program.sources);
                }
            }
            work.note_assumptions(&exploration, console);
            write_result(&report::text(program, &suite, &exploration), None)?;
        }
        Format::Json => {
            object["seconds"] = json!(seconds);
            object["folder"] = json!(test.output.display().to_string());
            write_result(&format!("{object:#}"), None)?;
        }
    }
    Ok(explore::status(&exploration).into())
}

/// Adds what the tests were made of and how. Nothing here may differ between two runs.
fn describe(object: &mut Json, test: &Test, work: &Work<'_>, exploration: &Exploration) {
    let files: Vec<String> = test.source.files.iter().map(|f| f.display().to_string()).collect();
    let exploring = &test.exploring;
    object["program"] = json!(files);
    object["property"] = json!(work.property.name());
    object["options"] = json!({
        "search": work.search.name(),
        "target": exploring.target,
        "seed": exploring.seed,
        "max_paths": exploring.max_paths,
        "max_depth": exploring.max_depth,
        "max_iterations": exploring.max_iterations,
        "max_steps": test.max_steps,
        "timeout": exploring.timeout,
    });
    object["assumptions"] = json!(work.assumptions(exploration));
    object["version"] = json!(env!("CARGO_PKG_VERSION"));
}

fn cannot(what: &str, path: &Path) -> impl Fn(std::io::Error) -> Failed {
    let (what, path) = (what.to_owned(), path.display().to_string());
    move |error| Failed::bad_input(format!("cannot {what} `{path}`: {error}"))
}

/// Makes the folder, and sees to it that it can be written to before hours of work are lost.
fn prepare(test: &Test) -> Result<(), Failed> {
    let folder = &test.output;
    fs::create_dir_all(folder).map_err(cannot("make the folder", folder))?;
    let mut entries = fs::read_dir(folder).map_err(cannot("read the folder", folder))?;
    if !test.force && entries.next().is_some() {
        return Err(Failed::bad_input(format!(
            "the folder `{}` is not empty; --force writes to it all the same",
            folder.display()
        )));
    }
    let probe = folder.join(".loupe");
    fs::write(&probe, "").map_err(cannot("write to the folder", folder))?;
    fs::remove_file(&probe).map_err(cannot("write to the folder", folder))?;
    clean(folder)
}

/// Deletes the tests of an earlier time.
fn clean(folder: &Path) -> Result<(), Failed> {
    let entries = fs::read_dir(folder).map_err(cannot("read the folder", folder))?;
    for entry in entries {
        let entry = entry.map_err(cannot("read the folder", folder))?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let kinds = [".in", ".out", ".stdin", ".args"];
        let number = kinds.iter().find_map(|kind| name.strip_suffix(kind));
        let is_ours = number.is_some_and(|n| n.len() >= 3 && n.bytes().all(|b| b.is_ascii_digit()));
        if is_ours {
            fs::remove_file(entry.path()).map_err(cannot("delete", &entry.path()))?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Failed> {
    write_whole(path, text).map_err(cannot("write", path))
}

fn write_tests(folder: &Path, suite: &Suite, object: &Json) -> Result<(), Failed> {
    write(&folder.join("tests.json"), format!("{object:#}\n"))?;
    for (number, test) in (1..).zip(&suite.tests) {
        let file = |kind: &str| folder.join(format!("{}.{kind}", report::name(number)));
        write(&file("in"), report::input_file(number, test))?;
        if !test.model.standard_input.is_empty() {
            write(&file("stdin"), &test.model.standard_input)?;
        }
        if let Some(arguments) = report::arguments_file(test) {
            write(&file("args"), arguments)?;
        }
    }
    Ok(())
}

/// What a harness is made of.
struct Harness {
    units: Vec<harness::Unit>,
    bits: harness::Bits,
}

impl Harness {
    /// The files of the program as gcc needs them.
    fn of(test: &Test) -> Result<Self, Failed> {
        if !load::is_c(&test.source) {
            return Err(Failed::bad_input("--harness: only C programs can have one"));
        }
        if test.source.c.entry.is_some() {
            return Err(Failed::bad_input("--harness: the program must start in `main`"));
        }
        if test.source.c.volatile == crate::args::Volatile::Input {
            return Err(Failed::bad_input("--harness: `volatile` objects cannot be inputs"));
        }
        let mut units = Vec::new();
        let mut bits = harness::Bits::Native;
        for source in load::c_sources(&test.source)? {
            let path = full_path(Path::new(&source.name))?;
            if source.options.data_model == DataModel::Ilp32 {
                bits = harness::Bits::Of32;
            }
            units.push(harness::Unit { flags: flags(&source)?, path });
        }
        Ok(Harness { units, bits })
    }

    fn write(&self, folder: &Path, suite: &Suite) -> Result<(), Failed> {
        let expected = folder.join("expected");
        fs::create_dir_all(&expected).map_err(cannot("make the folder", &expected))?;
        clean(&expected)?;
        write(&folder.join("harness.c"), harness::SOURCE)?;
        write(&folder.join("check.sh"), harness::CHECK)?;
        write(&folder.join("Makefile"), harness::makefile(&self.units, self.bits))?;
        write(&expected.join("outcomes"), harness::outcomes(suite))?;
        for (number, test) in (1..).zip(&suite.tests) {
            if let Some(output) = harness::output(test) {
                write(&expected.join(format!("{}.out", report::name(number))), output)?;
            }
        }
        Ok(())
    }
}

/// A path that means the same from every folder, in one line.
fn full_path(path: &Path) -> Result<String, Failed> {
    let full = fs::canonicalize(path).map_err(cannot("find", path))?;
    match full.to_str() {
        Some(text) if !text.contains(['\n', '\r']) => Ok(text.to_owned()),
        _ => Err(Failed::bad_input(format!(
            "--harness: a makefile cannot name `{}`",
            path.display()
        ))),
    }
}

/// How gcc reads a file as Loupe does.
fn flags(source: &loupe_c::Source) -> Result<Vec<String>, Failed> {
    let options = &source.options;
    let standard = match options.standard {
        Standard::Gnu89 => "gnu89",
        Standard::Gnu99 => "gnu99",
        Standard::Gnu11 => "gnu11",
        Standard::Gnu17 => "gnu17",
        Standard::Gnu23 => "gnu2x",
    };
    let mut flags = vec![format!("-std={standard}")];
    for folder in &options.include_dirs {
        // A folder that is not there is no error for gcc, and none here.
        if folder.is_dir() {
            flags.push(format!("-I{}", full_path(folder)?));
        }
    }
    for file in &options.includes {
        flags.extend(["-include".to_owned(), full_path(file)?]);
    }
    for (name, text) in &options.macros {
        match text {
            Some(text) => flags.push(format!("-D{name}={text}")),
            None => flags.push(format!("-U{name}")),
        }
    }
    if !source.name.ends_with(".c") && !source.name.ends_with(".i") {
        flags.extend(["-x".to_owned(), "c".to_owned()]);
    }
    Ok(flags)
}
