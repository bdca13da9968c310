//! Campaigns that are killed, interrupted and continued, and runs that crash. Linux only: processes are found in `/proc`.

use super::{
    ENDLESS, SAFE, UNSAFE, answers, bench, check_status, folder, journalled, results, write,
};
use loupe_tests::process::{Finished, finish};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// So often a campaign is killed.
const KILLS: u32 = 20;
/// After so long, what should have happened has not.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(home: &Path, arguments: &[&str]) -> Child {
    let mut command = bench(home, arguments).command();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("loupe starts")
}

fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal can be sent");
}

fn ended(child: Child) -> Finished {
    finish(child, Instant::now()).expect("it ends")
}

/// The processes whose command line has a word that ends so.
fn processes_about(name: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_about = |process: &u32| {
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word.ends_with(name.as_bytes()))
    };
    numbers.filter(is_about).collect()
}

/// The process that has started a process.
fn parent(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    line.trim().parse().ok()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Programs that are quick, so that many runs end in little time.
fn quick_programs(home: &Path) -> PathBuf {
    let programs = home.join("programs");
    fs::create_dir(&programs).expect("a folder");
    for number in 0..8 {
        let text = if number % 2 == 0 { SAFE } else { UNSAFE };
        write(&programs, &[(&format!("p{number}.uc"), text)]);
    }
    programs
}

#[test]
fn killing_it_at_any_moment_loses_no_run_that_has_ended() {
    let home = folder("killed");
    quick_programs(&home);
    let usual = ["programs", "--timeout", "20", "--config", "a:", "--config", "b: loops=unroll"];
    let run = bench(&home, &usual).args(["-o", "whole"]).run();
    check_status(&run, 0);
    let whole = run.time;
    let (mut campaign, mut kills, mut attempts) = (0, 0, 0);
    let mut before: (Vec<u8>, BTreeSet<(String, String)>) = Default::default();
    while kills < KILLS {
        attempts += 1;
        assert!(attempts <= 20 * KILLS, "it ends before it can be killed");
        let out = format!("out{campaign}");
        let mut child = start(&home, &[&usual[..], &["--resume", "-o", &out]].concat());
        // Moments all over the first half of the time that a campaign takes, in no order.
        sleep(whole.mul_f64(f64::from(attempts * 7919 % 100) / 200.0));
        kills += u32::from(child.try_wait().expect("it can be asked").is_none());
        child.kill().expect("it can be killed, or is gone");
        child.wait().expect("it is gone");
        let journal = fs::read(home.join(&out).join("journal.jsonl")).unwrap_or_default();
        assert!(journal.starts_with(&before.0), "a journal is only ever added to");
        let runs = journalled(&home.join(&out));
        let distinct: BTreeSet<_> = runs.iter().cloned().collect();
        assert!(distinct.is_superset(&before.1), "no run is lost");
        assert_eq!(distinct.len(), runs.len(), "no run is made twice");
        before = (journal, distinct);
        if before.1.len() == 16 {
            (campaign, before) = (campaign + 1, Default::default());
        }
    }
    let out = format!("out{campaign}");
    check_status(&bench(&home, &usual).args(["--resume", "-o", &out]).run(), 0);
    let runs = journalled(&home.join(&out));
    assert_eq!((runs.len(), BTreeSet::from_iter(runs).len()), (16, 16));
    assert_eq!(answers(&results(&home.join(&out))), answers(&results(&home.join("whole"))));
}

#[test]
fn a_torn_line_is_done_again() {
    let home = folder("torn");
    write(&home, &[("a.uc", SAFE), ("b.uc", UNSAFE)]);
    let call = ["a.uc", "b.uc", "--timeout", "20", "--jobs", "1", "-o", "out"];
    check_status(&bench(&home, &call).run(), 0);
    let path = home.join("out/journal.jsonl");
    let whole = fs::read(&path).expect("a journal");
    fs::write(&path, &whole[..whole.len() - 30]).expect("it can be cut");
    let again = bench(&home, &call).run();
    check_status(&again, 3);
    assert!(again.stderr.contains("has 1 runs of an earlier call: `--resume`"), "{again}");
    let resumed = bench(&home, &call).args(["--resume"]).run();
    check_status(&resumed, 0);
    assert!(resumed.stderr.contains("1 torn line(s)"), "{resumed}");
    assert_eq!(journalled(&home.join("out")).len(), 2);
    assert_eq!(answers(&results(&home.join("out"))).len(), 2);
    // What has changed is another run.
    write(&home, &[("a.uc", UNSAFE)]);
    check_status(&bench(&home, &call).args(["--resume"]).run(), 0);
    assert_eq!(journalled(&home.join("out")).len(), 3);
}

#[test]
fn an_interrupt_ends_it_cleanly_and_leaves_no_process() {
    for (signal_name, status) in [("-INT", Some(2)), ("-TERM", Some(2)), ("-KILL", None)] {
        let home = folder(&format!("interrupted{signal_name}"));
        let endless = format!("endless{signal_name}.uc");
        write(&home, &[("a.uc", SAFE), (&endless, ENDLESS)]);
        let child = start(
            &home,
            &[
                "a.uc",
                &endless,
                "--jobs",
                "2",
                "--timeout",
                "100",
                "--config",
                "tree: command=explore",
                "-o",
                "out",
            ],
        );
        wait_until("the first run ends", || journalled(&home.join("out")).len() == 1);
        // The campaign names the file too.
        wait_until("the other one runs", || processes_about(&endless).len() >= 2);
        signal(child.id(), signal_name);
        let run = ended(child);
        if let Some(status) = status {
            check_status(&run, status);
            assert!(run.stderr.contains("1 of 2 runs are missing; `--resume`"), "{run}");
            assert!(run.stdout.contains("1 runs are missing"), "{run}");
            assert!(home.join("out/report.html").is_file());
        }
        assert_eq!(journalled(&home.join("out")).len(), 1, "half a run is none");
        wait_until("nobody is left behind", || processes_about(&endless).is_empty());
    }
}

#[test]
fn a_run_that_crashes_is_a_row() {
    let home = folder("crashed");
    write(&home, &[("crashing-run.uc", ENDLESS), ("good.uc", SAFE)]);
    let child = start(
        &home,
        &[
            "crashing-run.uc",
            "good.uc",
            "--jobs",
            "1",
            "--timeout",
            "100",
            "--config",
            "tree: command=explore",
            "-o",
            "out",
        ],
    );
    let mut run = None;
    wait_until("it runs", || {
        // The command that the campaign has started, not the worker of that command.
        run = processes_about("crashing-run.uc")
            .into_iter()
            .find(|process| parent(*process) == Some(child.id()));
        run.is_some()
    });
    signal(run.expect("it runs"), "-ABRT");
    let run = ended(child);
    check_status(&run, 0);
    let rows = answers(&results(&home.join("out")));
    assert!(rows[0].contains("\"crashed\"") && rows[1].contains("\"safe\""), "{rows:?}");
    assert!(run.stdout.contains("signal 6"), "{run}");
}

#[test]
fn nobody_else_writes_to_the_same_folder() {
    let home = folder("locked");
    write(&home, &[("endless-lock.uc", ENDLESS)]);
    let call =
        ["endless-lock.uc", "--timeout", "100", "--config", "tree: command=explore", "-o", "out"];
    let child = start(&home, &call);
    wait_until("it runs", || processes_about("endless-lock.uc").len() >= 2);
    let second = bench(&home, &call).run();
    signal(child.id(), "-INT");
    ended(child);
    check_status(&second, 3);
    assert!(second.stderr.contains("another `loupe bench` is writing to `out`"), "{second}");
}
