/* The heap: <stdlib.h>, <malloc.h>. An allocation always succeeds, as the rules of SV-COMP have it,
   unless __LOUPE_ALLOCATION_MAY_FAIL is defined: then an input decides. A size that no `size_t`
   can tell always fails. So do some that nobody has so much memory for: nothing is said of such executions, neither that they
   fail nor that they go well. Where a pointer has 32 bits, up to 4 GiB can be had, as those rules have it. */
#include <errno.h>
#include <stdint.h>
#include "loupe.h"

static void *__loupe_fail_allocation(void)
{
    __loupe_errno = ENOMEM;
    return 0;
}

void *__loupe_new(size_t size, int zeroed)
{
    if (size > PTRDIFF_MAX && sizeof(size_t) > 4)
        __loupe_unsupported();
#ifdef __LOUPE_ALLOCATION_MAY_FAIL
    if (__loupe_input_bool())
        return __loupe_fail_allocation();
#endif
    return __loupe_allocate(size, zeroed);
}

void *__loupe_resize(void *block, size_t size)
{
    if (!block)
        return __loupe_new(size, 0);
    if (size == 0) {
        __loupe_release(block);
        return 0;
    }
    __loupe_releasable(block);
    void *resized = __loupe_new(size, 0);
    if (!resized)
        return 0;
    size_t old_size = __loupe_size(block);
    __loupe_copy(resized, block, old_size < size ? old_size : size);
    __loupe_release(block);
    return resized;
}

static int __loupe_product_overflows(size_t count, size_t size)
{
    return size != 0 && count > (size_t)-1 / size;
}

void *malloc(size_t size)
{
    return __loupe_new(size, 0);
}

void *calloc(size_t count, size_t size)
{
    if (__loupe_product_overflows(count, size))
        return __loupe_fail_allocation();
    return __loupe_new(count * size, 1);
}

void *realloc(void *block, size_t size)
{
    return __loupe_resize(block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    if (__loupe_product_overflows(count, size))
        return __loupe_fail_allocation();
    return __loupe_resize(block, count * size);
}

void free(void *block)
{
    if (block)
        __loupe_release(block);
}

void cfree(void *block)
{
    if (block)
        __loupe_release(block);
}

static int __loupe_is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* The alignment of objects is not modelled: the address of an object is no number. */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (!__loupe_is_power_of_two(alignment)) {
        __loupe_errno = EINVAL;
        return 0;
    }
    return __loupe_new(size, 0);
}

void *memalign(size_t alignment, size_t size)
{
    (void)alignment; /* glibc rounds it up to a power of two */
    return __loupe_new(size, 0);
}

void *valloc(size_t size)
{
    return __loupe_new(size, 0);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (!__loupe_is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    void *block = __loupe_new(size, 0);
    if (!block)
        return ENOMEM;
    *result = block;
    return 0;
}

size_t malloc_usable_size(void *block)
{
    return block ? __loupe_size(block) : 0;
}
