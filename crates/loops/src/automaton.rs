//! The path dependency automaton, and the traces through it.
//!
//! After *Proteus* (Algorithms 1–3), with these differences. An edge says: after so many iterations of one path, another one is next; how many is a term
//! over the values before, wherever the failing literal says it. A trace that comes back to a path has gone once round a cycle: the round is
//! composed to one new path (any sequence of paths is a path), which is accelerated like any other. It need not be proved that rounds are alike: after as many whole rounds as there are,
//! the next one is left in the middle, and *all* ways to leave it are edges. So the traces describe all executions, whatever the rounds are good for;
//! a bad guess costs traces, not correctness.

use crate::accelerate::{Body, Fixed, Many, More, Runs, accelerate};
use crate::logic::Logic;
use crate::step::Steps;
use loupe_solver::Error;
use loupe_term::{Origin, Sort, Substitution, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A part of a trace.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) what: What,
    /// How often: over the values before the *edge* that it is in.
    pub(crate) count: Term,
    /// How often, over the values before the piece itself, if that is a function of them.
    pub(crate) function: Option<Term>,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Step { step: usize, block: Rc<Block> },
    Round(Rc<Round>),
}

/// Paths one after the other, as one path.
#[derive(Debug)]
pub(crate) struct Round {
    /// The paths and how often each is taken, over the values before it.
    pub(crate) parts: Vec<(usize, Term)>,
    /// How often each is taken, over the values before the round.
    pub(crate) counts: Vec<Term>,
    pub(crate) block: Block,
    blocks: Vec<Rc<Block>>,
}

impl Round {
    /// Its parts, with counts over the values before the round.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let parts = self.parts.iter().zip(&self.counts).zip(&self.blocks);
        parts
            .map(|(((step, function), count), block)| Piece {
                what: What::Step { step: *step, block: block.clone() },
                count: *count,
                function: Some(*function),
            })
            .collect()
    }
}

/// From a path, or a round, to the next path.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) pieces: Vec<Piece>,
    /// Symbols that the condition restricts.
    pub(crate) counters: Vec<Term>,
    /// Over the values before; includes the guard of what is next.
    pub(crate) condition: Vec<Term>,
    pub(crate) values: Vec<Term>,
    pub(crate) next: usize,
}

/// What can be repeated.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) body: Body,
    pub(crate) runs: Runs,
}

/// Where edges lead to, or why that is not known.
pub(crate) type Edges = Result<Rc<Vec<Edge>>, Obstacle>;

/// Why a path is not accelerated.
#[derive(Clone, Debug)]
pub(crate) struct Obstacle {
    pub(crate) reason: String,
    /// The path and the literal of its guard of which it is not known whether it holds in all iterations.
    pub(crate) literal: Option<(usize, Term)>,
}

impl From<&str> for Obstacle {
    fn from(reason: &str) -> Self {
        Obstacle { reason: reason.into(), literal: None }
    }
}

#[derive(Debug)]
pub(crate) struct Automaton<'s> {
    pub(crate) steps: &'s Steps,
    blocks: Vec<Option<Rc<Block>>>,
    edges: Vec<Option<Edges>>,
    rounds: BTreeMap<Vec<(usize, Term)>, Option<Rc<RoundEdges>>>,
    pub(crate) entry: Vec<Term>,
    pub(crate) limits: Limits,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cases: usize,
    pub(crate) nodes: usize,
}

#[derive(Debug)]
pub(crate) struct RoundEdges {
    pub(crate) edges: Vec<Edge>,
    pub(crate) round: Rc<Round>,
}

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

    pub(crate) fn block(&mut self, logic: &mut Logic<'_>, step: usize) -> Result<Rc<Block>, Error> {
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
    pub(crate) fn edges_of(&mut self, logic: &mut Logic<'_>, step: usize) -> Result<Edges, Error> {
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
        block: &Rc<Block>,
    ) -> Result<Result<Vec<Edge>, Obstacle>, Error> {
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
            let piece = Piece {
                what: What::Step { step, block: block.clone() },
                count,
                function: Some(count),
            };
            for next in &others {
                edges.extend(self.leave(logic, std::slice::from_ref(&piece), &[], fixed, *next)?);
            }
        }
        match &block.runs.more {
            More::Never | More::Period(_) => {}
            More::Many(many) => {
                for next in &others {
                    edges.extend(self.leave_many(
                        logic,
                        What::Step { step, block: block.clone() },
                        many,
                        *next,
                    )?);
                }
            }
            More::Unknown(reason, literal) => {
                let literal = literal.map(|literal| (step, literal));
                return Ok(Err(Obstacle { reason: reason.clone(), literal }));
            }
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
    pub(crate) fn round(
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
        if matches!(runs.more, More::Unknown(..) | More::Period(_)) {
            return Ok(None);
        }
        let Some(partial) = self.partial(logic, parts)? else { return Ok(None) };
        let block = Block { body, runs };
        let mut blocks = Vec::new();
        for (step, _) in parts {
            blocks.push(self.block(logic, *step)?);
        }
        let round = Rc::new(Round { parts: parts.to_vec(), counts, block, blocks });
        let runs = &round.block.runs;
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
            let piece = Piece { what: What::Round(round.clone()), count, function: Some(count) };
            for way in &ways {
                let edge = self.after(logic, &piece, &[], fixed, way)?;
                edges.extend(edge);
            }
        }
        if let More::Many(many) = &runs.more {
            for way in &ways {
                let edge = self.after_many(logic, &round, many, way)?;
                edges.extend(edge);
            }
        }
        Ok(Some(RoundEdges { edges, round }))
    }

    /// One round as a body, and how often each part is executed, over the values at its start.
    pub(crate) fn compose(
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
        let mut values = logic.simplify(&known, &values);
        // A value that is what it was: then the closed form holds from the start.
        for (value, symbol) in values.iter_mut().zip(&self.steps.symbols) {
            if logic.terms.as_int(*value).is_some()
                && logic.simplify(&known, &[*symbol]) == [*value]
            {
                *value = *symbol;
            }
        }
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
            let piece = Piece {
                what: What::Step { step: *step, block: block.clone() },
                count: *count,
                function: Some(*count),
            };
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
    ) -> Result<Vec<Result<Edge, Obstacle>>, Error> {
        let block = self.block(logic, step)?;
        if let More::Period(period) = block.runs.more {
            let number = logic.terms.int(period);
            if number != count {
                return Ok(vec![Err("a path with a period within a round".into())]);
            }
            let mut ways = Vec::new();
            for (i, fixed) in block.runs.fixed.iter().enumerate().take(period - 1) {
                let count = logic.terms.int(i + 1);
                let piece = Piece {
                    what: What::Step { step, block: block.clone() },
                    count,
                    function: Some(count),
                };
                for next in (0..self.steps.steps.len()).filter(|next| *next != step) {
                    ways.extend(
                        self.leave(logic, std::slice::from_ref(&piece), &[], fixed, next)?.map(Ok),
                    );
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
    pub(crate) fn join(&mut self, logic: &mut Logic<'_>, first: &Edge, then: &Edge) -> Edge {
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
        round: &Rc<Round>,
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
        let what = What::Round(round.clone());
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
}

fn put_count(logic: &mut Logic<'_>, many: &Many, count: Term) -> Fixed {
    let store: Substitution =
        logic.symbol_of(many.count).map(|symbol| (symbol, count)).into_iter().collect();
    Fixed {
        condition: logic.put_all(&many.condition, &store),
        values: logic.put_all(&many.values, &store),
    }
}
