// loupe: cfg => ok
// loupe: cfg --norm => ok
// loupe: cfg --format dot => ok
// loupe: cfg --norm --format dot => ok
// loupe: cfg --format json => ok
main(n) {
    var x;
    if (n > 0) {
        x = 1;
    } else {
        x = 2 / n;
    }
    return x;
}
