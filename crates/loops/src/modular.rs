//! Variables that count only modulo 2ⁿ.
//!
//! A wrapped sum becomes a path of its own only where its value is compared (GUIDE 3, the last paragraph on integers). Where all that guards ask is whether values are
//! *equal*, nothing has to be split: two numbers of n bits are equal iff 2ⁿ divides their difference, and that is known of the numbers before they were
//! wrapped. So `x == y` becomes `2ⁿ | x - y`, and a round that adds 1 to both keeps it, whatever wraps on the way.
//!
//! This is a choice, no matter of soundness: that the new guards are the old ones is proved with the other certificates. It is made for comparisons that
//! no path disturbs which could be repeated under them; `while (x != n) x++` is better divided by what is smaller.

use crate::logic::Logic;
use crate::problem::{End, Loop};
use loupe_integer::{Integer, Signedness};
use loupe_solver::Error;
use loupe_term::{Context, Node, Substitution, SymbolId, Term, Width};
use std::collections::{BTreeMap, BTreeSet};

/// Which variables count modulo a power of 2, and the guards that say so.
#[derive(Debug, Default)]
pub(crate) struct Modular {
    /// The variables, each with its number of bits.
    pub(crate) bits: BTreeMap<SymbolId, u32>,
    /// Equalities, and the congruences that they are.
    congruences: Vec<(Term, Term)>,
}

impl Modular {
    /// The variables of a loop that count modulo a power of 2.
    pub(crate) fn of(
        logic: &mut Logic<'_>,
        problem: &Loop,
        variables: &[SymbolId],
    ) -> Result<Self, Error> {
        let bits = wrapped(logic, problem, variables)?;
        let mut modular = Modular { bits, congruences: Vec::new() };
        let atoms = atoms(logic, problem);
        // One that is no such variable may be what another one flows into, or is compared with.
        let mut before = usize::MAX;
        while !modular.bits.is_empty() && modular.bits.len() < before {
            before = modular.bits.len();
            modular.congruences.clear();
            for atom in &atoms {
                modular.compare(logic, problem, variables, *atom)?;
            }
            modular.keep_flow(logic, problem, variables);
        }
        Ok(modular)
    }

    /// A guard with congruences in the place of equalities.
    pub(crate) fn rewritten(&self, logic: &mut Logic<'_>, guard: Term) -> Term {
        let replace =
            |guard, (old, new): &(Term, Term)| logic.terms.replace_part(guard, *old, *new);
        self.congruences.iter().fold(guard, replace)
    }

    /// Looks at one comparison: an equality becomes a congruence, and everything else wants values that do not wrap.
    fn compare(
        &mut self,
        logic: &mut Logic<'_>,
        problem: &Loop,
        variables: &[SymbolId],
        atom: Term,
    ) -> Result<(), Error> {
        let free = logic.terms.free_symbols(atom);
        let own: Vec<(SymbolId, u32)> =
            free.iter().filter_map(|symbol| Some((*symbol, *self.bits.get(symbol)?))).collect();
        let Some((_, bits)) = own.first().copied() else { return Ok(()) };
        let modulus = Integer::power_of_two(bits);
        if let Node::Zero(value) = *logic.terms.node(atom)
            && own.iter().all(|(_, other)| *other == bits)
            && is_less(logic, &problem.facts, value, &modulus)
            && is_undisturbed(logic, problem, variables, atom, value, &modulus)?
        {
            let congruence = logic.terms.divides(&modulus, value);
            self.congruences.push((atom, congruence));
        } else {
            self.bits.retain(|symbol, _| !own.iter().any(|(other, _)| other == symbol));
        }
        Ok(())
    }

    /// What flows into variables whose wraps are split is split too.
    fn keep_flow(&mut self, logic: &Logic<'_>, problem: &Loop, variables: &[SymbolId]) {
        for (_, path) in problem.iterations() {
            for (variable, update) in variables.iter().zip(&path.updates) {
                if !self.bits.contains_key(variable) {
                    for read in logic.terms.free_symbols(*update) {
                        self.bits.remove(&read);
                    }
                }
            }
        }
    }
}

/// A condition with equalities in the place of congruences again, where the facts say that they are the same.
pub(crate) fn plain(logic: &mut Logic<'_>, facts: &[Term], condition: Term) -> Term {
    let mut parts = logic.conjuncts(condition);
    for part in &mut parts {
        let (atom, is_negated) = match *logic.terms.node(*part) {
            Node::Not(inner) => (inner, true),
            _ => (*part, false),
        };
        let Node::Divides(modulus, value) = logic.terms.node(atom).clone() else { continue };
        let value = balanced(logic, value, &modulus);
        let equal = match is_less(logic, facts, value, &modulus) {
            true => Some(logic.terms.zero(value)),
            false => defined(logic, facts, value, &modulus),
        };
        if let Some(equal) = equal {
            *part = if is_negated { logic.terms.not(equal) } else { equal };
        }
    }
    logic.terms.and(parts)
}

