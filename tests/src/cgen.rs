//! A generator of C programs for comparing Loupe with gcc.
//!
//! The idea is that of Csmith (Yang, Chen, Eide, Regehr, "Finding and understanding bugs in C
//! compilers", PLDI 2011): programs that are random but whose meaning is fixed, so that all compilers
//! must agree. Here that is: `gcc -fwrapv`, on one of two data models. What the standard leaves open
//! is avoided by construction:
//!
//! - expressions have no effects (`expr`), and a statement has one effect, or several with sequence
//!   points between them (`stmt`);
//! - everything is initialised, indices are masked, divisors are neither 0 nor -1;
//! - a pointer always points to a living object: it may only be given the address of something that
//!   lives at least as long as itself (the *level* of a variable is the depth of its block);
//! - loops count down on variables that nothing else writes, and an estimate of the statements that
//!   will run keeps programs short (`Generator::can_afford`).
//!
//! A program is a *unit*: all names of its file scope have a prefix, so that many units make one file,
//! which saves most of the time of gcc. Each prints the values of its variables and ends with a
//! checksum. It does not shrink failures; the seed and the unit as a file of its own are told instead.

mod expr;
mod file;
mod local;
mod memory;
mod random;
mod scope;
mod stmt;
mod types;
mod value;

use crate::gcc::DataModel;
use random::Random;
use scope::{Access, Function, Parameter, Record, Returned, Shape, Variable};
use std::fmt::Write;
use types::IntType;

/// How many statements a program may run, about.
const MAX_COST: usize = 3_000;

/// What kind of programs.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The sizes of types.
    pub data_model: DataModel,
    /// About how many statements `main` has.
    pub size: usize,
}

/// Programs of 60 to 250 lines for the usual data model.
impl Default for Options {
    fn default() -> Self {
        Options { data_model: DataModel::Lp64, size: 8 }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The seed that it was made of, which is also its name in outputs.
    pub seed: u64,
    text: String,
}

/// What all programs begin with.
const PRELUDE: &str = "\
#include <stdarg.h>

int printf(const char *, ...);
void *malloc(__SIZE_TYPE__);
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *realloc(void *, __SIZE_TYPE__);
void free(void *);
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memmove(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);
__SIZE_TYPE__ strlen(const char *);
int strcmp(const char *, const char *);
char *strcat(char *, const char *);
char *strchr(const char *, int);

static unsigned long long sum;
static const char *unit;

static void show(const char *name, unsigned long long value) {
    sum = (sum ^ value) * 1099511628211ULL;
    printf(\"%s %s %llx\\n\", unit, name, value);
}

static double clamp(double x) { return x > -1e6 && x < 1e6 ? x : 1.5; }
static int whole(double x) { return x > -2e9 && x < 2e9 ? (int)x : 7; }

/* gcc turns -(0.0 - y) into y - 0.0 where it knows the first number, so the sign of zero is no result. */
static unsigned long long bits(double x) {
    unsigned long long u;
    x += 0.0;
    memcpy(&u, &x, sizeof u);
    return u;
}
";

/// Generates the program of a seed.
pub fn unit(seed: u64, options: Options) -> Unit {
    let mut generator = Generator::new(seed, options);
    generator.file(options.size);
    Unit { seed, text: generator.out }
}

/// A file with one `main` that runs all units in turn.
pub fn file(units: &[Unit]) -> String {
    let mut text = PRELUDE.to_owned();
    for unit in units {
        text.push_str(&unit.text);
    }
    text.push_str("\nint main(void) {\n    int status = 0;\n");
    for Unit { seed, .. } in units {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    unit = \"{seed}\", sum = 0;");
        let _ = writeln!(text, "    status ^= u{seed}_main();");
    }
    text.push_str("    return status;\n}\n");
    text
}

/// Whether statements may change what outlives the function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effects {
    None,
    All,
}

/// An array of pointers to functions.
struct Table {
    name: String,
    length: usize,
    parameters: Vec<Parameter>,
    result: Returned,
}

impl Table {
    /// Whether a function has the type of those in the table.
    fn is_of_type(&self, function: &Function) -> bool {
        self.parameters == function.parameters && self.result == function.result
    }
}

struct Generator {
    random: Random,
    model: DataModel,
    prefix: String,
    out: String,
    records: Vec<Record>,
    /// The types of which the file has a variable, so that pointers to them always have a target.
    target_types: Vec<IntType>,
    /// What is in scope, the innermost last.
    variables: Vec<Variable>,
    /// Where the blocks that are open begin in `variables`.
    blocks: Vec<usize>,
    pure: Vec<Function>,
    effectful: Vec<Function>,
    table: Option<Table>,
    variadic: Option<String>,
    effects: Effects,
    /// How deep blocks are nested; 0 is the file, 1 a function.
    level: usize,
    loops: usize,
    names: usize,
    /// How often what is written now will run, about.
    weight: usize,
    /// How many statements of this function will run, about.
    cost: usize,
}

