//! Directives in programs.

use super::Expectation;
use crate::Answer;

/// What every directive begins with.
const MARK: &str = "// loupe: verify ";

/// What a program says of itself: `// loupe: verify [property] safe|unsafe`, on a line of its own among the comments at its top.
pub fn directive(program: &str) -> Option<Expectation> {
    let top = program.lines().take_while(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with("//") || line.starts_with("/*") || line.starts_with('*')
    });
    let words = top.filter_map(|line| line.trim().strip_prefix(MARK));
    words.map(|words| words.split_whitespace().collect::<Vec<_>>()).find_map(|words| {
        let (answer, property) = match words[..] {
            [answer] => (answer, None),
            [property, answer] => (answer, Some(property.to_owned())),
            _ => return None,
        };
        let expected = Answer::from_name(answer)?;
        Some(Expectation { property, expected: Some(expected), ..Expectation::default() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_stand_at_the_top() {
        let of = |text: &str| directive(text).and_then(|known| known.expected);
        assert_eq!(of("// about\n\n// loupe: verify safe\nmain() {}"), Some(Answer::Safe));
        assert_eq!(of("main() {}\n// loupe: verify safe"), None);
        assert_eq!(of("// loupe: verify certainly"), None);
        assert_eq!(of("// loupe: run => ok"), None);
        let known = directive("// loupe: verify termination unsafe").expect("a directive");
        assert_eq!(known.property.as_deref(), Some("termination"));
        assert_eq!(known.expected, Some(Answer::Unsafe));
    }
}
