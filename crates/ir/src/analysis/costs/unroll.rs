//! The recursion of section 4.3.1 of the thesis, with at most κ iterations of every loop.
//!
//! Its calls are *states*: a block, and how often the header of each loop around may still be come to. States are
//! numbered and evaluated in an order in which what follows is known, each once, so neither the number of paths nor
//! the length of one matters. They are many only where loops nest deeply and κ is large; then the innermost
//! loops are gone through once, which still gives numbers with a factor for each loop around.
//!
//! A loop that tests first is come to κ + 1 times, the last time only to be left; one that tests at the end, or in the
//! middle, κ times. A cycle with several entries is no loop, and is not repeated.

use super::step::Var;
use super::walk::{Fact, Scratch, Walk, Wanted};
use super::weights::Sum;
use super::{Points, Prepared, Stop, Stopped};
use crate::analysis::dominators::Dominators;
use crate::analysis::graph::{Edge, FlowGraph};
use crate::analysis::loops::{LoopForest, LoopId};
use crate::program::BlockId;
use std::collections::HashMap;

/// So many states may a block have.
const MOST_OF_A_BLOCK: u64 = 4_096;

/// So many may a function have.
const MOST: u64 = 2_000_000;

/// How a loop is gone through.
#[derive(Clone, Copy)]
struct Limit {
    /// How often its header is come to.
    visits: u32,
    /// Whether the last visit is for leaving only.
    tests_first: bool,
}

/// How often the headers of the loops around may still be come to, this time included: the innermost, and another
/// context for the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context {
    innermost: LoopId,
    left: u32,
    outer: Option<u32>,
}

type State = (BlockId, Option<u32>);

/// The states of a function.
struct Unrolled<'a> {
    graph: &'a FlowGraph,
    forest: LoopForest,
    limits: Vec<Limit>,
    contexts: Vec<Context>,
    context_numbers: HashMap<Context, u32>,
    states: Vec<State>,
    state_numbers: HashMap<State, u32>,
    /// Which states follow, as ranges of `targets`; set when a state is looked at.
    following: Vec<std::ops::Range<usize>>,
    targets: Vec<u32>,
    /// The states, each behind those that follow it.
    order: Vec<u32>,
}

/// What is known at the points of each block, in the first iteration of all loops around it.
pub(super) fn points(
    prepared: &Prepared,
    kappa: u32,
    walk: &mut Walk<'_, Sum>,
    scratch: &mut Scratch<u64>,
    stop: &mut Stop<'_>,
) -> Result<Vec<Points>, Stopped> {
    let mut unrolled = Unrolled::new(&prepared.graph, kappa);
    let mut first = Vec::new();
    for block in prepared.graph.reverse_post_order() {
        first.push(unrolled.explore(*block, stop)?);
    }
    let mut is_first = vec![false; unrolled.states.len()];
    for state in first {
        is_first[state as usize] = true;
    }
    unrolled.evaluate(prepared, &is_first, walk, scratch, stop)
}

impl<'a> Unrolled<'a> {
    fn new(graph: &'a FlowGraph, kappa: u32) -> Self {
        let forest = LoopForest::new(graph, &Dominators::new(graph));
        let mut most = MOST_OF_A_BLOCK;
        let limits = loop {
            let (limits, contexts) = limits(graph, &forest, kappa, most);
            let of_block = |block: &BlockId| {
                forest.innermost(*block).map_or(1, |innermost| contexts[innermost.index()])
            };
            let states: u64 = graph.reverse_post_order().iter().map(of_block).sum();
            if states <= MOST || most <= 1 {
                break limits;
            }
            most /= 2;
        };
        Unrolled {
            graph,
            forest,
            limits,
            contexts: Vec::new(),
            context_numbers: HashMap::new(),
            states: Vec::new(),
            state_numbers: HashMap::new(),
            following: Vec::new(),
            targets: Vec::new(),
            order: Vec::new(),
        }
    }

    fn context(&mut self, context: Context) -> u32 {
        let next = self.contexts.len() as u32;
        let number = *self.context_numbers.entry(context).or_insert(next);
        if number == next {
            self.contexts.push(context);
        }
        number
    }

    /// The number of a state, and whether it is new.
    fn state(&mut self, state: State) -> (u32, bool) {
        let next = self.states.len() as u32;
        let number = *self.state_numbers.entry(state).or_insert(next);
        if number == next {
            self.states.push(state);
            self.following.push(0..0);
        }
        (number, number == next)
    }

    /// Finds the state of a block in the first iteration of all loops, and all that follow.
    fn explore(&mut self, block: BlockId, stop: &mut Stop<'_>) -> Result<u32, Stopped> {
        let around: Vec<LoopId> = self.forest.around(block).collect();
        let mut context = None;
        for innermost in around.into_iter().rev() {
            let left = self.limits[innermost.index()].visits;
            context = Some(self.context(Context { innermost, left, outer: context }));
        }
        let (root, is_new) = self.state((block, context));
        if !is_new {
            return Ok(root);
        }
        self.look_at(root);
        let mut stack = vec![(root, self.following[root as usize].clone())];
        while let Some((state, open)) = stack.last_mut() {
            let Some(next) = open.next() else {
                self.order.push(*state);
                stack.pop();
                continue;
            };
            let next = self.targets[next];
            // Only those that were looked at have a range, or may have none that follow.
            if self.following[next as usize] == (0..0) {
                stop.check()?;
                self.look_at(next);
                stack.push((next, self.following[next as usize].clone()));
            }
        }
        Ok(root)
    }

