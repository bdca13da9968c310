use super::*;
use crate::analysis::dominators::Dominators;
use crate::analysis::graph::Edge;
use crate::analysis::location::Location;
use crate::analysis::loops::{LoopForest, LoopId};
use crate::analysis::testing::{Op, REGISTERS, Sample, program, samples};
use crate::source::Sources;
use crate::types::Types;
use proptest::prelude::*;

const RECURSIVE: Method = Method::Recursive { kappa: 1 };
const LATTICE: Method = Method::Lattice { cap: 10 };

/// The estimate at the start of a block of the first function with this name.
fn at(text: &str, method: Method, function: &str, block: u32, variable: Variable) -> u64 {
    let program = program(text);
    let (id, _) = program.functions().find(|(_, f)| f.name == function).expect("a function");
    Costs::new(&program, method).at(id, BlockId(block), variable)
}

fn local(number: u32) -> Variable {
    Variable::Local(LocalId(number))
}

#[test]
fn branches_are_added_up_or_the_larger_one_counts() {
    let text = "entry @main
        fn @main(x%0: i32, y%1: i32) {
        let %2: bool
        let %3: bool
        b0:
        %2 = lt x%0, y%1
        branch %2, b1, b2
        b1:
        check division-by-zero nonzero x%0
        goto b3
        b2:
        goto b3
        b3:
        %3 = lt x%0, 5i32
        branch %3, b4, b4
        b4:
        check division-by-zero nonzero x%0
        return
        }";
    // The last branch decides nothing.
    assert_eq!(at(text, RECURSIVE, "main", 0, local(0)), 1 + 2 + 1);
    assert_eq!(at(text, LATTICE, "main", 0, local(0)), 1 + 2);
    assert_eq!(at(text, RECURSIVE, "main", 0, local(1)), 1);
    assert_eq!(at(text, RECURSIVE, "main", 1, local(1)), 0);
    assert_eq!(at(text, Method::Lattice { cap: 2 }, "main", 0, local(0)), 2);
}

#[test]
fn a_condition_counts_once_for_what_is_in_it_twice() {
    let text = "entry @main
        fn @main(x%0: i32) {
        let %1: i32
        let %2: i32
        let %3: bool
        b0:
        %1 = mul x%0, x%0
        %2 = add x%0, %1
        %3 = gt %2, 3i32
        branch %3, b1, b2
        b1:
        return
        b2:
        return
        }";
    assert_eq!(at(text, RECURSIVE, "main", 0, local(0)), 1);
}

#[test]
fn queries_go_over_to_what_a_value_was_computed_from() {
    let text = "entry @main
        fn @main(x%0: i32, y%1: i32, z%2: i32) {
        b0:
        x%0 = add y%1, 1i32
        goto b1
        b1:
        check division-by-zero nonzero x%0
        check division-by-zero nonzero y%1
        z%2 = 1i32
        check division-by-zero nonzero z%2
        x%0 = add x%0, 1i32
        goto b2
        b2:
        check division-by-zero nonzero x%0
        return
        }";
    for method in [RECURSIVE, LATTICE] {
        assert_eq!(at(text, method, "main", 0, local(0)), 0, "it is overwritten");
        assert_eq!(at(text, method, "main", 0, local(1)), 3);
        assert_eq!(at(text, method, "main", 1, local(0)), 2);
        assert_eq!(at(text, method, "main", 0, local(2)), 0);
    }
    let program = program(text);
    let costs = Costs::new(&program, RECURSIVE);
    let from = |index| costs.at_point(FunctionId(0), BlockId(1), index, local(0));
    assert_eq!((0..7).map(from).collect::<Vec<_>>(), [2, 1, 1, 1, 1, 1, 1]);
    let all = |index| costs.total_at_point(FunctionId(0), BlockId(1), index);
    assert_eq!((0..7).map(all).collect::<Vec<_>>(), [4, 3, 2, 2, 1, 1, 1]);
}

