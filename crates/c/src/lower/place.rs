//! Places: what C calls lvalues.

use super::function::{Home, Lowering};
use crate::tree::{ExprId, ExprKind, Length, TypeId, TypeKind};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    Base, Const, GlobalId, InstructionKind, LocalId, Operand, Place, Projection, Rvalue, Storage,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type};
use std::rc::Rc;

/// What a place is wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To read or write it: the way to it is checked.
    Access,
    /// For its address only: nothing is followed.
    Address,
}

/// How a place is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// A place with what lowering knows about it.
#[derive(Clone)]
pub(super) struct Spot {
    pub(super) place: Place,
    /// The type of what is there.
    pub(super) ty: TypeId,
    /// For a bit-field: the integers that it holds, and which bytes, from the start of its struct.
    pub(super) bits: Option<BitField>,
}

/// A bit-field.
#[derive(Clone, Copy)]
pub(super) struct BitField {
    pub(super) int: IntType,
    offset: u64,
    size: u64,
}

impl Spot {
    /// Whether a pointer is followed.
    fn is_through_pointer(&self) -> bool {
        self.place.projections.contains(&Projection::Deref)
    }

    /// The register that it is.
    pub(super) fn register(&self, lowering: &Lowering<'_, '_>) -> Option<LocalId> {
        match self.place {
            Place { base: Base::Local(local), ref projections } if projections.is_empty() => {
                let storage = lowering.builder.locals[local.index()].storage;
                (storage == Storage::Register).then_some(local)
            }
            _ => None,
        }
    }
}

impl Lowering<'_, '_> {
    /// Whether an expression is a place.
    pub(super) fn is_place(&self, id: ExprId) -> bool {
        match &self.unit.expr(id).kind {
            ExprKind::Object(_)
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Deref(_)
            | ExprKind::Subscript { .. } => true,
            ExprKind::Member { base, .. } => self.is_place(*base),
            _ => false,
        }
    }

    /// The place that an expression is; what its parts do is done.
    pub(super) fn place(&mut self, id: ExprId, purpose: Purpose) -> Spot {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let spot = |place| Spot { place, ty: expr.ty, bits: None };
        match &expr.kind {
            ExprKind::Object(object) => {
                let place = match self.home(*object) {
                    Home::Register(local) | Home::Memory(local) => Place::local(local),
                    Home::Global(global) => self.global_place(global, expr.ty, expr.span),
                    Home::Variable(local) => Place::local(local).project(Projection::Deref),
                };
                spot(place)
            }
            ExprKind::CompoundLiteral(object) => {
                self.initialise(*object);
                let place = match self.home(*object) {
                    Home::Register(local) | Home::Memory(local) => Place::local(local),
                    Home::Global(global) => {
                        Place { base: Base::Global(global), projections: Vec::new() }
                    }
                    Home::Variable(local) => Place::local(local).project(Projection::Deref),
                };
                spot(place)
            }
            ExprKind::String(string) => {
                let global = self.linker.string(self.index, *string, expr.span);
                spot(Place { base: Base::Global(global), projections: Vec::new() })
            }
            ExprKind::Deref(pointer) => {
                let value = self.value(*pointer);
                self.followed(value, expr.ty, purpose, expr.span)
            }
            ExprKind::Subscript { base, index } => self.element(id, *base, *index, purpose),
            ExprKind::Member { base, field } => self.member(id, *base, *field, purpose),
            _ => {
                self.unsupported("this kind of place", expr.span);
                let ty = self.ty(expr.ty);
                spot(Place::local(self.builder.temporary_object(ty, expr.span)))
            }
        }
    }

    /// The place that a global is. Another unit may have defined it with another type.
    fn global_place(&mut self, global: GlobalId, ty: TypeId, span: Span) -> Place {
        let place = Place { base: Base::Global(global), projections: Vec::new() };
        let (wanted, actual) = (self.ty(ty), self.linker.globals[global.index()].ty);
        let is_open = matches!(self.kind(ty), TypeKind::Array { length: Length::Unknown, .. });
        if wanted == actual || is_open || self.is_enlarged(wanted, actual) {
            return place;
        }
        let address = Operand::Const(Const::Address(global, 0));
        let register = self.typed_pointer(address, ty, span);
        Place::local(register).project(Projection::Deref)
    }

    /// Whether a type is that of an object with a longer array at its end.
    fn is_enlarged(
        &self,
        wanted: loupe_ir::types::TypeId,
        actual: loupe_ir::types::TypeId,
    ) -> bool {
        let types = &self.linker.shared.types;
        match (types.get(wanted), types.get(actual)) {
            (Type::Record(a), Type::Record(b)) => {
                let (a, b) = (types.record(*a), types.record(*b));
                a.name == b.name && a.fields.len() == b.fields.len() && a.size < b.size
            }
            _ => false,
        }
    }

