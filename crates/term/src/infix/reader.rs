//! The value of a printed term, read from its text: wrong parentheses give a wrong value. Recursive,
//! for small texts only, and it stops at anything that it does not expect.

use crate::{BitOp, Rounding, Width, eval, rules};
use loupe_integer::{Integer, Signedness};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value; arrays and functions are functions.
#[derive(Clone)]
pub(super) enum Read {
    Bool(bool),
    Int(Integer),
    Array(Rc<dyn Fn(&Integer) -> Read>),
    Function(Function),
}

type Function = Rc<dyn Fn(&[Integer]) -> Integer>;

impl Read {
    fn int(self) -> Integer {
        match self {
            Read::Int(value) => value,
            _ => panic!("an integer is needed"),
        }
    }

    pub(super) fn bool(self) -> bool {
        match self {
            Read::Bool(value) => value,
            _ => panic!("a truth value is needed"),
        }
    }
}

pub(super) type Environment = BTreeMap<String, Read>;

/// The value of a text.
pub(super) fn read(text: &str, environment: &Environment) -> Read {
    let tokens = Rc::new(tokens(text));
    let mut reader = Reader { tokens, at: 0, environment: environment.clone() };
    let value = reader.expression();
    assert_eq!(reader.at, reader.tokens.len(), "all of the text is read: {text}");
    value
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if let Some(sign) =
            ["<=", ">=", "==", "!=", "&&", "||", ":="].iter().find(|sign| rest.starts_with(**sign))
        {
            sign.len()
        } else {
            first.len_utf8()
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

#[derive(Clone)]
struct Reader {
    tokens: Rc<Vec<String>>,
    at: usize,
    environment: Environment,
}

impl Reader {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.take(token), "{token} expected, not {}", self.peek());
    }

    fn word(&mut self) -> String {
        let word = self.peek().to_owned();
        self.at += 1;
        word
    }

    fn expression(&mut self) -> Read {
        match self.peek() {
            "forall" => self.quantified(false),
            "exists" => self.quantified(true),
            "fun" => self.lambda(),
            _ => self.or(),
        }
    }

    fn quantified(&mut self, decisive: bool) -> Read {
        self.word();
        let name = self.word();
        self.expect("in");
        self.expect("[");
        let mut value = self.expression().int();
        self.expect(",");
        let high = self.expression().int();
        self.expect(")");
        self.expect(".");
        let mut body = self.clone();
        body.environment.insert(name.clone(), Read::Int(value.clone()));
        body.expression();
        let end = body.at;
        let mut result = !decisive;
        while value < high {
            let mut body = self.clone();
            body.environment.insert(name.clone(), Read::Int(value.clone()));
            if body.expression().bool() == decisive {
                result = decisive;
            }
            value = value.add(&Integer::ONE);
        }
        self.at = end;
        Read::Bool(result)
    }

    fn lambda(&mut self) -> Read {
        self.word();
        let name = self.word();
        self.expect(".");
        let body = self.clone();
        let at = move |index: &Integer| {
            let mut body = body.clone();
            body.environment.insert(name.clone(), Read::Int(index.clone()));
            (body.expression(), body.at)
        };
        self.at = at(&Integer::ZERO).1;
        Read::Array(Rc::new(move |index| at(index).0))
    }

    fn or(&mut self) -> Read {
        let mut value = self.and();
        while self.take("||") {
            let more = self.and().bool();
            value = Read::Bool(value.bool() || more);
        }
        value
    }

    fn and(&mut self) -> Read {
        let mut value = self.comparison();
        while self.take("&&") {
            let more = self.comparison().bool();
            value = Read::Bool(value.bool() && more);
        }
        value
    }

    fn comparison(&mut self) -> Read {
        let left = self.sum();
        let sign = self.peek().to_owned();
        if !["<=", "<", ">=", ">", "==", "!=", "|"].contains(&sign.as_str()) {
            return left;
        }
        self.at += 1;
        let (left, right) = (left.int(), self.sum().int());
        Read::Bool(match sign.as_str() {
            "<=" => left <= right,
            "<" => left < right,
            ">=" => left >= right,
            ">" => left > right,
            "==" => left == right,
            "!=" => left != right,
            _ => right.rem_euclidean(&left).is_some_and(|rest| rest.is_zero()),
        })
    }

    fn sum(&mut self) -> Read {
        let mut value = self.product();
        loop {
            value = match self.peek() {
                "+" => Read::Int(value.int().add(&self.next(Self::product))),
                "-" => Read::Int(value.int().sub(&self.next(Self::product))),
                _ => return value,
            };
        }
    }

    fn next(&mut self, read: fn(&mut Self) -> Read) -> Integer {
        self.at += 1;
        read(self).int()
    }

    fn product(&mut self) -> Read {
        use Rounding::{Euclidean, Truncated};
        let mut value = self.signed();
        loop {
            let sign = self.peek().to_owned();
            if !["*", "/", "%", "div", "mod"].contains(&sign.as_str()) {
                return value;
            }
            let (a, b) = (value.int(), self.next(Self::signed));
            value = Read::Int(match sign.as_str() {
                "*" => a.mul(&b),
                "/" => rules::quotient(Truncated, &a, &b),
                "%" => rules::remainder(Truncated, &a, &b),
                "div" => rules::quotient(Euclidean, &a, &b),
                _ => rules::remainder(Euclidean, &a, &b),
            });
        }
    }

    fn signed(&mut self) -> Read {
        if self.take("-") {
            return Read::Int(self.signed().int().neg());
        }
        if self.take("!") {
            return Read::Bool(!self.signed().bool());
        }
        let base = self.closed();
        if self.take("^") {
            let (base, exponent) = (base.int(), self.closed().int());
            return Read::Int(rules::power(&base, &exponent).expect("a small power"));
        }
        base
    }

    fn closed(&mut self) -> Read {
        let mut value = self.primary();
        while self.take("[") {
            let Read::Array(array) = value else { panic!("an array is needed") };
            let index = self.expression().int();
            value = if self.take(":=") {
                let written = self.expression();
                Read::Array(Rc::new(
                    move |at| {
                        if *at == index { written.clone() } else { array(at) }
                    },
                ))
            } else {
                array(&index)
            };
            self.expect("]");
        }
        value
    }

    fn primary(&mut self) -> Read {
        if self.take("(") {
            let value = self.expression();
            self.expect(")");
            return value;
        }
        let word = self.word();
        if let Ok(value) = word.parse() {
            return Read::Int(value);
        }
        if !self.take("(") {
            return match word.as_str() {
                "true" => Read::Bool(true),
                "false" => Read::Bool(false),
                _ => self.environment.get(&word).cloned().unwrap_or_else(|| panic!("{word}?")),
            };
        }
        let mut arguments = vec![self.expression()];
        while self.take(",") {
            arguments.push(self.expression());
        }
        self.expect(")");
        match self.environment.get(&word) {
            Some(Read::Function(function)) => {
                Read::Int(function(&arguments.into_iter().map(Read::int).collect::<Vec<_>>()))
            }
            _ => call(&word, arguments),
        }
    }
}

