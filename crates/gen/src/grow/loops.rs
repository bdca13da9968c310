//! Loops.
//!
//! Each comes with a bound on its iterations. Where all loops must end, the bound holds for all inputs: what it
//! is computed from are ranges, and what decides about the guard is *locked*, so that nothing in the body
//! changes it.

use super::range::Range;
use super::{Grower, Jumps, Variable};
use crate::parameters::Termination;
use crate::tree::{Expr, Number, Operator, Place, Stmt, Type};

/// A loop whose body is not there yet.
pub(super) struct Frame {
    /// How often it iterates at most.
    pub(super) bound: Option<u64>,
    pub(super) jumps: Jumps,
    /// The variables that only the loop itself may change.
    pub(super) locked: Vec<usize>,
}

impl Grower<'_> {
    fn must_end(&self) -> bool {
        self.parameters.termination == Termination::Always
    }

    /// What may leave a loop whose counter is changed at the end of the body.
    fn plain_jumps(&self) -> Jumps {
        if self.is_c() { Jumps::Break } else { Jumps::None }
    }

    /// Whether a loop with so many iterations is allowed here.
    pub(super) fn admits(&self, bound: Option<u64>) -> bool {
        let deep = self.loops.len() as u64 >= u64::from(self.parameters.max_loop_depth);
        let fits = match bound {
            Some(bound) => {
                let small = bound <= u64::from(self.parameters.max_iterations);
                let size = u64::from(self.parameters.max_block_statements) + 2;
                (small || !self.must_end()) && self.can_afford(bound.saturating_mul(size))
            }
            None => !self.must_end(),
        };
        !deep && fits
    }

    /// The body of a loop.
    fn body(&mut self, frame: Frame) -> Vec<Stmt> {
        self.inside(frame, Self::block)
    }

    /// What is made inside of a loop.
    pub(super) fn inside(
        &mut self,
        frame: Frame,
        make: impl FnOnce(&mut Self) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let outside = self.times;
        self.times = outside.zip(frame.bound).map(|(times, bound)| times.saturating_mul(bound));
        self.loops.push(frame.jumps);
        let was_locked: Vec<bool> =
            frame.locked.iter().map(|index| self.scope.numbers[*index].locked).collect();
        for index in &frame.locked {
            self.scope.numbers[*index].locked = true;
        }
        let body = make(self);
        for (index, locked) in frame.locked.iter().zip(was_locked) {
            self.scope.numbers[*index].locked = locked;
        }
        self.loops.pop();
        self.times = outside;
        body
    }

    /// A number of iterations.
    fn trips(&mut self) -> i64 {
        i64::from(self.one_to(self.parameters.max_iterations))
    }

    /// A loop with a counter that goes up to a constant or a variable.
    pub(super) fn for_loop(&mut self) -> Option<Vec<Stmt>> {
        let counter = self.name("i");
        let start = self.random.between(0, 1);
        let step = if self.random.one_in(4) { 2 } else { 1 };
        let (guard, greatest, limit) = self.for_guard(&counter, start)?;
        // Only a step of 1 cannot jump over the greatest number.
        let step = if greatest.is_some() { step } else { 1 };
        // The counter takes the values start, start + step, … up to `greatest`.
        let bound = greatest.map(|greatest| ((greatest - start).max(-1) / step + 1).max(1) as u64);
        if !self.admits(bound) {
            return None;
        }
        let greatest = greatest.unwrap_or(Range::INT.high - 1).max(start);
        let mark = self.scope.mark();
        let inside = Range::new(start, greatest);
        let own = self.random.one_in(2);
        let range = if own { inside } else { Range::new(start, greatest + step) };
        let (declare, index) = self.declare(&counter, range, Expr::Number(start));
        // Inside it is never beyond the last value for which the guard holds.
        self.scope.numbers[index].cell.range = inside;
        let jumps = match (self.is_c(), own) {
            (true, true) => Jumps::BreakAndContinue,
            _ => self.plain_jumps(),
        };
        let locked = limit.into_iter().chain([index]).collect();
        let mut body = self.body(Frame { bound, jumps, locked });
        if own {
            self.scope.leave(mark);
            let start = Expr::Number(start);
            return Some(vec![Stmt::For { counter, start, guard, step, body }]);
        }
        self.scope.numbers[index].cell.range = range;
        let place = Place::Variable(counter);
        body.push(Stmt::increase(place, Operator::Add, Expr::Number(step)));
        Some(vec![declare, Stmt::While(guard, body)])
    }

    /// The guard of a counter, the greatest value of the counter for which it can hold, and the variable
    /// that this relies on.
    fn for_guard(
        &mut self,
        counter: &str,
        start: i64,
    ) -> Option<(Expr, Option<i64>, Option<usize>)> {
        let most = start + self.trips() - 1;
        let last = start + i64::from(self.parameters.max_iterations) - 1;
        let below = |limit| Expr::binary(Operator::Lt, Expr::variable(counter), limit);
        if self.random.one_in(3) {
            return Some((below(Expr::Number(most + 1)), Some(most), None));
        }
        let int = |v: &Variable| v.is_readable() && v.number == Number::Int;
        let short = self.scope.indices(|v| int(v) && v.cell.range.high - 1 <= last);
        let any = self.scope.indices(int);
        if self.random.one_in(3) || short.is_empty() {
            let index = *self.random.pick(&any)?;
            let guard = below(self.value_of(index).expr);
            if self.must_end() || self.random.one_in(2) {
                let end = below(Expr::Number(most + 1));
                return Some((Expr::binary(Operator::And, guard, end), Some(most), None));
            }
            return Some((guard, None, None));
        }
        let index = *self.random.pick(&short)?;
        let limit = self.value_of(index);
        let high = limit.range.high;
        if high <= last && self.random.one_in(3) {
            let guard = Expr::binary(Operator::Le, Expr::variable(counter), limit.expr);
            return Some((guard, Some(high), Some(index)));
        }
        Some((below(limit.expr), Some(high - 1), Some(index)))
    }

    /// A loop of another shape.
    pub(super) fn while_loop(&mut self) -> Option<Vec<Stmt>> {
        if !self.must_end() && self.random.one_in(2) {
            return self.general_loop();
        }
        let found = (0..4).find_map(|_| match self.random.below(7) {
            0 => self.count_down(),
            1 => self.with_fuel(),
            2 => self.chase(),
            3 => self.reading_loop(),
            4 => self.list_walk(),
            5 => self.two_speeds(),
            _ => self.do_while(),
        });
        // This one needs nothing.
        found.or_else(|| self.with_fuel())
    }

    /// A guard and a body with nothing in common but a variable, which the body perhaps changes.
    fn general_loop(&mut self) -> Option<Vec<Stmt>> {
        if !self.admits(None) {
            return None;
        }
        let guard = self.condition();
        let jumps = self.plain_jumps();
        let body = self.body(Frame { bound: None, jumps, locked: Vec::new() });
        Some(vec![Stmt::While(guard, body)])
    }

    /// `while (x > 0) { …; x = x - 1; }`
    fn count_down(&mut self) -> Option<Vec<Stmt>> {
        let most = i64::from(self.parameters.max_iterations);
        // At its end the variable is 0, or -1 after a step of 2.
        let counts = |v: &Variable| {
            let range = v.cell.range;
            v.is_writable()
                && v.is_readable()
                && v.number == Number::Int
                && range.has(-1)
                && (1..=most).contains(&range.high)
        };
        let candidates = self.scope.indices(counts);
        let index = *self.random.pick(&candidates)?;
        let bound = Some(self.scope.numbers[index].cell.range.high as u64);
        if !self.admits(bound) {
            return None;
        }
        let name = self.scope.numbers[index].name.clone();
        let guard = Expr::binary(Operator::Gt, Expr::variable(&name), Expr::Number(0));
        let jumps = self.plain_jumps();
        let mut body = self.body(Frame { bound, jumps, locked: vec![index] });
        let place = Place::Variable(name);
        let slow = Stmt::increase(place.clone(), Operator::Sub, Expr::Number(1));
        let fast = Stmt::increase(place, Operator::Sub, Expr::Number(2));
        body.push(match self.random.below(3) {
            0 => Stmt::If(self.condition(), vec![fast], vec![slow]),
            1 => fast,
            _ => slow,
        });
        Some(vec![Stmt::While(guard, body)])
    }

    /// `while (k > 0 && …) { …; k = k - 1; }`
    fn with_fuel(&mut self) -> Option<Vec<Stmt>> {
        let trips = self.trips();
        if !self.admits(Some(trips as u64)) {
            return None;
        }
        let name = self.name("k");
        let condition = self.comparison(1);
        let (declare, index) = self.declare(&name, Range::new(0, trips), Expr::Number(trips));
        let fuel = Expr::binary(Operator::Gt, Expr::variable(&name), Expr::Number(0));
        let jumps = self.plain_jumps();
        let mut body = self.body(Frame { bound: Some(trips as u64), jumps, locked: vec![index] });
        let step = Stmt::increase(Place::Variable(name), Operator::Sub, Expr::Number(1));
        body.push(step);
        Some(vec![declare, Stmt::While(Expr::binary(Operator::And, fuel, condition), body)])
    }

    /// `while (l < h) { if (…) l = l + 1; else h = h - 1; … }`
    fn chase(&mut self) -> Option<Vec<Stmt>> {
        let most = i64::from(self.parameters.max_iterations);
        let short = |v: &Variable| {
            v.is_readable() && v.number == Number::Int && (1..=most).contains(&v.cell.range.high)
        };
        let short = self.scope.indices(short);
        let (end, range) = match self.random.pick(&short) {
            Some(index) => {
                let value = self.value_of(*index);
                (value.expr, value.range)
            }
            None => (Expr::Number(most), Range::constant(most)),
        };
        let bound = Some(range.high as u64);
        if !self.admits(bound) {
            return None;
        }
        let (low, high) = (self.name("l"), self.name("h"));
        let (declare_low, first) = self.declare(&low, Range::new(0, range.high), Expr::Number(0));
        let (declare_high, second) = self.declare(&high, range.hull(Range::constant(0)), end);
        let guard = Expr::binary(Operator::Lt, Expr::variable(&low), Expr::variable(&high));
        let jumps = self.plain_jumps();
        let mut body = self.body(Frame { bound, jumps, locked: vec![first, second] });
        let up = Stmt::increase(Place::Variable(low), Operator::Add, Expr::Number(1));
        let down = Stmt::increase(Place::Variable(high), Operator::Sub, Expr::Number(1));
        body.push(Stmt::If(self.condition(), vec![up], vec![down]));
        Some(vec![declare_low, declare_high, Stmt::While(guard, body)])
    }

    /// `while (t != … && k > 0) { t = input; …; k = k - 1; }`
    fn reading_loop(&mut self) -> Option<Vec<Stmt>> {
        let times = u32::try_from(self.times?).ok()?;
        let trips = (self.inputs_left / times.max(1)).min(self.parameters.max_iterations);
        let bound = Some(u64::from(trips));
        if trips == 0 || !self.admits(bound) {
            return None;
        }
        self.inputs_left -= trips * times;
        let (last, fuel) = (self.name("n"), self.name("k"));
        let cell = self.input_cell(Number::Int);
        let first = cell.assignable.low.max(-1);
        let of = Type::Number(Number::Int);
        let declare_last = Stmt::Declare(last.clone(), of, Some(Expr::Number(first)));
        self.scope.numbers.push(Variable::plain(last.clone(), Number::Int, cell.clone()));
        let stop = self.random.between(cell.assignable.low.max(-1), cell.assignable.high.min(3));
        let trips = i64::from(trips);
        let (declare_fuel, index) = self.declare(&fuel, Range::new(0, trips), Expr::Number(trips));
        let goes_on = match stop == first {
            true => Expr::binary(Operator::Le, Expr::variable(&last), Expr::Number(stop)),
            false => Expr::binary(Operator::Ne, Expr::variable(&last), Expr::Number(stop)),
        };
        let fueled = Expr::binary(Operator::Gt, Expr::variable(&fuel), Expr::Number(0));
        let read = Stmt::Assign(Place::Variable(last.clone()), Expr::Input(Number::Int));
        let mut whole = vec![read];
        whole.extend(self.restriction(&last, Number::Int));
        let jumps = self.plain_jumps();
        whole.extend(self.body(Frame { bound, jumps, locked: vec![index] }));
        whole.push(Stmt::increase(Place::Variable(fuel), Operator::Sub, Expr::Number(1)));
        let guard = Expr::binary(Operator::And, goes_on, fueled);
        Some(vec![declare_last, declare_fuel, Stmt::While(guard, whole)])
    }

    /// `while (here != null) { …; here = (*here).next; }`: lists have no cycles, and no more nodes than all
    /// statements together can have put there.
    fn list_walk(&mut self) -> Option<Vec<Stmt>> {
        let list = self.random.pick(&self.scope.lists)?.clone();
        let bound = Some(u64::from(self.parameters.max_iterations));
        if !self.admits(bound) {
            return None;
        }
        let here = self.name("here");
        let start = Expr::variable(&list.name);
        let declare = Stmt::Declare(here.clone(), Type::List, Some(start));
        let value = Place::Through(here.clone(), "value");
        let mut whole = vec![match self.random.below(2) {
            0 => Stmt::Output(Expr::Read(value), Number::Int),
            _ => {
                let sum = self.scope.indices(|v| {
                    v.is_writable() && v.is_readable() && v.cell.assignable.contains(Range::INT)
                });
                match self.random.pick(&sum) {
                    Some(index) if !self.is_c() => {
                        let place = Place::Variable(self.scope.numbers[*index].name.clone());
                        Stmt::increase(place, Operator::Add, Expr::Read(value))
                    }
                    _ => Stmt::Assign(value, self.value_for(&list.cell)),
                }
            }
        }];
        let jumps = self.plain_jumps();
        whole.extend(self.body(Frame { bound, jumps, locked: Vec::new() }));
        let next = Expr::Read(Place::Through(here.clone(), "next"));
        whole.push(Stmt::Assign(Place::Variable(here.clone()), next));
        let guard = Expr::binary(Operator::Ne, Expr::variable(&here), Expr::Null);
        Some(vec![declare, Stmt::While(guard, whole)])
    }

    /// `while (s < 7) { if (…) s = s + 1; else s = s + 3; … }`
    fn two_speeds(&mut self) -> Option<Vec<Stmt>> {
        let trips = self.trips();
        let (slow, fast) = (self.random.between(1, 2), self.random.between(1, 4));
        let start = self.random.between(-1, 2);
        let end = start + trips * slow.min(fast);
        if !self.admits(Some(trips as u64)) {
            return None;
        }
        let name = self.name("s");
        let range = Range::new(start, end - 1 + slow.max(fast));
        let (declare, index) = self.declare(&name, range, Expr::Number(start));
        let guard = Expr::binary(Operator::Lt, Expr::variable(&name), Expr::Number(end));
        let place = Place::Variable(name);
        let step = |by| Stmt::increase(place.clone(), Operator::Add, Expr::Number(by));
        // `continue` is fine: the steps come first. Then the variable is as large as after the loop.
        let mut whole = vec![Stmt::If(self.condition(), vec![step(slow)], vec![step(fast)])];
        let jumps = if self.is_c() { Jumps::BreakAndContinue } else { Jumps::None };
        let bound = Some(trips as u64);
        whole.extend(self.body(Frame { bound, jumps, locked: vec![index] }));
        Some(vec![declare, Stmt::While(guard, whole)])
    }

    /// C: `do { …; d = d + 1; } while (d < … && …);`
    fn do_while(&mut self) -> Option<Vec<Stmt>> {
        let trips = self.trips();
        if !self.is_c() || !self.admits(Some(trips as u64)) {
            return None;
        }
        let name = self.name("d");
        let range = Range::new(0, trips);
        let (declare, index) = self.declare(&name, range, Expr::Number(0));
        let bound = Some(trips as u64);
        let mut body = self.body(Frame { bound, jumps: Jumps::Break, locked: vec![index] });
        let condition = self.comparison(1);
        body.push(Stmt::increase(Place::Variable(name.clone()), Operator::Add, Expr::Number(1)));
        let more = Expr::binary(Operator::Lt, Expr::variable(&name), Expr::Number(trips));
        let guard = Expr::binary(Operator::And, more, condition);
        Some(vec![declare, Stmt::DoWhile(body, guard)])
    }
}
