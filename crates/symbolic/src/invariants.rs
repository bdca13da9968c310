//! Proofs by invariants: programs as Horn clauses, for Z3's fixedpoint engine.
//!
//! The program is cut at the headers of its loops. From its start and from each header, it is executed up to the next headers with the semantics of the
//! executor (`walk`); at a header, what may be different there from visit to visit has symbols (`nodes`). Each such execution is a clause (`clauses`): if the values at the one end
//! are possible and what was decided on the way holds, the values at the other end are possible. A check that fails, and everything of which nobody knows what it
//! does, must not be possible. If there are relations that satisfy all clauses, they are invariants of the headers, and the program is safe
//! (Bjørner, Gurfinkel, McMillan and Rybalchenko, *Horn clause solvers for program verification*, 2015).
//!
//! *Why a proof can be believed.* By induction over an execution of the program: whenever it comes to a header, it is the state of some node for some values of symbols, and the
//! relation of that node holds of these values. It starts so; and from a state of a node, the links of that node are all that can happen: each is followed unless the solver has refuted it.
//! So no execution gets to a place from which a clause leads to *false*. What the relations say has been checked clause by clause, apart from how it was found.
//!
//! What is deliberately not here: errors. That the engine finds no relations, or derives *false*, says nothing, since clauses may say too much.

mod clauses;
mod nodes;
mod rewrite;
mod slots;
mod walk;

use crate::domain::{DomainOptions, Symbolic};
use crate::explore::Options;
use crate::halt::Halt;
use crate::loops::Loops;
use crate::property::Property;
use clauses::Clauses;
use loupe_engine::domain::InternalError;
use loupe_engine::semantics::Machine;
use loupe_ir::program::{FunctionId, Program};
use loupe_ir::source::Span;
use loupe_solver::{Guidance, HornAnswer, Limits, Z3};
use loupe_term::{Names, Node as TermNode, Substitution, SymbolId, Term};
pub(crate) use nodes::{Fit, Live, Node, Open, place_of, symbols_of};
use rewrite::Wraps;
use std::collections::BTreeMap;
pub(crate) use walk::{Blocks, Cuts, Graph, Target, Walker};

/// What became of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program is safe.
    Proved(Proof),
    /// Nobody knows.
    Unknown(Vec<Why>),
}

/// Why a program is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What holds whenever a loop is come to, in the order in which they are found.
    pub invariants: Vec<Invariant>,
}

/// What holds whenever a loop is come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The function of the loop.
    pub function: FunctionId,
    /// The loop.
    pub span: Span,
    /// What holds, in the variables of the program.
    pub text: String,
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Why {
    /// Where.
    pub span: Span,
    /// What stands in the way.
    pub what: String,
}

/// Asked now and then, with the work that was done so far, whether to go on; says why not.
pub type Stop<'s> = dyn Fn(u64) -> Option<String> + 's;

/// Why nothing more was done.
pub(crate) struct Stopped(pub(crate) String);

/// The work of the first attempts; later ones have more, up to what a question to the solver may cost.
const FIRST_WORK: u64 = 500_000;
/// How much more.
const MORE_WORK: u64 = 4;
/// So many reasons are given.
const MAX_REASONS: usize = 8;

/// Looks for invariants that prove a valid program safe. The work that the options allow for a question to the solver is that of one attempt to find all of
/// them. Beside the outcome comes the work that it was.
///
/// # Errors
///
/// If Loupe is broken; nothing that a program does is an error here.
pub fn prove(
    program: &Program,
    options: &Options,
    stop: &Stop<'_>,
) -> Result<(Outcome, u64), InternalError> {
    let span = program.function(program.entry).span;
    let unknown = |what: &str| Outcome::Unknown(vec![Why { span, what: what.to_owned() }]);
    if options.property == Property::Termination {
        return Ok((unknown("invariants do not say whether loops end"), 0));
    }
    // Single questions are many, and easier.
    let work = options.solver.work.min(Limits::default().work);
    let domain = DomainOptions {
        chain: options.chain(),
        limits: Limits { work, ..options.solver.clone() },
        symbolic_index: options.symbolic_index,
    };
    let mut machine = Machine::new(program, Symbolic::new(program, domain));
    let loops = Loops::new(program);
    let mut walker = Walker::new(&mut machine, &loops, options, Cuts::Headers, stop);
    let graph = match walker.walk() {
        Ok(Ok(graph)) => graph,
        Ok(Err(Stopped(what))) => return Ok((unknown(&what), walker.effort())),
        Err(halt) => {
            return match *halt {
                Halt::Internal(error) => Err(error),
                other => Ok((unknown(&other.to_string()), walker.effort())),
            };
        }
    };
    let outcome = solve(&mut walker, &graph);
    let outcome = outcome.map_err(|error| InternalError(error.to_string()))?;
    Ok((outcome, walker.effort()))
}

