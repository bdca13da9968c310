//! From a state at the header of a loop to the loop as a problem.
//!
//! What the loop changes is found by a fixpoint: all variables that are known so far have header symbols, the body is executed, and what
//! else differs at a back edge becomes a variable. That ends, because there are finitely many scalars in a state, and it is right
//! because in the last round every value that is not a variable is the same at every back edge as at the header: by induction over the
//! iterations it is what it was at entry.

use super::body::{Body, Done, Edge, Ending};
use super::cells::{self, Comparison, Found, Root, Spot};
use super::counted::counted;
use super::exits::{ExitState, Exits};
use super::reads::Reads;
use super::solve::{Leaks, Question, Solutions};
use super::{Cell, Context, ExitKind, ExitPlace, Extraction, Request, Site, Tables, WhyNot};
use crate::domain::{Outcome, Reading, Symbolic, Unknown};
use crate::halt::{Halt, internal};
use crate::loops::{Loops, Region};
use crate::output::Output;
use crate::path::Path;
use crate::value::{Bool, Int};
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_ir::check::Calls;
use loupe_ir::program::LocalId;
use loupe_ir::source::Span;
use loupe_ir::types::IntType;
use loupe_loops::{End, Fresh, FreshKind, Variable};
use loupe_term::{Node, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What happens on a path beside the values of variables.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// What is read, in order.
    pub(crate) readings: Vec<Reading>,
    /// What is put out, in order.
    pub(crate) outputs: Vec<Output>,
    /// Uninitialised values of registers.
    pub(crate) unknowns: Vec<Unknown>,
    /// The position in the stream of uninitialised values afterwards.
    pub(crate) undefined: Int,
    /// How many occasions of uninitialised values there were.
    pub(crate) occasions: u64,
    /// The edges that are taken.
    pub(crate) edges: BTreeSet<Edge>,
}

/// A variable while the loop is looked at.
#[derive(Clone, Debug)]
struct Candidate {
    spot: Spot,
    ty: Option<IntType>,
    symbol: Term,
    name: String,
}

/// An extraction that is under way.
pub(super) struct Extractor<'e, 'p> {
    pub(super) machine: &'e mut Machine<'p, Symbolic>,
    pub(super) loops: &'e Loops,
    pub(super) solutions: &'e mut Solutions,
}

/// Where the loop is.
struct Place {
    region: Region,
    depth: usize,
    live: Vec<LocalId>,
    span: Span,
}

/// One round of the fixpoint.
struct Round {
    candidates: Vec<Candidate>,
    /// The state at the header.
    start: State<Symbolic>,
    /// What holds there.
    facts: Vec<Term>,
    /// Where numbers of occasions and readings start.
    apart: u64,
    /// The position in the stream of uninitialised values at the header.
    undefined: Term,
    done: Vec<Done>,
    inner: Vec<super::InnerLoop>,
}

/// Looks at uninitialised values from before the loop that it is the first to look at; whether there are any. Such a value is arbitrary but fixed since its object was made, so whoever looks before the
/// loop sees the same, and then all paths of the body and all that comes behind the loop know of it. One value must not have two symbols: those of an object that has been made an array by now will be read there.
fn look_before(
    machine: &mut Machine<'_, Symbolic>,
    plain: &mut State<Symbolic>,
    round: &Round,
) -> Outcome<bool> {
    let mut any = false;
    for done in &round.done {
        let memory = &done.run.state.memory;
        for (key, unknown) in memory.single_looked_at_since(&plain.memory) {
            if key.0 < round.apart && !plain.memory.has_unknown_array(key.0) {
                plain.memory.look_at(key, unknown);
                any = true;
            }
        }
        for object in memory.arrays_since(&plain.memory) {
            let Some((stride, int)) = memory.element_type(object) else { continue };
            let types = &machine.program.types;
            let what = (object, stride, int);
            machine.domain.spell_out_array(types, &mut plain.memory, what)?;
            any = true;
        }
    }
    Ok(any)
}

/// Into so many numbers a value in a body is split: an index that changes with the iterations would be all of them.
const MAX_CASES: usize = 16;

type Extracted<T> = Outcome<Result<T, WhyNot>>;

