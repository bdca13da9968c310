//! Random loops, summarised and compared with runs.

use crate::iterations;
use crate::oracle::{Checked, check_sampled};
use loupe_loops::{Effort, Rest, Tag};

/// SplitMix64: the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// What kind of loops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Constant or invariant steps, linear guards, phases or periods.
    Plain,
    /// Everything.
    Wild,
    /// Inputs choose the path, are added up, and are kept.
    Reading,
    /// A variable that goes from state to state, and counters.
    Machine,
    /// Variables with nothing in common but the number of iterations; some are machines with many states.
    Apart,
    /// Two loops written as one: the inner counter restarts, and its limit moves.
    Restarting,
}

struct Shape {
    variables: Vec<(String, &'static str)>,
    kind: Kind,
}

/// A loop as the text that [`crate::text`] reads: its declared variables and its paths.
pub(crate) fn random_loop(random: &mut Random, kind: Kind) -> (String, String) {
    if kind == Kind::Reading {
        return reading_loop(random);
    }
    if kind == Kind::Machine {
        return machine(random);
    }
    if kind == Kind::Restarting {
        return restarting(random);
    }
    if kind == Kind::Apart {
        return apart(random);
    }
    let count = 1 + random.below(if kind == Kind::Plain { 3 } else { 4 }) as usize;
    let machine = random.below(2) == 0;
    let types = ["i32", "u32", "u8", "i8"];
    let variables: Vec<(String, &str)> = ["x", "y", "z", "w"][..count]
        .iter()
        .map(|name| (name.to_string(), if machine { random.pick(&types) } else { "" }))
        .collect();
    let shape = Shape { variables, kind };
    let mut paths = Vec::new();
    let go_on = condition(random, &shape, 0);
    let branches = random.below(4);
    let mut tests = vec![format!("({go_on})")];
    for _ in 0..branches {
        // if … then one path else the rest.
        let test = match kind == Kind::Wild && random.below(6) == 0 {
            true => format!("in0 > {}", random.below(3)),
            false => condition(random, &shape, 1),
        };
        let leaves = random.below(8) == 0;
        let mut guard = tests.clone();
        guard.push(format!("({test})"));
        let action = if leaves { "exit 1".to_string() } else { updates(random, &shape) };
        paths.push(format!("{} -> {action}", guard.join(" && ")));
        tests.push(format!("(!({test}))"));
    }
    let action = updates(random, &shape);
    paths.push(format!("{} -> {action}", tests.join(" && ")));
    paths.push(format!("!({go_on}) -> exit 0"));
    let declared: Vec<String> = shape
        .variables
        .iter()
        .map(|(name, kind)| if kind.is_empty() { name.clone() } else { format!("{name}:{kind}") })
        .collect();
    let invariants = match random.below(3) {
        _ if !machine => "n c",
        0 => "n:i32 c:i8",
        1 => "n:u32 c:u8",
        _ => "n:i8 c:i8",
    };
    (format!("{} {invariants}", declared.join(" ")), paths.join("; "))
}

/// A loop with one or two paths that count, add inputs up and keep the last one.
fn reading_loop(random: &mut Random) -> (String, String) {
    let wrapped = random.below(2) == 0;
    let typed = |text: String| if wrapped { format!("u8({text})") } else { text };
    let go_on = random.pick(&["x < n", "x + y < n", "x < n && y < 6", "x < 5", "0 <= x"]);
    let mut paths = Vec::new();
    let count = 1 + random.below(2);
    for path in 0..count {
        let low = random.below(4) as i64 - 1;
        let high = low + random.below(4) as i64;
        let mut guard = format!("{go_on} && in0 >= {} && in0 <= {high}", text_of(low));
        if count == 2 {
            guard += if path == 0 { " && in1 > 1" } else { " && in1 <= 1" };
        }
        let mut updates = vec![match random.below(5) {
            0 => "x := x + in0".to_string(),
            1 => "y := y + 1".to_string(),
            2 => "x := x + 2, y := y + 1".to_string(),
            _ => "x := x + 1".to_string(),
        }];
        match random.below(4) {
            0 => updates.push(format!("s := {}", typed("s + in0".into()))),
            1 => updates.push(format!("s := {}", typed(format!("s + 2 * in0 + {path}")))),
            2 => updates.push(format!("s := {}", typed("s + 1 - in0".into()))),
            _ => {}
        }
        match random.below(4) {
            0 => updates.push("v := in0".into()),
            1 => updates.push("v := x".into()),
            2 => updates.push("v := 2 * in1 + s".into()),
            _ => {}
        }
        paths.push(format!("{guard} -> {}", updates.join(", ")));
    }
    if random.below(2) == 0 {
        paths.push(format!("{go_on} && in0 > 7 -> exit 1"));
    }
    paths.push(format!("!({go_on}) -> exit 0"));
    let sum = if wrapped { "s:u8" } else { "s" };
    (format!("x y {sum} v n"), paths.join("; "))
}

fn text_of(number: i64) -> String {
    if number < 0 { format!("(-{})", -number) } else { number.to_string() }
}

/// A loop with another one folded into it.
fn restarting(random: &mut Random) -> (String, String) {
    let go_on = random.pick(&["x < n", "x < n && z < 9", "x != n"]);
    let inner = random.pick(&["y < x", "y < n", "y < z", "y + x < n", "y < c"]);
    let step = 1 + random.below(2);
    let restart = random.pick(&["0", "1", "x", "z", "c"]);
    let outer = random.pick(&[
        "x := x + 1",
        "x := x + 2",
        "x := x + 1, z := z + 2",
        "x := x + 1, z := z - 1",
    ]);
    let mut paths = vec![format!("{go_on} && {inner} -> y := y + {step}")];
    if random.below(4) == 0 {
        paths.push(format!("{go_on} && !({inner}) && z == 3 -> exit 1"));
        paths.push(format!("{go_on} && !({inner}) && z != 3 -> {outer}, y := {restart}"));
    } else {
        paths.push(format!("{go_on} && !({inner}) -> {outer}, y := {restart}"));
    }
    paths.push(format!("!({go_on}) -> exit 0"));
    ("x y z n c".to_string(), paths.join("; "))
}

/// A machine with constant states, which inputs or a counter stop. Some states compare counters.
fn machine(random: &mut Random) -> (String, String) {
    let most = if random.below(6) == 0 { 11 } else { 4 };
    let states = 2 + random.below(most);
    let kind = random.pick(&["i32", "u8", "i8", ""]);
    let typed = |name: &str| match kind {
        "" => name.to_string(),
        _ => format!("{name}:{kind}"),
    };
    let plus = |name: &str| format!("{name} := {kind}({name} + 1)");
    let (go_on, counts) = match random.below(2) {
        0 => ("in0 != 0", false),
        _ => ("i < n", true),
    };
    let mut paths = Vec::new();
    for state in 0..states {
        let next = match random.below(5) {
            0 => random.below(states),
            _ => (state + 1) % states,
        };
        let mut updates = vec![format!("s := {next}")];
        for name in ["x", "y"] {
            if random.below(3) == 0 {
                updates.push(plus(name));
            }
        }
        if counts {
            updates.push(plus("i"));
        }
        let mut guard = format!("{go_on} && s == {state}");
        if random.below(4) == 0 {
            let other = random.pick(&["exit 1", "s := 0, x := y"]);
            paths.push(format!("{guard} && x != y -> {other}"));
            guard += " && x == y";
        }
        paths.push(format!("{guard} -> {}", updates.join(", ")));
    }
    let outside = match random.below(3) {
        0 => format!("s := {kind}(s + 1)"),
        _ => "exit 2".to_string(),
    };
    paths.push(format!("{go_on} && (s < 0 || s >= {states}) -> {outside}"));
    paths.push(format!("!({go_on}) -> exit 0"));
    let mut names = vec!["s", "x", "y"];
    if counts {
        names.extend(["i", "n"]);
    }
    let declared: Vec<String> = names.into_iter().map(typed).collect();
    (declared.join(" "), paths.join("; "))
}

/// Each part is a list of ways, a condition and updates; a path is one way of each.
fn apart(random: &mut Random) -> (String, String) {
    let kind = random.pick(&["i32", "u8", "i8", ""]);
    let typed = |name: &str| match kind {
        "" => name.to_string(),
        _ => format!("{name}:{kind}"),
    };
    let set = |name: &str, value: String| match kind {
        "" => format!("{name} := {value}"),
        _ => format!("{name} := {kind}({value})"),
    };
    let mut parts: Vec<Vec<(String, Vec<String>)>> = Vec::new();
    let mut names = vec!["i"];
    // What jumps between two sides.
    for name in &["x", "y"][..random.below(3) as usize] {
        names.push(name);
        let limit = random.below(7) as i64 - 1;
        let (up, down) = (1 + random.below(3), 1 + random.below(5));
        let low = format!("{name} <= {}", text_of(limit));
        parts.push(vec![
            (low.clone(), vec![set(name, format!("{name} + {up}"))]),
            (format!("!({low})"), vec![set(name, format!("{name} - {down}"))]),
        ]);
    }
    // A machine that counts, or keeps something, in some of its states.
    if parts.len() < 2 {
        names.extend(["s", "a", "b"]);
        let most = if random.below(3) == 0 { 30 } else { 5 };
        let states = 2 + random.below(most);
        let keeps = random.below(3) == 0;
        let mut ways = Vec::new();
        for state in 0..states {
            let next = match random.below(8) {
                0 => random.below(states),
                _ => (state + 1) % states,
            };
            let mut updates = vec![format!("s := {next}")];
            if random.below(2) == 0 {
                updates.push(set("a", format!("a + {}", 1 + random.below(3))));
            }
            match random.below(6) {
                0 if keeps => updates.push(format!("b := {}", random.below(9))),
                1 => updates.push(set("b", "b + s".to_owned())),
                2 => updates.push(set("b", "b - 1".to_owned())),
                _ => {}
            }
            ways.push((format!("s == {state}"), updates));
        }
        let outside = |random: &mut Random| match random.below(5) {
            0 => vec![format!("s := {}", random.below(states)), set("a", "a + 1".to_owned())],
            1 => vec![set("b", "b + 2".to_owned())],
            2 => vec![set("s", "s - 1".to_owned()), set("a", "a - 1".to_owned())],
            // To the other side, perhaps, and not far.
            3 => vec![format!("s := {}", text_of(random.below(states + 8) as i64 - 4))],
            _ => vec![set("s", "s + 1".to_owned())],
        };
        if random.below(2) == 0 {
            ways.push((format!("(s < 0 || s >= {states})"), outside(random)));
        } else {
            ways.push(("s < 0".to_owned(), outside(random)));
            ways.push((format!("s >= {states}"), outside(random)));
        }
        parts.push(ways);
    }
    // What is the same in all iterations, or looks at the counter.
    if random.below(2) == 0 {
        names.push("z");
        let other = random.pick(&["i", "c", "2"]);
        let way = vec![set("z", format!("z + {other}"))];
        match random.below(2) {
            0 => parts.push(vec![("true".to_owned(), way)]),
            _ => parts.push(vec![("i < c".to_owned(), way), ("i >= c".to_owned(), Vec::new())]),
        }
    }
    let go_on = random.pick(&["i < n", "i != n", "i + 3 < n", "i < 20"]);
    let mut paths = vec![(go_on.to_owned(), vec![set("i", "i + 1".to_owned())])];
    for ways in &parts {
        let product = paths.iter().flat_map(|(guard, updates)| {
            ways.iter().map(move |(condition, more)| {
                (format!("{guard} && {condition}"), [updates.clone(), more.clone()].concat())
            })
        });
        paths = product.collect();
    }
    let mut texts: Vec<String> =
        paths.iter().map(|(guard, updates)| format!("{guard} -> {}", updates.join(", "))).collect();
    texts.push(format!("!({go_on}) -> exit 0"));
    let leading = random.below(names.len() as u64) as usize;
    names.swap(0, leading);
    names.extend(["n", "c"]);
    let declared: Vec<String> = names.iter().map(|name| typed(name)).collect();
    (declared.join(" "), texts.join("; "))
}

fn condition(random: &mut Random, shape: &Shape, depth: u32) -> String {
    let wild = shape.kind == Kind::Wild;
    match random.below(if wild { 12 } else { 7 }) {
        8 if depth < 3 => {
            format!(
                "({}) || ({})",
                condition(random, shape, depth + 1),
                condition(random, shape, depth + 1)
            )
        }
        7 if depth < 3 => {
            format!(
                "({}) && ({})",
                condition(random, shape, depth + 1),
                condition(random, shape, depth + 1)
            )
        }
        9 => format!("{} % {} == {}", name(random, shape), 2 + random.below(2), random.below(2)),
        10 => format!("{} != {}", name(random, shape), random.below(6)),
        n => {
            let relation = random.pick(&["<", "<=", ">", ">="]);
            let right = match n {
                0 | 1 => "n".to_string(),
                2 | 3 => name(random, shape),
                _ => constant(random),
            };
            format!("{} {relation} {right}", name(random, shape))
        }
    }
}

fn name(random: &mut Random, shape: &Shape) -> String {
    shape.variables[random.below(shape.variables.len() as u64) as usize].0.clone()
}

fn constant(random: &mut Random) -> String {
    text_of(random.below(12) as i64 - 3)
}

fn updates(random: &mut Random, shape: &Shape) -> String {
    let mut parts = Vec::new();
    for (variable, kind) in &shape.variables {
        let value = match random.below(if shape.kind == Kind::Wild { 14 } else { 8 }) {
            0 | 1 => continue,
            2..=4 => format!("{variable} + 1"),
            5 => format!("{variable} - 1"),
            6 => format!("{variable} + {}", constant(random)),
            7 => format!("{variable} + c"),
            8 => constant(random),
            9 => name(random, shape),
            10 => format!("{variable} + {}", name(random, shape)),
            11 => format!("2 * {variable} + {}", constant(random)),
            12 => format!("{} - {}", constant(random), name(random, shape)),
            _ => format!("{variable} % 5"),
        };
        let value = if kind.is_empty() { value } else { format!("{kind}({value})") };
        parts.push(format!("{variable} := {value}"));
    }
    if parts.is_empty() {
        let (variable, kind) = &shape.variables[0];
        let value = format!("{variable} + 1");
        parts.push(format!(
            "{variable} := {}",
            if kind.is_empty() { value } else { format!("{kind}({value})") }
        ));
    }
    parts.join(", ")
}

/// Loops from a range of seeds; gives how many there were and how many of them are exact.
pub(crate) fn fuzz(kind: Kind, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut all, mut exact) = (0, 0);
    // Hopeless loops are given up soon, so that there is time for many.
    let effort = match kind {
        Kind::Plain | Kind::Wild | Kind::Reading | Kind::Restarting | Kind::Apart => {
            Effort { questions: 500, rest: Rest::Kept, ..Effort::default() }
        }
        Kind::Machine => Effort::default(),
    };
    for seed in seeds {
        let mut random = Random::new(seed);
        let (variables, text) = random_loop(&mut random, kind);
        let start = std::time::Instant::now();
        if std::env::var("LOUPE_FUZZ_SHOW").is_ok() {
            println!("{seed}: {variables} | {text}");
        }
        let mut checked = check_sampled(&variables, &text, seed, &effort);
        iterations::compare(&mut checked, seed);
        let Checked { summary, .. } = checked;
        all += 1;
        exact += usize::from(summary.tag == Tag::Exact);
        if std::env::var("LOUPE_FUZZ_SHOW").is_ok() {
            println!("   {} {:?} {:?}", summary.tag, summary.reasons, start.elapsed());
        }
    }
    (all, exact)
}
