//! `loupe reach`

use super::explore::{How, Work, draft, peak_memory};
use super::progress::MemberProgress;
use super::verify::processor_time;
use crate::args::{self, Emit, Format, Goal, Reach};
use crate::console::{Console, write_result};
use crate::load::Loaded;
use crate::properties::{Mark, Task};
use crate::status::{Failed, Status};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::source::FileId;
use loupe_report::explore::{self as report, Verdict};
use loupe_report::reach::{Answer, Backbone};
use loupe_report::verdict;
use loupe_symbolic::domain::Symbolic;
use loupe_symbolic::explore::Merge;
use loupe_symbolic::explore::{
    AllErrors, Draft, DraftFigures, DraftFor, DraftUntil, DraftedWay, Exploration, Fate, Leaf,
    Observer, Readable, Subsumed,
};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Location, Strategy, places_starting_in};
use loupe_symbolic::target::{beginning, places_of_errors, with_return_target, with_targets};
use loupe_term::Term;
use loupe_verify::{Member, Observed, Report, Request};
use serde_json::{Value as Json, json};
use std::process::ExitCode;

pub(crate) fn execute(reach: &Reach, console: &Console) -> Result<ExitCode, Failed> {
    if !reach.exploring.property.is_empty() || reach.exploring.target.is_some() {
        let what = "`reach` has a target of its own: leave `--property` and `--target` out";
        return Err(Failed::bad_input(what));
    }
    let work = work(reach, console)?;
    let what = describe(&reach.goal);
    if !reach.goal.error && !is_marked(&work.loaded.program) {
        write_result(&answered(reach, (Verdict::Safe, &[])), None)?;
        return Ok(Status::Done.into());
    }
    let mut backbones = Backbones::default();
    let (report, seconds) = explored(reach, &work, &mut backbones)?;
    let drafts = drafts(&report);
    backbones.leave_out_later(&report);
    let exploration = &report.exploration;
    let verdict = Verdict::of(exploration);
    let is_whole = drafts.is_whole;
    let limit = drafts.limit.map(|limit| (limit, drafts.time.as_secs_f64()));
    let by = report.winner.filter(|winner| *winner != Member::Guided).map(Member::name);
    let answer = Answer { what: &what, verdict, backbones: &backbones.found, is_whole, limit, by };
    let script = reach.emit.map(|Emit::Smt2| backbones.script(is_whole, answer.given_up()));
    match (reach.format, script) {
        (Format::Text, Some(script)) => write_result(&script, None)?,
        (Format::Text, None) => {
            for violation in exploration.violations.values() {
                if let Some(message) = report::violation(&work.loaded.program, violation) {
                    console.message(&message, &work.loaded.program.sources);
                }
            }
            work.note_assumptions(exploration, console);
            let reasons = reasons(&work, exploration, verdict);
            write_result(&answer.text(&reasons), None)?;
        }
        (Format::Json, script) => {
            let program = &work.loaded.program;
            let inputs = exploration.violations.values().next();
            let mut object = answer.json();
            object["file"] =
                json!(reach.source.files.first().map(|file| file.display().to_string()));
            object["reasons"] = json!(reasons(&work, exploration, verdict));
            object["violation"] =
                json!(inputs.map(|violation| report::violation_json(program, violation)));
            object["assumptions"] = json!(work.assumptions(exploration));
            object["templates"] = report::templates_json(exploration);
            object["stats"] = verdict::stats(exploration, seconds, peak_memory());
            let (instances, whole) =
                (drafts.instances_time.as_secs_f64(), drafts.whole_time.as_secs_f64());
            object["member"] = json!(report.winner.map(Member::name));
            object["members"] = json!(verdict::members(&report));
            if let Some(script) = script {
                object["necessary"]["smt2"] = json!(script);
            }
            object["necessary"]["states"] = json!(drafts.states);
            object["necessary"]["explored"] = json!(drafts.explored);
            object["necessary"]["searched"] = json!(drafts.is_followed);
            object["necessary"]["dropped"] = json!(drafts.dropped);
            object["necessary"]["refuted"] = json!(drafts.refuted);
            object["necessary"]["candidates"] = json!(drafts.candidates);
            object["necessary"]["seconds"] = json!({
                "build": (drafts.time.as_secs_f64() - instances - whole).max(0.0),
                "instances": instances,
                "whole": whole,
            });
            object["version"] = json!(env!("CARGO_PKG_VERSION"));
            write_result(&format!("{object:#}"), None)?;
        }
    }
    Ok(status(verdict).into())
}

