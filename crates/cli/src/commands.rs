//! The commands, one file each.

mod afterwards;
mod assumptions;
pub(crate) mod ast;
pub(crate) mod bench;
pub(crate) mod cfg;
pub(crate) mod costs;
pub(crate) mod explore;
pub(crate) mod r#gen;
pub(crate) mod loops;
mod progress;
pub(crate) mod reach;
mod replay;
pub(crate) mod run;
pub(crate) mod solve;
pub(crate) mod test;
pub(crate) mod verify;
