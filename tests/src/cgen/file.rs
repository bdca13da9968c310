//! The file around the statements: structs, variables, functions, and what is shown at the end.

use super::scope::{
    Access, Field, FieldShape, Function, Parameter, Record, Returned, Shape, Variable,
};
use super::types::{ALL, IntType};
use super::{Effects, Generator, Table, global_name};

/// What function bodies may cost, about, in statements.
const PURE_COST: usize = 40;
const EFFECTFUL_COST: usize = 150;

impl Generator {
    /// The whole unit.
    pub(super) fn file(&mut self, size: usize) {
        let targets = ALL.into_iter().filter(|ty| *ty == IntType::Int || self.random.percent(50));
        self.target_types = targets.collect();
        self.line(&format!("\n/* seed {} */", &self.prefix[1..self.prefix.len() - 1]));
        self.types();
        self.globals();
        self.functions();
        self.main(size);
    }

    fn types(&mut self) {
        let prefix = self.prefix.clone();
        self.line(&format!(
            "union {prefix}pun {{ unsigned long long w; int i[2]; short h[4]; unsigned char b[8]; }};"
        ));
        self.line(&format!("enum {prefix}few {{ {prefix}A, {prefix}B = 5, {prefix}C }};"));
        self.line(&format!("enum {prefix}signs {{ {prefix}M = -2, {prefix}N, {prefix}O = 9 }};"));
        for number in 0..self.random.between(1, 2) {
            let mut fields =
                vec![Field { name: "f0".to_owned(), shape: FieldShape::Int(self.int_type()) }];
            for field in 1..self.random.between(2, 6) {
                fields.push(Field { name: format!("f{field}"), shape: self.field_shape(number) });
            }
            let text: Vec<String> = fields.iter().map(|field| self.declare_field(field)).collect();
            let name = format!("{prefix}s{number}");
            self.line(&format!("struct {name} {{ {} }};", text.join(" ")));
            self.records.push(Record { name, fields });
        }
    }

    /// The shape of a member of the struct of this number.
    fn field_shape(&mut self, number: usize) -> FieldShape {
        match self.random.below(10) {
            0..4 => FieldShape::Int(self.int_type()),
            4..7 => {
                let (ty, limit) = self.random.pick(&[
                    (IntType::UnsignedInt, 32),
                    (IntType::Int, 32),
                    (IntType::UnsignedShort, 16),
                    (IntType::SignedChar, 8),
                    (IntType::Bool, 1),
                    (IntType::LongLong, 64),
                    (IntType::UnsignedLongLong, 64),
                ]);
                FieldShape::Bits(ty, self.random.between(1, limit) as u32)
            }
            7 => FieldShape::Array(self.int_type(), self.random.pick(&[2, 4])),
            8 if number > 0 => FieldShape::Struct(self.random.below(number)),
            _ => FieldShape::Pointer(self.target_type()),
        }
    }

    fn declare_field(&self, field: &Field) -> String {
        let name = &field.name;
        match &field.shape {
            FieldShape::Int(ty) => format!("{} {name};", ty.name()),
            FieldShape::Bits(ty, bits) => format!("{} {name} : {bits};", ty.name()),
            FieldShape::Array(ty, length) => format!("{} {name}[{length}];", ty.name()),
            FieldShape::Struct(inner) => format!("struct {} {name};", self.records[*inner].name),
            FieldShape::Pointer(ty) => format!("{} *{name};", ty.name()),
        }
    }

