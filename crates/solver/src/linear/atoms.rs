//! From terms to linear constraints.
//!
//! An integer term is a linear expression over *atoms*, and each atom is a variable. Atoms with a
//! linear meaning get it as constraints on their variables: quotients and remainders by constants,
//! wrapped integers, conditionals, elements of arrays after writes. All other atoms are *opaque*: their
//! variables are free but for the range of their values.
//!
//! A contradiction among opaque variables is one among the atoms, because a term has one value wherever
//! it occurs: any values of the symbols give values to all variables. (Terms with ★ have no such
//! value; literals with them are left out before they get here.)

use super::constraint::{Constraint, Relation, Variable};
use super::origin::{Effort, Origin, Stop};
use super::row::absolute;
use loupe_integer::{Integer, Signedness};
use loupe_term::{Node, Rounding, Sort, Term, Terms, Width};
use rustc_hash::FxHashMap;

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// The value of a term; for truth values 1 or 0.
    Value(Term),
    /// The quotient of two terms.
    Quotient(Rounding, Term, Term),
    /// The remainder of two terms.
    Remainder(Rounding, Term, Term),
    /// The element of an array of integers at an index.
    Element(Term, Term),
    /// How often the range of a type has been left by the term that is wrapped.
    Rounds(Term),
}

/// A disjunction that belongs to an atom.
#[derive(Clone, Copy, Debug)]
pub(super) enum AtomSplit {
    /// The variable is the value of this conditional.
    Conditional(Term, Variable),
    /// A truncated remainder has the sign of this dividend.
    Sign { dividend: Term, remainder: Variable },
    /// The variable is the element, at this index, of an array after a write or of a conditional one.
    Element { array: Term, index: Term, variable: Variable },
}

/// A constraint and what it comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    pub(super) list: Vec<Constraint>,
    pub(super) origins: Vec<Origin>,
}

impl Constraints {
    pub(super) fn push(&mut self, constraint: Constraint, origin: Origin) {
        self.list.push(constraint);
        self.origins.push(origin);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
        self.origins.truncate(length);
    }
}

/// A linear expression under construction.
#[derive(Clone, Debug)]
pub(super) struct Form {
    coefficients: Vec<(Variable, Integer)>,
    constant: Integer,
}

impl Form {
    pub(super) fn constant(constant: impl Into<Integer>) -> Self {
        Form { coefficients: Vec::new(), constant: constant.into() }
    }

    /// Adds `factor · variable`.
    pub(super) fn plus(mut self, variable: Variable, factor: impl Into<Integer>) -> Self {
        self.coefficients.push((variable, factor.into()));
        self
    }

    /// Adds an integer.
    pub(super) fn plus_constant(mut self, constant: impl Into<Integer>) -> Self {
        self.constant = self.constant.add(&constant.into());
        self
    }

    pub(super) fn minus(mut self, other: &Form) -> Self {
        let negated = other.coefficients.iter().map(|(variable, factor)| (*variable, factor.neg()));
        self.coefficients.extend(negated);
        self.constant = self.constant.sub(&other.constant);
        self
    }

    pub(super) fn negated(self) -> Self {
        Form::constant(0).minus(&self)
    }

    pub(super) fn is(self, relation: Relation) -> Constraint {
        Constraint::new(self.coefficients, self.constant, relation)
    }
}

/// The atoms of some formulas as variables.
#[derive(Default)]
pub(super) struct Atoms {
    variables: FxHashMap<Meaning, Variable>,
    /// The meanings of the variables.
    meanings: Vec<Meaning>,
    /// So many variables have got their constraints.
    defined: usize,
}

impl Atoms {
    pub(super) fn meanings(&self) -> &[Meaning] {
        &self.meanings
    }

    /// Forgets all but the first variables, which all have got their constraints.
    pub(super) fn truncate(&mut self, length: usize) {
        for meaning in self.meanings.drain(length.min(self.meanings.len())..) {
            self.variables.remove(&meaning);
        }
        self.defined = length;
    }

