//! Conjunctions and disjunctions.
//!
//! They are flat (up to a size, so that a long one that is built part by part is not copied each time), in order, without repetition, and without parts that say nothing beside the others:
//! comparisons of the same polynomial are resolved against each other (`x ≤ 3 ∧ x ≤ 5` is `x ≤ 3`,
//! `x ≤ 3 ∧ x ≥ 3` is `x = 3`, `x ≤ 3 ∧ x ≥ 5` is *false*), and `x ∧ (x ∨ y)` is `x`. A disjunction is
//! treated as the negation of the conjunction of the negated parts, so that negation stays a mirror.
//!
//! Comparisons with ★ are left alone: each ★ may be another value.

use crate::arena::Terms;
use crate::node::{Node, Sort, Term};
use crate::polynomial::Polynomial;
use loupe_integer::Integer;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash, Hasher};

/// A conjunction or disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

impl Connective {
    /// The value that makes no difference among its operands.
    fn neutral(self) -> bool {
        self == Connective::And
    }
}

/// Longer conjunctions in a conjunction stay there as one part.
const MAX_JOINED: usize = 256;
/// Larger parts are not searched for what stands beside them.
const MAX_ABSORBED: usize = 16;

/// What a comparison says of a polynomial without constant whose first coefficient is positive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    AtMost(Integer),
    AtLeast(Integer),
    Equal(Integer),
    Different(Integer),
}

impl Claim {
    fn negated(self) -> Claim {
        match self {
            Claim::AtMost(bound) => Claim::AtLeast(bound.add(&Integer::ONE)),
            Claim::AtLeast(bound) => Claim::AtMost(bound.sub(&Integer::ONE)),
            Claim::Equal(value) => Claim::Different(value),
            Claim::Different(value) => Claim::Equal(value),
        }
    }
}

/// A comparison: of what, and what it says.
struct Comparison {
    /// Of the polynomial, up to its sign.
    hash: u64,
    literal: Term,
    /// The polynomial with its constant, of which the claim speaks without constant and sign.
    polynomial: Term,
    claim: Claim,
}

impl Terms {
    pub(super) fn connect(
        &mut self,
        connective: Connective,
        parts: impl IntoIterator<Item = Term>,
    ) -> Term {
        let mut parts: Vec<Term> = parts.into_iter().collect();
        let neutral = self.bool(connective.neutral());
        let decisive = self.bool(!connective.neutral());
        let mut flat;
        // What comparisons are resolved to may be anything: each turn has fewer comparisons, or what
        // was inside of one.
        loop {
            if parts.iter().any(|part| !self.all_are(Sort::Bool, [*part])) {
                return self.star_bool();
            }
            flat = self.joined(connective, &parts);
            if flat.contains(&decisive) {
                return decisive;
            }
            flat.retain(|part| *part != neutral);
            if flat.len() < 2 {
                break;
            }
            if self.has_opposites(&flat) {
                return decisive;
            }
            if !self.applies_rules() {
                break;
            }
            match self.resolve(connective, &flat) {
                Some(resolved) if resolved == flat => {
                    self.absorb(connective, &mut flat);
                    break;
                }
                Some(resolved) => parts = resolved,
                None => return decisive,
            }
        }
        match (&flat[..], connective) {
            ([], _) => neutral,
            ([one], _) => *one,
            (_, Connective::And) => self.intern(Node::And(flat.into())),
            (_, Connective::Or) => self.intern(Node::Or(flat.into())),
        }
    }

