//! What formulas leave open: choices, and the cases of each.

use super::atoms::{AtomSplit, Atoms, Form, Meaning};
use super::candidate::Incongruence;
use super::constraint::{Constraint, Model, Relation};
use super::origin::{Effort, Stop};
use loupe_integer::Integer;
use loupe_term::{Assignment, Node, Term, Terms, Value};

/// A choice: one of some cases holds.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// One part of a conjunction or disjunction has this truth value.
    Part { term: Term, value: bool },
    /// A conditional formula has this truth value.
    Condition { term: Term, value: bool },
    /// A choice that belongs to an atom.
    Atom(AtomSplit),
    /// Two reads have the same value, or one index differs.
    Reads(Incongruence),
}

/// What holds in a case.
#[derive(Default)]
pub(super) struct Case {
    /// Formulas and their truth values.
    pub(super) claims: Vec<(Term, bool)>,
    pub(super) constraints: Vec<Constraint>,
}

/// Who turns terms into linear expressions.
pub(super) struct Reader<'a> {
    pub(super) terms: &'a Terms,
    pub(super) atoms: &'a mut Atoms,
    pub(super) effort: &'a mut Effort,
}

impl Reader<'_> {
    fn form(&mut self, term: Term) -> Result<Form, Stop> {
        self.atoms.form(self.terms, term, self.effort)
    }

    fn element(&mut self, array: Term, index: Term) -> Form {
        Form::constant(0).plus(self.atoms.variable(Meaning::Element(array, index)), 1)
    }
}

/// The condition of a conditional and what it is then (case 0) or otherwise (case 1).
fn branch(terms: &Terms, conditional: Term, number: usize) -> Option<(Term, Term)> {
    match (terms.node(conditional), number) {
        (Node::Ite(condition, then, _), 0) => Some((*condition, *then)),
        (Node::Ite(condition, _, otherwise), 1) => Some((*condition, *otherwise)),
        _ => None,
    }
}

impl Choice {
    /// The case with this number; the choice has no more cases if there is none. In every assignment,
    /// each choice has a case that holds: that is what makes it right to give up a choice all of
    /// whose cases are contradictory.
    pub(super) fn case(&self, number: usize, reader: &mut Reader) -> Result<Option<Case>, Stop> {
        let terms = reader.terms;
        match self {
            Choice::Part { term, value } => {
                let (Node::And(parts) | Node::Or(parts)) = terms.node(*term) else {
                    return Ok(None);
                };
                let case = |part: &Term| Case { claims: vec![(*part, *value)], ..Case::default() };
                Ok(parts.get(number).map(case))
            }
            Choice::Condition { term, value } => {
                let case = branch(terms, *term, number).map(|(condition, chosen)| Case {
                    claims: vec![(condition, number == 0), (chosen, *value)],
                    constraints: Vec::new(),
                });
                Ok(case)
            }
            Choice::Atom(split) => split.case(number, reader),
            Choice::Reads(Incongruence { reads: [first, second], indices }) => {
                let (form, relation) = match number.checked_sub(1).map(|place| indices.get(place)) {
                    None => (Form::constant(0).plus(*first, 1).plus(*second, -1), Relation::Zero),
                    Some(None) => return Ok(None),
                    Some(Some([a, b])) => {
                        let (a, b) = (reader.form(*a)?, reader.form(*b)?);
                        (a.minus(&b), Relation::NonZero)
                    }
                };
                Ok(Some(Case { claims: Vec::new(), constraints: vec![form.is(relation)] }))
            }
        }
    }

    /// Whether some case seems to hold under an assignment and its model: a hint where to go on.
    pub(super) fn seems_right(&self, terms: &Terms, atoms: &Atoms, candidate: &Guess) -> bool {
        let Guess { assignment, model } = candidate;
        match self {
            Choice::Part { term, value } | Choice::Condition { term, value } => {
                terms.holds(*term, assignment) == Ok(*value)
            }
            Choice::Atom(split) => split.seems_right(terms, atoms, assignment, model),
            Choice::Reads(_) => true,
        }
    }
}

/// An assignment and the values of the variables that it was made of.
pub(super) struct Guess<'a> {
    pub(super) assignment: &'a Assignment,
    pub(super) model: &'a Model,
}

impl AtomSplit {
    fn case(&self, number: usize, reader: &mut Reader) -> Result<Option<Case>, Stop> {
        let terms = reader.terms;
        match *self {
            AtomSplit::Conditional(term, variable) => {
                let Some((condition, chosen)) = branch(terms, term, number) else {
                    return Ok(None);
                };
                let equal = reader.form(chosen)?.plus(variable, -1).is(Relation::Zero);
                let claims = vec![(condition, number == 0)];
                Ok(Some(Case { claims, constraints: vec![equal] }))
            }
            AtomSplit::Sign { dividend, remainder } => {
                let dividend = reader.form(dividend)?;
                let remainder = Form::constant(0).plus(remainder, 1);
                let signed = match number {
                    0 => [dividend.negated(), remainder.negated()],
                    1 => [dividend.plus_constant(1), remainder],
                    _ => return Ok(None),
                };
                let constraints = signed.map(|form| form.is(Relation::AtMostZero)).to_vec();
                Ok(Some(Case { claims: Vec::new(), constraints }))
            }
            AtomSplit::Element { array, index, variable } => {
                let (mut case, value) = match (terms.node(array), number) {
                    (Node::Store(_, at, value), 0) => {
                        let same = reader.form(index)?.minus(&reader.form(*at)?).is(Relation::Zero);
                        let constraints = vec![same];
                        (Case { claims: Vec::new(), constraints }, reader.form(*value)?)
                    }
                    (Node::Store(below, at, _), 1) => {
                        let form = reader.form(index)?.minus(&reader.form(*at)?);
                        let constraints = vec![form.is(Relation::NonZero)];
                        (Case { claims: Vec::new(), constraints }, reader.element(*below, index))
                    }
                    _ => match branch(terms, array, number) {
                        Some((condition, chosen)) => {
                            let claims = vec![(condition, number == 0)];
                            let constraints = Vec::new();
                            (Case { claims, constraints }, reader.element(chosen, index))
                        }
                        None => return Ok(None),
                    },
                };
                case.constraints.push(value.plus(variable, -1).is(Relation::Zero));
                Ok(Some(case))
            }
        }
    }

    fn seems_right(
        &self,
        terms: &Terms,
        atoms: &Atoms,
        assignment: &Assignment,
        model: &Model,
    ) -> bool {
        let int = |term: Term| match terms.evaluate(term, assignment) {
            Ok(Value::Int(value)) => Some(value),
            _ => None,
        };
        match *self {
            AtomSplit::Conditional(term, variable) => int(term) == Some(model.value(variable)),
            AtomSplit::Sign { dividend, remainder } => {
                let remainder = model.value(remainder);
                let same = |a: Integer| a.is_negative() == remainder.is_negative();
                remainder.is_zero() || int(dividend).is_some_and(same)
            }
            AtomSplit::Element { array, index, variable } => {
                let Node::Store(below, at, value) = *terms.node(array) else {
                    return false;
                };
                let found = Some(model.value(variable));
                if int(index) == int(at) {
                    return int(value) == found;
                }
                let below = atoms.known(Meaning::Element(below, index));
                below.map(|below| model.value(below)) == found
            }
        }
    }
}
