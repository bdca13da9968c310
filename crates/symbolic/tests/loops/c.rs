//! C programs.

use super::{compare, vectors};
use loupe_c::front::{DataModel, Files};
use loupe_ir::program::Program;
use loupe_symbolic::explore::{Exploration, LoopMode};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// No file but the program.
#[derive(Debug)]
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &Path) -> std::io::Result<Vec<u8>> {
        Err(Error::from(ErrorKind::NotFound))
    }

    fn is_file(&self, _path: &Path) -> bool {
        false
    }
}

pub(crate) fn compile(text: &str) -> Program {
    let (signed_overflow, uninitialised, pointer_arithmetic) = (false, true, false);
    checking(text, loupe_c::lower::Checks { signed_overflow, uninitialised, pointer_arithmetic })
}

/// A program with these checks.
pub(crate) fn checking(text: &str, checks: loupe_c::lower::Checks) -> Program {
    let data_model = DataModel::Lp64;
    let file = loupe_c::Source {
        name: "test.c".to_owned(),
        text: text.as_bytes().to_vec(),
        options: loupe_c::front::Options::new(data_model),
    };
    let options = loupe_c::lower::Options {
        data_model,
        checks,
        volatile: loupe_c::lower::Volatile::Memory,
        entry: loupe_c::lower::Entry::Main,
        needs: loupe_c::lower::Needs::default(),
    };
    let lowered = loupe_c::compile(vec![file], None, &NoFiles, &options);
    lowered.unwrap_or_else(|rejected| panic!("{:?}\n{text}", rejected.errors)).program
}

/// Compares a program in all modes; in how many visits loops were passed by a summary.
fn check(text: &str) -> u64 {
    let text = &format!("int __VERIFIER_nondet_int(void); void exit(int);\n{text}");
    let program = compile(text);
    let vectors = vectors(1, -2..=6);
    let expected = compare(text, &program, &vectors, LoopMode::Unroll);
    let passed = |found: &Exploration| found.loops.values().map(|f| f.passed).sum::<u64>();
    let mut total = 0;
    for mode in [LoopMode::Auto, LoopMode::Summary, LoopMode::Compact] {
        let found = compare(text, &program, &vectors, mode);
        if expected.unsure.is_empty() && expected.cut_off == 0 {
            let errors: Vec<_> = expected.violations.keys().collect();
            let same: Vec<_> = found.violations.keys().collect();
            let is_open = !found.unsure.is_empty();
            assert!(is_open || errors == same, "{text}\n{mode:?}\n{found:#?}");
            assert!(
                same.iter().all(|error| errors.contains(error)),
                "{text}\n{mode:?}\n{found:#?}"
            );
        }
        println!("{mode:?} {} passed, {:?}", passed(&found), found.loops);
        total = passed(&found);
    }
    total
}

#[test]
fn a_return_in_the_loop() {
    let text =
        "int f(int n) { for (int i = 0;; i++) { if (i == n) return i * 2; if (i > 4) return -i; } }
        int main(void) { return f(__VERIFIER_nondet_int()) + 7; }";
    assert!(check(text) > 0);
}

#[test]
fn a_global_that_nobody_has_set() {
    let text = "int g; struct { int a, b; } s;
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > 9) n = 9;
        for (int i = 0; i < n; i++) { g += 2; s.b += i; } return g * 100 + s.b; }";
    assert!(check(text) > 0);
}

#[test]
fn a_variable_of_the_body_that_is_used_behind_the_loop() {
    let text = "void twice(int *p, int i) { *p = 2 * i; }
        int main(void) { int n = __VERIFIER_nondet_int(), r = 0;
        for (int i = 0; i < 20; i++) { int x; twice(&x, i); if (x > n) { x++; r = x; break; } }
        return r; }";
    assert!(check(text) > 0);
}

#[test]
fn a_pointer_that_moves() {
    let text =
        "int main(void) { int a[8] = {1, 2, 3, 4, 5, 6, 7, 0}, *p = a, n = __VERIFIER_nondet_int();
        while (p - a < n && p - a < 7) p++;
        return *p; }";
    check(text);
}

#[test]
fn fields_behind_a_pointer() {
    let text = "struct point { int x, y; };
        void move(struct point *p, int n) { while (n > 0) { p->x += 3; p->y -= p->x; n--; } }
        int main(void) { struct point q = {1, 2}; int n = __VERIFIER_nondet_int(); if (n > 6) n = 6;
        move(&q, n); return q.x * 1000 + q.y; }";
    check(text);
}

#[test]
fn small_types_wrap_around() {
    let text = "int main(void) { unsigned char c = __VERIFIER_nondet_int(); unsigned k = 0;
        while (c != 3) { c += 1; k += 2; } return k; }";
    assert!(check(text) > 0);
}

#[test]
fn ends_of_the_program_and_errors_in_a_loop() {
    let text = "void reach_error(void) { __assert_fail_(); }
        int main(void) { int n = __VERIFIER_nondet_int(), d = 3;
        for (int i = 0; i < 9; i++) { if (i == n + 2) exit(40 + i); d = 12 / (5 - i); }
        return d; }";
    let text = text.replace("void reach_error(void) { __assert_fail_(); }\n", "");
    check(&text);
}

#[test]
fn an_array_that_is_filled() {
    let text = "int main(void) { int a[5] = {0}, n = __VERIFIER_nondet_int();
        for (int i = 0; i < 5; i++) if (i < n) a[i] = i * i;
        return a[0] + a[1] * 2 + a[2] * 3 + a[4] * 5; }";
    check(text);
}

#[test]
fn inputs_in_the_body() {
    let text = "int main(void) { int k = 0, n = __VERIFIER_nondet_int();
        while (k < 5 && __VERIFIER_nondet_int() > 2) k++;
        if (k == 3 && n == 4) return 1 / (k - 3);
        return k; }";
    check(text);
}

#[test]
fn loops_without_a_test_at_the_start() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, s = 0;
        do { s += 2; i++; } while (i < n);
        again: if (s > 5) { s -= 3; goto again; }
        return s * 10 + i; }";
    check(text);
}
