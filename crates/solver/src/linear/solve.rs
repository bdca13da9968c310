//! The search: one problem at a time, with a stack of the cases that are left.

use super::constraint::{Answer, Budget, Constraint, Model, Relation, Variable};
use super::eliminate::Shadow;
use super::model::{Failure, Step, back_substitute};
use super::origin::{Effort, Origin, Stop};
use super::problem::{Disequality, Problem};
use super::row::Row;
use loupe_integer::Integer;

/// Whether all constraints can hold together.
pub fn solve(constraints: &[Constraint], budget: Budget) -> Answer {
    let mut steps = budget.steps;
    solve_within(constraints, &mut steps)
}

/// The same, with a number of steps from which those that are needed are taken.
pub(super) fn solve_within(constraints: &[Constraint], steps: &mut u64) -> Answer {
    let mut variables: Vec<Variable> = Vec::new();
    for constraint in constraints {
        variables.extend(constraint.coefficients().iter().map(|(variable, _)| *variable));
    }
    variables.sort_unstable();
    variables.dedup();
    let mut search = Search {
        effort: Effort::new(*steps),
        steps: Vec::new(),
        stack: Vec::new(),
        inputs: constraints.len(),
    };
    let start = search.start(constraints, &variables);
    let result = start.and_then(|problem| search.run(problem));
    *steps = search.effort.steps;
    let values = match result {
        Ok(values) => values,
        Err(Stop::Conflict(origin)) => {
            return Answer::Unsat(search.effort.derivations.leaves(origin));
        }
        Err(Stop::OutOfSteps) => return Answer::Unknown,
    };
    let model = Model { values: variables.into_iter().zip(values).collect() };
    let all_hold = constraints.iter().all(|constraint| constraint.holds(|v| model.value(v)));
    debug_assert!(all_hold, "a model that is none: {model:?} of {constraints:?}");
    // An answer is never wrong, even if a step above were.
    if all_hold { Answer::Sat(model) } else { Answer::Unknown }
}

/// Something to come back to.
struct Frame {
    /// The problem, before what was tried since.
    problem: Problem,
    /// How many steps led to it.
    steps: usize,
    /// The cases that it was split into, once that was necessary.
    split: Option<Split>,
}

/// A split into cases, one of which must hold.
struct Split {
    /// The number of the assumption that the current case holds.
    assumption: usize,
    /// Why one of the cases must hold, and why those that were tried do not.
    reasons: Origin,
    cases: Cases,
}

/// The cases that have not been tried.
enum Cases {
    /// The row is at most -1, or it is at least 1.
    Signs { row: Row, input: usize, left: Vec<Sign> },
    /// The dark shadow.
    Dark { variable: u32 },
    /// The splinters: the row is 0, -1, …, so many values.
    Splinters(Vec<(Row, Integer)>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Negative,
    Positive,
}

impl Split {
    /// The problem of the next case; nothing if all have been tried.
    fn next(
        &mut self,
        problem: &Problem,
        steps: &mut Vec<Step>,
        effort: &mut Effort,
    ) -> Result<Option<Problem>, Stop> {
        let assumption = effort.derivations.leaf(self.assumption);
        match &mut self.cases {
            Cases::Signs { row, input, left } => {
                let Some(sign) = left.pop() else {
                    return Ok(None);
                };
                let mut row = Row { origin: assumption, ..row.clone() };
                if sign == Sign::Positive {
                    row.negate();
                }
                row.constant = row.constant.add(&Integer::ONE);
                let mut problem = problem.copy(effort)?;
                problem.disequalities.retain(|known| known.input != *input);
                problem.add_inequality(row, effort)?;
                Ok(Some(problem))
            }
            Cases::Dark { variable } => {
                let variable = *variable;
                self.cases = Cases::Splinters(problem.splinters(variable));
                let mut problem = problem.copy(effort)?;
                steps.push(problem.eliminate(variable, Shadow::Dark(assumption), effort)?);
                Ok(Some(problem))
            }
            Cases::Splinters(splinters) => {
                let Some((row, count)) = splinters.last_mut() else {
                    return Ok(None);
                };
                *count = count.sub(&Integer::ONE);
                let constant = row.constant.add(count);
                let row = Row { terms: row.terms.clone(), constant, origin: assumption };
                if count.is_zero() {
                    splinters.pop();
                }
                let mut problem = problem.copy(effort)?;
                problem.equalities.push(row);
                Ok(Some(problem))
            }
        }
    }
}

struct Search {
    effort: Effort,
    /// How the variables of the current problem were eliminated.
    steps: Vec<Step>,
    stack: Vec<Frame>,
    /// How many constraints there are. Assumptions have the numbers after them.
    inputs: usize,
}

impl Search {
    /// The problem as it is given.
    fn start(
        &mut self,
        constraints: &[Constraint],
        variables: &[Variable],
    ) -> Result<Problem, Stop> {
        let mut problem = Problem::default();
        problem.ranges.resize_with(variables.len(), Default::default);
        let effort = &mut self.effort;
        for (input, constraint) in constraints.iter().enumerate() {
            let index = |variable: &Variable| variables.partition_point(|known| known < variable);
            let terms = constraint.coefficients().iter();
            let row = Row {
                terms: terms.map(|(v, factor)| (index(v) as u32, factor.clone())).collect(),
                constant: constraint.constant().clone(),
                origin: effort.derivations.leaf(input),
            };
            effort.spend(row.terms.len() + 1)?;
            match constraint.relation() {
                Relation::AtMostZero => problem.add_inequality(row, effort)?,
                Relation::Zero => problem.equalities.push(row),
                Relation::Divisible(divisor) => problem.add_divisible(row, divisor),
                Relation::Indivisible(divisor) if !divisor.is_zero() => {
                    problem.add_indivisible(row, divisor, effort)?;
                }
                Relation::NonZero | Relation::Indivisible(_) => {
                    problem.add_disequality(Disequality { row, input })?;
                }
            }
        }
        Ok(problem)
    }

