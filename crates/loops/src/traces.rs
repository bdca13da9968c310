//! Traces through the automaton, from the entry to the exits.

use crate::Rest;
use crate::accelerate::{Endless, More};
use crate::automaton::{Automaton, Edge, Piece, RoundEdges, What};
use crate::logic::Logic;
use crate::merge;
use crate::modular;
use crate::problem::End;
use crate::summary::{Case, Divergence, Repeated, Segment};
use loupe_solver::Error;
use loupe_term::Term;
use std::rc::Rc;

/// A state on the way: what was executed, and what is next.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) values: Vec<Term>,
    condition: Vec<Term>,
    counters: Vec<Term>,
    pub(crate) trace: Vec<Piece>,
    pub(crate) next: usize,
}

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    pub(crate) cases: Vec<(Node, Case)>,
    pub(crate) diverging: Vec<(Node, Divergence)>,
    /// Why something is missing.
    pub(crate) missing: Vec<String>,
    /// A path and a literal that stands in the way.
    pub(crate) literal: Option<(usize, Term)>,
    /// Why it is not known whether the loop ends.
    pub(crate) open_ends: Vec<String>,
    /// Whether a round was composed.
    pub(crate) has_rounds: bool,
}

/// So many rounds may be in one trace.
const MAX_ROUNDS: usize = 4;
/// So many traces may become one case.
const MERGED: usize = 2;
const TOO_MANY: &str = "the loop has too many traces";
/// So many paths may be in a round that is looked for ahead.
const MAX_AHEAD: usize = 16;
/// So often a path may come again in a trace without a round.
const MAX_VISITS: usize = 4;

