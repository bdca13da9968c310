//! What terms look like, and that their texts mean what they mean.

use super::reader::{Environment, Read, read};
use crate::testing::{Builder, Elements, array_truths, rich_plans, rich_truths, values};
use crate::*;
use expect_test::{Expect, expect};
use loupe_integer::{Integer, Signedness};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::rc::Rc;

struct World {
    terms: Terms,
    x: Term,
    y: Term,
    n: Term,
    i: Term,
    k: Term,
    a: Term,
    p: Term,
}

impl World {
    fn new() -> Self {
        let mut terms = Terms::new();
        let [x, y, n, i, k] = ["x", "y", "n", "i", "k"].map(|name| terms.int_symbol(name));
        let a = terms.fresh("a", Sort::Array(1), Origin::default());
        let p = terms.fresh("p", Sort::Bool, Origin::default());
        World { terms, x, y, n, i, k, a, p }
    }

    fn int(&mut self, value: i64) -> Term {
        self.terms.int(value)
    }

    /// `Σ coefficient · monomial + constant`.
    fn sum(&mut self, constant: i64, summands: &[(i64, Term)]) -> Term {
        let mut sum = self.terms.int(constant);
        for (coefficient, monomial) in summands {
            sum = self.terms.add_scaled(sum, *monomial, &Integer::from(*coefficient));
        }
        sum
    }
}

