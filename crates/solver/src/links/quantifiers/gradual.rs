//! The first instances of each `∀`, as models ask for them.
//!
//! The weakening of *Abstracting Path Conditions* (Strejček and Trtík, ISSTA 2012, section 4) puts the first K instances in the place of each
//! `∀τ∈[a,b). φ(τ)`: `⋀ᵢ<ᴷ (a+i ≥ b ∨ φ(a+i))`. With quantifiers inside quantifiers these are K² and more, nearly all of which say nothing, because `b - a` is small in some
//! model. So there are none at first; a model says how long the ranges are, and those `∀` on which it rests get instances up to there. What is asked is always
//! weaker than the query, so *unsatisfiable* is an answer; once a model has all of its instances, evaluation says whether it is one of the query.
//!
//! Short ranges come first: what is asked then is stronger in that respect, so only a model counts. Instances at numbers are simpler than at terms (tables become
//! constants), and elements of arrays of witnesses at numbers are as good as symbols.

use super::number_of;
use crate::answer::{self, Answer, Error, Evaluated, Evidence, Model, Query, Reason};
use crate::limits::Pains;
use loupe_term::{Assignment, Node, Origin, Quantifier, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// No query grows to more instances than this.
const MAX_INSTANCES: usize = 3_000;
/// Quantifiers nested deeper are left as they are.
const MAX_DEPTH: usize = 64;
/// So often a model may ask for more instances.
const MAX_ROUNDS: usize = 40;
/// A range that is not empty gets at least so many instances.
const AT_LEAST: i64 = 8;
/// So many instances are asked for before a model needs them.
const EAGER: usize = 1_000;
/// Queries with more instances are not easy any more.
const EASY: usize = 4;
/// Ranges that are short, and not so short.
const SHORT: [u32; 2] = [3, 10];

/// Who answers what has no quantifiers.
pub(crate) type Ask<'a> = &'a mut dyn FnMut(&mut Terms, &Query<'_>) -> Result<Answer, Error>;

/// What instances tell.
#[derive(Debug)]
pub enum Gradual {
    /// The answer to the query itself.
    Answer(Answer),
    /// Values for which the first instances of each `∀` hold, but perhaps not all of them.
    Candidate(Assignment),
}

/// What is known of a query by the first `most` instances of its quantifiers.
pub(crate) fn decide(
    ask: Ask<'_>,
    terms: &mut Terms,
    query: &Query<'_>,
    most: u32,
) -> Result<Gradual, Error> {
    let start = Instant::now();
    let mut search = Search { most, ..Search::default() };
    let lengths = SHORT.iter().copied().filter(|length| *length < most).chain([most]);
    let mut rounds = MAX_ROUNDS;
    for longest in lengths.map(Some).chain([None]) {
        if let Some(longest) = longest {
            search.provide(terms, query.assertions, longest);
        }
        let tried = loop {
            let limits = query.limits.after(start.elapsed());
            if let Some(reason) = limits.exhausted() {
                return Ok(Gradual::Answer(Answer::Unknown(reason)));
            }
            rounds -= 1;
            match search.round(ask, terms, &Query { limits: &limits, ..*query }, longest)? {
                Round::Longer if rounds == 0 => {
                    return Ok(Gradual::Answer(Answer::Unknown(Reason::Work)));
                }
                Round::Longer => {}
                tried => break tried,
            }
        };
        match tried {
            Round::Known(known) => return Ok(known),
            Round::Longer | Round::None => {}
        }
        if rounds == 0 {
            break;
        }
    }
    Ok(Gradual::Answer(Answer::Unknown(Reason::Work)))
}

/// What a round has led to.
enum Round {
    Known(Gradual),
    /// Some range has more instances.
    Longer,
    /// Nothing with ranges so short.
    None,
}

#[derive(Default)]
struct Search {
    most: u32,
    witnesses: FxHashMap<Term, Term>,
    /// How many instances each `∀` has.
    instances: FxHashMap<Term, u32>,
    /// In the order in which they were met.
    universals: Vec<Term>,
    count: usize,
}

impl Search {
    fn round(
        &mut self,
        ask: Ask<'_>,
        terms: &mut Terms,
        query: &Query<'_>,
        longest: Option<u32>,
    ) -> Result<Round, Error> {
        let mut asked: Vec<Term> =
            query.assertions.iter().map(|part| self.replaced(terms, *part, 0)).collect();
        let longest = longest.map(|length| terms.int(i64::from(length)));
        for universal in self.universals.iter().filter(|_| longest.is_some()) {
            let Node::Quantified(_, _, [low, high, _]) = *terms.node(*universal) else { continue };
            let length = terms.sub(high, low);
            asked.extend(longest.map(|longest| terms.le(length, longest)));
        }
        let mut limits = query.limits.clone();
        if self.count > EASY {
            limits.pains = Pains::Hard;
        }
        let values = match ask(terms, &Query { assertions: &asked, limits: &limits })? {
            Answer::Sat(model) => model.values,
            // Each assertion is weakened by itself, so positions are positions. Behind them are the lengths of ranges: a contradiction without these is one for any lengths.
            Answer::Unsat(core) if core.iter().all(|at| *at < query.assertions.len()) => {
                return Ok(Round::Known(Gradual::Answer(Answer::Unsat(core))));
            }
            Answer::Unsat(_) => return Ok(Round::None),
            Answer::Unknown(reason) => {
                return Ok(Round::Known(Gradual::Answer(Answer::Unknown(reason))));
            }
        };
        let mut any = false;
        for part in query.assertions {
            any |= self.lengthen(terms, *part, &values);
        }
        if any {
            return Ok(Round::Longer);
        }
        Ok(Round::Known(match answer::evaluate(terms, query.assertions, &values) {
            Evaluated::True => {
                Gradual::Answer(Answer::Sat(Model { values, evidence: Evidence::Evaluated }))
            }
            Evaluated::False(_) | Evaluated::Open => Gradual::Candidate(values),
        }))
    }

    /// Gives all `∀` so many instances, if there are not too many of them then.
    fn provide(&mut self, terms: &mut Terms, assertions: &[Term], longest: u32) {
        let mut next = 0;
        let mut more: FxHashMap<Term, u32> = FxHashMap::default();
        let mut count = self.count;
        let before = self.instances.clone();
        loop {
            for part in assertions {
                self.replaced(terms, *part, 0);
            }
            if next == self.universals.len() {
                break;
            }
            for universal in &self.universals[next..] {
                let has = before.get(universal).copied().unwrap_or(0);
                count += longest.saturating_sub(has) as usize;
                more.insert(*universal, longest.max(has));
            }
            if count > EAGER {
                // Which of them matter, models will say.
                self.instances.retain(|universal, _| before.contains_key(universal));
                self.instances.extend(before);
                self.universals.retain(|universal| self.instances.contains_key(universal));
                return;
            }
            next = self.universals.len();
            self.instances.extend(more.drain());
        }
        self.count = count;
    }

    /// A formula with the instances that there are.
    fn replaced(&mut self, terms: &mut Terms, formula: Term, depth: usize) -> Term {
        if depth > MAX_DEPTH || !terms.has_quantifier(formula) {
            return formula;
        }
        match terms.node(formula).clone() {
            Node::And(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    all.push(self.replaced(terms, *part, depth + 1));
                }
                terms.and(all)
            }
            Node::Or(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    all.push(self.replaced(terms, *part, depth + 1));
                }
                terms.or(all)
            }
            Node::Quantified(Quantifier::Exists, ..) => {
                let some = self.witnessed(terms, formula);
                self.replaced(terms, some, depth + 1)
            }
            Node::Quantified(Quantifier::Forall, ..) => {
                let count = *self.instances.entry(formula).or_insert_with(|| {
                    self.universals.push(formula);
                    0
                });
                let mut all = Vec::with_capacity(count as usize);
                for number in 0..count {
                    let Some((outside, holds)) = instance(terms, formula, number) else { continue };
                    let holds = self.replaced(terms, holds, depth + 1);
                    all.push(terms.or([outside, holds]));
                }
                terms.and(all)
            }
            _ => formula,
        }
    }

    /// `∃` with a symbol for what exists.
    fn witnessed(&mut self, terms: &mut Terms, formula: Term) -> Term {
        let Node::Quantified(_, binder, [low, high, body]) = *terms.node(formula) else {
            return formula;
        };
        let witness = *self.witnesses.entry(formula).or_insert_with(|| {
            let origin = Origin { description: "some value in a range".into(), counted: None };
            terms.fresh("some", Sort::Int, origin)
        });
        let (above, below) = (terms.le(low, witness), terms.lt(witness, high));
        let body = terms.instantiate(binder, body, witness);
        terms.and([above, below, body])
    }

    /// Gives instances to those `∀` on which it rests that a formula holds for some values; whether any has more of them now.
    fn lengthen(&mut self, terms: &mut Terms, formula: Term, values: &Assignment) -> bool {
        let mut any = false;
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            if !terms.has_quantifier(formula) {
                continue;
            }
            match terms.node(formula).clone() {
                Node::And(parts) => open.extend(parts),
                Node::Or(parts) => {
                    // One that holds as far as its instances say is enough.
                    for part in parts {
                        let now = self.replaced(terms, part, 0);
                        if terms.holds(now, values) == Ok(true) {
                            open.push(part);
                            break;
                        }
                    }
                }
                Node::Quantified(Quantifier::Exists, ..) => {
                    open.push(self.witnessed(terms, formula));
                }
                Node::Quantified(Quantifier::Forall, _, [low, high, _]) => {
                    let (Some(first), Some(end)) =
                        (number_of(terms, low, values), number_of(terms, high, values))
                    else {
                        continue;
                    };
                    let length = end.sub(&first).to_i64().unwrap_or(i64::MAX);
                    let wanted = match length {
                        ..=0 => 0,
                        // Soon it will be a longer one.
                        length => length.max(AT_LEAST).min(i64::from(self.most)) as u32,
                    };
                    let count = self.instances.entry(formula).or_insert(0);
                    if *count < wanted && self.count + (wanted as usize) < MAX_INSTANCES {
                        self.count += (wanted - *count) as usize;
                        *count = wanted;
                        any = true;
                    }
                    let count = (*count).min(wanted);
                    for number in 0..count {
                        open.extend(instance(terms, formula, number).map(|(_, holds)| holds));
                    }
                }
                _ => {}
            }
        }
        any
    }
}

/// An instance of a `∀`: that there is none, and what it says.
fn instance(terms: &mut Terms, formula: Term, number: u32) -> Option<(Term, Term)> {
    let Node::Quantified(_, binder, [low, high, body]) = *terms.node(formula) else { return None };
    let offset = terms.int(i64::from(number));
    let value = terms.add(low, offset);
    Some((terms.le(high, value), terms.instantiate(binder, body, value)))
}
