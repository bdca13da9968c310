//! How variables compare with each other: what a branch has said of two of them, as long as it is so.

use super::value::Object;
use crate::program::{CompareOp, LocalId};
use loupe_integer::Integer;
use std::collections::BTreeMap;

/// What holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    Register(LocalId),
    /// An object that exists once.
    Cell(Object),
}

/// Which of less, equal and greater are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order(u8);

impl Order {
    const LESS: Order = Order(1);
    const EQUAL: Order = Order(2);
    const GREATER: Order = Order(4);
    const ANY: Order = Order(7);

    pub(super) fn of(op: CompareOp) -> Self {
        match op {
            CompareOp::Lt => Order::LESS,
            CompareOp::Le => Order::LESS.or(Order::EQUAL),
            CompareOp::Eq => Order::EQUAL,
            CompareOp::Ne => Order::LESS.or(Order::GREATER),
            CompareOp::Ge => Order::EQUAL.or(Order::GREATER),
            CompareOp::Gt => Order::GREATER,
        }
    }

    fn or(self, other: Order) -> Order {
        Order(self.0 | other.0)
    }

    fn and(self, other: Order) -> Order {
        Order(self.0 & other.0)
    }

    fn has(self, other: Order) -> bool {
        self.and(other) == other
    }

    /// Whether two numbers may compare so.
    pub(super) fn allows(self, op: CompareOp) -> bool {
        self.and(Order::of(op)).is_possible()
    }

    pub(super) fn is_possible(self) -> bool {
        self.0 != 0
    }

    /// The other way round.
    fn mirrored(self) -> Order {
        let turned = |from: Order, to: Order| if self.has(from) { to } else { Order(0) };
        turned(Order::LESS, Order::GREATER)
            .or(turned(Order::GREATER, Order::LESS))
            .or(self.and(Order::EQUAL))
    }

    /// When the first of both numbers has become greater by so much.
    fn moved(self, by: &Integer) -> Order {
        if by.is_zero() {
            return self;
        }
        if by.is_negative() {
            return self.mirrored().moved(&by.neg()).mirrored();
        }
        let mut moved = Order(0);
        if self.has(Order::LESS) {
            let nearer =
                if *by == Integer::ONE { Order::LESS.or(Order::EQUAL) } else { Order::ANY };
            moved = moved.or(nearer);
        }
        if self.has(Order::EQUAL) || self.has(Order::GREATER) {
            moved = moved.or(Order::GREATER);
        }
        moved
    }
}

/// How variables compare; of two that are not there, nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// The smaller variable comes first.
    orders: BTreeMap<(Variable, Variable), Order>,
}

impl Facts {
    pub(super) fn order(&self, one: Variable, other: Variable) -> Order {
        let known = |key| self.orders.get(&key).copied().unwrap_or(Order::ANY);
        match one.cmp(&other) {
            std::cmp::Ordering::Less => known((one, other)),
            std::cmp::Ordering::Equal => Order::EQUAL,
            std::cmp::Ordering::Greater => known((other, one)).mirrored(),
        }
    }

    /// Notes how two variables compare; says what is possible then, with what was known.
    pub(super) fn learn(&mut self, one: Variable, other: Variable, order: Order) -> Order {
        let order = self.order(one, other).and(order);
        self.set(one, other, order);
        order
    }

    fn set(&mut self, one: Variable, other: Variable, order: Order) {
        let (key, order) = match one < other {
            true => ((one, other), order),
            false => ((other, one), order.mirrored()),
        };
        if one == other {
            return;
        }
        match order {
            Order::ANY => drop(self.orders.remove(&key)),
            _ => drop(self.orders.insert(key, order)),
        }
    }

    /// A variable has another value, of which nothing is known.
    pub(super) fn forget(&mut self, variable: Variable) {
        self.retain(|one| one != variable);
    }

    /// Keeps what is said of some variables only.
    pub(super) fn retain(&mut self, keeps: impl Fn(Variable) -> bool) {
        self.orders.retain(|(one, other), _| keeps(*one) && keeps(*other));
    }

    /// A variable has the value of a variable, perhaps of itself, and so much more.
    pub(super) fn assign(&mut self, target: Variable, source: Variable, more: &Integer) {
        let known = self.orders.iter().filter_map(|((one, other), order)| {
            match (*one == source, *other == source) {
                (true, _) => Some((*other, *order)),
                (_, true) => Some((*one, order.mirrored())),
                _ => None,
            }
        });
        let known: Vec<(Variable, Order)> = known.collect();
        self.forget(target);
        for (other, order) in known {
            if other != target {
                self.set(target, other, order.moved(more));
            }
        }
        if target != source {
            self.set(target, source, Order::EQUAL.moved(more));
        }
    }

    /// What is known either way.
    pub(super) fn merged(&self, other: &Facts) -> Facts {
        let both = self.orders.iter().filter_map(|(key, order)| {
            let joined = order.or(*other.orders.get(key)?);
            (joined != Order::ANY).then_some((*key, joined))
        });
        Facts { orders: both.collect() }
    }

    /// Whether the other says at least as much.
    pub(super) fn contains(&self, other: &Facts) -> bool {
        self.orders
            .iter()
            .all(|(key, order)| other.orders.get(key).is_some_and(|narrower| order.has(*narrower)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against numbers: whatever holds of three variables still holds of them after the same has happened to them.
    #[test]
    fn facts_hold_of_numbers() {
        let variables = [0, 1, 2].map(|number| Variable::Register(LocalId(number)));
        let order = |one: i64, other: i64| match one.cmp(&other) {
            std::cmp::Ordering::Less => Order::LESS,
            std::cmp::Ordering::Equal => Order::EQUAL,
            std::cmp::Ordering::Greater => Order::GREATER,
        };
        for start in 0..27_i64 {
            let before = [start % 3, start / 3 % 3, start / 9];
            for (target, source) in [(0, 0), (0, 1), (1, 0), (2, 0), (2, 2)] {
                for more in -3..=3 {
                    let mut facts = Facts::default();
                    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                        let order = order(before[one], before[other]);
                        facts.learn(variables[one], variables[other], order);
                    }
                    facts.assign(variables[target], variables[source], &Integer::from(more));
                    let mut after = before;
                    after[target] = before[source] + more;
                    for (one, other) in [(0, 1), (0, 2), (1, 2), (2, 1)] {
                        let known = facts.order(variables[one], variables[other]);
                        let is = order(after[one], after[other]);
                        assert!(known.has(is), "{before:?} to {after:?}: {known:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_said_on_one_way_only_is_gone() {
        let [a, b] = [0, 1].map(|number| Variable::Register(LocalId(number)));
        let (mut one, mut other) = (Facts::default(), Facts::default());
        assert!(one.learn(a, b, Order::of(CompareOp::Lt)).is_possible());
        assert!(!one.clone().learn(b, a, Order::of(CompareOp::Le)).is_possible());
        assert_eq!(one.merged(&other), Facts::default());
        other.learn(b, a, Order::of(CompareOp::Eq));
        let both = one.merged(&other);
        assert_eq!(both.order(a, b), Order::of(CompareOp::Le));
        assert!(both.contains(&one) && both.contains(&other) && !one.contains(&both));
    }
}
