//! State machines that nothing from outside drives: variables that go through finitely many states in an order that only they determine.
//!
//! From a state that is known, the states that follow are computed one by one until one comes again: so many of them are the tail, and the others come in turn for
//! ever. Every other variable changes in each state by an amount, or is set to something, that the machine does not change; so its value after k iterations is
//! its value at the start of the cycle, and as often as there are whole turns what a turn adds, and what the rest of a turn adds, which is a table of the
//! remainder. Where the state at entry is not known, the tables are entered in the middle (`anywhere`).

mod anywhere;
mod sequence;

use crate::certificate::{Claim, Obligation};
use crate::logic::Logic;
use crate::problem::{Loop, Path};
use loupe_integer::Integer;
use loupe_solver::Error;
use loupe_term::{Context, Node, Sort, Substitution, SymbolId, Term, Width};
use sequence::Sequence;
use std::collections::{BTreeMap, BTreeSet};

/// So many states may follow each other.
const MOST_STATES: usize = 256;

/// The values behind a loop that counts its first variable down to 0, if a machine drives it; without those that are not known.
pub(crate) fn carousel(
    logic: &mut Logic<'_>,
    problem: &Loop,
    obligations: &mut Vec<Obligation>,
) -> Result<Option<Vec<Option<Term>>>, Error> {
    let Some(machine) = Machine::of(logic, problem)? else { return Ok(None) };
    if let Some(start) = machine.start(logic)
        && let Some(walk) = machine.walk(logic, start)
    {
        obligations.push(machine.order(&walk));
        return Ok(Some(machine.started(logic, &walk)));
    }
    let before = obligations.len();
    let values = machine.anywhere(logic, obligations)?;
    if values.is_none() {
        obligations.truncate(before);
    }
    Ok(values)
}

/// The values of the drivers.
type State = Vec<Integer>;

struct Machine<'m> {
    problem: &'m Loop,
    count: Term,
    symbols: Vec<SymbolId>,
    /// The ways of an iteration, and what their guards say of the drivers.
    ways: Vec<(&'m Path, Term)>,
    /// The variables that decide, by number.
    drivers: Vec<usize>,
    followers: Vec<Follower>,
}

/// A variable that the machine changes.
struct Follower {
    variable: usize,
    symbol: Term,
    /// All changes are wrapped to this width, so it is enough to do that at the end.
    width: Option<Width>,
    /// What each way does, over values at its start.
    updates: Vec<Term>,
}

/// States that follow each other.
struct Walk {
    states: Vec<State>,
    /// The way from each.
    ways: Vec<usize>,
    /// How many do not come again.
    tail: usize,
}

impl Walk {
    fn turn(&self) -> usize {
        self.states.len() - self.tail
    }

    /// The position after so many iterations from the first state.
    fn position(&self, after: usize) -> usize {
        match after < self.tail {
            true => after,
            false => self.tail + (after - self.tail) % self.turn(),
        }
    }

    /// The values of one driver.
    fn driver(&self, logic: &mut Logic<'_>, number: usize) -> Sequence {
        let states = self.states.iter().map(|state| logic.terms.int(state[number].clone()));
        Sequence::returning(states.collect(), self.tail)
    }
}

/// What one way does to a follower: something that no iteration changes.
enum Change {
    Add(Term),
    Set(Term),
}

