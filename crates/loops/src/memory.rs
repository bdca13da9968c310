//! Summaries that are known already.
//!
//! A summary depends on the problem and on the effort, and on nothing else; which symbols stand for what makes no difference. So a problem is
//! remembered with symbols of the memory's own, and one that comes to the same problem gets the same summary, with its own symbols. The states of an
//! execution that come to a loop have header symbols of their own each time, and mostly agree in the rest.

use crate::problem::Loop;
use crate::summary::{Summary, Tag};
use crate::{Aim, Effort, Rest};
use loupe_term::{Node, Origin, Sort, Substitution, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

/// So many summaries are remembered.
const MAX_KNOWN: usize = 1_000;

/// A problem with the memory's own symbols, and what was looked for.
type Form = (Loop, Aim, Rest);

/// Summaries by their problems.
#[derive(Debug, Default)]
pub struct Memory {
    known: FxHashMap<Form, Known>,
    /// The memory's own symbols, by their sort and number.
    symbols: FxHashMap<(Sort, usize), Term>,
}

#[derive(Debug)]
struct Known {
    summary: Summary,
    /// How much work it might have been: with more there might be a better one.
    work: u64,
}

/// A problem, and how its symbols are called.
#[derive(Debug)]
pub struct Recognised {
    form: Form,
    there: Substitution,
    back: Substitution,
}

impl Memory {
    /// Puts a problem into the form in which it is remembered.
    pub fn recognise(&mut self, terms: &mut Terms, problem: &Loop, effort: &Effort) -> Recognised {
        let mut names =
            Names { memory: self, there: Substitution::default(), back: Substitution::default() };
        // Variables and what is read are numbered as they stand there; what else occurs, by age.
        let variables = problem.variables.iter().map(|variable| variable.symbol);
        let fresh = problem.paths.iter().flat_map(|path| path.fresh.iter().map(|f| f.symbol));
        let mut first: Vec<SymbolId> = Vec::new();
        for symbol in variables.chain(fresh) {
            first.extend(terms.free_symbols(symbol));
        }
        for symbol in first {
            names.add(terms, symbol);
        }
        let parts = problem.paths.iter().flat_map(|path| path.updates.iter().chain([&path.guard]));
        for part in parts.chain(&problem.facts).chain(&problem.entry) {
            for symbol in terms.free_symbols(*part) {
                names.add(terms, symbol);
            }
        }
        let Names { there, back, .. } = names;
        let mut own = problem.clone();
        let mut put = |term: &mut Term| *term = terms.substitute(*term, &there);
        own.variables.iter_mut().for_each(|variable| put(&mut variable.symbol));
        for path in &mut own.paths {
            put(&mut path.guard);
            path.updates.iter_mut().for_each(&mut put);
            path.fresh.iter_mut().for_each(|fresh| put(&mut fresh.symbol));
        }
        own.facts.iter_mut().chain(&mut own.entry).for_each(&mut put);
        let form = (own, effort.aim, effort.rest);
        Recognised { form, there, back }
    }

    /// The summary of a problem, if it is known and would not become better.
    pub fn recall(
        &self,
        terms: &mut Terms,
        problem: &Recognised,
        effort: &Effort,
    ) -> Option<Summary> {
        let known = self.known.get(&problem.form)?;
        let is_best = matches!(known.summary.tag, Tag::Exact | Tag::Template)
            || known.work >= effort.work / 2;
        is_best.then(|| known.summary.map(&mut |term| terms.substitute(term, &problem.back)))
    }

    /// Remembers the summary of a problem.
    pub fn learn(
        &mut self,
        terms: &mut Terms,
        problem: Recognised,
        summary: &Summary,
        effort: &Effort,
    ) {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        // Its counters stay: whoever uses a summary takes fresh ones.
        let summary = summary.map(&mut |term| terms.substitute(term, &problem.there));
        self.known.insert(problem.form, Known { summary, work: effort.work });
    }
}

/// The numbers of symbols while a problem is looked at.
struct Names<'m> {
    memory: &'m mut Memory,
    there: Substitution,
    back: Substitution,
}

impl Names<'_> {
    fn add(&mut self, terms: &mut Terms, symbol: SymbolId) {
        if self.there.contains_key(&symbol) {
            return;
        }
        let sort = terms.symbol(symbol).sort;
        let known = &mut self.memory.symbols;
        let own = *known
            .entry((sort, self.there.len()))
            .or_insert_with(|| terms.fresh("known", sort, Origin::default()));
        self.there.insert(symbol, own);
        let term = terms.symbol_term(symbol);
        if let Node::Symbol(id) = terms.node(own) {
            self.back.insert(*id, term);
        }
    }
}

#[cfg(test)]
mod tests;
