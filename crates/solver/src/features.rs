//! What occurs in a formula, as far as it decides how to solve it.

use loupe_term::{Node, Sort, Term, Terms};

/// A set of things that occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features(u16);

impl Features {
    /// Products of unknowns, division by an unknown.
    pub(crate) const NONLINEAR: Features = Features(1);
    /// Powers with a symbolic exponent.
    pub(crate) const POWERS: Features = Features(2);
    /// Operations on bits.
    pub(crate) const BITS: Features = Features(4);
    /// Arrays.
    pub(crate) const ARRAYS: Features = Features(8);
    /// Quantifiers and arrays that are defined by a formula.
    pub(crate) const BINDERS: Features = Features(16);
    /// Uninterpreted functions.
    pub(crate) const FUNCTIONS: Features = Features(32);
    /// The variable of a binder further out.
    pub(crate) const BOUND: Features = Features(64);
    /// Wraps, quotients and choices: what knowledge of ranges may remove.
    pub(crate) const CHOICES: Features = Features(128);
    const KNOWN: Features = Features(256);
    /// Arrays with the same element everywhere, and arrays that are compared.
    const WHOLE_ARRAYS: Features = Features(512);

    pub(crate) fn has(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn join(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// Whether nothing but linear arithmetic and logic occurs.
    pub(crate) fn is_linear(self) -> bool {
        self.0 & !(Features::KNOWN.0 | Features::CHOICES.0) == 0
    }

    /// Whether nothing but linear arithmetic, logic and elements of arrays occurs.
    pub(crate) fn is_linear_with_elements(self) -> bool {
        let known = Features::KNOWN.0 | Features::CHOICES.0 | Features::ARRAYS.0;
        self.0 & !known == 0
    }
}

/// Features of terms, each looked at once.
#[derive(Default)]
pub(crate) struct FeatureTable {
    known: Vec<Features>,
}

impl FeatureTable {
    /// What occurs in a term.
    pub(crate) fn of(&mut self, terms: &Terms, root: Term) -> Features {
        if self.known.len() < terms.len() {
            self.known.resize(terms.len(), Features::default());
        }
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.get(term).has(Features::KNOWN) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            let mut features = own(terms, term).join(Features::KNOWN);
            terms.node(term).for_each_child(|part| {
                let below = self.get(part);
                if below.has(Features::KNOWN) {
                    features = features.join(below);
                } else {
                    open.push(part);
                }
            });
            if open.len() == waiting {
                if let Some(entry) = self.known.get_mut(term.index()) {
                    *entry = features;
                }
                open.pop();
            }
        }
        self.get(root)
    }

    fn get(&self, term: Term) -> Features {
        // A term of another arena has no entry; it must not be waited for.
        self.known.get(term.index()).copied().unwrap_or(Features::KNOWN)
    }
}

fn own(terms: &Terms, term: Term) -> Features {
    match terms.node(term) {
        Node::Product(_) => Features::NONLINEAR,
        Node::Quotient(_, _, divisor) | Node::Remainder(_, _, divisor)
            if terms.as_int(*divisor).is_none() =>
        {
            Features::NONLINEAR.join(Features::CHOICES)
        }
        Node::Quotient(..) | Node::Remainder(..) | Node::Wrap(..) | Node::Ite(..) => {
            Features::CHOICES.join(array_sort(terms, term))
        }
        Node::Power(..) => Features::POWERS,
        Node::Bits(..) => Features::BITS.join(Features::CHOICES),
        Node::Quantified(..) => Features::BINDERS,
        Node::Lambda(..) => Features::BINDERS.join(Features::ARRAYS),
        Node::Apply(..) => Features::FUNCTIONS,
        Node::Bound(_) => Features::BOUND,
        Node::ConstantArray(..) | Node::SameArray(..) => {
            Features::WHOLE_ARRAYS.join(Features::ARRAYS)
        }
        _ => array_sort(terms, term),
    }
}

fn array_sort(terms: &Terms, term: Term) -> Features {
    match terms.sort(term) {
        Sort::Array(_) => Features::ARRAYS,
        Sort::Bool | Sort::Int => Features::default(),
    }
}
