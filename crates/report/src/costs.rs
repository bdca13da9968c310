//! Estimates of how many queries come: a table by line for people, JSON.
//!
//! What the command `precomputeVariableCosts` of the thesis computes, for each statement of the source and each of its
//! variables. Variables about which nothing is asked are left out, and so is what Loupe has put around the program.

use loupe_ir::analysis::costs::{Costs, Method, Reader, Variable};
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::location::{Location, steps};
use loupe_ir::program::{Function, FunctionId, LocalId, Program, StatementId};
use loupe_ir::source::Span;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// So many characters of a statement are shown.
const WIDTH: usize = 40;

/// What the memory that pointers lead to is called.
const MEMORY: &str = "(memory)";

/// The estimates, if there was time enough.
#[derive(Clone, Copy, Debug)]
pub struct Estimated<'a> {
    /// The program.
    pub program: &'a Program,
    /// How queries are counted.
    pub method: Method,
    /// The estimates; nothing if they were not finished.
    pub costs: Option<&'a Costs>,
    /// How long it took.
    pub seconds: f64,
}

/// A place with its estimates.
struct Row {
    location: Location,
    span: Span,
    queries: u64,
    variables: Vec<(String, u64)>,
    memory: u64,
}

/// A function with its places.
struct Part<'a> {
    function: &'a Function,
    rows: Vec<Row>,
    /// The variables that are part of the memory that pointers lead to.
    in_memory: Vec<String>,
}

/// The estimates as tables, one for each function.
pub fn text(estimated: &Estimated<'_>) -> String {
    let mut out = String::new();
    for part in parts(estimated) {
        let function = part.function;
        let sources = &estimated.program.sources;
        let (file, line) = (sources.name(function.span.file), function.span.start.line);
        let _ = writeln!(out, "{} at {file}:{line}:", function.name);
        table(&mut out, estimated.program, &part.rows);
        if !part.in_memory.is_empty() && part.rows.iter().any(|row| row.memory > 0) {
            let _ = writeln!(out, "  {MEMORY} includes {}", part.in_memory.join(", "));
        }
        out.push('\n');
    }
    let (name, limit, number) = described(estimated.method);
    let stopped = if estimated.costs.is_none() { ", stopped before the end" } else { "" };
    let _ = writeln!(out, "method: {name}, {limit} {number}");
    let _ = writeln!(out, "time: {:.3} s{stopped}", estimated.seconds);
    out
}

fn table(out: &mut String, program: &Program, rows: &[Row]) {
    let header = ["line", "statement", "queries", "about"].map(str::to_owned);
    let cells = rows.iter().map(|row| {
        let mut about: Vec<String> = row
            .variables
            .iter()
            .map(|(name, count)| format!("{name} {}", number(*count)))
            .collect();
        if row.memory > 0 {
            about.push(format!("{MEMORY} {}", number(row.memory)));
        }
        let line = row.span.start.line.to_string();
        [line, excerpt(program, row.span), number(row.queries), about.join(", ")]
    });
    let cells: Vec<[String; 4]> = std::iter::once(header).chain(cells).collect();
    let width = |column: usize| {
        cells.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2)];
    for [line, statement, queries, about] in &cells {
        let [first, second, third] = widths;
        let row = format!("  {line:>first$}  {statement:<second$}  {queries:>third$}  {about}");
        let _ = writeln!(out, "{}", row.trim_end());
    }
}

/// The estimates as one JSON object.
pub fn json(estimated: &Estimated<'_>) -> Json {
    let sources = &estimated.program.sources;
    let (name, limit, number) = described(estimated.method);
    let function = |part: &Part<'_>| {
        json!({
            "name": part.function.name,
            "file": sources.name(part.function.span.file),
            "line": part.function.span.start.line,
            "in_memory": part.in_memory,
            "locations": part.rows.iter().map(location).collect::<Vec<_>>(),
        })
    };
    let mut object = json!({
        "files": files(estimated.program),
        "method": name,
        "seconds": estimated.seconds,
        "complete": estimated.costs.is_some(),
        "functions": parts(estimated).iter().map(function).collect::<Vec<_>>(),
    });
    object[limit] = number.into();
    object
}

fn location(row: &Row) -> Json {
    let variables: Map<String, Json> =
        row.variables.iter().map(|(name, count)| (name.clone(), (*count).into())).collect();
    json!({
        "line": row.span.start.line,
        "column": row.span.start.column,
        "block": row.location.block.0,
        "instruction": row.location.index,
        "queries": row.queries,
        "variables": variables,
        "memory": row.memory,
    })
}

fn files(program: &Program) -> Vec<&str> {
    let user = program.sources.iter().filter(|(id, _)| {
        let start = loupe_ir::source::Position::new(1, 1);
        program.sources.is_users(Span::new(*id, start, start))
    });
    user.map(|(_, file)| file.name.as_str()).collect()
}

