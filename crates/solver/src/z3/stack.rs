//! One incremental solver of Z3 with what has been asserted in it.

use super::translate::{Translation, WrongSort};
use crate::answer::Reason;
use crate::limits::Limits;
use loupe_term::{Term, Terms};
use z3::ast::Bool;
use z3::{Params, SatResult, StatisticsValue};

/// Which logic a solver is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Linear integer arithmetic without quantifiers: about twice as fast as the general solver.
    Linear,
    /// The same with elements of arrays: several times as fast.
    Elements,
    /// Anything.
    General,
}

/// A solver and its assertions, each in a scope of its own.
pub(super) struct Stack {
    pub(super) kind: Kind,
    pub(super) solver: z3::Solver,
    /// When it was used last.
    pub(super) used: u64,
    asserted: Vec<Term>,
    /// The literals that stand for the assertions in cores.
    labels: Vec<Bool>,
    /// The limit on work that was set last.
    work: Option<u32>,
    /// What Z3's counter of work stood at after the last check. It belongs to the thread, and begins anew behind its end.
    pub(super) counted: u32,
}

impl Stack {
    pub(super) fn new(kind: Kind) -> Self {
        let solver = match kind {
            Kind::Linear => z3::Solver::new_for_logic("QF_LIA").unwrap_or_default(),
            Kind::Elements => z3::Solver::new_for_logic("QF_AUFLIA").unwrap_or_default(),
            Kind::General => z3::Solver::new(),
        };
        Stack::around(kind, solver)
    }

    fn around(kind: Kind, solver: z3::Solver) -> Self {
        Stack {
            kind,
            solver,
            used: 0,
            asserted: Vec::new(),
            labels: Vec::new(),
            work: None,
            counted: 0,
        }
    }

    /// A stack for one query over bit-vectors.
    pub(super) fn of_vectors(formulas: &[Bool]) -> Self {
        let solver = z3::Solver::new_for_logic("QF_BV").unwrap_or_default();
        formulas.iter().for_each(|formula| solver.assert(formula));
        Stack::around(Kind::General, solver)
    }

    /// A stack for one query. Nobody is told which assertions were needed, and that makes large ones several times as fast.
    pub(super) fn of_one(
        terms: &Terms,
        translation: &mut Translation,
        assertions: &[Term],
        kind: Kind,
    ) -> Result<Self, WrongSort> {
        let stack = Stack::new(kind);
        for assertion in assertions {
            stack.solver.assert(translation.formula(terms, *assertion)?);
        }
        Ok(stack)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.asserted.is_empty()
    }

    /// How many assertions at the beginning of the query are already here.
    pub(super) fn common(&self, assertions: &[Term]) -> usize {
        self.asserted.iter().zip(assertions).take_while(|(a, b)| a == b).count()
    }

    /// Takes off what the query does not have, and asserts what is missing.
    pub(super) fn bring_to(
        &mut self,
        terms: &Terms,
        translation: &mut Translation,
        assertions: &[Term],
    ) -> Result<(), WrongSort> {
        let common = self.common(assertions);
        let surplus = self.asserted.len() - common;
        if surplus > 0 {
            self.solver.pop(surplus as u32);
            self.asserted.truncate(common);
            self.labels.truncate(common);
        }
        for assertion in &assertions[common..] {
            let formula = translation.formula(terms, *assertion)?;
            let label = Bool::new_const(format!("a{}", assertion.index()));
            self.solver.push();
            self.solver.assert_and_track(formula, &label);
            self.asserted.push(*assertion);
            self.labels.push(label);
        }
        Ok(())
    }

    /// Checks the assertions together with `facts` that always hold.
    pub(super) fn check(&mut self, facts: &[Bool], limits: &Limits) -> Outcome {
        let work = limits.z3_work();
        if self.work != Some(work) {
            let mut params = Params::new();
            params.set_u32("rlimit", work);
            // Ctrl-C is for us to handle.
            params.set_bool("ctrl_c", false);
            self.solver.set_params(&params);
            self.work = Some(work);
        }
        if facts.is_empty() {
            let outcome = self.outcome();
            self.count();
            return outcome;
        }
        self.solver.push();
        facts.iter().for_each(|fact| self.solver.assert(fact));
        let outcome = self.outcome();
        self.count();
        self.solver.pop(1);
        outcome
    }

    fn count(&mut self) {
        if let Some(StatisticsValue::UInt(count)) =
            self.solver.get_statistics().value("rlimit count")
        {
            self.counted = count;
        }
    }

    fn outcome(&self) -> Outcome {
        match self.solver.check() {
            SatResult::Sat => match self.solver.get_model() {
                Some(model) => Outcome::Sat(model),
                None => Outcome::Unknown("there is no model".into()),
            },
            SatResult::Unsat => Outcome::Unsat(self.core()),
            SatResult::Unknown => {
                Outcome::Unknown(self.solver.get_reason_unknown().unwrap_or_default())
            }
        }
    }

    /// The positions of the assertions that Z3 needed.
    fn core(&self) -> Vec<usize> {
        let core = self.solver.get_unsat_core();
        let positions = self.labels.iter().enumerate();
        positions.filter(|(_, label)| core.contains(label)).map(|(at, _)| at).collect()
    }
}

/// What Z3 says.
pub(super) enum Outcome {
    Sat(z3::Model),
    /// With the positions of the assertions that are to blame.
    Unsat(Vec<usize>),
    /// With the reason, in Z3's words.
    Unknown(String),
}

/// What Z3's words mean; `stopped` is why we interrupted it, if we did.
pub(super) fn reason(words: String, stopped: Option<Reason>) -> Reason {
    match stopped {
        Some(reason) => reason,
        // Nobody interrupted it, so it was its own counter.
        None if words.contains("canceled") || words.contains("resource limit") => Reason::Work,
        None if words.contains("memory") => Reason::Memory,
        None if words.contains("timeout") => Reason::Time,
        None => Reason::Incomplete(words),
    }
}
