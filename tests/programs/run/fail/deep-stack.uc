// The calls that led to the error are shown, and left out in the middle if there are many.
// loupe: run --args 3 => error division-by-zero 6:23
// loupe: run --args 40 => error division-by-zero 6:23
down(n) {
    var x;
    if (n == 0) x = 1 / n;
    else x = down(n - 1);
    return x;
}
main(n) {
    return down(n);
}
