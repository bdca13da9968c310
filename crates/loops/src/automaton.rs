//! The path dependency automaton, and the traces through it.
//!
//! After *Proteus* (Algorithms 1–3), with these differences. An edge says: after so many iterations of one path, another one is next; how many is a term
//! over the values before, wherever the failing literal says it. A trace that comes back to a path has gone once round a cycle: the round is
//! composed to one new path (any sequence of paths is a path), which is accelerated like any other. It need not be proved that rounds are alike: after as many whole rounds as there are,
//! the next one is left in the middle, and *all* ways to leave it are edges. So the traces describe all executions, whatever the rounds are good for;
//! a bad guess costs traces, not correctness.

use crate::accelerate::{Body, Endless, Fixed, Many, More, Runs, accelerate};
use crate::logic::Logic;
use crate::problem::End;
use crate::step::Steps;
use crate::summary::{Case, Divergence, Repeated, Segment};
use loupe_solver::Error;
use loupe_term::{Origin, Sort, Substitution, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A part of a trace.
#[derive(Clone, Debug)]
struct Piece {
    what: What,
    /// How often: over the values before the *edge* that it is in.
    count: Term,
    /// How often, over the values before the piece itself, if that is a function of them.
    function: Option<Term>,
}

#[derive(Clone, Debug)]
enum What {
    Step(usize),
    Round(Rc<Vec<(usize, Term)>>),
}

/// From a path, or a round, to the next path.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pieces: Vec<Piece>,
    /// Symbols that the condition restricts.
    counters: Vec<Term>,
    /// Over the values before; includes the guard of what is next.
    condition: Vec<Term>,
    values: Vec<Term>,
    pub(crate) next: usize,
}

/// What can be repeated.
#[derive(Debug)]
struct Block {
    body: Body,
    runs: Runs,
}

/// Where edges lead to, or why that is not known.
type Edges = Result<Rc<Vec<Edge>>, String>;

#[derive(Debug)]
pub(crate) struct Automaton<'s> {
    steps: &'s Steps,
    blocks: Vec<Option<Rc<Block>>>,
    edges: Vec<Option<Edges>>,
    rounds: BTreeMap<Vec<(usize, Term)>, Option<Rc<RoundEdges>>>,
    entry: Vec<Term>,
    limits: Limits,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cases: usize,
    pub(crate) nodes: usize,
}

#[derive(Debug)]
struct RoundEdges {
    edges: Vec<Edge>,
    endless: Endless,
    parts: Rc<Vec<(usize, Term)>>,
}

/// A state on the way: what was executed, and what is next.
#[derive(Clone, Debug)]
struct Node {
    values: Vec<Term>,
    condition: Vec<Term>,
    counters: Vec<Term>,
    trace: Vec<Piece>,
    next: usize,
}

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    pub(crate) cases: Vec<Case>,
    pub(crate) diverging: Vec<Divergence>,
    /// Why something is missing.
    pub(crate) missing: Vec<String>,
    /// Why it is not known whether the loop ends.
    pub(crate) open_ends: Vec<String>,
    /// Whether a round was composed.
    pub(crate) has_rounds: bool,
}

/// So many rounds may be in one trace.
const MAX_ROUNDS: usize = 4;
/// So often a path may come again in a trace without a round.
const MAX_VISITS: usize = 4;

impl<'s> Automaton<'s> {
    pub(crate) fn new(steps: &'s Steps, entry: Vec<Term>, limits: Limits) -> Self {
        let count = steps.steps.len();
        Automaton {
            steps,
            blocks: (0..count).map(|_| None).collect(),
            edges: (0..count).map(|_| None).collect(),
            rounds: BTreeMap::new(),
            entry,
            limits,
        }
    }

    fn block(&mut self, logic: &mut Logic<'_>, step: usize) -> Result<Rc<Block>, Error> {
        if let Some(block) = &self.blocks[step] {
            return Ok(block.clone());
        }
        let Steps { steps, .. } = self.steps;
        let body = Body { guard: steps[step].guard.clone(), updates: steps[step].updates.clone() };
        let runs = accelerate(logic, self.steps, &body)?;
        let block = Rc::new(Block { body, runs });
        self.blocks[step] = Some(block.clone());
        Ok(block)
    }

