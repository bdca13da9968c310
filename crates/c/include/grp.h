/* The groups of the system: POSIX. */
#ifndef _GRP_H
#define _GRP_H

#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __gid_t gid_t;

struct group {
    char *gr_name;
    char *gr_passwd;
    __gid_t gr_gid;
    char **gr_mem;
};

extern struct group *getgrnam(const char *);
extern struct group *getgrgid(gid_t);
extern int getgrnam_r(const char *__restrict, struct group *__restrict, char *__restrict, size_t,
                      struct group **__restrict);
extern int getgrgid_r(gid_t, struct group *__restrict, char *__restrict, size_t,
                      struct group **__restrict);
extern struct group *getgrent(void);
extern void setgrent(void);
extern void endgrent(void);
extern int getgrouplist(const char *, gid_t, gid_t *, int *);
extern int initgroups(const char *, gid_t);
extern int setgroups(size_t, const gid_t *);

#endif
