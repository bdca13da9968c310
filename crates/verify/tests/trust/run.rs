//! Runs trees: a second meaning of the programs, which knows nothing of Loupe's.

use crate::tree::{Condition, Expr, HIGH, Kind, LENGTH, LOW, Operator, Program, Relation, Stmt};
use loupe_c::front::DataModel;
use std::collections::HashSet;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Ends,
    /// A claim does not hold.
    Refuted,
    /// A signed sum does not fit, where that is looked for.
    Overflows,
    /// Memory that is not there.
    BadAccess,
    /// It comes to a state again, and has read nothing in between.
    Endless,
    /// It takes long, or loses memory.
    Unjudged,
}

/// The meaning of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'i> {
    pub(crate) model: DataModel,
    pub(crate) overflow_counts: bool,
    pub(crate) inputs: &'i [i128],
    /// What is read behind these, over and over; then the end of the input.
    pub(crate) forever: &'i [i128],
    /// What is read at the end of the input.
    pub(crate) end_of_input: i128,
    /// After so many statements nothing is said.
    pub(crate) steps: usize,
}

/// So many statements a run of many may take, and so many a run of one.
pub(crate) const FEW_STEPS: usize = 2_000;
pub(crate) const MANY_STEPS: usize = 60_000;

#[derive(Clone, PartialEq, Eq)]
enum Heap {
    Nothing,
    Cells(Vec<i128>),
    Gone,
}

/// A type of C, as arithmetic sees it.
#[derive(Clone, Copy)]
struct Width {
    bits: u32,
    signed: bool,
}

impl Width {
    fn of(kind: Kind, model: DataModel) -> Option<Width> {
        let long = if model == DataModel::Lp64 { 64 } else { 32 };
        let (bits, signed) = match kind {
            Kind::Byte => (8, false),
            Kind::Short => (16, true),
            Kind::Int => (32, true),
            Kind::Unsigned => (32, false),
            Kind::Long => (long, true),
            Kind::Unbounded => return None,
        };
        Some(Width { bits, signed })
    }

    /// The usual arithmetic conversions; at the same width, unsigned wins, and a wider type holds all of a narrower one.
    fn common(self, other: Width) -> Width {
        let promoted = |w: Width| if w.bits < 32 { Width { bits: 32, signed: true } } else { w };
        let (a, b) = (promoted(self), promoted(other));
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => Width { bits: a.bits, signed: a.signed && b.signed },
        }
    }

    fn wrapped(self, number: i128) -> i128 {
        let modulus = 1_i128 << self.bits;
        let rest = number.rem_euclid(modulus);
        if self.signed && rest >= modulus / 2 { rest - modulus } else { rest }
    }
}

type Number = (i128, Option<Width>);

struct Run<'p> {
    program: &'p Program,
    world: World<'p>,
    variables: Vec<i128>,
    array: Vec<i128>,
    heap: Heap,
    position: usize,
    steps: usize,
}

/// How a program runs on some inputs.
pub(crate) fn run(program: &Program, world: World<'_>) -> Outcome {
    let variables = vec![0; program.variables.len()];
    let array = vec![0; LENGTH as usize];
    let mut run =
        Run { program, world, variables, array, heap: Heap::Nothing, position: 0, steps: 0 };
    match run.block(&program.body) {
        Ok(_) if matches!(run.heap, Heap::Cells(_)) => Outcome::Unjudged,
        Ok(_) => Outcome::Ends,
        Err(outcome) => outcome,
    }
}

enum Flow {
    GoesOn,
    Leaves,
}