    /// Where a path leads to, after one or more iterations.
    fn edges_of(&mut self, logic: &mut Logic<'_>, step: usize) -> Result<Edges, Error> {
        if let Some(edges) = &self.edges[step] {
            return Ok(edges.clone());
        }
        let block = self.block(logic, step)?;
        let edges = self.find_edges(logic, step, &block)?.map(Rc::new);
        self.edges[step] = Some(edges.clone());
        Ok(edges)
    }

    fn find_edges(
        &mut self,
        logic: &mut Logic<'_>,
        step: usize,
        block: &Block,
    ) -> Result<Result<Vec<Edge>, String>, Error> {
        if let More::Period(period) = block.runs.more {
            let count = logic.terms.int(period);
            return Ok(match self.round(logic, vec![(step, count)])? {
                Some(round) => Ok(round.edges.clone()),
                None => Err("a path with a period is not solved".into()),
            });
        }
        let mut edges = Vec::new();
        let others: Vec<usize> = (0..self.steps.steps.len()).filter(|j| *j != step).collect();
        for (i, fixed) in block.runs.fixed.iter().enumerate() {
            let count = logic.terms.int(i + 1);
            let piece = Piece { what: What::Step(step), count, function: Some(count) };
            for next in &others {
                edges.extend(self.leave(logic, &[piece.clone()], &[], fixed, *next)?);
            }
        }
        match &block.runs.more {
            More::Never | More::Period(_) => {}
            More::Many(many) => {
                for next in &others {
                    edges.extend(self.leave_many(logic, What::Step(step), many, *next)?);
                }
            }
            More::Unknown(reason) => return Ok(Err(reason.clone())),
        }
        Ok(Ok(edges))
    }

    /// The edge from some iterations to a path, if it is feasible.
    fn leave(
        &mut self,
        logic: &mut Logic<'_>,
        pieces: &[Piece],
        counters: &[Term],
        run: &Fixed,
        next: usize,
    ) -> Result<Option<Edge>, Error> {
        let store = self.steps.store(&run.values);
        let guard = logic.put_all(&self.steps.steps[next].guard, &store);
        let mut condition = run.condition.clone();
        condition.extend(guard);
        self.edge(
            logic,
            Edge {
                pieces: pieces.to_vec(),
                counters: counters.to_vec(),
                condition,
                values: run.values.clone(),
                next,
            },
        )
    }

    /// An edge, tidied, if it is feasible.
    fn edge(&mut self, logic: &mut Logic<'_>, mut edge: Edge) -> Result<Option<Edge>, Error> {
        let all: Vec<Term> = self.steps.facts.iter().chain(&edge.condition).copied().collect();
        if logic.refuted(&all)? {
            return Ok(None);
        }
        edge.condition = logic.without_redundant(&self.steps.facts, edge.condition)?;
        Ok(Some(edge))
    }

    fn leave_many(
        &mut self,
        logic: &mut Logic<'_>,
        what: What,
        many: &Many,
        next: usize,
    ) -> Result<Option<Edge>, Error> {
        let run = Fixed { condition: many.condition.clone(), values: many.values.clone() };
        let store = self.steps.store(&many.values);
        let guard = logic.put_all(&self.steps.steps[next].guard, &store);
        let all: Vec<Term> =
            self.steps.facts.iter().chain(&run.condition).chain(&guard).copied().collect();
        if logic.refuted(&all)? {
            return Ok(None);
        }
        let Some(count) = many.explicit(logic, &self.steps.facts, &guard)? else {
            let piece = Piece { what, count: many.count, function: None };
            return self.leave(logic, &[piece], &[many.count], &run, next);
        };
        let run = put_count(logic, many, count);
        let piece = Piece { what, count, function: Some(count) };
        self.leave(logic, &[piece], &[], &run, next)
    }

    /// The edges of a round: whole rounds, and then one that is left in the middle. `None` if it cannot be accelerated.
    fn round(
        &mut self,
        logic: &mut Logic<'_>,
        parts: Vec<(usize, Term)>,
    ) -> Result<Option<Rc<RoundEdges>>, Error> {
        if let Some(known) = self.rounds.get(&parts) {
            return Ok(known.clone());
        }
        let found = self.find_round(logic, &parts)?.map(Rc::new);
        self.rounds.insert(parts, found.clone());
        Ok(found)
    }

