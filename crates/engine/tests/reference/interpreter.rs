//! A tree-walking interpreter of microc, as plain as can be.
//!
//! It follows the definition of the language, knows nothing of flowgraphs, infers nothing and checks
//! everything when it happens. It recurses over expressions, statements and calls: it is meant for
//! small programs and small [`Limits`].
//!
//! Where errors are: those of a binary operator at the operator, of `.field` and `[index]` there, of
//! `!` at the whole expression. What must be a pointer, a function, a guard, an output, a result of
//! `main` or no record is itself the place of the error. A wrong number of arguments is at the
//! arguments in their parentheses. A missing value is at the name or `*pointer` that should have had
//! one, on either side of an assignment.
//!
//! An assignment evaluates the pointer and the indices of its left side, which must be a pointer and
//! numbers; then its right side; then it looks at the place and writes to it.

use loupe_integer::{Integer, Signedness};
use loupe_ir::check::CheckKind;
use loupe_ir::program::ArrayKind;
use loupe_ir::source::Span;
use loupe_ir::types::IntType;
use loupe_microc::ast::{BinaryOp, ExprId, ExprKind, Ident, Program, Stmt, StmtKind};
use loupe_microc::{Binding, Dialect, FunctionIndex, Resolution};
use std::fmt;
use std::rc::Rc;

/// What a run may use up before the interpreter gives up.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// How many expressions and statements are evaluated.
    pub(crate) steps: u64,
    /// How deep calls nest.
    pub(crate) depth: usize,
    /// How long numbers get.
    pub(crate) bits: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// `main` returned this.
    Returned(Integer),
    /// Something went wrong here.
    Failed(CheckKind, Span),
    /// One of the [`Limits`] was reached.
    GaveUp,
}

/// What can be seen of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Behaviour {
    /// The numbers that were written.
    pub(crate) outputs: Vec<Integer>,
    /// The end.
    pub(crate) end: End,
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.end {
            End::Returned(value) => write!(f, "returned {value}")?,
            End::Failed(kind, span) => write!(f, "{} at {span}", kind.name())?,
            End::GaveUp => write!(f, "gave up")?,
        }
        write!(f, ", output {:?}", self.outputs)
    }
}

/// Runs `main` with these arguments.
pub(crate) fn run(
    program: &Program,
    resolution: &Resolution,
    dialect: Dialect,
    limits: Limits,
    arguments: &[Integer],
    inputs: &[Integer],
) -> Behaviour {
    let mut interpreter = Interpreter {
        program,
        resolution,
        dialect,
        limits,
        inputs,
        outputs: Vec::new(),
        memory: Vec::new(),
        arrays: Vec::new(),
        depth: 0,
    };
    let arguments = arguments.iter().cloned().map(Value::Number).collect();
    let end = match interpreter.call(resolution.main(), arguments) {
        Ok(Value::Number(result)) => End::Returned(result),
        Ok(_) => panic!("`main` returns numbers only"),
        Err(Stop::Failed(kind, span)) => End::Failed(kind, span),
        Err(Stop::GaveUp) => End::GaveUp,
    };
    Behaviour { outputs: interpreter.outputs, end }
}

#[derive(Clone, Debug)]
enum Value {
    Number(Integer),
    /// Null, or a cell of [`Interpreter::memory`].
    Pointer(Option<usize>),
    Function(FunctionIndex),
    /// A copy; `Rc` because records of records can be exponentially large.
    Record(Rc<Vec<(String, Value)>>),
    /// One of [`Interpreter::arrays`].
    SharedArray(usize),
    /// A copy, shared like a record.
    OwnArray(Rc<Vec<Value>>),
}

/// Why evaluation does not go on.
enum Stop {
    Failed(CheckKind, Span),
    GaveUp,
}

type Result<T> = std::result::Result<T, Stop>;

fn fail<T>(kind: CheckKind, span: Span) -> Result<T> {
    Err(Stop::Failed(kind, span))
}

fn number(value: Value, span: Span) -> Result<Integer> {
    match value {
        Value::Number(number) => Ok(number),
        _ => fail(CheckKind::TypeError, span),
    }
}

fn truth(value: bool) -> Integer {
    if value { Integer::ONE } else { Integer::ZERO }
}

/// The variables of a call: their cells in memory.
struct Frame {
    function: FunctionIndex,
    cells: Vec<usize>,
}

/// The left side of an assignment, all of whose parts are evaluated: where it starts, and how it
/// goes on from there. Whether there is such a place has not been looked at yet.
struct Place<'p> {
    root: Root,
    root_span: Span,
    steps: Vec<Step<'p>>,
}

