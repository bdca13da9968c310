//! What comes out means what went in, and comes out as the same terms every time.

use super::*;
use crate::testing::{Builder, Elements, Values, symbol_of, values, varied_plans, varied_truths};
use crate::{Assignment, Origin, Sort, Value};
use proptest::prelude::*;

/// The assignment of the exporting arena, for the symbols and functions of the importing one.
fn translated(assignment: &Assignment, mapping: &Mapping, source: &ArenaId) -> Assignment {
    let mut result = Assignment::default();
    for (theirs, value) in &assignment.symbols {
        if let Some(ours) = mapping.symbol(source, *theirs) {
            result.symbols.insert(ours, value.clone());
        }
    }
    for ((theirs, arguments), value) in &assignment.functions {
        if let Some(ours) = mapping.function(source, *theirs) {
            result.functions.insert((ours, arguments.clone()), value.clone());
        }
    }
    result
}

fn check(mut builder: Builder, roots: &[Term], world: &Values) -> Result<(), TestCaseError> {
    let portable = std::thread::scope(|scope| {
        let terms = std::mem::take(&mut builder.terms);
        // Arenas and what they export can cross threads.
        let exported = scope.spawn(move || (terms.export(roots), terms)).join();
        let (portable, terms) = exported.expect("the thread has not panicked");
        builder.terms = terms;
        portable
    });
    let mut other = Terms::new();
    // Other terms first, so that the order of the terms is another.
    let fourth = other.int_symbol("x3");
    let mut mapping = Mapping::into_arena(&other);
    let source = builder.terms.identity();
    let theirs = symbol_of(&builder.terms, builder.symbols[3]);
    mapping.same_symbol(&source, theirs, symbol_of(&other, fourth));
    let imported = other.import(&portable, &mut mapping).expect("sorts fit");
    let assignment = builder.assignment(world);
    let translation = translated(&assignment, &mapping, &source);
    for (old, new) in roots.iter().zip(&imported) {
        let expected = builder.terms.evaluate(*old, &assignment);
        if expected.is_ok() {
            prop_assert_eq!(other.evaluate(*new, &translation), expected);
        }
        prop_assert!(other.is_closed(*new));
    }
    let again = other.import(&portable, &mut mapping).expect("sorts fit");
    prop_assert_eq!(again, imported);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn values_are_kept(plan in varied_plans(), truth in varied_truths(), world in values()) {
        for terms in [Terms::new(), Terms::without_rules()] {
            let mut builder = Builder::new(terms, Elements::Read);
            let roots = [builder.int(&plan), builder.truth(&truth)];
            check(builder, &roots, &world)?;
        }
    }
}

#[test]
fn terms_come_back() {
    let (mut here, mut there) = (Terms::new(), Terms::new());
    let (x, y) = (here.int_symbol("x"), here.int_symbol("y"));
    let term = here.le(x, y);
    let mut out = Mapping::into_arena(&there);
    let imported = there.import(&here.export(&[term]), &mut out).expect("sorts fit");
    let mut back = Mapping::into_arena(&here);
    for symbol in [x, y].map(|term| symbol_of(&here, term)) {
        let abroad = out.symbol(&here.identity(), symbol).expect("it has gone there");
        back.same_symbol(&there.identity(), abroad, symbol);
    }
    let returned = here.import(&there.export(&imported), &mut back).expect("sorts fit");
    assert_eq!(returned, [term]);
    assert_eq!(there.symbol(SymbolId(0)).name, "x");
}

#[test]
fn what_cannot_correspond_is_an_error() {
    let (mut here, mut there) = (Terms::new(), Terms::new());
    let x = here.int_symbol("x");
    let flag = there.fresh("flag", Sort::Bool, Origin::default());
    let portable = here.export(&[x]);
    let mut mapping = Mapping::into_arena(&there);
    mapping.same_symbol(&here.identity(), symbol_of(&here, x), symbol_of(&there, flag));
    let error = there.import(&portable, &mut mapping);
    assert_eq!(error, Err(Misuse::Sort { needed: Sort::Int, found: Sort::Bool }));
    let mut wrong = Mapping::into_arena(&here);
    assert_eq!(there.import(&portable, &mut wrong), Err(Misuse::Foreign));
}

#[test]
fn depth_is_no_problem() {
    let (mut here, mut there) = (Terms::new(), Terms::new());
    let function = here.function("f", 1);
    let mut term = here.int_symbol("x");
    for _ in 0..200_000 {
        term = here.apply(function, &[term]).expect("sorts fit");
    }
    let portable = here.export(&[term, term]);
    let mut mapping = Mapping::into_arena(&there);
    let imported = there.import(&portable, &mut mapping).expect("sorts fit");
    assert_eq!(there.size(imported[0]), here.size(term));
    assert_eq!(there.evaluate(imported[1], &Assignment::default()), Ok(Value::Int(0.into())));
}
