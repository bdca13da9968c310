//! Loops that are traversals, and loops that nearly are.

use super::*;
use crate::analysis::testing::program;

fn found(program: &Program) -> Vec<Traversal> {
    traversals(&Slicer::new(program), program.entry)
}

fn measures(program: &Program) -> Vec<String> {
    let function = program.function(program.entry);
    found(program).iter().map(|traversal| traversal.measure(program, function)).collect()
}

/// A loop over a list with some steps in its body.
fn list(test: &str, body: &str) -> Program {
    program(&format!(
        "pointer-size 8
         record 0 \"node\" size 16 {{ \"v\": i32 at 0, \"next\": ptr record 0 at 8 }}
         entry @main
         fn @main(p%0: ptr record 0, n%1: i32) {{
           let %2: bool
           let %3: i32
           let q%4: ptr record 0
         b0:
           goto b1
         b1:
           {test}
           branch %2, b2, b3
         b2:
           {body}
           goto b1
         b3:
           return
         }}"
    ))
}

const GO_ON: &str = "%2 = ne p%0, null";

#[test]
fn a_list_is_as_long_as_it_has_nodes() {
    let program = list(GO_ON, "n%1 = add n%1, 1i32\np%0 = load p%0.*.#1");
    let [traversal] = &found(&program)[..] else { panic!("one traversal") };
    assert_eq!(traversal.structure, Structure::List(vec![Link::Field(1)]));
    assert_eq!((traversal.first, traversal.bound), (First::AtCursor, Bound::Exact));
    assert_eq!(traversal.assumptions, [Assumption::Acyclic, Assumption::Unchanged]);
    assert!(traversal.writes.is_empty());
    assert_eq!(measures(&program), ["size(p)"]);
}

#[test]
fn detours_of_the_test_and_the_step_are_seen_through() {
    for (test, body) in [
        ("q%4 = p%0\n%2 = eq null, q%4\n%2 = not %2", "q%4 = load p%0.*.#1\np%0 = q%4"),
        (
            "%2 = ne p%0, null\n%3 = convert %2 to i32\n%2 = ne %3, 0i32",
            "q%4 = p%0\np%0 = load q%4.*.#1",
        ),
    ] {
        assert_eq!(measures(&list(test, body)), ["size(p)"], "{test}");
    }
}

#[test]
fn writes_are_listed() {
    let program = list(GO_ON, "store p%0.*.#0, 1i32\np%0 = load p%0.*.#1");
    assert_eq!(found(&program)[0].writes.len(), 1);
}

#[test]
fn a_test_behind_the_step_looks_at_the_next_node() {
    let program = list("p%0 = load p%0.*.#1\n%2 = ne p%0, null", "n%1 = 0i32");
    assert_eq!(found(&program)[0].first, First::BehindCursor);
    assert_eq!(measures(&program), ["size(p) - 1"]);
}

#[test]
fn what_is_no_walk_along_a_list() {
    for (test, body) in [
        // The loop ends at a node.
        ("%2 = eq p%0, null", "p%0 = load p%0.*.#1"),
        // Another pointer moves.
        (GO_ON, "q%4 = load p%0.*.#1"),
        // It moves twice, or goes somewhere else.
        (GO_ON, "p%0 = load p%0.*.#1\np%0 = load p%0.*.#1"),
        (GO_ON, "p%0 = load q%4.*.#1"),
        (GO_ON, "p%0 = load p%0.*.#1\np%0 = null"),
        // It does not move at all.
        (GO_ON, "n%1 = 0i32"),
    ] {
        assert_eq!(measures(&list(test, body)), [""; 0], "{test}; {body}");
    }
}

#[test]
fn a_step_in_a_branch_is_not_taken_in_every_iteration() {
    let program = program(
        "pointer-size 8
         record 0 \"node\" size 16 { \"v\": i32 at 0, \"next\": ptr record 0 at 8 }
         entry @main
         fn @main(p%0: ptr record 0, n%1: i32) {
           let %2: bool
         b0:
           goto b1
         b1:
           %2 = ne p%0, null
           branch %2, b2, b4
         b2:
           %2 = gt n%1, 0i32
           branch %2, b3, b1
         b3:
           p%0 = load p%0.*.#1
           goto b1
         b4:
           return
         }",
    );
    assert_eq!(measures(&program), [""; 0]);
}

