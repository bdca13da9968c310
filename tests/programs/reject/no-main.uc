// loupe: run => rejected
f() {
    return 0;
}
