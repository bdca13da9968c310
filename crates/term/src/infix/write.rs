//! Printing with a stack of what is still to be printed.

use super::names::Names;
use super::shape::{self, Extremum, Relation, Summand};
use crate::arena::Terms;
use crate::node::{BitOp, Node, Quantifier, Rounding, Sum, Term, Width};
use loupe_integer::{Integer, Signedness};
use std::collections::BTreeMap;

/// How tightly a text holds together. What is needed in a place stands in parentheses unless it holds
/// at least so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Anything,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Signed,
    Power,
    Closed,
}

/// What is still to be printed.
enum Piece {
    Text(&'static str),
    Owned(String),
    Term(Term, Level),
    /// From here on the variable of this height has a name.
    Enter(u32, Kind),
    Leave(u32, Kind),
}

use Piece::{Owned, Text};

/// What variables are called after.
#[derive(Clone, Copy)]
enum Kind {
    Index,
    Argument,
}

/// Names for variables: the n-th is that of the n-th binder of its kind around a place. No free symbol
/// has one of them.
#[derive(Default)]
struct Variables {
    names: Vec<String>,
    depth: usize,
}

impl Variables {
    /// The name of the next binder's variable.
    fn next(&mut self, kind: Kind, names: &Names) -> String {
        let (first, more): (&str, &[&str]) = match kind {
            Kind::Index => ("t", &["u", "v", "w"]),
            Kind::Argument => ("χ", &[]),
        };
        if self.names.len() <= self.depth {
            let plain = std::iter::once(&first).chain(more).map(|name| (*name).to_owned());
            let mut candidates = plain.chain((1u64..).map(|number| format!("{first}{number}")));
            // The candidates do not end, and only finitely many are taken.
            let taken = |name: &String| names.has(name) || self.names.contains(name);
            self.names.extend(candidates.find(|name| !taken(name)));
        }
        self.names.get(self.depth).cloned().unwrap_or_default()
    }
}

/// The text of a term, cut after `limit` characters.
pub(super) fn write(terms: &Terms, names: &Names, term: Term, limit: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let (bound, variables) = (BTreeMap::new(), Default::default());
    let mut writer = Writer { terms, names, bound, variables };
    let mut open = vec![Piece::Term(term, Level::Anything)];
    // Each step prints something or goes down to a part that is printed first, so the work is at most
    // the limit and the size of the graph.
    while let Some(piece) = open.pop() {
        let text: &str = match &piece {
            Text(text) => text,
            Owned(text) => text,
            Piece::Term(term, needed) => {
                let mut pieces = writer.pieces(*term, *needed);
                pieces.reverse();
                open.append(&mut pieces);
                continue;
            }
            Piece::Enter(height, kind) => {
                let name = writer.next(*kind);
                writer.bound.insert(*height, name);
                writer.variables[*kind as usize].depth += 1;
                continue;
            }
            Piece::Leave(height, kind) => {
                writer.bound.remove(height);
                writer.variables[*kind as usize].depth -= 1;
                continue;
            }
        };
        let characters = text.chars().count();
        if characters > limit - length {
            out.extend(text.chars().take(limit - length));
            out.push('…');
            return out;
        }
        length += characters;
        out.push_str(text);
    }
    out
}

struct Writer<'t> {
    terms: &'t Terms,
    names: &'t Names,
    /// The names of the variables of the binders around. Binders in a body have smaller heights, so
    /// that each height has one name at a time.
    bound: BTreeMap<u32, String>,
    variables: [Variables; 2],
}

