//! Initialisation of objects with automatic storage.

use super::function::{Home, Lowering};
use super::place::Spot;
use crate::tree::{ExprId, ExprKind, Initial, ObjectId, TypeId, TypeKind};
use loupe_integer::Integer;
use loupe_ir::check::{CheckKind, Predicate};
use loupe_ir::program::{
    Base, BinaryOp, CompareOp, Const, Initial as Contents, InstructionKind, LocalId, Operand,
    Place, Projection, Region, Rvalue,
};
use loupe_ir::source::Span;
use loupe_ir::types::{IntType, Type, TypeId as IrType};
use std::collections::HashMap;
use std::rc::Rc;

impl Lowering<'_, '_> {
    /// Executes the declaration of an object: computes lengths and gives it its first value.
    pub(super) fn declare(&mut self, object: ObjectId) {
        let unit = Rc::clone(&self.unit);
        let declared = unit.object(object);
        if declared.storage != crate::tree::Storage::Automatic {
            return;
        }
        self.evaluate_lengths(declared.ty, declared.span);
        if let Home::Variable(pointer) = self.home(object) {
            self.allocate_variable(pointer, declared.ty, declared.span);
        }
        if declared.cleanup.is_some() {
            self.cleanups.push((self.scope, object));
        }
        match &declared.initial {
            Some(_) => self.initialise(object),
            None => {
                if let Home::Register(local) = self.home(object) {
                    self.forget(local, declared.span);
                }
            }
        }
    }

    /// A variable has no value from here on.
    pub(super) fn forget(&mut self, local: LocalId, span: Span) {
        if self.linker.options.checks.uninitialised {
            self.builder.push(InstructionKind::Live(local), span);
        } else {
            let ty = self.builder.locals[local.index()].ty;
            self.builder.set(local, Rvalue::Undefined(ty), span);
        }
    }

    /// Makes the object of an array of variable length; an earlier one ends.
    fn allocate_variable(&mut self, pointer: LocalId, ty: TypeId, span: Span) {
        self.builder.push(InstructionKind::Free(Operand::Local(pointer)), span);
        let mut element = ty;
        let mut count: Option<Operand> = None;
        let int = self.offset_type();
        let offset = self.linker.shared.types.int(int);
        while self.unit.ty(element).size.is_none()
            && let TypeKind::Array { element: inner, length } = *self.kind(element)
        {
            let Some(length) = self.length_of(length, span) else { break };
            let zero = Operand::Const(Const::Int(Integer::ZERO, int));
            // A length must be positive.
            let good = self.compared(CompareOp::Gt, length.clone(), zero, span);
            self.builder.check(CheckKind::InvalidAccess, Predicate::Holds(good), span);
            count = Some(match count {
                None => length,
                Some(count) => {
                    let product = Rvalue::Binary(BinaryOp::Mul, count, length);
                    self.builder.assign(offset, product, span)
                }
            });
            element = inner;
        }
        let count = count.unwrap_or_else(|| self.int_const(1, int));
        let element = self.ty(element);
        let initial = Contents::Uninitialised;
        let region = Region::Stack;
        let value = Rvalue::Allocate { region, element, count, initial };
        self.builder.set(pointer, value, span);
    }

    /// Gives an object its first value.
    pub(super) fn initialise(&mut self, object: ObjectId) {
        let unit = Rc::clone(&self.unit);
        let declared = unit.object(object);
        let Some(entries) = &declared.initial else { return };
        let ty = self.ty(declared.ty);
        match self.home(object) {
            // Initialised before the program runs.
            Home::Global(_) => {}
            Home::Register(local) => {
                let value = match entries.first() {
                    Some(only) => self.value(only.value),
                    None => self.placeholder(declared.ty, declared.span),
                };
                self.assign_register(local, value, declared.span);
            }
            Home::Variable(pointer) => {
                let place = Place::local(pointer).project(Projection::Deref);
                self.fill(&place, ty, declared.ty, entries, declared.span);
            }
            Home::Memory(local) => {
                self.fill(&Place::local(local), ty, declared.ty, entries, declared.span);
            }
        }
    }

