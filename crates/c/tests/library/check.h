/* Checks and random data that the tests of the model share. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdio.h>

extern unsigned long checks;
extern unsigned long failures;

/* Counts a check, and shows one that fails. */
#define CHECK(condition, ...) \
    do { \
        checks++; \
        if (!(condition)) { \
            failures++; \
            if (failures <= 40) { \
                printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
                printf(__VA_ARGS__); \
                printf("\n"); \
            } \
        } \
    } while (0)

extern unsigned long long random_bits(void);
extern unsigned random_below(unsigned bound);
/* Fills a buffer with a string of random length over an alphabet. */
extern void random_string(char *to, size_t size, const char *alphabet);
/* A number from everywhere: small, near a power of two, or any. */
extern unsigned long long random_number(void);

extern void test_memory(void);
extern void test_strings(void);
extern void test_numbers(void);
extern void test_characters(void);
extern void test_heap(void);
extern void test_sorting(void);
extern void test_mathematics(void);
extern void test_streams(void);
extern void test_time(void);
extern void test_programs(void);

#endif
