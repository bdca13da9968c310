/* A C library for i686 in one file, for machines that can run 32-bit programs but have no library for
   them: enough of printf, strings, memory and exit for the programs of the tests. It talks to the kernel
   by int 0x80. What it does not know ends the program with status 99, so that it is never taken for an
   answer. Compiled with -nostdlib -ffreestanding; the compiler's own 64-bit helpers are here too. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

int main(int, char **);
int errno_cell;
int *__errno_location(void) { return &errno_cell; }
/* Only their addresses matter: everything is written at once, to standard output. */
int out_cell, error_cell;
void *stdout = &out_cell, *stderr = &error_cell, *stdin;

/* The kernel. */

static int call(int number, int a, int b, int c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

static char buffer[4096];
static unsigned buffered;

static void flush(void) {
    for (unsigned done = 0; done < buffered;) {
        int n = call(4, 1, (int)(buffer + done), (int)(buffered - done));
        if (n <= 0)
            break;
        done += (unsigned)n;
    }
    buffered = 0;
}

_Noreturn void _Exit(int status) {
    flush();
    for (;;)
        call(1, status, 0, 0);
}

static _Noreturn void unknown(const char *what) {
    flush();
    call(4, 2, (int)what, (int)__builtin_strlen(what));
    _Exit(99);
}

_Noreturn void abort(void) {
    flush();
    for (;;)
        call(37, call(20, 0, 0, 0), 6, 0);
}

static void (*handlers[32])(void);
static int handler_count;

int atexit(void (*handler)(void)) {
    if (handler_count == 32)
        return 1;
    handlers[handler_count++] = handler;
    return 0;
}

_Noreturn void exit(int status) {
    while (handler_count > 0)
        handlers[--handler_count]();
    _Exit(status);
}

/* Constructors and destructors; the linker knows where they are. */
typedef void (*procedure)(void);
extern procedure __init_array_start[], __init_array_end[], __fini_array_start[], __fini_array_end[];

static void destruct(void) {
    for (procedure *p = __fini_array_end; p > __fini_array_start;)
        (*--p)();
}

__attribute__((used)) static void start(void) {
    static char name[] = "program";
    static char *arguments[] = {name, 0};
    atexit(destruct);
    for (procedure *p = __init_array_start; p < __init_array_end; p++)
        (*p)();
    exit(main(1, arguments));
}

__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n and $-16, %esp\n call start\n");

/* Memory and strings. */

void *memcpy(void *to, const void *from, size_t n) {
    char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
    return to;
}

void *mempcpy(void *to, const void *from, size_t n) { return (char *)memcpy(to, from, n) + n; }

void *memmove(void *to, const void *from, size_t n) {
    char *t = to;
    const char *f = from;
    if (t <= f)
        return memcpy(to, from, n);
    while (n--)
        t[n] = f[n];
    return to;
}

void *memset(void *to, int byte, size_t n) {
    for (char *t = to; n--;)
        *t++ = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *p = a, *q = b;
    for (; n--; p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

void *memchr(const void *a, int byte, size_t n) {
    for (const unsigned char *p = a; n--; p++)
        if (*p == (unsigned char)byte)
            return (void *)p;
    return 0;
}

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

char *strcpy(char *to, const char *from) { return memcpy(to, from, strlen(from) + 1); }
char *stpcpy(char *to, const char *from) { return strcpy(to, from) + strlen(from); }

char *strncpy(char *to, const char *from, size_t n) {
    size_t length = strnlen(from, n);
    memset(to + length, 0, n - length);
    return memcpy(to, from, length);
}

char *strcat(char *to, const char *from) { return strcpy(to + strlen(to), from), to; }

char *strncat(char *to, const char *from, size_t n) {
    size_t length = strnlen(from, n);
    char *end = to + strlen(to);
    memcpy(end, from, length);
    end[length] = 0;
    return to;
}

int strncmp(const char *a, const char *b, size_t n) {
    for (; n--; a++, b++)
        if (*a != *b || !*a)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }

char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *strrchr(const char *s, int c) {
    const char *found = 0;
    do
        if (*s == (char)c)
            found = s;
    while (*s++);
    return (char *)found;
}

char *strstr(const char *s, const char *what) {
    size_t n = strlen(what);
    for (;; s++) {
        if (!strncmp(s, what, n))
            return (char *)s;
        if (!*s)
            return 0;
    }
}

size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && strchr(set, s[n]))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !strchr(set, s[n]))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set) {
    s += strcspn(s, set);
    return *s ? (char *)s : 0;
}

