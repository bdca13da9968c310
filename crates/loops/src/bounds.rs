//! How often a loop runs: expressions over the values at entry, per trace, exit and path, and for the loop (Proteus, section 5.2).
//!
//! The counts of a trace add up to its number of iterations, that is, of steps back to the header. Where they
//! contain counters that the condition of the case only restricts, the largest possible value is taken, literal by
//! literal. Traces are put together by maxima and minima: `max(a, b)` is exact where each is the larger one in its own
//! cases, which the solver proves; if it cannot, the maximum is still a bound.
//!
//! Where no summary helps, something that every iteration makes smaller bounds the loop (`ranking`).
//!
//! A bound speaks of executions that leave the loop. That there are no others is another question
//! ([`Summary::diverging`]).

use crate::problem::{End, Loop};
use crate::show::Words;
use crate::summary::{Case, Repeated, Segment, Summary, Tag};
use loupe_solver::{Answer, Chain, Error, Limits};
use loupe_term::{Term, Terms};
use std::collections::BTreeSet;

mod count;
mod eliminate;
mod growth;
mod ranking;

pub use growth::Growth;

/// Beyond so many different expressions, nobody asks which pairs are maxima or minima.
const MOST_MERGED: usize = 8;
/// Beyond so many, nobody asks which cover which.
const MOST_COVERED: usize = 40;

/// After so many questions without answer, bounds are not put together any further.
const MOST_UNKNOWN: usize = 3;

/// An upper bound for a number of iterations.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Over the values at entry.
    pub term: Term,
    /// As one would write it.
    pub text: String,
    /// How it grows with the values.
    pub growth: Growth,
}

/// How often a loop and its parts run.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// How many iterations there are, whatever happens.
    pub total: Option<Bound>,
    /// The same for each case of the summary, where its condition holds.
    pub traces: Vec<Option<Bound>>,
    /// The same for each exit, where the loop is left by it; none also where nothing leads there.
    pub exits: Vec<Option<Bound>>,
    /// How often each path is taken; for those that leave that is at most once.
    pub paths: Vec<Option<Bound>>,
    /// Why there is none for the loop.
    pub why_not: Option<String>,
}

/// The bounds that a summary gives.
///
/// # Errors
///
/// If a query makes no sense or a bug was found.
pub fn bounds(
    terms: &mut Terms,
    chain: &mut Chain,
    (problem, summary): (&Loop, &Summary),
    words: &Words<'_>,
    limits: &Limits,
) -> Result<Bounds, Error> {
    let mut work = Work { terms, chain, limits, problem, words, unknown: 0 };
    let cases = summary.cases.len();
    let mut result = Bounds { traces: vec![None; cases], ..Bounds::default() };
    // A case of an approximation stands for iterations in any order, which are no trace.
    let has_traces = summary.tag != Tag::Over;
    let mut totals: Vec<Option<Item>> = Vec::with_capacity(cases);
    let mut taken: Vec<Vec<Option<Item>>> = Vec::with_capacity(cases);
    for (number, case) in summary.cases.iter().enumerate() {
        let counts = if has_traces { work.counts(case)? } else { None };
        let total = work.largest(case, counts.as_ref().map(|counts| counts.total))?;
        result.traces[number] = total.as_ref().map(|item| work.bound(item.clone()));
        totals.push(total);
        let mut own = Vec::with_capacity(problem.paths.len());
        for path in 0..problem.paths.len() {
            let count = counts.as_ref().and_then(|counts| counts.paths.get(path).copied());
            own.push(work.largest(case, count)?);
        }
        taken.push(own);
    }
    // What is left out of the cases may run as often as it likes.
    let covers = summary.tag != Tag::Under;
    for exit in 0..problem.exits {
        let own = summary.cases.iter().zip(&totals).filter(|(case, _)| case.exit == exit);
        let own: Option<Vec<Item>> = own.map(|(_, total)| total.clone()).collect();
        let bound = work.together(own.filter(|_| covers))?;
        result.exits.push(bound);
    }
    let unbounded = totals.iter().position(Option::is_none);
    result.why_not = match (covers, unbounded) {
        (false, _) => Some("not all executions are covered".to_owned()),
        (true, Some(_)) if !has_traces => {
            Some("in an approximation, iterations are not counted".to_owned())
        }
        (true, Some(case)) => {
            Some(format!("the number of iterations of case {} is not known", case + 1))
        }
        (true, None) if cases == 0 => Some("the loop is never left".to_owned()),
        (true, None) => None,
    };
    let all: Option<Vec<Item>> = totals.into_iter().collect();
    result.total = work.together(all.filter(|_| covers))?;
    let in_traces = in_traces(summary);
    for (number, path) in problem.paths.iter().enumerate() {
        // Another path, which differs in its inputs alone, may stand for this one in all traces. It is not taken more often than all are.
        let is_stood_for =
            path.end == End::Again && !path.fresh.is_empty() && !in_traces.contains(&number);
        let own: Option<Vec<Item>> =
            taken.iter().map(|counts| counts.get(number).cloned().flatten()).collect();
        result.paths.push(match is_stood_for {
            true => result.total.clone(),
            false => work.together(own.filter(|_| covers))?,
        });
    }
    if result.total.is_none()
        && let Some(ranked) = work.ranked()?
    {
        let ranked = work.bound(ranked);
        // What bounds all iterations bounds those of a path and those before an exit.
        let parts = result.exits.iter_mut().chain(&mut result.paths);
        parts.for_each(|part| {
            part.get_or_insert_with(|| ranked.clone());
        });
        result.total = Some(ranked);
        result.why_not = None;
    }
    Ok(result)
}

