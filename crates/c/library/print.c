/* Formatted output: <stdio.h>. */
#include <errno.h>
#include "stream.h"

static int __loupe_print_to(FILE *stream, const char *format, __builtin_va_list arguments)
{
    if (!__loupe_can_write(stream))
        return -1;
    return __loupe_print(stream->number, format, arguments);
}

static int __loupe_print_to_descriptor(int descriptor, const char *format,
                                       __builtin_va_list arguments)
{
    if (descriptor != 1 && descriptor != 2) {
        __loupe_errno = EBADF;
        return -1;
    }
    return __loupe_print(descriptor, format, arguments);
}

int vfprintf(FILE *restrict stream, const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_print_to(stream, format, arguments);
}

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_print_to(stream, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int vprintf(const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_print_to(stdout, format, arguments);
}

int printf(const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_print_to(stdout, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int vdprintf(int descriptor, const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_print_to_descriptor(descriptor, format, arguments);
}

int dprintf(int descriptor, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_print_to_descriptor(descriptor, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format,
              __builtin_va_list arguments)
{
    return __loupe_format(to, size, format, arguments);
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_format(to, size, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int vsprintf(char *restrict to, const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_format(to, (size_t)-1, format, arguments);
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_format(to, (size_t)-1, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

static int __loupe_format_new(char **result, const char *format, __builtin_va_list arguments)
{
    __builtin_va_list again;
    __builtin_va_copy(again, arguments);
    int count = __loupe_format(0, 0, format, arguments);
    if (count >= 0) {
        *result = __loupe_new((size_t)count + 1, 0);
        if (*result)
            __loupe_format(*result, (size_t)count + 1, format, again);
        else
            count = -1;
    }
    __builtin_va_end(again);
    return count;
}

int vasprintf(char **restrict result, const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_format_new(result, format, arguments);
}

int asprintf(char **restrict result, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_format_new(result, format, arguments);
    __builtin_va_end(arguments);
    return count;
}
