//! Runs the front end over a folder of C files and says which it accepts and how long each takes.
//!
//! `front_stats FOLDER`: the folder has a `manifest.tsv` whose columns `path` and `data_model` say what
//! to read and how; without one, every `.c` and `.i` file below is read with both data models. Further
//! arguments are directories of system headers.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loupe_c::front::{DataModel, Files, Options, read};
use loupe_ir::source::Sources;

#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let system_dirs: Vec<PathBuf> = std::env::args().skip(2).map(PathBuf::from).collect();
    let jobs = jobs(&folder)?;
    let mut times: Vec<(Duration, usize, String)> = Vec::new();
    let mut refused = 0;
    let mut warnings = 0;
    for (path, data_model) in &jobs {
        let text = std::fs::read(path)?;
        let mut sources = Sources::new();
        let start = Instant::now();
        let name = path.to_string_lossy();
        let options = Options { system_dirs: system_dirs.clone(), ..Options::new(*data_model) };
        let result = read(&name, &text, &options, &Disk, &mut sources);
        times.push((start.elapsed(), text.len(), name.to_string()));
        match result {
            Ok(checked) => warnings += checked.warnings.len(),
            Err(errors) => {
                refused += 1;
                let Some(first) = errors.first() else { continue };
                let place = first.span.map_or_else(String::new, |span| {
                    format!("{}:{}: ", sources.name(span.file), span.start)
                });
                println!("refused {name} ({data_model:?}): {place}{}", first.message);
            }
        }
    }
    times.sort();
    let total: Duration = times.iter().map(|(time, ..)| *time).sum();
    println!("{} accepted, {refused} refused, {warnings} warnings", jobs.len() - refused);
    println!("{total:.2?} in all");
    for share in [50, 90, 99, 100] {
        if let Some((time, bytes, name)) = times.get((times.len() * share / 100).saturating_sub(1))
        {
            println!("{share}%: {time:.2?} ({bytes} bytes, {name})");
        }
    }
    Ok(())
}

fn jobs(folder: &Path) -> std::io::Result<Vec<(PathBuf, DataModel)>> {
    let mut jobs = Vec::new();
    if let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.tsv")) {
        for line in manifest.lines().skip(1) {
            let columns: Vec<&str> = line.split('\t').collect();
            let model = match columns.get(3) {
                Some(&"LP64") => DataModel::Lp64,
                _ => DataModel::Ilp32,
            };
            let path = folder.join(columns.first().copied().unwrap_or_default());
            if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
                jobs.push((path, model));
            }
        }
        jobs.sort_by(|a, b| a.0.cmp(&b.0));
        jobs.dedup();
        return Ok(jobs);
    }
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
                jobs.push((path.clone(), DataModel::Ilp32));
                jobs.push((path, DataModel::Lp64));
            }
        }
    }
    jobs.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(jobs)
}
