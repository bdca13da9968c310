/* Prints the sizes of types and the places of members. Compiled with the machine's headers and with
   Loupe's, it must print the same. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>

#define TYPE(type) printf("%s %zu %zu\n", #type, sizeof(type), _Alignof(type))
/* The sign is the last column. */
#define INTEGER(type) printf("%s %zu %d\n", #type, sizeof(type), (type)-1 < 0)
/* By its line: the name of a member may be a macro that means something else in each header. */
#define MEMBER(type, member) \
    printf("%s in line %d: %zu %zu\n", #type, __LINE__, offsetof(type, member), \
           sizeof(((type *)0)->member))
#define MEMBERS2(type, a, b) MEMBER(type, a), MEMBER(type, b)
#define MEMBERS3(type, a, b, c) MEMBERS2(type, a, b), MEMBER(type, c)
#define MEMBERS4(type, a, b, c, d) MEMBERS2(type, a, b), MEMBERS2(type, c, d)

static void integers(void)
{
    INTEGER(size_t), INTEGER(ssize_t), INTEGER(ptrdiff_t), INTEGER(wchar_t), INTEGER(wint_t);
    INTEGER(int8_t), INTEGER(int16_t), INTEGER(int32_t), INTEGER(int64_t), INTEGER(uint8_t);
    INTEGER(uint16_t), INTEGER(uint32_t), INTEGER(uint64_t), INTEGER(int_least8_t);
    INTEGER(int_least16_t), INTEGER(int_least32_t), INTEGER(int_least64_t), INTEGER(int_fast8_t);
    INTEGER(int_fast16_t), INTEGER(int_fast32_t), INTEGER(int_fast64_t), INTEGER(uint_fast8_t);
    INTEGER(uint_fast16_t), INTEGER(uint_fast32_t), INTEGER(uint_fast64_t), INTEGER(intptr_t);
    INTEGER(uintptr_t), INTEGER(intmax_t), INTEGER(uintmax_t), INTEGER(blkcnt_t);
    INTEGER(blksize_t), INTEGER(clock_t), INTEGER(clockid_t), INTEGER(dev_t), INTEGER(fsblkcnt_t);
    INTEGER(fsfilcnt_t), INTEGER(gid_t), INTEGER(id_t), INTEGER(ino_t), INTEGER(key_t);
    INTEGER(mode_t), INTEGER(nlink_t), INTEGER(off_t), INTEGER(loff_t), INTEGER(pid_t);
    INTEGER(suseconds_t), INTEGER(time_t), INTEGER(uid_t), INTEGER(useconds_t), INTEGER(u_char);
    INTEGER(u_short), INTEGER(u_int), INTEGER(u_long), INTEGER(u_int8_t), INTEGER(u_int16_t);
    INTEGER(u_int32_t), INTEGER(u_int64_t), INTEGER(quad_t), INTEGER(register_t), INTEGER(daddr_t);
    INTEGER(sig_atomic_t), INTEGER(wctype_t), INTEGER(socklen_t), INTEGER(sa_family_t);
    INTEGER(in_port_t), INTEGER(in_addr_t), INTEGER(rlim_t), INTEGER(nfds_t), INTEGER(speed_t);
    INTEGER(tcflag_t), INTEGER(cc_t), INTEGER(regoff_t), INTEGER(pthread_t), INTEGER(pthread_key_t);
    INTEGER(pthread_once_t), INTEGER(fexcept_t), INTEGER(fd_mask), INTEGER(idtype_t);
}

static void types(void)
{
    TYPE(max_align_t), TYPE(va_list), TYPE(div_t), TYPE(ldiv_t), TYPE(lldiv_t), TYPE(imaxdiv_t);
    TYPE(float_t), TYPE(double_t), TYPE(fpos_t), TYPE(mbstate_t), TYPE(wctrans_t), TYPE(locale_t);
    TYPE(jmp_buf), TYPE(sigjmp_buf), TYPE(sigset_t), TYPE(siginfo_t), TYPE(struct sigaction);
    TYPE(stack_t), TYPE(struct sigevent), TYPE(timer_t), TYPE(fd_set), TYPE(fenv_t), TYPE(fsid_t);
    TYPE(pthread_attr_t), TYPE(pthread_mutex_t), TYPE(pthread_cond_t), TYPE(pthread_rwlock_t);
    TYPE(pthread_barrier_t), TYPE(pthread_spinlock_t), TYPE(pthread_mutexattr_t);
    TYPE(pthread_condattr_t), TYPE(pthread_rwlockattr_t), TYPE(pthread_barrierattr_t), TYPE(sem_t);
    TYPE(cpu_set_t), TYPE(regex_t), TYPE(glob_t), TYPE(struct stat), TYPE(struct dirent);
    TYPE(struct stat64), TYPE(struct dirent64), TYPE(struct flock64), TYPE(glob64_t), TYPE(fpos64_t);
    TYPE(ucontext_t), TYPE(mcontext_t), TYPE(posix_spawnattr_t), TYPE(posix_spawn_file_actions_t);
    TYPE(struct sockaddr), TYPE(struct sockaddr_storage), TYPE(struct sockaddr_in);
    TYPE(struct sockaddr_in6), TYPE(struct sockaddr_un), TYPE(struct addrinfo), TYPE(struct msghdr);
    TYPE(struct termios), TYPE(struct utsname), TYPE(struct rusage), TYPE(struct lconv);
    TYPE(struct flock), TYPE(struct cmsghdr), TYPE(struct linger), TYPE(struct hostent);
}

