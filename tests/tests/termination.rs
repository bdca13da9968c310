//! `verify --property termination`: programs that end, programs that do not, and programs that only look like it.

use loupe_tests::process::Loupe;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::PathBuf;

const BEGIN: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
                     extern void reach_error(void); extern void abort(void); extern void exit(int);\n\
                     extern void __VERIFIER_assume(int);\n";

/// What is said of a program that only the test `name` uses.
fn report(name: &str, text: &str, loops: &str, seconds: &str) -> Json {
    let is_microc = text.trim_start().contains("main() {") && !text.contains("int main");
    let extension = if is_microc { "uc" } else { "c" };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("termination-{name}-{loops}.{extension}"));
    let text = if is_microc { text.to_owned() } else { format!("{BEGIN}{text}") };
    fs::write(&file, text).expect("a file");
    let call = Loupe::new(["verify".into(), file]).args(["--property", "termination"]);
    let run = call.args(["--format", "json", "--timeout", seconds, "--loops", loops]).run();
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{run}"))
}

/// The verdict with summaries; without them it may be unknown, but no other.
fn check(name: &str, expected: &str, text: &str) {
    for (loops, seconds) in [("auto", "20"), ("summary", "20"), ("unroll", "0.2")] {
        let verdict = report(name, text, loops, seconds)["verdict"].clone();
        let is_left_open = loops == "unroll" && verdict == "unknown";
        assert!(verdict == expected || is_left_open, "{name} with {loops}: {verdict}");
    }
}

/// Nothing can be said, and that is said.
fn is_left_open(name: &str, text: &str) {
    let report = report(name, text, "auto", "0.5");
    assert_eq!(report["verdict"], "unknown", "{name}");
    assert_ne!(report["reasons"], json!([]), "{name}");
}

#[test]
fn wrap_around_decides() {
    check(
        "unsigned_minus_two",
        "unsafe",
        "int main(void){ unsigned x=__VERIFIER_nondet_uint(); while(x!=0) x-=2; return 0; }",
    );
    check(
        "unsigned_even",
        "safe",
        "int main(void){ unsigned x=__VERIFIER_nondet_uint(); x*=2; if (x > 1000) return 0; \
         while(x!=0) x-=2; return 0; }",
    );
    check(
        "int_minus_two",
        "unsafe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(x!=0) x-=2; return 0; }",
    );
    check(
        "int_wraps",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(x>0) x++; return 0; }",
    );
    check("unsigned_ge0", "unsafe", "int main(void){ unsigned i=10; while(i>=0) i--; return 0; }");
    check(
        "char_le",
        "unsafe",
        "int main(void){ for (unsigned char c=0; c<=255; c++) {} return 0; }",
    );
    check(
        "le_max",
        "unsafe",
        "int main(void){ unsigned n=__VERIFIER_nondet_uint(); for (unsigned i=0;i<=n;i++){} \
         return 0; }",
    );
    check(
        "lt_n",
        "safe",
        "int main(void){ unsigned n=__VERIFIER_nondet_uint(); for (unsigned i=0;i<n;i++){} return \
         0; }",
    );
    check(
        "divide",
        "safe",
        "int main(void){ unsigned x=__VERIFIER_nondet_uint(); while(x) x>>=1; return 0; }",
    );
    check(
        "divide_neg",
        "unsafe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(x!=0) x>>=1; return 0; }",
    );
}

#[test]
fn inputs_choose() {
    check("nondet", "unsafe", "int main(void){ while(__VERIFIER_nondet_int()) {} return 0; }");
    check(
        "nondet_bounded",
        "safe",
        "int main(void){ int i=0; while(__VERIFIER_nondet_int() && i<1000) i++; return 0; }",
    );
    check(
        "nondet_reset",
        "unsafe",
        "int main(void){ int i=0; while(i<1000) { i++; if(__VERIFIER_nondet_int()) i=0; } return \
         0; }",
    );
    check(
        "nondet_two",
        "unsafe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(x>0) { if(__VERIFIER_nondet_int()) \
         x--; else x++; } return 0; }",
    );
    check(
        "nondet_lex",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(), y=__VERIFIER_nondet_int(); \
         while(x>0&&y>0) { if(__VERIFIER_nondet_int()) {x--; y=__VERIFIER_nondet_int();} else \
         y--; } return 0; }",
    );
}

