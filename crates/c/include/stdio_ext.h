/* The state of a stream: Solaris and GNU. */
#ifndef _STDIO_EXT_H
#define _STDIO_EXT_H

#include <stdio.h>

#define FSETLOCKING_QUERY 0
#define FSETLOCKING_INTERNAL 1
#define FSETLOCKING_BYCALLER 2

extern size_t __fbufsize(FILE *);
extern int __freading(FILE *);
extern int __fwriting(FILE *);
extern int __freadable(FILE *);
extern int __fwritable(FILE *);
extern int __flbf(FILE *);
extern void __fpurge(FILE *);
extern size_t __fpending(FILE *);
extern void _flushlbf(void);
extern int __fsetlocking(FILE *, int);

#endif
