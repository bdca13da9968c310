//! Tests of the rules, each broken by itself.

use super::{Rule, ValueType, operand_type, place_type, validate};
use crate::program::{
    Base, BlockId, Const, FunctionId, GlobalId, InstructionKind, Operand, Place, Program,
    Projection, Rvalue, Symbol,
};
use crate::source::FileId;
use crate::text::{MAX_TYPE_NESTING, parse};
use crate::types::{IntType, Type, TypeId};
use expect_test::{Expect, expect};

fn read(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What is wrong with a program, without the instruction where it is.
fn check_program(program: &Program, expected: Expect) {
    expected.assert_eq(&match validate(program) {
        Ok(()) => "valid".to_owned(),
        Err(violation) => {
            let message = violation.message.split(", in `").next().unwrap_or_default();
            format!("{}: {message}", violation.rule)
        }
    });
}

/// The same for its text.
fn check(text: &str, expected: Expect) {
    check_program(&read(text), expected);
}

/// What is wrong with items before a function.
fn check_items(items: &str, expected: Expect) {
    check(&format!("{items}\n{MAIN}"), expected);
}

/// A program around lines of a function. Each line ends in a span and a statement.
fn around(lines: &[&str]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("{line} @1:1-1:2 #0\n")).collect();
    format!(
        "record 0 pair size 8 {{ a: i32 at 0, b: i32 at 4 }}
        record 1 flags size 4 {{ a: u3 at 0 bit 0, b: i13 at 0 bit 3 }}
        global g%0: [i32; 4] @1:1-1:2
        entry @main
        fn @main() -> int @1:1-1:2 {{
          let a%0: any @1:1-1:2
          let i%1: int @1:1-1:2
          let b%2: bool @1:1-1:2
          let w%3: i32 @1:1-1:2
          let p%4: ptr any @1:1-1:2
          let q%5: ptr i32 @1:1-1:2
          let f%6: fn @1:1-1:2
          let r%7: record 0 @1:1-1:2
          let memory m%8: any @1:1-1:2
          let memory n%9: int @1:1-1:2
          let memory s%10: record 0 @1:1-1:2
          let v%11: [i32; 4] @1:1-1:2
          let memory c%12: record 1 @1:1-1:2
          let d%13: f64 @1:1-1:2
          let e%14: f32 @1:1-1:2
          stmt #0 @1:1-1:2
        b0:
          {}
        }}
        fn @two(x%0: int @1:1-1:2, y%1: ptr any @1:1-1:2) -> int @1:1-1:2 {{
          stmt #0 @1:1-1:2
        b0:
          return 1 @1:1-1:2 #0
        }}
        fn @none() @1:1-1:2 {{
          stmt #0 @1:1-1:2
        b0:
          return @1:1-1:2 #0
        }}",
        lines.concat()
    )
}

/// What is wrong with an instruction.
fn check_line(line: &str, expected: Expect) {
    check(&around(&[line, "return 0"]), expected);
}

/// What is wrong with a terminator that leads nowhere.
fn check_end(line: &str, expected: Expect) {
    check(&around(&[line]), expected);
}

/// Nothing is wrong with these instructions.
fn check_good(lines: &[&str]) {
    for line in lines {
        check(&around(&[line, "return 0"]), expect!["valid"]);
    }
}

const MAIN: &str = "entry @main
fn @main() @1:1-1:2 {
  stmt #0 @1:1-1:2
b0:
  return @1:1-1:2 #0
}";

#[test]
fn a_violation_says_where() {
    let violation = validate(&read(&around(&["live a%0", "dead a%0", "abort"]))).unwrap_err();
    assert_eq!(violation.block, Some(BlockId(0)));
    let expected = "the program breaks the rule `dead-is-memory` in function `main`, block b0, \
        instruction 1: %0 is a register, in `dead a%0`";
    assert_eq!(violation.to_string(), expected);
}

