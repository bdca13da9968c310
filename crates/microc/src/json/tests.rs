use super::to_json;
use crate::parser::parse;
use crate::testing::programs;
use expect_test::{Expect, expect};
use loupe_ir::source::FileId;
use proptest::prelude::*;

fn check(source: &str, indent: Option<usize>, expect: Expect) {
    let program = parse(FileId(0), source).expect("a program");
    let json = to_json(&program, indent);
    expect.assert_eq(&json);
}

#[test]
fn compact() {
    check("", None, expect![[r#"{"kind":"program","functions":[]}"#]]);
    check(
        "main() { return x; }",
        None,
        expect![[
            r#"{"kind":"program","functions":[{"kind":"function","name":{"kind":"identifier","name":"main","span":{"start":{"line":1,"column":1},"end":{"line":1,"column":5}}},"params":[],"vars":[],"body":[],"return":{"kind":"return","value":{"kind":"name","name":"x","span":{"start":{"line":1,"column":17},"end":{"line":1,"column":18}}},"span":{"start":{"line":1,"column":10},"end":{"line":1,"column":19}}},"span":{"start":{"line":1,"column":1},"end":{"line":1,"column":21}}}]}"#
        ]],
    );
}

#[test]
fn indented() {
    check(
        "main(a) {\n    var x;\n    if (a) { x = -1; }\n    return {f: a[0], g: []};\n}",
        Some(2),
        expect![[r#"
            {
              "kind": "program",
              "functions": [
                {
                  "kind": "function",
                  "name": {
                    "kind": "identifier",
                    "name": "main",
                    "span": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 5}}
                  },
                  "params": [
                    {
                      "kind": "identifier",
                      "name": "a",
                      "span": {"start": {"line": 1, "column": 6}, "end": {"line": 1, "column": 7}}
                    }
                  ],
                  "vars": [
                    {
                      "kind": "var",
                      "names": [
                        {
                          "kind": "identifier",
                          "name": "x",
                          "span": {"start": {"line": 2, "column": 9}, "end": {"line": 2, "column": 10}}
                        }
                      ],
                      "span": {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 11}}
                    }
                  ],
                  "body": [
                    {
                      "kind": "if",
                      "guard": {
                        "kind": "name",
                        "name": "a",
                        "span": {"start": {"line": 3, "column": 9}, "end": {"line": 3, "column": 10}}
                      },
                      "then": {
                        "kind": "block",
                        "body": [
                          {
                            "kind": "assign",
                            "place": {
                              "kind": "name",
                              "name": "x",
                              "span": {"start": {"line": 3, "column": 14}, "end": {"line": 3, "column": 15}}
                            },
                            "value": {
                              "kind": "number",
                              "value": -1,
                              "span": {"start": {"line": 3, "column": 18}, "end": {"line": 3, "column": 20}}
                            },
                            "span": {"start": {"line": 3, "column": 14}, "end": {"line": 3, "column": 21}}
                          }
                        ],
                        "span": {"start": {"line": 3, "column": 12}, "end": {"line": 3, "column": 23}}
                      },
                      "span": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 23}}
                    }
                  ],
                  "return": {
                    "kind": "return",
                    "value": {
                      "kind": "record",
                      "fields": [
                        {
                          "kind": "field_value",
                          "name": {
                            "kind": "identifier",
                            "name": "f",
                            "span": {"start": {"line": 4, "column": 13}, "end": {"line": 4, "column": 14}}
                          },
                          "value": {
                            "kind": "index",
                            "array": {
                              "kind": "name",
                              "name": "a",
                              "span": {"start": {"line": 4, "column": 16}, "end": {"line": 4, "column": 17}}
                            },
                            "index": {
                              "kind": "number",
                              "value": 0,
                              "span": {"start": {"line": 4, "column": 18}, "end": {"line": 4, "column": 19}}
                            },
                            "span": {"start": {"line": 4, "column": 16}, "end": {"line": 4, "column": 20}}
                          },
                          "span": {"start": {"line": 4, "column": 13}, "end": {"line": 4, "column": 20}}
                        },
                        {
                          "kind": "field_value",
                          "name": {
                            "kind": "identifier",
                            "name": "g",
                            "span": {"start": {"line": 4, "column": 22}, "end": {"line": 4, "column": 23}}
                          },
                          "value": {
                            "kind": "array",
                            "items": [],
                            "span": {"start": {"line": 4, "column": 25}, "end": {"line": 4, "column": 27}}
                          },
                          "span": {"start": {"line": 4, "column": 22}, "end": {"line": 4, "column": 27}}
                        }
                      ],
                      "span": {"start": {"line": 4, "column": 12}, "end": {"line": 4, "column": 28}}
                    },
                    "span": {"start": {"line": 4, "column": 5}, "end": {"line": 4, "column": 29}}
                  },
                  "span": {"start": {"line": 1, "column": 1}, "end": {"line": 5, "column": 2}}
                }
              ]
            }"#]],
    );
}

#[test]
fn numbers_that_not_everyone_can_hold_are_strings() {
    let values = |source: &str| {
        let program =
            parse(FileId(0), &format!("main() {{ return {source}; }}")).expect("a program");
        let json: serde_json::Value = serde_json::from_str(&to_json(&program, None)).expect("JSON");
        json["functions"][0]["return"]["value"]["value"].to_string()
    };
    assert_eq!(values("9007199254740992"), "9007199254740992");
    assert_eq!(values("-9007199254740992"), "-9007199254740992");
    assert_eq!(values("9007199254740993"), "\"9007199254740993\"");
    assert_eq!(values("-100000000000000000000"), "\"-100000000000000000000\"");
}

proptest! {
    #[test]
    fn both_forms_are_the_same_json(program in programs(), indent in 0usize..5) {
        let compact: serde_json::Value = serde_json::from_str(&to_json(&program, None)).unwrap();
        let indented: serde_json::Value = serde_json::from_str(&to_json(&program, Some(indent))).unwrap();
        prop_assert_eq!(&compact, &indented);
        prop_assert_eq!(compact.to_string(), to_json(&program, None));
    }
}
