//! Linked lists as arrays: the k-th node is `next^k` of the first (the long report on abstract path conditions, section "Treating lists as arrays").
//!
//! A list of n nodes is several objects with numbers that follow each other: the *spine*, and for each scalar of a node one more. The object of a scalar is its *column*, an
//! array of n of them, one for each node; so all that is known about arrays (terms, summaries, necessary conditions) holds for the contents of lists. The object of the link
//! holds nothing, since the shape of a list does not change: the link of node k is node k + 1.
//!
//! *Pointers* into these objects have the number of a node as their offset, not units of memory. One into the spine points to the start of a node, one into the
//! object of a scalar to that scalar. (What starts at place 0 of a node is always pointed to by the spine, so that equal pointers look the same.) Node n is none: the pointer to it is null, and what lies `f` units behind it
//! is the address `f`, as in the interpreter. Numbers of nodes are never outside of 0..=n: there are the first node, the one behind another that has been accessed, and the numbers at headers of loops that
//! stand for such ones. That is why null is `n <= k` here, and a node `k < n`: on 0..=n this is the same as `k = n` and `0 <= k < n`, and what is said of other numbers does not matter.
//!
//! What the interpreter would do with nodes as blocks of bytes has no model: moving a pointer to where no scalar starts, reading a node as a whole or in other pieces, and changing a link.

use super::access::What;
use super::{Background, Body, Memory, Object, ObjectId};
use crate::domain::{Outcome, Symbolic};
use crate::halt::{internal, unsupported};
use crate::value::{Bool, Int, Pointer};
use loupe_engine::domain::{Access, Domain, NewList, World};
use loupe_engine::layout::{Kind, size_of_value};
use loupe_integer::Integer;
use loupe_ir::program::{CompareOp, GlobalAccess};
use loupe_ir::types::{IntType, Node, Types};
use loupe_ir::validate::ValueType;
use rpds::RedBlackTreeMap;
use std::rc::Rc;

/// The part of a list that an object is.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) node: Rc<Node>,
    /// How many nodes there are.
    pub(super) count: Int,
    /// 0 for the spine, and one more than the number of a scalar for its object: that is also how far behind the spine it is.
    which: u32,
}

impl Part {
    /// Whether two objects are the same part of such lists.
    pub(super) fn is_like(&self, other: &Part) -> bool {
        self.node == other.node && self.count == other.count && self.which == other.which
    }

    /// Where in a node it is.
    fn place(&self) -> u64 {
        let scalar = (self.which as usize).checked_sub(1);
        scalar.and_then(|scalar| self.node.scalars.get(scalar)).map_or(0, |scalar| scalar.0)
    }
}

/// A pointer into a list.
#[derive(Clone, Debug)]
struct InList {
    spine: ObjectId,
    node: Rc<Node>,
    count: Int,
    /// The number of the node; null if it is not below the count.
    number: Int,
    /// How many units behind its start.
    place: u64,
}

impl InList {
    /// The pointer to where a scalar starts, or the node itself.
    fn at(&self, place: u64) -> Option<Pointer> {
        let distance = match place {
            0 => 0,
            place => u32::try_from(self.node.scalar_at(place)?).ok()? + 1,
        };
        let object = ObjectId(self.spine.0 + distance);
        Some(Pointer { object: Some(object), offset: self.number.clone() })
    }

    /// How far a place in a node is from another one.
    fn distance(&self, place: &Integer) -> Int {
        let distance = Integer::from(self.place).sub(place);
        Int::Known(if distance.is_negative() { distance.neg() } else { distance })
    }
}

/// What an access to a node leads to.
pub(super) enum Target {
    /// A place in a column, in units of memory.
    Column(Pointer),
    /// The link, which is this pointer.
    Link(Pointer),
}

/// The numbers of nodes.
const NUMBERS: IntType = IntType::unsigned(31);

impl Memory {
    fn in_list(&self, pointer: &Pointer) -> Option<InList> {
        let id = pointer.object?;
        let part = self.objects.get(id.0 as usize)?.list.as_ref()?;
        Some(InList {
            spine: ObjectId(id.0 - part.which),
            node: Rc::clone(&part.node),
            count: part.count.clone(),
            number: pointer.offset.clone(),
            place: part.place(),
        })
    }

