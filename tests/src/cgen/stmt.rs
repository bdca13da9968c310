//! Statements: every effect is a statement of its own, or stands behind a sequence point.

use super::Generator;
use super::expr::read;
use super::scope::{Access, Place, PlaceKind, Shape, Variable};
use super::types::IntType;

/// How deep blocks may nest in a function.
const MAX_DEPTH: usize = 4;

impl Generator {
    /// So many statements, in the present block.
    pub(super) fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    /// A block of its own, with a few statements.
    fn block(&mut self, head: &str, count: usize) {
        self.open(head);
        self.statements(count);
        self.close("");
    }

    pub(super) fn statement(&mut self) {
        self.pay(1);
        let deep = self.level >= MAX_DEPTH;
        match self.random.below(100) {
            0..30 => self.assignment(),
            30..37 => self.increment(),
            37..44 => self.declaration(),
            44..47 => self.effects_in_sequence(),
            47..50 => self.struct_assignment(),
            50..54 => self.pointer_assignment(),
            54..57 if self.has_floats() => self.real_assignment(),
            57..61 => self.call_statement(),
            61 => self.function_pointer(),
            62..65 => self.bytes(),
            65..67 => self.overflow_builtin(),
            67..69 => self.leave_loop(),
            69..79 if !deep => self.if_statement(),
            79..88 if !deep => self.loop_statement(),
            88..92 if !deep => self.switch_statement(),
            92..95 if !deep => self.jump(),
            95..97 if !deep => self.variable_length_array(),
            97..100 if !deep => self.block("", 2),
            _ => self.assignment(),
        }
    }

    /// `place op= value`.
    pub(super) fn assignment(&mut self) {
        let Some(place) = self.writable() else { return };
        let text = self.assignment_to(&place);
        self.line(&format!("{text};"));
    }

    fn assignment_to(&mut self, place: &Place) -> String {
        let (operator, value) = match self.random.below(12) {
            // Division and shifts depend on the type of the value, which is open for these.
            5.. if place.kind == PlaceKind::WideBitField => {
                (self.random.pick(&["=", "+=", "-=", "^="]), self.expr(2).text)
            }
            0 => ("=", self.expr(3).text),
            1..5 => ("=", self.expr(2).text),
            5 => ("=", self.bit_field_value()),
            6..8 => (self.random.pick(&["+=", "-=", "*="]), self.expr(2).text),
            8..10 => (self.random.pick(&["&=", "|=", "^="]), self.expr(2).text),
            10 => (self.random.pick(&["/=", "%="]), self.divisor(1).text),
            _ => (self.random.pick(&["<<=", ">>="]), self.count(place.ty, 1)),
        };
        format!("{} {operator} {value}", place.text)
    }

    /// A bit-field read as it stands, without an operator in between.
    fn bit_field_value(&mut self) -> String {
        match self.readable() {
            Some(place) if place.kind == PlaceKind::BitField => place.text,
            Some(place) => read(&place).text,
            None => self.literal().text,
        }
    }

    /// `++` or `--`, alone or with its value in a new variable, which nothing else can name.
    fn increment(&mut self) {
        let Some(place) = self.writable() else { return };
        let operator = self.random.pick(&["++", "--"]);
        let prefix = self.random.percent(50);
        let text = if prefix {
            format!("{operator}{}", place.text)
        } else {
            format!("{}{operator}", place.text)
        };
        if self.random.percent(50) {
            return self.line(&format!("{text};"));
        }
        let ty = self.int_type();
        self.declare_int(ty, &text);
    }

    /// Several effects with sequence points between them.
    fn effects_in_sequence(&mut self) {
        let (Some(a), Some(b)) = (self.writable(), self.writable()) else { return };
        let (first, second) = (self.assignment_to(&a), self.assignment_to(&b));
        let condition = self.expr(1).text;
        let text = match self.random.below(4) {
            0 => format!("({first}), ({second})"),
            1 => format!("{condition} && ({first}, ({second}))"),
            2 => format!("{condition} || (({first}) && (({second}), 1))"),
            _ => format!("{condition} ? (void)({first}) : (void)({second})"),
        };
        self.line(&format!("{text};"));
    }

    fn real_assignment(&mut self) {
        let value = self.clamped();
        match self.find_writable(|variable| !variable.has_integers()) {
            Some(variable) => self.line(&format!("{} = {value};", variable.name)),
            None => {
                let name = self.fresh("d");
                self.line(&format!("double {name} = {value};"));
                self.add(name, Shape::Double, Access::Writable);
            }
        }
    }

    fn struct_assignment(&mut self) {
        let found = self.find_writable(|variable| {
            matches!(
                variable.shape,
                Shape::Struct(_) | Shape::StructArray(..) | Shape::StructPointer(_)
            )
        });
        let Some(variable) = found else { return self.assignment() };
        let (place, record) = match variable.shape {
            Shape::Struct(record) => (variable.name, record),
            Shape::StructArray(record, length) => {
                (format!("{}[{}]", variable.name, self.index(length)), record)
            }
            Shape::StructPointer(record) => (format!("*{}", variable.name), record),
            _ => return,
        };
        let value = self.struct_value(record, 1);
        self.line(&format!("{place} = {value};"));
    }

