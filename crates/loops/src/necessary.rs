//! What every execution of a loop satisfies, with one counter for each path: *Abstracting Path Conditions* (Strejček and Trtík, ISSTA 2012), Algorithm 2, with the corrections and
//! additions below.
//!
//! Let κᵢ be how often path i is taken. The *iterated memory* says what variables are after these iterations, in whatever order: unchanged; plus amounts that do not change, times counters; the closed form of
//! a recurrence where there is one path only; what the *last writer* has written; an element of the array of all values that it has, one after the other; or unknown, ★. The *looping condition* says that each path could be taken each time: before the τ-th iteration of path i, path j has been
//! taken some number of times, at most κⱼ, and with the memory after so many iterations the guard of i holds, for some inputs and some counters of loops inside.
//!
//! Why every execution satisfies it: take an execution, let κ be its counts, and for the τ-th iteration of path i the counts, inputs and inner counters that it has there. Each part of the formula says something that is true of these; values
//! of the memory are true for *any* order with these counts, or there is a witness for what depends on the order.
//!
//! Beyond the paper:
//! - ∃ below ∀ is an array of witnesses, indexed by τ (a Skolem function), since what is satisfiable is all that matters; loops inside loops make arrays of arrays.
//! - Whoever wrote last has a witness too: the state before that iteration, in which its guard holds. So several paths may write different values, and inputs.
//! - How often other paths were taken before the τ-th iteration of a path does not fall with τ, so iterations of a path are different ones.
//! - *Every* iteration is one of some path, whatever the order: for all p below the sum of the counters, the guard of some path holds after p iterations. Where values depend only on that sum, nothing else is said, and one counter is enough.
//! - The first of all iterations starts from the entry, and before the last of all iterations all counts are final but one. This is what says that a guard that
//!   all paths share bounds the *sum* of the counters, which the paper loses.
//! - What becomes of arrays that iterations write is in `arrays`, and counters of loops inside that are no counters in `counts`.
//! - Machine integers: what is proved not to wrap under the guard of its path does not; other sums are wrapped once.

mod arrays;
mod counts;
mod formula;
mod reads;
mod trace;

pub(crate) use formula::without_wraps;

use crate::logic::Logic;
use crate::parts::Parts;
use crate::problem::{End, Loop, Path};
use crate::summary::{Case, Covers, Summary, Tag};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::recurrence::{self, System};
use loupe_term::{Counted, Node, Origin, Sort, Substitution, SymbolId, Term, Width};
use std::collections::BTreeSet;

/// Loops with more paths back are not described.
const MAX_PATHS: usize = 16;

/// A witness for a last writer has witnesses of its own for values that it reads, this deep.
const MAX_DEPTH: usize = 2;

/// The summary of a loop by a necessary condition: one case for each path that leaves.
pub(crate) fn necessary(
    logic: &mut Logic<'_>,
    problem: &Loop,
    reasons: Vec<String>,
) -> Result<Option<Summary>, Error> {
    let paths = problem.iterations().count();
    if problem.is_partial.is_some() || paths > MAX_PATHS {
        return Ok(None);
    }
    let mut problem = problem.clone();
    counts::counted(logic, &mut problem)?;
    let mut problem = without_needless_wraps(logic, problem)?;
    counts::without_needless_choices(logic, &mut problem)?;
    let problem = &problem;
    let memory = Memory::of(logic, problem)?;
    let mut parts = Parts::default();
    parts.symbols.extend(memory.histories().map(|(_, all)| all));
    parts.symbols.extend(memory.trace.iter().flat_map(|trace| trace.symbols.iter().copied()));
    let counts = memory.counts(logic, &mut parts);
    let state = memory.after(logic, &mut parts, &counts, 0);
    memory.looping(logic, &mut parts, &counts);
    parts.conditions.extend(problem.entry.iter().copied());
    let mut cases = Vec::new();
    for (last, exit) in problem.paths.iter().enumerate() {
        let End::Exit(number) = exit.end else { continue };
        let mut parts = parts.clone();
        let known = parts.symbols.len();
        let mut values = memory.take(logic, &mut parts, &state, exit);
        // Whoever replays an execution wants to know what the last, partial iteration reads.
        let inputs = parts.symbols.split_off(known);
        let all = std::mem::take(&mut parts.conditions).into_iter();
        parts.conditions = all.flat_map(|condition| logic.conjuncts(condition)).collect();
        without_wraps(logic, &problem.facts, &mut parts.conditions, &mut values);
        // Whether something can hold in all iterations is asked once, at the end of the way.
        let all = problem.facts.iter().chain(&parts.conditions).copied();
        let easy: Vec<Term> = all.filter(|part| is_easy(logic, *part)).collect();
        if logic.refuted(&easy)? {
            continue;
        }
        let taken = memory.taken(&counts);
        cases.push(Case { taken, inputs, ..parts.case(logic, values, (last, number)) });
    }
    Ok(Some(Summary {
        tag: Tag::Over,
        cases,
        diverging: Vec::new(),
        covers: Covers::Ending,
        under: None,
        reasons,
        obligations: Vec::new(),
        witnesses: Vec::new(),
    }))
}

