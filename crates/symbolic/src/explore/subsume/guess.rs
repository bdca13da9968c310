//! What may hold whenever a loop is come to.

use super::induct::Sets;
use super::visit::Ended;
use super::{Subsumption, conjuncts};
use crate::domain::{Feasible, Outcome, Symbolic};
use crate::path::Path;
use loupe_integer::Integer;
use loupe_term::{Context, Node, Rounding, Sort, Substitution, Term};
use std::collections::BTreeSet;

/// So many conditions are guessed for a node.
const MAX_GUESSES: usize = 160;
/// Larger ones are not.
const MAX_SIZE: usize = 120;
/// Pairs of so many values are compared.
const MAX_COMPARED: usize = 10;
/// So often what is guessed behind a way is guessed before it.
const ROUNDS: usize = 2;

/// What is guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guesses {
    /// How values compare, and what keeps ways from going wrong: such conditions do for many states.
    Relations,
    /// Also in which bounds single values are.
    All,
}

impl Subsumption {
    /// Conditions for the nodes of a region. A state waits at one of them, so what it has there is among them.
    pub(super) fn guesses(
        &self,
        domain: &mut Symbolic,
        region: &BTreeSet<usize>,
        (at, guesses): (&Ended, Guesses),
    ) -> Outcome<Sets> {
        let mut sets: Sets = region.iter().map(|node| (*node, Vec::new())).collect();
        for node in region {
            let found = self.found.as_ref().map(|found| found[*node].clone());
            self.add(domain, &mut sets, *node, found.unwrap_or_default());
            let mut own = Vec::new();
            for way in &self.out[*node] {
                self.of_way(domain, *way, region, &mut own);
            }
            if guesses == Guesses::Relations {
                // What keeps ways from going wrong is asked for, whatever it is.
                let mut asked = Vec::new();
                for way in &self.out[*node] {
                    self.of_end(domain, *way, region, &mut asked);
                }
                own.retain(|guess| is_relation(domain, *guess) || asked.contains(guess));
            }
            for annotation in &self.known[*node] {
                own.extend(conjuncts(domain, *annotation));
            }
            self.add(domain, &mut sets, *node, own);
        }
        let mut of_state = self.of_state(domain, at)?;
        if guesses == Guesses::Relations {
            of_state.retain(|guess| is_relation(domain, *guess));
        }
        self.add(domain, &mut sets, at.node, of_state);
        for _ in 0..ROUNDS {
            self.backwards(domain, region, &mut sets);
        }
        self.elsewhere(domain, region, &mut sets);
        Ok(sets)
    }

    /// Adds what a node can say, and nothing twice.
    fn add(&self, domain: &Symbolic, sets: &mut Sets, node: usize, guesses: Vec<Term>) {
        let set = sets.entry(node).or_default();
        for guess in guesses {
            if set.len() < MAX_GUESSES
                && domain.terms.as_bool(guess).is_none()
                && !domain.terms.is_starred(guess)
                && !domain.terms.has_quantifier(guess)
                && domain.terms.size(guess) <= most_of(domain, guess)
                && self.is_own(domain, node, guess)
                && !set.contains(&guess)
            {
                set.push(guess);
            }
        }
    }

    /// What a way asks for, its opposite, and what keeps it from going wrong.
    fn of_way(
        &self,
        domain: &mut Symbolic,
        number: usize,
        region: &BTreeSet<usize>,
        own: &mut Vec<Term>,
    ) {
        let way = &self.ways[number];
        let mut parts: Vec<Term> = Vec::new();
        for condition in &way.conditions {
            parts.extend(conjuncts(domain, *condition));
        }
        self.of_end(domain, number, region, own);
        for part in parts {
            let opposite = domain.terms.not(part);
            own.extend([part, opposite]);
            for literal in [part, opposite] {
                match domain.terms.node(literal).clone() {
                    // One step less: what a loop asks for holds nearly behind it.
                    Node::NonPositive(sum) => {
                        let one = domain.terms.int(1);
                        own.push(domain.terms.le(sum, one));
                    }
                    Node::Zero(sum) => {
                        let zero = domain.terms.int(0);
                        own.push(domain.terms.le(sum, zero));
                        own.push(domain.terms.le(zero, sum));
                    }
                    _ => {}
                }
            }
        }
    }

