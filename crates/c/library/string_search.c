/* Searching in strings: <string.h>, <strings.h>. */
#include "loupe.h"

static char *__loupe_find(const char *text, int byte)
{
    while (*text != (char)byte) {
        if (!*text)
            return 0;
        text++;
    }
    return (char *)text;
}

static char *__loupe_find_last(const char *text, int byte)
{
    const char *found = 0;
    for (;; text++) {
        if (*text == (char)byte)
            found = text;
        if (!*text)
            return (char *)found;
    }
}

char *strchr(const char *text, int byte)
{
    return __loupe_find(text, byte);
}

char *index(const char *text, int byte)
{
    return __loupe_find(text, byte);
}

char *strrchr(const char *text, int byte)
{
    return __loupe_find_last(text, byte);
}

char *rindex(const char *text, int byte)
{
    return __loupe_find_last(text, byte);
}

char *strchrnul(const char *text, int byte)
{
    while (*text && *text != (char)byte)
        text++;
    return (char *)text;
}

static int __loupe_starts_with(const char *text, const char *start)
{
    size_t i = 0;
    while (start[i] && text[i] == start[i])
        i++;
    return !start[i];
}

char *strstr(const char *text, const char *part)
{
    for (size_t i = 0;; i++) {
        if (__loupe_starts_with(text + i, part))
            return (char *)text + i;
        if (!text[i])
            return 0;
    }
}

static int __loupe_is_one_of(char byte, const char *set)
{
    while (*set && *set != byte)
        set++;
    return *set != 0;
}

static size_t __loupe_span(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && __loupe_is_one_of(text[n], set))
        n++;
    return n;
}

static size_t __loupe_span_outside(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && !__loupe_is_one_of(text[n], set))
        n++;
    return n;
}

size_t strspn(const char *text, const char *set)
{
    return __loupe_span(text, set);
}

size_t strcspn(const char *text, const char *set)
{
    return __loupe_span_outside(text, set);
}

char *strpbrk(const char *text, const char *set)
{
    text += __loupe_span_outside(text, set);
    return *text ? (char *)text : 0;
}

static char *__loupe_token(char *text, const char *separators, char **rest)
{
    if (!text)
        text = *rest;
    text += __loupe_span(text, separators);
    char *end = text + __loupe_span_outside(text, separators);
    *rest = end;
    if (!*text)
        return 0;
    if (*end) {
        *end = 0;
        *rest = end + 1;
    }
    return text;
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    return __loupe_token(text, separators, rest);
}

char *__strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    return __loupe_token(text, separators, rest);
}

static char *__loupe_strtok_rest;

char *strtok(char *restrict text, const char *restrict separators)
{
    return __loupe_token(text, separators, &__loupe_strtok_rest);
}

char *strsep(char **restrict rest, const char *restrict separators)
{
    char *text = *rest;
    if (!text)
        return 0;
    char *end = text + __loupe_span_outside(text, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else
        *rest = 0;
    return text;
}

/* As GNU's <string.h> has it: the path is not changed, and a slash at its end leaves nothing. */
char *basename(const char *path)
{
    const char *slash = __loupe_find_last(path, '/');
    return (char *)(slash ? slash + 1 : path);
}
