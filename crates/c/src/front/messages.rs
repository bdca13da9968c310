//! What the C front end says, in our words.

use std::collections::HashSet;

use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::{FileId, Position, Sources, Span};
use rucc_ast::{Ast, Decl};
use rucc_diag::Severity;
use rucc_session::SearchPath;

use super::files::directory_name;
use super::places::Places;
use super::stack::Failure;

/// How many errors one run reports: nobody reads more.
pub(super) const LIMIT: usize = 20;

/// Warnings that matter to someone who wants to know what a program does: calls of functions that
/// nobody declared, types that were left out, missing results, pointers that are not what they seem.
const KEPT: &[&str] = &[
    "E0512", // incompatible pointers
    "E0513", // integer and pointer without a cast
    "E0517", // comparison of pointer and integer
    "E0520", // `*` of a `void *`
    "E0521", // implicit declaration
    "E0526", // implicit `int`
    "E0567", // pointer cast to a smaller integer
    "E0568", // integer of another size cast to a pointer
    "E0585", // `va_arg` of a type that is promoted
    "E0633", // `return` without a value
    "E0634", // `return` with a value from a function without
    "E0518", // pointer and integer in `? :`
];

/// Errors that gcc only warns about, and after which the tree is whole.
const DEMOTED: &[(&str, &str)] = &[("E0518", "pointer/integer type mismatch")];

/// Warnings after which a part of the tree is missing.
const PROMOTED: &[&str] = &[
    "E0622", // the statement behind an empty range of cases is dropped
];

/// A type is left out.
const MISSING_TYPE: &str = "E0526";

/// Turns warnings about types that are left out into errors where C89 does not allow it either: in
/// parameters and members. A name there is most likely a type whose header is missing.
pub(super) fn refuse_missing_types(diagnostics: &mut [rucc_diag::Diagnostic], ast: &Ast) {
    let missing = |diagnostic: &&mut rucc_diag::Diagnostic| {
        let is_declaration = diagnostic.message.starts_with("type defaults");
        diagnostic.code == Some(MISSING_TYPE) && is_declaration
    };
    if !diagnostics.iter_mut().any(|diagnostic| missing(&diagnostic)) {
        return;
    }
    let mut allowed = HashSet::new();
    for index in 0..ast.counts().decls {
        match ast[rucc_ast::DeclId::from_usize(index)] {
            Decl::Function { declarator, .. } => {
                allowed.insert(ast[declarator].name_span);
            }
            Decl::Var { declarators, .. } => {
                let names = ast[declarators].iter().map(|item| ast[item.declarator].name_span);
                allowed.extend(names);
            }
            _ => {}
        }
    }
    for diagnostic in diagnostics.iter_mut().filter(missing) {
        if !allowed.contains(&diagnostic.span) {
            diagnostic.severity = Severity::Error;
            diagnostic.message = "a type is missing, or not declared".to_owned();
        }
    }
}

/// The front end gave up on nested brackets.
pub(super) const TOO_DEEP: &str = "E0402";

/// The messages about one unit.
#[derive(Clone, Debug)]
pub(super) struct Messages<'a> {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    search: &'a SearchPath,
}

impl<'a> Messages<'a> {
    /// None yet; headers were looked for along `search`.
    pub(super) fn new(search: &'a SearchPath) -> Self {
        Messages { errors: Vec::new(), warnings: Vec::new(), search }
    }

    /// Adds what is worth saying of `diagnostics`.
    pub(super) fn extend(
        &mut self,
        diagnostics: &[rucc_diag::Diagnostic],
        places: &mut Places<'_>,
    ) {
        for diagnostic in diagnostics {
            match severity(diagnostic) {
                Severity::Error | Severity::Ice if self.repeats(diagnostic) => {}
                Severity::Error | Severity::Ice if self.errors.len() <= LIMIT => {
                    let error = self.message(diagnostic, places);
                    self.errors.push(error);
                }
                Severity::Warning if is_kept(diagnostic, places) => {
                    let warning = self.message(diagnostic, places);
                    self.warnings.push(warning);
                }
                _ => {}
            }
        }
    }

