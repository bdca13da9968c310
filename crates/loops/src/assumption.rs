//! Formulas that users write: `0 <= i && i < n`, over the names of a program.
//!
//! Numbers are mathematical integers, also where the program's are not; `/` and `%` are C's. From loose to tight bind `||`, `&&`,
//! comparisons, `+ -`, `* / %`, signs and `!`. It recurses over parentheses, whose depth is limited.

use loupe_integer::Integer;
use loupe_term::{Rounding, Sort, Term, Terms};
use std::collections::BTreeMap;

/// Parentheses nest no deeper.
const DEEPEST: usize = 64;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFormula {
    /// There is no such name.
    #[error("there is no variable `{0}`")]
    Unknown(String),
    /// Something else was expected.
    #[error("expected {expected} before `{found}`")]
    Unexpected {
        /// What.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A number where a truth value is needed, or the other way round.
    #[error("expected {0}")]
    Sort(&'static str),
    /// Parentheses nest too deeply.
    #[error("parentheses nest deeper than {DEEPEST}")]
    TooDeep,
}

/// The names in a text.
///
/// # Errors
///
/// If the text is no formula, whatever the names mean.
pub fn names(text: &str) -> Result<Vec<String>, NoFormula> {
    let mut terms = Terms::new();
    let tokens = tokens(text);
    let mut names: BTreeMap<String, Term> = BTreeMap::new();
    for token in tokens.iter().filter(|token| is_name(token)) {
        names.insert(token.clone(), terms.int_symbol(token));
    }
    read(&mut terms, text, &names)?;
    Ok(names.into_keys().collect())
}

/// The formula of a text.
///
/// # Errors
///
/// If it is none, or there is no such name.
pub fn read(
    terms: &mut Terms,
    text: &str,
    names: &BTreeMap<String, Term>,
) -> Result<Term, NoFormula> {
    let mut reader = Reader { terms, names, tokens: tokens(text), at: 0, depth: 0 };
    let value = reader.or()?;
    match reader.tokens.get(reader.at) {
        Some(_) => Err(reader.unexpected("an operator")),
        None => reader.truth(value),
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, numbers and signs. A name may go on with `->f`, `.f` and `[3]`, as variables of loops are called.
fn tokens(text: &str) -> Vec<String> {
    const SIGNS: [&str; 6] = ["<=", ">=", "==", "!=", "&&", "||"];
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphabetic() || first == '_' {
            name_length(rest)
        } else if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            sign.map_or(first.len_utf8(), |sign| sign.len())
        };
        let (token, more) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = more.trim_start();
    }
    tokens
}

fn name_length(text: &str) -> usize {
    let word = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '@');
    let mut length = word(text).unwrap_or(text.len());
    loop {
        let rest = &text[length..];
        let (dots, end) = match rest {
            _ if rest.starts_with("->") => (2, None),
            _ if rest.starts_with('.') => (1, None),
            _ if rest.starts_with('[') => (1, rest.find(']')),
            _ => return length,
        };
        let inside = &rest[dots..];
        length += match end {
            Some(end) if inside[..end - 1].chars().all(|c| c.is_ascii_digit()) => end + 1,
            Some(_) => return length,
            None if rest.starts_with('[') => return length,
            None => dots + word(inside).unwrap_or(inside.len()),
        };
    }
}

struct Reader<'r> {
    terms: &'r mut Terms,
    names: &'r BTreeMap<String, Term>,
    tokens: Vec<String>,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let is = self.peek() == token;
        self.at += usize::from(is);
        is
    }

    fn unexpected(&self, expected: &'static str) -> NoFormula {
        let found = self.tokens.get(self.at).map_or("the end", String::as_str).to_owned();
        NoFormula::Unexpected { expected, found }
    }

    /// A truth value; a number is true if it is not 0, as in C.
    fn truth(&mut self, value: Term) -> Result<Term, NoFormula> {
        match self.terms.sort(value) {
            Sort::Bool => Ok(value),
            Sort::Int => {
                let zero = self.terms.int(0);
                Ok(self.terms.ne(value, zero))
            }
            Sort::Array(_) => Err(NoFormula::Sort("a number, not an array")),
        }
    }

    fn number(&self, value: Term) -> Result<Term, NoFormula> {
        match self.terms.sort(value) {
            Sort::Int => Ok(value),
            Sort::Bool => Err(NoFormula::Sort("a number, not a truth value")),
            Sort::Array(_) => Err(NoFormula::Sort("a number, not an array")),
        }
    }

    fn or(&mut self) -> Result<Term, NoFormula> {
        let mut value = self.and()?;
        while self.take("||") {
            let more = self.and()?;
            let parts = [self.truth(value)?, self.truth(more)?];
            value = self.terms.or(parts);
        }
        Ok(value)
    }

    fn and(&mut self) -> Result<Term, NoFormula> {
        let mut value = self.comparison()?;
        while self.take("&&") {
            let more = self.comparison()?;
            let parts = [self.truth(value)?, self.truth(more)?];
            value = self.terms.and(parts);
        }
        Ok(value)
    }

    /// One comparison, or several in a row: `0 <= i < n`.
    fn comparison(&mut self) -> Result<Term, NoFormula> {
        let mut left = self.sum()?;
        let mut all = Vec::new();
        loop {
            let sign = self.peek().to_owned();
            if !["<", "<=", ">", ">=", "==", "!="].contains(&sign.as_str()) {
                break;
            }
            self.at += 1;
            let right = self.sum()?;
            let (a, b) = (self.number(left)?, self.number(right)?);
            all.push(match sign.as_str() {
                "<" => self.terms.lt(a, b),
                "<=" => self.terms.le(a, b),
                ">" => self.terms.lt(b, a),
                ">=" => self.terms.le(b, a),
                "==" => self.terms.eq(a, b),
                _ => self.terms.ne(a, b),
            });
            left = right;
        }
        Ok(if all.is_empty() { left } else { self.terms.and(all) })
    }

    fn sum(&mut self) -> Result<Term, NoFormula> {
        let mut value = self.product()?;
        loop {
            let sign = match self.peek() {
                "+" => 1,
                "-" => -1,
                _ => return Ok(value),
            };
            self.at += 1;
            let more = self.product()?;
            let (a, b) = (self.number(value)?, self.number(more)?);
            value = self.terms.add_scaled(a, b, &Integer::from(sign));
        }
    }

    fn product(&mut self) -> Result<Term, NoFormula> {
        let mut value = self.signed()?;
        loop {
            let sign = self.peek().to_owned();
            if !["*", "/", "%"].contains(&sign.as_str()) {
                return Ok(value);
            }
            self.at += 1;
            let more = self.signed()?;
            let (a, b) = (self.number(value)?, self.number(more)?);
            value = match sign.as_str() {
                "*" => self.terms.mul(a, b),
                "/" => self.terms.quotient(Rounding::Truncated, a, b),
                _ => self.terms.remainder(Rounding::Truncated, a, b),
            };
        }
    }

    fn signed(&mut self) -> Result<Term, NoFormula> {
        let (mut minus, mut not) = (false, None);
        loop {
            if self.take("-") {
                minus = !minus;
            } else if self.take("!") {
                not = Some(!not.unwrap_or(false));
            } else {
                break;
            }
        }
        let mut value = self.primary()?;
        if minus {
            value = self.number(value)?;
            value = self.terms.neg(value);
        }
        if let Some(not) = not {
            value = self.truth(value)?;
            if not {
                value = self.terms.not(value);
            }
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<Term, NoFormula> {
        if self.take("(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(NoFormula::TooDeep);
            }
            let value = self.or()?;
            self.depth -= 1;
            return match self.take(")") {
                true => Ok(value),
                false => Err(self.unexpected("`)`")),
            };
        }
        let token = self.peek().to_owned();
        if token.starts_with(|c: char| c.is_ascii_digit())
            && let Ok(number) = token.parse::<Integer>()
        {
            self.at += 1;
            return Ok(self.terms.int(number));
        }
        if is_name(&token) {
            self.at += 1;
            return self.names.get(&token).copied().ok_or(NoFormula::Unknown(token));
        }
        Err(self.unexpected("a number or a name"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(formula: &str) -> Result<String, NoFormula> {
        let mut terms = Terms::new();
        let names = ["i", "n", "p->f", "a[3]"];
        let names = names.map(|name| (name.to_owned(), terms.int_symbol(name))).into();
        read(&mut terms, formula, &names).map(|term| terms.text(term))
    }

    #[test]
    fn formulas_mean_what_they_mean_in_c() {
        assert_eq!(text("0 <= i && i < n").as_deref(), Ok("i >= 0 && i < n"));
        assert_eq!(text("0 <= i < n").as_deref(), Ok("i >= 0 && i < n"));
        assert_eq!(text("!(i < n) || n == 2 * (i - 1)").as_deref(), Ok("n <= i || 2*i == n + 2"));
        assert_eq!(text("p->f > -a[3]").as_deref(), Ok("p->f + a[3] > 0"));
        assert_eq!(text("n - 1 - 1 == i % 2").as_deref(), Ok("n == i % 2 + 2"));
        assert_eq!(text("i").as_deref(), Ok("i != 0"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(text("i < m"), Err(NoFormula::Unknown("m".into())));
        let message = |formula: &str| text(formula).map_err(|error| error.to_string());
        assert_eq!(message("i <"), Err("expected a number or a name before `the end`".into()));
        assert_eq!(message("(i < n"), Err("expected `)` before `the end`".into()));
        assert_eq!(message("i < n n"), Err("expected an operator before `n`".into()));
        assert_eq!(message("(i < n) + 1"), Err("expected a number, not a truth value".into()));
        assert_eq!(message(""), Err("expected a number or a name before `the end`".into()));
        assert!(matches!(text(&"(".repeat(100)), Err(NoFormula::TooDeep)));
        assert!(text("a[").is_err() && text("a[i]").is_err() && text("é→").is_err());
    }

    #[test]
    fn names_are_found() {
        assert_eq!(names("p->f < n").as_deref(), Ok(&["n".to_owned(), "p->f".to_owned()][..]));
        assert!(names("p->f <").is_err());
    }
}
