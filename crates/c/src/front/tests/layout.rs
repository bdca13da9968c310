//! gcc as the judge of layouts, constants and initialisers: the bytes of an initialised object.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use super::accept_with;
use crate::front::{DataModel, Options};
use crate::tree::{ExprKind, TypeKind, Unit};

/// Draws numbers, the same ones every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// The bytes that gcc makes of the only initialised object of a program.
fn gcc(text: &str, model: DataModel, name: &str) -> Vec<u8> {
    let folder = std::env::temp_dir().join(format!("loupe-front-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| -> PathBuf { folder.join(name) };
    std::fs::write(file("t.c"), text).unwrap();
    let width = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let object = file("t.o");
    run(Command::new("gcc")
        .args(["-w", "-fwrapv", width, "-c", "-o"])
        .arg(&object)
        .arg(file("t.c")));
    let bytes = file("t.bin");
    let copy = ["-O", "binary", "--only-section=.data"];
    run(Command::new("objcopy").args(copy).arg(&object).arg(&bytes));
    let bytes = std::fs::read(bytes).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    bytes
}

/// The bytes that the tree gives the only initialised object of a program.
fn bytes(unit: &Unit) -> Vec<u8> {
    let object = unit.objects.iter().find(|object| object.initial.is_some()).unwrap();
    let size = object.extent.or(unit.ty(object.ty).size).unwrap();
    let mut bytes = vec![0; size as usize];
    for initial in object.initial.as_ref().unwrap() {
        let at = initial.offset as usize;
        let value = unit.expr(initial.value);
        let ty = unit.ty(value.ty);
        let size = ty.size.unwrap() as usize;
        let number = match &value.kind {
            ExprKind::Int(number) => *number as u128,
            ExprKind::Float(bits) => *bits,
            ExprKind::String(id) => {
                let string = unit.string(*id);
                let unit = string.unit as usize;
                let chars = string.elements.iter().flat_map(|c| c.to_le_bytes()[..unit].to_vec());
                for (slot, byte) in bytes[at..at + size].iter_mut().zip(chars) {
                    *slot = byte;
                }
                continue;
            }
            other => panic!("not a constant: {other:?}"),
        };
        match initial.bits {
            None => {
                // The rest of a `long double` is padding.
                let held = if matches!(ty.kind, TypeKind::Float(_)) { size.min(10) } else { size };
                bytes[at..at + held].copy_from_slice(&number.to_le_bytes()[..held]);
            }
            Some(bits) => {
                for bit in 0..bits.width {
                    let position = (bits.first + bit) as usize;
                    let mask = 1 << (position % 8);
                    let byte = &mut bytes[at + position / 8];
                    *byte = if number >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
                }
            }
        }
    }
    bytes
}

fn compare(text: &str, name: &str) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let ours = bytes(&accept_with(text, &Options::new(model)).0.unit);
        let theirs = gcc(text, model, &format!("{name}-{model:?}"));
        // gcc may leave out zeros at the end, and aligns the section.
        let length = ours.len().max(theirs.len());
        let padded = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes.resize(length, 0);
            bytes
        };
        let (ours, theirs) = (padded(&ours), padded(&theirs));
        let differing = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        assert_eq!(differing, None, "{model:?}\n{text}");
    }
}

/// A struct or union with members of all kinds; the definition and an initialiser.
fn record(dice: &mut Dice, number: u64) -> (String, String) {
    let integers = [
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "_Bool",
        "enum e",
    ];
    let mut fields = String::new();
    let mut values = Vec::new();
    let kind = dice.pick(&["struct", "struct", "struct", "struct", "union"]);
    for field in 0..1 + dice.below(7) {
        let value = dice.below(1 << 20) as i64 - (1 << 19);
        match dice.below(10) {
            0..4 => {
                let ty = dice.pick(&integers);
                let _ = write!(fields, "{ty} f{field};");
                values.push(format!(".f{field} = {value}"));
            }
            4..7 => {
                let ty = dice.pick(&integers);
                let most = match ty {
                    "_Bool" => 1,
                    ty if ty.contains("char") => 8,
                    ty if ty.contains("short") => 16,
                    _ => 32,
                };
                let width = 1 + dice.below(most);
                match dice.below(8) {
                    0 => {
                        let _ = write!(fields, "{ty} : {};", dice.below(2) * width);
                    }
                    _ => {
                        let _ = write!(fields, "{ty} f{field} : {width};");
                        values.push(format!(".f{field} = {value}"));
                    }
                }
            }
            7 => {
                let ty = dice.pick(&["float", "double", "long double"]);
                let _ = write!(fields, "{ty} f{field};");
                values.push(format!(".f{field} = {value} / 7.0"));
            }
            8 => {
                let _ = write!(fields, "char f{field}[{}];", 1 + dice.below(5));
                values.push(format!(".f{field} = \"ab\""));
            }
            _ => {
                let _ =
                    write!(fields, "struct {{ char a; {} b; }} f{field}[2];", dice.pick(&integers));
                values.push(format!(".f{field} = {{ [1] = {{ 1, {value} }} }}"));
            }
        }
    }
    if kind == "union" {
        values.truncate(1);
    }
    let attribute =
        dice.pick(&["", "", "", "__attribute__((packed))", "__attribute__((aligned(8)))"]);
    let definition = format!("{kind} r{number} {{ {fields} }} {attribute};\n");
    (definition, format!("{{ {} }}", values.join(", ")))
}

