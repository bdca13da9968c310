//! What a call asks, and where it carries what it is given.
//!
//! A function is summed up by how many queries it makes about each parameter, global variable and memory, and by which
//! of these get into its result, into global variables and into memory. Functions come after those that they call.
//! Where they call each other, the second is a fixed point, and the first depends on the method: at most κ
//! calls below the outermost one, or a fixed point under the limit.
//!
//! A call is one way, however many paths there are through the function: states that come out of it at the same place
//! are those that the caller may merge.

use super::solve::{self, Task};
use super::step::{Effect, Numbering, Var};
use super::walk::{Scratch, Walk};
use super::weights::{Reach, SetId, Weights};
use super::{Prepared, Stop, Stopped};
use crate::analysis::slice::taken_functions;
use crate::program::{BlockId, Function, FunctionId, GlobalId, Program, TerminatorKind};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// What a function is given and leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Its result; it comes first.
    Result,
    /// A parameter, by number.
    Parameter(u32),
    /// A global variable without an address.
    Global(GlobalId),
    /// What pointers lead to.
    Memory,
}

/// What is known of calls of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Whether it may return.
    pub(super) returns: bool,
    /// What it may write, without its result, in order.
    pub(super) written: Vec<Place>,
    /// What it is given, and where that may get.
    pub(super) flows: Vec<(Place, Vec<Place>)>,
    /// How many queries it makes about what it is given.
    pub(super) asks: Vec<(Place, u64)>,
    /// How many it makes in all.
    pub(super) total: u64,
}

/// The summaries of all functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// The last is for calls through pointers, of any function whose address is taken.
    summaries: Vec<Summary>,
}

impl Calls {
    pub(super) fn of(&self, callee: Option<u32>) -> &Summary {
        let index = callee.map_or(self.summaries.len() - 1, |id| id as usize);
        &self.summaries[index]
    }

    /// Replaces what is known of the queries of a function; says whether that is something new.
    pub(super) fn set_asks(&mut self, index: usize, asks: Vec<(Place, u64)>, total: u64) -> bool {
        let summary = &mut self.summaries[index];
        let changed = summary.asks != asks || summary.total != total;
        (summary.asks, summary.total) = (asks, total);
        changed
    }
}

/// Who calls whom.
pub(super) struct CallGraph {
    /// Functions that call each other, after those that they call. The number behind the last function stands
    /// for calls through pointers.
    pub(super) components: Vec<Component>,
    /// The functions whose address is taken.
    pub(super) taken: Vec<FunctionId>,
    called: BTreeSet<usize>,
}

/// Functions that call each other, in order.
pub(super) struct Component {
    pub(super) members: Vec<usize>,
    pub(super) is_recursive: bool,
}

impl CallGraph {
    pub(super) fn new(program: &Program, prepared: &[Prepared]) -> Self {
        let taken: Vec<FunctionId> = taken_functions(program).into_iter().collect();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..=prepared.len() {
            graph.add_node(());
        }
        let pointers = NodeIndex::new(prepared.len());
        for id in &taken {
            graph.add_edge(pointers, NodeIndex::new(id.index()), ());
        }
        let mut called = BTreeSet::new();
        for (index, function) in prepared.iter().enumerate() {
            for effect in function.effects() {
                if let Effect::Call { callee, .. } = effect {
                    let callee = callee.map_or(pointers, |id| NodeIndex::new(id as usize));
                    graph.update_edge(NodeIndex::new(index), callee, ());
                    called.insert(callee.index());
                }
            }
        }
        if called.contains(&pointers.index()) {
            called.extend(taken.iter().map(|id| id.index()));
        }
        let component = |nodes: Vec<NodeIndex>| {
            let is_recursive =
                nodes.len() > 1 || nodes.iter().any(|node| graph.contains_edge(*node, *node));
            let mut members: Vec<usize> = nodes.iter().map(|node| node.index()).collect();
            members.sort_unstable();
            Component { members, is_recursive }
        };
        let components = kosaraju_scc(&graph).into_iter().map(component).collect();
        CallGraph { components, taken, called }
    }

    /// Whether anything calls a function.
    pub(super) fn is_called(&self, index: usize) -> bool {
        self.called.contains(&index)
    }
}

/// Where calls carry values: summaries without queries.
pub(super) fn flows(
    program: &Program,
    prepared: &[Prepared],
    graph: &CallGraph,
    stop: &mut Stop<'_>,
) -> Result<Calls, Stopped> {
    let mut calls = Calls { summaries: vec![Summary::default(); prepared.len() + 1] };
    for component in &graph.components {
        let written = written(prepared, graph, &calls, &component.members);
        for member in &component.members {
            calls.summaries[*member].written.clone_from(&written);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for member in component.members.iter().filter(|member| graph.is_called(**member)) {
                let new = match (prepared.get(*member), program.functions.get(*member)) {
                    (Some(own), Some(function)) => flow(function, own, &calls, *member, stop)?,
                    _ => any_of(&calls, &graph.taken, &written),
                };
                changed |= component.is_recursive && new != calls.summaries[*member];
                calls.summaries[*member] = new;
            }
        }
    }
    Ok(calls)
}

