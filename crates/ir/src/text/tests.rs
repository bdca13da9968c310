//! Tests of the textual form.

use super::generate::{malformed_programs, programs};
use super::{parse, print};
use crate::program::{Operand, TerminatorKind};
use crate::validate::validate;
use expect_test::{Expect, expect, expect_file};
use proptest::prelude::*;

/// One of everything, valid, as it is printed.
const EVERYTHING: &str = include_str!("everything.loupe");

fn check_error(text: &str, expected: Expect) {
    let found = match parse(text) {
        Ok(program) => format!("no error:\n{}", print(&program)),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&found);
}

/// An error in the only line of a function.
fn check_line(line: &str, expected: Expect) {
    check_error(
        &format!("entry @f\nfn @f(x%0: any @1:1-1:2) @1:1-1:2 {{\nb0:\n{line}\n}}"),
        expected,
    );
}

#[test]
fn everything_is_printed_as_it_is_written() {
    let program = parse(EVERYTHING).expect("it is a program");
    validate(&program).expect("it is valid");
    expect_file!["everything.loupe"].assert_eq(&print(&program));
}

#[test]
fn layout_comments_and_the_order_of_items_do_not_matter() {
    let tidy = "\
source 0 \"a//b\"
record 0 \"r\" size 1 { \"f\": int at 0 }
global g%0: record 0 @1:1-1:2
entry @f

fn @f() @1:1-1:2 {
  let x%0: int @1:1-1:2
  stmt #0 @1:1-1:2
b0:
  x%0 = load global g%0.#0 @1:1-1:2 #0
  return @1:1-1:2 #0
}
";
    let untidy = "// a comment
fn@f()@1:1-1:2{ // fn
stmt #0 @1:1-1:2
   let  x%0 :int @1:1-1:2\r

b0 :
x%0=load global %0 . #0@1:1-1:2#0
  return @1:1-1:2 #0 // the end
}
entry @f
\tglobal g%0: record 0 = { } @1:1-1:2
record 0 r size 1 {f: int at 0}
pointer-size 1
source 0 \"a//b\"";
    assert_eq!(parse(untidy), parse(tidy));
    assert_eq!(print(&parse(untidy).expect("it is a program")), tidy);
}

#[test]
fn a_function_may_be_called_like_a_span() {
    let text = "entry @f1
fn @f1() -> fn @f1:1:1-1:2 {
  stmt #0 @f1:1:1-1:2
b0:
  return @f1 @f1:1:1-1:2 #0
}
";
    let program = parse(text).expect("it is a program");
    let terminator = &program.functions[0].blocks[0].terminator;
    assert!(matches!(terminator.kind, TerminatorKind::Return(Some(Operand::Const(_)))));
    assert_eq!(terminator.span.file.0, 1);
}

#[test]
fn errors_of_items() {
    check_error("", expect!["1:1: expected `entry` and a function, found the end of the text"]);
    check_error("entry @f", expect!["1:7: expected a function of the program, found `@f`"]);
    check_error("entry @f\nentry @f", expect!["2:1: expected an item, found `entry`"]);
    check_error("%1", expect!["1:1: expected an item, found `%1`"]);
    check_error("fn f", expect!["1:4: expected the name of a function, found `f`"]);
    check_error("fn @f(", expect!["1:7: expected `}`, found the end of the text"]);
    check_error(
        "fn @f(\n}\nentry @f",
        expect!["1:7: expected a variable with the number %0, found the end of the line"],
    );
    check_error("source 1 \"a\"", expect!["1:8: expected number 0, found `1`"]);
    check_error("source 0", expect!["1:9: expected a name, found the end of the text"]);
    check_error(
        "record 0 r size 99999999999999999999 {}",
        expect!["1:17: expected a size, found `99999999999999999999`"],
    );
    check_error(
        "record 0 r size 1 {f: integer at 0}",
        expect!["1:23: expected a type, found `integer`"],
    );
    check_error(
        "record 0 r size 1 {f: int at 0",
        expect!["1:31: expected `,` or `}`, found the end of the text"],
    );
    check_error(
        "global %0: int @1:1-1:2",
        expect!["1:8: expected the name of a global, found `%0`"],
    );
    check_error(
        "global g%1: int @1:1-1:2",
        expect!["1:8: expected a variable with the number %0, found `g%1`"],
    );
    check_error("pointer-size -8", expect!["1:14: expected a size, found `-8`"]);
    check_error("pointer-size 8 8", expect!["1:16: expected the end of the line, found `8`"]);
}

