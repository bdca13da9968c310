/* Memory that lives as long as the calling function. */
#ifndef _ALLOCA_H
#define _ALLOCA_H

typedef __SIZE_TYPE__ size_t;

#undef alloca
#define alloca(size) __builtin_alloca(size)

#endif
