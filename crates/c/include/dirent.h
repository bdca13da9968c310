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

#ifdef __USE_LARGEFILE64
typedef __ino64_t ino64_t;

struct dirent64 {
    __ino64_t d_ino;
    __off64_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};
#endif

/* The members that not every system has. */
#define _DIRENT_HAVE_D_RECLEN
#define _DIRENT_HAVE_D_OFF
#define _DIRENT_HAVE_D_TYPE
#undef _DIRENT_HAVE_D_NAMLEN
#define _D_EXACT_NAMLEN(entry) __builtin_strlen((entry)->d_name)
#define _D_ALLOC_NAMLEN(entry) (_D_EXACT_NAMLEN(entry) + 1)

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

#ifdef __USE_LARGEFILE64
extern struct dirent64 *readdir64(DIR *);
extern int alphasort64(const struct dirent64 **, const struct dirent64 **);
extern int scandir64(const char *__restrict, struct dirent64 ***__restrict,
                     int (*)(const struct dirent64 *),
                     int (*)(const struct dirent64 **, const struct dirent64 **));
#endif

#endif
