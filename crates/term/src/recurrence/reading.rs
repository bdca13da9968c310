//! Updates over solved variables as sequences, and affine systems made of them.

use super::Obstacle;
use super::affine::{AffineSystem, Step};
use super::exponential::Exponential;
use super::obligations::Argument;
use super::sequence::{Sequence, Shape};
use super::systems::{Shadow, Solved, Solver};
use crate::node::{Node, SymbolId, Term};
use crate::polynomial::Polynomial;
use crate::traverse::Substitution;
use loupe_integer::Integer;
use std::collections::BTreeMap;

/// Substitutions that could multiply out to more summands are not made.
const MAX_EXPANSION: usize = 20_000;
/// Substitutions that could lead to monomials with more factors are not made.
const MAX_DEGREE: u32 = 256;

/// The values of atoms of polynomials.
type Atoms = BTreeMap<Term, Sequence<Exponential>>;

/// The same, in all positions of one shape.
struct Table {
    shape: Shape,
    values: BTreeMap<Term, Vec<Exponential>>,
}

/// Variables that are to be solved together, and modulo what.
pub(super) struct Component<'a> {
    pub(super) updates: &'a BTreeMap<SymbolId, Term>,
    pub(super) modulus: Option<Term>,
}

impl Component<'_> {
    /// Which of the variables of the component an atom is, if it is one.
    fn place(&self, solver: &Solver<'_>, atom: Term) -> Option<usize> {
        let Node::Symbol(symbol) = solver.terms.node(atom) else { return None };
        self.updates.keys().position(|member| member == symbol)
    }
}

