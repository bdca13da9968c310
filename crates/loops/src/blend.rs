//! Paths without a pattern as one path, and values without a closed form as a history.
//!
//! `if (a[i] < least) least = a[i];` goes one way or the other as the elements please, and no order of the two paths says anything. But all iterations go *some* way: where the
//! guards of the paths have literals in common and the rest of them leaves nothing out, the loop has one path whose values are choices. Where it leaves something out, to an exit, the
//! guard of that path says besides that one of the paths is taken.
//!
//! A number that is computed from itself in such a way has no closed form. Its values are a sequence, so they are an array H that nobody knows, with H[0] the value at
//! entry: iteration t is only possible where H[t+1] is what it computes from H[t], and so the condition of a case says this of all iterations. For each entry there is one such sequence,
//! as far as it matters. Every execution has its H, and what a case says of some H is an execution, as for counters of inner loops in [`indexed`](crate::indexed).
//! Where no iteration makes the number larger, or none smaller, the last value is the least or greatest of all: that follows by an induction that no solver does, so the
//! case says it too. For the same reason it says how far apart two values can be where iterations add numbers between two constants, as counting does, and nothing can have wrapped.

mod scattered;

use crate::apart::iterations;
use crate::logic::Logic;
use crate::problem::{End, Loop, Path, Precision, Variable, Ways};
use crate::split::Wraps;
use crate::summary::{Case, Covers, Repeated, Segment, Summary};
use crate::{Effort, Failure, solve};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Node, Origin, Quantifier, Sort, Substitution, SymbolId, Term, Width};
use scattered::{Scattered, is_scattering, scattered};
use std::collections::BTreeSet;

/// More paths are not made one.
const MAX_PATHS: usize = 12;

/// What a history says of its last value, beside each step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Falling,
    Rising,
    Neither,
}

/// A variable whose values are a sequence.
struct History {
    /// Which variable.
    number: usize,
    array: Term,
    direction: Direction,
    pace: Option<Pace>,
}

/// What an iteration adds at least and at most, a number that is not positive and one that is not negative; and the type to which sums are wrapped.
struct Pace {
    slowest: Integer,
    fastest: Integer,
    wraps: Option<Width>,
}

/// Whether what tells the paths apart is elements of arrays, or where they write.
pub(crate) fn is_wild(logic: &mut Logic<'_>, problem: &Loop) -> bool {
    let guards: Vec<Vec<Term>> =
        problem.iterations().map(|(_, path)| logic.conjuncts(path.guard)).collect();
    let is_common = |part: &Term| guards.iter().all(|guard| guard.contains(part));
    let chooses = |part: &Term| !is_common(part) && reads_elements(logic, *part);
    let paths_differ = guards.len() > 1 && guards.iter().flatten().any(chooses);
    paths_differ || problem.iterations().any(|(_, path)| is_scattering(logic, problem, path))
}

fn reads_elements(logic: &Logic<'_>, term: Term) -> bool {
    let mut inside = logic.terms.post_order(term).into_iter();
    inside.any(|part| matches!(logic.terms.node(part), Node::Select(..)))
}

/// The summary of a loop whose paths are one; `None` if they are not, or if it is not solved.
pub(crate) fn blended(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
) -> Result<Option<Summary>, Error> {
    let paths: Vec<usize> = problem.iterations().map(|(number, _)| number).collect();
    let is_plain = |path: &Path| {
        path.precision == Precision::Exact && (path.end != End::Again || path.fresh.is_empty())
    };
    if problem.ways != Ways::One
        || paths.is_empty()
        || paths.len() > MAX_PATHS
        || !problem.paths.iter().all(is_plain)
    {
        return Ok(None);
    }
    let Some(mut one) = as_one_path(logic, problem, &paths)? else { return Ok(None) };
    let time = logic.terms.fresh("t", Sort::Int, Origin::default());
    let Some(histories) = with_histories(logic, &mut one, time)? else { return Ok(None) };
    let Some(scattered) = scattered(logic, &mut one, time) else { return Ok(None) };
    let sequences = Sequences { time, histories, scattered };
    if sequences.is_empty() {
        if paths.len() == 1 {
            return Ok(None);
        }
    } else {
        sequences.keep_time(logic, &mut one);
    }
    let mut found: Result<Summary, Failure> = Err(Failure::default());
    for wraps in [Wraps::Guards, Wraps::All] {
        found = solve(logic, &one, effort, wraps)?;
        if found.is_ok() {
            break;
        }
    }
    let Ok(summary) = found else { return Ok(None) };
    told_of_paths(logic, problem, &paths, summary, &sequences)
}

