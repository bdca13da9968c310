//! Which programs the user means, and what is known of them.

use crate::args::Bench;
use crate::commands::loops::{ENDINGS, programs_in};
use crate::console::Console;
use crate::load::{read_bytes, read_text};
use crate::status::Failed;
use loupe_bench::Task;
use loupe_bench::expect::{Expectation, Manifest, TaskFile, directive};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a manifest in a folder above programs is called.
pub(super) const MANIFEST: &str = "manifest.tsv";

/// A program that was found.
struct Found {
    file: PathBuf,
    /// As the user would call it.
    name: String,
    set: String,
}

/// The tasks for the programs that the user names.
pub(super) fn tasks(bench: &Bench, console: &Console) -> Result<Vec<Task>, Failed> {
    let mut found = Vec::new();
    for argument in &bench.programs {
        found.extend(programs(argument)?);
    }
    let mut seen = BTreeSet::new();
    // Whoever names a folder and a file in it means the file once.
    found.retain(|program| {
        seen.insert(std::fs::canonicalize(&program.file).unwrap_or_else(|_| program.file.clone()))
    });
    let mut known = Known::new(bench, console)?;
    let mut tasks = Vec::new();
    for program in &found {
        tasks.extend(tasks_of(program, &mut known, bench)?);
    }
    set_apart(&mut tasks);
    Ok(tasks)
}

/// A file, or all programs in a folder: of a C program that is there with its preprocessed text, only that.
fn programs(argument: &Path) -> Result<Vec<Found>, Failed> {
    let shown = argument.display();
    if !argument.is_dir() {
        if !argument.exists() {
            return Err(Failed::bad_input(format!("cannot read `{shown}`: there is no such file")));
        }
        let folder = argument.parent().filter(|folder| !folder.as_os_str().is_empty());
        let set = folder.map_or("programs".to_owned(), |folder| folder.display().to_string());
        return Ok(vec![Found { file: argument.to_owned(), name: shown.to_string(), set }]);
    }
    let files = programs_in(argument)?;
    let is_source = |file: &PathBuf| {
        file.extension().is_some_and(|end| end == "c") && files.contains(&file.with_extension("i"))
    };
    let mut found = Vec::new();
    let whole = std::fs::canonicalize(argument).unwrap_or_else(|_| argument.to_owned());
    let folder = whole.file_name().map(PathBuf::from).unwrap_or_default();
    for file in files.iter().filter(|file| !is_source(file)) {
        let name = folder.join(file.strip_prefix(argument).unwrap_or(file));
        let set = name.parent().map(|parent| parent.display().to_string()).unwrap_or_default();
        found.push(Found { file: file.clone(), name: name.display().to_string(), set });
    }
    if found.is_empty() {
        let endings = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
        return Err(Failed::bad_input(format!(
            "there are no programs in `{shown}`: no file ends with {endings}"
        )));
    }
    Ok(found)
}

/// One task for each property with a known answer, or one if nothing is known.
fn tasks_of(program: &Found, known: &mut Known<'_>, bench: &Bench) -> Result<Vec<Task>, Failed> {
    // A file that cannot be read is a row of the tables, like one that cannot be understood.
    let bytes = read_bytes(&program.file).unwrap_or_default();
    let mut all = known.of(program, &bytes)?;
    if let Some(wanted) = &bench.property {
        all.retain_mut(|known| known.property.get_or_insert_with(|| wanted.clone()) == wanted);
        if all.is_empty() {
            all.push(Expectation { property: Some(wanted.clone()), ..Expectation::default() });
        }
    }
    if all.is_empty() {
        all.push(Expectation::default());
    }
    let is_only = all.len() == 1;
    let file = program.file.display().to_string();
    let tasks = all.iter().map(|known| {
        let property = known.property.as_deref().filter(|_| !is_only);
        let apart = property.map(|property| format!(" [{property}]")).unwrap_or_default();
        let mut task = Task::new(format!("{}{apart}", program.name), &program.set, "");
        known.apply(&mut task);
        task.at(&file, &bytes)
    });
    Ok(tasks.collect())
}

