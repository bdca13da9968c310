//! The C program that asks the C library.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The size of what a `scanf` argument points to in the driver.
pub(crate) const TARGET_SIZE: usize = 256;

/// Cases in the form in which the driver reads them.
#[derive(Default)]
pub(crate) struct Cases(Vec<u8>);

impl Cases {
    pub(crate) fn kind(&mut self, kind: u8) {
        self.0.push(kind);
    }

    pub(crate) fn number(&mut self, number: usize) {
        self.0.extend(u32::try_from(number).expect("a small number").to_le_bytes());
    }

    pub(crate) fn block(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend(bytes);
    }

    /// What the C library says; `name` is that of the test.
    pub(crate) fn run(&self, name: &str) -> Answers {
        let path = directory().join(format!("{name}.cases"));
        std::fs::write(&path, &self.0).expect("the cases can be written");
        let input = File::open(&path).expect("the cases can be read");
        let output = Command::new(program())
            .env("LC_ALL", "C")
            .stdin(input)
            .output()
            .expect("the driver runs");
        assert!(output.status.success(), "the driver failed: {output:?}");
        Answers { bytes: output.stdout, at: 0 }
    }
}

/// The results of cases, in order.
pub(crate) struct Answers {
    bytes: Vec<u8>,
    at: usize,
}

impl Answers {
    pub(crate) fn bytes(&mut self, count: usize) -> &[u8] {
        let start = self.at;
        self.at += count;
        &self.bytes[start..self.at]
    }

    pub(crate) fn number(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes(4).try_into().expect("four bytes"))
    }

    pub(crate) fn block(&mut self) -> Vec<u8> {
        let length = self.number();
        self.bytes(usize::try_from(length).expect("a length")).to_vec()
    }

    pub(crate) fn end(&self) {
        assert_eq!(self.at, self.bytes.len(), "all answers were looked at");
    }
}

fn directory() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text/driver.c");
        let program = directory().join("text-driver");
        let status = Command::new("gcc")
            .args(["-O1", "-w", "-fno-builtin", "-o"])
            .args([&program, &source])
            .status()
            .expect("gcc runs");
        assert!(status.success(), "gcc accepts the driver");
        program
    })
}

/// The C library that was asked. Other versions differ in corners of `scanf` and of `%Lf`.
fn version() -> String {
    let output = Command::new(program()).arg("version").output().expect("the driver runs");
    format!("glibc {}", String::from_utf8_lossy(&output.stdout).trim_end())
}

/// The differences between two programs, a few of them shown.
#[derive(Default)]
pub(crate) struct Differences {
    shown: Vec<String>,
    count: usize,
}

impl Differences {
    pub(crate) fn check(&mut self, same: bool, message: impl FnOnce() -> String) {
        if !same {
            self.count += 1;
            if self.shown.len() < 12 {
                self.shown.push(message());
            }
        }
    }

    pub(crate) fn finish(self) {
        if self.count != 0 {
            panic!("{} differences to {}:\n{}", self.count, version(), self.shown.join("\n"));
        }
    }
}

/// Bytes as text.
pub(crate) fn show(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}