/// What is an array of one element for each iteration, or is written in some of them.
struct Sequences {
    /// The number of the iteration.
    time: Term,
    histories: Vec<History>,
    scattered: Scattered,
}

impl Sequences {
    fn is_empty(&self) -> bool {
        self.histories.is_empty() && self.scattered.is_empty()
    }

    /// Counts the iterations, in one more variable. Not every sequence is one of an execution, so that it may be impossible to go on.
    fn keep_time(&self, logic: &mut Logic<'_>, one: &mut Loop) {
        let step = logic.terms.int(1);
        let next = logic.terms.add(self.time, step);
        for (position, path) in one.paths.iter_mut().enumerate() {
            path.updates.push(if position == 0 { next } else { self.time });
        }
        one.variables.push(Variable { symbol: self.time, name: "t".into() });
        one.ways = Ways::Several;
    }
}

/// The loop with one path in the place of all that lead back; it comes first.
fn as_one_path(
    logic: &mut Logic<'_>,
    problem: &Loop,
    paths: &[usize],
) -> Result<Option<Loop>, Error> {
    let guards: Vec<Vec<Term>> =
        paths.iter().map(|path| logic.conjuncts(problem.paths[*path].guard)).collect();
    let is_common = |part: &Term| guards.iter().all(|guard| guard.contains(part));
    let common: Vec<Term> = guards[0].iter().copied().filter(is_common).collect();
    let mut rests: Vec<Term> = Vec::with_capacity(paths.len());
    for guard in &guards {
        let own: Vec<Term> = guard.iter().copied().filter(|part| !common.contains(part)).collect();
        rests.push(logic.terms.and(own));
    }
    // Whoever may go back goes some way; or the guard says so.
    let mut none: Vec<Term> = problem.facts.iter().chain(&common).copied().collect();
    for rest in &rests {
        none.push(logic.terms.not(*rest));
    }
    let mut guard = common;
    if paths.len() > 1 && !logic.refuted(&none)? {
        let some = logic.terms.or(rests.iter().copied());
        // What elements do not decide is divided into paths again.
        if !reads_elements(logic, some) {
            return Ok(None);
        }
        guard.push(some);
    }
    let mut updates = problem.paths[paths[paths.len() - 1]].updates.clone();
    for (path, rest) in paths.iter().zip(&rests).rev().skip(1) {
        for (update, own) in updates.iter_mut().zip(&problem.paths[*path].updates) {
            *update = choice(logic, *rest, *own, *update);
        }
    }
    let first = &problem.paths[paths[0]];
    let guard = logic.terms.and(guard);
    let again = Path { guard, updates, label: String::new(), ..first.clone() };
    let exits = problem.paths.iter().filter(|path| path.end != End::Again).cloned();
    let paths = std::iter::once(again).chain(exits).collect();
    Ok(Some(Loop { paths, ..problem.clone() }))
}

/// One of two values. Where both are arrays that differ in one element, only that is chosen: then an index is written in all iterations.
fn choice(logic: &mut Logic<'_>, condition: Term, then: Term, otherwise: Term) -> Term {
    let element = |logic: &mut Logic<'_>, array: Term, index: Term, below: Term| match *logic
        .terms
        .node(array)
    {
        Node::Store(base, at, value) if (base, at) == (below, index) => Some(value),
        _ if array == below => logic.terms.select(below, index).ok(),
        _ => None,
    };
    let written = [then, otherwise].into_iter().find_map(|array| match *logic.terms.node(array) {
        Node::Store(below, index, _) => Some((below, index)),
        _ => None,
    });
    if then != otherwise
        && let Some((below, index)) = written
        && let Some(a) = element(logic, then, index, below)
        && let Some(b) = element(logic, otherwise, index, below)
    {
        let value = logic.terms.ite(condition, a, b);
        if let Ok(array) = logic.terms.store(below, index, value) {
            return array;
        }
    }
    logic.terms.ite(condition, then, otherwise)
}