/// What is found out about the target: a necessary condition is looked for first, then others race with the search that it guides, unless the user says how to explore.
fn explored(
    reach: &Reach,
    work: &Work<'_>,
    backbones: &mut Backbones,
) -> Result<(Report, f64), Failed> {
    let exploring = &reach.exploring;
    let timeout = exploring.timeout;
    let purpose = if reach.no_guide { DraftFor::Answer } else { DraftFor::Guidance };
    // The condition itself is wanted: it is the same whoever else would know the answer sooner.
    let is_wanted = reach.emit.is_some();
    let is_whole = is_wanted && exploring.loops == Some(args::Loops::Necessary);
    let how = How {
        all: if is_whole { AllErrors::GoOn } else { AllErrors::StopAtFirst },
        timeout,
        keep_tree: false,
        loops: args::Loops::Auto,
        live: reach.format == Format::Text,
        instances: reach.instances,
        // Who says how to treat loops wants nothing else.
        draft: (exploring.loops.is_none() || is_wanted).then(|| Draft {
            ways: reach.max_ways,
            until: if is_wanted { DraftUntil::Whole } else { DraftUntil::Gone },
            ..draft(timeout, purpose)
        }),
        limit_cost: Merge::LIMIT_COST,
        subsumed: Subsumed::All,
    };
    if !exploring.leaves_open_how() && reach.members.is_empty() {
        let (exploration, seconds) = work.run(how, Some(backbones))?;
        let others = Vec::new();
        return Ok((Report { winner: None, decided: None, exploration, others }, seconds));
    }
    let members = match &reach.members[..] {
        _ if is_wanted => vec![Member::Guided],
        [] => Member::for_places(),
        members => members.to_vec(),
    };
    let jobs = exploring.jobs_of_members();
    let progress = MemberProgress::new(how.live);
    let how = How { live: false, ..how };
    work.watched(&how, |options, supervisor| {
        let watcher = |member: Member, so_far: &Exploration, waiting: usize| {
            progress.show(member, so_far, waiting);
        };
        let (program, watcher) = (&work.loaded.program, &watcher);
        let clock = &processor_time;
        let usual = Request::new(program);
        let request = Request { options, members, jobs, watcher, clock, ..usual };
        let observed: Observed<'_> = (Member::Guided, backbones);
        loupe_verify::verify_observed(&request, supervisor, Some(observed))
    })
}

/// What became of the necessary condition by the time when the answer was found.
fn drafts(report: &Report) -> DraftFigures {
    let other = report.others.iter().find(|run| run.member == Member::Guided);
    let Some(other) = other else { return report.exploration.drafts };
    let drafts = other.exploration.drafts;
    let is_late = report.decided.is_some_and(|decided| drafts.whole_since > decided);
    DraftFigures { is_whole: drafts.is_whole && !is_late, ..drafts }
}

/// The report of a question that came to nothing.
pub(crate) fn unknown(reach: &Reach, why: &str) -> String {
    answered(reach, (Verdict::Unknown, &[why.to_owned()]))
}

/// The report where nothing was explored: the target is in code that nobody executes, or the question came to nothing.
fn answered(reach: &Reach, (verdict, reasons): (Verdict, &[String])) -> String {
    let what = describe(&reach.goal);
    let (is_whole, limit, by) = (verdict == Verdict::Safe, None, None);
    let answer = Answer { what: &what, verdict, backbones: &[], is_whole, limit, by };
    let why = reasons.first().cloned();
    let script = reach.emit.map(|Emit::Smt2| Backbones::default().script(is_whole, why));
    match (reach.format, script) {
        (Format::Text, Some(script)) => script,
        (Format::Text, None) => answer.text(reasons),
        (Format::Json, script) => {
            let mut object = answer.json();
            object["file"] =
                json!(reach.source.files.first().map(|file| file.display().to_string()));
            object["reasons"] = json!(reasons);
            if let Some(script) = script {
                object["necessary"]["smt2"] = json!(script);
            }
            object["violation"] = Json::Null;
            object["assumptions"] = json!([]);
            object["stats"] = super::verify::no_stats(reach.exploring.timeout);
            object["version"] = json!(env!("CARGO_PKG_VERSION"));
            format!("{object:#}")
        }
    }
}

