//! Bounds without a summary: things that are not negative when iterations make them smaller, and that no iteration makes larger.
//!
//! Let no path of the loop make `E` larger, and let those of a group `S` make it smaller by at least `c ≥ 1` and be taken only where
//! `E ≥ 0`. Then paths of `S` are taken at most `max(0, ⌊E/c⌋ + 1)` times, with the value at entry: the first time `E` is at most that, each time it falls by `c`, and in between it
//! does not grow. Where groups cover all paths, the sum of their limits bounds the loop, for all inputs, and the loop ends. Candidates are the conditions of
//! the guards. What is compared by `≠` falls modulo a power of 2: `i != n` with `i := i + 1` in 32 bits goes on for `(n - i) mod 2³²` iterations.
//!
//! A path after which no path can follow is taken once at most, as the last one; it needs no measure and counts for one iteration.
//!
//! All claims are proved by the solver.

use super::{Item, Kind, Work};
use loupe_integer::{Integer, Signedness};
use loupe_solver::Error;
use loupe_term::{Node, Rounding, Substitution, SymbolId, Term, Width};
use std::collections::BTreeSet;

/// So many conditions are tried.
const MOST_CANDIDATES: usize = 24;
/// With more paths than that, nobody asks which of them are last.
const MOST_FOLLOWED: usize = 12;

/// One iteration path.
struct Step {
    guard: Term,
    /// The values afterwards for those before.
    after: Substitution,
}

/// What falls, and on which paths by how much at least.
struct Measure {
    term: Term,
    falls: Vec<Option<Integer>>,
}

