//! What all forms of the graph show: the blocks of a function with their lines and arrows.

use super::Detail;
use super::statements::Statements;
use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::{Edge, FlowGraph};
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::check::CheckKind;
use loupe_ir::program::{
    Block, BlockId, Function, Instruction, InstructionKind, Program, StatementId, Terminator,
    TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::text::{print_instruction, print_terminator};
use std::borrow::Cow;
use std::collections::HashSet;

/// The graph of a function, ready to be written in some form.
pub(super) struct View<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    /// The first block that is shown.
    pub(super) entry: BlockId,
    /// The blocks that are shown, in reverse post-order, which mostly is the order of the source.
    pub(super) nodes: Vec<Node>,
    pub(super) forest: LoopForest,
    /// Whether a block is shown.
    shown: Vec<bool>,
}

/// A block.
pub(super) struct Node {
    pub(super) id: BlockId,
    pub(super) lines: Vec<Line>,
    pub(super) end: End,
    pub(super) arrows: Vec<Arrow>,
}

/// A statement, a part of one, or an instruction.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) statement: StatementId,
    /// What fails if it is a check that fails.
    pub(super) check: Option<CheckKind>,
}

/// What a block ends with.
pub(super) struct End {
    pub(super) kind: &'static str,
    /// The condition, or what stands for the end in the source or in the flowgraph language.
    pub(super) text: Option<String>,
    /// What says that the text is a condition.
    pub(super) mark: Option<char>,
    pub(super) span: Span,
}

/// The lines of a block and what it ends with.
pub(super) type Contents = (Vec<Line>, End);

/// A way to a block that may come next.
pub(super) struct Arrow {
    /// When it is taken: `true`, `false`, the value of a case or `default`; `None` if always.
    pub(super) label: Option<String>,
    pub(super) to: BlockId,
    /// Whether it goes back, so that a cycle closes.
    pub(super) back: bool,
}

impl Node {
    /// All that the block says, its end included. The condition of a branch is marked as such.
    pub(super) fn contents(&self) -> impl Iterator<Item = (Span, Cow<'_, str>)> {
        let lines = self.lines.iter().map(|line| (line.span, Cow::from(&line.text)));
        let end = self.end.text.iter().map(|text| match self.end.mark {
            Some(mark) => format!("{text} {mark}").into(),
            None => Cow::from(text),
        });
        lines.chain(end.map(|text| (self.end.span, text)))
    }

    /// The arrows; of those that follow each other and lead to one block only the first, with the
    /// labels of all.
    pub(super) fn joined_arrows(&self) -> impl Iterator<Item = (String, &Arrow)> {
        self.arrows.chunk_by(|a, b| a.to == b.to).map(|group| {
            let labels: Vec<&str> =
                group.iter().filter_map(|arrow| arrow.label.as_deref()).collect();
            (labels.join(", "), &group[0])
        })
    }
}

/// The borders of a loop in terms of the blocks that are shown.
#[derive(Clone, Default)]
pub(super) struct Borders {
    pub(super) latches: Vec<BlockId>,
    pub(super) exits: Vec<Edge>,
}

impl<'a> View<'a> {
    pub(super) fn new(program: &'a Program, function: &'a Function, detail: Detail) -> Self {
        let flow = FlowGraph::new(function);
        let forest = LoopForest::new(&flow, &Dominators::new(&flow));
        let contents: Vec<Contents> = match detail {
            Detail::Statements => {
                let mut statements = Statements::new(program, function);
                function.blocks().map(|(id, block)| statements.block(id, block)).collect()
            }
            Detail::Normalised => {
                function.blocks.iter().map(|block| instructions(program, function, block)).collect()
            }
        };
        let targets = match detail {
            Detail::Statements => skip_hollow(function, &forest, &contents),
            Detail::Normalised => function.blocks().map(|(id, _)| id).collect(),
        };
        let mut contents: Vec<Option<Contents>> = contents.into_iter().map(Some).collect();
        let shown: Vec<bool> = function.blocks().map(|(id, _)| targets[id.index()] == id).collect();
        let node = |id: &BlockId| {
            let arrow = |(label, to): (_, BlockId)| {
                let to = targets[to.index()];
                Arrow { label, to, back: flow.is_retreating(Edge { from: *id, to }) }
            };
            let ways = ways(&function.block(*id).terminator.kind);
            let (lines, end) = contents[id.index()].take()?;
            Some(Node { id: *id, lines, end, arrows: ways.into_iter().map(arrow).collect() })
        };
        let order = flow.reverse_post_order().iter();
        let nodes = order.filter(|id| shown[id.index()]).filter_map(node).collect();
        View { program, function, entry: targets[0], nodes, forest, shown }
    }

