//! Types and their layout.
//!
//! A type is converted without its qualifiers and names of typedefs, those inside included: `const
//! char *` and `char *` are one type here. Whether an access is volatile says its expression.

use std::collections::HashMap;

use loupe_integer::Signedness;
use rucc_base::Interner;
use rucc_base::float::Format;
use rucc_types::{ArrayLen, RecordKind, TypeKind as From, Types};

use super::{Converter, Pending};
use crate::tree::{
    Bits, Field, FloatKind, Length, More, Record, RecordId, Signature, SignatureId, Type, TypeId,
    TypeKind,
};

/// Names of structs and unions that have no tag but a typedef.
pub(super) fn names_of_records(
    types: &Types,
    names: &Interner,
) -> HashMap<rucc_types::RecordId, String> {
    let mut found = HashMap::new();
    for alias in types.aliases() {
        if let From::Record(record) = types.kind(types.canonical(alias.of))
            && types.record_info(record).tag.is_none()
        {
            found.entry(record).or_insert_with(|| names.resolve(alias.name).to_owned());
        }
    }
    found
}

/// How long the declarator of a type gets: nobody reads a pointer of a thousand stars.
const LONGEST_NAME: usize = 200;

impl Converter<'_, '_> {
    /// The type, without its qualifiers.
    pub(super) fn ty(&mut self, id: rucc_types::TypeId) -> TypeId {
        if let Some(known) = self.type_ids.get(&id) {
            return *known;
        }
        let canonical = self.types.canonical(id);
        let bare = self.types.unqualified(canonical);
        let ty = match self.types.kind(bare) {
            From::Atomic(inner) => self.ty(inner),
            kind => {
                let (kind, name) = self.kind(kind);
                let layout = rucc_types::layout(self.types, bare, self.target).ok();
                // The size of void is one for arithmetic, but no object has it.
                let size = layout.map(|layout| layout.size);
                let align = rucc_types::align(self.types, bare, self.target).unwrap_or(1);
                self.intern(kind, name, size, align)
            }
        };
        self.type_ids.insert(id, ty);
        ty
    }

    /// The kind of a canonical type, and its name if that cannot be read off the kind.
    fn kind(&mut self, kind: From) -> (TypeKind, String) {
        match kind {
            From::Void => (TypeKind::Void, "void".to_owned()),
            From::Bool => (TypeKind::Bool, "_Bool".to_owned()),
            From::Int(kind) => {
                let width = rucc_types::int_width(kind, self.target);
                let signedness = sign(kind.is_signed(self.target.char_is_signed));
                (TypeKind::Int { width, signedness }, kind.as_str().to_owned())
            }
            From::BitInt { signed, width } if width <= 128 => {
                let name = format!("{}_BitInt({width})", if signed { "" } else { "unsigned " });
                (TypeKind::Int { width, signedness: sign(signed) }, name)
            }
            From::Enum(id) => self.enumeration(id),
            From::Float(kind) => {
                let format = rucc_types::float_format(kind, self.target);
                let kind_here = match format {
                    Format::Single => TypeKind::Float(FloatKind::Single),
                    Format::Double => TypeKind::Float(FloatKind::Double),
                    Format::X87Extended => TypeKind::Float(FloatKind::Extended),
                    _ => TypeKind::Unsupported,
                };
                (kind_here, kind.as_str().to_owned())
            }
            From::Pointer(inner) => (TypeKind::Pointer(self.ty(inner)), String::new()),
            From::Array { elem, len } => {
                let length = match len {
                    ArrayLen::Fixed(count) => Length::Fixed(count),
                    ArrayLen::Unknown | ArrayLen::Star => Length::Unknown,
                    ArrayLen::Variable(id) => Length::Variable(self.length(id)),
                };
                (TypeKind::Array { element: self.ty(elem), length }, String::new())
            }
            From::Function(id) => (TypeKind::Function(self.signature(id)), String::new()),
            From::Record(id) => {
                let record = self.record(id);
                let info = self.types.record_info(id);
                let name =
                    format!("{} {}", info.kind.as_str(), self.unit.records[record.index()].name);
                // The place of a member behind an array of variable length is computed when the
                // program runs; nobody writes that.
                if info.variable.is_some() || info.reverse {
                    return (TypeKind::Unsupported, name);
                }
                (TypeKind::Record(record), name)
            }
            From::BitInt { width, .. } => (TypeKind::Unsupported, format!("_BitInt({width})")),
            From::Complex(_) => (TypeKind::Unsupported, "_Complex".to_owned()),
            From::Vector { .. } => (TypeKind::Unsupported, "vector".to_owned()),
            From::Atomic(inner) | From::Typedef { underlying: inner, .. } => {
                let inner = self.types.canonical(inner);
                let kind = self.types.kind(inner);
                self.kind(kind)
            }
        }
    }

