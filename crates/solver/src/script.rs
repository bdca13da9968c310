//! Queries as SMT-LIB scripts, with names that stay the same from query to query.

use loupe_term::smtlib::{self, Dialect, NoForm, Options, Printed, Statement, Vocabulary};
use loupe_term::{Term, Terms};
use std::collections::BTreeMap;

pub(crate) use loupe_term::smtlib::ReadError;

/// The script that asserts all this and asks whether it can be.
pub(crate) fn of_query(terms: &Terms, assertions: &[Term]) -> Result<Printed, NoForm> {
    let mut names = BTreeMap::new();
    for assertion in assertions {
        for id in terms.free_symbols(*assertion) {
            let symbol = terms.symbol(id);
            // The number tells apart symbols of the same name, also those of different queries.
            if symbol.number > 0 {
                names.insert(id, format!("{}!{}", symbol.name, symbol.number));
            }
        }
    }
    let options = Options { dialect: Dialect::Conversions, names, ..Options::default() };
    let mut statements: Vec<Statement> =
        assertions.iter().map(|assertion| Statement::Assert(*assertion)).collect();
    statements.push(Statement::CheckSat);
    smtlib::print(terms, &statements, &options)
}

/// The text of a script that asserts all this and asks whether it can be.
///
/// # Errors
///
/// If something in it has no form in SMT-LIB, like ★.
pub fn script_of(terms: &Terms, assertions: &[Term]) -> Result<String, NoForm> {
    Ok(of_query(terms, assertions)?.text)
}

/// Reads scripts that share their symbols.
#[derive(Default)]
pub(crate) struct Reader {
    vocabulary: Vocabulary,
}

impl Reader {
    /// What a script asserts.
    pub(crate) fn assertions(
        &mut self,
        terms: &mut Terms,
        text: &str,
    ) -> Result<Vec<Term>, ReadError> {
        let script = smtlib::read(terms, text, &self.vocabulary)?;
        let assertions = script.assertions();
        self.vocabulary.symbols.extend(script.symbols);
        self.vocabulary.functions.extend(script.functions);
        Ok(assertions)
    }
}
