//! The loops of programs and their cycles, and how often each loop has been repeated on a path.
//!
//! Counters belong to the path: each activation of a loop, in each call, has its own.

use loupe_ir::analysis::cycles::{Cycle, Cycles};
use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::{Edge, FlowGraph};
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::program::{BlockId, FunctionId, Program};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The loops of all functions.
#[derive(Debug)]
pub struct Loops {
    forests: Vec<LoopForest>,
    graphs: Vec<FlowGraph>,
    cycles: Vec<OnceCell<Entered>>,
    names: BTreeMap<LoopKey, LoopName>,
}

/// How people call a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopName {
    /// In short: its line, with the column where others share it, or the function of the library that it is in.
    pub place: String,
    /// In words.
    pub words: String,
}

/// A loop of a program.
pub type LoopKey = (FunctionId, LoopId);

/// What is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// A loop, with all of its paths.
    Loop(LoopKey),
    /// One of the cycles of a function: a single path, in this loop.
    Cycle(LoopKey, usize),
}

impl Region {
    /// The loop: for a cycle, the smallest one around it.
    pub fn key(self) -> LoopKey {
        match self {
            Region::Loop(key) | Region::Cycle(key, _) => key,
        }
    }
}

/// Where an edge leads that starts in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// To the next block of it.
    Inside,
    /// Back to where it is entered.
    Again,
    /// Out of it.
    Outside,
}

/// The cycles of a function, and where they are entered.
#[derive(Debug)]
struct Entered {
    all: Cycles,
    /// By block: those that are entered at the header of their loop.
    at_headers: Vec<Vec<Region>>,
    /// By block: all of them.
    anywhere: Vec<Vec<Region>>,
}

/// Which entries of a cyclic path count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// The header of its loop: it dominates the others, so whoever comes to the path comes there first.
    Header,
    /// All of them.
    All,
}

impl Loops {
    /// Finds them.
    pub fn new(program: &Program) -> Self {
        let graphs: Vec<FlowGraph> = program.functions.iter().map(FlowGraph::new).collect();
        let forest = |graph: &FlowGraph| LoopForest::new(graph, &Dominators::new(graph));
        let forests: Vec<LoopForest> = graphs.iter().map(forest).collect();
        let cycles = graphs.iter().map(|_| OnceCell::new()).collect();
        let names = names(program, &forests);
        Loops { forests, graphs, cycles, names }
    }

    /// How people call a loop.
    pub fn name(&self, key: LoopKey) -> Option<&LoopName> {
        self.names.get(&key)
    }

    /// The loops of a function.
    pub fn of(&self, function: FunctionId) -> &LoopForest {
        &self.forests[function.index()]
    }

    /// The cycles of a function.
    pub fn cycles(&self, function: FunctionId) -> &Cycles {
        &self.entered(function).all
    }

    /// The cycles that are entered at a block. Those that are in no loop, because they are entered at several blocks from outside,
    /// are not among them.
    pub fn cycles_at(&self, function: FunctionId, block: BlockId, entries: Entries) -> &[Region] {
        let entered = self.entered(function);
        match entries {
            Entries::Header => &entered.at_headers[block.index()],
            Entries::All => &entered.anywhere[block.index()],
        }
    }

    fn entered(&self, function: FunctionId) -> &Entered {
        self.cycles[function.index()].get_or_init(|| {
            let (graph, forest) = (&self.graphs[function.index()], self.of(function));
            let all = Cycles::new(graph);
            let mut at_headers = vec![Vec::new(); graph.len()];
            let mut anywhere = vec![Vec::new(); graph.len()];
            for (number, cycle) in all.cycles.iter().enumerate() {
                let entry = cycle.entry();
                let is_around =
                    |id: &LoopId| cycle.core().iter().all(|block| forest.contains(*id, *block));
                let Some(id) = forest.around(entry).find(is_around) else { continue };
                let region = Region::Cycle((function, id), number);
                anywhere[entry.index()].push(region);
                if forest.get(id).header == entry {
                    at_headers[entry.index()].push(region);
                }
            }
            Entered { all, at_headers, anywhere }
        })
    }

    fn cycle(&self, function: FunctionId, number: usize) -> &Cycle {
        &self.cycles(function).cycles[number]
    }

    /// The block where a region is entered.
    pub fn entry_of(&self, region: Region) -> BlockId {
        match region {
            Region::Loop((function, id)) => self.of(function).get(id).header,
            Region::Cycle((function, _), number) => self.cycle(function, number).entry(),
        }
    }

    /// The blocks of a region, in its function.
    pub(crate) fn blocks_of(&self, region: Region) -> &[BlockId] {
        match region {
            Region::Loop((function, id)) => self.of(function).blocks(id),
            Region::Cycle((function, _), number) => self.cycle(function, number).core(),
        }
    }

