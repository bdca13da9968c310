//! Formulas: a search over the cases of their disjunctions.
//!
//! The literals that must hold are turned into linear constraints. What offers a choice (disjunctions,
//! conditionals, signs of truncated remainders) is left out at first, which only weakens the formulas:
//! if the rest is contradictory, so are they. Otherwise the model is tried on the formulas by
//! evaluation, and only if it fails is a choice made, best one that the model gets wrong. A
//! contradiction that does not depend on the latest choices undoes them all.
//!
//! Deliberately not done: learning from contradictions, and reasoning about products, bits, powers,
//! equality of arrays and quantifiers. Literals about these are about opaque atoms, or left out, which
//! weakens the formulas too; so a contradiction stands, and a model stands only if evaluation says so.

use super::atoms::{Atoms, Constraints};
use super::candidate::Candidate;
use super::choice::{Choice, Guess, Reader};
use super::constraint::{Answer, Budget, Constraint, Relation};
use super::origin::{Effort, Origin, Stop};
use super::outline::Outline;
use super::solve::solve_within;
use crate::limits::Interrupt;
use loupe_term::{Assignment, Node, Sort, Term, Terms};

/// Whether formulas can be true together.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Yes, under this assignment: each of them evaluates to true.
    Sat(Assignment),
    /// No, already those with these indices cannot. Ascending; not always the fewest.
    Unsat(Vec<usize>),
    /// The budget ran out, or something is not linear.
    Unknown,
}

/// Whether all assertions can be true together.
///
/// What is no truth value, or depends on ★, is never true by evaluation: then the answer is not
/// [`Decision::Sat`].
pub fn decide(
    terms: &Terms,
    assertions: &[Term],
    budget: Budget,
    interrupt: &Interrupt,
) -> Decision {
    let mut search = Search {
        terms,
        assertions,
        interrupt,
        effort: Effort::new(budget.steps),
        atoms: Atoms::default(),
        constraints: Constraints::default(),
        queue: Vec::new(),
        splits: Vec::new(),
        frames: Vec::new(),
        outline: None,
    };
    match search.run() {
        Ok(assignment) => Decision::Sat(assignment),
        Err(Stop::OutOfSteps) => Decision::Unknown,
        Err(Stop::Conflict(origin)) => {
            let core = search.effort.derivations.leaves(origin);
            let complete = core.last().is_none_or(|last| *last < assertions.len());
            if complete { Decision::Unsat(core) } else { Decision::Unknown }
        }
    }
}

/// The number of the assumption that a case without a model and without a contradiction has none.
const UNDECIDED: usize = u32::MAX as usize;

/// A formula that has a truth value.
#[derive(Clone, Copy, Debug)]
struct Claim {
    term: Term,
    value: bool,
    origin: Origin,
}

/// A choice that has not been made.
struct Split {
    choice: Choice,
    /// Why one of the cases must hold.
    origin: Origin,
    /// Whether a frame has it.
    open: bool,
}

/// A choice that has been made.
struct Frame {
    choice: Choice,
    /// The index of the split, if it is one that waits when the frame is gone.
    split: Option<usize>,
    /// The case to try next.
    next: usize,
    /// The number of the assumption that the current case holds.
    assumption: usize,
    /// Why one of the cases must hold, and why those that were tried do not.
    reasons: Origin,
    /// How much there was before.
    constraints: usize,
    atoms: usize,
    splits: usize,
}

