//! The domain of terms: what numbers, pointers and memory are in a symbolic execution.

mod arithmetic;
mod floats;
mod implement;
mod intrinsics;
mod lengths;
mod query;
mod streams;
mod text;

pub use query::{Feasible, QueryStatistics};
pub use streams::{CommandLine, Elements, Input, PROGRAM_NAME, Reading, Streams, Unknown};

use crate::halt::Halt;
use crate::path::Path;
use crate::value::{Bool, Int};
use loupe_engine::layout::Shapes;
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_ir::types::IntType;
use loupe_solver::{Chain, ChainOptions, Limits};
use loupe_term::{Context, Node, SymbolId, Term, Terms, Width};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What an access at a place that depends on inputs becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymbolicIndex {
    /// A choice between the values that are possible.
    #[default]
    Ite,
    /// One state for each place that is possible.
    Fork,
}

/// How the domain behaves.
pub struct DomainOptions {
    /// The solver.
    pub chain: ChainOptions,
    /// What each query may cost.
    pub limits: Limits,
    /// What an access at a place that depends on inputs becomes.
    pub symbolic_index: SymbolicIndex,
}

/// The domain of terms. It works on one state at a time, whose path condition it holds meanwhile.
pub struct Symbolic {
    /// All terms.
    pub terms: Terms,
    /// What is known on the path that is executed.
    pub path: Path,
    /// What each query may cost.
    pub limits: Limits,
    /// What a question may cost where values were merged; more is [`Halt::Costly`].
    pub(crate) patience: Option<u64>,
    /// How many objects and numbers a path may have.
    pub(crate) symbolic_index: SymbolicIndex,
    /// Into so many numbers a value is split at most.
    pub(crate) most_cases: usize,
    /// An access to more places becomes one to an array.
    pub(crate) most_choices: usize,
    /// Whether an access became a choice between places.
    pub(crate) has_chosen: bool,
    /// What holds everywhere: in which ranges the symbols are.
    everywhere: Context,
    chain: Chain,
    statistics: QueryStatistics,
    symbols: streams::Symbols,
    pub(crate) shapes: Shapes,
    pub(crate) space: crate::memory::Space,
    pub(crate) scalars: crate::memory::ScalarTables,
    /// Whether what is said of all iterations of loops is left for the end of a path: questions on the way are weaker, and only a `no` counts.
    pub(crate) drafts: bool,
    /// Decisions that were made before on the way that is gone again.
    pub(crate) guide: Option<crate::explore::Guide>,
    /// What was decided here and not been handed on.
    pub(crate) decided: Vec<crate::explore::Step>,
    /// What was assumed of elements because of their type: true of every element of every array.
    pub(crate) harmless: FxHashSet<Term>,
    /// What holds of symbols because of what they stand for, and was assumed for that reason.
    pub(crate) hoistable: FxHashSet<Term>,
    /// The symbols in conditions, as far as somebody has asked.
    pub(crate) symbols_in: FxHashMap<Term, Rc<BTreeSet<SymbolId>>>,
    /// So many parts of conditions may still be looked at for that.
    pub(crate) symbols_left: usize,
    /// Pointers that are one of several.
    pub(crate) choices: crate::memory::Choices,
    /// Whether there may be such pointers: nobody asks which objects pointers lead to.
    pub(crate) chooses_pointers: bool,
    /// What was put out and not been handed on.
    pub(crate) written: Vec<crate::output::Output>,
}

impl std::fmt::Debug for Symbolic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Symbolic")
    }
}

