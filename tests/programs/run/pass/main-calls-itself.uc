// loupe: run --args 5 => result 120
main(n) {
    var x;
    if (n == 0) x = 1;
    else x = n * main(n - 1);
    return x;
}
