//! The graph as JSON.

use super::view::{Arrow, Borders, Line, Node, View};
use super::{Detail, shown};
use loupe_ir::analysis::graph::Edge;
use loupe_ir::program::{BlockId, Function, LocalId, Program, Storage};
use loupe_ir::source::Span;
use loupe_ir::text::print_type;
use serde_json::Value;

/// The whole program.
pub(super) fn program(program: &Program, detail: Detail) -> Value {
    let name = match detail {
        Detail::Statements => "statements",
        Detail::Normalised => "normalised",
    };
    let files = program.sources.iter().map(|(_, file)| file.name.as_str());
    let functions = shown(program, detail).map(|(_, function)| function);
    object([
        ("detail", name.into()),
        ("files", files.collect()),
        ("entry", program.function(program.entry).name.as_str().into()),
        ("functions", functions.map(|f| graph(&View::new(program, f, detail), detail)).collect()),
    ])
}

fn graph(view: &View<'_>, detail: Detail) -> Value {
    let View { program, function, .. } = *view;
    let ids = || function.locals().map(|(id, _)| id);
    let local = |id| local(program, function, id);
    // Temporaries appear in normalised instructions only.
    let visible = |id: &LocalId| detail == Detail::Normalised || function.local(*id).name.is_some();
    object([
        ("name", function.name.as_str().into()),
        ("span", span(function.span)),
        ("params", ids().take(function.params).map(local).collect()),
        ("result", function.result.map(|ty| print_type(program, ty)).into()),
        ("locals", ids().skip(function.params).filter(visible).map(local).collect()),
        ("entry", view.entry.0.into()),
        ("blocks", view.nodes.iter().map(|node| block(view, node, detail)).collect()),
        ("loops", loops(view)),
        ("irreducible", irreducible(view)),
    ])
}

fn local(program: &Program, function: &Function, id: LocalId) -> Value {
    let local = function.local(id);
    let storage = match local.storage {
        Storage::Register => "register",
        Storage::Memory => "memory",
    };
    object([
        ("id", id.0.into()),
        ("name", local.name.clone().into()),
        ("type", print_type(program, local.ty).into()),
        ("storage", storage.into()),
        ("span", span(local.span)),
    ])
}

fn block(view: &View<'_>, node: &Node, detail: Detail) -> Value {
    let lines = match detail {
        Detail::Statements => "statements",
        Detail::Normalised => "instructions",
    };
    let terminator = object([
        ("kind", node.end.kind.into()),
        ("text", node.end.text.clone().into()),
        ("span", span(node.end.span)),
    ]);
    object([
        ("id", node.id.0.into()),
        ("loop", view.forest.innermost(node.id).map(|id| id.0).into()),
        ("header", view.forest.headed_by(node.id).is_some().into()),
        (lines, node.lines.iter().map(line).collect()),
        ("terminator", terminator),
        ("successors", node.arrows.iter().map(successor).collect()),
    ])
}

fn line(line: &Line) -> Value {
    let mut value = object([
        ("text", line.text.as_str().into()),
        ("span", span(line.span)),
        ("statement", line.statement.0.into()),
    ]);
    if let Some(check) = line.check {
        value["check"] = check.name().into();
    }
    value
}

fn successor(arrow: &Arrow) -> Value {
    object([
        ("label", arrow.label.clone().into()),
        ("block", arrow.to.0.into()),
        ("back", arrow.back.into()),
    ])
}

fn loops(view: &View<'_>) -> Value {
    let edge = |edge: &Edge| object([("from", edge.from.0.into()), ("to", edge.to.0.into())]);
    let all = view.forest.iter().zip(view.borders());
    all.map(|((id, this), Borders { latches, exits })| {
        object([
            ("id", id.0.into()),
            ("header", this.header.0.into()),
            ("line", this.line(view.function).into()),
            ("depth", this.depth.into()),
            ("parent", this.parent.map(|parent| parent.0).into()),
            ("blocks", numbers(view, view.forest.blocks(id))),
            ("latches", numbers(view, &latches)),
            ("exits", exits.iter().map(edge).collect()),
        ])
    })
    .collect()
}

fn irreducible(view: &View<'_>) -> Value {
    let regions = view.forest.irreducible.iter();
    regions
        .map(|region| {
            object([
                ("entries", numbers(view, &region.entries)),
                ("blocks", numbers(view, &region.blocks)),
                ("within", region.within.map(|id| id.0).into()),
            ])
        })
        .collect()
}

/// Those of the blocks that are shown.
fn numbers(view: &View<'_>, blocks: &[BlockId]) -> Value {
    view.shown(blocks).map(|block| block.0).collect()
}

fn span(span: Span) -> Value {
    object([
        ("file", span.file.0.into()),
        ("line", span.start.line.into()),
        ("column", span.start.column.into()),
        ("end_line", span.end.line.into()),
        ("end_column", span.end.column.into()),
    ])
}

/// An object with its keys in this order. (The macro of `serde_json` would copy every value.)
fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
