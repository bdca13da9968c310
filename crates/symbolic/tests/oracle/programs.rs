//! Programs that were written for something.

use super::{SETTINGS, compare, microc, vectors};

/// Explores a program in all ways; how many paths it has, and errors.
fn check(text: &str, length: usize, paths: u64, errors: usize) {
    let program = microc(text);
    let vectors = vectors(length, -2..=4);
    for setting in SETTINGS {
        let exploration = compare(text, &program, &vectors, setting);
        let found = (exploration.violations.len(), exploration.unsure.len());
        assert_eq!(found, (errors, 0), "{text}\n{setting:?}\n{exploration:#?}");
        if setting.index == loupe_symbolic::domain::SymbolicIndex::Ite {
            assert_eq!(exploration.paths(), paths, "{text}\n{setting:?}\n{exploration:#?}");
        }
    }
}

#[test]
fn the_first_example_of_the_thesis_has_two_paths() {
    let text = "main() { var y, z; z = input; y = 1; if (z == 0) { y = 2; } else { y = 3 / z; } return y; }";
    check(text, 1, 2, 0);
}

#[test]
fn a_division_that_may_fail_is_an_error_and_goes_on() {
    check("main() { var x, y; x = input; y = 7 / (x - 2); return y; }", 1, 2, 1);
}

#[test]
fn conditions_on_the_way_prune_later_ones() {
    let text = "main() { var x, r; x = input; r = 0;
        if (x > 2) { r = r + 1; } else { r = r + 2; }
        if (x > 3) { r = r + 10; } else { r = r + 20; }
        if (x < 1) { r = r + 100; } else { r = r + 200; }
        output r; return r; }";
    check(text, 1, 4, 0);
}

#[test]
fn both_sides_of_an_index_that_depends_on_inputs() {
    let text = "main() { var a, i, r; a = [5, 6, 7]; i = input; a[i] = 9; r = a[0] * 100 + a[1] * 10 + a[2];
        output a[i]; return r; }";
    // Outside of the array on one path, inside on the other.
    check(text, 1, 2, 1);
}

#[test]
fn loops_with_inputs_as_bounds() {
    let text = "main() { var n, i, s; n = input; s = 0; i = 0;
        if (n > 4) { n = 4; }
        while (i < n) { s = s + i; i = i + 1; } return s; }";
    check(text, 1, 6, 0);
}

#[test]
fn a_function_that_calls_itself() {
    let text = "fac(n) { var f; if (n <= 0) { f = 1; } else { f = n * fac(n - 1); } return f; }
        main() { var a, b; b = input; if (b > 3) { b = 3; } a = fac(b); output(a); return 1 / (a - 2); }";
    check(text, 1, 5, 1);
}

#[test]
fn functions_from_arrays_that_inputs_choose() {
    let text = "one(x) { return x + 1; } two(x) { return x * 2; }
        main() { var f, i, r; f = [one, two]; i = input;
        if (i < 0) { i = 0; } if (i > 1) { i = 1; }
        r = f[i](input); return r; }";
    let program = microc(text);
    let vectors = vectors(2, -2..=4);
    for setting in SETTINGS {
        let exploration = compare(text, &program, &vectors, setting);
        assert!(exploration.is_safe(), "{setting:?}\n{exploration:#?}");
    }
}

#[test]
fn pointers_records_and_uninitialised_values() {
    let text = "main() { var x, p, r, u; x = input; r = {a: 1, b: x}; p = &x; *p = *p + r.b;
        if (x == 4) { output u; } if (x > 5) { p = null; } return *p + r.a; }";
    check(text, 1, 3, 2);
}

#[test]
fn wrapped_division_rounds_toward_zero() {
    let text = "main() { var x, y; x = input; y = (x * 3 - 5) / 2; if (y == 0 - 1) { output 1; } return y; }";
    check(text, 1, 2, 0);
}
