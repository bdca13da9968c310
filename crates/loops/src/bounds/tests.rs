//! Bounds are compared with executions.

use super::*;
use crate::problem::End;
use crate::summary::{Repeated, Segment};
use crate::testing::{Example, chain, counting, interleaved, value, with_input};

fn bounds_of(example: &mut Example) -> Bounds {
    let (mut chain, limits) = chain();
    let mut terms = std::mem::take(&mut example.terms);
    let Example { problem, summary, .. } = &*example;
    let words = Words::new(&mut terms, problem, Some(summary), &Default::default());
    let found = bounds(&mut terms, &mut chain, (problem, summary), &words, &limits);
    example.terms = terms;
    found.expect("queries make sense")
}

/// The bound has this text, is never exceeded, and is reached by some execution of each entry.
fn is_exact(example: Example, expected: &str, inputs: &[&[i64]]) -> Bounds {
    holds(example, expected, inputs, |most, limit| most == limit)
}

/// The bound has this text and is never exceeded.
fn holds(
    mut example: Example,
    expected: &str,
    inputs: &[&[i64]],
    compare: impl Fn(i64, i64) -> bool,
) -> Bounds {
    let found = bounds_of(&mut example);
    let total = found.total.clone().expect("it is bounded");
    assert_eq!(total.text, expected);
    let range = -4..=6_i64;
    let mut entries = vec![vec![]];
    for _ in 0..example.declared.len() {
        let longer =
            |e: &Vec<i64>| range.clone().map(|v| [&e[..], &[v]].concat()).collect::<Vec<_>>();
        entries = entries.iter().flat_map(longer).collect();
    }
    for entry in entries {
        let at = example.assignment(&entry);
        let limit = value(&example.terms, total.term, &at);
        let ends: Vec<_> =
            inputs.iter().filter_map(|list| example.run(&entry, list.iter().copied())).collect();
        let most = ends.iter().map(|end| end.iterations(&example.problem)).max();
        let most = most.expect("some execution ends") as i64;
        assert!(compare(most, limit), "{entry:?}: {most} iterations, the bound is {limit}");
        for end in &ends {
            for (path, taken) in end.taken.iter().enumerate().take(1) {
                let own = found.paths[path].as_ref().expect("it is bounded");
                assert!(*taken as i64 <= value(&example.terms, own.term, &at), "{entry:?}");
            }
            let own = found.exits[end.exit].as_ref().expect("it is bounded");
            let own = value(&example.terms, own.term, &at);
            assert!(end.iterations(&example.problem) as i64 <= own, "{entry:?}");
        }
    }
    found
}

#[test]
fn counted_loops_are_bounded_exactly() {
    is_exact(counting(1), "max(0, n - i)", &[&[]]);
    let found = is_exact(counting(2), "max(0, ⌈(n - i)/2⌉)", &[&[]]);
    assert_eq!(found.total.expect("it is bounded").growth, Growth::Polynomial(1));
    assert_eq!(found.traces[1].as_ref().map(|bound| bound.text.as_str()), Some("⌈(n - i)/2⌉"));
    assert_eq!(found.traces[0].as_ref().map(|bound| bound.text.as_str()), Some("0"));
}

#[test]
fn rounds_are_counted() {
    let expected = "max(0, n - x, 2*n - x - z)";
    let found = holds(interleaved(), expected, &[&[]], |most, limit| most <= limit);
    let path = |path: usize| found.paths[path].as_ref().map(|bound| bound.text.as_str());
    assert_eq!((path(0), path(1)), (Some("max(0, n - x)"), Some("max(0, n - z)")));
}

#[test]
fn counters_are_replaced_by_their_limits() {
    let found = is_exact(with_input(), "max(0, n - i)", &[&[0], &[1, 0], &[1, 1, 0], &[1; 12]]);
    assert_eq!(found.exits[1].as_ref().map(|bound| bound.text.as_str()), Some("n - i - 1"));
}

/// `while (i != n) i++;`, which nothing bounds.
fn unbounded() -> Example {
    let mut example = counting(1);
    let [(_, i), (_, n)] = &example.declared[..] else { panic!("two variables") };
    let (differs, same) = (example.terms.ne(*i, *n), example.terms.eq(*i, *n));
    example.problem.paths[0].guard = differs;
    example.problem.paths[1].guard = same;
    example
}

#[test]
fn what_covers_not_everything_bounds_nothing() {
    let mut example = unbounded();
    example.summary.tag = Tag::Under;
    let found = bounds_of(&mut example);
    assert!(found.total.is_none() && found.paths.iter().all(Option::is_none));
    assert_eq!(found.why_not.as_deref(), Some("not all executions are covered"));
    example.summary.tag = Tag::Over;
    let found = bounds_of(&mut example);
    assert!(found.total.is_none() && found.traces.iter().all(Option::is_none));
    let mut example = unbounded();
    example.summary.cases[1].trace[0].count = example.terms.star(loupe_term::Sort::Int);
    let found = bounds_of(&mut example);
    assert!(found.total.is_none());
    assert_eq!(found.why_not.as_deref(), Some("the number of iterations of case 2 is not known"));
}

