// A copy of a record shares the array in it, unless arrays are values.
// loupe: run => result 9
// loupe: run --arrays value => result 1
main() {
    var r, s;
    r = {a: [1, 2]};
    s = r;
    s.a[0] = 9;
    return r.a[0];
}
