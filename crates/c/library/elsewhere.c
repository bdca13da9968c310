/* <setjmp.h>, <pthread.h> and processes: control that goes on elsewhere, which the flowgraph does not have.
   `setjmp` returns 0 when it is called; whoever wants to return there again ends the path. */
#include <pthread.h>
#include <setjmp.h>
#include <sys/types.h>
#include "loupe.h"
#undef setjmp
#undef sigsetjmp

int setjmp(jmp_buf buffer)
{
    __loupe_fill(buffer, 0, sizeof(jmp_buf));
    return 0;
}

int _setjmp(jmp_buf buffer)
{
    return setjmp(buffer);
}

int sigsetjmp(sigjmp_buf buffer, int mask)
{
    (void)mask;
    return setjmp(buffer);
}

int __sigsetjmp(sigjmp_buf buffer, int mask)
{
    return sigsetjmp(buffer, mask);
}

void longjmp(jmp_buf buffer, int value)
{
    (void)buffer, (void)value;
    __loupe_unsupported();
    __loupe_abort();
}

void _longjmp(jmp_buf buffer, int value)
{
    longjmp(buffer, value);
}

void siglongjmp(sigjmp_buf buffer, int value)
{
    longjmp(buffer, value);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    __loupe_unsupported();
    return -1;
}

pid_t fork(void)
{
    __loupe_unsupported();
    return -1;
}

pid_t vfork(void)
{
    return fork();
}
