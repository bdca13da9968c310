//! Prepared steps on machine types: generated lines over a fixed set of variables, and all programs of
//! the file tests.

use super::observe;
use loupe_ir::text::parse;
use loupe_ir::validate::validate;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;

const INTS: [(&str, &str); 6] =
    [("%0", "i32"), ("%1", "u8"), ("%2", "i64"), ("%3", "u64"), ("%4", "u32"), ("%5", "i16")];

const HEAD: &str = "pointer-size POINTER
record 0 node size 24 { n: i32 at 0, b: u8 at 4, next: ptr record 0 at 8, d: f64 at 16 }
global g%0: [i32; 6] = { 0: 5i32, 4: -1i32 } @1:1-1:2
entry @main
fn @main() -> i32 @1:1-1:2 {
  let %0: i32 @1:1-1:2
  let %1: u8 @1:1-1:2
  let %2: i64 @1:1-1:2
  let %3: u64 @1:1-1:2
  let %4: u32 @1:1-1:2
  let %5: i16 @1:1-1:2
  let %6: bool @1:1-1:2
  let %7: f64 @1:1-1:2
  let %8: ptr i32 @1:1-1:2
  let %9: ptr record 0 @1:1-1:2
  let memory %10: [i32; 6] @1:1-1:2
  let memory %11: record 0 @1:1-1:2
  let memory %12: ptr i32 @1:1-1:2
  let %13: f32 @1:1-1:2
  stmt #0 @1:1-1:2
b0:
live %10
live %11
live %12
%0 = 7i32
%1 = 200u8
%2 = -5i64
%3 = 18446744073709551000u64
%4 = 3000000000u32
%5 = -300i16
%6 = true
%7 = float 4609434218613702656 f64
%8 = addr %10[1]
%9 = addr %11
%13 = float 0 f32
";

/// An integer variable or a constant, and its type.
fn int() -> impl Strategy<Value = (String, &'static str)> {
    (select(INTS.to_vec()), prop_oneof![Just(None), (-2i64..70).prop_map(Some)]).prop_map(
        |((name, ty), constant)| match constant {
            Some(value) if value >= 0 || ty.starts_with('i') => (format!("{value}{ty}"), ty),
            _ => (name.to_owned(), ty),
        },
    )
}

fn variable() -> impl Strategy<Value = (&'static str, &'static str)> {
    select(INTS.to_vec())
}

/// Lines that belong together, each a check and what it protects.
fn lines() -> impl Strategy<Value = String> {
    let arithmetic =
        (select(vec!["add", "sub", "mul", "bitand", "bitor", "bitxor"]), variable(), -3i64..100)
            .prop_map(|(op, (name, ty), value)| {
                let value = if ty.starts_with('u') { value.abs() } else { value };
                format!("{name} = {op} {name}, {value}{ty}")
            });
    let division = (select(vec!["div", "rem"]), variable(), int()).prop_filter_map(
        "one type",
        |(op, (name, ty), (by, other))| {
            let check = format!("check division-by-zero nonzero {by}");
            (ty == other).then(|| format!("{check}\n{name} = {op} {name}, {by}"))
        },
    );
    let shift =
        (select(vec!["shl", "shr"]), variable(), int()).prop_map(|(op, (name, ty), (by, _))| {
            let width = &ty[1..];
            format!("check invalid-shift in-range {by}, {width}\n{name} = {op} {name}, {by}")
        });
    let fits = (select(vec!["add", "sub", "mul", "shl"]), variable())
        .prop_map(|(op, (name, _))| format!("check signed-overflow fits {op} {name}, {name}"));
    let unary = (select(vec!["neg", "bitnot"]), variable())
        .prop_map(|(op, (name, _))| format!("{name} = {op} {name}"));
    let convert = (variable(), int())
        .prop_map(|((name, ty), (from, _))| format!("{name} = convert {from} to {ty}"));
    let truth = (variable(), select(vec!["lt", "le", "eq", "ne"]), variable()).prop_map(
        |((a, _), op, (name, ty))| {
            format!("%6 = {op} {a}, {a}\n%6 = not %6\n{name} = convert %6 to {ty}\n%6 = convert {a} to bool")
        },
    );
    let float = (select(vec!["add", "sub", "mul", "div"]), variable()).prop_map(|(op, (name, _))| {
        format!(
            "%7 = {op} %7, float 4611686018427387904 f64\n%13 = convert {name} to f32\n%6 = lt %7, float 0 f64\n\
             %13 = {op} %13, %13"
        )
    });
    let pointer = (-2i64..8, select(vec!["%0", "%1", "%4", "%5", "%2"])).prop_map(|(i, name)| {
        format!(
            "%8 = addr %10[{i}]\n%8 = offset %8, {name} of i32\n%6 = eq %8, null\n\
             check invalid-access writable %8 i32\nstore %8.*, %0\n%0 = load %8.*"
        )
    });
    let place = (0usize..6, variable()).prop_map(|(i, _)| {
        format!(
            "store %10[{i}], %0\ncheck uninitialised-value initialised %10[{i}]\n%0 = load global %0[{i}]\n\
             store global %0[{i}], %0\n%8 = addr %10[{i}]"
        )
    });
    let fields = select(vec![
        "store %11.#0, %0",
        "store %9.*.#1, %1",
        "store %11.#2, %9",
        "store %9.*.#2, null",
        "store %11.#3, %7",
        "%7 = load %9.*.#3",
        "%1 = load %11.#1",
        "%0 = load %9.*.#0",
        "%9 = load %11.#2\ncheck null-dereference nonnull %9",
        "check uninitialised-value initialised %11.#2",
        "store %12, %8\n%8 = load %12\n%6 = ne %8, null",
        "%2 = convert %8 to i64\n%8 = convert %2 to ptr i32",
        "check assertion holds %6",
    ])
    .prop_map(str::to_owned);
    prop_oneof![
        2 => arithmetic,
        1 => division,
        1 => shift,
        1 => fits,
        1 => unary,
        2 => convert,
        1 => truth,
        1 => float,
        2 => pointer,
        2 => place,
        3 => fields,
    ]
}

/// Runs a program in pieces of all sizes.
fn check(text: &str) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    validate(&program).unwrap_or_else(|violation| panic!("{violation}\n{text}"));
    let one_by_one = observe(&program, 1, 5_000);
    assert_eq!(one_by_one, observe(&program, u64::MAX, 5_000), "{text}");
    assert_eq!(one_by_one, observe(&program, 7, 5_000), "{text}");
}

proptest! {
    #[test]
    fn on_machine_types(lines in prop::collection::vec(lines(), 1..25), narrow in any::<bool>()) {
        let mut text = String::new();
        let head = HEAD.replace("POINTER", if narrow { "4" } else { "8" });
        let (declarations, start) = head.split_once("b0:\n").expect("it is there");
        text += declarations;
        text += "b0:\n";
        let outputs = INTS.map(|(name, _)| format!("output {name}")).join("\n");
        let all = format!("{start}{}\n{outputs}", lines.join("\n"));
        for line in all.lines() {
            text += &format!("{line} @1:1-1:2 #0\n");
        }
        text += "return %0 @1:1-1:2 #0\n}";
        check(&text);
    }
}

#[test]
fn on_the_programs_of_the_file_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/ir");
    let mut seen = 0;
    for kind in ["pass", "fail", "limit"] {
        for entry in std::fs::read_dir(folder.join(kind)).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_some_and(|extension| extension == "lir") {
                let text = std::fs::read_to_string(&path).expect("it can be read");
                let program = parse(&text).expect("it can be parsed");
                if program.function(program.entry).params == 0 {
                    check(&text);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} programs");
}
