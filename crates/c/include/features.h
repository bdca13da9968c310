/* Which parts of the headers are visible. Loupe always offers C11, POSIX and the usual BSD names;
   names of GNU alone (`__USE_GNU`), of X/Open alone (`__USE_XOPEN`) or for large files
   (`__USE_LARGEFILE64`) only if they are asked for, because programs define functions of those names
   themselves. */
#ifndef _FEATURES_H
#define _FEATURES_H

#ifdef _GNU_SOURCE
#define __USE_GNU 1
#endif

#if defined _GNU_SOURCE || defined _XOPEN_SOURCE
#define __USE_XOPEN 1
#endif

#if defined _GNU_SOURCE || defined _LARGEFILE64_SOURCE
#define __USE_LARGEFILE64 1
#endif

#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
#define __USE_FILE_OFFSET64 1
#endif

#include <sys/cdefs.h>

#endif