    fn globals(&mut self) {
        for ty in self.target_types.clone() {
            let (name, value) = (self.global_of(ty), self.literal().text);
            self.line(&format!("static {} {name} = {value};", ty.name()));
            self.add(name, Shape::Int(ty), Access::Writable);
        }
        if self.has_int128() && self.random.percent(40) {
            let name = self.global_of(IntType::Int128);
            self.line(&format!("static __int128 {name} = -1;"));
            self.add(name, Shape::Int(IntType::Int128), Access::Writable);
        }
        let prefix = self.prefix.clone();
        for (tag, value, ty) in [("few", "B", IntType::UnsignedInt), ("signs", "M", IntType::Int)] {
            self.line(&format!("static enum {prefix}{tag} {prefix}e_{tag} = {prefix}{value};"));
            self.add(format!("{prefix}e_{tag}"), Shape::Int(ty), Access::Writable);
        }
        if self.has_floats() {
            self.line(&format!("static double {prefix}double = 2.75;"));
            self.add(format!("{prefix}double"), Shape::Double, Access::Writable);
            self.line(&format!("static float {prefix}float = 0.3f;"));
            self.add(format!("{prefix}float"), Shape::Float, Access::Writable);
        }
        for number in 0..self.random.between(1, 2) {
            let (ty, length) = (self.int_type(), self.random.pick(&[4, 8]));
            let (name, list) = (format!("{prefix}a{number}"), self.list(length, 0));
            self.line(&format!("static {} {name}[{length}] = {list};", ty.name()));
            self.add(name, Shape::Array(ty, length), Access::Writable);
        }
        for record in 0..self.records.len() {
            self.global_structs(record);
        }
        let ty = self.target_type();
        let (name, target) = (format!("{prefix}p"), self.global_of(ty));
        self.line(&format!("static {} *{name} = &{target};", ty.name()));
        self.add(name, Shape::Pointer(ty), Access::Writable);
    }

    fn global_structs(&mut self, record: usize) {
        let (prefix, tag) = (self.prefix.clone(), self.records[record].name.clone());
        let (name, list) = (format!("{prefix}r{record}"), self.struct_initialiser(record, 0));
        self.line(&format!("static struct {tag} {name} = {list};"));
        self.add(name, Shape::Struct(record), Access::Writable);
        if self.random.percent(50) {
            return;
        }
        let (first, second) =
            (self.struct_initialiser(record, 0), self.struct_initialiser(record, 0));
        let name = format!("{prefix}q{record}");
        self.line(&format!("static struct {tag} {name}[2] = {{{first}, {second}}};"));
        self.add(name, Shape::StructArray(record, 2), Access::Writable);
    }

    fn functions(&mut self) {
        if self.random.percent(40) {
            self.variadic_function();
        }
        let signature = self.signature();
        let alike = self.random.pick(&[2, 2, 4]);
        for _ in 0..alike {
            self.pure_function(signature.0.clone(), signature.1);
        }
        self.function_table(alike, signature);
        if self.random.percent(40) {
            self.recursive_function();
        }
        if self.random.percent(60) {
            let record = self.random.below(self.records.len());
            let parameters = vec![Parameter::Struct(record), Parameter::Int(self.int_type())];
            self.pure_function(parameters, Returned::Struct(record));
        }
        for _ in 0..self.random.between(1, 2) {
            self.effectful_function();
        }
    }

    fn signature(&mut self) -> (Vec<Parameter>, Returned) {
        let count = self.random.between(1, 3);
        let parameters = (0..count).map(|_| Parameter::Int(self.int_type())).collect();
        (parameters, Returned::Int(self.int_type()))
    }

    fn declare_parameter(&self, parameter: &Parameter, name: &str) -> (String, Shape) {
        match parameter {
            Parameter::Int(ty) => (format!("{} {name}", ty.name()), Shape::Int(*ty)),
            Parameter::Depth => (format!("int {name}"), Shape::Int(IntType::Int)),
            Parameter::Struct(record) => {
                (format!("struct {} {name}", self.records[*record].name), Shape::Struct(*record))
            }
            Parameter::Pointer(ty) => (format!("{} *{name}", ty.name()), Shape::Pointer(*ty)),
            Parameter::StructPointer(record) => (
                format!("struct {} *{name}", self.records[*record].name),
                Shape::StructPointer(*record),
            ),
        }
    }

    fn declare_result(&self, result: Returned) -> String {
        match result {
            Returned::Int(ty) => ty.name().to_owned(),
            Returned::Struct(record) => format!("struct {}", self.records[record].name),
        }
    }

    /// Opens a function: its head, and its parameters as variables.
    fn open_function(&mut self, function: &Function) {
        let named = function.parameters.iter().enumerate();
        let parameters: Vec<(String, String, Shape)> = named
            .map(|(number, parameter)| {
                let name = format!("x{number}");
                let (text, shape) = self.declare_parameter(parameter, &name);
                (text, name, shape)
            })
            .collect();
        let list: Vec<&str> = parameters.iter().map(|(text, ..)| text.as_str()).collect();
        let result = self.declare_result(function.result);
        (self.weight, self.cost, self.loops) = (1, 0, 0);
        self.open(&format!("static {result} {}({})", function.name, list.join(", ")));
        for (_, name, shape) in parameters {
            self.add(name, shape, Access::Writable);
        }
    }