    /// The variable with a meaning, if there is one.
    pub(super) fn known(&self, meaning: Meaning) -> Option<Variable> {
        self.variables.get(&meaning).copied()
    }

    /// The variable with a meaning.
    pub(super) fn variable(&mut self, meaning: Meaning) -> Variable {
        let Atoms { variables, meanings, .. } = self;
        *variables.entry(meaning).or_insert_with(|| {
            meanings.push(meaning);
            Variable((meanings.len() - 1) as u32)
        })
    }

    /// The variable of an atom.
    fn atom(&mut self, terms: &Terms, term: Term) -> Variable {
        let constant = |divisor: Term| terms.as_int(divisor).is_some();
        let meaning = match *terms.node(term) {
            Node::Quotient(rounding, a, b) if constant(b) => Meaning::Quotient(rounding, a, b),
            Node::Remainder(rounding, a, b) if constant(b) => Meaning::Remainder(rounding, a, b),
            Node::Select(array, index) if terms.sort(array) == Sort::Array(1) => {
                Meaning::Element(array, index)
            }
            _ => Meaning::Value(term),
        };
        self.variable(meaning)
    }

    /// An integer term as a linear expression.
    pub(super) fn form(
        &mut self,
        terms: &Terms,
        term: Term,
        effort: &mut Effort,
    ) -> Result<Form, Stop> {
        match terms.node(term) {
            Node::Int(value) => Ok(Form::constant(value.clone())),
            Node::Sum(sum) => {
                effort.spend(sum.summands.len())?;
                let mut form = Form::constant(sum.constant.clone());
                for (atom, coefficient) in &sum.summands {
                    form = form.plus(self.atom(terms, *atom), coefficient.clone());
                }
                Ok(form)
            }
            _ => {
                effort.spend(1)?;
                Ok(Form::constant(0).plus(self.atom(terms, term), 1))
            }
        }
    }

    /// Gives all variables their constraints, which come from nothing: every value of the symbols
    /// allows values of the other variables that satisfy them.
    pub(super) fn define(
        &mut self,
        terms: &Terms,
        constraints: &mut Constraints,
        splits: &mut Vec<AtomSplit>,
        effort: &mut Effort,
    ) -> Result<(), Stop> {
        while let Some(&meaning) = self.meanings.get(self.defined) {
            let variable = Variable(self.defined as u32);
            self.defined += 1;
            effort.spend(1)?;
            let mut definition = Definition { terms, atoms: self, constraints, splits, effort };
            match meaning {
                Meaning::Value(term) => definition.value(variable, term)?,
                Meaning::Element(array, index) => definition.element(variable, [array, index])?,
                // Whichever of the two comes first defines both.
                Meaning::Quotient(rounding, a, b) => {
                    let other = Meaning::Remainder(rounding, a, b);
                    if let Some(remainder) = definition.partner(variable, other) {
                        definition.division(rounding, [a, b], [variable, remainder])?;
                    }
                }
                Meaning::Remainder(rounding, a, b) => {
                    let other = Meaning::Quotient(rounding, a, b);
                    if let Some(quotient) = definition.partner(variable, other) {
                        definition.division(rounding, [a, b], [quotient, variable])?;
                    }
                }
                // Defined with the wrapped integer.
                Meaning::Rounds(_) => {}
            }
        }
        Ok(())
    }
}

/// The least and the greatest integer of a machine type.
fn limits(width: Width) -> (Integer, Integer) {
    match width.signedness {
        Signedness::Unsigned => {
            (Integer::ZERO, Integer::power_of_two(width.bits).sub(&Integer::ONE))
        }
        // A type without bits has only 0.
        Signedness::Signed if width.bits == 0 => (Integer::ZERO, Integer::ZERO),
        Signedness::Signed => {
            let half = Integer::power_of_two(width.bits - 1);
            (half.neg(), half.sub(&Integer::ONE))
        }
    }
}

