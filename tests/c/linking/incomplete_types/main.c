// One file knows the struct only by name, and an array only by its element.
#include <stdio.h>

struct stack;
struct stack *create(void);
void push(struct stack *, int);
int pop(struct stack *);
extern int table[];
extern const unsigned table_length;

int main(void) {
    struct stack *s = create();
    for (unsigned i = 0; i < table_length; i++)
        push(s, table[i]);
    int a = pop(s), b = pop(s);
    printf("%d %d\n", a, b);
    return a - b;
}
