// loupe: run => error type-error 3:19
main() {
    return {a: 1} == {a: 1};
}
