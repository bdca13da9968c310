/* A list on the heap that is kept in order. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
    int value;
    struct node *next;
};
int main(void)
{
    struct node *first = 0;
    for (int i = 0; i < 5; i++) {
        struct node *new = malloc(sizeof *new);
        if (!new)
            return 1;
        new->value = __VERIFIER_nondet_int();
        struct node **place = &first;
        while (*place && (*place)->value < new->value)
            place = &(*place)->next;
        new->next = *place;
        *place = new;
    }
    return first->value;
}