    /// What a pointer points to.
    pub(super) fn followed(
        &mut self,
        pointer: Operand,
        ty: TypeId,
        purpose: Purpose,
        span: Span,
    ) -> Spot {
        if purpose == Purpose::Access {
            let predicate = Predicate::NonNull(pointer.clone());
            self.builder.check(CheckKind::NullDereference, predicate, span);
        }
        let register = self.typed_pointer(pointer, ty, span);
        let place = Place::local(register).project(Projection::Deref);
        Spot { place, ty, bits: None }
    }

    /// The pointer in a register whose type says that it points to `ty`.
    fn typed_pointer(&mut self, pointer: Operand, ty: TypeId, span: Span) -> LocalId {
        let target = self.ty(ty);
        let wanted = self.linker.shared.types.intern(Type::Pointer(target));
        if let Operand::Local(local) = pointer
            && self.builder.locals[local.index()].ty == wanted
        {
            return local;
        }
        let register = self.builder.temporary(wanted, span);
        let value = match pointer {
            Operand::Const(_) => Rvalue::Use(pointer),
            Operand::Local(_) => Rvalue::Convert(pointer, wanted),
        };
        self.builder.set(register, value, span);
        register
    }

    /// `base[index]`
    fn element(&mut self, id: ExprId, base: ExprId, index: ExprId, purpose: Purpose) -> Spot {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        if let ExprKind::Decay(array) = unit.expr(base).kind
            && let TypeKind::Array { length: Length::Fixed(length), .. } =
                *self.kind(unit.expr(array).ty)
            && unit.ty(unit.expr(array).ty).size.is_some()
            && !self.is_flexible(array)
            && self.is_place(array)
        {
            let whole = self.place(array, purpose);
            let from = unit.expr(index).ty;
            let value = self.value(index);
            let value = self.as_index(value, from, expr.span);
            let is_checked = match purpose {
                Purpose::Access => true,
                Purpose::Address => self.linker.options.checks.pointer_arithmetic,
            };
            // A pointer may point right behind the last element.
            let length = length + u64::from(purpose == Purpose::Address);
            let is_inside = matches!(&value, Operand::Const(Const::Int(value, _))
                if !value.is_negative() && *value < Integer::from(length));
            if is_checked && !is_inside {
                let kind = match purpose {
                    Purpose::Access => CheckKind::IndexOutOfBounds,
                    Purpose::Address => CheckKind::PointerArithmetic,
                };
                let length = Operand::Const(Const::Int(Integer::from(length), IntType::Unbounded));
                let predicate = Predicate::InRange { index: value.clone(), length };
                self.builder.check(kind, predicate, expr.span);
            }
            let place = whole.place.project(Projection::Index(value));
            return Spot { place, ty: expr.ty, bits: None };
        }
        let pointer = self.value(base);
        if purpose == Purpose::Access {
            let predicate = Predicate::NonNull(pointer.clone());
            self.builder.check(CheckKind::NullDereference, predicate, expr.span);
        }
        let from = unit.expr(index).ty;
        let count = self.value(index);
        let count = self.as_index(count, from, expr.span);
        if let (Purpose::Access, ExprKind::Decay(array)) = (purpose, &unit.expr(base).kind)
            && let TypeKind::Array { length: length @ Length::Variable(_), .. } =
                *self.kind(unit.expr(*array).ty)
            && let Some(length) = self.length_of(length, expr.span)
        {
            let predicate = Predicate::InRange { index: count.clone(), length };
            self.builder.check(CheckKind::IndexOutOfBounds, predicate, expr.span);
        }
        let moved = self.move_pointer(pointer, count, expr.ty, expr.span);
        let register = self.typed_pointer(moved, expr.ty, expr.span);
        let place = Place::local(register).project(Projection::Deref);
        Spot { place, ty: expr.ty, bits: None }
    }

    /// Whether an array may be longer than its type says: the last member of a struct that is
    /// declared with no element or one.
    fn is_flexible(&self, array: ExprId) -> bool {
        let expr = self.unit.expr(array);
        let TypeKind::Array { length, .. } = self.kind(expr.ty) else { return false };
        let is_short = match length {
            Length::Fixed(length) => *length <= 1,
            Length::Unknown => true,
            Length::Variable(_) => false,
        };
        let ExprKind::Member { base, field } = expr.kind else { return false };
        match self.kind(self.unit.expr(base).ty) {
            TypeKind::Record(record) => {
                let record = self.unit.record(*record);
                let is_last = record.is_union || field as usize + 1 == record.fields.len();
                is_short && is_last
            }
            _ => false,
        }
    }