    /// Whether a pointer leads into a list.
    pub(crate) fn is_in_list(&self, pointer: &Pointer) -> bool {
        pointer.object.is_some_and(|object| self.is_list(object))
    }

    /// Whether an object is a part of a list.
    pub(crate) fn is_list(&self, id: ObjectId) -> bool {
        self.objects.get(id.0 as usize).is_some_and(|object| object.list.is_some())
    }

    /// The type of the numbers of nodes, if pointers into this object have such.
    pub(crate) fn node_numbers(&self, id: ObjectId) -> Option<IntType> {
        self.is_list(id).then_some(NUMBERS)
    }

    /// If an object is a part of a list: the spine, which has the type of the nodes, and the place in a node.
    pub(crate) fn place_in_node(&self, id: ObjectId) -> Option<(ObjectId, u64)> {
        let part = self.objects.get(id.0 as usize)?.list.as_ref()?;
        Some((ObjectId(id.0 - part.which), part.place()))
    }

    /// The number that null is as a pointer into this object: how many nodes there are.
    pub(crate) fn null_in(&self, id: ObjectId) -> Option<Int> {
        let part = self.objects.get(id.0 as usize)?.list.as_ref()?;
        (part.which == 0).then(|| part.count.clone())
    }
}

impl Symbolic {
    /// Makes a list; a pointer to its first node, which is null if there are none.
    pub(crate) fn new_list(
        &mut self,
        world: World<'_, Symbolic>,
        list: NewList<Symbolic>,
    ) -> Outcome<Pointer> {
        let World { types, memory, streams } = world;
        let node = types.node(list.node, list.link);
        let node = Rc::new(node.ok_or_else(|| internal("nodes without a link"))?);
        let count = self.settled(&list.count).map_or_else(|| list.count.clone(), Int::Known);
        if count == Int::ZERO {
            return Ok(Pointer::NULL);
        }
        let part = |which| Some(Part { node: Rc::clone(&node), count: count.clone(), which });
        let object = |part, (size, element), background| Object {
            origin: list.origin,
            access: GlobalAccess::ReadWrite,
            is_alive: true,
            size,
            element,
            kind: Kind::Bytes,
            background,
            body: Body::Entries(RedBlackTreeMap::new()),
            reach: super::Reach::Near,
            list: part,
        };
        let spine = object(part(0), (count.clone(), list.node), Background::Zero);
        let first = memory.add_object(spine)?;
        for (number, (_, ty)) in node.scalars.iter().enumerate() {
            let which = u32::try_from(number + 1).map_err(|_| internal("too many scalars"))?;
            let new = if number == node.link {
                object(part(which), (count.clone(), *ty), Background::Zero)
            } else {
                let occasion = streams.occasions;
                streams.occasions += 1;
                let position = streams.undefined.clone();
                streams.undefined = self.sum(&position, &count);
                let size = self.scaled(&count, &Integer::from(types.size_of(*ty)));
                object(part(which), (size, *ty), Background::Unknown { occasion, position })
            };
            memory.add_object(new)?;
        }
        Ok(first)
    }

    /// Whether a pointer into a list leads to no node.
    fn beyond(&mut self, at: &InList) -> Bool {
        self.compared(CompareOp::Le, &at.count, &at.number)
    }

    /// Whether a pointer is null, if it leads into a list.
    pub(crate) fn null_in_list(&mut self, memory: &Memory, pointer: &Pointer) -> Option<Bool> {
        let at = memory.in_list(pointer)?;
        Some(if at.place == 0 { self.beyond(&at) } else { Bool::Known(false) })
    }

    /// The pointer so many units further on in the same node.
    pub(crate) fn advance_in_list(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
        units: &Int,
    ) -> Outcome<Option<Pointer>> {
        let Some(at) = memory.in_list(pointer) else { return Ok(None) };
        let units = self.one_number(units)?;
        let place = Integer::from(at.place).add(&units).to_usize();
        let moved = place.and_then(|place| at.at(place as u64));
        let between =
            || unsupported("a pointer into a node of a list, to where no part of it starts");
        moved.map(Some).ok_or_else(between)
    }

