// A list of numbers that are read until one is negative; their sum is printed. The last line of `sum`
// looks at a node that has just been freed.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    *node = (struct node){.value = value, .next = list};
    return node;
}

static int sum(struct node *list) {
    int total = 0;
    while (list) {
        total += list->value;
        free(list);
        list = list->next;
    }
    return total;
}

int main(void) {
    struct node *list = NULL;
    for (int value; (value = __VERIFIER_nondet_int()) >= 0;)
        list = push(list, value);
    printf("the sum is %d\n", sum(list));
    return 0;
}
