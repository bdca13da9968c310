// loupe: run => error null-dereference 10:12
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

static int last(const struct node *list) {
    while (list->next->next != NULL)
        list = list->next;
    return list->value;
}

int main(void) {
    struct node only = {NULL, 5};
    return last(&only);
}
