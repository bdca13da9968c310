//! Operations of terms that SMT-LIB does not have, as functions that are defined in it.
//!
//! Each is written here once, for the printer, which puts the definitions at the head of a script, and
//! for the reader, which takes a definition only if it is this one. `div` and `mod` of SMT-LIB are
//! Euclidean; by 0 they may be anything, so no definition divides by 0.

use super::{int_text, sort_text};
use crate::infix::{bit_op_name, width_name};
use crate::node::{BitOp, Rounding, Sort, Width};
use loupe_integer::{Integer, Signedness};
use std::fmt::Write;

/// How operations are expressed that SMT-LIB 2.6 has no words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Dialect {
    /// Only what the standard has, and only integers: operations on bits bit by bit, constant arrays
    /// by a ∀.
    #[default]
    Portable,
    /// Bit vectors with `int2bv` and `bv2nat`, and constant arrays by `as const`: shorter and often faster
    /// in solvers that have them. Z3 and cvc5 do, with these spellings; cvc5 wants `--arrays-exp` for
    /// constant arrays.
    Conversions,
}

/// The operations of machine integers that have a form are those of up to so many bits.
pub const MAX_WIDTH: u32 = 1_024;

/// What every name of an operation starts with.
pub(super) const PREFIX: &str = "loupe.";

/// What the names of arrays that are defined by a formula start with.
pub(super) const LAMBDA: &str = "loupe.lambda!";

/// An operation that is defined in a script.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Quotient(Rounding),
    Remainder(Rounding),
    /// A base to the power of a term.
    Power(Integer),
    /// A term to the power of an exponent.
    Raise(u32),
    Wrap(Width),
    Bits(BitOp, Width),
    Divides(Integer),
    /// The array of these dimensions with one integer everywhere.
    Constant(u8),
}

impl Operation {
    pub(super) fn name(&self) -> String {
        match self {
            Operation::Quotient(Rounding::Truncated) => "loupe.tdiv".to_owned(),
            Operation::Quotient(Rounding::Euclidean) => "loupe.ediv".to_owned(),
            Operation::Remainder(Rounding::Truncated) => "loupe.trem".to_owned(),
            Operation::Remainder(Rounding::Euclidean) => "loupe.emod".to_owned(),
            Operation::Power(base) => format!("loupe.pow_{base}"),
            Operation::Raise(exponent) => format!("loupe.raise_{exponent}"),
            Operation::Wrap(width) => format!("loupe.wrap_{}", width_name(*width)),
            Operation::Bits(op, width) => {
                format!("loupe.{}_{}", bit_op_name(*op), width_name(*width))
            }
            Operation::Divides(divisor) => format!("loupe.divides_{divisor}"),
            Operation::Constant(dimensions) => format!("loupe.const_{dimensions}"),
        }
    }