impl Generator {
    fn new(seed: u64, options: Options) -> Self {
        Generator {
            random: Random::new(seed),
            model: options.data_model,
            prefix: format!("u{seed}_"),
            out: String::new(),
            records: Vec::new(),
            target_types: Vec::new(),
            variables: Vec::new(),
            blocks: Vec::new(),
            pure: Vec::new(),
            effectful: Vec::new(),
            table: None,
            variadic: None,
            effects: Effects::All,
            level: 0,
            loops: 0,
            names: 0,
            weight: 1,
            cost: 0,
        }
    }

    fn has_int128(&self) -> bool {
        self.model == DataModel::Lp64
    }

    /// On i686 gcc passes floating numbers through registers of 80 bits, and the small library of the
    /// tests does not print them.
    fn has_floats(&self) -> bool {
        self.model == DataModel::Lp64
    }

    fn has_effects(&self) -> bool {
        self.effects == Effects::All
    }

    fn can_afford(&self, cost: usize) -> bool {
        self.cost + self.weight * cost <= MAX_COST
    }

    fn pay(&mut self, cost: usize) {
        self.cost += self.weight * cost;
    }

    /// A type that pointers may point to.
    fn target_type(&mut self) -> IntType {
        self.random.pick(&self.target_types)
    }

    /// A name that no other local variable or label has.
    fn fresh(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.level {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Begins a block behind `head`.
    fn open(&mut self, head: &str) {
        let space = if head.is_empty() { "" } else { " " };
        self.line(&format!("{head}{space}{{"));
        self.level += 1;
        self.blocks.push(self.variables.len());
    }

    /// Ends a block; what stands in it is out of scope.
    fn close(&mut self, tail: &str) {
        let start = self.blocks.pop().unwrap_or_default();
        for variable in self.variables.split_off(start) {
            if let Some(number) = variable.hides.filter(|number| *number < start) {
                self.variables[number].hidden = false;
            }
        }
        self.level -= 1;
        self.line(&format!("}}{tail}"));
    }

    /// Ends a block and begins the one that belongs to it.
    fn reopen(&mut self, head: &str) {
        self.close(&format!(" {head} {{"));
        self.level += 1;
        self.blocks.push(self.variables.len());
    }

    fn add(&mut self, name: String, shape: Shape, access: Access) {
        let hides = self.variables.iter().rposition(|other| other.hidden && other.name == name);
        let level = self.level;
        self.variables.push(Variable { name, shape, access, level, hidden: false, hides });
    }

    /// From now on this name means something else.
    fn hide(&mut self, name: &str) {
        if let Some(variable) = self.variables.iter_mut().rfind(|variable| variable.name == name) {
            variable.hidden = true;
        }
    }
}

/// The variable of the file that has this type.
fn global_name(ty: IntType) -> &'static str {
    match ty {
        IntType::Bool => "bool",
        IntType::Char => "char",
        IntType::SignedChar => "schar",
        IntType::UnsignedChar => "uchar",
        IntType::Short => "short",
        IntType::UnsignedShort => "ushort",
        IntType::Int => "int",
        IntType::UnsignedInt => "uint",
        IntType::Long => "long",
        IntType::UnsignedLong => "ulong",
        IntType::LongLong => "llong",
        IntType::UnsignedLongLong => "ullong",
        IntType::Int128 => "int128",
        IntType::UnsignedInt128 => "uint128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seed: u64, data_model: DataModel) -> String {
        file(&[unit(seed, Options { data_model, ..Options::default() })])
    }

    #[test]
    fn a_seed_means_one_program() {
        assert_eq!(text(7, DataModel::Lp64), text(7, DataModel::Lp64));
        assert_ne!(text(7, DataModel::Lp64), text(8, DataModel::Lp64).replace("u8_", "u7_"));
    }

    #[test]
    fn everything_is_generated() {
        let constructs = [
            " << ",
            " >> ",
            " % ",
            " / ",
            " ?: ",
            " ? ",
            " && ",
            "sizeof(",
            "_Generic(",
            "({ ",
            "[4]){",
            "_overflow(",
            "va_arg(",
            "table[",
            "goto *",
            "goto l",
            "if (0) {",
            "switch (",
            "default:",
            "while (",
            "do {",
            "for (",
            "break;",
            "continue;",
            "memset(",
            "memcpy(",
            "memmove(",
            "strcat(",
            "realloc(",
            "__typeof__",
            "static ",
            "const volatile",
            "->f",
            " : 1;",
            "**p",
            "*)",
            ".w",
            "enum ",
            "union ",
            "--",
            "++",
            "<<=",
            "%=",
            "^=",
            "[1 ... ",
            ".f0 = ",
            " - u",
        ];
        let lp64: String = (0..100).map(|seed| text(seed, DataModel::Lp64)).collect();
        let ilp32: String = (0..100).map(|seed| text(seed, DataModel::Ilp32)).collect();
        for construct in constructs {
            assert!(lp64.contains(construct), "LP64: {construct}");
            assert!(ilp32.contains(construct), "ILP32: {construct}");
        }
        for construct in ["__int128", "float)", "clamp(("] {
            assert!(lp64.contains(construct), "{construct}");
            assert!(!ilp32.contains(construct), "{construct}");
        }
    }
}
