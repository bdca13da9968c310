#ifndef SHAPE_H
#define SHAPE_H
#define NAME "shapes"
enum kind { CIRCLE, SQUARE };
struct shape { enum kind kind; int size; };
struct shape square(int size);
void grow(struct shape *, int by);
static inline int area(struct shape s) { return s.size * s.size; }
#endif