    /// The operation with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let rest = name.strip_prefix(PREFIX)?;
        let operation = match rest.split_once('_') {
            None => match rest {
                "tdiv" => Operation::Quotient(Rounding::Truncated),
                "ediv" => Operation::Quotient(Rounding::Euclidean),
                "trem" => Operation::Remainder(Rounding::Truncated),
                "emod" => Operation::Remainder(Rounding::Euclidean),
                _ => return None,
            },
            Some(("pow", base)) => Operation::Power(base.parse().ok()?),
            Some(("raise", exponent)) => Operation::Raise(exponent.parse().ok()?),
            Some(("wrap", width)) => Operation::Wrap(width_named(width)?),
            Some(("divides", divisor)) => {
                let divisor: Integer = divisor.parse().ok()?;
                (divisor > Integer::ONE).then_some(Operation::Divides(divisor))?
            }
            Some(("const", dimensions)) => {
                let dimensions = dimensions.parse().ok()?;
                (dimensions > 0).then_some(Operation::Constant(dimensions))?
            }
            Some((op, width)) => {
                use BitOp::{And, Or, Shl, Shr, Xor};
                let op = [And, Or, Xor, Shl, Shr].into_iter().find(|it| bit_op_name(*it) == op)?;
                Operation::Bits(op, width_named(width)?)
            }
        };
        // Only in the one spelling that is printed: no 007.
        (operation.name() == name).then_some(operation)
    }

    pub(super) fn arity(&self) -> usize {
        match self {
            Operation::Quotient(_) | Operation::Remainder(_) | Operation::Bits(..) => 2,
            Operation::Power(_)
            | Operation::Raise(_)
            | Operation::Wrap(_)
            | Operation::Divides(_)
            | Operation::Constant(_) => 1,
        }
    }

    /// The operations that the definition uses.
    pub(super) fn needs(&self, dialect: Dialect) -> Option<Operation> {
        match self {
            Operation::Bits(BitOp::Shl | BitOp::Shr, width) if dialect == Dialect::Portable => {
                Some(Operation::Wrap(*width))
            }
            Operation::Bits(_, width)
                if dialect == Dialect::Conversions && width.signedness == Signedness::Signed =>
            {
                Some(Operation::Wrap(*width))
            }
            Operation::Constant(dimensions) if *dimensions > 1 => {
                Some(Operation::Constant(dimensions - 1))
            }
            _ => None,
        }
    }

    /// The commands that define it.
    pub(super) fn definition(&self, dialect: Dialect) -> Vec<String> {
        let name = self.name();
        let define = |result: &str, body: String| {
            let parameters = if self.arity() == 2 { "(x Int) (y Int)" } else { "(x Int)" };
            vec![format!("(define-fun {name} ({parameters}) {result} {body})")]
        };
        match self {
            // Truncation rounds x / y and -x / y to opposite numbers; for x ≥ 0 it is Euclidean.
            Operation::Quotient(Rounding::Truncated) => define(
                "Int",
                "(ite (= y 0) 0 (ite (>= x 0) (div x y) (- (div (- x) y))))".to_owned(),
            ),
            Operation::Remainder(Rounding::Truncated) => define(
                "Int",
                "(ite (= y 0) x (ite (>= x 0) (mod x y) (- (mod (- x) y))))".to_owned(),
            ),
            Operation::Quotient(Rounding::Euclidean) => {
                define("Int", "(ite (= y 0) 0 (div x y))".to_owned())
            }
            Operation::Remainder(Rounding::Euclidean) => {
                define("Int", "(ite (= y 0) x (mod x y))".to_owned())
            }
            Operation::Power(base) => {
                let step = format!("(* {} ({name} (- x 1)))", int_text(base));
                vec![format!("(define-fun-rec {name} ((x Int)) Int (ite (<= x 0) 1 {step}))")]
            }
            Operation::Raise(exponent) => define("Int", raise(*exponent)),
            Operation::Wrap(width) => define("Int", wrap(*width)),
            Operation::Bits(op, width) => define(
                "Int",
                match dialect {
                    Dialect::Portable => bits_portable(*op, *width),
                    Dialect::Conversions => bits_converted(*op, *width),
                },
            ),
            Operation::Divides(divisor) => define("Bool", format!("(= (mod x {divisor}) 0)")),
            Operation::Constant(dimensions) => {
                let sort = sort_text(Sort::Array(*dimensions));
                let element = match dimensions {
                    1 => "x".to_owned(),
                    _ => format!("({} x)", Operation::Constant(dimensions - 1).name()),
                };
                let axiom = format!("(= (select ({name} x) y) {element})");
                vec![
                    format!("(declare-fun {name} (Int) {sort})"),
                    format!("(assert (forall ((x Int) (y Int)) {axiom}))"),
                ]
            }
        }
    }
}

fn width_named(name: &str) -> Option<Width> {
    let (sign, bits) = name.split_at_checked(1)?;
    let signedness = match sign {
        "i" => Signedness::Signed,
        "u" => Signedness::Unsigned,
        _ => return None,
    };
    let bits = bits.parse().ok().filter(|bits| *bits <= MAX_WIDTH)?;
    Some(Width { bits, signedness })
}

/// `x` to the power `exponent`, by squaring.
fn raise(exponent: u32) -> String {
    let highest = exponent.checked_ilog2().unwrap_or(0);
    let square = |bit: u32| if bit == 0 { "x".to_owned() } else { format!("x{}", 1u64 << bit) };
    let mut text = String::new();
    for bit in 1..=highest {
        let _ = write!(text, "(let (({} (* {1} {1}))) ", square(bit), square(bit - 1));
    }
    let factors: Vec<String> =
        (0..=highest).filter(|bit| exponent >> bit & 1 == 1).map(square).collect();
    match &factors[..] {
        [] => text.push('1'),
        [one] => text.push_str(one),
        _ => {
            let _ = write!(text, "(* {})", factors.join(" "));
        }
    }
    text.push_str(&")".repeat(highest as usize));
    text
}