impl Extractor<'_, '_> {
    /// Extracts, and leaves everything of the domain as it was, but for new symbols and terms.
    pub(super) fn extract(&mut self, request: &Request<'_>) -> Result<Extraction, WhyNot> {
        let domain = &mut self.machine.domain;
        let path = std::mem::take(&mut domain.path);
        let (decided, guide) = (std::mem::take(&mut domain.decided), domain.guide.take());
        let written = std::mem::take(&mut domain.written);
        let most_cases = std::mem::replace(&mut domain.most_cases, MAX_CASES);
        let most = if request.tables == Tables::Arrays { 1 } else { domain.most_choices };
        let most_choices = std::mem::replace(&mut domain.most_choices, most);
        let result = self.extract_here(request);
        let domain = &mut self.machine.domain;
        domain.most_choices = most_choices;
        (domain.path, domain.decided, domain.guide) = (path, decided, guide);
        (domain.written, domain.most_cases) = (written, most_cases);
        match result {
            Ok(result) => result,
            Err(halt) => {
                let (function, id) = request.region.key();
                let code = self.machine.program.function(function);
                let span = self.loops.of(function).get(id).span(code);
                let what = match *halt {
                    Halt::Internal(error) => format!("Loupe is broken: {error}"),
                    other => other.to_string(),
                };
                Err(WhyNot { what, span })
            }
        }
    }

    fn place(&self, request: &Request<'_>) -> Outcome<Result<Place, WhyNot>> {
        let (state, region) = (request.state, request.region);
        let Some(frame) = state.frames.last() else { return Err(internal("no active call")) };
        let (key, entry) = (region.key(), self.loops.entry_of(region));
        if (frame.function, frame.block) != (key.0, entry) {
            return Err(internal("a state that does not stand before the loop"));
        }
        let function = self.machine.program.function(key.0);
        let forest = self.loops.of(key.0);
        let span = forest.get(key.1).span(function);
        // A cycle goes along a path of its own, whatever else there is.
        let is_loop = matches!(region, Region::Loop(_));
        if is_loop && forest.irreducible_in(key.1).next().is_some() {
            let what = "a cycle in the loop is entered at several places".to_owned();
            return Ok(Err(WhyNot { what, span }));
        }
        Ok(Ok(Place {
            region,
            depth: state.depth(),
            live: cells::live_registers(function, entry),
            span,
        }))
    }

    fn extract_here(&mut self, request: &Request<'_>) -> Extracted<Extraction> {
        let place = match self.place(request)? {
            Ok(place) => place,
            Err(why) => return Ok(Err(why)),
        };
        // Iterations that a summary covers leave all objects and live pointers as they are (`Comparison`), so what is tracked here is tracked in executions that
        // stay in the loop for ever, of which the summary says nothing.
        if self.solutions.leaks == Leaks::Matter
            && self.machine.tracked(request.state, Calls::All)? != Bool::Known(true)
        {
            let what = "allocated memory is lost before the loop".to_owned();
            return Ok(Err(WhyNot { what, span: place.span }));
        }
        let mut plain = request.state.clone();
        let mut spots = self.guessed(request, &place, &plain);
        let mut guessed = spots.len();
        for _ in 0..request.limits.rounds {
            let round = match self.round(request, &place, &plain, &spots)? {
                Ok(round) => round,
                Err(why) => return Ok(Err(why)),
            };
            let before = spots.len();
            let mut prepared = false;
            for done in &round.done {
                let Ending::Again = done.ending else { continue };
                let comparison = Comparison {
                    start: &round.start,
                    end: &done.run.state,
                    live: &place.live,
                    span: place.span,
                };
                match comparison.find(self.machine, &mut plain)? {
                    Ok(Found::Spots(found)) => {
                        for spot in found {
                            if !spots.iter().any(|(known, _)| *known == spot) {
                                let ty = spot.declared(self.machine.program, &plain);
                                spots.push((spot, ty));
                            }
                        }
                    }
                    Ok(Found::Prepared) => prepared = true,
                    Err(why) => return Ok(Err(why)),
                }
            }
            prepared |= look_before(self.machine, &mut plain, &round)?;
            let retyped = self.check_types(&plain, &round, &mut spots);
            prepared |= self.drop_unchanged(&round, &mut spots, std::mem::take(&mut guessed));
            // What was a variable by itself may be an element of an array by now.
            let domain = &mut self.machine.domain;
            spots.retain(|(spot, _)| spot.is_forgotten() || spot.read(domain, &plain).is_some());
            if !prepared && !retyped && spots.len() == before {
                return self.build(request, place, plain, round);
            }
        }
        let what = "it was not found out what the loop changes".to_owned();
        Ok(Err(WhyNot { what, span: place.span }))
    }