struct Search<'t> {
    terms: &'t Terms,
    assertions: &'t [Term],
    /// Somebody who may want the search to end.
    interrupt: &'t Interrupt,
    effort: Effort,
    atoms: Atoms,
    constraints: Constraints,
    queue: Vec<Claim>,
    splits: Vec<Split>,
    frames: Vec<Frame>,
    /// The outline of the assertions, once it was needed, if it has one.
    outline: Option<Option<Outline>>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Assignment, Stop> {
        for (index, assertion) in self.assertions.iter().enumerate() {
            let origin = self.effort.derivations.leaf(index);
            self.queue.push(Claim { term: *assertion, value: true, origin });
        }
        loop {
            if self.interrupt.is_requested() {
                return Err(Stop::OutOfSteps);
            }
            match self.attempt() {
                Ok(Some(assignment)) => return Ok(assignment),
                Ok(None) => {}
                Err(Stop::Conflict(origin)) => self.backtrack(origin)?,
                Err(Stop::OutOfSteps) => return Err(Stop::OutOfSteps),
            }
        }
    }

    /// Solves what must hold in the current case; without a model that is right, makes a choice.
    fn attempt(&mut self) -> Result<Option<Assignment>, Stop> {
        while let Some(claim) = self.queue.pop() {
            self.effort.spend(1)?;
            self.claim(claim)?;
        }
        self.define_atoms()?;
        let model = match solve_within(&self.constraints.list, &mut self.effort.steps) {
            Answer::Sat(model) => model,
            Answer::Unknown => return Err(Stop::OutOfSteps),
            Answer::Unsat(core) => {
                let mut origin = Origin::NONE;
                for index in core {
                    origin = self.effort.join(origin, self.constraints.origins[index]);
                }
                return Err(Stop::Conflict(origin));
            }
        };
        let mut candidate = Candidate::of_symbols(self.terms, self.atoms.meanings(), &model);
        let mut affordable = self.pay_for_evaluation(&candidate.assignment)?;
        if affordable && candidate.has_reads() {
            candidate.put_reads(self.terms, &model);
            affordable = self.pay_for_evaluation(&candidate.assignment)?;
        }
        let Candidate { assignment, incongruence, .. } = candidate;
        if affordable && self.terms.all_hold(self.assertions, &assignment) {
            return Ok(Some(assignment));
        }
        let waiting = || self.splits.iter().enumerate().filter(|(_, split)| !split.open);
        let guess = Guess { assignment: &assignment, model: &model };
        let seems_right =
            |split: &Split| affordable && split.choice.seems_right(self.terms, &self.atoms, &guess);
        let wrong = waiting().find(|(_, split)| !seems_right(split));
        match (wrong, incongruence, waiting().next()) {
            (Some((index, _)), ..) | (None, None, Some((index, _))) => self.open_split(index)?,
            (None, Some(incongruence), _) => {
                self.open(Choice::Reads(incongruence), Origin::NONE, None)?;
            }
            (None, None, None) => return Err(self.undecided()),
        }
        Ok(None)
    }

    /// Pays for the evaluation of all assertions, and of their parts that are choices. Gives false if
    /// it would take too long.
    fn pay_for_evaluation(&mut self, assignment: &Assignment) -> Result<bool, Stop> {
        let limit = self.effort.steps;
        let outline =
            self.outline.get_or_insert_with(|| Outline::new(self.terms, self.assertions, limit));
        // Once for the assertions, once for the choices.
        let terms = self.terms;
        match outline.as_ref().and_then(|outline| outline.steps(terms, assignment, limit / 2)) {
            Some(steps) => self.effort.spend(2 * steps as usize).map(|()| true),
            None => Ok(false),
        }
    }

    /// No way on in this case: it counts as a contradiction that depends on all choices and on an
    /// assumption that is not known to hold.
    fn undecided(&mut self) -> Stop {
        let mut origin = self.effort.derivations.leaf(UNDECIDED);
        for index in 0..self.frames.len() {
            let assumption = self.effort.derivations.leaf(self.frames[index].assumption);
            origin = self.effort.join(origin, assumption);
        }
        Stop::Conflict(origin)
    }

    /// Adds what follows from a formula having a truth value.
    fn claim(&mut self, Claim { term, value, origin }: Claim) -> Result<(), Stop> {
        let terms = self.terms;
        match terms.node(term) {
            Node::Not(inner) => self.queue.push(Claim { term: *inner, value: !value, origin }),
            Node::And(parts) if value => self.claim_all(parts, value, origin),
            Node::Or(parts) if !value => self.claim_all(parts, value, origin),
            Node::And(_) | Node::Or(_) => {
                self.wait(Choice::Part { term, value }, origin);
            }
            Node::Ite(..) => self.wait(Choice::Condition { term, value }, origin),
            Node::Bool(constant) if *constant != value => return Err(Stop::Conflict(origin)),
            Node::Bool(_) => {}
            _ => {
                if let Some(constraint) = self.literal(term, value)? {
                    self.constraints.push(constraint, origin);
                }
            }
        }
        Ok(())
    }

    fn claim_all(&mut self, parts: &[Term], value: bool, origin: Origin) {
        self.queue.extend(parts.iter().map(|part| Claim { term: *part, value, origin }));
    }

    fn wait(&mut self, choice: Choice, origin: Origin) {
        self.splits.push(Split { choice, origin, open: false });
    }

    /// A literal as a constraint; none if it says nothing that can be used.
    fn literal(&mut self, term: Term, value: bool) -> Result<Option<Constraint>, Stop> {
        let terms = self.terms;
        // ★ has no value, so that nothing follows; and only truth values are claims.
        if terms.is_starred(term) || terms.sort(term) != Sort::Bool {
            return Ok(None);
        }
        let mut form = |part: Term| self.atoms.form(terms, part, &mut self.effort);
        Ok(Some(match (terms.node(term), value) {
            (Node::NonPositive(a), true) => form(*a)?.is(Relation::AtMostZero),
            (Node::NonPositive(a), false) => {
                form(*a)?.negated().plus_constant(1).is(Relation::AtMostZero)
            }
            (Node::Zero(a), true) => form(*a)?.is(Relation::Zero),
            (Node::Zero(a), false) => form(*a)?.is(Relation::NonZero),
            (Node::Divides(divisor, a), true) => form(*a)?.is(Relation::Divisible(divisor.clone())),
            (Node::Divides(divisor, a), false) => {
                form(*a)?.is(Relation::Indivisible(divisor.clone()))
            }
            // A symbol, or an opaque atom: its variable is 1 or 0.
            _ => form(term)?.plus_constant(-i64::from(value)).is(Relation::Zero),
        }))
    }

    fn define_atoms(&mut self) -> Result<(), Stop> {
        let mut splits = Vec::new();
        let Search { terms, atoms, constraints, effort, .. } = self;
        atoms.define(terms, constraints, &mut splits, effort)?;
        splits.into_iter().for_each(|split| self.wait(Choice::Atom(split), Origin::NONE));
        Ok(())
    }

    fn open_split(&mut self, index: usize) -> Result<(), Stop> {
        let split = &mut self.splits[index];
        split.open = true;
        let (choice, origin) = (split.choice.clone(), split.origin);
        self.open(choice, origin, Some(index))
    }

    /// Makes a choice: its first case.
    fn open(&mut self, choice: Choice, reasons: Origin, split: Option<usize>) -> Result<(), Stop> {
        self.frames.push(Frame {
            choice,
            split,
            next: 0,
            assumption: self.assertions.len() + self.frames.len(),
            reasons,
            constraints: self.constraints.list.len(),
            atoms: self.atoms.meanings().len(),
            splits: self.splits.len(),
        });
        if self.next_case()? {
            return Ok(());
        }
        Err(Stop::Conflict(reasons))
    }

    /// Goes on with the next case of the latest choice that a contradiction depends on.
    fn backtrack(&mut self, conflict: Origin) -> Result<(), Stop> {
        let mut conflict = conflict;
        while let Some(frame) = self.frames.last_mut() {
            // A contradiction that does not need the case rules all of them out.
            if let Some(rest) = self.effort.without(conflict, frame.assumption)? {
                frame.reasons = self.effort.derivations.join(frame.reasons, rest);
                self.undo();
                if self.next_case()? {
                    return Ok(());
                }
                conflict = self.frames.last().map_or(conflict, |frame| frame.reasons);
            }
            self.undo();
            if let Some(split) = self.frames.pop().and_then(|frame| frame.split) {
                self.splits[split].open = false;
            }
        }
        Err(Stop::Conflict(conflict))
    }

    /// Forgets what was added since the latest choice.
    fn undo(&mut self) {
        self.queue.clear();
        if let Some(frame) = self.frames.last() {
            self.constraints.truncate(frame.constraints);
            self.atoms.truncate(frame.atoms);
            self.splits.truncate(frame.splits);
        }
    }

    /// Assumes the next case of the latest choice; false if there is none.
    fn next_case(&mut self) -> Result<bool, Stop> {
        self.effort.spend(1)?;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(false);
        };
        let (choice, number) = (frame.choice.clone(), frame.next);
        frame.next += 1;
        let origin = self.effort.derivations.leaf(frame.assumption);
        let Search { terms, atoms, effort, .. } = self;
        let Some(case) = choice.case(number, &mut Reader { terms, atoms, effort })? else {
            return Ok(false);
        };
        for (term, value) in case.claims {
            self.queue.push(Claim { term, value, origin });
        }
        for constraint in case.constraints {
            self.constraints.push(constraint, origin);
        }
        Ok(true)
    }
}
