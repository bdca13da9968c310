use super::*;
use crate::limits::Limits;
use loupe_term::Term;

/// A solver that is a line of shell.
fn shell(line: &str) -> External {
    External::new(SolverCommand { program: "sh".into(), arguments: vec!["-c".into(), line.into()] })
}

fn limits() -> Limits {
    Limits { time: Duration::from_millis(300), ..Limits::default() }
}

/// `x = 5`, and a script that no pipe holds.
fn query(terms: &mut Terms) -> (Term, Vec<Term>) {
    let (x, five) = (terms.int_symbol("x"), terms.int(5));
    let small = terms.eq(x, five);
    let mut large = vec![small];
    for i in 0..5_000 {
        let (y, i) = (terms.int_symbol("a_rather_long_name"), terms.int(i));
        large.push(terms.le(i, y));
    }
    (small, large)
}

fn ask(solver: &mut External, terms: &mut Terms, assertions: &[Term]) -> Answer {
    let start = Instant::now();
    let answer = solver.check(terms, &Query { assertions, limits: &limits() });
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    answer.expect("there is a shell")
}

#[test]
fn commands_are_words() {
    let command = SolverCommand::parse(" cvc5 --incremental  'a b' \"\"c").expect("closed quotes");
    assert_eq!(command.program, "cvc5");
    assert_eq!(command.arguments, ["--incremental", "a b", "c"]);
    assert!(SolverCommand::parse("cvc5 'a").is_err());
    assert!(SolverCommand::parse("  ").is_err());
}

#[test]
fn processes_that_do_not_answer_cost_no_more_than_the_time() {
    let mut terms = Terms::new();
    let (small, large) = query(&mut terms);
    // Nothing is read; everything is written back; everything is read.
    for line in ["exec sleep 60", "exec cat", "while read line; do :; done"] {
        for assertions in [&[small][..], &large] {
            let answer = ask(&mut shell(line), &mut terms, assertions);
            assert!(matches!(answer, Answer::Unknown(Reason::Time)), "{line}: {answer:?}");
        }
    }
}

#[test]
fn processes_that_break_are_failures() {
    let mut terms = Terms::new();
    let (small, large) = query(&mut terms);
    let lines = [
        "exit 3",
        "exec yes sat",
        "exec tr -c x x < /dev/zero",
        "echo hello; echo loupe-done; exec cat > /dev/null",
        "printf 'sa\\377t\\nloupe-done\\n'; exec cat > /dev/null",
    ];
    for line in lines {
        for assertions in [&[small][..], &large] {
            let mut solver = shell(line);
            // With time enough to hear all of what is no answer.
            let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
            let answer = solver.check(&mut terms, &Query { assertions, limits: &limits });
            let failed = matches!(answer, Ok(Answer::Unknown(Reason::Failure(_))));
            assert!(failed, "{line}: {answer:?}");
        }
    }
    let mut nowhere =
        External::new(SolverCommand::parse("/there/is/no/such/program").expect("words"));
    let answer = nowhere.check(&mut terms, &Query { assertions: &[small], limits: &limits() });
    assert!(matches!(answer, Err(Error::Surroundings(_))), "{answer:?}");
}

/// Answers the first question and goes away.
const ONCE: &str =
    "while read line; do case \"$line\" in \"(echo\"*) echo \"$ANSWER\"; exit;; esac; done";

#[test]
fn answers_are_read_and_values_evaluated() {
    let mut terms = Terms::new();
    let (small, _) = query(&mut terms);
    let answers = [
        ("sat\n((x 5))", Some(Evidence::Evaluated)),
        ("success\nsat\n((|x|\n 5))", Some(Evidence::Evaluated)),
        ("sat\n((x (- 5)))", Some(Evidence::Claimed)),
        ("sat\n(error)", Some(Evidence::Claimed)),
        ("unsat\n(error)", None),
    ];
    for (printed, wanted) in answers {
        let mut solver = shell(&format!("ANSWER='{printed}\nloupe-done'; {ONCE}"));
        let mut is_answered = || {
            let found = ask(&mut solver, &mut terms, &[small]);
            match (&found, wanted) {
                (Answer::Sat(model), Some(evidence)) => assert_eq!(model.evidence, evidence),
                (Answer::Unsat(core), None) => assert_eq!(*core, [0]),
                (Answer::Unknown(Reason::Failure(_)), _) => return false,
                _ => panic!("{printed}: {found:?}"),
            }
            true
        };
        // The second question finds nobody, and the third a new process.
        assert_eq!([is_answered(), is_answered(), is_answered()], [true, false, true], "{printed}");
    }
}
