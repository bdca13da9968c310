/* Gives a program the inputs of a test, in place of the environment that Loupe models.

   The file that LOUPE_INPUT names has the inputs: numbers between spaces, commas or line ends; `7 x3` stands for
   `7 7 7`; `#` starts a comment; what follows a line `uninitialised:` is skipped up to a line `inputs:`. Behind
   the end, inputs are 0. How the program ended, if it did not exit, is written to the file that LOUPE_OUTCOME
   names. After LOUPE_SECONDS the program is ended.

   What a program may define itself is weak here. `reach_error` and `__VERIFIER_error` are not: to call
   them is an error, whatever the program's own do. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

struct run {
    unsigned long long value;
    unsigned long long count;
};

static struct run *runs;
static size_t run_count, run_next;
static char *outcome_file;

#ifdef LOUPE_COVERAGE
extern void __gcov_dump(void);
#else
static void __gcov_dump(void)
{
}
#endif

/* Only what may be called in a signal handler. */
static void note(const char *outcome)
{
    int file = outcome_file ? open(outcome_file, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        ssize_t written = write(file, outcome, strlen(outcome));
        (void)written;
        close(file);
    }
}

static void leave(const char *outcome) __attribute__((noreturn));
static void leave(const char *outcome)
{
    note(outcome);
    fflush(stdout);
    __gcov_dump();
    _exit(0);
}

static void broken(const char *what) __attribute__((noreturn));
static void broken(const char *what)
{
    fprintf(stderr, "harness: %s\n", what);
    leave("broken");
}

static void on_signal(int number)
{
    switch (number) {
    case SIGABRT: note("abort"); break;
    case SIGALRM: note("timeout"); break;
    default: note("signal"); break;
    }
    __gcov_dump();
    if (number == SIGALRM)
        _exit(0);
    signal(number, SIG_DFL);
    raise(number);
}

static void add(unsigned long long value)
{
    if (run_count % 64 == 0) {
        runs = realloc(runs, (run_count + 64) * sizeof *runs);
        if (!runs)
            broken("no memory for the inputs");
    }
    runs[run_count].value = value;
    runs[run_count].count = 1;
    run_count++;
}

/* Takes one word of the input; negative numbers wrap around. */
static void take(const char *word)
{
    if (*word == 'x') {
        if (run_count == 0)
            broken("a repetition without a number");
        runs[run_count - 1].count = strtoull(word + 1, 0, 10);
        return;
    }
    int negative = *word == '-';
    unsigned long long value = strtoull(word + negative, 0, 10);
    add(negative ? 0 - value : value);
}

static void read_line(char *line, int *skipping)
{
    line[strcspn(line, "#\n")] = 0;
    char *start = line + strspn(line, " \t\r");
    if (strncmp(start, "inputs:", 7) == 0) {
        *skipping = 0;
        return;
    }
    if (strncmp(start, "uninitialised:", 14) == 0)
        *skipping = 1;
    if (*skipping)
        return;
    for (char *word = strtok(start, " \t\r,"); word; word = strtok(0, " \t\r,"))
        take(word);
}

__attribute__((constructor(101))) static void start(void)
{
    static char stack[1 << 16];
    static const int signals[] = { SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV };
    const char *name = getenv("LOUPE_INPUT"), *seconds = getenv("LOUPE_SECONDS");
    const char *outcome = getenv("LOUPE_OUTCOME");
    if (outcome)
        outcome_file = strdup(outcome);
    stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
    sigaltstack(&other, 0);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
        sigaction(signals[i], &action, 0);
    }
    setvbuf(stdout, 0, _IONBF, 0);
    FILE *file = name ? fopen(name, "r") : 0;
    if (!file)
        broken("LOUPE_INPUT names no file that can be read");
    char *line = 0;
    size_t size = 0;
    int skipping = 0;
    while (getline(&line, &size, file) >= 0)
        read_line(line, &skipping);
    free(line);
    fclose(file);
    if (seconds)
        alarm((unsigned)atoi(seconds));
    clearenv();
}

