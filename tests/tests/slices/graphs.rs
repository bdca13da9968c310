//! Random flowgraphs: jumps of all kinds, pointers to locals and globals, calls that write through them,
//! declarations that make new objects of old names. Front ends produce none of this shape by chance.

use crate::oracle::{Random, Tally, check_program};
use loupe_ir::program::Program;
use loupe_ir::text;
use loupe_ir::validate::validate;
use loupe_tests::corpus::check_all;
use loupe_tests::tell;
use std::fmt::Write;
use std::sync::Mutex;

const GRAPHS: u64 = 300;

/// What every program has: two globals, of which pointers may lead to the first, and functions that write
/// them, write through a pointer, compute, fail, and read an input.
const FUNCTIONS: &str = "
fn @set(x%0: int) {
b0:
  store global g%0, x%0
  store global h%1, 3
  return
}
fn @put(p%0: ptr int, x%1: int) {
b0:
  store p%0.*, x%1
  return
}
fn @twice(x%0: int) -> int {
  let %1: int
b0:
  %1 = add x%0, x%0
  return %1
}
fn @get() -> int {
  let %0: int
b0:
  %0 = load global g%0
  return %0
}
fn @positive(x%0: int) -> int {
  let %1: bool
b0:
  %1 = gt x%0, 0
  check assertion holds %1
  return x%0
}
fn @read() -> int {
  let %0: int
b0:
  %0 = input int
  return %0
}
";

const LOCALS: &str = "
  let a%0: int
  let b%1: int
  let c%2: int
  let d%3: int
  let memory m%4: int
  let memory n%5: int
  let memory o%6: int
  let p%7: ptr int
  let q%8: ptr int
  let %9: bool
";

const ENTRY: &str = "
b0:
  a%0 = input int
  b%1 = input int
  c%2 = 0
  d%3 = 5
  live m%4
  store m%4, 1
  live n%5
  store n%5, 2
  live o%6
  store o%6, 3
  p%7 = addr m%4
  q%8 = addr global g%0
  goto b1
";

fn register(random: &mut Random) -> &'static str {
    ["a%0", "b%1", "c%2", "d%3"][random.below(4) as usize]
}

fn object(random: &mut Random) -> &'static str {
    // The address of `o` is never taken.
    ["m%4", "n%5", "o%6", "global g%0", "global h%1"][random.below(5) as usize]
}

fn pointer(random: &mut Random) -> &'static str {
    ["p%7", "q%8"][random.below(2) as usize]
}

fn instruction(random: &mut Random) -> String {
    let (x, y, z) = (register(random), register(random), register(random));
    let (object, pointer, other) = (object(random), pointer(random), pointer(random));
    let target = ["m%4", "n%5", "global g%0"][random.below(3) as usize];
    let number = random.below(9);
    match random.below(24) {
        0 => format!("{x} = {number}"),
        1..=5 => format!("{x} = add {y}, 1"),
        6 => format!("{x} = sub {y}, {z}"),
        7 => format!("{x} = input int"),
        8 | 9 => format!("store {object}, {x}"),
        10 | 11 => format!("{x} = load {object}"),
        12 | 13 => format!("store {pointer}.*, {x}"),
        14 | 15 => format!("{x} = load {pointer}.*"),
        16 => format!("{pointer} = addr {target}"),
        17 => format!("{pointer} = {other}"),
        18 => format!("call @set({x})"),
        19 => format!("call @put({pointer}, {x})"),
        20 => format!("{x} = call @{}({y})", ["twice", "positive"][random.below(2) as usize]),
        21 => format!("{x} = call @{}()", ["get", "read"][random.below(2) as usize]),
        22 => {
            format!("live {0}\n  store {0}, {x}", ["m%4", "n%5", "o%6"][random.below(3) as usize])
        }
        _ => format!("%9 = lt {x}, 20\n  assume %9"),
    }
}

fn block(random: &mut Random, number: u64, count: u64) -> String {
    let mut text = format!("b{number}:\n");
    for _ in 0..random.below(4) {
        let _ = writeln!(text, "  {}", instruction(random));
    }
    if number + 1 == count {
        return text + "  return\n";
    }
    let next = number + 1;
    let (x, y) = (register(random), register(random));
    let other = 1 + random.below(count - 1);
    let third = 1 + random.below(count - 1);
    let constant = random.below(8);
    let _ = match random.below(6) {
        0 => writeln!(text, "  goto b{next}"),
        1 | 2 => writeln!(text, "  %9 = lt {x}, {y}\n  branch %9, b{next}, b{other}"),
        3 | 4 => writeln!(text, "  %9 = gt {x}, {constant}\n  branch %9, b{next}, b{other}"),
        _ => writeln!(text, "  switch {x} [1: b{other}, 2: b{third}] b{next}"),
    };
    text
}

/// Gives every declaration and instruction a place in the source.
fn with_places(text: &str) -> String {
    let mut line = 1;
    let mut all = String::new();
    for written in text.lines() {
        line += 1;
        let place = format!("@{line}:1-{line}:9");
        let _ = match written {
            function if function.starts_with("fn ") => {
                let typed = function.replace(": int", &format!(": int {place}"));
                let typed = typed.replace(": ptr int", &format!(": ptr int {place}"));
                writeln!(all, "{} {place} {{\n  stmt #0 {place}", typed.trim_end_matches(" {"))
            }
            // Declarations come before statements.
            local if local.trim_start().starts_with("let ") => {
                let at = all.rfind("  stmt").unwrap_or(all.len());
                all.insert_str(at, &format!("{local} {place}\n"));
                Ok(())
            }
            step if step.starts_with("  ") => writeln!(all, "{step} {place} #0"),
            other => writeln!(all, "{other}"),
        };
    }
    all
}

fn program(seed: u64) -> Result<Program, String> {
    let mut random = Random(seed);
    let count = 4 + random.below(8);
    let mut text = format!("fn @main() {{{LOCALS}{}", ENTRY.trim_start());
    for number in 1..count {
        text += &block(&mut random, number, count);
    }
    let text = with_places(&format!("{text}}}\n{FUNCTIONS}").replace("\n\n", "\n"));
    let globals = "global g%0: int = { 0: 7 } @1:1-1:2\nglobal h%1: int = { 0: 8 } @1:1-1:2\n";
    let text = format!("source 0 \"graph\"\n{globals}entry @main\n{text}");
    text::parse(&text).map_err(|error| format!("{error}\n{text}"))
}

#[test]
fn random_graphs() {
    let asked_for = std::env::var("LOUPE_SLICE_GRAPHS").ok().and_then(|count| count.parse().ok());
    let seeds: Vec<u64> = (0..asked_for.unwrap_or(GRAPHS)).collect();
    let tally = Mutex::new(Tally::default());
    check_all("slices of random graphs", &seeds, |seed| {
        let program = program(*seed)?;
        validate(&program).map_err(|violation| format!("seed {seed}: {violation}"))?;
        let found = check_program(&program, *seed)
            .map_err(|error| format!("seed {seed}: {error}\n{}", text::print(&program)))?;
        tally.lock().expect("no check panics").add(&found);
        Ok(())
    });
    let tally = tally.into_inner().expect("no check panics");
    tell(&format!("slices, random graphs: {tally}"));
    tally.assert_meaningful();
}
