//! Loops whose values depend on inputs: the last one that was read, the sum of all (GUIDE 4.5).
//!
//! *Last writers.* A variable that no iteration reads matters only as the last path left it that writes it. So an execution either never writes it, or is anything up to
//! such a path, that path, and then paths which do not write it. The first and the third part are loops of their own, without the variable or without the paths; the
//! path between them has inputs that the case knows.
//!
//! *Sums.* A variable to which inputs are added, and which nothing else reads, can be solved without them, with the number of iterations of each such path counted beside it. An
//! input of a range that nothing else ties is any number of it in every iteration, so the sum of n of them is any number of the n-fold range.
//!
//! Both are about which values are possible, so all parts must be exact. That nothing is missing is proved for the whole loop by induction.

use crate::accelerate::linear;
use crate::induction::Induction;
use crate::logic::Logic;
use crate::problem::{End, FreshKind, Loop, Path, Precision, Variable, Ways};
use crate::summary::{Case, Covers, Draw, Repeated, Segment, Summary, Tag};
use crate::{Effort, exactly};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Context, Node, Origin, Sort, Substitution, SymbolId, Term, Width};
use std::collections::BTreeSet;

/// So often a loop is taken apart.
pub(crate) const MAX_DEPTH: usize = 3;

/// The summary of such a loop; `None` if it is another one, or too much.
pub(crate) fn drawn(
    logic: &mut Logic<'_>,
    problem: &Loop,
    effort: &Effort,
    depth: usize,
) -> Result<Option<Summary>, Error> {
    let is_known = |path: &Path| {
        path.precision == Precision::Exact
            && path.fresh.iter().all(|fresh| fresh.kind == FreshKind::Input)
    };
    if depth >= MAX_DEPTH || !problem.iterations().all(|(_, path)| is_known(path)) {
        return Ok(None);
    }
    // An induction speaks of all values at the header; what is known of the entry comes in at the end.
    let general = Loop { entry: Vec::new(), ..problem.clone() };
    let reads = Reads::new(logic, &general);
    let mut found = match reads.writers(logic, &general) {
        Some((group, writers)) => last_writers(logic, &general, (&group, &writers), effort, depth)?,
        None => sums(logic, &general, &reads, effort, depth)?,
    };
    let Some(summary) = &mut found else { return Ok(None) };
    let mut induction = Induction::new(logic, &general);
    logic.questions = logic.questions.max(effort.questions / crate::CERTIFICATE_SHARE);
    if induction.closed(logic, &summary.cases)?.is_err() {
        return Ok(None);
    }
    summary.obligations.extend(induction.obligations);
    summary.at_entry(logic, problem)?;
    Ok(found)
}

fn is_possible(logic: &mut Logic<'_>, problem: &Loop, conditions: &[Term]) -> Result<bool, Error> {
    let all: Vec<Term> = problem.facts.iter().chain(conditions).copied().collect();
    Ok(!logic.refuted(&all)?)
}

fn exact_part(
    logic: &mut Logic<'_>,
    part: &Loop,
    effort: &Effort,
    depth: usize,
) -> Result<Option<Summary>, Error> {
    Ok(exactly(logic, part, effort, depth + 1)?.ok().filter(|summary| summary.tag == Tag::Exact))
}

fn exact_summary(cases: Vec<Case>, parts: Vec<Summary>, witnesses: Witnesses) -> Summary {
    let obligations = parts.into_iter().flat_map(|part| part.obligations).collect();
    let (diverging, reasons) = (Vec::new(), Vec::new());
    let (covers, under) = (Covers::Ending, None);
    Summary { tag: Tag::Exact, cases, diverging, covers, reasons, obligations, under, witnesses }
}

type Witnesses = Vec<Vec<(Term, Term)>>;

/// Which variables are read.
struct Reads {
    symbols: Vec<SymbolId>,
    /// Whether a guard, or the update of another variable on an iteration path, mentions it.
    read: Vec<bool>,
}

