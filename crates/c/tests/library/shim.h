/* How a test drives the intrinsics. */
#ifndef SHIM_H
#define SHIM_H

#include <setjmp.h>
#include <stddef.h>

/* How a path ended. */
enum {
    SHIM_ASSUME = 1,
    SHIM_ERROR,
    SHIM_ASSERTION,
    SHIM_UNSUPPORTED,
    SHIM_EXIT,
    SHIM_ABORT,
    SHIM_OVERLAP
};

extern jmp_buf shim_end;
extern int shim_can_end;
/* The value of every input; the status after SHIM_EXIT. */
extern unsigned long long shim_input;
extern const char *shim_stdin;
extern char shim_output[1 << 16];
extern size_t shim_output_size;

/* Evaluates an expression; 0, or how its path ended. */
#define PATH_OF(expression) \
    ({ \
        shim_can_end = 1; \
        int how = setjmp(shim_end); \
        if (!how) \
            (void)(expression); \
        shim_can_end = 0; \
        how; \
    })

/* The model's function of a name, with the type that the machine's header gives it. */
#define MODEL(name) extern __typeof__(name) model_##name

#endif
