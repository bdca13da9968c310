use super::*;

fn line(text: &str) -> Line {
    let mut lines = lines(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(lines.len(), 1, "{text}");
    lines.remove(0)
}

#[test]
fn every_formula_of_the_competition_is_known() {
    let never = |name: &str| Formula::Never(Mark::Call(name.to_owned()));
    let table = [
        ("G ! call(reach_error())", Formula::Property(Property::UnreachCall)),
        ("G ! call(__VERIFIER_error())", Formula::Property(Property::UnreachCall)),
        ("G!call(oops())", never("oops")),
        ("G ! label(ERROR)", Formula::Never(Mark::Label("ERROR".to_owned()))),
        ("G ! overflow", Formula::Property(Property::NoOverflow)),
        ("G valid-free", Formula::Property(Property::ValidFree)),
        ("G valid-deref", Formula::Property(Property::ValidDeref)),
        ("G valid-memtrack", Formula::Property(Property::ValidMemtrack)),
        ("G valid-memcleanup", Formula::Property(Property::ValidMemcleanup)),
        ("G def-behavior", Formula::Property(Property::DefBehavior)),
        ("F end", Formula::Property(Property::Termination)),
    ];
    for (formula, expected) in table {
        let found = line(&format!("CHECK( init(main()), LTL({formula}) )\n\n"));
        assert_eq!(found, Line { entry: "main".to_owned(), formula: expected });
    }
}

#[test]
fn places_of_errors_are_those_of_the_words() {
    let place = |text: &str| {
        let error = lines(text).expect_err(text);
        let start = error.span.expect("a place").start;
        (start.line, start.column, error.message)
    };
    let found = |what: &str| what.to_owned();
    let text =
        "CHECK( init(main()), LTL(G ! call(f())) )\nCHECK( init(main()), LTL(G ! data-race) )";
    let wanted = "expected `call(f())`, `label(L)` or `overflow`, found `data-race`";
    assert_eq!(place(text), (2, 30, found(wanted)));
    assert_eq!(place(""), (1, 1, found("expected `CHECK`, found the end of the file")));
    let open = "CHECK( init(main()), LTL(F end) ";
    assert_eq!(place(open), (1, 32, found("expected `)`, found the end of the file")));
    let other = "CHECK(init(main()),LTL(F end))\nCHECK(init(f()),LTL(F end))";
    let same = "all lines of a property file start in the same function";
    assert_eq!(place(other), (2, 12, found(same)));
    let cover = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
    assert_eq!(place(cover), (1, 1, found("expected `CHECK`, found `COVER`")));
}
