//! Values that are no integers: floating numbers, structs, addresses, initialisers.

use super::Generator;
use super::scope::{FieldShape, PlaceKind, Shape};
use super::types::IntType;

const REALS: [&str; 10] =
    ["0.5", "1.25", "(-3.0)", "0.1", "100.0", "7e2", "1e-3", "2.5f", "0.3f", "(-0.0)"];

impl Generator {
    /// A floating expression. It may be infinite or no number; [`Generator::clamped`] is not.
    pub(super) fn real(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(15) {
            return self.real_leaf();
        }
        let depth = depth - 1;
        match self.random.below(8) {
            0 => format!("(-{})", self.real(depth)),
            1 => format!("((float){})", self.real(depth)),
            2 => {
                let (a, b) = (self.real(depth), self.real(depth));
                format!("({} ? {a} : {b})", self.expr(1).text)
            }
            _ => {
                let (a, b) = (self.real(depth), self.real(depth));
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "/"]))
            }
        }
    }

    fn real_leaf(&mut self) -> String {
        match self.random.below(4) {
            0 => self.random.pick(&REALS).to_owned(),
            1 => {
                let ty = self.random.pick(&["double", "float"]);
                let e = self.expr(1);
                let e = if e.ty >= IntType::Int128 { format!("(int){}", e.text) } else { e.text };
                format!("(({ty}){e})")
            }
            _ => match self.find(|variable| !variable.has_integers()) {
                Some(variable) => variable.name,
                None => self.random.pick(&REALS).to_owned(),
            },
        }
    }

    /// A floating expression that is a number of moderate size.
    pub(super) fn clamped(&mut self) -> String {
        format!("clamp({})", self.real(2))
    }

    /// The address of an integer of this type that lives at least as long as a variable of this level.
    /// Where effects are allowed there always is one: the file has a variable of every type.
    pub(super) fn address(&mut self, ty: IntType, level: usize) -> Option<String> {
        for _ in 0..8 {
            let Some(place) = self.writable() else { break };
            let has_address = matches!(place.kind, PlaceKind::Named | PlaceKind::Object);
            if has_address && place.ty == ty && place.level <= level {
                return Some(format!("&{}", place.text));
            }
        }
        let exact = self.find_writable(|variable| {
            variable.level <= level && matches!(variable.shape, Shape::Int(own) if own == ty)
        })?;
        Some(format!("&{}", exact.name))
    }

    /// The address of a struct that lives for ever.
    pub(super) fn struct_address(&mut self, record: usize) -> String {
        let found = self.find(|variable| {
            variable.level == 0
                && match variable.shape {
                    Shape::Struct(own) | Shape::StructArray(own, _) => own == record,
                    _ => false,
                }
        });
        let variable = found.expect("the file has a variable of every struct");
        match variable.shape {
            Shape::StructArray(_, length) => format!("&{}[{}]", variable.name, self.index(length)),
            _ => format!("&{}", variable.name),
        }
    }

    /// A whole struct.
    pub(super) fn struct_value(&mut self, record: usize, depth: usize) -> String {
        let found = self.find(|variable| match variable.shape {
            Shape::Struct(own) | Shape::StructArray(own, _) | Shape::StructPointer(own) => {
                own == record
            }
            _ => false,
        });
        match found {
            Some(variable) if self.random.percent(75) => match variable.shape {
                Shape::StructArray(_, length) => {
                    format!("{}[{}]", variable.name, self.index(length))
                }
                Shape::StructPointer(_) => format!("*{}", variable.name),
                _ => variable.name,
            },
            _ => {
                let name = self.records[record].name.clone();
                format!("(struct {name}){}", self.struct_initialiser(record, depth))
            }
        }
    }

    /// A list for a struct, with values of this depth; constants if that is 0.
    pub(super) fn struct_initialiser(&mut self, record: usize, depth: usize) -> String {
        let fields = self.records[record].fields.clone();
        let designated = self.random.percent(40);
        let mut parts = Vec::new();
        for field in &fields {
            // What is left out is zero, and a pointer must not be.
            if designated && !self.holds_pointer(&field.shape) && self.random.percent(25) {
                continue;
            }
            let value = self.field_initialiser(&field.shape, depth);
            parts.push(if designated { format!(".{} = {value}", field.name) } else { value });
        }
        if designated && parts.len() > 1 {
            let number = self.random.below(parts.len());
            parts.rotate_left(number);
        }
        if parts.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", parts.join(", ")) }
    }

    fn holds_pointer(&self, shape: &FieldShape) -> bool {
        match shape {
            FieldShape::Pointer(_) => true,
            FieldShape::Struct(inner) => {
                self.records[*inner].fields.iter().any(|field| self.holds_pointer(&field.shape))
            }
            FieldShape::Int(_) | FieldShape::Bits(..) | FieldShape::Array(..) => false,
        }
    }

    fn field_initialiser(&mut self, shape: &FieldShape, depth: usize) -> String {
        match shape {
            FieldShape::Int(_) | FieldShape::Bits(..) => self.scalar_initialiser(depth),
            FieldShape::Array(_, length) => self.list(*length, depth),
            FieldShape::Struct(inner) => self.struct_initialiser(*inner, depth),
            FieldShape::Pointer(ty) => format!("&{}", self.global_of(*ty)),
        }
    }

    pub(super) fn scalar_initialiser(&mut self, depth: usize) -> String {
        if depth == 0 { self.literal().text } else { self.expr(depth - 1).text }
    }

    /// A list for an array, perhaps with designators, perhaps not of all elements.
    pub(super) fn list(&mut self, length: usize, depth: usize) -> String {
        let given = self.random.between(1, length);
        let mut parts = Vec::new();
        for _ in 0..given {
            let value = self.scalar_initialiser(depth);
            // A value behind a designated one goes to the element behind it, so the last is not
            // designated.
            parts.push(value);
        }
        if given < length && self.random.percent(30) {
            let (at, value) =
                (self.random.between(given, length - 1), self.scalar_initialiser(depth));
            parts.push(format!("[{at}] = {value}"));
        } else if self.random.percent(15) {
            let (low, value) = (self.random.below(length), self.scalar_initialiser(0));
            parts.push(format!("[{low} ... {}] = {value}", length - 1));
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// The variable of the file that has this type.
    pub(super) fn global_of(&self, ty: IntType) -> String {
        format!("{}{}", self.prefix, super::global_name(ty))
    }
}
