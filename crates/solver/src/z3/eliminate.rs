//! Quantifier elimination and optimisation.
//!
//! Elimination is for linear arithmetic alone: with arrays, Z3 gives formulas that are not equivalent (it
//! says *true* for `∃a. a[x] < a[y]`), and there is no cheap check of its results.

use super::read::{Meaning, NoTerm};
use super::{NAME, Z3, translate, watch};
use crate::answer::{self, Answer, Error, Query, Reason, Solver};
use crate::features::Features;
use crate::limits::Limits;
use loupe_integer::Integer;
use loupe_term::{SymbolId, Term, Terms, Value};
use std::time::Instant;
use translate::{Expression, WrongSort};
use z3::ast::{Bool, Dynamic};
use z3::{Goal, Optimize, SatResult, Tactic};

/// What has become of a quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elimination {
    /// A formula without the variables that is equivalent to the one with ∃ before it.
    Formula(Term),
    /// None was found.
    Unknown(Reason),
}

/// The largest or smallest value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// This one; a model with it was evaluated, and that there is no better one was proved by a query of
    /// its own.
    Value(Integer),
    /// There is none: values grow beyond all bounds, as far as the solver can tell.
    Unbounded,
    /// There are no values at all.
    Infeasible,
    /// It was not found out.
    Unknown(Reason),
}

/// Which end is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goalpost {
    /// The largest value.
    Largest,
    /// The smallest value.
    Smallest,
}

impl Z3 {
    /// A formula without `variables` that is equivalent to `∃ variables. formula`.
    ///
    /// The limit on work does not count here, because Z3 has none for this: the clock does.
    ///
    /// # Errors
    ///
    /// If the formula makes no sense.
    pub fn eliminate(
        &mut self,
        terms: &mut Terms,
        variables: &[SymbolId],
        formula: Term,
        limits: &Limits,
    ) -> Result<Elimination, Error> {
        let assertions = [formula];
        self.door.admit(terms, &assertions)?;
        let free = terms.free_symbols(formula);
        let variables: Vec<SymbolId> =
            variables.iter().copied().filter(|variable| free.contains(variable)).collect();
        if variables.is_empty() {
            return Ok(Elimination::Formula(formula));
        }
        if !self.features(terms, &assertions).is_linear() {
            let words = "elimination is for linear arithmetic".into();
            return Ok(Elimination::Unknown(Reason::Incomplete(words)));
        }
        if let Some(reason) = limits.exhausted() {
            return Ok(Elimination::Unknown(reason));
        }
        self.guarded(|z3| z3.run_elimination(terms, &variables, formula, limits))
            .unwrap_or_else(|reason| Ok(Ok(Elimination::Unknown(reason))))
            .unwrap_or_else(|WrongSort| Err(answer::ill_sorted(terms, &assertions)))
    }

    fn run_elimination(
        &mut self,
        terms: &mut Terms,
        variables: &[SymbolId],
        formula: Term,
        limits: &Limits,
    ) -> Result<Result<Elimination, Error>, WrongSort> {
        let body = self.translation.formula(terms, formula)?;
        let bound: Vec<Expression> =
            variables.iter().map(|variable| translate::symbol(terms, *variable)).collect();
        let bound: Vec<&dyn z3::ast::Ast> = bound.iter().map(Expression::as_ast).collect();
        let quantified = z3::ast::exists_const(&bound, &[], &body);
        let goal = Goal::new(false, false, false);
        goal.assert(&quantified);
        let tactic = Tactic::new("qe2").and_then(&Tactic::new("ctx-simplify"));
        let (result, stopped) = self.watch.during(limits, || tactic.apply(&goal, None));
        let meaning = Meaning::of_symbols(terms, &[formula]);
        let read = |terms: &mut Terms| {
            let result = result.map_err(NoTerm)?;
            let mut cases = Vec::new();
            for subgoal in result.list_subgoals() {
                let formulas: Vec<Bool> = subgoal.get_formulas();
                let parts: Result<Vec<Term>, NoTerm> = formulas
                    .iter()
                    .map(|formula| meaning.term(terms, &Dynamic::from_ast(formula)))
                    .collect();
                cases.push(terms.and(parts?));
            }
            Ok::<Term, NoTerm>(terms.or(cases))
        };
        Ok(Ok(match read(terms) {
            // An eliminated variable that is still there would be a free one now.
            Ok(result) if terms.free_symbols(result).iter().any(|id| variables.contains(id)) => {
                Elimination::Unknown(Reason::Incomplete("a variable was left".into()))
            }
            Ok(result) => Elimination::Formula(result),
            Err(NoTerm(words)) => Elimination::Unknown(super::stack::reason(words, stopped)),
        }))
    }

