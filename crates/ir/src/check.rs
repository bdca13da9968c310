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
    /// A pointer is moved out of its object.
    PointerArithmetic = "pointer-arithmetic", "pointer arithmetic out of the object";
    /// A floating point number is converted to integers that do not have it.
    InvalidConversion = "invalid-conversion", "floating point number out of the range of the integers";
    /// A function is called as if it had another type.
    InvalidCall = "invalid-call", "invalid call of a function";
    /// The result of a function is used that returned none.
    MissingReturn = "missing-return", "missing return value";
    /// A place is reached that the program promised never to reach.
    UnreachableReached = "unreachable-reached", "unreachable code reached";
    /// Memory is copied onto itself.
    OverlappingCopy = "overlapping-copy", "copy between overlapping ranges";
    /// A place is reached that somebody asked for.
    TargetReached = "target-reached", "target reached";
    /// The program does something that Loupe has no model of.
    Unsupported = "unsupported", "not modelled";
}

/// What a check demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Nothing: it always fails, for the reason that the symbol names.
    Never(Symbol),
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
    /// The pointer points to a value of this type inside a living object, which can be read.
    Accessible(Operand, TypeId),
    /// The same, and the object may be written to.
    Writable(Operand, TypeId),
    /// So many units of memory from the pointer on lie inside a living object and can be read; none is
    /// always accessible.
    AccessibleRange {
        /// The pointer.
        pointer: Operand,
        /// How many.
        count: Operand,
    },
    /// The same, and the object may be written to.
    WritableRange {
        /// The pointer.
        pointer: Operand,
        /// How many.
        count: Operand,
    },
    /// Two ranges of so many units of memory have none in common.
    Disjoint {
        /// A pointer to the start of the one.
        left: Operand,
        /// And of the other.
        right: Operand,
        /// How many units.
        count: Operand,
    },
    /// Both pointers point into the same object, or are both addresses without one.
    SameObject(Operand, Operand),
    /// The pointer, moved by `index` elements, stays inside its object or points right behind it.
    InObject {
        /// The pointer.
        pointer: Operand,
        /// How many elements.
        index: Operand,
        /// Their type.
        element: TypeId,
    },
    /// The floating point number, rounded toward zero, is one of the integers of this type.
    Representable(Operand, TypeId),
    /// The function takes arguments of these types and gives such a result.
    Accepts {
        /// The function.
        function: Operand,
        /// The types of the arguments.
        arguments: Vec<TypeId>,
        /// The type of the result that is used.
        result: Option<TypeId>,
    },
    /// The pointer is null or points to the start of a living allocated object.
    Freeable(Operand),
    /// No allocated object is lost: to each that lives, pointers lead from global variables and from variables of these calls.
    Tracked(Calls),
    /// No allocated object lives.
    AllFreed,
}

/// Calls whose variables are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// All that are active.
    All,
    /// All but the innermost, which is about to return.
    Outer,
}

impl Calls {
    /// The name in the textual form.
    pub const fn name(self) -> &'static str {
        match self {
            Calls::All => "all",
            Calls::Outer => "outer",
        }
    }
}
