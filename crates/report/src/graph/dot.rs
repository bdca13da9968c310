//! The graph in the language of Graphviz.

use super::view::{Node, View};
use super::{Detail, shown};
use loupe_ir::program::Program;
use std::fmt::Write as _;

/// What comes before the functions.
const PROLOGUE: &str = r##"digraph flowgraph {
  node [shape=box, fontname="monospace", fontsize=10];
  edge [fontname="monospace", fontsize=9, arrowsize=0.7];
"##;

/// The whole program.
pub(super) fn program(program: &Program, detail: Detail) -> String {
    let mut out = PROLOGUE.to_owned();
    for (id, function) in shown(program, detail) {
        let prefix = format!("f{}", id.0);
        let view = &View::new(program, function, detail);
        // Normalised instructions go without the lines of their statements.
        let width = (detail == Detail::Statements).then(|| view.place_width());
        Writer { view, prefix, width, out: &mut out }.write();
    }
    out.push_str("}\n");
    out
}

/// Writes one function.
struct Writer<'a, 'o> {
    view: &'o View<'a>,
    /// What makes the names of blocks unique in the program.
    prefix: String,
    /// The width of the column with line numbers, if there is one.
    width: Option<usize>,
    out: &'o mut String,
}

impl Writer<'_, '_> {
    fn write(&mut self) {
        let Writer { view, prefix, .. } = self;
        let heading = format!(
            "  subgraph cluster_{prefix} {{\n    label={};\n    labeljust=l;\n    color=gray;\n    \
             fontname=\"monospace\";\n    {prefix}_entry [shape=circle, style=filled, \
             fillcolor=black, label=\"\", width=0.15];\n    {prefix}_entry -> {prefix}_b{};\n",
            quoted(&view.signature()),
            view.entry.0,
        );
        self.out.push_str(&heading);
        for node in &self.view.nodes {
            self.node(node);
        }
        for node in &self.view.nodes {
            self.arrows(node);
        }
        self.out.push_str("  }\n");
    }

    fn node(&mut self, node: &Node) {
        let header = self.view.forest.headed_by(node.id);
        let mut label = format!("b{}", node.id.0);
        if let Some(id) = header {
            label += &format!(": {}", self.view.describe(id));
        }
        label += "\\l";
        for (span, text) in node.contents() {
            if let Some(width) = self.width {
                label += &escaped(&format!("{:>width$}  ", self.view.place(span)));
            }
            label += &escaped(&text);
            label += "\\l";
        }
        let looks = if header.is_some() { ", style=filled, fillcolor=\"#dde8f8\"" } else { "" };
        let name = format!("{}_b{}", self.prefix, node.id.0);
        let _ = writeln!(self.out, "    {name} [label=\"{label}\"{looks}];");
    }

    fn arrows(&mut self, node: &Node) {
        for (label, arrow) in node.joined_arrows() {
            let mut attributes = Vec::new();
            if !label.is_empty() {
                attributes.push(format!("label={}", quoted(&label)));
            }
            if arrow.back {
                attributes.push("style=dashed".to_owned());
            }
            let attributes = match attributes.as_slice() {
                [] => String::new(),
                some => format!(" [{}]", some.join(", ")),
            };
            let (prefix, from, to) = (&self.prefix, node.id.0, arrow.to.0);
            let _ = writeln!(self.out, "    {prefix}_b{from} -> {prefix}_b{to}{attributes};");
        }
    }
}

/// A label that shows `text` as it is.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// The inside of such a label. Graphviz replaces not only what follows a backslash but also
/// entities as in HTML: unescaped, `p = &lt;` would show as `p = <`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("\\l"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
