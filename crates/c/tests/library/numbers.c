/* Numbers, bits and characters. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check.h"
#include "shim.h"

extern int model___loupe_errno;
MODEL(strtol);
MODEL(strtoll);
MODEL(strtoul);
MODEL(strtoull);
MODEL(strtoimax);
MODEL(strtoumax);
MODEL(strtod);
MODEL(strtof);
MODEL(strtold);
MODEL(atoi);
MODEL(atol);
MODEL(atoll);
MODEL(atof);
MODEL(abs);
MODEL(labs);
MODEL(llabs);
MODEL(imaxabs);
MODEL(div);
MODEL(ldiv);
MODEL(lldiv);
MODEL(imaxdiv);

/* Value, end and error of one conversion, compared. */
#define SAME_CONVERSION(function, text, ...) \
    do { \
        char *end = "", *model_end = end; \
        errno = model___loupe_errno = 0; \
        __auto_type value = function(text, &end, ##__VA_ARGS__); \
        int error = errno; \
        __auto_type model_value = model_##function(text, &model_end, ##__VA_ARGS__); \
        CHECK(memcmp(&value, &model_value, sizeof value > 8 ? 10 : sizeof value) == 0, \
              #function " \"%s\": value %.20Lg, model %.20Lg", text, (long double)value, \
              (long double)model_value); \
        CHECK(end == model_end, #function " \"%s\"", text); \
        CHECK(error == model___loupe_errno, #function " \"%s\" %d %d", text, error, \
              model___loupe_errno); \
    } while (0)

static void test_integer(const char *text)
{
    static const int bases[] = {0, 2, 7, 8, 10, 16, 36, 1, 37, -1};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        SAME_CONVERSION(strtol, text, bases[i]);
        SAME_CONVERSION(strtoul, text, bases[i]);
        SAME_CONVERSION(strtoll, text, bases[i]);
        SAME_CONVERSION(strtoull, text, bases[i]);
        SAME_CONVERSION(strtoimax, text, bases[i]);
        SAME_CONVERSION(strtoumax, text, bases[i]);
    }
    CHECK(strtol(text, 0, 0) == model_strtol(text, 0, 0), "%s", text);
    CHECK(atoi(text) == model_atoi(text), "%s", text);
    CHECK(atol(text) == model_atol(text), "%s", text);
    CHECK(atoll(text) == model_atoll(text), "%s", text);
}

static void test_integers(void)
{
    static const char *const edges[] = {
        "", " ", "-", "+", "--1", "-+1", "0", "-0", "00", "08", "0x", "0X", "0xg", "0x1g", "x1", "-0x",
        "\t\n\v\f\r 7", "\x01" "7", "0x-1", "1 2", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
        "184467440737095516150", "2147483647", "2147483648", "-2147483648", "4294967296",
        "0x7fffffffffffffff", "0x8000000000000000", "-0x8000000000000000", "0xffffffffffffffff",
        "0x10000000000000000", "01777777777777777777777", "02000000000000000000000", "zz", "ZZ~",
        "1111111111111111111111111111111111111111111111111111111111111111",
        "10000000000000000000000000000000000000000000000000000000000000000", "  0b11", "0b"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        test_integer(edges[i]);
    for (int round = 0; round < 1500; round++) {
        char text[28];
        if (random_below(2))
            random_string(text, sizeof text, "0123456789");
        else if (random_below(2))
            random_string(text, sizeof text, "01289afAFxXzZ+- \t");
        else
            snprintf(text, sizeof text, random_below(2) ? "%lld" : "%#llx",
                     (long long)random_number());
        test_integer(text);
    }
}

static void test_floats(void)
{
    static const char *const edges[] = {
        "", ".", "-", "+.", "e5", "1e", "1e+", "1.", ".5", "-.5e1", "inf", "-INFINITY", "infinit", "nan",
        "0", "-0", "0e999", "1e308", "1e309", "-1e309", "1e-307", "1e-324", "1e-400", "0x1p3", "0x",
        "0x.", "0x1.8p1", "0x1p1024", "0x1p-2000", " \t1.5x", "3.4028235e38", "1e39", "1e-39", "1e-60",
        "2.5", "0.1", "123456789012345678", "1e27", "1e-27", "0.1e1", "00012.500", "1.7976931348623157e308"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        SAME_CONVERSION(strtod, edges[i]);
        CHECK(atof(edges[i]) == model_atof(edges[i]) || atof(edges[i]) != atof(edges[i]), "%s", edges[i]);
        if (PATH_OF(model_strtof(edges[i], 0)) != SHIM_UNSUPPORTED)
            SAME_CONVERSION(strtof, edges[i]);
        if (PATH_OF(model_strtold(edges[i], 0)) != SHIM_UNSUPPORTED)
            SAME_CONVERSION(strtold, edges[i]);
    }
    int modelled = 0;
    for (int round = 0; round < 3000; round++) {
        char text[40];
        snprintf(text, sizeof text, "%s%u.%0*ue%d", random_below(2) ? "-" : "", random_below(100000),
                 (int)random_below(9) + 1, random_below(1000000000), (int)random_below(30) - 15);
        SAME_CONVERSION(strtod, text);
        if (PATH_OF(model_strtof(text, 0)) == 0)
            SAME_CONVERSION(strtof, text);
        if (PATH_OF(model_strtold(text, 0)) == 0) {
            SAME_CONVERSION(strtold, text);
            modelled++;
        }
    }
    CHECK(modelled > 2500, "%d", modelled);
}

/* Not of the least number, or by 0: that is undefined. */
static void test_arithmetic(void)
{
    for (int round = 0; round < 2000; round++) {
        long long x = (long long)random_number(), y = (long long)random_number();
        if (x == LLONG_MIN || y == 0 || (int)y == 0 || (int)x == INT_MIN)
            continue;
        CHECK(abs((int)x) == model_abs((int)x), "%lld", x);
        CHECK(labs(x) == model_labs(x) && llabs(x) == model_llabs(x), "%lld", x);
        CHECK(imaxabs(x) == model_imaxabs(x), "%lld", x);
        div_t a = div((int)x, (int)y), b = model_div((int)x, (int)y);
        CHECK(a.quot == b.quot && a.rem == b.rem, "%lld %lld", x, y);
        ldiv_t c = ldiv(x, y), d = model_ldiv(x, y);
        CHECK(c.quot == d.quot && c.rem == d.rem, "%lld %lld", x, y);
        lldiv_t e = lldiv(x, y), f = model_lldiv(x, y);
        CHECK(e.quot == f.quot && e.rem == f.rem, "%lld %lld", x, y);
        imaxdiv_t g = imaxdiv(x, y), h = model_imaxdiv(x, y);
        CHECK(g.quot == h.quot && g.rem == h.rem, "%lld %lld", x, y);
    }
}

#define BITS(name, argument) \
    extern int model___loupe_##name##32(unsigned argument); \
    extern int model___loupe_##name##64(unsigned long long argument);
BITS(popcount, x)
BITS(parity, x)
BITS(ctz, x)
BITS(clz, x)
BITS(ffs, x)
extern int model___loupe_clrsb32(int);
extern int model___loupe_clrsb64(long long);
extern unsigned short model___loupe_bswap16(unsigned short);
extern unsigned model___loupe_bswap32(unsigned);
extern unsigned long long model___loupe_bswap64(unsigned long long);
MODEL(ffs);
MODEL(ffsl);
MODEL(ffsll);
MODEL(htonl);
MODEL(htons);
MODEL(ntohl);
MODEL(ntohs);

static void test_bits(void)
{
    for (int round = 0; round < 4000; round++) {
        unsigned long long x = random_number();
        unsigned y = (unsigned)x;
        CHECK(model___loupe_popcount32(y) == __builtin_popcount(y), "%u", y);
        CHECK(model___loupe_popcount64(x) == __builtin_popcountll(x), "%llu", x);
        CHECK(model___loupe_parity32(y) == __builtin_parity(y), "%u", y);
        CHECK(model___loupe_parity64(x) == __builtin_parityll(x), "%llu", x);
        CHECK(model___loupe_ctz32(y) == (y ? __builtin_ctz(y) : 32), "%u", y);
        CHECK(model___loupe_ctz64(x) == (x ? __builtin_ctzll(x) : 64), "%llu", x);
        CHECK(model___loupe_clz32(y) == (y ? __builtin_clz(y) : 32), "%u", y);
        CHECK(model___loupe_clz64(x) == (x ? __builtin_clzll(x) : 64), "%llu", x);
        CHECK(model___loupe_ffs32(y) == __builtin_ffs((int)y), "%u", y);
        CHECK(model___loupe_ffs64(x) == __builtin_ffsll((long long)x), "%llu", x);
        CHECK(model___loupe_clrsb32((int)y) == __builtin_clrsb((int)y), "%u", y);
        CHECK(model___loupe_clrsb64((long long)x) == __builtin_clrsbll((long long)x), "%llu", x);
        CHECK(model___loupe_bswap16((unsigned short)x) == __builtin_bswap16((unsigned short)x), "%u", y);
        CHECK(model___loupe_bswap32(y) == __builtin_bswap32(y), "%u", y);
        CHECK(model___loupe_bswap64(x) == __builtin_bswap64(x), "%llu", x);
        CHECK(model_ffs((int)y) == ffs((int)y) && model_ffsl((long)x) == ffsl((long)x), "%u", y);
        CHECK(model_ffsll((long long)x) == ffsll((long long)x), "%llu", x);
        CHECK(model_htonl(y) == htonl(y) && model_ntohl(y) == ntohl(y), "%u", y);
        CHECK(model_htons((uint16_t)y) == htons((uint16_t)y), "%u", y);
        CHECK(model_ntohs((uint16_t)y) == ntohs((uint16_t)y), "%u", y);
    }
}

void test_numbers(void)
{
    test_integers();
    test_floats();
    test_arithmetic();
    test_bits();
}

#define CLASS(name) extern int model_##name(int);
CLASS(isalnum) CLASS(isalpha) CLASS(isblank) CLASS(iscntrl) CLASS(isdigit) CLASS(isgraph)
CLASS(islower) CLASS(isprint) CLASS(ispunct) CLASS(isspace) CLASS(isupper) CLASS(isxdigit)
CLASS(tolower) CLASS(toupper) CLASS(isascii) CLASS(toascii)
extern const unsigned short **model___ctype_b_loc(void);
extern const int **model___ctype_tolower_loc(void);
extern const int **model___ctype_toupper_loc(void);

void test_characters(void)
{
    for (int c = -128; c < 256; c++) {
#define SAME(name) \
    CHECK((name)(c) == model_##name(c), #name " %d: %d, model %d", c, (name)(c), model_##name(c))
        SAME(isalnum); SAME(isalpha); SAME(isblank); SAME(iscntrl); SAME(isdigit); SAME(isgraph);
        SAME(islower); SAME(isprint); SAME(ispunct); SAME(isspace); SAME(isupper); SAME(isxdigit);
        SAME(tolower); SAME(toupper); SAME(toascii);
        CHECK(!isascii(c) == !model_isascii(c), "%d", c);
        CHECK((*__ctype_b_loc())[c] == (*model___ctype_b_loc())[c], "%d", c);
        CHECK((*__ctype_tolower_loc())[c] == (*model___ctype_tolower_loc())[c], "%d", c);
        CHECK((*__ctype_toupper_loc())[c] == (*model___ctype_toupper_loc())[c], "%d", c);
    }
    CHECK(tolower(1000) == model_tolower(1000) && toupper(-1000) == model_toupper(-1000), "far out");
    CHECK(PATH_OF(model_isalpha(256)) == SHIM_UNSUPPORTED, "undefined");
    CHECK(PATH_OF(model_isspace(-129)) == SHIM_UNSUPPORTED, "undefined");
}
