// `!` binds like the other unary operators; `&&` and `||` are one level, from left to right.
// loupe: run => ok
main() {
    output !0 == 5;
    output !(0 == 5);
    output 1 || 0 && 0;
    output 1 || (0 && 0);
    output 0 && 0 || 1;
    output 1 + 1 == 2 && 3 > 2;
    output 1 < 2 == 1;
    return 0;
}
