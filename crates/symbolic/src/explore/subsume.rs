//! States that stop because nothing can go wrong from where they are: path subsumption by annotations (McMillan, *Lazy annotation for program testing and
//! verification*, 2010; the master's thesis on microc, sections 4.2 and 5.4.2).
//!
//! *Places* are headers of loops and joins, each with the whole stack of calls. The program is cut there by the walk that [invariants](crate::invariants) are found
//! with: each place has *nodes*, generic states in which whatever is no constant is a symbol, and *ways*, executions from node to node, with what was decided on them. An error, a gap, a limit and everything
//! without a model is a way to nowhere. An *annotation* of a node is a formula over its symbols, the values of the program's variables. The rule that all annotations together keep:
//!
//! > From a state of which an annotation of its node holds, each way that can be gone leads to a node of whose annotations one holds of the values there.
//!
//! So, by induction over an execution, nothing goes wrong from such a state, however long it goes on: this is partial correctness, and says nothing of whether the execution ends. A real state that
//! fits a node (it is the state of the node for some values of its symbols) stops if its path condition implies an annotation of these values.
//! No error is ever reported from a node, since ways are executed from states that may be impossible; they only keep annotations from holding.
//!
//! *Invariants* of Horn clauses are asked for where nothing was guessed that does, once: of the same nodes and ways, and what is found is guessed like all else, so it has to keep the rule.
//!
//! Annotations are made lazily, of what an exploration shows to be needed:
//! - *Backwards* (`weakest`): when all that came of a visit to a place has ended, the place gets the weakest condition under which its ways lead to what is annotated by then. Checks are ways like others, so
//!   they become a part of the condition instead of the end of it.
//! - *By induction* (`induct`): a state that comes to a header again, after so many iterations as somebody wishes, is put aside until everything else is explored; so the exits of its loop have annotations then. Of conditions that are guessed
//!   (`guess`), the largest part is kept that iterations preserve (Houdini), with one set for each node of the loop, loops inside included. If that implies the annotations behind all exits, what the proof needs of it becomes annotations. Otherwise the state makes another
//!   iteration.
//!
//! What is deliberately not here: termination and leaks, which are no matter of finite prefixes of executions; and whether subtrees are clean. That annotations are made when a
//! subtree is over is for the sake of work only, and so the bookkeeping ([`Visit`]) may be told too early that it is.

mod ahead;
mod figures;
mod guess;
mod induct;
mod visit;
mod weakest;

pub use figures::{Annotation, SubsumptionFigures};
pub(super) use visit::Visit;

use super::run::Ran;
use super::{Branch, Explorer, LoopMode, Subsumed};
use crate::domain::{Feasible, Outcome, Streams, Symbolic};
use crate::halt::Halt;
use crate::invariants::{Blocks, Cuts, Fit, Graph, Live, Open, Target, Walker, place_of};
use crate::loops::Loops;
use crate::path::Path;
use crate::property::Property;
use fixedbitset::FixedBitSet;
use loupe_engine::semantics::Machine;
use loupe_engine::state::State;
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_term::{Node as TermNode, Substitution, SymbolId, Term};
use std::collections::BTreeSet;
use std::time::Instant;
use visit::Ended;

/// The work that the walk between places may be.
const WALK_WORK: u64 = 4_000_000;
/// What a question may cost: most are easy, and what is not proved soon is not worth much.
const WORK: u64 = 400_000;
/// What annotations may cost before anything else has cost anything; then they may cost as much again as all else.
const BEGIN: u64 = 5_000_000;
/// What a question costs at least, in units of the solver's work.
const QUESTION: u64 = 1_000;
/// What it may cost to look for invariants of all nodes.
const HORN_WORK: u64 = 1_500_000;
/// So often patience is doubled.
const MAX_FAILURES: u32 = 12;
/// So many annotations a node has.
const MAX_ANNOTATIONS: usize = 6;