    /// Whether an error says about another place what was said before: a file that is no text has
    /// thousands of bytes that are no characters.
    fn repeats(&self, diagnostic: &rucc_diag::Diagnostic) -> bool {
        let is_bytes = diagnostic.message.starts_with("source is not valid UTF-8");
        is_bytes && self.errors.iter().any(|error| error.message == diagnostic.message)
    }

    /// The limit on nested brackets was reached: what follows from that is not worth saying.
    pub(super) fn too_deep(
        &self,
        diagnostic: &rucc_diag::Diagnostic,
        places: &mut Places<'_>,
    ) -> Vec<Diagnostic> {
        let mut message = self.message(diagnostic, places);
        let limit = rucc_parse::MAX_NESTING;
        message.message = format!("blocks and parentheses are nested more than {limit} deep");
        message.label = "this is one too many".to_owned();
        vec![message.help("Loupe reads no deeper programs; split the function or the expression")]
    }

    /// These, and the errors of another phase.
    pub(super) fn with(mut self, errors: Vec<Diagnostic>) -> Self {
        self.errors.extend(errors);
        self
    }

    /// Whether there are errors.
    pub(super) fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The errors, no more than the limit and a remark.
    pub(super) fn errors(mut self) -> Vec<Diagnostic> {
        if let Some(beyond) = self.errors.get(LIMIT) {
            let message = format!("too many errors: only the first {LIMIT} are shown");
            let last = Diagnostic { span: beyond.span, ..Diagnostic::whole_file(message) };
            self.errors.truncate(LIMIT);
            self.errors.push(last);
        }
        self.errors
    }

    /// The warnings.
    pub(super) fn warnings(self) -> Vec<Diagnostic> {
        self.warnings
    }

    fn message(&self, diagnostic: &rucc_diag::Diagnostic, places: &mut Places<'_>) -> Diagnostic {
        let text = quoted(&diagnostic.message);
        let mut message = Diagnostic::whole_file(text);
        message.span = places.message_span(diagnostic.span);
        for child in &diagnostic.children {
            let text = quoted(&child.message);
            match places.message_span(child.span) {
                Some(span) if Some(span) != message.span => message.related.push((span, text)),
                _ => {
                    message.help =
                        Some(message.help.map_or(text.clone(), |help| format!("{help}; {text}")))
                }
            }
        }
        if diagnostic.code == Some("E0341") {
            self.explain_missing(&mut message, diagnostic, places);
        }
        for include in places.includes(diagnostic.span) {
            let from = (include, "included from here".to_owned());
            // A file that includes itself is told of once.
            if Some(include) != message.span && !message.related.contains(&from) {
                message.related.push(from);
            }
        }
        message
    }

    /// A header that was not found: where it was looked for, and what to do.
    fn explain_missing(
        &self,
        message: &mut Diagnostic,
        diagnostic: &rucc_diag::Diagnostic,
        places: &Places<'_>,
    ) {
        let name = diagnostic.message.split('`').nth(1).unwrap_or_default();
        message.message = format!("there is no file `{name}` to include");
        let text = places.map();
        let quoted = text.lookup_file(diagnostic.span.lo).is_some_and(|file| {
            let file = text.file(file);
            let at = (diagnostic.span.lo - file.start) as usize;
            let line = file.bytes().get(at..).unwrap_or_default();
            let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
            line.contains(&b'"')
        });
        let mut looked: Vec<String> = Vec::new();
        if quoted {
            looked.push("the directory of the file that includes it".to_owned());
        }
        let directories = self.search.dirs().iter().map(|dir| dir.path.to_string_lossy());
        looked.extend(directories.map(|dir| directory_name(&dir)));
        let advice = if self
            .search
            .dirs()
            .iter()
            .any(|dir| dir.path.as_os_str() == super::headers::DIRECTORY)
        {
            "`-I` adds a directory, `--system-headers` takes the headers of this machine"
        } else {
            "`-I` adds a directory"
        };
        message.help = Some(format!("looked for it in {}; {advice}", looked.join(", ")));
    }
}