    /// Of these blocks those that are shown.
    pub(super) fn shown<'b>(&self, blocks: &'b [BlockId]) -> impl Iterator<Item = &'b BlockId> {
        blocks.iter().filter(|block| self.shown[block.index()])
    }

    /// The borders of all loops, by the number of the loop.
    pub(super) fn borders(&self) -> Vec<Borders> {
        let mut borders = vec![Borders::default(); self.forest.loops.len()];
        for node in &self.nodes {
            let innermost = self.forest.innermost(node.id);
            // Several cases of a switch may lead to one block.
            let mut seen = HashSet::new();
            for to in node.arrows.iter().map(|arrow| arrow.to).filter(|to| seen.insert(*to)) {
                let mut inside = innermost;
                while let Some(id) = inside.filter(|id| !self.forest.contains(*id, to)) {
                    borders[id.index()].exits.push(Edge { from: node.id, to });
                    inside = self.forest.get(id).parent;
                }
                if let Some(id) = self.forest.headed_by(to)
                    && self.forest.contains(id, node.id)
                {
                    borders[id.index()].latches.push(node.id);
                }
            }
        }
        borders
    }

    /// The line of a span, after the name of its file if that is another than the function's.
    pub(super) fn place(&self, span: Span) -> String {
        let line = span.start.line;
        if span.file == self.function.span.file {
            line.to_string()
        } else {
            format!("{}:{line}", self.program.sources.name(span.file))
        }
    }

    /// How many characters such a place takes at most.
    pub(super) fn place_width(&self) -> usize {
        let spans = self.nodes.iter().flat_map(Node::contents).map(|(span, _)| span);
        spans.map(|span| self.place(span).chars().count()).max().unwrap_or(1)
    }

    /// What is said of a loop at its header.
    pub(super) fn describe(&self, id: LoopId) -> String {
        describe_loop(self.function, &self.forest, id)
    }

    /// The name of the function and those of its parameters.
    pub(super) fn signature(&self) -> String {
        let params = self.function.locals().take(self.function.params);
        let names: Vec<String> = params
            .map(|(id, local)| local.name.clone().unwrap_or_else(|| format!("%{}", id.0)))
            .collect();
        format!("{}({})", self.function.name, names.join(", "))
    }
}

/// What is said of a loop at its header.
pub(super) fn describe_loop(function: &Function, forest: &LoopForest, id: LoopId) -> String {
    let this = forest.get(id);
    let mut text = format!("loop {}, depth {}, line {}", id.0, this.depth, this.line(function));
    if let Some(parent) = this.parent {
        text += &format!(", in loop {}", parent.0);
    }
    text
}

/// The word for the end of a block.
pub(super) fn end_kind(kind: &TerminatorKind) -> &'static str {
    match kind {
        TerminatorKind::Goto(_) => "goto",
        TerminatorKind::Branch { .. } => "branch",
        TerminatorKind::Switch { .. } => "switch",
        TerminatorKind::Return(_) => "return",
        TerminatorKind::Exit(_) => "exit",
        TerminatorKind::Abort => "abort",
        TerminatorKind::Unreachable => "unreachable",
    }
}

/// The blocks that may come next, with the labels of the ways there.
fn ways(kind: &TerminatorKind) -> Vec<(Option<String>, BlockId)> {
    match kind {
        TerminatorKind::Goto(next) => vec![(None, *next)],
        TerminatorKind::Branch { then, otherwise, .. } => {
            vec![(Some("true".to_owned()), *then), (Some("false".to_owned()), *otherwise)]
        }
        TerminatorKind::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(value, to)| (Some(value.to_string()), *to));
            cases.chain([(Some("default".to_owned()), *default)]).collect()
        }
        TerminatorKind::Return(_)
        | TerminatorKind::Exit(_)
        | TerminatorKind::Abort
        | TerminatorKind::Unreachable => Vec::new(),
    }
}

/// A block with all its instructions.
fn instructions(program: &Program, function: &Function, block: &Block) -> Contents {
    let lines = block.instructions.iter();
    let lines = lines.map(|instruction| instruction_line(program, function, instruction)).collect();
    let Terminator { kind, span, .. } = &block.terminator;
    let text = Some(print_terminator(program, function, &block.terminator));
    (lines, End { kind: end_kind(kind), text, mark: None, span: *span })
}

/// An instruction as it is in the flowgraph language.
pub(super) fn instruction_line(
    program: &Program,
    function: &Function,
    instruction: &Instruction,
) -> Line {
    let check = match &instruction.kind {
        InstructionKind::Check(check) => Some(check.kind),
        _ => None,
    };
    Line {
        text: print_instruction(program, function, instruction),
        span: instruction.span,
        statement: instruction.statement,
        check,
    }
}

/// Where an arrow to each block leads when blocks that only lead on are skipped. What a loop or an
/// irreducible region is entered at is never skipped, lest its arrows lead elsewhere. So every cycle
/// keeps a block, and the walk ends.
fn skip_hollow(function: &Function, forest: &LoopForest, contents: &[Contents]) -> Vec<BlockId> {
    let mut kept: Vec<bool> = contents.iter().map(|(lines, _)| !lines.is_empty()).collect();
    let headers = forest.loops.iter().map(|this| this.header);
    let entries = forest.irreducible.iter().flat_map(|region| region.entries.iter().copied());
    headers.chain(entries).for_each(|block| kept[block.index()] = true);
    let mut targets: Vec<Option<BlockId>> = vec![None; function.blocks.len()];
    for (start, _) in function.blocks() {
        let mut path = Vec::new();
        let mut at = start;
        while targets[at.index()].is_none() {
            targets[at.index()] = Some(at);
            match function.block(at).terminator.kind {
                TerminatorKind::Goto(next) if !kept[at.index()] => {
                    path.push(at);
                    at = next;
                }
                _ => {}
            }
        }
        let end = targets[at.index()];
        path.into_iter().for_each(|block| targets[block.index()] = end);
    }
    function.blocks().map(|(id, _)| targets[id.index()].unwrap_or(id)).collect()
}
