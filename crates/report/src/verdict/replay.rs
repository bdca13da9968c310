//! The command that replays what was found.

use super::Verified;
use super::inputs::run_length;
use loupe_integer::Integer;
use loupe_symbolic::explore::{Endless, Model};

/// A line of people's text has at most so many characters.
const MOST: usize = 2_000;
/// What is read for ever is read so often, or so many numbers if they are different ones.
const FOREVER: usize = 1_000_000;
const DIFFERENT: usize = 1_000;
/// An execution that never ends is watched for so many steps, or more such parts if it takes longer to come to its loop.
const STEPS: u64 = 1_000_000;

/// The run that fails.
pub(super) fn of_violation(verified: &Verified<'_>, model: &Model) -> String {
    command(verified, model, &model.inputs, "")
}

/// A run that does not end.
pub(super) fn of_endless(verified: &Verified<'_>, found: &Endless) -> String {
    let is_one = found.forever.windows(2).all(|pair| pair[0] == pair[1]);
    let often = if is_one { FOREVER } else { DIFFERENT };
    let mut inputs = found.model.inputs.clone();
    inputs.extend(found.forever.iter().cycle().take(often).cloned());
    // Where it is not known when it is there, whoever watches it has to end it.
    let steps = found.steps.and_then(|steps| steps.max(STEPS).checked_next_multiple_of(STEPS));
    let limit = steps.map_or(String::new(), |steps| format!(" --max-steps {steps}"));
    command(verified, &found.model, &inputs, &limit)
}

fn command(verified: &Verified<'_>, model: &Model, inputs: &[Integer], more: &str) -> String {
    let mut text = String::new();
    if !model.standard_input.is_empty() {
        let bytes = model.standard_input.iter().map(|byte| format!("\\{byte:03o}"));
        text += &format!("printf '{}' | ", bytes.collect::<String>());
    }
    text += &format!("{} --input \"{}\"", verified.run, run_length(inputs));
    if model.undefined.iter().any(|value| !value.is_zero()) {
        text += &format!(" --uninitialised \"{}\"", run_length(&model.undefined));
    }
    text += more;
    if let [_, arguments @ ..] = &model.command_line[..]
        && !arguments.is_empty()
    {
        // As the shell reads bytes of all kinds.
        let quoted = |argument: &Vec<u8>| {
            let bytes = argument.iter().map(|byte| format!("\\{byte:03o}"));
            format!("\"$(printf '{}')\"", bytes.collect::<String>())
        };
        let all: Vec<String> = arguments.iter().map(quoted).collect();
        text += &format!(" -- {}", all.join(" "));
    }
    text
}

/// The same as a line for people.
pub(super) fn text(command: &str) -> String {
    match command.len() <= MOST {
        true => format!("replay: {command}"),
        false => {
            "replay: with too many inputs for a line; --format json has the command".to_owned()
        }
    }
}