#[test]
fn loops_inside_loops() {
    check(
        "inner_endless",
        "unsafe",
        "int main(void){ int n=__VERIFIER_nondet_int(); for(int i=0;i<n;i++){ int j=i; \
         while(j!=70) { if (j>70) j++; } } return 0; }",
    );
    check(
        "inner_endless2",
        "unsafe",
        "int main(void){ for(int i=0;i<100;i++){ int j=0; while(j<10) { if(i!=77) j++; } } return \
         0; }",
    );
    check(
        "inner_unreachable",
        "safe",
        "int main(void){ int n=__VERIFIER_nondet_int(); for(int i=0;i<n;i++){ if (i<0) for(;;){} \
         } return 0; }",
    );
    check(
        "inner_nondet",
        "unsafe",
        "int main(void){ int n=__VERIFIER_nondet_int(); for(int i=0;i<n;i++){ \
         while(__VERIFIER_nondet_int()) {} } return 0; }",
    );
    check(
        "nested_ok",
        "safe",
        "int main(void){ int n=__VERIFIER_nondet_int(), m=__VERIFIER_nondet_int(); for(int \
         i=0;i<n;i++) for(int j=0;j<m;j++) {} return 0; }",
    );
}

#[test]
fn flags_breaks_and_jumps() {
    check(
        "flag",
        "safe",
        "int main(void){ int n=__VERIFIER_nondet_int(), go=1, i=0; while(go){ i++; if(i>=n) go=0; \
         } return 0; }",
    );
    check(
        "flag_never",
        "unsafe",
        "int main(void){ int n=__VERIFIER_nondet_int(), go=1, i=0; while(go){ if(i<n) i++; \
         if(i>n+5 && n<1000) go=0; } return 0; }",
    );
    check(
        "forever_break",
        "safe",
        "int main(void){ int n=__VERIFIER_nondet_int(), i=0; for(;;){ if(i>=n) break; i++; } \
         return 0; }",
    );
    check(
        "forever_no_break",
        "unsafe",
        "int main(void){ int i=0; for(;;){ if(i==5) continue; i++; } return 0; }",
    );
    check(
        "do_while",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); do { x/=2; } while(x>0); return 0; }",
    );
    check(
        "goto",
        "unsafe",
        "int main(void){ int x=__VERIFIER_nondet_int(); top: if (x>3) goto top; return 0; }",
    );
}

#[test]
fn what_nobody_reaches() {
    check(
        "unsat",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); if (x>5 && x<3) for(;;){} return 0; }",
    );
    check(
        "assumed",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); __VERIFIER_assume(x>5); while(x<3) {} \
         return 0; }",
    );
}

#[test]
fn errors_and_exits_end_executions() {
    check(
        "assume_inside",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(1) { __VERIFIER_assume(x<100); x++; \
         if (x > 1000) return 0; } return 0; }",
    );
    check(
        "error_inside",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(1) { if (x>100) reach_error(); x++; \
         } return 0; }",
    );
    check(
        "exit_inside",
        "safe",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(1) { if (x>100) exit(0); if (x<-5) \
         abort(); x++; } return 0; }",
    );
    is_left_open(
        "ub_inside",
        "int main(void){ int x=__VERIFIER_nondet_int(); while(1) { if (100/x==3) return 0; x--; \
         if (x==7) return 0; } return 0; }",
    );
}

