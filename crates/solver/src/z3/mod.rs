//! The backend: Z3, named nowhere else.
//!
//! Assertions are kept on stacks: a query that begins like an earlier one, as a path condition does,
//! only asserts what is new. Z3's objects belong to the context of the thread that made them, and the
//! types of the `z3` crate see to it that none leaves that thread; so a [`Z3`] stays in its thread too.

mod eliminate;
mod horn;
mod model;
mod powers;
mod read;
mod stack;
mod translate;
mod vectors;
mod watch;

use crate::answer::{self, Answer, Door, Error, Evaluated, Evidence, LinkStatistics, Model, Query};
use crate::answer::{Reason, Solver};
use crate::features::{FeatureTable, Features};
use crate::limits::Pains;
use loupe_term::{Context, Node, Range, Sort, SymbolId, Term, Terms};
use powers::Powers;
use rustc_hash::FxHashMap;
use stack::{Kind, Outcome, Stack};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use translate::{Translation, WrongSort};
use vectors::NoVectors;
use vectors::Span;
use watch::Watch;

pub use eliminate::{Elimination, Goalpost, Optimum, memory_in_use};
pub use horn::{Atom, Clause, Guidance, HornAnswer, HornSystem, Invariant, RelationId};

/// The name of the backend in statistics and messages.
const NAME: &str = "z3";
/// So many stacks are kept for each kind of query.
const STACKS: usize = 4;
/// So often are facts about powers added before the backend gives up.
const REFINEMENTS: usize = 24;

/// Z3 as a solver.
pub struct Z3 {
    translation: Translation,
    features: FeatureTable,
    stacks: Vec<Stack>,
    watch: Watch,
    door: Door,
    /// Counts queries, to know which stack has not been used for longest.
    clock: u64,
    /// What Z3's counter of work stood at last.
    counted: u32,
    statistics: LinkStatistics,
}

impl Default for Z3 {
    fn default() -> Self {
        Self::new()
    }
}

/// Polynomials with more summands than these,
const MOST_SUMMANDS: usize = 60;
/// and with monomials of more factors, are not given to Z3.
const MOST_FACTORS: u32 = 10;

impl Z3 {
    /// A backend for the current thread. Z3's context is made when the first query comes.
    pub fn new() -> Self {
        Z3 {
            translation: Translation::default(),
            features: FeatureTable::default(),
            stacks: Vec::new(),
            watch: Watch::default(),
            door: Door::default(),
            clock: 0,
            counted: 0,
            statistics: LinkStatistics::new(NAME),
        }
    }

    /// Adds what has been done since the counter of work was looked at last.
    fn count(&mut self, counted: u32) {
        self.statistics.work += u64::from(counted.wrapping_sub(self.counted));
        self.counted = counted;
    }

    /// Forgets all that belongs to Z3, after something in there has broken.
    fn start_over(&mut self) {
        self.translation = Translation::default();
        self.stacks.clear();
    }

