//! From dependencies to solutions: components of variables that depend on each other, in an order in
//! which everything that a component needs is solved before it.

use super::exponential::Exponential;
use super::obligations::{Argument, Form, Lemma, Proof};
use super::sequence::Sequence;
use super::{Obstacle, Prover, Solution, System};
use crate::arena::Terms;
use crate::node::{Node, Sort, SymbolId, Term};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a solved variable.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// Its values.
    pub(super) value: Sequence<Term>,
    /// Its values as exponential polynomials, if they are such.
    pub(super) exact: Option<Sequence<Exponential>>,
    /// Exponential polynomials that are congruent to its values.
    pub(super) shadow: Option<Shadow>,
    pub(super) argument: Argument,
    pub(super) lemmas: Vec<Lemma>,
    /// Claims that nobody proved, also of the variables on which it depends.
    pub(super) open: BTreeSet<Term>,
}

/// Values up to multiples of the modulus, a term that does not change.
#[derive(Clone, Debug)]
pub(super) struct Shadow {
    pub(super) modulus: Term,
    pub(super) sequence: Sequence<Exponential>,
}

/// A system while it is being solved.
pub(super) struct Solver<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) counter: Term,
    pub(super) facts: &'a [Term],
    pub(super) prover: &'a mut dyn Prover,
    pub(super) updates: BTreeMap<SymbolId, Term>,
    pub(super) solved: BTreeMap<SymbolId, Solved>,
    refused: BTreeMap<SymbolId, Obstacle>,
}

impl<'a> Solver<'a> {
    /// Variables that are updated to themselves are no updates here: they do not change.
    pub(super) fn new(
        terms: &'a mut Terms,
        system: &System<'a>,
        mut updates: BTreeMap<SymbolId, Term>,
        prover: &'a mut dyn Prover,
    ) -> Self {
        let (counter, facts) = (system.counter, system.facts);
        let mut solved = BTreeMap::new();
        updates.retain(|symbol, update| {
            let changes = *terms.node(*update) != Node::Symbol(*symbol);
            if !changes {
                solved.insert(*symbol, unchanged(terms, *update));
            }
            changes
        });
        Solver { terms, counter, facts, prover, updates, solved, refused: BTreeMap::new() }
    }

    /// The symbols in a term that change.
    pub(super) fn changing(&self, term: Term) -> Vec<SymbolId> {
        let mut symbols: Vec<SymbolId> = self.terms.free_symbols(term).into_iter().collect();
        symbols.retain(|symbol| self.updates.contains_key(symbol));
        symbols
    }

    pub(super) fn solve_all(&mut self) {
        let mut graph: DiGraph<SymbolId, ()> = DiGraph::new();
        let mut nodes = BTreeMap::new();
        for symbol in self.updates.keys() {
            nodes.insert(*symbol, graph.add_node(*symbol));
        }
        for (symbol, update) in &self.updates {
            for needed in self.changing(*update) {
                if let (Some(from), Some(to)) = (nodes.get(symbol), nodes.get(&needed)) {
                    graph.add_edge(*from, *to, ());
                }
            }
        }
        // Components come after all that they have edges to.
        for component in kosaraju_scc(&graph) {
            let members = component.iter().filter_map(|node| graph.node_weight(*node).copied());
            let members: BTreeSet<SymbolId> = members.collect();
            if let Err(obstacle) = self.component(&members) {
                for member in members {
                    if !self.solved.contains_key(&member) {
                        self.refused.insert(member, obstacle);
                    }
                }
            }
        }
    }

    /// Solves the variables of a component, or gives the reason that says most.
    fn component(&mut self, members: &BTreeSet<SymbolId>) -> Result<(), Obstacle> {
        let mut acyclic = members.len() == 1;
        let mut integers = true;
        for member in members {
            let update = self.update(*member)?;
            let needed = self.changing(update);
            if let Some(missing) = needed.iter().find(|symbol| self.refused.contains_key(symbol)) {
                return Err(Obstacle::DependsOn(*missing));
            }
            if self.terms.is_starred(update) {
                return Err(Obstacle::Unknown(update));
            }
            match self.terms.sort(update) {
                Sort::Array(_) => return Err(Obstacle::Array),
                Sort::Bool => integers = false,
                Sort::Int => {}
            }
            acyclic &= !needed.contains(member);
        }
        let updates = self.updates_of(members)?;
        let mut reason =
            Obstacle::NoPolynomial(*updates.values().next().ok_or(Obstacle::TooLarge)?);
        if integers {
            let affine = self.affine(&updates);
            let Err(obstacle) = affine else { return Ok(()) };
            reason = match self.congruent(&updates) {
                Some(Ok(())) => return Ok(()),
                Some(Err(more)) => more,
                None => obstacle,
            };
        }
        if acyclic {
            return members.iter().try_for_each(|member| self.last_writer(*member));
        }
        if self.repeats(&updates) || (integers && self.truncated(&updates)) {
            return Ok(());
        }
        Err(reason)
    }

    fn update(&self, symbol: SymbolId) -> Result<Term, Obstacle> {
        self.updates.get(&symbol).copied().ok_or(Obstacle::DependsOn(symbol))
    }

    fn updates_of(
        &self,
        members: &BTreeSet<SymbolId>,
    ) -> Result<BTreeMap<SymbolId, Term>, Obstacle> {
        members.iter().map(|member| Ok((*member, self.update(*member)?))).collect()
    }

    /// The value of a variable that does not depend on itself: its update, one iteration late.
    pub(super) fn last_writer(&mut self, symbol: SymbolId) -> Result<(), Obstacle> {
        let update = self.update(symbol)?;
        let values = self.values_of(update)?;
        let entry = self.terms.intern(Node::Symbol(symbol));
        let value = values.delayed(entry).compact(self.terms, self.counter);
        let open = self.open_claims(&[update]);
        let argument = Argument::LastWriter;
        let solved =
            Solved { value, exact: None, shadow: None, argument, lemmas: Vec::new(), open };
        self.solved.insert(symbol, solved);
        Ok(())
    }

    /// What nobody proved of the solved variables that occur in terms.
    pub(super) fn open_claims(&self, terms: &[Term]) -> BTreeSet<Term> {
        let symbols = terms.iter().flat_map(|term| self.changing(*term));
        let solved = symbols.filter_map(|symbol| self.solved.get(&symbol));
        solved.flat_map(|solved| solved.open.iter().copied()).collect()
    }

    /// The solutions of all variables.
    pub(super) fn finish(self) -> BTreeMap<SymbolId, Solution> {
        let Solver { terms, counter, solved, refused, .. } = self;
        let mut solutions = BTreeMap::new();
        for (symbol, obstacle) in refused {
            solutions.insert(symbol, Solution::Refused(obstacle));
        }
        for (symbol, solved) in solved {
            let form = Form::new(terms, counter, solved.value);
            let proof = Proof { argument: solved.argument, lemmas: solved.lemmas };
            let open = solved.open.into_iter().collect();
            solutions.insert(symbol, Solution::new(form, proof, open));
        }
        solutions
    }
}

fn unchanged(terms: &Terms, entry: Term) -> Solved {
    let exact =
        (terms.sort(entry) == Sort::Int).then(|| Sequence::constant(Exponential::monomial(entry)));
    Solved {
        value: Sequence::constant(entry),
        exact,
        shadow: None,
        argument: Argument::Identity,
        lemmas: Vec::new(),
        open: BTreeSet::new(),
    }
}
