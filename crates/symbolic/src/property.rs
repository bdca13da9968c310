//! What counts as an error.

use loupe_ir::check::CheckKind;
use std::fmt;
use std::str::FromStr;

/// What a program is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// No error function is reached and no assertion fails.
    UnreachCall,
    /// No check fails.
    NoErrors,
    /// No signed operation overflows.
    NoOverflow,
    /// Memory is used as the language allows: the next three together.
    ValidMemsafety,
    /// Whatever is read or written lies in a living object.
    ValidDeref,
    /// What is given back was allocated, and is given back once.
    ValidFree,
    /// Allocated memory is given back, or the program still has a pointer to it.
    ValidMemtrack,
    /// Allocated memory is given back before the program ends.
    ValidMemcleanup,
    /// Nothing happens that the language leaves undefined.
    DefBehavior,
    /// Every execution ends.
    Termination,
    /// No execution comes to a place that was marked in the program ([`crate::target`]).
    Target,
}

/// What a failing check means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The property is violated.
    Error,
    /// What happens then is not defined, so nothing can be said of the executions that get there.
    Undefined,
    /// The execution ends there, which is no violation.
    Ends,
    /// Loupe has no model of what happens there.
    NotModelled,
}

impl Property {
    /// All properties that programs are checked for.
    pub const ALL: [Property; 10] = [
        Property::UnreachCall,
        Property::NoErrors,
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::DefBehavior,
        Property::Termination,
    ];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoErrors => "no-errors",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::DefBehavior => "def-behavior",
            Property::Termination => "termination",
            Property::Target => "reach",
        }
    }

    /// What a failing check of this kind means.
    pub fn judge(self, kind: CheckKind) -> Judgement {
        use CheckKind as K;
        if kind == K::Unsupported {
            return Judgement::NotModelled;
        }
        if self.counts(kind) {
            return Judgement::Error;
        }
        match kind {
            // An assertion that fails ends the program, and so does an error function that has no body; one that has is executed, where its call is no error.
            K::ErrorReached | K::Assertion if !self.has_error_calls() => Judgement::Ends,
            _ => Judgement::Undefined,
        }
    }

    /// Whether calls of error functions are what it is about.
    pub fn has_error_calls(self) -> bool {
        matches!(self, Property::UnreachCall | Property::NoErrors)
    }

    /// Whether it matters what becomes of allocated memory.
    pub fn asks_for_leaks(self) -> bool {
        self.counts(CheckKind::MemoryLeak) && self != Property::NoErrors
    }

    /// Whether a check that fails violates it.
    fn counts(self, kind: CheckKind) -> bool {
        use CheckKind as K;
        let is_deref = matches!(
            kind,
            K::NullDereference
                | K::IndexOutOfBounds
                | K::InvalidAccess
                | K::PointerArithmetic
                | K::OverlappingCopy
        );
        match self {
            Property::NoErrors => true,
            Property::UnreachCall => matches!(kind, K::ErrorReached | K::Assertion),
            // A quotient by zero and a shift by too much have no value that could be too large.
            Property::NoOverflow => kind == K::SignedOverflow,
            Property::ValidMemsafety => is_deref || matches!(kind, K::InvalidFree | K::MemoryLeak),
            Property::ValidDeref => is_deref,
            Property::ValidFree => kind == K::InvalidFree,
            Property::ValidMemtrack | Property::ValidMemcleanup => kind == K::MemoryLeak,
            Property::DefBehavior => {
                let is_defined = matches!(
                    kind,
                    K::ErrorReached | K::Assertion | K::MemoryLeak | K::TargetReached
                );
                !is_defined
            }
            Property::Target => kind == K::TargetReached,
            Property::Termination => false,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no property.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no property `{0}`; the properties are {names}", names = names())]
pub struct NoSuchProperty(String);

/// The names of all properties, for people.
fn names() -> String {
    Property::ALL.map(Property::name).join(", ")
}

impl FromStr for Property {
    type Err = NoSuchProperty;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Property::ALL.into_iter().find(|property| property.name() == text);
        named.ok_or_else(|| NoSuchProperty(text.to_owned()))
    }
}
