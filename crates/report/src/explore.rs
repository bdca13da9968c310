//! What came out of a symbolic execution.

use crate::message::Message;
use crate::run::{self, count, integer};
use crate::verdict::{listed, run_length};
use loupe_engine::concrete::RunLength;
use loupe_ir::analysis::loops::LoopId;
use loupe_ir::program::{FunctionId, Program};
use loupe_ir::source::Span;
use loupe_symbolic::explore::{
    Annotation, Choice, Endless, Exploration, Jump, LoopFigures, MergeFigures, Model, Proof, Stop,
    SubsumptionFigures, TemplateFigures, Unsure, Violation,
};
use loupe_symbolic::loops::Loops;
use serde_json::{Value as Json, json};

/// The kind of an execution that never ends.
const NON_TERMINATION: &str = "non-termination";

/// So many reasons are listed.
const SHOWN: usize = 10;

/// What is known of a program after its exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every execution was covered, and none violates the property.
    Safe,
    /// An execution that violates it was replayed.
    Unsafe,
    /// Anything else.
    Unknown,
}

impl Verdict {
    /// The verdict that an exploration justifies.
    pub fn of(exploration: &Exploration) -> Self {
        if exploration.is_violated() {
            Verdict::Unsafe
        } else if exploration.is_safe() {
            Verdict::Safe
        } else {
            Verdict::Unknown
        }
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }
}

/// The numbers of a stream in short.
pub(crate) fn stream(numbers: &[loupe_integer::Integer]) -> String {
    numbers.iter().cloned().collect::<RunLength>().to_string()
}

/// The message about an error.
pub fn violation(program: &Program, violation: &Violation) -> Option<Message> {
    let mut message = run::message(program, &violation.replay())?;
    message.notes.push(match violation.model.inputs.is_empty() {
        true => "without inputs".to_owned(),
        false => format!("inputs: {}", stream(&violation.model.inputs)),
    });
    message.notes.extend(other_inputs(&violation.model));
    for jump in &violation.jumps {
        message.notes.push(format!(
            "the replay went over {} iterations of the loop at {} by its closed form",
            jump.iterations,
            place(program, jump.loop_span)
        ));
    }
    if violation.paths > 1 {
        message.notes.push(format!("on {} paths", violation.paths));
    }
    Some(message)
}

/// What is read besides inputs.
fn other_inputs(model: &Model) -> Vec<String> {
    let Model { undefined, standard_input, command_line, .. } = model;
    let mut notes = Vec::new();
    if undefined.iter().any(|number| !number.is_zero()) {
        notes.push(format!("uninitialised: {}", stream(undefined)));
    }
    if !standard_input.is_empty() {
        notes.push(format!("standard input: \"{}\"", standard_input.escape_ascii()));
    }
    if let [_, arguments @ ..] = &command_line[..]
        && !arguments.is_empty()
    {
        notes.push(format!("arguments: {}", quoted(arguments)));
    }
    notes
}

/// The message about an execution that never ends.
pub fn endless(program: &Program, found: &Endless) -> Message {
    let Endless { span, function, model, forever, iterations, .. } = found;
    let name = &program.function(*function).name;
    let mut notes = vec![format!("in `{name}`")];
    notes.push(match (model.inputs.is_empty(), forever.is_empty()) {
        (true, true) => "without inputs".to_owned(),
        (false, true) => format!("inputs: {}", stream(&model.inputs)),
        (true, false) => format!("inputs: {} for ever", stream(forever)),
        (false, false) => {
            format!("inputs: {}, then {} for ever", stream(&model.inputs), stream(forever))
        }
    });
    notes.extend(other_inputs(model));
    notes.push(match found.proof {
        Proof::Recurrent => "no iteration leads out of the loop from there, which was proved; a replay came there and stayed".to_owned(),
        Proof::Repeated => format!(
            "in a replay, the same state comes again after {}",
            count(*iterations, "iteration")
        ),
    });
    Message {
        title: format!("an execution never ends [{NON_TERMINATION}]"),
        place: Some((*span, "this loop runs for ever".to_owned())),
        notes,
        ..Message::default()
    }
}

/// Such an execution as JSON.
pub fn endless_json(program: &Program, found: &Endless) -> Json {
    let Endless { span, function, model, forever, forever_places, .. } = found;
    let undefined: Vec<Json> = model.undefined.iter().map(|v| integer(&v.to_string())).collect();
    json!({
        "kind": NON_TERMINATION,
        "function": program.function(*function).name,
        "file": program.sources.name(span.file),
        "line": span.start.line,
        "column": span.start.column,
        "inputs": listed(&model.inputs, &model.places),
        "input": run_length(&model.inputs),
        "forever": listed(forever, forever_places),
        // How long somebody looked on says nothing.
        "iterations": (found.proof == Proof::Repeated).then_some(found.iterations),
        "uninitialised": undefined,
        "standard_input": model.standard_input,
        "arguments": model.command_line.get(1..).unwrap_or_default(),
    })
}

