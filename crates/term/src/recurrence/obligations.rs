//! Forms and what they rest on.

use super::exponential::Move;
use super::sequence::{Counted as _, Sequence, Shape};
use super::{Prover, Solution, Solutions};
use crate::arena::Terms;
use crate::node::{Node, Rounding, SymbolId, Term};
use crate::traverse::Substitution;
use loupe_integer::Integer;

/// The value of a variable after k iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    counter: Term,
    value: Term,
    sequence: Sequence<Term>,
}

impl Form {
    pub(super) fn new(terms: &mut Terms, counter: Term, sequence: Sequence<Term>) -> Self {
        let value = one_term(terms, counter, &sequence);
        Form { counter, value, sequence }
    }

    /// The value as one term over entry values and the counter, which is at least 0.
    pub fn value(&self) -> Term {
        self.value
    }

    /// The value after so many iterations, a term that is at least 0.
    pub fn after(&self, terms: &mut Terms, iterations: Term) -> Term {
        put_counter(terms, self.counter, self.value, iterations)
    }

    /// The values after 0, 1, … iterations that are not among the [classes](Form::classes).
    pub fn first(&self) -> &[Term] {
        self.sequence.first()
    }

    /// With f first values and p classes, the class r at n is the value after `f + p·n + r` iterations. In
    /// these terms, the counter's symbol stands for n, the number of whole rounds.
    pub fn classes(&self) -> &[Term] {
        self.sequence.classes()
    }
}

/// A sequence as one term: the classes by remainder, the first values by `ite`.
fn one_term(terms: &mut Terms, counter: Term, sequence: &Sequence<Term>) -> Term {
    let Shape { first, period } = sequence.shape();
    let begin = terms.int(first);
    let later = terms.sub(counter, begin);
    let divisor = terms.int(period);
    let rounds = terms.quotient(Rounding::Euclidean, later, divisor);
    let remainder = terms.remainder(Rounding::Euclidean, later, divisor);
    let mut value = None;
    for (r, class) in sequence.classes().iter().enumerate().rev() {
        let class = put_counter(terms, counter, *class, rounds);
        let number = terms.int(r);
        let chosen = terms.eq(remainder, number);
        value = Some(match value {
            Some(otherwise) => terms.ite(chosen, class, otherwise),
            None => class,
        });
    }
    let classes = value.unwrap_or(counter);
    let values = sequence.first().iter().chain([&classes]).enumerate();
    let earlier = values.fold(None, |earlier: Option<Term>, (i, value)| match earlier {
        None => Some(*value),
        Some(earlier) => {
            // From iteration i on: i - 1 < k.
            let before = terms.int(i as i64 - 1);
            let reached = terms.lt(before, counter);
            Some(terms.ite(reached, *value, earlier))
        }
    });
    earlier.unwrap_or(classes)
}

pub(super) fn put_counter(terms: &mut Terms, counter: Term, term: Term, value: Term) -> Term {
    match *terms.node(counter) {
        Node::Symbol(symbol) if value != counter => {
            terms.substitute(term, &Substitution::from_iter([(symbol, value)]))
        }
        _ => term,
    }
}

/// Why base and step hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Both sides are the same exponential polynomials over the entry values, class by class.
    Identity,
    /// The same for the system without wraps and remainders, to which it is congruent; and what is
    /// congruent has the same remainder.
    Congruence,
    /// Each value is the update at the values of the iteration before, by definition.
    LastWriter,
    /// The values up to the first repeated state are computed, and a state that repeats does so for ever.
    Repetition,
}

/// How a formula was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// By splitting on the conditions in it; both sides are then the same terms.
    Cases,
    /// By bounds of its parts.
    Bounds,
    /// By the caller's prover.
    Prover,
}

/// A formula that an argument needs: valid for all values of the symbols in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The formula.
    pub claim: Term,
    /// How it was proved.
    pub means: Means,
}

/// What a form rests on. The variables in it have forms, too; theirs are not repeated here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The argument.
    pub argument: Argument,
    /// What was proved for it besides.
    pub lemmas: Vec<Lemma>,
}

/// A form with its proof. Only this module makes them.
#[derive(Clone, Debug)]
pub struct Proved {
    form: Form,
    proof: Proof,
}

