//! From source text to the typed tree.
//!
//! Preprocessing, parsing and type checking are the work of the `rucc` crates; this module gives them
//! files and options, turns what they say into our messages and places, and their typed tree into
//! [`crate::tree`]. It alone names these crates. They are young, so nothing that they do may hurt: they
//! run on a thread of their own whose stack fits the nesting of the program (`depth`), and a panic in
//! them is a message about the file.
//!
//! Like gcc up to version 13, it warns about what C89 allowed (functions that nobody declared, `int`
//! left out, integers for pointers) where newer compilers refuse.

mod bounds;
mod convert;
mod depth;
mod files;
mod flatten;
mod headers;
mod messages;
mod places;
mod preprocess;
mod stack;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Sources};
use rucc_lex::Tokens;
use rucc_parse::Parsed;
use rucc_sema::Checker;
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};

use self::messages::Messages;
use self::places::Places;
use self::preprocess::Preprocessed;
use crate::tree::Unit;

/// Sizes of the integer types and of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

/// The edition of C, always with the GNU extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// C89, with implicit declarations.
    Gnu89,
    /// C99.
    Gnu99,
    /// C11.
    Gnu11,
    /// C17.
    Gnu17,
    /// C23.
    Gnu23,
}

/// How a translation unit is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of types.
    pub data_model: DataModel,
    /// The edition of C.
    pub standard: Standard,
    /// `-D` and `-U` in their order: a name with a replacement, or `None` to forget the name.
    pub macros: Vec<(String, Option<String>)>,
    /// `-I`: where included files are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// `-include`: files that are included before the first line.
    pub includes: Vec<PathBuf>,
    /// Where the machine's own headers are; empty for the headers that Loupe brings.
    pub system_dirs: Vec<PathBuf>,
}

impl Options {
    /// C11 with the sizes of `data_model`, no macros, Loupe's own headers.
    pub fn new(data_model: DataModel) -> Self {
        Options {
            data_model,
            standard: Standard::Gnu11,
            macros: Vec::new(),
            include_dirs: Vec::new(),
            includes: Vec::new(),
            system_dirs: Vec::new(),
        }
    }
}

/// Reads files. Only the command line touches the file system, so it is told what to use.
pub trait Files: std::fmt::Debug + Send + Sync {
    /// The contents of a file, or why it cannot be read.
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;
    /// Whether there is a file of this name.
    fn is_file(&self, path: &Path) -> bool;
}

/// A translation unit that could be read.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The typed tree.
    pub unit: Unit,
    /// What is suspicious in it.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the translation unit with this name and text. The files in which its spans lie are added to
/// `sources`, the unit's own file before the others.
///
/// # Errors
///
/// What is wrong with the program: at most twenty errors, and a last one if there are more.
pub fn read(
    name: &str,
    text: &[u8],
    options: &Options,
    files: &dyn Files,
    sources: &mut Sources,
) -> Result<Checked, Vec<Diagnostic>> {
    if let Some(error) = messages::not_text(name, text, sources) {
        return Err(vec![error]);
    }
    if let Some(excess) = bounds::excess(text) {
        let file = sources.add(name, String::from_utf8_lossy(text));
        return Err(vec![excess.message(text, file)]);
    }
    let input = Input { name, text, options, files };
    // Whatever happens below, the unit has its file: messages about all of it name it.
    let before = sources.iter().count();
    let outcome = stack::run(stack::for_preprocessing(text.len()), || preprocess(&input, sources))
        .and_then(|preprocessed| match preprocessed {
            Ok((preprocessed, stack)) => stack::run(stack, || check(&input, preprocessed, sources)),
            Err(errors) => Ok(Err(errors)),
        });
    match outcome {
        Ok(result) => result.map_err(|mut errors| {
            messages::suspect_cpp(text, &mut errors);
            errors
        }),
        Err(failure) => {
            if sources.iter().count() == before {
                sources.add(name, String::from_utf8_lossy(text));
            }
            let known = messages::dangling_paste(text, FileId(before as u32));
            Err(vec![known.unwrap_or_else(|| messages::failure(&failure))])
        }
    }
}

/// Whether a panic of the current thread ends as a message about the program that is read.
pub fn survives_panics() -> bool {
    std::thread::current().name() == Some(stack::THREAD)
}

/// Runs `work` on a thread with a stack of so many bytes.
///
/// # Errors
///
/// A message, if there is no such thread or it panics.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    stack::run(bytes, work).map_err(|failure| messages::failure(&failure))
}