    fn find_round(
        &mut self,
        logic: &mut Logic<'_>,
        parts: &[(usize, Term)],
    ) -> Result<Option<RoundEdges>, Error> {
        let Some((body, counts)) = self.compose(logic, parts)? else { return Ok(None) };
        let all: Vec<Term> = self.steps.facts.iter().chain(&body.guard).copied().collect();
        if logic.refuted(&all)? {
            return Ok(None);
        }
        let runs = accelerate(logic, self.steps, &body)?;
        if matches!(runs.more, More::Unknown(_) | More::Period(_)) {
            return Ok(None);
        }
        let Some(partial) = self.partial(logic, parts)? else { return Ok(None) };
        let named: Rc<Vec<(usize, Term)>> =
            Rc::new(parts.iter().map(|(step, _)| *step).zip(counts).collect());
        // How the next round is not completed: not begun at all, or left in the middle.
        let mut ways: Vec<Edge> = Vec::new();
        let first = parts[0].0;
        for next in (0..self.steps.steps.len()).filter(|next| *next != first) {
            let condition = self.steps.steps[next].guard.clone();
            ways.push(Edge {
                pieces: Vec::new(),
                counters: Vec::new(),
                condition,
                values: self.steps.symbols.clone(),
                next,
            });
        }
        ways.extend(partial.iter().cloned());
        let mut edges = partial;
        for (i, fixed) in runs.fixed.iter().enumerate() {
            let count = logic.terms.int(i + 1);
            let piece = Piece { what: What::Round(named.clone()), count, function: Some(count) };
            for way in &ways {
                let edge = self.after(logic, &piece, &[], fixed, way)?;
                edges.extend(edge);
            }
        }
        if let More::Many(many) = &runs.more {
            for way in &ways {
                let edge = self.after_many(logic, &named, many, way)?;
                edges.extend(edge);
            }
        }
        Ok(Some(RoundEdges { edges, endless: runs.endless, parts: named }))
    }

    /// One round as a body, and how often each part is executed, over the values at its start.
    fn compose(
        &mut self,
        logic: &mut Logic<'_>,
        parts: &[(usize, Term)],
    ) -> Result<Option<(Body, Vec<Term>)>, Error> {
        let mut guard = Vec::new();
        let mut values = self.steps.symbols.clone();
        let mut counts = Vec::new();
        for (i, (step, count)) in parts.iter().enumerate() {
            let block = self.block(logic, *step)?;
            let Some(run) = block.runs.exactly(logic, self.steps, &block.body, *count) else {
                return Ok(None);
            };
            let store = self.steps.store(&values);
            counts.push(logic.put(*count, &store));
            if i > 0 {
                guard.extend(logic.put_all(&self.steps.steps[*step].guard, &store));
            }
            guard.extend(logic.put_all(&run.condition, &store));
            values = logic.put_all(&run.values, &store);
        }
        let guard = logic.without_redundant(&self.steps.facts, guard)?;
        let known: Vec<Term> = self.steps.facts.iter().chain(&guard).copied().collect();
        let values = logic.simplify(&known, &values);
        Ok(Some((Body { guard, updates: values }, counts)))
    }

    /// The ways to begin a round and leave it in the middle. `None` if they are not known.
    fn partial(
        &mut self,
        logic: &mut Logic<'_>,
        parts: &[(usize, Term)],
    ) -> Result<Option<Vec<Edge>>, Error> {
        let mut result = Vec::new();
        let mut before = Edge {
            pieces: Vec::new(),
            counters: Vec::new(),
            condition: Vec::new(),
            values: self.steps.symbols.clone(),
            next: parts[0].0,
        };
        for (i, (step, count)) in parts.iter().enumerate() {
            let following = parts[(i + 1) % parts.len()].0;
            for edge in self.ways_out(logic, *step, *count)? {
                let Ok(edge) = edge else { return Ok(None) };
                let mut way = self.join(logic, &before, &edge);
                // After as many iterations as the round has, the round goes on, or is complete: neither leaves it in the middle.
                if edge.next == following || i + 1 == parts.len() {
                    let Some(piece) = edge.pieces.first() else { return Ok(None) };
                    let same = logic.terms.eq(piece.count, *count);
                    if logic.terms.as_bool(same) == Some(true) {
                        continue;
                    }
                    let other = logic.terms.not(same);
                    way = self.join(
                        logic,
                        &before,
                        &Edge {
                            condition: [edge.condition.clone(), vec![other]].concat(),
                            ..edge.clone()
                        },
                    );
                }
                let way = self.edge(logic, way)?;
                result.extend(way);
            }
            let block = self.block(logic, *step)?;
            let Some(run) = block.runs.exactly(logic, self.steps, &block.body, *count) else {
                return Ok(None);
            };
            let piece = Piece { what: What::Step(*step), count: *count, function: Some(*count) };
            let next = self.steps.steps[following].guard.clone();
            let store = self.steps.store(&run.values);
            let mut condition = run.condition.clone();
            condition.extend(logic.put_all(&next, &store));
            let edge = Edge {
                pieces: vec![piece],
                counters: Vec::new(),
                condition,
                values: run.values,
                next: following,
            };
            before = self.join(logic, &before, &edge);
        }
        Ok(Some(result))
    }