    /// A pointer is moved, inside of its array or to another object.
    fn pointer_assignment(&mut self) {
        let found = self.find_writable(|variable| {
            matches!(
                variable.shape,
                Shape::Pointer(_) | Shape::Walker { .. } | Shape::PointerPointer { .. }
            )
        });
        let Some(Variable { name, shape, level, .. }) = found else { return self.declaration() };
        match shape {
            Shape::Pointer(ty) => {
                if let Some(address) = self.address(ty, level) {
                    self.line(&format!("{name} = {address};"));
                }
            }
            Shape::PointerPointer { to, level } => {
                if let Some(address) = self.address(to, level) {
                    self.line(&format!("*{name} = {address};"));
                }
            }
            Shape::Walker { home, length, .. } => self.walk(&name, &home, length),
            _ => {}
        }
    }

    fn walk(&mut self, name: &str, home: &str, length: usize) {
        let last = length - 1;
        let line = match self.random.below(6) {
            0 => format!("{name} = {home} + ({});", self.index(length)),
            1 => format!("{name} = &{home}[{}];", self.index(length)),
            2 => format!("if ({name} < {home} + {last}) {name}++;"),
            3 => format!("if ({name} > {home}) --{name};"),
            4 => format!("{name} = {home} + (({name} - {home} + 3) & {last});"),
            _ => {
                // The value of `*p++` goes to a new variable, so nothing is changed twice.
                let ty = self.int_type();
                let value = format!("{name} < {home} + {last} ? *{name}++ : *{name}");
                return self.declare_int(ty, &value);
            }
        };
        self.line(&line);
    }

    fn if_statement(&mut self) {
        let condition = self.expr(1).text;
        let count = self.random.between(1, 2);
        self.open(&format!("if ({condition})"));
        self.statements(count);
        if self.random.percent(50) {
            self.reopen("else");
            self.statements(count);
        }
        self.close("");
    }

    /// A loop with a counter that nothing else writes.
    fn loop_statement(&mut self) {
        let turns = self.random.between(1, 5);
        if !self.can_afford(turns * 4) {
            return self.assignment();
        }
        let name = self.fresh("k");
        let ty = self.random.pick(&[
            IntType::Int,
            IntType::UnsignedInt,
            IntType::SignedChar,
            IntType::Long,
        ]);
        let (head, tail) = match self.random.below(4) {
            0 => (
                format!("for ({} {name} = 0; {name} < {turns}; {name}++)", ty.name()),
                String::new(),
            ),
            1 => {
                let step = self.random.between(1, 3);
                let limit = turns * step;
                (
                    format!("for ({} {name} = {limit}; {name} > 0; {name} -= {step})", ty.name()),
                    String::new(),
                )
            }
            2 => {
                self.line(&format!("{} {name} = {turns};", ty.name()));
                (format!("while ({name}-- > 0)"), String::new())
            }
            _ => {
                self.line(&format!("{} {name} = {turns};", ty.name()));
                ("do".to_owned(), format!(" while (--{name} > 0);"))
            }
        };
        self.open(&head);
        self.add(name, Shape::Int(ty), Access::ReadOnly);
        let outside = self.weight;
        self.weight *= turns;
        self.loops += 1;
        let count = self.random.between(1, 3);
        self.statements(count);
        self.loops -= 1;
        self.weight = outside;
        self.close(&tail);
    }

    /// `break` or `continue`; both are fine in every loop above, whose steps are in their heads.
    fn leave_loop(&mut self) {
        if self.loops == 0 {
            return self.assignment();
        }
        let condition = self.expr(1).text;
        let how = self.random.pick(&["break", "continue"]);
        self.line(&format!("if ({condition}) {how};"));
    }

    fn switch_statement(&mut self) {
        let e = self.expr(1);
        let ty = self.random.pick(&[
            IntType::Int,
            IntType::UnsignedChar,
            IntType::LongLong,
            IntType::UnsignedInt,
        ]);
        self.open(&format!("switch (({})({} & 7))", ty.name(), e.text));
        let mut values: Vec<usize> = (0..8).collect();
        let default = self.random.below(4);
        for number in 0..self.random.between(2, 4) {
            if number == default {
                self.line("default:");
            }
            for _ in 0..self.random.between(1, 2) {
                let at = self.random.below(values.len());
                let value = values.swap_remove(at);
                self.line(&format!("case {value}:"));
            }
            // A block, so that no case jumps into the scope of a declaration.
            self.block("", 1);
            if self.random.percent(65) {
                self.line("break;");
            }
        }
        self.close("");
    }

