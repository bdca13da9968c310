/* The system: <unistd.h>. The only descriptors are 0, 1 and 2, and they are no terminals. */
#include <errno.h>
#include <unistd.h>
#include "loupe.h"

static int __loupe_bad_descriptor(void)
{
    __loupe_errno = EBADF;
    return -1;
}

ssize_t read(int descriptor, void *to, size_t size)
{
    unsigned char *bytes = to;
    if (descriptor != 0)
        return __loupe_bad_descriptor();
    for (size_t i = 0; i < size; i++) {
        int byte = __loupe_get();
        if (byte < 0)
            return (ssize_t)i;
        bytes[i] = (unsigned char)byte;
    }
    return (ssize_t)size;
}

ssize_t write(int descriptor, const void *from, size_t size)
{
    const unsigned char *bytes = from;
    if (descriptor != 1 && descriptor != 2)
        return __loupe_bad_descriptor();
    for (size_t i = 0; i < size; i++)
        __loupe_put(descriptor, bytes[i]);
    return (ssize_t)size;
}

int isatty(int descriptor)
{
    __loupe_errno = descriptor >= 0 && descriptor <= 2 ? ENOTTY : EBADF;
    return 0;
}

static int __loupe_process_number;

int __loupe_process(void)
{
    if (__loupe_process_number == 0) {
        int number = __loupe_input_int();
        __loupe_assume(number > 1);
        __loupe_process_number = number;
    }
    return __loupe_process_number;
}

pid_t getpid(void)
{
    return __loupe_process();
}

int getpagesize(void)
{
    return 4096;
}

/* Time does not pass. */
unsigned int sleep(unsigned int seconds)
{
    (void)seconds;
    return 0;
}

int usleep(useconds_t microseconds)
{
    (void)microseconds;
    return 0;
}

int sched_yield(void)
{
    return 0;
}
