/* Signals: C11 7.14, POSIX; the numbers of Linux on x86. */
#ifndef _SIGNAL_H
#define _SIGNAL_H

#include <features.h>
#include <bits/pthreadtypes.h>
#include <bits/sigset_t.h>
#include <bits/stack_t.h>
#include <bits/timespec.h>
#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __pid_t pid_t;
typedef __uid_t uid_t;
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
typedef __sighandler_t sig_t;

#define SIG_ERR ((__sighandler_t)-1)
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_HOLD ((__sighandler_t)2)

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD SIGCHLD
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define _NSIG 65
#define NSIG _NSIG

typedef union sigval {
    int sival_int;
    void *sival_ptr;
} sigval_t;

typedef struct {
    int si_signo;
    int si_errno;
    int si_code;
    union {
        int __pad[(128 - 4 * sizeof(int)) / sizeof(int) + (sizeof(long) == 4)];
        struct {
            int si_pid;
            unsigned int si_uid;
            union sigval si_value;
        } __sender;
        struct {
            int si_pid;
            unsigned int si_uid;
            int si_status;
            long si_utime;
            long si_stime;
        } __child;
        struct {
            void *si_addr;
        } __fault;
        struct {
            long si_band;
            int si_fd;
        } __poll;
    } __fields
#ifdef __LP64__
        __attribute__((__aligned__(8)))
#endif
        ;
} siginfo_t;

#define si_pid __fields.__sender.si_pid
#define si_uid __fields.__sender.si_uid
#define si_value __fields.__sender.si_value
#define si_int __fields.__sender.si_value.sival_int
#define si_ptr __fields.__sender.si_value.sival_ptr
#define si_status __fields.__child.si_status
#define si_utime __fields.__child.si_utime
#define si_stime __fields.__child.si_stime
#define si_addr __fields.__fault.si_addr
#define si_band __fields.__poll.si_band
#define si_fd __fields.__poll.si_fd

struct sigaction {
    union {
        __sighandler_t sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    } __sigaction_handler;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};

#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SA_NOMASK SA_NODEFER
#define SA_ONESHOT SA_RESETHAND

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)

#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

struct sigevent {
    sigval_t sigev_value;
    int sigev_signo;
    int sigev_notify;
    union {
        int __pad[(64 - 2 * sizeof(int) - sizeof(sigval_t)) / sizeof(int)];
        struct {
            void (*_function)(sigval_t);
            pthread_attr_t *_attribute;
        } _sigev_thread;
    } _sigev_un;
};
typedef struct sigevent sigevent_t;

#define sigev_notify_function _sigev_un._sigev_thread._function
#define sigev_notify_attributes _sigev_un._sigev_thread._attribute
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2

#include <sys/ucontext.h>

extern __sighandler_t signal(int, __sighandler_t);
extern int raise(int);

extern int kill(pid_t, int);
extern int killpg(pid_t, int);
extern int sigaction(int, const struct sigaction *__restrict, struct sigaction *__restrict);
extern int sigemptyset(sigset_t *);
extern int sigfillset(sigset_t *);
extern int sigaddset(sigset_t *, int);
extern int sigdelset(sigset_t *, int);
extern int sigismember(const sigset_t *, int);
extern int sigprocmask(int, const sigset_t *__restrict, sigset_t *__restrict);
extern int pthread_sigmask(int, const sigset_t *__restrict, sigset_t *__restrict);
extern int pthread_kill(pthread_t, int);
extern int sigpending(sigset_t *);
extern int sigsuspend(const sigset_t *);
extern int sigwait(const sigset_t *__restrict, int *__restrict);
extern int sigwaitinfo(const sigset_t *__restrict, siginfo_t *__restrict);
extern int sigtimedwait(const sigset_t *__restrict, siginfo_t *__restrict,
                        const struct timespec *__restrict);
extern int sigqueue(pid_t, int, const union sigval);
extern int sigaltstack(const stack_t *__restrict, stack_t *__restrict);
extern int siginterrupt(int, int);
extern void psignal(int, const char *);
extern void psiginfo(const siginfo_t *, const char *);

#ifdef __USE_XOPEN
extern __sighandler_t bsd_signal(int, __sighandler_t);
extern __sighandler_t sigset(int, __sighandler_t);
extern int sighold(int);
extern int sigignore(int);
extern int sigrelse(int);
#endif

#endif
