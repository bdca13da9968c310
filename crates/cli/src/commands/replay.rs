//! The command that runs a program as it was verified.

use crate::args::{self, COptions, Source};
use crate::properties::Task;
use clap::ValueEnum;

impl Task {
    /// `loupe run` with what the user has said of the program, and what it is asked.
    pub(crate) fn command(&self, source: &Source) -> String {
        let file = self.file.as_ref().map_or(&source.files[..], std::slice::from_ref);
        let mut words = vec!["loupe".to_owned(), "run".to_owned()];
        words.extend(file.iter().map(|file| quoted(&file.display().to_string())));
        words.extend(language(source));
        words.extend(of_c(&source.c, self.entry.as_deref()));
        words.push(format!("--property {}", quoted(&self.asked)));
        words.join(" ")
    }
}

/// A word as a shell reads it.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,=+:@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// An option with the name of what was chosen.
fn chosen<T: ValueEnum>(option: &str, value: &T) -> String {
    let name = value.to_possible_value();
    format!("{option} {}", name.as_ref().map_or("", |name| name.get_name()))
}

fn language(source: &Source) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(source.lang.as_ref().map(|lang| chosen("--lang", lang)));
    words.extend(source.int_width.map(|bits| format!("--int-width {bits}")));
    if source.arrays != args::Arrays::Reference {
        words.push(chosen("--arrays", &source.arrays));
    }
    words
}

/// How C is read; where it starts may be said by a property.
fn of_c(c: &COptions, entry: Option<&str>) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(c.data_model.as_ref().map(|model| chosen("--data-model", model)));
    words
        .extend(c.include.iter().map(|path| format!("-I {}", quoted(&path.display().to_string()))));
    words.extend(c.define.iter().map(|text| format!("-D {}", quoted(text))));
    words.extend(c.undefine.iter().map(|text| format!("-U {}", quoted(text))));
    words.extend(c.std.as_ref().map(|edition| chosen("--std", edition)));
    if c.system_headers {
        words.push("--system-headers".to_owned());
    }
    let database = c.compile_commands.as_ref();
    words.extend(
        database.map(|path| format!("--compile-commands {}", quoted(&path.display().to_string()))),
    );
    let entry = c.entry.as_deref().or(entry);
    words.extend(entry.map(|entry| format!("--entry {}", quoted(entry))));
    words.extend(c.assume.iter().map(|text| format!("--assume {}", quoted(text))));
    words.extend(c.check.iter().map(|kind| chosen("--check", kind)));
    if c.volatile != args::Volatile::Memory {
        words.push(chosen("--volatile", &c.volatile));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_as_a_shell_reads_them() {
        assert_eq!(quoted("a/b-1.c"), "a/b-1.c");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("x<'0'"), r"'x<'\''0'\'''");
        assert_eq!(quoted(""), "''");
    }
}
