// loupe: run => result 25
// loupe: run --arrays value => result 13
main() {
    var row, m, i, j, sum;
    row = [1, 2];
    m = [row, [3, 4], row];
    row[0] = 5; m[1][1] = 0;
    m[0][1] = 6; sum = 0;
    i = 0;
    while (i < 3) {
        j = 0;
        while (j < 2) {
            output m[i][j];
            sum = sum + m[i][j];
            j = j + 1;
        }
        i = i + 1;
    }
    return sum;
}