#[test]
fn errors_of_tokens() {
    check_error("?", expect!["1:1: expected a word, number, name or sign, found `?`"]);
    check_error("é", expect!["1:1: expected a word, number, name or sign, found `é`"]);
    check_error("\n  \"é\" ?", expect!["2:7: expected a word, number, name or sign, found `?`"]);
    check_error(
        "%99999999999",
        expect!["1:2: expected a number of at most 32 bits, found `99999999999`"],
    );
    check_error("%x y", expect!["1:2: expected a number, found `x`"]);
    check_error("#", expect!["1:2: expected a number, found the end of the text"]);
    check_error("@1:2-3 x", expect!["1:1: expected a function or a span, found `@1:2-3`"]);
    check_error(
        "@1:2-3:99999999999",
        expect!["1:1: expected a function or a span, found `@1:2-3:99999999999`"],
    );
    check_error(
        "\"abc\nd\"",
        expect![[r#"1:1: expected a name that ends with `"` on the same line, found `"abc`"#]],
    );
    check_error(r#""\q""#, expect![[r"1:2: expected an escape sequence, found `\q`"]]);
    check_error(r#""\u{d800}""#, expect![[r"1:2: expected an escape sequence, found `\u{d800`"]]);
    check_error(
        "5x",
        expect!["1:1: expected an integer, possibly followed by its type, found `5x`"],
    );
    check_error(
        "5i99999999999",
        expect!["1:1: expected an integer, possibly followed by its type, found `5i99999999999`"],
    );
}

#[test]
fn errors_of_functions() {
    check_line("goto b1", expect!["4:8: expected a span, found the end of the line"]);
    check_line(
        "goto b1 @1:1-1:2",
        expect!["4:17: expected a statement, found the end of the line"],
    );
    check_line("goto b1 @1:1-1:2 #0 x", expect!["4:21: expected the end of the line, found `x`"]);
    check_line("goto x", expect!["4:6: expected a block, found `x`"]);
    check_line(
        "live x%0 @1:1-1:2 #0",
        expect!["5:1: expected an instruction or terminator, found `}`"],
    );
    check_line(
        "abort @1:1-1:2 #0\nabort @1:1-1:2 #0",
        expect!["5:1: expected block b1 or `}`, found `abort`"],
    );
    check_line("abort @1:1-1:2 #0\nb2:", expect!["5:1: expected block b1 or `}`, found `b2`"]);
    check_line("jump b1", expect!["4:1: expected an instruction or terminator, found `jump`"]);
    check_line(
        "y%0 = 5",
        expect!["4:1: expected the variable with this number, which is called `x`, found `y%0`"],
    );
    check_line("y%7 = 5", expect!["4:1: expected a variable of this name and number, found `y%7`"]);
    check_line("x%0 = frob 5", expect!["4:7: expected a value, found `frob`"]);
    check_line("x%0 = add 5", expect!["4:12: expected `,`, found the end of the line"]);
    check_line("x%0 = @g", expect!["4:7: expected a function of the program, found `@g`"]);
    check_line(
        "x%0 = load global g%0",
        expect!["4:19: expected a variable of this name and number, found `g%0`"],
    );
    check_line("check oops holds true", expect!["4:7: expected a kind of check, found `oops`"]);
    check_line("check assertion oops true", expect!["4:17: expected a predicate, found `oops`"]);
    check_line("check assertion is x%0 string", expect!["4:24: expected a tag, found `string`"]);
    check_line(
        "x%0 = array list []",
        expect!["4:13: expected `reference` or `value`, found `list`"],
    );
    check_line(
        "let x%1: int @1:1-1:2",
        expect!["4:1: expected an instruction or terminator, found `let`"],
    );
}

#[test]
fn types_are_not_nested_without_limit() {
    let nested = |depth| format!("record 0 r size 1 {{f: {}any at 0}}", "ptr ".repeat(depth));
    check_error(
        &nested(256),
        expect!["1:1056: expected `entry` and a function, found the end of the text"],
    );
    check_error(
        &nested(257),
        expect!["1:1047: expected no type nested deeper than 256, found `ptr`"],
    );
    check_error(
        &format!("global g%0: {}", "[".repeat(100_000)),
        expect!["1:269: expected no type nested deeper than 256, found `[`"],
    );
}

/// What was read can be printed and read again; checking its rules ends in good order.
fn check_what_was_read(text: &str) -> Result<(), TestCaseError> {
    if let Ok(program) = parse(text) {
        let _ = validate(&program);
        let again = parse(&print(&program));
        prop_assert_eq!(again, Ok(program));
    }
    Ok(())
}

/// A change of a text: from this place on, so many characters are replaced by others.
type Mutation = (prop::sample::Index, usize, String);

fn mutate(text: &str, mutations: Vec<Mutation>) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, length, insertion) in mutations {
        let at = at.index(chars.len() + 1);
        let end = chars.len().min(at + length);
        chars.splice(at..end, insertion.chars());
    }
    chars.into_iter().collect()
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let insertion = prop_oneof![token(), "\\PC{0,3}", Just("\n".to_owned()), Just(String::new())];
    prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, insertion), 1..4)
}

