#include "shape.h"

struct shape square(int size) { return (struct shape){SQUARE, size}; }
void grow(struct shape *s, int by) { s->size = area(*s) ? s->size + by : by; }
