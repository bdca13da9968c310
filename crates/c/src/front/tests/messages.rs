//! What the user is told.

use expect_test::expect;

use super::{Memory, accept_with, lp64, memory, refuse, refuse_with, shown, try_read};
use crate::front::Options;

#[test]
fn errors_say_where_and_what() {
    expect![[r#"
        test.c:1:23-1:24 `y`: `y` undeclared (first use in this function)
        test.c:1:27-1:30 `x.a`: request for member `a` in something not a structure or union
    "#]]
    .assert_eq(&refuse("int f(int x) { return y + x.a; }"));
    expect![[r#"
        test.c:1:22-1:23 `{`: expected `)`, found `{`
    "#]]
    .assert_eq(&refuse("int f(int x) { if (x { return 1; }\n}\n"));
    expect![[r#"
        test.c:1:24-1:25 ` `: expected `}`, found end of file
    "#]]
    .assert_eq(&refuse("int f(void) { return 1; \n"));
    expect![[r#"
        test.c:1:19-1:20 `f`: conflicting types for `f`; have `long(void)`
        test.c:1:5-1:6 `f`:   previous declaration of `f` with type `int(void)`
        test.c:2:18-2:19 `a`: redefinition of parameter `a`
    "#]]
    .assert_eq(&refuse("int f(void); long f(void);\nint g(int a, int a);"));
    expect![[r#"
        test.c:1:25-1:32 `"abc; }`: missing terminating " character
    "#]]
    .assert_eq(&refuse("int f(void) { char *s = \"abc; }"));
    expect![[r#"
        test.c:1:15-1:22 `f(1, 2)`: too many arguments to function `f`; expected 0, have 2
        test.c:1:34-1:48 `case 3: break;`: case label not within a switch statement
        test.c:1:42-1:48 `break;`: break statement not within loop or switch
        test.c:1:24-1:33 `goto out;`: label `out` used but not defined
    "#]]
    .assert_eq(&refuse("int f(void) { f(1, 2); goto out; case 3: break; }"));
    expect![[r#"
        test.c:1:29-1:52 `case 5 ... 1: return 1;`: empty range specified
    "#]]
    .assert_eq(&refuse("int f(int x) { switch (x) { case 5 ... 1: return 1; } return 0; }"));
    expect![[r#"
        test.c:1:1-2:14 `/* never closed
        int f(void);`: unterminated comment
    "#]]
    .assert_eq(&refuse("/* never closed\nint f(void);"));
    expect![[r#"
        test.c:1:15-1:17 `##`: `##` at the end of a macro has nothing to join
    "#]]
    .assert_eq(&refuse("#define P(x) x##\nint P(1);"));
    expect![[r#"
        test.c:1:8-1:21 `this is wrong`: this is wrong
        test.c:2:1-2:6 `#if 1`: unterminated `#if`
    "#]]
    .assert_eq(&refuse("#error this is wrong\n#if 1\n"));
}

#[test]
fn types_may_be_left_out_where_c89_allows_it() {
    let (checked, _) = accept_with(
        "static a; b; f(c, d) char d; { auto e = 1; register g; return c; } h();",
        &lp64(),
    );
    assert_eq!(checked.warnings.len(), 7);
    expect![[r#"
        test.c:2:17-2:18 `n`: a type is missing, or not declared
        test.c:3:8-3:9 `p`: a type is missing, or not declared
    "#]]
    .assert_eq(&refuse("void f(size_t);\nstruct s { int; n; };\nint g(*p) { return 1; }"));
}

#[test]
fn another_language_is_refused() {
    let cpp = "#include <iostream>\nclass A : public B { public: virtual ~A() = default; };\ntemplate <typename T> T max(T a, T b);\n";
    expect![[r#"
        test.c:1:1-1:20 `#include <iostream>`: there is no file `iostream` to include
          help: this looks like C++; Loupe reads C
    "#]]
    .assert_eq(&refuse(cpp));
    let cpp = cpp.lines().skip(1).collect::<Vec<_>>().join("\n");
    expect![[r#"
        test.c:1:1-1:6 `class`: unknown type name `class`
          help: this looks like C++; Loupe reads C
        test.c:1:8-1:9 ` `: expected `;`, found `:`
        test.c:2:9-2:10 ` `: expected `;`, found `<`
    "#]]
    .assert_eq(&refuse(&cpp));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    expect![[r#"
        test.c:2:3-2:4 ``: this file is not C source: it contains a byte that is zero
        test.c:2:3-2:4 ``:   here
    "#]]
    .assert_eq(&refuse_with(b"int x;\n\xc3\xa4 \0\0\0", &lp64(), &Memory::default()));
}

#[test]
fn what_is_not_utf8_is_read() {
    let (result, sources) = try_read(
        b"/* \xff\xfe */ char *s = \"\xe4\"; int f(void) { return \xc3; }",
        &lp64(),
        &Memory::default(),
    );
    expect![[r#"
        test.c:1:46-1:47 `�`: source is not valid UTF-8 here
    "#]]
    .assert_eq(&shown(&result.unwrap_err(), &sources));
}

#[test]
fn a_missing_header_is_explained() {
    expect![[r#"
        test.c:1:1-1:21 `#include "missing.h"`: there is no file `missing.h` to include
          help: looked for it in the directory of the file that includes it, the headers that Loupe brings, the headers of the compiler; `-I` adds a directory, `--system-headers` takes the headers of this machine
    "#]].assert_eq(&refuse("#include \"missing.h\"\nint x;"));
    expect![[r#"
        test.c:1:1-1:25 `#include <sys/missing.h>`: there is no file `sys/missing.h` to include
          help: looked for it in the headers that Loupe brings, the headers of the compiler; `-I` adds a directory, `--system-headers` takes the headers of this machine
    "#]].assert_eq(&refuse("#include <sys/missing.h>\n"));
    let options = Options {
        include_dirs: vec!["include".into()],
        system_dirs: vec!["/usr/include".into()],
        ..lp64()
    };
    expect![[r#"
        test.c:1:1-1:21 `#include <missing.h>`: there is no file `missing.h` to include
          help: looked for it in `include`, the headers of the compiler, `/usr/include`; `-I` adds a directory
    "#]].assert_eq(&refuse_with(b"#include <missing.h>\n", &options, &Memory::default()));
}

#[test]
fn an_error_in_a_header_says_how_it_got_there() {
    let files = memory(&[
        ("a.h", "#include \"sub/b.h\"\n"),
        ("sub/b.h", "int fine;\n#include \"c.h\"\n"),
        ("sub/c.h", "int wrong wrong;\n"),
    ]);
    expect![[r#"
        sub/c.h:1:10-1:11 ` `: expected `;`, found `wrong`
        sub/b.h:2:1-2:15 `#include "c.h"`:   included from here
        a.h:1:1-1:19 `#include "sub/b.h"`:   included from here
        test.c:1:1-1:15 `#include "a.h"`:   included from here
    "#]]
    .assert_eq(&refuse_with(b"#include \"a.h\"\nint x;", &lp64(), &files));
}

#[test]
fn a_header_that_includes_itself_ends() {
    let files = memory(&[("loop.h", "#include \"loop.h\"\n")]);
    let text = refuse_with(b"#include \"loop.h\"\n", &lp64(), &files);
    expect![[r#"loop.h:1:1-1:18 `#include "loop.h"`: `#include` nested too deeply"#]]
        .assert_eq(text.lines().next().unwrap());
}

#[test]
fn there_are_at_most_twenty_errors() {
    let text: String =
        (0..50).map(|i| format!("int f{i}(void) {{ return unknown{i}; }}\n")).collect();
    let shown = refuse(&text);
    assert_eq!(shown.lines().count(), 21);
    expect!["test.c:21:24-21:33 `unknown20`: too many errors: only the first 20 are shown"]
        .assert_eq(shown.lines().last().unwrap());
    let text: String = (0..50).map(|i| format!("int x{i} = ;\n")).collect();
    assert_eq!(refuse(&text).lines().count(), 21);
    let text: String = (0..50).map(|i| format!("#error {i}\n")).collect();
    assert_eq!(refuse(&text).lines().count(), 21);
}

#[test]
fn what_gcc_warns_about_is_a_warning() {
    let text = "int *p; int i; char *c;\nint f(int x) { if (x) return; p = i; i = p; c = p; if (p == i) x = *(void **)p ? p : i; g(1); return x; }\nvoid h(void) { return 1; }\nstatic k;";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        test.c:2:23-2:30 `return;`: `return` with no value, in function returning non-void
        test.c:2:5-2:6 `f`:   declared here
        test.c:2:31-2:36 `p = i`: assignment to `int *` from `int` makes pointer from integer without a cast
        test.c:2:38-2:43 `i = p`: assignment to `int` from `int *` makes integer from pointer without a cast
        test.c:2:45-2:50 `c = p`: assignment to `char *` from incompatible pointer type `int *`
        test.c:2:56-2:62 `p == i`: comparison between pointer and integer
        test.c:2:68-2:87 `*(void **)p ? p : i`: pointer/integer type mismatch in conditional expression
        test.c:2:64-2:87 `x = *(void **)p ? p : i`: assignment to `int` from `int *` makes integer from pointer without a cast
        test.c:2:89-2:90 `g`: implicit declaration of function `g`
        test.c:3:23-3:24 `1`: `return` with a value, in function returning void
        test.c:3:6-3:7 `h`:   declared here
        test.c:4:8-4:9 `k`: type defaults to `int` in declaration of `k`
    "#]].assert_eq(&shown(&checked.warnings, &sources));
}

#[test]
fn noise_is_not_heard() {
    let text = "int f(unsigned u, int i, char c) { unsigned char d = 300; const char *s = \"a\"; char *t = s; switch (c) { case 1000: ; } return u < i; }";
    assert_eq!(accept_with(text, &lp64()).0.warnings, []);
}

#[test]
fn macros_of_the_command_line_are_defined() {
    let macros = vec![
        ("A".to_owned(), Some("1".to_owned())),
        ("B".to_owned(), Some(String::new())),
        ("A".to_owned(), None),
        ("C".to_owned(), None),
        ("C".to_owned(), Some("3".to_owned())),
        ("F(x)".to_owned(), Some("(x + 1)".to_owned())),
        ("__GNUC__".to_owned(), None),
    ];
    let options = Options { macros, ..lp64() };
    let text = "#if defined A || !defined B || C != 3 || F(2) != 3 || defined __GNUC__\n#error wrong\n#endif\nchar when[] = __DATE__ __TIME__;";
    let unit = accept_with(text, &options).0.unit;
    expect![[r#"
        external when: char[20] defined = {0 "Jan  1 197000:00:00\0":char[20]};
    "#]]
    .assert_eq(&super::dump::unit(&unit));
}

#[test]
fn files_may_be_included_before_the_first_line() {
    let files =
        memory(&[("/p/config.h", "#define N 3\nint before;"), ("/p/bad.h", "int wrong wrong;")]);
    let include = |name: &str| Options { includes: vec![name.into()], ..lp64() };
    let (read, sources) = super::try_read(b"int a[N];", &include("/p/config.h"), &files);
    expect![[r#"
        external before: int tentative;
        external a: int[3] tentative;
    "#]]
    .assert_eq(&super::dump::unit(&read.unwrap().unit));
    assert_eq!(sources.iter().next().map(|(_, file)| file.name.as_str()), Some("test.c"));
    expect![[r#"
        /p/bad.h:1:10-1:11 ` `: expected `;`, found `wrong`
        <command-line>:1:10-1:18 `/p/bad.h`:   included from here
    "#]]
    .assert_eq(&refuse_with(b"int x;", &include("/p/bad.h"), &files));
    expect![[r#"
        <command-line>:1:10-1:22 `/p/missing.h`: there is no file `/p/missing.h` to include
          help: looked for it in the headers that Loupe brings, the headers of the compiler; `-I` adds a directory, `--system-headers` takes the headers of this machine
    "#]].assert_eq(&refuse_with(b"int x;", &include("/p/missing.h"), &files));
}

#[test]
fn headers_come_from_where_they_should() {
    let files = memory(&[
        ("dir/own.h", "int own;"),
        ("inc/own.h", "int other;"),
        ("inc/sub/deep.h", "#include \"beside.h\"\n"),
        ("inc/sub/beside.h", "int beside;"),
        ("/sys/stdio.h", "int from_system;"),
    ]);
    let options =
        Options { include_dirs: vec!["inc".into()], system_dirs: vec!["/sys".into()], ..lp64() };
    let mut sources = loupe_ir::source::Sources::new();
    let text = b"#include \"own.h\"\n#include <sub/deep.h>\n#include <stdio.h>\n#include <stddef.h>\nsize_t n; int use(void) { return from_system; }";
    let unit = crate::front::read("dir/main.c", text, &options, &files, &mut sources).unwrap().unit;
    expect![[r#"
        external own: int tentative;
        external beside: int tentative;
        external from_system: int tentative;
        external n: unsigned long tentative;
        use(; None) -> int ||
          block
            return [from_system]
    "#]]
    .assert_eq(&super::dump::unit(&unit));
    let names: Vec<&str> = sources.iter().map(|(_, file)| file.name.as_str()).collect();
    expect![[r#"
        dir/main.c
        dir/own.h
        inc/sub/beside.h
        /sys/stdio.h"#]]
    .assert_eq(&names.join("\n"));
}