    /// `base.field`
    fn member(&mut self, id: ExprId, base: ExprId, field: u32, purpose: Purpose) -> Spot {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(id);
        let whole = if self.is_place(base) {
            self.place(base, purpose)
        } else {
            let ty = unit.expr(base).ty;
            let value = self.value(base);
            let object = self.materialise(value, ty, expr.span);
            Spot { place: Place::local(object), ty, bits: None }
        };
        let TypeKind::Record(record) = *self.kind(unit.expr(base).ty) else {
            self.unsupported("a member of something that is no struct", expr.span);
            return whole;
        };
        let Some(number) = self.linker.field(self.index, record, field) else {
            self.unsupported("a bit-field without bits", expr.span);
            return whole;
        };
        let declared = &unit.record(record).fields[field as usize];
        let bits = declared.bits.map(|bits| BitField {
            int: match super::types::int_type(&unit, declared.ty) {
                Some(IntType::Machine { signedness, .. })
                    if !matches!(unit.ty(declared.ty).kind, TypeKind::Bool) =>
                {
                    IntType::Machine { width: bits.width, signedness }
                }
                _ => IntType::unsigned(bits.width),
            },
            offset: declared.offset + u64::from(bits.first / 8),
            size: u64::from((bits.first % 8 + bits.width).div_ceil(8)),
        });
        Spot { place: whole.place.project(Projection::Field(number)), ty: expr.ty, bits }
    }

    /// A value in an object of its own, until the end of the expression.
    pub(super) fn materialise(&mut self, value: Operand, ty: TypeId, span: Span) -> LocalId {
        let ty = self.ty(ty);
        let object = self.builder.temporary_object(ty, span);
        self.builder.push(InstructionKind::Live(object), span);
        let place = Place::local(object);
        self.builder.push(InstructionKind::Store { place, value }, span);
        self.temporaries.push(object);
        object
    }

    /// Checks that a place that a pointer leads to can be accessed.
    pub(super) fn check_access(&mut self, spot: &Spot, access: Access, span: Span) {
        let is_forbidden = access == Access::Write && self.is_read_only(spot);
        if !spot.is_through_pointer() && !is_forbidden {
            return;
        }
        if let Some(bits) = spot.bits {
            let mut record = spot.place.clone();
            record.projections.pop();
            let start = self.address_of_place(&record, span);
            let ty = self.byte_pointer();
            let start = self.builder.assign(ty, Rvalue::Convert(start, ty), span);
            let index = self.int_const(bits.offset, self.offset_type());
            let element = self.linker.shared.types.int(super::types::BYTE);
            let moved = Rvalue::Offset { pointer: start, index, element };
            let pointer = self.builder.assign(ty, moved, span);
            let count = self.int_const(bits.size, self.size_type());
            let predicate = match access {
                Access::Read => Predicate::AccessibleRange { pointer, count },
                Access::Write => Predicate::WritableRange { pointer, count },
            };
            self.builder.check(CheckKind::InvalidAccess, predicate, span);
            return;
        }
        let pointer = self.address_of_place(&spot.place, span);
        let ty = self.ty(spot.ty);
        let predicate = match access {
            Access::Read => Predicate::Accessible(pointer, ty),
            Access::Write => Predicate::Writable(pointer, ty),
        };
        self.builder.check(CheckKind::InvalidAccess, predicate, span);
    }

    /// Whether it is a part of a string literal, which is there for reading only.
    fn is_read_only(&self, spot: &Spot) -> bool {
        match spot.place.base {
            Base::Global(global) => {
                let global = &self.linker.globals[global.index()];
                global.access == loupe_ir::program::GlobalAccess::ReadOnly
            }
            Base::Local(_) => false,
        }
    }

    /// An integer constant.
    pub(super) fn int_const(&self, value: u64, int: IntType) -> Operand {
        Operand::Const(Const::Int(int.wrap(Integer::from(value)), int))
    }

    /// A pointer to a place.
    pub(super) fn address_of_place(&mut self, place: &Place, span: Span) -> Operand {
        // The address of what a pointer points to is the pointer.
        if let Place { base: Base::Local(local), projections } = place
            && projections.as_slice() == [Projection::Deref]
        {
            return Operand::Local(*local);
        }
        let ty = self.place_type(place);
        let ty = self.linker.shared.types.intern(Type::Pointer(ty));
        self.builder.assign(ty, Rvalue::AddressOf(place.clone()), span)
    }

    /// The type of what stands at a place, in the flowgraph.
    pub(super) fn place_type(&self, place: &Place) -> loupe_ir::types::TypeId {
        let types = &self.linker.shared.types;
        let mut ty = match place.base {
            Base::Local(local) => self.builder.locals[local.index()].ty,
            Base::Global(global) => self.linker.globals[global.index()].ty,
        };
        for projection in &place.projections {
            ty = match (projection, types.get(ty)) {
                (Projection::Deref, Type::Pointer(target)) => *target,
                (Projection::Index(_), Type::Array { element, .. }) => *element,
                (Projection::Field(field), Type::Record(record)) => {
                    types.record(*record).fields[*field as usize].ty
                }
                _ => ty,
            };
        }
        ty
    }
}