impl Writer<'_> {
    fn next(&mut self, kind: Kind) -> String {
        self.variables[kind as usize].next(kind, self.names)
    }

    fn pieces(&mut self, term: Term, needed: Level) -> Vec<Piece> {
        let (level, mut pieces) = self.parts(term);
        if level < needed {
            pieces.insert(0, Text("("));
            pieces.push(Text(")"));
        }
        pieces
    }

    /// What a term is printed as, and how tightly that holds together.
    fn parts(&mut self, term: Term) -> (Level, Vec<Piece>) {
        let show = |term: &Term, level| Piece::Term(*term, level);
        let any = |term: &Term| Piece::Term(*term, Level::Anything);
        match self.terms.node(term) {
            Node::Bool(value) => (Level::Closed, vec![Owned(value.to_string())]),
            Node::Int(value) => (number_level(value), vec![Owned(value.to_string())]),
            Node::Symbol(symbol) => {
                (Level::Closed, vec![Owned(self.names.symbol(self.terms, *symbol))])
            }
            Node::Bound(height) => {
                // A body on its own has variables whose binder is not seen.
                let name = self.bound.get(height).cloned();
                (Level::Closed, vec![Owned(name.unwrap_or_else(|| format!("#{height}")))])
            }
            Node::Star(_) => (Level::Closed, vec![Text("★")]),
            Node::Sum(sum) => self.sum(sum),
            Node::Product(factors) => (product_level(factors), product(factors)),
            Node::Quotient(Rounding::Truncated, a, b) => self.division(" / ", *a, *b),
            Node::Quotient(Rounding::Euclidean, a, b) => self.division(" div ", *a, *b),
            Node::Remainder(Rounding::Truncated, a, b) => self.division(" % ", *a, *b),
            Node::Remainder(Rounding::Euclidean, a, b) => self.division(" mod ", *a, *b),
            Node::Power(base, exponent) => {
                let base = if base.is_negative() { format!("({base})") } else { base.to_string() };
                (Level::Power, vec![Owned(base), Text("^"), show(exponent, Level::Closed)])
            }
            Node::Wrap(width, a) => call(width_name(*width), &[*a]),
            Node::Bits(op, width, a, b) => {
                call(format!("{}_{}", bit_op_name(*op), width_name(*width)), &[*a, *b])
            }
            Node::Ite(c, a, b) => match shape::extremum(self.terms, *c, *a, *b) {
                Some(Extremum::Max(a, b)) => call("max".into(), &[a, b]),
                Some(Extremum::Min(a, b)) => call("min".into(), &[a, b]),
                Some(Extremum::Absolute(a)) => call("abs".into(), &[a]),
                Some(Extremum::MinusAbsolute(a)) => (Level::Signed, call("-abs".into(), &[a]).1),
                None => call("ite".into(), &[*c, *a, *b]),
            },
            Node::Select(array, index) => {
                let pieces = vec![show(array, Level::Closed), Text("["), any(index), Text("]")];
                (Level::Closed, pieces)
            }
            Node::Store(array, index, value) => {
                let [open, becomes, close] = ["[", " := ", "]"].map(Text);
                let array = show(array, Level::Closed);
                (Level::Closed, vec![array, open, any(index), becomes, any(value), close])
            }
            Node::ConstantArray(1, value) => call("const".into(), &[*value]),
            Node::ConstantArray(n, value) => call(format!("const_{n}"), &[*value]),
            Node::Lambda(binder, body) => {
                let head = Owned(format!("fun {}. ", self.next(Kind::Argument)));
                let enter = Piece::Enter(binder.0, Kind::Argument);
                let leave = Piece::Leave(binder.0, Kind::Argument);
                (Level::Anything, vec![head, enter, any(body), leave])
            }
            Node::Apply(function, parts) => call(self.names.function(self.terms, *function), parts),
            Node::Not(a) => self.negation(*a),
            Node::And(parts) => (Level::And, list(" && ", parts, Level::Comparison)),
            Node::Or(parts) => (Level::Or, list(" || ", parts, Level::And)),
            Node::NonPositive(a) => self.comparison(Relation::NonPositive, *a),
            Node::Zero(a) => self.comparison(Relation::Zero, *a),
            Node::Divides(divisor, a) => {
                let divisor = Owned(format!("{divisor} | "));
                (Level::Comparison, vec![divisor, show(a, Level::Sum)])
            }
            Node::SameArray(a, b) => equality(" == ", *a, *b),
            Node::Quantified(quantifier, binder, [low, high, body]) => {
                let name = self.next(Kind::Index);
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let mut pieces = vec![Owned(format!("{word} {name} in ["))];
                pieces.extend([any(low), Text(", "), any(high), Text("). ")]);
                let enter = Piece::Enter(binder.0, Kind::Index);
                pieces.extend([enter, any(body), Piece::Leave(binder.0, Kind::Index)]);
                (Level::Anything, pieces)
            }
        }
    }

    fn negation(&self, term: Term) -> (Level, Vec<Piece>) {
        match self.terms.node(term) {
            Node::Zero(a) => self.comparison(Relation::NotZero, *a),
            Node::SameArray(a, b) => equality(" != ", *a, *b),
            _ => (Level::Closed, vec![Text("!"), Piece::Term(term, Level::Closed)]),
        }
    }

    fn sum(&self, sum: &Sum) -> (Level, Vec<Piece>) {
        let summands = shape::summands(self.terms, sum);
        let level = if summands.len() == 1 { Level::Product } else { Level::Sum };
        (level, self.signed(&summands))
    }

    fn signed(&self, summands: &[Summand]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (position, Summand { negative, coefficient, monomial }) in summands.iter().enumerate() {
            pieces.push(Text(match (position, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            }));
            let Some(monomial) = monomial else {
                pieces.push(Owned(coefficient.to_string()));
                continue;
            };
            if *coefficient != Integer::ONE {
                pieces.push(Owned(format!("{coefficient}*")));
            }
            // A quotient behind a coefficient or a sign would be read as (c·x) / y.
            let alone = *coefficient == Integer::ONE && !(position == 0 && *negative);
            let needed = match self.terms.node(*monomial) {
                Node::Quotient(..) | Node::Remainder(..) if alone => Level::Product,
                Node::Product(..) => Level::Product,
                _ if alone && position == 0 => Level::Product,
                _ => Level::Power,
            };
            pieces.push(Piece::Term(*monomial, needed));
        }
        pieces
    }

    fn division(&self, sign: &'static str, a: Term, b: Term) -> (Level, Vec<Piece>) {
        let signed = match self.terms.node(a) {
            Node::Int(value) => value.is_negative(),
            Node::Sum(sum) => sum.summands.iter().all(|(_, factor)| factor.is_negative()),
            _ => false,
        };
        // -x / y would be right too, but one has to think about it.
        let left = Piece::Term(a, if signed { Level::Power } else { Level::Product });
        (Level::Product, vec![left, Text(sign), Piece::Term(b, Level::Signed)])
    }

    fn comparison(&self, relation: Relation, term: Term) -> (Level, Vec<Piece>) {
        let comparison = shape::comparison(self.terms, relation, term);
        let mut pieces = self.signed(&comparison.left);
        pieces.push(Owned(format!(" {} ", comparison.sign)));
        pieces.extend(self.signed(&comparison.right));
        (Level::Comparison, pieces)
    }
}

