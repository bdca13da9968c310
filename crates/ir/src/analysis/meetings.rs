//! Where ways that a branch has parted come together again, and what they have written by then.
//!
//! The place is the immediate post-dominator of the branch: whatever side was taken, and whatever was decided behind
//! it, comes there, unless it ends before. What has been written between the two is what states that meet there may
//! differ in; how many queries there will be about that is a matter of [`costs`](super::costs).

use super::costs::Variable;
use super::dominators::PostDominators;
use super::graph::FlowGraph;
use super::uses::Effects;
use crate::program::{BlockId, Function, Program};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// The sides of a branch meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The block that several edges leave.
    pub branch: BlockId,
    /// Where they meet.
    pub at: BlockId,
    /// What is written on the way, on some side.
    pub written: BTreeSet<Variable>,
}

/// Where the sides of each branch of a function meet, in the order of the branches. A branch of which some side never
/// comes to an end of the function, or whose sides meet only there, has no such place.
pub fn meetings(program: &Program, function: &Function) -> Vec<Meeting> {
    let graph = FlowGraph::new(function);
    let behind = PostDominators::new(&graph);
    let blocks = (0..graph.len() as u32).map(BlockId).filter(|block| graph.is_reachable(*block));
    let meeting = |branch: BlockId| {
        let mut sides = graph.successors(branch).iter();
        let first = sides.next()?;
        if sides.all(|side| side == first) {
            return None;
        }
        let at = behind.immediate(branch)?;
        let between = between(&graph, branch, at);
        let effects = Effects::of_blocks(program, function, &between);
        Some(Meeting { branch, at, written: written(&effects) })
    };
    blocks.filter_map(meeting).collect()
}

/// The blocks that can be come to from the sides of a branch before they meet; in a loop, the branch may be one of them.
fn between(graph: &FlowGraph, branch: BlockId, at: BlockId) -> Vec<BlockId> {
    let mut found = FixedBitSet::with_capacity(graph.len());
    let mut open = graph.successors(branch).to_vec();
    while let Some(block) = open.pop() {
        if block != at && !found.put(block.index()) {
            open.extend(graph.successors(block));
        }
    }
    found.ones().map(|block| BlockId(block as u32)).collect()
}

/// What may be another value behind such effects. Functions that are called may write memory.
fn written(effects: &Effects) -> BTreeSet<Variable> {
    let locals = effects.writes.iter().map(|local| Variable::Local(*local));
    let globals = effects.writes_globals.iter().map(|global| Variable::Global(*global));
    let has_memory = effects.writes_memory || effects.allocates || effects.calls;
    locals.chain(globals).chain(has_memory.then_some(Variable::Memory)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::program;
    use crate::program::{GlobalId, LocalId};

    fn of(text: &str) -> Vec<(u32, u32, Vec<Variable>)> {
        let program = program(text);
        let found = meetings(&program, &program.functions[0]).into_iter();
        found.map(|m| (m.branch.0, m.at.0, m.written.into_iter().collect())).collect()
    }

    #[test]
    fn sides_meet_with_what_they_have_written() {
        let text = "entry @main
            global g%0: i32
            fn @main(x%0: i32, y%1: i32) {
            let %2: bool
            b0:
            %2 = lt x%0, y%1
            branch %2, b1, b4
            b1:
            branch %2, b2, b3
            b2:
            x%0 = add x%0, 1i32
            goto b5
            b3:
            store global g%0, x%0
            goto b5
            b4:
            y%1 = x%0
            goto b5
            b5:
            return
            }";
        let [x, y] = [0, 1].map(|number| Variable::Local(LocalId(number)));
        let g = Variable::Global(GlobalId(0));
        assert_eq!(of(text), [(0, 5, vec![x, y, g]), (1, 5, vec![x, g])]);
    }

    #[test]
    fn who_leaves_a_loop_meets_those_who_left_it_before() {
        let text = "entry @main
            fn @main(x%0: i32, y%1: i32) {
            let %2: bool
            b0:
            goto b1
            b1:
            %2 = lt x%0, y%1
            branch %2, b2, b3
            b2:
            x%0 = add x%0, 1i32
            goto b1
            b3:
            return
            }";
        let written = [0, 2].map(|number| Variable::Local(LocalId(number)));
        assert_eq!(of(text), [(1, 3, written.to_vec())]);
    }

    #[test]
    fn sides_that_return_do_not_meet() {
        let text = "entry @main
            fn @main(x%0: i32, y%1: i32) {
            let %2: bool
            b0:
            %2 = lt x%0, y%1
            branch %2, b1, b2
            b1:
            return
            b2:
            return
            }";
        assert_eq!(of(text), []);
    }
}
