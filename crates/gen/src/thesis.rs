//! Programs like those of Rozhoň's thesis (section 6.1), for experiments that are to be compared with its tables.
//!
//! What its text says: programs have one function; all variables have a value before they are used; every kind of
//! statement but loops, and every kind of expression, has the same probability; an iterative loop compares two
//! variables and adds 1 to the first one at the end of its body; condition and body of a general loop are random; arrays are
//! accessed at constant indices within their initial sizes. Nothing keeps loops from running for ever.
//!
//! Where it says nothing, its results do: no error was found in 300 programs without divisions, and in one of nine of those
//! with divisions that had no guaranteed error. So null is rarely assigned, arrays rarely become shorter, and most divisors are constants.

use crate::parameters::{Parameters, Probability};
use crate::plant::guaranteed_error;
use crate::random::Random;
use crate::tree::{Expr, FIELDS, Function, Number, Operator, Place, Program, Stmt, Type};

/// A set of programs of its Table 6.16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThesisSet {
    /// The probability of iterative loops, in percent.
    pub for_percent: u32,
    /// That of general loops.
    pub while_percent: u32,
    /// How deep blocks nest.
    pub max_block_depth: u32,
    /// Whether there is an error in each program.
    pub guaranteed_error: bool,
    /// Whether there are divisions.
    pub divisions: bool,
}

impl ThesisSet {
    /// All sets, in the order of the table.
    pub const ALL: [ThesisSet; 18] = all();

    /// Its name in the table, such as `15-10-3-f-f`.
    pub fn name(&self) -> String {
        let letter = |is| if is { 't' } else { 'f' };
        format!(
            "{}-{}-{}-{}-{}",
            self.for_percent,
            self.while_percent,
            self.max_block_depth,
            letter(self.guaranteed_error),
            letter(self.divisions)
        )
    }
}

const fn all() -> [ThesisSet; 18] {
    let loops = [(15, 10), (50, 10), (15, 50)];
    let errors = [(false, false), (true, true), (false, true)];
    let first = ThesisSet {
        for_percent: 15,
        while_percent: 10,
        max_block_depth: 3,
        guaranteed_error: false,
        divisions: false,
    };
    let mut sets = [first; 18];
    let mut number = 0;
    while number < sets.len() {
        let (for_percent, while_percent) = loops[number / 2 % 3];
        let (guaranteed_error, divisions) = errors[number / 6];
        let max_block_depth = if number % 2 == 0 { 3 } else { 5 };
        sets[number] =
            ThesisSet { for_percent, while_percent, max_block_depth, guaranteed_error, divisions };
        number += 1;
    }
    sets
}

/// From so many statements on there are no more blocks: with unusual parameters there would be no end.
const MAX_STATEMENTS: u32 = 100_000;

/// One in so many assignments to a pointer or an array makes an error possible.
const RARELY: usize = 100;

/// One in so many divisors is any expression.
const ANY_DIVISOR: usize = 40;

/// How many elements an array has at most.
const MAX_LENGTH: i64 = 6;

/// By how much an array that takes the place of another may be longer.
const LONGER: i64 = 2;

/// A random program with these parameters, which have been checked.
pub(crate) fn program(parameters: &Parameters) -> Program {
    let mut author = Author {
        parameters,
        random: Random::new(parameters.seed),
        numbers: Vec::new(),
        arrays: Vec::new(),
        records: Vec::new(),
        pointers: Vec::new(),
        statements_left: MAX_STATEMENTS,
    };
    let mut program = Program { functions: vec![author.main()] };
    if parameters.guaranteed_error {
        guaranteed_error(&mut program, parameters, &mut author.random);
    }
    program
}

struct Author<'p> {
    parameters: &'p Parameters,
    random: Random,
    numbers: Vec<String>,
    /// With their initial sizes.
    arrays: Vec<(String, i64)>,
    records: Vec<String>,
    pointers: Vec<String>,
    statements_left: u32,
}

