// loupe: run => error invalid-access 4:5
int main(void) {
    char *text = "constant";
    text[0] = 'C';
    return 0;
}