impl Run<'_> {
    fn block(&mut self, block: &[Stmt]) -> Result<Flow, Outcome> {
        for stmt in block {
            self.steps += 1;
            if self.steps > self.world.steps {
                return Err(Outcome::Unjudged);
            }
            if let Flow::Leaves = self.stmt(stmt)? {
                return Ok(Flow::Leaves);
            }
        }
        Ok(Flow::GoesOn)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Outcome> {
        match stmt {
            Stmt::Set(variable, value) => {
                let (number, _) = self.value(value)?;
                self.set(*variable, number);
            }
            Stmt::Input(variable) => {
                let number = self.input();
                self.set(*variable, number);
            }
            Stmt::StoreElement(index, value) => {
                let (at, (number, _)) = (self.value(index)?.0, self.value(value)?);
                let number = self.stored(number);
                let place = usize::try_from(at).ok().and_then(|at| self.array.get_mut(at));
                *place.ok_or(Outcome::BadAccess)? = number;
            }
            Stmt::StoreCell(index, value) => {
                let (at, (number, _)) = (self.value(index)?.0, self.value(value)?);
                let number = self.stored(number);
                let Heap::Cells(cells) = &mut self.heap else { return Err(Outcome::BadAccess) };
                let place = usize::try_from(at).ok().and_then(|at| cells.get_mut(at));
                *place.ok_or(Outcome::BadAccess)? = number;
            }
            Stmt::Allocate(cells) => {
                if matches!(self.heap, Heap::Cells(_)) {
                    return Err(Outcome::Unjudged);
                }
                self.heap = Heap::Cells(vec![0; *cells as usize]);
            }
            Stmt::Free { forgets } => match (&self.heap, forgets) {
                (Heap::Gone, _) => return Err(Outcome::BadAccess),
                (Heap::Nothing, _) | (Heap::Cells(_), true) => self.heap = Heap::Nothing,
                (Heap::Cells(_), false) => self.heap = Heap::Gone,
            },
            Stmt::Claim(claim) if !self.holds(claim)? => return Err(Outcome::Refuted),
            Stmt::Claim(_) => {}
            Stmt::If(condition, then, otherwise) => {
                let taken = if self.holds(condition)? { then } else { otherwise };
                return self.block(taken);
            }
            Stmt::While(condition, body) => self.repeat(condition, body)?,
            Stmt::LeaveIf(condition) if self.holds(condition)? => return Ok(Flow::Leaves),
            Stmt::LeaveIf(_) => {}
        }
        Ok(Flow::GoesOn)
    }

    /// A loop. A state that comes again within one visit of it comes again for ever.
    fn repeat(&mut self, condition: &Condition, body: &[Stmt]) -> Result<(), Outcome> {
        let mut seen = HashSet::new();
        let mut read = self.position;
        while self.holds(condition)? {
            if self.position != read {
                seen.clear();
                read = self.position;
            }
            let cells = match &self.heap {
                Heap::Cells(cells) => cells.clone(),
                Heap::Nothing => vec![0; 9],
                Heap::Gone => vec![1; 9],
            };
            if !seen.insert((self.variables.clone(), self.array.clone(), cells)) {
                return Err(Outcome::Endless);
            }
            self.steps += 1;
            if self.steps > self.world.steps {
                return Err(Outcome::Unjudged);
            }
            if let Flow::Leaves = self.block(body)? {
                break;
            }
        }
        Ok(())
    }

    fn input(&mut self) -> i128 {
        let World { inputs, forever, end_of_input, .. } = self.world;
        let read = self.position;
        self.position += 1;
        let behind = read.checked_sub(inputs.len());
        let number = match behind {
            None => inputs[read],
            Some(_) if forever.is_empty() => end_of_input,
            Some(behind) => forever[behind % forever.len()],
        };
        number.clamp(LOW, HIGH)
    }

    fn set(&mut self, variable: usize, number: i128) {
        let width = Width::of(self.program.variables[variable], self.world.model);
        self.variables[variable] = width.map_or(number, |width| width.wrapped(number));
    }

    /// As elements hold it, which are `int`.
    fn stored(&self, number: i128) -> i128 {
        match self.program.variables.contains(&Kind::Unbounded) {
            true => number,
            false => Width { bits: 32, signed: true }.wrapped(number),
        }
    }

    fn holds(&mut self, condition: &Condition) -> Result<bool, Outcome> {
        let ((a, left), (b, right)) = (self.value(&condition.left)?, self.value(&condition.right)?);
        let (a, b) = match left.zip(right) {
            Some((left, right)) => (left.common(right).wrapped(a), left.common(right).wrapped(b)),
            None => (a, b),
        };
        Ok(match condition.relation {
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Greater => a > b,
        })
    }

    fn value(&mut self, expr: &Expr) -> Result<Number, Outcome> {
        let is_c = !self.program.variables.contains(&Kind::Unbounded);
        let int = is_c.then_some(Width { bits: 32, signed: true });
        match expr {
            Expr::Constant(number) => Ok((*number, int)),
            Expr::Variable(variable) => {
                let kind = self.program.variables[*variable];
                Ok((self.variables[*variable], Width::of(kind, self.world.model)))
            }
            Expr::Element(index) => {
                let (at, _) = self.value(index)?;
                let element = usize::try_from(at).ok().and_then(|at| self.array.get(at));
                element.map(|number| (*number, int)).ok_or(Outcome::BadAccess)
            }
            Expr::Cell(index) => {
                let (at, _) = self.value(index)?;
                let Heap::Cells(cells) = &self.heap else { return Err(Outcome::BadAccess) };
                let cell = usize::try_from(at).ok().and_then(|at| cells.get(at));
                cell.map(|number| (*number, int)).ok_or(Outcome::BadAccess)
            }
            Expr::Binary(operator, left, right) => {
                let ((a, left), (b, right)) = (self.value(left)?, self.value(right)?);
                let width = left.zip(right).map(|(left, right)| left.common(right));
                let convert = |number| width.map_or(number, |width| width.wrapped(number));
                let (a, b) = (convert(a), convert(b));
                let result = match operator {
                    Operator::Add => a.checked_add(b),
                    Operator::Subtract => a.checked_sub(b),
                    Operator::Multiply => a.checked_mul(b),
                };
                let result = result.ok_or(Outcome::Unjudged)?;
                let overflows =
                    convert(result) != result && width.is_some_and(|width| width.signed);
                if overflows && self.world.overflow_counts {
                    return Err(Outcome::Overflows);
                }
                Ok((convert(result), width))
            }
        }
    }
}