#[test]
fn what_falls_bounds_without_a_summary() {
    let without = |mut example: Example| {
        (example.summary.tag, example.summary.cases) = (Tag::Under, Vec::new());
        example
    };
    is_exact(without(counting(1)), "max(0, n - i)", &[&[]]);
    is_exact(without(counting(3)), "max(0, ⌈(n - i)/3⌉)", &[&[]]);
    let inputs: &[&[i64]] = &[&[0], &[1, 0], &[1; 12]];
    is_exact(without(with_input()), "max(0, n - i)", inputs);
    // Two that fall in turn: while (x < n && z < n) if (z > x) x++; else z++;
    let mut example = without(interleaved());
    let (n, z) = (example.declared[0].1, example.declared[2].1);
    let (below, above) = (example.terms.lt(z, n), example.terms.le(n, z));
    for path in &mut example.problem.paths[..2] {
        path.guard = example.terms.and([path.guard, below]);
    }
    let leaves = example.problem.paths[2].guard;
    example.problem.paths[2].guard = example.terms.or([leaves, above]);
    holds(example, "max(0, 2*n - x - z - 1)", &[&[]], |most, limit| most <= limit);
}

#[test]
fn a_round_that_depends_on_what_came_before_is_not_counted() {
    let mut example = interleaved();
    let x = example.declared[1].1;
    example.problem.paths[0].updates[0] = example.terms.add(x, x);
    let Repeated::Round(parts) = &mut example.summary.cases[2].trace[1].what else {
        panic!("a round is expected")
    };
    parts[0].count = x;
    let found = bounds_of(&mut example);
    assert!(found.traces[2].is_none() && found.traces[1].is_some());
}

#[test]
fn inputs_do_not_fall() {
    // while (0 < nondet() + i) i--, with the input as a part of the condition: nothing bounds it.
    let mut example = with_input();
    let mut terms = std::mem::take(&mut example.terms);
    let (i, one, zero) = (example.declared[0].1, terms.int(1), terms.int(0));
    let input = example.problem.paths[0].fresh[0].symbol;
    let sum = terms.add(input, i);
    let (go, stop) = (terms.lt(zero, sum), terms.le(sum, zero));
    example.problem.paths[0].guard = go;
    example.problem.paths[0].updates[0] = terms.sub(i, one);
    example.problem.paths[2].guard = stop;
    example.problem.paths.remove(1);
    example.summary.tag = Tag::Under;
    example.summary.cases.clear();
    example.terms = terms;
    assert!(bounds_of(&mut example).total.is_none());
}

#[test]
fn values_are_followed_to_the_start_of_a_round() {
    // while (x < n) if (z > x) x++; else z = n, n being large: then x++ again; counts by hand, for the bookkeeping alone.
    let mut example = interleaved();
    let mut terms = std::mem::take(&mut example.terms);
    let (n, x, z) = (example.declared[0].1, example.declared[1].1, example.declared[2].1);
    let (one, five) = (terms.int(1), terms.int(5));
    example.problem.paths[1].updates[1] = n;
    example.problem.paths[1].end = End::Again;
    let path = |path, count| Segment::new(Repeated::Path(path), count);
    // After x++ five times and z = n, a round speaks of x + 5 and n.
    let (of_x, of_z) = (path(0, x), path(1, z));
    let round = Segment::new(Repeated::Round(vec![of_x, of_z]), one);
    let case = &mut example.summary.cases[1];
    case.trace = vec![path(0, five), path(1, one), round];
    example.summary.cases = vec![case.clone()];
    example.terms = terms;
    let found = bounds_of(&mut example);
    assert_eq!(found.traces[0].as_ref().map(|bound| bound.text.as_str()), Some("n + x + 11"));
}

#[test]
fn rounds_that_become_longer_are_counted_one_by_one() {
    // while (x < n) if (y < x) y++; else { x++; y = 0; }
    let mut terms = Terms::new();
    let text =
        "x < n && y < x -> y := y + 1; x < n && y >= x -> x := x + 1, y := 0; x >= n -> exit";
    let declared = [("x", None), ("y", None), ("n", None)];
    let crate::text::Parsed { problem, names } = crate::text::parse(&mut terms, &declared, text);
    let (mut chain, _) = chain();
    let effort = crate::Effort::default();
    let summary = crate::summarise(&mut terms, &mut chain, &problem, &effort).expect("no errors");
    assert_eq!(summary.tag, Tag::Exact);
    let example = Example { terms, problem, summary, declared: names.into_iter().collect() };
    let expected = "max(0, (n^2 + n)/2 - y, (n^2 + n)/2 - x)";
    let found = holds(example, expected, &[&[]], |most, limit| most <= limit);
    assert_eq!(found.total.expect("it is bounded").growth, Growth::Polynomial(2));
}

#[test]
fn minima_are_found() {
    // while (i < n && i < m) i++;
    let mut example = counting(1);
    let mut terms = std::mem::take(&mut example.terms);
    let t = &mut terms;
    let (i, n, m) = (example.declared[0].1, example.declared[1].1, t.int_symbol("m"));
    let (in_n, in_m, n_less, m_less) = (t.lt(i, n), t.lt(i, m), t.le(n, m), t.lt(m, n));
    let (to_n, to_m) = (t.sub(n, i), t.sub(m, i));
    let both = t.and([in_n, in_m]);
    let not = t.not(both);
    let (first, second) = (t.and([in_n, n_less]), t.and([in_m, m_less]));
    let base = example.summary.cases[1].clone();
    let with = |condition, count, end| Case {
        condition,
        values: vec![end],
        trace: vec![Segment::new(Repeated::Path(0), count)],
        ..base.clone()
    };
    example.summary.cases[0].condition = not;
    example.problem.paths[0].guard = both;
    example.problem.paths[1].guard = not;
    example.summary.cases.truncate(1);
    example.summary.cases.extend([with(first, to_n, n), with(second, to_m, m)]);
    example.declared.push(("m".into(), m));
    example.terms = terms;
    is_exact(example, "max(0, min(n - i, m - i))", &[&[]]);
}
