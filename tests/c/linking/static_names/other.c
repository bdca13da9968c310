static int value = 2;
static int get(void) { return value; }

int other_get(void) { return get() + 1; }
void other_set(int v) { value = v; }
