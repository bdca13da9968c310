#include <part.h>

int part(int n)
{
    if (twice(n) == 6)
        return LIMIT;
    return 0;
}
