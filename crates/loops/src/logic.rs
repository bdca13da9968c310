//! Questions to the solver, as the summarisers ask them.

use loupe_integer::Integer;
use loupe_solver::{Answer, Chain, Deadline, Error, Limits, Model};
use loupe_term::{Context, Node, Quantifier, Substitution, SymbolId, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// A question without answer has used up all that it may cost, and counts as so many others.
const UNKNOWN_COSTS: usize = 100;

/// So many contradictions that need no solver count as one question.
const SHOWN_COST: usize = 8;

/// Contradictions are looked for without a solver among so many assertions.
const MOST_COMPARED: usize = 64;

/// Terms and a solver for them.
pub(crate) struct Logic<'l> {
    pub(crate) terms: &'l mut Terms,
    chain: &'l mut Chain,
    limits: &'l Limits,
    /// How many questions may still be asked.
    pub(crate) questions: usize,
    /// When there is no time for more.
    pub(crate) deadline: Option<Deadline>,
    /// How many contradictions have needed no solver since the last that cost a question.
    shown: usize,
}

impl<'l> Logic<'l> {
    pub(crate) fn new(
        terms: &'l mut Terms,
        chain: &'l mut Chain,
        limits: &'l Limits,
        questions: usize,
    ) -> Self {
        Logic { terms, chain, limits, questions, deadline: None, shown: 0 }
    }

    /// The same with less for each question, and fewer questions.
    pub(crate) fn cheaper<'c>(&'c mut self, limits: &'c Limits, questions: usize) -> Logic<'c> {
        let deadline = self.deadline;
        Logic { terms: self.terms, chain: self.chain, limits, questions, deadline, shown: 0 }
    }

    /// The limits of a question that may be so much work at most.
    pub(crate) fn limits_of(&self, work: u64) -> Limits {
        Limits { work: self.limits.work.min(work), ..self.limits.clone() }
    }

    /// After so much work, nothing more is answered.
    pub(crate) fn stop_after(&mut self, work: u64) {
        self.deadline = Some(Deadline::after(self.chain.spent(self.terms), work));
    }