/// Replaces numbers that are computed from themselves in no simple way. Nothing is left to do if there are none; `None` if that does not help.
fn with_histories(
    logic: &mut Logic<'_>,
    one: &mut Loop,
    time: Term,
) -> Result<Option<Vec<History>>, Error> {
    let symbols: Vec<Option<SymbolId>> =
        one.variables.iter().map(|variable| logic.symbol_of(variable.symbol)).collect();
    let mut histories: Vec<History> = Vec::new();
    let is_hard = |logic: &Logic<'_>, number: usize, one: &Loop| {
        let update = one.paths[0].updates[number];
        let symbol = one.variables[number].symbol;
        let Some(id) = symbols[number] else { return false };
        let reads_itself = logic.mentions(update, &BTreeSet::from([id]));
        logic.terms.sort(symbol) == Sort::Int
            && update != symbol
            && reads_itself
            && is_no_step(logic, update, symbol)
    };
    let hard: Vec<usize> =
        (0..one.variables.len()).filter(|number| is_hard(logic, *number, one)).collect();
    if hard.is_empty() {
        return Ok(Some(histories));
    }
    // Of numbers that are computed from numbers alone, a history says no more than executing the loop does.
    if !hard.iter().all(|number| reads_elements(logic, one.paths[0].updates[*number])) {
        return Ok(None);
    }
    let mut store = Substitution::default();
    let given: Vec<Term> = one.facts.iter().copied().chain([one.paths[0].guard]).collect();
    for number in hard {
        let symbol = one.variables[number].symbol;
        let update = one.paths[0].updates[number];
        let (falls, rises) = (logic.terms.le(update, symbol), logic.terms.le(symbol, update));
        let direction = if logic.proves(&given, falls)? {
            Direction::Falling
        } else if logic.proves(&given, rises)? {
            Direction::Rising
        } else {
            Direction::Neither
        };
        let array = logic.terms.fresh("H", Sort::Array(1), Origin::default());
        let Ok(now) = logic.terms.select(array, time) else { return Ok(None) };
        if let Some(id) = symbols[number] {
            store.insert(id, now);
        }
        let pace = pace(logic, update, symbol);
        histories.push(History { number, array, direction, pace });
    }
    let one_more = logic.terms.int(1);
    let next = logic.terms.add(time, one_more);
    for (position, path) in one.paths.iter_mut().enumerate() {
        path.guard = logic.put(path.guard, &store);
        path.updates = logic.put_all(&path.updates, &store);
        if position > 0 {
            continue;
        }
        let mut guard = vec![path.guard];
        for history in &histories {
            let Ok(after) = logic.terms.select(history.array, next) else { return Ok(None) };
            let computed = std::mem::replace(&mut path.updates[history.number], after);
            guard.push(logic.terms.eq(after, computed));
        }
        path.guard = logic.terms.and(guard);
    }
    // The value at entry is the first of the sequence, and no iteration reads the variable itself any more.
    Ok(Some(histories))
}

/// What an update adds, if it is a choice among sums with constants.
fn pace(logic: &mut Logic<'_>, update: Term, symbol: Term) -> Option<Pace> {
    let (mut slowest, mut fastest) = (Integer::ZERO, Integer::ZERO);
    let mut wraps: Option<Width> = None;
    let (mut open, mut seen) = (vec![update], BTreeSet::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match *logic.terms.node(term) {
            Node::Ite(_, then, otherwise) => open.extend([then, otherwise]),
            Node::Wrap(width, inner) if wraps.is_none_or(|other| other == width) => {
                wraps = Some(width);
                open.push(inner);
            }
            _ => {
                let added = logic.terms.sub(term, symbol);
                let added = logic.terms.as_int(added)?.clone();
                slowest = slowest.min(added.clone());
                fastest = fastest.max(added);
            }
        }
    }
    Some(Pace { slowest, fastest, wraps })
}

