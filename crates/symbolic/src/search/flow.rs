//! The interprocedural flowgraph of a program, as a graph with costs.
//!
//! Costs count steps: each instruction and each terminator is one. The nodes are *points*: the start of every
//! block, every call, every terminator, and places of interest that the user names. Between two points of a
//! block lies nothing but steps. A call leads into the function that it calls, for one step, and, if that
//! can return, to the next point of its block, for the steps of the shortest way through the function.
//!
//! Which function a computed call means is not known. It may be any whose address is taken somewhere and
//! that has as many parameters as the call has arguments. Distances are hints, so nothing depends on that.

use super::Location;
use loupe_ir::analysis::location::{Step, steps};
use loupe_ir::analysis::uses::visit_operands;
use loupe_ir::program::{
    Block, BlockId, Const, Function, FunctionId, InstructionKind, Operand, Program, TerminatorKind,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The distance of what cannot be reached. Sums stop at it: a way of 2⁶⁴ steps is none.
pub(super) const UNREACHABLE: u64 = u64::MAX;

/// A point, as an index.
pub(super) type Point = usize;

/// How a state goes on from a point.
#[derive(Clone, Debug)]
enum Onward {
    /// To the next point of the block, after some steps.
    Next { to: Point, steps: u64 },
    /// Into a function; after its return there are some steps to the next point of the block.
    Call { callee: Point, to: Point, steps: u64 },
    /// To one of these, by one step.
    Jump(Vec<Point>),
    /// To one of these at once: where a computed call may lead.
    AnyOf(Vec<Point>),
    /// Back to the caller, by one step.
    Return,
    /// Nowhere.
    Stop,
}

/// The points of a block, which are numbered one after the other.
#[derive(Clone, Debug)]
struct Points {
    first: Point,
    /// Which steps of the block they are; the first is 0, the last the terminator.
    positions: Box<[usize]>,
}

/// The graph.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    blocks: Vec<Vec<Points>>,
    ahead: Edges,
    before: Edges,
    back: Vec<u64>,
}

impl Flow {
    /// The graph of `program`, in which all of `places` are points.
    pub(super) fn new(program: &Program, places: &[Location]) -> Self {
        let mut builder = Builder::new(program, places);
        for (_, function) in program.functions() {
            builder.function(function);
        }
        let Builder { blocks, onward, .. } = builder;
        let back = ways_back(&onward);
        let edges = edges(&onward, &back);
        let reversed: Vec<_> = edges.iter().map(|(from, to, cost)| (*to, *from, *cost)).collect();
        let count = onward.len();
        Flow {
            blocks,
            ahead: Edges::new(count, &edges),
            before: Edges::new(count, &reversed),
            back,
        }
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.back.len()
    }

    /// The first point at or after a place in its block, and how many steps away it is; `None` if the
    /// program has no such place.
    pub(super) fn point(&self, place: Location) -> Option<(Point, u64)> {
        let points = self.blocks.get(place.function.index())?.get(place.block.index())?;
        let at = points.positions.partition_point(|position| *position < place.next);
        let position = points.positions.get(at)?;
        Some((points.first + at, (position - place.next) as u64))
    }

    /// The points at which blocks start.
    pub(super) fn starts(&self) -> impl Iterator<Item = Point> + '_ {
        self.blocks.iter().flatten().map(|points| points.first)
    }

    /// The points that come after `point`, and what it costs to go there.
    pub(super) fn ahead(&self, point: Point) -> &[(Point, u64)] {
        self.ahead.of(point)
    }

    /// The points from which one comes to `point`, and what that costs.
    pub(super) fn before(&self, point: Point) -> &[(Point, u64)] {
        self.before.of(point)
    }

    /// How many steps the shortest way takes that returns from the function of `point`.
    pub(super) fn back(&self, point: Point) -> u64 {
        self.back[point]
    }
}

/// One list of edges for every point, all in one vector.
#[derive(Clone, Debug)]
struct Edges {
    starts: Vec<usize>,
    items: Vec<(Point, u64)>,
}

impl Edges {
    fn new(count: usize, edges: &[(Point, Point, u64)]) -> Self {
        let mut sorted: Vec<&(Point, Point, u64)> = edges.iter().collect();
        sorted.sort_by_key(|(from, ..)| *from);
        let starts = (0..=count).map(|point| sorted.partition_point(|(from, ..)| *from < point));
        Edges {
            starts: starts.collect(),
            items: sorted.iter().map(|(_, to, cost)| (*to, *cost)).collect(),
        }
    }

