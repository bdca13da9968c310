//! Loops whose variables have nothing to do with each other, but that one iteration changes them all.
//!
//! What decides whether there is another iteration, the *core*, does the same in all of them; the other variables fall into *parts*, where no guard and no
//! update of one reads another. Then the paths of the loop are the combinations of what the parts do, and traces through all of them take turns without
//! a pattern, although each part alone has one. So the core is solved first, and says how many iterations there are, K; then each part is a loop of its own that counts from
//! K down to 0. The values of a part are a function of K and its values at entry, and the cases of the loop are those of the core.
//!
//! The argument, with its premises proved by the solver. Let G be what the guards of all iteration paths share, over the core alone. The exits' guards speak of the core
//! alone; they and G exclude each other and leave nothing out. So in every state where G holds some iteration path is taken. It changes the core as all of them do. Its own
//! conditions on a part are one of the part's guards; these exclude each other, so it is *the* one that holds, and the path changes the part as that
//! guard says. So core and parts develop each on its own.

mod groups;

use crate::carousel;
use crate::certificate::{Obligation, prove};
use crate::logic::Logic;
use crate::problem::{End, Loop, Path, Precision, Variable, Ways};
use crate::summary::{Case, Covers, Divergence, Repeated, Segment, Summary};
use crate::{Effort, exactly};
use groups::{Groups, Reads, changes};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Context, Origin, Sort, Substitution, SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// With more ways than that, a part is no business of traces.
const MOST_TRACED: usize = 4;

/// How a part is left: after as many iterations as there are. The other way out is there for the eye only.
const ENOUGH: usize = 0;
const NEVER: usize = 1;

/// A loop with a core and parts.
pub(crate) struct Apart {
    /// The iteration paths.
    paths: Vec<usize>,
    /// What their guards share.
    shared: Vec<Term>,
    /// The variables that decide how often they are taken.
    core: Vec<usize>,
    parts: Vec<Part>,
}

/// Variables apart.
struct Part {
    /// Its own variables, and those of the core that it reads.
    own: Vec<usize>,
    read: Vec<usize>,
    ways: Vec<Way>,
}

/// What one iteration does to a part.
#[derive(Clone, PartialEq, Eq)]
struct Way {
    guard: BTreeSet<Term>,
    /// Of the part's own variables.
    updates: Vec<Term>,
    /// A path that goes this way.
    path: usize,
}

impl Apart {
    /// The core and the parts of a loop; `None` if it has none.
    pub(crate) fn of(logic: &mut Logic<'_>, problem: &Loop) -> Option<Self> {
        let paths: Vec<usize> = problem.iterations().map(|(number, _)| number).collect();
        let is_plain = |path: &Path| path.end != End::Again || path.fresh.is_empty();
        let is_exact = |path: &Path| path.precision == Precision::Exact;
        let is_number = |variable: &Variable| logic.terms.sort(variable.symbol) == Sort::Int;
        let mut updates = problem.iterations().flat_map(|(_, path)| &path.updates);
        if paths.len() < 2
            || problem.ways != Ways::One
            || !problem.variables.iter().all(is_number)
            || updates.any(|update| logic.terms.is_starred(*update))
            || !problem.paths.iter().all(|path| is_plain(path) && is_exact(path))
        {
            return None;
        }
        let guards: Vec<BTreeSet<Term>> = paths
            .iter()
            .map(|path| logic.conjuncts(problem.paths[*path].guard).into_iter().collect())
            .collect();
        let all = |part: &&Term| guards.iter().all(|guard| guard.contains(*part));
        let shared: Vec<Term> = guards[0].iter().filter(all).copied().collect();
        let reads = Reads::of(logic, problem)?;
        let mut core: BTreeSet<usize> = BTreeSet::new();
        let exits = problem.paths.iter().filter(|path| path.end != End::Again);
        for condition in exits.map(|path| path.guard).chain(shared.iter().copied()) {
            core.extend(reads.in_term(logic, condition));
        }
        let core = reads.closed(core);
        let update = |path: usize, variable: usize| problem.paths[path].updates[variable];
        if core.iter().any(|own| paths.iter().any(|p| update(*p, *own) != update(paths[0], *own))) {
            return None;
        }
        let own = |guard: &BTreeSet<Term>| {
            let own = guard.iter().filter(|part| !shared.contains(part));
            own.map(|part| (*part, reads.in_term(logic, *part))).collect::<Vec<_>>()
        };
        let mut groups = Groups {
            parents: (0..=problem.variables.len()).collect(),
            core: &core,
            conditions: guards.iter().map(own).collect(),
        };
        groups.join(&reads);
        let others: Vec<usize> =
            reads.numbers.values().copied().filter(|variable| !core.contains(variable)).collect();
        let updates = |variable: usize| paths.iter().map(move |path| update(*path, variable));
        for variable in &others {
            groups.determine(*variable, &updates(*variable).collect::<Vec<_>>())?;
        }
        let mut roots: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for variable in others {
            roots.entry(groups.root(variable)).or_default().push(variable);
        }
        let mut parts = Vec::new();
        for (root, own) in roots {
            let mut ways: Vec<Way> = Vec::new();
            for (at, path) in paths.iter().enumerate() {
                let guard = groups.key(at, &[root]);
                let updates = own.iter().map(|variable| update(*path, *variable)).collect();
                let way = Way { guard, updates, path: *path };
                match ways.iter().find(|known| known.guard == way.guard) {
                    None => ways.push(way),
                    Some(known) if known.updates == way.updates => {}
                    Some(_) => return None,
                }
            }
            let conditions = ways.iter().flat_map(|way| &way.guard);
            let mut read: BTreeSet<usize> =
                conditions.flat_map(|condition| reads.in_term(logic, *condition)).collect();
            read.extend(own.iter().copied());
            let read = reads.closed(read).into_iter().filter(|read| core.contains(read)).collect();
            parts.push(Part { own, read, ways });
        }
        Some(Apart { paths, shared, core: core.into_iter().collect(), parts })
    }

