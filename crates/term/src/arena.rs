//! The arena of terms: every term once.

use crate::misuse::Misuse;
use crate::node::{FunctionId, Node, Sort, SymbolId, Term};
use hashbrown::HashTable;
use loupe_integer::Integer;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Which arena something belongs to: equal only to its own copies.
#[derive(Clone, Debug)]
pub struct ArenaId(Arc<()>);

impl PartialEq for ArenaId {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ArenaId {}

/// Where a symbol comes from, for those who print results.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// In words: a variable and a line, an input, a counter of a loop.
    pub description: String,
    /// What it counts, if it is a number of iterations.
    pub counted: Option<Box<Counted>>,
}

/// What a number of iterations counts, for those who print results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counted {
    /// How the loop is called, so that no other one is called the same.
    pub place: String,
    /// The loop in words.
    pub whose: String,
    /// The line of the loop.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The number of the path through the loop, from 1; `None` if iterations of all paths count.
    pub path: Option<u32>,
    /// The lines that these iterations go through.
    pub lines: Vec<u32>,
    /// What tells the path from others through the same lines, if there are some.
    pub branch: Option<Branch>,
    /// Which of them are counted.
    pub which: Which,
}

/// What one of several paths through the same lines does that others do not, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch {
    /// It goes through what stands in this line and column.
    Through(u32, u32),
    /// It goes around it.
    Around(u32, u32),
}

/// Which iterations are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// All that there are.
    All,
    /// Those before a certain one.
    Earlier,
}

impl Counted {
    /// How people call the number.
    pub fn name(&self) -> String {
        let letter = match self.which {
            Which::All => 'k',
            Which::Earlier => 't',
        };
        match self.path {
            Some(path) => format!("{letter}{}.{path}", self.place),
            None => format!("{letter}{}", self.place),
        }
    }
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
    /// The height of the highest binder whose variable is free in it; 0 if there is none.
    pub(crate) open: u32,
    /// Whether ★ occurs in it.
    pub(crate) starred: bool,
    /// Whether a quantifier occurs in it.
    pub(crate) quantified: bool,
}

/// What a term that the arena does not have is taken for: nothing is known of it.
static FOREIGN: Node = Node::Star(Sort::Bool);
const FOREIGN_FACTS: Facts =
    Facts { sort: Sort::Bool, binders: 0, open: 0, starred: true, quantified: false };
static FOREIGN_SYMBOL: Symbol = Symbol {
    name: String::new(),
    number: 0,
    sort: Sort::Bool,
    origin: Origin { description: String::new(), counted: None },
};
static FOREIGN_FUNCTION: Function = Function { name: String::new(), arity: 0 };

/// Heights from here on are names of binders that are being rebuilt: see
/// [`Terms::enter`](crate::Terms).
const FIRST_NAME: u32 = 1 << 30;

impl Facts {
    /// Puts a binder on top of a body. Binders around it are higher, so that a variable that is free
    /// in the body and not its own is of a greater height.
    fn bind(&mut self, height: u32, open_in_body: u32) {
        self.binders = self.binders.max(height);
        self.open = if open_in_body > height { open_in_body } else { 0 };
    }
}

/// A term in the table, with enough of the hash of its node that nodes are looked at only if they are
/// probably the same, and never when the table grows.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    term: Term,
}

impl Entry {
    /// The hash for the table, which uses the upper bits as well.
    fn spread(&self) -> u64 {
        spread(self.hash)
    }
}

fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn hash_of(node: &Node) -> u32 {
    let hash = FxBuildHasher.hash_one(node);
    (hash ^ (hash >> 32)) as u32
}

const NO_NEGATION: Term = Term(u32::MAX);

/// All terms of one analysis.
///
/// An arena belongs to one analysis and shares nothing with others: two threads work on two arenas.
/// A [`Term`] means something only together with the arena that made it.
pub struct Terms {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    table: HashTable<Entry>,
    symbols: Vec<Symbol>,
    functions: Vec<Function>,
    names: hashbrown::HashMap<String, u32, FxBuildHasher>,
    /// The negations that have been built, by the number of the term; [`NO_NEGATION`] for others.
    negations: Vec<Term>,
    /// Whether constructors apply the table of rules.
    rules: bool,
    /// The first height that no binder has and no rebuilding uses as a name.
    pub(crate) next_name: u32,
    /// The first term that made no sense.
    misuse: Option<Misuse>,
    identity: ArenaId,
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
            negations: Vec::new(),
            rules: true,
            next_name: FIRST_NAME,
            misuse: None,
            identity: ArenaId(Arc::new(())),
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

    /// Which arena this is.
    pub fn identity(&self) -> ArenaId {
        self.identity.clone()
    }

