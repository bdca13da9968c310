use super::*;
use crate::analysis::testing::{line, shape};
use crate::check::{Check, CheckKind};
use crate::program::{Const, FunctionId, Global, GlobalAccess, Instruction, StatementId, Symbols};
use crate::source::Sources;
use crate::types::{IntType, RecordField, RecordType, Tag, Types};

const A: LocalId = LocalId(0);
const B: LocalId = LocalId(1);

/// A function with the registers `A: any`, `B: pointer to any` and the memory local 3, an array of
/// pointers; and a global, a record with one field of type `any`.
fn program() -> Program {
    let mut types = Types::new(1);
    let field = RecordField { name: "f".to_owned(), ty: TypeId::ANY, offset: 0, first_bit: None };
    let record = RecordType { name: "r".to_owned(), fields: vec![field], size: 1 };
    let record = types.add_record(record);
    let record = types.intern(Type::Record(record));
    let array = types.intern(Type::Array { element: TypeId::POINTER, length: 2 });
    let mut function = shape(&[&[]]);
    function.locals[1].ty = TypeId::POINTER;
    function.locals[3].ty = array;
    let global = Global {
        name: "g".to_owned(),
        ty: record,
        initial: Vec::new(),
        access: GlobalAccess::ReadWrite,
        span: line(1),
    };
    Program {
        sources: Sources::new(),
        types,
        symbols: Symbols::default(),
        globals: vec![global],
        functions: vec![function],
        entry: FunctionId(0),
    }
}

fn effects(kind: InstructionKind) -> Effects {
    let program = program();
    let instruction = Instruction { kind, span: line(1), statement: StatementId(0) };
    Effects::of_step(&program, &program.functions[0], Step::Instruction(&instruction))
}

fn number() -> Operand {
    Operand::Const(Const::Int(0.into(), IntType::Unbounded))
}

fn locals(numbers: &[u32]) -> BTreeSet<LocalId> {
    numbers.iter().copied().map(LocalId).collect()
}

fn store(place: Place) -> Effects {
    effects(InstructionKind::Store { place, value: number() })
}

#[test]
fn an_assignment_reads_operands_and_writes_its_target() {
    let value = Rvalue::Convert(Operand::Local(B), TypeId::ANY);
    let found = effects(InstructionKind::Assign { target: A, value });
    let expected = Effects { reads: locals(&[1]), writes: locals(&[0]), ..Effects::default() };
    assert_eq!(found, expected);
}

#[test]
fn a_write_through_a_pointer_does_not_write_the_pointer() {
    let found = store(Place::local(B).project(Projection::Deref));
    let expected = Effects { reads: locals(&[1]), writes_memory: true, ..Effects::default() };
    assert_eq!(found, expected);
}

#[test]
fn a_write_through_a_pointer_in_memory_reads_memory_by_name() {
    let index = Projection::Index(Operand::Local(A));
    let pointer = Place::local(LocalId(3)).project(index).project(Projection::Deref);
    let expected = Effects { reads: locals(&[0, 3]), writes_memory: true, ..Effects::default() };
    assert_eq!(store(pointer), expected);
}

#[test]
fn an_element_of_a_dynamic_value_may_be_behind_a_reference() {
    let found = store(Place::local(A).project(Projection::Index(number())));
    let expected = Effects {
        reads: locals(&[0]),
        writes: locals(&[0]),
        writes_memory: true,
        ..Effects::default()
    };
    assert_eq!(found, expected);
}

#[test]
fn an_element_of_an_array_is_part_of_it() {
    let found = store(Place::local(LocalId(3)).project(Projection::Index(number())));
    let expected = Effects { reads: locals(&[3]), writes: locals(&[3]), ..Effects::default() };
    assert_eq!(found, expected);
}

#[test]
fn types_are_followed_into_records() {
    let field = Place { base: Base::Global(GlobalId(0)), projections: vec![Projection::Field(0)] };
    let globals = BTreeSet::from([GlobalId(0)]);
    let expected =
        Effects { reads_globals: globals.clone(), writes_globals: globals, ..Effects::default() };
    assert_eq!(store(field.clone()), expected);
    let expected = Effects { writes_memory: true, ..expected };
    assert_eq!(store(field.project(Projection::Index(number()))), expected);
}

#[test]
fn an_address_reads_only_the_pointers_on_the_way() {
    let address =
        |place| effects(InstructionKind::Assign { target: A, value: Rvalue::AddressOf(place) });
    let writes = locals(&[0]);
    let plain = Effects { writes: writes.clone(), ..Effects::default() };
    assert_eq!(address(Place::local(LocalId(3))), plain);
    let through = Effects { writes, reads: locals(&[1]), ..Effects::default() };
    assert_eq!(address(Place::local(B).project(Projection::Deref)), through);
}

#[test]
fn checks_read_what_they_ask_about() {
    let check = |predicate| {
        effects(InstructionKind::Check(Check { kind: CheckKind::TypeError, predicate }))
    };
    let reads = |numbers| Effects { reads: locals(numbers), ..Effects::default() };
    assert_eq!(check(Predicate::Is(Place::local(A), Tag::Array)), reads(&[0]));
    assert_eq!(check(Predicate::Initialised(Place::local(B))), reads(&[1]));
    let accessible = check(Predicate::Accessible(Operand::Local(B), TypeId::ANY));
    assert_eq!(accessible, Effects { reads_memory: true, ..reads(&[1]) });
    let in_bounds = Predicate::InBounds { array: Place::local(A), index: Operand::Local(B) };
    assert_eq!(check(in_bounds), Effects { reads_memory: true, ..reads(&[0, 1]) });
}

#[test]
fn a_call_reads_its_arguments_and_says_so() {
    let found = effects(InstructionKind::Call {
        target: Some(A),
        callee: Operand::Const(Const::Function(FunctionId(0))),
        arguments: vec![Operand::Local(B)],
    });
    let expected =
        Effects { reads: locals(&[1]), writes: locals(&[0]), calls: true, ..Effects::default() };
    assert_eq!(found, expected);
}

#[test]
fn operands_in_places_are_visited() {
    let place = Place::local(LocalId(3)).project(Projection::Index(Operand::Local(A)));
    let kind = InstructionKind::Store { place: place.clone(), value: Operand::Local(B) };
    let instruction = Instruction { kind, span: line(1), statement: StatementId(0) };
    let step = Step::Instruction(&instruction);
    let mut operands = Vec::new();
    visit_operands(step, &mut |operand| operands.push(operand.clone()));
    assert_eq!(operands, [Operand::Local(B), Operand::Local(A)]);
    let mut places = Vec::new();
    visit_places(step, &mut |found| places.push(found.clone()));
    assert_eq!(places, [place]);
}
