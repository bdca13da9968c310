/* `FILE`. Nobody but the library looks inside; the tag is glibc's, because programs arrive
   preprocessed with glibc's headers. */
#ifndef _BITS_FILE_H
#define _BITS_FILE_H

struct _IO_FILE;
typedef struct _IO_FILE FILE;
typedef struct _IO_FILE __FILE;

#endif
