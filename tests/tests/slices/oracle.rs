//! One loop and its slice, run side by side.
//!
//! The program is cut off behind the loop: where it is left, the number of the exit and the values of the
//! variables asked for are put out, and the program ends. So the loop and its slice start in the same
//! state and are compared where the first of their visits ends.

use crate::tracer::Tracer;
use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{End, Interpreter, Observer, Options, Run, RunLength};
use loupe_integer::Integer;
use loupe_ir::analysis::dominators::Dominators;
use loupe_ir::analysis::graph::FlowGraph;
use loupe_ir::analysis::loops::{LoopForest, LoopId};
use loupe_ir::analysis::slice::{Criterion, Inputs, Slice, Sliced, Slicer, Variable, apply};
use loupe_ir::analysis::uses::Effects;
use loupe_ir::program::{
    Base, Block, BlockId, Const, Function, FunctionId, GlobalId, Instruction, InstructionKind,
    Local, LocalId, Operand, Place, Program, Rvalue, Storage, Terminator, TerminatorKind,
};
use loupe_ir::types::{IntType, TypeId};
use loupe_ir::validate::validate;
use std::fmt;

/// How many instructions a run may take.
const STEPS: u64 = 4_000;

/// How many streams of inputs each loop is run with.
const STREAMS: u64 = 4;

/// Numbers like those of Steele, Lea and Flood, *Fast splittable pseudorandom number generators* (2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    loops: usize,
    simpler: usize,
    /// Slices that were compared with their loop in runs that left it.
    left: usize,
    /// Runs that did not leave the loop.
    not_left: usize,
    /// Slices in functions that call themselves.
    recursive: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        self.loops += other.loops;
        self.simpler += other.simpler;
        self.left += other.left;
        self.not_left += other.not_left;
        self.recursive += other.recursive;
    }

    /// That there was something to compare.
    pub(crate) fn assert_meaningful(&self) {
        assert!(self.loops > 50 && self.simpler * 4 > self.loops, "{self}");
        assert!(self.left * 2 > self.loops, "{self}");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { loops, simpler, left, not_left, recursive } = self;
        write!(
            f,
            "{simpler} of {loops} slices are simpler; {left} runs left the loop, {not_left} did not; \
             {recursive} slices call their function"
        )
    }
}

/// Compares slices of all loops of a program with the loops.
pub(crate) fn check_program(program: &Program, seed: u64) -> Result<Tally, String> {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    for (id, function) in program.functions() {
        if !program.sources.is_users(function.span) {
            continue;
        }
        let graph = FlowGraph::new(function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        for (number, this) in forest.iter() {
            let numbers = numbers(program, function, forest.blocks(number));
            let mut questions = vec![(Vec::new(), Inputs::Positions), (Vec::new(), Inputs::Fresh)];
            if !numbers.is_empty() {
                let one = numbers[random.below(numbers.len() as u64) as usize];
                questions.extend([(vec![one], Inputs::Positions), (vec![one], Inputs::Fresh)]);
                questions.push((numbers, Inputs::Positions));
            }
            for (wanted, inputs) in questions {
                let cut = cut_off(program, id, &forest, number, &wanted);
                {
                    let criterion = Criterion::variables(wanted.clone()).with_inputs(inputs);
                    let case = Case { program: &cut, function: id, header: this.header, criterion };
                    let line = this.line(function);
                    let at =
                        |error| format!("`{}` line {line}, {wanted:?}: {error}", function.name);
                    case.check(&mut random, &mut tally).map_err(at)?;
                }
            }
        }
    }
    Ok(tally)
}

/// The integer variables that some blocks write.
fn numbers(program: &Program, function: &Function, blocks: &[BlockId]) -> Vec<Variable> {
    let effects = Effects::of_blocks(program, function, blocks);
    let is_number = |ty: TypeId| program.types.as_int(ty).is_some();
    let locals = effects.writes.iter().filter(|local| {
        let local = function.local(**local);
        local.name.is_some() && is_number(local.ty)
    });
    let globals = program.globals.iter().zip(0..).filter(|(global, _)| is_number(global.ty));
    let globals = globals.map(|(_, number)| Variable::Global(GlobalId(number)));
    locals.map(|local| Variable::Local(*local)).chain(globals.take(4)).collect()
}

/// The program that puts out `wanted` where the loop is left, and ends.
fn cut_off(
    program: &Program,
    id: FunctionId,
    forest: &LoopForest,
    number: LoopId,
    wanted: &[Variable],
) -> Program {
    let mut program = program.clone();
    let this = forest.get(number);
    let like = program.function(id).block(this.header).terminator.clone();
    for (exit, edge) in this.exits.iter().enumerate() {
        let mut block = Block {
            instructions: vec![instruction(&like, InstructionKind::Output(constant(exit)))],
            terminator: like.clone(),
        };
        for variable in wanted {
            put_out(&mut program, id, &mut block, *variable);
        }
        let function = &mut program.functions[id.index()];
        let outside = BlockId(function.blocks.len() as u32);
        let end = BlockId(outside.0 + 1);
        // What comes behind stays where it was, so that the graph is the same as before.
        let condition = Operand::Const(Const::Bool(true));
        block.terminator.kind = TerminatorKind::Branch { condition, then: end, otherwise: edge.to };
        let kind = TerminatorKind::Exit(constant(0));
        let terminator = Terminator { kind, ..like.clone() };
        function.blocks.extend([block, Block { instructions: Vec::new(), terminator }]);
        let from = &mut function.blocks[edge.from.index()];
        for next in from.terminator.kind.successors_mut().filter(|next| **next == edge.to) {
            *next = outside;
        }
    }
    program
}

fn constant(number: usize) -> Operand {
    Operand::Const(Const::Int(Integer::from(number), IntType::Unbounded))
}

fn instruction(like: &Terminator, kind: InstructionKind) -> Instruction {
    Instruction { kind, span: like.span, statement: like.statement }
}

fn put_out(program: &mut Program, id: FunctionId, block: &mut Block, variable: Variable) {
    let like = block.terminator.clone();
    let function = &mut program.functions[id.index()];
    let (base, ty) = match variable {
        Variable::Local(local) if function.local(local).storage == Storage::Register => {
            let kind = InstructionKind::Output(Operand::Local(local));
            block.instructions.push(instruction(&like, kind));
            return;
        }
        Variable::Local(local) => (Base::Local(local), function.local(local).ty),
        Variable::Global(global) => (Base::Global(global), program.globals[global.index()].ty),
    };
    let target = LocalId(function.locals.len() as u32);
    function.locals.push(Local { name: None, ty, storage: Storage::Register, span: like.span });
    let value = Rvalue::Load(Place { base, projections: Vec::new() });
    block.instructions.push(instruction(&like, InstructionKind::Assign { target, value }));
    block.instructions.push(instruction(&like, InstructionKind::Output(Operand::Local(target))));
}

/// What a run did.
struct Seen {
    left: bool,
    took_inputs: bool,
}

/// A loop of a program that ends behind it, and a question.
struct Case<'a> {
    program: &'a Program,
    function: FunctionId,
    header: BlockId,
    criterion: Criterion,
}

