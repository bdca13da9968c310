//! What scripts look like, that they can be read back, and what cannot be read.

use super::*;
use crate::testing::{Builder, Elements, array_truths};
use crate::*;
use expect_test::{Expect, expect};
use loupe_integer::{Integer, Signedness};
use proptest::prelude::*;

mod reading;

fn printed(terms: &Terms, assertions: &[Term], dialect: Dialect) -> Result<Printed, NoForm> {
    let mut statements: Vec<_> = assertions.iter().copied().map(Statement::Assert).collect();
    statements.push(Statement::CheckSat);
    print(terms, &statements, &Options { dialect, ..Options::default() })
}

fn vocabulary(printed: &Printed) -> Vocabulary {
    Vocabulary { symbols: printed.symbols.clone(), functions: printed.functions.clone() }
}

fn check(terms: &Terms, assertions: &[Term], dialect: Dialect, expected: Expect) {
    expected.assert_eq(&printed(terms, assertions, dialect).expect("there is a form").text);
}

const BYTE: Width = Width { bits: 3, signedness: Signedness::Signed };

#[test]
fn arithmetic() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let square = terms.mul(x, x);
    let sum = terms.sum([square, y]);
    let (three, quotient) = (terms.int(3), terms.quotient(Rounding::Euclidean, x, y));
    let native = terms.remainder(Rounding::Euclidean, x, three);
    let truncated = terms.quotient(Rounding::Truncated, sum, three);
    let more = [quotient, native, truncated].map(|term| terms.lt(term, y));
    let at_most = terms.le(sum, three);
    let fifth = terms.pow(x, 5);
    let raised = terms.eq(fifth, y);
    let power = terms.power(-2, x);
    let power = terms.le(power, y);
    let divides = terms.divides(&Integer::from(4), x);
    let flag = terms.fresh("p", Sort::Bool, Origin::default());
    let not = terms.not(flag);
    let all = [more[0], more[1], more[2], at_most, raised, power, divides, not];
    check(
        &terms,
        &all,
        Dialect::Portable,
        expect![[r#"
        (set-logic ALL)
        (define-fun loupe.ediv ((x Int) (y Int)) Int (ite (= y 0) 0 (div x y)))
        (define-fun loupe.tdiv ((x Int) (y Int)) Int (ite (= y 0) 0 (ite (>= x 0) (div x y) (- (div (- x) y)))))
        (define-fun-rec loupe.pow_-2 ((x Int)) Int (ite (<= x 0) 1 (* (- 2) (loupe.pow_-2 (- x 1)))))
        (define-fun loupe.raise_5 ((x Int)) Int (let ((x2 (* x x))) (let ((x4 (* x2 x2))) (* x x4))))
        (define-fun loupe.divides_4 ((x Int)) Bool (= (mod x 4) 0))
        (declare-const x Int)
        (declare-const y Int)
        (declare-const p Bool)
        (assert (< (loupe.ediv x y) y))
        (assert (< (mod x 3) y))
        (assert (< (loupe.tdiv (+ y (* x x)) 3) y))
        (assert (<= (+ (* x x) y) 3))
        (assert (= y (loupe.raise_5 x)))
        (assert (<= (loupe.pow_-2 x) y))
        (assert (loupe.divides_4 x))
        (assert (not p))
        (check-sat)
    "#]],
    );
    check(
        &terms,
        &[at_most],
        Dialect::Portable,
        expect![[r#"
        (set-logic QF_NIA)
        (declare-const x Int)
        (declare-const y Int)
        (assert (<= (+ (* x x) y) 3))
        (check-sat)
    "#]],
    );
}

#[test]
fn bits() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_symbol("x"), terms.int_symbol("y"));
    let and = terms.bits(BitOp::And, BYTE, x, y);
    let unsigned = Width { signedness: Signedness::Unsigned, ..BYTE };
    let shifts = [BitOp::Shl, BitOp::Shr].map(|op| terms.bits(op, unsigned, x, y));
    let sum = terms.sum([and, shifts[0], shifts[1]]);
    let zero = terms.zero(sum);
    check(
        &terms,
        &[zero],
        Dialect::Portable,
        expect![[r#"
        (set-logic QF_NIA)
        (define-fun loupe.and_i3 ((x Int) (y Int)) Int (+ 0 0 (ite (and (= (mod (div x 1) 2) 1) (= (mod (div y 1) 2) 1)) 1 0) (ite (and (= (mod (div x 2) 2) 1) (= (mod (div y 2) 2) 1)) 2 0) (ite (and (= (mod (div x 4) 2) 1) (= (mod (div y 4) 2) 1)) (- 4) 0)))
        (define-fun loupe.wrap_u3 ((x Int)) Int (mod x 8))
        (define-fun loupe.shl_u3 ((x Int) (y Int)) Int (loupe.wrap_u3 (ite (= y 0) x (ite (= y 1) (* x 2) (ite (= y 2) (* x 4) 0)))))
        (define-fun loupe.shr_u3 ((x Int) (y Int)) Int (let ((w (loupe.wrap_u3 x))) (ite (= y 0) w (ite (= y 1) (div w 2) (ite (= y 2) (div w 4) 0)))))
        (declare-const x Int)
        (declare-const y Int)
        (assert (= (+ (loupe.and_i3 x y) (loupe.shl_u3 x y) (loupe.shr_u3 x y)) 0))
        (check-sat)
    "#]],
    );
    check(
        &terms,
        &[zero],
        Dialect::Conversions,
        expect![[r#"
        (set-logic ALL)
        (define-fun loupe.wrap_i3 ((x Int)) Int (- (mod (+ x 4) 8) 4))
        (define-fun loupe.and_i3 ((x Int) (y Int)) Int (loupe.wrap_i3 (bv2nat (bvand ((_ int2bv 3) x) ((_ int2bv 3) y)))))
        (define-fun loupe.shl_u3 ((x Int) (y Int)) Int (ite (and (<= 0 y) (< y 3)) (bv2nat (bvshl ((_ int2bv 3) x) ((_ int2bv 3) y))) 0))
        (define-fun loupe.shr_u3 ((x Int) (y Int)) Int (ite (and (<= 0 y) (< y 3)) (bv2nat (bvlshr ((_ int2bv 3) x) ((_ int2bv 3) y))) 0))
        (declare-const x Int)
        (declare-const y Int)
        (assert (= (+ (loupe.and_i3 x y) (loupe.shl_u3 x y) (loupe.shr_u3 x y)) 0))
        (check-sat)
    "#]],
    );
}

#[test]
fn arrays_by_formula() {
    let mut terms = Terms::new();
    let [x, i, j] = ["x", "i", "j"].map(|name| terms.int_symbol(name));
    let a = terms.fresh("a", Sort::Array(1), Origin::default());
    let m = terms.fresh("m", Sort::Array(2), Origin::default());
    let zero = terms.int(0);
    let (square, product) = (terms.mul(i, i), terms.mul(i, j));
    let squares = terms.lambda(i, square).expect("sorts fit");
    let multiples = terms.lambda(i, product).expect("sorts fit");
    let stored = terms.store(multiples, x, zero).expect("sorts fit");
    let row = terms.select(m, j).expect("sorts fit");
    let same = terms.eq(row, stored);
    let all_rows = terms.quantify(Quantifier::Forall, j, [zero, x], same).expect("sorts fit");
    let other = terms.ne(a, squares);
    let constant = terms.constant_array(2, zero).expect("sorts fit");
    let of_x = terms.constant_array(1, x).expect("sorts fit");
    let (constant, of_x) = (terms.ne(m, constant), terms.ne(a, of_x));
    let all = [all_rows, other, constant, of_x];
    check(
        &terms,
        &all,
        Dialect::Portable,
        expect![[r#"
        (set-logic ALL)
        (declare-fun loupe.const_1 (Int) (Array Int Int))
        (assert (forall ((x Int) (y Int)) (= (select (loupe.const_1 x) y) x)))
        (declare-fun loupe.const_2 (Int) (Array Int (Array Int Int)))
        (assert (forall ((x Int) (y Int)) (= (select (loupe.const_2 x) y) (loupe.const_1 x))))
        (declare-const x Int)
        (declare-const a (Array Int Int))
        (declare-const m (Array Int (Array Int Int)))
        (declare-fun loupe.lambda!1 (Int) (Array Int Int))
        (assert (forall ((t!2 Int) (t!1 Int)) (= (select (loupe.lambda!1 t!2) t!1) (* t!1 t!2))))
        (declare-fun loupe.lambda!2 () (Array Int Int))
        (assert (forall ((t!1 Int)) (= (select loupe.lambda!2 t!1) (* t!1 t!1))))
        (assert (forall ((t!2 Int)) (=> (and (<= 0 t!2) (< t!2 x)) (= (store (loupe.lambda!1 t!2) x 0) (select m t!2)))))
        (assert (not (= a loupe.lambda!2)))
        (assert (not (= m (loupe.const_2 0))))
        (assert (not (= a (loupe.const_1 x))))
        (check-sat)
    "#]],
    );
    check(
        &terms,
        &[constant, of_x],
        Dialect::Conversions,
        expect![[r#"
        (set-logic ALL)
        (declare-fun loupe.const_1 (Int) (Array Int Int))
        (assert (forall ((x Int) (y Int)) (= (select (loupe.const_1 x) y) x)))
        (declare-const x Int)
        (declare-const a (Array Int Int))
        (declare-const m (Array Int (Array Int Int)))
        (assert (not (= m ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)))))
        (assert (not (= a (loupe.const_1 x))))
        (check-sat)
    "#]],
    );
}

#[test]
fn shared_parts_are_printed_once() {
    let mut terms = Terms::new();
    let [n, i] = ["n", "i"].map(|name| terms.int_symbol(name));
    let zero = terms.int(0);
    // A part with the variable of a binder, under two binders.
    let mut part = i;
    for _ in 0..3 {
        let product = terms.mul(part, part);
        let sum = terms.add(product, n);
        let seven = terms.int(7);
        part = terms.remainder(Rounding::Euclidean, sum, seven);
    }
    let (third, low) = (terms.divides(&Integer::from(3), part), terms.le(part, n));
    let all = terms.quantify(Quantifier::Forall, i, [zero, n], third).expect("sorts fit");
    let some = terms.quantify(Quantifier::Exists, i, [zero, n], low).expect("sorts fit");
    let both = terms.and([all, some]);
    check(
        &terms,
        &[both],
        Dialect::Portable,
        expect![[r#"
            (set-logic NIA)
            (define-fun loupe.divides_3 ((x Int)) Bool (= (mod x 3) 0))
            (declare-const n Int)
            (define-fun part!1 ((t!1 Int)) Int (mod (+ n (* t!1 t!1)) 7))
            (define-fun part!2 ((t!1 Int)) Int (mod (+ n (* (part!1 t!1) (part!1 t!1))) 7))
            (define-fun part!3 ((t!1 Int)) Int (mod (+ n (* (part!2 t!1) (part!2 t!1))) 7))
            (assert (and (forall ((t!1 Int)) (=> (and (<= 0 t!1) (< t!1 n)) (loupe.divides_3 (part!3 t!1)))) (exists ((t!1 Int)) (and (and (<= 0 t!1) (< t!1 n)) (<= (part!3 t!1) n)))))
            (check-sat)
        "#]],
    );
}

#[test]
fn names() {
    let mut terms = Terms::new();
    let names =
        ["n", "n", "let", "and", "a|b\\c", "p->f", "", "7x", "loupe.tdiv", "@y", "bvadd", "ä"];
    let symbols = names.map(|name| terms.int_symbol(name));
    let sum = terms.sum(symbols);
    let zero = terms.zero(sum);
    check(
        &terms,
        &[zero],
        Dialect::Portable,
        expect![[r#"
        (set-logic QF_LIA)
        (declare-const n Int)
        (declare-const n!1 Int)
        (declare-const |let| Int)
        (declare-const and!1 Int)
        (declare-const a_b_c Int)
        (declare-const p->f Int)
        (declare-const _!1 Int)
        (declare-const |7x| Int)
        (declare-const loupe_tdiv Int)
        (declare-const _@y Int)
        (declare-const _bvadd Int)
        (declare-const |ä| Int)
        (assert (= (+ n n!1 |let| and!1 a_b_c p->f _!1 |7x| loupe_tdiv _@y _bvadd |ä|) 0))
        (check-sat)
    "#]],
    );
}

#[test]
fn functions_are_defined() {
    let mut terms = Terms::new();
    let [n, n_after, k, free] = ["n", "n!", "k", "free"].map(|name| terms.int_symbol(name));
    let zero = terms.int(0);
    let mut part = n;
    for _ in 0..2 {
        let product = terms.mul(part, part);
        let sum = terms.add(product, free);
        let seven = terms.int(7);
        part = terms.remainder(Rounding::Euclidean, sum, seven);
    }
    let (equal, low) = (terms.eq(part, n_after), terms.le(k, part));
    let small = terms.le(zero, part);
    let some = terms.quantify(Quantifier::Exists, k, [zero, n], low).expect("sorts fit");
    let relation = terms.and([equal, some, small]);
    let id = |term| match terms.node(term) {
        Node::Symbol(id) => *id,
        _ => unreachable!(),
    };
    let define = Statement::Define {
        name: "loop_7".into(),
        parameters: vec![id(n), id(n_after)],
        body: relation,
    };
    // All lines of a comment are comments, whatever they end in.
    let comment = Statement::Comment("The loop in line 7.\nexact\r(assert false)\r\n".into());
    let statements = [
        comment,
        define,
        Statement::Push,
        Statement::Assert(small),
        Statement::CheckSat,
        Statement::Pop,
    ];
    let script = print(&terms, &statements, &Options::default()).expect("there is a form");
    expect![[r#"
        (set-logic NIA)
        (declare-const n Int)
        (declare-const free Int)
        (define-fun part!1 ((n Int)) Int (mod (+ free (* n n)) 7))
        (define-fun part!2 ((n Int)) Int (mod (+ free (* (part!1 n) (part!1 n))) 7))
        ; The loop in line 7.
        ; exact
        ; (assert false)
        (define-fun loop_7 ((n Int) (n! Int)) Bool (and (= n! (part!2 n)) (>= (part!2 n) 0) (exists ((t!1 Int)) (and (and (<= 0 t!1) (< t!1 n)) (<= t!1 (part!2 n))))))
        (push 1)
        (assert (>= (part!2 n) 0))
        (check-sat)
        (pop 1)
    "#]].assert_eq(&script.text);
    let read = read(&mut terms, &script.text, &vocabulary(&script)).expect("it can be read");
    assert_eq!(read.assertions(), [small]);
    let defined = read.commands.iter().find_map(|command| match command {
        Command::Define { name, parameters, body } if name == "loop_7" => Some((parameters, *body)),
        _ => None,
    });
    let (parameters, body) = defined.expect("the function is defined");
    let symbols = [n, n_after].map(|term| match terms.node(term) {
        Node::Symbol(id) => *id,
        _ => unreachable!(),
    });
    let substitution = symbols.into_iter().zip(parameters.iter().copied()).collect();
    assert_eq!(terms.substitute(relation, &substitution), body);
}

#[test]
fn some_things_have_no_form() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let star = terms.star(Sort::Bool);
    let positive = terms.lt(x, x);
    let starred = terms.or([star, positive]);
    assert_eq!(printed(&terms, &[starred], Dialect::Portable).err(), Some(NoForm::Unknown));
    let no_formula = printed(&terms, &[x], Dialect::Portable).err();
    assert_eq!(no_formula, Some(NoForm::NoFormula(Sort::Int)));
    let wide = Width { bits: MAX_WIDTH + 1, signedness: Signedness::Unsigned };
    let wrapped = terms.wrap(wide, x);
    let wrapped = terms.zero(wrapped);
    assert_eq!(printed(&terms, &[wrapped], Dialect::Portable).err(), Some(NoForm::TooWide(wide)));
    let (zero, body) = (terms.int(0), terms.le(x, x));
    let y = terms.int_symbol("y");
    let less = terms.lt(x, y);
    let all = terms.quantify(Quantifier::Forall, x, [zero, y], less).expect("sorts fit");
    let Node::Quantified(_, _, [.., open]) = *terms.node(all) else { unreachable!("{body:?}") };
    assert_eq!(printed(&terms, &[open], Dialect::Portable).err(), Some(NoForm::Open));
}

#[test]
fn size_and_depth_are_no_problem() {
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let (mut term, one) = (x, terms.int(1));
    for _ in 0..100_000 {
        let next = terms.add(term, one);
        let product = terms.mul(next, term);
        term = terms.bits(BitOp::Xor, BYTE, product, term);
    }
    let formula = terms.le(term, x);
    let script = printed(&terms, &[formula], Dialect::Conversions).expect("there is a form");
    assert!(script.text.len() < 20_000_000, "{}", script.text.len());
    let read = read(&mut terms, &script.text, &vocabulary(&script)).expect("it can be read");
    assert_eq!(read.assertions(), [formula]);
    // Without sharing, but deep.
    let mut formula = terms.le(x, one);
    for i in 0..100_000 {
        let y = terms.int_symbol("y");
        let bound = terms.int(i);
        let literal = terms.le(y, bound);
        formula =
            if i % 2 == 0 { terms.and([formula, literal]) } else { terms.or([formula, literal]) };
    }
    let script = printed(&terms, &[formula], Dialect::Portable).expect("there is a form");
    let read = super::read(&mut terms, &script.text, &vocabulary(&script)).expect("it can be read");
    assert_eq!(read.assertions(), [formula]);
}

#[test]
fn binders_that_share_are_no_problem() {
    // B(0) = t₁ ≤ x, B(k) = (∀tₖ. B(k-1)) ∧ (∃tₖ. B(k-1)) with all variables in all bodies: as a tree,
    // 2^60 quantifiers.
    let mut terms = Terms::new();
    let x = terms.int_symbol("x");
    let zero = terms.int(0);
    let variables: Vec<Term> = (0..60).map(|_| terms.int_symbol("t")).collect();
    let sum = terms.sum(variables.iter().copied());
    let mut body = terms.le(sum, x);
    for variable in variables {
        let [all, some] = [Quantifier::Forall, Quantifier::Exists].map(|quantifier| {
            terms.quantify(quantifier, variable, [zero, x], body).expect("sorts fit")
        });
        body = terms.and([all, some]);
    }
    let script = printed(&terms, &[body], Dialect::Portable).expect("there is a form");
    assert!(script.text.len() < 100_000, "{}", script.text.len());
    let read = read(&mut terms, &script.text, &vocabulary(&script)).expect("it can be read");
    assert_eq!(read.assertions(), [body]);
}

fn dialects() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Portable), Just(Dialect::Conversions)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// What is printed is read as the same terms.
    #[test]
    fn printed_terms_are_read_back(
        formulas in proptest::collection::vec(array_truths(), 1..4),
        dialect in dialects(),
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let formulas: Vec<Term> = formulas.iter().map(|truth| builder.truth(truth)).collect();
        let mut terms = builder.terms;
        let script = printed(&terms, &formulas, dialect).expect("there is a form");
        let found = read(&mut terms, &script.text, &vocabulary(&script));
        let found = found.map_err(|error| TestCaseError::fail(format!("{error}\n{}", script.text)))?;
        prop_assert_eq!(found.assertions(), formulas, "{}", script.text);
        prop_assert_eq!(found.notes, []);
        // Also in an arena of its own, where symbols and terms come in another order.
        let mut other = Terms::new();
        let found = read(&mut other, &script.text, &Vocabulary::default());
        let again = printed(&other, &found.expect("as before").assertions(), dialect);
        prop_assert!(again.is_ok());
    }

    /// Nothing that is broken makes the reader panic.
    #[test]
    fn broken_scripts_are_errors_or_scripts(
        truth in array_truths(),
        dialect in dialects(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>(), 0..4), 1..6),
    ) {
        let mut builder = Builder::new(Terms::new(), Elements::Read);
        let formula = builder.truth(&truth);
        let mut terms = builder.terms;
        let script = printed(&terms, &[formula], dialect).expect("there is a form");
        let mut bytes = script.text.into_bytes();
        for (at, byte, what) in changes {
            if bytes.is_empty() {
                continue;
            }
            let at = at.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes[at] = b"()|;\"0 -!_x"[usize::from(byte) % 11],
                2 => bytes.insert(at, b"()|;\"0 -!_x"[usize::from(byte) % 11]),
                _ => {
                    bytes.remove(at);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = read(&mut terms, &text, &Vocabulary::default()) {
            prop_assert!(error.position.line as usize <= text.lines().count() + 1);
        }
    }
}