    /// Runs something in Z3 and survives a panic. The `z3` crate panics where the library reports an
    /// error, such as lack of memory, in the middle of building an expression.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Result<T, Reason> {
        let outer = SURVIVES.replace(true);
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        SURVIVES.set(outer);
        result.map_err(|panic| {
            self.start_over();
            Reason::Failure(message(panic.as_ref()))
        })
    }

    fn features(&mut self, terms: &Terms, assertions: &[Term]) -> Features {
        let mut all = Features::default();
        for assertion in assertions {
            all = all.join(self.features.of(terms, *assertion));
        }
        all
    }

    /// The stack that shares the longest beginning with the query, made ready for it.
    fn stack_for(
        &mut self,
        terms: &Terms,
        kind: Kind,
        assertions: &[Term],
    ) -> Result<usize, WrongSort> {
        self.clock += 1;
        let candidates = self.stacks.iter().enumerate().filter(|(_, stack)| stack.kind == kind);
        let best = candidates.map(|(at, stack)| (stack.common(assertions), at)).max();
        let count = self.stacks.iter().filter(|stack| stack.kind == kind).count();
        let at = match best {
            // Worth keeping what is on the stack, or nothing to lose.
            Some((common, at)) if common > 0 || self.stacks[at].is_empty() => at,
            _ if count < STACKS => {
                self.stacks.push(Stack::new(kind));
                self.stacks.len() - 1
            }
            _ => {
                let old = self.stacks.iter().enumerate().filter(|(_, stack)| stack.kind == kind);
                old.min_by_key(|(_, stack)| stack.used).map_or(0, |(at, _)| at)
            }
        };
        self.stacks[at].used = self.clock;
        self.stacks[at].bring_to(terms, &mut self.translation, assertions)?;
        Ok(at)
    }

    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        let features = self.features(terms, query.assertions);
        let kind = match features {
            _ if features.is_linear() => Kind::Linear,
            _ if features.is_linear_with_elements() => Kind::Elements,
            _ => Kind::General,
        };
        if kind == Kind::General && is_hopeless(terms, query.assertions) {
            let what = "polynomials of high degree with many summands";
            return Ok(Answer::Unknown(Reason::Incomplete(what.into())));
        }
        if features.has(Features::BITS)
            && let Some(answer) = self.solve_as_vectors(terms, query)?
        {
            return Ok(answer);
        }
        let powers = match features.has(Features::POWERS) {
            true => Powers::of(terms, &mut self.features, query.assertions),
            false => Powers::default(),
        };
        if query.limits.pains == Pains::Hard && powers.is_empty() {
            let solved = self.solve_once(terms, query, kind);
            return solved
                .unwrap_or_else(|WrongSort| Err(answer::ill_sorted(terms, query.assertions)));
        }
        let solved = self.solve_as(terms, query, kind, &powers);
        solved.unwrap_or_else(|WrongSort| Err(answer::ill_sorted(terms, query.assertions)))
    }

    /// The answer of the theory of bit-vectors, if the query can be put to it.
    fn solve_as_vectors(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
    ) -> Result<Option<Answer>, Error> {
        let ranges = symbol_ranges(terms, query.assertions);
        let mut encoding = vectors::Encoding::new(&ranges);
        let formulas = query.assertions.iter().map(|term| encoding.formula(terms, *term));
        let Ok(mut formulas) = formulas.collect::<Result<Vec<_>, NoVectors>>() else {
            return Ok(None);
        };
        let Ok(ranges) = encoding.ranges() else { return Ok(None) };
        formulas.extend(ranges);
        let mut stack = Stack::of_vectors(&formulas);
        let limits = query.limits;
        let (outcome, stopped) = self.watch.during(limits, || stack.check(&[], limits));
        self.count(stack.counted);
        Ok(Some(match outcome {
            Outcome::Sat(model) => {
                answer::answer_with(terms, NAME, query.assertions, encoding.values(&model))?
            }
            // The ranges come from any of the assertions, so all of them are to blame.
            Outcome::Unsat(_) => Answer::Unsat((0..query.assertions.len()).collect()),
            Outcome::Unknown(words) => Answer::Unknown(stack::reason(words, stopped)),
        }))
    }

    /// The answer to a query that has nothing in common with others.
    fn solve_once(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        kind: Kind,
    ) -> Result<Result<Answer, Error>, WrongSort> {
        let (assertions, limits) = (query.assertions, query.limits);
        let mut stack = Stack::of_one(terms, &mut self.translation, assertions, kind)?;
        let (outcome, stopped) = self.watch.during(limits, || stack.check(&[], limits));
        self.count(stack.counted);
        Ok(match outcome {
            Outcome::Sat(model) => {
                let model::Reading { values, evidence } = model::values(terms, &model, assertions)?;
                answer::extended(terms, NAME, assertions, values, evidence)
            }
            Outcome::Unsat(_) => Ok(Answer::Unsat((0..assertions.len()).collect())),
            Outcome::Unknown(words) => Ok(Answer::Unknown(stack::reason(words, stopped))),
        })
    }

    fn solve_as(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        kind: Kind,
        powers: &Powers,
    ) -> Result<Result<Answer, Error>, WrongSort> {
        let start = Instant::now();
        let at = self.stack_for(terms, kind, query.assertions)?;
        let mut facts = powers.facts(terms, &mut self.translation)?;
        for _ in 0..REFINEMENTS {
            let (stack, limits) = (&mut self.stacks[at], query.limits.after(start.elapsed()));
            let (outcome, stopped) = self.watch.during(&limits, || stack.check(&facts, &limits));
            let counted = stack.counted;
            self.count(counted);
            let model = match outcome {
                Outcome::Sat(model) => model,
                Outcome::Unsat(core) => return Ok(Ok(Answer::Unsat(core))),
                Outcome::Unknown(words) => {
                    // How far Z3 came depends on when it was stopped: nothing later may depend on that.
                    self.stacks.swap_remove(at);
                    return Ok(Ok(Answer::Unknown(stack::reason(words, stopped))));
                }
            };
            let model::Reading { values, evidence } =
                model::values(terms, &model, query.assertions)?;
            if powers.is_empty() {
                let assertions = query.assertions;
                return Ok(answer::extended(terms, NAME, assertions, values, evidence));
            }
            // Z3 knows only facts about powers, so its model proves nothing unless it is evaluated.
            if let Evaluated::True = answer::evaluate(terms, query.assertions, &values) {
                let evidence = Evidence::Evaluated;
                return Ok(Ok(Answer::Sat(Model { values, evidence })));
            }
            let more = powers.corrections(terms, &mut self.translation, &values)?;
            if more.is_empty() {
                break;
            }
            facts.extend(more);
        }
        Ok(Ok(Answer::Unknown(Reason::Incomplete("powers with a symbolic exponent".into()))))
    }
}