/// Reached is what a violation is for other commands.
fn status(verdict: Verdict) -> Status {
    match verdict {
        Verdict::Safe => Status::Done,
        Verdict::Unsafe => Status::Violation,
        Verdict::Unknown => Status::Unknown,
    }
}

fn reasons(work: &Work<'_>, exploration: &Exploration, verdict: Verdict) -> Vec<String> {
    match verdict {
        Verdict::Unknown => report::reasons(&work.loaded.program, exploration),
        Verdict::Safe | Verdict::Unsafe => Vec::new(),
    }
}

fn describe(goal: &Goal) -> String {
    match (goal.line, &goal.label, &goal.function) {
        (Some(line), ..) => format!("line {line}"),
        (_, Some(label), _) => format!("label `{label}`"),
        (.., Some(function)) => format!("function `{function}`"),
        _ if goal.returns.is_some() => {
            format!("a return of {}", goal.returns.unwrap_or_default())
        }
        _ => "an error".to_owned(),
    }
}

/// The program with its target.
fn work<'r>(reach: &'r Reach, console: &Console) -> Result<Work<'r>, Failed> {
    let Reach { source, exploring, goal, .. } = reach;
    let usual = || Work::new(source, exploring, Strategy::Dfs, console);
    let marked =
        |place| Work::for_task(&Task::to(place), source, exploring, Strategy::Dfs, console);
    if goal.error {
        // What counts as an error is a matter of the language.
        return usual();
    }
    let mut work = match (&goal.label, goal.line) {
        (Some(label), _) => marked(Mark::Label(label.clone()))?,
        (_, Some(line)) => marked(Mark::Line(line))?,
        _ => usual()?,
    };
    work.property = Property::Target;
    let program = &work.loaded.program;
    if let Some(number) = goal.returns {
        let entry = source.c.entry.as_deref().unwrap_or("main");
        let program = with_return_target(program, entry, &Integer::from(number));
        work.loaded.program = program.ok_or_else(|| {
            Failed::bad_input(format!("--returns: `{entry}` returns no number of a known type"))
        })?;
    } else if let Some(label) = &goal.label {
        label_is_there(&work.loaded, label)?;
    } else {
        let places = places(&work.loaded, goal)?;
        work.loaded.program = with_targets(program, &places);
    }
    Ok(work)
}

/// Whether a front end has made a check of the target.
fn is_marked(program: &Program) -> bool {
    !places_of_errors(program, Property::Target).is_empty()
}

