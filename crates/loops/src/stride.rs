//! Loops that move in strides: something that guards compare changes by multiples of c on every path, like `z - x` where paths add 2 to one of both.
//!
//! Then `e mod c` never changes, and the loop is c loops, one for each remainder r. In the loop of r, `e = c·q + r` at every header, and q takes the place of a
//! variable of e: it moves by single steps, so phases and rounds have counts without quotients. Entries have one remainder each, so the cases of the c loops
//! together are the cases of the loop, where `c | e - r` holds and q is `(e - r) / c`.

use crate::certificate::{Claim, Obligation};
use crate::logic::Logic;
use crate::problem::{Loop, Precision};
use crate::summary::{Covers, Summary, Tag};
use crate::{Effort, exactly};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Origin, Rounding, Sort, Substitution, Term, Terms};
use std::collections::BTreeSet;

/// Longer strides are not looked at.
const MAX_STRIDE: i64 = 4;

/// Something that moves in strides.
struct Stride {
    /// What.
    value: Term,
    length: Integer,
    /// How many strides it goes on each path.
    steps: Vec<Integer>,
    /// Which of the variables makes room.
    variable: usize,
    /// The sign that it has in the value.
    is_negated: bool,
}

/// The summary of such a loop; `None` if it is another one, or too much.
pub(crate) fn strided(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
    depth: usize,
) -> Result<Option<Summary>, Error> {
    let is_exact = problem.paths.iter().all(|path| path.precision == Precision::Exact);
    if depth > 0 || !is_exact || problem.iterations().count() < 2 {
        return Ok(None);
    }
    let Some(stride) = find(logic, problem) else { return Ok(None) };
    let mut whole = Summary {
        tag: Tag::Exact,
        cases: Vec::new(),
        diverging: Vec::new(),
        covers: Covers::All,
        reasons: Vec::new(),
        obligations: vec![Obligation {
            name: format!("something compared changes by multiples of {} only", stride.length),
            claim: Claim::Identity(logic.terms.text(stride.value)),
        }],
        under: None,
        witnesses: vec![Vec::new(); problem.paths.len()],
    };
    let mut remainder = Integer::ZERO;
    while remainder < stride.length {
        let Some(part) = stride.part(logic, problem, &remainder, effort)? else {
            return Ok(None);
        };
        if part.covers != Covers::All {
            whole.covers = Covers::Ending;
        }
        whole.cases.extend(part.cases);
        whole.diverging.extend(part.diverging);
        whole.obligations.extend(part.obligations);
        whole.witnesses = part.witnesses;
        remainder = remainder.add(&Integer::ONE);
    }
    Ok((whole.cases.len() <= effort.cases).then_some(whole))
}

/// What guards compare, as far as it moves in strides.
fn find(logic: &mut Logic<'_>, problem: &Loop) -> Option<Stride> {
    let symbols: Vec<Term> = problem.variables.iter().map(|variable| variable.symbol).collect();
    let mut compared: BTreeSet<Term> = BTreeSet::new();
    for path in &problem.paths {
        for part in logic.terms.post_order(path.guard) {
            if let Node::NonPositive(value) | Node::Zero(value) = *logic.terms.node(part) {
                // Without the constant, so that one value is not two.
                let mut polynomial = logic.terms.polynomial(value);
                polynomial.constant = Integer::ZERO;
                compared.insert(logic.terms.from_polynomial(polynomial));
            }
        }
    }
    compared.into_iter().find_map(|value| {
        let polynomial = logic.terms.polynomial(value);
        let parts = &polynomial.summands;
        // What is new in every iteration does not stay, whatever the updates say.
        let is_fresh = |part: &Term| {
            let mut fresh = problem.paths.iter().flat_map(|path| &path.fresh);
            fresh.any(|fresh| fresh.symbol == *part)
        };
        let is_linear = parts
            .iter()
            .all(|(part, _)| matches!(logic.terms.node(*part), Node::Symbol(_)) && !is_fresh(part));
        if !is_linear || parts.iter().filter(|(part, _)| symbols.contains(part)).count() < 2 {
            return None;
        }
        let mut steps = Vec::new();
        for path in &problem.paths {
            let store: Substitution = problem
                .variables
                .iter()
                .zip(&path.updates)
                .filter_map(|(variable, update)| Some((logic.symbol_of(variable.symbol)?, *update)))
                .collect();
            let after = logic.put(value, &store);
            let step = logic.terms.sub(after, value);
            steps.push(logic.terms.as_int(step)?.clone());
        }
        let length = steps.iter().fold(Integer::ZERO, |length, step| length.gcd(step));
        if length <= Integer::ONE || length > Integer::from(MAX_STRIDE) {
            return None;
        }
        let unit = |(part, factor): &(Term, Integer)| {
            let variable = symbols.iter().position(|symbol| symbol == part)?;
            let is_unit = *factor == Integer::ONE || factor.neg() == Integer::ONE;
            is_unit.then(|| (variable, factor.is_negative()))
        };
        let (variable, is_negated) = parts.iter().find_map(unit)?;
        let steps = steps.iter().map(|step| step.div_floor(&length)).collect::<Option<_>>()?;
        Some(Stride { value, length, steps, variable, is_negated })
    })
}

