//! Random walks through random graphs: irreducible ones, exits from several loops at once, calls
//! anywhere.

use super::super::*;
use super::check_counts;
use super::oracle::Recorder;
use crate::concrete::{End, Halt, Limit, Positions};
use loupe_integer::Integer;
use loupe_ir::program::{Block, Const, Operand, StatementId, Symbols, Terminator, TerminatorKind};
use loupe_ir::source::{FileId, Position, Sources, Span};
use loupe_ir::types::{IntType, Types};
use proptest::prelude::*;

const SPAN: Span = Span::new(FileId(0), Position::new(1, 1), Position::new(1, 2));

/// A program of empty blocks with these successors.
fn program(functions: &[Vec<Vec<u32>>]) -> Program {
    let block = |targets: &Vec<u32>, count: u32| {
        let targets: Vec<BlockId> = targets.iter().map(|to| BlockId(to % count)).collect();
        let kind = match targets[..] {
            [] => TerminatorKind::Return(None),
            [next] => TerminatorKind::Goto(next),
            [then, otherwise] => {
                let condition = Operand::Const(Const::Bool(true));
                TerminatorKind::Branch { condition, then, otherwise }
            }
            [default, ref cases @ ..] => {
                let value = Operand::Const(Const::Int(Integer::ZERO, IntType::Unbounded));
                let cases = (0..).map(Integer::from).zip(cases.iter().copied()).collect();
                TerminatorKind::Switch { value, cases, default }
            }
        };
        let terminator = Terminator { kind, span: SPAN, statement: StatementId(0) };
        Block { instructions: Vec::new(), terminator }
    };
    let function = |blocks: &Vec<Vec<u32>>| Function {
        name: "f".to_owned(),
        params: 0,
        result: None,
        locals: Vec::new(),
        statements: vec![SPAN],
        blocks: blocks.iter().map(|targets| block(targets, blocks.len() as u32)).collect(),
        span: SPAN,
    };
    Program {
        sources: Sources::new(),
        types: Types::new(1),
        symbols: Symbols::default(),
        globals: Vec::new(),
        functions: functions.iter().map(function).collect(),
        entry: FunctionId(0),
    }
}

/// Goes where the choices lead, calls now and then, and returns where nothing else is possible.
fn walk(program: &Program, choices: &[u8], observer: &mut impl Observer) {
    let mut stack = vec![(FunctionId(0), BlockId(0))];
    observer.called(FunctionId(0));
    for choice in choices.iter().map(|choice| usize::from(*choice)) {
        let deep = stack.len() > 5;
        let Some((function, block)) = stack.last_mut() else { break };
        let terminator = &program.function(*function).block(*block).terminator;
        let successors: Vec<BlockId> = terminator.kind.successors().collect();
        if choice % 16 == 0 && !deep {
            let callee = FunctionId((choice / 16 % program.functions.len()) as u32);
            stack.push((callee, BlockId(0)));
            observer.called(callee);
        } else if successors.is_empty() {
            stack.pop();
            if !stack.is_empty() {
                observer.returned();
            }
        } else {
            let next = successors[choice % successors.len()];
            observer.edge(*function, *block, next);
            *block = next;
        }
    }
}

fn end() -> Run {
    let end = End::Halted(Halt::Limit(Limit::Interrupted));
    Run { end, stack: Vec::new(), steps: 0, positions: Positions::default() }
}

fn profiled<'p>(program: &'p Program, walks: &[Vec<u8>], limits: PathLimits) -> Profile<'p> {
    let mut profile = Profile::with_limits(program, limits);
    for choices in walks {
        walk(program, choices, &mut profile);
        profile.finish(&end());
    }
    profile
}

