//! A second opinion: cvc5, where it is set up.

use std::io::Write;
use std::process::{Command, Stdio};

/// What cvc5 answers to a script, line by line, with so many milliseconds for each question. Where it is missing that is told, or fails if it must be there.
pub fn ask(script: &str, milliseconds: u32) -> Option<Vec<String>> {
    let home = crate::root().join("..");
    if !home.join(".deps/cvc5").exists() {
        let missing = "cvc5 is not set up: run `python3 scripts/setup-cvc5.py`";
        assert!(std::env::var_os("LOUPE_REQUIRE_CVC5").is_none(), "{missing}");
        crate::tell(&format!("SKIPPED: {missing}"));
        return None;
    }
    let mut process = Command::new("python3")
        .arg(home.join("scripts/cvc5-stdin.py"))
        .arg(milliseconds.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut input = process.stdin.take().expect("a pipe");
    input.write_all(format!("{script}(reset)\n").as_bytes()).expect("cvc5 reads");
    drop(input);
    let output = process.wait_with_output().expect("cvc5 ends").stdout;
    Some(String::from_utf8(output).expect("text").lines().map(str::to_owned).collect())
}
