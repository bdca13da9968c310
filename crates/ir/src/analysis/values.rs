//! Which values can be where: an abstract interpretation of the whole program (Cousot and Cousot, 1977).
//!
//! For every block, and for all executions that come to its start, a set of values for each register: ranges of numbers, with or without zero, objects that pointers lead to, whether they may be
//! null, arrays with their lengths, records with their fields, functions. Objects of the function where the program starts are followed from block to block as long as there is one of each; all others
//! are described for the whole program at once, as are arguments and results of functions. What a branch or a passed check says is taken into account.
//!
//! It never looks at two paths apart, so it costs little, whatever the loops do; what it is for are the many checks that cannot fail for simple reasons. It says nothing of whether executions end.
//!
//! *Why it is right.* The sets at block starts are closed under the steps (`step.rs`), which each give all values that are possible behind them: that is how the iteration ends, and after the sets were made smaller again it is
//! checked once more (`is_closed`). So by induction over the length of an execution, what it holds at a block is in the sets there.

mod facts;
mod range;
mod state;
mod step;
mod value;

use super::graph::FlowGraph;
use super::liveness::Liveness;
use super::location::{Location, Step, steps};
use super::uses;
use crate::check::Check;
use crate::program::{
    BlockId, Const, FunctionId, InstructionKind, Intrinsic, LocalId, Operand, Program, Storage,
    TerminatorKind,
};
use crate::types::Type;
use facts::Variable;
use loupe_integer::Integer;
use range::{Landmarks, Range};
use state::State;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use step::{End, Goes, Stepper};
use value::{Object, Value};

/// More numbers of the program than so many are no landmarks.
const MOST_LANDMARKS: usize = 24;
/// So many times what is known at a place may grow by what comes next; then it grows by landmarks.
const PATIENCE: u32 = 3;
/// How often what is known is made smaller again.
const ROUNDS_DOWN: usize = 2;

/// Something is done that the analysis does not follow.
#[derive(Debug)]
struct Lost;

/// Which values can be where.
#[derive(Clone, Debug)]
pub struct PossibleValues {
    /// Whether executions may come to a block, by function and block.
    reached: Vec<Vec<bool>>,
    /// The checks that may fail.
    doubtful: BTreeSet<(FunctionId, Location)>,
    /// Steps that may fail in ways that no check says.
    risky: BTreeSet<(FunctionId, Location)>,
}

impl PossibleValues {
    /// Looks at a valid program. Nothing if that would take more than so many steps, or if the program does what is not followed.
    pub fn of(program: &Program, steps: u64) -> Option<Self> {
        let is_scalar = |ty| !matches!(program.types.get(ty), Type::Array { .. } | Type::Record(_));
        let mut locals = program.functions.iter().flat_map(|function| &function.locals);
        let is_simple =
            locals.all(|local| local.storage == Storage::Register || is_scalar(local.ty));
        let manners = [true, false].into_iter().skip(usize::from(!is_simple));
        let mut manners =
            manners.map(|follows_memory| Walk::new(program, steps, follows_memory).run());
        manners.find_map(Result::ok)
    }

    /// Whether some execution may come to the start of a block.
    pub fn is_reached(&self, function: FunctionId, block: BlockId) -> bool {
        self.reached[function.index()][block.index()]
    }

    /// The steps to which executions may come that may fail without a check: they read texts, and formats of texts.
    pub fn risky_steps(&self) -> impl Iterator<Item = (FunctionId, Location)> {
        self.risky.iter().copied()
    }

    /// The checks that may fail; all others never do.
    pub fn doubtful_checks<'p>(
        &self,
        program: &'p Program,
    ) -> impl Iterator<Item = (FunctionId, Location, &'p Check)> {
        self.doubtful.iter().filter_map(|(id, at)| {
            let block = program.function(*id).block(at.block);
            match &block.instructions.get(at.index as usize)?.kind {
                InstructionKind::Check(check) => Some((*id, *at, check)),
                _ => None,
            }
        })
    }
}

/// Whether a step looks at memory as it needs, so that no check stands before it.
fn is_risky(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Intrinsic { intrinsic, .. } => !matches!(
            intrinsic,
            Intrinsic::PutByte
                | Intrinsic::GetByte
                | Intrinsic::AtEnd
                | Intrinsic::ArgumentCount
                | Intrinsic::Math
                | Intrinsic::Math2
        ),
        _ => false,
    }
}