    /// Whether traces through all paths are not worth a try.
    pub(crate) fn is_wide(&self) -> bool {
        let several = self.parts.iter().filter(|part| part.ways.len() > 1).count();
        several > 1 || self.parts.iter().any(|part| part.ways.len() > MOST_TRACED)
    }

    /// The summary of the loop; `None` if it is not found.
    pub(crate) fn solve(
        &self,
        logic: &mut Logic<'_>,
        problem: &Loop,
        effort: &Effort,
    ) -> Result<Option<Summary>, Error> {
        let mut obligations = Vec::new();
        let core = self.core_of(logic, problem);
        if !is_whole(logic, &core, &mut obligations)? {
            return Ok(None);
        }
        let mut after = Vec::new();
        for part in &self.parts {
            match self.part(logic, problem, part, effort, &mut obligations)? {
                Some(solved) => after.push(solved),
                None => return Ok(None),
            }
        }
        let Ok(core) = exactly(logic, &core, effort, 1)? else { return Ok(None) };
        obligations.extend(core.obligations);
        let mut whole = Summary {
            cases: Vec::new(),
            diverging: Vec::new(),
            obligations,
            witnesses: vec![Vec::new(); problem.paths.len()],
            ..core
        };
        let exits: Vec<usize> = problem
            .paths
            .iter()
            .enumerate()
            .filter(|(_, path)| path.end != End::Again)
            .map(|(number, _)| number)
            .collect();
        for case in core.cases {
            let Some(count) = iterations(logic, &case.trace) else { return Ok(None) };
            // The core has one iteration path, and then the exits.
            let Some(last) = case.last.checked_sub(1).and_then(|last| exits.get(last)) else {
                return Ok(None);
            };
            let mut store = Substitution::default();
            for (own, value) in self.core.iter().zip(&case.values) {
                store.extend(logic.symbol_of(problem.variables[*own].symbol).map(|s| (s, *value)));
            }
            // Without iterations, parts are what they were.
            let is_begun = logic.terms.as_int(count) != Some(&Integer::ZERO);
            for solved in after.iter().filter(|_| is_begun) {
                let at = Substitution::from_iter([(solved.count, count)]);
                for (symbol, value) in &solved.values {
                    store.insert(*symbol, logic.put(*value, &at));
                }
            }
            let variables: Vec<Term> = problem.variables.iter().map(|own| own.symbol).collect();
            let before = logic.put_all(&variables, &store);
            let values = logic.put_all(&problem.paths[*last].updates, &store);
            let condition = logic.terms.and(problem.entry.iter().copied().chain([case.condition]));
            let known: Vec<Term> = problem.facts.iter().copied().chain([condition]).collect();
            let values = logic.simplify(&known, &values);
            whole.cases.push(Case {
                condition,
                values,
                before,
                trace: self.trace(logic, count),
                last: *last,
                ..case
            });
        }
        for set in core.diverging {
            let Some(count) = iterations(logic, &set.trace) else { return Ok(None) };
            let condition = logic.terms.and(problem.entry.iter().copied().chain([set.condition]));
            let forever = Repeated::OneOf(self.paths.clone());
            whole.diverging.push(Divergence {
                condition,
                trace: self.trace(logic, count),
                forever,
                ..set
            });
        }
        Ok(Some(whole))
    }