#[test]
fn recursion_ends_or_is_left_open() {
    let main = "int main(void) { return f(__VERIFIER_nondet_int()); }";
    let safe = [
        (
            "constant",
            "int g(int n) { return n <= 0 ? 0 : 1 + g(n - 1); } int f(int n) { return g(20); }",
        ),
        ("factorial", "int f(int n) { if (n <= 1) return 1; return n * f(n - 1); }"),
        ("fibonacci", "int f(int n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }"),
        (
            "mutual",
            "int g(int n); int f(int n) { if (n <= 0) return 1; return g(n - 1); } \
             int g(int n) { if (n <= 0) return 0; return f(n - 1); }",
        ),
        (
            "inputs",
            "int f(int n) { if (n <= 0 || __VERIFIER_nondet_int()) return 0; return f(n / 2); }",
        ),
    ];
    for (name, text) in safe {
        let report = report(&format!("recursion-{name}"), &format!("{text} {main}"), "auto", "20");
        assert_eq!(report["verdict"], "safe", "{name}: {report}");
    }
    let open = [
        (
            "endless",
            "int g(int n) { if (n == 0) return 0; return 1 + g(n + 1); } int f(int n) { return g(20); }",
        ),
        ("same", "int f(int n) { if (n <= 0) return 0; return f(n); }"),
        ("result", "int f(int n) { if (n <= 0) return 9; return f(f(n - 1)); }"),
        (
            "memory",
            "int left = 5; int f(int n) { if (left-- <= 0 && n > 3) return 0; return f(n - 1); }",
        ),
        (
            "not-all",
            "int f(int n) { if (n <= 0) return 0; if (n == 7) return f(n); return f(n - 1); }",
        ),
        ("loop", "int f(int n) { if (n <= 0) return 0; while (n == 8) {} return f(n - 1); }"),
    ];
    for (name, text) in open {
        let report = report(&format!("recursion-{name}"), &format!("{text} {main}"), "auto", "0.5");
        assert_ne!(report["verdict"], "safe", "{name}");
    }
}

#[test]
fn states_that_come_again() {
    check(
        "lasso_swap",
        "unsafe",
        "int main(void){ int x=1,y=2; while(x!=y){ int t=x; x=y; y=t; } return 0; }",
    );
    check(
        "lasso_array",
        "unsafe",
        "int main(void){ int a[3]={1,2,0}; int p=0; while(p<3) p=a[p]; return 0; }",
    );
    check(
        "array_ok",
        "safe",
        "int main(void){ int a[4]={1,2,3,4}; int p=0; while(p<4) p=a[p]; return 0; }",
    );
    check(
        "list_cycle",
        "unsafe",
        "struct S{struct S*n;}; int main(void){ struct S a,b; a.n=&b; b.n=&a; struct S*p=&a; \
         while(p) p=p->n; return 0; }",
    );
    check(
        "collatz1",
        "unsafe",
        "int main(void){ unsigned x=__VERIFIER_nondet_uint(); if (x!=7) return 0; while(1) { if \
         (x%2) x=3*x+1; else x=x/2; } return 0; }",
    );
    check(
        "oscillate",
        "unsafe",
        "int main(void){ int i=__VERIFIER_nondet_int(), up=0; while(i>0){ if(i==1) up=1; \
         if(i==10) up=0; if(up) i++; else i--; } return 0; }",
    );
}

#[test]
fn what_holds_at_entry_matters() {
    check(
        "gcd",
        "safe",
        "int main(void){ int a=__VERIFIER_nondet_int(), b=__VERIFIER_nondet_int(); if(a<=0||b<=0) \
         return 0; while(a!=b){ if(a>b) a-=b; else b-=a; } return 0; }",
    );
    check(
        "gcd_bad",
        "unsafe",
        "int main(void){ int a=__VERIFIER_nondet_int(), b=__VERIFIER_nondet_int(); if(a<0||b<0) \
         return 0; while(a!=b){ if(a>b) a-=b; else b-=a; } return 0; }",
    );
}

#[test]
fn calls_memory_and_uninitialised_values() {
    check(
        "call_loop",
        "unsafe",
        "int f(int x){ while(x>0) { if (x<100) x--; } return x; } int main(void){ return \
         f(__VERIFIER_nondet_int()); }",
    );
    check(
        "global",
        "unsafe",
        "int g; void f(void){ if (g<10) g++; } int main(void){ while(g<11) f(); return 0; }",
    );
    check(
        "pointer_flag",
        "unsafe",
        "int main(void){ int stop=0; int *p=&stop; int n=__VERIFIER_nondet_int(); while(!*p) { if \
         (n==3) *p=1; } return 0; }",
    );
    check("uninit", "unsafe", "int main(void){ int x; while(x>0) {} return 0; }");
}