/// An execution from a node to another.
struct Way {
    from: usize,
    /// What was decided, without what holds of the node anyway.
    conditions: Vec<Term>,
    /// Where it leads, with the values there; `None` where it must not be gone.
    to: Option<(usize, Substitution)>,
}

/// A state that waits for what becomes of others.
struct Aside {
    branch: Branch,
    at: Ended,
    /// What was known when it was tried to say something of it in vain.
    tried_at: Option<u64>,
}

/// What is known of places from which nothing goes wrong.
pub(super) struct Subsumption {
    cuts: Blocks,
    /// Those where loops are entered.
    headers: Blocks,
    depth: u64,
    graph: Graph,
    /// What the states of nodes speak of.
    own: Vec<BTreeSet<SymbolId>>,
    ways: Vec<Way>,
    /// The numbers of the ways from each node.
    out: Vec<Vec<usize>>,
    /// The annotations of each node.
    known: Vec<Vec<Term>>,
    /// How often there was something new, and when a node had something new or was looked at last.
    news: u64,
    news_at: Vec<u64>,
    looked_at: Vec<u64>,
    /// Conditions that were found elsewhere, if that was tried, for each node.
    found: Option<Vec<Vec<Term>>>,
    /// Nodes that a path can come to again.
    cyclic: Vec<bool>,
    /// How often it was tried in vain for a node, and how many states go on before the next time.
    failures: Vec<u32>,
    patience: Vec<u64>,
    live: Live,
    ended: visit::Queue,
    aside: Vec<Aside>,
    /// What all of it has cost so far, and what may be spent on annotations now.
    spent: u64,
    budget: u64,
    figures: SubsumptionFigures,
}

