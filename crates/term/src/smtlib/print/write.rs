//! The text of a script.

use super::Exists;
use super::names::Registry;
use super::sharing::{self, Local, SMALL_EXPONENT, Sharing};
use crate::arena::Terms;
use crate::infix::{Relation, Summand, comparison};
use crate::node::{Node, Quantifier, Rounding, Sort, SymbolId, Term};
use crate::smtlib::operation::{Dialect, Operation};
use crate::smtlib::{int_text, sort_text};
use loupe_integer::Integer;

/// What is still to be written.
enum Piece<'t> {
    Text(&'static str),
    Borrowed(&'t str),
    Owned(String),
    Term(Term),
}

use Piece::{Borrowed, Owned, Text};

pub(super) struct Writer<'t> {
    terms: &'t Terms,
    sharing: &'t Sharing,
    names: &'t Registry,
    dialect: Dialect,
    out: String,
}

impl<'t> Writer<'t> {
    pub(super) fn new(
        terms: &'t Terms,
        sharing: &'t Sharing,
        names: &'t Registry,
        dialect: Dialect,
    ) -> Self {
        Writer { terms, sharing, names, dialect, out: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(super) fn assert(&mut self, term: Term) {
        self.out.push_str("(assert ");
        self.term(term);
        self.line(")");
    }

    pub(super) fn define_function(&mut self, name: &str, parameters: &[SymbolId], body: Term) {
        let parameters = parameters.iter().map(|symbol| Local::Parameter(*symbol));
        let parameters = self.parameters(parameters);
        let sort = sort_text(self.terms.sort(body));
        self.out.push_str(&format!("(define-fun {name} ({parameters}) {sort} "));
        self.term(body);
        self.line(")");
    }

    pub(super) fn assert_exists(&mut self, exists: &Exists) {
        self.out.push_str("(assert ");
        self.exists(exists);
        self.line(")");
    }

    pub(super) fn define_relation(
        &mut self,
        name: &str,
        parameters: &[SymbolId],
        context: Term,
        cases: &[Exists],
    ) {
        let parameters = parameters.iter().map(|symbol| Local::Parameter(*symbol));
        let parameters = self.parameters(parameters);
        self.out.push_str(&format!("(define-fun {name} ({parameters}) Bool (and "));
        self.term(context);
        match cases {
            [] => self.out.push_str("\n  false"),
            [only] => {
                self.out.push_str("\n  ");
                self.exists(only);
            }
            several => {
                self.out.push_str("\n  (or");
                for case in several {
                    self.out.push_str("\n    ");
                    self.exists(case);
                }
                self.out.push(')');
            }
        }
        self.line("))");
    }

    fn exists(&mut self, Exists { symbols, body }: &Exists) {
        if symbols.is_empty() {
            return self.term(*body);
        }
        let variables = symbols.iter().map(|symbol| Local::Parameter(*symbol));
        self.out.push_str(&format!("(exists ({}) ", self.parameters(variables)));
        self.term(*body);
        self.out.push(')');
    }

    /// Defines a part that has a name.
    pub(super) fn define(&mut self, term: Term) {
        let locals = self.sharing.locals(term);
        let name = self.names.named(term);
        let sort = sort_text(self.terms.sort(term));
        let Node::Lambda(binder, body) = self.terms.node(term) else {
            let parameters = self.parameters(locals.iter().copied());
            self.out.push_str(&format!("(define-fun {name} ({parameters}) {sort} "));
            self.node(term);
            return self.line(")");
        };
        let sorts: Vec<String> = locals.iter().map(|local| sort_text(self.sort(*local))).collect();
        self.line(&format!("(declare-fun {name} ({}) {sort})", sorts.join(" ")));
        let variable = Local::Bound(binder.0);
        let variables = self.parameters(locals.iter().copied().chain([variable]));
        let array = self.reference(term);
        let index = self.local(variable);
        self.out.push_str(&format!("(assert (forall ({variables}) (= (select {array} {index}) "));
        self.term(*body);
        self.line(")))");
    }

    fn sort(&self, local: Local) -> Sort {
        match local {
            Local::Bound(_) => Sort::Int,
            Local::Parameter(symbol) => self.terms.symbol(symbol).sort,
        }
    }

    fn local(&self, local: Local) -> &'t str {
        match local {
            Local::Bound(height) => self.names.bound(height),
            Local::Parameter(symbol) => self.names.symbol(symbol),
        }
    }

    /// `(x Int) (t!1 Int)`.
    fn parameters(&self, locals: impl Iterator<Item = Local>) -> String {
        let one = |local| format!("({} {})", self.local(local), sort_text(self.sort(local)));
        locals.map(one).collect::<Vec<_>>().join(" ")
    }

    /// A part that is defined on its own, where it occurs.
    fn reference(&self, term: Term) -> String {
        let name = self.names.named(term);
        let locals = self.sharing.locals(term);
        if locals.is_empty() {
            return name.to_owned();
        }
        let arguments: Vec<&str> = locals.iter().map(|local| self.local(*local)).collect();
        format!("({name} {})", arguments.join(" "))
    }

    fn term(&mut self, term: Term) {
        self.run(vec![Piece::Term(term)]);
    }

    /// A part itself, also if it has a name.
    fn node(&mut self, term: Term) {
        let mut pieces = self.pieces(term);
        pieces.reverse();
        self.run(pieces);
    }

    fn run(&mut self, mut open: Vec<Piece<'t>>) {
        while let Some(piece) = open.pop() {
            match piece {
                Text(text) => self.out.push_str(text),
                Borrowed(text) => self.out.push_str(text),
                Owned(text) => self.out.push_str(&text),
                Piece::Term(term) if self.sharing.is_named(term) => {
                    let reference = self.reference(term);
                    self.out.push_str(&reference);
                }
                Piece::Term(term) => {
                    let first = open.len();
                    open.extend(self.pieces(term));
                    open[first..].reverse();
                }
            }
        }
    }

    fn pieces(&self, term: Term) -> Vec<Piece<'t>> {
        let node = self.terms.node(term);
        if let Some(operation) = sharing::operation(self.terms, node, self.dialect) {
            let mut parts = Vec::new();
            node.for_each_child(|part| parts.push(part));
            return call(Owned(operation.name()), &parts);
        }
        match node {
            Node::Bool(true) => vec![Text("true")],
            Node::Bool(false) => vec![Text("false")],
            Node::Int(value) => vec![Owned(int_text(value))],
            Node::Symbol(symbol) => vec![Borrowed(self.names.symbol(*symbol))],
            Node::Bound(height) => vec![Borrowed(self.names.bound(*height))],
            Node::Sum(sum) => {
                let constant = (!sum.constant.is_zero()).then_some((None, &sum.constant));
                let summands = sum.summands.iter().map(|(monomial, c)| (Some(*monomial), c));
                self.sum(summands.chain(constant).collect())
            }
            Node::Product(factors) => match &factors[..] {
                [(atom, exponent)] if *exponent > SMALL_EXPONENT => raised(*atom, *exponent),
                _ => {
                    let mut pieces = vec![Text("(*")];
                    pieces.extend(factors_of(factors));
                    pieces.push(Text(")"));
                    pieces
                }
            },
            Node::Quotient(Rounding::Euclidean, a, b) => call(Text("div"), &[*a, *b]),
            Node::Remainder(Rounding::Euclidean, a, b) => call(Text("mod"), &[*a, *b]),
            Node::Ite(a, b, c) => call(Text("ite"), &[*a, *b, *c]),
            Node::Select(a, b) => call(Text("select"), &[*a, *b]),
            Node::Store(a, b, c) => call(Text("store"), &[*a, *b, *c]),
            Node::ConstantArray(dimensions, value) => self.constant_array(*dimensions, *value),
            Node::Apply(function, parts) => call(Borrowed(self.names.function(*function)), parts),
            Node::Not(a) => call(Text("not"), &[*a]),
            Node::And(parts) => call(Text("and"), parts),
            Node::Or(parts) => call(Text("or"), parts),
            Node::NonPositive(a) => self.comparison(Relation::NonPositive, *a),
            Node::Zero(a) => self.comparison(Relation::Zero, *a),
            Node::SameArray(a, b) => call(Text("="), &[*a, *b]),
            Node::Quantified(quantifier, binder, parts) => {
                self.quantified(*quantifier, binder.0, parts)
            }
            // Operations, which have been dealt with, arrays by formula, which have names, and ★,
            // which has no form.
            Node::Quotient(..)
            | Node::Remainder(..)
            | Node::Power(..)
            | Node::Wrap(..)
            | Node::Bits(..)
            | Node::Divides(..)
            | Node::Lambda(..)
            | Node::Star(_) => Vec::new(),
        }
    }