#[test]
fn every_rule_has_a_name_of_its_own_and_a_test() {
    let tests = include_str!("tests.rs");
    let mut names: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    for name in &names {
        assert!(tests.contains(&format!("{name}: ")), "{name} has no test");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Rule::ALL.len());
}

#[test]
fn what_is_named_exists() {
    let mut program = read(MAIN);
    program.entry = FunctionId(1);
    check_program(&program, expect!["entry-exists: there is no function number 1"]);
    check_line("i%1 = %99", expect!["local-exists: %99 is none of the 15 locals"]);
    check_line("live %99", expect!["local-exists: %99 is none of the 15 locals"]);
    check_line("w%3 = load global %1[0]", expect!["global-exists: %1 is none of the 1 globals"]);
    check_line("q%5 = address global %1 0", expect!["global-exists: there is no global number 1"]);
    check_line("w%3 = load s%10.#2", expect!["field-exists: `record 0` has no field 2"]);
    check_end("goto b1", expect!["block-exists: it goes to b1, which does not exist"]);
    check_items("global g%0: record 0 @1:1-1:2", expect!["record-exists: there is no record 0"]);
    check(&MAIN.replace("1:2 #0", "1:2 #1"), expect!["statement-exists: there is no statement #1"]);

    let mut program = read(&around(&["a%0 = 0", "return 0"]));
    let mut put = |value| {
        let kind = &mut program.functions[0].blocks[0].instructions[0].kind;
        let InstructionKind::Assign { value: old, .. } = kind else { panic!("an assignment") };
        *old = value;
        program.clone()
    };
    let function = put(Rvalue::Use(Operand::Const(Const::Function(FunctionId(9)))));
    check_program(&function, expect!["function-exists: there is no function number 9"]);
    let symbol = put(Rvalue::Record(vec![(Symbol(0), Operand::Const(Const::Null))]));
    check_program(&symbol, expect!["symbol-exists: there is no symbol 0"]);
    check_program(
        &put(Rvalue::Input(TypeId(99))),
        expect!["type-exists: there is no type number 99"],
    );
}

#[test]
fn types_are_well_formed() {
    let mut program = read(MAIN);
    let next = (0..).map(TypeId).find(|id| !program.types.contains(*id)).unwrap();
    program.types.intern(Type::Pointer(next));
    check_program(&program, expect!["type-order: type 5 is made of type 5"]);

    let mut program = read(MAIN);
    program.types.intern(Type::Pointer(TypeId(99)));
    check_program(&program, expect!["type-exists: there is no type number 99"]);

    let mut program = read(MAIN);
    let mut ty = TypeId::INT;
    for _ in 0..=MAX_TYPE_NESTING {
        ty = program.types.intern(Type::Pointer(ty));
    }
    check_program(&program, expect!["type-nesting: type 261 is nested 257 deep"]);

    check_items("global g%0: i0 @1:1-1:2", expect!["integer-width: `i0` has 0 bits"]);
    check_items("global g%0: u65536 @1:1-1:2", expect!["integer-width: `u65536` has 65536 bits"]);
    check_line("a%0 = 0i4000000000", expect!["integer-width: `i4000000000` has 4000000000 bits"]);
}

#[test]
fn records_are_laid_out() {
    check_items(
        "record 0 r size 8 { a: i32 at 5 }",
        expect!["record-layout: `a` does not fit in `r`"],
    );
    check_items(
        "record 0 r size 8 { a: i32 at 18446744073709551615 }",
        expect!["record-layout: `a` does not fit in `r`"],
    );
    check_items(
        "record 0 r size 8 { a: f32 at 0 bit 3 }",
        expect!["record-layout: the bit-field `a` of `r` is no integer"],
    );
    check_items(
        "record 0 r size 2 { a: u9 at 0 bit 7, b: u9 at 0 bit 8 }",
        expect!["record-layout: `b` does not fit in `r`"],
    );
    check_items(
        "record 0 r size 8 { a: [record 0; 1] at 0 }",
        expect!["record-recursion: `r` contains itself"],
    );
    check_items(
        "record 0 r size 8 { a: record 1 at 0 }
        record 1 s size 8 { a: record 2 at 0 }
        record 2 t size 8 { a: record 1 at 0 }",
        expect!["record-recursion: `s` contains itself"],
    );
    check_items("record 0 r size 8 { a: ptr record 0 at 0, b: [int; 0] at 8 }", expect!["valid"]);
}

