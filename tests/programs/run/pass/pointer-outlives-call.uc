// Variables live as long as somebody points to them, each call's its own.
// loupe: run => result 3
cell(value) {
    return &value;
}
local(value) {
    var x;
    x = value;
    return &x;
}
main() {
    var p, q, r;
    p = cell(1); q = cell(2); r = local(40);
    output *p; output *q; output *r;
    *r = *r + 1;
    output *r;
    return *p + *q;
}
