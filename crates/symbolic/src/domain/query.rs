//! Questions to the solver about the current path.

use super::{Outcome, Symbolic};
use crate::explore::Decision;
use crate::halt::{Case, Halt};
use crate::value::{Bool, Int};
use loupe_integer::Integer;
use loupe_solver::{Answer, Evidence, LinkStatistics, Reason};
use loupe_term::{Assignment, Term, Value};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Whether a condition can hold on a path.
#[derive(Clone, Debug)]
pub enum Feasible {
    /// It can, with these values.
    Yes(Rc<Assignment>),
    /// It cannot.
    No,
    /// Nobody knows.
    Unknown(Reason),
}

/// How many questions there were.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryStatistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Questions that values of before answered.
    pub by_model: u64,
    /// Questions without an answer.
    pub unknown: u64,
    /// How long the solver took.
    pub time: Duration,
}

/// So many places are told apart.
const MAX_CASES: usize = 1 << 10;

impl Symbolic {
    /// Whether a condition can hold on the current path.
    pub fn feasible(&mut self, condition: Term) -> Outcome<Feasible> {
        if let Some(model) = self.path.model()
            && self.terms.holds(condition, model) == Ok(true)
        {
            self.statistics.by_model += 1;
            return Ok(Feasible::Yes(Rc::clone(model)));
        }
        let mut assertions = self.path.conditions();
        assertions.push(condition);
        self.ask(&assertions)
    }

    /// Whether all of these can hold.
    pub(crate) fn ask(&mut self, assertions: &[Term]) -> Outcome<Feasible> {
        let start = Instant::now();
        let answer = self.chain.check(&mut self.terms, assertions, &self.limits);
        self.statistics.queries += 1;
        self.statistics.time += start.elapsed();
        Ok(match answer? {
            Answer::Sat(model) => match model.evidence {
                Evidence::Evaluated => Feasible::Yes(Rc::new(model.values)),
                Evidence::Claimed => {
                    self.statistics.unknown += 1;
                    Feasible::Unknown(Reason::Incomplete("a model that was not confirmed".into()))
                }
            },
            Answer::Unsat(_) => Feasible::No,
            Answer::Unknown(reason) => {
                self.statistics.unknown += 1;
                Feasible::Unknown(reason)
            }
        })
    }

    /// Values for which an execution takes the current path: those at hand, or the solver's.
    pub fn path_model(&mut self) -> Option<Rc<Assignment>> {
        if let Some(model) = self.path.model() {
            return Some(Rc::clone(model));
        }
        match self.ask(&self.path.conditions()) {
            Ok(Feasible::Yes(model)) => Some(model),
            _ => None,
        }
    }

    /// What the solver has done.
    pub fn query_statistics(&self) -> QueryStatistics {
        self.statistics
    }

    /// What the links of the solver have done.
    pub fn link_statistics(&self) -> Vec<LinkStatistics> {
        self.chain.statistics()
    }

    /// The number that a term was on the way that is gone again.
    fn guided_number(&mut self, term: Term) -> Option<Integer> {
        let guide = self.guide.as_mut()?;
        let decision = guide
            .pop_front_if(|next| matches!(next, Decision::Number(_) | Decision::OnlyNumber(_)));
        let decision = decision?;
        let (Decision::Number(number) | Decision::OnlyNumber(number)) = &decision else {
            return None;
        };
        let number = number.clone();
        if matches!(decision, Decision::Number(_)) {
            let constant = self.terms.int(number.clone());
            let condition = self.terms.eq(term, constant);
            self.assume(condition, None);
        }
        self.decided.push(decision);
        self.path.learn(term, number.clone());
        Some(number)
    }

    /// Which of some conditions held on the way that is gone again.
    fn guided_choice(&mut self, conditions: &[Term]) -> Option<usize> {
        let known = |term: &Term| self.terms.as_bool(*term).or_else(|| self.path.truth(*term));
        if conditions.iter().any(|condition| known(condition) == Some(true)) {
            return None;
        }
        let guide = self.guide.as_mut()?;
        let decision =
            guide.pop_front_if(|next| matches!(next, Decision::Case(_) | Decision::OnlyCase(_)))?;
        let (Decision::Case(choice) | Decision::OnlyCase(choice)) = decision else { return None };
        let condition = *conditions.get(choice as usize)?;
        match decision {
            Decision::Case(_) => self.assume(condition, None),
            _ => self.path.note(condition),
        }
        self.decided.push(decision);
        Some(choice as usize)
    }

