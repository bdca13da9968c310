//! A harness for C programs: runs generated tests on what gcc makes of the program.
//!
//! The program is compiled from where it is. What it takes from its environment comes from `harness.c`,
//! a file of this crate that is written out as it stands; the same goes for `check.sh`.

use loupe_engine::concrete::End;
use loupe_engine::value::Value;
use loupe_integer::Integer;
use loupe_ir::check::CheckKind;
use loupe_symbolic::testgen::{Suite, Test, Uninitialised};
use std::fmt::Write;

/// What programs take from their environment.
pub const SOURCE: &str = include_str!("harness.c");
/// Runs all tests.
pub const CHECK: &str = include_str!("check.sh");

/// A file of the program.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Where it is, from everywhere.
    pub path: String,
    /// How gcc reads it.
    pub flags: Vec<String>,
}

/// The sizes of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Those of the machine.
    Native,
    /// 32-bit pointers.
    Of32,
}

/// A word for the shell, in a recipe of a makefile.
fn quoted(word: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "/._-=+,:".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''").replace('$', "$$"))
}

/// The makefile: `make check` compiles the program, runs the tests and says what gcov counted.
pub fn makefile(units: &[Unit], bits: Bits) -> String {
    let model = match bits {
        Bits::Native => "",
        Bits::Of32 => " -m32",
    };
    let mut text = format!(
        "# `make check` compiles the program with gcc, runs it on every test, and prints what gcov counted.\n\
         CC = gcc\nOBJCOPY = objcopy\nGCOV = gcov\nCFLAGS = -O0 -g -fwrapv\nMODEL ={model}\n\
         HARNESS_CFLAGS = -O0 -g -Wall -Wextra -DLOUPE_COVERAGE\n\n\
         .PHONY: check program clean\n\n\
         check: program\n\t@GCOV='$(GCOV)' sh ./check.sh\n\n\
         program:\n\t@rm -rf build\n\t@mkdir build\n"
    );
    let mut objects = String::new();
    for (number, unit) in (1..).zip(units) {
        let flags: Vec<String> = unit.flags.iter().map(|flag| quoted(flag)).collect();
        let (flags, path) = (flags.join(" "), quoted(&unit.path));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\t$(CC) $(CFLAGS) $(MODEL) --coverage {flags} -c {path} -o build/{number}.o\n\
             \t@$(OBJCOPY) --weaken-symbol=reach_error --weaken-symbol=__VERIFIER_error build/{number}.o"
        );
        let _ = write!(objects, " build/{number}.o");
    }
    let _ = write!(
        text,
        "\t$(CC) $(HARNESS_CFLAGS) $(MODEL) -c harness.c -o build/harness.o\n\
         \t$(CC) $(MODEL) --coverage{objects} build/harness.o -lm -o build/program\n\n\
         clean:\n\trm -rf build\n"
    );
    text
}

/// What the compiled program must do, as `check.sh` has it; `any` where C leaves that open.
pub fn outcome(test: &Test) -> String {
    if test.uninitialised == Uninitialised::Matter {
        return "any".to_owned();
    }
    let status = |status: &Integer| {
        let low = status.bit_and(&Integer::from(255));
        format!("exit:{low}")
    };
    match &test.run.end {
        End::Returned(Some(Value::Int(number))) | End::Exited(number) => status(number),
        End::Returned(_) => "any".to_owned(),
        End::Aborted => "abort".to_owned(),
        End::AssumptionFailed => "assumption".to_owned(),
        End::Failed(failure) => match failure.kind {
            CheckKind::ErrorReached => "error".to_owned(),
            CheckKind::Assertion => "abort".to_owned(),
            _ => "any".to_owned(),
        },
        End::Halted(_) => "any".to_owned(),
    }
}

/// The list of tests for `check.sh`.
pub fn outcomes(suite: &Suite) -> String {
    let lines = (1..).zip(&suite.tests).map(|(number, test)| {
        let name = super::name(number);
        format!("{name} {}\n", outcome(test))
    });
    lines.collect()
}

/// What the compiled program must write to its standard output, if that is known.
pub fn output(test: &Test) -> Option<&[u8]> {
    let known = outcome(test) != "any" && !test.printed.is_cut;
    known.then_some(&test.printed.bytes)
}
