//! `loupe test --loops summary`: runs on the generated inputs go over iterations, and show all the same what a run shows that does not.

use loupe_tests::corpus::{check_all, folder as corpus};
use loupe_tests::process::Loupe;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void abort(void);\n";

/// Programs with more iterations than are executed before the rest is gone over, and few enough to be executed.
const PROGRAMS: [(&str, &str); 8] = [
    (
        "phases",
        "int main(void) { unsigned x = 0, y = 0;
           while (x < 300000) { if (x < 1000) x++; else { x += 2; y++; } }
           if (y == 149500) reach_error(); return 0; }",
    ),
    // The counter is of no use behind the loop, and the way out is found by it.
    (
        "dead",
        "int main(void) { int s = 1; for (int i = 0; i < 200000; i++) s += 3;
           if (s == 600001) reach_error(); else return 1; return 0; }",
    ),
    ("middle", "int main(void) { int i = 0; while (i < 400000) { i++; if (i == 150000) break; } return i == 150000; }"),
    // The header changes what it reads.
    ("header", "int main(void) { int i = 0; while (i++ < 200000) { } if (i == 200001) reach_error(); return 0; }"),
    ("footer", "int main(void) { int i = 0, s = 0; do { i++; s += 2; } while (i < 200000); if (s == 400000) reach_error(); return 0; }"),
    (
        "call",
        "int f(int x, int n) { while (x < n) x += 3; return x; }
         int main(void) { int a = f(0, 300001); int b = f(a % 7, 600000);
           if (b == 600001) return 1; if (b == 600002) return 2; return 3; }",
    ),
    (
        "nested",
        "int main(void) { int s = 0; for (int i = 0; i < 500; i++) { for (int j = 0; j < 400; j++) s++; }
           if (s == 200000) return 1; return 0; }",
    ),
    (
        "unequal",
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, z = 0; if (n < 0 || n > 200000) abort();
           while (i != n) { if (z > i) i++; else z++; } if (i == 150000 && z == i) reach_error(); return 0; }",
    ),
];

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("testgen-loops-{name}"));
    // It may be there from the last time.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// The tests for a program.
fn tests(file: &Path, out: &Path, options: &[&str]) -> Result<Json, String> {
    let call = Loupe::new(["test".as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()]);
    let call = call.args(["--format", "json", "--timeout", "6", "--force"]);
    let run = call.args(options.iter().copied()).run();
    if run.status > 2 {
        return Err(format!("{}: {run}", file.display()));
    }
    serde_json::from_str(&run.stdout).map_err(|error| format!("{}: {error}\n{run}", file.display()))
}

/// What a test expects is what running its input shows.
fn check_run(file: &Path, out: &Path, test: &Json) -> Result<(), String> {
    let input = out.join(format!("{}.in", test["name"].as_str().unwrap_or_default()));
    let call =
        Loupe::new(["run".as_ref(), file.as_os_str(), "--input-file".as_ref(), input.as_os_str()]);
    let run = call.args(["--format", "json"]).run();
    let found: Json =
        serde_json::from_str(&run.stdout).map_err(|error| format!("{error}\n{run}"))?;
    let expected = &test["expected"];
    let same = found["error"]["kind"] == expected["error"]["kind"]
        && (expected["status"].is_null() || found["result"] == expected["status"]);
    if same { Ok(()) } else { Err(format!("{}: {test:#}\n{run}", file.display())) }
}

/// The branches that are left.
fn uncovered(tests: &Json) -> Vec<String> {
    tests["uncovered"].as_array().into_iter().flatten().map(Json::to_string).collect()
}

#[test]
fn what_is_gone_over_is_covered_as_if_it_was_executed() {
    check_all("programs with long loops", &PROGRAMS, |(name, text)| {
        let folder = folder(name);
        let file = folder.join("program.c");
        fs::write(&file, format!("{BEGIN}{text}\n")).map_err(|error| error.to_string())?;
        let out = folder.join("tests");
        let found = tests(&file, &out, &["--loops", "summary"])?;
        let own = found["tests"].as_array().map_or(&[][..], Vec::as_slice);
        own.iter().try_for_each(|test| check_run(&file, &out, test))?;
        // Without a limit that matters, runs are not cut short, and nothing is gone over.
        let executed = tests(&file, &folder.join("executed"), &["--loops", "unroll"])?;
        let (mine, theirs) = (uncovered(&found), uncovered(&executed));
        let more: Vec<&String> = mine.iter().filter(|way| !theirs.contains(way)).collect();
        if !more.is_empty() {
            return Err(format!("{name}: only execution covers {more:?}"));
        }
        let claims = theirs.iter().filter(|way| !mine.contains(way));
        let is_complete = executed["stopped"] == "all paths were explored";
        match claims.collect::<Vec<_>>() {
            claims if is_complete && !claims.is_empty() => {
                Err(format!("{name}: execution does not cover {claims:?}"))
            }
            _ => Ok(()),
        }
    });
}

