//! Path dependency automata (Proteus, section 3): which path can follow which.
//!
//! States are the paths of a loop. An edge from `i` to `j` says that after some iterations of `i`, `j` can be next: the guard of
//! `i` and, in the state behind it, that of `j` can hold together. How many iterations that are is a count on the
//! edge, where it is known.

use crate::problem::{End, FreshKind, Loop};
use crate::show::Words;
use crate::summary::{Repeated, Segment, Summary, Tag};
use loupe_solver::{Answer, Chain, Error, Limits};
use loupe_term::{Node, Sort, Substitution, Term, Terms};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Which path can follow which.
#[derive(Clone, Debug, Default)]
pub struct Pda {
    /// The paths, by number.
    pub states: Vec<PdaState>,
    /// What can come next, in the order of the states.
    pub edges: Vec<PdaEdge>,
    /// The paths that can be the first.
    pub initial: Vec<usize>,
}

/// A path.
#[derive(Clone, Debug)]
pub struct PdaState {
    /// Where it goes, for people.
    pub label: String,
    /// When it is taken.
    pub guard: Term,
    /// The values after it, in the order of the variables.
    pub updates: Vec<Term>,
    /// Whether it leads back to the header.
    pub end: End,
}

/// That a path can follow another.
#[derive(Clone, Debug)]
pub struct PdaEdge {
    /// After this path
    pub from: usize,
    /// comes this one
    pub to: usize,
    /// when the first has been taken so often, if that is known.
    pub count: Option<Term>,
}

/// In which order paths are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interleaving {
    /// One phase after the other.
    Sequential,
    /// In rounds, each like the one before.
    Periodic,
    /// In an order that is not known.
    Irregular,
}

impl Interleaving {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Interleaving::Sequential => "sequential",
            Interleaving::Periodic => "periodic",
            Interleaving::Irregular => "irregular",
        }
    }
}

impl Pda {
    /// The automaton of a loop. A pair of paths that the solver does not refute has an edge.
    ///
    /// # Errors
    ///
    /// If a query makes no sense or a bug was found.
    pub fn new(
        terms: &mut Terms,
        chain: &mut Chain,
        problem: &Loop,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let mut pda = Pda::default();
        for path in &problem.paths {
            pda.states.push(PdaState {
                label: path.label.clone(),
                guard: path.guard,
                updates: path.updates.clone(),
                end: path.end,
            });
        }
        for (number, path) in problem.paths.iter().enumerate() {
            let mut start: Vec<Term> =
                problem.facts.iter().chain(&problem.entry).copied().collect();
            start.push(path.guard);
            if is_possible(terms, chain, &start, limits)? {
                pda.initial.push(number);
            }
        }
        for (from, path) in problem.iterations() {
            let step = step(problem, &path.updates, terms);
            for (to, next) in problem.paths.iter().enumerate() {
                let renamed = rename_fresh(terms, problem, next.guard);
                let behind = terms.substitute(renamed, &step);
                let mut query = problem.facts.clone();
                query.extend([path.guard, behind]);
                for fact in &problem.facts {
                    query.push(terms.substitute(*fact, &step));
                }
                if from != to && is_possible(terms, chain, &query, limits)? {
                    pda.edges.push(PdaEdge { from, to, count: None });
                }
            }
        }
        Ok(pda)
    }

    /// Sets the counts that every trace of a summary agrees on.
    pub fn note_counts(&mut self, summary: &Summary) {
        let mut counts: Vec<(usize, usize, Term)> = Vec::new();
        for case in &summary.cases {
            collect_counts(&case.trace, Some(case.last), &mut counts);
        }
        for edge in &mut self.edges {
            let own = counts.iter().filter(|(from, to, _)| (*from, *to) == (edge.from, edge.to));
            let different: BTreeSet<Term> = own.map(|(.., count)| *count).collect();
            edge.count = match different.into_iter().collect::<Vec<_>>()[..] {
                [only] => Some(only),
                _ => None,
            };
        }
    }

    /// In which order the paths are taken, given the best summary.
    ///
    /// # Errors
    ///
    /// If a query makes no sense or a bug was found.
    pub fn interleaving(
        &self,
        terms: &mut Terms,
        chain: &mut Chain,
        problem: &Loop,
        summary: &Summary,
        limits: &Limits,
    ) -> Result<Interleaving, Error> {
        let components = self.components();
        let mut cyclic = false;
        for (i, first) in problem.iterations() {
            for (j, second) in problem.iterations() {
                if i >= j || components[i] != components[j] {
                    continue;
                }
                cyclic = true;
                // Different inputs in the same state: then the inputs choose which path comes next.
                let other = rename_fresh(terms, problem, second.guard);
                let mut query = problem.facts.clone();
                query.extend([first.guard, other]);
                if is_possible(terms, chain, &query, limits)? {
                    return Ok(Interleaving::Irregular);
                }
            }
        }
        let solved = matches!(summary.tag, Tag::Exact | Tag::Template);
        let round = |segment: &Segment| matches!(segment.what, Repeated::Round(_));
        let any = |segment: &Segment| matches!(segment.what, Repeated::OneOf(_));
        Ok(match (cyclic, solved) {
            (false, _) => Interleaving::Sequential,
            (true, false) => Interleaving::Irregular,
            (true, true) if summary.cases.iter().any(|case| case.trace.iter().any(any)) => {
                Interleaving::Irregular
            }
            (true, true) if summary.cases.iter().any(|case| case.trace.iter().any(round)) => {
                Interleaving::Periodic
            }
            // The cycle of the automaton is no cycle of an execution.
            (true, true) if !summary.diverging.is_empty() => Interleaving::Periodic,
            (true, true) => Interleaving::Sequential,
        })
    }

