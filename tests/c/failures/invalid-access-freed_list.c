// fails: invalid-access 14
// gcc: heap-use-after-free
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        free(n);
    return 0;
}
