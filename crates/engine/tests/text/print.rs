//! `printf`.

use crate::arguments::Memory;
use crate::driver::{Cases, Differences, show};
use crate::random::Random;
use loupe_engine::text::{DataModel, FormatError, Options, format};

const OPTIONS: Options = Options { model: DataModel::Lp64, limit: 1 << 20 };

/// A call of `printf`.
struct Case {
    format: Vec<u8>,
    memory: Memory,
}

/// Runs the cases both ways and compares output, result and what `%n` stored. Returns how many cases
/// had a result to compare.
fn compare(name: &str, cases: &[Case]) -> usize {
    let mut input = Cases::default();
    for case in cases {
        input.kind(b'p');
        input.block(&case.format);
        input.block(case.memory.bytes());
        input.number(case.memory.blocks.len());
        for (&at, block) in &case.memory.blocks {
            input.number(at);
            input.block(block);
        }
    }
    let mut answers = input.run(name);
    let mut differences = Differences::default();
    let mut compared = 0;
    for case in cases {
        let expected_result = answers.number();
        let expected = answers.block();
        let mut out = Vec::new();
        let mut memory = case.memory.clone();
        let result = format(&case.format, &mut memory, OPTIONS, &mut out);
        let blocks: Vec<Vec<u8>> =
            memory.blocks.values().map(|block| answers.bytes(block.len()).to_vec()).collect();
        let count = match &result {
            Ok(()) => out.len() as i32,
            // Undefined behaviour: the C library does something.
            Err(FormatError::Conflict(_)) => continue,
            Err(_) => -1,
        };
        compared += 1;
        let same = count == expected_result && out == expected;
        differences.check(same && memory.blocks.values().eq(&blocks), || {
            let (text, out, expected) = (show(&case.format), show(&out), show(&expected));
            let slots = case.memory.bytes().chunks(8).take(8);
            let slots = slots.map(|slot| u64::from_le_bytes(slot.try_into().expect("eight bytes")));
            let arguments: Vec<u64> = slots.collect();
            format!("{text} {arguments:x?}: {result:?} {out}, C: {expected_result} {expected}")
        });
    }
    answers.end();
    differences.finish();
    compared
}

/// Flags, width and precision at random. Arguments of `*` are pushed.
fn decoration(random: &mut Random, memory: &mut Memory) -> String {
    let mut text = String::new();
    while random.chance(2) {
        text.push(random.pick(&['-', '+', ' ', '#', '0', '0', '\'', 'I']));
    }
    match random.below(6) {
        0..3 => {}
        3 | 4 => text += &format!("{}", random.below(40) + 1),
        _ => {
            text.push('*');
            memory.push_integer(random.below(60).wrapping_sub(30));
        }
    }
    match random.below(8) {
        0..3 => {}
        3 => text.push('.'),
        4 | 5 => text += &format!(".{}", random.below(30)),
        6 => text += &format!(".{}", random.below(30) * random.below(60)),
        _ => {
            text += ".*";
            memory.push_integer(random.below(40).wrapping_sub(10));
        }
    }
    text
}

fn push_string(random: &mut Random, memory: &mut Memory) {
    let length = random.below(20);
    let mut bytes: Vec<u8> = (0..length).map(|_| random.below(255) as u8 + 1).collect();
    bytes.push(0);
    memory.push_block(bytes);
}

fn push_wide_string(random: &mut Random, memory: &mut Memory) {
    // Few strings have characters outside ASCII.
    let bound = if random.chance(6) { 300 } else { 127 };
    let length = random.below(8);
    let mut units: Vec<u32> = (0..length).map(|_| random.below(bound) as u32 + 1).collect();
    units.push(0);
    memory.push_block(units.into_iter().flat_map(u32::to_le_bytes).collect());
}

