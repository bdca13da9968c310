/* Sorting and searching: <stdlib.h>. */
#include <stdlib.h>
#include "loupe.h"

/* An order, in the form of `qsort` or of `qsort_r`. */
struct __loupe_order {
    int (*plain)(const void *, const void *);
    int (*with_argument)(const void *, const void *, void *);
    void *argument;
};

static int __loupe_in_order(const struct __loupe_order *order, const void *a, const void *b)
{
    if (order->plain)
        return order->plain(a, b) <= 0;
    return order->with_argument(a, b, order->argument) <= 0;
}

/* Merges two sorted runs that follow each other, through `buffer`. */
static void __loupe_merge(char *runs, size_t left_count, size_t count, size_t size,
                          const struct __loupe_order *order, char *buffer)
{
    size_t left = 0;
    size_t right = left_count;
    size_t merged = 0;
    while (left < left_count && right < count) {
        size_t next;
        if (__loupe_in_order(order, runs + left * size, runs + right * size))
            next = left++;
        else
            next = right++;
        __loupe_copy(buffer + merged++ * size, runs + next * size, size);
    }
    /* What is left of the right run is in its place already; what is left of the left one moves. */
    __loupe_copy(runs + merged * size, runs + left * size, (left_count - left) * size);
    __loupe_copy(runs, buffer, merged * size);
}

/* Merge sort: stable, and the comparisons of glibc in the same order. */
static void __loupe_sort(char *items, size_t count, size_t size,
                         const struct __loupe_order *order, char *buffer)
{
    if (count < 2)
        return;
    size_t left_count = count / 2;
    __loupe_sort(items, left_count, size, order, buffer);
    __loupe_sort(items + left_count * size, count - left_count, size, order, buffer);
    __loupe_merge(items, left_count, count, size, order, buffer);
}

void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    struct __loupe_order order = {compare, 0, 0};
    if (count > 1 && size > 0)
        __loupe_sort(items, count, size, &order, __builtin_alloca(count * size));
}

void qsort_r(void *items, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *argument)
{
    struct __loupe_order order = {0, compare, argument};
    if (count > 1 && size > 0)
        __loupe_sort(items, count, size, &order, __builtin_alloca(count * size));
}

void *bsearch(const void *key, const void *items, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *item = (const char *)items + middle * size;
        int order = compare(key, item);
        if (order == 0)
            return (void *)item;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