    /// The parts and the parts of parts that are the same connective, in order, each once.
    fn joined(&self, connective: Connective, parts: &[Term]) -> Vec<Term> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match (self.node(*part), connective) {
                (Node::And(inner), Connective::And) | (Node::Or(inner), Connective::Or)
                    if inner.len() <= MAX_JOINED =>
                {
                    flat.extend_from_slice(inner);
                }
                _ => flat.push(*part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Whether something and its negation are among sorted parts.
    fn has_opposites(&self, parts: &[Term]) -> bool {
        parts.iter().any(|part| match self.node(*part) {
            Node::Not(inner) => !self.is_starred(*inner) && parts.binary_search(inner).is_ok(),
            _ => false,
        })
    }

    /// Drops parts of the other connective that contain a part: x ∧ (x ∨ y) = x.
    fn absorb(&self, connective: Connective, parts: &mut Vec<Term>) {
        let beside = parts.clone();
        parts.retain(|part| match (self.node(*part), connective) {
            (Node::Or(inner), Connective::And) | (Node::And(inner), Connective::Or) => {
                inner.len() > MAX_ABSORBED
                    || !inner.iter().any(|inner| beside.binary_search(inner).is_ok())
            }
            _ => true,
        });
    }

    /// The sorted parts, with the comparisons of the same polynomial resolved against each other;
    /// `None` if that decides the whole.
    fn resolve(&mut self, connective: Connective, parts: &[Term]) -> Option<Vec<Term>> {
        let mut comparisons: Vec<Comparison> =
            parts.iter().filter_map(|part| self.comparison(*part)).collect();
        // Equal polynomials have equal hashes; if different ones have, too, only something is missed.
        comparisons.sort_by_key(|comparison| (comparison.hash, comparison.literal));
        let (mut dropped, mut added) = (Vec::new(), Vec::new());
        for group in comparisons.chunk_by(|a, b| a.hash == b.hash) {
            let [first, rest @ ..] = group else { continue };
            let same = |other: &&Comparison| self.is_same(first.polynomial, other.polynomial);
            let group: Vec<&Comparison> =
                [first].into_iter().chain(rest.iter().filter(same)).collect();
            if group.len() < 2 {
                continue;
            }
            let mirrored = |claim: Claim| match connective {
                Connective::And => claim,
                Connective::Or => claim.negated(),
            };
            let claims = group.iter().map(|comparison| mirrored(comparison.claim.clone()));
            let resolved = resolve_claims(claims.collect())?;
            // Whatever is resolved is one claim less.
            if resolved.len() == group.len() {
                continue;
            }
            dropped.extend(group.iter().map(|comparison| comparison.literal));
            for claim in resolved {
                let claim = mirrored(claim);
                let known = group.iter().find(|comparison| comparison.claim == claim);
                added.push(match known {
                    Some(comparison) => comparison.literal,
                    None => self.literal_of(first.polynomial, &claim),
                });
            }
        }
        dropped.sort_unstable();
        let kept = parts.iter().filter(|part| dropped.binary_search(part).is_err());
        let mut result: Vec<Term> = kept.copied().chain(added).collect();
        result.sort_unstable();
        Some(result)
    }

    /// A literal as a comparison.
    fn comparison(&self, literal: Term) -> Option<Comparison> {
        let (inner, negated) = match self.node(literal) {
            Node::Not(inner) => (*inner, true),
            _ => (literal, false),
        };
        let (polynomial, equality) = match self.node(inner) {
            Node::NonPositive(polynomial) => (*polynomial, false),
            Node::Zero(polynomial) => (*polynomial, true),
            _ => return None,
        };
        if self.is_starred(polynomial) {
            return None;
        }
        let mut hasher = FxBuildHasher.build_hasher();
        let mut flipped = false;
        let mut constant = Integer::ZERO;
        match self.node(polynomial) {
            Node::Sum(sum) => {
                flipped = sum.summands.first().is_some_and(|(_, c)| c.is_negative());
                constant = sum.constant.clone();
                sum.summands.len().hash(&mut hasher);
                for (monomial, coefficient) in &sum.summands {
                    monomial.hash(&mut hasher);
                    // A coefficient and its negation have as many bits.
                    coefficient.bits().hash(&mut hasher);
                }
            }
            _ => (1usize, polynomial, 1u64).hash(&mut hasher),
        }
        // p + c ≤ 0, where p or -p is what is spoken of.
        let claim = match (equality, flipped) {
            (true, false) => Claim::Equal(constant.neg()),
            (true, true) => Claim::Equal(constant),
            (false, false) => Claim::AtMost(constant.neg()),
            (false, true) => Claim::AtLeast(constant),
        };
        let claim = if negated { claim.negated() } else { claim };
        Some(Comparison { hash: hasher.finish(), literal, polynomial, claim })
    }

    /// Whether two polynomials are the same up to constant and sign.
    fn is_same(&self, a: Term, b: Term) -> bool {
        let one = [(a, Integer::ONE)];
        let other = [(b, Integer::ONE)];
        let (a, b) = (self.summands(a, &one), self.summands(b, &other));
        let same_sign =
            a.first().map(|(_, c)| c.is_negative()) == b.first().map(|(_, c)| c.is_negative());
        a.len() == b.len()
            && a.iter()
                .zip(b)
                .all(|((m, c), (n, d))| m == n && if same_sign { c == d } else { *c == d.neg() })
    }

    /// The literal that says something of a polynomial.
    fn literal_of(&mut self, polynomial: Term, claim: &Claim) -> Term {
        let Polynomial { mut summands, .. } = self.polynomial(polynomial);
        if summands.first().is_some_and(|(_, coefficient)| coefficient.is_negative()) {
            summands.iter_mut().for_each(|(_, coefficient)| *coefficient = coefficient.neg());
        }
        let constant = Integer::ZERO;
        let spoken_of = self.term_of(Polynomial { constant, summands });
        let (Claim::AtMost(value)
        | Claim::AtLeast(value)
        | Claim::Equal(value)
        | Claim::Different(value)) = claim;
        let value = self.int(value.clone());
        match claim {
            Claim::AtMost(_) => self.le(spoken_of, value),
            Claim::AtLeast(_) => self.le(value, spoken_of),
            Claim::Equal(_) => self.eq(spoken_of, value),
            Claim::Different(_) => self.ne(spoken_of, value),
        }
    }
}

/// What several claims on the same polynomial say together, each of which is needed; `None` if they
/// contradict each other.
fn resolve_claims(claims: Vec<Claim>) -> Option<Vec<Claim>> {
    let (mut low, mut high): (Option<Integer>, Option<Integer>) = (None, None);
    let mut different = Vec::new();
    for claim in claims {
        let (at_least, at_most) = match claim {
            Claim::AtMost(bound) => (None, Some(bound)),
            Claim::AtLeast(bound) => (Some(bound), None),
            Claim::Equal(value) => (Some(value.clone()), Some(value)),
            Claim::Different(value) => {
                different.push(value);
                continue;
            }
        };
        low = low.max(at_least);
        high = match (high, at_most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    different.sort_unstable();
    // A bound that is excluded moves to the next value, which may be excluded as well.
    for value in &different {
        if low.as_ref() == Some(value) {
            low = Some(value.add(&Integer::ONE));
        }
    }
    for value in different.iter().rev() {
        if high.as_ref() == Some(value) {
            high = Some(value.sub(&Integer::ONE));
        }
    }
    if let (Some(low), Some(high)) = (&low, &high) {
        match low.cmp(high) {
            std::cmp::Ordering::Greater => return None,
            std::cmp::Ordering::Equal => return Some(vec![Claim::Equal(low.clone())]),
            std::cmp::Ordering::Less => {}
        }
    }
    let inside = |value: &Integer| {
        low.as_ref().is_none_or(|low| low < value) && high.as_ref().is_none_or(|high| value < high)
    };
    different.retain(inside);
    let mut resolved: Vec<Claim> = different.into_iter().map(Claim::Different).collect();
    resolved.extend(low.map(Claim::AtLeast));
    resolved.extend(high.map(Claim::AtMost));
    Some(resolved)
}
