//! Carrying weights backwards over the steps of a block.

use super::calls::{Calls, Place, Summary};
use super::step::{Effect, Numbering, Steps, Var};
use super::weights::Weights;

/// What is known at a point of a program: weights of variables, in the order of these, without neutral ones.
pub(super) type Fact<V> = Box<[(Var, V)]>;

/// Weights of all variables of a function, for being changed.
pub(super) struct Scratch<V> {
    values: Vec<V>,
    /// The variables that may have a weight, some of them twice.
    touched: Vec<Var>,
}

impl<V: Copy + PartialEq + Default> Scratch<V> {
    pub(super) fn new() -> Self {
        Scratch { values: Vec::new(), touched: Vec::new() }
    }

    /// Makes room for so many variables.
    pub(super) fn fit(&mut self, count: usize) {
        if self.values.len() < count {
            self.values.resize(count, V::default());
        }
    }

    pub(super) fn get(&self, var: Var) -> V {
        self.values.get(var as usize).copied().unwrap_or_default()
    }

    fn set(&mut self, var: Var, value: V) {
        self.fit(var as usize + 1);
        let old = std::mem::replace(&mut self.values[var as usize], value);
        if old == V::default() && value != V::default() {
            self.touched.push(var);
        }
    }

    pub(super) fn add<W: Weights<Value = V>>(&mut self, weights: &mut W, var: Var, value: V) {
        if value != V::default() {
            let sum = weights.plus(self.get(var), value);
            self.set(var, sum);
        }
    }

    /// Adds what is known where one of several ways leads.
    pub(super) fn branch<W: Weights<Value = V>>(&mut self, weights: &mut W, fact: &[(Var, V)]) {
        for (var, value) in fact {
            let joined = weights.branch(self.get(*var), *value);
            self.set(*var, joined);
        }
    }

    fn take(&mut self, var: Var) -> V {
        match self.values.get_mut(var as usize) {
            Some(value) => std::mem::take(value),
            None => V::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        for var in self.touched.drain(..) {
            self.values[var as usize] = V::default();
        }
    }

    /// What there is now. No variable is in more queries than there are.
    pub(super) fn fact<W: Weights<Value = V>>(&mut self, weights: &W, total: Var) -> Fact<V> {
        self.touched.sort_unstable();
        self.touched.dedup();
        let all = self.get(total);
        let values = self.touched.iter().map(|var| (*var, self.get(*var)));
        let values = values.filter(|(_, value)| *value != V::default());
        values
            .map(|(var, value)| {
                (var, if var == total { value } else { weights.within(value, all) })
            })
            .collect()
    }

    /// The same, and nothing is left.
    pub(super) fn take_all<W: Weights<Value = V>>(&mut self, weights: &W, total: Var) -> Fact<V> {
        let fact = self.fact(weights, total);
        self.clear();
        fact
    }
}

/// Carries weights back over a move.
pub(super) fn move_back<W: Weights>(
    weights: &mut W,
    scratch: &mut Scratch<W::Value>,
    into: &[Var],
    overwritten: Option<Var>,
    from: &[Var],
) {
    let mut moved = W::Value::default();
    for var in into {
        moved = weights.either(moved, scratch.get(*var));
    }
    if moved == W::Value::default() {
        return;
    }
    if let Some(var) = overwritten {
        scratch.take(var);
    }
    for var in from {
        // What stays where it is does not become more by that.
        if overwritten != Some(*var) && into.contains(var) {
            let value = weights.either(scratch.get(*var), moved);
            scratch.set(*var, value);
        } else {
            scratch.add(weights, *var, moved);
        }
    }
}

/// What a walk needs to know.
pub(super) struct Walk<'a, W> {
    pub(super) weights: W,
    pub(super) numbering: &'a Numbering,
    pub(super) calls: &'a Calls,
}

impl<W: Weights> Walk<'_, W> {
    /// Carries weights from the end of a block to its start; `meet` sees what is known at the end and at the
    /// starts of its segments, the last first.
    pub(super) fn block(
        &mut self,
        steps: &Steps,
        scratch: &mut Scratch<W::Value>,
        mut meet: impl FnMut(Fact<W::Value>),
        wanted: Wanted,
    ) -> Fact<W::Value> {
        let total = self.numbering.total();
        if wanted == Wanted::Points {
            let fact = scratch.fact(&self.weights, total);
            meet(fact);
        }
        for (number, segment) in steps.segments.iter().enumerate().rev() {
            self.effects(&steps.effects[segment.effects.clone()], scratch);
            for (var, count) in &segment.own {
                let value = self.weights.queries(*count);
                scratch.add(&mut self.weights, *var, value);
            }
            if wanted == Wanted::Points && number > 0 {
                let fact = scratch.fact(&self.weights, total);
                meet(fact);
            }
        }
        scratch.take_all(&self.weights, total)
    }

    /// Carries weights back over moves and calls. Queries are counted apart.
    pub(super) fn effects(&mut self, effects: &[(u32, Effect)], scratch: &mut Scratch<W::Value>) {
        for (_, effect) in effects.iter().rev() {
            match effect {
                Effect::Query { .. } => {}
                Effect::Move { into, overwritten, from } => {
                    move_back(&mut self.weights, scratch, into, *overwritten, from);
                }
                Effect::Call { callee, arguments, target } => {
                    self.call(self.calls.of(*callee), arguments, *target, scratch);
                }
            }
        }
    }

    fn call(
        &mut self,
        callee: &Summary,
        arguments: &[Option<Var>],
        target: Option<Var>,
        scratch: &mut Scratch<W::Value>,
    ) {
        if !callee.returns {
            scratch.clear();
        }
        let mut behind: Vec<(Place, W::Value)> = Vec::with_capacity(callee.written.len() + 1);
        let result = target.map_or_else(W::Value::default, |target| self.taken(target, scratch));
        behind.push((Place::Result, result));
        for place in &callee.written {
            let var = self.var(*place, arguments);
            behind.push((*place, var.map_or_else(W::Value::default, |var| scratch.take(var))));
        }
        for (input, outputs) in &callee.flows {
            let Some(var) = self.var(*input, arguments) else { continue };
            let mut sum = W::Value::default();
            for output in outputs {
                if let Ok(index) = behind.binary_search_by_key(output, |(place, _)| *place) {
                    sum = self.weights.plus(sum, behind[index].1);
                }
            }
            scratch.add(&mut self.weights, var, sum);
        }
        for (input, count) in &callee.asks {
            let value = self.weights.queries(*count);
            if let Some(var) = self.var(*input, arguments) {
                scratch.add(&mut self.weights, var, value);
            }
        }
        let value = self.weights.queries(callee.total);
        scratch.add(&mut self.weights, self.numbering.total(), value);
    }

    /// What is known of the target of a call; memory is more than that.
    fn taken(&self, target: Var, scratch: &mut Scratch<W::Value>) -> W::Value {
        if target == self.numbering.memory() { scratch.get(target) } else { scratch.take(target) }
    }

    fn var(&self, place: Place, arguments: &[Option<Var>]) -> Option<Var> {
        match place {
            Place::Result => None,
            Place::Parameter(number) => arguments.get(number as usize).copied().flatten(),
            Place::Global(global) => self.numbering.global(global),
            Place::Memory => Some(self.numbering.memory()),
        }
    }
}

/// What a walk over a block is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// What is known at its start.
    Start,
    /// What is known at points in it, too.
    Points,
}
