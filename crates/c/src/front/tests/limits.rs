//! Programs of unusual size: they are read or refused, and nothing overflows a stack.

use expect_test::expect;

use super::{accept, dump, refuse, try_read};
use crate::front::depth::LIMIT;

/// `text` so many times.
fn times(count: usize, text: &str) -> String {
    text.repeat(count)
}

#[test]
fn long_expressions_are_read() {
    let count = 30_000;
    let function = |body: &str| accept(&format!("int f(int x) {{ {body} }}"));
    function(&format!("return {}x;", times(100_000, "x + ")));
    function(&format!("return {}x;", times(count, "x && ")));
    function(&format!("return {}x;", times(count, "x = ")));
    function(&format!("return {}x;", times(count, "- ")));
    function(&format!("return {}x;", times(count / 2, "(int)")));
    function(&format!("return {}x;", times(count / 2, "x ? 1 : ")));
    function(&format!("return {}x;", times(count / 8, "({ x; }) + ")));
    accept(&format!("int x = {}1;", times(count, "1 + ")));
    let chain = times(count, "->p");
    accept(&format!(
        "struct s {{ struct s *p; }}; struct s *f(struct s *q) {{ return q{chain}; }}"
    ));
    let pointer = times(count, "*");
    accept(&format!("int {pointer}p;"));
}

#[test]
fn long_statements_are_read() {
    let count = 20_000;
    let function = |body: &str| accept(&format!("int f(int x) {{ {body} return x; }}"));
    function(&format!("{}x = 1;", times(count, "if (x) x = 2; else ")));
    function(&format!("{}x = 1;", times(count, "if (x) ")));
    function(&times(count, "x = x + 1;"));
    let labels: String = (0..count).map(|i| format!("l{i}:")).collect();
    function(&format!("{labels} x = 1;"));
    let cases: String = (0..2000).map(|i| format!("case {i}:")).collect();
    function(&format!("switch (x) {{ {cases} x = 1; }}"));
    accept(&format!("int x[] = {{ {} }};", times(count, "1, 2, ")));
    accept(&format!("int x[][2] = {{ {} }};", times(count, "{1, 2}, ")));
}

