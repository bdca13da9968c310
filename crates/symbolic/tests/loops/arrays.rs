//! Random loops over arrays in C: fills, copies, searches, least elements, sums, swaps, tables, writes here and there. Whatever the loops are passed by, every input must give what a run gives.

use super::c::compile;
use super::{Dice, Unknowns, compare_allowing, vectors};
use loupe_symbolic::explore::LoopMode;

/// How many programs are compared; `LOUPE_ARRAYS` wants others.
const PROGRAMS: u64 = 60;

fn statement(dice: &mut Dice) -> String {
    let (array, other) = if dice.below(2) == 0 { ("a", "b") } else { ("b", "a") };
    let number = dice.pick(&["0", "1", "2", "3", "-1", "x"]);
    match dice.below(21) {
        0 => format!("{array}[i] = {number};"),
        1 => format!("{array}[i] = i * 2 + {number};"),
        2 => format!("{array}[i] = {other}[i];"),
        3 => format!("{array}[5 - i] = {other}[i];"),
        4 => format!("{array}[i] = {array}[i] + {number};"),
        5 => format!("if ({array}[i] > m) m = {array}[i];"),
        6 => format!("if ({array}[i] < m) {{ m = {array}[i]; s = i; }}"),
        7 => format!("if ({array}[i] == {number}) s++;"),
        8 => format!("s += {array}[i];"),
        9 => format!("if (i > 0) {array}[i] = {array}[i - 1] + {number};"),
        10 => format!("{{ int h = {array}[i]; {array}[i] = {array}[5 - i]; {array}[5 - i] = h; }}"),
        11 => format!("{array}[i] = t[i];"),
        12 => format!("if ({array}[i] > {number}) {other}[i] = 1; else {other}[i] = {number};"),
        13 => format!("if (t[i] == {number}) break;"),
        14 => format!("if ({array}[i] == {number}) continue; s += 2;"),
        // A counter that wraps soon.
        15 => format!("if ({array}[i] > {number}) w += {};", dice.pick(&["1", "100", "-60"])),
        // Writes that elements or counters send here and there.
        16 => format!("{array}[{other}[i] % 3 + 2] = {};", dice.pick(&["i", "1", "t[i]", "x"])),
        17 => format!("if ({other}[i] > {number}) {array}[t[i] % 5] = i;"),
        18 => format!("{array}[t[i] / 2] = {number}; {array}[i] = t[i];"),
        19 => format!("if (t[i] > 1 && k < 6) {array}[k++] = t[i];"),
        _ => format!("if ({array}[i] != {other}[i]) s = s - 1;"),
    }
}

/// Loops in loops, over a matrix.
fn matrix(dice: &mut Dice) -> String {
    let rows = dice.pick(&["n < 3 ? n : 3", "3", "x < 0 ? 0 : x"]);
    let (from, to) = (dice.pick(&["0", "i", "1"]), dice.pick(&["4", "i + 1", "n < 4 ? n : 4"]));
    let value = dice.pick(&["i * 4 + j", "7", "a[j]", "x + j", "b[i]"]);
    let step = dice.pick(&["j++", "j++", "j += 2"]);
    let work = match dice.below(5) {
        0 => format!("c[i][j] = c[i][j] + {value};"),
        1 => format!("if (a[j] > 1) c[i][j] = {value};"),
        2 => format!("c[t[i] % 3][j] = {value};"),
        _ => format!("c[i][j] = {value};"),
    };
    format!(
        "{{ int rows = {rows}; for (i = 0; i < rows; i++) for (int j = {from}; j < ({to}); {step}) {work} }}"
    )
}

/// Two indices that move towards each other, away from each other, or one after the other.
fn two_indices(dice: &mut Dice) -> String {
    let (start, step) = (dice.pick(&["n - 1", "5", "x + 2", "n"]), dice.pick(&["j--", "j += 2"]));
    let end = dice.pick(&["i < j", "i < n", "i <= j + 1", "i + j < 6"]);
    let work = match dice.below(4) {
        0 => "int h = a[i]; a[i] = a[j]; a[j] = h;",
        1 => "a[i] = a[j]; m = a[i];",
        2 => "m = a[j]; a[i] = x;",
        _ => "a[j] = i; s += a[i];",
    };
    format!(
        "for (int j = ({start}, i = 0, {start}); {end} && i < 6 && j >= 0 && j < 6; i++, {step}) {{ {work} }}"
    )
}

