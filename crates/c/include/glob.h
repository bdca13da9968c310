/* File names that match a pattern: POSIX. */
#ifndef _GLOB_H
#define _GLOB_H

#include <features.h>

typedef __SIZE_TYPE__ size_t;

typedef struct {
    size_t gl_pathc;
    char **gl_pathv;
    size_t gl_offs;
    int gl_flags;
    void (*__functions[5])(void);
} glob_t;

#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOESCAPE 64
#define GLOB_PERIOD 128
#define GLOB_BRACE 1024
#define GLOB_TILDE 4096
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3

#ifdef __USE_LARGEFILE64
typedef glob_t glob64_t;
extern int glob64(const char *__restrict, int, int (*)(const char *, int), glob64_t *__restrict);
extern void globfree64(glob64_t *);
#endif

extern int glob(const char *__restrict, int, int (*)(const char *, int), glob_t *__restrict);
extern void globfree(glob_t *);

#endif
