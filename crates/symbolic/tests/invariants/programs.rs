//! Programs by hand.

use super::{attempt, c};
use loupe_symbolic::invariants::Outcome;
use loupe_symbolic::property::Property;

/// The work that these programs need at most.
const WORK: u64 = 500_000;

/// The invariants that prove a program.
fn proved(text: &str) -> Vec<String> {
    match attempt(&c(text), Property::UnreachCall, WORK) {
        Outcome::Proved(proof) => proof.invariants.into_iter().map(|found| found.text).collect(),
        Outcome::Unknown(why) => panic!("{text}\n{why:?}"),
    }
}

/// Why a program is not proved.
fn unknown(text: &str) -> Vec<String> {
    match attempt(&c(text), Property::UnreachCall, WORK) {
        Outcome::Proved(proof) => panic!("{text}\n{proof:?}"),
        Outcome::Unknown(why) => why.into_iter().map(|why| why.what).collect(),
    }
}

#[test]
fn a_program_without_loops_needs_no_invariants() {
    assert!(proved("int main() { int x = in(); check(x * 0 == 0); return 0; }").is_empty());
    unknown("int main() { int x = in(); check(x != 7); return 0; }");
}

#[test]
fn inputs_that_choose_what_an_iteration_does() {
    let text = "int main() {
        int n = in(), x = 0, y = 0;
        while (x < n) { if (in()) y++; x++; }
        check(n < 0 || y <= n);
        return 0;
    }";
    assert_eq!(proved(text).len(), 1);
    unknown(&text.replace("y <= n", "y < n"));
}

#[test]
fn variables_that_go_together() {
    let text = "int main() {
        int n = in(), i = 0, k = 0, j;
        while (i < n) { i++; k++; }
        for (j = n; j > 0; j--) { check(k > 0); k--; }
        return 0;
    }";
    assert_eq!(proved(text).len(), 2);
    unknown(&text.replace("k > 0", "k > 1"));
}

#[test]
fn loops_in_loops() {
    let text = "int main() {
        int n = in(), m = in(), i, j, s = 0;
        if (n < 0 || n > 1000 || m < 0 || m > 1000) return 0;
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                if (in() > 0) { s = i + j; check(s <= n + m - 2); }
        check(s >= 0);
        return 0;
    }";
    assert_eq!(proved(text).len(), 2);
    unknown(&text.replace("s <= n + m - 2", "s <= n + m - 3"));
}

#[test]
fn ways_out_of_the_middle() {
    let text = "int main() {
        int n = in(), i, found = 0;
        for (i = 0; i < n; i++) {
            int x = in();
            if (x < 0) continue;
            if (x == i) { found = 1; break; }
        }
        check(!found || i < n);
        return 0;
    }";
    proved(text);
    unknown(&text.replace("!found || i < n", "found || i < n"));
}

#[test]
fn jumps() {
    let text = "int main() {
        int n = in(), x = 0;
        if (n < 0) return 0;
        again:
        if (x == n) goto done;
        x++;
        if (in()) goto again;
        done:
        check(x <= n);
        return 0;
    }";
    proved(text);
    unknown(&text.replace("x <= n", "x < n"));
    // A cycle that is entered in the middle.
    let text = "int main() {
        int n = in(), x = 0;
        if (n < 0 || n > 100) return 0;
        if (in()) goto inside;
        again:
        if (x >= n) goto done;
        x++;
        inside:
        if (in()) goto again;
        done:
        check(x <= n);
        return 0;
    }";
    proved(text);
    unknown(&text.replace("check(x <= n)", "check(x < n)"));
}

#[test]
fn calls_with_loops() {
    let text = "int g = 0;
    int up(int n) { int i = 0; while (i < n) { if (in()) g = i; i++; } return i; }
    int main() {
        int n = in(), k = 0, s = 0;
        if (n < 0) return 0;
        while (k < 10) { s = up(n); check(g <= n); k++; }
        check(s == n || s == 0);
        return 0;
    }";
    proved(text);
    unknown(&text.replace("check(g <= n)", "check(g < n)"));
}

#[test]
fn arrays_that_loops_write() {
    let text = "int a[10];
    int main() {
        int n = in(), i = 0;
        if (n < 0 || n >= 10) return 0;
        while (in()) { a[n] = 1; i = a[n]; check(i == 1); }
        return 0;
    }";
    proved(text);
    unknown(&text.replace("check(i == 1)", "check(i == 0)"));
}

/// What nobody counts as an error must not be possible either, unless that is assumed.
#[test]
fn what_is_undefined_is_no_proof() {
    let text = "int a[10];
    int main() {
        int n = in(), i = 0;
        while (i < n) { a[i] = 0; i++; }
        return 0;
    }";
    assert!(unknown(text).iter().any(|why| why.contains("undefined")));
    proved(&text.replace("i < n", "i < 10"));
}

#[test]
fn numbers_that_wrap() {
    // A counter that nobody asks for may wrap.
    let text = "int main() {
        unsigned i = 0, k = 0;
        while (in()) { i++; if (k < 5) k++; }
        check(k <= 5);
        return 0;
    }";
    proved(text);
    // And one that somebody asks for does.
    unknown(
        "int main() {
            unsigned char i = 0, k = 0;
            while (in()) { if (k < 2) k++; i++; if (i == 0) k = 9; }
            check(k <= 5);
            return 0;
        }",
    );
    unknown("int main() { int i = 0; while (in()) i++; check(i >= 0); return 0; }");
}

/// A value that is not initialised is the same one in every iteration, and another one in every block.
#[test]
fn values_that_are_not_initialised() {
    proved(
        "int main() { int x; int y = x; while (in()) { check(x == y); } check(x == y); return 0; }",
    );
    unknown("int main() { int x = 0; while (in()) { int y; check(x != 1); x = y; } return 0; }");
    unknown(
        "int main() { int last = 0; while (in()) { int y[2]; if (last != 0) check(y[0] == last);
            last = y[0]; } return 0; }",
    );
}

#[test]
fn inputs_are_new_in_every_iteration() {
    unknown(
        "int main() { int x = in(), y = x; while (in()) { y = in(); check(x == y); } return 0; }",
    );
    unknown(
        "int main() { int y = 0, z = 0; while (in()) { int x = in(); if (z) check(x == y);
            y = x; z = 1; } return 0; }",
    );
    unknown(
        "int main() { int y, z = 0, i; while (in()) { int x = in();
            for (i = in(); i < 5; i++) if (z) check(x == y);
            y = x; z = 1; } return 0; }",
    );
}

#[test]
fn states_of_different_shapes_at_one_header() {
    let text = "int a, b;
    int main() {
        int *p = &a;
        a = 1; b = 2;
        while (in()) { check(*p >= 1); if (p == &a) p = &b; else p = &a; if (in()) *p = 3; }
        return 0;
    }";
    proved(text);
    unknown(&text.replace("*p = 3", "*p = 0"));
}

#[test]
fn ends_are_not_proved() {
    let program = c("int main() { while (in()); return 0; }");
    let outcome = attempt(&program, Property::Termination, WORK);
    assert!(matches!(outcome, Outcome::Unknown(_)), "{outcome:?}");
}

#[test]
fn the_same_program_has_the_same_proof() {
    let text = "int main() {
        int n = in(), i = 0, k = 0;
        while (i < n) { i++; k++; if (k > 100) k = 0; }
        check(k <= 100);
        return 0;
    }";
    assert_eq!(proved(text), proved(text));
}
