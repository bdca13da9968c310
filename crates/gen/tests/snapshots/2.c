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
    if (!(!(x0 + 3 != -3))) {
        reach_error();
    }
    x0 += -1;
    return x0 > 0;
}

int f1(int v1, int *q1) {
    int x1 = (v1 - v1 % -2) % 9;
    x1 = (*q1 - (x1 + 1)) % 7;
    printf("%d\n", v1 + x1 != 5);
    return x1 + (x1 - 2);
}

int main(void) {
    int n0 = __VERIFIER_nondet_int();
    __VERIFIER_assume(n0 >= -1 && n0 <= 3);
    int n1 = __VERIFIER_nondet_int();
    if (n1 < -1 || n1 > 3) {
        n1 = -1;
    }
    int n2 = __VERIFIER_nondet_int();
    if (n2 < -1 || n2 > 3) {
        exit(0);
    }
    int x2 = (n2 <= 3) + (n2 - n0);
    int a0[3] = {3, -1, -1};
    int *p0 = &n0;
    struct node *list0 = NULL;
    list0 = new_node(1, list0);
    list0 = new_node((n2 - n2 - a0[0]) % 7, list0);
    int i0 = 1;
    while (i0 < n1) {
        printf("%d\n", 6 / (n0 - 2));
        i0 += 2;
    }
    assert(i0 <= 4);
    if (list0 != NULL) {
        list0 = list0->next;
    } else {
        i0 = 2;
    }
    {
        int x3 = 4;
        a0[0] = (i0 - *p0 - (a0[i0 % 3] + n2)) % 2;
        x3 = x3 < 2;
        printf("%d\n", x3);
    }
    printf("%d\n", f1(n2, &x2));
    printf("%d\n", n0);
    printf("%d\n", n1);
    printf("%d\n", n2);
    printf("%d\n", x2);
    printf("%d\n", a0[0]);
    printf("%d\n", a0[1]);
    printf("%d\n", a0[2]);
    if (p0 != NULL) {
        printf("%d\n", *p0);
    }
    printf("%d\n", list0 == NULL);
    return 0;
}
