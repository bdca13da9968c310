//! Slices of single loops, each for one thing that is easy to get wrong. Whether slices do what their loops
//! do is the matter of the tests of the whole tool, which run both.

use super::*;
use crate::analysis::testing::program;
use crate::check::CheckKind;
use crate::text::print_instruction;
use crate::validate::validate;

/// A slice of the first loop of the entry function, checked for being a loop of a valid program.
fn slice_of(program: &Program, criterion: &Criterion) -> Slice {
    sliced_by(&Slicer::new(program), criterion)
}

fn sliced_by(slicer: &Slicer<'_>, criterion: &Criterion) -> Slice {
    let program = slicer.program();
    let slice = slicer.slice(program.entry, LoopId(0), criterion).expect("a loop");
    let sliced = apply(program, &slice).expect("a slice of this program");
    validate(&sliced.program).expect("well-formed");
    let graph = FlowGraph::new(sliced.program.function(sliced.function));
    let forest = LoopForest::new(&graph, &Dominators::new(&graph));
    assert!(forest.headed_by(sliced.header).is_some(), "the slice is a loop");
    slice
}

/// The kept instructions without their places.
fn kept(program: &Program, slice: &Slice) -> Vec<String> {
    let function = program.function(slice.function);
    let instruction = |at: Location| function.block(at.block).instructions.get(at.index as usize);
    let text = |instruction| {
        let text = print_instruction(program, function, instruction);
        text.split(" @").next().unwrap_or_default().to_owned()
    };
    slice.kept().filter_map(instruction).map(text).collect()
}

fn local(number: u32) -> Variable {
    Variable::Local(LocalId(number))
}

/// `while (i < 10) { … i = i + 1; }` in a program with some globals and functions.
fn counting(body: &str) -> Program {
    program(
        &format!(
            "global g%0: int
         global h%1: int
         entry @main
         fn @main(n%0: int) {{
           let i%1: int
           let s%2: int
           let t%3: int
           let %4: bool
           let memory m%5: int
           let memory k%6: int
           let p%7: ptr int
           let %8: bool
         b0:
           i%1 = 0
           live m%5
           live k%6
           store k%6, 0
           p%7 = addr m%5
           goto b1
         b1:
           %4 = lt i%1, 10
           branch %4, b2, b9
         b2:
           {body}
           i%1 = add i%1, 1
           goto b1
         b9:
           return
         }}
         fn @set(x%0: int) {{
         b0:
           store global g%0, x%0
           return
         }}
         fn @put(p%0: ptr int) {{
         b0:
           store p%0.*, 0
           return
         }}
         fn @twice(x%0: int) -> int {{
           let %1: int
         b0:
           %1 = add x%0, x%0
           return %1
         }}
         fn @stop() {{
         b0:
           abort
         }}
         fn @again(x%0: int) {{
         b0:
           call @main(x%0)
           return
         }}"
        )
        .replace("b9", "b3"),
    )
}

const COUNTING: [&str; 2] = ["%4 = lt i%1, 10", "i%1 = add i%1, 1"];

#[test]
fn a_sum_goes_and_a_counter_stays() {
    let program = counting("s%2 = add s%2, i%1");
    let slice = slice_of(&program, &Criterion::exits());
    assert_eq!(kept(&program, &slice), COUNTING);
    assert_eq!(slice.variables, BTreeSet::from([local(1)]));
    assert!(slice.dropped.cannot_stop());
    let whole = slice_of(&program, &Criterion::variables([local(2)]));
    assert!(!whole.is_simpler());
    assert_eq!(whole.variables, BTreeSet::from([local(1), local(2)]));
}

#[test]
fn what_decides_about_continue_stays() {
    // for (;;) { i++; if (i < n) continue; s++; if (s < 5) break; }: the test of `s` is reached in every
    // execution that ends, but `n` says after how many iterations.
    let program = program(
        "entry @main
         fn @main(n%0: int) {
           let i%1: int
           let s%2: int
           let %3: bool
           let t%4: int
         b0:
           goto b1
         b1:
           i%1 = add i%1, 1
           %3 = lt i%1, n%0
           branch %3, b4, b2
         b2:
           s%2 = add s%2, 1
           %3 = lt s%2, 5
           branch %3, b3, b4
         b3:
           return
         b4:
           t%4 = add t%4, 1
           goto b1
         }",
    );
    let slice = slice_of(&program, &Criterion::exits());
    assert_eq!(slice.branches, Count { all: 2, kept: 2 });
    assert_eq!(slice.instructions, Count { all: 5, kept: 4 });
}

