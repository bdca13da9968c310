//! From the text of C files to a program: what the command line calls.

use crate::depth;
use crate::front::{self, Files};
use crate::library::Model;
use crate::lower::{self, Entry, Lowered};
use crate::tree::Unit;
use loupe_ir::diagnostic::Diagnostic;
use loupe_ir::source::Sources;

/// A C file, and how it is read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, as the user gave it.
    pub name: String,
    /// Its contents.
    pub text: Vec<u8>,
    /// How it is read.
    pub options: front::Options,
}

/// Files that cannot be compiled: what is wrong, and the texts that the places lie in.
#[derive(Debug)]
pub struct Rejected {
    /// What is wrong.
    pub errors: Vec<Diagnostic>,
    /// The files.
    pub sources: Sources,
}

/// Reads files into typed trees.
///
/// # Errors
///
/// What is wrong with the first file that cannot be read.
pub fn read(files: &[Source], system: &dyn Files) -> Result<Units, Rejected> {
    let mut read = Units { units: Vec::new(), warnings: Vec::new(), sources: Sources::new() };
    for file in files {
        let checked = front::read(&file.name, &file.text, &file.options, system, &mut read.sources);
        match checked {
            Ok(checked) => {
                read.units.push(checked.unit);
                read.warnings.extend(checked.warnings);
            }
            Err(errors) => return Err(Rejected { errors, sources: read.sources }),
        }
    }
    Ok(read)
}

/// Typed trees with what belongs to them.
#[derive(Debug)]
pub struct Units {
    /// The trees, one for each file.
    pub units: Vec<Unit>,
    /// What is suspicious.
    pub warnings: Vec<Diagnostic>,
    /// The files.
    pub sources: Sources,
}

/// Compiles files into one program.
///
/// # Errors
///
/// What is wrong with them.
pub fn compile(
    mut files: Vec<Source>,
    precondition: Option<&str>,
    system: &dyn Files,
    options: &lower::Options,
) -> Result<Lowered, Rejected> {
    let mut options = options.clone();
    if let Some(condition) = precondition {
        assume(&mut files, condition, system, &mut options)?;
    }
    let Units { units, warnings, sources } = read(&files, system)?;
    if let Some(error) = units.iter().find_map(depth::refuse_deep_types) {
        return Err(Rejected { errors: vec![error], sources });
    }
    let stack = depth::stack_for(&units);
    let mut model = Model::new(options.data_model);
    let known = sources.clone();
    let lowered =
        front::with_stack(stack, move || lower::lower(units, &mut model, sources, &options));
    match lowered {
        Ok(Ok(mut lowered)) => {
            lowered.warnings.splice(0..0, warnings);
            Ok(lowered)
        }
        Ok(Err(errors)) => Err(Rejected { errors, sources: known }),
        Err(error) => Err(Rejected { errors: vec![error], sources: known }),
    }
}

/// Adds a function that tells whether the precondition holds: the condition may mention the parameters of
/// the function that execution starts in, and everything of file scope.
fn assume(
    files: &mut [Source],
    condition: &str,
    system: &dyn Files,
    options: &mut lower::Options,
) -> Result<(), Rejected> {
    const NAME: &str = "__loupe_precondition";
    let entry = match &options.entry {
        Entry::Function(name, _) => name.clone(),
        Entry::Main | Entry::Any => "main".to_owned(),
    };
    let Units { units, sources, .. } = read(files, system)?;
    let found = units.iter().zip(files.iter_mut()).find_map(|(unit, file)| {
        let function = unit.functions.iter().find(|f| f.name == entry && f.body.is_some())?;
        Some((parameter_list(function, &sources)?, file))
    });
    let Some((parameters, file)) = found else {
        let message =
            format!("there is no function `{entry}` whose parameters could be assumed about");
        return Err(Rejected { errors: vec![Diagnostic::whole_file(message)], sources });
    };
    let function = format!("int {NAME}{parameters}");
    file.text.extend_from_slice(precondition_text(&function, condition).as_bytes());
    options.entry = Entry::Function(entry, Some(NAME.to_owned()));
    Ok(())
}

/// A function that returns whether `condition` holds, to be put behind the text of a file. Only the condition
/// and the parenthesis that ends it claim to be from a file `--assume`, so that messages show what the user
/// has written; the parenthesis stands in a line of its own, lest a comment hides it.
fn precondition_text(function: &str, condition: &str) -> String {
    let last = condition.lines().last().unwrap_or_default();
    let (line, indent) = (condition.lines().count().max(1), " ".repeat(last.chars().count()));
    format!(
        "\n# 1 \"<loupe>\"\n{function} {{ return !!(\n# 1 \"--assume\"\n{condition}\n\
         # {line} \"--assume\"\n{indent})\n# 1 \"<loupe>\"\n; }}\n"
    )
}

/// The text of the parameter list of a function, parentheses included.
fn parameter_list(function: &crate::tree::Function, sources: &Sources) -> Option<String> {
    let from = loupe_ir::source::Span {
        start: function.name_span.end,
        end: function.span.end,
        ..function.span
    };
    let text = sources.excerpt(from)?;
    let start = text.find('(')?;
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(text[start..=start + at].to_owned());
        }
    }
    None
}
