/* Whole programs: start, end, assertions, options, inputs. */
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "shim.h"

MODEL(exit);
MODEL(_exit);
MODEL(quick_exit);
MODEL(atexit);
MODEL(on_exit);
MODEL(at_quick_exit);
MODEL(abort);
MODEL(rand);
MODEL(drand48);
MODEL(getpid);
MODEL(__assert_fail);
extern void model___loupe_start0(void);
extern void model___loupe_start1(void);
extern void model___loupe_start2(void);
extern void model___loupe_start3(void);
extern void model_reach_error(void);
extern void model___VERIFIER_error(void);
extern void model___VERIFIER_assert(int);
extern void model___VERIFIER_assume(int);
extern double model___VERIFIER_nondet_double(void);
extern float model___VERIFIER_nondet_float(void);
extern __int128 model___VERIFIER_nondet_int128(void);
extern void *model___VERIFIER_nondet_pointer(void);
extern _Bool model___VERIFIER_nondet_bool(void);
extern void model___VERIFIER_nondet_memory(void *, size_t);

static char order[16];

static void first(void)
{
    strcat(order, "1");
}

static void second(void)
{
    strcat(order, "2");
    model_atexit(first);
}

static void third(int status, void *argument)
{
    strcat(order, status == 3 ? argument : "?");
}

int model___loupe_main0(void)
{
    model_atexit(first);
    model_atexit(second);
    model_on_exit(third, "3");
    return 3;
}

int model___loupe_main1(int count)
{
    return count;
}

int model___loupe_main2(int count, char **arguments)
{
    CHECK(count == 3 && !strcmp(arguments[0], "program") && !strcmp(arguments[1], "")
              && !strcmp(arguments[2], "-x") && !arguments[3],
          "arguments");
    return 4;
}

int model___loupe_main3(int count, char **arguments, char **environment)
{
    CHECK(count == 3 && !arguments[3] && environment, "arguments");
    model_exit(300);
    return 0;
}

static void test_ends(void)
{
    CHECK(PATH_OF(model___loupe_start0()) == SHIM_EXIT && shim_input == 3, "start");
    CHECK(!strcmp(order, "3211"), "%s", order);
    CHECK(PATH_OF(model___loupe_start1()) == SHIM_EXIT && shim_input == 3, "start");
    CHECK(PATH_OF(model___loupe_start2()) == SHIM_EXIT && shim_input == 4, "start");
    CHECK(PATH_OF(model___loupe_start3()) == SHIM_EXIT && shim_input == 300, "start");
    order[0] = 0;
    model_at_quick_exit(first);
    model_atexit(second);
    CHECK(PATH_OF(model__exit(5)) == SHIM_EXIT && shim_input == 5 && !*order, "_exit");
    CHECK(PATH_OF(model_quick_exit(6)) == SHIM_EXIT && !strcmp(order, "1"), "quick_exit");
    CHECK(PATH_OF(model_abort()) == SHIM_ABORT, "abort");
    CHECK(PATH_OF(model___assert_fail("", "", 1, "")) == SHIM_ASSERTION, "assertion");
}

static void test_verifier(void)
{
    CHECK(PATH_OF(model_reach_error()) == SHIM_ERROR, "error");
    CHECK(PATH_OF(model___VERIFIER_error()) == SHIM_ERROR, "error");
    CHECK(PATH_OF(model___VERIFIER_assert(0)) == SHIM_ERROR, "assert");
    CHECK(PATH_OF(model___VERIFIER_assert(2)) == 0, "assert");
    CHECK(PATH_OF(model___VERIFIER_assume(0)) == SHIM_ASSUME, "assume");
    shim_input = 0x4005bf0a8b145769;
    CHECK(model___VERIFIER_nondet_double() == 2.718281828459045, "double");
    CHECK(model___VERIFIER_nondet_int128() == ((__int128)shim_input << 64 | shim_input), "128 bits");
    CHECK(PATH_OF(model___VERIFIER_nondet_pointer()) == SHIM_UNSUPPORTED, "pointer");
    CHECK(model___VERIFIER_nondet_bool() == 1, "bool");
    char bytes[3];
    model___VERIFIER_nondet_memory(bytes, 3);
    CHECK(!memcmp(bytes, "iii", 3), "memory");
    shim_input = 0x3fc00000;
    CHECK(model___VERIFIER_nondet_float() == 1.5f, "float");
    CHECK(model_rand() == 0x3fc00000, "rand");
    CHECK(model_drand48() == 0x3fc00000 / 281474976710656.0, "drand48");
    CHECK(model_getpid() == 0x3fc00000, "getpid");
    shim_input = 0;
    CHECK(!model___VERIFIER_nondet_pointer(), "null");
    CHECK(model_getpid() == 0x3fc00000, "the same");
    shim_input = 0x80000000;
    CHECK(PATH_OF(model_rand()) == SHIM_ASSUME, "negative");
}

MODEL(getopt);
MODEL(getopt_long);
extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;

static const struct option long_options[] = {{"all", no_argument, 0, 'A'},
                                             {"also", no_argument, 0, 'B'},
                                             {"file", required_argument, 0, 'F'},
                                             {"maybe", optional_argument, 0, 'M'},
                                             {0, 0, 0, 0}};

/* The same options in the same order, and the same arguments left at the end. */
static void test_command_line(char **arguments, int count, const char *options)
{
    char *a[12], *b[12];
    memcpy(a, arguments, sizeof a), memcpy(b, arguments, sizeof b);
    optind = model_optind = 0;
    opterr = model_opterr = 0;
    int has_long_options = (int)random_below(2);
    for (int i = 0; i < 40; i++) {
        int index = -5, model_index = -5;
        int option = has_long_options ? getopt_long(count, a, options, long_options, &index)
                                      : getopt(count, a, options);
        int model = has_long_options ? model_getopt_long(count, b, options, long_options, &model_index)
                                     : model_getopt(count, b, options);
        CHECK(option == model && index == model_index, "%d, model %d", option, model);
        CHECK(optind == model_optind, "%d, model %d", optind, model_optind);
        CHECK(optarg == model_optarg, "%s %s", optarg, model_optarg);
        CHECK(option != '?' || optopt == model_optopt, "%d, model %d", optopt, model_optopt);
        if (option == -1)
            break;
    }
    CHECK(memcmp(a, b, (size_t)count * sizeof *a) == 0, "order of %d", count);
}

static void test_options(void)
{
    static char *const words[] = {"-a",     "-b",      "-ab",     "-bvalue", "-abc",  "x",         "y",       "-",
                                  "--",     "-c",      "-cmore",  "-z",      "--all", "--al",      "--file",  "--file=f",
                                  "--fi",   "--maybe", "--maybe=m", "--all=x", "--none", "",       "-:",      "-acx"};
    static const char *const options[] = {"ab:c::", "+ab:c::", ":ab:c::", "", "+:ab:c::"};
    for (int round = 0; round < 4000; round++) {
        char *arguments[12] = {"program"};
        int count = (int)random_below(9) + 1;
        for (int i = 1; i < count; i++)
            arguments[i] = words[random_below(sizeof words / sizeof *words)];
        test_command_line(arguments, count, options[random_below(5)]);
    }
    char *arguments[] = {"program", "-z", 0};
    model_optind = 0, model_opterr = 1, shim_output_size = 0;
    CHECK(model_getopt(2, arguments, "a") == '?', "message");
    shim_output[shim_output_size] = 0;
    CHECK(!strcmp(shim_output, "program: invalid option -- 'z'\n"), "%s", shim_output);
}

void test_programs(void)
{
    test_ends();
    test_verifier();
    test_options();
}
