/* Switching between the contexts of a thread: POSIX.1-2001. */
#ifndef _UCONTEXT_H
#define _UCONTEXT_H

#include <sys/ucontext.h>

extern int getcontext(ucontext_t *);
extern int setcontext(const ucontext_t *);
extern int swapcontext(ucontext_t *__restrict, const ucontext_t *__restrict);
extern void makecontext(ucontext_t *, void (*)(void), int, ...);

#endif
