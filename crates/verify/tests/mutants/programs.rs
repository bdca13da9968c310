//! Programs that are safe, each for another reason.

pub(crate) const SAFE: &[&str] = &[
    // A count.
    "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, s = 0;
    if (n < 0 || n > 1000) return 0;
    while (i < n) { i++; s += 2; }
    if (s != 2 * n) reach_error();
    return 0; }",
    // Two paths in turn.
    "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, z = 5;
    if (n < 6 || n > 100) return 0;
    while (x < n) { if (z > x) x++; else z++; }
    if (x != z) reach_error();
    return 0; }",
    // A triangle.
    "int main(void) { int n = __VERIFIER_nondet_int(), c = 0;
    if (n < 0 || n > 30) return 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) c++;
    if (2 * c != n * (n - 1)) reach_error();
    return 0; }",
    // An array that is filled, and looked at.
    "int main(void) { int a[20], n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 20) return 0;
    for (int i = 0; i < n; i++) a[i] = i + 3;
    if (0 <= k && k < n && a[k] != k + 3) reach_error();
    return 0; }",
    // The greatest of some inputs.
    "int main(void) { int n = __VERIFIER_nondet_int(), most = 0, x = 0;
    if (n > 12) return 0;
    for (int i = 0; i < n; i++) { x = __VERIFIER_nondet_int(); if (x > most) most = x; }
    if (most < x) reach_error();
    return 0; }",
    // A polynomial that every iteration keeps, in numbers that wrap around.
    "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = 0, c = 0;
    while (1) {
        if (4 * x - y * y * y * y - 2 * y * y * y - y * y != 0) reach_error();
        if (c >= n || c > 50) break;
        c = c + 1; y = y + 1; x = y * y * y + x; }
    return 0; }",
    // A remainder by subtraction.
    "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), q = 0, r = a;
    if (a < 0 || b < 1 || a > 500) return 0;
    while (r >= b) { r = r - b; q = q + 1; }
    if (r < 0 || r >= b) reach_error();
    if (q * b + r != a) reach_error();
    return 0; }",
    // A flag and a last writer.
    "int main(void) { int n = __VERIFIER_nondet_int(), seen = 0, last = -1;
    if (n > 15) return 0;
    for (int i = 0; i < n; i++) { int x = __VERIFIER_nondet_int(); if (x == 7) { seen = 1; last = i; } }
    if (seen == 0 && last != -1) reach_error();
    if (seen != 0 && (last < 0 || last >= n)) reach_error();
    return 0; }",
    // A search.
    "int main(void) { int a[10], x = __VERIFIER_nondet_int(), i = 0;
    for (int j = 0; j < 10; j++) a[j] = __VERIFIER_nondet_int();
    while (i < 10 && a[i] != x) i++;
    if (i < 10 && a[i] != x) reach_error();
    return 0; }",
    // A function that calls itself.
    "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 2; }
    int main(void) { int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 8) return 0;
    if (f(n) != 2 * n) reach_error();
    return 0; }",
    // Unsigned numbers that wrap.
    "int main(void) { unsigned char i = 0; unsigned n = 0;
    do { i++; n++; } while (i != 0);
    if (n != 256) reach_error();
    return 0; }",
    // Copies.
    "int main(void) { int a[8], b[8], n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 0 || n > 8) return 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) b[i] = a[i];
    if (k >= 0 && k < n && b[k] != a[k]) reach_error();
    return 0; }",
];