/// What a congruence modulo 2ⁿ says of a symbol: `x = wrap(e)`, if x is of n bits.
fn defined(logic: &mut Logic<'_>, facts: &[Term], value: Term, modulus: &Integer) -> Option<Term> {
    let polynomial = logic.terms.polynomial(value);
    for (symbol, coefficient) in &polynomial.summands {
        if logic.symbol_of(*symbol).is_none() || *coefficient != Integer::ONE {
            continue;
        }
        let (low, high) = range(logic, facts, *symbol)?;
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let least = match signedness {
                Signedness::Signed => modulus.div_floor(&Integer::from(-2))?,
                Signedness::Unsigned => Integer::ZERO,
            };
            let bits = (1..=64).find(|bits| Integer::power_of_two(*bits) == *modulus)?;
            if low >= least && high < least.add(modulus) {
                let rest = logic.terms.sub(*symbol, value);
                let wrapped = logic.terms.wrap(Width { bits, signedness }, rest);
                return Some(logic.terms.eq(*symbol, wrapped));
            }
        }
    }
    None
}

/// The variables that are values of so many bits, and all of whose changes wrap, are constant, or are copies of such variables.
fn wrapped(
    logic: &mut Logic<'_>,
    problem: &Loop,
    variables: &[SymbolId],
) -> Result<BTreeMap<SymbolId, u32>, Error> {
    let mut found = BTreeMap::new();
    let mut before = usize::MAX;
    while found.len() != before {
        before = found.len();
        for (at, symbol) in variables.iter().enumerate() {
            if found.contains_key(symbol) {
                continue;
            }
            let Some(width) = width_of(logic, problem, at, &found) else { continue };
            let variable = problem.variables[at].symbol;
            let value = logic.terms.wrap(width, variable);
            let in_range = logic.terms.eq(value, variable);
            if logic.proves(&problem.facts, in_range)? {
                found.insert(*symbol, width);
            }
        }
    }
    Ok(found.into_iter().map(|(symbol, width)| (symbol, width.bits)).collect())
}

/// The width of all values of a variable, if some of them wrap.
fn width_of(
    logic: &Logic<'_>,
    problem: &Loop,
    at: usize,
    known: &BTreeMap<SymbolId, Width>,
) -> Option<Width> {
    let mut widths = BTreeSet::new();
    for (_, path) in problem.iterations() {
        let update = path.updates[at];
        match *logic.terms.node(update) {
            Node::Wrap(width, _) => {
                widths.insert(width);
            }
            Node::Int(_) => {}
            Node::Symbol(_) if update == problem.variables[at].symbol => {}
            Node::Symbol(copied) => {
                widths.insert(*known.get(&copied)?);
            }
            _ => return None,
        }
    }
    (widths.len() == 1).then(|| widths.pop_first())?
}

/// The comparisons in guards, each once.
fn atoms(logic: &Logic<'_>, problem: &Loop) -> BTreeSet<Term> {
    let mut atoms = BTreeSet::new();
    let mut open: Vec<Term> = problem.paths.iter().map(|path| path.guard).collect();
    while let Some(part) = open.pop() {
        match logic.terms.node(part) {
            Node::And(parts) | Node::Or(parts) => open.extend(parts.iter()),
            Node::Not(inner) => open.push(*inner),
            _ => {
                atoms.insert(part);
            }
        }
    }
    atoms
}

/// Whether a value is less than a number, whatever its sign: then it is 0 iff the number divides it.
fn is_less(logic: &mut Logic<'_>, facts: &[Term], value: Term, number: &Integer) -> bool {
    range(logic, facts, value).is_some_and(|(low, high)| low.neg() < *number && high < *number)
}

fn range(logic: &mut Logic<'_>, facts: &[Term], value: Term) -> Option<(Integer, Integer)> {
    let mut context = Context::new();
    for fact in facts {
        context.assume(logic.terms, *fact);
    }
    let range = context.range(logic.terms, value);
    Some((range.low()?.clone(), range.high()?.clone()))
}

/// Whether no path changes a comparison modulo a number that it could be repeated under.
fn is_undisturbed(
    logic: &mut Logic<'_>,
    problem: &Loop,
    variables: &[SymbolId],
    atom: Term,
    value: Term,
    modulus: &Integer,
) -> Result<bool, Error> {
    let negated = logic.terms.not(atom);
    for path in problem.paths.iter().filter(|path| path.end == End::Again) {
        let parts = logic.terms.post_order(path.guard);
        if !parts.contains(&atom) && !parts.contains(&negated) {
            continue;
        }
        let store: Substitution =
            variables.iter().copied().zip(path.updates.iter().copied()).collect();
        let after = logic.put(value, &store);
        let change = logic.terms.sub(after, value);
        let stays = logic.terms.divides(modulus, change);
        if logic.terms.as_bool(stays) == Some(true) {
            continue;
        }
        let again = logic.put(path.guard, &store);
        let twice: Vec<Term> = problem.facts.iter().copied().chain([path.guard, again]).collect();
        if !logic.refuted(&twice)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same modulo a number, with coefficients around 0.
fn balanced(logic: &mut Logic<'_>, value: Term, modulus: &Integer) -> Term {
    let polynomial = logic.terms.polynomial(value);
    let near = |number: &Integer| match number.add(number) > *modulus {
        true => number.sub(modulus),
        false => number.clone(),
    };
    let mut sum = logic.terms.int(near(&polynomial.constant));
    for (monomial, coefficient) in &polynomial.summands {
        sum = logic.terms.add_scaled(sum, *monomial, &near(coefficient));
    }
    sum
}