    /// Registers that count, as far as one sees that: without a guess, the first time that the body is executed only shows that they change, and loops inside are looked at for nothing.
    fn guessed(
        &mut self,
        request: &Request<'_>,
        place: &Place,
        plain: &State<Symbolic>,
    ) -> Vec<(Spot, Option<IntType>)> {
        // A round is dear where every loop inside is described anew.
        if self.solutions.question != Question::Necessary {
            return Vec::new();
        }
        let Region::Loop((function, id)) = request.region else { return Vec::new() };
        let code = self.machine.program.function(function);
        let forest = self.loops.of(function);
        let counted = cells::counting_registers(code, forest.blocks(id));
        let counted = place.live.iter().filter(|local| counted.contains(local));
        let spots = counted.map(|local| Spot::of(Root::Register(*local)));
        let domain = &mut self.machine.domain;
        let is_number = |spot: &Spot| spot.read(domain, plain).is_some();
        let spots: Vec<Spot> = spots.filter(is_number).collect();
        let declared = |spot: Spot| {
            let ty = spot.declared(self.machine.program, plain);
            ty.map(|ty| (spot, Some(ty)))
        };
        spots.into_iter().filter_map(declared).collect()
    }

    /// Takes guesses away that no path bears out; whether there were any.
    fn drop_unchanged(
        &mut self,
        round: &Round,
        spots: &mut Vec<(Spot, Option<IntType>)>,
        guessed: usize,
    ) -> bool {
        let domain = &mut self.machine.domain;
        let ends = round.done.iter().filter(|done| matches!(done.ending, Ending::Again));
        let mut unchanged = BTreeSet::new();
        for candidate in round.candidates.iter().take(guessed) {
            let mut values = ends.clone().map(|end| candidate.spot.read(domain, &end.run.state));
            if values.all(|value| value == Some(candidate.symbol)) {
                unchanged.insert(candidate.spot.clone());
            }
        }
        spots.retain(|(spot, _)| !unchanged.contains(spot));
        !unchanged.is_empty()
    }

    /// Whether the values of variables stay in the ranges that their symbols have. That makes the ranges an invariant of the header.
    fn check_types(
        &mut self,
        plain: &State<Symbolic>,
        round: &Round,
        spots: &mut [(Spot, Option<IntType>)],
    ) -> bool {
        let mut retyped = false;
        let domain = &mut self.machine.domain;
        let ends = || round.done.iter().filter(|done| matches!(done.ending, Ending::Again));
        for (candidate, (spot, ty)) in round.candidates.iter().zip(spots.iter_mut()) {
            debug_assert_eq!(candidate.spot, *spot);
            match *ty {
                Some(known) => {
                    let states = ends().map(|done| &done.run.state).chain([plain]);
                    let all: Vec<Option<Term>> =
                        states.map(|state| spot.read(domain, state)).collect();
                    let fits = all.into_iter().flatten().all(|term| {
                        let int = domain.int_of(term);
                        domain.is_everywhere_of(known, &int)
                    });
                    if !fits {
                        *ty = None;
                        retyped = true;
                    }
                }
                None if candidate.ty.is_none() => {
                    // A type that does not hold is taken away again; rounds are limited.
                    let term = ends().find_map(|done| {
                        let term = spot.read(domain, &done.run.state)?;
                        cells::type_by_form(domain, term)
                    });
                    let start = spot.read(domain, plain).map(|term| domain.int_of(term));
                    if let (Some(found), Some(start)) = (term, start)
                        && domain.is_everywhere_of(found, &start)
                    {
                        *ty = Some(found);
                        retyped = true;
                    }
                }
                None => {}
            }
        }
        retyped
    }

    /// Executes the body with symbols for these variables.
    fn round(
        &mut self,
        request: &Request<'_>,
        place: &Place,
        plain: &State<Symbolic>,
        spots: &[(Spot, Option<IntType>)],
    ) -> Extracted<Round> {
        let program = self.machine.program;
        let domain = &mut self.machine.domain;
        let mut start = plain.clone();
        let mut candidates = Vec::with_capacity(spots.len());
        let mut facts = match &request.context {
            Context::General => Vec::new(),
            Context::Specialised(conditions) => conditions.clone(),
        };
        for (spot, ty) in spots {
            let name = cells::name(program, plain, spot);
            let symbol = spot.symbol(domain, &name, *ty);
            spot.write(domain, &mut start, symbol)?;
            if let Some(ty) = ty {
                facts.extend(domain.range_conditions(*ty, symbol));
            }
            candidates.push(Candidate { spot: spot.clone(), ty: *ty, symbol, name });
        }
        let apart = domain.start_apart();
        let undefined = domain.terms.int_symbol("undefined");
        start.streams = plain.streams.apart(apart, undefined);
        let mut path = Path::default();
        for fact in &facts {
            let negation = domain.terms.not(*fact);
            path.assume(*fact, negation, None);
        }
        let at = (place.region, place.depth);
        let mut body = Body::new(self.machine, self.loops, request.limits, self.solutions, at);
        let done = match body.run(start.clone(), path)? {
            Ok(done) => done,
            Err(why) => return Ok(Err(why)),
        };
        let inner = std::mem::take(&mut body.inner);
        Ok(Ok(Round { candidates, start, facts, apart, undefined, done, inner }))
    }

