//! The standard headers that Loupe brings, so that its answers are the same on every machine.
//!
//! What is not here and is the compiler's business (`stdarg.h`, `stddef.h`, `limits.h`, …) comes from
//! the library that parses C.

/// The directory in which they seem to be. No file system has it.
pub(super) const DIRECTORY: &str = "<loupe>";

/// Every header: its name as in `#include`, and its text.
const HEADERS: &[(&str, &str)] = &[];

/// The text of a header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(header, _)| *header == name).map(|(_, text)| *text)
}
