//! Floating point numbers against gcc, bit by bit.

use super::*;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

/// How the C file ends. It prints one line for each result.
const REST: &str = r#"
#define TYPE(T, BYTES, LIST) \
    static void print_##LIST(T x) { \
        unsigned char bits[16] = {0}; \
        memcpy(bits, &x, BYTES); \
        for (int i = BYTES - 1; i >= 0; i--) printf("%02x", bits[i]); \
        printf("\n"); \
    } \
    static T get_##LIST(int i) { T x; memcpy(&x, LIST[i], BYTES); return x; }
TYPE(float, 4, singles)
TYPE(double, 8, doubles)
TYPE(long double, 10, extendeds)
#define EACH(T, LIST) \
    for (int i = 0; i < COUNT; i++) { \
        volatile T a = get_##LIST(i), b = get_##LIST((i * 7 + 3) % COUNT); \
        print_##LIST(a + b); print_##LIST(a - b); print_##LIST(a * b); print_##LIST(a / b); \
        print_##LIST(-a); \
        printf("%d%d%d%d%d%d\n", a < b, a <= b, a == b, a != b, a > b, a >= b); \
        print_singles((float)a); print_doubles((double)a); print_extendeds((long double)a); \
        print_##LIST((T)(int)integers[i]); print_##LIST((T)integers[i]); \
        print_##LIST((T)(unsigned long)integers[i]); \
    }
#define INTEGERS(T, LIST) \
    for (int i = 0; i < COUNT; i++) { \
        volatile T a = get_##LIST(i); \
        printf("%d %u %d %u ", (signed char)a, (unsigned char)a, (short)a, (unsigned short)a); \
        printf("%d %u %ld %lu\n", (int)a, (unsigned)a, (long)a, (unsigned long)a); \
    }
int main(void) {
    EACH(float, singles)
    EACH(double, doubles)
    EACH(long double, extendeds)
    INTEGERS(float, singles)
    INTEGERS(double, doubles)
    return 0;
}
"#;

/// A simple generator, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Numbers of a format: special ones, numbers around those of integers, and any.
fn numbers(format: FloatType, random: &mut Random) -> Vec<u128> {
    let bits = format.bits();
    let (exponent_bits, explicit) = match format {
        FloatType::F32 => (8, 0),
        FloatType::F64 => (11, 0),
        FloatType::F80 => (15, 1),
    };
    let fraction_bits = bits - 1 - exponent_bits - explicit;
    let largest = (1u64 << exponent_bits) - 1;
    let bias = largest / 2;
    let mut list = Vec::new();
    let mut add = |negative: bool, exponent: u64, fraction: u64| {
        let fraction = u128::from(fraction) & ((1 << fraction_bits) - 1);
        let one = if explicit == 1 && exponent > 0 { 1u128 << fraction_bits } else { 0 };
        let head = u128::from(exponent) << (fraction_bits + explicit);
        let sign = u128::from(negative) << (bits - 1);
        list.push(sign | head | one | fraction);
    };
    for negative in [false, true] {
        for exponent in [0, 1, bias - 1, bias, bias + 1, bias + 63, largest - 1, largest] {
            add(negative, exponent, 0);
            add(negative, exponent, 1);
            add(negative, exponent, u64::MAX);
            add(negative, exponent, random.next());
        }
    }
    for exponent in bias - 3..bias + 70 {
        let sign = random.next() & 1 == 1;
        add(sign, exponent, random.next());
        add(!sign, exponent, random.next() << 40);
    }
    for _ in 0..200 {
        add(random.next() & 1 == 1, random.next() % largest, random.next());
    }
    list
}

fn hex(number: Number) -> String {
    match number {
        Number::Single(_) => format!("{:08x}", number.bits()),
        Number::Double(_) => format!("{:016x}", number.bits()),
        Number::Extended(_) => format!("{:020x}", number.bits()),
    }
}

fn c_list(name: &str, numbers: &[u128]) -> String {
    let mut text = format!("static const unsigned char {name}[COUNT][16] = {{\n");
    for number in numbers {
        let bytes: Vec<String> = number.to_le_bytes().iter().map(u8::to_string).collect();
        writeln!(text, "{{{}}},", bytes.join(",")).expect("a string takes everything");
    }
    text + "};\n"
}

/// What gcc makes of it.
fn judge(text: &str) -> Vec<String> {
    let folder = std::env::temp_dir();
    let source = folder.join(format!("loupe-floats-{}.c", std::process::id()));
    let binary = source.with_extension("out");
    std::fs::write(&source, text).expect("the source is written");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O0", "-fwrapv", "-w", "-o"]).arg(&binary).arg(&source);
    assert!(gcc.status().expect("gcc starts").success(), "gcc rejects {}", source.display());
    let run = Command::new(&binary).output().expect("the program starts");
    for file in [source, binary] {
        std::fs::remove_file(file).expect("the file is there");
    }
    let output = String::from_utf8(run.stdout).expect("numbers");
    output.lines().map(str::to_owned).collect()
}

fn both_nan(a: Number, b: Number) -> bool {
    a.is_nan() && b.is_nan()
}

