//! Programs, stacks, and answers by brute force.

use super::generator::Generator;
use super::{Location, StateKey, Waiting};
use loupe_ir::program::{
    BlockId, Const, FunctionId, InstructionKind, Operand, Program, TerminatorKind,
};
use loupe_ir::source::Sources;
use loupe_microc::{Dialect, ast, lower, parse, resolve};
use std::collections::{BTreeSet, HashSet};

/// Calls, recursion, a loop, a function that does not return, a function pointer.
pub(super) const PROGRAM: &str = "
fac(n) { var f; if (n == 0) { f = 1; } else { f = n * fac(n - 1); } return f; }
odd(n) { var r; r = 0; if (n > 0) { r = even(n - 1); } return r; }
even(n) { var r; r = 1; if (n > 0) { r = odd(n - 1); } return r; }
forever(n) { if (n == 0) { n = 1; } return forever(n + 1); }
twice(f, n) { var a, b; a = f(n); b = f(a); return a + b; }
main() {
  var x, y;
  x = input;
  y = fac(x) + odd(x);
  if (y > 3) { y = forever(y); output y; }
  while (x > 0) { x = x - 1; if (x == 7) { output x; } }
  y = twice(fac, x);
  if (y == 2) { output 1; } else { output even(y); }
  return 0;
}
";

pub(super) fn compile(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.mc", text);
    let tree = parse(file, text).expect("a program");
    let resolution = resolve(&tree).expect("known names");
    lower(&tree, &resolution, sources, Dialect::default())
}

pub(super) fn lowered(tree: &ast::Program) -> Program {
    lower(tree, &resolve(tree).expect("known names"), Sources::new(), Dialect::default())
}

pub(super) fn function(program: &Program, name: &str) -> FunctionId {
    let mut all = program.functions();
    all.find(|(_, function)| function.name == name).expect("such a function").0
}

pub(super) fn start(function: FunctionId, block: BlockId) -> Location {
    Location { function, block, next: 0 }
}

pub(super) fn starts(program: &Program) -> Vec<Location> {
    let all = program.functions();
    all.flat_map(|(id, function)| function.blocks().map(move |(block, _)| start(id, block)))
        .collect()
}

pub(super) fn waiting(key: u64, stack: &[Location]) -> Waiting {
    Waiting { key: StateKey(key), stack: stack.into() }
}

/// The stack at the start of the program.
pub(super) fn entry(program: &Program) -> Vec<Location> {
    vec![start(program.entry, BlockId(0))]
}

/// The functions that a computed call may lead to, found in the text of all that is no callee.
fn pointed_to(program: &Program) -> Vec<FunctionId> {
    let mut text = format!("{:?}", program.globals);
    for block in program.functions.iter().flat_map(|function| &function.blocks) {
        text += &format!("{:?}", block.terminator.kind);
        for instruction in &block.instructions {
            let mut kind = instruction.kind.clone();
            if let InstructionKind::Call { callee, .. } = &mut kind {
                *callee = Operand::Const(Const::Null);
            }
            text += &format!("{kind:?}");
        }
    }
    let all = program.functions().map(|(id, _)| id);
    all.filter(|id| text.contains(&format!("Function({id:?})"))).collect()
}

/// The stacks after one step from another.
pub(super) fn successors(program: &Program, stack: &[Location]) -> Vec<Vec<Location>> {
    let Some((place, outer)) = stack.split_last() else { return Vec::new() };
    let block = program.function(place.function).block(place.block);
    let on = |top: &[Location]| [outer, top].concat();
    let Some(instruction) = block.instructions.get(place.next) else {
        return match &block.terminator.kind {
            TerminatorKind::Return(_) => vec![outer.to_vec()],
            kind => kind.successors().map(|next| on(&[start(place.function, next)])).collect(),
        };
    };
    let behind = Location { next: place.next + 1, ..*place };
    let InstructionKind::Call { callee, arguments, .. } = &instruction.kind else {
        return vec![on(&[behind])];
    };
    let callees = match callee {
        Operand::Const(Const::Function(id)) => vec![*id],
        _ => pointed_to(program)
            .into_iter()
            .filter(|id| program.function(*id).params == arguments.len())
            .collect(),
    };
    callees.into_iter().map(|id| on(&[behind, start(id, BlockId(0))])).collect()
}

/// How many steps the shortest execution takes that has executed one of `goals`, if it is at most `limit`:
/// breadth first over stacks.
pub(super) fn brute_force(
    program: &Program,
    stack: &[Location],
    goals: &BTreeSet<Location>,
    limit: u64,
) -> Option<u64> {
    let mut seen = HashSet::new();
    let mut level = vec![stack.to_vec()];
    for steps in 1..=limit {
        if level.iter().any(|stack| stack.last().is_some_and(|place| goals.contains(place))) {
            return Some(steps);
        }
        let next = level.iter().flat_map(|stack| successors(program, stack));
        level = next.filter(|stack| seen.insert(stack.clone())).collect();
    }
    None
}

/// Where a random execution stands after at most so many steps; never at its end.
pub(super) fn random_stack(program: &Program, steps: u64, seed: u64) -> Vec<Location> {
    let mut generator = Generator::new(seed);
    let mut stack = entry(program);
    for _ in 0..steps {
        let next = successors(program, &stack);
        let Some(next) = next.get(generator.index(next.len())) else { break };
        if next.is_empty() {
            break;
        }
        stack.clone_from(next);
    }
    stack
}

/// Whether `counts` may be those of draws with probabilities proportional to `weights`: Pearson's χ² is at
/// most its mean plus five times its standard deviation.
#[track_caller]
pub(super) fn assert_likely(counts: &[u64], weights: &[f64]) {
    let (draws, sum) = (counts.iter().sum::<u64>() as f64, weights.iter().sum::<f64>());
    let expected = weights.iter().map(|weight| draws * weight / sum);
    let terms = counts.iter().zip(expected).map(|(seen, expected)| {
        assert!(expected >= 5.0, "too few draws for this test");
        (*seen as f64 - expected).powi(2) / expected
    });
    let freedom = counts.len() as f64 - 1.0;
    let distance: f64 = terms.sum();
    assert!(
        distance <= freedom + 5.0 * (2.0 * freedom).sqrt(),
        "{counts:?} by {weights:?}: {distance}"
    );
}
