// Where arrays are values, an element of one that nobody holds cannot be assigned.
// loupe: run --arrays value => rejected 7:5
make() {
    return [1];
}
main() {
    make()[0] = 3;
    [1][0] = 2;
    return 0;
}
