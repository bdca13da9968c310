/* The stack of a signal handler. */
#ifndef _BITS_STACK_T_H
#define _BITS_STACK_T_H

typedef struct {
    void *ss_sp;
    int ss_flags;
    __SIZE_TYPE__ ss_size;
} stack_t;

#endif