/* A heap that never takes anything back. */

static _Alignas(16) char heap[1 << 22];
static size_t heap_used;

void *malloc(size_t n) {
    size_t need = (n + 16 + 15) & ~(size_t)15;
    if (need > sizeof heap - heap_used)
        return 0;
    char *block = heap + heap_used;
    heap_used += need;
    *(size_t *)block = n;
    return block + 16;
}

void free(void *block) { (void)block; }
void *calloc(size_t n, size_t size) { return memset(malloc(n * size), 0, n * size); }

void *realloc(void *block, size_t n) {
    void *grown = malloc(n);
    if (block && grown) {
        size_t old = *(size_t *)((char *)block - 16);
        memcpy(grown, block, old < n ? old : n);
    }
    return grown;
}

char *strndup(const char *s, size_t n) {
    n = strnlen(s, n);
    char *copy = malloc(n + 1);
    copy[n] = 0;
    return memcpy(copy, s, n);
}

char *strdup(const char *s) { return strndup(s, (size_t)-1); }

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

typedef int comparison(const void *, const void *);

void qsort(void *base, size_t n, size_t size, comparison *compare) {
    for (size_t i = 1; i < n; i++)
        for (char *p = (char *)base + i * size; p > (char *)base && compare(p - size, p) > 0; p -= size)
            for (size_t k = 0; k < size; k++) {
                char t = p[k];
                p[k] = p[k - size];
                p[k - size] = t;
            }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, comparison *compare) {
    for (const char *p = base; n--; p += size)
        if (!compare(key, p))
            return (void *)p;
    return 0;
}

_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
    (void)file, (void)line, (void)function;
    flush();
    call(4, 2, (int)what, (int)strlen(what));
    abort();
}

/* Formatted output. */

struct target { char *text; size_t size, written; };

static void put(struct target *to, char c) {
    if (!to->text) {
        if (buffered == sizeof buffer)
            flush();
        buffer[buffered++] = c;
    } else if (to->written + 1 < to->size) {
        to->text[to->written] = c;
    }
    to->written++;
}

struct spec { int left, zero, plus, space, alternate, width, precision; };

static void pad(struct target *to, char c, int n) {
    while (n-- > 0)
        put(to, c);
}

static void field(struct target *to, struct spec s, const char *prefix, const char *digits, int n) {
    int zeros = s.precision > n ? s.precision - n : 0, length = (int)strlen(prefix) + zeros + n;
    if (s.zero && !s.left && s.precision < 0 && s.width > length)
        zeros += s.width - length, length = s.width;
    if (!s.left)
        pad(to, ' ', s.width - length);
    while (*prefix)
        put(to, *prefix++);
    pad(to, '0', zeros);
    while (n--)
        put(to, *digits++);
    if (s.left)
        pad(to, ' ', s.width - length);
}

static void number(struct target *to, struct spec s, char kind, unsigned long long v) {
    char digits[24], *p = digits + sizeof digits;
    const char *prefix = "";
    if (kind == 'd') {
        prefix = (long long)v < 0 ? "-" : s.plus ? "+" : s.space ? " " : "";
        if ((long long)v < 0)
            v = -v;
    }
    unsigned base = kind == 'o' ? 8 : kind == 'd' || kind == 'u' ? 10 : 16;
    const char *set = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    if (s.alternate && base == 16 && v)
        prefix = kind == 'X' ? "0X" : "0x";
    if (v || s.precision)
        do
            *--p = set[v % base];
        while (v /= base);
    int n = (int)(digits + sizeof digits - p);
    if (s.alternate && base == 8 && s.precision <= n && (!n || *p != '0'))
        s.precision = n + 1;
    field(to, s, prefix, p, n);
}