impl Reads {
    fn new(logic: &Logic<'_>, problem: &Loop) -> Self {
        let terms = problem.variables.iter().map(|variable| variable.symbol);
        let symbols: Vec<SymbolId> = terms.filter_map(|term| logic.symbol_of(term)).collect();
        let mut read = vec![false; symbols.len()];
        for path in &problem.paths {
            let guard = logic.terms.free_symbols(path.guard);
            for (at, symbol) in symbols.iter().enumerate() {
                let others = path.updates.iter().enumerate().filter(|(other, _)| *other != at);
                read[at] |= guard.contains(symbol)
                    || path.end == End::Again
                        && others
                            .into_iter()
                            .any(|(_, update)| logic.terms.free_symbols(*update).contains(symbol));
            }
        }
        Reads { symbols, read }
    }

    /// Variables that no iteration reads and that the same paths write, on which it depends what inputs are or which path they choose; and these paths.
    fn writers(&self, logic: &Logic<'_>, problem: &Loop) -> Option<(Vec<usize>, Vec<usize>)> {
        let mut groups: Vec<(Vec<usize>, Vec<usize>, bool)> = Vec::new();
        for (at, variable) in problem.variables.iter().enumerate() {
            let own = self.symbols.get(at)?;
            let writes = |path: &Path| path.updates[at] != variable.symbol;
            let mut iterations = problem.iterations();
            let is_last_writer = !self.read[at]
                && iterations.all(|(_, path)| {
                    !writes(path) || !logic.terms.free_symbols(path.updates[at]).contains(own)
                });
            let writers: Vec<usize> =
                problem.iterations().filter(|(_, path)| writes(path)).map(|(n, _)| n).collect();
            if !is_last_writer || writers.is_empty() {
                continue;
            }
            let from_inputs = problem.iterations().any(|(_, path)| {
                let fresh = path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol));
                logic.mentions(path.updates[at], &fresh.collect())
            });
            let is_choice = writers.len() < problem.iterations().count();
            match groups.iter_mut().find(|(_, known, _)| *known == writers) {
                Some((group, _, matters)) => {
                    group.push(at);
                    *matters |= from_inputs || is_choice;
                }
                None => groups.push((vec![at], writers, from_inputs || is_choice)),
            }
        }
        groups.into_iter().find(|group| group.2).map(|(group, writers, _)| (group, writers))
    }
}

/// A loop in which a group of variables is what the last of some paths has written.
fn last_writers(
    logic: &mut Logic<'_>,
    problem: &Loop,
    (group, writers): (&[usize], &[usize]),
    effort: &Effort,
    depth: usize,
) -> Result<Option<Summary>, Error> {
    // Behind the last write, and where there is none: the other paths, in the numbering of the whole.
    let kept: Vec<usize> = (0..problem.paths.len()).filter(|n| !writers.contains(n)).collect();
    let rest = Loop {
        paths: kept.iter().map(|number| problem.paths[*number].clone()).collect(),
        ways: Ways::Several,
        ..problem.clone()
    };
    let Some(mut after) = exact_part(logic, &rest, effort, depth)? else { return Ok(None) };
    for case in &mut after.cases {
        renumber(case, &kept);
    }
    // Up to the last write: without the group, and left where it is written.
    let mut before = without(logic, problem, group);
    let iterations: Vec<usize> = problem.iterations().map(|(number, _)| number).collect();
    let paths = std::mem::take(&mut before.paths);
    let own: Vec<Term> = before.variables.iter().map(|variable| variable.symbol).collect();
    let mut numbers = Vec::new();
    for number in &iterations {
        if is_new(logic, &before.paths, &paths[*number]) {
            before.paths.push(paths[*number].clone());
            numbers.push(*number);
        }
    }
    for (exit, writer) in writers.iter().enumerate() {
        let (updates, end) = (own.clone(), End::Exit(exit));
        before.paths.push(Path { updates, end, ..paths[*writer].clone() });
        numbers.push(*writer);
    }
    (before.exits, before.ways) = (writers.len(), Ways::Several);
    let Some(mut before) = exact_part(logic, &before, effort, depth)? else { return Ok(None) };
    for case in &mut before.cases {
        renumber(case, &numbers);
    }
    if before.cases.len() * after.cases.len() > effort.cases {
        return Ok(None);
    }
    let mut cases = after.cases.clone();
    for first in &before.cases {
        for then in &after.cases {
            cases.extend(composed(logic, problem, group, first, then)?);
        }
    }
    let mut witnesses = vec![Vec::new(); problem.paths.len()];
    for (numbers, part) in [(&numbers, &before), (&kept, &after)] {
        // A path may be both an iteration and a way out.
        for (number, found) in numbers.iter().zip(&part.witnesses).filter(|(_, f)| !f.is_empty()) {
            witnesses[*number].clone_from(found);
        }
    }
    Ok(Some(exact_summary(cases, vec![before, after], witnesses)))
}

