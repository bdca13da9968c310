//! What is asked and what is answered.

use loupe_integer::Integer;

/// An unknown integer. Numbers need not be dense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// What is said of a linear expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is at most 0.
    AtMostZero,
    /// It is 0.
    Zero,
    /// It is not 0.
    NonZero,
    /// The integer divides it; 0 divides only 0, and the sign does not matter.
    Divisible(Integer),
    /// The integer does not divide it.
    Indivisible(Integer),
}

/// A relation that `constant + Σ coefficient · variable` is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    coefficients: Vec<(Variable, Integer)>,
    constant: Integer,
    relation: Relation,
}

impl Constraint {
    /// A constraint whose coefficients come in any order, also several for one variable.
    pub fn new(
        mut coefficients: Vec<(Variable, Integer)>,
        constant: Integer,
        relation: Relation,
    ) -> Self {
        let ascending = coefficients.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending {
            coefficients.sort_by_key(|(variable, _)| *variable);
            coefficients.dedup_by(|next, sum| {
                let same = next.0 == sum.0;
                if same {
                    sum.1 = sum.1.add(&next.1);
                }
                same
            });
        }
        coefficients.retain(|(_, coefficient)| !coefficient.is_zero());
        Constraint { coefficients, constant, relation }
    }

    /// Variables in ascending order, each once, with coefficients that are not 0.
    pub fn coefficients(&self) -> &[(Variable, Integer)] {
        &self.coefficients
    }

    /// The constant.
    pub fn constant(&self) -> &Integer {
        &self.constant
    }

    /// The relation.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// Whether the constraint holds for these values.
    pub fn holds(&self, value: impl Fn(Variable) -> Integer) -> bool {
        let sum =
            self.coefficients.iter().fold(self.constant.clone(), |sum, (variable, factor)| {
                sum.add(&factor.mul(&value(*variable)))
            });
        let divisible = |divisor: &Integer| match sum.rem_euclidean(divisor) {
            Some(rest) => rest.is_zero(),
            None => sum.is_zero(),
        };
        match &self.relation {
            Relation::AtMostZero => sum <= Integer::ZERO,
            Relation::Zero => sum.is_zero(),
            Relation::NonZero => !sum.is_zero(),
            Relation::Divisible(divisor) => divisible(divisor),
            Relation::Indivisible(divisor) => !divisible(divisor),
        }
    }
}

/// Values for all variables that occur in some constraints, in ascending order of the variables.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Model {
    pub(super) values: Vec<(Variable, Integer)>,
}

impl Model {
    /// The value of a variable; 0 if it occurs nowhere.
    pub fn value(&self, variable: Variable) -> Integer {
        match self.values.binary_search_by_key(&variable, |(known, _)| *known) {
            Ok(at) => self.values[at].1.clone(),
            Err(_) => Integer::ZERO,
        }
    }

    /// All values.
    pub fn values(&self) -> &[(Variable, Integer)] {
        &self.values
    }
}

/// Whether constraints can be satisfied together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, by these values.
    Sat(Model),
    /// No, already those with these indices cannot. Ascending; not always the fewest.
    Unsat(Vec<usize>),
    /// The budget ran out.
    Unknown,
}

/// How much work may be done: a number of elementary steps, about one for each coefficient that is
/// computed. The same question with the same budget has the same answer on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many steps.
    pub steps: u64,
}

impl Default for Budget {
    /// Enough for nearly all small conjunctions, and spent in a millisecond or so.
    fn default() -> Self {
        Budget { steps: 40_000 }
    }
}
