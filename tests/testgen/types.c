/* Inputs of all kinds. */
#include <stdlib.h>
#include <time.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void __VERIFIER_nondet_memory(void *, size_t);

int main(void)
{
    unsigned char bytes[3];
    int status = 0;
    if (__VERIFIER_nondet_bool())
        status |= 1;
    if (__VERIFIER_nondet_char() == -7)
        status |= 2;
    if (__VERIFIER_nondet_uchar() == 200)
        status |= 4;
    if (__VERIFIER_nondet_short() == -30000)
        status |= 8;
    if (__VERIFIER_nondet_ushort() == 60000)
        status |= 16;
    if (__VERIFIER_nondet_int() == -2000000000)
        status |= 32;
    if (__VERIFIER_nondet_uint() == 4000000000u)
        status |= 64;
    if (__VERIFIER_nondet_long() == -2000000001L)
        status |= 128;
    if (__VERIFIER_nondet_ulong() == 4000000001ul)
        status ^= 3;
    if (__VERIFIER_nondet_longlong() == -8000000000000000000LL)
        status ^= 5;
    if (__VERIFIER_nondet_ulonglong() == 16000000000000000000ULL)
        status ^= 9;
    __VERIFIER_nondet_memory(bytes, sizeof bytes);
    if (bytes[2] == 'x')
        status ^= 17;
    srand(1);
    if (rand() == 12345)
        status ^= 33;
    if (time(0) == 99)
        status ^= 65;
    return status;
}