/// What is read, and how.
struct Input<'a> {
    name: &'a str,
    text: &'a [u8],
    options: &'a Options,
    files: &'a dyn Files,
}

impl Input<'_> {
    fn standard(&self) -> Std {
        match self.options.standard {
            Standard::Gnu89 => Std::C89,
            Standard::Gnu99 => Std::C99,
            Standard::Gnu11 => Std::C11,
            Standard::Gnu17 => Std::C17,
            Standard::Gnu23 => Std::C23,
        }
    }

    fn target(&self) -> TargetInfo {
        use rucc_target::{Arch, Env, Os};
        let arch = match self.options.data_model {
            DataModel::Ilp32 => Arch::X86,
            DataModel::Lp64 => Arch::X86_64,
        };
        TargetInfo::new(Triple::new(arch, Os::Linux, Env::Gnu))
    }
}

/// The tokens, and how large a stack the rest needs.
fn preprocess(
    input: &Input<'_>,
    sources: &mut Sources,
) -> Result<(Preprocessed, usize), Vec<Diagnostic>> {
    let preprocessed = preprocess::run(input);
    if preprocessed.failed() {
        let mut places = Places::new(&preprocessed, input.name, sources);
        let mut messages = Messages::new(&preprocessed.search);
        messages.extend(&preprocessed.diagnostics, &mut places);
        return Err(messages.errors());
    }
    match depth::Nesting::of(&preprocessed.tokens) {
        Ok(nesting) => Ok((preprocessed, nesting.stack())),
        Err(too_deep) => {
            let mut places = Places::new(&preprocessed, input.name, sources);
            Err(vec![too_deep.message(&mut places)])
        }
    }
}

/// Parses and checks the tokens and converts the result.
fn check(
    input: &Input<'_>,
    mut preprocessed: Preprocessed,
    sources: &mut Sources,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut tokens = std::mem::take(&mut preprocessed.tokens);
    let mut places = Places::new(&preprocessed, input.name, sources);
    let mut messages = Messages::new(&preprocessed.search);
    messages.extend(&preprocessed.diagnostics, &mut places);

    let parsed = parse(input, &preprocessed, &tokens);
    let too_deep = parsed.diagnostics.iter().find(|error| error.code == Some(messages::TOO_DEEP));
    let Some(too_deep) = too_deep.cloned() else {
        return finish(input, &preprocessed, parsed, &[], places, messages);
    };
    // Blocks at the end of blocks are most of what nests so deeply, in programs that programs wrote.
    let refused = messages.too_deep(&too_deep, &mut places);
    let removed = flatten::flatten(&mut tokens);
    let parsed = parse(input, &preprocessed, &tokens);
    finish(input, &preprocessed, parsed, &removed, places, messages).map_err(|_| refused)
}

fn parse(input: &Input<'_>, preprocessed: &Preprocessed, tokens: &Tokens) -> Parsed {
    let mut context = rucc_parse::Context::new(&preprocessed.names, input.standard());
    context.error_limit = messages::LIMIT + 1;
    context.type_names = &preprocessed.type_names;
    rucc_parse::parse(tokens, context)
}

/// Checks the types of a parsed program and converts it. The braces at `removed` were not parsed.
fn finish(
    input: &Input<'_>,
    preprocessed: &Preprocessed,
    parsed: Parsed,
    removed: &[flatten::Braces],
    mut places: Places<'_>,
    mut messages: Messages<'_>,
) -> Result<Checked, Vec<Diagnostic>> {
    messages.extend(&parsed.diagnostics, &mut places);
    if parsed.failed() {
        return Err(messages.errors());
    }
    let target = input.target();
    let mut context = rucc_sema::Context::new(&preprocessed.names, &target, input.standard());
    context.permissive = true;
    context.error_limit = messages::LIMIT + 1;
    let mut checker = Checker::new(&parsed.ast, context);
    checker.check_unit();
    for pragma in &parsed.weak_pragmas {
        checker.pragma_weak(pragma.name, pragma.target, pragma.span);
    }
    let mut checked = checker.finish();
    messages::refuse_missing_types(&mut checked.diagnostics, &parsed.ast);
    messages.extend(&checked.diagnostics, &mut places);
    if messages.failed() {
        return Err(messages.errors());
    }
    let program =
        convert::Program { checked, ast: &parsed.ast, names: &preprocessed.names, removed };
    match convert::convert(input.name, program, &target, &mut places) {
        Ok(unit) => Ok(Checked { unit, warnings: messages.warnings() }),
        Err(errors) => Err(messages.with(errors).errors()),
    }
}
