//! Reading scripts.
//!
//! A subset of SMT-LIB 2.6: integers, truth values, arrays of integers in any dimension, functions of
//! integers, `define-fun` (expanded where it is used), `let`, `:named`, and quantifiers over a range of
//! integers, in the form in which they are printed:
//! `(forall ((t Int)) (=> (and (<= low t) (< t high)) body))` and
//! `(exists ((t Int)) (and (and (<= low t) (< t high)) body))`. Other quantifiers, reals, bit vectors and
//! all else is an error that says where and what.
//!
//! Names that start with `loupe.` are operations of terms; their definitions are compared with
//! those that would be printed. `div` and `mod` by 0 may be anything in SMT-LIB, but are 0 and the
//! dividend in terms: where the divisor is no constant but 0, a [`Note`] says that what was read is
//! stronger than what was written.
//!
//! Nothing recurses over the depth of the text. What a text expands to is limited, because a short one
//! may stand for a term that fits in no memory.

mod builtin;
mod command;
mod error;
mod evaluate;
mod globals;
mod tree;

use crate::arena::Terms;
use crate::node::{FunctionId, SymbolId, Term};
pub use error::{Position, ReadError, ReadErrorKind};
use std::collections::BTreeMap;

/// A command of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `set-logic`.
    SetLogic(String),
    /// `set-info` with a keyword and a value, as they are written.
    SetInfo(String, String),
    /// `set-option` with a keyword and a value, as they are written.
    SetOption(String, String),
    /// `declare-const`, or `declare-fun` without parameters: a symbol.
    Declare(Term),
    /// `declare-fun`.
    DeclareFunction(FunctionId),
    /// `define-fun`.
    Define {
        /// The name.
        name: String,
        /// Symbols that stand for the parameters.
        parameters: Vec<Term>,
        /// The value.
        body: Term,
    },
    /// `assert`.
    Assert(Term),
    /// `push`, so many times.
    Push(u32),
    /// `pop`, so many times.
    Pop(u32),
    /// `check-sat`.
    CheckSat,
    /// `get-model`.
    GetModel,
    /// `get-value`.
    GetValue(Vec<Term>),
    /// `echo`.
    Echo(String),
    /// `exit`. What comes behind it is not read.
    Exit,
}

/// Something that one should know of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The divisor of `div` or `mod` here may be 0. The value that SMT-LIB leaves open is fixed in what
    /// was read, so that it may be unsatisfiable where the script is not.
    DivisionFixed(Position),
}

/// What a script says.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The commands in their order.
    pub commands: Vec<Command>,
    /// What one should know, in the order of the text.
    pub notes: Vec<Note>,
    /// The symbols by their names, without quotes.
    pub symbols: BTreeMap<String, SymbolId>,
    /// The functions by their names, without quotes.
    pub functions: BTreeMap<String, FunctionId>,
}

impl Script {
    /// All that is asserted, in its order, whatever scope it is in.
    pub fn assertions(&self) -> Vec<Term> {
        let assertion = |command: &Command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        };
        self.commands.iter().filter_map(assertion).collect()
    }
}

/// Symbols and functions that are meant by names that a script declares. Other names become new ones.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Symbols.
    pub symbols: BTreeMap<String, SymbolId>,
    /// Functions.
    pub functions: BTreeMap<String, FunctionId>,
}

/// Reads a script.
///
/// ```
/// use loupe_term::smtlib::{Vocabulary, read};
/// use loupe_term::Terms;
///
/// let mut terms = Terms::new();
/// let text = "(declare-const x Int) (assert (let ((y (* 2 x))) (< y (+ y x))))";
/// let script = read(&mut terms, text, &Vocabulary::default())?;
/// assert_eq!(terms.text(script.assertions()[0]), "x > 0");
///
/// let error = read(&mut terms, "(assert\n  (< 1 true))", &Vocabulary::default()).unwrap_err();
/// assert_eq!(error.to_string(), "2:8: expected a term of sort Int, found one of sort Bool");
/// # Ok::<(), loupe_term::smtlib::ReadError>(())
/// ```
///
/// # Errors
///
/// If the text is no script, or outside the subset. The error says where.
pub fn read(terms: &mut Terms, text: &str, vocabulary: &Vocabulary) -> Result<Script, ReadError> {
    let tree = tree::Tree::parse(text)?;
    command::read(terms, &tree, vocabulary)
}