    fn trace(&self, logic: &Logic<'_>, count: Term) -> Vec<Segment> {
        match logic.terms.as_int(count) == Some(&Integer::ZERO) {
            true => Vec::new(),
            false => vec![Segment::new(Repeated::OneOf(self.paths.clone()), count)],
        }
    }

    /// What decides how many iterations there are: the variables of the core, with the values before the exit at the end.
    fn core_of(&self, logic: &mut Logic<'_>, problem: &Loop) -> Loop {
        let variables: Vec<Variable> =
            self.core.iter().map(|own| problem.variables[*own].clone()).collect();
        let symbols: Vec<Term> = variables.iter().map(|variable| variable.symbol).collect();
        let first = &problem.paths[self.paths[0]];
        let again = Path {
            guard: logic.terms.and(self.shared.iter().copied()),
            updates: self.core.iter().map(|own| first.updates[*own]).collect(),
            label: "any path".into(),
            ..first.clone()
        };
        let exits = problem.paths.iter().filter(|path| path.end != End::Again);
        let exits = exits.map(|path| Path { updates: symbols.clone(), ..path.clone() });
        let core: BTreeSet<usize> = self.core.iter().copied().collect();
        Loop {
            variables,
            paths: [again].into_iter().chain(exits).collect(),
            facts: speaking_of(logic, problem, &problem.facts, &core),
            entry: speaking_of(logic, problem, &problem.entry, &core),
            ..problem.clone()
        }
    }

    /// The values of a part after a number of iterations.
    fn part(
        &self,
        logic: &mut Logic<'_>,
        problem: &Loop,
        part: &Part,
        effort: &Effort,
        obligations: &mut Vec<Obligation>,
    ) -> Result<Option<After>, Error> {
        let counting = self.counting(logic, problem, part);
        if !is_whole(logic, &counting, obligations)? {
            return Ok(None);
        }
        let Some(count) = logic.symbol_of(counting.variables[0].symbol) else { return Ok(None) };
        let found = match carousel::carousel(logic, &counting, obligations)? {
            Some(values) => Some(values),
            // What is as wide as the loop itself is not solved better.
            None if part.ways.len() == self.paths.len() => None,
            None => match exactly(logic, &counting, effort, 1)? {
                Ok(summary) => chosen(logic, &counting, &summary).map(|values| {
                    obligations.extend(summary.obligations);
                    values.into_iter().map(Some).collect()
                }),
                Err(_) => None,
            },
        };
        let Some(found) = found else { return Ok(None) };
        let own = part.own.iter().zip(&found[1..]);
        let values: Option<Vec<(SymbolId, Term)>> = own
            .map(|(own, value)| Some((logic.symbol_of(problem.variables[*own].symbol)?, (*value)?)))
            .collect();
        Ok(values.map(|values| After { count, values }))
    }

    /// A part as a loop of its own, which counts its first variable down to 0.
    fn counting(&self, logic: &mut Logic<'_>, problem: &Loop, part: &Part) -> Loop {
        let count = logic.terms.fresh("k", Sort::Int, Origin::default());
        let (zero, one) = (logic.terms.int(0), logic.terms.int(1));
        let kept = part.own.iter().chain(&part.read).map(|own| problem.variables[*own].clone());
        let variables: Vec<Variable> =
            [Variable { symbol: count, name: "k".into() }].into_iter().chain(kept).collect();
        let more = logic.terms.le(one, count);
        // As long as there are iterations, what all of them share holds. So nothing goes out the other way, but who reads the core has to know.
        let shared = match part.read.is_empty() {
            true => logic.terms.bool(true),
            false => logic.terms.and(self.shared.iter().copied()),
        };
        let fewer = logic.terms.sub(count, one);
        let first = &problem.paths[self.paths[0]];
        let mut paths = Vec::new();
        for way in &part.ways {
            let guard = logic.terms.and(way.guard.iter().copied().chain([more, shared]));
            let read = part.read.iter().map(|own| first.updates[*own]);
            let updates = [fewer].into_iter().chain(way.updates.iter().copied()).chain(read);
            let updates = updates.collect();
            paths.push(Path { guard, updates, ..problem.paths[way.path].clone() });
        }
        let never = logic.terms.not(shared);
        let guards = [logic.terms.not(more), logic.terms.and([more, never])];
        for (exit, guard) in [ENOUGH, NEVER].into_iter().zip(guards) {
            if logic.terms.as_bool(guard) == Some(false) {
                continue;
            }
            paths.push(Path {
                guard,
                updates: variables.iter().map(|variable| variable.symbol).collect(),
                fresh: Vec::new(),
                end: End::Exit(exit),
                precision: Precision::Exact,
                label: String::new(),
            });
        }
        let mentioned: BTreeSet<usize> = part.own.iter().chain(&part.read).copied().collect();
        let mut facts = speaking_of(logic, problem, &problem.facts, &mentioned);
        facts.push(logic.terms.le(zero, count));
        let entry = speaking_of(logic, problem, &problem.entry, &mentioned);
        Loop { variables, paths, facts, entry, exits: 2, ..Loop::default() }
    }
}

