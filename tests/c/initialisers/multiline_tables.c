// Tables of structs with function pointers and strings, as programs have them.
#include <stdio.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const struct command {
    const char *name;
    int (*run)(int, int);
    struct { unsigned flags; short priority; };
} commands[] = {
    {"add", add, {1, -1}},
    {.name = "sub", .run = sub, .priority = 5},
    {"mul", .flags = 3, .run = mul},
    {0},
};

int main(void) {
    int r = 1;
    for (const struct command *c = commands; c->name; c++) {
        r = c->run(r, 7) + c->priority;
        printf("%s %u %d %zu\n", c->name, c->flags, r, strlen(c->name));
    }
    return r & 127;
}
