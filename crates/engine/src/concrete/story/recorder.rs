//! Watches a run and makes a story of it.

use super::values;
use super::{Called, LoopKey, PathNumber, Skipped, Step, Steps, Story, Uninitialised, Visit};
use crate::concrete::domain::Take;
use crate::concrete::{Concrete, ConcreteState, Observer};
use crate::domain::Origin;
use crate::semantics::Machine;
use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::{Edge, FlowGraph};
use loupe_ir::analysis::loops::LoopForest;
use loupe_ir::program::{
    Block, BlockId, Function, FunctionId, InstructionKind, LocalId, Operand, Program, Rvalue,
    TerminatorKind,
};
use loupe_ir::source::Span;
use std::collections::{BTreeMap, HashMap};

/// Calls and loops are told one inside the other to this depth; what is deeper is told side by side, or only counted.
const DEPTH: usize = 60;
/// So many uninitialised variables are remembered.
const MOST_UNINITIALISED: usize = 1 << 16;
/// So many paths of one loop are told apart; all others are one.
const MOST_PATHS: usize = 10_000;

/// What is known of a function before the run.
struct Shape {
    forest: LoopForest,
    /// Whether the user wrote it; of others only matters what they read.
    is_told: bool,
    /// By block: the instructions that read, or take what is uninitialised, or call.
    marks: Vec<Vec<usize>>,
}

impl Shape {
    fn new(program: &Program, function: &Function) -> Self {
        let graph = FlowGraph::new(function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let is_told =
            program.sources.is_users(function.span) && !function.name.starts_with(Program::START);
        let marks = |block: &Block| {
            let all = block.instructions.iter().enumerate();
            all.filter(|(_, instruction)| is_mark(&instruction.kind)).map(|(at, _)| at).collect()
        };
        Shape { forest, is_told, marks: function.blocks.iter().map(marks).collect() }
    }
}

fn is_mark(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Call { .. } => true,
        InstructionKind::Assign { value, .. } => {
            matches!(value, Rvalue::Input(_) | Rvalue::Undefined(_))
        }
        _ => false,
    }
}

/// An active call.
struct Activation {
    function: FunctionId,
    block: BlockId,
    /// How many of the marks of the block have been passed.
    passed: usize,
    /// Where its part of [`Recorder::open`] starts.
    first_open: usize,
}

/// Something that is being told.
enum Open {
    Call(Called),
    Visit(Visiting),
}

struct Visiting {
    visit: Visit,
    /// The blocks since the header.
    path: Vec<BlockId>,
    /// The path of the last iteration, which most often comes again.
    last: Option<PathNumber>,
}

/// The paths of a loop.
#[derive(Default)]
struct Paths {
    all: Vec<Vec<BlockId>>,
    numbers: HashMap<Vec<BlockId>, PathNumber>,
}

impl Paths {
    fn number(&mut self, path: &[BlockId], guess: Option<PathNumber>) -> PathNumber {
        if let Some(guess) = guess
            && self.all.get(guess as usize).is_some_and(|known| known == path)
        {
            return guess;
        }
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        if self.all.len() >= MOST_PATHS {
            return MOST_PATHS as PathNumber;
        }
        let number = self.all.len() as PathNumber;
        self.all.push(path.to_vec());
        self.numbers.insert(path.to_vec(), number);
        number
    }
}

/// An uninitialised variable in a register.
struct Declared {
    function: FunctionId,
    target: LocalId,
    span: Span,
}

/// Watches a run and makes a story of it.
pub struct Recorder<'p> {
    program: &'p Program,
    shapes: Vec<Option<Shape>>,
    activations: Vec<Activation>,
    open: Vec<Open>,
    steps: Steps,
    paths: BTreeMap<LoopKey, Paths>,
    /// How many inputs were read.
    inputs: u64,
    declared: Vec<Declared>,
    takes: Vec<Take>,
    /// Variables whose values are not known, with the depth of their calls.
    lost: Vec<(usize, LocalId)>,
    values: Vec<super::NamedValue>,
}