enum Root {
    Variable(usize),
    Dereference { pointer: Option<usize>, pointer_span: Span },
    Temporary(Value),
}

enum Step<'p> {
    Field(&'p Ident, Span),
    Index(Integer, Span),
}

struct Interpreter<'p> {
    program: &'p Program,
    resolution: &'p Resolution,
    dialect: Dialect,
    limits: Limits,
    /// What has not been read yet.
    inputs: &'p [Integer],
    outputs: Vec<Integer>,
    /// All variables and all that was allocated, ever; `None` has no value yet.
    memory: Vec<Option<Value>>,
    /// All arrays that were made, ever, if arrays are references.
    arrays: Vec<Vec<Value>>,
    depth: usize,
}

impl<'p> Interpreter<'p> {
    fn step(&mut self) -> Result<()> {
        self.limits.steps = self.limits.steps.checked_sub(1).ok_or(Stop::GaveUp)?;
        Ok(())
    }

    fn call(&mut self, function: FunctionIndex, arguments: Vec<Value>) -> Result<Value> {
        if self.depth == self.limits.depth {
            return Err(Stop::GaveUp);
        }
        self.depth += 1;
        let first = self.memory.len();
        let locals = self.resolution.locals(function).len();
        self.memory.extend(arguments.into_iter().map(Some));
        self.memory.resize(first + locals, None);
        let frame = Frame { function, cells: (first..first + locals).collect() };
        let declaration = &self.program.functions[function.0 as usize];
        self.statements(&frame, &declaration.body)?;
        let result = self.evaluate(&frame, declaration.result)?;
        if frame.function == self.resolution.main() {
            number(result.clone(), self.span(declaration.result))?;
        }
        self.depth -= 1;
        Ok(result)
    }

    // Statements.

    fn statements(&mut self, frame: &Frame, stmts: &'p [Stmt]) -> Result<()> {
        stmts.iter().try_for_each(|stmt| self.statement(frame, stmt))
    }

