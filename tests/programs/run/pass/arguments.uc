// loupe: run --args 3 -4 => result -12
// loupe: run --args 123456789012345678901 2 => result 246913578024691357802
// loupe: run --int-width 32 --args 2147483647 2 => result -2
main(a, b) {
    return a * b;
}