impl<'m> Machine<'m> {
    fn of(logic: &mut Logic<'_>, problem: &'m Loop) -> Result<Option<Self>, Error> {
        let symbols = problem.variables.iter().map(|variable| logic.symbol_of(variable.symbol));
        let Some(symbols) = symbols.collect::<Option<Vec<SymbolId>>>() else { return Ok(None) };
        let mut ways = Vec::new();
        for (_, path) in problem.iterations() {
            let parts = logic.conjuncts(path.guard).into_iter();
            let own = parts.filter(|part| !logic.terms.free_symbols(*part).contains(&symbols[0]));
            let own: Vec<Term> = own.collect();
            ways.push((path, logic.terms.and(own)));
        }
        let mut drivers: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<Term> = ways.iter().map(|(_, guard)| *guard).collect();
        while let Some(term) = open.pop() {
            for symbol in logic.terms.free_symbols(term) {
                // What does not change has no states.
                let variable = symbols.iter().position(|own| *own == symbol);
                let Some(variable) = variable else { return Ok(None) };
                if drivers.insert(variable) {
                    open.extend(ways.iter().map(|(path, _)| path.updates[variable]));
                }
            }
        }
        if drivers.is_empty() || drivers.contains(&0) {
            return Ok(None);
        }
        let others: Vec<usize> =
            (1..symbols.len()).filter(|variable| !drivers.contains(variable)).collect();
        let count = problem.variables[0].symbol;
        let drivers = drivers.into_iter().collect();
        let mut machine = Machine { problem, count, symbols, ways, drivers, followers: Vec::new() };
        for variable in others {
            let follower = machine.follower(logic, variable)?;
            machine.followers.extend(follower);
        }
        Ok(Some(machine))
    }

    fn follower(&self, logic: &mut Logic<'_>, variable: usize) -> Result<Option<Follower>, Error> {
        let symbol = self.problem.variables[variable].symbol;
        if logic.terms.sort(symbol) != Sort::Int {
            return Ok(None);
        }
        let mut follower = Follower { variable, symbol, width: None, updates: Vec::new() };
        let mut plain = BTreeSet::from([symbol]);
        for (path, _) in &self.ways {
            let update = path.updates[variable];
            match *logic.terms.node(update) {
                Node::Wrap(width, inner) => {
                    if *follower.width.get_or_insert(width) != width {
                        return Ok(None);
                    }
                    follower.updates.push(inner);
                }
                _ => {
                    plain.insert(update);
                    follower.updates.push(update);
                }
            }
        }
        let Some(width) = follower.width else { return Ok(Some(follower)) };
        // Nothing that is not wrapped may be out of range: then it does no harm to wrap it at the end.
        for value in plain {
            let wrapped = logic.terms.wrap(width, value);
            let same = logic.terms.eq(wrapped, value);
            if !logic.proves(&self.problem.facts, same)? {
                return Ok(None);
            }
        }
        Ok(Some(follower))
    }

    /// The state at entry, if it is known.
    fn start(&self, logic: &mut Logic<'_>) -> Option<State> {
        let mut context = Context::new();
        for known in self.problem.facts.iter().chain(&self.problem.entry) {
            context.assume(logic.terms, *known);
        }
        let value = |driver: &usize| {
            let range = context.range(logic.terms, self.problem.variables[*driver].symbol);
            let (low, high) = (range.low()?.clone(), range.high()?);
            (low == *high).then_some(low)
        };
        self.drivers.iter().map(value).collect()
    }

    fn store(&self, logic: &mut Logic<'_>, state: &State) -> Substitution {
        let pairs = self.drivers.iter().zip(state);
        pairs
            .map(|(driver, value)| (self.symbols[*driver], logic.terms.int(value.clone())))
            .collect()
    }

    /// The way from a state, and where it leads to.
    fn next(&self, logic: &mut Logic<'_>, state: &State) -> Option<(usize, State)> {
        let store = self.store(logic, state);
        let mut found = None;
        for (way, (_, guard)) in self.ways.iter().enumerate() {
            let holds = logic.put(*guard, &store);
            match logic.terms.as_bool(holds)? {
                true if found.is_some() => return None,
                true => found = Some(way),
                false => {}
            }
        }
        let way = found?;
        let after = self.drivers.iter().map(|driver| {
            let update = logic.put(self.ways[way].0.updates[*driver], &store);
            logic.terms.as_int(update).cloned()
        });
        Some((way, after.collect::<Option<_>>()?))
    }

