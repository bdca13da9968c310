//! The arena of terms: every term once.

use crate::node::{FunctionId, Node, Sort, SymbolId, Term};
use hashbrown::HashTable;
use loupe_integer::Integer;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Where a symbol comes from, for those who print results.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// In words: a variable and a line, an input, a counter of a loop.
    pub description: String,
}

/// A free variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name that users know; several symbols may have the same.
    pub name: String,
    /// Which of the symbols of that name it is, from 0.
    pub number: u32,
    /// The sort.
    pub sort: Sort,
    /// Where it comes from.
    pub origin: Origin,
}

/// An uninterpreted function from integers to integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// How many arguments it has.
    pub arity: usize,
}

/// What is known of a term without looking into it.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) sort: Sort,
    /// The height of the highest binder in it; 0 if there is none.
    pub(crate) binders: u32,
    /// Whether ★ occurs in it.
    pub(crate) starred: bool,
}

/// All terms of one analysis.
///
/// An arena belongs to one analysis and shares nothing with others: two threads work on two arenas.
/// A [`Term`] means something only together with the arena that made it.
pub struct Terms {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    table: HashTable<Term>,
    symbols: Vec<Symbol>,
    functions: Vec<Function>,
    names: hashbrown::HashMap<String, u32, FxBuildHasher>,
    /// Negations that have been built.
    negations: hashbrown::HashMap<Term, Term, FxBuildHasher>,
    /// Whether constructors apply the table of rules.
    rules: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An arena with no terms but the truth values.
    pub fn new() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            facts: Vec::new(),
            table: HashTable::new(),
            symbols: Vec::new(),
            functions: Vec::new(),
            names: hashbrown::HashMap::default(),
            negations: hashbrown::HashMap::default(),
            rules: true,
        };
        terms.intern(Node::Bool(false));
        terms.intern(Node::Bool(true));
        terms
    }

    /// An arena whose constructors do not apply the table of rules: the other side of the tests of
    /// the rules.
    pub fn without_rules() -> Self {
        Terms { rules: false, ..Self::new() }
    }

    pub(crate) fn applies_rules(&self) -> bool {
        self.rules
    }

    /// The negation of a term, if it has been built.
    pub(crate) fn negation(&self, term: Term) -> Option<Term> {
        self.negations.get(&term).copied()
    }

    pub(crate) fn remember_negation(&mut self, term: Term, negation: Term) {
        self.negations.insert(term, negation);
    }

    /// The outermost operation of a term.
    #[inline]
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.facts[term.index()].sort
    }

    /// Whether ★ occurs in a term.
    pub fn is_starred(&self, term: Term) -> bool {
        self.facts[term.index()].starred
    }

    pub(crate) fn binders(&self, term: Term) -> u32 {
        self.facts[term.index()].binders
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none; never true.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term with this node, which must be canonical.
    pub(crate) fn intern(&mut self, node: Node) -> Term {
        let hash = FxBuildHasher.hash_one(&node);
        let Terms { nodes, table, .. } = self;
        if let Some(known) = table.find(hash, |term| nodes[term.index()] == node) {
            return *known;
        }
        let facts = self.facts_of(&node);
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.facts.push(facts);
        let Terms { nodes, table, .. } = self;
        table.insert_unique(hash, term, |term| FxBuildHasher.hash_one(&nodes[term.index()]));
        term
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let sort = match node {
            Node::Symbol(symbol) => self.symbols[symbol.0 as usize].sort,
            Node::Star(sort) => *sort,
            Node::Ite(_, then, _) => self.sort(*then),
            Node::Store(array, ..) => self.sort(*array),
            Node::Select(array, _) => self.sort(*array).element().unwrap_or(Sort::Int),
            Node::ConstantArray(dimensions, _) => Sort::Array(*dimensions),
            Node::Lambda(_, body) => match self.sort(*body) {
                Sort::Array(dimensions) => Sort::Array(dimensions + 1),
                Sort::Int | Sort::Bool => Sort::Array(1),
            },
            Node::Bool(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::NonPositive(_)
            | Node::Zero(_)
            | Node::Divides(..)
            | Node::SameArray(..)
            | Node::Quantified(..) => Sort::Bool,
            _ => Sort::Int,
        };
        let own_height = match node {
            Node::Lambda(binder, _) | Node::Quantified(_, binder, _) => binder.0,
            _ => 0,
        };
        let mut facts = Facts { sort, binders: own_height, starred: matches!(node, Node::Star(_)) };
        node.for_each_child(|child| {
            let below = &self.facts[child.index()];
            facts.binders = facts.binders.max(below.binders);
            facts.starred |= below.starred;
        });
        facts
    }

    /// A new symbol, different from all others, also from those of the same name.
    pub fn fresh(&mut self, name: &str, sort: Sort, origin: Origin) -> Term {
        let number = self.names.entry_ref(name).or_insert(0);
        let symbol = Symbol { name: name.to_owned(), number: *number, sort, origin };
        *number += 1;
        self.symbols.push(symbol);
        let id = SymbolId((self.symbols.len() - 1) as u32);
        self.intern(Node::Symbol(id))
    }

    /// A new integer symbol without a story.
    pub fn int_symbol(&mut self, name: &str) -> Term {
        self.fresh(name, Sort::Int, Origin::default())
    }

    /// The symbol with this number.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// The term of a symbol.
    pub fn symbol_term(&mut self, id: SymbolId) -> Term {
        self.intern(Node::Symbol(id))
    }

    /// A new uninterpreted function.
    pub fn function(&mut self, name: &str, arity: usize) -> FunctionId {
        self.functions.push(Function { name: name.to_owned(), arity });
        FunctionId((self.functions.len() - 1) as u32)
    }

    /// The function with this number.
    pub fn function_info(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The integer `value`.
    pub fn int(&mut self, value: impl Into<Integer>) -> Term {
        self.intern(Node::Int(value.into()))
    }

    /// The truth value `value`.
    pub fn bool(&mut self, value: bool) -> Term {
        Term(u32::from(value))
    }

    /// The integer that a term is, if it is a constant.
    pub fn as_int(&self, term: Term) -> Option<&Integer> {
        match self.node(term) {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value that a term is, if it is a constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

impl Node {
    /// Calls `visit` for each part, from left to right.
    pub fn for_each_child(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) | Node::Bound(_) | Node::Star(_) => {}
            Node::Sum(sum) => sum.summands.iter().for_each(|(monomial, _)| visit(*monomial)),
            Node::Product(factors) => factors.iter().for_each(|(atom, _)| visit(*atom)),
            Node::Quotient(_, a, b)
            | Node::Remainder(_, a, b)
            | Node::Bits(_, _, a, b)
            | Node::Select(a, b)
            | Node::SameArray(a, b) => [*a, *b].into_iter().for_each(visit),
            Node::Power(_, a)
            | Node::Wrap(_, a)
            | Node::ConstantArray(_, a)
            | Node::Lambda(_, a)
            | Node::Not(a)
            | Node::NonPositive(a)
            | Node::Zero(a)
            | Node::Divides(_, a) => visit(*a),
            Node::Ite(a, b, c) | Node::Store(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Node::Apply(_, parts) | Node::And(parts) | Node::Or(parts) => {
                parts.iter().copied().for_each(visit);
            }
            Node::Quantified(_, _, parts) => parts.iter().copied().for_each(visit),
        }
    }
}
