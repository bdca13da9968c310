/* The heap, sorting and searching, the environment. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "shim.h"

/* glibc sorted by merging until 2.36; what later versions do depends on their number. */
#include <features.h>
#define EXACT_QSORT (__GLIBC__ == 2 && __GLIBC_MINOR__ <= 36)

extern int model___loupe_errno;
MODEL(malloc);
MODEL(calloc);
MODEL(realloc);
MODEL(reallocarray);
MODEL(free);
MODEL(aligned_alloc);
MODEL(posix_memalign);
MODEL(malloc_usable_size);
MODEL(strdup);
MODEL(strndup);
MODEL(qsort);
MODEL(qsort_r);
MODEL(bsearch);
MODEL(getenv);
MODEL(setenv);
MODEL(unsetenv);
MODEL(putenv);
MODEL(clearenv);

static void test_blocks(void)
{
    char *block = model_malloc(5);
    strcpy(block, "1234");
    CHECK(model_malloc_usable_size(block) == 5, "size");
    block = model_realloc(block, 9);
    CHECK(strcmp(block, "1234") == 0 && model_malloc_usable_size(block) == 9, "larger");
    block = model_realloc(block, 2);
    CHECK(memcmp(block, "12", 2) == 0 && model_malloc_usable_size(block) == 2, "smaller");
    CHECK(model_realloc(block, 0) == 0, "realloc to nothing frees");
    block = model_realloc(0, 3);
    CHECK(model_malloc_usable_size(block) == 3, "realloc of nothing");
    model_free(block);
    model_free(0);
    block = model_malloc(0);
    CHECK(block && model_malloc_usable_size(block) == 0, "an object without bytes");
    model_free(block);

    block = model_calloc(3, 4);
    CHECK(memcmp(block, "\0\0\0\0\0\0\0\0\0\0\0", 12) == 0, "zero");
    model_free(block);
    static const size_t sizes[] = {0, 1, 2, 3, SIZE_MAX / 3, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            size_t product;
            if (!__builtin_mul_overflow(sizes[i], sizes[j], &product))
                continue;
            model___loupe_errno = 0;
            CHECK(!model_calloc(sizes[i], sizes[j]) && model___loupe_errno == ENOMEM, "%zu %zu", i, j);
            CHECK(!model_reallocarray(0, sizes[i], sizes[j]), "%zu %zu", i, j);
        }
    block = model_reallocarray(0, 3, 5);
    CHECK(model_malloc_usable_size(block) == 15, "size");
    model_free(block);

    void *aligned = 0;
    CHECK(model_posix_memalign(&aligned, 12, 5) == EINVAL && !aligned, "no power of two");
    CHECK(model_posix_memalign(&aligned, 4, 5) == EINVAL, "too small");
    CHECK(model_posix_memalign(&aligned, 16, 5) == 0 && model_malloc_usable_size(aligned) == 5, "size");
    model_free(aligned);
    CHECK(!model_aligned_alloc(0, 8) && !model_aligned_alloc(24, 8), "no power of two");

    char *copy = model_strdup("text"), *part = model_strndup("text", 2), *all = model_strndup("ab", 9);
    CHECK(!strcmp(copy, "text") && model_malloc_usable_size(copy) == 5, "strdup");
    CHECK(!strcmp(part, "te") && model_malloc_usable_size(part) == 3, "strndup");
    CHECK(!strcmp(all, "ab"), "strndup");
    model_free(copy), model_free(part), model_free(all);
}

static void test_environment(void)
{
    char entry[] = "name=three";
    CHECK(!model_getenv("PATH") && !model_getenv(""), "empty");
    CHECK(model_setenv("name", "one", 0) == 0 && !strcmp(model_getenv("name"), "one"), "new");
    CHECK(model_setenv("name", "two", 0) == 0 && !strcmp(model_getenv("name"), "one"), "kept");
    CHECK(model_setenv("name", "two", 1) == 0 && !strcmp(model_getenv("name"), "two"), "replaced");
    CHECK(model_setenv("names", "x", 1) == 0 && !strcmp(model_getenv("name"), "two"), "another");
    CHECK(model_putenv(entry) == 0 && model_getenv("name") == entry + 5, "put");
    CHECK(model_setenv("", "x", 1) == -1 && model_setenv("a=b", "x", 1) == -1, "bad names");
    CHECK(model_unsetenv("name") == 0 && !model_getenv("name"), "removed");
    CHECK(!strcmp(model_getenv("names"), "x"), "the other stays");
    CHECK(model_putenv("names") == 0 && !model_getenv("names"), "removed");
    CHECK(model_clearenv() == 0 && !model_getenv("names"), "cleared");
    CHECK(model_setenv("name", "", 1) == 0 && !strcmp(model_getenv("name"), ""), "after clearing");
}

void test_heap(void)
{
    test_blocks();
    test_environment();
}

/* Only the key is compared; the position tells equal items apart. */
struct item {
    int key;
    int position;
    char rest[5];
};

static unsigned comparisons;
static int order_of_calls;

static int compare_items(const void *a, const void *b)
{
    const struct item *left = a, *right = b;
    comparisons++;
    order_of_calls = order_of_calls * 31 + left->position * 7 + right->position;
    return (left->key > right->key) - (left->key < right->key);
}

static int compare_with(const void *a, const void *b, void *argument)
{
    *(int *)argument += 1;
    return compare_items(a, b);
}

static int compare_ints(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

void test_sorting(void)
{
    enum { MOST = 40 };
    for (int round = 0; round < 1500; round++) {
        struct item a[MOST], b[MOST], c[MOST];
        unsigned count = random_below(MOST);
        unsigned keys = random_below(50) + 1;
        memset(a, 0, sizeof a);
        for (unsigned i = 0; i < count; i++) {
            a[i].key = (int)random_below(keys) - 5;
            a[i].position = (int)i;
            a[i].rest[i % 5] = 1;
        }
        memcpy(b, a, sizeof a), memcpy(c, a, sizeof a);
        comparisons = 0, order_of_calls = 0;
        qsort(a, count, sizeof *a, compare_items);
        unsigned expected = comparisons;
        int expected_order = order_of_calls;
        comparisons = 0, order_of_calls = 0;
        model_qsort(b, count, sizeof *b, compare_items);
        CHECK(memcmp(a, b, sizeof a) == 0, "%u items", count);
        /* Newer libraries sort in another way, which then gives other comparisons. */
        CHECK(!EXACT_QSORT || (comparisons == expected && order_of_calls == expected_order), "%u", count);
        int calls = 0;
        model_qsort_r(c, count, sizeof *c, compare_with, &calls);
        CHECK(memcmp(a, c, sizeof a) == 0, "%u items", count);
    }
    for (int round = 0; round < 2000; round++) {
        int numbers[MOST], key = (int)random_below(60);
        unsigned count = random_below(MOST);
        for (unsigned i = 0; i < count; i++)
            numbers[i] = (int)(i ? (unsigned)numbers[i - 1] + 1 + random_below(3) : random_below(3));
        CHECK(bsearch(&key, numbers, count, sizeof *numbers, compare_ints)
                  == model_bsearch(&key, numbers, count, sizeof *numbers, compare_ints),
              "%d in %u", key, count);
    }
}
