//! Random programs in which most things have the right type, so that they get far, and some do not.
//!
//! They are drawn as text. All variables are there in every function, each with a kind of value that
//! it usually holds: `n`, `m` numbers; `p` a pointer to a number; `a` an array of numbers; `b` an
//! array of arrays; `r` a record of a number `f`, a pointer `g` and an array `a`; `q` a pointer to
//! such a record; `h` a function of one number; `u` anything or nothing.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Functions for which all kinds of values are alike, and pointers to what has ceased to be in scope.
const HELPERS: &str = "
set(p, v) { *p = v; return v; }
swap(p, q) { var t; t = *p; *p = *q; *q = t; return 0; }
same(v) { return v; }
keep(v) { var c; c = v; return &c; }
nothing() { var c; return &c; }
apply(f, v) { return f(v); }
hidden(v) { var w; if (0) { w = v; } else { w = v; } return w; }
";

/// Texts at random.
pub(crate) type Text = BoxedStrategy<String>;

/// Expressions of each kind, up to some depth.
#[derive(Clone)]
struct Exprs {
    number: Text,
    pointer: Text,
    array: Text,
    matrix: Text,
    record: Text,
    link: Text,
    function: Text,
}

/// One of these texts.
pub(crate) fn one_of(texts: &[&'static str]) -> Text {
    select(texts.to_vec()).prop_map(str::to_owned).boxed()
}

/// A text with holes, `%` each, filled in from left to right.
pub(crate) fn fill<const N: usize>(template: &'static str, parts: [&Text; N]) -> Text {
    let parts: Vec<Text> = parts.into_iter().cloned().collect();
    parts
        .prop_map(move |parts| {
            let mut parts = parts.into_iter();
            let pieces = template.split_inclusive('%').map(|piece| match piece.strip_suffix('%') {
                Some(before) => format!("{before}{}", parts.next().expect("a part for each hole")),
                None => piece.to_owned(),
            });
            pieces.collect()
        })
        .boxed()
}

fn index(number: &Text) -> Text {
    prop_oneof![8 => one_of(&["0", "1"]), 1 => number.clone()].boxed()
}

/// Places that usually hold a number.
fn number_places(exprs: &Exprs) -> Text {
    let index = index(&exprs.number);
    prop_oneof![
        4 => one_of(&["n", "m"]),
        2 => one_of(&["*p", "r.f", "(*q).f", "*r.g", "*(*q).g"]),
        1 => one_of(&["x", "x", "x", "u"]),
        2 => fill("a[%]", [&index]),
        1 => fill("r.a[%]", [&index]),
        1 => fill("(*q).a[%]", [&index]),
        1 => fill("b[%][%]", [&index, &index]),
        1 => fill("(%)[%]", [&exprs.array, &index]),
        1 => fill("*(%)", [&exprs.pointer]),
        1 => fill("(*(%)).f", [&exprs.link]),
    ]
    .boxed()
}

impl Exprs {
    fn leaves() -> Self {
        Exprs {
            number: one_of(&[
                "0", "1", "2", "3", "-1", "7", "100", "127", "-128", "n", "m", "n", "m", "x",
                "input", "*p", "a[0]", "r.f", "(*q).f",
            ]),
            pointer: one_of(&["p", "p", "&n", "&m", "r.g", "&n", "&m", "null", "&u"]),
            array: one_of(&["a", "a", "[1, 2]", "r.a", "(*q).a", "b[0]", "[]"]),
            matrix: one_of(&["b", "b", "[a, a]", "[[1, 2], a]"]),
            record: one_of(&["r", "r", "*q", "{f: 1, g: &n, a: [3, 4]}", "{f: 1}"]),
            link: one_of(&["q", "q", "&r", "null"]),
            function: one_of(&[
                "h",
                "h",
                "h",
                "h",
                "h",
                "same(f0)",
                "same(f1)",
                "same(main)",
                "same(set)",
            ]),
        }
    }

    /// Expressions of any kind.
    fn any(&self) -> Text {
        prop_oneof![
            self.number.clone(),
            self.pointer.clone(),
            self.array.clone(),
            self.matrix.clone(),
            self.record.clone(),
            self.link.clone(),
            self.function.clone(),
        ]
        .boxed()
    }

    /// What is drawn from `proper`, or rarely anything else: another kind of value, or the same by
    /// way of a function or a pointer, which hides its kind.
    fn mostly(&self, same: &Text, proper: Text) -> Text {
        prop_oneof![
            40 => proper,
            1 => fill("same(%)", [same]),
            1 => fill("apply(hidden, %)", [same]),
            1 => fill("*keep(%)", [same]),
            1 => fill("(*alloc %)", [same]),
            1 => self.any(),
        ]
        .boxed()
    }

    /// Expressions that are one level deeper.
    fn deeper(&self) -> Self {
        let Exprs { number, pointer, array, matrix, record, link, function } = self;
        let arithmetic = one_of(&["+", "-", "*", "+", "-", "/"]);
        let comparison = one_of(&["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
        let equality = one_of(&["==", "!="]);
        let index = index(number);
        let numbers = prop_oneof![
            4 => number.clone(),
            4 => number_places(self),
            6 => fill("(% % %)", [number, &arithmetic, number]),
            4 => fill("(% % %)", [number, &comparison, number]),
            1 => fill("(% % %)", [pointer, &equality, pointer]),
            1 => fill("(% % %)", [link, &equality, link]),
            1 => fill("!(%)", [number]),
            1 => fill("(%)(%)", [function, number]),
            1 => fill("set(%, %)", [pointer, number]),
            1 => fill("(%).f", [record]),
            1 => one_of(&["f0(n)", "f1(m)", "swap(&n, &m)", "swap(&a, &b)", "swap(&n, &u)", "swap(&r, q)"]),
        ];
        let pointers = prop_oneof![
            4 => pointer.clone(),
            1 => fill("alloc %", [number]),
            1 => fill("keep(%)", [number]),
            1 => fill("(%).g", [record]),
            1 => one_of(&["p", "p", "nothing()"]),
        ];
        let arrays = prop_oneof![
            4 => array.clone(),
            2 => fill("[%, %]", [number, number]),
            1 => fill("(%)[%]", [matrix, &index]),
            1 => fill("(%).a", [record]),
        ];
        let matrices = prop_oneof![
            4 => matrix.clone(),
            1 => fill("[%, %]", [array, array]),
        ];
        let records = prop_oneof![
            4 => record.clone(),
            2 => fill("{f: %, g: %, a: %}", [number, pointer, array]),
            1 => fill("*(%)", [link]),
            1 => fill("{f: %, g: %}", [&self.any(), number]),
        ];
        let links = prop_oneof![
            4 => link.clone(),
            1 => fill("alloc %", [record]),
            1 => fill("keep(%)", [record]),
        ];
        let mostly = |same, proper: BoxedStrategy<String>| self.mostly(same, proper);
        Exprs {
            number: mostly(number, numbers.boxed()),
            pointer: mostly(pointer, pointers.boxed()),
            array: mostly(array, arrays.boxed()),
            matrix: mostly(matrix, matrices.boxed()),
            record: mostly(record, records.boxed()),
            link: mostly(link, links.boxed()),
            function: mostly(function, function.clone()),
        }
    }
}

/// Statements up to some depth.
fn statements(exprs: &Exprs, depth: u32) -> Text {
    let Exprs { number, pointer, array, matrix, record, link, function } = exprs;
    let places = number_places(exprs);
    let index = index(number);
    let any = exprs.any();
    let anywhere = one_of(&["n", "p", "a", "b", "r", "q", "h", "u", "x", "r.f", "a[0]", "*p"]);
    let pointers = one_of(&["p", "r.g", "(*q).g"]);
    let arrays = one_of(&["a", "a", "r.a", "(*q).a", "b[0]", "b[1]"]);
    let simple = prop_oneof![
        8 => fill("% = %;", [&places, number]),
        4 => fill("output %;", [number]),
        2 => fill("% = %;", [&pointers, pointer]),
        2 => fill("% = %;", [&arrays, array]),
        1 => fill("b = %;", [matrix]),
        1 => fill("b[%] = %;", [&index, array]),
        1 => fill("r = %;", [record]),
        1 => fill("*q = %;", [record]),
        1 => fill("q = %;", [link]),
        1 => fill("h = %;", [function]),
        1 => fill("% = %;", [&anywhere, &any]),
        1 => fill("% = %;", [&anywhere, &anywhere]),
    ]
    .boxed();
    let Some(depth) = depth.checked_sub(1) else { return simple };
    let inner = statements(exprs, depth);
    prop_oneof![
        4 => simple,
        2 => fill("{ % % }", [&inner, &inner]),
        1 => fill("if (%) { % }", [number, &inner]),
        1 => fill("if (%) { % } else { % }", [number, &inner, &inner]),
        1 => fill("{ c = 3; while (c > 0) { c = c - 1; % } }", [&inner]),
        1 => fill("{ c = 0; while (c < 2) { % c = c + 1; } }", [&inner]),
        1 => fill("while (% && c < 4) { c = c + 1; % }", [number, &inner]),
    ]
    .boxed()
}

/// How the variables start. A variable without a value is rare.
fn beginning() -> Text {
    let starts = [
        "n = 4;",
        "m = -2;",
        "p = &n;",
        "a = [5, 6];",
        "b = [[7, 8], a];",
        "r = {f: 9, g: &m, a: [10, 11]};",
        "q = alloc {f: 12, g: p, a: a};",
        "h = same;",
        "c = 0;",
    ];
    let drawn = starts.map(|start| option::weighted(0.995, Just(start)));
    Vec::from(drawn).prop_map(|starts| starts.into_iter().flatten().collect()).boxed()
}

/// The programs.
pub(crate) fn programs() -> impl Strategy<Value = String> {
    let exprs = Exprs::leaves().deeper().deeper();
    let body = vec(statements(&exprs, 2), 1..8).prop_map(|body| body.join("\n    "));
    let result = prop_oneof![4 => exprs.number.clone(), 1 => exprs.any()];
    let function = (beginning(), body, result)
        .prop_map(|(start, body, result)| {
            let vars = "var n, m, p, a, b, r, q, h, u, c;";
            format!("{vars}\n    {start}\n    {body}\n    return {result};")
        })
        .boxed();
    fill("f0(x) { % }\nf1(x) { % }\nmain(x) { % }\n", [&function, &function, &function])
        .prop_map(|functions| format!("{HELPERS}{functions}"))
}