/// Loops of which it is not known whether they end: where they are, and why.
pub(crate) fn open_loops(program: &Program, exploration: &Exploration) -> Vec<(Span, String)> {
    let loops = Loops::new(program);
    let mut open = Vec::new();
    for ((function, id), figures) in &exploration.loops {
        let span = loops.of(*function).get(LoopId(*id)).span(program.function(*function));
        for why in figures.reasons.iter().filter(|_| figures.executed > 0) {
            open.push((span, format!("whether this loop ends is not known: {why}")));
        }
    }
    open
}

/// Arguments of a command line, each in quotes.
fn quoted(arguments: &[Vec<u8>]) -> String {
    let arguments: Vec<String> =
        arguments.iter().map(|argument| format!("\"{}\"", argument.escape_ascii())).collect();
    arguments.join(" ")
}

fn place(program: &Program, span: Span) -> String {
    format!("{}:{}", program.sources.name(span.file), span.start)
}

/// Why nothing can be said, each reason once, the most frequent first.
pub fn reasons(program: &Program, exploration: &Exploration) -> Vec<String> {
    let mut reasons = Vec::new();
    if exploration.stop != Stop::Complete && exploration.stop != Stop::FirstError {
        reasons.push(exploration.stop.to_string());
    }
    let mut unsure: Vec<(&Unsure, &u64)> = exploration.unsure.iter().collect();
    unsure.sort_by_key(|(_, paths)| std::cmp::Reverse(**paths));
    for (unsure, paths) in unsure {
        let more = if *paths > 1 { format!(" ({paths} paths)") } else { String::new() };
        reasons.push(format!("{}: {}{more}", place(program, unsure.span), unsure.what));
    }
    reasons
}

/// The figures for people.
pub fn text(program: &Program, exploration: &Exploration) -> String {
    let e = exploration;
    let mut lines = vec![format!(
        "paths: {} ({} finished, {} failed, {} assumed away, {} cut off), {} pruned",
        e.paths(),
        e.finished,
        e.failed,
        e.assumed_away,
        e.cut_off,
        e.pruned
    )];
    let forks: Vec<String> =
        e.forks.iter().map(|(reason, count)| format!("{} {count}", reason.name())).collect();
    let forks = if forks.is_empty() { "none".to_owned() } else { forks.join(", ") };
    lines.push(format!("states: {}, at most {} at once; forks: {forks}", e.states, e.most_waiting));
    lines.push(format!(
        "queries: {} in {:.3} s, {} without an answer; {} needed none",
        e.queries.queries,
        e.queries.time.as_secs_f64(),
        e.queries.unknown,
        e.queries.by_model
    ));
    let ((branches, all_branches), (done, all)) =
        (e.coverage.branches(program), e.coverage.instructions(program));
    lines.push(format!(
        "covered: {branches} of {all_branches} branches, {done} of {}",
        count(all as u64, "instruction")
    ));
    if e.templates.cycles > 0 {
        let TemplateFigures { cycles, found, applied, time } = &e.templates;
        lines.push(format!(
            "templates: {} of {} in {:.3} s, applied {}",
            found.len(),
            count(*cycles as u64, "cycle"),
            time.as_secs_f64(),
            count(*applied, "time")
        ));
    }
    lines.extend(choices_text(e));
    lines.extend(merging_text(&e.merging));
    lines.extend(subsumption_text(e));
    lines.extend(loops_text(program, e));
    let reasons = reasons(program, e);
    for reason in reasons.iter().take(SHOWN) {
        lines.push(format!("open: {reason}"));
    }
    if reasons.len() > SHOWN {
        lines.push(format!("open: {} more", reasons.len() - SHOWN));
    }
    lines.push(format!("stopped: {}", e.stop));
    lines.join("\n")
}

/// What was left open and then chosen, a line for each.
pub fn choices_text(exploration: &Exploration) -> impl Iterator<Item = String> + '_ {
    let choices = exploration.choices.iter();
    choices.map(|Choice { technique, taken, why }| {
        format!("chosen: --{} {taken}, since {why}", technique.name())
    })
}

/// The same as data: what was chosen, by option.
pub fn choices_json(exploration: &Exploration) -> Json {
    let choices = exploration.choices.iter();
    let choices = choices.map(|Choice { technique, taken, why }| {
        (technique.name().to_owned(), json!({ "taken": taken, "why": why }))
    });
    Json::Object(choices.collect())
}