/// Where nothing is marked there is no such label, or nothing behind it.
fn label_is_there(loaded: &Loaded, label: &str) -> Result<(), Failed> {
    let program = &loaded.program;
    if is_marked(program) || loaded.is_target_dead {
        return Ok(());
    }
    let text = program.sources.get(FileId(0)).map(|source| &*source.text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_label = |(at, _): (usize, &str)| {
        let (before, behind) =
            text.map_or(("", ""), |text| (&text[..at], &text[at + label.len()..]));
        !before.ends_with(is_word) && behind.trim_start().starts_with(':')
    };
    let is_written = text.is_some_and(|text| text.match_indices(label).any(is_label));
    Err(Failed::bad_input(match is_written {
        true => format!("--label: nothing is executed at `{label}`: no way leads there"),
        false => format!("--label: there is no label `{label}` in the file"),
    }))
}

/// The instructions that are meant.
fn places(loaded: &Loaded, goal: &Goal) -> Result<Vec<Location>, Failed> {
    let program = &loaded.program;
    let file = FileId(0);
    if let Some(function) = &goal.function {
        let place = beginning(program, function).ok_or_else(|| {
            Failed::bad_input(format!(
                "--function: the program has no function `{function}` that can be executed"
            ))
        })?;
        return Ok(vec![place]);
    }
    let source = program.sources.get(file);
    let lines = source.map_or(0, |source| source.text.lines().count() as u32);
    let line = goal.line.unwrap_or(0);
    if line == 0 || line > lines {
        return Err(Failed::bad_input(format!("--line: the file has lines 1 to {lines}")));
    }
    // What only goes on over the line was begun elsewhere, and is executed where this line is not.
    let found = places_starting_in(program, file, line);
    if found.is_empty() && !is_marked(program) && !loaded.is_target_dead {
        let near =
            (1..=lines).filter(|other| !places_starting_in(program, file, *other).is_empty());
        let near = near.min_by_key(|other| other.abs_diff(line));
        let hint = near.map_or(String::new(), |near| format!("; the nearest is line {near}"));
        return Err(Failed::bad_input(format!("--line: nothing is executed in line {line}{hint}")));
    }
    Ok(found)
}

/// Collects what must hold for coming to the target, way by way.
#[derive(Default)]
struct Backbones {
    found: Vec<Backbone>,
    /// Each as SMT-LIB, and how much work it took to come to it.
    scripts: Vec<String>,
    efforts: Vec<u64>,
    /// The number that each has in the exploration.
    numbers: Vec<usize>,
    /// Those that nobody can go, and how much work that took.
    refuted: Vec<(u64, usize)>,
}

impl Backbones {
    /// Leaves out what was found after somebody else had the answer: how much that is depends on the clock.
    fn leave_out_later(&mut self, report: &Report) {
        let is_own = report.winner == Some(Member::Guided);
        let end = report.decided.filter(|_| !is_own).unwrap_or(u64::MAX);
        let kept = self.efforts.partition_point(|effort| *effort <= end);
        self.found.truncate(kept);
        self.scripts.truncate(kept);
        for (effort, number) in &self.refuted {
            let place = self.numbers.iter().position(|known| known == number);
            if *effort <= end
                && let Some(backbone) = place.and_then(|place| self.found.get_mut(place))
            {
                backbone.is_possible = false;
            }
        }
    }

    /// All ways for a solver, one after the other. Where there may be others nothing is necessary for coming there, as far as is known: whoever read the known ones as the condition would exclude executions that come there.
    fn script(&self, is_whole: bool, given_up: Option<String>) -> String {
        match (self.scripts.is_empty(), is_whole) {
            (false, true) => self.scripts.concat(),
            (true, true) => format!("; no way leads there\n{}", script_of(false)),
            (_, false) => {
                let why = given_up.unwrap_or_else(|| "there may be other ways".to_owned());
                let known = match self.scripts.len() {
                    0 => "none is known".to_owned(),
                    1 => "one way is known".to_owned(),
                    known => format!("{known} ways are known"),
                };
                format!("; incomplete: {why}; {known}\n{}", script_of(true))
            }
        }
    }
}

/// Something that always holds, or never.
fn script_of(truth: bool) -> String {
    format!("(set-logic QF_UF)\n(assert {truth})\n(check-sat)\n(reset)\n")
}

impl Observer for Backbones {
    fn leaf(&mut self, _: &mut Symbolic, _: &Leaf) {}

    fn drafted(&mut self, domain: &mut Symbolic, way: &DraftedWay<'_>) {
        let DraftedWay { leaf, conditions, effort, .. } = *way;
        let line = leaf.span.start.line;
        let says = Readable::new(domain, leaf, conditions);
        self.found.push(Backbone { line, says, is_possible: true });
        let number = self.found.len();
        let has_form = |part: &&Term| loupe_solver::script_of(&domain.terms, &[**part]).is_ok();
        let (mut note, mut script) = ("", loupe_solver::script_of(&domain.terms, conditions));
        if script.is_err() {
            let written: Vec<Term> = conditions.iter().filter(has_form).copied().collect();
            note = "; weakened: some conditions have no form in SMT-LIB\n";
            script = loupe_solver::script_of(&domain.terms, &written);
        }
        let script = script.unwrap_or_else(|_| script_of(true));
        let script = format!("; way {number}, to line {line}\n{note}{script}\n(reset)\n");
        self.scripts.push(script);
        self.efforts.push(effort);
        self.numbers.push(way.number);
    }

    fn settled(&mut self, _: &mut Symbolic, way: &DraftedWay<'_>, fate: &Fate) {
        if *fate == Fate::Refuted {
            self.refuted.push((way.effort, way.number));
        }
    }
}