/// Gives tasks of the same name, which lie in folders of the same name, the names of their files.
fn set_apart(tasks: &mut [Task]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    tasks.iter().for_each(|task| *counts.entry(task.name.clone()).or_default() += 1);
    for task in tasks.iter_mut().filter(|task| counts[&task.name] > 1) {
        let apart = task.name.split_once(" [").map(|(_, apart)| format!(" [{apart}"));
        task.name = task.file.clone() + &apart.unwrap_or_default();
    }
}

/// Where right answers are looked for.
struct Known<'c> {
    /// The table that the user names, and its folder.
    named: Option<(PathBuf, Manifest)>,
    /// Manifests that were found, by their folders.
    found: BTreeMap<PathBuf, Option<Manifest>>,
    console: &'c Console,
}

impl<'c> Known<'c> {
    fn new(bench: &Bench, console: &'c Console) -> Result<Self, Failed> {
        let named = bench.expect.as_deref().map(manifest).transpose()?;
        Ok(Known { named, found: BTreeMap::new(), console })
    }

    /// What is known of a program, from the first place that knows something.
    fn of(&mut self, program: &Found, bytes: &[u8]) -> Result<Vec<Expectation>, Failed> {
        if let Some((folder, manifest)) = &self.named {
            let by_place = in_folder(&program.file, folder).map(|path| manifest.of(&path).to_vec());
            let known = by_place.filter(|known| !known.is_empty());
            return Ok(known.unwrap_or_else(|| manifest.of(&program.name).to_vec()));
        }
        if let Some(known) = self.task_file(&program.file) {
            return Ok(known);
        }
        let whole = std::fs::canonicalize(&program.file).unwrap_or_else(|_| program.file.clone());
        for folder in whole.ancestors().skip(1) {
            let entry = self.found.entry(folder.to_owned());
            // A table of another kind may have that name too.
            let manifest = entry.or_insert_with(|| {
                let file = folder.join(MANIFEST);
                if !file.is_file() {
                    return None;
                }
                manifest(&file).ok().map(|(_, manifest)| manifest)
            });
            let known = (manifest.as_ref())
                .and_then(|manifest| Some(manifest.of(&in_folder(&whole, folder)?).to_vec()));
            if let Some(known) = known.filter(|known| !known.is_empty()) {
                return Ok(known);
            }
        }
        Ok(directive(&String::from_utf8_lossy(bytes)).into_iter().collect())
    }

    /// What the task file beside a program says.
    fn task_file(&self, file: &Path) -> Option<Vec<Expectation>> {
        let path = file.with_extension("yml");
        let text = path.is_file().then(|| read_text(&path))?;
        let name = file.file_name()?.to_str()?;
        let read = text.ok().map(|text| TaskFile::parse(&text))?;
        match read {
            Ok(task) if task.inputs == [name] => Some(task.expectations),
            Ok(_) => None,
            Err(error) => {
                self.console.note(&format!("note: `{}`: {error}", path.display()));
                None
            }
        }
    }
}

/// A manifest and its folder.
pub(super) fn manifest(path: &Path) -> Result<(PathBuf, Manifest), Failed> {
    let text = read_text(path)?;
    let manifest = Manifest::parse(&text)
        .map_err(|error| Failed::bad_input(format!("`{}`: {error}", path.display())))?;
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    Ok((whole.parent().unwrap_or(Path::new("")).to_owned(), manifest))
}

/// The path of a file within a folder, as manifests write it.
fn in_folder(file: &Path, folder: &Path) -> Option<String> {
    let whole = std::fs::canonicalize(file).ok()?;
    Some(whole.strip_prefix(folder).ok()?.to_str()?.to_owned())
}
