/* What the model of the C library rests on: intrinsics, which Loupe turns into instructions, and
   helpers that several files of the model share. All names start with `__loupe_`, so no program
   has them. Functions of the model never call functions that a program may define itself; they
   call helpers of these names. */
#ifndef _LOUPE_H
#define _LOUPE_H

typedef __SIZE_TYPE__ size_t;

/* Output and input. A stream is 1 (standard output) or 2 (standard error). */
extern int __loupe_print(int stream, const char *format, __builtin_va_list arguments);
extern int __loupe_format(char *to, size_t size, const char *format, __builtin_va_list arguments);
extern void __loupe_put(int stream, int byte);
/* The next byte of the standard input, or -1 at its end. */
extern int __loupe_get(void);
/* Whether the standard input is at its end; nothing is read. */
extern int __loupe_at_end(void);
extern int __loupe_scan(const char *format, __builtin_va_list arguments);
extern int __loupe_scan_text(const char *text, const char *format, __builtin_va_list arguments);

/* Memory. */
extern void *__loupe_allocate(size_t size, int zeroed);
extern void __loupe_release(void *);
/* Fails unless the pointer could be released. */
extern void __loupe_releasable(void *);
extern size_t __loupe_size(const void *);
extern void __loupe_copy(void *to, const void *from, size_t n);
extern void __loupe_fill(void *to, int byte, size_t n);
extern int __loupe_disjoint(const void *a, const void *b, size_t n);
/* Fails unless so many bytes can be read at both places. */
extern void __loupe_readable(const void *a, const void *b, size_t n);

/* The next input of the program. */
extern char __loupe_input_char(void);
extern signed char __loupe_input_schar(void);
extern unsigned char __loupe_input_uchar(void);
extern short __loupe_input_short(void);
extern unsigned short __loupe_input_ushort(void);
extern int __loupe_input_int(void);
extern unsigned int __loupe_input_uint(void);
extern long __loupe_input_long(void);
extern unsigned long __loupe_input_ulong(void);
extern long long __loupe_input_longlong(void);
extern unsigned long long __loupe_input_ulonglong(void);
extern _Bool __loupe_input_bool(void);

/* Ends of paths. */
extern void __loupe_assume(int condition);
extern void __loupe_error(void);
extern void __loupe_assertion_failed(void);
extern void __loupe_unsupported(void);
/* Calls the functions of the program that run after `main` (`__attribute__((destructor))`). */
extern void __loupe_destructors(void);
extern void __loupe_exit(int status) __attribute__((__noreturn__));
extern void __loupe_abort(void) __attribute__((__noreturn__));

/* The command line. A byte is 0 at the end of its argument. */
extern int __loupe_argument_count(void);
extern int __loupe_argument_byte(int argument, int position);

/* Floating point. */
extern double __loupe_parse_float(const char *text, char **end);
extern double __loupe_math1(int function, double);
extern double __loupe_math2(int function, double, double);

/* The functions of `__loupe_math1`. */
enum {
    __LOUPE_SQRT = 0,
    __LOUPE_SIN = 1,
    __LOUPE_COS = 2,
    __LOUPE_TAN = 3,
    __LOUPE_ASIN = 4,
    __LOUPE_ACOS = 5,
    __LOUPE_ATAN = 6,
    __LOUPE_SINH = 7,
    __LOUPE_COSH = 8,
    __LOUPE_TANH = 9,
    __LOUPE_EXP = 10,
    __LOUPE_EXP2 = 11,
    __LOUPE_LOG = 12,
    __LOUPE_LOG2 = 13,
    __LOUPE_LOG10 = 14,
    __LOUPE_FLOOR = 15,
    __LOUPE_CEIL = 16,
    __LOUPE_ROUND = 17, /* halves away from zero */
    __LOUPE_TRUNC = 18,
    __LOUPE_RINT = 19, /* halves to even */
    __LOUPE_CBRT = 20,
    __LOUPE_EXPM1 = 21,
    __LOUPE_LOG1P = 22
};

/* The functions of `__loupe_math2`. */
enum {
    __LOUPE_POW = 0,
    __LOUPE_FMOD = 1,
    __LOUPE_ATAN2 = 2,
    __LOUPE_HYPOT = 3
};

/* errno.c, exit.c, heap.c, signal.c, stream.c, string.c, time.c, unistd.c */
struct tm;
extern int __loupe_errno;
extern const char *__loupe_error_text(int error);
extern void __loupe_finish(int status) __attribute__((__noreturn__));
extern void *__loupe_new(size_t size, int zeroed);
extern void *__loupe_resize(void *block, size_t size);
extern int __loupe_raise(int signal);
extern int __loupe_process(void);
extern void __loupe_put_text(int stream, const char *text);
extern size_t __loupe_length(const char *text);
extern _Bool __loupe_set_date(struct tm *date, long time);

#endif
