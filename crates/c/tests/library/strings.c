/* Memory and strings. */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

#include "check.h"
#include "shim.h"

MODEL(memcpy);
MODEL(mempcpy);
MODEL(memmove);
MODEL(memset);
MODEL(memcmp);
MODEL(bcmp);
MODEL(memchr);
MODEL(memrchr);
MODEL(rawmemchr);
MODEL(memccpy);
MODEL(memmem);
MODEL(bcopy);
MODEL(bzero);
MODEL(strlen);
MODEL(strnlen);
MODEL(strcpy);
MODEL(stpcpy);
MODEL(strncpy);
MODEL(stpncpy);
MODEL(strcat);
MODEL(strncat);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcoll);
MODEL(strxfrm);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(strcasestr);
MODEL(strchr);
MODEL(index);
MODEL(strrchr);
MODEL(rindex);
MODEL(strchrnul);
MODEL(strstr);
MODEL(strspn);
MODEL(strcspn);
MODEL(strpbrk);
MODEL(strtok);
MODEL(strtok_r);
MODEL(strsep);
MODEL(strerror);
MODEL(strerror_r);
MODEL(strsignal);
MODEL(nl_langinfo);
MODEL(gettext);
MODEL(dcgettext);
MODEL(dcngettext);
MODEL(basename);
extern int __xpg_strerror_r(int, char *, size_t);
MODEL(__xpg_strerror_r);

enum { SIZE = 48 };

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* Two equal blocks of random bytes from a small set, so that bytes repeat. */
static void random_blocks(char *a, char *b)
{
    for (int i = 0; i < SIZE; i++)
        a[i] = b[i] = "\0ab\x80\xff"[random_below(5)];
}

void test_memory(void)
{
    char a[SIZE], b[SIZE], c[SIZE];
    for (int round = 0; round < 3000; round++) {
        random_blocks(a, b);
        random_blocks(c, c);
        size_t from = random_below(SIZE / 2), to = random_below(SIZE / 2);
        size_t n = random_below(SIZE / 2 + 1);
        int byte = "\0ab\x80\xff"[random_below(5)] + 256 * (int)random_below(3);
        size_t m = random_below(4);

        CHECK(sign(memcmp(a + from, c + to, n)) == sign(model_memcmp(a + from, c + to, n)), "%zu", n);
        CHECK(!bcmp(a + from, c + to, m) == !model_bcmp(a + from, c + to, m), "%zu", m);
        CHECK(memchr(a + from, byte, n) == model_memchr(a + from, byte, n), "%d", byte);
        CHECK(memrchr(a + from, byte, n) == model_memrchr(a + from, byte, n), "%d", byte);
        CHECK(memmem(a, n, c, m) == model_memmem(a, n, c, m), "%zu %zu", n, m);
        a[SIZE - 1] = b[SIZE - 1] = (char)byte;
        CHECK(rawmemchr(a, byte) == model_rawmemchr(a, byte), "%d", byte);

        CHECK(model_memmove(b + to, b + from, n) == b + to, "result");
        memmove(a + to, a + from, n);
        CHECK(memcmp(a, b, SIZE) == 0, "memmove %zu %zu %zu", to, from, n);
        model_bcopy(b + from, b + to, n), bcopy(a + from, a + to, n);
        CHECK(memcmp(a, b, SIZE) == 0, "bcopy");
        CHECK(model_memset(b + to, byte, n) == b + to, "result");
        memset(a + to, byte, n);
        CHECK(memcmp(a, b, SIZE) == 0, "memset");
        CHECK(model_memcpy(b + to, c + from, n) == b + to, "result");
        memcpy(a + to, c + from, n);
        CHECK(memcmp(a, b, SIZE) == 0, "memcpy");
        CHECK(model_mempcpy(b + to, c + from, n) == b + to + n, "result");
        void *end = memccpy(a, c + from, byte, n);
        void *model_end = model_memccpy(b, c + from, byte, n);
        CHECK(end ? (char *)end - a == (char *)model_end - b : !model_end, "memccpy");
        mempcpy(a + to, c + from, n);
        model_mempcpy(b + to, c + from, n);
        CHECK(memcmp(a, b, SIZE) == 0, "mempcpy");
        model_bzero(b + to, n), bzero(a + to, n);
        CHECK(memcmp(a, b, SIZE) == 0, "bzero");
    }
    CHECK(PATH_OF(model_memcpy(a, a + 3, 4)) == SHIM_OVERLAP, "overlap");
    CHECK(PATH_OF(model_memcpy(a, a + 4, 4)) == 0, "no overlap");
    CHECK(PATH_OF(model_memmove(a, a + 3, 4)) == 0, "overlap of memmove");
}

