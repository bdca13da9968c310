/* The interface to the system: POSIX. */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <features.h>
#include <bits/getopt.h>
#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __ssize_t ssize_t;
typedef __gid_t gid_t;
typedef __off_t off_t;
typedef __pid_t pid_t;
typedef __socklen_t socklen_t;
typedef __uid_t uid_t;
typedef __useconds_t useconds_t;

#undef NULL
#define NULL ((void *)0)

#define _POSIX_VERSION 200809L
#define _POSIX2_VERSION 200809L
#define _XOPEN_VERSION 700
#define _POSIX_JOB_CONTROL 1
#define _POSIX_SAVED_IDS 1
#define _POSIX_THREADS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_VDISABLE '\0'

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define L_SET SEEK_SET
#define L_INCR SEEK_CUR
#define L_XTND SEEK_END

#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3

/* `pathconf` */
enum {
    _PC_LINK_MAX,
    _PC_MAX_CANON,
    _PC_MAX_INPUT,
    _PC_NAME_MAX,
    _PC_PATH_MAX,
    _PC_PIPE_BUF,
    _PC_CHOWN_RESTRICTED,
    _PC_NO_TRUNC,
    _PC_VDISABLE
};

/* `sysconf`, as far as programs commonly ask */
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_STREAM_MAX 5
#define _SC_TZNAME_MAX 6
#define _SC_JOB_CONTROL 7
#define _SC_SAVED_IDS 8
#define _SC_VERSION 29
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_LINE_MAX 43
#define _SC_IOV_MAX 60
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_LOGIN_NAME_MAX 71
#define _SC_TTY_NAME_MAX 72
#define _SC_THREAD_STACK_MIN 75
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_HOST_NAME_MAX 180
#define _CS_PATH 0

extern char **environ;
#ifdef __USE_GNU
extern char **__environ;
#endif

extern int access(const char *, int);
extern int faccessat(int, const char *, int, int);
extern unsigned int alarm(unsigned int);
extern unsigned int ualarm(useconds_t, useconds_t);
extern int brk(void *);
extern void *sbrk(intptr_t);
extern int chdir(const char *);
extern int fchdir(int);
extern int chown(const char *, uid_t, gid_t);
extern int fchown(int, uid_t, gid_t);
extern int lchown(const char *, uid_t, gid_t);
extern int fchownat(int, const char *, uid_t, gid_t, int);
extern int chroot(const char *);
extern int close(int);
extern void closefrom(int);
extern size_t confstr(int, char *, size_t);
extern int daemon(int, int);
extern int dup(int);
extern int dup2(int, int);
extern int dup3(int, int, int);
extern void endusershell(void);
extern int execl(const char *, const char *, ...);
extern int execle(const char *, const char *, ...);
extern int execlp(const char *, const char *, ...);
extern int execv(const char *, char *const[]);
extern int execve(const char *, char *const[], char *const[]);
extern int execvp(const char *, char *const[]);
extern int fexecve(int, char *const[], char *const[]);
extern void _exit(int) __attribute__((__noreturn__));
extern pid_t fork(void);
extern pid_t vfork(void);
extern long pathconf(const char *, int);
extern long fpathconf(int, int);
extern int fsync(int);
extern int fdatasync(int);
extern void sync(void);
extern int ftruncate(int, off_t);
extern int truncate(const char *, off_t);
extern char *getcwd(char *, size_t);
extern char *getwd(char *);
extern int getdomainname(char *, size_t);
extern int setdomainname(const char *, size_t);
extern int getdtablesize(void);
extern int getentropy(void *, size_t);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern int getgroups(int, gid_t[]);
extern int setuid(uid_t);
extern int seteuid(uid_t);
extern int setgid(gid_t);
extern int setegid(gid_t);
extern int setreuid(uid_t, uid_t);
extern int setregid(gid_t, gid_t);
extern long gethostid(void);
extern int sethostid(long);
extern int gethostname(char *, size_t);
extern int sethostname(const char *, size_t);
extern char *getlogin(void);
extern int getlogin_r(char *, size_t);
extern int getpagesize(void);
extern char *getpass(const char *);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t getpgrp(void);
extern pid_t getpgid(pid_t);
extern pid_t getsid(pid_t);
extern int setpgid(pid_t, pid_t);
extern int setpgrp(void);
extern pid_t setsid(void);
extern int isatty(int);
extern char *ttyname(int);
extern int ttyname_r(int, char *, size_t);
extern int link(const char *, const char *);
extern int linkat(int, const char *, int, const char *, int);
extern int symlink(const char *, const char *);
extern int symlinkat(const char *, int, const char *);
extern ssize_t readlink(const char *__restrict, char *__restrict, size_t);
extern ssize_t readlinkat(int, const char *__restrict, char *__restrict, size_t);
extern int unlink(const char *);
extern int unlinkat(int, const char *, int);
extern int rmdir(const char *);
extern off_t lseek(int, off_t, int);
#ifndef __LP64__
extern __off64_t lseek64(int, __off64_t, int);
#ifdef __USE_FILE_OFFSET64
#define lseek lseek64
#endif
#endif
extern int nice(int);
extern int pause(void);
extern int pipe(int[2]);
extern ssize_t read(int, void *, size_t);
extern ssize_t pread(int, void *, size_t, off_t);
extern ssize_t write(int, const void *, size_t);
extern ssize_t pwrite(int, const void *, size_t, off_t);
extern unsigned int sleep(unsigned int);
extern int usleep(useconds_t);
extern long syscall(long, ...);
extern long sysconf(int);
extern pid_t tcgetpgrp(int);
extern int tcsetpgrp(int, pid_t);
extern int lockf(int, int, off_t);

#ifdef __USE_LARGEFILE64
typedef __off64_t off64_t;
#ifdef __LP64__
extern off64_t lseek64(int, off64_t, int);
#endif
extern ssize_t pread64(int, void *, size_t, off64_t);
extern ssize_t pwrite64(int, const void *, size_t, off64_t);
extern int truncate64(const char *, off64_t);
extern int ftruncate64(int, off64_t);
extern int lockf64(int, int, off64_t);
#endif

#ifdef __USE_XOPEN
extern char *crypt(const char *, const char *);
extern void swab(const void *__restrict, void *__restrict, ssize_t);
extern char *ctermid(char *);
#endif

#ifdef __USE_GNU
extern int pipe2(int[2], int);
extern char *get_current_dir_name(void);
extern int euidaccess(const char *, int);
extern int execvpe(const char *, char *const[], char *const[]);
extern int getresuid(uid_t *, uid_t *, uid_t *);
extern int getresgid(gid_t *, gid_t *, gid_t *);
extern int setresuid(uid_t, uid_t, uid_t);
extern int setresgid(gid_t, gid_t, gid_t);
extern pid_t gettid(void);
extern int syncfs(int);
#define TEMP_FAILURE_RETRY(expression) \
    (__extension__({ \
        long __result; \
        do \
            __result = (long)(expression); \
        while (__result == -1L && *__errno_location() == 4); \
        __result; \
    }))
extern int *__errno_location(void);
#endif

#endif
