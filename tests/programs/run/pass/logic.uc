// loupe: run => ok
main() {
    output 0 && 0; output 0 && 2; output 3 && 0; output 3 && 2;
    output 0 || 0; output 0 || 2; output 3 || 0; output 3 || 2;
    output !0; output !1; output !-7; output !!5;
    return 0;
}
