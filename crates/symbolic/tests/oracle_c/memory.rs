//! Memory: what is read is what was written, in whichever pieces.

use super::{compare, compile, inputs};
use loupe_c::front::DataModel;
use loupe_symbolic::domain::SymbolicIndex;

const HEAD: &str = "#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define IN __VERIFIER_nondet_int()
";

fn check(body: &str, length: usize) {
    check_in(body, length, -1..=4);
}

/// An array as long as an unbounded input says, which only works with terms for its elements.
#[test]
fn lengths_without_bounds() {
    let body = "int main(void) { int n = IN, k = IN; if (n < 1) return 1; if (k < 0) return 2;
        int v[n]; memset(v, 0, sizeof v); v[k] = 7; char *h = malloc((size_t)n); memset(h, 'a', (size_t)n); h[k] = 'b';
        char *c = malloc((size_t)n); memcpy(c, h, (size_t)n); int s = (c[0] == 'b') + v[0] + v[n - 1] + c[n - 1];
        free(h); free(c); return s; }";
    let text = format!("{HEAD}{body}");
    let program = compile(&text, DataModel::Lp64);
    let (_, figures) = compare(&text, &program, &inputs(2, -1..=4), SymbolicIndex::Ite);
    assert_eq!(figures.given_up, 0, "{figures:?}");
}

fn check_in(body: &str, length: usize, range: std::ops::RangeInclusive<i64>) {
    let text = format!("{HEAD}{body}");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = compile(&text, model);
        for index in [SymbolicIndex::Ite, SymbolicIndex::Fork] {
            let (exploration, figures) =
                compare(&text, &program, &inputs(length, range.clone()), index);
            let open = &exploration.unsure;
            assert_eq!(figures.given_up, 0, "{text}\n{index:?}, {model:?}\n{open:?}");
        }
    }
}