/// The paths that cases speak of.
fn in_traces(summary: &Summary) -> BTreeSet<usize> {
    let mut paths = BTreeSet::new();
    let mut open: Vec<&Segment> = summary.cases.iter().flat_map(|case| &case.trace).collect();
    while let Some(segment) = open.pop() {
        match &segment.what {
            Repeated::Path(path) => {
                paths.insert(*path);
            }
            Repeated::Round(parts) => open.extend(parts),
            Repeated::OneOf(several) => paths.extend(several),
        }
    }
    paths
}

/// A bound in some cases.
#[derive(Clone, Debug)]
struct Item {
    term: Term,
    kind: Kind,
    /// What it is the maximum or minimum of, as text.
    parts: Vec<String>,
    /// In which cases: their conditions.
    domain: Vec<Term>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Max,
    Min,
}

/// How two bounds become one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merging {
    /// One of them is the same as the other in its own cases.
    Same,
    /// The new one is in the cases of each what that one was.
    Exact,
    /// One of them is large enough for both, and is no constant: many cases have a small number of their own, which `n` covers, and their maximum would not be covered.
    CoveredByTerms,
    /// One of them is large enough for both.
    Covering,
}

impl Item {
    fn text(&self) -> String {
        match self.kind {
            Kind::Plain => self.parts.concat(),
            Kind::Max => format!("max({})", self.parts.join(", ")),
            Kind::Min => format!("min({})", self.parts.join(", ")),
        }
    }

    /// As parts of a maximum or minimum.
    fn as_parts(&self, kind: Kind) -> Vec<String> {
        if self.kind == kind { self.parts.clone() } else { vec![self.text()] }
    }
}

struct Work<'w> {
    terms: &'w mut Terms,
    chain: &'w mut Chain,
    limits: &'w Limits,
    problem: &'w Loop,
    words: &'w Words<'w>,
    /// How many questions had no answer.
    unknown: usize,
}