    /// A function that changes nothing outside of itself, so that it can be called anywhere.
    fn pure_function(&mut self, parameters: Vec<Parameter>, result: Returned) {
        let name = format!("{}f{}", self.prefix, self.pure.len());
        let mut function = Function { name, parameters, result, cost: 0 };
        self.without_effects(|generator| {
            generator.open_function(&function);
            let count = generator.random.between(0, 3);
            generator.cost = super::MAX_COST - PURE_COST;
            generator.statements(count);
            generator.return_value(result);
            function.cost = PURE_COST;
            generator.close("");
        });
        self.pure.push(function);
    }

    /// Everything that is visible now can only be read while `write` writes a function.
    fn without_effects(&mut self, write: impl FnOnce(&mut Self)) {
        let outside: Vec<Access> = self.variables.iter().map(|variable| variable.access).collect();
        self.variables.iter_mut().for_each(|variable| variable.access = Access::ReadOnly);
        self.effects = Effects::None;
        write(self);
        self.effects = Effects::All;
        for (variable, access) in self.variables.iter_mut().zip(outside) {
            variable.access = access;
        }
    }

    fn return_value(&mut self, result: Returned) {
        let value = match result {
            Returned::Int(_) => self.expr(2).text,
            Returned::Struct(record) => self.struct_value(record, 1),
        };
        self.line(&format!("return {value};"));
    }

    fn recursive_function(&mut self) {
        let (ty, result) = (self.int_type(), self.int_type());
        let name = format!("{}f{}", self.prefix, self.pure.len());
        let parameters = vec![Parameter::Depth, Parameter::Int(ty)];
        let mut function =
            Function { name, parameters, result: Returned::Int(result), cost: 8 * PURE_COST };
        self.without_effects(|generator| {
            generator.open_function(&function);
            // The depth may not change before the call.
            generator
                .variables
                .iter_mut()
                .rev()
                .take(2)
                .for_each(|own| own.access = Access::ReadOnly);
            generator.cost = super::MAX_COST - PURE_COST;
            let (end, argument, rest) =
                (generator.expr(2).text, generator.expr(2).text, generator.expr(2).text);
            generator.line(&format!("if (x0 <= 0) return {end};"));
            generator.statements(1);
            let operator = generator.random.pick(&["+", "^", "-", "*"]);
            let name = &function.name;
            generator.line(&format!("return {name}(x0 - 1, {argument}) {operator} {rest};"));
            generator.close("");
        });
        function.cost = 8 * PURE_COST;
        self.pure.push(function);
    }

    /// The last `length` functions, which are alike, in an array.
    fn function_table(&mut self, length: usize, (parameters, result): (Vec<Parameter>, Returned)) {
        let names: Vec<String> =
            self.pure.iter().rev().take(length).map(|function| function.name.clone()).collect();
        let types: Vec<String> =
            parameters.iter().map(|parameter| self.declare_parameter(parameter, "").0).collect();
        let (name, of) = (format!("{}table", self.prefix), self.declare_result(result));
        self.line(&format!(
            "static {of} (*const {name}[{length}])({}) = {{{}}};",
            types.join(", "),
            names.join(", ")
        ));
        self.table = Some(Table { name, length, parameters, result });
    }

    fn variadic_function(&mut self) {
        let name = format!("{}v", self.prefix);
        let operator = self.random.pick(&["+", "^", "-"]);
        self.open(&format!("static long long {name}(const char *kinds, ...)"));
        for line in [
            "va_list args;",
            "long long r = 1;",
            "va_start(args, kinds);",
            "for (; *kinds; kinds++)",
            "    switch (*kinds) {",
        ] {
            self.line(line);
        }
        let double =
            if self.has_floats() { Some(("d", "(long long)va_arg(args, double)")) } else { None };
        let kinds = [
            ("i", "va_arg(args, int)"),
            ("l", "va_arg(args, long long)"),
            ("u", "va_arg(args, unsigned)"),
        ];
        for (kind, value) in kinds.into_iter().chain(double) {
            self.line(&format!("    case '{kind}': r = r * 31 {operator} {value}; break;"));
        }
        self.line("    }");
        self.line("va_end(args);");
        self.line("return r;");
        self.close("");
        self.variadic = Some(name);
    }