    /// Zeros, and then the values.
    fn fill(&mut self, place: &Place, ir: IrType, ty: TypeId, entries: &[Initial], span: Span) {
        let whole = entries.first().filter(|first| {
            entries.len() == 1
                && first.offset == 0
                && first.bits.is_none()
                && self.unit.expr(first.value).ty == ty
                && !matches!(self.unit.expr(first.value).kind, ExprKind::String(_))
        });
        if whole.is_none() {
            self.zero(place, ir, span);
        }
        // The value of `[0 ... 9] = f()` is computed once.
        let mut known = HashMap::new();
        for entry in entries {
            self.initial_value(place, ir, entry, &mut known);
        }
    }

    /// Makes all bytes of an object zero.
    fn zero(&mut self, place: &Place, ir: IrType, span: Span) {
        let to = self.address_of_place(place, span);
        let ty = self.byte_pointer();
        let to = self.as_pointer(to, ty, span);
        let byte = self.int_const(0, super::types::BYTE);
        let size = self.linker.shared.types.size_of(ir);
        let count = self.int_const(size, self.size_type());
        self.builder.push(InstructionKind::Fill { to, byte, count }, span);
    }

    fn initial_value(
        &mut self,
        object: &Place,
        ir: IrType,
        entry: &Initial,
        known: &mut HashMap<ExprId, Operand>,
    ) {
        let unit = Rc::clone(&self.unit);
        let expr = unit.expr(entry.value);
        if let ExprKind::String(string) = expr.kind {
            self.initial_string(object, entry.offset, string, expr.ty, expr.span);
            return;
        }
        let value = match known.get(&entry.value) {
            Some(value) => value.clone(),
            None => self.value(entry.value),
        };
        known.insert(entry.value, value.clone());
        if let Some(bits) = entry.bits {
            self.initial_bits(object, ir, entry.offset, bits, value, expr.ty, expr.span);
            return;
        }
        let wanted = self.ty(expr.ty);
        let value = match self.kind(expr.ty) {
            TypeKind::Pointer(_) => self.retyped(value, expr.ty, expr.span),
            _ => value,
        };
        let place = match self.part_at(object, ir, entry.offset, wanted) {
            Some(place) => place,
            None => self.bytes_at(object, entry.offset, wanted, expr.span),
        };
        self.builder.push(InstructionKind::Store { place, value }, expr.span);
    }

    /// The part of an object that starts at an offset and has this type.
    fn part_at(&self, object: &Place, ir: IrType, offset: u64, wanted: IrType) -> Option<Place> {
        let types = &self.linker.shared.types;
        let (mut place, mut ty, mut offset) = (object.clone(), ir, offset);
        loop {
            if ty == wanted && offset == 0 {
                return Some(place);
            }
            match types.get(ty) {
                Type::Array { element, length } => {
                    let size = types.size_of(*element).max(1);
                    let number = offset / size;
                    if number >= *length {
                        return None;
                    }
                    let index = Const::Int(Integer::from(number), IntType::Unbounded);
                    place = place.project(Projection::Index(Operand::Const(index)));
                    offset -= number * size;
                    ty = *element;
                }
                Type::Record(record) => {
                    let fields = &types.record(*record).fields;
                    let fits = |ty: IrType, at: u64| {
                        at <= offset && offset < at + types.size_of(ty).max(1)
                    };
                    // The last one that starts there: in a union it need not be the first.
                    let mut found = fields
                        .iter()
                        .enumerate()
                        .filter(|(_, f)| f.first_bit.is_none() && fits(f.ty, f.offset));
                    let exact = found.clone().find(|(_, f)| f.ty == wanted && f.offset == offset);
                    let (number, field) = exact.or_else(|| found.next())?;
                    place = place.project(Projection::Field(number as u32));
                    offset -= field.offset;
                    ty = field.ty;
                }
                _ => return None,
            }
        }
    }