impl Work<'_> {
    /// A bound for the number of iterations.
    pub(super) fn ranked(&mut self) -> Result<Option<Item>, Error> {
        if self.problem.is_partial.is_some() {
            return Ok(None);
        }
        let mut steps = self.steps();
        let last = self.drop_last(&mut steps)?;
        let extra = self.terms.int(i64::from(last));
        if steps.is_empty() {
            return Ok(Some(self.plain(extra)));
        }
        let mut measures: Vec<Measure> = Vec::new();
        for term in self.candidates(&steps) {
            let Some(falls) = self.falls(&steps, term)? else { continue };
            let is_whole = falls.iter().all(Option::is_some);
            if is_whole {
                measures = vec![Measure { term, falls }];
                break;
            }
            if falls.iter().any(Option::is_some) {
                measures.push(Measure { term, falls });
            }
        }
        // The one with most of the paths that are left comes first.
        let mut left: BTreeSet<usize> = (0..steps.len()).collect();
        let mut parts: Vec<Item> = Vec::new();
        while !left.is_empty() {
            let own = |measure: &Measure| {
                left.iter().filter(|step| measure.falls[**step].is_some()).count()
            };
            let Some(best) = measures.iter().rev().max_by_key(|measure| own(measure)) else {
                return Ok(None);
            };
            let falls = left.iter().filter_map(|step| best.falls[*step].clone());
            let Some(least) = falls.min() else { return Ok(None) };
            let term = best.term;
            left.retain(|step| best.falls[*step].is_none());
            parts.push(self.limit_of(term, &least));
        }
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else { return Ok(None) };
        for part in parts {
            all = self.added(&all, &part);
        }
        if last {
            let one = self.plain(extra);
            all = self.added(&all, &one);
        }
        Ok(Some(all))
    }

    fn added(&mut self, a: &Item, b: &Item) -> Item {
        let term = self.terms.add(a.term, b.term);
        let text = format!("{} + {}", a.text(), b.text());
        Item { term, kind: Kind::Plain, parts: vec![text], domain: Vec::new() }
    }

    /// Takes paths away after which no path can follow; whether there were any.
    fn drop_last(&mut self, steps: &mut Vec<Step>) -> Result<bool, Error> {
        let before = steps.len();
        if before > MOST_FOLLOWED {
            return Ok(false);
        }
        let guards: Vec<Term> = steps.iter().map(|step| step.guard).collect();
        // Values that are new in an iteration are other ones in the next.
        let mut renamed = Substitution::default();
        for symbol in self.fresh() {
            let term = self.terms.symbol_term(symbol);
            let sort = self.terms.sort(term);
            renamed.insert(symbol, self.terms.fresh("next", sort, Default::default()));
        }
        let guards = self.terms.or(guards);
        let again = self.terms.weaken(guards);
        let again = self.terms.substitute(again, &renamed);
        let mut kept = Vec::new();
        for step in steps.drain(..) {
            let after = self.terms.substitute(again, &step.after);
            let never = self.terms.not(after);
            if !self.follows_always(&[step.guard], never)? {
                kept.push(step);
            }
        }
        *steps = kept;
        Ok(steps.len() < before)
    }

    /// The symbols that are new in every iteration.
    fn fresh(&self) -> BTreeSet<SymbolId> {
        let fresh = self.problem.paths.iter().flat_map(|path| &path.fresh);
        fresh.flat_map(|fresh| self.terms.free_symbols(fresh.symbol)).collect()
    }

    /// By how much each step makes a measure smaller where it is not negative, at least; none for those that leave it as it is, and none at all if some may make it larger.
    fn falls(
        &mut self,
        steps: &[Step],
        measure: Term,
    ) -> Result<Option<Vec<Option<Integer>>>, Error> {
        let mut falls = Vec::with_capacity(steps.len());
        let zero = self.terms.int(0);
        let above = self.terms.le(zero, measure);
        for step in steps {
            let after = self.terms.substitute(measure, &step.after);
            if after == measure {
                falls.push(None);
                continue;
            }
            let Some(fall) = self.fall(step, measure, after)? else { return Ok(None) };
            let is_falling = !fall.is_zero() && self.follows_always(&[step.guard], above)?;
            falls.push(is_falling.then_some(fall));
        }
        Ok(Some(falls))
    }

    fn fall(&mut self, step: &Step, measure: Term, after: Term) -> Result<Option<Integer>, Error> {
        let fall = self.terms.sub(measure, after);
        match self.terms.as_int(fall) {
            Some(fall) if fall.is_negative() => Ok(None),
            Some(fall) => Ok(Some(fall.clone())),
            None => {
                let guesses = self.guesses(fall);
                self.proved_fall(step, fall, guesses)
            }
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

    /// What the conditions of guards say is not negative; those that are in most of them first.
    fn candidates(&mut self, steps: &[Step]) -> Vec<Term> {
        let changing: BTreeSet<SymbolId> =
            steps.iter().flat_map(|step| step.after.keys().copied()).collect();
        let fresh = self.fresh();
        let mut found: Vec<(Term, usize)> = Vec::new();
        for step in steps {
            for measure in self.not_negative(step.guard) {
                let symbols = self.terms.free_symbols(measure);
                let is_worth_it = !self.terms.is_starred(measure)
                    && symbols.is_disjoint(&fresh)
                    && !symbols.is_disjoint(&changing);
                match found.iter_mut().find(|(known, _)| *known == measure) {
                    Some((_, times)) => *times += 1,
                    None if is_worth_it => found.push((measure, 1)),
                    None => {}
                }
            }
        }
        found.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        found.truncate(MOST_CANDIDATES);
        found.into_iter().map(|(measure, _)| measure).collect()
    }

    /// What the conditions of a guard say is not negative.
    fn not_negative(&mut self, guard: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = vec![guard];
        let one = self.terms.int(1);
        while let Some(part) = open.pop() {
            match self.terms.node(part).clone() {
                // On a path where the others do not hold, one of several does.
                Node::And(parts) | Node::Or(parts) => open.extend(parts.iter().rev()),
                Node::NonPositive(compared) => found.push(self.terms.neg(compared)),
                // Not 0: it is on one side, and goes to 0 from there or all the way round.
                Node::Not(inner) => {
                    if let Node::Zero(compared) = *self.terms.node(inner) {
                        let opposite = self.terms.neg(compared);
                        let above = self.terms.sub(compared, one);
                        let below = self.terms.sub(opposite, one);
                        found.extend([above, below]);
                        for width in self.widths(compared) {
                            for round in [compared, opposite] {
                                let round = self.terms.wrap(width, round);
                                found.push(self.terms.sub(round, one));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The numbers of bits, without a sign, in which what a term is made of wraps around, or could.
    fn widths(&mut self, compared: Term) -> Vec<Width> {
        let own = self.terms.free_symbols(compared);
        let mut widths = Vec::new();
        let paths = self.problem.iterations();
        let updates = paths.flat_map(|(_, path)| self.problem.variables.iter().zip(&path.updates));
        for (variable, update) in updates {
            let Node::Symbol(symbol) = self.terms.node(variable.symbol) else { continue };
            if !own.contains(symbol) {
                continue;
            }
            for part in self.terms.post_order(*update) {
                if let Node::Wrap(width, _) = self.terms.node(part) {
                    let width = Width { bits: width.bits, signedness: Signedness::Unsigned };
                    if !widths.contains(&width) {
                        widths.push(width);
                    }
                }
            }
        }
        widths
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
