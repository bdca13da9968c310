//! Loops of every shape, by hand: each breaks a plausible shortcut.

mod inputs;
mod iterations;
mod oracle;
mod random;
mod text;

use loupe_loops::{Effort, Rest, Tag};
use oracle::check;

#[test]
fn counting() {
    check("i n s", "i < n -> i := i + 1, s := s + 2; i >= n -> exit").exact().counts(2, 0);
}

#[test]
fn counting_by_two() {
    check("i n", "i < n -> i := i + 2; i >= n -> exit").exact();
}

#[test]
fn triangular_sum() {
    check("i n s", "i < n -> i := i + 1, s := s + i; i >= n -> exit").exact();
}

#[test]
fn proteus_1a() {
    check("x n z", "x < n && z > x -> x := x + 1; x < n && z <= x -> z := z + 1; x >= n -> exit")
        .exact();
}

#[test]
fn proteus_6a_without_inputs() {
    check(
        "i j n m",
        "i < n && j < m -> j := j + 1; i < n && j >= m -> j := 0, i := i + 1; i >= n -> exit",
    )
    .exact();
}

#[test]
fn proteus_6a() {
    check("i j n m", "i < n && in0 != 0 && j < m -> j := j + 1; i < n && in0 != 0 && j >= m -> j := 0, i := i + 1; i < n && in0 == 0 -> exit 1; i >= n -> exit 0").exact();
}

#[test]
fn leapfrog() {
    check("x", "x != 0 -> x := x - 2; x == 0 -> exit").exact();
    check("x:i32", "x != 0 -> x := i32(x - 2); x == 0 -> exit").exact();
    check("x:u8", "x != 0 -> x := u8(x - 2); x == 0 -> exit").exact();
}

#[test]
fn swap_with_a_guard() {
    check("x y", "x > 0 -> x := y, y := x - 1; x <= 0 -> exit").exact();
}

#[test]
fn a_sign_that_alternates() {
    check("d x n", "x < n && d * d == 1 -> d := -d, x := x + 1; x >= n || d * d != 1 -> exit")
        .exact();
}

#[test]
fn wrap_around_is_a_phase() {
    check("x:u32", "x >= 10 -> x := u32(x + 2); x < 10 -> exit").exact();
    check("x:u8", "x >= 10 -> x := u8(x + 2); x < 10 -> exit").exact();
}

#[test]
fn a_flag_reset_in_the_body() {
    check("f i n", "f != 0 && i < n -> f := 0, i := i + 1; f == 0 && i < n -> f := 1, i := i + 2; i >= n -> exit").exact();
}

#[test]
fn a_guard_with_or() {
    check("x y", "x > 0 || y > 0 -> x := x - 1, y := y - 1; x <= 0 && y <= 0 -> exit").exact();
}

#[test]
fn parity_decides() {
    check("i n s", "i < n && i % 2 == 0 -> i := i + 1, s := s + 1; i < n && i % 2 != 0 -> i := i + 1; i >= n -> exit").exact();
}

#[test]
fn a_state_machine() {
    check("s a b", "in0 != 0 && s == 1 -> a := a + 1, s := 2; in0 != 0 && s == 2 -> b := b + 1, s := 3; in0 != 0 && s > 2 && s != 4 -> s := s + 1; in0 != 0 && s == 4 -> s := 1; in0 != 0 && s < 1 -> exit 1; in0 == 0 -> exit").exact();
}

