// loupe: run => error argument-count 7:29
one() {
    return 1;
}
main() {
    var fs;
    fs = [one]; output fs[0](2);
    return 0;
}
