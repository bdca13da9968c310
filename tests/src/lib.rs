//! Helpers for the tests of the whole tool.
