/* `wint_t` and `mbstate_t`, which <wchar.h> and <wctype.h> share. */
#ifndef _BITS_WINT_T_H
#define _BITS_WINT_T_H

typedef __WINT_TYPE__ wint_t;

#undef WEOF
#define WEOF 0xffffffffU

#endif