/// A loop that tests first, with another such loop in it.
const NESTED: &str = "entry @main
    fn @main(x%0: i32, y%1: i32) {
    let %2: bool
    let %3: bool
    b0:
    goto b1
    b1:
    %2 = lt x%0, 9i32
    branch %2, b2, b4
    b2:
    %3 = lt y%1, 9i32
    branch %3, b3, b1
    b3:
    y%1 = add y%1, 1i32
    goto b2
    b4:
    return
    }";

#[test]
fn loops_are_gone_through_so_many_times() {
    let x = |kappa| at(NESTED, Method::Recursive { kappa }, "main", 1, local(0));
    // The inner loop is left in κ + 1 ways, each of which leads back.
    assert_eq!([x(1), x(2), x(3)], [1 + 2, 1 + 3 * (1 + 3), 1 + 4 * (1 + 4 * (1 + 4))]);
    let y = |kappa, block| at(NESTED, Method::Recursive { kappa }, "main", block, local(1));
    assert_eq!([y(1, 1), y(1, 2), y(1, 3)], [2, 2, 1]);
    assert_eq!(y(2, 4), 0);
    for block in 0..4 {
        assert_eq!(at(NESTED, LATTICE, "main", block, local(0)), 10);
        assert_eq!(at(NESTED, LATTICE, "main", block, local(1)), 10);
    }
    assert_eq!(at(NESTED, LATTICE, "main", 4, local(1)), 0);
}

#[test]
fn a_loop_that_tests_last_runs_once() {
    let text = "entry @main
        fn @main(x%0: i32) {
        let %1: bool
        b0:
        goto b1
        b1:
        %1 = lt x%0, 9i32
        branch %1, b1, b2
        b2:
        return
        }";
    assert_eq!(at(text, RECURSIVE, "main", 0, local(0)), 1);
    assert_eq!(at(text, Method::Recursive { kappa: 3 }, "main", 0, local(0)), 3);
}

const CALLS: &str = "entry @main
    global g%0: i32
    fn @main(x%0: i32, y%1: i32) {
    let %2: i32
    b0:
    %2 = call @f(x%0, y%1)
    check division-by-zero nonzero %2
    check division-by-zero nonzero y%1
    return
    }
    fn @f(a%0: i32, b%1: i32) -> i32 {
    let %2: i32
    b0:
    check division-by-zero nonzero a%0
    check division-by-zero nonzero a%0
    %2 = load global g%0
    check division-by-zero nonzero %2
    return b%1
    }";

#[test]
fn calls_ask_about_their_arguments_and_carry_them_on() {
    for method in [RECURSIVE, LATTICE] {
        assert_eq!(at(CALLS, method, "main", 0, local(0)), 2);
        assert_eq!(
            at(CALLS, method, "main", 0, local(1)),
            2,
            "once by its name, once as the result"
        );
        assert_eq!(at(CALLS, method, "main", 0, local(2)), 0);
        assert_eq!(at(CALLS, method, "main", 0, Variable::Global(GlobalId(0))), 1);
        assert_eq!(at(CALLS, method, "f", 0, local(1)), 0, "in the function itself");
    }
    let program = program(CALLS);
    let costs = Costs::new(&program, RECURSIVE);
    let behind = |variable| costs.at_point(FunctionId(0), BlockId(0), 1, variable);
    assert_eq!([behind(local(0)), behind(local(1)), behind(local(2))], [0, 1, 1]);
    assert_eq!(costs.total_at(FunctionId(0), BlockId(0)), 5);
    assert_eq!(costs.total_at_point(FunctionId(0), BlockId(0), 1), 2);
}

#[test]
fn calls_write_global_variables() {
    let text = "entry @main
        global g%0: i32
        global h%1: i32
        fn @main(x%0: i32) {
        let %1: i32
        b0:
        call @set(x%0)
        %1 = load global g%0
        check division-by-zero nonzero %1
        return
        }
        fn @set(a%0: i32) {
        b0:
        call @inner(a%0)
        return
        }
        fn @inner(a%0: i32) {
        let %1: i32
        b0:
        %1 = load global h%1
        %1 = add %1, a%0
        store global g%0, %1
        return
        }";
    assert_eq!(at(text, RECURSIVE, "main", 0, local(0)), 1);
    assert_eq!(at(text, RECURSIVE, "main", 0, Variable::Global(GlobalId(0))), 0, "overwritten");
    assert_eq!(at(text, RECURSIVE, "main", 0, Variable::Global(GlobalId(1))), 1);
}

