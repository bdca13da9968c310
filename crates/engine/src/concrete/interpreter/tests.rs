//! Prepared steps do the same as the instructions that they stand for.
//!
//! In pieces of one step, no block fits in the budget, so that every instruction is executed as it
//! stands; in large pieces, prepared steps are used wherever there are any.

use super::*;
use loupe_ir::source::{FileId, Sources};
use loupe_ir::types::IntType;
use loupe_microc::testing::{programs, terminating_programs};
use loupe_microc::{Dialect, ast, lower, resolve};
use proptest::prelude::*;

/// Everything that can be seen of a run.
fn observe(program: &Program, piece: u64, max_steps: u64) -> (String, Vec<Integer>, Vec<String>) {
    #[derive(Default)]
    struct Trace(Vec<String>);
    impl Observer for Trace {
        fn called(&mut self, function: FunctionId) {
            self.0.push(format!("call {}", function.0));
        }
        fn edge(&mut self, function: FunctionId, from: BlockId, to: BlockId) {
            self.0.push(format!("{}: {} -> {}", function.0, from.0, to.0));
        }
        fn returned(&mut self) {
            self.0.push("return".to_owned());
        }
    }
    let input = (0..10).map(|i| Integer::from(i * i - 7)).collect::<RunLength>();
    let options =
        Options { input: Box::new(input), max_steps: Some(max_steps), ..Options::default() };
    let (mut output, mut trace) = (Vec::new(), Trace::default());
    let run = Interpreter::new(program, options).run_in_pieces(piece, &mut output, &mut trace);
    (format!("{run:?}"), output, trace.0)
}

fn check(tree: &ast::Program, max_steps: u64) {
    let resolution = resolve(tree).expect("generated programs resolve");
    for numbers in [IntType::Unbounded, IntType::signed(8)] {
        let dialect = Dialect { numbers, ..Dialect::default() };
        let program = lower(tree, &resolution, Sources::new(), dialect);
        let one_by_one = observe(&program, 1, max_steps);
        assert_eq!(one_by_one, observe(&program, u64::MAX, max_steps));
        assert_eq!(one_by_one, observe(&program, 7, max_steps));
    }
}

proptest! {
    #[test]
    fn on_any_program(tree in programs()) {
        check(&tree, 500);
    }

    #[test]
    fn on_programs_that_do_something(tree in terminating_programs(), max_steps in 0u64..3_000) {
        check(&tree, max_steps);
    }
}

#[test]
fn at_the_edge_of_the_fast_path() {
    let text = "
        main() {
            var i, big, small, swap, d;
            i = 0;
            big = 9223372036854775800;
            small = 0 - big;
            d = 3;
            while (i < 40) {
                big = big + i;
                small = small - i * big;
                swap = big / d;
                d = 0 - d;
                if (swap == i) { swap = 1; }
                if (big > small) { output big - swap; } else { output small; }
                i = i + 1;
            }
            return d;
        }";
    let tree = loupe_microc::parse(FileId(0), text).expect("it parses");
    for max_steps in [0, 1, 5, 100, 10_000] {
        let program =
            lower(&tree, &resolve(&tree).expect("it resolves"), Sources::new(), Dialect::default());
        assert_eq!(observe(&program, 1, max_steps), observe(&program, u64::MAX, max_steps));
    }
}
