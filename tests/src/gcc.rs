//! gcc, the judge of what C programs mean.
//!
//! LP64 programs are compiled and run as usual. ILP32 programs need no 32-bit C library: they are linked
//! with a small one of the tests' own (`c/support/ilp32`) and talk to the kernel themselves. A machine
//! may have no gcc, or may not run 32-bit programs; what needs it then says that it was skipped. With
//! `LOUPE_REQUIRE_GCC=1` that is a failure.

use crate::process::{self, Finished};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The sizes of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

impl DataModel {
    /// As options and the headers of programs have it.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// What tests compile with: no optimisation, and signed arithmetic that wraps.
pub const PLAIN: &[&str] = &["-fwrapv", "-O0", "-w"];

/// A program to compile.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// Its files.
    pub files: &'a [PathBuf],
    /// The sizes of types.
    pub data_model: DataModel,
    /// The edition of C: `gnu11`.
    pub standard: &'a str,
    /// More options.
    pub flags: &'a [&'a str],
}

impl Build<'_> {
    /// Compiles and links; gives what gcc said if that fails.
    ///
    /// # Errors
    ///
    /// If the program cannot be compiled or linked.
    ///
    /// # Panics
    ///
    /// If gcc does not start, or hangs.
    pub fn compile(&self) -> Result<Executable, String> {
        let path = fresh_path("");
        let mut command = Command::new("gcc");
        command.arg(format!("-std={}", self.standard)).args(self.flags).args(self.files);
        command.arg("-o").arg(&path);
        match self.data_model {
            DataModel::Ilp32 => command.args(ILP32).args(search_paths()).arg(small_library()?),
            DataModel::Lp64 => command.arg("-lm"),
        };
        let gcc = finish(command);
        if gcc.status == 0 {
            Ok(Executable { path, warnings: gcc.stderr })
        } else {
            Err(gcc.stderr)
        }
    }
}

/// Code for i686 that needs nothing but itself. Floating numbers are those of SSE, as on x86-64; there
/// is one thread.
const ILP32: &[&str] = &[
    "-m32",
    "-msse2",
    "-mfpmath=sse",
    "-D_Thread_local=",
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-no-pie",
    "-static",
    "-nostdlib",
];

/// Where gcc finds the headers of the C library for i686: they are the same as for x86-64, but for one.
fn search_paths() -> [String; 2] {
    static LIBRARY: LazyLock<String> = LazyLock::new(|| {
        let mut command = Command::new("gcc");
        command.arg("-print-multiarch");
        format!("-isystem/usr/include/{}", finish(command).stdout.trim())
    });
    [format!("-I{}", support().display()), LIBRARY.clone()]
}

fn support() -> PathBuf {
    crate::root().join("c/support/ilp32")
}

/// The small C library for i686, compiled.
fn small_library() -> Result<PathBuf, String> {
    static LIBRARY: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let object = fresh_path("ilp32.o");
        let mut command = Command::new("gcc");
        command.args([
            "-std=gnu11",
            "-O1",
            "-fwrapv",
            "-fno-builtin",
            "-ffreestanding",
            "-w",
            "-c",
        ]);
        // What links does not belong here, but does not hurt either.
        command.args(ILP32).arg(support().join("runtime.c")).arg("-o").arg(&object);
        let gcc = finish(command);
        if gcc.status != 0 {
            return Err(gcc.stderr);
        }
        // One file for all runs of the tests; each puts it there anew.
        let shared = object.with_file_name("ilp32.o");
        fs::rename(&object, &shared).map_err(|error| error.to_string())?;
        Ok(shared)
    });
    LIBRARY.clone()
}

/// A compiled program, which is removed when this is dropped.
#[derive(Debug)]
pub struct Executable {
    path: PathBuf,
    /// What gcc said about it.
    pub warnings: String,
}

impl Executable {
    /// Runs it to its end, with a file or nothing on standard input.
    ///
    /// # Panics
    ///
    /// If it does not start, or hangs.
    pub fn run(&self, input: Option<&Path>) -> Finished {
        let mut command = Command::new(&self.path);
        command.stdin(match input {
            Some(path) => Stdio::from(fs::File::open(path).expect("the input can be read")),
            None => Stdio::null(),
        });
        // Printing a part of an array that no zero ends is fine; a leak is no error.
        command
            .env("ASAN_OPTIONS", "check_printf=0:detect_leaks=0:detect_stack_use_after_return=1");
        finish(command)
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // Nobody looks for it there.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether programs of this data model can be judged; tells why not.
///
/// # Panics
///
/// If they cannot and `LOUPE_REQUIRE_GCC` is 1.
pub fn can_judge(model: DataModel) -> bool {
    static ILP32: LazyLock<Result<(), String>> = LazyLock::new(|| try_out(DataModel::Ilp32));
    static LP64: LazyLock<Result<(), String>> = LazyLock::new(|| try_out(DataModel::Lp64));
    let tried = match model {
        DataModel::Ilp32 => &*ILP32,
        DataModel::Lp64 => &*LP64,
    };
    let Err(reason) = tried else { return true };
    let required = std::env::var_os("LOUPE_REQUIRE_GCC").is_some_and(|value| value == "1");
    assert!(!required, "no judge for {}: {reason}", model.name());
    crate::tell(&format!("SKIPPED: no judge for {}: {reason}", model.name()));
    false
}

/// Compiles and runs a program that uses the library and 64-bit division.
fn try_out(model: DataModel) -> Result<(), String> {
    if Command::new("gcc").arg("--version").output().is_err() {
        return Err("there is no gcc".to_owned());
    }
    const PROGRAM: &str = "#include <stdio.h>\n\
        int main(int argc, char **argv) {\n\
            printf(\"%lld %d\\n\", 10000000000LL / (argc + 1), (int)sizeof argv);\n\
            return 0;\n\
        }\n";
    let file = scratch_file("try.c", PROGRAM);
    let build = Build {
        files: std::slice::from_ref(&file),
        data_model: model,
        standard: "gnu11",
        flags: PLAIN,
    };
    let executable = build.compile();
    let _ = fs::remove_file(&file);
    let run = executable?.run(None);
    let expected = match model {
        DataModel::Ilp32 => "5000000000 4\n",
        DataModel::Lp64 => "5000000000 8\n",
    };
    if run.stdout == expected { Ok(()) } else { Err(format!("it does not work:\n{run}")) }
}

/// Writes a file for gcc or for people, beside the tests.
///
/// # Panics
///
/// If that is not possible.
pub fn scratch_file(name: &str, text: &str) -> PathBuf {
    let path = fresh_path(name);
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// A path that nobody else uses.
fn fresh_path(name: &str) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let tests = std::env::current_exe().expect("a test has a path");
    let folder = tests.with_file_name("scratch");
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder.join(format!("{}-{number}-{name}", std::process::id()))
}

fn finish(mut command: Command) -> Finished {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let child = command.spawn();
    let child = child.unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    process::finish(child, start)
        .unwrap_or_else(|| panic!("{command:?} did not end in {:?}", process::TIME_LIMIT))
}
