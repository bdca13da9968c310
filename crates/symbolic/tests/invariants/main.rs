//! Proofs by invariants: programs that are proved and programs that must not be, by hand and by chance.

mod oracle;
mod programs;

use loupe_c::front::DataModel;
use loupe_c::lower::Checks;
use loupe_c::testing::compile_text;
use loupe_ir::program::Program;
use loupe_solver::Limits;
use loupe_symbolic::explore::Options;
use loupe_symbolic::invariants::{Outcome, prove};
use loupe_symbolic::property::Property;

/// What every program of these tests starts with.
const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\n\
    extern void reach_error(void);\n\
    #define in() __VERIFIER_nondet_int()\n\
    #define check(x) do { if (!(x)) reach_error(); } while (0)\n";

/// A C program in which errors are those of `check`.
pub fn c(text: &str) -> Program {
    let checks = Checks { signed_overflow: false, uninitialised: false, pointer_arithmetic: false };
    compile_text(&format!("{HEAD}{text}"), DataModel::Ilp32, checks).program
}

/// What becomes of a proof of a program, with this much work.
pub fn attempt(program: &Program, property: Property, work: u64) -> Outcome {
    let solver = Limits { work, ..Limits::default() };
    let options = Options { property, solver, ..Options::default() };
    let proved = prove(program, &options, &|_| None);
    proved.unwrap_or_else(|error| panic!("{error}")).0
}
