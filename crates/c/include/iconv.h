/* Conversion of character sets: POSIX. */
#ifndef _ICONV_H
#define _ICONV_H

typedef __SIZE_TYPE__ size_t;
typedef void *iconv_t;

extern iconv_t iconv_open(const char *, const char *);
extern size_t iconv(iconv_t, char **__restrict, size_t *__restrict, char **__restrict,
                    size_t *__restrict);
extern int iconv_close(iconv_t);

#endif