    /// Whether two pointers, one of which leads into a list, are equal.
    fn same_place(&mut self, memory: &Memory, a: &Pointer, b: &Pointer) -> Outcome<Bool> {
        let (at, other, to) = match (memory.in_list(a), memory.in_list(b)) {
            (Some(at), other) => (at, other, b),
            (None, Some(at)) => (at, None, a),
            (None, None) => return Err(internal("pointers into no list")),
        };
        // Compared with something that has one, an object gets an address in the interpreter; null alone is compared without.
        self.refuse_address(&at)?;
        let nowhere = self.beyond(&at);
        match (other, to.object) {
            (Some(other), _) => {
                self.refuse_address(&other)?;
                if at.place != other.place {
                    return Ok(Bool::Known(false));
                }
                if at.spine == other.spine {
                    return Ok(self.compared(CompareOp::Eq, &at.number, &other.number));
                }
                let neither = self.beyond(&other);
                Ok(self.both(nowhere, neither))
            }
            (None, Some(_)) => Ok(Bool::Known(false)),
            (None, None) => {
                let null = self.compared(CompareOp::Eq, &to.offset, &Int::ZERO);
                if self.one_truth(null)? {
                    return Ok(if at.place == 0 { nowhere } else { Bool::Known(false) });
                }
                match self.one_truth(nowhere)? {
                    true => Ok(Bool::Known(false)),
                    false => Err(unsupported("the address of a node of a list")),
                }
            }
        }
    }

    /// That a pointer is not a place behind no node, which is an address.
    fn refuse_address(&mut self, at: &InList) -> Outcome<()> {
        if at.place == 0 {
            return Ok(());
        }
        let nowhere = self.beyond(at);
        match self.one_truth(nowhere)? {
            true => Err(unsupported("the address of a part of nothing")),
            false => Ok(()),
        }
    }

    /// How pointers compare one of which leads into a list.
    pub(crate) fn compare_in_list(
        &mut self,
        memory: &Memory,
        op: CompareOp,
        (a, b): (&Pointer, &Pointer),
    ) -> Outcome<Option<Bool>> {
        if !memory.is_in_list(a) && !memory.is_in_list(b) {
            return Ok(None);
        }
        match op {
            CompareOp::Eq => Ok(Some(self.same_place(memory, a, b)?)),
            CompareOp::Ne => {
                let same = self.same_place(memory, a, b)?;
                Ok(Some(self.not(&same)))
            }
            _ => {
                let same = self.same_node(memory, a, b).unwrap_or(Bool::Known(false));
                let (Some(left), Some(right), true) =
                    (memory.in_list(a), memory.in_list(b), self.one_truth(same)?)
                else {
                    return Err(unsupported("the order of pointers into different objects"));
                };
                let (left, right) = (Integer::from(left.place), Integer::from(right.place));
                Ok(Some(self.compared(op, &Int::Known(left), &Int::Known(right))))
            }
        }
    }

    /// Whether two pointers, one of which leads into a list, lead to the same node, or both to no object.
    pub(crate) fn same_node(&mut self, memory: &Memory, a: &Pointer, b: &Pointer) -> Option<Bool> {
        match (memory.in_list(a), memory.in_list(b)) {
            (Some(a), Some(b)) if a.spine == b.spine => {
                Some(self.compared(CompareOp::Eq, &a.number, &b.number))
            }
            (Some(a), Some(b)) => {
                let (a, b) = (self.beyond(&a), self.beyond(&b));
                Some(self.both(a, b))
            }
            (Some(at), None) => Some(self.no_node_as(&at, b)),
            (None, Some(at)) => Some(self.no_node_as(&at, a)),
            (None, None) => None,
        }
    }

    /// Whether a pointer into a list leads to no object, and neither does another one.
    fn no_node_as(&mut self, at: &InList, other: &Pointer) -> Bool {
        match other.object {
            Some(_) => Bool::Known(false),
            None => self.beyond(at),
        }
    }

