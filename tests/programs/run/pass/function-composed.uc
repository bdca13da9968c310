// A record with functions is an object.
// loupe: run => result 15
add(self, x) {
    (*self).total = (*self).total + x;
    return self;
}
main() {
    var o;
    o = alloc {total: 0, add: add};
    o = (*o).add(o, 5);
    o = (*o).add(o, 10);
    return (*o).total;
}
