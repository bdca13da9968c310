/* Unformatted input: <stdio.h>. */
#include <errno.h>
#include "stream.h"

int fgetc(FILE *stream)
{
    return __loupe_read_byte(stream);
}

int fgetc_unlocked(FILE *stream)
{
    return __loupe_read_byte(stream);
}

int getc(FILE *stream)
{
    return __loupe_read_byte(stream);
}

int getc_unlocked(FILE *stream)
{
    return __loupe_read_byte(stream);
}

int _IO_getc(FILE *stream)
{
    return __loupe_read_byte(stream);
}

int getchar(void)
{
    return __loupe_read_byte(stdin);
}

int getchar_unlocked(void)
{
    return __loupe_read_byte(stdin);
}

static char *__loupe_get_line(char *to, int size, FILE *stream)
{
    int n = 0;
    if (size <= 0)
        return 0;
    while (n < size - 1) {
        int byte = __loupe_read_byte(stream);
        if (byte == EOF) {
            if (n == 0)
                return 0;
            break;
        }
        to[n++] = (char)byte;
        if (byte == '\n')
            break;
    }
    to[n] = 0;
    return to;
}

char *fgets(char *restrict to, int size, FILE *restrict stream)
{
    return __loupe_get_line(to, size, stream);
}

char *fgets_unlocked(char *restrict to, int size, FILE *restrict stream)
{
    return __loupe_get_line(to, size, stream);
}

char *gets(char *to)
{
    size_t n = 0;
    for (;;) {
        int byte = __loupe_read_byte(stdin);
        if (byte == EOF && n == 0)
            return 0;
        if (byte == EOF || byte == '\n')
            break;
        to[n++] = (char)byte;
    }
    to[n] = 0;
    return to;
}

static size_t __loupe_get_items(void *items, size_t size, size_t count, FILE *stream)
{
    unsigned char *bytes = items;
    if (size == 0 || count == 0)
        return 0;
    for (size_t i = 0; i < size * count; i++) {
        int byte = __loupe_read_byte(stream);
        if (byte == EOF)
            return i / size;
        bytes[i] = (unsigned char)byte;
    }
    return count;
}

size_t fread(void *restrict items, size_t size, size_t count, FILE *restrict stream)
{
    return __loupe_get_items(items, size, count, stream);
}

size_t fread_unlocked(void *restrict items, size_t size, size_t count, FILE *restrict stream)
{
    return __loupe_get_items(items, size, count, stream);
}

/* Makes room for so many bytes in a line, as glibc does: at least twice as many as before. */
static _Bool __loupe_make_room(char **line, size_t *size, size_t needed)
{
    if (needed <= *size)
        return 1;
    size_t larger = *size * 2 > needed ? *size * 2 : needed;
    char *moved = __loupe_resize(*line, larger);
    if (!moved)
        return 0;
    *line = moved;
    *size = larger;
    return 1;
}

static ssize_t __loupe_get_until(char **line, size_t *size, int delimiter, FILE *stream)
{
    if (!line || !size) {
        __loupe_errno = EINVAL;
        return -1;
    }
    if (!*line || *size == 0) {
        *line = __loupe_resize(*line, 120);
        if (!*line)
            return -1;
        *size = 120;
    }
    size_t n = 0;
    int byte;
    do {
        byte = __loupe_read_byte(stream);
        if (byte == EOF)
            break;
        if (!__loupe_make_room(line, size, n + 2))
            return -1;
        (*line)[n++] = (char)byte;
    } while (byte != delimiter);
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter,
                 FILE *restrict stream)
{
    return __loupe_get_until(line, size, delimiter, stream);
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter,
                   FILE *restrict stream)
{
    return __loupe_get_until(line, size, delimiter, stream);
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
    return __loupe_get_until(line, size, '\n', stream);
}
