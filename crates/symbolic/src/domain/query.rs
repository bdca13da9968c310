//! Questions to the solver about the current path.

use super::{Outcome, Symbolic};
use crate::explore::{Decision, Step};
use crate::halt::{Case, Halt};
use crate::value::{Bool, Int};
use loupe_integer::Integer;
use loupe_ir::program::BlockId;
use loupe_solver::{Answer, Evidence, Gradual, Limits, LinkStatistics, Reason};
use loupe_term::{Assignment, Node, Rounding, Term, Value};
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

/// So many numbers are told apart where a program is executed.
pub(crate) const MAX_CASES: usize = 1 << 10;

/// Larger choices are not looked at where nobody needs an answer.
const MAX_CHOICE: usize = 40;

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
        if self.drafts && assertions.iter().any(|part| self.terms.has_quantifier(*part)) {
            return self.ask_plainly(&assertions);
        }
        self.ask(&assertions)
    }

    /// Whether all of these can hold, as far as what is said of single iterations tells: never that they can.
    fn ask_plainly(&mut self, assertions: &[Term]) -> Outcome<Feasible> {
        let mut plain = Vec::with_capacity(assertions.len());
        for part in assertions {
            let parts = match self.terms.node(*part) {
                Node::And(parts) => parts.to_vec(),
                _ => vec![*part],
            };
            plain.extend(parts.into_iter().filter(|part| self.is_easy(*part)));
        }
        Ok(match self.ask(&plain)? {
            Feasible::No => Feasible::No,
            Feasible::Yes(_) => {
                Feasible::Unknown(Reason::Incomplete("all iterations are not looked at yet".into()))
            }
            unknown => unknown,
        })
    }

    /// The same conditions with as few wraps as possible: what a path says keeps most sums in range.
    pub(crate) fn without_wraps(&mut self, conditions: &[Term]) -> Outcome<Vec<Term>> {
        let (terms, chain) = (&mut self.terms, &mut self.chain);
        Ok(loupe_loops::without_wraps(terms, chain, &self.limits, conditions))
    }

    /// Whether a condition says nothing of all iterations, and is no large choice: those cost much, and say little where only a `no` counts.
    pub(crate) fn is_easy(&self, condition: Term) -> bool {
        let is_choice = matches!(self.terms.node(condition), Node::Or(_));
        let is_large = is_choice && self.terms.size(condition) > MAX_CHOICE;
        !self.terms.has_quantifier(condition) && !is_large
    }

    /// Whether a condition is easy and looks at no elements of arrays: it may say in which range a number is.
    pub(crate) fn is_arithmetic(&self, condition: Term) -> bool {
        let looks = |part: Term| matches!(self.terms.node(part), Node::Select(..));
        self.is_easy(condition) && !self.terms.post_order(condition).into_iter().any(looks)
    }

    /// What the first instances of what is said of all iterations tell of these conditions.
    pub fn ask_instances(&mut self, conditions: &[Term], most: u32) -> Outcome<Gradual> {
        let start = Instant::now();
        let answer = self.chain.check_instances(&mut self.terms, conditions, &self.limits, most);
        self.statistics.queries += 1;
        self.statistics.time += start.elapsed();
        Ok(answer?)
    }

    /// Whether all of these can hold.
    pub fn ask(&mut self, assertions: &[Term]) -> Outcome<Feasible> {
        let start = Instant::now();
        let patience = self.patience.filter(|patience| *patience < self.limits.work);
        let limited = patience.map(|work| Limits { work, ..self.limits.clone() });
        let limits = limited.as_ref().unwrap_or(&self.limits);
        let answer = self.chain.check(&mut self.terms, assertions, limits);
        self.statistics.queries += 1;
        self.statistics.time += start.elapsed();
        Ok(match answer? {
            Answer::Unknown(Reason::Work) if patience.is_some() => {
                return Err(Box::new(Halt::Costly));
            }
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

    /// Whether all of these can hold, as the solver says it: a no comes with those that suffice for it.
    pub(crate) fn answer(&mut self, assertions: &[Term]) -> Outcome<Answer> {
        let start = Instant::now();
        let answer = self.chain.check(&mut self.terms, assertions, &self.limits);
        self.statistics.queries += 1;
        self.statistics.time += start.elapsed();
        Ok(answer?)
    }

    /// What a loop does.
    pub(crate) fn summarise(
        &mut self,
        problem: &loupe_loops::Loop,
        effort: &loupe_loops::Effort,
    ) -> Outcome<loupe_loops::Summary> {
        let start = Instant::now();
        let summary = loupe_loops::summarise(&mut self.terms, &mut self.chain, problem, effort);
        self.statistics.time += start.elapsed();
        Ok(summary?)
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

    /// How much the solver has done.
    pub(crate) fn work(&self) -> u64 {
        self.chain.work()
    }

    /// What solvers have done of that.
    pub(crate) fn solver_work(&self) -> u64 {
        self.chain.solver_work()
    }

    /// The same with what it was to make terms, see [`Chain::spent`](loupe_solver::Chain::spent).
    pub(crate) fn spent(&self) -> u64 {
        self.chain.spent(&self.terms)
    }

    /// What the links of the solver have done.
    pub fn link_statistics(&self) -> Vec<LinkStatistics> {
        self.chain.statistics()
    }

    /// The next decision of the way that is gone again, if it is one of these.
    fn take_guided(&mut self, is_wanted: impl Fn(&Decision) -> bool) -> Option<Decision> {
        let guide = self.guide.as_mut()?;
        let step = guide.pop_front_if(|next| is_wanted(&next.decision))?;
        let decision = step.decision.clone();
        self.decided.push(step);
        Some(decision)
    }

    /// Notes a decision that is made here.
    fn decide(&mut self, decision: Decision) {
        self.decided.push(Step { decision, at: None });
    }

    /// The number that a term was on the way that is gone again. Where there were several, the operation was
    /// begun again then, and so it is now.
    fn guided_number(&mut self, term: Term) -> Outcome<Option<Integer>> {
        let numbers =
            |next: &Decision| matches!(next, Decision::Number(_) | Decision::OnlyNumber(_));
        match self.take_guided(numbers) {
            Some(Decision::Number(number)) => {
                let constant = self.terms.int(number.clone());
                let condition = self.terms.eq(term, constant);
                self.assume(condition, None);
                self.path.learn(term, number);
                Err(Box::new(Halt::Again))
            }
            Some(Decision::OnlyNumber(number)) => {
                self.path.learn(term, number.clone());
                Ok(Some(number))
            }
            _ => Ok(None),
        }
    }

    /// Which of some conditions held on the way that is gone again.
    fn guided_choice(&mut self, conditions: &[Term]) -> Outcome<Option<usize>> {
        let known = |term: &Term| self.terms.as_bool(*term).or_else(|| self.path.truth(*term));
        if conditions.iter().any(|condition| known(condition) == Some(true)) {
            return Ok(None);
        }
        let cases = |next: &Decision| matches!(next, Decision::Case(_) | Decision::OnlyCase(_));
        let lost = || crate::halt::internal("a path cannot be followed again");
        match self.take_guided(cases) {
            Some(Decision::Case(choice)) => {
                let condition = *conditions.get(choice as usize).ok_or_else(lost)?;
                self.assume(condition, None);
                Err(Box::new(Halt::Again))
            }
            Some(Decision::OnlyCase(choice)) => {
                self.path.note(*conditions.get(choice as usize).ok_or_else(lost)?);
                Ok(Some(choice as usize))
            }
            _ => Ok(None),
        }
    }

    /// Whether a condition is known to be impossible on this path. What depends on the answer must be the same
    /// when the path is followed again.
    pub(crate) fn refuted(&mut self, condition: Term) -> Outcome<bool> {
        let answers = |next: &Decision| matches!(next, Decision::Refuted(_));
        if let Some(Decision::Refuted(refuted)) = self.take_guided(answers) {
            return Ok(refuted);
        }
        let refuted = matches!(self.feasible(condition)?, Feasible::No);
        self.decide(Decision::Refuted(refuted));
        Ok(refuted)
    }

    /// The remainder that a term has on this path when it is divided by a number, if it is known to have only
    /// one.
    pub(crate) fn only_residue(
        &mut self,
        term: Term,
        divisor: &Integer,
    ) -> Outcome<Option<Integer>> {
        let residues = |next: &Decision| matches!(next, Decision::Residue(_));
        if let Some(Decision::Residue(residue)) = self.take_guided(residues) {
            return Ok(residue);
        }
        let residue = self.find_residue(term, divisor)?;
        self.decide(Decision::Residue(residue.clone()));
        Ok(residue)
    }

    fn find_residue(&mut self, term: Term, divisor: &Integer) -> Outcome<Option<Integer>> {
        let Some(model) = self.path.model().cloned() else { return Ok(None) };
        let Ok(Value::Int(sample)) = self.terms.evaluate(term, &model) else { return Ok(None) };
        let residue = sample.rem_euclidean(divisor).unwrap_or(Integer::ZERO);
        let (by, expected) = (self.terms.int(divisor.clone()), self.terms.int(residue.clone()));
        let rest = self.terms.remainder(Rounding::Euclidean, term, by);
        let others = self.terms.ne(rest, expected);
        Ok(matches!(self.feasible(others)?, Feasible::No).then_some(residue))
    }

    /// Which of some conditions holds on this path, or a split into those that can. They exclude each
    /// other, and one of them holds.
    pub(crate) fn which(&mut self, conditions: &[Term]) -> Outcome<usize> {
        if let Some(choice) = self.guided_choice(conditions)? {
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
                self.decide(Decision::OnlyCase(last as u32));
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
        self.one_of(int, self.most_cases)
    }

    /// The same if there are at most so many.
    pub(crate) fn one_of(&mut self, int: &Int, most: usize) -> Outcome<Integer> {
        if let Some(number) = self.settled(int) {
            return Ok(number);
        }
        let term = self.term(int);
        if let Some(number) = self.guided_number(term)? {
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
            let number = number.clone();
            self.decide(Decision::OnlyNumber(number.clone()));
            return Ok(number);
        }
        Err(Box::new(Halt::Split(cases)))
    }

    /// What each way of a branch by a number holds. They exclude each other, and one of them holds.
    pub(crate) fn sides(
        &mut self,
        value: &Int,
        cases: &[(Integer, BlockId)],
        default: BlockId,
    ) -> Vec<(Term, BlockId)> {
        let value = self.term(value);
        let mut sides: Vec<(Term, BlockId)> = Vec::new();
        let mut others = Vec::with_capacity(cases.len());
        for (case, block) in cases {
            let case = self.terms.int(case.clone());
            let equal = self.terms.eq(value, case);
            others.push(self.terms.not(equal));
            // Cases with the same way are one.
            match sides.iter_mut().find(|(_, known)| known == block) {
                Some((condition, _)) => *condition = self.terms.or([*condition, equal]),
                None => sides.push((equal, *block)),
            }
        }
        let rest = self.terms.and(others);
        match sides.iter_mut().find(|(_, known)| *known == default) {
            Some((condition, _)) => *condition = self.terms.or([*condition, rest]),
            None => sides.push((rest, default)),
        }
        sides
    }
}
