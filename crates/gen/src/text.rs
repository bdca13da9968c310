//! What the printers of both languages share: indented lines, and operators with their operands.

use crate::tree::{Expr, Operator, Side};

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

/// `left operator right`, where `print` writes operands.
pub(crate) fn binary(
    (operator, left, right): (Operator, &Expr, &Expr),
    print: impl Fn(&Expr) -> String,
) -> String {
    let side = |operand: &Expr, side| {
        let text = print(operand);
        if operand.needs_parentheses(operator, side) { format!("({text})") } else { text }
    };
    format!("{} {} {}", side(left, Side::Left), operator.symbol(), side(right, Side::Right))
}
