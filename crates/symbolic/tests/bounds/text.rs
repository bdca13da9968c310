//! The value of a bound, read from its text. Recursive, for small texts only, and it stops at anything that it does not expect.

use std::collections::BTreeMap;

/// The value of a text.
pub(crate) fn value(text: &str, names: &BTreeMap<&str, i64>) -> i64 {
    let mut reader = Reader { rest: text, names };
    let value = reader.sum();
    assert_eq!(reader.rest, "", "all of the text is read: {text}");
    value
}

struct Reader<'r> {
    rest: &'r str,
    names: &'r BTreeMap<&'r str, i64>,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(token);
        self.rest = found.unwrap_or(rest).trim_start();
        found.is_some()
    }

    fn sum(&mut self) -> i64 {
        let mut value = self.product();
        loop {
            if self.take("+") {
                value += self.product();
            } else if self.take("-") {
                value -= self.product();
            } else {
                return value;
            }
        }
    }

    fn product(&mut self) -> i64 {
        let mut value = self.power();
        while self.take("*") {
            value *= self.power();
        }
        value
    }

    fn power(&mut self) -> i64 {
        let value = self.primary();
        if self.take("^") {
            return value.pow(u32::try_from(self.primary()).expect("a small exponent"));
        }
        value
    }

    fn quotient(&mut self) -> (i64, i64) {
        let dividend = self.sum();
        assert!(self.take("/"), "a quotient: {}", self.rest);
        (dividend, self.primary())
    }

    fn primary(&mut self) -> i64 {
        if self.take("-") {
            return -self.primary();
        }
        for (name, choose) in [("max(", i64::max as fn(i64, i64) -> i64), ("min(", i64::min)] {
            if self.take(name) {
                let mut value = self.sum();
                while self.take(",") {
                    value = choose(value, self.sum());
                }
                assert!(self.take(")"), "`)`: {}", self.rest);
                return value;
            }
        }
        if self.take("⌈") {
            let (dividend, divisor) = self.quotient();
            assert!(self.take("⌉"), "`⌉`: {}", self.rest);
            return -(-dividend).div_euclid(divisor);
        }
        if self.take("⌊") {
            let (dividend, divisor) = self.quotient();
            assert!(self.take("⌋"), "`⌋`: {}", self.rest);
            return dividend.div_euclid(divisor);
        }
        if self.take("(") {
            let value = self.sum();
            assert!(self.take(")"), "`)`: {}", self.rest);
            return value;
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        match word.parse() {
            Ok(number) => number,
            Err(_) => *self.names.get(word).unwrap_or_else(|| panic!("no name: `{word}`")),
        }
    }
}
