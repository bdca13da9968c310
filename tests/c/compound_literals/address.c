// A literal in a function lives as long as its block, and can be changed.
#include <stdio.h>

struct node { int v; struct node *next; };

int main(void) {
    int *p = &(int){5};
    *p += 3;
    printf("%d\n", *p);
    struct node *list = &(struct node){1, &(struct node){2, &(struct node){3, 0}}};
    int sum = 0;
    for (struct node *n = list; n; n = n->next)
        sum = sum * 10 + n->v;
    printf("%d\n", sum);
    list->next->v = 20;
    char *text = (char[]){"abc"};
    text[1] = 'X';
    printf("%d %s\n", list->next->v, text);
    return list->v + *p;
}
