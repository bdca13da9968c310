// A list that is built, reversed and cut.
#include <stdio.h>

struct node { int value; struct node *next; };

static struct node *reverse(struct node *n) {
    struct node *done = 0;
    while (n) {
        struct node *next = n->next;
        n->next = done;
        done = n;
        n = next;
    }
    return done;
}

int main(void) {
    struct node pool[6], *head = 0, **link = &head;
    for (int i = 0; i < 6; i++) {
        pool[i].value = i;
        *link = &pool[i];
        link = &pool[i].next;
    }
    *link = 0;
    head = reverse(head);
    for (link = &head; *link;)
        if ((*link)->value % 2)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    int r = 0;
    for (struct node *n = head; n; n = n->next)
        printf("%d ", n->value), r = r * 8 + n->value;
    printf("\n");
    return r & 127;
}
