// `main` gives a number, or nothing at all, even though it says `return` and a record.
// loupe: run --max-depth 10 => limit
main() {
    return {f: main()};
}