#[test]
fn what_comes_behind_a_call_that_never_returns_does_not_count() {
    let text = "entry @main
        fn @main(x%0: i32) {
        b0:
        check division-by-zero nonzero x%0
        call @stop()
        check division-by-zero nonzero x%0
        return
        }
        fn @stop() {
        b0:
        abort
        }";
    assert_eq!(at(text, RECURSIVE, "main", 0, local(0)), 1);
}

#[test]
fn functions_call_themselves_so_many_times() {
    let text = "entry @main
        fn @main(x%0: i32) {
        b0:
        call @f(x%0)
        return
        }
        fn @f(a%0: i32) {
        let %1: bool
        b0:
        %1 = lt a%0, 1i32
        branch %1, b1, b2
        b1:
        return
        b2:
        a%0 = sub a%0, 1i32
        call @g(a%0)
        return
        }
        fn @g(a%0: i32) {
        b0:
        call @f(a%0)
        return
        }";
    let x = |method| at(text, method, "main", 0, local(0));
    // Two functions that call each other count as calls of each other.
    assert_eq!(x(Method::Recursive { kappa: 2 }), 2);
    assert_eq!(x(Method::Recursive { kappa: 4 }), 3);
    assert_eq!(x(LATTICE), 10);
}

#[test]
fn calls_through_pointers_may_go_anywhere() {
    let text = "entry @main
        fn @main(x%0: i32, p%1: fn) {
        let %2: bool
        b0:
        p%1 = @f
        p%1 = @g
        goto b1
        b1:
        call p%1(x%0)
        return
        }
        fn @f(a%0: i32) {
        b0:
        check division-by-zero nonzero a%0
        return
        }
        fn @g(a%0: i32) {
        b0:
        check division-by-zero nonzero a%0
        check division-by-zero nonzero a%0
        return
        }";
    assert_eq!(at(text, RECURSIVE, "main", 1, local(0)), 3);
    assert_eq!(at(text, LATTICE, "main", 1, local(0)), 2);
    assert_eq!(at(text, LATTICE, "main", 1, local(1)), 1);
}

#[test]
fn variables_with_an_address_are_memory() {
    let text = "entry @main
        fn @main(x%0: i32) {
        let memory y%1: i32
        let memory z%2: i32
        let p%3: ptr i32
        let %4: i32
        b0:
        live y%1
        live z%2
        p%3 = addr y%1
        store p%3.*, x%0
        store z%2, x%0
        goto b1
        b1:
        %4 = load y%1
        check division-by-zero nonzero %4
        %4 = load z%2
        check division-by-zero nonzero %4
        return
        }";
    let program = program(text);
    let costs = Costs::new(&program, RECURSIVE);
    let at = |block, variable| costs.at(FunctionId(0), BlockId(block), variable);
    assert_eq!(at(0, local(0)), 2);
    assert_eq!([at(1, local(1)), at(1, local(2)), at(1, Variable::Memory)], [1, 1, 1]);
    assert!(costs.is_in_memory(FunctionId(0), local(1)));
    assert!(!costs.is_in_memory(FunctionId(0), local(2)));
    assert_eq!([at(0, local(2)), at(0, Variable::Memory)], [0, 1]);
}

/// So many branches one behind the other, and all around each of them so many loops.
fn large(branches: u32, loops: u32) -> Program {
    let mut text = String::from("entry @main\nfn @main(x%0: i32) {\nlet %1: bool\nb0:\ngoto b1\n");
    let mut next = 1;
    for _ in 0..branches {
        let [own, then, end] = [next, next + 1, next + 2];
        text += &format!(
            "b{own}:\n%1 = lt x%0, 9i32\nbranch %1, b{then}, b{end}\nb{then}:\ngoto b{end}\n"
        );
        next = end;
    }
    // The header of each loop leads to the next one; the innermost leads back through all.
    for number in 0..loops {
        let (own, out) = (next + number, next + loops + number + 1);
        text += &format!("b{own}:\n%1 = lt x%0, 9i32\nbranch %1, b{}, b{out}\n", own + 1);
    }
    let innermost = next + loops;
    text += &format!("b{innermost}:\ngoto b{}\n", (innermost - 1).max(next));
    for number in 0..loops {
        let back = if number == 0 { None } else { Some(next + number - 1) };
        let own = innermost + 1 + number;
        match back {
            Some(back) => text += &format!("b{own}:\ngoto b{back}\n"),
            None => text += &format!("b{own}:\nreturn\n"),
        }
    }
    program(&(text + "}"))
}

