/* Strings: <string.h>, <strings.h>, in the C locale. */
#include "loupe.h"

size_t __loupe_length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static size_t __loupe_bounded_length(const char *text, size_t limit)
{
    size_t n = 0;
    while (n < limit && text[n])
        n++;
    return n;
}

/* Copies a string with its end to a place that does not overlap it; its length. */
static size_t __loupe_copy_string(char *to, const char *from)
{
    size_t n = __loupe_length(from);
    __loupe_disjoint(to, from, n + 1);
    __loupe_copy(to, from, n + 1);
    return n;
}

/* Copies `n` bytes of a string to a place that does not overlap them, and ends it there. */
static void __loupe_copy_part(char *to, const char *from, size_t n)
{
    __loupe_disjoint(to, from, n);
    __loupe_copy(to, from, n);
    to[n] = 0;
}

/* Copies a string, cut or filled with zeros to exactly `size` bytes; how many come from it. */
static size_t __loupe_copy_padded(char *to, const char *from, size_t size)
{
    size_t n = __loupe_bounded_length(from, size);
    __loupe_disjoint(to, from, n);
    __loupe_copy(to, from, n);
    __loupe_fill(to + n, 0, size - n);
    return n;
}

size_t strlen(const char *text)
{
    return __loupe_length(text);
}

size_t strnlen(const char *text, size_t limit)
{
    return __loupe_bounded_length(text, limit);
}

char *strcpy(char *restrict to, const char *restrict from)
{
    __loupe_copy_string(to, from);
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    return to + __loupe_copy_string(to, from);
}

char *__stpcpy(char *restrict to, const char *restrict from)
{
    return to + __loupe_copy_string(to, from);
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    __loupe_copy_padded(to, from, size);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
    return to + __loupe_copy_padded(to, from, size);
}

char *strcat(char *restrict to, const char *restrict from)
{
    __loupe_copy_string(to + __loupe_length(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t limit)
{
    __loupe_copy_part(to + __loupe_length(to), from, __loupe_bounded_length(from, limit));
    return to;
}

static char *__loupe_duplicate(const char *text, size_t n)
{
    char *copy = __loupe_new(n + 1, 0);
    if (copy)
        __loupe_copy_part(copy, text, n);
    return copy;
}

char *strdup(const char *text)
{
    return __loupe_duplicate(text, __loupe_length(text));
}

char *__strdup(const char *text)
{
    return __loupe_duplicate(text, __loupe_length(text));
}

char *strndup(const char *text, size_t limit)
{
    return __loupe_duplicate(text, __loupe_bounded_length(text, limit));
}

char *__strndup(const char *text, size_t limit)
{
    return __loupe_duplicate(text, __loupe_bounded_length(text, limit));
}

/* The C locale orders strings by their bytes and transforms none. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t size)
{
    size_t n = __loupe_length(from);
    if (n < size)
        __loupe_copy_string(to, from);
    else if (size > 0) {
        __loupe_disjoint(to, from, size);
        __loupe_copy(to, from, size);
    }
    return n;
}
