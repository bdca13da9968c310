//! Where things stand.

use expect_test::expect;
use loupe_ir::source::{Sources, Span};

use super::{Memory, accept_with, lp64, memory, try_read};
use crate::tree::{StmtKind, Unit};

/// Every statement with an expression in it, with the text at its place.
fn places(unit: &Unit, sources: &Sources) -> String {
    let mut text = String::new();
    let mut line = |span: Span, what: &str| {
        let excerpt = sources.excerpt(span).unwrap_or_default();
        text += &format!(
            "{}:{}-{} {what} `{excerpt}`\n",
            sources.name(span.file),
            span.start,
            span.end
        );
    };
    for function in &unit.functions {
        line(function.span, "function");
        line(function.name_span, "name");
    }
    for object in &unit.objects {
        line(object.span, "object");
    }
    for stmt in &unit.stmts {
        match stmt.kind {
            StmtKind::Expr(expr) => {
                line(stmt.span, "statement");
                line(unit.expr(expr).span, "expression");
            }
            StmtKind::Return(Some(expr)) => {
                line(stmt.span, "statement");
                line(unit.expr(expr).span, "expression");
            }
            _ => {}
        }
    }
    text
}

#[test]
fn spans_cover_what_they_name() {
    let text = "static int\n  f(int a, char b[3]) {\n  a = a + b[1] * 2;\n  return (a);\n}\nint x = 3, *y;\nint g(int);\n";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        test.c:1:1-5:2 function `static int
          f(int a, char b[3]) {
          a = a + b[1] * 2;
          return (a);
        }`
        test.c:2:3-2:4 name `f`
        test.c:7:5-7:6 function `g`
        test.c:7:5-7:6 name `g`
        test.c:6:5-6:6 object `x`
        test.c:6:13-6:14 object `y`
        test.c:2:9-2:10 object `a`
        test.c:2:17-2:18 object `b`
        test.c:3:3-3:20 statement `a = a + b[1] * 2;`
        test.c:3:3-3:19 expression `a = a + b[1] * 2`
        test.c:4:3-4:14 statement `return (a);`
        test.c:4:11-4:12 expression `a`
    "#]]
    .assert_eq(&places(&checked.unit, &sources));
}

#[test]
fn macros_stand_where_they_are_used() {
    let text = "#define TWICE(x) ((x) + (x))\n#define SET(v) v = TWICE(v)\n#define ONE 1\nint f(int a) {\n  SET(a);\n  a = ONE;\n  a + ONE;\n  return TWICE(a + 1);\n}\n";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        test.c:4:1-9:2 function `int f(int a) {
          SET(a);
          a = ONE;
          a + ONE;
          return TWICE(a + 1);
        }`
        test.c:4:5-4:6 name `f`
        test.c:4:11-4:12 object `a`
        test.c:5:3-5:10 statement `SET(a);`
        test.c:5:3-5:6 expression `SET`
        test.c:6:3-6:11 statement `a = ONE;`
        test.c:6:3-6:10 expression `a = ONE`
        test.c:7:3-7:11 statement `a + ONE;`
        test.c:7:3-7:10 expression `a + ONE`
        test.c:8:3-8:23 statement `return TWICE(a + 1);`
        test.c:8:10-8:15 expression `TWICE`
    "#]]
    .assert_eq(&places(&checked.unit, &sources));
}

