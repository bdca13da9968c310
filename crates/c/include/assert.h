/* Diagnostics: C11 7.2. Every inclusion defines `assert` anew, as NDEBUG stands then. */
#include <features.h>

#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#ifdef __USE_GNU
#undef assert_perror
#ifdef NDEBUG
#define assert_perror(error) ((void)0)
#else
#define assert_perror(error) \
    (!(error) ? (void)0 : __assert_perror_fail((error), __FILE__, __LINE__, __func__))
#endif
#endif

#ifndef _ASSERT_H
#define _ASSERT_H

extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__noreturn__));
extern void __assert_perror_fail(int, const char *, unsigned int, const char *)
    __attribute__((__noreturn__));
extern void __assert(const char *, const char *, int) __attribute__((__noreturn__));

#if !defined __STDC_VERSION__ || __STDC_VERSION__ <= 201710L
#undef static_assert
#define static_assert _Static_assert
#endif

#endif