/// What is known for the whole program at once.
struct Shared {
    follows_memory: bool,
    /// The objects of which there is one.
    once: BTreeSet<Object>,
    /// The functions that pointers may lead to.
    pointed_to: BTreeSet<FunctionId>,
    /// What was ever written to an object.
    ever: BTreeMap<Object, Slot>,
    /// What was written to an object by others than the function whose local it is.
    foreign: BTreeMap<Object, Rc<Value>>,
    parameters: BTreeMap<FunctionId, Vec<Slot>>,
    results: BTreeMap<FunctionId, Slot>,
    landmarks: Landmarks,
    has_changed: bool,
}

/// A set that grows.
#[derive(Clone, Debug, Default)]
struct Slot {
    value: Value,
    /// How often it has grown.
    growths: u32,
}

impl Slot {
    /// Adds values; says whether some are new.
    fn add(&mut self, value: &Value, landmarks: &Landmarks) -> bool {
        if self.value.contains(value) {
            return false;
        }
        self.growths += 1;
        self.value = match self.growths > PATIENCE {
            true => self.value.widened(value, landmarks),
            false => self.value.join(value),
        };
        true
    }
}

impl Shared {
    fn exists_once(&self, object: Object) -> bool {
        self.once.contains(&object)
    }

    fn ever(&self, object: Object) -> Value {
        self.ever.get(&object).map(|slot| slot.value.clone()).unwrap_or_default()
    }

    fn note_ever(&mut self, object: Object, value: &Value) {
        self.has_changed |= self.ever.entry(object).or_default().add(value, &self.landmarks);
    }

    fn note_foreign(&mut self, object: Object, _: &Value) {
        // Values that come so are few, so all that was ever written stands for them.
        let ever = self.ever(object);
        let known = self.foreign.entry(object).or_default();
        if !known.contains(&ever) {
            *known = Rc::new(known.join(&ever));
            self.has_changed = true;
        }
    }

    fn foreign(&self) -> impl Iterator<Item = (&Object, &Rc<Value>)> {
        self.foreign.iter()
    }

    fn note_call(&mut self, function: FunctionId, arguments: &[Value]) {
        let slots = self.parameters.entry(function);
        self.has_changed |= matches!(slots, std::collections::btree_map::Entry::Vacant(_));
        let slots = slots.or_insert_with(|| vec![Slot::default(); arguments.len()]);
        for (slot, argument) in slots.iter_mut().zip(arguments) {
            self.has_changed |= slot.add(argument, &self.landmarks);
        }
    }

    fn note_result(&mut self, function: FunctionId, value: &Value) {
        let is_new = !self.results.contains_key(&function);
        let slot = self.results.entry(function).or_default();
        self.has_changed |= slot.add(value, &self.landmarks) || is_new;
    }

    fn result(&self, function: FunctionId) -> Option<&Value> {
        self.results.get(&function).map(|slot| &slot.value)
    }
}

/// What is known of a function.
struct Known {
    graph: FlowGraph,
    /// The registers that matter at the start of each block.
    live: Vec<BTreeSet<LocalId>>,
    /// Whether a circle comes back to a block; each does so at one of these.
    is_head: Vec<bool>,
    /// What is known at the start of each block; nothing where nobody comes.
    states: Vec<Option<State>>,
    growths: Vec<u32>,
}

struct Walk<'p> {
    program: &'p Program,
    shared: Shared,
    known: BTreeMap<FunctionId, Known>,
    /// How many steps may still be made.
    steps: u64,
}

/// Where a block leads, with what is known there.
type Ways = Vec<(BlockId, State)>;

impl<'p> Walk<'p> {
    fn new(program: &'p Program, steps: u64, follows_memory: bool) -> Self {
        let shared = Shared {
            follows_memory,
            once: objects_that_exist_once(program),
            pointed_to: functions_that_are_values(program),
            ever: BTreeMap::new(),
            foreign: BTreeMap::new(),
            parameters: BTreeMap::new(),
            results: BTreeMap::new(),
            landmarks: landmarks(program),
            has_changed: false,
        };
        Walk { program, shared, known: BTreeMap::new(), steps }
    }

    fn run(mut self) -> Result<PossibleValues, Lost> {
        let entry = self.program.function(self.program.entry);
        let arguments: Vec<Value> =
            entry.locals.iter().take(entry.params).map(|_| Value::anything()).collect();
        self.shared.note_call(self.program.entry, &arguments);
        self.grow()?;
        self.shrink()?;
        self.result()
    }

    /// Walks until nothing new comes.
    fn grow(&mut self) -> Result<(), Lost> {
        loop {
            self.shared.has_changed = false;
            let called: Vec<FunctionId> = self.shared.parameters.keys().copied().collect();
            for id in called {
                self.grow_function(id)?;
            }
            if !self.shared.has_changed {
                return Ok(());
            }
        }
    }