/// The name of a method, and of the number that it depends on, and that.
fn described(method: Method) -> (&'static str, &'static str, u64) {
    match method {
        Method::Recursive { kappa } => ("recursive", "kappa", kappa.into()),
        Method::Lattice { cap } => ("lattice", "cap", cap),
    }
}

/// The functions that the user wrote.
fn parts<'a>(estimated: &Estimated<'a>) -> Vec<Part<'a>> {
    let program = estimated.program;
    let Some(costs) = estimated.costs else { return Vec::new() };
    let users = program.functions().filter(|(_, function)| {
        program.sources.is_users(function.span) && !function.name.starts_with("loupe.")
    });
    let mut parts = Vec::new();
    for (id, function) in users {
        let Some(mut reader) = costs.reader(id) else { continue };
        let names = Names::new(program, function);
        let rows = rows(function, &names, &mut reader);
        parts.push(Part { function, rows, in_memory: names.in_memory(costs, id) });
    }
    parts
}

/// The first place of each statement, in the order of the source.
fn rows(function: &Function, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Row> {
    let graph = FlowGraph::new(function);
    let mut first: BTreeMap<StatementId, Location> = BTreeMap::new();
    for block in graph.reverse_post_order() {
        for (location, step) in steps(function, *block) {
            first.entry(step.statement()).or_insert(location);
        }
    }
    let mut rows = Vec::new();
    for (statement, location) in first {
        let Some(span) = function.statements.get(statement.index()) else { continue };
        if !names.program.sources.is_users(*span) {
            continue;
        }
        let (block, next) = (location.block, location.index as usize);
        let mut row = Row {
            location,
            span: *span,
            queries: reader.total_at(block, next),
            variables: Vec::new(),
            memory: 0,
        };
        for (variable, count) in reader.at(block, next) {
            match variable {
                Variable::Memory => row.memory = count,
                _ => row.variables.extend(names.of(variable).map(|name| (name, count))),
            }
        }
        rows.push(row);
    }
    rows.sort_by_key(|row| (row.span.file, row.span.start, row.location));
    rows
}

/// What the variables of a function are called.
struct Names<'a> {
    program: &'a Program,
    function: &'a Function,
    /// The names of locals, those that several have, and those that several in one line have.
    locals: BTreeSet<&'a str>,
    shared: BTreeSet<&'a str>,
    crowded: BTreeSet<(&'a str, u32)>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Self {
        let mut names = Names {
            program,
            function,
            locals: BTreeSet::new(),
            shared: BTreeSet::new(),
            crowded: BTreeSet::new(),
        };
        let mut places = BTreeSet::new();
        for local in &function.locals {
            let Some(name) = local.name.as_deref() else { continue };
            if !names.locals.insert(name) {
                names.shared.insert(name);
            }
            let place = (name, local.span.start.line);
            if !places.insert(place) {
                names.crowded.insert(place);
            }
        }
        names
    }

    /// The name in the source, with the place where it is declared if that is not enough; temporaries have none.
    fn of(&self, variable: Variable) -> Option<String> {
        let (name, span, is_shared) = match variable {
            Variable::Local(id) => {
                let local = self.function.locals.get(id.index())?;
                let name = local.name.as_deref()?;
                (name, local.span, self.shared.contains(name))
            }
            Variable::Global(id) => {
                let global = self.program.globals.get(id.index())?;
                (global.name.as_str(), global.span, self.locals.contains(global.name.as_str()))
            }
            Variable::Memory => return None,
        };
        let is_users = self.program.sources.is_users(span);
        let (line, column) = (span.start.line, span.start.column);
        let name = match is_shared {
            true if self.crowded.contains(&(name, line)) => format!("{name}@{line}:{column}"),
            true => format!("{name}@{line}"),
            false => name.to_owned(),
        };
        is_users.then_some(name)
    }

    /// The locals of the function whose address is taken.
    fn in_memory(&self, costs: &Costs, function: FunctionId) -> Vec<String> {
        let locals = (0..self.function.locals.len() as u32).map(LocalId).map(Variable::Local);
        let exposed = locals.filter(|variable| costs.is_in_memory(function, *variable));
        exposed.filter_map(|variable| self.of(variable)).collect()
    }
}

/// The beginning of a statement.
fn excerpt(program: &Program, span: Span) -> String {
    let first = program.sources.lines(span).next().unwrap_or_default().trim_end();
    if first.chars().count() <= WIDTH {
        return first.to_owned();
    }
    let start: String = first.chars().take(WIDTH - 1).collect();
    format!("{start}…")
}

/// Large numbers are rounded.
fn number(count: u64) -> String {
    match count {
        u64::MAX => ">1.8e19".to_owned(),
        0..1_000_000_000 => count.to_string(),
        _ => format!("{:.1e}", count as f64),
    }
}
