//! Closed forms.

use super::Body;
use super::arrays::Arrays;
use crate::logic::Logic;
use crate::step::Steps;
use loupe_solver::Error;
use loupe_term::Term;
use loupe_term::recurrence::{Form, Obstacle, Solution, System, solve};

/// The values of a variable after 0, 1, … iterations, and then one term for each class of iterations.
pub(super) struct Shape {
    pub(super) first: Vec<Term>,
    pub(super) classes: Vec<Term>,
}

impl Shape {
    fn of(form: &Form) -> Self {
        Shape { first: form.first().to_vec(), classes: form.classes().to_vec() }
    }
}

/// The closed form of every variable.
pub(super) fn forms(
    logic: &mut Logic<'_>,
    steps: &Steps,
    body: &Body,
    count: Term,
) -> Result<Result<Vec<Shape>, String>, Error> {
    let arrays = match Arrays::of(logic, steps, body) {
        Ok(arrays) => arrays,
        Err(reason) => return Ok(Err(reason)),
    };
    let updates = arrays.numbers(logic, steps, body);
    let facts: Vec<Term> = steps.facts.iter().chain(&body.guard).copied().collect();
    let system = System { counter: count, updates: &updates, facts: &facts };
    // Identities are enough for what is linear; what needs a lemma asks the solver.
    let solutions = {
        let mut failed = None;
        let solutions = {
            let (terms, mut prover) = logic.prover(&mut failed);
            solve(terms, &system, &mut prover)
        };
        match (failed, solutions) {
            (Some(error), _) => return Err(error),
            (None, Ok(solutions)) => solutions,
            (None, Err(bad)) => return Ok(Err(bad.to_string())),
        }
    };
    let mut shapes = Vec::new();
    for symbol in &steps.symbols {
        if arrays.contains(*symbol) {
            match arrays.closed(logic, steps, body, (count, *symbol), &solutions)? {
                Ok(form) => shapes.push(Shape { first: Vec::new(), classes: vec![form] }),
                Err(why) => {
                    let name = name(logic, *symbol);
                    return Ok(Err(format!("{name} has no closed form: {why}")));
                }
            }
            continue;
        }
        match solutions.get(logic.terms, *symbol) {
            Some(Solution::Proved(proved)) => {
                let Shape { first, classes } = Shape::of(proved.form());
                let mut entered = |terms: Vec<Term>| -> Vec<Term> {
                    terms.into_iter().map(|term| arrays.entered(logic, term)).collect()
                };
                shapes.push(Shape { first: entered(first), classes: entered(classes) });
            }
            Some(Solution::Conditional(_)) => {
                return Ok(Err(format!(
                    "the value of {} after many iterations rests on a condition",
                    name(logic, *symbol)
                )));
            }
            Some(Solution::Refused(obstacle)) => {
                let why = explain(logic, obstacle);
                return Ok(Err(format!("{} has no closed form: {why}", name(logic, *symbol))));
            }
            None => shapes.push(Shape { first: Vec::new(), classes: vec![*symbol] }),
        }
    }
    Ok(Ok(shapes))
}

fn name(logic: &Logic<'_>, symbol: Term) -> String {
    match logic.symbol_of(symbol) {
        Some(id) => logic.terms.symbol(id).name.clone(),
        None => "a variable".into(),
    }
}

fn explain(logic: &Logic<'_>, obstacle: &Obstacle) -> String {
    let text = |term: &Term| logic.terms.text(*term);
    match obstacle {
        Obstacle::DependsOn(other) => {
            format!("it depends on {}, which has none", logic.terms.symbol(*other).name)
        }
        Obstacle::Array => "it is an array that changes".into(),
        Obstacle::Unknown(_) => "its value is not known".into(),
        Obstacle::Product(product) => {
            format!("changing values are multiplied in {}", text(product))
        }
        Obstacle::Factor(factor) => {
            format!("it is multiplied by {}, which is no constant", text(factor))
        }
        Obstacle::NoPolynomial(part) => {
            format!("{} is no polynomial of the number of iterations", text(part))
        }
        Obstacle::Rates => "it grows with an irrational rate".into(),
        Obstacle::TooLarge => "its form would be too large".into(),
        Obstacle::Unverified => "its form could not be verified".into(),
    }
}
