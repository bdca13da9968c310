//! Which Z3 is loaded, and is it the right one?
//!
//! Z3 is a shared library, so a binary can meet another release at run time than at build time. The
//! C interface is not stable between releases (numbers of enums move), and a wrong library answers
//! wrongly before it crashes. Hence releases must be equal, not merely compatible.
//!
//! A library that is missing altogether never gets this far: the loader of the system stops the
//! program and names the file.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The release of Z3 that Loupe is built for. `.cargo/config.toml` (`Z3_SYS_Z3_VERSION`) and
/// `scripts/setup-z3.py` name the same one.
pub const NEEDED: LibraryVersion = LibraryVersion { major: 5, minor: 4, patch: 0 };

/// A release of Z3. Its text form may have more behind the three numbers, as in `5.4.0.0`; builds
/// of one release do not differ for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryVersion {
    /// Changes with the largest steps.
    pub major: u32,
    /// Together with `major` part of the library's file name.
    pub minor: u32,
    /// Z3 calls it the build number.
    pub patch: u32,
}

impl fmt::Display for LibraryVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A text that is not a version of Z3.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a version of Z3")]
pub struct ParseVersionError(String);

impl FromStr for LibraryVersion {
    type Err = ParseVersionError;

    /// Reads `5.4.0`, `5.4.0.0`, and the longer forms `Z3 5.4.0.0` and `5.4.0.0 <commit>` that some
    /// builds of the library give.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.trim_start().trim_start_matches("Z3").split_whitespace().next();
        let mut numbers = numbers.unwrap_or_default().split('.').map(str::parse);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok(patch))) => Ok(Self { major, minor, patch }),
            _ => Err(ParseVersionError(text.to_owned())),
        }
    }
}

/// The Z3 library that was loaded is not the one that Loupe was built for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the Z3 library that was loaded is version {found}, but this Loupe needs {needed}; run `make \
     setup` and build again, or, if Loupe is installed, `make install` again (a folder in \
     LD_LIBRARY_PATH may hold the other library)"
)]
pub struct VersionMismatch {
    /// What the library says of itself, word for word.
    pub found: String,
    /// The release that Loupe was built for.
    pub needed: LibraryVersion,
}

/// Asks the loaded library for its version and compares it with the one that Loupe was built for.
/// To be called before anything else is asked of Z3.
///
/// ```
/// let version = loupe_solver::check_library()?;
/// assert_eq!(version, loupe_solver::NEEDED);
/// # Ok::<(), loupe_solver::VersionMismatch>(())
/// ```
///
/// # Errors
///
/// If the versions differ, or if the library's own text is not a version.
pub fn check_library() -> Result<LibraryVersion, VersionMismatch> {
    check(z3::full_version(), NEEDED)
}

fn check(found: &str, needed: LibraryVersion) -> Result<LibraryVersion, VersionMismatch> {
    match found.parse() {
        Ok(version) if version == needed => Ok(version),
        _ => Err(VersionMismatch { found: found.to_owned(), needed }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(major: u32, minor: u32, patch: u32) -> LibraryVersion {
        LibraryVersion { major, minor, patch }
    }

    #[test]
    fn versions_are_read_in_every_form_the_library_uses() {
        for text in ["5.4.0", "5.4.0.0", "Z3 5.4.0.0", "5.4.0.0 0f3c2a1", " 5.4.0\n"] {
            assert_eq!(text.parse(), Ok(version(5, 4, 0)), "{text:?}");
        }
        assert_eq!("4.8.12.0".parse(), Ok(version(4, 8, 12)));
    }

    #[test]
    fn other_texts_are_not_versions() {
        for text in ["", "Z3", "5", "5.4", "5.4.x", "5.-4.0", "five.4.0"] {
            assert_eq!(
                text.parse::<LibraryVersion>(),
                Err(ParseVersionError(text.to_owned())),
                "{text:?}"
            );
        }
    }

    #[test]
    fn versions_are_ordered_by_number_and_printed_as_read() {
        assert!(version(4, 13, 3) < version(4, 16, 0));
        assert!(version(4, 16, 0) < version(5, 4, 0));
        assert_eq!(version(4, 8, 12).to_string(), "4.8.12");
    }

    #[test]
    fn a_release_matches_only_itself() {
        assert_eq!(check("5.4.0.0", NEEDED), Ok(NEEDED));
        for text in ["4.8.12.0", "5.4.1.0", "5.3.0.0", "nonsense"] {
            let mismatch = VersionMismatch { found: text.to_owned(), needed: NEEDED };
            assert_eq!(check(text, NEEDED), Err(mismatch), "{text:?}");
        }
    }

    #[test]
    fn a_mismatch_says_what_was_found_what_is_needed_and_what_to_do() {
        let message = check("4.8.12.0", NEEDED).map_err(|e| e.to_string());
        let expected = "the Z3 library that was loaded is version 4.8.12.0, but this Loupe needs \
             5.4.0; run `make setup` and build again, or, if Loupe is installed, `make install` \
             again (a folder in LD_LIBRARY_PATH may hold the other library)";
        assert_eq!(message, Err(expected.to_owned()));
    }

    #[test]
    fn the_build_is_told_the_same_version() {
        assert_eq!(env!("Z3_SYS_Z3_VERSION").parse(), Ok(NEEDED));
    }

    #[test]
    fn the_loaded_library_is_the_needed_one() {
        assert_eq!(check_library(), Ok(NEEDED));
    }

    #[test]
    fn the_loaded_library_solves() {
        let x = z3::ast::Int::new_const("x");
        let solver = z3::Solver::new();
        solver.assert((&x * &x).eq(144));
        solver.assert(x.lt(0));
        assert_eq!(solver.check(), z3::SatResult::Sat);
        let value = solver.get_model().and_then(|m| m.eval(&x, true)).and_then(|v| v.as_i64());
        assert_eq!(value, Some(-12));

        solver.assert(x.gt(-12));
        assert_eq!(solver.check(), z3::SatResult::Unsat);
    }
}
