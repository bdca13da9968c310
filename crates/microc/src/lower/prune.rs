//! Removing checks that cannot fail.

use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::initialised::definitely_initialised;
use loupe_ir::program::Function;
use std::collections::HashSet;

/// Removes the checks for initialisation of variables that have a value on every path.
pub(super) fn drop_proven_checks(function: &mut Function) {
    let graph = FlowGraph::new(function);
    let redundant = definitely_initialised(function, &graph).redundant_checks();
    let redundant: HashSet<_> =
        redundant.into_iter().map(|at| (at.block.index(), at.index as usize)).collect();
    for (number, block) in function.blocks.iter_mut().enumerate() {
        let mut index = 0;
        block.instructions.retain(|_| {
            let keep = !redundant.contains(&(number, index));
            index += 1;
            keep
        });
    }
}