/// `while (nondet()) { if (s == 1) x++; else if (s == 2) y++; s++; if (s == 5) s = 1; if (s == 1 && x != y) error(); }`
#[test]
fn proteus_1f() {
    for (kind, cases) in [("", 39), ("i32", 51), ("u8", 45)] {
        let of = |name: &str| match kind {
            "" => name.to_string(),
            _ => format!("{name}:{kind}"),
        };
        let variables = ["s", "x", "y"].map(of).join(" ");
        check(
            &variables,
            &format!(
                "in0 == 0 -> exit; in0 != 0 && s == 1 -> x := {kind}(x + 1), s := 2; in0 != 0 && s == 2 -> y := {kind}(y + 1), s := 3;
                 in0 != 0 && s != 1 && s != 2 && {kind}(s + 1) == 5 && x == y -> s := 1;
                 in0 != 0 && s != 1 && s != 2 && {kind}(s + 1) == 5 && x != y -> exit 1, s := 1;
                 in0 != 0 && s != 1 && s != 2 && {kind}(s + 1) == 1 && x == y -> s := 1;
                 in0 != 0 && s != 1 && s != 2 && {kind}(s + 1) == 1 && x != y -> exit 1, s := 1;
                 in0 != 0 && s != 1 && s != 2 && {kind}(s + 1) != 1 && {kind}(s + 1) != 5 -> s := {kind}(s + 1)"
            ),
        )
        .exact()
        .counts(cases, 0);
    }
}

#[test]
fn a_machine_without_inputs() {
    // x wraps on the way, and is compared with y only for equality: a comparison that the round keeps.
    check("s:i8 x:i8 y:i8", "s == 0 -> s := 1, x := i8(x + 1); s == 1 -> s := 2, y := i8(y + 1); s == 2 && x == y -> s := 0; s == 2 && x != y -> exit 1; s > 2 || s < 0 -> exit 2").exact().counts(5, 3);
}

#[test]
fn a_comparison_that_the_round_disturbs() {
    // x overtakes y by 1 in every round, so it is equal to y at some time, perhaps after a wrap.
    check(
        "s:u8 x:u8 y:u8",
        "s == 0 -> s := 1, x := u8(x + 2); s == 1 && x != y -> s := 0, y := u8(y + 1); s == 1 && x == y -> exit 1; s > 1 -> exit 2",
    );
}

#[test]
fn inputs_choose_among_paths_that_commute() {
    check(
        "x y z",
        "x > 0 && y > 0 && z > 0 && in0 == 1 -> x := x - 1; x > 0 && y > 0 && z > 0 && in0 == 2 -> y := y - 1;
         x > 0 && y > 0 && z > 0 && in0 != 1 && in0 != 2 -> z := z - 1; x <= 0 || y <= 0 || z <= 0 -> exit",
    )
    .exact();
}

#[test]
fn inputs_are_added_up() {
    let reads = "i < n && in0 >= 0 && in0 <= 5";
    check(
        "i n s",
        &format!("{reads} -> i := i + 1, s := s + in0; i >= n || in0 < 0 || in0 > 5 -> exit"),
    )
    .exact();
    check("i n s v", &format!("{reads} -> i := i + 1, s := s + 2 * in0, v := in0; i >= n -> exit"))
        .exact();
    check("i n s:u8", &format!("{reads} -> i := i + 1, s := u8(s + in0 + 1); i >= n -> exit"))
        .exact();
    check(
        "i n s t",
        "i < n && in0 > 0 && in0 < 4 -> i := i + 1, s := s + in0; i < n && in0 <= 0 && in0 > -3 -> i := i + 1, t := t + in0 + in1; i >= n -> exit",
    );
}

#[test]
fn inputs_are_steps() {
    check(
        "i n k",
        "i < n && in0 >= 1 && in0 <= 4 -> i := i + in0, k := k + 1; i < n && (in0 < 1 || in0 > 4) -> exit 1; i >= n -> exit",
    )
    .exact();
    check(
        "x y s:u8",
        "x + y < 6 && in0 > 2 && in1 >= 0 && in1 < 3 -> x := x + in1, s := u8(s + 200); x + y < 6 && in0 <= 2 -> y := y + 1; x + y >= 6 || in0 > 2 && (in1 < 0 || in1 >= 3) -> exit",
    )
    .exact();
    // It may go back below n: which sums are possible depends on the order.
    check("i n", "i < n && in0 >= -2 && in0 <= 4 -> i := i + in0; i >= n -> exit");
}