#[test]
fn globals_hold_their_initial_values() {
    check_items("global g%0: [i32; 2] = { 4: 1i32, 0: 2i32 } @1:1-1:2", expect!["valid"]);
    check_items(
        "global g%0: [i32; 2] = { 5: 1i32 } @1:1-1:2",
        expect!["global-initialiser: the value at 5 is outside of `g`"],
    );
    check_items(
        "global g%0: u8 = { 0: -1u8 } @1:1-1:2",
        expect!["constant-in-range: -1 is no `u8`"],
    );
}

#[test]
fn spans_lie_in_the_source() {
    check_items(
        "global g%0: int @1:3-1:2",
        expect!["span-in-source: @1:3-1:2 is no span of the source"],
    );
    check_items(
        "global g%0: int @0:1-1:2",
        expect!["span-in-source: @0:1-1:2 is no span of the source"],
    );
    check_items(
        "global g%0: int @1:0-1:2",
        expect!["span-in-source: @1:0-1:2 is no span of the source"],
    );
    check_items("global g%0: int @f1:1:1-1:2", expect!["valid"]);
    check_items(
        "source 0 a\nglobal g%0: int @f1:1:1-1:2",
        expect!["span-in-source: @f1:1:1-1:2 is no span of the source"],
    );
    let elsewhere = |change: fn(&mut Program)| {
        let mut program = read(&around(&["live a%0", "return 0"]));
        program.sources.add("a", "");
        change(&mut program);
        check_program(&program, expect!["span-in-source: @f1:1:1-1:2 is no span of the source"]);
    };
    elsewhere(|program| program.functions[0].span.file = FileId(1));
    elsewhere(|program| program.functions[0].locals[0].span.file = FileId(1));
    elsewhere(|program| program.functions[0].statements[0].file = FileId(1));
    elsewhere(|program| program.functions[0].blocks[0].instructions[0].span.file = FileId(1));
    elsewhere(|program| program.functions[0].blocks[0].terminator.span.file = FileId(1));
}

#[test]
fn functions_are_well_formed() {
    let twice = MAIN.replace("entry @main\n", "");
    check(&format!("{MAIN}\n{twice}"), expect!["function-names: there are two functions `main`"]);
    check("entry @f\nfn @f() @1:1-1:2 {\n}", expect!["entry-block: it has no blocks"]);
    let mut program = read(MAIN);
    program.functions[0].params = 1;
    check_program(&program, expect!["parameters-are-locals: 1 of 0 locals are parameters"]);
}

#[test]
fn blocks_form_a_graph() {
    check_end("goto b0", expect!["entry-block-predecessors: it goes to the entry block"]);
    check(
        &MAIN.replace("\n}", "\nb1:\n goto b2 @1:1-1:2 #0\nb2:\n goto b1 @1:1-1:2 #0\n}"),
        expect!["block-reachable: b1 cannot be reached"],
    );
}

#[test]
fn registers_and_memory_are_kept_apart() {
    check_line("i%1 = n%9", expect!["operand-is-register: %9 is in memory"]);
    check_line("a%0 = load a%0[n%9]", expect!["operand-is-register: %9 is in memory"]);
    check_line("n%9 = 5", expect!["target-is-register: %9 is in memory"]);
    check_line("n%9 = call @two(1, null)", expect!["target-is-register: %9 is in memory"]);
    check_line("dead a%0", expect!["dead-is-memory: %0 is a register"]);
    check_good(&["live a%0", "live m%8", "dead m%8", "i%1 = load n%9", "store n%9, i%1"]);
}