    fn enumeration(&mut self, id: rucc_types::EnumId) -> (TypeKind, String) {
        let info = self.types.enum_info(id);
        let name = match info.tag {
            Some(tag) => format!("enum {}", self.names.resolve(tag)),
            None => "enum".to_owned(),
        };
        if info.hardbool.is_some() {
            return (TypeKind::Unsupported, name);
        }
        // An enumeration that is never defined has no values; its type hardly matters.
        let Some(underlying) = info.underlying else {
            return (TypeKind::Int { width: 32, signedness: Signedness::Unsigned }, name);
        };
        let underlying = self.types.kind(self.types.canonical(underlying));
        (self.kind(underlying).0, name)
    }

    pub(super) fn intern(
        &mut self,
        kind: TypeKind,
        name: String,
        size: Option<u64>,
        align: u64,
    ) -> TypeId {
        let name = if name.is_empty() { self.declared(&kind, String::new()) } else { name };
        let next = TypeId(self.unit.types.len() as u32);
        let id = *self.interned_types.entry((kind.clone(), name.clone())).or_insert(next);
        if id == next {
            self.unit.types.push(Type { kind, name, size, align });
        }
        id
    }

    /// `inner` declared with a type, as C writes it: `int (*inner)[3]`.
    fn declared(&self, kind: &TypeKind, inner: String) -> String {
        if inner.len() > LONGEST_NAME {
            return "…".to_owned();
        }
        let (rest, inner) = match kind {
            TypeKind::Pointer(target) => {
                let target_kind = &self.unit.types[target.index()].kind;
                let binds_weaker =
                    matches!(target_kind, TypeKind::Array { .. } | TypeKind::Function(_));
                let inner = if binds_weaker { format!("(*{inner})") } else { format!("*{inner}") };
                (*target, inner)
            }
            TypeKind::Array { element, length } => {
                let length = match length {
                    Length::Fixed(count) => count.to_string(),
                    Length::Unknown => String::new(),
                    Length::Variable(_) => "*".to_owned(),
                };
                (*element, format!("{inner}[{length}]"))
            }
            TypeKind::Function(signature) => {
                let signature = &self.unit.signatures[signature.index()];
                let mut params: Vec<&str> =
                    signature.params.iter().map(|ty| self.name(*ty)).collect();
                match signature.more {
                    More::None if params.is_empty() => params.push("void"),
                    More::None => {}
                    More::Variadic => params.push("..."),
                    More::Unspecified => params.clear(),
                }
                (signature.result, format!("{inner}({})", params.join(", ")))
            }
            _ => return inner,
        };
        let base = &self.unit.types[rest.index()];
        match base.kind {
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function(_) => {
                self.declared(&base.kind, inner)
            }
            _ if inner.starts_with('[') => format!("{}{inner}", base.name),
            _ => format!("{} {inner}", base.name),
        }
    }

    fn name(&self, ty: TypeId) -> &str {
        &self.unit.types[ty.index()].name
    }

