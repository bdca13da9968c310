//! `loupe gen --loops`: what `loupe loops` says of the loops.

use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// The loops of programs with these shapes, as `loupe loops` sees them.
fn loops(name: &str, options: &[&str]) -> Vec<Json> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("shapes-{name}"));
    // It may be there from the last time.
    let _ = fs::remove_dir_all(&folder);
    let generated = Loupe::new(["gen", "--errors", "none", "--for-loop-probability", "0.6", "-o"])
        .args([&folder])
        .args(options.iter().copied())
        .run();
    assert_eq!(generated.status, 0, "{generated}");
    fs::remove_file(folder.join("manifest.json")).expect("a manifest");
    let output = Loupe::new(["loops", "--format", "json"]).args([&folder]).run();
    assert_eq!(output.status, 0, "{output}");
    let report: Json = serde_json::from_str(&output.stdout).expect("JSON");
    let results = report["results"].as_array().cloned().unwrap_or_else(|| vec![report]);
    let loops = results.iter().filter_map(|file| file["loops"].as_array());
    loops.flatten().cloned().collect()
}

/// How many loops have each type and interleaving. Where it takes too long to find out what an iteration does, nothing
/// is known of them; those are few.
fn counts<'l>(loops: impl Iterator<Item = &'l Json>) -> BTreeMap<(u64, String), u32> {
    let mut counts = BTreeMap::new();
    let (mut all, mut unknown) = (0, 0);
    for found in loops {
        all += 1;
        match (found["type"].as_u64(), found["interleaving"].as_str()) {
            (Some(of), Some(interleaving)) => {
                *counts.entry((of, interleaving.to_owned())).or_default() += 1;
            }
            _ => unknown += 1,
        }
    }
    println!("{counts:?}, {unknown} unknown");
    assert!(unknown * 8 <= all, "{unknown} of {all}");
    counts
}

/// Enough iterations for patterns: with few, whoever knows the values at entry sees none. And no pointers: a loop is looked
/// at alone, and what a pointer may lead to has perhaps no value then.
const ROOM: [&str; 6] = ["--input-range", "0..40", "--max-iterations", "40", "--max-pointers", "0"];

/// Each loop has the shape that was asked for, and all types occur that such a shape can have.
fn check_shape(language: &str, shape: &str, types: [u64; 2]) {
    let name = format!("{shape}-{language}");
    let options = ["--loops", shape, "--lang", language, "--count", "5", "--max-statements", "25"];
    let loops = loops(&name, &[&options[..], &ROOM].concat());
    let counts = counts(loops.iter());
    let all: u32 = counts.values().sum();
    let right: u32 = types.iter().filter_map(|of| counts.get(&(*of, shape.to_owned()))).sum();
    assert!(all > 10, "{name}: {counts:?}");
    assert_eq!(all, right, "{name}: {counts:?}");
    for of in types {
        assert!(counts.contains_key(&(of, shape.to_owned())), "{name}, type {of}: {counts:?}");
    }
}

#[test]
fn sequential_loops_are_sequential() {
    check_shape("microc", "sequential", [1, 3]);
    check_shape("c", "sequential", [1, 3]);
}

#[test]
fn periodic_loops_are_periodic() {
    check_shape("microc", "periodic", [1, 3]);
}

/// With numbers of a fixed width, not every period is found; what has none that is known is irregular.
#[test]
fn periodic_loops_of_c_are_periodic_or_not_known_to_be() {
    let options = ["--loops", "periodic", "--lang", "c", "--count", "3", "--max-statements", "25"];
    let loops = loops("periodic-c", &[&options[..], &ROOM].concat());
    let counts = counts(loops.iter());
    let of = |number, shape: &str| counts.get(&(number, shape.to_owned())).copied().unwrap_or(0u32);
    let periodic = of(1, "periodic") + of(3, "periodic");
    let unknown = of(2, "irregular") + of(4, "irregular");
    assert_eq!(periodic + unknown, counts.values().sum::<u32>(), "{counts:?}");
    assert!(periodic > 3, "{counts:?}");
}

#[test]
fn irregular_loops_are_irregular() {
    check_shape("microc", "irregular", [2, 4]);
    check_shape("c", "irregular", [2, 4]);
}

/// Loops are in one another, and the inner ones have the shape that was asked for.
#[test]
fn nested_loops_are_nested() {
    for shape in ["sequential", "periodic", "irregular"] {
        let shapes = format!("{shape},nested");
        let options = ["--loops", &shapes, "--count", "3", "--max-statements", "15"];
        let loops = loops(&format!("{shape}-nested"), &[&options[..], &ROOM].concat());
        let inner = loops.iter().filter(|found| found["depth"].as_u64() >= Some(2));
        let counts = counts(inner);
        let right: u32 = (1..=4).filter_map(|of| counts.get(&(of, shape.to_owned()))).sum();
        let all: u32 = counts.values().sum();
        assert!(all >= 3, "{shape}: {counts:?}");
        assert_eq!(all, right, "{shape}: {counts:?}");
    }
}