    fn jump(&mut self) {
        let label = self.fresh("l");
        match self.random.below(4) {
            0 => self.jump_forward(&label),
            1 => self.jump_backward(&label),
            2 => self.jump_into(&label),
            _ => self.computed_jump(&label),
        }
    }

    fn jump_forward(&mut self, label: &str) {
        let condition = self.expr(1).text;
        self.line(&format!("if ({condition}) goto {label};"));
        self.block("", 2);
        self.line(&format!("{label}:;"));
    }

    fn jump_backward(&mut self, label: &str) {
        let turns = self.random.between(2, 4);
        if !self.can_afford(turns * 4) {
            return self.jump_forward(label);
        }
        let counter = self.fresh("k");
        self.line(&format!("int {counter} = {turns};"));
        self.line(&format!("{label}:;"));
        let outside = self.weight;
        self.weight *= turns;
        self.block("", 2);
        self.weight = outside;
        self.line(&format!("if (--{counter} > 0) goto {label};"));
    }

    /// Into a block, over a declaration whose variable is assigned before it is read.
    fn jump_into(&mut self, label: &str) {
        let (condition, ty, name) = (self.expr(1).text, self.int_type(), self.fresh("v"));
        let (first, second) = (self.expr(1).text, self.expr(1).text);
        self.line(&format!("if ({condition}) goto {label};"));
        self.open("");
        self.line(&format!("{} {name} = {first};", ty.name()));
        self.open("if (0)");
        self.line(&format!("{label}: {name} = {second};"));
        self.close("");
        self.add(name, Shape::Int(ty), Access::Writable);
        self.statements(2);
        self.close("");
    }

    fn computed_jump(&mut self, label: &str) {
        let e = self.expr(1).text;
        self.line(&format!(
            "goto *(void *[]){{&&{label}a, &&{label}b, &&{label}c}}[((int){e} & 255) % 3];"
        ));
        self.line(&format!("{label}a:;"));
        self.block("", 1);
        self.line(&format!("{label}b:;"));
        self.block("", 1);
        self.line(&format!("{label}c:;"));
    }

    /// The name of an integer that can be written.
    pub(super) fn place_to_store(&mut self) -> Option<String> {
        Some(self.find_writable(|variable| matches!(variable.shape, Shape::Int(_)))?.name)
    }

    /// A call for its effects; its value goes to a variable that is named outright.
    fn call_statement(&mut self) {
        let affordable: Vec<usize> = (0..self.effectful.len())
            .filter(|number| self.has_effects() && self.can_afford(self.effectful[*number].cost))
            .collect();
        let Some(number) = self.choose(&affordable) else { return self.assignment() };
        let function = self.effectful[number].clone();
        self.pay(function.cost);
        let call = format!("{}({})", function.name, self.arguments(&function, 2));
        match self.place_to_store() {
            Some(place) if self.random.percent(70) => self.line(&format!("{place} = {call};")),
            _ => self.line(&format!("{call};")),
        }
    }

    /// A function that is chosen when the program runs.
    fn function_pointer(&mut self) {
        let Some(table) = &self.table else { return self.assignment() };
        let name = table.name.clone();
        let alike = self.pure.iter().find(|function| table.is_of_type(function)).cloned();
        let Some(function) = alike.filter(|function| self.can_afford(function.cost)) else {
            return self.assignment();
        };
        self.pay(function.cost);
        let (pointer, condition) = (self.fresh("f"), self.expr(1).text);
        self.line(&format!(
            "__typeof__({name}[0]) {pointer} = {condition} ? {name}[0] : {};",
            function.name
        ));
        let arguments = self.arguments(&function, 1);
        if let Some(place) = self.place_to_store() {
            let star = self.random.pick(&["", "*", "**"]);
            self.line(&format!("{place} = ({star}{pointer})({arguments});"));
        }
    }

    fn overflow_builtin(&mut self) {
        let (ty, name) = (self.random.pick(&super::types::ALL[1..]), self.fresh("r"));
        let (a, b) = (self.expr(1), self.expr(1));
        // No type in between is wide enough for some products of 128 bits.
        let narrow = |text: String, ty: IntType| {
            if ty >= IntType::Int128 { format!("(int){text}") } else { text }
        };
        let (a, b) = (narrow(a.text, a.ty), narrow(b.text, b.ty));
        let operation = self.random.pick(&["add", "sub", "mul"]);
        self.line(&format!("{} {name};", ty.name()));
        let flag = self.fresh("o");
        // An operand of type _Bool or an enumeration is not allowed.
        self.line(&format!("int {flag} = __builtin_{operation}_overflow(+{a}, +{b}, &{name});"));
        self.add(name, Shape::Int(ty), Access::Writable);
        self.add(flag, Shape::Int(IntType::Int), Access::Writable);
    }

    /// A new variable.
    pub(super) fn declare_int(&mut self, ty: IntType, value: &str) {
        let name = self.fresh("v");
        self.line(&format!("{} {name} = {value};", ty.name()));
        self.add(name, Shape::Int(ty), Access::Writable);
    }
}
