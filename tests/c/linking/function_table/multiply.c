int multiply(int a, int b) { return a * b; }
int (*const fallback)(int, int) = multiply;
