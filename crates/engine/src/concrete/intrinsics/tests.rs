//! Formatted input and output from within programs.

use crate::concrete::{End, Failure, Interpreter, Options, Output, RunLength, Stream, Unobserved};
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_ir::text::parse;
use loupe_ir::validate::validate;

#[derive(Default)]
struct Everything(String);

impl Output for Everything {
    fn number(&mut self, value: &Integer) -> bool {
        self.0 += &format!("[{value}]");
        true
    }

    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> bool {
        if stream == Stream::Error {
            self.0 += "error: ";
        }
        self.0 += &String::from_utf8_lossy(bytes);
        true
    }
}

/// A global that holds a text.
fn text(number: usize, text: &str) -> String {
    let bytes: Vec<String> =
        text.bytes().enumerate().map(|(i, byte)| format!("{i}: {}i8", byte as i8)).collect();
    let length = text.len() + 1;
    format!("global t%{number}: [i8; {length}] constant = {{ {} }} @1:1-1:2\n", bytes.join(", "))
}

/// Runs lines of a program; every line ends in a span and a statement.
fn run(head: &str, texts: &[&str], locals: &[&str], lines: &[&str], input: &str) -> (String, End) {
    let mut program = format!("{head}\n");
    for (number, string) in texts.iter().enumerate() {
        program += &text(number, string);
    }
    program += "entry @main\nfn @main() -> i32 @1:1-1:2 {\n";
    for local in locals {
        program += &format!("let {local} @1:1-1:2\n");
    }
    program += "stmt #0 @1:1-1:2\nb0:\n";
    for line in lines {
        program += &format!("{line} @1:1-1:2 #0\n");
    }
    program += "return 0i32 @1:1-1:2 #0\n}";
    let program = parse(&program).unwrap_or_else(|error| panic!("{error}\n{program}"));
    validate(&program).unwrap_or_else(|violation| panic!("{violation}"));
    let options = Options {
        standard_input: Box::new(input.as_bytes().to_vec()),
        undefined: Box::new(RunLength::default()),
        ..Options::default()
    };
    let mut written = Everything::default();
    let run = Interpreter::new(&program, options).run(&mut written, &mut Unobserved);
    (written.0, run.end)
}

fn check(head: &str, texts: &[&str], locals: &[&str], lines: &[&str], expected: &str) {
    let (written, end) = run(head, texts, locals, lines, " 42 0x1p3 word!");
    assert!(matches!(end, End::Returned(_)), "{end:?} after {written}");
    assert_eq!(written, expected);
}

fn check_failure(texts: &[&str], locals: &[&str], lines: &[&str], kind: CheckKind, detail: &str) {
    let (_, end) = run("pointer-size 8", texts, locals, lines, "");
    let End::Failed(Failure { kind: found, detail: why, .. }) = end else { panic!("{end:?}") };
    assert_eq!((found, why.as_str()), (kind, detail));
}

const POINT_FIVE: &str = "float 4602678819172646912 f64";

#[test]
fn arguments_of_eight_bytes() {
    let head = "pointer-size 8
record 0 arguments size 56 { i: i32 at 0, d: f64 at 8, p: ptr i8 at 16, l: f80 at 24, n: i64 at 40, m: ptr i32 at 48 }";
    check(
        head,
        &["%d %.2f %s %Lg %ld%n|", "text"],
        &[
            "memory a%0: record 0",
            "memory n%1: i32",
            "p%2: ptr record 0",
            "q%3: ptr i32",
            "x%4: i32",
            "l%5: f80",
        ],
        &[
            "live a%0",
            "live n%1",
            "p%2 = addr a%0",
            "q%3 = addr n%1",
            "store a%0.#0, -7i32",
            &format!("store a%0.#1, {POINT_FIVE}"),
            "store a%0.#2, address global t%1 1",
            "l%5 = convert 12i32 to f80",
            "store a%0.#3, l%5",
            "store a%0.#4, -9000000000i64",
            "store a%0.#5, q%3",
            "x%4 = intrinsic print(1, address global t%0 0, p%2)",
            "output x%4",
            "x%4 = load n%1",
            "output x%4",
            "x%4 = intrinsic print(2, address global t%1 0, p%2)",
        ],
        "-7 0.50 ext 12 -9000000000|[27][26]error: text",
    );
}

