//! Values that nobody has written: arbitrary, but the same whoever looks at them, in whichever pieces.
//!
//! There is no brute force over these. Instead every program has an error that some values reach, or none do.
//! That errors are replayed in the interpreter is what finds values that the streams do not have.

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_symbolic::domain::SymbolicIndex;
use loupe_symbolic::explore::{Exploration, Explorer, Limits, Options};
use loupe_symbolic::property::Property;
use loupe_symbolic::search::{Strategy, strategy};

const HEAD: &str = "#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define IN __VERIFIER_nondet_int()
";

fn explore(body: &str, data_model: DataModel, symbolic_index: SymbolicIndex) -> Exploration {
    let program = compile_text(&format!("{HEAD}{body}"), data_model, Checks::default()).program;
    let limits = Limits { paths: Some(3_000), ..Limits::default() };
    let property = Property::UnreachCall;
    let options = Options { limits, property, symbolic_index, ..Options::default() };
    let search = strategy(Strategy::Bfs, &program, 7, &[]);
    let explored = Explorer::new(&program, options, search).run(&mut (), &|_, _| None);
    explored.unwrap_or_else(|error| panic!("{body}\n{data_model:?}: {error}"))
}

/// Some values lead to the error.
fn reached(body: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let exploration = explore(body, model, SymbolicIndex::Ite);
        assert_eq!(exploration.violations.len(), 1, "{body}\n{:?}", exploration.unsure);
    }
}

/// No values do.
fn safe(body: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let exploration = explore(body, model, SymbolicIndex::Ite);
        assert!(exploration.is_safe(), "{body}\n{exploration:?}");
    }
}

/// No values do, but that is more than is found out.
fn not_reached(body: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for index in [SymbolicIndex::Ite, SymbolicIndex::Fork] {
            let exploration = explore(body, model, index);
            assert!(exploration.violations.is_empty(), "{body}\n{:?}", exploration.violations);
        }
    }
}

#[test]
fn copies_have_the_values_of_the_original() {
    safe(
        "int main(void) { int a[50], b[50]; int i = IN; if (i < 0 || i > 49) return 0;
        memcpy(b, a, sizeof a); if (a[i] != b[i]) reach_error(); return 0; }",
    );
    safe(
        "int main(void) { int n = IN, i = IN; if (n < 2 || n > 100 || i < 0 || i >= n) return 0;
        int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b); a[1] = 5;
        memcpy(b, a, n * sizeof *a); a[0] = 7;
        if ((i > 0 && a[i] != b[i]) || b[1] != 5) reach_error(); return 0; }",
    );
}

#[test]
fn copies_that_are_read_in_two_sizes_have_one_value() {
    safe(
        "int main(void) { int a[3], b[3]; memcpy(b, a, sizeof a); unsigned char *p = (unsigned char *)b;
        if ((unsigned char)a[1] != p[4] || (a[2] >> 8 & 255) != p[9]) reach_error(); return 0; }",
    );
    not_reached(
        "int main(void) { int a[34], b[34]; int i = IN; if (i < 31 || i > 33) return 0;
        memcpy(b, a, sizeof a); unsigned char *p = (unsigned char *)b;
        if ((unsigned char)a[i] != p[4 * i]) reach_error(); return 0; }",
    );
    reached(
        "int main(void) { int a[3], b[3]; memcpy(b, a, sizeof a); short *p = (short *)b;
        if (a[1] == 70000 && p[2] == 4464 && b[2] == 12) reach_error(); return 0; }",
    );
}

/// The last element of an array of terms reaches over the end of its object.
#[test]
fn elements_that_are_cut_off_by_the_end_of_their_object() {
    reached(
        "int main(void) { char a[151]; int z; int i = IN; if (i < 0 || i > 147) return 0;
        if (*(int *)(a + i) == 0x01020304 && i == 147 && z == 9) reach_error(); return 0; }",
    );
    reached(
        "int main(void) { short a[75]; int z; int i = IN; if (i < 0 || i > 73) return 0;
        if (*(int *)(a + i) == 0x01020304 && i == 73 && z == 9) reach_error(); return 0; }",
    );
    reached(
        "int main(void) { long long a[40]; int z; int i = IN; if (i < 0 || i > 79) return 0;
        if (((int *)a)[i] == 5 && i % 2 && a[i / 2] == (5ll << 32 | 6) && z == 3) reach_error();
        return 0; }",
    );
}

#[test]
fn pointers_in_objects_that_are_accessed_everywhere() {
    safe(
        "int main(void) { int x = 1, y = 2, *t[40]; int i = IN, j = IN;
        if (i < 0 || i > 39 || j < 0 || j > 39) return 0;
        for (int k = 0; k < 40; k++) t[k] = &x;
        t[i] = &y; if (*t[j] == 2 && i != j) reach_error(); return 0; }",
    );
    // The object is an array of numbers before the pointer comes.
    not_reached(
        "int main(void) { size_t m[40]; int y = 2; int i = IN; if (i < 0 || i > 39) return 0;
        memset(m, 0, sizeof m); m[i] = 3; int **p = (int **)&m[5]; *p = &y;
        if (**p != 2) reach_error(); return 0; }",
    );
    not_reached(
        "int main(void) { size_t m[40]; int y = 2; int i = IN; if (i < 0 || i > 39) return 0;
        memset(m, 0, sizeof m); int **p = (int **)&m[i]; *p = &y;
        if (*(int *)m[i] != 2) reach_error(); return 0; }",
    );
}

/// Zeros cost nothing, however many there are.
#[test]
fn large_objects_of_zeros() {
    safe(
        "int main(void) { unsigned n = 1u << 27; int *a = malloc(n * sizeof *a); int x = IN;
        memset(a, 0, n * sizeof *a); if (x < 0 || x >= (int)n) return 0;
        a[3] = 0; if (a[x]) reach_error(); return 0; }",
    );
}