    /// The type of functions.
    pub(super) fn signature(&mut self, id: rucc_types::FunctionId) -> SignatureId {
        let from = self.types.signature(id).clone();
        let more = match (from.prototyped, from.variadic) {
            (false, _) => More::Unspecified,
            (true, true) => More::Variadic,
            (true, false) => More::None,
        };
        let result = self.ty(from.ret);
        let params = from.params.iter().map(|ty| self.ty(*ty)).collect();
        self.intern_signature(Signature { result, params, more })
    }

    pub(super) fn intern_signature(&mut self, signature: Signature) -> SignatureId {
        if let Some(known) = self.signatures.get(&signature) {
            return *known;
        }
        let id = SignatureId(self.unit.signatures.len() as u32);
        self.unit.signatures.push(signature.clone());
        self.signatures.insert(signature, id);
        id
    }

    fn record(&mut self, id: rucc_types::RecordId) -> RecordId {
        if let Some(known) = self.record_ids.get(&id) {
            return *known;
        }
        let record = RecordId(self.unit.records.len() as u32);
        let info = self.types.record_info(id);
        let name = match (info.tag, self.tags.get(&id)) {
            (Some(tag), _) => self.names.resolve(tag).to_owned(),
            (None, Some(name)) => name.clone(),
            (None, None) => format!("<anonymous {}>", record.0),
        };
        self.unit.records.push(Record {
            name,
            is_union: info.kind == RecordKind::Union,
            fields: Vec::new(),
            size: info.layout.map(|layout| layout.size),
        });
        self.record_ids.insert(id, record);
        // Before everything else: initialisers ask what an object consists of.
        self.pending.push_front(Pending::Fields(id, record));
        record
    }

    /// The members of a struct or union.
    pub(super) fn fields(&mut self, from: rucc_types::RecordId, record: RecordId) {
        let members = self.types.record_info(from).fields.clone();
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            fields.push(Field {
                name: member.name.map(|name| self.text(name)),
                ty: self.ty(member.ty),
                offset: member.offset,
                bits: member.bits.map(|width| Bits { first: member.bit, width }),
            });
        }
        self.unit.records[record.index()].fields = fields;
    }

    /// The length of an array of variable length: one expression for its declaration and all uses.
    pub(super) fn length(&mut self, id: rucc_types::VlaId) -> crate::tree::ExprId {
        if let Some(known) = self.lengths.get(&id) {
            return *known;
        }
        let from = self.tast.vla_size(id);
        let length = self.expr(from);
        self.lengths.insert(id, length);
        self.length_exprs.insert(from, length);
        length
    }

    /// Whether the lengths of some arrays in a type are computed when the program runs.
    pub(super) fn has_variable_length(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        loop {
            match self.unit.types[ty.index()].kind {
                TypeKind::Array { length: Length::Variable(_), .. } => return true,
                TypeKind::Array { element: inner, .. } | TypeKind::Pointer(inner) => ty = inner,
                _ => return false,
            }
        }
    }

    /// What a type that is not modelled is, in words.
    pub(super) fn words(&self, id: rucc_types::TypeId) -> String {
        let kind = self.types.kind(self.types.canonical(id));
        match kind {
            From::Complex(_) => "complex numbers".to_owned(),
            From::Vector { .. } => "vectors".to_owned(),
            From::Float(kind) => format!("numbers of type `{}`", kind.as_str()),
            From::BitInt { width, .. } => format!("integers of {width} bits"),
            From::Record(id) if self.types.record_info(id).reverse => {
                "a struct with reversed byte order".to_owned()
            }
            From::Record(_) => "a struct with an array of variable length".to_owned(),
            From::Enum(_) => "an enumeration with `hardbool`".to_owned(),
            _ => "this type".to_owned(),
        }
    }

    /// Whether a type is not modelled.
    pub(super) fn is_unsupported(&self, ty: TypeId) -> bool {
        self.unit.types[ty.index()].kind == TypeKind::Unsupported
    }

    /// Whether a type is a number or a pointer.
    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(
            self.unit.types[ty.index()].kind,
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float(_) | TypeKind::Pointer(_)
        )
    }
}

fn sign(is_signed: bool) -> Signedness {
    if is_signed { Signedness::Signed } else { Signedness::Unsigned }
}
