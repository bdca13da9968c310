//! Constants, and initialisers of objects that live as long as the program.
//!
//! Such an initialiser is a constant. It is folded here, so that lowering sees numbers and addresses
//! (`AddressOf`, `Decay`, with a number of bytes added) and nothing else.

use std::collections::HashMap;

use loupe_ir::source::Span;
use rucc_sema::{Address, Base, Const, Conversion, Eval, ExprKind as From};
use rucc_types::IntKind;

use super::{Converter, Entity};
use crate::tree::{Bits, ExprId, ExprKind, Initial, StringId, StringLiteral, TypeKind};

impl Converter<'_, '_> {
    /// A constant of this type.
    pub(super) fn constant(&mut self, value: Const, ty: rucc_types::TypeId, span: Span) -> ExprId {
        let id = self.ty(ty);
        let kind = match value {
            Const::Int(value) => ExprKind::Int(self.wrapped(value, ty)),
            Const::Float(value) => ExprKind::Float(value.to_bits()),
            Const::Address(address) => return self.address(address, ty, span),
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                ExprKind::Unsupported("complex numbers".to_owned())
            }
            Const::Apart { to, from } => return self.distance(to, from, id, span),
        };
        self.push_expr(kind, id, span)
    }

    /// How far two labels are apart.
    fn distance(
        &mut self,
        to: rucc_sema::LabelId,
        from: rucc_sema::LabelId,
        ty: crate::tree::TypeId,
        span: Span,
    ) -> ExprId {
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        let pointer = self.ty(pointer);
        let (to, from) = (self.label(to), self.label(from));
        let left = self.push_expr(ExprKind::LabelAddress(to), pointer, span);
        let right = self.push_expr(ExprKind::LabelAddress(from), pointer, span);
        self.push_expr(ExprKind::PointerDifference { left, right }, ty, span)
    }

    /// An integer as a value of its type.
    fn wrapped(&mut self, value: i128, ty: rucc_types::TypeId) -> i128 {
        let shape = rucc_types::integer_info(self.types, ty, self.target);
        // What is no integer is a pointer.
        let pointer = rucc_types::IntegerInfo::new(false, self.target.pointer_width);
        shape.unwrap_or(pointer).wrap(value)
    }

    /// An address that the linker will know.
    fn address(&mut self, address: Address, ty: rucc_types::TypeId, span: Span) -> ExprId {
        let base = match address.base {
            Base::Absolute => return self.constant(Const::Int(address.offset), ty, span),
            Base::Decl(decl) => self.address_of(decl, span),
            Base::Str(literal) => {
                let ty = self.types.int(IntKind::Char);
                let length = self.tast[literal].elements.len() as u64 + 1;
                let array = self.types.array(ty, rucc_types::ArrayLen::Fixed(length));
                let array = self.ty(array);
                let pointer = self.types.pointer(ty);
                let pointer = self.ty(pointer);
                let string = ExprKind::String(self.string(literal));
                let string = self.push_expr(string, array, span);
                self.push_expr(ExprKind::Decay(string), pointer, span)
            }
            Base::Label(label) => {
                let void = self.types.void();
                let pointer = self.types.pointer(void);
                let pointer = self.ty(pointer);
                let label = self.label(label);
                self.push_expr(ExprKind::LabelAddress(label), pointer, span)
            }
        };
        let moved = if address.offset == 0 { base } else { self.moved(base, address.offset, span) };
        let to = self.ty(ty);
        self.converted(moved, to, span)
    }

    fn address_of(&mut self, decl: rucc_sema::DeclId, span: Span) -> ExprId {
        let ty = self.tast[decl].ty;
        let pointer = self.types.pointer(ty);
        let pointer = self.ty(pointer);
        let ty = self.ty(ty);
        match self.entity(decl) {
            Entity::Object(object) => {
                let place = self.push_expr(ExprKind::Object(object), ty, span);
                self.push_expr(ExprKind::AddressOf(place), pointer, span)
            }
            Entity::Function(function) => {
                let designator = self.push_expr(ExprKind::Function(function), ty, span);
                self.push_expr(ExprKind::Decay(designator), pointer, span)
            }
        }
    }

    /// A pointer moved by so many bytes.
    fn moved(&mut self, pointer: ExprId, bytes: i128, span: Span) -> ExprId {
        let char = self.types.int(IntKind::Char);
        let bytes_pointer = self.types.pointer(char);
        let bytes_pointer = self.ty(bytes_pointer);
        let long = self.types.int(IntKind::Long);
        let long = self.ty(long);
        let pointer = self.converted(pointer, bytes_pointer, span);
        let index = self.push_expr(ExprKind::Int(bytes), long, span);
        let kind = ExprKind::PointerAdd { pointer, index, is_negative: false, is_swapped: false };
        self.push_expr(kind, bytes_pointer, span)
    }

    /// A value converted to a type, unless it has it.
    pub(super) fn converted(
        &mut self,
        value: ExprId,
        ty: crate::tree::TypeId,
        span: Span,
    ) -> ExprId {
        if self.unit.exprs[value.index()].ty == ty {
            return value;
        }
        self.push_expr(ExprKind::Convert(value), ty, span)
    }

    /// The values of an initialiser. Those of an object that lives as long as the program are constants.
    /// Each comes with the place where it is written.
    pub(super) fn initials(
        &mut self,
        list: rucc_sema::InitList,
        is_static: bool,
    ) -> Vec<(Initial, rucc_diag::Span)> {
        let tast = self.tast;
        let mut initials = Vec::with_capacity(tast[list].len());
        let mut waiting: Vec<(u64, rucc_sema::InitEntry)> = Vec::new();
        // `[0 ... 9] = f()` has one value for many places.
        let mut known = HashMap::new();
        for entry in &tast[list] {
            waiting.push((0, *entry));
            while let Some((base, entry)) = waiting.pop() {
                let offset = base + entry.offset;
                // A compound literal in a constant initialiser is its values.
                if is_static && let Some(inner) = self.literal_values(entry.value) {
                    let mut others = initials.iter();
                    if others.any(|(other, _): &(Initial, _)| other.offset >= offset) {
                        // Its zeros would have to overwrite what is there.
                        self.lost(tast.expr_span(entry.value), "initialiser");
                    }
                    waiting.extend(tast[inner].iter().rev().map(|entry| (offset, *entry)));
                    continue;
                }
                let value = match known.get(&entry.value) {
                    Some(value) => *value,
                    None => self.initial_value(&entry, is_static),
                };
                known.insert(entry.value, value);
                let bits = entry
                    .is_bit_field()
                    .then_some(Bits { first: entry.bit_offset, width: entry.bit_width });
                let written = tast.expr_span(entry.value);
                initials.push((Initial { offset, bits, value }, written));
            }
        }
        initials
    }

    /// The initialiser of a compound literal whose value this is.
    fn literal_values(&self, value: rucc_sema::ExprId) -> Option<rucc_sema::InitList> {
        let inner = match self.tast[value].kind {
            From::Convert { kind: Conversion::Lvalue, operand } => operand,
            _ => value,
        };
        match self.tast[inner].kind {
            From::CompoundLiteral(decl) => self.tast[decl].init,
            _ => None,
        }
    }

    fn initial_value(&mut self, entry: &rucc_sema::InitEntry, is_static: bool) -> ExprId {
        let tast = self.tast;
        let value = entry.value;
        let span = self.places.span_or_start(tast.expr_span(value));
        let ty = self.ty(tast[value].ty);
        if entry.reverse {
            let words = "a struct with reversed byte order".to_owned();
            return self.push_expr(ExprKind::Unsupported(words), ty, span);
        }
        if is_static && self.is_scalar(ty) {
            let mut eval = Eval::new(tast, self.types, self.target, self.names).objects(true);
            let folded = eval.initializer(value);
            drop(eval.finish());
            if let Ok(folded) = folded {
                return self.constant(folded, tast[value].ty, span);
            }
        }
        self.expr(value)
    }

    /// A string literal.
    pub(super) fn string(&mut self, id: rucc_sema::StrId) -> StringId {
        if let Some(known) = self.strings.get(&id) {
            return *known;
        }
        let literal = &self.tast[id];
        let mut elements = literal.elements.clone();
        elements.push(0);
        let unit = literal.encoding.element_width(self.target) / 8;
        let string = StringId(self.unit.strings.len() as u32);
        self.unit.strings.push(StringLiteral { elements, unit });
        self.strings.insert(id, string);
        string
    }

    /// A number of an integer type.
    pub(super) fn number(&mut self, value: i128, ty: rucc_types::TypeId, span: Span) -> ExprId {
        debug_assert!(!matches!(
            self.types.kind(self.types.canonical(ty)),
            rucc_types::TypeKind::Float(_)
        ));
        self.constant(Const::Int(value), ty, span)
    }

    /// Whether the type of an expression is a struct or union.
    pub(super) fn is_record(&self, expr: ExprId) -> bool {
        let ty = self.unit.exprs[expr.index()].ty;
        matches!(self.unit.types[ty.index()].kind, TypeKind::Record(_))
    }
}
