//! Prepared steps do the same as the instructions that they stand for.
//!
//! In pieces of one step, no block fits in the budget, so that every instruction is executed as it
//! stands; in large pieces, prepared steps are used wherever there are any.

mod machine;

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

/// What a program writes, with everything that it may ask the world for.
#[test]
fn the_world_around_a_program() {
    let text = "entry @main
fn @main() -> i32 @1:1-1:2 {
  let n%0: i32 @1:1-1:2
  let b%1: bool @1:1-1:2
  stmt #0 @1:1-1:2
b0:
  n%0 = intrinsic argument-count() @1:1-1:2 #0
  output n%0 @1:1-1:2 #0
  n%0 = intrinsic argument-byte(1, 1) @1:1-1:2 #0
  intrinsic put-byte(2, n%0) @1:1-1:2 #0
  n%0 = intrinsic argument-byte(1, 2) @1:1-1:2 #0
  output n%0 @1:1-1:2 #0
  goto b1 @1:1-1:2 #0
b1:
  n%0 = intrinsic get-byte() @1:1-1:2 #0
  b%1 = ge n%0, 0i32 @1:1-1:2 #0
  branch b%1, b2, b3 @1:1-1:2 #0
b2:
  n%0 = add n%0, 256i32 @1:1-1:2 #0
  intrinsic put-byte(1, n%0) @1:1-1:2 #0
  goto b1 @1:1-1:2 #0
b3:
  return n%0 @1:1-1:2 #0
}";
    #[derive(Default)]
    struct Everything(String);
    impl Output for Everything {
        fn number(&mut self, value: &Integer) -> bool {
            self.0 += &format!("{value};");
            true
        }
        fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> bool {
            self.0 += &format!("{stream:?} {};", String::from_utf8_lossy(bytes));
            true
        }
    }
    let program = loupe_ir::text::parse(text).expect("it can be read");
    loupe_ir::validate::validate(&program).expect("it is valid");
    let options = Options {
        standard_input: Box::new(b"no".to_vec()),
        command_line: vec![b"loupe".to_vec(), b"-x".to_vec()],
        ..Options::default()
    };
    let mut written = Everything::default();
    let run = Interpreter::new(&program, options).run(&mut written, &mut Unobserved);
    assert_eq!(written.0, "2;Error x;0;Output n;Output o;");
    assert_eq!(format!("{:?}", run.end), "Returned(Some(-1))");
    assert_eq!(run.positions.bytes, 2);
}

/// Ended objects that nobody knows are forgotten; one that somebody knows is not.
#[test]
fn many_short_lives_take_little_room() {
    let text = "pointer-size 8
entry @main
fn @main() -> i32 @1:1-1:2 {
  let i%0: i32 @1:1-1:2
  let b%1: bool @1:1-1:2
  let memory x%2: i32 @1:1-1:2
  let p%3: ptr i32 @1:1-1:2
  let memory first%4: ptr i32 @1:1-1:2
  let q%5: ptr i32 @1:1-1:2
  stmt #0 @1:1-1:2
b0:
  live first%4 @1:1-1:2 #0
  store first%4, null @1:1-1:2 #0
  i%0 = 0i32 @1:1-1:2 #0
  goto b1 @1:1-1:2 #0
b1:
  live x%2 @1:1-1:2 #0
  p%3 = addr x%2 @1:1-1:2 #0
  store p%3.*, i%0 @1:1-1:2 #0
  q%5 = load first%4 @1:1-1:2 #0
  b%1 = eq q%5, p%3 @1:1-1:2 #0
  b%1 = not b%1 @1:1-1:2 #0
  check assertion holds b%1 @1:1-1:2 #0
  b%1 = eq i%0, 1000i32 @1:1-1:2 #0
  branch b%1, b2, b3 @1:1-1:2 #0
b2:
  store first%4, p%3 @1:1-1:2 #0
  goto b3 @1:1-1:2 #0
b3:
  dead x%2 @1:1-1:2 #0
  i%0 = add i%0, 1i32 @1:1-1:2 #0
  b%1 = lt i%0, 1500000i32 @1:1-1:2 #0
  branch b%1, b1, b4 @1:1-1:2 #0
b4:
  q%5 = load first%4 @1:1-1:2 #0
  check invalid-access accessible q%5 i32 @1:1-1:2 #0
  return 0i32 @1:1-1:2 #0
}";
    let program = loupe_ir::text::parse(text).expect("it can be read");
    loupe_ir::validate::validate(&program).expect("it is valid");
    // Without forgetting, the list of objects alone would be longer than this.
    let options = Options { max_cells: 1_200_000, ..Options::default() };
    let run = Interpreter::new(&program, options).run(&mut Vec::new(), &mut Unobserved);
    let End::Failed(failure) = run.end else { panic!("{:?}", run.end) };
    assert_eq!(failure.kind, CheckKind::InvalidAccess);
    assert_eq!(failure.detail, "`x` (4 bytes) is gone: its block has ended");
}
