//! The constructors of everything that is neither arithmetic nor logic.
//!
//! A constructor offers its node to the table of [`rules`](crate::rules); the first rule that applies
//! gives the result, which is built by constructors again. So a term is simplified from the bottom up
//! to a fixpoint while it is built.

use crate::arena::Terms;
use crate::misuse::Misuse;
use crate::node::{Binder, BitOp, FunctionId, Node, Quantifier, Rounding, Sort, Term, Width};
use crate::rules;
use loupe_integer::Integer;

impl Terms {
    /// The term of a node whose parts are terms: simplified by the rules, or as it is.
    pub(crate) fn make(&mut self, node: Node) -> Term {
        if self.applies_rules()
            && let Some(simpler) = rules::apply(self, &node)
        {
            return simpler;
        }
        self.intern(node)
    }

    /// An unknown value.
    pub fn star(&mut self, sort: Sort) -> Term {
        self.intern(Node::Star(sort))
    }

    /// The quotient; 0 if the divisor is 0.
    pub fn quotient(&mut self, rounding: Rounding, a: Term, b: Term) -> Term {
        if !self.all_are(Sort::Int, [a, b]) {
            return self.star_int();
        }
        self.make(Node::Quotient(rounding, a, b))
    }

    /// The remainder; the dividend if the divisor is 0.
    pub fn remainder(&mut self, rounding: Rounding, a: Term, b: Term) -> Term {
        if !self.all_are(Sort::Int, [a, b]) {
            return self.star_int();
        }
        self.make(Node::Remainder(rounding, a, b))
    }

    /// `base ^ exponent`; 1 if the exponent is negative.
    pub fn power(&mut self, base: impl Into<Integer>, exponent: Term) -> Term {
        if !self.all_are(Sort::Int, [exponent]) {
            return self.star_int();
        }
        self.make(Node::Power(base.into(), exponent))
    }

    /// The value of `a` in a machine type.
    pub fn wrap(&mut self, width: Width, a: Term) -> Term {
        if !self.all_are(Sort::Int, [a]) || !self.is_width(width) {
            return self.star_int();
        }
        self.make(Node::Wrap(width, a))
    }

    /// An operation on bits.
    pub fn bits(&mut self, op: BitOp, width: Width, a: Term, b: Term) -> Term {
        if !self.all_are(Sort::Int, [a, b]) || !self.is_width(width) {
            return self.star_int();
        }
        self.make(Node::Bits(op, width, a, b))
    }

    /// `then` if the condition is true, else `otherwise`; both have one sort.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let sort = self.own_facts(then).map_or(self.sort(otherwise), |facts| facts.sort);
        if !self.all_are(Sort::Bool, [condition]) || !self.all_are(sort, [then, otherwise]) {
            return self.star(sort);
        }
        self.make(Node::Ite(condition, then, otherwise))
    }

    /// The larger one.
    pub fn max(&mut self, a: Term, b: Term) -> Term {
        if !self.all_are(Sort::Int, [a, b]) {
            return self.star_int();
        }
        let a_is_larger = self.le(b, a);
        self.ite(a_is_larger, a, b)
    }

    /// The element of an array.
    ///
    /// # Errors
    ///
    /// If `array` is no array or `index` no integer.
    pub fn select(&mut self, array: Term, index: Term) -> Result<Term, Misuse> {
        self.require_array(array)?;
        self.require(index, Sort::Int)?;
        Ok(self.make(Node::Select(array, index)))
    }

    /// An array with another element at an index.
    ///
    /// # Errors
    ///
    /// If `array` is no array, `index` no integer, or `value` no element.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Result<Term, Misuse> {
        let element = self.require_array(array)?;
        self.require(index, Sort::Int)?;
        self.require(value, element)?;
        Ok(self.make(Node::Store(array, index, value)))
    }

    /// The array with these dimensions that holds the same integer everywhere.
    ///
    /// # Errors
    ///
    /// If `value` is no integer, or there are no dimensions.
    pub fn constant_array(&mut self, dimensions: u8, value: Term) -> Result<Term, Misuse> {
        self.require(value, Sort::Int)?;
        if dimensions == 0 {
            return Err(Misuse::NoArray(Sort::Int));
        }
        Ok(self.make(Node::ConstantArray(dimensions, value)))
    }

    /// An uninterpreted function applied to integers.
    ///
    /// # Errors
    ///
    /// If the number or the sorts of the arguments are wrong.
    pub fn apply(&mut self, function: FunctionId, arguments: &[Term]) -> Result<Term, Misuse> {
        let needed = self.own_function(function).ok_or(Misuse::Foreign)?.arity;
        if arguments.len() != needed {
            return Err(Misuse::Arity { needed, found: arguments.len() });
        }
        for argument in arguments {
            self.require(*argument, Sort::Int)?;
        }
        Ok(self.make(Node::Apply(function, arguments.into())))
    }

    /// The array whose element at `variable` is `body`.
    ///
    /// # Errors
    ///
    /// If `variable` is no integer symbol or `body` a truth value.
    pub fn lambda(&mut self, variable: Term, body: Term) -> Result<Term, Misuse> {
        match self.own_facts(body).ok_or(Misuse::Foreign)?.sort {
            Sort::Bool => return Err(Misuse::Sort { needed: Sort::Int, found: Sort::Bool }),
            Sort::Array(u8::MAX) => return Err(Misuse::Dimensions),
            Sort::Int | Sort::Array(_) => {}
        }
        let (binder, body) = self.bind(variable, body)?;
        Ok(self.make(Node::Lambda(binder, body)))
    }

    /// Whether `body` holds for all or some values of `variable` from `low` up to, but not
    /// including, `high`.
    ///
    /// # Errors
    ///
    /// If `variable` is no integer symbol, the bounds are no integers or `body` no truth value.
    pub fn quantify(
        &mut self,
        quantifier: Quantifier,
        variable: Term,
        [low, high]: [Term; 2],
        body: Term,
    ) -> Result<Term, Misuse> {
        self.require(low, Sort::Int)?;
        self.require(high, Sort::Int)?;
        self.require(body, Sort::Bool)?;
        let (binder, body) = self.bind(variable, body)?;
        Ok(self.make(Node::Quantified(quantifier, binder, [low, high, body])))
    }

    /// Turns a symbol in `body` into the variable of a new binder.
    fn bind(&mut self, variable: Term, body: Term) -> Result<(Binder, Term), Misuse> {
        self.require(variable, Sort::Int)?;
        let Node::Symbol(symbol) = *self.node(variable) else {
            return Err(Misuse::NotBindable);
        };
        Ok(self.close(&Node::Symbol(symbol), body))
    }
}
