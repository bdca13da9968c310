//! Objects and functions.

use std::collections::HashMap;

use loupe_ir::source::Span;
use rucc_ast::Ast;
use rucc_sema::{
    DeclFlags, DeclKind, Definition as FromDefinition, Emission, Linkage, Priority,
    StorageDuration, library_name,
};
use rucc_types::{ArrayLen, Qualifiers, TypeKind as FromType};

use super::{Converter, Entity, Pending};
use crate::tree::{
    Definition, ExprKind, Function, FunctionId, Object, ObjectId, SignatureId, StmtId, StmtKind,
    Storage, Type, TypeId, TypeKind,
};

/// A constructor or destructor without a number comes behind all with one.
const LAST_PRIORITY: u32 = 65_536;

/// The whole definition of every function, by the place of its name.
pub(super) fn definitions(ast: &Ast) -> HashMap<rucc_diag::Span, rucc_diag::Span> {
    let mut found = HashMap::new();
    for id in ast.top_level() {
        if let rucc_ast::Decl::Function { declarator, .. } = ast[*id] {
            found.insert(ast[declarator].name_span, ast.decl_span(*id));
        }
    }
    found
}

impl Converter<'_, '_> {
    /// Whether a declaration of file scope belongs to the program by itself, not only if it is used.
    pub(super) fn is_wanted(&self, id: rucc_sema::DeclId) -> bool {
        let decl = &self.tast[id];
        let is_shared = decl.linkage == Linkage::External;
        let is_defined = decl.state != FromDefinition::Declared;
        let is_emitted = is_defined && is_shared && decl.inline.emits();
        let is_own = !self.places.is_system(self.tast.decl_span(id));
        decl.startup.asked() || is_emitted || is_own || decl.alias.is_some()
    }

    /// The object or function that a declaration declares.
    pub(super) fn entity(&mut self, id: rucc_sema::DeclId) -> Entity {
        if let Some(known) = self.decls.get(&id) {
            return *known;
        }
        match self.tast[id].kind {
            DeclKind::Function => Entity::Function(self.declared_function(id)),
            DeclKind::Object | DeclKind::Type => Entity::Object(self.declared_object(id)),
        }
    }

    fn declared_object(&mut self, id: rucc_sema::DeclId) -> ObjectId {
        let decl = self.tast[id].clone();
        let object = ObjectId(self.unit.objects.len() as u32);
        let span = self.places.span_or_start(self.tast.decl_span(id));
        let storage = match (decl.linkage, decl.duration) {
            (Linkage::External, _) => Storage::External,
            (Linkage::Internal, _) => Storage::Static,
            (Linkage::None, StorageDuration::Automatic) => Storage::Automatic,
            (Linkage::None, _) => Storage::Static,
        };
        let state = match decl.state {
            FromDefinition::Declared => Definition::Declared,
            FromDefinition::Tentative => Definition::Tentative,
            FromDefinition::Defined => Definition::Defined,
        };
        let name = decl.name.map(|name| self.text(name));
        self.unit.objects.push(Object {
            link_name: decl.asm_label.map(|label| self.literal(label)).or_else(|| name.clone()),
            name,
            ty: TypeId(0),
            storage,
            state,
            initial: None,
            cleanup: None,
            is_const: self.types.object_quals(decl.ty).has(Qualifiers::CONST),
            alias: decl.alias.map(|alias| self.literal(alias)),
            is_weak: decl.flags.contains(DeclFlags::WEAK),
            extent: Some(self.tast.extent(id)).filter(|extent| *extent > 0),
            span,
        });
        // Known from here on: its type may have a length that mentions it (`int a[sizeof a]`).
        self.decls.insert(id, Entity::Object(object));
        let ty = self.completed(decl.ty, decl.state);
        self.unit.objects[object.index()].ty = self.ty(ty);
        if let Some(cleanup) = decl.cleanup {
            self.unit.objects[object.index()].cleanup = self.function_of(cleanup);
        }
        if decl.init.is_some() {
            self.pending.push_back(Pending::Initial(id, object, self.function));
        }
        object
    }

    /// A tentative definition of an array without a length is one of an array with one element.
    fn completed(&mut self, ty: rucc_types::TypeId, state: FromDefinition) -> rucc_types::TypeId {
        match self.types.kind(self.types.canonical(ty)) {
            FromType::Array { elem, len: ArrayLen::Unknown }
                if state == FromDefinition::Tentative =>
            {
                self.types.array(elem, ArrayLen::Fixed(1))
            }
            _ => ty,
        }
    }

    /// The initialiser of an object.
    pub(super) fn initial(&mut self, id: rucc_sema::DeclId, object: ObjectId) {
        let decl = &self.tast[id];
        let Some(list) = decl.init else { return };
        let is_static = decl.duration != StorageDuration::Automatic;
        let initial = self.initials(list, is_static);
        let initial = self.without_replaced(initial, self.unit.objects[object.index()].ty);
        self.unit.objects[object.index()].initial = Some(initial);
    }