/// The loop without some variables. No guard and no update of another one on an iteration mentions them.
fn without(logic: &Logic<'_>, problem: &Loop, group: &[usize]) -> Loop {
    let rest = |all: &[Term]| -> Vec<Term> {
        let left = all.iter().enumerate().filter(|(at, _)| !group.contains(at));
        left.map(|(_, term)| *term).collect()
    };
    let variables: Vec<Variable> = problem
        .variables
        .iter()
        .enumerate()
        .filter(|(at, _)| !group.contains(at))
        .map(|(_, variable)| variable.clone())
        .collect();
    let gone: BTreeSet<SymbolId> =
        group.iter().filter_map(|at| logic.symbol_of(problem.variables[*at].symbol)).collect();
    let paths = problem
        .paths
        .iter()
        .map(|path| Path { updates: rest(&path.updates), ..path.clone() })
        .collect();
    let facts =
        problem.facts.iter().copied().filter(|fact| !logic.mentions(*fact, &gone)).collect();
    Loop { variables, paths, facts, ..problem.clone() }
}

/// Whether a path does something that these do not: which inputs choose it makes no difference.
fn is_new(logic: &mut Logic<'_>, known: &[Path], path: &Path) -> bool {
    // What it does, and when, but for inputs that only choose.
    let does = |logic: &Logic<'_>, path: &Path, guard: Term, updates: &[Term]| {
        let fresh = path.fresh.iter().filter_map(|fresh| logic.symbol_of(fresh.symbol));
        let is_used = |symbol: &SymbolId| {
            updates.iter().any(|update| logic.terms.free_symbols(*update).contains(symbol))
        };
        let choosing: BTreeSet<SymbolId> = fresh.filter(|symbol| !is_used(symbol)).collect();
        let parts = logic.conjuncts(guard).into_iter();
        parts.filter(|part| !logic.mentions(*part, &choosing)).collect::<BTreeSet<Term>>()
    };
    for other in known {
        // Both read the same stream, so inputs correspond in their order.
        let names: Substitution = path
            .fresh
            .iter()
            .zip(&other.fresh)
            .filter_map(|(own, other)| Some((logic.symbol_of(own.symbol)?, other.symbol)))
            .collect();
        let (guard, updates) =
            (logic.put(path.guard, &names), logic.put_all(&path.updates, &names));
        if path.fresh.len() == other.fresh.len()
            && updates == other.updates
            && does(logic, other, guard, &updates) == does(logic, other, other.guard, &updates)
        {
            return false;
        }
    }
    true
}