    /// What keeps a way from going wrong, if it leads out of the region.
    fn of_end(
        &self,
        domain: &mut Symbolic,
        number: usize,
        region: &BTreeSet<usize>,
        own: &mut Vec<Term>,
    ) {
        let way = &self.ways[number];
        match &way.to {
            None => {
                let gone = domain.terms.and(way.conditions.iter().copied());
                own.push(domain.terms.not(gone));
                // The last of its conditions is what went wrong.
                if let Some(last) = way.conditions.last() {
                    own.push(domain.terms.not(*last));
                }
            }
            Some((to, store)) if !region.contains(to) => {
                for known in &self.known[*to] {
                    for part in conjuncts(domain, *known) {
                        let before = domain.terms.substitute(part, store);
                        own.extend(conjuncts(domain, before));
                        if let Node::Or(choices) = domain.terms.node(before) {
                            own.extend(choices.to_vec());
                        }
                        let gone = domain.terms.and(way.conditions.iter().copied());
                        own.push(domain.terms.implies(gone, before));
                    }
                }
            }
            Some(_) => {}
        }
    }

    /// What the values of a state tell: constants, bounds, and how they compare.
    fn of_state(&self, domain: &mut Symbolic, at: &Ended) -> Outcome<Vec<Term>> {
        let node = &self.graph.nodes[at.node];
        let path: Path = at.path.clone();
        domain.path = path.clone();
        let mut context = Context::new();
        for condition in path.conditions() {
            context.assume(&mut domain.terms, condition);
        }
        let mut values: Vec<(usize, Term, Term)> = node
            .arguments
            .iter()
            .zip(&at.values)
            .enumerate()
            .filter(|(_, (argument, _))| domain.terms.sort(argument.symbol) == Sort::Int)
            .map(|(number, (argument, value))| (number, argument.symbol, *value))
            .collect();
        // What the path says keeps most sums from wrapping.
        for (_, _, value) in &mut values {
            *value = context.simplify(&mut domain.terms, *value);
        }
        let mut found = Vec::new();
        let mut steps: Vec<(Term, Term, Integer)> = Vec::new();
        for (number, symbol, value) in &values {
            bounds(domain, &mut context, (*symbol, *value), &mut found);
            let before = at.before.as_ref().and_then(|before| before.get(*number));
            let Some(before) = before else { continue };
            let before = context.simplify(&mut domain.terms, *before);
            let step = domain.terms.sub(*value, before);
            if let Some(step) = domain.terms.as_int(step).cloned() {
                steps.push((*symbol, *value, step));
            }
        }
        let moves: Vec<&(Term, Term, Integer)> =
            steps.iter().filter(|(_, _, step)| !step.is_zero()).take(MAX_COMPARED).collect();
        for (number, (one, value, step)) in moves.iter().enumerate() {
            for (other, its, its_step) in &moves[number + 1..] {
                // This sum stays the same.
                let sum = difference(domain, (*one, its_step), (*other, step));
                let there = difference(domain, (*value, its_step), (*its, step));
                bounds(domain, &mut context, (sum, there), &mut found);
                self.like_others(domain, &values, (sum, there), &mut found);
            }
            let size = if *step < Integer::ZERO { step.neg() } else { step.clone() };
            if size > Integer::ONE {
                let divisor = domain.terms.int(size);
                let there = domain.terms.remainder(Rounding::Euclidean, *value, divisor);
                let here = domain.terms.remainder(Rounding::Euclidean, *one, divisor);
                bounds(domain, &mut context, (here, there), &mut found);
            }
        }
        for (number, (_, one, value)) in values.iter().enumerate().take(MAX_COMPARED) {
            if domain.limits.interrupt.is_requested() {
                break;
            }
            for (_, other, its) in &values[number + 1..values.len().min(MAX_COMPARED)] {
                let sum = domain.terms.sub(*one, *other);
                let there = domain.terms.sub(*value, *its);
                bounds(domain, &mut context, (sum, there), &mut found);
                let zero = domain.terms.int(0);
                for (low, high) in [((zero, zero), (sum, there)), ((sum, there), (zero, zero))] {
                    let holds = domain.terms.le(low.1, high.1);
                    let fails = domain.terms.not(holds);
                    if matches!(domain.feasible(fails)?, Feasible::No) {
                        found.push(domain.terms.le(low.0, high.0));
                    }
                }
                let sum = domain.terms.add(*one, *other);
                let there = domain.terms.add(*value, *its);
                if domain.terms.as_int(there).is_some() {
                    bounds(domain, &mut context, (sum, there), &mut found);
                }
            }
        }
        Ok(found)
    }

