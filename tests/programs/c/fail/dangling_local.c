// loupe: run => error invalid-access 9:12
int *broken(void) {
    int number = 3;
    int *p = &number;
    return p;
}

int main(void) {
    return *broken();
}
