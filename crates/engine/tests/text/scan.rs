//! `scanf`.

use crate::driver::{Cases, Differences, TARGET_SIZE, show};
use crate::random::Random;
use loupe_engine::text::{DataModel, FloatFormat, Input, ScanError, Stored, Target, Targets, scan};
use std::convert::Infallible;

/// A call of `scanf`.
struct Case {
    format: Vec<u8>,
    input: Vec<u8>,
}

const TARGETS: usize = 4;

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input for Bytes<'_> {
    type Error = Infallible;

    fn peek(&mut self) -> Result<Option<u8>, Infallible> {
        Ok(self.bytes.get(self.at).copied())
    }

    fn advance(&mut self) -> Result<(), Infallible> {
        self.at += 1;
        Ok(())
    }
}

/// What the arguments point to, as it is in memory.
struct Memory {
    targets: Vec<Vec<u8>>,
    next: usize,
    allocated: Vec<Vec<u8>>,
}

impl Memory {
    fn new() -> Self {
        let targets = vec![vec![0xa5; TARGET_SIZE]; TARGETS];
        Memory { targets, next: 0, allocated: Vec::new() }
    }
}

impl Targets for Memory {
    type Error = Infallible;

    fn store(&mut self, target: Target, value: Stored<'_>) -> Result<(), Infallible> {
        let index = match target {
            Target::Next => {
                self.next += 1;
                self.next - 1
            }
            Target::Index(index) => index,
        };
        let bytes = match value {
            Stored::Integer { size, bits } => bits.to_le_bytes()[..size.bytes()].to_vec(),
            Stored::Address(address) => address.to_le_bytes().to_vec(),
            Stored::Float { format, bits } => {
                let size = match format {
                    FloatFormat::Single => 4,
                    FloatFormat::Double => 8,
                    FloatFormat::Extended => 10,
                };
                bits.to_le_bytes()[..size].to_vec()
            }
            Stored::Bytes(bytes) => bytes.to_vec(),
            Stored::Allocated(bytes) => {
                self.allocated.push(bytes.to_vec());
                return Ok(());
            }
        };
        if let Some(target) = self.targets.get_mut(index) {
            target[..bytes.len()].copy_from_slice(&bytes);
        }
        Ok(())
    }
}

fn compare(name: &str, cases: &[Case]) -> Vec<i32> {
    let mut input = Cases::default();
    for case in cases {
        input.kind(b's');
        input.block(&case.format);
        input.block(&case.input);
        input.number(TARGETS);
    }
    let mut answers = input.run(name);
    let mut differences = Differences::default();
    let mut results = Vec::new();
    for case in cases {
        let expected_result = answers.number();
        let expected_at = answers.number();
        let mut expected = answers.bytes(TARGETS * TARGET_SIZE).to_vec();
        let mut bytes = Bytes { bytes: &case.input, at: 0 };
        let mut memory = Memory::new();
        let result = scan(&case.format, &mut bytes, &mut memory, DataModel::Lp64);
        if result == Err(ScanError::WideCharacter) {
            continue;
        }
        // A long double's padding is not the value.
        for (target, expected) in memory.targets.iter().zip(expected.chunks_mut(TARGET_SIZE)) {
            if target[10..16] == [0xa5; 6] {
                expected[10..16].copy_from_slice(&target[10..16]);
            }
        }
        let result = result.expect("memory can be written");
        results.push(result);
        let same = (result, bytes.at as i32) == (expected_result, expected_at)
            && memory.targets.concat() == expected;
        differences.check(same, || {
            let pairs = memory.targets.iter().zip(expected.chunks(TARGET_SIZE));
            let mut different = pairs.filter(|(given, expected)| given != expected);
            let targets = different.next().map(|(given, expected)| {
                format!("{}, C: {}", show(&given[..20]), show(&expected[..20]))
            });
            format!(
                "{} on {}: {result} at {}, C: {expected_result} at {expected_at}; {targets:?}",
                show(&case.format),
                show(&case.input),
                bytes.at,
            )
        });
    }
    answers.end();
    differences.finish();
    results
}

