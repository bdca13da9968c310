/* Nonlocal jumps: C11 7.13, POSIX. */
#ifndef _SETJMP_H
#define _SETJMP_H

#include <features.h>
#include <bits/sigset_t.h>

struct __jmp_buf_tag {
#ifdef __LP64__
    long __jmpbuf[8];
#else
    int __jmpbuf[6];
#endif
    int __mask_was_saved;
    __sigset_t __saved_mask;
};

typedef struct __jmp_buf_tag jmp_buf[1];
typedef struct __jmp_buf_tag sigjmp_buf[1];

extern int setjmp(jmp_buf) __attribute__((__returns_twice__));
extern int _setjmp(jmp_buf) __attribute__((__returns_twice__));
extern int sigsetjmp(sigjmp_buf, int) __attribute__((__returns_twice__));
extern int __sigsetjmp(sigjmp_buf, int) __attribute__((__returns_twice__));
extern void longjmp(jmp_buf, int) __attribute__((__noreturn__));
extern void _longjmp(jmp_buf, int) __attribute__((__noreturn__));
extern void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));

#define setjmp(buffer) setjmp(buffer)
#define sigsetjmp(buffer, mask) sigsetjmp(buffer, mask)

#endif
