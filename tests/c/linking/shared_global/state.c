int counter = 5;
const char *label = "count";

void bump(int by) { counter += by; }
