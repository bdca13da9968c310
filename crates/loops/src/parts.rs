//! What formulas about some symbols are made of, while they are put together.

use crate::logic::Logic;
use crate::problem::Path;
use crate::summary::Case;
use loupe_term::{Origin, Sort, Substitution, Term};

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

    /// Symbols for what a path reads or decides anew.
    pub(crate) fn anew(&mut self, logic: &mut Logic<'_>, path: &Path, store: &mut Substitution) {
        for fresh in &path.fresh {
            let Some(id) = logic.symbol_of(fresh.symbol) else { continue };
            let (name, sort) =
                (logic.terms.symbol(id).name.clone(), logic.terms.sort(fresh.symbol));
            let own = self.fresh(logic, &name, sort);
            store.extend([(id, own)]);
        }
    }

    /// The case that these are the condition of: it leaves by a path and an exit, and says nothing of the way there.
    pub(crate) fn case(
        self,
        logic: &mut Logic<'_>,
        values: Vec<Term>,
        (last, exit): (usize, usize),
    ) -> Case {
        Case {
            condition: logic.terms.and(self.conditions),
            counters: self.symbols,
            inputs: Vec::new(),
            values,
            exit,
            trace: Vec::new(),
            last,
            draws: Vec::new(),
            streams: Vec::new(),
        }
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
