//! The blocks of a function in terms of the statements of the source.
//!
//! Instructions of one statement are one line with the text of the statement. A statement whose
//! instructions are spread over blocks (a conditional expression, say) has a line in each of them
//! with the part that is evaluated there. What belongs to the statement that ends a block is told by
//! the line of that end.

use super::view::{Contents, End, Line, end_kind, instruction_line};
use loupe_ir::program::{
    Block, BlockId, Function, Instruction, InstructionKind, Program, StatementId, Terminator,
    TerminatorKind,
};
use loupe_ir::source::{Sources, Span};
use loupe_ir::text::{print_operand, print_terminator};

/// How many characters of a statement are shown.
const WIDTH: usize = 80;

/// The statements of a function and where they are.
pub(super) struct Statements<'a> {
    program: &'a Program,
    function: &'a Function,
    homes: Vec<Home>,
    /// For every statement, the first of those directly before it that have no instruction.
    silent_from: Vec<usize>,
}

/// In which blocks the instructions of a statement are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Nowhere,
    One(BlockId),
    Several,
}

impl<'a> Statements<'a> {
    pub(super) fn new(program: &'a Program, function: &'a Function) -> Self {
        let count = function.statements.len();
        let mut homes = vec![Home::Nowhere; count];
        let mut silent = vec![true; count];
        for (id, block) in function.blocks() {
            let shown = block.instructions.iter().filter(|i| is_shown(i)).map(|i| i.statement);
            let end = &block.terminator;
            let ends = absorbs(&end.kind).then_some(end.statement);
            for statement in shown.chain(ends) {
                let Some(home) = homes.get_mut(statement.index()) else { continue };
                *home = match *home {
                    Home::Nowhere => Home::One(id),
                    Home::One(other) if other == id => Home::One(id),
                    Home::One(_) | Home::Several => Home::Several,
                };
            }
            let all = block.instructions.iter().map(|i| i.statement).chain([end.statement]);
            for statement in all {
                if let Some(silent) = silent.get_mut(statement.index()) {
                    *silent = false;
                }
            }
        }
        let mut silent_from = Vec::with_capacity(count);
        let mut first = 0;
        for (statement, silent) in silent.iter().enumerate() {
            silent_from.push(first);
            if !silent {
                first = statement + 1;
            }
        }
        Statements { program, function, homes, silent_from }
    }

    /// The lines of a block and what it ends with.
    pub(super) fn block(&mut self, id: BlockId, block: &Block) -> Contents {
        let mut lines = Vec::new();
        let mut before = (id == BlockId(0)).then_some(0);
        let end = self.end(&block.terminator);
        let mut runs = block.instructions.chunk_by(|a, b| a.statement == b.statement).peekable();
        while let Some(run) = runs.next() {
            let statement = run[0].statement;
            self.silent(before, statement, &mut lines);
            before = Some(statement.index() + 1);
            let last = runs.peek().is_none() && statement == block.terminator.statement;
            let told_by_end = last && absorbs(&block.terminator.kind) && end.1;
            if !told_by_end && run.iter().any(is_shown) {
                self.run(run, &mut lines);
            }
        }
        self.silent(before, block.terminator.statement, &mut lines);
        (lines, end.0)
    }

    /// Statements without instructions, such as declarations, between the one that starts before
    /// `from` and `next`. As those two follow each other in one block, nothing branches in between.
    fn silent(&mut self, from: Option<usize>, next: StatementId, lines: &mut Vec<Line>) {
        let Some(first) = self.silent_from.get_mut(next.index()) else { return };
        if from != Some(*first) {
            return;
        }
        // Once is enough, if a statement is spread over blocks.
        let statements = std::mem::replace(first, next.index())..next.index();
        for statement in statements {
            let span = self.function.statements[statement];
            if self.is_heading(statement) {
                continue;
            }
            if let Some(text) = source_text(&self.program.sources, span) {
                let statement = StatementId(statement as u32);
                lines.push(Line { text, span, statement, check: None });
            }
        }
    }