impl Work<'_> {
    fn bound(&mut self, item: Item) -> Bound {
        let growth = Growth::of(self.terms, item.term);
        Bound { term: item.term, text: item.text(), growth }
    }

    /// Whether something follows at entry from others, as far as the solver knows.
    fn follows(&mut self, assumptions: &[Term], claim: Term) -> Result<bool, Error> {
        let assumptions = [&self.problem.entry, assumptions].concat();
        self.follows_always(&assumptions, claim)
    }

    /// Whether something follows from others in every iteration, as far as the solver knows.
    fn follows_always(&mut self, assumptions: &[Term], claim: Term) -> Result<bool, Error> {
        let mut query = Vec::with_capacity(self.problem.facts.len() + assumptions.len() + 1);
        for formula in self.problem.facts.iter().chain(assumptions) {
            query.push(self.terms.weaken(*formula));
        }
        let negated = self.terms.not(claim);
        query.push(self.terms.weaken(negated));
        let answer = self.chain.check(self.terms, &query, self.limits)?;
        self.unknown += usize::from(matches!(answer, Answer::Unknown(_)));
        Ok(matches!(answer, Answer::Unsat(_)))
    }

    /// The largest value of a count in a case.
    fn largest(&mut self, case: &Case, count: Option<Term>) -> Result<Option<Item>, Error> {
        let Some(count) = count else { return Ok(None) };
        let Some(term) = self.without_counters(case, count)? else { return Ok(None) };
        let text = self.words.value_at_entry(self.terms, term);
        let condition = self.terms.weaken(case.condition);
        Ok(Some(Item { term, kind: Kind::Plain, parts: vec![text], domain: vec![condition] }))
    }

    /// One bound for all of these cases.
    fn together(&mut self, items: Option<Vec<Item>>) -> Result<Option<Bound>, Error> {
        let Some(items) = items.filter(|items| !items.is_empty()) else { return Ok(None) };
        let mut different: Vec<Item> = Vec::new();
        for item in items {
            match different.iter_mut().find(|other| other.term == item.term) {
                Some(other) => other.domain.extend(item.domain),
                None => different.push(item),
            }
        }
        // Constants first, and 0 before all: `max(0, n - i)`.
        different.sort_by_key(|item| self.terms.as_int(item.term).is_none());
        let patience = self.unknown + MOST_UNKNOWN;
        let ways = [
            (Merging::Same, MOST_COVERED),
            (Merging::Exact, MOST_MERGED),
            (Merging::CoveredByTerms, MOST_COVERED),
            (Merging::Covering, MOST_COVERED),
        ];
        for (how, most) in ways {
            while different.len() <= most
                && self.unknown < patience
                && let Some(merged) = self.merge(&different, how)?
            {
                different = merged;
            }
        }
        different.sort_by_key(|item| self.terms.as_int(item.term).is_none());
        let mut rest = different.into_iter();
        let Some(mut all) = rest.next() else { return Ok(None) };
        for item in rest {
            all = self.extremum(Kind::Max, &all, &item);
        }
        Ok(Some(self.bound(all)))
    }

    /// Puts the first pair together for which that is possible.
    fn merge(&mut self, items: &[Item], how: Merging) -> Result<Option<Vec<Item>>, Error> {
        let patience = self.unknown + MOST_UNKNOWN;
        for (i, a) in items.iter().enumerate() {
            for (j, b) in items.iter().enumerate().skip(i + 1) {
                if self.unknown >= patience {
                    return Ok(None);
                }
                let merged = match how {
                    Merging::Exact => self.merged(a, b)?,
                    Merging::Same | Merging::CoveredByTerms | Merging::Covering => {
                        self.covering(a, b, how)?
                    }
                };
                let Some(merged) = merged else { continue };
                let others = items.iter().enumerate().filter(|(at, _)| *at != i && *at != j);
                let mut all: Vec<Item> = others.map(|(_, item)| item.clone()).collect();
                all.insert(i.min(all.len()), merged);
                return Ok(Some(all));
            }
        }
        Ok(None)
    }

    /// One of two, their maximum or their minimum, if it is each of them in its own cases.
    fn merged(&mut self, a: &Item, b: &Item) -> Result<Option<Item>, Error> {
        let (a_first, b_first) = (self.terms.le(a.term, b.term), self.terms.le(b.term, a.term));
        let here = self.terms.or(a.domain.iter().copied());
        let there = self.terms.or(b.domain.iter().copied());
        let small_here = self.follows(&[here], a_first)?;
        let large_here = self.follows(&[here], b_first)?;
        let small_there = self.follows(&[there], b_first)?;
        let large_there = self.follows(&[there], a_first)?;
        let domain = [&a.domain[..], &b.domain].concat();
        Ok(if small_here && large_here {
            Some(Item { domain, ..b.clone() })
        } else if small_there && large_there {
            Some(Item { domain, ..a.clone() })
        } else if large_here && large_there {
            Some(self.extremum(Kind::Max, a, b))
        } else if small_here && small_there {
            Some(self.extremum(Kind::Min, a, b))
        } else {
            None
        })
    }

    /// The one of two that is a bound for both.
    fn covering(&mut self, a: &Item, b: &Item, how: Merging) -> Result<Option<Item>, Error> {
        let domain = [&a.domain[..], &b.domain].concat();
        for (small, large) in [(a, b), (b, a)] {
            let is_constant = self.terms.as_int(large.term).is_some();
            if how != Merging::Covering && is_constant {
                continue;
            }
            let claim = match how {
                Merging::Same => self.terms.eq(small.term, large.term),
                _ => self.terms.le(small.term, large.term),
            };
            let here = self.terms.or(small.domain.iter().copied());
            if self.follows(&[here], claim)? {
                return Ok(Some(Item { domain, ..large.clone() }));
            }
        }
        Ok(None)
    }

    fn extremum(&mut self, kind: Kind, a: &Item, b: &Item) -> Item {
        let term = match kind {
            Kind::Min => {
                let less = self.terms.le(a.term, b.term);
                self.terms.ite(less, a.term, b.term)
            }
            Kind::Plain | Kind::Max => self.terms.max(a.term, b.term),
        };
        let mut parts = a.as_parts(kind);
        parts.extend(b.as_parts(kind));
        Item { term, kind, parts, domain: [&a.domain[..], &b.domain].concat() }
    }
}

#[cfg(test)]
mod tests;