/// What is needed to say what a variable means.
struct Definition<'a> {
    terms: &'a Terms,
    atoms: &'a mut Atoms,
    constraints: &'a mut Constraints,
    splits: &'a mut Vec<AtomSplit>,
    effort: &'a mut Effort,
}

impl Definition<'_> {
    fn fact(&mut self, form: Form, relation: Relation) {
        self.constraints.push(form.is(relation), Origin::NONE);
    }

    fn at_least(&mut self, variable: Variable, least: Integer) {
        self.fact(Form::constant(least).plus(variable, -1), Relation::AtMostZero);
    }

    fn at_most(&mut self, variable: Variable, most: &Integer) {
        self.fact(Form::constant(most.neg()).plus(variable, 1), Relation::AtMostZero);
    }

    fn value(&mut self, variable: Variable, term: Term) -> Result<(), Stop> {
        let terms = self.terms;
        match terms.node(term) {
            Node::Wrap(width, a) => {
                // a = w + 2ⁿ·k, and w is in the range of the type, which has 2ⁿ integers.
                let (least, most) = limits(*width);
                self.at_least(variable, least);
                self.at_most(variable, &most);
                let rounds = self.atoms.variable(Meaning::Rounds(term));
                let modulus = Integer::power_of_two(width.bits);
                let form = self.atoms.form(terms, *a, self.effort)?;
                let form = form.plus(variable, -1).plus(rounds, modulus.neg());
                self.fact(form, Relation::Zero);
            }
            Node::Bits(_, width, ..) => {
                let (least, most) = limits(*width);
                self.at_least(variable, least);
                self.at_most(variable, &most);
            }
            Node::Product(factors) if factors.iter().all(|(_, exponent)| exponent % 2 == 0) => {
                self.at_least(variable, Integer::ZERO);
            }
            Node::Power(base, _) if *base > Integer::ZERO => {
                self.at_least(variable, Integer::ONE);
            }
            Node::Ite(..) => self.splits.push(AtomSplit::Conditional(term, variable)),
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, variable: Variable, [array, index]: [Term; 2]) -> Result<(), Stop> {
        let terms = self.terms;
        match terms.node(array) {
            Node::Store(..) | Node::Ite(..) => {
                self.splits.push(AtomSplit::Element { array, index, variable });
            }
            Node::ConstantArray(_, value) => {
                let form = self.atoms.form(terms, *value, self.effort)?;
                self.fact(form.plus(variable, -1), Relation::Zero);
            }
            _ => {}
        }
        Ok(())
    }

    /// The variable that is defined together with another one, unless that has been done.
    fn partner(&mut self, variable: Variable, other: Meaning) -> Option<Variable> {
        let other = self.atoms.variable(other);
        (other > variable).then_some(other)
    }

    /// `a = b·q + r` with `|r| < |b|`, and the sign of `r` as the rounding wants it.
    fn division(
        &mut self,
        rounding: Rounding,
        [a, b]: [Term; 2],
        [quotient, remainder]: [Variable; 2],
    ) -> Result<(), Stop> {
        let terms = self.terms;
        let Some(divisor) = terms.as_int(b) else {
            return Ok(());
        };
        let form = self.atoms.form(terms, a, self.effort)?;
        let form = form.plus(quotient, divisor.neg()).plus(remainder, -1);
        self.fact(form, Relation::Zero);
        if divisor.is_zero() {
            // x / 0 = 0 and x % 0 = x.
            self.fact(Form::constant(0).plus(quotient, 1), Relation::Zero);
            return Ok(());
        }
        let most = absolute(divisor).sub(&Integer::ONE);
        self.at_most(remainder, &most);
        match rounding {
            Rounding::Euclidean => self.at_least(remainder, Integer::ZERO),
            Rounding::Truncated => {
                self.at_least(remainder, most.neg());
                self.splits.push(AtomSplit::Sign { dividend: a, remainder });
            }
        }
        Ok(())
    }
}