    /// How far pointers into a node are apart, if one leads into a list. That it is the same node has been checked.
    pub(crate) fn difference_in_list(
        &mut self,
        memory: &Memory,
        a: &Pointer,
        b: &Pointer,
    ) -> Outcome<Option<Int>> {
        match (memory.in_list(a), memory.in_list(b)) {
            (Some(a), Some(b)) => {
                let distance = Integer::from(a.place).sub(&Integer::from(b.place));
                Ok(Some(Int::Known(distance)))
            }
            (None, None) => Ok(None),
            _ => Err(unsupported("the difference of pointers into different objects")),
        }
    }

    /// The number that a pointer into a list is: null has one, nodes have none.
    pub(crate) fn address_in_list(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
    ) -> Outcome<Option<Int>> {
        let Some(at) = memory.in_list(pointer) else { return Ok(None) };
        let nowhere = self.beyond(&at);
        match self.one_truth(nowhere)? {
            true => Ok(Some(Int::Known(Integer::from(at.place)))),
            false => Err(unsupported("the address of a node of a list")),
        }
    }

    /// How many units the node takes that a pointer into a list leads to.
    pub(crate) fn node_size(&mut self, memory: &Memory, pointer: &Pointer) -> Outcome<Option<Int>> {
        let Some(at) = memory.in_list(pointer) else { return Ok(None) };
        let nowhere = self.beyond(&at);
        match self.one_truth(nowhere)? {
            true => Err(unsupported("the size of an object that there is none of")),
            false => Ok(Some(Int::Known(Integer::from(at.node.size)))),
        }
    }

    /// Whether so many units from a pointer into a list on can be accessed.
    pub(crate) fn accessible_in_list(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
        count: &Int,
    ) -> Option<Bool> {
        let at = memory.in_list(pointer)?;
        let room = Int::Known(Integer::from(at.node.size.saturating_sub(at.place)));
        let nothing = self.compared(CompareOp::Eq, count, &Int::ZERO);
        let forward = self.compared(CompareOp::Le, &Int::ZERO, count);
        let short = self.compared(CompareOp::Le, count, &room);
        let exists = self.compared(CompareOp::Lt, &at.number, &at.count);
        let fits = self.both(forward, short);
        let inside = self.both(exists, fits);
        Some(self.either(nothing, inside))
    }

    /// Whether a pointer into a list that is moved stays in its node or right behind it; one to no node is not moved.
    pub(crate) fn stays_in_node(
        &mut self,
        memory: &Memory,
        pointer: &Pointer,
        units: &Int,
    ) -> Option<Bool> {
        let at = memory.in_list(pointer)?;
        let moved = self.sum(&Int::Known(Integer::from(at.place)), units);
        let low = self.compared(CompareOp::Le, &Int::ZERO, &moved);
        let high = self.compared(CompareOp::Le, &moved, &Int::Known(Integer::from(at.node.size)));
        let nowhere = self.beyond(&at);
        let exists = self.not(&nowhere);
        let inside = self.both(low, high);
        let inside = self.both(exists, inside);
        let unmoved = self.compared(CompareOp::Eq, units, &Int::ZERO);
        let unmoved = self.both(nowhere, unmoved);
        Some(self.either(inside, unmoved))
    }

    /// Whether so many units from two pointers on do not overlap, if one leads into a list.
    pub(crate) fn disjoint_in_list(
        &mut self,
        memory: &Memory,
        (a, b): (&Pointer, &Pointer),
        count: &Int,
    ) -> Option<Bool> {
        let same = self.same_node(memory, a, b)?;
        let (left, right) = (memory.in_list(a), memory.in_list(b));
        let distance = match (left, right) {
            (Some(a), Some(b)) => a.distance(&Integer::from(b.place)),
            (Some(at), None) => self.distance_of_address(&at, b),
            (None, Some(at)) => self.distance_of_address(&at, a),
            (None, None) => return None,
        };
        let far = self.compared(CompareOp::Ge, &distance, count);
        let apart = self.not(&same);
        Some(self.either(apart, far))
    }

