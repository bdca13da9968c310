//! Bounds from outlines of random loops, against running them.

use super::{program, study, text};
use loupe_engine::concrete::profile::Profile;
use loupe_engine::concrete::{Interpreter, Options as RunOptions, RunLength};
use loupe_integer::Integer;
use std::collections::BTreeMap;

/// A generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

const NAMES: [&str; 3] = ["i", "j", "n"];

fn condition(random: &mut Random) -> String {
    let left = random.pick(&NAMES);
    let right = random.pick(&["n", "j", "0", "4", "input"]);
    let operator = random.pick(&["<", "<=", ">", "!=", "=="]);
    format!("{left} {operator} {right}")
}

fn step(random: &mut Random) -> String {
    let name = random.pick(&["i", "i", "j", "n"]);
    match random.below(8) {
        0 => format!("{name} = input;"),
        1 => format!("{name} = {};", random.pick(&NAMES)),
        2 => format!("while ({name} < 3) {{ {name} = {name} + 1; }}"),
        3 => format!("{name} = {name} * 2;"),
        _ => {
            let amount = random.pick(&["+ 1", "+ 2", "- 1", "- 3", "+ 1"]);
            format!("{name} = {name} {amount};")
        }
    }
}

/// `while (A) { if (B) … else …; if (C) …; … }`
fn body(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(2) {
        let (taken, then, otherwise) = (condition(random), step(random), step(random));
        text += &match random.below(3) {
            0 => format!("if ({taken}) {{ {then} }} "),
            1 => format!("if ({taken}) {{ {then} }} else {{ {otherwise} }} "),
            _ => format!("{then} "),
        };
    }
    format!("while ({}) {{ {text} {} }}", condition(random), step(random))
}

#[test]
fn random_loops_stay_within_the_bounds_of_their_outlines() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut bounded = 0;
    for number in 0..300 {
        let body = body(&mut random);
        let text = format!(
            "main() {{ var i, j, n;\n i = input; j = input; n = input;\n {body}\n return 0; }}"
        );
        let program = program(&text);
        let study = study(&program, 0);
        let Some(outlined) = &study.outlined else { continue };
        let Some((bound, _)) = &outlined.bound else { continue };
        // Numbers of microc have no bounds, and there is nothing in memory.
        if bound.starts_with("size(") || !outlined.assumptions.is_empty() {
            continue;
        }
        bounded += 1;
        for _ in 0..30 {
            let entry: Vec<i64> = (0..3).map(|_| random.below(12) as i64 - 4).collect();
            let more = (0..60).map(|_| random.below(12) as i64 - 4);
            let input: RunLength = entry.iter().copied().chain(more).map(Integer::from).collect();
            let options = RunOptions {
                input: Box::new(input),
                max_steps: Some(50_000),
                ..RunOptions::default()
            };
            let mut profile = Profile::new(&program);
            let run = Interpreter::new(&program, options).run(&mut Vec::new(), &mut profile);
            profile.finish(&run);
            let values: BTreeMap<&str, i64> = NAMES.into_iter().zip(entry.clone()).collect();
            let limit = text::value(bound, &values);
            let (_, counted) = profile.loops(program.entry).next().expect("a loop");
            if let Some(completed) = &counted.completed {
                let most = completed.most as i64;
                assert!(most <= limit, "{number}: {entry:?}: {most} > {bound}\n{text}");
            }
        }
    }
    assert!(bounded >= 20, "only {bounded} loops are bounded");
}

#[test]
fn measures_of_different_paths_add_up() {
    let text = "main() { var i, j, n;\n i = input; j = input; n = input;\n \
        while (i > 0 || j > 0) { if (i > 0) { i = i - 1; } else { j = j - 2; } }\n return 0; }";
    let program = program(text);
    let study = study(&program, 0);
    let outlined = study.outlined.expect("an outline");
    assert!(outlined.assumptions.is_empty(), "{outlined:?}");
    let (bound, _) = outlined.bound.expect("a bound");
    let values = BTreeMap::from([("i", 3), ("j", 4), ("n", 0)]);
    assert_eq!(text::value(&bound, &values), 5, "{bound}");
}
