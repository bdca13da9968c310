// # makes a literal of its argument, with quotes and spaces put right.
#include <stdio.h>

#define S(x) #x
#define XS(x) S(x)
#define NAME value
#define f(a, b) a

int main(void) {
    int value = 3;
    printf("%s %s\n", S(NAME), XS(NAME));
    printf("%s\n", S(a   +   b));
    printf("%s\n", S("quoted \n text"));
    printf("%s\n", S('"' "\\"));
    printf("[%s] [%s]\n", S(), S(  x  ));
    printf("%s %s\n", S(f(1, 2)), XS(f(1, 2)));
    printf("%s\n", XS(__LINE__));
    printf("%s\n", S(a /* gone */ b
                     c));
    return NAME + (int)sizeof S(12345);
}
