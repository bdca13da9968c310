// Structs with arrays of structs with arrays.
#include <stdio.h>

struct inner { char tag; short v[3]; };
struct outer { struct inner in[2]; int n; };

int main(void) {
    struct outer o[3] = {{{{'a', {1, 2, 3}}, {'b', {4, 5, 6}}}, 7}, {.in[1].v[2] = 9}};
    o[2] = o[0];
    o[2].in[1].v[0] = -4;
    struct outer *p = &o[1];
    p[1].in->v[1] += 100;
    (p - 1)->in[1].tag++;
    printf("%d %d %d %c\n", o[0].in[1].v[0], o[2].in[1].v[0], o[2].in[0].v[1], o[0].in[1].tag);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                sum += o[i].in[j].v[k] * (k + 1);
    printf("%d\n", sum);
    return sum & 127;
}
