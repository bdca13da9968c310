// Listing 4.14, which is a loop only: the inner loop of 4.13 is replaced by what it does.
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
        if (x < n) {
            if (z > x) {
                x = n;
                z = n;
            } else {
                x = n;
                z = n;
            }
        }
        res = res + x;
        i = i + 1;
    }
    output x;
    output z;
    output res;
    output i;
    return 0;
}
