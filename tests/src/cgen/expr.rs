//! Expressions without effects, of any integer type, whose value the standard defines (given that
//! signed arithmetic wraps and left shifts work on bits, as gcc has it with `-fwrapv`).
//!
//! Divisors are never 0 or -1, counts of shifts are masked by the width of what is shifted, indices by
//! the length of the array.

use super::Generator;
use super::scope::{
    Access, FieldShape, Function, Parameter, Place, PlaceKind, Returned, Shape, Variable,
};
use super::types::{ALL, IntType};

/// An expression in parentheses, or one that needs none.
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) ty: IntType,
}

fn expr(text: impl Into<String>, ty: IntType) -> Expr {
    Expr { text: text.into(), ty }
}

const LITERALS: [(&str, IntType); 36] = [
    ("0", IntType::Int),
    ("1", IntType::Int),
    ("(-1)", IntType::Int),
    ("2", IntType::Int),
    ("(-7)", IntType::Int),
    ("31", IntType::Int),
    ("127", IntType::Int),
    ("(-128)", IntType::Int),
    ("200", IntType::Int),
    ("255", IntType::Int),
    ("256", IntType::Int),
    ("32767", IntType::Int),
    ("(-32768)", IntType::Int),
    ("65535", IntType::Int),
    ("2147483647", IntType::Int),
    ("(-2147483647 - 1)", IntType::Int),
    ("0777", IntType::Int),
    ("0x5a5a5a5a", IntType::Int),
    ("'a'", IntType::Int),
    ("'\\xff'", IntType::Int),
    ("0u", IntType::UnsignedInt),
    ("1u", IntType::UnsignedInt),
    ("4294967295u", IntType::UnsignedInt),
    ("0x80000000", IntType::UnsignedInt),
    ("5L", IntType::Long),
    ("(-3L)", IntType::Long),
    ("9ul", IntType::UnsignedLong),
    ("0ul", IntType::UnsignedLong),
    ("1LL", IntType::LongLong),
    ("(-2LL)", IntType::LongLong),
    ("9223372036854775807LL", IntType::LongLong),
    ("(-9223372036854775807LL - 1)", IntType::LongLong),
    ("0x123456789abcdefLL", IntType::LongLong),
    ("3ULL", IntType::UnsignedLongLong),
    ("18446744073709551615ULL", IntType::UnsignedLongLong),
    ("0x8000000000000000ULL", IntType::UnsignedLongLong),
];

impl Generator {
    /// An integer type, `int` a little more often.
    pub(super) fn int_type(&mut self) -> IntType {
        match self.random.below(20) {
            0..4 => IntType::Int,
            4 if self.has_int128() => self.random.pick(&[IntType::Int128, IntType::UnsignedInt128]),
            _ => self.random.pick(&ALL),
        }
    }

    pub(super) fn literal(&mut self) -> Expr {
        if self.random.percent(30) {
            return expr(self.random.below(20).to_string(), IntType::Int);
        }
        let (text, ty) = self.random.pick(&LITERALS);
        expr(text, ty)
    }

    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.random.percent(12) {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(32) {
            0..6 => self.arithmetic(depth),
            6..9 => self.bitwise(depth),
            9..11 => self.division(depth),
            11..14 => self.shift(depth),
            14..17 => self.comparison(depth),
            17..19 => self.logical(depth),
            19..21 => self.unary(depth),
            21..24 => self.cast(depth),
            24..26 => self.conditional(depth),
            26..29 => self.call(depth),
            _ => self.exotic(depth),
        }
    }

