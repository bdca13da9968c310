/* Random bytes from the system: Linux. */
#ifndef _SYS_RANDOM_H
#define _SYS_RANDOM_H

#include <sys/types.h>

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4

extern ssize_t getrandom(void *, size_t, unsigned int);
extern int getentropy(void *, size_t);

#endif
