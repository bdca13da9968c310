//! The integer types of C, and what promotions and the usual arithmetic conversions make of them.
//!
//! The generator has to know the type of every expression: the largest count of a shift depends on it.

use crate::gcc::DataModel;

/// An integer type. Enumerations and bit-fields are used as the type that they promote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IntType {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

/// All types that both data models have.
pub(super) const ALL: [IntType; 12] = [
    IntType::Bool,
    IntType::Char,
    IntType::SignedChar,
    IntType::UnsignedChar,
    IntType::Short,
    IntType::UnsignedShort,
    IntType::Int,
    IntType::UnsignedInt,
    IntType::Long,
    IntType::UnsignedLong,
    IntType::LongLong,
    IntType::UnsignedLongLong,
];

impl IntType {
    /// As C writes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            IntType::Bool => "_Bool",
            IntType::Char => "char",
            IntType::SignedChar => "signed char",
            IntType::UnsignedChar => "unsigned char",
            IntType::Short => "short",
            IntType::UnsignedShort => "unsigned short",
            IntType::Int => "int",
            IntType::UnsignedInt => "unsigned",
            IntType::Long => "long",
            IntType::UnsignedLong => "unsigned long",
            IntType::LongLong => "long long",
            IntType::UnsignedLongLong => "unsigned long long",
            IntType::Int128 => "__int128",
            IntType::UnsignedInt128 => "unsigned __int128",
        }
    }

    pub(super) fn bits(self, model: DataModel) -> u32 {
        match self.rank() {
            0 | 1 => 8,
            2 => 16,
            3 => 32,
            4 if model == DataModel::Ilp32 => 32,
            4 | 5 => 64,
            _ => 128,
        }
    }

    /// Whether it has negative values; plain `char` has on x86.
    pub(super) fn is_signed(self) -> bool {
        matches!(
            self,
            IntType::Char
                | IntType::SignedChar
                | IntType::Short
                | IntType::Int
                | IntType::Long
                | IntType::LongLong
                | IntType::Int128
        )
    }

    /// The conversion rank of C11, 6.3.1.1.
    fn rank(self) -> u32 {
        match self {
            IntType::Bool => 0,
            IntType::Char | IntType::SignedChar | IntType::UnsignedChar => 1,
            IntType::Short | IntType::UnsignedShort => 2,
            IntType::Int | IntType::UnsignedInt => 3,
            IntType::Long | IntType::UnsignedLong => 4,
            IntType::LongLong | IntType::UnsignedLongLong => 5,
            IntType::Int128 | IntType::UnsignedInt128 => 6,
        }
    }

    pub(super) fn unsigned(self) -> IntType {
        match self {
            IntType::Char | IntType::SignedChar => IntType::UnsignedChar,
            IntType::Short => IntType::UnsignedShort,
            IntType::Int => IntType::UnsignedInt,
            IntType::Long => IntType::UnsignedLong,
            IntType::LongLong => IntType::UnsignedLongLong,
            IntType::Int128 => IntType::UnsignedInt128,
            other => other,
        }
    }

    /// The type after the integer promotions.
    pub(super) fn promoted(self) -> IntType {
        if self.rank() < IntType::Int.rank() { IntType::Int } else { self }
    }

    /// The common type of two operands: C11, 6.3.1.8.
    pub(super) fn common(self, other: IntType, model: DataModel) -> IntType {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(model) > unsigned.bits(model) {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// The type of `sizeof`.
    pub(super) fn size(model: DataModel) -> IntType {
        match model {
            DataModel::Ilp32 => IntType::UnsignedInt,
            DataModel::Lp64 => IntType::UnsignedLong,
        }
    }

    /// The type of the difference of two pointers.
    pub(super) fn difference(model: DataModel) -> IntType {
        match model {
            DataModel::Ilp32 => IntType::Int,
            DataModel::Lp64 => IntType::Long,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_conversions() {
        let lp64 = |a: IntType, b: IntType| a.common(b, DataModel::Lp64);
        let ilp32 = |a: IntType, b: IntType| a.common(b, DataModel::Ilp32);
        assert_eq!(lp64(IntType::UnsignedChar, IntType::Short), IntType::Int);
        assert_eq!(lp64(IntType::Int, IntType::UnsignedInt), IntType::UnsignedInt);
        assert_eq!(lp64(IntType::Long, IntType::UnsignedInt), IntType::Long);
        assert_eq!(ilp32(IntType::Long, IntType::UnsignedInt), IntType::UnsignedLong);
        assert_eq!(lp64(IntType::LongLong, IntType::UnsignedLong), IntType::UnsignedLongLong);
        assert_eq!(ilp32(IntType::LongLong, IntType::UnsignedLong), IntType::LongLong);
        assert_eq!(lp64(IntType::Int128, IntType::UnsignedLongLong), IntType::Int128);
    }
}