impl Symbolic {
    /// A domain for a program.
    pub fn new(program: &Program, options: DomainOptions) -> Self {
        Symbolic {
            terms: Terms::new(),
            path: Path::default(),
            limits: options.limits,
            patience: None,
            symbolic_index: options.symbolic_index,
            most_cases: query::MAX_CASES,
            most_choices: crate::memory::MAX_CHOICES,
            has_chosen: false,
            everywhere: Context::new(),
            chain: Chain::new(options.chain),
            statistics: QueryStatistics::default(),
            symbols: streams::Symbols::default(),
            shapes: Shapes::default(),
            space: crate::memory::Space {
                word: program.types.pointer_size(),
                functions: program.functions.len() as u64,
            },
            scalars: crate::memory::ScalarTables::default(),
            drafts: false,
            guide: None,
            decided: Vec::new(),
            written: Vec::new(),
            harmless: FxHashSet::default(),
            hoistable: FxHashSet::default(),
            symbols_in: FxHashMap::default(),
            symbols_left: crate::explore::MAX_PARTS,
            choices: crate::memory::Choices::default(),
            chooses_pointers: true,
        }
    }

    /// The terms and the solver, for questions that belong to no path.
    pub fn solver(&mut self) -> (&mut Terms, &mut Chain) {
        (&mut self.terms, &mut self.chain)
    }

    /// The term of an integer.
    pub fn term(&mut self, int: &Int) -> Term {
        match int {
            Int::Known(number) => self.terms.int(number.clone()),
            Int::Term(term) => *term,
        }
    }

    /// The integer that a term stands for.
    pub fn int_of(&self, term: Term) -> Int {
        match self.terms.as_int(term) {
            Some(number) => Int::Known(number.clone()),
            None => Int::Term(term),
        }
    }

    /// The term of a truth value.
    pub fn condition(&mut self, truth: Bool) -> Term {
        match truth {
            Bool::Known(truth) => self.terms.bool(truth),
            Bool::Term(term) => term,
        }
    }

    /// The truth value that a term stands for.
    pub fn truth_of(&self, term: Term) -> Bool {
        match self.terms.as_bool(term) {
            Some(truth) => Bool::Known(truth),
            None => Bool::Term(term),
        }
    }

    /// In which range a term is, whatever the inputs are.
    pub(crate) fn range_everywhere(&mut self, term: Term) -> loupe_term::Range {
        self.everywhere.range(&self.terms, term)
    }

    /// The constant summand of a term.
    pub(crate) fn constant_part(&self, term: Term) -> Integer {
        match self.terms.node(term) {
            Node::Int(number) => number.clone(),
            Node::Sum(sum) => sum.constant.clone(),
            _ => Integer::ZERO,
        }
    }

    /// The number that an integer is on this path, if it is known to be only one.
    pub(crate) fn settled(&self, int: &Int) -> Option<Integer> {
        match int {
            Int::Known(number) => Some(number.clone()),
            Int::Term(term) => self.path.value(*term).cloned(),
        }
    }

    /// Adds a condition to the path that its model satisfies if it satisfies the others.
    pub(crate) fn assume_harmless(&mut self, condition: Term) {
        if self.terms.as_bool(condition) == Some(true) || self.path.truth(condition) == Some(true) {
            return;
        }
        let model = self.path.model().cloned();
        self.hoistable.insert(condition);
        self.assume(condition, model);
    }

    /// Adds a condition to the path, with values for which all conditions hold, if some are known.
    pub fn assume(&mut self, condition: Term, model: Option<Rc<loupe_term::Assignment>>) {
        let negation = self.terms.not(condition);
        self.path.assume(condition, negation, model);
    }
}

/// The machine type as terms know it.
pub(crate) fn width(ty: IntType) -> Option<Width> {
    match ty {
        IntType::Machine { width, signedness } => Some(Width { bits: width, signedness }),
        IntType::Unbounded => None,
    }
}

/// The least and the greatest number of a machine type.
pub(crate) fn bounds(ty: IntType) -> Option<(Integer, Integer)> {
    let Width { bits, signedness } = width(ty)?;
    let all = Integer::power_of_two(bits);
    Some(match signedness {
        loupe_integer::Signedness::Unsigned => (Integer::ZERO, all.sub(&Integer::ONE)),
        loupe_integer::Signedness::Signed => {
            let half = Integer::power_of_two(bits.saturating_sub(1));
            (half.neg(), half.sub(&Integer::ONE))
        }
    })
}

/// The result of something that may halt.
pub(crate) type Outcome<T> = Result<T, Box<Halt>>;