    /// The strongly connected component of each state: equal numbers, equal components.
    fn components(&self) -> Vec<usize> {
        // States are few: what reaches each other is in one component.
        let reach: Vec<BTreeSet<usize>> =
            (0..self.states.len()).map(|start| self.reachable(start)).collect();
        let component = |state: usize| {
            let mut others = (0..=state).filter(|other| {
                *other == state || reach[state].contains(other) && reach[*other].contains(&state)
            });
            others.next().unwrap_or(state)
        };
        (0..self.states.len()).map(component).collect()
    }

    fn reachable(&self, start: usize) -> BTreeSet<usize> {
        let (mut open, mut seen) = (vec![start], BTreeSet::new());
        while let Some(state) = open.pop() {
            for edge in self.edges.iter().filter(|edge| edge.from == state) {
                if seen.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        seen
    }

    /// The automaton as DOT, named `name`.
    pub fn dot(&self, terms: &mut Terms, words: &Words<'_>, name: &str) -> String {
        let mut out = format!("digraph {} {{\n", quoted(name));
        out += "  node [shape=box, fontname=monospace];\n";
        for (number, state) in self.states.iter().enumerate() {
            let mut lines = vec![format!("p{}: {}", number + 1, state.label)];
            lines.push(words.formula(terms, state.guard));
            lines.extend(words.changes(terms, &state.updates));
            let border = match (state.end, self.initial.contains(&number)) {
                (End::Exit(_), _) => ", peripheries=2",
                (End::Again, true) => ", style=bold",
                (End::Again, false) => "",
            };
            let _ =
                writeln!(out, "  p{} [label={}{border}];", number + 1, quoted(&lines.join("\n")));
        }
        for edge in &self.edges {
            let label = match edge.count {
                Some(count) => format!(" [label={}]", quoted(&words.value(terms, count))),
                None => String::new(),
            };
            let _ = writeln!(out, "  p{} -> p{}{label};", edge.from + 1, edge.to + 1);
        }
        out + "}\n"
    }
}

/// A string of DOT; lines are set to the left.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
    format!("\"{escaped}\"")
}

/// The values after a path for those before it; ★ is any value.
fn step(problem: &Loop, updates: &[Term], terms: &mut Terms) -> Substitution {
    let mut step = Substitution::default();
    for (variable, update) in problem.variables.iter().zip(updates) {
        let value = match terms.is_starred(*update) {
            true => terms.fresh(&variable.name, terms.sort(variable.symbol), Default::default()),
            false => *update,
        };
        if let Node::Symbol(symbol) = terms.node(variable.symbol) {
            step.insert(*symbol, value);
        }
    }
    step
}

/// A guard with other inputs and counters: those of another iteration.
fn rename_fresh(terms: &mut Terms, problem: &Loop, guard: Term) -> Term {
    let mut renaming = Substitution::default();
    for path in &problem.paths {
        for fresh in &path.fresh {
            if let Node::Symbol(symbol) = terms.node(fresh.symbol) {
                let symbol = *symbol;
                let name = match fresh.kind {
                    FreshKind::Input => "input",
                    FreshKind::Counter => "k",
                };
                let sort: Sort = terms.sort(fresh.symbol);
                renaming.insert(symbol, terms.fresh(name, sort, Default::default()));
            }
        }
    }
    terms.substitute(guard, &renaming)
}

/// Whether formulas can hold together, as far as anybody knows.
fn is_possible(
    terms: &mut Terms,
    chain: &mut Chain,
    query: &[Term],
    limits: &Limits,
) -> Result<bool, Error> {
    let query: Vec<Term> = query.iter().map(|formula| terms.weaken(*formula)).collect();
    Ok(!matches!(chain.check(terms, &query, limits)?, Answer::Unsat(_)))
}

/// How often each path of a trace is taken before the next one, as triples.
fn collect_counts(trace: &[Segment], last: Option<usize>, counts: &mut Vec<(usize, usize, Term)>) {
    let mut open = vec![(trace, last)];
    while let Some((trace, last)) = open.pop() {
        for (at, segment) in trace.iter().enumerate() {
            let next = trace.get(at + 1).and_then(first_path).or(last);
            match (&segment.what, next) {
                (Repeated::Path(path), Some(next)) => counts.push((*path, next, segment.count)),
                (Repeated::Path(_), None) | (Repeated::OneOf(_), _) => {}
                // Behind the last part of a round comes its first.
                (Repeated::Round(parts), _) => {
                    open.push((parts, parts.first().and_then(first_path)))
                }
            }
        }
    }
}

fn first_path(segment: &Segment) -> Option<usize> {
    let mut segment = segment;
    loop {
        match &segment.what {
            Repeated::Path(path) => return Some(*path),
            Repeated::Round(parts) => segment = parts.first()?,
            Repeated::OneOf(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests;
