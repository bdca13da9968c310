// loupe gen --language c --seed 2 --max-top-level-statements 5 --max-block-statements 3 --max-statements 12
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

void reach_error(void) {
    assert(0);
}

struct node {
    int value;
    struct node *next;
};

struct node *new_node(int value, struct node *next) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL) {
        exit(0);
    }
    node->value = value;
    node->next = next;
    return node;
}

int f0(int v0, int *q0) {
    int x0 = 5;
    int s0 = -1;
    while (s0 < 7) {
        if (v0 != v0 + 3) {
            s0 += 2;
        } else {
            s0 += 3;
        }
        if (v0 != v0 + 1) {
            x0 += s0 + 1;
        }
    }
    printf("%d\n", v0 == 5);
    return x0 > 0;
}

int f1(int v1, int *q1) {
    int x1 = 5;
    if (q1 != NULL) {
        *q1 = v1 < 0;
    } else {
        v1 = f0(x1 / 2 % 7, &x1);
    }
    x1 = f0(v1, &v1);
    return x1 + x1 / 5;
}

int main(void) {
    int n0 = __VERIFIER_nondet_int();
    __VERIFIER_assume(n0 >= -1 && n0 <= 3);
    int n1 = __VERIFIER_nondet_int();
    if (n1 < -1 || n1 > 3) {
        n1 = 1;
    }
    int x2 = n0 - n0 * 1;
    int x3 = n0;
    int x4 = 4;
    struct node *list0 = NULL;
    list0 = new_node((x3 - x4) % -2, list0);
    {
        int x5 = 2;
        x5 -= n1 + 2;
        printf("%d\n", x5);
    }
    int i0 = 1;
    while (i0 < 2) {
        if (x4 <= 2 && n1 > -1) {
            list0 = new_node((i0 + x3) * (x2 + x2) % 2, list0);
        }
        if (!(i0 <= x2 - n1)) {
            break;
        }
        i0 += 2;
    }
    x4 = x3 >= 2;
    if (!(n0 <= 3)) {
        reach_error();
    }
    printf("%d\n", n0);
    printf("%d\n", n1);
    printf("%d\n", x2);
    printf("%d\n", x3);
    printf("%d\n", x4);
    printf("%d\n", list0 == NULL);
    return 0;
}