    /// Where an edge leads that starts in a region, in the function of the region.
    pub fn onward(&self, region: Region, (from, to): (BlockId, BlockId)) -> Onward {
        let stays = match region {
            Region::Loop((function, id)) => self.of(function).contains(id, to),
            Region::Cycle((function, _), number) => {
                self.cycle(function, number).has(Edge { from, to })
            }
        };
        match stays {
            false => Onward::Outside,
            true if to == self.entry_of(region) => Onward::Again,
            true => Onward::Inside,
        }
    }
}

/// The loops that a path is in, the innermost last.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    active: Vec<Active>,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    /// How deep the call is that the loop runs in.
    depth: u32,
    key: LoopKey,
    iterations: u64,
}

impl Counters {
    /// The path goes from one block to another, in a call of this depth. Gives how often the loop has been
    /// repeated whose header it comes to.
    pub fn edge(
        &mut self,
        loops: &Loops,
        depth: u32,
        function: FunctionId,
        (from, to): (BlockId, BlockId),
    ) -> Option<u64> {
        let forest = loops.of(function);
        let inside = |active: &Active| {
            active.depth < depth
                || active.depth == depth
                    && active.key.0 == function
                    && forest.contains(active.key.1, to)
        };
        while self.active.pop_if(|active| !inside(active)).is_some() {}
        let header = forest.headed_by(to)?;
        let key = (function, header);
        let repeats = forest.contains(header, from);
        match self.active.last_mut() {
            Some(active) if active.depth == depth && active.key == key && repeats => {
                active.iterations += 1;
                Some(active.iterations)
            }
            _ => {
                self.active.push(Active { depth, key, iterations: 0 });
                Some(0)
            }
        }
    }

    /// How often a loop has been repeated, in the call of this depth.
    pub(crate) fn iterations(&self, depth: u32, key: LoopKey) -> u64 {
        let is_it = |active: &&Active| active.depth == depth && active.key == key;
        self.active.iter().rev().find(is_it).map_or(0, |active| active.iterations)
    }

    /// Whether two paths are in the same loops.
    pub(crate) fn is_in_loops_of(&self, other: &Counters) -> bool {
        let loops = |counters: &'_ Counters| -> Vec<(u32, LoopKey)> {
            counters.active.iter().map(|active| (active.depth, active.key)).collect()
        };
        loops(self) == loops(other)
    }

    /// The counters of a path that stands for two in the same loops.
    pub(crate) fn with_most(&self, other: &Counters) -> Counters {
        let pairs = self.active.iter().zip(&other.active);
        let most = |(a, b): (&Active, &Active)| Active {
            iterations: a.iterations.max(b.iterations),
            ..*a
        };
        Counters { active: pairs.map(most).collect() }
    }

    /// The innermost loop, in the calls up to this depth.
    pub fn innermost(&self, depth: u32) -> Option<LoopKey> {
        let active = self.active.iter().rev().find(|active| active.depth <= depth);
        active.map(|active| active.key)
    }
}

/// What a loop has cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// States that were made in it.
    pub states: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// How long these took, in seconds.
    pub seconds: f64,
}

/// What each loop has cost; `None` stands for what is outside of all loops.
pub type Profile = BTreeMap<Option<(FunctionId, u32)>, Cost>;
/// Names for all loops. No two are the same, whatever files and macros they come from.
fn names(program: &Program, forests: &[LoopForest]) -> BTreeMap<LoopKey, LoopName> {
    let mut found: Vec<(LoopKey, [LoopName; 2])> = Vec::new();
    for ((function, code), forest) in program.functions().zip(forests) {
        // Models of library functions call each other by reserved names.
        let name = code.name.trim_start_matches("__loupe_");
        for (id, content) in forest.iter() {
            let span = content.span(code);
            let (line, column) = (span.start.line, span.start.column);
            let short = match program.sources.is_users(span) {
                true => {
                    LoopName { place: line.to_string(), words: format!("the loop at line {line}") }
                }
                false => LoopName {
                    place: format!("@{name}"),
                    words: format!("the loop of the library in `{name}`"),
                },
            };
            let long = match program.sources.is_users(span) {
                true => LoopName {
                    place: format!("{line}:{column}"),
                    words: format!("the loop at line {line}, column {column}"),
                },
                false => LoopName {
                    place: format!("{}:{line}", short.place),
                    words: format!("a loop of the library in `{name}`"),
                },
            };
            found.push(((function, id), [short, long]));
        }
    }
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for name in found.iter().flat_map(|(_, names)| names) {
        *uses.entry(name.place.clone()).or_default() += 1;
    }
    let mut names = BTreeMap::new();
    for (number, (key, forms)) in found.into_iter().enumerate() {
        let is_alone = |name: &&LoopName| uses.get(&name.place) == Some(&1);
        let name = forms.iter().find(is_alone).cloned().unwrap_or_else(|| {
            let [_, mut long] = forms;
            long.place = format!("{}/{}", long.place, number + 1);
            long
        });
        names.insert(key, name);
    }
    names
}
