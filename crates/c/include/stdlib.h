/* General utilities: C11 7.22, POSIX, GNU. */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <features.h>
#include <alloca.h>
#include <bits/locale_t.h>
#include <sys/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

#undef NULL
#define NULL ((void *)0)

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)

/* What `system` and `wait` give. */
#define WEXITSTATUS(status) (((status)&0xff00) >> 8)
#define WTERMSIG(status) ((status)&0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status)&0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status)&0xff) == 0x7f)
#define WNOHANG 1
#define WUNTRACED 2

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

extern double atof(const char *);
extern int atoi(const char *);
extern long atol(const char *);
extern long long atoll(const char *);
extern double strtod(const char *__restrict, char **__restrict);
extern float strtof(const char *__restrict, char **__restrict);
extern long double strtold(const char *__restrict, char **__restrict);
extern long strtol(const char *__restrict, char **__restrict, int);
extern long long strtoll(const char *__restrict, char **__restrict, int);
extern unsigned long strtoul(const char *__restrict, char **__restrict, int);
extern unsigned long long strtoull(const char *__restrict, char **__restrict, int);
extern long long strtoq(const char *__restrict, char **__restrict, int);
extern unsigned long long strtouq(const char *__restrict, char **__restrict, int);

extern int rand(void);
extern void srand(unsigned int);
extern int rand_r(unsigned int *);
extern long random(void);
extern void srandom(unsigned int);
extern char *initstate(unsigned int, char *, size_t);
extern char *setstate(char *);
extern double drand48(void);
extern double erand48(unsigned short[3]);
extern long lrand48(void);
extern long nrand48(unsigned short[3]);
extern long mrand48(void);
extern long jrand48(unsigned short[3]);
extern void srand48(long);
extern unsigned short *seed48(unsigned short[3]);
extern void lcong48(unsigned short[7]);

extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void *reallocarray(void *, size_t, size_t);
extern void free(void *);
extern void *aligned_alloc(size_t, size_t);
extern int posix_memalign(void **, size_t, size_t);
extern void *valloc(size_t);

extern void abort(void) __attribute__((__noreturn__));
extern int atexit(void (*)(void));
extern int at_quick_exit(void (*)(void));
extern int on_exit(void (*)(int, void *), void *);
extern void exit(int) __attribute__((__noreturn__));
extern void _Exit(int) __attribute__((__noreturn__));
extern void quick_exit(int) __attribute__((__noreturn__));

extern char *getenv(const char *);
extern int putenv(char *);
extern int setenv(const char *, const char *, int);
extern int unsetenv(const char *);
extern int clearenv(void);
extern int system(const char *);

extern void *bsearch(const void *, const void *, size_t, size_t,
                     int (*)(const void *, const void *));
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

extern int abs(int);
extern long labs(long);
extern long long llabs(long long);
extern div_t div(int, int);
extern ldiv_t ldiv(long, long);
extern lldiv_t lldiv(long long, long long);

extern int mblen(const char *, size_t);
extern int mbtowc(wchar_t *__restrict, const char *__restrict, size_t);
extern int wctomb(char *, wchar_t);
extern size_t mbstowcs(wchar_t *__restrict, const char *__restrict, size_t);
extern size_t wcstombs(char *__restrict, const wchar_t *__restrict, size_t);

extern long a64l(const char *);
extern char *l64a(long);
extern char *ecvt(double, int, int *__restrict, int *__restrict);
extern char *fcvt(double, int, int *__restrict, int *__restrict);
extern char *gcvt(double, int, char *);
extern int getloadavg(double[], int);
extern int getsubopt(char **__restrict, char *const *__restrict, char **__restrict);
extern char *mktemp(char *);
extern int mkstemp(char *);
extern int mkstemps(char *, int);
#ifdef __USE_LARGEFILE64
extern int mkstemp64(char *);
extern int mkstemps64(char *, int);
#endif
extern char *mkdtemp(char *);
extern char *realpath(const char *__restrict, char *__restrict);
extern int rpmatch(const char *);
extern unsigned int arc4random(void);
extern unsigned int arc4random_uniform(unsigned int);
extern void arc4random_buf(void *, size_t);

#ifdef __USE_XOPEN
extern int posix_openpt(int);
extern int grantpt(int);
extern int unlockpt(int);
extern char *ptsname(int);
extern void setkey(const char *);
#endif

#ifdef __USE_GNU
typedef int (*comparison_fn_t)(const void *, const void *);
typedef comparison_fn_t __compar_fn_t;
extern void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
extern char *secure_getenv(const char *);
extern char *canonicalize_file_name(const char *);
extern int mkostemp(char *, int);
extern int mkostemps(char *, int, int);
extern long strtol_l(const char *__restrict, char **__restrict, int, locale_t);
extern unsigned long strtoul_l(const char *__restrict, char **__restrict, int, locale_t);
extern double strtod_l(const char *__restrict, char **__restrict, locale_t);
extern int getpt(void);
#endif

#endif
