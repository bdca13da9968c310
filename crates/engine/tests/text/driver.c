/* Reads cases from standard input and does with the C library what they say. All numbers are little
   endian. Arguments are laid out as the x86-64 ABI has them in memory: a va_list whose registers are
   used up takes everything from there. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET_SIZE = 256 };

static void take(void *to, size_t size) {
    if (size != 0 && fread(to, size, 1, stdin) != 1) exit(1);
}

static uint32_t take_number(void) {
    uint32_t number;
    take(&number, sizeof number);
    return number;
}

/* A block of exactly the size that the case says. */
static char *take_block(uint32_t *size) {
    *size = take_number();
    char *block = malloc(*size + (*size == 0));
    take(block, *size);
    return block;
}

static char *take_text(void) {
    uint32_t size = take_number();
    char *text = malloc(size + 1);
    take(text, size);
    text[size] = 0;
    return text;
}

static void give(const void *from, size_t size) {
    fwrite(from, 1, size, stdout);
}

static void give_number(uint32_t number) {
    give(&number, sizeof number);
}

struct list {
    unsigned general, floating;
    void *memory, *registers;
};

static void set_list(va_list list, void *memory) {
    struct list fields = {48, 176, memory, 0};
    memcpy(list, &fields, sizeof fields);
}

static void print_case(void) {
    char *format = take_text();
    uint32_t size;
    char *taken = take_block(&size);
    char *memory = aligned_alloc(16, size / 16 * 16 + 16);
    memcpy(memory, taken, size);
    uint32_t count = take_number();
    char *blocks[count + 1];
    uint32_t sizes[count + 1];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset = take_number();
        blocks[i] = take_block(&sizes[i]);
        memcpy(memory + offset, &blocks[i], sizeof blocks[i]);
    }
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    va_list list;
    set_list(list, memory);
    errno = 0;
    give_number(vfprintf(stream, format, list));
    fclose(stream);
    give_number(length);
    give(text, length);
    for (uint32_t i = 0; i < count; i++) {
        give(blocks[i], sizes[i]);
        free(blocks[i]);
    }
    free(text);
    free(memory);
    free(taken);
    free(format);
}

static void scan_case(void) {
    char *format = take_text();
    uint32_t size;
    char *input = take_block(&size);
    uint32_t count = take_number();
    char targets[count + 1][TARGET_SIZE];
    void *memory[count + 1];
    memset(targets, 0xa5, sizeof targets);
    for (uint32_t i = 0; i < count; i++) memory[i] = targets[i];
    FILE *stream = fmemopen(input, size, "rb");
    va_list list;
    set_list(list, memory);
    give_number(vfscanf(stream, format, list));
    give_number(ftell(stream));
    give(targets, count * TARGET_SIZE);
    fclose(stream);
    free(input);
    free(format);
}

#define PARSE(type, function, size)                    \
    do {                                               \
        char bytes[16] = {0};                          \
        char *end;                                     \
        errno = 0;                                     \
        type value = function(text, &end);             \
        memcpy(bytes, &value, size);                   \
        give(bytes, 16);                               \
        give_number(end - text);                       \
        give_number(errno == ERANGE);                  \
    } while (0)

static void parse_case(void) {
    char *text = take_text();
    PARSE(float, strtof, 4);
    PARSE(double, strtod, 8);
    PARSE(long double, strtold, 10);
    free(text);
}

int main(int count, char **arguments) {
    (void)arguments;
    if (count > 1) {
        puts(gnu_get_libc_version());
        return 0;
    }
    for (int kind; (kind = getchar()) != EOF;) {
        switch (kind) {
        case 'p': print_case(); break;
        case 's': scan_case(); break;
        case 'f': parse_case(); break;
        default: return 1;
        }
    }
    return 0;
}
