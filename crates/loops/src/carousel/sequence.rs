//! Values that come again, as terms.

use crate::logic::Logic;
use loupe_integer::Integer;
use loupe_term::{Rounding, Term, Terms};

/// Values that follow each other: so many that do not come again, and then changes that repeat.
pub(super) struct Sequence {
    /// Up to the end of the first turn, with the value there.
    pub(super) values: Vec<Term>,
    pub(super) tail: usize,
}

impl Sequence {
    /// Values that come again after the last.
    pub(super) fn returning(mut values: Vec<Term>, tail: usize) -> Self {
        values.push(values[tail]);
        Sequence { values, tail }
    }

    /// The value at an index that is not negative.
    pub(super) fn at(&self, logic: &mut Logic<'_>, index: Term) -> Term {
        let changes: Vec<Term> =
            self.values.windows(2).map(|pair| logic.terms.sub(pair[1], pair[0])).collect();
        let turn = &changes[self.tail..];
        // The changes may repeat faster than the states, and sooner.
        let length = (1..=turn.len())
            .find(|length| {
                turn.len().is_multiple_of(*length)
                    && (*length..turn.len()).all(|at| turn[at] == turn[at - length])
            })
            .unwrap_or(turn.len());
        let mut tail = self.tail;
        while tail > 0 && changes[tail - 1] == changes[tail - 1 + length] {
            tail -= 1;
        }
        let terms = &mut *logic.terms;
        let numbered = |values: &[Term]| -> Vec<(Integer, Term)> {
            values.iter().enumerate().map(|(at, value)| (Integer::from(at), *value)).collect()
        };
        let first = self.values[tail];
        let sums: Vec<Term> =
            self.values[tail..tail + length].iter().map(|value| terms.sub(*value, first)).collect();
        let whole = terms.sub(self.values[tail + length], first);
        let begin = terms.int(tail);
        let since = terms.sub(index, begin);
        let size = terms.int(length);
        let turns = terms.quotient(Rounding::Euclidean, since, size);
        let rest = terms.add_scaled(since, turns, &Integer::from(length).neg());
        let rest = table(terms, rest, &numbered(&sums));
        let whole = terms.mul(whole, turns);
        let later = terms.sum([first, whole, rest]);
        if tail == 0 {
            return later;
        }
        let early = table(terms, index, &numbered(&self.values[..tail]));
        let is_later = terms.le(begin, index);
        terms.ite(is_later, later, early)
    }
}

/// What a table has for an index that is one of its keys, which grow: pieces that are affine.
pub(super) fn table(terms: &mut Terms, index: Term, entries: &[(Integer, Term)]) -> Term {
    let mut pieces: Vec<(Integer, Term)> = Vec::new();
    let mut at = 0;
    while at < entries.len() {
        let (first, value) = &entries[at];
        let mut end = at + 1;
        let mut slope: Option<Integer> = None;
        while end < entries.len() && entries[end - 1].0.add(&Integer::ONE) == entries[end].0 {
            let step = terms.sub(entries[end].1, entries[end - 1].1);
            match (terms.as_int(step).cloned(), &slope) {
                (Some(step), None) => slope = Some(step),
                (Some(step), Some(slope)) if step == *slope => {}
                _ => break,
            }
            end += 1;
        }
        let piece = match slope {
            Some(slope) => {
                let first = terms.int(first.clone());
                let since = terms.sub(index, first);
                terms.add_scaled(*value, since, &slope)
            }
            None => *value,
        };
        pieces.push((entries[end - 1].0.clone(), piece));
        at = end;
    }
    let Some((_, mut result)) = pieces.pop() else { return index };
    for (last, piece) in pieces.into_iter().rev() {
        let last = terms.int(last);
        let here = terms.le(index, last);
        result = terms.ite(here, piece, result);
    }
    result
}
