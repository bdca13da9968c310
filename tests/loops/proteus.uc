// loupe: loop 6 type 1 exact bound max(0, n - x, 2*n - x - z)
// loupe: loop 12 type 4
main() {
    var n, x, z, k;
    n = input; x = input; z = input;
    while (x < n) {
        if (z > x) { x = x + 1; } else { z = z + 1; }
    }
    k = 0;
    z = 0;

    while (z < 100) {
        x = input;
        if (x < 1) { x = 1; }
        z = z + x;
        k = k + 1;
    }
    return k;
}
