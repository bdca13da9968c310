// loupe: run => error invalid-conversion 4:12
int main(void) {
    double huge = 1e10;
    return (int)huge;
}
