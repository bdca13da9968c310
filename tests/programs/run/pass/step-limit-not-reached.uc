// loupe: run --max-steps 1000 => result 10
main() {
    var i;
    i = 0;
    while (i < 10) i = i + 1;
    return i;
}
