// loupe: run => rejected 3:12
int main(void) {
    return conut;
}