/// Whether the paths of a loop, the core or a part, exclude each other and leave nothing out, as those of every loop do.
fn is_whole(
    logic: &mut Logic<'_>,
    problem: &Loop,
    obligations: &mut Vec<Obligation>,
) -> Result<bool, Error> {
    let never = logic.terms.bool(false);
    for (at, path) in problem.paths.iter().enumerate() {
        for other in &problem.paths[..at] {
            // What is said of one value alone is often enough.
            let both = [path.guard, other.guard].into_iter().flat_map(|g| logic.conjuncts(g));
            let given: Vec<Term> = both.chain(problem.facts.iter().copied()).collect();
            let name = "the ways of the core, or of a part, exclude each other";
            if prove(logic, obligations, name, &given, never)?.is_err() {
                return Ok(false);
            }
        }
    }
    let any = logic.terms.or(problem.paths.iter().map(|path| path.guard));
    let name = "the ways of the core, or of a part, leave nothing out";
    Ok(prove(logic, obligations, name, &problem.facts, any)?.is_ok())
}

/// The values of variables after a number of iterations.
struct After {
    count: SymbolId,
    values: Vec<(SymbolId, Term)>,
}

/// The conditions that speak of no other variables.
fn speaking_of(
    logic: &Logic<'_>,
    problem: &Loop,
    conditions: &[Term],
    variables: &BTreeSet<usize>,
) -> Vec<Term> {
    let others = problem.variables.iter().enumerate();
    let others: BTreeSet<SymbolId> = others
        .filter(|(number, _)| changes(problem, *number) && !variables.contains(number))
        .filter_map(|(_, variable)| logic.symbol_of(variable.symbol))
        .collect();
    conditions.iter().copied().filter(|condition| !logic.mentions(*condition, &others)).collect()
}

/// How many iterations a trace of a loop with one path has.
pub(crate) fn iterations(logic: &mut Logic<'_>, trace: &[Segment]) -> Option<Term> {
    let mut total = logic.terms.int(0);
    for segment in trace {
        let times = match &segment.what {
            Repeated::Path(_) => segment.count,
            Repeated::Round(parts) => {
                let mut length = Integer::ZERO;
                for part in parts {
                    let Repeated::Path(_) = part.what else { return None };
                    length = length.add(logic.terms.as_int(part.count)?);
                }
                logic.terms.scale(segment.count, &length)
            }
            Repeated::OneOf(_) => return None,
        };
        total = logic.terms.add(total, times);
    }
    Some(total)
}

/// The values of a part, as one term each, which says by itself in which case it is.
fn chosen(logic: &mut Logic<'_>, problem: &Loop, summary: &Summary) -> Option<Vec<Term>> {
    let is_plain = |case: &Case| case.counters.is_empty() && case.inputs.is_empty();
    if summary.covers != Covers::All
        || !summary.diverging.is_empty()
        || !summary.cases.iter().all(is_plain)
    {
        return None;
    }
    let cases: Vec<&Case> = summary.cases.iter().filter(|case| case.exit == ENOUGH).collect();
    let (last, others) = cases.split_last()?;
    let mut values = last.values.clone();
    for case in others.iter().rev() {
        let mut context = Context::new();
        for known in problem.facts.iter().chain([&case.condition]) {
            context.assume(logic.terms, *known);
        }
        for (value, here) in values.iter_mut().zip(&case.values) {
            // What the other cases say may be right here too.
            let other = context.simplify(logic.terms, *value);
            let here_too = context.simplify(logic.terms, *here);
            if other != here_too {
                *value = logic.terms.ite(case.condition, *here, *value);
            }
        }
    }
    Some(values)
}
