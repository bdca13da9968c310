//! The headers and the model of the C library, judged by gcc and the machine's own library.
//!
//! Headers: each compiles alone in both data models; constants, layouts and prototypes are those of
//! the machine's headers. Model: its functions, with all symbols prefixed, run beside the machine's
//! library on the same inputs (`tests/library/`); the intrinsics are a few lines over that library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use loupe_c::headers::{HEADERS, LIBRARY};

const OURS: [&str; 3] = ["-nostdinc", "-isystem", concat!(env!("CARGO_MANIFEST_DIR"), "/include")];

/// An empty folder for the files of one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library").join(name)
}

/// Runs a command that has to succeed; what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}{errors}");
    text
}

/// Compiles a program and runs it; what it printed.
fn output_of(program: &Path, options: &[&str]) -> String {
    let binary = program.with_extension(if options.is_empty() { "theirs" } else { "ours" });
    run(Command::new("gcc").arg("-w").args(options).arg(program).arg("-lm").arg("-o").arg(&binary));
    run(&mut Command::new(binary))
}

/// A program that includes headers.
fn inclusions<'a>(headers: impl Iterator<Item = &'a str>) -> String {
    headers.map(|header| format!("#include <{header}>\n")).collect()
}

/// Headers that programs include. Those that only define words of the language are left out: they
/// would change the headers of the machine.
fn public_headers() -> impl Iterator<Item = &'static str> {
    HEADERS
        .iter()
        .map(|&(name, _)| name)
        .filter(|name| !name.starts_with("bits/") && !matches!(*name, "iso646.h" | "stdnoreturn.h"))
}

#[test]
fn headers_compile_alone() {
    let folder = folder("alone");
    let programs: Vec<PathBuf> = HEADERS
        .iter()
        .map(|&(name, _)| {
            let program = folder.join(name.replace(['/', '.'], "_")).with_extension("c");
            // Twice, to see that a header protects itself.
            fs::write(&program, inclusions([name, name].into_iter())).unwrap();
            program
        })
        .collect();
    for options in [["-m64", "-D_GNU_SOURCE"], ["-m32", "-D_FILE_OFFSET_BITS=64"]] {
        run(Command::new("gcc")
            .args(OURS)
            .args(options)
            .args([
                "-fsyntax-only",
                "-std=gnu11",
                "-Wall",
                "-Wextra",
                "-Wsystem-headers",
                "-Werror",
            ])
            .args(&programs));
    }
}

#[test]
fn library_compiles() {
    let files: Vec<PathBuf> = library_sources();
    for model in ["-m64", "-m32"] {
        run(Command::new("gcc")
            .args(OURS)
            .args([model, "-fsyntax-only", "-std=gnu11"])
            .args(["-Wall", "-Wextra", "-Wsystem-headers", "-Werror"])
            .args(&files));
    }
}

fn library_sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
    let sources = LIBRARY.iter().filter(|(name, _)| name.ends_with(".c"));
    sources.map(|(name, _)| folder.join(name)).collect()
}

/// Names of our macros without parameters that stand for a value.
fn constants(folder: &Path) -> Vec<String> {
    let all = folder.join("all.c");
    fs::write(&all, inclusions(public_headers())).unwrap();
    let macros = run(Command::new("gcc").args(OURS).args(["-D_GNU_SOURCE", "-dM", "-E"]).arg(&all));
    let mut names: Vec<String> = macros
        .lines()
        .filter_map(|line| {
            let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
            let is_upper = name.trim_start_matches('_').starts_with(|c: char| c.is_uppercase());
            // Brace-enclosed initialisers are no values.
            let is_value = !value.is_empty() && !name.contains('(') && !value.starts_with('{');
            let is_ours = !name.starts_with("__") && !name.ends_with("_H") && name != "_GNU_SOURCE";
            (is_upper && is_value && is_ours).then(|| name.to_owned())
        })
        .collect();
    names.sort();
    names
}

/// Constants in ours that glibc asks the system for.
const ASKED_FOR: &[&str] = &["MINSIGSTKSZ", "PTHREAD_STACK_MIN", "SIGSTKSZ"];