impl Explorer<'_> {
    /// Cuts the program at places, if states shall stop that are like others.
    pub(super) fn prepare_subsumption(&mut self) -> Outcome<()> {
        let Some(wanted) = self.options.subsume.filter(|_| self.subsumes()) else { return Ok(()) };
        if self.subsumption.is_some() || self.result.subsumption.why_not.is_some() {
            return Ok(());
        }
        let why_not = match self.options.property {
            Property::Termination => Some("what is like a state that ends need not end"),
            property if property.asks_for_leaks() => {
                Some("annotations say nothing of memory that is lost")
            }
            _ if self.options.loops == LoopMode::Necessary => {
                Some("ways are drafted, and not executed")
            }
            _ => None,
        };
        if let Some(why) = why_not {
            self.result.subsumption.why_not = Some(why.to_owned());
            return Ok(());
        }
        let start = Instant::now();
        let (cuts, headers) = cuts_of(self.machine.program, &self.loops);
        let interrupt = self.machine.domain.limits.interrupt.clone();
        let usual = self.begin();
        let begun = self.machine.domain.work();
        let stop = |effort: u64| {
            let is_over = effort > begun + WALK_WORK || interrupt.is_requested();
            is_over.then(|| "the ways between places are too much work".to_owned())
        };
        let blocks = Cuts::Blocks(&cuts);
        let mut walker = Walker::new(&mut self.machine, &self.loops, &self.options, blocks, &stop);
        let graph = walker.walk();
        self.finish(usual);
        match graph {
            Ok(Ok(graph)) => {
                let mut own = Subsumption::new(
                    &mut self.machine.domain,
                    (cuts, headers),
                    wanted.depth,
                    graph,
                );
                own.figures.time = start.elapsed();
                self.subsumption = Some(Box::new(own));
            }
            Ok(Err(stopped)) => self.result.subsumption.why_not = Some(stopped.0),
            Err(halt) => match *halt {
                Halt::Internal(_) => return Err(halt),
                other => self.result.subsumption.why_not = Some(other.to_string()),
            },
        }
        Ok(())
    }

    /// Sets aside what belongs to the path that is executed, and what questions may cost.
    fn begin(&mut self) -> Usual {
        let domain = &mut self.machine.domain;
        let work = domain.limits.work;
        domain.limits.work = work.min(WORK);
        Usual {
            work,
            path: std::mem::take(&mut domain.path),
            decided: std::mem::take(&mut domain.decided),
            written: std::mem::take(&mut domain.written),
            guide: domain.guide.take(),
            most_cases: domain.most_cases,
        }
    }

    fn finish(&mut self, usual: Usual) {
        let domain = &mut self.machine.domain;
        domain.limits.work = usual.work;
        domain.path = usual.path;
        (domain.decided, domain.written) = (usual.decided, usual.written);
        (domain.guide, domain.most_cases) = (usual.guide, usual.most_cases);
    }

    /// Whether a block is a place.
    pub(super) fn is_cut(&self, function: FunctionId, block: BlockId) -> bool {
        self.subsumption.as_ref().is_some_and(|own| own.cuts.has(function, block))
    }

    /// A state has come to a place: it stops, waits, or goes on.
    pub(super) fn at_cut(&mut self, mut branch: Box<Branch>) -> Outcome<Ran> {
        if self.is_guided() || !self.may_stop(&branch) {
            return Ok(Ran::On(branch));
        }
        let Some(mut own) = self.subsumption.take() else { return Ok(Ran::On(branch)) };
        let start = Instant::now();
        let usual = self.begin();
        let path = usual.path.clone();
        let before = own.has_budget(&self.machine.domain);
        let arrived = own.arrive(&mut self.machine, &mut branch, path);
        own.spent += cost(&self.machine.domain) - before;
        self.finish(usual);
        own.figures.time += start.elapsed();
        let arrived = arrived?;
        let ran = match arrived {
            Arrived::Subsumed => {
                own.figures.subsumed += 1;
                self.stop_subsumed(&branch);
                Ran::Over
            }
            Arrived::Aside(at) => {
                branch.path = std::mem::take(&mut self.machine.domain.path);
                self.search.ended(branch.key);
                own.aside.push(Aside { branch: *branch, at, tried_at: None });
                Ran::Over
            }
            Arrived::On => Ran::On(branch),
        };
        self.subsumption = Some(own);
        Ok(ran)
    }

    /// Whether a state may stop if nothing goes wrong from there.
    fn may_stop(&self, branch: &Branch) -> bool {
        match self.options.subsume.map(|wanted| wanted.who) {
            None => false,
            Some(Subsumed::All) => true,
            Some(Subsumed::Covered) => {
                let calls = branch.state.calls().map(|frame| (frame.function, frame.block));
                ahead::is_covered(self.machine.program, &self.result.coverage, calls)
            }
        }
    }

    fn stop_subsumed(&mut self, branch: &Branch) {
        let span = self.place(branch);
        if let Some(tree) = &mut self.result.tree {
            tree.ended(branch.key, span, "like others from which nothing goes wrong".to_owned());
        }
        self.search.ended(branch.key);
    }

    /// Nothing else is left to explore: what waits is shown to be harmless, or one goes on.
    pub(super) fn wake(&mut self) -> Outcome<Option<Branch>> {
        let Some(mut own) = self.subsumption.take() else { return Ok(None) };
        let start = Instant::now();
        let usual = self.begin();
        let before = own.has_budget(&self.machine.domain);
        let woken = own.wake(&mut self.machine);
        own.spent += cost(&self.machine.domain) - before;
        self.finish(usual);
        own.figures.time += start.elapsed();
        self.subsumption = Some(own);
        let (stopped, on) = woken?;
        for branch in &stopped {
            self.stop_subsumed(branch);
        }
        Ok(on)
    }

    /// The states that wait when the exploration is cut short.
    pub(super) fn put_aside(&mut self) -> Vec<Branch> {
        let aside = self.subsumption.as_mut().map(|own| std::mem::take(&mut own.aside));
        aside.into_iter().flatten().map(|aside| aside.branch).collect()
    }

    /// Says what came of it.
    pub(super) fn note_subsumption(&mut self) {
        let Some(own) = &self.subsumption else { return };
        let annotations = own.in_words(&self.machine);
        self.result.subsumption = SubsumptionFigures { annotations, ..own.figures.clone() };
    }
}

