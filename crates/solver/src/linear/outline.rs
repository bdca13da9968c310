//! How much work it is to evaluate formulas.
//!
//! Evaluation takes about one step for each different part, but the body of a quantifier is evaluated
//! for each value in its range; and it does not know of budgets.

use loupe_integer::Integer;
use loupe_term::{Assignment, Node, Term, Terms, Value};
use rustc_hash::FxHashSet;

/// What matters of formulas for the time that their evaluation takes.
pub(super) struct Outline {
    /// How many different parts they have.
    size: u64,
    /// Quantifiers and the ends of their ranges, parts before wholes.
    ranges: Vec<(Term, [Term; 2])>,
}

impl Outline {
    /// Looks through formulas; nothing if they have more parts than the limit, or arrays that are
    /// defined by formulas, whose elements may need exponential time.
    pub(super) fn new(terms: &Terms, formulas: &[Term], limit: u64) -> Option<Outline> {
        let mut outline = Outline { size: 0, ranges: Vec::new() };
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut open = formulas.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            outline.size += 1;
            match terms.node(term) {
                _ if outline.size > limit => return None,
                Node::Lambda(..) => return None,
                Node::Quantified(_, _, [low, high, _]) => {
                    outline.ranges.push((term, [*low, *high]))
                }
                _ => {}
            }
            terms.node(term).for_each_child(|part| open.push(part));
        }
        outline.ranges.sort_unstable();
        Some(outline)
    }

    /// At least the number of steps, as if each quantifier were inside all others; nothing if it is
    /// above the limit, or if a range is not known before its quantifier is evaluated.
    pub(super) fn steps(&self, terms: &Terms, assignment: &Assignment, limit: u64) -> Option<u64> {
        let mut steps = Some(self.size).filter(|steps| *steps <= limit)?;
        // The ends of a range are evaluated only when the quantifiers in them are known to be cheap.
        for (_, ends) in &self.ranges {
            let ends = ends.map(|end| terms.evaluate(end, assignment));
            let [Ok(Value::Int(low)), Ok(Value::Int(high))] = ends else {
                return None;
            };
            let count = high.sub(&low);
            if count > Integer::ONE {
                steps = steps.checked_mul(u64::try_from(count.to_i64()?).ok()?)?;
                steps = Some(steps).filter(|steps| *steps <= limit)?;
            }
        }
        Some(steps)
    }
}
