//! From the command line to a campaign.

use super::{Plan, programs};
use crate::args::{self, Arguments, Bench};
use crate::compile_commands;
use crate::console::{Console, write_whole};
use crate::load::{read_bytes, read_text};
use crate::status::Failed;
use clap::Parser;
use loupe_bench::expect::Manifest;
use loupe_bench::suite::{Origin, Project, Suite};
use loupe_bench::{
    Campaign, Configuration, ConfigurationFile, Limits, Question, Run, Task, check_names,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the corpus lies, seen from the folder of the project.
const CORPUS: &str = "../shared/corpus";
/// Where projects are built, seen from there.
const PROJECTS: &str = "target/corpus-real/build";
/// What compilation databases are called.
const DATABASE: &str = "compile_commands.json";
/// The folder for generated programs, within that for results.
const PROGRAMS: &str = "programs";
/// More programs than that many times the usual number are a slip.
const MOST_SCALE: f64 = 1_000.0;

/// What is to be done.
pub(super) fn plan(bench: &Bench, console: &Console) -> Result<Plan, Failed> {
    let file = bench.file.as_deref().map(configuration_file).transpose()?;
    let suite = bench.suite.as_deref().map(Suite::named).transpose().map_err(bad)?;
    let (tasks, texts) = match &suite {
        Some(suite) => suite_tasks(suite, bench, console)?,
        None if bench.programs.is_empty() => {
            return Err(Failed::bad_input("name programs or folders, or a suite with `--suite`"));
        }
        None => (programs::tasks(bench, console)?, Vec::new()),
    };
    let campaign = Campaign {
        suite: bench.suite.clone(),
        tasks,
        configurations: configurations(bench, file.as_ref(), suite.as_ref())?,
        limits: limits(bench, file.as_ref(), suite.as_ref()),
        seed: bench.seed,
        version: args::version().to_owned(),
    };
    campaign.check().map_err(bad)?;
    check_commands(&campaign)?;
    Ok(Plan { campaign, texts })
}

fn bad(error: impl ToString) -> Failed {
    Failed::bad_input(error.to_string())
}

fn configuration_file(path: &Path) -> Result<ConfigurationFile, Failed> {
    ConfigurationFile::parse(&read_text(path)?)
        .map_err(|error| Failed::bad_input(format!("`{}`: {error}", path.display())))
}

/// Those of the command line and of the file; where there are none, those of the suite, or the usual one.
fn configurations(
    bench: &Bench,
    file: Option<&ConfigurationFile>,
    suite: Option<&Suite>,
) -> Result<Vec<Configuration>, Failed> {
    let mut all: Vec<Configuration> = (bench.configurations.iter())
        .map(|text| Configuration::parse(text).map_err(bad))
        .collect::<Result<_, _>>()?;
    all.extend(file.iter().flat_map(|file| file.configurations.clone()));
    let own = match (all.is_empty(), suite) {
        (false, _) => all,
        (true, Some(suite)) => suite.configurations().map_err(bad)?,
        (true, None) => vec![Configuration::usual()],
    };
    check_names(&own).map_err(bad)?;
    Ok(own)
}

/// The command line comes before the file, and that before the suite.
fn limits(bench: &Bench, file: Option<&ConfigurationFile>, suite: Option<&Suite>) -> Limits {
    let usual = Limits { seconds: args::BENCH_SECONDS, megabytes: args::BENCH_MEGABYTES };
    let usual = suite.map_or(usual, Suite::limits);
    let of_file = |usual: Limits, file: &ConfigurationFile| Limits {
        seconds: file.timeout.unwrap_or(usual.seconds),
        megabytes: file.max_memory.unwrap_or(usual.megabytes),
    };
    let usual = file.map_or(usual, |file| of_file(usual, file));
    Limits {
        seconds: bench.timeout.unwrap_or(usual.seconds),
        megabytes: bench.max_memory.unwrap_or(usual.megabytes),
    }
}

type Texts = Vec<(PathBuf, String)>;

fn suite_tasks(
    suite: &Suite,
    bench: &Bench,
    console: &Console,
) -> Result<(Vec<Task>, Texts), Failed> {
    if !(bench.scale > 0.0 && bench.scale <= MOST_SCALE) {
        return Err(Failed::bad_input(format!(
            "--scale: a number above 0 and up to {MOST_SCALE} was expected, not {}",
            bench.scale
        )));
    }
    let corpus = bench.corpus.clone().unwrap_or_else(|| PathBuf::from(CORPUS));
    let manifest = match suite.needs_corpus() {
        true => corpus_manifest(&corpus)?,
        false => Manifest::default(),
    };
    let all = suite.tasks(&manifest, (bench.scale, bench.seed)).map_err(bad)?;
    let only = bench.configurations.is_empty() && bench.file.is_none();
    let (mut tasks, mut texts) = (Vec::new(), Vec::new());
    for (mut task, origin) in all {
        // Configurations of the user are for all tasks.
        if !only {
            task.configurations.clear();
        }
        tasks.push(match origin {
            Origin::Corpus(path) => {
                let file = corpus.join(path);
                let bytes = read_bytes(&file)?;
                task.at(file.display().to_string(), &bytes)
            }
            Origin::Text(name, text) => {
                let file = bench.output.join(PROGRAMS).join(name);
                let task = task.at(file.display().to_string(), text.as_bytes());
                texts.push((file, text));
                task
            }
        });
    }
    let builds = bench.corpus.clone().unwrap_or_else(|| PathBuf::from(PROJECTS));
    for project in suite.projects() {
        tasks.extend(project_tasks(project, &builds, console)?);
    }
    if tasks.is_empty() && !suite.projects().is_empty() {
        return Err(Failed::bad_input(format!(
            "no project was built in `{}`; `make projects` fetches and builds them, and `--corpus FOLDER` says where they are",
            builds.display()
        )));
    }
    Ok((tasks, texts))
}

/// A task for each file of a project; one that was not built is told, and the others go on.
fn project_tasks(project: &Project, builds: &Path, console: &Console) -> Result<Vec<Task>, Failed> {
    let folder = builds.join(&project.folder);
    let database = folder.join(DATABASE);
    if !database.is_file() {
        console.note(&format!(
            "note: {} is left out: there is no `{}`; `make projects` fetches and builds it",
            project.name,
            database.display()
        ));
        return Ok(Vec::new());
    }
    let whole = std::fs::canonicalize(&folder).unwrap_or(folder);
    let mut tasks = Vec::new();
    for file in compile_commands::read(&database)?.files() {
        let name = file.strip_prefix(&whole).unwrap_or(&file).display().to_string();
        // A file that cannot be read is a row of the tables, like one that cannot be understood.
        let bytes = read_bytes(&file).unwrap_or_default();
        let task = project.task(&name, &database.display().to_string());
        tasks.push(task.at(file.display().to_string(), &bytes));
    }
    Ok(tasks)
}

fn corpus_manifest(corpus: &Path) -> Result<Manifest, Failed> {
    let path = corpus.join(programs::MANIFEST);
    if !path.is_file() {
        return Err(Failed::bad_input(format!(
            "this suite needs the corpus, and there is no `{}`; `--corpus FOLDER` says where it is",
            path.display()
        )));
    }
    Ok(programs::manifest(&path)?.1)
}

/// Has the command line itself say whether it understands each configuration, before anything is run.
fn check_commands(campaign: &Campaign) -> Result<(), Failed> {
    let mut checked = BTreeSet::new();
    for run in campaign.runs() {
        let arguments = campaign.arguments(&run);
        if !checked.insert(arguments.clone()) {
            continue;
        }
        check_command(&run, arguments)?;
    }
    Ok(())
}

fn check_command(run: &Run<'_>, arguments: Vec<String>) -> Result<(), Failed> {
    let output = (run.question() == Question::Test).then_some(["-o", "folder"]);
    let words = ["loupe".to_owned()].into_iter().chain(arguments);
    let words = words.chain(output.into_iter().flatten().map(str::to_owned));
    let words = words.chain(["--".to_owned(), run.task.file.clone()]);
    match Arguments::try_parse_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let first: Vec<&str> =
                text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            let first = first.join(" ");
            let message = first.strip_prefix("error: ").unwrap_or(&first);
            let name = &run.configuration.name;
            Err(Failed::bad_input(format!("configuration `{name}`: {message}")))
        }
    }
}