    /// `Σ coefficient · monomial`, not empty.
    fn sum(&self, summands: Vec<(Option<Term>, &Integer)>) -> Vec<Piece<'t>> {
        let single = summands.len() == 1;
        let mut pieces = Vec::new();
        if !single {
            pieces.push(Text("(+"));
        }
        for (monomial, coefficient) in summands {
            if !single {
                pieces.push(Text(" "));
            }
            match monomial {
                None => pieces.push(Owned(int_text(coefficient))),
                Some(monomial) => pieces.extend(self.scaled(monomial, coefficient)),
            }
        }
        if !single {
            pieces.push(Text(")"));
        }
        pieces
    }

    fn scaled(&self, monomial: Term, coefficient: &Integer) -> Vec<Piece<'t>> {
        if *coefficient == Integer::ONE {
            return vec![Piece::Term(monomial)];
        }
        if *coefficient == Integer::from(-1) {
            return call(Text("-"), &[monomial]);
        }
        let mut pieces = vec![Owned(format!("(* {}", int_text(coefficient)))];
        match self.terms.node(monomial) {
            Node::Product(factors) if !self.sharing.is_named(monomial) => {
                pieces.extend(factors_of(factors));
            }
            _ => pieces.extend([Text(" "), Piece::Term(monomial)]),
        }
        pieces.push(Text(")"));
        pieces
    }

    fn comparison(&self, relation: Relation, term: Term) -> Vec<Piece<'t>> {
        let comparison = comparison(self.terms, relation, term);
        let sign = if comparison.sign == "==" { "=" } else { comparison.sign };
        let mut pieces = vec![Owned(format!("({sign} "))];
        for (position, side) in [comparison.left, comparison.right].iter().enumerate() {
            if position > 0 {
                pieces.push(Text(" "));
            }
            let signed = |summand: &Summand| match summand.negative {
                true => summand.coefficient.neg(),
                false => summand.coefficient.clone(),
            };
            let values: Vec<Integer> = side.iter().map(signed).collect();
            pieces.extend(self.sum(side.iter().map(|s| s.monomial).zip(&values).collect()));
        }
        pieces.push(Text(")"));
        pieces
    }

    fn constant_array(&self, dimensions: u8, value: Term) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        for dimension in (1..=dimensions).rev() {
            let sort = sort_text(Sort::Array(dimension));
            pieces.push(Owned(format!("((as const {sort}) ")));
        }
        pieces.push(Piece::Term(value));
        pieces.push(Owned(")".repeat(dimensions.into())));
        pieces
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        height: u32,
        [low, high, body]: &[Term; 3],
    ) -> Vec<Piece<'t>> {
        let name = self.names.bound(height);
        let (word, connective) = match quantifier {
            Quantifier::Forall => ("forall", "=>"),
            Quantifier::Exists => ("exists", "and"),
        };
        vec![
            Owned(format!("({word} (({name} Int)) ({connective} (and (<= ")),
            Piece::Term(*low),
            Owned(format!(" {name}) (< {name} ")),
            Piece::Term(*high),
            Text(")) "),
            Piece::Term(*body),
            Text("))"),
        ]
    }
}

/// A function applied to terms; without parentheses if there are none.
fn call<'t>(function: Piece<'t>, parts: &[Term]) -> Vec<Piece<'t>> {
    if parts.is_empty() {
        return vec![function];
    }
    let mut pieces = vec![Text("("), function];
    for part in parts {
        pieces.extend([Text(" "), Piece::Term(*part)]);
    }
    pieces.push(Text(")"));
    pieces
}

fn raised<'t>(atom: Term, exponent: u32) -> Vec<Piece<'t>> {
    call(Owned(Operation::Raise(exponent).name()), &[atom])
}

/// The factors of a product, each with a space before.
fn factors_of<'t>(factors: &[(Term, u32)]) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    for (atom, exponent) in factors {
        if *exponent > SMALL_EXPONENT {
            pieces.push(Text(" "));
            pieces.extend(raised(*atom, *exponent));
        } else {
            for _ in 0..*exponent {
                pieces.extend([Text(" "), Piece::Term(*atom)]);
            }
        }
    }
    pieces
}