/// A conversion, and text that it may read.
fn conversion(random: &mut Random) -> (String, String) {
    let star = if random.chance(5) { "*" } else { "" };
    let width = match random.below(3) {
        0 => (random.below(8) + u64::from(random.chance(2))).to_string(),
        _ => String::new(),
    };
    let (body, text) = match random.below(12) {
        0..5 => {
            let length = random.pick(&["", "", "hh", "h", "l", "ll", "j", "z", "t", "L", "q"]);
            let letter = random.pick(&["d", "d", "i", "u", "o", "x", "X", "b", "p"]);
            (format!("{length}{letter}"), integer(random))
        }
        5..8 => {
            let length = random.pick(&["", "l", "L", "ll", "h"]);
            let letter = random.pick(&["f", "e", "g", "a", "E", "F", "G", "A"]);
            (format!("{length}{letter}"), real(random))
        }
        8 => (random.pick(&["c", "lc", "C"]).to_owned(), word(random)),
        9 => (random.pick(&["s", "s", "ls", "S", "hs"]).to_owned(), word(random)),
        10 => {
            let sets = [
                "[a-z]",
                "[^a-z]",
                "[]a]",
                "[^]a]",
                "[a-]",
                "[-a]",
                "[^-a]",
                "[0-9a-f]",
                "[z-a]",
                "[a-c-e]",
                "[^ \n]",
                "[a",
                "[]",
                "[^]",
                "[%]",
                "[\x01-\x7f]",
                "l[a-z]",
                "[a-a]",
            ];
            (random.pick(&sets).to_owned(), word(random))
        }
        _ => (
            random.pick(&["n", "ln", "hhn", "%", "y", "l", "'d", "Id", ""]).to_owned(),
            word(random),
        ),
    };
    (format!("%{star}{width}{body}"), text)
}

fn integer(random: &mut Random) -> String {
    let value = random.integer();
    let sign = random.pick(&["", "", "-", "+", "--"]);
    match random.below(8) {
        0 => format!("{sign}0x{value:x}"),
        1 => format!("{sign}0X{value:X}"),
        2 => format!("{sign}0{value:o}"),
        3 => format!("{sign}0b{value:b}").chars().take(40).collect(),
        4 => format!("{sign}{value}{value}"),
        5 => {
            let odd =
                ["0x", "0", "-", "+", "0xg", "0b", "(nil)", "(nix)", "(NIL)", "(", "08", "-0x", ""];
            random.pick(&odd).to_owned()
        }
        _ => format!("{}", value as i32),
    }
}

fn real(random: &mut Random) -> String {
    let sign = random.pick(&["", "", "-", "+"]);
    let value = f64::from_bits(random.double());
    match random.below(6) {
        0 => {
            let text = random.bits() >> random.below(50);
            format!("{sign}0x{text:x}.{text:x}p{}", random.below(80) as i32 - 40)
        }
        1 if value.is_finite() => format!("{value:e}"),
        2 | 3 => {
            let odd = [
                "nan", "NaN", "nan(12)", "na", "nax", "inf", "Infinity", "infinit", "infx",
                "infinix", "in", "1e", "1e+", "1e-x", "1e5", "1E-5", ".", "-.", ".5", "5.", "0x",
                "0x.", "0x.8", "0xp1", "0x1p", "0x1p+", "1.2.3", "e5", ".e5", "1.e5", "0", "00",
                "0e0", "1e400", "0x1e5", "1p5", "nan(", "nan()", "i", "n", "0xg",
            ];
            format!("{sign}{}", random.pick(&odd))
        }
        _ => format!("{sign}{}.{}", random.below(1000), random.below(1000)),
    }
}

fn word(random: &mut Random) -> String {
    (0..random.below(7)).map(|_| random.pick(b"abcdez019-]% \n\t%n(") as char).collect()
}

fn case(random: &mut Random) -> Case {
    let mut format = String::new();
    let mut input = Vec::new();
    for _ in 0..random.below(TARGETS as u64) + 1 {
        let (conversion, text) = conversion(random);
        let between = random.pick(&["", "", " ", ",", "\n ", " ,", "x"]);
        format += between;
        format += &conversion;
        if random.chance(4) {
            input.push(b' ');
        }
        if !random.chance(12) {
            input.extend(between.bytes());
        }
        let text = if random.chance(10) { word(random) } else { text };
        input.extend(text.bytes());
    }
    format += random.pick(&["", "", " ", "x", " x"]);
    match random.below(10) {
        0 => input.truncate(random.below(6) as usize),
        1 => input.insert(0, random.bits() as u8),
        2 => input.extend(random.pick(&[" ", "  \n", "x", "\u{e9}"]).bytes()),
        _ => {}
    }
    // All of it fits a target, even as wide characters.
    input.truncate(TARGET_SIZE / 4 - 1);
    Case { format: format.into_bytes(), input }
}

