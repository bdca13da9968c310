//! Loops as text: `x < n && z > x -> x := x + 1 ; x >= n -> exit`. A variable that is not updated keeps its value.

use loupe_integer::Signedness;
use loupe_loops::{End, Fresh, FreshKind, Loop, Path, Precision, Variable};
use loupe_term::{Rounding, Term, Terms, Width};
use std::collections::BTreeMap;

/// A loop with its names.
pub(crate) struct Parsed {
    pub(crate) problem: Loop,
    pub(crate) names: BTreeMap<String, Term>,
}

/// Reads a loop. `variables` are what may change, `invariants` what does not; `in0`, `in1`, … are inputs.
pub(crate) fn parse(terms: &mut Terms, variables: &[(&str, Option<Width>)], text: &str) -> Parsed {
    let mut names = BTreeMap::new();
    let mut problem = Loop::default();
    for (name, width) in variables {
        let symbol = terms.int_symbol(name);
        names.insert(name.to_string(), symbol);
        problem.variables.push(Variable { symbol, name: name.to_string() });
        if let Some(width) = width {
            problem.facts.extend(range(terms, symbol, *width));
        }
    }
    for line in text.split(';').map(str::trim).filter(|line| !line.is_empty()) {
        let (guard, action) = line.split_once("->").expect("a path has an arrow");
        let mut reader =
            Reader { tokens: tokens(guard), at: 0, terms, names: &mut names, fresh: Vec::new() };
        let guard = reader.any();
        let mut updates: Vec<Term> = problem.variables.iter().map(|v| v.symbol).collect();
        let mut end = End::Again;
        let mut fresh = reader.fresh.clone();
        for part in action.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            if let Some(number) = part.strip_prefix("exit") {
                let number = number.trim().parse().unwrap_or(0);
                problem.exits = problem.exits.max(number + 1);
                end = End::Exit(number);
                continue;
            }
            let (name, value) = part.split_once(":=").expect("an update");
            let at = variables.iter().position(|(v, _)| *v == name.trim()).expect("a variable");
            let mut reader =
                Reader { tokens: tokens(value), at: 0, terms, names: &mut names, fresh };
            updates[at] = reader.any();
            fresh = reader.fresh;
        }
        let fresh =
            fresh.into_iter().map(|symbol| Fresh { symbol, kind: FreshKind::Input }).collect();
        problem.paths.push(Path {
            guard,
            updates,
            fresh,
            end,
            precision: Precision::Exact,
            label: line.to_string(),
        });
    }
    // Paths that part after a reading have its symbol in common.
    names.retain(|name, _| !name.starts_with("in"));
    Parsed { problem, names }
}

/// That a value is in the range of a type.
pub(crate) fn range(terms: &mut Terms, value: Term, width: Width) -> [Term; 2] {
    let (low, high) = bounds(width);
    let (low, high) = (terms.int(low), terms.int(high));
    [terms.le(low, value), terms.le(value, high)]
}

pub(crate) fn bounds(width: Width) -> (i128, i128) {
    match width.signedness {
        Signedness::Signed => (-(1 << (width.bits - 1)), (1 << (width.bits - 1)) - 1),
        Signedness::Unsigned => (0, (1 << width.bits) - 1),
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let word = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count();
        let two = ["<=", ">=", "==", "!=", "&&", "||"].iter().any(|op| rest.starts_with(op));
        let length = if word > 0 {
            word
        } else if two {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    tokens
}

struct Reader<'r> {
    tokens: Vec<String>,
    at: usize,
    terms: &'r mut Terms,
    names: &'r mut BTreeMap<String, Term>,
    fresh: Vec<Term>,
}

impl Reader<'_> {
    fn any(&mut self) -> Term {
        let term = self.level(0);
        assert_eq!(self.at, self.tokens.len(), "left over in {:?}", self.tokens);
        term
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn level(&mut self, level: usize) -> Term {
        const LEVELS: [&[&str]; 5] =
            [&["||"], &["&&"], &["<", "<=", ">", ">=", "==", "!="], &["+", "-"], &["*", "/", "%"]];
        let Some(operators) = LEVELS.get(level) else { return self.atom() };
        let mut left = self.level(level + 1);
        while operators.contains(&self.peek()) {
            let operator = self.peek().to_string();
            self.at += 1;
            let right = self.level(level + 1);
            let terms = &mut *self.terms;
            left = match operator.as_str() {
                "||" => terms.or([left, right]),
                "&&" => terms.and([left, right]),
                "<" => terms.lt(left, right),
                "<=" => terms.le(left, right),
                ">" => terms.lt(right, left),
                ">=" => terms.le(right, left),
                "==" => terms.eq(left, right),
                "!=" => terms.ne(left, right),
                "+" => terms.add(left, right),
                "-" => terms.sub(left, right),
                "*" => terms.mul(left, right),
                "/" => terms.quotient(Rounding::Truncated, left, right),
                _ => terms.remainder(Rounding::Truncated, left, right),
            };
        }
        left
    }

    fn atom(&mut self) -> Term {
        let token = self.peek().to_string();
        self.at += 1;
        match token.as_str() {
            "-" => {
                let inner = self.atom();
                self.terms.neg(inner)
            }
            "!" => {
                let inner = self.atom();
                self.terms.not(inner)
            }
            "(" => {
                let inner = self.level(0);
                self.at += 1;
                inner
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                let number: i64 = token.parse().expect("a number");
                self.terms.int(number)
            }
            _ if self.peek() == "(" => {
                self.at += 1;
                let inner = self.level(0);
                self.at += 1;
                self.terms.wrap(width(&token), inner)
            }
            "true" => self.terms.bool(true),
            _ => {
                let terms = &mut *self.terms;
                let symbol =
                    *self.names.entry(token.clone()).or_insert_with(|| terms.int_symbol(&token));
                if token.starts_with("in") && !self.fresh.contains(&symbol) {
                    self.fresh.push(symbol);
                }
                symbol
            }
        }
    }
}

/// `u8`, `i32`, …
pub(crate) fn width(text: &str) -> Width {
    let signedness = if text.starts_with('u') { Signedness::Unsigned } else { Signedness::Signed };
    Width { bits: text[1..].parse().expect("a width"), signedness }
}
