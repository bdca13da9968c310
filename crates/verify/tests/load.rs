//! One process for many verifications: its memory does not grow, and several at once say what one at a time says.

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_ir::program::Program;
use loupe_symbolic::explore::Options;
use loupe_symbolic::property::Property;
use loupe_verify::{Member, Request, verify};

const HEAD: &str =
    "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
    extern void reach_error(void);\n";

/// Programs that members decide in some milliseconds, each in another way.
const PROGRAMS: [&str; 6] = [
    "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, s = 0; if (n < 0 || n > 1000) return 0;
     while (i < n) { i++; s += 2; } if (s != 2 * n) reach_error(); return 0; }",
    "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i += 3;
     if (i == 3003) reach_error(); return 0; }",
    "int main(void) { unsigned char i = 0; unsigned n = 0; do { i++; n++; } while (i != 0);
     if (n != 256) reach_error(); return 0; }",
    "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 2; }
     int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 8) return 0;
     if (f(n) != 2 * n) reach_error(); return 0; }",
    "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, z = 5; if (n < 6 || n > 100) return 0;
     while (x < n) { if (z > x) x++; else z++; } if (x != z) reach_error(); return 0; }",
    "int main(void) { int n = 0; while (__VERIFIER_nondet_int()) { if (n < 10) n++; }
     if (n > 10) reach_error(); return 0; }",
];

fn program(body: &str) -> Program {
    compile_text(&format!("{HEAD}{body}"), DataModel::Lp64, Checks::default()).program
}

/// The verdict and where an error is. (Who wins, and with which inputs, is the same only with a clock that a busy machine does not disturb.)
fn answer(program: &Program, members: &[Member]) -> String {
    let options = Options { property: Property::UnreachCall, ..Options::default() };
    let request = Request { options, members: members.to_vec(), ..Request::new(program) };
    let report = verify(&request, &|_, _| None).unwrap_or_else(|error| panic!("{error}"));
    let exploration = &report.exploration;
    let violations = exploration.violations.values();
    let places: Vec<_> = violations.map(|found| (found.kind, found.span)).collect();
    format!("{} {} {places:?}", exploration.is_safe(), exploration.is_violated())
}

/// The memory of this process, in pages; nothing where nobody tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

/// glibc gives threads heaps of their own and keeps what they had at most. Which heap a member's thread gets is chance, so what is measured is a process with one heap for all.
const ONE_HEAP: (&str, &str) = ("MALLOC_ARENA_MAX", "1");

/// One test, since the memory of tests that run beside it would count too.
#[test]
fn many_verifications_in_one_process() {
    if std::env::var(ONE_HEAP.0).is_ok_and(|heaps| heaps == ONE_HEAP.1) {
        return check();
    }
    let own = std::env::current_exe().expect("a test has a path");
    let mut again = std::process::Command::new(own);
    let run = again.arg("--nocapture").env(ONE_HEAP.0, ONE_HEAP.1).output().expect("it starts");
    let (said, messages) =
        (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    println!("{said}");
    assert!(run.status.success(), "{said}{messages}");
}

fn check() {
    let programs = PROGRAMS.map(program);
    let first: Vec<String> = programs.iter().map(|p| answer(p, &Member::ALL)).collect();
    assert!(first.iter().all(|answer| !answer.starts_with("false false")), "{first:#?}");

    // Invariants alone as well: where others are quicker they would not run at all.
    let kinds: [&[Member]; 3] = [&Member::ALL, &[Member::Invariants], &[Member::Necessary]];
    // The programs at which they go on without end are another test's matter.
    let is_quick = |number: usize, kind: usize| kind == 0 || [0, 5].contains(&number);
    let (mut warm, mut done) = (None, 0);
    while done < 500 {
        for (kind, members) in kinds.iter().enumerate() {
            for (number, program) in programs.iter().enumerate().filter(|(n, _)| is_quick(*n, kind))
            {
                let said = answer(program, members);
                if kind == 0 {
                    assert_eq!(said, first[number], "verification {done} of program {number}");
                }
                done += 1;
                if done == 50 {
                    warm = resident();
                }
            }
        }
    }
    if let (Some(warm), Some(now)) = (warm, resident()) {
        println!("{warm} pages after 50 verifications, {now} after {done}");
        assert!(5 * now <= 6 * warm, "memory has grown from {warm} to {now} pages");
    }

    let work = || programs.iter().map(|program| answer(program, &Member::ALL)).collect::<Vec<_>>();
    let at_once: Vec<Vec<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    for said in at_once {
        assert_eq!(said, first);
    }
}