/// An inner loop that counts `j` up to `n`, and whether `s` depends on it.
fn nested(inner: &str) -> Program {
    program(&format!(
        "entry @main
         fn @main(n%0: int) {{
           let i%1: int
           let j%2: int
           let s%3: int
           let %4: bool
         b0:
           goto b1
         b1:
           %4 = lt i%1, 10
           branch %4, b2, b5
         b2:
           j%2 = 0
           goto b3
         b3:
           %4 = lt j%2, n%0
           branch %4, b4, b6
         b4:
           {inner}
           j%2 = add j%2, 1
           goto b3
         b5:
           return
         b6:
           i%1 = add i%1, 1
           goto b1
         }}"
    ))
}

#[test]
fn an_inner_loop_goes_and_is_listed() {
    let program = nested("s%3 = add s%3, 1");
    let slice = slice_of(&program, &Criterion::exits());
    assert_eq!(slice.instructions.kept, 2);
    assert_eq!(slice.dropped.loops.len(), 1);
    assert_eq!(slice.dropped.loops[0].header, BlockId(3));
    assert!(!slice.dropped.cannot_stop());
    let sliced = apply(&program, &slice).expect("a slice");
    let graph = FlowGraph::new(sliced.program.function(sliced.function));
    let forest = LoopForest::new(&graph, &Dominators::new(&graph));
    assert_eq!(forest.loops.len(), 1);
}

#[test]
fn an_inner_loop_with_anything_in_it_stays_whole() {
    let program = nested("s%3 = 1");
    let slice = slice_of(&program, &Criterion::variables([local(3)]));
    assert!(slice.dropped.loops.is_empty());
    assert!(!slice.is_simpler());
}

#[test]
fn an_inner_continue_decides_about_iterations() {
    // for (;;) { j++; if (j < n) continue; s++; if (s > 5) break; } inside: the increment of `s` is reached
    // from everywhere, but how often the loop iterates depends on `n`.
    let program = program(
        "entry @main
         fn @main(n%0: int) {
           let i%1: int
           let j%2: int
           let s%3: int
           let %4: bool
         b0:
           goto b1
         b1:
           %4 = lt i%1, 10
           branch %4, b2, b6
         b2:
           j%2 = add j%2, 1
           %4 = lt j%2, n%0
           branch %4, b3, b4
         b3:
           goto b2
         b4:
           s%3 = add s%3, 1
           %4 = gt s%3, 5
           branch %4, b5, b3
         b5:
           i%1 = add i%1, 1
           goto b1
         b6:
           return
         }",
    );
    let slice = slice_of(&program, &Criterion::variables([local(3)]));
    assert_eq!(slice.branches, Count { all: 3, kept: 3 });
    let without = slice_of(&program, &Criterion::exits());
    assert_eq!(without.branches, Count { all: 3, kept: 1 });
}

#[test]
fn a_store_through_a_pointer_writes_what_has_an_address() {
    // `m` has an address, `k` has none.
    for (object, count) in [("m%5", 3), ("k%6", 2)] {
        let program = counting(&format!(
            "t%3 = load {object}
             i%1 = add i%1, t%3
             store p%7.*, 1"
        ));
        let slice = slice_of(&program, &Criterion::exits());
        assert_eq!(slice.instructions.kept, 2 + count, "{object}: {:?}", kept(&program, &slice));
    }
}

#[test]
fn a_new_object_of_an_old_name_does_not_end_the_old_one() {
    // `p` still leads to the object that `m` named before.
    let program = counting(
        "store m%5, 1
         p%7 = addr m%5
         live m%5
         store m%5, 2
         t%3 = load p%7.*
         i%1 = add i%1, t%3",
    );
    let slice = slice_of(&program, &Criterion::exits());
    assert!(!slice.is_simpler(), "{:?}", kept(&program, &slice));
}

#[test]
fn calls_are_judged_by_what_they_may_do() {
    let reading =
        |call: &str| counting(&format!("{call}\nt%3 = load global g%0\ni%1 = add i%1, t%3"));
    for (call, needed) in [
        ("call @set(s%2)", true),
        ("call @put(p%7)", false),
        ("t%3 = call @twice(i%1)", false),
        ("call @stop()", false),
    ] {
        let program = reading(call);
        let slice = slice_of(&program, &Criterion::exits());
        assert_eq!(slice.dropped.calls.is_empty(), needed, "{call}");
    }
    let program = reading("call @stop()");
    let slice = slice_of(&program, &Criterion::exits());
    assert_eq!(slice.dropped.calls[0].hazards, BTreeSet::from([Hazard::Abort]));
    assert!(!slice.dropped.cannot_stop());
    let program = reading("t%3 = call @twice(i%1)");
    let slice = slice_of(&program, &Criterion::exits());
    assert!(slice.dropped.cannot_stop());
    let unknown = Slicer::distrust(&program, &BTreeSet::from([FunctionId(3)]));
    assert!(sliced_by(&unknown, &Criterion::exits()).dropped.calls.is_empty());
}

