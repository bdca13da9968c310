//! Remembers answers.
//!
//! A query is a set of assertions. Besides the same set, three more are useful: a set that contains a
//! known unsatisfiable core is unsatisfiable; a subset of a known satisfiable set is satisfiable; and a
//! recent model often satisfies the next query of a path too. Models are only ever reused by evaluating
//! them on the query at hand, so a wrong entry could not make a wrong `sat`.

use super::{Inner, Layer};
use crate::answer::{self, Answer, Error, Evaluated, Evidence, Model, Query, Reason};
use loupe_term::{Assignment, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// When what is remembered is as large as so many assertions, the cache starts anew.
const MAX_SIZE: usize = 2_000_000;
/// What a set takes besides its assertions, in assertions.
const SIZE_OF_SET: usize = 8;
/// So many recent models are tried.
const MODELS: usize = 12;
/// So many larger satisfiable sets are looked at.
const LARGER: usize = 8;

/// What is known of a set of assertions.
enum Known {
    Sat(Rc<Assignment>, Evidence),
    /// The core.
    Unsat(Rc<[Term]>),
    /// Not found out with so much work.
    Unknown(u64),
}

/// The layer.
#[derive(Default)]
pub struct Cache {
    sets: FxHashMap<Rc<[Term]>, Known>,
    /// Unsatisfiable cores by their newest assertion.
    cores: FxHashMap<Term, Vec<Rc<[Term]>>>,
    /// Satisfiable sets by each of their assertions.
    containing: FxHashMap<Term, Vec<Rc<[Term]>>>,
    /// The newest first.
    models: VecDeque<Rc<Assignment>>,
    /// How much is remembered.
    size: usize,
}

impl Cache {
    /// Remembers what is known of a set, and forgets everything else if that is too much.
    fn insert(&mut self, set: Rc<[Term]>, known: Known) {
        self.size += set.len() + SIZE_OF_SET;
        if self.size > MAX_SIZE {
            *self = Cache { size: set.len() + SIZE_OF_SET, ..Cache::default() };
        }
        self.sets.insert(set, known);
    }

    fn look_up(&mut self, terms: &Terms, query: &Query<'_>, set: &[Term]) -> Option<Answer> {
        match self.sets.get(set) {
            Some(Known::Sat(values, evidence)) => {
                let (values, evidence) = (Assignment::clone(values), *evidence);
                return Some(Answer::Sat(Model { values, evidence }));
            }
            Some(Known::Unsat(core)) => {
                return Some(Answer::Unsat(positions(query.assertions, core)));
            }
            Some(Known::Unknown(work)) if query.limits.work <= *work => {
                return Some(Answer::Unknown(Reason::Work));
            }
            Some(Known::Unknown(_)) | None => {}
        }
        if let Some(core) = self.contained_core(set) {
            let answer = Answer::Unsat(positions(query.assertions, &core));
            self.insert(set.into(), Known::Unsat(core));
            return Some(answer);
        }
        if let Some(values) = self.larger(terms, query, set) {
            return Some(self.satisfied(set, values));
        }
        let recent = self.models.iter().position(|model| satisfies(terms, query, model))?;
        // Useful ones stay in front.
        let values = self.models.remove(recent)?;
        self.models.push_front(Rc::clone(&values));
        Some(self.satisfied(set, values))
    }

    fn satisfied(&mut self, set: &[Term], values: Rc<Assignment>) -> Answer {
        let answer = Model { values: Assignment::clone(&values), evidence: Evidence::Evaluated };
        self.insert(set.into(), Known::Sat(values, Evidence::Evaluated));
        Answer::Sat(answer)
    }

    fn contained_core(&self, set: &[Term]) -> Option<Rc<[Term]>> {
        let mut cores = set.iter().rev().filter_map(|newest| self.cores.get(newest)).flatten();
        cores.find(|core| is_subset(core, set)).cloned()
    }

    fn larger(&self, terms: &Terms, query: &Query<'_>, set: &[Term]) -> Option<Rc<Assignment>> {
        let lists = set.iter().map(|assertion| self.containing.get(assertion));
        // An assertion in no satisfiable set: then neither is the query.
        let lists = lists.collect::<Option<Vec<_>>>()?;
        let shortest = lists.into_iter().min_by_key(|list| list.len())?;
        let larger = shortest.iter().rev().take(LARGER).filter(|larger| is_subset(set, larger));
        let models = larger.filter_map(|larger| match self.sets.get(larger) {
            Some(Known::Sat(values, Evidence::Evaluated)) => Some(values),
            _ => None,
        });
        models.into_iter().find(|values| satisfies(terms, query, values)).cloned()
    }

    fn remember(&mut self, query: &Query<'_>, set: Rc<[Term]>, answer: &Answer) {
        match answer {
            Answer::Sat(model) => {
                let values = Rc::new(model.values.clone());
                self.insert(Rc::clone(&set), Known::Sat(Rc::clone(&values), model.evidence));
                if model.evidence == Evidence::Evaluated {
                    for assertion in set.iter() {
                        self.containing.entry(*assertion).or_default().push(Rc::clone(&set));
                    }
                    self.models.push_front(values);
                    self.models.truncate(MODELS);
                }
            }
            Answer::Unsat(core) => {
                let core = canonical(core.iter().filter_map(|at| query.assertions.get(*at)));
                self.insert(set, Known::Unsat(Rc::clone(&core)));
                if let Some(newest) = core.last() {
                    self.cores.entry(*newest).or_default().push(core);
                }
            }
            Answer::Unknown(Reason::Work) => {
                self.insert(set, Known::Unknown(query.limits.work));
            }
            // The clock or a stranger stopped it; next time may be different.
            Answer::Unknown(_) => {}
        }
    }
}

/// Assertions as a set: in order, each once.
fn canonical<'t>(assertions: impl Iterator<Item = &'t Term>) -> Rc<[Term]> {
    let mut set: Vec<Term> = assertions.copied().collect();
    set.sort_unstable();
    set.dedup();
    set.into()
}

/// Whether all of `small` are in `large`, both in order.
fn is_subset(small: &[Term], large: &[Term]) -> bool {
    let mut large = large.iter();
    small.len() <= large.len() && small.iter().all(|term| large.any(|other| other == term))
}

/// Where the assertions of a core stand in a query that contains them all.
fn positions(assertions: &[Term], core: &[Term]) -> Vec<usize> {
    let place = |term: &Term| assertions.iter().position(|assertion| assertion == term);
    let mut places: Vec<usize> = core.iter().filter_map(place).collect();
    places.sort_unstable();
    places
}

/// Whether all assertions are true in a model. The newest first: it is the one that may fail.
fn satisfies(terms: &Terms, query: &Query<'_>, values: &Assignment) -> bool {
    let Some((newest, older)) = query.assertions.split_last() else { return true };
    terms.holds(*newest, values) == Ok(true)
        && matches!(answer::evaluate(terms, older, values), Evaluated::True)
}

impl Layer for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn check(
        &mut self,
        inner: &mut Inner<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Answer, Error> {
        let set = canonical(query.assertions.iter());
        if let Some(answer) = self.look_up(terms, query, &set) {
            return Ok(answer);
        }
        let answer = inner.check(terms, query)?;
        self.remember(query, set, &answer);
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