/// The value of the low bits of `x`: for signed types, shifted so that the smallest one is at 0.
fn wrap(Width { bits, signedness }: Width) -> String {
    let modulus = Integer::power_of_two(bits);
    match (signedness, bits.checked_sub(1)) {
        (Signedness::Signed, Some(bits)) => {
            let half = Integer::power_of_two(bits);
            format!("(- (mod (+ x {half}) {modulus}) {half})")
        }
        // With no bits at all, the value is 0.
        _ => format!("(mod x {modulus})"),
    }
}

/// In integer arithmetic, bit by bit. Bit i of the infinite two's complement of x is ⌊x / 2ⁱ⌋ mod 2, also
/// for a negative x, so that operands need not be wrapped; the highest bit of a signed type counts
/// negative.
fn bits_portable(op: BitOp, width: Width) -> String {
    let connective = match op {
        BitOp::And => "and",
        BitOp::Or => "or",
        BitOp::Xor => "xor",
        BitOp::Shl => return shift_left_portable(width),
        BitOp::Shr => return shift_right_portable(width),
    };
    let mut text = "(+ 0 0".to_owned(); // + needs two operands
    for i in 0..width.bits {
        let weight = Integer::power_of_two(i);
        let bit = |operand| format!("(= (mod (div {operand} {weight}) 2) 1)");
        let highest = width.signedness == Signedness::Signed && i + 1 == width.bits;
        let value = int_text(&if highest { weight.neg() } else { weight.clone() });
        let _ = write!(text, " (ite ({connective} {} {}) {value} 0)", bit("x"), bit("y"));
    }
    text.push(')');
    text
}

/// wrap(wrap(x) · 2ᶜ) = wrap(x · 2ᶜ).
fn shift_left_portable(width: Width) -> String {
    let by_count = by_count(width, "x", |factor| format!("(* x {factor})"));
    format!("({} {by_count})", Operation::Wrap(width).name())
}

/// Division by 2ᶜ rounds down and stays in the range of the type.
fn shift_right_portable(width: Width) -> String {
    let by_count = by_count(width, "w", |factor| format!("(div w {factor})"));
    format!("(let ((w ({} x))) {by_count})", Operation::Wrap(width).name())
}

/// A choice by the count `y`, 0 for all counts that are not below the width.
fn by_count(width: Width, unshifted: &str, shifted: impl Fn(Integer) -> String) -> String {
    let mut text = String::new();
    for count in 0..width.bits {
        let value = match count {
            0 => unshifted.to_owned(),
            _ => shifted(Integer::power_of_two(count)),
        };
        let _ = write!(text, "(ite (= y {count}) {value} ");
    }
    text.push('0');
    text.push_str(&")".repeat(width.bits as usize));
    text
}

/// By bit vectors. `int2bv` takes the low bits; the result is wrapped for signed types.
fn bits_converted(op: BitOp, width: Width) -> String {
    let Width { bits, signedness } = width;
    if bits == 0 {
        return "0".to_owned(); // there is no bit vector without bits
    }
    let function = match (op, signedness) {
        (BitOp::And, _) => "bvand",
        (BitOp::Or, _) => "bvor",
        (BitOp::Xor, _) => "bvxor",
        (BitOp::Shl, _) => "bvshl",
        (BitOp::Shr, Signedness::Signed) => "bvashr",
        (BitOp::Shr, Signedness::Unsigned) => "bvlshr",
    };
    let operand = |name| format!("((_ int2bv {bits}) {name})");
    let mut text = format!("(bv2nat ({function} {} {}))", operand("x"), operand("y"));
    if signedness == Signedness::Signed {
        text = format!("({} {text})", Operation::Wrap(width).name());
    }
    match op {
        // A count below the number of bits is not changed by taking its low bits.
        BitOp::Shl | BitOp::Shr => format!("(ite (and (<= 0 y) (< y {bits})) {text} 0)"),
        BitOp::And | BitOp::Or | BitOp::Xor => text,
    }
}
