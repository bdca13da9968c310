/* Comparison of strings: <string.h>, <strings.h>, in the C locale. */
#include "loupe.h"

static int __loupe_compare(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strcmp(const char *a, const char *b)
{
    return __loupe_compare(a, b);
}

int strcoll(const char *a, const char *b)
{
    return __loupe_compare(a, b);
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!a[i] || a[i] != b[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

static int __loupe_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && __loupe_lower(a[i]) == __loupe_lower(b[i]))
        i++;
    return __loupe_lower(a[i]) - __loupe_lower(b[i]);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!a[i] || __loupe_lower(a[i]) != __loupe_lower(b[i]))
            return __loupe_lower(a[i]) - __loupe_lower(b[i]);
    return 0;
}

static int __loupe_starts_with_any_case(const char *text, const char *start)
{
    size_t i = 0;
    while (start[i] && __loupe_lower(text[i]) == __loupe_lower(start[i]))
        i++;
    return !start[i];
}

char *strcasestr(const char *text, const char *part)
{
    for (size_t i = 0;; i++) {
        if (__loupe_starts_with_any_case(text + i, part))
            return (char *)text + i;
        if (!text[i])
            return 0;
    }
}