/// What belongs to the path that is executed.
struct Usual {
    work: u64,
    path: Path,
    decided: Vec<super::Step>,
    written: Vec<crate::output::Output>,
    guide: Option<super::Guide>,
    most_cases: usize,
}

/// What becomes of a state at a place.
enum Arrived {
    Subsumed,
    /// It waits, with what it has there.
    Aside(Ended),
    On,
}

impl Subsumption {
    fn new(
        domain: &mut Symbolic,
        (cuts, headers): (Blocks, Blocks),
        depth: u64,
        graph: Graph,
    ) -> Self {
        let count = graph.nodes.len();
        let own = graph.nodes.iter().map(|node| {
            let symbols = crate::invariants::symbols_of(domain, &node.state);
            symbols.into_iter().flat_map(|symbol| domain.terms.free_symbols(symbol)).collect()
        });
        let own: Vec<BTreeSet<SymbolId>> = own.collect();
        let mut ways = Vec::new();
        let mut out = vec![Vec::new(); count];
        for link in &graph.links {
            let Some(from) = link.from else { continue };
            let to = match &link.to {
                Target::Bad(_) => None,
                Target::Node(to, values) => {
                    Some((*to, substitution(domain, &graph.nodes[*to], values)))
                }
            };
            out[from].push(ways.len());
            let facts = graph.nodes[from].facts.len();
            ways.push(Way { from, conditions: link.conditions[facts..].to_vec(), to });
        }
        let mut subsumption = Subsumption {
            cuts,
            headers,
            depth,
            own,
            ways,
            out,
            known: vec![Vec::new(); count],
            news: 1,
            news_at: vec![1; count],
            looked_at: vec![0; count],
            found: None,
            cyclic: Vec::new(),
            failures: vec![0; count],
            patience: vec![0; count],
            live: Live::default(),
            ended: visit::Queue::default(),
            aside: Vec::new(),
            spent: 0,
            budget: BEGIN,
            figures: SubsumptionFigures { places: count, ..SubsumptionFigures::default() },
            graph,
        };
        let cyclic = (0..count).map(|node| subsumption.reachable(node).contains(&node));
        subsumption.cyclic = cyclic.collect();
        subsumption
    }

    /// The places.
    pub(super) fn cuts(&self) -> &Blocks {
        &self.cuts
    }

