//! Statements about arrays, records, pointers and lists.

use super::Grower;
use super::scope::Pointer;
use crate::parameters::ErrorKind;
use crate::tree::{Expr, FIELDS, Number, Operator, Place, Stmt};

impl Grower<'_> {
    pub(super) fn array_statement(&mut self) -> Option<Vec<Stmt>> {
        let which = self.random.below(self.scope.arrays.len());
        let array = self.scope.arrays.get(which)?;
        let (name, length) = (array.name.clone(), array.length);
        match self.random.below(8) {
            0 if !self.is_c() && self.depth_left == self.parameters.max_block_depth => {
                return self.shorter_array(which);
            }
            1 | 2 if self.can_nest() => return self.guarded_element(which),
            _ => {}
        }
        let place = self.element_of(name, length);
        let cell = self.scope.arrays[which].cell.clone();
        // What fails stands in the program once.
        if !place.is_planted()
            && self.random.one_in(3)
            && let Some(amount) = self.amount(|grower, size| {
                let times = grower.times;
                grower.scope.arrays[which].cell.charge(size, times)
            })
        {
            return Some(vec![Stmt::increase(place, Operator::Add, amount)]);
        }
        Some(vec![Stmt::Assign(place, self.value_for(&cell))])
    }

    /// microc: the array becomes another one, perhaps a shorter one, as in listing 6.1 of the thesis; somebody may still
    /// believe that it has its old length.
    fn shorter_array(&mut self, which: usize) -> Option<Vec<Stmt>> {
        let (name, length) =
            (self.scope.arrays[which].name.clone(), self.scope.arrays[which].length);
        let cell = self.scope.arrays[which].cell.clone();
        let forgets = length > 2 && self.dares(ErrorKind::Bounds);
        let new_length = if forgets { length - 1 } else { length };
        let elements = (0..new_length).map(|_| self.value_for(&cell)).collect();
        let mut made = vec![Stmt::Assign(Place::Variable(name.clone()), Expr::Array(elements))];
        self.scope.arrays[which].length = new_length;
        if forgets {
            let last = Box::new(Expr::Number(new_length as i64));
            let behind = Place::Element(name, last).planted(ErrorKind::Bounds);
            made.push(Stmt::Output(Expr::Read(behind), Number::Int));
        }
        Some(made)
    }

    /// `if (0 <= i && i < length) a[i] = …`
    fn guarded_element(&mut self, which: usize) -> Option<Vec<Stmt>> {
        let readable = self.scope.indices(|v| v.is_readable() && v.number == Number::Int);
        let index = *self.random.pick(&readable)?;
        let index = self.value_of(index).expr;
        let (name, length) =
            (self.scope.arrays[which].name.clone(), self.scope.arrays[which].length);
        let from = Expr::binary(Operator::Ge, index.clone(), Expr::Number(0));
        let to = Expr::binary(Operator::Lt, index.clone(), Expr::Number(length as i64));
        let cell = self.scope.arrays[which].cell.clone();
        let value = self.value_for(&cell);
        let store = Stmt::Assign(Place::Element(name, Box::new(index)), value);
        let otherwise = if self.random.one_in(2) { self.block() } else { Vec::new() };
        Some(vec![Stmt::If(Expr::binary(Operator::And, from, to), vec![store], otherwise)])
    }

    pub(super) fn record_statement(&mut self) -> Option<Vec<Stmt>> {
        let which = self.random.below(self.scope.records.len());
        let name = self.scope.records.get(which)?.name.clone();
        let place = Place::Field(name, FIELDS[self.random.below(FIELDS.len())]);
        let cell = self.scope.records[which].cell.clone();
        if self.random.one_in(3)
            && let Some(amount) = self.amount(|grower, size| {
                let times = grower.times;
                grower.scope.records[which].cell.charge(size, times)
            })
        {
            return Some(vec![Stmt::increase(place, Operator::Sub, amount)]);
        }
        Some(vec![Stmt::Assign(place, self.value_for(&cell))])
    }

    /// Lets a pointer point elsewhere, or writes where it points.
    pub(super) fn pointer_statement(&mut self) -> Option<Vec<Stmt>> {
        let pointer = self.random.pick(&self.scope.pointers)?.clone();
        if self.random.one_in(3) {
            return self.point_elsewhere(&pointer);
        }
        if !self.scope.can_write_through(&pointer) {
            return None;
        }
        if pointer.nullable && self.dares(ErrorKind::Null) {
            return self.daring_write(&pointer);
        }
        let write = self.write_through(&pointer)?;
        if !pointer.nullable {
            return Some(vec![write]);
        }
        if !self.can_nest() {
            return None;
        }
        let there = Expr::binary(Operator::Ne, Expr::variable(&pointer.name), Expr::Null);
        let otherwise = if self.random.one_in(2) { self.block() } else { Vec::new() };
        Some(vec![Stmt::If(there, vec![write], otherwise)])
    }

    fn point_elsewhere(&mut self, pointer: &Pointer) -> Option<Vec<Stmt>> {
        let place = Place::Variable(pointer.name.clone());
        if pointer.nullable && self.random.one_in(3) {
            return Some(vec![Stmt::Assign(place, Expr::Null)]);
        }
        let target = *self.random.pick(&pointer.targets)?;
        let target = &self.scope.numbers[target];
        // What a parameter points to has no name here.
        let address = (!target.hidden).then(|| Expr::AddressOf(target.name.clone()))?;
        Some(vec![Stmt::Assign(place, address)])
    }

    fn write_through(&mut self, pointer: &Pointer) -> Option<Stmt> {
        let place = Place::Target(pointer.name.clone());
        if self.random.one_in(3) {
            let charge_all = |grower: &mut Self, size: i64| {
                let times = grower.times;
                let numbers = &mut grower.scope.numbers;
                // Each of them may be the one every time.
                pointer.targets.iter().all(|target| numbers[*target].cell.charge(size, times))
            };
            let amount = self.amount(charge_all)?;
            return Some(Stmt::increase(place, Operator::Add, amount));
        }
        Some(Stmt::Assign(place, self.value_through(pointer)?))
    }

    /// Writes where a pointer points, if it does.
    fn daring_write(&mut self, pointer: &Pointer) -> Option<Vec<Stmt>> {
        let value = self.value_through(pointer)?;
        let place = Place::Target(pointer.name.clone()).planted(ErrorKind::Null);
        Some(vec![Stmt::Assign(place, value)])
    }

    /// A number that may be written wherever a pointer points.
    fn value_through(&mut self, pointer: &Pointer) -> Option<Expr> {
        // What fits into all of them fits into the smallest.
        let cells = pointer.targets.iter().map(|target| &self.scope.numbers[*target].cell);
        let cell = cells.min_by_key(|cell| cell.assignable.size())?;
        let all = pointer.targets.iter().map(|target| &self.scope.numbers[*target].cell);
        if !all.into_iter().all(|other| other.assignable.contains(cell.assignable)) {
            return None;
        }
        let cell = cell.clone();
        Some(self.value_for(&cell))
    }

    pub(super) fn list_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.random.one_in(2) { self.push() } else { self.first_node() }
    }

    /// Puts a node before a list.
    pub(super) fn push(&mut self) -> Option<Vec<Stmt>> {
        let which = self.random.below(self.scope.lists.len());
        let list = self.scope.lists.get(which)?.clone();
        let times = u32::try_from(self.times?).ok()?;
        let room = list.room.checked_sub(times)?;
        let value = self.value_for(&list.cell);
        self.scope.lists[which].room = room;
        let rest = Expr::variable(&list.name);
        let node = Expr::Node(Box::new(value), Box::new(rest));
        Some(vec![Stmt::Assign(Place::Variable(list.name), node)])
    }

    /// Looks at, changes or drops the first node of a list.
    fn first_node(&mut self) -> Option<Vec<Stmt>> {
        let list = self.random.pick(&self.scope.lists)?.clone();
        let dares = self.dares(ErrorKind::Null);
        let part = |field| {
            let place = Place::Through(list.name.clone(), field);
            if dares { place.planted(ErrorKind::Null) } else { place }
        };
        let body = match self.random.below(3) {
            0 => Stmt::Output(Expr::Read(part("value")), Number::Int),
            1 => Stmt::Assign(part("value"), self.value_for(&list.cell)),
            _ => Stmt::Assign(Place::Variable(list.name.clone()), Expr::Read(part("next"))),
        };
        if dares {
            return Some(vec![body]);
        }
        if !self.can_nest() {
            return None;
        }
        let there = Expr::binary(Operator::Ne, Expr::variable(&list.name), Expr::Null);
        let otherwise = if self.random.one_in(2) { self.block() } else { Vec::new() };
        Some(vec![Stmt::If(there, vec![body], otherwise)])
    }
}