impl Case<'_> {
    fn check(&self, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
        let function = self.program.function(self.function);
        let graph = FlowGraph::new(function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let number = forest.headed_by(self.header).ok_or("the loop is gone")?;
        let slicer = Slicer::new(self.program);
        let slice = slicer
            .slice(self.function, number, &self.criterion)
            .map_err(|error| error.to_string())?;
        let sliced = apply(self.program, &slice).map_err(|error| error.to_string())?;
        validate(&sliced.program).map_err(|violation| violation.to_string())?;
        self.check_place(&forest, number, &sliced)?;
        tally.loops += 1;
        tally.simpler += usize::from(slice.is_simpler());
        let runs = sliced.function == self.function || sliced.program.entry == sliced.function;
        if !runs {
            tally.recursive += 1;
            return Ok(());
        }
        for _ in 0..STREAMS {
            // Some streams without negative numbers: there are programs that want none.
            let (count, lowest) = (random.below(16), -4 * random.below(2).cast_signed());
            let inputs: Vec<i64> =
                (0..count).map(|_| random.below(10).cast_signed() + lowest).collect();
            let blocks = forest.blocks(number);
            let seen = self.compare(&slice, &sliced, blocks, &inputs)?;
            tally.left += usize::from(seen.left);
            tally.not_left += usize::from(!seen.left);
            if !seen.took_inputs {
                break;
            }
        }
        Ok(())
    }

    /// That the loop is found in the new program, at the same place of the source, with the same exits.
    fn check_place(&self, forest: &LoopForest, id: LoopId, sliced: &Sliced) -> Result<(), String> {
        let function = sliced.program.function(sliced.function);
        let graph = FlowGraph::new(function);
        let new_forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let new = new_forest.headed_by(sliced.header).ok_or("the slice is no loop")?;
        let (this, new) = (forest.get(id), new_forest.get(new));
        if this.exits.len() != new.exits.len() {
            return Err(format!("{} exits became {}", this.exits.len(), new.exits.len()));
        }
        let old_line = this.line(self.program.function(self.function));
        if old_line != new.line(function) {
            return Err(format!("line {old_line} became {}", new.line(function)));
        }
        Ok(())
    }

    /// Runs both.
    fn compare(
        &self,
        slice: &Slice,
        sliced: &Sliced,
        blocks: &[BlockId],
        inputs: &[i64],
    ) -> Result<Seen, String> {
        let mut profile = Profile::new(self.program);
        let (run, output) = run(self.program, inputs, &mut profile);
        profile.finish(&run);
        let number = profile.forest(self.function).headed_by(self.header);
        let counted = profile.loop_profile(self.function, number.ok_or("the loop is gone")?);
        if counted.completed.is_none() || !matches!(run.end, End::Exited(_)) {
            return Ok(Seen { left: false, took_inputs: run.positions.input > 0 });
        }
        let inputs = match self.criterion.inputs {
            Inputs::Positions => inputs.to_vec(),
            Inputs::Fresh => self.kept_inputs(slice, blocks, inputs),
        };
        let mut new_profile = Profile::new(&sliced.program);
        let (new_run, new_output) = self::run(&sliced.program, &inputs, &mut new_profile);
        new_profile.finish(&new_run);
        let new_forest = new_profile.forest(sliced.function);
        let new_number = new_forest.headed_by(sliced.header).ok_or("the slice is no loop")?;
        let new_counted = new_profile.loop_profile(sliced.function, new_number);
        let wrong = |what: &str| {
            let text = loupe_ir::text::print(&sliced.program);
            let name = &sliced.program.function(sliced.function).name;
            let shown: String = text.split("\nfn ").filter(|f| f.contains(name)).collect();
            Err(format!("{what}, inputs {inputs:?}, {:?}\n{shown}", self.criterion))
        };
        let criterion = &self.criterion;
        if behind_loop(&output, criterion) != behind_loop(&new_output, criterion) {
            return wrong(&format!("{output:?} became {new_output:?}, {:?}", new_run.end));
        }
        if counted.completed != new_counted.completed {
            return wrong(&format!("{:?} became {:?}", counted.completed, new_counted.completed));
        }
        if new_run.steps > run.steps {
            return wrong("the slice takes longer");
        }
        self.compare_inner(&profile, &new_profile, slice, sliced)?;
        Ok(Seen { left: true, took_inputs: run.positions.input > 0 })
    }

    /// That the loops that are still there iterate as often as before.
    fn compare_inner(
        &self,
        profile: &Profile<'_>,
        new_profile: &Profile<'_>,
        slice: &Slice,
        sliced: &Sliced,
    ) -> Result<(), String> {
        let forest = profile.forest(self.function);
        let outer = forest.headed_by(self.header).ok_or("the loop is gone")?;
        for (id, this) in
            forest.iter().filter(|(id, l)| *id != outer && forest.contains(outer, l.header))
        {
            let dropped = slice.dropped.loops.iter().any(|dropped| dropped.header == this.header);
            let header = sliced.blocks.get(this.header.index()).copied().flatten();
            let new_forest = new_profile.forest(sliced.function);
            let new = header.and_then(|header| new_forest.headed_by(header));
            match new {
                None if dropped => {}
                None => return Err("an inner loop is gone that was not dropped".to_owned()),
                Some(_) if dropped => return Err("a dropped loop is still there".to_owned()),
                Some(new) => {
                    let old = profile.loop_profile(self.function, id).iterations;
                    let new = new_profile.loop_profile(sliced.function, new).iterations;
                    if old != new {
                        return Err(format!("{old} iterations of an inner loop became {new}"));
                    }
                }
            }
        }
        Ok(())
    }

    /// The inputs that the slice takes, too.
    fn kept_inputs(&self, slice: &Slice, blocks: &[BlockId], inputs: &[i64]) -> Vec<i64> {
        let mut tracer = Tracer::new(self.program, slice, blocks);
        run(self.program, inputs, &mut tracer);
        // Behind the end of the inputs one is like the other.
        let known = inputs.iter().zip(tracer.kept);
        known.filter(|(_, kept)| *kept).map(|(input, _)| *input).collect()
    }
}

/// What the cut-off program put out behind the loop: the last numbers. What was put out before may have
/// been dropped.
fn behind_loop<'o>(output: &'o [Integer], criterion: &Criterion) -> &'o [Integer] {
    &output[output.len().saturating_sub(1 + criterion.variables.len())..]
}

fn run(program: &Program, inputs: &[i64], observer: &mut impl Observer) -> (Run, Vec<Integer>) {
    let entry = program.function(program.entry);
    let options = Options {
        arguments: (0..entry.params).map(Integer::from).collect(),
        input: Box::new(inputs.iter().map(|input| Integer::from(*input)).collect::<RunLength>()),
        max_steps: Some(STEPS),
        max_depth: 300,
        max_cells: 100_000,
        max_bits: 10_000,
        ..Options::default()
    };
    let mut output = Vec::new();
    let run = Interpreter::new(program, options).run(&mut output, observer);
    (run, output)
}
