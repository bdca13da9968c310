//! Summaries for people, in the names of the program.
//!
//! A trace is written as paths with how often they are taken: `p1^(n - i) p2` is path 1 until `i` is `n`, and then the way out;
//! `(p2 p1)^k` are rounds. Quotients are written as `⌈(n - i)/2⌉` and `⌊n/3⌋`, as one would on paper.

use crate::problem::Loop;
use crate::summary::{Case, Divergence, Repeated, Segment, Summary};
use loupe_integer::Integer;
use loupe_term::{Context, Names, Node, Polynomial, Rounding, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Longer formulas are cut.
const LONGEST: usize = 600;

/// How values of a loop are called, and what is known of them.
#[derive(Debug)]
pub struct Words<'w> {
    problem: &'w Loop,
    names: BTreeMap<SymbolId, String>,
    /// What holds at the header: nobody wants to read that in every path.
    known: Context,
    /// What holds at entry.
    at_entry: Context,
}

impl<'w> Words<'w> {
    /// Names for all symbols of a loop and its summary. Those of its variables come first, then the given ones; others have
    /// their own.
    pub fn new(
        terms: &mut Terms,
        problem: &'w Loop,
        summary: Option<&Summary>,
        given: &BTreeMap<SymbolId, String>,
    ) -> Self {
        let mut known = Context::new();
        for fact in &problem.facts {
            known.assume(terms, *fact);
        }
        let mut at_entry = known.clone();
        for fact in &problem.entry {
            at_entry.assume(terms, *fact);
        }
        let mut words = Words { problem, names: BTreeMap::new(), known, at_entry };
        let mut used = Taken::default();
        for variable in &problem.variables {
            if let Node::Symbol(symbol) = terms.node(variable.symbol) {
                words.names.insert(*symbol, used.unused(&variable.name));
            }
        }
        let mut occurring = BTreeSet::new();
        for root in all_terms(problem, summary) {
            occurring.extend(terms.free_symbols(root));
        }
        let (first, others): (Vec<SymbolId>, Vec<SymbolId>) =
            occurring.into_iter().partition(|symbol| given.contains_key(symbol));
        for symbol in first.into_iter().chain(others) {
            let name = given.get(&symbol).unwrap_or(&terms.symbol(symbol).name);
            words.names.entry(symbol).or_insert_with(|| used.unused(name));
        }
        words
    }

    /// A formula over values at the header, without what holds anyway.
    pub fn formula(&self, terms: &mut Terms, formula: Term) -> String {
        let simpler = self.known.clone().simplify(terms, formula);
        self.display(terms, simpler)
    }

    /// A formula over values at entry, without what holds anyway.
    pub fn condition(&self, terms: &mut Terms, formula: Term) -> String {
        let simpler = self.at_entry.clone().simplify(terms, formula);
        self.display(terms, simpler)
    }

    /// A value over values at entry.
    pub fn value_at_entry(&self, terms: &mut Terms, value: Term) -> String {
        let simpler = self.at_entry.clone().simplify(terms, value);
        self.value(terms, simpler)
    }

    /// A value.
    pub fn value(&self, terms: &mut Terms, value: Term) -> String {
        let (rounded, texts) = self.rounded(terms, value);
        self.display_with(terms, rounded, &texts)
    }

    /// `x = x + 1` for each variable that has another value.
    pub fn changes(&self, terms: &mut Terms, values: &[Term]) -> Vec<String> {
        let changed = self.problem.variables.iter().zip(values);
        let changed = changed.filter(|(variable, value)| variable.symbol != **value);
        let changed: Vec<(Term, Term)> = changed.map(|(v, value)| (v.symbol, *value)).collect();
        let line = |(symbol, value): (Term, Term)| {
            format!("{} = {}", self.display(terms, symbol), self.value(terms, value))
        };
        changed.into_iter().map(line).collect()
    }

    /// What is executed in a case.
    pub fn trace(&self, terms: &mut Terms, case: &Case) -> String {
        let mut text = self.segments(terms, &case.trace);
        if !text.is_empty() {
            text.push(' ');
        }
        text + &format!("p{}", case.last + 1)
    }

    /// What is executed before a loop never ends, and what is executed then.
    pub fn endless_trace(&self, terms: &mut Terms, divergence: &Divergence) -> String {
        let mut text = self.segments(terms, &divergence.trace);
        if !text.is_empty() {
            text.push(' ');
        }
        let forever = match &divergence.forever {
            Repeated::Path(path) => format!("p{}", path + 1),
            Repeated::Round(parts) => format!("({})", self.segments(terms, parts)),
            Repeated::OneOf(paths) => one_of(paths),
        };
        text + &forever + "^∞"
    }

