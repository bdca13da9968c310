/* `struct iovec`, which several headers share. */
#ifndef _BITS_IOVEC_H
#define _BITS_IOVEC_H

struct iovec {
    void *iov_base;
    __SIZE_TYPE__ iov_len;
};

#endif
