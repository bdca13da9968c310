//! Horn clauses over integers and arrays, by Z3's fixedpoint engine (Spacer).
//!
//! A system of clauses `A₁ ∧ … ∧ Aₙ ∧ φ ⇒ B` asks for relations that satisfy all of them; clauses with
//! the head *false* say what must be impossible. If there are such relations, they are invariants of
//! whatever the clauses describe, and they are returned as formulas that were checked, clause by clause,
//! with queries of their own: the engine's word alone is not taken.

use super::read::Meaning;
use super::translate::{self, Expression, WrongSort};
use super::{Z3, stack};
use crate::answer::{Answer, Error, Query, Reason, Solver};
use crate::limits::Limits;
use loupe_term::{Misuse, Node, Sort, Substitution, Term, Terms};
use std::time::Instant;
use z3::ast::{Bool, Dynamic};
use z3::{Fixedpoint, FuncDecl, Params, SatResult};

/// A relation of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(usize);

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which one.
    pub relation: RelationId,
    /// To what.
    pub arguments: Vec<Term>,
}

/// `body ∧ constraint ⇒ head`, for all values of the symbols in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Atoms that all hold.
    pub body: Vec<Atom>,
    /// A formula that holds.
    pub constraint: Term,
    /// What follows; nothing means *false*.
    pub head: Option<Atom>,
}

/// Relations and clauses.
#[derive(Clone, Debug, Default)]
pub struct HornSystem {
    relations: Vec<(String, Vec<Sort>)>,
    clauses: Vec<Clause>,
}

impl HornSystem {
    /// A new relation between values of these sorts.
    pub fn relation(&mut self, name: &str, sorts: &[Sort]) -> RelationId {
        self.relations.push((name.to_owned(), sorts.to_vec()));
        RelationId(self.relations.len() - 1)
    }

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// If sorts or numbers of arguments do not fit, or a relation is not of this system.
    pub fn add(&mut self, terms: &Terms, clause: Clause) -> Result<(), Misuse> {
        terms.require(clause.constraint, Sort::Bool)?;
        for atom in clause.body.iter().chain(&clause.head) {
            let (_, sorts) = self.relations.get(atom.relation.0).ok_or(Misuse::Foreign)?;
            if sorts.len() != atom.arguments.len() {
                let (needed, found) = (sorts.len(), atom.arguments.len());
                return Err(Misuse::Arity { needed, found });
            }
            for (argument, sort) in atom.arguments.iter().zip(sorts) {
                terms.require(*argument, *sort)?;
            }
        }
        self.clauses.push(clause);
        Ok(())
    }
}

/// A formula for a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Symbols that stand for the arguments.
    pub parameters: Vec<Term>,
    /// What holds of them.
    pub formula: Term,
}

/// How the engine looks for relations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guidance {
    /// One counterexample to induction after the other.
    #[default]
    Local,
    /// With an eye on what lemmas that were learnt have in common (Vediramana Krishnan, Chen, Shoham and Gurfinkel, *Global guidance for local generalization in
    /// model checking*, 2020): it finds relations between variables for which the other way would go through their values one by one.
    Global,
}

/// Whether a system can be satisfied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// Yes, by these formulas, in the order of the relations; every clause was checked.
    Satisfied(Vec<Invariant>),
    /// No: *false* can be derived, as far as the engine can tell. Good only as a hint: it comes
    /// without values.
    Refuted,
    /// It was not found out.
    Unknown(Reason),
}

impl Z3 {
    /// Looks for formulas that satisfy all clauses.
    ///
    /// # Errors
    ///
    /// If a clause contains ★.
    pub fn solve_horn(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        guidance: Guidance,
        limits: &Limits,
    ) -> Result<HornAnswer, Error> {
        self.door.admit(terms, &[])?;
        for (position, clause) in system.clauses.iter().enumerate() {
            let atoms = clause.body.iter().chain(&clause.head);
            let mut parts = atoms.flat_map(|atom| &atom.arguments).chain([&clause.constraint]);
            if parts.any(|part| terms.is_starred(*part)) {
                return Err(Error::Unknown(position));
            }
        }
        if let Some(reason) = limits.exhausted() {
            return Ok(HornAnswer::Unknown(reason));
        }
        let start = Instant::now();
        let answer = self
            .guarded(|z3| z3.run_horn(terms, system, guidance, limits))
            .unwrap_or_else(|reason| Ok(HornAnswer::Unknown(reason)))
            .unwrap_or_else(|WrongSort| HornAnswer::Unknown(Reason::Failure("sorts".into())));
        let HornAnswer::Satisfied(invariants) = &answer else { return Ok(answer) };
        for clause in &system.clauses {
            let counterexample = violation(terms, clause, invariants);
            let limits = limits.after(start.elapsed());
            let query = Query { assertions: &[counterexample], limits: &limits };
            match self.check(terms, &query)? {
                Answer::Unsat(_) => {}
                Answer::Sat(_) => {
                    return Ok(HornAnswer::Unknown(Reason::Failure("a wrong invariant".into())));
                }
                Answer::Unknown(reason) => return Ok(HornAnswer::Unknown(reason)),
            }
        }
        Ok(answer)
    }