    /// The edges of a step, or those with fewer iterations than a part of a round that is nothing but the step has.
    fn ways_out(
        &mut self,
        logic: &mut Logic<'_>,
        step: usize,
        count: Term,
    ) -> Result<Vec<Result<Edge, String>>, Error> {
        let block = self.block(logic, step)?;
        if let More::Period(period) = block.runs.more {
            let number = logic.terms.int(period);
            if number != count {
                return Ok(vec![Err("a path with a period within a round".into())]);
            }
            let mut ways = Vec::new();
            for (i, fixed) in block.runs.fixed.iter().enumerate().take(period - 1) {
                let count = logic.terms.int(i + 1);
                let piece = Piece { what: What::Step(step), count, function: Some(count) };
                for next in (0..self.steps.steps.len()).filter(|next| *next != step) {
                    ways.extend(self.leave(logic, &[piece.clone()], &[], fixed, next)?.map(Ok));
                }
            }
            return Ok(ways);
        }
        Ok(match self.edges_of(logic, step)? {
            Ok(edges) => edges.iter().cloned().map(Ok).collect(),
            Err(reason) => vec![Err(reason)],
        })
    }

    /// One edge after another. The counters of the second are renamed.
    fn join(&mut self, logic: &mut Logic<'_>, first: &Edge, then: &Edge) -> Edge {
        let mut store = self.steps.store(&first.values);
        let mut counters = first.counters.clone();
        for counter in &then.counters {
            let fresh = logic.terms.fresh("k", Sort::Int, Origin::default());
            if let Some(symbol) = logic.symbol_of(*counter) {
                store.insert(symbol, fresh);
            }
            counters.push(fresh);
        }
        let mut pieces = first.pieces.clone();
        for piece in &then.pieces {
            pieces.push(Piece {
                what: piece.what.clone(),
                count: logic.put(piece.count, &store),
                function: piece.function,
            });
        }
        let mut condition = first.condition.clone();
        condition.extend(logic.put_all(&then.condition, &store));
        let values = logic.put_all(&then.values, &store);
        Edge { pieces, counters, condition, values, next: then.next }
    }

    /// A fixed number of rounds, and then a way out.
    fn after(
        &mut self,
        logic: &mut Logic<'_>,
        piece: &Piece,
        counters: &[Term],
        run: &Fixed,
        way: &Edge,
    ) -> Result<Option<Edge>, Error> {
        let rounds = Edge {
            pieces: vec![piece.clone()],
            counters: counters.to_vec(),
            condition: run.condition.clone(),
            values: run.values.clone(),
            next: way.next,
        };
        let edge = self.join(logic, &rounds, way);
        self.edge(logic, edge)
    }

    fn after_many(
        &mut self,
        logic: &mut Logic<'_>,
        parts: &Rc<Vec<(usize, Term)>>,
        many: &Many,
        way: &Edge,
    ) -> Result<Option<Edge>, Error> {
        let store = self.steps.store(&many.values);
        let afterwards = logic.put_all(&way.condition, &store);
        let all: Vec<Term> =
            self.steps.facts.iter().chain(&many.condition).chain(&afterwards).copied().collect();
        if logic.refuted(&all)? {
            return Ok(None);
        }
        let what = What::Round(parts.clone());
        match many.explicit(logic, &self.steps.facts, &afterwards)? {
            Some(count) => {
                let run = put_count(logic, many, count);
                let piece = Piece { what, count, function: Some(count) };
                self.after(logic, &piece, &[], &run, way)
            }
            None => {
                let run = Fixed { condition: many.condition.clone(), values: many.values.clone() };
                let piece = Piece { what, count: many.count, function: None };
                self.after(logic, &piece, &[many.count], &run, way)
            }
        }
    }

