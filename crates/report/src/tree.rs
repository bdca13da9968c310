//! The tree of executions as a graph and as JSON.

use loupe_ir::program::Program;
use loupe_ir::source::Span;
use loupe_symbolic::explore::{Node, Tree};
use serde_json::{Value as Json, json};
use std::fmt::Write;

fn place(program: &Program, span: Option<Span>) -> Option<String> {
    span.map(|span| format!("{}:{}", program.sources.name(span.file), span.start))
}

/// A text as a string of DOT.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

fn label(program: &Program, node: &Node) -> String {
    let place = place(program, node.place).unwrap_or_else(|| "waiting".to_owned());
    match &node.end {
        Some(end) => format!("{place}\n{end}"),
        None => place,
    }
}

/// As a graph for Graphviz: states, and on the edges what holds from there on.
pub fn dot(program: &Program, tree: &Tree) -> String {
    let mut text = "digraph executions {\n  node [shape=box, fontname=monospace];\n".to_owned();
    for (number, node) in tree.nodes.iter().enumerate() {
        let shape = if node.end.is_some() { ", style=rounded" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  n{number} [label={}{shape}];", quoted(&label(program, node)));
        if let Some(also) = node.also {
            let _ = writeln!(text, "  n{also} -> n{number} [style=dashed];");
        }
        if let Some(parent) = node.parent {
            let condition = quoted(&node.condition.replace(" && ", " &&\n"));
            let _ = writeln!(text, "  n{parent} -> n{number} [label={condition}];");
        }
    }
    text.push_str("}\n");
    text
}

/// As JSON: the states in the order in which they were made.
pub fn json(program: &Program, tree: &Tree) -> Json {
    let nodes = tree.nodes.iter().enumerate().map(|(number, node)| {
        json!({
            "id": number,
            "parent": node.parent,
            "merged_with": node.also,
            "condition": node.condition,
            "place": place(program, node.place),
            "end": node.end,
        })
    });
    json!({ "nodes": nodes.collect::<Vec<Json>>() })
}
