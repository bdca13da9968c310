//! Writing scripts.

mod logic;
mod names;
mod sharing;
mod write;

use super::operation::{Dialect, Operation};
use super::sort_text;
use crate::arena::Terms;
use crate::node::{FunctionId, Sort, SymbolId, Term, Width};
use names::Registry;
use sharing::Sharing;
use std::collections::{BTreeMap, BTreeSet};
use write::Writer;

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A comment, of one or more lines.
    Comment(String),
    /// A function of symbols, which are free in the body. The same symbols may be free elsewhere.
    Define {
        /// The name of the function.
        name: String,
        /// Its parameters.
        parameters: Vec<SymbolId>,
        /// Its value.
        body: Term,
    },
    /// A function of symbols to truth values: the context holds, and one of the cases.
    Relation {
        /// The name of the function.
        name: String,
        /// Its parameters.
        parameters: Vec<SymbolId>,
        /// What holds in all cases.
        context: Term,
        /// The cases.
        cases: Vec<Exists>,
    },
    /// A formula that holds.
    Assert(Term),
    /// A formula that holds for some values of symbols.
    AssertExists(Exists),
    /// Opens a scope.
    Push,
    /// Closes a scope.
    Pop,
    /// Asks whether all that is asserted can hold.
    CheckSat,
    /// Asks for values with which it does.
    GetModel,
}

/// A formula that holds for some values of symbols, which are free in it. Terms have bounded quantifiers
/// alone; this one has no bounds, so it stands outside of all terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exists {
    /// The symbols. The same may be free elsewhere.
    pub symbols: Vec<SymbolId>,
    /// The formula.
    pub body: Term,
}

/// How a script is written.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// For operations that the standard has no words for.
    pub dialect: Dialect,
    /// Names for symbols that shall not have their own. Parameters of different functions may have the
    /// same.
    pub names: BTreeMap<SymbolId, String>,
    /// Which logic it says; the smallest that allows everything if that is none.
    pub logic: Option<String>,
}

/// A script, and what its names mean.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The script.
    pub text: String,
    /// The symbols by their names, without quotes.
    pub symbols: BTreeMap<String, SymbolId>,
    /// The functions by their names, without quotes.
    pub functions: BTreeMap<String, FunctionId>,
}

/// Why something has no form in SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoForm {
    /// ★ occurs in it.
    #[error("an unknown value has no form in SMT-LIB")]
    Unknown,
    /// It is the body of a binder, without the binder.
    #[error("the variable of a binder occurs outside of it")]
    Open,
    /// An operation on machine integers with too many bits.
    #[error("machine integers of {} bits are too wide to be printed", .0.bits)]
    TooWide(Width),
    /// An assertion is no formula.
    #[error("a formula is needed, not a term of sort {0:?}")]
    NoFormula(Sort),
}

/// Writes a script: the logic, definitions, declarations, and the statements in their order.
///
/// Symbols are called by their names. A name that is not plain is quoted; characters that cannot be
/// quoted become `_`; names that are taken, by other symbols or by SMT-LIB itself, and those that
/// start with `loupe.`, are changed until they are different from all others. Symbols that are parameters
/// or bound only are different from those that stand in the same function.
///
/// ```
/// use loupe_term::smtlib::{Options, Statement, print};
/// use loupe_term::Terms;
///
/// let mut terms = Terms::new();
/// let (n, i) = (terms.int_symbol("n"), terms.int_symbol("i"));
/// let less = terms.lt(i, n);
/// let statements = [Statement::Assert(less), Statement::CheckSat];
/// let script = print(&terms, &statements, &Options::default())?;
/// assert_eq!(
///     script.text,
///     "(set-logic QF_LIA)\n(declare-const n Int)\n(declare-const i Int)\n\
///      (assert (< i n))\n(check-sat)\n"
/// );
/// # Ok::<(), loupe_term::smtlib::NoForm>(())
/// ```
///
/// # Errors
///
/// If a statement has no form in SMT-LIB.
pub fn print(
    terms: &Terms,
    statements: &[Statement],
    options: &Options,
) -> Result<Printed, NoForm> {
    let sharing = Sharing::new(terms, statements, options.dialect)?;
    let names = Registry::new(terms, statements, &sharing, &options.names);
    let mut writer = Writer::new(terms, &sharing, &names, options.dialect);
    let smallest = || logic::choose(terms, &sharing, statements, options.dialect);
    writer.line(&format!("(set-logic {})", options.logic.clone().unwrap_or_else(smallest)));
    for operation in all_needed(&sharing.operations, options.dialect) {
        operation.definition(options.dialect).iter().for_each(|line| writer.line(line));
    }
    for symbol in &sharing.declared {
        let sort = sort_text(terms.symbol(*symbol).sort);
        writer.line(&format!("(declare-const {} {sort})", names.symbol(*symbol)));
    }
    for function in &sharing.functions {
        let parameters = vec!["Int"; terms.function_info(*function).arity].join(" ");
        writer.line(&format!("(declare-fun {} ({parameters}) Int)", names.function(*function)));
    }
    for term in &sharing.named {
        writer.define(*term);
    }
    let mut functions = names.defined().iter();
    for statement in statements {
        match statement {
            Statement::Comment(text) => {
                // A comment also ends where a line of old ended; nothing in it may be read as a command.
                let lines = text.lines().flat_map(|line| line.split('\r'));
                lines.for_each(|line| writer.line(format!("; {line}").trim_end()));
            }
            Statement::Define { parameters, body, .. } => {
                let name = functions.next().map_or("", String::as_str);
                writer.define_function(name, parameters, *body);
            }
            Statement::Relation { parameters, context, cases, .. } => {
                let name = functions.next().map_or("", String::as_str);
                writer.define_relation(name, parameters, *context, cases);
            }
            Statement::Assert(term) => writer.assert(*term),
            Statement::AssertExists(exists) => writer.assert_exists(exists),
            Statement::Push => writer.line("(push 1)"),
            Statement::Pop => writer.line("(pop 1)"),
            Statement::CheckSat => writer.line("(check-sat)"),
            Statement::GetModel => writer.line("(get-model)"),
        }
    }
    let text = writer.finish();
    let (symbols, functions) = names.meanings();
    Ok(Printed { text, symbols, functions })
}

/// Operations with those that their definitions need, which come first.
fn all_needed(operations: &BTreeSet<Operation>, dialect: Dialect) -> Vec<Operation> {
    let (mut ordered, mut seen) = (Vec::new(), BTreeSet::new());
    for operation in operations {
        let chain = std::iter::successors(Some(operation.clone()), |last| last.needs(dialect));
        let mut chain: Vec<_> = chain.take_while(|operation| !seen.contains(operation)).collect();
        seen.extend(chain.iter().cloned());
        chain.reverse();
        ordered.append(&mut chain);
    }
    ordered
}