/// A case speaks of a part of the paths; now of all of them.
fn renumber(case: &mut Case, numbers: &[usize]) {
    case.last = numbers[case.last];
    for draw in &mut case.draws {
        draw.path = numbers[draw.path];
    }
    let mut open: Vec<&mut Segment> = case.trace.iter_mut().collect();
    while let Some(segment) = open.pop() {
        match &mut segment.what {
            Repeated::Path(path) => *path = numbers[*path],
            Repeated::Round(parts) => open.extend(parts),
            Repeated::OneOf(paths) => paths.iter_mut().for_each(|path| *path = numbers[*path]),
        }
    }
}

/// A case up to the last write, that path, and a case behind it.
fn composed(
    logic: &mut Logic<'_>,
    problem: &Loop,
    group: &[usize],
    first: &Case,
    then: &Case,
) -> Result<Option<Case>, Error> {
    let writer = &problem.paths[first.last];
    // The inputs of the path are symbols of the case, apart from those of the path.
    let mut own = Substitution::default();
    let (mut counters, mut inputs) = (first.counters.clone(), Vec::new());
    for fresh in &writer.fresh {
        let symbol = logic.terms.fresh("in", Sort::Int, Origin::default());
        own.extend(logic.symbol_of(fresh.symbol).map(|id| (id, symbol)));
        counters.push(symbol);
        inputs.push((fresh.symbol, symbol));
    }
    let mut store = own.clone();
    let mut values = first.values.iter();
    for (at, variable) in problem.variables.iter().enumerate() {
        let value = match group.contains(&at) {
            true => Some(&variable.symbol),
            false => values.next(),
        };
        store.extend(logic.symbol_of(variable.symbol).zip(value.copied()));
    }
    let mut conditions = vec![logic.put(first.condition, &own)];
    let written = logic.put_all(&writer.updates, &store);
    let mut store: Substitution = problem
        .variables
        .iter()
        .zip(&written)
        .filter_map(|(variable, value)| Some((logic.symbol_of(variable.symbol)?, *value)))
        .collect();
    for counter in &then.counters {
        let fresh = logic.terms.fresh("k", logic.terms.sort(*counter), Origin::default());
        store.extend(logic.symbol_of(*counter).map(|id| (id, fresh)));
        counters.push(fresh);
    }
    conditions.push(logic.put(then.condition, &store));
    if !is_possible(logic, problem, &conditions)? {
        return Ok(None);
    }
    let one = logic.terms.int(1);
    let mut trace = first.trace.clone();
    trace.push(Segment { what: Repeated::Path(first.last), count: one, inputs });
    let mut draws = first.draws.clone();
    trace.extend(then.trace.iter().map(|part| part.map(|term| logic.put(term, &store))));
    for draw in &then.draws {
        let (count, total) = (logic.put(draw.count, &store), logic.put(draw.total, &store));
        draws.push(Draw { count, total, ..draw.clone() });
    }
    Ok(Some(Case {
        condition: logic.terms.and(conditions),
        counters,
        inputs: then.inputs.clone(),
        values: logic.put_all(&then.values, &store),
        before: logic.put_all(&then.before, &store),
        exit: then.exit,
        trace,
        last: then.last,
        draws,
        streams: Vec::new(),
        taken: Vec::new(),
    }))
}

/// An input that is added.
struct Summand {
    path: usize,
    input: Term,
    range: (Integer, Integer),
    /// To which variables, and how often.
    to: Vec<(usize, Integer)>,
    /// How often the path is taken: a variable that the loop gets for it.
    counter: Term,
}