    /// Finds what follows a state.
    fn look_at(&mut self, state: u32) {
        let (block, context) = self.states[state as usize];
        // Behind the first, so that no range that was set is 0..0.
        if self.targets.is_empty() {
            self.targets.push(state);
        }
        let start = self.targets.len();
        for next in self.graph.successors(block) {
            if let Some(followed) = self.follow(block, context, *next) {
                let (number, _) = self.state(followed);
                self.targets.push(number);
            }
        }
        self.following[state as usize] = start..self.targets.len();
    }

    /// The state behind an edge, if that may be taken.
    fn follow(&mut self, from: BlockId, context: Option<u32>, to: BlockId) -> Option<State> {
        let mut inside = context.map(|number| (number, self.contexts[number as usize]));
        if let Some((_, here)) = inside
            && here.left == 1
            && self.limits[here.innermost.index()].tests_first
            && self.forest.get(here.innermost).header == from
            && self.forest.contains(here.innermost, to)
        {
            return None;
        }
        while let Some((_, here)) = inside.filter(|(_, c)| !self.forest.contains(c.innermost, to)) {
            inside = here.outer.map(|number| (number, self.contexts[number as usize]));
        }
        let headed = self.forest.headed_by(to);
        if let Some((_, here)) = inside
            && headed == Some(here.innermost)
        {
            let left = here.left.checked_sub(1).filter(|left| *left > 0)?;
            return Some((to, Some(self.context(Context { left, ..here }))));
        }
        if self.graph.is_retreating(Edge { from, to }) {
            return None;
        }
        let outer = inside.map(|(number, _)| number);
        match headed {
            Some(innermost) => {
                let left = self.limits[innermost.index()].visits;
                Some((to, Some(self.context(Context { innermost, left, outer }))))
            }
            None => Some((to, outer)),
        }
    }

    /// Evaluates the states. What is known of one is forgotten when all that precede it are done.
    fn evaluate(
        &self,
        prepared: &Prepared,
        is_first: &[bool],
        walk: &mut Walk<'_, Sum>,
        scratch: &mut Scratch<u64>,
        stop: &mut Stop<'_>,
    ) -> Result<Vec<Points>, Stopped> {
        let mut pending = vec![0u32; self.states.len()];
        for next in self.order.iter().flat_map(|state| self.following(*state)) {
            pending[*next as usize] += 1;
        }
        let mut facts: Vec<Fact<u64>> = vec![Fact::default(); self.states.len()];
        let mut points = vec![Points::default(); self.graph.len()];
        scratch.fit(prepared.numbering.len());
        for state in &self.order {
            stop.check()?;
            for next in self.following(*state) {
                let next = *next as usize;
                scratch.branch(&mut walk.weights, &facts[next]);
                pending[next] -= 1;
                if pending[next] == 0 {
                    facts[next] = Fact::default();
                }
            }
            let (block, _) = self.states[*state as usize];
            let steps = &prepared.steps[block.index()];
            let fact: Box<[(Var, u64)]> = if is_first[*state as usize] {
                let known = Points::of(walk, steps, scratch);
                let start = known.start().into();
                points[block.index()] = known;
                start
            } else {
                walk.block(steps, scratch, |_| {}, Wanted::Start)
            };
            if pending[*state as usize] > 0 {
                facts[*state as usize] = fact;
            }
        }
        Ok(points)
    }

    fn following(&self, state: u32) -> &[u32] {
        &self.targets[self.following[state as usize].clone()]
    }
}

/// How each loop is gone through, so that no block has more than `most` states; and how many those in it have.
fn limits(graph: &FlowGraph, forest: &LoopForest, kappa: u32, most: u64) -> (Vec<Limit>, Vec<u64>) {
    let (mut limits, mut contexts) = (Vec::new(), Vec::<u64>::new());
    for (id, this) in forest.iter() {
        let leaves = graph.successors(this.header).iter().any(|to| !forest.contains(id, *to));
        let tests_first = leaves && !this.latches.contains(&this.header);
        let visits = kappa.saturating_add(u32::from(tests_first)).max(1);
        // Outer loops come before inner ones.
        let outer = this.parent.map_or(1, |parent| contexts[parent.index()]);
        let all = outer.saturating_mul(u64::from(visits));
        let fits = all <= most;
        limits.push(if fits {
            Limit { visits, tests_first }
        } else {
            Limit { visits: 1, tests_first: false }
        });
        contexts.push(if fits { all } else { outer });
    }
    (limits, contexts)
}
