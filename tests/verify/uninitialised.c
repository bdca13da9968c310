// loupe verify
extern void reach_error(void);

int main(void) {
    int limit;
    int seen[4];
    seen[1] = 3;
    if (limit > 5 && seen[2] == 7 && seen[1] == 3) reach_error();
    return 0;
}
