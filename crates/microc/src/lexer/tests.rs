use super::{Lexer, TokenKind};
use crate::errors::Errors;
use expect_test::{Expect, expect};
use loupe_ir::source::FileId;

/// The tokens of `source` with their places, and the errors.
fn check(source: &str, expect: Expect) {
    let mut errors = Errors::default();
    let mut lexer = Lexer::new(FileId(0), source);
    let mut out = String::new();
    loop {
        let token = lexer.next(&mut errors);
        out += &format!("{} {:?} {}\n", token.span, token.kind, token.describe(source));
        if token.kind == TokenKind::Eof {
            break;
        }
    }
    for error in errors.finish(()).err().unwrap_or_default() {
        let place = error.span.map(|span| format!("{span} ")).unwrap_or_default();
        out += &format!("{place}{} | {}\n", error.message, error.help.unwrap_or_default());
    }
    expect.assert_eq(&out);
}

#[test]
fn names_keywords_and_numbers() {
    check(
        "_a1 var9 var 007",
        expect![[r#"
        1:1-1:4 Ident `_a1`
        1:5-1:9 Ident `var9`
        1:10-1:13 Var `var`
        1:14-1:17 Number `007`
        1:17-1:17 Eof the end of the file
    "#]],
    );
}

#[test]
fn symbols_are_as_long_as_possible() {
    check(
        "<=<==>=!=!&&&||=",
        expect![[r#"
        1:1-1:3 LessEqual `<=`
        1:3-1:5 LessEqual `<=`
        1:5-1:6 Assign `=`
        1:6-1:8 GreaterEqual `>=`
        1:8-1:10 NotEqual `!=`
        1:10-1:11 Bang `!`
        1:11-1:13 AndAnd `&&`
        1:13-1:14 Ampersand `&`
        1:14-1:16 OrOr `||`
        1:16-1:17 Assign `=`
        1:17-1:17 Eof the end of the file
    "#]],
    );
}

#[test]
fn comments_and_line_ends() {
    check(
        "a//x\r\nb/* y\n*/c/**/d//",
        expect![[r#"
        1:1-1:2 Ident `a`
        2:1-2:2 Ident `b`
        3:3-3:4 Ident `c`
        3:8-3:9 Ident `d`
        3:11-3:11 Eof the end of the file
    "#]],
    );
}

#[test]
fn an_open_comment_is_reported_where_it_starts() {
    check(
        "a\n /* b\nc",
        expect![[r#"
        1:1-1:2 Ident `a`
        3:2-3:2 Eof the end of the file
        2:2-2:4 this comment is never closed | end it with `*/`
    "#]],
    );
}

#[test]
fn columns_count_characters() {
    check(
        "\u{feff}\t/* žluťoučký */a",
        expect![[r#"
        1:17-1:18 Ident `a`
        1:18-1:18 Eof the end of the file
    "#]],
    );
}

#[test]
fn a_run_of_unknown_characters_is_one_error() {
    check(
        "a@#$~b ž| 'x' \" žluť počet",
        expect![[r#"
            1:1-1:2 Ident `a`
            1:2-1:6 Unknown `@#$~`
            1:6-1:7 Ident `b`
            1:8-1:10 Unknown `ž|`
            1:11-1:14 Unknown `'x'`
            1:15-1:16 Unknown `"`
            1:17-1:21 Unknown `žluť`
            1:22-1:24 Ident `po`
            1:24-1:27 Unknown `čet`
            1:27-1:27 Eof the end of the file
            1:2-1:6 unknown characters `@#$~` | 
            1:8-1:10 unknown characters `ž|` | names consist of ASCII letters, digits and `_`
            1:11-1:14 microc has no strings or characters | use numbers: the codes of the characters
            1:15-1:16 unknown character `"` | 
            1:17-1:21 unknown characters `žluť` | names consist of ASCII letters, digits and `_`
            1:24-1:27 unknown characters `čet` | names consist of ASCII letters, digits and `_`
        "#]],
    );
}

#[test]
fn what_cannot_be_seen_is_escaped() {
    let mut errors = Errors::default();
    Lexer::new(FileId(0), "\u{200b}\u{1}").next(&mut errors);
    let errors = errors.finish(()).unwrap_err();
    assert_eq!(errors[0].message, r"unknown characters `\u{200b}\u{1}`");
}

#[test]
fn malformed_numbers() {
    check(
        "0x10 1e9 5_",
        expect![[r#"
        1:1-1:5 MalformedNumber `0x10`
        1:6-1:9 MalformedNumber `1e9`
        1:10-1:12 MalformedNumber `5_`
        1:12-1:12 Eof the end of the file
        1:1-1:5 `0x10` is not a number | numbers are decimal digits; names start with a letter or `_`
        1:6-1:9 `1e9` is not a number | numbers are decimal digits; names start with a letter or `_`
        1:10-1:12 `5_` is not a number | numbers are decimal digits; names start with a letter or `_`
    "#]],
    );
}

#[test]
fn the_length_of_numbers_is_bounded() {
    let kind = |digits: usize| {
        let mut errors = Errors::default();
        let source = "7".repeat(digits);
        let kind = Lexer::new(FileId(0), &source).next(&mut errors).kind;
        (kind, errors.finish(()).err().map(|errors| errors[0].message.clone()))
    };
    assert_eq!(kind(1_000), (TokenKind::Number, None));
    let message = "number literal has 1001 digits; at most 1000 are supported".to_owned();
    assert_eq!(kind(1_001), (TokenKind::MalformedNumber, Some(message)));
}
