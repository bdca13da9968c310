/* The heap, as GNU has it. */
#ifndef _MALLOC_H
#define _MALLOC_H

#include <stddef.h>
#include <stdio.h>

extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void *reallocarray(void *, size_t, size_t);
extern void free(void *);
extern void cfree(void *);
extern void *memalign(size_t, size_t);
extern void *valloc(size_t);
extern void *pvalloc(size_t);
extern size_t malloc_usable_size(void *);
extern int malloc_trim(size_t);
extern void malloc_stats(void);
extern int mallopt(int, int);

struct mallinfo {
    int arena;
    int ordblks;
    int smblks;
    int hblks;
    int hblkhd;
    int usmblks;
    int fsmblks;
    int uordblks;
    int fordblks;
    int keepcost;
};

extern struct mallinfo mallinfo(void);

#define M_MXFAST 1
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#define M_PERTURB (-6)

#endif