    fn walk(&self, logic: &mut Logic<'_>, start: State) -> Option<Walk> {
        let mut walk = Walk { states: Vec::new(), ways: Vec::new(), tail: 0 };
        let mut seen: BTreeMap<State, usize> = BTreeMap::new();
        let mut state = start;
        while walk.states.len() < MOST_STATES && !logic.is_exhausted() {
            if let Some(at) = seen.get(&state) {
                walk.tail = *at;
                return Some(walk);
            }
            let (way, next) = self.next(logic, &state)?;
            seen.insert(state.clone(), walk.states.len());
            walk.states.push(std::mem::replace(&mut state, next));
            walk.ways.push(way);
        }
        None
    }

    /// What a way does to a follower, where these values are known.
    fn change(
        &self,
        logic: &mut Logic<'_>,
        follower: &Follower,
        way: usize,
        known: &Substitution,
    ) -> Option<Change> {
        let update = logic.put(follower.updates[way], known);
        let step = logic.terms.sub(update, follower.symbol);
        if self.is_steady(logic, step) {
            return Some(Change::Add(step));
        }
        self.is_steady(logic, update).then_some(Change::Set(update))
    }

    fn is_steady(&self, logic: &Logic<'_>, term: Term) -> bool {
        let free = logic.terms.free_symbols(term);
        !logic.terms.is_starred(term) && self.symbols.iter().all(|symbol| !free.contains(symbol))
    }

    fn changes(
        &self,
        logic: &mut Logic<'_>,
        follower: &Follower,
        walk: &Walk,
    ) -> Option<Vec<Change>> {
        let states = walk.states.iter().zip(&walk.ways);
        states
            .map(|(state, way)| {
                let store = self.store(logic, state);
                self.change(logic, follower, *way, &store)
            })
            .collect()
    }

    /// The values of everything, along a walk from the entry.
    fn started(&self, logic: &mut Logic<'_>, walk: &Walk) -> Vec<Option<Term>> {
        let mut values = self.unknown(logic);
        for (at, driver) in self.drivers.iter().enumerate() {
            let states = walk.driver(logic, at);
            values[*driver] = Some(states.at(logic, self.count));
        }
        for follower in &self.followers {
            let Some(changes) = self.changes(logic, follower, walk) else { continue };
            let value = along(logic, walk, &changes, follower.symbol).at(logic, self.count);
            values[follower.variable] = Some(follower.wrapped(logic, value));
        }
        values
    }

    /// Nothing is known but the counter, which is 0.
    fn unknown(&self, logic: &mut Logic<'_>) -> Vec<Option<Term>> {
        let mut values = vec![None; self.symbols.len()];
        values[0] = Some(logic.terms.int(0));
        values
    }

    fn order(&self, walk: &Walk) -> Obligation {
        let names = self.drivers.iter().map(|driver| self.problem.variables[*driver].name.as_str());
        let names: Vec<&str> = names.collect();
        let text = |state: &State| {
            let numbers: Vec<String> = state.iter().map(Integer::to_string).collect();
            numbers.join(",")
        };
        let states: Vec<String> = walk.states.iter().map(text).collect();
        let (states, again) = (states.join(" → "), text(&walk.states[walk.tail]));
        Obligation {
            name: format!("the states of {} follow each other", names.join(", ")),
            claim: Claim::Identity(format!("{states} and then from {again} again")),
        }
    }
}

impl Follower {
    fn wrapped(&self, logic: &mut Logic<'_>, value: Term) -> Term {
        match self.width {
            Some(width) => logic.terms.wrap(width, value),
            None => value,
        }
    }
}

/// The values along a walk from one at its start.
fn along(logic: &mut Logic<'_>, walk: &Walk, changes: &[Change], start: Term) -> Sequence {
    // What is set in every turn is the same in all of them but the first.
    let again = changes[walk.tail..].iter().any(|change| matches!(change, Change::Set(_)));
    let tail = if again { walk.states.len() } else { walk.tail };
    let mut values = vec![start];
    while values.len() <= tail + walk.turn() {
        let last = values[values.len() - 1];
        values.push(match &changes[walk.position(values.len() - 1)] {
            Change::Add(step) => logic.terms.add(last, *step),
            Change::Set(value) => *value,
        });
    }
    Sequence { values, tail }
}
