//! Solves equalities, and uses what assertions say of those behind them.
//!
//! Symbols that an equality defines are put in everywhere and disappear; wraps, choices and comparisons
//! that the assertions before them decide are decided. Each formula that is handed on knows the
//! assertions that it comes from, so that cores come back in terms of the query; models are extended
//! by the definitions and evaluated on the query itself.

use super::{Inner, Layer, Linear};
use crate::answer::{self, Answer, Error, Evidence, Query};
use crate::features::{FeatureTable, Features};
use crate::limits::Interrupt;
use crate::limits::Pains;
use loupe_term::{Assignment, Context, Derived, Solved, Term, Terms};
use std::collections::BTreeSet;

/// So many terms may be rebuilt for one query.
const WORK: usize = 20_000;

/// The layer.
#[derive(Default)]
pub struct Simplify {
    features: FeatureTable,
    /// Has another look at what has become simpler.
    linear: Option<Linear>,
}

impl Simplify {
    /// Simplifies, and puts what has become simpler to the linear procedure, if that is given.
    pub fn new(linear: Option<Linear>) -> Self {
        Simplify { linear, ..Self::default() }
    }
}

impl Layer for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        if query.limits.pains == Pains::Hard {
            return inner.check(terms, query);
        }
        let Solved { mut remaining, eliminated } = terms.solve_equalities(query.assertions, WORK);
        let choices = |derived: &Derived, features: &mut FeatureTable, terms: &Terms| {
            features.of(terms, derived.formula).has(Features::CHOICES)
        };
        if remaining.iter().any(|derived| choices(derived, &mut self.features, terms)) {
            remaining = under_each_other(terms, remaining, &query.limits.interrupt);
        }
        if let Some(never) = remaining.iter().find(|d| terms.as_bool(d.formula) == Some(false)) {
            return Ok(Answer::Unsat(never.because.clone()));
        }
        let assertions: Vec<Term> = remaining.iter().map(|derived| derived.formula).collect();
        if eliminated.is_empty() && assertions == query.assertions {
            return inner.check(terms, query);
        }
        let mut values = Assignment::default();
        let mut evidence = Evidence::Evaluated;
        if !assertions.is_empty() {
            let simpler = Query { assertions: &assertions, ..*query };
            let answer = self.linear.and_then(|linear| linear.decide(terms, &simpler));
            let answer = match answer {
                Some(answer) => answer,
                None => inner.check(terms, &simpler)?,
            };
            match answer {
                Answer::Sat(model) => (values, evidence) = (model.values, model.evidence),
                Answer::Unsat(core) => {
                    let blamed = core.iter().filter_map(|at| remaining.get(*at));
                    let blamed = blamed.flat_map(|derived| derived.because.iter().copied());
                    return Ok(Answer::Unsat(
                        blamed.collect::<BTreeSet<_>>().into_iter().collect(),
                    ));
                }
                unknown @ Answer::Unknown(_) => return Ok(unknown),
            }
        }
        for elimination in eliminated.iter().rev() {
            // What has no value stays open, and evaluation says whether that matters.
            if let Ok(value) = terms.evaluate(elimination.definition, &values) {
                values.symbols.insert(elimination.symbol, value);
            }
        }
        answer::extended(terms, "simplify", query.assertions, values, evidence)
    }
}

/// Each formula in the light of those before it. Only before it, so that what a longer path begins with
/// looks the same as when it was asked for alone.
fn under_each_other(
    terms: &mut Terms,
    formulas: Vec<Derived>,
    interrupt: &Interrupt,
) -> Vec<Derived> {
    let mut context = Context::new();
    let mut work = WORK;
    let mut because: BTreeSet<usize> = BTreeSet::new();
    let mut simpler = Vec::with_capacity(formulas.len());
    for mut derived in formulas {
        // Each formula is looked at as a whole, and long paths have many that share large parts.
        work = work.saturating_sub(terms.size(derived.formula));
        if work == 0 || interrupt.is_requested() {
            simpler.push(derived);
            continue;
        }
        let formula = context.simplify(terms, derived.formula);
        context.assume(terms, derived.formula);
        because.extend(&derived.because);
        if formula != derived.formula {
            // Any of the formulas before it may have helped.
            derived = Derived { formula, because: because.iter().copied().collect() };
        }
        if terms.as_bool(derived.formula) != Some(true) {
            simpler.push(derived);
        }
    }
    simpler
}