impl Author<'_> {
    fn main(&mut self) -> Function {
        let mut body = self.declarations();
        let count = self.random.between(1, self.parameters.max_top_level_statements.into());
        let core = body.len()..body.len() + count as usize;
        for _ in 0..count {
            let statement = self.statement(self.parameters.max_block_depth);
            body.push(statement);
        }
        let (name, parameters) = ("main".to_owned(), Vec::new());
        Function { name, parameters, body, core, result: Expr::Number(0) }
    }

    /// Variables of all types, each with a value: two numbers at least, which a loop compares.
    fn declarations(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        let parameters = self.parameters;
        for _ in 0..=self.random.between(1, parameters.max_variables.into()) {
            let name = format!("x{}", self.numbers.len());
            let value =
                if self.random.one_in(2) { Expr::Input(Number::Int) } else { self.literal() };
            body.push(Stmt::Declare(name.clone(), Type::Number(Number::Int), Some(value)));
            self.numbers.push(name);
        }
        for _ in 0..self.random.between(0, parameters.max_arrays.into()) {
            let name = format!("a{}", self.arrays.len());
            let length = self.random.between(1, MAX_LENGTH);
            let value = Some(self.array(length));
            body.push(Stmt::Declare(name.clone(), Type::Array(length as usize), value));
            self.arrays.push((name, length));
        }
        for _ in 0..self.random.between(0, parameters.max_records.into()) {
            let name = format!("r{}", self.records.len());
            let value = Some(self.record());
            body.push(Stmt::Declare(name.clone(), Type::Record, value));
            self.records.push(name);
        }
        for _ in 0..self.random.between(0, parameters.max_pointers.into()) {
            let name = format!("p{}", self.pointers.len());
            let value = Some(self.somewhere());
            body.push(Stmt::Declare(name.clone(), Type::Pointer, value));
            self.pointers.push(name);
        }
        body
    }

    /// A statement with at most so many blocks around each other in it.
    fn statement(&mut self, depth: u32) -> Stmt {
        self.statements_left = self.statements_left.saturating_sub(1);
        if depth == 0 || self.statements_left == 0 {
            return if self.random.one_in(2) { self.assignment() } else { self.output() };
        }
        let iterative = self.parameters.for_loop_probability.millionths();
        let general = self.parameters.while_loop_probability.millionths();
        let drawn = self.random.below(Probability::ONE as usize) as u32;
        if drawn < iterative {
            return self.iterative_loop(depth);
        }
        if drawn < iterative + general {
            let guard = self.condition();
            return Stmt::While(guard, self.block(depth));
        }
        match self.random.below(4) {
            0 => self.assignment(),
            1 => self.output(),
            2 => {
                let guard = self.condition();
                let then = self.block(depth);
                let otherwise = if self.random.one_in(2) { self.block(depth) } else { Vec::new() };
                Stmt::If(guard, then, otherwise)
            }
            _ => Stmt::Block(self.block(depth)),
        }
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let count = self.random.between(1, self.parameters.max_block_statements.into());
        (0..count).map(|_| self.statement(depth - 1)).collect()
    }

    /// `while (x < y) { …; x = x + 1; }`
    fn iterative_loop(&mut self, depth: u32) -> Stmt {
        let counter = self.random.below(self.numbers.len());
        let other = (counter + 1 + self.random.below(self.numbers.len() - 1)) % self.numbers.len();
        let (counter, limit) = (self.numbers[counter].clone(), self.numbers[other].clone());
        let guard = Expr::binary(Operator::Lt, Expr::variable(&counter), Expr::variable(&limit));
        let mut body = self.block(depth);
        let place = Place::Variable(counter);
        body.push(Stmt::increase(place, Operator::Add, Expr::Number(1)));
        Stmt::While(guard, body)
    }

    fn output(&mut self) -> Stmt {
        Stmt::Output(self.number(self.parameters.max_expression_depth), Number::Int)
    }

    /// An assignment to a variable, a field, an element, or where a pointer points.
    fn assignment(&mut self) -> Stmt {
        let depth = self.parameters.max_expression_depth;
        (0..4).find_map(|_| self.special_assignment(depth)).unwrap_or_else(|| {
            let place = Place::Variable(self.number_variable());
            Stmt::Assign(place, self.number(depth))
        })
    }

    /// An assignment to something else than a number, if there is such a thing and chance wants it.
    fn special_assignment(&mut self, depth: u32) -> Option<Stmt> {
        match self.random.below(7) {
            0 => {
                let (name, length) = self.random.pick(&self.arrays)?.clone();
                let shorter = length > 1 && self.random.one_in(RARELY);
                let length = if shorter {
                    self.random.between(1, length - 1)
                } else {
                    self.random.between(length, length + LONGER)
                };
                Some(Stmt::Assign(Place::Variable(name), self.array(length)))
            }
            1 => {
                let place = self.element()?;
                Some(Stmt::Assign(place, self.number(depth)))
            }
            2 => {
                let name = self.random.pick(&self.records)?.clone();
                Some(Stmt::Assign(Place::Variable(name), self.record()))
            }
            3 => {
                let place = self.field()?;
                Some(Stmt::Assign(place, self.number(depth)))
            }
            4 => {
                let name = self.random.pick(&self.pointers)?.clone();
                let null = self.random.one_in(RARELY);
                let value = if null { Expr::Null } else { self.somewhere() };
                Some(Stmt::Assign(Place::Variable(name), value))
            }
            5 => {
                let place = Place::Target(self.random.pick(&self.pointers)?.clone());
                Some(Stmt::Assign(place, self.number(depth)))
            }
            _ => {
                let place = Place::Variable(self.number_variable());
                Some(Stmt::Assign(place, self.number(depth)))
            }
        }
    }

    fn number_variable(&mut self) -> String {
        self.random.pick(&self.numbers).cloned().unwrap_or_default()
    }

    fn literal(&mut self) -> Expr {
        Expr::Number(self.random.between(0, 10))
    }

    fn element(&mut self) -> Option<Place> {
        let (name, length) = self.random.pick(&self.arrays)?.clone();
        let index = Expr::Number(self.random.between(0, length - 1));
        Some(Place::Element(name, Box::new(index)))
    }

    fn field(&mut self) -> Option<Place> {
        let name = self.random.pick(&self.records)?.clone();
        Some(Place::Field(name, FIELDS[self.random.below(FIELDS.len())]))
    }

    fn array(&mut self, length: i64) -> Expr {
        Expr::Array((0..length).map(|_| self.number(1)).collect())
    }

    fn record(&mut self) -> Expr {
        Expr::Record(FIELDS.iter().map(|_| self.number(1)).collect())
    }

    /// A pointer to a variable or to something new.
    fn somewhere(&mut self) -> Expr {
        if self.random.one_in(2) {
            return Expr::AddressOf(self.number_variable());
        }
        Expr::Alloc(Box::new(self.number(1)))
    }

    /// A number that has so many operators around each other at most.
    fn number(&mut self, depth: u32) -> Expr {
        let kinds = if depth > 0 { 11 } else { 6 };
        let leaf = match self.random.below(kinds) {
            0 => Some(self.literal()),
            1 => Some(Expr::Input(Number::Int)),
            2 => self.element().map(Expr::Read),
            3 => self.field().map(Expr::Read),
            4 => self.random.pick(&self.pointers).cloned().map(Place::Target).map(Expr::Read),
            5 => None,
            6 => return self.binary(Operator::Add, depth),
            7 => return self.binary(Operator::Sub, depth),
            8 => return self.binary(Operator::Mul, depth),
            9 if self.parameters.divisions => return self.division(depth),
            _ => return self.comparison(depth),
        };
        leaf.unwrap_or_else(|| Expr::variable(&self.number_variable()))
    }

    fn binary(&mut self, operator: Operator, depth: u32) -> Expr {
        let left = self.number(depth - 1);
        Expr::binary(operator, left, self.number(depth - 1))
    }

    fn division(&mut self, depth: u32) -> Expr {
        let left = self.number(depth - 1);
        let right = if self.random.one_in(ANY_DIVISOR) {
            self.number(depth - 1)
        } else {
            Expr::Number(self.random.between(1, 10))
        };
        Expr::binary(Operator::Div, left, right)
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let operator = [Operator::Eq, Operator::Gt][self.random.below(2)];
        self.binary(operator, depth)
    }

    /// What a loop or a branch depends on: a comparison.
    fn condition(&mut self) -> Expr {
        self.comparison(self.parameters.max_expression_depth.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and last rows of the table, and what is in between.
    #[test]
    fn the_sets_are_those_of_the_table() {
        let names: Vec<String> = ThesisSet::ALL.iter().map(ThesisSet::name).collect();
        expect_test::expect![[r#"
            15-10-3-f-f
            15-10-5-f-f
            50-10-3-f-f
            50-10-5-f-f
            15-50-3-f-f
            15-50-5-f-f
            15-10-3-t-t
            15-10-5-t-t
            50-10-3-t-t
            50-10-5-t-t
            15-50-3-t-t
            15-50-5-t-t
            15-10-3-f-t
            15-10-5-f-t
            50-10-3-f-t
            50-10-5-f-t
            15-50-3-f-t
            15-50-5-f-t"#]]
        .assert_eq(&names.join("\n"));
    }
}
