//! What formulas about some symbols are made of, while they are put together.

use crate::logic::Logic;
use crate::problem::Path;
use crate::summary::Case;
use loupe_term::{Counted, Origin, Sort, Substitution, SymbolId, Term, Which};

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

    /// One more that people know as they know another one, whatever its sort.
    pub(crate) fn fresh_like(
        &mut self,
        logic: &mut Logic<'_>,
        other: SymbolId,
        sort: Sort,
    ) -> Term {
        let (name, origin) = {
            let known = logic.terms.symbol(other);
            (known.name.clone(), known.origin.clone())
        };
        let symbol = logic.terms.fresh(&name, sort, origin);
        self.symbols.push(symbol);
        symbol
    }

    /// A number of iterations that people know by a name.
    fn count(&mut self, logic: &mut Logic<'_>, name: &str, what: Option<Counted>) -> Term {
        let name = what.as_ref().map_or_else(|| name.to_owned(), Counted::name);
        let origin = Origin { counted: what.map(Box::new), ..Origin::default() };
        let symbol = logic.terms.fresh(&name, Sort::Int, origin);
        self.symbols.push(symbol);
        symbol
    }

    /// Numbers of iterations, which count what is said here: they are not negative.
    pub(crate) fn counts(
        &mut self,
        logic: &mut Logic<'_>,
        what: impl IntoIterator<Item = Option<Counted>>,
    ) -> Vec<Term> {
        let zero = logic.terms.int(0);
        let mut counts = Vec::new();
        for (path, what) in what.into_iter().enumerate() {
            let count = self.count(logic, &format!("k{}", path + 1), what);
            self.conditions.push(logic.terms.le(zero, count));
            counts.push(count);
        }
        counts
    }

    /// Symbols for what a path reads or decides anew.
    pub(crate) fn anew(&mut self, logic: &mut Logic<'_>, path: &Path, store: &mut Substitution) {
        for fresh in &path.fresh {
            let Some(id) = logic.symbol_of(fresh.symbol) else { continue };
            let sort = logic.terms.sort(fresh.symbol);
            let own = self.fresh_like(logic, id, sort);
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
            before: Vec::new(),
            exit,
            trace: Vec::new(),
            last,
            draws: Vec::new(),
            streams: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// A number of iterations before some point: at most so many.
    pub(crate) fn earlier(&mut self, logic: &mut Logic<'_>, most: Term) -> Term {
        let zero = logic.terms.int(0);
        let of = logic.symbol_of(most).and_then(|id| logic.terms.symbol(id).origin.counted.clone());
        let what = of.map(|counted| Counted { which: Which::Earlier, ..*counted });
        let earlier = self.count(logic, "t", what);
        self.conditions.push(logic.terms.le(zero, earlier));
        self.conditions.push(logic.terms.le(earlier, most));
        earlier
    }
}