impl Solver<'_> {
    /// The term with solved variables put in, position by position.
    pub(super) fn values_of(&mut self, term: Term) -> Result<Sequence<Term>, Obstacle> {
        let symbols = self.changing(term);
        let mut shape = Shape::PLAIN;
        for symbol in &symbols {
            let solved = self.solved.get(symbol).ok_or(Obstacle::DependsOn(*symbol))?;
            shape = shape.join(solved.value.shape()).ok_or(Obstacle::TooLarge)?;
        }
        let mut substitutions = vec![Substitution::default(); shape.positions()];
        for symbol in &symbols {
            let Some(solved) = self.solved.get(symbol) else { continue };
            let values = solved.value.reshaped(self.terms, self.counter, shape);
            for (substitution, value) in substitutions.iter_mut().zip(values) {
                substitution.insert(*symbol, value);
            }
        }
        let mut values = Vec::with_capacity(substitutions.len());
        for substitution in &substitutions {
            values.push(self.put(term, substitution).ok_or(Obstacle::TooLarge)?);
        }
        Sequence::new(shape, values).ok_or(Obstacle::TooLarge)
    }

    /// The substitution made, unless products of sums or powers of powers could make it too large.
    pub(super) fn put(&mut self, term: Term, substitution: &Substitution) -> Option<Term> {
        let degree = self.terms.post_order(term).into_iter().map(|part| self.degree(part)).max();
        let degree = degree.unwrap_or(1);
        for value in substitution.values() {
            let polynomial = self.terms.polynomial(*value);
            let monomials = polynomial.summands.iter().map(|(monomial, _)| self.degree(*monomial));
            let powers = monomials.max().unwrap_or(0).checked_mul(degree)?;
            let size = (polynomial.summands.len() + 1).checked_pow(degree);
            if degree > 1 && (powers > MAX_DEGREE || size? > MAX_EXPANSION) {
                return None;
            }
        }
        Some(self.terms.substitute(term, substitution)).filter(|put| !self.terms.is_starred(*put))
    }

    /// The number of factors of a monomial.
    fn degree(&self, monomial: Term) -> u32 {
        match self.terms.node(monomial) {
            Node::Product(factors) => {
                factors.iter().fold(0, |sum: u32, (_, exponent)| sum.saturating_add(*exponent))
            }
            _ => 1,
        }
    }

    /// The values of an atom as exponential polynomials; modulo a number, values congruent to them.
    fn atom(
        &mut self,
        atom: Term,
        modulus: Option<Term>,
    ) -> Result<Sequence<Exponential>, Obstacle> {
        if self.changing(atom).is_empty() {
            let value = Exponential::of_term(self.terms, self.counter, atom);
            return Ok(Sequence::constant(value.ok_or(Obstacle::TooLarge)?));
        }
        if let Node::Symbol(symbol) = self.terms.node(atom)
            && let Some(solved) = self.solved.get(symbol)
        {
            if let Some(exact) = &solved.exact {
                return Ok(exact.clone());
            }
            if let (Some(Shadow { modulus: known, sequence }), Some(needed)) =
                (&solved.shadow, modulus)
                && self.is_multiple(*known, needed)
            {
                return Ok(sequence.clone());
            }
        }
        let values = self.values_of(atom)?;
        if let Some(parsed) = self.parsed(values.shape(), values.positions().copied()) {
            return Ok(parsed);
        }
        // What is divided by a number is a polynomial for each remainder of the counter.
        let shape = self.divisors(&values).ok_or(Obstacle::NoPolynomial(atom))?;
        let divided = values.reshaped(self.terms, self.counter, shape);
        self.parsed(shape, divided.into_iter()).ok_or(Obstacle::NoPolynomial(atom))
    }

    /// Terms as exponential polynomials, if all of them are.
    fn parsed(
        &mut self,
        shape: Shape,
        values: impl Iterator<Item = Term>,
    ) -> Option<Sequence<Exponential>> {
        let parsed: Option<Vec<Exponential>> =
            values.map(|value| Exponential::of_term(self.terms, self.counter, value)).collect();
        Sequence::new(shape, parsed?)
    }

    /// A shape in which what the values divide by divides the steps of the counter.
    fn divisors(&self, values: &Sequence<Term>) -> Option<Shape> {
        // In one class, the counter counts rounds.
        let mut rounds = Shape::PLAIN;
        for value in values.positions() {
            for part in self.terms.post_order(*value) {
                let (Node::Quotient(_, a, b) | Node::Remainder(_, a, b)) = self.terms.node(part)
                else {
                    continue;
                };
                if self.terms.post_order(*a).contains(&self.counter) {
                    let period = usize::try_from(self.terms.as_int(*b)?.to_i64()?).ok()?;
                    rounds = rounds.join(Shape { first: 0, period: period.max(1) })?;
                }
            }
        }
        let Shape { first, period } = values.shape();
        let period = period.checked_mul(rounds.period)?;
        values.shape().join(Shape { first, period })
    }

    /// The values of all atoms but the component's own variables, which must not occur in others.
    fn atoms(
        &mut self,
        component: &Component<'_>,
        polynomials: &[Polynomial],
    ) -> Result<Atoms, Obstacle> {
        let mut atoms = Atoms::new();
        for (monomial, _) in polynomials.iter().flat_map(|polynomial| &polynomial.summands) {
            for (atom, _) in self.terms.factors(*monomial) {
                if component.place(self, atom).is_some() || atoms.contains_key(&atom) {
                    continue;
                }
                let inner = self.changing(atom);
                if inner.iter().any(|symbol| component.updates.contains_key(symbol)) {
                    return Err(Obstacle::NoPolynomial(atom));
                }
                let sequence = self.atom(atom, component.modulus)?;
                atoms.insert(atom, sequence);
            }
        }
        Ok(atoms)
    }

    /// All atoms in one shape; `None` if it is too large.
    fn table(&mut self, atoms: &Atoms) -> Option<Table> {
        let mut shape = Shape::PLAIN;
        for sequence in atoms.values() {
            shape = shape.join(sequence.shape())?;
        }
        let values = atoms
            .iter()
            .map(|(atom, sequence)| (*atom, sequence.reshaped(self.terms, self.counter, shape)));
        Some(Table { shape, values: values.collect() })
    }

    /// Solves a component as an affine system.
    pub(super) fn affine(&mut self, updates: &BTreeMap<SymbolId, Term>) -> Result<(), Obstacle> {
        let component = Component { updates, modulus: None };
        let sequences = self.sequences(&component)?;
        let needed: Vec<Term> = updates.values().copied().collect();
        let open = self.open_claims(&needed);
        for (symbol, exact) in updates.keys().zip(sequences) {
            let value = self.as_terms(&exact)?;
            let solved = Solved {
                value,
                exact: Some(exact),
                shadow: None,
                argument: Argument::Identity,
                lemmas: Vec::new(),
                open: open.clone(),
            };
            self.solved.insert(*symbol, solved);
        }
        Ok(())
    }

    /// A verified sequence of integers as terms.
    fn as_terms(&mut self, sequence: &Sequence<Exponential>) -> Result<Sequence<Term>, Obstacle> {
        let values = sequence.map(|value| value.to_term(self.terms, self.counter));
        // What is too large for a term is an unknown one.
        let unknown = values.positions().any(|value| self.terms.is_starred(*value));
        if unknown { Err(Obstacle::TooLarge) } else { Ok(values) }
    }

    /// The values of a component's variables as exponential polynomials, verified.
    pub(super) fn sequences(
        &mut self,
        component: &Component<'_>,
    ) -> Result<Vec<Sequence<Exponential>>, Obstacle> {
        let polynomials: Vec<Polynomial> =
            component.updates.values().map(|update| self.terms.polynomial(*update)).collect();
        let mut atoms = self.atoms(component, &polynomials)?;
        let table = self.table(&atoms).ok_or(Obstacle::TooLarge)?;
        let mut steps = Vec::new();
        for position in 0..table.shape.positions() {
            steps.push(self.step(component, &polynomials, &table, position)?);
        }
        let entries = component.updates.keys();
        let entries = entries.map(|symbol| self.terms.intern(Node::Symbol(*symbol)));
        let entries: Vec<Term> = entries.collect();
        let start = entries.iter().map(|entry| Exponential::monomial(*entry)).collect();
        let system = AffineSystem { counter: self.counter, shape: table.shape, steps, start };
        let sequences = system.solve(self.terms)?;
        atoms.extend(entries.iter().copied().zip(sequences.iter().cloned()));
        match self.verify(&entries, &polynomials, &atoms) {
            Some(true) => Ok(sequences),
            Some(false) => Err(Obstacle::Unverified),
            None => Err(Obstacle::TooLarge),
        }
    }

    /// One iteration as an affine map.
    fn step(
        &mut self,
        component: &Component<'_>,
        polynomials: &[Polynomial],
        table: &Table,
        position: usize,
    ) -> Result<Step, Obstacle> {
        let mut step = Step { matrix: Vec::new(), rest: Vec::new() };
        for polynomial in polynomials {
            let mut row = vec![Exponential::default(); polynomials.len()];
            let mut rest = Exponential::constant(polynomial.constant.clone());
            for (monomial, coefficient) in &polynomial.summands {
                let factors = self.terms.factors(*monomial);
                let own = |(atom, _): &(Term, u32)| component.place(self, *atom).is_some();
                let (own, others): (Vec<_>, Vec<_>) = factors.into_iter().partition(own);
                let place = match &own[..] {
                    [] => Some(&mut rest),
                    [(atom, 1)] => {
                        component.place(self, *atom).and_then(|place| row.get_mut(place))
                    }
                    _ => None,
                };
                let place = place.ok_or(Obstacle::Product(*monomial))?;
                let product = self.product_at(&others, table, position);
                place.add_scaled(&product.ok_or(Obstacle::TooLarge)?, coefficient);
            }
            step.matrix.push(row);
            step.rest.push(rest);
        }
        Ok(step)
    }

    /// Whether the sequences of the variables obey the updates: the first value is the entry value, and
    /// the next one is the update of the one before, as exponential polynomials in every position. By
    /// induction they are then the values after k iterations, hence integers. `None` if that is too
    /// large to compute.
    fn verify(
        &mut self,
        entries: &[Term],
        polynomials: &[Polynomial],
        atoms: &Atoms,
    ) -> Option<bool> {
        let table = self.table(atoms)?;
        for (entry, polynomial) in entries.iter().zip(polynomials) {
            let sequence = atoms.get(entry)?;
            if sequence.start(self.terms, self.counter)? != Exponential::monomial(*entry) {
                return Some(false);
            }
            let next = sequence.next(self.terms, self.counter);
            let next = next.reshaped(self.terms, self.counter, table.shape);
            for (position, expected) in next.iter().enumerate() {
                let mut value = Exponential::constant(polynomial.constant.clone());
                for (monomial, coefficient) in &polynomial.summands {
                    let factors = self.terms.factors(*monomial);
                    let product = self.product_at(&factors, &table, position)?;
                    value.add_scaled(&product, coefficient);
                }
                if value != *expected {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// A product of atoms in one position; `None` if it is too large.
    fn product_at(
        &mut self,
        factors: &[(Term, u32)],
        table: &Table,
        position: usize,
    ) -> Option<Exponential> {
        let mut product = Exponential::constant(Integer::ONE);
        for (atom, exponent) in factors {
            let value = table.values.get(atom)?.get(position)?;
            product = product.times_power(self.terms, value, *exponent)?;
        }
        Some(product)
    }
}
