//! From text to tokens.

use rucc_base::{Interner, Symbol};
use rucc_diag::{Diagnostic, SourceMap, Span};
use rucc_lex::{Convert, Keywords, PpToken, Tokens};
use rucc_pp::{Context, Predef, Preprocessor, Timestamp};
use rucc_session::{Preinclude, SearchPath};

use super::Input;
use super::files::{Reader, ended, search_path};

/// The tokens of a translation unit.
#[derive(Debug)]
pub(super) struct Preprocessed {
    /// The spellings of names.
    pub(super) names: Interner,
    /// All files that were read, and what `#line` says about them.
    pub(super) map: SourceMap,
    /// Where the `#line` directives and line markers are.
    pub(super) line_directives: Vec<Span>,
    /// The tokens.
    pub(super) tokens: Tokens,
    /// Names that are types before the file starts.
    pub(super) type_names: Vec<Symbol>,
    /// What was found on the way.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where headers were looked for.
    pub(super) search: SearchPath,
}

impl Preprocessed {
    /// Whether there are errors among the diagnostics.
    pub(super) fn failed(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity.is_fatal())
    }
}

/// Preprocesses the input.
pub(super) fn run(input: &Input<'_>) -> Preprocessed {
    let standard = input.standard();
    let target = input.target();
    let mut names = Interner::new();
    // Keywords come first: the table relies on the numbers of their names.
    let keywords = Keywords::new(&mut names, standard, true).x86(true);
    let type_names = target.type_names().iter().map(|(name, _)| names.intern(name)).collect();

    let mut map = SourceMap::new();
    let search = search_path(input.options);
    let reader = Reader { files: input.files };
    let mut preprocessor = Preprocessor::new();
    let mut context = Context::new(&mut names, &mut map, &reader, &search);
    context.lex = rucc_lex::Options::for_dialect(standard, true, false);
    let expanded = context.sources.add(input.name, ended(input.text.to_vec())).and_then(|file| {
        preprocessor.predefine(&target, &predefined(input), &mut context)?;
        let mut tokens = Vec::new();
        preprocessor.preinclude(&included_first(input), &mut tokens, &mut context)?;
        tokens.extend(preprocessor.run(file, &mut context));
        Ok(tokens)
    });

    let mut diagnostics = preprocessor.take_diagnostics();
    let expanded: Vec<PpToken> = match expanded {
        Ok(tokens) => tokens.into_iter().map(rucc_pp::Tok::to_pp).collect(),
        Err(full) => {
            diagnostics.push(Diagnostic::error(full.to_string(), Span::DUMMY));
            Vec::new()
        }
    };
    let line_directives = preprocessor.line_directives().iter().map(|line| line.span).collect();
    let convert = Convert {
        keywords: &keywords,
        interner: &names,
        target: &target,
        std: standard,
        gnu: true,
        pedantic: false,
    };
    let (tokens, more) = rucc_lex::convert(&expanded, &convert);
    diagnostics.extend(more);
    Preprocessed { names, map, line_directives, tokens, type_names, diagnostics, search }
}

/// What `-include` names.
fn included_first(input: &Input<'_>) -> Vec<Preinclude> {
    let names = input.options.includes.iter().map(|path| path.to_string_lossy().into_owned());
    names.map(|name| Preinclude { name, macros_only: false }).collect()
}

/// What is defined before the file starts: what gcc defines, and `-D` and `-U`.
fn predefined(input: &Input<'_>) -> Predef {
    let mut defines: Vec<(&str, &str)> = Vec::new();
    let mut undefines: Vec<&str> = Vec::new();
    for (name, replacement) in &input.options.macros {
        // The last word on a name counts; a macro with parameters is named by what is before them.
        let base = |name: &str| name.split('(').next().unwrap_or_default().to_owned();
        defines.retain(|(other, _)| base(other) != base(name));
        undefines.retain(|other| base(other) != base(name));
        match replacement {
            Some(replacement) => defines.push((name, replacement)),
            None => undefines.push(name),
        }
    }
    Predef {
        std: input.standard(),
        // The same on every day: answers must not depend on the clock.
        timestamp: Timestamp::from_unix(0),
        defines: defines.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        undefines: undefines.into_iter().map(str::to_owned).collect(),
        ..Predef::new()
    }
}