#[test]
fn the_last_writer_is_chosen() {
    check(
        "x n m",
        "x < n && in0 != 0 -> x := x + 1, m := x; x < n && in0 == 0 -> x := x + 1; x >= n -> exit",
    )
    .exact();
    check("x n v", "x < n -> x := x + 1, v := in0; x >= n -> exit").exact();
    check("x v", "in0 != 0 -> x := x + 1, v := in1; in0 == 0 -> exit").exact();
    check(
        "x n m l",
        "x < n && in0 > 0 -> x := x + 1, m := x; x < n && in0 <= 0 -> x := x + 1, l := in1; x >= n -> exit",
    )
    .exact();
}

#[test]
fn paths_that_only_inputs_tell_apart() {
    check(
        "s:u8",
        "in0 != 0 && s == 0 && in1 == 0 -> s := s; in0 != 0 && s == 0 && in1 != 0 -> s := s; in0 != 0 && s != 0 && in1 == 0 -> s := u8(s + 1);
         in0 != 0 && s != 0 && in1 != 0 -> exit 1; in0 == 0 -> exit",
    )
    .exact();
}

/// Where not all cases are found, those that are stay, certified, beside the approximation.
#[test]
fn a_part_is_kept() {
    let effort = Effort { rest: Rest::Kept, ..Effort::default() };
    let (mut checked, symbols) = oracle::summarised(
        "x y n",
        "x < n && x * y > 7 -> y := x * x - y, x := x + 2; x < n && x * y <= 7 -> x := x + 1, y := y + 1; x >= n -> exit",
        &effort,
    );
    assert_eq!(checked.summary.tag, Tag::Over);
    let symbols: Vec<_> = symbols.iter().map(|(symbol, _)| *symbol).collect();
    assert!(oracle::follow_part(&mut checked, &symbols) > 0);
}

#[test]
fn a_sum_that_falls_and_then_grows() {
    check("x y", "x < 0 -> x := x + y, y := y + 1; x >= 0 -> exit").exact();
    check(
        "x:i32 y:i32",
        "x < 0 && y < 100 -> x := i32(x + y), y := i32(y + 1); x >= 0 || y >= 100 -> exit",
    );
}

#[test]
fn doubling_does_not_always_grow() {
    check("x n", "x != 3 && x <= 2 -> x := 2 * x; x == 3 || x > 2 -> exit").exact();
}

#[test]
fn products_wrap_too_often_to_be_split() {
    check("x:i64 y:i64", "x < y -> x := i64(x * x * y); x >= y -> exit");
}

#[test]
fn phases() {
    check("x:u32 y:u32", "x < 1000000 && x < 500000 -> x := u32(x + 1); x < 1000000 && x >= 500000 -> x := u32(x + 1), y := u32(y + 1); x >= 1000000 -> exit").exact();
}

#[test]
fn geometric() {
    check("x n", "x < n && x >= 1 -> x := 2 * x; x >= n || x < 1 -> exit").exact();
}

#[test]
fn a_narrow_value_in_a_wide_sum() {
    check(
        "c:u8 s:u32 i:u32 n:u32",
        "i < n -> c := u8(c + 200), s := u32(s + c), i := u32(i + 1); i >= n -> exit",
    );
}

#[test]
fn symbolic_steps() {
    check("i n c", "i < n -> i := i + c; i >= n -> exit").exact();
}

#[test]
fn a_switch_with_many_cases() {
    // States 0 to 9 one after the other, and what is none of them.
    let mut paths: Vec<String> = (0..9)
        .map(|state| format!("s == {state} -> s := {}, x := x + {state}", state + 1))
        .collect();
    let none: Vec<String> = (0..10).map(|state| format!("s != {state}")).collect();
    paths.push("s == 9 -> exit".into());
    paths.push(format!("{} -> exit 1", none.join(" && ")));
    check("s x", &paths.join("; ")).exact().counts(11, 0);
    // What is none of them goes on until it is one.
    paths.pop();
    paths.push(format!("{} -> s := s + 1", none.join(" && ")));
    check("s x", &paths.join("; ")).exact();
}

