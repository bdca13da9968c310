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
    /// Memory is used as the language allows.
    ValidMemsafety,
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
    pub const ALL: [Property; 5] = [
        Property::UnreachCall,
        Property::NoErrors,
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::Termination,
    ];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoErrors => "no-errors",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
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
        let counts = match self {
            Property::NoErrors => true,
            Property::UnreachCall => matches!(kind, K::ErrorReached | K::Assertion),
            Property::NoOverflow => {
                matches!(kind, K::SignedOverflow | K::InvalidShift | K::DivisionByZero)
            }
            Property::ValidMemsafety => matches!(
                kind,
                K::NullDereference
                    | K::IndexOutOfBounds
                    | K::InvalidAccess
                    | K::InvalidFree
                    | K::MemoryLeak
                    | K::PointerArithmetic
                    | K::OverlappingCopy
            ),
            Property::Termination if matches!(kind, K::ErrorReached | K::Assertion) => {
                return Judgement::Ends;
            }
            // An assertion that fails ends the program.
            Property::Target if matches!(kind, K::ErrorReached | K::Assertion) => {
                return Judgement::Ends;
            }
            Property::Target => kind == K::TargetReached,
            Property::Termination => false,
        };
        if counts { Judgement::Error } else { Judgement::Undefined }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no property.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no property `{0}`; the properties are unreach-call, no-errors, no-overflow, valid-memsafety, termination"
)]
pub struct NoSuchProperty(String);

impl FromStr for Property {
    type Err = NoSuchProperty;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Property::ALL.into_iter().find(|property| property.name() == text);
        named.ok_or_else(|| NoSuchProperty(text.to_owned()))
    }
}
