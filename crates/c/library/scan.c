/* Formatted input: <stdio.h>. Beside the names of the standard, those to which glibc's header
   redirects them. */
#include <errno.h>
#include "stream.h"

static _Bool __loupe_is_format_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The byte behind a set `[...]`, which may begin with `]`; or the end of the format. */
static const char *__loupe_skip_set(const char *set)
{
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set && *set != ']')
        set++;
    return *set ? set + 1 : set;
}

/* Whether the last directive of a format that reads goes on until a byte does not fit any more:
   white space, and conversions without a width other than `%c`. */
static _Bool __loupe_reads_past(const char *format)
{
    _Bool result = 0;
    while (*format) {
        if (*format != '%') {
            result = __loupe_is_format_space(*format);
            format++;
            continue;
        }
        format++;
        _Bool has_width = 0;
        while (*format == '*' || *format == '\'' || (*format >= '0' && *format <= '9')) {
            has_width |= *format >= '0' && *format <= '9';
            format++;
        }
        while (*format == 'h' || *format == 'l' || *format == 'L' || *format == 'j'
               || *format == 'z' || *format == 't' || *format == 'q' || *format == 'm')
            format++;
        char conversion = *format;
        if (!conversion)
            return 0;
        format++;
        if (conversion == '[')
            format = __loupe_skip_set(format);
        if (conversion != 'n')
            result =
                !has_width && conversion != 'c' && conversion != 'C' && conversion != '%';
    }
    return result;
}

static int __loupe_scan_from(FILE *stream, const char *format, __builtin_va_list arguments)
{
    if (stream->is_closed || stream->has_pushed_byte)
        __loupe_unsupported();
    if (stream->number != 0) {
        stream->has_error = 1;
        __loupe_errno = EBADF;
        return EOF;
    }
    int count = __loupe_scan(format, arguments);
    if (count == EOF) {
        stream->is_at_end = 1;
        stream->scanned = __LOUPE_NOT_SCANNED;
    } else
        stream->scanned =
            __loupe_reads_past(format) ? __LOUPE_SCANNED_PAST : __LOUPE_SCANNED_EXACTLY;
    return count;
}

int vfscanf(FILE *restrict stream, const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_scan_from(stream, format, arguments);
}

int __isoc99_vfscanf(FILE *restrict stream, const char *restrict format,
                     __builtin_va_list arguments)
{
    return __loupe_scan_from(stream, format, arguments);
}

int fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_scan_from(stream, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_scan_from(stream, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int vscanf(const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_scan_from(stdin, format, arguments);
}

int __isoc99_vscanf(const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_scan_from(stdin, format, arguments);
}

int scanf(const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_scan_from(stdin, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __isoc99_scanf(const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_scan_from(stdin, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int vsscanf(const char *restrict text, const char *restrict format, __builtin_va_list arguments)
{
    return __loupe_scan_text(text, format, arguments);
}

int __isoc99_vsscanf(const char *restrict text, const char *restrict format,
                     __builtin_va_list arguments)
{
    return __loupe_scan_text(text, format, arguments);
}

int sscanf(const char *restrict text, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_scan_text(text, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_scan_text(text, format, arguments);
    __builtin_va_end(arguments);
    return count;
}
