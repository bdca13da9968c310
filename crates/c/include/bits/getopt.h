/* `getopt`, which <unistd.h> and <getopt.h> share. */
#ifndef _BITS_GETOPT_H
#define _BITS_GETOPT_H

extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern int getopt(int, char *const[], const char *);

#endif
