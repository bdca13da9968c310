// A struct that fits in no register, passed and returned.
#include <stdio.h>

struct big { int head; int cells[50]; char tail; };

static struct big fill(int start) {
    struct big b = {.head = start, .tail = 'z'};
    for (int i = 0; i < 50; i++)
        b.cells[i] = start + i;
    return b;
}

static int total(struct big b) {
    int t = b.head + b.tail;
    for (int i = 0; i < 50; i++)
        t += b.cells[i], b.cells[i] = 0;
    return t;
}

static struct big merge(struct big a, struct big b) {
    for (int i = 1; i < 50; i += 2)
        a.cells[i] = b.cells[i];
    a.head += b.head;
    return a;
}

int main(void) {
    struct big x = fill(1), y = fill(100);
    printf("%d %d\n", total(x), total(x));
    x = merge(x, y);
    printf("%d %d %d\n", x.head, x.cells[48], x.cells[49]);
    printf("%d\n", total(merge(y, fill(7))));
    return total(x) & 127;
}
