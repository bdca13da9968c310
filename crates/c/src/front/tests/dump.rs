//! The tree in a form that tests can compare: C with everything explicit. `[x]` is the value of `x`.

use crate::tree::{
    BinaryOp, Builtin, ExprId, ExprKind, FunctionId, Length, ObjectId, StmtId, StmtKind, Storage,
    TopLevel, TypeId, UnaryOp, Unit,
};

/// All declarations of file scope.
pub(super) fn unit(unit: &Unit) -> String {
    let mut text = String::new();
    for declaration in &unit.top_level {
        text += &match declaration {
            TopLevel::Object(id) => format!("{};\n", object(unit, *id)),
            TopLevel::Function(id) => function(unit, *id),
        };
    }
    text
}

fn ty(unit: &Unit, id: TypeId) -> &str {
    &unit.ty(id).name
}

pub(super) fn object(unit: &Unit, id: ObjectId) -> String {
    let object = unit.object(id);
    let storage = match object.storage {
        Storage::External => "external ",
        Storage::Static => "static ",
        Storage::Automatic | Storage::Parameter => "",
    };
    let state = match (object.storage, object.state) {
        (Storage::Automatic | Storage::Parameter, _) => String::new(),
        (_, state) => format!(" {state:?}").to_lowercase(),
    };
    let name = object.name.as_deref().unwrap_or("_");
    let mut text = format!("{storage}{name}: {}{state}", ty(unit, object.ty));
    if let Some(function) = object.cleanup {
        text += &format!(" cleanup {}", unit.function(function).name);
    }
    if let Some(alias) = &object.alias {
        text += &format!(" alias {alias}");
    }
    if let Some(extent) = object.extent {
        text += &format!(" extent {extent}");
    }
    if let Some(initial) = &object.initial {
        let values: Vec<String> = initial
            .iter()
            .map(|initial| {
                let bits = initial.bits.map(|bits| format!(":{}+{}", bits.first, bits.width));
                let at = format!("{}{}", initial.offset, bits.unwrap_or_default());
                format!("{at} {}", expr(unit, initial.value))
            })
            .collect();
        text += &format!(" = {{{}}}", values.join(", "));
    }
    text
}

fn function(unit: &Unit, id: FunctionId) -> String {
    let function = unit.function(id);
    let mut flags = Vec::new();
    if !function.is_external {
        flags.push("static".to_owned());
    }
    if function.is_weak {
        flags.push("weak".to_owned());
    }
    if function.is_noreturn {
        flags.push("noreturn".to_owned());
    }
    if function.is_inline_only {
        flags.push("inline-only".to_owned());
    }
    if function.is_implicit {
        flags.push("implicit".to_owned());
    }
    if let Some(priority) = function.constructor {
        flags.push(format!("constructor {priority}"));
    }
    if let Some(priority) = function.destructor {
        flags.push(format!("destructor {priority}"));
    }
    if let Some(alias) = &function.alias {
        flags.push(format!("alias {alias}"));
    }
    if function.link_name != function.name {
        flags.push(format!("link {}", function.link_name));
    }
    let signature = unit.signature(function.signature);
    let params: Vec<&str> = signature.params.iter().map(|id| ty(unit, *id)).collect();
    let mut text = format!(
        "{}({}; {:?}) -> {} {}",
        function.name,
        params.join(", "),
        signature.more,
        ty(unit, signature.result),
        flags.join(" "),
    );
    text.truncate(text.trim_end().len());
    match function.body {
        Some(body) => {
            let params: Vec<String> =
                function.params.iter().map(|param| object(unit, *param)).collect();
            text += &format!(" |{}|\n", params.join(", "));
            stmt(unit, body, 1, &mut text);
        }
        None => text += "\n",
    }
    text
}