/// As many bytes as inputs say.
fn bytes(dice: &mut Dice) -> String {
    let (to, from) = (dice.pick(&["p", "p + 1", "p + n"]), dice.pick(&["q", "q + 1", "p"]));
    let work = match dice.below(3) {
        0 => format!("memset({to}, {}, n);", dice.pick(&["0", "7", "x"])),
        1 => format!("memmove({to}, {from}, n);"),
        _ => "memcpy(p, q, n);".to_owned(),
    };
    format!(
        "{{ unsigned char *p = malloc(2 * n + 2), *q = malloc(n + 2);
      for (i = 0; i < 2 * n + 2; i++) p[i] = i; for (i = 0; i < n + 2; i++) q[i] = 50 + x + i;
      {work} s += p[0] + 2 * p[n] + 3 * p[n + 1] + 5 * q[n]; free(p); free(q); }}"
    )
}

fn one_loop(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 | 1 => return matrix(dice),
        2 => return two_indices(dice),
        3 => return bytes(dice),
        _ => {}
    }
    let mut body = statement(dice);
    if dice.below(2) == 0 {
        body += " ";
        body += &statement(dice);
    }
    match dice.below(7) {
        0 => format!("for (i = n - 1; i >= 0; i--) {{ {body} }}"),
        1 => format!("for (i = 0; i < n; i += 2) {{ {body} }}"),
        2 => "for (i = 0; i < n && a[i] != x; i++) ;".to_owned(),
        3 => "for (i = 0; i < n && a[i] == b[i]; i++) ;".to_owned(),
        4 => format!("i = 0; while (i < n) {{ {body} i++; }}").replace("continue;", "s++;"),
        _ => format!("for (i = 0; i < n; i++) {{ {body} }}"),
    }
}

pub(super) fn program(seed: u64) -> String {
    let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 5);
    let element = dice.pick(&["int", "int", "unsigned char", "short", "signed char"]);
    let loops: Vec<String> = (0..=dice.below(3)).map(|_| one_loop(dice)).collect();
    format!(
        "#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {{
    int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (n < 0 || n > 5 || x < -1 || x > 3) return -1;
    {element} a[6] = {{3, 1, 2, 0, 1, 5}}, b[6] = {{3, 1, 4, 2, 2, 0}};
    const int t[6] = {{2, 7, 1, 3, 0, 9}};
    int i = 0, s = 0, k = 0, m = x, c[3][4] = {{{{1, 2, 3, 4}}, {{5, 6, 7, 8}}}};
    signed char w = 0;
    a[2] = x;
    {}
    return a[0] + 3 * a[1] + 5 * a[2] + 7 * a[3] + 11 * a[4] + 13 * a[5]
        + 17 * b[0] + 19 * b[1] + 23 * b[2] + 29 * b[3] + 31 * b[4] + 37 * b[5] + 41 * s + 43 * m + 47 * w + i
        + c[0][0] + 2 * c[0][2] + 4 * c[1][1] + 8 * c[1][3] + 16 * c[2][0] + 32 * c[2][2];
}}\n",
        loops.join("\n    ")
    )
}

#[test]
fn random_loops_over_arrays() {
    let programs = std::env::var("LOUPE_ARRAYS").ok().and_then(|text| text.parse().ok());
    let (mut passed, mut executed, mut whole, mut all) = (0, 0, 0, 0);
    for seed in 0..programs.unwrap_or(PROGRAMS) {
        let text = program(seed);
        let program = compile(&text);
        let vectors = vectors(2, -1..=5);
        for mode in [LoopMode::Auto, LoopMode::Summary, LoopMode::Compact] {
            let allowed = Unknowns::Allowed;
            let (found, is_whole) = compare_allowing(allowed, &text, &program, &vectors, mode);
            all += 1;
            whole += u64::from(is_whole);
            for figures in found.loops.values() {
                passed += figures.passed;
                executed += figures.executed;
            }
        }
    }
    println!("loops passed {passed} times, executed {executed} times; {whole} of {all} compared");
    assert!(passed > 100 && 10 * whole > 8 * all, "{passed} {whole} of {all}");
}
