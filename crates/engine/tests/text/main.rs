//! `printf`, `scanf` and `strtod` against the C library of this machine: one C program does what
//! thousands of random cases say, and the results are compared byte by byte.

mod arguments;
mod driver;
mod parse;
mod print;
mod random;
mod scan;
