struct result { int count; double sum; };
struct result collect(const char *kinds, ...);
struct result merge(struct result a, struct result b);
