// How many steps does n take to reach 1? (Nobody knows whether it always does.)

is_even(n) {
    return n == 2 * (n / 2);
}

steps(n) {
    var count;
    count = 0;
    while (n != 1) {
        if (is_even(n)) {
            n = n / 2;
        } else {
            n = 3 * n + 1;
        }
        count = count + 1;
    }
    return count;
}

main() {
    var n;
    n = input;
    output steps(n);
    return 0;
}
