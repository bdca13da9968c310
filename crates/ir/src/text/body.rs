//! From tokens to blocks: instructions, terminators, places and operands.

use super::SyntaxError;
use super::lex::Token;
use super::parse::Parser;
use super::words::Word;
use crate::check::{Calls, Check, Predicate};
use crate::program::{
    Base, BinaryOp, Block, BlockId, CompareOp, GlobalId, Initial, Instruction, InstructionKind,
    LocalId, Operand, Place, Projection, Region, Rvalue, StatementId, Terminator, TerminatorKind,
    UnaryOp,
};
use crate::source::Span;
use loupe_integer::Integer;

/// What a line of a block holds.
enum Line {
    Instruction(InstructionKind),
    Terminator(TerminatorKind),
}

impl Parser<'_> {
    /// The block with this number, up to and including its terminator.
    pub(super) fn block(&mut self, number: usize) -> Result<Block, SyntaxError> {
        match self.block_name() {
            Some(found) if found.index() == number => self.advance(),
            _ => return self.error(format!("block b{number} or `}}`")),
        }
        self.sign(':')?;
        self.end_of_line()?;
        let mut instructions = Vec::new();
        loop {
            let line = self.line()?;
            let (span, statement) = self.location()?;
            self.end_of_line()?;
            match line {
                Line::Instruction(kind) => {
                    instructions.push(Instruction { kind, span, statement });
                }
                Line::Terminator(kind) => {
                    return Ok(Block {
                        instructions,
                        terminator: Terminator { kind, span, statement },
                    });
                }
            }
        }
    }

    /// The block that the next token names.
    fn block_name(&self) -> Option<BlockId> {
        let Token::Word(word) = self.peek() else {
            return None;
        };
        let digits = word.strip_prefix('b')?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok().map(BlockId))?
    }

    fn block_id(&mut self) -> Result<BlockId, SyntaxError> {
        match self.block_name() {
            Some(id) => {
                self.advance();
                Ok(id)
            }
            None => self.error("a block"),
        }
    }

    /// The span and statement at the end of a line.
    fn location(&mut self) -> Result<(Span, StatementId), SyntaxError> {
        let span = self.span()?;
        match self.peek() {
            Token::Hash(number) => {
                self.advance();
                Ok((span, StatementId(*number)))
            }
            _ => self.error("a statement"),
        }
    }

    fn line(&mut self) -> Result<Line, SyntaxError> {
        let word = match self.peek() {
            Token::Local(..) => {
                let target = self.local()?;
                self.sign('=')?;
                return self.assignment(target).map(Line::Instruction);
            }
            Token::Word(word) => *word,
            _ => return self.error("an instruction or terminator"),
        };
        self.advance();
        let instruction = match word {
            "store" => {
                let place = self.place()?;
                self.sign(',')?;
                InstructionKind::Store { place, value: self.operand()? }
            }
            "call" => self.call(None)?,
            "check" => {
                let kind = self.named("a kind of check")?;
                InstructionKind::Check(Check { kind, predicate: self.predicate()? })
            }
            "assume" => InstructionKind::Assume(self.operand()?),
            "output" => InstructionKind::Output(self.operand()?),
            "live" => InstructionKind::Live(self.local()?),
            "dead" => InstructionKind::Dead(self.local()?),
            "free" => InstructionKind::Free(self.operand()?),
            "copy" => {
                let (to, from, count) = self.triple()?;
                InstructionKind::Copy { to, from, count }
            }
            "fill" => {
                let (to, byte, count) = self.triple()?;
                InstructionKind::Fill { to, byte, count }
            }
            "intrinsic" => self.intrinsic(None)?,
            _ => return self.terminator(word).map(Line::Terminator),
        };
        Ok(Line::Instruction(instruction))
    }

    /// The rest of a terminator that starts with `word`.
    fn terminator(&mut self, word: &str) -> Result<TerminatorKind, SyntaxError> {
        Ok(match word {
            "goto" => TerminatorKind::Goto(self.block_id()?),
            "branch" => {
                let condition = self.operand()?;
                self.sign(',')?;
                let then = self.block_id()?;
                self.sign(',')?;
                TerminatorKind::Branch { condition, then, otherwise: self.block_id()? }
            }
            "switch" => {
                let value = self.operand()?;
                self.sign('[')?;
                let cases = self.list(']', |parser| {
                    let case = parser.number::<Integer>("an integer")?;
                    parser.sign(':')?;
                    Ok((case, parser.block_id()?))
                })?;
                TerminatorKind::Switch { value, cases, default: self.block_id()? }
            }
            "return" if matches!(self.peek(), Token::Span(_)) => TerminatorKind::Return(None),
            "return" => TerminatorKind::Return(Some(self.operand()?)),
            "exit" => TerminatorKind::Exit(self.operand()?),
            "abort" => TerminatorKind::Abort,
            "unreachable" => TerminatorKind::Unreachable,
            _ => return self.error_before("an instruction or terminator"),
        })
    }

    fn assignment(&mut self, target: LocalId) -> Result<InstructionKind, SyntaxError> {
        if self.eat_word("call") {
            return self.call(Some(target));
        }
        if self.eat_word("intrinsic") {
            return self.intrinsic(Some(target));
        }
        Ok(InstructionKind::Assign { target, value: self.rvalue()? })
    }

    fn call(&mut self, target: Option<LocalId>) -> Result<InstructionKind, SyntaxError> {
        let callee = self.operand()?;
        self.sign('(')?;
        let arguments = self.list(')', Self::operand)?;
        Ok(InstructionKind::Call { target, callee, arguments })
    }

    fn intrinsic(&mut self, target: Option<LocalId>) -> Result<InstructionKind, SyntaxError> {
        let intrinsic = self.named("an intrinsic")?;
        self.sign('(')?;
        let arguments = self.list(')', Self::operand)?;
        Ok(InstructionKind::Intrinsic { target, intrinsic, arguments })
    }

    fn rvalue(&mut self) -> Result<Rvalue, SyntaxError> {
        let word = match self.peek() {
            Token::Word("true" | "false" | "null" | "float" | "address") => {
                return self.operand().map(Rvalue::Use);
            }
            Token::Word(word) => *word,
            Token::Number(..) | Token::Local(..) | Token::Function(_) => {
                return self.operand().map(Rvalue::Use);
            }
            _ => return self.error("a value"),
        };
        self.advance();
        Ok(match word {
            "use" => Rvalue::Use(self.operand()?),
            "load" => Rvalue::Load(self.place()?),
            "convert" => {
                let value = self.operand()?;
                self.word("to")?;
                Rvalue::Convert(value, self.ty()?)
            }
            "downcast" => {
                let value = self.operand()?;
                self.word("to")?;
                Rvalue::Downcast(value, self.ty()?)
            }
            "addr" => Rvalue::AddressOf(self.place()?),
            "offset" => {
                let (pointer, index) = self.pair()?;
                self.word("of")?;
                Rvalue::Offset { pointer, index, element: self.ty()? }
            }
            "difference" => {
                let (left, right) = self.pair()?;
                self.word("of")?;
                let element = self.ty()?;
                self.word("as")?;
                Rvalue::Difference { left, right, element, result: self.ty()? }
            }
            "object-size" => {
                let pointer = self.operand()?;
                self.word("as")?;
                Rvalue::ObjectSize { pointer, result: self.ty()? }
            }
            "allocate" => {
                let region = if self.eat_word("stack") {
                    Region::Stack
                } else if self.eat_word("call") {
                    Region::Call
                } else {
                    Region::Heap
                };
                let element = self.ty()?;
                self.word("x")?;
                let count = self.operand()?;
                self.sign('=')?;
                Rvalue::Allocate { region, element, count, initial: self.initial()? }
            }
            "array" => {
                let kind = self.named("`reference` or `value`")?;
                self.sign('[')?;
                Rvalue::Array(kind, self.list(']', Self::operand)?)
            }
            "record" => {
                self.sign('{')?;
                Rvalue::Record(self.list('}', |parser| {
                    let name = parser.symbol()?;
                    parser.sign(':')?;
                    Ok((name, parser.operand()?))
                })?)
            }
            "input" => Rvalue::Input(self.ty()?),
            "undefined" => Rvalue::Undefined(self.ty()?),
            _ => return self.operation(word),
        })
    }

    /// The operands of the operation that `word` names.
    fn operation(&mut self, word: &str) -> Result<Rvalue, SyntaxError> {
        if let Some(op) = UnaryOp::from_word(word) {
            return Ok(Rvalue::Unary(op, self.operand()?));
        }
        if let Some(op) = BinaryOp::from_word(word) {
            let (left, right) = self.pair()?;
            return Ok(Rvalue::Binary(op, left, right));
        }
        if let Some(op) = CompareOp::from_word(word) {
            let (left, right) = self.pair()?;
            return Ok(Rvalue::Compare(op, left, right));
        }
        self.error_before("a value")
    }

    fn initial(&mut self) -> Result<Initial, SyntaxError> {
        if self.eat_word("uninitialised") {
            return Ok(Initial::Uninitialised);
        }
        if self.eat_word("zero") {
            return Ok(Initial::Zero);
        }
        if self.eat_word("linked") {
            return Ok(Initial::Linked { link: self.number("the number of a field")? });
        }
        self.operand().map(Initial::Value)
    }

    fn predicate(&mut self) -> Result<Predicate, SyntaxError> {
        let Token::Word(word) = self.peek() else {
            return self.error("a predicate");
        };
        self.advance();
        Ok(match *word {
            "never" => Predicate::Never(self.symbol()?),
            "holds" => Predicate::Holds(self.operand()?),
            "nonzero" => Predicate::NonZero(self.operand()?),
            "nonnull" => Predicate::NonNull(self.operand()?),
            "initialised" => Predicate::Initialised(self.place()?),
            "is" => Predicate::Is(self.place()?, self.named("a tag")?),
            "is-not" => Predicate::IsNot(self.place()?, self.named("a tag")?),
            "has-field" => Predicate::HasField(self.place()?, self.symbol()?),
            "in-bounds" => {
                let array = self.place()?;
                self.sign(',')?;
                Predicate::InBounds { array, index: self.operand()? }
            }
            "in-range" => {
                let (index, length) = self.pair()?;
                Predicate::InRange { index, length }
            }
            "takes" => Predicate::Takes(self.operand()?, self.number("a number of arguments")?),
            "comparable" => {
                let (left, right) = self.pair()?;
                Predicate::Comparable(left, right)
            }
            "fits" => {
                let op = self.named("an operation")?;
                let (left, right) = self.pair()?;
                Predicate::Fits(op, left, right)
            }
            "accessible" => Predicate::Accessible(self.operand()?, self.ty()?),
            "writable" => Predicate::Writable(self.operand()?, self.ty()?),
            "accessible-range" => {
                let (pointer, count) = self.pair()?;
                Predicate::AccessibleRange { pointer, count }
            }
            "writable-range" => {
                let (pointer, count) = self.pair()?;
                Predicate::WritableRange { pointer, count }
            }
            "disjoint" => {
                let (left, right, count) = self.triple()?;
                Predicate::Disjoint { left, right, count }
            }
            "same-object" => {
                let (left, right) = self.pair()?;
                Predicate::SameObject(left, right)
            }
            "in-object" => {
                let (pointer, index) = self.pair()?;
                self.word("of")?;
                Predicate::InObject { pointer, index, element: self.ty()? }
            }
            "representable" => Predicate::Representable(self.operand()?, self.ty()?),
            "accepts" => {
                let function = self.operand()?;
                self.sign('(')?;
                let arguments = self.list(')', Self::ty)?;
                let result = if self.eat(&Token::Arrow) { Some(self.ty()?) } else { None };
                Predicate::Accepts { function, arguments, result }
            }
            "freeable" => Predicate::Freeable(self.operand()?),
            "tracked-by-all" => Predicate::Tracked(Calls::All),
            "tracked-by-outer" => Predicate::Tracked(Calls::Outer),
            "all-freed" => Predicate::AllFreed,
            _ => return self.error_before("a predicate"),
        })
    }

    fn pair(&mut self) -> Result<(Operand, Operand), SyntaxError> {
        let left = self.operand()?;
        self.sign(',')?;
        Ok((left, self.operand()?))
    }

    fn triple(&mut self) -> Result<(Operand, Operand, Operand), SyntaxError> {
        let (first, second) = self.pair()?;
        self.sign(',')?;
        Ok((first, second, self.operand()?))
    }

    fn operand(&mut self) -> Result<Operand, SyntaxError> {
        match self.peek() {
            Token::Local(..) => self.local().map(Operand::Local),
            Token::Number(..)
            | Token::Function(_)
            | Token::Word("true" | "false" | "null" | "float" | "address") => {
                self.constant().map(Operand::Const)
            }
            _ => self.error("a register or constant"),
        }
    }

    fn place(&mut self) -> Result<Place, SyntaxError> {
        let base =
            if self.eat_word("global") { self.global_id()? } else { Base::Local(self.local()?) };
        let mut projections = Vec::new();
        loop {
            projections.push(if self.eat_sign('[') {
                let index = self.operand()?;
                self.sign(']')?;
                Projection::Index(index)
            } else if !self.eat_sign('.') {
                return Ok(Place { base, projections });
            } else if self.eat_sign('*') {
                Projection::Deref
            } else if let Token::Hash(field) = self.peek() {
                self.advance();
                Projection::Field(*field)
            } else {
                Projection::Named(self.symbol()?)
            });
        }
    }

    fn global_id(&mut self) -> Result<Base, SyntaxError> {
        let Token::Local(name, number) = self.peek() else {
            return self.error("a global");
        };
        let declared = self.globals.get(*number as usize).map(|global| global.name.as_str());
        self.same_name(name.as_deref(), declared)?;
        self.advance();
        Ok(Base::Global(GlobalId(*number)))
    }

    fn local(&mut self) -> Result<LocalId, SyntaxError> {
        let Token::Local(name, number) = self.peek() else {
            return self.error("a local");
        };
        let declared = self.locals.get(*number as usize).and_then(|local| local.name.as_deref());
        self.same_name(name.as_deref(), declared)?;
        self.advance();
        Ok(LocalId(*number))
    }

    /// That a variable is called as it was declared. The name may be left out; a number that does
    /// not exist is an error of the program and not of the text.
    fn same_name(&self, found: Option<&str>, declared: Option<&str>) -> Result<(), SyntaxError> {
        if found.is_none() || found == declared {
            return Ok(());
        }
        self.error(match declared {
            Some(declared) => {
                format!("the variable with this number, which is called `{declared}`")
            }
            None => "a variable of this name and number".to_owned(),
        })
    }
}