    /// Which of some conditions holds on this path, or a split into those that can. They exclude each
    /// other, and one of them holds.
    pub(crate) fn which(&mut self, conditions: &[Term]) -> Outcome<usize> {
        if let Some(choice) = self.guided_choice(conditions) {
            return Ok(choice);
        }
        let mut cases = Vec::new();
        let mut last = 0;
        for (number, condition) in conditions.iter().enumerate() {
            let known = self.terms.as_bool(*condition).or_else(|| self.path.truth(*condition));
            match known {
                Some(true) => return Ok(number),
                Some(false) => continue,
                None => {}
            }
            let model = match self.feasible(*condition)? {
                Feasible::No => continue,
                Feasible::Yes(model) => Some(model),
                Feasible::Unknown(_) => None,
            };
            last = number;
            let choice = number as u32;
            cases.push(Case { condition: *condition, known: None, model, choice });
        }
        match &cases[..] {
            [only] => {
                self.path.note(only.condition);
                self.decided.push(Decision::OnlyCase(last as u32));
                Ok(last)
            }
            _ => Err(Box::new(Halt::Split(cases))),
        }
    }

    /// Whether a condition holds on this path, or a split.
    pub(crate) fn one_truth(&mut self, truth: Bool) -> Outcome<bool> {
        match truth {
            Bool::Known(truth) => Ok(truth),
            Bool::Term(term) => {
                let negation = self.terms.not(term);
                Ok(self.which(&[term, negation])? == 0)
            }
        }
    }

    /// The number that an integer is, or a split into the numbers that it can be on this path.
    pub(crate) fn one_number(&mut self, int: &Int) -> Outcome<Integer> {
        self.one_of(int, MAX_CASES)
    }

    /// The same if there are at most so many.
    pub(crate) fn one_of(&mut self, int: &Int, most: usize) -> Outcome<Integer> {
        if let Some(number) = self.settled(int) {
            return Ok(number);
        }
        let term = self.term(int);
        if let Some(number) = self.guided_number(term) {
            return Ok(number);
        }
        let mut cases: Vec<Case> = Vec::new();
        let mut assertions = self.path.conditions();
        let first = self.path.model().cloned();
        let mut model = match first {
            Some(model) => Feasible::Yes(model),
            None => self.ask(&assertions)?,
        };
        loop {
            match model {
                Feasible::No => break,
                Feasible::Unknown(reason) => return Err(Box::new(Halt::Solver(reason))),
                Feasible::Yes(values) => {
                    let Ok(Value::Int(number)) = self.terms.evaluate(term, &values) else {
                        let reason = Reason::Incomplete("a value that cannot be computed".into());
                        return Err(Box::new(Halt::Solver(reason)));
                    };
                    let constant = self.terms.int(number.clone());
                    let condition = self.terms.eq(term, constant);
                    let known = Some((term, number));
                    let choice = cases.len() as u32;
                    cases.push(Case { condition, known, model: Some(values), choice });
                    let other = self.terms.not(condition);
                    assertions.push(other);
                }
            }
            if cases.len() > most {
                let many = format!("a number that can be more than {most} different ones");
                return Err(Box::new(Halt::Unsupported(many)));
            }
            model = self.ask(&assertions)?;
        }
        // In order of the numbers, so that the order of the states does not depend on the solver.
        cases.sort_by(|a, b| a.known.as_ref().map(|k| &k.1).cmp(&b.known.as_ref().map(|k| &k.1)));
        if let [Case { known: Some((term, number)), .. }] = &cases[..] {
            self.path.learn(*term, number.clone());
            self.decided.push(Decision::OnlyNumber(number.clone()));
            return Ok(number.clone());
        }
        Err(Box::new(Halt::Split(cases)))
    }
}
