// Sorting structs and strings by several keys.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char name[8]; int age; };

static int by_age_then_name(const void *a, const void *b) {
    const struct person *p = a, *q = b;
    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    struct person p[] = {{"bob", 30}, {"al", 25}, {"cy", 30}, {"di", 19}, {"ed", 25}};
    qsort(p, 5, sizeof *p, by_age_then_name);
    for (int i = 0; i < 5; i++)
        printf("%s%d ", p[i].name, p[i].age);
    const char *words[] = {"pear", "fig", "apple", "kiwi"};
    qsort(words, 4, sizeof *words, by_text);
    printf("%s %s\n", words[0], words[3]);
    qsort(p, 0, sizeof *p, by_age_then_name);
    return p[4].age;
}