/// Whether some polynomial is so large that Z3 computes with it for minutes, without a look at limits and interrupts.
fn is_hopeless(terms: &Terms, assertions: &[Term]) -> bool {
    let degree = |monomial: &Term| match terms.node(*monomial) {
        Node::Product(factors) => factors.iter().map(|(_, exponent)| *exponent).sum(),
        _ => 1,
    };
    let mut parts = assertions.iter().flat_map(|assertion| terms.post_order(*assertion));
    parts.any(|part| match terms.node(part) {
        Node::Sum(sum) => {
            sum.summands.len() > MOST_SUMMANDS
                && sum.summands.iter().any(|(monomial, _)| degree(monomial) > MOST_FACTORS)
        }
        _ => false,
    })
}

impl Solver for Z3 {
    fn check(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<Answer, Error> {
        self.door.admit(terms, query.assertions)?;
        let start = Instant::now();
        self.statistics.queries += 1;
        let answer = match query.limits.exhausted() {
            Some(reason) => Err(reason),
            None => self.guarded(|z3| z3.solve(terms, query)),
        };
        let answer = answer.unwrap_or_else(|reason| Ok(Answer::Unknown(reason)));
        if let Ok(Answer::Unknown(Reason::Memory)) = answer {
            // What is kept may be what fills it, and then no later query would fare better.
            self.start_over();
        }
        self.statistics.answered += 1;
        self.statistics.time += start.elapsed();
        query.limits.interrupt.note(self.statistics.work);
        answer
    }

    fn statistics(&self) -> Vec<LinkStatistics> {
        vec![self.statistics.clone()]
    }

    fn work(&self) -> u64 {
        self.statistics.work
    }
}

/// The ranges of the integer symbols, as far as the assertions bound them.
fn symbol_ranges(terms: &mut Terms, assertions: &[Term]) -> FxHashMap<SymbolId, Span> {
    let mut context = Context::new();
    let mut symbols = BTreeSet::new();
    for assertion in assertions {
        context.assume(terms, *assertion);
        symbols.extend(terms.free_symbols(*assertion));
    }
    let mut ranges = FxHashMap::default();
    for symbol in symbols {
        let term = terms.symbol_term(symbol);
        if terms.sort(term) == Sort::Int
            && let Range { low: Some(low), high: Some(high), .. } = context.range(terms, term)
        {
            ranges.insert(symbol, Span { low, high });
        }
    }
    ranges
}

#[cfg(test)]
mod tests;

thread_local! {
    /// Whether a panic of this thread would be caught here.
    static SURVIVES: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be caught by the backend and become an answer: nothing that a
/// panic hook should complain about.
pub fn survives_panics() -> bool {
    SURVIVES.get()
}

/// What a panic says.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}
