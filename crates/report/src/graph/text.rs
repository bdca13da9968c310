//! The graph as text.

use super::view::{Node, View, describe_loop};
use super::{Detail, shown};
use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::loops::LoopForest;
use loupe_ir::program::{BlockId, Function, Program};
use loupe_ir::source::Span;
use std::fmt::Write as _;

/// The blocks with the statements of the source.
pub(super) fn statements(program: &Program) -> String {
    let mut out = String::new();
    for (_, function) in shown(program, Detail::Statements) {
        if !out.is_empty() {
            out.push('\n');
        }
        Writer::new(View::new(program, function, Detail::Statements), &mut out).write();
    }
    out
}

/// Writes one function.
struct Writer<'a, 'o> {
    view: View<'a>,
    out: &'o mut String,
    /// The width of the column with line numbers.
    width: usize,
}

impl<'a, 'o> Writer<'a, 'o> {
    fn new(view: View<'a>, out: &'o mut String) -> Self {
        Writer { width: view.place_width(), view, out }
    }

    fn write(&mut self) {
        let Span { file, start, .. } = self.view.function.span;
        let place = match self.view.program.sources.get(file) {
            Some(file) => format!("{}:{}", file.name, start.line),
            None => format!("line {}", start.line),
        };
        self.line(&format!("{} at {place}:", self.view.signature()));
        self.irreducible();
        for node in std::mem::take(&mut self.view.nodes) {
            self.node(&node);
        }
    }

    fn irreducible(&mut self) {
        for region in &self.view.forest.irreducible {
            let list = |blocks: &[BlockId]| {
                let names = self.view.shown(blocks).map(|block| format!("b{}", block.0));
                names.collect::<Vec<_>>().join(", ")
            };
            let (blocks, entries) = (list(&region.blocks), list(&region.entries));
            let line = format!("irreducible region of {blocks}, entered at {entries}\n");
            self.out.push_str(&line);
        }
    }

    fn node(&mut self, node: &Node) {
        let entry = (node.id == self.view.entry).then(|| "entry".to_owned());
        let header = self.view.forest.headed_by(node.id).map(|id| self.view.describe(id));
        let notes: Vec<String> = [entry, header].into_iter().flatten().collect();
        let space = if notes.is_empty() { "" } else { " " };
        self.line(&format!("b{}:{space}{}", node.id.0, notes.join("; ")));
        for (span, text) in node.contents() {
            self.numbered(&self.view.place(span), &text);
        }
        let arrows: Vec<String> = node
            .joined_arrows()
            .map(|(label, arrow)| {
                let space = if label.is_empty() { "" } else { " " };
                let back = if arrow.back { " (back)" } else { "" };
                format!("{label}{space}-> b{}{back}", arrow.to.0)
            })
            .collect();
        if !arrows.is_empty() {
            self.numbered("", &arrows.join("; "));
        } else if node.end.text.is_none() {
            self.numbered("", "(does not go on)");
        }
    }

    fn numbered(&mut self, number: &str, text: &str) {
        self.line(&format!("  {number:>width$}  {text}", width = self.width));
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }
}

/// The flowgraph language, with a comment at the header of every loop.
pub(super) fn normalised(program: &Program) -> String {
    let mut functions = program.functions.iter();
    let mut current: Option<(&Function, LoopForest)> = None;
    let mut out = String::new();
    for line in loupe_ir::text::print(program).lines() {
        if line.starts_with("fn ") {
            current = functions.next().map(|function| {
                let flow = FlowGraph::new(function);
                (function, LoopForest::new(&flow, &Dominators::new(&flow)))
            });
        }
        out.push_str(line);
        if let Some((function, forest)) = &current
            && let Some(block) = block_label(line)
            && let Some(id) = forest.headed_by(block)
        {
            let _ = write!(out, " // {}", describe_loop(function, forest, id));
        }
        out.push('\n');
    }
    out
}

/// The block that starts at this line; what is inside of blocks is indented.
fn block_label(line: &str) -> Option<BlockId> {
    line.strip_prefix('b')?.strip_suffix(':')?.parse().ok().map(BlockId)
}
