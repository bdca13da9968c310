/* Blocks of bytes: <string.h>, <strings.h>. */
#include "loupe.h"

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    __loupe_disjoint(to, from, n);
    __loupe_copy(to, from, n);
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    __loupe_disjoint(to, from, n);
    __loupe_copy(to, from, n);
    return (char *)to + n;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    __loupe_disjoint(to, from, n);
    __loupe_copy(to, from, n);
    return (char *)to + n;
}

void *memmove(void *to, const void *from, size_t n)
{
    __loupe_copy(to, from, n);
    return to;
}

void bcopy(const void *from, void *to, size_t n)
{
    __loupe_copy(to, from, n);
}

void *memset(void *to, int byte, size_t n)
{
    __loupe_fill(to, byte, n);
    return to;
}

void bzero(void *to, size_t n)
{
    __loupe_fill(to, 0, n);
}

void __bzero(void *to, size_t n)
{
    __loupe_fill(to, 0, n);
}

void explicit_bzero(void *to, size_t n)
{
    __loupe_fill(to, 0, n);
}

static int __loupe_compare_bytes(const unsigned char *a, const unsigned char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

int memcmp(const void *a, const void *b, size_t n)
{
    __loupe_readable(a, b, n);
    return __loupe_compare_bytes(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
    __loupe_readable(a, b, n);
    return __loupe_compare_bytes(a, b, n);
}

void *memchr(const void *block, int byte, size_t n)
{
    const unsigned char *bytes = block;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] == (unsigned char)byte)
            return (void *)(bytes + i);
    return 0;
}

void *rawmemchr(const void *block, int byte)
{
    const unsigned char *bytes = block;
    while (*bytes != (unsigned char)byte)
        bytes++;
    return (void *)bytes;
}

void *memrchr(const void *block, int byte, size_t n)
{
    const unsigned char *bytes = block;
    while (n > 0) {
        n--;
        if (bytes[n] == (unsigned char)byte)
            return (void *)(bytes + n);
    }
    return 0;
}

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < n; i++) {
        target[i] = source[i];
        if (source[i] == (unsigned char)byte)
            return target + i + 1;
    }
    return 0;
}

void *memmem(const void *block, size_t n, const void *part, size_t part_size)
{
    const unsigned char *bytes = block;
    if (part_size > n)
        return 0;
    for (size_t i = 0; i <= n - part_size; i++)
        if (__loupe_compare_bytes(bytes + i, part, part_size) == 0)
            return (void *)(bytes + i);
    return 0;
}