/// A machine whose states come in turn; it counts in every third and keeps the number of some.
fn turning(states: u32) -> String {
    let paths = (0..states).map(|state| {
        let more = match state % 5 {
            0 => format!(", b := {state}"),
            1 => ", b := b + s".to_owned(),
            _ => String::new(),
        };
        let step = u32::from(state % 3 == 0);
        format!(
            "i < n && s == {state} -> s := {}, i := i + 1, a := a + {step}{more}",
            (state + 1) % states
        )
    });
    paths.collect::<Vec<_>>().join("; ")
}

#[test]
fn tens_of_states() {
    for outside in
        ["i := i + 1", "s := 3, i := i + 1, a := a - 1", "s := s + 1, i := i + 1, b := 1"]
    {
        let outside = format!("i < n && (s < 0 || s >= 30) -> {outside}");
        let text = format!("{}; {outside}; i >= n -> exit", turning(30));
        check("s i n a b", &text).exact().counts(2, 0);
    }
    // It need not begin in a turn, and may set and forget what it counts on the way there.
    check(
        "s i n a",
        "i < n && s == 0 -> s := 1, i := i + 1, a := 7; i < n && s == 1 -> s := 2, i := i + 1; i < n && s == 2 -> s := 3, i := i + 1, a := a + 2; \
         i < n && s == 3 -> s := 4, i := i + 1, a := a + s; i < n && s == 4 -> s := 2, i := i + 1; i < n && s == 5 -> s := 4, i := i + 1; i < n && s > 5 -> i := i + 1, a := a + s; \
         i < n && s < 0 -> i := i + 1, s := s + 1; i >= n -> exit",
    )
    .exact()
    .counts(2, 0);
    // From one side to the other, and from there for ever or for long: no table has that.
    for away in ["s := s + 1", "s := s - 1"] {
        let text = "i < n && s == 0 -> s := 1, i := i + 1; i < n && s == 1 -> s := 2, i := i + 1; i < n && s == 2 -> s := 3, i := i + 1; i < n && s == 3 -> s := 4, i := i + 1, a := a + 1; \
                    i < n && s == 4 -> s := 0, i := i + 1; i < n && s < 0 -> s := 1000, i := i + 1, a := a + 7;";
        let text = format!("{text} i < n && s > 4 -> {away}, i := i + 1; i >= n -> exit");
        check("s i n a", &text);
    }
    // Two orders in one machine, over few bits.
    check(
        "s:u8 i:u8 n:u8 a:u8",
        "i < n && s == 0 -> s := 1, i := u8(i + 1), a := u8(a + 100); i < n && s == 1 -> s := 0, i := u8(i + 1); i < n && s == 2 -> s := 3, i := u8(i + 1); \
         i < n && s == 3 -> s := 4, i := u8(i + 1), a := u8(a - 1); i < n && s == 4 -> s := 2, i := u8(i + 1), a := 9; i < n && s > 4 -> i := u8(i + 1), a := u8(a + s); i >= n -> exit",
    )
    .exact();
}