#[test]
fn a_call_back_finds_the_function_whole() {
    let program = counting("s%2 = add s%2, 1\ncall @again(n%0)\ni%1 = load global h%1");
    let slicer = Slicer::new(&program);
    let all = Criterion::variables([Variable::Global(GlobalId(0))]);
    let slice = slicer.slice(program.entry, LoopId(0), &Criterion::exits()).expect("a loop");
    let sliced = apply(&program, &slice).expect("a slice");
    assert_eq!(sliced.function, program.entry, "the call is gone");
    let program = counting("call @set(i%1)\ncall @again(n%0)");
    let slicer = Slicer::new(&program);
    let slice = slicer.slice(program.entry, LoopId(0), &all).expect("a loop");
    let sliced = apply(&program, &slice).expect("a slice");
    assert_eq!(sliced.program.functions.len(), program.functions.len() + 1);
    assert_eq!(sliced.program.functions[0], program.functions[0]);
    assert_eq!(sliced.program.entry, sliced.function);
    validate(&sliced.program).expect("well-formed");
}

#[test]
fn conditions_on_relevant_values_stay() {
    let program = counting(
        "%8 = gt i%1, 0
         assume %8
         %8 = gt s%2, 0
         assume %8
         check assertion holds %8
         check unsupported never no_model",
    );
    let slice = slice_of(&program, &Criterion::exits());
    assert_eq!(kept(&program, &slice), [COUNTING[0], "%8 = gt i%1, 0", "assume %8", COUNTING[1]]);
    assert_eq!(slice.dropped.assumptions.len(), 1);
    let kinds: Vec<CheckKind> = slice.dropped.checks.iter().map(|check| check.kind).collect();
    assert_eq!(kinds, [CheckKind::Assertion, CheckKind::Unsupported]);
}

#[test]
fn inputs_have_positions_unless_they_are_fresh() {
    let program = counting("s%2 = input int\nt%3 = input int\ni%1 = add i%1, t%3");
    let positions = slice_of(&program, &Criterion::exits());
    assert!(!positions.is_simpler());
    let fresh = slice_of(&program, &Criterion::exits().with_inputs(Inputs::Fresh));
    assert_eq!(fresh.instructions.all - fresh.instructions.kept, 1);
    assert_eq!(fresh.dropped.effects[0].effect, SideEffect::Input);
}

#[test]
fn a_loop_without_exits_becomes_empty() {
    let program = program(
        "entry @main
         fn @main() {
           let i%0: int
           let %1: bool
         b0:
           goto b1
         b1:
           i%0 = add i%0, 1
           %1 = lt i%0, 5
           branch %1, b2, b1
         b2:
           output i%0
           goto b1
         }",
    );
    let slice = slice_of(&program, &Criterion::exits());
    assert_eq!((slice.instructions.kept, slice.branches.kept), (0, 0));
    assert_eq!(slice.dropped.branches.len(), 1);
}

#[test]
fn questions_about_what_does_not_exist_are_errors() {
    let program = counting("s%2 = 0");
    let slicer = Slicer::new(&program);
    let ask = |function, id, criterion: &Criterion| {
        slicer.slice(FunctionId(function), LoopId(id), criterion)
    };
    let exits = Criterion::exits();
    assert_eq!(ask(9, 0, &exits).err(), Some(SliceError::NoSuchFunction(FunctionId(9))));
    assert_eq!(ask(0, 1, &exits).err(), Some(SliceError::NoSuchLoop(LoopId(1))));
    for variable in [local(99), Variable::Global(GlobalId(2))] {
        let wrong = ask(0, 0, &Criterion::variables([variable])).err();
        assert_eq!(wrong, Some(SliceError::NoSuchVariable(variable)));
    }
    let slice = slicer.slice(FunctionId(0), LoopId(0), &exits).expect("a loop");
    let other = crate::analysis::testing::program("entry @main\nfn @main() {\nb0:\nreturn\n}");
    assert_eq!(apply(&other, &slice).err(), Some(SliceError::NoSuchLoop(LoopId(0))));
}