    /// A sum that is, but for a constant, another value, or the sum or difference of two.
    fn like_others(
        &self,
        domain: &mut Symbolic,
        values: &[(usize, Term, Term)],
        (sum, there): (Term, Term),
        found: &mut Vec<Term>,
    ) {
        for (number, third, like) in values.iter().take(MAX_COMPARED) {
            let left = domain.terms.sub(there, *like);
            let own = domain.terms.sub(sum, *third);
            if domain.terms.as_int(left).is_some() {
                found.push(domain.terms.eq(own, left));
                continue;
            }
            for (other, fourth, also) in values.iter().take(MAX_COMPARED) {
                let difference = domain.terms.add(left, *also);
                if domain.terms.as_int(difference).is_some() && other != number {
                    let own = domain.terms.add(own, *fourth);
                    found.push(domain.terms.eq(own, difference));
                }
                let rest = domain.terms.sub(left, *also);
                if domain.terms.as_int(rest).is_some() && other > number {
                    let own = domain.terms.sub(own, *fourth);
                    found.push(domain.terms.eq(own, rest));
                }
            }
        }
    }

    /// What is guessed behind a way is guessed before it, in the values there.
    fn backwards(&self, domain: &mut Symbolic, region: &BTreeSet<usize>, sets: &mut Sets) {
        for node in region {
            for number in &self.out[*node] {
                let Some((to, store)) = &self.ways[*number].to else { continue };
                let Some(there) = sets.get(to).cloned() else { continue };
                let mut found = Vec::new();
                for guess in there {
                    let before = domain.terms.substitute(guess, store);
                    found.extend(conjuncts(domain, before));
                }
                self.add(domain, sets, *node, found);
            }
        }
    }

    /// What is guessed at one node is guessed at the others, where they have the same variables.
    fn elsewhere(&self, domain: &mut Symbolic, region: &BTreeSet<usize>, sets: &mut Sets) {
        let all = sets.clone();
        for (from, set) in &all {
            for to in region.iter().filter(|to| *to != from) {
                let (own, others) = (&self.graph.nodes[*from], &self.graph.nodes[*to]);
                let mut store = Substitution::default();
                for argument in &own.arguments {
                    let same = others.arguments.iter().find(|other| other.slot == argument.slot);
                    if let (Some(same), Node::Symbol(id)) =
                        (same, domain.terms.node(argument.symbol))
                    {
                        store.insert(*id, same.symbol);
                    }
                }
                let mut found = Vec::new();
                for guess in set {
                    found.push(domain.terms.substitute(*guess, &store));
                }
                self.add(domain, sets, *to, found);
            }
        }
    }
}

/// How large a guess may be: products of sums grow whenever something is put in.
fn most_of(domain: &Symbolic, guess: Term) -> usize {
    if domain.terms.has_product(guess) { MAX_SIZE / 4 } else { MAX_SIZE }
}

/// Whether a formula speaks of several values.
fn is_relation(domain: &Symbolic, formula: Term) -> bool {
    domain.terms.free_symbols(formula).len() > 1
}

/// One term so many times, less another so many times.
fn difference(domain: &mut Symbolic, one: (Term, &Integer), other: (Term, &Integer)) -> Term {
    let scaled = domain.terms.scale(one.0, one.1);
    domain.terms.add_scaled(scaled, other.0, &other.1.neg())
}

/// The constant that a value is, or the bounds that it has, as conditions on what stands for it.
fn bounds(
    domain: &mut Symbolic,
    context: &mut Context,
    (symbol, value): (Term, Term),
    found: &mut Vec<Term>,
) {
    let range = context.range(&domain.terms, value);
    if let Some(number) = range.value() {
        let number = domain.terms.int(number.clone());
        found.push(domain.terms.eq(symbol, number));
    }
    if let Some(low) = range.low() {
        let low = domain.terms.int(low.clone());
        found.push(domain.terms.le(low, symbol));
    }
    if let Some(high) = range.high() {
        let high = domain.terms.int(high.clone());
        found.push(domain.terms.le(symbol, high));
    }
}
