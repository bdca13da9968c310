//! From the typed tree of the C front end to ours.
//!
//! Only what the program uses is converted: definitions, what they mention, and the declarations of
//! the user's own files. Headers declare hundreds of functions that nobody calls.
//!
//! What has no meaning here (complex numbers, vectors, questions about the machine) becomes
//! [`ExprKind::Unsupported`] with words for the user; nothing is guessed.

mod braces;
mod builtins;
mod constants;
mod decls;
mod exprs;
mod replaced;
mod stmts;
mod types;

use std::collections::{HashMap, VecDeque};

use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Span;
use rucc_ast::Ast;
use rucc_base::{Interner, Symbol};
use rucc_sema::Tast;
use rucc_target::TargetInfo;
use rucc_types::Types;

use super::flatten::Braces;
use super::places::Places;
use crate::tree::{
    Expr, ExprId, ExprKind, FunctionId, LabelId, ObjectId, RecordId, Signature, SignatureId, Stmt,
    StmtId, StmtKind, StringId, TopLevel, TypeId, TypeKind, Unit,
};

/// A checked program.
pub(super) struct Program<'a> {
    pub(super) checked: rucc_sema::Checked,
    pub(super) ast: &'a Ast,
    pub(super) names: &'a Interner,
    pub(super) removed: &'a [Braces],
}

/// Converts a program without errors. The errors are of the front end: it left something out without
/// a word.
pub(super) fn convert(
    name: &str,
    program: Program<'_>,
    target: &TargetInfo,
    places: &mut Places<'_>,
) -> Result<Unit, Vec<Diagnostic>> {
    let Program { checked, ast, names, removed } = program;
    let mut types = checked.types;
    let definitions = decls::definitions(ast);
    let tags = types::names_of_records(&types, names);
    let mut converter = Converter {
        tast: &checked.tast,
        types: &mut types,
        names,
        target,
        places,
        removed,
        unit: Unit { name: name.to_owned(), ..Unit::default() },
        errors: Vec::new(),
        braces: braces::Lists::new(ast),
        definitions,
        tags,
        type_ids: HashMap::new(),
        interned_types: HashMap::new(),
        signatures: HashMap::new(),
        record_ids: HashMap::new(),
        lengths: HashMap::new(),
        length_exprs: HashMap::new(),
        decls: HashMap::new(),
        functions_by_link_name: HashMap::new(),
        strings: HashMap::new(),
        labels: HashMap::new(),
        cases: HashMap::new(),
        defaults: Vec::new(),
        function: None,
        pending: VecDeque::new(),
    };
    converter.unit();
    let Converter { unit, errors, .. } = converter;
    if errors.is_empty() { Ok(unit) } else { Err(errors) }
}

/// What a declaration became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entity {
    Object(ObjectId),
    Function(FunctionId),
}

/// What is known by name but not converted yet.
#[derive(Clone, Copy, Debug)]
enum Pending {
    /// The initialiser of an object, and the function that it stands in.
    Initial(rucc_sema::DeclId, ObjectId, Option<FunctionId>),
    /// The body of a function.
    Body(rucc_sema::DeclId, FunctionId),
    /// The members of a struct or union.
    Fields(rucc_types::RecordId, RecordId),
}

/// The conversion. Definitions wait in `pending`, so that no recursion goes from one to another.
struct Converter<'a, 's> {
    tast: &'a Tast,
    types: &'a mut Types,
    names: &'a Interner,
    target: &'a TargetInfo,
    places: &'a mut Places<'s>,
    /// Blocks that were not parsed as such.
    removed: &'a [Braces],
    /// Where braces stand in initialisers.
    braces: braces::Lists,
    unit: Unit,
    errors: Vec<Diagnostic>,
    /// Where a definition of a function starts and ends, by the place of its name.
    definitions: HashMap<rucc_diag::Span, rucc_diag::Span>,
    /// Names of structs and unions without a tag, from typedefs.
    tags: HashMap<rucc_types::RecordId, String>,
    type_ids: HashMap<rucc_types::TypeId, TypeId>,
    interned_types: HashMap<(TypeKind, String), TypeId>,
    signatures: HashMap<Signature, SignatureId>,
    record_ids: HashMap<rucc_types::RecordId, RecordId>,
    lengths: HashMap<rucc_types::VlaId, ExprId>,
    /// The same by the expression, which the front end shares between a type and its `sizeof`.
    length_exprs: HashMap<rucc_sema::ExprId, ExprId>,
    decls: HashMap<rucc_sema::DeclId, Entity>,
    functions_by_link_name: HashMap<String, FunctionId>,
    strings: HashMap<rucc_sema::StrId, StringId>,
    labels: HashMap<rucc_sema::LabelId, LabelId>,
    cases: HashMap<rucc_sema::CaseId, StmtId>,
    /// The `default` of each enclosing `switch`.
    defaults: Vec<Option<StmtId>>,
    /// The function whose body is converted.
    function: Option<FunctionId>,
    pending: VecDeque<Pending>,
}

impl Converter<'_, '_> {
    fn unit(&mut self) {
        let tast = self.tast;
        for decl in tast.top_level() {
            if self.is_wanted(*decl) {
                self.entity(*decl);
            }
        }
        while let Some(pending) = self.pending.pop_front() {
            match pending {
                Pending::Initial(decl, object, function) => {
                    self.function = function;
                    self.initial(decl, object);
                    self.function = None;
                }
                Pending::Body(decl, function) => self.body(decl, function),
                Pending::Fields(from, record) => self.fields(from, record),
            }
        }
        for decl in tast.top_level() {
            let entry = match self.decls.get(decl) {
                Some(Entity::Object(object)) => TopLevel::Object(*object),
                Some(Entity::Function(function)) => TopLevel::Function(*function),
                None => continue,
            };
            self.unit.top_level.push(entry);
        }
        let mut seen = std::collections::HashSet::new();
        self.unit.top_level.retain(|entry| seen.insert(*entry));
        for assembler in tast.file_asms() {
            let span = self.places.span_or_start(assembler.span);
            self.unit.assembler.push(span);
        }
    }

    /// What the front end left out without an error.
    fn lost(&mut self, span: rucc_diag::Span, what: &str) {
        let span = self.places.span_or_start(span);
        let message = format!("the C front end could not understand this {what}");
        self.errors.push(Diagnostic::error(span, message));
    }

    fn text(&self, name: Symbol) -> String {
        self.names.resolve(name).to_owned()
    }

    /// The text of a string literal that is a name.
    fn literal(&self, id: rucc_sema::StrId) -> String {
        let characters = self.tast[id].elements.iter();
        characters.map(|c| char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    fn push_expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.unit.exprs.push(Expr { kind, ty, span });
        ExprId((self.unit.exprs.len() - 1) as u32)
    }

    fn push_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.unit.stmts.push(Stmt { kind, span });
        StmtId((self.unit.stmts.len() - 1) as u32)
    }
}
