//! Inputs that are kept: what an iteration reads goes into an array, or decides and is looked at later.
//!
//! What the iterations read is a sequence, so it is an array F that nobody knows, and iteration t reads F[t]. With a counter of iterations as one more variable the loop reads
//! nothing any more: what it stores are elements of F, and what it asks of its inputs it asks of elements. The cases then hold for *some* F, so F is one of their
//! counters, and an execution of a case reads what F says (`Stream`).
//!
//! An input of a machine type is the value of the low bits of an element: then every F stands for a sequence of such inputs and every sequence has its F, and nothing has to be said
//! of all elements.
//!
//! A counter of a loop inside is new in every iteration as well, so it is an element too. Not every F says of it what some execution does then, and where it
//! does not, no path can be taken; but every execution has an F that does, and what a case says of some F is an execution. So nothing is missing and nothing is too much; only that
//! some path can be taken at each header must not be used, which is what [`Ways::Several`] says.

use crate::logic::Logic;
use crate::problem::{End, FreshKind, Loop, Path, Precision, Variable, Ways};
use crate::summary::{Covers, Stream, Summary};
use crate::{Effort, exactly};
use loupe_integer::{Integer, Signedness};
use loupe_solver::Error;
use loupe_term::{Context, Origin, Sort, Substitution, Term, Width};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The summary of a loop that reads, as one that does not; `None` if it is another one, or is not solved.
pub(crate) fn indexed(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
    depth: usize,
) -> Result<Option<Summary>, Error> {
    let is_plain = |path: &Path| path.precision == Precision::Exact;
    let reads = problem.iterations().any(|(_, path)| !path.fresh.is_empty());
    if depth > 0 || !reads || !problem.paths.iter().all(is_plain) {
        return Ok(None);
    }
    let time = logic.terms.fresh("t", Sort::Int, Origin::default());
    let mut inputs: BTreeMap<Term, Read> = BTreeMap::new();
    let mut loop_of = problem.clone();
    let has_counters =
        |(_, path): (usize, &Path)| path.fresh.iter().any(|fresh| fresh.kind == FreshKind::Counter);
    if problem.iterations().any(has_counters) {
        loop_of.ways = Ways::Several;
    }
    loop_of.variables.push(Variable { symbol: time, name: "t".into() });
    let one = logic.terms.int(1);
    for path in &mut loop_of.paths {
        if path.end != End::Again {
            path.updates.push(time);
            continue;
        }
        let mut guard = logic.conjuncts(path.guard);
        let mut store = Substitution::default();
        for fresh in std::mem::take(&mut path.fresh) {
            let Some(id) = logic.symbol_of(fresh.symbol) else { return Ok(None) };
            let sort = match logic.terms.sort(fresh.symbol) {
                Sort::Int => Sort::Array(1),
                Sort::Array(dimensions) => Sort::Array(dimensions + 1),
                Sort::Bool => return Ok(None),
            };
            let width = match fresh.kind {
                FreshKind::Input => width_of(logic, &guard, fresh.symbol),
                FreshKind::Counter => None,
            };
            let read = match inputs.entry(fresh.symbol) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let array = logic.terms.fresh("F", sort, Origin::default());
                    let Ok(element) = logic.terms.select(array, time) else { return Ok(None) };
                    place.insert(Read { array, element, width })
                }
            };
            if read.width != width {
                return Ok(None);
            }
            let value = match width {
                Some(width) => {
                    let said = range_of(logic, width, fresh.symbol);
                    guard.retain(|part| !said.contains(part));
                    logic.terms.wrap(width, read.element)
                }
                None => read.element,
            };
            store.insert(id, value);
        }
        path.guard = logic.terms.and(guard);
        path.guard = logic.put(path.guard, &store);
        path.updates = logic.put_all(&path.updates, &store);
        let next = logic.terms.add(time, one);
        path.updates.push(next);
    }
    let Ok(summary) = exactly(logic, &loop_of, effort, depth + 1)? else { return Ok(None) };
    let Some(id) = logic.symbol_of(time) else { return Ok(None) };
    let zero = logic.terms.int(0);
    let begin = Substitution::from_iter([(id, zero)]);
    let mut summary = summary.map(&mut |term| logic.put(term, &begin));
    summary.covers = Covers::Ending;
    summary.diverging.clear();
    summary.witnesses = vec![Vec::new(); problem.paths.len()];
    for case in &mut summary.cases {
        case.values.pop();
        case.before.pop();
        for (input, read) in &inputs {
            let value = match read.width {
                Some(width) => logic.terms.wrap(width, read.element),
                None => read.element,
            };
            case.counters.push(read.array);
            case.streams.push(Stream { input: *input, value, iteration: time });
        }
    }
    Ok(Some(summary))
}

/// An input as an element.
struct Read {
    array: Term,
    element: Term,
    /// It is the low bits of the element.
    width: Option<Width>,
}

/// The width of an input, if a guard says of it that it is any number of that width.
fn width_of(logic: &mut Logic<'_>, guard: &[Term], input: Term) -> Option<Width> {
    let mut context = Context::new();
    for part in guard {
        context.assume(logic.terms, *part);
    }
    let range = context.range(logic.terms, input);
    let (low, high) = (range.low()?.clone(), range.high()?.clone());
    let widths = [8, 16, 32, 64].into_iter().flat_map(|bits| {
        [Signedness::Signed, Signedness::Unsigned].map(|signedness| Width { bits, signedness })
    });
    let mut widths = widths.filter(|width| bounds(*width) == (low.clone(), high.clone()));
    let width = widths.next()?;
    let said = range_of(logic, width, input);
    said.iter().all(|part| guard.contains(part)).then_some(width)
}

fn bounds(width: Width) -> (Integer, Integer) {
    match width.signedness {
        Signedness::Signed => {
            let half = Integer::power_of_two(width.bits - 1);
            (half.neg(), half.sub(&Integer::ONE))
        }
        Signedness::Unsigned => {
            (Integer::ZERO, Integer::power_of_two(width.bits).sub(&Integer::ONE))
        }
    }
}

/// That a number is one of a width.
fn range_of(logic: &mut Logic<'_>, width: Width, number: Term) -> [Term; 2] {
    let (low, high) = bounds(width);
    let (low, high) = (logic.terms.int(low), logic.terms.int(high));
    [logic.terms.le(low, number), logic.terms.le(number, high)]
}