#[test]
fn what_has_a_layout_has_its_parts_in_memory() {
    for line in
        ["q%5 = addr r%7.#0", "w%3 = load r%7.#1", "w%3 = load v%11[w%3]", "store v%11[0], w%3"]
    {
        check_line(
            line,
            expect![
                "parts-in-memory: a struct or array in a register is read and written as a whole"
            ],
        );
    }
}

#[test]
fn places_have_the_parts_that_are_named() {
    check_line("a%0 = load a%0.*", expect!["deref-of-pointer: `any` has no target"]);
    check_line("a%0 = load a%0.#0", expect!["field-of-record: `any` has no numbered fields"]);
    check_line("a%0 = load v%11.name", expect!["named-of-any: `[i32; 4]` has no named fields"]);
    check_line("a%0 = load i%1[0]", expect!["index-of-array: `int` has no elements"]);
    check_line("a%0 = load a%0[b%2]", expect!["index-is-integer: no integer but `bool`"]);
    check_line("store a%0[a%0], 1", expect!["index-is-integer: no integer but `any`"]);
    check_line(
        "check uninitialised-value initialised s%10[0]",
        expect!["index-of-array: `record 0` has no elements"],
    );
    check_good(&[
        "a%0 = load p%4.*.name[i%1].name",
        "w%3 = load s%10.#1",
        "store global g%0[0], w%3",
        "store m%8.name, 5",
    ]);
}

#[test]
fn what_is_in_memory_has_an_address() {
    check_line("p%4 = addr a%0", expect!["address-of-memory: a register has no address"]);
    check_line(
        "p%4 = addr m%8.name",
        expect!["address-of-dynamic: a part of a dynamic value has no address"],
    );
    check_line(
        "p%4 = addr p%4.*[0]",
        expect!["address-of-dynamic: a part of a dynamic value has no address"],
    );
    check_line("p%4 = addr c%12.#1", expect!["address-of-bits: a bit-field has no address"]);
    check_good(&[
        "store c%12.#1, 5i13",
        "p%4 = addr m%8",
        "p%4 = addr p%4.*",
        "q%5 = addr q%5.*",
        "q%5 = addr s%10.#1",
        "q%5 = addr global g%0[i%1]",
        "q%5 = address global g%0 4",
        "a%0 = addr m%8",
    ]);
}

