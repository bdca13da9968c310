/* The streams of <stdio.h>. There are three, because no file can be opened. */
#ifndef _LOUPE_STREAM_H
#define _LOUPE_STREAM_H

#include <stdio.h>
#include "loupe.h"

struct _IO_FILE {
    int number; /* the file descriptor */
    _Bool is_at_end;
    _Bool has_error;
    _Bool is_closed;
    /* A byte that `ungetc` gave back. */
    _Bool has_pushed_byte;
    unsigned char pushed_byte;
    /* What the last `scanf` tells about `is_at_end`. */
    enum {
        __LOUPE_NOT_SCANNED,      /* nothing; the member is right */
        __LOUPE_SCANNED_PAST,     /* it looked at the byte behind what it read */
        __LOUPE_SCANNED_EXACTLY   /* it may have stopped right behind what it read */
    } scanned;
};

extern struct _IO_FILE __loupe_streams[3];

/* Whether the stream can be written to; if not, that is recorded. */
extern _Bool __loupe_can_write(FILE *stream);
extern int __loupe_read_byte(FILE *stream);

#endif
