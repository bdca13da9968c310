// Empty statements and blocks everywhere.
#include <stdio.h>

int main(void) {
    ;
    ;;
    {}
    {{;}}
    int i;
    for (i = 0; i < 7; i++);
    if (i == 7);
    else {}
    while (i-- > 3) {}
    do; while (0);
    switch (i) {}
    switch (i) case 2: i = 20;
    switch (i) default: i++;
here:;
    printf("%d\n", i);
    return i;
}