    /// The largest or smallest value that a term has where the assertions hold.
    ///
    /// # Errors
    ///
    /// If the query makes no sense.
    pub fn optimise(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        objective: Term,
        goalpost: Goalpost,
    ) -> Result<Optimum, Error> {
        self.door.admit(terms, query.assertions)?;
        terms.require(objective, loupe_term::Sort::Int)?;
        if terms.is_starred(objective) {
            return Err(Error::Unknown(query.assertions.len()));
        }
        if let Some(reason) = query.limits.exhausted() {
            return Ok(Optimum::Unknown(reason));
        }
        let start = Instant::now();
        let claim = self
            .guarded(|z3| z3.run_optimisation(terms, query, objective, goalpost))
            .unwrap_or_else(|reason| Ok(Optimum::Unknown(reason)))
            .unwrap_or_else(|WrongSort| Optimum::Unknown(Reason::Failure("sorts".into())));
        let value = match &claim {
            Optimum::Value(value) => value,
            // Z3 knows no powers, so that they have no bounds to it.
            Optimum::Unbounded if self.has_powers(terms, query.assertions, objective) => {
                let words = "powers with a symbolic exponent".into();
                return Ok(Optimum::Unknown(Reason::Incomplete(words)));
            }
            _ => return Ok(claim),
        };
        // No better value: by a query of its own, because Z3 has been wrong here.
        let bound = terms.int(value.clone());
        let better = match goalpost {
            Goalpost::Largest => terms.lt(bound, objective),
            Goalpost::Smallest => terms.lt(objective, bound),
        };
        let mut assertions = query.assertions.to_vec();
        assertions.push(better);
        let limits = query.limits.after(start.elapsed());
        Ok(match self.check(terms, &Query { assertions: &assertions, limits: &limits })? {
            Answer::Unsat(_) => claim,
            Answer::Sat(_) => {
                Optimum::Unknown(Reason::Failure(format!("{NAME} found a wrong optimum")))
            }
            Answer::Unknown(reason) => Optimum::Unknown(reason),
        })
    }

    fn has_powers(&mut self, terms: &Terms, assertions: &[Term], objective: Term) -> bool {
        let all = self.features(terms, assertions).join(self.features(terms, &[objective]));
        all.has(Features::POWERS)
    }

    fn run_optimisation(
        &mut self,
        terms: &Terms,
        query: &Query<'_>,
        objective: Term,
        goalpost: Goalpost,
    ) -> Result<Optimum, WrongSort> {
        let optimiser = Optimize::new();
        for assertion in query.assertions {
            optimiser.assert(self.translation.formula(terms, *assertion)?);
        }
        let goal = self.translation.integer(terms, objective)?;
        match goalpost {
            Goalpost::Largest => optimiser.maximize(&goal),
            Goalpost::Smallest => optimiser.minimize(&goal),
        }
        let (result, stopped) = self.watch.during_all(query.limits, || optimiser.check(&[]));
        Ok(match result {
            SatResult::Unsat => Optimum::Infeasible,
            SatResult::Unknown => {
                // The limits are the only known cause, and the optimiser does not always say so.
                let words = match optimiser.get_reason_unknown() {
                    Some(words) if words != "unknown" => words,
                    _ => "resource limit".to_owned(),
                };
                Optimum::Unknown(super::stack::reason(words, stopped))
            }
            SatResult::Sat => {
                let bound = match goalpost {
                    Goalpost::Largest => optimiser.get_upper(0),
                    Goalpost::Smallest => optimiser.get_lower(0),
                };
                if bound.is_some_and(|bound| bound.to_string().contains("oo")) {
                    return Ok(Optimum::Unbounded);
                }
                let Some(found) = optimiser.get_model() else {
                    return Ok(Optimum::Unknown(Reason::Incomplete("there is no model".into())));
                };
                let mut all = query.assertions.to_vec();
                all.push(objective);
                let values = super::model::values(terms, &found, &all)?.values;
                let holds = answer::evaluate(terms, query.assertions, &values);
                match (holds, terms.evaluate(objective, &values)) {
                    (answer::Evaluated::True, Ok(Value::Int(value))) => Optimum::Value(value),
                    _ => Optimum::Unknown(Reason::WrongModel),
                }
            }
        })
    }
}

/// How many bytes Z3 uses in this process.
pub fn memory_in_use() -> u64 {
    watch::allocated()
}
