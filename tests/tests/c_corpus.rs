//! Every C file of the corpus can be read and lowered, and what comes out is a well-formed flowgraph.
//!
//! `make corpus` runs this and shows the figures.

use loupe_c::front::{self, DataModel, Files};
use loupe_c::{Source, lower};
use loupe_tests::{corpus, files_below, tell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Files that are refused, each with the reason, which the message must contain.
const REFUSED: &[(&str, &str)] = &[];

/// How many of a hundred files may be refused.
const MOST_REFUSED: usize = 1;

#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// A file of the corpus.
struct Case {
    /// Below the folder of the corpus.
    name: String,
    path: PathBuf,
    data_model: DataModel,
}

/// What came of a file.
struct Done {
    name: String,
    time: Duration,
    /// Places that have no model.
    unsupported: usize,
    refused: Option<String>,
}

#[test]
fn every_file_is_lowered() {
    let Some(folder) = corpus::folder("") else { return };
    let cases = cases(&folder);
    let mut done = lower_all(&cases);
    done.sort_by_key(|done| done.time);
    tell(&figures(&done));
    let mut wrong = Vec::new();
    for Done { name, refused, .. } in &done {
        let expected = REFUSED.iter().find(|(file, _)| file == name).map(|(_, reason)| *reason);
        match (refused, expected) {
            (None, None) => {}
            (Some(message), Some(reason)) if message.contains(reason) => {}
            (Some(message), _) => wrong.push(format!("{name} is refused: {message}")),
            (None, Some(_)) => wrong.push(format!("{name} is not refused any more")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(REFUSED.len() * 100 <= MOST_REFUSED * cases.len(), "too many files are refused");
}

/// The C files, with the data models that the list of the corpus names.
fn cases(folder: &Path) -> Vec<Case> {
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).expect("the corpus has a list");
    let columns = manifest.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let models = columns.filter_map(|columns| Some((*columns.first()?, *columns.get(3)?)));
    let models: BTreeMap<&str, &str> = models.collect();
    let is_c = |path: &PathBuf| path.extension().is_some_and(|name| name == "c" || name == "i");
    let case = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        let data_model = match models.get(name.as_str()) {
            Some(&"LP64") => DataModel::Lp64,
            _ => DataModel::Ilp32,
        };
        Case { name, path, data_model }
    };
    let cases: Vec<Case> = files_below(folder).into_iter().filter(is_c).map(case).collect();
    assert!(!cases.is_empty(), "no C file in {}", folder.display());
    cases
}

fn lower_all(cases: &[Case]) -> Vec<Done> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = lower(case);
            done.lock().expect("nobody panics").push(result);
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    done.into_inner().expect("nobody panics")
}

fn lower(case: &Case) -> Done {
    let Case { name, path, data_model } = case;
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let options = front::Options::new(*data_model);
    let source = Source { name: path.display().to_string(), text, options };
    let options = lower::Options {
        data_model: *data_model,
        checks: lower::Checks::default(),
        volatile: lower::Volatile::Memory,
        entry: lower::Entry::Any,
        needs: lower::Needs::default(),
    };
    let start = Instant::now();
    let lowered = loupe_c::compile(vec![source], None, &Disk, &options);
    let time = start.elapsed();
    let (unsupported, refused) = match lowered {
        Ok(lowered) => {
            let valid = loupe_ir::validate::validate(&lowered.program);
            (lowered.unsupported.len(), valid.err().map(|violation| violation.to_string()))
        }
        Err(rejected) => {
            let first = rejected.errors.first().map(|error| error.message.clone());
            (0, Some(first.unwrap_or_default()))
        }
    };
    Done { name: name.clone(), time, unsupported, refused }
}

/// The figures, of results in the order of their times.
fn figures(done: &[Done]) -> String {
    let refused = done.iter().filter(|done| done.refused.is_some()).count();
    let places: usize = done.iter().map(|done| done.unsupported).sum();
    let files = done.iter().filter(|done| done.unsupported > 0).count();
    let at = |part: usize| &done[(done.len() * part / 100).min(done.len() - 1)];
    let slowest = at(100);
    format!(
        "C corpus: {} of {} files lowered, {places} places without a model in {files} files\n\
         time for a file: median {:.1?}, 99% {:.1?}, slowest {:.1?} ({})",
        done.len() - refused,
        done.len(),
        at(50).time,
        at(99).time,
        slowest.time,
        slowest.name,
    )
}