    fn segments(&self, terms: &mut Terms, segments: &[Segment]) -> String {
        /// What is still to be written.
        enum Piece<'s> {
            Segment(&'s Segment),
            Text(String),
        }
        let spaced = |segments| {
            let pieces = Iterator::map(segments, Piece::Segment);
            pieces.flat_map(|piece| [piece, Piece::Text(" ".to_owned())])
        };
        let mut open: Vec<Piece<'_>> = spaced(segments.iter()).collect();
        open.pop();
        open.reverse();
        let mut out = String::new();
        while let Some(piece) = open.pop() {
            let segment = match piece {
                Piece::Text(text) => {
                    out += &text;
                    continue;
                }
                Piece::Segment(segment) => segment,
            };
            let count = self.exponent(terms, segment.count);
            match &segment.what {
                Repeated::Path(path) => out += &format!("p{}{count}", path + 1),
                Repeated::OneOf(paths) => out += &format!("{}{count}", one_of(paths)),
                Repeated::Round(parts) => {
                    out.push('(');
                    open.push(Piece::Text(format!("){count}")));
                    let mut pieces: Vec<Piece<'_>> = spaced(parts.iter()).collect();
                    pieces.pop();
                    open.extend(pieces.into_iter().rev());
                }
            }
        }
        out
    }

    fn exponent(&self, terms: &mut Terms, count: Term) -> String {
        if terms.as_int(count) == Some(&Integer::ONE) {
            return String::new();
        }
        let text = self.value(terms, count);
        let is_closed = matches!(terms.node(count), Node::Symbol(_) | Node::Int(_))
            || (text.starts_with('⌈') && text.ends_with('⌉') && text.matches('⌈').count() == 1)
            || (text.starts_with('⌊') && text.ends_with('⌋') && text.matches('⌊').count() == 1);
        if is_closed { format!("^{text}") } else { format!("^({text})") }
    }

    fn display(&self, terms: &Terms, term: Term) -> String {
        self.display_with(terms, term, &BTreeMap::new())
    }

    fn display_with(&self, terms: &Terms, term: Term, more: &BTreeMap<SymbolId, String>) -> String {
        let mut given = more.clone();
        for symbol in terms.free_symbols(term) {
            if let Some(name) = self.names.get(&symbol) {
                given.insert(symbol, name.clone());
            }
        }
        let names = Names::with(terms, [term], &given);
        terms.display(term, &names).limited(LONGEST).to_string()
    }

    /// The value with symbols in place of quotients by constants, and how those are written.
    fn rounded(&self, terms: &mut Terms, value: Term) -> (Term, BTreeMap<SymbolId, String>) {
        let mut quotients =
            Quotients { words: self, texts: BTreeMap::new(), known: FxHashMap::default() };
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for part in terms.post_order(value) {
            let mapped = match terms.node(part).clone() {
                Node::Sum(sum) => quotients.sum(terms, &sum, &new),
                Node::Product(factors) => {
                    let mut product = terms.int(1);
                    for (atom, exponent) in factors {
                        let atom = new.get(&atom).copied().unwrap_or(atom);
                        let power = terms.pow(atom, exponent);
                        product = terms.mul(product, power);
                    }
                    product
                }
                Node::Quotient(..) => match terms.exact_quotient(part) {
                    Some((dividend, divisor)) => {
                        let dividend = terms.from_polynomial(dividend);
                        quotients.fraction(terms, dividend, &divisor)
                    }
                    None => quotients.write(terms, part, Sign::Plus).unwrap_or(part),
                },
                Node::Ite(condition, then, otherwise) => {
                    let then = new.get(&then).copied().unwrap_or(then);
                    let otherwise = new.get(&otherwise).copied().unwrap_or(otherwise);
                    terms.ite(condition, then, otherwise)
                }
                _ => part,
            };
            new.insert(part, mapped);
        }
        (new.get(&value).copied().unwrap_or(value), quotients.texts)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sign {
    Plus,
    Minus,
}

/// Quotients that have been written.
struct Quotients<'q> {
    words: &'q Words<'q>,
    texts: BTreeMap<SymbolId, String>,
    known: FxHashMap<(Term, Sign), Term>,
}

impl Quotients<'_> {
    /// A sum with its quotients written: `-⌊p/q⌋` is `⌈-p/q⌉`.
    fn sum(
        &mut self,
        terms: &mut Terms,
        sum: &loupe_term::Sum,
        new: &FxHashMap<Term, Term>,
    ) -> Term {
        if let Some((fraction, rest)) = self.fractions(terms, sum) {
            let rest = match terms.node(rest).clone() {
                Node::Sum(rest) => self.sum(terms, &rest, new),
                _ => new.get(&rest).copied().unwrap_or(rest),
            };
            return terms.add(fraction, rest);
        }
        // `⌊p/q⌋ + c` alone is one quotient.
        if let [(monomial, coefficient)] = &sum.summands[..] {
            let sign = match coefficient {
                one if *one == Integer::ONE => Some(Sign::Plus),
                minus if *minus == Integer::from(-1) => Some(Sign::Minus),
                _ => None,
            };
            let whole = sign.and_then(|sign| self.shifted(terms, *monomial, sign, &sum.constant));
            if let Some(symbol) = whole {
                return symbol;
            }
        }
        let mut result = terms.int(sum.constant.clone());
        for (monomial, coefficient) in &sum.summands {
            let negated = match coefficient.is_negative() {
                true => self.write(terms, *monomial, Sign::Minus),
                false => None,
            };
            result = match negated {
                Some(symbol) => terms.add_scaled(result, symbol, &coefficient.neg()),
                None => {
                    let monomial = new.get(monomial).copied().unwrap_or(*monomial);
                    terms.add_scaled(result, monomial, coefficient)
                }
            };
        }
        result
    }

