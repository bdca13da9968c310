//! The rules, and what it means to break one.

use crate::program::BlockId;
use std::fmt;

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $rule:ident = $name:literal;)*) => {
        /// What every program obeys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])* $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Rule] = &[$(Rule::$rule),*];

            /// The name, which does not change.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Rule::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    /// The program starts in one of its functions.
    EntryExists = "entry-exists";
    /// Functions that are called or taken as values exist.
    FunctionExists = "function-exists";
    /// Locals that are named belong to the function.
    LocalExists = "local-exists";
    /// Globals that are named exist.
    GlobalExists = "global-exists";
    /// Blocks that are gone to belong to the function.
    BlockExists = "block-exists";
    /// Statements that instructions belong to are statements of the function.
    StatementExists = "statement-exists";
    /// Types that are named exist.
    TypeExists = "type-exists";
    /// Records that types name exist.
    RecordExists = "record-exists";
    /// Fields of records that places name exist.
    FieldExists = "field-exists";
    /// Names of fields of dynamic records exist.
    SymbolExists = "symbol-exists";

    /// A type is numbered after the types that it is made of.
    TypeOrder = "type-order";
    /// Types are nested in each other no deeper than
    /// [`MAX_TYPE_NESTING`](crate::text::MAX_TYPE_NESTING).
    TypeNesting = "type-nesting";
    /// Machine integers have at least 1 and at most [`MAX_WIDTH`](crate::validate::MAX_WIDTH) bits.
    IntegerWidth = "integer-width";
    /// The fields of a record lie inside of it.
    RecordLayout = "record-layout";
    /// A record does not contain itself.
    RecordRecursion = "record-recursion";
    /// The initial scalars of a global lie inside of it.
    GlobalInitialiser = "global-initialiser";

    /// Lines and columns count from 1, spans do not end before they start, and they lie in a file
    /// of the program unless it has none.
    SpanInSource = "span-in-source";
    /// Different functions have different names.
    FunctionNames = "function-names";
    /// The parameters of a function are among its locals.
    ParametersAreLocals = "parameters-are-locals";
    /// A function has an entry block.
    EntryBlock = "entry-block";
    /// Nothing goes to the entry block.
    EntryBlockPredecessors = "entry-block-predecessors";
    /// Every block can be reached from the entry block.
    BlockReachable = "block-reachable";

    /// Instructions compute with registers, never with locals in memory.
    OperandIsRegister = "operand-is-register";
    /// Instructions leave their results in registers.
    TargetIsRegister = "target-is-register";
    /// Only a local in memory ends.
    DeadIsMemory = "dead-is-memory";

    /// Only a pointer is followed.
    DerefOfPointer = "deref-of-pointer";
    /// Only a record has numbered fields.
    FieldOfRecord = "field-of-record";
    /// Only a dynamic value has named fields.
    NamedOfAny = "named-of-any";
    /// Only an array or a dynamic value has elements.
    IndexOfArray = "index-of-array";
    /// An index is an integer.
    IndexIsInteger = "index-is-integer";
    /// A place inside of a struct or array with a layout lies in memory.
    PartsInMemory = "parts-in-memory";
    /// Only what is in memory has an address: locals in memory, globals, and what is pointed to.
    AddressOfMemory = "address-of-memory";
    /// Parts of dynamic values have no address.
    AddressOfDynamic = "address-of-dynamic";

    /// A bit-field has no address.
    AddressOfBits = "address-of-bits";

    /// A constant is a number of its type.
    ConstantInRange = "constant-in-range";
    /// Negation is of numbers, `not` of truth values.
    UnaryOperand = "unary-operand";
    /// `and` and `or` take truth values, shifts any two integers, other operations two integers of
    /// one type, and the first four of them two floating point numbers of one format.
    BinaryOperands = "binary-operands";
    /// What is compared are numbers of one type, pointers, or, for equality, truth values,
    /// functions, and values of which one is dynamic.
    CompareOperands = "compare-operands";
    /// Conversion is between numbers, truth values, pointers and functions.
    ConvertTypes = "convert-types";
    /// A downcast is from `any` to integers, pointers or functions.
    DowncastTypes = "downcast-types";
    /// An offset is a pointer and an integer.
    OffsetOperands = "offset-operands";
    /// A difference of pointers, and the size of an object, is an integer.
    PointerOperands = "pointer-operands";
    /// Allocation takes an integer and, if any, an initial value of the type of the elements. What is linked is on the stack:
    /// structs whose parts do not overlap, by a field that points to such a struct.
    AllocateOperands = "allocate-operands";
    /// The parts of new dynamic arrays and records fit in `any`.
    DynamicParts = "dynamic-parts";
    /// Input and undefined values are scalars.
    InputType = "input-type";

    /// A value fits in the register that it is assigned to: their types are the same, or the
    /// register is dynamic and the value no truth value or aggregate, or the value is null and the
    /// register for a pointer or function.
    AssignType = "assign-type";
    /// A stored value fits in its place.
    StoreType = "store-type";
    /// What is called is a function or dynamic.
    CallCallee = "call-callee";
    /// A known function gets as many arguments as it has parameters, and each fits; an unknown one
    /// gets anything but arrays.
    CallArguments = "call-arguments";
    /// The result of a known function is used only if it has one, in a register where it fits.
    CallResult = "call-result";
    /// A function returns a value that fits in its result, or nothing if it has none.
    ReturnValue = "return-value";
    /// Branches and assumptions are about truth values.
    ConditionIsBool = "condition-is-bool";
    /// The values of a switch are integers.
    SwitchValue = "switch-value";
    /// The cases of a switch are different integers of its type.
    SwitchCases = "switch-cases";
    /// Output is an integer.
    OutputIsInteger = "output-is-integer";
    /// The status of an exit is an integer.
    ExitIsInteger = "exit-is-integer";
    /// What is given back is a pointer.
    FreeIsPointer = "free-is-pointer";
    /// Ranges of memory are given by pointers and integers.
    RangeOperands = "range-operands";
    /// An intrinsic gets as many arguments as it needs, and its result goes where it fits.
    IntrinsicOperands = "intrinsic-operands";
    /// The operands of a check are of the types that its predicate is about.
    PredicateOperands = "predicate-operands";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule that a program breaks. Always an error of Loupe itself, never of its user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The name of the function where it is broken, if it is in a function.
    pub function: Option<String>,
    /// The block of the function, if it is in a block.
    pub block: Option<BlockId>,
    /// The instruction of the block, if it is in one; the terminator is counted as the last.
    pub instruction: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl Violation {
    /// A violation whose place is not known yet.
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Violation { rule, function: None, block: None, instruction: None, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the program breaks the rule `{}`", self.rule)?;
        if let Some(function) = &self.function {
            write!(f, " in function `{function}`")?;
        }
        if let Some(block) = self.block {
            write!(f, ", block b{}", block.0)?;
        }
        if let Some(instruction) = self.instruction {
            write!(f, ", instruction {instruction}")?;
        }
        write!(f, ": {}", self.message)
    }
}
