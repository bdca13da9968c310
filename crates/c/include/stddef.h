/* Common definitions: C11 7.19. */
#ifndef _STDDEF_H
#define _STDDEF_H

typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

typedef struct {
    long long __long_long __attribute__((__aligned__(__alignof__(long long))));
    long double __long_double __attribute__((__aligned__(__alignof__(long double))));
#ifndef __LP64__
    char __quadruple[16] __attribute__((__aligned__(16)));
#endif
} max_align_t;

#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#if defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L
typedef __typeof__(nullptr) nullptr_t;
#define unreachable() __builtin_unreachable()
#endif

#endif