fn stmt(unit: &Unit, id: StmtId, level: usize, text: &mut String) {
    let indent = "  ".repeat(level);
    let e = |id: &ExprId| expr(unit, *id);
    let mut head = |line: String| *text += &format!("{indent}{line}\n");
    let inner: Vec<StmtId> = match &unit.stmt(id).kind {
        StmtKind::Empty => {
            head(";".to_owned());
            vec![]
        }
        StmtKind::Expr(value) => {
            head(e(value));
            vec![]
        }
        StmtKind::Block(stmts) => {
            head("block".to_owned());
            stmts.clone()
        }
        StmtKind::Declare(objects) => {
            for id in objects {
                head(format!("declare {}", object(unit, *id)));
            }
            vec![]
        }
        StmtKind::Lengths(types) => {
            for id in types {
                head(format!("lengths of {}", lengths(unit, *id)));
            }
            vec![]
        }
        StmtKind::If { condition, then, otherwise } => {
            head(format!("if {}", e(condition)));
            [Some(*then), *otherwise].into_iter().flatten().collect()
        }
        StmtKind::While { condition, body } => {
            head(format!("while {}", e(condition)));
            vec![*body]
        }
        StmtKind::DoWhile { body, condition } => {
            head(format!("do while {}", e(condition)));
            vec![*body]
        }
        StmtKind::For { initial, condition, step, body } => {
            let condition = condition.as_ref().map(e).unwrap_or_default();
            let step = step.as_ref().map(e).unwrap_or_default();
            head(format!("for {condition}; {step}"));
            [*initial, Some(*body)].into_iter().flatten().collect()
        }
        StmtKind::Switch { value, body, cases, default } => {
            let cases: Vec<String> = cases
                .iter()
                .map(|case| {
                    assert!(matches!(unit.stmt(case.stmt).kind, StmtKind::Case(_)));
                    format!("{}..={}", case.low, case.high)
                })
                .collect();
            let default = default.map_or("", |stmt| {
                assert!(matches!(unit.stmt(stmt).kind, StmtKind::Default(_)));
                " default"
            });
            head(format!("switch {} [{}]{default}", e(value), cases.join(", ")));
            vec![*body]
        }
        StmtKind::Case(body) => {
            head("case".to_owned());
            vec![*body]
        }
        StmtKind::Default(body) => {
            head("default".to_owned());
            vec![*body]
        }
        StmtKind::Label(label, body) => {
            head(format!("label {}", unit.label(*label).name));
            assert_eq!(unit.label(*label).stmt, Some(id));
            vec![*body]
        }
        StmtKind::Goto(label) => {
            head(format!("goto {}", unit.label(*label).name));
            vec![]
        }
        StmtKind::ComputedGoto(value) => {
            head(format!("goto *{}", e(value)));
            vec![]
        }
        StmtKind::Asm { is_empty } => {
            head(format!("asm{}", if *is_empty { " empty" } else { "" }));
            vec![]
        }
        StmtKind::Break => {
            head("break".to_owned());
            vec![]
        }
        StmtKind::Continue => {
            head("continue".to_owned());
            vec![]
        }
        StmtKind::Return(value) => {
            head(format!("return {}", value.as_ref().map(e).unwrap_or_default()));
            vec![]
        }
    };
    for id in inner {
        stmt(unit, id, level + 1, text);
    }
}

/// A type with the lengths of its arrays.
pub(super) fn lengths(unit: &Unit, id: TypeId) -> String {
    match &unit.ty(id).kind {
        crate::tree::TypeKind::Array { element, length: Length::Variable(length) } => {
            format!("{} * {}", expr(unit, *length), lengths(unit, *element))
        }
        crate::tree::TypeKind::Pointer(target) => format!("pointer to {}", lengths(unit, *target)),
        _ => unit.ty(id).name.clone(),
    }
}