    /// All traces.
    pub(crate) fn explore(&mut self, logic: &mut Logic<'_>) -> Result<Traces, Error> {
        let mut traces = Traces::default();
        let mut open = Vec::new();
        for next in (0..self.steps.steps.len()).rev() {
            let mut condition = self.entry.clone();
            condition.extend(&self.steps.steps[next].guard);
            let all: Vec<Term> = self.steps.facts.iter().chain(&condition).copied().collect();
            if !logic.refuted(&all)? {
                open.push(Node {
                    values: self.steps.symbols.clone(),
                    condition,
                    counters: Vec::new(),
                    trace: Vec::new(),
                    next,
                });
            }
        }
        let mut nodes = 0;
        while let Some(node) = open.pop() {
            nodes += 1;
            if nodes > self.limits.nodes || traces.cases.len() > self.limits.cases {
                traces.missing.push("the loop has too many traces".into());
                break;
            }
            if logic.questions == 0 {
                traces.missing.push("the summary takes too many questions to the solver".into());
                break;
            }
            if let End::Exit(exit) = self.steps.steps[node.next].end {
                let case = self.case(logic, &node, exit)?;
                traces.cases.push(case);
                continue;
            }
            let children = self.expand(logic, &node, &mut traces)?;
            open.extend(children.into_iter().rev());
            if !traces.missing.is_empty() {
                break;
            }
        }
        Ok(traces)
    }

    fn case(&mut self, logic: &mut Logic<'_>, node: &Node, exit: usize) -> Result<Case, Error> {
        let step = &self.steps.steps[node.next];
        let store = self.steps.store(&node.values);
        let known: Vec<Term> = self.steps.facts.iter().chain(&node.condition).copied().collect();
        let values = logic.put_all(&step.updates, &store);
        let values = logic.simplify(&known, &values);
        let choice = logic.put_all(&step.choice, &store);
        Ok(Case {
            condition: logic.terms.and(node.condition.iter().chain(&choice).copied()),
            counters: node.counters.clone(),
            inputs: step.fresh.clone(),
            values,
            exit,
            trace: self.segments(&node.trace),
            last: step.origin,
        })
    }

    fn segments(&self, trace: &[Piece]) -> Vec<Segment> {
        let origin = |step: usize| Repeated::Path(self.steps.steps[step].origin);
        trace
            .iter()
            .map(|piece| Segment {
                what: match &piece.what {
                    What::Step(step) => origin(*step),
                    What::Round(parts) => Repeated::Round(
                        parts
                            .iter()
                            .map(|(step, count)| Segment { what: origin(*step), count: *count })
                            .collect(),
                    ),
                },
                count: piece.count,
            })
            .collect()
    }

    /// What comes after a node.
    fn expand(
        &mut self,
        logic: &mut Logic<'_>,
        node: &Node,
        traces: &mut Traces,
    ) -> Result<Vec<Node>, Error> {
        let round = self.round_at(logic, node)?;
        let (edges, endless, forever) = match round {
            Some(round) => {
                traces.has_rounds = true;
                let forever = self.segments(&[Piece {
                    what: What::Round(round.parts.clone()),
                    count: self
                        .steps
                        .symbols
                        .first()
                        .copied()
                        .unwrap_or_else(|| logic.terms.int(0)),
                    function: None,
                }]);
                (round.edges.clone(), round.endless.clone(), forever)
            }
            None => {
                let edges = match self.edges_of(logic, node.next)? {
                    Ok(edges) => edges,
                    Err(reason) => {
                        traces.missing.push(reason);
                        return Ok(Vec::new());
                    }
                };
                let visits = node
                    .trace
                    .iter()
                    .filter(|p| matches!(p.what, What::Step(s) if s == node.next))
                    .count();
                if visits > MAX_VISITS {
                    traces
                        .missing
                        .push("the paths of the loop take turns without a pattern".into());
                    return Ok(Vec::new());
                }
                let endless = self.endless(logic, node.next)?;
                let forever = self.segments(&[Piece {
                    what: What::Step(node.next),
                    count: logic.terms.int(1),
                    function: None,
                }]);
                (edges.to_vec(), endless, forever)
            }
        };
        self.note_endless(logic, node, endless, forever, traces)?;
        let mut children = Vec::new();
        for edge in &edges {
            let before = Edge {
                pieces: node.trace.clone(),
                counters: node.counters.clone(),
                condition: node.condition.clone(),
                values: node.values.clone(),
                next: node.next,
            };
            let joined = self.join(logic, &before, edge);
            let all: Vec<Term> =
                self.steps.facts.iter().chain(&joined.condition).copied().collect();
            if logic.refuted(&all)? {
                continue;
            }
            let condition = logic.without_redundant(&self.steps.facts, joined.condition)?;
            let known: Vec<Term> = self.steps.facts.iter().chain(&condition).copied().collect();
            let values = logic.simplify(&known, &joined.values);
            children.push(Node {
                values,
                condition,
                counters: joined.counters,
                trace: joined.pieces,
                next: joined.next,
            });
        }
        Ok(children)
    }

