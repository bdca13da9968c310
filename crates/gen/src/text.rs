//! What the printers of both languages share: indented lines, operators with their operands, and marks.
//!
//! A *mark* is a character that no program contains. Printers put one before what may fail, at the place that the front
//! ends name when it does; when the text is complete, marks are taken out of it and become lines and columns.

use crate::Planted;
use crate::parameters::ErrorKind;
use crate::tree::{Expr, Operator, Side};

/// The marks are this character and those behind it, which are for private use.
const FIRST_MARK: u32 = 0xe000;

/// The mark of an error of this kind.
pub(crate) fn mark(kind: ErrorKind) -> String {
    let which = ErrorKind::ALL.iter().position(|other| *other == kind).unwrap_or(0);
    char::from_u32(FIRST_MARK + which as u32).into_iter().collect()
}

fn marked(character: char) -> Option<ErrorKind> {
    let which = (character as u32).checked_sub(FIRST_MARK)?;
    ErrorKind::ALL.get(which as usize).copied()
}

/// Puts all marks of an expression before it: within a macro, front ends name the place of the macro.
pub(crate) fn with_marks_first(text: &str) -> (String, String) {
    text.chars().partition(|character| marked(*character).is_some())
}

/// The text without marks, and what they say, each once, in the order of the text.
pub(crate) fn take_marks(text: &str) -> (String, Vec<Planted>) {
    let mut plain = String::with_capacity(text.len());
    let mut planted: Vec<Planted> = Vec::new();
    let mut open: Vec<ErrorKind> = Vec::new();
    let (mut line, mut column) = (1, 1);
    for character in text.chars() {
        if let Some(kind) = marked(character) {
            open.push(kind);
            continue;
        }
        // A parenthesis belongs to no operand.
        if character != '(' {
            for kind in open.drain(..) {
                let found = Planted { kind, line, column };
                if !planted.iter().rev().take_while(|other| other.line == line).any(|o| *o == found)
                {
                    planted.push(found);
                }
            }
        }
        plain.push(character);
        (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    planted.sort_by_key(|planted| (planted.line, planted.column, planted.kind));
    (plain, planted)
}

/// A text that grows line by line.
#[derive(Default)]
pub(crate) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub(crate) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text += &"    ".repeat(self.depth);
            self.text += line;
        }
        self.text.push('\n');
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// A line that closes one.
    pub(crate) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// A line that closes one and opens another.
    pub(crate) fn between(&mut self, line: &str) {
        self.close(line);
        self.depth += 1;
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// `left operator right`, where `print` writes operands, and a mark may stand before the operator.
pub(crate) fn binary(
    (operator, left, right): (Operator, &Expr, &Expr),
    mark: &str,
    print: impl Fn(&Expr) -> String,
) -> String {
    let side = |operand: &Expr, side| {
        let text = print(operand);
        if operand.needs_parentheses(operator, side) { format!("({text})") } else { text }
    };
    let (left, right) = (side(left, Side::Left), side(right, Side::Right));
    format!("{left} {mark}{} {right}", operator.symbol())
}
