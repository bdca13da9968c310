/* Directories: POSIX. */
#ifndef _DIRENT_H
#define _DIRENT_H

#include <features.h>
#include <bits/types.h>

typedef __ino_t ino_t;

struct dirent {
    __ino_t d_ino;
    __off_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};
#define d_fileno d_ino

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14

typedef struct __dirstream DIR;

extern DIR *opendir(const char *);
extern DIR *fdopendir(int);
extern int closedir(DIR *);
extern struct dirent *readdir(DIR *);
extern int readdir_r(DIR *__restrict, struct dirent *__restrict, struct dirent **__restrict);
extern void rewinddir(DIR *);
extern void seekdir(DIR *, long);
extern long telldir(DIR *);
extern int dirfd(DIR *);
extern int alphasort(const struct dirent **, const struct dirent **);
extern int scandir(const char *__restrict, struct dirent ***__restrict,
                   int (*)(const struct dirent *),
                   int (*)(const struct dirent **, const struct dirent **));

#endif