/// Larger choices say little for what they cost.
const MAX_CHOICE: usize = 24;

/// Whether a condition says nothing of all iterations, and is no large choice.
fn is_easy(logic: &Logic<'_>, part: Term) -> bool {
    let is_choice = matches!(logic.terms.node(part), Node::Or(_));
    let is_large = is_choice && logic.terms.size(part) > MAX_CHOICE;
    !logic.terms.has_quantifier(part) && !is_large
}

/// The problem with sums that are not wrapped where the guard of their path keeps them in range.
fn without_needless_wraps(logic: &mut Logic<'_>, mut problem: Loop) -> Result<Loop, Error> {
    let facts = problem.facts.clone();
    for path in problem.paths.iter_mut().filter(|path| path.end == End::Again) {
        let mut given = facts.clone();
        let guard = logic.terms.weaken(path.guard);
        // What is said of all iterations of loops inside makes every question a hard one.
        let plain = logic.conjuncts(guard).into_iter();
        given.extend(plain.filter(|part| !logic.terms.has_quantifier(*part)));
        for update in &mut path.updates {
            let Node::Wrap(width, inner) = *logic.terms.node(*update) else { continue };
            if logic.terms.is_starred(inner) {
                continue;
            }
            let (least, greatest) = width.bounds();
            let (least, greatest) = (logic.terms.int(least), logic.terms.int(greatest));
            let fits = [logic.terms.le(least, inner), logic.terms.le(inner, greatest)];
            let fits = logic.terms.and(fits);
            if logic.proves(&given, fits)? {
                *update = inner;
            }
        }
    }
    Ok(problem)
}

/// What becomes of a variable.
#[derive(Clone, Debug)]
enum Value {
    /// A term over the values at entry and [`Memory::counters`].
    Closed(Term),
    /// What the last path left that writes it, of those that do.
    Last,
    /// An array that is written place by place: what becomes of it is said when all other values are known.
    Written,
    /// Its elements change between two places at most: for each path, what it writes first and last.
    Elements(Vec<Stretch>),
    /// An element of an array of all its values, one for each number of iterations; perhaps none of them is below or above the first.
    History { all: Term, grows: bool, falls: bool },
    /// Not known.
    Unknown,
}

/// Where iterations of a path write: at this index plus so much for each iteration of each path before.
#[derive(Clone, Debug)]
struct Stretch {
    path: usize,
    start: Term,
    steps: Vec<Integer>,
}

/// What variables are after some iterations.
struct Memory<'m> {
    problem: &'m Loop,
    variables: Vec<SymbolId>,
    paths: Vec<&'m Path>,
    /// Symbols that stand for the counts in closed values.
    counters: Vec<Term>,
    values: Vec<Value>,
    /// Whether it matters how many iterations there were of which path, and not only how many in all.
    counts_apart: bool,
    /// What single iterations do, and arrays in the words of that, where some are written.
    trace: Option<trace::Trace>,
    arrays: Option<arrays::Arrays>,
}

