//! Loops that walk along a data structure: linked lists and texts that end with a zero.
//!
//! What Proteus does about conditions of this kind (Xie et al., 2016, section 4.2): a loop that goes on while
//! `p != NULL` and whose only change of `p` is `p = p->f` iterates as often as the list has nodes; one
//! that goes on while `*p != 0` and advances `p` by one, or an index into something fixed, as often as the
//! text has characters before its end. That is a pattern on the flowgraph, and it is no proof: what must be
//! assumed for it, that the list has an end and the loop does not change it, is part of the answer.
//!
//! The *cursor*, the pointer or index that moves, must be a register: where pointers can change it, it is
//! not recognised. Neither are doubly indirect walks (`struct node **p`), trees, and strides other than one.

#[cfg(test)]
mod tests;
mod values;

use super::dominators::Dominators;
use super::graph::FlowGraph;
use super::location::{Location, Step, steps};
use super::loops::{LoopForest, LoopId};
use super::slice::{Slicer, Variable};
use super::use_def::UseDef;
use super::uses::{Access, Hops, visit_accesses};
use crate::program::{
    Base, BinaryOp, BlockId, CompareOp, Const, Function, FunctionId, LocalId, Operand, Place,
    Program, Projection, Rvalue, Symbol, TerminatorKind,
};
use crate::source::Span;
use crate::types::{IntType, TypeId};
use crate::validate::{Violation, place_type};
use loupe_integer::Integer;
use values::{Moment, Values};

/// A step from one node of a list to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// A field of a struct, by its number.
    Field(u32),
    /// A field of a dynamic record.
    Named(Symbol),
}

/// What is walked along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// A linked list: the cursor points to a node, and these fields, one in the other, lead to the next.
    List(Vec<Link>),
    /// A text that the cursor points into.
    Text,
    /// A text that starts at this pointer or array, with the cursor as an index.
    IndexedText(Variable),
}

/// Which element is looked at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The one where the cursor is when the loop is entered.
    AtCursor,
    /// The one behind it: the cursor moves before it is tested.
    BehindCursor,
}

/// What the number of elements from the first on is for the number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The same: there is no other exit.
    Exact,
    /// At least as large: there are other exits.
    AtMost,
}

/// What must hold for the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Nobody gets back to a node of the list by following it.
    Acyclic,
    /// The text ends with a zero.
    Terminated,
    /// The loop does not change the links of the list, or the text.
    Unchanged,
    /// The index does not wrap around.
    NoWrap,
}

/// A loop that walks along a data structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// The loop.
    pub loop_id: LoopId,
    /// What is walked along.
    pub structure: Structure,
    /// What moves.
    pub cursor: LocalId,
    /// Which element comes first.
    pub first: First,
    /// What the number of elements says of that of iterations.
    pub bound: Bound,
    /// What must be assumed.
    pub assumptions: Vec<Assumption>,
    /// The steps that might break [`Assumption::Unchanged`].
    pub writes: Vec<(Location, Span)>,
    /// The test.
    pub test: Span,
    /// The step to the next element.
    pub advance: Span,
}

impl Traversal {
    /// The number of elements as a user would write it: `size(p)`, `strlen(s + i)`.
    pub fn measure(&self, program: &Program, function: &Function) -> String {
        let unnamed = || "?".to_owned();
        let local = |id: LocalId| function.local(id).name.clone().unwrap_or_else(unnamed);
        let cursor = local(self.cursor);
        let behind = self.first == First::BehindCursor;
        match &self.structure {
            Structure::List(_) if behind => format!("size({cursor}) - 1"),
            Structure::List(_) => format!("size({cursor})"),
            Structure::Text if behind => format!("strlen({cursor} + 1)"),
            Structure::Text => format!("strlen({cursor})"),
            Structure::IndexedText(start) => {
                let start = match start {
                    Variable::Local(id) => local(*id),
                    Variable::Global(id) => {
                        program.globals.get(id.index()).map_or_else(unnamed, |g| g.name.clone())
                    }
                };
                let more = if behind { " + 1" } else { "" };
                format!("strlen({start} + {cursor}{more})")
            }
        }
    }
}

/// The traversals among the loops of a function, at most one for each, in their order.
pub fn traversals(slicer: &Slicer<'_>, function: FunctionId) -> Vec<Traversal> {
    let Some(body) = slicer.program().functions.get(function.index()) else { return Vec::new() };
    let graph = FlowGraph::new(body);
    let dominators = Dominators::new(&graph);
    let forest = LoopForest::new(&graph, &dominators);
    if forest.loops.is_empty() {
        return Vec::new();
    }
    let chains = UseDef::new(body, &graph);
    let find = |(id, _)| {
        let values = Values::new(&slicer.program().types, body, &chains, &forest, id);
        let search =
            Search { slicer, function: body, dominators: &dominators, forest: &forest, id, values };
        search.find()
    };
    forest.iter().filter_map(find).collect()
}

