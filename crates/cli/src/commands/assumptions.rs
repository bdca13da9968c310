//! What results rest on, beside what front ends and explorations say of themselves.

use crate::args::DataModel;
use loupe_ir::program::Program;
use loupe_ir::source::Author;

/// Words of C whose meaning depends on the data model.
const SIZED: [&str; 11] = [
    "long",
    "sizeof",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "wchar_t",
    "time_t",
    "off_t",
    "intmax_t",
];

/// The data model, where the user's program may mean something else with another one.
pub(super) fn data_model_assumption(program: &Program, model: DataModel) -> Option<String> {
    let users = program.sources.iter().filter(|(_, file)| file.author == Author::User);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_sized = |text: &str| text.split(|c: char| !is_name(c)).any(|word| SIZED.contains(&word));
    let matters = users.map(|(_, file)| &file.text).any(|text| is_sized(text));
    matters.then(|| match model {
        DataModel::Ilp32 => "the data model is ILP32: `long` and pointers have 32 bits".to_owned(),
        DataModel::Lp64 => "the data model is LP64: `long` and pointers have 64 bits".to_owned(),
    })
}

/// What the models of library functions leave out, where a program uses them.
pub(super) fn library_assumptions(program: &Program) -> Vec<String> {
    let uses = |names: &[&str]| {
        let mut functions = program.functions.iter();
        functions.any(|f| names.contains(&f.name.as_str()) && !program.sources.is_users(f.span))
    };
    let table: [(&[&str], &str); 3] = [
        (
            &["malloc", "calloc", "realloc", "aligned_alloc"],
            "an allocation never fails, however much is asked for",
        ),
        (&["fopen", "freopen", "open", "opendir", "popen"], "no file can be opened"),
        (&["getenv", "secure_getenv"], "the environment is empty"),
    ];
    table.iter().filter(|(names, _)| uses(names)).map(|(_, what)| (*what).to_owned()).collect()
}