static void members(void)
{
    MEMBERS4(struct tm, tm_sec, tm_min, tm_hour, tm_mday), MEMBERS4(struct tm, tm_mon, tm_year, tm_wday, tm_yday);
    MEMBERS3(struct tm, tm_isdst, tm_gmtoff, tm_zone);
    MEMBERS2(struct timeval, tv_sec, tv_usec), MEMBERS2(struct timespec, tv_sec, tv_nsec);
    MEMBERS2(struct timezone, tz_minuteswest, tz_dsttime), MEMBERS2(struct itimerval, it_interval, it_value);
    MEMBERS4(struct stat, st_dev, st_ino, st_nlink, st_mode), MEMBERS4(struct stat, st_uid, st_gid, st_rdev, st_size);
    MEMBERS4(struct stat, st_blksize, st_blocks, st_atim, st_mtim), MEMBERS2(struct stat, st_ctim, st_ctime);
    MEMBERS4(struct stat64, st_dev, st_ino, st_nlink, st_mode), MEMBERS4(struct stat64, st_uid, st_gid, st_rdev, st_size);
    MEMBERS4(struct stat64, st_blksize, st_blocks, st_atim, st_mtim), MEMBER(struct stat64, st_ctim);
    MEMBERS4(struct dirent64, d_ino, d_off, d_reclen, d_type), MEMBER(struct dirent64, d_name);
    MEMBERS4(struct flock64, l_type, l_whence, l_start, l_len), MEMBER(struct flock64, l_pid);
    MEMBERS4(ucontext_t, uc_flags, uc_link, uc_stack, uc_mcontext), MEMBER(ucontext_t, uc_sigmask);
    MEMBERS2(mcontext_t, gregs, fpregs), MEMBERS3(struct _libc_fpstate, mxcsr, _st, _xmm);
    MEMBERS4(struct dirent, d_ino, d_off, d_reclen, d_type), MEMBER(struct dirent, d_name);
    MEMBERS4(struct sigaction, sa_handler, sa_sigaction, sa_mask, sa_flags), MEMBER(struct sigaction, sa_restorer);
    MEMBERS4(siginfo_t, si_signo, si_errno, si_code, si_pid), MEMBERS4(siginfo_t, si_uid, si_value, si_status, si_utime);
    MEMBERS4(siginfo_t, si_stime, si_addr, si_band, si_fd), MEMBERS3(stack_t, ss_sp, ss_flags, ss_size);
    MEMBERS3(struct sigevent, sigev_value, sigev_signo, sigev_notify);
    MEMBERS2(struct sigevent, sigev_notify_function, sigev_notify_attributes);
    MEMBERS4(struct flock, l_type, l_whence, l_start, l_len), MEMBER(struct flock, l_pid);
    MEMBERS4(struct option, name, has_arg, flag, val), MEMBERS2(div_t, quot, rem), MEMBERS2(lldiv_t, quot, rem);
    MEMBERS3(struct lconv, decimal_point, negative_sign, int_frac_digits), MEMBER(struct lconv, int_n_sign_posn);
    MEMBERS3(struct pollfd, fd, events, revents), MEMBERS2(struct rlimit, rlim_cur, rlim_max);
    MEMBERS4(struct rusage, ru_utime, ru_stime, ru_maxrss, ru_nivcsw), MEMBERS2(struct iovec, iov_base, iov_len);
    MEMBERS4(struct utsname, sysname, nodename, release, version), MEMBERS2(struct utsname, machine, domainname);
    MEMBERS4(struct termios, c_iflag, c_oflag, c_cflag, c_lflag), MEMBERS4(struct termios, c_line, c_cc, c_ispeed, c_ospeed);
    MEMBERS4(struct winsize, ws_row, ws_col, ws_xpixel, ws_ypixel), MEMBERS2(struct utimbuf, actime, modtime);
    MEMBERS4(struct passwd, pw_name, pw_passwd, pw_uid, pw_gid), MEMBERS3(struct passwd, pw_gecos, pw_dir, pw_shell);
    MEMBERS4(struct group, gr_name, gr_passwd, gr_gid, gr_mem), MEMBERS2(struct sockaddr, sa_family, sa_data);
    MEMBERS4(struct sockaddr_in, sin_family, sin_port, sin_addr, sin_zero), MEMBER(struct in6_addr, s6_addr);
    MEMBERS4(struct sockaddr_in6, sin6_port, sin6_flowinfo, sin6_addr, sin6_scope_id);
    MEMBERS4(struct hostent, h_name, h_aliases, h_addrtype, h_length), MEMBER(struct hostent, h_addr_list);
    MEMBERS4(struct addrinfo, ai_flags, ai_family, ai_socktype, ai_protocol);
    MEMBERS4(struct addrinfo, ai_addrlen, ai_addr, ai_canonname, ai_next);
    MEMBERS4(struct msghdr, msg_name, msg_namelen, msg_iov, msg_iovlen);
    MEMBERS3(struct msghdr, msg_control, msg_controllen, msg_flags), MEMBERS4(struct tms, tms_utime, tms_stime, tms_cutime, tms_cstime);
    MEMBERS2(regmatch_t, rm_so, rm_eo), MEMBER(regex_t, re_nsub), MEMBERS3(glob_t, gl_pathc, gl_pathv, gl_offs);
    MEMBERS2(struct servent, s_port, s_proto), MEMBER(struct protoent, p_proto), MEMBER(struct sched_param, sched_priority);
}

