// Where arrays are references, an element of any array can be assigned.
// loupe: run => result 3
make(array) {
    return array;
}
main() {
    var a;
    a = [1];
    make(a)[0] = 3;
    return a[0];
}
