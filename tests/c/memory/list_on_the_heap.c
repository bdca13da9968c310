// Lists and trees of allocated nodes.
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *push(struct node *list, int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = list;
    return n;
}

static struct node *merge(struct node *a, struct node *b) {
    if (!a || !b)
        return a ? a : b;
    struct node **less = a->v <= b->v ? &a : &b, *head = *less;
    *less = head->next;
    head->next = merge(a, b);
    return head;
}

int main(void) {
    struct node *a = 0, *b = 0;
    for (int i = 9; i > 0; i -= 2)
        a = push(a, i), b = push(b, i + 1);
    a = merge(a, b);
    int n = 0, hash = 0;
    while (a) {
        struct node *next = a->next;
        printf("%d ", a->v);
        hash = hash * 3 + a->v;
        n++;
        free(a);
        a = next;
    }
    printf("%d\n", n);
    return hash & 127;
}
