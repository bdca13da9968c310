/* Signals: <signal.h>. None comes from outside; the program can send some to itself. */
#include <errno.h>
#include <signal.h>
#include "loupe.h"

static __sighandler_t __loupe_signal_handlers[_NSIG];

static _Bool __loupe_is_signal(int number)
{
    if (number > 0 && number < _NSIG)
        return 1;
    __loupe_errno = EINVAL;
    return 0;
}

/* A handler of SIGABRT would be called by `abort`, which is not modelled. */
__sighandler_t signal(int number, __sighandler_t handler)
{
    if (!__loupe_is_signal(number))
        return SIG_ERR;
    if (number == SIGKILL || number == SIGSTOP) {
        __loupe_errno = EINVAL;
        return SIG_ERR;
    }
    if (number == SIGABRT && handler != SIG_DFL)
        __loupe_unsupported();
    __sighandler_t previous = __loupe_signal_handlers[number];
    __loupe_signal_handlers[number] = handler;
    return previous;
}

static _Bool __loupe_is_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

/* What ends or stops the process in another way than `abort` is not modelled. */
int __loupe_raise(int number)
{
    if (!__loupe_is_signal(number))
        return -1;
    __sighandler_t handler = __loupe_signal_handlers[number];
    if (handler == SIG_IGN)
        return 0;
    if (handler != SIG_DFL) {
        handler(number);
        return 0;
    }
    if (number == SIGABRT)
        __loupe_abort();
    if (!__loupe_is_ignored_by_default(number))
        __loupe_unsupported();
    return 0;
}

int raise(int number)
{
    return __loupe_raise(number);
}

int kill(pid_t process, int number)
{
    if (process != __loupe_process())
        __loupe_unsupported();
    return number == 0 ? 0 : __loupe_raise(number);
}

int sigemptyset(sigset_t *set)
{
    __loupe_fill(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    __loupe_fill(set, 255, sizeof *set);
    return 0;
}

static unsigned long __loupe_signal_bit(int number)
{
    return 1UL << (number - 1) % (8 * (int)sizeof(long));
}

int sigaddset(sigset_t *set, int number)
{
    if (!__loupe_is_signal(number))
        return -1;
    set->__val[(number - 1) / (8 * (int)sizeof(long))] |= __loupe_signal_bit(number);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (!__loupe_is_signal(number))
        return -1;
    set->__val[(number - 1) / (8 * (int)sizeof(long))] &= ~__loupe_signal_bit(number);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    if (!__loupe_is_signal(number))
        return -1;
    return (set->__val[(number - 1) / (8 * (int)sizeof(long))] & __loupe_signal_bit(number)) != 0;
}
