/* Regular expressions: POSIX. */
#ifndef _REGEX_H
#define _REGEX_H

typedef __SIZE_TYPE__ size_t;
typedef int regoff_t;

typedef struct {
    void *__buffer;
    size_t __allocated;
    size_t __used;
    unsigned long __syntax;
    char *__fastmap;
    unsigned char *__translate;
    size_t re_nsub;
    unsigned int __flags;
} regex_t;

typedef struct {
    regoff_t rm_so;
    regoff_t rm_eo;
} regmatch_t;

#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_STARTEND 4

enum {
    REG_NOERROR,
    REG_NOMATCH,
    REG_BADPAT,
    REG_ECOLLATE,
    REG_ECTYPE,
    REG_EESCAPE,
    REG_ESUBREG,
    REG_EBRACK,
    REG_EPAREN,
    REG_EBRACE,
    REG_BADBR,
    REG_ERANGE,
    REG_ESPACE,
    REG_BADRPT
};

extern int regcomp(regex_t *__restrict, const char *__restrict, int);
extern int regexec(const regex_t *__restrict, const char *__restrict, size_t, regmatch_t[], int);
extern size_t regerror(int, const regex_t *__restrict, char *__restrict, size_t);
extern void regfree(regex_t *);

#endif