    fn statement(&mut self, frame: &Frame, stmt: &'p Stmt) -> Result<()> {
        self.step()?;
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let place = self.place(frame, *place)?;
                let value = self.evaluate(frame, *value)?;
                self.assign(place, value)
            }
            StmtKind::Output(value) => {
                let number = self.number(frame, *value)?;
                self.outputs.push(number);
                Ok(())
            }
            StmtKind::If { guard, then, otherwise } => {
                if !self.number(frame, *guard)?.is_zero() {
                    self.statement(frame, then)
                } else if let Some(otherwise) = otherwise {
                    self.statement(frame, otherwise)
                } else {
                    Ok(())
                }
            }
            StmtKind::While { guard, body } => {
                while !self.number(frame, *guard)?.is_zero() {
                    self.statement(frame, body)?;
                }
                Ok(())
            }
            StmtKind::Block(stmts) => self.statements(frame, stmts),
        }
    }

    // Expressions.

    fn span(&self, expr: ExprId) -> Span {
        self.program.exprs.get(expr).span
    }

    /// The value of an expression that must be a number.
    fn number(&mut self, frame: &Frame, expr: ExprId) -> Result<Integer> {
        let value = self.evaluate(frame, expr)?;
        number(value, self.span(expr))
    }

    /// The value of an expression that must be a pointer.
    fn pointer(&mut self, frame: &Frame, expr: ExprId) -> Result<Option<usize>> {
        match self.evaluate(frame, expr)? {
            Value::Pointer(cell) => Ok(cell),
            _ => fail(CheckKind::TypeError, self.span(expr)),
        }
    }

    fn all(&mut self, frame: &Frame, exprs: &[ExprId]) -> Result<Vec<Value>> {
        exprs.iter().map(|expr| self.evaluate(frame, *expr)).collect()
    }

    fn evaluate(&mut self, frame: &Frame, id: ExprId) -> Result<Value> {
        self.step()?;
        let expr = self.program.exprs.get(id);
        let value = match &expr.kind {
            ExprKind::Number(value) => Value::Number(value.clone()),
            ExprKind::Null => Value::Pointer(None),
            ExprKind::Input => Value::Number(self.input()),
            ExprKind::Name(_) => match self.resolution.binding(id) {
                Binding::Function(function) => Value::Function(function),
                Binding::Local(local) => self.read(frame.cells[local.0 as usize], expr.span)?,
            },
            ExprKind::AddressOf(_) => match self.resolution.binding(id) {
                Binding::Local(local) => Value::Pointer(Some(frame.cells[local.0 as usize])),
                Binding::Function(_) => panic!("functions have no address"),
            },
            ExprKind::Deref(pointer) => {
                let cell = self.pointer(frame, *pointer)?;
                self.read(target(cell, self.span(*pointer))?, expr.span)?
            }
            ExprKind::Alloc(value) => {
                let value = self.evaluate(frame, *value)?;
                self.memory.push(Some(value));
                Value::Pointer(Some(self.memory.len() - 1))
            }
            ExprKind::Not(operand) => {
                let operand = self.evaluate(frame, *operand)?;
                Value::Number(truth(number(operand, expr.anchor)?.is_zero()))
            }
            ExprKind::Binary { op, left, right } => {
                let left = self.evaluate(frame, *left)?;
                let right = self.evaluate(frame, *right)?;
                Value::Number(self.binary(*op, left, right, expr.anchor)?)
            }
            ExprKind::Call { callee, args } => {
                let callee_span = self.span(*callee);
                let callee = self.evaluate(frame, *callee)?;
                let args = self.all(frame, args)?;
                let Value::Function(function) = callee else {
                    return fail(CheckKind::TypeError, callee_span);
                };
                if self.program.functions[function.0 as usize].params.len() != args.len() {
                    return fail(CheckKind::ArgumentCount, expr.anchor);
                }
                self.call(function, args)?
            }
            ExprKind::Array(items) => {
                let items = self.all(frame, items)?;
                match self.dialect.arrays {
                    ArrayKind::Value => Value::OwnArray(Rc::new(items)),
                    ArrayKind::Reference => {
                        self.arrays.push(items);
                        Value::SharedArray(self.arrays.len() - 1)
                    }
                }
            }
            ExprKind::Record(fields) => self.record(frame, fields)?,
            ExprKind::Field { record, field } => match self.evaluate(frame, *record)? {
                Value::Record(fields) => {
                    match fields.iter().find(|(name, _)| *name == field.name) {
                        Some((_, value)) => value.clone(),
                        None => return fail(CheckKind::MissingField, expr.anchor),
                    }
                }
                _ => return fail(CheckKind::TypeError, expr.anchor),
            },
            ExprKind::Index { array, index } => {
                let array = self.evaluate(frame, *array)?;
                let index = self.evaluate(frame, *index)?;
                let items = match &array {
                    Value::SharedArray(array) => &self.arrays[*array],
                    Value::OwnArray(items) => items,
                    _ => return fail(CheckKind::TypeError, expr.anchor),
                };
                let index = number(index, expr.anchor)?;
                items[position(&index, items.len(), expr.anchor)?].clone()
            }
        };
        Ok(value)
    }

    fn read(&self, cell: usize, span: Span) -> Result<Value> {
        match &self.memory[cell] {
            Some(value) => Ok(value.clone()),
            None => fail(CheckKind::Uninitialised, span),
        }
    }

    fn input(&mut self) -> Integer {
        match self.inputs.split_first() {
            Some((first, rest)) => {
                self.inputs = rest;
                first.clone()
            }
            None => Integer::from(-1),
        }
    }

    fn record(&mut self, frame: &Frame, fields: &[(Ident, ExprId)]) -> Result<Value> {
        let mut record = Vec::new();
        for (name, value) in fields {
            record.push((name.name.clone(), self.evaluate(frame, *value)?));
        }
        for ((_, value), (_, expr)) in record.iter().zip(fields) {
            if matches!(value, Value::Record(_)) && self.dialect.arrays == ArrayKind::Reference {
                return fail(CheckKind::NestedRecord, self.span(*expr));
            }
        }
        Ok(Value::Record(Rc::new(record)))
    }

    fn binary(&self, op: BinaryOp, left: Value, right: Value, span: Span) -> Result<Integer> {
        if let (BinaryOp::Eq | BinaryOp::Ne, Value::Pointer(a), Value::Pointer(b)) =
            (op, &left, &right)
        {
            return Ok(truth((a == b) == (op == BinaryOp::Eq)));
        }
        let (a, b) = (number(left, span)?, number(right, span)?);
        if op == BinaryOp::Mul && a.bits() + b.bits() > self.limits.bits {
            return Err(Stop::GaveUp);
        }
        Ok(match op {
            BinaryOp::Add => self.wrap(a.add(&b)),
            BinaryOp::Sub => self.wrap(a.sub(&b)),
            BinaryOp::Mul => self.wrap(a.mul(&b)),
            BinaryOp::Div => match a.div_truncated(&b) {
                Some(quotient) => self.wrap(quotient),
                None => return fail(CheckKind::DivisionByZero, span),
            },
            BinaryOp::Eq => truth(a == b),
            BinaryOp::Ne => truth(a != b),
            BinaryOp::Lt => truth(a < b),
            BinaryOp::Le => truth(a <= b),
            BinaryOp::Gt => truth(a > b),
            BinaryOp::Ge => truth(a >= b),
            BinaryOp::And => truth(!a.is_zero() && !b.is_zero()),
            BinaryOp::Or => truth(!a.is_zero() || !b.is_zero()),
        })
    }

    /// The one number of the dialect that differs from `value` by a multiple of 2^width.
    fn wrap(&self, value: Integer) -> Integer {
        match self.dialect.numbers {
            IntType::Unbounded => value,
            IntType::Machine { width, signedness } => {
                assert_eq!(signedness, Signedness::Signed, "numbers have a sign");
                let modulus = Integer::power_of_two(width);
                let residue = value.rem_euclidean(&modulus).expect("a positive modulus");
                if residue >= Integer::power_of_two(width - 1) {
                    residue.sub(&modulus)
                } else {
                    residue
                }
            }
        }
    }

    // Assignments.

    /// Evaluates the parts of a left side, from left to right.
    fn place(&mut self, frame: &Frame, id: ExprId) -> Result<Place<'p>> {
        let expr = self.program.exprs.get(id);
        let root = match &expr.kind {
            ExprKind::Field { record, field } => {
                let mut place = self.place(frame, *record)?;
                place.steps.push(Step::Field(field, expr.anchor));
                return Ok(place);
            }
            ExprKind::Index { array, index } => {
                let mut place = self.place(frame, *array)?;
                let index = number(self.evaluate(frame, *index)?, expr.anchor)?;
                place.steps.push(Step::Index(index, expr.anchor));
                return Ok(place);
            }
            ExprKind::Name(_) => match self.resolution.binding(id) {
                Binding::Local(local) => Root::Variable(frame.cells[local.0 as usize]),
                Binding::Function(function) => Root::Temporary(Value::Function(function)),
            },
            ExprKind::Deref(pointer) => Root::Dereference {
                pointer: self.pointer(frame, *pointer)?,
                pointer_span: self.span(*pointer),
            },
            _ => Root::Temporary(self.evaluate(frame, id)?),
        };
        Ok(Place { root, root_span: expr.span, steps: Vec::new() })
    }

    /// Looks at the place, from the inside out, and writes to it.
    fn assign(&mut self, place: Place<'p>, value: Value) -> Result<()> {
        let mut temporary;
        let root = match place.root {
            Root::Variable(cell) => &mut self.memory[cell],
            Root::Dereference { pointer, pointer_span } => {
                &mut self.memory[target(pointer, pointer_span)?]
            }
            Root::Temporary(value) => {
                temporary = Some(value);
                &mut temporary
            }
        };
        if place.steps.is_empty() {
            *root = Some(value);
            return Ok(());
        }
        let Some(mut slot) = root.as_mut() else {
            return fail(CheckKind::Uninitialised, place.root_span);
        };
        for step in place.steps {
            slot = match step {
                Step::Field(field, span) => {
                    let Value::Record(fields) = slot else {
                        return fail(CheckKind::TypeError, span);
                    };
                    let mut fields = Rc::make_mut(fields).iter_mut();
                    match fields.find(|(name, _)| *name == field.name) {
                        Some((_, value)) => value,
                        None => return fail(CheckKind::MissingField, span),
                    }
                }
                Step::Index(index, span) => {
                    let items = match *slot {
                        Value::SharedArray(array) => &mut self.arrays[array],
                        Value::OwnArray(ref mut items) => Rc::make_mut(items),
                        _ => return fail(CheckKind::TypeError, span),
                    };
                    let position = position(&index, items.len(), span)?;
                    &mut items[position]
                }
            };
        }
        *slot = value;
        Ok(())
    }
}

/// The cell that a pointer points to.
fn target(pointer: Option<usize>, span: Span) -> Result<usize> {
    pointer.ok_or(Stop::Failed(CheckKind::NullDereference, span))
}

/// An index into an array of this length.
fn position(index: &Integer, length: usize, span: Span) -> Result<usize> {
    let position = index.to_usize().filter(|position| *position < length);
    position.ok_or(Stop::Failed(CheckKind::IndexOutOfBounds, span))
}
