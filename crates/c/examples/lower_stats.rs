//! Lowers every C file of a corpus and says how many could be, which could not and why, and the time.
//!
//! `cargo run --release -p loupe-c --example lower_stats -- CORPUS`, where CORPUS has `manifest.tsv`.

use loupe_c::front::{self, DataModel, Files};
use loupe_c::{Source, lower};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, io};

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

fn main() -> io::Result<()> {
    let corpus = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "../shared/corpus".to_owned()));
    let mut models = BTreeMap::new();
    let manifest = fs::read_to_string(corpus.join("manifest.tsv")).unwrap_or_default();
    for line in manifest.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        if let [path, _, _, model, ..] = columns[..] {
            models.insert(path.to_owned(), model == "LP64");
        }
    }
    let mut files = Vec::new();
    find(&corpus, &mut files)?;
    files.sort();
    let (mut good, mut total, mut slowest) = (0, Duration::ZERO, (Duration::ZERO, String::new()));
    let mut unsupported = 0;
    for file in &files {
        let name = file.strip_prefix(&corpus).unwrap_or(file).to_string_lossy().into_owned();
        let is_long = models.get(&name).copied().unwrap_or(models.is_empty());
        let data_model = if is_long { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = fs::read(file)?;
        let source = Source {
            name: file.to_string_lossy().into_owned(),
            text,
            options: front::Options::new(data_model),
        };
        let options = lower::Options {
            data_model,
            checks: lower::Checks::default(),
            volatile: lower::Volatile::Memory,
            entry: lower::Entry::Any,
        };
        let start = Instant::now();
        let lowered = loupe_c::compile(vec![source], None, &Disk, &options);
        let time = start.elapsed();
        total += time;
        if time > slowest.0 {
            slowest = (time, name.clone());
        }
        match lowered {
            Ok(lowered) => match loupe_ir::validate::validate(&lowered.program) {
                Ok(()) => {
                    good += 1;
                    for what in &lowered.unsupported {
                        unsupported += 1;
                        println!("unsupported: {name}: {}", what.message);
                    }
                    for what in &lowered.assumptions {
                        println!("assumed: {name}: {what}");
                    }
                }
                Err(error) => println!("invalid: {name}: {error}"),
            },
            Err(rejected) => {
                let first = rejected.errors.first().map_or("", |error| &error.message);
                println!("rejected: {name}: {first}");
            }
        }
    }
    println!("{good} of {} lowered, {unsupported} places not modelled", files.len());
    println!(
        "{:?} per file, slowest {:?} for {}",
        total / files.len().max(1) as u32,
        slowest.0,
        slowest.1
    );
    Ok(())
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            files.push(path);
        }
    }
    Ok(())
}