/// That the values of a sequence are as far apart as its pace allows. By induction over the iterations: the first n + 1 values lie between H[0] plus n times the slowest and
/// n times the fastest. If these are in range for all iterations, so is every value before it is wrapped, and nothing wraps.
fn within_pace(
    logic: &mut Logic<'_>,
    history: &History,
    pace: &Pace,
    end: Term,
) -> Option<[Term; 2]> {
    let zero = logic.terms.int(0);
    let index = logic.terms.fresh("t", Sort::Int, Origin::default());
    let first = logic.terms.select(history.array, zero).ok()?;
    let last = logic.terms.select(history.array, end).ok()?;
    let between = logic.terms.select(history.array, index).ok()?;
    let may_wrap = may_wrap(logic, pace, first, end);
    let apart = |logic: &mut Logic<'_>, (from, to): (Term, Term), count: Term| {
        let lowest = logic.terms.add_scaled(from, count, &pace.slowest);
        let highest = logic.terms.add_scaled(from, count, &pace.fastest);
        let within = [logic.terms.le(lowest, to), logic.terms.le(to, highest)];
        logic.terms.and(within)
    };
    let rest = logic.terms.sub(end, index);
    let all = apart(logic, (first, last), end);
    let parts = [apart(logic, (first, between), index), apart(logic, (between, last), rest)];
    let parts = logic.terms.and(parts);
    let all = logic.terms.or(may_wrap.iter().copied().chain([all]));
    let parts = logic.terms.or(may_wrap.iter().copied().chain([parts]));
    let parts = logic.terms.quantify(Quantifier::Forall, index, [zero, end], parts).ok()?;
    Some([all, parts])
}

/// What is true if values of a sequence can have wrapped: a sum at the slowest or fastest pace is out of range.
fn may_wrap(logic: &mut Logic<'_>, pace: &Pace, first: Term, end: Term) -> Vec<Term> {
    let Some(width) = pace.wraps else { return Vec::new() };
    let (least, greatest) = width.bounds();
    let lowest = logic.terms.add_scaled(first, end, &pace.slowest);
    let highest = logic.terms.add_scaled(first, end, &pace.fastest);
    let (least, greatest) = (logic.terms.int(least), logic.terms.int(greatest));
    vec![logic.terms.lt(lowest, least), logic.terms.lt(greatest, highest)]
}

/// That a sequence that goes up by single steps passes every number between its ends, and when: an array that says for each number in which iteration it is left. Every
/// execution has one, since who goes from H[0] to more than v by steps of 0 and 1 is at v before some step of 1.
fn passed(
    logic: &mut Logic<'_>,
    history: &History,
    pace: &Pace,
    end: Term,
) -> Option<(Term, Term)> {
    if pace.slowest != Integer::ZERO || pace.fastest != Integer::ONE {
        return None;
    }
    let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
    let times = logic.terms.fresh("T", Sort::Array(1), Origin::default());
    let number = logic.terms.fresh("v", Sort::Int, Origin::default());
    let when = logic.terms.select(times, number).ok()?;
    let next = logic.terms.add(when, one);
    let [first, last, now, then] =
        [zero, end, when, next].map(|time| logic.terms.select(history.array, time).ok());
    let (first, last) = (first?, last?);
    let more = logic.terms.add(number, one);
    let claims = [
        logic.terms.le(zero, when),
        logic.terms.lt(when, end),
        logic.terms.eq(now?, number),
        logic.terms.eq(then?, more),
    ];
    let claims = logic.terms.and(claims);
    let may_wrap = may_wrap(logic, pace, first, end);
    let claim = logic.terms.or(may_wrap.into_iter().chain([claims]));
    let all = logic.terms.quantify(Quantifier::Forall, number, [first, last], claim).ok()?;
    Some((times, all))
}

/// Whether an update is something else than a sum of the variable and what does not change it by choice.
fn is_no_step(logic: &Logic<'_>, update: Term, symbol: Term) -> bool {
    let mut parts = logic.terms.post_order(update).into_iter();
    let is_choice = |part: Term| {
        matches!(
            logic.terms.node(part),
            Node::Ite(..) | Node::Select(..) | Node::Bits(..) | Node::Quotient(..)
        )
    };
    update != symbol && parts.any(is_choice)
}

