//! The tree of executions, kept on request.

use super::End;
use crate::search::StateKey;
use loupe_ir::source::Span;
use loupe_term::{Names, SymbolId, Term, Terms};
use std::collections::BTreeMap;

/// Conditions in the tree are cut off behind so many characters.
const SHOWN: usize = 200;

/// A state of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// The state that it comes from.
    pub parent: Option<u32>,
    /// What holds in it beyond that, as people read it.
    pub condition: String,
    /// Where it ended or became others.
    pub place: Option<Span>,
    /// How it ended, if it did.
    pub end: Option<String>,
    /// The other state that it was merged from, beside its parent.
    pub also: Option<u32>,
}

/// The tree of executions; the root is the first node, and parents come before their children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The states.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Notes a new state. States are numbered one after the other.
    pub(super) fn add(&mut self, parent: Option<StateKey>, condition: String) {
        let parent = parent.map(|key| key.0 as u32);
        self.nodes.push(Node { parent, condition, place: None, end: None, also: None });
    }

    /// Notes a state that two others were merged to at a place. It is the newest one.
    pub(super) fn merged(&mut self, (a, b): (StateKey, StateKey), place: Span) {
        let (parent, also) = (Some(a.0 as u32), Some(b.0 as u32));
        self.nodes.push(Node { parent, condition: String::new(), place: None, end: None, also });
        self.forked(a, place);
        self.forked(b, place);
    }

    /// Notes where a state became others.
    pub(super) fn forked(&mut self, key: StateKey, place: Span) {
        if let Some(node) = self.nodes.get_mut(key.0 as usize) {
            node.place = Some(place);
        }
    }

    /// Notes how a state ended.
    pub(super) fn ended(&mut self, key: StateKey, place: Span, end: String) {
        if let Some(node) = self.nodes.get_mut(key.0 as usize) {
            node.place = Some(place);
            node.end = Some(end);
        }
    }
}

/// A condition for people. A symbol has the same name in all of the tree.
pub(super) fn in_words(terms: &Terms, condition: Term) -> String {
    let name = |id: SymbolId| {
        let symbol = terms.symbol(id);
        match symbol.number {
            0 => symbol.name.clone(),
            number => format!("{}#{number}", symbol.name),
        }
    };
    let symbols = terms.free_symbols(condition).into_iter();
    let given: BTreeMap<SymbolId, String> = symbols.map(|id| (id, name(id))).collect();
    let names = Names::with(terms, [condition], &given);
    terms.display(condition, &names).limited(SHOWN).to_string()
}

impl End {
    /// In a few words.
    pub fn words(&self) -> String {
        match self {
            End::Returned(_) => "returned".to_owned(),
            End::Exited(_) => "exited".to_owned(),
            End::Aborted => "aborted".to_owned(),
            End::Failed { kind, .. } => kind.title().to_owned(),
            End::Unsupported(what) => format!("not modelled: {what}"),
            End::MayFail(kind, _) => format!("may fail: {}", kind.title()),
            End::Solver(reason) => format!("no answer: {reason}"),
            End::Limit(what) => what.clone(),
        }
    }
}