impl Stride {
    /// The cases of the entries with one remainder.
    fn part(
        &self,
        logic: &mut Logic<'_>,
        problem: &Loop,
        remainder: &Integer,
        effort: &Effort,
    ) -> Result<Option<Summary>, Error> {
        let old = problem.variables[self.variable].symbol;
        let Some(symbol) = logic.symbol_of(old) else { return Ok(None) };
        let new = logic.terms.fresh("q", Sort::Int, Origin::default());
        // e = ±v + rest, so v = ±(c·q + r - rest).
        let number = logic.terms.int(remainder.clone());
        let place = logic.terms.add_scaled(number, new, &self.length);
        let zero = logic.terms.int(0);
        let rest = logic.put(self.value, &[(symbol, zero)].into_iter().collect());
        let place = logic.terms.sub(place, rest);
        let place = if self.is_negated { logic.terms.neg(place) } else { place };
        let store: Substitution = [(symbol, place)].into_iter().collect();
        let mut part = problem.clone();
        part.variables[self.variable].symbol = new;
        for (path, steps) in part.paths.iter_mut().zip(&self.steps) {
            path.guard = logic.put(path.guard, &store);
            path.updates = logic.put_all(&path.updates, &store);
            let steps = logic.terms.int(steps.clone());
            path.updates[self.variable] = logic.terms.add(new, steps);
        }
        part.facts = logic.put_all(&part.facts, &store);
        part.entry = logic.put_all(&part.entry, &store);
        let Ok(mut summary) = exactly(logic, &part, effort, 1)? else { return Ok(None) };
        // Back: the variable is what its place says, of the values afterwards, and q is a quotient.
        for case in &mut summary.cases {
            let after: Substitution = part
                .variables
                .iter()
                .zip(&case.values)
                .filter_map(|(variable, value)| Some((logic.symbol_of(variable.symbol)?, *value)))
                .collect();
            case.values[self.variable] = logic.put(place, &after);
            if let Some(quotient) = case.before.get(self.variable).copied() {
                let mut before: Substitution = part
                    .variables
                    .iter()
                    .zip(&case.before)
                    .filter_map(|(own, value)| Some((logic.symbol_of(own.symbol)?, *value)))
                    .collect();
                before.extend(logic.symbol_of(new).map(|id| (id, quotient)));
                case.before[self.variable] = logic.put(place, &before);
            }
        }
        let multiple = logic.terms.sub(self.value, number);
        let is_here = logic.terms.divides(&self.length, multiple);
        let mut summary = summary.map(&mut |term| self.put_back(logic, term, (new, multiple)));
        for case in &mut summary.cases {
            case.condition = logic.terms.and([case.condition, is_here]);
        }
        for obligation in &mut summary.obligations {
            if let Claim::Unsat(claim) = &mut obligation.claim {
                *claim = logic.terms.and([*claim, is_here]);
            }
        }
        for set in &mut summary.diverging {
            set.condition = logic.terms.and([set.condition, is_here]);
        }
        Ok(Some(summary))
    }

    /// A term with `(e - r) / c` for q; and `e - r` for `c·q`, which it is here.
    fn put_back(&self, logic: &mut Logic<'_>, term: Term, (new, multiple): (Term, Term)) -> Term {
        // c·(k·q + rest) = k·(e - r) + c·rest
        let times = |terms: &mut Terms, value: Term| {
            let polynomial = terms.polynomial(value);
            let (_, factor) = polynomial.summands.iter().find(|(part, _)| *part == new)?;
            let rest = terms.add_scaled(value, new, &factor.neg());
            let rest = terms.scale(rest, &self.length);
            Some((terms.add_scaled(rest, multiple, factor), factor.clone()))
        };
        let length = logic.terms.int(self.length.clone());
        let term = match logic.terms.sort(term) {
            Sort::Int => match times(logic.terms, term) {
                Some((product, factor))
                    if factor.rem_euclidean(&self.length).is_some_and(|rest| rest.is_zero()) =>
                {
                    logic.terms.quotient(Rounding::Euclidean, product, length)
                }
                _ => term,
            },
            _ => {
                let mut term = term;
                for part in logic.terms.post_order(term) {
                    let (Node::NonPositive(value) | Node::Zero(value)) = *logic.terms.node(part)
                    else {
                        continue;
                    };
                    let is_zero = matches!(logic.terms.node(part), Node::Zero(_));
                    let Some((value, _)) = times(logic.terms, value) else { continue };
                    let cleared = match is_zero {
                        true => logic.terms.zero(value),
                        false => logic.terms.non_positive(value),
                    };
                    term = logic.terms.replace_part(term, part, cleared);
                }
                term
            }
        };
        let quotient = logic.terms.quotient(Rounding::Euclidean, multiple, length);
        let back: Substitution =
            logic.symbol_of(new).map(|symbol| (symbol, quotient)).into_iter().collect();
        logic.put(term, &back)
    }
}