    /// The nodes that ways lead to from a node.
    fn reachable(&self, node: usize) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![node]);
        while let Some(node) = open.pop() {
            for way in &self.out[node] {
                if let Some((to, _)) = &self.ways[*way].to
                    && found.insert(*to)
                {
                    open.push(*to);
                }
            }
        }
        found
    }

    /// Looks what may be spent now; what everything has cost.
    fn has_budget(&mut self, domain: &Symbolic) -> u64 {
        let all = cost(domain);
        self.budget = (BEGIN + all.saturating_sub(self.spent)).saturating_sub(self.spent);
        all
    }

    fn arrive(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        branch: &mut Branch,
        path: Path,
    ) -> Outcome<Arrived> {
        self.settle(machine)?;
        machine.domain.path = path;
        let Some((node, values)) = self.node_of(machine, &branch.state)? else {
            return Ok(Arrived::On);
        };
        let path = machine.domain.path.clone();
        let at = Ended { node, values, path, times: 0, before: None };
        if self.covers(machine, &at)? {
            return Ok(Arrived::Subsumed);
        }
        let visit = Visit::new(branch.visit.take(), at, &self.ended);
        let at = visit.at().cloned();
        branch.visit = Some(visit);
        let Some(at) = at else { return Ok(Arrived::On) };
        if at.times <= self.depth || !self.is_turn(node) {
            return Ok(Arrived::On);
        }
        Ok(Arrived::Aside(at))
    }

    /// Whether it is worth trying to say something of all iterations of the loop that is entered at a node, if one is.
    fn is_turn(&mut self, node: usize) -> bool {
        if !self.cyclic[node] || !self.is_header(node) || self.budget == 0 {
            return false;
        }
        let is_turn = self.patience[node] == 0;
        self.patience[node] = self.patience[node].saturating_sub(1);
        is_turn
    }

    /// It was tried in vain.
    fn failed(&mut self, node: usize) {
        let failures = &mut self.failures[node];
        *failures = (*failures + 1).min(MAX_FAILURES);
        self.patience[node] = (1 << *failures) - 2;
    }

    /// Whether a node is where a loop is entered; of other cycles, every place is.
    fn is_header(&self, node: usize) -> bool {
        let Some(frame) = self.graph.nodes[node].state.frames.last() else { return false };
        self.headers.has(frame.function, frame.block)
    }

    /// The node that a state fits, with the values for what the node leaves open.
    fn node_of(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
        state: &State<Symbolic>,
    ) -> Outcome<Option<(usize, Vec<Term>)>> {
        // What is looked at of the standard input and the command line is no part of a node.
        if state.memory.has_addresses() || state.streams.has_looked_beyond(&Streams::default()) {
            return Ok(None);
        }
        let mut frames: Vec<_> = state.calls().cloned().collect();
        frames.reverse();
        let (memory, streams) = (state.memory.clone(), state.streams.clone());
        let mut state = State { frames, below: None, memory, streams };
        let Some(nodes) = self.graph.by_place.get(&place_of(&state)) else { return Ok(None) };
        self.live.clear_others(machine.program, &mut state);
        for node in nodes {
            let mut unknown = Open::default();
            let fit = self.graph.nodes[*node].fit(machine, state.clone(), &mut unknown);
            match fit {
                Ok(Fit::Yes(values)) => return Ok(Some((*node, values))),
                Ok(Fit::Later | Fit::No) => {}
                Err(halt) if matches!(*halt, Halt::Internal(_)) => return Err(halt),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// What is known of a node, in these values: that nothing goes wrong from there.
    fn known_of(&self, domain: &mut Symbolic, node: usize, store: &Substitution) -> Term {
        let known: Vec<Term> = self.known[node]
            .iter()
            .map(|annotation| domain.terms.substitute(*annotation, store))
            .collect();
        domain.terms.or(known)
    }

    /// Whether a path condition implies an annotation of the values that a state has.
    fn covers(&self, machine: &mut Machine<'_, Symbolic>, at: &Ended) -> Outcome<bool> {
        if self.known[at.node].is_empty() {
            return Ok(false);
        }
        let domain = &mut machine.domain;
        let store = substitution(domain, &self.graph.nodes[at.node], &at.values);
        let known = self.known_of(domain, at.node, &store);
        let fails = domain.terms.not(known);
        domain.path = at.path.clone();
        Ok(matches!(domain.feasible(fails)?, Feasible::No))
    }

    /// Adds an annotation of which the rule is known to be kept. Others may rely on it, so it is never refused.
    fn annotate(&mut self, node: usize, annotation: Term) {
        if self.known[node].contains(&annotation) {
            return;
        }
        self.known[node].push(annotation);
        self.figures.made += 1;
        self.has_news(node);
    }

    fn has_news(&mut self, node: usize) {
        self.news += 1;
        self.news_at[node] = self.news;
    }

    /// Those that wait and turn out to be harmless, and one that goes on if that is not all.
    fn wake(
        &mut self,
        machine: &mut Machine<'_, Symbolic>,
    ) -> Outcome<(Vec<Branch>, Option<Branch>)> {
        let mut stopped = Vec::new();
        loop {
            self.settle(machine)?;
            let mut is_news = false;
            let mut number = 0;
            while number < self.aside.len() {
                if machine.domain.limits.interrupt.is_requested() {
                    break;
                }
                let at = self.aside[number].at.clone();
                let is_over = self.covers(machine, &at)?
                    || self.aside[number].tried_at != Some(self.news)
                        && self.induct(machine, &at)?;
                if is_over {
                    self.figures.subsumed += 1;
                    stopped.push(self.aside.remove(number).branch);
                    is_news = true;
                } else {
                    self.aside[number].tried_at = Some(self.news);
                    number += 1;
                }
            }
            if self.aside.is_empty() {
                break;
            }
            // What they were part of may be over now.
            if !is_news && !self.look_elsewhere(machine)? {
                break;
            }
            self.drop_visits(&mut stopped);
        }
        self.drop_visits(&mut stopped);
        self.settle(machine)?;
        if self.aside.is_empty() {
            return Ok((stopped, None));
        }
        let Aside { branch, at, .. } = self.aside.remove(0);
        self.failed(at.node);
        Ok((stopped, Some(branch)))
    }

    /// Looks for invariants of all nodes, if that was not done; whether there is something new.
    fn look_elsewhere(&mut self, machine: &mut Machine<'_, Symbolic>) -> Outcome<bool> {
        let is_over = machine.domain.limits.interrupt.is_requested();
        if self.found.is_some() || is_over || self.budget < 2 * HORN_WORK {
            return Ok(false);
        }
        let domain = &mut machine.domain;
        let relations = crate::invariants::relations(domain, &self.graph, HORN_WORK);
        self.spent += HORN_WORK;
        self.budget = self.budget.saturating_sub(HORN_WORK);
        let relations = relations.map_err(|error| crate::halt::internal(error.to_string()))?;
        let mut found = vec![Vec::new(); self.graph.nodes.len()];
        let is_news = !relations.is_empty();
        for (node, condition) in relations {
            found[node] = conjuncts(domain, condition);
        }
        self.found = Some(found);
        self.news += u64::from(is_news);
        Ok(is_news)
    }

    /// The visits of states that have stopped are over.
    fn drop_visits(&self, stopped: &mut [Branch]) {
        for branch in stopped {
            branch.visit = None;
        }
    }
}

/// What questions have cost, in a measure that does not depend on the clock.
fn cost(domain: &Symbolic) -> u64 {
    domain.work() + domain.query_statistics().queries * QUESTION
}

/// The values of a node's symbols.
fn substitution(
    domain: &Symbolic,
    node: &crate::invariants::Node,
    values: &[Term],
) -> Substitution {
    let mut store = Substitution::default();
    for (argument, value) in node.arguments.iter().zip(values) {
        if let TermNode::Symbol(id) = domain.terms.node(argument.symbol) {
            store.insert(*id, *value);
        }
    }
    store
}

/// Headers of loops, and blocks that several others lead to; and the headers alone, where cycles that are entered at several blocks have as many.
fn cuts_of(program: &Program, loops: &Loops) -> (Blocks, Blocks) {
    let (mut cuts, mut headers) = (Vec::new(), Vec::new());
    for (id, function) in program.functions() {
        let mut ways_in = vec![0_usize; function.blocks.len()];
        for block in &function.blocks {
            for next in block.terminator.kind.successors() {
                ways_in[next.index()] += 1;
            }
        }
        let has_others = !loops.of(id).irreducible.is_empty();
        let mut all = FixedBitSet::with_capacity(function.blocks.len());
        let mut entries = FixedBitSet::with_capacity(function.blocks.len());
        for (number, ways_in) in ways_in.iter().enumerate() {
            let is_header = loops.of(id).headed_by(BlockId(number as u32)).is_some();
            all.set(number, *ways_in > 1 || is_header);
            entries.set(number, is_header || has_others && *ways_in > 1);
        }
        cuts.push(all);
        headers.push(entries);
    }
    (Blocks(cuts), Blocks(headers))
}

/// The conjuncts of a formula.
fn conjuncts(domain: &Symbolic, formula: Term) -> Vec<Term> {
    match domain.terms.node(formula) {
        TermNode::And(parts) => parts.to_vec(),
        TermNode::Bool(true) => Vec::new(),
        _ => vec![formula],
    }
}
