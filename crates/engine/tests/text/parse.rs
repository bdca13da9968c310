//! `strtof`, `strtod` and `strtold`.

use crate::driver::{Cases, Differences, show};
use crate::random::Random;
use loupe_engine::text::{FloatFormat, Range, parse_float};

fn compare(name: &str, texts: &[Vec<u8>]) {
    let mut input = Cases::default();
    for text in texts {
        input.kind(b'f');
        input.block(text);
    }
    let mut answers = input.run(name);
    let mut differences = Differences::default();
    for text in texts {
        for format in [FloatFormat::Single, FloatFormat::Double, FloatFormat::Extended] {
            let bits = u128::from_le_bytes(answers.bytes(16).try_into().expect("16 bytes"));
            let expected = (bits, answers.number() as usize, answers.number() == 1);
            let parsed = parse_float(text, format);
            let given = (parsed.bits, parsed.length, parsed.range != Range::Normal);
            differences.check(given == expected, || {
                format!("{} {format:?}: {given:x?}, C: {expected:x?}", show(text))
            });
        }
    }
    answers.end();
    differences.finish();
}

fn digits(random: &mut Random, most: u64) -> String {
    (0..random.below(most + 1)).map(|_| random.pick(b"00123456789") as char).collect()
}

fn decimal(random: &mut Random) -> String {
    let most = random.pick(&[1, 3, 18, 40]);
    let mut text = digits(random, most);
    if random.chance(2) {
        text = format!("{text}.{}", digits(random, most));
    }
    let bound = random.pick(&[5, 40, 330, 5000, 100_000]);
    match random.below(4) {
        0 => text,
        1 => format!("{text}e{}", random.below(bound)),
        2 => format!("{text}E-{}", random.below(bound)),
        _ => format!("{text}e{}{}", random.pick(&["", "+", "-", " ", "x"]), random.below(bound)),
    }
}

fn hexadecimal(random: &mut Random) -> String {
    let hex = |random: &mut Random| -> String {
        (0..random.below(25)).map(|_| random.pick(b"00123456789abcdefABCDEFf8") as char).collect()
    };
    let point = random.pick(&["", ".", "."]);
    let mut text = format!("0{}{}{point}{}", random.pick(&['x', 'X']), hex(random), hex(random));
    let bound = random.pick(&[5, 200, 1200, 17_000]);
    match random.below(4) {
        0 => {}
        1 => text += &format!("p{}", random.below(bound)),
        2 => text += &format!("P-{}", random.below(bound)),
        _ => text += random.pick(&["p", "p+", "p-x", "e5"]),
    }
    text
}

/// Exact decimal digits of a number halfway between two others, or beside it.
fn halfway(random: &mut Random) -> String {
    let value = f64::from_bits(random.bits() & !(1 << 63));
    if !value.is_finite() {
        return "1e400".to_owned();
    }
    // All decimals of a double; as a float it is a tie if the bits below a float's are 100…0.
    let tie = f64::from_bits(value.to_bits() & !((1 << 29) - 1) | 1 << 28);
    let mut text = format!("{:.1074}", random.pick(&[value, tie]));
    if random.chance(2) {
        text.push(random.pick(&['0', '1', '9']));
    }
    text
}

#[test]
fn random_texts() {
    let mut random = Random::new(11);
    let mut text = || {
        let number = match random.below(8) {
            0..4 => decimal(&mut random),
            4..6 => hexadecimal(&mut random),
            6 => halfway(&mut random),
            _ => random
                .pick(&[
                    "inf",
                    "INFINITY",
                    "infinit",
                    "nan",
                    "NaN()",
                    "nan(123)",
                    "nan(0x7f)",
                    "nan(077)",
                    "nan(089)",
                    "nan(0x)",
                    "nan(_a)",
                    "nan(1",
                    "nan(1-2)",
                    "na",
                    "in",
                    "i",
                    "",
                    "nan(99999999999999999999999)",
                    "nan(0xfffffffffffffffff)",
                    ".",
                    "-",
                    "e5",
                    ".e1",
                    "0x",
                    "0x.",
                    "0xp1",
                    "0x.p1",
                    "0x.8",
                    "0x1.",
                    "1e",
                    "1e+",
                    "0e999999999999999999",
                    "1e99999999999999999999999",
                    "1e-99999999999999999999999",
                    "1.e1",
                    ".5",
                    "00x1",
                ])
                .to_owned(),
        };
        let space = random.pick(&["", "", "", " ", "\t\n\r\x0b\x0c "]);
        let sign = random.pick(&["", "", "-", "+", "+-"]);
        let after = random.pick(&["", "", ".", "f", " 1", "e", "\u{7f}"]);
        format!("{space}{sign}{number}{after}").into_bytes()
    };
    let texts: Vec<Vec<u8>> = (0..12_000).map(|_| text()).collect();
    compare("parse-random", &texts);
}

/// Texts around the borders of the formats, and longer than anything that matters.
#[test]
fn extreme_texts() {
    let mut texts: Vec<String> = Vec::new();
    for border in [
        "3.4028234663852886e38",
        "3.4028235677973366e38",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.18973149535723176502e4932",
        "1.18973149535723176509e4932",
        "1.1754943508222875e-38",
        "1.17549431578982589e-38",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.22507385850720113e-308",
        "3.3621031431120935062627e-4932",
        "3.3621031431120935061e-4932",
        "4.9e-324",
        "2.4703282292e-324",
        "2.4703282293e-324",
        "3.6e-4951",
        "1.8e-4951",
        "1.9e-4951",
        "7.0064923216240854e-46",
        "7.006492321624085354618e-46",
        "7.006492321624085354619e-46",
        "0x1.fffffep127",
        "0x1.ffffffp127",
        "0x1.fffffefp127",
        "0x1.fffffffffffff8p1023",
        "0x1.fffffffffffff7p1023",
        "0x0.fffffffp-126",
        "0x0.ffffffp-126",
        "0x0.ffffff8p-126",
        "0x0.ffffff7p-126",
        "0x1p-149",
        "0x1p-150",
        "0x1.1p-150",
        "0x1p-1074",
        "0x1p-1075",
        "0x1.8p-1075",
        "0x1p-16445",
        "0x1p-16446",
        "0x1.00001p-16446",
        "0x0.fffffffffffffp-1022",
        "0x0.fffffffffffff8p-1022",
        "0x0.fffffffffffffcp-1022",
        "0x0.ffffffffffffffffp-16382",
        "0x1p16383",
        "0x1p16384",
    ] {
        texts.push(border.to_owned());
        texts.push(format!("-{border}"));
    }
    let zeros = |count: usize| "0".repeat(count);
    let nines = |count: usize| "9".repeat(count);
    texts.push(format!("{}1e-{}", nines(20_000), 20_000));
    texts.push(format!("0.{}1e{}", zeros(20_000), 20_001));
    texts.push(format!("1{}e-{}", zeros(20_000), 20_000));
    texts.push(format!("0x0.{}1p{}", zeros(20_000), 80_004));
    texts.push(format!("0x1{}p-{}", zeros(20_000), 80_000));
    texts.push(format!("9007199254740993.{}", zeros(20_000)));
    texts.push(format!("9007199254740993.{}1", zeros(20_000)));
    texts.push(format!("0x1.{}8{}1", zeros(5), zeros(20_000)));
    texts.push(format!("0x1.{}8{}", zeros(5), zeros(20_000)));
    texts.push(nines(6_000));
    let texts: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    compare("parse-extreme", &texts);
}
