//! Checks: the only way in which execution can fail.
//!
//! A check names the kind of failure and the predicate that must hold. Front ends put one before
//! every instruction that could go wrong, so no later component has to know where errors are.

use crate::program::{BinaryOp, Operand, Place, Symbol};
use crate::types::{Tag, TypeId};

/// A failure that is looked for, and the predicate that excludes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is if it fails.
    pub kind: CheckKind,
    /// What must hold.
    pub predicate: Predicate,
}

macro_rules! check_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $title:literal;)*) => {
        /// The kinds of failures.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CheckKind {
            $($(#[$doc])* $kind,)*
        }

        impl CheckKind {
            /// All kinds.
            pub const ALL: &[CheckKind] = &[$(CheckKind::$kind),*];

            /// The name in reports, options and the textual form.
            pub const fn name(self) -> &'static str {
                match self {
                    $(CheckKind::$kind => $name,)*
                }
            }

            /// The failure in words.
            pub const fn title(self) -> &'static str {
                match self {
                    $(CheckKind::$kind => $title,)*
                }
            }
        }
    };
}

check_kinds! {
    /// The divisor is zero.
    DivisionByZero = "division-by-zero", "division by zero";
    /// A null pointer is followed.
    NullDereference = "null-dereference", "null pointer dereference";
    /// An index is outside of its array.
    IndexOutOfBounds = "index-out-of-bounds", "array index out of bounds";
    /// A value is read before it is written.
    Uninitialised = "uninitialised-value", "use of an uninitialised value";
    /// An assertion does not hold.
    Assertion = "assertion", "assertion failed";
    /// A function that stands for an error is called.
    ErrorReached = "error-reached", "error function reached";
    /// The result of a signed operation does not fit in its type.
    SignedOverflow = "signed-overflow", "signed integer overflow";
    /// A shift count is negative or too large.
    InvalidShift = "invalid-shift", "shift count out of range";
    /// An access outside of a living object.
    InvalidAccess = "invalid-access", "invalid memory access";
    /// What is given back was not allocated, or was given back before.
    InvalidFree = "invalid-free", "invalid free";
    /// An allocated object is lost.
    MemoryLeak = "memory-leak", "memory leak";
    /// A value is of the wrong type.
    TypeError = "type-error", "value of the wrong type";
    /// A record has no field of this name.
    MissingField = "missing-field", "no such field";
    /// A record is put into a record.
    NestedRecord = "nested-record", "nested record";
    /// A function is called with too many or too few arguments.
    ArgumentCount = "argument-count", "wrong number of arguments";
    /// The program does something that Loupe has no model of.
    Unsupported = "unsupported", "not modelled";
}

/// What a check demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// The truth value is true.
    Holds(Operand),
    /// The integer is not zero.
    NonZero(Operand),
    /// The pointer or function is not null.
    NonNull(Operand),
    /// The place has been written.
    Initialised(Place),
    /// What stands at the place has this tag. (A place, so that a record or array that is part of
    /// another need not be copied to be looked at.)
    Is(Place, Tag),
    /// What stands at the place has another tag than this.
    IsNot(Place, Tag),
    /// The dynamic record at the place has this field.
    HasField(Place, Symbol),
    /// The integer `index` is at least 0 and less than the length of the dynamic array.
    InBounds {
        /// The place that holds the array or the reference to it.
        array: Place,
        /// The index.
        index: Operand,
    },
    /// The integer `index` is at least 0 and less than `length`.
    InRange {
        /// The index.
        index: Operand,
        /// The length.
        length: Operand,
    },
    /// The function takes so many arguments.
    Takes(Operand, u32),
    /// Both values are numbers, or both are pointers.
    Comparable(Operand, Operand),
    /// The mathematical result fits in the type of the operands.
    Fits(BinaryOp, Operand, Operand),
    /// The pointer points to a value of this type inside a living object.
    Accessible(Operand, TypeId),
    /// The pointer is null or points to the start of a living allocated object.
    Freeable(Operand),
}
