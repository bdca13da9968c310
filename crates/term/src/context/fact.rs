//! Ranges with the assumptions that they follow from.

use super::range::{Range, intersect_classes};
use loupe_integer::Integer;
use std::sync::Arc;

/// What follows from more assumptions is not followed: lists of reasons are kept for every term.
pub(super) const MAX_REASONS: usize = 100;

/// Numbers of assumptions, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reasons(Option<Arc<[usize]>>);

impl Reasons {
    pub(super) fn one(assumption: usize) -> Self {
        Reasons(Some(Arc::new([assumption])))
    }

    pub(super) fn list(&self) -> &[usize] {
        self.0.as_deref().unwrap_or(&[])
    }

    /// Whether there are too many to be kept.
    pub(super) fn are_many(&self) -> bool {
        self.list().len() > MAX_REASONS
    }

    pub(super) fn and(&self, other: &Reasons) -> Reasons {
        let (a, b) = (self.list(), other.list());
        if b.iter().all(|reason| a.binary_search(reason).is_ok()) {
            return self.clone();
        }
        if a.is_empty() {
            return other.clone();
        }
        // Both are ascending.
        let mut all = Vec::with_capacity(a.len() + b.len());
        let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let from_both = x == y;
            if x <= y {
                all.extend(a.next())
            } else {
                all.extend(b.next())
            }
            if from_both {
                b.next();
            }
        }
        all.extend(a.chain(b));
        Reasons(Some(all.into()))
    }
}

/// What is known of a term, and why.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) range: Range,
    pub(super) low: Reasons,
    pub(super) high: Reasons,
    pub(super) congruence: Reasons,
}

impl Fact {
    /// What is known for all these reasons.
    pub(super) fn because(range: Range, reasons: Reasons) -> Fact {
        Fact { range, low: reasons.clone(), high: reasons.clone(), congruence: reasons }
    }

    /// What is always so.
    pub(super) fn always(range: Range) -> Fact {
        Fact::because(range, Reasons::default())
    }

    /// Whether one of its parts has too many reasons.
    pub(super) fn has_many_reasons(&self) -> bool {
        [&self.low, &self.high, &self.congruence].into_iter().any(Reasons::are_many)
    }

    /// Everything that is needed for what is known.
    pub(super) fn reasons(&self) -> Reasons {
        let (mut reasons, range) = (Reasons::default(), &self.range);
        if range.low.is_some() {
            reasons = reasons.and(&self.low);
        }
        if range.high.is_some() {
            reasons = reasons.and(&self.high);
        }
        if range.modulus != Integer::ONE {
            reasons = reasons.and(&self.congruence);
        }
        reasons
    }

    /// What is known if both are; the reasons of a contradiction if both cannot be.
    pub(super) fn meet(&self, other: &Fact) -> Result<Fact, Reasons> {
        let (low, low_reasons) = match (&self.range.low, &other.range.low) {
            (Some(a), Some(b)) if a < b => (Some(b), &other.low),
            (None, Some(b)) => (Some(b), &other.low),
            (a, _) => (a.as_ref(), &self.low),
        };
        let (high, high_reasons) = match (&self.range.high, &other.range.high) {
            (Some(a), Some(b)) if a > b => (Some(b), &other.high),
            (None, Some(b)) => (Some(b), &other.high),
            (a, _) => (a.as_ref(), &self.high),
        };
        let class = |range: &Range| (range.modulus.clone(), range.residue.clone());
        let (own, others) = (class(&self.range), class(&other.range));
        let both = intersect_classes((&own.0, &own.1), (&others.0, &others.1))
            .ok_or_else(|| self.congruence.and(&other.congruence))?;
        let congruence = if both == own {
            self.congruence.clone()
        } else if both == others {
            other.congruence.clone()
        } else {
            self.congruence.and(&other.congruence)
        };
        let (modulus, residue) = both;
        let range = Range { low: low.cloned(), high: high.cloned(), modulus, residue };
        let fact = Fact { range, low: low_reasons.clone(), high: high_reasons.clone(), congruence };
        fact.settled()
    }

    /// With the bounds that are values of the residue class.
    fn settled(mut self) -> Result<Fact, Reasons> {
        let before = self.range.clone();
        if let Some(value) = before.value() {
            // A class with one value: the bounds must agree with it.
            let below = before.low.as_ref().is_some_and(|low| value < low);
            let above = before.high.as_ref().is_some_and(|high| value > high);
            if below || above {
                let bound = if below { &self.low } else { &self.high };
                return Err(self.congruence.and(bound));
            }
            let range = Range::exactly(value.clone());
            return Ok(Fact::because(range, self.congruence));
        }
        self.range = before.clone().settled();
        if self.range.low != before.low {
            self.low = self.low.and(&self.congruence);
        }
        if self.range.high != before.high {
            self.high = self.high.and(&self.congruence);
        }
        if self.range.is_empty() {
            return Err(self.low.and(&self.high));
        }
        if self.range.value().is_some() {
            self.congruence = self.low.and(&self.high);
        }
        Ok(self)
    }
}
