//! Statements other than loops, and blocks.

use super::range::Range;
use super::scope::{Cell, Variable};
use super::{Grower, Jumps, MAX_WORK, WORK_PER_STATEMENT};
use crate::parameters::{ErrorKind, Probability};
use crate::tree::{Assertion, Expr, Number, Operator, Place, Stmt, Type};

impl Grower<'_> {
    /// A statement; some kinds need several.
    pub(super) fn statement(&mut self) -> Vec<Stmt> {
        self.statements_left = self.statements_left.saturating_sub(1);
        self.spend(1);
        if self.can_nest()
            && let Some(made) = self.loop_statement()
        {
            return made;
        }
        if self.is_dense()
            && self.random.one_in(2)
            && let Some(made) = self.checked_statement()
        {
            return made;
        }
        (0..8).find_map(|_| self.other_statement()).unwrap_or_else(|| self.output())
    }

    /// A loop, with the probabilities that were asked for, if one may stand here.
    fn loop_statement(&mut self) -> Option<Vec<Stmt>> {
        let counting = u64::from(self.parameters.for_loop_probability.millionths());
        let other = u64::from(self.parameters.while_loop_probability.millionths());
        let drawn = self.random.below(Probability::ONE as usize) as u64;
        if drawn >= counting + other {
            return None;
        }
        if let Some((shapes, nesting)) = self.parameters.loops.rules() {
            return self.shaped_loop(shapes, nesting);
        }
        if drawn < counting { self.for_loop() } else { self.while_loop() }
    }

    /// Any statement but a loop, all kinds with the same probability.
    fn other_statement(&mut self) -> Option<Vec<Stmt>> {
        match self.random.below(13) {
            0 => self.assignment(),
            1 => self.increment(),
            2 | 3 => self.branch(),
            4 => self.nested_block(),
            5 => self.array_statement(),
            6 => self.record_statement(),
            7 => self.pointer_statement(),
            8 => self.list_statement(),
            9 => self.call(),
            10 => self.read_input(),
            11 => self.failing_statement(),
            _ if self.random.one_in(2) => self.jump(),
            _ => Some(self.output()),
        }
    }

    /// Counts statements that are executed as often as this place is reached.
    pub(super) fn spend(&mut self, statements: u64) {
        self.work = self.work.saturating_add(statements.saturating_mul(self.times.unwrap_or(1)));
    }

    /// Whether so many statements more can be executed here.
    pub(super) fn can_afford(&self, statements: u64) -> bool {
        let more = statements.saturating_mul(self.times.unwrap_or(1));
        let statements = u64::from(self.parameters.max_statements);
        self.work.saturating_add(more) <= MAX_WORK.max(statements * WORK_PER_STATEMENT)
    }

    pub(super) fn can_nest(&self) -> bool {
        self.depth_left > 0 && self.statements_left > 0
    }

    /// A nested block.
    pub(super) fn block(&mut self) -> Vec<Stmt> {
        let mark = self.scope.mark();
        self.depth_left = self.depth_left.saturating_sub(1);
        let count = self.one_to(self.parameters.max_block_statements);
        let mut block = Vec::new();
        for _ in 0..count {
            block.extend(self.statement());
            if self.statements_left == 0 {
                break;
            }
        }
        self.depth_left += 1;
        self.scope.leave(mark);
        block
    }

    pub(super) fn output(&mut self) -> Vec<Stmt> {
        let value = self.number(self.parameters.max_expression_depth);
        vec![Stmt::Output(value.expr, value.number)]
    }

    /// A variable that may be written, if there is one.
    fn writable(&mut self) -> Option<usize> {
        let writable = self.scope.indices(Variable::is_writable);
        self.random.pick(&writable).copied()
    }

    fn assignment(&mut self) -> Option<Vec<Stmt>> {
        let index = self.writable()?;
        let cell = self.scope.numbers[index].cell.clone();
        let value = self.value_for(&cell);
        let place = Place::Variable(self.scope.numbers[index].name.clone());
        Some(vec![Stmt::Assign(place, value)])
    }

    /// `x = x + e`, or in microc and for numbers that wrap around `x = 2 * x + e`.
    fn increment(&mut self) -> Option<Vec<Stmt>> {
        let index = self.writable()?;
        if self.scope.numbers[index].unset {
            return None;
        }
        let amount = self.amount(|grower, size| {
            let times = grower.times;
            grower.scope.numbers[index].cell.charge(size, times)
        })?;
        let variable = &self.scope.numbers[index];
        let place = Place::Variable(variable.name.clone());
        let free = variable.cell.assignable == Range::ANY;
        if free && self.times.is_some_and(|times| times <= 64) && self.random.one_in(6) {
            let factor = Expr::Number(self.random.between(2, 3));
            let old = Expr::Read(place.clone());
            let product = Expr::binary(Operator::Mul, factor, old);
            return Some(vec![Stmt::Assign(place, Expr::binary(Operator::Add, product, amount))]);
        }
        let operator = [Operator::Add, Operator::Sub][self.random.below(2)];
        Some(vec![Stmt::increase(place, operator, amount)])
    }

    /// Something to add that is no larger than `accept` allows.
    pub(super) fn amount(
        &mut self,
        mut accept: impl FnMut(&mut Self, i64) -> bool,
    ) -> Option<Expr> {
        for _ in 0..3 {
            let value = self.number(1);
            // An unsigned amount would make the sum unsigned, and a byte is added to as an `int`.
            let fits =
                value.number == Number::Int && (!self.is_c() || value.range.size() < 1 << 30);
            let adds = value.range != Range::constant(0);
            if fits && adds && accept(self, value.range.size()) {
                return Some(value.expr);
            }
        }
        accept(self, 1).then_some(Expr::Number(1))
    }

    fn branch(&mut self) -> Option<Vec<Stmt>> {
        if !self.can_nest() {
            return None;
        }
        let condition = self.condition();
        let then = self.block();
        let otherwise = if self.random.one_in(2) { self.block() } else { Vec::new() };
        Some(vec![Stmt::If(condition, then, otherwise)])
    }

    /// A block of its own with a variable of its own.
    fn nested_block(&mut self) -> Option<Vec<Stmt>> {
        if !self.can_nest() {
            return None;
        }
        let mark = self.scope.mark();
        let rank = self.random.below(3);
        let mut block = vec![self.new_number(rank)];
        let local = self.scope.numbers.len() - 1;
        block.extend(self.block());
        // Nothing is declared in vain.
        let shown = self.value_of(local);
        block.push(Stmt::Output(shown.expr, shown.number));
        self.scope.leave(mark);
        Some(vec![Stmt::Block(block)])
    }

    /// Reads an input into a variable of its own, or into one that is made for inputs.
    fn read_input(&mut self) -> Option<Vec<Stmt>> {
        let times = u32::try_from(self.times?).ok()?;
        self.inputs_left = self.inputs_left.checked_sub(times)?;
        let number = Number::Int;
        let cell = self.input_cell(number);
        let holds = |v: &Variable| {
            v.is_writable()
                && v.number == Number::Int
                && v.cell.assignable.contains(cell.assignable)
        };
        let candidates = self.scope.indices(holds);
        let Some(index) = self.random.pick(&candidates) else {
            self.inputs_left += times;
            return None;
        };
        let name = self.scope.numbers[*index].name.clone();
        let mut made = vec![Stmt::Assign(Place::Variable(name.clone()), Expr::Input(number))];
        made.extend(self.restriction(&name, number));
        Some(made)
    }

    /// The type of an input.
    pub(super) fn input_type(&mut self) -> Number {
        let negative = self.parameters.input_range.is_some_and(|range| range.low < 0);
        match self.random.below(6) {
            0 if self.is_c() && !negative => Number::Unsigned,
            1 if self.is_c() && self.parameters.input_range.is_none() => Number::Byte,
            _ => Number::Int,
        }
    }

    /// What is known of a variable that an input was read into. Besides the range of inputs it has room for
    /// what a loop that counts it down leaves: 0 or -1.
    pub(super) fn input_cell(&self, number: Number) -> Cell {
        match (self.parameters.input_range, number) {
            (Some(range), _) => {
                let range = Range::new(range.low.into(), range.high.into());
                let below = if number == Number::Int { Range::new(-1, 0) } else { range };
                Cell::exactly(range).with_room(below)
            }
            (None, Number::Byte) => Cell::wrapping(Range::BYTE),
            (None, Number::Unsigned) => Cell::wrapping(Range::UNSIGNED),
            (None, Number::Int) if self.is_c() => Cell::exactly(Range::INT),
            (None, Number::Int) => Cell::unbounded(),
        }
    }

    /// Makes the value of a variable one of the range of inputs, or ends the run.
    pub(super) fn restriction(&mut self, name: &str, number: Number) -> Vec<Stmt> {
        let Some(range) = self.parameters.input_range else { return Vec::new() };
        let (low, high) = (i64::from(range.low), i64::from(range.high));
        let variable = || Expr::variable(name);
        let place = Place::Variable(name.to_owned());
        let compare = |operator, bound| Expr::binary(operator, variable(), Expr::Number(bound));
        let outside =
            Expr::binary(Operator::Or, compare(Operator::Lt, low), compare(Operator::Gt, high));
        // What is not negative needs no look at its sign.
        let outside = if number == Number::Unsigned && low == 0 {
            compare(Operator::Gt, high)
        } else {
            outside
        };
        match self.random.below(if self.is_c() { 4 } else { 2 }) {
            // The remainder fits if the range starts at 0 and the program may divide.
            1 if low == 0 && self.parameters.divisions && high < i64::from(i32::MAX) => {
                let modulus = Expr::Number(high + 1);
                let remainder = Expr::binary(Operator::Rem, variable(), modulus.clone());
                let mut made = vec![Stmt::Assign(place.clone(), remainder)];
                if number == Number::Int {
                    let up = Stmt::increase(place, Operator::Add, modulus);
                    made.push(Stmt::If(compare(Operator::Lt, 0), vec![up], Vec::new()));
                }
                made
            }
            2 => vec![Stmt::If(outside, vec![Stmt::Exit], Vec::new())],
            3 => {
                let inside = Expr::binary(
                    Operator::And,
                    compare(Operator::Ge, low),
                    compare(Operator::Le, high),
                );
                vec![Stmt::Assume(inside)]
            }
            _ => {
                let instead = Expr::Number(self.random.between(low, high.min(low + 5)));
                vec![Stmt::If(outside, vec![Stmt::Assign(place, instead)], Vec::new())]
            }
        }
    }

    /// C: leaves a loop, or this iteration of it.
    fn jump(&mut self) -> Option<Vec<Stmt>> {
        let jump = match self.loops.last()? {
            Jumps::None => return None,
            Jumps::BreakAndContinue if self.random.one_in(2) => Stmt::Continue,
            _ => Stmt::Break,
        };
        Some(vec![Stmt::If(self.condition(), vec![jump], Vec::new())])
    }

    /// A statement that can fail.
    pub(super) fn failing_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.may_fail(ErrorKind::Assertion) && self.random.one_in(2) {
            let ways = [Assertion::Standard, Assertion::Verifier, Assertion::Reach];
            let way = ways[self.random.below(ways.len())];
            if !self.dares(ErrorKind::Assertion) {
                return self.true_assertion(way);
            }
            let condition = self.condition().planted(ErrorKind::Assertion);
            return Some(vec![Stmt::Assert(way, condition)]);
        }
        self.daring_statement()
    }

    /// An assertion that holds, as ranges tell.
    pub(super) fn true_assertion(&mut self, way: Assertion) -> Option<Vec<Stmt>> {
        let value = self.read()?;
        let bound = Expr::Number(value.range.high);
        if value.number != Number::Int || value.range.high >= Range::INT.high {
            return None;
        }
        Some(vec![Stmt::Assert(way, Expr::binary(Operator::Le, value.expr, bound))])
    }

    /// Declares a variable with an exact range, and gives its index.
    pub(super) fn declare(&mut self, name: &str, range: Range, value: Expr) -> (Stmt, usize) {
        let variable = Variable::plain(name.to_owned(), Number::Int, Cell::exactly(range));
        self.scope.numbers.push(variable);
        let stmt = Stmt::Declare(name.to_owned(), Type::Number(Number::Int), Some(value));
        (stmt, self.scope.numbers.len() - 1)
    }
}