static int format_to(struct target *to, const char *f, va_list args) {
    for (; *f; f++) {
        if (*f != '%') {
            put(to, *f);
            continue;
        }
        struct spec s = {.precision = -1};
        for (;;) {
            switch (*++f) {
            case '-': s.left = 1; continue;
            case '0': s.zero = 1; continue;
            case '+': s.plus = 1; continue;
            case ' ': s.space = 1; continue;
            case '#': s.alternate = 1; continue;
            }
            break;
        }
        if (*f == '*') {
            s.width = va_arg(args, int);
            if (s.width < 0)
                s.left = 1, s.width = -s.width;
            f++;
        } else {
            for (; *f >= '0' && *f <= '9'; f++)
                s.width = s.width * 10 + *f - '0';
        }
        if (*f == '.') {
            s.precision = 0;
            if (*++f == '*') {
                s.precision = va_arg(args, int);
                f++;
            } else {
                for (; *f >= '0' && *f <= '9'; f++)
                    s.precision = s.precision * 10 + *f - '0';
            }
        }
        int bytes = 4;
        for (;; f++) {
            if (*f == 'h')
                bytes /= 2;
            else if (*f == 'l')
                bytes = bytes == 5 ? 8 : 5;
            else if (*f == 'j')
                bytes = 8;
            else if (*f != 'z' && *f != 't')
                break;
        }
        char kind = *f == 'i' ? 'd' : *f;
        switch (kind) {
        case 'd': {
            long long v = bytes == 8 ? va_arg(args, long long) : va_arg(args, int);
            number(to, s, kind, (unsigned long long)(bytes == 1 ? (signed char)v : bytes == 2 ? (short)v : v));
            break;
        }
        case 'u': case 'o': case 'x': case 'X': {
            unsigned long long v = bytes == 8 ? va_arg(args, unsigned long long) : va_arg(args, unsigned);
            number(to, s, kind, bytes == 1 ? (unsigned char)v : bytes == 2 ? (unsigned short)v : v);
            break;
        }
        case 'c': {
            char c = (char)va_arg(args, int);
            s.precision = -1, s.zero = 0;
            field(to, s, "", &c, 1);
            break;
        }
        case 's': {
            const char *text = va_arg(args, const char *);
            int n = (int)strnlen(text, (size_t)s.precision);
            s.precision = -1, s.zero = 0;
            field(to, s, "", text, n);
            break;
        }
        case 'n': *va_arg(args, int *) = (int)to->written; break;
        case '%': put(to, '%'); break;
        default: unknown("the small library knows no such format\n");
        }
    }
    if (to->text && to->size)
        to->text[to->written < to->size ? to->written : to->size - 1] = 0;
    return (int)to->written;
}

int vprintf(const char *f, va_list args) { return format_to(&(struct target){0}, f, args); }

int vsnprintf(char *text, size_t size, const char *f, va_list args) {
    char none[1];
    return format_to(&(struct target){text ? text : none, text ? size : 0, 0}, f, args);
}

int vsprintf(char *text, const char *f, va_list args) { return vsnprintf(text, (size_t)-1, f, args); }

#define FORWARD(value)                                                                             \
    va_list args;                                                                                  \
    va_start(args, f);                                                                             \
    int n = value;                                                                                 \
    va_end(args);                                                                                  \
    return n;