impl<'p> Recorder<'p> {
    /// Nothing has happened yet.
    pub fn new(program: &'p Program) -> Self {
        Recorder {
            program,
            shapes: program.functions.iter().map(|_| None).collect(),
            activations: Vec::new(),
            open: Vec::new(),
            steps: Steps::default(),
            paths: BTreeMap::new(),
            inputs: 0,
            declared: Vec::new(),
            takes: Vec::new(),
            lost: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The story of the run, which has ended.
    pub fn finish(mut self) -> Story {
        self.unwind(0);
        let uninitialised = self.uninitialised();
        let paths = self.paths.into_iter().map(|(key, paths)| (key, paths.all)).collect();
        Story { steps: self.steps, paths, values: self.values, uninitialised }
    }

    /// Iterations of the loop at whose header the run stands are gone over; it goes on at a block.
    pub fn skip(&mut self, to: BlockId, skipped: Skipped) {
        let Some(Activation { function, block, .. }) = self.activations.last() else { return };
        let (function, from) = (*function, *block);
        let depth = self.activations.len();
        self.lost.extend(skipped.lost.iter().map(|local| (depth, *local)));
        let id = self.shape(function).forest.innermost(from);
        if let Some(Open::Visit(visiting)) = self.open.last_mut()
            && id == Some(visiting.visit.key.1)
        {
            visiting.visit.skipped.push(skipped);
        }
        // At the header of the last iteration it goes on as it would have.
        if from != to {
            self.arrive(function, Edge { from, to });
        }
    }

    fn shape(&mut self, function: FunctionId) -> &Shape {
        let program = self.program;
        self.shapes[function.index()]
            .get_or_insert_with(|| Shape::new(program, program.function(function)))
    }

    fn push(&mut self, step: Step) {
        match self.open.last_mut() {
            Some(Open::Call(called)) => called.steps.push(step),
            Some(Open::Visit(visiting)) => visiting.visit.rest.push(step),
            None => self.steps.push(step),
        }
    }

    /// The innermost call executes the marks of its block before an instruction, up to a call.
    fn pass_marks(&mut self, before: usize) {
        let Some(Activation { function, block, passed, .. }) = self.activations.last() else {
            return;
        };
        let (function, block, mut at) = (*function, *block, *passed);
        let code = self.program.function(function);
        loop {
            let marks = &self.shape(function).marks[block.index()];
            let Some(mark) = marks.get(at).copied().filter(|mark| *mark < before) else { break };
            let instruction = &code.block(block).instructions[mark];
            match &instruction.kind {
                // What lies behind a call that was not made has not happened.
                InstructionKind::Call { .. } => break,
                InstructionKind::Assign { target, value: Rvalue::Undefined(_) } => {
                    if self.declared.len() < MOST_UNINITIALISED {
                        let (target, span) = (*target, instruction.span);
                        self.declared.push(Declared { function, target, span });
                    }
                }
                _ => self.read(),
            }
            at += 1;
            if let Some(activation) = self.activations.last_mut() {
                activation.passed = at;
            }
        }
    }

    /// An input is read.
    fn read(&mut self) {
        let index = self.inputs;
        self.inputs += 1;
        let is_told = |at: &&Activation| {
            let shape = self.shapes[at.function.index()].as_ref();
            shape.is_some_and(|shape| shape.is_told)
        };
        let users = self.activations.iter().rev().find(is_told);
        let place = users.and_then(|at| {
            let marks = &self.shapes[at.function.index()].as_ref()?.marks[at.block.index()];
            let is_innermost = self.activations.last().is_some_and(|last| std::ptr::eq(last, at));
            // A caller has passed its call already.
            let number = if is_innermost { at.passed } else { at.passed.checked_sub(1)? };
            let block = self.program.function(at.function).block(at.block);
            let position = *marks.get(number)?;
            Some((at.function, block, position))
        });
        let span = place.map(|(_, block, position)| block.instructions[position].span);
        let name = place.and_then(|(function, block, position)| {
            goes_to(self.program.function(function), block, position)
        });
        self.push(Step::Input { index, span, name });
    }

    /// The innermost call goes along an edge, or over iterations to another block.
    fn arrive(&mut self, function: FunctionId, edge: Edge) {
        let Some(activation) = self.activations.last_mut() else { return };
        (activation.block, activation.passed) = (edge.to, 0);
        let first_open = activation.first_open;
        let shape = self.shape(function);
        if !shape.is_told {
            return;
        }
        let forest = &shape.forest;
        let left = forest.around(edge.from).take_while(|id| !forest.contains(*id, edge.to)).count();
        let entered = forest.headed_by(edge.to);
        let is_back = entered.is_some_and(|id| forest.contains(id, edge.from));
        for _ in 0..left {
            if self.open.len() > first_open {
                self.leave(Some(edge));
            }
        }
        match (entered, is_back) {
            (Some(_), true) => self.iterate(),
            (Some(id), false) => {
                self.step_in_loop(first_open, edge.to);
                self.enter((function, id), edge.to);
            }
            (None, _) => self.step_in_loop(first_open, edge.to),
        }
    }

    /// The loop that the innermost call is in goes on to another block.
    fn step_in_loop(&mut self, first_open: usize, block: BlockId) {
        if self.open.len() > first_open
            && let Some(Open::Visit(visiting)) = self.open.last_mut()
        {
            visiting.path.push(block);
        }
    }

    fn enter(&mut self, key: LoopKey, header: BlockId) {
        let visit = Visit {
            key,
            iterations: 0,
            runs: super::Runs::default(),
            inputs: (self.inputs, 0),
            within: super::Tallies::default(),
            skipped: Vec::new(),
            rest: Steps::default(),
            left: None,
        };
        self.open.push(Open::Visit(Visiting { visit, path: vec![header], last: None }));
    }

    /// A back edge is taken.
    fn iterate(&mut self) {
        let inputs = self.inputs;
        let Some(Open::Visit(Visiting { visit, path, last })) = self.open.last_mut() else {
            return;
        };
        let paths = self.paths.entry(visit.key).or_default();
        let number = paths.number(path, *last);
        *last = Some(number);
        path.truncate(1);
        visit.iterations += 1;
        visit.runs.push(number);
        visit.inputs.1 = inputs - visit.inputs.0;
        if !visit.rest.is_empty() {
            let rest = std::mem::take(&mut visit.rest);
            visit.within.add(&rest.tallies);
            rest.iter().for_each(|step| visit.within.add_step(step));
        }
    }

    /// What is told last has ended: a loop is left, or a call.
    fn leave(&mut self, edge: Option<Edge>) {
        let step = match self.open.pop() {
            None => return,
            Some(Open::Call(called)) => Step::Call(Box::new(called)),
            Some(Open::Visit(Visiting { mut visit, .. })) => {
                visit.left = edge;
                visit.runs.close();
                Step::Loop(Box::new(visit))
            }
        };
        if self.open.len() <= DEPTH {
            self.push(step);
            return;
        }
        // Deeper than anybody reads, and than destructors may nest.
        let steps = match self.open.last_mut() {
            Some(Open::Call(called)) => &mut called.steps,
            Some(Open::Visit(visiting)) => &mut visiting.visit.rest,
            None => &mut self.steps,
        };
        steps.left_out += 1;
        steps.tallies.add_step(&step);
    }

    /// Ends all that was begun behind a place.
    fn unwind(&mut self, first_open: usize) {
        while self.open.len() > first_open {
            self.leave(None);
        }
    }

    /// Who took the values of the stream of uninitialised values.
    fn uninitialised(&self) -> BTreeMap<u64, Uninitialised> {
        let mut named = BTreeMap::new();
        let mut occurrences: BTreeMap<(FunctionId, LocalId), u64> = BTreeMap::new();
        let mut registers = self.declared.iter();
        for take in &self.takes {
            let (known, span) = match take.origin {
                None => match registers.next() {
                    Some(one) => (Some((one.function, one.target)), Some(one.span)),
                    None => break,
                },
                Some(Origin::Local(function, local)) => {
                    let span = self.program.function(function).local(local).span;
                    (Some((function, local)), Some(span))
                }
                Some(Origin::Global(_) | Origin::Heap | Origin::Stack) => (None, None),
            };
            let occurrence = occurrences.entry(known.unwrap_or((FunctionId(u32::MAX), LocalId(0))));
            let occurrence = *occurrence.and_modify(|times| *times += 1).or_insert(1);
            let name = known.and_then(|(function, local)| {
                self.program.function(function).local(local).name.clone()
            });
            let name = name.unwrap_or_else(|| match take.origin {
                None | Some(Origin::Local(..)) => "a value".to_owned(),
                _ => "an allocated object".to_owned(),
            });
            for element in 0..take.count {
                let name = match take.count {
                    1 => name.clone(),
                    _ => format!("{name}[{element}]"),
                };
                named.insert(take.position + element, Uninitialised { name, span, occurrence });
            }
        }
        named
    }
}

/// The variable that the value of an instruction goes to, possibly by way of temporaries.
fn goes_to(function: &Function, block: &Block, position: usize) -> Option<String> {
    let instruction = block.instructions.get(position)?;
    let mut carrier = match &instruction.kind {
        InstructionKind::Assign { target, .. } => *target,
        InstructionKind::Call { target, .. } => (*target)?,
        _ => return None,
    };
    let name = |local: LocalId| function.local(local).name.clone();
    for next in &block.instructions[position + 1..] {
        if name(carrier).is_some() || next.statement != instruction.statement {
            break;
        }
        if let InstructionKind::Assign { target, value } = &next.kind
            && let Rvalue::Use(operand) | Rvalue::Convert(operand, _) | Rvalue::Downcast(operand, _) =
                value
            && *operand == Operand::Local(carrier)
        {
            carrier = *target;
        }
    }
    name(carrier)
}

/// Whether a block has several ways out.
fn decides(block: &Block) -> bool {
    match &block.terminator.kind {
        TerminatorKind::Branch { then, otherwise, .. } => then != otherwise,
        TerminatorKind::Switch { cases, default, .. } => {
            cases.iter().any(|(_, block)| block != default)
        }
        _ => false,
    }
}

impl Observer for Recorder<'_> {
    fn called(&mut self, function: FunctionId) {
        self.pass_marks(usize::MAX);
        let caller = self.activations.last_mut().map(|caller| {
            caller.passed += 1;
            (caller.function, caller.block, caller.passed - 1)
        });
        let program = self.program;
        let span = caller.and_then(|(function, block, number)| {
            let mark = *self.shape(function).marks[block.index()].get(number)?;
            Some(program.function(function).block(block).instructions[mark].span)
        });
        let span = span.filter(|span| program.sources.is_users(*span));
        let first_open = self.open.len();
        let block = BlockId(0);
        let shape = self.shape(function);
        let (is_told, header) = (shape.is_told, shape.forest.headed_by(block));
        self.activations.push(Activation { function, block, passed: 0, first_open });
        if !is_told {
            return;
        }
        let is_outermost = caller.is_none_or(|(caller, ..)| !self.shape(caller).is_told);
        if !is_outermost {
            let called = Called { function, span, steps: Steps::default(), returned: false };
            match first_open > DEPTH {
                true => self.push(Step::Call(Box::new(called))),
                false => self.open.push(Open::Call(called)),
            }
        }
        if let Some(id) = header {
            self.enter((function, id), block);
        }
    }

    fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
        self.pass_marks(usize::MAX);
        let edge = Edge { from, to };
        let block = self.program.function(function).block(from);
        let shape = self.shape(function);
        let forest = &shape.forest;
        // How loops are left is said with them, and that their conditions hold is said by their iterations.
        let leaves = forest.innermost(from).is_some_and(|id| !forest.contains(id, to));
        let is_header = forest.headed_by(from).is_some();
        if shape.is_told && !leaves && !is_header && decides(block) {
            self.push(Step::Decision { function, edge });
        }
        self.arrive(function, edge);
    }

    fn returned(&mut self) {
        self.pass_marks(usize::MAX);
        let Some(activation) = self.activations.pop() else { return };
        let depth = self.activations.len();
        self.lost.retain(|(lost, _)| *lost <= depth);
        if let Some(Open::Call(called)) = self.open.get_mut(activation.first_open) {
            called.returned = true;
        }
        self.unwind(activation.first_open);
    }

    fn ended(&mut self, machine: &mut Machine<'_, Concrete>, state: &mut ConcreteState) {
        // What comes behind a failing check has not happened.
        let executed = state.frames.last().map_or(0, |frame| frame.next);
        self.pass_marks(executed);
        self.takes = std::mem::take(&mut machine.domain.takes);
        self.values = values::values(machine, state, &self.lost);
    }
}
