// Every call has its own variables, which start without a value.
// loupe: run => error uninitialised-value 6:27
count(first) {
    var x;
    if (first) x = 1;
    else { first = 0; x = x + 1; }
    return x;
}
main() {
    return count(1) + count(0);
}