static unsigned long long input(void)
{
    while (run_next < run_count && runs[run_next].count == 0)
        run_next++;
    if (run_next == run_count)
        return 0;
    runs[run_next].count--;
    return runs[run_next].value;
}

/* The conventions of SV-COMP. */

void reach_error(void)
{
    leave("error");
}

void __VERIFIER_error(void)
{
    leave("error");
}

WEAK void __VERIFIER_assert(int condition)
{
    if (!condition)
        leave("error");
}

WEAK void __VERIFIER_assume(int condition)
{
    if (!condition)
        leave("assumption");
}

WEAK void assume_abort_if_not(int condition)
{
    if (!condition)
        leave("assumption");
}

WEAK void __VERIFIER_atomic_begin(void)
{
}

WEAK void __VERIFIER_atomic_end(void)
{
}

#define INPUT(name, type) \
    WEAK type __VERIFIER_nondet_##name(void) \
    { \
        return (type)input(); \
    }

INPUT(bool, _Bool)
INPUT(_Bool, _Bool)
INPUT(char, char)
INPUT(uchar, unsigned char)
INPUT(unsigned_char, unsigned char)
INPUT(u8, unsigned char)
INPUT(short, short)
INPUT(ushort, unsigned short)
INPUT(unsigned_short, unsigned short)
INPUT(u16, unsigned short)
INPUT(int, int)
INPUT(uint, unsigned int)
INPUT(unsigned_int, unsigned int)
INPUT(unsigned, unsigned int)
INPUT(u32, unsigned int)
INPUT(long, long)
INPUT(ulong, unsigned long)
INPUT(unsigned_long, unsigned long)
INPUT(size_t, size_t)
INPUT(sector_t, unsigned long)
INPUT(longlong, long long)
INPUT(loff_t, long long)
INPUT(ulonglong, unsigned long long)
INPUT(u64, unsigned long long)

#ifdef __SIZEOF_INT128__
WEAK unsigned __int128 __VERIFIER_nondet_uint128(void)
{
    unsigned __int128 high = input();
    return high << 64 | input();
}

WEAK __int128 __VERIFIER_nondet_int128(void)
{
    unsigned __int128 high = input();
    return (__int128)(high << 64 | input());
}
#endif

WEAK float __VERIFIER_nondet_float(void)
{
    unsigned int bits = (unsigned int)input();
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

WEAK double __VERIFIER_nondet_double(void)
{
    unsigned long long bits = input();
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void *pointer(void)
{
    if (input() != 0)
        broken("a pointer that is not null");
    return 0;
}

WEAK void *__VERIFIER_nondet_pointer(void)
{
    return pointer();
}

WEAK char *__VERIFIER_nondet_pchar(void)
{
    return pointer();
}

WEAK char *__VERIFIER_nondet_charp(void)
{
    return pointer();
}

WEAK const char *__VERIFIER_nondet_const_char_pointer(void)
{
    return pointer();
}

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)input();
}

/* Random numbers and clocks are inputs too. */

static int random_number(void)
{
    int number = (int)input();
    if (number < 0)
        leave("assumption");
    return number;
}

static long seconds(void)
{
    long number = (long)input();
    if (number < 0)
        leave("assumption");
    return number;
}

WEAK int rand(void)
{
    return random_number();
}

WEAK void srand(unsigned int seed)
{
    (void)seed;
}

WEAK int rand_r(unsigned int *seed)
{
    *seed = (unsigned int)input();
    return random_number();
}

WEAK long random(void)
{
    return random_number();
}

WEAK void srandom(unsigned int seed)
{
    (void)seed;
}

WEAK double drand48(void)
{
    unsigned long long number = input();
    if (number >= 1ULL << 48)
        leave("assumption");
    return (double)number / (double)(1ULL << 48);
}

WEAK long lrand48(void)
{
    return random_number();
}

WEAK long mrand48(void)
{
    return (int)input();
}

WEAK void srand48(long seed)
{
    (void)seed;
}

WEAK time_t time(time_t *result)
{
    time_t now = seconds();
    if (result)
        *result = now;
    return now;
}

WEAK clock_t clock(void)
{
    return seconds();
}
