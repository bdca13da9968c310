//! Snapshots: the whole text that users see, kept in a file beside the program.
//!
//! `LOUPE_BLESS=1` accepts what comes out now (`make bless` sets it).

use std::fs;
use std::path::Path;

/// Whether snapshots are to be written instead of compared.
pub fn blessing() -> bool {
    std::env::var_os("LOUPE_BLESS").is_some_and(|value| value == "1")
}

/// Compares `found` with the snapshot in `file`, or writes it there.
pub fn check(file: &Path, found: &str) -> Result<(), String> {
    let expected = fs::read_to_string(file).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    if blessing() {
        return fs::write(file, found).map_err(|error| format!("{}: {error}", file.display()));
    }
    Err(format!(
        "{} is different (LOUPE_BLESS=1 accepts it):\n{}",
        file.display(),
        difference(&expected, found)
    ))
}

/// The lines that differ, between those that two texts have in common at their start and end.
pub fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let marked = |mark: &str, lines: &[&str]| -> String {
        lines[..lines.len() - end].iter().map(|line| format!("{mark} {line}\n")).collect()
    };
    format!("from line {}:\n{}{}", start + 1, marked("-", old), marked("+", new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_what_changed_and_no_more() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "from line 2:\n- b\n+ x\n+ y\n");
        assert_eq!(difference("", "a\n"), "from line 1:\n+ a\n");
        assert_eq!(difference("a\na\n", "a\n"), "from line 2:\n- a\n");
    }
}
