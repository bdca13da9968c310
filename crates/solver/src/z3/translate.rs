//! Terms as Z3's expressions over unbounded integers.
//!
//! The translation gives every operation the meaning that [`Terms::evaluate`] defines: Z3's division by
//! zero, for instance, is any number, ours is 0. The one exception are powers `cᵏ` with `c ≥ 2`, which
//! become an uninterpreted function that [`super::powers`] tells facts about.

use loupe_integer::{Integer, Signedness};
use loupe_term::{BitOp, Node, Quantifier, Rounding, Sort, SymbolId, Term, Terms, Width};
use rustc_hash::FxHashMap;
use z3::ast::{Array, BV, Bool, Dynamic, Int};
use z3::{FuncDecl, ast};

/// An expression of Z3 with its sort.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Int(Int),
    Bool(Bool),
    Array(Array),
}

impl Expression {
    /// As what Z3's functions on any sort take.
    pub(super) fn as_ast(&self) -> &dyn z3::ast::Ast {
        match self {
            Expression::Int(int) => int,
            Expression::Bool(bool) => bool,
            Expression::Array(array) => array,
        }
    }

    fn dynamic(&self) -> Dynamic {
        Dynamic::from_ast(self.as_ast())
    }
}

/// A part has another sort than its place needs: the constructors of terms rule that out.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrongSort;

type Translated<T> = Result<T, WrongSort>;

/// What has been translated, for one context of Z3.
#[derive(Default)]
pub(super) struct Translation {
    known: FxHashMap<Term, Expression>,
}

/// More terms than this are not kept, so that a long analysis does not hold every formula it ever saw.
const MAX_KNOWN: usize = 400_000;

