//! From tokens to programs: items, declarations and types.
//!
//! Items may stand in any order. They are read in the order in which they are printed, so that
//! types and symbols get the same numbers again when what was printed is read back. Functions may
//! be named before they are defined, so the first thing is an outline.

use super::lex::{Lexeme, Token, error_at, lex, machine_int};
use super::words::Word;
use super::{MAX_TYPE_NESTING, SyntaxError};
use crate::program::{
    Const, Function, FunctionId, Global, GlobalAccess, GlobalId, Local, Program, Storage, Symbol,
    Symbols,
};
use crate::source::{Sources, Span};
use crate::types::{FloatType, IntType, RecordField, RecordId, RecordType, Type, TypeId, Types};
use std::collections::HashMap;
use std::str::FromStr;

/// The program that `text` is the textual form of. It is not necessarily
/// [valid](crate::validate::validate).
///
/// # Errors
///
/// The first place where the text is no program.
pub fn parse(text: &str) -> Result<Program, SyntaxError> {
    let lexemes = lex(text)?;
    let mut parser = Parser::new(text, &lexemes);
    let outline = parser.outline()?;

    if let Some(at) = outline.pointer_size {
        parser.position = at;
        parser.types = Types::new(parser.number("a size")?);
        parser.end_of_line()?;
    }
    let mut sources = Sources::new();
    parser.items(&outline.sources, |parser, number| {
        parser.numbered(number)?;
        sources.add(parser.name()?, "");
        Ok(())
    })?;
    parser.items(&outline.records, |parser, number| {
        let record = parser.record(number)?;
        parser.types.add_record(record);
        Ok(())
    })?;
    parser.items(&outline.globals, |parser, number| {
        let global = parser.global(number)?;
        parser.globals.push(global);
        Ok(())
    })?;
    let mut entry = FunctionId(0);
    parser.items(outline.entry.as_slice(), |parser, _| {
        entry = parser.function_name()?;
        Ok(())
    })?;
    if outline.entry.is_none() {
        return Err(error_at(text, (text.len(), text.len()), "`entry` and a function"));
    }
    let mut functions = Vec::with_capacity(outline.functions.len());
    parser.items(&outline.functions, |parser, _| {
        functions.push(parser.function()?);
        Ok(())
    })?;

    let Parser { types, symbols, globals, .. } = parser;
    Ok(Program { sources, types, symbols, globals, functions, entry })
}

/// Where the items are: the positions of the tokens after their keywords.
#[derive(Default)]
struct Outline {
    pointer_size: Option<usize>,
    sources: Vec<usize>,
    records: Vec<usize>,
    globals: Vec<usize>,
    entry: Option<usize>,
    functions: Vec<usize>,
}