pub(super) fn expr(unit: &Unit, id: ExprId) -> String {
    let e = |id: &ExprId| expr(unit, *id);
    let list = |ids: &[ExprId]| ids.iter().map(e).collect::<Vec<_>>().join(", ");
    let node = unit.expr(id);
    match &node.kind {
        ExprKind::Int(value) => match ty(unit, node.ty) {
            "int" => value.to_string(),
            name => format!("{value}:{name}"),
        },
        ExprKind::Float(bits) => format!("{bits:#x}:{}", ty(unit, node.ty)),
        ExprKind::String(id) => {
            let string = unit.string(*id);
            let text: String =
                string.elements.iter().map(|c| char::from_u32(*c).unwrap_or('?')).collect();
            format!("{text:?}:{}", ty(unit, node.ty))
        }
        ExprKind::Object(id) => unit.object(*id).name.clone().unwrap_or_else(|| "_".to_owned()),
        ExprKind::CompoundLiteral(id) => format!("({{{}}})", object(unit, *id)),
        ExprKind::Function(id) => unit.function(*id).name.clone(),
        ExprKind::Member { base, field } => {
            let crate::tree::TypeKind::Record(record) = unit.ty(unit.expr(*base).ty).kind else {
                panic!("a member of something else")
            };
            let field = &unit.record(record).fields[*field as usize];
            assert_eq!(field.ty, node.ty);
            format!("{}.{}", e(base), field.name.as_deref().unwrap_or("_"))
        }
        ExprKind::Deref(pointer) => format!("*{}", e(pointer)),
        ExprKind::Subscript { base, index } => format!("{}[{}]", e(base), e(index)),
        ExprKind::Load { place, is_volatile: false } => format!("[{}]", e(place)),
        ExprKind::Load { place, is_volatile: true } => format!("[volatile {}]", e(place)),
        ExprKind::Decay(place) => format!("decay({})", e(place)),
        ExprKind::AddressOf(place) => format!("&{}", e(place)),
        ExprKind::Unary(op, operand) => {
            let op = match op {
                UnaryOp::Neg => "-",
                UnaryOp::BitNot => "~",
                UnaryOp::Not => "!",
            };
            format!("{op}{}", e(operand))
        }
        ExprKind::Binary { op, left, right } => {
            format!("({} {} {})", e(left), operator(*op), e(right))
        }
        ExprKind::PointerAdd { pointer, index, is_negative, is_swapped } => {
            let op = if *is_negative { "-p" } else { "+p" };
            match is_swapped {
                true => format!("({} {op} {})", e(index), e(pointer)),
                false => format!("({} {op} {})", e(pointer), e(index)),
            }
        }
        ExprKind::PointerDifference { left, right } => format!("({} -pp {})", e(left), e(right)),
        ExprKind::And(left, right) => format!("({} && {})", e(left), e(right)),
        ExprKind::Or(left, right) => format!("({} || {})", e(left), e(right)),
        ExprKind::Assign { place, value } => format!("({} = {})", e(place), e(value)),
        ExprKind::Update { place, op, computation, value, .. } => {
            let ty = ty(unit, *computation);
            format!("({} {}= {} in {ty})", e(place), operator(*op), e(value))
        }
        ExprKind::Step { place, is_increment, is_postfix, .. } => {
            let op = if *is_increment { "++" } else { "--" };
            if *is_postfix { format!("{}{op}", e(place)) } else { format!("{op}{}", e(place)) }
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            let then = then.as_ref().map(e).unwrap_or_default();
            format!("({} ? {then} : {}):{}", e(condition), e(otherwise), ty(unit, node.ty))
        }
        ExprKind::Comma(left, right) => format!("({}, {})", e(left), e(right)),
        ExprKind::Convert(value) => format!("({}){}", ty(unit, node.ty), e(value)),
        ExprKind::Call { callee, arguments } => format!("{}({})", e(callee), list(arguments)),
        ExprKind::Statement(body) => {
            let mut text = String::new();
            stmt(unit, *body, 0, &mut text);
            format!("({{{}}})", text.trim().replace('\n', "; "))
        }
        ExprKind::ArrayLength(length) => format!("length({})", e(length)),
        ExprKind::LabelAddress(label) => format!("&&{}", unit.label(*label).name),
        ExprKind::Builtin(Builtin::Overflow { op, at }, arguments) => {
            format!("overflow {}({} to {})", operator(*op), list(arguments), ty(unit, *at))
        }
        ExprKind::Builtin(builtin, arguments) => {
            format!("{builtin:?}({}):{}", list(arguments), ty(unit, node.ty))
        }
        ExprKind::Unsupported(words) => format!("unsupported({words})"),
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}
