struct stack { int cells[10], n; };
static struct stack only;

int table[] = {5, 8, 13, 34};
const unsigned table_length = sizeof table / sizeof *table;

struct stack *create(void) { return &only; }
void push(struct stack *s, int v) { s->cells[s->n++] = v; }
int pop(struct stack *s) { return s->cells[--s->n]; }