    /// The instructions of one statement in one block: a line from the source, or else one for each
    /// instruction, without checks unless there is nothing else.
    fn run(&self, run: &[Instruction], lines: &mut Vec<Line>) {
        let statement = run[0].statement;
        let whole = self.function.statements.get(statement.index()).copied();
        let span = match self.homes.get(statement.index()) {
            Some(Home::Several) => hull(run.iter().filter(|i| is_shown(i))).or(whole),
            _ => whole,
        };
        let span = span.map(|span| self.up_to_closing(span, whole));
        if self.is_heading(statement.index()) {
            return;
        }
        let text = span.and_then(|span| source_text(&self.program.sources, span));
        if let (Some(text), Some(span)) = (text, span) {
            lines.push(Line { text, span, statement, check: None });
            return;
        }
        let is_check = |i: &&Instruction| matches!(i.kind, InstructionKind::Check(_));
        let only_checks = run.iter().all(|i| is_check(&i));
        let shown = run.iter().filter(|i| only_checks || !is_check(i));
        lines.extend(shown.map(|i| instruction_line(self.program, self.function, i)));
    }

    /// Whether a statement is the name of the function: what happens to parameters before the first
    /// statement. That is no line of the program.
    fn is_heading(&self, statement: usize) -> bool {
        let span = self.function.statements.get(statement).filter(|_| statement == 0);
        let text = span.and_then(|span| self.program.sources.excerpt(*span));
        text.as_deref() == Some(&self.function.name)
    }

    /// A part of a statement, or all of it if only brackets and a semicolon are missing at its end.
    fn up_to_closing(&self, part: Span, whole: Option<Span>) -> Span {
        let Some(whole) = whole.filter(|w| w.file == part.file && w.start == part.start) else {
            return part;
        };
        let rest = self.program.sources.excerpt(Span { start: part.end, ..whole });
        let rest = rest.unwrap_or_default();
        let closes = rest.chars().all(|c| matches!(c, ')' | ']' | ';') || c.is_whitespace());
        if closes { whole } else { part }
    }

    /// The end of a block, and whether it is told by the source.
    fn end(&self, terminator: &Terminator) -> (End, bool) {
        let Terminator { kind, span, .. } = terminator;
        let source = absorbs(kind).then(|| source_text(&self.program.sources, *span)).flatten();
        let from_source = source.is_some();
        let text = source.or_else(|| match kind {
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable => None,
            TerminatorKind::Branch { condition: value, .. }
            | TerminatorKind::Switch { value, .. } => {
                Some(print_operand(self.program, self.function, value))
            }
            TerminatorKind::Return(_) | TerminatorKind::Exit(_) | TerminatorKind::Abort => {
                Some(print_terminator(self.program, self.function, terminator))
            }
        });
        let branches =
            matches!(kind, TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. });
        let mark = branches.then_some('?');
        (End { kind: end_kind(kind), text, mark, span: *span }, from_source)
    }
}

/// Whether an instruction is part of what a statement says; the end of a scope is not.
fn is_shown(instruction: &Instruction) -> bool {
    !matches!(instruction.kind, InstructionKind::Dead(_))
}

/// Whether the end of a block has a line of its own, which also tells the instructions of its
/// statement.
fn absorbs(kind: &TerminatorKind) -> bool {
    !matches!(kind, TerminatorKind::Goto(_) | TerminatorKind::Unreachable)
}

/// The smallest span around instructions, if all are in one file.
fn hull<'i>(mut instructions: impl Iterator<Item = &'i Instruction>) -> Option<Span> {
    let first = instructions.next()?.span;
    let mut rest = instructions.map(|instruction| instruction.span);
    rest.try_fold(first, |hull, span| (hull.file == span.file).then(|| hull.to(span)))
}

/// What stands in the source at `span`, on one line and not too long; `None` if that is not known.
fn source_text(sources: &Sources, span: Span) -> Option<String> {
    let mut text = String::new();
    let mut length = 0;
    for word in sources.lines(span).flat_map(str::split_whitespace) {
        let space = (!text.is_empty()).then_some(' ');
        for c in space.into_iter().chain(word.chars()) {
            if length == WIDTH {
                // One character too many: its place is taken by the mark.
                text.pop();
                text.push('…');
                return Some(text);
            }
            // Nothing in a source file shall control the terminal of its reader.
            text.push(if c.is_control() { '\u{fffd}' } else { c });
            length += 1;
        }
    }
    (!text.is_empty()).then_some(text)
}
