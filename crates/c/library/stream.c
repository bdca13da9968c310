/* The state of streams: <stdio.h>. */
#include <errno.h>
#include "stream.h"

#undef stdin
#undef stdout
#undef stderr

struct _IO_FILE __loupe_streams[3] = {{.number = 0}, {.number = 1}, {.number = 2}};

FILE *stdin = &__loupe_streams[0];
FILE *stdout = &__loupe_streams[1];
FILE *stderr = &__loupe_streams[2];

static void __loupe_require_open(FILE *stream)
{
    if (stream->is_closed)
        __loupe_unsupported();
}

static void __loupe_fail(FILE *stream)
{
    stream->has_error = 1;
    __loupe_errno = EBADF;
}

_Bool __loupe_can_write(FILE *stream)
{
    __loupe_require_open(stream);
    if (stream->number == 0)
        __loupe_fail(stream);
    return stream->number != 0;
}

int __loupe_read_byte(FILE *stream)
{
    __loupe_require_open(stream);
    if (stream->number != 0) {
        __loupe_fail(stream);
        return EOF;
    }
    if (stream->has_pushed_byte) {
        stream->has_pushed_byte = 0;
        return stream->pushed_byte;
    }
    /* The end of the input stays its end, so reading again after it is harmless. */
    int byte = __loupe_get();
    stream->is_at_end = byte < 0;
    stream->scanned = __LOUPE_NOT_SCANNED;
    return byte;
}

void __loupe_put_text(int stream, const char *text)
{
    for (; *text; text++)
        __loupe_put(stream, (unsigned char)*text);
}

int ungetc(int byte, FILE *stream)
{
    __loupe_require_open(stream);
    if (byte == EOF)
        return EOF;
    if (stream->has_pushed_byte)
        __loupe_unsupported();
    stream->has_pushed_byte = 1;
    stream->pushed_byte = (unsigned char)byte;
    stream->is_at_end = 0;
    stream->scanned = __LOUPE_NOT_SCANNED;
    return (unsigned char)byte;
}

/* If there is input left, `scanf` cannot have met the end. If not, it has met it where it looked
   at one more byte than it read. */
static int __loupe_is_at_end(FILE *stream)
{
    __loupe_require_open(stream);
    if (stream->scanned != __LOUPE_NOT_SCANNED && __loupe_at_end()) {
        if (stream->scanned == __LOUPE_SCANNED_EXACTLY)
            __loupe_unsupported();
        stream->is_at_end = 1;
    }
    stream->scanned = __LOUPE_NOT_SCANNED;
    return stream->is_at_end;
}

int feof(FILE *stream)
{
    return __loupe_is_at_end(stream);
}

int feof_unlocked(FILE *stream)
{
    return __loupe_is_at_end(stream);
}

int ferror(FILE *stream)
{
    __loupe_require_open(stream);
    return stream->has_error;
}

int ferror_unlocked(FILE *stream)
{
    __loupe_require_open(stream);
    return stream->has_error;
}

void clearerr(FILE *stream)
{
    __loupe_require_open(stream);
    stream->is_at_end = 0;
    stream->has_error = 0;
    stream->scanned = __LOUPE_NOT_SCANNED;
}

int fileno(FILE *stream)
{
    __loupe_require_open(stream);
    return stream->number;
}

/* Nothing is buffered. */
int fflush(FILE *stream)
{
    if (stream)
        __loupe_require_open(stream);
    return 0;
}

int fflush_unlocked(FILE *stream)
{
    if (stream)
        __loupe_require_open(stream);
    return 0;
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size)
{
    (void)buffer, (void)mode, (void)size;
    __loupe_require_open(stream);
    return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer)
{
    (void)buffer;
    __loupe_require_open(stream);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size)
{
    (void)buffer, (void)size;
    __loupe_require_open(stream);
}

void setlinebuf(FILE *stream)
{
    __loupe_require_open(stream);
}

void flockfile(FILE *stream)
{
    __loupe_require_open(stream);
}

int ftrylockfile(FILE *stream)
{
    __loupe_require_open(stream);
    return 0;
}

void funlockfile(FILE *stream)
{
    __loupe_require_open(stream);
}

int fclose(FILE *stream)
{
    __loupe_require_open(stream);
    stream->is_closed = 1;
    return 0;
}