impl<'m> Memory<'m> {
    fn of(logic: &mut Logic<'_>, problem: &'m Loop) -> Result<Self, Error> {
        let symbols = problem.variables.iter().map(|variable| variable.symbol);
        let variables = symbols.filter_map(|symbol| logic.symbol_of(symbol)).collect();
        let paths: Vec<&Path> = problem.iterations().map(|(_, path)| path).collect();
        let counters =
            paths.iter().map(|_| logic.terms.fresh("k", Sort::Int, Origin::default())).collect();
        let values = vec![Value::Unknown; problem.variables.len()];
        let counts_apart = false;
        let (trace, arrays) = (None, None);
        let mut memory =
            Memory { problem, variables, paths, counters, values, counts_apart, trace, arrays };
        memory.recurrences(logic);
        loop {
            let mut any = false;
            for variable in 0..memory.values.len() {
                if let Value::Unknown = memory.values[variable]
                    && let Some(value) = memory.improved(logic, variable)
                {
                    memory.values[variable] = value;
                    any = true;
                }
            }
            if !any {
                break;
            }
        }
        for variable in 0..memory.values.len() {
            let is_unknown = matches!(memory.values[variable], Value::Unknown);
            if is_unknown || memory.is_wanted_by_iteration(logic, variable) {
                memory.values[variable] = memory.history(logic, variable)?;
            }
        }
        memory.counts_apart = memory.tells_counts_apart(logic);
        memory.solve_arrays(logic);
        Ok(memory)
    }

    /// Whether something that is written in an array depends on a value whose last writer alone is known: it is asked for in every iteration then.
    fn is_wanted_by_iteration(&self, logic: &Logic<'_>, variable: usize) -> bool {
        let own = BTreeSet::from([self.variables[variable]]);
        let is_last = matches!(self.values[variable], Value::Last);
        is_last
            && (0..self.values.len())
                .filter(|array| matches!(self.values[*array], Value::Written))
                .any(|array| {
                    self.paths.iter().any(|path| logic.mentions(path.updates[array], &own))
                })
    }

    /// Whether a value would be another one after one iteration more of the first path and one less of some other.
    fn tells_counts_apart(&self, logic: &mut Logic<'_>) -> bool {
        let one = logic.terms.int(1);
        let Some((first, others)) = self.counters.split_first() else { return false };
        let more = logic.terms.add(*first, one);
        for value in &self.values {
            let value = match value {
                Value::Closed(value) => *value,
                Value::Unknown | Value::Written | Value::History { .. } => continue,
                Value::Last | Value::Elements(_) => {
                    if others.is_empty() {
                        continue;
                    }
                    return true;
                }
            };
            for other in others {
                let less = logic.terms.sub(*other, one);
                let exchanged: Substitution = [(*first, more), (*other, less)]
                    .into_iter()
                    .filter_map(|(counter, count)| Some((logic.symbol_of(counter)?, count)))
                    .collect();
                if logic.put(value, &exchanged) != value {
                    return true;
                }
            }
        }
        false
    }

    /// How often each path is taken. Where only their sum matters, all iterations count as iterations of the first.
    fn counts(&self, logic: &mut Logic<'_>, parts: &mut Parts) -> Vec<Term> {
        if self.counts_apart {
            return parts.counts(logic, self.counted());
        }
        let all = self.counted_together();
        let mut counts = parts.counts(logic, self.paths.first().map(|_| all));
        counts.resize(self.paths.len(), logic.terms.int(0));
        counts
    }

    /// The paths, and how often they are taken.
    fn taken(&self, counts: &[Term]) -> Vec<(Vec<usize>, Term)> {
        let paths = self.problem.iterations().map(|(number, _)| number);
        match self.counts_apart {
            true => paths.map(|path| vec![path]).zip(counts.iter().copied()).collect(),
            false => counts.first().map(|all| (paths.collect(), *all)).into_iter().collect(),
        }
    }

    /// What the counts of the paths are, for people.
    fn counted(&self) -> Vec<Option<Counted>> {
        if let [_] = self.paths[..] {
            return vec![self.counted_together()];
        }
        let numbers = self.problem.iterations().map(|(number, _)| number);
        numbers.map(|number| self.problem.counted.get(number).cloned()).collect()
    }

    /// What the count of all iterations is.
    fn counted_together(&self) -> Option<Counted> {
        let all = self.problem.iterations();
        let mut all = all.filter_map(|(number, _)| self.problem.counted.get(number));
        let mut together = Counted { path: None, branch: None, ..all.next()?.clone() };
        together.lines.extend(all.flat_map(|other| &other.lines));
        together.lines.sort_unstable();
        together.lines.dedup();
        Some(together)
    }

    fn symbol(&self, variable: usize) -> Term {
        self.problem.variables[variable].symbol
    }

