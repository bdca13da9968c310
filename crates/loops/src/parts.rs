//! What formulas about some symbols are made of, while they are put together.

use crate::logic::Logic;
use loupe_term::{Origin, Sort, Term};

/// Conditions, and symbols that exist for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) conditions: Vec<Term>,
    pub(crate) symbols: Vec<Term>,
}

impl Parts {
    /// A symbol more.
    pub(crate) fn fresh(&mut self, logic: &mut Logic<'_>, name: &str, sort: Sort) -> Term {
        let symbol = logic.terms.fresh(name, sort, Origin::default());
        self.symbols.push(symbol);
        symbol
    }

    /// Numbers of iterations: they are not negative.
    pub(crate) fn counts(&mut self, logic: &mut Logic<'_>, number: usize) -> Vec<Term> {
        let zero = logic.terms.int(0);
        let mut counts = Vec::with_capacity(number);
        for path in 0..number {
            let count = self.fresh(logic, &format!("k{}", path + 1), Sort::Int);
            self.conditions.push(logic.terms.le(zero, count));
            counts.push(count);
        }
        counts
    }

    /// A number of iterations before some point: at most so many.
    pub(crate) fn earlier(&mut self, logic: &mut Logic<'_>, most: Term) -> Term {
        let zero = logic.terms.int(0);
        let earlier = self.fresh(logic, "t", Sort::Int);
        self.conditions.push(logic.terms.le(zero, earlier));
        self.conditions.push(logic.terms.le(earlier, most));
        earlier
    }
}
