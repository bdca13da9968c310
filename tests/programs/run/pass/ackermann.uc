// loupe: run --args 2 3 => result 9
ack(m, n) {
    var x;
    if (m == 0) x = n + 1;
    else {
        if (n == 0) x = ack(m - 1, 1);
        else x = ack(m - 1, ack(m, n - 1));
    }
    return x;
}
main(m, n) {
    return ack(m, n);
}