/* Macros with parameters give the same values. */
static void macros(void)
{
    for (int status = 0; status < 0x20000; status += 37)
        if (WIFEXITED(status) || WIFSIGNALED(status) || WIFSTOPPED(status) || WIFCONTINUED(status))
            printf("%d: %d %d %d %d %d\n", status, WIFEXITED(status), WEXITSTATUS(status), WIFSIGNALED(status),
                   WTERMSIG(status), WIFSTOPPED(status) ? WSTOPSIG(status) : WCOREDUMP(status));
    for (mode_t mode = 0; mode < 0200000; mode += 01111)
        printf("%o: %d%d%d%d%d%d%d\n", mode, S_ISREG(mode), S_ISDIR(mode), S_ISCHR(mode), S_ISBLK(mode), S_ISFIFO(mode),
               S_ISLNK(mode), S_ISSOCK(mode));
    fd_set set;
    FD_ZERO(&set);
    for (int i = 0; i < 1024; i += 61) {
        FD_SET(i, &set);
        if (i % 2)
            FD_CLR(i - 61, &set);
    }
    for (int i = 0; i < 1024; i++)
        if (FD_ISSET(i, &set))
            printf("fd %d\n", i);
    for (size_t i = 0; i < sizeof set; i++)
        printf("%d ", ((unsigned char *)&set)[i]);
    struct timeval a = {3, 700000}, b = {2, 900000}, sum, difference;
    timeradd(&a, &b, &sum);
    timersub(&a, &b, &difference);
    printf("\n%ld %ld %ld %ld %d %d\n", sum.tv_sec, sum.tv_usec, difference.tv_sec, difference.tv_usec, timercmp(&a, &b, <),
           timerisset(&a));
    const double numbers[] = {0.0, -0.0, 1.5, -1.5, 1e-310, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 8; i++) {
        double x = numbers[i];
        printf("%d %d %d %d %d %d\n", fpclassify(x), !isfinite(x), isinf(x), !isnan(x), !isnormal(x), !signbit(x));
        for (int j = 0; j < 8; j++)
            printf("%d%d%d%d%d%d ", isgreater(x, numbers[j]), isgreaterequal(x, numbers[j]), isless(x, numbers[j]),
                   islessequal(x, numbers[j]), islessgreater(x, numbers[j]), isunordered(x, numbers[j]));
        printf("\n");
    }
    printf("%zu %zu %zu %d %d\n", CMSG_LEN(5), CMSG_SPACE(5), CMSG_ALIGN(3), MIN(3, 4), howmany(7, 3));
    printf("%lld %llu %d\n", (long long)INT64_C(-5), (unsigned long long)UINT64_C(18446744073709551615), INT8_C(3));
}

/* Constants that are no macros. */
static void enumerations(void)
{
    const int constants[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                             PTHREAD_MUTEX_DEFAULT, PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST,
                             PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT,
                             REG_NOERROR, REG_NOMATCH, REG_BADPAT, REG_EBRACK, REG_BADRPT, P_ALL, P_PID,
                             P_PGID, _PC_LINK_MAX, _PC_NAME_MAX, _PC_PATH_MAX, _PC_PIPE_BUF,
                             _PC_VDISABLE};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        printf("constant %zu: %d\n", i, constants[i]);
}

int main(void)
{
    enumerations();
    integers();
    types();
    members();
    macros();
    return 0;
}