impl Translation {
    /// The expression of a term.
    pub(super) fn translate(&mut self, terms: &Terms, root: Term) -> Translated<Expression> {
        if let Some(known) = self.known.get(&root) {
            return Ok(known.clone());
        }
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known.contains_key(&term) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            terms.node(term).for_each_child(|part| {
                if !self.known.contains_key(&part) {
                    open.push(part);
                }
            });
            if open.len() == waiting {
                let expression = self.node(terms, term)?;
                self.known.insert(term, expression);
                open.pop();
            }
        }
        self.known.get(&root).cloned().ok_or(WrongSort)
    }

    /// The expression of a formula.
    pub(super) fn formula(&mut self, terms: &Terms, formula: Term) -> Translated<Bool> {
        self.translate(terms, formula)?;
        self.bool(formula)
    }

    /// The expression of an integer term.
    pub(super) fn integer(&mut self, terms: &Terms, term: Term) -> Translated<Int> {
        self.translate(terms, term)?;
        self.int(term)
    }

    /// Takes a number for an integer term from now on, as what a model says of it.
    pub(super) fn fix(&mut self, term: Term, value: &Integer) {
        self.known.insert(term, Expression::Int(numeral(value)));
    }

    fn int(&self, term: Term) -> Translated<Int> {
        match self.known.get(&term) {
            Some(Expression::Int(int)) => Ok(int.clone()),
            _ => Err(WrongSort),
        }
    }

    fn bool(&self, term: Term) -> Translated<Bool> {
        match self.known.get(&term) {
            Some(Expression::Bool(bool)) => Ok(bool.clone()),
            _ => Err(WrongSort),
        }
    }

    fn array(&self, term: Term) -> Translated<Array> {
        match self.known.get(&term) {
            Some(Expression::Array(array)) => Ok(array.clone()),
            _ => Err(WrongSort),
        }
    }

    fn bools(&self, parts: &[Term]) -> Translated<Vec<Bool>> {
        parts.iter().map(|part| self.bool(*part)).collect()
    }

    /// The expression of a term whose parts are known.
    fn node(&self, terms: &Terms, term: Term) -> Translated<Expression> {
        let zero = || Int::from_i64(0);
        Ok(match terms.node(term) {
            Node::Bool(value) => Expression::Bool(Bool::from_bool(*value)),
            Node::Not(a) => Expression::Bool(self.bool(*a)?.not()),
            Node::And(parts) => Expression::Bool(Bool::and(&self.bools(parts)?)),
            Node::Or(parts) => Expression::Bool(Bool::or(&self.bools(parts)?)),
            Node::NonPositive(a) => Expression::Bool(self.non_positive(terms, *a)?),
            Node::Zero(a) => Expression::Bool(self.int(*a)?.eq(zero())),
            Node::Divides(divisor, a) => {
                Expression::Bool(self.int(*a)?.modulo(numeral(divisor)).eq(zero()))
            }
            Node::SameArray(a, b) => Expression::Bool(self.array(*a)?.eq(self.array(*b)?)),
            Node::Quantified(quantifier, binder, [low, high, body]) => {
                let variable = bound(binder.height());
                let [low, high] = [self.int(*low)?, self.int(*high)?];
                let inside = Bool::and(&[variable.ge(low), variable.lt(high)]);
                let body = self.bool(*body)?;
                Expression::Bool(match quantifier {
                    Quantifier::Forall => {
                        ast::forall_const(&[&variable], &[], &inside.implies(body))
                    }
                    Quantifier::Exists => {
                        ast::exists_const(&[&variable], &[], &Bool::and(&[inside, body]))
                    }
                })
            }
            Node::Ite(condition, then, otherwise) => {
                let condition = self.bool(*condition)?;
                match terms.sort(term) {
                    Sort::Int => {
                        Expression::Int(condition.ite(&self.int(*then)?, &self.int(*otherwise)?))
                    }
                    Sort::Bool => {
                        Expression::Bool(condition.ite(&self.bool(*then)?, &self.bool(*otherwise)?))
                    }
                    Sort::Array(_) => Expression::Array(
                        condition.ite(&self.array(*then)?, &self.array(*otherwise)?),
                    ),
                }
            }
            Node::Symbol(symbol) => self::symbol(terms, *symbol),
            Node::Select(array, index) => {
                let element = self.array(*array)?.select(&self.int(*index)?);
                of_sort(terms.sort(term), &element)?
            }
            Node::Store(array, index, value) => {
                let value = self.known.get(value).ok_or(WrongSort)?.dynamic();
                Expression::Array(self.array(*array)?.store(&self.int(*index)?, &value))
            }
            Node::ConstantArray(dimensions, value) => {
                let mut element = Dynamic::from_ast(&self.int(*value)?);
                for _ in 1..*dimensions {
                    element = Dynamic::from_ast(&Array::const_array(&z3::Sort::int(), &element));
                }
                Expression::Array(Array::const_array(&z3::Sort::int(), &element))
            }
            Node::Lambda(binder, body) => {
                let body = self.known.get(body).ok_or(WrongSort)?.dynamic();
                Expression::Array(ast::lambda_const(&[&bound(binder.height())], &body))
            }
            Node::Star(_) => return Err(WrongSort),
            _ => Expression::Int(self.arithmetic(terms, term)?),
        })
    }

    fn arithmetic(&self, terms: &Terms, term: Term) -> Translated<Int> {
        Ok(match terms.node(term) {
            Node::Int(value) => numeral(value),
            Node::Bound(height) => bound(*height),
            Node::Sum(sum) => {
                let mut parts = Vec::with_capacity(sum.summands.len() + 1);
                for (monomial, coefficient) in &sum.summands {
                    parts.push(scaled(self.int(*monomial)?, coefficient));
                }
                if !sum.constant.is_zero() {
                    parts.push(numeral(&sum.constant));
                }
                added(parts)
            }
            Node::Product(factors) => {
                let mut parts = Vec::new();
                for (atom, exponent) in factors {
                    let atom = self.int(*atom)?;
                    parts.extend((0..*exponent).map(|_| atom.clone()));
                }
                Int::mul(&parts)
            }
            Node::Quotient(rounding, a, b) => {
                let (dividend, divisor) = (self.int(*a)?, self.int(*b)?);
                let quotient = rounded_quotient(*rounding, &dividend, &divisor);
                unless_zero(terms, *b, &divisor, quotient, Int::from_i64(0))
            }
            Node::Remainder(rounding, a, b) => {
                let (dividend, divisor) = (self.int(*a)?, self.int(*b)?);
                let remainder = match rounding {
                    Rounding::Euclidean => dividend.modulo(&divisor),
                    Rounding::Truncated => dividend.ge(0).ite(
                        &dividend.modulo(&divisor),
                        &dividend.unary_minus().modulo(&divisor).unary_minus(),
                    ),
                };
                unless_zero(terms, *b, &divisor, remainder, dividend)
            }
            Node::Power(base, exponent) => power(base, &self.int(*exponent)?),
            Node::Wrap(width, a) => wrapped(*width, &self.int(*a)?),
            Node::Bits(op, width, a, b) => bits(*op, *width, &self.int(*a)?, &self.int(*b)?),
            Node::Apply(function, arguments) => {
                let arguments: Vec<Int> =
                    arguments.iter().map(|part| self.int(*part)).collect::<Translated<_>>()?;
                let arguments: Vec<&dyn z3::ast::Ast> =
                    arguments.iter().map(|part| part as &dyn z3::ast::Ast).collect();
                let name = format!("f{}", function.number());
                let domain = vec![z3::Sort::int(); arguments.len()];
                let domain: Vec<&z3::Sort> = domain.iter().collect();
                let function = FuncDecl::new(name, &domain, &z3::Sort::int());
                function.apply(&arguments).as_int().ok_or(WrongSort)?
            }
            _ => return Err(WrongSort),
        })
    }

    /// `p ≤ 0`, with the constant on the other side: Z3 would move it there anyway.
    fn non_positive(&self, terms: &Terms, term: Term) -> Translated<Bool> {
        let Node::Sum(sum) = terms.node(term) else {
            return Ok(self.int(term)?.le(0));
        };
        let parts = sum.summands.iter().map(|(m, c)| Ok(scaled(self.int(*m)?, c)));
        let parts = parts.collect::<Translated<Vec<Int>>>()?;
        Ok(added(parts).le(numeral(&sum.constant.neg())))
    }
}

