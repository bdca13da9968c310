//! The standard headers that Loupe brings, so that its answers are the same on every machine.
//!
//! They are the files in `include/`. What is not there and is the compiler's business comes from the
//! library that parses C.

/// The directory in which they seem to be. No file system has it.
pub(super) const DIRECTORY: &str = "<loupe>";

use crate::headers::HEADERS;

/// The text of a header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let found = HEADERS.binary_search_by(|(header, _)| (*header).cmp(name));
    found.ok().map(|at| HEADERS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_ordered() {
        assert!(HEADERS.is_sorted_by_key(|(name, _)| *name));
        for (name, text_of_it) in HEADERS {
            assert_eq!(text(name), Some(*text_of_it));
        }
        assert_eq!(text("no-such-header.h"), None);
    }
}
