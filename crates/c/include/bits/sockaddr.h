/* Addresses of sockets, which several headers share. */
#ifndef _BITS_SOCKADDR_H
#define _BITS_SOCKADDR_H

#include <bits/types.h>

typedef unsigned short sa_family_t;
typedef __socklen_t socklen_t;

struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};

struct sockaddr_storage {
    sa_family_t ss_family;
    char __padding[128 - sizeof(sa_family_t) - sizeof(unsigned long)];
    unsigned long __align;
};

#endif
