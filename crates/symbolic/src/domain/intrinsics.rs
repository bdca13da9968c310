//! What is no matter of values and memory alone.

use super::{Outcome, Symbolic};
use crate::halt::unsupported;
use crate::output::Output;
use crate::value::SymbolicValue;
use loupe_engine::domain::World;
use loupe_engine::value::Value;
use loupe_ir::program::Intrinsic;

impl Symbolic {
    pub(super) fn execute_intrinsic(
        &mut self,
        _world: World<'_, Symbolic>,
        intrinsic: Intrinsic,
        arguments: &[SymbolicValue],
    ) -> Outcome<Option<SymbolicValue>> {
        match (intrinsic, arguments) {
            (Intrinsic::PutByte, [Value::Int(stream), Value::Int(byte)]) => {
                self.written.push(Output::Byte { stream: stream.clone(), byte: byte.clone() });
                Ok(None)
            }
            _ => Err(unsupported(format!("`{}`, symbolically", intrinsic.name()))),
        }
    }
}
