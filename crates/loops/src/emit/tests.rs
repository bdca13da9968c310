//! The relations are compared with executions, by a solver that shares no code with us.

use super::*;
use crate::problem::Loop;
use crate::testing::{Example, counting, interleaved, with_input};
use loupe_term::Rounding;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What cvc5 answers to a script.
fn cvc5(script: &str) -> Option<Vec<String>> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !home.join(".deps/cvc5").exists() {
        let missing = "cvc5 is not set up: run `python3 scripts/setup-cvc5.py`";
        assert!(std::env::var_os("LOUPE_REQUIRE_CVC5").is_none(), "{missing}");
        eprintln!("SKIPPED: {missing}");
        return None;
    }
    let mut process = Command::new("python3")
        .args([home.join("scripts/cvc5-stdin.py").as_os_str(), "5000".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut input = process.stdin.take().expect("a pipe");
    input.write_all(format!("{script}(reset)\n").as_bytes()).expect("cvc5 reads");
    drop(input);
    let output = process.wait_with_output().expect("cvc5 ends").stdout;
    let text = String::from_utf8(output).expect("text");
    Some(text.lines().map(str::to_owned).collect())
}

fn described<'l>(example: &'l Example, obligations: &'l [Obligation]) -> Described<'l> {
    let parameter =
        |(name, entry): &(String, Term)| Parameter { name: name.clone(), entry: *entry };
    Described {
        name: "loop_2".into(),
        comment: "line 2 in main".into(),
        problem: &example.problem,
        summaries: vec![&example.summary],
        parameters: example.declared.iter().map(parameter).collect(),
        exits: vec!["line 4".into(); example.problem.exits],
        obligations,
    }
}

fn text_of(example: &mut Example) -> String {
    let mut terms = std::mem::take(&mut example.terms);
    let text = script(&mut terms, &[described(example, &[])]).expect("it can be printed");
    example.terms = terms;
    text
}

fn int(value: i64) -> String {
    if value < 0 { format!("(- {})", -value) } else { value.to_string() }
}

/// All entries in a small range, with all exits in a slightly larger one.
fn agrees(mut example: Example, inputs: &[&[i64]]) {
    let mut script = text_of(&mut example);
    let (mut expected, range) = (Vec::new(), -2..=3_i64);
    let width = example.declared.len();
    let mut entries = vec![vec![]];
    for _ in 0..width {
        let longer =
            |e: &Vec<i64>| range.clone().map(|v| [&e[..], &[v]].concat()).collect::<Vec<_>>();
        entries = entries.iter().flat_map(longer).collect();
    }
    for entry in entries {
        let ends: Vec<_> =
            inputs.iter().filter_map(|list| example.run(&entry, list.iter().copied())).collect();
        let mut asked: Vec<(Vec<i64>, usize)> =
            ends.iter().map(|e| (e.values.clone(), e.exit)).collect();
        // Wrong ones, close to the right ones.
        for (values, exit) in asked.clone() {
            asked.push((values.clone(), exit + 1));
            for at in 0..width {
                let mut other = values.clone();
                other[at] += 1;
                asked.push((other, exit));
            }
        }
        for (values, exit) in asked {
            let right = ends.iter().any(|end| end.values == values && end.exit == exit);
            let numbers =
                entry.iter().chain(&values).map(|v| int(*v)).collect::<Vec<_>>().join(" ");
            script +=
                &format!("(push 1)\n(assert (loop_2 {numbers} {exit}))\n(check-sat)\n(pop 1)\n");
            expected.push((if right { "sat" } else { "unsat" }, format!("{numbers} {exit}")));
        }
    }
    assert!(expected.iter().any(|(answer, _)| *answer == "sat"));
    assert!(expected.iter().any(|(answer, _)| *answer == "unsat"));
    let Some(answers) = cvc5(&script) else { return };
    assert_eq!(answers.len(), expected.len());
    for (answer, (expected, arguments)) in answers.iter().zip(expected) {
        assert_eq!(answer, expected, "loop_2 {arguments}");
    }
}

#[test]
fn relations_are_the_executions() {
    agrees(counting(2), &[&[]]);
    agrees(with_input(), &[&[0], &[1, 0], &[1, 1, 0], &[1, 1, 1, 0], &[1, 1, 1, 1, 0], &[1; 6]]);
}

#[test]
fn relations_of_interleaved_paths_are_the_executions() {
    agrees(interleaved(), &[&[]]);
}

#[test]
fn a_script_is_as_the_contract_says() {
    let mut example = with_input();
    let text = text_of(&mut example);
    expect_test::expect![[r#"
        (set-logic ALL)
        ; line 2 in main
        ; exit 0: line 4
        ; exit 1: line 4
        (define-fun loop_2_pre ((i Int) (n Int)) Bool true)
        ; loop_2: exact
        (define-fun loop_2 ((i Int) (n Int) (i! Int) (n! Int) (exit! Int)) Bool (and true
          (or
            (and (<= n i) (= i i!) (= n n!) (= exit! 0))
            (and (< i n) (= n n!) (= exit! 0) (= n i!))
            (exists ((k Int) (nondet Int)) (and (= nondet 0) (< (+ i k) n) (>= k 0) (= n n!) (= (+ i k) i!) (= exit! 1))))))
    "#]]
    .assert_eq(&text);
}

#[test]
fn names_are_those_of_the_source() {
    let mut example = counting(1);
    let (array, length) = (
        example.terms.fresh("a", loupe_term::Sort::Array(1), Default::default()),
        example.terms.int_symbol("len"),
    );
    example.declared.push(("p->f[3]".into(), length));
    example.declared.push(("let".into(), array));
    let text = text_of(&mut example);
    let parameters = "((i Int) (n Int) (|p->f[3]| Int) (|let| (Array Int Int)) \
                      (i! Int) (n! Int) (|p->f[3]!| Int) (let! (Array Int Int)) (exit! Int))";
    assert!(text.contains(parameters), "{text}");
    // Two loops with the same names.
    let mut terms = std::mem::take(&mut example.terms);
    let first = described(&example, &[]);
    let other: Vec<Term> = ["i", "n"].map(|name| terms.int_symbol(name)).to_vec();
    let (inside, problem) = (terms.lt(other[0], other[1]), Loop::default());
    let case = Case { condition: inside, values: vec![], ..example.summary.cases[0].clone() };
    let summary = Summary { cases: vec![case], ..example.summary.clone() };
    let second = Described {
        name: "loop_9".into(),
        problem: &problem,
        summaries: vec![&summary],
        parameters: vec![
            Parameter { name: "i".into(), entry: other[0] },
            Parameter { name: "n".into(), entry: other[1] },
        ],
        ..first.clone()
    };
    let text = script(&mut terms, &[first, second]).expect("it can be printed");
    let parameters = "loop_9 ((i Int) (n Int) (i! Int) (n! Int) (exit! Int))";
    assert!(text.contains(parameters), "{text}");
    assert!(!text.contains("declare-"), "{text}");
    if let Some(answers) = cvc5(&format!("{text}(check-sat)\n")) {
        assert_eq!(answers, ["sat"]);
    }
}

#[test]
fn what_is_not_known_is_left_open() {
    let mut example = counting(1);
    let star = example.terms.star(loupe_term::Sort::Int);
    example.summary.cases[1].values[0] = star;
    let text = text_of(&mut example);
    assert!(
        text.contains("(define-fun loop_2_over") && !text.contains("(define-fun loop_2 "),
        "{text}"
    );
    example.summary.tag = Tag::Under;
    let text = text_of(&mut example);
    let cases = text.lines().filter(|line| line.contains("(= exit! 0)")).count();
    assert_eq!(cases, 1, "{text}");
}

#[test]
fn obligations_are_queries() {
    let mut example = counting(2);
    let mut terms = std::mem::take(&mut example.terms);
    let (x, two) = (terms.int_symbol("x"), terms.int(2));
    let half = terms.quotient(Rounding::Euclidean, x, two);
    let doubled = terms.mul(half, two);
    let more = terms.lt(x, doubled);
    let obligations = [
        Obligation { name: "case 2, step".into(), claim: Claim::Unsat(more) },
        Obligation { name: "case 2, base".into(), claim: Claim::Identity("i + 0 = i".into()) },
    ];
    let text = script(&mut terms, &[described(&example, &obligations)]).expect("it can be printed");
    assert!(text.contains("(push 1)\n(assert (exists ((x Int))"), "{text}");
    assert!(text.contains("; loop_2: case 2, base: by the identity i + 0 = i"), "{text}");
    if let Some(answers) = cvc5(&text) {
        assert_eq!(answers, ["unsat"]);
    }
}

#[test]
fn a_value_that_is_no_symbol_is_refused() {
    let mut example = counting(2);
    let mut terms = std::mem::take(&mut example.terms);
    example.declared[1].1 = terms.int(3);
    let refused = script(&mut terms, &[described(&example, &[])]);
    assert!(matches!(refused, Err(CannotPrint::NoSymbol(name)) if name == "n"));
}
