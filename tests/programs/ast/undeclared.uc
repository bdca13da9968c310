// Names are not looked up for the syntax tree.
// loupe: ast => ok
f() { return y; }
