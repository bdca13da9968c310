/* Classes of characters in the C locale: <ctype.h>. The values of "true" are those of glibc. */
#include <ctype.h>
#include "loupe.h"

/* The functions are defined for EOF and for bytes. glibc's take a negative `char` for the byte it
   comes from; further out, they read somewhere. */
static int __loupe_byte(int c)
{
    if (c < -128 || c > 255)
        __loupe_unsupported();
    return c;
}

static int __loupe_is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static int __loupe_is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static int __loupe_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int __loupe_is_alphanumeric(int c)
{
    return __loupe_is_upper(c) || __loupe_is_lower(c) || __loupe_is_digit(c);
}

int isupper(int c)
{
    return __loupe_is_upper(__loupe_byte(c)) ? 256 : 0;
}

int islower(int c)
{
    return __loupe_is_lower(__loupe_byte(c)) ? 512 : 0;
}

int isalpha(int c)
{
    return __loupe_is_upper(__loupe_byte(c)) || __loupe_is_lower(c) ? 1024 : 0;
}

int isdigit(int c)
{
    return __loupe_is_digit(__loupe_byte(c)) ? 2048 : 0;
}

int isxdigit(int c)
{
    return __loupe_is_digit(__loupe_byte(c)) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
               ? 4096
               : 0;
}

int isspace(int c)
{
    return __loupe_byte(c) == ' ' || (c >= '\t' && c <= '\r') ? 8192 : 0;
}

int isprint(int c)
{
    return __loupe_byte(c) >= ' ' && c <= '~' ? 16384 : 0;
}

int isgraph(int c)
{
    return __loupe_byte(c) > ' ' && c <= '~' ? 32768 : 0;
}

int isblank(int c)
{
    return __loupe_byte(c) == ' ' || c == '\t' ? 1 : 0;
}

int iscntrl(int c)
{
    return (__loupe_byte(c) >= 0 && c < ' ') || c == 127 ? 2 : 0;
}

int ispunct(int c)
{
    return __loupe_byte(c) > ' ' && c <= '~' && !__loupe_is_alphanumeric(c) ? 4 : 0;
}

int isalnum(int c)
{
    return __loupe_is_alphanumeric(__loupe_byte(c)) ? 8 : 0;
}

/* These two are defined everywhere in glibc. */
static int __loupe_case_byte(int c)
{
    return c >= -128 && c < -1 ? c + 256 : c;
}

int tolower(int c)
{
    return __loupe_is_upper(c) ? c - 'A' + 'a' : __loupe_case_byte(c);
}

int toupper(int c)
{
    return __loupe_is_lower(c) ? c - 'a' + 'A' : __loupe_case_byte(c);
}

int isascii(int c)
{
    return c >= 0 && c <= 127;
}

int toascii(int c)
{
    return c & 127;
}
