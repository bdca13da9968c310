// __LINE__, __FILE__ and #line.
#include <stdio.h>
#include <string.h>

int main(void) {
    printf("%d\n", __LINE__);
    printf("%d\n",
           __LINE__);
    int n = __LINE__ + __LINE__;
    printf("%d\n", n);
#line 100
    printf("%d\n", __LINE__);
#line 500 "other.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return strcmp(__FILE__, "other.c") == 0 ? __LINE__ - 440 : 1;
}
