struct item { char text[20]; short n; };
typedef unsigned char thing;

int use_other(int n) {
    struct item i = {"other", (short)n};
    thing t = 300 % 256;
    return i.n + i.text[0] + t + (int)sizeof i;
}
