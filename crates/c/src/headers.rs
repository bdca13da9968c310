//! The headers and the model of the C library, as text.
//!
//! They are part of the binary, so that a program means the same on every machine. The model is C
//! like any other: what it cannot say in C, it asks of the intrinsics in `loupe.h`.

/// The standard headers, by the name in `#include <…>`, in order.
pub const HEADERS: &[(&str, &str)] = &[
    ("alloca.h", include_str!("../include/alloca.h")),
    ("arpa/inet.h", include_str!("../include/arpa/inet.h")),
    ("assert.h", include_str!("../include/assert.h")),
    ("bits/FILE.h", include_str!("../include/bits/FILE.h")),
    ("bits/getopt.h", include_str!("../include/bits/getopt.h")),
    ("bits/iovec.h", include_str!("../include/bits/iovec.h")),
    ("bits/locale_t.h", include_str!("../include/bits/locale_t.h")),
    ("bits/pthreadtypes.h", include_str!("../include/bits/pthreadtypes.h")),
    ("bits/sigset_t.h", include_str!("../include/bits/sigset_t.h")),
    ("bits/sockaddr.h", include_str!("../include/bits/sockaddr.h")),
    ("bits/timespec.h", include_str!("../include/bits/timespec.h")),
    ("bits/timeval.h", include_str!("../include/bits/timeval.h")),
    ("bits/types.h", include_str!("../include/bits/types.h")),
    ("bits/wint_t.h", include_str!("../include/bits/wint_t.h")),
    ("byteswap.h", include_str!("../include/byteswap.h")),
    ("ctype.h", include_str!("../include/ctype.h")),
    ("dirent.h", include_str!("../include/dirent.h")),
    ("dlfcn.h", include_str!("../include/dlfcn.h")),
    ("endian.h", include_str!("../include/endian.h")),
    ("err.h", include_str!("../include/err.h")),
    ("errno.h", include_str!("../include/errno.h")),
    ("error.h", include_str!("../include/error.h")),
    ("fcntl.h", include_str!("../include/fcntl.h")),
    ("features.h", include_str!("../include/features.h")),
    ("fenv.h", include_str!("../include/fenv.h")),
    ("float.h", include_str!("../include/float.h")),
    ("fnmatch.h", include_str!("../include/fnmatch.h")),
    ("getopt.h", include_str!("../include/getopt.h")),
    ("glob.h", include_str!("../include/glob.h")),
    ("grp.h", include_str!("../include/grp.h")),
    ("iconv.h", include_str!("../include/iconv.h")),
    ("inttypes.h", include_str!("../include/inttypes.h")),
    ("iso646.h", include_str!("../include/iso646.h")),
    ("langinfo.h", include_str!("../include/langinfo.h")),
    ("libgen.h", include_str!("../include/libgen.h")),
    ("limits.h", include_str!("../include/limits.h")),
    ("locale.h", include_str!("../include/locale.h")),
    ("malloc.h", include_str!("../include/malloc.h")),
    ("math.h", include_str!("../include/math.h")),
    ("memory.h", include_str!("../include/memory.h")),
    ("netdb.h", include_str!("../include/netdb.h")),
    ("netinet/in.h", include_str!("../include/netinet/in.h")),
    ("netinet/tcp.h", include_str!("../include/netinet/tcp.h")),
    ("poll.h", include_str!("../include/poll.h")),
    ("pthread.h", include_str!("../include/pthread.h")),
    ("pwd.h", include_str!("../include/pwd.h")),
    ("regex.h", include_str!("../include/regex.h")),
    ("sched.h", include_str!("../include/sched.h")),
    ("semaphore.h", include_str!("../include/semaphore.h")),
    ("setjmp.h", include_str!("../include/setjmp.h")),
    ("signal.h", include_str!("../include/signal.h")),
    ("stdalign.h", include_str!("../include/stdalign.h")),
    ("stdarg.h", include_str!("../include/stdarg.h")),
    ("stdbool.h", include_str!("../include/stdbool.h")),
    ("stddef.h", include_str!("../include/stddef.h")),
    ("stdint.h", include_str!("../include/stdint.h")),
    ("stdio.h", include_str!("../include/stdio.h")),
    ("stdlib.h", include_str!("../include/stdlib.h")),
    ("stdnoreturn.h", include_str!("../include/stdnoreturn.h")),
    ("string.h", include_str!("../include/string.h")),
    ("strings.h", include_str!("../include/strings.h")),
    ("sys/cdefs.h", include_str!("../include/sys/cdefs.h")),
    ("sys/errno.h", include_str!("../include/sys/errno.h")),
    ("sys/fcntl.h", include_str!("../include/sys/fcntl.h")),
    ("sys/file.h", include_str!("../include/sys/file.h")),
    ("sys/ioctl.h", include_str!("../include/sys/ioctl.h")),
    ("sys/mman.h", include_str!("../include/sys/mman.h")),
    ("sys/param.h", include_str!("../include/sys/param.h")),
    ("sys/poll.h", include_str!("../include/sys/poll.h")),
    ("sys/resource.h", include_str!("../include/sys/resource.h")),
    ("sys/select.h", include_str!("../include/sys/select.h")),
    ("sys/signal.h", include_str!("../include/sys/signal.h")),
    ("sys/socket.h", include_str!("../include/sys/socket.h")),
    ("sys/stat.h", include_str!("../include/sys/stat.h")),
    ("sys/syslog.h", include_str!("../include/sys/syslog.h")),
    ("sys/termios.h", include_str!("../include/sys/termios.h")),
    ("sys/time.h", include_str!("../include/sys/time.h")),
    ("sys/times.h", include_str!("../include/sys/times.h")),
    ("sys/types.h", include_str!("../include/sys/types.h")),
    ("sys/uio.h", include_str!("../include/sys/uio.h")),
    ("sys/un.h", include_str!("../include/sys/un.h")),
    ("sys/utsname.h", include_str!("../include/sys/utsname.h")),
    ("sys/wait.h", include_str!("../include/sys/wait.h")),
    ("sysexits.h", include_str!("../include/sysexits.h")),
    ("syslog.h", include_str!("../include/syslog.h")),
    ("termios.h", include_str!("../include/termios.h")),
    ("time.h", include_str!("../include/time.h")),
    ("unistd.h", include_str!("../include/unistd.h")),
    ("utime.h", include_str!("../include/utime.h")),
    ("wchar.h", include_str!("../include/wchar.h")),
    ("wctype.h", include_str!("../include/wctype.h")),
];

