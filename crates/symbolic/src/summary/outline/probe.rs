//! What small functions return for zero.
//!
//! Whether a loop goes past the end of a text is often up to a function: `while (is_space(*p)) p++`. What such a function returns for zero is computed, if it is one that only computes.

use loupe_engine::concrete::integers;
use loupe_integer::Integer;
use loupe_ir::program::{
    BinaryOp, Const, Function, InstructionKind, LocalId, Operand, Program, Rvalue, TerminatorKind,
    UnaryOp,
};
use loupe_ir::types::{IntType, Type};
use std::collections::BTreeMap;

/// So many steps are made.
const MOST_STEPS: usize = 200;

/// The number that a function of one number returns for this one; truth values are 0 and 1.
pub(super) fn result(program: &Program, function: &Function, argument: Integer) -> Option<Integer> {
    if function.params != 1 {
        return None;
    }
    let mut run = Run { program, function, values: BTreeMap::from([(LocalId(0), argument)]) };
    let mut block = function.blocks.first()?;
    for _ in 0..MOST_STEPS {
        for instruction in &block.instructions {
            match &instruction.kind {
                InstructionKind::Assign { target, value } => {
                    let value = run.value(value, *target)?;
                    run.values.insert(*target, value);
                }
                InstructionKind::Live(_) | InstructionKind::Dead(_) | InstructionKind::Check(_) => {
                }
                _ => return None,
            }
        }
        let next = match &block.terminator.kind {
            TerminatorKind::Goto(next) => *next,
            TerminatorKind::Branch { condition, then, otherwise } => {
                let taken = !run.operand(condition)?.is_zero();
                if taken { *then } else { *otherwise }
            }
            TerminatorKind::Switch { value, cases, default } => {
                let value = run.operand(value)?;
                cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, next)| *next)
            }
            TerminatorKind::Return(Some(value)) => return run.operand(value),
            _ => return None,
        };
        block = function.block(next);
    }
    None
}

struct Run<'r> {
    program: &'r Program,
    function: &'r Function,
    values: BTreeMap<LocalId, Integer>,
}

impl Run<'_> {
    fn operand(&self, operand: &Operand) -> Option<Integer> {
        match operand {
            Operand::Local(local) => self.values.get(local).cloned(),
            Operand::Const(Const::Int(number, _)) => Some(number.clone()),
            Operand::Const(Const::Bool(truth)) => Some(Integer::from(*truth)),
            Operand::Const(_) => None,
        }
    }

    fn value(&self, value: &Rvalue, target: LocalId) -> Option<Integer> {
        let ty = self.program.types.get(self.function.local(target).ty);
        let int = match ty {
            Type::Int(int) => *int,
            Type::Bool => IntType::Unbounded,
            _ => return None,
        };
        match value {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Convert(operand, _) => {
                let value = self.operand(operand)?;
                Some(match ty {
                    Type::Bool => Integer::from(!value.is_zero()),
                    _ => int.wrap(value),
                })
            }
            Rvalue::Unary(UnaryOp::Not, operand) => {
                Some(Integer::from(self.operand(operand)?.is_zero()))
            }
            Rvalue::Compare(op, left, right) => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                Some(Integer::from(integers::compare(*op, &left, &right)))
            }
            Rvalue::Binary(op, left, right) => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                match op {
                    BinaryOp::And => Some(Integer::from(!left.is_zero() && !right.is_zero())),
                    BinaryOp::Or => Some(Integer::from(!left.is_zero() || !right.is_zero())),
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                        integers::exact(*op, &left, &right).ok().map(|exact| int.wrap(exact))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