    /// Quotients that are exact are one fraction, with what is like their dividends: `n + (n^2 - n)/2` is `(n^2 + n)/2`. The fraction, and the rest.
    fn fractions(&mut self, terms: &mut Terms, sum: &loupe_term::Sum) -> Option<(Term, Term)> {
        let mut divisor = Integer::ONE;
        let mut exact = Vec::new();
        let mut rest = Polynomial::constant(sum.constant.clone());
        for (monomial, coefficient) in &sum.summands {
            match terms.exact_quotient(*monomial) {
                Some((dividend, own)) => {
                    let missing = own.div_floor(&divisor.gcd(&own))?;
                    divisor = divisor.mul(&missing);
                    exact.push((dividend, own, coefficient.clone()));
                }
                None => rest.summands.push((*monomial, coefficient.clone())),
            }
        }
        if exact.is_empty() {
            return None;
        }
        let mut dividend = Polynomial::constant(Integer::ZERO);
        for (own, by, coefficient) in exact {
            dividend = dividend.add_scaled(&own, &coefficient.mul(&divisor.div_floor(&by)?));
        }
        let is_like = |monomial: Term| dividend.summands.iter().any(|(own, _)| *own == monomial);
        let (like, other) = rest.summands.into_iter().partition(|(monomial, _)| is_like(*monomial));
        let mut moved = Polynomial { constant: Integer::ZERO, summands: like };
        rest.summands = other;
        if !dividend.constant.is_zero() {
            moved.constant = std::mem::replace(&mut rest.constant, Integer::ZERO);
        }
        let dividend = dividend.add_scaled(&moved, &divisor);
        let common = dividend.content().gcd(&dividend.constant).gcd(&divisor);
        let divisor = divisor.div_floor(&common)?;
        let mut reduced = Polynomial::constant(dividend.constant.div_floor(&common)?);
        for (monomial, coefficient) in dividend.summands {
            reduced.summands.push((monomial, coefficient.div_floor(&common)?));
        }
        let (dividend, rest) = (terms.from_polynomial(reduced), terms.from_polynomial(rest));
        Some((self.fraction(terms, dividend, &divisor), rest))
    }

    /// A symbol that is written as a fraction.
    fn fraction(&mut self, terms: &mut Terms, dividend: Term, divisor: &Integer) -> Term {
        if *divisor == Integer::ONE {
            return dividend;
        }
        let text = self.words.display_with(terms, dividend, &self.texts);
        let is_closed = !text.contains(' ') && !text.starts_with('-');
        let text = if is_closed { text } else { format!("({text})") };
        self.symbol(terms, format!("{text}/{divisor}"))
    }

    /// A symbol that is written so. What is written in the same way is the same.
    fn symbol(&mut self, terms: &mut Terms, text: String) -> Term {
        if let Some((known, _)) = self.texts.iter().find(|(_, known)| **known == text) {
            return terms.symbol_term(*known);
        }
        let symbol = terms.int_symbol(&text);
        if let Node::Symbol(id) = terms.node(symbol) {
            self.texts.insert(*id, text);
        }
        symbol
    }

