//! Random loops, which the tests of `loupe-loops` summarise and compare with running them: the share of them that is exact.

use crate::tool::{home, percent, setting};
use std::process::Command;
use std::time::Instant;

pub(crate) fn print() -> Result<(), String> {
    let number: u64 = setting("LOUPE_FUZZ").unwrap_or(1_000);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(home()).env("LOUPE_FUZZ", number.to_string());
    command.args(["test", "--release", "--locked", "-q", "-p", "loupe-loops", "--test", "shapes"]);
    let start = Instant::now();
    let output = command.args(["random", "--", "--nocapture"]).output();
    let output = output.map_err(|error| format!("cargo does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = 0;
    for line in text.lines() {
        // Tests print beside each other: the sentence may stand behind a dot.
        let words: Vec<&str> = line.trim_start_matches('.').split_whitespace().collect();
        if let [exact, "of", all, kind, "loops", ..] = words[..]
            && let (Ok(exact), Ok(all)) = (exact.parse(), all.parse())
        {
            println!("  {kind:<12} {exact:>6} of {all} are exact, {:.0} %", percent(exact, all));
            found += 1;
        }
    }
    if !output.status.success() || found == 0 {
        return Err(format!("the tests failed\n{text}{}", String::from_utf8_lossy(&output.stderr)));
    }
    println!("  all of them agree with running them; {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
