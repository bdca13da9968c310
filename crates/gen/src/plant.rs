//! An error that is guaranteed: a statement that certainly fails, at a random place.

use crate::parameters::{ErrorKind, Language, Parameters};
use crate::random::Random;
use crate::tree::{Assertion, Expr, Function, Number, Operator, Place, Program, Stmt, Type};

/// So far behind the end of an array that it is outside of any that may have taken its place.
const FAR_BEHIND: usize = 5;

/// Puts a statement that fails at a random place between the statements of a program, those in nested blocks and in
/// functions included. All places have the same probability; whether the place is reached is another matter.
pub(crate) fn guaranteed_error(
    program: &mut Program,
    parameters: &Parameters,
    random: &mut Random,
) {
    let counts: Vec<usize> = program.functions.iter_mut().map(places_in).collect();
    let mut place = random.below(counts.iter().sum());
    for (function, count) in program.functions.iter_mut().zip(counts) {
        if place < count {
            let failing = failure(function, parameters, random);
            insert_into(function, place, failing);
            return;
        }
        place -= count;
    }
}

/// Statements that fail in this function.
fn failure(function: &Function, parameters: &Parameters, random: &mut Random) -> Vec<Stmt> {
    let arrays = arrays_of(function);
    let is_c = parameters.language == Language::C;
    let mut kinds = vec![ErrorKind::Null];
    if parameters.divisions {
        kinds.push(ErrorKind::Division);
    }
    if is_c {
        kinds.push(ErrorKind::Assertion);
    }
    if !arrays.is_empty() {
        kinds.push(ErrorKind::Bounds);
    }
    let kind = random.pick(&kinds).copied().unwrap_or(ErrorKind::Null);
    match (kind, random.pick(&arrays)) {
        (ErrorKind::Division, _) => division_by_zero(),
        (ErrorKind::Assertion, _) => {
            let never = Expr::binary(Operator::Ne, Expr::Number(0), Expr::Number(0));
            vec![Stmt::Assert(Assertion::Reach, never.planted(ErrorKind::Assertion))]
        }
        (ErrorKind::Bounds, Some((name, length))) => {
            let behind = Expr::Number((length + FAR_BEHIND) as i64);
            let place = Place::Element(name.clone(), Box::new(behind));
            vec![Stmt::Assign(place.planted(ErrorKind::Bounds), Expr::Number(1))]
        }
        _ => {
            // No other variable has this name, nor `zero`.
            let nowhere = "nowhere".to_owned();
            let place = Place::Target(nowhere.clone()).planted(ErrorKind::Null);
            vec![
                Stmt::Declare(nowhere, Type::Pointer, Some(Expr::Null)),
                Stmt::Assign(place, Expr::Number(1)),
            ]
        }
    }
}

fn division_by_zero() -> Vec<Stmt> {
    let zero = "zero".to_owned();
    let quotient = Expr::binary(Operator::Div, Expr::Number(1), Expr::variable(&zero));
    let number = Number::Int;
    vec![
        Stmt::Declare(zero, Type::Number(number), Some(Expr::Number(0))),
        Stmt::Output(quotient.planted(ErrorKind::Division), number),
    ]
}

/// The arrays that all places of a function see, with their lengths.
fn arrays_of(function: &Function) -> Vec<(String, usize)> {
    let declared = function.body[..function.core.start].iter().filter_map(|stmt| match stmt {
        Stmt::Declare(name, Type::Array(length), _) => Some((name.clone(), *length)),
        _ => None,
    });
    let parameters = function.parameters.iter().filter_map(|(name, of)| match of {
        Type::Array(length) => Some((name.clone(), *length)),
        _ => None,
    });
    parameters.chain(declared).collect()
}

/// How many places there are between the statements of a function that chance has made.
fn places_in(function: &mut Function) -> usize {
    let core = function.core.clone();
    core.len() + 1 + function.body[core].iter_mut().map(places_inside).sum::<usize>()
}

fn places_inside(stmt: &mut Stmt) -> usize {
    stmt.blocks_mut().into_iter().map(|block| count_places(block)).sum()
}

/// Before the first statement, between any two, and behind the last, at all depths.
fn count_places(block: &mut [Stmt]) -> usize {
    block.len() + 1 + block.iter_mut().map(places_inside).sum::<usize>()
}

/// Inserts statements at a place of [`places_in`].
fn insert_into(function: &mut Function, place: usize, made: Vec<Stmt>) {
    let behind = function.body.split_off(function.core.end);
    let mut core = function.body.split_off(function.core.start);
    insert(&mut core, &mut { place }, &mut Some(made));
    function.body.append(&mut core);
    function.core.end = function.body.len();
    function.body.extend(behind);
}

/// Inserts statements at a place of [`count_places`], which counts down to 0.
fn insert(block: &mut Vec<Stmt>, place: &mut usize, made: &mut Option<Vec<Stmt>>) {
    if *place <= block.len() {
        if let Some(made) = made.take() {
            block.splice(*place..*place, made);
        }
        return;
    }
    *place -= block.len() + 1;
    for stmt in block {
        for inner in stmt.blocks_mut() {
            insert(inner, place, made);
            if made.is_none() {
                return;
            }
        }
    }
}
