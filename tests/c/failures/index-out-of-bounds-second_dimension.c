// fails: index-out-of-bounds 8
// gcc: out of bounds
int main(void) {
    int m[3][4] = {{0}};
    int column = 3;
    m[0][column] = 1;
    column++;
    return m[0][column];
}
