/* The functions of the rules of SV-COMP. A program that defines one itself keeps its own. */
#include "loupe.h"

void __VERIFIER_error(void)
{
    __loupe_error();
    __loupe_abort();
}

void reach_error(void)
{
    __loupe_error();
}

void __VERIFIER_assert(int condition)
{
    if (!condition) {
        __loupe_error();
        __loupe_abort();
    }
}

void __VERIFIER_assume(int condition)
{
    __loupe_assume(condition);
}

void assume_abort_if_not(int condition)
{
    __loupe_assume(condition);
}

/* There is one thread. */
void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void)
{
}

_Bool __VERIFIER_nondet_bool(void)
{
    return __loupe_input_bool();
}

_Bool __VERIFIER_nondet__Bool(void)
{
    return __loupe_input_bool();
}

char __VERIFIER_nondet_char(void)
{
    return __loupe_input_char();
}

unsigned char __VERIFIER_nondet_uchar(void)
{
    return __loupe_input_uchar();
}

unsigned char __VERIFIER_nondet_unsigned_char(void)
{
    return __loupe_input_uchar();
}

unsigned char __VERIFIER_nondet_u8(void)
{
    return __loupe_input_uchar();
}

short __VERIFIER_nondet_short(void)
{
    return __loupe_input_short();
}

unsigned short __VERIFIER_nondet_ushort(void)
{
    return __loupe_input_ushort();
}

unsigned short __VERIFIER_nondet_unsigned_short(void)
{
    return __loupe_input_ushort();
}

unsigned short __VERIFIER_nondet_u16(void)
{
    return __loupe_input_ushort();
}

int __VERIFIER_nondet_int(void)
{
    return __loupe_input_int();
}

unsigned int __VERIFIER_nondet_uint(void)
{
    return __loupe_input_uint();
}

unsigned int __VERIFIER_nondet_unsigned_int(void)
{
    return __loupe_input_uint();
}

unsigned int __VERIFIER_nondet_unsigned(void)
{
    return __loupe_input_uint();
}

unsigned int __VERIFIER_nondet_u32(void)
{
    return __loupe_input_uint();
}

long __VERIFIER_nondet_long(void)
{
    return __loupe_input_long();
}

unsigned long __VERIFIER_nondet_ulong(void)
{
    return __loupe_input_ulong();
}

unsigned long __VERIFIER_nondet_unsigned_long(void)
{
    return __loupe_input_ulong();
}

size_t __VERIFIER_nondet_size_t(void)
{
    return (size_t)__loupe_input_ulong();
}

unsigned long __VERIFIER_nondet_sector_t(void)
{
    return __loupe_input_ulong();
}

long long __VERIFIER_nondet_longlong(void)
{
    return __loupe_input_longlong();
}

long long __VERIFIER_nondet_loff_t(void)
{
    return __loupe_input_longlong();
}

unsigned long long __VERIFIER_nondet_ulonglong(void)
{
    return __loupe_input_ulonglong();
}

unsigned long long __VERIFIER_nondet_u64(void)
{
    return __loupe_input_ulonglong();
}

#ifdef __SIZEOF_INT128__
static unsigned __int128 __loupe_input_uint128(void)
{
    unsigned __int128 high = __loupe_input_ulonglong();
    return high << 64 | __loupe_input_ulonglong();
}

__int128 __VERIFIER_nondet_int128(void)
{
    return (__int128)__loupe_input_uint128();
}

unsigned __int128 __VERIFIER_nondet_uint128(void)
{
    return __loupe_input_uint128();
}
#endif

float __VERIFIER_nondet_float(void)
{
    union {
        unsigned int bits;
        float value;
    } number;
    number.bits = __loupe_input_uint();
    return number.value;
}

double __VERIFIER_nondet_double(void)
{
    union {
        unsigned long long bits;
        double value;
    } number;
    number.bits = __loupe_input_ulonglong();
    return number.value;
}

/* An arbitrary pointer is null, or something that is not modelled. */
static void *__loupe_input_pointer(void)
{
    if (__loupe_input_ulong() != 0)
        __loupe_unsupported();
    return 0;
}

void *__VERIFIER_nondet_pointer(void)
{
    return __loupe_input_pointer();
}

char *__VERIFIER_nondet_pchar(void)
{
    return __loupe_input_pointer();
}

char *__VERIFIER_nondet_charp(void)
{
    return __loupe_input_pointer();
}

const char *__VERIFIER_nondet_const_char_pointer(void)
{
    return __loupe_input_pointer();
}

void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = __loupe_input_uchar();
}
