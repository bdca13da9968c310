/* The end of the program: <stdlib.h>, <unistd.h>. */
#include <stdlib.h>
#include <unistd.h>
#include "loupe.h"

enum { __LOUPE_MOST_HANDLERS = 128 };

/* A function to be called at the end: one of the two, of `atexit` or of `on_exit`. */
struct __loupe_exit_handler {
    void (*plain)(void);
    void (*with_status)(int, void *);
    void *argument;
};

static struct __loupe_exit_handler __loupe_exit_handlers[__LOUPE_MOST_HANDLERS];
static int __loupe_exit_handler_count;
static void (*__loupe_quick_handlers[__LOUPE_MOST_HANDLERS])(void);
static int __loupe_quick_handler_count;

static void __loupe_add_exit_handler(struct __loupe_exit_handler handler)
{
    if (__loupe_exit_handler_count == __LOUPE_MOST_HANDLERS)
        __loupe_unsupported();
    __loupe_exit_handlers[__loupe_exit_handler_count++] = handler;
}

int atexit(void (*function)(void))
{
    struct __loupe_exit_handler handler = {function, 0, 0};
    __loupe_add_exit_handler(handler);
    return 0;
}

int on_exit(void (*function)(int, void *), void *argument)
{
    struct __loupe_exit_handler handler = {0, function, argument};
    __loupe_add_exit_handler(handler);
    return 0;
}

int at_quick_exit(void (*function)(void))
{
    if (__loupe_quick_handler_count == __LOUPE_MOST_HANDLERS)
        __loupe_unsupported();
    __loupe_quick_handlers[__loupe_quick_handler_count++] = function;
    return 0;
}

/* A handler may register another one, which then is the next. */
void __loupe_finish(int status)
{
    while (__loupe_exit_handler_count > 0) {
        struct __loupe_exit_handler handler = __loupe_exit_handlers[--__loupe_exit_handler_count];
        if (handler.plain)
            handler.plain();
        else
            handler.with_status(status, handler.argument);
    }
    __loupe_destructors();
    __loupe_exit(status);
}

void exit(int status)
{
    __loupe_finish(status);
}

void quick_exit(int status)
{
    while (__loupe_quick_handler_count > 0)
        __loupe_quick_handlers[--__loupe_quick_handler_count]();
    __loupe_exit(status);
}

void _exit(int status)
{
    __loupe_exit(status);
}

void _Exit(int status)
{
    __loupe_exit(status);
}

/* `signal` does not accept a handler of SIGABRT, so there is none to be called here. */
void abort(void)
{
    __loupe_abort();
}
