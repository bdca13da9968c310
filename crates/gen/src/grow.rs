//! Grows a random program.
//!
//! [`scope`] holds what can be named and what is known about it, [`expr`] makes expressions with their
//! ranges, [`checked`] those that could fail, and [`stmt`], [`loops`], [`shapes`], [`memory`] and [`function`] make
//! statements.
//!
//! A maker gives `None` where it cannot make anything: there is no array, a budget is used up. Then another
//! one is tried; an assignment of a constant or an output is always possible.

mod checked;
mod expr;
mod function;
mod loops;
mod memory;
mod range;
mod scope;
mod shapes;
mod stmt;

use crate::parameters::{ErrorKind, Language, Parameters, Probability};
use crate::plant::guaranteed_error;
use crate::random::Random;
use crate::tree::{Expr, FIELDS, Function, Number, Operator, Place, Program, Stmt, Type};
use function::Signature;
use range::Range;
use scope::{Array, Cell, List, Pointer, Record, Scope, Variable};
use std::collections::BTreeMap;

/// A random program with these parameters, which have been checked.
pub(crate) fn program(parameters: &Parameters) -> Program {
    let mut grower = Grower::new(parameters);
    let mut functions = Vec::new();
    let count = grower.up_to(parameters.max_functions);
    for _ in 0..count {
        functions.push(grower.helper());
    }
    functions.push(grower.main());
    let mut program = Program { functions };
    if parameters.guaranteed_error {
        guaranteed_error(&mut program, parameters, &mut grower.random);
    }
    program
}

/// How many statements a run of a program that ends may execute: it stays within milliseconds, and tens of
/// thousands of runs within seconds.
const MAX_WORK: u64 = 20_000;

/// And how many for each statement, so that large programs have loops too.
const WORK_PER_STATEMENT: u64 = 20;

struct Grower<'p> {
    parameters: &'p Parameters,
    random: Random,
    scope: Scope,
    /// The functions so far.
    functions: Vec<Signature>,
    /// How many names there are of each prefix.
    names: BTreeMap<&'static str, usize>,
    /// How long all arrays are.
    array_length: usize,
    statements_left: u32,
    /// How many inputs `main` may still read; other functions read none.
    inputs_left: u32,
    /// How many blocks may still be nested here.
    depth_left: u32,
    /// The loops around, the innermost last.
    loops: Vec<Jumps>,
    /// How often this place is reached at most, per call of the function; `None` if nobody knows.
    times: Option<u64>,
    /// How many statements of this function are executed at most.
    work: u64,
}

/// What may leave an iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jumps {
    /// Nothing but its guard: microc.
    None,
    /// `break`.
    Break,
    /// `break` and `continue`, after which the counter is still changed.
    BreakAndContinue,
}

/// A number that an expression gives.
#[derive(Clone, Debug)]
struct Value {
    expr: Expr,
    range: Range,
    number: Number,
}

impl<'p> Grower<'p> {
    fn new(parameters: &'p Parameters) -> Self {
        let mut random = Random::new(parameters.seed);
        let array_length = random.between(2, 4) as usize;
        Grower {
            parameters,
            random,
            scope: Scope::default(),
            functions: Vec::new(),
            names: BTreeMap::new(),
            array_length,
            statements_left: parameters.max_statements,
            inputs_left: 0,
            depth_left: parameters.max_block_depth,
            loops: Vec::new(),
            times: Some(1),
            work: 0,
        }
    }

    fn is_c(&self) -> bool {
        self.parameters.language == Language::C
    }

    /// A number from 0 to `limit`.
    fn up_to(&mut self, limit: u32) -> u32 {
        self.random.between(0, i64::from(limit)) as u32
    }

    /// A number from 1 to `limit`.
    fn one_to(&mut self, limit: u32) -> u32 {
        self.random.between(1, i64::from(limit)) as u32
    }

    /// A name that nothing else in the program has.
    fn name(&mut self, prefix: &'static str) -> String {
        let count = self.names.entry(prefix).or_default();
        *count += 1;
        format!("{prefix}{}", *count - 1)
    }

