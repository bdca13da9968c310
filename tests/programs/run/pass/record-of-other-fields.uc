// A variable may hold records of different shapes, one after the other.
// loupe: run => result 3
main() {
    var r, x;
    r = {a: 1};
    x = r.a;
    r = {b: 2};
    return x + r.b;
}
