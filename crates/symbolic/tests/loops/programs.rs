//! Programs that were written for something.

use super::{compare, microc, vectors};
use loupe_loops::Tag;
use loupe_symbolic::explore::{Exploration, LoopMode};

/// Explores a program in all modes, and says what became of it with summaries.
fn check(text: &str, length: usize) -> Exploration {
    let program = microc(text);
    let vectors = vectors(length, -2..=4);
    let expected = compare(text, &program, &vectors, LoopMode::Unroll);
    let mut last = None;
    for mode in [LoopMode::Auto, LoopMode::Summary, LoopMode::Compact] {
        let found = compare(text, &program, &vectors, mode);
        if expected.is_safe() || expected.unsure.is_empty() && expected.cut_off == 0 {
            let errors: Vec<_> = expected.violations.keys().collect();
            let same: Vec<_> = found.violations.keys().collect();
            let is_open = !found.unsure.is_empty();
            assert!(is_open || errors == same, "{text}\n{mode:?}\n{found:#?}");
            assert!(
                same.iter().all(|error| errors.contains(error)),
                "{text}\n{mode:?}\n{found:#?}"
            );
            // What is approximated may leave questions open.
            let is_exact = found.loops.values().all(|figures| figures.tag != Some(Tag::Over));
            assert!(!is_exact || found.unsure.is_empty(), "{text}\n{mode:?}\n{found:#?}");
        }
        last = Some(found);
    }
    last.expect("two modes")
}

/// The same for a program whose loops have exact summaries.
fn check_exact(text: &str, length: usize) -> Exploration {
    let found = check(text, length);
    for figures in found.loops.values() {
        assert_eq!((figures.tag, figures.executed), (Some(Tag::Exact), 0), "{text}\n{found:#?}");
    }
    assert!(!found.loops.is_empty(), "{text}");
    found
}

#[test]
fn a_counter_up_to_an_input() {
    let text = "main() { var n, i, s; n = input; s = 0; i = 0;
        while (i < n) { s = s + 2; i = i + 1; } output i; return s; }";
    let found = check_exact(text, 1);
    assert_eq!(found.finished, 2, "{found:#?}");
}

#[test]
fn a_check_in_the_body_is_an_exit() {
    let text = "main() { var n, i, s; n = input; s = 0; i = 0;
        while (i < n) { s = s + 6 / (3 - i); i = i + 1; } return s; }";
    check(text, 1);
}

#[test]
fn what_is_written_before_it_is_left() {
    let text = "main() { var n, i, f, t; n = input; f = 0; i = 0; t = 0;
        while (i < 10) { t = i * 3; if (t == n) { f = 1; i = i + 100; } else { i = i + 1; } }
        output t; return f * 1000 + i; }";
    check(text, 1);
}

#[test]
fn two_phases() {
    let text = "main() { var x, y, n; n = input; x = 0; y = 5;
        while (x < 10) { if (x < 5) { x = x + 1; } else { x = x + 1; y = y + 1; } }
        return y * 100 + x + n; }";
    check_exact(text, 1);
}

#[test]
fn a_loop_that_never_ends_for_some_inputs() {
    let text = "main() { var x; x = input; while (x != 0) { x = x - 2; } return x; }";
    let found = check_exact(text, 1);
    assert!(found.diverging > 0, "{found:#?}");
}

#[test]
fn inputs_that_the_body_reads() {
    let text =
        "main() { var n, x; n = 0; x = input; while (x > 0) { n = n + 1; x = input; } return n; }";
    check(text, 3);
}

#[test]
fn outputs_of_the_body() {
    let text = "main() { var i, n; n = input; i = 0; if (n > 4) { n = 4; }
        while (i < n) { output i * i; i = i + 1; } output 7; return i; }";
    check_exact(text, 1);
}

#[test]
fn a_loop_in_a_loop() {
    let text = "main() { var i, j, n, s; n = input; s = 0; i = 0; if (n > 4) { n = 4; }
        while (i < n) { j = 0; while (j < 3) { s = s + 1; j = j + 1; } i = i + 1; } return s; }";
    check_exact(text, 1);
}

#[test]
fn calls_are_part_of_the_body() {
    let text = "add(a, b) { return a + b; }
        main() { var i, n, s; n = input; s = 0; i = 0;
        while (i < n) { s = add(s, 3); i = add(i, 1); } return s; }";
    check_exact(text, 1);
}

#[test]
fn a_loop_in_a_function_that_is_called_twice() {
    let text = "count(n) { var i, r; i = 0; r = 0; while (i < n) { i = i + 1; if (i > 3) { r = r + 7; } else { r = r + 1; } } return r; }
        main() { var a, b; a = count(input); b = count(input); return a * 100 + b; }";
    check(text, 2);
}

#[test]
fn cells_of_arrays_and_fields_of_records() {
    let text = "main() { var a, r, i, n; a = [0, 5]; r = {x: 1, y: 2}; n = input; i = 0;
        while (i < n) { a[0] = a[0] + 2; r.y = r.y + 1; i = i + 1; }
        output a[0]; output a[1]; output r.x; return r.y; }";
    check_exact(text, 1);
}

#[test]
fn a_variable_behind_a_pointer() {
    let text = "main() { var x, p, i, n; x = 3; p = &x; n = input; i = 0;
        while (i < n) { *p = *p + 4; i = i + 1; } return x; }";
    check_exact(text, 1);
}

#[test]
fn a_body_with_too_many_paths_is_executed() {
    let mut body = String::new();
    for number in 0..30 {
        body += &format!("if (input > {number}) {{ s = s + {number}; }} else {{ s = s - 1; }}\n");
    }
    let text = format!(
        "main() {{ var s, i; s = 0; i = 0; while (i < 1) {{ {body} i = i + 1; }} return s; }}"
    );
    let program = microc(&text);
    let found = compare(&text, &program, &[], LoopMode::Summary);
    let reasons: Vec<&String> = found.loops.values().flat_map(|figures| &figures.reasons).collect();
    assert!(reasons.iter().any(|reason| reason.contains("paths")), "{reasons:?}");
}

#[test]
fn a_replay_goes_over_millions_of_iterations() {
    let text = "main() { var x, i, n; x = 0; i = 0; n = input;
        while (i < 400000000) { x = x + 3; i = i + 1; }
        if (n == 5) { x = x / (x - 1200000000); } return x; }";
    let program = microc(text);
    let found = compare(text, &program, &[], LoopMode::Auto);
    let violation = found.violations.values().next().expect("a division by zero");
    assert_eq!(violation.jumps.len(), 1, "{violation:?}");
    assert_eq!(violation.jumps[0].iterations.to_string(), "400000000");
    assert_eq!(violation.model.inputs.len(), 1);
}
