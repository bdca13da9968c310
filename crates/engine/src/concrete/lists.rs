//! Linked lists that are made at once: one object for each node.

use super::domain::Concrete;
use super::halt::{Halt, Limit, internal};
use super::memory::{Address, Memory};
use crate::domain::{Access, Contents, Domain, NewList, NewObject, World};
use crate::layout::Scalars;
use crate::value::Value;
use loupe_integer::Integer;
use loupe_ir::program::GlobalAccess;
use loupe_ir::types::{Node, TypeId, Types};
use loupe_ir::validate::ValueType;

impl Concrete {
    /// Makes the nodes of a list and links them.
    pub(super) fn make_list(
        &mut self,
        world: World<'_, Concrete>,
        list: NewList<Concrete>,
    ) -> Result<Address, Box<Halt>> {
        let World { types, memory, streams } = world;
        let shape = types.node(list.node, list.link);
        let shape = shape.ok_or_else(|| internal("nodes without a link"))?;
        let too_large = || Box::new(Halt::Limit(Limit::Memory { cells: self.max_cells }));
        let count = list.count.to_usize().ok_or_else(|| internal("a negative number of nodes"))?;
        if count as u64 > self.max_cells {
            return Err(too_large());
        }
        let mut nodes = Vec::with_capacity(count);
        for _ in 0..count {
            self.spend(1)?;
            let object = NewObject {
                element: list.node,
                count: Integer::ONE,
                contents: Contents::Uninitialised,
                origin: list.origin,
                access: GlobalAccess::ReadWrite,
            };
            nodes.push(memory.allocate(types, object, self.max_cells)?);
        }
        link(types, memory, &nodes, &shape)?;
        for (place, ty) in shape.columns() {
            let world = World { types, memory, streams };
            self.imagine_column(world, &nodes, (place, ty))?;
            streams.undefined = streams.undefined.saturating_add(count as u64);
        }
        Ok(nodes.first().copied().unwrap_or(Address::NULL))
    }

    /// Gives one scalar of all nodes, in their order, the next values of the stream of uninitialised ones.
    fn imagine_column(
        &mut self,
        world: World<'_, Concrete>,
        nodes: &[Address],
        (place, ty): (u64, TypeId),
    ) -> Result<(), Box<Halt>> {
        let World { types, memory, streams } = world;
        let Some((_, width)) = Scalars::new(types, ty, 1).next() else {
            return Err(internal("a scalar without bits"));
        };
        for (number, node) in (0..).zip(nodes) {
            let position = streams.undefined.saturating_add(number);
            // Behind the end of the stream all is 0.
            let Some(value) = self.undefined_bits(position, width)? else { break };
            memory.imagine_scalar(*node, (place * 8, width), &value)?;
        }
        Ok(())
    }
}

/// Makes each node point to the next one, and the last one to nothing.
fn link(
    types: &Types,
    memory: &mut Memory,
    nodes: &[Address],
    shape: &Node,
) -> Result<(), Box<Halt>> {
    let (place, ty) = shape.scalars[shape.link];
    let place = i32::try_from(place).map_err(|_| internal("a node that is too large"))?;
    let ty = ValueType::of(types, ty);
    let next = nodes.iter().skip(1).copied().chain([Address::NULL]);
    for (node, next) in nodes.iter().zip(next) {
        let pointer = Address { offset: node.offset + place, ..*node };
        let access = Access { pointer, ty, first_bit: None };
        memory.store(types, &access, Value::Pointer(next))?;
    }
    Ok(())
}