    /// Whether programs may fail in this way.
    fn may_fail(&self, kind: ErrorKind) -> bool {
        self.parameters.errors.contains(kind)
            && kind.is_in(self.parameters.language)
            && (kind != ErrorKind::Division || self.parameters.divisions)
    }

    /// Whether an operation that can fail in this way is left without protection.
    fn dares(&mut self, kind: ErrorKind) -> bool {
        let probability = self.error_probability();
        self.may_fail(kind) && self.random.chance(probability)
    }

    fn error_probability(&self) -> Probability {
        self.parameters.error_rate.unwrap_or(self.parameters.error_probability)
    }

    /// Whether operations that can fail are to be everywhere.
    fn is_dense(&self) -> bool {
        self.parameters.error_rate.is_some()
    }

    /// What numbers of this size hold: variables of a higher rank have room for sums and products of those
    /// of a lower one. Numbers of microc have no bounds.
    fn cell(&self, rank: usize) -> Cell {
        match self.parameters.language {
            Language::Microc => Cell::unbounded(),
            Language::C => Cell::ranked(rank),
        }
    }

    fn main(&mut self) -> Function {
        self.scope = Scope::default();
        (self.times, self.work) = (Some(1), 0);
        self.inputs_left = self.parameters.max_inputs;
        self.depth_left = self.parameters.max_block_depth;
        let mut body = Vec::new();
        self.first_inputs(&mut body);
        self.variables(&mut body);
        let outputs = self.results();
        let count = self.one_to(self.parameters.max_top_level_statements);
        let mut statements = Vec::new();
        for _ in 0..count {
            statements.extend(self.statement());
        }
        let core = body.len()..body.len() + statements.len();
        body.extend(statements);
        body.extend(outputs);
        let (name, parameters) = ("main".to_owned(), Vec::new());
        Function { name, parameters, body, core, result: Expr::Number(0) }
    }

    /// Reads at least one input, and often leaves some for later.
    fn first_inputs(&mut self, body: &mut Vec<Stmt>) {
        let count = self.one_to(self.parameters.max_inputs);
        for _ in 0..count {
            let number = self.input_type();
            let name = self.name("n");
            body.push(Stmt::Declare(name.clone(), Type::Number(number), Some(Expr::Input(number))));
            body.extend(self.restriction(&name, number));
            let cell = self.input_cell(number);
            self.scope.numbers.push(Variable::plain(name, number, cell));
            self.inputs_left -= 1;
        }
    }

    /// Declares the variables of `main`, each with a value.
    fn variables(&mut self, body: &mut Vec<Stmt>) {
        for rank in 0..self.one_to(self.parameters.max_variables) {
            let variable = self.new_number(rank as usize % 3);
            body.push(variable);
        }
        for _ in 0..self.up_to(self.parameters.max_arrays) {
            let name = self.name("a");
            let cell = self.cell(0);
            let elements = (0..self.array_length).map(|_| self.initial(&cell)).collect();
            let of = Type::Array(self.array_length);
            body.push(Stmt::Declare(name.clone(), of, Some(Expr::Array(elements))));
            self.scope.arrays.push(Array { name, cell, length: self.array_length });
        }
        for _ in 0..self.up_to(self.parameters.max_records) {
            let name = self.name("r");
            let cell = self.cell(0);
            let fields = FIELDS.iter().map(|_| self.initial(&cell)).collect();
            body.push(Stmt::Declare(name.clone(), Type::Record, Some(Expr::Record(fields))));
            self.scope.records.push(Record { name, cell });
        }
        for _ in 0..self.up_to(self.parameters.max_pointers) {
            body.extend(self.new_pointer());
        }
        for _ in 0..self.up_to(self.parameters.max_lists) {
            let name = self.name("list");
            body.push(Stmt::Declare(name.clone(), Type::List, Some(Expr::Null)));
            let list = List { name, cell: self.cell(0), room: self.parameters.max_iterations };
            self.scope.lists.push(list);
            let pushes = self.random.between(0, 2);
            body.extend((0..pushes).filter_map(|_| self.push()).flatten());
        }
        if self.random.one_in(3) && self.may_fail(ErrorKind::Uninitialised) {
            let name = self.name("u");
            body.push(Stmt::Declare(name.clone(), Type::Number(Number::Int), None));
            let unset =
                Variable { unset: true, ..Variable::plain(name, Number::Int, self.cell(2)) };
            self.scope.numbers.push(unset);
        }
    }