/// What the functions of a component may write, all together.
fn written(
    prepared: &[Prepared],
    graph: &CallGraph,
    calls: &Calls,
    members: &[usize],
) -> Vec<Place> {
    let mut written = BTreeSet::new();
    for member in members {
        let Some(function) = prepared.get(*member) else {
            for id in &graph.taken {
                written.extend(&calls.summaries[id.index()].written);
            }
            continue;
        };
        for effect in function.effects() {
            match effect {
                Effect::Move { into, .. } => {
                    written.extend(into.iter().filter_map(|var| outer(&function.numbering, *var)));
                }
                Effect::Call { callee, target, .. } => {
                    written.extend(&calls.of(*callee).written);
                    written.extend(target.and_then(|var| outer(&function.numbering, var)));
                }
                Effect::Query { .. } => {}
            }
        }
    }
    written.into_iter().collect()
}

/// A variable that callers have, too.
fn outer(numbering: &Numbering, var: Var) -> Option<Place> {
    match numbering.variable(var)? {
        super::Variable::Local(_) => None,
        super::Variable::Global(global) => Some(Place::Global(global)),
        super::Variable::Memory => Some(Place::Memory),
    }
}

/// Something behind all results of a function: that it returns.
const RETURNED: u32 = u32::MAX;

/// Where one function carries what it is given.
fn flow(
    function: &Function,
    prepared: &Prepared,
    calls: &Calls,
    index: usize,
    stop: &mut Stop<'_>,
) -> Result<Summary, Stopped> {
    let numbering = &prepared.numbering;
    let mut summary = calls.summaries[index].clone();
    let mut reach = Reach::new();
    let mut end: Vec<(Var, SetId)> =
        vec![(numbering.result(), reach.single(0)), (numbering.total(), reach.single(RETURNED))];
    for (number, place) in (1..).zip(&summary.written) {
        let var = match place {
            Place::Global(global) => numbering.global(*global),
            Place::Memory => Some(numbering.memory()),
            Place::Result | Place::Parameter(_) => None,
        };
        end.extend(var.map(|var| (var, reach.single(number))));
    }
    let returns =
        |block: BlockId| matches!(function.block(block).terminator.kind, TerminatorKind::Return(_));
    let mut walk = Walk { weights: reach, numbering, calls };
    let at_end = |block| if returns(block) { end.as_slice() } else { &[] };
    let mut scratch = Scratch::new();
    let task = Task { prepared, at_end: &at_end };
    let starts = solve::fixed_point(&task, &mut walk, &mut scratch, stop)?;
    let entry = starts.first().cloned().unwrap_or_default();
    let places: Vec<Place> =
        std::iter::once(Place::Result).chain(summary.written.iter().copied()).collect();
    let members = |set: SetId| -> Vec<Place> {
        let known = walk.weights.members(set).iter();
        known.filter_map(|number| places.get(*number as usize).copied()).collect()
    };
    summary.returns = value(&entry, numbering.total()) != SetId::default();
    let flows = inputs(function, numbering, &entry).into_iter();
    summary.flows =
        flows.map(|(place, set)| (place, members(set))).filter(|(_, to)| !to.is_empty()).collect();
    Ok(summary)
}

/// What is known of the values that a function is given.
pub(super) fn inputs<V: Copy + PartialEq + Default>(
    function: &Function,
    numbering: &Numbering,
    entry: &[(Var, V)],
) -> Vec<(Place, V)> {
    let mut all = Vec::new();
    for (id, _) in function.locals().take(function.params) {
        let value = value(entry, numbering.local(id));
        if value != V::default() {
            all.push((Place::Parameter(id.0), value));
        }
    }
    all.extend(entry.iter().filter_map(|(var, value)| Some((outer(numbering, *var)?, *value))));
    all
}

/// What is known of one variable.
pub(super) fn value<V: Copy + Default>(fact: &[(Var, V)], var: Var) -> V {
    let index = fact.binary_search_by_key(&var, |(known, _)| *known);
    index.map_or_else(|_| V::default(), |index| fact[index].1)
}

/// The flows of a call that may go to any of these functions.
fn any_of(calls: &Calls, taken: &[FunctionId], written: &[Place]) -> Summary {
    let mut flows: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    let mut returns = false;
    for id in taken {
        let one = &calls.summaries[id.index()];
        returns |= one.returns;
        for (from, to) in &one.flows {
            flows.entry(*from).or_default().extend(to);
        }
        // What one writes, another leaves alone.
        for place in written.iter().filter(|place| !one.written.contains(place)) {
            flows.entry(*place).or_default().insert(*place);
        }
    }
    let flows = flows.into_iter().map(|(from, to)| (from, to.into_iter().collect()));
    Summary { returns, written: written.to_vec(), flows: flows.collect(), ..Summary::default() }
}

/// The queries of a call that may go to any of these functions.
pub(super) fn any_asks<W: Weights<Value = u64>>(
    calls: &Calls,
    taken: &[FunctionId],
    weights: &mut W,
) -> (Vec<(Place, u64)>, u64) {
    let mut asks: BTreeMap<Place, u64> = BTreeMap::new();
    let mut total = 0;
    for id in taken {
        let one = &calls.summaries[id.index()];
        total = weights.branch(total, one.total);
        for (place, count) in &one.asks {
            let sum = asks.entry(*place).or_default();
            *sum = weights.branch(*sum, *count);
        }
    }
    (asks.into_iter().collect(), total)
}
