// A loop with two paths that alternate, and a third now and then.
main() {
    var i, n, even, odd, flip;
    n = 30000000;
    i = 0;
    even = 0;
    odd = 0;
    flip = 0;
    while (i < n) {
        if (flip == 0) {
            even = even + i;
            flip = 1;
        } else {
            odd = odd + i;
            flip = 0;
        }
        if (i == 1000 * (i / 1000)) {
            even = even - 1;
        }
        i = i + 1;
    }
    output even;
    output odd;
    return 0;
}
