//! What names mean in a script.

use super::builtin::Builtin;
use super::tree::Id;
use crate::node::{FunctionId, Sort, Term};
use rustc_hash::FxHashMap;

/// A function that is expanded where it is used.
pub(super) struct Macro<'s> {
    pub(super) parameters: Vec<(&'s str, Sort)>,
    pub(super) result: Sort,
    /// None for an array that is declared, and not defined yet.
    pub(super) body: Option<Id>,
    /// If there is one, the value is the array of the values of the body for this variable.
    pub(super) argument: Option<&'s str>,
    /// What it has been expanded to.
    pub(super) known: FxHashMap<Vec<Term>, Term>,
}

/// What a name means.
#[derive(Clone, Copy)]
pub(super) enum Global {
    Term(Term),
    Function(FunctionId),
    /// The number of a macro.
    Macro(usize),
}

/// The names of a script, in scopes.
#[derive(Default)]
pub(super) struct Globals<'s> {
    pub(super) macros: Vec<Macro<'s>>,
    meanings: FxHashMap<&'s str, Global>,
    /// The names in the order in which they were declared.
    declared: Vec<&'s str>,
    /// How many names there were when each open scope was opened.
    scopes: Vec<usize>,
}

impl<'s> Globals<'s> {
    pub(super) fn get(&self, name: &str) -> Option<Global> {
        self.meanings.get(name).copied()
    }

    /// Gives a name a meaning; false if it has one, also one of the theories, which would go first.
    pub(super) fn declare(&mut self, name: &'s str, meaning: Global) -> bool {
        let of_theory = Builtin::named(name).is_some() || matches!(name, "true" | "false");
        if of_theory || self.meanings.contains_key(name) {
            return false;
        }
        self.meanings.insert(name, meaning);
        self.declared.push(name);
        true
    }

    /// Adds a macro and gives its number.
    pub(super) fn add_macro(&mut self, added: Macro<'s>) -> usize {
        self.macros.push(added);
        self.macros.len() - 1
    }

    pub(super) fn push(&mut self) {
        self.scopes.push(self.declared.len());
    }

    /// Forgets what was declared in the innermost scope; false if there is none.
    pub(super) fn pop(&mut self) -> bool {
        let Some(kept) = self.scopes.pop() else {
            return false;
        };
        for name in self.declared.drain(kept.min(self.declared.len())..) {
            self.meanings.remove(name);
        }
        true
    }
}
