//! Loops with a path dependency automaton of a given shape (Proteus, section 2.2).
//!
//! Such a loop has *controls*: its counter and what decides which path an iteration takes. They are locked, so the
//! rest of the body, which does not branch, has no influence on the order of the paths. Each shape comes in several kinds, those
//! whose conditions change by constant steps (types 1 and 2 of Proteus) and others (types 3 and 4).

use super::loops::Frame;
use super::range::Range;
use super::scope::Variable;
use super::{Grower, Jumps};
use crate::parameters::{LoopShape, Nesting};
use crate::tree::{Expr, Number, Operator, Place, Stmt, Type};

/// What a shape adds to a loop that counts.
#[derive(Default)]
struct Control {
    /// What comes before the loop.
    before: Vec<Stmt>,
    /// What comes first in the body.
    first: Vec<Stmt>,
    /// Then one of these: the first whose guard holds; the last one has none.
    ways: Vec<Way>,
    /// How the counter is changed, other than by adding 1.
    last: Option<Vec<Stmt>>,
    /// What only the loop itself may change.
    locked: Vec<usize>,
    /// How far the counter may be beyond the limit at the end.
    beyond: i64,
}

/// A way through the body, with what it does to the controls.
struct Way {
    guard: Option<Expr>,
    does: Vec<Stmt>,
}

impl Way {
    fn when(guard: Expr, does: Vec<Stmt>) -> Self {
        Way { guard: Some(guard), does }
    }

    fn otherwise(does: Vec<Stmt>) -> Self {
        Way { guard: None, does }
    }
}

/// How far a loop counts.
struct Limit {
    expr: Expr,
    /// The greatest value of the limit.
    most: i64,
    /// The variable that it is.
    variable: Option<usize>,
}

fn less(left: Expr, right: Expr) -> Expr {
    Expr::binary(Operator::Lt, left, right)
}

fn change(name: &str, operator: Operator, amount: i64) -> Stmt {
    Stmt::increase(Place::Variable(name.to_owned()), operator, Expr::Number(amount))
}

fn set(name: &str, value: i64) -> Stmt {
    Stmt::Assign(Place::Variable(name.to_owned()), Expr::Number(value))
}