    /// How far an address is from a place behind no node. One that depends on inputs is taken to be the same: that is checked by a replay.
    fn distance_of_address(&mut self, at: &InList, address: &Pointer) -> Int {
        match &address.offset {
            Int::Known(address) => at.distance(address),
            Int::Term(_) => Int::ZERO,
        }
    }

    /// Where an access to a node goes; `None` if the pointer leads into no list.
    pub(super) fn in_node(
        &mut self,
        types: &Types,
        memory: &Memory,
        access: &Access<Symbolic>,
    ) -> Outcome<Option<Target>> {
        let Some(at) = memory.in_list(&access.pointer) else { return Ok(None) };
        let what = What { ty: access.ty, first_bit: access.first_bit };
        let in_pieces =
            || unsupported("a node of a list that is accessed in other pieces than its parts");
        let scalar = at.node.scalar_at(at.place).ok_or_else(in_pieces)?;
        let (_, ty) = at.node.scalars[scalar];
        let is_whole = !matches!(what.ty, ValueType::Aggregate(_))
            && what.first_bit.is_none()
            && what.size(types) == size_of_value(types, ValueType::of(types, ty));
        if !is_whole {
            return Err(in_pieces());
        }
        if scalar == at.node.link {
            if !matches!(what.ty, ValueType::Pointer(_) | ValueType::Null | ValueType::Address) {
                return Err(in_pieces());
            }
            let next = self.sum(&at.number, &Int::Known(Integer::ONE));
            return Ok(Some(Target::Link(Pointer { object: Some(at.spine), offset: next })));
        }
        // Numbers below 0 are none of real nodes; the term of an element does not mind, a place among others would.
        if self.settled(&at.number).is_some_and(|number| number.is_negative()) {
            return Err(unsupported("a node before the first"));
        }
        let distance = u32::try_from(scalar).map_err(|_| internal("too many scalars"))? + 1;
        let offset = self.scaled(&at.number, &Integer::from(types.size_of(ty)));
        let object = ObjectId(at.spine.0 + distance);
        Ok(Some(Target::Column(Pointer { object: Some(object), offset })))
    }

    /// That a pointer leads to no node of a list, for its memory is to be given back: whoever made the list may have allocated its nodes or not.
    pub(crate) fn refuse_freed_list(&mut self, memory: &Memory, pointer: &Pointer) -> Outcome<()> {
        let sides = match pointer.is_choice() {
            true => self.all_sides(pointer),
            false => vec![(self.terms.bool(true), pointer.clone())],
        };
        for (here, side) in sides {
            let Some(at) = memory.in_list(&side) else { continue };
            let here = self.truth_of(here);
            let nowhere = self.beyond(&at);
            if self.one_truth(here)? && !(at.place == 0 && self.one_truth(nowhere)?) {
                return Err(unsupported(
                    "giving back a node of a list that was not made by the program",
                ));
            }
        }
        Ok(())
    }

    /// Whether the program may give back what a pointer leads to, which is no node of a list.
    pub(crate) fn can_be_freed(&mut self, memory: &Memory, pointer: &Pointer) -> Bool {
        if let Some(fine) = self.on_sides(pointer, |domain, side| domain.can_be_freed(memory, side))
        {
            return fine;
        }
        let mut result = self.is_null(memory, pointer);
        if memory.is_in_list(pointer) {
            return result;
        }
        for (here, pointer) in self.possible(memory, pointer) {
            if memory.is_on_heap(&pointer) {
                let at_start = self.compared(CompareOp::Eq, &pointer.offset, &Int::ZERO);
                let fine = self.both(here, at_start);
                result = self.either(result, fine);
            }
        }
        result
    }

    /// That a pointer leads into no list.
    pub(crate) fn refuse_list(memory: &Memory, pointer: &Pointer) -> Outcome<()> {
        match memory.is_in_list(pointer) {
            true => Err(unsupported("the nodes of a list as bytes")),
            false => Ok(()),
        }
    }
}

/// Why a link cannot be changed.
pub(super) const CHANGED: &str = "a list whose links change";
