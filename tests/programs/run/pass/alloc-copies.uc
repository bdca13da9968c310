// loupe: run => result 1
main() {
    var x, p;
    x = 1;
    p = alloc x;
    *p = 2;
    output *p;
    return x;
}
