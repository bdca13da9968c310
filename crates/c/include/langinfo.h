/* Information about the language: POSIX; the numbers of glibc. */
#ifndef _LANGINFO_H
#define _LANGINFO_H

#include <bits/locale_t.h>

typedef int nl_item;

#define ABDAY_1 0x20000
#define DAY_1 0x20007
#define ABMON_1 0x2000e
#define MON_1 0x2001a
#define AM_STR 0x20026
#define PM_STR 0x20027
#define D_T_FMT 0x20028
#define D_FMT 0x20029
#define T_FMT 0x2002a
#define T_FMT_AMPM 0x2002b
#define CODESET 14
#define RADIXCHAR 0x10000
#define THOUSEP 0x10001
#define YESEXPR 0x50000
#define NOEXPR 0x50001
#define CRNCYSTR 0x4000f

extern char *nl_langinfo(nl_item);
extern char *nl_langinfo_l(nl_item, locale_t);

#endif
