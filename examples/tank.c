// One pump fills a tank up to half a million litres, then a stronger one goes on. Does it ever spill over?
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned capacity = __VERIFIER_nondet_uint();
    unsigned level = 0, minutes = 0;
    if (capacity < 1000000 || capacity > 2000000) return 0;
    while (level < capacity) {
        if (level < 500000)
            level += 1;
        else
            level += 3;
        minutes++;
    }
    if (level > capacity) reach_error();
    return 0;
}
