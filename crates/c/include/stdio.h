/* Input and output: C11 7.21, POSIX, GNU. */
#ifndef _STDIO_H
#define _STDIO_H

#include <features.h>
#include <bits/FILE.h>
#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __ssize_t ssize_t;
typedef __off_t off_t;
typedef __builtin_va_list __gnuc_va_list;
typedef __builtin_va_list va_list;

typedef struct {
    __off_t __pos;
    struct {
        int __count;
        unsigned int __value;
    } __state;
} fpos_t;

#undef NULL
#define NULL ((void *)0)

#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define BUFSIZ 8192
#define EOF (-1)
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define L_ctermid 9
#define P_tmpdir "/tmp"
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

extern int remove(const char *);
extern int rename(const char *, const char *);
extern int renameat(int, const char *, int, const char *);
extern FILE *tmpfile(void);
extern char *tmpnam(char *);
extern char *tempnam(const char *, const char *);
extern char *ctermid(char *);

extern int fclose(FILE *);
extern int fflush(FILE *);
extern FILE *fopen(const char *__restrict, const char *__restrict);
extern FILE *freopen(const char *__restrict, const char *__restrict, FILE *__restrict);
extern FILE *fdopen(int, const char *);
extern FILE *fmemopen(void *, size_t, const char *);
extern FILE *open_memstream(char **, size_t *);
extern FILE *popen(const char *, const char *);
extern int pclose(FILE *);
extern void setbuf(FILE *__restrict, char *__restrict);
extern int setvbuf(FILE *__restrict, char *__restrict, int, size_t);
extern void setbuffer(FILE *__restrict, char *__restrict, size_t);
extern void setlinebuf(FILE *);
extern int fileno(FILE *);

extern int fprintf(FILE *__restrict, const char *__restrict, ...);
extern int printf(const char *__restrict, ...);
extern int sprintf(char *__restrict, const char *__restrict, ...);
extern int snprintf(char *__restrict, size_t, const char *__restrict, ...);
extern int dprintf(int, const char *__restrict, ...);
extern int vfprintf(FILE *__restrict, const char *__restrict, __gnuc_va_list);
extern int vprintf(const char *__restrict, __gnuc_va_list);
extern int vsprintf(char *__restrict, const char *__restrict, __gnuc_va_list);
extern int vsnprintf(char *__restrict, size_t, const char *__restrict, __gnuc_va_list);
extern int vdprintf(int, const char *__restrict, __gnuc_va_list);

extern int fscanf(FILE *__restrict, const char *__restrict, ...);
extern int scanf(const char *__restrict, ...);
extern int sscanf(const char *__restrict, const char *__restrict, ...);
extern int vfscanf(FILE *__restrict, const char *__restrict, __gnuc_va_list);
extern int vscanf(const char *__restrict, __gnuc_va_list);
extern int vsscanf(const char *__restrict, const char *__restrict, __gnuc_va_list);

extern int fgetc(FILE *);
extern int getc(FILE *);
extern int getchar(void);
extern int getc_unlocked(FILE *);
extern int getchar_unlocked(void);
extern int getw(FILE *);
extern char *fgets(char *__restrict, int, FILE *__restrict);
extern int ungetc(int, FILE *);
extern ssize_t getdelim(char **__restrict, size_t *__restrict, int, FILE *__restrict);
extern ssize_t getline(char **__restrict, size_t *__restrict, FILE *__restrict);
extern size_t fread(void *__restrict, size_t, size_t, FILE *__restrict);
#if !defined __STDC_VERSION__ || __STDC_VERSION__ < 201112L
extern char *gets(char *);
#endif

extern int fputc(int, FILE *);
extern int putc(int, FILE *);
extern int putchar(int);
extern int putc_unlocked(int, FILE *);
extern int putchar_unlocked(int);
extern int putw(int, FILE *);
extern int fputs(const char *__restrict, FILE *__restrict);
extern int puts(const char *);
extern size_t fwrite(const void *__restrict, size_t, size_t, FILE *__restrict);
extern void perror(const char *);

extern int fgetpos(FILE *__restrict, fpos_t *__restrict);
extern int fsetpos(FILE *, const fpos_t *);
extern int fseek(FILE *, long, int);
extern int fseeko(FILE *, __off_t, int);
extern long ftell(FILE *);
extern __off_t ftello(FILE *);
extern void rewind(FILE *);

extern void clearerr(FILE *);
extern int feof(FILE *);
extern int ferror(FILE *);
extern void clearerr_unlocked(FILE *);
extern int feof_unlocked(FILE *);
extern int ferror_unlocked(FILE *);
extern int fileno_unlocked(FILE *);
extern int fflush_unlocked(FILE *);
extern int fgetc_unlocked(FILE *);
extern int fputc_unlocked(int, FILE *);
extern size_t fread_unlocked(void *__restrict, size_t, size_t, FILE *__restrict);
extern size_t fwrite_unlocked(const void *__restrict, size_t, size_t, FILE *__restrict);

extern void flockfile(FILE *);
extern int ftrylockfile(FILE *);
extern void funlockfile(FILE *);

#ifdef __USE_LARGEFILE64
typedef __off64_t off64_t;
typedef struct {
    __off64_t __pos;
    struct {
        int __count;
        unsigned int __value;
    } __state;
} fpos64_t;
extern FILE *tmpfile64(void);
extern FILE *fopen64(const char *__restrict, const char *__restrict);
extern FILE *freopen64(const char *__restrict, const char *__restrict, FILE *__restrict);
extern int fseeko64(FILE *, __off64_t, int);
extern __off64_t ftello64(FILE *);
extern int fgetpos64(FILE *__restrict, fpos64_t *__restrict);
extern int fsetpos64(FILE *, const fpos64_t *);
#endif

#ifdef __USE_GNU
extern int asprintf(char **__restrict, const char *__restrict, ...);
extern int vasprintf(char **__restrict, const char *__restrict, __gnuc_va_list);
extern char *fgets_unlocked(char *__restrict, int, FILE *__restrict);
extern int fputs_unlocked(const char *__restrict, FILE *__restrict);
extern int fcloseall(void);
extern char *cuserid(char *);
#endif

#endif