    /// A new variable with a value.
    fn new_number(&mut self, rank: usize) -> Stmt {
        let number = match self.random.below(8) {
            0 if self.is_c() => Number::Unsigned,
            1 if self.is_c() => Number::Byte,
            _ => Number::Int,
        };
        let cell = match number {
            Number::Int => self.cell(rank),
            Number::Unsigned => Cell::wrapping(Range::UNSIGNED),
            Number::Byte => Cell::wrapping(Range::BYTE),
        };
        let value = if self.random.one_in(3) {
            self.value_for(&cell)
        } else {
            Expr::Number(self.random.between(0, 5))
        };
        let name = self.name("x");
        self.scope.numbers.push(Variable::plain(name.clone(), number, cell));
        Stmt::Declare(name, Type::Number(number), Some(value))
    }

    /// A number at the start: mostly a constant.
    fn initial(&mut self, cell: &Cell) -> Expr {
        if self.random.one_in(4) {
            return self.value_for(cell);
        }
        Expr::Number(self.random.between(-2, 5))
    }

    /// A pointer to one or two variables, sometimes null.
    fn new_pointer(&mut self) -> Option<Stmt> {
        let int = |variable: &Variable| variable.number == Number::Int && !variable.unset;
        let candidates: Vec<usize> = self.scope.indices(int);
        let mut targets = Vec::new();
        for _ in 0..2 {
            targets.push(*self.random.pick(&candidates)?);
        }
        targets.dedup();
        let nullable = self.may_fail(ErrorKind::Null) && self.random.one_in(2);
        let value = match targets.first() {
            Some(target) if !(nullable && self.random.one_in(2)) => {
                Expr::AddressOf(self.scope.numbers[*target].name.clone())
            }
            _ => Expr::Null,
        };
        let nullable = nullable || value == Expr::Null;
        let name = self.name("p");
        self.scope.pointers.push(Pointer { name: name.clone(), targets, nullable });
        Some(Stmt::Declare(name, Type::Pointer, Some(value)))
    }

    /// Prints everything that `main` computes.
    fn results(&mut self) -> Vec<Stmt> {
        let mut outputs = Vec::new();
        for variable in self.scope.numbers.iter().filter(|variable| !variable.unset) {
            outputs.push(Stmt::Output(Expr::variable(&variable.name), variable.number));
        }
        let mut show = |place| outputs.push(Stmt::Output(Expr::Read(place), Number::Int));
        for array in &self.scope.arrays {
            // A shorter array may have taken its place.
            let shown = if self.is_c() { array.length } else { 1 };
            for index in 0..shown {
                let index = Box::new(Expr::Number(index as i64));
                show(Place::Element(array.name.clone(), index));
            }
        }
        for record in &self.scope.records {
            FIELDS.iter().for_each(|field| show(Place::Field(record.name.clone(), field)));
        }
        for pointer in &self.scope.pointers {
            let target = Expr::Read(Place::Target(pointer.name.clone()));
            let show = Stmt::Output(target, Number::Int);
            let there = Expr::binary(Operator::Ne, Expr::variable(&pointer.name), Expr::Null);
            outputs.push(Stmt::If(there, vec![show], Vec::new()));
        }
        for list in &self.scope.lists {
            let empty = Expr::binary(Operator::Eq, Expr::variable(&list.name), Expr::Null);
            outputs.push(Stmt::Output(empty, Number::Int));
        }
        outputs
    }
}