    fn grow_function(&mut self, id: FunctionId) -> Result<(), Lost> {
        let entry = self.entry_state(id)?;
        let program = self.program;
        let known = self.known.entry(id).or_insert_with(|| Known::new(program, id));
        let is_known =
            |state: &Option<State>| state.as_ref().is_some_and(|own| own.contains(&entry));
        if !is_known(&known.states[0]) {
            known.states[0] = Some(match &known.states[0] {
                Some(own) => own.merged(&entry, Some(&self.shared.landmarks)),
                None => entry,
            });
        }
        // What is shared may have changed, so every block that is reached is walked again.
        let positions = known.graph.reverse_post_order().iter().enumerate();
        let mut open: BTreeSet<usize> = positions
            .filter(|(_, block)| known.states[block.index()].is_some())
            .map(|(position, _)| position)
            .collect();
        while let Some(position) = open.pop_first() {
            let known = &self.known[&id];
            let block = known.graph.reverse_post_order()[position];
            let Some(state) = known.states[block.index()].clone() else { continue };
            for (next, state) in self.walk_block(id, block, state)? {
                let Some(known) = self.known.get_mut(&id) else { continue };
                if known.flow(next, state, &self.shared.landmarks)
                    && let Some(position) = known.graph.position(next)
                {
                    open.insert(position as usize);
                }
            }
        }
        Ok(())
    }

    /// What is known where a function starts.
    fn entry_state(&mut self, id: FunctionId) -> Result<State, Lost> {
        let function = self.program.function(id);
        let slots = self.shared.parameters.get(&id).cloned().unwrap_or_default();
        let mut state = State::default();
        for ((number, local), slot) in (0..).map(LocalId).zip(&function.locals).zip(slots) {
            let stepper = Stepper::new(self.program, &mut self.shared, id, State::default());
            let value = match slot.value.nothing || slot.value.anything {
                true => stepper.any_of(local.ty),
                false => slot.value,
            };
            match local.storage {
                Storage::Register => drop(state.registers.insert(number, Rc::new(value))),
                Storage::Memory => {
                    let object = Object::Local(id, number);
                    self.shared.note_ever(object, &value);
                    if self.shared.exists_once(object) {
                        state.cells.insert(object, Rc::new(value));
                    }
                }
            }
        }
        Ok(state)
    }

    /// Walks over a block: where it leads.
    fn walk_block(&mut self, id: FunctionId, block: BlockId, state: State) -> Result<Ways, Lost> {
        let mut ways = Vec::new();
        let at_end = self.walk_steps(id, block, state, &mut |_, _, _| ())?;
        let Some(end) = at_end else { return Ok(ways) };
        let function = self.program.function(id);
        match &function.block(block).terminator.kind {
            TerminatorKind::Goto(next) => ways.push((*next, end.state)),
            TerminatorKind::Branch { condition, then, otherwise } => {
                for (next, truth) in [(then, true), (otherwise, false)] {
                    let mut side = end.clone().stepper(self.program, &mut self.shared, id);
                    if side.learn_truth(condition, truth) == Goes::On {
                        ways.push((*next, side.state));
                    }
                }
            }
            TerminatorKind::Switch { value, cases, default } => {
                for (number, next) in cases {
                    let mut side = end.clone().stepper(self.program, &mut self.shared, id);
                    let range = Range::exactly(number.clone());
                    if side.learn_numbers(value, Some(range)) == Goes::On {
                        ways.push((*next, side.state));
                    }
                }
                ways.push((*default, end.state));
            }
            TerminatorKind::Return(result) => {
                let stepper = end.stepper(self.program, &mut self.shared, id);
                let value = result.as_ref().map(|operand| stepper.operand(operand));
                self.shared.note_result(id, &value.unwrap_or_else(Value::nothing));
            }
            TerminatorKind::Exit(_) | TerminatorKind::Abort | TerminatorKind::Unreachable => {}
        }
        Ok(ways)
    }

    /// Walks over the steps of a block; tells what is known of each check. Nothing if nobody comes to the end.
    fn walk_steps(
        &mut self,
        id: FunctionId,
        block: BlockId,
        state: State,
        look: &mut dyn FnMut(&Stepper<'_, 'p>, Location, &'p Check),
    ) -> Result<Option<End<'p>>, Lost> {
        let instructions = &self.program.function(id).block(block).instructions;
        self.steps = self.steps.checked_sub(instructions.len() as u64 + 1).ok_or(Lost)?;
        let mut stepper = Stepper::new(self.program, &mut self.shared, id, state);
        for (index, instruction) in (0..).zip(instructions) {
            let at = Location::new(block, index);
            if let InstructionKind::Check(check) = &instruction.kind {
                look(&stepper, at, check);
            }
            if stepper.instruction(at, instruction)? == Goes::Nowhere {
                return Ok(None);
            }
        }
        Ok(Some(stepper.end()))
    }

