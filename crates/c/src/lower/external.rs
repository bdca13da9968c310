//! Functions that nobody defines.

use super::builder::Builder;
use super::link::{Linker, Shape, UnitIndex};
use crate::tree::{self, More, TypeKind};
use loupe_ir::program::{
    Function, FunctionId, InstructionKind, Local, Operand, Storage, TerminatorKind,
};
use loupe_ir::types::Type;

impl Linker<'_> {
    /// A function that returns an arbitrary number and changes nothing. An arbitrary pointer could point
    /// to anything, so there is none: a path that uses it ends, by a check at the call.
    pub(super) fn external(
        &mut self,
        made: FunctionId,
        index: UnitIndex,
        id: tree::FunctionId,
    ) -> Function {
        let unit = self.unit(index);
        let declared = unit.function(id);
        let span = declared.name_span;
        let signature = unit.signature(declared.signature);
        let mut builder = Builder::new(span);
        for param in &signature.params {
            let ty = self.ty(index, *param);
            builder.add_local(Local { name: None, ty, storage: Storage::Register, span });
        }
        let mut params = signature.params.len();
        if signature.more == More::Variadic {
            let byte = self.shared.types.int(super::types::BYTE);
            let ty = self.shared.types.intern(Type::Pointer(byte));
            builder.add_local(Local { name: None, ty, storage: Storage::Register, span });
            params += 1;
        }
        let name = &declared.link_name;
        let result = match unit.ty(signature.result).kind {
            TypeKind::Void => None,
            _ => Some(self.ty(index, signature.result)),
        };
        let number = result
            .filter(|_| !declared.is_noreturn)
            .and_then(|_| self.arbitrary(&mut builder, (index, signature.result), span));
        let (does, kind) = match (result, number) {
            _ if declared.is_noreturn => ("end the program", TerminatorKind::Abort),
            (None, _) => ("do nothing", TerminatorKind::Return(None)),
            (Some(_), Some(number)) => {
                ("return any value and do nothing else", TerminatorKind::Return(Some(number)))
            }
            (Some(ty), None) => {
                let nothing = builder.temporary(ty, span);
                builder.push(InstructionKind::Live(nothing), span);
                self.may_fall_off.insert(made);
                let nothing = Some(Operand::Local(nothing));
                ("do nothing; its result is unknown", TerminatorKind::Return(nothing))
            }
        };
        builder.end(kind, span);
        self.assumptions.push(format!("`{name}` is not defined; it is assumed to {does}"));
        let (locals, statements, blocks) = builder.into_parts();
        let shape = Shape { params, result, span: declared.span };
        Function {
            name: name.clone(),
            params: shape.params,
            result: shape.result,
            locals,
            statements,
            blocks,
            span: shape.span,
        }
    }
}
