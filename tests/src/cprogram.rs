//! The C programs in `c/`, one for each feature of C.
//!
//! A folder is a topic; in it, a file is a program, and so is a folder, of all the files in it. What must
//! be known of a program stands in lines at its beginning (for a folder, at that of `main.c`):
//!
//! ```text
//! // model: LP64            only for this data model; otherwise its output is the same for both
//! // std: gnu89             the edition of C; otherwise gnu11
//! // fails: KIND LINE       the run fails, with this kind of error in this line
//! // check: KIND            a kind that is only looked for when it is asked for
//! // gcc: TEXT              what gcc or its sanitizers say about that line
//! ```
//!
//! `NAME.input` beside `NAME.c` is its standard input.

use crate::gcc::DataModel;
use std::fs;
use std::path::{Path, PathBuf};

/// A program.
#[derive(Clone, Debug)]
pub struct CProgram {
    /// `TOPIC/NAME`.
    pub name: String,
    /// Its files, sorted.
    pub files: Vec<PathBuf>,
    /// Its standard input, if it has any.
    pub input: Option<PathBuf>,
    /// What its first lines say.
    pub header: Header,
}

/// The first lines of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The only data model that it is for.
    pub model: Option<DataModel>,
    /// The edition of C, if it is not gnu11.
    pub standard: Option<String>,
    /// The failure that the program is about.
    pub fails: Option<Failure>,
    /// A kind of check that has to be asked for.
    pub check: Option<String>,
    /// What gcc says.
    pub gcc: Option<String>,
}

/// An error at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind, as reports have it.
    pub kind: String,
    /// The line in the program.
    pub line: u64,
}

impl Header {
    /// Reads the lines `// key: value` at the beginning of a text.
    ///
    /// # Errors
    ///
    /// If one of the keys has a value that makes no sense.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut header = Header::default();
        for line in text.lines() {
            let Some((key, value)) =
                line.strip_prefix("// ").and_then(|line| line.split_once(": "))
            else {
                break;
            };
            match key {
                "model" => header.model = Some(parse_model(value)?),
                "std" => header.standard = Some(value.to_owned()),
                "fails" => header.fails = Some(parse_failure(value)?),
                "check" => header.check = Some(value.to_owned()),
                "gcc" => header.gcc = Some(value.to_owned()),
                // A comment with a colon in it.
                _ => break,
            }
        }
        Ok(header)
    }

    /// The edition of C.
    pub fn standard(&self) -> &str {
        self.standard.as_deref().unwrap_or("gnu11")
    }

    /// The data models that the program is for.
    pub fn models(&self) -> &[DataModel] {
        match self.model {
            None => &[DataModel::Lp64, DataModel::Ilp32],
            Some(DataModel::Lp64) => &[DataModel::Lp64],
            Some(DataModel::Ilp32) => &[DataModel::Ilp32],
        }
    }
}

fn parse_model(value: &str) -> Result<DataModel, String> {
    match value {
        "LP64" => Ok(DataModel::Lp64),
        "ILP32" => Ok(DataModel::Ilp32),
        _ => Err(format!("`{value}` is no data model")),
    }
}

fn parse_failure(value: &str) -> Result<Failure, String> {
    let failure = value
        .split_once(' ')
        .and_then(|(kind, line)| Some(Failure { kind: kind.to_owned(), line: line.parse().ok()? }));
    failure.ok_or_else(|| format!("`fails: {value}` is not KIND LINE"))
}

/// The folder of the topic of failures.
const FAILURES: &str = "failures";

/// The folder of what gcc accepts and Loupe refuses.
const GAPS: &str = "gaps";

/// What is no topic: parts of the small C library for i686.
const SUPPORT: &str = "support";

/// The programs that run to their end.
///
/// # Panics
///
/// If they cannot be read, or one of them says something that makes no sense.
pub fn features() -> Vec<CProgram> {
    let mut programs = Vec::new();
    for topic in entries(&crate::root().join("c")) {
        let name = file_name(&topic);
        if ![FAILURES, GAPS, SUPPORT].contains(&name.as_str()) {
            programs.extend(topic_programs(&topic));
        }
    }
    programs
}

/// The programs that fail.
///
/// # Panics
///
/// As [`features`] does.
pub fn failures() -> Vec<CProgram> {
    topic_programs(&crate::root().join("c").join(FAILURES))
}

/// The programs that gcc accepts and Loupe refuses.
///
/// # Panics
///
/// As [`features`] does.
pub fn gaps() -> Vec<CProgram> {
    topic_programs(&crate::root().join("c").join(GAPS))
}

fn topic_programs(topic: &Path) -> Vec<CProgram> {
    let programs = entries(topic).into_iter().filter_map(|path| program(topic, &path));
    programs.collect()
}

fn program(topic: &Path, path: &Path) -> Option<CProgram> {
    let (files, main) = if path.is_dir() {
        let mut files = entries(path);
        files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        (files, path.join("main.c"))
    } else if path.extension().is_some_and(|extension| extension == "c") {
        (vec![path.to_owned()], path.to_owned())
    } else {
        return None;
    };
    let text =
        fs::read_to_string(&main).unwrap_or_else(|error| panic!("{}: {error}", main.display()));
    let header = Header::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", main.display()));
    let stem = path.with_extension("");
    let input = Some(path.with_extension("input")).filter(|input| input.is_file());
    let name = format!("{}/{}", file_name(topic), file_name(&stem));
    Some(CProgram { name, files, input, header })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a folder holds, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
    });
    let mut entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.sort();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let text = "// fails: invalid-free 7\n// check: x\n// About: this\n// model: LP64\n";
        let header = Header::parse(text).expect("it is fine");
        assert_eq!(header.fails, Some(Failure { kind: "invalid-free".to_owned(), line: 7 }));
        assert_eq!((header.check.as_deref(), header.model), (Some("x"), None));
        assert_eq!(header.standard(), "gnu11");
        let old = Header::parse("// std: gnu89\n// model: ILP32\nint x;").expect("it is fine");
        assert_eq!((old.standard(), old.models()), ("gnu89", &[DataModel::Ilp32][..]));
        assert!(Header::parse("// model: LLP64\n").is_err());
        assert!(Header::parse("// fails: invalid-free\n").is_err());
    }

    #[test]
    fn every_program_of_failures_says_how_it_fails() {
        for program in failures() {
            let failure =
                program.header.fails.unwrap_or_else(|| panic!("{} says nothing", program.name));
            let name = program.name.strip_prefix("failures/").unwrap_or_default();
            assert!(
                name.starts_with(&failure.kind),
                "{} fails with {}",
                program.name,
                failure.kind
            );
        }
        assert!(features().iter().all(|program| program.header.fails.is_none()));
    }

    #[test]
    fn a_gap_is_no_feature() {
        assert!(!gaps().is_empty());
        let is_gap = |program: &CProgram| program.name.starts_with("gaps/");
        assert!(gaps().iter().all(is_gap) && !features().iter().any(is_gap));
    }
}
