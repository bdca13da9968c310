//! What came of subsumption, for people.

use super::Subsumption;
use crate::domain::Symbolic;
use loupe_engine::semantics::Machine;
use loupe_ir::program::{BlockId, FunctionId, Program};
use loupe_ir::source::Span;
use loupe_term::{Names, Node as TermNode, SymbolId};
use std::collections::BTreeMap;
use std::time::Duration;

/// What became of states that are like others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubsumptionFigures {
    /// Places with a generic state.
    pub places: usize,
    /// States that stopped.
    pub subsumed: u64,
    /// Annotations that were made, backwards or by induction.
    pub made: u64,
    /// How often it was tried to say something of all iterations of a loop.
    pub tried: u64,
    /// How often that was kept.
    pub kept: u64,
    /// How long all of it took.
    pub time: Duration,
    /// Why there is none, if somebody wanted it.
    pub why_not: Option<String>,
    /// What is known in the end, in the order of the places.
    pub annotations: Vec<Annotation>,
}

/// What was found out about a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Annotation {
    /// Where.
    pub span: Span,
    /// In this function.
    pub function: FunctionId,
    /// If it holds there, nothing goes wrong: in the variables of the program.
    pub text: String,
}

impl SubsumptionFigures {
    /// Adds what another part of the exploration has found.
    pub(in crate::explore) fn add(&mut self, other: SubsumptionFigures) {
        self.places = self.places.max(other.places);
        self.subsumed += other.subsumed;
        self.made += other.made;
        self.tried += other.tried;
        self.kept += other.kept;
        self.time += other.time;
        self.why_not = self.why_not.take().or(other.why_not);
        self.annotations.extend(other.annotations);
        self.annotations.sort();
        self.annotations.dedup();
    }
}

impl Subsumption {
    /// What is known of the places of users' code, in words.
    pub(super) fn in_words(&self, machine: &Machine<'_, Symbolic>) -> Vec<Annotation> {
        let (program, terms) = (machine.program, &machine.domain.terms);
        let mut all = Vec::new();
        for (node, known) in self.graph.nodes.iter().zip(&self.known) {
            let Some(frame) = node.state.frames.last() else { continue };
            let span = span_of(program, (frame.function, frame.block));
            let mut given: BTreeMap<SymbolId, String> = BTreeMap::new();
            for argument in &node.arguments {
                if let TermNode::Symbol(id) = terms.node(argument.symbol) {
                    given.insert(*id, argument.name.clone());
                }
            }
            for annotation in known {
                let names = Names::with(terms, [*annotation], &given);
                let text = terms.display(*annotation, &names).to_string();
                all.push(Annotation { span, function: frame.function, text });
            }
        }
        all.sort();
        all.dedup();
        all
    }
}

/// Where a block begins.
fn span_of(program: &Program, (function, block): (FunctionId, BlockId)) -> Span {
    let block = program.function(function).block(block);
    let first = block.instructions.first();
    first.map_or(block.terminator.span, |first| first.span)
}