    fn leaf(&mut self) -> Expr {
        if self.random.percent(25) {
            return self.literal();
        }
        match self.readable() {
            Some(place) => read(&place),
            None => self.literal(),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Expr {
        let (a, b) = (self.expr(depth), self.expr(depth));
        let operator = self.random.pick(&["+", "-", "*"]);
        let ty = a.ty.common(b.ty, self.model);
        expr(format!("({} {operator} {})", a.text, b.text), ty)
    }

    fn bitwise(&mut self, depth: usize) -> Expr {
        let (a, b) = (self.expr(depth), self.expr(depth));
        let operator = self.random.pick(&["&", "|", "^"]);
        let ty = a.ty.common(b.ty, self.model);
        expr(format!("({} {operator} {})", a.text, b.text), ty)
    }

    fn division(&mut self, depth: usize) -> Expr {
        let a = self.expr(depth);
        let b = self.divisor(depth);
        let operator = self.random.pick(&["/", "%"]);
        let ty = a.ty.common(b.ty, self.model);
        expr(format!("({} {operator} {})", a.text, b.text), ty)
    }

    /// Something that is neither 0 nor -1, also after a conversion to a wider or unsigned type.
    pub(super) fn divisor(&mut self, depth: usize) -> Expr {
        let e = self.expr(depth);
        match self.random.below(3) {
            0 => expr(format!("(((int){} & 63) + 1)", e.text), IntType::Int),
            // It goes down to -33: large if it becomes unsigned.
            1 => expr(format!("(-((int){} & 31) - 2)", e.text), IntType::Int),
            _ => {
                let ty = self.random.pick(&ALL).unsigned();
                expr(format!("((({})({})) | 1)", ty.name(), e.text), ty.promoted())
            }
        }
    }

    /// A count for shifting something of this type.
    pub(super) fn count(&mut self, shifted: IntType, depth: usize) -> String {
        let mask = shifted.promoted().bits(self.model) - 1;
        if self.random.percent(40) {
            return self.random.between(0, mask as usize).to_string();
        }
        let e = self.expr(depth);
        format!("({} & {mask})", e.text)
    }

    fn shift(&mut self, depth: usize) -> Expr {
        let a = self.expr(depth);
        let count = self.count(a.ty, depth.min(1));
        let operator = self.random.pick(&["<<", ">>"]);
        expr(format!("({} {operator} {count})", a.text), a.ty.promoted())
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        if self.has_floats() && self.random.percent(15) {
            let (a, b) = (self.real(1), self.real(1));
            return expr(format!("({a} {operator} {b})"), IntType::Int);
        }
        let (a, b) = (self.expr(depth), self.expr(depth));
        expr(format!("({} {operator} {})", a.text, b.text), IntType::Int)
    }

    fn logical(&mut self, depth: usize) -> Expr {
        let (a, b) = (self.expr(depth), self.expr(depth));
        let operator = self.random.pick(&["&&", "||"]);
        expr(format!("({} {operator} {})", a.text, b.text), IntType::Int)
    }

    fn unary(&mut self, depth: usize) -> Expr {
        let e = self.expr(depth);
        match self.random.pick(&["-", "~", "!", "+"]) {
            "!" => expr(format!("(!{})", e.text), IntType::Int),
            operator => expr(format!("({operator}{})", e.text), e.ty.promoted()),
        }
    }

    fn cast(&mut self, depth: usize) -> Expr {
        let e = self.expr(depth);
        let ty = self.int_type();
        expr(format!("(({}){})", ty.name(), e.text), ty)
    }

    fn conditional(&mut self, depth: usize) -> Expr {
        let (a, b) = (self.expr(depth), self.expr(depth));
        if self.random.percent(20) {
            let ty = a.ty.common(b.ty, self.model);
            return expr(format!("({} ?: {})", a.text, b.text), ty);
        }
        let condition = self.expr(depth);
        let ty = a.ty.common(b.ty, self.model);
        expr(format!("({} ? {} : {})", condition.text, a.text, b.text), ty)
    }

    /// Constructs that are rare in programs, and rare here.
    fn exotic(&mut self, depth: usize) -> Expr {
        match self.random.below(12) {
            0 => self.size_of(depth),
            1 => self.generic(depth),
            2 => self.statement_expression(depth),
            3 => self.compound_literal(depth),
            4 => self.builtin(depth),
            5 => {
                let (a, b) = (self.expr(depth), self.expr(depth));
                expr(format!("({}, +{})", a.text, b.text), b.ty.promoted())
            }
            6 => {
                let index = self.index(8);
                let text = self
                    .random
                    .pick(&["\"ab\\0\\xff\" \"cdef\"", "\"\\1\\2\\3\" \"\\200\\377xy\""]);
                expr(format!("{text}[{index}]"), IntType::Char)
            }
            7 | 8 => self.variadic_call(depth),
            9 if self.has_floats() => {
                let real = self.real(2);
                expr(format!("whole({real})"), IntType::Int)
            }
            _ => self.pointers().unwrap_or_else(|| self.literal()),
        }
    }

    /// `sizeof` shows the type that an expression has.
    fn size_of(&mut self, depth: usize) -> Expr {
        let e = self.expr(depth);
        let ty = IntType::size(self.model);
        expr(format!("sizeof({} + (signed char)1)", e.text), ty)
    }

    /// So does `_Generic`.
    fn generic(&mut self, depth: usize) -> Expr {
        let e = self.expr(depth);
        expr(
            format!(
                "_Generic(+{}, int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, \
                 unsigned long long: 6, default: 7)",
                e.text
            ),
            IntType::Int,
        )
    }

    fn statement_expression(&mut self, depth: usize) -> Expr {
        let (ty, e, f) = (self.int_type(), self.expr(depth), self.expr(depth));
        let name = self.fresh("t");
        let operator = self.random.pick(&["+=", "-=", "*=", "^=", "|=", "="]);
        let text = format!(
            "({{ {} {name} = {}; {name} {operator} {}; {name}; }})",
            ty.name(),
            e.text,
            f.text
        );
        expr(text, ty)
    }

    fn compound_literal(&mut self, depth: usize) -> Expr {
        let (ty, e) = (self.int_type(), self.expr(depth));
        if self.random.percent(50) {
            return expr(format!("({}){{{}}}", ty.name(), e.text), ty);
        }
        let (f, index) = (self.expr(depth), self.index(4));
        let designator = self.random.pick(&["", "[2] = "]);
        let text = format!("({}[4]){{{}, {designator}{}}}[{index}]", ty.name(), e.text, f.text);
        expr(text, ty)
    }

    fn builtin(&mut self, depth: usize) -> Expr {
        let e = self.expr(depth);
        let text = match self.random.below(6) {
            0 => format!("__builtin_popcount({})", e.text),
            1 => format!("__builtin_popcountll({})", e.text),
            2 => format!("__builtin_clz((unsigned){} | 1u)", e.text),
            3 => format!("__builtin_ctzll((unsigned long long){} | 4096u)", e.text),
            4 => format!("__builtin_ffs({})", e.text),
            _ => return expr(format!("__builtin_bswap32({})", e.text), IntType::UnsignedInt),
        };
        expr(text, IntType::Int)
    }

    /// Differences and comparisons of pointers into one array.
    fn pointers(&mut self) -> Option<Expr> {
        let walker = self.find(|variable| matches!(variable.shape, Shape::Walker { .. }))?;
        let Shape::Walker { home, length, .. } = &walker.shape else { return None };
        let (name, index) = (&walker.name, self.index(*length));
        let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        Some(match self.random.below(3) {
            0 => expr(format!("({name} - {home})"), IntType::difference(self.model)),
            1 => expr(format!("({name} {operator} {home} + {index})"), IntType::Int),
            _ => expr(format!("(&{home}[{length}] - {name})"), IntType::difference(self.model)),
        })
    }

    /// A call of a function without effects, or of one in the table of functions.
    fn call(&mut self, depth: usize) -> Expr {
        let affordable: Vec<usize> = (0..self.pure.len())
            .filter(|number| self.can_afford(self.pure[*number].cost))
            .collect();
        let Some(number) = self.choose(&affordable) else { return self.arithmetic(depth) };
        let function = self.pure[number].clone();
        self.pay(function.cost);
        let arguments = self.arguments(&function, depth);
        let call = match &self.table {
            Some(table) if table.is_of_type(&function) => {
                let (name, mask) = (table.name.clone(), table.length - 1);
                let index = self.expr(depth.min(1));
                format!("{name}[{} & {mask}]({arguments})", index.text)
            }
            _ => format!("{}({arguments})", function.name),
        };
        match function.result {
            Returned::Int(ty) => expr(call, ty),
            Returned::Struct(record) => self.member_of_value(&call, record),
        }
    }

    /// An integer member of a struct that is a value.
    fn member_of_value(&mut self, value: &str, record: usize) -> Expr {
        let fields: Vec<(String, IntType)> = self.records[record]
            .fields
            .iter()
            .filter_map(|field| match field.shape {
                FieldShape::Int(ty) => Some((field.name.clone(), ty)),
                _ => None,
            })
            .collect();
        // Every struct begins with a plain integer.
        let (name, ty) = fields[self.random.below(fields.len())].clone();
        expr(format!("{value}.{name}"), ty)
    }

    pub(super) fn arguments(&mut self, function: &Function, depth: usize) -> String {
        let depth = depth.min(1);
        let arguments: Vec<String> = function
            .parameters
            .iter()
            .map(|parameter| match parameter {
                Parameter::Int(_) => self.expr(depth).text,
                Parameter::Depth => format!("(int){} & 7", self.expr(depth).text),
                Parameter::Struct(record) => self.struct_value(*record, depth),
                Parameter::Pointer(ty) => {
                    // The target only has to outlive the call.
                    let address = self.address(*ty, usize::MAX);
                    address.unwrap_or_else(|| format!("&{}", self.global_of(*ty)))
                }
                Parameter::StructPointer(record) => self.struct_address(*record),
            })
            .collect();
        arguments.join(", ")
    }

    fn variadic_call(&mut self, depth: usize) -> Expr {
        let Some(name) = self.variadic.clone() else { return self.literal() };
        let (mut kinds, mut arguments) = (String::new(), String::new());
        for _ in 0..self.random.below(6) {
            let e = self.expr(depth.min(1)).text;
            let (kind, argument) = match self.random.below(if self.has_floats() { 5 } else { 4 }) {
                0 => ('i', format!("(signed char){e}")),
                1 => ('i', format!("(int){e}")),
                2 => ('l', format!("(long long){e}")),
                3 => ('u', format!("(unsigned){e}")),
                _ => ('d', format!("(double)(int){e}")),
            };
            kinds.push(kind);
            arguments.push_str(", ");
            arguments.push_str(&argument);
        }
        expr(format!("{name}(\"{kinds}\"{arguments})"), IntType::LongLong)
    }

    /// An index that is below a power of two.
    pub(super) fn index(&mut self, length: usize) -> String {
        if self.random.percent(50) {
            return self.random.below(length).to_string();
        }
        let e = match self.named() {
            Some(place) => read(&place),
            None => self.literal(),
        };
        let text = if e.ty >= IntType::Int128 { format!("(int){}", e.text) } else { e.text };
        format!("{text} & {}", length - 1)
    }

    /// One of the variables that can be seen, have a value and satisfy a condition.
    pub(super) fn find(&mut self, condition: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let fits = |variable: &Variable| {
            !variable.hidden && variable.access != Access::Unborn && condition(variable)
        };
        let found: Vec<usize> =
            (0..self.variables.len()).filter(|number| fits(&self.variables[*number])).collect();
        let number = self.choose(&found)?;
        Some(self.variables[number].clone())
    }

    /// The same among those that statements may change.
    pub(super) fn find_writable(
        &mut self,
        condition: impl Fn(&Variable) -> bool,
    ) -> Option<Variable> {
        self.find(|variable| variable.access == Access::Writable && condition(variable))
    }

    pub(super) fn choose<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        if choices.is_empty() { None } else { Some(self.random.pick(choices)) }
    }

    /// A plain variable.
    fn named(&mut self) -> Option<Place> {
        let variable = self.find(|variable| matches!(variable.shape, Shape::Int(_)))?;
        self.place_in(&variable)
    }

    /// An integer that can be read.
    pub(super) fn readable(&mut self) -> Option<Place> {
        let variable = self.find(Variable::has_integers)?;
        self.place_in(&variable)
    }

    /// An integer that can be written.
    pub(super) fn writable(&mut self) -> Option<Place> {
        let variable = self.find_writable(Variable::has_integers)?;
        self.place_in(&variable)
    }

    fn place_in(&mut self, variable: &Variable) -> Option<Place> {
        let name = &variable.name;
        let object = |text: String, ty: IntType| Place {
            text,
            ty,
            kind: PlaceKind::Object,
            level: variable.level,
        };
        // Nobody knows how long the target of a pointer lives.
        let target = |text: String, ty: IntType| Place { level: usize::MAX, ..object(text, ty) };
        Some(match &variable.shape {
            Shape::Int(ty) => Place { kind: PlaceKind::Named, ..object(name.clone(), *ty) },
            Shape::Double | Shape::Float => return None,
            Shape::Array(ty, length) => object(format!("{name}[{}]", self.index(*length)), *ty),
            Shape::Matrix(ty, rows, columns) => {
                let (row, column) = (self.index(*rows), self.index(*columns));
                object(format!("{name}[{row}][{column}]"), *ty)
            }
            Shape::Struct(record) => {
                return self.field(&object(format!("{name}."), IntType::Int), *record);
            }
            Shape::StructArray(record, length) => {
                let base = format!("{name}[{}].", self.index(*length));
                return self.field(&object(base, IntType::Int), *record);
            }
            Shape::StructPointer(record) => {
                return self.field(&target(format!("{name}->"), IntType::Int), *record);
            }
            Shape::Union => match self.random.below(4) {
                0 => object(format!("{name}.w"), IntType::UnsignedLongLong),
                1 => object(format!("{name}.i[{}]", self.index(2)), IntType::Int),
                2 => object(format!("{name}.h[{}]", self.index(4)), IntType::Short),
                _ => object(format!("{name}.b[{}]", self.index(8)), IntType::UnsignedChar),
            },
            Shape::Pointer(ty) => target(format!("(*{name})"), *ty),
            Shape::Walker { element, .. } => target(format!("(*{name})"), *element),
            Shape::PointerPointer { to, .. } => target(format!("(**{name})"), *to),
        })
    }

    /// An integer in a struct; `base` is everything in front of the name of the member.
    fn field(&mut self, base: &Place, record: usize) -> Option<Place> {
        let fields = &self.records[record].fields;
        let field = fields[self.random.below(fields.len())].clone();
        let text = format!("{}{}", base.text, field.name);
        Some(match field.shape {
            FieldShape::Int(ty) => Place { text, ty, ..base.clone() },
            FieldShape::Bits(ty @ (IntType::LongLong | IntType::UnsignedLongLong), _) => {
                Place { text, ty, kind: PlaceKind::WideBitField, ..base.clone() }
            }
            // A narrow one promotes to int, whatever its type; of all 32 bits it is what it says.
            FieldShape::Bits(ty, bits) => {
                let ty = if bits < 32 { IntType::Int } else { ty };
                Place { text, ty, kind: PlaceKind::BitField, ..base.clone() }
            }
            FieldShape::Array(ty, length) => {
                let text = format!("{text}[{}]", self.index(length));
                Place { text, ty, ..base.clone() }
            }
            FieldShape::Struct(inner) => {
                return self.field(&Place { text: format!("{text}."), ..base.clone() }, inner);
            }
            FieldShape::Pointer(_) if !self.has_effects() => return None,
            FieldShape::Pointer(ty) => {
                Place { text: format!("(*{text})"), ty, level: usize::MAX, ..base.clone() }
            }
        })
    }
}

/// The value of a place.
pub(super) fn read(place: &Place) -> Expr {
    match place.kind {
        PlaceKind::Named | PlaceKind::Object => expr(place.text.clone(), place.ty),
        PlaceKind::BitField => expr(format!("(+{})", place.text), place.ty.promoted()),
        PlaceKind::WideBitField => expr(format!("(({}){})", place.ty.name(), place.text), place.ty),
    }
}
