//! The types of the flowgraph language.
//!
//! They serve two languages. microc is dynamically typed: what a front end cannot type statically
//! has the type `any`, and a check precedes each use that needs more. C is statically typed, and its
//! aggregates have a layout in bytes.

mod nodes;

use loupe_integer::{Integer, Signedness};
pub use nodes::Node;
use std::collections::HashMap;
use std::fmt;

/// A type, as an index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

impl TypeId {
    /// [`Type::Any`].
    pub const ANY: TypeId = TypeId(0);
    /// [`Type::Bool`].
    pub const BOOL: TypeId = TypeId(1);
    /// [`Type::Int`] without bounds.
    pub const INT: TypeId = TypeId(2);
    /// [`Type::Function`].
    pub const FUNCTION: TypeId = TypeId(3);
    /// [`Type::Pointer`] to `any`.
    pub const POINTER: TypeId = TypeId(4);
}

/// The integers of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntType {
    /// All integers.
    Unbounded,
    /// The integers of `width` bits; arithmetic wraps around.
    Machine {
        /// How many bits.
        width: u32,
        /// Whether they have a sign.
        signedness: Signedness,
    },
}

impl IntType {
    /// Signed integers of `width` bits.
    pub const fn signed(width: u32) -> Self {
        IntType::Machine { width, signedness: Signedness::Signed }
    }

    /// Unsigned integers of `width` bits.
    pub const fn unsigned(width: u32) -> Self {
        IntType::Machine { width, signedness: Signedness::Unsigned }
    }

    /// The value that `value` becomes when it is stored in this type.
    #[inline(always)]
    pub fn wrap(self, value: Integer) -> Integer {
        match self {
            IntType::Unbounded => value,
            IntType::Machine { width, signedness } => value.wrap(width, signedness),
        }
    }

    /// Whether `value` is one of this type.
    pub fn contains(self, value: &Integer) -> bool {
        match self {
            IntType::Unbounded => true,
            IntType::Machine { width, signedness } => value.wrap(width, signedness) == *value,
        }
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntType::Unbounded => f.write_str("int"),
            IntType::Machine { width, signedness: Signedness::Signed } => write!(f, "i{width}"),
            IntType::Machine { width, signedness: Signedness::Unsigned } => write!(f, "u{width}"),
        }
    }
}

/// The formats of floating point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatType {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// The 80 bits of the x87, little endian, followed by padding.
    F80,
}

impl FloatType {
    /// All formats.
    pub const ALL: [FloatType; 3] = [FloatType::F32, FloatType::F64, FloatType::F80];

    /// The name in the textual form.
    pub const fn name(self) -> &'static str {
        match self {
            FloatType::F32 => "f32",
            FloatType::F64 => "f64",
            FloatType::F80 => "f80",
        }
    }

    /// How many bits a number has.
    pub const fn bits(self) -> u32 {
        match self {
            FloatType::F32 => 32,
            FloatType::F64 => 64,
            FloatType::F80 => 80,
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Any value; its [`Tag`] is known at run time only.
    Any,
    /// A truth value.
    Bool,
    /// Integers.
    Int(IntType),
    /// Floating point numbers.
    Float(FloatType),
    /// A function, or null.
    Function,
    /// A pointer to an object of this type, or null.
    Pointer(TypeId),
    /// So many elements of one type, one after the other.
    Array {
        /// The type of the elements.
        element: TypeId,
        /// How many.
        length: u64,
    },
    /// A struct or union.
    Record(RecordId),
}

/// What a value of type `any` may be at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// A number.
    Number,
    /// A pointer to an object, or null.
    Pointer,
    /// An array.
    Array,
    /// A record.
    Record,
    /// A function.
    Function,
}

impl Tag {
    /// All tags.
    pub const ALL: [Tag; 5] = [Tag::Number, Tag::Pointer, Tag::Array, Tag::Record, Tag::Function];

