//! The same command gives the same output, byte for byte, times aside, with any number of threads (of `explore`: above one).

use loupe_tests::corpus::check_all;
use loupe_tests::process::Loupe;
use loupe_tests::{files_below, root};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// What is no time but says how far others were when they were stopped, which is a matter of time as well.
const MATTERS_OF_TIME: [&str; 3] = ["seconds", "solver_seconds", "peak_memory_bytes"];

/// All that a run says, times aside; whether the clock has cut it short.
fn said(file: &Path, jobs: &str) -> Result<(String, bool), String> {
    let call = Loupe::new(["verify".into(), file.to_owned()]);
    let run = call.args(["--format", "json", "--timeout", "10", "--jobs", jobs]).run();
    if run.status == 3 {
        return Ok((format!("{}{}", run.stdout, run.stderr), false));
    }
    let report = serde_json::from_str(&run.stdout);
    let mut report: Json = report.map_err(|error| format!("{}: {error}\n{run}", file.display()))?;
    if let Some(stats) = report["stats"].as_object_mut() {
        stats.retain(|name, _| !MATTERS_OF_TIME.contains(&name.as_str()));
    }
    if let Some(report) = report.as_object_mut() {
        report.remove("members");
    }
    let ends = ["the time is over", "there was no time left"];
    let said = format!("{} {}", report["reasons"], report["loops"]);
    let is_cut_short = ends.iter().any(|end| said.contains(end));
    Ok((format!("{}\n{report:#}\n{}", run.status, run.stderr), is_cut_short))
}

/// Loops that are hard to summarise: how far a summary is come does not depend on how fast that is.
const BUSY: [(&str, &str); 2] = [
    (
        "unreach-call",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void abort(void);
static int in(int lo, int hi) { int x = __VERIFIER_nondet_int(); if (x < lo || x > hi) abort(); return x; }
int main(void) {
  short a = 0; unsigned int c = 0; unsigned char d = 67;
  a = in(1, 6); c = in(250, 253); d = in(-3, -2);
  L1: d -= 1; a -= c; d |= 1000;
  if (((a % 4 == 0) && (d % 5 == 1))) goto L1;
  if (d > 253LL || d < 252LL) reach_error();
  return 0;
}",
    ),
    (
        "termination",
        "extern int __VERIFIER_nondet_int(void); extern void abort(void);
static int in(int lo, int hi) { int x = __VERIFIER_nondet_int(); if (x < lo || x > hi) abort(); return x; }
int main(void) {
  signed char a = 0; unsigned long long c = 5; long long d = 5; short i1 = 0;
  a = in(0, 2); c = in(1, 4);
  for (i1 = 20000; i1 > 255; i1--) {
    if ((-1 > c)) {
      if ((c >= c)) break;
      if (((d > a) || (a < (-2 - i1)))) continue;
      a = ((i1 >> 2) / 3);
    } else { d ^= 1; if (((c % 4 == 1) || (d != i1))) continue; }
  }
  return 0;
}",
    ),
];

#[test]
fn work_counts_the_same_on_a_busy_machine() {
    for (number, (property, text)) in BUSY.iter().enumerate() {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("busy-{number}.c"));
        std::fs::write(&file, text).expect("a file");
        let said = || {
            let call = Loupe::new(["verify".into(), file.clone()]);
            let call = call.args(["--property", property, "--members", "execution"]);
            let run = call.args(["--format", "json", "--timeout", "50"]).run();
            let report: Json = serde_json::from_str(&run.stdout).expect("JSON");
            let effort = &report["members"][0]["effort"];
            // All techniques, and what is said of those that do not win. What is found out of loops afterwards has a time of its own.
            let call = Loupe::new(["verify".into(), file.clone()]);
            let run = call.args(["--property", property, "--explain", "--timeout", "50"]).run();
            let how = run.stdout.split_once("how:").map_or("", |(_, how)| how);
            format!("{}, {effort}\n{how}", report["verdict"])
        };
        // Several at once are slower, each in its own way.
        let all: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(said)).collect();
            threads.into_iter().map(|thread| thread.join().expect("it runs")).collect()
        });
        let alone = said();
        assert!(all.iter().all(|one| *one == alone), "{alone}\n{all:#?}");
    }
}

/// Errors on many paths, and branches that depend on earlier ones.
const BRANCHES: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int a[COUNT], sum = 0, odd = 0;
  for (int i = 0; i < COUNT; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] > 3 * i) sum += a[i] - 2; else odd++;
    if (i > 4 && a[i] < a[i - 2]) odd += 2;
  }
  if (odd > 12) reach_error();
  if (sum == 47) reach_error();
  return 0;
}
";

/// What `explore` says with so many threads, times aside.
fn explored(file: &Path, jobs: &str, more: &[&str]) -> String {
    let call = Loupe::new(["explore".into(), file.to_owned()]);
    let usual = ["--jobs", jobs, "--timeout", "300", "--max-iterations", "20"];
    let text = call.args(usual).args(more).run();
    let is_figure =
        |line: &&str| !line.starts_with("queries:") && !line.starts_with("subsumption:");
    let text = text.stdout.lines().filter(is_figure).collect::<Vec<_>>().join("\n") + &text.stderr;
    let call = Loupe::new(["explore".into(), file.to_owned()]);
    let run = call.args(usual).args(more).args(["--format", "json"]).run();
    let mut report: Json = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["stopped"], "all paths were explored", "{report:#}");
    if let Some(report) = report.as_object_mut() {
        report.retain(|name, _| !MATTERS_OF_TIME.contains(&name.as_str()));
    }
    if let Some(subsumption) = report["subsumption"].as_object_mut() {
        subsumption.remove("seconds");
    }
    format!("{}\n{text}\n{report:#}", run.status)
}

#[test]
fn an_exploration_is_the_same_with_any_number_of_threads() {
    // Enough paths for several parts, where states do not become fewer.
    let ways: [(u32, &[&str]); 5] = [
        (8, &[]),
        (8, &["--search", "random", "--seed", "7"]),
        (8, &["--search", "dfs", "--merge", "dynamic"]),
        (6, &["--merge", "aggressive", "--loops", "auto"]),
        (6, &["--subsume", "--search", "coverage"]),
    ];
    for (count, more) in ways {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("branches-{count}.c"));
        std::fs::write(&file, BRANCHES.replace("COUNT", &count.to_string())).expect("a file");
        let first = explored(&file, "2", more);
        for jobs in ["2", "3", "5"] {
            assert_eq!(first, explored(&file, jobs, more), "{more:?} with {jobs} threads");
        }
    }
}

#[test]
fn a_verdict_is_the_same_every_time() {
    let folders = ["documents", "loops", "programs/c", "testgen", "../examples"];
    let files = folders.iter().flat_map(|folder| files_below(&root().join(folder)));
    let is_program = |file: &PathBuf| {
        file.extension().is_some_and(|extension| extension == "c" || extension == "uc")
    };
    let files: Vec<PathBuf> = files.filter(is_program).collect();
    assert!(files.len() > 48, "only {} programs", files.len());
    check_all("programs with the same answer every time", &files, |file| {
        let (first, is_cut_short) = said(file, "1")?;
        for jobs in ["1", "2"] {
            let (again, is_again_cut_short) = said(file, jobs)?;
            // Where the clock has the last word, less is promised.
            if first != again && !is_cut_short && !is_again_cut_short {
                let file = file.display();
                return Err(format!("{file} with {jobs} jobs:\n{first}\nand then\n{again}"));
            }
        }
        Ok(())
    });
}