    /// A symbol that is written as a quotient, or as minus the quotient.
    fn write(&mut self, terms: &mut Terms, quotient: Term, sign: Sign) -> Option<Term> {
        if let Some(known) = self.known.get(&(quotient, sign)) {
            return Some(*known);
        }
        let symbol = self.shifted(terms, quotient, sign, &Integer::ZERO)?;
        self.known.insert((quotient, sign), symbol);
        Some(symbol)
    }

    /// The same with a number added.
    fn shifted(
        &mut self,
        terms: &mut Terms,
        quotient: Term,
        sign: Sign,
        shift: &Integer,
    ) -> Option<Term> {
        let Node::Quotient(Rounding::Euclidean, dividend, divisor) = *terms.node(quotient) else {
            return None;
        };
        let divisor = terms.as_int(divisor)?.clone();
        if divisor.is_negative() || divisor.is_zero() {
            return None;
        }
        let (dividend, rounding) = match sign {
            Sign::Plus => (dividend, '⌊'),
            Sign::Minus => (terms.neg(dividend), '⌈'),
        };
        let shift = terms.int(shift.mul(&divisor));
        let dividend = terms.add(dividend, shift);
        let (dividend, rounding) = nicer(terms, dividend, &divisor, rounding);
        let mut text = self.words.display_with(terms, dividend, &self.texts);
        let parts = terms.polynomial(dividend);
        let several = parts.summands.len() + usize::from(!parts.constant.is_zero()) > 1;
        if several || text.starts_with('-') {
            text = format!("({text})");
        }
        let end = if rounding == '⌊' { '⌋' } else { '⌉' };
        Some(self.symbol(terms, format!("{rounding}{text}/{divisor}{end}")))
    }
}

/// The same quotient with the smaller constant: `⌊(a + q - 1)/q⌋` is `⌈a/q⌉`.
fn nicer(terms: &mut Terms, dividend: Term, divisor: &Integer, rounding: char) -> (Term, char) {
    let Polynomial { constant, .. } = terms.polynomial(dividend);
    let most = divisor.sub(&Integer::ONE);
    let (shift, other) = match rounding {
        '⌊' => (most.neg(), '⌈'),
        _ => (most, '⌊'),
    };
    let size = |number: &Integer| if number.is_negative() { number.neg() } else { number.clone() };
    if size(&constant.add(&shift)) < size(&constant) {
        let shift = terms.int(shift);
        (terms.add(dividend, shift), other)
    } else {
        (dividend, rounding)
    }
}

/// Names that are taken.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// All smaller numbers of a name are taken: thousands of symbols may have the same one.
    next: BTreeMap<String, u64>,
}

impl Taken {
    /// A name that was not taken, like this one.
    fn unused(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(1);
        loop {
            let numbered = format!("{name}#{next}");
            *next += 1;
            if self.names.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// All terms of a loop and its summary.
fn all_terms(problem: &Loop, summary: Option<&Summary>) -> Vec<Term> {
    let mut all: Vec<Term> = problem.facts.iter().chain(&problem.entry).copied().collect();
    for path in &problem.paths {
        all.push(path.guard);
        all.extend(&path.updates);
    }
    for case in summary.iter().flat_map(|summary| &summary.cases) {
        all.push(case.condition);
        all.extend(&case.values);
        all.extend(counts(&case.trace));
    }
    for divergence in summary.iter().flat_map(|summary| &summary.diverging) {
        all.push(divergence.condition);
        all.extend(counts(&divergence.trace));
    }
    all
}

/// Any of several paths: `(p2|p3|p5)`, and where there are many, what numbers follow each other is a range.
fn one_of(paths: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for path in paths {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *path => *last = *path,
            _ => ranges.push((*path, *path)),
        }
    }
    let parts = ranges.iter().flat_map(|(first, last)| match last - first {
        0 => vec![format!("p{}", first + 1)],
        1 => vec![format!("p{}", first + 1), format!("p{}", last + 1)],
        _ => vec![format!("p{}…p{}", first + 1, last + 1)],
    });
    format!("({})", parts.collect::<Vec<_>>().join("|"))
}

/// The counts of all parts of a trace.
fn counts(trace: &[Segment]) -> Vec<Term> {
    let mut open: Vec<&Segment> = trace.iter().collect();
    let mut all = Vec::new();
    while let Some(segment) = open.pop() {
        all.push(segment.count);
        if let Repeated::Round(parts) = &segment.what {
            open.extend(parts);
        }
    }
    all
}

#[cfg(test)]
mod tests;