static void test_copies(const char *text, const char *other)
{
    char a[3 * SIZE], b[3 * SIZE];
    size_t n = random_below(SIZE + 8);
    memset(a, '#', sizeof a), memset(b, '#', sizeof b);

    CHECK(model_strcpy(b, text) == b, "result");
    strcpy(a, text);
    CHECK(memcmp(a, b, sizeof a) == 0, "strcpy %s", text);
    CHECK(model_strcat(b, other) == b, "result");
    strcat(a, other);
    CHECK(memcmp(a, b, sizeof a) == 0, "strcat");
    CHECK(model_stpcpy(b, text) - b == stpcpy(a, text) - a, "stpcpy %s", text);
    CHECK(model_strncat(b, other, n) == b, "result");
    strncat(a, other, n);
    CHECK(memcmp(a, b, sizeof a) == 0, "strncat %zu", n);
    CHECK(model_strncpy(b, text, n) == b, "result");
    strncpy(a, text, n);
    CHECK(memcmp(a, b, sizeof a) == 0, "strncpy %zu", n);
    CHECK(model_stpncpy(b, other, n) - b == stpncpy(a, other, n) - a, "stpncpy %zu", n);
    CHECK(memcmp(a, b, sizeof a) == 0, "stpncpy %zu", n);
    CHECK(model_strxfrm(0, text, 0) == strxfrm(0, text, 0), "strxfrm");
    size_t length = strxfrm(a, text, n);
    CHECK(model_strxfrm(b, text, n) == length, "strxfrm %zu", n);
    /* What is in the buffer is unspecified if the string does not fit. */
    CHECK(length >= n || strcmp(a, b) == 0, "strxfrm");
}

static void test_comparisons(const char *text, const char *other)
{
    size_t n = random_below(8);
    CHECK(sign(strcmp(text, other)) == sign(model_strcmp(text, other)), "%s %s", text, other);
    CHECK(sign(strcoll(text, other)) == sign(model_strcoll(text, other)), "%s %s", text, other);
    CHECK(sign(strncmp(text, other, n)) == sign(model_strncmp(text, other, n)), "%zu", n);
    CHECK(sign(strcasecmp(text, other)) == sign(model_strcasecmp(text, other)), "%s %s", text, other);
    CHECK(sign(strncasecmp(text, other, n)) == sign(model_strncasecmp(text, other, n)), "%zu", n);
    CHECK(strlen(text) == model_strlen(text), "%s", text);
    CHECK(strnlen(text, n) == model_strnlen(text, n), "%s", text);
}

static void test_searches(const char *text, const char *set)
{
    int byte = "\0abB\x80"[random_below(5)] + 256 * (int)random_below(3);
    CHECK(strchr(text, byte) == model_strchr(text, byte), "%s %d", text, byte);
    CHECK(index(text, byte) == model_index(text, byte), "%s %d", text, byte);
    CHECK(strrchr(text, byte) == model_strrchr(text, byte), "%s %d", text, byte);
    CHECK(rindex(text, byte) == model_rindex(text, byte), "%s %d", text, byte);
    CHECK(strchrnul(text, byte) == model_strchrnul(text, byte), "%s %d", text, byte);
    CHECK(strstr(text, set) == model_strstr(text, set), "%s %s", text, set);
    CHECK(strcasestr(text, set) == model_strcasestr(text, set), "%s %s", text, set);
    CHECK(strspn(text, set) == model_strspn(text, set), "%s %s", text, set);
    CHECK(strcspn(text, set) == model_strcspn(text, set), "%s %s", text, set);
    CHECK(strpbrk(text, set) == model_strpbrk(text, set), "%s %s", text, set);
    CHECK(basename(text) == model_basename(text), "%s", text);
}

