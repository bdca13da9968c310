//! The worked examples of *Abstracting path conditions* (the long report, appendix A): the iterated values of arrays and the counts of inner loops, up to equivalence, with its
//! misprints corrected; as exact summaries, and as the necessary conditions that the report computes.

use loupe_loops::{
    Aim, Case, Effort, End, Fresh, FreshKind, Loop, Path, Precision, Tag, Variable, Ways, summarise,
};
use loupe_solver::{Answer, Chain, ChainOptions, Limits};
use loupe_term::{Origin, Quantifier, Sort, Term, Terms};

/// The symbols of all examples.
struct Example {
    terms: Terms,
    chain: Chain,
    i: Term,
    n: Term,
    a: Term,
    /// The index χ that is looked at.
    x: Term,
}

/// One of several values: what holds then, and the value.
type Choice = (Term, Term);

impl Example {
    fn new() -> Self {
        let mut terms = Terms::new();
        let mut fresh = |name: &str, sort: Sort| terms.fresh(name, sort, Origin::default());
        let (i, n, x) = (fresh("i", Sort::Int), fresh("n", Sort::Int), fresh("x", Sort::Int));
        let a = fresh("A", Sort::Array(1));
        Example { terms, chain: Chain::new(ChainOptions::default()), i, n, a, x }
    }

    /// `for (; i < n; ++i)`, with these paths: when, and what becomes of the array.
    fn counting(&mut self, paths: &[(Term, Term)], facts: Vec<Term>) -> Loop {
        let terms = &mut self.terms;
        let one = terms.int(1);
        let (goes_on, next) = (terms.lt(self.i, self.n), terms.add(self.i, one));
        let path = |guard: Term, updates: Vec<Term>, end: End| Path {
            guard,
            updates,
            fresh: Vec::new(),
            end,
            precision: Precision::Exact,
            label: String::new(),
        };
        let mut all = Vec::new();
        for (condition, array) in paths {
            let guard = terms.and([goes_on, *condition]);
            all.push(path(guard, vec![next, *array], End::Again));
        }
        let ends = terms.not(goes_on);
        all.push(path(ends, vec![self.i, self.a], End::Exit(0)));
        let variable = |symbol: Term, name: &str| Variable { symbol, name: name.into() };
        let variables = vec![variable(self.i, "i"), variable(self.a, "A")];
        Loop { variables, paths: all, exits: 1, ways: Ways::One, facts, ..Loop::default() }
    }

    fn solved(&mut self, problem: &Loop) -> Vec<Case> {
        let summary = summarise(&mut self.terms, &mut self.chain, problem, &Effort::default());
        let summary = summary.expect("no bug");
        assert!(matches!(summary.tag, Tag::Exact | Tag::Template), "{:?}", summary.reasons);
        summary.cases
    }

    /// The cases of the necessary condition. Something that is read in every iteration, and decides nothing, keeps them from being those of an exact summary.
    fn necessary(&mut self, problem: &Loop) -> Vec<Case> {
        let mut problem = problem.clone();
        for path in problem.paths.iter_mut().filter(|path| path.end == End::Again) {
            let symbol = self.terms.fresh("in", Sort::Int, Origin::default());
            path.fresh.push(Fresh { symbol, kind: FreshKind::Input });
        }
        let effort = Effort { aim: Aim::Necessary, ..Effort::default() };
        let summary = summarise(&mut self.terms, &mut self.chain, &problem, &effort);
        let summary = summary.expect("no bug");
        assert_eq!(summary.tag, Tag::Over);
        summary.cases
    }

    /// κ: how often the loop is executed.
    fn count(&mut self) -> Term {
        let (zero, rest) = (self.terms.int(0), self.terms.sub(self.n, self.i));
        let some = self.terms.lt(zero, rest);
        self.terms.ite(some, rest, zero)
    }

    /// `∃τ. 0 ≤ τ < κ ∧ …`
    fn some(&mut self, claim: &dyn Fn(&mut Terms, Term) -> Term) -> Term {
        let (zero, count) = (self.terms.int(0), self.count());
        let time = self.terms.fresh("t", Sort::Int, Origin::default());
        let claim = claim(&mut self.terms, time);
        let some = self.terms.quantify(Quantifier::Exists, time, [zero, count], claim);
        some.expect("a number")
    }

    fn never(&mut self, what: &str, assertions: &[Term]) {
        let answer = self.chain.check(&mut self.terms, assertions, &Limits::default());
        let answer = answer.expect("no bug");
        assert!(matches!(answer, Answer::Unsat(_)), "{what}: {answer:?}");
    }

