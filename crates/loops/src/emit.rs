//! Summaries as SMT-LIB 2.6: relations between the values at entry and at exit that any solver can check.
//!
//! A loop becomes a function `loop_L` (`loop_L_over`, `loop_L_under`) of its entry values, its exit values and the number of
//! its exit; `loop_L_pre` says for which entries the summary was made. Counters and inputs are bound by ∃, and
//! so are values that have no name. Obligations follow as queries that must not be satisfiable. Nothing is declared
//! outside of functions and queries, so that a user can declare what he likes behind it.
//!
//! A value that is not known (★) leaves the exit value open. That is right for a superset of the executions and
//! wrong for any other tag, so such a summary is printed as `over`, or its case left out if it is `under`.

use crate::certificate::{Claim, Obligation};
use crate::problem::Loop;
use crate::summary::{Case, Summary, Tag};
use loupe_term::smtlib::{self, Exists, NoForm, Options, Statement};
use loupe_term::{Node, SymbolId, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// A loop with all that is printed of it.
#[derive(Clone, Debug)]
pub struct Described<'l> {
    /// What the relations are called: `loop_7`.
    pub name: String,
    /// Something about the loop, for people: its place and its tag are a good idea.
    pub comment: String,
    /// The loop.
    pub problem: &'l Loop,
    /// Its summaries, at most one of a kind.
    pub summaries: Vec<&'l Summary>,
    /// The variables that the relations are between, in the order of their declarations.
    pub parameters: Vec<Parameter>,
    /// The exits by number: place and kind.
    pub exits: Vec<String>,
    /// What was proved.
    pub obligations: &'l [Obligation],
}

/// A variable of the program that a relation is about.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in the source, or as `name@line`.
    pub name: String,
    /// Its value at entry: a symbol.
    pub entry: Term,
}

/// What is printed of loops.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CannotPrint {
    /// Something has no form.
    #[error(transparent)]
    NoForm(#[from] NoForm),
    /// The value at entry is no symbol.
    #[error("the value of `{0}` at entry is no symbol")]
    NoSymbol(String),
}

/// All relations of a file, as one script.
///
/// # Errors
///
/// If something has no form in SMT-LIB.
pub fn script(terms: &mut Terms, loops: &[Described<'_>]) -> Result<String, CannotPrint> {
    let mut statements = Vec::new();
    // Whoever adds queries of his own may use more than the relations do.
    let mut options = Options { logic: Some("ALL".to_owned()), ..Options::default() };
    for described in loops {
        let frame = Frame::new(terms, described, &mut options.names)?;
        frame.write(terms, &mut statements);
    }
    Ok(smtlib::print(terms, &statements, &options)?.text)
}

/// A loop with the symbols of its relations.
struct Frame<'f> {
    described: &'f Described<'f>,
    /// The values at entry.
    entries: Vec<SymbolId>,
    /// The values at exit.
    exits: Vec<Term>,
    /// The number of the exit.
    exit: Term,
    /// What holds at entry of the named values alone.
    context: Vec<Term>,
    /// What holds at entry of values without a name.
    hidden: Vec<Term>,
}

impl<'f> Frame<'f> {
    fn new(
        terms: &mut Terms,
        described: &'f Described<'f>,
        names: &mut BTreeMap<SymbolId, String>,
    ) -> Result<Self, CannotPrint> {
        let (mut entries, mut exits) = (Vec::new(), Vec::new());
        let mut fresh = |terms: &mut Terms, name: &str, sort| {
            let symbol = terms.fresh(name, sort, Default::default());
            names.extend(symbol_of(terms, symbol).map(|id| (id, name.to_owned())));
            symbol
        };
        for parameter in &described.parameters {
            exits.push(fresh(terms, &format!("{}!", parameter.name), terms.sort(parameter.entry)));
        }
        let exit = fresh(terms, "exit!", loupe_term::Sort::Int);
        for parameter in &described.parameters {
            let symbol = symbol_of(terms, parameter.entry);
            let symbol = symbol.ok_or_else(|| CannotPrint::NoSymbol(parameter.name.clone()))?;
            names.insert(symbol, parameter.name.clone());
            entries.push(symbol);
        }
        let problem = described.problem;
        let facts = problem.facts.iter().chain(&problem.entry);
        let facts: Vec<Term> = facts.map(|fact| terms.weaken(*fact)).collect();
        let is_named =
            |fact: &Term| terms.free_symbols(*fact).iter().all(|symbol| entries.contains(symbol));
        let (context, hidden) = facts.into_iter().partition(is_named);
        Ok(Frame { described, entries, exits, exit, context, hidden })
    }