impl Automaton<'_> {
    /// All traces; where one is not known, no others, or those that are.
    pub(crate) fn explore(&mut self, logic: &mut Logic<'_>, rest: Rest) -> Result<Traces, Error> {
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
        // Where some is enough, what leaves comes first.
        let is_exit = |node: &Node| self.steps.steps[node.next].end != End::Again;
        if rest == Rest::Kept {
            open.sort_by_key(is_exit);
        }
        while let Some(node) = open.pop() {
            nodes += 1;
            if nodes > self.limits.nodes || traces.cases.len() > MERGED * self.limits.cases {
                traces.missing.push(TOO_MANY.into());
                break;
            }
            if logic.is_exhausted() {
                traces.missing.push("the summary takes too many questions to the solver".into());
                break;
            }
            if let End::Exit(exit) = self.steps.steps[node.next].end {
                let case = self.case(logic, &node, exit)?;
                traces.cases.push((node, case));
                continue;
            }
            let children = self.expand(logic, &node, &mut traces)?;
            open.extend(children.into_iter().rev());
            if !traces.missing.is_empty() && rest == Rest::Dropped {
                break;
            }
        }
        if traces.missing.is_empty() && traces.cases.len() > self.limits.cases {
            let cases = traces.cases.iter().map(|(_, case)| case.clone()).collect();
            if merge::merged(logic, &self.steps.facts, cases).len() > self.limits.cases {
                traces.missing.push(TOO_MANY.into());
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
        let condition = logic.terms.and(node.condition.iter().chain(&choice).copied());
        Ok(Case {
            condition: modular::plain(logic, &self.steps.facts, condition),
            counters: node.counters.clone(),
            inputs: step.fresh.clone(),
            values,
            before: node.values.clone(),
            exit,
            trace: self.segments(&node.trace),
            last: step.origin,
            draws: Vec::new(),
            streams: Vec::new(),
            taken: Vec::new(),
        })
    }

    fn segments(&self, trace: &[Piece]) -> Vec<Segment> {
        let origin = |step: usize| Repeated::Path(self.steps.steps[step].origin);
        trace
            .iter()
            .map(|piece| {
                let what = match &piece.what {
                    What::Step { step, .. } => origin(*step),
                    What::Round(round) => {
                        let parts = round.parts.iter().zip(&round.counts);
                        let parts =
                            parts.map(|((step, _), count)| Segment::new(origin(*step), *count));
                        Repeated::Round(parts.collect())
                    }
                };
                Segment::new(what, piece.count)
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
        let is_full = rounds_in(&node.trace) >= MAX_ROUNDS;
        let round = match is_full {
            true => None,
            false => match self.round_ahead(logic, node)? {
                Some(round) => Some(round),
                None => self.round_at(logic, node)?,
            },
        };
        let (edges, endless, forever) = match round {
            Some(round) => {
                traces.has_rounds = true;
                let forever = self.segments(&[Piece {
                    what: What::Round(round.round.clone()),
                    count: self
                        .steps
                        .symbols
                        .first()
                        .copied()
                        .unwrap_or_else(|| logic.terms.int(0)),
                    function: None,
                }]);
                (round.edges.clone(), round.round.block.runs.endless.clone(), forever)
            }
            None => {
                let edges = match self.edges_of(logic, node.next)? {
                    Ok(edges) => edges,
                    Err(obstacle) => {
                        traces.missing.push(obstacle.reason);
                        traces.literal = obstacle.literal;
                        return Ok(Vec::new());
                    }
                };
                let visits = node
                    .trace
                    .iter()
                    .filter(|p| matches!(p.what, What::Step { step, .. } if step == node.next))
                    .count();
                if visits > MAX_VISITS {
                    traces
                        .missing
                        .push("the paths of the loop take turns without a pattern".into());
                    return Ok(Vec::new());
                }
                let endless = self.endless(logic, node.next)?;
                let block = self.block(logic, node.next)?;
                let forever = self.segments(&[Piece {
                    what: What::Step { step: node.next, block },
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
            return Ok(round
                .map_or(Endless::Unknown(None), |edges| edges.round.block.runs.endless.clone()));
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
            Endless::Unknown(literal) => {
                let reason = "whether a path goes on for ever is not known";
                traces.open_ends.push(reason.into());
                let is_chosen = self.steps.steps.iter().any(|step| !step.choice.is_empty());
                if let (Some(literal), false) = (literal, is_chosen) {
                    traces.missing.push(reason.into());
                    traces.literal = Some((node.next, literal));
                }
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
                let divergence = Divergence {
                    condition: logic.terms.and(condition),
                    counters: node.counters.clone(),
                    trace: self.segments(&node.trace),
                    forever: forever.what,
                };
                traces.diverging.push((node.clone(), divergence));
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
        let since = node
            .trace
            .iter()
            .rposition(|piece| matches!(piece.what, What::Round(_)))
            .map_or(0, |at| at + 1);
        let recent = &node.trace[since..];
        let again = recent
            .iter()
            .rposition(|piece| matches!(piece.what, What::Step { step, .. } if step == node.next));
        let Some(begin) = again else { return Ok(None) };
        let mut parts = Vec::new();
        for piece in &recent[begin..] {
            let (What::Step { step, .. }, Some(function)) = (&piece.what, piece.function) else {
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

    /// The round that must come: each path leads, after a fixed number of iterations, to no other path than the next, and the last to the first. It is known before
    /// it was gone, so the ways out of the first time round are not other cases than those of the later ones.
    fn round_ahead(
        &mut self,
        logic: &mut Logic<'_>,
        node: &Node,
    ) -> Result<Option<Rc<RoundEdges>>, Error> {
        let mut parts: Vec<(usize, Term)> = Vec::new();
        let mut step = node.next;
        while parts.len() < MAX_AHEAD {
            let Ok(edges) = self.edges_of(logic, step)? else { return Ok(None) };
            if !matches!(self.endless(logic, step)?, Endless::Never) {
                return Ok(None);
            }
            let goes_on = |edge: &&Edge| self.steps.steps[edge.next].end == End::Again;
            let mut ways = edges.iter().filter(goes_on);
            let (Some(edge), None) = (ways.next(), ways.next()) else { return Ok(None) };
            let [Piece { function: Some(count), what: What::Step { .. }, .. }] = edge.pieces[..]
            else {
                return Ok(None);
            };
            if logic.terms.as_int(count).is_none() {
                return Ok(None);
            }
            parts.push((step, count));
            step = edge.next;
            if step == node.next {
                return self.round(logic, parts);
            }
            if parts.iter().any(|(other, _)| *other == step) {
                return Ok(None);
            }
        }
        Ok(None)
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

fn rounds_in(trace: &[Piece]) -> usize {
    trace.iter().filter(|piece| matches!(piece.what, What::Round(_))).count()
}
