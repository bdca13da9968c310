//! Z3's expressions as terms: what quantifier elimination and invariants come back as.

use super::model;
use loupe_integer::Integer;
use loupe_term::{Rounding, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast as _, AstKind, Dynamic};

/// An expression of Z3 that has no counterpart among terms, in Z3's notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoTerm(pub(super) String);

/// What the constants and variables in an expression mean.
#[derive(Default)]
pub(super) struct Meaning {
    /// Constants by Z3's names.
    pub(super) constants: FxHashMap<String, Term>,
    /// Variables by their number.
    pub(super) variables: Vec<Term>,
}

impl Meaning {
    /// Of the symbols in a formula.
    pub(super) fn of_symbols(terms: &mut Terms, formulas: &[Term]) -> Self {
        let mut constants = FxHashMap::default();
        for formula in formulas {
            for symbol in terms.free_symbols(*formula) {
                constants.insert(format!("s{}", symbol.number()), terms.symbol_term(symbol));
            }
        }
        Meaning { constants, variables: Vec::new() }
    }

    /// The term of an expression.
    pub(super) fn term(&self, terms: &mut Terms, root: &Dynamic) -> Result<Term, NoTerm> {
        let mut known: FxHashMap<Dynamic, Term> = FxHashMap::default();
        let mut open = vec![root.clone()];
        while let Some(expression) = open.last().cloned() {
            if known.contains_key(&expression) {
                open.pop();
                continue;
            }
            let children = match expression.kind() {
                AstKind::App => expression.children(),
                _ => Vec::new(),
            };
            let waiting = open.len();
            open.extend(children.iter().filter(|child| !known.contains_key(*child)).cloned());
            if open.len() == waiting {
                let parts: Vec<Term> =
                    children.iter().filter_map(|child| known.get(child).copied()).collect();
                let term = self.node(terms, &expression, &parts)?;
                known.insert(expression, term);
                open.pop();
            }
        }
        known.get(root).copied().ok_or_else(|| NoTerm(root.to_string()))
    }

    fn node(
        &self,
        terms: &mut Terms,
        expression: &Dynamic,
        parts: &[Term],
    ) -> Result<Term, NoTerm> {
        let unknown = || NoTerm(expression.to_string());
        match expression.kind() {
            AstKind::Numeral => {
                let value = expression.as_int().as_ref().and_then(model::integer);
                Ok(terms.int(value.ok_or_else(unknown)?))
            }
            AstKind::Var => {
                // `(:var 3)`; the crate has no function for the number.
                let text = expression.to_string();
                let number = text.trim_start_matches("(:var ").trim_end_matches(')').parse();
                let variable = number.ok().and_then(|at: usize| self.variables.get(at));
                variable.copied().ok_or_else(unknown)
            }
            AstKind::App => self.application(terms, expression, parts).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }

    fn application(&self, terms: &mut Terms, expression: &Dynamic, parts: &[Term]) -> Option<Term> {
        let declaration = expression.safe_decl().ok()?;
        let minus_one = Integer::from(-1);
        Some(match (declaration.kind(), parts) {
            (DeclKind::True, _) => terms.bool(true),
            (DeclKind::False, _) => terms.bool(false),
            (DeclKind::And, _) => terms.and(parts.iter().copied()),
            (DeclKind::Or, _) => terms.or(parts.iter().copied()),
            (DeclKind::Not, [a]) => terms.not(*a),
            (DeclKind::Implies, [a, b]) => terms.implies(*a, *b),
            (DeclKind::Eq | DeclKind::Iff, [a, b]) => terms.eq(*a, *b),
            (DeclKind::Xor, [a, b]) | (DeclKind::Distinct, [a, b]) => terms.ne(*a, *b),
            (DeclKind::Ite, [a, b, c]) => terms.ite(*a, *b, *c),
            (DeclKind::Le, [a, b]) => terms.le(*a, *b),
            (DeclKind::Ge, [a, b]) => terms.le(*b, *a),
            (DeclKind::Lt, [a, b]) => terms.lt(*a, *b),
            (DeclKind::Gt, [a, b]) => terms.lt(*b, *a),
            (DeclKind::Add, _) => terms.sum(parts.iter().copied()),
            (DeclKind::Uminus, [a]) => terms.scale(*a, &minus_one),
            (DeclKind::Sub, [first, rest @ ..]) => {
                rest.iter().fold(*first, |sum, part| terms.sub(sum, *part))
            }
            (DeclKind::Mul, [first, rest @ ..]) => {
                rest.iter().fold(*first, |product, part| terms.mul(product, *part))
            }
            // By a constant only: by 0, Z3's quotient is any number.
            (DeclKind::Idiv, [a, b]) if !terms.as_int(*b)?.is_zero() => {
                terms.quotient(Rounding::Euclidean, *a, *b)
            }
            (DeclKind::Mod, [a, b]) if !terms.as_int(*b)?.is_zero() => {
                terms.remainder(Rounding::Euclidean, *a, *b)
            }
            (DeclKind::Select, [array, index]) => terms.select(*array, *index).ok()?,
            (DeclKind::Store, [array, index, value]) => terms.store(*array, *index, *value).ok()?,
            (DeclKind::ConstArray, [value]) if terms.sort(*value) == Sort::Int => {
                terms.constant_array(1, *value).ok()?
            }
            (DeclKind::Uninterpreted, []) => *self.constants.get(&declaration.name())?,
            _ => return None,
        })
    }
}