    /// The problem that the last round gives.
    fn build(
        &mut self,
        request: &Request<'_>,
        place: Place,
        plain: State<Symbolic>,
        round: Round,
    ) -> Extracted<Extraction> {
        let Round { candidates, start, facts, apart, undefined, mut done, inner } = round;
        if let Region::Cycle(..) = place.region {
            self.keep_one_path(&place, &mut done);
        }
        for end in &done {
            if end.run.state.streams.has_looked_beyond(&start.streams) {
                let what = "the loop reads the standard input or the command line".to_owned();
                return Ok(Err(WhyNot { what, span: place.span }));
            }
        }
        let numbered: Vec<(Spot, Term)> = candidates
            .iter()
            .filter(|candidate| !candidate.spot.is_forgotten())
            .map(|candidate| (candidate.spot.clone(), candidate.symbol))
            .collect();
        let forgotten: Vec<Spot> = candidates
            .iter()
            .filter(|candidate| candidate.spot.is_forgotten())
            .map(|candidate| candidate.spot.clone())
            .collect();
        let mut exits = Exits::new(self.machine, &start, &numbered, &forgotten, place.depth);
        let mut paths = Vec::new();
        let mut ways = Vec::new();
        for end in done {
            let guard: Vec<Term> =
                end.run.path.conditions().into_iter().skip(facts.len()).collect();
            let guard = exits.machine.domain.terms.and(guard);
            let way = way_of(&end, apart);
            let fresh = fresh_of(&end, &way, apart, &exits.machine.domain);
            let symbols: FxHashSet<Term> = fresh.iter().map(|fresh| fresh.symbol).collect();
            let (updates, exit) = match exits.leave(&end, &symbols)? {
                Ok(left) => left,
                Err(what) => return Ok(Err(WhyNot { what, span: place.span })),
            };
            let mut label: Vec<String> = end.run.label.iter().cloned().collect();
            label.reverse();
            paths.push(loupe_loops::Path {
                guard,
                updates,
                fresh,
                end: exit.map_or(End::Again, End::Exit),
                precision: end.run.precision,
                label: label.join(", "),
            });
            ways.push(way);
        }
        let (extra, states): (Vec<(Term, String)>, Vec<ExitState>) = exits.finish(&mut paths);
        let domain = &mut self.machine.domain;
        let mut cells = Vec::new();
        let mut entry = Vec::new();
        for candidate in candidates.into_iter().filter(|c| !c.spot.is_forgotten()) {
            let value = candidate.spot.read(domain, &plain);
            if let (Context::Specialised(_), Some(value)) = (&request.context, value) {
                entry.push(domain.terms.eq(candidate.symbol, value));
            }
            let Candidate { spot, ty, symbol, name } = candidate;
            cells.push(Cell {
                symbol,
                name,
                ty,
                place: spot.place(),
                entry: value,
                spot: Some(spot),
            });
        }
        for (symbol, name) in extra {
            let place = super::CellPlace::Result;
            cells.push(Cell { symbol, name, ty: None, place, entry: None, spot: None });
        }
        let variable = |cell: &Cell| Variable { symbol: cell.symbol, name: cell.name.clone() };
        // Only necessary conditions are shown with the counters of single paths in them.
        let counted = match self.solutions.question {
            Question::Necessary => {
                let whole = (self.machine.program, self.loops);
                counted(whole, (place.region.key(), place.span), paths.iter().zip(&ways))
            }
            Question::Reach | Question::Termination => Vec::new(),
        };
        let mut problem = loupe_loops::Loop {
            variables: cells.iter().map(variable).collect(),
            paths,
            facts,
            entry,
            exits: states.len(),
            is_partial: None,
            ways: loupe_loops::Ways::One,
            counted,
        };
        self.add_ranges(&mut problem, &cells);
        self.add_element_ranges(&mut problem);
        let exits = states
            .iter()
            .map(|state| ExitPlace { kind: state.kind.clone(), span: state.site.span })
            .collect();
        let reads = Reads::new(self.machine, self.loops, place.region.key(), &plain);
        Ok(Ok(Extraction {
            key: place.region.key(),
            region: place.region,
            problem,
            cells,
            exits,
            inner,
            ways,
            states,
            plain,
            apart,
            undefined,
            live: place.live,
            reads,
        }))
    }