    /// The place of a value of this type so many bytes behind the start of an object.
    fn bytes_at(&mut self, object: &Place, offset: u64, wanted: IrType, span: Span) -> Place {
        let start = self.address_of_place(object, span);
        let bytes = self.byte_pointer();
        let start = self.as_pointer(start, bytes, span);
        let index = self.int_const(offset, self.offset_type());
        let element = self.byte();
        let moved = Rvalue::Offset { pointer: start, index, element };
        let moved = self.builder.assign(bytes, moved, span);
        let pointer = self.linker.shared.types.intern(Type::Pointer(wanted));
        let register = match self.as_pointer(moved, pointer, span) {
            Operand::Local(register) => register,
            constant => {
                let register = self.builder.temporary(pointer, span);
                self.builder.set(register, Rvalue::Use(constant), span);
                register
            }
        };
        Place { base: Base::Local(register), projections: vec![Projection::Deref] }
    }

    /// Copies the characters of a string literal, as many as there is room for.
    fn initial_string(
        &mut self,
        object: &Place,
        offset: u64,
        string: crate::tree::StringId,
        ty: TypeId,
        span: Span,
    ) {
        let unit = Rc::clone(&self.unit);
        let literal = unit.string(string);
        let size = literal.elements.len() as u64 * u64::from(literal.unit);
        let count = unit.ty(ty).size.unwrap_or(size).min(size);
        let global = self.linker.string(self.index, string, span);
        let byte = self.byte();
        let place = self.bytes_at(object, offset, byte, span);
        let to = self.address_of_place(&place, span);
        let from = Self::global_address(global);
        let count = self.int_const(count, self.size_type());
        self.builder.push(InstructionKind::Copy { to, from, count }, span);
    }

    /// Writes a bit-field of the object, or of a part of it.
    #[allow(clippy::too_many_arguments)] // what an initialiser of a bit-field consists of
    fn initial_bits(
        &mut self,
        object: &Place,
        ir: IrType,
        offset: u64,
        bits: crate::tree::Bits,
        value: Operand,
        ty: TypeId,
        span: Span,
    ) {
        let first = offset * 8 + u64::from(bits.first);
        let Some((place, int)) = self.bits_at(object, ir, first, bits.width) else {
            self.unsupported("an initialiser of a bit-field in this place", span);
            return;
        };
        let value = match super::types::int_type(&self.unit, ty) {
            Some(from) => self.as_int(value, from, int, span),
            None => value,
        };
        self.builder.push(InstructionKind::Store { place, value }, span);
    }

    /// The bit-field that starts at a bit of an object.
    fn bits_at(
        &self,
        object: &Place,
        ir: IrType,
        first: u64,
        width: u32,
    ) -> Option<(Place, IntType)> {
        let types = &self.linker.shared.types;
        let (mut place, mut ty, mut first) = (object.clone(), ir, first);
        loop {
            match types.get(ty) {
                Type::Array { element, length } => {
                    let size = types.size_of(*element).max(1) * 8;
                    let number = first / size;
                    if number >= *length {
                        return None;
                    }
                    let index = Const::Int(Integer::from(number), IntType::Unbounded);
                    place = place.project(Projection::Index(Operand::Const(index)));
                    first -= number * size;
                    ty = *element;
                }
                Type::Record(record) => {
                    let fields = &types.record(*record).fields;
                    let field = fields.iter().enumerate().find_map(|(number, field)| {
                        let int = types.as_int(field.ty)?;
                        let start = field.offset * 8 + u64::from(field.first_bit?);
                        let same = matches!(int, IntType::Machine { width: w, .. } if w == width);
                        (start == first && same).then_some((number, int))
                    });
                    if let Some((number, int)) = field {
                        return Some((place.project(Projection::Field(number as u32)), int));
                    }
                    let (number, field) = fields.iter().enumerate().find(|(_, field)| {
                        let start = field.offset * 8;
                        field.first_bit.is_none()
                            && start <= first
                            && first < start + types.size_of(field.ty) * 8
                    })?;
                    place = place.project(Projection::Field(number as u32));
                    first -= field.offset * 8;
                    ty = field.ty;
                }
                _ => return None,
            }
        }
    }

    /// A spot for a part of an object that is known by its place.
    pub(super) fn spot_at(place: Place, ty: TypeId) -> Spot {
        Spot { place, ty, bits: None }
    }
}
