/* The names of signals: <string.h>. */
#include <signal.h>
#include <string.h>
#include "loupe.h"

static const char *const __loupe_signal_texts[] = {
    [SIGHUP] = "Hangup",
    [SIGINT] = "Interrupt",
    [SIGQUIT] = "Quit",
    [SIGILL] = "Illegal instruction",
    [SIGTRAP] = "Trace/breakpoint trap",
    [SIGABRT] = "Aborted",
    [SIGBUS] = "Bus error",
    [SIGFPE] = "Floating point exception",
    [SIGKILL] = "Killed",
    [SIGUSR1] = "User defined signal 1",
    [SIGSEGV] = "Segmentation fault",
    [SIGUSR2] = "User defined signal 2",
    [SIGPIPE] = "Broken pipe",
    [SIGALRM] = "Alarm clock",
    [SIGTERM] = "Terminated",
    [SIGSTKFLT] = "Stack fault",
    [SIGCHLD] = "Child exited",
    [SIGCONT] = "Continued",
    [SIGSTOP] = "Stopped (signal)",
    [SIGTSTP] = "Stopped",
    [SIGTTIN] = "Stopped (tty input)",
    [SIGTTOU] = "Stopped (tty output)",
    [SIGURG] = "Urgent I/O condition",
    [SIGXCPU] = "CPU time limit exceeded",
    [SIGXFSZ] = "File size limit exceeded",
    [SIGVTALRM] = "Virtual timer expired",
    [SIGPROF] = "Profiling timer expired",
    [SIGWINCH] = "Window changed",
    [SIGIO] = "I/O possible",
    [SIGPWR] = "Power failure",
    [SIGSYS] = "Bad system call",
};

static char __loupe_signal_buffer[32];

static char *__loupe_numbered_signal(const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    __loupe_format(__loupe_signal_buffer, sizeof __loupe_signal_buffer, format, arguments);
    __builtin_va_end(arguments);
    return __loupe_signal_buffer;
}

char *strsignal(int number)
{
    int count = sizeof __loupe_signal_texts / sizeof *__loupe_signal_texts;
    if (number > 0 && number < count)
        return (char *)__loupe_signal_texts[number];
    if (number >= SIGRTMIN && number <= SIGRTMAX)
        return __loupe_numbered_signal("Real-time signal %d", number - SIGRTMIN);
    return __loupe_numbered_signal("Unknown signal %d", number);
}
