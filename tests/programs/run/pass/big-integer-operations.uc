// loupe: run => ok
main() {
    var big, half;
    big = 170141183460469231731687303715884105728;
    half = big / 2;
    output big - 1; output -170141183460469231731687303715884105728 + big;
    output half + half == big;
    output half < big; output big > -1;
    output (0 - big) / 3;
    output 9223372036854775807 + 1;
    output -9223372036854775808 - 1;
    output -9223372036854775808 / -1;
    output 4294967296 * 4294967296;
    return 0;
}
