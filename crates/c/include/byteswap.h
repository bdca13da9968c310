/* Reversing the order of bytes. */
#ifndef _BYTESWAP_H
#define _BYTESWAP_H

#include <features.h>

#define bswap_16(x) __builtin_bswap16(x)
#define bswap_32(x) __builtin_bswap32(x)
#define bswap_64(x) ((__UINT64_TYPE__)__builtin_bswap64(x))
#define __bswap_16(x) bswap_16(x)
#define __bswap_32(x) bswap_32(x)
#define __bswap_64(x) bswap_64(x)

#endif