#[test]
fn operations_have_their_operands() {
    check_line("w%3 = 2147483648i32", expect!["constant-in-range: 2147483648 is no `i32`"]);
    check_line("i%1 = neg b%2", expect!["unary-operand: not for `bool`"]);
    check_line("i%1 = bitnot a%0", expect!["unary-operand: not for `any`"]);
    check_line("b%2 = not i%1", expect!["unary-operand: not for `int`"]);
    check_line("i%1 = add i%1, w%3", expect!["binary-operands: not for `int` and `i32`"]);
    check_line("b%2 = add b%2, b%2", expect!["binary-operands: not for `bool` and `bool`"]);
    check_line("i%1 = and i%1, i%1", expect!["binary-operands: not for `int` and `int`"]);
    check_line("i%1 = shl i%1, p%4", expect!["binary-operands: not for `int` and `ptr any`"]);
    check_line(
        "b%2 = lt i%1, w%3",
        expect!["compare-operands: no such comparison of `int` and `i32`"],
    );
    check_line(
        "b%2 = lt a%0, i%1",
        expect!["compare-operands: no such comparison of `any` and `int`"],
    );
    check_line(
        "b%2 = lt b%2, b%2",
        expect!["compare-operands: no such comparison of `bool` and `bool`"],
    );
    check_line(
        "b%2 = le f%6, f%6",
        expect!["compare-operands: no such comparison of `fn` and `fn`"],
    );
    check_line(
        "b%2 = eq f%6, p%4",
        expect!["compare-operands: no such comparison of `fn` and `ptr any`"],
    );
    check_line(
        "b%2 = eq a%0, b%2",
        expect!["compare-operands: no such comparison of `any` and `bool`"],
    );
    check_line(
        "b%2 = eq r%7, r%7",
        expect!["compare-operands: no such comparison of `record 0` and `record 0`"],
    );
    check_line(
        "i%1 = convert a%0 to int",
        expect!["convert-types: no conversion between `any` and `int`"],
    );
    check_line(
        "a%0 = convert i%1 to any",
        expect!["convert-types: no conversion between `int` and `any`"],
    );
    check_line(
        "i%1 = downcast w%3 to int",
        expect!["downcast-types: no downcast between `i32` and `int`"],
    );
    check_line(
        "a%0 = downcast a%0 to any",
        expect!["downcast-types: no downcast between `any` and `any`"],
    );
    check_line(
        "b%2 = downcast a%0 to bool",
        expect!["downcast-types: no downcast between `any` and `bool`"],
    );
    check_line(
        "p%4 = offset i%1, 1 of any",
        expect!["offset-operands: a pointer and an integer are needed, not `int` and `int`"],
    );
    check_line(
        "p%4 = offset p%4, p%4 of any",
        expect![
            "offset-operands: a pointer and an integer are needed, not `ptr any` and `ptr any`"
        ],
    );
    check_line(
        "p%4 = allocate any x p%4 = zero",
        expect!["allocate-operands: no integer but `ptr any`"],
    );
    check_line(
        "p%4 = allocate any x 1 = b%2",
        expect!["allocate-operands: `bool` does not fit in `any`"],
    );
    check_line(
        "p%4 = allocate record 0 x 1 = linked 1",
        expect!["allocate-operands: linked nodes are on the stack"],
    );
    check_line(
        "p%4 = allocate stack record 0 x 1 = linked 1",
        expect!["allocate-operands: field 1 is no link between nodes of type `record 0`"],
    );
    check_line(
        "w%3 = difference p%4, i%1 of i32 as i32",
        expect!["pointer-operands: no difference of pointers: `ptr any` and `int` and `i32`"],
    );
    check_line(
        "p%4 = difference p%4, p%4 of i32 as ptr any",
        expect![
            "pointer-operands: no difference of pointers: `ptr any` and `ptr any` and `ptr any`"
        ],
    );
    check_line(
        "w%3 = object-size f%6 as i32",
        expect!["pointer-operands: no size of an object: `fn` and `i32`"],
    );
    check_line("d%13 = add d%13, e%14", expect!["binary-operands: not for `f64` and `f32`"]);
    check_line("d%13 = rem d%13, d%13", expect!["binary-operands: not for `f64` and `f64`"]);
    check_line("d%13 = bitnot d%13", expect!["unary-operand: not for `f64`"]);
    check_line(
        "b%2 = lt d%13, e%14",
        expect!["compare-operands: no such comparison of `f64` and `f32`"],
    );
    check_line(
        "e%14 = float 4294967296 f32",
        expect!["constant-in-range: 4294967296 has more bits than `f32`"],
    );
    check_line("a%0 = array value [b%2]", expect!["dynamic-parts: `bool` does not fit in `any`"]);
    check_line("a%0 = record {f: r%7}", expect!["dynamic-parts: `record 0` does not fit in `any`"]);
    check_line("r%7 = input record 0", expect!["input-type: no scalar but `record 0`"]);
    check_line("v%11 = undefined [i32; 4]", expect!["input-type: no scalar but `[i32; 4]`"]);
    check_good(&[
        "w%3 = shl w%3, 5",
        "b%2 = and b%2, true",
        "b%2 = lt p%4, q%5",
        "b%2 = eq p%4, null",
        "b%2 = ne null, f%6",
        "b%2 = eq f%6, @two",
        "b%2 = eq a%0, null",
        "b%2 = eq a%0, i%1",
        "b%2 = ne b%2, true",
        "w%3 = convert p%4 to i32",
        "q%5 = convert f%6 to ptr i32",
        "w%3 = convert b%2 to i32",
        "f%6 = downcast a%0 to fn",
        "p%4 = offset p%4, w%3 of record 0",
        "q%5 = offset null, 1 of i32",
        "p%4 = allocate any x 1 = 5",
        "a%0 = array value [a%0, 1, null, @two, q%5]",
        "b%2 = input bool",
        "w%3 = difference q%5, null of i32 as i32",
        "i%1 = object-size q%5 as int",
        "d%13 = add d%13, float 0 f64",
        "d%13 = neg d%13",
        "b%2 = lt d%13, d%13",
        "e%14 = convert d%13 to f32",
        "w%3 = convert d%13 to i32",
        "p%4 = allocate stack any x 1 = 5",
    ]);
}

