// loupe: run => result 12
main() {
    var a, r;
    r = {x: 1};
    a = [r, r];
    a[0].x = 10;
    r.x = 100;
    a[1].x = a[1].x + 1;
    return a[0].x + a[1].x;
}