fn severity(diagnostic: &rucc_diag::Diagnostic) -> Severity {
    let code = diagnostic.code.unwrap_or_default();
    let is_demoted = DEMOTED
        .iter()
        .any(|(other, start)| *other == code && diagnostic.message.starts_with(start));
    match diagnostic.severity {
        Severity::Error if is_demoted => Severity::Warning,
        Severity::Warning if PROMOTED.contains(&code) => Severity::Error,
        severity => severity,
    }
}

fn is_kept(diagnostic: &rucc_diag::Diagnostic, places: &Places<'_>) -> bool {
    diagnostic.code.is_some_and(|code| KEPT.contains(&code)) && !places.is_system(diagnostic.span)
}

/// A message with names between backticks: the front end follows gcc, which has apostrophes.
fn quoted(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut is_open = false;
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        // An apostrophe in a word (`doesn't`) is none of them.
        let quote =
            c == '\'' && if is_open { !next.is_alphanumeric() } else { !before.is_alphanumeric() };
        if quote {
            is_open = !is_open;
            result.push('`');
        } else {
            result.push(c);
        }
        before = c;
    }
    result
}

/// The front end itself failed.
pub(super) fn failure(failure: &Failure) -> Diagnostic {
    match failure {
        Failure::NoThread(error) => Diagnostic::whole_file(format!(
            "there is not enough memory for the nesting of this program: {error}"
        )),
        Failure::Panic(message) => {
            Diagnostic::whole_file(format!("the C front end failed on this file: {message}"))
                .help("this is a bug in Loupe or in the library that reads C for it")
        }
    }
}

/// The reason for a panic that is known: `##` at the end of a macro, which the preprocessor does not
/// expect. `main` is the unit's own file.
pub(super) fn dangling_paste(text: &[u8], main: FileId) -> Option<Diagnostic> {
    for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let is_macro = line.trim_start().strip_prefix('#').is_some_and(|rest| {
            rest.trim_start().starts_with("define") && rest.trim_end().ends_with("##")
        });
        if is_macro {
            let end = line.trim_end().chars().count() as u32 + 1;
            let number = at as u32 + 1;
            let span = Span::new(main, Position::new(number, end - 2), Position::new(number, end));
            return Some(Diagnostic::error(span, "`##` at the end of a macro has nothing to join"));
        }
    }
    None
}

/// Says that a program is in another language, if it looks like that.
pub(super) fn suspect_cpp(text: &[u8], errors: &mut [Diagnostic]) {
    let starts = ["class ", "template", "namespace ", "using ", "public:", "private:"];
    let headers =
        ["iostream", "string", "vector", "map", "memory", "algorithm", "cstdio", "cstdlib"];
    let is_cpp = text.split(|byte| *byte == b'\n').any(|line| {
        let line = String::from_utf8_lossy(line.trim_ascii());
        let header = line.strip_prefix("#include").map(str::trim);
        let header = header.and_then(|rest| rest.strip_prefix('<')?.strip_suffix('>'));
        starts.iter().any(|start| line.starts_with(start))
            || header.is_some_and(|header| headers.contains(&header))
    });
    if is_cpp && let Some(first) = errors.first_mut() {
        first.help = Some("this looks like C++; Loupe reads C".to_owned());
    }
}

/// An error if this is no text at all.
pub(super) fn not_text(name: &str, text: &[u8], sources: &mut Sources) -> Option<Diagnostic> {
    let at = text.iter().position(|byte| *byte == 0)?;
    let before = String::from_utf8_lossy(&text[..at]).into_owned();
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
    // What stands behind is not shown: the file may be anything.
    let shown = before.lines().map(|line| format!("{line}\n")).collect::<String>();
    let file = sources.add(name, shown);
    let start = Position::new(line, column);
    let span = Span::new(file, start, Position::new(line, column + 1));
    Some(
        Diagnostic::error(span, "this file is not C source: it contains a byte that is zero")
            .label("here"),
    )
}
