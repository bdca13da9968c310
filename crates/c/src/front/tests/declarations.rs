//! What declarations become.

use expect_test::{Expect, expect};

use super::{accept, accept_with, dump, lp64, shown};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&dump::unit(&accept(text).unit));
}

#[test]
fn redeclarations_are_one() {
    check(
        "int a; int a; extern int a; static int b; static int b = 3; extern int c; int d[]; int e[] = {1, 2};\
         int f(int); int f(int x) { extern int c; extern int h; return x + c + h + a; } int f(int); int h = 2;\
         static int g(void); int k(void) { return g(); } static int g(void) { return 1; } extern int e[];",
        expect![[r#"
            external a: int tentative;
            static b: int defined = {0 3};
            external c: int declared;
            external d: int[1] tentative;
            external e: int[2] defined = {0 1, 4 2};
            f(int; None) -> int |x: int|
              block
                ;
                ;
                return ((([x] + [c]) + [h]) + [a])
            external h: int defined = {0 2};
            g(; None) -> int static ||
              block
                return 1
            k(; None) -> int ||
              block
                return decay(g)()
        "#]],
    );
}

#[test]
fn constant_initialisers_are_numbers_and_addresses() {
    check(
        "struct s { int a; char t[6]; struct s *p; unsigned x : 3, y : 9; double d; int (*f)(void); };\
         int n = 3 + 4 * sizeof(long); int f(void); int v[4]; struct s u; char *text = \"abc\" + 1; char word[] = \"hey\";\
         struct s r = { .p = &u, .a = -1, \"hello\", .x = 9, .y = 5, .d = 1.5, .f = f };\
         int *q = v + 2, *z = &v[3] - 1, *null = 0; long l = (long)&u.d; char *c = &u.t[2]; void *m = (char *)&v + 5; int (*g)(void) = &f;\
         struct s *lit = &(struct s){ 7 }; struct s whole = (struct s){ 8, .d = 2 }; int *ints = (int[]){1, 2, 3};\
         float fl = 0.1; long double ld = 1; _Bool b = 7; unsigned char uc = 300; unsigned long big = -1; enum e { A = -5, B } en = B; int grid[2][2] = {{1}, [1][1] = 4};\
         struct flex { int n; int rest[]; } flex = { 2, {5, 6} }; const int limit = 10; int copy = limit;\
         static const char *const names[] = { \"x\", \"yy\", 0 }; unsigned addr = (unsigned)12345678901; wchar_t; ",
        expect![[r#"
            external n: int defined = {0 35};
            f(; None) -> int
            external v: int[4] tentative;
            external u: struct s tentative;
            external text: char * defined = {0 (decay("abc\0":char[4]) +p 1:long)};
            external word: char[4] defined = {0 "hey\0":char[4]};
            external r: struct s defined = {16 &u, 0 -1, 4 "hello\0":char[6], 24:0+3 9:unsigned int, 24:3+9 5:unsigned int, 32 0x3ff8000000000000:double, 40 decay(f)};
            external q: int * defined = {0 (int *)((char *)&v +p 8:long)};
            external z: int * defined = {0 (int *)((char *)&v +p 8:long)};
            external null: int * defined = {0 0:int *};
            external l: long defined = {0 (long)((char *)&u +p 32:long)};
            external c: char * defined = {0 ((char *)&u +p 6:long)};
            external m: void * defined = {0 (void *)((char *)&v +p 5:long)};
            external g: int (*)(void) defined = {0 decay(f)};
            external lit: struct s * defined = {0 &_};
            external whole: struct s defined = {0 8, 32 0x4000000000000000:double};
            external ints: int * defined = {0 (int *)&_};
            external fl: float defined = {0 0x3dcccccd:float};
            external ld: long double defined = {0 0x3fff8000000000000000:long double};
            external b: _Bool defined = {0 1:_Bool};
            external uc: unsigned char defined = {0 44:unsigned char};
            external big: unsigned long defined = {0 18446744073709551615:unsigned long};
            external en: enum e defined = {0 -4:enum e};
            external grid: int[2][2] defined = {0 1, 12 4};
            external flex: struct flex defined extent 12 = {0 2, 4 5, 8 6};
            external limit: int defined = {0 10};
            external copy: int defined = {0 10};
            static names: char *[3] defined = {0 decay("x\0":char[2]), 8 decay("yy\0":char[3]), 16 0:char *};
            external addr: unsigned int defined = {0 3755744309:unsigned int};
            external wchar_t: int tentative;
        "#]],
    );
}

#[test]
fn locals_of_functions() {
    check(
        "int *f(void) { static int count = 5; static int *p = &count; extern int shared; int x = count, y[3] = {1}, z; register int r = x;\
         char s[] = \"ab\", t[2] = \"ab\", e[4] = \"ab\"; struct p { int a, b; } q = { .b = x }, w = q; int i = i; const char *n = __func__; return &shared; }",
        expect![[r#"
            f(; None) -> int * ||
              block
                declare static count: int defined = {0 5}
                declare static p: int * defined = {0 &count}
                ;
                declare x: int = {0 [count]}
                declare y: int[3] = {0 1}
                declare z: int
                declare r: int = {0 [x]}
                declare s: char[3] = {0 "ab\0":char[3]}
                declare t: char[2] = {0 "ab\0":char[2]}
                declare e: char[4] = {0 "ab\0":char[3]}
                declare q: struct p = {4 [x]}
                declare w: struct p = {0 [q]}
                declare i: int = {0 [i]}
                declare n: char * = {0 decay("f\0":char[2])}
                return &shared
        "#]],
    );
}

#[test]
fn attributes_of_functions() {
    check(
        "void a(void) __attribute__((constructor)); void a(void) {} __attribute__((destructor(200))) void b(void) {}\
         int c(void) __attribute__((weak, alias(\"d\"))); int d(void) { return 1; } _Noreturn void e(void); extern int g(int) __asm__(\"renamed\");\
         inline int h(void) { return 1; } static inline int i(void) { return 2; } extern inline int j(void) { return 3; }\
         void k(int *p) {} void l(void) { int x __attribute__((cleanup(k))) = 3; e(); g(1); } static int m() __attribute__((weakref(\"n\"))); int o() { return m(); }\
         extern int v __attribute__((alias(\"w\"))); int w = 1; __attribute__((weak)) int p = 2;",
        expect![[r#"
            a(; None) -> void constructor 65536 ||
              block
            b(; None) -> void destructor 200 ||
              block
            c(; None) -> int weak alias d
            d(; None) -> int ||
              block
                return 1
            e(; None) -> void noreturn
            g(int; None) -> int link renamed
            h(; None) -> int inline-only ||
              block
                return 1
            i(; None) -> int static ||
              block
                return 2
            j(; None) -> int ||
              block
                return 3
            k(int *; None) -> void |p: int *|
              block
            l(; None) -> void ||
              block
                declare x: int cleanup k = {0 3}
                decay(e)()
                decay(g)(1)
            m(; Unspecified) -> int static weak alias n
            o(; Unspecified) -> int ||
              block
                return decay(m)()
            external v: int declared alias w;
            external w: int defined = {0 1};
            external p: int defined = {0 2};
        "#]],
    );
}

#[test]
fn old_style_functions_and_implicit_declarations() {
    let text = "f(a, b, c) char b; float c; { return a + b + c; } int g() { return f(1, 2, 3.0) + undeclared(1, 2.0f) + h(); } h() { return 1; } main() { char *p = malloc(4); return 0; }";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        f(int, int, double; Unspecified) -> int |a: int, b: char, c: float|
          block
            return (int)((float)([a] + (int)[b]) + [c])
        g(; Unspecified) -> int ||
          block
            return ((decay(f)(1, 2, 0x4008000000000000:double) + decay(undeclared)(1, (double)0x40000000:float)) + decay(h)())
        undeclared(; Unspecified) -> int implicit
        h(; Unspecified) -> int implicit ||
          block
            return 1
        main(; Unspecified) -> int ||
          block
            declare p: char * = {0 (char *)decay(malloc)((unsigned long)4)}
            return 0
        malloc(unsigned long; None) -> void * implicit
    "#]].assert_eq(&dump::unit(&checked.unit));
    expect![[r#"
        test.c:1:1-1:2 `f`: type defaults to `int` in declaration of `f`
        test.c:1:3-1:4 `a`: type of `a` defaults to `int`
        test.c:1:83-1:93 `undeclared`: implicit declaration of function `undeclared`
        test.c:1:105-1:106 `h`: implicit declaration of function `h`
        test.c:1:112-1:113 `h`: type defaults to `int` in declaration of `h`
        test.c:1:130-1:134 `main`: type defaults to `int` in declaration of `main`
        test.c:1:149-1:155 `malloc`: implicit declaration of function `malloc`
    "#]]
    .assert_eq(&shown(&checked.warnings, &sources));
}

#[test]
fn records() {
    let checked = accept(
        "struct list { struct list *next; int v; }; typedef struct { char c; double d; } pair; union u { int i; char c[8]; pair p; };\
         struct bits { char a; int b : 3; int : 5; int c : 20; int : 0; short d : 9; }; struct __attribute__((packed)) tight { char c; int i; };\
         struct opaque; struct list l; pair p; union u u; struct bits b; struct tight t; struct opaque *o; enum color { RED } color; struct flex { int n; char rest[]; } *x;",
    );
    let mut text = String::new();
    for record in &checked.unit.records {
        text += &format!(
            "{} {} {:?}\n",
            if record.is_union { "union" } else { "struct" },
            record.name,
            record.size
        );
        for field in &record.fields {
            let name = field.name.as_deref().unwrap_or("_");
            let ty = &checked.unit.ty(field.ty).name;
            text += &format!("  {name}: {ty} at {} {:?}\n", field.offset, field.bits);
        }
    }
    for ty in &checked.unit.types {
        text += &format!("{} {:?} {}\n", ty.name, ty.size, ty.align);
    }
    expect![[r#"
        struct list Some(16)
          next: struct list * at 0 None
          v: int at 8 None
        struct pair Some(16)
          c: char at 0 None
          d: double at 8 None
        union u Some(16)
          i: int at 0 None
          c: char[8] at 0 None
          p: struct pair at 0 None
        struct bits Some(12)
          a: char at 0 None
          b: int at 1 Some(Bits { first: 0, width: 3 })
          _: int at 1 Some(Bits { first: 3, width: 5 })
          c: int at 4 Some(Bits { first: 0, width: 20 })
          _: int at 8 Some(Bits { first: 0, width: 0 })
          d: short at 8 Some(Bits { first: 0, width: 9 })
        struct tight Some(5)
          c: char at 0 None
          i: int at 1 None
        struct opaque None
        struct flex Some(4)
          n: int at 0 None
          rest: char[] at 4 None
        struct list Some(16) 8
        struct pair Some(16) 8
        union u Some(16) 8
        struct bits Some(12) 4
        struct tight Some(5) 1
        struct opaque None 1
        struct opaque * Some(8) 8
        enum color Some(4) 4
        struct flex Some(4) 4
        struct flex * Some(8) 8
        int Some(4) 4
        char Some(1) 1
        char[] None 1
        short Some(2) 2
        char[8] Some(8) 1
        double Some(8) 8
        struct list * Some(8) 8
    "#]]
    .assert_eq(&text);
}

#[test]
fn only_what_is_used_comes_from_headers() {
    let (checked, sources) = accept_with(
        "#include <stdarg.h>\n#include <stddef.h>\nint x; size_t y; int never(int);",
        &lp64(),
    );
    expect![[r#"
        external x: int tentative;
        external y: unsigned long tentative;
        never(int; None) -> int
    "#]]
    .assert_eq(&dump::unit(&checked.unit));
    assert_eq!(sources.iter().count(), 1);
}
