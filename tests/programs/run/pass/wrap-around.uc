// 32 bits wrap around, also where the smallest number is divided by -1.
// loupe: run --int-width 32 --input "2147483647 -2147483648" => ok
main() {
    var max, min;
    max = input;
    min = input;
    output max + 1;
    output min - 1;
    output max * max;
    output min / -1;
    output 65536 * 65536;
    output 0 - min;
    output input;
    return 0;
}