    /// Values for all variables, or the reason that there are none.
    fn run(&mut self, start: Problem) -> Result<Vec<Integer>, Stop> {
        let mut problem = start;
        loop {
            let reduced = self.reduce(problem);
            self.effort.spend(self.steps.len())?;
            let conflict = match reduced {
                Ok(count) => match back_substitute(&self.steps, count) {
                    Ok(values) => return Ok(values),
                    Err(failure) => {
                        self.split(failure)?;
                        None
                    }
                },
                Err(Stop::Conflict(origin)) => Some(origin),
                Err(Stop::OutOfSteps) => return Err(Stop::OutOfSteps),
            };
            problem = self.next_case(conflict)?;
        }
    }

    /// Eliminates all variables of a problem. Gives how many there are.
    fn reduce(&mut self, mut problem: Problem) -> Result<usize, Stop> {
        problem.simplify(&mut self.steps, &mut self.effort)?;
        if !problem.disequalities.is_empty() {
            self.remember(&problem)?;
        }
        while let Some(choice) = problem.choose(&mut self.effort)? {
            if !choice.exact {
                self.remember(&problem)?;
            }
            let step = problem.eliminate(choice.variable, Shadow::Real, &mut self.effort)?;
            self.steps.push(step);
            problem.simplify(&mut self.steps, &mut self.effort)?;
        }
        for variable in 0..problem.ranges.len() {
            if !problem.ranges[variable].gone {
                let step = problem.eliminate(variable as u32, Shadow::Real, &mut self.effort)?;
                self.steps.push(step);
            }
        }
        Ok(problem.ranges.len())
    }

    fn remember(&mut self, problem: &Problem) -> Result<(), Stop> {
        let problem = problem.copy(&mut self.effort)?;
        self.stack.push(Frame { problem, steps: self.steps.len(), split: None });
        Ok(())
    }

    /// Turns the latest frame that a failed model concerns into a split, whose cases cover all of its
    /// problem. Frames above it, splits or not, belong to consequences of that problem: what was
    /// found there was only a candidate, and what was left to find there is not needed.
    fn split(&mut self, failure: Failure) -> Result<(), Stop> {
        while let Some(frame) = self.stack.pop() {
            if frame.split.is_some() {
                continue;
            }
            let Some((reasons, cases)) = cases_for(&frame.problem, failure) else {
                continue;
            };
            let assumption = self.inputs + self.stack.len();
            let split = Some(Split { assumption, reasons, cases });
            self.stack.push(Frame { split, ..frame });
            return Ok(());
        }
        Err(Stop::OutOfSteps)
    }

    /// The next case to try, after a contradiction in the current one or before the first.
    fn next_case(&mut self, conflict: Option<Origin>) -> Result<Problem, Stop> {
        let mut conflict = conflict;
        while let Some(frame) = self.stack.last_mut() {
            let Some(split) = &mut frame.split else {
                // What contradicts a consequence of a problem contradicts the problem.
                self.stack.pop();
                continue;
            };
            if let Some(origin) = conflict {
                let Some(rest) = self.effort.without(origin, split.assumption)? else {
                    // The contradiction does not need this case, so there is none without it either.
                    self.stack.pop();
                    continue;
                };
                split.reasons = self.effort.join(split.reasons, rest);
            }
            self.steps.truncate(frame.steps);
            match split.next(&frame.problem, &mut self.steps, &mut self.effort) {
                Ok(Some(problem)) => return Ok(problem),
                Ok(None) => {
                    conflict = Some(split.reasons);
                    self.stack.pop();
                }
                // The case contradicts itself at once; the frame is still the latest.
                Err(Stop::Conflict(origin)) => conflict = Some(origin),
                Err(Stop::OutOfSteps) => return Err(Stop::OutOfSteps),
            }
        }
        match conflict {
            Some(origin) => Err(Stop::Conflict(origin)),
            None => Err(Stop::OutOfSteps),
        }
    }
}

/// The cases that a problem is split into after a failed model, and why one of them must hold;
/// nothing if the failure is not about this problem.
fn cases_for(problem: &Problem, failure: Failure) -> Option<(Origin, Cases)> {
    match failure {
        Failure::Excluded(input) => {
            let known = problem.disequalities.iter().find(|known| known.input == input)?;
            let row = known.row.clone();
            Some((
                row.origin,
                Cases::Signs { row, input, left: vec![Sign::Positive, Sign::Negative] },
            ))
        }
        Failure::NoInteger(variable) => {
            let range = problem.ranges.get(variable as usize)?;
            if range.gone {
                return None;
            }
            // No reasons are needed: if the dark shadow contradicts itself by some pairs of bounds,
            // a solution violates one of these pairs, so it is in a splinter of one of its bounds.
            // The contradictions of the dark shadow and of these splinters are reason enough.
            Some((Origin::NONE, Cases::Dark { variable }))
        }
    }
}