#[test]
fn constants_are_those_of_the_machine() {
    let folder = folder("constants");
    let names = constants(&folder);
    assert!(names.len() > 1200, "only {} constants", names.len());
    let mut program = String::from("#define _GNU_SOURCE\n");
    program += &inclusions(public_headers());
    program += include_str!("library/show.h");
    program += "int main(void) {\n";
    for name in &names {
        if !ASKED_FOR.contains(&name.as_str()) {
            program += &format!("#ifdef {name}\n SHOW({name});\n#endif\n");
        }
    }
    program += "}\n";
    let path = folder.join("constants.c");
    fs::write(&path, program).unwrap();
    let (theirs, ours) = (output_of(&path, &[]), output_of(&path, &OURS));
    assert_eq!(ours.lines().count(), names.len() - ASKED_FOR.len());
    for line in ours.lines() {
        assert!(theirs.lines().any(|their| their == line), "not in the machine's headers: {line}");
    }
}

#[test]
fn layouts_are_those_of_the_machine() {
    let program = folder("layouts").join("layouts.c");
    fs::copy(source("layouts.c"), &program).unwrap();
    let (theirs, ours) = (output_of(&program, &[]), output_of(&program, &OURS));
    for (theirs, ours) in theirs.lines().zip(ours.lines()) {
        assert_eq!(theirs, ours, "the machine's headers (left) and ours (right) differ");
    }
    assert_eq!(theirs.lines().count(), ours.lines().count());
    assert!(ours.lines().count() > 3000, "only {} lines", ours.lines().count());
}

#[test]
fn layouts_of_32_bits() {
    run(Command::new("gcc").args(OURS).args(["-m32", "-fsyntax-only"]).arg(source("layouts32.c")));
}

/// Functions whose first parameter is an enumeration in glibc, if GNU's names are asked for; POSIX says
/// `int`.
const WITH_ENUMERATIONS: &[&str] =
    &["getpriority", "setpriority", "getrlimit", "setrlimit", "getitimer", "setitimer"];

/// Our declarations behind those of the machine: the compiler compares them.
#[test]
fn prototypes_are_those_of_the_machine() {
    let folder = folder("prototypes");
    let all = folder.join("all.c");
    fs::write(&all, inclusions(public_headers())).unwrap();
    let ours = run(Command::new("gcc").args(OURS).args(["-D_GNU_SOURCE", "-E", "-P"]).arg(&all));
    let mut program = String::from("#define _GNU_SOURCE\n") + &inclusions(public_headers());
    let mut count = 0;
    for declaration in ours.split(';').map(str::trim).filter(|text| text.starts_with("extern ")) {
        let name = declared_name(declaration);
        if WITH_ENUMERATIONS.contains(&name) {
            continue;
        }
        program += &format!("#undef {name}\n{declaration};\n");
        count += 1;
    }
    assert!(count > 1000, "only {count} declarations");
    let path = folder.join("prototypes.c");
    fs::write(&path, program).unwrap();
    run(Command::new("gcc").args(["-w", "-fsyntax-only", "-fno-builtin"]).arg(&path));
}

/// The name that a declaration declares: what stands before its parameters, or at its end.
fn declared_name(declaration: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let head = match declaration.split_once("(*") {
        // A pointer to a function: `void (*name)(...)`.
        Some((head, rest)) if !head.contains('(') => rest.split(')').next().unwrap_or(rest),
        _ => declaration.split(['(', '[']).next().unwrap_or(declaration),
    };
    head.trim_end().rsplit(|c| !is_word(c)).next().unwrap_or(head)
}

#[test]
fn the_model_agrees_with_the_machine() {
    let folder = folder("model");
    run(Command::new("gcc")
        .current_dir(&folder)
        .args(OURS)
        .args(["-c", "-O1", "-fwrapv", "-ffreestanding", "-fno-builtin"])
        .args(["-fno-pie", "-fno-stack-protector"])
        .args(library_sources()));
    let objects = library_sources()
        .into_iter()
        .map(|file| folder.join(file.file_name().unwrap()).with_extension("o"));
    let model = folder.join("model.o");
    run(Command::new("ld").arg("-r").arg("-o").arg(&model).args(objects));
    run(Command::new("objcopy").arg("--prefix-symbols=model_").arg(&model));
    let binary = folder.join("driver");
    let sources = [
        "shim.c",
        "driver.c",
        "strings.c",
        "numbers.c",
        "heap.c",
        "mathematics.c",
        "streams.c",
        "dates.c",
        "programs.c",
    ];
    run(Command::new("gcc")
        .args(["-fno-builtin", "-no-pie", "-fno-pie", "-Wall", "-Werror"])
        .args(sources.map(source))
        .arg(&model)
        .args(["-lm", "-o"])
        .arg(&binary));
    let report = run(&mut Command::new(binary));
    let checks: u64 = report.split(' ').next().unwrap().parse().unwrap();
    assert!(checks > 1_000_000 && report.ends_with(" 0 failures\n"), "{report}");
}