/// A loop in which inputs are added to variables that nothing else reads.
fn sums(
    logic: &mut Logic<'_>,
    problem: &Loop,
    reads: &Reads,
    effort: &Effort,
    depth: usize,
) -> Result<Option<Summary>, Error> {
    let mut part = problem.clone();
    let mut summands = Vec::new();
    let mut wraps: Vec<Option<Width>> = vec![None; problem.variables.len()];
    let mut summed: BTreeSet<usize> = BTreeSet::new();
    for (number, path) in problem.iterations() {
        for fresh in &path.fresh {
            let Some(symbol) = logic.symbol_of(fresh.symbol) else { return Ok(None) };
            let alone = BTreeSet::from([symbol]);
            let mut to = Vec::new();
            for (at, wrap) in wraps.iter_mut().enumerate() {
                let update = part.paths[number].updates[at];
                if !logic.mentions(update, &alone) {
                    continue;
                }
                let (width, sum) = match *logic.terms.node(update) {
                    Node::Wrap(width, sum) => (Some(width), sum),
                    _ => (None, update),
                };
                let Some((rest, slope)) = linear(logic, sum, symbol) else { return Ok(None) };
                let Some(times) = logic.terms.as_int(slope).cloned() else { return Ok(None) };
                if reads.read[at] || wrap.is_some() && *wrap != width {
                    return Ok(None);
                }
                *wrap = wrap.or(width);
                part.paths[number].updates[at] = match width {
                    Some(width) => logic.terms.wrap(width, rest),
                    None => rest,
                };
                to.push((at, times));
            }
            if to.is_empty() {
                continue;
            }
            let Some(range) = take_range(logic, &mut part.paths[number], symbol)? else {
                return Ok(None);
            };
            part.paths[number].fresh.retain(|other| other != fresh);
            summed.extend(to.iter().map(|(at, _)| *at));
            let counter = logic.terms.fresh("n", Sort::Int, Origin::default());
            let (path, input) = (number, fresh.symbol);
            summands.push(Summand { path, input, range, to, counter });
        }
    }
    if summands.is_empty() || !unwrap_sums(logic, problem, &mut part, &summed, &mut wraps)? {
        return Ok(None);
    }
    for summand in &summands {
        part.variables.push(Variable { symbol: summand.counter, name: "n".into() });
        for (number, path) in part.paths.iter_mut().enumerate() {
            let more = logic.terms.int(i64::from(number == summand.path));
            path.updates.push(logic.terms.add(summand.counter, more));
        }
    }
    let Some(mut solved) = exact_part(logic, &part, effort, depth)? else { return Ok(None) };
    let count = problem.variables.len();
    let mut cases = Vec::new();
    for case in std::mem::take(&mut solved.cases) {
        cases.extend(with_totals(logic, problem, &summands, case, count)?);
    }
    let witnesses = std::mem::take(&mut solved.witnesses);
    let mut summary = exact_summary(cases, vec![solved], witnesses);
    for summand in &summands {
        let value = logic.terms.int(summand.range.0.clone());
        summary.witnesses[summand.path].push((summand.input, value));
    }
    Ok(Some(summary))
}

/// The range of an input, if that is all that the guard says of it; the guard loses it.
pub(crate) fn take_range(
    logic: &mut Logic<'_>,
    path: &mut Path,
    input: SymbolId,
) -> Result<Option<(Integer, Integer)>, Error> {
    let alone = BTreeSet::from([input]);
    let (about, rest): (Vec<Term>, Vec<Term>) =
        logic.conjuncts(path.guard).into_iter().partition(|part| logic.mentions(*part, &alone));
    if about.iter().any(|part| logic.terms.free_symbols(*part).len() > 1) {
        return Ok(None);
    }
    let mut context = Context::new();
    for part in &about {
        context.assume(logic.terms, *part);
    }
    let symbol = logic.terms.symbol_term(input);
    let range = context.range(logic.terms, symbol);
    let (Some(low), Some(high)) = (range.low, range.high) else { return Ok(None) };
    if low > high {
        return Ok(None);
    }
    // Everything in the range satisfies what the guard says.
    let (least, most) = (logic.terms.int(low.clone()), logic.terms.int(high.clone()));
    let within = [logic.terms.le(least, symbol), logic.terms.le(symbol, most)];
    for part in about {
        if !logic.proves(&within, part)? {
            return Ok(None);
        }
    }
    path.guard = logic.terms.and(rest);
    Ok(Some((low, high)))
}

