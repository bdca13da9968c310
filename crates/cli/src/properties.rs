//! What a program is checked for: properties by name, property files, and the list of things to do that they come to.
//!
//! A property file of SV-COMP says where execution starts and what must hold then; its conjunction is one of our properties, or several that are checked one
//! after the other.

mod file;

use crate::args::{Exploring, ExtraCheck, Source};
use crate::console::Console;
use crate::load::{self, Demands};
use crate::status::Failed;
use file::Formula;
use loupe_c::lower::{ErrorFunctions, Needs, Pointers};
use loupe_ir::program::{FunctionId, Program};
use loupe_symbolic::leak::with_leak_checks;
use loupe_symbolic::property::{NoSuchProperty, Property};
use loupe_symbolic::search::Location;
use loupe_symbolic::target::with_targets;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What stands behind `--property`.
#[derive(Clone, Debug)]
pub(crate) enum PropertyArgument {
    Named(Property),
    File(PathBuf),
}

impl FromStr for PropertyArgument {
    type Err = NoSuchProperty;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(property) => Ok(PropertyArgument::Named(property)),
            // Whoever writes a name of a file means one; whether it is there is said when it is read.
            Err(_) if text.ends_with(".prp") || text.contains(std::path::MAIN_SEPARATOR) => {
                Ok(PropertyArgument::File(text.into()))
            }
            Err(error) => Err(error),
        }
    }
}

/// Something of a program that a property file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// No call of this function is reached.
    Call(String),
    /// No label of this name is reached.
    Label(String),
    /// No statement in this line of the first file is reached.
    Line(u32),
}

/// One thing that is asked of a program.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) property: Property,
    mark: Option<Mark>,
    /// Where execution starts, if the property says so.
    pub(crate) entry: Option<String>,
    /// Which file it is about, if they are programs of their own.
    pub(crate) file: Option<PathBuf>,
    /// What stands behind `--property` for it.
    pub(crate) asked: String,
}

impl Task {
    fn new(property: Property) -> Self {
        Task { property, mark: None, entry: None, file: None, asked: property.name().to_owned() }
    }

    /// To come to a place.
    pub(crate) fn to(place: Mark) -> Self {
        Task { mark: Some(place), ..Task::new(Property::Target) }
    }

    /// As reports name it.
    pub(crate) fn name(&self) -> String {
        match &self.mark {
            None => self.property.name().to_owned(),
            Some(Mark::Call(name)) => format!("no call of {name}"),
            Some(Mark::Label(name)) => format!("no label {name}"),
            Some(Mark::Line(line)) => format!("no execution of line {line}"),
        }
    }

    /// The same above one of several reports.
    pub(crate) fn heading(&self) -> String {
        match &self.file {
            None => self.name(),
            Some(file) => format!("{}: {}", file.display(), self.name()),
        }
    }

    /// The file that reports name: that of the task, or the first.
    pub(crate) fn file(&self, source: &Source) -> Option<String> {
        let file = self.file.as_ref().or(source.files.first());
        file.map(|file| file.display().to_string())
    }

    /// The program as the task has it.
    pub(crate) fn source(&self, source: &Source) -> Result<Source, Failed> {
        let mut source = source.clone();
        if let Some(file) = &self.file {
            source.files = vec![file.clone()];
        }
        match (&self.entry, &source.c.entry) {
            (None, _) => {}
            (Some(wanted), Some(other)) if wanted != other => {
                return Err(Failed::bad_input(format!(
                    "the property file starts in `{wanted}`, and --entry in `{other}`"
                )));
            }
            (Some(_), _) if !load::is_c(&source) => {
                return Err(Failed::bad_input(
                    "a property file can say only of C programs that they start elsewhere than in `main`",
                ));
            }
            (Some(wanted), _) => source.c.entry = Some(wanted.clone()),
        }
        Ok(source)
    }

    /// What the flowgraph must have for it.
    pub(crate) fn demands(&self) -> Demands {
        let checks: &[ExtraCheck] = match self.property {
            Property::NoErrors | Property::DefBehavior => &[ExtraCheck::All],
            Property::NoOverflow => &[ExtraCheck::SignedOverflow],
            _ => &[],
        };
        let error_functions = match self.property.has_error_calls() {
            true => ErrorFunctions::Fail,
            false => ErrorFunctions::AreExecuted,
        };
        let error_label = match &self.mark {
            Some(Mark::Label(name)) => Some(name.clone()),
            _ => None,
        };
        let target_line = match &self.mark {
            Some(Mark::Line(line)) => Some(*line),
            _ => None,
        };
        let pointers = match self.property.asks_for_leaks() {
            true => Pointers::InMemory,
            false => Pointers::InRegisters,
        };
        Demands { checks, needs: Needs { error_functions, error_label, target_line, pointers } }
    }

