// Listing 4.15, which is a loop only: 4.14, simplified.
main() {
    var n, x, z, res, i, realX, realZ;
    n = input;
    x = input;
    z = input;
    res = input;
    i = input;
    realX = input;
    realZ = input;
    while (i < n) {
        x = realX;
        z = realZ;
        x = n;
        z = n;
        res = res + x;
        i = i + 1;
    }
    output x;
    output z;
    output res;
    output i;
    return 0;
}