    /// The first term that was asked for and makes no sense. ★ stands in its place, so that nothing
    /// that is built from it is wrong; but somebody has made a mistake.
    pub fn misuse(&self) -> Option<&Misuse> {
        self.misuse.as_ref()
    }

    #[cold]
    pub(crate) fn record(&mut self, misuse: Misuse) {
        self.misuse.get_or_insert(misuse);
    }

    /// The negation of a term, if it has been built.
    pub(crate) fn negation(&self, term: Term) -> Option<Term> {
        self.negations.get(term.index()).copied().filter(|negation| *negation != NO_NEGATION)
    }

    pub(crate) fn remember_negation(&mut self, term: Term, negation: Term) {
        if self.negations.len() <= term.index() {
            self.negations.resize(self.nodes.len().max(term.index() + 1), NO_NEGATION);
        }
        self.negations[term.index()] = negation;
    }

    /// The outermost operation of a term; ★ for one of another arena, as far as that can be seen.
    #[inline]
    pub fn node(&self, term: Term) -> &Node {
        self.nodes.get(term.index()).unwrap_or(&FOREIGN)
    }

    /// What is known of a term, unless it is plainly one of another arena.
    #[inline]
    pub(crate) fn own_facts(&self, term: Term) -> Option<&Facts> {
        self.facts.get(term.index())
    }

    #[inline]
    pub(crate) fn facts(&self, term: Term) -> Facts {
        self.own_facts(term).copied().unwrap_or(FOREIGN_FACTS)
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.facts(term).sort
    }

    /// Whether ★ occurs in a term.
    #[inline]
    pub fn is_starred(&self, term: Term) -> bool {
        self.facts(term).starred
    }

    /// Whether a quantifier occurs in the term.
    pub fn has_quantifier(&self, term: Term) -> bool {
        self.facts(term).quantified
    }

    /// Whether a term stands for itself: no variable of a binder around it occurs in it.
    pub fn is_closed(&self, term: Term) -> bool {
        self.facts(term).open == 0
    }

    pub(crate) fn binders(&self, term: Term) -> u32 {
        self.facts(term).binders
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
        let hash = hash_of(&node);
        let Terms { nodes, table, .. } = self;
        let same = |entry: &Entry| entry.hash == hash && nodes[entry.term.index()] == node;
        if let Some(known) = table.find(spread(hash), same) {
            return known.term;
        }
        let facts = self.facts_of(&node);
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.facts.push(facts);
        self.table.insert_unique(spread(hash), Entry { hash, term }, Entry::spread);
        term
    }

    /// The term with this node, if there is one.
    pub(crate) fn find(&self, node: &Node) -> Option<Term> {
        let hash = hash_of(node);
        let same = |entry: &Entry| entry.hash == hash && &self.nodes[entry.term.index()] == node;
        self.table.find(spread(hash), same).map(|entry| entry.term)
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let sort = match node {
            Node::Symbol(symbol) => self.symbol(*symbol).sort,
            Node::Star(sort) => *sort,
            Node::Ite(_, then, _) => self.sort(*then),
            Node::Store(array, ..) => self.sort(*array),
            Node::Select(array, _) => self.sort(*array).element().unwrap_or(Sort::Int),
            Node::ConstantArray(dimensions, _) => Sort::Array(*dimensions),
            Node::Lambda(_, body) => match self.sort(*body) {
                Sort::Array(dimensions) => Sort::Array(dimensions.saturating_add(1)),
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
        let (starred, quantified) =
            (matches!(node, Node::Star(_)), matches!(node, Node::Quantified(..)));
        let mut facts = Facts { sort, binders: 0, open: 0, starred, quantified };
        node.for_each_child(|child| {
            let below = self.facts(child);
            facts.binders = facts.binders.max(below.binders);
            facts.open = facts.open.max(below.open);
            facts.starred |= below.starred;
            facts.quantified |= below.quantified;
        });
        match node {
            Node::Bound(height) => facts.open = *height,
            Node::Lambda(binder, _) => facts.bind(binder.0, facts.open),
            Node::Quantified(_, binder, [low, high, body]) => {
                let open = self.facts(*body).open;
                facts.bind(binder.0, open);
                facts.open = facts.open.max(self.facts(*low).open).max(self.facts(*high).open);
            }
            _ => {}
        }
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

    pub(crate) fn own_symbol(&self, id: SymbolId) -> Option<&Symbol> {
        self.symbols.get(id.0 as usize)
    }

    /// The symbol with this number.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        self.own_symbol(id).unwrap_or(&FOREIGN_SYMBOL)
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

    pub(crate) fn own_function(&self, id: FunctionId) -> Option<&Function> {
        self.functions.get(id.0 as usize)
    }

    /// The function with this number.
    pub fn function_info(&self, id: FunctionId) -> &Function {
        self.own_function(id).unwrap_or(&FOREIGN_FUNCTION)
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
