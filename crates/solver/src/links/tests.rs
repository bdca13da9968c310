//! What each link does with queries, seen by the solver behind it.

use super::*;
use crate::answer::{Evidence, Reason};
use crate::limits::Limits;
use crate::z3::Z3;
use loupe_term::testing::{Builder, Elements, truths, values};
use loupe_term::{Assignment, Quantifier, Term, Value};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// Z3 behind a list of the queries that reached it.
struct Recorder {
    z3: Z3,
    seen: Rc<RefCell<Vec<Vec<Term>>>>,
}

impl Solver for Recorder {
    fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        self.seen.borrow_mut().push(query.assertions.to_vec());
        self.z3.check(terms, query)
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        self.z3.statistics()
    }
}

/// A layer before Z3, and what reaches Z3.
struct Bench<L> {
    link: Link<L>,
    seen: Rc<RefCell<Vec<Vec<Term>>>>,
    limits: Limits,
}

impl<L: Layer> Bench<L> {
    fn new(layer: L) -> Self {
        let seen = Rc::default();
        let recorder = Recorder { z3: Z3::new(), seen: Rc::clone(&seen) };
        Bench { link: Link::new(layer, Box::new(recorder)), seen, limits: Limits::default() }
    }

    /// The answer, and the queries that reached Z3.
    fn ask(&mut self, terms: &mut Terms, assertions: &[Term]) -> (Answer, Vec<Vec<Term>>) {
        self.seen.borrow_mut().clear();
        let query = Query { assertions, limits: &self.limits };
        let answer = self.link.check(terms, &query).expect("a sensible query");
        (answer, self.seen.borrow().clone())
    }
}

fn is_model(terms: &Terms, assertions: &[Term], answer: &Answer) -> bool {
    let Answer::Sat(model) = answer else { return false };
    let holds = |assertion: &Term| terms.holds(*assertion, &model.values) == Ok(true);
    model.evidence == Evidence::Evaluated && assertions.iter().all(holds)
}

/// `x < y`, `y < 10`, `5 < x` and `z = 7`.
fn example(terms: &mut Terms) -> [Term; 4] {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.int_symbol(name));
    let (five, seven, ten) = (terms.int(5), terms.int(7), terms.int(10));
    [terms.lt(x, y), terms.lt(y, ten), terms.lt(five, x), terms.eq(z, seven)]
}

#[test]
fn split_asks_parts_one_by_one() {
    let mut terms = Terms::new();
    let [a, b, c, d] = example(&mut terms);
    let mut bench = Bench::new(Split::default());
    let (answer, seen) = bench.ask(&mut terms, &[a, d, b, c]);
    assert!(is_model(&terms, &[a, b, c, d], &answer), "{answer:?}");
    assert_eq!(seen, [vec![d], vec![a, b, c]]);
    let never = terms.not(b);
    let ten_or_more = terms.and([never]);
    let (answer, _) = bench.ask(&mut terms, &[d, a, b, ten_or_more]);
    assert!(matches!(&answer, Answer::Unsat(core) if *core == [2, 3]), "{answer:?}");
}

#[test]
fn functions_hold_parts_together() {
    let mut terms = Terms::new();
    let f = terms.function("f", 1);
    let (one, two, x) = (terms.int(1), terms.int(2), terms.int_symbol("x"));
    let (f_one, f_x) = (terms.apply(f, &[one]), terms.apply(f, &[x]));
    let (f_one, f_x) = (f_one.expect("one argument"), f_x.expect("one argument"));
    let assertions = [terms.eq(f_one, two), terms.eq(x, one), terms.eq(f_x, one)];
    let (answer, _) = Bench::new(Split::default()).ask(&mut terms, &assertions);
    assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
}

#[test]
fn the_cache_knows_sets_subsets_supersets_and_models() {
    let mut terms = Terms::new();
    let [a, b, c, d] = example(&mut terms);
    let not_a = terms.not(a);
    let mut bench = Bench::new(Cache::default());
    let mut ask = |terms: &mut Terms, assertions: &[Term]| {
        let (answer, seen) = bench.ask(terms, assertions);
        match &answer {
            Answer::Sat(_) => assert!(is_model(terms, assertions, &answer)),
            Answer::Unsat(core) => assert!(core.iter().all(|at| *at < assertions.len())),
            Answer::Unknown(reason) => panic!("{reason}"),
        }
        seen.len()
    };
    assert_eq!(ask(&mut terms, &[a, b, c]), 1);
    assert_eq!(ask(&mut terms, &[c, a, b]), 0, "the same set in another order");
    assert_eq!(ask(&mut terms, &[a, c]), 0, "a part of a satisfiable set");
    assert_eq!(ask(&mut terms, &[a, b, not_a]), 1);
    assert_eq!(ask(&mut terms, &[d, not_a, c, a]), 0, "the core is in it");
    let x_or_y = terms.or([c, not_a]);
    assert_eq!(ask(&mut terms, &[x_or_y]), 0, "a recent model satisfies it");
}

