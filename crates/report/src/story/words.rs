//! Places, decisions and paths of iterations in words.

use loupe_engine::concrete::story::LoopKey;
use loupe_integer::Integer;
use loupe_ir::analysis::graph::Edge;
use loupe_ir::program::{Block, BlockId, Function, FunctionId, Program, TerminatorKind};
use loupe_ir::source::{FileId, Position, Span};

/// Longer pieces of source are cut.
const SHOWN: usize = 48;
/// So many decisions of a path are named.
const DECISIONS: usize = 4;

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{sign}{out}")
}

/// So many times.
pub(super) fn times(number: &Integer) -> String {
    grouped(&number.to_string())
}

/// `line 7`, or with the name of the file where it is not the first one.
pub(crate) fn line_of(program: &Program, span: Span) -> String {
    match span.file {
        FileId(0) => format!("line {}", span.start.line),
        file => format!("{}:{}", program.sources.name(file), span.start.line),
    }
}

/// What stands in the source, in one line. An expression begins and ends with its operands, whose own parentheses belong to it.
pub(super) fn source(program: &Program, span: Span) -> Option<String> {
    let lines: Vec<&str> = program.sources.lines(span).collect();
    let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
    let text = words.join(" ");
    let missing = Missing::of(&text);
    let before = Span { start: Position::new(span.start.line, 1), end: span.start, ..span };
    let end = Position::new(span.end.line, u32::MAX);
    let after = Span { start: span.end, end, ..span };
    let before: String = program.sources.lines(before).collect();
    let after: String = program.sources.lines(after).collect();
    let opening = parentheses(before.chars().rev(), '(', missing.opening)?;
    let closing = parentheses(after.chars(), ')', missing.closing)?;
    let text = format!("{opening}{text}{closing}");
    match text.chars().count() {
        0 => None,
        1..=SHOWN => Some(text),
        _ => Some(text.chars().take(SHOWN - 1).chain(['…']).collect()),
    }
}

/// How many parentheses of a piece of source have their partners outside of it.
#[derive(Default)]
struct Missing {
    opening: usize,
    closing: usize,
}

impl Missing {
    fn of(text: &str) -> Self {
        let mut missing = Missing::default();
        let mut quote = None;
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            match (quote, char) {
                (Some(_), '\\') => {
                    chars.next();
                }
                (Some(open), _) => quote = quote.filter(|_| char != open),
                (None, '"' | '\'') => quote = Some(char),
                (None, '(') => missing.closing += 1,
                (None, ')') if missing.closing > 0 => missing.closing -= 1,
                (None, ')') => missing.opening += 1,
                (None, _) => {}
            }
        }
        missing
    }
}

/// So many parentheses, if nothing else than space stands between them.
fn parentheses(source: impl Iterator<Item = char>, wanted: char, count: usize) -> Option<String> {
    let found = source.filter(|char| !char.is_whitespace()).take(count);
    let found: String = found.take_while(|char| *char == wanted).collect();
    (found.len() == count).then_some(found)
}

/// The place of a loop.
pub(super) fn loop_span(program: &Program, key: LoopKey) -> Span {
    let function = program.function(key.0);
    forest(function).get(key.1).span(function)
}

/// The loops of a function.
pub(super) fn forest(function: &Function) -> loupe_ir::analysis::loops::LoopForest {
    let graph = loupe_ir::analysis::graph::FlowGraph::new(function);
    let dominators = loupe_ir::analysis::dominators::Dominators::new(&graph);
    loupe_ir::analysis::loops::LoopForest::new(&graph, &dominators)
}

/// A way that was taken where there are several.
pub(super) struct Choice {
    /// Where it was decided.
    pub(super) span: Span,
    /// The condition, or the value of a switch.
    pub(super) condition: Option<String>,
    /// Whether the condition was true; `None` for a switch.
    pub(super) truth: Option<bool>,
    /// Where it led to.
    pub(super) target: Span,
    /// How a path that takes it is called.
    pub(super) label: String,
}

/// What an edge decides; nothing if there was no choice.
pub(super) fn choice(program: &Program, function: FunctionId, edge: Edge) -> Option<Choice> {
    let code = program.function(function);
    let block = code.block(edge.from);
    let truth = match &block.terminator.kind {
        TerminatorKind::Branch { then, otherwise, .. } if then != otherwise => {
            Some(edge.to == *then)
        }
        TerminatorKind::Switch { .. } => None,
        _ => return None,
    };
    let span = block.terminator.span;
    let condition = source(program, span);
    let target = first_span(code.block(edge.to));
    let label = label(program, code, edge, truth, condition.as_deref(), target);
    Some(Choice { span, condition, truth, target, label })
}

fn first_span(block: &Block) -> Span {
    block.instructions.first().map_or(block.terminator.span, |instruction| instruction.span)
}

fn label(
    program: &Program,
    code: &Function,
    edge: Edge,
    truth: Option<bool>,
    condition: Option<&str>,
    target: Span,
) -> String {
    let from = code.block(edge.from);
    let to = code.block(edge.to);
    let Some(truth) = truth else { return format!("case at {}", line_of(program, target)) };
    let first = to.instructions.first().map_or(to.terminator.statement, |first| first.statement);
    // A block that others lead to as well is no branch of its own, and a part of the condition is none either.
    let is_own = predecessors(code, edge.to) == 1 && first != from.terminator.statement;
    let here = line_of(program, from.terminator.span);
    match (is_own, truth, condition) {
        (true, true, _) => format!("then-branch ({})", line_of(program, target)),
        (true, false, _) => format!("else-branch ({})", line_of(program, target)),
        (false, _, Some(condition)) => format!("{condition} is {truth} ({here})"),
        (false, _, None) => format!("condition is {truth} ({here})"),
    }
}

fn predecessors(code: &Function, block: BlockId) -> usize {
    let leads = |from: &&Block| from.terminator.kind.successors().any(|to| to == block);
    code.blocks.iter().filter(leads).count()
}

/// The decisions of an iteration that goes along these edges, without the condition of the loop itself.
pub(super) fn path_label(
    program: &Program,
    key: LoopKey,
    edges: impl Iterator<Item = Edge>,
) -> Option<String> {
    let forest = forest(program.function(key.0));
    let header = forest.get(key.1).header;
    let own = |edge: &Edge| edge.from != header && edge.to != header;
    let is_inner = |edge: &Edge| forest.innermost(edge.from) != Some(key.1);
    let chosen = edges.filter(own).filter(|edge| !is_inner(edge));
    let labels: Vec<String> =
        chosen.filter_map(|edge| Some(choice(program, key.0, edge)?.label)).collect();
    if labels.is_empty() {
        return None;
    }
    let more = labels.len().saturating_sub(DECISIONS);
    let mut text = labels[..labels.len() - more].join(", ");
    if more > 0 {
        text += &format!(", … {more} more");
    }
    if labels.len() > 1 {
        text = format!("[{text}]");
    }
    Some(text)
}

/// The edges of a path that is given by its blocks.
pub(super) fn edges(blocks: &[BlockId]) -> impl Iterator<Item = Edge> + '_ {
    blocks.windows(2).filter_map(|pair| match pair {
        [from, to] => Some(Edge { from: *from, to: *to }),
        _ => None,
    })
}