#[test]
fn random_formats() {
    let mut random = Random::new(21);
    let cases: Vec<Case> = (0..20_000).map(|_| case(&mut random)).collect();
    let results = compare("scan-random", &cases);
    assert!(results.len() > 19_500);
    for result in -1..=4 {
        let count = results.iter().filter(|&&given| given == result).count();
        assert!(count > 50, "{count} cases with the result {result}");
    }
}

#[test]
fn chosen_formats() {
    let case = |format: &str, input: &[u8]| Case { format: format.into(), input: input.to_vec() };
    let cases = [
        case("%2$d %1$d", b"1 2"),
        case("%3$5s%1$n", b"hello world"),
        case("%0$d", b"7"),
        case("%99999999999d", b"123"),
        case("%d%n", b"12 "),
        case("%d %n", b"12 "),
        case(" ", b"  "),
        case("", b"x"),
        case("x", b""),
        case(" x", b"  "),
        case("%%", b"  %"),
        case("%%", b""),
        case("%c%c%c", b"a\0b"),
        case("%s", b"a\0b c"),
        case("a\0%d", b"a1"),
        case("%ls", b"ab\xffc"),
        case("%*ls%n", b"ab\xffc"),
        case("%3lc", b"ab\xffc"),
        case("%*l[^x]%n", b"ab\xffcx"),
        case("\u{e9}%c", "\u{e9}x".as_bytes()),
        case(" \u{e9}%c", "  \u{e9}x".as_bytes()),
        case(
            "%lld %lld %llu %llu",
            b"9223372036854775808 -9223372036854775809 18446744073709551616 -1",
        ),
        case("%hhd %hu %d %u", b"300 -1 4294967296 -4294967297"),
        case("%p %p %p %p", b"0x7fff ffff -1 (nil)"),
        case("%4p%n", b"(nil)"),
        case("%5p%n", b"(nil)"),
        case("%[^\n]%*c%[^\n]", b"one line\nanother\n"),
        case("%d,%d;%d", b"1,2:3"),
    ];
    compare("scan-chosen", &cases);
}

/// Formats of random bytes: an end without a panic.
#[test]
fn no_format_panics() {
    let mut random = Random::new(22);
    let special = b"%%%%$*0123456789hlLqjztmdiuoxXbcCsSpnfFeEgGaA[]^- \n'I";
    for _ in 0..50_000 {
        let format: Vec<u8> = (0..random.below(20))
            .map(|_| if random.chance(4) { random.bits() as u8 } else { random.pick(special) })
            .collect();
        let input = case(&mut random).input;
        let mut bytes = Bytes { bytes: &input, at: 0 };
        let result = scan(&format, &mut bytes, &mut Memory::new(), DataModel::Ilp32);
        assert!(bytes.at <= input.len());
        match result {
            Ok(count) => assert!((-1..=20).contains(&count), "{}: {count}", show(&format)),
            Err(ScanError::WideCharacter) => assert!(format.contains(&b'[')),
            Err(ScanError::Access(never)) => match never {},
        }
    }
}

/// `%ms` and the sizes of the model ILP32, for which there is no C library here.
#[test]
fn allocation_and_small_model() {
    let mut memory = Memory::new();
    let mut input = Bytes { bytes: b"ab cd 4294967297 9999999999", at: 0 };
    let count = scan(b"%ms%m[ c]%mlc %ld %lu", &mut input, &mut memory, DataModel::Ilp32);
    assert_eq!(count, Ok(5));
    assert_eq!(memory.allocated, [b"ab\0".to_vec(), b" c\0".to_vec(), b"d\0\0\0".to_vec()]);
    let stored = |index: usize| memory.targets[index][..5].to_vec();
    assert_eq!(stored(3), [0xff, 0xff, 0xff, 0x7f, 0xa5]);
}