#[test]
fn too_long_expressions_are_refused() {
    let sum = |count| format!("int f(int x) {{ return {}x; }}", times(count, "x+"));
    expect![[r#"
        test.c:1:400014-1:400015 `+`: a statement has more than 200000 operators and brackets
        test.c:1:400014-1:400015 `+`:   here the limit is reached
          help: split it into several statements
    "#]]
    .assert_eq(&refuse(&sum(LIMIT + 1)));
    // The parts of a statement inside another add up.
    let half = times(LIMIT / 2, "x+");
    let nested = format!("int f(int x) {{ return {half} ({{ {half} x; }}); }}");
    assert!(refuse(&nested).contains("a statement has more than"));
    let two = format!("int f(int x) {{ x = {half}x; return {half}x; }}");
    accept(&two);
}

#[test]
fn deep_brackets_are_refused() {
    let parentheses = format!("int f(int x) {{ return {}x{}; }}", times(300, "("), times(300, ")"));
    expect![[r#"
        test.c:1:278-1:279 `(`: blocks and parentheses are nested more than 256 deep
        test.c:1:278-1:279 `(`:   this is one too many
          help: Loupe reads no deeper programs; split the function or the expression
    "#]]
    .assert_eq(&refuse(&parentheses));
    let macros = format!(
        "#define F(x) (x)\nint f(int x) {{ return {}x{}; }}",
        times(300, "F("),
        times(300, ")")
    );
    assert!(refuse(&macros).contains("256"));
}

#[test]
fn deep_blocks_are_read_if_they_end_together() {
    let blocks =
        format!("int f(int x) {{ {}x = 1;{} return x; }}", times(1000, "{"), times(1000, "}"));
    accept(&blocks);
    let branch = "if (x > 1) { x--; { int y = x; x = y; { x += 2; if (x) { x = 7; } else { ";
    let text =
        format!("int f(int x) {{ {}x = 1;{} return x; }}", times(80, branch), times(80, "} } } }"));
    let shallow =
        format!("int f(int x) {{ {}x = 1;{} return x; }}", times(3, branch), times(3, "} } } }"));
    let deep = dump::unit(&accept(&text).unit);
    // Every block is where the source has it: the indentation of the deep program goes on as that of
    // the shallow one starts.
    let start = dump::unit(&accept(&shallow).unit);
    let same = deep.lines().zip(start.lines()).take_while(|(a, b)| a == b).count();
    assert!(same > 3 * 12, "{start}");
    assert_eq!(deep.lines().filter(|line| line.trim() == "block").count(), 1 + 80 * 5);
    // A block has no value, also not as the last statement of an expression.
    let value = "({ { x; } });";
    let text = format!("int f(int x) {{ {}{value}{} }}", times(300, "{ x++; "), times(300, "}"));
    assert!(dump::unit(&accept(&text).unit).contains("({block;   block;     [x]})"));
    // A name in two blocks keeps them apart.
    let shadow = format!(
        "int f(int x) {{ {}x = 1;{} return x; }}",
        times(300, "{ int y; "),
        times(300, "}")
    );
    expect![[r#"
        test.c:1:2311-1:2312 `{`: blocks and parentheses are nested more than 256 deep
        test.c:1:2311-1:2312 `{`:   this is one too many
          help: Loupe reads no deeper programs; split the function or the expression
    "#]]
    .assert_eq(&refuse(&shadow));
}

#[test]
fn deep_preprocessing_is_read() {
    let nested = format!("#define F(x) x\nint y = {}1{};", times(500, "F("), times(500, ")"));
    accept(&nested);
    let condition = format!("#if {}1{}\nint y;\n#endif\n", times(2_000, "("), times(2_000, ")"));
    accept(&condition);
    let conditions = format!("{}int y;\n{}", times(20_000, "#if 1\n"), times(20_000, "#endif\n"));
    accept(&conditions);
}

#[test]
fn large_files_are_read() {
    let functions: String = (0..20_000)
        .map(|i| format!("int f{i}(int x) {{ int y = x * {i}; return x + y; }}\n"))
        .collect();
    assert_eq!(accept(&functions).unit.functions.len(), 20_000);
}

/// Programs with something wrong in a random place: the front end says what, and does not fail.
#[test]
fn broken_programs_do_not_break_the_front_end() {
    let program = include_str!("program.c");
    let mut state = 7u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    for _ in 0..600 {
        let mut text = program.as_bytes().to_vec();
        for _ in 0..1 + below(3) {
            let (from, length) = (below(text.len()), 1 + below(12));
            let to = (from + length).min(text.len());
            match below(4) {
                0 => drop(text.drain(from..to)),
                1 => {
                    let piece = text[from..to].to_vec();
                    let at = below(text.len());
                    text.splice(at..at, piece);
                }
                2 => text[from] = b"(){};,*&#\"'\\<>=0a\xff\n"[below(19)],
                _ => text.truncate(from),
            }
            if text.is_empty() {
                break;
            }
        }
        check_quiet(&text);
    }
}

#[test]
fn what_is_no_program_is_refused_quietly() {
    let mut noise = Vec::new();
    let mut state = 1u32;
    for _ in 0..3000 {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        noise.push((state >> 24) as u8 | 1);
    }
    let pieces = [
        "",
        "int f(",
        "{{{{",
        "}}}}",
        "#",
        "#include",
        "#if",
        "'",
        "\"",
        "/*",
        "\\",
        "int x = ;",
        "struct { struct { union {",
        "\u{feff}int x;",
    ];
    for piece in pieces.iter().map(|piece| piece.as_bytes()).chain([noise.as_slice(), &[0; 5000]]) {
        check_quiet(piece);
    }
}

/// The front end says something sensible about this text, or accepts it.
fn check_quiet(text: &[u8]) {
    let (result, sources) = try_read(text, &super::lp64(), &super::Memory::default());
    if let Err(errors) = result {
        assert!(!errors.is_empty());
        let shown = super::shown(&errors, &sources);
        let has_failed =
            shown.contains("front end failed") || shown.contains("could not understand");
        assert!(!has_failed, "{shown}\n{}", String::from_utf8_lossy(text));
    }
}