/// A search in one loop.
struct Search<'a> {
    slicer: &'a Slicer<'a>,
    function: &'a Function,
    dominators: &'a Dominators,
    forest: &'a LoopForest,
    id: LoopId,
    values: Values<'a>,
}

/// What a test looks at.
struct Tested {
    structure: Structure,
    cursor: LocalId,
    moment: Moment,
    /// Where the elements of a text are read from by name.
    place: Option<Place>,
    /// The size of an element of a text.
    size: Option<u64>,
}

impl Search<'_> {
    fn find(&self) -> Option<Traversal> {
        let this = self.forest.get(self.id);
        let traversal = this.exits.iter().find_map(|edge| self.at_exit(edge.from, edge.to))?;
        let bound = if this.exits.len() == 1 { Bound::Exact } else { Bound::AtMost };
        Some(Traversal { bound, ..traversal })
    }

    /// Whether a block is executed exactly once in every iteration.
    fn is_in_every_iteration(&self, block: BlockId) -> bool {
        let latches = &self.forest.get(self.id).latches;
        self.forest.innermost(block) == Some(self.id)
            && latches.iter().all(|latch| self.dominators.dominates(block, *latch))
    }

    fn at_exit(&self, from: BlockId, to: BlockId) -> Option<Traversal> {
        let end = &self.function.block(from).terminator;
        let TerminatorKind::Branch { condition, then, otherwise } = &end.kind else { return None };
        if !self.is_in_every_iteration(from) || then == otherwise {
            return None;
        }
        let at = Location::terminator(self.function, from);
        let (compare, at) = self.values.comparison(condition, at)?;
        // The loop must go on where the value differs from zero.
        let goes_on_if = if *otherwise == to { CompareOp::Ne } else { CompareOp::Eq };
        if compare.operator != goes_on_if {
            return None;
        }
        let tested = match compare.zero {
            Const::Null => self.list(&compare.value, at)?,
            _ => self.text(&compare.value, at)?,
        };
        let step = self.values.only_definition(tested.cursor)?;
        if !self.is_in_every_iteration(step.block) {
            return None;
        }
        let structure = match tested.structure {
            Structure::List(_) => Structure::List(self.links(tested.cursor, step)?),
            Structure::Text => {
                self.moves_pointer(tested.cursor, step, tested.size).then_some(Structure::Text)?
            }
            indexed => self.counts(tested.cursor, step).then_some(indexed)?,
        };
        Some(Traversal {
            loop_id: self.id,
            assumptions: self.assumptions(&structure, tested.cursor),
            writes: self.writes(tested.place.as_ref()),
            structure,
            cursor: tested.cursor,
            first: match tested.moment {
                Moment::BeforeStep => First::AtCursor,
                Moment::AfterStep => First::BehindCursor,
            },
            bound: Bound::AtMost,
            test: end.span,
            advance: Step::at(self.function, step)?.span(),
        })
    }

    fn assumptions(&self, structure: &Structure, cursor: LocalId) -> Vec<Assumption> {
        let types = &self.slicer.program().types;
        match structure {
            Structure::List(_) => vec![Assumption::Acyclic, Assumption::Unchanged],
            Structure::Text => vec![Assumption::Terminated, Assumption::Unchanged],
            Structure::IndexedText(_) => {
                let mut all = vec![Assumption::Terminated, Assumption::Unchanged];
                if types.as_int(self.function.local(cursor).ty) != Some(IntType::Unbounded) {
                    all.push(Assumption::NoWrap);
                }
                all
            }
        }
    }

    /// A pointer that is compared with null.
    fn list(&self, value: &Operand, at: Location) -> Option<Tested> {
        let (cursor, at) = self.values.origin(value, at)?;
        let moment = self.values.moment(cursor, at)?;
        Some(Tested {
            structure: Structure::List(Vec::new()),
            cursor,
            moment,
            place: None,
            size: None,
        })
    }

    /// An element that is compared with zero.
    fn text(&self, value: &Operand, at: Location) -> Option<Tested> {
        let (place, at) = self.values.load(value, at)?;
        let base = match place.base {
            Base::Local(local) => Operand::Local(local),
            Base::Global(_) => return self.element(place, at),
        };
        if place.projections != [Projection::Deref] {
            return self.element(place, at);
        }
        // `*p`, or `*(s + i)`.
        let size = self.place_size(place).ok();
        if let Some((Rvalue::Offset { pointer, index, element }, inner)) =
            self.values.definition(&base, at)
            && let Some((start, _)) = self.values.fixed(pointer, inner)
            && self.size(*element) == size
        {
            let (cursor, at) = self.values.origin(index, inner)?;
            let moment = self.values.moment(cursor, at)?;
            let structure = Structure::IndexedText(Variable::Local(start));
            return Some(Tested { structure, cursor, moment, place: None, size });
        }
        let (cursor, at) = self.values.origin(&base, at)?;
        let moment = self.values.moment(cursor, at)?;
        Some(Tested { structure: Structure::Text, cursor, moment, place: None, size })
    }

    /// An element of an array that has a name, or is pointed to: `a[i]`.
    fn element(&self, place: &Place, at: Location) -> Option<Tested> {
        let (last, before) = place.projections.split_last()?;
        let Projection::Index(index) = last else { return None };
        match before {
            [] => {}
            [Projection::Deref] if self.values.is_fixed(place.base) => {}
            _ => return None,
        }
        let (cursor, at) = self.values.origin(index, at)?;
        let moment = self.values.moment(cursor, at)?;
        let structure = Structure::IndexedText(place.base.into());
        Some(Tested { structure, cursor, moment, place: Some(place.clone()), size: None })
    }

    fn size(&self, ty: TypeId) -> Option<u64> {
        let types = &self.slicer.program().types;
        types.contains(ty).then(|| types.size_of(ty))
    }

    fn place_size(&self, place: &Place) -> Result<u64, Violation> {
        let program = self.slicer.program();
        place_type(program, self.function, place).map(|ty| program.types.size_of(ty))
    }

    /// The fields on the way from a node to the next, if the cursor goes there.
    fn links(&self, cursor: LocalId, step: Location) -> Option<Vec<Link>> {
        let mut links = Vec::new();
        let (mut place, mut at) = self.values.loaded(cursor, step)?;
        // In a dynamic language the node is loaded first, and the field from it.
        loop {
            let mut fields = Vec::new();
            let mut follows = false;
            for projection in &place.projections {
                match projection {
                    Projection::Deref if !follows && fields.is_empty() => follows = true,
                    Projection::Field(field) => fields.push(Link::Field(*field)),
                    Projection::Named(name) => fields.push(Link::Named(*name)),
                    Projection::Deref | Projection::Index(_) => return None,
                }
            }
            links.splice(0..0, fields);
            let Base::Local(base) = place.base else { return None };
            if follows {
                let (from, at) = self.values.origin(&Operand::Local(base), at)?;
                let is_cursor =
                    from == cursor && self.values.moment(cursor, at)? == Moment::BeforeStep;
                return (is_cursor && !links.is_empty()).then_some(links);
            }
            let (Rvalue::Load(from), inner) = self.values.definition(&Operand::Local(base), at)?
            else {
                return None;
            };
            (place, at) = (from, inner);
        }
    }

    /// Whether a pointer goes on by one element of this size.
    fn moves_pointer(&self, cursor: LocalId, step: Location, size: Option<u64>) -> bool {
        let Some(Rvalue::Offset { pointer, index, element }) = self.values.assigned(step) else {
            return false;
        };
        is_one(index)
            && self.size(*element) == size
            && self.values.is_before_step(pointer, cursor, step)
    }

    /// Whether an index grows by one.
    fn counts(&self, cursor: LocalId, step: Location) -> bool {
        let Some(Rvalue::Binary(BinaryOp::Add, left, right)) = self.values.assigned(step) else {
            return false;
        };
        let from = if is_one(right) { left } else { right };
        (is_one(left) || is_one(right)) && self.values.is_before_step(from, cursor, step)
    }

    /// The steps of the loop that may write to what is walked along.
    fn writes(&self, named: Option<&Place>) -> Vec<(Location, Span)> {
        let mut writes = Vec::new();
        for block in self.forest.blocks(self.id) {
            for (location, step) in steps(self.function, *block) {
                if self.may_write(step, named) {
                    writes.push((location, step.span()));
                }
            }
        }
        writes
    }

    fn may_write(&self, step: Step<'_>, named: Option<&Place>) -> bool {
        let mut found = false;
        visit_accesses(step, &mut |access| {
            found |= match access {
                Access::Store(place) => {
                    let hops = Hops::of(self.slicer.program(), self.function, place);
                    hops.most >= 1 || named.is_some_and(|named| named.base == place.base)
                }
                Access::StoreRange => true,
                Access::Call => self.slicer.call_writes(step, named.map(|named| named.base)),
                _ => false,
            };
        });
        found
    }
}

fn is_one(operand: &Operand) -> bool {
    matches!(operand, Operand::Const(Const::Int(number, _)) if *number == Integer::ONE)
}