    /// A cycle is one path, but a call on it may go several ways: the simplest of them is repeated, and the others leave the cycle for its entry.
    fn keep_one_path(&self, place: &Place, done: &mut [Done]) {
        let domain = &self.machine.domain;
        let is_again = |done: &Done| matches!(done.ending, Ending::Again);
        let cost = |done: &Done| {
            let conditions = done.run.path.conditions();
            let size: usize = conditions.iter().map(|term| domain.terms.size(*term)).sum();
            (done.run.precision, done.run.fresh.len(), size)
        };
        let paths = done.iter().enumerate().filter(|(_, done)| is_again(done));
        let core = paths.min_by_key(|(_, done)| cost(done)).map(|(number, _)| number);
        let entry = self.loops.entry_of(place.region);
        let site = Site::at(self.machine.program, place.span);
        for (number, other) in done.iter_mut().enumerate() {
            if Some(number) != core && is_again(other) {
                other.ending = Ending::Exit(ExitKind::Block(entry), site, None);
            }
        }
    }

    /// The ranges of elements that paths read: they hold whatever is in the arrays, so they are no decisions of these paths.
    fn add_element_ranges(&self, problem: &mut loupe_loops::Loop) {
        let domain = &self.machine.domain;
        let mut ranges = Vec::new();
        for path in &problem.paths {
            let is_fresh = |symbol: Term| path.fresh.iter().any(|fresh| fresh.symbol == symbol);
            let parts = match domain.terms.node(path.guard) {
                Node::And(parts) => parts.to_vec(),
                _ => vec![path.guard],
            };
            for part in parts.into_iter().filter(|part| domain.harmless.contains(part)) {
                let mut inside = domain.terms.post_order(part).into_iter();
                if !inside.any(is_fresh) && !problem.facts.contains(&part) {
                    ranges.push(part);
                }
            }
        }
        ranges.sort();
        ranges.dedup();
        problem.facts.extend(ranges);
    }

    /// What is known of the other symbols: their ranges.
    fn add_ranges(&mut self, problem: &mut loupe_loops::Loop, cells: &[Cell]) {
        let domain = &mut self.machine.domain;
        let mut symbols = BTreeSet::new();
        for path in &problem.paths {
            for term in path.updates.iter().chain([&path.guard]) {
                symbols.extend(domain.terms.free_symbols(*term));
            }
        }
        let fresh: FxHashSet<Term> = problem
            .paths
            .iter()
            .flat_map(|path| path.fresh.iter().map(|fresh| fresh.symbol))
            .chain(cells.iter().map(|cell| cell.symbol))
            .collect();
        for symbol in symbols {
            let symbol = domain.terms.symbol_term(symbol);
            if fresh.contains(&symbol) {
                continue;
            }
            if let Some(ty) = domain.type_of_symbol(symbol) {
                for fact in domain.range_conditions(ty, symbol) {
                    if !problem.facts.contains(&fact) {
                        problem.facts.push(fact);
                    }
                }
            }
        }
    }
}

fn way_of(done: &Done, apart: u64) -> Way {
    let streams = &done.run.state.streams;
    let mut outputs: Vec<Output> = done.run.outputs.iter().cloned().collect();
    outputs.reverse();
    Way {
        readings: streams.readings(),
        outputs,
        unknowns: streams.unknowns().cloned().collect(),
        undefined: streams.undefined.clone(),
        occasions: streams.occasions - apart,
        edges: done.run.edges.iter().copied().collect(),
    }
}

/// The symbols that are new in every iteration.
fn fresh_of(done: &Done, way: &Way, apart: u64, domain: &Symbolic) -> Vec<Fresh> {
    let mut fresh = done.run.fresh.clone();
    let mut add = |symbol: Term, kind: FreshKind| {
        if !fresh.iter().any(|known| known.symbol == symbol) {
            fresh.push(Fresh { symbol, kind });
        }
    };
    for reading in &way.readings {
        if let Reading::Input(input) = reading {
            add(input.symbol, FreshKind::Input);
        }
    }
    for unknown in &way.unknowns {
        add(unknown.symbol, FreshKind::Input);
    }
    for (key, unknown) in done.run.state.memory.all_looked_at() {
        if key.0 >= apart && matches!(domain.terms.node(unknown.symbol), Node::Symbol(_)) {
            add(unknown.symbol, FreshKind::Input);
        }
    }
    fresh
}
