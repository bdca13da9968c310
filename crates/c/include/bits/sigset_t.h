/* `sigset_t`, which several headers share. */
#ifndef _BITS_SIGSET_T_H
#define _BITS_SIGSET_T_H

typedef struct {
    unsigned long __val[1024 / (8 * sizeof(unsigned long))];
} __sigset_t;
typedef __sigset_t sigset_t;

#endif