/// Iterations are gone over, and tests say so.
#[test]
fn what_no_run_covers_is_not_covered() {
    // What is in g is 100000, which an approximation does not know.
    let text = "unsigned g; int main(void) {
        unsigned h = __VERIFIER_nondet_int(), c = 0, a = 40000, b = 60000; int x = 0;
        while (c < 1000) {
            unsigned t = a; a = b; b = t;
            if (h % 3 == 1) { h = h*5 + c; } else { h = h*h; a = a+b; b = a-b; a = a-b; }
            c++;
        }
        g = a + b; unsigned i = 0; while (i < g) i++;
        if (i > 150000) x = 1;
        return x; }";
    let out = folder("uncovered");
    let file = out.with_extension("c");
    fs::write(&file, format!("{BEGIN}{text}")).expect("a file");
    let tests = tests(&file, &out, &["--loops", "summary"]).expect("tests");
    let uncovered = uncovered(&tests);
    assert!(uncovered.iter().any(|branch| branch.contains("\"line\":10")), "{uncovered:?}");
}

#[test]
fn tests_say_what_was_gone_over() {
    let (name, text) = PROGRAMS[0];
    let folder = folder("says");
    let file = folder.join("program.c");
    fs::write(&file, format!("{BEGIN}{text}\n")).expect("a file");
    let found = tests(&file, &folder.join("tests"), &["--loops", "summary"]).expect(name);
    let jumps = &found["tests"][0]["jumps"];
    assert_eq!(jumps[0]["iterations"], 150_500, "{found:#}");
    assert_eq!(jumps[0]["line"], 3, "{found:#}");
}

/// The programs of Proteus' Table 6: the branches that no input takes, of all that there are, and whether there is an error.
const DEEP: [(&str, u64, u64, bool); 6] = [
    ("functions_false-unreach-call1.i", 3, 4, true),
    ("phases_false-unreach-call1.i", 5, 6, true),
    ("overflow_true-unreach-call1.i", 3, 4, false),
    ("multivar_false-unreach-call1.i", 3, 4, true),
    ("simple_false-unreach-call1.i", 3, 4, true),
    ("simple_false-unreach-call2.i", 4, 4, true),
];

#[test]
fn deep_loops_of_proteus() {
    let Some(programs) = corpus("svcomp16/loop-acceleration") else { return };
    check_all("deep loops of Proteus", &DEEP, |(name, covered, total, fails)| {
        let options = ["--loops", "summary", "--data-model", "ILP32"];
        let found = tests(&programs.join(name), &folder(name), &options)?;
        let branches = &found["coverage"]["branches"];
        let own = found["tests"].as_array().map_or(&[][..], Vec::as_slice);
        let ends: Vec<&str> =
            own.iter().filter_map(|test| test["expected"]["end"].as_str()).collect();
        let errors = own.iter().filter(|test| test["purpose"] == "error").count();
        // No run is cut off, and the one branch that is left is the other outcome of the assertion.
        let is_right = branches["covered"] == *covered
            && branches["total"] == *total
            && errors == usize::from(*fails)
            && !ends.contains(&"stopped");
        if is_right { Ok(()) } else { Err(format!("{name}: {found:#}")) }
    });
}

/// Branches that a search does not come to, and that a condition on counts of iterations gives inputs for, or a proof that there are none.
#[test]
fn open_branches_are_asked_for() {
    let folder = folder("guided");
    let file = folder.join("program.c");
    let text = "int numbers[100];
        int main(void) { int n = __VERIFIER_nondet_int(), ones = 0; if (n < 0 || n > 100) return 0;
          for (int i = 0; i < 100; i++) numbers[i] = __VERIFIER_nondet_int();
          for (int i = 3; i < n; i++) if (numbers[i] == 1) ones++;
          if (ones > 97)
            return 2;
          if (ones > 15)
            return 1;
          return 3; }
        int never(int x) { return x > 3; }";
    fs::write(&file, format!("{BEGIN}{text}\n")).expect("a file");
    let out = folder.join("tests");
    let found = tests(&file, &out, &["--guide"]).expect("tests");
    let lines = |what: &str| -> Vec<(u64, String)> {
        let all = found[what].as_array().expect("branches").iter();
        let line = |way: &Json| way["line"].as_u64().unwrap_or_default();
        all.map(|way| (line(way), way["way"].as_str().unwrap_or_default().to_owned())).collect()
    };
    // Of 97 numbers, not more than 97 are ones.
    let unreachable = lines("unreachable");
    assert!(unreachable.contains(&(6, "true".to_owned())), "{found:#}");
    assert!(lines("uncovered").is_empty(), "{found:#}");
    assert_eq!(found["coverage"]["branches"]["unreachable"], unreachable.len(), "{found:#}");
    for test in found["tests"].as_array().expect("tests") {
        check_run(&file, &out, test).expect("what the test says");
    }
    let text = Loupe::new(["test".as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()]);
    let run = text.args(["--guide", "--force", "--timeout", "20"]).run();
    assert!(
        run.stdout.contains("proved unreachable") && run.stdout.contains("unreachable: "),
        "{run}"
    );
}

/// What comes behind something undefined is not unreachable, unless the user says that nothing undefined happens.
#[test]
fn undefined_behaviour_is_no_proof() {
    let folder = folder("guided-undefined");
    let file = folder.join("program.c");
    let text = "int a[4]; int main(void) { int i = __VERIFIER_nondet_int(), x = a[i];
          if (i < 0)
            return 1;
          return x; }";
    fs::write(&file, format!("{BEGIN}{text}\n")).expect("a file");
    for (more, expected) in [(&[][..], 0), (&["--assume-defined"][..], 1)] {
        let out = folder.join("tests");
        let options = [&["--guide", "--property", "unreach-call"][..], more].concat();
        let found = tests(&file, &out, &options).expect("tests");
        let unreachable = found["unreachable"].as_array().expect("branches").len();
        assert_eq!(unreachable, expected, "{found:#}");
    }
}