    /// Closed forms, where there is one path only.
    fn recurrences(&mut self, logic: &mut Logic<'_>) {
        let [path] = self.paths[..] else { return };
        let fresh: BTreeSet<SymbolId> =
            path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol)).collect();
        // What reads something new, or something unknown, has none; and so has what depends on it.
        let mut open: BTreeSet<usize> = (0..self.values.len())
            .filter(|variable| {
                let update = path.updates[*variable];
                logic.terms.is_starred(update)
                    || logic.terms.sort(update) != Sort::Int
                    || logic.mentions(update, &fresh)
            })
            .collect();
        loop {
            let bad: BTreeSet<SymbolId> = open.iter().map(|at| self.variables[*at]).collect();
            let more: Vec<usize> = (0..self.values.len())
                .filter(|at| !open.contains(at) && logic.mentions(path.updates[*at], &bad))
                .collect();
            if more.is_empty() {
                break;
            }
            open.extend(more);
        }
        let solved: Vec<usize> = (0..self.values.len()).filter(|at| !open.contains(at)).collect();
        let updates: Vec<(Term, Term)> =
            solved.iter().map(|at| (self.symbol(*at), path.updates[*at])).collect();
        let system = System { counter: self.counters[0], updates: &updates, facts: &[] };
        let Ok(solutions) =
            recurrence::solve(logic.terms, &system, &mut recurrence::IdentitiesOnly)
        else {
            return;
        };
        for variable in solved {
            let symbol = self.symbol(variable);
            let solution = solutions.get(logic.terms, symbol).and_then(|found| found.proved());
            if let Some(form) = solution {
                let value = form.value();
                self.values[variable] = Value::Closed(value);
            }
        }
    }

    /// Whether a term is the same in all iterations: nothing in it is a variable that changes, or new.
    fn is_fixed(&self, logic: &Logic<'_>, path: &Path, term: Term) -> bool {
        if logic.terms.is_starred(term) {
            return false;
        }
        let free = logic.terms.free_symbols(term);
        let is_new =
            path.fresh.iter().filter_map(|f| logic.symbol_of(f.symbol)).any(|f| free.contains(&f));
        let changes = |(at, id): (usize, &SymbolId)| {
            free.contains(id)
                && !matches!(&self.values[at], Value::Closed(value) if *value == self.symbol(at))
        };
        !is_new && !self.variables.iter().enumerate().any(changes)
    }

    /// A better value for a variable, given those of others.
    fn improved(&self, logic: &mut Logic<'_>, variable: usize) -> Option<Value> {
        let symbol = self.symbol(variable);
        let updates: Vec<Term> = self.paths.iter().map(|path| path.updates[variable]).collect();
        if updates.iter().all(|update| *update == symbol) {
            return Some(Value::Closed(symbol));
        }
        if logic.terms.sort(symbol) != Sort::Int {
            let is_written = self.is_written(logic, variable);
            return match is_written {
                true => Some(Value::Written),
                false => self.elements(logic, variable).map(Value::Elements),
            };
        }
        if updates.iter().any(|update| logic.terms.is_starred(*update)) {
            return None;
        }
        if let Some(sum) = self.sum(logic, variable, &updates) {
            return Some(Value::Closed(sum));
        }
        let own = BTreeSet::from([self.variables[variable]]);
        // Another one may be in it: then the witness has a value for that.
        let writes = updates
            .iter()
            .filter(|update| **update != symbol)
            .all(|update| !logic.mentions(*update, &own) && self.is_known(logic, *update));
        if !writes {
            return None;
        }
        Some(self.same_for_all(logic, variable, &updates).map_or(Value::Last, Value::Closed))
    }

    /// Whether all variables in a term have values.
    fn is_known(&self, logic: &Logic<'_>, term: Term) -> bool {
        let free = logic.terms.free_symbols(term);
        self.variables
            .iter()
            .enumerate()
            .all(|(at, id)| !free.contains(id) || !matches!(self.values[at], Value::Unknown))
    }

    /// A value to which iterations add amounts that do not change (case 2 of section 3.3).
    fn sum(&self, logic: &mut Logic<'_>, variable: usize, updates: &[Term]) -> Option<Term> {
        let symbol = self.symbol(variable);
        let mut total = symbol;
        let mut wraps: Option<Width> = None;
        for ((path, update), count) in self.paths.iter().zip(updates).zip(&self.counters) {
            let mut after = *update;
            if let Node::Wrap(width, inner) = *logic.terms.node(after) {
                if wraps.is_some_and(|other| other != width) {
                    return None;
                }
                (wraps, after) = (Some(width), inner);
            }
            let amount = logic.terms.sub(after, symbol);
            if !self.is_fixed(logic, path, amount) {
                return None;
            }
            let product = logic.terms.mul(*count, amount);
            total = logic.terms.add(total, product);
        }
        let Some(width) = wraps else { return Some(total) };
        // Wrapping after every step and wrapping once are the same, since steps are sums; without a step the value must be in range.
        let (least, greatest) = width.bounds();
        let (least, greatest) = (logic.terms.int(least), logic.terms.int(greatest));
        let fits = [logic.terms.le(least, symbol), logic.terms.le(symbol, greatest)];
        let fits = logic.terms.and(fits);
        let is_in_range = matches!(logic.proves(&self.problem.facts, fits), Ok(true));
        is_in_range.then(|| logic.terms.wrap(width, total))
    }

    /// Cases 3 and 4 of section 3.3: whoever writes, writes the same, or one path alone writes what depends on its own counter alone.
    fn same_for_all(
        &self,
        logic: &mut Logic<'_>,
        variable: usize,
        updates: &[Term],
    ) -> Option<Term> {
        let symbol = self.symbol(variable);
        let zero = logic.terms.int(0);
        let writers: Vec<usize> =
            (0..updates.len()).filter(|path| updates[*path] != symbol).collect();
        let first = *writers.first()?;
        let same = writers.iter().all(|path| {
            updates[*path] == updates[first]
                && self.is_fixed(logic, self.paths[*path], updates[*path])
        });
        if same {
            let counts: Vec<Term> = writers.iter().map(|path| self.counters[*path]).collect();
            let all = logic.terms.sum(counts);
            let any = logic.terms.lt(zero, all);
            return Some(logic.terms.ite(any, updates[first], symbol));
        }
        let [path] = writers[..] else { return None };
        let fresh: BTreeSet<SymbolId> = self.paths[path]
            .fresh
            .iter()
            .filter_map(|fresh| logic.symbol_of(fresh.symbol))
            .collect();
        if logic.mentions(updates[path], &fresh) {
            return None;
        }
        let mut before = Substitution::default();
        for (at, id) in self.variables.iter().enumerate() {
            match self.values[at] {
                Value::Closed(value) => before.extend([(*id, value)]),
                _ if logic.mentions(updates[path], &BTreeSet::from([*id])) => return None,
                _ => {}
            }
        }
        let written = logic.put(updates[path], &before);
        let others: BTreeSet<SymbolId> = (self.counters.iter().enumerate())
            .filter(|(other, _)| *other != path)
            .filter_map(|(_, counter)| logic.symbol_of(*counter))
            .collect();
        if logic.mentions(written, &others) {
            return None;
        }
        let one = logic.terms.int(1);
        let count = self.counters[path];
        let earlier = logic.terms.sub(count, one);
        let earlier: Substitution =
            logic.symbol_of(count).into_iter().map(|id| (id, earlier)).collect();
        let written = logic.put(written, &earlier);
        let any = logic.terms.lt(zero, count);
        Some(logic.terms.ite(any, written, symbol))
    }

    /// What is known of a variable that has no form: all of its values, one after the other, if they are numbers that iterations compute.
    fn history(&self, logic: &mut Logic<'_>, variable: usize) -> Result<Value, Error> {
        let symbol = self.symbol(variable);
        let (mut grows, mut falls) = (true, true);
        let is_star = |path: &&Path| logic.terms.is_starred(path.updates[variable]);
        if logic.terms.sort(symbol) != Sort::Int || self.paths.iter().any(is_star) {
            return Ok(Value::Unknown);
        }
        for path in &self.paths {
            let update = path.updates[variable];
            let mut given = self.problem.facts.clone();
            let guard = logic.terms.weaken(path.guard);
            let plain = logic.conjuncts(guard).into_iter();
            given.extend(plain.filter(|part| !logic.terms.has_quantifier(*part)));
            let (up, down) = (logic.terms.le(symbol, update), logic.terms.le(update, symbol));
            grows = grows && logic.proves(&given, up)?;
            falls = falls && logic.proves(&given, down)?;
        }
        let name = &self.problem.variables[variable].name;
        let all = logic.terms.fresh(name, Sort::Array(1), Origin::default());
        Ok(Value::History { all, grows, falls })
    }

    /// The arrays of all values, for variables that have no other form.
    fn histories(&self) -> impl Iterator<Item = (usize, Term)> {
        self.values.iter().enumerate().filter_map(|(variable, value)| match value {
            Value::History { all, .. } => Some((variable, *all)),
            _ => None,
        })
    }
}
