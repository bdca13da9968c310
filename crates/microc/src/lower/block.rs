//! Building the blocks of one function.

use loupe_ir::check::{Check, CheckKind, Predicate};
use loupe_ir::program::{
    Block, BlockId, Instruction, InstructionKind, Local, LocalId, Operand, Rvalue, StatementId,
    Storage, Terminator, TerminatorKind,
};
use loupe_ir::source::Span;
use loupe_ir::types::TypeId;

/// A function under construction: instructions go to the end of the current block.
pub(super) struct Builder {
    pub(super) locals: Vec<Local>,
    pub(super) statements: Vec<Span>,
    finished: Vec<Option<Block>>,
    current: BlockId,
    instructions: Vec<Instruction>,
}

impl Builder {
    /// A function with these locals, at the start of its entry block.
    pub(super) fn new(locals: Vec<Local>) -> Self {
        Builder {
            locals,
            statements: Vec::new(),
            finished: vec![None],
            current: BlockId(0),
            instructions: Vec::new(),
        }
    }

    /// What follows belongs to the statement at `span`.
    pub(super) fn statement(&mut self, span: Span) {
        self.statements.push(span);
    }

    fn current_statement(&self) -> StatementId {
        StatementId(self.statements.len().saturating_sub(1) as u32)
    }

    /// A new temporary for the value of the expression at `span`.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.locals.push(Local { name: None, ty, storage: Storage::Register, span });
        LocalId((self.locals.len() - 1) as u32)
    }

    pub(super) fn push(&mut self, kind: InstructionKind, span: Span) {
        let statement = self.current_statement();
        self.instructions.push(Instruction { kind, span, statement });
    }

    /// Puts a value into a new temporary.
    pub(super) fn assign(&mut self, ty: TypeId, value: Rvalue, span: Span) -> Operand {
        let target = self.temporary(ty, span);
        self.push(InstructionKind::Assign { target, value }, span);
        Operand::Local(target)
    }

    pub(super) fn check(&mut self, kind: CheckKind, predicate: Predicate, span: Span) {
        self.push(InstructionKind::Check(Check { kind, predicate }), span);
    }

    /// If `value` is a temporary that the last instruction has just been given, lets that
    /// instruction write to `target` instead and forgets the temporary.
    pub(super) fn retarget(&mut self, value: &Operand, target: LocalId) -> bool {
        let Operand::Local(temporary) = value else {
            return false;
        };
        let newest = temporary.index() + 1 == self.locals.len();
        let written = match self.instructions.last_mut() {
            Some(Instruction { kind: InstructionKind::Assign { target, .. }, .. }) => target,
            Some(Instruction {
                kind: InstructionKind::Call { target: Some(target), .. }, ..
            }) => target,
            _ => return false,
        };
        if !newest || *written != *temporary || self.locals[temporary.index()].name.is_some() {
            return false;
        }
        *written = target;
        self.locals.pop();
        true
    }

    /// A block to be filled later.
    pub(super) fn new_block(&mut self) -> BlockId {
        self.finished.push(None);
        BlockId((self.finished.len() - 1) as u32)
    }

    /// Ends the current block and goes on with `next`.
    pub(super) fn finish(&mut self, kind: TerminatorKind, span: Span, next: BlockId) {
        let terminator = Terminator { kind, span, statement: self.current_statement() };
        let instructions = std::mem::take(&mut self.instructions);
        self.finished[self.current.index()] = Some(Block { instructions, terminator });
        self.current = next;
    }

    /// Ends the last block; all others are finished.
    pub(super) fn complete(mut self, kind: TerminatorKind, span: Span) -> Self {
        let current = self.current;
        self.finish(kind, span, current);
        self
    }

    /// The locals, statements and blocks of a complete function.
    pub(super) fn into_parts(self) -> (Vec<Local>, Vec<Span>, Vec<Block>) {
        (self.locals, self.statements, self.finished.into_iter().flatten().collect())
    }
}