/// A loop over a text.
fn text(test: &str, body: &str) -> Program {
    program(&format!(
        "pointer-size 8
         global buffer%0: [i8; 30]
         entry @main
         fn @main(s%0: ptr i8, i%1: i32) {{
           let %2: bool
           let %3: i8
           let %4: i32
           let %5: ptr i8
           let %6: i64
           let %7: ptr i16
         b0:
           goto b1
         b1:
           {test}
           branch %2, b2, b3
         b2:
           {body}
           goto b1
         b3:
           return
         }}"
    ))
}

#[test]
fn a_text_is_as_long_as_it_has_characters() {
    let test = "%2 = ne %3, 0i8";
    for (load, step, measure) in [
        ("%3 = load s%0.*", "s%0 = offset s%0, 1i64 of i8", "strlen(s)"),
        ("%5 = s%0\ns%0 = offset %5, 1i64 of i8\n%3 = load %5.*", "i%1 = 0i32", "strlen(s)"),
        ("s%0 = offset s%0, 1i64 of i8\n%3 = load s%0.*", "i%1 = 0i32", "strlen(s + 1)"),
        ("%5 = offset s%0, i%1 of i8\n%3 = load %5.*", "i%1 = add i%1, 1i32", "strlen(s + i)"),
        (
            "%6 = convert i%1 to i64\n%5 = offset s%0, %6 of i8\n%3 = load %5.*",
            "i%1 = add 1i32, i%1",
            "strlen(s + i)",
        ),
        ("%3 = load global buffer%0[i%1]", "i%1 = add i%1, 1i32", "strlen(buffer + i)"),
    ] {
        let program = text(&format!("{load}\n{test}"), step);
        assert_eq!(measures(&program), [measure], "{load}; {step}");
        assert!(found(&program)[0].assumptions.contains(&Assumption::Terminated));
    }
    let widened = text(
        "%3 = load s%0.*\n%4 = convert %3 to i32\n%2 = ne %4, 0i32",
        "s%0 = offset s%0, 1i64 of i8",
    );
    assert_eq!(measures(&widened), ["strlen(s)"]);
}

#[test]
fn what_is_no_walk_along_a_text() {
    let test = "%2 = ne %3, 0i8";
    for (load, step) in [
        // Two at a time, or backwards.
        ("%3 = load s%0.*", "s%0 = offset s%0, 2i64 of i8"),
        ("%3 = load s%0.*", "s%0 = offset s%0, -1i64 of i8"),
        // The text moves, too.
        (
            "%5 = offset s%0, i%1 of i8\n%3 = load %5.*",
            "i%1 = add i%1, 1i32\ns%0 = offset s%0, 1i64 of i8",
        ),
        // An index that multiplies.
        ("%5 = offset s%0, i%1 of i8\n%3 = load %5.*", "i%1 = add i%1, i%1"),
    ] {
        assert_eq!(measures(&text(&format!("{load}\n{test}"), step)), [""; 0], "{load}; {step}");
    }
    // Bytes at a distance of two.
    let apart =
        "%7 = convert s%0 to ptr i16\n%7 = offset %7, 1i64 of i16\n%5 = convert %7 to ptr i8";
    let apart = text(&format!("%3 = load s%0.*\n{test}"), &format!("{apart}\ns%0 = %5"));
    assert_eq!(measures(&apart), [""; 0]);
    // An index whose type is left on the way.
    let narrow =
        "%3 = convert i%1 to i8\n%5 = offset s%0, %3 of i8\n%3 = load %5.*\n%2 = ne %3, 0i8";
    assert_eq!(measures(&text(narrow, "i%1 = add i%1, 1i32")), [""; 0]);
}