/* The same tokens at the same places, until there are none. */
static void test_tokens(const char *text, const char *set)
{
    char a[SIZE], b[SIZE], c[SIZE], d[SIZE], e[SIZE], f[SIZE];
    strcpy(a, text), strcpy(b, text), strcpy(c, text), strcpy(d, text), strcpy(e, text),
        strcpy(f, text);
    char *rest, *model_rest, *fields = e, *model_fields = f;
    char *next = strtok(a, set), *model_next = model_strtok(b, set);
    char *next_r = strtok_r(c, set, &rest), *model_next_r = model_strtok_r(d, set, &model_rest);
    for (int i = 0; i < SIZE; i++) {
        CHECK(next ? next - a == model_next - b : !model_next, "strtok %s %s", text, set);
        CHECK(next_r ? next_r - c == model_next_r - d : !model_next_r, "strtok_r %s", text);
        next = strtok(0, set), model_next = model_strtok(0, set);
        next_r = strtok_r(0, set, &rest), model_next_r = model_strtok_r(0, set, &model_rest);
        char *field = strsep(&fields, set), *model_field = model_strsep(&model_fields, set);
        CHECK(field ? field - e == model_field - f : !model_field, "strsep %s %s", text, set);
        CHECK(fields ? fields - e == model_fields - f : !model_fields, "strsep %s %s", text, set);
    }
    CHECK(!memcmp(a, b, strlen(text)) && !memcmp(c, d, strlen(text)) && !memcmp(e, f, strlen(text)),
          "%s", text);
}

/* Texts of the system, in the locale "C" that this program never leaves. */
static void test_texts(void)
{
    for (int number = -2; number < 70; number++)
        CHECK(strcmp(strsignal(number), model_strsignal(number)) == 0, "%d", number);
    for (nl_item item = ABDAY_1; item <= T_FMT_AMPM; item++)
        CHECK(strcmp(nl_langinfo(item), model_nl_langinfo(item)) == 0, "%x", item);
    nl_item items[] = {CODESET, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR, CRNCYSTR};
    for (unsigned i = 0; i < sizeof items / sizeof *items; i++)
        CHECK(strcmp(nl_langinfo(items[i]), model_nl_langinfo(items[i])) == 0, "%x", items[i]);
    const char *one = "one", *many = "many";
    CHECK(gettext(one) == model_gettext(one), "gettext");
    CHECK(dcgettext("d", one, LC_TIME) == model_dcgettext("d", one, LC_TIME), "dcgettext");
    for (unsigned long count = 0; count < 4; count++)
        CHECK(dcngettext(0, one, many, count, LC_ALL) ==
                  model_dcngettext(0, one, many, count, LC_ALL), "%lu", count);
}

void test_strings(void)
{
    char text[SIZE], other[SIZE], set[4];
    for (int round = 0; round < 4000; round++) {
        random_string(text, SIZE, "abABz/\x80");
        if (random_below(3)) {
            strcpy(other, text);
            other[random_below((unsigned)strlen(other) + 1)] = "aAzZ\0\x81"[random_below(6)];
            other[strlen(text)] = 0;
        } else
            random_string(other, SIZE, "abABz/\x80");
        random_string(set, sizeof set, "abAz/");
        test_copies(text, other);
        test_comparisons(text, other);
        test_searches(text, set);
        test_tokens(text, set);
    }
    for (int error = -2; error < 140; error++) {
        CHECK(strcmp(strerror(error), model_strerror(error)) == 0, "%d", error);
        char a[20] = "", b[20] = "";
        CHECK(__xpg_strerror_r(error, a, 20) == model___xpg_strerror_r(error, b, 20), "%d", error);
        CHECK(strcmp(strerror_r(error, a, 17), model_strerror_r(error, b, 17)) == 0, "%d", error);
        CHECK(strcmp(a, b) == 0, "%d", error);
    }
    test_texts();
    char overlapping[] = "abcdef";
    CHECK(PATH_OF(model_strcpy(overlapping + 1, overlapping)) == SHIM_OVERLAP, "overlap");
}
