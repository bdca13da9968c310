/* The intrinsics of the model over the machine's library. The model's symbols are prefixed with
   `model_`, so both libraries live in one program. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

jmp_buf shim_end;
int shim_can_end;
unsigned long long shim_input;
const char *shim_stdin = "";
char shim_output[1 << 16];
size_t shim_output_size;

void shim_stop(int how)
{
    if (!shim_can_end) {
        fprintf(stderr, "the model ended the path: %d\n", how);
        abort();
    }
    longjmp(shim_end, how);
}

int model___loupe_format(char *to, size_t size, const char *format, __builtin_va_list list)
{
    if (size == (size_t)-1)
        return vsprintf(to, format, list);
    return vsnprintf(to, size, format, list);
}

int model___loupe_print(int stream, const char *format, __builtin_va_list list)
{
    (void)stream;
    int count = vsnprintf(shim_output + shim_output_size, sizeof shim_output - shim_output_size,
                          format, list);
    shim_output_size += (size_t)count;
    return count;
}

void model___loupe_put(int stream, int byte)
{
    (void)stream;
    shim_output[shim_output_size++] = (char)byte;
}

int model___loupe_get(void)
{
    return *shim_stdin ? (unsigned char)*shim_stdin++ : -1;
}

int model___loupe_at_end(void)
{
    return !*shim_stdin;
}

/* Reads numbers and words from the text that is left, and finds out by %n how far that went. */
int model___loupe_scan(const char *format, __builtin_va_list list)
{
    FILE *stream = fmemopen((char *)shim_stdin, strlen(shim_stdin) + !*shim_stdin, "r");
    if (!*shim_stdin)
        getc(stream);
    int count = vfscanf(stream, format, list);
    if (*shim_stdin)
        shim_stdin += ftell(stream);
    fclose(stream);
    return count;
}

int model___loupe_scan_text(const char *text, const char *format, __builtin_va_list list)
{
    return vsscanf(text, format, list);
}

/* The size lies before the block. */
void *model___loupe_allocate(size_t size, int zeroed)
{
    size_t *block = malloc(size + 16);
    *block = size;
    memset(block + 2, zeroed ? 0 : 0xa5, size);
    return block + 2;
}

void model___loupe_releasable(void *block)
{
    (void)block;
}

void model___loupe_destructors(void)
{
}

void model___loupe_release(void *block)
{
    free((size_t *)block - 2);
}

size_t model___loupe_size(const void *block)
{
    return ((const size_t *)block)[-2];
}

void model___loupe_copy(void *to, const void *from, size_t n)
{
    memmove(to, from, n);
}

void model___loupe_fill(void *to, int byte, size_t n)
{
    memset(to, byte, n);
}

/* What can be read shows in the test itself. */
void model___loupe_readable(const void *a, const void *b, size_t n)
{
    (void)a;
    (void)b;
    (void)n;
}

int model___loupe_disjoint(const void *a, const void *b, size_t n)
{
    const char *left = a;
    const char *right = b;
    if (n > 0 && left < right + n && right < left + n)
        shim_stop(SHIM_OVERLAP);
    return 1;
}

#define INPUT(type, name) \
    type model___loupe_input_##name(void) \
    { \
        return (type)shim_input; \
    }
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned int, uint)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(long long, longlong)
INPUT(unsigned long long, ulonglong)
INPUT(_Bool, bool)

void model___loupe_assume(int condition)
{
    if (!condition)
        shim_stop(SHIM_ASSUME);
}

void model___loupe_error(void)
{
    shim_stop(SHIM_ERROR);
}

void model___loupe_assertion_failed(void)
{
    shim_stop(SHIM_ASSERTION);
}

void model___loupe_unsupported(void)
{
    shim_stop(SHIM_UNSUPPORTED);
}

void model___loupe_exit(int status)
{
    shim_input = (unsigned long long)status;
    shim_stop(SHIM_EXIT);
}

void model___loupe_abort(void)
{
    shim_stop(SHIM_ABORT);
}

static const char *const arguments[] = {"program", "", "-x"};

int model___loupe_argument_count(void)
{
    return 3;
}

int model___loupe_argument_byte(int argument, int position)
{
    return (unsigned char)arguments[argument][position];
}

double model___loupe_parse_float(const char *text, char **end)
{
    int saved = errno;
    double value = strtod(text, end);
    errno = saved;
    return value;
}

double model___loupe_math1(int function, double x)
{
    static double (*const functions[])(double) = {sqrt, sin,   cos,   tan,   asin,  acos,
                                                  atan, sinh,  cosh,  tanh,  exp,   exp2,
                                                  log,  log2,  log10, floor, ceil,  round,
                                                  trunc, rint, cbrt,  expm1, log1p};
    return functions[function](x);
}

double model___loupe_math2(int function, double x, double y)
{
    static double (*const functions[])(double, double) = {pow, fmod, atan2, hypot};
    return functions[function](x, y);
}
