//! What makes a summary right: claims that anybody can check again.

use loupe_term::Term;

/// Something that was proved on the way to a summary.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it says, for people: which case, and which part of the argument.
    pub name: String,
    /// What was proved.
    pub claim: Claim,
}

/// What was proved.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The formula holds for no values of its symbols.
    Unsat(Term),
    /// Two expressions are the same polynomial: building both gave the same term. It says which.
    Identity(String),
}
