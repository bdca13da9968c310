/* Counting and moving bits, for built-in functions that have no instruction of their own, and for
   <strings.h>. How many leading or trailing zeros 0 has is undefined in C; here it is the width. */
#include "loupe.h"

typedef unsigned int __loupe_u32;
typedef unsigned long long __loupe_u64;

int __loupe_popcount32(__loupe_u32 x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (int)((x * 0x01010101u) >> 24);
}

int __loupe_popcount64(__loupe_u64 x)
{
    return __loupe_popcount32((__loupe_u32)x) + __loupe_popcount32((__loupe_u32)(x >> 32));
}

int __loupe_parity32(__loupe_u32 x)
{
    return __loupe_popcount32(x) & 1;
}

int __loupe_parity64(__loupe_u64 x)
{
    return __loupe_popcount64(x) & 1;
}

int __loupe_ctz32(__loupe_u32 x)
{
    return __loupe_popcount32(~x & (x - 1));
}

int __loupe_ctz64(__loupe_u64 x)
{
    return __loupe_popcount64(~x & (x - 1));
}

/* Sets all bits below the highest one; those that stay clear are the leading zeros. */
int __loupe_clz32(__loupe_u32 x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return __loupe_popcount32(~x);
}

int __loupe_clz64(__loupe_u64 x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    x |= x >> 32;
    return __loupe_popcount64(~x);
}

int __loupe_ffs32(__loupe_u32 x)
{
    return x ? __loupe_ctz32(x) + 1 : 0;
}

int __loupe_ffs64(__loupe_u64 x)
{
    return x ? __loupe_ctz64(x) + 1 : 0;
}

/* How many bits behind the sign repeat it. */
int __loupe_clrsb32(int x)
{
    return __loupe_clz32((__loupe_u32)(x < 0 ? ~x : x)) - 1;
}

int __loupe_clrsb64(long long x)
{
    return __loupe_clz64((__loupe_u64)(x < 0 ? ~x : x)) - 1;
}

unsigned short __loupe_bswap16(unsigned short x)
{
    return (unsigned short)((x >> 8) | (x << 8));
}

__loupe_u32 __loupe_bswap32(__loupe_u32 x)
{
    x = ((x & 0x00ff00ffu) << 8) | ((x >> 8) & 0x00ff00ffu);
    return (x << 16) | (x >> 16);
}

__loupe_u64 __loupe_bswap64(__loupe_u64 x)
{
    __loupe_u64 high = __loupe_bswap32((__loupe_u32)x);
    return high << 32 | __loupe_bswap32((__loupe_u32)(x >> 32));
}

int ffs(int x)
{
    return __loupe_ffs32((__loupe_u32)x);
}

int ffsl(long x)
{
    return __loupe_ffs64((__loupe_u64)(unsigned long)x);
}

int ffsll(long long x)
{
    return __loupe_ffs64((__loupe_u64)x);
}

/* <netinet/in.h>: the network's order is the other one. */
unsigned int htonl(unsigned int x)
{
    return __loupe_bswap32(x);
}

unsigned int ntohl(unsigned int x)
{
    return __loupe_bswap32(x);
}

unsigned short htons(unsigned short x)
{
    return __loupe_bswap16(x);
}

unsigned short ntohs(unsigned short x)
{
    return __loupe_bswap16(x);
}