fn check(build: impl Fn(&mut World) -> Vec<Term>, expected: Expect) {
    let mut world = World::new();
    let parts = build(&mut world);
    let lines: Vec<String> = parts.iter().map(|term| world.terms.text(*term)).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn sums() {
    check(
        |w| {
            let (x, y) = (w.x, w.y);
            let (xx, xy) = (w.terms.mul(x, x), w.terms.mul(x, y));
            vec![
                w.sum(0, &[(-1, x), (1, y)]),
                w.sum(-3, &[(1, x)]),
                w.sum(3, &[(-1, x)]),
                w.sum(-3, &[(-2, x)]),
                w.sum(0, &[(-1, x)]),
                w.sum(1, &[(2, x), (1, xx), (-3, xy)]),
                w.sum(0, &[(-1, xx)]),
            ]
        },
        expect![[r#"
            y - x
            x - 3
            3 - x
            -2*x - 3
            -x
            x^2 + 2*x - 3*x*y + 1
            -x^2"#]],
    );
}

#[test]
fn comparisons() {
    check(
        |w| {
            let (x, y, i, n) = (w.x, w.y, w.i, w.n);
            let sums = [
                w.sum(-3, &[(1, x), (-1, y)]),
                w.sum(3, &[(1, x), (-1, y)]),
                w.sum(1, &[(1, i), (-1, n)]),
                w.sum(0, &[(-1, i)]),
                w.sum(3, &[(-1, i)]),
                w.sum(1, &[(-1, i)]),
                w.sum(-3, &[(-1, i)]),
                w.sum(1, &[(1, i)]),
                w.sum(-7, &[(1, i)]),
                w.sum(0, &[(2, x), (3, y), (-4, n)]),
            ];
            let mut all: Vec<Term> = sums.iter().map(|sum| w.terms.non_positive(*sum)).collect();
            for sum in [sums[0], sums[1], sums[4]] {
                let zero = w.terms.zero(sum);
                all.extend([zero, w.terms.not(zero)]);
            }
            let next = w.sum(1, &[(1, x)]);
            let divides = w.terms.divides(&Integer::from(3), next);
            all.extend([divides, w.terms.not(divides)]);
            all
        },
        expect![[r#"
            x <= y + 3
            x + 3 <= y
            i < n
            i >= 0
            i >= 3
            i > 0
            i >= -3
            i < 0
            i <= 7
            2*x + 3*y <= 4*n
            x == y + 3
            x != y + 3
            x + 3 == y
            x + 3 != y
            i == 3
            i != 3
            3 | x + 1
            !(3 | x + 1)"#]],
    );
}

#[test]
fn products_and_divisions() {
    use Rounding::{Euclidean, Truncated};
    check(
        |w| {
            let (x, y, n) = (w.x, w.y, w.n);
            let (sum, minus_x, two_x) =
                (w.sum(0, &[(1, x), (1, y)]), w.sum(0, &[(-1, x)]), w.sum(0, &[(2, x)]));
            let (three, minus_three) = (w.int(3), w.int(-3));
            let xy = w.terms.quotient(Truncated, x, y);
            let xy_n = w.terms.quotient(Truncated, xy, n);
            let yn = w.terms.quotient(Truncated, y, n);
            let remainder = w.terms.remainder(Euclidean, minus_x, three);
            let squared = w.terms.mul(xy, xy);
            let times = w.terms.mul(xy, n);
            vec![
                w.terms.quotient(Truncated, sum, y),
                w.terms.quotient(Truncated, y, sum),
                w.terms.remainder(Truncated, two_x, minus_three),
                w.terms.quotient(Euclidean, n, two_x),
                w.terms.quotient(Euclidean, n, minus_x),
                xy_n,
                w.terms.quotient(Truncated, x, yn),
                w.sum(1, &[(2, xy), (1, remainder)]),
                w.sum(0, &[(-1, xy)]),
                w.sum(0, &[(-1, xy), (1, yn)]),
                squared,
                times,
            ]
        },
        expect![[r#"
            (x + y) / y
            y / (x + y)
            2*x % 3
            n div (2*x)
            n div (-x)
            x / y / n
            x / (y / n)
            2*(x / y) + (-x) mod 3 + 1
            -(x / y)
            y / n - x / y
            (x / y)^2
            n*(x / y)"#]],
    );
}

#[test]
fn powers() {
    check(
        |w| {
            let (next, minus_x) = (w.sum(1, &[(1, w.k)]), w.sum(0, &[(-1, w.x)]));
            let power = w.terms.power(2, w.k);
            let (square, tower) = (w.terms.mul(power, power), w.terms.power(3, power));
            let product = w.terms.mul(power, w.x);
            let more = [w.terms.power(2, next), w.terms.power(-3, w.k), w.terms.power(2, minus_x)];
            vec![power, square, tower, product, more[0], more[1], more[2]]
        },
        expect![[r#"
            2^k
            (2^k)^2
            3^(2^k)
            x*2^k
            2^(k + 1)
            (-3)^k
            2^(-x)"#]],
    );
}

#[test]
fn choices() {
    check(
        |w| {
            let (x, y, n, i) = (w.x, w.y, w.n, w.i);
            let (zero, left, minus_x) = (w.int(0), w.sum(0, &[(1, n), (-1, i)]), w.terms.neg(x));
            let (less, positive) = (w.terms.lt(x, y), w.terms.lt(zero, x));
            let (more, fewer) = (w.sum(0, &[(4, x)]), w.sum(2, &[(2, x)]));
            let min = w.terms.ite(less, x, y);
            let minus_abs = w.terms.ite(positive, minus_x, x);
            vec![
                w.terms.max(zero, left),
                w.terms.max(left, zero),
                min,
                w.terms.ite(less, y, x),
                w.terms.ite(positive, x, minus_x),
                minus_abs,
                w.sum(0, &[(1, x), (2, minus_abs)]),
                w.terms.max(more, fewer),
                w.terms.ite(less, n, i),
                w.terms.ite(w.p, x, y),
            ]
        },
        expect![[r#"
            max(0, n - i)
            max(0, n - i)
            min(x, y)
            max(y, x)
            abs(x)
            -abs(x)
            x + 2*(-abs(x))
            max(2*x + 2, 4*x)
            ite(x < y, n, i)
            ite(p, x, y)"#]],
    );
}

#[test]
fn formulas() {
    check(
        |w| {
            let (one, zero) = (w.int(1), w.int(0));
            let (less, same) = (w.terms.lt(w.x, w.y), w.terms.eq(w.i, w.n));
            let (not_p, bounded) = (w.terms.not(w.p), w.terms.le(zero, w.i));
            let or = w.terms.or([less, not_p]);
            let and = w.terms.and([less, bounded, w.p]);
            let both = w.terms.and([or, same]);
            let implication = w.terms.implies(and, same);
            let at = w.terms.add(w.i, one);
            let element = w.terms.select(w.a, at).expect("sorts fit");
            let small = w.terms.le(element, w.x);
            let forall = w.terms.quantify(Quantifier::Forall, w.i, [zero, w.n], small);
            let forall = forall.expect("sorts fit");
            let (beside, exists) = (w.terms.and([forall, less]), w.terms.not(forall));
            vec![or, and, both, implication, forall, beside, exists]
        },
        expect![[r#"
            x < y || !p
            p && x < y && i >= 0
            n == i && (x < y || !p)
            n == i || !p || i < 0 || y <= x
            forall t in [0, n). a[t + 1] <= x
            x < y && (forall t in [0, n). a[t + 1] <= x)
            exists t in [0, n). x < a[t + 1]"#]],
    );
}

#[test]
fn arrays() {
    check(
        |w| {
            let (x, y, i) = (w.x, w.y, w.i);
            let matrix = w.terms.fresh("m", Sort::Array(2), Origin::default());
            let next = w.sum(1, &[(1, i)]);
            let row = w.terms.select(matrix, i).expect("sorts fit");
            let stored = w.terms.store(w.a, next, x).expect("sorts fit");
            let twice = w.terms.store(stored, y, i).expect("sorts fit");
            let square = w.terms.mul(i, i);
            let lambda = w.terms.lambda(i, square).expect("sorts fit");
            let (zero, seven) = (w.int(0), w.int(7));
            let changed = w.terms.store(lambda, seven, zero).expect("sorts fit");
            let same = w.terms.eq(w.a, lambda);
            let f = w.terms.function("f", 2);
            vec![
                w.terms.select(row, next).expect("sorts fit"),
                twice,
                w.terms.select(twice, x).expect("sorts fit"),
                lambda,
                changed,
                w.terms.select(changed, i).expect("sorts fit"),
                w.terms.constant_array(1, zero).expect("sorts fit"),
                w.terms.constant_array(2, x).expect("sorts fit"),
                same,
                w.terms.not(same),
                w.terms.apply(f, &[next, y]).expect("sorts fit"),
                w.terms.star(Sort::Int),
            ]
        },
        expect![[r#"
            m[i][i + 1]
            a[i + 1 := x][y := i]
            a[i + 1 := x][y := i][x]
            fun χ. χ^2
            (fun χ. χ^2)[7 := 0]
            (fun χ. χ^2)[7 := 0][i]
            const(0)
            const_2(x)
            a == (fun χ. χ^2)
            a != (fun χ. χ^2)
            f(i + 1, y)
            ★"#]],
    );
}

#[test]
fn machine_integers() {
    check(
        |w| {
            let word = Width { bits: 32, signedness: Signedness::Unsigned };
            let byte = Width { bits: 8, signedness: Signedness::Signed };
            let (sum, next) = (w.sum(0, &[(1, w.x), (1, w.y)]), w.sum(1, &[(1, w.y)]));
            let wrapped = w.terms.wrap(word, sum);
            let both = w.terms.bits(BitOp::And, word, w.x, next);
            let shifted = w.terms.bits(BitOp::Shr, byte, both, w.k);
            vec![wrapped, w.terms.wrap(byte, wrapped), shifted, w.sum(1, &[(2, shifted)])]
        },
        expect![[r#"
            u32(x + y)
            i8(x + y)
            shr_i8(and_u32(x, y + 1), k)
            2*shr_i8(and_u32(x, y + 1), k) + 1"#]],
    );
}

#[test]
fn names_are_different() {
    let mut terms = Terms::new();
    let [first, second, t] = ["n", "n", "t"].map(|name| terms.int_symbol(name));
    let (alone, both) = (terms.le(second, t), terms.lt(first, second));
    let zero = terms.int(0);
    let body = terms.le(first, second);
    let forall = terms.quantify(Quantifier::Forall, second, [zero, t], body).expect("sorts fit");
    let lines = [alone, both, forall].map(|term| terms.text(term));
    expect![[r#"
        n <= t
        n < n#1
        forall u in [0, t). n <= u"#]]
    .assert_eq(&lines.join("\n"));
    // Names that are given come first, and are made different too.
    let id = |term| match terms.node(term) {
        Node::Symbol(id) => *id,
        _ => unreachable!(),
    };
    let given = BTreeMap::from([(id(second), "len".to_owned()), (id(t), "n".to_owned())]);
    let names = Names::with(&terms, [alone, both, forall], &given);
    let lines = [alone, both, forall].map(|term| terms.display(term, &names).to_string());
    expect![[r#"
        len <= n
        n#1 < len
        forall t in [0, n). n#1 <= t"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn nested_binders_have_different_names() {
    let mut terms = Terms::new();
    let [i, j, k, n, u] = ["i", "j", "k", "n", "u"].map(|name| terms.int_symbol(name));
    let zero = terms.int(0);
    let (sum, product) = (terms.add(i, j), terms.mul(j, k));
    let row = terms.lambda(j, product).expect("sorts fit");
    let matrix = terms.lambda(k, row).expect("sorts fit");
    let other = terms.fresh("m", Sort::Array(2), Origin::default());
    let (same, low) = (terms.eq(matrix, other), terms.le(sum, u));
    let body = terms.or([same, low]);
    let inner = terms.quantify(Quantifier::Exists, j, [zero, i], body).expect("sorts fit");
    let outer = terms.quantify(Quantifier::Forall, i, [zero, n], inner).expect("sorts fit");
    expect!["forall t in [0, n). exists v in [0, t). (fun χ. fun χ1. χ1*χ) == m || v + t <= u"]
        .assert_eq(&terms.text(outer));
}

#[test]
fn long_texts_are_cut() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let width = Width { bits: 8, signedness: Signedness::Unsigned };
    // As a tree, this has 2^1000000 leaves.
    let mut term = x;
    for _ in 0..1_000_000 {
        let next = terms.add(term, x);
        term = terms.bits(BitOp::Xor, width, next, term);
    }
    let names = Names::of(&terms, [term]);
    let text = terms.display(term, &names).limited(50).to_string();
    expect!["xor_u8(xor_u8(xor_u8(xor_u8(xor_u8(xor_u8(xor_u8(x…"].assert_eq(&text);
    assert_eq!(terms.text(term).chars().count(), super::DEFAULT_LIMIT + 1);
    // Also if it is deep on the left, where nothing is printed on the way down.
    let mut array = terms.fresh("a", Sort::Array(1), Origin::default());
    for i in 0..100_000 {
        let index = terms.int(i);
        array = terms.store(array, index, x).expect("sorts fit");
    }
    let names = Names::of(&terms, [array]);
    let text = terms.display(array, &names).limited(20).to_string();
    expect!["a[0 := x][1 := x][2 …"].assert_eq(&text);
    let exactly = terms.display(x, &names).limited(1).to_string();
    assert_eq!(exactly, "x");
    assert_eq!(terms.display(x, &names).limited(0).to_string(), "…");
}

/// The names of a builder with the values of an assignment.
fn environment(builder: &Builder, assignment: &Assignment) -> Environment {
    fn from_value(value: &Value) -> Read {
        match value {
            Value::Bool(value) => Read::Bool(*value),
            Value::Int(value) => Read::Int(value.clone()),
            Value::Array(array) => {
                let array = array.clone();
                Read::Array(Rc::new(move |index| {
                    from_value(array.elements.get(index).unwrap_or(&array.default))
                }))
            }
        }
    }
    let symbols = assignment.symbols.iter();
    let mut environment: Environment = symbols
        .map(|(id, value)| (builder.terms.symbol(*id).name.clone(), from_value(value)))
        .collect();
    let (functions, function) = (assignment.functions.clone(), builder.function);
    let apply = move |arguments: &[Integer]| {
        functions.get(&(function, arguments.to_vec())).cloned().unwrap_or(Integer::ZERO)
    };
    environment.insert("f".into(), Read::Function(Rc::new(apply)));
    environment
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// What is printed, read by the usual rules of precedence, has the value of the term.
    #[test]
    fn texts_mean_the_terms(plan in rich_plans(), truth in rich_truths(), values in values()) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let (int, formula) = (builder.int(&plan), builder.truth(&truth));
        let mut builder = builder.with_elements(Elements::PushedDown);
        let (same_int, same_formula) = (builder.int(&plan), builder.truth(&truth));
        let assignment = builder.assignment(&values);
        let environment = environment(&builder, &assignment);
        let names = Names::of(&builder.terms, [int, formula]);
        let show = |term| builder.terms.display(term, &names).limited(100_000).to_string();
        if let Ok(Value::Int(expected)) = builder.terms.evaluate(same_int, &assignment) {
            let text = show(int);
            match read(&text, &environment) {
                Read::Int(found) => prop_assert_eq!(found, expected, "{}", text),
                _ => prop_assert!(false, "no integer: {}", text),
            }
        }
        if let Ok(expected) = builder.terms.holds(same_formula, &assignment) {
            let text = show(formula);
            prop_assert_eq!(read(&text, &environment).bool(), expected, "{}", text);
        }
    }

    /// Everything has a text, the same one each time, and a cut one is a beginning of it.
    #[test]
    fn texts_are_deterministic(truth in array_truths(), limit in 0usize..200) {
        let text = |limit| {
            let mut builder = Builder::new(Terms::new(), Elements::Read);
            let formula = builder.truth(&truth);
            let names = Names::of(&builder.terms, [formula]);
            builder.terms.display(formula, &names).limited(limit).to_string()
        };
        let (whole, cut) = (text(1_000_000), text(limit));
        prop_assert_eq!(&whole, &text(1_000_000));
        match cut.strip_suffix('…') {
            Some(start) => prop_assert!(whole.starts_with(start) && start.chars().count() == limit),
            None => prop_assert_eq!(cut, whole),
        }
    }
}
