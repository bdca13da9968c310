// Arrays of length zero at the end of structs, and inside.
#include <stdio.h>
#include <stdlib.h>

struct packet { int n; char data[0]; };
struct marks { char a; int begin[0]; char b, end[0]; };

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct packet), sizeof(struct marks), sizeof(int[0]));
    struct packet *p = malloc(sizeof *p + 4);
    p->n = 4;
    for (int i = 0; i < 4; i++)
        p->data[i] = (char)('a' + i);
    printf("%.4s\n", p->data);
    struct marks m = {'x', {}, 'y', {}};
    printf("%c\n", *(m.end - 1));
    int r = p->data[3];
    free(p);
    return r;
}
