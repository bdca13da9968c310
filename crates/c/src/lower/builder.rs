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
    blocks: Vec<Open>,
    current: BlockId,
}

/// A block under construction. What is added behind its terminator is never executed and is dropped.
struct Open {
    instructions: Vec<Instruction>,
    terminator: Option<Terminator>,
}

impl Builder {
    /// A function at the start of its entry block; `span` is its first statement.
    pub(super) fn new(span: Span) -> Self {
        let entry = Open { instructions: Vec::new(), terminator: None };
        Builder {
            locals: Vec::new(),
            statements: vec![span],
            blocks: vec![entry],
            current: BlockId(0),
        }
    }

    /// What follows belongs to the statement at `span`.
    pub(super) fn statement(&mut self, span: Span) {
        if self.statements.last() != Some(&span) {
            self.statements.push(span);
        }
    }

    fn current_statement(&self) -> StatementId {
        StatementId((self.statements.len() - 1) as u32)
    }

    pub(super) fn add_local(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        LocalId((self.locals.len() - 1) as u32)
    }

    /// A new temporary for the value of the expression at `span`.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.add_local(Local { name: None, ty, storage: Storage::Register, span })
    }

    /// A new object without a name.
    pub(super) fn temporary_object(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.add_local(Local { name: None, ty, storage: Storage::Memory, span })
    }

    pub(super) fn push(&mut self, kind: InstructionKind, span: Span) {
        let statement = self.current_statement();
        let block = &mut self.blocks[self.current.index()];
        if block.terminator.is_none() {
            block.instructions.push(Instruction { kind, span, statement });
        }
    }

    pub(super) fn set(&mut self, target: LocalId, value: Rvalue, span: Span) {
        self.push(InstructionKind::Assign { target, value }, span);
    }

    /// Puts a value into a new temporary.
    pub(super) fn assign(&mut self, ty: TypeId, value: Rvalue, span: Span) -> Operand {
        let target = self.temporary(ty, span);
        self.set(target, value, span);
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
        let block = &mut self.blocks[self.current.index()];
        if block.terminator.is_some() {
            return false;
        }
        let written = match block.instructions.last_mut().map(|last| &mut last.kind) {
            Some(
                InstructionKind::Assign { target, .. }
                | InstructionKind::Call { target: Some(target), .. }
                | InstructionKind::Intrinsic { target: Some(target), .. },
            ) => target,
            _ => return false,
        };
        let local = &self.locals[temporary.index()];
        if !newest || *written != *temporary || local.name.is_some() {
            return false;
        }
        *written = target;
        self.locals.pop();
        true
    }

    /// A block to be filled later.
    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Open { instructions: Vec::new(), terminator: None });
        BlockId((self.blocks.len() - 1) as u32)
    }

    /// Ends the current block, if it has not ended before.
    pub(super) fn end(&mut self, kind: TerminatorKind, span: Span) {
        let statement = self.current_statement();
        let block = &mut self.blocks[self.current.index()];
        block.terminator.get_or_insert(Terminator { kind, span, statement });
    }

    /// Goes on in this block.
    pub(super) fn go_on(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Ends the current block with a jump to `next` and goes on there.
    pub(super) fn flow_into(&mut self, next: BlockId, span: Span) {
        self.end(TerminatorKind::Goto(next), span);
        self.current = next;
    }

    /// Whether what is added now could be executed, as far as the current block shows.
    pub(super) fn is_open(&self) -> bool {
        self.blocks[self.current.index()].terminator.is_none()
    }

    /// The locals, statements and blocks; a block that was never ended is never reached.
    pub(super) fn into_parts(self) -> (Vec<Local>, Vec<Span>, Vec<Block>) {
        let statement = StatementId((self.statements.len() - 1) as u32);
        let span = self.statements[0];
        let unreachable = || Terminator { kind: TerminatorKind::Unreachable, span, statement };
        let blocks = self.blocks.into_iter().map(|open| Block {
            instructions: open.instructions,
            terminator: open.terminator.unwrap_or_else(unreachable),
        });
        (self.locals, self.statements, blocks.collect())
    }
}