/// A conversion with its arguments.
fn conversion(random: &mut Random, memory: &mut Memory) -> String {
    let decoration = decoration(random, memory);
    let specifier = match random.below(20) {
        0..7 => {
            memory.push_integer(random.integer());
            let length = random.pick(&["", "", "hh", "h", "l", "ll", "j", "z", "t", "L", "q", "Z"]);
            format!("{length}{}", random.pick(&['d', 'i', 'u', 'o', 'x', 'X', 'b', 'B']))
        }
        7..12 => {
            memory.push_integer(random.double());
            let length = random.pick(&["", "", "", "l", "h", "hh", "z", "j"]);
            format!("{length}{}", random.pick(&['e', 'E', 'f', 'F', 'g', 'G', 'a', 'A']))
        }
        12..16 => {
            memory.push_long_double(random.long_double());
            let length = random.pick(&["L", "L", "ll", "q"]);
            format!("{length}{}", random.pick(&['e', 'E', 'f', 'F', 'g', 'G', 'a', 'A']))
        }
        16 => {
            memory.push_integer(random.below(256));
            random.pick(&["c", "c", "hhc", "lc", "C"]).to_owned()
        }
        17 => match random.below(4) {
            0 => {
                memory.push_integer(0);
                random.pick(&["s", "ls", "S"]).to_owned()
            }
            1 => {
                push_wide_string(random, memory);
                random.pick(&["ls", "S"]).to_owned()
            }
            _ => {
                push_string(random, memory);
                random.pick(&["s", "hs", "hhs"]).to_owned()
            }
        },
        18 => {
            memory.push_integer(if random.chance(4) { 0 } else { random.integer() });
            "p".to_owned()
        }
        _ => match random.below(4) {
            0 => {
                memory.push_block(vec![0xa5; 8]);
                format!("{}n", random.pick(&["", "hh", "h", "l", "ll", "j", "z", "t"]))
            }
            1 => random.pick(&["%", "l%", "h%"]).to_owned(),
            2 => "m".to_owned(),
            _ => random.pick(&["y", "k", "lly", "hv", "?", "\x01"]).to_owned(),
        },
    };
    format!("%{decoration}{specifier}")
}

#[test]
fn random_conversions() {
    let mut random = Random::new(1);
    let mut pairs = 0;
    let mut case = || {
        let mut memory = Memory::default();
        let mut text = String::new();
        for _ in 0..random.below(3) + 1 {
            text += random.pick(&["", " ", "a=", "]"]);
            text += &conversion(&mut random, &mut memory);
            pairs += 1;
        }
        Case { format: text.into_bytes(), memory }
    };
    let cases: Vec<Case> = (0..20_000).map(|_| case()).collect();
    assert!(compare("print-random", &cases) == cases.len() && pairs > 30_000);
}

/// Every conversion of numbers with every set of flags and some widths and precisions.
#[test]
fn all_flags() {
    let flags = ["-", "+", " ", "#", "0"];
    let doubles =
        [0.0, 1.0, -0.5, 123456.75, 0.00001234, 99999.95, 1e100, f64::INFINITY, -f64::NAN];
    let mut cases = Vec::new();
    for set in 0..32 {
        let chosen: String =
            flags.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, f)| *f).collect();
        for width in ["", "1", "12"] {
            for precision in ["", ".", ".1", ".5"] {
                for letter in "diuoxXbB".chars() {
                    for value in [0, 1, 100, u64::MAX] {
                        let mut memory = Memory::default();
                        memory.push_integer(value);
                        let format = format!("%{chosen}{width}{precision}{letter}").into_bytes();
                        cases.push(Case { format, memory });
                    }
                }
                for letter in "eEfFgGaA".chars() {
                    for value in doubles {
                        let mut memory = Memory::default();
                        memory.push_integer(value.to_bits());
                        let format = format!("%{chosen}{width}{precision}{letter}").into_bytes();
                        cases.push(Case { format, memory });
                    }
                }
            }
        }
    }
    assert_eq!(compare("print-flags", &cases), cases.len());
}

/// A conversion that names its arguments.
fn positional(random: &mut Random) -> String {
    let position = |random: &mut Random| random.below(8) + 1;
    let width = match random.below(3) {
        0 => format!("*{}$", position(random)),
        1 => format!("{}", random.below(12)),
        _ => String::new(),
    };
    let precision = match random.below(3) {
        0 => format!(".*{}$", position(random)),
        1 => format!(".{}", random.below(12)),
        _ => String::new(),
    };
    let flag = random.pick(&["", "-", "+", "0", "#"]);
    let letter = random.pick(&["d", "ld", "x", "hhu", "c", "i", "p", "lf", "g", "La", "y", "%"]);
    match random.below(5) {
        0 => format!("%{flag}{letter}"),
        _ => format!("%{}${flag}{width}{precision}{letter}", position(random)),
    }
}

#[test]
fn positional_arguments() {
    let mut random = Random::new(2);
    let mut case = || {
        let mut memory = Memory::default();
        for _ in 0..40 {
            memory.push_integer(random.below(60).wrapping_sub(20));
        }
        let count = random.below(3) + 1;
        let parts: Vec<String> = (0..count).map(|_| positional(&mut random)).collect();
        Case { format: parts.join(" ").into_bytes(), memory }
    };
    let cases: Vec<Case> = (0..4_000).map(|_| case()).collect();
    assert!(compare("print-positional", &cases) > 2_500);
}

