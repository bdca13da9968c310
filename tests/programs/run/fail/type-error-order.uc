// Pointers have no order.
// loupe: run => error type-error 5:15
main() {
    var x, y;
    return &x < &y;
}
