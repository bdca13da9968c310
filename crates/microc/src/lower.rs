//! From the syntax tree to the flowgraph language.
//!
//! Expressions are split into temporaries (section 5.2.1 of the thesis), each with the span of the
//! expression that it holds. microc is dynamically typed: where the inference of tags cannot show that an operand
//! is of the type that an operation needs, a check stands before the operation. Both sides of an
//! assignment are evaluated, left before right, before the place that is assigned to is checked.

mod block;
mod expr;
mod place;
mod prune;
mod stmt;
mod tags;

use crate::ast;
use crate::resolve::{FunctionIndex, Resolution};
use loupe_ir::program::{ArrayKind, FunctionId, Program, Symbols};
use loupe_ir::source::Sources;
use loupe_ir::types::{IntType, TypeId, Types};
use tags::Tags;

/// The readings of the language between which users choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The numbers.
    pub numbers: IntType,
    /// Whether assignment of an array copies it. If so, records may also hold records.
    pub arrays: ArrayKind,
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect { numbers: IntType::Unbounded, arrays: ArrayKind::Reference }
    }
}

/// The flowgraph of a program.
pub fn lower(
    program: &ast::Program,
    resolution: &Resolution,
    sources: Sources,
    dialect: Dialect,
) -> Program {
    let mut types = Types::new(1);
    let numbers = types.int(dialect.numbers);
    let tags = Tags::infer(program, resolution);
    let mut context = Context {
        ast: program,
        resolution,
        dialect,
        numbers,
        tags,
        symbols: Symbols::default(),
        cells_start_empty: false,
    };
    context.cells_start_empty = context.some_variable_is_pointed_to();
    let mut functions = Vec::with_capacity(program.functions.len());
    for index in 0..program.functions.len() {
        functions.push(stmt::lower_function(&mut context, FunctionIndex(index as u32)));
    }
    functions.iter_mut().for_each(prune::drop_proven_checks);
    Program {
        sources,
        types,
        symbols: context.symbols,
        globals: Vec::new(),
        functions,
        entry: FunctionId(resolution.main().0),
    }
}

/// What the lowering of all functions shares.
struct Context<'a> {
    ast: &'a ast::Program,
    resolution: &'a Resolution,
    dialect: Dialect,
    /// The type of numbers.
    numbers: TypeId,
    tags: Tags,
    symbols: Symbols,
    /// Whether a pointer may lead to a cell that holds nothing yet. Only variables start that way;
    /// what `alloc` makes and what parameters hold has a value.
    cells_start_empty: bool,
}

impl Context<'_> {
    fn some_variable_is_pointed_to(&self) -> bool {
        let mut functions = self.ast.functions.iter().enumerate();
        functions.any(|(index, function)| {
            let index = FunctionIndex(index as u32);
            let count = self.resolution.locals(index).len();
            (function.params.len()..count).any(|local| self.tags.is_pointed_to(index, local))
        })
    }

    /// The static type of a parameter or variable.
    fn local_type(&self, function: FunctionIndex, local: usize) -> TypeId {
        if self.tags.is_pointed_to(function, local) {
            // What pointers lead to is of one type.
            return TypeId::ANY;
        }
        self.type_of(self.tags.local(function, local))
    }

    /// The static type of what a function returns.
    fn result_type(&self, function: FunctionIndex) -> TypeId {
        self.type_of(self.tags.result(function))
    }

    /// The static type for values with these tags.
    fn type_of(&self, tags: tags::TagSet) -> TypeId {
        match tags {
            tags::TagSet::NUMBER => self.numbers,
            tags::TagSet::POINTER => TypeId::POINTER,
            tags::TagSet::FUNCTION => TypeId::FUNCTION,
            _ => TypeId::ANY,
        }
    }
}
