//! What makes a summary right: claims that anybody can check again.

use crate::logic::Logic;
use loupe_solver::Error;
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

/// Why something was not proved.
pub(crate) type Failure = String;

/// Proves a claim and keeps it.
pub(crate) fn prove(
    logic: &mut Logic<'_>,
    obligations: &mut Vec<Obligation>,
    name: &str,
    given: &[Term],
    claim: Term,
) -> Result<Result<(), Failure>, Error> {
    if logic.terms.as_bool(claim) == Some(true) {
        return Ok(Ok(()));
    }
    if !logic.proves(given, claim)? {
        return Ok(Err(format!("it was not proved that {name}")));
    }
    let opposite = logic.terms.not(claim);
    let never = logic.terms.and(given.iter().copied().chain([opposite]));
    if logic.terms.as_bool(never) != Some(false) {
        obligations.push(Obligation { name: name.into(), claim: Claim::Unsat(never) });
    }
    Ok(Ok(()))
}
