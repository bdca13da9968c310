//! Links as Horn clauses: a relation for each node, between the values that it leaves open and the symbols of before that it still speaks of.

use super::nodes::symbols_of;
use super::rewrite::{Words, Wraps, is_sort};
use super::walk::{Graph, Target};
use crate::domain::Symbolic;
use loupe_solver::{Atom, Clause, HornSystem, RelationId};
use loupe_term::{Misuse, Node, SymbolId, Term, Terms};
use std::collections::BTreeSet;

/// A link whose ends are all spelled out.
struct Edge {
    from: Option<usize>,
    /// Without the facts of the node it comes from.
    conditions: Vec<Term>,
    to: Option<usize>,
    values: Vec<Term>,
}

/// What is to be solved.
pub(super) struct Clauses {
    /// For each node the symbols that its relation is about.
    pub(super) parameters: Vec<Vec<Term>>,
    facts: Vec<Vec<Term>>,
    edges: Vec<Edge>,
}

impl Clauses {
    /// The clauses of a graph, about what matters for reaching what must not be reached.
    pub(super) fn new(domain: &mut Symbolic, graph: &Graph) -> Self {
        let mut parameters: Vec<Vec<Term>> = Vec::new();
        for node in &graph.nodes {
            let mut all: Vec<Term> = node.arguments.iter().map(|a| a.symbol).collect();
            for symbol in symbols_of(domain, &node.state) {
                if !all.contains(&symbol) {
                    all.push(symbol);
                }
            }
            parameters.push(all);
        }
        let edges = graph.links.iter().map(|link| {
            let facts = link.from.map_or(0, |from| graph.nodes[from].facts.len());
            let (to, values) = match &link.to {
                Target::Bad(_) => (None, Vec::new()),
                Target::Node(to, values) => {
                    // A symbol of before is what it is.
                    let rest = parameters[*to].iter().skip(values.len());
                    (Some(*to), values.iter().chain(rest).copied().collect())
                }
            };
            Edge { from: link.from, conditions: link.conditions[facts..].to_vec(), to, values }
        });
        let edges = edges.collect();
        let facts = graph.nodes.iter().map(|node| node.facts.clone()).collect();
        let mut clauses = Clauses { parameters, facts, edges };
        clauses.slice(&domain.terms);
        clauses
    }

    /// Leaves out what does not matter. A relation between fewer values holds of more executions, so this can only lose proofs, and it does not: nothing that is left out
    /// decides anything, or goes into a value that does.
    fn slice(&mut self, terms: &Terms) {
        let mut matters: Vec<Vec<bool>> =
            self.parameters.iter().map(|all| vec![false; all.len()]).collect();
        loop {
            let mut is_news = false;
            for edge in &self.edges {
                let Some(from) = edge.from else { continue };
                let mut used: BTreeSet<SymbolId> = BTreeSet::new();
                for condition in &edge.conditions {
                    used.extend(terms.free_symbols(*condition));
                }
                for (number, value) in edge.values.iter().enumerate() {
                    if edge.to.is_some_and(|to| matters[to][number]) {
                        used.extend(terms.free_symbols(*value));
                    }
                }
                for (number, symbol) in self.parameters[from].iter().enumerate() {
                    let is_used =
                        matches!(terms.node(*symbol), Node::Symbol(id) if used.contains(id));
                    if is_used && !matters[from][number] && is_sort(terms.sort(*symbol)) {
                        matters[from][number] = true;
                        is_news = true;
                    }
                }
            }
            if !is_news {
                break;
            }
        }
        for edge in &mut self.edges {
            let Some(to) = edge.to else { continue };
            let mut kept = matters[to].iter();
            edge.values.retain(|_| kept.next().copied().unwrap_or(false));
        }
        for (all, matters) in self.parameters.iter_mut().zip(&matters) {
            let mut kept = matters.iter();
            all.retain(|_| kept.next().copied().unwrap_or(false));
        }
        for (facts, parameters) in self.facts.iter_mut().zip(&self.parameters) {
            let known: BTreeSet<SymbolId> =
                parameters.iter().flat_map(|symbol| terms.free_symbols(*symbol)).collect();
            facts.retain(|fact| terms.free_symbols(*fact).is_subset(&known));
        }
    }

    /// The system of clauses; `None` if they cannot be said.
    pub(super) fn system(
        &self,
        domain: &mut Symbolic,
        wraps: Wraps,
    ) -> Result<Option<HornSystem>, Misuse> {
        let mut system = HornSystem::default();
        let mut relations = Vec::new();
        for parameters in &self.parameters {
            let sorts: Vec<_> =
                parameters.iter().map(|symbol| domain.terms.sort(*symbol)).collect();
            relations.push(system.relation("node", &sorts));
        }
        let mut said = BTreeSet::new();
        for edge in &self.edges {
            let mut words = Words {
                conditions: edge.conditions.clone(),
                values: edge.values.clone(),
                never: Vec::new(),
            };
            if words.forget_hard(domain).is_none() || words.unwrap(domain, wraps).is_none() {
                return Ok(None);
            }
            let facts = edge.from.map_or(&[][..], |from| &self.facts[from]);
            let body: Vec<Atom> = edge
                .from
                .map(|from| atom(&relations, from, self.parameters[from].clone()))
                .into_iter()
                .collect();
            for never in words.never {
                let constraint = domain.terms.and(facts.iter().copied().chain(never));
                if said.insert((edge.from, constraint, None)) {
                    system.add(
                        &domain.terms,
                        Clause { body: body.clone(), constraint, head: None },
                    )?;
                }
            }
            let constraint =
                domain.terms.and(facts.iter().copied().chain(words.conditions.iter().copied()));
            if said.insert((edge.from, constraint, Some((edge.to, words.values.clone())))) {
                let head = edge.to.map(|to| atom(&relations, to, words.values));
                system.add(&domain.terms, Clause { body, constraint, head })?;
            }
        }
        Ok(Some(system))
    }
}

fn atom(relations: &[RelationId], node: usize, arguments: Vec<Term>) -> Atom {
    Atom { relation: relations[node], arguments }
}