    fn write(&self, terms: &mut Terms, statements: &mut Vec<Statement>) {
        let name = &self.described.name;
        statements.push(Statement::Comment(self.described.comment.clone()));
        for (number, exit) in self.described.exits.iter().enumerate() {
            statements.push(Statement::Comment(format!("exit {number}: {exit}")));
        }
        let context = terms.and(self.context.iter().copied());
        statements.push(self.precondition(terms, context));
        for summary in &self.described.summaries {
            let tag = printed_tag(terms, summary);
            let cases = summary.cases.iter().filter_map(|case| self.case(terms, case, tag));
            let cases: Vec<Exists> = cases.collect();
            let ending = match tag {
                Tag::Exact | Tag::Template => "",
                Tag::Over => "_over",
                Tag::Under => "_under",
            };
            let mut comment = format!("{name}{ending}: {tag}");
            if tag != summary.tag {
                comment += ", because some values at exit are not known";
            }
            statements.push(Statement::Comment(comment));
            let exits = self.exits.iter().chain([&self.exit]);
            let exits = exits.filter_map(|exit| symbol_of(terms, *exit));
            let parameters = self.entries.iter().copied().chain(exits).collect();
            let name = format!("{name}{ending}");
            statements.push(Statement::Relation { name, parameters, context, cases });
        }
        for obligation in self.described.obligations {
            write_obligation(terms, name, obligation, statements);
        }
    }

    /// For which entries the summary was made.
    fn precondition(&self, terms: &mut Terms, context: Term) -> Statement {
        let (name, parameters) = (format!("{}_pre", self.described.name), self.entries.clone());
        if self.hidden.is_empty() {
            return Statement::Define { name, parameters, body: context };
        }
        let hidden = terms.and(self.hidden.iter().copied());
        let cases = vec![self.close(terms, hidden, &[])];
        Statement::Relation { name, parameters, context, cases }
    }

    /// One case as a formula; none if it cannot be told without what is unknown.
    fn case(&self, terms: &mut Terms, case: &Case, tag: Tag) -> Option<Exists> {
        if tag == Tag::Under && case.values.iter().any(|value| terms.is_starred(*value)) {
            return None;
        }
        let condition = match tag {
            Tag::Under => terms.strengthen(case.condition),
            _ => terms.weaken(case.condition),
        };
        let mut parts = vec![condition];
        parts.extend(&self.hidden);
        for (parameter, exit) in self.described.parameters.iter().zip(&self.exits) {
            let variables = self.described.problem.variables.iter();
            let mut changed = variables.zip(&case.values);
            let value = changed.find(|(variable, _)| variable.symbol == parameter.entry);
            // What is no variable of the loop keeps its value.
            let value = value.map_or(parameter.entry, |(_, value)| *value);
            if !terms.is_starred(value) {
                parts.push(terms.eq(*exit, value));
            }
        }
        let number = terms.int(case.exit as u64);
        parts.push(terms.eq(self.exit, number));
        let body = terms.and(parts);
        Some(self.close(terms, body, &[&case.counters[..], &case.inputs].concat()))
    }

    /// Binds what is no parameter; the listed symbols first.
    fn close(&self, terms: &Terms, body: Term, first: &[Term]) -> Exists {
        let free = terms.free_symbols(body);
        let exits =
            self.exits.iter().chain([&self.exit]).filter_map(|exit| symbol_of(terms, *exit));
        let known: BTreeSet<SymbolId> = self.entries.iter().copied().chain(exits).collect();
        let mut symbols: Vec<SymbolId> = Vec::new();
        for symbol in
            first.iter().filter_map(|symbol| symbol_of(terms, *symbol)).chain(free.iter().copied())
        {
            if free.contains(&symbol) && !known.contains(&symbol) && !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
        Exists { symbols, body }
    }
}

fn write_obligation(
    terms: &mut Terms,
    name: &str,
    obligation: &Obligation,
    statements: &mut Vec<Statement>,
) {
    let formula = match &obligation.claim {
        Claim::Identity(identity) => {
            let text = format!("{name}: {}: by the identity {identity}", obligation.name);
            return statements.push(Statement::Comment(text));
        }
        // What was proved with ★ in it was proved of the weaker formula.
        Claim::Unsat(formula) => terms.weaken(*formula),
    };
    statements.push(Statement::Comment(format!("{name}: {}: must be unsat", obligation.name)));
    let symbols = terms.free_symbols(formula).into_iter().collect();
    statements.extend([
        Statement::Push,
        Statement::AssertExists(Exists { symbols, body: formula }),
        Statement::CheckSat,
        Statement::Pop,
    ]);
}

/// The tag that the printed relation has.
fn printed_tag(terms: &Terms, summary: &Summary) -> Tag {
    let unknown = |case: &Case| {
        let mut parts = case.values.iter().chain([&case.condition]);
        parts.any(|part| terms.is_starred(*part))
    };
    match summary.tag {
        Tag::Exact | Tag::Template if summary.cases.iter().any(unknown) => Tag::Over,
        tag => tag,
    }
}

fn symbol_of(terms: &Terms, term: Term) -> Option<SymbolId> {
    match terms.node(term) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
