// loupe: run --ascii --input-file programs/run/pass/text.input => result 12
// loupe: run --ascii --input "72 105" => result 2
main() {
    var c, n;
    n = 0; c = input;
    while (c != -1) {
        output c;
        n = n + 1;
        c = input;
    }
    return n;
}