    /// Whether a path can be repeated for ever.
    fn endless(&mut self, logic: &mut Logic<'_>, step: usize) -> Result<Endless, Error> {
        let block = self.block(logic, step)?;
        if let More::Period(period) = block.runs.more {
            let count = logic.terms.int(period);
            let round = self.round(logic, vec![(step, count)])?;
            return Ok(round.map_or(Endless::Unknown, |round| round.endless.clone()));
        }
        Ok(block.runs.endless.clone())
    }

    /// What is repeated for ever from a node.
    fn note_endless(
        &mut self,
        logic: &mut Logic<'_>,
        node: &Node,
        endless: Endless,
        mut forever: Vec<Segment>,
        traces: &mut Traces,
    ) -> Result<(), Error> {
        // Whoever is chosen by an input need not be chosen for ever.
        match endless {
            Endless::Never => {}
            Endless::Unknown => {
                traces.open_ends.push("whether a path goes on for ever is not known".into())
            }
            Endless::If(recurrent) => {
                let store = self.steps.store(&node.values);
                let mut condition = node.condition.clone();
                condition.extend(logic.put_all(&recurrent, &store));
                let all: Vec<Term> = self.steps.facts.iter().chain(&condition).copied().collect();
                if logic.refuted(&all)? {
                    return Ok(());
                }
                let condition = logic.without_redundant(&self.steps.facts, condition)?;
                let Some(forever) = forever.pop() else { return Ok(()) };
                traces.diverging.push(Divergence {
                    condition: logic.terms.and(condition),
                    counters: node.counters.clone(),
                    trace: self.segments(&node.trace),
                    forever: forever.what,
                });
            }
        }
        Ok(())
    }

    /// The round that begins at a node that has come back to a path.
    fn round_at(
        &mut self,
        logic: &mut Logic<'_>,
        node: &Node,
    ) -> Result<Option<Rc<RoundEdges>>, Error> {
        let rounds = node.trace.iter().filter(|piece| matches!(piece.what, What::Round(_))).count();
        if rounds >= MAX_ROUNDS {
            return Ok(None);
        }
        let since = node
            .trace
            .iter()
            .rposition(|piece| matches!(piece.what, What::Round(_)))
            .map_or(0, |at| at + 1);
        let recent = &node.trace[since..];
        let again = recent
            .iter()
            .rposition(|piece| matches!(piece.what, What::Step(step) if step == node.next));
        let Some(begin) = again else { return Ok(None) };
        let mut parts = Vec::new();
        for piece in &recent[begin..] {
            let (What::Step(step), Some(function)) = (&piece.what, piece.function) else {
                return Ok(None);
            };
            parts.push((*step, function));
        }
        if let Some(steady) = self.steady(logic, &parts)?
            && let Some(round) = self.round(logic, steady)?
        {
            return Ok(Some(round));
        }
        self.round(logic, parts)
    }

    /// The counts that a round has from its second time on, where these are constants.
    fn steady(
        &mut self,
        logic: &mut Logic<'_>,
        parts: &[(usize, Term)],
    ) -> Result<Option<Vec<(usize, Term)>>, Error> {
        let twice: Vec<(usize, Term)> = parts.iter().chain(parts).copied().collect();
        let Some((body, counts)) = self.compose(logic, &twice)? else { return Ok(None) };
        let known: Vec<Term> = self.steps.facts.iter().chain(&body.guard).copied().collect();
        let second = logic.simplify(&known, &counts[parts.len()..]);
        let steady: Vec<(usize, Term)> = parts
            .iter()
            .zip(second)
            .map(|((step, function), count)| match logic.terms.as_int(count) {
                Some(_) => (*step, count),
                None => (*step, *function),
            })
            .collect();
        Ok((steady != parts).then_some(steady))
    }
}

fn put_count(logic: &mut Logic<'_>, many: &Many, count: Term) -> Fixed {
    let store: Substitution =
        logic.symbol_of(many.count).map(|symbol| (symbol, count)).into_iter().collect();
    Fixed {
        condition: logic.put_all(&many.condition, &store),
        values: logic.put_all(&many.values, &store),
    }
}