impl Proved {
    /// The form.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// What it rests on.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }
}

/// A form that is right if some formulas are valid, which nobody has proved.
#[derive(Clone, Debug)]
pub struct Conditional {
    candidate: Form,
    proof: Proof,
    open: Vec<Term>,
}

impl Conditional {
    /// The form, which may be wrong.
    pub fn candidate(&self) -> &Form {
        &self.candidate
    }

    /// The formulas that must be valid, also those of variables on which this one depends.
    pub fn open(&self) -> &[Term] {
        &self.open
    }

    /// Asks a prover for what is open.
    ///
    /// # Errors
    ///
    /// What is left open.
    pub fn discharge(
        mut self,
        terms: &mut Terms,
        prover: &mut dyn Prover,
    ) -> Result<Proved, Conditional> {
        let lemmas = &mut self.proof.lemmas;
        self.open.retain(|claim| {
            let proved = prover.proves(terms, *claim);
            if proved {
                lemmas.push(Lemma { claim: *claim, means: Means::Prover });
            }
            !proved
        });
        match self.open.is_empty() {
            true => Ok(Proved { form: self.candidate, proof: self.proof }),
            false => Err(self),
        }
    }
}

impl Solution {
    pub(super) fn new(form: Form, proof: Proof, open: Vec<Term>) -> Self {
        if open.is_empty() {
            Solution::Proved(Proved { form, proof })
        } else {
            Solution::Conditional(Conditional { candidate: form, proof, open })
        }
    }

    /// The form, proved or not.
    fn candidate(&self) -> Option<&Form> {
        match self {
            Solution::Proved(proved) => Some(&proved.form),
            Solution::Conditional(conditional) => Some(&conditional.candidate),
            Solution::Refused(_) => None,
        }
    }
}

/// Base and step of a form as formulas, for those who check them once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The facts imply `form(0) = x`.
    pub base: Term,
    /// The facts and `k ≥ 0` imply `form(k+1) = update(forms at k)`.
    pub step: Term,
}

impl Solutions {
    /// Base and step of a variable's form, which may be a candidate; `None` if there is none, or none of
    /// a variable in its update (which it may not need: a value modulo 8 needs others modulo 8 alone).
    pub fn claims(&self, terms: &mut Terms, variable: SymbolId) -> Option<Claims> {
        let form = self.solutions.get(&variable)?.candidate()?.value;
        self.claims_of(terms, variable, form)
    }

    /// Base and step of any term over the counter as the form of a variable.
    pub(super) fn claims_of(
        &self,
        terms: &mut Terms,
        variable: SymbolId,
        form: Term,
    ) -> Option<Claims> {
        let update = *self.updates.get(&variable)?;
        let mut forms = Substitution::default();
        for symbol in terms.free_symbols(update) {
            if let Some(solution) = self.solutions.get(&symbol) {
                forms.insert(symbol, solution.candidate()?.value);
            }
        }
        forms.insert(variable, form);
        let after = terms.substitute(update, &forms);
        let next = form.with_counter(terms, self.counter, Move { factor: 1, offset: 1 });
        let start = form.with_counter(terms, self.counter, Move { factor: 0, offset: 0 });
        let entry = terms.intern(Node::Symbol(variable));
        let (base, step) = (terms.eq(start, entry), terms.eq(next, after));
        let base = under(terms, &self.facts, base);
        let facts = with_counter_bound(terms, &self.facts, self.counter);
        Some(Claims { base, step: under(terms, &facts, step) })
    }
}

/// The claim, under facts.
pub(super) fn under(terms: &mut Terms, facts: &[Term], claim: Term) -> Term {
    // An unknown fact is none.
    let known: Vec<Term> = facts.iter().copied().filter(|fact| !terms.is_starred(*fact)).collect();
    let facts = terms.and(known);
    terms.implies(facts, claim)
}

/// The facts, and that the counter is at least 0.
pub(super) fn with_counter_bound(terms: &mut Terms, facts: &[Term], counter: Term) -> Vec<Term> {
    let zero = terms.int(Integer::ZERO);
    let mut facts = facts.to_vec();
    facts.push(terms.le(zero, counter));
    facts
}