#[test]
fn many_branches_and_deep_loops_take_no_time() {
    let branches = large(3_000, 1);
    assert_eq!(Costs::new(&branches, RECURSIVE).at(FunctionId(0), BlockId(0), local(0)), u64::MAX);
    assert_eq!(Costs::new(&branches, LATTICE).at(FunctionId(0), BlockId(0), local(0)), 10);
    let loops = large(0, 60);
    let costs = Costs::new(&loops, Method::Recursive { kappa: 5 });
    assert!(costs.at(FunctionId(0), BlockId(0), local(0)) > 10_000);
}

#[test]
fn it_can_be_stopped() {
    let program = large(1_000, 3);
    let mut asked = 0;
    let stopped = Costs::compute(&program, RECURSIVE, &mut || {
        asked += 1;
        asked < 10
    });
    assert_eq!(stopped.err(), Some(Stopped));
    assert_eq!(asked, 10);
}

fn whole(function: Function) -> Program {
    Program {
        sources: Sources::new(),
        types: Types::new(8),
        symbols: crate::program::Symbols::default(),
        globals: Vec::new(),
        functions: vec![function],
        entry: FunctionId(0),
    }
}

/// How many queries come on the paths from a block on that a walk from block to block may take: those about `register`, and
/// all; summed up, and on the path with most of them.
struct Paths<'s> {
    sample: &'s Sample,
    graph: FlowGraph,
    forest: LoopForest,
    kappa: u32,
}

