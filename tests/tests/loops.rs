//! `loupe loops`: what it says of programs that say it themselves, relations that another solver checks, and bad input.
//!
//! A program in `loops/` lists its loops at its top: `// loupe: loop LINE type N TAG bound TEXT`; what is left out is not looked at.

use loupe_tests::cvc5;
use loupe_tests::process::{Finished, Loupe};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

/// What a question may take another solver.
const CVC5_MILLISECONDS: u32 = 5_000;

fn programs() -> Vec<PathBuf> {
    let folder = loupe_tests::root().join("loops");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files
}

fn loops(file: &Path, options: &[&str]) -> Finished {
    let mut words = vec!["loops".into(), file.as_os_str().to_owned()];
    words.extend(options.iter().map(|option| (*option).into()));
    Loupe::new(words).run()
}

fn json_of(run: &Finished) -> Json {
    assert_eq!(run.status, 0, "{run}");
    serde_json::from_str(&run.stdout).expect("one object")
}

fn temporary(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("loops");
    fs::create_dir_all(&folder).expect("a folder for tests");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

/// What a loop differs in from what the program says of it.
fn differs(found: &[Json], directive: &str) -> Option<String> {
    let (head, bound) = match directive.split_once(" bound ") {
        Some((head, bound)) => (head, Some(bound)),
        None => (directive, None),
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let (line, wanted) = words.split_first().expect("a line");
    let line: u64 = line.parse().expect("a line");
    let Some(own) = found.iter().find(|own| own["line"] == line) else {
        return Some(format!("there is no loop in line {line}"));
    };
    let mut wanted = wanted.iter();
    while let Some(word) = wanted.next() {
        let fits = match *word {
            "type" => {
                let number: u64 = wanted.next().and_then(|w| w.parse().ok()).expect("a type");
                own["type"] == number
            }
            tag => own["summary"] == tag,
        };
        if !fits {
            return Some(format!("`{word}` in line {line}: {own:#}"));
        }
    }
    let differs = bound.is_some_and(|bound| own["bound"] != bound);
    differs.then(|| format!("the bound in line {line} is {}: {own:#}", own["bound"]))
}

#[test]
fn programs_say_what_their_loops_are() {
    let mut wrong = Vec::new();
    for file in programs() {
        let text = fs::read_to_string(&file).expect("a program");
        let report = json_of(&loops(&file, &["--format", "json"]));
        let found = report["loops"].as_array().expect("loops");
        let directives: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("// loupe: loop ")).collect();
        assert!(!directives.is_empty(), "{} says nothing", file.display());
        for directive in directives {
            wrong.extend(differs(found, directive).map(|why| format!("{}: {why}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn relations_can_be_asked_by_another_solver() {
    let text = "int f(int i, int n, int s) {\n  while (i < n) {\n    i++;\n    s += 2;\n  }\n  return s;\n}\n";
    let file = temporary("relation.c", &format!("{text}int main(void) {{ return f(0, 3, 1); }}\n"));
    let run = loops(&file, &["--emit", "smt2"]);
    assert_eq!(run.status, 0, "{run}");
    let header =
        "(define-fun loop_2 ((i Int) (n Int) (s Int) (i! Int) (n! Int) (s! Int) (exit! Int)) Bool";
    assert!(run.stdout.contains(header), "{run}");
    assert!(run.stdout.contains("(define-fun loop_2_pre ((i Int) (n Int) (s Int)) Bool"), "{run}");
    let mut script = run.stdout.clone();
    let obligations = script.matches("(check-sat)").count();
    for arguments in
        ["0 3 1 3 3 7 0", "0 3 1 3 3 6 0", "5 3 1 5 3 1 0", "0 3 1 3 3 7 1", "0 3 1 2 3 5 0"]
    {
        script += &format!("(push 1)\n(assert (loop_2 {arguments}))\n(check-sat)\n(pop 1)\n");
    }
    let Some(answers) = cvc5::ask(&script, CVC5_MILLISECONDS) else { return };
    let (proved, asked) = answers.split_at(obligations);
    assert!(proved.iter().all(|answer| answer != "sat"), "{proved:?}\n{script}");
    assert_eq!(asked, ["sat", "unsat", "sat", "unsat", "unsat"], "{script}");
}

#[test]
fn obligations_of_all_programs_hold() {
    for file in programs() {
        let run = loops(&file, &["--emit", "smt2"]);
        assert_eq!(run.status, 0, "{run}");
        assert!(!run.stdout.contains("declare-const"), "{run}");
        let Some(answers) = cvc5::ask(&run.stdout, CVC5_MILLISECONDS) else { return };
        assert!(
            // Some solvers add why they do not know.
            answers.iter().all(|answer| answer == "unsat" || answer.starts_with("unknown")),
            "{answers:?}"
        );
    }
}

#[test]
fn cases_pictures_and_folders() {
    let file = loupe_tests::root().join("loops/counting.c");
    let run = loops(&file, &["--summary", "--function", "up"]);
    assert_eq!(run.status, 0, "{run}");
    for part in ["max(0, n - i) (linear)", "p2^(n - i) p1", "i = n", "exit 0: line "] {
        assert!(run.stdout.contains(part), "`{part}` in {run}");
    }
    let run = loops(&file, &["--dot"]);
    assert_eq!(run.stdout.matches("digraph").count(), 3, "{run}");
    let folder = loupe_tests::root().join("loops");
    let run = loops(&folder, &[]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.stdout.contains("loops (nested)"), "{run}");
    let report = json_of(&loops(&folder, &["--format", "json"]));
    assert_eq!(report["results"].as_array().map(Vec::len), Some(programs().len()));
    assert_eq!(report["total"]["loops"], report["totals"][0]["loops"]);
}

#[test]
fn an_assumption_holds_at_entry() {
    let text = "int f(int i, int n) { while (i != n) { i++; } return i; }\n";
    let file = temporary("assume.c", &format!("{text}int main(void) {{ return f(0, 3); }}\n"));
    let report = json_of(&loops(&file, &["--format", "json", "--assume", "i <= n"]));
    assert_eq!(report["loops"][0]["bound"], "n - i", "{report:#}");
    let run = loops(&file, &["--assume", "j <= n"]);
    assert_eq!(run.status, 3, "{run}");
    let run = loops(&file, &["--assume", "i <="]);
    assert_eq!(run.status, 3, "{run}");
}

#[test]
fn what_cannot_be_read_does_not_stop_the_rest() {
    let good = loupe_tests::root().join("loops/counting.c");
    let bad = temporary("bad.c", "int main( {\n");
    let run = Loupe::new(["loops".into(), bad.into_os_string(), good.into_os_string()]).run();
    assert_eq!(run.status, 3, "{run}");
    assert!(run.stdout.contains("max(0, n - i)"), "{run}");
    let run = Loupe::new(["loops", "no such file.c"]).run();
    assert_eq!(run.status, 3, "{run}");
    let run = Loupe::new(["loops", "loops/counting.c", "--function", "nobody"]).run();
    assert_eq!(run.status, 3, "{run}");
}

#[test]
fn nothing_is_counted_up_to_what_has_no_model() {
    let text = "#include <stdlib.h>
struct n { struct n *next; int v; };
int drop(struct n *h) {
  int k = 0;
  while (h) { struct n *t = h->next; free(h); h = t; k++; }
  return k;
}
int main(void) { return drop(0); }
";
    let report = json_of(&loops(&temporary("drop.c", text), &["--format", "json"]));
    let bound = report["loops"][0]["bound"].to_string();
    assert_ne!(bound, "\"0\"", "whoever calls it may have allocated the nodes: {report:#}");
    assert!(!report.to_string().contains("invalid free"), "{report:#}");
}

#[test]
fn high_degrees_are_given_up() {
    let text = "main() { var x, y, t; x = input; y = input;
        while (x < 1000) { t = x; x = y * y + x * x + 1; y = t * t + y; } return x; }";
    let run = loops(&temporary("degrees.uc", text), &["--format", "json"]);
    let report = json_of(&run);
    assert_eq!(report["loops"][0]["summary"], "over", "{report:#}");
    assert_eq!(report["loops"][0]["bound"], "max(0, 1000 - x)", "{report:#}");
}

#[test]
fn many_branches_end_quickly() {
    let branches: String = (0..30).map(|n| format!("if (x & {}u) s++;\n", 1_u32 << n)).collect();
    let text =
        format!("int f(unsigned x, int s) {{ while (x) {{ {branches} x--; }} return s; }}\n");
    let file = temporary("branches.c", &format!("{text}int main(void) {{ return f(1, 2); }}\n"));
    let run = loops(&file, &["--format", "json"]);
    let report = json_of(&run);
    assert_ne!(report["loops"][0]["why"], Json::Array(vec![]), "{report:#}");
}

/// Loops of which little is known but what decides when they are left.
const OUTLINED: &str = "\
struct node { struct node *next; int value; };
struct option { int key; const char *name; };
struct list { int count; struct node **items; };
int unknown(void *);
int next(void);
void own(int *p, int n, int *q) { for (int i = 0; i < n; i++) *q = unknown(p); }
void shared(struct list *l) { for (int i = 0; i < l->count; i++) unknown(l->items[i]); }
void grows(struct list *l) { for (int i = 0; i < l->count; i++) { if (unknown(l)) l->count++; } }
void unequal(unsigned i, unsigned n) { while (i != n) { unknown(0); i++; } }
int all(struct node *p) { int s = 0; while (p) { s += unknown(p); p = p->next; } return s; }
void table(struct option *o) { for (; o->key; o++) unknown(o); }
void ends(const char *p, const char *e) { while (p < e) { while (p < e && *p != ' ') p++; if (p < e) unknown(0); p++; } }
void reads(void) { int c; while ((c = next()) != -1) unknown(0); }
void waits(void) { while (!unknown(0)) ; }
void stays(int n) { while (n > 0) unknown(0); }
void more(int *, int, int);
void hands(void) { int x = 5; while (x > 0) { x--; more(&x, 1, 2); } }
void within(void) { int x = 5; while (x > 0) { x--; for (int i = 0; i < 2; i++) more(&x, i, 2); } }
void again(struct node *p) { int i = 0; while (i < 9) { if (p->value == 5) { p->value = 6; if (p->value == 5) i++; } else i++; p = p->next; unknown(p); } }
char *choose(char *);
void mixed(void) { char a[4], b[4]; char *p = choose(a); b[0] = 100; while (b[0] > 0) { b[0]--; b[p - a] = 50; unknown(0); } }
void lost(int n, int c) { while (n > 0) { if (c) __asm__(\"nop\"); else n--; unknown(0); } }
";

#[test]
fn what_decides_bounds_a_loop_whatever_else_it_does() {
    let file = temporary("outlined.c", OUTLINED);
    let found = json_of(&loops(&file, &["--format", "json", "--effort", "1"]));
    let found = found["loops"].as_array().expect("loops");
    // What a bound assumes, by a word of it; none where there is no bound, nothing where it assumes nothing.
    let expected = [
        ("own", Some("")),
        ("shared", Some("changed")),
        ("grows", None),
        ("unequal", Some("")),
        ("all", Some("cycle")),
        ("table", Some("zero")),
        ("ends", Some("")),
        ("reads", Some("`next`")),
        ("waits", None),
        ("stays", None),
        ("hands", None),
        ("within", None),
        ("again", None),
        ("mixed", Some("pointer")),
        ("lost", Some("not modelled")),
    ];
    for (function, assumed) in expected {
        let own = found.iter().find(|own| own["function"] == function && own["depth"] == 1);
        let own = own.unwrap_or_else(|| panic!("no loop in {function}"));
        let is_bounded = !own["bound"].is_null();
        assert_eq!(is_bounded, assumed.is_some(), "{function}: {own:#}");
        assert!(own["type"].is_number(), "{function}: {own:#}");
        let Some(assumed) = assumed else { continue };
        let all = own["bound_assumes"].as_array().expect("assumptions");
        assert_eq!(all.is_empty(), assumed.is_empty(), "{function}: {own:#}");
        let text = all.iter().map(|one| one.as_str().unwrap_or("")).collect::<String>();
        assert!(text.contains(assumed), "{function}: {own:#}");
    }
}