int printf(const char *f, ...) { FORWARD(vprintf(f, args)) }
int sprintf(char *text, const char *f, ...) { FORWARD(vsprintf(text, f, args)) }
int snprintf(char *text, size_t size, const char *f, ...) { FORWARD(vsnprintf(text, size, f, args)) }
int fprintf(void *file, const char *f, ...) { FORWARD(file == stdout ? vprintf(f, args) : 0) }

int putchar(int c) { return put(&(struct target){0}, (char)c), (unsigned char)c; }
int fputc(int c, void *file) { return file == stdout ? putchar(c) : c; }
int putc(int c, void *file) { return fputc(c, file); }
int fputs(const char *s, void *file) { return file == stdout ? printf("%s", s) : 0; }
int puts(const char *s) { return printf("%s\n", s); }
size_t fwrite(const void *a, size_t size, size_t n, void *file) {
    for (size_t i = 0; i < n * size; i++)
        fputc(((const char *)a)[i], file);
    return n;
}
int fflush(void *file) { return (void)file, flush(), 0; }

/* What the compiler calls for 64-bit numbers. */

static uint64_t divide(uint64_t n, uint64_t d, uint64_t *rest) {
    uint64_t quotient = 0, r = 0;
    for (int i = 63; i >= 0; i--) {
        int carry = (int)(r >> 63);
        r = r << 1 | (n >> i & 1);
        if (carry || r >= d)
            r -= d, quotient |= (uint64_t)1 << i;
    }
    *rest = r;
    return quotient;
}

static uint64_t magnitude(int64_t x) { return x < 0 ? -(uint64_t)x : (uint64_t)x; }

uint64_t __udivdi3(uint64_t n, uint64_t d) { return divide(n, d, &(uint64_t){0}); }

uint64_t __umoddi3(uint64_t n, uint64_t d) {
    uint64_t rest;
    divide(n, d, &rest);
    return rest;
}

int64_t __divdi3(int64_t n, int64_t d) {
    uint64_t q = __udivdi3(magnitude(n), magnitude(d));
    return (int64_t)((n < 0) != (d < 0) ? -q : q);
}

int64_t __moddi3(int64_t n, int64_t d) {
    uint64_t r = __umoddi3(magnitude(n), magnitude(d));
    return (int64_t)(n < 0 ? -r : r);
}

uint64_t __udivmoddi4(uint64_t n, uint64_t d, uint64_t *rest) { return divide(n, d, rest); }

int64_t __divmoddi4(int64_t n, int64_t d, int64_t *rest) {
    *rest = __moddi3(n, d);
    return __divdi3(n, d);
}

int __popcountsi2(unsigned x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

int __popcountdi2(uint64_t x) { return __popcountsi2((unsigned)x) + __popcountsi2((unsigned)(x >> 32)); }
int __paritysi2(unsigned x) { return __popcountsi2(x) & 1; }
int __paritydi2(uint64_t x) { return __popcountdi2(x) & 1; }
int __ffsdi2(uint64_t x) { return x ? __builtin_ctzll(x) + 1 : 0; }
int __clzdi2(uint64_t x) { return x >> 32 ? __builtin_clz((unsigned)(x >> 32)) : 32 + __builtin_clz((unsigned)x); }
int __ctzdi2(uint64_t x) { return (unsigned)x ? __builtin_ctz((unsigned)x) : 32 + __builtin_ctz((unsigned)(x >> 32)); }
uint64_t __bswapdi2(uint64_t x) { return (uint64_t)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32)); }
int __clrsbsi2(int x) { return x == 0 || x == -1 ? 31 : __builtin_clz((unsigned)(x < 0 ? ~x : x)) - 1; }
uint64_t __fixunsdfdi(double x) {
    return x >= 9223372036854775808.0 ? (uint64_t)(int64_t)(x - 9223372036854775808.0) + ((uint64_t)1 << 63)
                                      : (uint64_t)(int64_t)x;
}
double __floatundidf(uint64_t x) { return (double)(uint32_t)(x >> 32) * 4294967296.0 + (double)(uint32_t)x; }