    fn of(&self, point: Point) -> &[(Point, u64)] {
        &self.items[self.starts[point]..self.starts[point + 1]]
    }
}

/// The edges, once it is known what it costs to go through functions.
///
/// No cycle of them is free: only those of [`Onward::AnyOf`] cost nothing, and those lead to starts of
/// blocks, from where every edge costs at least one.
fn edges(onward: &[Onward], back: &[u64]) -> Vec<(Point, Point, u64)> {
    let mut edges = Vec::new();
    for (from, onward) in onward.iter().enumerate() {
        match onward {
            Onward::Next { to, steps } => edges.push((from, *to, *steps)),
            Onward::Call { callee, to, steps } => {
                edges.push((from, *callee, 1));
                let through = back[*callee].saturating_add(steps + 1);
                if through != UNREACHABLE {
                    edges.push((from, *to, through));
                }
            }
            Onward::Jump(all) => edges.extend(all.iter().map(|to| (from, *to, 1))),
            Onward::AnyOf(all) => edges.extend(all.iter().map(|to| (from, *to, 0))),
            Onward::Return | Onward::Stop => {}
        }
    }
    edges
}

/// For every point, the number of steps of the shortest way that returns from its function.
///
/// A call needs two such ways, one through the function that it calls and one from behind the call, so
/// these are not the shortest paths of a graph, but the least derivations of a grammar. Knuth's
/// generalisation of Dijkstra's algorithm (1977) finds them: no way is shorter than its parts, so the
/// least of what can be built from settled ways is settled.
fn ways_back(onward: &[Onward]) -> Vec<u64> {
    let mut uses = Vec::new();
    let mut open = BinaryHeap::new();
    for (user, onward) in onward.iter().enumerate() {
        match onward {
            Onward::Next { to, .. } => uses.push((*to, user, 0)),
            Onward::Call { callee, to, .. } => uses.extend([(*callee, user, 0), (*to, user, 0)]),
            Onward::Jump(all) | Onward::AnyOf(all) => {
                uses.extend(all.iter().map(|part| (*part, user, 0)));
            }
            Onward::Return => open.push(Reverse((1, user))),
            Onward::Stop => {}
        }
    }
    let uses = Edges::new(onward.len(), &uses);
    let mut back = vec![UNREACHABLE; onward.len()];
    while let Some(Reverse((way, point))) = open.pop() {
        if back[point] <= way {
            continue;
        }
        back[point] = way;
        for (user, _) in uses.of(point) {
            let longer = match &onward[*user] {
                Onward::Next { steps, .. } => way.saturating_add(*steps),
                Onward::Call { callee, to, steps } => {
                    back[*callee].saturating_add(back[*to]).saturating_add(steps + 1)
                }
                Onward::Jump(_) => way.saturating_add(1),
                Onward::AnyOf(_) => way,
                Onward::Return | Onward::Stop => UNREACHABLE,
            };
            if longer < back[*user] {
                open.push(Reverse((longer, *user)));
            }
        }
    }
    back
}

/// Builds the points. The first block of a function is numbered before anything leads to it, so the
/// numbers of all starts are found in a first pass.
struct Builder {
    blocks: Vec<Vec<Points>>,
    onward: Vec<Onward>,
    /// Where a computed call with this number of arguments leads.
    computed: BTreeMap<usize, Point>,
    /// How many functions have their points already.
    done: usize,
}

impl Builder {
    fn new(program: &Program, places: &[Location]) -> Self {
        let places: BTreeSet<Location> = places.iter().copied().collect();
        let mut count = 0;
        let mut blocks = Vec::with_capacity(program.functions.len());
        for (function, content) in program.functions() {
            let mut points = Vec::with_capacity(content.blocks.len());
            for (id, block) in content.blocks() {
                let positions = positions(block, (function, id), &places);
                points.push(Points { first: count, positions });
                count += points.last().map_or(0, |points| points.positions.len());
            }
            blocks.push(points);
        }
        let mut builder = Builder {
            blocks,
            onward: vec![Onward::Stop; count],
            computed: BTreeMap::new(),
            done: 0,
        };
        for (parameters, functions) in with_address(program) {
            let entries = functions.iter().filter_map(|id| builder.entry(*id)).collect();
            builder.computed.insert(parameters, builder.onward.len());
            builder.onward.push(Onward::AnyOf(entries));
        }
        builder
    }

