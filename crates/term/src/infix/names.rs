//! What symbols and functions are called in a text.

use crate::arena::Terms;
use crate::node::{FunctionId, Node, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Names for the free symbols and functions of some terms that are read together. Different ones have
/// different names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    symbols: BTreeMap<SymbolId, String>,
    functions: BTreeMap<FunctionId, String>,
    used: BTreeSet<String>,
}

impl Names {
    /// Everything has its own name; where several symbols in these terms have the same, all but the
    /// first one get a number behind it: `n` and `n#1`.
    pub fn of(terms: &Terms, roots: impl IntoIterator<Item = Term>) -> Self {
        Self::with(terms, roots, &BTreeMap::new())
    }

    /// The same, but symbols that are listed have the name given there (made different where it is
    /// taken). Those names are given first.
    pub fn with(
        terms: &Terms,
        roots: impl IntoIterator<Item = Term>,
        given: &BTreeMap<SymbolId, String>,
    ) -> Self {
        let (symbols, functions) = occurring(terms, roots);
        let mut names = Names::default();
        for (symbol, name) in given {
            if symbols.contains(symbol) {
                let name = names.unused(name, 1);
                names.symbols.insert(*symbol, name);
            }
        }
        for symbol in symbols {
            if !names.symbols.contains_key(&symbol) {
                let known = terms.symbol(symbol);
                let name = names.unused(&known.name, known.number);
                names.symbols.insert(symbol, name);
            }
        }
        for function in functions {
            let name = names.unused(&terms.function_info(function).name, 1);
            names.functions.insert(function, name);
        }
        names
    }

    /// A name that nothing has, and that now has been given: the name itself or one with a number.
    fn unused(&mut self, name: &str, number: u32) -> String {
        let numbers = u64::from(number.max(1))..;
        let numbered = numbers.map(|number| format!("{name}#{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        // The candidates do not end, and only finitely many are taken.
        let free = candidates.find(|candidate| !self.used.contains(candidate));
        let free = free.unwrap_or_default();
        self.used.insert(free.clone());
        free
    }

    /// The name that a symbol has in texts with these names.
    pub fn of_symbol(&self, terms: &Terms, id: SymbolId) -> String {
        self.symbol(terms, id)
    }

    /// The name of a symbol.
    pub(super) fn symbol(&self, terms: &Terms, id: SymbolId) -> String {
        // A symbol that the names were not made for has a name that is different from all others.
        self.symbols.get(&id).cloned().unwrap_or_else(|| {
            let symbol = terms.symbol(id);
            format!("{}#{}", symbol.name, symbol.number)
        })
    }

    pub(super) fn function(&self, terms: &Terms, id: FunctionId) -> String {
        let own = || terms.function_info(id).name.clone();
        self.functions.get(&id).cloned().unwrap_or_else(own)
    }

    /// Whether something has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.used.contains(name)
    }
}

/// The symbols and functions that occur in terms.
fn occurring(
    terms: &Terms,
    roots: impl IntoIterator<Item = Term>,
) -> (BTreeSet<SymbolId>, BTreeSet<FunctionId>) {
    let (mut symbols, mut functions) = (BTreeSet::new(), BTreeSet::new());
    let mut open: Vec<Term> = roots.into_iter().collect();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Symbol(symbol) => {
                symbols.insert(*symbol);
            }
            Node::Apply(function, _) => {
                functions.insert(*function);
            }
            _ => {}
        }
        terms.node(term).for_each_child(|part| open.push(part));
    }
    (symbols, functions)
}
