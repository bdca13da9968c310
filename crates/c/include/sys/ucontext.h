/* The registers of a thread: layout of Linux on x86. */
#ifndef _SYS_UCONTEXT_H
#define _SYS_UCONTEXT_H

#include <features.h>
#include <bits/sigset_t.h>
#include <bits/stack_t.h>

#ifdef __LP64__
typedef long long greg_t;
#define NGREG 23

#ifdef __USE_GNU
enum {
    REG_R8,
    REG_R9,
    REG_R10,
    REG_R11,
    REG_R12,
    REG_R13,
    REG_R14,
    REG_R15,
    REG_RDI,
    REG_RSI,
    REG_RBP,
    REG_RBX,
    REG_RDX,
    REG_RAX,
    REG_RCX,
    REG_RSP,
    REG_RIP,
    REG_EFL,
    REG_CSGSFS,
    REG_ERR,
    REG_TRAPNO,
    REG_OLDMASK,
    REG_CR2
};
/* Programs ask with `#ifdef` which processor this is. */
#define REG_RSP REG_RSP
#define REG_RIP REG_RIP
#endif

struct _libc_fpxreg {
    unsigned short significand[4];
    unsigned short exponent;
    unsigned short __reserved[3];
};

struct _libc_xmmreg {
    unsigned int element[4];
};

struct _libc_fpstate {
    unsigned short cwd;
    unsigned short swd;
    unsigned short ftw;
    unsigned short fop;
    unsigned long rip;
    unsigned long rdp;
    unsigned int mxcsr;
    unsigned int mxcr_mask;
    struct _libc_fpxreg _st[8];
    struct _libc_xmmreg _xmm[16];
    unsigned int __reserved[24];
};
#else
typedef int greg_t;
#define NGREG 19

#ifdef __USE_GNU
enum {
    REG_GS,
    REG_FS,
    REG_ES,
    REG_DS,
    REG_EDI,
    REG_ESI,
    REG_EBP,
    REG_ESP,
    REG_EBX,
    REG_EDX,
    REG_ECX,
    REG_EAX,
    REG_TRAPNO,
    REG_ERR,
    REG_EIP,
    REG_CS,
    REG_EFL,
    REG_UESP,
    REG_SS
};
#define REG_ESP REG_ESP
#define REG_EIP REG_EIP
#endif

struct _libc_fpreg {
    unsigned short significand[4];
    unsigned short exponent;
};

struct _libc_fpstate {
    unsigned long cw;
    unsigned long sw;
    unsigned long tag;
    unsigned long ipoff;
    unsigned long cssel;
    unsigned long dataoff;
    unsigned long datasel;
    struct _libc_fpreg _st[8];
    unsigned long status;
};
#endif

typedef greg_t gregset_t[NGREG];
typedef struct _libc_fpstate *fpregset_t;

typedef struct {
    gregset_t gregs;
    fpregset_t fpregs;
#ifdef __LP64__
    unsigned long long __reserved[8];
#else
    unsigned long oldmask;
    unsigned long cr2;
#endif
} mcontext_t;

typedef struct ucontext_t {
    unsigned long uc_flags;
    struct ucontext_t *uc_link;
    stack_t uc_stack;
    mcontext_t uc_mcontext;
    sigset_t uc_sigmask;
    struct _libc_fpstate __fpregs_mem;
#ifdef __LP64__
    unsigned long long __ssp[4];
#else
    unsigned long __ssp[4];
#endif
} ucontext_t;

#endif