#[test]
fn columns_are_characters() {
    let text =
        "/* äöü€ */ int x; char *s = \"€\"; int ž; int f(void) { /* € */ ž = x; return 1; }\n";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        test.c:1:41-1:81 function `int f(void) { /* € */ ž = x; return 1; }`
        test.c:1:45-1:46 name `f`
        test.c:1:16-1:17 object `x`
        test.c:1:25-1:26 object `s`
        test.c:1:38-1:39 object `ž`
        test.c:1:63-1:69 statement `ž = x;`
        test.c:1:63-1:68 expression `ž = x`
        test.c:1:70-1:79 statement `return 1;`
        test.c:1:77-1:78 expression `1`
    "#]]
    .assert_eq(&places(&checked.unit, &sources));
    let mut bytes = b"/* \xff\xe2\x82 \xf0\x9f */ int x; ".to_vec();
    bytes.extend(b"int f(void) { return 7; }");
    let (result, sources) = try_read(&bytes, &lp64(), &Memory::default());
    expect![[r#"
        test.c:1:19-1:44 function `int f(void) { return 7; }`
        test.c:1:23-1:24 name `f`
        test.c:1:16-1:17 object `x`
        test.c:1:33-1:42 statement `return 7;`
        test.c:1:40-1:41 expression `7`
    "#]]
    .assert_eq(&places(&result.unwrap().unit, &sources));
}

#[test]
fn line_directives_are_followed() {
    let text =
        "int a;\n#line 100 \"other.c\"\nint b;\nint f(void) {\n  return b;\n}\n#line 7\nint c;\n";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        other.c:101:1-103:2 function `int f(void) {
          return b;
        }`
        other.c:101:5-101:6 name `f`
        test.c:1:5-1:6 object `a`
        other.c:100:5-100:6 object `b`
        other.c:7:5-7:6 object `c`
        other.c:102:3-102:12 statement `return b;`
        other.c:102:10-102:11 expression `b`
    "#]]
    .assert_eq(&places(&checked.unit, &sources));
}

#[test]
fn preprocessed_files_point_into_the_original() {
    let text = "# 0 \"prog.c\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"prog.c\"\n# 1 \"lib.h\" 1\nint lib(int);\nstatic inline int twice(int x) {\n  return 2 * x;\n}\n# 2 \"prog.c\" 2\n\nint main(void) {\n  return\n# 4 \"prog.c\" 3 4\n        ((void *)0)\n# 4 \"prog.c\"\n        == 0 ? twice(lib(3)) : 1;\n}\n";
    let (checked, sources) = accept_with(text, &lp64());
    expect![[r#"
        lib.h:1:5-1:8 function `lib`
        lib.h:1:5-1:8 name `lib`
        lib.h:2:1-4:2 function `static inline int twice(int x) {
          return 2 * x;
        }`
        lib.h:2:19-2:24 name `twice`
        prog.c:3:1-5:2 function `int main(void) {
          return== 0 ? twice(lib(3)) : 1;
        }`
        prog.c:3:5-3:9 name `main`
        lib.h:2:29-2:30 object `x`
        lib.h:3:3-3:16 statement `return 2 * x;`
        lib.h:3:10-3:15 expression `2 * x`
        prog.c:4:3-4:34 statement `return== 0 ? twice(lib(3)) : 1;`
        prog.c:4:10-4:33 expression `= 0 ? twice(lib(3)) : 1`
    "#]]
    .assert_eq(&places(&checked.unit, &sources));
    let mut texts = String::new();
    for (_, file) in sources.iter() {
        texts += &format!("== {}\n{}", file.name, file.text);
    }
    expect![[r#"
        == test.c
        # 0 "prog.c"
        # 0 "<built-in>"
        # 0 "<command-line>"
        # 1 "/usr/include/stdc-predef.h" 1 3 4
        # 0 "<command-line>" 2
        # 1 "prog.c"
        # 1 "lib.h" 1
        int lib(int);
        static inline int twice(int x) {
          return 2 * x;
        }
        # 2 "prog.c" 2

        int main(void) {
          return
        # 4 "prog.c" 3 4
                ((void *)0)
        # 4 "prog.c"
                == 0 ? twice(lib(3)) : 1;
        }
        == lib.h
        int lib(int);
        static inline int twice(int x) {
          return 2 * x;
        }
        == prog.c


        int main(void) {
          return== 0 ? twice(lib(3)) : 1;
        }
    "#]]
    .assert_eq(&texts);
}

#[test]
fn included_files_are_files() {
    let files = memory(&[("one.h", "static int one(void) { return 1; }\nint unused;\n")]);
    let (result, sources) =
        try_read(b"#include \"one.h\"\nint f(void) { return one(); }\n", &lp64(), &files);
    expect![[r#"
        one.h:1:1-1:35 function `static int one(void) { return 1; }`
        one.h:1:12-1:15 name `one`
        test.c:2:1-2:30 function `int f(void) { return one(); }`
        test.c:2:5-2:6 name `f`
        one.h:2:5-2:11 object `unused`
        one.h:1:24-1:33 statement `return 1;`
        one.h:1:31-1:32 expression `1`
        test.c:2:15-2:28 statement `return one();`
        test.c:2:22-2:27 expression `one()`
    "#]]
    .assert_eq(&places(&result.unwrap().unit, &sources));
}

#[test]
fn several_units_share_the_sources() {
    let mut sources = Sources::new();
    let files = memory(&[("both.h", "extern int both;\n")]);
    for name in ["a.c", "b.c"] {
        let text = b"#include \"both.h\"\nint f(void) { return both; }";
        crate::front::read(name, text, &lp64(), &files, &mut sources).unwrap();
    }
    let names: Vec<&str> = sources.iter().map(|(_, file)| file.name.as_str()).collect();
    assert_eq!(names, ["a.c", "both.h", "b.c"]);
}