#[test]
fn microc_errors_end_executions() {
    check(
        "m_count",
        "safe",
        "main() { var n, i; n = input; i = 0; while (i < n) { i = i + 1; } return 0; }",
    );
    check(
        "m_endless",
        "unsafe",
        "main() { var n; n = input; while (n > 0) { n = n + 1; } return 0; }",
    );
    check(
        "m_error",
        "safe",
        "main() { var n, x; n = input; x = 1; while (n < 2000) { x = 1 / (n - 1000); n = n + 1; } \
         return 0; }",
    );
    check("m_null", "safe", "main() { var p; p = null; while (1 > 0) { output *p; } return 0; }");
    check(
        "m_minus_two",
        "unsafe",
        "main() { var n; n = input; while (n != 0) { n = n - 2; } return 0; }",
    );
    check(
        "m_inputs",
        "unsafe",
        "main() { var n; n = input; while (n > 0) { n = input; } return 0; }",
    );
    is_left_open(
        "m_rec",
        "f(n) { var r; r = 0; if (n != 0) { r = f(n + 1); } return r; } main() { return f(1); }",
    );
}

#[test]
fn the_state_behind_an_approximation_proves_but_never_refutes() {
    let begin = "int main(void) { int x = __VERIFIER_nondet_int(), y = 0; \
                 while (x > 0 && y < 1000) { y += 1; x = x * x - y * x + __VERIFIER_nondet_int(); }";
    check("after-ranked", "safe", &format!("{begin} while (x > 0) x--; return 0; }}"));
    let report =
        report("after-open", &format!("{begin} while (x > 0) {{}} return 0; }}"), "auto", "0.5");
    assert_ne!(report["verdict"], "safe");
}

#[test]
fn a_violation_says_where_and_with_which_inputs() {
    let text = "int main(void) {\n  if (__VERIFIER_nondet_int() == 4)\n    \
                while (__VERIFIER_nondet_int() != 2) {}\n  return 0;\n}\n";
    let report = report("inputs", text, "auto", "20");
    let violation = &report["violation"];
    assert_eq!(report["property"], "termination");
    assert_eq!(violation["kind"], "non-termination");
    assert_eq!(violation["function"], "main");
    assert_eq!((&violation["line"], &violation["column"]), (&json!(6), &json!(12)));
    assert_eq!(violation["inputs"], json!([{ "value": 4, "line": 5 }]));
    assert_eq!(violation["forever"][0]["line"], 6);
    assert_ne!(violation["forever"][0]["value"], 2);
    // How long a replay was watched means nothing.
    assert_eq!(violation["iterations"], Json::Null);
    assert!(violation["story"].to_string().contains("runs for ever"), "{violation:#}");
    assert!(violation["replay"].as_str().is_some_and(|command| command.contains("--max-steps")));
}

/// After how many steps the command stops that a report names.
fn steps_of_replay(report: &Json) -> String {
    let command = report["violation"]["replay"].as_str().expect("a command");
    let steps = command.split("--max-steps ").nth(1).expect("a limit");
    steps.split(' ').next().expect("a number").to_owned()
}

#[test]
fn what_is_told_is_the_loop_that_never_ends() {
    // The first loop takes long, and ends.
    let text = "long v1;
        int main(void) { int v0 = 0; unsigned v3 = 0;
          for (; v1 != 1000000; v1 += 2) { v3 = ((v0 * 1000000) + 3); v0 = (((-128) - 5) * v1); v0 = -((8 + 32767)); }
          v0 = __VERIFIER_nondet_int();
          while (__VERIFIER_nondet_int()) { v0 = v3; }
          return 0; }";
    let report = report("late", text, "auto", "20");
    assert_eq!(report["verdict"], "unsafe", "{report:#}");
    let violation = &report["violation"];
    let story: Vec<&str> = violation["story"]
        .as_array()
        .map(|lines| lines.iter().filter_map(Json::as_str).collect())
        .unwrap_or_default();
    assert!(story.iter().any(|line| line.contains("500,000 iterations")), "{story:#?}");
    let endless: Vec<&&str> = story.iter().filter(|line| line.contains("for ever")).collect();
    let line = violation["line"].to_string();
    assert!(endless.len() == 1 && endless[0].contains(&format!("line {line}")), "{story:#?}");
    // Half a million iterations of ten steps and more.
    let steps: u64 = steps_of_replay(&report).parse().expect("a number");
    assert!(steps > 5_000_000 && steps.is_multiple_of(1_000_000), "{steps}");
}
