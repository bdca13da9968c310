/* Starting a process with a program: POSIX. */
#ifndef _SPAWN_H
#define _SPAWN_H

#include <features.h>
#include <bits/sigset_t.h>
#include <sched.h>
#include <sys/types.h>

typedef struct {
    short __flags;
    pid_t __pgrp;
    sigset_t __sd;
    sigset_t __ss;
    struct sched_param __sp;
    int __policy;
    int __pad[16];
} posix_spawnattr_t;

typedef struct {
    int __allocated;
    int __used;
    struct __spawn_action *__actions;
    int __pad[16];
} posix_spawn_file_actions_t;

#define POSIX_SPAWN_RESETIDS 0x01
#define POSIX_SPAWN_SETPGROUP 0x02
#define POSIX_SPAWN_SETSIGDEF 0x04
#define POSIX_SPAWN_SETSIGMASK 0x08
#define POSIX_SPAWN_SETSCHEDPARAM 0x10
#define POSIX_SPAWN_SETSCHEDULER 0x20
#ifdef __USE_GNU
#define POSIX_SPAWN_USEVFORK 0x40
#define POSIX_SPAWN_SETSID 0x80
#endif

extern int posix_spawn(pid_t *__restrict, const char *__restrict,
                       const posix_spawn_file_actions_t *, const posix_spawnattr_t *__restrict,
                       char *const[__restrict], char *const[__restrict]);
extern int posix_spawnp(pid_t *__restrict, const char *__restrict,
                        const posix_spawn_file_actions_t *, const posix_spawnattr_t *__restrict,
                        char *const[__restrict], char *const[__restrict]);

extern int posix_spawnattr_init(posix_spawnattr_t *);
extern int posix_spawnattr_destroy(posix_spawnattr_t *);
extern int posix_spawnattr_getflags(const posix_spawnattr_t *__restrict, short *__restrict);
extern int posix_spawnattr_setflags(posix_spawnattr_t *, short);
extern int posix_spawnattr_getpgroup(const posix_spawnattr_t *__restrict, pid_t *__restrict);
extern int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
extern int posix_spawnattr_getsigdefault(const posix_spawnattr_t *__restrict,
                                         sigset_t *__restrict);
extern int posix_spawnattr_setsigdefault(posix_spawnattr_t *__restrict,
                                         const sigset_t *__restrict);
extern int posix_spawnattr_getsigmask(const posix_spawnattr_t *__restrict, sigset_t *__restrict);
extern int posix_spawnattr_setsigmask(posix_spawnattr_t *__restrict, const sigset_t *__restrict);
extern int posix_spawnattr_getschedpolicy(const posix_spawnattr_t *__restrict, int *__restrict);
extern int posix_spawnattr_setschedpolicy(posix_spawnattr_t *, int);
extern int posix_spawnattr_getschedparam(const posix_spawnattr_t *__restrict,
                                         struct sched_param *__restrict);
extern int posix_spawnattr_setschedparam(posix_spawnattr_t *__restrict,
                                         const struct sched_param *__restrict);

extern int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
extern int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
extern int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *__restrict, int,
                                            const char *__restrict, int, mode_t);
extern int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
#ifdef __USE_GNU
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *__restrict,
                                                const char *__restrict);
extern int posix_spawn_file_actions_addfchdir_np(posix_spawn_file_actions_t *, int);
#endif

#endif