/// The summary in terms of the paths that there were.
fn told_of_paths(
    logic: &mut Logic<'_>,
    problem: &Loop,
    paths: &[usize],
    summary: Summary,
    sequences: &Sequences,
) -> Result<Option<Summary>, Error> {
    let Sequences { time, histories, scattered } = sequences;
    let exits: Vec<usize> = (problem.paths.iter().enumerate())
        .filter(|(_, path)| path.end != End::Again)
        .map(|(number, _)| number)
        .collect();
    let zero = logic.terms.int(0);
    let mut begin = Substitution::default();
    if let Some(id) = logic.symbol_of(*time) {
        begin.insert(id, zero);
    }
    let mut summary = summary.map(&mut |term| logic.put(term, &begin));
    for case in &mut summary.cases {
        let Some(count) = iterations(logic, &case.trace) else { return Ok(None) };
        let Some(last) = case.last.checked_sub(1).and_then(|exit| exits.get(exit)) else {
            return Ok(None);
        };
        case.last = *last;
        case.trace = match logic.terms.as_int(count) == Some(&Integer::ZERO) {
            true => Vec::new(),
            false => vec![Segment::new(Repeated::OneOf(paths.to_vec()), count)],
        };
        if sequences.is_empty() {
            continue;
        }
        let Some(end) = case.values.pop() else { return Ok(None) };
        // Which histories and writers they hold is told of the values afterwards alone.
        case.before = Vec::new();
        let mut condition = vec![case.condition];
        for history in histories {
            let variable = problem.variables[history.number].symbol;
            let Ok(first) = logic.terms.select(history.array, zero) else { return Ok(None) };
            if case.trace.is_empty() {
                // Without an iteration the value is the one at entry, which needs no history.
                condition[0] = logic.terms.replace_part(condition[0], first, variable);
                for value in &mut case.values {
                    *value = logic.terms.replace_part(*value, first, variable);
                }
                continue;
            }
            condition.push(logic.terms.eq(first, variable));
            condition.extend(extreme(logic, history, end));
            if let Some(pace) = &history.pace {
                condition.extend(within_pace(logic, history, pace, end).into_iter().flatten());
                if !scattered.is_empty()
                    && let Some((times, passed)) = passed(logic, history, pace, end)
                {
                    case.counters.push(times);
                    condition.push(passed);
                }
            }
            case.counters.push(history.array);
        }
        case.condition = logic.terms.and(condition);
        if !scattered.is_empty() && !tell_writers(logic, case, scattered, (end, *time)) {
            return Ok(None);
        }
    }
    summary.witnesses = vec![Vec::new(); problem.paths.len()];
    if !sequences.is_empty() {
        summary.covers = Covers::Ending;
        summary.diverging.clear();
    }
    for set in &mut summary.diverging {
        let Some(count) = iterations(logic, &set.trace) else { return Ok(None) };
        set.trace = vec![Segment::new(Repeated::OneOf(paths.to_vec()), count)];
        set.forever = Repeated::OneOf(paths.to_vec());
    }
    Ok(Some(summary))
}

/// What a case says of the last writers of elements; `false` if it cannot be said.
fn tell_writers(
    logic: &mut Logic<'_>,
    case: &mut Case,
    scattered: &Scattered,
    (end, time): (Term, Term),
) -> bool {
    let mut store = Substitution::default();
    if case.trace.is_empty() {
        let Some(nothing) = scattered.nothing(logic) else { return false };
        store = nothing;
    } else {
        let Some(told) = scattered.conditions(logic, end, time) else { return false };
        case.condition = logic.terms.and([case.condition].into_iter().chain(told));
        let forms = scattered.closed(logic, case.condition);
        let is_open = |symbol: &Term| forms.iter().all(|(closed, _)| closed != symbol);
        case.counters.extend(scattered.symbols().into_iter().filter(is_open));
        for (symbol, form) in forms {
            store.extend(logic.symbol_of(symbol).map(|id| (id, form)));
        }
    }
    case.condition = logic.put(case.condition, &store);
    case.values = logic.put_all(&case.values, &store);
    true
}

/// That the last value of a sequence is the least or the greatest.
fn extreme(logic: &mut Logic<'_>, history: &History, end: Term) -> Option<Term> {
    let index = logic.terms.fresh("t", Sort::Int, Origin::default());
    let last = logic.terms.select(history.array, end).ok()?;
    let other = logic.terms.select(history.array, index).ok()?;
    let claim = match history.direction {
        Direction::Falling => logic.terms.le(last, other),
        Direction::Rising => logic.terms.le(other, last),
        Direction::Neither => return None,
    };
    let zero = logic.terms.int(0);
    logic.terms.quantify(Quantifier::Forall, index, [zero, end], claim).ok()
}
