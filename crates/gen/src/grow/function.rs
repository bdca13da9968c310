//! Functions besides `main`, and their calls.
//!
//! A call stands alone on the right side of an assignment, so it does not matter in which order C evaluates
//! operands. Functions only call those before them, except for one shape of recursion whose depth is bounded.

use super::range::Range;
use super::scope::{Array, Cell, Pointer, Scope, Variable};
use super::{Grower, Value};
use crate::parameters::ErrorKind;
use crate::tree::{Expr, Function, Number, Operator, Place, Stmt, Type};

/// What callers must know of a function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    name: String,
    parameters: Vec<Parameter>,
    result: Range,
    /// How many statements a call executes at most.
    work: u64,
}

#[derive(Clone, Debug)]
enum Parameter {
    /// A number of this range.
    Number(Range),
    /// An array whose elements are such cells; what they have spent is what a call spends.
    Array(Cell),
    /// A pointer to such a cell.
    Pointer { cell: Cell, nullable: bool },
}

impl Grower<'_> {
    /// A function, which can be called from now on.
    pub(super) fn helper(&mut self) -> Function {
        let name = self.name("f");
        (self.times, self.work) = (Some(1), 0);
        if self.random.one_in(5) && self.parameters.max_block_depth > 0 {
            return self.recursive(name);
        }
        self.scope = Scope::default();
        self.depth_left = self.parameters.max_block_depth.saturating_sub(1);
        let mut parameters = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let parameter = self.name("v");
            let size = Range::around_zero(5_000);
            let cell = if self.is_c() { Cell::exactly(size) } else { Cell::unbounded() };
            self.scope.numbers.push(Variable::plain(parameter.clone(), Number::Int, cell));
            parameters.push((parameter, Type::Number(Number::Int)));
        }
        if self.parameters.max_arrays > 0 && self.random.one_in(3) {
            let parameter = self.name("b");
            let length = self.array_length;
            self.scope.arrays.push(Array { name: parameter.clone(), cell: self.cell(0), length });
            parameters.push((parameter, Type::Array(length)));
        }
        if self.parameters.max_pointers > 0 && self.random.one_in(3) {
            parameters.push(self.pointer_parameter());
        }
        let (body, result) = self.helper_body();
        let signature = Signature {
            name: name.clone(),
            parameters: self.used_parameters(&parameters),
            result: result.range,
            work: self.work + 2,
        };
        self.functions.push(signature);
        let core = 1..body.len();
        Function { name, parameters, body, core, result: result.expr }
    }

    fn pointer_parameter(&mut self) -> (String, Type) {
        let name = self.name("q");
        let cell = if self.is_c() { Cell::parameter() } else { Cell::unbounded() };
        let hidden = Variable { hidden: true, ..Variable::plain(String::new(), Number::Int, cell) };
        self.scope.numbers.push(hidden);
        let targets = vec![self.scope.numbers.len() - 1];
        let nullable = self.may_fail(ErrorKind::Null) && self.random.one_in(2);
        self.scope.pointers.push(Pointer { name: name.clone(), targets, nullable });
        (name, Type::Pointer)
    }

    fn helper_body(&mut self) -> (Vec<Stmt>, Value) {
        let rank = self.random.below(3);
        let mut body = vec![self.new_number(rank)];
        let local = self.scope.numbers.len() - 1;
        // A part of what statements there may be; the rest is for others.
        let others = self.statements_left - self.statements_left / 4;
        self.statements_left /= 4;
        let limit = self.parameters.max_block_statements.min(4);
        for _ in 0..self.one_to(limit) {
            body.extend(self.statement());
        }
        self.statements_left += others;
        let local = self.value_of(local);
        let other = self.number(1);
        let sum = self.combine(Operator::Add, local.clone(), other);
        let fits = |value: &Value| {
            value.number == Number::Int && (!self.is_c() || value.range.size() <= 1_000_000)
        };
        let sign = Expr::binary(Operator::Gt, local.expr.clone(), Expr::Number(0));
        let sign = Value { expr: sign, range: Range::TRUTH, number: Number::Int };
        let result = [sum, Some(local)].into_iter().flatten().find(fits).unwrap_or(sign);
        (body, result)
    }

    /// The parameters with what a call does to them.
    fn used_parameters(&self, parameters: &[(String, Type)]) -> Vec<Parameter> {
        let used = |(name, of): &(String, Type)| match of {
            Type::Array(_) => {
                let array = self.scope.arrays.iter().find(|array| array.name == *name)?;
                Some(Parameter::Array(array.cell.clone()))
            }
            Type::Pointer => {
                let pointer = self.scope.pointers.iter().find(|pointer| pointer.name == *name)?;
                let target = &self.scope.numbers[*pointer.targets.first()?];
                Some(Parameter::Pointer { cell: target.cell.clone(), nullable: pointer.nullable })
            }
            _ => {
                let number = self.scope.numbers.iter().find(|number| number.name == *name)?;
                Some(Parameter::Number(number.cell.range))
            }
        };
        parameters.iter().filter_map(used).collect()
    }

    /// A function that calls itself with a smaller number, `max_iterations` deep at most.
    fn recursive(&mut self, name: String) -> Function {
        let (parameter, local) = (self.name("v"), self.name("x"));
        let depth = i64::from(self.parameters.max_iterations);
        let base = self.random.between(0, 3);
        let less = Expr::binary(Operator::Sub, Expr::variable(&parameter), Expr::Number(1));
        let again = Expr::Call(name.clone(), vec![less]);
        let place = Place::Variable(local.clone());
        let (amount, size) = if self.random.one_in(2) {
            (Expr::variable(&parameter), depth)
        } else {
            let amount = self.random.between(1, 3);
            (Expr::Number(amount), amount)
        };
        let stops = Expr::binary(Operator::Le, Expr::variable(&parameter), Expr::Number(0));
        let body = vec![
            Stmt::Declare(local.clone(), Type::Number(Number::Int), Some(Expr::Number(base))),
            Stmt::If(
                Expr::Not(Box::new(stops)),
                vec![
                    Stmt::Assign(place.clone(), again),
                    Stmt::increase(place, Operator::Add, amount),
                ],
                Vec::new(),
            ),
        ];
        self.functions.push(Signature {
            name: name.clone(),
            parameters: vec![Parameter::Number(Range::new(Range::INT.low, depth))],
            result: Range::new(base, base + depth * size),
            work: 4 * (depth as u64 + 1),
        });
        let parameters = vec![(parameter, Type::Number(Number::Int))];
        Function { name, parameters, core: 1..body.len(), body, result: Expr::variable(&local) }
    }

    /// `x = f(…);`
    pub(super) fn call(&mut self) -> Option<Vec<Stmt>> {
        let signature = self.random.pick(&self.functions)?.clone();
        if !self.can_afford(signature.work) {
            return None;
        }
        let takes = |v: &Variable| v.is_writable() && v.cell.assignable.contains(signature.result);
        let takers = self.scope.indices(takes);
        let to = self.random.pick(&takers).map(|index| self.scope.numbers[*index].name.clone());
        let mut arguments = Vec::new();
        for parameter in &signature.parameters {
            arguments.push(self.argument(parameter)?);
        }
        self.spend(signature.work);
        let call = Expr::Call(signature.name, arguments);
        Some(vec![match to {
            Some(name) => Stmt::Assign(Place::Variable(name), call),
            None => Stmt::Output(call, Number::Int),
        }])
    }

    fn argument(&mut self, parameter: &Parameter) -> Option<Expr> {
        let times = self.times;
        match parameter {
            Parameter::Number(range) => {
                let cell = Cell::exactly(*range);
                let by_name = self.scope.indices(|v| {
                    v.is_readable() && v.number == Number::Int && range.contains(v.cell.range)
                });
                if self.random.one_in(2)
                    && let Some(index) = self.random.pick(&by_name)
                {
                    return Some(self.value_of(*index).expr);
                }
                Some(self.value_for(&cell))
            }
            Parameter::Array(cell) => {
                let which = self.random.below(self.scope.arrays.len());
                let array = self.scope.arrays.get_mut(which)?;
                let is_whole = array.length >= self.array_length;
                let fits =
                    is_whole && array.cell.can_be(cell) && array.cell.charge(cell.spent, times);
                fits.then(|| Expr::variable(&array.name))
            }
            Parameter::Pointer { cell, nullable } => {
                if *nullable && self.random.one_in(4) {
                    return Some(Expr::Null);
                }
                let fits = |v: &Variable| {
                    v.is_writable() && !v.unset && v.number == Number::Int && v.cell.can_be(cell)
                };
                let candidates = self.scope.indices(fits);
                let index = *self.random.pick(&candidates)?;
                let variable = &mut self.scope.numbers[index];
                let fits = variable.cell.charge(cell.spent, times);
                fits.then(|| Expr::AddressOf(variable.name.clone()))
            }
        }
    }
}
