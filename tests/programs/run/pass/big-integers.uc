// Numbers are of any size.
// loupe: run --args 50 => result 30414093201713378043612608166064768844377641568960512000000000000
// loupe: run --args 25 => result 15511210043330985984000000
main(n) {
    var f;
    f = 1;
    while (n > 0) {
        f = f * n;
        output f;
        n = n - 1;
    }
    return f;
}