fn token() -> impl Strategy<Value = String> {
    prop::sample::select(TOKENS).prop_map(str::to_owned)
}

const TOKENS: &[&str] = &[
    "entry",
    "fn",
    "global",
    "record",
    "source",
    "pointer-size",
    "let",
    "stmt",
    "memory",
    "@f",
    "@1:1-1:2",
    "@f9:1:1-1:2",
    "%0",
    "x%0",
    "%9",
    "#0",
    "#9",
    "b0",
    "b1",
    "b9",
    ":",
    ",",
    ".",
    "*",
    "=",
    ";",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "->",
    "-",
    "\"",
    "\\",
    "//",
    "\n",
    " ",
    "0",
    "-1",
    "5i32",
    "9u8",
    "i0",
    "i99999",
    "99999999999",
    "int",
    "any",
    "bool",
    "ptr",
    "size",
    "at",
    "to",
    "of",
    "x",
    "goto",
    "branch",
    "switch",
    "return",
    "exit",
    "abort",
    "call",
    "store",
    "check",
    "assertion",
    "holds",
    "is",
    "is-not",
    "number",
    "true",
    "null",
    "load",
    "addr",
    "offset",
    "allocate",
    "zero",
    "linked",
    "array",
    "value",
    "input",
    "undefined",
    "add",
    "lt",
    "neg",
    "live",
    "dead",
];

proptest! {
    #[test]
    fn printed_programs_are_read_back(program in programs()) {
        let printed = print(&program);
        let read = parse(&printed).map_err(|e| TestCaseError::fail(format!("{e}\n{printed}")))?;
        prop_assert_eq!(&print(&read), &printed);
        prop_assert_eq!(parse(&printed), Ok(read));
    }

    #[test]
    fn malformed_programs_are_printed_and_checked_in_good_order(program in malformed_programs()) {
        let _ = validate(&program);
        check_what_was_read(&print(&program))?;
    }

    #[test]
    fn changed_texts_are_read_in_good_order(program in programs(), mutations in mutations()) {
        check_what_was_read(&mutate(&print(&program), mutations))?;
    }

    #[test]
    fn changes_of_everything_are_read_in_good_order(mutations in mutations()) {
        check_what_was_read(&mutate(EVERYTHING, mutations))?;
    }

    #[test]
    fn any_tokens_are_read_in_good_order(tokens in prop::collection::vec(token(), 0..40)) {
        check_what_was_read(&tokens.join(" "))?;
        check_what_was_read(&tokens.concat())?;
        let function = format!("entry @f\nfn @f() @1:1-1:2 {{\nb0:\n{}\n}}", tokens.join(" "));
        check_what_was_read(&function)?;
    }
}