#[test]
fn values_fit_where_they_are_put() {
    check_line("a%0 = b%2", expect!["assign-type: `bool` does not fit in `any`"]);
    check_line("a%0 = r%7", expect!["assign-type: `record 0` does not fit in `any`"]);
    check_line("i%1 = a%0", expect!["assign-type: `any` does not fit in `int`"]);
    check_line("i%1 = w%3", expect!["assign-type: `i32` does not fit in `int`"]);
    check_line("i%1 = null", expect!["assign-type: `null` does not fit in `int`"]);
    check_line("q%5 = p%4", expect!["assign-type: `ptr any` does not fit in `ptr i32`"]);
    check_line("i%1 = eq i%1, 1", expect!["assign-type: `bool` does not fit in `int`"]);
    check_line(
        "q%5 = allocate any x 1 = zero",
        expect!["assign-type: `ptr any` does not fit in `ptr i32`"],
    );
    check_line("store n%9, w%3", expect!["store-type: `i32` does not fit in `int`"]);
    check_line("store q%5.*, 5", expect!["store-type: `int` does not fit in `i32`"]);
    check_good(&[
        "a%0 = w%3",
        "a%0 = null",
        "a%0 = @two",
        "f%6 = null",
        "f%6 = @none",
        "q%5 = null",
        "r%7 = load s%10",
        "store s%10, r%7",
        "store m%8, q%5",
    ]);
}

#[test]
fn calls_match_what_is_called() {
    check_line("call i%1()", expect!["call-callee: no function but `int`"]);
    check_line("call f%6(v%11)", expect!["call-arguments: an array cannot be passed: `[i32; 4]`"]);
    check_line(
        "i%1 = call @two(1)",
        expect!["call-arguments: 1 arguments for the 2 parameters of `two`"],
    );
    check_line(
        "i%1 = call @two(1i32, null)",
        expect!["call-arguments: `i32` does not fit in `int`"],
    );
    check_line("w%3 = call @two(1, p%4)", expect!["call-result: `int` does not fit in `i32`"]);
    check_line("i%1 = call @none()", expect!["call-result: `none` has no result"]);
    check_good(&[
        "i%1 = call @two(1, null)",
        "a%0 = call @two(1, p%4)",
        "call @two(1, null)",
        "call @none()",
        "a%0 = call f%6(1, b%2)",
        "call f%6(r%7)",
        "call a%0()",
        "call null()",
    ]);
}

#[test]
fn terminators_have_their_operands() {
    check_end("return", expect!["return-value: the result is missing"]);
    check_end("return w%3", expect!["return-value: `i32` does not fit in `int`"]);
    check(&MAIN.replace("return", "return 1"), expect!["return-value: the function has no result"]);
    check_end("exit b%2", expect!["exit-is-integer: no integer but `bool`"]);
    check_line("assume i%1", expect!["condition-is-bool: no truth value but `int`"]);
    let then = |line| around(&[line]).replacen("#0\n\n", "#0\nb1:\n abort @1:1-1:2 #0\n", 1);
    check(&then("branch a%0, b1, b1"), expect!["condition-is-bool: no truth value but `any`"]);
    check(&then("branch b%2, b1, b1"), expect!["valid"]);
    check(&then("switch b%2 [1: b1] b1"), expect!["switch-value: no integer but `bool`"]);
    check(
        &then("switch i%1 [1: b1, 2: b1, 1: b1] b1"),
        expect!["switch-cases: there are two cases for 1"],
    );
    check(&then("switch w%3 [2147483648: b1] b1"), expect!["switch-cases: 2147483648 is no `i32`"]);
    check(&then("switch w%3 [2147483647: b1] b1"), expect!["valid"]);
}