    /// The program with the checks that no front end makes.
    pub(crate) fn with_checks(&self, program: Program) -> Result<Program, Failed> {
        match &self.mark {
            Some(Mark::Call(name)) => with_marked_calls(&program, name),
            _ if self.property.asks_for_leaks() => Ok(with_leak_checks(program, self.property)),
            _ => Ok(program),
        }
    }
}

/// The program with a target at the beginning of all functions of this name; there are several if they are `static`.
fn with_marked_calls(program: &Program, name: &str) -> Result<Program, Failed> {
    let functions = program.functions().filter(|(_, content)| content.name == name);
    let beginning = |function: FunctionId| {
        let (block, _) = program.function(function).blocks().next()?;
        Some(Location { function, block, next: 0 })
    };
    let places: Vec<Location> = functions.filter_map(|(id, _)| beginning(id)).collect();
    // A function that nobody calls is not part of the flowgraph, unless calls of it are something else there.
    let is_special = name.starts_with("__builtin_") || loupe_c::library::has(name);
    if places.is_empty() && is_special {
        return Err(Failed::bad_input(format!(
            "calls of `{name}` cannot be looked for: Loupe knows what it does, and has no calls of it"
        )));
    }
    Ok(with_targets(program, &places))
}

/// All that is asked of a program, or of several.
pub(crate) fn tasks(
    source: &Source,
    exploring: &Exploring,
    console: &Console,
) -> Result<Vec<Task>, Failed> {
    all(source, &exploring.property, console)
}

fn all(
    source: &Source,
    properties: &[PropertyArgument],
    console: &Console,
) -> Result<Vec<Task>, Failed> {
    let is_c = load::is_c(source);
    let mut asked = Vec::new();
    for argument in properties {
        match argument {
            PropertyArgument::Named(property) => asked.push(Task::new(*property)),
            PropertyArgument::File(path) => asked.extend(read(path, console)?),
        }
    }
    if asked.is_empty() {
        asked.push(Task::new(if is_c { Property::UnreachCall } else { Property::NoErrors }));
    }
    if is_c || source.files.len() < 2 {
        return Ok(asked);
    }
    // Files of C are one program, others are programs of their own.
    let of_file = |file: &PathBuf| {
        let file = Some(file.clone());
        asked.iter().map(move |task| Task { file: file.clone(), ..task.clone() })
    };
    Ok(source.files.iter().flat_map(of_file).collect())
}

/// The only thing that is asked.
pub(crate) fn single(
    source: &Source,
    exploring: &Exploring,
    console: &Console,
) -> Result<Task, Failed> {
    only(tasks(source, exploring, console)?)
}

/// The only thing that a run is asked for, if anything is.
pub(crate) fn of_run(
    source: &Source,
    property: Option<&PropertyArgument>,
    console: &Console,
) -> Result<Option<Task>, Failed> {
    let Some(property) = property else { return Ok(None) };
    only(all(source, std::slice::from_ref(property), console)?).map(Some)
}

fn only(tasks: Vec<Task>) -> Result<Task, Failed> {
    let mut tasks = tasks.into_iter();
    match (tasks.next(), tasks.next()) {
        (Some(task), None) => Ok(task),
        (Some(task), Some(_)) if task.file.is_some() => {
            Err(Failed::bad_input("only C programs may consist of several files"))
        }
        _ => Err(Failed::bad_input("several properties at once are for `loupe verify`")),
    }
}

/// What a property file asks for.
fn read(path: &Path, console: &Console) -> Result<Vec<Task>, Failed> {
    let text = load::read_text(path)?;
    let lines = file::parse(&path.display().to_string(), &text)
        .map_err(|wrong| load::refuse(console, &wrong.0, &[wrong.1]))?;
    let entry = lines.first().map(|line| line.entry.clone()).filter(|entry| entry != "main");
    let mut tasks = Vec::new();
    for line in &lines {
        let (property, mark) = match &line.formula {
            Formula::Property(property) => (*property, None),
            Formula::Never(mark) => (Property::Target, Some(mark.clone())),
        };
        let asked = match &mark {
            None => property.name().to_owned(),
            Some(_) => path.display().to_string(),
        };
        tasks.push(Task { property, mark, entry: entry.clone(), file: None, asked });
    }
    Ok(joined(tasks))
}

/// The tasks of a file, with one instead of the parts of a property that has a name.
fn joined(mut tasks: Vec<Task>) -> Vec<Task> {
    let parts = [Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack];
    let all = parts.iter().all(|part| tasks.iter().any(|task| task.property == *part));
    if !all {
        return tasks;
    }
    if let Some(first) = tasks.iter().position(|task| parts.contains(&task.property)) {
        tasks[first].property = Property::ValidMemsafety;
        tasks[first].asked = Property::ValidMemsafety.name().to_owned();
    }
    tasks.retain(|task| !parts.contains(&task.property));
    tasks
}
