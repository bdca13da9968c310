//! What can be named at a place of the program, and what is known about its value.

use super::range::Range;
use crate::tree::Number;

/// No bound on what increments add.
const UNLIMITED: i64 = i64::MAX;

/// Something that holds a number.
///
/// Its value is always one that was assigned (in `assignable`) and what increments have added since. All
/// increments of the program together add at most what `slack` was at the start, so reading it gives a number in
/// `range`, whatever the order of the statements.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// What reading it gives.
    pub(super) range: Range,
    /// What may be assigned.
    pub(super) assignable: Range,
    /// How much increments may still add.
    slack: i64,
    /// How much they add so far, per call of the function.
    pub(super) spent: i64,
}

impl Cell {
    fn new(assignable: Range, slack: i64) -> Self {
        Cell { range: assignable.widened(slack), assignable, slack, spent: 0 }
    }

    /// Any number.
    pub(super) fn unbounded() -> Self {
        Cell::new(Range::ANY, UNLIMITED)
    }

    /// A number of C's `int`; sums and products of those of one rank fit into the next.
    pub(super) fn ranked(rank: usize) -> Self {
        let (size, slack) = match rank {
            0 => (50, 450),
            1 => (5_000, 45_000),
            _ => (500_000, 4_500_000),
        };
        Cell::new(Range::around_zero(size), slack)
    }

    /// Takes any number and wraps it around.
    pub(super) fn wrapping(range: Range) -> Self {
        Cell { range, assignable: Range::ANY, slack: UNLIMITED, spent: 0 }
    }

    /// Takes numbers of a range only.
    pub(super) fn exactly(range: Range) -> Self {
        Cell::new(range, 0)
    }

    /// With more values that it can have, by other means than assignments and increments.
    pub(super) fn with_room(self, more: Range) -> Self {
        Cell { range: self.range.hull(more), ..self }
    }

    /// What a pointer parameter points to: any variable of the first two ranks.
    pub(super) fn parameter() -> Self {
        let (small, large) = (Cell::ranked(0), Cell::ranked(1));
        Cell { range: large.range, ..small }
    }

    /// Whether it can hold what `other`, a parameter, reads and writes.
    pub(super) fn can_be(&self, other: &Cell) -> bool {
        other.range.contains(self.range) && self.assignable.contains(other.assignable)
    }

    /// Whether increments may add so much in all; if so, they do.
    pub(super) fn charge(&mut self, amount: i64, times: Option<u64>) -> bool {
        if self.slack == UNLIMITED || amount == 0 {
            return true;
        }
        let times = times.and_then(|times| i64::try_from(times).ok());
        let Some(total) = times.and_then(|times| amount.checked_mul(times)) else { return false };
        if total > self.slack {
            return false;
        }
        self.slack -= total;
        self.spent += total;
        true
    }
}

/// A variable that holds a number.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) number: Number,
    pub(super) cell: Cell,
    /// It may have no value yet.
    pub(super) unset: bool,
    /// It has no name: a pointer parameter points to it.
    pub(super) hidden: bool,
    /// It decides how often a loop iterates, and only that loop changes it.
    pub(super) locked: bool,
}

impl Variable {
    pub(super) fn plain(name: String, number: Number, cell: Cell) -> Self {
        Variable { name, number, cell, unset: false, hidden: false, locked: false }
    }

    /// Whether it can be read without care.
    pub(super) fn is_readable(&self) -> bool {
        !self.unset && !self.hidden
    }

    pub(super) fn is_writable(&self) -> bool {
        !self.locked && !self.hidden
    }
}

/// An array of numbers.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    /// What each element holds.
    pub(super) cell: Cell,
    pub(super) length: usize,
}

/// A record of numbers.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) name: String,
    /// What each field holds.
    pub(super) cell: Cell,
}

/// A pointer to a number.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) name: String,
    /// The variables that it ever points to.
    pub(super) targets: Vec<usize>,
    pub(super) nullable: bool,
}

/// A list, which may always be empty, or a place in it.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) name: String,
    /// What each node holds.
    pub(super) cell: Cell,
    /// How many nodes may still be put before it, in all of the run.
    pub(super) room: u32,
}

/// What can be named here. Blocks only ever add to it, and what they added is removed at their end.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) numbers: Vec<Variable>,
    pub(super) arrays: Vec<Array>,
    pub(super) records: Vec<Record>,
    pub(super) pointers: Vec<Pointer>,
    pub(super) lists: Vec<List>,
}

impl Scope {
    /// The variables of this kind.
    pub(super) fn indices(&self, is: impl Fn(&Variable) -> bool) -> Vec<usize> {
        (0..self.numbers.len()).filter(|index| is(&self.numbers[*index])).collect()
    }

    /// Where the variables of a block begin. Only numbers are declared in blocks.
    pub(super) fn mark(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn leave(&mut self, mark: usize) {
        self.numbers.truncate(mark);
    }

    /// What a pointer may point to.
    pub(super) fn target_range(&self, pointer: &Pointer) -> Option<Range> {
        let ranges = pointer.targets.iter().map(|target| self.numbers[*target].cell.range);
        ranges.reduce(Range::hull)
    }

    /// Whether no target of a pointer decides about a loop.
    pub(super) fn can_write_through(&self, pointer: &Pointer) -> bool {
        pointer.targets.iter().all(|target| !self.numbers[*target].locked)
    }
}
