//! Random loops for necessary conditions: arrays that several paths write, in order and here and there, that are read in the loop and behind it; inputs that decide; triangles of loops, whose inner counts add up.

use super::Dice;

/// One way through an iteration.
fn way(dice: &mut Dice) -> String {
    let place = dice.pick(&["i", "i", "k++", "5 - i", "b[i]", "k", "2", "(i * 2) % 6"]);
    let value = dice.pick(&[
        "i",
        "7",
        "x",
        "a[i] + 1",
        "b[i]",
        "i * 2 + 1",
        "s",
        "nondet()",
        "a[k]",
        "a[i] + a[5 - i]",
        "m",
    ]);
    match dice.below(9) {
        0 => "k++;".to_owned(),
        1 => "s += a[i];".to_owned(),
        2 => format!("m = {value};"),
        3 => format!("b[{}] = i;", dice.pick(&["i", "5 - i", "a[i]", "k"])).replace("a[i]", "0"),
        _ => format!("a[{place}] = {value};"),
    }
}

/// A loop with two or three ways.
fn paths(dice: &mut Dice) -> String {
    let condition = dice.pick(&[
        "i % 2 == 0",
        "b[i] > 1",
        "nondet() > 0",
        "i < x",
        "a[i] > 0",
        "s < 3",
        "m > i",
    ]);
    let (first, second) = (way(dice), way(dice));
    let third = match dice.below(3) {
        0 => format!("if (b[i] == {}) {{ {} }}", dice.below(4), way(dice)),
        1 => format!("if (i == x) {};", dice.pick(&["break", "continue", "s++"])),
        _ => String::new(),
    };
    let (from, to, step) = (
        dice.pick(&["0", "0", "1", "x > 0"]),
        dice.pick(&["n", "n", "6"]),
        dice.pick(&["i++", "i++", "i += 2"]),
    );
    format!(
        "k = 0; for (int i = {from}; i < {to}; {step}) {{ if (k > 4) k = 0; if ({condition}) {{ {first} }} else {{ {second} }} {third} }}"
    )
}

/// A loop in a loop, with counts that depend on the outer one.
fn triangle(dice: &mut Dice) -> String {
    let from = dice.pick(&["i", "0", "i + 1", "x > 1", "n - i"]);
    let to = dice.pick(&["n", "i", "i + 2", "6 - i", "4"]);
    let work = match dice.below(6) {
        0 => "s++;".to_owned(),
        1 => "s += j;".to_owned(),
        2 => "if (j % 2 == 0) c[i][j] = i; else c[i][j] = j;".to_owned(),
        3 => "c[i][j] = s; s++;".to_owned(),
        4 => "if (nondet() > 0) s++; else c[i][j] = 3;".to_owned(),
        _ => format!(
            "c[{}][j] = {};",
            dice.pick(&["i", "b[i] % 4", "j % 4"]),
            dice.pick(&["j", "x", "i"])
        ),
    };
    let step = dice.pick(&["j++", "j++", "j += 2"]);
    let more = dice.pick(&["", "k += 2;", "m = s;", "if (s > 7) break;"]);
    format!(
        "for (int i = 0; i < n && i < 4; i++) {{ for (int j = {from}; j < ({to}) && j < 6; {step}) {{ {work} }} {more} }}"
    )
}

pub(super) fn program(seed: u64) -> String {
    let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 77);
    let mut loops = Vec::new();
    for _ in 0..=dice.below(2) {
        loops.push(if dice.below(3) == 0 { triangle(dice) } else { paths(dice) });
    }
    let element = dice.pick(&["int", "int", "unsigned char", "short"]);
    format!(
        "int __VERIFIER_nondet_int(void);
static int nondet(void) {{ return __VERIFIER_nondet_int(); }}
int main(void) {{
    int n = nondet(), x = nondet();
    if (n < 0 || n > 5 || x < -1 || x > 3) return -1;
    {element} a[6] = {{3, 1, 2, 0, 1, 5}}, c[4][6] = {{{{1, 2}}}};
    int b[6] = {{0, 1, 3, 2, 2, 0}};
    int k = 0, m = 2, s = 0;
    {}
    int at = x < 0 ? 0 : x;
    if (a[at] == 7 && s > 2) return 1000;
    if (a[n] < a[at]) return a[n] * 100 + s;
    return a[at] + 10 * a[5] + 100 * c[at][n] + 1000 * s + m + k;
}}
",
        loops.join("\n    ")
    )
}
