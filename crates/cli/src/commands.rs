//! The commands, one file each.

pub(crate) mod ast;

pub(crate) mod run;
