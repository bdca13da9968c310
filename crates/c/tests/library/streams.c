/* Streams, signals, the locale, files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "shim.h"

extern int model___loupe_errno;
extern FILE *model_stdin, *model_stdout, *model_stderr;
MODEL(printf);
MODEL(fprintf);
MODEL(dprintf);
MODEL(snprintf);
MODEL(sprintf);
MODEL(asprintf);
MODEL(puts);
MODEL(putchar);
MODEL(fputs);
MODEL(fputc);
MODEL(fwrite);
MODEL(perror);
MODEL(getchar);
MODEL(fgets);
MODEL(getline);
MODEL(fread);
MODEL(ungetc);
MODEL(scanf);
MODEL(sscanf);
MODEL(feof);
MODEL(ferror);
MODEL(clearerr);
MODEL(fflush);
MODEL(fileno);
MODEL(fclose);
MODEL(fopen);
MODEL(open);
MODEL(access);
MODEL(read);
MODEL(write);
MODEL(free);
MODEL(setlocale);
MODEL(localeconv);
MODEL(signal);
MODEL(raise);
MODEL(sigemptyset);
MODEL(sigaddset);
MODEL(sigismember);

static int wrote(const char *expected)
{
    shim_output[shim_output_size] = 0;
    int same = strcmp(shim_output, expected) == 0;
    shim_output_size = 0;
    return same;
}

static void test_output(void)
{
    char buffer[40];
    CHECK(model_printf("%d-%s", 7, "x") == 3 && wrote("7-x"), "printf");
    CHECK(model_fprintf(model_stderr, "%c", 'y') == 1 && wrote("y"), "fprintf");
    CHECK(model_dprintf(1, "z") == 1 && wrote("z") && model_dprintf(5, "z") == -1, "dprintf");
    CHECK(model_sprintf(buffer, "%05d", 42) == 5 && !strcmp(buffer, "00042"), "sprintf");
    CHECK(model_snprintf(buffer, 3, "%d", 12345) == 5 && !strcmp(buffer, "12"), "snprintf");
    char *text = 0;
    CHECK(model_asprintf(&text, "%s!", "long") == 5 && !strcmp(text, "long!"), "asprintf");
    model_free(text);
    CHECK(model_puts("line") == 5 && wrote("line\n"), "puts");
    CHECK(model_putchar(0x141) == 'A' && wrote("A"), "putchar");
    CHECK(model_fputs("", model_stdout) == 1 && wrote(""), "fputs");
    CHECK(model_fwrite("abcdef", 2, 3, model_stdout) == 3 && wrote("abcdef"), "fwrite");
    CHECK(model_fwrite("abcdef", 0, 3, model_stdout) == 0 && wrote(""), "fwrite nothing");
    CHECK(model_write(1, "ab", 2) == 2 && wrote("ab") && model_write(7, "a", 1) == -1, "write");
    model___loupe_errno = ENOENT;
    model_perror("here");
    CHECK(wrote("here: No such file or directory\n"), "perror");
    CHECK(model_fputc('x', model_stdin) == EOF && model_ferror(model_stdin), "standard input");
    model_clearerr(model_stdin);
    CHECK(!model_ferror(model_stdin) && model_fflush(0) == 0, "clearerr");
    CHECK(model_fileno(model_stdin) == 0 && model_fileno(model_stderr) == 2, "fileno");
}

static void start_input(const char *text)
{
    model_clearerr(model_stdin);
    shim_stdin = text;
}

static void test_input(void)
{
    char buffer[8];
    start_input("ab\ncdefghijk");
    CHECK(model_getchar() == 'a' && model_ungetc('q', model_stdin) == 'q', "ungetc");
    CHECK(!strcmp(model_fgets(buffer, 8, model_stdin), "qb\n"), "fgets");
    CHECK(!strcmp(model_fgets(buffer, 4, model_stdin), "cde"), "fgets");
    CHECK(model_fread(buffer, 2, 2, model_stdin) == 2 && !memcmp(buffer, "fghi", 4), "fread");
    CHECK(!model_feof(model_stdin) && model_fread(buffer, 2, 2, model_stdin) == 1, "fread");
    CHECK(model_feof(model_stdin) && model_getchar() == EOF, "end");
    CHECK(!model_fgets(buffer, 8, model_stdin), "fgets at the end");

    char *line = 0;
    size_t size = 0;
    char text[400];
    memset(text, 'x', sizeof text);
    text[300] = '\n', text[399] = 0;
    start_input(text);
    CHECK(model_getline(&line, &size, model_stdin) == 301 && line[300] == '\n' && !line[301], "getline");
    CHECK(size >= 302, "%zu", size);
    CHECK(model_getline(&line, &size, model_stdin) == 98 && strlen(line) == 98, "getline");
    CHECK(model_getline(&line, &size, model_stdin) == -1 && model_feof(model_stdin), "getline");
    model_free(line);

    start_input("abc");
    CHECK(model_read(0, buffer, 2) == 2 && model_read(0, buffer, 2) == 1 && model_read(0, buffer, 2) == 0
              && model_read(3, buffer, 2) == -1,
          "read");
}

/* Whether the end was met is known from the input and the last directive alone. */
static void test_scanning(void)
{
    static const char *const inputs[] = {"", "1", "1 ", "1x", "12", "123", " ", "x", "1 2", "1.5e", "ab]"};
    static const char *const formats[] = {"%d", "%d ", "%c",  "%2d", "%dx", "%s", "%f",
                                          "%[a-z]", "%*d", "%d%n", "%c%n", "%1s", "%%", "%[]a]"};
    int known = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++) {
            char a[16] = "", b[16] = "";
            int n = 0, m = 0;
            size_t length = strlen(inputs[i]);
            FILE *stream = fmemopen((char *)inputs[i], length + !length, "r");
            if (!length)
                getc(stream), clearerr(stream);
            int count = fscanf(stream, formats[j], a, &n);
            int is_at_end = feof(stream) != 0;
            fclose(stream);
            start_input(inputs[i]);
            CHECK(model_scanf(formats[j], b, &m) == count && !memcmp(a, b, sizeof a) && n == m, "%s %s",
                  inputs[i], formats[j]);
            if (PATH_OF(model_feof(model_stdin)) == SHIM_UNSUPPORTED) {
                start_input("");
                continue;
            }
            known++;
            CHECK(!model_feof(model_stdin) == !is_at_end, "\"%s\" \"%s\" %d", inputs[i], formats[j],
                  is_at_end);
        }
    CHECK(known > 90, "%d", known);
    int x = 0, y = 0;
    CHECK(model_sscanf("3,4", "%d,%d", &x, &y) == 2 && x == 3 && y == 4, "sscanf");
    start_input("5");
    model_ungetc('7', model_stdin);
    CHECK(PATH_OF(model_scanf("%d", &x)) == SHIM_UNSUPPORTED, "scanf after ungetc");
    model_getchar(), model_getchar();
}

