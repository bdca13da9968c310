// _Atomic objects in one thread.
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
    counter = 5;
    counter++;
    counter += 10;
    printf("%d\n", counter);
    printf("%d\n", atomic_fetch_add(&counter, 4));
    int expected = 20;
    printf("%d\n", atomic_compare_exchange_strong(&counter, &expected, 1));
    printf("%d %d\n", atomic_load(&counter), expected);
    atomic_store(&counter, 40);
    printf("%d\n", atomic_exchange(&counter, 50));
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d\n", atomic_flag_test_and_set(&flag));
    printf("%d\n", atomic_fetch_sub(&counter, 8));
    return counter;
}