impl Plan {
    /// Writes the programs that are texts, where they are not there yet.
    pub(super) fn write_programs(&self) -> Result<(), Failed> {
        for (file, text) in &self.texts {
            if std::fs::read(file).is_ok_and(|known| known == text.as_bytes()) {
                continue;
            }
            let folder = file.parent().unwrap_or(Path::new(""));
            std::fs::create_dir_all(folder).and_then(|()| write_whole(file, text)).map_err(
                |error| Failed::bad_input(format!("cannot write `{}`: {error}", file.display())),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{ArgAction, CommandFactory};
    use loupe_bench::{KEYS, Takes, suite};

    /// What an option takes in the first of these commands that has it, as far as that can be told: one value or several look alike.
    fn takes(key: &str) -> Option<Takes> {
        let commands = Arguments::command();
        let commands =
            Question::ALL.iter().filter_map(|one| commands.find_subcommand(one.command()));
        let options = commands.flat_map(clap::Command::get_arguments);
        let own = options.into_iter().find(|option| option.get_long() == Some(key))?;
        let may_stand_alone = own.get_num_args().is_some_and(|range| range.min_values() == 0);
        Some(match own.get_action() {
            ArgAction::SetTrue => Takes::Nothing,
            _ if may_stand_alone => Takes::Perhaps,
            _ => Takes::Value,
        })
    }

    #[test]
    fn keys_are_options_of_commands() {
        for key in KEYS {
            let takes = takes(key.name).unwrap_or_else(|| panic!("no option --{}", key.name));
            let expected = if key.takes == Takes::Values { Takes::Value } else { key.takes };
            assert_eq!(takes, expected, "{}", key.name);
        }
    }

    #[test]
    fn the_command_line_understands_all_suites() {
        for name in suite::names() {
            let suite = Suite::named(name).expect("a suite");
            let manifest = "path\tproperty\texpected\tdata_model\n\
                svcomp16/loops/a.i\tunreach-call\ttrue\tILP32\n\
                svcomp16/loop-acceleration/a.i\tunreach-call\ttrue\tILP32\n\
                svcomp16/loop-lit/a.i\tunreach-call\ttrue\tILP32\n\
                svcomp16/loop-new/a.i\tunreach-call\ttrue\tILP32\n";
            let manifest = Manifest::parse(manifest).expect("a manifest");
            let tasks = suite.tasks(&manifest, (0.02, 0)).expect("tasks");
            let projects = suite.projects().iter();
            let files = projects.map(|project| project.task("p.c", "compile_commands.json"));
            let tasks = tasks.into_iter().map(|(task, _)| task).chain(files);
            let campaign = Campaign {
                suite: Some(name.to_owned()),
                tasks: tasks.map(|task| task.at("p.c", b"")).collect(),
                configurations: suite.configurations().expect("configurations"),
                limits: suite.limits(),
                seed: 0,
                version: String::new(),
            };
            check_commands(&campaign).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        }
    }
}
