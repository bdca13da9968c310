//! The typed tree as JSON.
//!
//! Every node is an object: `kind` first, then its own data and its children in the order of the
//! source, then `type` (expressions, objects) and `span`:
//!
//! ```json
//! {"kind":"int","value":1,"type":"int","span":{"start":{"line":1,"column":9},"end":{"line":1,"column":10}}}
//! ```
//!
//! Lines and columns count from 1, `end` is one past the last character; `file` is there if a place is
//! not in the unit's own file. A number is a JSON number if every reader can hold it exactly (its
//! absolute value is at most 2^53), otherwise a string of its digits. Declarations of file scope come
//! in their order, an object or function with all that belongs to it.
//!
//! Trees are as high as sums are long, so this is written without recursion. Writing or dropping the
//! result recurses, as `serde_json` does: a caller needs a stack for it.

use crate::compile::Units;
use crate::depth::stack_for;
use crate::front;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{Position, Sources, Span};
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};

use crate::tree::{
    Atomic, BinaryOp, Bits, Builtin, Definition, ExprId, ExprKind, FloatKind, FunctionId, Initial,
    ObjectId, StmtId, StmtKind, Storage, TopLevel, TypeId, TypeKind, Unit,
};

/// The typed trees as text: one object for one file, a list for several; indented by so many spaces, or on
/// one line.
///
/// # Errors
///
/// A message, if there is no room for a tree so deep.
pub fn print(units: &Units, indent: Option<usize>) -> Result<String, Diagnostic> {
    // Made, written and dropped where the stack is large enough.
    front::with_stack(stack_for(&units.units), || {
        let trees = units.units.iter().map(|unit| to_json(unit, &units.sources));
        let mut trees: Vec<Value> = trees.collect();
        let tree = match trees.pop() {
            Some(only) if trees.is_empty() => only,
            last => Value::Array(trees.into_iter().chain(last).collect()),
        };
        let Some(indent) = indent else { return tree.to_string() };
        let spaces = vec![b' '; indent];
        let mut text = Vec::new();
        let formatter = PrettyFormatter::with_indent(&spaces);
        let mut serializer = Serializer::with_formatter(&mut text, formatter);
        // Writing to memory cannot fail.
        let _ = tree.serialize(&mut serializer);
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// The unit as JSON. `sources` has the files of its spans.
pub fn to_json(unit: &Unit, sources: &Sources) -> Value {
    let writer = Writer { unit, sources };
    let mut frames = vec![Frame::new(writer.unit())];
    loop {
        let Some(frame) = frames.last_mut() else { return Value::Null };
        match frame.next() {
            Next::Node(node) => frames.push(Frame::new(writer.parts(node))),
            Next::Again => {}
            Next::Done => {
                let Some(frame) = frames.pop() else { return Value::Null };
                let value = Value::Object(frame.done);
                match frames.last_mut() {
                    Some(parent) => parent.receive(value),
                    None => return value,
                }
            }
        }
    }
}

/// Something that becomes an object of JSON.
#[derive(Clone, Copy, Debug)]
enum Node {
    Object(ObjectId),
    Function(FunctionId),
    Initial(Initial),
    Expr(ExprId),
    Stmt(StmtId),
}

/// The value of a key.
#[derive(Debug)]
enum Part {
    Value(Value),
    Node(Node),
    List(Vec<Node>),
}

/// The keys of an object with their values.
type Parts = Vec<(&'static str, Part)>;

/// An object that is being written.
struct Frame {
    /// What is left, the last first.
    rest: Parts,
    done: Map<String, Value>,
    /// The key that waits for a value, or for the elements of a list.
    waiting: Option<&'static str>,
    /// The elements that are left, the last first, and those that are there.
    list: Option<(Vec<Node>, Vec<Value>)>,
}

/// What a frame needs.
enum Next {
    Node(Node),
    Again,
    Done,
}

impl Frame {
    fn new(mut parts: Parts) -> Self {
        parts.reverse();
        Frame { rest: parts, done: Map::new(), waiting: None, list: None }
    }

    fn next(&mut self) -> Next {
        if let Some((rest, done)) = &mut self.list {
            if let Some(node) = rest.pop() {
                return Next::Node(node);
            }
            let values = std::mem::take(done);
            self.list = None;
            self.receive(Value::Array(values));
        }
        match self.rest.pop() {
            None => Next::Done,
            Some((key, part)) => {
                self.waiting = Some(key);
                match part {
                    Part::Value(value) => self.receive(value),
                    Part::Node(node) => return Next::Node(node),
                    Part::List(mut nodes) => {
                        nodes.reverse();
                        self.list = Some((nodes, Vec::new()));
                    }
                }
                Next::Again
            }
        }
    }

    fn receive(&mut self, value: Value) {
        match (&mut self.list, self.waiting) {
            (Some((_, done)), _) => done.push(value),
            (None, Some(key)) => {
                self.done.insert(key.to_owned(), value);
            }
            (None, None) => {}
        }
    }
}

struct Writer<'a> {
    unit: &'a Unit,
    sources: &'a Sources,
}

impl Writer<'_> {
    fn unit(&self) -> Parts {
        let declarations = self.unit.top_level.iter().map(|declaration| match declaration {
            TopLevel::Object(object) => Node::Object(*object),
            TopLevel::Function(function) => Node::Function(*function),
        });
        vec![
            ("kind", text("unit")),
            ("name", text(&self.unit.name)),
            ("declarations", Part::List(declarations.collect())),
        ]
    }

    fn parts(&self, node: Node) -> Parts {
        match node {
            Node::Object(object) => self.object(object),
            Node::Function(function) => self.function(function),
            Node::Initial(initial) => {
                let mut parts =
                    vec![("kind", text("initial")), ("offset", Part::Value(initial.offset.into()))];
                if let Some(Bits { first, width }) = initial.bits {
                    parts.push(("bits", Part::Value(json!({"first": first, "width": width}))));
                }
                parts.push(("value", Part::Node(Node::Expr(initial.value))));
                parts
            }
            Node::Expr(expr) => self.expr(expr),
            Node::Stmt(stmt) => self.stmt(stmt),
        }
    }

    fn object(&self, id: ObjectId) -> Parts {
        let object = self.unit.object(id);
        let storage = match object.storage {
            Storage::External => "external",
            Storage::Static => "static",
            Storage::Automatic => "automatic",
            Storage::Parameter => "parameter",
        };
        let state = match object.state {
            Definition::Declared => "declared",
            Definition::Tentative => "tentative",
            Definition::Defined => "defined",
        };
        let name = object.name.as_deref().map_or(Value::Null, Value::from);
        let mut parts = vec![
            ("kind", text("object")),
            ("name", Part::Value(name)),
            ("storage", text(storage)),
            ("state", text(state)),
        ];
        if let Some(initial) = &object.initial {
            parts.push(("initial", list(initial.iter().map(|initial| Node::Initial(*initial)))));
        }
        parts.push(("type", self.ty(object.ty)));
        parts.push(("span", self.span(object.span)));
        parts
    }

    fn function(&self, id: FunctionId) -> Parts {
        let function = self.unit.function(id);
        let signature = self.unit.signature(function.signature);
        let mut parts = vec![
            ("kind", text("function")),
            ("name", text(&function.name)),
            ("result", self.ty(signature.result)),
            ("params", list(function.params.iter().map(|param| Node::Object(*param)))),
        ];
        let flags = [
            ("static", !function.is_external),
            ("noreturn", function.is_noreturn),
            ("implicit", function.is_implicit),
        ];
        for (key, _) in flags.iter().filter(|(_, is_set)| *is_set) {
            parts.push((key, Part::Value(true.into())));
        }
        if let Some(body) = function.body {
            parts.push(("body", Part::Node(Node::Stmt(body))));
        }
        parts.push(("span", self.span(function.span)));
        parts
    }

    fn stmt(&self, id: StmtId) -> Parts {
        let stmt = self.unit.stmt(id);
        let one = |stmt: &StmtId| Part::Node(Node::Stmt(*stmt));
        let value = |expr: &ExprId| Part::Node(Node::Expr(*expr));
        let label = |id: &crate::tree::LabelId| text(&self.unit.label(*id).name);
        let (kind, mut parts): (&str, Parts) = match &stmt.kind {
            StmtKind::Empty => ("empty", vec![]),
            StmtKind::Expr(expr) => ("expression", vec![("value", value(expr))]),
            StmtKind::Block(stmts) => {
                ("block", vec![("body", list(stmts.iter().map(|stmt| Node::Stmt(*stmt))))])
            }
            StmtKind::Declare(objects) => {
                ("declare", vec![("objects", list(objects.iter().map(|id| Node::Object(*id))))])
            }
            StmtKind::Lengths(types) => {
                let names: Vec<&str> =
                    types.iter().map(|ty| self.unit.ty(*ty).name.as_str()).collect();
                ("lengths", vec![("types", Part::Value(names.into()))])
            }
            StmtKind::If { condition, then, otherwise } => {
                let mut parts = vec![("condition", value(condition)), ("then", one(then))];
                parts.extend(otherwise.iter().map(|stmt| ("else", one(stmt))));
                ("if", parts)
            }
            StmtKind::While { condition, body } => {
                ("while", vec![("condition", value(condition)), ("body", one(body))])
            }
            StmtKind::DoWhile { body, condition } => {
                ("do", vec![("body", one(body)), ("condition", value(condition))])
            }
            StmtKind::For { initial, condition, step, body } => {
                let mut parts: Parts = Vec::new();
                parts.extend(initial.iter().map(|stmt| ("initial", one(stmt))));
                parts.extend(condition.iter().map(|expr| ("condition", value(expr))));
                parts.extend(step.iter().map(|expr| ("step", value(expr))));
                parts.push(("body", one(body)));
                ("for", parts)
            }
            StmtKind::Switch { value: of, body, cases, default } => {
                let table: Vec<Value> =
                    cases.iter().map(|case| json!([number(case.low), number(case.high)])).collect();
                let parts = vec![
                    ("value", value(of)),
                    ("cases", Part::Value(table.into())),
                    ("default", Part::Value(default.is_some().into())),
                    ("body", one(body)),
                ];
                ("switch", parts)
            }
            StmtKind::Case(body) => ("case", vec![("body", one(body))]),
            StmtKind::Default(body) => ("default", vec![("body", one(body))]),
            StmtKind::Label(id, body) => ("label", vec![("name", label(id)), ("body", one(body))]),
            StmtKind::Goto(id) => ("goto", vec![("name", label(id))]),
            StmtKind::ComputedGoto(expr) => ("computed_goto", vec![("value", value(expr))]),
            StmtKind::Asm { is_empty } => ("asm", vec![("empty", Part::Value((*is_empty).into()))]),
            StmtKind::Break => ("break", vec![]),
            StmtKind::Continue => ("continue", vec![]),
            StmtKind::Return(expr) => {
                ("return", expr.iter().map(|expr| ("value", value(expr))).collect())
            }
        };
        parts.insert(0, ("kind", text(kind)));
        parts.push(("span", self.span(stmt.span)));
        parts
    }

    fn expr(&self, id: ExprId) -> Parts {
        let expr = self.unit.expr(id);
        let (kind, mut parts) = self.expr_kind(&expr.kind, expr.ty);
        parts.insert(0, ("kind", text(kind)));
        parts.push(("type", self.ty(expr.ty)));
        parts.push(("span", self.span(expr.span)));
        parts
    }

    fn expr_kind(&self, kind: &ExprKind, ty: TypeId) -> (&'static str, Parts) {
        let node = |expr: &ExprId| Part::Node(Node::Expr(*expr));
        let flag = |is_set: &bool| Part::Value((*is_set).into());
        let op = |op: &dyn std::fmt::Debug| text(&snake(&format!("{op:?}")));
        match kind {
            ExprKind::Int(value) => ("int", vec![("value", Part::Value(number(*value)))]),
            ExprKind::Float(bits) => ("float", vec![("value", text(&self.float(*bits, ty)))]),
            ExprKind::String(id) => {
                let string = self.unit.string(*id);
                ("string", vec![("elements", Part::Value(json!(string.elements)))])
            }
            ExprKind::Object(id) => {
                let name = self.unit.object(*id).name.as_deref();
                ("object", vec![("name", Part::Value(name.map_or(Value::Null, Value::from)))])
            }
            ExprKind::CompoundLiteral(id) => {
                ("compound_literal", vec![("object", Part::Node(Node::Object(*id)))])
            }
            ExprKind::Function(id) => {
                ("function", vec![("name", text(&self.unit.function(*id).name))])
            }
            ExprKind::Member { base, field } => {
                let name = self.field(*base, *field);
                ("member", vec![("base", node(base)), ("name", Part::Value(name))])
            }
            ExprKind::Deref(pointer) => ("deref", vec![("pointer", node(pointer))]),
            ExprKind::Subscript { base, index } => {
                ("subscript", vec![("base", node(base)), ("index", node(index))])
            }
            ExprKind::Load { place, is_volatile } => {
                let mut parts = vec![("place", node(place))];
                if *is_volatile {
                    parts.push(("volatile", flag(is_volatile)));
                }
                ("load", parts)
            }
            ExprKind::Decay(place) => ("decay", vec![("place", node(place))]),
            ExprKind::AddressOf(place) => ("address_of", vec![("place", node(place))]),
            ExprKind::Unary(unary, operand) => {
                ("unary", vec![("op", op(unary)), ("operand", node(operand))])
            }
            ExprKind::Binary { op: binary, left, right } => {
                ("binary", vec![("op", op(binary)), ("left", node(left)), ("right", node(right))])
            }
            ExprKind::PointerAdd { pointer, index, is_negative, .. } => {
                let kind = if *is_negative { "pointer_sub" } else { "pointer_add" };
                (kind, vec![("pointer", node(pointer)), ("index", node(index))])
            }
            ExprKind::PointerDifference { left, right } => {
                ("pointer_difference", vec![("left", node(left)), ("right", node(right))])
            }
            ExprKind::And(left, right) => {
                ("and", vec![("left", node(left)), ("right", node(right))])
            }
            ExprKind::Or(left, right) => ("or", vec![("left", node(left)), ("right", node(right))]),
            ExprKind::Assign { place, value } => {
                ("assign", vec![("place", node(place)), ("value", node(value))])
            }
            ExprKind::Update { place, op: binary, computation, value, is_volatile } => {
                let mut parts = vec![
                    ("op", op(binary)),
                    ("place", node(place)),
                    ("value", node(value)),
                    ("computation", self.ty(*computation)),
                ];
                if *is_volatile {
                    parts.push(("volatile", flag(is_volatile)));
                }
                ("update", parts)
            }
            ExprKind::Step { place, is_increment, is_postfix, is_volatile } => {
                let kind = if *is_increment { "increment" } else { "decrement" };
                let mut parts = vec![("place", node(place)), ("postfix", flag(is_postfix))];
                if *is_volatile {
                    parts.push(("volatile", flag(is_volatile)));
                }
                (kind, parts)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let mut parts = vec![("condition", node(condition))];
                parts.extend(then.iter().map(|then| ("then", node(then))));
                parts.push(("else", node(otherwise)));
                ("conditional", parts)
            }
            ExprKind::Comma(left, right) => {
                ("comma", vec![("left", node(left)), ("right", node(right))])
            }
            ExprKind::Convert(value) => ("convert", vec![("value", node(value))]),
            ExprKind::Call { callee, arguments } => {
                let arguments = list(arguments.iter().map(|argument| Node::Expr(*argument)));
                ("call", vec![("callee", node(callee)), ("arguments", arguments)])
            }
            ExprKind::Statement(body) => {
                ("statement", vec![("body", Part::Node(Node::Stmt(*body)))])
            }
            ExprKind::ArrayLength(length) => ("array_length", vec![("length", node(length))]),
            ExprKind::LabelAddress(id) => {
                ("label_address", vec![("name", text(&self.unit.label(*id).name))])
            }
            ExprKind::Builtin(builtin, arguments) => {
                let arguments = list(arguments.iter().map(|argument| Node::Expr(*argument)));
                let name = self.builtin(builtin);
                ("builtin", vec![("name", text(&name)), ("arguments", arguments)])
            }
            ExprKind::Unsupported(words) => ("unsupported", vec![("what", text(words))]),
        }
    }

    fn builtin(&self, builtin: &Builtin) -> String {
        match builtin {
            Builtin::Overflow { op, at } => {
                format!("{}_overflow to {}", snake(&format!("{op:?}")), self.unit.ty(*at).name)
            }
            Builtin::Atomic(atomic) => format!("atomic_{}", atomic_name(atomic)),
            Builtin::Classify(question) => snake(&format!("{question:?}")),
            _ => snake(&format!("{builtin:?}")),
        }
    }

    fn field(&self, base: ExprId, field: u32) -> Value {
        let TypeKind::Record(record) = self.unit.ty(self.unit.expr(base).ty).kind else {
            return Value::Null;
        };
        let field = self.unit.record(record).fields.get(field as usize);
        field.and_then(|field| field.name.as_deref()).map_or(Value::Null, Value::from)
    }

    fn float(&self, bits: u128, ty: TypeId) -> String {
        match self.unit.ty(ty).kind {
            TypeKind::Float(FloatKind::Single) => f32::from_bits(bits as u32).to_string(),
            TypeKind::Float(FloatKind::Double) => f64::from_bits(bits as u64).to_string(),
            _ => format!("{bits:#x}"),
        }
    }

    fn ty(&self, ty: TypeId) -> Part {
        text(&self.unit.ty(ty).name)
    }

    fn span(&self, span: Span) -> Part {
        let position =
            |position: Position| json!({"line": position.line, "column": position.column});
        let mut value = json!({"start": position(span.start), "end": position(span.end)});
        let file = self.sources.name(span.file);
        if file != self.unit.name
            && let Value::Object(map) = &mut value
        {
            map.insert("file".to_owned(), file.into());
        }
        Part::Value(value)
    }
}

fn text(text: &str) -> Part {
    Part::Value(text.into())
}

fn list(nodes: impl Iterator<Item = Node>) -> Part {
    Part::List(nodes.collect())
}

fn number(value: i128) -> Value {
    const EXACT: i128 = 1 << 53;
    match i64::try_from(value) {
        Ok(small) if (-EXACT..=EXACT).contains(&value) => small.into(),
        _ => value.to_string().into(),
    }
}

fn atomic_name(atomic: &Atomic) -> String {
    let name = |what: &str, op: &BinaryOp, is_negated: &bool| {
        let op = if *is_negated { "nand".to_owned() } else { snake(&format!("{op:?}")) };
        format!("{what}_{op}")
    };
    match atomic {
        Atomic::Fetch { op, is_negated } => name("fetch", op, is_negated),
        Atomic::Update { op, is_negated } => name("update", op, is_negated),
        _ => snake(&format!("{atomic:?}")),
    }
}

/// `BitAnd` as `bit_and`.
fn snake(name: &str) -> String {
    let mut result = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !result.is_empty() {
            result.push('_');
        }
        result.extend(c.to_lowercase());
    }
    result
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use loupe_ir::source::Sources;

    use super::to_json;
    use crate::front::{DataModel, Options, read};
    use crate::testing::NoFiles;

    fn json(text: &str) -> serde_json::Value {
        let mut sources = Sources::new();
        let options = Options::new(DataModel::Lp64);
        let checked = read("t.c", text.as_bytes(), &options, &NoFiles, &mut sources).unwrap();
        to_json(&checked.unit, &sources)
    }

    #[test]
    fn nodes_have_kind_children_type_and_span() {
        let value = json("int v = 3;\nint f(int n) {\n  return n ? -v : 2;\n}\n");
        expect![[r#"{"kind":"unit","name":"t.c","declarations":[{"kind":"object","name":"v","storage":"external","state":"defined","initial":[{"kind":"initial","offset":0,"value":{"kind":"int","value":3,"type":"int","span":{"start":{"line":1,"column":9},"end":{"line":1,"column":10}}}}],"type":"int","span":{"start":{"line":1,"column":5},"end":{"line":1,"column":6}}},{"kind":"function","name":"f","result":"int","params":[{"kind":"object","name":"n","storage":"parameter","state":"defined","type":"int","span":{"start":{"line":2,"column":11},"end":{"line":2,"column":12}}}],"body":{"kind":"block","body":[{"kind":"return","value":{"kind":"conditional","condition":{"kind":"load","place":{"kind":"object","name":"n","type":"int","span":{"start":{"line":3,"column":10},"end":{"line":3,"column":11}}},"type":"int","span":{"start":{"line":3,"column":10},"end":{"line":3,"column":11}}},"then":{"kind":"unary","op":"neg","operand":{"kind":"load","place":{"kind":"object","name":"v","type":"int","span":{"start":{"line":3,"column":15},"end":{"line":3,"column":16}}},"type":"int","span":{"start":{"line":3,"column":15},"end":{"line":3,"column":16}}},"type":"int","span":{"start":{"line":3,"column":14},"end":{"line":3,"column":16}}},"else":{"kind":"int","value":2,"type":"int","span":{"start":{"line":3,"column":19},"end":{"line":3,"column":20}}},"type":"int","span":{"start":{"line":3,"column":10},"end":{"line":3,"column":20}}},"span":{"start":{"line":3,"column":3},"end":{"line":3,"column":21}}}],"span":{"start":{"line":2,"column":14},"end":{"line":4,"column":2}}},"span":{"start":{"line":2,"column":1},"end":{"line":4,"column":2}}}]}"#]].assert_eq(&value.to_string());
    }

    #[test]
    fn every_kind_of_node_can_be_shown() {
        let text = include_str!("front/tests/program.c");
        let shown = serde_json::to_string(&json(text)).unwrap();
        assert_eq!(shown, serde_json::to_string(&json(text)).unwrap());
        for kind in ["switch", "compound_literal", "statement", "builtin", "goto", "conditional"] {
            assert!(shown.contains(&format!("{{\"kind\":\"{kind}\"")), "{kind}");
        }
        assert!(json("long long x = 1LL << 60;").to_string().contains("\"1152921504606846976\""));
    }

    #[test]
    fn deep_trees_are_shown_without_recursion() {
        let value = json(&format!("int f(int x) {{ return {}x; }}", "x+".repeat(50_000)));
        // Only dropping it recurses.
        let work = std::thread::Builder::new().stack_size(1 << 28);
        work.spawn(move || drop(value)).unwrap().join().unwrap();
    }
}
