//! What occurs in a script, and which parts are defined on their own.

use super::{Exists, NoForm, Statement};
use crate::arena::Terms;
use crate::node::{FunctionId, Node, Rounding, Sort, SymbolId, Term, Width};
use crate::smtlib::operation::{Dialect, MAX_WIDTH, Operation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A part that occurs several times is defined on its own if it is larger than this.
const SMALL: usize = 6;
/// A part is defined on its own if it is larger than this, so that no text is nested deeply.
const LARGE: usize = 2_000;
/// A power of an atom is a product up to this exponent.
pub(super) const SMALL_EXPONENT: u32 = 3;

/// A variable that is not the same everywhere in the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Local {
    /// The variable of a binder.
    Bound(u32),
    /// A parameter of a function.
    Parameter(SymbolId),
}

/// What is known of a script before it is written.
#[derive(Default)]
pub(super) struct Sharing {
    /// All symbols that occur.
    pub(super) symbols: BTreeSet<SymbolId>,
    /// Those that are not only parameters.
    pub(super) declared: BTreeSet<SymbolId>,
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) operations: BTreeSet<Operation>,
    /// The heights of the binders that occur.
    pub(super) heights: BTreeSet<u32>,
    /// The parts that are defined on their own, each after those that occur in it.
    pub(super) named: Vec<Term>,
    /// All parts that are written, each after those that occur in it.
    pub(super) written: Vec<Term>,
    is_named: FxHashSet<Term>,
    /// The variables that occur free in a part, in order.
    locals: FxHashMap<Term, Rc<[Local]>>,
    parameters: BTreeSet<SymbolId>,
}

impl Sharing {
    pub(super) fn new(
        terms: &Terms,
        statements: &[Statement],
        dialect: Dialect,
    ) -> Result<Self, NoForm> {
        let mut sharing = Sharing::default();
        let roots: Vec<(Term, Vec<SymbolId>)> = statements.iter().flat_map(roots).collect();
        for statement in statements {
            let formulas = match statement {
                Statement::Define { .. } => Vec::new(),
                other => self::roots(other),
            };
            for (formula, _) in formulas {
                if terms.sort(formula) != Sort::Bool {
                    return Err(NoForm::NoFormula(terms.sort(formula)));
                }
            }
        }
        for (_, variables) in &roots {
            sharing.parameters.extend(variables);
        }
        if roots.iter().any(|(root, _)| terms.is_starred(*root)) {
            return Err(NoForm::Unknown);
        }
        sharing.symbols.extend(&sharing.parameters);
        let uses = sharing.visit(terms, roots.iter().map(|(root, _)| *root));
        for term in std::mem::take(&mut sharing.written) {
            sharing.note(terms, term, dialect)?;
            sharing.find_locals(terms, term);
            sharing.written.push(term);
        }
        sharing.name_parts(terms, &uses);
        for (root, parameters) in roots {
            for local in sharing.locals(root).iter() {
                match local {
                    Local::Bound(_) => return Err(NoForm::Open),
                    Local::Parameter(symbol) if parameters.contains(symbol) => {}
                    Local::Parameter(symbol) => {
                        sharing.declared.insert(*symbol);
                    }
                }
            }
        }
        Ok(sharing)
    }

    /// Lists all parts and counts how often each is written.
    fn visit(
        &mut self,
        terms: &Terms,
        roots: impl Iterator<Item = Term>,
    ) -> FxHashMap<Term, usize> {
        let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
        let mut open: Vec<(Term, bool)> = Vec::new();
        for root in roots {
            open.push((root, false));
            while let Some((term, parts_done)) = open.pop() {
                if parts_done {
                    self.written.push(term);
                    continue;
                }
                let count = uses.entry(term).or_insert(0);
                *count += 1;
                if *count == 1 {
                    open.push((term, true));
                    let first = open.len();
                    for_each_part(terms, term, |part| open.push((part, false)));
                    open[first..].reverse();
                }
            }
        }
        uses
    }