    fn effectful_function(&mut self) {
        let name = format!("{}g{}", self.prefix, self.effectful.len());
        let record = self.random.below(self.records.len());
        let count = self.random.between(1, 3);
        let parameters: Vec<Parameter> = (0..count)
            .map(|_| match self.random.below(4) {
                0 => Parameter::Pointer(self.target_type()),
                1 => Parameter::StructPointer(record),
                2 => Parameter::Struct(record),
                _ => Parameter::Int(self.int_type()),
            })
            .collect();
        let result = Returned::Int(self.int_type());
        let function = Function { name, parameters, result, cost: EFFECTFUL_COST };
        self.open_function(&function);
        self.cost = super::MAX_COST - EFFECTFUL_COST;
        let count = self.random.between(1, 3);
        self.statements(count);
        if self.random.percent(30) {
            let (condition, value) = (self.expr(2).text, self.expr(1).text);
            self.line(&format!("if ({condition}) return {value};"));
            self.statements(1);
        }
        self.return_value(result);
        self.close("");
        self.effectful.push(function);
    }

    fn main(&mut self, size: usize) {
        (self.weight, self.cost, self.loops) = (1, 0, 0);
        self.open(&format!("static int {}main(void)", self.prefix));
        self.statements(size);
        for variable in self.variables.clone() {
            if !variable.hidden {
                self.show(&variable);
            }
        }
        self.line("return (int)(sum >> 7 & 127);");
        self.close("");
    }

    /// Shows all values in a variable.
    fn show(&mut self, variable: &Variable) {
        let name = &variable.name;
        match &variable.shape {
            Shape::Int(ty) => self.show_int(name, *ty),
            Shape::Double | Shape::Float => self.line(&format!("show(\"{name}\", bits({name}));")),
            Shape::Array(ty, length) => self.show_array(name, *ty, *length),
            Shape::Matrix(ty, rows, columns) => {
                (0..*rows)
                    .for_each(|row| self.show_array(&format!("{name}[{row}]"), *ty, *columns));
            }
            Shape::Struct(record) => self.show_struct(name, *record),
            Shape::StructArray(record, length) => {
                (0..*length)
                    .for_each(|number| self.show_struct(&format!("{name}[{number}]"), *record));
            }
            Shape::Union => self.show_int(&format!("{name}.w"), IntType::UnsignedLongLong),
            Shape::Pointer(ty) => self.show_int(&format!("*{name}"), *ty),
            Shape::Walker { home, .. } => {
                self.show_int(&format!("{name} - {home}"), IntType::difference(self.model));
            }
            Shape::PointerPointer { to, .. } => self.show_int(&format!("**{name}"), *to),
            Shape::StructPointer(record) => self.show_struct(&format!("(*{name})"), *record),
        }
    }

    fn show_int(&mut self, name: &str, ty: IntType) {
        self.line(&format!("show(\"{name}\", (unsigned long long)({name}));"));
        if ty >= IntType::Int128 {
            self.line(&format!("show(\"{name} >> 64\", (unsigned long long)({name} >> 64));"));
        }
    }

    fn show_array(&mut self, name: &str, ty: IntType, length: usize) {
        let index = self.fresh("k");
        let high = if ty >= IntType::Int128 {
            format!(" ^ (unsigned long long)({name}[{index}] >> 64)")
        } else {
            String::new()
        };
        self.line(&format!(
            "{{ unsigned long long h = 0; for (int {index} = 0; {index} < {length}; {index}++) \
             h = h * 31 + ((unsigned long long){name}[{index}]{high}); show(\"{name}\", h); }}"
        ));
    }

    fn show_struct(&mut self, name: &str, record: usize) {
        for field in self.records[record].fields.clone() {
            let member = format!("{name}.{}", field.name);
            match field.shape {
                FieldShape::Int(ty) | FieldShape::Bits(ty, _) => self.show_int(&member, ty),
                FieldShape::Array(ty, length) => self.show_array(&member, ty, length),
                FieldShape::Struct(inner) => self.show_struct(&member, inner),
                // Where it points is among the variables of the file.
                FieldShape::Pointer(ty) => {
                    let target = global_name(ty);
                    let prefix = self.prefix.clone();
                    self.line(&format!("show(\"{member}\", {member} == &{prefix}{target});"));
                }
            }
        }
    }
}
