/* The locale, which is always "C": <locale.h>. */
#include <locale.h>
#include "loupe.h"

static const char *const __loupe_locale_names[] = {"C", "POSIX", "", 0};

static _Bool __loupe_is_name(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* With an empty environment, "" is the C locale too. */
char *setlocale(int category, const char *name)
{
    if (category < LC_CTYPE || category > LC_IDENTIFICATION)
        return 0;
    if (!name)
        return "C";
    for (int i = 0; __loupe_locale_names[i]; i++)
        if (__loupe_is_name(name, __loupe_locale_names[i]))
            return "C";
    return 0;
}

static struct lconv __loupe_conventions = {
    ".", "",  "",  "",  "",  "",  "",  "",  "",  "",  127, 127,
    127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
};

struct lconv *localeconv(void)
{
    return &__loupe_conventions;
}