    fn entry(&self, function: FunctionId) -> Option<Point> {
        Some(self.blocks.get(function.index())?.first()?.first)
    }

    fn function(&mut self, function: &Function) {
        for (block, points) in function.blocks.iter().zip(&self.blocks[self.done]) {
            for (index, position) in points.positions.iter().enumerate() {
                let point = points.first + index;
                let next = points.positions.get(index + 1).map(|next| (point + 1, *next));
                self.onward[point] = match next {
                    Some((to, next)) => self.instruction(block, *position, to, next),
                    None => self.terminator(&block.terminator.kind),
                };
            }
        }
        self.done += 1;
    }

    /// How it goes on from an instruction, if the point behind it is `to`, at the position `next`.
    fn instruction(&self, block: &Block, position: usize, to: Point, next: usize) -> Onward {
        let steps = (next - position) as u64;
        let InstructionKind::Call { callee, arguments, .. } = &block.instructions[position].kind
        else {
            return Onward::Next { to, steps };
        };
        let callee = match callee {
            Operand::Const(Const::Function(id)) => self.entry(*id),
            Operand::Const(_) => None,
            Operand::Local(_) => self.computed.get(&arguments.len()).copied(),
        };
        callee.map_or(Onward::Stop, |callee| Onward::Call { callee, to, steps: steps - 1 })
    }

    fn terminator(&self, kind: &TerminatorKind) -> Onward {
        match kind {
            TerminatorKind::Return(_) => Onward::Return,
            TerminatorKind::Exit(_) | TerminatorKind::Abort | TerminatorKind::Unreachable => {
                Onward::Stop
            }
            TerminatorKind::Goto(_)
            | TerminatorKind::Branch { .. }
            | TerminatorKind::Switch { .. } => {
                let blocks = &self.blocks[self.done];
                let next = kind.successors().filter_map(|next| blocks.get(next.index()));
                Onward::Jump(next.map(|points| points.first).collect())
            }
        }
    }
}

/// The steps of a block that are points.
fn positions(
    block: &Block,
    (function, id): (FunctionId, BlockId),
    places: &BTreeSet<Location>,
) -> Box<[usize]> {
    let end = block.instructions.len();
    let at = |next| Location { function, block: id, next };
    let named = places.range(at(0)..=at(end)).map(|place| place.next);
    let calls = block.instructions.iter().enumerate().filter_map(|(position, instruction)| {
        matches!(instruction.kind, InstructionKind::Call { .. }).then_some(position)
    });
    let all: BTreeSet<usize> = named.chain(calls).chain([0, end]).collect();
    all.into_iter().collect()
}

/// The functions whose address is taken, by the number of their parameters.
fn with_address(program: &Program) -> BTreeMap<usize, BTreeSet<FunctionId>> {
    let mut taken = BTreeSet::new();
    let mut take = |constant: &Const| {
        if let Const::Function(id) = constant {
            taken.insert(*id);
        }
    };
    for (_, initial) in program.globals.iter().flat_map(|global| &global.initial) {
        take(initial);
    }
    for (_, function) in program.functions() {
        for (_, step) in function.blocks().flat_map(|(block, _)| steps(function, block)) {
            let called = called(step);
            visit_operands(step, &mut |operand| match operand {
                Operand::Const(constant) if !called.is_some_and(|c| std::ptr::eq(c, operand)) => {
                    take(constant);
                }
                _ => {}
            });
        }
    }
    let mut by_parameters: BTreeMap<usize, BTreeSet<FunctionId>> = BTreeMap::new();
    for id in taken {
        if let Some(function) = program.functions.get(id.index()) {
            by_parameters.entry(function.params).or_default().insert(id);
        }
    }
    by_parameters
}

fn called(step: Step<'_>) -> Option<&Operand> {
    match step {
        Step::Instruction(instruction) => match &instruction.kind {
            InstructionKind::Call { callee, .. } => Some(callee),
            _ => None,
        },
        Step::Terminator(_) => None,
    }
}