#[test]
fn variables_with_nothing_in_common() {
    // Proteus, Fig. 1(b).
    let text = "i < 10 && a <= 5 && j < 8 -> i := i + 1, a := a + 1, j := j + 1; i < 10 && a <= 5 && j >= 8 -> i := i + 1, a := a + 1, j := j - 3; \
                i < 10 && a > 5 && j < 8 -> i := i + 1, a := a - 4, j := j + 1; i < 10 && a > 5 && j >= 8 -> i := i + 1, a := a - 4, j := j - 3; i >= 10 -> exit";
    check("i a j", text).exact().counts(2, 0);
    // A part that reads what decides, and one that does not.
    let text = "i < n && i < 3 && a <= 5 -> i := i + 1, a := a + 3, s := s + i; i < n && i >= 3 && a <= 5 -> i := i + 1, a := a + 3, s := s - 1; \
                i < n && i < 3 && a > 5 -> i := i + 1, a := a - 2, s := s + i; i < n && i >= 3 && a > 5 -> i := i + 1, a := a - 2, s := s - 1; i >= n -> exit";
    check("i n a s", text).exact().counts(2, 0);
    // For ever, and from no iteration at all.
    let text = "i != n && a <= 5 && j < 8 -> i := i + 2, a := a + 1, j := j + 1; i != n && a <= 5 && j >= 8 -> i := i + 2, a := a + 1, j := j - 3; \
                i != n && a > 5 && j < 8 -> i := i + 2, a := a - 4, j := j + 1; i != n && a > 5 && j >= 8 -> i := i + 2, a := a - 4, j := j - 3; i == n -> exit";
    let endless = check("i n a j", text).exact();
    assert!(!endless.summary.diverging.is_empty(), "{}", endless.shown());
    // One reads the other after all: then they have something in common.
    let text = "i < n && a <= 5 && j < 8 -> i := i + 1, a := a + 1, j := j + 1; i < n && a <= 5 && j >= 8 -> i := i + 1, a := a + 1, j := j - 3; \
                i < n && a > 5 && j < 8 -> i := i + 1, a := a - j, j := j + 1; i < n && a > 5 && j >= 8 -> i := i + 1, a := a - 4, j := j - 3; i >= n -> exit";
    check("i n a j", text);
}

#[test]
fn strides() {
    // Steps of 2 and 3 in turns, with an exit in between, and for ever.
    for (variables, text) in [
        ("x z n", "x < n && z > x -> x := x + 2; x < n && z <= x -> z := z + 2; x >= n -> exit"),
        ("x z n", "x < n && z > x -> x := x + 3; x < n && z <= x -> z := z + 3; x >= n -> exit"),
        ("x z n", "x < n && z > x -> x := x + 2; x < n && z <= x -> z := z + 4; x >= n -> exit"),
        (
            "x z",
            "x + z < 9 && z < x -> x := x - 2, z := z + 4; x + z < 9 && z >= x -> x := x + 2; x + z >= 9 -> exit",
        ),
        (
            "x z n",
            "x < n && z > x -> x := x + 2; x < n && z == x -> exit 1; x < n && z < x -> z := z + 2; x >= n -> exit",
        ),
        ("x z", "z > x -> x := x + 2; z < x -> z := z + 2; z == x -> exit"),
    ] {
        check(variables, text).exact();
    }
    // What is read moves as it likes.
    let text = "x - z >= in0 -> exit; x - z < in0 && x - z < in0 - 3 -> x := x + 2; x - z < in0 && x - z >= in0 - 3 -> z := z - 4, b := b + 1";
    check("x z b", text);
}

#[test]
fn random_plain_loops() {
    let (all, exact) = random::fuzz(random::Kind::Plain, 0..seeds());
    println!("{exact} of {all} plain loops are exact");
}

#[test]
fn random_wild_loops() {
    let (all, exact) = random::fuzz(random::Kind::Wild, 0..seeds());
    println!("{exact} of {all} wild loops are exact");
}

#[test]
fn random_loops_that_read() {
    let (all, exact) = random::fuzz(random::Kind::Reading, 0..seeds() / 2);
    println!("{exact} of {all} loops that read are exact");
}

#[test]
fn random_machines() {
    let (all, exact) = random::fuzz(random::Kind::Machine, 0..seeds() / 4);
    println!("{exact} of {all} machines are exact");
    assert!(2 * exact >= all, "{exact} of {all} machines are exact");
}

#[test]
fn random_loops_of_parts() {
    let (all, exact) = random::fuzz(random::Kind::Apart, 0..seeds() / 4);
    println!("{exact} of {all} loops of parts are exact");
    assert!(2 * exact >= all, "{exact} of {all} loops of parts are exact");
}

#[test]
fn random_loops_in_one() {
    let (all, exact) = random::fuzz(random::Kind::Restarting, 0..seeds() / 4);
    println!("{exact} of {all} loops in one are exact");
}

/// How many random loops of each kind are looked at.
fn seeds() -> u64 {
    std::env::var("LOUPE_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}