/// What became of states that met, if any did.
pub fn merging_text(merging: &MergeFigures) -> Option<String> {
    let MergeFigures { merged, costly, apart, put_off, stands_for, .. } = merging;
    let unable: u64 = apart.values().sum();
    if merged + costly + unable == 0 {
        return None;
    }
    let mut text = format!("merged: {} of states", count(*merged, "pair"));
    if *costly > 0 {
        text += &format!(", {costly} would have cost too much");
    }
    if unable > 0 {
        let why: Vec<String> =
            apart.iter().map(|(why, times)| format!("{} {times}", why.words())).collect();
        text += &format!(", {unable} could not be ({})", why.join(", "));
    }
    if *put_off > 0 {
        text += &format!("; {put_off} times a state waited for another");
    }
    if merging.given_up > 0 {
        text += &format!("; given up at {}", count(merging.given_up, "place"));
    }
    if merging.split > 0 {
        text += &format!(
            "; {} split again into {}",
            count(merging.split, "merged state"),
            merging.split_into
        );
    }
    let at_most = if merging.is_at_most { "at most " } else { "" };
    Some(format!("{text}; the finished paths stand for {at_most}{stands_for}"))
}

/// The same as data.
pub fn merging_json(exploration: &Exploration) -> Json {
    let MergeFigures {
        merged,
        costly,
        apart,
        put_off,
        stands_for,
        is_at_most,
        given_up,
        split,
        split_into,
    } = &exploration.merging;
    if merged + costly + apart.values().sum::<u64>() == 0 {
        return Json::Null;
    }
    let apart = apart.iter().map(|(why, times)| (why.words().to_owned(), Json::from(*times)));
    json!({
        "merged": merged, "costly": costly, "apart": apart.collect::<serde_json::Map<_, _>>(),
        "put_off": put_off, "stands_for": stands_for, "stands_for_is_exact": !is_at_most,
        "given_up": given_up, "split": split, "split_into": split_into,
    })
}

/// What became of states that are like others, where that was wanted.
pub fn subsumption_text(exploration: &Exploration) -> Option<String> {
    let SubsumptionFigures { places, subsumed, made, tried, kept, time, why_not, .. } =
        &exploration.subsumption;
    if let Some(why) = why_not {
        return Some(format!("subsumption: none, since {why}"));
    }
    (*places > 0).then(|| {
        format!(
            "subsumption: {} subsumed at {}; {}, induction kept {kept} of {tried} times; {:.3} s",
            count(*subsumed, "state"),
            count(*places as u64, "place"),
            count(*made, "annotation"),
            time.as_secs_f64()
        )
    })
}

/// What is known of places from which nothing goes wrong, by line.
pub fn annotations(program: &Program, exploration: &Exploration) -> String {
    let lines = exploration.subsumption.annotations.iter();
    let lines = lines.map(|known| format!("{}: {}", place(program, known.span), known.text));
    let lines: Vec<String> = lines.collect();
    match lines.is_empty() {
        true => "no annotations".to_owned(),
        false => lines.join("\n"),
    }
}

/// What became of states that are like others, as JSON; null where that was not wanted.
pub fn subsumption_json(program: &Program, exploration: &Exploration) -> Json {
    let SubsumptionFigures { places, subsumed, made, tried, kept, time, why_not, annotations } =
        &exploration.subsumption;
    if *places == 0 && why_not.is_none() {
        return Json::Null;
    }
    let annotation = |known: &Annotation| {
        json!({
            "line": known.span.start.line,
            "column": known.span.start.column,
            "function": program.function(known.function).name,
            "text": known.text,
        })
    };
    json!({
        "places": places, "subsumed": subsumed, "annotations_made": made,
        "induction_tried": tried, "induction_kept": kept, "seconds": time.as_secs_f64(),
        "why_not": why_not,
        "annotations": annotations.iter().map(annotation).collect::<Vec<_>>(),
    })
}

/// The cycles of the program and their templates, where these were looked for.
pub fn templates_json(exploration: &Exploration) -> Json {
    let TemplateFigures { cycles, found, applied, time } = &exploration.templates;
    match cycles {
        0 => Json::Null,
        _ => json!({
            "cycles": cycles, "found": found.len(), "applied": applied,
            "seconds": time.as_secs_f64(),
        }),
    }
}

/// What became of loops that were not simply executed.
pub fn loops_json(program: &Program, exploration: &Exploration) -> Json {
    let loops = Loops::new(program);
    let one = |((function, id), figures): (&(FunctionId, u32), &LoopFigures)| {
        let code = program.function(*function);
        let span = loops.of(*function).get(LoopId(*id)).span(code);
        json!({
            "id": id,
            "function": code.name,
            "line": span.start.line,
            "summary": figures.tag.map(|tag| tag.name()),
            "passed": figures.passed,
            "executed": figures.executed,
            "diverging": figures.diverging,
            "why": figures.reasons,
        })
    };
    Json::Array(exploration.loops.iter().map(one).collect())
}

