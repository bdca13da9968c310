/* An old name of <fcntl.h>. */
#ifndef _SYS_FCNTL_H
#define _SYS_FCNTL_H

#include <fcntl.h>

#endif