fn number_level(value: &Integer) -> Level {
    if value.is_negative() { Level::Signed } else { Level::Closed }
}

fn product_level(factors: &[(Term, u32)]) -> Level {
    match factors {
        [_] => Level::Power,
        _ => Level::Product,
    }
}

fn product(factors: &[(Term, u32)]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (position, (atom, exponent)) in factors.iter().enumerate() {
        if position > 0 {
            pieces.push(Text("*"));
        }
        if *exponent == 1 {
            pieces.push(Piece::Term(*atom, Level::Power));
        } else {
            pieces.push(Piece::Term(*atom, Level::Closed));
            pieces.push(Owned(format!("^{exponent}")));
        }
    }
    pieces
}

fn equality(sign: &'static str, a: Term, b: Term) -> (Level, Vec<Piece>) {
    let show = |term| Piece::Term(term, Level::Sum);
    (Level::Comparison, vec![show(a), Text(sign), show(b)])
}

fn list(between: &'static str, parts: &[Term], level: Level) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(2 * parts.len());
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            pieces.push(Text(between));
        }
        pieces.push(Piece::Term(*part, level));
    }
    pieces
}

fn call(name: String, parts: &[Term]) -> (Level, Vec<Piece>) {
    let mut pieces = vec![Owned(name), Text("(")];
    pieces.extend(list(", ", parts, Level::Anything));
    pieces.push(Text(")"));
    (Level::Closed, pieces)
}

/// `u32`, `i8`.
pub(crate) fn width_name(width: Width) -> String {
    let sign = match width.signedness {
        Signedness::Signed => 'i',
        Signedness::Unsigned => 'u',
    };
    format!("{sign}{}", width.bits)
}

/// `and`, `shl`.
pub(crate) fn bit_op_name(op: BitOp) -> &'static str {
    match op {
        BitOp::And => "and",
        BitOp::Or => "or",
        BitOp::Xor => "xor",
        BitOp::Shl => "shl",
        BitOp::Shr => "shr",
    }
}
