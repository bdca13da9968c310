/* Dynamic linking: POSIX. */
#ifndef _DLFCN_H
#define _DLFCN_H

#include <features.h>

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x1000
#ifdef __USE_GNU
#define RTLD_NEXT ((void *)-1L)
#define RTLD_DEFAULT ((void *)0)
typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;
extern int dladdr(const void *, Dl_info *);
#endif

extern void *dlopen(const char *, int);
extern int dlclose(void *);
extern void *dlsym(void *__restrict, const char *__restrict);
extern char *dlerror(void);

#endif