#[test]
fn the_cache_remembers_failures_for_as_much_work() {
    let mut terms = Terms::new();
    let cubes = ["x", "y", "z"].map(|name| {
        let symbol = terms.int_symbol(name);
        (symbol, terms.pow(symbol, 3))
    });
    let one = terms.int(1);
    let mut hard: Vec<Term> = cubes.iter().map(|(x, _)| terms.le(one, *x)).collect();
    let sum = terms.add(cubes[0].1, cubes[1].1);
    hard.push(terms.eq(sum, cubes[2].1));
    let mut bench = Bench::new(Cache::default());
    for (work, asked) in [(20_000, 1), (20_000, 0), (10_000, 0), (30_000, 1)] {
        bench.limits.work = work;
        let (answer, seen) = bench.ask(&mut terms, &hard);
        assert!(matches!(answer, Answer::Unknown(Reason::Work)), "{answer:?}");
        assert_eq!(seen.len(), asked, "with {work}");
    }
}

#[test]
fn equalities_are_gone_before_z3_is_asked() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.int_symbol(name));
    let (product, sum) = (terms.mul(x, x), terms.add(y, z));
    let fifty = terms.int(50);
    let assertions = [terms.eq(y, product), terms.eq(sum, fifty), terms.lt(fifty, y)];
    let (answer, seen) = Bench::new(Simplify::default()).ask(&mut terms, &assertions);
    assert!(is_model(&terms, &assertions, &answer), "{answer:?}");
    let [query] = &seen[..] else { panic!("one query, not {seen:?}") };
    assert_eq!(terms.free_symbols(query[0]).len(), 1, "only x is left");
}

#[test]
fn ranges_and_constraints_answer_by_themselves() {
    let mut terms = Terms::new();
    let [a, b, c, _] = example(&mut terms);
    let not_c = terms.not(c);
    let (answer, seen) = Bench::new(Ranges).ask(&mut terms, &[a, c, b, not_c]);
    assert!(matches!(&answer, Answer::Unsat(core) if *core == [1, 3]) && seen.is_empty());
    let (answer, seen) = Bench::new(Linear).ask(&mut terms, &[a, b, c]);
    assert!(is_model(&terms, &[a, b, c], &answer) && seen.is_empty());
}

#[test]
fn a_second_solver_that_contradicts_is_an_error() {
    /// Says that nothing is possible.
    struct Pessimist;
    impl Solver for Pessimist {
        fn check(&mut self, _: &mut Terms, _: &Query<'_>) -> Result<Answer, Error> {
            Ok(Answer::Unsat(Vec::new()))
        }

        fn statistics(&self) -> Vec<LinkStatistics> {
            vec![LinkStatistics::new("pessimist")]
        }
    }
    let mut terms = Terms::new();
    let assertions = example(&mut terms);
    let limits = Limits::default();
    let query = Query { assertions: &assertions, limits: &limits };
    for (when, fails) in [(SecondOpinion::Always, true), (SecondOpinion::IfUnknown, false)] {
        let layer = CrossCheck::new(Box::new(Pessimist), when);
        let answer = Link::new(layer, Box::new(Z3::new())).check(&mut terms, &query);
        assert_eq!(matches!(answer, Err(Error::Disagreement(_))), fails, "{answer:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// The first instances of a ∀ with bounds of all kinds never contradict values for which it holds, however few or many they are; and what they call a model is one.
    #[test]
    fn instances_lean_the_right_way(
        body in truths(),
        length in -1i64..6,
        beside in truths(),
        values in values(),
        count in 1u32..8,
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let (body, beside) = (builder.truth(&body), builder.truth(&beside));
        let variable = builder.symbols[0];
        let low = builder.symbols[1];
        let terms = &mut builder.terms;
        let length = terms.int(length);
        let bounds = [low, terms.add(low, length)];
        let all = terms.quantify(Quantifier::Forall, variable, bounds, body).expect("sorts fit");
        let formula = terms.or([all, beside]);
        let assignment: Assignment = builder.assignment(&values);
        let mut asked = vec![formula];
        for symbol in builder.symbols.clone() {
            if let Ok(Value::Int(number)) = builder.terms.evaluate(symbol, &assignment) {
                let number = builder.terms.int(number);
                asked.push(builder.terms.eq(symbol, number));
            }
        }
        let holds = builder.terms.truths(&asked, &assignment).into_iter().all(|truth| truth == Ok(true));
        let limits = Limits { work: 100_000, ..Limits::default() };
        let query = Query { assertions: &asked, limits: &limits };
        let mut z3 = Z3::new();
        let mut ask = |terms: &mut Terms, query: &Query<'_>| z3.check(terms, query);
        match decide_gradually(&mut ask, &mut builder.terms, &query, count) {
            Ok(Gradual::Answer(Answer::Unsat(_))) => prop_assert!(!holds),
            Ok(Gradual::Answer(Answer::Sat(model))) => {
                let truths = builder.terms.truths(&asked, &model.values);
                prop_assert!(truths.into_iter().all(|truth| truth == Ok(true)));
            }
            Ok(_) => {}
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}
