// A parser and evaluator by recursive descent.
#include <stdio.h>

static const char *at;
static int expression(void);

static int factor(void) {
    int sign = 1;
    while (*at == '-')
        sign = -sign, at++;
    if (*at == '(') {
        at++;
        int v = expression();
        at++;
        return sign * v;
    }
    int v = 0;
    while (*at >= '0' && *at <= '9')
        v = v * 10 + *at++ - '0';
    return sign * v;
}

static int term(void) {
    int v = factor();
    while (*at == '*' || *at == '/')
        if (*at++ == '*')
            v *= factor();
        else
            v /= factor();
    return v;
}

static int expression(void) {
    int v = term();
    while (*at == '+' || *at == '-') {
        char op = *at++;
        int w = term();
        v = op == '+' ? v + w : v - w;
    }
    return v;
}

static int evaluate(const char *s) {
    at = s;
    return expression();
}

int main(void) {
    printf("%d\n", evaluate("2+3*4-10/3"));
    printf("%d\n", evaluate("-(2+3)*-(4-(10-3))*7"));
    printf("%d\n", evaluate("((((5))))--6"));
    return evaluate("(1+2)*(3+4)");
}
