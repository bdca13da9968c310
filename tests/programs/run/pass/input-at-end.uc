// Behind the end every input is -1.
// loupe: run --input 5 => result 3
main() {
    return input + input + input;
}