/// A reader of tokens, with what is known of the program so far.
pub(super) struct Parser<'t> {
    text: &'t str,
    lexemes: &'t [Lexeme<'t>],
    position: usize,
    types: Types,
    symbols: Symbols,
    pub(super) globals: Vec<Global>,
    /// The locals of the function that is being read.
    pub(super) locals: Vec<Local>,
    functions: HashMap<&'t str, FunctionId>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, lexemes: &'t [Lexeme<'t>]) -> Self {
        Parser {
            text,
            lexemes,
            position: 0,
            types: Types::new(1),
            symbols: Symbols::default(),
            globals: Vec::new(),
            locals: Vec::new(),
            functions: HashMap::new(),
        }
    }

    /// The token at the position; the last one is the end of the text and is never passed.
    pub(super) fn peek(&self) -> &'t Token<'t> {
        self.lexemes.get(self.position).map_or(&Token::End, |lexeme| &lexeme.token)
    }

    /// Goes on to the next token.
    pub(super) fn advance(&mut self) {
        self.position += usize::from(self.position + 1 < self.lexemes.len());
    }

    /// The error that something else was expected at the position.
    pub(super) fn error<T>(&self, expected: impl Into<String>) -> Result<T, SyntaxError> {
        let end = self.text.len();
        let range = self.lexemes.get(self.position).map_or((end, end), |l| (l.start, l.end));
        Err(error_at(self.text, range, expected))
    }

    /// The error that something else was expected where the last token stands.
    pub(super) fn error_before<T>(
        &mut self,
        expected: impl Into<String>,
    ) -> Result<T, SyntaxError> {
        self.position = self.position.saturating_sub(1);
        self.error(expected)
    }

    /// Passes the token if it is this one.
    pub(super) fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_sign(&mut self, sign: char) -> bool {
        self.eat(&Token::Sign(sign))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.eat(&Token::Word(word))
    }

    pub(super) fn sign(&mut self, sign: char) -> Result<(), SyntaxError> {
        if self.eat_sign(sign) { Ok(()) } else { self.error(format!("`{sign}`")) }
    }

    pub(super) fn word(&mut self, word: &str) -> Result<(), SyntaxError> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("`{word}`")) }
    }

    /// A word that stands for something.
    pub(super) fn named<T: Word>(&mut self, expected: &str) -> Result<T, SyntaxError> {
        match self.peek() {
            Token::Word(word) if let Some(found) = T::from_word(word) => {
                self.advance();
                Ok(found)
            }
            _ => self.error(expected),
        }
    }

    /// A number without a sign or type.
    pub(super) fn number<N: FromStr>(&mut self, expected: &str) -> Result<N, SyntaxError> {
        match self.peek() {
            Token::Number(digits, None) if let Ok(number) = digits.parse() => {
                self.advance();
                Ok(number)
            }
            _ => self.error(expected),
        }
    }

    pub(super) fn span(&mut self) -> Result<Span, SyntaxError> {
        match self.peek() {
            Token::Span(span) => {
                self.advance();
                Ok(*span)
            }
            _ => self.error("a span"),
        }
    }

    /// A name, in quotes or not.
    fn name(&mut self) -> Result<&'t str, SyntaxError> {
        let name = match self.peek() {
            Token::Word(name) => name,
            Token::Text(name) => name.as_ref(),
            _ => return self.error("a name"),
        };
        self.advance();
        Ok(name)
    }

    pub(super) fn symbol(&mut self) -> Result<Symbol, SyntaxError> {
        let name = self.name()?;
        Ok(self.symbols.intern(name))
    }

    pub(super) fn end_of_line(&mut self) -> Result<(), SyntaxError> {
        if self.eat(&Token::EndOfLine) || *self.peek() == Token::End {
            return Ok(());
        }
        self.error("the end of the line")
    }

    /// What stands between commas up to the sign `end`.
    pub(super) fn list<T>(
        &mut self,
        end: char,
        mut item: impl FnMut(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let mut items = Vec::new();
        if self.eat_sign(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat_sign(end) {
                return Ok(items);
            }
            if !self.eat_sign(',') {
                return self.error(format!("`,` or `{end}`"));
            }
        }
    }

    /// Finds the items, and the names of the functions.
    fn outline(&mut self) -> Result<Outline, SyntaxError> {
        let mut outline = Outline::default();
        while *self.peek() != Token::End {
            let keyword = self.position;
            let Token::Word(word) = self.peek() else {
                return self.error("an item");
            };
            self.advance();
            match *word {
                "pointer-size" if outline.pointer_size.is_none() => {
                    outline.pointer_size = Some(self.position);
                }
                "source" => outline.sources.push(self.position),
                "record" => outline.records.push(self.position),
                "global" => outline.globals.push(self.position),
                "entry" if outline.entry.is_none() => outline.entry = Some(self.position),
                "fn" => {
                    outline.functions.push(self.position);
                    self.skip_function(outline.functions.len() - 1)?;
                    continue;
                }
                _ => {
                    self.position = keyword;
                    return self.error("an item");
                }
            }
            self.skip_line();
        }
        Ok(outline)
    }

    fn skip_line(&mut self) {
        while !self.eat(&Token::EndOfLine) && *self.peek() != Token::End {
            self.advance();
        }
    }

    /// Notes the name of a function and goes past the line that starts with `}`.
    fn skip_function(&mut self, number: usize) -> Result<(), SyntaxError> {
        let Token::Function(name) = self.peek() else {
            return self.error("the name of a function");
        };
        self.functions.entry(name).or_insert(FunctionId(number as u32));
        while *self.peek() != Token::End {
            self.skip_line();
            if *self.peek() == Token::Sign('}') {
                self.skip_line();
                return Ok(());
            }
        }
        self.error("`}`")
    }

    /// Reads items, each up to the end of its line.
    fn items(
        &mut self,
        positions: &[usize],
        mut read: impl FnMut(&mut Self, usize) -> Result<(), SyntaxError>,
    ) -> Result<(), SyntaxError> {
        for (number, position) in positions.iter().enumerate() {
            self.position = *position;
            read(self, number)?;
            self.end_of_line()?;
        }
        Ok(())
    }

    /// The number of an item, which is known.
    fn numbered(&mut self, number: usize) -> Result<(), SyntaxError> {
        match self.number::<usize>("a number")? {
            found if found == number => Ok(()),
            _ => self.error_before(format!("number {number}")),
        }
    }

    fn record(&mut self, number: usize) -> Result<RecordType, SyntaxError> {
        self.numbered(number)?;
        let name = self.name()?.to_owned();
        self.word("size")?;
        let size = self.number("a size")?;
        self.sign('{')?;
        let fields = self.list('}', |parser| {
            let name = parser.name()?.to_owned();
            parser.sign(':')?;
            let ty = parser.ty()?;
            parser.word("at")?;
            let offset = parser.number("an offset")?;
            let first_bit = match parser.eat_word("bit") {
                true => Some(parser.number("the number of a bit")?),
                false => None,
            };
            Ok(RecordField { name, ty, offset, first_bit })
        })?;
        Ok(RecordType { name, fields, size })
    }

    fn global(&mut self, number: usize) -> Result<Global, SyntaxError> {
        let Some(name) = self.declared(number)? else {
            return self.error_before("the name of a global");
        };
        self.sign(':')?;
        let ty = self.ty()?;
        let access = match self.eat_word("constant") {
            true => GlobalAccess::ReadOnly,
            false => GlobalAccess::ReadWrite,
        };
        let mut initial = Vec::new();
        if self.eat_sign('=') {
            self.sign('{')?;
            initial = self.list('}', |parser| {
                let offset = parser.number("an offset")?;
                parser.sign(':')?;
                Ok((offset, parser.constant()?))
            })?;
        }
        Ok(Global { name, ty, initial, access, span: self.span()? })
    }

    /// The name of a variable that is declared, and must have the next number.
    fn declared(&mut self, number: usize) -> Result<Option<String>, SyntaxError> {
        match self.peek() {
            Token::Local(name, found) if *found as usize == number => {
                self.advance();
                Ok(name.as_deref().map(str::to_owned))
            }
            _ => self.error(format!("a variable with the number %{number}")),
        }
    }

    fn function(&mut self) -> Result<Function, SyntaxError> {
        let Token::Function(name) = self.peek() else {
            return self.error("the name of a function");
        };
        self.advance();
        self.locals.clear();
        self.sign('(')?;
        let params = self.list(')', Self::declaration)?.len();
        let result = if self.eat(&Token::Arrow) { Some(self.ty()?) } else { None };
        let span = self.span()?;
        self.sign('{')?;
        self.end_of_line()?;
        let mut statements = Vec::new();
        loop {
            if self.eat_word("let") {
                self.declaration()?;
            } else if self.eat_word("stmt") {
                statements.push(self.statement(statements.len())?);
            } else {
                break;
            }
            self.end_of_line()?;
        }
        let mut blocks = Vec::new();
        while !self.eat_sign('}') {
            blocks.push(self.block(blocks.len())?);
        }
        let (name, locals) = (name.as_ref().to_owned(), std::mem::take(&mut self.locals));
        Ok(Function { name, params, result, locals, statements, blocks, span })
    }

    /// The declaration of the next local.
    fn declaration(&mut self) -> Result<(), SyntaxError> {
        let memory = self.eat_word("memory");
        let storage = if memory { Storage::Memory } else { Storage::Register };
        let name = self.declared(self.locals.len())?;
        self.sign(':')?;
        let ty = self.ty()?;
        let span = self.span()?;
        self.locals.push(Local { name, ty, storage, span });
        Ok(())
    }

    fn statement(&mut self, number: usize) -> Result<Span, SyntaxError> {
        match self.peek() {
            Token::Hash(found) if *found as usize == number => {
                self.advance();
                self.span()
            }
            _ => self.error(format!("statement #{number}")),
        }
    }

    /// A constant.
    pub(super) fn constant(&mut self) -> Result<Const, SyntaxError> {
        let constant = match self.peek() {
            Token::Number(digits, int) => match digits.parse() {
                Ok(value) => Const::Int(value, int.unwrap_or(IntType::Unbounded)),
                Err(_) => return self.error("an integer"),
            },
            Token::Word("true") => Const::Bool(true),
            Token::Word("false") => Const::Bool(false),
            Token::Word("null") => Const::Null,
            Token::Word("float") => {
                self.advance();
                let bits = self.number("the bits of a number")?;
                return Ok(Const::Float(bits, self.named("a format")?));
            }
            Token::Word("address") => {
                self.advance();
                self.word("global")?;
                let Token::Local(_, number) = self.peek() else {
                    return self.error("a global");
                };
                self.advance();
                return Ok(Const::Address(GlobalId(*number), self.number("an offset")?));
            }
            Token::Function(_) => return self.function_name().map(Const::Function),
            _ => return self.error("a constant"),
        };
        self.advance();
        Ok(constant)
    }

    /// The function with a name.
    fn function_name(&mut self) -> Result<FunctionId, SyntaxError> {
        if let Token::Function(name) = self.peek()
            && let Some(id) = self.functions.get(name.as_ref()).copied()
        {
            self.advance();
            return Ok(id);
        }
        self.error("a function of the program")
    }

    /// A type. Goes in to the innermost one and then out again, without recursion.
    pub(super) fn ty(&mut self) -> Result<TypeId, SyntaxError> {
        enum Outer {
            Pointer,
            Array,
        }
        let mut around = Vec::new();
        loop {
            let outer = match self.peek() {
                Token::Word("ptr") => Outer::Pointer,
                Token::Sign('[') => Outer::Array,
                _ => break,
            };
            if around.len() == MAX_TYPE_NESTING {
                return self.error(format!("no type nested deeper than {MAX_TYPE_NESTING}"));
            }
            around.push(outer);
            self.advance();
        }
        let mut ty = self.simple_type()?;
        while let Some(outer) = around.pop() {
            ty = match outer {
                Outer::Pointer => self.types.intern(Type::Pointer(ty)),
                Outer::Array => {
                    self.sign(';')?;
                    let length = self.number("a length")?;
                    self.sign(']')?;
                    self.types.intern(Type::Array { element: ty, length })
                }
            };
        }
        Ok(ty)
    }

    /// A type that is made of no others.
    fn simple_type(&mut self) -> Result<TypeId, SyntaxError> {
        let ty = match self.peek() {
            Token::Word("any") => Type::Any,
            Token::Word("bool") => Type::Bool,
            Token::Word("int") => Type::Int(IntType::Unbounded),
            Token::Word("fn") => Type::Function,
            Token::Word("record") => {
                self.advance();
                let record = self.number("the number of a record")?;
                return Ok(self.types.intern(Type::Record(RecordId(record))));
            }
            Token::Word(word) if let Some(int) = machine_int(word) => Type::Int(int),
            Token::Word(word) if let Some(float) = FloatType::from_word(word) => Type::Float(float),
            _ => return self.error("a type"),
        };
        self.advance();
        Ok(self.types.intern(ty))
    }
}
