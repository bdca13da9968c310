// Static locals of the same name in one function are different objects.
#include <stdio.h>

static int f(int which) {
    if (which) {
        static int n = 100;
        return n++;
    } else {
        static int n = 200;
        {
            static int n = 300;
            n += 5;
            if (n > 310)
                return n;
        }
        return n++;
    }
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        int r = f(i % 2);
        printf("%d ", r);
        sum += r;
    }
    printf("\n");
    return sum & 127;
}