#[test]
fn unions_and_punning() {
    check(
        "union u { int i; unsigned char b[4]; short s[2]; float f; };
        int main(void) { union u x; int a = IN, k = IN; if (k < 0 || k > 3) return 7;
        x.i = a * 1000; x.b[k] = (unsigned char)a; printf(\"%d %d %d\\n\", x.i, x.s[0], x.s[1]);
        x.s[k / 2] = (short)(a - 3); return x.i == 5 ? 1 / (a - a) : x.b[0] + x.b[3]; }",
        2,
    );
}

#[test]
fn bit_fields() {
    check(
        "struct s { unsigned a : 3; int b : 5; unsigned c : 9; int : 0; unsigned d : 30; } g;
        int main(void) { int a = IN, b = IN; struct s x = {0}; x.a = (unsigned)a; x.b = b; x.c = (unsigned)(a * b);
        x.d = (unsigned)a; struct s y = x; y.b++; g = y; if (g.b == 3 && g.a == 7) return 1 / (int)(g.a - 7);
        printf(\"%u %d %u %u %d\\n\", y.a, y.b, y.c, y.d, x.b); return memcmp(&x, &y, 1) != 0; }",
        2,
    );
}

#[test]
fn structs_are_copied() {
    check(
        "struct p { char c; int v[2]; struct { short s; char t; } in; };
        static struct p make(int a) { struct p r = {.c = (char)a, .v = {a, a + 1}, .in = {(short)(a * 3), 'x'}}; return r; }
        int main(void) { int a = IN, i = IN; struct p x = make(a), y = x, z[3] = {x, make(a + 1), y};
        if (i < 0 || i > 2) return 1; z[i].v[1] = 50; y = z[i]; z[(i + 1) % 3] = y; x.in.s++;
        printf(\"%d %d %d %d\\n\", y.v[1], z[0].v[1], z[1].c, x.in.s); 
        return z[2].v[0] + z[i].in.s; }",
        2,
    );
}

#[test]
fn partly_written_numbers() {
    check(
        "int main(void) { int a = IN, k = IN; unsigned v = 0x11223344u; unsigned char *p = (unsigned char *)&v;
        if (k < 0 || k > 3) return 2; p[k] = (unsigned char)a; unsigned short h; memcpy(&h, p + 1, 2);
        long long big = 0; memcpy((char *)&big + k, &v, 4);
        printf(\"%x %x %llx\\n\", v, h, big); return (int)(v % 200u); }",
        2,
    );
}

#[test]
fn indices_into_arrays_of_arrays() {
    check(
        "int m[3][4]; struct e { int k; char n[3]; } t[4];
        int main(void) { int i = IN, j = IN; for (int a = 0; a < 3; a++) for (int b = 0; b < 4; b++) m[a][b] = a * 10 + b;
        if (j < 0 || j > 3) j = 0; m[i][j] += 5; t[j].k = i; t[j].n[i] = 'z'; t[3].n[0]++;
        int s = 0; for (int b = 0; b < 4; b++) s += t[b].k + t[b].n[i]; return m[i][j] + m[2][3] + s % 7; }",
        2,
    );
}

#[test]
fn pointers_alias() {
    check(
        "int main(void) { int a = IN, b = IN, x = 1, y = 2, z = 3; int *p = a > 1 ? &x : &y, *q = b > 1 ? &x : &z, **r = a == b ? &p : &q;
        *p = 10; *q += *p; **r *= 2; *r = &z; *p -= *q; if (p == q) return x + 100; 
        return x + y * 3 + z * 5 + (p == &x) + (q != NULL); }",
        2,
    );
}

#[test]
fn pointer_arithmetic_stays_in_objects() {
    check(
        "int main(void) { int i = IN, j = IN, a[4] = {1, 2, 3, 4}; int *p = a + i, *q = &a[3] - j;
        if (p > q) { int *t = p; p = q; q = t; } long d = q - p; *p = 9; return (int)d * 10 + *q; }",
        2,
    );
}

#[test]
fn uninitialised_values_are_errors() {
    check(
        "int main(void) { int i = IN, j = IN, a[3], s = 0; struct { char c; int n; } r; if (i < 0 || i > 2) return 5;
        a[i] = 4; a[1] = 2; if (j > 1) r.n = 3; if (j > 2) s += r.n; s += a[j & 1]; if (j == 1) s += r.n; return s; }",
        2,
    );
}

#[test]
fn heap() {
    check(
        "struct n { int v; struct n *next; };
        int main(void) { int k = IN, w = IN; struct n *l = NULL; if (k > 3) k = 3; for (int i = 0; i < k; i++) { struct n *e = malloc(sizeof *e); e->v = i * w; e->next = l; l = e; }
        int s = 0; for (struct n *e = l; e; e = e->next) s = s * 3 + e->v; int *b = calloc(3, sizeof *b); if (w == 2) free(b); b[1] = s;
        s = b[1] + b[2]; if (w != 3) free(b); while (l) { struct n *t = l->next; free(l); l = t; } return s; }",
        2,
    );
}

#[test]
fn strings() {
    check(
        "int main(void) { int i = IN, j = IN; char a[8] = \"hello\", b[12]; if (i < 0 || i > 5) return 1; a[i] = (char)(j + 'a');
        if (j == 0) a[2] = 0; strcpy(b, a); strcat(b, \"!x\"); char *p = strchr(b, 'l'); 
        return (int)strlen(b) * 10 + (p ? (int)(p - b) : 9) + strcmp(a, \"heblo\") % 3 + memcmp(a, b, 3) * 2; }",
        2,
    );
}

#[test]
fn addresses_as_numbers() {
    check(
        "int x; int f(void) { return 3; } int g(void) { return 4; }
        int main(void) { int a = IN, b = IN, arr[4] = {5, 6, 7, 8}; uintptr_t n = (uintptr_t)&arr[1], m = (uintptr_t)&x;
        if (a < 0 || a > 2) return 1; int *p = (int *)(n + 4 * (uintptr_t)a); int (*h)(void) = (int (*)(void))(b > 1 ? (uintptr_t)f : (uintptr_t)g);
        int *q, *c = arr + a; unsigned char *to = (unsigned char *)&q, *from = (unsigned char *)&c; for (unsigned k = 0; k < sizeof q; k++) to[k] = from[k];
        void *v = NULL; memcpy(&v, &c, sizeof v); struct { char pad; char bytes[sizeof(void *)]; } odd; memcpy(odd.bytes, &c, sizeof c); memcpy(&v, odd.bytes, sizeof v);
        return *p + *q * 2 + *(int *)v * 3 + h() + (n != m) + (n % 4 == 0) + ((uintptr_t)p > n) + (p == (int *)n) + (m > n); }",
        2,
    );
}

#[test]
fn function_pointers() {
    check(
        "static int one(int x) { return x + 1; } static int two(int x) { return x * 2; } static int three(int x) { return 1 / (x - 3); }
        int (*table[3])(int) = {one, two, three}; struct op { int (*run)(int); int arg; };
        int main(void) { int i = IN, x = IN; if (i < 0 || i > 2) return 0; struct op o = {table[i], x}, copy = o;
        int (*f)(int) = x > 2 ? one : table[(i + 1) % 3]; return copy.run(copy.arg) * 10 + f(x) + (f == one); }",
        2,
    );
}

#[test]
fn lengths_that_depend_on_inputs() {
    check(
        "int main(void) { int n = IN, k = IN; if (n < 1 || n > 3) return 1; if (k < 0) return 2; int v[n]; memset(v, 0, sizeof v); v[k] = 7;
        char *h = malloc((size_t)n); memset(h, 'a', (size_t)n); h[k] = 'b'; char *c = malloc((size_t)n);
        memcpy(c, h, (size_t)n); int s = (c[0] == 'b') + v[0] + v[n - 1] + c[n - 1]; free(h); free(c); return s; }",
        2,
    );
}

#[test]
fn large_arrays_with_indices_that_depend_on_inputs() {
    check(
        "static unsigned char small[100]; static int wide[64];
        int main(void) { int i = IN, j = IN; if (i < 0 || j < 0) return 3; int k = i * 9 + j; small[k] = 200; small[j] += 3; wide[k] = -5;
        wide[63] = j; unsigned short h; memcpy(&h, small + 4, 2); small[99] = 1; return small[k] + wide[j] + h % 50 + small[i]; }",
        2,
    );
}

#[test]
fn switches_and_conversions() {
    check_in(
        "int main(void) { int a = IN, b = IN; if (a < -3 || a > 3 || b < -3 || b > 3) return 0; signed char c = (signed char)(a * 60); unsigned short u = (unsigned short)b; long long w = (long long)a << 31;
        switch ((a ^ b) & 3) { case 0: w += c; break; case 1: w -= u; break; case 2: w = w / (b ? b : 1); break; default: w %= 7; }
        return (int)(w % 100) + (a >> 1) + (int)((unsigned)b >> 30) + (~a & b) + (c < u); }",
        2,
        -3..=3,
    );
}

#[test]
fn bit_fields_at_indices_that_depend_on_inputs() {
    check(
        "struct f { unsigned a : 5; unsigned b : 11; char c; }; 
        int main(void) { int i = IN, j = IN; struct f t[3], u[3] = {{1, 2, 3}}; if (i < 0 || i > 2 || j < 0 || j > 2) return 1;
        t[i].b = 9; u[i].a = 7; u[j].b++; u[j].c = (char)i; u[0].a += u[i].b; return (int)(u[j].a + u[i].b + u[2].c + t[j].b); }",
        2,
    );
}

#[test]
fn parts_of_values_that_may_be_written() {
    check(
        "int main(void) { int i = IN, j = IN; short s[4]; int v; unsigned char raw[8]; if (i < 0 || i > 3 || j < 0 || j > 3) return 1;
        s[i] = 3; s[j] = 4; memcpy(&v, s + 1, 4); raw[i] = 1; raw[j + 1] = 2; memset(raw + 4, 0, 4); if (i == 1) v = 7;
        return s[i] + (j == 2 ? v : 0) + raw[j]; }",
        2,
    );
}
