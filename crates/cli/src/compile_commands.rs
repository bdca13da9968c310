//! Compilation databases: which flags a build passes to the compiler, file by file.
//!
//! The format is that of clang's `compile_commands.json`. Flags that change how a file is read are taken
//! over, all others are the compiler's business.

use crate::load::read_text;
use crate::status::Failed;
use loupe_c::front::{DataModel, Options, Standard};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A database.
pub(crate) struct Database {
    entries: Vec<Entry>,
}

struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Vec<String>,
}

/// Reads a database.
pub(crate) fn read(path: &Path) -> Result<Database, Failed> {
    let name = path.display();
    let text = read_text(path)?;
    let bad = |what: String| Failed::bad_input(format!("{name}: {what}"));
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| bad(format!("this is no compilation database: {error}")))?;
    let entries = value.as_array().ok_or_else(|| {
        bad("this is no compilation database: a list of commands was expected".into())
    })?;
    let base = path.parent().unwrap_or(Path::new(""));
    let entries = entries.iter().enumerate().map(|(number, entry)| {
        Entry::read(entry, base).ok_or_else(|| {
            bad(format!(
                "entry {} has no `file`, or neither `arguments` nor a `command` that a shell could read",
                number + 1
            ))
        })
    });
    Ok(Database { entries: entries.collect::<Result<_, _>>()? })
}

impl Entry {
    fn read(entry: &Value, base: &Path) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let directory = base.join(text("directory").unwrap_or(""));
        let file = directory.join(text("file")?);
        let arguments = match entry.get("arguments").and_then(Value::as_array) {
            Some(list) => {
                list.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?
            }
            None => shlex::split(text("command")?)?,
        };
        Some(Entry { directory, file, arguments })
    }
}

impl Database {
    /// The files that it names, each once, in its order.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(number, entry)| {
            let is_first = self.entries[..number].iter().all(|other| other.file != entry.file);
            let is_c = entry.file.extension().is_some_and(|extension| extension == "c");
            (is_first && is_c).then(|| entry.file.clone())
        })
    }

    /// Changes the options as the flags of a file say.
    pub(crate) fn apply(&self, file: &Path, options: &mut Options) -> Result<(), Failed> {
        let wanted = resolved(file);
        let entry = self.entries.iter().find(|entry| resolved(&entry.file) == wanted);
        let Some(entry) = entry else {
            let name = file.display();
            return Err(Failed::bad_input(format!("`{name}` is not in the compilation database")));
        };
        let mut arguments = entry.arguments.iter().skip(1).map(String::as_str);
        while let Some(argument) = arguments.next() {
            // Each of these takes its value in the same word or in the next one.
            let mut value = |flag: &str| {
                let rest = argument.strip_prefix(flag)?;
                if rest.is_empty() { arguments.next() } else { Some(rest) }
            };
            if let Some(folder) =
                ["-isystem", "-iquote", "-idirafter", "-I"].iter().find_map(|f| value(f))
            {
                options.include_dirs.push(entry.directory.join(folder));
            } else if let Some(file) = value("-include") {
                options.includes.push(entry.directory.join(file));
            } else if let Some(define) = value("-D") {
                let (name, text) = define.split_once('=').unwrap_or((define, "1"));
                options.macros.push((name.to_owned(), Some(text.to_owned())));
            } else if let Some(name) = value("-U") {
                options.macros.push((name.to_owned(), None));
            } else if let Some(edition) = argument.strip_prefix("-std=") {
                options.standard = standard(edition).unwrap_or(options.standard);
            } else if argument == "-ansi" {
                options.standard = Standard::Gnu89;
            } else if argument == "-m32" {
                options.data_model = DataModel::Ilp32;
            }
        }
        Ok(())
    }
}

/// The one path of a file that may be named in many ways.
fn resolved(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| absolute())
}

fn standard(edition: &str) -> Option<Standard> {
    let year = edition.strip_prefix("gnu").or_else(|| edition.strip_prefix('c'))?;
    Some(match year {
        "89" | "90" => Standard::Gnu89,
        "99" | "9x" => Standard::Gnu99,
        "11" | "1x" => Standard::Gnu11,
        "17" | "18" => Standard::Gnu17,
        "23" | "2x" => Standard::Gnu23,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Options {
        let entry = Entry {
            directory: PathBuf::from("/build"),
            file: PathBuf::from("/build/a.c"),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        };
        let mut options = Options::new(DataModel::Lp64);
        let database = Database { entries: vec![entry] };
        assert!(database.apply(Path::new("/build/a.c"), &mut options).is_ok());
        options
    }

    #[test]
    fn flags_are_taken_over() {
        let options = options(&[
            "cc",
            "-O2",
            "-Iinclude",
            "-I",
            "/x",
            "-isystem",
            "sys",
            "-DN=3",
            "-D",
            "M",
            "-UN",
            "-std=c99",
            "-m32",
            "-include",
            "config.h",
            "-c",
            "a.c",
        ]);
        let folders = ["/build/include", "/x", "/build/sys"].map(PathBuf::from);
        assert_eq!(options.include_dirs, folders);
        assert_eq!(options.includes, [PathBuf::from("/build/config.h")]);
        let macros = [("N", Some("3")), ("M", Some("1")), ("N", None)];
        let macros = macros.map(|(name, text)| (name.to_owned(), text.map(str::to_owned)));
        assert_eq!(options.macros, macros);
        assert_eq!(options.standard, Standard::Gnu99);
        assert_eq!(options.data_model, DataModel::Ilp32);
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let entry = serde_json::json!({
            "directory": "d", "file": "a.c", "command": "cc '-DS=\"a b\"' a.c",
        });
        let entry = Entry::read(&entry, Path::new("/")).unwrap();
        assert_eq!(entry.arguments[1], "-DS=\"a b\"");
        assert_eq!(entry.file, Path::new("/d/a.c"));
    }
}