    /// The tag's name.
    pub const fn name(self) -> &'static str {
        match self {
            Tag::Number => "number",
            Tag::Pointer => "pointer",
            Tag::Array => "array",
            Tag::Record => "record",
            Tag::Function => "function",
        }
    }

    /// The name with its article, for messages.
    pub const fn with_article(self) -> &'static str {
        match self {
            Tag::Number => "a number",
            Tag::Pointer => "a pointer",
            Tag::Array => "an array",
            Tag::Record => "a record",
            Tag::Function => "a function",
        }
    }
}

/// A struct or union, as an index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u32);

/// A struct or union with its layout. A union is a record whose fields overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordType {
    /// Its name; front ends invent one for what has none.
    pub name: String,
    /// Its fields.
    pub fields: Vec<RecordField>,
    /// Its size in units of memory.
    pub size: u64,
}

/// A field of a [`RecordType`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordField {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// Where it starts, in units of memory from the start of the record.
    pub offset: u64,
    /// For a bit-field, whose type is one of machine integers: its first bit, counted from the least
    /// significant one of the byte at `offset`. It has no address.
    pub first_bit: Option<u32>,
}

/// All types of a program, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Types {
    types: Vec<Type>,
    numbers: HashMap<Type, TypeId>,
    records: Vec<RecordType>,
    pointer_size: u64,
}

impl Types {
    /// The types that every program has; a pointer takes `pointer_size` units of memory.
    pub fn new(pointer_size: u64) -> Self {
        let mut types =
            Types { types: Vec::new(), numbers: HashMap::new(), records: Vec::new(), pointer_size };
        // In the order of the constants of `TypeId`.
        types.intern(Type::Any);
        types.intern(Type::Bool);
        types.intern(Type::Int(IntType::Unbounded));
        types.intern(Type::Function);
        types.intern(Type::Pointer(TypeId::ANY));
        types
    }

    /// How many units of memory a pointer takes.
    pub fn pointer_size(&self) -> u64 {
        self.pointer_size
    }

    /// The number of `ty`.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.numbers.get(&ty) {
            return *id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.numbers.insert(ty, id);
        id
    }

    /// The number of the integers `int`.
    pub fn int(&mut self, int: IntType) -> TypeId {
        self.intern(Type::Int(int))
    }

    /// The type with this number.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// Whether there is a type with this number.
    pub fn contains(&self, id: TypeId) -> bool {
        (id.0 as usize) < self.types.len()
    }

    /// Adds a struct or union.
    pub fn add_record(&mut self, record: RecordType) -> RecordId {
        self.records.push(record);
        RecordId((self.records.len() - 1) as u32)
    }

    /// Gives a struct or union its fields, which may point to itself.
    pub fn complete_record(&mut self, id: RecordId, fields: Vec<RecordField>, size: u64) {
        let record = &mut self.records[id.0 as usize];
        record.fields = fields;
        record.size = size;
    }

    /// The struct or union with this number.
    pub fn record(&self, id: RecordId) -> &RecordType {
        &self.records[id.0 as usize]
    }

    /// All structs and unions.
    pub fn records(&self) -> &[RecordType] {
        &self.records
    }

    /// How many units of memory a value of this type takes. A unit is a byte for machine types; a
    /// value of `any`, `int` or `bool` takes one unit.
    pub fn size_of(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Any | Type::Bool | Type::Int(IntType::Unbounded) => 1,
            Type::Int(IntType::Machine { width, .. }) => u64::from(width.div_ceil(8)),
            Type::Float(FloatType::F32) => 4,
            Type::Float(FloatType::F64) => 8,
            // As the ABIs of the x86 pad it.
            Type::Float(FloatType::F80) => {
                if self.pointer_size == 4 {
                    12
                } else {
                    16
                }
            }
            Type::Function | Type::Pointer(_) => self.pointer_size,
            Type::Array { element, length } => self.size_of(*element).saturating_mul(*length),
            Type::Record(record) => self.record(*record).size,
        }
    }

    /// The integers of this type, if it is one of integers.
    pub fn as_int(&self, id: TypeId) -> Option<IntType> {
        match self.get(id) {
            Type::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// Whether values of this type are scalars: neither arrays nor structs.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        !matches!(self.get(id), Type::Array { .. } | Type::Record(_))
    }
}