/// The files of the model, by their names, in order. A `.h` is included by others with `"…"`.
pub const LIBRARY: &[(&str, &str)] = &[
    ("assert.c", include_str!("../library/assert.c")),
    ("bits.c", include_str!("../library/bits.c")),
    ("ctype.c", include_str!("../library/ctype.c")),
    ("ctype_tables.c", include_str!("../library/ctype_tables.c")),
    ("environment.c", include_str!("../library/environment.c")),
    ("errno.c", include_str!("../library/errno.c")),
    ("exit.c", include_str!("../library/exit.c")),
    ("files.c", include_str!("../library/files.c")),
    ("get.c", include_str!("../library/get.c")),
    ("getopt.c", include_str!("../library/getopt.c")),
    ("heap.c", include_str!("../library/heap.c")),
    ("integers.c", include_str!("../library/integers.c")),
    ("locale.c", include_str!("../library/locale.c")),
    ("loupe.h", include_str!("../library/loupe.h")),
    ("math.c", include_str!("../library/math.c")),
    ("math_float.c", include_str!("../library/math_float.c")),
    ("math_round.c", include_str!("../library/math_round.c")),
    ("math_scale.c", include_str!("../library/math_scale.c")),
    ("math_simple.c", include_str!("../library/math_simple.c")),
    ("memory.c", include_str!("../library/memory.c")),
    ("parse_float.c", include_str!("../library/parse_float.c")),
    ("parse_integer.c", include_str!("../library/parse_integer.c")),
    ("print.c", include_str!("../library/print.c")),
    ("put.c", include_str!("../library/put.c")),
    ("random.c", include_str!("../library/random.c")),
    ("scan.c", include_str!("../library/scan.c")),
    ("signal.c", include_str!("../library/signal.c")),
    ("sort.c", include_str!("../library/sort.c")),
    ("start.c", include_str!("../library/start.c")),
    ("stream.c", include_str!("../library/stream.c")),
    ("stream.h", include_str!("../library/stream.h")),
    ("string.c", include_str!("../library/string.c")),
    ("string_compare.c", include_str!("../library/string_compare.c")),
    ("string_search.c", include_str!("../library/string_search.c")),
    ("svcomp.c", include_str!("../library/svcomp.c")),
    ("time.c", include_str!("../library/time.c")),
    ("time_text.c", include_str!("../library/time_text.c")),
    ("unistd.c", include_str!("../library/unistd.c")),
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// All files below a folder, by their path in it, with their contents.
    fn files(folder: &str) -> Vec<(String, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut folders = vec![root.clone()];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                    found.push((name, fs::read_to_string(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    fn check(table: &[(&str, &str)], folder: &str) {
        let listed: Vec<_> =
            table.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
        assert_eq!(listed, files(folder), "the table of {folder}/ is not up to date");
    }

    #[test]
    fn headers_are_complete_and_sorted() {
        check(HEADERS, "include");
    }

    #[test]
    fn library_is_complete_and_sorted() {
        check(LIBRARY, "library");
    }
}
