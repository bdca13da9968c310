/* Failed assertions: <assert.h>. */
#include <assert.h>
#include "loupe.h"

void __assert_fail(const char *condition, const char *file, unsigned int line,
                   const char *function)
{
    (void)condition, (void)file, (void)line, (void)function;
    __loupe_assertion_failed();
    __loupe_abort();
}

void __assert_perror_fail(int error, const char *file, unsigned int line, const char *function)
{
    (void)error, (void)file, (void)line, (void)function;
    __loupe_assertion_failed();
    __loupe_abort();
}

void __assert(const char *condition, const char *file, int line)
{
    (void)condition, (void)file, (void)line;
    __loupe_assertion_failed();
    __loupe_abort();
}