    fn run_horn(
        &mut self,
        terms: &mut Terms,
        system: &HornSystem,
        guidance: Guidance,
        limits: &Limits,
    ) -> Result<HornAnswer, WrongSort> {
        let engine = Fixedpoint::new();
        let mut params = Params::new();
        params.set_symbol("engine", "spacer");
        params.set_bool("spacer.global", guidance == Guidance::Global);
        params.set_u32("rlimit", limits.z3_work());
        // Relations that are put in for others, or lose parameters, would come back as if they held of everything.
        for name in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
            params.set_bool(name, false);
        }
        engine.set_params(&params);
        let declarations: Vec<FuncDecl> =
            system.relations.iter().enumerate().map(declare).collect();
        let goal = FuncDecl::new("goal", &[], &z3::Sort::bool());
        declarations.iter().chain([&goal]).for_each(|relation| engine.register_relation(relation));
        for clause in &system.clauses {
            let rule = self.rule(terms, &declarations, &goal, clause)?;
            engine.add_rule(&rule, None);
        }
        // A query for the relation itself would not keep to the limit on work.
        let derived = goal.apply(&[]).as_bool().ok_or(WrongSort)?;
        let (result, stopped) = self.watch.during_all(limits, || engine.query(&derived));
        match result {
            SatResult::Sat => return Ok(HornAnswer::Refuted),
            SatResult::Unknown => {
                let words = engine.get_reason_unknown();
                // That is what the engine says when it was stopped in the middle of a lemma.
                let words = if words == "ok" { "canceled".to_owned() } else { words };
                return Ok(HornAnswer::Unknown(stack::reason(words, stopped)));
            }
            SatResult::Unsat => {}
        }
        let mut invariants = Vec::new();
        for (declaration, (_, sorts)) in declarations.iter().zip(&system.relations) {
            let parameters: Vec<Term> = sorts
                .iter()
                .map(|sort| terms.fresh("v", *sort, loupe_term::Origin::default()))
                .collect();
            let cover = engine.get_cover_delta(-1, declaration);
            let meaning = Meaning { variables: parameters.clone(), ..Meaning::default() };
            let formula = match cover {
                Some(cover) => meaning.term(terms, &Dynamic::from_ast(&cover)),
                None => Ok(terms.bool(true)),
            };
            match formula {
                Ok(formula) => invariants.push(Invariant { parameters, formula }),
                Err(words) => {
                    let words = format!("an invariant cannot be read: {}", words.0);
                    return Ok(HornAnswer::Unknown(Reason::Incomplete(words)));
                }
            }
        }
        Ok(HornAnswer::Satisfied(invariants))
    }

    /// The clause with all its symbols bound.
    fn rule(
        &mut self,
        terms: &Terms,
        declarations: &[FuncDecl],
        goal: &FuncDecl,
        clause: &Clause,
    ) -> Result<Bool, WrongSort> {
        let mut premises = vec![self.translation.formula(terms, clause.constraint)?];
        for atom in &clause.body {
            premises.push(self.applied(terms, declarations, atom)?);
        }
        let head = match &clause.head {
            Some(atom) => self.applied(terms, declarations, atom)?,
            None => goal.apply(&[]).as_bool().ok_or(WrongSort)?,
        };
        let mut symbols = terms.free_symbols(clause.constraint);
        for atom in clause.body.iter().chain(&clause.head) {
            atom.arguments.iter().for_each(|part| symbols.extend(terms.free_symbols(*part)));
        }
        let bound: Vec<Expression> =
            symbols.into_iter().map(|symbol| translate::symbol(terms, symbol)).collect();
        let bound: Vec<&dyn z3::ast::Ast> = bound.iter().map(Expression::as_ast).collect();
        Ok(z3::ast::forall_const(&bound, &[], &Bool::and(&premises).implies(head)))
    }

    fn applied(
        &mut self,
        terms: &Terms,
        declarations: &[FuncDecl],
        atom: &Atom,
    ) -> Result<Bool, WrongSort> {
        let relation = declarations.get(atom.relation.0).ok_or(WrongSort)?;
        let arguments = atom.arguments.iter().map(|part| self.translation.translate(terms, *part));
        let arguments = arguments.collect::<Result<Vec<_>, WrongSort>>()?;
        let arguments: Vec<&dyn z3::ast::Ast> = arguments.iter().map(Expression::as_ast).collect();
        relation.apply(&arguments).as_bool().ok_or(WrongSort)
    }
}

fn declare((number, (name, sorts)): (usize, &(String, Vec<Sort>))) -> FuncDecl {
    let domain: Vec<z3::Sort> = sorts.iter().map(|sort| translate::sort(*sort)).collect();
    let domain: Vec<&z3::Sort> = domain.iter().collect();
    FuncDecl::new(format!("{name}!{number}"), &domain, &z3::Sort::bool())
}

/// What a counterexample to a clause under the invariants would satisfy.
fn violation(terms: &mut Terms, clause: &Clause, invariants: &[Invariant]) -> Term {
    let mut parts = vec![clause.constraint];
    for atom in &clause.body {
        parts.push(put_in(terms, atom, invariants));
    }
    if let Some(atom) = &clause.head {
        let head = put_in(terms, atom, invariants);
        parts.push(terms.not(head));
    }
    terms.and(parts)
}

fn put_in(terms: &mut Terms, atom: &Atom, invariants: &[Invariant]) -> Term {
    let Some(invariant) = invariants.get(atom.relation.0) else { return terms.bool(true) };
    let mut substitution = Substitution::default();
    for (parameter, argument) in invariant.parameters.iter().zip(&atom.arguments) {
        if let Node::Symbol(symbol) = terms.node(*parameter) {
            substitution.insert(*symbol, *argument);
        }
    }
    terms.substitute(invariant.formula, &substitution)
}
