/* The users of the system: POSIX. */
#ifndef _PWD_H
#define _PWD_H

#include <bits/FILE.h>
#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __gid_t gid_t;
typedef __uid_t uid_t;

struct passwd {
    char *pw_name;
    char *pw_passwd;
    __uid_t pw_uid;
    __gid_t pw_gid;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
};

extern struct passwd *getpwnam(const char *);
extern struct passwd *getpwuid(uid_t);
extern int getpwnam_r(const char *__restrict, struct passwd *__restrict, char *__restrict, size_t,
                      struct passwd **__restrict);
extern int getpwuid_r(uid_t, struct passwd *__restrict, char *__restrict, size_t,
                      struct passwd **__restrict);
extern struct passwd *getpwent(void);
extern void setpwent(void);
extern void endpwent(void);

#endif