    /// Notes the symbols, functions and operations of a part.
    fn note(&mut self, terms: &Terms, term: Term, dialect: Dialect) -> Result<(), NoForm> {
        match terms.node(term) {
            Node::Symbol(symbol) => {
                self.symbols.insert(*symbol);
                if !self.parameters.contains(symbol) {
                    self.declared.insert(*symbol);
                }
            }
            Node::Apply(function, _) => {
                self.functions.insert(*function);
            }
            Node::Bound(height) => {
                self.heights.insert(*height);
            }
            Node::Lambda(binder, _) | Node::Quantified(_, binder, _) => {
                self.heights.insert(binder.0);
            }
            node => {
                self.operations.extend(operation(terms, node, dialect));
                if let Node::Product(factors) = node {
                    let large = factors.iter().filter(|(_, exponent)| *exponent > SMALL_EXPONENT);
                    self.operations.extend(large.map(|(_, e)| Operation::Raise(*e)));
                }
                match node {
                    Node::Wrap(width, _) | Node::Bits(_, width, ..) => check_width(*width)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn find_locals(&mut self, terms: &Terms, term: Term) {
        let own: Rc<[Local]> = match terms.node(term) {
            Node::Bound(height) => Rc::new([Local::Bound(*height)]),
            Node::Symbol(symbol) if self.parameters.contains(symbol) => {
                Rc::new([Local::Parameter(*symbol)])
            }
            node => {
                let closed = match node {
                    Node::Lambda(binder, body) => Some((Local::Bound(binder.0), *body)),
                    Node::Quantified(_, binder, [.., body]) => {
                        Some((Local::Bound(binder.0), *body))
                    }
                    _ => None,
                };
                let mut all: Rc<[Local]> = Rc::new([]);
                for_each_part(terms, term, |part| {
                    let locals = match closed {
                        Some((variable, body)) if body == part => {
                            let rest = self.locals(part);
                            rest.iter().filter(|local| **local != variable).copied().collect()
                        }
                        _ => self.locals(part),
                    };
                    all = union(&all, locals);
                });
                all
            }
        };
        if !own.is_empty() {
            self.locals.insert(term, own);
        }
    }

    /// Chooses the parts that are defined on their own.
    fn name_parts(&mut self, terms: &Terms, uses: &FxHashMap<Term, usize>) {
        let mut sizes: FxHashMap<Term, usize> = FxHashMap::default();
        for term in &self.written {
            let mut size = 1;
            for_each_part(terms, *term, |part| size += sizes.get(&part).copied().unwrap_or(1));
            let often = uses.get(term).is_some_and(|count| *count > 1);
            if (often && size > SMALL) || size > LARGE || self.is_lambda(terms, *term) {
                self.named.push(*term);
                self.is_named.insert(*term);
                size = 1 + self.locals(*term).len();
            }
            sizes.insert(*term, size);
        }
    }

    /// The variables that occur free in a part.
    pub(super) fn locals(&self, term: Term) -> Rc<[Local]> {
        self.locals.get(&term).cloned().unwrap_or_else(|| Rc::new([]))
    }

    pub(super) fn is_named(&self, term: Term) -> bool {
        self.is_named.contains(&term)
    }

    pub(super) fn is_lambda(&self, terms: &Terms, term: Term) -> bool {
        matches!(terms.node(term), Node::Lambda(..))
    }
}

/// The terms of a statement, each with the symbols that are its variables there.
pub(super) fn roots(statement: &Statement) -> Vec<(Term, Vec<SymbolId>)> {
    match statement {
        Statement::Define { parameters, body, .. } => vec![(*body, parameters.clone())],
        Statement::Relation { parameters, context, cases, .. } => {
            let case = |case: &Exists| (case.body, [&parameters[..], &case.symbols].concat());
            let context = (*context, parameters.clone());
            std::iter::once(context).chain(cases.iter().map(case)).collect()
        }
        Statement::Assert(formula) => vec![(*formula, Vec::new())],
        Statement::AssertExists(exists) => vec![(exists.body, exists.symbols.clone())],
        Statement::Comment(_)
        | Statement::Push
        | Statement::Pop
        | Statement::CheckSat
        | Statement::GetModel => Vec::new(),
    }
}

fn check_width(width: Width) -> Result<(), NoForm> {
    if width.bits > MAX_WIDTH { Err(NoForm::TooWide(width)) } else { Ok(()) }
}

/// The defined function that a node is written with, if any.
pub(super) fn operation(terms: &Terms, node: &Node, dialect: Dialect) -> Option<Operation> {
    let by_constant =
        |divisor: Term| terms.as_int(divisor).is_some_and(|divisor| !divisor.is_zero());
    match node {
        // SMT-LIB's own division, where the divisor is not 0.
        Node::Quotient(Rounding::Euclidean, _, b) | Node::Remainder(Rounding::Euclidean, _, b)
            if by_constant(*b) =>
        {
            None
        }
        Node::Quotient(rounding, ..) => Some(Operation::Quotient(*rounding)),
        Node::Remainder(rounding, ..) => Some(Operation::Remainder(*rounding)),
        Node::Power(base, _) => Some(Operation::Power(base.clone())),
        Node::Wrap(width, _) => Some(Operation::Wrap(*width)),
        Node::Bits(op, width, ..) => Some(Operation::Bits(*op, *width)),
        Node::Divides(divisor, _) => Some(Operation::Divides(divisor.clone())),
        // Not every solver takes `as const` of something that is no literal, and -1 is none.
        Node::ConstantArray(_, value)
            if dialect == Dialect::Conversions
                && terms.as_int(*value).is_some_and(|value| !value.is_negative()) =>
        {
            None
        }
        Node::ConstantArray(dimensions, _) => Some(Operation::Constant(*dimensions)),
        _ => None,
    }
}

/// The parts of a term that are written as terms: a comparison of a sum is written with its summands
/// on two sides, and not with the sum; a small power repeats its factor.
fn for_each_part(terms: &Terms, term: Term, mut visit: impl FnMut(Term)) {
    match terms.node(term) {
        Node::Product(factors) => {
            for (atom, exponent) in factors {
                let times = if *exponent > SMALL_EXPONENT { 1 } else { *exponent };
                (0..times).for_each(|_| visit(*atom));
            }
        }
        Node::NonPositive(sum) | Node::Zero(sum) if matches!(terms.node(*sum), Node::Sum(_)) => {
            terms.node(*sum).for_each_child(visit);
        }
        node => node.for_each_child(visit),
    }
}

/// The union of two ordered lists; one of them itself where that is possible, so that the same list
/// is not kept many times.
fn union(a: &Rc<[Local]>, b: Rc<[Local]>) -> Rc<[Local]> {
    if a.is_empty() || *a == b {
        return b;
    }
    if b.iter().all(|local| a.binary_search(local).is_ok()) {
        return a.clone();
    }
    let all: BTreeSet<Local> = a.iter().chain(b.iter()).copied().collect();
    all.into_iter().collect()
}
