//! Declarations of local variables.

use super::Generator;
use super::scope::{Access, Shape};

impl Generator {
    pub(super) fn declaration(&mut self) {
        match self.random.below(16) {
            0..4 => self.declare_scalar(),
            4 => self.declare_shadow(),
            5..7 => self.declare_array(),
            7 => self.declare_matrix(),
            8..10 => self.declare_struct(),
            10 => self.declare_union(),
            11 => self.declare_pointer(),
            12 => self.declare_walker(),
            13 => self.declare_pointer_pointer(),
            14 => self.declare_struct_pointer(),
            _ => self.declare_static(),
        }
    }

    fn declare_scalar(&mut self) {
        let (ty, value) = (self.int_type(), self.expr(2).text);
        if self.random.percent(90) {
            return self.declare_int(ty, &value);
        }
        let name = self.fresh("v");
        self.line(&format!("const volatile {} {name} = {value};", ty.name()));
        self.add(name, Shape::Int(ty), Access::ReadOnly);
    }

    /// A variable that hides another; its initialiser sees only itself, so it must not name it.
    fn declare_shadow(&mut self) {
        // A name can be declared only once in a block.
        let block = self.level;
        let found = self.find(|variable| {
            matches!(variable.shape, Shape::Int(_)) && variable.level > 0 && variable.level < block
        });
        let Some(variable) = found else { return self.declare_scalar() };
        let (ty, name) = (self.int_type(), variable.name);
        self.hide(&name);
        self.add(name.clone(), Shape::Int(ty), Access::Unborn);
        let value = self.expr(2).text;
        self.line(&format!("{} {name} = {value};", ty.name()));
        if let Some(own) = self.variables.last_mut() {
            own.access = Access::Writable;
        }
    }

    fn declare_array(&mut self) {
        let (ty, name) = (self.int_type(), self.fresh("a"));
        let length = self.random.pick(&[2, 4, 8]);
        let list = self.list(length, 1);
        self.line(&format!("{} {name}[{length}] = {list};", ty.name()));
        self.add(name, Shape::Array(ty, length), Access::Writable);
    }

    fn declare_matrix(&mut self) {
        let (ty, name) = (self.int_type(), self.fresh("m"));
        let (rows, columns) = (self.random.pick(&[2, 4]), self.random.pick(&[2, 4]));
        let (first, second) = (self.list(columns, 1), self.list(columns, 0));
        self.line(&format!("{} {name}[{rows}][{columns}] = {{{first}, {second}}};", ty.name()));
        self.add(name, Shape::Matrix(ty, rows, columns), Access::Writable);
    }

    fn declare_struct(&mut self) {
        let (record, name) = (self.random.below(self.records.len()), self.fresh("s"));
        let tag = self.records[record].name.clone();
        let value = if self.random.percent(40) {
            self.struct_value(record, 1)
        } else {
            self.struct_initialiser(record, 1)
        };
        self.line(&format!("struct {tag} {name} = {value};"));
        self.add(name, Shape::Struct(record), Access::Writable);
    }

    fn declare_union(&mut self) {
        let (name, e) = (self.fresh("u"), self.expr(1).text);
        let member = self.random.pick(&["", ".w = ", ".w = (unsigned)"]);
        self.line(&format!("union {}pun {name} = {{{member}{e}}};", self.prefix));
        self.add(name, Shape::Union, Access::Writable);
    }

    fn declare_pointer(&mut self) {
        let (ty, name) = (self.target_type(), self.fresh("p"));
        let Some(address) = self.address(ty, self.level) else { return self.declare_scalar() };
        self.line(&format!("{} *{name} = {address};", ty.name()));
        self.add(name, Shape::Pointer(ty), Access::Writable);
    }

    fn declare_walker(&mut self) {
        let array = self.find_writable(|variable| matches!(variable.shape, Shape::Array(..)));
        let Some(array) = array else { return self.declare_array() };
        let Shape::Array(element, length) = array.shape else { return };
        let (name, index) = (self.fresh("p"), self.index(length));
        self.line(&format!("{} *{name} = &{}[{index}];", element.name(), array.name));
        self.add(name, Shape::Walker { home: array.name, element, length }, Access::Writable);
    }

    fn declare_pointer_pointer(&mut self) {
        let pointer = self.find_writable(|variable| matches!(variable.shape, Shape::Pointer(_)));
        let Some(pointer) = pointer else { return self.declare_pointer() };
        let Shape::Pointer(to) = pointer.shape else { return };
        let name = self.fresh("p");
        self.line(&format!("{} **{name} = &{};", to.name(), pointer.name));
        self.add(name, Shape::PointerPointer { to, level: pointer.level }, Access::Writable);
    }

    fn declare_struct_pointer(&mut self) {
        let target = self.find_writable(|variable| {
            matches!(variable.shape, Shape::Struct(_) | Shape::StructArray(..))
        });
        let Some(target) = target else { return self.declare_struct() };
        let (record, address) = match target.shape {
            Shape::StructArray(record, length) => {
                (record, format!("&{}[{}]", target.name, self.index(length)))
            }
            Shape::Struct(record) => (record, format!("&{}", target.name)),
            _ => return,
        };
        let name = self.fresh("p");
        self.line(&format!("struct {} *{name} = {address};", self.records[record].name));
        self.add(name, Shape::StructPointer(record), Access::Writable);
    }

    /// A static local; a function without effects must not keep anything.
    fn declare_static(&mut self) {
        if !self.has_effects() {
            return self.declare_scalar();
        }
        let (ty, name, value) = (self.int_type(), self.fresh("v"), self.literal().text);
        self.line(&format!("static {} {name} = {value};", ty.name()));
        self.add(name, Shape::Int(ty), Access::Writable);
        if let Some(own) = self.variables.last_mut() {
            own.level = 0;
        }
    }
}