/// The integer as a numeral.
pub(super) fn numeral(value: &Integer) -> Int {
    match value.to_i64() {
        Some(small) => Int::from_i64(small),
        // Z3 reads every decimal text that we print.
        None => value.to_string().parse().unwrap_or_else(|()| Int::from_i64(0)),
    }
}

/// The variable of a binder. Heights fall strictly inward and variables of one height never meet (see
/// [`loupe_term::Binder`]), so one constant for each height is enough.
fn bound(height: u32) -> Int {
    Int::new_const(format!("b{height}"))
}

/// The constant of a symbol.
pub(super) fn symbol(terms: &Terms, id: SymbolId) -> Expression {
    let name = format!("s{}", id.number());
    match terms.symbol(id).sort {
        Sort::Bool => Expression::Bool(Bool::new_const(name)),
        Sort::Int => Expression::Int(Int::new_const(name)),
        Sort::Array(dimensions) => {
            let range = sort(Sort::Array(dimensions).element().unwrap_or(Sort::Int));
            Expression::Array(Array::new_const(name, &z3::Sort::int(), &range))
        }
    }
}

/// A sort of Z3.
pub(super) fn sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int => z3::Sort::int(),
        Sort::Array(dimensions) => (0..dimensions)
            .fold(z3::Sort::int(), |element, _| z3::Sort::array(&z3::Sort::int(), &element)),
    }
}

fn of_sort(sort: Sort, element: &Dynamic) -> Translated<Expression> {
    let expression = match sort {
        Sort::Bool => element.as_bool().map(Expression::Bool),
        Sort::Int => element.as_int().map(Expression::Int),
        Sort::Array(_) => element.as_array().map(Expression::Array),
    };
    expression.ok_or(WrongSort)
}

