//! `loupe verify` on programs whose loops write arrays where elements, inputs or counters say; each with a claim that holds and one that does not.

use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

/// An array of as many indices as an input says, what a program does with them, and a claim.
fn verdict(name: &str, body: &str, claim: &str) -> String {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) {{ abort(); }}
         int a[1000], b[1000], w[1000], A[1000][8];
         int main(void) {{
             int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), j = 0, width = 8;
             if (n < 1 || n > 1000 || x < 0 || x >= n) return 0;
             for (int i = 0; i < n; i++) {{ int y = __VERIFIER_nondet_int(); if (y < 0 || y >= 100) return 0; a[i] = y; }}
             {body}
             if (!({claim})) reach_error();
             return 0;
         }}"
    );
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("scattered-{name}.c"));
    fs::write(&file, text).expect("a file");
    let call = Loupe::new(["verify".into(), file]);
    let arguments = ["--format", "json", "--timeout", "20", "--property", "unreach-call"];
    let run = call.args(arguments).run();
    let report: Json =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{run}"));
    report["verdict"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn elements_say_where() {
    let marks = "for (int i = 0; i < n; i++) w[a[i]] = 1;";
    let last = "for (int i = 0; i < n; i++) w[a[i]] = i;";
    let some = "for (int i = 0; i < n; i++) if (a[i] > 5) w[a[i]] = i + 1;";
    let two = "for (int i = 0; i < n; i++) { w[a[i]] = 1; w[a[i] + 1] = 2; }";
    let again = "for (int i = 0; i < n; i++) w[7] = i;";
    let rows = "for (int i = 0; i < n; i++) { int id = a[i]; for (int k = 0; k < width; k++) A[id][k] = id + k; }";
    for (name, body, holds, fails) in [
        ("marks", marks, "w[a[x]] == 1", "w[x] == 1"),
        ("last", last, "w[a[x]] >= x && a[w[a[x]]] == a[x]", "w[a[x]] == x"),
        ("some", some, "a[x] <= 5 || w[a[x]] > x", "w[a[x]] > x"),
        ("two", two, "w[a[n - 1] + 1] == 2", "w[a[x]] == 1"),
        ("again", again, "w[7] == n - 1", "w[7] != 40"),
        ("rows", rows, "A[a[x]][3] == a[x] + 3", "A[x][3] == x + 3"),
    ] {
        assert_eq!(verdict(&format!("{name}-holds"), body, holds), "safe", "{name}: {holds}");
        assert_eq!(verdict(&format!("{name}-fails"), body, fails), "unsafe", "{name}: {fails}");
    }
}