impl Paths<'_> {
    /// Whether a path of blocks may go on to another. The first block is in the first iteration of its loops.
    fn may_follow(&self, path: &[BlockId], next: BlockId) -> bool {
        let last = *path.last().expect("a block");
        for id in self.forest.around(last).filter(|id| self.forest.contains(*id, next)) {
            let this = self.forest.get(id);
            let inside = path.iter().rev().take_while(|block| self.forest.contains(id, **block));
            let visits = inside.clone().filter(|block| **block == this.header).count() as u32;
            // Where the path starts inside, its header has been there.
            let starts_inside = inside.count() == path.len() && path[0] != this.header;
            let visits = visits + u32::from(starts_inside);
            let most = self.kappa + u32::from(self.tests_first(id));
            if next == this.header && visits == most
                || last == this.header && self.tests_first(id) && visits == most
            {
                return false;
            }
        }
        let is_back = self.forest.headed_by(next).is_some_and(|id| self.forest.contains(id, last));
        is_back || !self.graph.is_retreating(Edge { from: last, to: next })
    }

    fn tests_first(&self, id: LoopId) -> bool {
        let header = self.forest.get(id).header;
        let next = self.graph.successors(header);
        next.iter().any(|to| !self.forest.contains(id, *to)) && !next.contains(&header)
    }

    /// All paths that end, or cannot go on.
    fn all(&self, from: BlockId, most: usize) -> Option<Vec<Vec<BlockId>>> {
        let (mut open, mut parts) = (vec![vec![from]], Vec::new());
        while let Some(path) = open.pop() {
            let last = *path.last().expect("a block");
            for next in self.graph.successors(last) {
                if self.may_follow(&path, *next) {
                    open.push([path.as_slice(), &[*next]].concat());
                }
            }
            parts.push(path);
            if open.len() + parts.len() > most {
                return None;
            }
        }
        Some(parts)
    }

    /// Whether the branch at the end of a path depends on the value of a register at its start.
    fn asks(&self, path: &[BlockId], register: LocalId) -> bool {
        let last = path.last().expect("a block");
        if self.graph.successors(*last).len() < 2 {
            return false;
        }
        let mut asked = self.sample.0[last.index()].condition;
        for block in path.iter().rev() {
            for op in self.sample.0[block.index()].ops.iter().rev() {
                match *op {
                    Op::Constant(to) | Op::Undefined(to) | Op::Declare(to) if to == asked => {
                        return false;
                    }
                    Op::Copy(to, from) if to == asked => asked = from,
                    _ => {}
                }
            }
        }
        asked == register
    }

    fn times(&self, block: BlockId) -> u64 {
        (self.graph.successors(block).len() as u64).saturating_sub(1)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Every path that can be walked ends with a block, whose query is counted if it depends on the variable.
    #[test]
    fn the_recursion_adds_up_all_paths(sample in samples(7), kappa in 1u32..4) {
        let function = sample.function();
        let graph = FlowGraph::new(&function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let costs = Costs::new(&whole(function), Method::Recursive { kappa });
        let paths = Paths { sample: &sample, graph, forest, kappa };
        for block in paths.graph.reverse_post_order() {
            let Some(all) = paths.all(*block, 20_000) else { continue };
            for register in (0..REGISTERS).map(LocalId) {
                let asked = all.iter().filter(|path| paths.asks(path, register));
                let times: u64 = asked.map(|path| paths.times(path[path.len() - 1])).sum();
                prop_assert_eq!(costs.at(FunctionId(0), *block, Variable::Local(register)), times);
            }
            let times: u64 = all.iter().map(|path| paths.times(path[path.len() - 1])).sum();
            prop_assert_eq!(costs.total_at(FunctionId(0), *block), times);
        }
    }

    /// With one iteration of each loop, no path has more queries than the lattice says, unless it is cut off.
    #[test]
    fn no_path_has_more_queries_than_the_lattice_says(sample in samples(7), cap in 1u64..30) {
        let function = sample.function();
        let graph = FlowGraph::new(&function);
        let forest = LoopForest::new(&graph, &Dominators::new(&graph));
        let costs = Costs::new(&whole(function), Method::Lattice { cap });
        let paths = Paths { sample: &sample, graph, forest, kappa: 1 };
        for block in paths.graph.reverse_post_order() {
            let Some(all) = paths.all(*block, 2_000) else { continue };
            for register in (0..REGISTERS).map(LocalId) {
                let known = costs.at(FunctionId(0), *block, Variable::Local(register));
                prop_assert!(known <= cap && known <= costs.total_at(FunctionId(0), *block));
                let most = all.iter().map(|path| {
                    let begun = (1..=path.len()).map(|end| &path[..end]);
                    let asked = begun.filter(|path| paths.asks(path, register));
                    asked.map(|path| paths.times(path[path.len() - 1])).sum::<u64>()
                });
                prop_assert!(known >= most.max().unwrap_or(0).min(cap));
            }
        }
    }

    /// What is said of points inside blocks fits what is said of their starts.
    #[test]
    fn points_inside_blocks_are_like_blocks(sample in samples(5), lattice in any::<bool>()) {
        let method = if lattice { LATTICE } else { RECURSIVE };
        let function = sample.function();
        let graph = FlowGraph::new(&function);
        let costs = Costs::new(&whole(function), method);
        for location in sample.locations().into_iter().filter(|l| graph.is_reachable(l.block)) {
            let Location { block, index } = location;
            let here = |register| {
                costs.at_point(FunctionId(0), block, index as usize, Variable::Local(LocalId(register)))
            };
            let behind = |register| {
                costs.at_point(FunctionId(0), block, index as usize + 1, Variable::Local(LocalId(register)))
            };
            for register in 0..REGISTERS {
                let expected = match sample.op(location) {
                    None => continue,
                    Some(Op::Constant(to) | Op::Undefined(to) | Op::Declare(to))
                        if to.0 == register => 0,
                    Some(Op::Copy(to, from)) if from.0 == register && to != from => {
                        behind(register).saturating_add(behind(to.0))
                    }
                    Some(Op::Copy(to, from)) if to.0 == register && to != from => 0,
                    Some(_) => behind(register),
                };
                let expected = if lattice { expected.min(10) } else { expected };
                prop_assert!(here(register) == expected || lattice && here(register) <= expected);
            }
        }
    }
}