/// The lines for one format; `None` where the x86 has no rule that is followed.
fn expected(format: FloatType, list: &[u128], integers: &[i64]) -> Vec<Option<String>> {
    let mut lines = Vec::new();
    for (i, bits) in list.iter().enumerate() {
        let a = Number::from_bits(*bits, format);
        let b = Number::from_bits(list[(i * 7 + 3) % list.len()], format);
        // Of two that are not numbers, the x87 takes the one with the larger significand.
        let known = format != FloatType::F80 || !both_nan(a, b);
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div] {
            let result = hex(a.binary(op, b).expect("all formats have it"));
            lines.push(known.then_some(result));
        }
        lines.push(Some(hex(a.negate())));
        let all = [
            CompareOp::Lt,
            CompareOp::Le,
            CompareOp::Eq,
            CompareOp::Ne,
            CompareOp::Gt,
            CompareOp::Ge,
        ];
        let compared = all.map(|op| u8::from(a.compare(op, b).expect("one format")).to_string());
        lines.push(Some(compared.concat()));
        lines.extend(FloatType::ALL.map(|to| Some(hex(a.convert(to)))));
        let integer = Integer::from(integers[i]);
        for ty in [IntType::signed(32), IntType::signed(64), IntType::unsigned(64)] {
            let integer = ty.wrap(integer.clone());
            lines.push(Some(hex(Number::of_integer(&integer, format))));
        }
    }
    lines
}

fn expected_integers(format: FloatType, list: &[u128]) -> Vec<Option<String>> {
    let types = [8, 16, 32, 64].map(|width| [IntType::signed(width), IntType::unsigned(width)]);
    let line = |bits: &u128| {
        let number = Number::from_bits(*bits, format);
        let all = types.as_flattened().iter().map(|ty| number.to_integer(*ty).to_string());
        Some(all.collect::<Vec<_>>().join(" "))
    };
    list.iter().map(line).collect()
}

#[test]
fn gcc_agrees() {
    if Command::new("gcc").arg("--version").output().is_err() || !cfg!(target_arch = "x86_64") {
        writeln!(std::io::stderr(), "SKIPPED: there is no gcc for x86-64 to compare with").ok();
        return;
    }
    let mut random = Random(0x1234_5678_9abc_def1);
    let lists = FloatType::ALL.map(|format| numbers(format, &mut random));
    let count = lists[0].len();
    let integers: Vec<i64> = (0..count).map(|i| (random.next() as i64) >> (i % 64)).collect();
    let mut text = format!("#include <stdio.h>\n#include <string.h>\n#define COUNT {count}\n");
    for (name, list) in ["singles", "doubles", "extendeds"].iter().zip(&lists) {
        text += &c_list(name, list);
    }
    let words: Vec<String> = integers.iter().map(|i| format!("(long){}ul", *i as u64)).collect();
    text += &format!("static const long integers[COUNT] = {{{}}};\n", words.join(","));
    text += REST;
    let mut own = Vec::new();
    for (format, list) in FloatType::ALL.into_iter().zip(&lists) {
        own.extend(expected(format, list, &integers));
    }
    own.extend(expected_integers(FloatType::F32, &lists[0]));
    own.extend(expected_integers(FloatType::F64, &lists[1]));
    let judged = judge(&text);
    assert_eq!(own.len(), judged.len());
    for (line, (own, judged)) in own.iter().zip(&judged).enumerate() {
        if let Some(own) = own {
            assert_eq!(own, judged, "line {line}; Loupe on the left, gcc on the right");
        }
    }
}

#[test]
fn large_integers_are_rounded_once() {
    // 2⁶⁴ + 2¹¹ lies between two numbers, and one bit far behind decides.
    let tie = Integer::power_of_two(64).add(&Integer::power_of_two(11));
    let above = tie.shift_left(100).add(&Integer::ONE);
    let double = |integer: &Integer| Number::of_integer(integer, FloatType::F64).to_f64();
    assert_eq!(double(&tie), 18_446_744_073_709_551_616.0);
    assert_eq!(double(&above), (18_446_744_073_709_551_616.0 + 4096.0) * 2f64.powi(100));
    assert_eq!(double(&above.neg()), -double(&above));
    assert_eq!(double(&Integer::power_of_two(1024)), f64::INFINITY);
    let single = Number::of_integer(&Integer::power_of_two(127), FloatType::F32);
    assert_eq!(single.to_f64(), 2f64.powi(127));
}

#[test]
fn integers_go_there_and_back() {
    for exponent in [0, 1, 31, 62, 63, 64, 100, 1000] {
        let integer = Integer::power_of_two(exponent).neg();
        for format in [FloatType::F64, FloatType::F80] {
            let number = Number::of_integer(&integer, format);
            assert_eq!(number.truncated(), Some(integer.clone()), "2^{exponent}");
        }
    }
    let half = Number::Double(-0.5);
    assert_eq!(half.truncated(), Some(Integer::ZERO));
    assert_eq!(Number::Double(f64::NAN).truncated(), None);
}

#[test]
fn functions_have_their_numbers() {
    let one = |number, x| function(number, x).expect("it exists");
    assert_eq!(one(0, 2.25), 1.5);
    assert_eq!(one(12, std::f64::consts::E), 1.0);
    assert_eq!(one(15, -1.5), -2.0);
    assert_eq!(one(17, -2.5), -3.0);
    assert_eq!(one(19, -2.5), -2.0);
    assert_eq!(one(23, -2.5), 2.5);
    assert_eq!(function(24, 0.0), None);
    let two = |number, x, y| function_of_two(number, x, y).expect("it exists");
    assert_eq!(two(0, 2.0, 10.0), 1024.0);
    assert_eq!(two(1, -7.5, 2.0), -1.5);
    assert_eq!(two(7, 7.5, 2.0), -0.5);
    assert_eq!(two(5, f64::NAN, 2.0), 2.0);
    assert_eq!(function_of_two(8, 0.0, 0.0), None);
}
