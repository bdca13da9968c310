use super::*;
use crate::limits::Limits;

/// How many assertions are remembered in sets.
fn remembered(cache: &Cache) -> usize {
    cache.sets.keys().map(|set| set.len()).sum()
}

#[test]
fn what_is_remembered_is_bounded_by_its_size() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let assertions: Vec<Term> = (0..2_000)
        .map(|bound| {
            let bound = terms.int(bound);
            terms.le(x, bound)
        })
        .collect();
    let model = Model { values: Assignment::default(), evidence: Evidence::Evaluated };
    let limits = Limits::default();
    let mut cache = Cache::default();
    let (mut total, mut most, mut sets) = (0, 0, 0);
    // A path that grows, and its answers: half of them computed, half of them by earlier models.
    for turn in 0..4_000 {
        let query = Query { assertions: &assertions[turn / 2..], limits: &limits };
        let set = canonical(query.assertions.iter());
        if turn % 2 == 0 {
            cache.remember(&query, set, &Answer::Sat(model.clone()));
        } else {
            let values = Rc::new(model.values.clone());
            cache.satisfied(&set[1..], values);
        }
        total += query.assertions.len();
        (most, sets) = (most.max(remembered(&cache)), sets.max(cache.sets.len()));
    }
    assert!(total > MAX_SIZE * 9 / 10, "{total}: nothing to forget");
    assert!(most <= MAX_SIZE && sets <= MAX_SIZE / SIZE_OF_SET, "{most} in {sets} sets");
}

#[test]
fn after_forgetting_answers_are_still_right() {
    let mut terms = Terms::new();
    let (x, zero) = (terms.int_symbol("x"), terms.int(0));
    let (below, above) = (terms.lt(x, zero), terms.lt(zero, x));
    let limits = Limits::default();
    let query = Query { assertions: &[above, below], limits: &limits };
    let mut cache = Cache { size: MAX_SIZE, ..Cache::default() };
    let set = canonical(query.assertions.iter());
    cache.remember(&query, set, &Answer::Unsat(vec![0, 1]));
    assert_eq!(cache.size, 2 + SIZE_OF_SET);
    let longer = Query { assertions: &[below, above, below], limits: &limits };
    let set = canonical(longer.assertions.iter());
    let answer = cache.look_up(&terms, &longer, &set);
    assert!(matches!(answer, Some(Answer::Unsat(core)) if core == [0, 1]));
}