impl Grower<'_> {
    /// A loop of one of these shapes.
    pub(super) fn shaped_loop(
        &mut self,
        shapes: &[LoopShape],
        nesting: Nesting,
    ) -> Option<Vec<Stmt>> {
        let shape = *self.random.pick(shapes)?;
        if shape == LoopShape::Periodic
            && self.random.one_in(3)
            && let Some(made) = self.race(shapes, nesting)
        {
            return Some(made);
        }
        let limit = self.limit(self.parameters.max_iterations.into());
        if !self.admits(Some(limit.most as u64)) {
            return None;
        }
        let counter = self.name("i");
        let control = match shape {
            LoopShape::Sequential => self.sequential(&counter, limit.most),
            LoopShape::Periodic => self.periodic(limit.most),
            LoopShape::Irregular => self.irregular(limit.most),
        };
        let range = Range::new(0, limit.most + control.beyond);
        let (declare, index) = self.declare(&counter, range, Expr::Number(0));
        let mut locked = control.locked;
        locked.extend(limit.variable);
        locked.push(index);
        let (first, ways, last) = (control.first, control.ways, control.last);
        let last = last.unwrap_or_else(|| vec![change(&counter, Operator::Add, 1)]);
        let frame = Frame { bound: Some(limit.most as u64), jumps: Jumps::None, locked };
        let body = self.inside(frame, |grower| {
            let mut body = first;
            body.extend(grower.branch_into(ways));
            body.extend(grower.rest_of_body(shapes, nesting));
            body.extend(last);
            body
        });
        let mut made = control.before;
        made.push(declare);
        made.push(Stmt::While(less(Expr::variable(&counter), limit.expr), body));
        Some(made)
    }

    /// A constant, or a variable that is at least sometimes positive, neither ever larger than `most`.
    fn limit(&mut self, most: i64) -> Limit {
        let short = |v: &Variable| {
            v.is_readable() && v.number == Number::Int && (1..=most).contains(&v.cell.range.high)
        };
        let short = self.scope.indices(short);
        if !self.random.one_in(4)
            && let Some(index) = self.random.pick(&short)
        {
            let value = self.value_of(*index);
            return Limit { expr: value.expr, most: value.range.high, variable: Some(*index) };
        }
        let trips = self.random.between((most + 1) / 2, most);
        Limit { expr: Expr::Number(trips), most: trips, variable: None }
    }

    /// What a body has besides what decides about its path: a loop, if loops nest, and statements without branches.
    fn rest_of_body(&mut self, shapes: &[LoopShape], nesting: Nesting) -> Vec<Stmt> {
        self.depth_left -= 1;
        let mark = self.scope.mark();
        let mut rest = Vec::new();
        if nesting == Nesting::Nested && self.can_nest() {
            rest.extend(self.shaped_loop(shapes, nesting).into_iter().flatten());
        }
        let count = self.one_to(self.parameters.max_block_statements.min(3));
        for _ in 0..count {
            self.statements_left = self.statements_left.saturating_sub(1);
            self.spend(1);
            rest.push(self.plain_statement());
        }
        self.scope.leave(mark);
        self.depth_left += 1;
        rest
    }

    /// `x = x + 2`, or an output.
    fn plain_statement(&mut self) -> Stmt {
        let (operator, amount) =
            ([Operator::Add, Operator::Sub][self.random.below(2)], self.random.between(1, 3));
        let counts = |v: &Variable| v.is_writable() && v.is_readable() && v.number == Number::Int;
        let counts = self.scope.indices(counts);
        let times = self.times;
        if let Some(index) = self.random.pick(&counts)
            && self.scope.numbers[*index].cell.charge(amount, times)
        {
            let name = &self.scope.numbers[*index].name;
            return change(name, operator, amount);
        }
        let shown = self.variable().unwrap_or_else(|| self.constant());
        Stmt::Output(shown.expr, shown.number)
    }

    /// `if (…) …; else …;`, and each way does something besides.
    fn branch_into(&mut self, ways: Vec<Way>) -> Vec<Stmt> {
        let mut made = Vec::new();
        for Way { guard, mut does } in ways.into_iter().rev() {
            does.push(self.plain_statement());
            made = match guard {
                Some(guard) => vec![Stmt::If(guard, does, made)],
                None => does,
            };
        }
        made
    }

    /// One path, or one after the other.
    fn sequential(&mut self, counter: &str, most: i64) -> Control {
        let below = |limit| less(Expr::variable(counter), limit);
        match self.random.below(5) {
            0 => Control::default(),
            1 => self.growing_steps(counter, most),
            phases => {
                let (late, locked) = self.threshold();
                let mut ways = vec![Way::when(below(late), Vec::new()), Way::otherwise(Vec::new())];
                if phases == 2 {
                    let early = Expr::Number(self.random.between(1, 2));
                    ways.insert(0, Way::when(below(early), Vec::new()));
                }
                Control { ways, locked, ..Control::default() }
            }
        }
    }

    /// `i = i + s; s = s + 1`: the step is no constant.
    fn growing_steps(&mut self, counter: &str, most: i64) -> Control {
        let step = self.name("s");
        let (declare, index) = self.declare(&step, Range::new(1, 1 + most), Expr::Number(1));
        let far = Stmt::increase(
            Place::Variable(counter.to_owned()),
            Operator::Add,
            Expr::variable(&step),
        );
        let last = vec![far, change(&step, Operator::Add, 1)];
        Control {
            before: vec![declare],
            last: Some(last),
            locked: vec![index],
            beyond: most + 1,
            ..Control::default()
        }
    }

    /// Where one phase of a loop ends: at a variable, if there is one.
    fn threshold(&mut self) -> (Expr, Vec<usize>) {
        let int = |v: &Variable| v.is_readable() && v.number == Number::Int;
        let variables = self.scope.indices(int);
        match self.random.pick(&variables) {
            Some(index) => (self.value_of(*index).expr, vec![*index]),
            None => (Expr::Number(self.random.between(1, 3)), Vec::new()),
        }
    }

    /// `if (t < 2) t = t + 1; else t = t - 2;`, or `if (t == 0) t = 1; else t = 0;`
    fn periodic(&mut self, most: i64) -> Control {
        let state = self.name("t");
        // A period has one iteration more, and there should be time for two of them.
        let length = self.random.between(1, 3).min((most / 2 - 1).max(1));
        let (declare, index) = self.declare(&state, Range::new(0, length), Expr::Number(0));
        let here = || Expr::variable(&state);
        let ways = if self.random.one_in(2) {
            let up = vec![change(&state, Operator::Add, 1)];
            let down = vec![change(&state, Operator::Sub, length)];
            vec![Way::when(less(here(), Expr::Number(length)), up), Way::otherwise(down)]
        } else {
            let is = |value| Expr::binary(Operator::Eq, here(), Expr::Number(value));
            let to_next = |value| Way::when(is(value), vec![set(&state, value + 1)]);
            let mut ways: Vec<Way> = (0..length.min(2)).map(to_next).collect();
            ways.push(Way::otherwise(vec![set(&state, 0)]));
            ways
        };
        Control { before: vec![declare], ways, locked: vec![index], ..Control::default() }
    }

    /// `while (x < n) { if (z > x) x = x + 1; else z = z + 1; }`, the first example of Proteus.
    fn race(&mut self, shapes: &[LoopShape], nesting: Nesting) -> Option<Vec<Stmt>> {
        let limit = self.limit((self.parameters.max_iterations / 2).max(1).into());
        // Each of the two takes no more steps than the limit says.
        let bound = Some(2 * limit.most as u64);
        if !self.admits(bound) {
            return None;
        }
        let (front, back) = (self.name("i"), self.name("t"));
        let range = Range::new(0, limit.most);
        let (declare_front, first) = self.declare(&front, range, Expr::Number(0));
        let start = self.random.between(0, 1);
        let (declare_back, second) = self.declare(&back, range, Expr::Number(start));
        let guard = less(Expr::variable(&front), Expr::variable(&back));
        let (ahead, behind) = (change(&front, Operator::Add, 1), change(&back, Operator::Add, 1));
        let mut locked = vec![first, second];
        locked.extend(limit.variable);
        let step = Stmt::If(guard, vec![ahead], vec![behind]);
        let frame = Frame { bound, jumps: Jumps::None, locked };
        let body = self.inside(frame, |grower| {
            let mut body = grower.rest_of_body(shapes, nesting);
            body.push(step);
            body
        });
        let body = Stmt::While(less(Expr::variable(&front), limit.expr), body);
        Some(vec![declare_front, declare_back, body])
    }

    /// An input decides, or numbers without a pattern.
    fn irregular(&mut self, most: i64) -> Control {
        let kind = self.random.below(5);
        if kind < 2
            && let Some(control) = self.decided_by_inputs(most)
        {
            return control;
        }
        if kind == 2
            && let Some(control) = self.unknown_steps(most)
        {
            return control;
        }
        self.uneven_steps(most)
    }

    /// `q = input; if (q > 0) …`: no other statement sees `q`, and for what is outside of the range of inputs the same
    /// happens as for some input inside.
    fn decided_by_inputs(&mut self, most: i64) -> Option<Control> {
        let (low, high) = match self.parameters.input_range {
            Some(range) => (i64::from(range.low), i64::from(range.high)),
            None => (-1, 1),
        };
        let reads = u32::try_from(self.times?.saturating_mul(most as u64)).ok()?;
        let left = self.inputs_left.checked_sub(reads)?;
        if low == high {
            return None;
        }
        self.inputs_left = left;
        let name = self.name("q");
        let of = Type::Number(Number::Int);
        let read = Stmt::Declare(name.clone(), of, Some(Expr::Input(Number::Int)));
        let bound = Expr::Number(self.random.between(low.max(-2), high - 1).min(high - 1));
        let guard = Expr::binary(Operator::Gt, Expr::variable(&name), bound);
        let ways = vec![Way::when(guard, Vec::new()), Way::otherwise(Vec::new())];
        Some(Control { first: vec![read], ways, ..Control::default() })
    }

    /// `if (t <= y) t = t + n; else y = y + m;`
    fn unknown_steps(&mut self, most: i64) -> Option<Control> {
        let steps = |v: &Variable| {
            let range = v.cell.range;
            let changes = range.low != range.high && range.size() <= 100;
            v.is_readable() && v.number == Number::Int && changes
        };
        let steps = self.scope.indices(steps);
        let (one, other) = (*self.random.pick(&steps)?, *self.random.pick(&steps)?);
        // With the same step they would take turns.
        if one == other {
            return None;
        }
        let (left, right) = (self.name("t"), self.name("t"));
        let range = Range::around_zero(100 * most);
        let (declare_left, first) = self.declare(&left, range, Expr::Number(0));
        let (declare_right, second) = self.declare(&right, range, Expr::Number(0));
        let guard = Expr::binary(Operator::Le, Expr::variable(&left), Expr::variable(&right));
        let add = |to: String, step: usize, grower: &Self| {
            let amount = grower.value_of(step).expr;
            vec![Stmt::increase(Place::Variable(to), Operator::Add, amount)]
        };
        let (then, otherwise) = (add(left, one, self), add(right, other, self));
        let ways = vec![Way::when(guard, then), Way::otherwise(otherwise)];
        let before = vec![declare_left, declare_right];
        let locked = vec![first, second, one, other];
        Some(Control { before, ways, locked, ..Control::default() })
    }

    /// `if (t <= m) t = t + 2; else t = t - 3;`, or with `t * t`
    fn uneven_steps(&mut self, most: i64) -> Control {
        let (up, down) = [(2, 3), (3, 2), (3, 5), (5, 3)][self.random.below(4)];
        let is_square = self.random.one_in(3);
        // From 9 on, no step jumps from one side of what is allowed to the other.
        let near = self.random.between(9, 20);
        let (threshold, mut locked) = match self.near_number(most) {
            Some(index) if !is_square => (self.value_of(index).expr, vec![index]),
            _ if is_square => (Expr::Number(near), Vec::new()),
            _ => (Expr::Number(near % 4), Vec::new()),
        };
        let name = self.name("t");
        let range = Range::around_zero(5 * most);
        let (declare, index) = self.declare(&name, range, Expr::Number(0));
        locked.push(index);
        let here = || Expr::variable(&name);
        let compared = if is_square { Expr::binary(Operator::Mul, here(), here()) } else { here() };
        let guard = Expr::binary(Operator::Le, compared, threshold);
        let up = vec![change(&name, Operator::Add, up)];
        let down = vec![change(&name, Operator::Sub, down)];
        let ways = vec![Way::when(guard, up), Way::otherwise(down)];
        Control { before: vec![declare], ways, locked, ..Control::default() }
    }

    /// A variable with values that so many steps can get to.
    fn near_number(&mut self, most: i64) -> Option<usize> {
        let near = |v: &Variable| {
            let range = v.cell.range;
            let is_near = range.low != range.high && range.size() <= most.max(8);
            v.is_readable() && v.number == Number::Int && is_near
        };
        let near = self.scope.indices(near);
        self.random.pick(&near).copied()
    }
}
