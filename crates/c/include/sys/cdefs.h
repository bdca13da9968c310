/* Spellings that hide differences between compilers. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H

#define __BEGIN_DECLS
#define __END_DECLS
#define __P(arguments) arguments
#define __PMT(arguments) arguments
#define __CONCAT(left, right) left##right
#define __STRING(text) #text
#define __ptr_t void *
#define __THROW
#define __nonnull(parameters)
#define __wur
#define __attribute_malloc__
#define __attribute_pure__
#define __attribute_const__
#define __attribute_deprecated__

#endif