static volatile int caught;

static void handler(int number)
{
    caught = number;
}

static void test_signals(void)
{
    CHECK(model_signal(SIGINT, handler) == SIG_DFL && model_signal(SIGINT, handler) == handler, "signal");
    CHECK(model_raise(SIGINT) == 0 && caught == SIGINT, "raise");
    CHECK(model_signal(SIGTERM, SIG_IGN) == SIG_DFL && model_raise(SIGTERM) == 0, "ignored");
    CHECK(model_raise(SIGCHLD) == 0 && model_raise(0) == -1 && model_raise(99) == -1, "raise");
    CHECK(PATH_OF(model_raise(SIGABRT)) == SHIM_ABORT, "abort");
    CHECK(PATH_OF(model_raise(SIGSEGV)) == SHIM_UNSUPPORTED, "the end");
    CHECK(model_signal(SIGKILL, handler) == SIG_ERR && model_signal(-1, handler) == SIG_ERR, "errors");
    sigset_t a, b;
    memset(&a, 0, sizeof a);
    model_sigemptyset(&b);
    for (int number = 1; number < 65; number += 9) {
        a.__val[0] |= 1UL << (number - 1);
        CHECK(model_sigaddset(&b, number) == 0 && !memcmp(&a, &b, sizeof a), "%d", number);
        CHECK(model_sigismember(&b, number) == 1 && model_sigismember(&b, number == 64 ? 2 : number + 1) == 0,
              "%d", number);
    }
}

static void test_surroundings(void)
{
    model___loupe_errno = 0;
    CHECK(!model_fopen("file", "r") && model___loupe_errno == ENOENT, "fopen");
    CHECK(!model_fopen("file", "w") && model___loupe_errno == EROFS, "fopen");
    CHECK(!model_fopen("file", "?") && model___loupe_errno == EINVAL, "fopen");
    CHECK(model_open("file", O_RDONLY) == -1 && model___loupe_errno == ENOENT, "open");
    CHECK(model_open("file", O_CREAT | O_WRONLY, 0600) == -1 && model___loupe_errno == EROFS, "open");
    CHECK(model_access("file", F_OK) == -1, "access");
    CHECK(!strcmp(model_setlocale(LC_ALL, ""), "C") && !strcmp(model_setlocale(LC_CTYPE, 0), "C"), "locale");
    CHECK(!model_setlocale(LC_ALL, "de_DE") && !model_setlocale(77, "C"), "locale");
    struct lconv *a = localeconv(), *b = model_localeconv();
    CHECK(!strcmp(a->decimal_point, b->decimal_point) && !strcmp(a->grouping, b->grouping), "locale");
    CHECK(!memcmp(&a->int_frac_digits, &b->int_frac_digits, 14), "locale");
}

void test_streams(void)
{
    test_output();
    test_input();
    test_scanning();
    test_signals();
    test_surroundings();
    CHECK(model_fclose(model_stdout) == 0, "close");
    CHECK(PATH_OF(model_puts("x")) == SHIM_UNSUPPORTED, "closed");
}