/// Looks for relations, with little work first.
fn solve(walker: &mut Walker<'_, '_>, graph: &Graph) -> Result<Outcome, loupe_solver::Error> {
    let reasons = |more: String| {
        let program = walker.machine.program;
        let span = program.function(program.entry).span;
        let mut all = vec![Why { span, what: more }];
        let bad = graph.links.iter().filter_map(|link| match &link.to {
            Target::Bad(why) => Some(why.clone()),
            Target::Node(..) => None,
        });
        let mut bad: Vec<Why> = bad.collect();
        bad.sort();
        bad.dedup();
        all.extend(bad.into_iter().take(MAX_REASONS));
        Outcome::Unknown(all)
    };
    let stop = walker.stop;
    let domain = &mut walker.machine.domain;
    let clauses = Clauses::new(domain, graph);
    let mut attempts = Vec::new();
    for wraps in [Wraps::Ruled, Wraps::Exact] {
        if let Some(system) = clauses.system(domain, wraps)? {
            attempts.push((system.clone(), Guidance::Global));
            attempts.push((system, Guidance::Local));
        }
    }
    let mut last = "the clauses are too large".to_owned();
    let most = walker.options.solver.work;
    let mut work = FIRST_WORK.min(most);
    while !attempts.is_empty() && work <= most {
        let mut left = Vec::new();
        for (system, guidance) in attempts {
            if let Some(what) = stop(walker.effort()) {
                return Ok(reasons(what));
            }
            walker.spent += work;
            let domain = &mut walker.machine.domain;
            let limits = Limits { work, ..domain.limits.clone() };
            let answer = Z3::new().solve_horn(&mut domain.terms, &system, guidance, &limits)?;
            match answer {
                HornAnswer::Satisfied(found) => {
                    let invariants = found.into_iter().enumerate().map(|(number, invariant)| {
                        let given = invariant.parameters.into_iter();
                        let given = given.zip(clauses.parameters[number].iter().copied());
                        (number, given.collect::<Vec<_>>(), invariant.formula)
                    });
                    let invariants = invariants.collect();
                    return Ok(Outcome::Proved(Proof {
                        invariants: in_words(walker, graph, invariants),
                    }));
                }
                HornAnswer::Refuted => {
                    last = "no invariants: what must not happen may be possible".to_owned();
                }
                HornAnswer::Unknown(reason) => {
                    last = format!("no invariants were found: {reason}");
                    left.push((system, guidance));
                }
            }
        }
        attempts = left;
        work *= MORE_WORK;
    }
    Ok(reasons(last))
}

/// What holds at nodes of a graph according to the engine, if that keeps all that must not happen from happening: conditions on what the nodes speak of.
/// Nothing if it is not found with so much work.
pub(crate) fn relations(
    domain: &mut Symbolic,
    graph: &Graph,
    work: u64,
) -> Result<Vec<(usize, Term)>, loupe_solver::Error> {
    let clauses = Clauses::new(domain, graph);
    for wraps in [Wraps::Ruled, Wraps::Exact] {
        let Some(system) = clauses.system(domain, wraps)? else { continue };
        let limits = Limits { work, ..domain.limits.clone() };
        let answer = Z3::new().solve_horn(&mut domain.terms, &system, Guidance::Global, &limits)?;
        if let HornAnswer::Satisfied(found) = answer {
            let conditions = found.into_iter().enumerate().map(|(number, invariant)| {
                let mut own = Substitution::default();
                let symbols = clauses.parameters[number].iter();
                for (parameter, symbol) in invariant.parameters.iter().zip(symbols) {
                    if let TermNode::Symbol(id) = domain.terms.node(*parameter) {
                        own.insert(*id, *symbol);
                    }
                }
                (number, domain.terms.substitute(invariant.formula, &own))
            });
            return Ok(conditions.collect());
        }
    }
    Ok(Vec::new())
}

/// A node, its parameters with what they stand for, and what holds of them.
type Found = (usize, Vec<(Term, Term)>, Term);

/// Invariants in the variables of the program.
fn in_words(walker: &mut Walker<'_, '_>, graph: &Graph, found: Vec<Found>) -> Vec<Invariant> {
    let program = walker.machine.program;
    let mut invariants = Vec::new();
    for (number, parameters, formula) in found {
        let node = &graph.nodes[number];
        let Some(frame) = node.state.frames.last() else { continue };
        let terms = &walker.machine.domain.terms;
        let mut given: BTreeMap<SymbolId, String> = BTreeMap::new();
        for (parameter, symbol) in parameters {
            let TermNode::Symbol(id) = terms.node(parameter) else { continue };
            given.insert(*id, name_of(walker, node, symbol));
        }
        let names = Names::with(terms, [formula], &given);
        let text = terms.display(formula, &names).to_string();
        let code = program.function(frame.function);
        let forest = walker.loops.of(frame.function);
        let span = match forest.headed_by(frame.block) {
            Some(id) => forest.get(id).span(code),
            None => code.block(frame.block).terminator.span,
        };
        invariants.push(Invariant { function: frame.function, span, text });
    }
    invariants
}

/// What a user would write for a symbol: the variable that it is the value of, if there is one.
fn name_of(walker: &Walker<'_, '_>, node: &nodes::Node, symbol: Term) -> String {
    use loupe_engine::value::Value;
    if let Some(argument) = node.arguments.iter().find(|argument| argument.symbol == symbol) {
        return argument.name.clone();
    }
    for frame in node.state.frames.iter().rev() {
        let function = walker.machine.program.function(frame.function);
        for (local, declared) in function.locals() {
            if let (Some(Value::Int(crate::value::Int::Term(term))), Some(name)) =
                (frame.locals.get(local.index()), &declared.name)
                && *term == symbol
            {
                return name.clone();
            }
        }
    }
    let terms = &walker.machine.domain.terms;
    match terms.node(symbol) {
        TermNode::Symbol(id) => terms.symbol(*id).name.clone(),
        _ => "?".to_owned(),
    }
}