fn graphs() -> impl Strategy<Value = Vec<Vec<Vec<u32>>>> {
    let targets = prop_oneof![
        1 => prop::collection::vec(0u32..64, 0..1),
        8 => prop::collection::vec(0u32..64, 1..4),
    ];
    prop::collection::vec(prop::collection::vec(targets, 1..10), 1..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn walks_are_counted_by_definition(
        graphs in graphs(),
        choices in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let program = program(&graphs);
        let profile = profiled(&program, std::slice::from_ref(&choices), PathLimits::default());
        let mut recorder = Recorder::default();
        walk(&program, &choices, &mut recorder);
        check_counts(&program, &profile, &recorder);
    }

    /// The first paths are those that an unlimited profile finds first, and nothing is lost.
    #[test]
    fn limits_leave_the_sums_alone(
        graphs in graphs(),
        walks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..3),
        paths in 0usize..4,
        beginnings in 0usize..8,
    ) {
        let program = program(&graphs);
        let all = profiled(&program, &walks, PathLimits::default());
        let first = PathLimits { paths, ..PathLimits::default() };
        let first = profiled(&program, &walks, first);
        let few = profiled(&program, &walks, PathLimits { paths, beginnings });
        for (function, _) in program.functions() {
            for (id, expected) in all.loops(function) {
                let limited = first.loop_profile(function, id);
                let shown = paths.min(expected.paths.len());
                prop_assert_eq!(&limited.paths[..], &expected.paths[..shown]);
                let shown = paths.min(expected.exit_paths.len());
                prop_assert_eq!(&limited.exit_paths[..], &expected.exit_paths[..shown]);
                for limited in [limited, few.loop_profile(function, id)] {
                    let iterations: u64 = limited.paths.iter().map(|path| path.count).sum();
                    prop_assert_eq!(iterations + limited.other_iterations, expected.iterations);
                    let ends: u64 = limited.exit_paths.iter().map(|path| path.count).sum();
                    prop_assert_eq!(ends + limited.other_exits, expected.entries);
                    prop_assert!(limited.paths.iter().all(|p| expected.paths.contains(p)));
                    prop_assert_eq!(limited.exits, expected.exits.clone());
                    prop_assert_eq!(limited.completed, expected.completed);
                }
            }
        }
    }
}

/// One edge can leave two loops at once; the path of the outer one ends at the inner one.
#[test]
fn an_edge_can_leave_several_loops() {
    // 0 -> 1 (outer) -> 2 (inner) -> 3 -> {2, 1, 4, 5}
    let graph = vec![vec![1], vec![2], vec![3], vec![2, 1, 4, 5], vec![], vec![]];
    let program = program(&[graph]);
    // The successors of a switch end with the default, which is 2 here.
    let choices = vec![1, 1, 1, 3, 1, 4, 1, 1, 5];
    let profile = profiled(&program, &[choices], PathLimits::default());
    let edge = |from, to| Edge { from: BlockId(from), to: BlockId(to) };
    let range = |fewest, most| Some(IterationRange { fewest, most });
    let exit = |edge, count, iterations| ExitProfile { edge, count, iterations };
    let outer = profile.loop_profile(FunctionId(0), LoopId(0));
    assert_eq!(outer.exits, [exit(edge(3, 4), 1, range(1, 1)), exit(edge(3, 5), 0, None)]);
    let blocks = vec![BlockId(1), BlockId(2)];
    assert_eq!(outer.paths, [PathProfile { blocks: blocks.clone(), count: 1, most: 1 }]);
    let end = ExitPathProfile { blocks, exit: Some(edge(3, 4)), count: 1 };
    assert_eq!(outer.exit_paths, [end]);
    let inner = profile.loop_profile(FunctionId(0), LoopId(1));
    assert_eq!((inner.entries, inner.iterations, inner.completed), (2, 1, range(0, 1)));
    let exits = [
        exit(edge(3, 1), 1, range(1, 1)),
        exit(edge(3, 4), 1, range(0, 0)),
        exit(edge(3, 5), 0, None),
    ];
    assert_eq!(inner.exits, exits);
}

/// A cycle with two entries is no loop.
#[test]
fn an_irreducible_cycle_is_covered_but_not_counted() {
    let graph = vec![vec![1, 2], vec![2, 3], vec![1, 3], vec![]];
    let program = program(&[graph]);
    let profile = profiled(&program, &[vec![2, 2, 2, 2, 1]], PathLimits::default());
    assert_eq!(profile.loops(FunctionId(0)).count(), 0);
    assert_eq!(profile.block_counts(FunctionId(0)), [1, 2, 2, 1]);
    assert_eq!(profile.coverage().branches, Tally { covered: 4, total: 6 });
}
