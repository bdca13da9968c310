//! Task files of SV-COMP: `NAME.yml` beside a program.

use super::{Expectation, PROPERTIES, data_model};
use crate::Answer;
use yaml_rust2::{Yaml, YamlLoader};

/// What a task file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// The program: files beside it.
    pub inputs: Vec<String>,
    /// The properties with a known answer that `loupe` can ask for.
    pub expectations: Vec<Expectation>,
}

/// A task file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskFileError {
    /// It is no YAML.
    #[error("line {line}, column {column}: {reason}")]
    NoYaml {
        /// Where it is wrong.
        line: usize,
        /// Where in the line.
        column: usize,
        /// What is wrong.
        reason: String,
    },
    /// It names no program.
    #[error("there is no `input_files`")]
    NoInput,
}

impl TaskFile {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn parse(text: &str) -> Result<Self, TaskFileError> {
        let documents = YamlLoader::load_from_str(text).map_err(|error| {
            let place = error.marker();
            let (line, column) = (place.line(), place.col() + 1);
            TaskFileError::NoYaml { line, column, reason: error.info().to_owned() }
        })?;
        let document = documents.first().unwrap_or(&Yaml::BadValue);
        let inputs = match &document["input_files"] {
            Yaml::String(name) => vec![name.clone()],
            Yaml::Array(names) => {
                names.iter().filter_map(Yaml::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        if inputs.is_empty() {
            return Err(TaskFileError::NoInput);
        }
        let model = document["options"]["data_model"].as_str().and_then(data_model);
        let properties = document["properties"].as_vec().map_or(&[][..], Vec::as_slice);
        let expectations = properties.iter().filter_map(|property| {
            let file = property["property_file"].as_str()?;
            let name = file.rsplit('/').next()?.strip_suffix(".prp")?;
            let holds = property["expected_verdict"].as_bool()?;
            PROPERTIES.contains(&name).then(|| Expectation {
                property: Some(name.to_owned()),
                expected: Some(if holds { Answer::Safe } else { Answer::Unsafe }),
                data_model: model.clone(),
                is_disputed: false,
            })
        });
        Ok(TaskFile { inputs, expectations: expectations.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_the_competition_is_read() {
        let text = "format_version: '2.0'\n# about\ninput_files: 'array-1.i'\nproperties:\n\
                    \x20 - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n\
                    \x20 - property_file: ../properties/coverage-branches.prp\n\
                    options:\n  language: C\n  data_model: ILP32\n";
        let task = TaskFile::parse(text).expect("a task");
        assert_eq!(task.inputs, ["array-1.i"]);
        let [known] = &task.expectations[..] else { panic!("one property has an answer") };
        assert_eq!(known.property.as_deref(), Some("unreach-call"));
        assert_eq!(
            (known.expected, known.data_model.as_deref()),
            (Some(Answer::Unsafe), Some("ILP32"))
        );
        let several = TaskFile::parse("input_files: ['a.c', 'b.c']").expect("a task");
        assert_eq!(several.inputs, ["a.c", "b.c"]);
    }

    #[test]
    fn other_files_are_no_tasks() {
        assert_eq!(TaskFile::parse(""), Err(TaskFileError::NoInput));
        assert_eq!(TaskFile::parse("x: 1"), Err(TaskFileError::NoInput));
        let complaint = TaskFile::parse("a: [1").expect_err("no YAML").to_string();
        assert!(complaint.starts_with("line "), "{complaint}");
    }
}
