/* The headers of the C library ask for this file when they are read for 32 bits; it may be empty. */
