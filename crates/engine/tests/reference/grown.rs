//! Programs that grow by one statement at a time, as long as nothing goes wrong.
//!
//! They are short and hold few kinds of values, each of which got to where it is in a way of its own:
//! here it shows if the analyses of the front end miss a way.

use crate::typed::{Text, fill, one_of};
use proptest::prelude::*;

/// Functions that are there if a program mentions them.
const HELPERS: [(&str, &str); 5] = [
    ("set", "set(p, v) { *p = v; return p; }"),
    ("keep", "keep(v) { var c; c = v; return &c; }"),
    ("nothing", "nothing() { var c; return &c; }"),
    ("same", "same(v) { return v; }"),
    ("first", "first(v, w) { return v; }"),
];

fn exprs(depth: u32) -> Text {
    let leaf = one_of(&[
        "v", "w", "x", "y", "v", "w", "x", "y", "0", "1", "input", "null", "&v", "&w", "same",
        "first", "main",
    ]);
    let Some(depth) = depth.checked_sub(1) else { return leaf };
    let inner = exprs(depth);
    let operator = one_of(&["+", "-", "*", "/", "<", "&&", "==", "!="]);
    prop_oneof![
        6 => leaf,
        2 => fill("[%]", [&inner]),
        1 => fill("[%, %]", [&inner, &inner]),
        2 => fill("{f: %}", [&inner]),
        1 => fill("{f: %, g: %}", [&inner, &inner]),
        2 => fill("(%).f", [&inner]),
        2 => fill("(%)[0]", [&inner]),
        1 => fill("(%)[%]", [&inner, &inner]),
        2 => fill("*(%)", [&inner]),
        2 => fill("alloc %", [&inner]),
        2 => fill("(% % %)", [&inner, &operator, &inner]),
        1 => fill("!(%)", [&inner]),
        1 => fill("x(%)", [&inner]),
        1 => fill("(*v)(%)", [&inner]),
        1 => fill("v(%, %)", [&inner, &inner]),
        1 => fill("same(%)", [&inner]),
        1 => fill("keep(%)", [&inner]),
        1 => fill("set(%, %)", [&inner, &inner]),
        1 => fill("first(%, %)", [&inner, &inner]),
        1 => one_of(&["nothing()"]),
    ]
    .boxed()
}

/// Places, and what is read from places.
fn places() -> Text {
    let variable = one_of(&["v", "w", "x"]);
    prop_oneof![
        6 => variable.clone(),
        2 => fill("%[0]", [&variable]),
        2 => fill("%.f", [&variable]),
        2 => fill("*%", [&variable]),
        1 => fill("(*%).f", [&variable]),
        1 => fill("(*%)[0]", [&variable]),
        1 => fill("%.f.f", [&variable]),
        1 => fill("%[0].f", [&variable]),
        1 => fill("%.f[0]", [&variable]),
        1 => fill("%[0][0]", [&variable]),
        1 => fill("*%.f", [&variable]),
        1 => fill("(same(%))[0]", [&variable]),
    ]
    .boxed()
}

/// A statement that a program may grow by.
pub(crate) fn statement() -> impl Strategy<Value = String> {
    let place = places();
    let value = prop_oneof![2 => places(), 2 => exprs(0), 4 => exprs(1), 2 => exprs(2)].boxed();
    prop_oneof![
        6 => fill("% = %;", [&place, &value]),
        2 => fill("output %;", [&value]),
        1 => fill("if (%) { % = %; }", [&value, &place, &value]),
        1 => fill("if (input) { % = %; } else { % = %; }", [&place, &value, &place, &value]),
    ]
}

/// The program of these statements.
pub(crate) fn program(statements: &[&str]) -> String {
    let body = statements.join("\n    ");
    let mut text = String::new();
    for (name, helper) in HELPERS {
        if body.contains(name) {
            text += helper;
            text.push('\n');
        }
    }
    text + &format!("main(y) {{\n    var v, w, x;\n    {body}\n    return 0;\n}}\n")
}
