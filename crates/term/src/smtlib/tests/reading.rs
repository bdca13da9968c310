//! Texts that were not printed.

use super::*;

/// The assertions of a text, as people write them, or the error.
fn shown(text: &str) -> String {
    let mut terms = Terms::new();
    match read(&mut terms, text, &Vocabulary::default()) {
        Ok(script) => {
            let names = Names::of(&terms, script.assertions());
            let lines = script.assertions();
            let lines: Vec<_> =
                lines.iter().map(|term| terms.display(*term, &names).to_string()).collect();
            lines.join("\n")
        }
        Err(error) => error.to_string(),
    }
}

const SYMBOLS: &str = "(declare-const x Int) (declare-fun y () Int) (declare-const p Bool)
(declare-const a (Array Int Int)) (declare-const m (Array Int (Array Int Int)))
(declare-fun f (Int Int) Int)\n";

#[test]
fn terms_of_the_subset() {
    let formulas = [
        "(<= x y)",
        "(< x y 3)",
        "(>= x (- 5))",
        "(> x 123456789012345678901234567890)",
        "(= (+ x 1 y) (- x y 2) (- x))",
        "(distinct x y 0)",
        "(=> p (< x 0) (> y 0))",
        "(xor p (< x 0))",
        "(= p (< x 0))",
        "(ite p (< x 0) (> y 0))",
        "(< (ite p x y) (abs x))",
        "(= (* x y 2) (div x 2 3))",
        "(= (mod x (- 7)) 2)",
        "((_ divisible 3) (+ x 1))",
        "(= (select a x) (select (select m x) y))",
        "(= (store a x 1) ((as const (Array Int Int)) y))",
        "(= m ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)))",
        "(= (f x y) (f y x))",
        "(let ((x y) (z x)) (< x z))",
        "(let ((z x)) (let ((x y)) (< x z)))",
        "(forall ((t Int)) (=> (and (<= 0 t) (< t x)) (< (select a t) t)))",
        "(exists ((x Int)) (and (and (<= y x) (< x (+ y 5))) (= (select a x) (* 2 y))))",
        "(! (< x 3) :named small)",
        "(and p small (! (> x 0) :pattern (x)))",
        "(|<=| |x| y)",
        "(= (loupe.tdiv x y) (loupe.wrap_u8 (loupe.shl_i16 x y)))",
        "true",
        "(and p)",
    ];
    let formulas: Vec<String> = formulas.iter().map(|it| format!("(assert {it})")).collect();
    let found = shown(&format!("{SYMBOLS}{}", formulas.join("\n")));
    expect![[r#"
        x <= y
        x < y && y <= 2
        x >= -5
        x >= 123456789012345678901234567891
        false
        x != y && x != 0 && y != 0
        y > 0 || x >= 0 || !p
        (p || x < 0) && (x >= 0 || !p)
        p && x < 0 || x >= 0 && !p
        p && x < 0 || y > 0 && !p
        ite(p, x, y) < abs(x)
        2*x*y == x div 6
        7 | x + 5
        3 | x + 1
        a[x] == m[x][y]
        a[x := 1] == const(y)
        m == const_2(0)
        f(x, y) == f(y, x)
        y < x
        y < x
        forall t in [0, x). a[t] < t
        exists t in [y, y + 5). 2*y == a[t]
        x <= 2
        p && x <= 2 && x > 0
        x <= y
        x / y == u8(shl_i16(x, y))
        true
        p"#]]
    .assert_eq(&found);
}

#[test]
fn commands() {
    let mut terms = Terms::new();
    let text = "(set-logic ALL) ; a comment
        (set-info :status sat) (set-option :produce-models true) (echo \"a \"\"word\"\"\")
        (declare-const x Int)
        (define-fun double ((n Int)) Int (* 2 n))
        (define-fun even ((n Int) (b Bool)) Bool (= b (= n (double (div n 2)))))
        (push) (declare-const y Int) (assert (even y true)) (check-sat) (pop 1)
        (declare-const y Bool) (assert (even (double x) y)) (check-sat)
        (get-model) (get-value (x (+ x 1))) (exit) (what is this";
    let script = read(&mut terms, &format!("{text})"), &Vocabulary::default());
    let script = script.expect("it can be read");
    let show = |command: &Command| match command {
        Command::Assert(term) => format!("assert {}", terms.text(*term)),
        Command::Declare(term) => format!("declare {}", terms.text(*term)),
        Command::Define { name, parameters, body } => {
            format!("define {name} {} {}", parameters.len(), terms.text(*body))
        }
        Command::GetValue(list) => {
            format!("values {:?}", list.iter().map(|term| terms.text(*term)).collect::<Vec<_>>())
        }
        other => format!("{other:?}"),
    };
    let lines: Vec<String> = script.commands.iter().map(show).collect();
    expect![[r#"
        SetLogic("ALL")
        SetInfo(":status", "sat")
        SetOption(":produce-models", "true")
        Echo("a \"word\"")
        declare x
        define double 1 2*n
        define even 2 b && n == 2*(n div 2) || !b && n != 2*(n div 2)
        Push(1)
        declare y
        assert y == 2*(y div 2)
        CheckSat
        Pop(1)
        declare y
        assert y
        CheckSat
        GetModel
        values ["x", "x + 1"]
        Exit"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn errors_say_where_and_what() {
    let texts = [
        "(assert (< x 1)",
        "(assert true))",
        "assert",
        "()",
        "(assert)",
        "(assert (< x z))",
        "(assert (+ x 1))",
        "(assert (< x p))",
        "(assert (not p p))",
        "(assert (f x))",
        "(assert (f x p))",
        "(assert (= x p))",
        "(assert (ite x x x))",
        "(assert (select x x))",
        "(assert (= a m))",
        "(assert (x 1))",
        "(assert (< x 1.5))",
        "(assert (= #b01 #b10))",
        "(assert (< \"a\" x))",
        "(declare-const r Real)",
        "(declare-const b (_ BitVec 8))",
        "(declare-const x Int)",
        "(declare-const true Bool)",
        "(define-fun abs ((n Int)) Int 0)",
        "(assert (! p :named and))",
        "(declare-fun g (Bool) Int)",
        "(define-fun g ((n Int) (n Int)) Int n)",
        "(define-fun g ((n Int)) Bool n)",
        "(define-fun g ((n Int)) Int (g n))",
        "(assert (forall ((t Int)) (< t x)))",
        "(assert (forall ((t Int)) (=> (and (<= t t) (< t x)) p)))",
        "(assert (forall ((t Int) (u Int)) (=> (and (<= 0 t) (< t x)) p)))",
        "(assert (let ((b 1) (b 2)) p))",
        "(assert (let (b 1) p))",
        "(define-fun loupe.tdiv ((x Int) (y Int)) Int (div x y))",
        "(declare-const loupe.x Int)",
        "(declare-fun loupe.lambda!1 () (Array Int Int)) (assert (= a loupe.lambda!1))",
        "(declare-fun loupe.lambda!1 () (Array Int Int))
         (assert (forall ((t Int)) (= (select loupe.lambda!1 t) (select loupe.lambda!1 t))))",
        "(define-fun-rec g ((n Int)) Int n)",
        "(check-sat-assuming (p))",
        "(pop 1)",
        "(push 1000000000000)",
        "(echo \"abc)",
        "(assert |abc)",
        "(assert (let ((x2 (* x x))) (let ((x4 (* x2 x2))) (< 0 (loupe.raise_9999999 x4)))))",
        "(assert {x})",
        "(assert (! p :named x))",
        "(assert 12a)",
    ];
    let lines: Vec<String> = texts
        .iter()
        .map(|text| format!("{text}\n    {}", shown(&format!("{SYMBOLS}{text}"))))
        .collect();
    expect![[r#"
        (assert (< x 1)
            4:1: expected a closing parenthesis for this one, found none
        (assert true))
            4:14: expected a command, found `)`
        assert
            4:1: expected a command, found `assert`
        ()
            4:1: expected a command, found `()`
        (assert)
            4:1: expected other arguments of this command, found `(assert)`
        (assert (< x z))
            4:14: `z` is not declared
        (assert (+ x 1))
            4:9: expected a term of sort Bool, found one of sort Int
        (assert (< x p))
            4:14: expected a term of sort Int, found one of sort Bool
        (assert (not p p))
            4:9: expected 1 argument, found 2
        (assert (f x))
            4:9: expected 2 arguments, found 1
        (assert (f x p))
            4:14: expected a term of sort Int, found one of sort Bool
        (assert (= x p))
            4:14: expected a term of sort Int, found one of sort Bool
        (assert (ite x x x))
            4:14: expected a term of sort Bool, found one of sort Int
        (assert (select x x))
            4:17: expected a term of sort (Array Int Int), found one of sort Int
        (assert (= a m))
            4:14: expected a term of sort (Array Int Int), found one of sort (Array Int (Array Int Int))
        (assert (x 1))
            4:10: expected a function, found `x`
        (assert (< x 1.5))
            4:14: a literal that is no integer: this is not supported
        (assert (= #b01 #b10))
            4:12: a literal that is no integer: this is not supported
        (assert (< "a" x))
            4:12: a string: this is not supported
        (declare-const r Real)
            4:18: sort Real: this is not supported
        (declare-const b (_ BitVec 8))
            4:18: sort (_ BitVec 8): this is not supported
        (declare-const x Int)
            4:16: `x` is declared already
        (declare-const true Bool)
            4:16: `true` is declared already
        (define-fun abs ((n Int)) Int 0)
            4:13: `abs` is declared already
        (assert (! p :named and))
            4:21: `and` is declared already
        (declare-fun g (Bool) Int)
            4:17: a function of something else than integers to integers: this is not supported
        (define-fun g ((n Int) (n Int)) Int n)
            4:25: `n` is declared already
        (define-fun g ((n Int)) Bool n)
            4:30: expected a term of sort Bool, found one of sort Int
        (define-fun g ((n Int)) Int (g n))
            4:30: `g` is not declared
        (assert (forall ((t Int)) (< t x)))
            4:9: a quantifier that is not over one integer with a lower and an upper bound: this is not supported
        (assert (forall ((t Int)) (=> (and (<= t t) (< t x)) p)))
            4:40: a bound of a variable that depends on the variable: this is not supported
        (assert (forall ((t Int) (u Int)) (=> (and (<= 0 t) (< t x)) p)))
            4:9: a quantifier that is not over one integer with a lower and an upper bound: this is not supported
        (assert (let ((b 1) (b 2)) p))
            4:14: expected different names, found `((b 1) (b 2))`
        (assert (let (b 1) p))
            4:15: expected `(name term)`, found `b`
        (define-fun loupe.tdiv ((x Int) (y Int)) Int (div x y))
            4:1: the definition of `loupe.tdiv` is not the one that belongs to the name
        (declare-const loupe.x Int)
            4:16: expected a name that does not start with `loupe.`, found `loupe.x`
        (declare-fun loupe.lambda!1 () (Array Int Int)) (assert (= a loupe.lambda!1))
            4:62: expected an array that is defined before, found `loupe.lambda!1`
        (declare-fun loupe.lambda!1 () (Array Int Int))
                 (assert (forall ((t Int)) (= (select loupe.lambda!1 t) (select loupe.lambda!1 t))))
            5:73: expected an array that is defined before, found `loupe.lambda!1`
        (define-fun-rec g ((n Int)) Int n)
            4:1: command `define-fun-rec`: this is not supported
        (check-sat-assuming (p))
            4:1: command `check-sat-assuming`: this is not supported
        (pop 1)
            4:1: expected a `push` before, found `(pop 1)`
        (push 1000000000000)
            4:7: expected a small numeral, found `1000000000000`
        (echo "abc)
            4:7: expected a closing quotation mark, found none
        (assert |abc)
            4:9: expected a closing bar for this one, found none
        (assert (let ((x2 (* x x))) (let ((x4 (* x2 x2))) (< 0 (loupe.raise_9999999 x4)))))
            4:56: what this stands for is too large
        (assert {x})
            4:9: expected a symbol or literal, found `{x}`
        (assert (! p :named x))
            4:21: `x` is declared already
        (assert 12a)
            4:9: expected a symbol or literal, found `12a`"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn fixed_divisions_are_noted() {
    let mut terms = Terms::new();
    let text =
        format!("{SYMBOLS}(assert (= (div x 3) (mod x y)))\n(assert (= (div x 0) (div y 2 x)))");
    let script = read(&mut terms, &text, &Vocabulary::default()).expect("it can be read");
    let notes = [(4, 22), (5, 12), (5, 22)];
    let notes = notes.map(|(line, column)| Note::DivisionFixed(Position { line, column }));
    assert_eq!(script.notes, notes);
    // 0 and the dividend.
    assert_eq!(terms.text(script.assertions()[1]), "y div 2 div x == 0");
}

#[test]
fn deep_texts_are_no_problem() {
    let count = 100_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{SYMBOLS}(assert {}{inner}{})", open.repeat(count), close.repeat(count))
    };
    // As deep as the text.
    assert_eq!(shown(&nested("(not ", "p", ")")), "p");
    assert_eq!(shown(&nested("(let ((x (+ x 1))) ", "(< x 0)", ")")), "x <= -100001");
    assert_eq!(shown(&nested("(let ((x (let ((z x)) z))) ", "(< x 0)", ")")), "x < 0");
    assert_eq!(shown(&nested("(! ", "p", " :pattern (x))")), "p");
    let alternating = shown(&nested("(and (< x 5) (or p ", "(< x 0)", "))"));
    assert!(alternating.ends_with('…'), "{alternating}");
    assert!(shown(&nested("(", "", ")")).ends_with("this is not supported"));
    assert!(shown(&nested("(", "", "")).starts_with("4:100"));
}

#[test]
fn texts_that_stand_for_too_much_are_errors() {
    // Each line doubles what the one before stands for.
    let mut text = format!("{SYMBOLS}(define-fun f0 ((n Int)) Int (select a n))\n");
    for i in 1..64 {
        let last = i - 1;
        text += &format!(
            "(define-fun f{i} ((n Int)) Int (+ (f{last} (* 2 n)) (f{last} (+ 1 (* 2 n)))))\n"
        );
    }
    assert!(shown(&text).ends_with("what this stands for is too large"));
    let squares: String =
        (0..64).map(|_| "(let ((x (+ 1 (* x x x)))) (let ((y (* y y))) ").collect();
    let text = format!("{SYMBOLS}(assert {squares}(< x y){}", ")".repeat(129));
    assert!(shown(&text).ends_with("what this stands for is too large"));
    // Without growth, many uses are no problem.
    let mut text = format!("{SYMBOLS}(define-fun f0 ((n Int)) Int (select a n))\n");
    for i in 1..64 {
        let last = i - 1;
        text += &format!("(define-fun f{i} ((n Int)) Int (+ (f{last} n) (f{last} n)))\n");
    }
    text += "(assert (< 0 (f63 x)))";
    assert_eq!(shown(&text), "a[x] > 0");
}

#[test]
fn long_words_and_many_notes_are_no_problem() {
    let mut terms = Terms::new();
    let long = format!("(assert (< 0 {}))", "7".repeat(10_000_000));
    let error = read(&mut terms, &long, &Vocabulary::default()).expect_err("it is too long");
    assert_eq!(error.to_string(), "1:14: what this stands for is too large");
    let many = "(assert (< (div 1 y) (mod 1 y))) ".repeat(50_000);
    let text = format!("(declare-const y Int)\n{many}");
    let script = read(&mut terms, &text, &Vocabulary::default()).expect("it can be read");
    assert_eq!(script.notes.len(), 100_000);
    let place = |column| Note::DivisionFixed(Position { line: 2, column });
    assert_eq!(script.notes[..3], [place(12), place(22), place(45)]);
}
