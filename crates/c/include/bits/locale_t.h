/* `locale_t`, which several headers share. */
#ifndef _BITS_LOCALE_T_H
#define _BITS_LOCALE_T_H

typedef struct __locale_struct *locale_t;
typedef locale_t __locale_t;

#endif