#[test]
fn layouts_and_bit_fields_are_those_of_gcc() {
    let mut dice = Dice(1);
    let mut text = "enum e { A, B };\n".to_owned();
    let mut members = String::new();
    let mut values = Vec::new();
    for number in 0..300 {
        let (definition, value) = record(&mut dice, number);
        let kind = definition.split(' ').next().unwrap().to_owned();
        text += &definition;
        let _ = write!(members, "{kind} r{number} m{number}; ");
        values.push(value);
    }
    let _ = write!(text, "struct all {{ {members} }} all = {{ {} }};", values.join(",\n"));
    compare(&text, "layout");
}

/// A constant expression without a division by zero or a shift out of range.
fn constant(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        let number = dice.below(70_000);
        let suffix = dice.pick(&["", "u", "l", "ul", "ll", "ull"]);
        return match dice.below(6) {
            0 => format!("{}", dice.below(1 << 30)),
            1 => format!("'{}'", dice.pick(&["a", "\\n", "\\0", "\\377", "\\x80"])),
            2 => format!("{:#x}{suffix}", number << dice.below(47)),
            3 => format!(
                "sizeof({})",
                dice.pick(&["int", "long", "char *", "struct { char a; double b; }"])
            ),
            _ => format!("{number}{suffix}"),
        };
    }
    let left = constant(dice, depth - 1);
    let right = constant(dice, depth - 1);
    match dice.below(18) {
        0..4 => format!("({left} {} {right})", dice.pick(&["+", "-", "*"])),
        4 => format!("({left} / (({right} & 15) + 1))"),
        5 => format!("({left} % (({right} & 15) + 1))"),
        6 => format!("({left} {} ({right} & 7))", dice.pick(&["<<", ">>"])),
        7 | 8 => format!("({left} {} {right})", dice.pick(&["<", "<=", ">", ">=", "==", "!="])),
        9 | 10 => format!("({left} {} {right})", dice.pick(&["&", "|", "^"])),
        11 => format!("({left} {} {right})", dice.pick(&["&&", "||"])),
        12 => format!("({left} ? {right} : {})", constant(dice, depth - 1)),
        13 => format!("{}{left}", dice.pick(&["-", "~", "!", "+"])),
        _ => {
            let types = [
                "char",
                "signed char",
                "unsigned char",
                "short",
                "unsigned short",
                "int",
                "unsigned",
                "long",
                "unsigned long",
                "long long",
                "unsigned long long",
                "_Bool",
                "float",
                "double",
            ];
            match dice.pick(&types) {
                ty @ ("float" | "double") => format!("(int)(({ty})({left} & 0xffff) / 3)"),
                ty => format!("({ty}){left}"),
            }
        }
    }
}

#[test]
fn constants_are_those_of_gcc() {
    let mut dice = Dice(2);
    let values: Vec<String> = (0..600).map(|i| constant(&mut dice, i % 5)).collect();
    compare(&format!("long long all[] = {{\n{}\n}};", values.join(",\n")), "constants");
}

#[test]
fn initialisers_are_those_of_gcc() {
    let text = "
        struct in { char c; struct { short s[3]; } t; union { long l; char b[9]; }; int w : 7, x : 9; };
        enum { LAST = 3 };
        struct all {
            struct in a[4]; char text[3][5]; wide w[4]; int grid[2][3][2]; double d[3]; float f;
            long double ld; unsigned short u[]; 
        } all = {
            .a[1] = { 1, {{ 2, 3 }}, .b = \"xyz\", .x = -3 }, .a[2].w = 5, 6,
            { .t.s[LAST - 1] = 9, .l = -2 }, .a[0].t = { { [1 ... 2] = 4 } },
            .text = { \"abc\", \"abcde\", { 'x', [3] = 'y' } }, L\"ab\\x1f4\", { 1, 2, { 3 }, { { 4 }, 5, 6 } },
            { 1e10, -0.1, 1.0 / 3 }, 16777217, .ld = 1e-4L, .u = { 1, 2, [5] = 65537 },
        };";
    let text = text.replace("wide", "__WCHAR_TYPE__");
    compare(&text, "initialisers");
}