    /// In all cases the element at χ is the first of these for which its condition holds, or the old one. And some case is possible both ways.
    fn is(&mut self, problem: &Loop, choices: &[Choice]) {
        let mut cases = self.solved(problem);
        cases.extend(self.necessary(problem));
        self.are(problem, &cases, choices);
        self.is_possible(problem, choices);
    }

    fn are(&mut self, problem: &Loop, cases: &[Case], choices: &[Choice]) {
        let old = self.terms.select(self.a, self.x).expect("an array");
        for case in cases {
            let element = self.terms.select(case.values[1], self.x).expect("an array");
            let mut given: Vec<Term> =
                problem.facts.iter().copied().chain([case.condition]).collect();
            for (number, (when, value)) in choices.iter().enumerate() {
                let other = self.terms.ne(element, *value);
                let asked: Vec<Term> = given.iter().copied().chain([*when, other]).collect();
                self.never(&format!("choice {number}"), &asked);
                given.push(self.terms.not(*when));
            }
            given.push(self.terms.ne(element, old));
            self.never("the old element", &given);
        }
    }
}

impl Example {
    /// What a run leaves satisfies some case of the necessary condition: with three iterations, for a few indices.
    fn is_possible(&mut self, problem: &Loop, choices: &[Choice]) {
        let old = self.terms.select(self.a, self.x).expect("an array");
        let mut element = old;
        for (when, value) in choices.iter().rev() {
            element = self.terms.ite(*when, *value, element);
        }
        let (begin, end) = (self.terms.int(1), self.terms.int(4));
        let entry = [self.terms.eq(self.i, begin), self.terms.eq(self.n, end)];
        let cases = self.necessary(problem);
        for index in 0..5 {
            let index = self.terms.int(index);
            let index = self.terms.eq(self.x, index);
            let mut is_possible = false;
            for case in &cases {
                let left = self.terms.select(case.values[1], self.x).expect("an array");
                let same = self.terms.eq(left, element);
                let mut asked: Vec<Term> = problem.facts.clone();
                asked.extend(entry);
                asked.extend([index, case.condition, same]);
                let answer = self.chain.check(&mut self.terms, &asked, &Limits::default());
                is_possible |= !matches!(answer.expect("no bug"), Answer::Unsat(_));
            }
            assert!(is_possible, "a run contradicts the condition");
        }
    }
}

#[test]
fn example_1_filled_with_indices() {
    let mut e = Example::new();
    let written = e.terms.store(e.a, e.i, e.i).expect("an array");
    let always = e.terms.bool(true);
    let problem = e.counting(&[(always, written)], Vec::new());
    let (i, x) = (e.i, e.x);
    let within = e.some(&|terms, time| {
        let index = terms.add(time, i);
        terms.eq(x, index)
    });
    e.is(&problem, &[(within, x)]);
}

#[test]
fn example_2_two_writes_of_which_the_second_stays_at_the_end() {
    let mut e = Example::new();
    let one = e.terms.int(1);
    let before = e.terms.sub(e.i, one);
    let first = e.terms.store(e.a, before, e.i).expect("an array");
    let second = e.terms.store(first, e.i, e.i).expect("an array");
    let always = e.terms.bool(true);
    let problem = e.counting(&[(always, second)], Vec::new());
    let (i, x) = (e.i, e.x);
    // The report forgets that there must be an iteration.
    let (zero, count) = (e.terms.int(0), e.count());
    let last = e.terms.sub(count, one);
    let last = e.terms.add(last, i);
    let at_last = [e.terms.lt(zero, count), e.terms.eq(x, last)];
    let at_last = e.terms.and(at_last);
    let within = e.some(&|terms, time| {
        let index = terms.add(time, before);
        terms.eq(x, index)
    });
    let more = e.terms.add(x, one);
    e.is(&problem, &[(at_last, x), (within, more)]);
}