    fn declared_function(&mut self, id: rucc_sema::DeclId) -> FunctionId {
        let decl = self.tast[id].clone();
        let written = decl.name.map(|name| self.text(name)).unwrap_or_default();
        let name = match library_name(&written) {
            Some(library) if decl.body.is_none() => library.to_owned(),
            _ => written,
        };
        let label = decl.asm_label.map(|label| self.literal(label));
        let is_reference = decl.flags.contains(DeclFlags::WEAKREF);
        let link_name = label.clone().filter(|_| !is_reference).unwrap_or_else(|| name.clone());
        let is_external = decl.linkage == Linkage::External;
        if is_external
            && decl.body.is_none()
            && let Some(known) = self.functions_by_link_name.get(&link_name)
        {
            self.decls.insert(id, Entity::Function(*known));
            return *known;
        }
        let name_span = self.tast.decl_span(id);
        let name_span = if decl.body.is_some() { self.tast.definition_span(id) } else { name_span };
        let span = self.definitions.get(&name_span).copied().unwrap_or(name_span);
        let signature = self.signature_of(decl.ty);
        let span = self.places.span_or_start(span);
        let name_span = self.places.span_or_start(name_span);
        let function = Function {
            alias: match is_reference {
                true => label,
                false => decl.alias.map(|alias| self.literal(alias)),
            },
            signature,
            is_external,
            is_weak: decl.flags.contains(DeclFlags::WEAK) || is_reference,
            is_noreturn: decl.flags.contains(DeclFlags::NORETURN),
            is_inline_only: is_external && decl.body.is_some() && decl.inline == Emission::Inline,
            constructor: decl.startup.before.map(priority),
            destructor: decl.startup.after.map(priority),
            is_implicit: false,
            params: Vec::new(),
            body: None,
            labels: Vec::new(),
            span,
            name_span,
            name,
            link_name,
        };
        let function = self.push_function(function);
        self.decls.insert(id, Entity::Function(function));
        if decl.body.is_some() {
            self.pending.push_back(Pending::Body(id, function));
        }
        function
    }

    fn push_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.unit.functions.len() as u32);
        if function.is_external {
            self.functions_by_link_name.insert(function.link_name.clone(), id);
        }
        self.unit.functions.push(function);
        id
    }

    fn signature_of(&mut self, ty: rucc_types::TypeId) -> SignatureId {
        match self.types.kind(self.types.canonical(ty)) {
            FromType::Function(id) => self.signature(id),
            _ => {
                let result = self.ty(ty);
                let more = crate::tree::More::Unspecified;
                self.intern_signature(crate::tree::Signature { result, params: Vec::new(), more })
            }
        }
    }

    /// The parameters and the body of a function.
    pub(super) fn body(&mut self, id: rucc_sema::DeclId, function: FunctionId) {
        let tast = self.tast;
        let decl = &tast[id];
        let Some(body) = decl.body else { return };
        self.function = Some(function);
        let mut lengths = Vec::new();
        let mut params = Vec::new();
        for param in &tast[decl.params] {
            if let Entity::Object(object) = self.entity(*param) {
                self.unit.objects[object.index()].storage = Storage::Parameter;
                params.push(object);
            }
            // `int a[n++]` is a pointer, but the length is computed.
            let written = tast.adjusted_from(*param).unwrap_or(tast[*param].ty);
            let written = self.ty(written);
            if self.has_variable_length(written) {
                lengths.push(written);
            }
        }
        self.unit.functions[function.index()].params = params;
        let mut body = match decl.linkage {
            Linkage::None => self.nested_body(function),
            _ => self.stmt(body),
        };
        if !lengths.is_empty() {
            let span = self.unit.stmts[body.index()].span;
            let first = self.push_stmt(StmtKind::Lengths(lengths), span);
            body = self.push_stmt(StmtKind::Block(vec![first, body]), span);
        }
        self.unit.functions[function.index()].body = Some(body);
        self.function = None;
    }

    /// What stands for the body of a nested function, which shares the frame of the one around it.
    fn nested_body(&mut self, function: FunctionId) -> StmtId {
        let span = self.unit.functions[function.index()].span;
        let void = self.types.void();
        let ty = self.ty(void);
        let words = ExprKind::Unsupported("a function inside a function".to_owned());
        let value = self.push_expr(words, ty, span);
        self.push_stmt(StmtKind::Expr(value), span)
    }

    /// The function of the library that other units know by this name.
    pub(super) fn external_function(
        &mut self,
        name: &str,
        signature: SignatureId,
        span: Span,
    ) -> FunctionId {
        if let Some(known) = self.functions_by_link_name.get(name) {
            return *known;
        }
        self.push_function(Function {
            name: name.to_owned(),
            link_name: name.to_owned(),
            signature,
            is_external: true,
            alias: None,
            is_weak: false,
            is_noreturn: false,
            is_inline_only: false,
            constructor: None,
            destructor: None,
            is_implicit: false,
            params: Vec::new(),
            body: None,
            labels: Vec::new(),
            span,
            name_span: span,
        })
    }

    /// The type of functions with a signature.
    pub(super) fn function_type(&mut self, signature: SignatureId) -> TypeId {
        self.derived(TypeKind::Function(signature), None)
    }

    /// The type of pointers to a type.
    pub(super) fn pointer_type(&mut self, target: TypeId) -> TypeId {
        self.derived(TypeKind::Pointer(target), Some(u64::from(self.target.pointer_width / 8)))
    }

    fn derived(&mut self, kind: TypeKind, size: Option<u64>) -> TypeId {
        let known = self.unit.types.iter().position(|ty: &Type| ty.kind == kind);
        match known {
            Some(known) => TypeId(known as u32),
            None => self.intern(kind, String::new(), size, size.unwrap_or(1)),
        }
    }
}

fn priority(priority: Priority) -> u32 {
    match priority {
        Priority::Unnumbered => LAST_PRIORITY,
        Priority::Numbered(number) => u32::from(number),
    }
}
