// Atomic operations in a program of one thread.
#include <stdio.h>

int main(void) {
    int x = 5, old;
    old = __sync_fetch_and_add(&x, 3);
    printf("%d %d\n", old, x);
    printf("%d\n", __sync_add_and_fetch(&x, 2));
    printf("%d\n", __sync_bool_compare_and_swap(&x, 10, 20));
    printf("%d\n", __sync_val_compare_and_swap(&x, 10, 30));
    printf("%d\n", __sync_lock_test_and_set(&x, 1));
    __sync_lock_release(&x);
    printf("%d\n", x);
    __sync_synchronize();
    printf("%d\n", __atomic_fetch_or(&x, 6, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    __atomic_store_n(&x, 9, __ATOMIC_RELEASE);
    int expected = 8;
    printf("%d\n", __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    printf("%d %d\n", expected, x);
    printf("%d\n", __atomic_exchange_n(&x, 40, __ATOMIC_RELAXED));
    printf("%d\n", __atomic_sub_fetch(&x, 2, __ATOMIC_SEQ_CST));
    return x;
}