#[test]
fn example_3_two_paths_in_turns() {
    let mut e = Example::new();
    let (two, five) = (e.terms.int(2), e.terms.int(5));
    let even = e.terms.divides(&loupe_integer::Integer::from(2), e.i);
    let odd = e.terms.not(even);
    let double = |terms: &mut Terms, of: Term| {
        let one = terms.int(1);
        let double = terms.mul(two, of);
        terms.add(double, one)
    };
    let value = double(&mut e.terms, e.i);
    let first = e.terms.store(e.a, e.i, value).expect("an array");
    let second = e.terms.store(e.a, e.i, five).expect("an array");
    let problem = e.counting(&[(even, first), (odd, second)], Vec::new());
    let (i, x) = (e.i, e.x);
    let [evenly, oddly] = [true, false].map(|is_even| {
        e.some(&|terms, time| {
            let index = terms.add(time, i);
            let even = terms.divides(&loupe_integer::Integer::from(2), index);
            let side = if is_even { even } else { terms.not(even) };
            let same = terms.eq(x, index);
            terms.and([same, side])
        })
    });
    let value = double(&mut e.terms, x);
    e.is(&problem, &[(evenly, value), (oddly, five)]);
}

/// Rows that an element chooses. The array has one dimension and rows of 8, of which 5 are written (n of the report); its columns go from 0 to n - 1, not to n.
#[test]
fn example_4_rows_that_elements_choose() {
    let mut e = Example::new();
    let b = e.terms.fresh("B", Sort::Array(1), Origin::default());
    let (five, six, eight) = (e.terms.int(5), e.terms.int(6), e.terms.int(8));
    let (one, two) = (e.terms.int(1), e.terms.int(2));
    // Where the row of an iteration begins.
    let row = |terms: &mut Terms, i: Term| {
        let at = terms.mul(i, six);
        let at = terms.add(at, one);
        let id = terms.select(b, at).expect("an array");
        (id, terms.mul(id, eight))
    };
    let within = |terms: &mut Terms, start: Term, x: Term| {
        let end = terms.add(start, five);
        let both = [terms.le(start, x), terms.lt(x, end)];
        terms.and(both)
    };
    // What the inner loop leaves: B[id·(n+1) + j + 2] with j = χ - 8·id.
    let (id, start) = row(&mut e.terms, e.i);
    let place = e.terms.fresh("p", Sort::Int, Origin::default());
    let column = e.terms.sub(place, start);
    let from = e.terms.mul(id, six);
    let from = e.terms.add(from, column);
    let from = e.terms.add(from, two);
    let copied = e.terms.select(b, from).expect("an array");
    let old = e.terms.select(e.a, place).expect("an array");
    let here = within(&mut e.terms, start, place);
    let element = e.terms.ite(here, copied, old);
    let written = e.terms.lambda(place, element).expect("an array");
    let always = e.terms.bool(true);
    let problem = e.counting(&[(always, written)], Vec::new());
    let (i, x) = (e.i, e.x);
    let chosen = e.some(&|terms, time| {
        let now = terms.add(i, time);
        let (_, start) = row(terms, now);
        within(terms, start, x)
    });
    // The value is a function of the index: row χ / 8, column χ mod 8.
    let quotient = e.terms.quotient(loupe_term::Rounding::Euclidean, x, eight);
    let rest = e.terms.remainder(loupe_term::Rounding::Euclidean, x, eight);
    let from = e.terms.mul(quotient, six);
    let from = e.terms.add(from, rest);
    let from = e.terms.add(from, two);
    let value = e.terms.select(b, from).expect("an array");
    e.is(&problem, &[(chosen, value)]);
}

/// The relation of inner to outer counters: how often `for (j = start; j < n; ++j)` is executed, where the start is a term of the outer loop.
fn inner_count(start: &dyn Fn(&mut Terms, Term, Term) -> Term) {
    let mut e = Example::new();
    let zero = e.terms.int(0);
    let written = e.terms.store(e.a, e.i, zero).expect("an array");
    let always = e.terms.bool(true);
    let problem = e.counting(&[(always, written)], Vec::new());
    let (entry, outer) = (
        e.terms.fresh("i0", Sort::Int, Origin::default()),
        e.terms.fresh("k", Sort::Int, Origin::default()),
    );
    let start = start(&mut e.terms, entry, outer);
    let rest = e.terms.sub(e.n, start);
    let some = e.terms.lt(zero, rest);
    let expected = e.terms.ite(some, rest, zero);
    let begins = e.terms.eq(e.i, start);
    for case in e.solved(&problem) {
        let counts = case.trace.iter().map(|segment| segment.count);
        let count = counts.fold(zero, |all, one| e.terms.add(all, one));
        let other = e.terms.ne(count, expected);
        e.never("another count", &[begins, case.condition, other]);
    }
}

#[test]
fn example_5_as_often_for_every_row() {
    inner_count(&|terms, _, _| terms.int(0));
}