/// The same for people, a line for each.
fn loops_text(program: &Program, exploration: &Exploration) -> Vec<String> {
    let loops = Loops::new(program);
    let one = |((function, id), figures): (&(FunctionId, u32), &LoopFigures)| {
        let code = program.function(*function);
        let span = loops.of(*function).get(LoopId(*id)).span(code);
        let mut parts = Vec::new();
        if let Some(tag) = figures.tag {
            parts.push(format!("{tag}, passed {}", count(figures.passed, "time")));
        }
        if figures.executed > 0 {
            parts.push(format!("executed {}", count(figures.executed, "time")));
        }
        if figures.diverging > 0 {
            parts.push("may run for ever".to_owned());
        }
        parts.extend(figures.reasons.iter().cloned());
        format!("loop at {}: {}", place(program, span), parts.join("; "))
    };
    exploration.loops.iter().map(one).collect()
}

/// What loops have cost, for people.
pub fn profile(program: &Program, exploration: &Exploration) -> String {
    let loops = Loops::new(program);
    let mut costs: Vec<_> = exploration.profile.iter().collect();
    costs.sort_by_key(|(_, cost)| std::cmp::Reverse((cost.states, cost.queries)));
    let mut lines = vec!["states  queries  seconds  loop".to_owned()];
    for (key, cost) in costs {
        let name = match key {
            None => "outside of loops".to_owned(),
            Some((function, id)) => {
                let code = program.function(*function);
                let forest = loops.of(*function);
                let span = forest.get(loupe_ir::analysis::loops::LoopId(*id)).span(code);
                format!("{} in `{}`", place(program, span), code.name)
            }
        };
        let (states, queries, seconds) = (cost.states, cost.queries, cost.seconds);
        lines.push(format!("{states:6}  {queries:7}  {seconds:7.3}  {name}"));
    }
    lines.join("\n")
}

/// An error as JSON.
pub fn violation_json(program: &Program, violation: &Violation) -> Json {
    let span = run::users_place(program, &violation.replay()).unwrap_or(violation.span);
    let function = violation.stack.iter().rev().find(|c| program.sources.is_users(c.span));
    let inputs = listed(&violation.model.inputs, &violation.model.places);
    let undefined: Vec<Json> =
        violation.model.undefined.iter().map(|value| integer(&value.to_string())).collect();
    let mut object = json!({
        "kind": violation.kind.name(),
        "function": function.map(|call| program.function(call.function).name.clone()),
        "file": program.sources.name(span.file),
        "line": span.start.line,
        "column": span.start.column,
        "inputs": inputs,
        "input": run_length(&violation.model.inputs),
        "uninitialised": undefined,
        "standard_input": violation.model.standard_input,
        "arguments": violation.model.command_line.get(1..).unwrap_or_default(),
        "paths": violation.paths,
    });
    // Only where a replay has jumped is there anything to say.
    if !violation.jumps.is_empty() {
        object["jumps"] = jumps(&violation.jumps);
    }
    object
}

/// Iterations that a replay has gone over.
pub(crate) fn jumps(jumps: &[Jump]) -> Json {
    let jump = |jump: &Jump| {
        let iterations = integer(&jump.iterations.to_string());
        json!({ "line": jump.loop_span.start.line, "iterations": iterations })
    };
    jumps.iter().map(jump).collect()
}

/// The figures as JSON.
pub fn json(program: &Program, exploration: &Exploration) -> Json {
    let e = exploration;
    let forks: serde_json::Map<String, Json> =
        e.forks.iter().map(|(reason, count)| (reason.name().to_owned(), json!(count))).collect();
    let ((branches, all_branches), (done, all)) =
        (e.coverage.branches(program), e.coverage.instructions(program));
    let violations: Vec<Json> =
        e.violations.values().map(|found| violation_json(program, found)).collect();
    json!({
        "paths": {
            "finished": e.finished,
            "failed": e.failed,
            "assumed_away": e.assumed_away,
            "cut_off": e.cut_off,
            "pruned": e.pruned,
        },
        "errors": violations,
        "open": reasons(program, e),
        "states": e.states,
        "most_waiting": e.most_waiting,
        "forks": forks,
        "steps": e.steps,
        "chosen": choices_json(e),
        "merging": merging_json(e),
        "queries": e.queries.queries,
        "queries_without_answer": e.queries.unknown,
        "solver_seconds": e.queries.time.as_secs_f64(),
        "coverage": {
            "branches": branches, "all_branches": all_branches,
            "instructions": done, "all_instructions": all,
        },
        "subsumption": subsumption_json(program, e),
        "stopped": e.stop.to_string(),
    })
}