#[test]
fn arguments_of_four_bytes() {
    let head = "pointer-size 4
record 0 arguments size 28 { i: i32 at 0, d: f64 at 4, l: f80 at 12, p: ptr i8 at 24 }";
    check(
        head,
        &["%d %.1f %.0Lf %s", "text"],
        &[
            "memory a%0: record 0",
            "p%1: ptr record 0",
            "x%2: i32",
            "l%3: f80",
            "memory b%4: [i8; 6]",
            "q%5: ptr [i8; 6]",
        ],
        &[
            "live a%0",
            "live b%4",
            "p%1 = addr a%0",
            "q%5 = addr b%4",
            "store a%0.#0, 7i32",
            &format!("store a%0.#1, {POINT_FIVE}"),
            "l%3 = convert 3i32 to f80",
            "store a%0.#2, l%3",
            "store a%0.#3, address global t%1 0",
            // Only six bytes, the last one a zero, but the count of all.
            "x%2 = intrinsic format(q%5, 6u32, address global t%0 0, p%1)",
            "output x%2",
            "x%2 = intrinsic print(1, q%5, null)",
        ],
        "[12]7 0.5",
    );
}

#[test]
fn input_is_read_and_stored() {
    let head = "pointer-size 8
record 0 targets size 24 { i: ptr i32 at 0, d: ptr f64 at 8, s: ptr i8 at 16 }";
    check(
        head,
        &["%d%lf %3s", "%d", "-5 17", "2.5e1x"],
        &[
            "memory a%0: record 0",
            "p%1: ptr record 0",
            "memory i%2: i32",
            "memory d%3: f64",
            "q%4: ptr i32",
            "r%5: ptr f64",
            "x%6: i32",
            "y%7: f64",
            "s%8: ptr i8",
            "memory e%9: ptr i8",
            "t%10: ptr ptr i8",
            "memory b%11: [i8; 4]",
            "z%12: ptr [i8; 4]",
        ],
        &[
            "live a%0",
            "live i%2",
            "live d%3",
            "live e%9",
            "live b%11",
            "p%1 = addr a%0",
            "q%4 = addr i%2",
            "r%5 = addr d%3",
            "t%10 = addr e%9",
            "z%12 = addr b%11",
            "s%8 = convert z%12 to ptr i8",
            "store a%0.#0, q%4",
            "store a%0.#1, r%5",
            "store a%0.#2, s%8",
            "x%6 = intrinsic scan(address global t%0 0, p%1)",
            "output x%6",
            "x%6 = load i%2",
            "output x%6",
            "y%7 = load d%3",
            "x%6 = convert y%7 to i32",
            "output x%6",
            "x%6 = intrinsic print(1, s%8, null)",
            "x%6 = intrinsic get-byte()",
            "intrinsic put-byte(1, x%6)",
            "x%6 = intrinsic scan-text(address global t%2 0, address global t%1 0, p%1)",
            "output x%6",
            "x%6 = load i%2",
            "output x%6",
            "y%7 = intrinsic parse-float(address global t%3 0, t%10)",
            "x%6 = convert y%7 to i32",
            "output x%6",
            "s%8 = load e%9",
            "x%6 = intrinsic print(1, s%8, null)",
            "y%7 = intrinsic parse-float(address global t%3 3, null)",
        ],
        "[3][42][8]word[1][-5][25]x",
    );
}

#[test]
fn what_formats_get_wrong_is_found() {
    check_failure(
        &["%d %d"],
        &["memory a%0: i64", "p%1: ptr i64", "x%2: i32"],
        &[
            "live a%0",
            "store a%0, 1i64",
            "p%1 = addr a%0",
            "x%2 = intrinsic print(1, address global t%0 0, p%1)",
        ],
        CheckKind::InvalidCall,
        "the format wants more arguments than there are",
    );
    check_failure(
        &["%s"],
        &[
            "memory a%0: ptr i8",
            "p%1: ptr ptr i8",
            "memory c%2: [i8; 2]",
            "q%3: ptr i8",
            "x%4: i32",
        ],
        &[
            "live a%0",
            "live c%2",
            "store c%2[0], 65i8",
            "store c%2[1], 66i8",
            "q%3 = addr c%2[0]",
            "store a%0, q%3",
            "p%1 = addr a%0",
            "x%4 = intrinsic print(1, address global t%0 0, p%1)",
        ],
        CheckKind::InvalidAccess,
        "a text does not end before its object does",
    );
    check_failure(
        &["abcdef"],
        &["memory c%0: [i8; 6]", "q%1: ptr i8", "x%2: i32"],
        &[
            "live c%0",
            "q%1 = addr c%0[0]",
            "x%2 = intrinsic format(q%1, 18446744073709551615u64, address global t%0 0, null)",
        ],
        CheckKind::InvalidAccess,
        "the end of the object is passed, or it is constant",
    );
    check_failure(
        &["%d"],
        &["x%0: i32"],
        &["x%0 = intrinsic print(1, null, null)"],
        CheckKind::InvalidAccess,
        "a null pointer is followed",
    );
}