    /// Whether no more questions are answered.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.questions == 0
            || self.limits.interrupt.is_requested()
            || self
                .deadline
                .is_some_and(|deadline| deadline.has_passed(self.chain.spent(self.terms)))
    }

    fn ask(&mut self, assertions: &[Term]) -> Result<Answer, Error> {
        let unknown = Answer::Unknown(loupe_solver::Reason::Work);
        if assertions.iter().any(|assertion| self.terms.is_starred(*assertion)) {
            return Ok(unknown);
        }
        if self.is_exhausted() {
            return Ok(unknown);
        }
        self.questions -= 1;
        let answer = self.chain.check(self.terms, assertions, self.limits)?;
        if matches!(answer, Answer::Unknown(_)) {
            self.questions = self.questions.saturating_sub(UNKNOWN_COSTS);
        }
        Ok(answer)
    }

    /// Whether these cannot all hold; `false` says nothing. What is said of all iterations is only looked at in the first and the last, which
    /// mostly is enough.
    pub(crate) fn refuted(&mut self, assertions: &[Term]) -> Result<bool, Error> {
        if assertions.iter().any(|part| self.terms.has_quantifier(*part)) {
            let weaker: Vec<Term> =
                assertions.iter().map(|part| self.at_both_ends(*part)).collect();
            return self.refuted(&weaker);
        }
        if let Some(others) = self.with_arrays_put_in(assertions) {
            return self.refuted(&others);
        }
        if assertions.iter().any(|part| self.terms.as_bool(*part) == Some(false)) {
            return Ok(true);
        }
        if assertions.iter().all(|part| self.terms.as_bool(*part) == Some(true)) {
            return Ok(false);
        }
        // Long lists without questions left are what an attempt ends with: nothing more is done for them.
        if self.questions == 0 || assertions.len() > MOST_COMPARED || !self.clash(assertions) {
            return Ok(matches!(self.ask(assertions)?, Answer::Unsat(_)));
        }
        self.shown += 1;
        if self.shown == SHOWN_COST {
            self.shown = 0;
            self.questions = self.questions.saturating_sub(1);
        }
        Ok(true)
    }

    /// The assertions with what arrays are in place of their symbols, where an assertion says what one is. That is equally satisfiable, and says
    /// of single elements what would otherwise be said of whole arrays.
    fn with_arrays_put_in(&mut self, assertions: &[Term]) -> Option<Vec<Term>> {
        let mut known = Substitution::default();
        let mut others = Vec::with_capacity(assertions.len());
        for assertion in assertions {
            let definition = match *self.terms.node(*assertion) {
                Node::SameArray(a, b) => {
                    let sides = [(a, b), (b, a)].into_iter();
                    let mut sides = sides.filter_map(|(a, b)| Some((self.symbol_of(a)?, b)));
                    sides.find(|(symbol, value)| {
                        !known.contains_key(symbol)
                            && !self.terms.free_symbols(*value).contains(symbol)
                    })
                }
                _ => None,
            };
            match definition {
                Some((symbol, value)) => {
                    let value = self.put(value, &known);
                    // What was put in before may say what this one is.
                    if self.terms.free_symbols(value).contains(&symbol) {
                        others.push(*assertion);
                        continue;
                    }
                    let own = Substitution::from_iter([(symbol, value)]);
                    let before: Vec<(SymbolId, Term)> =
                        known.iter().map(|(symbol, term)| (*symbol, *term)).collect();
                    for (earlier, term) in before {
                        let term = self.put(term, &own);
                        known.insert(earlier, term);
                    }
                    known.insert(symbol, value);
                }
                None => others.push(*assertion),
            }
        }
        (!known.is_empty()).then(|| self.put_all(&others, &known))
    }

    /// A formula without quantifiers that follows from another one.
    fn at_both_ends(&mut self, formula: Term) -> Term {
        let parts = self.conjuncts(formula);
        let mut weaker = Vec::new();
        for part in parts {
            match *self.terms.node(part) {
                Node::Quantified(Quantifier::Forall, binder, [low, high, body]) => {
                    let one = self.terms.int(1);
                    let last = self.terms.sub(high, one);
                    let empty = self.terms.le(high, low);
                    for at in [low, last] {
                        let instance = self.terms.instantiate(binder, body, at);
                        if !self.terms.has_quantifier(instance) {
                            weaker.push(self.terms.or([empty, instance]));
                        }
                    }
                }
                _ if self.terms.has_quantifier(part) => {}
                _ => weaker.push(part),
            }
        }
        self.terms.and(weaker)
    }

    /// Whether what is said of one value alone, such as the state of a machine, is a contradiction. It needs no solver, and nothing is propagated.
    fn clash(&self, assertions: &[Term]) -> bool {
        let mut ranges: BTreeMap<Term, (Option<Integer>, Option<Integer>)> = BTreeMap::new();
        for assertion in assertions {
            let (Node::NonPositive(value) | Node::Zero(value)) = *self.terms.node(*assertion)
            else {
                continue;
            };
            let polynomial = self.terms.polynomial(value);
            let [(symbol, factor)] = &polynomial.summands[..] else { continue };
            let is_positive = match factor.to_i64() {
                Some(1) => true,
                Some(-1) => false,
                _ => continue,
            };
            let bound = match is_positive {
                true => polynomial.constant.neg(),
                false => polynomial.constant.clone(),
            };
            let is_exact = matches!(self.terms.node(*assertion), Node::Zero(_));
            let (low, high) = ranges.entry(*symbol).or_default();
            if (is_exact || !is_positive) && low.as_ref().is_none_or(|low| *low < bound) {
                *low = Some(bound.clone());
            }
            if (is_exact || is_positive) && high.as_ref().is_none_or(|high| bound < *high) {
                *high = Some(bound);
            }
            if matches!((&low, &high), (Some(low), Some(high)) if high < low) {
                return true;
            }
        }
        false
    }

    /// Whether these can all hold, if that is known.
    pub(crate) fn possible(&mut self, assertions: &[Term]) -> Result<Option<bool>, Error> {
        Ok(match self.ask(assertions)? {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        })
    }

    /// Values for which these hold, if some are found.
    pub(crate) fn model(&mut self, assertions: &[Term]) -> Result<Option<Model>, Error> {
        Ok(match self.ask(assertions)? {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        })
    }

    /// Whether the claim follows from the assumptions; `false` says nothing.
    pub(crate) fn proves(&mut self, assumptions: &[Term], claim: Term) -> Result<bool, Error> {
        if let Some(truth) = self.terms.as_bool(claim) {
            return Ok(truth || self.refuted(assumptions)?);
        }
        let says = |known: &Term| {
            *known == claim
                || matches!(self.terms.node(*known), Node::And(parts) if parts.contains(&claim))
        };
        if assumptions.iter().any(says) {
            return Ok(true);
        }
        let opposite = self.terms.not(claim);
        let all: Vec<Term> = assumptions.iter().copied().chain([opposite]).collect();
        self.refuted(&all)
    }

    /// The terms, and somebody who proves formulas about them.
    pub(crate) fn prover<'p>(
        &'p mut self,
        failed: &'p mut Option<Error>,
    ) -> (&'p mut Terms, impl FnMut(&mut Terms, Term) -> bool + 'p) {
        let is_late = self.is_exhausted();
        let Logic { terms, chain, limits, questions, .. } = self;
        let prove = move |terms: &mut Terms, claim: Term| {
            if *questions == 0 || is_late || terms.is_starred(claim) {
                return false;
            }
            *questions -= 1;
            let opposite = terms.not(claim);
            match chain.check(terms, &[opposite], limits) {
                Ok(Answer::Unsat(_)) => true,
                Ok(Answer::Sat(_)) => false,
                Ok(Answer::Unknown(_)) => {
                    *questions = questions.saturating_sub(UNKNOWN_COSTS);
                    false
                }
                Err(error) => {
                    *failed = Some(error);
                    false
                }
            }
        };
        (terms, prove)
    }

    /// Leaves out what follows from the rest.
    pub(crate) fn without_redundant(
        &mut self,
        facts: &[Term],
        mut conditions: Vec<Term>,
    ) -> Result<Vec<Term>, Error> {
        let mut seen = BTreeSet::new();
        conditions.retain(|part| self.terms.as_bool(*part) != Some(true) && seen.insert(*part));
        let mut at = conditions.len();
        while at > 0 {
            at -= 1;
            let claim = conditions[at];
            let others = conditions.iter().enumerate().filter(|(i, _)| *i != at);
            let rest: Vec<Term> = facts.iter().copied().chain(others.map(|(_, c)| *c)).collect();
            if self.proves(&rest, claim)? {
                conditions.remove(at);
            }
        }
        Ok(conditions)
    }

    /// Terms simplified by what is known.
    pub(crate) fn simplify(&mut self, known: &[Term], terms: &[Term]) -> Vec<Term> {
        let mut context = Context::new();
        for formula in known {
            // What is not assumed simplifies nothing.
            if self.limits.interrupt.is_requested() {
                return terms.to_vec();
            }
            context.assume(self.terms, *formula);
        }
        terms.iter().map(|term| context.simplify(self.terms, *term)).collect()
    }

    /// The conjuncts of a formula.
    pub(crate) fn conjuncts(&self, formula: Term) -> Vec<Term> {
        match self.terms.node(formula) {
            Node::And(parts) => parts.to_vec(),
            Node::Bool(true) => Vec::new(),
            _ => vec![formula],
        }
    }

    pub(crate) fn symbol_of(&self, term: Term) -> Option<SymbolId> {
        match self.terms.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    pub(crate) fn put(&mut self, term: Term, store: &Substitution) -> Term {
        if store.is_empty() { term } else { self.terms.substitute(term, store) }
    }

    pub(crate) fn put_all(&mut self, terms: &[Term], store: &Substitution) -> Vec<Term> {
        terms.iter().map(|term| self.put(*term, store)).collect()
    }

    /// Whether one of these symbols occurs in the term.
    pub(crate) fn mentions(&self, term: Term, symbols: &BTreeSet<SymbolId>) -> bool {
        !symbols.is_empty() && self.terms.free_symbols(term).iter().any(|s| symbols.contains(s))
    }
}
