/* Unformatted output: <stdio.h>. */
#include "stream.h"

static int __loupe_put_byte(int byte, FILE *stream)
{
    if (!__loupe_can_write(stream))
        return EOF;
    __loupe_put(stream->number, (unsigned char)byte);
    return (unsigned char)byte;
}

int fputc(int byte, FILE *stream)
{
    return __loupe_put_byte(byte, stream);
}

int fputc_unlocked(int byte, FILE *stream)
{
    return __loupe_put_byte(byte, stream);
}

int putc(int byte, FILE *stream)
{
    return __loupe_put_byte(byte, stream);
}

int putc_unlocked(int byte, FILE *stream)
{
    return __loupe_put_byte(byte, stream);
}

int _IO_putc(int byte, FILE *stream)
{
    return __loupe_put_byte(byte, stream);
}

int putchar(int byte)
{
    return __loupe_put_byte(byte, stdout);
}

int putchar_unlocked(int byte)
{
    return __loupe_put_byte(byte, stdout);
}

int fputs(const char *restrict text, FILE *restrict stream)
{
    if (!__loupe_can_write(stream))
        return EOF;
    __loupe_put_text(stream->number, text);
    return 1;
}

int fputs_unlocked(const char *restrict text, FILE *restrict stream)
{
    if (!__loupe_can_write(stream))
        return EOF;
    __loupe_put_text(stream->number, text);
    return 1;
}

/* glibc gives the number of bytes, which need not fit. */
int puts(const char *text)
{
    if (!__loupe_can_write(stdout))
        return EOF;
    __loupe_put_text(stdout->number, text);
    __loupe_put(stdout->number, '\n');
    size_t count = __loupe_length(text) + 1;
    return count > 2147483647 ? 2147483647 : (int)count;
}

static size_t __loupe_put_items(const void *items, size_t size, size_t count, FILE *stream)
{
    const unsigned char *bytes = items;
    if (size == 0 || count == 0 || !__loupe_can_write(stream))
        return 0;
    for (size_t i = 0; i < size * count; i++)
        __loupe_put(stream->number, bytes[i]);
    return count;
}

size_t fwrite(const void *restrict items, size_t size, size_t count, FILE *restrict stream)
{
    return __loupe_put_items(items, size, count, stream);
}

size_t fwrite_unlocked(const void *restrict items, size_t size, size_t count,
                       FILE *restrict stream)
{
    return __loupe_put_items(items, size, count, stream);
}

void perror(const char *text)
{
    const char *error = __loupe_error_text(__loupe_errno);
    if (!__loupe_can_write(stderr))
        return;
    if (text && *text) {
        __loupe_put_text(stderr->number, text);
        __loupe_put_text(stderr->number, ": ");
    }
    __loupe_put_text(stderr->number, error);
    __loupe_put(stderr->number, '\n');
}
