// loupe: run --input "7 x3, 5" => result 4
// loupe: run --input "" => result 0
// loupe: run --input "1,2,,3   4" => result 4
// loupe: run --input-file programs/run/pass/numbers.input => result 9
// loupe: run => result 0
main() {
    var n, x;
    n = 0;
    x = input;
    while (x != -1) {
        output x;
        n = n + 1;
        x = input;
    }
    output input;
    return n;
}