/// Formats of random bytes, so chosen that all are defined on arguments that are small integers.
#[test]
fn random_bytes() {
    let mut random = Random::new(3);
    let alphabet = b"%%%%%%%%$$*..-+ #'I hhllLqjztZdiuoxXceEfFgGaAmpCykw\xff]\x01";
    let mut case = || {
        let mut format = Vec::new();
        for _ in 0..random.below(14) + 1 {
            match random.below(4) {
                // At most two digits: more could be a huge width.
                0 if format.last().is_none_or(|byte: &u8| !byte.is_ascii_digit()) => {
                    format.extend(random.below(100).to_string().into_bytes());
                }
                _ => format.push(random.pick(alphabet)),
            }
        }
        let mut memory = Memory::default();
        for _ in 0..400 {
            memory.push_integer(random.below(60).wrapping_sub(5));
        }
        Case { format, memory }
    };
    let cases: Vec<Case> = (0..20_000).map(|_| case()).collect();
    assert!(compare("print-bytes", &cases) > 19_000);
}

/// Formats of any bytes at all: nothing to compare, but an end without a panic and within the limit.
#[test]
fn no_format_panics() {
    let mut random = Random::new(4);
    let options = Options { model: DataModel::Ilp32, limit: 4096 };
    for _ in 0..50_000 {
        let special = b"%$*.-+ #0123456789hlLqjztdiuoxXcCsSpnmfFeEgGaA99999999";
        let byte = |random: &mut Random| match random.below(3) {
            0 => random.bits() as u8,
            _ => random.pick(special),
        };
        let text: Vec<u8> = (0..random.below(20)).map(|_| byte(&mut random)).collect();
        let mut memory = Memory::default();
        for _ in 0..random.below(6) {
            memory.push_integer(random.integer());
        }
        let mut out = Vec::new();
        let _ = format(&text, &mut memory, options, &mut out);
        assert!(out.len() <= options.limit, "{}", show(&text));
    }
}

fn print(text: &str, memory: &mut Memory, options: Options) -> (String, Result<(), String>) {
    let mut out = Vec::new();
    let result = format(text.as_bytes(), memory, options, &mut out);
    (String::from_utf8_lossy(&out).into_owned(), result.map_err(|error| format!("{error:?}")))
}

#[test]
fn output_is_bounded() {
    let limit = |text: &str| {
        let mut memory = Memory::default();
        (0..4).for_each(|_| memory.push_integer(7));
        print(text, &mut memory, Options { model: DataModel::Lp64, limit: 10 })
    };
    let too_long = Err("TooLong(10)".to_owned());
    for text in
        ["%2000000000d", "%.2000000000d", "%.2000000000f", "%.2000000000e", "%#.2000000000g"]
    {
        assert_eq!(limit(&format!("ab{text}")), ("ab".to_owned(), too_long.clone()), "{text}");
    }
    assert_eq!(limit("%.2000000000a").1, too_long);
    assert_eq!(
        limit("%.2000000000g"),
        ("3.458459520888726e-323"[..0].to_owned(), too_long.clone())
    );
    assert_eq!(limit("0123456789").1, Ok(()));
    assert_eq!(limit("01234567890").1, too_long);
    assert_eq!(limit("%99999999999d").1, Err("Overflow".to_owned()));
    assert_eq!(limit("%2147483647$d").1, Err("Position(2147483647)".to_owned()));
    assert_eq!(limit("%d%d%d%d%d"), ("7777".to_owned(), Err("Argument(Missing)".to_owned())));
}

/// In the model ILP32, `long` is `int`.
#[test]
fn data_models() {
    let mut random = Random::new(5);
    let pairs = [("ld", "d"), ("lu", "u"), ("zx", "x"), ("td", "d"), ("jd", "lld"), ("zc", "c")];
    for _ in 0..1000 {
        let (narrow, wide) = random.pick(&pairs);
        let mut memory = Memory::default();
        memory.push_integer(random.integer());
        let text = |letter: &str| format!("%{letter}");
        let small = Options { model: DataModel::Ilp32, ..OPTIONS };
        let given = print(&text(narrow), &mut memory.clone(), small);
        assert_eq!(given, print(&text(wide), &mut memory, OPTIONS), "{narrow}");
    }
    // `intmax_t` is `long long` there, and that modifier makes a `long double`.
    let mut memory = Memory::default();
    memory.push_long_double(0x3fff_8000_0000_0000_0000);
    let small = Options { model: DataModel::Ilp32, ..OPTIONS };
    assert_eq!(print("%jf", &mut memory, small), ("1.000000".to_owned(), Ok(())));
}