/// Sums are solved without wrap-around, which commutes with sums; exits see them wrapped. `false` if a sum is more than that.
fn unwrap_sums(
    logic: &mut Logic<'_>,
    problem: &Loop,
    part: &mut Loop,
    summed: &BTreeSet<usize>,
    wraps: &mut [Option<Width>],
) -> Result<bool, Error> {
    let symbols: Vec<Term> = problem.variables.iter().map(|variable| variable.symbol).collect();
    let mut seen_wrapped = Substitution::default();
    let mut gone = BTreeSet::new();
    for at in summed {
        let (own, Some(id)) = (symbols[*at], logic.symbol_of(symbols[*at])) else {
            return Ok(false);
        };
        gone.insert(id);
        for path in part.paths.iter_mut().filter(|path| path.end == End::Again) {
            let mut update = path.updates[*at];
            if let Node::Wrap(width, sum) = *logic.terms.node(update) {
                if wraps[*at].is_some_and(|known| known != width) {
                    return Ok(false);
                }
                wraps[*at] = Some(width);
                update = sum;
            }
            // Each iteration adds something that does not depend on the sum.
            let Some((_, slope)) = linear(logic, update, id) else { return Ok(false) };
            if logic.terms.as_int(slope) != Some(&Integer::ONE) {
                return Ok(false);
            }
            path.updates[*at] = update;
        }
        if let Some(width) = wraps[*at] {
            let wrapped = logic.terms.wrap(width, own);
            let same = logic.terms.eq(wrapped, own);
            if !logic.proves(&problem.facts, same)? {
                return Ok(false);
            }
            seen_wrapped.insert(id, wrapped);
        }
    }
    part.facts.retain(|fact| !logic.mentions(*fact, &gone));
    for path in part.paths.iter_mut().filter(|path| path.end != End::Again) {
        path.updates = logic.put_all(&path.updates, &seen_wrapped);
    }
    Ok(true)
}

/// A case with the sums of what was read. Each sum starts at the value at entry, and nothing but the exit looks at it: so what the inputs add may as well be
/// added at the start.
fn with_totals(
    logic: &mut Logic<'_>,
    problem: &Loop,
    summands: &[Summand],
    case: Case,
    count: usize,
) -> Result<Option<Case>, Error> {
    let zero = logic.terms.int(0);
    let none: Substitution = summands
        .iter()
        .filter_map(|summand| Some((logic.symbol_of(summand.counter)?, zero)))
        .collect();
    let mut result = case.clone();
    let mut conditions = vec![logic.put(case.condition, &none)];
    let mut values = logic.put_all(&case.values, &none);
    let counts = values.split_off(count);
    let mut more: Vec<Term> = problem.variables.iter().map(|variable| variable.symbol).collect();
    for (summand, count) in summands.iter().zip(counts) {
        if logic.terms.as_int(count).is_some_and(Integer::is_zero) {
            continue;
        }
        let total = logic.terms.fresh("sum", Sort::Int, Origin::default());
        let least = logic.terms.scale(count, &summand.range.0);
        let most = logic.terms.scale(count, &summand.range.1);
        conditions.push(logic.terms.le(least, total));
        conditions.push(logic.terms.le(total, most));
        for (at, times) in &summand.to {
            more[*at] = logic.terms.add_scaled(more[*at], total, times);
        }
        result.counters.push(total);
        let (path, input, range) = (summand.path, summand.input, summand.range.clone());
        result.draws.push(Draw { path, input, range, count, total });
    }
    let store: Substitution = problem
        .variables
        .iter()
        .zip(&more)
        .filter_map(|(variable, value)| Some((logic.symbol_of(variable.symbol)?, *value)))
        .collect();
    result.values = logic.put_all(&values, &store);
    // The exit was made to look at other values, and whoever reads inputs asks for none.
    result.before = Vec::new();
    if !is_possible(logic, problem, &conditions)? {
        return Ok(None);
    }
    result.condition = logic.terms.and(conditions);
    Ok(Some(result))
}
