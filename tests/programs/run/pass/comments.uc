// loupe: run => result 1
/* before */ main( /* none */ ) { // and
    var x; /* over
    two lines */
    x = /**/ 1; // output 2;
    return x; } // the end