fn scaled(monomial: Int, coefficient: &Integer) -> Int {
    if *coefficient == Integer::ONE {
        monomial
    } else {
        Int::mul(&[numeral(coefficient), monomial])
    }
}

fn added(mut parts: Vec<Int>) -> Int {
    if parts.len() == 1 { parts.swap_remove(0) } else { Int::add(&parts) }
}

/// Z3's division is Euclidean, and for dividends that are not negative that is also truncation.
fn rounded_quotient(rounding: Rounding, dividend: &Int, divisor: &Int) -> Int {
    match rounding {
        Rounding::Euclidean => dividend.div(divisor),
        Rounding::Truncated => dividend
            .ge(0)
            .ite(&dividend.div(divisor), &dividend.unary_minus().div(divisor).unary_minus()),
    }
}

/// A quotient or remainder, or what it is for the divisor 0.
fn unless_zero(terms: &Terms, divisor: Term, expression: &Int, usual: Int, for_zero: Int) -> Int {
    match terms.as_int(divisor) {
        Some(value) if value.is_zero() => for_zero,
        Some(_) => usual,
        None => expression.eq(0).ite(&for_zero, &usual),
    }
}

/// `base ^ exponent`, 1 for negative exponents.
fn power(base: &Integer, exponent: &Int) -> Int {
    let (one, positive) = (Int::from_i64(1), exponent.gt(0));
    match base.to_i64() {
        Some(0) => positive.ite(&Int::from_i64(0), &one),
        Some(1) => one,
        _ => {
            let magnitude = if base.is_negative() { base.neg() } else { base.clone() };
            let magnitude =
                if magnitude == Integer::ONE { one } else { power_of(&magnitude, exponent) };
            if !base.is_negative() {
                return magnitude;
            }
            // (-b)ᵏ is -bᵏ for odd k, and 1 for negative ones.
            let odd = Bool::and(&[positive, exponent.modulo(2).eq(1)]);
            odd.ite(&magnitude.unary_minus(), &magnitude)
        }
    }
}

/// The uninterpreted function that stands for powers of a base that is at least 2.
pub(super) fn power_of(base: &Integer, exponent: &Int) -> Int {
    let function = FuncDecl::new(format!("pow{base}"), &[&z3::Sort::int()], &z3::Sort::int());
    // An application of a function to integers is an integer.
    function.apply(&[exponent]).as_int().unwrap_or_else(|| exponent.clone())
}

/// The value of the low bits.
fn wrapped(width: Width, a: &Int) -> Int {
    let modulus = numeral(&Integer::power_of_two(width.bits));
    match width.signedness {
        Signedness::Unsigned => a.modulo(modulus),
        Signedness::Signed => {
            let half = numeral(&Integer::power_of_two(width.bits - 1));
            Int::sub(&[Int::add(&[a, &half]).modulo(modulus), half])
        }
    }
}

fn bits(op: BitOp, width: Width, a: &Int, b: &Int) -> Int {
    let vector = |int: &Int| BV::from_int(int, width.bits);
    let signed = width.signedness == Signedness::Signed;
    let (x, y) = (vector(a), vector(b));
    let result = match op {
        BitOp::And => x.bvand(y),
        BitOp::Or => x.bvor(y),
        BitOp::Xor => x.bvxor(y),
        BitOp::Shl => x.bvshl(y),
        BitOp::Shr if signed => x.bvashr(y),
        BitOp::Shr => x.bvlshr(y),
    };
    let result = Int::from_bv(&result, signed);
    match op {
        BitOp::And | BitOp::Or | BitOp::Xor => result,
        // The count is a plain integer; only those from 0 to below the width shift.
        BitOp::Shl | BitOp::Shr => {
            Bool::and(&[b.ge(0), b.lt(i64::from(width.bits))]).ite(&result, &Int::from_i64(0))
        }
    }
}
