// The last value for a place counts; what it replaces is not evaluated. A value for many elements is evaluated once.
#include <stdio.h>

int calls;
static int next(void) { return ++calls; }

struct point {
    int x, y;
};
struct line {
    struct point from;
    int z;
};

char words[2][4] = {"abc", "d", [0] = "x"};
struct point points[4] = {[0 ... 3] = {1, 2}, [1] = {3, 4}};
int table[10] = {[0 ... 9] = -1, [3] = 7, [5 ... 6] = 8, 9};
struct line line = {.z = 4, .from = {1, 2}, .z = 5};

int main(void) {
    char local_words[2][4] = {"abc", "d", [0] = "x"};
    struct point local_points[4] = {[0 ... 3] = {1, 2}, [1] = {3, 4}};
    int local_table[10] = {[0 ... 9] = -1, [3] = 7, [5 ... 6] = 8, 9};
    struct line local_line = {.z = 4, .from = {1, 2}, .z = 5};
    struct point whole = {7, 8};
    struct line copied = {.from = {1, 2}, .z = 2, .from = whole};
    int once[3] = {next(), [0] = 5, next()};
    struct point repeated[3] = {[0 ... 1] = {next(), 7}, [2] = {next()}};
    for (int i = 0; i < 8; i++)
        printf("%d %d ", ((char *)words)[i], ((char *)local_words)[i]);
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d ", points[i].x, points[i].y, local_points[i].x, local_points[i].y);
    for (int i = 0; i < 10; i++)
        printf("%d %d ", table[i], local_table[i]);
    printf("\n%d %d %d\n", line.from.x, line.from.y, line.z);
    printf("%d %d %d\n", local_line.from.x, local_line.from.y, local_line.z);
    printf("%d %d %d\n", copied.from.x, copied.from.y, copied.z);
    printf("%d %d %d\n", once[0], once[1], once[2]);
    for (int i = 0; i < 3; i++)
        printf("%d %d ", repeated[i].x, repeated[i].y);
    printf("%d\n", calls);
    return 0;
}
