int part(int n);
static inline int twice(int n)
{
    return n > 1000 ? 0 : 2 * n;
}
