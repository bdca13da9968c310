/* Runs the model of the C library against the machine's library. */
#include <string.h>

#include "check.h"

unsigned long checks;
unsigned long failures;

static unsigned long long state = 0x9e3779b97f4a7c15;

/* xorshift64*: the same numbers every time. */
unsigned long long random_bits(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1dULL;
}

unsigned random_below(unsigned bound)
{
    return (unsigned)((random_bits() >> 32) % bound);
}

void random_string(char *to, size_t size, const char *alphabet)
{
    size_t length = random_below((unsigned)size);
    unsigned letters = (unsigned)strlen(alphabet);
    for (size_t i = 0; i < length; i++)
        to[i] = alphabet[random_below(letters)];
    to[length] = 0;
}

unsigned long long random_number(void)
{
    switch (random_below(3)) {
    case 0:
        return random_below(40) - 20ULL;
    case 1:
        return (1ULL << random_below(64)) + random_below(3) - 1ULL;
    default:
        return random_bits();
    }
}

int main(void)
{
    test_memory();
    test_strings();
    test_numbers();
    test_characters();
    test_heap();
    test_sorting();
    test_mathematics();
    test_streams();
    test_time();
    test_programs();
    printf("%lu checks, %lu failures\n", checks, failures);
    return failures != 0;
}