#[test]
fn example_6_once_less_for_every_row() {
    inner_count(&|terms, entry, outer| terms.add(entry, outer));
}

/// `for (; i < n; ++i)` around a loop of which only this is known: its counter s, new in every iteration, and what its guard and its exit say. The last s, as the necessary condition has it.
fn last_count(says: &dyn Fn(&mut Example, Term) -> Vec<Term>) -> (Example, Vec<Case>) {
    let mut e = Example::new();
    let (s, last) = (
        e.terms.fresh("s", Sort::Int, Origin::default()),
        e.terms.fresh("last", Sort::Int, Origin::default()),
    );
    let always = e.terms.bool(true);
    let array = e.a;
    let mut problem = e.counting(&[(always, array)], Vec::new());
    let zero = e.terms.int(0);
    let mut guard = vec![problem.paths[0].guard, e.terms.le(zero, s)];
    guard.extend(says(&mut e, s));
    problem.paths[0].guard = e.terms.and(guard);
    problem.paths[0].fresh.push(Fresh { symbol: s, kind: FreshKind::Counter });
    for (path, value) in problem.paths.iter_mut().zip([s, last]) {
        path.updates[1] = value;
    }
    problem.variables[1] = Variable { symbol: last, name: "last".into() };
    let cases = e.necessary(&problem);
    (e, cases)
}

/// That the last of the inner counts is a term of the values in the last iteration, after as many outer ones as there are.
fn is_last_count(
    says: &dyn Fn(&mut Example, Term) -> Vec<Term>,
    expected: &dyn Fn(&mut Example, Term) -> Term,
) {
    let (mut e, cases) = last_count(says);
    let (zero, one) = (e.terms.int(0), e.terms.int(1));
    let some = e.terms.lt(e.i, e.n);
    let last = e.terms.sub(e.n, one);
    let expected = expected(&mut e, last);
    let expected = e.terms.max(zero, expected);
    assert!(!cases.is_empty());
    for case in cases {
        let other = e.terms.ne(case.values[1], expected);
        e.never("another count", &[some, case.condition, other]);
    }
}

/// `s - 1 + start < end` if there is an iteration, and `s + start ≥ end` behind the last.
fn counts_up(e: &mut Example, s: Term, start: Term, end: Term) -> Vec<Term> {
    let (zero, there) = (e.terms.int(0), e.terms.add(s, start));
    let none = e.terms.le(s, zero);
    let goes_on = e.terms.le(there, end);
    vec![e.terms.or([none, goes_on]), e.terms.le(end, there)]
}

#[test]
fn example_5_the_inner_count_does_not_depend_on_the_outer() {
    is_last_count(
        &|e, s| {
            let (zero, n) = (e.terms.int(0), e.n);
            counts_up(e, s, zero, n)
        },
        &|e, _| e.n,
    );
}

#[test]
fn example_6_the_inner_count_falls_with_the_outer() {
    is_last_count(
        &|e, s| {
            let (i, n) = (e.i, e.n);
            let bound = e.terms.int(7);
            let end = e.terms.add(n, bound);
            counts_up(e, s, i, end)
        },
        &|e, last| {
            let bound = e.terms.int(7);
            let end = e.terms.add(e.n, bound);
            e.terms.sub(end, last)
        },
    );
}

/// `while (A[j] != 0) j++`: no term is the count for all arrays, though for each array some is, which the query of the report accepts.
#[test]
fn no_count_is_made_up_where_elements_decide() {
    let (mut e, cases) = last_count(&|e, s| {
        let zero = e.terms.int(0);
        let time = e.terms.fresh("t", Sort::Int, Origin::default());
        let element = e.terms.select(e.a, time).expect("an array");
        let goes_on = e.terms.ne(element, zero);
        let all = e.terms.quantify(Quantifier::Forall, time, [zero, s], goes_on);
        let behind = e.terms.select(e.a, s).expect("an array");
        vec![all.expect("a number"), e.terms.eq(behind, zero)]
    });
    let some = e.terms.lt(e.i, e.n);
    for count in [0, 1, 4] {
        let count = e.terms.int(count);
        let mut is_possible = false;
        for case in &cases {
            let same = e.terms.eq(case.values[1], count);
            let asked = [some, case.condition, same];
            let answer = e.chain.check(&mut e.terms, &asked, &Limits::default()).expect("no bug");
            is_possible |= !matches!(answer, Answer::Unsat(_));
        }
        assert!(is_possible);
    }
}