fn call(name: &str, arguments: Vec<Read>) -> Read {
    let mut arguments = arguments.into_iter();
    let mut next = || arguments.next().expect("an argument");
    if let Some(width) = width(name) {
        return Read::Int(next().int().wrap(width.bits, width.signedness));
    }
    if let Some((op, width)) = name.split_once('_').and_then(|(op, w)| Some((op, width(w)?))) {
        let op = match op {
            "and" => BitOp::And,
            "or" => BitOp::Or,
            "xor" => BitOp::Xor,
            "shl" => BitOp::Shl,
            "shr" => BitOp::Shr,
            _ => panic!("{op}?"),
        };
        return Read::Int(eval::bits(op, width, &next().int(), &next().int()));
    }
    match name {
        "ite" => {
            let (condition, then, otherwise) = (next().bool(), next(), next());
            if condition { then } else { otherwise }
        }
        "max" => Read::Int(next().int().max(next().int())),
        "min" => Read::Int(next().int().min(next().int())),
        "abs" => {
            let value = next().int();
            Read::Int(if value.is_negative() { value.neg() } else { value })
        }
        "const" => {
            let value = next();
            Read::Array(Rc::new(move |_| value.clone()))
        }
        _ => panic!("{name}?"),
    }
}

fn width(name: &str) -> Option<Width> {
    let (sign, bits) = name.split_at_checked(1)?;
    let signedness = match sign {
        "u" => Signedness::Unsigned,
        "i" => Signedness::Signed,
        _ => return None,
    };
    Some(Width { bits: bits.parse().ok()?, signedness })
}
