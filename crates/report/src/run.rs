//! What came out of a concrete run.

use crate::message::Message;
use loupe_engine::concrete::{Call, ConcreteValue, End, Failure, Halt, Limit, Run};
use loupe_engine::value::Value;
use loupe_ir::check::CheckKind;
use loupe_ir::program::{Global, Program};
use loupe_ir::source::Span;
use serde_json::{Value as Json, json};

/// So many calls are shown of a deep stack.
const SHOWN_CALLS: usize = 8;

/// The message about a run that did not end well; `None` if it did.
pub fn message(program: &Program, run: &Run) -> Option<Message> {
    let here = users_place(program, run).map(|span| (span, String::new()));
    let here = here.or_else(|| largest_global(program, &run.end));
    let mut message = match &run.end {
        End::Returned(_) | End::Exited(_) | End::Aborted | End::AssumptionFailed => return None,
        // Nothing about the program; whoever ran it says what it means.
        End::Halted(Halt::Internal(_)) => return None,
        End::Failed(failure @ Failure { kind: CheckKind::Unsupported, detail, .. }) => {
            let what = if detail.is_empty() { "what stands here" } else { detail };
            Message {
                title: format!("not modelled: {what} [unsupported]"),
                place: Some((failure_place(program, run, failure), String::new())),
                ..Message::default()
            }
        }
        End::Failed(failure @ Failure { kind, detail, .. }) => Message {
            title: format!("{} [{}]", kind.title(), kind.name()),
            place: Some((failure_place(program, run, failure), detail.clone())),
            ..Message::default()
        },
        End::Halted(halt @ Halt::Limit(_)) => Message {
            title: format!("stopped: {halt}"),
            place: here,
            help: limit_help(halt),
            ..Message::default()
        },
        End::Halted(halt) => Message { title: halt.to_string(), place: here, ..Message::default() },
    };
    message.notes = stack_notes(program, &run.stack);
    Some(message)
}

/// Where the innermost function of the user stood: what happens in a model of a library function happens
/// for the user where that is called.
pub fn users_place(program: &Program, run: &Run) -> Option<Span> {
    let mut places = run.stack.iter().rev().map(|call| call.span);
    let innermost = run.stack.last().map(|call| call.span);
    places.find(|span| program.sources.is_users(*span)).or(innermost)
}

/// What is to blame if there is no memory left before the run has started.
fn largest_global(program: &Program, end: &End) -> Option<(Span, String)> {
    let End::Halted(Halt::Limit(Limit::Memory { .. })) = end else { return None };
    let size = |global: &Global| program.types.size_of(global.ty);
    let largest = program.globals.iter().max_by_key(|global| size(global))?;
    Some((largest.span, format!("`{}` has {}", largest.name, count(size(largest), "byte"))))
}

pub(crate) fn failure_place(program: &Program, run: &Run, failure: &Failure) -> Span {
    if program.sources.is_users(failure.span) {
        return failure.span;
    }
    users_place(program, run).unwrap_or(failure.span)
}

fn limit_help(halt: &Halt) -> Option<String> {
    let option = match halt {
        Halt::Limit(Limit::Steps { .. }) => "--max-steps",
        Halt::Limit(Limit::Depth { .. }) => "--max-depth",
        Halt::Limit(Limit::Memory { .. }) => "--max-cells",
        Halt::Limit(Limit::Process { .. }) => "--max-memory",
        _ => return None,
    };
    Some(format!("`{option}` sets this limit"))
}

fn stack_notes(program: &Program, stack: &[Call]) -> Vec<String> {
    let place = |span: Span| format!("{}:{}", program.sources.name(span.file), span.start);
    let name = |call: &Call| format!("`{}`", program.function(call.function).name);
    let mut notes: Vec<String> = Vec::new();
    // What calls `main` is no business of the user.
    let is_start = |call: &Call| program.function(call.function).name.starts_with(Program::START);
    let is_users = |call: &Call| program.sources.is_users(call.span) && !is_start(call);
    let outermost = stack.iter().position(is_users).unwrap_or(0);
    let stack = &stack[outermost..];
    for (depth, call) in stack.iter().rev().enumerate() {
        if is_start(call) {
            notes.push("before the program starts".to_owned());
        } else if name(call).starts_with("`__loupe_") {
            // A part of the model; which function of the library it serves is said next.
        } else if !is_users(call) {
            notes.push(format!("in {}, as Loupe models it", name(call)));
        } else if depth == 0 {
            notes.push(format!("in {}", name(call)));
        } else if depth < SHOWN_CALLS || depth + 1 == stack.len() {
            notes.push(format!("called by {} at {}", name(call), place(call.span)));
        } else if depth == SHOWN_CALLS {
            notes.push(format!("… {} more calls …", stack.len() - SHOWN_CALLS - 1));
        }
    }
    notes
}

/// The result of a run that ended well, in words.
pub fn result(run: &Run) -> Option<String> {
    match &run.end {
        End::Returned(Some(value)) => Some(format!("result: {}", number(value))),
        End::Returned(None) => Some("result: none".to_owned()),
        End::Exited(status) => Some(format!("exit: {status}")),
        End::Aborted => Some("aborted".to_owned()),
        End::AssumptionFailed => Some("an assumption does not hold; nothing to see".to_owned()),
        End::Failed(_) | End::Halted(_) => None,
    }
}

fn number(value: &ConcreteValue) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        other => other.tag().map_or("nothing", |tag| tag.name()).to_owned(),
    }
}

/// The run as JSON, without the output and times.
pub fn json(program: &Program, run: &Run) -> Json {
    let (end, result) = match &run.end {
        End::Returned(value) => ("returned", value.as_ref().map(number)),
        End::Exited(status) => ("exited", Some(status.to_string())),
        End::Aborted => ("aborted", None),
        End::AssumptionFailed => ("assumption-failed", None),
        End::Failed(failure) if failure.kind == CheckKind::Unsupported => ("halted", None),
        End::Failed(_) => ("error", None),
        End::Halted(Halt::Limit(_)) => ("limit", None),
        End::Halted(_) => ("halted", None),
    };
    let place = |span: Span| {
        json!({
            "file": program.sources.name(span.file),
            "line": span.start.line,
            "column": span.start.column,
        })
    };
    let stack: Vec<Json> = run
        .stack
        .iter()
        .rev()
        .map(|call| {
            let name = &program.function(call.function).name;
            json!({ "function": name, "at": place(call.span) })
        })
        .collect();
    let error = match &run.end {
        End::Failed(failure) => json!({
            "kind": failure.kind.name(),
            "message": failure.kind.title(),
            "detail": failure.detail,
            "at": place(failure_place(program, run, failure)),
        }),
        End::Halted(halt) => json!({ "message": halt.to_string() }),
        _ => Json::Null,
    };
    json!({
        "end": end,
        "result": result.map(|text| integer(&text)),
        "error": error,
        "stack": stack,
        "steps": run.steps,
        "inputs_read": run.positions.input,
        "uninitialised_read": run.positions.undefined,
    })
}

/// So many things, in words: `1 argument`, `3 arguments`.
pub fn count(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

/// Integers are JSON numbers where every reader can hold them, and strings beyond.
pub fn integer(text: &str) -> Json {
    const EXACT: i64 = 1 << 53;
    match text.parse::<i64>() {
        Ok(small) if (-EXACT..=EXACT).contains(&small) => Json::from(small),
        _ => Json::from(text),
    }
}
