//! Blocks at the end of blocks, for a parser that nests no deeper than 256 brackets.
//!
//! Programs that programs write nest far deeper, mostly as `{ … { … } }`, where the inner block is the
//! last thing in the outer one. Without the inner braces the parser sees the same statements: what the
//! inner block declares is used in it only, and behind it the outer block ends as well. The one
//! difference is a name that both declare, and that is an error of the checker then, never another
//! meaning. The conversion puts the blocks back, so the lifetimes of objects are those of the source.

use rucc_diag::BytePos;
use rucc_lex::{Punct, Token, TokenKind, Tokens};

/// Where the braces of a block are that is not parsed as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Braces {
    /// The place of `{`.
    pub(super) open: BytePos,
    /// The place behind `}`.
    pub(super) close: BytePos,
}

/// Removes the braces of blocks at the end of blocks. The result is ordered by place.
pub(super) fn flatten(tokens: &mut Tokens) -> Vec<Braces> {
    let pairs = pairs(&tokens.tokens);
    let mut is_removed = vec![false; tokens.tokens.len()];
    let mut removed = Vec::with_capacity(pairs.len());
    for (open, close) in pairs {
        is_removed[open] = true;
        is_removed[close] = true;
        let [open, close] = [open, close].map(|at| tokens.tokens[at].span);
        removed.push(Braces { open: open.lo, close: close.hi });
    }
    // Pragmas say before which token they stand.
    let mut count = 0;
    let mut before = Vec::with_capacity(is_removed.len() + 1);
    for is_removed in &is_removed {
        before.push(count);
        count += u32::from(*is_removed);
    }
    for pragma in &mut tokens.pragmas {
        pragma.before -= before.get(pragma.before as usize).copied().unwrap_or(count);
    }
    let mut keep = is_removed.iter().map(|is_removed| !is_removed);
    tokens.tokens.retain(|_| keep.next().unwrap_or(true));
    removed.sort_by_key(|braces| braces.open);
    removed
}

/// An open brace.
struct Open {
    at: usize,
    /// How many parentheses were open.
    parentheses: usize,
    /// Whether there is a `;` in it, outside of parentheses: a block, not an initialiser.
    has_statement: bool,
    /// How often the places went backwards before it.
    jumps: usize,
}

/// The braces to remove, as indices of tokens.
fn pairs(tokens: &[Token]) -> Vec<(usize, usize)> {
    let punct = |at: usize| tokens.get(at).and_then(|token| token.punct());
    let place = |at: usize| tokens.get(at).map_or(0, |token| token.span.lo);
    let mut pairs = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut parentheses: usize = 0;
    let mut jumps = 0;
    for (at, token) in tokens.iter().enumerate() {
        jumps += usize::from(at > 0 && place(at) < place(at - 1));
        match token.kind {
            TokenKind::Punct(Punct::LParen) => parentheses += 1,
            TokenKind::Punct(Punct::RParen) => parentheses = parentheses.saturating_sub(1),
            TokenKind::Punct(Punct::Semi) => {
                if let Some(inner) =
                    open.last_mut().filter(|inner| inner.parentheses == parentheses)
                {
                    inner.has_statement = true;
                }
            }
            TokenKind::Punct(Punct::LBrace) => {
                open.push(Open { at, parentheses, has_statement: false, jumps });
            }
            TokenKind::Punct(Punct::RBrace) => {
                let Some(inner) = open.pop() else { return Vec::new() };
                if let Some(outer) =
                    open.last_mut().filter(|outer| outer.parentheses == parentheses)
                {
                    outer.has_statement |= inner.has_statement;
                }
                let starts_item = inner.at > 0
                    && matches!(
                        punct(inner.at - 1),
                        Some(Punct::LBrace | Punct::RBrace | Punct::Semi)
                    );
                // The last statement of `({ … })` is its value, a block is none.
                let ends_block = open.last().is_some_and(|outer| {
                    outer.at > 0 && punct(outer.at - 1) != Some(Punct::LParen)
                });
                let ends_outer = ends_block && punct(at + 1) == Some(Punct::RBrace);
                // Blocks are found again by their places, so these have to be where the tokens are:
                // in one file, and not all at the use of one macro.
                let is_placed = inner.jumps == jumps
                    && place(inner.at - usize::from(inner.at > 0)) < place(inner.at)
                    && place(inner.at) < place(inner.at + 1)
                    && place(at - 1) < place(at);
                if starts_item && ends_outer && inner.has_statement && is_placed {
                    pairs.push((inner.at, at));
                }
            }
            _ => {}
        }
    }
    pairs
}