#[test]
fn effects_have_their_operands() {
    check_line("output a%0", expect!["output-is-integer: no integer but `any`"]);
    check_line("free i%1", expect!["free-is-pointer: no pointer but `int`"]);
    check_line(
        "copy p%4, i%1, 4",
        expect!["range-operands: two pointers are needed, not `ptr any` and `int`"],
    );
    check_line("copy p%4, q%5, b%2", expect!["range-operands: no integer but `bool`"]);
    check_line("fill f%6, 0, 4", expect!["range-operands: no pointer but `fn`"]);
    check_line("fill p%4, d%13, 4", expect!["range-operands: no integer but `f64`"]);
    check_line(
        "intrinsic put-byte(1)",
        expect!["intrinsic-operands: `put-byte` has other operands or another result"],
    );
    check_line(
        "intrinsic math(0, e%14)",
        expect!["intrinsic-operands: `math` has other operands or another result"],
    );
    check_line(
        "d%13 = intrinsic get-byte()",
        expect!["intrinsic-operands: `get-byte` has other operands or another result"],
    );
    check_line(
        "i%1 = intrinsic put-byte(1, 2)",
        expect!["intrinsic-operands: `put-byte` has other operands or another result"],
    );
    check_good(&[
        "output w%3",
        "free null",
        "free q%5",
        "assume true",
        "copy p%4, q%5, w%3",
        "fill q%5, 255, i%1",
        "intrinsic put-byte(1, w%3)",
        "w%3 = intrinsic get-byte()",
        "intrinsic get-byte()",
        "d%13 = intrinsic math2(0, d%13, d%13)",
        "i%1 = intrinsic print(1, q%5, p%4)",
    ]);
}