    /// What all edges into the blocks of a function carry, by block.
    fn inflow(&mut self, id: FunctionId) -> Result<Vec<Option<State>>, Lost> {
        let entry = self.entry_state(id)?;
        let count = self.program.function(id).blocks.len();
        let mut inflow: Vec<Option<State>> = vec![None; count];
        inflow[0] = Some(entry);
        for block in (0..count as u32).map(BlockId) {
            let Some(state) = self.known[&id].states[block.index()].clone() else { continue };
            for (next, state) in self.walk_block(id, block, state)? {
                let state = self.known[&id].restricted(next, state);
                let known = &mut inflow[next.index()];
                *known = Some(match known.take() {
                    Some(own) => own.merged(&state, None),
                    None => state,
                });
            }
        }
        Ok(inflow)
    }

    /// Takes back what was only there because it grew by landmarks: what flows into blocks from larger sets is smaller than these, and still enough. What is shared stays.
    fn shrink(&mut self) -> Result<(), Lost> {
        let ids: Vec<FunctionId> = self.known.keys().copied().collect();
        for id in ids {
            for _ in 0..ROUNDS_DOWN {
                let smaller = self.inflow(id)?;
                let Some(known) = self.known.get_mut(&id) else { continue };
                let before = std::mem::replace(&mut known.states, smaller);
                if !self.is_closed(id)? {
                    if let Some(known) = self.known.get_mut(&id) {
                        known.states = before;
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether nothing flows into the blocks of a function that is not known there.
    fn is_closed(&mut self, id: FunctionId) -> Result<bool, Lost> {
        self.shared.has_changed = false;
        let inflow = self.inflow(id)?;
        let states = &self.known[&id].states;
        let mut pairs = states.iter().zip(&inflow);
        let is_in = |(own, flows): (&Option<State>, &Option<State>)| match (own, flows) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(flows)) => own.contains(flows),
        };
        Ok(pairs.all(is_in) && !self.shared.has_changed)
    }

    fn result(mut self) -> Result<PossibleValues, Lost> {
        let blocks =
            self.program.functions.iter().map(|function| vec![false; function.blocks.len()]);
        let mut reached: Vec<Vec<bool>> = blocks.collect();
        let (mut doubtful, mut risky) = (BTreeSet::new(), BTreeSet::new());
        let ids: Vec<FunctionId> = self.known.keys().copied().collect();
        for id in ids {
            for block in (0..self.program.function(id).blocks.len() as u32).map(BlockId) {
                let Some(state) = self.known[&id].states[block.index()].clone() else { continue };
                reached[id.index()][block.index()] = true;
                let instructions = &self.program.function(id).block(block).instructions;
                let ways = (0..).zip(instructions).filter(|(_, one)| is_risky(&one.kind));
                risky.extend(ways.map(|(index, _)| (id, Location::new(block, index))));
                self.walk_steps(id, block, state, &mut |stepper, at, check| {
                    if stepper.holds(&check.predicate) != Some(true) {
                        doubtful.insert((id, at));
                    }
                })?;
            }
        }
        Ok(PossibleValues { reached, doubtful, risky })
    }
}

impl Known {
    fn new(program: &Program, id: FunctionId) -> Self {
        let function = program.function(id);
        let graph = FlowGraph::new(function);
        let liveness = Liveness::new(function, &graph);
        let blocks = (0..function.blocks.len() as u32).map(BlockId);
        let live = blocks.map(|block| liveness.live_in(block).collect()).collect();
        let count = function.blocks.len();
        let mut is_head = vec![false; count];
        for edge in graph.edges().filter(|edge| graph.is_retreating(*edge)) {
            is_head[edge.to.index()] = true;
        }
        Known { graph, live, is_head, states: vec![None; count], growths: vec![0; count] }
    }

    /// Without the registers that nobody reads any more.
    fn restricted(&self, block: BlockId, mut state: State) -> State {
        let live = &self.live[block.index()];
        state.registers.retain(|register, _| live.contains(register));
        state.facts.retain(|variable| match variable {
            Variable::Register(register) => live.contains(&register),
            Variable::Cell(_) => true,
        });
        state
    }

    /// Adds what comes to a block; says whether some of it is new.
    fn flow(&mut self, block: BlockId, state: State, landmarks: &Landmarks) -> bool {
        let state = self.restricted(block, state);
        let number = block.index();
        let Some(own) = &self.states[number] else {
            self.states[number] = Some(state);
            return true;
        };
        if own.contains(&state) {
            return false;
        }
        self.growths[number] += 1;
        let is_late = self.is_head[number] && self.growths[number] > PATIENCE;
        let landmarks = is_late.then_some(landmarks);
        self.states[number] = Some(own.merged(&state, landmarks));
        true
    }
}

/// The objects of which there is never more than one: locals of the function where the program starts, which nobody calls, if they come to life once.
fn objects_that_exist_once(program: &Program) -> BTreeSet<Object> {
    let entry = program.entry;
    let mut is_called = functions_that_are_values(program).contains(&entry);
    visit_instructions(program, &mut |kind| {
        is_called |=
            matches!(kind, InstructionKind::Call { callee, .. } if is_function(callee, entry));
    });
    if is_called {
        return BTreeSet::new();
    }
    let function = program.function(entry);
    let graph = FlowGraph::new(function);
    let mut births: BTreeMap<LocalId, u32> = BTreeMap::new();
    for (id, block) in function.blocks() {
        for instruction in &block.instructions {
            if let InstructionKind::Live(local) = instruction.kind {
                // In a circle, it may be there again and again.
                let is_repeated = || is_on_circle(&graph, id);
                *births.entry(local).or_default() += if is_repeated() { 2 } else { 1 };
            }
        }
    }
    let locals = function.locals().filter(|(_, local)| local.storage == Storage::Memory);
    let is_once = |local: &LocalId| births.get(local).is_none_or(|births| *births <= 1);
    locals.map(|(id, _)| id).filter(is_once).map(|local| Object::Local(entry, local)).collect()
}

fn is_on_circle(graph: &FlowGraph, block: BlockId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<BlockId> = graph.successors(block).to_vec();
    while let Some(next) = open.pop() {
        if next == block {
            return true;
        }
        if seen.insert(next) {
            open.extend(graph.successors(next));
        }
    }
    false
}

fn is_function(operand: &Operand, id: FunctionId) -> bool {
    *operand == Operand::Const(Const::Function(id))
}

/// The functions that pointers may lead to: those that are named other than for being called.
fn functions_that_are_values(program: &Program) -> BTreeSet<FunctionId> {
    let mut named = BTreeSet::new();
    let initial = program.globals.iter().flat_map(|global| &global.initial);
    for (_, value) in initial {
        named.extend(as_function(value));
    }
    visit_instructions(program, &mut |kind| {
        let InstructionKind::Call { arguments, .. } = kind else { return };
        named.extend(arguments.iter().filter_map(of_operand));
    });
    for function in &program.functions {
        for (block, _) in function.blocks() {
            for (_, step) in steps(function, block) {
                let is_call = matches!(step, Step::Instruction(one) if matches!(one.kind, InstructionKind::Call { .. }));
                if !is_call {
                    uses::visit_operands(step, &mut |operand| named.extend(of_operand(operand)));
                }
            }
        }
    }
    named
}

fn as_function(value: &Const) -> Option<FunctionId> {
    match value {
        Const::Function(id) => Some(*id),
        _ => None,
    }
}

fn of_operand(operand: &Operand) -> Option<FunctionId> {
    match operand {
        Operand::Const(value) => as_function(value),
        Operand::Local(_) => None,
    }
}

fn visit_instructions<'p>(program: &'p Program, visit: &mut impl FnMut(&'p InstructionKind)) {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).for_each(|one| visit(&one.kind));
}

fn visit_operands<'p>(program: &'p Program, visit: &mut impl FnMut(&'p Operand)) {
    for function in &program.functions {
        for (block, _) in function.blocks() {
            for (_, step) in steps(function, block) {
                uses::visit_operands(step, visit);
            }
        }
    }
}

/// The numbers of the program and their neighbours, if these are few, in order.
fn landmarks(program: &Program) -> Landmarks {
    let mut marks = BTreeSet::from([Integer::ZERO]);
    visit_operands(program, &mut |operand| {
        if let Operand::Const(Const::Int(number, _)) = operand
            && marks.len() <= MOST_LANDMARKS
        {
            let one = Integer::ONE;
            marks.extend([number.sub(&one), number.clone(), number.add(&one)]);
        }
    });
    let few = if marks.len() <= MOST_LANDMARKS { marks } else { BTreeSet::from([Integer::ZERO]) };
    few.into_iter().collect()
}
