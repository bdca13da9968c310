//! For all values of the ★s, each another: strengthened ⇒ formula ⇒ weakened.

use crate::testing::{Builder, Elements, Stars, starred_plans, starred_truths, values};
use crate::*;
use loupe_integer::Integer;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn weakening_follows(truth in starred_truths(), worlds in prop::collection::vec(values(), 4)) {
        for terms in [Terms::new, Terms::without_rules] {
            let mut unknown = Builder::new(terms(), Elements::Read);
            let mut known = Builder::new(Terms::without_rules(), Elements::Read).with_stars(Stars::Symbols);
            let (starred, plain) = (unknown.truth(&truth), known.truth(&truth));
            let negated = unknown.terms.not(starred);
            let (weak, strong) =
                (unknown.terms.weaken(starred), unknown.terms.strengthen(starred));
            let weak_negated = unknown.terms.weaken(negated);
            for term in [weak, strong, weak_negated] {
                prop_assert!(!unknown.terms.is_starred(term) && unknown.terms.is_closed(term));
            }
            for world in &worlds {
                let Ok(truth) = known.terms.holds(plain, &known.assignment(world)) else {
                    continue;
                };
                let assignment = unknown.assignment(world);
                // A power may be too large to be known.
                let holds = |term| unknown.terms.holds(term, &assignment);
                let (weak, weak_negated) = (holds(weak), holds(weak_negated));
                prop_assert!(!truth || weak != Ok(false));
                prop_assert!(truth || weak_negated != Ok(false));
                prop_assert!(truth || holds(strong) != Ok(true));
            }
        }
    }

    /// What is known although ★ was in it is known for all values of the ★s.
    #[test]
    fn what_is_known_is_known(plan in starred_plans(), worlds in prop::collection::vec(values(), 4)) {
        let mut unknown = Builder::new(Terms::new(), Elements::Read);
        let mut known = Builder::new(Terms::without_rules(), Elements::Read).with_stars(Stars::Symbols);
        let (starred, plain) = (unknown.int(&plan), known.int(&plan));
        for world in &worlds {
            if let (Ok(found), Ok(expected)) = (
                unknown.terms.evaluate(starred, &unknown.assignment(world)),
                known.terms.evaluate(plain, &known.assignment(world)),
            ) {
                prop_assert_eq!(found, expected);
            }
        }
    }
}

/// A term that is unknown for some values of a symbol only, so that it is more than ★.
fn half_known(terms: &mut Terms) -> Term {
    let flag = terms.fresh("b", Sort::Bool, Origin::default());
    let (star, one) = (terms.star(Sort::Int), terms.int(1));
    terms.ite(flag, star, one)
}

#[test]
fn unknown_values_do_not_cancel() {
    let mut terms = Terms::new();
    let half = half_known(&mut terms);
    let x = terms.int_symbol("x");
    let star = terms.star(Sort::Int);
    assert_eq!(terms.sub(star, star), star);
    assert_eq!(terms.sub(half, half), star);
    assert_eq!(terms.add(half, half), star, "need not be even");
    assert_eq!(terms.mul(half, half), star, "need not be a square");
    assert_eq!(terms.pow(half, 2), star);
    let minus = terms.neg(half);
    assert_eq!(terms.sum([half, x, minus]), star);
    let (sum, difference) = (terms.add(half, x), terms.sub(half, x));
    assert_eq!(terms.sub(sum, difference), star);
    assert_eq!(terms.mul(sum, difference), star);
    let twice = terms.scale(half, &Integer::from(2));
    let even = terms.divides(&Integer::from(2), twice);
    assert_eq!(terms.as_bool(even), Some(true), "one unknown value, twice");
    let unknown = terms.star(Sort::Bool);
    assert_eq!(terms.eq(half, half), unknown);
    let (positive, flag) = (terms.lt(x, half), terms.fresh("c", Sort::Bool, Origin::default()));
    let not_positive = terms.not(positive);
    let both = terms.and([positive, not_positive]);
    assert_eq!(terms.as_bool(both), None);
    let either = terms.or([positive, not_positive]);
    assert_eq!(terms.as_bool(either), None);
    let same = terms.ite(flag, half, half);
    assert_ne!(same, half);
}

#[test]
fn literals_go_and_the_rest_stays() {
    let mut terms = Terms::new();
    let half = half_known(&mut terms);
    let [x, y, i] = ["x", "y", "i"].map(|name| terms.int_symbol(name));
    let (known, unknown) = (terms.le(x, y), terms.le(x, half));
    let both = terms.and([known, unknown]);
    assert_eq!(terms.weaken(both), known);
    let (no, yes) = (terms.bool(false), terms.bool(true));
    assert_eq!(terms.strengthen(both), no);
    let either = terms.or([known, unknown]);
    assert_eq!((terms.weaken(either), terms.strengthen(either)), (yes, known));
    // In the body, and in a bound.
    let (below, above) = (terms.lt(i, y), terms.le(half, i));
    let body = terms.and([below, above]);
    let all = terms.quantify(Quantifier::Forall, i, [x, y], body).expect("sorts fit");
    let expected = terms.quantify(Quantifier::Forall, i, [x, y], below).expect("sorts fit");
    assert_eq!(terms.weaken(all), expected);
    let bounded = terms.quantify(Quantifier::Exists, i, [x, half], below).expect("sorts fit");
    assert_eq!((terms.weaken(bounded), terms.strengthen(bounded)), (yes, no));
}
