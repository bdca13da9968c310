//! Bounds without a summary: something that is not negative whenever an iteration begins, and that every iteration makes smaller.
//!
//! If `E ≥ 0` follows from the guard of every iteration path, and every such path makes `E` smaller by at least `c ≥ 1`, there are at
//! most `⌊E/c⌋ + 1` iterations, with the value at entry. This holds for all inputs, and says that the loop ends. Candidates are
//! the conditions of the guards, and the sum of those that no path makes larger. Both claims are proved by the solver.

use super::{Item, Kind, Work};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Rounding, Substitution, SymbolId, Term};
use std::collections::BTreeSet;

/// So many conditions are tried.
const MOST_CANDIDATES: usize = 12;

/// One iteration path.
struct Step {
    guard: Term,
    /// The values afterwards for those before.
    after: Substitution,
}

impl Work<'_> {
    /// A bound for the number of iterations.
    pub(super) fn ranked(&mut self) -> Result<Option<Item>, Error> {
        if self.problem.is_partial.is_some() {
            return Ok(None);
        }
        let steps = self.steps();
        let zero = self.terms.int(0);
        let Some(first) = steps.first() else { return Ok(Some(self.plain(zero))) };
        let mut falling = Vec::new();
        for measure in self.candidates(first.guard) {
            if !self.is_never_negative(&steps, measure)? {
                continue;
            }
            match self.least_fall(&steps, measure)? {
                Some(fall) if !fall.is_zero() => return Ok(Some(self.limit_of(measure, &fall))),
                Some(_) => falling.push(measure),
                None => {}
            }
        }
        let sum = self.terms.sum(falling.iter().copied());
        match self.least_fall(&steps, sum)? {
            Some(fall) if falling.len() > 1 && !fall.is_zero() => {
                Ok(Some(self.limit_of(sum, &fall)))
            }
            _ => Ok(None),
        }
    }

    fn plain(&mut self, term: Term) -> Item {
        let text = self.words.value_at_entry(self.terms, term);
        Item { term, kind: Kind::Plain, parts: vec![text], domain: Vec::new() }
    }

    /// `max(0, ⌊measure/fall⌋ + 1)`: without an iteration, the measure may be negative.
    fn limit_of(&mut self, measure: Term, fall: &Integer) -> Item {
        let step = self.terms.int(fall.clone());
        let more = self.terms.add(measure, step);
        let limit = self.terms.quotient(Rounding::Euclidean, more, step);
        let zero = self.terms.int(0);
        let (zero, limit) = (self.plain(zero), self.plain(limit));
        self.extremum(Kind::Max, &zero, &limit)
    }

    fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for (_, path) in self.problem.iterations() {
            let mut after = Substitution::default();
            for (variable, update) in self.problem.variables.iter().zip(&path.updates) {
                let Node::Symbol(symbol) = *self.terms.node(variable.symbol) else { continue };
                let value = match self.terms.is_starred(*update) {
                    true => {
                        let sort = self.terms.sort(variable.symbol);
                        self.terms.fresh(&variable.name, sort, Default::default())
                    }
                    false => *update,
                };
                after.insert(symbol, value);
            }
            steps.push(Step { guard: path.guard, after });
        }
        steps
    }

    /// What the conditions of a guard say is not negative.
    fn candidates(&mut self, guard: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = vec![guard];
        let one = self.terms.int(1);
        while let Some(part) = open.pop() {
            if found.len() >= MOST_CANDIDATES {
                break;
            }
            match self.terms.node(part).clone() {
                Node::And(parts) => open.extend(parts.iter().rev()),
                Node::NonPositive(compared) => found.push(self.terms.neg(compared)),
                // Not 0: it is on one side.
                Node::Not(inner) => {
                    if let Node::Zero(compared) = *self.terms.node(inner) {
                        let above = self.terms.sub(compared, one);
                        let below = self.terms.add(compared, one);
                        found.extend([above, self.terms.neg(below)]);
                    }
                }
                _ => {}
            }
        }
        // What is new in every iteration does not fall from one to the next, whatever the updates say.
        let fresh = self.problem.paths.iter().flat_map(|path| &path.fresh);
        let fresh: BTreeSet<SymbolId> =
            fresh.flat_map(|fresh| self.terms.free_symbols(fresh.symbol)).collect();
        found.retain(|measure| {
            !self.terms.is_starred(*measure)
                && self.terms.free_symbols(*measure).is_disjoint(&fresh)
        });
        found
    }

    fn is_never_negative(&mut self, steps: &[Step], measure: Term) -> Result<bool, Error> {
        let zero = self.terms.int(0);
        let claim = self.terms.le(zero, measure);
        for step in steps {
            if !self.follows_always(&[step.guard], claim)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// By how much every step makes a measure smaller, at least; none if some step can make it larger.
    fn least_fall(&mut self, steps: &[Step], measure: Term) -> Result<Option<Integer>, Error> {
        let mut least: Option<Integer> = None;
        for step in steps {
            let after = self.terms.substitute(measure, &step.after);
            let fall = self.terms.sub(measure, after);
            let fall = match self.terms.as_int(fall) {
                Some(fall) if fall.is_negative() => return Ok(None),
                Some(fall) => fall.clone(),
                None => {
                    let guesses = self.guesses(fall);
                    let Some(fall) = self.proved_fall(step, fall, guesses)? else {
                        return Ok(None);
                    };
                    fall
                }
            };
            least = Some(least.map_or(fall.clone(), |least| least.min(fall)));
        }
        Ok(least)
    }

    /// Amounts that are worth a question, large ones first: the constant that would be left if nothing wrapped around, 1, and 0.
    fn guesses(&mut self, fall: Term) -> Vec<Integer> {
        let unwrapped = crate::classify::without_wraps(self.terms, fall);
        let constant = self.terms.as_int(unwrapped).cloned();
        let constant = constant.filter(|constant| *constant > Integer::ONE);
        constant.into_iter().chain([Integer::ONE, Integer::ZERO]).collect()
    }

    fn proved_fall(
        &mut self,
        step: &Step,
        fall: Term,
        guesses: Vec<Integer>,
    ) -> Result<Option<Integer>, Error> {
        if self.terms.is_starred(fall) {
            return Ok(None);
        }
        for guess in guesses {
            let least = self.terms.int(guess.clone());
            let claim = self.terms.le(least, fall);
            if self.follows_always(&[step.guard], claim)? {
                return Ok(Some(guess));
            }
        }
        Ok(None)
    }
}