#[test]
fn checks_have_their_operands() {
    check_line(
        "check assertion holds i%1",
        expect!["predicate-operands: a truth value is needed, not `int`"],
    );
    check_line(
        "check division-by-zero nonzero b%2",
        expect!["predicate-operands: an integer is needed, not `bool`"],
    );
    check_line(
        "check null-dereference nonnull i%1",
        expect!["predicate-operands: a pointer or function is needed, not `int`"],
    );
    check_line(
        "check type-error is i%1 number",
        expect!["predicate-operands: a dynamic value is needed, not `int`"],
    );
    check_line(
        "check type-error is-not p%4 number",
        expect!["predicate-operands: a dynamic value is needed, not `ptr any`"],
    );
    check_line(
        "check missing-field has-field p%4 f",
        expect!["predicate-operands: a dynamic value is needed, not `ptr any`"],
    );
    check_line(
        "check index-out-of-bounds in-bounds v%11, 1",
        expect!["predicate-operands: a dynamic value is needed, not `[i32; 4]`"],
    );
    check_line(
        "check index-out-of-bounds in-bounds a%0, a%0",
        expect!["predicate-operands: an integer is needed, not `any`"],
    );
    check_line(
        "check index-out-of-bounds in-range p%4, 1",
        expect!["predicate-operands: an integer is needed, not `ptr any`"],
    );
    check_line(
        "check index-out-of-bounds in-range 1, b%2",
        expect!["predicate-operands: an integer is needed, not `bool`"],
    );
    check_line(
        "check argument-count takes p%4 1",
        expect!["predicate-operands: a function is needed, not `ptr any`"],
    );
    check_line(
        "check type-error comparable b%2, 1",
        expect!["predicate-operands: something that fits in `any` is needed, not `bool`"],
    );
    check_line(
        "check type-error comparable 1, r%7",
        expect!["predicate-operands: something that fits in `any` is needed, not `record 0`"],
    );
    check_line(
        "check signed-overflow fits add i%1, i%1",
        expect!["predicate-operands: a machine integer is needed, not `int`"],
    );
    check_line(
        "check signed-overflow fits add w%3, i%1",
        expect!["predicate-operands: not for `i32` and `int`"],
    );
    check_line(
        "check signed-overflow fits and w%3, w%3",
        expect!["predicate-operands: not for `i32` and `i32`"],
    );
    check_line(
        "check invalid-access accessible a%0 int",
        expect!["predicate-operands: a pointer is needed, not `any`"],
    );
    check_line(
        "check invalid-free freeable f%6",
        expect!["predicate-operands: a pointer is needed, not `fn`"],
    );
    check_line(
        "check invalid-access writable i%1 int",
        expect!["predicate-operands: a pointer is needed, not `int`"],
    );
    check_line(
        "check invalid-access writable-range p%4, b%2",
        expect!["predicate-operands: an integer is needed, not `bool`"],
    );
    check_line(
        "check overlapping-copy disjoint p%4, i%1, 4",
        expect!["predicate-operands: a pointer is needed, not `int`"],
    );
    check_line(
        "check pointer-arithmetic same-object p%4, f%6",
        expect!["predicate-operands: a pointer is needed, not `fn`"],
    );
    check_line(
        "check pointer-arithmetic in-object p%4, p%4 of i32",
        expect!["predicate-operands: an integer is needed, not `ptr any`"],
    );
    check_line(
        "check invalid-conversion representable w%3 i32",
        expect!["predicate-operands: a floating point number is needed, not `i32`"],
    );
    check_line(
        "check invalid-conversion representable d%13 f32",
        expect!["predicate-operands: integers are needed, not `f32`"],
    );
    check_line(
        "check invalid-call accepts i%1()",
        expect!["predicate-operands: a function is needed, not `int`"],
    );
    check_good(&[
        "check invalid-access writable q%5 record 0",
        "check invalid-access accessible-range q%5, w%3",
        "check overlapping-copy disjoint p%4, q%5, 4",
        "check pointer-arithmetic same-object p%4, null",
        "check pointer-arithmetic in-object p%4, w%3 of i32",
        "check invalid-conversion representable d%13 u8",
        "check invalid-call accepts f%6(i32, ptr any) -> f64",
        "check assertion holds true",
        "check null-dereference nonnull a%0",
        "check null-dereference nonnull f%6",
        "check null-dereference nonnull null",
        "check type-error is m%8.name record",
        "check missing-field has-field p%4.* f",
        "check index-out-of-bounds in-bounds m%8, w%3",
        "check index-out-of-bounds in-range w%3, 4",
        "check argument-count takes @two 1",
        "check argument-count takes a%0 1",
        "check type-error comparable a%0, 1",
        "check signed-overflow fits shl w%3, 1",
        "check invalid-access accessible q%5 record 0",
        "check invalid-free freeable null",
    ]);
}

#[test]
fn types_of_operands_and_places() {
    let program = read(&around(&["return 0"]));
    let function = &program.functions[0];
    let operand = |operand| operand_type(&program, function, &operand);
    assert_eq!(operand(Operand::Const(Const::Null)), Ok(ValueType::Null));
    let byte = Const::Int(5.into(), IntType::unsigned(8));
    assert_eq!(operand(Operand::Const(byte)), Ok(ValueType::Int(IntType::unsigned(8))));

    let global = Place { base: Base::Global(GlobalId(0)), projections: Vec::new() };
    let element = global.project(Projection::Index(Operand::Const(Const::Null)));
    let ty = place_type(&program, function, &element).expect("the index is not looked at");
    assert_eq!(program.types.as_int(ty), Some(IntType::signed(32)));
}
